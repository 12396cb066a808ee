"""Compares our diagrams with mermaid's own: python diagram_agreement.py MODULES FOLDER...

MODULES is a folder where `npm install mermaid jsdom` was run. Each FOLDER is searched for Markdown files with code blocks of
mermaid and for HTML files with `<pre class="mermaid">`. A row counts as equal if every part of it is the same; the figure of a
kind is the number of equal rows, divided by the larger number of rows of the two sides.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import subprocess
import tempfile
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from astrolabe.ingest.documents.diagrams.diagram_parts import Diagram
from astrolabe.ingest.documents.lowering.diagram_languages import read_diagram

FENCE = re.compile(r"^([ \t>]*)(`{3,}|~{3,})[ \t]*(?:mermaid|mermaid-example)\b[^\n]*\n(.*?)^[ \t>]*\2", re.MULTILINE | re.DOTALL)
PRE = re.compile(r"<pre[^>]*class=\"mermaid[^>]*>(.*?)</pre>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
SPACE = re.compile(r"\s+")
Row = tuple[Any, ...]
Parts = dict[str, Counter[Row]]


def diagrams_in(folder: Path, limit: int) -> Iterable[str]:
    """Texts of diagrams in the files of a folder."""
    count = 0
    for path in sorted([*folder.rglob("*.md"), *folder.rglob("*.html")]):
        if not path.is_file() or "node_modules" in path.parts:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.suffix == ".html":
            found = [html.unescape(match) for match in PRE.findall(text)]
        else:
            found = [unquoted(indent, body) for indent, _, body in FENCE.findall(text)]
        for diagram in found:
            count += 1
            if count <= limit:
                yield diagram


def unquoted(indent: str, body: str) -> str:
    """The text of a code block without what stands before its fence on each line."""
    return textwrap.dedent(f"\n{body}".replace(f"\n{indent}", "\n")[1:] if ">" in indent else body)


def plain(value: Any) -> Any:
    """A label without tags, which mermaid's purifier changes, and with single spaces."""
    if not isinstance(value, str):
        return value
    text = html.unescape(html.unescape(value)).replace("\\n", " ")
    return SPACE.sub(" ", TAG.sub(" ", text)).strip().strip("`").strip()


def block_path(diagram: Diagram, block: int | None) -> str:
    """The kinds of the blocks around a message."""
    kinds: list[str] = []
    while block is not None:
        kinds.append(diagram.blocks[block].kind)
        block = diagram.blocks[block].parent
    return " > ".join(reversed(kinds))


def graph_rows(diagram: Diagram) -> dict[str, list[Row]]:
    """Rows of a diagram of nodes, edges and groups."""
    return {
        "nodes": [(node.id, node.label, node.group) for node in diagram.nodes],
        "edges": [(edge.source, edge.target, edge.label, edge.style) for edge in diagram.edges],
        "groups": [(group.id, group.label, group.parent) for group in diagram.groups],
    }


def sequence_rows(diagram: Diagram) -> dict[str, list[Row]]:
    """Rows of a sequence diagram."""
    rows = graph_rows(diagram)
    rows["messages"] = []
    for message in diagram.messages:
        style = "half" if "half" in message.style else message.style
        rows["messages"].append((message.source, message.target, message.label, style, block_path(diagram, message.block)))
    return {name: rows[name] for name in ("nodes", "groups", "messages")}


def member_rows(diagram: Diagram) -> dict[str, list[Row]]:
    """Rows of a diagram whose nodes have members and whose edges have labels at their ends."""
    rows = graph_rows(diagram)
    rows["nodes"] = [(node.id, node.label, node.group, len(node.members)) for node in diagram.nodes]
    rows["edges"] = [
        (edge.source, edge.target, edge.label, edge.style, edge.source_label, edge.target_label) for edge in diagram.edges
    ]
    return rows


def plain_edges(diagram: Diagram) -> dict[str, list[Row]]:
    """Rows of a diagram whose edges have no style."""
    return {**graph_rows(diagram), "edges": [(edge.source, edge.target, edge.label) for edge in diagram.edges]}


def task_rows(diagram: Diagram) -> dict[str, list[Row]]:
    """Rows of a journey."""
    rows = [(node.label, node.group or "", *node.members[:1], ", ".join(node.members[1:])) for node in diagram.nodes]
    return {"nodes": rows, "groups": graph_rows(diagram)["groups"]}


def tree_rows(diagram: Diagram) -> dict[str, list[Row]]:
    """Rows of a mind map."""
    labels = {node.id: node.label for node in diagram.nodes}
    return {
        "nodes": [(node.label,) for node in diagram.nodes],
        "edges": [(labels[edge.source], labels[edge.target]) for edge in diagram.edges],
    }


def period_rows(diagram: Diagram) -> dict[str, list[Row]]:
    """Rows of a timeline."""
    rows = [(node.label, node.group, "\n".join(node.members)) for node in diagram.nodes]
    return {"nodes": rows, "groups": graph_rows(diagram)["groups"]}


