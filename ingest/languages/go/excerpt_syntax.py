"""Excerpts of Go: roles of the nodes of its syntax tree."""

from __future__ import annotations

from ..excerpt_rules import ExcerptSyntax, roles

SYNTAX = ExcerptSyntax(
    roles(
        blocks="statement_list expression_switch_statement type_switch_statement select_statement",
        members="field_declaration_list interface_type",
        lists="argument_list literal_value const_declaration type_declaration var_spec_list import_spec_list",
        groups="parenthesized_expression",
        fixed="parameter_list type_parameter_list type_arguments raw_string_literal comment",
    ),
    declarations=frozenset(("block",)),
    bare=frozenset(("statement_list",)),
)
