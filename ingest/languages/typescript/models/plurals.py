"""Plural and singular forms for the names of tables, as object mappers in JavaScript form them."""

from __future__ import annotations

import re
from typing import Final

from ....data.plural_rules import compiled, inflected

#: Rules of Mongoose. The first matching rule applies.
_MONGOOSE: Final = compiled(
    (r"human$", "humans"), (r"(m|wom)an$", r"\1en"), (r"(pe)rson$", r"\1ople"), (r"(child)$", r"\1ren"), (r"^(ox)$", r"\1en"),
    (r"(ax|test)is$", r"\1es"), (r"(octop|cact|foc|fung|nucle)us$", r"\1i"), (r"(alias|status|virus)$", r"\1es"),
    (r"(bu)s$", r"\1ses"),
    (r"(buffal|tomat|potat)o$", r"\1oes"), (r"([ti])um$", r"\1a"), (r"sis$", "ses"), (r"(?:([^f])fe|([lr])f)$", r"\1\2ves"),
    (r"(hive)$", r"\1s"), (r"([^aeiouy]|qu)y$", r"\1ies"), (r"(x|ch|ss|sh)$", r"\1es"), (r"(matr|vert|ind)ix$|ex$", r"\1ices"),
    (r"([ml])ouse$", r"\1ice"), (r"(quiz)$", r"\1zes"), (r"^goose$", "geese"), (r"s$", "s"), (r"([^a-z])$", r"\1"), (r"$", "s"),
)  # fmt: skip
_MONGOOSE_UNCOUNTABLE: Final = frozenset(
    ("advice", "energy", "excretion", "digestion", "cooperation", "health", "justice", "labour", "machinery", "equipment",
     "information", "pollution", "sewage", "paper", "money", "species", "series", "rain", "rice", "fish", "sheep",
     "moose", "deer",
     "news", "expertise", "status", "media")
)  # fmt: skip
#: Rules of the package `inflection`, which Sequelize uses: irregular plurals, then endings.
_IRREGULAR: Final = (
    ("person", "people"), ("child", "children"), ("mouse", "mice"), ("louse", "lice"), ("goose", "geese"), ("tooth", "teeth"),
    ("foot", "feet"), ("quiz", "quizzes"), ("criterion", "criteria"), ("matrix", "matrices"),
    ("vertex", "vertices"), ("index", "indices"), ("woman", "women"), ("human", "humans"), ("man", "men"),
)  # fmt: skip
_UNCOUNTABLE: Final = frozenset(
    ("advice", "cash", "data", "deer", "dessert", "education", "electricity", "energy", "equipment", "evidence", "feedback",
     "firmware", "fish", "furniture", "gold", "hardware", "health", "homework", "information", "insurance", "jeans", "knowledge",
     "luggage", "machinery", "management", "media", "metadata", "money", "moose", "music", "news", "offspring", "police", "pork",
     "progress", "research", "rice", "salt", "series", "sheep", "shrimp", "software", "species", "traffic", "transportation",
     "weather", "wood")
)  # fmt: skip
_PLURAL: Final = compiled(
    (r"^(ox)$", r"\1en"), (r"(bus|alias|status|virus|octopus|bonus|canvas)$", r"\1es"), (r"(buffal|tomat|potat)o$", r"\1oes"),
    (r"(ax|test|cris|analys|bas|thes|synops)is$", r"\1es"), (r"([ti])um$", r"\1a"), (r"(?:([^f])fe|([lr])f)$", r"\1\2ves"),
    (r"([^aeiouy]|qu)y$", r"\1ies"), (r"(x|ch|ss|sh)$", r"\1es"), (r"s$", "s"), (r"$", "s"),
)  # fmt: skip
_SINGULAR: Final = compiled(
    (r"^(ox)en$", r"\1"), (r"(bus|alias|status|virus|octopus|bonus|canvas)es$", r"\1"), (r"(canvas|alias)$", r"\1"),
    (r"(o)es$", r"\1"), (r"(movie|database)s$", r"\1"),
    (r"([^aeiouy]|qu)ies$", r"\1y"), (r"(ar|l|hal|el)ves$", r"\1f"), (r"([^f])ves$", r"\1fe"), (r"(x|ch|ss|sh)es$", r"\1"),
    (r"(cris|analys|bas|thes|synops)es$", r"\1is"), (r"(ss|is|us)$", r"\1"), (r"s$", ""),
)  # fmt: skip
#: Matches the nouns of Latin whose plurals end with `a` in the package `pluralize`. Its other plurals are those of Sequelize.
_LATIN: Final = re.compile(
    r"(agend|addend|millenni|dat|extrem|bacteri|desiderat|strat|candelabr|errat|ov|symposi|curricul|quor)(?:a|um)$"
)


def collection_name(model: str) -> str:
    """Return the name of the collection that Mongoose derives from the name of a model: `Person` -> `people`.

    Source: the module `mongoose-legacy-pluralize`.
    """
    word = model.lower()
    return word if word in _MONGOOSE_UNCOUNTABLE else inflected(_MONGOOSE, word)


def plural(word: str) -> str:
    """Return the plural of a name as Sequelize writes it: `userAddress` -> `userAddresses`."""
    if word.lower() in _UNCOUNTABLE:
        return word
    for single, many in _IRREGULAR:
        if word.lower().endswith(many):
            return word
        if word.lower().endswith(single):
            return word[: len(word) - len(single) + 1] + many[1:]
    return inflected(_PLURAL, word)


def singular(word: str) -> str:
    """Return the singular of a name as Sequelize writes it: `userAddresses` -> `userAddress`."""
    if word.lower() in _UNCOUNTABLE:
        return word
    for single, many in _IRREGULAR:
        if word.lower().endswith(many):
            return word[: len(word) - len(many) + 1] + single[1:]
    return inflected(_SINGULAR, word)


def pluralized(word: str) -> str:
    """Return the plural of a name as Lucid writes it: `link_metadata` -> `link_metadata`."""
    latin = _LATIN.search(word)
    return f"{word[: latin.end(1)]}a" if latin else plural(word)
