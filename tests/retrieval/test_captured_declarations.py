"""What targets take of comments and of the functions around them, and what of it an excerpt leaves out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from answer_report.snapshot_rules import Shown, Target, violations
from astrolabe.retrieval.source.doc_comments import undeclaring_lines
from astrolabe.retrieval.source.regions import kept_lines
from astrolabe.retrieval.source.source_lines import SourceLines
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.project.source_syntax import SourceSyntax

_WORK = "".join(f"      const line{number} = work({number})\n" for number in range(300))
SOURCES = {
    # Type parameters of a class are those of its comment; no semicolon ends a field before a generator.
    "bag.js": """\
/**
 * Holds things, each once.
 *
 * @example
 * new Bag().add(1)
 *
 * @template T the things,
 * whatever they are
 * @extends {Set<T>}
 */
export class Bag extends Set {
  items

  /** @param {T} thing */
  put(thing) {
    this.add(thing)
  }

  * [Symbol.iterator] () {
    yield * this.items
  }
}
""",
    # What the hidden lines alone take of comments stays away.
    "graph.js": """\
/** @import { Shown, Hidden } from './shapes' */
/** @import { Lost } from './shapes' */
/** @typedef {Hidden[]} Many */

/** @typedef {Shown[]} Some */

export class Graph {
  /**
   * @param {Some} some
   */
  show(some) {
    /** @type {Many & Lost} */
    const many = some
"""
    + _WORK
    + """\
    return many
  }
}
""",
    # The parameters of a function stand on lines of their own, and of what is too long only parts are shown, one in another.
    "plugin.js": """\
import { work } from './base'

export const plugin = make(() => {
  const first = work(1)
  const second = work(2)
  const handle = (
    parser,
    { name }
  ) => {
"""
    + _WORK
    + """\
    parser.on((event) => {
      work(event, name, first)
    })
  }
  outer(function () {
    const inner = work(4)
"""
    + _WORK
    + """\
    const third = function () {
      inner.begin()
      inner.on((event) => {
        work(event, second, handle)
      })
    }
    return third
  })
  return handle
})
""",
    # Of a statement that declares several variables no line stands alone.
    "lists.js": """\
export function open(path) {
  var first = () => path,
    second = {
      read: function () {
        return first(() => path)
      }
    },
    last = work(3)
"""
    + _WORK
    + """\
  var table = [
      first,
      second,
    ],
    third = {
      size: 1,
"""
    + "".join(f"      value{number}: work({number}),\n" for number in range(300))
    + """\
      write: function () {
        table.map((row) => {
          last(row)
        })
      }
    },
    fourth = work({
      size: 2,
    })
  return [fourth, third, last]
}
""",
    # Of many variables in one statement only those come along that are used, with what is needed to begin and end it.
    "many.js": """\
