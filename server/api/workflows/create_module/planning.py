"""The plan for a new module: its files with the common text of its siblings, places of registration, and dependencies."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import msgspec

from .....graphdb.queries.packages.versions import version_ranges
from .....schema.errors import UsageError
from ...graph_tools.composition import GraphTools
from ...graph_tools.records import Entry, GraphAnswer
from ...scopes.running import Nothing
from ..asking import Asked, part_named
from .conventions import Pattern, common_manifest, common_text, is_valid, patterns
from .naming import Generalizer, as_siblings_write, common_form, filled, spellings, styled
from .siblings import Siblings, siblings_of, unindexed_files

if TYPE_CHECKING:
    from ....stores.readers import Readers
    from ...requests.answering_index import AnsweringIndex

#: Files at the root that list modules.
_LISTS = """
    package.json pnpm-workspace.yaml lerna.json nx.json turbo.json tsconfig.json settings.gradle settings.gradle.kts build.gradle
    pom.xml Cargo.toml go.work pyproject.toml setup.cfg mkdocs.yml Makefile CODEOWNERS .github/CODEOWNERS .github/labeler.yml
    jsr.json deno.json
"""
#: Maximum size in bytes of a file that lists modules.
_MAX_LIST = 1_000_000
#: Allowed names of modules.
_NAME = re.compile(r"[\w@./ -]+")


class PlannedFile(msgspec.Struct, frozen=True):
    """A file of a new module."""

    path: str
    #: Common text of the siblings' files; "" if they have nothing in common.
    text: str
    #: Number of siblings with such a file.
    siblings: int
    #: Common declarations of the siblings' files, with the name of the new module.
    declares: tuple[str, ...] = ()


class Plan(msgspec.Struct, frozen=True):
    """A new module that follows the conventions of its siblings."""

    name: str
    path: str
    siblings: Siblings
    #: Modules and packages that the new module needs.
    dependencies: tuple[str, ...]
    files: tuple[PlannedFile, ...]
    #: Whether the module exists already.
    exists: bool


def create_module(workspace: AnsweringIndex, tools: GraphTools, readers: Readers, values: Mapping[str, str]) -> GraphAnswer:
    """Return the plan for a module, as an answer of a workflow."""
    asked = Asked(workspace, tools, readers)
    plan = _planned(asked, values)
    if plan is None:
        return asked.answer(None, {"siblings": 0}, Nothing("create-module", "absent", _no_siblings(values)))
    siblings = plan.siblings
    count = len(siblings.files)
    asked.put("files", [_file(each, count) for each in plan.files], f"files of {count} siblings in {siblings.folder or '.'}")
    asked.put("siblings", [_sibling(siblings, each) for each in siblings.files], f"files in {siblings.folder or '.'}")
    asked.put("registrations", _registrations(asked, siblings), "importers of the siblings, and lists of modules at the root")
    asked.put("dependencies", _dependencies(asked, plan.dependencies), "modules and packages by name")
    used = siblings.scope(asked.repo, siblings.files)
    asked.put("packages", _shared_packages(asked, siblings), "packages that at least half of the siblings import")
    asked.add("documents", used.symbols(depth=0).documents(), reason="mentions a sibling; mention the new module there, too")
    nothing = (
        Nothing("create-module", "exists", f"{plan.path} already exists; `update-module` describes it.") if plan.exists else None
    )
    return asked.answer(
        Entry(plan.name, "file" if siblings.suffix else "module", plan.path),
        {"siblings": count, "files": len(plan.files), "written": 0},
        nothing,
    )


def planned_module(workspace: AnsweringIndex, tools: GraphTools, readers: Readers, values: Mapping[str, str]) -> Plan:
    """Return the plan for the files of a module. Raises UsageError if there is no plan."""
    plan = _planned(Asked(workspace, tools, readers), values)
    if plan is None:
        raise UsageError(_no_siblings(values))
    return plan


def checked_name(name: str) -> str:
    """Return the name of a new module. Raises UsageError for an invalid name and for a name outside of the repository."""
    written = name.strip()
    parts = PurePosixPath(written).parts
    if not _NAME.fullmatch(written) or ".." in parts or PurePosixPath(written).is_absolute() or not parts:
        raise UsageError(f'"{written[:80]}" is no name of a module: it takes letters, digits and folders inside the repository.')
    return written


def _no_siblings(values: Mapping[str, str]) -> str:
    return f'"{checked_name(values["name"])}" has no siblings in the index whose conventions it could follow. Name one in `like`.'


def _planned(asked: Asked, values: Mapping[str, str]) -> Plan | None:
    """Return the plan for a module; None if it has no siblings. Raises UsageError for an invalid name."""
    paths = [row.path for row in asked.rows(asked.repo.files())]
    siblings, own = siblings_of(asked, paths, checked_name(values["name"]), values["like"])
    if siblings is None:
        return None
    dependencies = tuple(each.strip() for each in values["dependencies"].split(",") if each.strip())
    unindexed = unindexed_files(asked.workspace.root, siblings, set(paths))
    forms = spellings(own)
    lower = as_siblings_write(own, siblings.files)
    files = []
    for pattern in patterns(siblings, unindexed, paths):
        path = filled(pattern.path, forms, lower)
        text = _text(asked, pattern, path, dependencies)
        declared = tuple(filled(each, forms, lower) for each in _declared(asked, pattern))
        files.append(PlannedFile(path, filled(text, forms, lower), len(pattern.files), declared))
    place = siblings.path(lower)
    exists = any(path.startswith(f"{place}/") or path == place for path in paths)
    return Plan(own, place, siblings, dependencies, tuple(files), exists)


def _text(asked: Asked, pattern: Pattern, path: str, dependencies: Sequence[str]) -> str:
    """Return the common text of the files of a pattern, if it is well-formed."""
    texts = {name: text for name, file in pattern.files.items() if (text := _source(asked, file)) is not None}
    if len(texts) < min(2, len(pattern.files)):
        return ""
    manifest = common_manifest(texts) if path.endswith(".json") else None
    if manifest is None:
        text = common_text(texts)
        return text if is_valid(path, text) else ""
    if path.endswith("package.json"):
        manifest.setdefault("name", "{name}")
        ranges = version_ranges(asked.readers.graph, dependencies)
        wanted = {name: ranges[name][0] if name in ranges else "*" for name in dependencies}
        if wanted:
            manifest["dependencies"] = {**manifest.get("dependencies", {}), **wanted}
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def _source(asked: Asked, path: str) -> str | None:
    indexed = asked.readers.engine.texts.get(path)
    if indexed is not None:
        return indexed.text.decode("utf-8", "replace")
    try:
        return (asked.workspace.root / path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):  # a file that was removed or is not text has nothing in common with others
        return None


def _declared(asked: Asked, pattern: Pattern) -> list[str]:
    """Return the root declarations of at least half of the files of a pattern, with placeholders: "class {Name}Service"."""
    names = {path: name for name, path in pattern.files.items()}
    found: dict[str, set[str]] = {}
    forms: dict[str, Counter[str]] = {}
    for row in asked.rows(asked.repo.files(path__in=list(names)).symbols(depth=0, exported=True)):
        general = f"{row.kind} {Generalizer(names[row.path]).of(row.name)}"
        if "{" in general and row.kind not in ("section", "comment"):
            found.setdefault(common_form(general), set()).add(row.path)
            forms.setdefault(common_form(general), Counter())[general] += 1
    kept = [form for form, paths in found.items() if len(paths) * 2 >= len(pattern.files)]
    return [styled(forms[form]) for form in sorted(kept, key=lambda form: (-len(found[form]), form))]


def _file(file: PlannedFile, siblings: int) -> Entry:
    return Entry(
        file.path,
        "file to create",
        file.path,
        count=file.siblings,
        reason=f"{file.siblings} of {siblings} siblings have it",
        details=tuple(f"exports {each}" for each in file.declares),
        code=(file.text,) if file.text.strip() else (),
    )


def _sibling(siblings: Siblings, name: str) -> Entry:
    return Entry(name, "module", siblings.path(name), count=len(siblings.files[name]))


def _registrations(asked: Asked, siblings: Siblings) -> list[Entry]:
    """Return the files that import at least half of the siblings, and the lists at the root that name at least half of them."""
    counted: Counter[str] = Counter()
    for name in siblings.files:
        own = siblings.path(name)
        files = siblings.scope(asked.repo, [name])
        counted.update(
            row.path for row in asked.rows(files.importers()) if not row.path.startswith(f"{own}/") and not row.is_test
        )
    fewest = max(2, -(-len(siblings.files) // 2))
    found = [
        Entry(path, "file", path, count=count, reason=f"imports {count} of {len(siblings.files)} siblings; add the new one")
        for path, count in sorted(counted.items(), key=lambda each: (-each[1], each[0]))
        if count >= fewest
    ]
    return found + list(_listing(asked, siblings, fewest))


def _listing(asked: Asked, siblings: Siblings, fewest: int) -> Iterable[Entry]:
    for path in _LISTS.split():
        file = asked.workspace.root / path
        if file.is_symlink() or not file.is_file() or file.stat().st_size > _MAX_LIST:
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        count = sum(
            re.search(rf"(?<![\w-]){re.escape(siblings.path(name))}(?![\w-])", text) is not None for name in siblings.files
        )
        if count >= fewest:
            yield Entry(
                path, "list", path, count=count, reason=f"names {count} of {len(siblings.files)} siblings; add the new one"
            )


def _dependencies(asked: Asked, names: Sequence[str]) -> list[Entry]:
    ranges = version_ranges(asked.readers.graph, names)
    found = []
    for name in names:
        part = part_named(asked, name)
        if part is not None:
            found.append(Entry(part.name, part.kind, part.path, reason="a part of the repository"))
        elif name in ranges:
            found.append(Entry(name, "package", reason=f"other manifests ask for {', '.join(ranges[name][:3])}"))
        else:
            found.append(Entry(name, "package", reason="nothing in the repository uses it yet"))
    return found


def _shared_packages(asked: Asked, siblings: Siblings) -> list[Entry]:
    counted: Counter[str] = Counter()
    for name in siblings.files:
        files = siblings.scope(asked.repo, [name]).filter(is_test=False)
        counted.update({row.name for row in asked.rows(files.packages())})
    return [
        Entry(name, "package", count=count, reason=f"{count} of {len(siblings.files)} siblings import it")
        for name, count in sorted(counted.items(), key=lambda each: (-each[1], each[0]))
        if count * 2 >= len(siblings.files) and ":" not in name  # modules of the runtime have a prefix, such as `node:`
    ]
