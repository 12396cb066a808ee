"""Names that Rails derives from other names: https://api.rubyonrails.org/classes/ActiveSupport/Inflector.html."""

from __future__ import annotations

import re
from typing import Final

from ....data.plural_rules import compiled, inflected

_IRREGULAR: Final = {
    "person": "people", "man": "men", "child": "children", "move": "moves", "mouse": "mice", "ox": "oxen", "quiz": "quizzes",
}  # fmt: skip
_UNCOUNTABLE: Final = frozenset(
    ("equipment", "information", "rice", "money", "species", "series", "fish", "sheep", "jeans", "police", "news")
)
_PLURALS: Final = compiled(
    (r"(matr|vert|ind)(?:ix|ex)$", r"\1ices"),
    (r"(x|ch|ss|sh)$", r"\1es"),
    (r"([^aeiouy]|qu)y$", r"\1ies"),
    (r"(?:([^f])fe|([lr])f)$", r"\1\2ves"),
    (r"sis$", "ses"),
    (r"([ti])um$", r"\1a"),
    (r"(buffal|tomat|potat)o$", r"\1oes"),
    (r"(bus|alias|status)$", r"\1es"),
    (r"(octop|vir)us$", r"\1i"),
    (r"s$", "s"),
    (r"$", "s"),
    flags=re.NOFLAG,
)
_HUMP: Final = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def plural(name: str) -> str:
    """Return the plural of a name in snake case: `story_text` becomes `story_texts`."""
    first, joint, last = name.rpartition("_")
    if last in _UNCOUNTABLE:
        return name
    if last in _IRREGULAR:
        return f"{first}{joint}{_IRREGULAR[last]}"
    return f"{first}{joint}{inflected(_PLURALS, last)}"


def singular(name: str) -> str:
    """Return the singular of a name in snake case, by the regular rules."""
    first, joint, last = name.rpartition("_")
    irregular = next((one for one, many in _IRREGULAR.items() if many == last), "")
    if irregular or last in _UNCOUNTABLE:
        return f"{first}{joint}{irregular or last}"
    for ending, replacement in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("uses", "us")):
        if name.endswith(ending):
            return name.removesuffix(ending) + replacement
    return name if name.endswith("ss") else name.removesuffix("s")


def underscored(name: str) -> str:
    """Return the name of a class in snake case: `StoryText` becomes `story_text`."""
    return _HUMP.sub("_", name).lower()


def camelized(name: str) -> str:
    """Return the name of a class for a name in snake case: `story_text` becomes `StoryText`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))
