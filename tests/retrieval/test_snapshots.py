"""Smart structural snapshots over small files: exactly the targets, and what they refer to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import tree_sitter_typescript
from astrolabe.retrieval.excerpts.enclosing_scope import shell_of
from astrolabe.retrieval.excerpts.excerpt import ShownSymbol, representative
from astrolabe.retrieval.query.search_request import SearchRequest
from astrolabe.retrieval.source.import_reduction import reduced_imports
from astrolabe.retrieval.source.source_lines import SourceLines
from astrolabe.schema.records import SymbolRef
from astrolabe.server.project.source_syntax import SourceSyntax
from tree_sitter import Language, Parser

PATH = "src/app.ts"

SERVICE = """
import { readFile } from 'fs/promises';
import { Mailer, Letter } from './mailer';
import { Clock } from './clock';

const LIMIT = 10;
const RETRIES = 3;
const UNUSED = 1;

/** Sends what is due. */
@Injectable()
export class Sender extends Base {
  private mailer: Mailer;
  private clock: Clock;
  private count = 0;

  first(): number {
    return this.count;
  }

  /** Sends one letter. */
  second(letter: Letter): void {
    if (this.count < LIMIT) this.mailer.send(letter);
  }

  third(): Promise<Buffer> {
    return readFile(String(RETRIES));
  }

  fourth(): void {
    this.second(null);
  }

  fifth(): void {
  }
}

function outer(list: string[]) {
  const seen = new Set<string>();
  if (list.length) {
    function inner(item: string) {
      seen.add(item);
    }
    list.forEach(inner);
  }
}

const handlers = {
  open(): void {
    outer([]);
  },
  close(): void {
    outer(['x']);
  },
};

export const memo = useMemo(() => {
  function nested() {
    return 1;
  }
  return nested();
}, [handlers]);

app.use(outer);

export const enum Color {
  Red,
  Green,
}
"""

AWKWARD = """
export class Repository {
  constructor(
    private readonly store: Store,
    readonly name = 'x',
  ) {
    this.open();
  }

  find(id: string) {
    return this.store.get(id);
  }
}

describe('repository', () => {
  it('finds', () => {
    const found = 1;
    expect(found).toBe(1);
  });
});

function Panel({
  title,
}: Props) {
  useEffect(() => {
    document.title = title;
  }, [
    title,
  ]);
  return {
    close() {
      return title;
    },
  };
}
"""


def symbol_ref(id: str, name: str, kind: str, depth: int, start: int, end: int, declared: int) -> SymbolRef:
    """A symbol of a.ts by its qualified name and its lines."""
    return SymbolRef(id, name.rpartition(".")[2], name, kind, "a.ts", depth, start, end, declared, declared, (), False)


@pytest.fixture(scope="module")
def stores(new_project: Any, store: Callable[[Any], Any]) -> Any:
    project = new_project()
    project.file(
        PATH,
        SERVICE,
        ("const", "LIMIT"),
        ("const", "RETRIES"),
        ("const", "UNUSED"),
        ("class", "Sender"),
        ("property", "Sender.mailer"),
        ("property", "Sender.clock"),
        ("property", "Sender.count"),
        ("method", "Sender.first"),
        ("method", "Sender.second"),
        ("method", "Sender.third"),
        ("method", "Sender.fourth"),
        ("method", "Sender.fifth"),
        ("function", "outer"),
        ("function", "outer.inner"),
        ("const", "handlers"),
        ("method", "handlers.open"),
        ("method", "handlers.close"),
        ("function", "memo"),
        ("function", "memo.nested"),
        ("expression", "app.use"),
        ("enum", "Color"),
    )
    project.file(
        "src/awkward.ts",
        AWKWARD,
        ("class", "Repository"),
        ("constructor", "Repository.constructor"),
        ("property", "Repository.store"),
        ("method", "Repository.find"),
        ("expression", "describe"),
        ("function", "describe.repository", "describe("),
        ("function", "describe.repository.finds", "it("),
        ("component", "Panel"),
        ("function", "Panel.useEffect"),
        ("method", "Panel.close"),
    )
    project.refer("src/awkward.ts#Repository.find", "src/awkward.ts#Repository.store")
    at = f"{PATH}#"
    project.refer(at + "Sender.first", at + "Sender.count")
    project.refer(at + "Sender.second", at + "Sender.count")
    project.refer(at + "Sender.second", at + "Sender.mailer")
    project.refer(at + "Sender.second", at + "LIMIT")
    project.use_import(at + "Sender.second", "./mailer", "Letter")
    project.use_import(at + "Sender.mailer", "./mailer", "Mailer")
    project.use_import(at + "Sender.third", "fs/promises", "readFile")
    project.refer(at + "Sender.third", at + "RETRIES")
    project.call(at + "Sender.fourth", at + "Sender.second")
    project.refer(at + "app.use", at + "outer")
    project.call(at + "handlers.open", at + "outer")
    project.refer(at + "memo", at + "handlers")
    return store(project)


FIXTURES = [
    # One method of many, with its fields, constant and imports; the import of a shown field's type comes with the field.
    (
        ["Sender > second"],
        """
