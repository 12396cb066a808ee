"""The spellings of a name, and texts with placeholders for the spellings: `cart.service.ts` becomes `{name}.service.ts`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
#: Placeholders of the spellings that begin in lower case, and placeholder of the spelling in the path of the module.
_STYLES = ("{na-me}", "{na_me}", "{naMe}")
_OWN = "{name}"
_PASCAL, _UPPER = "{Name}", "{NAME}"


def spellings(name: str) -> dict[str, str]:
    """Return the spellings of a name by placeholder."""
    words = _words(name)
    titled = [word[:1].upper() + word[1:] for word in words]
    return {
        "{na-me}": "-".join(words),
        "{na_me}": "_".join(words),
        "{naMe}": words[0] + "".join(titled[1:]),
        _PASCAL: "".join(titled),
        _UPPER: "_".join(words).upper(),
    }


def as_siblings_write(name: str, siblings: Iterable[str]) -> str:
    """Return the name of a new module in the spelling of siblings with several words; unchanged if there are none."""
    if re.fullmatch(r"[\w-]+", name) is None:
        return name
    told = Counter(
        style
        for sibling in siblings
        if len(_words(sibling)) > 1
        for style, spelling in spellings(sibling).items()
        if spelling == sibling
    )
    return spellings(name)[told.most_common(1)[0][0]] if told else name


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)] or [name.lower()]


class Generalizer:
    """Replaces the spellings of the name of one sibling by placeholders."""

    def __init__(self, name: str) -> None:
        self.is_one_word = len(_words(name)) <= 1
        forms = spellings(name)
        self._placeholders = {name: _OWN}
        for placeholder, spelling in forms.items():
            self._placeholders.setdefault(spelling, placeholder)
        parts = []
        for spelling in sorted(self._placeholders, key=len, reverse=True):
            # `createCart` and `cart_total` contain the name `cart`, but other longer words do not.
            behind = r"(?![a-z0-9])" if spelling != forms[_UPPER] else r"(?![A-Za-z0-9])"
            before = r"(?<![A-Z])" if spelling[:1].isupper() and spelling != forms[_UPPER] else r"(?<![A-Za-z0-9])"
            parts.append(f"{before}{re.escape(spelling)}{behind}")
        self._pattern = re.compile("|".join(parts))

    def of(self, text: str) -> str:
        """Return a text in which placeholders replace the spellings of the name."""
        return self._pattern.sub(lambda found: self._placeholders[found[0]], text)


def common_form(text: str) -> str:
    """Return a generalized text with `{name}` for all lower-case spellings, because these are equal for a name of one word."""
    for style in _STYLES:
        text = text.replace(style, _OWN)
    return text


def styled(forms: Counter[str]) -> str:
    """Return the most frequent of some texts with the same common form, preferring texts without `{name}`."""
    return max(forms, key=lambda text: (_OWN not in text, forms[text], text))


def filled(text: str, forms: Mapping[str, str], own: str) -> str:
    """Return a generalized text for a new module, with the spellings of its name from `forms`, and with `own` for `{name}`."""
    for placeholder, spelling in forms.items():
        text = text.replace(placeholder, spelling)
    return text.replace(_OWN, own)
