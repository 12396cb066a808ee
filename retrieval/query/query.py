"""A query in plain words, read: its search terms, the identifiers in it, and the kinds of code that it asks for by name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ...schema.languages import SOURCE_ENDING
from ..text.words import humps, split_text

_NAME = re.compile(r"^#?[^\W\d][\w$]*$")
_DOTTED = re.compile(r"#?[^\W\d][\w$]*(?:(?:\.|#|::|\s>\s)#?[^\W\d][\w$]*)*")
#: What makes a sentence a question says nothing of the code that it asks for, yet such words are rare in code, so they would
#: weigh much: the words that begin it, "does" and "should" within, and what ends "how does it work" and "where is it defined".
_ASKING = re.compile(
    r"""^\W*(?:please\s+|(?:can|could)\s+you\s+|i\s+(?:want|need)\s+to\s+)*(?:(?:show|tell|give)\s+me\s+|find\s+(?:me\s+)?the\s+code\s+)?
        (?:(?:how|what|where|why|when|who|which)\b(?:'s)?(?:\s+happens?\b)?(?:\s+(?:if|when|after|before)\b)?)?
        | \b(?:does|did|should|would|could|there)\b
        | (?<=\s)(?:works?|defined|declared|implemented|located|happens?)(?=\W*$)""",
    re.IGNORECASE | re.VERBOSE,
)
_IS_QUESTION = re.compile(
    r"^\W*(?:please|(?:can|could)\s+you|i\s+(?:want|need)\s+to|(?:show|tell|give)\s+me|find|how|what|where|why|when|who|which)\s",
    re.IGNORECASE,
)
#: Terms beyond these add nothing but time: a pasted log has thousands.
MAX_TERMS = 200

#: Words by which a question asks for code that otherwise stands behind the rest.
_TESTS = re.compile(r"\b(?:tests?|testing|specs?|mocks?|fixtures?|e2e)\b", re.IGNORECASE)
#: A line is read up to its first "is" and from there once: a pattern that began at each would take minutes for a pasted log.
_WANTS_TESTS = re.compile(
    r"""\A\W*(?:(?:where|which|find|show|me|the|are|is|all|unit|integration|e2e|end-to-end|regression)\W+)*
        (?:tests?|specs?)\s+(?:for|of|that|which|about|cover\w*|check\w*)\b
        | ^(?:(?!\b(?:is|are)\b).)*\b(?:is|are)\b.*\btested\b
        | \A\W*\w[\w/-]*[._](?:test|spec)\W*\Z""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_EXAMPLES = re.compile(r"\b(?:examples?|demos?|docs|documentation|benchmarks?|scripts?|playground|samples?)\b", re.IGNORECASE)
_DECLARATIONS = re.compile(r"\b(?:ambient|declarations?|d\.ts|typings)\b", re.IGNORECASE)
#: Plain "import" and "export" are verbs of applications as well.
_IMPORTS = re.compile(r"\b(?:imports|imported|import statements?|re-?export(?:s|ed|ing)?|barrels?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamePath:
    """A name, with the name that stands before it: `TokenService.validateToken`."""

    name: str
    parent: str | None


#: A path in a question or a stack trace, with or without a line: `src/a.ts`, `/home/me/app/src/a.ts:12:5`, `a.ts(12,5)`; in
#: Python `"app/a.py", line 3`, in PHP `/app/A.php(12)` and `A.php on line 12`, in C# `A.cs:line 12`.
_PLACE = re.compile(
    rf"(?<![\w@.+/\\-])((?:[\w@.+-]*[/\\])*[\w@+-][\w@.+-]*{SOURCE_ENDING})(?![\w-])"
    r"(?::(?:line )?(\d{1,9})|\((\d{1,9})(?:,\d+)?\)|\"?,? (?:on )?line (\d{1,9}))?"
)
#: Where compilers, runtimes and package managers keep the sources of others.
_OF_OTHERS = re.compile(
    r"(?:^|/)(?:node_modules|site-packages|dist-packages|python[23][\w.]*|gems|vendor|rustc|registry/src|go/src|go/pkg/mod)/"
)
#: What stands before the colon of a change: `fix(query-core): …`, `query core: …`.
_SCOPE = re.compile(r"^(?:\w+\(([\w@/ ,.&+-]{2,60})\)|([\w@/ ,.&+-]{2,40}))!?:\s")
#: Places of a question that are looked at: the frames of a stack trace, innermost first.
MAX_PLACES = 20


class NamedPlace(NamedTuple):
    """A file that a question names, and the line, as stack traces do."""

    path: str
    line: int | None
    #: Whether no other path means it.
    is_exact: bool = False

    def is_in(self, relative_path: str) -> bool:
        """Whether that file of the repository is meant: either path may begin further up than the other."""
        if self.path == relative_path or self.is_exact:
            return self.path == relative_path
        if relative_path.endswith("/" + self.path):
            return True
        return "/" in relative_path and self.path.endswith("/" + relative_path)

    def among(self, paths: Collection[str]) -> NamedPlace:
        """The same in a repository of these files: a path that means none of them otherwise may begin above one at the root, as
        `/home/me/app/main.go` does."""
        folder, _, name = self.path.rpartition("/")
        if not folder or name not in paths or _OF_OTHERS.search(self.path) or any(map(self.is_in, paths)):
            return self
        return NamedPlace(name, self.line, is_exact=True)


@dataclass(frozen=True, slots=True)
class Question:
    """What a query says."""

    text: str
    #: Each once, in order; of a question, without what only makes it one.
    terms: tuple[str, ...]
    #: Set when the whole query is one name: the declaration is wanted.
    wanted: NamePath | None
    asks_for_tests: bool
    asks_for_examples: bool
    asks_for_declarations: bool
    asks_for_imports: bool
    #: In the order in which they are named.
    places: tuple[NamedPlace, ...] = ()
    #: Parts of the repository that it names before a colon, as `folder_key` spells folders.
    scopes: tuple[str, ...] = ()
    #: Whether tests are what it wants, and not only a word of it.
    wants_tests: bool = False
    #: Rows that declare the wanted name as a member which is no row of its own, such as a property.
    holders: frozenset[int] = frozenset()
    #: Rows that hold text of it word by word, of those that a filter admits, and what that adds to the logarithm of their odds.
    quoted_in: Mapping[int, float] = field(default_factory=dict)
    #: Whether it asks in words, as "how does ..." does.
    is_question: bool = False

    @property
    def names_code(self) -> bool:
        """Whether it says which code or which place is wanted, and does not describe it."""
        return self.wanted is not None or bool(self.places)

    def among(self, paths: Collection[str]) -> Question:
        """The same, asked of a repository of these files."""
        return replace(self, places=tuple(place.among(paths) for place in self.places)) if self.places else self


def read_question(text: str) -> Question:
    """Read a query that is not a symbol lookup."""
    wants_tests = _WANTS_TESTS.search(text) is not None
    return Question(
        text=text,
        terms=tuple(dict.fromkeys(split_text(_without_question_words(text)) or split_text(text)))[:MAX_TERMS],
        wanted=_wanted(text.strip()),
        asks_for_tests=wants_tests or _TESTS.search(text) is not None,
        asks_for_examples=_EXAMPLES.search(text) is not None,
        asks_for_declarations=_DECLARATIONS.search(text) is not None,
        asks_for_imports=_IMPORTS.search(text) is not None,
        places=tuple(_places(text))[:MAX_PLACES],
        scopes=_scopes(text),
        wants_tests=wants_tests,
        is_question=_IS_QUESTION.match(text) is not None,
    )


def folder_key(name: str) -> str:
    """A folder's name, or what a question calls it, without case and punctuation: `query-core` and `query core` are the same."""
    return "".join(filter(str.isalnum, name)).lower()


def _scopes(text: str) -> tuple[str, ...]:
    found = _SCOPE.match(text)
    named = re.split(r"[,&+]", found[1] or found[2]) if found else []
    keys = (folder_key(name.strip().rpartition("/")[2]) for name in named)
    return tuple(dict.fromkeys(key for key in keys if key))


def _places(text: str) -> Iterator[NamedPlace]:
    for found in _PLACE.finditer(text):
        path = found[1].replace("\\", "/").removeprefix("./")
        if "node_modules/" not in path:
            line = found[2] or found[3] or found[4]
            yield NamedPlace(path, int(line) if line else None)


def identifiers(text: str) -> list[str]:
    """Words of a text that only code has: `innerFrom`, `ZodError`, `MAX_SIZE`; each once, in order."""
    words = re.findall(r"[^\W\d][\w$]*", text)
    return list(dict.fromkeys(word for word in words if len(humps(word)) > 1))


def _without_question_words(text: str) -> str:
    """A question without the words that only make it one; any other text as it is."""
    return _ASKING.sub(" ", text) if _IS_QUESTION.match(text) else text


def _wanted(text: str) -> NamePath | None:
    bare = text.removesuffix(";").removesuffix("()").strip("`'\" ")
    if not _DOTTED.fullmatch(bare):
        return None
    *outer, name = re.split(r"\.|::|\s>\s|(?<=[\w$])#", bare)
    return NamePath(name, outer[-1] if outer else None) if _NAME.match(name) else None


def same_identifier(one: str, other: str) -> bool:
    """Whether two names have the same letters, whatever their case and underscores: `parse_url` and `parseURL`."""
    return "".join(humps(one)) == "".join(humps(other))