import { Mailer, Letter } from './mailer';

const LIMIT = 10;

@Injectable()
export class Sender extends Base {
  private mailer: Mailer;
  private count = 0;

  /** Sends one letter. */
  second(letter: Letter): void {
    if (this.count < LIMIT) this.mailer.send(letter);
  }
}""",
    ),
    # A function refers to one constant of three, and to one import.
    (
        ["Sender > third"],
        """
import { readFile } from 'fs/promises';

const RETRIES = 3;

@Injectable()
export class Sender extends Base {

  third(): Promise<Buffer> {
    return readFile(String(RETRIES));
  }
}""",
    ),
    # No dependencies: only the class around it.
    (["Sender > fifth"], "@Injectable()\nexport class Sender extends Base {\n  fifth(): void {\n  }\n}"),
    # A nested function stands in the shell of the function around it.
    (["outer > inner"], "function outer(list: string[]) {\n    function inner(item: string) {\n      seen.add(item);\n    }\n}"),
    # A method of an object literal keeps the comma that parts it from the next.
    (["handlers > close"], "const handlers = {\n  close(): void {\n    outer(['x']);\n  },\n};"),
    # The shell of a call closes with the rest of the call.
    (
        ["memo > nested"],
        "export const memo = useMemo(() => {\n  function nested() {\n    return 1;\n  }\n}, [handlers]);",
    ),
    # A root expression: of the function that it names the head.
    (["app.use"], "function outer(list: string[]) {\n  // … 7 lines\n}\napp.use(outer);"),
    (["Color"], "export const enum Color {\n  Red,\n  Green,\n}"),
]


def snapshot_of(stores: Any, name: str) -> str:
    answer = stores.engine().search(SearchRequest(f"symbol = {PATH} > {name}"))
    assert answer.hint is None
    text: str = answer.texts[1].text
    return text


@pytest.mark.parametrize(("names", "expected"), FIXTURES, ids=[names[0] for names, _ in FIXTURES])
def test_snapshots_show_the_target_and_what_it_refers_to(stores: Any, names: list[str], expected: str) -> None:
    shown = snapshot_of(stores, names[0])
    assert _without_blank_lines(shown) == _without_blank_lines(f"// {PATH}\n\n" + expected.strip("\n"))


def _without_blank_lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


def test_blank_lines_stand_where_the_file_has_them_and_not_inside_shells(stores: Any) -> None:
    shown = snapshot_of(stores, "Sender > second")
    expected = FIXTURES[0][1].strip("\n")
    assert shown == f"// {PATH}\n\n{expected}"


@pytest.mark.parametrize("name", [names[0] for names, _ in FIXTURES])
def test_snapshots_are_valid_source(stores: Any, name: str) -> None:
    parser = Parser(Language(tree_sitter_typescript.language_typescript()))
    assert not parser.parse(snapshot_of(stores, name).encode()).root_node.has_error


def test_targets_of_one_file_share_a_snapshot(stores: Any) -> None:
    """A method and the method that it calls: both whole, their dependencies joined, nothing twice."""
    answer = stores.engine(minimum_relevance_threshold=0.0).search(SearchRequest("letter second fourth", paths=[PATH], limit=2))
    assert {result.name for result in answer.results} == {"second", "fourth"}
    assert len(answer.texts) == 2
    text = answer.texts[1].text
    assert text.count("export class Sender extends Base {") == text.count("second(letter: Letter)") == 1
    assert "    this.second(null);" in text
    assert "const LIMIT" in text
    assert "RETRIES" not in text


AWKWARD_TARGETS = [
    # A parameter property is declared by the constructor.
    (
        "Repository > find",
        """\
export class Repository {
  constructor(
    private readonly store: Store,
    readonly name = 'x',
  ) {
    this.open();
  }

  find(id: string) {
    return this.store.get(id);
  }
}""",
    ),
    # A call and its callback open in one line: one shell serves both.
    (
        "describe > repository > finds",
        """\
