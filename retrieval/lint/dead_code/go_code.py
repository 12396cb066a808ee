"""Dead code of Go: functions, methods, types, variables and constants that no program, test or importer of a package reaches.

The roots are `main`, `init`, tests, symbols that are passed to frameworks, and symbols that other modules may import. Uses are
resolved by the rules of the compiler, so an unreached unexported name is dead. A reached interface method also reaches all
methods of the same name. Code outside of the repository may call an exported method through an interface.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Literal, NamedTuple

from ....graphdb.database import GraphDatabase
from ....graphdb.queries.static_uses import StaticDeclaration, go_declarations, go_uses
from ....graphdb.queries.unused import unresolved_member_names
from ....graphdb.queries.wiring import wired_ids
from ....graphdb.traversal.reachability import reachable
from ....schema.paths import parent_of
from ....schema.unread_files import UnreadFile
from ...text_search.indexed_text import IndexedTexts
from ..model.findings import DeadCode, NotKnown
from ..model.request import LintRequest
from .python_mentions import python_mentions
from .reasons import MEMBER_OF_UNKNOWN, NAMED_IN_STRING, NAMELESS, UNUSED, USED_BY_DEAD

MAY_SATISFY = f"{UNUSED}, but code outside may call it through an interface"
MAY_BE_IMPORTED = f"{UNUSED} here, but other modules may import it"
MAY_BE_LOADED = f"{UNUSED} here, but a program may load its package as a plugin"

_DECLARED = frozenset(("function", "method", "class", "interface", "type", "variable", "const"))
#: Folders that the `go` command ignores.
_LEFT_OUT = re.compile(r"(?:^|/)(?:testdata|[_.][^/]*)/")
_INTERNAL = re.compile(r"(?:^|/)internal/")
_PACKAGE = re.compile(rb"^package[ \t]+(\w+)", re.MULTILINE)
#: Comments that let the linker, C code or another file use a name.
_DIRECTIVE = re.compile(rb"^//(?:go:linkname|export|go:wasmexport|go:cgo_export_\w+)[ \t]+(\w+)", re.MULTILINE)
_CONSTRAINT = re.compile(rb"^//(?:go:build|[ \t]*\+build)[ \t]", re.MULTILINE)
#: Methods that the standard library calls on values of the type `any` or of an interface.
_STANDARD_METHODS = re.compile(
    "Error|Unwrap|Is|As|String|GoString|Format|Scan|Value|Len|Less|Swap|Push|Pop|Read|Write|Close|ReadAt|WriteAt|"
    "ReadFrom|WriteTo|Seek|ReadByte|WriteByte|ReadRune|WriteString|Flush|MarshalJSON|UnmarshalJSON|MarshalText|"
    "UnmarshalText|MarshalBinary|UnmarshalBinary|MarshalYAML|UnmarshalYAML|MarshalXML|UnmarshalXML|MarshalTOML|"
    "UnmarshalTOML|GobEncode|GobDecode|ServeHTTP|RoundTrip|Set|Get|Type|Lock|Unlock|Open|Stat|Name|Size|Mode|ModTime|"
    "IsDir|Sys|Info|Deadline|Done|Err|Timeout|Temporary|LogValue|Handle|Enabled|WithAttrs|WithGroup|Accept|Addr|Dial|"
    "Network|Header|WriteHeader|Hijack"
)


def go_dead_code(
    graph: GraphDatabase, texts: IndexedTexts, request: LintRequest, paths: Collection[str]
) -> Iterator[DeadCode | NotKnown]:
    """Yield the dead declarations of some files of Go, and the declarations that may be dead."""
    if not paths:
        return
    yield from _Check(graph, texts, request).findings(paths)


class _Group(NamedTuple):
    """The key of all declarations of a name in a package, such as variants for platforms."""

    folder: str
    package: bytes
    name: str


class _Check:
    """The data about all declarations."""

    def __init__(self, graph: GraphDatabase, texts: IndexedTexts, request: LintRequest) -> None:
        self._declarations = go_declarations(graph)
        self._uses = go_uses(graph)
        self._unresolved = unresolved_member_names(graph)
        self._words = _template_words(request.unread)
        self._files = texts.once(_read_files)
        #: Words in strings. Programs look up exported names by strings: `plugin.Lookup("NewPlugin")`.
        self._in_strings = python_mentions(texts).in_strings
        self._programs = {
            parent_of(each.path)
            for each in self._declarations
            if each.name == "main" and each.kind == "function" and self._package(each.path) == b"main"
        }
        self._groups = self._grouped()
        #: Types by their names. A type in a parenthesized group is nested in the symbol of the group.
        self._types: dict[_Group, list[StaticDeclaration]] = {}
        for each in self._declarations:
            if each.kind in ("class", "type", "interface"):
                self._types.setdefault(self._group(each.path, each.name), []).append(each)
        wired = wired_ids(graph)
        starts = [each.id for each in self._declarations if each.id in wired or self._is_root(each)]
        self._reached = set(reachable(starts, self._links()))
        used = {target for source in self._reached for target in self._uses.uses.get(source, ())}
        #: Symbols that reached symbols or frameworks use.
        self._used = used | wired
        #: A parenthesized group of constants or variables is used if one of them is.
        self._used |= {
            each.id
            for each in self._declarations
            if each.kind in ("const", "variable") and not self._used.isdisjoint(self._uses.inside.get(each.id, ()))
        }
        #: All variants of a declaration for several platforms are used if one of them is.
        self._used |= {
            each.id
            for same in self._groups.values()
            if len(same) > 1 and any(variant.id in self._used for variant in same)
            for each in same
        }
        #: Symbols that any symbol uses.
        self._wanted = {target for targets in self._uses.uses.values() for target in targets}

    # ------------------------------------------------------------------ what is reached

    def _package(self, path: str) -> bytes:
        found = self._files.get(path)
        return found.package if found is not None else b""

    def _is_importable(self, declaration: StaticDeclaration) -> bool:
        """Return whether other modules may import a declaration, according to its folder and file."""
        path = declaration.path
        is_closed = path.endswith("_test.go") or _INTERNAL.search(path) is not None
        return not is_closed and (self._package(path) != b"main" or parent_of(path) not in self._programs)

    def _is_root(self, each: StaticDeclaration) -> bool:
        if each.kind in NAMELESS or each.name == "_" or _LEFT_OUT.search(each.path):
            return True
        found = self._files.get(each.path)
        if found is None or each.name.encode() in found.directives:
            return True
        if found.is_conditional and found.package == b"main" and each.name[:1].isupper():
            return True  # a generated program may call it
        is_api = each.depth == 0 and each.name[:1].isupper() and (each.kind != "method" or each.owner[:1].isupper())
        return is_api and self._is_importable(each)

    def _links(self) -> dict[str, list[str]]:
        """Return for each symbol, by id, the symbols that are reached with it."""
        links = {id: list(targets) for id, targets in self._uses.uses.items()}

        def link(source: str, target: str) -> None:
            links.setdefault(source, []).append(target)

        for outer, inner in self._uses.inside.items():
            for each in inner:
                link(outer, each)
                link(each, outer)
        for id, targets in self._uses.overriding.items():
            links.setdefault(id, []).extend(targets)
        for member, methods in self._possible_implementations():
            for method in methods:
                link(member, method)
        for same in self._groups.values():
            for other in same[1:]:  # variants for several platforms
                link(same[0].id, other.id)
                link(other.id, same[0].id)
        for declared in self._declarations:
            if declared.owner and declared.name[:1].isupper():
                for owner in self._owners(declared):
                    link(owner.id, declared.id)
        return links

    def _possible_implementations(self) -> Iterator[tuple[str, list[str]]]:
        """Yield each interface method with all methods of the same name. A type may implement the interface without a known
        edge.
        """
        methods: dict[str, list[str]] = {}
        for each in self._declarations:
            if each.owner:
                methods.setdefault(each.name, []).append(each.id)
        for each in self._declarations:
            if each.kind == "method" and each.depth > 0 and each.name in methods:
                yield each.id, methods[each.name]

    def _grouped(self) -> dict[_Group, list[StaticDeclaration]]:
        found: dict[_Group, list[StaticDeclaration]] = {}
        by_id = {each.id: each for each in self._declarations}
        for each in self._declarations:
            if each.depth > 0 or each.kind not in _DECLARED or each.name in ("_", "init"):
                continue
            found.setdefault(self._group(each.path, each.qualified_name), []).append(each)
            if each.kind not in ("const", "variable", "type"):
                continue
            for id in self._uses.inside.get(each.id, ()):  # the names of a parenthesized group
                inner = by_id.get(id)
                if inner is not None and inner.kind in _DECLARED and inner.name not in ("_", each.name):
                    found.setdefault(self._group(inner.path, inner.name), []).append(inner)
        return found

    def _group(self, path: str, name: str) -> _Group:
        return _Group(parent_of(path), self._package(path), name)

    def _owners(self, method: StaticDeclaration) -> list[StaticDeclaration]:
        """Return the declarations of a method's type, one for each platform."""
        return self._types.get(self._group(method.path, method.owner), [])

    # ------------------------------------------------------------------ what is dead

    def findings(self, paths: Collection[str]) -> Iterator[DeadCode | NotKnown]:
        """Yield the findings in some files. A method of a dead type belongs to the finding of the type."""
        for each in self._declarations:
            if each.path not in paths or each.depth > 0 or each.kind not in _DECLARED or each.name in ("_", "init", "main"):
                continue
            if each.id not in self._reached:
                if not each.owner or any(owner.id in self._reached for owner in self._owners(each)):
                    yield self._unreached(each)
            elif each.name[:1].isupper() and each.id not in self._used and not _LEFT_OUT.search(each.path):
                yield from self._finding_of_exported(each)

    def _unreached(self, each: StaticDeclaration) -> DeadCode | NotKnown:
        if each.owner and each.name in self._unresolved:
            return NotKnown(each.name, each.kind, each.path, each.line, MEMBER_OF_UNKNOWN)
        if each.name[:1].isupper() and each.name.encode() in self._in_strings:
            return _dead(each, NAMED_IN_STRING, "low")
        return _dead(each, USED_BY_DEAD if each.id in self._wanted else UNUSED, "high")

    def _finding_of_exported(self, each: StaticDeclaration) -> Iterator[DeadCode | NotKnown]:
        """Yield the finding for a reached, exported declaration without uses in the repository. Methods of standard interfaces
        have no finding.
        """
        is_importable = self._is_importable(each)
        if each.owner:
            if _STANDARD_METHODS.fullmatch(each.name) or each.id in self._uses.overridden:
                return
            if each.name in self._words or each.name in self._unresolved:
                doubt = "a template or a value whose type is not known has a member of this name"
                yield NotKnown(each.name, each.kind, each.path, each.line, doubt)
            else:
                yield _dead(each, MAY_SATISFY, "low")
        elif is_importable:
            is_plugin = self._package(each.path) == b"main"
            yield _dead(each, MAY_BE_LOADED if is_plugin else MAY_BE_IMPORTED, "low")


def _dead(each: StaticDeclaration, reason: str, confidence: Literal["high", "medium", "low"]) -> DeadCode:
    return DeadCode(each.name, each.kind, each.path, each.line, reason, confidence)


class _File(NamedTuple):
    """The package clause, directives and build constraint of a file."""

    package: bytes
    #: Names in comments such as `//go:linkname` and `//export`.
    directives: frozenset[bytes]
    #: Whether the file has a build constraint.
    is_conditional: bool


def _read_files(texts: IndexedTexts) -> dict[str, _File]:
    found: dict[str, _File] = {}
    for path in texts:
        if path.endswith(".go"):
            text = texts[path].text
            package = _PACKAGE.search(text)
            directives = frozenset(_DIRECTIVE.findall(text)) if b"//" in text else frozenset()
            start = package.start() if package else 0
            found[path] = _File(package[1] if package else b"", directives, _CONSTRAINT.search(text, 0, start) is not None)
    return found


def _template_words(files: Collection[UnreadFile]) -> frozenset[str]:
    """Return the identifiers in pages, because a page may be a Go template."""
    return frozenset(word for file in files if file.kind == "page" for word in file.words)
