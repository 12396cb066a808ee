"""Chains as text: what is read, and that everything else is a clear error with its place."""

from __future__ import annotations

import random

import pytest
from astrolabe.graphdb.scopes.fields import FIELDS, OPERATORS
from astrolabe.graphdb.scopes.plan import Kind
from astrolabe.schema.errors import UsageError
from astrolabe.server.api.scopes.chain_text import MAX_DEPTH, ChainError, read_chain
from astrolabe.server.api.scopes.commits import CommitScope
from astrolabe.server.api.scopes.operations import operations_of
from astrolabe.server.api.scopes.scope import Scope
from astrolabe.server.api.workspace import Workspace

GOOD = (
    "files(language='ts').symbols(kind='method').callers(depth=2)",
    "symbols(kind__in=['class', 'interface',]).members(2).limit(5)",
    '(symbols(kind="class") | symbol("add")) - symbols(exported = false)',
    "symbol('testsThePayment').path_to(symbol('odd'), by='calls')",
    "modules().files(lines__gt=-1).symbols().hubs(3, by='callers').sort('name', descending=true)",
    "repo().commits().limit(3)",
)


@pytest.mark.parametrize("chain", GOOD)
def test_a_chain_is_read_and_written_back(shop_workspace: Workspace, chain: str) -> None:
    scope = shop_workspace.query(chain)
    if isinstance(scope, Scope):
        again = shop_workspace.query(scope.chain)
        assert isinstance(again, Scope)
        assert again.statement() == scope.statement()
    elif isinstance(scope, CommitScope):
        assert str(shop_workspace.query(scope.chain)) == str(scope)


@pytest.mark.parametrize(
    ("chain", "message", "place"),
    [
        ("", "empty", 0),
        ("symbols", "is a call", 8),
        ("symbols().", "Expected the name", 11),
        ("symbols(kind=class)", "Put texts in quotes", 14),
        ("symbols(kind='class'", "Expected a comma or ')'", 21),
        ("symbols(kind='class)", "no closing quote", 14),
        ("symbols().calers()", "Did you mean `callers`", 11),
        ("simbols()", "Did you mean `symbols`", 1),
        ("symbols().callers(dept=2)", "Did you mean `depth`", 11),
        ("symbols().callers(2.5)", "Numbers are whole", 19),
        ("symbols().callers(depth=1, depth=2)", "given twice", 28),
        ("symbols() + files()", "has no meaning", 11),
        ("symbols() files()", "Expected a dot", 11),
        ("symbols().count().callers()", "Nothing can follow", 19),
        ("symbols() | files()", "nodes of one kind", 11),
        ("symbols().count(3)", "takes nothing", 11),
        ("symbols(name=[1, [2]])", "takes a text", 1),
        ("symbols().__class__()", "no `__class__`", 11),
        ("symbols()._run(1)", "no `_run`", 11),
        ("__import__('os')", "no `__import__`", 1),
    ],
)
def test_an_error_shows_its_place(shop_workspace: Workspace, chain: str, message: str, place: int) -> None:
    with pytest.raises(ChainError) as failure:
        shop_workspace.query(chain)
    assert message in str(failure.value)
    if place:
        assert f"at character {place})" in str(failure.value)
        assert str(failure.value).splitlines()[-1].rstrip().endswith("^")


def test_depth_and_length_are_bounded() -> None:
    with pytest.raises(ChainError, match="nests at most"):
        read_chain("(" * (MAX_DEPTH + 1) + "symbols()" + ")" * (MAX_DEPTH + 1))
    with pytest.raises(ChainError, match="nests at most"):
        read_chain("symbols(kind=" + "[" * 5_000)
    with pytest.raises(ChainError, match="longer than"):
        read_chain("symbols()" + ".callers()" * 2_000)


def test_hundreds_of_malformed_chains_are_errors_and_nothing_else(shop_workspace: Workspace) -> None:
    generator = random.Random(5)
    pieces = ["(", ")", "[", "]", ",", ".", "=", "'", '"', "|", "&", "-", "\\", "\n", "\0", "é", "5", "-1", "1e9", "true", "kind"]
    messages = []
    for _ in range(1_000):
        text = generator.choice(GOOD[:5])
        for _ in range(generator.randint(1, 3)):
            at = generator.randrange(len(text))
            cut = generator.randint(0, 4)
            text = text[:at] + generator.choice(pieces) + text[at + cut :]
        try:
            shop_workspace.query(text)
        except UsageError as error:
            messages.append(str(error))
    assert len(messages) > 500
    assert min(map(len, messages)) > 15


WRONG = (
    "''",
    "' '",
    "-1",
    "0",
    "99999999999",
    "[]",
    "[[1]]",
    "true",
    "null",
    "'\\\\'",
    "'\0'",
    "files()",
    "symbols()",
    "'x', 'y', 'z', 'w', 'v'",
)
BEGINNINGS = (
    "modules()",
    "files()",
    "symbols()",
    "packages()",
    "tables()",
    "columns()",
    "docs()",
    "sections()",
    "docs().steps()",
    "commits()",
    "repo()",
)


def error_of(workspace: Workspace, chain: str) -> ChainError | None:
    try:
        workspace.query(chain)
    except ChainError as error:
        return error
    return None


def test_wrong_arguments_of_every_call_are_errors_with_their_place(portal_workspace: Workspace) -> None:
    """Each call of each kind of scope gets values of a wrong type or out of range, drawn with a fixed seed."""
    generator = random.Random(11)
    asked = [
        f"{beginning}.{name}({wrong})"
        for beginning in BEGINNINGS
        for name in operations_of(type(portal_workspace.query(beginning)))
        for wrong in generator.sample(WRONG, 5)
    ]
    errors = [error for chain in asked if (error := error_of(portal_workspace, chain)) is not None]
    assert len(asked) > 700
    assert len(errors) > 500
    for error in errors:
        assert error.position is not None
        assert len(str(error).partition(" (at character")[0]) > 15


def test_wrong_filters_are_errors_that_name_the_field_or_the_operator(portal_workspace: Workspace) -> None:
    generator = random.Random(12)
    values = ("'x'", "5", "true", "['x']", "[5]", "null", "files()", "[]")
    operators = ("eq", "not", "in", "gt", "has", "matches", "under", "lik", "__")
    beginnings: dict[Kind, str] = {
        "file": "files", "symbol": "symbols", "column": "columns", "table": "tables", "module": "modules",
    }  # fmt: skip
    errors = answers = 0
    for kind, beginning in beginnings.items():
        for field, described in FIELDS[kind].items():
            for operator in generator.sample(operators, 4):
                chain = f"{beginning}({field}__{operator}={generator.choice(values)})"
                error = error_of(portal_workspace, chain)
                if error is not None:
                    errors += 1
                    assert "at character 1)" in str(error), chain
                    assert field in str(error) or operator in str(error), chain
                    continue
                answers += 1
                assert operator in OPERATORS[described.type], chain
                scope = portal_workspace.query(chain)
                assert isinstance(scope, Scope)
                assert scope.count() >= 0
    assert errors > 100
    assert answers > 5


def test_long_words_are_shortened_in_messages(portal_workspace: Workspace) -> None:
    long = "x" * 3_000
    for chain in (
        f"{long}()",
        f"files({long}=1)",
        f"files().{long}()",
        f"symbols(name__{long}='a')",
        f"symbols(exported={long})",
    ):
        error = error_of(portal_workspace, chain)
        assert error is not None
        assert "xxx…" in str(error)
        assert len(str(error)) < 700
