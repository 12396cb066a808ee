"""Read languages without a resolver: declarations with their places, signatures and doc comments, and imports.

A query of the grammar (`declarations.scm` in the language's folder) finds declarations, and `SyntaxRules` express everything
else. `reading` turns the declarations into facts.
"""
