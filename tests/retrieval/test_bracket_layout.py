"""The layout of a text tells of any of its lines what reading these lines alone tells."""

from __future__ import annotations

import pytest
from astrolabe.retrieval.source.bracket_layout import BracketLayout
from astrolabe.retrieval.source.bracket_pairs import _Reading
from astrolabe.retrieval.source.source_cache import ChunkSource
from astrolabe.retrieval.source.source_lines import SourceLines
from astrolabe.server.project.source_syntax import SourceSyntax

TEXTS = [
    "export const a = [1, { b: f(2) }]",
    "function f(a) {\n  if (a) {\n    return [\n      g(a, '{'),\n      `${a[0]} (`, // }\n    ]\n  }\n}\n\nf(() => {\n  h()\n})",
    "class A {\n  b = { c: [] }\n\n  d() {\n    return (\n      <p className={x}>No {y}</p>\n    )\n  } }",
    "",
    "no brackets\nat all",
]
#: Something in them looks like a bracket and is none, or is not where its like stands.
DOUBTFUL = ["f(() => {\n  <p>No :(</p>\n  )\n})", "f({\n  a\n    })", "} f(", "f(", "`"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_layout_tells_what_reading_tells(text: str) -> None:
    source, lines = SourceLines.of_text(text), text.count("\n") + 1
    assert BracketLayout(text).is_plain
    for first in range(1, lines + 1):
        for last in range(first, lines + 1):
            laid_out, read = source.laid_out(first, last), _Reading(source, first, last).up_to(last)
            assert laid_out is not None
            assert (laid_out.pairs, laid_out.left_open) == (read.pairs, read.left_open)
            assert (laid_out.unopened, laid_out.unclosed) == (read.unopened, read.unclosed)
            assert (laid_out.is_balanced, laid_out.last_pair) == (read.is_balanced, read.last_pair)
            assert [laid_out.ends_of(line) for line in range(first, last + 1)] == [
                read.ends_of(line) for line in range(first, last + 1)
            ]


@pytest.mark.parametrize("text", DOUBTFUL)
def test_a_text_in_doubt_has_none(text: str) -> None:
    assert not BracketLayout(text).is_plain
    assert SourceLines.of_text(text).laid_out(1, 1) is None


#: What a parser sees in texts in doubt, with the lines on which the pairs begin and end.
PARSED = [
    ("f(() => {\n  return <p>No :(</p>\n})", [(0, 0), (0, 2), (0, 2)]),
    ("f({\n  a\n    })", [(0, 2), (0, 2)]),
    ("f(\n  /[)(]/,\n  `${[1].map((x) => `${x})`)} (`\n)", [(2, 2), (2, 2), (2, 2), (2, 2), (2, 2), (0, 3)]),
]


@pytest.mark.parametrize(("text", "pairs"), PARSED)
def test_what_signs_leave_in_doubt_a_parser_tells(text: str, pairs: list[tuple[int, int]]) -> None:
    chunk = ChunkSource("", "a.tsx", 1, text)
    source = SourceLines([chunk], syntax=SourceSyntax())
    laid_out = source.laid_out(1, text.count("\n") + 1)
    assert laid_out is not None
    assert laid_out.is_balanced
    assert sorted((start.line - 1, end.line - 1) for start, end in laid_out.pairs) == sorted(pairs)
    assert chunk.plain_layout(SourceSyntax()) is chunk.plain_layout(SourceSyntax())


@pytest.mark.parametrize("text", ["} f(", "f("])
def test_of_broken_text_not_even_a_parser_tells(text: str) -> None:
    assert ChunkSource("", "a.ts", 1, text).plain_layout(SourceSyntax()) is None
