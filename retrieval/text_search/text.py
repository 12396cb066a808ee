"""Write matching lines like grep: a heading for each file, matches as `line: text`, and context as `line- text`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import zip_longest

from .records import LineMatch, LiteralAnswer


def matches_text(answer: LiteralAnswer) -> str:
    """Return the text of an answer: the lines with their enclosing declarations, then the number of further lines."""
    return "\n".join([*_lines(answer)])


def _lines(answer: LiteralAnswer) -> Iterator[str]:
    candidates = f", {answer.total_candidates:,} symbols ranked" if answer.total_candidates else ""
    plural = "" if answer.total_matches == 1 else "s"
    files = f"{answer.total_files:,} file{'' if answer.total_files == 1 else 's'}"
    query = answer.query.replace("\n", "\\n")
    yield f'"{query}": {answer.total_matches:,} line{plural} in {files}{candidates} ({answer.search_time_ms:g} ms)'
    file = symbol = ""
    above = 0
    for match, following in zip_longest(answer.results, answer.results[1:]):
        if match.file != file:
            yield f"\n{match.file}"
            above = 0
        if (match.file, match.symbol) != (file, symbol) and match.symbol and match.context is not None:
            yield f"  in {match.kind} {match.symbol}"
        file, symbol = match.file, match.symbol
        is_next = following is not None and following.file == file and following.line > match.line
        yield from _match(match, above, following.line if is_next else sys.maxsize)
        # In a ranking, a later result may be on an earlier line of the file. The file then has a new heading.
        above = min(_last_shown(match), following.line - 1) if is_next else 0
    if answer.unread_files:
        yield f"\nNot searched, because they could not be read: {', '.join(answer.unread_files)}"
    if answer.hint:
        yield f"\n{answer.hint}"


def _match(match: LineMatch, above: int, below: int) -> Iterator[str]:
    """Yield a line with its context, without lines that are separate matches."""
    score = f" ({match.source} {match.score:.2f})" if match.source else ""
    cell = f" ({match.place.removeprefix(f'{match.file}:')})" if match.place else ""
    if match.context is None:
        yield f"  {match.line}{cell}: {match.kind} {match.symbol}{score}"
        return
    before = match.context.before.split("\n") if match.context.before else []
    after = match.context.after.split("\n") if match.context.after else []
    lines = match.context.line.split("\n")
    for number, text in enumerate(before, match.line - len(before)):
        yield from ([f"  {number}- {text}"] if number > above else [])
    # A match on several lines may end on the line on which the next match begins.
    for number, text in enumerate(lines[: max(0, below - match.line)], match.line):
        yield f"  {number}{cell}: {text}{score}"
        cell = score = ""
    for number, text in enumerate(after, match.line + len(lines)):
        yield from ([f"  {number}- {text}"] if number < below else [])


def _last_shown(match: LineMatch) -> int:
    shown = [match.context.line, match.context.after] if match.context is not None else []
    return match.line - 1 + sum(text.count("\n") + 1 for text in shown if text)
