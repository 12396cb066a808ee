"""Excerpts of C#: roles of the nodes of its syntax tree."""

from __future__ import annotations

from ..excerpt_rules import ExcerptSyntax, roles

SYNTAX = ExcerptSyntax(
    roles(
        blocks="block switch_body switch_section",
        members="declaration_list enum_member_declaration_list accessor_list switch_expression",
        lists="initializer_expression",
        groups="argument_list bracketed_argument_list attribute_argument_list parenthesized_expression",
        fixed=(
            "parameter_list bracketed_parameter_list type_parameter_list type_argument_list string_literal"
            " verbatim_string_literal raw_string_literal interpolated_string_expression comment"
        ),
    ),
    declarations=frozenset(
        (
            "method_declaration",
            "constructor_declaration",
            "destructor_declaration",
            "operator_declaration",
            "accessor_declaration",
        )
    ),
    labelled=frozenset(("switch_section",)),
)
