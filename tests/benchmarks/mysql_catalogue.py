"""Write what MariaDB knows after the migrations of a folder as JSON, for `schema_quality --mysql --catalogue FILE --migrations`.

    python mysql_catalogue.py SOCKET MIGRATIONS > catalogue.json

The files of SQL run in the order of their names by the client `mariadb`, in a database of their own; `.down.sql` is left out.
With `--database NAME` in place of the folder, the tables of an existing database are written. An index that MariaDB may have
made for a foreign key is an "implied index", and counts only if it is ours as well.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from sqlite_catalogue import _in_order

_DATABASE = "astrolabe_judge"
_RULES = {"CASCADE": "c", "SET NULL": "n", "SET DEFAULT": "d"}


def _run(socket: str, sql: str, *options: str) -> list[list[str]]:
    command = ["mariadb", "-S", socket, "-u", "root", "-N", "-B", "-r", *options]
    done = subprocess.run(command, input=sql, capture_output=True, text=True, check=False)
    if done.stderr:
        print(done.stderr.strip()[:300], file=sys.stderr)
    return [line.split("\t") for line in done.stdout.splitlines()]


def _rows(socket: str, database: str) -> Iterator[list[str]]:
    of = f"table_schema = '{database}'"
    for name, kind in _run(socket, f"SELECT table_name, table_type FROM information_schema.tables WHERE {of}"):
        yield ["view" if kind == "VIEW" else "table", "public", name]
    views = {row[0] for row in _run(socket, f"SELECT table_name FROM information_schema.views WHERE {of}")}
    columns = f"SELECT table_name, column_name, column_type, is_nullable FROM information_schema.columns WHERE {of}"
    for table, name, declared, nullable in _run(socket, columns):
        if table not in views:
            yield ["column", "public", table, name, declared, str(nullable == "NO").lower()]
    keys = (
        "SELECT k.table_name, k.constraint_name, c.constraint_type, group_concat(k.column_name ORDER BY k.ordinal_position),"
        " coalesce(max(k.referenced_table_name), ''), coalesce(max(r.delete_rule), '')"
        " FROM information_schema.key_column_usage k JOIN information_schema.table_constraints c"
        " ON c.table_schema = k.table_schema AND c.table_name = k.table_name AND c.constraint_name = k.constraint_name"
        " LEFT JOIN information_schema.referential_constraints r ON r.constraint_schema = k.table_schema"
        " AND r.constraint_name = k.constraint_name AND r.table_name = k.table_name"
        f" WHERE k.{of} GROUP BY k.table_name, k.constraint_name, c.constraint_type"
    )
    named, foreign = set(), set()
    for table, name, kind, columns_of, target, rule in _run(socket, keys):
        named.add((table, name))
        is_foreign = kind == "FOREIGN KEY"
        if is_foreign:
            foreign.add((table, columns_of))
        shown = "" if kind == "PRIMARY KEY" else name
        yield [kind.lower(), "public", table, shown, columns_of, target, _RULES.get(rule, "a") if is_foreign else ""]
    indexes = (
        "SELECT table_name, index_name, max(non_unique), group_concat(column_name ORDER BY seq_in_index)"
        f" FROM information_schema.statistics WHERE {of} GROUP BY table_name, index_name"
    )
    for table, name, non_unique, columns_of in _run(socket, indexes):
        if name == "PRIMARY" or (non_unique == "0" and (table, name) in named):
            continue
        is_implied = (table, columns_of) in foreign and (name == columns_of.partition(",")[0] or (table, name) in named)
        yield ["implied index" if is_implied else "index", "public", table, name, str(non_unique == "0").lower()]


def main() -> None:
    """Run the migrations in a database, and write the rows of all tables."""
    socket, last = sys.argv[1], sys.argv[-1]
    if "--database" in sys.argv:
        json.dump(sorted(_rows(socket, last)), sys.stdout, indent=0)
        return
    _run(socket, f"DROP DATABASE IF EXISTS {_DATABASE}; CREATE DATABASE {_DATABASE} CHARACTER SET utf8mb4")
    folder = Path(last)
    for path in sorted(folder.rglob("*.sql"), key=_in_order) if folder.is_dir() else [folder]:
        if not path.name.endswith("down.sql"):
            _run(socket, path.read_text("utf-8-sig"), _DATABASE)
    json.dump(sorted(_rows(socket, _DATABASE)), sys.stdout, indent=0)
    _run(socket, f"DROP DATABASE {_DATABASE}")


if __name__ == "__main__":
    main()
