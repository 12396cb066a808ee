"""Excerpts of real files that hold statements which are no symbols: loops, loose callbacks, brackets in text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from answer_report.snapshot_rules import Shown, Target, violations
from astrolabe.retrieval.source.import_reduction import reduced_imports
from astrolabe.retrieval.source.regions import kept_lines
from astrolabe.retrieval.source.source_lines import SourceLines
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.project.source_syntax import SourceSyntax

SOURCES = {
    "loops.ts": """\
export function register(names: string[], times: number) {
  for (const name of names) {
    const title = name.trim()
    ;(globalThis as any).log(title)
    for (let i = 0; i < times; i++) {
      const run = () => {
        const text = title + name + i
        return text
      }
      run()
    }
  }
}
""",
    "link.ts": """\
export function link(opts: Options) {
  const first = opts.first
  return () =>
    ({ op }) =>
      observe((observer) => {
        function fail(cause: unknown) {
          observer.error(cause, first)
          return cause
        }
        fail(op)
      })
}

type Options = { first: number }
declare function observe(run: (observer: any) => void): void
""",
    "suite.test.tsx": "",
}

#: A suite of 81 tests, whose titles and texts hold what looks like quotes and brackets.
_CASE = "    it('isn\\'t {} :(', () => {{\n" + "      render(<p>No :(</p>)\n" * 20 + "    }})\n"
_PART = (
    "  describe('part {}', () => {{\n"
    + "".join(_CASE.format(case).replace("{", "{{").replace("}", "}}") for case in range(9))
    + "  }})\n\n"
)
_LAST = """\
  it('is the last', () => {
    const view = render(<p>Yes</p>)
    expect(view).toBe(1)
  })
})
"""
_FIRST = "import { render } from './render'\n\ndescribe('suite', () => {\n  beforeEach(() => reset())\n\n"
SOURCES["suite.test.tsx"] = _FIRST + "".join(map(_PART.format, range(9))) + _LAST
# Wherever the budget ends, it ends in a text.
_LINE = "      export const value{0} = new Type({0}, {{ before }});\n"
SOURCES["texts.ts"] = (
    "describe('texts', () => {\n  it('reads code', () => {\n    check(\n      `\n"
    + "".join(map(_LINE.format, range(150)))
    + "    `,\n      `the other\n"
    + "".join(map(_LINE.format, range(150)))
    + "    `,\n    );\n  });\n});\n"
)

SHOWN = {
    "loops.ts > register > run": """\
export function register(names: string[], times: number) {
  for (const name of names) {
    const title = name.trim()
    for (let i = 0; i < times; i++) {
      const run = () => {
        const text = title + name + i
        return text
      }
    }
  }
}""",
    "link.ts > link > observe callback > fail": """\
export function link(opts: Options) {
  const first = opts.first
  return () =>
    ({ op }) =>
      observe((observer) => {
        function fail(cause: unknown) {
          observer.error(cause, first)
          return cause
        }
      })
}""",
    "suite.test.tsx > describe('suite') > callback > it('is the last') callback": """\
import { render } from './render'

describe('suite', () => {
  it('is the last', () => {
    const view = render(<p>Yes</p>)
    expect(view).toBe(1)
  })
})""",
}


@pytest.fixture(scope="module")
def workspace(opened_project: Callable[[Mapping[str, str]], Workspace]) -> Workspace:
    return opened_project(SOURCES)


@pytest.mark.parametrize("path", SHOWN)
def test_a_nested_function_stands_in_the_statements_that_it_needs(workspace: Workspace, path: str) -> None:
    _, snapshot = workspace.symbol(path).answer.texts
    header, _, text = snapshot.text.partition("\n\n")
    assert header == f"// {path.split(' > ')[0]}"
    assert text == SHOWN[path]


def test_a_large_suite_is_shown_by_its_parts(workspace: Workspace) -> None:
    _, snapshot = workspace.symbol("suite.test.tsx > describe('suite')").answer.texts
    assert "  describe('part 8', () => {\n    // … 198 lines\n  })\n" in snapshot.text
    assert "beforeEach(() => reset())" in snapshot.text


@pytest.mark.sampled(3)
@pytest.mark.parametrize("budget", [150, 400, 1500])
def test_what_is_cut_at_the_budget_is_valid_source(workspace: Workspace, budget: int, is_long: bool) -> None:
    for name, source in SOURCES.items():
        symbols = [
            row[0] for row in workspace.cypher(f"MATCH (s:Symbol) WHERE s.relativePath = '{name}' RETURN s.breadcrumb").rows
        ]
        # Most symbols are alike: a part of the suite, or a case of it.
        for symbol in symbols if is_long else symbols[:: max(1, len(symbols) // 12)]:
            found = workspace.search(f"symbol = {symbol}", budget=budget)
            for item in found.answer.texts[1:]:
                targets = [Target(result.name, result.start_line, result.end_line) for result in found]
                assert list(violations(Shown(name, source, item.text, targets))) == [], symbol


def test_lines_are_shown_with_those_that_they_go_on_from() -> None:
    text = "function f() {\n  a()\n  return () =>\n    g(\n      1,\n    )\n}"
    source = SourceLines.of_text(text, "a.ts", SourceSyntax())
    assert kept_lines(source, 1, 7, {1, 5, 7}) == {1, 3, 4, 5, 6, 7}


def test_a_comment_within_an_import_may_hold_anything() -> None:
    statement = "import {\n  a,\n  // isn't it 'x' from 'y'?\n  b,\n} from './real' with { type: 'json' };"
    clauses = SourceSyntax().imports("a.ts", statement)
    assert reduced_imports(statement, clauses, {"b"}) == "import { b } from './real' with { type: 'json' };"
