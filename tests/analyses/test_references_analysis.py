"""References: totals, files, lines and roles; the definition is none, a use in the same file is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.references import references

#: Symbol, all sites, those besides import and export statements, lines by file, roles.
COUNTS = [
    (
        "utils.ts > formatDate",
        7,
        5,
        {"order-service.ts": (1, 4), "report.ts": (5,), "user-service.ts": (1, 4, 8), "utils.ts": (6,)},
        {"call": 5, "import": 2},
    ),
    ("formatTime", 3, 1, {"order-service.ts": (1, 4, 7)}, {"import": 1, "call": 1, "export": 1}),
    ("DateString", 4, 3, {"user-service.ts": (1, 4, 7), "utils.ts": (12,)}, {"type": 3, "import": 1}),
    ("Timestamped", 2, 1, {"user-service.ts": (1, 3)}, {"import": 1, "type": 1}),
    ("Clock", 4, 3, {"user-service.ts": (1, 5), "utils.ts": (21,)}, {"call": 2, "import": 1, "type": 1}),
    ("UserRecord", 2, 1, {"report.ts": (2, 4)}, {"import": 1, "type": 1}),
    ("Clock > now", 1, 1, {"user-service.ts": (8,)}, {"call": 1}),
    ("ticks", 2, 2, {"utils.ts": (25, 26)}, {"write": 1, "read": 1}),
    ("isolated.ts > formatDate", 1, 1, {"isolated.ts": (7,)}, {"call": 1}),
]

EMPTY = [
    ("unused", "none", "Nothing refers to it"),
    ("utils.ts > clock", "none", "Nothing refers to it"),
    ("tick", "none", "no call of its name is left unresolved"),
    ("save", "unresolved", "2 call sites of its name in 1 symbol"),
    ("formatDate", "ambiguous", "names 2 symbols"),
    ("formatDates", "notFound", "formatDate"),
    ("report.ts > nothing", "notFound", "report.ts"),
]


@pytest.mark.parametrize(("path", "total", "without_imports", "lines", "roles"), COUNTS)
def test_counts(
    project: Callable[[str], Any],
    path: str,
    total: int,
    without_imports: int,
    lines: dict[str, tuple[int, ...]],
    roles: dict[str, int],
) -> None:
    found = project("references").ask(references, path)
    assert (found.total, found.without_imports) == (total, without_imports)
    assert {file.path: file.lines for file in found.files} == lines
    assert [file.path for file in found.files] == sorted(lines)
    assert dict(found.roles) == roles
    assert found.nothing is None


@pytest.mark.parametrize(("path", "kind", "words"), EMPTY)
def test_each_nothing_says_which(project: Callable[[str], Any], path: str, kind: str, words: str) -> None:
    found = project("references").ask(references, path)
    assert (found.total, found.files) == (0, ())
    assert found.nothing.kind == kind
    assert words in found.nothing.message


def test_a_site_tells_who_uses_it_and_under_which_name(project: Callable[[str], Any]) -> None:
    found = project("references").ask(references, "utils.ts > formatDate")
    sites = [(site.line, site.column, site.role, site.user.name, site.alias) for site in found.files[0].sites]
    assert sites == [(1, 24, "import", "import:./utils", "format"), (4, 13, "call", "stamp", "format")]
    assert [site.user.qualified_name for site in found.files[2].sites[1:]] == ["UserRecord.createdAt", "UserRecord.renamed"]


def test_the_text_has_every_line(project: Callable[[str], Any]) -> None:
    text = project("references").ask(references, "DateString").text
    assert text.splitlines() == [
        "DateString (utils.ts:9): 4 references in 2 files",
        "  3 type, 1 import",
        "  user-service.ts: 1, 4, 7",
        "  utils.ts: 12",
    ]
