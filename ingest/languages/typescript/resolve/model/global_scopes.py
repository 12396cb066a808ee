"""The global declarations that each file sees."""

from __future__ import annotations

from .....files.path_roles import is_declaration_file, is_global_script
from ...module_resolution import SourceTarget
from ...module_resolution.compiler_programs import CompilerPrograms, is_package
from .unit import Unit


class GlobalScopes:
    """Decides which global declarations a file sees: the declarations of the scripts in the same program of the compiler.

    A script belongs to the programs that include it, and to the programs of scripts that import or reference it. All files see a
    declaration file that belongs to no program, because a package manager or a tool may add it. Scripts of JavaScript without a
    configuration of the compiler share the names that one script of their package declares.
    """

    def __init__(self, programs: CompilerPrograms | None) -> None:
        self._programs = programs
        #: The files that declare globals, by path.
        self._scripts: dict[str, Unit] = {}
        #: Paths of the scripts that each program contains, or that a file sees if it imports scripts.
        self._visible: dict[str, frozenset[str]] = {}
        #: Keys of files outside of all programs.
        self._open_keys: set[str] = set()
        #: Key in `_visible`, by path of a file.
        self._keys: dict[str, str] = {}
        self._seen: dict[tuple[str, str], list[tuple[Unit, int]]] = {}

    def clear(self) -> None:
        """Forget all files."""
        self._scripts.clear()
        self._visible.clear()
        self._open_keys.clear()
        self._keys.clear()
        self._seen.clear()

    def is_script(self, unit: Unit) -> bool:
        """Return whether the names at the root of a file are global."""
        if not is_global_script(unit.path, unit.facts.language, is_module=unit.facts.has_own_names):
            return False
        return is_declaration_file(unit.path) or (self._programs is not None and not self._programs.reads_as_module(unit.path))

    def add(self, unit: Unit) -> None:
        """Record a file that declares globals. Call this for all such files before `seen_by`."""
        self._scripts[unit.path] = unit

    def seen_by(self, unit: Unit, name: str, declared: list[tuple[Unit, int]]) -> list[tuple[Unit, int]]:
        """Return the declarations of a name that a file sees."""
        if self._programs is None or unit.external:
            return [entry for entry in declared if _is_open(entry[0])]
        key = self._key(unit, self._programs)
        found = self._seen.get((key, name))
        if found is None:
            visible = self._visible[key]
            if is_package(key) and len({entry[0].path for entry in declared if entry[0].path in visible}) > 1:
                visible = frozenset()  # scripts of several pages, which no configuration tells apart
            found = [entry for entry in declared if entry[0].path in visible]
            if not found or key in self._open_keys:
                found = [entry for entry in declared if entry[0].path in visible or _is_open(entry[0])]
            self._seen[key, name] = found
        return found

    def _key(self, unit: Unit, programs: CompilerPrograms) -> str:
        key = self._keys.get(unit.path)
        if key is not None:
            return key
        program = programs.of(unit.path)
        if program not in self._visible:
            covered = [each for each in self._scripts if program and programs.covers(program, each)]
            self._visible[program] = self._closure(covered)
        own = [unit.path] if unit.path in self._scripts else self._imported(unit)
        key = program
        if not program or is_package(program):
            self._open_keys.add(key)
        if not self._visible[program].issuperset(own):
            key = f"{program}:{unit.path}"
            self._visible[key] = self._visible[program] | self._closure(own)
            if not program or is_package(program) or unit.path in self._scripts:
                self._open_keys.add(key)
        self._keys[unit.path] = key
        return key

    def _closure(self, paths: list[str]) -> frozenset[str]:
        """Return the paths of scripts, and of all scripts that they import or reference."""
        found = set(paths)
        pending = list(paths)
        while pending:
            for path in self._imported(self._scripts[pending.pop()]):
                if path not in found:
                    found.add(path)
                    pending.append(path)
        return frozenset(found)

    def _imported(self, unit: Unit) -> list[str]:
        return [
            target.path for target in unit.import_targets if isinstance(target, SourceTarget) and target.path in self._scripts
        ]


def _is_open(unit: Unit) -> bool:
    """Return whether a file declares globals for files outside of its program: all files except scripts with code."""
    return is_declaration_file(unit.path) or unit.facts.is_module
