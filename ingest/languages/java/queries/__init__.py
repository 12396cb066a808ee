"""Uses of tables by calls of Java's object mappers: Spring Data, Panache, JPA, Querydsl, jOOQ, MyBatis, Room and JDBC."""

from __future__ import annotations

from collections.abc import Iterator

from ...framework_rules.composed_statements import composed_statements
from ...framework_rules.constant_statements import constant_statements
from ...framework_rules.queries import FoundQuery, QueryFile
from .common_mappers import common_mapper_queries
from .entity_managers import manager_queries
from .entity_rows import entity_row_queries
from .jdbc import jdbc_queries
from .jooq import jooq_queries
from .mybatis import mybatis_queries
from .panache import panache_queries
from .querydsl import querydsl_queries
from .repositories import repository_queries
from .room import room_queries
from .templates import template_queries


class JavaQueries:
    """The rules of Java's object mappers for the engine."""

    def queries(self, file: QueryFile) -> Iterator[FoundQuery]:
        """Yield the database statements that calls and the methods of repositories in a file run."""
        yield from repository_queries(file)
        yield from manager_queries(file)
        yield from panache_queries(file)
        yield from entity_row_queries(file)
        yield from querydsl_queries(file)
        yield from jooq_queries(file)
        yield from mybatis_queries(file)
        yield from common_mapper_queries(file)
        yield from room_queries(file)
        yield from constant_statements(file, calls_values=False)  # a callee is a method
        yield from composed_statements(file)
        yield from jdbc_queries(file)
        yield from template_queries(file)
