"""Terms that documents name, and their history in Git."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

SYMBOL: Final = "symbol"
#: A name that is one word, such as `Basket`.
WORD: Final = "word"
FLAG: Final = "flag"
SETTING: Final = "setting"
#: A setting whose first word no other setting of the code has.
LONE_SETTING: Final = "lone setting"
SCRIPT: Final = "script"
ENDPOINT: Final = "endpoint"


#: Path and line.
Place: TypeAlias = tuple[str, int]


class Term(NamedTuple):
    """A name, flag, setting, script or endpoint that a document names."""

    kind: str
    name: str


class Removal(NamedTuple):
    """The commit that removed a file, or a term from the code."""

    commit: str
    subject: str
    #: Year, month and day.
    date: str
    #: The term that replaced the removed term in the same line; "" if there is none.
    replacement: str = ""

    def __str__(self) -> str:
        """Return the commit in the form that messages use."""
        return f'commit {self.commit} of {self.date} ("{self.subject}")'


class Mention(NamedTuple):
    """A place in a document that names a removed term or file."""

    place: Place
    removal: Removal
    is_past_or_future: bool


class TermHistory(NamedTuple):
    """The history of terms in Git.

    `present` returns the words that occur in files that are neither documents nor among some indexed paths. `removals` returns
    the commits that removed terms, and `removed_files` the commits that removed files, by path. `line_dates` returns the dates of
    the last changes of lines, without the lines whose dates are not known.
    """

    present: Callable[[Sequence[str], Container[str]], set[str]]
    removals: Callable[[Sequence[Term]], Mapping[Term, Removal]]
    removed_files: Callable[[Sequence[str]], Mapping[str, Removal]]
    line_dates: Callable[[Sequence[Place]], Mapping[Place, str]]

    def outdated(self, removals: Collection[Mention]) -> list[Mention]:
        """Return the mentions whose lines were last changed before the named term was removed, or on the same day.

        A line that was changed later means something else: a file of the reader's project, or a name of another program. A line
        about the past counts only if it is older than the removal, because such a line may tell of the removal.
        """
        dates = self.line_dates(sorted({mention.place for mention in removals}))
        return [
            mention
            for mention in removals
            if (date := dates.get(mention.place, ""))
            and (date < mention.removal.date or (date == mention.removal.date and not mention.is_past_or_future))
        ]


def spellings(term: Term) -> tuple[str, ...]:
    """Return the ways to write a term in code."""
    if term.kind == FLAG:
        snake = term.name.replace("-", "_")
        camel = _camel(term.name.split("-"))
        return (term.name, snake, camel, camel[:1].upper() + camel[1:], snake.upper())
    if term.kind in (SETTING, LONE_SETTING):
        parts = term.name.lower().split("_")
        rests = [parts[start:] for start in range(min(len(parts) - 1, 3))]
        found = [term.name]
        for rest in rests:
            if len(rest) > 1:
                camel = _camel(rest)
                found += ["_".join(rest), camel, camel[:1].upper() + camel[1:], "-".join(rest), "_".join(rest).upper()]
        return tuple(dict.fromkeys(found))
    return (term.name,)


def _camel(parts: Sequence[str]) -> str:
    return parts[0] + "".join(part.title() for part in parts[1:])
