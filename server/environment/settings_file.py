"""Change single settings in `astrolabe.toml`. Comments, order and all other content stay unchanged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from ...schema.errors import UsageError, WorkspaceError
from .configuration import CONFIGURATION_FILE, checked_value
from .file_change import FileChange

_BYTE_ORDER_MARK = "\ufeff"


def set_setting(root: Path, name: str, value: object) -> None:
    """Write a setting to the file of the workspace at `root`, which is created if necessary.

    Raises UsageError for an unknown setting, for an invalid value, and for a file that is invalid or cannot be written.
    """
    checked = checked_value(name, value)

    def change(document: tomlkit.TOMLDocument) -> None:
        document[name] = checked

    _changed(root / CONFIGURATION_FILE, change)


def unset_setting(root: Path, name: str) -> bool:
    """Remove a setting from the file of the workspace at `root`, so that its default applies again.

    Returns False if the file does not have the setting. Raises UsageError for a file that is invalid or cannot be written.
    """
    had: list[str] = []

    def change(document: tomlkit.TOMLDocument) -> None:
        if name in document:
            had.append(name)
            document.remove(name)

    _changed(root / CONFIGURATION_FILE, change)
    return bool(had)


def _changed(path: Path, change: Callable[[tomlkit.TOMLDocument], None]) -> None:
    before = _text(path)
    mark = _BYTE_ORDER_MARK if before.startswith(_BYTE_ORDER_MARK) else ""
    try:
        document = tomlkit.parse(before.removeprefix(mark))
        change(document)
        after = document.as_string()
    except TOMLKitError as error:
        raise UsageError(f"{path} is not valid TOML: {error}.") from error
    if mark + after != before:
        _write(path, before, mark + after)


def _text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not valid UTF-8; save it in that encoding.") from error


def _write(path: Path, before: str, after: str) -> None:
    """Replace the file atomically. If the file is a link, replace the target of the link."""
    target = path.resolve()
    try:
        FileChange(target, before.encode() if target.exists() else None, after.encode()).apply()
    except WorkspaceError as error:
        raise UsageError(str(error)) from error
