"""Excerpts of Bash: roles of the nodes of its syntax tree."""

from __future__ import annotations

from ..excerpt_rules import ExcerptSyntax, roles

SYNTAX = ExcerptSyntax(
    roles(
        blocks="compound_statement do_group subshell",
        lists="array",
        groups="parenthesized_expression",
        fixed="string raw_string ansi_c_string heredoc_body heredoc_redirect command_substitution comment",
    ),
    declarations=frozenset(("function_definition",)),
    unbracketed=frozenset(("do_group",)),
    bodiless=" { :; }",
    empty_statement=":",
)
