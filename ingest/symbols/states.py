"""State of a scope, symbol, function or declaration while its file is read."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from tree_sitter import Node

from ..facts.model import Export


class ScopeState(msgspec.Struct):
    """A lexical scope while its file is read."""

    parent: int
    #: Scope that receives `var`, and function declarations in blocks.
    hoist: int
    names: dict[str, int] = {}
    exported: list[str] = []
    exports: list[Export] = []
    ambient: str = ""


class SymbolState(msgspec.Struct):
    """A symbol while its file is read, with byte offsets instead of lines."""

    name: str
    kind: str
    parent: int
    #: First byte, including the doc comment.
    start: int
    end: int
    #: First byte of the declaration, without comments.
    declaration: int
    name_position: int
    #: First byte of the part that a stub omits; -1 if there is no body.
    body: int = -1
    doc: str = ""
    signature: str = ""
    #: Text that replaces the body in the text of the enclosing symbol; "" to use the signature.
    stub: str = ""
    modifiers: list[str] = []
    exported: bool = False
    #: True if the symbol may have a chunk below depth 0.
    has_body: bool = False
    #: The type that the symbol belongs to, if it is declared outside that type.
    owner: str = ""
    #: Whether the symbol, or an enclosing symbol, is marked as a test.
    is_test: bool = False


class FunctionFrame(msgspec.Struct):
    """Properties of a function that the statements of its body determine."""

    returns: list[int] = []
    yields: list[int] = []
    #: Parameter properties of a constructor: node, declaration and type of each.
    properties: list[tuple[Node, int, int]] = []
    #: True if the body runs only when something calls the function, after its file is loaded.
    deferred: bool = False


class Placement(msgspec.Struct):
    """Code around a declaration: comments before it, `export`, `declare`, decorators."""

    #: Outermost node: the export statement, the ambient declaration or the variable statement.
    node: Node
    comments: Sequence[Node] = ()
    exported: bool = False
    default: bool = False
    modifiers: Sequence[str] = ()
