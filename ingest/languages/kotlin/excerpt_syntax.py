"""Excerpts of Kotlin: roles of the nodes of its syntax tree."""

from __future__ import annotations

from ..excerpt_rules import ExcerptSyntax, roles

SYNTAX = ExcerptSyntax(
    roles(
        blocks="block lambda_literal when_expression",
        members="class_body enum_class_body",
        lists="value_arguments collection_literal",
        groups="parenthesized_expression",
        fixed=(
            "class_parameters function_value_parameters lambda_parameters type_parameters type_arguments"
            " string_literal multiline_string_literal line_comment block_comment"
        ),
    ),
    declarations=frozenset(("function_body", "secondary_constructor", "getter", "setter")),
)
