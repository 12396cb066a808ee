"""The lexical mask: what is code and what is not, told without a grammar."""

from __future__ import annotations

import pytest
from astrolabe.ingest.languages.typescript.parsing.mask import masked
from hypothesis import given
from hypothesis import strategies as st

#: Spaces stand for blanked bytes, underscores for filled ones.
CASES = [
    ("line comment", "a // b {\nc", "a       \nc"),
    ("block comment", "a /* b\n * c */ d", "a     \n        d"),
    ("open comment", "a /* b", "a     "),
    ("strings", "f('a', \"b c\")", "f('_', \"___\")"),
    ("escaped quote", r"'it\'s' + x", "'_____' + x"),
    ("continued string", "'a\\\nb' + c", "'__\n_' + c"),
    ("quote in text", "<p>don't</p> // x", "<p>don't</p>     "),
    ("string after a word", "return'a'+case\"b\"", "return'_'+case\"_\""),
    ("open string ends at the line", "'a\nb('c')", "'a\nb('_')"),
    ("template", "`a ${b + `c${d}`} e` + f", "`__${b + `_${d}`}__` + f"),
    ("braces in a substitution", "`a${ {b: {c}} }d`", "`_${ {b: {c}} }_`"),
    ("open template", "a`b\nc", "a`_\n_"),
    ("escaped backtick", r"`a\`b` + c", "`____` + c"),
    ("string in a substitution", "`${'}'}` + a", "`${'_'}` + a"),
    ("regular expression", "x = /a'[/]b/g; y", "x = /______/g; y"),
    ("regular expression after a word", "return /'/.test(a)", "return /_/.test(a)"),
    ("regular expression after an arrow", "a => /'/", "a => /_/"),
    ("division", "a / b / 'c'", "a / b / '_'"),
    ("division after a bracket", "(a) / 'b' / c", "(a) / '_' / c"),
    ("closing tag", "<a></a>'b'", "<a></a>'_'"),
    ("self-closing tag", "<a {...b} /> + 'c'", "<a {...b} /> + '_'"),
    ("address in text", "<p>https://a.b {c}</p>", "<p>https://a.b {c}</p>"),
    ("line ends of CRLF stay", "/* a\r\n */ b", "    \r\n    b"),
]


@pytest.mark.parametrize(("source", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_mask(source: str, expected: str) -> None:
    assert masked(source.encode()).decode() == expected


@given(st.text("a'\"`/*\\${}[] \r\n", max_size=60))
def test_mask_keeps_length_and_line_ends(source: str) -> None:
    data = source.encode()
    mask = masked(data)
    assert len(mask) == len(data)
    assert all(b in b" _" or b == a for a, b in zip(data, mask, strict=True))
    assert all((a in b"\r\n") == (b in b"\r\n") for a, b in zip(data, mask, strict=True))
