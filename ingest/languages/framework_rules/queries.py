"""The interface between the engine and rules of object mappers: the types that rules read, and the statements that rules find.

Rules recognize calls by the types of values. A type such as `QuerySet[Book]` has a generic class of a library, and a class of the
repository as its argument. Rules name models by their classes. The tables are found later, when all files are known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from .wiring import Declared, SymbolPlace, WiredFile


class KnownType(Protocol):
    """A type of a value."""

    @property
    def is_class(self) -> bool:
        """Whether the value is the class itself."""

    @property
    def declared(self) -> SymbolPlace | None:
        """The class of the repository: the value itself, or the class of the value. None for other values."""

    @property
    def libraries(self) -> Sequence[str]:
        """Dotted names of the classes of libraries that the class is or derives from, the nearest first."""

    @property
    def is_open(self) -> bool:
        """Return whether the class derives from an unknown class."""

    def argument(self, library: str) -> Sequence[KnownType]:
        """View the value as an instance of the class `library`, and return the possible types of its first type argument."""


class QueryFile(WiredFile, Protocol):
    """A file as the rules of object mappers see it."""

    @property
    def is_inferred(self) -> bool:
        """Whether the last answer of `types` depends on types of parameters that are inferred from call sites."""

    def types(self, node: int) -> Sequence[KnownType]:
        """Return the known types that an expression may have."""

    def values(self, node: int) -> Sequence[int]:
        """Return the expressions whose values a node may have: the values of a name, or the branches of a condition."""

    def runs_own_code(self, callee: int) -> bool:
        """Return whether a callee is a function or a class of the repository."""

    def constant(self, node: int) -> Declared | None:
        """Return the variable of a file of the repository that a name or a dotted name denotes, following imports."""

    def view(self, file: WiredFile) -> QueryFile:
        """Return another file of the repository, as the rules of object mappers see it."""


class FoundUse(NamedTuple):
    """The table of a model that a call uses; see `ingest/facts/data.py`."""

    #: The class of the model, or a name in its place.
    model: SymbolPlace | str
    path: tuple[str, ...] = ()
    modifies: bool = False
    fields: tuple[tuple[str, ...], ...] = ()
    of_condition: bool = False
    leads_to: str = ""
    of_links: bool = False
    is_whole: bool = False
    of_fields: bool = False
    default_name: str = ""


class FoundQuery(NamedTuple):
    """A statement that calls of an object mapper make."""

    #: The call that names the operation.
    node: int
    statement: str
    uses: Sequence[FoundUse]
    is_inferred: bool = False
    #: The symbol that makes the statement; -1 for the symbol around the node.
    symbol: int = -1
    #: Whether no call makes the statement: code uses a column or a relation of a row.
    is_of_row: bool = False


class QueryRules(Protocol):
    """The rules of a language's object mappers for the engine."""

    def queries(self, file: QueryFile) -> Iterator[FoundQuery]:
        """Yield the statements that the calls of a file make."""
