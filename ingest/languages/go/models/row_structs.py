"""Structs with tags `db:"name"`, which libraries fill with the rows of queries: https://jmoiron.github.io/sqlx/.

Such structs have no tables. The tags say which columns `SELECT *` reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....facts.mapped_tables import MappedField, MappedModel, ModelKind
from ....facts.model import FileFacts, MemberKind, ShapeKind

ROWS: Final = "rows"
_TAG: Final = re.compile(rb'`[^`\n]*\bdb:"([^",\n]*)[^"\n]*"')


def row_structs(facts: FileFacts, source: bytes) -> Iterator[MappedModel]:
    """Yield the structs of a file with such tags."""
    if _TAG.search(source) is None:
        return
    for shape in facts.shapes:
        if shape.kind != ShapeKind.CLASS or shape.symbol < 0:
            continue
        line = facts.symbols[shape.symbol].name_line
        model = MappedModel(ROWS, shape.name, ModelKind.ABSTRACT, shape.symbol, line, is_managed=False)
        has_tags = False
        for member in shape.members:
            if member.kind != MemberKind.PROPERTY or member.symbol < 0 or not member.name[:1].isupper():
                continue
            end = source.find(b"\n", member.position)
            tag = _TAG.search(source, member.position, end if end >= 0 else len(source))
            column = tag[1].decode("utf-8", "replace") if tag is not None else member.name.lower()
            has_tags = has_tags or tag is not None
            if column and column != "-":
                model.fields.append(MappedField(member.name, member.symbol, line, "", column))
        if has_tags:
            yield model
