"""Excerpts of Scala 2 and 3: roles of the nodes of its syntax tree."""

from __future__ import annotations

from ..excerpt_rules import ExcerptSyntax, roles

SYNTAX = ExcerptSyntax(
    roles(
        blocks="block indented_block case_block indented_cases",
        members="template_body with_template_body enum_body",
        groups="arguments parenthesized_expression tuple_expression",
        fixed=(
            "parameters class_parameters bindings type_parameters type_arguments"
            " string interpolated_string_expression comment block_comment"
        ),
    ),
    declarations=frozenset(("function_definition",)),
    unbracketed=frozenset(("template_body", "with_template_body", "enum_body")),
    bare=frozenset(("indented_block", "indented_cases")),
)
