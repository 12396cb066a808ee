"""What a search returns to Python, the terminal and JSON: the engine's answer and the state of the index it came from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from ...schema.records import camel_case

if TYPE_CHECKING:
    from ...retrieval.answers.answer import AnswerText, RankedResult, SearchAnswer

#: Fields of a result in JSON, named in camelCase there.
RESULT_FIELDS = ("id", "file", "start_line", "end_line", "name", "kind", "breadcrumb", "score", "tokens")


@dataclass(frozen=True, slots=True)
class IndexState:
    """Which generation answered, and whether it shows the files as they are."""

    generation: int
    fresh: bool
    #: Sentences that the reader of the answer should know: the index is behind, was rebuilt …
    notices: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As it stands in every answer for programs."""
        notices = {"notices": list(self.notices)} if self.notices else {}
        return {"generation": self.generation, "fresh": self.fresh, **notices}


class ResultList(ABC):
    """Ranked results, best first. Iterable; shows itself as a table in a notebook."""

    __slots__ = ()

    @property
    @abstractmethod
    def answer(self) -> SearchAnswer:
        """The engine's answer."""

    @property
    @abstractmethod
    def index(self) -> IndexState:
        """The state of the index that the answer came from."""

    @property
    def query(self) -> str:
        """The query as it was asked."""
        return self.answer.query

    @property
    def results(self) -> tuple[RankedResult, ...]:
        """The results, best first."""
        return self.answer.results

    @property
    def text(self) -> str:
        """The whole answer as an agent reads it: notices, connection graph, one snapshot a file."""
        return "\n\n".join(item.text for item in self.items)

    @property
    def items(self) -> tuple[AnswerText, ...]:
        """The parts of `text`, most important first. What the reader should know of the index stands at the top of the first."""
        from ...retrieval.answers.answer import AnswerText

        whole = self._noted()
        return whole.texts or (AnswerText(whole.hint or "", 1.0),)

    @property
    def tokens(self) -> int:
        """Of all parts of `text`, four characters each."""
        return self._noted().tokens

    def _noted(self) -> SearchAnswer:
        from ...retrieval.answers.answer import noted

        return noted(self.answer, self.index.notices)

    def to_json(self) -> dict[str, Any]:
        """The form for programs: of the command with `--json`, and of `codebase_search` where it is asked for.

        A result has the fields that agents read (`rank`, `symbol`, `line`, `signature`, `context`), and those of a chunk.
        """
        return {
            "query": self.query,
            "mode": "semantic",
            "index": self.index.to_json(),
            "results": [_result(rank, result) for rank, result in enumerate(self.results, 1)],
            "totalCandidates": self.answer.total_candidates,
            "searchTimeMs": self.answer.search_time_ms,
            "tokens": self.tokens,
            "text": [item.text for item in self.items],
        }

    def __iter__(self) -> Iterator[RankedResult]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """Everything that comes from source code or the query is escaped: a repository may hold hostile text."""
        rows = "".join(_html_row(result) for result in self.results)
        head = "".join(f"<th>{title}</th>" for title in ("score", "name", "kind", "place"))
        notices = "".join(f"<p><em>{escape(notice)}</em></p>" for notice in self.index.notices)
        return (
            f"<p><b>{escape(self.query)}</b>: {len(self.results)} results, generation {self.index.generation}</p>{notices}"
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
            f"<details><summary>Answer</summary><pre>{escape(self.text)}</pre></details>"
        )


class SearchResults(ResultList):
    """What a search found."""

    __slots__ = ("_answer", "_index")

    def __init__(self, answer: SearchAnswer, index: IndexState) -> None:
        self._answer = answer
        self._index = index

    @property
    def answer(self) -> SearchAnswer:
        """The engine's answer."""
        return self._answer

    @property
    def index(self) -> IndexState:
        """The state of the index that the answer came from."""
        return self._index


def _result(rank: int, result: RankedResult) -> dict[str, Any]:
    return {
        "rank": rank,
        "symbol": result.breadcrumb.removeprefix(f"{result.file} > "),
        "line": result.start_line,
        "signature": result.signature,
        "context": result.context,
        **{camel_case(field): getattr(result, field) for field in RESULT_FIELDS},
    }


def _html_row(result: RankedResult) -> str:
    place = f"{result.file}:{result.start_line}-{result.end_line}"
    cells = (f"{result.score:.2f}", result.breadcrumb, result.kind, place)
    return "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
