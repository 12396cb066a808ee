"""The command-line reference and the tables of settings as Markdown. The docs contain both, and a test finds outdated copies.

`python -m astrolabe.server.cli.reference` prints both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer.main

from ...schema.settings import GROUPS
from ..environment.configuration import settings_table
from .app import app


def cli_reference() -> str:
    """Return a section for each command: description, usage, options and an example."""
    return "\n\n".join(_section(name, command) for name, command in _commands("astrolabe", typer.main.get_command(app)))


def settings_reference() -> str:
    """Return a table for each group of settings: name, default, meaning, environment variable."""
    rows = {row.name: row for row in settings_table()}
    sections = []
    for group in GROUPS:
        lines = [f"### {group.title}", "", group.meaning, "", "| setting | default | meaning | variable |", "|---|---|---|---|"]
        for row in map(rows.__getitem__, group.settings):
            lines.append(f"| `{row.name}` | `{row.default}` | {row.meaning} | `{row.variable}` |")
        sections.append("\n".join(lines))
    return "\n\n".join(sections)


# The copy of click in Typer has private classes, so only public attributes of commands are used.
def _commands(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    subcommands = getattr(command, "commands", None)
    if subcommands is None:
        yield name, command
        return
    for subname, subcommand in subcommands.items():
        if not subcommand.hidden:
            yield from _commands(f"{name} {subname}", subcommand)


def _section(name: str, command: Any) -> str:
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    options = [parameter for parameter in command.params if parameter.param_type_name == "option"]
    usage = " ".join([name, *(_usage(argument) for argument in arguments), "[OPTIONS]"])
    summary = " ".join(command.help.split())
    rows = [f"| `{argument.metavar}` | {argument.help} |" for argument in arguments]
    rows += [f"| `{_spelling(option)}` | {option.help} |" for option in options]
    example = command.epilog.removeprefix("Example: ")
    table = "\n".join(["| option | meaning |", "|---|---|", *rows])
    return f"### `{name}`\n\n{summary}\n\n```\n{usage}\n{example}\n```\n\n{table}"


def _usage(argument: Any) -> str:
    return str(argument.metavar) if argument.required else f"[{argument.metavar}]"


def _spelling(option: Any) -> str:
    return f"{option.opts[0]} {option.metavar}" if option.metavar else str(option.opts[0])


if __name__ == "__main__":
    print(f"{cli_reference()}\n\n{settings_reference()}")
