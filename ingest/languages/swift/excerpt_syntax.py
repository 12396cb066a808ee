"""Excerpts of Swift: roles of the nodes of its syntax tree."""

from __future__ import annotations

from ..excerpt_rules import ExcerptSyntax, roles

SYNTAX = ExcerptSyntax(
    roles(
        blocks="statements switch_statement",
        members="class_body enum_class_body protocol_body",
        lists="array_literal dictionary_literal",
        groups="value_arguments tuple_expression",
        fixed=(
            "type_parameters type_arguments parameter capture_list line_string_literal multi_line_string_literal"
            " raw_string_literal comment multiline_comment"
        ),
    ),
    declarations=frozenset(("function_body",)),
    bare=frozenset(("statements",)),
)
