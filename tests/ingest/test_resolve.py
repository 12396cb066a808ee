"""What names, calls and references stand for: the cases are data, in `cases/resolve_carets` and `cases/resolve_edges`.

A case file holds workspaces: `## title` begins one, `//- /path` a file of it. Carets under a line of code say what must be
found at the name above them; a workspace of `resolve_edges` ends with `=> ` lines: all its edges of the kinds that its file is
named for.

    new Repo().save()
    //         ^^^^ call a.ts#Repo.save

Assertions under carets, joined by "; ":

    call TARGET [| TARGET]…   the targets of the call: `path#qualified.name`, an external such as `lib:Array.prototype.map` or
                              `npm:jsonwebtoken#verify`, or `unresolved REASON`; `call nothing` where nothing is called
    form F, evidence E        of that call
    from NAME                 qualified name of the symbol that calls
    ref ROLE TARGET           the references here, but for those to import statements; `ref nothing` for none
    binding TARGET            the import statement that brings the name

The answers are those of the TypeScript compiler. Where ours is wrong today, the case asserts it, and `FIXME` says the right one.
Ids of cases are file:line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from astrolabe.ingest.files.discovery import discover
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.incremental.file_links import count_names
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.installed_files import InstalledFiles
from astrolabe.ingest.languages.typescript.installed_declarations import InstalledDeclarations
from astrolabe.ingest.languages.typescript.module_resolution import MissingTarget, ModuleResolver
from astrolabe.ingest.languages.typescript.resolve.edges.edges import Edges
from astrolabe.ingest.languages.typescript.resolve.edges.exports import export_edges
from astrolabe.ingest.languages.typescript.resolve.edges.known_names import KnownNames
from astrolabe.ingest.languages.typescript.resolve.edges.operator_checks import discriminants
from astrolabe.ingest.languages.typescript.resolve.engine import Engine
from astrolabe.ingest.languages.typescript.resolve.expando_members import function_this
from astrolabe.ingest.languages.typescript.resolve.model.program import Program
from astrolabe.ingest.languages.typescript.resolve.model.type_model import STRING, UNRESOLVED, Type
from astrolabe.ingest.languages.typescript.resolve.model.unit import Unit
from astrolabe.ingest.languages.typescript.runtime_facts import runtime_facts
from astrolabe.ingest.workers.file_symbols import file_symbols
from astrolabe.schema.edges import CallEdge, ExternalCallEdge, UnresolvedCallEdge
from astrolabe.schema.graph_content import joined
from astrolabe.schema.languages import language_of
from astrolabe.schema.settings import Settings
from linear_time import is_linear, processor_seconds

CASES = Path(__file__).parent / "cases"
_CARETS = re.compile(r"^\s*//[ /]*(\^+) +(.+)$")
_WORD_BEFORE = re.compile(r"[\w$#]*$")

#: Path, line and column.
Place = tuple[str, int, int]


class Question(NamedTuple):
    """What is asked of a workspace: about a place, or, with no place, about all its edges."""

    workspace: str
    place: Place
    expected: str
    #: Case file and line.
    id: str


class Resolved:
    """A workspace and its edges, spelled as cases spell them."""

    def __init__(self, workspace: str) -> None:
        files = files_of(workspace)
        with TemporaryDirectory() as folder:
            root = Path(folder)
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, "utf-8")
            own = sorted(path for path in files if "node_modules/" not in path)
            sources = {path: language for path in own if (language := language_of(path))}
            data = [path for path in own if path.endswith(".json")]
            facts = {path: extract_facts(files[path].encode(), language) for path, language in sources.items()}
            installed = InstalledDeclarations(InstalledFiles(root))
            known = WorkspaceFiles(root, sources, discover(root, Settings()).configuration_files, data)
            resolver = ModuleResolver(known)
            program = Program(facts, resolver.resolve, runtime_facts(), installed.facts, programs=resolver.programs)
            self.program = program
            symbols = [file_symbols(unit.path, unit.facts.symbols) for unit in program.units]
            #: Id of a symbol -> its path, its qualified name.
            self.symbols = {
                symbol.id: (symbol.relative_path, symbol.qualified_name + (f"~{symbol.ordinal}" if symbol.ordinal else ""))
                for of_file in symbols
                for symbol in of_file
            }

            def identity(unit: Unit, symbol: int) -> str:
                return symbols[unit.index][symbol].id

            members, methods = count_names(program.units)
            names = KnownNames(discriminants(program.units), members.keys(), methods.keys())
            engine = Engine(program)
            edges = Edges(engine, identity, names)
            self.named = edges.of_names(program.units)
            self.called = edges.of_calls(program.units, lambda done: None)
            self.constructs = joined([edges.of_annotations(program.units), edges.of_constructs(program.units)])
            assert engine.faults == []
            self.too_deep = engine.too_deep

    def spell(self, identifier: str) -> str:
        """A symbol as `path#qualified.name`; the id of anything else."""
        return "#".join(self.symbols[identifier]) if identifier in self.symbols else identifier

    def calls_at(self, place: Place) -> list[tuple[str, str, str, str]]:
        """(target, form, evidence, caller) of the calls at a place."""
        edges = self.called
        found: list[tuple[CallEdge | ExternalCallEdge | UnresolvedCallEdge, str, str]] = []
        found += [(edge, self.spell(edge.to_id), edge.evidence) for edge in edges.calls]
        found += [(edge, edge.external_id, "") for edge in edges.external_calls]
        found += [(edge, f"unresolved {edge.reason}", "") for edge in edges.unresolved_calls]
        return [
            (target, edge.form, evidence, self.symbols[edge.from_id][1])
            for edge, target, evidence in found
            if self.symbols[edge.from_id][0] == place[0] and place[1:] in zip(edge.lines, edge.columns, strict=True)
        ]

    def references_at(self, place: Place) -> list[tuple[str, str]]:
        """(role, target) of the references at a place."""
        return [
            (edge.role, self.spell(edge.to_id))
            for edge in self.called.references
            if self.symbols[edge.from_id][0] == place[0] and place[1:] in zip(edge.lines, edge.columns, strict=True)
        ]

    def found(self, place: Place, word: str) -> str:
        """What there is at a place, of the sort that the first word of an assertion names."""
        calls, references = self.calls_at(place), self.references_at(place)
        if word == "ref":
            return join(f"{role} {target}" for role, target in references if role != "binding")
        if word == "binding":
            return join(target for role, target in references if role == "binding")
        return join(call[("call", "form", "evidence", "from").index(word)] for call in calls)

    def listed(self, kinds: str) -> list[str]:
        """All edges of the kinds that a case file is named for."""
        edges, spell = self.named, self.spell
        match kinds:
            case "heritage":
                return sorted(f"{spell(edge.from_id)} {edge.kind} {spell(edge.to_id)}" for edge in edges.heritage)
            case "overrides":
                overrides = [*edges.overrides, *self.called.overrides]
                return sorted(f"{spell(edge.from_id)} overrides {spell(edge.to_id)}" for edge in overrides)
            case "type_flow":
                flows = self.constructs.type_flows
                parameters = [f"{edge.position}:{edge.name} " if edge.role == "param" else "" for edge in flows]
                return sorted(
                    f"{spell(edge.from_id)} {edge.role} {parameter}{spell(edge.to_id)}"
                    for edge, parameter in zip(flows, parameters, strict=True)
                )
            case "imports":
                return sorted(
                    f"{edge.from_path}:{edge.line} {edge.form}{' type' if edge.type_only else ''} {edge.specifier} {edge.target}"
                    + "".join(f" {name}" for name in edge.names)
                    for edge in [*edges.imports, *edges.data_imports, *edges.external_imports]
                ) + sorted(
                    f"{edge.from_path}:{edge.line} {edge.form}{' type' * edge.type_only} {edge.specifier} ? {edge.reason}"
                    + "".join(f" {name}" for name in edge.names)
                    for edge in edges.unresolved_imports
                )
            case "exports":
                return sorted(
                    f"{edge.from_path}{' type' if edge.type_only else ''} {edge.name} {spell(edge.symbol_id)}"
                    + "".join(f" via {path}" for path in edge.via)
                    for edge in edges.exports
                )
            case "checks":
                return sorted(
                    f"{spell(edge.from_id)} {edge.line} {edge.kind}{' itself' if edge.declares else ''}"
                    f"{' not' if edge.negated else ''} {edge.subject or '-'} ({edge.against}) {edge.narrowed_to}".strip()
                    for edge in self.constructs.checks
                )
            case "passings":
                return sorted(
                    f"{spell(edge.from_id)} in {spell(edge.to_id)}:{edge.line} to {edge.callee} "
                    f"{edge.attribute or edge.position}{' bound' if edge.bound else ''}"
                    + (f" {edge.predicate}: {edge.input_type} -> {edge.output_type}" if edge.predicate else "")
                    for edge in self.constructs.passings
                )
            case "functions_taken":
                return sorted(
                    f"{spell(edge.from_id)} {edge.position} {edge.name}: {edge.type}"
                    + (f" [{edge.predicate} {edge.predicate_type}]" if edge.predicate else "")
                    for edge in self.constructs.functions_taken
                )
        raise ValueError(f"no kinds of edges are named {kinds}")


def join(found: Iterable[str]) -> str:
    return " | ".join(sorted(set(found))) or "nothing"


def files_of(workspace: str) -> dict[str, str]:
    blocks = re.split(r"^//- (.+)\n", workspace, flags=re.MULTILINE)
    return {path.strip(" /"): text for path, text in zip(blocks[1::2], blocks[2::2], strict=True)}


def place_above(path: str, number: int, code: str, column: int) -> Place:
    """The place of the name in a line of code that holds a column from 0."""
    before = _WORD_BEFORE.search(code[: column + 1])
    start = before.start() if before is not None and before.group() else column
    return path, number, start + 1


def questions_of(lines: list[tuple[int, str]], name: str) -> Iterable[Question]:
    """The assertions of one workspace, given as numbered lines."""
    workspace = "".join(f"{line}\n" for _, line in lines if not line.startswith("=> "))
    path, number, code, at = "", 0, "", 0
    for case_line, line in lines:
        carets = _CARETS.match(line)
        number += 1
        if line.startswith("//- "):
            path, number = line[4:].strip(" /"), 0
        elif carets:
            place = place_above(path, at, code, carets.start(1))
            yield Question(workspace, place, carets.group(2), f"{name}:{case_line}")
        elif not line.startswith("=> "):
            code, at = line, number
    expected = [line[3:] for _, line in lines if line.startswith("=> ")]
    if expected:
        yield Question(workspace, ("", 0, 0), "\n".join(expected), f"{name}:{lines[0][0] - 1}")


def read_questions(folder: str) -> list[Question]:
    found: list[Question] = []
    for path in sorted((CASES / folder).glob("*.txt")):
        gathered: list[tuple[int, str]] = []
        for number, line in enumerate([*path.read_text("utf-8").splitlines(), "## end"], 1):
            if line.startswith("## "):
                found += questions_of(gathered, path.stem)
                gathered = []
            else:
                gathered.append((number, line))
    return found


def today(expected: str) -> str:
    """What is asserted, without what FIXME says of it."""
    return expected.partition("FIXME")[0].strip()


CARETS = read_questions("resolve_carets")
EDGES = read_questions("resolve_edges")


@cache
def resolved(workspace: str) -> Resolved:
    return Resolved(workspace)


@pytest.mark.parametrize("question", CARETS, ids=[question.id for question in CARETS])
def test_name(question: Question) -> None:
    found = resolved(question.workspace)
    for assertion in today(question.expected).split("; "):
        word, _, expected = assertion.partition(" ")
        assert f"{word} {found.found(question.place, word)}" == f"{word} {join(expected.split(' | '))}"


@pytest.mark.parametrize("question", EDGES, ids=[question.id for question in EDGES])
def test_edges(question: Question) -> None:
    found = resolved(question.workspace).listed(question.id.partition(":")[0])
    assert (found or ["nothing"]) == sorted(today(line) for line in question.expected.splitlines() if today(line))


DEEP = {
    "results": "".join(f"const f{i} = () => f{i + 1}()\n" for i in range(3000)) + "const f3000 = () => new A()\nf0().go()\n",
    "objects": "const api = { " + "a: { " * 150 + "go() {}" + " }" * 150 + " }\napi." + "a." * 150 + "go()\n",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_what_nests_too_deep_says_so(text: str) -> None:
    unresolved = resolved(f"//- /a.ts\nclass A {{ go() {{ return 1 }} }}\n{text}").called.unresolved_calls
    assert [(edge.name, edge.reason) for edge in unresolved] == [("go", "depth")]


def test_uses_with_the_name_in_quotes_are_counted() -> None:
    text = """interface Row { id: number; name: string }
