"""The MCP server, which offers its tools over standard input and output, or over streamable HTTP on this machine.

Blocking work runs in threads, so that the event loop keeps answering. Standard output is only for the protocol.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO, Annotated, Any, Literal, TypeVar

import anyio
import anyio.to_thread
import msgspec
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    Annotations,
    CallToolResult,
    GetPromptResult,
    InputRequiredResult,
    TextContent,
    Tool,
    ToolAnnotations,
)
from pydantic import BeforeValidator, Field, ValidationError

from ...retrieval.query.search_request import SearchRequest
from ...retrieval.text.tokens import tokens_of_characters
from ...schema.errors import AstrolabeError
from ...schema.version import __version__
from ..api.requests.search_results import SearchResults
from ..api.workspace import Workspace
from .call_log import CallLog
from .graph_tools import GraphToolSet
from .log_messages import LogMessages
from .resource_notices import SCHEME, ResourceNotices
from .resources import CodebaseResources
from .search_agent import SearchAgent
from .tools import SEARCH_SCHEMA, StructuralTools, ToolDescription, shortened

INSTRUCTIONS = """\
Astrolabe knows the TypeScript, JavaScript, Python, Go and Java of this repository as their compilers do, and finds code in \
other languages too (Rust, C, C++, C#, Kotlin, Ruby, PHP and more, without their calls). Ask codebase_search before grep or \
reading whole files: describe the code you look for, or name it as `symbol = Parent > Child`. One answer holds the connections \
(who calls what, types, references) and the complete source lines to read or edit, always from the files as they are \
now. Calls that could not be resolved are counted as such, so "no callers" can be trusted."""

DESCRIPTION = """\
Find code by meaning, by name, or by its exact text. Returns a connection graph, then one source excerpt \
per file with only the relevant symbols. Use it to locate where something is done, understand a symbol, or see its callers."""

#: Seconds between two reports of indexing progress.
PROGRESS_INTERVAL = 0.25

#: Descriptions of expected values of arguments, by pydantic's type of the error.
_EXPECTATIONS = {
    "missing": "is required",
    "string_type": "must be a string",
    "is_instance_of": "must be a list of strings",
    "int_parsing": "must be a whole number, such as 10",
    "int_type": "must be a whole number, such as 10",
    "int_from_float": "must be a whole number, such as 10",
    "float_parsing": "must be a number, such as 0.5",
    "float_type": "must be a number, such as 0.5",
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
}

Result = TypeVar("Result")


def _as_list(value: object) -> object:
    """Wrap a single path in a list. Models often send a plain string."""
    return [value] if isinstance(value, str) else [] if value is None else value


Query = Annotated[
    str,
    Field(
        description="A question or words; or `symbol = Name`, `symbol = Parent > Child`, `symbol = file > Name`, "
        "`symbol = file:line`"
    ),
]
Paths = Annotated[
    Sequence[str], BeforeValidator(_as_list), Field(description="Only these files, folders or globs: `src/auth/`, `**/*.test.ts`")
]
Mode = Annotated[
    Literal["semantic", "literal", "hybrid"],
    Field(description="semantic: by meaning or name; literal: every line with the text, like grep; hybrid: both ranked"),
]
Kind = Literal["all", "functions", "classes", "interfaces", "types", "constants", "files"]
Languages = Annotated[Sequence[str], BeforeValidator(_as_list), Field(description="Only these, such as python, typescript")]


class CodebaseServer(MCPServer[Any]):
    """The server of one workspace."""

    def __init__(self, workspace: Workspace, tools: frozenset[str], calls: CallLog | None = None) -> None:
        """Offer some tools. `calls` is the log of calls; None for no log."""
        super().__init__(
            "astrolabe",
            title="Astrolabe",
            instructions=INSTRUCTIONS,
            version=__version__,
            log_level="WARNING",
            subscriptions=False,
            lifespan=_watching,
        )
        self._workspace = workspace
        self.notices = ResourceNotices(workspace.current_generation, self._resource_content)
        self.notices.offer(self._lowlevel_server)
        # Both transports call `create_initialization_options` without arguments.
        self._lowlevel_server.create_initialization_options = partial(  # type: ignore[method-assign]
            self._lowlevel_server.create_initialization_options, self.notices.options
        )
        self._calls = calls
        self._messages = LogMessages()
        self._messages.offer(self._lowlevel_server)
        self._agent = SearchAgent(workspace.settings)
        self._structural = StructuralTools(workspace, self._watched)
        self._graph = GraphToolSet(workspace, self._structural.answer)
        # A tool with an output schema must add JSON to every answer, so the schema depends on the setting `structured_search`.
        schema = SEARCH_SCHEMA if workspace.settings.structured_search else None
        search = ToolDescription("codebase_search", "Search the codebase", DESCRIPTION, self.codebase_search, schema)
        offered = [tool for tool in (*self._structural.descriptions(), *self._graph.descriptions(), search) if tool.name in tools]
        CodebaseResources(workspace, partial(anyio.to_thread.run_sync, abandon_on_cancel=True)).offer(self)
        self._output_schemas = {tool.name: tool.output_schema for tool in offered}
        for tool in offered:
            self.add_tool(
                tool.function,
                name=tool.name,
                title=tool.title,
                description=tool.description,
                annotations=ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False),
                structured_output=False,
            )

    def run_streams(self, reader: IO[str], writer: IO[str]) -> None:
        """Serve one client over text streams with a message in each line, until the input ends. Each write is one message."""

        async def run() -> None:
            async with stdio_server(anyio.wrap_file(reader), anyio.wrap_file(writer)) as (messages, replies):
                server = self._lowlevel_server
                await server.run(messages, replies, server.create_initialization_options())

        anyio.run(run)

    async def _resource_content(self, uri: str) -> str:
        """Return the content of a resource, without the state of the index, because this state differs between generations.

        Raises MCPError for an unknown resource.
        """
        try:
            (content,) = await self.read_resource(uri)
        except ResourceError as error:
            raise MCPError(INVALID_PARAMS, str(error)) from error
        if not isinstance(content, ReadResourceContents):  # no resource asks its client for input
            raise MCPError(INVALID_PARAMS, f"The resource {uri} asks for input.")
        if not uri.startswith(SCHEME):
            return content.content if isinstance(content.content, str) else content.content.hex()
        found = msgspec.json.decode(content.content)
        return msgspec.json.encode({name: value for name, value in found.items() if name != "index"}).decode()

    async def list_tools(self) -> list[Tool]:
        """Return the tools with short schemas."""
        return [
            tool.model_copy(
                update={"input_schema": shortened(tool.input_schema), "output_schema": self._output_schemas.get(tool.name)}
            )
            for tool in await super().list_tools()
        ]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool and log the call. Errors that the caller can correct become ToolErrors with a sentence for each problem."""
        begun = time.monotonic()
        try:
            result = await self._answered(name, arguments, context)
        except ToolError as error:
            await self._log(context, name, arguments, begun, error=str(error))
            raise
        if isinstance(result, CallToolResult):
            texts = [part.text for part in result.content if isinstance(part, TextContent)]
            await self._log(context, name, arguments, begun, tokens=tokens_of_characters(sum(map(len, texts))))
        return result

    async def _log(
        self,
        context: Context[Any, Any] | None,
        name: str,
        arguments: dict[str, Any],
        begun: float,
        tokens: int = 0,
        error: str = "",
    ) -> None:
        """Write a call to the log, and send a log message to the client."""
        milliseconds = round((time.monotonic() - begun) * 1000)
        if self._calls is not None:
            self._calls.write(name, arguments, milliseconds, tokens, error)
        if error:
            await self._messages.send(context, "warning", {"tool": name, "milliseconds": milliseconds, "error": error})
        else:
            await self._messages.send(context, "info", {"tool": name, "milliseconds": milliseconds, "tokens": tokens})

    async def _answered(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None
    ) -> CallToolResult | InputRequiredResult:
        arguments = self._read(name, arguments)
        known = await self._known_arguments(name, arguments)
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            match error.__cause__:
                case ValidationError() as cause:
                    raise ToolError(_argument_sentences(name, cause, known)) from cause
                case ToolError() as cause:
                    raise ToolError(str(cause)) from cause
            raise

    def _read(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the normalized arguments: without a `rootDir` that names the root and, for a search, with `scope` as `path`."""
        read = dict(arguments)
        root = read.pop("rootDir", None)
        if root is not None and Path(str(root)).resolve() != self._workspace.root and str(root) not in ("", "."):
            raise ToolError(f"{name}: this server serves only {self._workspace.root}, not {root}: leave out `rootDir`.")
        if name == "codebase_search" and "scope" in read and "path" not in read:
            read["path"] = read.pop("scope")
        return read

    async def _known_arguments(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the parameters of a tool by name. Raises ToolError for an unknown tool or argument.

        The library would ignore a filter with a wrong name, and the client would assume a filtered answer.
        """
        tools = await self.list_tools()
        known = next((tool.input_schema["properties"] for tool in tools if tool.name == name), None)
        if known is None:
            raise ToolError(f"There is no tool `{name}`; there are {', '.join(tool.name for tool in tools)}.")
        if unknown := sorted(arguments.keys() - known.keys()):
            raise ToolError(f"{name}: there is no argument `{unknown[0]}`; it takes {', '.join(known)}.")
        for argument, value in arguments.items():
            if isinstance(value, bool) and _is_number(known[argument]):  # the protocol library would read it as 1 or 0
                raise ToolError(f"{name}: `{argument}` must be a number, not {str(value).lower()}.")
        return dict(known)

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context[Any, Any] | None = None
    ) -> GetPromptResult | InputRequiredResult:
        """Return a prompt. Raises MCPError for an unknown prompt and for missing arguments."""
        known = {prompt.name: prompt for prompt in await self.list_prompts()}
        if name not in known:
            raise MCPError(INVALID_PARAMS, f"There is no prompt `{name}`; there are {', '.join(known)}.")
        required = [each.name for each in known[name].arguments or () if each.required]
        if missing := [each for each in required if each not in (arguments or {})]:
            raise MCPError(INVALID_PARAMS, f"The prompt `{name}` needs {', '.join(f'`{each}`' for each in missing)}.")
        return await super().get_prompt(name, arguments, context)

    async def codebase_search(
        self,
        query: Query,
        context: Context[Any, Any],
        path: Paths = (),
        languages: Languages = (),
        mode: Mode = "semantic",
        kind: Kind = "all",
        minScore: float | None = None,
        isRegex: Annotated[bool, Field(description="literal: an RE2 pattern")] = False,
        caseSensitive: bool = False,
        linesBefore: int = 1,
        linesAfter: int = 1,
        limit: int | None = None,
        budget: int | None = None,
    ) -> CallToolResult | InputRequiredResult:
        if mode == "semantic" and (isRegex or caseSensitive):
            raise ToolError("codebase_search: `isRegex` and `caseSensitive` need `mode` literal or hybrid.")
        try:
            request = SearchRequest(
                query,
                mode=mode,
                paths=path,
                languages=languages,
                kind=kind,
                min_score=minScore,
                is_regex=isRegex,
                case_sensitive=caseSensitive,
                before=linesBefore,
                after=linesAfter,
                limit=limit,
                budget=self._workspace.settings.max_token_budget if budget is None else budget,
            )
            if not request.is_semantic:
                return await self._structural.answer(partial(self._workspace.text_search, request), context)

            async def search(words: str) -> SearchResults:
                return await self._watched(partial(self._workspace.semantic_search, replace(request, query=words)), context)

            results = await self._agent.answer(query, search, context)
        except AstrolabeError as error:
            raise ToolError(str(error)) from error
        return self._content(results) if isinstance(results, SearchResults) else results

    def _content(self, results: SearchResults) -> CallToolResult:
        """Return the texts of the answer, the most important first."""
        return CallToolResult(
            content=[
                TextContent(type="text", text=item.text, annotations=Annotations(audience=["assistant"], priority=item.priority))
                for item in results.items
            ],
            structured_content=results.to_json() if self._workspace.settings.structured_search else None,
        )

    async def _watched(self, work: Callable[[], Result], context: Context[Any, Any]) -> Result:
        """Run blocking work in a thread, and report the progress of indexing meanwhile.

        If the client cancels the request, the first index is still completed for the next call. Raises ToolError when the first
        index takes longer than most clients wait.
        """
        outcome: list[Result] = []
        failure: list[AstrolabeError] = []
        late: list[str] = []

        async def run() -> None:
            try:
                outcome.append(await anyio.to_thread.run_sync(work, abandon_on_cancel=True))
            except AstrolabeError as error:
                failure.append(error)
            group.cancel_scope.cancel()

        async with anyio.create_task_group() as group:
            group.start_soon(run)
            group.start_soon(self._report_progress, context)
            group.start_soon(self._end_waiting, late, group.cancel_scope)
        if late and not (outcome or failure):
            raise ToolError(late[0])
        if failure:
            raise failure[0]
        return outcome[0]

    async def _end_waiting(self, late: list[str], scope: anyio.CancelScope) -> None:
        """End a request that waits too long for the first index. The error has a sentence about the progress."""
        await anyio.sleep(self._workspace.settings.first_index_wait)
        while (progress := self._workspace.progress) is None or self._workspace.is_indexed():
            await anyio.sleep(PROGRESS_INTERVAL)
        late.append(
            f"The first index is being built: {progress.percent:.0f} %, {progress.message}. It goes on in the background, "
            "and there is nothing to answer from before it is complete. Ask again in a while, and use grep meanwhile."
        )
        scope.cancel()

    async def _report_progress(self, context: Context[Any, Any]) -> None:
        reported = 0.0
        while True:
            await anyio.sleep(PROGRESS_INTERVAL)
            progress = self._workspace.progress
            # The protocol requires growing progress, so repeated and overlapping stages are not reported.
            if progress is not None and progress.percent > reported:
                reported = progress.percent
                await context.report_progress(reported, 100, progress.message)


@asynccontextmanager
async def _watching(server: MCPServer[Any]) -> AsyncIterator[None]:
    """Notify clients of new generations while the server runs."""
    assert isinstance(server, CodebaseServer)
    async with server.notices.watching():
        yield


def call_log(workspace: Workspace) -> CallLog | None:
    """Return the log of calls of a workspace; None if the settings disable it."""
    return CallLog(workspace.data_dir) if workspace.settings.call_log else None


def _is_number(parameter: dict[str, Any]) -> bool:
    """Return whether the schema of a parameter allows numbers but not booleans."""
    types = {each.get("type") for each in (parameter, *parameter.get("anyOf", ()))}
    return "boolean" not in types and not types.isdisjoint(("integer", "number"))


def _argument_sentences(tool: str, error: ValidationError, known: Mapping[str, Any]) -> str:
    """Return a sentence for each wrong argument, with the problem and the description of the argument."""
    sentences = []
    for detail in error.errors():
        name, *items = detail["loc"] or (tool,)
        place = f"{name}" + "".join(f"[{item}]" for item in items)
        expected = f"must be {detail['ctx']['expected']}" if detail["type"] == "literal_error" else detail["msg"]
        described = known.get(str(name), {}).get("description", "")
        takes = f" ({described})" if described and detail["type"] != "literal_error" else ""
        sentences.append(f"{tool}: `{place}` {_EXPECTATIONS.get(detail['type'], expected)}{takes}.")
    return " ".join(sentences)
