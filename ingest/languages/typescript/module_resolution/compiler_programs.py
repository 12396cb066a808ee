"""Find the scripts that share the global scope of a file: the scripts in the same program of the compiler.

A program contains the files of one tsconfig. A global that a script of one program declares does not exist in another program.
JavaScript that belongs to no tsconfig or jsconfig forms a program for each package, as pages of a package may load its scripts.
"""

from __future__ import annotations

from hashlib import blake2b

from .....schema.paths import parent_of
from .packages.package_manifest import Manifests
from .projects import Projects
from .tsconfig import TsConfig

_MANIFEST = "package.json"
_JAVASCRIPT = (".js", ".jsx")


def is_package(program: str) -> bool:
    """Return whether a program consists of the JavaScript of a package, and not of the files of a tsconfig."""
    return program.partition(":")[0].endswith(_MANIFEST)


class CompilerPrograms:
    """The programs of a workspace, by the path of their tsconfig, or of the package.json of JavaScript without a tsconfig."""

    def __init__(self, projects: Projects, manifests: Manifests) -> None:
        self._projects = projects
        self._manifests = manifests
        self._by_path: dict[str, TsConfig] = {}

    def of(self, path: str) -> str:
        """Return the program of a file; "" for TypeScript without a tsconfig above it."""
        config = self._projects.governing(path)
        if path.endswith(_JAVASCRIPT) and (config is None or not config.allows_javascript):
            return next((each.path for each in self._manifests.above(parent_of(path))[:1]), _MANIFEST)
        if config is None:
            return ""
        self._by_path[config.path] = config
        return config.path

    def covers(self, program: str, path: str) -> bool:
        """Return whether a program from `of` contains a file by its tsconfig, without imports."""
        if is_package(program):
            return path.endswith(_JAVASCRIPT) and self.of(path) == program
        config = self._by_path[program]
        return (config.allows_javascript or not path.endswith(_JAVASCRIPT)) and config.covers(path)

    def reads_as_module(self, path: str) -> bool:
        """Return whether the compiler treats a file without imports and exports as a module.

        This is so under `moduleDetection: "force"`, and for the files of an ES package under Node's rules.
        """
        config = self._projects.governing(path)
        if config is None:
            return False
        if config.forces_modules:
            return True
        return "node" in config.conditions and any(each.is_es_package for each in self._manifests.above(path)[:1])

    def digest(self) -> str:
        """Return a digest of the settings that decide which files form a program."""
        rules = [
            (
                config.path,
                config.files,
                config.include,
                config.exclude,
                config.output_folders,
                config.references,
                config.forces_modules,
                config.allows_javascript,
            )
            for config in self._projects.all()
        ]
        packages = [manifest.path for manifest in self._manifests.of_workspace()]
        return blake2b(repr((rules, packages)).encode(), digest_size=16).hexdigest()
