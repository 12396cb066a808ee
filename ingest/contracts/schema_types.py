"""The schemas of OpenAPI and AsyncAPI as types with fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .declarations import ContractElement
from .yaml_tree import YamlNode

#: Maximum number of nested arrays in the name of a type.
_MAX_ARRAYS = 8
_FILE_ENDING: Final = re.compile(r"\.(?:ya?ml|json)$")


def type_of(schema: YamlNode) -> str:
    """Return the name of the type in a schema: its reference, its items or its type."""
    suffix = ""
    for _ in range(_MAX_ARRAYS):
        reference = schema.text_of("$ref")
        items = schema.get("items")
        if reference:
            return _FILE_ENDING.sub("", re.split(r"[/#]", reference.rstrip("#/"))[-1]) + suffix
        if items is None:
            kinds = schema.get("type")
            listed = " | ".join(item.text or "" for item in kinds.items) if kinds is not None else ""
            return (listed or schema.text_of("type") or "object") + suffix
        schema = items
        suffix += "[]"
    return f"array{suffix}"


def types_of(root: YamlNode, *keys: str) -> Iterator[ContractElement]:
    """Yield the schemas below some keys as types, each with its properties as fields."""
    for name, line, schema in root.entries_of(*keys):
        kind = "enum" if schema.get("enum") is not None else "type"
        end = max(schema.end_line, line)
        detail = type_of(schema)
        yield ContractElement(
            name, kind, line, None, detail, schema.text_of("description"), line, end, f"{kind} {name}: {detail}"
        )
        for part in (schema, *_pieces(schema)):
            if part.line < line:
                continue  # an alias, whose lines belong to another schema
            for field, at, value in part.entries_of("properties"):
                if at < line:
                    break  # the properties are an alias, too
                written = type_of(value)
                yield ContractElement(
                    f"{name}.{field}",
                    "field",
                    at,
                    name,
                    written,
                    value.text_of("description"),
                    at,
                    min(max(value.end_line, at), end),
                    f"{field}: {written}",
                )


def _pieces(schema: YamlNode) -> list[YamlNode]:
    whole = schema.get("allOf")
    return whole.items if whole is not None else []
