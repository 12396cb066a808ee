"""Excerpts of C and C++: roles of the nodes of their syntax trees."""

from __future__ import annotations

from ..excerpt_rules import ExcerptSyntax, roles

SYNTAX = ExcerptSyntax(
    roles(
        blocks="compound_statement declaration_list case_statement preproc_if preproc_ifdef",
        members="field_declaration_list enumerator_list",
        lists="initializer_list",
        groups="argument_list parenthesized_expression condition_clause",
        fixed=(
            "parameter_list template_parameter_list template_argument_list lambda_capture_specifier attribute_specifier"
            " string_literal concatenated_string raw_string_literal comment preproc_def preproc_function_def preproc_call"
            " gnu_asm_expression"
        ),
    ),
    declarations=frozenset(("function_definition",)),
    unbracketed=frozenset(("preproc_if", "preproc_ifdef")),
    labelled=frozenset(("case_statement",)),
)
