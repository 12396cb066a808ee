"""Compares what stands in components with what TypeScript finds there: python component_agreement.py TRUTH.json REPOSITORY

TRUTH.json is what `component_judge.mjs` wrote of the repository. A place counts for recall if one of its declarations is a
symbol of ours other than that of the place itself; it counts for precision if we have an edge there and the judge was asked
about the place. The third figure is the precision at places where the judge names a declaration at all: it names none of what
it has no types for. Only places in components are compared, and places elsewhere whose declaration is in a component.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

COMPONENTS = (".vue", ".svelte", ".astro", ".mdx")
Place = tuple[str, int, int]
#: File and line of a declaration.
Target = tuple[str, int]
#: File, first line and line of the name of a symbol. Overloads lie between the two.
Symbol = tuple[str, int, int]


def rows(root: Path, query: str) -> list[list[Any]]:
    """The rows of a query."""
    command = [sys.executable, "-P", "-m", "astrolabe", "cypher", "--root", str(root), "--json", query]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return list(json.loads(done.stdout)["rows"])


def is_among(symbol: Symbol, targets: set[Target]) -> bool:
    """Whether a symbol is one of the declarations."""
    return any(path == symbol[0] and symbol[1] <= line <= symbol[2] for path, line in targets)


def edges(root: Path, kind: str, also: str) -> dict[Place, set[Symbol]]:
    """The targets of edges of a kind, by place."""
    found: dict[Place, set[Symbol]] = defaultdict(set)
    query = (
        f"MATCH (f:Symbol)-[r:{kind}]->(t:Symbol) WHERE {also} "
        "RETURN f.relativePath, r.lines, r.columns, t.relativePath, t.startLine, t.nameLine, t.kind, t.qualifiedName"
    )
    for path, lines, columns, to_path, first, named, to_kind, qualified in rows(root, query):
        is_component = to_kind == "component" and "." not in qualified and to_path.endswith(COMPONENTS)
        symbol = (to_path, 0, 0) if is_component else (to_path, first, named)
        for at, column in zip(lines, columns, strict=True):
            found[path, at, column].add(symbol)
    return found


def main() -> None:
    """Print a row for calls and one for references, and some of the differences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("truth", type=Path)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--show", type=int, default=0, help="differences to print of each kind")
    arguments = parser.parse_args()
    root = arguments.repository.resolve()
    subprocess.run([sys.executable, "-P", "-m", "astrolabe", "index", "--full", str(root)], check=True, capture_output=True)
    symbols: dict[Target, set[str]] = defaultdict(set)
    query = "MATCH (s:Symbol) RETURN s.relativePath, s.nameLine, s.name, s.kind, s.qualifiedName"
    for path, line, name, kind, qualified in rows(root, query):
        is_component = kind == "component" and "." not in qualified and path.endswith(COMPONENTS)
        symbols[path, 0 if is_component else line].add("" if is_component else name)
    truth = {
        (path, line, column): (name, called, {(f, n) for f, n in targets})
        for path, line, column, name, called, targets in json.loads(arguments.truth.read_text("utf-8"))
    }
    calls = edges(root, "CALLS", "r.form <> 'jsx'")
    references = edges(root, "REFERENCES", "r.role <> 'binding'")
    print(f"| {'edges':10} | wanted | precision | recall | precision where known |")
    for title, ours, only_called in (("calls", calls, True), ("references", references, False)):
        wanted, had, right, given, unknown_given = 0, 0, 0, 0, 0
        wrong: list[str] = []
        silent: list[str] = []
        missing: list[str] = []
        for place, (name, called, targets) in truth.items():
            in_component = place[0].endswith(COMPONENTS)
            others = {target for target in targets if target != place[:2]}
            known = {target for target in others if symbols[target] & {name, "", f"on{name[:1].upper()}{name[1:]}"}}
            if not in_component:
                known = {target for target in known if target[0].endswith(COMPONENTS)}
            if known and (called or not only_called):
                wanted += 1
                is_found = any(is_among(symbol, targets) for symbol in ours.get(place, ()))
                had += is_found
                if not is_found:
                    missing.append(f"{':'.join(map(str, place))} {name} -> {sorted(known)} ours {sorted(ours.get(place, ()))}")
            if in_component and place in ours and (called or not only_called):
                for target in ours[place]:
                    given += 1
                    is_right = is_among(target, targets)
                    right += is_right
                    unknown_given += not targets
                    if not is_right:
                        difference = f"{':'.join(map(str, place))} {name} -> {target} judge {sorted(targets)}"
                        (wrong if targets else silent).append(difference)
        asked = {path for path, _, _ in truth}
        unknown = [place for place in ours if place[0].endswith(COMPONENTS) and place[0] in asked and place not in truth]
        known_precision = right / max(given - unknown_given, 1)
        print(
            f"| {title:10} | {wanted} | {right / max(given, 1):.4f} | {had / max(wanted, 1):.4f} | {known_precision:.4f} "
            f"| unasked {len(unknown)}"
        )
        unasked = [f"{place} {sorted(ours[place])}" for place in unknown]
        for label, found in (("wrong", wrong), ("silent", silent), ("missing", missing), ("unasked", unasked)):
            counts = Counter(entry.split(" ")[1] for entry in found if " " in entry)
            step = max(len(found) // max(arguments.show, 1), 1)
            for entry in found[::step][: arguments.show]:
                print(f"  {label} {title}: {entry}")
            if arguments.show:
                print(f"  {label} {title}: {len(found)}, {counts.most_common(12)}")


if __name__ == "__main__":
    main()
