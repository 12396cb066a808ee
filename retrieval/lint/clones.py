"""Find duplicates by structure: compare winnowed fingerprints of normalised tokens, pair declarations that share enough
fingerprints, and join pairs to groups.

Whole declarations are compared, so some lines may differ. `fragments.py` finds repeated code inside and outside of declarations.
Documents are skipped, because they contain prose.

Winnowing (Schleimer, Wilkerson, Aiken 2003) hashes every run of `_RUN` tokens and keeps the smallest hash in each window. So
two texts with a common run of `_RUN + _WINDOW - 1` tokens share a fingerprint.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.lint import functions
from ...graphdb.symbols.symbol_table import symbols_of
from ...schema.languages import is_document_path
from ...schema.records import SymbolRef
from ...schema.symbol_kinds import STATEMENTS
from ..text.structure_tokens import structure_tokens
from ..text_search.indexed_text import FileText
from .fragments import RepeatedCode, repeated_code
from .model.findings import Clone, CloneGroup
from .model.request import DUPLICATE_KINDS, FRAGMENTS
from .nested_groups import Place, outermost

#: Minimum number of tokens of a declaration. Smaller declarations are often similar by chance.
MIN_TOKENS = 50
#: Minimum number of lines of a declaration, for the same reason.
MIN_LINES = 5
_FRAGMENT = "fragment"
_RUN, _WINDOW = 8, 4
#: Maximum number of declarations with a fingerprint that indicates similarity.
_COMMONEST = 60
#: Text that is removed before the comparison, because an exported copy is also a duplicate.
_EXPORT = re.compile(r"\A\s*export\s+(default\s+)?")
_FACTOR = 6_364_136_223_846_793_005


@dataclass(frozen=True, slots=True)
class _Shape:
    symbol: SymbolRef
    #: Digest of all tokens; declarations that differ only in names and literals have equal digests.
    digest: str
    fingerprints: frozenset[int]


def clone_groups(
    graph: GraphDatabase,
    texts: Mapping[str, FileText],
    kinds: str,
    threshold: float,
    admits: Callable[[str], bool],
    seconds: float,
) -> tuple[list[CloneGroup], bool]:
    """Return groups of similar code, and whether the time sufficed for all code.

    Groups that save the most lines if merged come first.
    """
    deadline = time.monotonic() + seconds
    wanted = [kind for name, each in DUPLICATE_KINDS.items() if kinds in ("all", name) for kind in each]
    groups = _declaration_groups(graph, texts, wanted, threshold, admits, deadline) if wanted else []
    complete = time.monotonic() <= deadline
    if kinds in ("all", FRAGMENTS):
        imports = _line_ranges(functions(graph, ["import"], 1))
        code = (texts[path] for path in sorted(texts) if admits(path) and not is_document_path(path))
        found, is_all = repeated_code(code, imports, deadline)
        groups += map(_fragments, found)
        complete &= is_all
    groups.sort(key=lambda group: (-_saved(group), -group.similarity, group.members[0].file, group.members[0].line))
    places = [[Place(clone.file, clone.line, clone.end_line) for clone in group.members] for group in groups]
    return [groups[index] for index in outermost(places, [group.similarity for group in groups])], complete


def named_fragments(graph: GraphDatabase, groups: Sequence[CloneGroup]) -> list[CloneGroup]:
    """Return the groups with a name for each fragment: the declaration that contains it, or else the first and the last
    declaration that it overlaps.
    """
    paths = {clone.file for group in groups for clone in group.members if clone.kind == _FRAGMENT}
    around: dict[str, list[SymbolRef]] = defaultdict(list)
    for symbol in symbols_of(graph).in_files(paths):
        if symbol.kind not in STATEMENTS:
            around[symbol.relative_path].append(symbol)

    def named(clone: Clone) -> Clone:
        if clone.kind != _FRAGMENT:
            return clone
        return msgspec.structs.replace(clone, symbol=_touched(around[clone.file], clone.line, clone.end_line))

    return [msgspec.structs.replace(group, members=tuple(map(named, group.members))) for group in groups]


def _touched(declarations: Iterable[SymbolRef], line: int, end_line: int) -> str:
    touched = [each for each in declarations if each.start_line <= end_line and line <= each.end_line]
    holding = [each for each in touched if each.start_line <= line and end_line <= each.end_line]
    if holding:
        return min(holding, key=lambda each: each.end_line - each.start_line).qualified_name
    ends = touched[:1] + [each for each in touched if each.start_line > touched[0].end_line][-1:]
    return " to ".join(each.qualified_name for each in ends)


def _fragments(found: RepeatedCode) -> CloneGroup:
    clones = tuple(Clone("", _FRAGMENT, each.path, each.line, each.end_line, found.digest) for each in found.places)
    what = "The same code stands in each" if found.is_literal else "They differ in names and literals alone"
    return CloneGroup(1.0, clones, _suggestion(what, clones))


def _line_ranges(places: Iterable[SymbolRef]) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for place in places:
        found[place.relative_path].append((place.start_line, place.end_line))
    return found


def _declaration_groups(
    graph: GraphDatabase,
    texts: Mapping[str, FileText],
    kinds: Sequence[str],
    threshold: float,
    admits: Callable[[str], bool],
    deadline: float,
) -> list[CloneGroup]:
    """Return groups of similar declarations, from as many files as the time allows."""
    places = [place for place in functions(graph, kinds, MIN_LINES) if admits(place.relative_path)]
    shapes: list[_Shape] = []
    for path, held in _by_file(places).items():
        if time.monotonic() > deadline:
            break
        if path in texts:
            shapes += _shapes(texts[path], held)
    return _groups(shapes, threshold, deadline)


def _by_file(places: Iterable[SymbolRef]) -> dict[str, list[SymbolRef]]:
    found: dict[str, list[SymbolRef]] = defaultdict(list)
    for place in places:
        found[place.relative_path].append(place)
    return found


def _shapes(file: FileText, places: Iterable[SymbolRef]) -> list[_Shape]:
    lines = file.text.decode("utf-8", "replace").split("\n")
    made = []
    for place in places:
        source = "\n".join(lines[place.declaration_line - 1 : place.end_line])
        tokens = structure_tokens(_EXPORT.sub("", source, count=1), file.path)
        if len(tokens) >= MIN_TOKENS:
            digest = hashlib.blake2b(tokens.tobytes(), digest_size=6).hexdigest()
            made.append(_Shape(place, digest, _fingerprints(tokens)))
    return made


def _fingerprints(tokens: Sequence[int]) -> frozenset[int]:
    import numpy as np

    values = np.asarray(tokens, dtype=np.uint64)
    hashes = np.zeros(len(values) - _RUN + 1, np.uint64)
    for offset in range(_RUN):
        hashes = hashes * np.uint64(_FACTOR) + values[offset : offset + len(hashes)]
    # The low bits of such a product are weak.
    hashes ^= hashes >> np.uint64(29)
    hashes *= np.uint64(0xBF58476D1CE4E5B9)
    windows = np.lib.stride_tricks.sliding_window_view(hashes, min(_WINDOW, len(hashes)))
    return frozenset(np.unique(windows.min(axis=1)).tolist())


def _groups(shapes: Sequence[_Shape], threshold: float, deadline: float) -> list[CloneGroup]:
    """Group declarations of equal structure, then join the groups whose representatives are similar."""
    equal: dict[str, list[_Shape]] = defaultdict(list)
    for shape in shapes:
        equal[shape.digest].append(shape)
    classes = list(equal.values())
    leaders = list(range(len(classes)))
    weakest = [1.0] * len(classes)

    def leader(index: int) -> int:
        while leaders[index] != index:
            leaders[index] = leaders[leaders[index]]
            index = leaders[index]
        return index

    for similarity, one, other in _similar_pairs([members[0] for members in classes], threshold, deadline):
        first, second = sorted((leader(one), leader(other)))
        if first != second:
            leaders[second] = first
            weakest[first] = min(weakest[first], weakest[second], similarity)
    joined: dict[int, list[_Shape]] = defaultdict(list)
    for index, members in enumerate(classes):
        joined[leader(index)] += members
    return [
        _group(_outermost_members(members), weakest[index])
        for index, members in joined.items()
        if len(_outermost_members(members)) > 1
    ]


def _similar_pairs(shapes: Sequence[_Shape], threshold: float, deadline: float) -> list[tuple[float, int, int]]:
    """Return pairs with their share of common fingerprints, the most similar first."""
    holders: dict[int, list[int]] = defaultdict(list)
    for index, shape in enumerate(shapes):
        for fingerprint in shape.fingerprints:
            holders[fingerprint].append(index)
    pairs: list[tuple[float, int, int]] = []
    for index, shape in enumerate(shapes):
        if index % 256 == 0 and time.monotonic() > deadline:
            break
        common: dict[int, int] = defaultdict(int)
        for fingerprint in shape.fingerprints:
            sharing = holders[fingerprint]
            if len(sharing) <= _COMMONEST:
                for other in sharing:
                    if other > index:
                        common[other] += 1
        size = len(shape.fingerprints)
        for other, shared in common.items():
            # Unlike `shared`, the intersection includes very common fingerprints.
            if shared * 4 >= min(size, len(shapes[other].fingerprints)) * threshold:
                both = len(shape.fingerprints & shapes[other].fingerprints)
                similarity = both / (size + len(shapes[other].fingerprints) - both)
                if similarity >= threshold:
                    pairs.append((similarity, index, other))
    return sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2]))


def _outermost_members(members: Sequence[_Shape]) -> list[_Shape]:
    """Return the members that are not nested in another member. A declaration inside a copy is not a separate copy."""
    kept: list[_Shape] = []
    for shape in sorted(
        members, key=lambda member: (member.symbol.relative_path, member.symbol.start_line, -member.symbol.end_line)
    ):
        last = kept[-1].symbol if kept else None
        if last is None or last.relative_path != shape.symbol.relative_path or shape.symbol.start_line > last.end_line:
            kept.append(shape)
    return kept


def _group(members: Sequence[_Shape], similarity: float) -> CloneGroup:
    clones = tuple(
        Clone(
            shape.symbol.qualified_name,
            shape.symbol.kind,
            shape.symbol.relative_path,
            shape.symbol.declaration_line,
            shape.symbol.end_line,
            shape.digest,
        )
        for shape in members
    )
    what = "They differ in names and literals alone" if similarity == 1.0 else "They share most of their structure"
    return CloneGroup(round(similarity, 3), clones, _suggestion(what, clones))


def _suggestion(what: str, clones: Sequence[Clone]) -> str:
    files = list(dict.fromkeys(clone.file for clone in clones))
    where = f"one module that {len(files)} files import" if len(files) > 1 else f"one declaration of {files[0]}"
    return f"{what}: move it into {where}, and pass what differs."


def _saved(group: CloneGroup) -> int:
    return sum(clone.end_line - clone.line + 1 for clone in group.members[1:])
