"""Read the relationships of SQLAlchemy and SQLModel: `relationship("User", back_populates="posts", lazy="joined")`.

See https://docs.sqlalchemy.org/en/20/orm/relationship_api.html. Attributes that stand for others belong to them: proxies of
relations, `column_property(select(…))`, and hybrid properties.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from ....facts.mapped_tables import FieldKind, MappedField
from ....facts.operations import Op
from .declared import Attribute, Call, DeclaredNames, Method
from .sqlalchemy_types import last_part

#: Calls that declare a relation.
RELATIONS: Final = frozenset(("relationship", "Relationship", "dynamic_loader"))
#: Ways to load a relation that read its rows with each query of the model.
_EAGER: Final = frozenset(("joined", "selectin", "subquery", "immediate"))
#: Types of collections in an annotation.
_COLLECTIONS: Final = frozenset(
    ("list", "List", "set", "Set", "Sequence", "Collection", "Iterable", "AppenderQuery", "WriteOnlyMapped", "DynamicMapped")
)
_WRAPPERS: Final = frozenset(("Mapped", "Optional", "Union", "Annotated"))
_NAME: Final = re.compile(r"[\w.]+")
#: Decorators of a method that is an expression in queries: `@hybrid_property`, `@full_name.expression`.
_HYBRID: Final = re.compile(r"(?:[\w.]+\.)?hybrid_(?:property|method)|(\w+)\.(?:inplace\.)?expression")
#: A statement that adds an attribute to a class.
_ADDED: Final = re.compile(r"(\w+)\.(\w+) *=")
_OF_TWO: Final = frozenset((Op.OPERATOR, Op.EQUALITY, Op.COMPARED, Op.IN, Op.LOGICAL))
_OF_ONE: Final = frozenset((Op.MEMBER, Op.PROP, Op.SPREAD, Op.NOT, Op.INDEX))
#: Maximum depth of nested types.
_MAX_DEPTH: Final = 10
#: Maximum number of different names that are read in one expression.
_MAX_NAMES: Final = 100


def relation_of(names: DeclaredNames, attribute: Attribute, call: Call) -> MappedField:
    """Return the relation that a call declares.

    `fields` has the names of the columns in `foreign_keys`, and `target_fields` those in `remote_side`. `relation` is the name of
    a `backref`, with its own options in `overrides`.
    """
    named = {**names.entries(call.named.get("sa_relationship_kwargs", -1)), **call.named}
    made = MappedField(attribute.name, attribute.symbol, names.facts.symbols[attribute.symbol].declaration_line, "")
    _annotated(names, attribute.annotation, made, 0)
    written = names.value(named.get("argument", call.positional[0] if call.positional else -1))
    made.target = names.text(written) or names.dotted(written) or made.target
    joined = named.get("secondary", named.get("link_model", call.positional[1] if len(call.positional) > 1 else -1))
    if joined >= 0:
        made.through = names.text(names.value(joined)) or names.dotted(joined) or "?"
    made.fields = _columns(names, named.get("foreign_keys", -1))
    made.target_fields = _columns(names, named.get("remote_side", -1))
    made.inverse = names.text(named.get("back_populates", -1))
    _load(names, named, made)
    back = named.get("backref", -1)
    inner = names.call(back)
    made.relation = names.text(back) if inner is None else names.text(inner.argument("name", 0))
    if inner is not None and made.relation:
        other = MappedField("", -1, made.line, "")
        _load(names, inner.named, other)
        made.overrides = {"delete": other.on_delete, "eager": "true" if other.is_eager else ""}
    return made


def _load(names: DeclaredNames, arguments: Mapping[str, int], made: MappedField) -> None:
    """Read how rows of the relation are loaded and deleted."""
    lazy = arguments.get("lazy", -1)
    made.is_eager = names.text(lazy) in _EAGER or names.is_false(lazy)
    parts = [each.strip() for each in names.text(names.value(arguments.get("cascade", -1))).split(",")]
    if "all" in parts or "delete" in parts:
        made.on_delete = "CASCADE"
    elif names.is_true(arguments.get("viewonly", -1)) or names.text(arguments.get("passive_deletes", -1)) == "all":
        made.on_delete = "NO ACTION"
    uselist = arguments.get("uselist", -1)
    if names.is_false(uselist):
        made.kind = FieldKind.ONE_TO_ONE
    elif names.is_true(uselist):
        made.is_list = True


def _annotated(names: DeclaredNames, node: int, made: MappedField, depth: int) -> None:
    """Read the target of a relation, and whether it has many rows, from an annotation: `Mapped[list["Post"]]`."""
    for side in names.alternatives(node) if node >= 0 and depth < _MAX_DEPTH else ():
        if side < 0 or names.is_none(side):
            continue
        generic, arguments = names.subscript(side)
        if own := last_part(generic):
            made.is_list = made.is_list or own in _COLLECTIONS
            if own in _COLLECTIONS or own in _WRAPPERS:
                for each in arguments:
                    _annotated(names, each, made, depth + 1)
        elif text := names.text(side):
            words = [last_part(each) for each in _NAME.findall(text)]
            made.is_list = made.is_list or any(each in _COLLECTIONS for each in words)
            others = [each for each in words if each not in _COLLECTIONS and each not in _WRAPPERS and each != "None"]
            made.target = made.target or (others[0] if others else "")
        else:
            made.target = made.target or names.dotted(side)


def _columns(names: DeclaredNames, node: int) -> list[str]:
    """Return the columns in `foreign_keys`: `[team_id]`, `"User.team_id"`, `"[Post.user_id, Post.team_id]"`."""
    if node < 0:
        return []
    if text := names.text(node):
        return _NAME.findall(text)
    return [name for each in (names.elements(node) or [node]) if (name := names.text(each) or names.dotted(each))]


def computed_of(names: DeclaredNames, attribute: Attribute, call: Call) -> MappedField | None:
    """Return the attribute that a call computes from others: `association_proxy("posts", "title")`, `column_property(…)`."""
    made = MappedField(attribute.name, attribute.symbol, 0, "")
    if last_part(call.name) == "association_proxy":
        made.kind, made.fields = FieldKind.ALIAS, [names.text(each) for each in call.positional[:2]]
        return made if all(made.fields) else None
    if last_part(call.name) != "column_property" or not call.positional:
        return None
    made.kind, made.fields = FieldKind.COMPUTED, _names_in(names, call.positional[0])
    made.is_eager = not names.is_true(call.named.get("deferred", -1))
    return made


def computed_beside(names: DeclaredNames, node: int, call: Call) -> tuple[str, MappedField] | None:
    """Return an attribute that a statement of the module adds to a class, and the class: `User.count = column_property(…)`."""
    match = _ADDED.match(names.facts.symbols[names.owner(node)].name)
    if match is None:
        return None
    field = computed_of(names, Attribute(match[2], -1, node), call)
    return (match[1], field) if field is not None else None


def hybrids_of(names: DeclaredNames, methods: Sequence[Method]) -> list[MappedField]:
    """Return the hybrid properties and methods among the methods of a class, each with the names in its last expression."""
    found: dict[str, MappedField] = {}
    for method in methods:
        for match in filter(None, map(_HYBRID.fullmatch, method.decorators)):
            own = match[1] or method.name
            written = _names_in(names, method.returned)
            found[own] = MappedField(own, method.symbol, 0, "", kind=FieldKind.CONDITION, fields=written)
    return list(found.values())


def _names_in(names: DeclaredNames, node: int) -> list[str]:
    """Return the dotted names in an expression."""
    code, found, waiting = names.code, dict[str, None](), [node]
    while waiting and len(found) < _MAX_NAMES:
        node = waiting.pop()
        op = code[node] if node >= 0 else -1
        if name := names.dotted(node):
            found[name] = None
        elif op == Op.CALL:
            waiting += (code[node + 1], *names.items(code[node + 2]))
        elif op in _OF_TWO:
            waiting += (code[node + 1], code[node + 2])
        elif op in _OF_ONE:
            waiting.append(code[node + 1])
        elif op == Op.ARRAY:
            waiting += names.items(code[node + 1])
    return list(found)
