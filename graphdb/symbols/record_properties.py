"""The properties that a query returns for a record."""

from __future__ import annotations

import msgspec

from ...schema.records import camel_case


def property_list(record: type[msgspec.Struct], variable: str) -> str:
    """Return the list of a RETURN clause that reads the fields of a record from a node or an edge: `s.id, s.qualifiedName, …`."""
    return ", ".join(f"{variable}.{camel_case(field)}" for field in record.__struct_fields__)
