"""Methods of the managers and query sets of Django: the statements that the methods run, and what the methods return.

See https://docs.djangoproject.com/en/stable/ref/models/querysets/. Awaited methods have `a` before their name.
"""

from __future__ import annotations

from typing import Final

#: Methods that run a statement, with its kind.
RUN: Final = {
    **dict.fromkeys(
        ("get", "get_or_none", "first", "last", "latest", "earliest", "count", "exists", "contains", "aggregate", "in_bulk",
         "explain"), "select"
    ),
    **dict.fromkeys(("create", "bulk_create", "get_or_create", "create_user", "create_superuser"), "insert"),
    **dict.fromkeys(("update", "bulk_update"), "update"),
    "update_or_create": "merge",
    "delete": "delete",
}  # fmt: skip
#: Methods of query sets that return other query sets of the same model.
LAZY: Final = frozenset(
    ("all", "filter", "exclude", "complex_filter", "annotate", "alias", "order_by", "reverse", "distinct", "extra", "defer",
     "only", "using", "select_related", "prefetch_related", "select_for_update", "union", "intersection", "difference", "values",
     "values_list", "dates", "datetimes", "raw", "get_queryset", "iterator", "aiterator")
)  # fmt: skip
#: All these methods, with the kind of the statement.
STATEMENTS: Final = {**RUN, **{f"a{name}": statement for name, statement in RUN.items()}, **dict.fromkeys(LAZY, "select")}
_ON_LINKS: Final = {"add": "insert", "remove": "delete", "clear": "delete", "set": "merge"}
#: Methods that add members to the set of a relation, or remove members from it: `author.books.add(book)`.
LINKING: Final = {**_ON_LINKS, **{f"a{name}": statement for name, statement in _ON_LINKS.items()}}
#: Methods of query sets that return an instance.
GIVE_ONE: Final = frozenset(
    f"{prefix}{name}" for prefix in ("", "a")
    for name in ("get", "get_or_none", "first", "last", "latest", "earliest", "create")
)  # fmt: skip
