"""The interface between the engine and the rules of frameworks: the facts that rules read, and the wired declarations.

Rules of frameworks see only facts and origins. An origin describes the source of a value: a package, a colon, and a name with
later accesses and calls. The package need not be installed. After `app = flask.Flask(__name__)`, the origin of `app.route` is
`flask:Flask().route`, in each file that imports `app`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from ...facts.model import Decl, FileFacts
from ...files.workspace_files import WorkspaceFiles


class SymbolPlace(NamedTuple):
    """The file and the index of a symbol of the repository."""

    file: WiredFile
    #: Index among the symbols of its file.
    symbol: int

    @property
    def shape(self) -> int:
        """The index of the class among the shapes of its file; -1 for any other symbol."""
        return next((number for number, each in enumerate(self.file.facts.shapes) if each.symbol == self.symbol), -1)

    @property
    def base_origins(self) -> list[str]:
        """The origins of all classes that the class derives from; none for any other symbol."""
        shape = self.shape
        return self.file.base_origins(shape) if shape >= 0 else []


class Wired(NamedTuple):
    """A symbol that a framework runs or hands to other code."""

    #: Index of the symbol whose code wires the declaration; -1 if the declaration wires itself.
    source: int
    #: File that declares the symbol, and its index there.
    target: SymbolPlace
    framework: str
    role: str
    evidence: str
    text: str
    #: Byte offset in the file.
    position: int


class FileNodes(Protocol):
    """The facts of a file, with the names and the enclosing symbols of its nodes."""

    @property
    def facts(self) -> FileFacts:
        """The facts of the file."""

    @property
    def code(self) -> Sequence[int]:
        """The nodes of the file, as in `FileFacts.code`."""

    @property
    def memory(self) -> dict[str, object]:
        """Values that rules keep for the file."""

    def items(self, at: int) -> Sequence[int]:
        """Return the operands in a list; none for -1."""

    def name(self, node: int) -> str:
        """Return the last name of a dotted name, "" for other expressions."""

    def owner(self, node: int) -> int:
        """Return the index of the symbol around a node, -1 if there is none."""


class WiredFile(FileNodes, Protocol):
    """A file as the rules of frameworks see it."""

    @property
    def path(self) -> str:
        """Path of the file."""

    def origin(self, node: int) -> str:
        """Return the origin of a value, "" if it is not known."""

    def base_origins(self, shape: int) -> list[str]:
        """Return the origins of all classes that a class derives from."""

    def declarations(self, node: int) -> list[Declared]:
        """Return the functions, classes and methods of the repository that an expression refers to."""

    def module(self, specifier: str) -> WiredFile | None:
        """Return the file of the repository to which a specifier in this file resolves."""

    def names(self) -> list[str]:
        """Return the names of the module, including names that it imports by `*`."""

    def declared(self, name: str) -> Declared | None:
        """Return the declaration of a name of the module, following imports."""

    def ancestors(self, shape: int) -> Iterator[tuple[WiredFile, int]]:
        """Yield a class of the file and the classes of the repository that it derives from, each with its file."""


class Declared(NamedTuple):
    """A declaration of the repository."""

    file: WiredFile
    #: Index among the declarations of its file.
    place: int

    @property
    def facts(self) -> Decl:
        """The facts of the file."""
        return self.file.facts.decls[self.place]

    @property
    def symbol(self) -> SymbolPlace | None:
        """The file and the index of its symbol; None if the declaration has no symbol."""
        symbol = self.facts.symbol
        return SymbolPlace(self.file, symbol) if symbol >= 0 else None


class ImpliedImport(NamedTuple):
    """A module that a file depends on without an import statement."""

    specifier: str
    #: Name that the file uses from the module; `*` if the file may use any name.
    name: str
    #: Whether one of the module and the file is the stub of the other, so that equal names are the same declaration.
    is_beside: bool = False


class WiringRules(Protocol):
    """The rules of a language's frameworks for the engine."""

    def of_workspace(self, files: WorkspaceFiles) -> WiringRules:
        """Return the rules with what the manifests of a workspace say; the same rules if manifests have no effect."""

    def implied_imports(self, facts: FileFacts) -> list[ImpliedImport]:
        """Return the modules that a file may depend on without naming them in an import statement."""

    def wired(self, file: WiredFile) -> Iterator[Wired]:
        """Yield the declarations and names of a file that frameworks use."""

    def injected(self, file: WiredFile, function: int, name: str) -> Declared | None:
        """Return the function whose result a framework passes to a parameter of a function; None for other parameters."""
