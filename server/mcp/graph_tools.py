"""The tools of the set `graph` for the MCP server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import Field

from ..api.graph_questions import GraphQuestions
from ..api.requests.tool_answer import ToolAnswer
from ..api.workspace import Workspace
from .tools import Budget, Listed, ToolDescription

Cursor = Annotated[str, Field(description="From a shortened answer")]
Depth = Annotated[int, Field(description="Hops, 1 to 10")]
Symbol = Annotated[str, Field(description="`Name`, `Parent > Child`, `file > Name`")]
#: Runs a question in a thread, and returns its answer.
Answerer = Callable[[Callable[[], ToolAnswer[Any]], Context[Any, Any]], Awaitable[CallToolResult]]

#: Schema of the answers of every tool of the set.
OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "subject": {"type": "object"},
        "summary": {"type": "object"},
        "sections": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "object"}}},
        "leftOut": {"type": "object", "additionalProperties": {"type": "integer"}},
        "cursor": {"type": "string"},
        "nothing": {"type": "object"},
        "queries": {"type": "object"},
        "madeAt": {"type": "string"},
        "source": {"type": "string"},
        "tokenCount": {"type": "integer"},
        "index": {"type": "object"},
    },
    "required": ["tokenCount", "index"],
}


class GraphToolSet:
    """The tools of the set `graph`."""

    def __init__(self, workspace: Workspace, answer: Answerer) -> None:
        self._ask = GraphQuestions(workspace)
        self._answer = answer

    def descriptions(self) -> Sequence[ToolDescription]:
        """Return every tool of the set."""
        described = (
            ("query_repo_structure", "Structure of the repository", "Modules, languages, important files, with counts."),
            ("query_module", "A module", "Files, exports, packages of a module; which modules it uses and which use it."),
            ("query_file", "A file", "Declarations, imports, importers, packages of a file."),
            (
                "query_symbol",
                "A symbol",
                "Callers, callees, members, types, overrides, tests of a symbol; candidates of its name.",
            ),
            ("get_dependencies", "Dependencies", "What a symbol, file or module uses, with the number of hops."),
            ("get_dependants", "Dependants", "What uses a symbol, file or module, with the number of hops."),
            (
                "search_symbols",
                "Search names",
                "Symbols by a part of a name, initials of its words, letters in order, or a typo.",
            ),
            ("get_impact_analysis", "Impact of a change", "What a change of a symbol affects: dependants, files, tests, risk."),
            (
                "get_context_for_files",
                "Context of files",
                "For files to edit: declarations, what they use, who uses them, tests.",
            ),
            (
                "codebase_context",
                "Context of a task",
                "What a task needs: source, callers, callees, types, tests, documents, data, changes, each with its reason.",
            ),
            (
                "get_workflow",
                "A documented workflow",
                "Steps of a workflow in a document: actors, conditions, code; without `section` the list.",
            ),
            (
                "execute_workflow_template",
                "Run a workflow",
                "bug-fix (`error`), update-module (`module`, `change`), create-module (`name`, `like`), implement-feature "
                "(`feature`, `module`), upgrade-feature (`feature`, `upgrade`), or one of the workspace.",
            ),
        )
        return tuple(
            ToolDescription(name, title, description, getattr(self, name), OUTPUT_SCHEMA)
            for name, title, description in described
        )

    async def query_repo_structure(
        self, context: Context[Any, Any], budget: Budget = None, cursor: Cursor = ""
    ) -> CallToolResult:
        return await self._answer(lambda: self._ask.query_repo_structure(budget=budget, cursor=cursor), context)

    async def query_module(
        self,
        context: Context[Any, Any],
        module: Annotated[str, Field(description="Name or folder")],
        budget: Budget = None,
        cursor: Cursor = "",
    ) -> CallToolResult:
        return await self._answer(lambda: self._ask.query_module(module, budget=budget, cursor=cursor), context)

    async def query_file(
        self, context: Context[Any, Any], file: str, budget: Budget = None, cursor: Cursor = ""
    ) -> CallToolResult:
        return await self._answer(lambda: self._ask.query_file(file, budget=budget, cursor=cursor), context)

    async def query_symbol(
        self,
        context: Context[Any, Any],
        symbol: Symbol,
        file: str = "",
        kind: str = "",
        budget: Budget = None,
        cursor: Cursor = "",
    ) -> CallToolResult:
        return await self._answer(
            lambda: self._ask.query_symbol(symbol, file=file, kind=kind, budget=budget, cursor=cursor), context
        )

    async def get_dependencies(
        self,
        context: Context[Any, Any],
        symbol: Symbol = "",
        file: str = "",
        module: str = "",
        depth: Depth = 1,
        budget: Budget = None,
        cursor: Cursor = "",
    ) -> CallToolResult:
        return await self._answer(
            lambda: self._ask.get_dependencies(
                symbol=symbol, file=file, module=module, depth=depth, budget=budget, cursor=cursor
            ),
            context,
        )

    async def get_dependants(
        self,
        context: Context[Any, Any],
        symbol: Symbol = "",
        file: str = "",
        module: str = "",
        depth: Depth = 1,
        budget: Budget = None,
        cursor: Cursor = "",
    ) -> CallToolResult:
        return await self._answer(
            lambda: self._ask.get_dependants(symbol=symbol, file=file, module=module, depth=depth, budget=budget, cursor=cursor),
            context,
        )

    async def search_symbols(
        self,
        context: Context[Any, Any],
        query: str,
        kind: str = "",
        path: Annotated[str, Field(description="File or folder")] = "",
        limit: int = 50,
        budget: Budget = None,
        cursor: Cursor = "",
    ) -> CallToolResult:
        return await self._answer(
            lambda: self._ask.search_symbols(query, kind=kind, path=path, limit=limit, budget=budget, cursor=cursor), context
        )

    async def get_impact_analysis(
        self,
        context: Context[Any, Any],
        symbol: Symbol,
        file: str = "",
        depth: Depth = 3,
        budget: Budget = None,
        cursor: Cursor = "",
    ) -> CallToolResult:
        return await self._answer(
            lambda: self._ask.get_impact_analysis(symbol, file=file, depth=depth, budget=budget, cursor=cursor), context
        )

    async def get_context_for_files(
        self, context: Context[Any, Any], files: Listed[str], budget: Budget = None, cursor: Cursor = ""
    ) -> CallToolResult:
        return await self._answer(lambda: self._ask.get_context_for_files(files, budget=budget, cursor=cursor), context)

    async def codebase_context(
        self,
        context: Context[Any, Any],
        task: Annotated[str, Field(description="The task in words")],
        files: Listed[str] = (),
        budget: Budget = None,
        cursor: Cursor = "",
    ) -> CallToolResult:
        return await self._answer(lambda: self._ask.codebase_context(task, files=files, budget=budget, cursor=cursor), context)

    async def get_workflow(
        self,
        context: Context[Any, Any],
        doc: Annotated[str, Field(description="Path or name of the document")] = "",
        section: Annotated[str, Field(description="Heading")] = "",
        budget: Budget = None,
        cursor: Cursor = "",
    ) -> CallToolResult:
        return await self._answer(lambda: self._ask.get_workflow(doc, section, budget=budget, cursor=cursor), context)

    async def execute_workflow_template(
        self,
        context: Context[Any, Any],
        template: str,
        parameters: Annotated[dict[str, Any], Field(description="Values by name")],
        budget: Budget = None,
        cursor: Cursor = "",
    ) -> CallToolResult:
        return await self._answer(
            lambda: self._ask.execute_workflow_template(template, parameters, budget=budget, cursor=cursor), context
        )
