"""Found lines as grep prints them: a heading for each file, `line: text`, context behind `line-`."""

from __future__ import annotations

from collections.abc import Iterator

from .records import LineMatch, LiteralAnswer


def matches_text(answer: LiteralAnswer) -> str:
    """The lines with the declarations around them, then what is not shown."""
    return "\n".join([*_lines(answer)])


def _lines(answer: LiteralAnswer) -> Iterator[str]:
    candidates = f", {answer.total_candidates:,} symbols ranked" if answer.total_candidates else ""
    plural = "" if answer.total_matches == 1 else "s"
    files = f"{answer.total_files:,} file{'' if answer.total_files == 1 else 's'}"
    yield f'"{answer.query}": {answer.total_matches:,} line{plural} in {files}{candidates} ({answer.search_time_ms:g} ms)'
    file = symbol = ""
    for match in answer.results:
        if match.file != file:
            yield f"\n{match.file}"
        if (match.file, match.symbol) != (file, symbol) and match.symbol and match.context is not None:
            yield f"  in {match.kind} {match.symbol}"
        file, symbol = match.file, match.symbol
        yield from _match(match)
    if answer.unread_files:
        yield f"\nNot searched, because they could not be read: {', '.join(answer.unread_files)}"
    if answer.hint:
        yield f"\n{answer.hint}"


def _match(match: LineMatch) -> Iterator[str]:
    score = f" ({match.source} {match.score:.2f})" if match.source else ""
    if match.context is None:
        yield f"  {match.line}: {match.kind} {match.symbol}{score}"
        return
    before = match.context.before.split("\n") if match.context.before else []
    after = match.context.after.split("\n") if match.context.after else []
    lines = match.context.line.split("\n")
    yield from (f"  {match.line - len(before) + offset}- {text}" for offset, text in enumerate(before))
    yield from (f"  {match.line + offset}: {text}{score if not offset else ''}" for offset, text in enumerate(lines))
    yield from (f"  {match.line + len(lines) + offset}- {text}" for offset, text in enumerate(after))
