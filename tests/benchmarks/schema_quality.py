"""Compare the schema after all migrations with the catalogue of a PostgreSQL that ran them.

    python -m tests.benchmarks.schema_quality --socket FOLDER MIGRATIONS...

Each argument is a folder of migrations, or a file of SQL. A PostgreSQL must listen on a socket in FOLDER; each comparison makes
a database of its own there and removes it. With `--models FOLDER`, the tables that models in that folder declare are compared
with what the migrations make. With `--database`, each argument is a folder of models and the name of a database in which
their mapper made its tables: `src/entities=shop`. With `--catalogue FILE` the judge is what the mapper itself knows, which
`sqlalchemy_catalogue.py` and its like write as JSON, and the argument is the folder of its models, or with `--migrations` of
its migrations in code. With `--mysql`, `mysql_catalogue.py` wrote it, and types and unique keys are compared as in MySQL. The
table has the rows of the catalogue, ours, and those that are equal; the differences follow.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from astrolabe.ingest.data.schemas.database import Database
from astrolabe.ingest.data.schemas.databases import Schema, read_mapped, read_schemas
from astrolabe.ingest.data.schemas.tables import Constraint, Table
from astrolabe.ingest.data.sql.statements import statements_of
from astrolabe.ingest.facts.data import DataFacts
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.mapped_schemas import mapped_schemas
from astrolabe.schema.languages import language_of

#: A row: kind of object and what is compared of it.
Row = tuple[str, ...]
_DATABASE = "astrolabe_judge"
_SYSTEM = "n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')"
_COLUMNS = f"""
SELECT 'column', n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull::text
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped AND {_SYSTEM}"""
_TABLES = f"""
SELECT CASE WHEN c.relkind IN ('r', 'p') THEN 'table' ELSE 'view' END, n.nspname, c.relname
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'v', 'm') AND {_SYSTEM}"""
_KEYS = f"""
SELECT CASE k.contype WHEN 'p' THEN 'primary key' WHEN 'u' THEN 'unique' ELSE 'foreign key' END, n.nspname, c.relname, k.conname,
  (SELECT string_agg(a.attname, ',' ORDER BY o.place) FROM unnest(k.conkey) WITH ORDINALITY o(number, place)
   JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = o.number),
  coalesce(f.relname, ''), CASE WHEN k.contype = 'f' THEN k.confdeltype::text ELSE '' END
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_class f ON f.oid = k.confrelid WHERE k.contype IN ('p', 'u', 'f') AND {_SYSTEM}"""
_INDEXES = f"""
SELECT 'index', n.nspname, c.relname, i.relname, x.indisunique::text
FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE {_SYSTEM} AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = x.indexrelid AND k.contype IN ('p', 'u', 'x'))"""
_TYPES = {
    "int": "integer",
    "int2": "smallint",
    "int4": "integer",
    "int8": "bigint",
    "serial": "integer",
    "serial4": "integer",
    "serial8": "bigint",
    "bigserial": "bigint",
    "smallserial": "smallint",
    "bool": "boolean",
    "float": "double precision",
    "float4": "real",
    "float8": "double precision",
    "decimal": "numeric",
    "varchar": "character varying",
    "char": "character",
    "varbit": "bit varying",
    "timestamptz": "timestamp with time zone",
    "timestamp": "timestamp without time zone",
    "timetz": "time with time zone",
    "time": "time without time zone",
}
_TYPE = re.compile(
    r"([^(\[]+?)\s*(\([^)]*\))?\s*(with(?:out)? time zone|varying)?\s*(\([^)]*\))?\s*((?:\[\d*\])*|array)$", re.IGNORECASE
)
_KEYS_OF_TABLES = frozenset(("primary key", "unique", "foreign key"))
#: An integer type of MySQL with the width in which it is shown.
_INTEGER = re.compile(r"^(tinyint|smallint|mediumint|int|integer|bigint)\b(?:\s*\(\d+\))?")
_MYSQL_TYPES = {
    "integer": "int",
    "boolean": "tinyint",
    "bool": "tinyint",
    "json": "longtext",
    "numeric": "decimal(10,0)",
    "decimal": "decimal(10,0)",
    "dec": "decimal(10,0)",
    "double precision": "double",
    "real": "double",
    "char": "char(1)",
    "binary": "binary(1)",
}
_RULES = {"CASCADE": "c", "SET NULL": "n", "SET DEFAULT": "d", "RESTRICT": "r"}


def normal_type(text: str) -> str:
    """Return a type as PostgreSQL writes it: `VARCHAR (20)` -> `character varying(20)`."""
    text = text.replace('"', "")
    match = _TYPE.match(text.strip())
    if match is None:
        return text
    name, size, suffix = match[1].lower().strip(), match[2] or match[4] or "", (match[3] or "").lower()
    name = name.removeprefix("pg_catalog.").removeprefix("public.")
    if suffix and name in ("timestamp", "time"):
        name = f"{name} {suffix}"
    elif suffix:
        name = f"{_TYPES.get(name, name)} {suffix}"
    else:
        name = _TYPES.get(name, name)
    size = size.replace(" ", "")
    if name == "double precision" and size:
        name, size = ("real" if int(size[1:-1]) < 25 else name), ""
    if name == "numeric" and size and "," not in size:
        size = f"{size[:-1]},0)"
    if name == "character" and not size:
        size = "(1)"
    if size and " with" in name:
        first, _, rest = name.partition(" ")
        name, size = f"{first}{size} {rest}", ""
    return name + size + ("[]" if match[5] else "")


def _mysql_rows(database: Database) -> Iterator[Row]:
    unique = {
        (table.name, index.name): ",".join(index.columns)
        for table in database.tables.values()
        for index in table.indexes.values()
        if index.is_unique
    }
    return of_mysql(our_rows(database, plain_type), unique)


def plain_type(text: str) -> str:
    """Return a type as the schema states it."""
    return text


def our_rows(database: Database, type_of: Callable[[str], str] = normal_type) -> Iterator[Row]:
    """Yield the rows that the graph would show."""
    for table in database.tables.values():
        schema = table.schema or "public"
        yield (table.kind, schema, table.name)
        for index in table.indexes.values():
            yield ("index", schema, table.name, index.name, str(index.is_unique).lower())
        if table.kind == "view":
            continue
        for column in table.columns.values():
            yield ("column", schema, table.name, column.name, type_of(column.type), str(not column.nullable).lower())
        for constraint in table.constraints.values():
            yield from _constraint_rows(schema, table, constraint)


def _constraint_rows(schema: str, table: Table, constraint: Constraint) -> Iterator[Row]:
    if constraint.kind in ("primary key", "unique", "foreign key"):
        target = constraint.target[1] if constraint.target is not None else ""
        rule = _RULES.get(constraint.on_delete, "a") if constraint.kind == "foreign key" else ""
        yield (constraint.kind, schema, table.name, constraint.name, ",".join(constraint.columns), target, rule)


def run_sql(socket: str, database: str, sql: str, *, stops: bool = False) -> subprocess.CompletedProcess[str]:
    """Run SQL in a database."""
    command = ["psql", "-X", "-q", "-A", "-t", "-F", "\x1f", "-h", socket, "-U", "postgres", "-d", database]
    command += ["-v", f"ON_ERROR_STOP={int(stops)}"]
    return subprocess.run(command, input=sql, capture_output=True, text=True, check=False)


def judge_rows(socket: str, paths: Sequence[Path]) -> tuple[list[Row], int]:
    """Return the rows of the catalogue after the migrations, and the number of errors while they ran."""
    run_sql(socket, "postgres", f"DROP DATABASE IF EXISTS {_DATABASE}")
    run_sql(socket, "postgres", f"CREATE DATABASE {_DATABASE}")
    errors = 0
    for path in paths:
        text = path.read_text("utf-8", "replace")
        up = ";\n".join(text[each.start : each.end] for each in statements_of(text) if not each.is_down)
        # Direction and rows of data are removed; otherwise the file runs as it is.
        sql = text if not any(each.is_down for each in statements_of(text)) else up + ";"
        errors += run_sql(socket, _DATABASE, sql).stderr.count("ERROR:")
    rows = catalogue_rows(socket, _DATABASE)
    run_sql(socket, "postgres", f"DROP DATABASE {_DATABASE}")
    return rows, errors


def catalogue_rows(socket: str, database: str) -> list[Row]:
    """Return the rows of the catalogue of a database."""
    return [
        tuple(line.split("\x1f"))
        for query in (_TABLES, _COLUMNS, _KEYS, _INDEXES)
        for line in run_sql(socket, database, query).stdout.splitlines()
        if line
    ]


def compare(socket: str, folder: Path, shown: int) -> tuple[int, int, int]:
    """Print the comparison for the largest database in a folder, and return the counts of rows."""
    paths = sorted(path for path in folder.rglob("*.sql") if path.is_file()) if folder.is_dir() else [folder]
    base = folder if folder.is_dir() else folder.parent
    facts: dict[str, DataFacts] = {}
    for path in paths:
        data = extract_facts(path.read_bytes(), "sql").data
        if data is not None:
            facts[path.relative_to(base).as_posix()] = data
    schemas = read_schemas(facts)
    schema = max(schemas, key=lambda each: (any("postgres" in path for path in each.files.paths), len(each.database.tables)))
    theirs, errors = judge_rows(socket, [base / path for path in schema.files.paths])
    return _print(f"{folder.parent.name}/{folder.name}", len(schema.files.paths), errors, theirs, schema.database, shown)


def compare_models(socket: str, models: Path, migrations: Path, shown: int) -> tuple[int, int, int]:
    """Print the comparison of what models declare with what migrations make, and return the counts of rows."""
    schema = mapped_schema(models)
    theirs, errors = judge_rows(socket, sorted(migrations.rglob("*.sql")) if migrations.is_dir() else [migrations])
    return _print(f"{schema.framework} {models.name}", len(schema.files.paths), errors, theirs, schema.database, shown)


def compare_database(socket: str, argument: str, shown: int, *, migrations: bool) -> tuple[int, int, int]:
    """Print the comparison of what models declare with the tables that their mapper made, and return the counts of rows."""
    folder, _, database = argument.rpartition("=")
    schema = mapped_schema(Path(folder), migrations=migrations)
    theirs = catalogue_rows(socket, database)
    return _print(f"{schema.framework} {database}", len(schema.files.paths), 0, theirs, schema.database, shown)


def compare_catalogue(catalogue: Path, folder: Path, shown: int, *, migrations: bool, mysql: bool) -> tuple[int, int, int]:
    """Print the comparison of what models or migrations in code declare with what their mapper knows, and return the counts."""
    schemas = mapped_databases(folder, migrations=migrations)
    theirs = [tuple(str(part) for part in row) for row in json.loads(catalogue.read_text("utf-8"))]
    if mysql:
        judged = _lower_rows(of_mysql(theirs, {}))
    else:
        judged = _lower_rows((*row[:4], normal_type(row[4]), row[5]) if row[0] == "column" else row for row in theirs)
    ours: Counter[Row] = Counter()
    taken: set[Row] = set()
    # Models that migrations declare for themselves are databases of their own, with tables of the same names.
    databases = [_lower_rows(_mysql_rows(each.database) if mysql else our_rows(each.database)) for each in schemas]
    for rows in sorted(databases, key=lambda rows: -(rows & judged).total()):
        own = {row[1:3] for row in rows} - taken
        ours |= Counter({row: count for row, count in rows.items() if row[1:3] in own})
        taken |= own
    judged = _with_implied(judged, ours)
    unnamed = {_without_name(row) for row in judged if row[0] in _KEYS_OF_TABLES and not row[3]}
    is_free = {row for row in ours if row not in judged and _without_name(row) in unnamed}
    ours = Counter(_without_name(row) if row in is_free else row for row in ours.elements())
    names = "+".join(sorted({each.framework for each in schemas}))
    files = {path for each in schemas for path in each.files.paths}
    return _print_rows(f"{names} {folder.name}", len(files), 0, judged, ours, shown)


def _with_implied(judged: Counter[Row], ours: Counter[Row]) -> Counter[Row]:
    """Return the rows of the judge, with those implied indexes of MySQL that are ours as well."""
    found: Counter[Row] = Counter()
    for row, count in judged.items():
        as_index = ("index", *row[1:])
        if row[0] != "implied index":
            found[row] += count
        elif as_index in ours:
            found[as_index] += count
    return found


def of_mysql(rows: Iterable[Row], unique: Mapping[tuple[str, str], str]) -> Iterator[Row]:
    """Yield rows as MySQL has them: unique indexes are unique keys, and integers have no width that is shown.

    `unique` has the columns of unique indexes by table and name.
    """
    for row in rows:
        if row[0] == "column":
            yield (*row[:4], _mysql_type(row[4]), row[5])
        elif row[0] == "index" and row[4] == "true" and (row[2], row[3]) in unique:
            yield ("unique", *row[1:4], unique[row[2], row[3]], "", "")
        elif row[0] == "foreign key" and row[6] == "r":
            yield (*row[:6], "a")
        elif row[0] == "primary key":
            yield (*row[:3], "", *row[4:])
        else:
            yield row


def _mysql_type(text: str) -> str:
    found = re.sub(r"\s+(?:character set|charset|collate)\s+\S+", "", text.lower())
    found = _INTEGER.sub(lambda match: _MYSQL_TYPES.get(match[1], match[1]), found)
    return _MYSQL_TYPES.get(found, found).replace(", ", ",")


def _without_name(row: Row) -> Row:
    return (*row[:3], "", *row[4:]) if row[0] in _KEYS_OF_TABLES else row


def _lower_rows(rows: Iterable[Row]) -> Counter[Row]:
    return Counter(_without_case(row) for row in rows)


def _without_case(row: Row) -> Row:
    """Return a row in lower case, with names as long as PostgreSQL keeps them. Lists of columns are not cut."""
    return tuple(part.lower().replace('"', "")[: 63 if place < 4 else None] for place, part in enumerate(row))


def mapped_schema(models: Path, *, migrations: bool = False) -> Schema:
    """Return the largest database that models in a folder declare, or migrations in code."""
    return max(mapped_databases(models, migrations=migrations), key=lambda each: len(each.database.tables))


def mapped_databases(folder: Path, *, migrations: bool) -> list[Schema]:
    """Return the databases that models in a folder declare, or migrations in code."""
    facts = facts_of(folder)
    every = [*read_mapped(facts, mapped_schemas(facts)), *(read_schemas(facts) if migrations else ())]
    found = [each for each in every if each.files.is_migrations == migrations]
    return found or [each for each in every if each.mapped is None]  # a dump is the state after all migrations


def facts_of(folder: Path) -> dict[str, DataFacts]:
    """Return what the files of a folder say about data."""
    facts: dict[str, DataFacts] = {}
    for path in sorted(folder.rglob("*")):
        language = language_of(path.name)
        data = extract_facts(path.read_bytes(), language).data if language is not None and path.is_file() else None
        if data is not None:
            facts[path.relative_to(folder).as_posix()] = data
    return facts


def _print(name: str, files: int, errors: int, theirs: Sequence[Row], database: Database, shown: int) -> tuple[int, int, int]:
    return _print_rows(name, files, errors, _lower_rows(theirs), _lower_rows(our_rows(database)), shown)


def _print_rows(name: str, files: int, errors: int, judged: Counter[Row], ours: Counter[Row], shown: int) -> tuple[int, int, int]:
    equal = (ours & judged).total()
    print(f"| {name} | {files} | {errors} | {judged.total()} | {ours.total()} | {equal} |")
    for title, rows in (("only the judge", judged - ours), ("only ours", ours - judged)):
        for row in sorted(rows)[:shown]:
            print(f"    {title}: {' | '.join(row)}", file=sys.stderr)
    return judged.total(), ours.total(), equal


def main() -> None:
    """Compare all folders that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--socket", default="/tmp", help="folder of the socket of PostgreSQL")
    parser.add_argument("--models", type=Path, help="folder of models to compare with the one argument")
    parser.add_argument("--database", action="store_true", help="compare models with databases that their mapper made")
    parser.add_argument("--catalogue", type=Path, help="JSON of what the mapper knows of the one folder")
    parser.add_argument("--migrations", action="store_true", help="compare the migrations in that folder, not the models")
    parser.add_argument("--mysql", action="store_true", help="the catalogue is of MySQL or MariaDB")
    parser.add_argument("--shown", type=int, default=10, help="differences of each kind that are shown")
    arguments = parser.parse_args()
    print("| migrations | files | errors of the judge | its rows | our rows | equal |\n|---|---|---|---|---|---|")
    totals = [
        compare_catalogue(
            arguments.catalogue, Path(folder), arguments.shown, migrations=arguments.migrations, mysql=arguments.mysql
        )
        if arguments.catalogue is not None
        else compare_database(arguments.socket, folder, arguments.shown, migrations=arguments.migrations)
        if arguments.database
        else compare_models(arguments.socket, arguments.models, Path(folder), arguments.shown)
        if arguments.models is not None
        else compare(arguments.socket, Path(folder), arguments.shown)
        for folder in arguments.folders
    ]
    judged, ours, equal = (sum(column) for column in zip(*totals, strict=True))
    print(f"\n{equal} of {judged} rows of the judge are ours ({equal / max(judged, 1):.4f}); {ours} rows are ours in all.")


if __name__ == "__main__":
    main()
