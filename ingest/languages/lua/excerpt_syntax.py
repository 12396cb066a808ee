"""Excerpts of Lua: roles of the nodes of its syntax tree."""

from __future__ import annotations

from ..excerpt_rules import ExcerptSyntax, roles

SYNTAX = ExcerptSyntax(
    roles(
        blocks="block",
        lists="table_constructor",
        groups="arguments parenthesized_expression",
        fixed="parameters string comment",
    ),
    declarations=frozenset(("function_declaration",)),
    bare=frozenset(("block",)),
    bodiless="; end",
)
