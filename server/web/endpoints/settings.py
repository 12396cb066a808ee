"""The panel of settings: the table with values and sources, and changes of `astrolabe.toml`."""

from __future__ import annotations

from typing import Any

import msgspec

from ...api.workspace import Workspace
from ...environment.configuration import CONFIGURATION_FILE, setting_values
from ...environment.settings_file import set_setting, unset_setting
from ..endpoint import Endpoint, Nothing


class Setting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new value of a setting. This writes `astrolabe.toml`."""

    name: str
    value: Any


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A setting to reset to its default. This writes `astrolabe.toml`."""

    name: str


def _settings(workspace: Workspace, asked: Nothing) -> object:
    rows = [
        {
            "name": each.row.name,
            "value": each.value,
            "default": each.row.default,
            "source": each.source,
            "form": each.form,
            "choices": each.choices,
            "meaning": each.row.meaning,
            "variable": each.row.variable,
        }
        for each in setting_values(workspace.root)
    ]
    return {"file": str(workspace.root / CONFIGURATION_FILE), "rows": rows}


def _set(workspace: Workspace, asked: Setting) -> object:
    set_setting(workspace.root, asked.name, asked.value)
    return _settings(workspace, Nothing())


def _unset(workspace: Workspace, asked: Named) -> object:
    unset_setting(workspace.root, asked.name)
    return _settings(workspace, Nothing())


ENDPOINTS = (
    Endpoint("settings", Nothing, _settings),
    Endpoint("settings-set", Setting, _set),
    Endpoint("settings-unset", Named, _unset),
)
