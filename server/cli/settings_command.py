"""The commands `settings`, `settings set` and `settings unset`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ...schema.errors import UsageError
from ..environment.terminal import print_json, print_message, print_result
from .command_options import Json, Root

settings_app = typer.Typer(
    help="Show and change the settings of a workspace.",
    epilog="Example: astrolabe settings set max_token_budget 4000",
    no_args_is_help=True,
)

Name = Annotated[str, typer.Argument(help="Name of the setting.", metavar="NAME")]


@settings_app.command("list", epilog="Example: astrolabe settings list")
def list_settings(as_json: Json = False, root: Root = None) -> None:
    """Show each setting with its value and its source: the file, the environment or the default."""
    from ..api.requests.query_rows import QueryRows
    from ..environment.configuration import setting_values

    values = setting_values(_root(root))
    if as_json:
        print_json([{"name": each.row.name, "value": each.value, "source": each.source} for each in values])
        return
    rows: list[tuple[Any, ...]] = [(each.row.name, _shown(each.value), each.source) for each in values]
    print_result(QueryRows(("setting", "value", "source"), rows, (), len(rows)).text)


@settings_app.command("set", epilog="Example: astrolabe settings set exclude 'legacy/, *.gen.ts'")
def set_command(
    name: Name,
    value: Annotated[str, typer.Argument(help="The value; items of a list are separated by commas.", metavar="VALUE")],
    root: Root = None,
) -> None:
    """Write a setting to astrolabe.toml. Comments in the file stay."""
    from ..environment.configuration import CONFIGURATION_FILE, setting_values, value_of_text
    from ..environment.settings_file import set_setting

    folder = _root(root)
    set_setting(folder, name, value_of_text(name, value))
    (now,) = (each for each in setting_values(folder) if each.row.name == name)
    print_result(f"{name} = {_shown(now.value)} in {folder / CONFIGURATION_FILE}")
    if now.source == "environment":
        print_message(f"The environment variable {now.row.variable} wins over the file.")


@settings_app.command("unset", epilog="Example: astrolabe settings unset max_token_budget")
def unset_command(name: Name, root: Root = None) -> None:
    """Remove a setting from astrolabe.toml, so that its default applies again."""
    from ..environment.configuration import CONFIGURATION_FILE
    from ..environment.settings_file import unset_setting

    folder = _root(root)
    if not unset_setting(folder, name):
        raise UsageError(f"{folder / CONFIGURATION_FILE} does not set {name}.")
    print_result(f"{name} is no longer in {folder / CONFIGURATION_FILE}.")


def _root(root: Path | None) -> Path:
    from ..environment.workspace_root import find_root

    return find_root(root)


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
