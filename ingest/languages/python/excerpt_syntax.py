"""Excerpts of Python: roles of the nodes of its syntax tree."""

from __future__ import annotations

from ..excerpt_rules import ExcerptSyntax, roles

SYNTAX = ExcerptSyntax(
    roles(
        blocks="block",
        lists="argument_list list dictionary set tuple import_from_statement",
        groups=(
            "parenthesized_expression list_comprehension dictionary_comprehension set_comprehension generator_expression"
            " list_pattern tuple_pattern subscript"
        ),
        fixed="parameters lambda_parameters type_parameter string concatenated_string comment",
    ),
    declarations=frozenset(("function_definition",)),
    bare=frozenset(("block",)),
    bodiless=": ...",
    empty_statement="...",
)
