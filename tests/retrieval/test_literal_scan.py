"""Literal search over text: which lines match, and that hostile patterns take no longer than others."""

from __future__ import annotations

import re

import pytest
from astrolabe.retrieval.text.linear_regex import compile_regex, escaped
from astrolabe.retrieval.text_search.indexed_text import FileText, IndexedTexts
from astrolabe.retrieval.text_search.scan import Scan, finder, scan
from astrolabe.schema.errors import UsageError
from hypothesis import given
from hypothesis import strategies as st

TEXT = "import { a } from './a'\n\nexport const Aa = a(1) // TODO: a\n\tif (x) { y() }\nlet été = 'naïve'\n"


def found(query: str, text: str = TEXT, *, is_regex: bool = False, case_sensitive: bool = True) -> list[int]:
    """Lines that match."""
    return [line for _, line in found_in([text], query, is_regex=is_regex, case_sensitive=case_sensitive)]


def found_in(texts: list[str], query: str, *, is_regex: bool, case_sensitive: bool) -> list[tuple[str, int]]:
    """File and line of what matches in several files, named in their order."""
    files = [FileText(f"{number:03}", text.encode()) for number, text in enumerate(texts)]
    result = scanned(files, query, is_regex=is_regex, case_sensitive=case_sensitive)
    places = [(line.file.path, line.line) for line in result.lines]
    for line in result.lines:
        before = line.file.text[: line.begin]
        assert line.file == files[int(line.file.path)]
        assert line.begin <= line.span.start <= line.span.end
        assert (before.count(b"\n"), before[-1:] in (b"", b"\n")) == (line.line - 1, True)
    assert (result.total, result.files, result.complete) == (len(places), len({path for path, _ in places}), True)
    return places


def scanned(
    files: list[FileText], query: str, *, is_regex: bool, case_sensitive: bool, keep: int = 10_000, seconds: float = 60
) -> Scan:
    """The scan of some files."""
    wanted = finder(query, is_regex=is_regex, case_sensitive=case_sensitive)
    return scan(IndexedTexts(files), [file.path for file in files], wanted, keep, seconds)


@pytest.mark.parametrize(
    ("query", "options", "lines"),
    [
        ("Aa", {}, [3]),
        ("aa", {}, []),
        ("aa", {"case_sensitive": False}, [3]),
        ("LET ÉTÉ", {"case_sensitive": False}, [5]),
        ("a(1)", {}, [3]),
        ("a(1)", {"is_regex": True}, []),
        (r"a\(\d\)", {"is_regex": True}, [3]),
        ("TODO: a\n\tif", {}, [3]),
        ("todo: a\n\tIF", {"case_sensitive": False}, [3]),
        ("^$", {"is_regex": True}, [2]),
        ("^", {"is_regex": True}, [1, 2, 3, 4, 5]),
        (r"\s+", {"is_regex": True}, [1, 3, 4, 5]),
        ("[^a]+$", {"is_regex": True}, [1, 4, 5]),
        (r"TODO: a\n|\(x", {"is_regex": True}, [4]),
        ("export|^if", {"is_regex": True}, [3]),
        (r"\bé\b|naïve", {"is_regex": True}, [5]),
        (r"\p{Ll}é|é\p{Ll}", {"is_regex": True}, [5]),
        ("x*", {"is_regex": True}, [1, 2, 3, 4, 5]),
    ],
)
def test_lines(query: str, options: dict[str, bool], lines: list[int]) -> None:
    assert found(query, **options) == lines


PIECES = st.lists(st.sampled_from(["a", "b", "A", " ", ".", "(", "\n", "é", "ab", "\t", "\n\n"]), max_size=40).map("".join)
PATTERNS = st.lists(
    st.sampled_from(["a", "b", ".", "a*", "b+", "[ab]", "[^a]", "^", "$", r"\(", "(?:ab|b)", "é", "A?"]), min_size=1, max_size=5
).map("".join)


def lines_of(text: str) -> list[str]:
    """As grep counts lines: what stands behind the last line break is one only when it is not empty."""
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


@given(PIECES, PATTERNS, st.booleans())
def test_a_pattern_finds_the_lines_on_which_it_matches(text: str, pattern: str, case_sensitive: bool) -> None:
    flags = 0 if case_sensitive else re.IGNORECASE
    expected = [number for number, line in enumerate(lines_of(text), 1) if re.search(pattern, line, flags)]
    assert found(pattern, text, is_regex=True, case_sensitive=case_sensitive) == expected


