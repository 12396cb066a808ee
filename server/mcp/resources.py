"""Resources and completions of the MCP server.

A resource is the JSON answer of a tool of the graph.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import unquote

import msgspec
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError
from mcp_types import Completion, CompletionArgument, CompletionContext, PromptReference, ResourceTemplateReference

from ...schema.errors import AstrolabeError
from ..api.requests.tool_answer import ToolAnswer
from ..api.workspace import Workspace
from .prompts import WorkflowPrompts

#: Template of the resources of documents. Its parameter has the same name as the parameter for files, but other values.
_DOCUMENT = "astrolabe://doc/{+path}"
#: Maximum number of values of a completion, according to the protocol.
MAX_COMPLETIONS = 100
_JSON = "application/json"


class CodebaseResources:
    """The resources and prompts of one workspace."""

    def __init__(self, workspace: Workspace, run: Callable[[Callable[[], Any]], Awaitable[Any]]) -> None:
        """`run` runs blocking work in a thread."""
        self._workspace = workspace
        self._run = run
        self._prompts = WorkflowPrompts()

    def offer(self, server: MCPServer[Any]) -> None:
        """Add all resources, prompts and completions to a server."""
        described = (
            ("astrolabe://repo/structure", "Structure", "Modules, languages and important files.", self.structure),
            ("astrolabe://schema", "Schema", "Tables of the graph, for Cypher.", self.schema),
            ("astrolabe://module/{+name}/overview", "Module", "Files, exports and neighbors of a module.", self.module),
            ("astrolabe://file/{+path}/symbols", "File", "Declarations and imports of a file.", self.file),
            ("astrolabe://symbol/{+id}/detail", "Symbol", "Edges of a symbol, by its name or id.", self.symbol),
            (_DOCUMENT, "Document", "Sections of a document, and the code that it names.", self.doc),
        )
        for uri, name, description, function in described:
            server.resource(uri, name=name, description=description, mime_type=_JSON)(function)
        for name, description, prompt in self._prompts.described():
            server.prompt(name=name, description=description)(prompt)
        server.completion()(self.complete)  # type: ignore[no-untyped-call]  # the library leaves it without types

    async def structure(self) -> str:
        """Answer `astrolabe://repo/structure`."""
        return await self._read(self._workspace.graph.query_repo_structure)

    async def schema(self) -> str:
        """Answer `astrolabe://schema`."""
        return await self._read(lambda: self._workspace.query_tool(schema=True))

    async def module(self, name: str) -> str:
        """Answer `astrolabe://module/{name}/overview`."""
        return await self._read(lambda: self._workspace.graph.query_module(unquote(name)))

    async def file(self, path: str) -> str:
        """Answer `astrolabe://file/{path}/symbols`."""
        return await self._read(lambda: self._workspace.graph.query_file(unquote(path)))

    async def symbol(self, id: str) -> str:
        """Answer `astrolabe://symbol/{id}/detail`."""
        return await self._read(lambda: self._workspace.graph.query_symbol(self._name_of(unquote(id))))

    async def doc(self, path: str) -> str:
        """Answer `astrolabe://doc/{path}`."""
        return await self._read(lambda: self._workspace.graph.document(unquote(path)))

    async def complete(
        self,
        ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion:
        """Return modules, paths or names that begin with or contain the typed text."""
        values: Callable[[str], list[str]] | None = {
            "name": self._modules,
            "module": self._modules,
            "path": self._paths,
            "id": self._symbols,
            "template": self._templates,
            "like": self._modules,
            "feature": self._symbols,
            "doc": self._documents,
            "section": lambda typed: self._workflows(typed, (context.arguments or {}).get("doc", "") if context else ""),
        }.get("doc" if isinstance(ref, ResourceTemplateReference) and ref.uri == _DOCUMENT else argument.name)
        if values is None:
            return Completion(values=[])
        found = await self._work(lambda: values(argument.value))
        return Completion(values=found[:MAX_COMPLETIONS], total=len(found), has_more=len(found) > MAX_COMPLETIONS)

    def _modules(self, typed: str) -> list[str]:
        return _matching(typed, [row.name for row in self._workspace.modules().to_list()])

    def _paths(self, typed: str) -> list[str]:
        rows = self._workspace.files(path__icontains=typed) if typed else self._workspace.files()
        return _matching(typed, [row.path for row in rows.sort("importance", descending=True).limit(1_000).to_list()])

    def _symbols(self, typed: str) -> list[str]:
        if not typed.strip():
            return []
        rows = self._workspace.symbols(name__startswith=typed.rpartition(".")[2])
        names = [row.qualified_name for row in rows.sort("importance", descending=True).limit(1_000).to_list()]
        return _matching(typed, names)

    def _templates(self, typed: str) -> list[str]:
        templates, _ = self._workspace.graph.workflow_templates()
        return _matching(typed, [template.name for template in templates])

    def _documents(self, typed: str) -> list[str]:
        return _matching(typed, [row.path for row in self._workspace.docs().to_list()])

    def _workflows(self, typed: str, doc: str) -> list[str]:
        listed = self._workspace.graph.get_workflow(doc).answer.sections
        return _matching(typed, [entry.name for entry in listed.get("workflows", ())])

    def _name_of(self, symbol: str) -> str:
        """Return the symbol path for an id. Other text is returned unchanged."""
        row = self._workspace.symbols(id=symbol).first()
        return symbol if row is None else f"{row.path}:{row.start_line}"

    async def _read(self, ask: Callable[[], ToolAnswer[Any]]) -> str:
        answer = await self._work(lambda: ask().to_json())
        return msgspec.json.encode(answer).decode()

    async def _work(self, work: Callable[[], Any]) -> Any:
        """Run blocking work in a thread. Raises ResourceError with a sentence for the client."""
        try:
            return await self._run(work)
        except AstrolabeError as error:
            raise ResourceError(str(error)) from error


def _matching(typed: str, values: list[str]) -> list[str]:
    """Return the distinct values that contain the typed text; values that begin with it come first."""
    wanted = typed.lower()
    kept = [value for value in dict.fromkeys(values) if wanted in value.lower()]
    return sorted(kept, key=lambda value: not value.lower().startswith(wanted))
