"""The query library over a real graph of a small project; expectations are written by hand from its content."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.queries import calls, files, lint, references, symbols, types
from astrolabe.graphdb.queries.edge_export import exported_edges
from astrolabe.graphdb.symbols.symbol_table import symbols_of

TOKENS, BASE, MIDDLEWARE = "src/auth/tokenService.ts", "src/base.ts", "src/middleware/auth.ts"
MODELS, DEEP = "src/models/auth.ts", "src/deep.ts"
VALIDATE, REFRESH = f"{TOKENS}#TokenService.validateToken", f"{TOKENS}#TokenService.refreshToken"
VERIFY, PAYLOAD, SERVICE = f"{MIDDLEWARE}#AuthMiddleware.verify", f"{MODELS}#JwtPayload", f"{TOKENS}#TokenService"


def place(symbol: Any) -> str:
    return f"{symbol.relative_path}#{symbol.qualified_name}"


def test_symbols_come_back_as_they_were_written(graph: GraphDatabase, project: Any) -> None:
    written = project.symbols[SERVICE]
    found = symbols_of(graph).symbols([written.id, "no such id"])
    assert found == {written.id: written}


@pytest.mark.parametrize("others", [0, 1, 10, 100])
def test_batches_of_every_length_give_the_same_rows_once(graph: GraphDatabase, project: Any, others: int) -> None:
    ids = [project.id(VALIDATE)] * 2 + [f"unknown {number}" for number in range(others)]
    assert [place(call.neighbour) for call in calls.callers(graph, ids)] == [REFRESH, VERIFY]


@pytest.mark.parametrize("others", [0, 10, 100])
def test_batches_of_names_give_the_same_rows_once(graph: GraphDatabase, others: int) -> None:
    names = ["verify"] * 2 + [f"unknown {number}" for number in range(others)]
    assert [place(symbol) for symbol in symbols.symbols_by_name(graph, names)] == [VERIFY]


def test_no_ids_give_no_rows(graph: GraphDatabase) -> None:
    assert calls.callers(graph, []) == []


@pytest.mark.parametrize(
    ("names", "file", "expected"),
    [
        (["validateToken"], None, [VALIDATE, f"{BASE}#Validator.validateToken"]),
        (["TokenService", "validateToken"], None, [VALIDATE]),
        # Of the two inside TokenService, only one is its member.
        (["TokenService", "decode"], None, [f"{TOKENS}#TokenService.decode"]),
        (["TokenService", "validateToken", "decode"], None, [f"{TOKENS}#TokenService.validateToken.decode"]),
        (["decode"], "base.ts", [f"{BASE}#decode"]),
        (["decode"], "./src/base.ts", [f"{BASE}#decode"]),
        (["decode"], "se.ts", []),
        (["validateToken", "TokenService"], None, []),
        (["Nothing"], None, []),
        (["validateTOKEN"], None, []),
        (["level1", "level34"], None, [DEEP + "#" + ".".join(f"level{n}" for n in range(1, 35))]),
        (["level3", "level1", "level35"], None, []),
    ],
)
def test_lookup_by_path_of_names(graph: GraphDatabase, names: list[str], file: str | None, expected: list[str]) -> None:
    assert [place(symbol) for symbol in symbols.symbols_by_path(graph, names, file)] == expected


def test_lookup_in_any_case_and_by_nearness(graph: GraphDatabase) -> None:
    any_case = symbols_of(graph).named_any_case("VALIDATETOKEN")
    assert [place(symbol) for symbol in any_case] == [
        VALIDATE,
        f"{BASE}#Validator.validateToken",
        f"{MIDDLEWARE}#AuthMiddleware.validatetoken",
    ]
    near = [place(symbol) for symbol in symbols.symbols_with_similar_name(graph, "refreshTokn")]
    assert near[0] == REFRESH
    assert symbols.symbols_with_similar_name(graph, "zzzzzzzz") == []


def test_children_are_in_source_order(graph: GraphDatabase, project: Any) -> None:
    members = symbols_of(graph).children([project.id(SERVICE)])[project.id(SERVICE)]
    assert [member.name for member in members] == ["secret", "validateToken", "refreshToken", "decode"]


def test_ancestors_go_deeper_than_one_pattern_of_the_engine(graph: GraphDatabase, project: Any) -> None:
    innermost = f"{DEEP}#" + ".".join(f"level{n}" for n in range(1, 36))
    above = symbols_of(graph).enclosing([project.id(innermost)])[project.id(innermost)]
    assert [outer.name for outer in above] == [f"level{n}" for n in range(1, 35)]


def test_symbols_in_files_are_in_order_of_lines(graph: GraphDatabase) -> None:
    found = symbols_of(graph).in_files([BASE])
    assert [symbol.qualified_name for symbol in found] == ["Validator", "Validator.validateToken", "BaseValidator", "decode"]


def test_callers_and_callees(graph: GraphDatabase, project: Any) -> None:
    callers = calls.callers(graph, [project.id(VALIDATE), project.id(f"{BASE}#decode")])
    assert {(call.symbol_id, place(call.neighbour)) for call in callers} == {
        (project.id(VALIDATE), REFRESH),
        (project.id(VALIDATE), VERIFY),
        (project.id(f"{BASE}#decode"), REFRESH),
        (project.id(f"{BASE}#decode"), VERIFY),
    }
    callees = calls.callees(graph, [project.id(REFRESH)])
    assert [(place(call.neighbour), call.lines) for call in callees] == [(VALIDATE, (23,)), (f"{BASE}#decode", (24,))]


def test_a_file_with_an_unresolved_import_is_a_module(graph: GraphDatabase) -> None:
    assert lint.scripts_of(graph) == {MODELS, DEEP, "scripts/broken.ts"}


def test_external_and_unresolved_calls(graph: GraphDatabase, project: Any) -> None:
    external = calls.external_callees(graph, [project.id(REFRESH)])
    assert [(call.package, call.name, call.lines) for call in external] == [("jsonwebtoken", "verify", (25, 26))]
    unresolved = calls.calls_unknown(
        graph, [graph.rows("MATCH (s:Symbol) WHERE s.id = $id RETURN offset(id(s))", {"id": project.id(REFRESH)})[0][0]]
    )
    assert [(call.name, call.lines, call.reason) for call in unresolved] == [
        ("validateToken", (27, 28), "receiver"),
        ("log", (28,), "global"),
    ]
    sites = calls.unresolved_sites_named(graph, ["validateToken", "log", "decode"])
    assert {name: (count.sites, count.callers) for name, count in sites.items()} == {"validateToken": (3, 2), "log": (1, 1)}


def test_heritage_in_both_directions(graph: GraphDatabase, project: Any) -> None:
    bases = types.bases(graph, [project.id(SERVICE), project.id(f"{BASE}#BaseValidator")])
    assert {(base.kind, base.name, base.package, base.symbol is None) for base in bases} == {
        ("extends", "BaseValidator", "", False),
        ("implements", "Validator", "", False),
        ("extends", "EventTarget", "lib", True),
    }
    subtypes = types.subtypes(graph, [project.id(f"{BASE}#Validator")])
    assert [(link.kind, place(link.subtype)) for link in subtypes] == [("implements", SERVICE)]


def test_type_flows(graph: GraphDatabase, project: Any) -> None:
    ids = [project.id(key) for key in (VERIFY, VALIDATE, f"{TOKENS}#TokenService.secret")]
    flows = [(flow.role, flow.name, place(flow.type)) for flow in types.type_flows(graph, ids[:1])]
    assert flows == [("param", "payload", PAYLOAD), ("param", "service", SERVICE)]
    assert {flow.role for flow in types.type_flows(graph, ids[1:])} == {"return", "field"}


def test_references_from_and_to(graph: GraphDatabase, project: Any) -> None:
    inside = [use for use in references.references_from(graph, [project.id(VALIDATE)]) if use.other.relative_path == TOKENS]
    assert [(place(use.other), use.role, use.lines, use.names) for use in inside] == [
        (f"{TOKENS}#import:jsonwebtoken", "read", (17,), ("jwt",)),
        (f"{TOKENS}#TokenService.secret", "read", (17, 18), ()),
    ]
    everywhere = references.references_from(graph, [project.id(VALIDATE)])
    assert place(everywhere[0].other) == PAYLOAD
    assert len(everywhere) == 3
    sites = references.reference_sites(graph, [project.id(VALIDATE)])
    assert list(dict.fromkeys(place(site.user) for site in sites)) == [REFRESH, VERIFY]


@pytest.mark.parametrize(
    ("path", "first"),
    [
        ("tokenService.ts", TOKENS),
        ("src/auth/tokenservice.ts", TOKENS),
        ("auth/tokenServce.ts", TOKENS),
        ("models/auth.ts", MODELS),
    ],
)
def test_similar_paths(graph: GraphDatabase, path: str, first: str) -> None:
    assert files.similar_paths(graph, path)[0] == first


def test_files_and_their_imports(graph: GraphDatabase) -> None:
    found = files.files_by_path(graph, [BASE, "scripts/broken.ts", "none.ts"])
    assert found["scripts/broken.ts"].problem_reasons == ("unexpected }", "unterminated string")
    assert found[BASE].size == 100 * len(BASE)
    assert set(found) == {BASE, "scripts/broken.ts"}
    assert [(edge.to_path, edge.names) for edge in files.imports_of(graph, [TOKENS])] == [
        (BASE, ("BaseValidator", "decode")),
        (MODELS, ("JwtPayload",)),
    ]
    assert [(edge.from_path, edge.line) for edge in files.importers_of(graph, [TOKENS])] == [
        (MIDDLEWARE, 1),
        (MIDDLEWARE, 2),
    ]
    assert [edge.package for edge in files.package_imports_of(graph, [TOKENS])] == ["jsonwebtoken"]


def test_exported_edges_have_the_fields_that_scorers_read(graph: GraphDatabase) -> None:
    edges = json.loads(msgspec.json.encode(exported_edges(graph)))
    assert edges["imports"] == [{"from": TOKENS, "to": BASE}, {"from": TOKENS, "to": MODELS}, {"from": MIDDLEWARE, "to": TOKENS}]
    to_validate = [call for call in edges["calls"] if call["toName"] == "validateToken"]
    assert [(call["fromFile"], call["fromLine"], call["fromName"]) for call in to_validate] == [
        (TOKENS, 23, "refreshToken"),
        (MIDDLEWARE, 7, "verify"),
        (MIDDLEWARE, 9, "verify"),
    ]
    assert set(to_validate[0]) == {"fromFile", "fromLine", "fromName", "toFile", "toLine", "toName", "form", "evidence"}
    assert [(h["fromFile"], h["fromLine"], h["toFile"], h["toLine"], h["kind"]) for h in edges["heritage"]] == [
        (TOKENS, 7, BASE, 1, "implements"),
        (TOKENS, 7, BASE, 6, "extends"),
    ]
    assert edges["references"][f"{TOKENS}:7:TokenService"] == {
        "refs": 2,
        "refsNoImports": 1,
        "refsQuoted": 0,
        "files": [MIDDLEWARE],
    }