@given(PIECES, PIECES.filter(lambda text: text and "\n" not in text), st.booleans())
def test_a_text_finds_the_lines_that_hold_it(text: str, query: str, case_sensitive: bool) -> None:
    wanted = query if case_sensitive else query.lower()
    expected = [number for number, line in enumerate(lines_of(text), 1) if wanted in (line if case_sensitive else line.lower())]
    assert found(query, text, case_sensitive=case_sensitive) == expected


FILES = st.lists(PIECES, max_size=6)


@given(FILES, PATTERNS.map(lambda text: text.replace("$", r"\z")) | PATTERNS | PIECES.filter(bool), st.booleans(), st.booleans())
def test_files_are_searched_as_if_each_were_alone(texts: list[str], query: str, is_regex: bool, case_sensitive: bool) -> None:
    try:
        together = found_in(texts, query, is_regex=is_regex, case_sensitive=case_sensitive)
    except UsageError:
        return
    alone = [found(query, text, is_regex=is_regex, case_sensitive=case_sensitive) for text in texts]
    assert together == [(f"{number:03}", line) for number, lines in enumerate(alone) for line in lines]


SEVERAL: list[tuple[str, bool, list[tuple[str, int]]]] = [
    ("b\na", False, []),
    ("a\nb", False, [("000", 1), ("002", 1)]),
    (r"\Aa", True, [("000", 1), ("001", 1), ("002", 1)]),
    (r"b\z", True, [("000", 2)]),
    ("(?-m)^b", True, []),
    ("$", True, [("000", 1), ("000", 2), ("001", 1), ("002", 1), ("002", 2)]),
]


@pytest.mark.parametrize(("query", "is_regex", "places"), SEVERAL, ids=[case[0] for case in SEVERAL])
def test_nothing_matches_across_files(query: str, is_regex: bool, places: list[tuple[str, int]]) -> None:
    assert found_in(["a\nb", "a", "a\nb\n"], query, is_regex=is_regex, case_sensitive=True) == places


def test_an_empty_file_has_no_line() -> None:
    places = found_in(["", "a", "", ""], "x*", is_regex=True, case_sensitive=True)
    assert places == [("001", 1)]


def test_only_files_that_are_asked_for_are_searched() -> None:
    texts = IndexedTexts(FileText(name, b"x\n") for name in "abcde")
    result = scan(texts, ["a", "b", "d", "no such file"], finder("X", is_regex=False, case_sensitive=False), 10, 60)
    assert [line.file.path for line in result.lines] == ["a", "b", "d"]


@pytest.mark.parametrize(("query", "lines"), [("desk", [1, 2, 3]), ("DE", [1, 2, 3, 4]), ("x", [5])])
def test_letters_beyond_ascii_that_are_ascii_in_another_case_match(query: str, lines: list[int]) -> None:
    assert found(query, "Desk\nde\u017fk\nDES\u212a\nde\nX\n", case_sensitive=False) == lines


def test_texts_of_later_files_take_the_place_of_earlier_ones() -> None:
    texts = IndexedTexts(FileText(name, name.encode()) for name in "abd")
    renewed = texts.replaced(["a", "b"], [FileText("b", b"new\n"), FileText("c", b"\n")])
    assert dict(renewed) == {path: FileText(path, text) for path, text in (("b", b"new\n"), ("c", b"\n"), ("d", b"d"))}
    assert (list(renewed), len(renewed), "a" in renewed) == (["b", "c", "d"], 3, False)
    assert dict(texts) == {name: FileText(name, name.encode()) for name in "abd"}


@pytest.mark.parametrize("changed", [{"a": b"One\n\nTwo"}, {"c": b""}, {"a": b"x\n", "b": b"Long\nlines\n", "d": b"Y"}])
def test_changed_texts_of_the_same_files_are_those_of_new_texts(changed: dict[str, bytes]) -> None:
    before = {"a": b"First\nLine\n", "b": b"", "c": b"Ends\nWithout", "d": b"Last\n"}
    texts = IndexedTexts(FileText(path, text) for path, text in before.items())
    assert [texts.lower_case_lines(path, 1, 2) for path in before] == [b"first\nline", b"", b"ends\nwithout", b"last\n"]
    renewed = texts.replaced([*changed], [FileText(path, text) for path, text in changed.items()])
    expected = IndexedTexts(FileText(path, text) for path, text in {**before, **changed}.items())
    assert (renewed.block, renewed.starts, renewed.lower_case) == (expected.block, expected.starts, expected.lower_case)
    assert dict(renewed) == dict(expected)
    for path in before:
        for line in range(1, 4):
            assert renewed.lower_case_lines(path, line, line) == expected.lower_case_lines(path, line, line)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1))
