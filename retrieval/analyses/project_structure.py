"""Compiler projects: tsconfig files, the references between them, and their source files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.projects import compiler_projects, project_files, projects_of_files
from .subject import Analysis, EmptyReason, FileSubject, Subject, counted


@dataclass(frozen=True, slots=True)
class Project:
    """A tsconfig.json, a jsconfig.json, or a variant such as tsconfig.build.json. Paths are relative to the root."""

    path: str
    #: project, solution (a project that has only references to projects) or base (a configuration that only other
    #: configurations use).
    role: Literal["project", "solution", "base"]
    composite: bool
    #: Option `outDir`, possibly inherited; None if it is not set.
    out_dir: str | None
    #: Option `rootDir`, possibly inherited; None if it is not set.
    root_dir: str | None
    #: Configurations of the workspace that the project extends, nearest first.
    extends: tuple[str, ...]
    #: Projects that the project references, in order.
    references: tuple[str, ...]
    #: Referenced projects that do not exist.
    missing: tuple[str, ...]
    #: Projects that reference the project, by path.
    referenced_by: tuple[str, ...]
    #: Indexed source files that the project compiles, without declaration files.
    files: tuple[str, ...]

    @property
    def is_solution(self) -> bool:
        """Whether the project only references other projects."""
        return self.role == "solution"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectStructure(Analysis):
    """The projects of a workspace, by path."""

    projects: tuple[Project, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.subject.label}: {counted(len(self.projects), 'compiler project')}"

    def lines(self) -> list[str]:
        """Return lines for each project with its options and references."""
        return [line for project in self.projects for line in _lines(project)]

    def project(self, path: str) -> Project | None:
        """Return the project with this path of a configuration, or None."""
        return next((project for project in self.projects if project.path == path), None)

    def dependants(self, path: str) -> tuple[str, ...]:
        """Return all projects that reference a project, directly or indirectly."""
        by_path = {project.path: project.referenced_by for project in self.projects}
        found: set[str] = set()
        frontier = {path}
        while frontier:
            frontier = {user for each in frontier for user in by_path.get(each, ())} - found
            found |= frontier
        return tuple(sorted(found))


def project_structure(graph: GraphDatabase) -> ProjectStructure:
    """Return the projects of the workspace."""
    projects = _projects(graph)
    empty = EmptyReason("none", "There is no tsconfig.json and no jsconfig.json in this workspace.")
    return ProjectStructure(subject=Subject("the workspace", ()), projects=projects, nothing=None if projects else empty)


def file_projects(graph: GraphDatabase, subject: FileSubject) -> ProjectStructure:
    """Return the projects that a file belongs to."""
    if subject.nothing is not None:
        return ProjectStructure(subject=subject, nothing=subject.nothing)
    wanted = {path for paths in projects_of_files(graph, subject.paths).values() for path in paths}
    projects = tuple(project for project in _projects(graph) if project.path in wanted)
    empty = EmptyReason("none", "No compiler project of this workspace includes the file.")
    return ProjectStructure(subject=subject, projects=projects, nothing=None if projects else empty)


def _projects(graph: GraphDatabase) -> tuple[Project, ...]:
    configurations, files = compiler_projects(graph), project_files(graph)
    known = {configuration.path for configuration in configurations}
    users: dict[str, list[str]] = {}
    for configuration in configurations:
        for path in configuration.references:
            users.setdefault(path, []).append(configuration.path)
    return tuple(
        Project(
            each.path,
            "solution" if each.role == "solution" else "base" if each.role == "base" else "project",
            each.composite,
            each.out_dir or None,
            each.root_dir or None,
            each.extends,
            each.references,
            tuple(path for path in each.references if path not in known),
            tuple(users.get(each.path, ())),
            files.get(each.path, ()),
        )
        for each in configurations
    )


def _lines(project: Project) -> list[str]:
    words = [project.role, *(["composite"] if project.composite else [])]
    lines = [f"  {project.path}: {' '.join(words)}, {counted(len(project.files), 'file')}"]
    options = (("outDir", project.out_dir), ("rootDir", project.root_dir))
    lines += [f"    {name} {value}" for name, value in options if value is not None]
    paths = (
        ("extends", project.extends),
        ("references", project.references),
        ("missing", project.missing),
        ("referenced by", project.referenced_by),
    )
    return lines + [f"    {name} {', '.join(values)}" for name, values in paths if values]
