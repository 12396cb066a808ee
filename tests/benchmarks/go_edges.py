"""Compares the edges of the Go files of a module with what Go's type checker binds in them, site by site.

    python go_edges.py JUDGE MODULE... [--show COUNT] [--keep FOLDER] [--platform SYSTEM] [--without-modules]

JUDGE is the program that `GoJudge.go` makes, in a module of its own:
`go mod init judge && go get golang.org/x/tools/go/packages && cp GoJudge.go main.go && go build`.
It needs the modules that the code requires (`go mod download`). Only what belongs to the program on the platform is judged.

calls       a site is the name of a call or conversion. Right: the edge leads to the declaration that the type checker binds.
            Wrong: it leads elsewhere, or the type checker binds something outside. Missed: there is no edge to it. Fields of
            types without a name are no symbols, and calls of these do not count.
implements  pairs of a type and an interface whose methods it has, both without type parameters: precision and recall. A pair
            that follows from embedding counts as well, and a type that embeds an interface is not said to implement it.
outside     share of the calls to something outside that are told as such, with the same name.
references  share of the declarations of functions, types, variables, constants, methods and fields of which exactly the uses are
            known that the type checker binds. Declarations without a symbol do not count.
imports     precision and recall of the imports of packages whose folder is in the module: an edge leads to a file of the folder.
seconds     of processor time: extraction, reading what is outside for the first time, and resolution.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.import_resolution import ImportResolver
from astrolabe.ingest.languages.import_targets import SourceTarget
from astrolabe.ingest.languages.installed_files import InstalledFiles
from astrolabe.ingest.languages.typescript.resolve.model.unit import Unit
from astrolabe.ingest.resolution.nominal_files import InstalledPackages, NominalFiles
from astrolabe.schema.paths import parent_of
from judged_sites import Site, ratio, sites_in
from markdown_tables import print_head, print_row

#: File, line and name.
Place = tuple[str, int, str]


class Judgment(NamedTuple):
    """What the type checker binds in a module."""

    calls: dict[Site, Place]
    implements: set[tuple[Place, Place]]
    paths: set[str]
    #: Sites at which the name of a declaration is used.
    uses: dict[Place, set[Site]]
    #: Folders of imported packages by file and import path; "-" is outside.
    imports: dict[tuple[str, str], str]


def judged(judge: Path, root: Path, platform: str, kept: Path | None) -> Judgment:
    """Return what the type checker binds; `kept` is the folder that keeps it for the next run, if there is one."""
    with tempfile.TemporaryDirectory() as folder:
        output = (kept or Path(folder)) / f"{root.name}{platform and '-' + platform}.bound"
        if not output.exists():
            environment = {**os.environ, **({"GOOS": platform} if platform else {})}
            subprocess.run([str(judge), str(root), str(output)], check=True, env=environment)
        found = Judgment({}, set(), set(), defaultdict(set), {})
        for row in output.read_text(encoding="utf-8").splitlines():
            kind, path, line, column, name, to_path, to_line, to_name = row.split("\t")
            meant = (to_path, int(to_line), to_name)
            if kind == "call":
                found.calls[path, int(line), int(column)] = meant
                found.paths.add(path)
            elif kind == "use":
                found.uses[meant].add((path, int(line), int(column)))
                found.paths.add(path)
            elif kind == "import":
                found.imports[path, to_name] = "" if to_path == "." else to_path
            else:
                found.implements.add(((path, int(line), name), meant))
                found.paths.update((path, to_path))
        return found


class GoFolder:
    """The Go files of a module, and the edges that the engine finds in them."""

    def __init__(self, root: Path, has_modules: bool) -> None:
        listed = subprocess.run(["git", "-C", str(root), "ls-files"], check=True, capture_output=True, text=True).stdout
        tracked = [path for path in listed.split("\n") if path and (root / path).is_file() and "vendor/" not in path]
        paths = [path for path in tracked if path.endswith(".go")]
        started = time.process_time()
        facts = {path: extract_facts((root / path).read_bytes(), "go") for path in paths}
        self.extraction = time.process_time() - started
        workspace = WorkspaceFiles(root, paths, [path for path in tracked if path.endswith(("go.mod", "go.work"))])
        packages = InstalledPackages(workspace, InstalledFiles(root)) if has_modules else None
        self.places: dict[str, Place] = {}
        self.symbols = {(path, each.name_line, each.name) for path, entry in facts.items() for each in entry.symbols}
        numbers = {path: number for number, path in enumerate(paths)}
        resolve = ImportResolver(workspace).resolve
        files = NominalFiles(numbers, facts.__getitem__, resolve, self._identity, None, packages)
        units = [unit for path in paths if (unit := files.unit_at(path)) is not None]
        #: Types with type parameters, whose interfaces the judge does not tell.
        self.generic: set[Place] = set()
        for unit in units:
            generic = [unit.symbols[each.symbol] for each in unit.shapes if each.symbol >= 0 and each.type_parameters]
            self.generic.update((unit.path, symbol.name_line, symbol.name) for symbol in generic)
        started = time.process_time()
        files.prepare(units)
        self.reading = time.process_time() - started
        edges = files.edges_of("go")
        assert edges is not None
        self.calls: dict[Site, list[Place]] = defaultdict(list)
        self.outside: dict[Site, str] = {}
        self.unresolved: dict[Site, str] = {}
        self.heritage: set[tuple[Place, Place]] = set()
        self.embedding: set[tuple[Place, Place]] = set()
        self.uses: dict[Place, set[Site]] = defaultdict(set)
        self.imports: dict[tuple[str, str], str] = {}
        started = time.process_time()
        for unit in units:
            found = edges.of_calls(unit)
            for call in found.calls:
                for site in sites_in(unit, call.lines, call.columns):
                    self.calls[site].append(self.places[call.to_id])
            for external in found.external_calls:
                self.outside.update(dict.fromkeys(sites_in(unit, external.lines, external.columns), external.external_id))
            for unknown in found.unresolved_calls:
                self.unresolved.update(dict.fromkeys(sites_in(unit, unknown.lines, unknown.columns), unknown.reason))
            for use in found.references:
                self.uses[self.places[use.to_id]].update(sites_in(unit, use.lines, use.columns))
            for entry in unit.facts.imports:
                target = resolve(entry.specifier, unit.path)
                if isinstance(target, SourceTarget):
                    self.imports[unit.path, entry.specifier] = parent_of(target.path)
            bases = edges.of_names(unit).heritage
            inside = [edge for edge in bases if not edge.to_external]
            self.heritage |= {(self.places[edge.from_id], self.places[edge.to_id]) for edge in inside}
            self.embedding |= {(self.places[edge.from_id], self.places[edge.to_id]) for edge in inside if edge.kind == "extends"}
        self.resolution = time.process_time() - started
        self.faults = files.faults

    def _identity(self, unit: Unit, symbol: int) -> str:
        name = f"{unit.path}#{symbol}"
        self.places[name] = unit.path, unit.symbols[symbol].name_line, unit.symbols[symbol].name
        return name


def compare(judgment: Judgment, root: Path, show: int, has_modules: bool) -> Sequence[str]:
    """Return the row of a module in the table, and print the first wrong and missed edges."""
    ours = GoFolder(root, has_modules)
    tally: Counter[str] = Counter()
    shown: dict[str, list[str]] = defaultdict(list)
    for site, meant in judgment.calls.items():
        targets = ours.calls.get(site, [])
        where = f"{site[0]}:{site[1]}:{site[2]} -> {meant}"
        known = ours.outside.get(site) or ours.unresolved.get(site) or "no site"
        if meant[0] == "-":
            is_told = site in ours.outside and ours.outside[site].endswith(meant[2].rpartition(" ")[2])
            tally["outside"] += 1
            tally["told"] += is_told
            if not is_told:
                shown["outside"].append(f"{where}; ours {targets or known}")
        elif meant in ours.symbols:
            tally["right" if meant in targets else "missed"] += 1
            if meant not in targets:
                shown["missed"].append(f"{where}; ours {targets or known}")
        if targets and meant not in targets:
            tally["wrong"] += 1
            shown["wrong"].append(f"{where}; ours {targets}")
    have = {pair for pair in ours.heritage if pair[0][0] in judgment.paths and pair[1][0] in judgment.paths}
    have = {pair for pair in have if ours.generic.isdisjoint(pair)}
    right = have & judgment.implements
    claimed = have - judgment.implements - ours.embedding
    more = {pair for pair in claimed if any(wanted[1] == pair[1] for wanted in judgment.implements)}
    missing = judgment.implements - _closure(have)
    shown["more"] += [str(pair) for pair in sorted(more)]
    shown["not told"] += [str(pair) for pair in sorted(missing)]
    declared = [each for each in ours.symbols if each[0] in judgment.paths and (each in ours.uses or each in judgment.uses)]
    for each in declared:
        mine = {site for site in ours.uses[each] if site[0] in judgment.paths}
        tally["exact"] += mine == judgment.uses[each]
        if mine != judgment.uses[each]:
            more_uses, missed_uses = sorted(mine - judgment.uses[each]), sorted(judgment.uses[each] - mine)
            shown["references"].append(f"{each}: more {more_uses[:3]}; missed {missed_uses[:3]}")
    inside = {key: folder for key, folder in judgment.imports.items() if folder != "-"}
    told = {key: folder for key, folder in ours.imports.items() if key in judgment.imports}
    found = {key for key, folder in inside.items() if told.get(key) == folder}
    shown["imports"] += [f"{key} -> {inside[key]}; ours {told.get(key)}" for key in sorted(inside.keys() - found)]
    for kind, rows in shown.items():
        for row in rows[:show]:
            print(f"  {kind} {row}")
    if ours.faults:
        print(f"  {len(ours.faults)} questions failed: {ours.faults[:3]}")
    return (
        root.name,
        f"{len(judgment.paths):,}",
        f"{tally['right'] + tally['missed']:,}",
        ratio(tally["right"], tally["right"] + tally["wrong"]),
        ratio(tally["right"], tally["right"] + tally["missed"]),
        f"{len(judgment.implements):,}",
        ratio(len(right), len(right) + len(more)),
        ratio(len(judgment.implements) - len(missing), len(judgment.implements)),
        ratio(tally["told"], tally["outside"]),
        ratio(tally["exact"], len(declared)),
        f"{len(inside):,}",
        ratio(len(found), len(told)),
        ratio(len(found), len(inside)),
        f"{ours.extraction:.1f} / {ours.reading:.1f} / {ours.resolution:.1f}",
    )


def _closure(pairs: set[tuple[Place, Place]]) -> set[tuple[Place, Place]]:
    """Return pairs with those that follow from them: what a type embeds, or is made of, has its interfaces."""
    bases: dict[Place, set[Place]] = defaultdict(set)
    for one, other in pairs:
        bases[one].add(other)
    found: set[tuple[Place, Place]] = set()
    for one in list(bases):
        waiting, seen = [one], {one}
        while waiting:
            for base in bases.get(waiting.pop(), ()):
                if base not in seen:
                    seen.add(base)
                    waiting.append(base)
        found |= {(one, base) for base in seen}
    return found


def main() -> None:
    """Read the command line, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("judge", type=Path)
    parser.add_argument("modules", type=Path, nargs="+")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="folder that keeps what the type checker binds for the next run")
    parser.add_argument("--platform", default="", help="operating system by the name that Go has for it")
    parser.add_argument("--without-modules", action="store_true", help="read no modules outside of the folder")
    arguments = parser.parse_args()
    rows: list[Sequence[str]] = []
    for each in arguments.modules:
        root = each.resolve()
        judgment = judged(arguments.judge.resolve(), root, arguments.platform, arguments.keep)
        rows.append(compare(judgment, root, arguments.show, not arguments.without_modules))
    calls = ("module", "files", "sites", "precision", "recall", "pairs", "implements precision", "recall", "outside")
    print_head((*calls, "references", "imports", "precision", "recall", "seconds"))
    for row in rows:
        print_row(row)


if __name__ == "__main__":
    main()
