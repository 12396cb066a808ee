"""Context for a change of a module: symbols that other code uses, dependants, tests, and recent changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ....schema.process.git import GitFailed
from ..graph_tools.composition import GraphTools
from ..graph_tools.entries import naming_documents, result_entry
from ..graph_tools.records import Entry, GraphAnswer
from .asking import Asked, by_file, no_part, part_named

if TYPE_CHECKING:
    from ...stores.readers import Readers
    from ..requests.answering_index import AnsweringIndex

#: Maximum number of exported symbols whose users are counted.
_SURFACE = 400
#: Maximum number of files whose history is read.
_FILES = 20


def update_module(workspace: AnsweringIndex, tools: GraphTools, readers: Readers, values: Mapping[str, str]) -> GraphAnswer:
    """Return the context for a change of a module. `change` describes the change, and may be empty."""
    module, change = values["module"], values["change"]
    asked = Asked(workspace, tools, readers)
    part = part_named(asked, module)
    if part is None:
        return no_part(asked, "update-module", module)
    files = asked.repo.files(**part.filters)
    code = files.filter(is_test=False) if asked.rows(files.filter(is_test=False).limit(1)) else files
    symbols = code.symbols()
    results = [each for each in asked.search(change, part.paths) if not asked.is_test(each.file)]
    query = f"search {change[:80]!r} in {part.path}"
    asked.put("toChange", by_file(results), query)
    asked.put("matches", map(result_entry, results), query)
    exported = symbols.filter(exported=True, depth__lte=1).sort("importance", descending=True).limit(_SURFACE)
    surface = asked.put("publicSurface", asked.used_outside(asked.rows(exported), part.own), exported.chain)
    dependants: tuple[Entry, ...] = ()
    if part.filters:  # nothing is outside of the whole repository
        outside = code.importers().exclude(**part.filters)
        dependants = asked.add("dependants", outside.filter(is_test=False), reason="imports the module")
        asked.add("dependencies", code.imports().exclude(**part.filters), reason="imported by the module")
    asked.add("packages", code.packages().exclude(name__contains=":"))
    tests = asked.add("tests", symbols.tests().file(), reason="uses the module")
    if not tests:
        tests = asked.add("tests", symbols.tests(3).file(), reason="uses the module, over at most 3 calls")
    asked.add("documents", naming_documents(symbols), reason="speaks of the module")
    asked.add("tables", symbols.tables(), reason="read or written by the module")
    important = asked.add("importantFiles", code.sort("importance", descending=True))
    try:
        asked.add("uncommitted", files.changed_since("HEAD"), reason="differs from the last commit")
    except GitFailed:  # outside of a repository there is no history
        asked.put("uncommitted", (), "")
    asked.add_history([entry.name for entry in important[:_FILES]], "changed the module")
    return asked.answer(
        part.entry,
        {
            "files": asked.count(files),
            "usedOutside": len(surface),
            "dependants": len(dependants),
            "testFiles": len(tests),
            "risk": _risk(len(surface), len(dependants), len(tests)),
        },
    )


def _risk(surface: int, dependants: int, tests: int) -> str:
    """Return the risk of a change. Symbols that other code uses increase the risk, and tests decrease it."""
    reach = surface + 2 * dependants
    level = 0 if reach == 0 else 1 if reach < 10 else 2 if reach < 40 else 3
    if level and not tests:
        level = min(level + 1, 3)
    return ("none", "low", "medium", "high")[level]
