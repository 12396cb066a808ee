"""Lists, tables, blocks of code and front matter of documents in three markups, as records."""

from __future__ import annotations

import json
from typing import Any

import pytest
from astrolabe.ingest.languages.extraction import extract_facts

from tests.linear_time import is_linear, processor_seconds

MARKDOWN = """---
title: Release
owner: "Ann"
---
# Plan

- [ ] write **notes**
- [x] tag
  1. build
  2. sign

Then:

* mail
* rest

| Name | Size | |
|---|---|---|
| `a.py` | 3 | x |
| b.py |  | |

```Python
import shop
shop.cart()
```
"""

RESTRUCTURED = """:owner: Ann

Plan
====

Text
- of a paragraph

- write **notes**
  in two lines
- tag

  #. build
  #. sign

     ::

        make sign

=====  ====
Name   Size
=====  ====
a.py   3 of
       4
b.py   5
=====  ====

+------+------+
| Name | Size |
+======+======+
| a.py | 3 of |
|      | 4    |
+------+------+
| b.py | 5    |
+------+------+

.. list-table::
   :header-rows: 1

   * - Name
     - Size
   * - a.py
     - 3 of
       4
   * - b.py
     - 5

.. csv-table::
   :header: "Name", "Size"

   a.py, "3 of 4"
   b.py, 5

>>> shop.cart()
[]
"""

ASCIIDOC = """= Plan

* write **notes**
** tag
* rest
+
----
make
----

Then:

- [x] done
- [ ] open

Last:

. first
. second

[cols="1,2", options="header"]
|===
| Name | Size
| a.py
| 3 of
4
| b.py | 5
|===
"""


def written(text: str, language: str, kind: str) -> Any:
    """Return the fields of the only section that has parts of a kind."""
    (found,) = (each for each in extract_facts(text.encode(), language).structures if each.type == kind)
    return json.loads(found.fields)


def texts(items: list[dict[str, Any]]) -> list[Any]:
    return [(each["text"], texts(each["items"])) if "items" in each else each["text"] for each in items]


def test_lists_of_markdown_have_their_kinds_boxes_and_items_inside() -> None:
    first, second = written(MARKDOWN, "markdown", "list")["lists"]
    assert (first["kind"], first["line"], texts(first["items"])) == ("checkbox", 7, ["write notes", ("tag", ["build", "sign"])])
    assert [each["done"] for each in first["items"]] == [False, True]
    assert (first["items"][1]["kind"], [each["number"] for each in first["items"][1]["items"]]) == ("numbered", [1, 2])
    assert (second["kind"], texts(second["items"])) == ("bullet", ["mail", "rest"])


def test_a_table_is_records_by_the_names_of_its_columns() -> None:
    (table,) = written(MARKDOWN, "markdown", "table")["tables"]
    assert table["columns"] == ["Name", "Size", "column 3"]
    assert table["records"] == [{"Name": "a.py", "Size": "3", "column 3": "x"}, {"Name": "b.py"}]


def test_code_and_front_matter_are_told() -> None:
    assert written(MARKDOWN, "markdown", "code")["blocks"] == [{"language": "python", "line": 23, "lines": 2}]
    assert written(MARKDOWN, "markdown", "front matter")["fields"] == {"title": "Release", "owner": "Ann"}
    assert written(RESTRUCTURED, "restructuredtext", "front matter")["fields"] == {"owner": "Ann"}


def test_lists_of_restructuredtext_nest_by_their_indentation() -> None:
    (only,) = written(RESTRUCTURED, "restructuredtext", "list")["lists"]
    assert texts(only["items"]) == ["write notes in two lines", ("tag", ["build", "sign"])]
    assert [each["number"] for each in only["items"][1]["items"]] == [1, 2]
    blocks = written(RESTRUCTURED, "restructuredtext", "code")["blocks"]
    assert [(each["language"], each["line"]) for each in blocks] == [("", 18), ("pycon", 54)]


