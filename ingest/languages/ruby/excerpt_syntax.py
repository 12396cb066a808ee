"""Excerpts of Ruby: roles of the nodes of its syntax tree."""

from __future__ import annotations

from ..excerpt_rules import ExcerptSyntax, roles

SYNTAX = ExcerptSyntax(
    roles(
        blocks="body_statement block_body then else do",
        lists="argument_list array hash",
        groups="parenthesized_statements",
        fixed=(
            "method_parameters block_parameters lambda_parameters string chained_string string_array symbol_array regex"
            " subshell heredoc_body comment"
        ),
    ),
    declarations=frozenset(("method", "singleton_method")),
    bare=frozenset(("body_statement", "block_body", "then", "do")),
    unbracketed=frozenset(("else",)),
    bodiless="; end",
)
