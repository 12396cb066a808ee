r"""Expand the classes `\w`, `\d` and `\s` of a pattern to their Unicode ranges. RE2 limits these classes to ASCII.

For example, `\d+` becomes `[\p{Nd}]+`.
"""

from __future__ import annotations

from typing import Final

#: Members of each class, as they are written between brackets.
_CLASSES: Final = {
    "w": r"\pL\pM\p{Nd}\p{Nl}\p{Pc}\x{200c}\x{200d}",
    "d": r"\p{Nd}",
    "s": r"\t-\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}",
}
#: Members of each negated class inside brackets. `\W` is omitted, because it would have hundreds of ranges.
_NEGATED_CLASSES: Final = {
    "D": r"\P{Nd}",
    "S": r"\x{0}-\x{8}\x{e}-\x{1f}!-\x{84}\x{86}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}"
    r"\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{10ffff}",
}


def with_unicode_classes(pattern: str) -> str:
    """Return the pattern with these classes expanded; quoted text (`\\Q…\\E`) and other escapes stay unchanged."""
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
            # A closing bracket directly after the opening one is a member of the class.
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
        return _CLASSES.get(name) or _NEGATED_CLASSES.get(name) or escape
    if name in _CLASSES:
        return f"[{_CLASSES[name]}]"
    return f"[^{_CLASSES[name.lower()]}]" if name in ("W", "D", "S") else escape
