"""Entity managers of JPA and sessions of Hibernate: rows that code stores, finds and removes, and statements in JPQL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from .annotated import method_calls, types_of
from .jpql import read_jpql

_PACKAGE: Final = re.compile(
    r"(?:jakarta|javax)\.persistence(?:\.\w+)*:.*|org\.hibernate(?:\.\w+)*:.*|.*springframework.*EntityManager.*"
)
#: Methods whose first argument is an entity, with the kind of the statement.
_OF_INSTANCES: Final = {
    **dict.fromkeys(("persist", "save"), "insert"),
    **dict.fromkeys(("merge", "saveOrUpdate"), "merge"),
    "update": "update",
    **dict.fromkeys(("remove", "delete"), "delete"),
    "refresh": "select",
}
#: Methods whose first argument is the class of an entity.
_OF_CLASSES: Final = frozenset(("find", "get", "load", "getReference"))
#: Methods whose first argument is a statement in JPQL.
_STATEMENTS: Final = frozenset(("createQuery", "createSelectionQuery", "createMutationQuery"))
_CLASS: Final = "java.lang.Class"


def manager_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the database statements that calls of entity managers run."""
    for node, callee in method_calls(file):
        arguments = file.items(file.code[node + 2])
        name = file.name(callee) if arguments else ""
        if name in _STATEMENTS:
            found = read_jpql(types_of(file).joined_text(arguments[0]))
            if found is not None:
                yield FoundQuery(node, found.statement, found.uses)
        elif name in _OF_INSTANCES or name in _OF_CLASSES:
            if _PACKAGE.fullmatch(file.origin(callee)) is None:
                continue
            statement = _OF_INSTANCES.get(name, "select")
            for kind in file.types(arguments[0]):
                for entity in kind.argument(_CLASS) if name in _OF_CLASSES else (kind,):
                    if entity.declared is not None:
                        use = FoundUse(entity.declared, (), statement != "select")
                        yield FoundQuery(node, statement, [use], file.is_inferred)
