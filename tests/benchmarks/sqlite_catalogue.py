"""Write what SQLite knows after the migrations of a folder as JSON, for `schema_quality --catalogue FILE --migrations`.

    python sqlite_catalogue.py MIGRATIONS > catalogue.json

The files of SQL run in the order of their names, or of the names of their folders; `.down.sql` and `down.sql` are left out, and
so is what follows a mark of a down migration (`-- +goose Down`, `-- migrate:down`). Statements that fail are counted on
standard error. Keys have no names, because SQLite has none for them. The columns of a primary key count as not null, although
SQLite admits NULL in most of them.
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

_RULES = {"CASCADE": "c", "SET NULL": "n", "SET DEFAULT": "d", "RESTRICT": "r"}
_DOWN = re.compile(r"^--\s*(?:\+goose down|migrate:down|\+migrate down).*", re.IGNORECASE | re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"(\d+)")


def _in_order(path: Path) -> list[tuple[int, str]]:
    parts = _NUMBER.split(path.as_posix())
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def _statements(text: str) -> Iterator[str]:
    """Yield the statements of a text: triggers contain semicolons, so that SQLite itself tells where a statement ends."""
    held = ""
    for part in re.split(r"(;)", text):
        held += part
        if part == ";" and sqlite3.complete_statement(held):
            yield held
            held = ""
    if held.strip():
        yield held


def _rows(database: sqlite3.Connection) -> Iterator[list[str]]:
    query = "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
    for kind, name in database.execute(query).fetchall():
        yield [kind, "public", name]
        if kind == "view":
            continue
        keys = {}
        for _, column, declared, is_required, _, place, _ in database.execute(f'PRAGMA table_xinfo("{name}")'):
            yield ["column", "public", name, column, declared, str(bool(is_required or place)).lower()]
            if place:
                keys[place] = column
        if keys:
            yield ["primary key", "public", name, "", ",".join(keys[each] for each in sorted(keys)), "", ""]
        for _, index, is_unique, origin, _ in database.execute(f'PRAGMA index_list("{name}")').fetchall():
            columns = ",".join(str(row[2]) for row in database.execute(f'PRAGMA index_info("{index}")'))
            if origin == "u":
                yield ["unique", "public", name, "", columns, "", ""]
            elif origin == "c":
                yield ["index", "public", name, index, str(bool(is_unique)).lower()]
        found: dict[int, tuple[str, str, list[str]]] = {}
        for number, _, target, column, _, _, rule, _ in database.execute(f'PRAGMA foreign_key_list("{name}")'):
            found.setdefault(number, (target, _RULES.get(rule, "a"), []))[2].append(column)
        for target, rule, columns_of in found.values():
            yield ["foreign key", "public", name, "", ",".join(columns_of), target, rule]


def main() -> None:
    """Run the migrations in memory, and write the rows of all tables."""
    folder = Path(sys.argv[1])
    database = sqlite3.connect(":memory:", isolation_level=None)
    failed = 0
    for path in sorted(folder.rglob("*.sql"), key=_in_order):
        if path.name.endswith("down.sql"):
            continue
        for statement in _statements(_DOWN.sub("", path.read_text("utf-8-sig"))):
            try:
                database.execute(statement)
            except sqlite3.Error as error:
                failed += 1
                print(f"{path.name}: {error}: {' '.join(statement.split())[:100]}", file=sys.stderr)
    print(f"{failed} statements failed", file=sys.stderr)
    json.dump(sorted(_rows(database)), sys.stdout, indent=0)


if __name__ == "__main__":
    main()
