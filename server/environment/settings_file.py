"""Changes single settings in `astrolabe.toml`, and leaves comments, order and everything else as they are."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile

import tomlkit
from tomlkit.exceptions import TOMLKitError

from ...schema.errors import UsageError
from .configuration import CONFIGURATION_FILE, checked_value

_BYTE_ORDER_MARK = "\ufeff"


def set_setting(root: Path, name: str, value: object) -> None:
    """Write a setting to the file of the workspace at `root`; the file is made if it does not exist.

    Raises UsageError for an unknown setting, for a value that is not allowed, and for a file that is not valid TOML or that
    cannot be written.
    """
    checked = checked_value(name, value)

    def change(document: tomlkit.TOMLDocument) -> None:
        document[name] = checked

    _changed(root / CONFIGURATION_FILE, change)


def unset_setting(root: Path, name: str) -> bool:
    """Remove a setting from the file of the workspace at `root`, so that its default holds again.

    Returns False if the file does not have it. Raises UsageError for a file that is not valid TOML or that cannot be written.
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
        _write(path, mark + after)


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


def _write(path: Path, text: str) -> None:
    """Replace the file in one step, so that no reader sees half of it. A link keeps pointing at the same file."""
    target = path.resolve()
    try:
        with NamedTemporaryFile("w", dir=target.parent, encoding="utf-8", newline="", delete=False) as draft:
            draft.write(text)
        if target.exists():
            os.chmod(draft.name, target.stat().st_mode & 0o7777)
        else:
            os.chmod(draft.name, 0o644)
        os.replace(draft.name, target)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error
