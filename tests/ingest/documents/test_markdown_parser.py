"""The parser of documents, which must give the tokens of markdown-it with all rules in their usual order."""

from __future__ import annotations

import pytest
from astrolabe.ingest.languages.markdown.parser import BLOCK_RULES, INLINE_RULES, document_parser
from markdown_it import MarkdownIt
from markdown_it.rules_inline import text

CASES = {
    "emphasis": "A *cart* with **two _items_**, snake_case, __init__, a__b, a__ b, _x_y_, 2*3*4 and **open\n",
    "struck": "~~old~~ ~one~ ~~~three~~~ a~b ~~~~\n",
    "links": (
        '[shop](https://shop.example/a_(b)?x=1&amp;y=2 "The shop") [a [b](c) d](e) [docs][ref] [ref] [x](<a b>) [y](a\\)b)\n'
        "[z]() [w](a b) [v](\u00e4.md) [u](x\n) ![logo *big*](logo.png)![](a.png) ! [not] [open\n\n"
        "[ref]: /docs 'Docs'\n[two]:\n/b\n"
    ),
    "signs": (
        "5 < 6 <b>bold</b> <https://a.example> <me@shop.example> &copy; &#35; & \\* \\a \\\n`a` ``b ` c`` ` d a-b: {c} = 1%\n"
    ),
    "breaks": "one  \ntwo\\\nthree \n   four\n",
    "line ends": "# One\r\n\r\ntext\rmore\0\r\n- item\r\n",
    "headings": "# One\n####### no\n#no\nTitle\n===\nOther\n---\n  ## Two ##\npara\n# Three\n",
    "lists": (
        "- a\n- b\n\n  c\n  - d\n1. one\n2) two\n10. ten\n* * *\n+\n- [ ] todo\n\npara\n2. no list\n1. list\n"
        "- \n-\n\nTerm\n: no\n"
    ),
    "quotes": (
        "> a\nlazy\n> - b\n> c\n\n> ```py\n> x = 1\n> ```\n>no\n>\t tab\n\n    indented\n\ttab\npara\n"
        "    lazy\n- a\n\n      code\n"
    ),
    "fences": "```ts\nlet a\n```\n~~~\nb\n~~~~\n``` no`t\npara\n```\nopen\n",
    "tables": "| a | b |\n|---|:-:|\n| `x|y` | *z* |\nrest\n\na | b\n- | -\npara\n|-\n:-\n\n| c |\n|---|",
    "html": (
        "<div class='a'>\n*a*\n</div>\n\npara <br>\n<!-- c -->\n<x-y>\n\n<details>\n<summary>A</summary>\n\n- b\n</details>\n"
    ),
    "rules": "***\n- - -\n__ _\n_a_\n+++\npara\n---\n* a\n***\n",
    "depth": "> " * 70 + "a\n" + "[" * 80 + "b" + "]" * 80 + "(c)\n" + "".join("  " * n + "- x\n" for n in range(40)),
    "empty": "",
    "blank": "\n \n\t\n",
}


@pytest.mark.parametrize("written", CASES.values(), ids=CASES)
def test_tokens_equal_those_of_markdown_it(written: str) -> None:
    class Plain(MarkdownIt):
        def normalizeLink(self, url: str) -> str:
            return url

    usual = Plain("commonmark", {"maxNesting": 60}).enable(["table", "strikethrough"])

    assert document_parser().parse(written) == usual.parse(written)


def test_no_rule_of_markdown_it_is_missing() -> None:
    usual = MarkdownIt("commonmark").enable(["table", "strikethrough"])

    assert [name for name, _, _ in BLOCK_RULES] == usual.block.ruler.get_active_rules()
    tried = {rule for rules in INLINE_RULES.values() for rule in rules}
    assert tried == {rule for rule in usual.inline.ruler.getRules("") if rule is not text}
