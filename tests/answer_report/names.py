"""Which names a text uses and declares, as the parser's facts say: no graph, no resolver, nothing that composes answers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from astrolabe.ingest.facts.cells import int_array
from astrolabe.ingest.facts.model import DeclKind, FileFacts, ShapeKind, SymbolFact
from astrolabe.ingest.facts.operations import Op, ThisKind
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.schema.languages import language_of

_NAMES = frozenset((Op.NAME, Op.T_NAME))
_MEMBERS = frozenset((Op.MEMBER, Op.T_QUALIFIED))
_OWN = frozenset((ThisKind.INSTANCE, ThisKind.STATIC))


@dataclass(frozen=True, slots=True)
class NameUse:
    """A name that is used, and where: lines count from 1."""

    name: str
    line: int
    #: Lines of its declarations in the text; empty where it declares the name nowhere.
    declared: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OwnMember:
    """A use of `this.name` in a class, which declares it here or not."""

    owner: str
    name: str
    line: int
    is_declared: bool


class NamesOf:
    """The names of one text. The file name decides the language."""

    def __init__(self, text: str, path: str) -> None:
        language = language_of(PurePosixPath(path).name)
        assert language is not None, path
        self._facts: FileFacts = extract_facts(text.encode("utf-8", "replace"), language)
        self._starts = int_array(self._facts.line_starts)
        self._code = int_array(self._facts.code)

    @property
    def problems(self) -> list[str]:
        """What the parser could not read."""
        return [f"{problem.line}: {problem.reason}" for problem in self._facts.problems]

    @property
    def symbols(self) -> list[SymbolFact]:
        """All symbols; `parent` is an index among them."""
        return self._facts.symbols

    @cached_property
    def uses(self) -> list[NameUse]:
        """Every use of a plain name."""
        return list(self._uses())

    @cached_property
    def own_members(self) -> list[OwnMember]:
        """Every use of a member through `this` of a class."""
        return list(self._own_members())

    @cached_property
    def member_uses(self) -> list[tuple[str, int]]:
        """Name and line of every member that is used of anything."""
        nodes = (node for node in range(0, len(self._code), 5) if self._code[node] in _MEMBERS)
        return [(self._string(node + 2), self._line(self._code[node + 4])) for node in nodes]

    @cached_property
    def locals(self) -> dict[int, list[str]]:
        """The local variables that are declared on each line."""
        found: dict[int, list[str]] = {}
        for decl in self._facts.decls:
            if decl.kind == DeclKind.VARIABLE and decl.symbol < 0:
                found.setdefault(self._line(decl.position), []).append(decl.name)
        return found

    @cached_property
    def imported(self) -> dict[str, int]:
        """Local names that import statements bind, and imports in comments, with their lines."""
        imports = (decl for decl in self._facts.decls if decl.kind == DeclKind.IMPORT)
        return {decl.name: self._line(decl.position) for decl in imports}

    @cached_property
    def imports_in_comments(self) -> set[int]:
        """The lines on which comments import types."""
        return {self._line(entry.position) for entry in self._facts.imports if entry.form == "jsdoc"}

    def _uses(self) -> Iterator[NameUse]:
        bindings, decls = self._facts.bindings, self._facts.decls
        for node in range(0, len(self._code), 5):
            if self._code[node] in _NAMES:
                binding = self._code[node + 1]
                declared = [decls[decl].position for decl in (bindings[binding].decls if binding >= 0 else ())]
                yield NameUse(self._string(node + 2), self._line(self._code[node + 4]), tuple(map(self._line, declared)))

    def _own_members(self) -> Iterator[OwnMember]:
        code = self._code
        for node in range(0, len(code), 5):
            receiver = code[node + 1] if code[node] == Op.MEMBER else -1
            if receiver >= 0 and code[receiver] == Op.THIS and code[receiver + 1] in _OWN and code[receiver + 2] >= 0:
                shape = self._facts.shapes[code[receiver + 2]]
                name = self._string(node + 2)
                if shape.kind == ShapeKind.CLASS:
                    declared = any(member.name == name and member.symbol >= 0 for member in shape.members)
                    yield OwnMember(shape.name, name, self._line(code[node + 4]), declared)

    def _string(self, cell: int) -> str:
        return self._facts.strings[self._code[cell]]

    def _line(self, position: int) -> int:
        return bisect_right(self._starts, position)
