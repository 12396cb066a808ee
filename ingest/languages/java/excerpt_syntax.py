"""Excerpts of Java: roles of the nodes of its syntax tree."""

from __future__ import annotations

from ..excerpt_rules import ExcerptSyntax, roles

SYNTAX = ExcerptSyntax(
    roles(
        blocks="block constructor_body switch_block switch_block_statement_group",
        members="class_body interface_body enum_body annotation_type_body module_body",
        lists="array_initializer element_value_array_initializer",
        groups="argument_list annotation_argument_list parenthesized_expression",
        fixed=(
            "formal_parameters inferred_parameters type_parameters type_arguments string_literal template_expression"
            " line_comment block_comment"
        ),
    ),
    declarations=frozenset(("method_declaration",)),
    wrappers=frozenset(("enum_body_declarations",)),
    labelled=frozenset(("switch_block_statement_group",)),
)
