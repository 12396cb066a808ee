"""Find unchanged declarations that usually change together with changed declarations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from ...ingest.changes.changed_symbols import SymbolSide
from ...ingest.changes.states import States
from ...ingest.history.git import GitRepository
from ...ingest.history.range_commits import LineRange, commits_of_ranges
from ...ingest.history.store import HistoryStore, StoredCommit
from ...ingest.languages.extraction import extract_facts
from ...ingest.workers.file_symbols import file_symbols
from ...schema.languages import DOCUMENTS, language_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import STATEMENTS
from ..history.co_change import commit_weights, pairs_together, symbol_weights
from .records import Partner

#: Minimum number of common commits of a partner.
SUPPORT: Final = 4
#: Minimum weighted share of common commits of a partner.
CONFIDENCE: Final = 0.5


def symbol_partners(
    git: GitRepository,
    store: HistoryStore,
    states: States,
    changed: Iterable[SymbolSide],
    files: Collection[str],
    commits: Sequence[StoredCommit],
    depth: int | None,
) -> list[Partner]:
    """Return the missing partners of the changed declarations, the most confident first. Raises GitFailed.

    `changed` are the changed declarations of the old state, and partners are searched in the given files of this state. A
    declaration that encloses other declarations is never a partner. `commits` are the commits, among the newest `depth`, that
    changed a file of the change.
    """
    own = {side.id: side for side in changed}
    weights = commit_weights(commits)
    if not own or not states.old_commit or len(weights) < SUPPORT:
        return []
    declared = {each.id: each for path in files for each in _innermost(states, path)}
    ranges: defaultdict[str, list[LineRange]] = defaultdict(list)
    for each in declared.values():
        ranges[git.prefix + each.relative_path].append(LineRange(each.id, each.start_line, each.end_line))
    for side in own.values():
        if side.id not in declared:
            ranges[git.prefix + side.path].append(LineRange(side.id, side.line, side.end_line))
    positions = {commit.hash: commit.position for commit in commits}
    changed_in: defaultdict[int, list[str]] = defaultdict(list)
    for id, commit in commits_of_ranges(git, states.old_commit, ranges, depth, _names(store, ranges)):
        if commit in positions:
            changed_in[positions[commit]].append(id)
    return _missing(own, declared, weights, changed_in, {*states.new_paths})


def _missing(
    own: Mapping[str, SymbolSide],
    declared: Mapping[str, Symbol],
    weights: Mapping[int, float],
    changed_in: Mapping[int, Sequence[str]],
    present: Collection[str],
) -> list[Partner]:
    best: dict[str, Partner] = {}
    for pair in pairs_together(symbol_weights(weights, changed_in), changed_in):
        if pair.one not in own or pair.other in own or pair.support < SUPPORT or pair.confidence < CONFIDENCE:
            continue
        side, partner = own[pair.one], declared[pair.other]
        is_inside = partner.relative_path == side.path and side.line <= partner.start_line and partner.end_line <= side.end_line
        known = best.get(pair.other)
        if is_inside or partner.relative_path not in present or (known is not None and known.confidence >= pair.confidence):
            continue
        best[pair.other] = Partner(
            file=partner.relative_path,
            symbol=partner.qualified_name,
            changes_with=side.qualified_name,
            support=pair.support,
            confidence=round(pair.confidence, 3),
        )
    return sorted(best.values(), key=lambda one: (-one.confidence, -one.support, one.file, one.symbol))


def _innermost(states: States, path: str) -> Iterable[Symbol]:
    """Return the declarations of a file of the old state that enclose no other declarations."""
    language = language_of(path)
    data = states.read_old(path) if language is not None and language not in DOCUMENTS else None
    if data is None or language is None:
        return []
    facts = extract_facts(data, language, states.dialects.of(path))
    outer = {fact.parent for fact in facts.symbols}
    symbols = file_symbols(path, facts.symbols)
    return [symbol for at, symbol in enumerate(symbols) if at not in outer and symbol.kind not in STATEMENTS]


def _names(store: HistoryStore, paths: Iterable[str]) -> set[str]:
    """Return some paths, and all former paths of the files at these paths."""
    return {*paths, *(placed.change.path for path in paths for placed in store.changes_of_file(path))}
