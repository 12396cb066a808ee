"""What code does with the tables and columns of a project, as sentences."""

from __future__ import annotations

from astrolabe.schema.graph_content import GraphContent


def uses_of(content: GraphContent, path: str) -> list[str]:
    """Return what the functions of a file do with tables: `find reads Book.price select`."""
    names = {symbol.id: symbol for symbol in content.symbols}
    verbs = {True: "modifies", False: "reads"}
    return sorted(
        f"{names[each.from_id].qualified_name} {verbs[each.modifies]} {names[each.to_id].qualified_name} {each.statement}"
        for each in content.data_uses
        if names[each.from_id].relative_path == path
    )
