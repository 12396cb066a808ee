"""Convert loads to Arrow tables with the types that the schema declares."""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain
from typing import TYPE_CHECKING, Any

from ...schema.errors import StoreError
from .load_plan import END, START, Load

if TYPE_CHECKING:
    import pyarrow

_ARROW_NAMES = {"STRING": "string", "INT64": "int64", "INT32": "int32", "BOOLEAN": "bool_"}


def arrow_table(load: Load, names: Collection[str] | None = None) -> pyarrow.Table:
    """Return the rows of a load as a table. The table has a column for each property, or for each of the properties `names`, in
    the order of the schema. For a relationship, the keys of its ends come first.

    Raises StoreError for a value that does not fit its column: a lone surrogate in a text, a number beyond 64 bits.
    """
    import pyarrow

    types = {START: "STRING", END: "STRING"} if load.ends else {}
    types |= {prop.name: prop.type for prop in load.table.properties}
    if names is not None:
        types = {name: kind for name, kind in types.items() if name in names}
    return pyarrow.Table.from_arrays([_column(load, name, kind) for name, kind in types.items()], names=list(types))


def _column(load: Load, name: str, kind: str) -> pyarrow.Array:
    try:
        return _array(load.columns[name], kind)
    except (ValueError, TypeError, OverflowError) as error:
        raise StoreError(f"{load.table.name}.{name} cannot hold a value of the content: {error}") from error


def _array(values: list[Any], kind: str) -> pyarrow.Array:
    import numpy as np
    import pyarrow

    element = getattr(pyarrow, _ARROW_NAMES[kind.removesuffix("[]")])()
    if not kind.endswith("[]"):
        return pyarrow.array(values, element)
    # Offsets and flat values are several times faster than a list of tuples.
    offsets = np.zeros(len(values) + 1, np.int32)
    np.cumsum(np.fromiter(map(len, values), np.int32, len(values)), out=offsets[1:])
    return pyarrow.ListArray.from_arrays(pyarrow.array(offsets), pyarrow.array(list(chain.from_iterable(values)), element))
