"""`symbol = …`: the notations, exact matches, and the hint for each way of finding nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.query.search_request import SearchRequest
from astrolabe.retrieval.query.symbol_path import SymbolPath, read_symbol_path

SERVICE = "src/auth/tokenService.ts"
LEGACY = "src/legacy/tokenService.ts"
MODELS = "src/models.ts"
ROUTES = "src/routes.ts"

NOTATIONS = [
    ("symbol = validateToken", SymbolPath(None, ("validateToken",))),
    ("symbol = TokenService > validateToken", SymbolPath(None, ("TokenService", "validateToken"))),
    (f"symbol = {SERVICE} > TokenService > validateToken", SymbolPath(SERVICE, ("TokenService", "validateToken"))),
    ("symbol = src/auth/tokenService.ts", SymbolPath(SERVICE, ())),
    ("symbol = ./src/auth/tokenService.ts > x", SymbolPath(SERVICE, ("x",))),
    ("symbol = tokenService.ts > x", SymbolPath("tokenService.ts", ("x",))),
    ("symbol = src\\auth\\tokenService.ts > x", SymbolPath(None, ("src\\auth\\tokenService.ts", "x"))),
    ("  symbol=Foo  ", SymbolPath(None, ("Foo",))),
    ("Symbol = Foo", SymbolPath(None, ("Foo",))),
    ("symbol =", SymbolPath(None, ())),
    ("symbol = Map<K, V> > get", SymbolPath(None, ("Map", "get"))),
    ("symbol = Repository<Map<string, User[]>> > find()", SymbolPath(None, ("Repository", "find"))),
    ("symbol = Foo > #secret", SymbolPath(None, ("Foo", "#secret"))),
    ("symbol = `Foo` > 'bar'", SymbolPath(None, ("Foo", "bar"))),
    # As documentation, other languages and connection graphs write it.
    ("symbol = Foo>bar", SymbolPath(None, ("Foo", "bar"))),
    ("symbol = Foo<T>>bar", SymbolPath(None, ("Foo", "bar"))),
    ("symbol = Foo::bar", SymbolPath(None, ("Foo", "bar"))),
    ("symbol = Foo#bar", SymbolPath(None, ("Foo", "#bar"))),
    ("symbol = Foo → bar", SymbolPath(None, ("Foo", "bar"))),
    ("symbol = src/a.ts >", SymbolPath("src/a.ts", ())),
    ("symbol = src/a.ts#Foo", SymbolPath("src/a.ts", ("#Foo",))),
    ("symbol = src/a.ts:12", SymbolPath("src/a.ts", (), 12)),
    ("symbol = src/a.ts:12:5", SymbolPath("src/a.ts", (), 12)),
    ("symbol = class Foo", SymbolPath(None, ("Foo",))),
    ("symbol = export async function load", SymbolPath(None, ("load",))),
    ("symbol = returned function", SymbolPath(None, ("returned function",))),
    ("symbol = useEffect callback", SymbolPath(None, ("useEffect callback",))),
    ("where is validateToken", None),
    ("symbols of the parser", None),
    ("the symbol = sign", None),
]


@pytest.mark.parametrize(("query", "expected"), [case for case in NOTATIONS if "\\" not in case[0]])
def test_the_notations_of_a_symbol_path(query: str, expected: SymbolPath | None) -> None:
    assert read_symbol_path(query) == expected


@pytest.fixture(scope="module")
def stores(new_project: Any, store: Callable[[Any], Any]) -> Any:
    project = new_project()
    project.file(
        SERVICE,
        """
import jwt from 'jsonwebtoken';

export class TokenService<T> {
  #secret = 'x';

  constructor(private readonly clock: Clock) {
  }

