"""Call every tool with random arguments, and compare each answer with its output schema and its budget.

    python -m tests.benchmarks.tool_agreement ROOT [--calls 1000] [--malformed 250] [--seed 1] [--tools SETS]

Arguments are drawn from the input schemas, and names, paths and words from the index. Malformed calls, addresses of resources,
cursors and completions follow: each must be an error with a sentence, and must change nothing. Prints a row of a Markdown
table, and every call that is wrong. The times are those of well-formed calls, with the look for changed files; processor time
is that of this process, without that of compilers that `codebase_lint` runs.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from astrolabe.retrieval.text.tokens import tokens_of_characters
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.mcp.server import CodebaseServer
from astrolabe.server.mcp.tool_sets import TOOL_SETS, chosen_tools
from jsonschema import Draft202012Validator
from mcp import Client, MCPError
from mcp_types import CallToolResult, TextContent, TextResourceContents, Tool

from tests.benchmarks.markdown_tables import print_head, print_row

#: Share by which an answer may exceed its budget.
TOLERANCE = 0.02
#: Budgets that calls have, in tokens; None is the default of the settings.
BUDGETS = (None, 400, 500, 800, 1_500, 4_000, 12_000)
#: Fewest characters of an error that says something.
MIN_MESSAGE_LENGTH = 15
#: Parts of messages that a failure within the program would have.
INTERNAL = re.compile(r"Traceback|Error executing|Internal|object has no attribute|KeyError|TypeError|IndexError|\.py\b.*line \d")
Arguments = dict[str, Any]


@dataclass
class Tally:
    """What was asked, and what was wrong with it."""

    calls: int = 0
    errors: int = 0
    malformed: int = 0
    faults: list[str] = field(default_factory=list)
    #: Largest size of an answer as a share of its budget.
    fullest: float = 0.0
    #: Seconds of wall clock and of processor time of each well-formed call, which begin once every tool has been asked.
    seconds: list[tuple[float, float]] = field(default_factory=list)

    def fault(self, what: str, asked: object) -> None:
        """Keep a fault with the request that shows it."""
        self.faults.append(f"{what}: {json.dumps(asked, ensure_ascii=True)[:300]}")


class Arguing:
    """Draws arguments from what the index has."""

    def __init__(self, workspace: Workspace, seed: int) -> None:
        self._dice = random.Random(seed)
        symbols = workspace.symbols().to_list()
        self._names = sorted({name for row in symbols for name in (row.name, row.qualified_name) if len(name) < 200})
        self._places = [f"{row.path}:{row.start_line}" for row in symbols]
        self._paths = [row.path for row in workspace.files()]
        self._modules = [row.name for row in workspace.modules()] or [""]
        self._words = sorted({word for name in self._names for word in re.findall("[A-Z]?[a-z]{3,}", name)}) or ["name"]
        self._commits = [row.hash for row in workspace.commits().limit(50)] if (workspace.root / ".git").exists() else []

    def call(self, tool: Tool) -> Arguments:
        """Return arguments that a client might give."""
        properties = tool.input_schema["properties"]
        required = tool.input_schema.get("required", ())
        chosen = {
            name: self._value(name, schema)
            for name, schema in properties.items()
            if name in required or name == "budget" or (name != "cursor" and self._dice.random() < 0.3)
        }
        return {name: value for name, value in chosen.items() if value is not None}

    def _value(self, name: str, schema: dict[str, Any]) -> Any:
        named: dict[str, Callable[[], Any]] = {
            "budget": lambda: self._dice.choice(BUDGETS),
            "symbol": lambda: self._dice.choice((self._name(), self._name(), self._dice.choice(self._places or [""]))),
            "file": self._path,
            "files": lambda: [self._path() for _ in range(self._dice.randint(1, 4))],
            "path": lambda: self._dice.choice((self._path(), self._path().rpartition("/")[0])),
            "scope": lambda: self._path().rpartition("/")[0],
            "subject": lambda: self._dice.choice((self._path(), self._name())),
            "module": lambda: self._dice.choice(self._modules),
            "query": lambda: self._dice.choice((self._name(), self._phrase())),
            "task": self._phrase,
            "depth": lambda: self._dice.randint(1, 5),
            "limit": lambda: self._dice.choice((1, 5, 20, 100)),
            "line": lambda: self._dice.randint(1, 60),
            "range": lambda: self._dice.choice(self._commits or ["HEAD"]),
            "base": lambda: self._dice.choice(self._commits or ["HEAD"]),
            "template": lambda: "bug-fix",
            "parameters": lambda: {"error": f"TypeError: {self._phrase()}\n    at {self._name()} ({self._path()}:3:1)"},
        }
        if name in named:
            value = named[name]()
            return [value] if schema.get("type") == "array" and isinstance(value, str) else value
        return self._by_type(schema)

    def _by_type(self, schema: dict[str, Any]) -> Any:
        if "enum" in schema:
            return self._dice.choice(schema["enum"])
        if "anyOf" in schema:
            return self._by_type(self._dice.choice(schema["anyOf"]))
        kinds: dict[str, Callable[[], Any]] = {
            "boolean": lambda: self._dice.random() < 0.5,
            "integer": lambda: self._dice.randint(1, 20),
            "number": lambda: round(self._dice.uniform(0.5, 1.0), 2),
            "array": lambda: [self._by_type(schema.get("items", {}))],
            "string": self._path if self._dice.random() < 0.5 else self._name,
        }
        return kinds.get(schema.get("type", "null"), lambda: None)()

    def _name(self) -> str:
        return self._dice.choice(self._names or ["name"])

    def _path(self) -> str:
        return self._dice.choice(self._paths or ["README.md"])

    def _phrase(self) -> str:
        return " ".join(self._dice.choice(self._words) for _ in range(self._dice.randint(1, 6)))

    def malformed(self, tool: Tool) -> Arguments:
        """Return arguments of which one is certainly wrong."""
        arguments = self.call(tool)
        properties: dict[str, dict[str, Any]] = tool.input_schema["properties"]
        required = list(tool.input_schema.get("required", ()))
        wrongs: list[Callable[[], Arguments]] = [
            lambda: {**arguments, self._dice.choice(("pth", "Query", "__class__", "", "budgets", "ctx")): 1},
            lambda: {**arguments, "budget": self._dice.choice((0, -5, 1.5, "much", [], {"tokens": 4}, True))},
            lambda: {**arguments, **self._wrong_type(properties)},
        ]
        if required:
            wrongs.append(lambda: {name: value for name, value in arguments.items() if name != required[0]})
        if "cursor" in properties:
            wrongs.append(lambda: {**arguments, "cursor": self._garbage()})
        if "depth" in properties:
            wrongs.append(lambda: {**arguments, "depth": self._dice.choice((-1, 10**6, "deep", None))})
        if (enums := [name for name, schema in properties.items() if "enum" in schema]) != []:
            wrongs.append(lambda: {**arguments, self._dice.choice(enums): self._garbage()})
        return self._dice.choice(wrongs)()

    def _wrong_type(self, properties: dict[str, dict[str, Any]]) -> Arguments:
        name = self._dice.choice([name for name, schema in properties.items() if schema.get("type") in _WRONG])
        return {name: self._dice.choice(_WRONG[properties[name]["type"]])}

    def _garbage(self) -> str:
        length = self._dice.choice((1, 8, 40, 400))
        return "".join(self._dice.choice("aZ09+/=-_{}[]\"'\\%\0 \n\u202eé") for _ in range(length))

    def address(self) -> str:
        """Return an address that no resource has."""
        return self._dice.choice(
            (
                f"astrolabe://{self._dice.choice(('repo', 'repo/structure/more', 'file', 'symbols/x', 'schema/x', ''))}",
                f"astrolabe://file/{self._dice.choice(('a.ts/symbol', 'a.ts', ''))}",
                f"file:///{self._dice.choice(('etc/passwd', ''))}",
                self._garbage(),
            )
        )

    def prompt(self) -> tuple[str, dict[str, str]]:
        """Return a prompt that is not there, or one without its argument."""
        return self._dice.choice(
            (("explain-module", {}), ("bug-fix", {"eror": "x"}), (self._garbage(), {}), ("", {"error": "x"}))
        )

    def absent(self) -> str:
        """Return an address of something that the index does not have."""
        return self._dice.choice(
            (
                f"astrolabe://file/{self._dice.choice(('../../etc/passwd', 'none.ts', '%2e%2e%2fa'))}/symbols",
                f"astrolabe://symbol/{self._dice.choice(('none%20at%20all', '%3E%3Eq', '..%2F'))}/detail",
                f"astrolabe://module/{self._dice.choice(('no-such-module', '%0A-', '*'))}/overview",
            )
        )


#: Values that are not of a type of JSON schema, nor can be read as one.
_WRONG: dict[str, tuple[Any, ...]] = {
    "string": (5, ["x"], {"a": 1}, True),
    "integer": ("many", [1], {"a": 1}, 2.5),
    "number": ("much", [1], {"a": 1}),
    "boolean": ("perhaps", [True], {"a": 1}, 7),
    "array": (5, {"a": 1}, [5], [["x"]]),
}


async def judged(workspace: Workspace, calls: int, malformed: int, seed: int, sets: str = ",".join(TOOL_SETS)) -> Tally:
    """Return what random calls, and then malformed ones, show."""
    tally = Tally()
    arguing = Arguing(workspace, seed)
    dice = random.Random(seed)
    server = CodebaseServer(workspace, chosen_tools(sets))
    async with Client(server) as client:
        tools = (await client.list_tools()).tools
        for number in range(calls):
            if number == len(tools):
                tally.seconds.clear()
            await _well_formed(client, tools[number % len(tools)], arguing, tally, workspace, dice)
        before = _state(workspace)
        for number in range(malformed):
            tool = tools[number % len(tools)]
            arguments = arguing.malformed(tool)
            _check_error(tally, [tool.name, arguments], await _asked(client.call_tool(tool.name, arguments)))
        for _ in range(malformed // 5):
            address = arguing.address()
            _check_error(tally, address, await _asked(client.read_resource(address)))
            absent = arguing.absent()
            _check_absence(tally, absent, await _read(client, absent))
            _check_error(tally, "a prompt", await _asked(client.get_prompt(*arguing.prompt())))
        _check_error(tally, "no such tool", await _asked(client.call_tool("codebase_delete", {})))
        if _state(workspace) != before:
            tally.faults.append("Malformed requests changed the index or the work tree.")
    return tally


async def _well_formed(
    client: Client, tool: Tool, arguing: Arguing, tally: Tally, workspace: Workspace, dice: random.Random
) -> None:
    arguments = arguing.call(tool)
    for _ in range(3):  # an answer, and sometimes what its cursor leads to
        tally.calls += 1
        begin = time.perf_counter(), time.process_time()
        result = await client.call_tool(tool.name, arguments)
        tally.seconds.append((time.perf_counter() - begin[0], time.process_time() - begin[1]))
        assert isinstance(result, CallToolResult)
        _check_answer(tally, tool, arguments, result, workspace.settings.max_token_budget)
        cursor = (result.structured_content or {}).get("cursor")
        if not cursor or dice.random() < 0.5:
            return
        arguments = {**arguments, "cursor": cursor}


def _check_answer(tally: Tally, tool: Tool, arguments: Arguments, result: CallToolResult, default: int) -> None:
    asked = [tool.name, arguments]
    text = _text(result)
    if result.is_error:
        tally.errors += 1
        if len(text) < MIN_MESSAGE_LENGTH or INTERNAL.search(text):
            tally.fault(f"no clear error ({text[:80]})", asked)
        return
    if tool.output_schema is not None:
        problems = list(Draft202012Validator(tool.output_schema).iter_errors(result.structured_content))
        if problems:
            tally.fault(f"not of its schema ({problems[0].message[:120]})", asked)
    tokens = _tokens(result)
    share = tokens / (arguments.get("budget") or default)
    tally.fullest = max(tally.fullest, share)
    if share > 1 + TOLERANCE:
        tally.fault(f"{tokens} tokens exceed the budget", asked)
    said = (result.structured_content or {}).get("tokenCount", (result.structured_content or {}).get("tokens"))
    if isinstance(said, int) and not _is_near(said, tokens):
        tally.fault(f"{tokens} tokens, but the answer says {said}", asked)


def _tokens(result: CallToolResult) -> int:
    """Return the size of an answer: of its JSON without the state of the index, by which budgets count, or of its text."""
    if result.structured_content is None:
        return tokens_of_characters(len(_text(result)))
    counted = {name: value for name, value in result.structured_content.items() if name not in ("index", "tokens", "tokenCount")}
    return tokens_of_characters(len(json.dumps(counted, ensure_ascii=False, separators=(",", ":"))))


def _is_near(said: int, tokens: int) -> bool:
    """Return whether a count is that of an answer; the count itself and what stands around it are 30 characters."""
    return abs(said - tokens) <= max(10, TOLERANCE * tokens)


async def _asked(request: Any) -> str:
    """Return the text of an error, or "" for an answer."""
    try:
        result = await request
    except MCPError as error:
        return str(error)
    return _text(result) if isinstance(result, CallToolResult) and result.is_error else ""


async def _read(client: Client, address: str) -> str:
    """Return the text of a resource, or that of the error."""
    try:
        found = await client.read_resource(address)
    except MCPError as error:
        return str(error)
    return "".join(part.text for part in found.contents if isinstance(part, TextResourceContents))


def _check_absence(tally: Tally, address: str, text: str) -> None:
    """Check that the text says that nothing is there: as an answer with the reason, or as an error."""
    tally.malformed += 1
    is_answer = text.startswith("{")
    if (is_answer and not json.loads(text).get("nothing")) or len(text) < MIN_MESSAGE_LENGTH or INTERNAL.search(text):
        tally.fault(f"no clear absence ({text[:80]})", address)


def _check_error(tally: Tally, asked: object, message: str) -> None:
    tally.malformed += 1
    if len(message) < MIN_MESSAGE_LENGTH or INTERNAL.search(message):
        tally.fault(f"no clear error ({message[:80]})", asked)


def _text(result: CallToolResult) -> str:
    return "".join(part.text for part in result.content if isinstance(part, TextContent))


def _median_and_p95(seconds: list[float]) -> str:
    """Return the median and the 95th percentile of times in milliseconds."""
    ordered = sorted(seconds) or [0.0]
    return f"{1000 * ordered[len(ordered) // 2]:.0f} / {1000 * ordered[int(len(ordered) * 0.95)]:.0f}"


def _state(workspace: Workspace) -> tuple[object, ...]:
    """Return what a request must not change: the generation, and the files of the work tree with their times."""
    files = (path for path in workspace.root.rglob("*") if workspace.data_dir not in path.parents and ".git" not in path.parts)
    return workspace.current_generation(), tuple(sorted((str(path), path.lstat().st_mtime_ns) for path in files))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for one repository."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--calls", type=int, default=1_000)
    parser.add_argument("--malformed", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tools", default=",".join(TOOL_SETS), help="sets and names of tools, separated by commas")
    options = parser.parse_args(arguments)
    with Workspace.locate(options.root, options.data_dir) as workspace:
        tally = anyio.run(judged, workspace, options.calls, options.malformed, options.seed, options.tools)
    print("\n".join(tally.faults))
    print_head(
        (
            "repository",
            "calls",
            "errors among them",
            "fullest answer, share of its budget",
            "malformed requests",
            "faults",
            "ms: median / p95",
            "processor ms: median / p95",
        )
    )
    row = (
        options.root.name,
        tally.calls,
        tally.errors,
        f"{tally.fullest:.3f}",
        tally.malformed,
        len(tally.faults),
        *(_median_and_p95([each[clock] for each in tally.seconds]) for clock in (0, 1)),
    )
    print_row([str(cell) for cell in row])


if __name__ == "__main__":
    main()
