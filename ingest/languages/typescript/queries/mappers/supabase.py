"""Calls of Supabase, whose tables and columns have the names of the database: https://supabase.com/docs/reference/javascript/select."""

from __future__ import annotations

import re
from typing import Final

from ......schema.edges import ROUTINE_CALL
from .rules import Mapper, Result, Role, methods

_CONDITIONS: Final = (
    "eq neq gt gte lt lte like ilike likeAllOf likeAnyOf ilikeAllOf ilikeAnyOf is in contains containedBy rangeGt rangeGte "
    "rangeLt rangeLte rangeAdjacent overlaps textSearch not filter order"
)
_QUERY: Final = {
    **methods("select", (Role.SELECTION, Role.NONE), "select"),
    **methods("insert", (Role.VALUES, Role.NONE), "insert"),
    **methods("merge", (Role.VALUES, Role.NONE), "upsert"),
    **methods("update", (Role.VALUES, Role.NONE), "update"),
    **methods("delete", (), "delete"),
    **methods("", (Role.FIELDS, Role.NONE), _CONDITIONS),
    **methods("", (Role.WHERE,), "match"),
    **methods(
        "", (), "or limit range single maybeSingle csv geojson explain rollback returns overrideTypes throwOnError abortSignal"
    ),
}

SUPABASE: Final = Mapper(
    "supabase",
    re.compile(r"npm:(?:.*[/:])?@supabase/(?:supabase-js|ssr|postgrest-js|auth-helpers-[\w-]+)(?:[@/].*)?"),
    of_query={name: each._replace(result=Result.QUERY) for name, each in _QUERY.items()},
    of_manager={
        **methods("", (Role.TABLE,), "from", Result.QUERY),
        **methods(ROUTINE_CALL, (Role.ROUTINE, Role.NONE), "rpc", Result.QUERY),
        **methods("", (), "schema", Result.MANAGER),
    },
    names_tables=True,
)
