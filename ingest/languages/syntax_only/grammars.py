"""The grammars of outlined languages, and their queries, loaded when the first file needs them."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Final, NamedTuple

from tree_sitter import Language, Node, Parser, Query

from ....schema.languages import BY_NAME
from .macros import parse_without_macros

#: What a header holds that is C++ and no C.
_CPP: Final = re.compile(rb"^[ \t]*(?:class|namespace|template|using|public:|private:|protected:)\b|\w::\w", re.MULTILINE)


class OutlineGrammar(NamedTuple):
    """A grammar with its parser, which serves one thread, and what tells declarations in its trees."""

    #: The language that is parsed: for a header of C++ that, whatever its name says.
    name: str
    parser: Parser
    query: Query
    language: Language


class Parsed(NamedTuple):
    """The tree of a text."""

    grammar: OutlineGrammar
    root: Node
    #: What was parsed: the text, of which other bytes may stand in the places of some.
    data: bytes


def parse(data: bytes, language: str) -> Parsed:
    """The tree of a text in UTF-8 by the grammar for it."""
    grammar = grammar_for(data, language)
    if grammar.name in ("c", "cpp"):
        tree, read = parse_without_macros(data, grammar.parser)
        return Parsed(grammar, tree.root_node, read)
    return Parsed(grammar, grammar.parser.parse(data).root_node, data)


def grammar_for(data: bytes, language: str) -> OutlineGrammar:
    """The grammar that reads a file of an outlined language."""
    return _grammar("cpp" if language == "c" and _CPP.search(data) else language)


@cache
def _grammar(name: str) -> OutlineGrammar:
    module = import_module(BY_NAME[name].grammar.replace("-", "_"))
    language = Language(module.language_php() if name == "php" else module.language())
    query = files(__package__).joinpath("queries", f"{name}.scm").read_text("utf-8")
    return OutlineGrammar(name, Parser(language), Query(language, query), language)
