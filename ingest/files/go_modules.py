"""Find the module cache of the Go command, its state, and the host's platform."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from ...schema.paths import path_in

#: Name of the file of a module.
MODULE: Final = "go.mod"
#: Name of the file with the modules of a workspace.
WORKSPACE: Final = "go.work"
#: Name of the file beside a `go.mod` that has the checksums of the versions of other modules.
SUMS: Final = "go.sum"
#: Name of the file that `go mod vendor` writes beside a `go.mod`, and `go work vendor` beside a `go.work`.
VENDOR_LIST: Final = "vendor/modules.txt"
#: A module and its version, on a line of a `go.mod`.
_VERSIONED: Final = re.compile(rb"([^\s\"=>(]+)\"?[ \t]+(v\d[\w.+-]*)")


#: Go's names of operating systems and machines, by the beginnings of Python's names.
_SYSTEMS: Final = {"win": "windows", "cygwin": "windows", "darwin": "darwin", "freebsd": "freebsd", "openbsd": "openbsd"}
_MACHINES: Final = {"aarch64": "arm64", "arm64": "arm64", "armv": "arm", "i386": "386", "i686": "386", "riscv64": "riscv64"}


def host_platform() -> tuple[str, str]:
    """Return the operating system and the machine for which the Go command builds programs here, under Go's names."""
    import platform  # compiles many patterns, and only Go asks

    system = next((name for start, name in _SYSTEMS.items() if sys.platform.startswith(start)), "linux")
    written = platform.machine().lower()
    machine = next((name for start, name in _MACHINES.items() if written.startswith(start)), "amd64")
    return os.environ.get("GOOS") or system, os.environ.get("GOARCH") or machine


def module_cache() -> Path:
    """Return the folder of downloaded modules, according to `GOMODCACHE`, else `GOPATH`. The folder need not exist."""
    named = os.environ.get("GOMODCACHE")
    if named:
        return Path(named)
    places = [place for place in os.environ.get("GOPATH", "").split(os.pathsep) if place]
    return (Path(places[0]) if places else Path.home() / "go") / "pkg" / "mod"


def escaped(text: str) -> str:
    """Return a path or version as the module cache spells it, in lower case: "Azure" -> "!azure"."""
    return "".join(f"!{letter.lower()}" if "A" <= letter <= "Z" else letter for letter in text)


def go_installations(configurations: Mapping[str, bytes], read: Callable[[str], bytes | None]) -> dict[str, bytes]:
    """Return the state of the readable modules, by name: whether required modules are downloaded, and the lists in `vendor`.

    The state includes the platform of the host, which decides which files of the modules count. `configurations` has contents by
    path, and `read` returns the content of another file of the workspace.
    """
    found: dict[str, bytes] = {}
    cache = module_cache()
    is_there: dict[str, bool] = {}
    for path, content in configurations.items():
        folder, _, name = path.rpartition("/")
        if name not in (MODULE, WORKSPACE):
            continue
        found["go platform"] = " ".join(host_platform()).encode()
        kept = [line for line in content.splitlines() if b"=>" in line] if name == MODULE else [content]
        for module, version in _VERSIONED.findall(content):
            text = f"{escaped(os.fsdecode(module))}@{escaped(os.fsdecode(version))}"
            if text not in is_there:
                is_there[text] = (cache / text).is_dir()
            if is_there[text]:
                kept.append(os.fsencode(text))
        found[f"{path} in {cache}"] = b"\n".join(kept)
        for listed in (path_in(folder, VENDOR_LIST), path_in(folder, SUMS)):
            listing = read(listed)
            if listing is not None:
                found[listed] = listing
    return found
