"""Last calls of every scope: rows as records, tables and texts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import msgspec

from ..requests.query_rows import NOTEBOOK_ROWS
from .forms import html_of, markdown_of, text_of, typed_result

if TYPE_CHECKING:
    import pyarrow

    from .rows import Row

AnyRow = TypeVar("AnyRow", bound="Row")


class Rows(ABC, Generic[AnyRow]):
    """The rows of a query that runs on first use."""

    @property
    @abstractmethod
    def row_type(self) -> type[AnyRow]:
        """The type of the rows."""

    @abstractmethod
    def to_list(self) -> list[AnyRow]:
        """Return the rows."""

    @abstractmethod
    def count(self) -> int:
        """Return the number of rows, without reading the rows."""

    @abstractmethod
    def first(self) -> AnyRow | None:
        """Return the first row, or None."""

    @abstractmethod
    def limit(self, count: int) -> Self:
        """Keep the first `count` rows."""

    @abstractmethod
    def absence(self) -> str:
        """Return a sentence that explains why there are no rows."""

    @abstractmethod
    def explain(self) -> str:
        """Return the statement into which the scope is translated, with its parameters."""

    def exists(self) -> bool:
        """Return whether there is a row."""
        return self.first() is not None

    def __iter__(self) -> Iterator[AnyRow]:
        return iter(self.to_list())

    def to_json(self) -> dict[str, Any]:
        """Return the rows with their fields in camelCase, and their number."""
        rows = self.to_list()
        return {"rows": msgspec.to_builtins(rows), "count": len(rows)}

    def to_markdown(self) -> str:
        """Return a list with one line for each row, or a sentence that explains why there are no rows."""
        return markdown_of(self.to_list()) or self.absence()

    def to_arrow(self) -> pyarrow.Table:
        """Return the rows as an Arrow table."""
        return typed_result(self.to_list(), self.row_type).to_arrow()

    def to_pandas(self) -> Any:
        """Return the rows as a pandas DataFrame. Raises UsageError if pandas is not installed."""
        return typed_result(self.to_list(), self.row_type).to_pandas()

    @property
    def text(self) -> str:
        """The rows as aligned columns, or a sentence that explains why there are no rows."""
        return text_of(self.to_list()) or self.absence()

    def _repr_html_(self) -> str:
        """Return the first rows as a table, or a sentence that explains why there are no rows."""
        rows = self.limit(NOTEBOOK_ROWS + 1).to_list()
        if not rows:
            return f"<p>{escape(self.absence())}</p>"
        return html_of(rows, len(rows) if len(rows) <= NOTEBOOK_ROWS else self.count())
