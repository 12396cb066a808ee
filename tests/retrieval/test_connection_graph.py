"""The text of the connection graph, for results that are given as plain data."""

from __future__ import annotations

from typing import Any

import pytest
from astrolabe.retrieval.answers.answer import RankedResult, assembled_answer
from astrolabe.retrieval.context.connection_graph import connection_graph, summary_line
from astrolabe.retrieval.context.details_section import detail_block
from astrolabe.retrieval.context.result_context import (
    CallNode,
    ExternalUse,
    GraphSymbol,
    ResultStructure,
    TypeName,
    UnresolvedSites,
    Use,
)

PAYLOAD = TypeName("JwtPayload", "src/models/auth.ts", "JwtPayload")


def symbol(label: str, path: str, kind: str = "method") -> GraphSymbol:
    return GraphSymbol(label, label, path, kind)


def result(label: str, path: str, kind: str = "function", **fields: Any) -> ResultStructure:
    return ResultStructure(symbol(label, path, kind), **fields)


def use(label: str, path: str, result_id: str | None = None, kind: str = "function", line: int = 1) -> Use:
    return Use(symbol(label, path, kind), result_id, True, line)


VALIDATE = result(
    "TokenService.validateToken",
    "src/auth/tokenService.ts",
    "method",
    modifiers=("async",),
    exported=True,
    reference_files=8,
    signature="async validateToken(token: string): Promise<JwtPayload | null>",
    extends=(TypeName("BaseValidator", "src/base.ts", "BaseValidator"),),
    uses=(use("AuthConfig.getSecret", "src/config/auth.ts", "AuthConfig", "method", line=2),),
    external_uses=(ExternalUse("jwt.verify", 1),),
    callers=(
        symbol("AuthMiddleware.verify", "src/middleware/auth.ts"),
        symbol("LoginController.handle", "src/controllers/login.ts"),
    ),
    types_in=(TypeName("token", "string"),),
    types_out=(PAYLOAD,),
)
VERIFY = result(
    "AuthMiddleware.verify",
    "src/middleware/auth.ts",
    "method",
    modifiers=("async",),
    exported=True,
    reference_files=12,
    signature="async verify(req: Request, res: Response, next: NextFunction): Promise<void>",
    uses=(
        use("TokenService.validateToken", "src/auth/tokenService.ts", "TokenService.validateToken", "method"),
        use("AuthConfig.getSecret", "src/config/auth.ts", "AuthConfig", "method"),
        Use(symbol("JwtPayload", "src/models/auth.ts", "interface"), None, False, 3),
    ),
    types_in=(TypeName("Request", "express"), TypeName("Response", "express")),
)
HANDLE = result(
    "LoginController.handle",
    "src/controllers/login.ts",
    "method",
    modifiers=("async",),
    exported=True,
    reference_files=3,
    signature="async handle(req: LoginRequest): Promise<AuthResponse>",
    uses=(
        use("TokenService.validateToken", "src/auth/tokenService.ts", "TokenService.validateToken", "method"),
        Use(symbol("JwtPayload", "src/models/auth.ts", "interface"), None, False, 3),
    ),
    types_in=(TypeName("LoginRequest", "src/models/auth.ts", "LoginRequest"),),
    types_out=(TypeName("AuthResponse", "src/models/auth.ts", "AuthResponse"),),
)
CONFIG = result(
    "AuthConfig",
    "src/config/auth.ts",
    "class",
    exported=True,
    reference_files=14,
    implements=(TypeName("ConfigProvider", "src/interfaces/config.ts", "ConfigProvider"),),
    members=("getSecret()", "getExpiry()", "getIssuer()"),
)
EXPIRY = result(
    "AUTH_TOKEN_EXPIRY", "src/config/constants.ts", "const", exported=True, reference_files=6, value="number (value: 3600)"
)

