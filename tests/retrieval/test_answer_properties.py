"""Laws of every answer, over a real index of awkward sources: each declaration is looked up, and questions are asked."""

from __future__ import annotations

import re
from collections.abc import Iterator

import astrolabe
import pytest
import tree_sitter_typescript
from astrolabe.retrieval.search import SearchAnswer
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.project.source_syntax import SourceSyntax
from tree_sitter import Language, Node, Parser

SOURCES = {
    "src/base.ts": """\
export abstract class Base<T> {
  abstract load(key: string): Promise<T>;
  protected log(message: string): void {
    console.log(message);
  }
}
export interface Closable { close(): void }
export type Key = string | number;
export function sealed(target: unknown): void { void target }
export default function identity<T>(value: T): T { return value }
""",
    "src/store.ts": """\
// Keeps values by their keys.

import fs, { promises as files } from 'node:fs';
import * as path from 'node:path';
import identity, { Base, sealed, type Closable, type Key } from './base';

/** How many values are kept. */
export const LIMIT = 10;
const FOLDER = path.join('a', 'b');
let opened = 0;

type Loader<T> = (key: Key) => Promise<T>;

interface Entry<T> {
  value: T;
  /** When it was read. */
  at: number;
}

export enum Mode { Read, Write }

export const handlers = {
  open(file: string) {
    opened += 1;
    return fs.openSync(file, 'r');
  },
  close: (handle: number) => {
    opened -= 1;
    fs.closeSync(handle);
    return Mode.Read;
  },
};

@sealed
export class Store<T> extends Base<T> implements Closable {
  static readonly shared = new Map<string, unknown>();
  #entries = new Map<Key, Entry<T>>();
  private loader: Loader<T>;

  constructor(loader: Loader<T>, private readonly mode: Mode = Mode.Read) {
    super();
    this.loader = loader;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Loads a value, from the file system if need be. */
  async load(key: string): Promise<T> {
    const known = this.#entries.get(key);
    if (known) return known.value;
    const text = await files.readFile(path.join(FOLDER, key), 'utf-8');
    this.log(text);
    const value = await this.loader(key);
    this.remember(key, { value, at: Date.now() });
    return identity(value);
  }

  find = (predicate: (entry: Entry<T>) => boolean) => {
    return [...this.#entries.values()].filter((entry) => predicate(entry));
  };

  private remember(key: Key, entry: Entry<T>): void {
    if (this.#entries.size >= LIMIT && this.mode === Mode.Write) this.close();
    this.#entries.set(key, entry);
  }

  close(): void {
    const removeAll = () => {
      for (const key of this.#entries.keys()) {
        this.#entries.delete(key);
      }
    };
    removeAll();
    handlers.close(1);
  }
}

export function overloaded(value: string): string;
export function overloaded(value: number): number;
export function overloaded(value: unknown): unknown {
  return identity(value);
}

if (opened > 0) {
  handlers.close(0);
} else {
  process.on('exit', () => {
    handlers.close(opened);
  });
}
""",
    "src/panel.tsx": """\
import React, { useCallback, useEffect } from 'react';
import { Store, handlers } from './store';

interface Props {
  title: string;
  store: Store<string>;
}

export const Panel = React.memo(function Panel({ title, store }: Props) {
  const open = useCallback(() => {
    store.load(title);
  }, [title]);
  useEffect(() => {
    handlers.open(title);
    return () => {
      store.close();
    };
  }, [store]);
  return (
    <section
      onClick={() => {
        open();
      }}
    >
      it's {title} &amp; more
    </section>
  );
});
""",
    "src/legacy.js": """\
const path = require('path');

function Legacy(root) {
  this.root = path.resolve(root);
}

Legacy.prototype.read = function (name) {
  return path.join(this.root, name);
};

module.exports = { Legacy, create: (root) => new Legacy(root) };
""",
}

QUESTIONS = [
    "how are values loaded from the file system",
    "close the store",
    "where is the title shown",
    "legacy path of a file",
    "predicate over the entries",
    "limit",
    "read and write mode of the store",
]

_PARSERS = {suffix: Parser(Language(tree_sitter_typescript.language_tsx())) for suffix in ("tsx", "js")} | {
    "ts": Parser(Language(tree_sitter_typescript.language_typescript()))
}
_MARK = re.compile(r"\s*// … \d+ (further )?lines?")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    root = tmp_path_factory.mktemp("project")
    for name, text in SOURCES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    with astrolabe.open(root) as opened:
        yield opened


