"""The programs that the manifests of a repository declare, and the scripts in manifests, with the source files that they run."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

from ...schema.paths import folders_above, parent_of, path_in
from ..files.jsonc import object_value, parse_object, text_value
from ..files.workspace_files import WorkspaceFiles, join_path

#: Prefix of the specifier of a program.
PROGRAM: Final = "program:"
#: Prefix of the specifier of a script in a manifest.
SCRIPT: Final = "script:"
_ENTRY_POINT: Final = re.compile(r"[\"']?(?P<name>[\w.-]+)[ \t]*=[ \t]*[\"']?(?P<module>[A-Za-z_][\w.]*):[\w.]+")
_CONSOLE_SCRIPTS: Final = re.compile(r"[\"']?(?:console|gui)_scripts[\"']?\s*[=:]\s*(?P<body>\[[^\]]*\]|(?:\n[ \t]+[^\n]+)+)")
_GO_MODULE: Final = re.compile(rb"^module[ \t]+\"?(?P<path>[^\s\"]+)", re.MULTILINE)
_GO_MAIN: Final = re.compile(r"(?:^|/)cmd/(?P<name>[\w.-]+)/main\.go$")
_VERSION: Final = re.compile(r"/v\d+$")
_RUST_PROGRAM: Final = re.compile(r"(?:^|/)src/bin/(?P<name>[\w-]+)(?:/main)?\.rs$")
_TARGET: Final = re.compile(r"(?P<names>[\w./-]+(?:[ \t]+[\w./-]+)*)[ \t]*::?(?!=)(?P<needed>[^=]*)$")
#: Names of folders with built files, whose sources are in a folder `src` beside them.
_BUILT: Final = re.compile(r"^(?:\./)?(?:dist|build|lib|out)/(?:esm/|cjs/)?")
_BUILT_ENDINGS: Final = re.compile(r"\.(?:[cm]?js|d\.ts)$")
_SOURCE_ENDINGS: Final = ("", ".ts", ".mts", ".js", ".mjs", ".cjs", ".py", "/index.ts", "/index.js")


class Programs:
    """Finds programs and scripts by their names."""

    def __init__(self, files: WorkspaceFiles) -> None:
        self._files = files

    def program(self, name: str) -> str | None:
        """Return the source file where a program of the repository starts; None for any other program."""
        return self._programs.get(name)

    def script(self, name: str, from_path: str) -> str | None:
        """Return the source file that a script runs. The script is from the nearest manifest above the document that has one
        of this name."""
        for folder in folders_above(parent_of(from_path)):
            command = self._scripts.get((folder, name))
            if command is not None:
                return self._run_by(folder, command)
        return None

    def _run_by(self, folder: str, command: str) -> str | None:
        """Return the first source file that a command names."""
        return self._first_source(folder, (word.strip("\"'@") for word in command.split()))

    def _first_source(self, folder: str, written: Iterable[str]) -> str | None:
        """Return the first source file that paths name, relative to a folder, perhaps without an extension."""
        for each in written:
            path = join_path(folder, each)
            for end in _SOURCE_ENDINGS if path else ():
                if f"{path}{end}" in self._files.sources:
                    return f"{path}{end}"
        return None

    def _text(self, path: str) -> str:
        return (self._files.read(path) or b"").decode("utf-8-sig", "replace").replace("\r\n", "\n")

    def _toml(self, path: str) -> dict[str, object]:
        try:
            return tomllib.loads(self._text(path))
        except (tomllib.TOMLDecodeError, RecursionError):
            return {}  # the reader of the manifest reports the syntax error

    @cached_property
    def _programs(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for path in sorted(self._files.configurations, key=lambda path: (path.count("/"), path)):
            read = {
                "pyproject.toml": self._of_pyproject,
                "setup.cfg": self._of_entry_points,
                "setup.py": self._of_entry_points,
                "package.json": self._of_package,
                "Cargo.toml": self._of_crate,
                "go.mod": self._of_go_module,
            }.get(path.rpartition("/")[2])
            for name, source in read(path) if read is not None else ():
                found.setdefault(name, source)
        for path in sorted(self._files.sources):
            main = _GO_MAIN.search(path) or _RUST_PROGRAM.search(path)
            if main is not None:
                found.setdefault(main["name"], path)
        return found

    @cached_property
    def _scripts(self) -> dict[tuple[str, str], str]:
        """The commands of scripts, by the folder of the manifest and the script's name."""
        found: dict[tuple[str, str], str] = {}
        for path in sorted(self._files.configurations):
            folder, name = parent_of(path), path.rpartition("/")[2]
            if name == "package.json":
                scripts = object_value(parse_object(self._files.read(path) or b"")[0], "scripts")
                found.update({(folder, key): value for key, value in scripts.items() if isinstance(value, str)})
            elif name == "Makefile":
                for target, recipe in _targets(self._text(path)):
                    found.setdefault((folder, target), recipe)
        return found

    def _of_pyproject(self, path: str) -> Iterator[tuple[str, str]]:
        data = self._toml(path)
        project, poetry = object_value(data, "project"), object_value(object_value(data, "tool"), "poetry")
        for holder, key in ((project, "scripts"), (project, "gui-scripts"), (poetry, "scripts")):
            for name, target in object_value(holder, key).items():
                source = self._module(parent_of(path), str(target).partition(":")[0])
                if source is not None:
                    yield name, source

    def _of_entry_points(self, path: str) -> Iterator[tuple[str, str]]:
        for scripts in _CONSOLE_SCRIPTS.finditer(self._text(path)):
            for entry in _ENTRY_POINT.finditer(scripts["body"]):
                source = self._module(parent_of(path), entry["module"])
                if source is not None:
                    yield entry["name"], source

    def _module(self, folder: str, module: str) -> str | None:
        """Return the file of a Python module in a folder, or in its inner folder of sources."""
        written = module.replace(".", "/")
        for base in ("", "src/", "lib/"):
            for end in (".py", "/__init__.py", "/__main__.py"):
                path = path_in(folder, f"{base}{written}{end}")
                if path in self._files.sources:
                    return path
        return None

    def _of_package(self, path: str) -> Iterator[tuple[str, str]]:
        data = parse_object(self._files.read(path) or b"")[0]
        name = (text_value(data, "name") or "").rpartition("/")[2]
        programs = {name: data["bin"]} if isinstance(data.get("bin"), str) else object_value(data, "bin")
        for key, target in programs.items():
            source = self._built_from(parent_of(path), target) if isinstance(target, str) else None
            if key and source is not None:
                yield key, source

    def _built_from(self, folder: str, target: str) -> str | None:
        """Return the source file of a program. `target` is the file that the manifest names, which may be built from it."""
        plain = _BUILT_ENDINGS.sub("", target)
        return self._first_source(folder, (target, plain, _BUILT.sub("src/", plain), _BUILT.sub("", plain)))

    def _of_crate(self, path: str) -> Iterator[tuple[str, str]]:
        data = self._toml(path)
        folder = parent_of(path)
        main = path_in(folder, "src/main.rs")
        programs = data.get("bin")
        for each in programs if isinstance(programs, list) else ():
            if isinstance(each, dict):
                own = join_path(folder, text_value(each, "path") or "src/main.rs")
                if own in self._files.sources and (name := text_value(each, "name")):
                    yield name, own
        if main in self._files.sources and (name := text_value(object_value(data, "package"), "name")):
            yield name, main

    def _of_go_module(self, path: str) -> Iterator[tuple[str, str]]:
        found = _GO_MODULE.search(self._files.read(path) or b"")
        main = path_in(parent_of(path), "main.go")
        if found is not None and main in self._files.sources:
            yield _VERSION.sub("", found["path"].decode("utf-8", "replace")).rpartition("/")[2], main


def _targets(text: str) -> Iterator[tuple[str, str]]:
    """Yield the targets of a Makefile with the lines of their recipes."""
    names: list[str] = []
    recipe: list[str] = []
    for line in [*text.split("\n"), "end:"]:
        if line.startswith("\t"):
            recipe.append(line.strip())
            continue
        found = _TARGET.match(line.partition("#")[0].rstrip())
        if found is None and line.strip():
            continue
        if found is not None:
            yield from ((name, "\n".join(recipe)) for name in names)
            names, recipe = found["names"].split(), []
