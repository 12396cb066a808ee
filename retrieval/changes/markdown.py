"""The effects of a change, as Markdown for the comment of a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..analyses.subject import counted
from .records import ChangesAnswer, SymbolChange
from .text import plain_files, summary_line, told_changes, told_data, told_file, told_risk, told_statements

#: Characters that Markdown or HTML may interpret as markup.
_MARKUP = str.maketrans({each: f"\\{each}" for each in "\\`*_[]<>|#@!~"})


def changes_markdown(answer: ChangesAnswer) -> str:
    """Return an answer as Markdown that ends with a line break."""
    return "\n".join(_lines(answer)) + "\n"


def _lines(answer: ChangesAnswer) -> Iterator[str]:
    yield f"### {told_risk(answer).capitalize()}"
    yield ""
    yield f"Changes from {_code(answer.old)} to {_code(answer.new)}. {_text(summary_line(answer))}."
    yield ""
    yield from (f"- {_text(reason)}" for reason in answer.risk.reasons)
    if answer.broken:
        yield from ("", "**Broken by this change**", "")
        yield from (f"- {_code(place.at)} {_text(place.reason)}" for place in answer.broken)
    if answer.tests:
        yield from ("", "**Tests to run**", "")
        yield from (f"- {_code(test.file)}: {_text(test.reason)}" for test in answer.tests)
    if answer.commands:
        yield from ("", "```sh")
        yield from (
            f"{f'cd {each.folder} && ' if each.folder else ''}{each.command}".replace("```", "") for each in answer.commands
        )
        yield "```"
    if answer.symbols:
        head = ("Symbol", "Where", "What changed", "Users")
        rows = [
            (f"{each.kind} {_code(each.symbol)}", _code(each.at), _changes(each), f"{each.users or ''}")
            for each in answer.symbols
        ]
        yield from _folded(counted(len(answer.symbols), "changed symbol"), _table(head, rows))
    if plain := plain_files(answer):
        yield from _folded(counted(len(plain), "other change") + " of files", (f"- {_text(told_file(file))}" for file in plain))
    if answer.data or answer.statements:
        told = [told_data(each) for each in answer.data]
        told += [f"{each.symbol} ({each.at}): {told_statements(each)}" for each in answer.statements]
        yield from _folded(counted(len(told), "change") + " of data", (f"- {_text(each)}" for each in told))
    if answer.affected:
        rows_of_affected = [
            (_code(each.symbol), _code(each.at), str(each.distance), ", ".join(each.through)) for each in answer.affected
        ]
        title = f"{sum(answer.modules.values()):,} symbols may be affected"
        yield from _folded(title, _table(("Symbol", "Where", "Steps", "Through"), rows_of_affected))
    if answer.entry_points:
        points = [(each.framework, each.role, _code(each.text), _code(each.at)) for each in answer.entry_points]
        yield from _folded(f"{len(points):,} entry points", _table(("Framework", "Role", "Name", "Where"), points))
    if answer.documents:
        sections = [(_text(each.section), _code(each.at), ", ".join(map(_code, each.names))) for each in answer.documents]
        yield from _folded(
            f"{len(sections):,} sections of documents speak of it", _table(("Section", "Where", "Names"), sections)
        )
    if answer.partners:
        yield from ("", "**Usually changed too**", "")
        yield from (
            f"- {_code(each.breadcrumb)} ({each.confidence:.0%} with {_code(each.changes_with)})" for each in answer.partners
        )
    if answer.owners:
        yield from ("", f"Owners: {_text(', '.join(each.name for each in answer.owners))}")
    if answer.notes:
        yield ""
        yield from (f"- {_text(note)}" for note in answer.notes)
    if answer.left_out:
        yield from ("", f"Left out: {_text(', '.join(f'{count:,} of {name}' for name, count in answer.left_out.items()))}.")


def _changes(symbol: SymbolChange) -> str:
    """Return the changes of a symbol, with both signatures if they differ."""
    told = _text(told_changes(symbol))
    if "signature" not in symbol.changes or not (symbol.old_signature and symbol.signature):
        return told
    return f"{told}: {_code(symbol.old_signature)} → {_code(symbol.signature)}"


def _folded(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield from ("", f"<details><summary>{title}</summary>", "")
    yield from lines
    yield from ("", "</details>")


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    names = list(head)
    yield f"| {' | '.join(names)} |"
    yield f"|{'---|' * len(names)}"
    yield from (f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)


def _code(text: str) -> str:
    """Return text as code. A name with a backtick gets a longer fence."""
    flat = " ".join(text.split())
    return f"`` {flat} ``" if "`" in flat else f"`{flat}`"


def _text(text: str) -> str:
    """Return text with all markup escaped. Names in a repository may contain any characters."""
    return " ".join(text.split()).translate(_MARKUP)
