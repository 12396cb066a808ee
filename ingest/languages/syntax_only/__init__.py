"""The shared reader of languages without a resolver: declarations with their places, signatures and doc comments; imports.

What a language declares, and how, a query of its grammar says (`declarations.scm` in its folder), and its `SyntaxRules` say the
rest. `reading` makes facts of it.
"""