describe('repository', () => {
  it('finds', () => {
    const found = 1;
    expect(found).toBe(1);
  });
});""",
    ),
    # A callback that ends before its call does, and a method of a nested object, are shown with the function around them.
    ("Panel > useEffect", AWKWARD[AWKWARD.index("function Panel") :].strip()),
    ("Panel > close", AWKWARD[AWKWARD.index("function Panel") :].strip()),
]


@pytest.mark.parametrize(("name", "expected"), AWKWARD_TARGETS)
def test_what_cannot_stand_alone_is_shown_with_what_holds_it(stores: Any, name: str, expected: str) -> None:
    answer = stores.engine().search(SearchRequest(f"symbol = src/awkward.ts > {name}"))
    assert answer.texts[1].text == f"// src/awkward.ts\n\n{expected}"


TABLE = """
import { read } from './read';
import { write } from './write';
import { Base } from './base';
import { type Options, sealed } from './options';

interface Shape {
  name: string;
}

export const table = {
  open(
    path: string,
  ) {
    read(path);
    read(path);
    read(path);
  },
  close: () => {
    write();
  },
  size: 3,
};

@sealed()
export class Reader extends Base implements Shape {
  name = 'reader';

  start(options: Options) {
    return table.open(options.path);
  }

  stop = async () => {
    write();
    write();
    write();
  };
}

if (production) {
  install(() => {
    write();
  });
} else {
  const quiet = () => {
    read();
  };
}
"""


@pytest.fixture(scope="module")
def table_stores(new_project: Any, store: Callable[[Any], Any]) -> Any:
    project = new_project()
    path = "src/table.ts"
    project.file(
        path,
        TABLE,
        ("interface", "Shape"),
        ("const", "table"),
        ("method", "table.open"),
        ("method", "table.close"),
        ("class", "Reader"),
        ("property", "Reader.name"),
        ("method", "Reader.start"),
        ("method", "Reader.stop"),
        ("expression", "if (production)"),
        ("function", "if (production).quiet", "const quiet"),
    )
    at = f"{path}#"
    project.use_import(at + "table.open", "./read", "read")
    project.use_import(at + "table.close", "./write", "write")
    project.use_import(at + "Reader", "./base", "Base")
    project.use_import(at + "Reader", "./options", "sealed")
    project.use_import(at + "Reader.start", "./options", "Options")
    project.use_import(at + "Reader.stop", "./write", "write")
    project.use_import(at + "if (production).quiet", "./read", "read")
    project.inherit(at + "Reader", at + "Shape", "implements")
    project.refer(at + "Reader.start", at + "table")
    return store(project)


TABLE_TARGETS = [
    # The head of the class brings its base, its decorator and its interface; a table of functions comes along by its names.
    (
        "Reader > start",
        """
import { write } from './write';
import { Base } from './base';
import { type Options, sealed } from './options';

interface Shape {
  name: string;
}

export const table = {
  open(
    path: string,
  ) {
    // … 3 lines
  },
  close: () => {
    write();
  },
  size: 3,
};

