"""Findings as compilers print them: `file:line: message`."""

from __future__ import annotations

from collections.abc import Iterator

from ..analyses.subject import counted
from .records import LintAnswer


def lint_text(answer: LintAnswer) -> str:
    """Return each section with its findings, then the notes about omitted findings."""
    return "\n".join(_lines(answer))


def _lines(answer: LintAnswer) -> Iterator[str]:
    summary = answer.summary
    if answer.diagnostics is not None:
        yield f"Diagnostics: {_counts(summary.by_severity)}"
        for each in answer.diagnostics:
            column = f":{each.column}" if each.column else ""
            place = _place(answer, each.file, each.line)
            yield f"  {place}{column}: {each.severity} {f'{each.code} ' if each.code else ''}{each.message}"
    if answer.dead_code is not None:
        yield f"Dead code: {_counts(summary.dead_code_by_kind)} ({summary.entry_points or 0:,} entry points)"
        for dead in answer.dead_code:
            yield f"  {_place(answer, dead.file, dead.line)}: {dead.kind} {dead.symbol}: {dead.reason} ({dead.confidence})"
    if answer.not_known:
        yield f"Not known whether dead: {summary.total_not_known or 0:,}"
        for unsure in answer.not_known:
            yield f"  {_place(answer, unsure.file, unsure.line)}: {unsure.kind} {unsure.symbol}: {unsure.reason}"
    if summary.total_generated:
        yield f"Dead code in generated files and copies of packages: {summary.total_generated:,} (not listed)"
    if answer.duplicates is not None:
        yield f"Duplicates: {_counts({'groups': summary.total_duplicate_groups or 0})}"
        for group in answer.duplicates:
            yield f"  {group.similarity:.0%} alike. {group.suggestion}"
            for clone in group.members:
                start, _, first = _place(answer, clone.file, clone.line).rpartition(":")
                lines = f"{first}-{int(first) + clone.end_line - clone.line}"
                yield f"    {start}:{lines}: {clone.kind} {clone.symbol}".rstrip()
            yield from ([f"    and {group.more_members:,} more"] if group.more_members else [])
    if answer.circular_deps is not None:
        yield f"Circular imports: {summary.total_circular_deps or 0:,}"
        for edge in answer.break_first:
            yield f"  remove {edge.importer} > {edge.imported}: breaks {edge.circles:,}"
        for circle in answer.circular_deps:
            kind = f" ({circle.kind})" if circle.kind != "load" else ""
            yield f"  {circle.severity}{kind}: {' > '.join(circle.chain)}"
    yield from answer.notes


def _place(answer: LintAnswer, path: str, line: int) -> str:
    """Return the place of a line: path and line, and in a notebook the cell and the line in the cell."""
    return answer.cells.get(f"{path}:{line}", f"{path}:{line}")


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(_count(count, name) for name, count in counts.items() if count) or "none"


def _count(count: int, name: str) -> str:
    """Return a count with its noun. `name` is plural for kinds and singular for severities."""
    one = "class" if name == "classes" else name.removesuffix("s")
    return counted(count, one, "classes" if one == "class" else "")
