r"""The classes `\w`, `\d` and `\s` of patterns as they are for all of Unicode: RE2 knows them for ASCII alone."""

from __future__ import annotations

from typing import Final

#: What stands for each class between brackets.
_CLASSES: Final = {
    "w": r"\pL\pM\p{Nd}\p{Nl}\p{Pc}\x{200c}\x{200d}",
    "d": r"\p{Nd}",
    "s": r"\t-\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}",
}
#: What stands within other brackets for what is in none of a class; of `\W` that would be a list of hundreds.
_OTHERS: Final = {
    "D": r"\P{Nd}",
    "S": r"\x{0}-\x{8}\x{e}-\x{1f}!-\x{84}\x{86}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}"
    r"\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{10ffff}",
}


def with_unicode_classes(pattern: str) -> str:
    """The pattern with these classes written out; quoted text (`\\Q…\\E`) and other escapes stay as they are."""
    written: list[str] = []
    at, size, brackets = 0, len(pattern), False
    while at < size:
        sign = pattern[at]
        end = at + 1
        if sign == "\\":
            end = _escape_end(pattern, at)
            sign = _class(pattern[at:end], brackets)
        elif brackets and pattern.startswith("[:", at) and (closing := pattern.find(":]", at)) > 0:
            end = closing + 2
            sign = pattern[at:end]
        elif brackets:
            brackets = sign != "]"
        elif sign == "[":
            # A bracket that closes right behind the one that opens is one of the signs.
            end += pattern.startswith("^", end)
            end += pattern.startswith("]", end)
            brackets, sign = True, pattern[at:end]
        written.append(sign)
        at = end
    return "".join(written)


def _escape_end(pattern: str, at: int) -> int:
    if pattern.startswith("\\Q", at):
        closing = pattern.find("\\E", at)
        return closing + 2 if closing > 0 else len(pattern)
    return min(at + 2, len(pattern))


def _class(escape: str, in_brackets: bool) -> str:
    name = escape[1:]
    if in_brackets:
        return _CLASSES.get(name) or _OTHERS.get(name) or escape
    if name in _CLASSES:
        return f"[{_CLASSES[name]}]"
    return f"[^{_CLASSES[name.lower()]}]" if name in ("W", "D", "S") else escape
