"""Where the Go command keeps the modules that it downloads, and what tells one state of it from another."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

#: Names of the files that say which modules a program is made of.
MODULE_FILES: Final = ("go.mod", "go.work")
#: What `go mod vendor` writes beside a `go.mod`, and `go work vendor` beside a `go.work`.
VENDOR_LIST: Final = "vendor/modules.txt"
#: A module and its version, on a line of a `go.mod`.
_VERSIONED: Final = re.compile(rb"([^\s\"=>(]+)\"?[ \t]+(v\d[\w.+-]*)")


def module_cache() -> Path:
    """Return the folder of the modules that were downloaded, which may be missing: by `GOMODCACHE`, else by `GOPATH`."""
    named = os.environ.get("GOMODCACHE")
    if named:
        return Path(named)
    places = [place for place in os.environ.get("GOPATH", "").split(os.pathsep) if place]
    return (Path(places[0]) if places else Path.home() / "go") / "pkg" / "mod"


def escaped(text: str) -> str:
    """Return a path or version as the module cache writes it, where letters are small: "Azure" -> "!azure"."""
    return "".join(f"!{letter.lower()}" if "A" <= letter <= "Z" else letter for letter in text)


def go_installations(configurations: Mapping[str, bytes], read: Callable[[str], bytes | None]) -> dict[str, bytes]:
    """Return what decides which modules can be read: for each that is named, whether it is there; and lists in `vendor`.

    `configurations` has contents by path, and `read` returns that of another file of the workspace.
    """
    found: dict[str, bytes] = {}
    cache = module_cache()
    there: set[bytes] = set()
    for path, content in configurations.items():
        folder, _, name = path.rpartition("/")
        if name not in MODULE_FILES:
            continue
        listed = f"{folder}/{VENDOR_LIST}".lstrip("/")
        vendored = read(listed)
        if vendored is not None:
            found[listed] = vendored
        for module, version in _VERSIONED.findall(content):
            text = f"{escaped(os.fsdecode(module))}@{escaped(os.fsdecode(version))}"
            if (cache / text).is_dir():
                there.add(os.fsencode(text))
    if there:
        found[str(cache)] = b"\n".join(sorted(there))
    return found
