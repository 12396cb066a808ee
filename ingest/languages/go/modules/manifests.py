"""Read the modules of a Go workspace and the modules that they require."""

from __future__ import annotations

from typing import Final

from .....schema.paths import path_in
from .....schema.records import Problem
from ....files.go_modules import MODULE
from ....files.workspace_files import WorkspaceFiles
from ...module_manifests import DeclaredDependency, FoundManifests, ModuleManifest
from .workspace import GoWorkspace, is_left_out

_SECTION: Final = "dependencies"


def read_manifests(files: WorkspaceFiles) -> FoundManifests:
    """Return the modules of a workspace. If two modules have the same path, the second module has a problem."""
    modules: list[ModuleManifest] = []
    problems: dict[str, Problem] = {}
    known: dict[str, str] = {}
    for folder, file in files.once(GoWorkspace).modules.items():
        path = path_in(folder, MODULE)
        dependencies = tuple([DeclaredDependency(each.path, each.version, _SECTION) for each in file.requirements])
        modules.append(ModuleManifest(folder, file.module, "go", path, "", dependencies))
        if file.problem is not None:
            problems[path] = file.problem
        elif not file.module:
            problems[path] = Problem(1, "no `module` directive names the module")
        elif file.module in known and not is_left_out(folder):
            problems[path] = Problem(1, f"the module {file.module} is also declared in {known[file.module]}")
        known.setdefault(file.module, path)
    return FoundManifests(modules, problems)
