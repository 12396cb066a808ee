"""What nests in source text, by language: the regions that excerpts may take lines out of."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

import pytest
from astrolabe.ingest.languages.region_reading import read_imports, read_source
from astrolabe.ingest.languages.registry import language as language_named
from astrolabe.schema.languages import LANGUAGES
from astrolabe.schema.source_regions import Region
from tree_sitter import Language

#: A language, a text, and its regions: role, first and last line ("-" where nothing closes it), each deeper by what holds it.
REGIONS = {
    "typescript": (
        """\
export class A {
  @Prop({
    a: 1,
  })
  f(
    x: number,
  ) {
    return () =>
      g(`
        { text
      `, {
        x,
      })
  }
}
const a = 1,
  b = () => {
    a()
  }
""",
        [
            "members 1-15",
            " list 2-4",
            "  members 2-4",
            " fixed 5-7",
            " body 7-14",
            "  tail 8-13-",
            "   list 9-13",
            "    fixed 9-11",
            "    members 11-13",
            "declarators 16-19",
            " block 17-19",
        ],
    ),
    "tsx": ("const a = (\n  <A\n    b={1}\n  >\n    text\n    <B />\n  </A>\n)\n", ["group 1-8", " list 2-7", "  list 2-4"]),
    "python": (
        """\
from a import (
    b,
)
class A(B):
    # First.
    def f(self):
        # Second.
        if self:
            return [
                1,
            ]
        else:
            return 2
""",
        ["list 1-3", "block 4-13-", " body 6-13-", "  block 8-11-", "   list 9-11", "  block 12-13-"],
    ),
    "go": (
        """\
func f(
	a int,
) {
	switch a {
	case 1:
		g()
	default:
		h(func() {
			i()
		})
	}
}
""",
        ["fixed 1-3", "body 3-12", " block 4-11", "  block 5-6-", "  block 7-10-", "   list 8-10", "    body 8-10"],
    ),
    "rust": (
        """\
impl A {
  #[x]
  fn f() {
    match x {
      1 => {
        a();
      }
    }
  }
}
""",
        [
            "members 1-10",
            " body 3-9",
            "  members 4-8",
            "   block 5-7",
        ],
    ),
    "java": (
        """\
enum A {
  B {
    int f() {
      g(() -> {
        h();
      });
    }
  };
  void i() {
  }
}
""",
        [
            "members 1-11",
            " members 2-8",
            "  body 3-7",
            "   group 4-6",
            "    block 4-6",
            " body 9-10",
        ],
    ),
    "kotlin": (
        """\
class A(
  val b: Int,
) {
  companion object {
    fun f() {
      g { x ->
        h(x)
      }
    }
  }
}
""",
        [
            "fixed 1-3",
            "members 3-11",
            " members 4-10",
            "  body 5-9",
            "   block 6-8",
        ],
    ),
    "scala": (
        """\
object A {
  def f = {
    g()
  }
}
class B:
  def h =
    i()
    j()
""",
        [
            "members 1-5",
            " body 2-4",
            "members 6-9-",
            " body 7-9-",
        ],
    ),
    "c": (
        """\
#ifdef A
int f(int a,
      int b)
{
  for (;;) {
    g(a,
      b);
  }
}
#endif
""",
        [
            "block 1-10",
            " fixed 2-3",
            " body 4-9",
            "  block 5-8",
            "   group 6-7",
        ],
    ),
    "cpp": ("namespace a {\nclass B {\n  void f() {\n    g();\n  }\n};\n}\n", ["block 1-7", " members 2-6", "  body 3-5"]),
    "csharp": (
        """\
namespace A {
  class B {
    [C]
    int F() {
      switch (a) {
        case 1:
          g();
          break;
      }
    }
  }
}
""",
        [
            "members 1-12",
            " members 2-11",
            "  body 4-10",
            "   block 5-9",
            "    block 6-8-",
        ],
    ),
    "swift": (
        """\
class A {
  func f() {
    if x {
      a()
    } else {
      b()
    }
  }
}
""",
        [
            "members 1-9",
            " body 2-8",
            "  block 3-5",
            "  block 5-7",
        ],
    ),
    "php": (
        """\
class A {
  function f() {
    g(function () {
      h();
    });
  }
}
""",
        [
            "members 1-7",
            " body 2-6",
            "  list 3-5",
            "   block 3-5",
        ],
    ),
    "ruby": (
        """\
