"""Parse a query in plain words: its search terms, identifiers and places, and the wanted kinds of code.

The query "where is parseUrl tested" has the terms of `parseUrl` and `tested`, and is a query for tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ...schema.languages import SOURCE_ENDING
from ...schema.notebook_cells import CellPlace
from ..text.words import humps, split_text

_NAME = re.compile(r"^#?[^\W\d][\w$]*$")
_DOTTED = re.compile(r"#?[^\W\d][\w$]*(?:(?:\.|#|::|\s>\s)#?[^\W\d][\w$]*)*")
#: Words that only form a question, as in "how does it work" and "where is it defined". They do not describe code, but would
#: have high weights, because they are rare in code.
_QUESTION_WORDS = re.compile(
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
#: Maximum number of search terms of a query. A pasted log has thousands of terms.
MAX_TERMS = 200

#: Words in queries for code, such as tests, that otherwise ranks below other code.
_TESTS = re.compile(r"\b(?:tests?|testing|specs?|mocks?|fixtures?|e2e)\b", re.IGNORECASE)
#: A query for tests themselves: "tests for X", "is X tested", "x.test". The second alternative starts only at the first "is"
#: of a line, because a start at each "is" would take minutes for a pasted log.
_WANTS_TESTS = re.compile(
    r"""\A\W*(?:(?:where|which|find|show|me|the|are|is|all|unit|integration|e2e|end-to-end|regression)\W+)*
        (?:tests?|specs?)\s+(?:for|of|that|which|about|cover\w*|check\w*)\b
        | ^(?:(?!\b(?:is|are)\b).)*\b(?:is|are)\b.*\btested\b
        | \A\W*\w[\w/-]*[._](?:test|spec)\W*\Z""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_EXAMPLES = re.compile(r"\b(?:examples?|demos?|docs|documentation|benchmarks?|scripts?|playground|samples?)\b", re.IGNORECASE)
