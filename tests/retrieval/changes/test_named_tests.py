"""Which tests are named after changed files, symbols and lines."""

from __future__ import annotations

import pytest
from astrolabe.retrieval.changes.named_tests import is_marked, named_after_files, named_after_symbols, named_in_words

TESTS = ("test/close.test.js", "test/add-methods.test.js", "test/request/host.test.js", "test/response/host.test.js")


def test_a_test_is_named_after_a_symbol() -> None:
    found = named_after_symbols([("addMethod", "lib/router.js"), ("host", "lib/request.js")], TESTS)
    assert found == {
        "test/add-methods.test.js": (0.6, "addMethod"),
        "test/request/host.test.js": (1.0, "host"),
        "test/response/host.test.js": (0.6, "host"),
    }


def test_a_test_is_named_after_a_file() -> None:
    found = named_after_files(["lib/close.js"], TESTS)
    assert found == {"test/close.test.js": (0.6, "lib/close.js")}


def test_the_name_of_a_test_consists_of_words_of_changed_lines() -> None:
    found = named_in_words({"forceCloseConnections", "methods"}, TESTS)
    assert list(found) == ["test/close.test.js", "test/add-methods.test.js"]
    assert found["test/close.test.js"] == pytest.approx(0.5)
    assert named_in_words((), TESTS) == {}


@pytest.mark.parametrize("path", ["cart.test.ts", "src/test_cart.py", "CartTest.java", "cart_spec.rb", "a/cart_test.go"])
def test_names_that_say_that_a_file_has_tests(path: str) -> None:
    assert is_marked(path)
    assert not is_marked("test/helpers/context.js")
