"""Compares the declarations of two states, and finds added, removed, moved, renamed and changed declarations."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from ...schema.symbol_kinds import STATEMENTS
from ..facts.model import FileFacts
from ..workers.file_symbols import file_symbols
from .changed_symbols import ChangedSymbol, SymbolSide
from .code_tokens import Code, codes, plain

#: Minimum share of common words for a declaration that was renamed within its file.
_RENAMED: Final = 0.7
#: Minimum share of common words for a declaration that moved to another file.
_MOVED: Final = 0.6
#: Minimum number of words in a declaration that may be matched by similarity.
_MIN_WORDS: Final = 8
#: Maximum number of pairs of declarations whose words are compared. Beyond this number, only equal declarations are paired.
_MAX_PAIRS: Final = 20_000


class Declaration(NamedTuple):
    """A declaration of a file, with its code."""

    side: SymbolSide
    code: Code
    #: Indices of the nested declarations.
    inner: tuple[int, ...]
    #: Name among the siblings. Overloads share their name.
    key: str


class FileSymbols(NamedTuple):
    """The declarations of a file."""

    declarations: list[Declaration]
    #: Indices of the outermost declarations.
    roots: list[int]
    #: Digest of the code at the root that declares nothing.
    rest: bytes


def symbols_in(facts: FileFacts, text: bytes, path: str) -> FileSymbols:
    """Return the declarations of a file.

    Statements and groups such as `a, b = 1, 2` are not declarations. A declaration in such a statement belongs to the enclosing
    declaration.
    """
    found = file_symbols(path, facts.symbols)
    code, loose = codes(facts, text)
    index_of: dict[int, int] = {}
    outer_of: dict[int, int] = {}
    for at, fact in enumerate(facts.symbols):
        is_group = ", " in fact.name
        if fact.kind not in STATEMENTS and not is_group:
            index_of[at] = len(index_of)
    inner: defaultdict[int, list[int]] = defaultdict(list)
    for at in index_of:
        parent = facts.symbols[at].parent
        while parent >= 0 and parent not in index_of:
            parent = facts.symbols[parent].parent
        outer_of[at] = parent
        inner[parent].append(at)
    keys: dict[int, str] = {}
    names: dict[int, str] = {}
    for outer in (-1, *index_of):
        for at in inner.get(outer, ()):
            fact = facts.symbols[at]
            keys[at] = f"{fact.owner}.{fact.name}" if fact.owner else fact.name
    for at in sorted(index_of, key=lambda each: facts.symbols[each].depth):
        outer = outer_of[at]
        names[at] = f"{names[outer]}.{keys[at]}" if outer >= 0 else keys[at]
    declarations = []
    for at in index_of:
        declarations.append(
            Declaration(
                SymbolSide.of(found[at], names[at]), code[at], tuple(index_of[each] for each in inner.get(at, ())), keys[at]
            )
        )
    statements = [code[at].own for at, fact in enumerate(facts.symbols) if fact.kind in STATEMENTS and fact.kind != "comment"]
    return FileSymbols(declarations, [index_of[at] for at in inner.get(-1, ())], b"".join([*statements, loose]))


class SymbolComparison:
    """Compares files one by one, then the unmatched declarations of all files."""

    def __init__(self) -> None:
        self._changed: list[ChangedSymbol] = []
        self._gone: list[tuple[FileSymbols, int]] = []
        self._new: list[tuple[FileSymbols, int]] = []

    def compare(self, old: FileSymbols | None, new: FileSymbols | None) -> None:
        """Compare two states of a file, one of which may be missing."""
        self._match(old, old.roots if old else (), new, new.roots if new else ())

    def result(self) -> list[ChangedSymbol]:
        """Return the changes, by path and line."""
        for before, after, was, now in self._moved_declarations():
            self._pair(before, was, after, now, is_moved=True)
        for file, at in self._gone:
            self._all_of(file, at, False, is_new=False)
        for file, at in self._new:
            self._all_of(file, at, False, is_new=True)
        return sorted(self._changed, key=lambda one: (one.shown.path, one.shown.line, one.shown.qualified_name))

    def _match(self, old: FileSymbols | None, old_at: Sequence[int], new: FileSymbols | None, new_at: Sequence[int]) -> None:
        """Pair the declarations of one parent: by name, then by the similarity of their content."""
        named = _same_names(old, old_at, new, new_at) if old and new else {}
        kept = {*named.values()}
        gone = dict.fromkeys(at for at in old_at if at not in kept)
        added = [at for at in new_at if at not in named]
        for at, earlier in named.items():
            assert old is not None  # otherwise nothing has the same name
            assert new is not None
            self._pair(old, earlier, new, at)
        if old and new and gone and added:
            for (_, before), (_, now) in _similar([(old, each) for each in gone], [(new, each) for each in added], _RENAMED):
                del gone[before]
                added.remove(now)
                self._pair(old, before, new, now)
        self._gone += [(old, at) for at in gone] if old else []
        self._new += [(new, at) for at in added] if new else []

    def _pair(self, old: FileSymbols, old_at: int, new: FileSymbols, new_at: int, *, is_moved: bool = False) -> None:
        """Record the changes of a declaration that both states contain, and compare its nested declarations."""
        was, now = old.declarations[old_at], new.declarations[new_at]
        changes = ["moved"] if is_moved else []
        if was.side.name != now.side.name:
            changes.append("renamed")
        if _signature(was.side) != _signature(now.side) or was.side.kind != now.side.kind:
            changes.append("signature")
        if "signature" not in changes:
            differs = (was.code.body != now.code.body and not was.inner) if changes else was.code.own != now.code.own
            changes += ["body"] if differs else []
        if not changes and was.code.text != now.code.text:
            changes.append("layout")
        if changes:
            self._changed.append(ChangedSymbol(was.side, now.side, tuple(changes)))
        self._match(old, was.inner, new, now.inner)

    def _moved_declarations(self) -> Iterable[tuple[FileSymbols, FileSymbols, int, int]]:
        """Yield declarations that moved to another file or parent, and remove both sides from the unmatched declarations."""
        if not self._gone or not self._new:
            return []
        pairs = _similar(self._gone, self._new, _MOVED, is_named_alike=True)
        taken_old = {(id(file), at) for (file, at), _ in pairs}
        taken_new = {(id(file), at) for _, (file, at) in pairs}
        self._gone = [each for each in self._gone if (id(each[0]), each[1]) not in taken_old]
        self._new = [each for each in self._new if (id(each[0]), each[1]) not in taken_new]
        return [(before, after, was, now) for (before, was), (after, now) in pairs]

    def _all_of(self, file: FileSymbols, at: int, with_parent: bool, *, is_new: bool) -> None:
        pending = [(at, with_parent)]
        while pending:
            index, nested = pending.pop()
            declaration = file.declarations[index]
            old, new = (None, declaration.side) if is_new else (declaration.side, None)
            self._changed.append(ChangedSymbol(old, new, ("added" if is_new else "removed",), nested))
            pending += [(each, True) for each in declaration.inner]


def _same_names(old: FileSymbols, old_at: Sequence[int], new: FileSymbols, new_at: Sequence[int]) -> dict[int, int]:
    """Map declarations of the new state to those of the old state with the same name.

    Overloads are paired if they are equal, then if their signatures are equal, and the others in their order.
    """
    was: defaultdict[str, list[int]] = defaultdict(list)
    for at in old_at:
        was[old.declarations[at].key].append(at)
    now: defaultdict[str, list[int]] = defaultdict(list)
    for at in new_at:
        now[new.declarations[at].key].append(at)
    found: dict[int, int] = {}
    for name, later in now.items():
        earlier = was.get(name, [])
        if len(earlier) > 1 or (earlier and len(later) > 1):
            _pair_equal(found, old, earlier, new, later)
        found.update(zip((at for at in later if at not in found), earlier, strict=False))
    return {at: found[at] for at in new_at if at in found}


def _pair_equal(found: dict[int, int], old: FileSymbols, earlier: list[int], new: FileSymbols, later: Sequence[int]) -> None:
    """Pair overloads with equal code, then with equal signatures, and remove the paired ones from `earlier`."""
    for has_code in (True, False):
        places: defaultdict[tuple[str, str, bytes], deque[int]] = defaultdict(deque)
        for at in earlier:
            places[_overload(old.declarations[at], has_code)].append(at)
        for at in later:
            same = places.get(_overload(new.declarations[at], has_code)) if at not in found else None
            if same:
                found[at] = same.popleft()
        paired = {found[at] for at in later if at in found}
        earlier[:] = [at for at in earlier if at not in paired]


def _overload(declaration: Declaration, has_code: bool) -> tuple[str, str, bytes]:
    side, code = declaration.side, declaration.code
    return side.kind, _signature(side), code.body if has_code else b""


def _signature(side: SymbolSide) -> str:
    """Return the signature without the name. The value of a variable counts as its body and is also removed."""
    text = plain(side.signature)
    if side.kind in _VALUES:
        text = text.partition("=")[0].rstrip()
    return text.replace(side.name, "", 1)


#: Kinds whose signature contains a value.
_VALUES: Final = frozenset(("variable", "const", "property", "enumMember", "type"))

_Found = tuple[FileSymbols, int]


def _similar(
    old: Sequence[_Found], new: Sequence[_Found], least: float, *, is_named_alike: bool = False
) -> list[tuple[_Found, _Found]]:
    """Pair declarations of one kind by similar content: first equal declarations, then the most similar.

    With `is_named_alike`, similar declarations must have the same name, unless they are equal.
    """
    pairs: list[tuple[_Found, _Found]] = []
    by_body: defaultdict[tuple[str, bytes], list[int]] = defaultdict(list)
    for place, (file, at) in enumerate(old):
        declaration = file.declarations[at]
        if len(declaration.code.words) >= _MIN_WORDS or is_named_alike:
            by_body[_sort(declaration.side.kind), declaration.code.body].append(place)
    taken_old: set[int] = set()
    taken_new: set[int] = set()
    for place, (file, at) in enumerate(new):
        declaration = file.declarations[at]
        found = by_body.get((_sort(declaration.side.kind), declaration.code.body), [])
        is_long = len(declaration.code.words) >= _MIN_WORDS
        named = [each for each in found if old[each][0].declarations[old[each][1]].side.name == declaration.side.name]
        chosen = named[0] if named else found[0] if found and is_long else None
        if chosen is not None:
            found.remove(chosen)
            taken_old.add(chosen)
            taken_new.add(place)
            pairs.append((old[chosen], new[place]))
    left_old = [place for place in range(len(old)) if place not in taken_old]
    left_new = [place for place in range(len(new)) if place not in taken_new]
    by_name: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for place in left_old:
        side = old[place][0].declarations[old[place][1]].side
        by_name[_sort(side.kind), side.name if is_named_alike else ""].append(place)
    scored = []
    budget = _MAX_PAIRS
    bags: dict[tuple[int, int], Counter[str]] = {}
    for later in left_new:
        side = new[later][0].declarations[new[later][1]].side
        candidates = by_name.get((_sort(side.kind), side.name if is_named_alike else ""), [])
        budget -= len(candidates)
        if budget < 0:
            break
        for earlier in candidates:
            likeness = _share_of_common_words(_bag(bags, 0, earlier, old[earlier]), _bag(bags, 1, later, new[later]))
            if likeness >= least:
                scored.append((-likeness, earlier, later))
    for _, earlier, later in sorted(scored):
        if earlier not in taken_old and later not in taken_new:
            taken_old.add(earlier)
            taken_new.add(later)
            pairs.append((old[earlier], new[later]))
    return pairs


def _bag(bags: dict[tuple[int, int], Counter[str]], side: int, place: int, found: _Found) -> Counter[str]:
    if (side, place) not in bags:
        bags[side, place] = Counter(found[0].declarations[found[1]].code.words)
    return bags[side, place]


def _share_of_common_words(first: Counter[str], second: Counter[str]) -> float:
    """Return the share of common words, 0 to 1; 0 if a declaration is too short to compare."""
    common = (first & second).total()
    longest = max(first.total(), second.total())
    return common / longest if min(first.total(), second.total()) >= _MIN_WORDS else 0.0


def _sort(kind: str) -> str:
    """Return the group of kinds to which a kind belongs. A declaration may change its kind within the group."""
    return "code" if kind in _CALLED else "value" if kind in _VALUES else kind


_CALLED: Final = frozenset(("function", "method", "getter", "setter", "constructor", "component"))