module A
  class B
    def f(x)
      x.each do |y|
        g y
      end
    end
  end
end
""",
        [
            "block 1-9",
            " block 2-8",
            "  body 3-7",
            "   block 4-6",
        ],
    ),
    "lua": ("function f(x)\n  if x then\n    a()\n    b()\n  end\nend\n", ["body 1-6", " block 2-5"]),
    "bash": ("f() {\n  for i in 1; do\n    a\n  done\n}\n", ["body 1-5", " block 2-4"]),
}


@pytest.mark.parametrize("language", REGIONS)
def test_the_regions_of_a_text(language: str) -> None:
    text, expected = REGIONS[language]
    assert list(_told(read_source(text, language).whole)) == expected


def _told(region: Region, depth: int = 0) -> Iterator[str]:
    for part in region.parts:
        for inner in part.regions:
            yield f"{' ' * depth}{inner.role.value} {inner.first}-{inner.last}{'' if inner.is_closed else '-'}"
            yield from _told(inner, depth + 1)


@pytest.mark.parametrize("language", REGIONS)
def test_lines_count_from_the_first_line_of_the_text(language: str) -> None:
    text, _ = REGIONS[language]
    here, below = (read_source(text, language, first).whole for first in (1, 11))
    assert [line.first + 10 for line in _flat(here)] == [line.first for line in _flat(below)]


def _flat(region: Region) -> Iterator[Region]:
    yield region
    for part in region.parts:
        for inner in part.regions:
            yield from _flat(inner)


@pytest.mark.parametrize("language", REGIONS)
def test_broken_text_has_regions_that_nest(language: str) -> None:
    text, _ = REGIONS[language]
    for end in range(0, len(text), 3):
        for broken in (text[:end], text[end:], text[:end] + "}" + text[end:], text[:end] + "(" + text[end:]):
            _check(read_source(broken, language).whole)


def _check(region: Region) -> None:
    for part in region.parts:
        assert region.first <= part.first <= part.last <= region.last
        for inner in part.regions:
            assert part.first <= inner.first <= inner.last <= part.last
            _check(inner)


@pytest.mark.parametrize(
    "folder", sorted({language.folder for language in LANGUAGES if language.grammar and not language.is_document})
)
def test_a_grammar_has_the_nodes_that_its_syntax_names(folder: str) -> None:
    grammars = [grammar for language in LANGUAGES if language.folder == folder for grammar in _grammars(language.grammar)]
    syntax = language_named(next(language.name for language in LANGUAGES if language.folder == folder)).excerpts
    named = {*syntax.roles, *syntax.declarations, *syntax.bare, *syntax.unbracketed, *syntax.labelled, *syntax.tails}
    named |= {*syntax.prefixes, *syntax.wrappers, *syntax.declarators, *syntax.texts, *syntax.line_separated}
    known = {node for node in named if any(grammar.id_for_node_kind(node, True) is not None for grammar in grammars)}
    assert named - known - {"ERROR"} == set()


def _grammars(distribution: str) -> list[Language]:
    module = import_module(distribution.replace("-", "_"))
    functions = ("language", "language_php", "language_typescript", "language_tsx")
    return [Language(getattr(module, name)()) for name in functions if hasattr(module, name)]


IMPORTS = [
    (
        "import a, { b as c, type D, // e\n f } from './x' with { type: 'json' }",
        "./x",
        {"a": "default", "c": "b", "D": "D", "f": "f"},
    ),
    ("import * as a from 'x'", "x", {"a": "*"}),
    ("import 'x'", "x", {}),
    ("const { a, b: c, d = 1 } = require('x')", "x", {"a": "a", "c": "b", "d": "d"}),
    ("var a = require('x')", "x", {"a": "*"}),
    ("const a = require('x').b", "", {"a": "*"}),
]


@pytest.mark.parametrize(("text", "specifier", "names"), IMPORTS)
def test_what_import_statements_bind(text: str, specifier: str, names: dict[str, str]) -> None:
    (clause,) = read_imports(text, "typescript")
    assert (clause.specifier, clause.names) == (specifier, names)


def test_languages_without_import_clauses_have_none() -> None:
    assert read_imports("from a import b\n", "python") == []


def test_code_that_nests_deep_is_read_to_a_depth() -> None:
    text = "f(\n" * 3000 + ")\n" * 3000
    regions = list(_flat(read_source(text, "typescript").whole))
    assert 100 < len(regions) < 3000