SEVERAL = """\
Graph:
  [2] AuthMiddleware.verify → [1] TokenService.validateToken → [4] AuthConfig.getSecret
  [3] LoginController.handle → [1] TokenService.validateToken
  [5] AUTH_TOKEN_EXPIRY (standalone constant)

Patterns:
  Hub: [1] TokenService.validateToken — called by [2], [3]
  Shared dep: [4] AuthConfig.getSecret — used by [1], [2]
  Shared type: JwtPayload (src/models/auth.ts) — used by 3/5 results

[1] TokenService.validateToken — src/auth/tokenService.ts
    async method | exported | refs: 8 files
    Signature: async validateToken(token: string): Promise<JwtPayload | null>
    Extends: BaseValidator (src/base.ts)
    Types in: token (string) | Types out: JwtPayload (src/models/auth.ts)

[2] AuthMiddleware.verify — src/middleware/auth.ts
    async method | exported | refs: 12 files
    Signature: async verify(req: Request, res: Response, next: NextFunction): Promise<void>
    Types in: Request (express), Response (express)

[3] LoginController.handle — src/controllers/login.ts
    async method | exported | refs: 3 files
    Signature: async handle(req: LoginRequest): Promise<AuthResponse>
    Types in: LoginRequest (src/models/auth.ts) | Types out: AuthResponse (src/models/auth.ts)

[4] AuthConfig — src/config/auth.ts
    class | exported | refs: 14 files
    Implements: ConfigProvider (src/interfaces/config.ts)
    Members: getSecret(), getExpiry(), getIssuer()

[5] AUTH_TOKEN_EXPIRY — src/config/constants.ts
    const | exported | refs: 6 files
    Type: number (value: 3600)"""

SINGLE = """\
TokenService.validateToken — src/auth/tokenService.ts
    async method | exported | refs: 8 files
    Signature: async validateToken(token: string): Promise<JwtPayload | null>
    Extends: BaseValidator (src/base.ts)
    Calls: jwt.verify, AuthConfig.getSecret (src/config/auth.ts)
    Called by: AuthMiddleware.verify (src/middleware/auth.ts), LoginController.handle (src/controllers/login.ts)
    Types in: token (string) | Types out: JwtPayload (src/models/auth.ts)"""


def test_several_results_have_a_graph_then_a_block_each() -> None:
    assert connection_graph([VALIDATE, VERIFY, HANDLE, CONFIG, EXPIRY]) == SEVERAL


def test_a_single_result_has_a_block_and_no_graph() -> None:
    assert connection_graph([VALIDATE]) == SINGLE


def branch(label: str, *children: CallNode, **marks: bool) -> CallNode:
    return CallNode(symbol(label, f"{label}.ts", "function"), children, **marks)


SANITIZE = branch("sanitize")
TREES = [
    (
        [
            result("processRequest", "service.ts", call_tree=(branch("validate", SANITIZE), branch("format", SANITIZE))),
            result("validate", "validate.ts", uses=(use("sanitize", "sanitize.ts"),), call_tree=(SANITIZE,)),
            result("format", "format.ts", uses=(use("sanitize", "sanitize.ts"),), call_tree=(SANITIZE,)),
        ],
        """\
  [1] processRequest (service.ts)
    → validate (validate.ts) ★
      → sanitize (sanitize.ts) ◆
    → format (format.ts) ★
      → sanitize (sanitize.ts) ◆""",
    ),
    (
        [result("alpha", "alpha.ts", call_tree=(branch("beta", branch("alpha", is_cycle=True)),))],
        """\
  [1] alpha (alpha.ts)
    → beta (beta.ts)
      → alpha (alpha.ts) [cycle]""",
    ),
    (
        [result("handle", "entry.ts", call_tree=(branch("process", is_limited=True),))],
        """\
  [1] handle (entry.ts)
    → process (process.ts) [depth limit]""",
    ),
    (
        [result("leaf", "leaf.ts", call_tree=(), caller_tree=(branch("middle", branch("top")),))],
        """\
  [1] leaf (leaf.ts)
    ← middle (middle.ts)
      ← top (top.ts)""",
    ),
]


@pytest.mark.parametrize(("results", "expected"), TREES)
def test_call_trees_mark_results_shared_symbols_cycles_and_depth(results: list[ResultStructure], expected: str) -> None:
    assert connection_graph(results).split("\n\n")[0].startswith("Graph:\n" + expected)


def test_results_without_connections_say_so_without_markers() -> None:
    text = connection_graph([result(name, f"{name}.ts") for name in ("one", "two", "three")])
    assert text.startswith("Graph:\n  no calls or references among these results\n\n[1] one — one.ts")
    assert not {"★", "◆", "Patterns"} & set(text.split())
    assert "Patterns:" not in text


