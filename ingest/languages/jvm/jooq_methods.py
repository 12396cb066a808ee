"""The methods of jOOQ that take tables: https://www.jooq.org/doc/latest/manual/sql-building/."""

from __future__ import annotations

from typing import Final

#: Methods that begin a statement, or the part of it that names its table, with the kind of the statement.
STATEMENTS: Final = {
    **dict.fromkeys(
        ("selectFrom", "from", "fetchCount", "fetchExists", "fetchOne", "fetchAny", "fetchOptional", "fetchSingle"), "select"
    ),
    **dict.fromkeys(("insertInto", "insert"), "insert"),
    "update": "update",
    **dict.fromkeys(("delete", "deleteFrom"), "delete"),
    **dict.fromkeys(("mergeInto", "truncate"), "merge"),
}
#: Methods that add a table to the statement around them. Their receiver may be a table, too: `USERS.join(POSTS)`.
JOINS: Final = ("join", "innerJoin", "leftJoin", "leftOuterJoin", "rightJoin", "fullJoin", "crossJoin")
