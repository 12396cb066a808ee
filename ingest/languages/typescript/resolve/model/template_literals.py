"""Template literal types: built from their parts, and matched against strings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .free_parameters import is_open
from .type_model import BIGINT, BOOLEAN, MAX_PARTS, NEVER, NULL, NUMBER, STRING, UNDEFINED, Literal, Template, Type, Union, union

#: Parts that match any text of their kind.
_PLACEHOLDERS = (STRING, NUMBER, BIGINT)
_BOOLEANS = (Literal(BOOLEAN, "true"), Literal(BOOLEAN, "false"))
#: Pieces of a text, and the types between the pieces. The number of pieces is the number of types plus one.
_Pieces = tuple[Sequence[str], Sequence[Type]]


def template_type(texts: Sequence[str], parts: Sequence[Type]) -> Type:
    """Return the type of a template with `texts` around `parts`.

    The type is a literal, a union of literals or templates, or a `Template`. The type is `string` if a part does not restrict its
    text.
    """
    for place, part in enumerate(parts):
        options = part.parts if isinstance(part, Union) else _BOOLEANS if part is BOOLEAN else ()
        if options:
            if _combination_count(parts) > MAX_PARTS:
                return STRING
            return union(template_type(texts, [*parts[:place], option, *parts[place + 1 :]]) for option in options)
    merged, kept = [texts[0]], list[Type]()
    for part, text in zip(parts, texts[1:], strict=True):
        if part is NEVER:
            return NEVER
        pieces = _pieces(part)
        if pieces is None:
            return STRING
        merged[-1] += pieces[0][0]
        merged += pieces[0][1:]
        kept += pieces[1]
        merged[-1] += text
    if not kept:
        return Literal(STRING, merged[0])
    return STRING if kept == [STRING] and not any(merged) else Template(merged, kept)


def _combination_count(parts: Sequence[Type]) -> int:
    count = 1
    for part in parts:
        count *= len(part.parts) if isinstance(part, Union) else 2 if part is BOOLEAN else 1
    return count


def _pieces(kind: Type) -> _Pieces | None:
    """Return the text of a type inside a template; None if it is not known."""
    if isinstance(kind, Literal):
        return (kind.value,), ()
    if isinstance(kind, Template):
        return kind.texts, kind.parts
    if kind is NULL or kind is UNDEFINED:
        return ("null" if kind is NULL else "undefined",), ()
    return (("", ""), (kind,)) if kind in _PLACEHOLDERS or is_open(kind) else None


def pieces_for(source: Type, target: Template) -> list[Type] | None:
    """Return the parts of a string literal or template that match the target's parts; None if the texts do not fit.

    A part matches as little as possible, but at least one character if there is no text between it and the next part. The last
    part
    matches the rest.
    """
    pieces = _pieces(source) if isinstance(source, Template) or (isinstance(source, Literal) and source.base is STRING) else None
    if pieces is None:
        return None
    texts, parts = list(pieces[0]), pieces[1]
    first, *between, last = target.texts
    if not texts[0].startswith(first) or not texts[-1].endswith(last):
        return None
    if len(texts) == 1 and len(texts[0]) < len(first) + len(last):
        return None
    texts[-1] = texts[-1][: len(texts[-1]) - len(last)]
    found: list[Type] = []
    at, position = 0, len(first)
    for delimiter in between:
        end = _find_end(texts, at, position, delimiter)
        if end is None:
            return None
        found.append(_piece_between(texts, parts, at, position, *end))
        at, position = end[0], end[1] + len(delimiter)
    found.append(_piece_between(texts, parts, at, position, len(texts) - 1, len(texts[-1])))
    return found


def _find_end(texts: Sequence[str], at: int, position: int, delimiter: str) -> tuple[int, int] | None:
    """Return the piece and position where a part ends: at its delimiter, or after one character without a delimiter."""
    if not delimiter:
        if position < len(texts[at]):
            return at, position + 1
        return (at + 1, 0) if at + 1 < len(texts) else None
    for piece in range(at, len(texts)):
        place = texts[piece].find(delimiter, position if piece == at else 0)
        if place >= 0:
            return piece, place
    return None


def _piece_between(texts: Sequence[str], parts: Sequence[Type], at: int, start: int, until: int, end: int) -> Type:
    if at == until:
        return Literal(STRING, texts[at][start:end])
    return template_type([texts[at][start:], *texts[at + 1 : until], texts[until][:end]], parts[at:until])


def as_constrained(piece: Type, bound: Type) -> Type:
    """Return the type of a piece of text under a constraint: for `infer N extends number` a number literal."""
    if not isinstance(piece, Literal):
        return piece
    allowed = bound.parts if isinstance(bound, Union) else (bound,)
    if STRING in allowed:
        return piece
    if NUMBER in allowed and is_number(piece.value):
        return Literal(NUMBER, piece.value)
    if BOOLEAN in allowed and piece.value in ("true", "false"):
        return Literal(BOOLEAN, piece.value)
    return next((kind for kind in (NULL, UNDEFINED) if kind in allowed and kind.name == piece.value), piece)


def is_number(text: str) -> bool:
    """Return whether a text has the form in which JavaScript prints numbers."""
    try:
        value = float(text)
    except ValueError:
        return False
    return text == (str(int(value)) if value.is_integer() and abs(value) < 1e21 else repr(value))


def fits(source: Type, target: Template, compare: Callable[[Type, Type], bool | None]) -> bool | None:
    """Return whether a string type fits a template; None if it is not known."""
    if source is STRING:
        return False
    pieces = pieces_for(source, target)
    if pieces is None:
        return False if isinstance(source, Literal) else None
    answer: bool | None = True
    for piece, part in zip(pieces, target.parts, strict=True):
        fit = _fits_part(piece, part, compare)
        if fit is False:
            return False
        answer = answer and fit
    return answer


def _fits_part(piece: Type, part: Type, compare: Callable[[Type, Type], bool | None]) -> bool | None:
    if part is NUMBER or part is BIGINT:
        return is_number(piece.value) if isinstance(piece, Literal) else None
    return True if part is STRING else compare(piece, part)