@sealed()
export class Reader extends Base implements Shape {
  start(options: Options) {
    return table.open(options.path);
  }
}""",
    ),
    # What is asked for is whole, whatever else refers to it.
    (
        "table",
        "import { read } from './read';\nimport { write } from './write';\n"
        + TABLE[TABLE.index("export const table") :].split("\n@")[0],
    ),
    (
        "if (production) > quiet",
        TABLE[TABLE.index("import { read") : TABLE.index("import { write")]
        + "if (production) {\n"
        + TABLE[TABLE.index("} else {") :],
    ),
]


@pytest.mark.parametrize(("name", "expected"), TABLE_TARGETS, ids=[name for name, _ in TABLE_TARGETS])
def test_snapshots_hold_what_their_lines_use(table_stores: Any, name: str, expected: str) -> None:
    answer = table_stores.engine().search(SearchRequest(f"symbol = src/table.ts > {name}"))
    assert answer.hint is None
    assert _without_blank_lines(answer.texts[1].text) == _without_blank_lines("// src/table.ts\n" + expected)


def test_a_collapsed_class_brings_nothing_for_the_bodies_that_it_hides(table_stores: Any) -> None:
    text = table_stores.engine().search(SearchRequest("symbol = Reader", budget=190)).texts[1].text
    assert "  start(options: Options);\n" in text
    # A method that is assigned has no form without a body.
    assert "  stop = async () => {\n    // … 3 lines\n  };\n" in text
    assert "const table" not in text
    assert "from './write'" not in text
    assert "import { Base } from './base';\nimport { type Options, sealed } from './options';\n" in text


def test_a_function_above_the_budget_shows_its_nested_bodies_by_their_first_and_last_lines(new_project: Any, store: Any) -> None:
    nested = "\n".join(f"  function part{n}() {{\n{'    work();' * 20}\n    more();\n    rest();\n  }}" for n in range(20))
    project = new_project()
    names = [("function", f"render.part{n}") for n in range(20)]
    project.file("src/long.ts", f"function render() {{\n{nested}\n}}", ("function", "render"), *names)
    answer = store(project).engine().search(SearchRequest("symbol = render", budget=900))
    assert answer.texts[1].text.count("\n    // … 3 lines\n  }") == 20
    assert "work();" not in answer.texts[1].text


IMPORTS = [
    ("import { a, b as c, type D } from 'x';", {"c"}, "import { b as c } from 'x';"),
    ("import { a, b as c, type D } from 'x';", {"a", "D"}, "import { a, type D } from 'x';"),
    ("import d, { a, b } from 'x'", {"d", "b"}, "import d, { b } from 'x'"),
    ("import d, * as ns from 'x'", {"ns"}, "import * as ns from 'x'"),
    ("import d, { a } from 'x'", {"d"}, "import d from 'x'"),
    ("import type { A, B } from 'x';", {"B"}, "import type { B } from 'x';"),
    ("import type from 'x';", {"type"}, "import type from 'x';"),
    ("import {\n  a, // first\n  b,\n} from 'x';", {"b"}, "import { b } from 'x';"),
    ("import data from './d.json' with { type: 'json' };", {"data"}, "import data from './d.json' with { type: 'json' };"),
    ("import { a, b } from './d.json' with { type: 'json' };", {"a"}, "import { a } from './d.json' with { type: 'json' };"),
    ("import 'side-effect';", {"a"}, "import 'side-effect';"),
    ("import fs = require('fs');", {"fs"}, "import fs = require('fs');"),
    ("import { a, b } from 'x';", {"a", "b"}, "import { a, b } from 'x';"),
    ("import { a, b } from 'x';", set(), "import { a, b } from 'x';"),
    ("import { a } from 'https://x.dev/y';", {"a"}, "import { a } from 'https://x.dev/y';"),
    ("import { $a, _b } from 'x';", {"$a"}, "import { $a } from 'x';"),
]


@pytest.mark.parametrize(("statement", "names", "expected"), IMPORTS)
def test_imports_are_reduced_to_the_names_in_use(statement: str, names: set[str], expected: str) -> None:
    clauses = SourceSyntax().imports("a.ts", statement)
    assert (reduced_imports(statement, clauses, names) if names else statement) == expected


SHELLS = [
    # (kind, source, kind and line of the inner symbol, opening, closing)
    (
        "class",
        "class A<T extends { x: 1 }>\n  extends B<{ y: 2 }>\n  implements C {\n  a() {}\n}",
        ("method", 4),
        (1, 3),
        (5, 5),
    ),
    (
        "function",
        "function f({ a, b }: { a: string }) {\n  // it's { open\n  function g() {}\n}",
        ("function", 3),
        (1, 1),
        (4, 4),
    ),
    ("const", "const o = wrap(\n  {\n    a() {},\n  },\n  'x',\n);", ("method", 3), (1, 2), (4, 6)),
    # What is part of an expression cannot stand in the body alone.
    ("function", "function f() { function g() {} }", ("function", 1), None, None),
    ("function", "function f() {\n  run(\n    (x) => {},\n  );\n}", ("function", 3), None, None),
    ("function", "function f() {\n  list\n    .map((x) => {})\n}", ("function", 3), None, None),
    ("function", "function f() {\n  return {\n    a() {},\n  };\n}", ("method", 3), None, None),
    ("const", "const f = () => {\n  return {\n    a() {},\n  };\n};", ("method", 3), None, None),
    ("component", "function F() {\n  return <a\n    onClick={() => {}}\n  />;\n}", ("function", 3), None, None),
    ("function", "function f() {\n  return {\n    a: wrap((x) => {\n    }),\n  };\n}", ("function", 3), None, None),
    ("const", "const o = {\n  a: {\n    b() {},\n  },\n};", ("method", 3), None, None),
    (
        "function",
        "function f(x) {\n  switch (x) {\n    default: {\n      function g() {}\n    }\n  }\n}",
        ("function", 4),
        (1, 1),
        (7, 7),
    ),
    ("expression", "run(\n  callback,\n);", ("function", 2), None, None),
]


@pytest.mark.parametrize(("kind", "text", "inner", "opening", "closing"), SHELLS)
def test_shells_run_to_the_brace_of_the_body_and_from_its_end(
    kind: str, text: str, inner: tuple[str, int], opening: tuple[int, int] | None, closing: tuple[int, int] | None
) -> None:
    outer = symbol_ref("1", "x", kind, 0, 1, text.count("\n") + 1, 1)
    shell = shell_of(_source(text), outer, symbol_ref("2", "x.y", inner[0], 1, inner[1], inner[1], inner[1]))
    assert (shell and shell.opening, shell and shell.closing) == (opening and (opening,), closing and (closing,))


BLOCKS = [
    ("try {\n  a();\n  b();\n} catch (e) {\n  run(() => {});\n} finally {\n  c();\n}", 5, ((1, 1), (4, 4)), (6, 8)),
    ("try {\n  a();\n  b();\n}\ncatch (e) {\n  run(() => {});\n}", 6, ((1, 1), (4, 5)), (7, 7)),
    ("if (a) {\n  b();\n} else if (c) {\n  d();\n} else {\n  run(() => {});\n}", 6, ((1, 1), (3, 3), (5, 5)), (7, 7)),
    ("if (a) {\n  b();\n}\nelse {\n  run(() => {});\n}", 5, ((1, 1), (3, 4)), (6, 6)),
    # What is taken apart is no block.
    ("for (const {\n  a,\n  b,\n} of c) {\n  run(() => {});\n}", 5, ((1, 4),), (6, 6)),
]


@pytest.mark.parametrize(("text", "inner", "opening", "closing"), BLOCKS)
def test_of_the_blocks_before_one_their_first_and_last_lines_are_shown(
    text: str, inner: int, opening: tuple[tuple[int, int], ...], closing: tuple[int, int]
) -> None:
    outer = symbol_ref("1", "x", "expression", 0, 1, text.count("\n") + 1, 1)
    shell = shell_of(_source(text), outer, symbol_ref("2", "x.y", "function", 1, inner, inner, inner))
    assert (shell and shell.opening, shell and shell.closing) == (opening, (closing,))


def _source(text: str) -> SourceLines:
    return SourceLines.of_text(text, "a.tsx", SourceSyntax())


def test_lines_keep_their_text_but_not_their_ends() -> None:
    source = _source("a\r\n  b\r\nc")
    assert source.between(1, 4) == ["a", "  b", "c", ""]


def test_a_part_of_a_large_function_is_shown_between_marks(new_project: Any, store: Callable[[Any], Any]) -> None:
    rows = "\n".join(f"    <Row key={n} label='the label of a row' />" for n in range(120))
    text = f"""export function Panel({{ title }}: Props) {{
  const state = useState();
  return (
    <div>
{rows}
    <Button
      onClick={{() => {{
        submit(title);
      }}}}
    />
{rows}
    </div>
  );
}}"""
    project = new_project()
    names = [("component", "Panel"), ("function", "Panel.onClick callback", "onClick={")]
    project.file("src/panel.tsx", text, *names)
    engine = store(project).engine(minimum_relevance_threshold=0.0)
    lookup = engine.search(SearchRequest("symbol = Panel > onClick callback", budget=1500))
    question = engine.search(SearchRequest("submit the title on click", budget=1500))
    expected = [
        "// src/panel.tsx",
        "",
        "export function Panel({ title }: Props) {",
        "  // … 1 line",
        "  return (",
        "    <div>",
        "    // … 120 lines",
        "    <Button",
        "      onClick={() => {",
        "        submit(title);",
        "      }}",
        "    />",
        "    // … 120 lines",
        "    </div>",
        "  );",
        "}",
    ]
    assert lookup.texts[1].text.split("\n") == expected
    assert "Panel.onClick callback" in question.texts[0].text
    assert "        submit(title);" in question.texts[1].text.split("\n")


def test_a_section_is_shown_without_the_text_of_the_sections_around_it() -> None:
    # The bracket that the text of the inner section closes does not open in it.
    text = "# Harbour\n\nA queue.\n\n## Install\n\nRun it (or build it:\n\n### Source\n\nClone it) and call make.\n\n## Faults\n"
    source = SourceLines.of_text(text, "README.md", SourceSyntax())
    outer = [
        symbol_ref("1", "Harbour", "section", 0, 1, 13, 1),
        symbol_ref("2", "Harbour.Install", "section", 1, 5, 11, 5),
    ]
    inner = symbol_ref("3", "Harbour.Install.Source", "endpoint", 2, 9, 11, 9)
    for symbol, around in ((outer[1], outer[:1]), (inner, outer)):
        shown = representative(ShownSymbol(symbol, around), source)
        assert (shown.symbol, tuple(shown.enclosing)) == (symbol, ())
