"""The answer of a structural tool: a record, its text, and the state of the index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any, Generic, TypeVar

import msgspec

from .search_results import IndexState

Record = TypeVar("Record", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class ToolAnswer(Generic[Record]):
    """The result of `Workspace.map`, `.trace` and `.lint`. `answer` is a record."""

    answer: Record
    index: IndexState
    render: Callable[[Record], str]

    @property
    def text(self) -> str:
        """The answer as text for agents, with the notices about the index first."""
        return "\n\n".join([*self.index.notices, self.render(self.answer)])

    def to_json(self) -> dict[str, Any]:
        """Return the record with its fields in camelCase, and the state of the index."""
        return {**msgspec.to_builtins(self.answer), "index": self.index.to_json()}

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """Return the text as escaped HTML, because a repository may contain hostile text."""
        return f"<pre>{escape(self.text)}</pre>"
