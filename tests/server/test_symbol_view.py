"""Symbols and files as Python sees them: the lookup's answer, and analyses as methods that answer from the fresh index."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.schema.errors import UsageError
from astrolabe.server.api.requests.search_results import ResultList
from astrolabe.server.api.workspace import Workspace


@pytest.fixture
def workspace(indexed: Path) -> Workspace:
    return Workspace.locate(indexed)


def test_a_symbol_is_the_answer_of_its_lookup(workspace: Workspace) -> None:
    symbol = workspace.symbol("TokenService > validateToken")
    plain = workspace.search("symbol = TokenService > validateToken")
    assert isinstance(symbol, ResultList)
    assert (symbol.text, symbol.results, symbol.index) == (plain.text, plain.results, plain.index)
    assert symbol._repr_html_() == plain._repr_html_()
    told = symbol.to_json(), plain.to_json()
    # The time that each of the two took is its own.
    assert all(form.pop("searchTimeMs") >= 0 for form in told)
    assert told[0] == told[1]
    with pytest.raises(UsageError):
        workspace.symbol("  ")


def test_analyses_are_methods(workspace: Workspace) -> None:
    symbol = workspace.symbol("TokenService > validateToken")
    assert [call.symbol.name for call in symbol.callers().calls] == ["handleLogin"]
    assert [call.symbol.name for call in symbol.callees(depth=-1).calls] == ["verifySignature"]
    assert symbol.references().total == 1
    assert symbol.signature().signature == "validateToken(token: string): boolean"
    service = workspace.symbol("TokenService")
    assert [member.name for member in service.members().members] == ["constructor", "secret", "validateToken"]
    assert [found.name for found in service.supertypes().types] == ["Validator"]
    assert [found.name for found in workspace.symbol("Validator").subtypes().types] == ["TokenService"]
    assert [found.name for found in service.type_hierarchy().implements] == ["Validator"]
    assert [offer.path for offer in service.exports().offers] == ["src/auth/tokenService.ts"]
    assert service.subject().label == "TokenService (src/auth/tokenService.ts:8)"
    assert "<pre>" in service.members()._repr_html_()


def test_files_have_analyses_too(workspace: Workspace, indexed: Path) -> None:
    file = workspace.file(indexed / "src/auth/tokenService.ts")
    assert [offer.name for offer in file.exports().offers] == ["Validator", "TokenService"]
    assert [found.to_path for found in file.imports().files] == ["src/auth/verify.ts"]
    assert [found.from_path for found in file.importers().files] == ["src/routes/login.ts"]
    assert file.subject().label == "src/auth/tokenService.ts"


@pytest.mark.parametrize(
    ("path", "kind", "words"),
    [
        ("dist/bundle.js", "notIndexed", ".gitignore"),
        ("logo.svg", "notIndexed", "no source file of a language that is read"),
        ("src/auth/verfy.ts", "notFound", "src/auth/verify.ts"),
    ],
)
def test_a_file_that_is_not_indexed_says_why(workspace: Workspace, path: str, kind: str, words: str) -> None:
    for answer in (workspace.file(path).exports(), workspace.symbol(f"./{path} > anything").callers()):
        assert answer.nothing is not None
        assert answer.nothing.kind == kind
        assert words in answer.text


def test_a_symbol_is_found_again_after_an_edit(workspace: Workspace, indexed: Path) -> None:
    symbol = workspace.symbol("verifySignature")
    assert symbol.callers().calls[0].sites[0].line == 13
    for name in ("src/auth/tokenService.ts", "src/auth/verify.ts"):
        path = indexed / name
        path.write_text("// moved down\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    assert symbol.callers().calls[0].sites[0].line == 14
    (indexed / "src/auth/verify.ts").write_text("export const gone = true\n", encoding="utf-8")
    nothing = symbol.callers().nothing
    assert nothing is not None
    assert nothing.kind == "notFound"
