"""Templates of Spring Data JDBC and R2DBC: `template.select(User.class).matching(…)`, `aggregates.save(order)`.

See https://docs.spring.io/spring-data/relational/reference/r2dbc/entity-persistence.html.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from .annotated import method_calls, written_types

_TEMPLATES: Final = frozenset(
    ("R2dbcEntityTemplate", "R2dbcEntityOperations", "FluentR2dbcOperations", "JdbcAggregateTemplate", "JdbcAggregateOperations")
)
_STATEMENTS: Final = {
    **dict.fromkeys(
        ("select", "selectOne", "count", "exists", "findAll", "findById", "findAllById", "findOne", "existsById"), "select"
    ),
    **dict.fromkeys(("insert", "insertAll"), "insert"),
    **dict.fromkeys(("update", "updateAll"), "update"),
    **dict.fromkeys(("save", "saveAll"), "merge"),
    **dict.fromkeys(("delete", "deleteAll", "deleteById", "deleteAllById"), "delete"),
}
_CLASS: Final = "java.lang.Class"


def template_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the statements that the templates in a file run. A row or the class of a row names the table."""
    if _TEMPLATES.isdisjoint(file.facts.strings):
        return
    for node, callee in method_calls(file):
        statement = _STATEMENTS.get(file.name(callee))
        receiver = file.name(file.code[callee + 1])
        if statement is None or written_types(file).get(receiver, "").rpartition(".")[2] not in _TEMPLATES:
            continue
        modifies = statement != "select"
        for argument in file.items(file.code[node + 2]):
            for kind in file.types(argument):
                for row in (*kind.argument(_CLASS), kind):
                    if row.declared is not None and not (row is kind and kind.is_class):
                        use = FoundUse(row.declared, (), modifies, is_whole=statement in ("select", "insert", "merge"))
                        yield FoundQuery(node, statement, [use], file.is_inferred)
