"""Classes that code maps to tables of SQLAlchemy: `registry.map_imperatively(User, users)`, `mapper(User, users)`.

See https://docs.sqlalchemy.org/en/20/orm/mapping_styles.html#imperative-mapping.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....facts.mapped_tables import MappedField, MappedModel, ModelKind
from .declared import Attribute, Call, DeclaredNames
from .hints import MAPPING_CALLS
from .sqlalchemy_relations import RELATIONS, relation_of
from .sqlalchemy_types import last_part

#: Options of such a declaration: the name of the class, and the dotted name of its table.
MAPPED_CLASS: Final = "mapped class"
MAPPED_TABLE: Final = "mapped table"


def imperative_models(names: DeclaredNames) -> Iterator[MappedModel]:
    """Yield a declaration for each call that maps a class of the repository, in any file, to a table."""
    for node in () if MAPPING_CALLS.isdisjoint(names.facts.strings) else names.facts.calls:
        call = _mapping(names, node)
        if call is None:
            continue
        cls, table = last_part(_class_of(call, names)), names.dotted(call.argument("local_table", 1))
        if not cls or not table:
            continue
        model = MappedModel("sqlalchemy", "", ModelKind.ABSTRACT, -1, names.line(node))
        model.options = {MAPPED_CLASS: cls, MAPPED_TABLE: table}
        for name, value in names.entries(names.value(call.named.get("properties", -1))).items():
            inner = names.call(value)
            if inner is not None and last_part(inner.name) in RELATIONS:
                relation = relation_of(names, Attribute(name, 0, value), inner)
                relation.target = _mapped_by(names, inner) or relation.target
                model.relations.append(relation)
            elif column := last_part(names.dotted(value)):
                model.fields.append(MappedField(name, -1, model.line, "", column=column))
        yield model


def _mapping(names: DeclaredNames, node: int) -> Call | None:
    """Return a call that maps a class; None for any other expression."""
    method = names.method_call(node)[1] or last_part(names.dotted(names.callee(node)))
    return names.call(node) if method in MAPPING_CALLS else None


def _class_of(call: Call, names: DeclaredNames) -> str:
    return names.dotted(call.argument("class_", 0))


def _mapped_by(names: DeclaredNames, relation: Call) -> str:
    """Return the class of the mapper in a variable that is the target of a relation; "" for other targets."""
    target = relation.argument("argument", 0)
    for value in names.values(target) if target >= 0 else ():
        mapping = _mapping(names, value)
        if mapping is not None:
            return _class_of(mapping, names)
    return ""
