"""click and typer: commands, groups, and callbacks of options."""

from __future__ import annotations

from .conventions import Bases, Calls, Framework, names

CLICK = Framework(
    "click",
    ("click", "typer", "asyncclick", "rich_click", "cyclopts", "invoke", "fabric", "nox", "doit", "fire"),
    {
        "command": names(
            r"""(?:command|group) | (?:Group|Typer|command|group|App|\w*Group)\(\)\.(?:\w+\(\)\.)*
            (?:command|group|callback|default)
            | (?:Group|group)\(\)\.result_callback | task | session | App\(\)"""
        ),
    },
    (
        Bases(
            names("Group|MultiCommand|Command|ParamType|Option"),
            "",
            names("convert|get_command|list_commands|invoke|shell_complete|format_\\w+|parse_args|resolve_command|main"),
        ),
    ),
    (
        Calls(names(r"(?:Group|Typer|command|group|\w*Group)\(\)\.(?:add_command|add_typer|command|callback)"), "command"),
        Calls(names(r"option|argument|Option|Argument|version_option|run|Fire|Command"), "handler"),
    ),
)
