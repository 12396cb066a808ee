"""The rules of a language for the shared reader: a query finds declarations, and these rules express everything else."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from .import_statements import SpecifierReader, no_specifiers
from .visibility import VisibilityRule, unless_hidden

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

    from ...symbols.lowering_state import LoweringState
    from ..parse_budget import BoundedParser

Span = tuple[int, int]
Lowering = Callable[["LoweringState", "Node"], "LoweringState"]

#: An annotation in Java and languages with the same syntax; `@interface` declares an annotation.
AT_ANNOTATION: Final = re.compile(r"@(?!interface\b)(?:\w+:)?[\w.]+[ \t]*")


def parse_plainly(data: bytes, parser: BoundedParser) -> tuple[Tree, bytes]:
    """Parse a text without changes."""
    return parser.parse(data), data


class Decorated(NamedTuple):
    """The result of decorators on a function."""

    #: Kind of the symbol; "" if the decorators do not change it.
    kind: str = ""
    #: Whether the body of the function is only a placeholder.
    is_stub: bool = False


# Rules are compared and hashed by identity: there is one object for each grammar.
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SyntaxRules:
    """The rules of one language."""

    #: Name of the language in `schema/languages.py`, which lists the package of the grammar and the layout of bodies.
    language: str
    #: File with the query, in the language's folder.
    query: str = "declarations.scm"
    #: Name of the function in the grammar's module that returns the grammar.
    grammar_function: str = "language"
    #: Parses a text. Returns the tree, and the parsed text of the same length: text that the grammar would misread may
    #: be blanked.
    parse: Callable[[bytes, BoundedParser], tuple[Tree, bytes]] = parse_plainly

    # Names and kinds.

    #: Returns the name of a declaration and its byte offset, if the name is not simply the text of a node. Takes the
    #: node of the declaration, the node of the name if the query found one, and the source up to the body.
    name_of: Callable[[Node, Node | None, bytes], tuple[str, int] | None] | None = None
    #: Finds the node of the name in a declarator, and the types that qualify it. A declarator contains a name and its
    #: type.
    declarator: Callable[[Node], tuple[Node | None, list[str]]] | None = None
    #: Names of constructors, if the language does not name a constructor after its type.
    constructors: frozenset[str] = frozenset()
    #: Whether a method with the name of its type is a constructor.
    names_constructors: bool = True
    #: Whether a method outside all types is called a function.
    has_root_methods: bool = False
    #: Whether adjacent signatures of one name are overloads of one symbol.
    joins_overloads: bool = False

    # Texts.

    #: Returns the text of a string at the start of a body, if it documents the body.
    docstring: Callable[[str], str] | None = None
    #: Directives that may be between a comment and its declaration.
    directive: re.Pattern[bytes] | None = None
    #: The start of an annotation before a declaration. An annotation is not part of the signature. Brackets after the match
    #: belong to the annotation.
    annotation: re.Pattern[str] | None = None
    #: Whether annotations are separate nodes before a declaration, as Python's decorators are.
    has_decorators: bool = False
    #: Returns the result of the decorators of a declaration. Takes the node around the declaration and its decorators.
    decorated: Callable[[Node], Decorated] | None = None

    # Visibility and imports.

    is_visible: VisibilityRule = unless_hidden
    #: Returns the visibility that applies at the start of the body of a class, before any word such as `public:`. Takes
    #: the source and the byte offset of the class.
    first_section: Callable[[bytes, int], str] | None = None
    #: Reads the specifiers of an import statement.
    specifiers: SpecifierReader = no_specifiers
    #: Whether an import in a function runs when the function runs.
    imports_late: bool = False

    # Resolution.

    #: Lowers the code of a file whose declarations are symbols already. The returned state has the same symbols.
    lower: Lowering | None = None

    # Tests in the same files as other code.

    #: Returns the span, in bytes, of the code that an attribute marks as part of tests.
    test_span: Callable[[Node], Span | None] | None = None
    #: Whether the name of a function marks it as a test.
    is_test_name: Callable[[str], bool] | None = None