(function (window) {
  var
    // Where all begins
    root,

    // The page
    location = window.location,
    document = window.document,

    version = '1, 2', /* never, ever */ pattern = /[,{]/,

    // Makes one
    make = function (path, depth) {
      return new Map([path, depth, root])
    },

    long = function (given) {
      window.one(given)
      window.two(given)
      window.three(given)
      window.four(given)
    },

    // Done
    completed = function () {
      document.remove('load', completed)
      make(version)
    },

    text = `
      , none = 1,
    `,
    last = function () {
      window.one()
      window.two()
      window.three()
    }

  function told() {
    return text + long(pattern)
  }

  function ends() {
    last()
    var document = 1
    return document
  }

  window.lists = [told, ends, completed]
})(window)
""",
    "commas.js": """(function (window) {
  let a = 1
    , b = [
        a
      ]
    , c = 2
    , d = 3

  for (var e = 1,
    f = 2; e < f; e++) {
    window.on(function listens() {
      return b[e]
    })
  }
})(window)
""",
    # Of what is too long the other branch of a condition is shown, and the head of a function in those around the target.
    "library.js": """\
/*!
 * A library.
 */
(function (factory) {
  factory(window)
})(function (window) {
"""
    + _WORK
    + """\
      ;(function () {
        function find(selector, results) {
          results.one(selector)
          results.two(selector)
          results.three(selector)
          results.four(selector)
          results.five(selector)
        }

        function match(matchers) {
          return matchers.length > 1 ?
            function (element) {
              return find(matchers, element)
            } :
            matchers[0]
        }

        window.match = match
      })()
})
""",
    # A function has two names, the first on a line of its own.
    "names.js": """\
/**
 * Sets a header.
 *
 * It takes a field
 * and a value
 * of any kind.
 */
exports.set =
exports.header = function header(field, value) {
  window.one(field)
  window.two(value)
  window.three(field, value)
  window.four(field)
  return field
}

/**
 * Says it.
 *
 * It takes nothing
 * and gives
 * nothing.
 */
exports.say =
exports.told = function told() {
  return 'told'
}

exports.type = function type(value) {
  return exports.header('type', value) + exports.told()
}
""",
    # A call begins with a table on several lines.
    "tables.js": """\
make('tables', () => {
  each`
    first | second
    ${1}  | ${`2`}
  `('adds $first and $second', ({ first, second }) => {
    window.before(first)
    window.every((event) => {
      event.done(second)
    })
    window.after(first)
  })
})
""",
    # Nothing but line ends parts the members of the type of a parameter.
    "environment.ts": """\
export class Environment {
  async begin(options?: {
    watcher?: string
    /** The one before. */
    previous?: Environment
  }): Promise<void> {
"""
    + _WORK
    + """\
  }
}
""",
    # A function lies in what a class extends, before its body.
    "driver.ts": """\
import { service, work } from './base'

export class Driver extends service('driver', {
  make: work(() => {
    const size = 1
    return { grow: (by: number) => size + by }
  })
}) {
  static layer = work(2)
}
""",
    # The parameters of a function that is returned take several lines.
    "start.ts": """\
import { work } from './base'

export function starter(name: string) {
  work(1)
  return (
    arg: string,
    { key }: { key?: string } = {},
  ) =>
    (dispatch: (action: unknown) => void) => {
      work(2)
      const reset = () => {
        dispatch([key, name])
      }
      work(3)
      return reset
    }
}
""",
    # What comes along is one of a list, one of the names of a `require`, or stands below comments that import.
    "parts.js": """\
const { first, second, third } = require('./base')

/** @import { Shown } from './shapes' */
/** @import { Lost } from './shapes' */

const NAME = 'parts'

make(function () {
  var version = 1,
    every = function (x) {
      return first(x)
    }
"""
    + _WORK.replace("      ", "  ")
    + """\
  each({
    run() {
      return every(second(third(NAME)))
    }
  })
})
""",
    # A function in a decorator is no member.
    "dto.ts": """\
import { Prop } from './base'

export class Dto {
  size = 1

  @Prop({ type: () => Dto })
  next: Dto
}
""",
    # What one target takes by its head alone holds the other.
    "slices.ts": """\
import { work } from './base'

export function slices(make: (given: object) => any, name: string) {
  const first = make({
"""
    + "".join(f"    value{number}: work({number}),\n" for number in range(300))
    + """\
    reduce(builder: (name: string) => void) {
      builder(name)
      work(1)
    },
  })
  const second = make({
    reduce(builder: (name: string) => void) {
      builder(first.name)
      second.done()
    },
  })
  return [first, second]
}
""",
    # What was caught is known by its clause, which stands in its statement.
    "request.ts": """\
import { work } from './base'

export function request(later: (run: () => void) => void) {
  try {
    const sent = work(1)
    if (sent) {
      work(sent)
    }
  } catch (error) {
    work(2)
    later(() => {
      work(error)
    })
  }
}
""",
    "base.js": "export const work = (value) => value\n",
    "shapes.js": "export const nothing = 0\n",
    "many.ts": "".join(
        f"export function part{number}(value: number) {{\n" + "  value += value * value\n" * 8 + "  return value\n}\n"
        for number in range(40)
    )
    + "export function all() {\n  return ["
    + ", ".join(f"part{number}(1)" for number in range(40))
    + "]\n}\n",
}
SHOWN = {
    "bag.js > Bag > put": """\
/**
 * @template T the things,
 * whatever they are
 */
export class Bag extends Set {
  /** @param {T} thing */
  put(thing) {
    this.add(thing)
  }
}""",
    "bag.js > Bag > [Symbol.iterator]": """\
export class Bag extends Set {
  items

  * [Symbol.iterator] () {
    yield * this.items
  }
}""",
    "lists.js > open > first": """\
export function open(path) {
  var first = () => path,
    last = work(3)
}""",
    "lists.js > open > write > map callback": """\
export function open(path) {
  var first = () => path,
    last = work(3)
  var table = [
      first,
      second,
    ],
    third = {
      write: function () {
        table.map((row) => {
          last(row)
        })
      }
    },
    fourth = work({
      size: 2,
    })
}""",
    "many.js > IIFE > completed": """\
(function (window) {
  var
    document = window.document,

    version = '1, 2', /* never, ever */ pattern = /[,{]/,

    // Makes one
    make = function (path, depth) {
      return new Map([path, depth, root])
    },

    // Done
    completed = function () {
      document.remove('load', completed)
      make(version)
    },

    last = function () {
      // … 3 lines
    }
})(window)""",
    "many.js > IIFE > told": """\
(function (window) {
  var
    version = '1, 2', /* never, ever */ pattern = /[,{]/,

    long = function (given) {
      // … 4 lines
    },

    text = `
      , none = 1,
    `,
    last = function () {
      // … 3 lines
    }

  function told() {
    return text + long(pattern)
  }
})(window)""",
    "many.js > IIFE > ends": """\
(function (window) {
  var
    last = function () {
      window.one()
      window.two()
      window.three()
    }

  function ends() {
    last()
    var document = 1
    return document
  }
})(window)""",
    "commas.js > IIFE > listens": """\
(function (window) {
  let a = 1
    , b = [
        a
      ]
    , d = 3

  for (var e = 1,
    f = 2; e < f; e++) {
    window.on(function listens() {
      return b[e]
    })
  }
})(window)""",
    "library.js > IIFE > callback > IIFE > match > returned function": """\
(function (factory) {
  // … 1 line
})(function (window) {
      // … 300 lines
      ;(function () {
        function find(selector, results) {
          // … 5 lines
        }

        function match(matchers) {
          return matchers.length > 1 ?
            function (element) {
              return find(matchers, element)
            } :
            matchers[0]
        }
        // … 2 lines
      })()
})""",
    "names.js > type": """\
exports.set =
exports.header = function header(field, value) {
  // … 5 lines
}

exports.say =
exports.told = function told() {
  return 'told'
}

exports.type = function type(value) {
  return exports.header('type', value) + exports.told()
}""",
    "tables.js > make('tables') > callback > each('adds $first and $second') callback > every callback": """\
make('tables', () => {
  each`
    first | second
    ${1}  | ${`2`}
  `('adds $first and $second', ({ first, second }) => {
    window.every((event) => {
      event.done(second)
    })
  })
})""",
    "environment.ts > Environment": """\
export class Environment {
  async begin(options?: {
    watcher?: string
    /** The one before. */
    previous?: Environment
  }): Promise<void> {
    // … 300 lines
  }
}""",
    "driver.ts > Driver > work callback > grow": SOURCES["driver.ts"].rstrip(),
    "start.ts > starter > returned function > reset": """\
export function starter(name: string) {
  return (
    arg: string,
    { key }: { key?: string } = {},
  ) =>
    (dispatch: (action: unknown) => void) => {
      const reset = () => {
        dispatch([key, name])
      }
    }
}""",
    "request.ts > request > later callback": """\
import { work } from './base'

export function request(later: (run: () => void) => void) {
  try {
  } catch (error) {
    later(() => {
      work(error)
    })
  }
}""",
    "parts.js > make() > callback > run": """\
const { second, third } = require('./base')

const NAME = 'parts'

make(function () {
  var version = 1,
    every = function (x) {
      return first(x)
    }
  // … 300 lines
  each({
    run() {
      return every(second(third(NAME)))
    }
  })
})""",
    "dto.ts > Dto > type": SOURCES["dto.ts"].rstrip(),
    "graph.js > Graph": """\
/** @import { Shown } from './shapes' */

/** @typedef {Shown[]} Some */

export class Graph {
  /**
   * @param {Some} some
   */
  show(some);
}""",
}


@pytest.fixture(scope="module")
def workspace(opened_project: Callable[[Mapping[str, str]], Workspace]) -> Workspace:
    return opened_project(SOURCES)


def _broken(workspace: Workspace, lookup: str, budget: int) -> list[tuple[str, str]]:
    found = workspace.search(f"symbol = {lookup}", budget=budget)
    targets = [Target(result.name, result.start_line, result.end_line) for result in found]
    path = lookup.split(" > ")[0]
    return list(violations(Shown(path, SOURCES[path], found.answer.texts[1].text, targets)))


@pytest.mark.parametrize("lookup", SHOWN)
def test_comments_come_along_with_what_they_declare(workspace: Workspace, lookup: str) -> None:
    _, excerpt = workspace.search(f"symbol = {lookup}", budget=2000).answer.texts
    assert excerpt.text == f"// {lookup.split(' > ')[0]}\n\n{SHOWN[lookup]}"
    assert _broken(workspace, lookup, 2000) == []


@pytest.mark.parametrize("budget", [2000, 4000])
def test_parts_in_parts_are_shown_with_all_that_they_use(workspace: Workspace, budget: int) -> None:
    found = workspace.search("symbol = on callback", budget=budget)
    assert [result.file for result in found] == ["plugin.js", "plugin.js"]
    _, excerpt = found.answer.texts
    for line in ("  const first", "  const second", "    const inner", "    parser,", "      inner.on("):
        assert f"\n{line}" in excerpt.text
    targets = [Target(result.name, result.start_line, result.end_line) for result in found]
    assert list(violations(Shown("plugin.js", SOURCES["plugin.js"], excerpt.text, targets))) == []


def test_no_target_is_hidden_by_the_mark_of_what_another_takes(workspace: Workspace) -> None:
    found = workspace.search("symbol = slices.ts > slices > reduce", budget=2000)
    assert [result.name for result in found] == ["reduce", "reduce"]
    _, excerpt = found.answer.texts
    for line in ("  const first = make({", "      builder(name)", "  const second = make({", "      builder(first.name)"):
        assert f"\n{line}\n" in excerpt.text
    assert "\n    // … 300 lines\n" in excerpt.text
    targets = [Target(result.name, result.start_line, result.end_line) for result in found]
    assert list(violations(Shown("slices.ts", SOURCES["slices.ts"], excerpt.text, targets))) == []


@pytest.mark.parametrize("budget", [400, 550, 700, 8000])
def test_what_a_target_uses_is_shown_or_named(workspace: Workspace, budget: int) -> None:
    graph, excerpt = (item.text for item in workspace.search("symbol = all", budget=budget).answer.texts)
    shown = excerpt.count("export function part")
    named, _, more = graph.partition("Referred to, but beyond the budget: ")[2].partition("; and ")
    left_out = named.count("symbol = many.ts > part") + int(more.split(" ")[0] or 0 if more else 0)
    assert shown + left_out == 40
    assert (left_out == 0) == (budget == 8000)


def test_the_parameters_of_a_function_are_shown_together() -> None:
    parameters = "({\n    a,\n    b\n  }): (x: T) => void => {"
    text = f"make(() => {{\n  const on = {parameters}\n    one()\n    two(\n      1\n    )\n    c()\n  }}\n}})"
    source = SourceLines.of_text(text, "a.ts", SourceSyntax())
    assert kept_lines(source, 1, 12, {1, 6, 12}) == {1, 2, 3, 4, 5, 6, 11, 12}


COMMENTS = [
    (["/** @template T */"], []),
    (["/**", " * Says.", " * @template T", " * @param {T} x", " */"], [(2, 2), (4, 4)]),
    (["/**", " * @template T", " * @template U of", " *   two lines", " *", " * More", " */"], [(5, 6)]),
    (["/**", " * Says.", " * @template T", " * @typedef {T[]} Many", " */"], []),
    (["/**", " * Says.", " */"], []),
]


@pytest.mark.parametrize(("lines", "left_out"), COMMENTS)
def test_of_a_comment_with_type_parameters_these_are_kept(lines: list[str], left_out: list[tuple[int, int]]) -> None:
    assert list(undeclaring_lines(lines, 1)) == left_out
