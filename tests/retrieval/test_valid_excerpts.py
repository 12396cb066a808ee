"""Excerpts that the signs of the text alone would get wrong: what they leave out, and that they are valid source all the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import astrolabe
import pytest
from answer_report.snapshot_rules import Shown, Target, violations
from astrolabe.retrieval.answers.answer import noted
from astrolabe.server.api.requests.search_results import IndexState, SearchResults
from astrolabe.server.api.workspace import Workspace

_LINES = "".join(f"    const line{number} = work({number})\n" for number in range(200))
SOURCES = {
    # The body of the class does not begin with the first brace behind its name.
    "service.ts": """\
import { Service, work } from './base'

export class Registry extends Service<Registry, {
"""
    + "".join(f"  readonly option{number}: {{ value: string }}\n" for number in range(70))
    + """\
}>()("Registry") {
  static readonly layer = work(1)
  static readonly other = work(2)
}
""",
    # Templates in templates hold brackets and quotes that are none.
    "view.ts": """\
import { html, Mixed } from './base'

export class View extends Mixed(HTMLElement) {
  static style = html`:host { display: ${'none'} }`

  render(items: string[]) {
    return html`<ul>${items.map(item => html`<li class="{">${item ? html`}` : ''}</li>`)}</ul>`
  }

  connected() {
    this.listen(() => {
      this.render([])
    })
  }

  listen(run: () => void) {
    run()
  }
}
""",
    # A class is all that a function returns.
    "mixin.ts": """\
import { work } from './base'

export default (Base: any) =>
  class Parser extends Base {
    first() {
      return this.second() + work(1)
    }

    second() {
      return 2
    }
"""
    + "".join(f"\n    method{number}() {{\n{_LINES}    }}\n" for number in range(5))
    + "  };\n",
    # Between a type and its value stands a list of types that nothing may be taken out of.
    "large.ts": "import { build, work } from './base'\n\nexport const make = build(function () {\n"
    + _LINES * 10
    + """\
  const clients: Map<
    string,
    (id: string) => number
  > = work(
    build(function () {
      return {
        request: () => work(3),
        other: () => work(4),
      }
    })
  )
  return clients
})
""",
    "types.js": """\
/** @import { Claim, Token, Writable as Store } from './token' */
/**
 * @import * as keys from './keys'
 * @import { Clock } from './clock'
 */

/**
 * @typedef {{ name: string }} User
 */

/** @type {Token | null} */
export let last = null

/**
 * @param {User} user
 * @returns {Token}
 */
export function issue(user) {
  return /** @type {any} */ (user.name)
}

/**
 * Keeps a token in a `Store`, never by a `Claim`.
 *
 * @param {Store<Token>} store
 * @param {Clock} clock
 */
export function keep(store, clock) {
  store.set(last, clock)
}

export function plain() {
  return 1
}
""",
    "routes.js": """\
const { Router, Route: Path, version } = require('./base')
const {
  kBody, // what was sent
  kHead
} =
  require('./symbols')
const build = require('./base')(work), other = require('./other')

function route(path) {
  return new Path(path)[kHead]
}

function router() {
  return build(other)
}
""",
    "log.ts": """\
export class Log {
  constructor(public first: number,
              public last: number = Infinity) {
  }
}

namespace Logs {
  register({
    after(action: { type: string }) {
      return action.type
    },
    before(): void {},
  })
}
""",
    "state.ts": """\
import { kDone, kState } from './symbols'

export class State {
  protected [kState] = { size: 1 }
  protected [kDone] = false

  get size() {
    return this[kState].size
  }
}
""",
    "symbols.ts": "export const kState = Symbol('state')\nexport const kDone = Symbol('done')\n",
    "one-line.js": "import a from 'a';import { b, c } from 'b';export const x = a + b, y = 2;" + "// " + "z" * 40_000 + "\n",
    "base.ts": "export declare const Service: any, work: any, html: any, Mixed: any, build: any\n",
}

SHOWN = {
    "service.ts > Registry > layer": """\
import { Service, work } from './base'

export class Registry extends Service<Registry, {
"""
    + "".join(f"  readonly option{number}: {{ value: string }}\n" for number in range(70))
    + """\
}>()("Registry") {
  static readonly layer = work(1)
}""",
    "view.ts > View > connected": """\
import { html, Mixed } from './base'

export class View extends Mixed(HTMLElement) {
  render(items: string[]) {
    return html`<ul>${items.map(item => html`<li class="{">${item ? html`}` : ''}</li>`)}</ul>`
  }

  connected() {
    this.listen(() => {
      this.render([])
    })
  }

