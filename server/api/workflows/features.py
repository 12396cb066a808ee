"""Context for a new or upgraded feature: code to change, similar code, the order of changes, dependants, gaps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ....graphdb.queries.documents.sections import document_paths
from ....graphdb.symbols.symbol_table import symbols_of
from ....retrieval.text.words import split_text, stem
from ....schema.symbol_kinds import DOCUMENT_KINDS, STATEMENTS
from ..graph_tools.composition import GraphTools
from ..graph_tools.entries import naming_documents, result_entry
from ..graph_tools.records import Entry, GraphAnswer
from ..scopes.running import Nothing
from .asking import ENTRIES, Asked, by_file, gaps, no_part, part_named

if TYPE_CHECKING:
    from ....retrieval.answers.answer import RankedResult
    from ...stores.readers import Readers
    from ..requests.answering_index import AnsweringIndex
    from ..scopes.symbol_scope import SymbolScope

#: Number of results whose neighbors in the graph are read.
_SEEDS = 8
#: Number of hops to dependants of an upgraded feature.
_DEPTH = 3
#: Maximum number of files whose importers are counted.
_FILES = 6
#: If more paths than this contain the words of a feature, the words are too general to find its files.
_MAX_PATHS = 60
#: Minimum number of similar files that a file imports if it registers them, such as a list of routes.
_REGISTERED = 2


def implement_feature(workspace: AnsweringIndex, tools: GraphTools, readers: Readers, values: Mapping[str, str]) -> GraphAnswer:
    """Return the context for a new feature. `module` names the module for the feature, and may be empty."""
    feature, module = values["feature"], values["module"]
    asked = Asked(workspace, tools, readers)
    part = part_named(asked, module) if module.strip() else None
    if module.strip() and part is None:
        return no_part(asked, "implement-feature", module)
    results = asked.search(feature, part.paths if part is not None else ())
    code = _without_tests(asked, results)
    if not code:
        return asked.answer(
            None,
            {"results": 0},
            Nothing("implement-feature", "absent", "No code is like this description; begin with a new module."),
        )
    seeds = asked.repo.symbols(id__in=[result.id for result in code[:_SEEDS]])
    query = f"search {feature[:80]!r}"
    asked.put("toChange", by_file(code), query)
    asked.put("similar", map(result_entry, code), query)
    asked.put("extensionPoints", _extension_points(asked, seeds), f"{seeds.chain}.base_types()")
    asked.put("registrations", _registrations(asked, [result.file for result in code]), "importers of the files to change")
    asked.add("callers", seeds.callers(), reason="calls similar code")
    asked.add("callees", seeds.callees(), reason="called by similar code")
    asked.add("types", seeds.types(), reason="type of a parameter, result or field of similar code")
    asked.add("tests", seeds.tests(2).file(), reason="tests similar code; add tests of the feature beside it")
    asked.add("tables", seeds.tables(), reason="read or written by similar code")
    asked.add("documents", naming_documents(seeds), reason="speaks of similar code")
    asked.put("paths", _paths(asked, code), "shortest ways of calls between the first results")
    asked.put("gaps", gaps(asked, feature), "words of the description without a name")
    asked.add_history(list(dict.fromkeys(result.file for result in code)), "changed similar code")
    affected = asked.count(seeds.dependants(2))
    subject = part.entry if part is not None else None
    return asked.answer(subject, {"results": len(code), "gaps": len(asked.sections["gaps"]), "dependantsOfSimilarCode": affected})


def upgrade_feature(workspace: AnsweringIndex, tools: GraphTools, readers: Readers, values: Mapping[str, str]) -> GraphAnswer:
    """Return the plan for the upgrade of a feature. `upgrade` describes the upgrade, and may be empty."""
    feature, upgrade = values["feature"], values["upgrade"]
    asked = Asked(workspace, tools, readers)
    core_ids = _core(asked, feature, upgrade)
    if not core_ids:
        return asked.answer(
            None,
            {"core": 0},
            Nothing("upgrade-feature", "absent", f'No code is named or described by "{feature.strip()[:120]}".'),
        )
    core = asked.repo.symbols(id__in=core_ids)
    rows = asked.rows(core)
    files = {row.path for row in rows}
    asked.add("core", core, with_signature=True)
    own = re.compile("|".join(f"{re.escape(path)}$" for path in sorted(files)))
    asked.put("publicSurface", asked.used_outside(rows, own), f"{core.chain}.referenced_by()")
    asked.put("plan", _plan(asked, core), "dependencies, core and dependants by distance")
    asked.add("dependencies", core.dependencies(), reason="used by the feature")
    asked.add("subtypes", core.subtypes(), reason="extends or implements the feature")
    asked.add("tests", core.tests(3).file(), reason="reaches the feature, over at most 3 calls")
    modules = asked.add(
        "affectedModules", core.dependants(_DEPTH).file().module(), reason=f"depends on it over at most {_DEPTH} steps"
    )
    asked.add("packages", core.file().packages().exclude(name__contains=":"), reason="imported by the feature's files")
    asked.add("tables", core.tables(), reason="read or written by the feature")
    asked.add("documents", naming_documents(core), reason="speaks of the feature; may need a change")
    asked.put("gaps", gaps(asked, upgrade), "words of the upgrade without a name")
    asked.add_history(sorted(files), "changed the feature")
    plan = asked.sections["plan"]
    return asked.answer(
        Entry(feature.strip(), "feature"),
        {"core": len(rows), "files": len(plan), "modules": len(modules), "usedOutside": len(asked.sections["publicSurface"])},
    )


def _without_tests(asked: Asked, results: Sequence[RankedResult]) -> list[RankedResult]:
    """Return the results in code outside of tests, or else all results in code.

    Sections of documents are not code.
    """
    code = [result for result in results if result.kind not in DOCUMENT_KINDS]
    return [each for each in code if not asked.is_test(each.file)] or code


def _core(asked: Asked, feature: str, upgrade: str) -> list[str]:
    """Return the symbols of a feature. If the feature is a single word, they are the symbols with this name.

    If there are none, the symbols are the most important exported symbols of files whose paths have all words of the feature,
    symbols with its name, and results of a search for it.
    """
    written = feature.strip()
    lowered = {name.lower() for name in (written, written.replace(" ", ""), written.replace(" ", "_"), written.replace(" ", "-"))}
    table = symbols_of(asked.readers.graph)
    offsets, _, _ = table.ranked()
    named = [
        ref.id
        for ref in table.refs_at(offsets)
        if ref.kind not in STATEMENTS and ref.kind not in DOCUMENT_KINDS
        if ref.name.lower() in lowered or ref.qualified_name.lower() in lowered
    ]
    if named and " " not in written:
        return named[:_SEEDS]
    paths = _paths_with(asked, written)
    exported = asked.repo.files(path__in=paths).symbols(exported=True, depth=0).sort("importance", descending=True)
    inside = [row.id for row in asked.rows(exported.limit(_SEEDS))] if paths else []
    found = [result.id for result in _without_tests(asked, asked.search(f"{feature} {upgrade}".strip())) if result.id]
    return list(dict.fromkeys([*inside, *named[:_SEEDS], *found[:_SEEDS]]))


def _paths_with(asked: Asked, text: str) -> list[str]:
    """Return the files of code whose paths have all words of a text; none if there are more than `_MAX_PATHS`."""
    wanted = {stem(word) for word in split_text(text)}
    documents = set(document_paths(asked.readers.graph))
    found = [
        row.path
        for row in asked.rows(asked.repo.files(is_test=False))
        if row.path not in documents and wanted and wanted <= {stem(word) for word in split_text(row.path)}
    ]
    return found if len(found) <= _MAX_PATHS else []


def _extension_points(asked: Asked, seeds: SymbolScope) -> list[Entry]:
    """Return the base types of similar code, and the types in similar code that have subtypes, with the number of subtypes."""
    found: dict[str, Entry] = {}
    for base in [*asked.rows(seeds.base_types()), *asked.rows(seeds.filter(kind__in=["class", "interface", "struct", "trait"]))]:
        subtypes = asked.rows(asked.repo.symbols(id=base.id).subtypes())
        if subtypes:
            names = ", ".join(row.name for row in subtypes[:3])
            place = f"{base.path}:{base.start_line}"
            told = f"extended or implemented by {names}"
            found[base.id] = Entry(base.qualified_name, base.kind, place, count=len(subtypes), reason=told)
    return sorted(found.values(), key=lambda entry: (-entry.count, entry.at))


def _registrations(asked: Asked, paths: Iterable[str]) -> list[Entry]:
    """Return the files that import several files of similar code. A feature is registered in such files, such as lists and
    routers.
    """
    counted: Counter[str] = Counter()
    wanted = list(dict.fromkeys(paths))[:_FILES]
    for path in wanted:
        counted.update(row.path for row in asked.rows(asked.repo.file(path).importers()) if not row.is_test)
    return [
        Entry(path, "file", path, count=count, reason=f"imports {count} of the {len(wanted)} files of similar code")
        for path, count in sorted(counted.items(), key=lambda each: (-each[1], each[0]))
        if count >= _REGISTERED
    ]


def _paths(asked: Asked, results: Sequence[RankedResult]) -> list[Entry]:
    """Return the paths of calls between the first result and the next three, in both directions."""
    first = asked.repo.symbols(id=results[0].id)
    found = []
    for other in results[1:4]:
        for start, end in ((first, asked.repo.symbols(id=other.id)), (asked.repo.symbols(id=other.id), first)):
            for nodes in start.path_to(end, by="calls", depth=4, limit=1):
                way = " -> ".join(row.qualified_name for row in nodes)
                found.append(Entry(way, "calls", f"{nodes[0].path}:{nodes[0].start_line}", count=len(nodes)))
    return found


def _plan(asked: Asked, core: SymbolScope) -> list[Entry]:
    """Return the files in the order of changes: the files of the feature, then its dependants, the nearest first."""
    steps: dict[str, tuple[int, str]] = {}
    for row in asked.rows(core):
        steps.setdefault(row.path, (0, "declares the feature"))
    for hops in range(1, _DEPTH + 1):
        for row in asked.rows(core.dependants(hops).limit(2_000)):
            told = "uses it" if hops == 1 else f"depends on it over {hops} steps"
            steps.setdefault(row.path, (hops, told))
    tests = {path for path in steps if asked.is_test(path)}
    ordered = sorted(steps, key=lambda path: (path in tests, steps[path][0], path))
    return [
        Entry(
            path,
            "test" if path in tests else "file",
            path,
            number=str(number),
            distance=steps[path][0],
            reason=steps[path][1] if path not in tests else "run it, and change it with the feature",
        )
        for number, path in enumerate(ordered[: ENTRIES * 5], 1)
    ]
