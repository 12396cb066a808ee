"""The types in the doc comments of a JavaScript file, as the lowering of its code asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tree_sitter import Node

from ....facts.model import Export, Shape

if TYPE_CHECKING:
    from .context import Context
    from .dispatch import GrammarTables


class DocumentedTypes:
    """The interface of the types in doc comments, which `jsdoc` implements. A type is its node, or -1 if no comment gives it."""

    @property
    def data(self) -> bytes:
        """The bytes from which the types are parsed."""
        raise NotImplementedError

    @property
    def tables(self) -> GrammarTables | None:
        """The tables of the grammar of the types, or None if there are no types."""
        raise NotImplementedError

    def enter_function(self, cx: Context, node: Node, index: int) -> None:
        """Set the type parameters of a function, and keep its tags for its parameters."""
        raise NotImplementedError

    def parameter_type(self, cx: Context, index: int, node: Node, pattern: Node) -> int:
        """Return the type of a parameter."""
        raise NotImplementedError

    def return_type(self, cx: Context, index: int) -> int:
        """Return the type of a function's result."""
        raise NotImplementedError

    def describe_class(self, cx: Context, node: Node, fact: Shape) -> None:
        """Set the type parameters of a class, its interfaces, and the type arguments of its base."""
        raise NotImplementedError

    def overloads(self, cx: Context, node: Node, symbol: int) -> list[int]:
        """Return the functions that comments above a function declare."""
        raise NotImplementedError

    def declared_type(self, cx: Context, node: Node) -> int:
        """Return the type of a variable, field or property."""
        raise NotImplementedError

    def satisfy(self, cx: Context, node: Node, value: int) -> None:
        """Make the type in a comment the expected type of the value of a variable or export."""
        raise NotImplementedError

    def exported(self, cx: Context, node: Node, value: int) -> int:
        """Return the value of an `export default` with the type of its comment."""
        raise NotImplementedError

    def assigned(self, cx: Context, node: Node, value: int) -> int:
        """Return the value of an assignment with the type of its comment."""
        raise NotImplementedError

    def cast(self, cx: Context, node: Node) -> int | None:
        """Lower an expression in parentheses whose comment casts it; return None for other nodes."""
        raise NotImplementedError

    def declare_member(self, cx: Context, node: Node, target: int) -> None:
        """Declare a member for `this.x;` with a type."""
        raise NotImplementedError

    def finish(self, cx: Context) -> None:
        """Declare what comments define and import, after all code of the file."""
        raise NotImplementedError

    def exports_beside(self, exports: Sequence[Export]) -> list[Export]:
        """Return exports for the type definitions, except names that the module exports itself."""
        raise NotImplementedError

    def comment_at(self, position: int) -> tuple[int, int] | None:
        """Return start and end of the comment around an offset, or None if the offset is in code."""
        raise NotImplementedError
