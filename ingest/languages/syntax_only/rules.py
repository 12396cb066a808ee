"""What the shared reader is told of a language: a query names its declarations, and these rules say what the query cannot."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .import_statements import SpecifierReader, no_specifiers
from .visibility import VisibilityRule, unless_hidden

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree

Span = tuple[int, int]

#: An annotation of Java and of the languages that write annotations alike; `@interface` declares one.
AT_ANNOTATION: Final = re.compile(r"@(?!interface\b)(?:\w+:)?[\w.]+[ \t]*")


def parse_plainly(data: bytes, parser: Parser) -> tuple[Tree, bytes]:
    """Parse a text as it is."""
    return parser.parse(data), data


# Compared and hashed by identity: there is one object for each grammar.
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SyntaxRules:
    """The rules of one language."""

    #: Name of the language whose line in `schema/languages.py` has the distribution of the grammar, and the layout of bodies.
    language: str
    #: File in the language's folder with the query of the grammar.
    query: str = "declarations.scm"
    #: Function of the grammar's module that returns the grammar.
    grammar_function: str = "language"
    #: Parses a text. Returns the tree, and the text of the same length that it was made of: what the grammar would misread
    #: may be blanked.
    parse: Callable[[bytes, Parser], tuple[Tree, bytes]] = parse_plainly

    # Names and kinds.

    #: Returns the name of a declaration and its byte offset where it is not simply the text of a node. Takes the node of the
    #: declaration, that of the name if the query found one, and the source up to the body.
    name_of: Callable[[Node, Node | None, bytes], tuple[str, int] | None] | None = None
    #: Finds in a declarator, which holds a name and says its type, the node of the name, and the types that it is qualified with.
    declarator: Callable[[Node], tuple[Node | None, list[str]]] | None = None
    #: Names of methods that make an instance, where these are not named after their type.
    constructors: frozenset[str] = frozenset()
    #: Whether a method outside of all types is called a function.
    has_root_methods: bool = False
    #: Whether adjacent signatures of one name are overloads, and one symbol.
    joins_overloads: bool = False

    # Texts.

    #: Returns what a string says that documents the body at whose beginning it stands.
    docstring: Callable[[str], str] | None = None
    #: Directives that may stand between a comment and what it belongs to.
    directive: re.Pattern[bytes] | None = None
    #: How an annotation begins that stands before a declaration and is no part of its signature. Brackets behind it belong to it.
    annotation: re.Pattern[str] | None = None
    #: Whether annotations are statements of their own before a declaration, as decorators of Python are.
    has_decorators: bool = False

    # Visibility and imports.

    is_visible: VisibilityRule = unless_hidden
    #: Returns the word that holds at the beginning of the body of a class, before any word such as `public:`, from the source and
    #: the byte offset of the class.
    first_section: Callable[[bytes, int], str] | None = None
    #: Reads what an import statement names.
    specifiers: SpecifierReader = no_specifiers
    #: Whether an import in a function runs when the function does.
    imports_late: bool = False

    # Tests in files of other code.

    #: Returns the bytes that an attribute marks as part of tests.
    test_span: Callable[[Node], Span | None] | None = None
    #: Whether the name of a function says that it is a test.
    is_test_name: Callable[[str], bool] | None = None