const row: Row = { "id": 1, name: "x" }
const made: Row = { id: row["id"], *name() { yield row.name } }
type Key = Row["id"] | Row["name"]
"""
    found = resolved(f"//- /a.ts\n{text}")
    counts: dict[str, tuple[int, int]] = {}
    for edge in found.called.references:
        count, quoted = counts.get(name := found.spell(edge.to_id), (0, 0))
        counts[name] = count + len(edge.lines), quoted + edge.quoted
    assert (counts["a.ts#Row.id"], counts["a.ts#Row.name"]) == ((4, 3), (4, 1))


def barrel_seconds(files: int) -> float:
    """The time to resolve what a file of `export *` statements exports."""
    sources = "".join(f"//- /models/schema{i}.ts\nexport interface Schema{i} {{ key: string }}\n" for i in range(files))
    stars = "".join(f"export * from './schema{i}'\n" for i in range(files))
    program = Resolved(f"{sources}//- /models/index.ts\n{stars}//- /index.ts\nexport * from './models'\n").program
    engine = Engine(program)
    return processor_seconds(lambda: [export_edges(engine, unit, lambda of, symbol: of.path) for unit in program.units])


def test_a_barrel_takes_time_in_the_number_of_its_files() -> None:
    assert is_linear(barrel_seconds, 300, 4)


def own_object_seconds(functions: int) -> float:
    """The time to find the own objects of constructors and of the methods on their prototypes. A bundle has thousands of them."""
    makers = "".join(
        f"function Shelf{i}() {{ this.rows = 1 }}\nShelf{i}.prototype.count = function count{i}() {{ return this.rows }}\n"
        for i in range(functions)
    )
    facts = {"a.js": extract_facts(makers.encode(), "javascript")}
    program = Program(facts, lambda specifier, _: MissingTarget(specifier), runtime_facts())
    engine, unit = Engine(program), program.units[0]
    return processor_seconds(lambda: [function_this(engine, unit, index) for index in range(len(unit.functions))])


def test_the_own_objects_of_functions_take_time_in_their_number() -> None:
    assert is_linear(own_object_seconds, 150, 4)


RECURSIVE = {
    "alone": """
