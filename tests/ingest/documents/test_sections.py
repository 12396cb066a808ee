"""The sections of documents: nesting, anchors, types, and every line in one of the outermost."""

from __future__ import annotations

from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.languages.extraction import extract_facts

GUIDE = """---
title: Shop
---

![build](badge.svg)

# Shop

Sells *things*.

## Install

1. Run `make build`
   and wait.
2. Start `src/main.py`

## Install

- [x] done
- [ ] open

```python
# not a heading
from shop.cart import Cart, total
```

Usage & `Options`!
------------------

> ## Quoted

### Größe der Tabelle

| a | b |
|---|---|
| `Cart.add()` | [see](other.md#set-up) |
"""


def _facts(text: str, language: str = "markdown") -> FileFacts:
    return extract_facts(text.encode(), language)


def _outline(facts: FileFacts) -> list[tuple[int, str, str, int, int]]:
    return [(symbol.depth, symbol.kind, symbol.name, symbol.start_line, symbol.end_line) for symbol in facts.symbols]


def test_headings_become_nested_sections() -> None:
    assert _outline(_facts(GUIDE)) == [
        (0, "section", "preamble", 1, 5),
        (0, "section", "Shop", 7, 36),
        (1, "section", "Install", 11, 15),
        (2, "step", "Run make build and wait.", 13, 14),
        (2, "step", "Start src/main.py", 15, 15),
        (1, "section", "Install", 17, 25),
        (2, "step", "done", 19, 19),
        (2, "step", "open", 20, 20),
        (1, "section", "Usage & Options!", 27, 36),
        (2, "section", "Größe der Tabelle", 32, 36),
    ]


def test_anchors_are_those_of_github() -> None:
    anchors = _facts(GUIDE).anchors
    assert list(anchors) == ["shop", "install", "install-1", "usage--options", "quoted", "größe-der-tabelle"]
    assert anchors["install-1"] == 5


def test_an_anchor_that_a_later_heading_spells_is_not_given_twice() -> None:
    assert list(_facts("# a\n# a-1\n# a\n# A\n").anchors) == ["a", "a-1", "a-2", "a-3"]


def test_headings_in_html_have_anchors() -> None:
    facts = _facts(
        "# Shop\n\n<h5>Pay &amp; <code>open</code> carts</h5>\n\n<h2 align='center'>\n  Tea\n</h2>\n\n<h1><img></h1>\n",
        "markdown",
    )
    assert list(facts.anchors) == ["shop", "pay--open-carts", "tea"]
    assert [symbol.name for symbol in facts.symbols] == ["Shop"]


def test_anchors_in_html_may_lack_quotes() -> None:
    facts = _facts("# a\n\n<a id=opt-b></a>\ntext <a name='c'></a> and <img src=d.png id=\"e\">\n")
    assert list(facts.anchors) == ["a", "opt-b", "c", "e"]


def test_paragraphs_and_words_may_have_anchors() -> None:
    assert list(_facts("# a\n\n**b**{ #b }: text\nand c {: #c .wide }\n").anchors) == ["a", "b", "c"]


def test_mentions_have_their_place_and_their_section() -> None:
    found = {(each.form, each.text): (each.symbol, each.line, each.column) for each in _facts(GUIDE).mentions}
    assert found[("image", "badge.svg")] == (0, 5, 1)
    assert found[("code", "make build")] == (3, 13, 9)
    assert found[("code", "src/main.py")] == (4, 15, 11)
    assert found[("import", "shop.cart")] == (5, 24, 1)
    assert found[("code", "Cart.add()")][:2] == (9, 36)
    assert found[("link", "other.md#set-up")][:2] == (9, 36)


def test_each_section_is_a_chunk_with_its_own_text_and_the_headings_inside() -> None:
    facts = _facts("# A\n\ntext of a\n\n## B\n\ntext of b\n")
    assert [chunk.embedding_text for chunk in facts.chunks] == ["# A\n\ntext of a\n\n## B", None]
    assert [chunk.parent for chunk in facts.chunks] == [-1, 0]


def test_chunks_have_the_text_of_html_without_its_tags() -> None:
    badge = '<p align="center">\n  <a href="https://shop.example"><img\n    src="logo.png"></a>\n</p>\n'
    code = "```ts\nconst each: Array<a> = <p>text</p>\n```"
    facts = _facts(f"# Shop\n\n{badge}\nSells <b>things</b> of <name> for a < b.\n\n{code}\n\n# Logo\n<br>\n\n# Plain\n")
    text = f"# Shop\n\n\nSells  things  of <name> for a < b.\n\n{code}"
    assert [chunk.embedding_text for chunk in facts.chunks] == [text, "# Logo", None]


def test_the_content_tells_what_a_section_is() -> None:
    decision = _facts("# Use queues\n\n## Status\nok\n\n## Context\nx\n\n## Decision\ny\n\n## Consequences\nz\n")
    assert decision.symbols[0].kind == "decision"
    api = _facts("# API\n\n## `GET /users/{id}`\n\n## Errors\n")
    assert [symbol.kind for symbol in api.symbols] == ["section", "endpoint", "section"]
    log = _facts("# Changes\n\n## [Unreleased]\n\n## [1.2.0] - 2024-05-01\n\n### Added\n")
    assert [symbol.modifiers for symbol in log.symbols] == [["changelog"], ["changelog"], ["changelog"], []]
    plan = _facts("# Roadmap\n\n## Milestone 1: search\n\n## v2.0\n")
    assert [symbol.kind for symbol in plan.symbols] == ["section", "milestone", "milestone"]


def test_odd_documents_are_read() -> None:
    assert _outline(_facts("")) == []
    assert _outline(_facts("\n\n")) == []
    assert _outline(_facts("no heading\n")) == [(0, "section", "preamble", 1, 1)]
    assert _outline(_facts("#\n"))[0][2] == "(untitled)"
    assert not _facts("[" * 20_000 + "`" * 999 + "> " * 5_000).problems
    # An odd number of signs makes spans of the texts between names, which other lines have, too.
    spans = "- `cart`, `order`,\n  `price`, or `sum`. " + "`, `order`,\n  `price`, or `sum`. " * 2 + "T"
    assert max(mention.line for mention in _facts(spans).mentions) <= 4


def test_titles_of_restructuredtext_nest_by_their_first_appearance() -> None:
    text = (
        "====\nShop\n====\n\nCart\n----\n\nSee :class:`~shop.Cart` and `docs <guide.rst>`_.\n\n"
        ".. code-block:: python\n\n   import shop.cart\n\nOther\n-----\n"
    )
    facts = _facts(text, "restructuredtext")
    assert _outline(facts) == [
        (0, "section", "Shop", 1, 15),
        (1, "section", "Cart", 5, 12),
        (1, "section", "Other", 14, 15),
    ]
    assert [(each.form, each.text) for each in facts.mentions] == [
        ("code", "shop.Cart"),
        ("link", "guide.rst"),
        ("import", "shop.cart"),
    ]


def test_titles_of_asciidoc_and_not_those_in_blocks() -> None:
    text = "= Shop\n\n== Set up\n\n----\n== no title\n----\n\nSee link:guide.adoc[guide] and `Cart.add()`.\n"
    facts = _facts(text, "asciidoc")
    assert [name for _, _, name, _, _ in _outline(facts)] == ["Shop", "Set up"]
    assert list(facts.anchors) == ["_shop", "_set_up"]
    assert [(each.form, each.text) for each in facts.mentions] == [("link", "guide.adoc"), ("code", "Cart.add()")]
