"""Records whose fields are properties of nodes: what a query returns for them."""

from __future__ import annotations

import msgspec

from ...schema.records import camel_case


def property_list(record: type[msgspec.Struct], variable: str) -> str:
    """The properties that a record's fields name, for a RETURN clause: `s.id, s.qualifiedName, …`."""
    return ", ".join(f"{variable}.{camel_case(field)}" for field in record.__struct_fields__)