interface Scalar { toHexString(): string }
type Key<T> = T extends { key?: infer K }
  ? K extends undefined ? Partial<T> : K extends keyof T ? Plain<T[K]> : K extends (keyof T)[] ? Plain<T[K[number]]> : K
  : T extends { _id?: infer K } ? Plain<K> | string : T extends { id?: infer K } ? Plain<K> : T
type Plain<T> = T extends Scalar ? T : T extends { unwrap(): infer U } ? Key<U> : Key<T>
function find<T extends object>(key: Key<T>) { return key.title }
""",
    "in intersections": """
interface Schema { kind: string }
interface Wrapped<T> extends Schema { wrapped: T }
type Made<C, T extends Schema> =
  T extends Wrapped<infer U extends Schema> ? Added<Made<C, U>> : T extends { items: infer I extends Schema }
    ? { items: Made<C, I> } & Schema : T
type Added<T extends Schema> = T extends { optional: true } ? Other<T & Schema> : Other<T> & { added: true }
type Other<T extends Schema> = T extends Wrapped<infer U extends Schema> ? Added<U> & T
  : T extends { once: true } ? Added<Made<T, T>> & T : T
function find<C, T extends Schema>(type: Made<C, T>) { return type.title }
""",
}


@pytest.mark.parametrize("text", RECURSIVE.values(), ids=RECURSIVE)
def test_a_conditional_type_that_leads_back_to_itself_is_not_unrolled_to_the_deepest(text: str) -> None:
    assert resolved(f"//- /a.ts{text}").too_deep == 0


def test_a_chain_of_calls_may_be_long() -> None:
    chain = "".join(f"class A{i} {{ next() {{ return new A{i + 1}() }} }}\n" for i in range(200))
    called = resolved(f"//- /a.ts\n{chain}class A200 {{ end() {{}} }}\nnew A0(){'.next()' * 200}.end()\n").called
    assert called.unresolved_calls == []
    assert sum(edge.form == "method" for edge in called.calls) == 201


def test_a_chain_of_results_may_be_long() -> None:
    chain = "".join(f"const f{i} = () => f{i + 1}()\n" for i in range(200))
    called = resolved(f"//- /a.ts\nclass A {{ go() {{}} }}\n{chain}const f200 = () => new A()\nf0().go()\n").called
    assert called.unresolved_calls == []


def test_a_question_that_fails_costs_its_own_answer() -> None:
    engine = Engine(Program({}, lambda specifier, path: MissingTarget(specifier), runtime_facts()))
    memory: dict[int, Type] = {}

    def failing(engine: Engine, unit: Unit, index: int) -> Type:
        raise IndexError(f"question {index}")

    assert engine._compute(memory, engine.program.lib, 1, failing) is UNRESOLVED
    assert engine.faults == ["<lib>: IndexError: question 1"]
    assert engine._compute(memory, engine.program.lib, 2, lambda engine, unit, index: STRING) is STRING


def test_components_with_mixins_are_passed_to_generic_functions() -> None:
    """The numbers of declarations, which the options of mixins refer to, must not be read as nodes."""
    files = ["//- /mixin.js\nexport default { computed: { b() { return 1 } }, methods: { run() { return 1 } } }\n"]
    used = ["function id<T>(x: T): { of: T } { return { of: x } }"]
    for i in range(24):
        before = "\n".join([f"let b{k}; b{k} = b{k}" for k in range(i % 12)])
        if i >= 12:
            before = "\n".join([f"let t{k} = {{ get a() {{ return this }} }}" for k in range(i % 12)])
        files.append(
            f"//- /D{i}.vue\n<script>\n{before}\nimport mixin from './mixin'\nexport default {{ mixins: [mixin] }}\n</script>\n"
        )
        used += [f"import D{i} from './D{i}.vue'", f"new (id(D{i}).of)().run()"]
    called = resolved("".join([*files, "//- /use.ts\n", "\n".join(used)])).called
    assert [edge.name for edge in called.unresolved_calls] == []
    assert sum(edge.form == "method" for edge in called.calls) == 24
