"""Excerpts of Rust: roles of the nodes of its syntax tree."""

from __future__ import annotations

from ..excerpt_rules import ExcerptSyntax, roles

SYNTAX = ExcerptSyntax(
    roles(
        blocks="block",
        members="declaration_list field_declaration_list enum_variant_list match_block",
        lists="macro_definition arguments array_expression field_initializer_list use_list ordered_field_declaration_list",
        groups="parenthesized_expression tuple_expression",
        fixed=(
            "parameters closure_parameters type_parameters type_arguments where_clause token_tree"
            " string_literal raw_string_literal line_comment block_comment"
        ),
    ),
    declarations=frozenset(("function_item",)),
    prefixes=frozenset(("attribute_item",)),
)
