"""The history as text."""

from __future__ import annotations

from collections.abc import Iterator

from ..analyses.subject import counted
from .records import Contributor, HistoryAnswer, ShownCommit


def history_text(answer: HistoryAnswer) -> str:
    return "\n".join(_lines(answer))


def _lines(answer: HistoryAnswer) -> Iterator[str]:
    yield f"History of {answer.subject or 'the workspace'}" + (f" ({answer.kind} {answer.at})" if answer.at else "")
    yield from answer.notes
    if (churn := answer.churn) is not None:
        lines = f", +{churn.added:,} -{churn.deleted:,} lines" if churn.added or churn.deleted else ""
        yield f"{counted(churn.commits, 'commit')}{lines}, from {churn.first_touched[:10]} to {churn.last_touched[:10]}"
    if answer.owners:
        yield f"Owners by lines: {', '.join(_person(each, each.lines) for each in answer.owners)}"
    if answer.authors:
        yield f"Authors by commits: {', '.join(_person(each, each.commits) for each in answer.authors)}"
    if answer.co_changes:
        yield "Changes together with:"
        for each in answer.co_changes:
            name = f"{each.symbol} in {each.file}" if each.symbol else each.file
            yield f"  {each.confidence:.0%} {name} ({counted(each.support, 'commit')})"
    if answer.hotspots:
        yield "Hotspots:"
        yield from (
            f"  {each.file} ({counted(each.commits, 'commit')}, most by {each.author}, {counted(each.lines, 'line')})"
            for each in answer.hotspots
        )
    if answer.commits:
        yield "Commits:"
        yield from (f"  {_commit(commit)}" for commit in answer.commits)
    if answer.candidates:
        yield "Candidates:"
        yield from (f"  {candidate}" for candidate in answer.candidates)
    if answer.left_out:
        yield f"Left out: {answer.left_out:,} entries."


def _person(person: Contributor, count: int) -> str:
    return f"{person.name} {count:,} ({person.share:.0%})"


def _commit(commit: ShownCommit) -> str:
    refs = f" [{', '.join(commit.refs)}]" if commit.refs else ""
    renamed = f" (renamed from {commit.renamed_from})" if commit.renamed_from else ""
    lines = f" +{commit.added} -{commit.deleted}" if commit.added or commit.deleted else ""
    return f"{commit.commit[:10]} {commit.date[:10]} {commit.author}{lines} {commit.title}{refs}{renamed}"
