"""The explanation of the order of search results: `astrolabe search --explain`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ....retrieval.ranking.ranking import Explanation, Ranked

#: Default number of explained results.
DEFAULT_RESULTS = 5
#: Maximum number of features that are printed for a result.
_MAX_FEATURES = 12


@dataclass(frozen=True, slots=True)
class ExplainedRanking:
    """The first results of a search with their features."""

    query: str
    results: Sequence[tuple[Ranked, Explanation]]

    @property
    def text(self) -> str:
        """The results with their scores and the features with the most weight."""
        return "\n".join(_paragraph(result, why) for result, why in self.results) or "Nothing was found."

    def to_json(self) -> dict[str, Any]:
        """Return all features of each result, and their contributions to the score."""
        return {
            "query": self.query,
            "results": [
                {
                    "breadcrumb": result.chunk.breadcrumb,
                    "score": round(result.score, 4),
                    "features": dict(why.features),
                    "adds": dict(why.contributions),
                }
                for result, why in self.results
            ],
        }


def _paragraph(result: Ranked, why: Explanation) -> str:
    heaviest = sorted(why.contributions.items(), key=lambda item: -abs(item[1]))[:_MAX_FEATURES]
    lines = [f"  {adds:+7.2f}  {name} = {why.features[name]:.3g}" for name, adds in heaviest if adds]
    return "\n".join([f"{result.score:.2f}  {result.chunk.breadcrumb}:{result.chunk.start_line}", *lines])
