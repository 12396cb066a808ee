"""Completions of chains: `¦` marks the cursor."""

from __future__ import annotations

import pytest
from astrolabe.server.api.completions.chains import chain_completions
from astrolabe.server.api.completions.completion import Completions


def completed(marked: str) -> Completions:
    return chain_completions(marked.replace("¦", "", 1), marked.index("¦"))


def texts(marked: str) -> list[str]:
    return [item.text for item in completed(marked).items]


@pytest.mark.parametrize(
    ("chain", "first"),
    [
        ("¦", "modules("),
        ("sym¦", "symbols("),
        ("symbols().call¦", "callees("),
        ("files(language='go').¦symbols()", "changed_since("),
        ("files().symbols().fi¦", "file("),
        ("files().sort('lines').hot¦", "hot("),
        ("symbols(kind='class') - sym¦", "symbols("),
        ("(symbols() | symbols()).cal¦", "callees("),
        ("files(lang¦", "language="),
        ("files(lines__g¦", "lines__gt="),
        ("symbols(kind='class', expo¦", "exported="),
        ("symbols().callers(de¦", "depth="),
        ("commits(mess¦", "message__contains="),
        ("commits().co¦", "count("),
        ("files(language='pyth¦", "python"),
        ("files(is_test=¦", "true"),
        ("symbols().minus(sym¦", "symbols("),
    ],
)
def test_what_comes_first(chain: str, first: str) -> None:
    assert texts(chain)[:1] == [first]


def test_operations_are_those_of_the_scope() -> None:
    of_files, of_symbols = set(texts("files().¦")), set(texts("files().symbols().¦"))
    assert "importers(" in of_files
    assert "importers(" not in of_symbols
    assert "callers(" in of_symbols - of_files


@pytest.mark.parametrize("chain", ["files().count().¦", "nonsense().¦", "files(path='a¦", "files() ? ¦", ")))¦."])
def test_nothing_follows_what_ends_or_is_wrong(chain: str) -> None:
    assert texts(chain) == []


def test_the_word_before_the_cursor_is_replaced() -> None:
    assert completed("files().symb¦").start == len("files().")
    assert completed("files(language='py¦").start == len("files(language='")
