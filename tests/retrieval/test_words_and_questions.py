"""Splitting of identifiers and questions."""

from __future__ import annotations

import pytest
from astrolabe.retrieval.query.query import NamedPlace, NamePath, identifiers, read_query, same_identifier
from astrolabe.retrieval.text.tokens import count_tokens
from astrolabe.retrieval.text.words import find_words, humps, split_text, split_word, stem

SPLITS = [
    ("validateToken", ("validat", "token", "validatetoken")),
    ("parse_url", ("pars", "url", "parseurl")),
    ("parseURL", ("pars", "url", "parseurl")),
    ("HTTPServer2", ("http", "server", "2", "httpserver2")),
    ("MAX_VALUE", ("max", "valu", "maxvalue")),
    ("token", ("token",)),
    ("the", ()),
    ("x", ()),
    ("élan", ("é", "lan", "élan")),
    ("данные", ("данные",)),
    ("世界", ("世界",)),
    ("_", ()),
    ("a" * 81, ()),
]


@pytest.mark.parametrize(("word", "terms"), SPLITS)
def test_words_are_split_at_humps_and_kept_whole(word: str, terms: tuple[str, ...]) -> None:
    assert split_word(word) == terms


@pytest.mark.parametrize("family", [("parse", "parsed", "parsing", "parses"), ("token", "tokens"), ("normalize", "normalized")])
def test_forms_of_a_word_share_their_stem(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


def test_the_fast_way_finds_the_same_words_as_the_pattern() -> None:
    text = "a_b.cD(e1, 'f-g') => $h; /* i2 */ `j`"
    assert find_words(text) == find_words(text + " é")[:-1] == ["a_b", "cD", "e1", "f", "g", "h", "i2", "j"]


@pytest.mark.parametrize("text", ["", " ", "''", "%%% --;", "\x00\ud800", "🎉🎉"])
def test_text_without_words_has_no_terms(text: str) -> None:
    assert split_text(text) == []


def test_tokens_are_characters_divided_by_four_and_rounded_up() -> None:
    assert [count_tokens("x" * n) for n in (0, 1, 4, 5)] == [0, 1, 1, 2]


WANTED = [
    ("validateToken", NamePath("validateToken", None)),
    ("retry", NamePath("retry", None)),
    ("TokenService.validateToken", NamePath("validateToken", "TokenService")),
    ("TokenService#validateToken()", NamePath("validateToken", "TokenService")),
    ("TokenService > validateToken", NamePath("validateToken", "TokenService")),
    ("a.b.c", NamePath("c", "b")),
    ("`#secret`", NamePath("#secret", None)),
    (" spaced ", NamePath("spaced", None)),
    ("two words", None),
    ("what?", None),
    ("1234", None),
    ("'; DROP TABLE chunks; --", None),
]


@pytest.mark.parametrize(("query", "wanted"), WANTED)
def test_a_query_that_is_one_name_wants_its_declaration(query: str, wanted: NamePath | None) -> None:
    assert read_query(query).wanted == wanted


ASKS = [
    ("tests for the token service", (True, False, False, False)),
    ("an example of retries", (False, True, False, False)),
    ("ambient declarations of modules", (False, False, True, False)),
    ("which files re-export the parser", (False, False, False, True)),
    ("latest contestants importance", (False, False, False, False)),
    ("export a drawing, import a comment", (False, False, False, False)),
]


@pytest.mark.parametrize(("query", "asks"), ASKS)
def test_questions_ask_for_kinds_of_code_by_word(query: str, asks: tuple[bool, ...]) -> None:
    question = read_query(query)
    found = (question.asks_for_tests, question.asks_for_examples, question.asks_for_declarations, question.asks_for_imports)
    assert found == asks


def test_identifiers_are_the_words_that_only_code_has() -> None:
    text = "TypeError at innerFrom (a.ts): what does $ZodType do to MAX_SIZE, or to an observable? innerFrom"
    assert identifiers(text) == ["TypeError", "innerFrom", "ZodType", "MAX_SIZE"]


ASKED = [
    ("how does retry resubscribe after an error", "retry resubscribe after an error"),
    ("How does v-model on a checkbox work?", "v-model on a checkbox"),
    ("what happens when a subscriber throws in next", "a subscriber throws in next"),
    ("where is the scheduler queue flushed", "is the scheduler queue flushed"),
    ("where is TokenService defined?", "is TokenService"),
    ("can you show me the code for undo", "the code for undo"),
    ("find the code which handles paste", "which handles paste"),
    ("why should a request be batched", "a request be batched"),
    # No question: its words stand for themselves.
    ("there does the where clause work", "there does the where clause work"),
    ("worker works", "worker works"),
    # A question of nothing but such words keeps them.
    ("how does it work?", "how does work"),
]


@pytest.mark.parametrize(("query", "meant"), ASKED)
def test_the_words_that_make_a_question_are_no_search_terms(query: str, meant: str) -> None:
    assert read_query(query).terms == tuple(dict.fromkeys(split_text(meant)))


def test_a_long_query_keeps_a_bounded_number_of_terms() -> None:
    assert len(read_query(" ".join(f"word{n}" for n in range(5000))).terms) == 200


@pytest.mark.parametrize(
    ("one", "other", "same"), [("parse_url", "parseURL", True), ("TokenService", "tokenService", True), ("a", "ab", False)]
)
def test_identifiers_are_the_same_whatever_their_spelling(one: str, other: str, same: bool) -> None:
    assert same_identifier(one, other) is same


def test_humps_are_lower_case_parts() -> None:
    assert humps("parseHTTPHeader_v2") == ["parse", "http", "header", "v", "2"]


PLACES = [
    ("at f (/app/src/a.ts:12:5)", "/app/src/a.ts", 12),
    ("src/a.ts(12,5): error TS2304", "src/a.ts", 12),
    ('File "/srv/shop/cart.py", line 32, in remove', "/srv/shop/cart.py", 32),
    ("#0 /app/src/Cart.php(32): remove()", "/app/src/Cart.php", 32),
    ("in /app/src/Cart.php on line 32", "/app/src/Cart.php", 32),
    ("at Shop.Cart.Remove() in C:\\shop\\Cart.cs:line 32", "/shop/Cart.cs", 32),
    ("file Shop/Cart+Sum.swift, line 32", "Shop/Cart+Sum.swift", 32),
    ("what does src/a.ts do", "src/a.ts", None),
]


@pytest.mark.parametrize(("text", "path", "line"), PLACES)
def test_places_are_read_as_tools_write_them(text: str, path: str, line: int | None) -> None:
    (place,) = read_query(text).places
    assert (place.path.endswith(path), place.line) == (True, line)


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("/home/me/shop/main.go", "main.go"),
        ("/home/me/shop/cart/cart.go", "/home/me/shop/cart/cart.go"),
        ("/usr/local/go/src/net/main.go", "/usr/local/go/src/net/main.go"),
        ("/home/me/shop/other.go", "/home/me/shop/other.go"),
    ],
)
def test_a_path_from_further_up_may_mean_a_file_at_the_root(path: str, meant: str) -> None:
    place = NamedPlace(path, 3).among({"main.go", "cart.go", "cart/cart.go", "cmd/main.go"})
    assert place.path == meant
    assert not place.is_in("cmd/main.go")


WANTING_TESTS = [
    ("tests for the session pool", True),
    ("unit tests of proxy configuration", True),
    ("where is RequestList tested", True),
    ("find the tests that check robots.txt", True),
    ("persist.test", True),
    ("how does the runner order the tests of a file", False),
    ("retry a failed test", False),
    ("test whether a value is a number", False),
]


@pytest.mark.parametrize(("text", "wants"), WANTING_TESTS)
def test_whether_tests_are_what_a_question_wants(text: str, wants: bool) -> None:
    question = read_query(text)
    assert question.wants_tests == wants
    assert question.asks_for_tests or not wants


@pytest.mark.parametrize(
    "token", ["a" * 100_000, "a/" * 50_000, "ab+/" * 25_000, "/" * 100_000, "is " * 33_000, "a_test/" * 14_000]
)
def test_in_a_token_of_any_length_the_search_for_places_begins_once(token: str) -> None:
    # Each takes a minute where a pattern begins anew at every letter or word.
    assert read_query(token).places == ()
    assert [place.path for place in read_query(f"{token}\nat src/a.ts:3").places] == ["src/a.ts"]
