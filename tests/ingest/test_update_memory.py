"""What is kept between updates stays within its bounds and is told by content."""

from __future__ import annotations

from astrolabe.ingest.data.schemas.mapped import MappedChange, MappedSchema
from astrolabe.ingest.facts.cache import FactKey
from astrolabe.ingest.facts.data import Action, ObjectName, SchemaChange
from astrolabe.ingest.incremental.file_links import Links
from astrolabe.ingest.incremental.memory import KnownFile, UpdateMemory
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


def test_schemas_are_those_of_the_last_state_and_stay_within_their_bound() -> None:
    change = MappedChange("a.py", SchemaChange(Action.CREATE, "table", ObjectName("book"), 0, 1))
    memory, schemas = UpdateMemory(max_changes=2), [MappedSchema("django", "", [change])]
    one, two = (("a.py", KEYS[0]),), (("a.py", KEYS[1]),)
    memory.keep_schemas(one, schemas)
    assert memory.schemas(one) is schemas
    assert memory.schemas(two) is None
    memory.keep_schemas(two, [MappedSchema("django", "", [change] * 3)])
    assert memory.schemas(one) is None
    assert memory.schemas(two) is None


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
