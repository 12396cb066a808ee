"""The meaning of `this` in the functions of a schema of Mongoose: https://mongoosejs.com/docs/guide.html#statics.

userSchema.statics.isTaken = async function (email) { return this.exists({ email }) }     the model
userSchema.pre("save", function () { this.name = this.name.trim() })                      a row
"""

from __future__ import annotations

from typing import Final, NamedTuple

from .....facts.operations import ContextKind, Op, ThisKind
from ...resolve.call_targets import unwrapped
from ...resolve.model.unit import Unit
from ..mappers.rules import Result

#: Meaning of `this` in functions that are members of a part of a schema.
_PARTS: Final = {"statics": Result.MODEL, "methods": Result.ROW, "query": Result.QUERY}
#: Meaning of `this` in functions that are arguments of a method of a schema.
_METHODS: Final = {"static": Result.MODEL, "method": Result.ROW}
#: Methods that run a function before or after an operation.
_HOOKS: Final = frozenset(("pre", "post"))
#: Operations on one row.
_ROW_OPERATIONS: Final = frozenset(("save", "validate", "init"))
#: Name of the function of Mongoose that makes a model of a schema.
_MAKER: Final = "model"


class SchemaThis(NamedTuple):
    """The meaning of `this`, one of `Result`, and the call that makes the model of the schema."""

    kind: str
    #: Node of the call `mongoose.model("User", userSchema)` in the same file.
    model: int


def this_of_schema(unit: Unit, node: int) -> SchemaThis | None:
    """Return the meaning of `this` in a function that belongs to a schema in a variable; None in other functions."""
    code = unit.code
    if code[node + 1] != ThisKind.FUNCTION:
        return None
    function = unit.function_node(code[node + 2])
    if function is None:
        return None
    kind, at, _ = unit.contexts[function]
    found = _assigned(unit, at) if kind == ContextKind.ASSIGNED else _passed(unit, at) if kind == ContextKind.ARGUMENT else None
    if found is None:
        return None
    role, schema = found
    model = _model_of(unit, schema)
    return SchemaThis(role, model) if model >= 0 else None


def _assigned(unit: Unit, target: int) -> tuple[str, str] | None:
    """Return the meaning and the schema for a function that is assigned to `userSchema.statics.find`."""
    code = unit.code
    if code[target] != Op.MEMBER:
        return None
    part = unwrapped(unit, code[target + 1])
    if code[part] != Op.MEMBER:
        return None
    role = _PARTS.get(unit.strings[code[part + 2]])
    schema = unwrapped(unit, code[part + 1])
    return (role, unit.strings[code[schema + 2]]) if role is not None and code[schema] == Op.NAME else None


def _passed(unit: Unit, call: int) -> tuple[str, str] | None:
    """Return the meaning and the schema for a function that is an argument of `userSchema.pre("save", …)`."""
    code = unit.code
    callee = unwrapped(unit, code[call + 1]) if code[call] == Op.CALL else -1
    if callee < 0 or code[callee] != Op.MEMBER:
        return None
    schema = unwrapped(unit, code[callee + 1])
    name = unit.strings[code[callee + 2]]
    arguments = unit.items(code[call + 2]).tolist()
    if code[schema] != Op.NAME or len(arguments) < 2:
        return None
    if name in _METHODS:
        return _METHODS[name], unit.strings[code[schema + 2]]
    first = arguments[0]
    is_row = code[first] == Op.STRING and unit.strings[code[first + 2]] in _ROW_OPERATIONS
    return (Result.ROW, unit.strings[code[schema + 2]]) if name in _HOOKS and is_row else None


def _model_of(unit: Unit, schema: str) -> int:
    """Return the call that makes a model of the schema in a variable; -1 if the file has none."""
    code = unit.code
    for call in unit.facts.calls:
        callee = unwrapped(unit, code[call + 1]) if code[call] == Op.CALL else -1
        if callee < 0 or code[callee] not in (Op.NAME, Op.MEMBER) or unit.strings[code[callee + 2]] != _MAKER:
            continue
        arguments = unit.items(code[call + 2]).tolist()
        given = unwrapped(unit, arguments[1]) if len(arguments) > 1 else -1
        if given >= 0 and code[given] == Op.NAME and unit.strings[code[given + 2]] == schema:
            return call
    return -1
