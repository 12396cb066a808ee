"""The effects of a change, as text."""

from __future__ import annotations

from collections.abc import Iterator

from ...schema.languages import DOCUMENTS
from ..analyses.subject import counted
from .records import AlteredData, ChangesAnswer, FileChange, StatementChange, SymbolChange

#: Text for each kind of change.
_WORDS = {"layout": "only comments or layout", "body": "body changed", "signature": "signature changed"}


def changes_text(answer: ChangesAnswer) -> str:
    return "\n".join(_lines(answer))


def told_changes(symbol: SymbolChange) -> str:
    """Return the changes of a symbol as text: "moved from src/a.ts:3, body changed"."""
    origin = f" from {symbol.old_symbol} ({symbol.old_at})" if symbol.old_at else ""
    words = [_WORDS.get(change, change) for change in symbol.changes]
    words[0] += origin
    return ", ".join(words)


def told_risk(answer: ChangesAnswer) -> str:
    """Return the risk of a change as text."""
    return "no risk" if answer.risk.level == "none" else f"{answer.risk.level} risk"


def summary_line(answer: ChangesAnswer) -> str:
    """Return how many files and symbols changed, and how."""
    kinds = ", ".join(f"{count:,} {_WORDS.get(kind, kind)}" for kind, count in answer.summary.items())
    count = len(answer.files) + answer.left_out.get("files", 0)
    return f"{counted(count, 'file')}; symbols: {kinds}" if kinds else f"{counted(count, 'file')}; no symbol changed"


def _lines(answer: ChangesAnswer) -> Iterator[str]:
    yield f"Changes from {answer.old} to {answer.new}: {told_risk(answer)}"
    yield from (f"  {reason}" for reason in answer.risk.reasons)
    yield summary_line(answer)
    yield from answer.notes
    if answer.broken:
        yield "Broken by this change:"
        yield from (f"  {place.at} {place.reason}" for place in answer.broken)
    if answer.symbols:
        yield "Symbols:"
        for symbol in answer.symbols:
            yield from _symbol(symbol)
    if plain := plain_files(answer):
        yield "Files:"
        yield from (f"  {told_file(file)}" for file in plain)
    if answer.data or answer.statements:
        yield "Data:"
        yield from (f"  {told_data(each)}" for each in answer.data)
        yield from (f"  {each.symbol} ({each.at})   {told_statements(each)}" for each in answer.statements)
    if answer.modules:
        yield f"May be affected, by module: {', '.join(f'{name} {count:,}' for name, count in answer.modules.items())}"
        yield from (f"  {each.distance}  {each.symbol} ({each.at})   {', '.join(each.through)}" for each in answer.affected)
    if answer.entry_points:
        yield "Entry points:"
        for point in answer.entry_points:
            yield f"  {point.distance}  {point.framework} {point.role}: {point.text} ({point.symbol}, {point.at})"
    if answer.documents:
        yield "Documents that speak of it:"
        yield from (f"  {each.at} {each.section}   {', '.join(each.names)}" for each in answer.documents)
    if answer.tests:
        yield "Tests to run:"
        yield from (f"  {test.file}   {test.reason}" for test in answer.tests)
    for command in answer.commands:
        yield f"  $ {f'cd {command.folder} && ' if command.folder else ''}{command.command}"
    if answer.partners:
        yield "Usually changed too:"
        yield from (f"  {each.confidence:.0%} {each.breadcrumb} (with {each.changes_with})" for each in answer.partners)
    if answer.owners:
        yield f"Owners: {', '.join(f'{each.name} {each.commits:,} ({each.share:.0%})' for each in answer.owners)}"
    if answer.left_out:
        yield f"Left out: {', '.join(f'{count:,} of {name}' for name, count in answer.left_out.items())}."


def _symbol(symbol: SymbolChange) -> Iterator[str]:
    marks = [told_changes(symbol)]
    marks += ["exported"] if symbol.exported else []
    marks += [counted(symbol.users, "user")] if symbol.users else []
    marks += [f"with {counted(symbol.members, 'member')}"] if symbol.members else []
    yield f"  {symbol.kind} {symbol.symbol} ({symbol.at})   {'; '.join(marks)}"
    if "signature" in symbol.changes:
        yield f"    - {symbol.old_signature}"
        yield f"    + {symbol.signature}"


def told_data(altered: AlteredData) -> str:
    """Return the change of a table or a column as text: "boats.length (db/3.sql:1)   altered; 2 readers, 1 writer"."""
    users = [counted(count, noun) for count, noun in ((altered.readers, "reader"), (altered.writers, "writer")) if count]
    return f"{altered.name} ({altered.at})   {'; '.join([altered.change, *([', '.join(users)] if users else [])])}"


def told_statements(changed: StatementChange) -> str:
    """Return how the statements of a declaration changed: "now reads boats.name; no longer uses boats.berth"."""
    parts = [("now reads", changed.reads), ("now modifies", changed.modifies), ("no longer uses", changed.no_longer)]
    return "; ".join(f"{verb} {', '.join(names)}" for verb, names in parts if names)


def plain_files(answer: ChangesAnswer) -> list[FileChange]:
    """Return the changed files about which the changed symbols do not say everything."""
    return [
        file
        for file in answer.files
        if file.status != "changed" or file.not_compared or file.statements_changed or file.only or file.language in DOCUMENTS
    ]


def told_file(file: FileChange) -> str:
    """Return the change of a file as text: "renamed from src/a.ts src/b.ts, statements at the root changed"."""
    origin = f" from {file.old_file}" if file.old_file else ""
    reason = f" (not compared: {file.not_compared})" if file.not_compared else ""
    statements = ", statements at the root changed" if file.statements_changed else ""
    only = {"": "", "layout": ", only comments or layout", "mode": ", only the mode"}[file.only]
    return f"{file.status}{origin} {file.file}{reason}{statements}{only}"
