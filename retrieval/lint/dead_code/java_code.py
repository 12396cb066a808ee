"""Dead code of Java: types and methods that no program, test, framework or importer of a module reaches.

The roots are symbols that frameworks run, symbols with annotations that tools may look for, and methods that override methods
of packages. An unreached private or package-private symbol is dead; other modules may use public symbols. Confidence is low for
symbols whose names occur in strings, and for public accessors, which mappers and templates call. Fields and constructors are left
out, because mappers and containers use them without naming them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from ....graphdb.database import GraphDatabase
from ....graphdb.queries.static_uses import (
    StaticDeclaration,
    java_declarations,
    java_lending_types,
    java_open_types,
    java_test_classes,
    java_uses,
)
from ....graphdb.queries.unused import unresolved_member_names
from ....graphdb.queries.wiring import wired_ids
from ....graphdb.traversal.reachability import reachable
from ...text_search.indexed_text import IndexedTexts
from ..model.findings import DeadCode, NotKnown
from ..model.request import LintRequest
from .python_mentions import python_mentions, unread_words
from .reasons import MEMBER_OF_UNKNOWN, NAMED_IN_STRING, NAMELESS, UNUSED, USED_BY_DEAD, USED_BY_UNKNOWN

MAY_BE_USED = f"{UNUSED} here, but other modules may"
OF_OUTER_BASE = "its base is not read, and may have tests that it inherits"
ACCESSOR = f"{UNUSED}, but what reads properties of objects may"

_TYPES = frozenset(("class", "interface", "enum"))
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
_ANNOTATION = re.compile(rb"@(?:\w+\.)*(\w+)")
_MODIFIER = re.compile(rb"\b(?:public|protected|private|static|abstract)\b")
#: Annotations that do not affect the uses of a declaration.
_NEUTRAL = frozenset(
    b"Override Deprecated SuppressWarnings SafeVarargs FunctionalInterface Nullable NonNull Nonnull NotNull CheckForNull "
    b"NullMarked NullUnmarked Contract CheckReturnValue CanIgnoreReturnValue Immutable ThreadSafe NotThreadSafe GuardedBy "
    b"SuppressFBWarnings VisibleForTesting Generated Beta Internal Serial".split()
)
#: Names of the classes that Maven's Surefire and Failsafe run by default.
_TEST_CLASS = re.compile(r"(?:Test|IT)\w*|\w*(?:Tests?|TestCase|IT|ITCase)")
#: Methods by which mappers and templates read and set properties.
_ACCESSOR = re.compile(r"(?:get|set|is)[A-Z]\w*")
#: Static methods that begin a program. Whoever starts it names their class.
_PROGRAMS = frozenset(("main", "premain", "agentmain"))
#: Members that the runtime calls or reads without naming them.
_OF_THE_RUNTIME = re.compile(
    "readObject|writeObject|readObjectNoData|readResolve|writeReplace|serialVersionUID|serialPersistentFields|"
    f"finalize|values|valueOf|{'|'.join(sorted(_PROGRAMS))}"
)


def java_dead_code(
    graph: GraphDatabase, texts: IndexedTexts, request: LintRequest, paths: Collection[str]
) -> Iterator[DeadCode | NotKnown]:
    """Yield the dead declarations of some files of Java, and the declarations that may be dead."""
    if paths:
        yield from _Check(graph, texts, request).findings(paths)


class _Head(NamedTuple):
    """The text before the name of a declaration."""

    annotations: frozenset[bytes]
    modifiers: frozenset[bytes]


class _Check:
    """The data about all declarations."""

    def __init__(self, graph: GraphDatabase, texts: IndexedTexts, request: LintRequest) -> None:
        self._declarations = java_declarations(graph)
        self._uses = java_uses(graph)
        self._unresolved = unresolved_member_names(graph)
        self._words = unread_words(request.unread)
        self._texts = texts
        #: Words in strings. Tests and frameworks look up members by strings: `@MethodSource("names")`.
        self._in_strings = python_mentions(texts).in_strings
        self._lines: dict[str, list[bytes]] = {}
        self._by_id = {each.id: each for each in self._declarations}
        #: Id of the directly enclosing symbol, by the id of the nested symbol.
        self._outer = {inner: outer for outer, listed in self._uses.inside.items() for inner in listed}
        self._heads = {each.id: self._head(each) for each in self._declarations if each.kind not in NAMELESS}
        #: Types that derive from types outside of the repository, which may call their methods.
        self._open = java_open_types(graph)
        #: Types from which such types derive, and whose public methods may implement methods for them.
        self._lending = java_lending_types(graph)
        #: Names of interface methods. A class may implement such methods for subclasses that implement the interface.
        self._promised = {each.name for each in self._declarations if each.kind == "method" and self._is_in_interface(each)}
        # A test runner also runs classes that inherit all of their tests.
        wired = wired_ids(graph) | {id for id in java_test_classes(graph) if not self._is_abstract(id)}
        starts = [each.id for each in self._declarations if each.id in wired or self._is_root(each)]
        offered = [each.id for each in self._declarations if each.kind not in NAMELESS and self._is_offered(each)]
        links = self._links()
        self._reached = set(reachable([*starts, *offered], links))
        #: Symbols that reached symbols may use: methods with the name of an unresolved call, and the symbols that these
        #: methods use.
        named = [each.id for each in self._declarations if each.kind == "method" and each.name in self._unresolved]
        self._perhaps = set(reachable(named, links)) - self._reached
        #: Symbols that reached symbols use, symbols that frameworks or the runtime run, and the methods that override these.
        used = {target for source in self._reached for target in self._uses.uses.get(source, ())} | set(starts)
        used |= {outer for id in starts if id in wired or self._begins_program(id) for outer in self._enclosing(id)}
        self._used = set(reachable(sorted(used), self._uses.overriding))
        self._wanted = {target for targets in self._uses.uses.values() for target in targets}

    def _head(self, each: StaticDeclaration) -> _Head:
        if each.path not in self._lines:
            self._lines[each.path] = self._texts[each.path].text.split(b"\n") if each.path in self._texts else []
        text = _COMMENT.sub(b"", b"\n".join(self._lines[each.path][each.first_line - 1 : each.line]))
        return _Head(frozenset(_ANNOTATION.findall(text)) - {b"interface"}, frozenset(_MODIFIER.findall(text)))

    def _is_root(self, each: StaticDeclaration) -> bool:
        if each.kind in NAMELESS or _OF_THE_RUNTIME.fullmatch(each.name):
            return True
        head = self._heads[each.id]
        if head.annotations - _NEUTRAL or each.name in self._words:
            return True
        if b"Override" in head.annotations and each.id not in self._uses.overridden:
            return True
        is_hidden = bool(head.modifiers & {b"private", b"static"})
        outer = self._outer.get(each.id, "")
        may_lend = outer in self._lending and b"public" in head.modifiers
        may_override = outer in self._open or each.name in self._promised or may_lend
        return each.kind == "method" and not is_hidden and may_override

    def _is_abstract(self, id: str) -> bool:
        return self._by_id[id].kind == "interface" or b"abstract" in self._heads[id].modifiers

    def _may_inherit_tests(self, each: StaticDeclaration) -> bool:
        """Return whether a test runner may run a class because of its base outside of the repository."""
        return each.id in self._open and not self._is_abstract(each.id) and _TEST_CLASS.fullmatch(each.name) is not None

    def _begins_program(self, id: str) -> bool:
        return self._by_id[id].name in _PROGRAMS and b"static" in self._heads[id].modifiers

    def _enclosing(self, id: str) -> Iterator[str]:
        """Yield the ids of the symbols around a symbol, the innermost first."""
        while (id := self._outer.get(id, "")) != "":
            yield id

    def _is_in_interface(self, each: StaticDeclaration) -> bool:
        outer = self._by_id.get(self._outer.get(each.id, ""))
        return outer is not None and outer.kind == "interface"

    def _links(self) -> dict[str, list[str]]:
        """Return for each symbol, by id, the symbols that are reached with it: used symbols, the enclosing type, and the
        constructors and fields of a type.
        """
        links = {id: list(targets) for id, targets in self._uses.uses.items()}
        for inner, outer in self._outer.items():
            links.setdefault(inner, []).append(outer)
            around, inside = self._by_id.get(outer), self._by_id.get(inner)
            runs = inside is not None and inside.kind in ("constructor", "property", "enumMember")
            if runs or (around is not None and around.kind not in _TYPES):
                links.setdefault(outer, []).append(inner)
        for member, methods in self._uses.overriding.items():
            links.setdefault(member, []).extend(methods)
        return links

    def findings(self, paths: Collection[str]) -> Iterator[DeadCode | NotKnown]:
        """Yield the findings in some files. A member of a dead type belongs to the finding of the type."""
        for each in self._declarations:
            is_offered = each.kind not in NAMELESS and each.id in self._reached and self._is_offered(each)
            is_wanted = each.id in self._used if is_offered else each.id in self._reached
            if each.path not in paths or is_wanted or not self._counts(each):
                continue
            outer = self._outer.get(each.id, "")
            if outer and outer not in self._reached:
                continue
            if each.kind not in _TYPES and each.name in self._unresolved:
                yield NotKnown(each.name, each.kind, each.path, each.line, MEMBER_OF_UNKNOWN)
            elif each.kind == "class" and self._may_inherit_tests(each):
                yield NotKnown(each.name, each.kind, each.path, each.line, OF_OUTER_BASE)
            elif each.id in self._perhaps:
                yield NotKnown(each.name, each.kind, each.path, each.line, USED_BY_UNKNOWN)
            elif is_offered:
                yield DeadCode(each.name, each.kind, each.path, each.line, MAY_BE_USED, "low")
            else:
                doubt = self._doubt(each)
                reason = doubt or (USED_BY_DEAD if each.id in self._wanted else UNUSED)
                yield DeadCode(each.name, each.kind, each.path, each.line, reason, "low" if doubt else "high")

    def _doubt(self, each: StaticDeclaration) -> str:
        """Return why an unreached declaration may still be used; "" if no reason is known."""
        if each.name.encode() in self._in_strings:
            return NAMED_IN_STRING
        is_accessor = each.kind == "method" and _ACCESSOR.fullmatch(each.name) is not None
        return ACCESSOR if is_accessor and b"public" in self._heads[each.id].modifiers else ""

    def _counts(self, each: StaticDeclaration) -> bool:
        """Return whether all uses of a declaration are known, apart from uses in other modules."""
        outer = self._by_id.get(self._outer.get(each.id, ""))
        if each.kind in _TYPES:
            return True
        if each.kind != "method" or outer is None or outer.kind not in _TYPES:
            return False
        return outer.kind != "interface" or bool(self._heads[each.id].modifiers & {b"private", b"static"})

    def _is_offered(self, each: StaticDeclaration) -> bool:
        """Return whether other modules may use a declaration: whether it and its enclosing types are public or visible to
        subtypes.
        """
        at: StaticDeclaration | None = each
        while at is not None:
            outer = self._by_id.get(self._outer.get(at.id, ""))
            if not self._is_in_interface(at) and not self._heads[at.id].modifiers & {b"public", b"protected"}:
                return False
            at = outer
        return True
