"""The tables that models in the texts of files become, for the tests of object mappers."""

from __future__ import annotations

from collections.abc import Callable

from astrolabe.ingest.data.schemas.databases import Schema, read_mapped
from astrolabe.ingest.data.schemas.edges import data_edges
from astrolabe.ingest.data.schemas.tables import Table
from astrolabe.ingest.facts.data import DataFacts
from astrolabe.ingest.files.recognized_content import content_is_changelog
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.mapped_schemas import mapped_schemas
from astrolabe.schema.graph_content import GraphContent, joined
from astrolabe.schema.languages import languages_of_indexed


def _language(path: str, text: str) -> str:
    """Return the language of a file. That of most files follows from the path."""
    if content_is_changelog(text.encode()):
        return "liquibase"
    return [each for each in languages_of_indexed(path) if each != "liquibase"][-1]


def data_of(files: dict[str, str]) -> dict[str, DataFacts]:
    """Return the facts about data of the files that have some."""
    read = {path: extract_facts(text.encode(), _language(path, text)).data for path, text in files.items()}
    return {path: data for path, data in read.items() if data is not None}


def tables(files: dict[str, str], framework: str) -> dict[str, Table]:
    """Return the tables of the only database of the files, by name."""
    facts = data_of(files)
    (schema,) = read_mapped(facts, mapped_schemas(facts))
    assert schema.framework == framework
    return {table.name: table for table in schema.database.tables.values()}


def columns(table: Table) -> dict[str, tuple[str, bool]]:
    """Return the type of each column, and whether it may be null."""
    return {each.name: (each.type, each.nullable) for each in table.columns.values()}


def keys(table: Table) -> list[tuple[str, str]]:
    """Return the names and kinds of the keys and indexes."""
    return sorted((each.name, each.kind) for each in [*table.constraints.values(), *table.indexes.values()])


def foreign_keys(table: Table) -> dict[str, tuple[str, str, str]]:
    """Return the table, the columns and the rule on delete of each foreign key, by its own columns."""
    found = [each for each in table.constraints.values() if each.kind == "foreign key" and each.target is not None]
    return {
        ",".join(each.columns): (each.target[1], ",".join(each.target_columns), each.on_delete) for each in found if each.target
    }


def migrations(files: dict[str, str], framework: str) -> Schema:
    """Return the only database of the files that migrations in code make."""
    facts = data_of(files)
    (found,) = [each for each in read_mapped(facts, mapped_schemas(facts)) if each.files.is_migrations]
    assert found.framework == framework
    return found


def edges_by_name(files: dict[str, str]) -> GraphContent:
    """Return the edges of data, with the names of symbols as ids."""
    return edges_of(files, lambda path, name: name)


def edges_of(files: dict[str, str], identity: Callable[[str, str], str]) -> GraphContent:
    """Return the edges of data. `identity` makes the ids of symbols of their paths and names."""
    read = {path: extract_facts(text.encode(), _language(path, text)) for path, text in files.items()}
    names = {path: [identity(path, symbol.name) for symbol in each.symbols] for path, each in read.items()}
    return edges_with_ids(files, names)


def edges_with_ids(files: dict[str, str], ids: dict[str, list[str]]) -> GraphContent:
    """Return the edges of data; `ids` has those of the symbols of each file."""
    facts = data_of(files)
    return joined(list(data_edges(facts, lambda path, symbol: ids[path][symbol], mapped_schemas(facts)).values()))
