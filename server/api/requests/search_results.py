"""Search results for Python, the terminal and JSON: the engine's answer and the state of the index."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, overload

from ....schema.records import camel_case

if TYPE_CHECKING:
    from ....retrieval.answers.answer import AnswerText, RankedResult, SearchAnswer

#: Fields of a result in JSON, with their names in camelCase.
RESULT_FIELDS = ("id", "file", "start_line", "end_line", "name", "kind", "breadcrumb", "score", "tokens")


@dataclass(frozen=True, slots=True)
class IndexState:
    """The generation of an answer, and whether it is up to date."""

    generation: int
    fresh: bool
    #: Notices about the index, for example that it is outdated or was rebuilt.
    notices: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the state as part of an answer for programs."""
        notices = {"notices": list(self.notices)} if self.notices else {}
        return {"generation": self.generation, "fresh": self.fresh, **notices}


class ResultList(ABC):
    """Ranked results, best first: `results[0]`, slices, `len` and iteration. Displayed as a table in a notebook."""

    __slots__ = ()

    @property
    @abstractmethod
    def answer(self) -> SearchAnswer:
        """The answer of the search engine."""

    @property
    @abstractmethod
    def index(self) -> IndexState:
        """The state of the index."""

    @property
    def query(self) -> str:
        """The query of the caller."""
        return self.answer.query

    @property
    def results(self) -> tuple[RankedResult, ...]:
        """The results, best first."""
        return self.answer.results

    @property
    def text(self) -> str:
        """The whole answer as text for agents: notices, connection graph, one excerpt per file."""
        return "\n\n".join(item.text for item in self.items)

    @property
    def items(self) -> tuple[AnswerText, ...]:
        """The parts of `text`, most important first. The first part begins with the notices about the index."""
        from ....retrieval.answers.answer import AnswerText

        whole = self._with_notices()
        return whole.texts or (AnswerText(whole.hint or "", 1.0),)

    @property
    def tokens(self) -> int:
        """The number of tokens in all parts of `text`; a token is four characters."""
        return self._with_notices().tokens

    def _with_notices(self) -> SearchAnswer:
        from ....retrieval.answers.answer import noted

        return noted(self.answer, self.index.notices)

    def to_json(self) -> dict[str, Any]:
        """Return the answer for programs: the output of `--json`, and of `codebase_search` on request.

        A result has the fields for agents (`rank`, `symbol`, `line`, `signature`, `context`) and the fields of a chunk.
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

    @overload
    def __getitem__(self, index: int) -> RankedResult: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[RankedResult, ...]: ...

    def __getitem__(self, index: int | slice) -> RankedResult | tuple[RankedResult, ...]:
        return self.results[index]

    def __iter__(self) -> Iterator[RankedResult]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def count(self, result: object) -> int:
        """Return how often the results contain a value."""
        return self.results.count(result)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """Return the results as HTML. Texts from source code and the query are escaped, because they may be hostile."""
        rows = "".join(_html_row(result) for result in self.results)
        head = "".join(f"<th>{title}</th>" for title in ("score", "name", "kind", "place"))
        notices = "".join(f"<p><em>{escape(notice)}</em></p>" for notice in self.index.notices)
        return (
            f"<p><b>{escape(self.query)}</b>: {len(self.results)} results, generation {self.index.generation}</p>{notices}"
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{self._html_of_answer()}"
        )

    def _html_of_answer(self) -> str:
        """Return the whole answer as collapsed HTML: connections as text, and excerpts as highlighted code."""
        from ...display.highlighting import STYLE, code_html

        first, *excerpts = self.items
        files = {result.file for result in self.results}
        parts = [f"<details><summary>Connections</summary><pre>{escape(first.text)}</pre></details>"]
        for excerpt in excerpts:
            head = excerpt.text.partition("\n")[0]
            path = max((file for file in files if file in head), key=len, default="")
            parts.append(f"<details><summary>{escape(path or head)}</summary>{code_html(excerpt.text, path)}</details>")
        return STYLE + "".join(parts)


class SearchResults(ResultList):
    """The results of a search."""

    __slots__ = ("_answer", "_index")

    def __init__(self, answer: SearchAnswer, index: IndexState) -> None:
        self._answer = answer
        self._index = index

    @property
    def answer(self) -> SearchAnswer:
        """The answer of the search engine."""
        return self._answer

    @property
    def index(self) -> IndexState:
        """The state of the index."""
        return self._index


# For `match` statements and `random.sample`. Unlike in other sequences, `index` is the state of the index, as in all answers.
Sequence.register(SearchResults)


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