def test_an_escaped_text_matches_itself_alone(text: str) -> None:
    pattern = compile_regex(f"^{escaped(text)}$")
    assert pattern.matches(text)
    assert not pattern.matches(text + "x")


HOSTILE = [
    "(a+)+$",
    "(a|aa)+$",
    "(.*)*x",
    "(a?){50}a{50}",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(?:(?:a|b)*)*c",
    "(.*a){25}",
    "(?:" * 2000 + "a" + ")" * 2000,
]


@pytest.mark.parametrize("pattern", HOSTILE)
def test_hostile_patterns_end(pattern: str) -> None:
    """Each would keep an engine that backtracks busy for years."""
    found(pattern, "a" * 50_000 + "!\n", is_regex=True)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(", "missing"),
        ("a)", "unexpected"),
        ("[b-a]", "range"),
        (r"(a)\1", "backreferences are not supported"),
        ("(?<=a)b", "look-around is not supported"),
        ("a{1001}", "repetition"),
        ("((((a{900}){900}){900}){900})", ""),
        ("", "The query is empty"),
        ("x" * 20_000, "longer than 10,000 bytes"),
    ],
)
def test_what_is_no_pattern_is_explained(pattern: str, reason: str) -> None:
    with pytest.raises(UsageError) as caught:
        found(pattern, is_regex=True)
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 400


def test_only_so_many_lines_are_kept_and_all_are_counted() -> None:
    files = [FileText(f"{name}.ts", b"x\n" * 50) for name in "abc"]
    result = scanned(files, "x", is_regex=False, case_sensitive=True, keep=60)
    assert (len(result.lines), result.total, result.files, result.complete) == (60, 150, 3, True)
    assert [(line.file.path, line.line) for line in result.lines][49:51] == [("a.ts", 50), ("b.ts", 1)]


def test_a_search_that_runs_out_of_time_says_so() -> None:
    files = [FileText(f"{number}.ts", b"x\n" * 5000) for number in range(500)]
    result = scanned(files, "x", is_regex=True, case_sensitive=True, keep=1, seconds=0.0)
    assert not result.complete
    assert result.total < 2_500_000


def test_lines_of_stored_texts_end_with_a_line_feed_alone() -> None:
    assert FileText.of_stored("a", b"x\r\n \r\n\r\ny\n") == FileText("a", b"x\n \n\ny\n")


UNICODE = "let été = 'naïve'\n// 挨拶 ٣\nconst\u00a0a\u3000=\u20281\nx_y-z 9\n"
#: Patterns with the lines that match, as ripgrep finds them.
CLASSES = [
    (r"\w+é", [1]),
    (r"'\w+'", [1]),
    (r"[\w]{2} \d", [2]),
    (r"[^\W]\w \D", [1]),
    (r"^// \S+ \d$", [2]),
    (r"a\s=\s1", [3]),
    (r"[a\s]{3}", [3]),
    (r"[^\s]{6}", [1]),
    (r"[\S]{5}", [1, 3, 4]),
    (r"\W\w\W", [3, 4]),
    (r"[\D]{10}", [1, 3]),
    (r"\\w", []),
    (r"\Q\w\E", []),
    (r"[]\d] ?", [2, 3, 4]),
    (r"[[:alpha:]\d] ?9", [4]),
    (r"(?i)ÉTÉ", [1]),
]


@pytest.mark.parametrize(("pattern", "lines"), CLASSES)
def test_classes_are_those_of_unicode(pattern: str, lines: list[int]) -> None:
    assert found(pattern, UNICODE, is_regex=True) == lines


def test_a_pattern_that_repeats_classes_hundreds_of_times_keeps_to_those_of_ascii() -> None:
    assert found(r"(\w{1,50}\s*){20}", "word " * 30, is_regex=True) == [1]


@pytest.mark.parametrize("case_sensitive", [True, False])
def test_half_of_a_surrogate_pair_is_refused(case_sensitive: bool) -> None:
    with pytest.raises(UsageError, match="half of a surrogate pair"):
        found("\ud800", case_sensitive=case_sensitive)
    assert found("\udc80", case_sensitive=case_sensitive) == []
