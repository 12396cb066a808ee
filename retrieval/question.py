"""A query in plain words, read: its search terms, the identifiers in it, and the kinds of code that it asks for by name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .words import humps, split_text

_NAME = re.compile(r"^(?:#?[a-z][\w$]*[A-Z_$\d][\w$]*|#?[A-Z]+[a-z$][\w$]*[A-Z_$\d][\w$]*|[A-Z][A-Z\d]*_[A-Z\d_]+|[$_]\w+)$")
_NAME = re.compile(r"^#?[^\W\d][\w$]*$")
_DOTTED = re.compile(r"#?[^\W\d][\w$]*(?:(?:\.|#|::|\s>\s)#?[^\W\d][\w$]*)*")
#: Terms beyond these add nothing but time: a pasted log has thousands.
MOST_TERMS = 200

#: Words by which a question asks for code that otherwise stands behind the rest.
_TESTS = re.compile(r"\b(?:tests?|testing|specs?|mocks?|fixtures?|e2e)\b", re.IGNORECASE)
_EXAMPLES = re.compile(r"\b(?:examples?|demos?|docs|documentation|benchmarks?|scripts?|playground|samples?)\b", re.IGNORECASE)
_DECLARATIONS = re.compile(r"\b(?:ambient|declarations?|d\.ts|typings)\b", re.IGNORECASE)
#: Plain "import" and "export" are verbs of applications as well.
_IMPORTS = re.compile(r"\b(?:imports|imported|import statements?|re-?export(?:s|ed|ing)?|barrels?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamePath:
    """A name, with the name that stands before it: `TokenService.validateToken`."""

    name: str
    parent: str | None


@dataclass(frozen=True, slots=True)
class Question:
    """What a query says."""

    text: str
    #: Each once, in order.
    terms: tuple[str, ...]
    #: Set when the whole query is one name: the declaration is wanted.
    wanted: NamePath | None
    asks_for_tests: bool
    asks_for_examples: bool
    asks_for_declarations: bool
    asks_for_imports: bool


def read_question(text: str) -> Question:
    """Read a query that is not a symbol lookup."""
    return Question(
        text=text,
        terms=tuple(dict.fromkeys(split_text(text)))[:MOST_TERMS],
        wanted=_wanted(text.strip()),
        asks_for_tests=_TESTS.search(text) is not None,
        asks_for_examples=_EXAMPLES.search(text) is not None,
        asks_for_declarations=_DECLARATIONS.search(text) is not None,
        asks_for_imports=_IMPORTS.search(text) is not None,
    )


def _wanted(text: str) -> NamePath | None:
    bare = text.removesuffix(";").removesuffix("()").strip("`'\" ")
    if not _DOTTED.fullmatch(bare):
        return None
    *outer, name = re.split(r"\.|::|\s>\s|(?<=[\w$])#", bare)
    return NamePath(name, outer[-1] if outer else None) if _NAME.match(name) else None


def same_identifier(one: str, other: str) -> bool:
    """Whether two names have the same letters, whatever their case and underscores: `parse_url` and `parseURL`."""
    return "".join(humps(one)) == "".join(humps(other))
