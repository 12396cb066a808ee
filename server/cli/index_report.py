"""The output of `astrolabe index` and `astrolabe status`, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ...graphdb.queries.files import FileProblem
from ...ingest.languages.module_manifests import ManifestGap
from ..indexing.index_status import Status
from ..indexing.indexer import IndexReport
from ..indexing.workspace_health import Health

#: Maximum number of lines of each list for people. JSON has all lines.
MAX_LIST_LENGTH = 20


def report_json(report: IndexReport, problems: Sequence[FileProblem], gaps: Sequence[ManifestGap]) -> dict[str, Any]:
    """Return the output of `astrolabe index --json`."""
    return {
        "generation": report.generation.number,
        "outcome": report.outcome,
        "counts": report.generation.manifest.counts,
        "seconds": round(report.seconds, 3),
        "parsed": report.work.parsed,
        "embedded": report.work.embedded,
        "written": report.work.written,
        "resolved": report.work.resolved,
        "builtAnewBecause": report.rebuilt_because,
        "stages": {stage: round(seconds, 4) for stage, seconds in report.stages.items()},
        "problems": msgspec.to_builtins(problems),
        "manifestGaps": msgspec.to_builtins(gaps),
        "excluded": len(report.generation.manifest.excluded),
        "notices": list(report.notices),
    }


def report_text(report: IndexReport, problems: Sequence[FileProblem], gaps: Sequence[ManifestGap] = ()) -> str:
    """Return one sentence about the run, then the problems of files and the gaps of manifests."""
    counts = report.generation.manifest.counts
    holds = f"{counts.get('File', 0):,} files, {counts.get('Symbol', 0):,} symbols, {counts.get('CALLS', 0):,} call edges"
    number = report.generation.number
    if report.outcome == "unchanged":
        first = f"Nothing changed: generation {number} holds {holds} ({report.seconds:.1f} s)."
    else:
        done = report.work
        work = f"{done.parsed:,} files parsed, {done.resolved:,} resolved, {done.embedded:,} chunks embedded"
        first = f"Indexed {holds} in {report.seconds:.1f} s (generation {number}; {work})."
    why = [f"All files were resolved again: {report.rebuilt_because}."] if report.rebuilt_because else []
    listed = _listed("Problems", [_problem_line(problem) for problem in problems])
    return "\n".join([first, *why, *listed, *_listed("Manifests", [_problem_line(gap) for gap in gaps])])


def status_json(status: Status, hooks: Sequence[str]) -> dict[str, Any]:
    """Return the status for programs. `hooks` are the names of the hooks of Git that run Astrolabe."""
    return {**status.to_json(), "hooks": list(hooks)}


def status_text(status: Status, hooks: Sequence[str]) -> str:
    """Return the status for people. `hooks` are the names of the hooks of Git that run Astrolabe."""
    commit = f" at commit {status.git_head[:12]}" if status.git_head else ""
    sizes = status.sizes
    lines = [
        status.root,
        f"Generation {status.generation}, written {status.created_at[:19]}Z{commit}: {_freshness(status)}",
        f"{status.files:,} files, {status.symbols:,} symbols, {status.counts.get('CALLS', 0):,} call edges; "
        f"embedding model {status.model}, graph engine {status.graph_engine}",
        f"Source {_size(sizes.source)}, graph {_size(sizes.graph)}, vectors {_size(sizes.vectors)}, "
        f"all of {status.data_dir} {_size(sizes.total)}",
        status.engine_note or "The type engine is compiled.",
        *_health_lines(status.health, hooks, status.git_head),
        *_listed("Changed since", list(status.stale_files)),
        *_listed("Problems", [_problem_line(problem) for problem in status.problem_files]),
        *_listed("Excluded", [f"{item.path}: {item.reason}" for item in status.excluded]),
    ]
    return "\n".join(lines)


def _health_lines(health: Health, hooks: Sequence[str], commit: str) -> list[str]:
    by_language: dict[str, list[str]] = {}
    for each in health.unresolved_calls:
        by_language.setdefault(each.language, []).append(f"{each.reason} {each.count:,}")
    history = "no commits read yet" if commit else "there is no commit of Git"
    if health.history is not None:
        count = health.history.commits
        reach = "" if health.history.is_complete else "the newest "
        behind = "" if health.history.is_current else ", behind HEAD"
        history = f"{reach}{count:,} {'commit' if count == 1 else 'commits'} read{behind}"
    imports = [f"{each.file}:{each.line}: {each.specifier} ({each.reason})" for each in health.unresolved_imports]
    return [
        f"History: {history}; hooks of Git: {', '.join(hooks) or 'none'}; clients: {', '.join(health.clients) or 'none'}",
        *(f"Unresolved calls in {language}: {', '.join(reasons)}" for language, reasons in by_language.items()),
        *_listed("Manifests", [_problem_line(gap) for gap in health.manifest_gaps]),
        *_listed("Unresolved imports", imports),
    ]


def _freshness(status: Status) -> str:
    if status.fresh:
        return "fresh"
    causes = [f"{len(status.stale_files):,} files changed"] if status.stale_files else []
    causes += [f"{len(status.data_files):,} data files came or went"] if status.data_files else []
    causes += ["the configuration changed"] if status.configuration_changed else []
    return "behind, since " + " and ".join(causes)


def _problem_line(problem: FileProblem | ManifestGap) -> str:
    return f"{problem.file}:{problem.line}: {problem.reason}"


def _listed(title: str, lines: list[str]) -> list[str]:
    """Return the first `MAX_LIST_LENGTH` lines of a list below a title; no lines for an empty list."""
    if not lines:
        return []
    more = [f"  … and {len(lines) - MAX_LIST_LENGTH:,} more (--json lists all)"] if len(lines) > MAX_LIST_LENGTH else []
    return [f"{title} ({len(lines):,}):", *(f"  {line}" for line in lines[:MAX_LIST_LENGTH]), *more]


def _size(count: int) -> str:
    """Return a readable size: `812 B`, `4.2 MB`."""
    if count < 1000:
        return f"{count} B"
    units = ("kB", "MB", "GB")
    power = min(len(units), (len(str(count)) - 1) // 3)
    return f"{count / 1000**power:.1f} {units[power - 1]}"