def test_a_symbol_that_several_results_use_is_a_shared_dependency() -> None:
    shared = use("sanitize", "helper.ts")
    text = connection_graph([result("one", "one.ts", uses=(shared,)), result("two", "two.ts", uses=(shared,))])
    assert "  Shared dep: sanitize (helper.ts) ◆ — used by [1], [2]" in text
    assert text.count("◆") == 1


def test_a_type_in_the_signatures_of_several_results_is_a_shared_type() -> None:
    users = [result(name, f"{name}.ts", types_in=(PAYLOAD,)) for name in ("a", "b", "c", "d")]
    text = connection_graph(users)
    assert "  Shared type: JwtPayload (src/models/auth.ts) — used by 4/4 results" in text
    assert "Shared dep" not in text


def linked(label: str, *targets: str) -> ResultStructure:
    return result(label, f"{label}.ts", uses=tuple(use(target, f"{target}.ts", target) for target in targets))


SHAPES = [
    # Diamond: nothing is implied by a longer way, so all four edges stand in the chains.
    (
        [linked("a", "b", "c"), linked("b", "d"), linked("c", "d"), linked("d")],
        [
            "[1] a → [2] b → [4] d",
            "[1] a → [3] c → [4] d",
            "Hub: [4] d — called by [2], [3]",
            "Diamond: [1] a → [2], [3] → [4] d",
        ],
        [],
    ),
    # An edge that a chain implies is left to the pattern line.
    (
        [linked("a", "b", "c"), linked("b", "c"), linked("c")],
        ["[1] a → [2] b → [3] c", "Hub: [3] c — called by [1], [2]"],
        ["[1] a → [3] c"],
    ),
    # A circle is printed once and named.
    (
        [linked("a", "b"), linked("b", "a")],
        ["[1] a → [2] b → [1] a [cycle]", "Cycle: [1] a → [2] b → [1] a"],
        ["Hub"],
    ),
    # Recursion is no edge among results.
    ([linked("a", "a"), linked("b")], ["no calls or references among these results"], ["→"]),
]


@pytest.mark.parametrize(("results", "present", "absent"), SHAPES)
def test_edges_stand_in_chains_once_and_shapes_are_named(
    results: list[ResultStructure], present: list[str], absent: list[str]
) -> None:
    text = connection_graph(results)
    assert [line for line in present if line not in text] == []
    assert [line for line in absent if line in text] == []


def test_long_lists_are_cut_and_counted() -> None:
    callers = tuple(symbol(f"caller{n}", f"f{n}.ts") for n in range(40))
    text = connection_graph([result("hub", "hub.ts", callers=callers)])
    assert "caller11 (f11.ts), … 28 more" in text
    assert "caller12" not in text


def test_unresolved_sites_of_the_name_are_told() -> None:
    text = connection_graph([result("save", "repo.ts", "method", unresolved=UnresolvedSites("save", 3, 2))])
    assert text.endswith("    Unknown: 3 unresolved calls of “save” in 2 places may mean this one")


def test_notes_come_last() -> None:
    assert connection_graph([EXPIRY], notes=["Beyond the budget: symbol = x"]).endswith("\n\nBeyond the budget: symbol = x")


SUMMARIES = [
    (("jwt token validation", 1, 1, 3000, 8000), 'Search: "jwt token validation" | 1 result | 765/8,000 tokens'),
    (("a\n  b", 5, 4, 20_000, 8000), 'Search: "a b" | 5 results across 4 files | 5,016/8,000 tokens'),
    (("q", 2, 1, 10, None), 'Search: "q" | 2 results across 1 file | 15 tokens'),
]


@pytest.mark.parametrize(("arguments", "expected"), SUMMARIES)
def test_the_summary_counts_results_files_and_tokens(arguments: Any, expected: str) -> None:
    assert summary_line(*arguments) == expected


def test_a_long_query_is_shortened_in_the_summary() -> None:
    assert len(summary_line("word " * 3000, 1, 1, 10, None)) < 130


@pytest.mark.parametrize("characters", range(3930, 4010, 3))
def test_the_summary_counts_the_whole_answer_itself_included(characters: int) -> None:
    found = RankedResult("1", "a.ts", 1, 1, "a", "const", "a.ts > a", 0.9, 1)
    answer = assembled_answer("query", [found], "g" * characters, [("s" * 10, 0.9), ("t" * 3, 0.9)], 8000)
    counted = answer.texts[0].text.split("| ")[2].split("/")[0]
    assert counted == f"{-(-sum(len(text.text) for text in answer.texts) // 4):,}" == f"{answer.tokens:,}"