_DECLARATIONS = re.compile(r"\b(?:ambient|declarations?|d\.ts|typings)\b", re.IGNORECASE)
#: The plain words "import" and "export" do not count, because applications also import and export data.
_IMPORTS = re.compile(r"\b(?:imports|imported|import statements?|re-?export(?:s|ed|ing)?|barrels?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamePath:
    """A name with the name of its parent: `TokenService.validateToken`."""

    name: str
    parent: str | None


#: A path in a query or a stack trace, with or without a line: `src/a.ts`, `/home/me/app/src/a.ts:12:5`, `a.ts(12,5)`; in
#: Python `"app/a.py", line 3`, in PHP `/app/A.php(12)` and `A.php on line 12`, in C# `A.cs:line 12`,
#: and in a notebook `a.ipynb:cell 3:12`.
_PLACE = re.compile(
    rf"(?<![\w@.+/\\-])((?:[\w@.+-]*[/\\])*[\w@+-][\w@.+-]*{SOURCE_ENDING})(?![\w-])"
    r"(?::cell (?P<cell>\d{1,9})(?::(?P<within>\d{1,9}))?"
    r"|:(?:line )?(?P<line>\d{1,9})|\((?P<bracketed>\d{1,9})(?:,\d+)?\)|\"?,? (?:on )?line (?P<worded>\d{1,9}))?"
)
#: Folders in which compilers, runtimes and package managers keep the sources of dependencies.
_DEPENDENCY_FOLDERS = re.compile(
    r"(?:^|/)(?:node_modules|site-packages|dist-packages|python[23][\w.]*|gems|vendor|rustc|registry/src|go/src|go/pkg/mod)/"
)
#: The scope in the subject of a change: `fix(query-core): …`, `query core: …`.
_SCOPE = re.compile(r"^(?:\w+\(([\w@/ ,.&+-]{2,60})\)|([\w@/ ,.&+-]{2,40}))!?:\s")
#: Maximum number of places of a query. The first places are kept, because stack traces usually begin with the innermost frame.
MAX_PLACES = 20


class NamedPlace(NamedTuple):
    """A file that a query names, with a line if the query contains a line."""

    path: str
    line: int | None
    #: Whether the path must equal the relative path of a file; otherwise only the ends of the paths must be equal.
    is_exact: bool = False
    #: Cell of a notebook, from 1, if the line counts within this cell; None if it counts within the file.
    cell: int | None = None

    def is_in(self, relative_path: str) -> bool:
        """Return whether the place is in this file of the repository. Either path may have further leading folders."""
        if self.path == relative_path or self.is_exact:
            return self.path == relative_path
        if relative_path.endswith("/" + self.path):
            return True
        return "/" in relative_path and self.path.endswith("/" + relative_path)

    def among(self, paths: Collection[str]) -> NamedPlace:
        """Return the place with its path in a repository that has these paths.

        A path without a match may be the path of a file at the root: `/home/me/app/main.go` is `main.go`.
        """
        folder, _, name = self.path.rpartition("/")
        if not folder or name not in paths or _DEPENDENCY_FOLDERS.search(self.path) or any(map(self.is_in, paths)):
            return self
        return NamedPlace(name, self.line, is_exact=True, cell=self.cell)


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query."""

    text: str
    #: Distinct search terms in order, without words that only form a question.
    terms: tuple[str, ...]
    #: The wanted name, if the whole query is a name; else None.
    wanted: NamePath | None
    asks_for_tests: bool
    asks_for_examples: bool
    asks_for_declarations: bool
    asks_for_imports: bool
    #: Places that the query names, in the order of the query.
    places: tuple[NamedPlace, ...] = ()
    #: Folders that the query names before a colon, as `folder_key` spells them.
    scopes: tuple[str, ...] = ()
    #: Whether the user wants tests. A word such as "test" alone does not suffice.
    wants_tests: bool = False
    #: Rows that contain a member with the wanted name that has no row of its own, such as a property.
    holders: frozenset[int] = frozenset()
    #: Log-odds that admitted rows gain because they contain text of the query verbatim, by row.
    quoted_in: Mapping[int, float] = field(default_factory=dict)
    #: Whether the query is a question in words, such as "how does ...".
    is_question: bool = False

    @property
    def names_code(self) -> bool:
        """Whether the query names the wanted code or place instead of describing it."""
        return self.wanted is not None or bool(self.places)

    def among(self, paths: Collection[str]) -> Query:
        """Return the query with the paths of its places in a repository that has these paths."""
        return replace(self, places=tuple(place.among(paths) for place in self.places)) if self.places else self

    def in_whole_files(self, paths: Collection[str], line_of: Callable[[str, CellPlace], int | None]) -> Query:
        """Return the query with its lines in cells of notebooks converted to lines of whole files."""

        def whole(place: NamedPlace) -> NamedPlace:
            if place.cell is None:
                return place
            wanted = CellPlace(place.cell, place.line or 1)
            lines = (line_of(path, wanted) for path in paths if place.is_in(path))
            return place._replace(line=next((line for line in lines if line is not None), None), cell=None)

        return replace(self, places=tuple(map(whole, self.places)))


def read_query(text: str) -> Query:
    """Parse a query that is not a symbol lookup."""
    wants_tests = _WANTS_TESTS.search(text) is not None
    return Query(
        text=text,
        terms=tuple(dict.fromkeys(split_text(_without_question_words(text)) or split_text(text)))[:MAX_TERMS],
        wanted=_requested_name(text.strip()),
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
    """Return a name of a folder without case and punctuation: `query-core` and `query core` have the same key."""
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
            line = found["within"] or found["line"] or found["bracketed"] or found["worded"]
            cell = found["cell"]
            yield NamedPlace(path, int(line) if line else None, cell=int(cell) if cell else None)


def identifiers(text: str) -> list[str]:
    """Return the distinct words of a text that look like code, in order: `innerFrom`, `ZodError`, `MAX_SIZE`."""
    words = re.findall(r"[^\W\d][\w$]*", text)
    return list(dict.fromkeys(word for word in words if len(humps(word)) > 1))


def _without_question_words(text: str) -> str:
    """Return a question without the words that only form a question; other text stays unchanged."""
    return _QUESTION_WORDS.sub(" ", text) if _IS_QUESTION.match(text) else text


def _requested_name(text: str) -> NamePath | None:
    bare = text.removesuffix(";").removesuffix("()").strip("`'\" ")
    if not _DOTTED.fullmatch(bare):
        return None
    *outer, name = re.split(r"\.|::|\s>\s|(?<=[\w$])#", bare)
    return NamePath(name, outer[-1] if outer else None) if _NAME.match(name) else None


def same_identifier(one: str, other: str) -> bool:
    """Return whether two names are equal without case and underscores: `parse_url` and `parseURL`."""
    return "".join(humps(one)) == "".join(humps(other))
