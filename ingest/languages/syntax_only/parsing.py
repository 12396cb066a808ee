"""Parse texts of languages without a resolver. Grammars and queries are loaded for the first file that needs them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import NamedTuple

from tree_sitter import Language, Node, Parser, Query

from ....schema.languages import BY_NAME
from ...symbols.byte_ranges import blank
from ..parse_budget import BoundedParser, ParseBudget, SlowSource
from .rules import SyntaxRules


class Parsed(NamedTuple):
    """The tree of a text."""

    root: Node
    #: The parsed bytes: the text, in which some bytes may be replaced.
    data: bytes
    #: The query that finds declarations in the tree.
    query: Query
    #: Whether the text took too long to parse, so that a blank text was parsed instead.
    is_too_slow: bool = False


def parse(data: bytes, rules: SyntaxRules) -> Parsed:
    """Return the tree of a text in UTF-8.

    If the text takes too long to parse, return the tree of a blank text of the same length.
    """
    grammar, query = _grammar(rules)
    try:
        tree, read = rules.parse(data, BoundedParser(grammar, ParseBudget(len(data))))
    except SlowSource:
        empty = blank(data)
        return Parsed(Parser(grammar).parse(empty).root_node, empty, query, is_too_slow=True)
    return Parsed(tree.root_node, read, query)


@cache
def _grammar(rules: SyntaxRules) -> tuple[Language, Query]:
    known = BY_NAME[rules.language]
    module = import_module(known.grammar.replace("-", "_"))
    grammar = Language(getattr(module, rules.grammar_function)())
    folder = files(f"{__package__.rpartition('.')[0]}.{known.folder}")
    return grammar, Query(grammar, folder.joinpath(rules.query).read_text("utf-8"))
