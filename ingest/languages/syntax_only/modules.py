"""What import statements of outlined languages stand for: a file of the repository, by the rules of each language, or nothing.

Only what the paths of the sources and the manifests of the repository tell is told. A statement that may mean several files means
none of them; so does one of a package from elsewhere.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Final

import msgspec

from ....schema.languages import language_of
from ....schema.paths import parent_of
from ...files.workspace_files import WorkspaceFiles, join_path
from ..import_targets import MissingTarget, Resolution, SourceTarget

_GO_MODULE: Final = re.compile(rb"^module\s+(\S+)", re.MULTILINE)
_CRATE_NAME: Final = re.compile(rb"^\[(?:package|lib)\][^\[]*?^name\s*=\s*\"([^\"]+)\"", re.MULTILINE | re.DOTALL)
_CRATE_ROOTS: Final = ("lib.rs", "main.rs")
#: Folders from which other languages take modules by their path.
_LIBRARY_FOLDERS: Final = ("lib", "app/models", "app/controllers")
_JVM_EXTENSIONS: Final = (".java", ".kt", ".scala")


class OutlinedModules:
    """Resolves specifiers of `import_specifiers.py` over one state of a workspace."""

    def __init__(self, files: WorkspaceFiles) -> None:
        self._files = files
        self._answers: dict[tuple[str, str, str], Resolution] = {}
        self._rules: dict[str, Callable[[str, str], str | None]] = {
            "python": self._python,
            "go": self._go,
            "java": self._jvm,
            "kotlin": self._jvm,
            "scala": self._jvm,
            "rust": self._rust,
            "c": self._include,
            "cpp": self._include,
            "ruby": self._ruby,
            "php": self._php,
            "bash": self._bash,
        }

    def resolve(self, specifier: str, from_path: str) -> Resolution:
        """What a specifier means in a file."""
        language = language_of(from_path) or ""
        # A file of Rust stands for a folder of its own.
        place = from_path if language == "rust" else parent_of(from_path)
        key = (language, place, specifier)
        if key not in self._answers:
            rule = self._rules.get(language)
            found = rule(specifier, from_path) if rule is not None else None
            self._answers[key] = SourceTarget(found) if found is not None else MissingTarget(specifier)
        answer = self._answers[key]
        return MissingTarget(specifier) if answer == SourceTarget(from_path) else answer

    def _source(self, *paths: str | None) -> str | None:
        return next((path for path in paths if path is not None and path in self._files.sources), None)

    # ------------------------------------------------------------------ Python

    @cached_property
    def _python_modules(self) -> dict[str, list[str]]:
        """Files by the dotted name that their packages give them: from the topmost folder above that has an `__init__.py`."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in self._files.sources:
            if path.endswith((".py", ".pyi")):
                found[self._python_name(path)].append(path)
        return found

    def _python_name(self, path: str) -> str:
        stem = path.rpartition(".")[0]
        folder, parts = parent_of(path), [stem.rpartition("/")[2]]
        while folder and self._source(f"{folder}/__init__.py", f"{folder}/__init__.pyi"):
            parts.insert(0, folder.rpartition("/")[2])
            folder = parent_of(folder)
        if parts[-1] == "__init__" and len(parts) > 1:
            parts.pop()
        return ".".join(parts)

    def _python(self, specifier: str, from_path: str) -> str | None:
        name = specifier.lstrip(".")
        if dots := len(specifier) - len(name):
            folder: str | None = parent_of(from_path)
            for _ in range(dots - 1):
                folder = parent_of(folder) if folder else None
            if folder is None:
                return None
            stem = "/".join(part for part in (folder, *name.split(".")) if part)
            return self._source(f"{stem}.py", f"{stem}/__init__.py", f"{stem}.pyi", f"{stem}/__init__.pyi")
        known = [path for path in self._python_modules.get(name, ()) if path.endswith(".py")] or self._python_modules.get(
            name, []
        )
        if not known:
            stem = name.replace(".", "/")
            return self._source(f"{stem}.py", f"{stem}/__init__.py")
        return _nearest(known, from_path)

    # ------------------------------------------------------------------ Go

    @cached_property
    def _go_modules(self) -> list[tuple[str, str]]:
        """The path and the folder of each module, longest paths first."""
        found = []
        for path in sorted(self._files.configurations):
            if path.rpartition("/")[2] == "go.mod" and (match := _GO_MODULE.search(self._files.read(path) or b"")):
                found.append((match[1].decode("utf-8", "replace").strip('"'), parent_of(path)))
        return sorted(found, key=lambda module: -len(module[0]))

    @cached_property
    def _go_packages(self) -> dict[str, list[str]]:
        """The files of each folder of Go, tests aside, in order."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self._files.sources):
            if path.endswith(".go") and not path.endswith("_test.go"):
                found[parent_of(path)].append(path)
        return found

    def _go(self, specifier: str, from_path: str) -> str | None:
        for module, folder in self._go_modules:
            if specifier == module or specifier.startswith(module + "/"):
                package = join_path(folder, specifier[len(module) :].lstrip("/"))
                files = self._go_packages.get(package or "", [])
                named = f"{package}/" * bool(package) + f"{specifier.rpartition('/')[2]}.go"
                # A package is all of its files; the one of its name stands for it, or the only one.
                return named if named in files else files[0] if len(files) == 1 else None
        return None

    # ------------------------------------------------------------------ Java, Kotlin, Scala

    @cached_property
    def _jvm_types(self) -> dict[str, list[str]]:
        """Files by the name of the type that they are named after."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in self._files.sources:
            if path.endswith(_JVM_EXTENSIONS):
                found[path.rpartition("/")[2].rpartition(".")[0]].append(path)
        return found

    def _jvm(self, specifier: str, from_path: str) -> str | None:
        parts = specifier.split(".")
        # Behind the type may stand a member, or a type within it.
        for length in range(len(parts), max(len(parts) - 2, 1), -1):
            tail = "/".join(parts[:length])
            known = [path for path in self._jvm_types.get(parts[length - 1], ()) if _ends_with(path.rpartition(".")[0], tail)]
            if known:
                return _nearest(known, from_path)
        return None

    # ------------------------------------------------------------------ Rust

    @cached_property
    def _crates(self) -> dict[str, str]:
        """The file that is the root of each library, by its name in code."""
        found = {}
        for path in self._files.configurations:
            if path.rpartition("/")[2] == "Cargo.toml":
                folder = parent_of(path)
                root = self._source(f"{folder}/src/lib.rs" if folder else "src/lib.rs")
                for match in _CRATE_NAME.finditer(self._files.read(path) or b"") if root else ():
                    found[match[1].decode("utf-8", "replace").replace("-", "_")] = root or ""
        return found

    def _rust(self, specifier: str, from_path: str) -> str | None:
        if specifier.startswith("mod "):
            return self._rust_child(from_path, specifier.removeprefix("mod "))
        first, *rest = specifier.split("::")
        if first == "crate":
            start = self._crate_root(from_path)
        elif first == "self":
            start = from_path
        elif first == "super":
            start = self._rust_parent(from_path)
            while start is not None and rest[:1] == ["super"]:
                start, rest = self._rust_parent(start), rest[1:]
        elif child := self._rust_child(from_path, first):
            start = child
        else:
            start = self._crates.get(first)
        if start is None:
            return None
        for name in rest:
            child = self._rust_child(start, name)
            if child is None:
                break
            start = child
        return start

    def _rust_child(self, path: str, name: str) -> str | None:
        """The file of a module within that of a file."""
        folder, stem = parent_of(path), path.rpartition("/")[2].removesuffix(".rs")
        if stem not in ("mod", "lib", "main"):
            folder = f"{folder}/{stem}" if folder else stem
        prefix = f"{folder}/" if folder else ""
        return self._source(f"{prefix}{name}.rs", f"{prefix}{name}/mod.rs")

    def _rust_parent(self, path: str) -> str | None:
        folder, stem = parent_of(path), path.rpartition("/")[2].removesuffix(".rs")
        if stem == "mod":
            folder = parent_of(folder)
        own = f"{folder}/" if folder else ""
        return self._source(f"{own}mod.rs", f"{own}lib.rs", f"{own}main.rs", f"{folder}.rs")

    def _crate_root(self, path: str) -> str | None:
        folder = parent_of(path)
        while True:
            prefix = f"{folder}/" if folder else ""
            if root := self._source(*(prefix + name for name in _CRATE_ROOTS)):
                return root
            if not folder:
                return None
            folder = parent_of(folder)

    # ------------------------------------------------------------------ C and C++

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for path in self._files.sources:
            found[path.rpartition("/")[2]].append(path)
        return found

    def _include(self, specifier: str, from_path: str) -> str | None:
        name = specifier[1:-1]
        if specifier[0] == '"' and (beside := self._source(join_path(parent_of(from_path), name))):
            return beside
        # A name alone in angle brackets is one of the system's.
        if specifier[0] == "<" and "/" not in name:
            return None
        known = [path for path in self._by_name.get(name.rpartition("/")[2], ()) if _ends_with(path, name.lstrip("./"))]
        return known[0] if len(known) == 1 else None

    # ------------------------------------------------------------------ Ruby, PHP, Bash

    def _ruby(self, specifier: str, from_path: str) -> str | None:
        name = specifier.removesuffix(".rb") + ".rb"
        if specifier.startswith("."):
            return self._source(join_path(parent_of(from_path), name))
        known = [
            path
            for path in self._by_name.get(name.rpartition("/")[2], ())
            if path == name or any(_ends_with(path, f"{folder}/{name}") for folder in _LIBRARY_FOLDERS)
        ]
        return _nearest(known, from_path) if known else None

    @cached_property
    def _php_roots(self) -> list[tuple[str, str]]:
        """Prefixes of namespaces with the folders that hold them, longest prefixes first."""
        found: list[tuple[str, str]] = []
        for path in self._files.configurations:
            if path.rpartition("/")[2] == "composer.json":
                found += _psr4(self._files.read(path) or b"", parent_of(path))
        return sorted(found, key=lambda root: -len(root[0]))

    def _php(self, specifier: str, from_path: str) -> str | None:
        for prefix, folder in self._php_roots:
            if specifier.startswith(prefix):
                rest = specifier[len(prefix) :].replace("\\", "/").strip("/")
                if found := self._source(join_path(folder, f"{rest}.php")):
                    return found
        return None

    def _bash(self, specifier: str, from_path: str) -> str | None:
        return self._source(join_path(parent_of(from_path), specifier), join_path("", specifier))