def test_all_forms_of_tables_of_restructuredtext_give_the_same_records() -> None:
    tables = written(RESTRUCTURED, "restructuredtext", "table")["tables"]
    assert [table["line"] for table in tables] == [20, 28, 37, 48]
    for table in tables:
        assert table["records"] == [{"Name": "a.py", "Size": "3 of 4"}, {"Name": "b.py", "Size": "5"}]


def test_lists_and_tables_of_asciidoc() -> None:
    bullets, boxes, numbers = written(ASCIIDOC, "asciidoc", "list")["lists"]
    assert texts(bullets["items"]) == [("write notes", ["tag"]), "rest"]
    assert [each["done"] for each in boxes["items"]] == [True, False]
    assert (numbers["kind"], [each["number"] for each in numbers["items"]]) == ("numbered", [1, 2])
    (table,) = written(ASCIIDOC, "asciidoc", "table")["tables"]
    assert table["records"] == [{"Name": "a.py", "Size": "3 of 4"}, {"Name": "b.py", "Size": "5"}]


def test_an_unreadable_header_of_a_table_stays_text() -> None:
    text = f".. csv-table::\n   :header: {'x' * 200_000}\n\n   a,b\n"
    facts = extract_facts(text.encode(), "restructuredtext")
    assert not facts.problems


def test_named_columns_without_cells_take_no_memory() -> None:
    text = '[cols="' + "999*," * 50_000 + '"]\n|===\n|a |b\n|===\n'
    facts = extract_facts(text.encode(), "asciidoc")
    assert not facts.problems


@pytest.mark.parametrize("rule", ["+" + "-+" * 20_000 + "\n", "= " * 20_000 + "=\n"])
def test_tables_of_many_columns_are_cut(rule: str) -> None:
    text = rule + "| a\n" * 10_000 + rule
    assert processor_seconds(lambda: extract_facts(text.encode(), "restructuredtext")) < 20


@pytest.mark.parametrize("language", ["restructuredtext", "asciidoc"])
@pytest.mark.parametrize(
    "line",
    [
        "* item\n",
        "== ==\n",
        "+--+--+\n",
        "|===\n",
        "a::\n\n",
        ">>> a\n",
        "1. x\n\n",
        "  - x\n",
        "| a | b\n",
        "[cols=1]\n",
        "= x\n",
    ],
)
def test_odd_lines_are_read_in_linear_time(language: str, line: str) -> None:
    def seconds(size: int) -> float:
        text = line * size + "".join(f"{' ' * (place % 200)}{line}" for place in range(size))
        return processor_seconds(lambda: extract_facts(text.encode(), language))

    assert is_linear(seconds, 500)


def test_columns_with_the_same_heading_keep_all_cells() -> None:
    text = "# A\n\n| x (3) | x | x |\n|---|---|---|\n| 1 | 2 | 3 |\n"
    (table,) = written(text, "markdown", "table")["tables"]
    assert table["records"] == [{"x (3)": "1", "x": "2", "x (3) (3)": "3"}]


def test_a_list_keeps_a_thousand_items_with_those_of_its_nested_lists() -> None:
    text = "# Items\n\n" + "".join(f"- {outer}\n" + "".join(f"  - {inner}\n" for inner in range(600)) for outer in range(3))
    facts = extract_facts(text.encode(), "markdown")
    [fields] = [json.loads(each.fields) for each in facts.structures if each.type == "list"]
    [written] = fields["lists"]
    assert [len(item.get("items", ())) for item in written["items"]] == [600, 398]


@pytest.mark.parametrize("language", ["restructuredtext", "asciidoc", "markdown"])
@pytest.mark.parametrize("part", [":", ":a.", ":a:`", "`a", "`<", "`a <b", "a:b", "|a", "**a", "[a](", "_a_"])
def test_long_lines_are_read_in_linear_time(language: str, part: str) -> None:
    def seconds(size: int) -> float:
        text = f"{part * size}\nends` here\n"
        return processor_seconds(lambda: extract_facts(text.encode(), language))

    assert is_linear(seconds, 6_000)
