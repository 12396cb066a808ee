"""Compute how risky a change is, and why."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from ..analyses.subject import counted
from .records import RISKS, Partner, Risk, SymbolChange

#: Maximum numbers of direct and transitive dependants of each risk, beginning with low; above the last numbers, the risk is
#: critical.
_REACH: Final = ((5, 15), (30, 150), (200, 1_000))
#: Minimum number of known commits of a file that counts as often changed.
HOT_COMMITS: Final = 20


class Evidence(NamedTuple):
    """Evidence of a risk."""

    broken: int
    symbols: Sequence[SymbolChange]
    #: Numbers of directly and indirectly affected symbols.
    direct: int
    affected: int
    modules: int
    entry_points: int
    #: Whether the repository has tests, and how many test files the change may affect.
    has_tests: bool
    tests: int
    #: Paths of changed files that have often changed before.
    hot: Collection[str]
    partners: Sequence[Partner]


def risk_of(evidence: Evidence) -> Risk:
    """Return the risk with its reasons, the most important first."""
    changed = [each for each in evidence.symbols if each.changes != ("layout",)]
    code = [each for each in changed if not each.is_test]
    if not changed and not evidence.broken:
        return Risk(level="none", reasons=("no declaration changed",) if not evidence.symbols else ("only comments or layout",))
    level = next((at for at, most in enumerate(_REACH, 1) if evidence.direct <= most[0] and evidence.affected <= most[1]), 4)
    reasons = []
    if evidence.broken:
        level = max(level + 1, 3)
        reasons.append(f"it breaks {counted(evidence.broken, 'place')}")
    offered = [each for each in code if each.exported and {"removed", "signature", "renamed", "moved"} & {*each.changes}]
    used = [each for each in offered if each.users]
    if used:
        level = max(level, 2)
        reasons.append(f"{counted(len(used), 'exported symbol')} with users changed by more than the body: {_names(used)}")
    elif offered:
        reasons.append(f"{counted(len(offered), 'exported symbol')} changed by more than the body: {_names(offered)}")
    if evidence.affected:
        where = f" of {counted(evidence.modules, 'module')}" if evidence.modules > 1 else ""
        reasons.append(f"{counted(evidence.affected, 'symbol')}{where} may be affected, {evidence.direct:,} of them directly")
    if evidence.entry_points:
        reasons.append(f"it reaches {counted(evidence.entry_points, 'entry point')}")
    if evidence.has_tests and not evidence.tests and (evidence.affected or any(each.exported for each in code)):
        level += 1
        reasons.append("no test reaches it")
    files = [each for each in evidence.partners if not each.symbol]
    symbols = [each for each in evidence.partners if each.symbol]
    if evidence.hot:
        reasons.append(f"{counted(len(evidence.hot), 'file')} of it changed often: {', '.join(sorted(evidence.hot)[:3])}")
    for what, several in (("file", [each.file for each in files]), ("symbol", [each.symbol for each in symbols])):
        if several:
            verb = "changes" if len(several) == 1 else "change"
            reasons.append(f"{counted(len(several), what)} that usually {verb} with it did not: {_listed(several)}")
    return Risk(level=RISKS[min(level, len(RISKS) - 1)], reasons=tuple(reasons))


def _names(symbols: Sequence[SymbolChange]) -> str:
    return _listed([each.old_symbol or each.symbol for each in symbols])


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
