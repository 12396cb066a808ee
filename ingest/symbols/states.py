"""What is known of a scope, a symbol, a function or a declaration while its file is read."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from tree_sitter import Node

from ..facts.model import Export


class ScopeState(msgspec.Struct):
    """A lexical scope while its file is read."""

    parent: int
    #: Scope that `var` and function declarations in blocks go to.
    hoist: int
    names: dict[str, int] = {}
    exported: list[str] = []
    exports: list[Export] = []
    ambient: str = ""


class SymbolState(msgspec.Struct):
    """A symbol while its file is read: byte offsets instead of lines."""

    name: str
    kind: str
    parent: int
    #: First byte, with the doc comment.
    start: int
    end: int
    #: First byte of the declaration, without comments.
    declaration: int
    name_position: int
    #: First byte of the part that a stub leaves out; -1 when there is no body.
    body: int = -1
    doc: str = ""
    signature: str = ""
    #: What stands in place of its body in the text of the symbol around it; "" where that is the signature.
    stub: str = ""
    modifiers: list[str] = []
    exported: bool = False
    #: True for what may have a chunk of its own below depth 0.
    has_body: bool = False
    #: The type that it belongs to, where it stands elsewhere.
    owner: str = ""
    #: Whether it says that it is a test, or stands in something that does.
    is_test: bool = False


class FunctionFrame(msgspec.Struct):
    """What the statements of a function body add to it."""

    returns: list[int] = []
    yields: list[int] = []
    #: Parameter properties of a constructor: node, declaration and type of each.
    properties: list[tuple[Node, int, int]] = []


class Placement(msgspec.Struct):
    """What stands around a declaration: comments before it, `export`, `declare`, decorators."""

    #: Outermost node: the export statement, the ambient declaration, the variable statement.
    node: Node
    comments: Sequence[Node] = ()
    exported: bool = False
    default: bool = False
    modifiers: Sequence[str] = ()