  validateToken(token: string): boolean {
    function decode() {
      return token;
    }
    return jwt.verify(decode(), this.#secret);
  }
}

export function createService() {
  return new TokenService(null);
}
""",
        ("class", "TokenService"),
        ("property", "TokenService.#secret"),
        ("constructor", "TokenService.constructor"),
        ("method", "TokenService.validateToken"),
        ("function", "TokenService.validateToken.decode"),
        ("function", "createService"),
    )
    project.file(
        LEGACY,
        "export class Checker {\n  validateToken(token: string) {\n    return !!token;\n  }\n}",
        ("class", "Checker"),
        ("method", "Checker.validateToken"),
    )
    project.file(
        MODELS,
        """
export interface Config {
  name: string;
}

export namespace Config {
  export const fallback = 1;
}

export const Unrelated = 1;
""",
        ("interface", "Config"),
        ("property", "Config.name"),
        ("namespace", "Config"),
        ("const", "Unrelated"),
    )
    route = "app.get('/users/:id', (request) => {"
    project.file(ROUTES, f"{route}\n  return request;\n}});", ("expression", route, route))
    project.export(SERVICE, f"{SERVICE}#createService", "default")
    project.export(SERVICE, f"{SERVICE}#createService", "makeService")
    return store(project)


FOUND = [
    # In any file: all that have the name.
    ("validateToken", ["Checker.validateToken", "TokenService.validateToken"]),
    ("TokenService > validateToken", ["TokenService.validateToken"]),
    (f"{SERVICE} > TokenService > validateToken", ["TokenService.validateToken"]),
    (f"{SERVICE} > validateToken", ["TokenService.validateToken"]),
    ("TokenService<User>", ["TokenService"]),
    ("TokenService<User> > validateToken()", ["TokenService.validateToken"]),
    ("TokenService > #secret", ["TokenService.#secret"]),
    ("#secret", ["TokenService.#secret"]),
    ("TokenService > constructor", ["TokenService.constructor"]),
    ("TokenService > validateToken > decode", ["TokenService.validateToken.decode"]),
    ("TokenService > decode", ["TokenService.validateToken.decode"]),
    # As the connection graph writes it.
    ("TokenService.validateToken", ["TokenService.validateToken"]),
    # Declaration merging.
    ("Config", ["Config", "Config"]),
    ("Config > name", ["Config.name"]),
    # Names that files give.
    ("makeService", ["createService"]),
    (f"{SERVICE} > default", ["createService"]),
    ("import:jsonwebtoken", ["import:jsonwebtoken"]),
    ("TokenService#validateToken", ["TokenService.validateToken"]),
    (f"{SERVICE}#TokenService", ["TokenService"]),
    ("TokenService::validateToken", ["TokenService.validateToken"]),
    ("TokenService.#secret", ["TokenService.#secret"]),
    ("class TokenService", ["TokenService"]),
    # By its place, as a stack trace has it: what stands there, innermost.
    (f"{SERVICE}:11:7", ["TokenService.validateToken.decode"]),
    (f"{SERVICE}:13", ["TokenService.validateToken"]),
    # Letter by letter, as an answer names it.
    (f"{ROUTES} > app.get('/users/:id', (request) => {{", ["app.get('/users/:id', (request) => {"]),
]


@pytest.mark.parametrize(("path", "labels"), FOUND)
def test_lookups_find_exactly_the_symbols_of_the_path(stores: Any, path: str, labels: list[str]) -> None:
    answer = stores.engine().search(SearchRequest(f"symbol = {path}"))
    assert answer.hint is None
    ids = {symbol.id: symbol.qualified_name for symbol in stores.project.symbols.values()}
    assert sorted(ids[result.id] for result in answer.results) == labels
    assert {result.score for result in answer.results} == {1.0}


HINTS = [
    ("nonExistentSymbol", 'No symbol "nonExistentSymbol" found. Ask in words what it does, or look for the text itself'),
    ("validatetoken", 'Did you mean "validateToken" (src/auth/tokenService.ts:'),
    ("validateTokn", 'Did you mean "validateToken"'),
    ("tokenService.ts > validateToken", f'No file "tokenService.ts" found. Similar paths: {SERVICE}, {LEGACY}'),
    ("src/auth/TokenService.ts > validateToken", f"Similar paths: {SERVICE}"),
    ("src/nowhere/else.ts > x", 'No file "src/nowhere/else.ts" is in the index. Folders at the root: src/.'),
    ("TokenService > nonExistent", 'No symbol "nonExistent" found in "TokenService" (src/auth/tokenService.ts:3). It holds: '),
    ("TokenService > VALIDATETOKEN", 'Did you mean "validateToken"'),
    ("NonExistentClass > validateToken", 'No symbol "NonExistentClass" found.'),
    (f"{SERVICE} > Checker", f'No symbol "Checker" found in "{SERVICE}", but elsewhere: "Checker" ({LEGACY}:1).'),
    ("secret", 'Did you mean "#secret"'),
    (f"/home/me/project/{SERVICE} > x", f"Similar paths: {SERVICE}"),
    (f"{SERVICE}:900", f'Nothing stands at line 900 of "{SERVICE}", which has '),
    (f"{SERVICE}:900", f"lines: `symbol = {SERVICE}` shows the file."),
    ("default", "name the file too, `symbol = src/file.ts > default`"),
    ("", "Name a symbol: `symbol = Name`"),
    ("Card.css", 'No file "Card.css" is in the index: files of that kind are not read.'),
    # What merely ends with a short name is not meant by it.
    ("isTokenAssignable", 'No symbol "isTokenAssignable" found.'),
    ("'; MATCH (n) DETACH DELETE n; --", "No symbol"),
    ("x" * 10_000, "No symbol"),
    ("a>" * 5_000, "No symbol is nested in 30 others"),
    ("#a" * 3_000, "No symbol is nested in 30 others"),
    ("a<" * 5_000, "No symbol"),
    (">", 'No symbol ">" found.'),
    (".", 'No symbol "." found.'),
    ("\ud800", "No symbol"),
    (f"{SERVICE}:{'9' * 30}", "No file"),
]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        (f"{SERVICE} > TokenService > validateToken", ["TokenService.validateToken"]),
        ("models.ts > Config > name", ["Config.name"]),
        ("Checker > validateToken", ["Checker.validateToken"]),
        ("tokenService.ts > validateToken", None),
        ("is the count > limit", None),
    ],
)
def test_a_query_in_the_form_of_a_path_leads_to_the_symbol_with_that_path(
    stores: Any, query: str, names: list[str] | None
) -> None:
    answer = stores.engine().search(SearchRequest(query))
    lookup = stores.engine().search(SearchRequest(f"symbol = {query}"))
    if names is None:
        assert answer.total_candidates > 0
    else:
        assert [result.name for result in answer.results] == [name.rpartition(".")[2] for name in names]
        assert answer.results == lookup.results or lookup.hint is not None


@pytest.mark.parametrize(("path", "hint"), HINTS, ids=[f"{path[:30]}-{hint[:20]}" for path, hint in HINTS])
def test_a_lookup_that_finds_nothing_says_which_part_failed_and_what_there_is(stores: Any, path: str, hint: str) -> None:
    answer = stores.engine().search(SearchRequest(f"symbol = {path}"))
    assert answer.results == ()
    assert answer.texts == ()
    assert answer.hint is not None
    assert hint in answer.hint
    assert len(answer.hint) < 400


def test_a_hint_resolves_nothing_by_itself(stores: Any) -> None:
    assert stores.engine().search(SearchRequest("symbol = validatetoken")).results == ()


def test_an_ambiguous_name_shows_the_matches_that_fit_and_names_the_others(stores: Any) -> None:
    answer = stores.engine().search(SearchRequest("symbol = validateToken", budget=170))
    assert [result.file for result in answer.results] == [SERVICE]
    assert f"Beyond the budget: symbol = {LEGACY} > Checker > validateToken (15 tokens)" in answer.texts[0].text
    assert answer.tokens <= 170


def test_of_many_symbols_of_a_name_only_those_are_read_for_which_there_is_room(
    new_project: Any, store: Callable[[Any], Any]
) -> None:
    project = new_project()
    for number in range(30):
        text = f"export function handle(value: number) {{\n  return value + {number};\n}}\n"
        project.file(f"src/handler{number:02}.ts", text, ("function", "handle"))
    engine = store(project).engine()
    answer = engine.search(SearchRequest("symbol = handle", budget=170))
    [beyond] = [line for line in answer.texts[0].text.split("\n") if "Beyond the budget" in line]
    named = re.findall(r"src/handler\d\d\.ts > handle \(\d+ tokens\)", beyond)
    [more] = re.findall(r"and (\d+) more", beyond)
    assert (len(named), len(answer.results) + len(named) + int(more)) == (5, 30)
    assert len(engine.chunks._cache._kept) < 30


def test_a_name_within_its_namesake_is_a_match_of_its_own(new_project: Any, store: Callable[[Any], Any]) -> None:
    project = new_project()
    text = "export const Panel = memo(() => {\n  function Panel() {\n    return null;\n  }\n});"
    project.file("src/panel.ts", text, ("const", "Panel"), ("function", "Panel.Panel", "function Panel"))
    answer = store(project).engine().search(SearchRequest("symbol = Panel"))
    assert sorted(result.breadcrumb for result in answer.results) == ["src/panel.ts > Panel", "src/panel.ts > Panel > Panel"]
    assert answer.texts[1].text.count("function Panel") == 1


def test_what_a_declared_module_imports_is_no_declaration_of_what_it_imports(opened_project: Any) -> None:
    module = 'declare module "@p/one" {\n  import { declare } from "@p/utils";\n  const a: typeof declare;\n  export = a;\n}\n'
    use = 'import { declare } from "@p/utils";\n\nexport default declare((api) => {\n  return api.trim();\n});\n'
    workspace = opened_project(
        {
            "tsconfig.json": '{"compilerOptions":{"paths":{"@p/utils":["./utils"],"@p/one":["./lib.d.ts"]}}}',
            "lib.d.ts": module,
            "utils/index.ts": "export function declare(make: (api: string) => string) { return make; }\n",
            "index.ts": use,
        }
    )
    graph, excerpt = workspace.symbol("index.ts > export default declare()").answer.texts
    assert "\n    Calls: declare (utils/index.ts)\n" in f"{graph.text}\n"
    assert excerpt.text == f"// index.ts\n\n{use.rstrip()}"


ASSIGNED = """\
var res = Object.create(null)

function View() {
  this.size = 1
}

View.prototype.lookup = function lookup() {
  return this.size
}

res.send = function send() {
  return 2
}

res.contentType =
res.type = function contentType() {
  return 3
}
"""
#: What the path names, or what the hint says.
MEMBERS = [
    ("res.send", "response.js > send"),
    ("res > send", "response.js > send"),
    ("response.js > res.send", "response.js > send"),
    ("res.type", "response.js > res.contentType > type"),
    ("View.prototype.lookup", "response.js > lookup"),
    ("View > lookup", "response.js > lookup"),
    # A module that is imported as a namespace.
    ("Effect.gen", 'No symbol "gen" found in "Effect", but in a file of that name: `symbol = Effect.ts > gen`.'),
    ("e.gen", 'No symbol "e.gen" found, but elsewhere: "gen" (Effect.ts:1).'),
    ("View > gen", 'No symbol "gen" found in "View" (response.js:3). Elsewhere: "gen" (Effect.ts:1).'),
]


@pytest.fixture(scope="module")
def assigned(opened_project: Any) -> Any:
    return opened_project({"response.js": ASSIGNED, "Effect.ts": "export const gen = () => 1\n"})


@pytest.mark.parametrize(("path", "expected"), MEMBERS)
def test_members_are_found_by_what_they_are_assigned_to(assigned: Any, path: str, expected: str) -> None:
    found = assigned.symbol(path)
    assert ([result.breadcrumb for result in found] or [found.answer.hint]) == [expected]


INHERITED = """\
export interface Sending { send(text: string): number }

export class Base {
  send(text: string) { return text.length }
  close() { return 0 }
}

export class Client extends Base implements Sending {
  close() { return super.close() }
}

export class Pool extends Client {}
"""


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("Pool > send", {"client.ts > Base > send", "client.ts > Sending > send"}),
        ("client.ts > Client.send", {"client.ts > Base > send", "client.ts > Sending > send"}),
        ("Pool.close", {"client.ts > Client > close"}),
        ("Pool > open", set()),
    ],
)
def test_a_path_may_name_a_member_that_a_type_inherits(opened_project: Any, path: str, found: set[str]) -> None:
    answer = opened_project({"client.ts": INHERITED}).symbol(path).answer
    assert {result.breadcrumb for result in answer.results} == found
