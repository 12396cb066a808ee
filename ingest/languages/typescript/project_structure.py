"""Find the compiler projects of a workspace: its configurations, their references and their files."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from ....schema.edges import CompilerProject, ProjectFile
from ...files.path_roles import JAVASCRIPT_EXTENSIONS
from .module_resolution.projects import Projects
from .module_resolution.tsconfig import TsConfig

_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
_MAIN_NAMES = ("tsconfig.json", "jsconfig.json")


def compiler_projects(projects: Projects, paths: Iterable[str]) -> tuple[list[CompilerProject], list[ProjectFile]]:
    """Return every configuration, and the indexed source files of the projects that compile files.

    Declaration files are omitted.
    """
    configs = projects.all()
    extended = {path for config in configs for path in config.extends}
    referenced = {path for config in configs for path in config.references}
    sources = sorted(path for path in paths if not path.endswith(_DECLARATIONS))
    records, members = [], []
    for config in configs:
        is_base = config.path in extended and config.path not in referenced and not config.path.endswith(_MAIN_NAMES)
        role = "solution" if config.is_solution else "base" if is_base else "project"
        records.append(
            CompilerProject(
                config.path,
                role,
                config.composite,
                _option(config.out_dir),
                _option(config.root_dir),
                config.extends,
                config.references,
            )
        )
        if role == "project":
            members += [ProjectFile(config.path, path) for path in _files_of(config, sources)]
    return records, members


def _option(path: str | None) -> str:
    """Return a path as the graph stores it: "" for an option that is not set, "." for the root of the workspace."""
    return "" if path is None else path or "."


def _files_of(config: TsConfig, sources: list[str]) -> Iterator[str]:
    seen: set[str] = set()
    for folder in _folders(config):
        start = bisect_left(sources, folder) if folder else 0
        for path in sources[start:]:
            if not path.startswith(folder):
                break
            if (
                path not in seen
                and (config.allows_javascript or not path.endswith(JAVASCRIPT_EXTENSIONS))
                and config.covers(path)
            ):
                seen.add(path)
                yield path


def _folders(config: TsConfig) -> list[str]:
    """Return prefixes of paths. The path of each file of the project begins with one of these."""
    if config.include is None and config.files is None:
        return [f"{config.folder}/" if config.folder else ""]
    found = {_fixed_part(glob) for glob in config.include or ()} | set(config.files or ())
    return sorted(found)


def _fixed_part(glob: str) -> str:
    """Return the part of a glob before its first wildcard."""
    ends = [place for mark in "*?" if (place := glob.find(mark)) >= 0]
    return glob[: min(ends)] if ends else glob