def test_priorities_decrease_from_one_even_where_scores_do_not() -> None:
    found = RankedResult("1", "a.ts", 1, 1, "a", "const", "a.ts > a", 1.0, 1)
    answer = assembled_answer("query", [found], "graph", [("a", 1.0), ("b", 1.0), ("c", 0.4), ("d", 0.7)], None)
    priorities = [text.priority for text in answer.texts]
    assert priorities == [1.0, 0.999, 0.998, 0.4, 0.399]


def test_calls_of_one_line_stand_in_the_order_of_their_columns() -> None:
    wrapped = result(
        "handle",
        "a.ts",
        uses=(Use(symbol("alpha", "b.ts"), None, True, 3, 20), Use(symbol("omega", "b.ts"), None, True, 3, 4)),
        external_uses=(ExternalUse("jwt.verify", 3, 12),),
    )
    assert "Calls: omega (b.ts), jwt.verify, alpha (b.ts)" in connection_graph([wrapped])


def test_what_members_of_one_class_inherit_is_no_shared_type_and_a_member_tells_its_type() -> None:
    base = TypeName("Base", "base.ts", "Base")
    members = [
        result(
            f"Service.{name}",
            "service.ts",
            "method",
            extends=(base,),
            uses=(
                use("Config.get", "config.ts", kind="method"),
                Use(symbol("Config", "config.ts", "class"), None, False, 1),
            ),
        )
        for name in ("first", "second")
    ]
    text = connection_graph(members)
    assert "Shared dep: Config.get (config.ts) ◆ — used by [1], [2]" in text
    assert "Shared type" not in text
    classes = [result(name, f"{name}.ts", "class", extends=(base,)) for name in ("A", "B")]
    assert "Shared type: Base (base.ts) — used by 2/2 results" in connection_graph(classes)


def test_a_type_that_few_of_many_results_use_is_no_pattern() -> None:
    payload = TypeName("Payload", "models.ts", "Payload")
    few = [result(f"f{n}", "a.ts", types_in=(payload,) if n < 2 else ()) for n in range(12)]
    many = [result(f"f{n}", "a.ts", types_in=(payload,) if n < 3 else ()) for n in range(12)]
    assert "Shared type" not in connection_graph(few)
    assert "Shared type: Payload (models.ts) — used by 3/12 results" in connection_graph(many)


def test_fields_that_the_same_results_use_share_a_line() -> None:
    def uses(*names: str) -> tuple[Use, ...]:
        return tuple(Use(symbol(f"Point.{name}", "point.ts", "property"), None, False, 1) for name in names)

    left = result("left", "a.ts", "function", uses=uses("x", "y", "z"))
    right = result("right", "b.ts", "function", uses=uses("x", "y"))
    third = result("third", "c.ts", "function", uses=uses("z"))
    text = connection_graph([left, right, third])
    assert "  Shared dep: Point.x, .y (point.ts) ◆ — used by [1], [2]\n" in text
    assert "  Shared dep: Point.z (point.ts) ◆ — used by [1], [3]\n" in text


@pytest.mark.parametrize(
    ("signature", "shown"),
    [
        ("const load = (id: string)", "const load = (id: string) =>"),
        ("private save: Handler = async ()", "private save: Handler = async () =>"),
        ("const load = (id: string): Item", "const load = (id: string): Item"),
        ("function load(id = (1))", "function load(id = (1))"),
        ("const load = function (id)", "const load = function (id)"),
    ],
)
def test_an_arrow_function_without_a_result_type_shows_its_arrow(signature: str, shown: str) -> None:
    text = connection_graph([result("load", "a.ts", "function", signature=signature)])
    assert f"    Signature: {shown}\n" in text + "\n"


TRAITS: list[tuple[str, dict[str, Any], str]] = [
    ("function", {}, "function | refs: none"),
    ("function", {"modifiers": ("callback",)}, "callback function"),
    ("expression", {}, "expression"),
    ("expression", {"reference_files": 1}, "expression | refs: 1 file"),
]


@pytest.mark.parametrize(("kind", "fields", "line"), TRAITS)
def test_what_has_no_name_is_not_said_to_have_no_references(kind: str, fields: dict[str, Any], line: str) -> None:
    assert detail_block(result("run", "src/run.ts", kind, **fields), None)[1] == f"    {line}"
