"""What is kept between updates stays within its bounds and is told by content."""

from __future__ import annotations

import msgspec
from astrolabe.ingest.data.schemas.edges import DataEdges
from astrolabe.ingest.data.schemas.file_data import LINES, FileData
from astrolabe.ingest.facts.cache import FactKey
from astrolabe.ingest.facts.data import Action, DataFacts, ObjectName, Query, SchemaChange, TableUse
from astrolabe.ingest.incremental.file_links import Links
from astrolabe.ingest.incremental.memory import KnownFile, UpdateMemory, ignored_fields
from astrolabe.ingest.incremental.taken_names import TakenImport
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.schema.edges import CallEdge
from astrolabe.schema.graph_content import GraphContent

FACTS = extract_facts(b"export const total = (a: number, b: number) => a + b\n", "typescript")
KEYS = [FactKey.of(name, "typescript") for name in ("one", "two", "three")]


def test_the_last_ones_used_are_kept() -> None:
    memory = UpdateMemory(2 * len(FACTS.code))
    known = [KnownFile(f"{number}.ts", FACTS) for number in range(3)]
    memory.keep(KEYS[0], known[0])
    memory.keep(KEYS[1], known[1])
    assert memory.file("0.ts", KEYS[0]) is known[0]
    memory.keep(KEYS[2], known[2])
    assert [memory.file(f"{number}.ts", KEYS[number]) for number in range(3)] == [known[0], None, known[2]]


def test_a_file_is_told_by_path_and_content() -> None:
    memory = UpdateMemory()
    memory.keep(KEYS[0], KnownFile("a.ts", FACTS))
    assert memory.file("a.ts", KEYS[1]) is None
    assert memory.file("b.ts", KEYS[0]) is None


def test_what_follows_from_a_file_is_its_own() -> None:
    one, other = KnownFile("a.ts", FACTS), KnownFile("b.ts", FACTS)
    assert len(one.ids) == len(other.ids) == len(FACTS.symbols)
    assert set(one.ids).isdisjoint(other.ids)
    assert "total" in one.surface.names


def test_links_are_those_of_one_generation() -> None:
    memory, links = UpdateMemory(), Links({}, {}, {}, {}, True)
    memory.keep_links((3, "now"), links, {})
    assert memory.links((3, "now")) is links
    assert memory.links((3, "earlier")) is None


def test_edges_of_data_are_those_of_the_last_state_and_stay_within_their_bound() -> None:
    create = SchemaChange(Action.CREATE, "table", ObjectName("book"), 0, 1)
    memory, edges = UpdateMemory(max_places=1), data_of(create)
    one, two = (("a.sql", KEYS[0]),), (("a.sql", KEYS[1]),)
    memory.keep_data_edges(one, edges, {})
    assert memory.data_edges(one) is edges
    assert memory.data_edges(two) is None
    memory.keep_data_edges(two, data_of(create, SchemaChange(Action.CREATE, "table", ObjectName("author"), 1, 2)), {})
    assert memory.data_edges(one) is None
    assert memory.data_edges(two) is None


def test_edges_of_data_serve_a_state_whose_files_say_the_same_about_data() -> None:
    memory, edges = UpdateMemory(), DataEdges({}, lambda path, symbol: f"{path}#{symbol}", [])
    states = [(("a.ts", key),) for key in KEYS]
    memory.keep_data_edges(states[0], edges, {})
    for key, data in zip(KEYS, (DataFacts(), DataFacts(), DataFacts(dialect="mysql")), strict=True):
        memory.keep(key, KnownFile("a.ts", msgspec.structs.replace(FACTS, data=data)))
    assert memory.data_edges(states[1]) is edges
    assert memory.data_edges(states[2]) is None


def test_the_facts_about_data_of_all_files_of_a_state_are_kept_with_its_edges() -> None:
    create = SchemaChange(Action.CREATE, "table", ObjectName("book"), 0, 1)
    one, two = ("a.sql", KEYS[0]), ("a.sql", KEYS[1])
    data = FileData(DataFacts(changes=[create]), ["book"])
    memory, edges = UpdateMemory(), data_of(create)
    memory.keep_data_edges((one,), edges, {one: data})
    assert memory.data_of(one) is data
    same = msgspec.structs.replace(FACTS, data=msgspec.structs.replace(data.facts))
    memory.keep(KEYS[1], KnownFile("a.sql", same))
    known = memory.file(*two)
    assert known is not None
    known.ids[0] = "book"
    assert memory.data_edges((two,)) is edges
    assert memory.data_of(one) is None
    assert memory.data_of(two) is known.data


def test_facts_about_data_are_compared_by_the_ids_of_symbols_and_without_statements_that_have_no_name() -> None:
    def facts(symbol: int, line: int, query: str = "") -> DataFacts:
        change = SchemaChange(Action.CREATE, "table", ObjectName("book"), symbol, line)
        use = Query(symbol, line, "select", [TableUse(ObjectName("book"), False)], "string", "", name=query)
        return DataFacts(changes=[change], queries=[use])

    base = FileData(facts(0, 1), ["book"])
    assert base.says_the_same(FileData(facts(1, 1), ["note", "book"]))
    assert not base.says_the_same(FileData(facts(1, 1), ["book", "note"]))
    assert base.says_the_same(FileData(DataFacts(changes=facts(0, 1).changes), ["book"]))
    assert not base.says_the_same(FileData(facts(0, 1, "find_books"), ["book"]))
    assert not base.says_the_same(FileData(facts(0, 2), ["book"]))
    assert base.says_the_same(FileData(facts(0, 2), ["book"]), LINES)


def test_lines_of_a_file_matter_if_it_changes_a_database() -> None:
    edges = data_of(SchemaChange(Action.CREATE, "table", ObjectName("book"), 0, 1))
    assert ignored_fields("a.sql", edges) == frozenset()
    assert ignored_fields("b.sql", edges) == LINES
    assert ignored_fields("b.sql", None) == frozenset()


def data_of(*changes: SchemaChange) -> DataEdges:
    return DataEdges({"a.sql": DataFacts(changes=list(changes))}, lambda path, symbol: f"{path}#{symbol}", [])


def part(calls: int) -> GraphContent:
    return GraphContent(calls=[CallEdge("a", "b", (line,), (0,), "call", "exact") for line in range(calls)])


def test_edges_are_those_of_the_last_links() -> None:
    memory, links, others = UpdateMemory(), Links({}, {}, {}, {}, True), Links({}, {}, {}, {}, True)
    assert memory.edges(links) == {}
    memory.keep_links((3, "now"), links, {"a.ts": part(1)})
    assert memory.edges(links) == {"a.ts": part(1)}
    assert memory.edges(others) == {}
    memory.keep_links((4, "later"), others, {"b.ts": part(2)})
    assert memory.edges(links) == {}
    assert memory.edges(others) == {"b.ts": part(2)}


def test_edges_stay_within_their_bound() -> None:
    memory, links = UpdateMemory(max_edges=5), Links({}, {}, {}, {}, True)
    memory.keep_links((1, "now"), links, {f"{number}.ts": part(2) for number in range(4)})
    assert list(memory.edges(links)) == ["0.ts", "1.ts"]


def test_what_was_taken_first_goes_first() -> None:
    memory = UpdateMemory(max_taken=8)
    taken = (TakenImport("./a", frozenset(("one", "two")), False),)
    for number in range(3):
        memory.keep_imports(f"{number}.ts", KEYS[number], taken)
    assert [memory.imports(f"{number}.ts", KEYS[number]) for number in range(3)] == [None, taken, taken]
    assert memory.imports("1.ts", KEYS[2]) is None
