"""The settings panel: the table with values and sources, and changes of `astrolabe.toml`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from ....schema.errors import UsageError
from ....schema.settings import GROUPS, Settings
from ...api.workspace import Workspace
from ...environment.configuration import CONFIGURATION_FILE, Problem, SettingValue, checked_value, settings_state
from ...environment.settings_file import set_setting, unset_setting
from .endpoint import Endpoint, Nothing

#: Number of lines of the file that are shown before and after a mistake.
LINES_AROUND = 2


class Setting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value for a setting."""

    name: str
    value: Any


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A setting, or another key, to remove from `astrolabe.toml`."""

    name: str


def _settings(workspace: Workspace, asked: Nothing) -> object:
    file = workspace.root / CONFIGURATION_FILE
    state = settings_state(workspace.root)
    rows = [
        {
            "name": each.row.name,
            "group": each.row.group,
            "value": _shown(each),
            "default": each.row.default,
            "source": each.source,
            "form": each.form,
            "choices": each.choices,
            "meaning": each.row.meaning,
            "variable": each.row.variable,
            "problem": each.problem,
        }
        for each in state.values
    ]
    return {
        "file": str(file),
        "groups": [{"title": group.title, "meaning": group.meaning} for group in GROUPS],
        "rows": rows,
        "problems": [_problem(file, problem) for problem in state.problems],
    }


def _shown(value: SettingValue) -> object:
    """Return a value as JSON. An invalid value becomes text, because JSON may not have its type."""
    is_list = isinstance(value.value, tuple) and all(isinstance(item, str) for item in value.value)
    return value.value if is_list or not value.problem else str(value.value)


def _problem(file: Path, problem: Problem) -> dict[str, object]:
    """Return a problem with the lines of the file around its place."""
    first = max(1, problem.line - LINES_AROUND)
    lines = file.read_text(encoding="utf-8-sig").splitlines() if problem.line else []
    around = lines[first - 1 : problem.line + LINES_AROUND]
    return {
        "message": problem.message,
        "key": problem.name,
        "isSetting": problem.name in Settings.__struct_fields__,
        "line": problem.line,
        "lines": [{"number": number, "text": text} for number, text in enumerate(around, first)],
    }


def _check(workspace: Workspace, asked: Setting) -> object:
    """Return why a value is not allowed; "" for an allowed value. Nothing is written."""
    try:
        checked_value(asked.name, asked.value)
    except UsageError as error:
        return {"problem": str(error)}
    return {"problem": ""}


def _set(workspace: Workspace, asked: Setting) -> object:
    """Write a value to `astrolabe.toml`."""
    set_setting(workspace.root, asked.name, asked.value)
    return _settings(workspace, Nothing())


def _unset(workspace: Workspace, asked: Named) -> object:
    """Remove a key from `astrolabe.toml`."""
    unset_setting(workspace.root, asked.name)
    return _settings(workspace, Nothing())


ENDPOINTS = (
    Endpoint("settings", Nothing, _settings),
    Endpoint("settings-check", Setting, _check),
    Endpoint("settings-set", Setting, _set),
    Endpoint("settings-unset", Named, _unset),
)
