"""Uses of tables by calls of Python's object mappers: query sets of Django, statements of SQLAlchemy, models that run
statements (Peewee, Piccolo, MongoEngine, Beanie), and named queries in SQL files.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...framework_rules.constant_statements import constant_statements
from ...framework_rules.queries import FoundQuery, QueryFile
from .active_record import active_record_queries
from .django import django_queries
from .named_tables import named_tables
from .query_files import named_queries
from .sqlalchemy import sqlalchemy_queries
from .written_calls import written_call


class PythonQueries:
    """The rules of Python's object mappers for the engine."""

    def queries(self, file: QueryFile) -> Iterator[FoundQuery]:
        """Yield the database statements that calls of a file run."""
        calls = [call for node in file.facts.calls if (call := written_call(file, node)) is not None]
        yield from django_queries(file, calls)
        yield from sqlalchemy_queries(file, calls)
        yield from active_record_queries(file, calls)
        yield from named_queries(file, calls)
        yield from named_tables(file, calls)
        yield from constant_statements(file)
