"""Uses of tables by calls of Go's object mappers, builders of SQL, and methods of sqlc."""

from __future__ import annotations

from collections.abc import Iterator

from ...framework_rules.composed_statements import composed_statements
from ...framework_rules.constant_statements import constant_statements
from ...framework_rules.queries import FoundQuery, QueryFile
from .builders import builder_queries
from .bun import bun_queries
from .ent import ent_queries
from .gorm import gorm_queries
from .gorm_gen import gorm_gen_queries
from .gorm_wrappers import wrapped_queries
from .query_files import named_queries
from .row_columns import row_columns
from .sessions import session_queries
from .sqlboiler import sqlboiler_queries


class GoQueries:
    """The rules of Go's object mappers for the engine."""

    def queries(self, file: QueryFile) -> Iterator[FoundQuery]:
        """Yield the database statements that calls of a file run."""
        yield from gorm_queries(file)
        yield from wrapped_queries(file)
        yield from gorm_gen_queries(file)
        yield from bun_queries(file)
        yield from ent_queries(file)
        yield from session_queries(file)
        yield from sqlboiler_queries(file)
        yield from builder_queries(file)
        yield from named_queries(file)
        yield from row_columns(file)
        yield from constant_statements(file)
        yield from composed_statements(file)
