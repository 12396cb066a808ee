"""The supported coding agents, with the places and forms of their lists of MCP servers.

Sources: developers.openai.com/codex/config-reference, kilo.ai/docs/automate/mcp, zed.dev/docs/ai/mcp,
docs.windsurf.com/windsurf/cascade/mcp, and the documented forms of the other clients.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

#: Name of Astrolabe's entry.
ENTRY = "astrolabe"

#: Seconds that Codex waits for a tool. The default of 60 is too short for the first index of a large repository.
CODEX_TIMEOUT = 300

_PROGRAM = {"command": "astrolabe", "args": ["serve"]}
#: Arguments for editors that do not start servers in the folder of the project.
_PROGRAM_WITH_ROOT = {"command": "astrolabe", "args": ["serve", "--root", "${workspaceFolder}"]}
_OPENCODE = {"type": "local", "command": ["astrolabe", "serve"], "enabled": True}


@dataclass(frozen=True, slots=True)
class Place:
    """A configuration file of a client."""

    #: Path below the root of the workspace.
    path: str
    #: Name of the object or table that contains the servers.
    section: str
    entry: Mapping[str, object]
    #: Other content of a new file, besides the section.
    preamble: Mapping[str, object] = field(default_factory=dict)

    @property
    def is_toml(self) -> bool:
        """Whether the file is TOML. All other files are JSON, most with comments."""
        return self.path.endswith(".toml")


@dataclass(frozen=True, slots=True)
class Client:
    """A coding agent."""

    #: Name on the command line.
    name: str
    title: str
    #: Configuration files of the client. The entry is added to the first existing file; if there is none, the last file is
    #: created.
    places: tuple[Place, ...]
    #: Files and folders that indicate a use of the client in a project.
    marks: tuple[str, ...]
    #: Where the user must add the entry, for a client that reads no file of the project.
    elsewhere: str = ""

    def is_used_in(self, root: Path) -> bool:
        """Return whether the project contains a file or folder of this client."""
        return any((root / mark).exists() for mark in self.marks)

    def place(self, root: Path) -> Place:
        """Return the file for the entry."""
        return next((place for place in self.places if (root / place.path).exists()), self.places[-1])


def _servers(path: str, section: str = "mcpServers", entry: Mapping[str, object] = _PROGRAM) -> Place:
    return Place(path, section, entry)


def _opencode(path: str, schema: str = "") -> Place:
    return Place(path, "mcp", _OPENCODE, {"$schema": schema} if schema else {})


CLIENTS = (
    Client(
        "claude-code",
        "Claude Code",
        (_servers(".mcp.json", entry={"type": "stdio", **_PROGRAM}),),
        (".mcp.json", ".claude", "CLAUDE.md"),
    ),
    Client(
        "codex",
        "Codex",
        (_servers(".codex/config.toml", "mcp_servers", {**_PROGRAM, "tool_timeout_sec": CODEX_TIMEOUT}),),
        (".codex",),
    ),
    Client("cursor", "Cursor", (_servers(".cursor/mcp.json", entry=_PROGRAM_WITH_ROOT),), (".cursor", ".cursorrules")),
    Client(
        "vscode",
        "VS Code",
        (_servers(".vscode/mcp.json", "servers", {"type": "stdio", **_PROGRAM_WITH_ROOT}),),
        (".vscode",),
    ),
    Client(
        "opencode",
        "OpenCode",
        (_opencode("opencode.jsonc"), _opencode("opencode.json", "https://opencode.ai/config.json")),
        ("opencode.json", "opencode.jsonc", ".opencode"),
    ),
    Client(
        "kilo-code",
        "Kilo Code",
        (
            _opencode("kilo.jsonc"),
            _opencode("kilo.json"),
            _opencode(".kilo/kilo.jsonc"),
            _opencode(".kilo/kilo.json"),
            _servers(".kilocode/mcp.json"),
        ),
        ("kilo.jsonc", "kilo.json", ".kilo", ".kilocode"),
    ),
    Client("gemini-cli", "Gemini CLI", (_servers(".gemini/settings.json"),), (".gemini", "GEMINI.md")),
    Client("zed", "Zed", (_servers(".zed/settings.json", "context_servers"),), (".zed",)),
    Client(
        "windsurf",
        "Windsurf",
        (_servers("mcp_config.json"),),
        (".windsurf", ".windsurfrules"),
        elsewhere="Windsurf reads only ~/.codeium/windsurf/mcp_config.json, which serves all projects; add the entry there",
    ),
)

BY_NAME = {client.name: client for client in CLIENTS}