@pytest.fixture(scope="module")
def named(workspace: Workspace, is_long: bool) -> list[tuple[str, str, str, SearchAnswer]]:
    """The id, the name and the kind of everything that has a name, with the answer about it. A short run takes every third."""
    rows = workspace.cypher("MATCH (s:Symbol) WHERE s.kind <> 'comment' RETURN s.id, s.breadcrumb, s.kind ORDER BY s.id").rows
    assert len(rows) >= 50
    rows = rows[:: 1 if is_long else 3]
    answers = {breadcrumb: workspace.symbol(breadcrumb).answer for breadcrumb in {row[1] for row in rows}}
    return [(id, breadcrumb, kind, answers[breadcrumb]) for id, breadcrumb, kind in rows]


@pytest.fixture(scope="module")
def answers(workspace: Workspace, named: list[tuple[str, str, str, SearchAnswer]]) -> list[SearchAnswer]:
    """Answers about everything that has a name, and to questions, for several budgets."""
    found = [answer for _, _, kind, answer in named if kind != "import"]
    found += [workspace.search(question, budget=budget).answer for question in QUESTIONS for budget in (300, 900, 8000)]
    return [answer for answer in found if answer.results]


def test_every_declaration_is_found_by_the_name_that_answers_give_it(
    named: list[tuple[str, str, str, SearchAnswer]],
) -> None:
    for id, breadcrumb, _, answer in named:
        assert id in {result.id for result in answer.results}, (breadcrumb, answer.hint)


def snapshots(answer: SearchAnswer) -> Iterator[tuple[str, str]]:
    """Path and text of each, without those that were cut."""
    for item in answer.texts[1:]:
        if "further line" not in item.text:
            yield item.text.split("\n", 1)[0].removeprefix("// "), item.text


def parse(path: str, text: str) -> Node:
    return _PARSERS[path.rpartition(".")[2]].parse(text.encode()).root_node


def test_snapshots_are_valid_source(answers: list[SearchAnswer]) -> None:
    for answer in answers:
        for path, text in snapshots(answer):
            assert not parse(path, text).has_error, f"{answer.query}\n{text}"


def test_every_shown_line_is_a_line_of_the_file_in_order_and_once(answers: list[SearchAnswer]) -> None:
    for answer in answers:
        for path, text in snapshots(answer):
            imports = {line for node in _statements(path, text, "import_statement") for line in _line_numbers(node)}
            lines = [line for number, line in enumerate(text.split("\n")) if number and number not in imports]
            rest = iter(SOURCES[path].split("\n"))
            shown = [line for line in lines if line.strip() and not _MARK.match(line) and not _is_stub(line, path)]
            assert all(line in rest for line in shown), f"{answer.query}\n{text}"


def test_what_the_lines_use_of_the_imports_is_there_and_nothing_else(answers: list[SearchAnswer]) -> None:
    for answer in answers:
        for path, text in snapshots(answer):
            if any(result.kind in ("import", "file") for result in answer.results):
                continue
            used = {name for node in parse(path, text).children if node.type != "import_statement" for name in _names(node)}
            assert _imported(path, text) == _imported(path, SOURCES[path]) & used, f"{answer.query}\n{text}"


def test_the_summary_counts_the_whole_answer_and_the_budget_holds(answers: list[SearchAnswer]) -> None:
    for answer in answers:
        assert answer.tokens == -(-sum(len(item.text) for item in answer.texts) // 4)
        assert f" | {answer.tokens:,}/{answer.budget:,} tokens\n" in answer.texts[0].text
        assert answer.budget is not None
        assert answer.tokens <= answer.budget
        priorities = [item.priority for item in answer.texts]
        assert priorities == sorted(set(priorities), reverse=True)


def test_no_result_lies_within_another_that_is_shown_whole(answers: list[SearchAnswer]) -> None:
    for answer in answers:
        whole = [result for result in answer.results if result.kind in ("function", "method", "component", "const", "expression")]
        if answer.query.startswith("symbol"):
            continue
        for result in answer.results:
            around = [
                outer
                for outer in whole
                if outer.id != result.id
                and outer.file == result.file
                and outer.start_line <= result.start_line
                and result.end_line <= outer.end_line
            ]
            assert not around, (answer.query, result.breadcrumb)


def _statements(path: str, text: str, kind: str) -> list[Node]:
    return [node for node in parse(path, text).children if node.type == kind]


def _line_numbers(node: Node) -> range:
    return range(node.start_point.row, node.end_point.row + 1)


def _is_stub(line: str, path: str) -> bool:
    """A signature that stands for a body: the file has it with a brace."""
    return line.endswith(";") and f"{line[:-1]} {{" in SOURCES[path]


def _names(node: Node) -> Iterator[str]:
    if node.type in ("identifier", "type_identifier", "shorthand_property_identifier"):
        assert node.text
        yield node.text.decode()
    for child in node.children:
        yield from _names(child)


def _imported(path: str, text: str) -> set[str]:
    statements = _statements(path, text, "import_statement")
    texts = (node.text.decode() for node in statements if node.text)
    return {name for text in texts for clause in SourceSyntax().imports(path, text) for name in clause.names}