  listen(run: () => void) {
    run()
  }
}""",
    "mixin.ts > default > Parser > first": """\
import { work } from './base'

export default (Base: any) =>
  class Parser extends Base {
    first() {
      return this.second() + work(1)
    }

    second() {
      return 2
    }
  };""",
    "large.ts > make > build callback > build callback > request": """\
import { build, work } from './base'

export const make = build(function () {
    // … 2000 lines
  const clients: Map<
    string,
    (id: string) => number
  > = work(
    build(function () {
      return {
        request: () => work(3),
        // … 1 line
      }
    })
  )
  // … 1 line
})""",
    "types.js > issue": """\
/** @import { Token } from './token' */

/**
 * @typedef {{ name: string }} User
 */

/**
 * @param {User} user
 * @returns {Token}
 */
export function issue(user) {
  return /** @type {any} */ (user.name)
}""",
    "types.js > keep": """\
/** @import { Token, Writable as Store } from './token' */
/**
 * @import { Clock } from './clock'
 */

/** @type {Token | null} */
export let last = null

/**
 * Keeps a token in a `Store`, never by a `Claim`.
 *
 * @param {Store<Token>} store
 * @param {Clock} clock
 */
export function keep(store, clock) {
  store.set(last, clock)
}""",
    "routes.js > route": """\
const { Route: Path } = require('./base')
const { kHead } = require('./symbols')

function route(path) {
  return new Path(path)[kHead]
}""",
    "routes.js > router": """\
const build = require('./base')(work), other = require('./other')

function router() {
  return build(other)
}""",
    "log.ts > Log > last": """\
export class Log {
  constructor(public first: number,
              public last: number = Infinity) {
  }
}""",
    "log.ts > Logs > after": """\
namespace Logs {
  register({
    after(action: { type: string }) {
      return action.type
    },
    before(): void {},
  })
}""",
    "state.ts > State > size": """\
import { kState } from './symbols'

export class State {
  protected [kState] = { size: 1 }

  get size() {
    return this[kState].size
  }
}""",
    "types.js > plain": "export function plain() {\n  return 1\n}",
}


@pytest.fixture(scope="module")
def workspace(opened_project: Callable[[Mapping[str, str]], Workspace]) -> Workspace:
    return opened_project(SOURCES)


@pytest.mark.parametrize("path", SHOWN)
def test_an_excerpt_leaves_out_what_is_not_needed_and_parses(workspace: Workspace, path: str) -> None:
    found = workspace.symbol(path)
    _, snapshot = found.answer.texts
    name = path.split(" > ")[0]
    assert snapshot.text == f"// {name}\n\n{SHOWN[path]}"
    targets = [Target(result.name, result.start_line, result.end_line) for result in found]
    assert list(violations(Shown(name, SOURCES[name], snapshot.text, targets))) == []


@pytest.mark.parametrize("budget", [60, 100, 200, 1000])
def test_a_line_longer_than_the_budget_is_left_out(workspace: Workspace, budget: int) -> None:
    found = workspace.search("symbol = one-line.js > x", budget=budget)
    assert found.answer.texts[1].text == "// one-line.js\n\n// … 1 further line does not fit the token budget"
    assert found.tokens <= budget


def test_what_cannot_be_whole_leaves_room_for_others(workspace: Workspace) -> None:
    found = workspace.search("make clients", budget=2000, min_score=0.0)
    assert len(found) > 1
    assert found.tokens <= 2000


def test_notices_count_as_the_rest_does(workspace: Workspace) -> None:
    for query in ("symbol = types.js > issue", "symbol = nowhere"):
        found = workspace.search(query)
        told = SearchResults(found.answer, IndexState(1, False, ("The index is behind: 3 files changed.",)))
        text = "".join(item.text for item in told.items)
        assert told.tokens == -(-len(text) // 4) > found.tokens
        assert text.startswith("The index is behind: 3 files changed.\n\n")
        if found.answer.texts:
            assert f" {told.tokens}/8,000 tokens" in text
        assert noted(found.answer, ()) is found.answer


def test_a_repository_without_symbols_answers(tmp_path: Path) -> None:
    (tmp_path / "empty.ts").write_text("", encoding="utf-8")
    with astrolabe.open(tmp_path) as opened:
        assert opened.search("where are tokens validated").answer.hint == (
            "The index holds no code: `astrolabe status` lists what was left out."
        )
        assert opened.symbol("empty.ts").text.startswith('Search: "symbol = empty.ts" | 1 result | ')
        assert str(opened.search("symbol = anything").answer.hint).startswith('No symbol "anything" found. ')
