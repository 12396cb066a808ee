"""Finds the uses of endpoints and contract types that a change removes, and operations that no code implements anymore.

For both states, the same files are read: the files that may belong to the touched routers and contracts.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ...schema.edges import ImplementationEdge
from ...schema.languages import CONTRACTS, DATA, DOCUMENTS
from ...schema.records import Symbol
from ..contracts.implementations import described_operations, implementation_edges
from ..contracts.openapi import METHODS
from ..contracts.route_paths import PARAMETER, REST, has_literal, joined_path, segments_of, without_host
from ..contracts.routing import Routing
from ..facts.api import ANY_METHOD, ApiFacts, Operation, Protocol, method_text
from ..incremental.broken_imports import Breakage
from ..incremental.tree_state import TreeState
from ..resolution.api_sources import CONTRACT, ApiSources, api_role
from ..resolution.mentioned import declared_names
from ..resolution.module_names import forwarded
from .changed_symbols import FilesWith
from .declared_values import api_facts

Segments = tuple[str, ...]

#: Maximum number of steps from a router to its enclosing routers.
_STEPS: Final = 3
#: A reference of an API description at the end of a line. The last segment is the name of a type.
_REFERENCE: Final = re.compile(r"\$ref[\"']?\s*:\s*[\"']?[^\"'\s]*/(?P<name>[^\"'\s/,}]+)[\"']?\s*[,}]?\s*$")
_NAME: Final = re.compile(r"\w+")
#: Kinds of symbols that a contract declares as types.
_TYPES: Final = frozenset(("type", "enum", "interface", "message"))
#: A quoted text that is a path or an address.
_PATH: Final = re.compile(r"([\"'`])((?:https?://[^/\"'`\s]+)?/[^\"'`\s]*)\1")
#: The code before such a text, up to the innermost call.
_CALLED: Final = re.compile(r"([A-Za-z_$][\w$]*)\s*(?:<[^<>()]*>)?\(([^()]*)$")
#: Names of functions that send requests, or parts of such names.
_SENDING: Final = re.compile(r"fetch|request|axios|ajax|http|ur[il]|send|exchange", re.IGNORECASE)
#: A method of HTTP among the arguments of a call.
_METHOD: Final = re.compile(
    r"[\"'`](get|post|put|patch|delete|head|options)[\"'`]|Method\.?(get|post|put|patch|delete|head)\b", re.IGNORECASE
)
#: Placeholders in a text for values at run time: `${id}`, `{id}`, `%s`, `%d`.
_HOLE: Final = re.compile(r"\$?\{[^{}]*\}|%[sdv]|\$\w+")


class Endpoint(NamedTuple):
    """A method and a path that code serves or a contract describes."""

    method: str
    segments: Segments

    @property
    def text(self) -> str:
        """The endpoint as text: `GET /users/{}`."""
        return f"{method_text(self.method)} /{'/'.join(self.segments)}"


class LostEndpoints(NamedTuple):
    """The breakage that changed endpoints cause, and the texts by which documents may name the endpoints."""

    places: list[Breakage]
    names: list[tuple[str, str]]
    #: Every file that names one of the endpoints contains at least one of these words.
    words: set[str]
    #: Number of files that were not examined because time ran out.
    skipped: int


def lost_endpoints(
    before: TreeState, after: TreeState, touched: Sequence[str], files_with: FilesWith, deadline: float
) -> LostEndpoints:
    """Return the breakage that a change of contracts and of files with endpoints causes.

    `files_with` returns the paths of the files of the new state that contain one of some words. No file is read after `deadline`,
    in seconds of the monotonic clock.
    """
    return _Comparison(before, after, touched, files_with, deadline).result()


class _Link:
    """A file of a state, in the form that `ApiSources` needs."""

    def __init__(self, state: TreeState, path: str) -> None:
        self._state = state
        self._path = path

    @property
    def api(self) -> str:
        return api_role(api_facts(self._state, self._path))

    @property
    def declared(self) -> str:
        facts = self._state.facts(self._path)
        return "\n".join(sorted(declared_names(facts))) if facts is not None else ""

    @property
    def forwarded(self) -> str:
        facts = self._state.facts(self._path)
        return forwarded(facts) if facts is not None else ""

    def target(self, specifier: str) -> str | None:
        return self._state.target(specifier, self._path)


class _Side:
    """The endpoints of a state."""

    def __init__(self, state: TreeState, paths: Iterable[str]) -> None:
        self.state = state
        self.facts = {path: api for path in sorted(paths) if (api := api_facts(state, path)) is not None}
        self.sources = ApiSources({path: _Link(state, path) for path in state.files.sources}, state.symbols)

    def code(self) -> dict[str, ApiFacts]:
        return {path: api for path, api in self.facts.items() if api_role(api) != CONTRACT}

    def contracts(self) -> dict[str, ApiFacts]:
        return {path: api for path, api in self.facts.items() if api_role(api) == CONTRACT}

    def served(self) -> set[Endpoint]:
        """Return the operations that code serves."""
        placed = Routing(self.code(), self.sources).placed()
        return {Endpoint(each.route.method.upper(), segments_of(each.full_path)) for each in placed}

    def described(self) -> set[Endpoint]:
        """Return the operations that contracts describe, with and without the paths of their servers."""
        found: set[Endpoint] = set()
        contracts = self.contracts()
        for path, api in contracts.items():
            for _, operation in described_operations(path, contracts):
                if operation.protocol == Protocol.HTTP:
                    method, _, own = operation.name.partition(" ")
                    found |= {Endpoint(method.upper(), segments_of(joined_path(base, own))) for base in ("", *api.bases)}
        return found

    def operations(self) -> dict[str, tuple[str, Operation]]:
        """Return the operations of the contracts with their paths, by id of the symbol."""
        contracts = self.contracts()
        return {
            self.state.symbols(file)[operation.symbol].id: (file, operation)
            for path in contracts
            for file, operation in described_operations(path, contracts)
        }


class _Comparison:
    def __init__(
        self, before: TreeState, after: TreeState, touched: Sequence[str], files_with: FilesWith, deadline: float
    ) -> None:
        self._before = before
        self._after = after
        self._touched = touched
        self._files_with = files_with
        self._deadline = deadline
        self._skipped = 0
        paths = self._touched_and_related()
        self._old, self._new = _Side(before, paths), _Side(after, paths)

    def result(self) -> LostEndpoints:
        places = {*self._of_contracts(), *self._of_types()}
        new = self._new.served()
        # Endpoints that only contracts describe are served outside of the repository.
        described = self._old.described() - self._new.described() - self._old.served()
        gone = (self._old.served() | described) - new
        lost = {each for each in gone if has_literal(each.segments) and Endpoint(ANY_METHOD, each.segments) not in new}
        whole = {each.segments for each in lost} - {each.segments for each in new}
        places |= {*self._calls(lost, new)}
        names = [(f"/{'/'.join(each)}", f"/{'/'.join(each)}") for each in whole]
        return LostEndpoints(sorted(places), names, {word for each in whole if (word := _word(each))}, self._skipped)

    def _touched_and_related(self) -> set[str]:
        """Return the touched and related files: enclosing routers, contracts, and code that implements the contracts."""
        found = set(self._touched)
        states = (self._before, self._after)
        contracts = {path for path in found if any(api_role(api_facts(state, path)) == CONTRACT for state in states)}
        if found - contracts:
            found |= {path for path in self._after.files.sources if self._after.language(path) in CONTRACTS}
        words = {word for path in contracts for state in states for word in _operation_words(api_facts(state, path))}
        taking = self._with_api(words)
        found |= taking
        frontier = (found - contracts) | taking
        for _ in range(_STEPS):
            around = self._with_api({word for path in frontier for word in _module_words(path)})
            around |= {
                target for path in frontier for state in states for target in _imported(state, path) if api_facts(state, target)
            }
            frontier = around - found
            found |= around
        return found

    def _with_api(self, words: set[str]) -> set[str]:
        """Return the files that declare endpoints and contain at least one of the given words."""
        found: set[str] = set()
        candidates = self._files_with(words) if words else []
        for number, path in enumerate(candidates):
            if time.monotonic() > self._deadline:
                self._skipped += len(candidates) - number
                break
            if self._after.language(path) not in (DOCUMENTS | DATA | {None}) and api_facts(self._after, path) is not None:
                found.add(path)
        return found

    # ------------------------------------------------------------------ contracts

    def _of_contracts(self) -> Iterator[Breakage]:
        """Yield code that implements a lost operation, and operations whose implementation is lost."""
        old_operations, operations = self._old.operations(), self._new.operations()
        if old_operations.keys() - operations.keys():
            # Links the code of the new state with the contracts of the old state.
            facts = {**self._old.contracts(), **self._new.code()}
            for edge in _implementations(facts, _Mixed(self._old, self._new)):
                path, operation = old_operations[edge.from_id]
                if edge.from_id not in operations and not self._has_operation(operation):
                    place = (edge.path, edge.line) if edge.line else self._place(edge)
                    yield Breakage(*place, f"implements {operation.name}, which {path} does not declare any more")
        taken = {edge.from_id for edge in _implementations(self._new.facts, self._new.sources)}
        facts = {**self._new.contracts(), **self._old.code()}
        for edge in _implementations(facts, _Mixed(self._new, self._old)) if operations else ():
            if edge.from_id not in taken and self._is_touched(edge):
                path, operation = operations[edge.from_id]
                line = self._after.symbols(path)[operation.symbol].declaration_line
                yield Breakage(path, line, f"declares {operation.name}, which no code implements any more")

    def _has_operation(self, lost: Operation) -> bool:
        return any(each.name == lost.name for _, each in self._new.operations().values())

    def _is_touched(self, edge: ImplementationEdge) -> bool:
        """Return whether the change touches the function that implemented an operation, or the file that registered the
        function.
        """
        symbols = (symbol for path in self._touched for symbol in self._before.symbols(path))
        return edge.path in self._touched or any(symbol.id == edge.to_id for symbol in symbols)

    def _place(self, edge: ImplementationEdge) -> tuple[str, int]:
        """Return the path and the line of the function that implements an operation."""
        found = (symbol for symbol in self._after.symbols(edge.path) if symbol.id == edge.to_id)
        return edge.path, next((symbol.declaration_line for symbol in found), 1)

    def _of_types(self) -> Iterator[Breakage]:
        """Yield the places in contracts that use a type that no contract declares any longer."""
        lost = {name: path for path in self._touched for name in _lost_types(self._before, self._after, path)}
        naming = [path for path in self._files_with(lost) if self._after.language(path) in CONTRACTS] if lost else []
        declared = {symbol.name for path in naming for symbol in self._after.symbols(path) if symbol.kind in _TYPES}
        gone = frozenset(lost.keys() - declared)
        for path in naming if gone else ():
            for line, name in _types_used(self._after, path, gone):
                yield Breakage(path, line, f"uses {name}, which {lost[name]} does not declare any more")

    # ------------------------------------------------------------------ calls

    def _calls(self, lost: set[Endpoint], served: set[Endpoint]) -> Iterator[Breakage]:
        """Yield the calls of lost endpoints in code of all languages: string literals that equal the path of the endpoint."""
        words = {word for each in lost if (word := _word(each.segments))}
        paths = sorted(self._files_with(words)) if words else []
        by_length: dict[int, list[Endpoint]] = {}
        for each in sorted(lost):
            by_length.setdefault(len(each.segments), []).append(each)
        for number, path in enumerate(paths):
            if time.monotonic() > self._deadline:
                self._skipped += len(paths) - number
                return
            language = self._after.language(path)
            if language is None or language in DOCUMENTS or language in CONTRACTS:
                continue
            yield from self._calls_in(path, by_length, served)

    def _calls_in(self, path: str, lost: Mapping[int, list[Endpoint]], served: set[Endpoint]) -> Iterator[Breakage]:
        facts = self._after.facts(path)
        routes = facts.api.routes if facts is not None and facts.api is not None else []
        declaring = {route.line for route in routes}
        own = {segments_of(route.path) for route in routes}
        for line, text in enumerate((self._after.files.read(path) or b"").decode("utf-8", "replace").split("\n"), 1):
            for match in _PATH.finditer(text) if "/" in text and line not in declaring else ():
                sent = _sent(text[: match.start()], text[match.end() :])
                if sent is None:
                    continue
                segments = segments_of(_HOLE.sub(PARAMETER, without_host(match[2])))
                known = (each.segments for each in served if not sent or each.method in (sent, ANY_METHOD))
                if any(_route_matches(each, segments) for each in own) or any(_route_matches(each, segments) for each in known):
                    continue
                for each in lost.get(len(segments), ()):
                    if _route_matches(each.segments, segments) and sent in ("", each.method):
                        yield Breakage(path, line, f"calls {each.text}, which is gone")
                        break


class _Mixed:
    """Sources that read contracts from one state and code from the other state."""

    def __init__(self, contracts: _Side, code: _Side) -> None:
        self._contracts = contracts
        self._code = code

    def _of(self, path: str) -> ApiSources:
        return (self._contracts if path in self._contracts.contracts() else self._code).sources

    def modules(self, specifier: str, path: str) -> list[str]:
        return self._of(path).modules(specifier, path)

    def forwards(self, path: str, name: str) -> list[tuple[str, str]]:
        return self._of(path).forwards(path, name)

    def scripts(self, module: str) -> list[str]:
        return self._code.sources.scripts(module)

    def symbol_id(self, path: str, symbol: int) -> str:
        return self._of(path).symbol_id(path, symbol)

    def line(self, path: str, symbol: int) -> int:
        return self._of(path).line(path, symbol)

    def name(self, path: str, symbol: int) -> str:
        return self._of(path).name(path, symbol)

    def find(self, path: str, name: str) -> str | None:
        return self._of(path).find(path, name)

    def kind(self, path: str, name: str) -> str:
        return self._of(path).kind(path, name)

    def text(self, path: str, name: str) -> str:
        return self._of(path).text(path, name)


def _implementations(facts: Mapping[str, ApiFacts], sources: ApiSources | _Mixed) -> Iterator[ImplementationEdge]:
    for content in implementation_edges(facts, sources).values():
        yield from content.implementations


def _sent(before: str, behind: str) -> str | None:
    """Return the method with which a call sends a request to a path, from the text around it.

    The result is "" for a call without a method, and None if the text is not an argument of a request.
    """
    called = _CALLED.search(before)
    if called is None:
        return None
    name = called[1].lower()
    if name in METHODS:
        return name.upper()
    if _SENDING.search(name) is None:
        return None
    verb = _METHOD.search(called[2]) or _METHOD.search(behind)
    return (verb[1] or verb[2]).upper() if verb is not None else ""


def _route_matches(route: Segments, path: Segments) -> bool:
    """Return whether a route matches a path in which parameters have values."""
    return len(route) == len(path) and all(own in (other, PARAMETER) for own, other in zip(route, path, strict=True))


def _word(segments: Segments) -> str:
    """Return the longest word of a path, by which a search finds the files with the path."""
    words = [word for segment in segments if segment not in (PARAMETER, REST) for word in re.findall(r"\w+", segment)]
    return max(words, key=len, default="")


def _module_words(path: str) -> set[str]:
    parts = path.rpartition(".")[0].split("/")
    return {part for part in parts[-2:] if part}


def _imported(state: TreeState, path: str) -> Iterator[str]:
    facts = state.facts(path)
    for entry in facts.imports if facts is not None and facts.api is not None else ():
        if (target := state.target(entry.specifier, path)) is not None:
            yield target


def _operation_words(api: ApiFacts | None) -> Iterator[str]:
    """Yield words, at least one of which occurs in the code that implements an operation."""
    for operation in api.operations if api is not None else ():
        if operation.protocol == Protocol.HTTP:
            yield _word(segments_of(operation.name.partition(" ")[2]))
            if operation.id:
                yield operation.id.rpartition(".")[2]
        else:
            owner, _, name = operation.name.rpartition(".")
            simple = owner.rpartition(".")[2]
            yield from (word for word in (name, name[:1].lower() + name[1:], simple, f"{simple}Servicer") if word)


def _lost_types(before: TreeState, after: TreeState, path: str) -> set[str]:
    """Return the names of the types that a contract declared before but no longer declares."""
    if before.language(path) not in CONTRACTS:
        return set()
    return _types(before.symbols(path)) - _types(after.symbols(path))


def _types(symbols: Iterable[Symbol]) -> set[str]:
    return {symbol.name for symbol in symbols if symbol.kind in _TYPES}


def _types_used(state: TreeState, path: str, names: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines of a contract that use one of some types: references, and signatures of other declarations."""
    lines = (state.files.read(path) or b"").decode("utf-8", "replace").split("\n")
    for number, line in enumerate(lines, 1):
        reference = _REFERENCE.search(line) if "$ref" in line else None
        if reference is not None and reference["name"] in names:
            yield number, reference["name"]
    if state.language(path) != "openapi":
        for symbol in state.symbols(path):
            for name in names.intersection(_NAME.findall(symbol.signature)) - {symbol.name}:
                yield symbol.declaration_line, name
