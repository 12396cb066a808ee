"""Compare the lineage of projects of dbt with that of dbt itself.

    dbt parse && python -m tests.benchmarks.dbt_lineage PROJECT...

Each argument is the folder of a project with `target/manifest.json`, which dbt wrote. A pair is a model or snapshot and what it
reads: a model, a source, a snapshot, or a seed that YAML describes. dbt also counts relations that macros name while they run,
and leaves out models that are switched off. The columns of the table: models, those of which columns are known, pairs of dbt,
ours, and those that are equal.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from ..collected_graph import collected_graph

#: File of a model, and the name of what it reads with that of its source.
Pair = tuple[str, str]
_COUNTED = ("model.", "source.", "snapshot.", "seed.")


def judged_pairs(project: Path) -> tuple[set[Pair], set[str]]:
    """Return the pairs of dbt, and the files of the models that it knows."""
    manifest = json.loads((project / "target/manifest.json").read_text("utf-8"))
    package = manifest["metadata"]["project_name"]
    names = {key: node["name"] for key, node in manifest["nodes"].items()}
    names |= {key: f"{node['source_name']}.{node['name']}" for key, node in manifest["sources"].items()}
    versions = {key: node.get("version") for key, node in manifest["nodes"].items()}
    pairs: set[Pair] = set()
    files: set[str] = set()
    for node in manifest["nodes"].values():
        if node["package_name"] != package or node["resource_type"] not in ("model", "snapshot"):
            continue
        path = node["original_file_path"]
        files.add(path)
        for needed in node["depends_on"]["nodes"]:
            if needed.startswith(_COUNTED) and needed in names and f".{package}." in needed:
                version = versions.get(needed)
                pairs.add((path, names[needed] + (f"_v{version}" if version else "")))
    return pairs, files


def our_pairs(project: Path) -> tuple[set[Pair], int, int]:
    """Return our pairs, the number of models, and of those with columns."""
    content, _ = collected_graph(project)
    symbols = {symbol.id: symbol for symbol in content.symbols}
    tables = {edge.to_id for edge in content.columns}
    pairs: set[Pair] = set()
    for use in content.data_uses:
        reader, target = symbols[use.from_id], symbols[use.to_id]
        if reader.relative_path.endswith(".sql") and reader.kind in ("view", "table") and target.kind in ("view", "table"):
            pairs.add((reader.relative_path, target.qualified_name))
    models = [each for each in content.symbols if each.kind in ("view", "table") and each.relative_path.endswith(".sql")]
    return pairs, len(models), sum(each.id in tables for each in models)


def main() -> None:
    """Compare all projects that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", nargs="+", type=Path)
    parser.add_argument("--shown", type=int, default=10, help="differences of each kind that are shown")
    arguments = parser.parse_args()
    print("| project | models | with columns | pairs of dbt | ours | equal |\n|---|---:|---:|---:|---:|---:|")
    for project in arguments.projects:
        theirs, files = judged_pairs(project)
        every, models, with_columns = our_pairs(project)
        ours = {pair for pair in every if pair[0] in files}
        print(f"| {project.name} | {models} | {with_columns} | {len(theirs)} | {len(ours)} | {len(ours & theirs)} |")
        for title, pairs in (("only dbt", theirs - ours), ("only ours", ours - theirs)):
            for path, name in sorted(pairs)[: arguments.shown]:
                print(f"    {title}: {path} reads {name}", file=sys.stderr)


if __name__ == "__main__":
    main()
