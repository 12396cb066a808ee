"""The structural tools of the MCP server: their arguments, output schemas and sets.

Arguments and fields of answers have camelCase names, as MCP clients expect. Output schemas name only the parts of an answer,
because each word costs tokens in every conversation.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Protocol, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import Annotations, CallToolResult, TextContent
from pydantic import BeforeValidator, Field

from ...schema.errors import AstrolabeError
from ..api.requests.tool_answer import ToolAnswer
from ..api.workspace import Workspace

Result = TypeVar("Result")
Item = TypeVar("Item")


def _as_list(value: object) -> object:
    """Wrap a single value in a list. Models often send a single value."""
    return [value] if isinstance(value, str) else value


Listed = Annotated[Sequence[Item], BeforeValidator(_as_list)]
Glob = Annotated[str, Field(description="Only files that match this glob")]
Budget = Annotated[int | None, Field(description="Tokens of the answer")]


class Runner(Protocol):
    """Runs blocking work in a thread while it reports progress to the client."""

    def __call__(self, work: Callable[[], Result], context: Context[Any, Any]) -> Awaitable[Result]: ...


@dataclass(frozen=True, slots=True)
class ToolDescription:
    """The name, description and function of a tool."""

    name: str
    title: str
    description: str
    function: Callable[..., Any]
    #: None for a tool whose answer is text.
    output_schema: dict[str, Any] | None


class StructuralTools:
    """The tools whose answers are records."""

    def __init__(self, workspace: Workspace, run: Runner) -> None:
        self._workspace = workspace
        self._run = run

    def descriptions(self) -> Sequence[ToolDescription]:
        """Return every tool of this class."""
        return (
            ToolDescription(
                "codebase_map",
                "Map the codebase",
                "What exists: packages, folders, files, exports; imports, circular imports, orphans. Most important first; "
                "says what the budget left out.",
                self.codebase_map,
                _schema(
                    projectRoot="string",
                    summary="object",
                    structure="array",
                    files="array",
                    packages="array",
                    graph="object",
                    leftOut="object",
                ),
            ),
            ToolDescription(
                "codebase_trace",
                "Trace a symbol",
                "How a symbol connects: definition, references, re-exports, calls, types, hierarchy, impact of a change. "
                "Says which kind of nothing it found; lists candidates of an ambiguous name.",
                self.codebase_trace,
                _schema(
                    symbol="string",
                    at="string",
                    definition="object",
                    alsoDeclared="array",
                    tables="array",
                    references="array",
                    cells="object",
                    reExports="array",
                    calls="object",
                    types="array",
                    hierarchy="object",
                    statements="object",
                    impact="object",
                    nothing="object",
                    candidates="array",
                    summary="object",
                    notes="array",
                ),
            ),
            ToolDescription(
                "cypher",
                "Query the graph",
                "Rows of a read-only Cypher query on the graph of symbols and edges, for what the other tools do not answer. "
                "`schema: true` returns its tables.",
                self.cypher,
                _schema(columns="array", rows="array", totalRows="integer", truncated="boolean", schema="string", hint="string"),
            ),
            ToolDescription(
                "codebase_lint",
                "Check the codebase",
                "What is wrong: syntax and compiler errors, dead code, duplicates, circular imports and which import to remove.",
                self.codebase_lint,
                _schema(
                    summary="object",
                    diagnostics="array",
                    deadCode="array",
                    notKnown="array",
                    duplicates="array",
                    circularDeps="array",
                    breakFirst="array",
                    cells="object",
                    notes="array",
                ),
            ),
            ToolDescription(
                "get_git_history",
                "History of code",
                "Who changed a file, folder or symbol, when and why; owners, churn, hotspots, files that change with it.",
                self.get_git_history,
                _schema(
                    subject="string",
                    kind="string",
                    at="string",
                    churn="object",
                    commits="array",
                    authors="array",
                    owners="array",
                    coChanges="array",
                    hotspots="array",
                    candidates="array",
                    leftOut="integer",
                    notes="array",
                ),
            ),
            ToolDescription(
                "codebase_changes",
                "What a change does",
                "What a change does, before or after a commit: changed symbols, what it breaks, what depends on it, tests to run "
                "with their command, risk. By default the uncommitted change.",
                self.codebase_changes,
                _schema(
                    old="string",
                    new="string",
                    risk="object",
                    summary="object",
                    broken="array",
                    files="array",
                    symbols="array",
                    affected="array",
                    modules="object",
                    entryPoints="array",
                    tests="array",
                    commands="array",
                    partners="array",
                    owners="array",
                    leftOut="object",
                    notes="array",
                ),
            ),
        )

    async def codebase_map(
        self,
        context: Context[Any, Any],
        path: Annotated[str, Field(description="File, folder or glob")] = "",
        depth: Annotated[
            Literal[0, 1, 2, 3], Field(description="0 files, 1 exports, 2 + signatures, unexported, 3 + doc comments")
        ] = 1,
        filter: Glob = "",
        kind: Literal["all", "functions", "classes", "interfaces", "types", "constants", "enums"] = "all",
        includeImports: bool = False,
        includeGraph: Annotated[bool, Field(description="Imports among files")] = False,
        detectCircular: bool = False,
        findOrphans: Annotated[bool, Field(description="Files nothing imports")] = False,
        includeStats: bool = False,
        includeTypes: bool = True,
        includeJSDoc: bool = True,
        format: Literal["tree", "flat"] = "tree",
        budget: Budget = None,
    ) -> CallToolResult:
        return await self.answer(
            lambda: self._workspace.map(
                path,
                depth=depth,
                filter=filter,
                kind=kind,
                include_imports=includeImports,
                include_graph=includeGraph,
                detect_circular=detectCircular,
                find_orphans=findOrphans,
                include_stats=includeStats,
                include_types=includeTypes,
                include_jsdoc=includeJSDoc,
                format=format,
                budget=budget,
            ),
            context,
        )

    async def codebase_trace(
        self,
        context: Context[Any, Any],
        symbol: Annotated[str, Field(description="`Name`, `Parent > Child`, `file > Name`; or give file and line")] = "",
        file: str = "",
        line: int | None = None,
        column: Annotated[int | None, Field(description="from 0")] = None,
        columnUnit: Literal["characters", "utf-16"] = "characters",
        depth: Annotated[int, Field(description="Hops, 1 to 10")] = 3,
        include: Listed[
            Literal["all", "definitions", "references", "reexports", "calls", "types", "hierarchy", "statements", "impact"]
        ] = ("all",),
        maxReferences: int = 500,
        budget: Budget = None,
    ) -> CallToolResult:
        return await self.answer(
            lambda: self._workspace.trace(
                symbol,
                file=file,
                line=line,
                column=column,
                column_unit=columnUnit,
                depth=depth,
                include=include,
                max_references=maxReferences,
                budget=budget,
            ),
            context,
        )

    async def codebase_lint(
        self,
        context: Context[Any, Any],
        checks: Listed[Literal["all", "errors", "warnings", "hints", "dead-code", "duplicates", "circular-deps"]] = ("all",),
        scope: Annotated[str, Field(description="File, folder or glob")] = "",
        excludeTests: bool = True,
        limit: Annotated[int, Field(description="Results per check")] = 50,
        deadCodeKinds: Listed[Literal["all", "exports", "functions", "methods", "variables", "types", "classes", "files"]] = (
            "all",
        ),
        duplicateThreshold: Annotated[float, Field(description="0.5 to 1")] = 0.75,
        duplicateKinds: Literal["all", "functions", "classes", "methods", "fragments"] = "functions",
        severityFilter: Listed[Literal["all", "error", "warning", "info", "hint"]] = ("all",),
        includeGenerated: Annotated[
            bool, Field(description="Report dead code and duplicates in generated files and copies of packages")
        ] = False,
        budget: Budget = None,
    ) -> CallToolResult:
        return await self.answer(
            lambda: self._workspace.lint(
                checks=checks,
                scope=scope,
                exclude_tests=excludeTests,
                limit=limit,
                dead_code_kinds=deadCodeKinds,
                duplicate_threshold=duplicateThreshold,
                duplicate_kinds=duplicateKinds,
                severity_filter=severityFilter,
                include_generated=includeGenerated,
                budget=budget,
            ),
            context,
        )

    async def get_git_history(
        self,
        context: Context[Any, Any],
        subject: Annotated[str, Field(description="File, folder or symbol; all by default")] = "",
        limit: int = 20,
        allCommits: bool = False,
        budget: Budget = None,
    ) -> CallToolResult:
        return await self.answer(
            lambda: self._workspace.history(subject, limit=limit, all_commits=allCommits, budget=budget), context
        )

    async def codebase_changes(
        self,
        context: Context[Any, Any],
        range: Annotated[str, Field(description="`A..B`, `A...B`, or one commit")] = "",
        staged: bool = False,
        base: Annotated[str, Field(description="Compare the work tree with where it left this branch")] = "",
        depth: Annotated[int, Field(description="Hops to dependants, 1 to 10")] = 3,
        budget: Budget = None,
    ) -> CallToolResult:
        return await self.answer(
            lambda: self._workspace.changes(range, staged=staged, base=base, depth=depth, budget=budget), context
        )

    async def cypher(
        self,
        context: Context[Any, Any],
        query: str = "",
        schema: bool = False,
        maxRows: int = 100,
        budget: Budget = None,
    ) -> CallToolResult:
        return await self.answer(
            lambda: self._workspace.query_tool(query, schema=schema, max_rows=maxRows, budget=budget), context
        )

    async def answer(self, ask: Callable[[], ToolAnswer[Any]], context: Context[Any, Any]) -> CallToolResult:
        """Answer a request. Raises ToolError with a sentence for the caller."""
        try:
            found = await self._run(ask, context)
        except AstrolabeError as error:
            raise ToolError(str(error)) from error
        text = TextContent(type="text", text=found.text, annotations=Annotations(audience=["assistant"], priority=1.0))
        return CallToolResult(content=[text], structured_content=found.to_json())


def _schema(**parts: str) -> dict[str, Any]:
    properties: dict[str, Any] = {
        name: {"type": kind} for name, kind in {**parts, "index": "object", "tokens": "integer"}.items()
    }
    return {"type": "object", "properties": properties, "required": ["index"]}


#: Output schema of every mode of a search, for the setting `structured_search`.
SEARCH_SCHEMA = _schema(
    query="string",
    mode="string",
    results="array",
    totalMatches="integer",
    totalFiles="integer",
    totalCandidates="integer",
    searchTimeMs="number",
    complete="boolean",
    unreadFiles="array",
    hint="string",
    text="array",
)


def shortened(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a shorter JSON schema, without titles that repeat names, and without null for optional values."""
    kept = {key: value for key, value in schema.items() if key != "title" and not (key == "default" and value is None)}
    alternatives = kept.get("anyOf", [])
    if {"type": "null"} in alternatives and len(alternatives) == 2:
        del kept["anyOf"]
        kept = next(each for each in alternatives if each != {"type": "null"}) | kept
    made: dict[str, Any] = {}
    for key, inner in kept.items():
        if key == "properties":
            made[key] = {name: shortened(value) for name, value in inner.items()}
        elif isinstance(inner, dict):
            made[key] = shortened(inner)
        else:
            made[key] = (
                [shortened(item) if isinstance(item, dict) else item for item in inner] if isinstance(inner, list) else inner
            )
    return made
