"""`lombok.config`: settings of folders that change which members Lombok generates, by
https://projectlombok.org/features/configuration.

The facts of a file depend only on the file, so they contain the members that Lombok generates without settings. Settings may
change the names of these members, or make setters return the object.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from ....schema.paths import folders_above, parent_of, path_in
from ...files.workspace_files import WorkspaceFiles

FILE: Final = "lombok.config"
_LINE: Final = re.compile(r"\s*(?:clear\s+(?P<cleared>[\w.]+)|(?P<key>[\w.]+)\s*(?P<sign>[-+]?)=\s*(?P<value>[^#]*?))\s*(?:#.*)?")
_FLUENT: Final = "lombok.accessors.fluent"
_CHAIN: Final = "lombok.accessors.chain"
_PREFIX: Final = "lombok.accessors.prefix"
_LOG: Final = "lombok.log.fieldName"
_WITHOUT_IS: Final = "lombok.getter.noIsPrefix"
_STOP: Final = "config.stopBubbling"
#: Prefixes of the names of accessors in the facts of a file.
_ACCESSORS: Final = re.compile(r"(?P<start>get|is|set|with)(?P<rest>[A-Z_$].*)")


class LombokSettings(NamedTuple):
    """The settings for the files of a folder."""

    is_fluent: bool = False
    is_chained: bool = False
    has_is: bool = True
    log: str = "log"
    prefixes: tuple[str, ...] = ()


class LombokNames:
    """The names of generated members under the settings of a workspace."""

    def __init__(self, files: WorkspaceFiles) -> None:
        self._files = files
        self._configured = {parent_of(path) for path in files.configurations if path.rpartition("/")[2] == FILE}
        self._settings: dict[str, LombokSettings] = {}

    def default_names(self, path: str, name: str) -> Sequence[str]:
        """Return the names that members called `name` have in the facts of a file, where settings have no effect."""
        if not self._configured:
            return ()
        settings = self._of(parent_of(path))
        if name == settings.log and name != "log":
            return ("log", "logger")
        found = _ACCESSORS.fullmatch(name)
        start, rest = (found["start"], found["rest"]) if found is not None else ("", name[:1].upper() + name[1:])
        starts: Sequence[str] = (start,) if start else ("get", "is", "set") if settings.is_fluent else ()
        if start == "get" and not settings.has_is:
            starts = ("get", "is")
        stems = [rest, *(f"{prefix[:1].upper()}{prefix[1:]}{rest}" for prefix in settings.prefixes if prefix)]
        return [each for start in starts for stem in stems if (each := f"{start}{stem}") != name]

    def returns_object(self, path: str) -> bool:
        """Return whether generated setters of a file return the object."""
        if not self._configured:
            return False
        settings = self._of(parent_of(path))
        return settings.is_chained or settings.is_fluent

    def _of(self, folder: str) -> LombokSettings:
        known = self._settings.get(folder)
        if known is None:
            known = self._settings[folder] = self._read(folder)
        return known

    def _read(self, folder: str) -> LombokSettings:
        """Return the settings of a folder. These settings take precedence over the settings of the folders above."""
        values: dict[str, list[str]] = {}
        texts: list[str] = []
        for each in folders_above(folder):
            if each in self._configured:
                texts.append((self._files.read(path_in(each, FILE)) or b"").decode("utf-8-sig", "replace"))
                if re.search(rf"(?m)^\s*{re.escape(_STOP)}\s*=\s*true", texts[-1], re.IGNORECASE):
                    break
        for text in reversed(texts):
            for line in text.splitlines():
                _apply(values, line)
        return LombokSettings(
            is_fluent=_is_true(values, _FLUENT),
            is_chained=_is_true(values, _CHAIN),
            has_is=not _is_true(values, _WITHOUT_IS),
            log=next(iter(values.get(_LOG, ())), "log"),
            prefixes=tuple(values.get(_PREFIX, ())),
        )


def _apply(values: dict[str, list[str]], line: str) -> None:
    """Apply one line of a file: `key = value`, `key += value`, `key -= value` or `clear key`."""
    found = _LINE.fullmatch(line)
    if found is None:
        return
    if found["cleared"] is not None:
        values.pop(found["cleared"], None)
    elif found["sign"] == "+":
        values.setdefault(found["key"], []).append(found["value"])
    elif found["sign"] == "-":
        values[found["key"]] = [each for each in values.get(found["key"], ()) if each != found["value"]]
    else:
        values[found["key"]] = [found["value"]]


def _is_true(values: dict[str, list[str]], key: str) -> bool:
    return [each.lower() for each in values.get(key, ())] == ["true"]
