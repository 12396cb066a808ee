"""Excerpts of TypeScript and JavaScript: roles of the nodes of their syntax trees."""

from __future__ import annotations

from ..excerpt_rules import ExcerptSyntax, roles
from .excerpt_imports import import_clauses

SYNTAX = ExcerptSyntax(
    roles(
        blocks="statement_block switch_body switch_case switch_default",
        members="class_body interface_body object_type enum_body object object_pattern",
        lists=(
            "arguments array named_imports export_clause jsx_element jsx_opening_element jsx_self_closing_element jsx_expression"
        ),
        groups="parenthesized_expression type_arguments type_parameters",
        fixed=("formal_parameters array_pattern tuple_type template_string template_literal_type string comment"),
        declarators="lexical_declaration variable_declaration",
    ),
    declarations=frozenset(("function_declaration", "generator_function_declaration", "method_definition")),
    unbracketed=frozenset(("jsx_element", "jsx_opening_element", "jsx_self_closing_element")),
    labelled=frozenset(("switch_case", "switch_default")),
    tails=frozenset(
        (
            "return_statement",
            "throw_statement",
            "export_statement",
            "variable_declarator",
            "assignment_expression",
            "binary_expression",
            "arrow_function",
            "pair",
        )
    ),
    prefixes=frozenset(("decorator",)),
    declarators=frozenset(("variable_declarator",)),
    texts=frozenset(("jsx_text",)),
    line_separated=frozenset(("object_type", "interface_body")),
    imports=import_clauses,
)
