"""Compares the edges of the Java files of folders with what javac binds in them, site by site.

    python java_edges.py REPOSITORY... [--class-path JARS] [--without-archives] [--show COUNT] [--keep FOLDER]

`JavaJudge.java` prints what javac binds, with the jars that are named or without. It needs a JDK, and reads the files that git
knows. This reads the files itself, without an index. If jars are named, it reads those that the builds of the folder name, as
far as the local repository of Maven or the cache of Gradle has them, unless `--without-archives` says otherwise.

calls       a site is the name of a call, a construction or a reference to a method. Right: the edge leads to the declaration
            that javac binds. Wrong: it leads elsewhere, or javac binds something outside of the repository. Missed: javac binds
            a declaration in the repository, and there is no edge to it. Sites that javac cannot attribute do not count, and
            neither do those with overloads of which it does not know all types.
heritage    pairs of a type and one that it extends or implements, both in the repository.
references  share of the declarations of types, methods and fields of which as many uses are known as javac binds.
none        declarations of which no use is known, no call with their name is unresolved, and javac binds one nevertheless; of
            all without a known use.
outside     share of the calls to something outside that are told as such.
imports     precision and recall of the imports of a type, or of static members of a type, that leads to its file. Imports of all
            types of a package lead to no file.
seconds     of processor time: of extraction, of reading the declarations of the library, and of resolution.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from astrolabe.ingest.files.manifest_names import manifest_language
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.import_resolution import ImportResolver
from astrolabe.ingest.languages.import_targets import SourceTarget
from astrolabe.ingest.languages.installed_files import InstalledFiles
from astrolabe.ingest.languages.typescript.resolve.model.unit import Unit
from astrolabe.ingest.resolution.nominal_files import InstalledPackages, NominalFiles
from judged_sites import Site, ratio, sites_in
from markdown_tables import print_head, print_row

_JUDGE = Path(__file__).with_name("JavaJudge.java")
#: Kinds of symbols whose uses the judge tells.
_JUDGED = ("class", "interface", "enum", "method", "property", "enumMember")
#: Files that declare no types.
_WITHOUT_TYPES = ("module-info.java", "package-info.java")

#: File and line.
Place = tuple[str, int]


class Bound(NamedTuple):
    """The declaration that javac binds: its file, "-" for one outside, its first line, the line of its name, and its name."""

    path: str
    start: int
    line: int
    name: str

    def is_at(self, place: Place) -> bool:
        """Return whether a symbol that begins at a place is the declaration."""
        return place[0] == self.path and self.start <= place[1] <= self.line


class Judgment:
    """What javac binds in the files of a folder."""

    def __init__(self, root: Path, paths: list[str], class_path: str, kept: Path | None) -> None:
        """`kept` is the folder that keeps what javac binds for the next run, if there is one."""
        self.calls: dict[Site, Bound] = {}
        self.heritage: list[tuple[Place, Bound]] = []
        self.uses: dict[Bound, set[Site]] = defaultdict(set)
        #: The file of each imported type by the importing file and the line; "-" is outside.
        self.imports: dict[Place, str] = {}
        with tempfile.TemporaryDirectory() as folder:
            listed, output = Path(folder, "files"), (kept or Path(folder)) / f"{root.name}.bound"
            listed.write_text("\n".join(paths), encoding="utf-8")
            command = ["java", "-Xmx3g", str(_JUDGE), str(root), str(listed), class_path or folder, str(output)]
            if not output.exists():
                subprocess.run(command, check=True)
            for line in output.read_text(encoding="utf-8").splitlines():
                self._read(line.split("\t"))

    def _read(self, row: list[str]) -> None:
        kind, path, line, column, name, to_path, start, to_line, to_name = row
        bound, site = Bound(to_path, int(start), int(to_line), to_name), (path, int(line), int(column))
        if kind == "heritage":
            if to_path != "-":
                self.heritage.append(((path, int(name.split(":")[2])), bound))
        elif kind == "use":
            self.uses[bound].add(site)
        elif kind == "import":
            self.imports[path, int(line)] = to_path
        else:
            self.calls[site] = bound


class JavaFolder:
    """The Java files of a folder, and the edges that the engine finds in them."""

    def __init__(self, root: Path, paths: list[str], manifests: list[str], has_archives: bool) -> None:
        started = time.process_time()
        self._facts = {path: extract_facts((root / path).read_bytes(), "java") for path in paths}
        self.extraction = time.process_time() - started
        workspace = WorkspaceFiles(root, paths, manifests)
        packages = InstalledPackages(workspace, InstalledFiles(root)) if has_archives else None
        resolver = ImportResolver(workspace)
        self._ids: dict[str, Place] = {}
        self.names: dict[str, str] = {}
        places = {path: place for place, path in enumerate(paths)}
        files = NominalFiles(places, self._facts.__getitem__, resolver.resolve, self._identity, None, packages)
        units = [unit for path in paths if (unit := files.unit_at(path)) is not None]
        started = time.process_time()
        files.prepare(units)
        self.runtime = time.process_time() - started
        edges = files.edges_of("java")
        assert edges is not None
        self.calls: dict[Site, str] = {}
        self.outside: dict[Site, str] = {}
        self.unresolved: dict[Site, str] = {}
        #: Names of calls whose target is not known.
        self.unknown_names: set[str] = set()
        self.heritage: list[tuple[str, str]] = []
        self.uses: dict[str, set[Site]] = defaultdict(set)
        #: Names in imports, of which javac does not tell what those of static members mean.
        self.imports: set[Site] = set()
        #: The file to which the import of a line leads.
        self.imported: dict[Place, str] = {}
        started = time.process_time()
        for unit in units:
            found = edges.of_calls(unit)
            for call in found.calls:
                self.calls.update(dict.fromkeys(sites_in(unit, call.lines, call.columns), call.to_id))
            for external in found.external_calls:
                self.outside.update(dict.fromkeys(sites_in(unit, external.lines, external.columns), external.external_id))
            for unknown in found.unresolved_calls:
                self.unresolved.update(dict.fromkeys(sites_in(unit, unknown.lines, unknown.columns), unknown.reason))
                self.unknown_names.add(unknown.name)
            for use in found.references:
                sites = sites_in(unit, use.lines, use.columns)
                self.uses[use.to_id].update(sites)
                self.imports.update(sites if use.role == "import" else ())
            for entry in unit.facts.imports:
                leads_to = resolver.resolve(entry.specifier, unit.path)
                if isinstance(leads_to, SourceTarget):
                    self.imported[unit.path, unit.line(entry.position)] = leads_to.path
            bases = edges.of_names(unit).heritage
            self.heritage += [(edge.from_id, edge.to_id) for edge in bases if not edge.to_external]
        self.resolution = time.process_time() - started
        self.faults = files.faults

    def without_use(self) -> int:
        """Return the number of types, methods and fields of which no use is known."""
        used = {(*self._ids[name], self.names[name]) for name in self.uses}
        return sum(
            symbol.kind in _JUDGED and (path, symbol.declaration_line, symbol.name) not in used
            for path, facts in self._facts.items()
            for symbol in facts.symbols
        )

    def has_symbol(self, bound: Bound) -> bool:
        """Return whether a declaration has a symbol; fields of anonymous types have none."""
        symbols = self._facts[bound.path].symbols if bound.path in self._facts else ()
        return any(symbol.name == bound.name and bound.is_at((bound.path, symbol.declaration_line)) for symbol in symbols)

    def place(self, symbol_id: str) -> Place:
        """Return where a symbol begins."""
        return self._ids[symbol_id]

    def _identity(self, unit: Unit, symbol: int) -> str:
        name = f"{unit.path}#{symbol}"
        self._ids[name] = unit.path, unit.symbols[symbol].declaration_line
        self.names[name] = unit.symbols[symbol].name
        return name


def compare(root: Path, class_path: str, has_archives: bool, show: int, kept: Path | None) -> Sequence[str]:
    """Return the row of a repository in the table, and print the first wrong and missed edges."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "*.java"], check=True, capture_output=True, text=True)
    paths = [path for path in listed.stdout.split("\n") if path and not path.endswith(_WITHOUT_TYPES) and (root / path).is_file()]
    tracked = subprocess.run(["git", "-C", str(root), "ls-files"], check=True, capture_output=True, text=True).stdout.split("\n")
    manifests = [path for path in tracked if manifest_language(path.rpartition("/")[2]) == "java"]
    judged = Judgment(root, paths, class_path, kept)
    ours = JavaFolder(root, paths, manifests, has_archives)
    tally: Counter[str] = Counter()
    shown: dict[str, list[str]] = defaultdict(list)
    for site, bound in judged.calls.items():
        target = ours.calls.get(site)
        is_right = target is not None and bound.is_at(ours.place(target))
        where = f"{site[0]}:{site[1]}:{site[2]} {bound.name} -> {bound.path}:{bound.line}"
        if bound.path == "-":
            tally["outside"] += 1
            tally["told"] += site in ours.outside
        elif not is_right:
            tally["missed"] += 1
            if target is None:
                shown["missed"].append(f"{where} ({ours.unresolved.get(site) or ours.outside.get(site) or 'no site'})")
        tally["right"] += is_right
        if target is not None and not is_right:
            tally["wrong"] += 1
            shown["wrong"].append(f"{where}; ours {ours.place(target)} {ours.names[target]}")
    tally["unjudged"] = len(ours.calls.keys() - judged.calls.keys())
    have = {(ours.place(one), ours.place(other)) for one, other in ours.heritage}
    for own, bound in judged.heritage:
        if any(one[0] == own[0] and one[1] <= own[1] and bound.is_at(other) for one, other in have if one[0] == own[0]):
            tally["heritage"] += 1
        else:
            shown["heritage"].append(f"{own} -> {bound}")
    counted: dict[Place, list[str]] = defaultdict(list)
    for name in ours.uses:
        counted[ours.place(name)].append(name)
    exact = total = 0
    for bound, sites in judged.uses.items():
        if bound.path == "-":
            continue
        total += 1
        names = [each for line in range(bound.start, bound.line + 1) for each in counted.get((bound.path, line), ())]
        mine = next((ours.uses[each] for each in names if ours.names[each] == bound.name), set())
        mine = mine - (ours.imports - sites)
        exact += len(mine) == len(sites)
        if not mine and bound.name not in ours.unknown_names and ours.has_symbol(bound):
            tally["used"] += 1
            shown["none"].append(str(bound))
        if len(mine) != len(sites):
            shown["references"].append(f"{bound}: more {sorted(mine - sites)[:3]}; missed {sorted(sites - mine)[:3]}")
    inside = {place: path for place, path in judged.imports.items() if path not in ("-", place[0])}
    told = {place: path for place, path in ours.imported.items() if place in judged.imports}
    found = {place for place, path in inside.items() if told.get(place) == path}
    different = sorted((inside.keys() | told.keys()) - found)
    shown["imports"] += [f"{place} -> {inside.get(place, 'outside')}; ours {told.get(place)}" for place in different]
    for kind, rows in shown.items():
        for row in rows[:show]:
            print(f"  {kind} {row}")
    right, wrong, missed = tally["right"], tally["wrong"], tally["missed"]
    figures = (
        root.name,
        f"{len(paths):,}",
        f"{right + missed:,}",
        ratio(right, right + wrong),
        ratio(right, right + missed),
        ratio(tally["heritage"], len(judged.heritage)),
        ratio(exact, total),
        ratio(tally["told"], tally["outside"]),
        f"{tally['used']} of {ours.without_use():,}",
        f"{tally['unjudged']:,}",
        f"{len(inside):,}",
        ratio(len(found), len(told)),
        ratio(len(found), len(inside)),
        f"{ours.extraction:.1f} / {ours.runtime:.1f} / {ours.resolution:.1f}",
    )
    if ours.faults:
        print(f"  {len(ours.faults)} questions failed: {ours.faults[:3]}")
    return figures


def main() -> None:
    """Read the command line, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", type=Path, nargs="+")
    parser.add_argument("--class-path", default="")
    parser.add_argument("--without-archives", action="store_true", help="read no archives, even if javac does")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="folder that keeps what javac binds for the next run")
    arguments = parser.parse_args()
    has_archives = bool(arguments.class_path) and not arguments.without_archives
    rows = [
        compare(root.resolve(), arguments.class_path, has_archives, arguments.show, arguments.keep)
        for root in arguments.repositories
    ]
    calls = ("repository", "files", "sites", "precision", "recall", "heritage", "references", "outside", "none", "unjudged")
    print_head((*calls, "imports", "precision", "recall", "seconds"))
    for row in rows:
        print_row(row)


if __name__ == "__main__":
    main()
