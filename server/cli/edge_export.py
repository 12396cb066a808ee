"""The output of `astrolabe export edges`: JSON for programs, such as benchmarks, and lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from ...graphdb.queries.edge_export import ExportedEdges


def edges_json(edges: ExportedEdges) -> dict[str, Any]:
    """Return `calls`, `imports`, `heritage`, and `references` by "file:line:name"."""
    plain: dict[str, Any] = msgspec.to_builtins(edges)
    return plain


def edges_text(edges: ExportedEdges) -> str:
    """Return one edge per line, separated by tabs: kind, from, to, details."""
    lines = [
        f"call\t{call.from_file}:{call.from_line} {call.from_name}\t{call.to_file}:{call.to_line} {call.to_name}"
        f"\t{call.form}, {call.evidence}"
        for call in edges.calls
    ]
    lines += [f"import\t{edge.from_file}\t{edge.to_file}" for edge in edges.imports]
    lines += [f"import of a build\t{edge.from_file}\t{edge.to_file}" for edge in edges.built_imports]
    lines += [
        f"{edge.kind}\t{edge.from_file}:{edge.from_line} {edge.from_name}\t{edge.to_file}:{edge.to_line} {edge.to_name}"
        for edge in edges.heritage
    ]
    lines += [f"references\t{place}\t{count.refs} in {len(count.files)} files" for place, count in edges.references.items()]
    return "\n".join(lines)