def commit_rows(diagram: Diagram) -> dict[str, list[Row]]:
    """Rows of a graph of commits, where mermaid gives commits random ids."""
    order = {node.id: index for index, node in enumerate(diagram.nodes)}
    return {
        "nodes": [(node.group, "", ", ".join(node.members)) for node in diagram.nodes],
        "edges": [(order[edge.source], order[edge.target]) for edge in diagram.edges],
        "groups": graph_rows(diagram)["groups"],
    }


def gantt_rows(diagram: Diagram) -> dict[str, list[Row]]:
    """Rows of a plan."""
    return {name: rows for name, rows in graph_rows(diagram).items() if name != "edges"}


def kind_rows(diagram: Diagram) -> dict[str, list[Row]]:
    """Rows of a diagram whose nodes have a kind and no label of their own."""
    return {
        "nodes": [(node.id, node.kind) for node in diagram.nodes],
        "edges": [(edge.source, edge.target, edge.label) for edge in diagram.edges],
    }


def c4_rows(diagram: Diagram) -> dict[str, list[Row]]:
    """Rows of a C4 diagram."""
    return {**plain_edges(diagram), "nodes": [(node.id, node.label, node.group, node.kind) for node in diagram.nodes]}


def pie_rows(diagram: Diagram) -> dict[str, list[Row]]:
    """Rows of a pie."""
    return {"nodes": [(node.label, *node.members) for node in diagram.nodes]}


def quadrant_rows(diagram: Diagram) -> dict[str, list[Row]]:
    """Rows of a quadrant chart."""
    return {"nodes": [(node.label,) for node in diagram.nodes], "groups": [(group.label,) for group in diagram.groups]}


ROWS: dict[str, Callable[[Diagram], dict[str, list[Row]]]] = {
    "flowchart": graph_rows,
    "sequence": sequence_rows,
    "class": member_rows,
    "state": graph_rows,
    "er": member_rows,
    "gantt": gantt_rows,
    "journey": task_rows,
    "mindmap": tree_rows,
    "timeline": period_rows,
    "gitgraph": commit_rows,
    "c4": c4_rows,
    "requirement": kind_rows,
    "block": plain_edges,
    "architecture": plain_edges,
    "pie": pie_rows,
    "quadrant": quadrant_rows,
}


def counted(rows: dict[str, list[Any]]) -> Parts:
    """Rows as counters of comparable tuples."""
    return {name: Counter(tuple(plain(value) for value in row) for row in part) for name, part in rows.items()}


def main() -> None:
    """Print a line for each kind, and differences on demand."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--limit", type=int, default=1_000_000, help="diagrams of each folder")
    parser.add_argument("--show", default="", help="kind whose differences to print")
    arguments = parser.parse_args()
    texts = list(dict.fromkeys(text for folder in arguments.folders for text in diagrams_in(folder, arguments.limit)))
    with tempfile.TemporaryDirectory() as folder:
        inputs, outputs = Path(folder, "diagrams.json"), Path(folder, "truth.json")
        inputs.write_text(json.dumps(texts))
        judge = Path(__file__).with_name("diagram_judge.mjs")
        command = ["node", judge, arguments.modules.resolve(), inputs, outputs]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        truths = json.loads(outputs.read_text())
    diagrams: Counter[str] = Counter()
    equal: Counter[tuple[str, str]] = Counter()
    total: Counter[tuple[str, str]] = Counter()
    refused = accepted = 0
    for text, truth in zip(texts, truths, strict=True):
        ours = read_diagram("mermaid", text)
        if "error" in truth:
            refused += 1
            accepted += ours.problem is None
            continue
        kind = truth.pop("kind")
        if truth.pop("unread", False):
            continue
        diagrams[kind] += 1
        theirs = counted(truth)
        mine = counted(ROWS[kind](ours)) if ours.problem is None else {}
        if arguments.show == kind and ours.problem is not None:
            print("PROBLEM", ours.problem, "\n", textwrap.indent(text, "    ")[:1500])
        for part, rows in theirs.items():
            own = mine.get(part, Counter())
            equal[kind, part] += (rows & own).total()
            total[kind, part] += max(rows.total(), own.total())
            if arguments.show == kind and rows != own and ours.problem is None:
                print(part, "MISSING", list((rows - own).elements())[:4], "EXTRA", list((own - rows).elements())[:4])
    for kind in ROWS:
        if diagrams[kind]:
            parts = [part for name, part in total if name == kind]
            share = sum(equal[kind, part] for part in parts) / max(sum(total[kind, part] for part in parts), 1)
            counts = " ".join(f"{part} {equal[kind, part]}/{total[kind, part]}" for part in parts)
            print(f"{kind:12} {diagrams[kind]:4} diagrams  {share:.4f}  {counts}")
    print(f"{len(texts)} diagrams; mermaid refuses {refused}, of which {accepted} are read here")


if __name__ == "__main__":
    main()