def _psr4(content: bytes, home: str) -> Iterator[tuple[str, str]]:
    """What `autoload` and `autoload-dev` of a composer.json map by PSR-4, the folders from the root."""
    try:
        manifest: Any = msgspec.json.decode(content)
    except msgspec.DecodeError:
        return
    for section in ("autoload", "autoload-dev"):
        loaded = manifest.get(section) if isinstance(manifest, dict) else None
        mapped = loaded.get("psr-4") if isinstance(loaded, dict) else None
        for prefix, folders in mapped.items() if isinstance(mapped, dict) else ():
            for folder in [folders] if isinstance(folders, str) else folders if isinstance(folders, list) else ():
                if isinstance(folder, str) and (path := join_path(home, folder or ".")) is not None:
                    yield prefix, path


def _ends_with(path: str, tail: str) -> bool:
    return path == tail or path.endswith("/" + tail)


def _nearest(paths: list[str], from_path: str) -> str | None:
    """The one that shares most of its folders with a file; None where several do."""
    own = from_path.split("/")[:-1]

    def shared(path: str) -> int:
        count = 0
        for one, other in zip(own, path.split("/")[:-1], strict=False):
            if one != other:
                break
            count += 1
        return count

    best = max(map(shared, paths))
    nearest = [path for path in paths if shared(path) == best]
    return nearest[0] if len(nearest) == 1 else None
