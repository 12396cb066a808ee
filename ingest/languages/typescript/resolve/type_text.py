"""The text of computed types, as a person would write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .model.binder import Module
from .model.type_model import (
    STRING,
    ClassExpression,
    EnumMember,
    External,
    FunctionType,
    Indexed,
    Instance,
    Instantiated,
    Intersection,
    KeyOf,
    Literal,
    ModuleType,
    ObjectLiteral,
    ObjectShape,
    Overloads,
    Picked,
    Primitive,
    ShapeInstance,
    Spread,
    Static,
    Template,
    Tuple,
    Type,
    TypeParameter,
    Union,
)
from .model.written_text import shortened, written_signature

if TYPE_CHECKING:
    from .engine import Engine

#: Maximum number of levels of nested types that are spelled out.
_MAX_NESTING = 4
#: Maximum number of parts of a union, and of members of an object type, that are spelled out.
_MAX_PARTS = 12


def type_text(engine: Engine, kind: Type) -> str:
    """Return the text of a type; "…" replaces a part without a short text."""
    return shortened(_text(engine, kind, 0))


def _text(engine: Engine, kind: Type, depth: int) -> str:
    if depth > _MAX_NESTING:
        return "…"
    if isinstance(kind, Primitive):
        return "unknown" if kind.name == "unresolved" else kind.name
    if isinstance(kind, Literal):
        return f'"{kind.value}"' if kind.base is STRING else kind.value
    if isinstance(kind, Instance):
        return _instance(engine, kind, depth)
    if isinstance(kind, Union | Intersection):
        between = " | " if isinstance(kind, Union) else " & "
        parts = [_tight(engine, part, depth) for part in kind.parts[:_MAX_PARTS]]
        return between.join([*parts, *(("…",) if len(kind.parts) > _MAX_PARTS else ())])
    if isinstance(kind, FunctionType):
        return written_signature(kind.unit, kind.index)
    if isinstance(kind, Overloads):
        return _text(engine, kind.signatures[0], depth)
    if isinstance(kind, Instantiated):
        return _text(engine, kind.target, depth)
    return _rarer(engine, kind, depth)


def _rarer(engine: Engine, kind: Type, depth: int) -> str:
    if isinstance(kind, EnumMember):
        return f"{kind.entity.facts.name}.{kind.name}"
    if isinstance(kind, Static):
        return f"typeof {kind.entity.facts.name}"
    if isinstance(kind, ModuleType):
        return f'typeof import("{kind.entity.unit.path}")' if isinstance(kind.entity, Module) else "…"
    if isinstance(kind, External):
        return kind.path[-1] if kind.path and "()" not in kind.path else "…"
    if isinstance(kind, Tuple):
        rest = [f"...{_tight(engine, kind.rest, depth)}[]"] if kind.rest is not None else []
        return f"[{', '.join([*(_text(engine, part, depth + 1) for part in kind.elements), *rest])}]"
    if isinstance(kind, Template):
        parts = zip(kind.texts[1:], kind.parts, strict=True)
        return f"`{kind.texts[0]}{''.join(f'${{{_text(engine, part, depth + 1)}}}{text}' for text, part in parts)}`"
    if isinstance(kind, Spread):
        return f"...{_tight(engine, kind.target, depth)}"
    if isinstance(kind, KeyOf):
        return f"keyof {_tight(engine, kind.target, depth)}"
    if isinstance(kind, Indexed):
        return f"{_tight(engine, kind.target, depth)}[{_text(engine, kind.index, depth + 1)}]"
    if isinstance(kind, Picked):
        if kind.optional:
            return f"Partial<{_text(engine, kind.target, depth + 1)}>"
        names = " | ".join(f'"{name}"' for name in sorted(kind.names))
        return f"{'Pick' if kind.keeps else 'Omit'}<{_text(engine, kind.target, depth + 1)}, {names}>"
    if isinstance(kind, TypeParameter):
        return kind.unit.decls[kind.decl].name
    if isinstance(kind, ObjectShape):
        return _members(engine, kind, depth)
    if isinstance(kind, ObjectLiteral):
        return "{ … }"
    if isinstance(kind, ClassExpression | ShapeInstance):
        return kind.unit.shapes[kind.index].name or "class"
    return "…"


def _members(engine: Engine, kind: ObjectShape, depth: int) -> str:
    names = list(dict.fromkeys(member.name for member in kind.unit.shapes[kind.index].members))
    parts = [f"{name}: {_text(engine, engine.property_type(kind, name), depth + 1)}" for name in names[:_MAX_PARTS]]
    return f"{{ {'; '.join([*parts, *(('…',) if len(names) > _MAX_PARTS else ())])} }}" if parts else "{}"


def _instance(engine: Engine, kind: Instance, depth: int) -> str:
    name = kind.entity.facts.name
    if name == "Array" and len(kind.arguments) == 1:
        return f"{_tight(engine, kind.arguments[0], depth)}[]"
    arguments = ", ".join(_text(engine, argument, depth + 1) for argument in kind.arguments)
    return f"{name}<{arguments}>" if arguments else name


def _tight(engine: Engine, kind: Type, depth: int) -> str:
    text = _text(engine, kind, depth + 1)
    is_loose = isinstance(kind, Union | Intersection | FunctionType | Overloads | KeyOf)
    return f"({text})" if is_loose or (isinstance(kind, External) and " " in text) else text
