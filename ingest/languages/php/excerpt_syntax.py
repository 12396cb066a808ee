"""Excerpts of PHP: roles of the nodes of its syntax tree."""

from __future__ import annotations

from ..excerpt_rules import ExcerptSyntax, roles

SYNTAX = ExcerptSyntax(
    roles(
        blocks="compound_statement switch_block case_statement default_statement match_block",
        members="declaration_list enum_declaration_list property_hook_list",
        lists="array_creation_expression arguments namespace_use_group",
        groups="parenthesized_expression",
        fixed=(
            "formal_parameters anonymous_function_use_clause string encapsed_string heredoc nowdoc"
            " text_interpolation text comment"
        ),
    ),
    declarations=frozenset(("method_declaration", "function_definition")),
    labelled=frozenset(("case_statement", "default_statement")),
    preamble="<?php ",
)
