"""Ways to break a source: what editors save half-way, what merges leave behind, and what nobody would write."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

Mutation = Callable[[Random, bytes], bytes]

#: Pieces of syntax that open, close or change what is around them.
_SIGNS = "{ } ( ) [ ] < > ; , . ? : = => ... @ # ` ' \" / // /* */ /** */ \\ ${ && ?. ?? ! * ** | </ /> <!--"
_WORDS = """export default import from class extends function async await yield static get set const enum namespace declare type
    interface abstract case return new typeof keyof infer satisfies as"""
_TAGS = """/** @typedef { | /** @type {{a: | /** @template T @param {T} a @returns {a is T} */ | <a b={ | #!/usr/bin/env node"""
_SYNTAX = [
    *(sign.encode() for sign in _SIGNS.split()),
    *(f"{word} ".encode() for word in _WORDS.split()),
    *(f"{tag}\n".encode() for tag in _TAGS.split(" | ")),
    *(b"\n", b"\r\n", b"\r", b"\t", b"\n;", b"\n\n\n"),
]
#: Text that is easily miscounted: wide, combined, reversed, invisible, look-alike, of other planes, or no UTF-8 at all.
_CHARACTERS = """\xe9 \xdf \ufb01 \ud55c\uae00 \u0627\u0644 \u05e2\u05d1 \U0001d4b3 \U0001f600 \U0001f469\u200d\U0001f467 e\u0301
    \u200b \u200d \u2066 \u202e \ufeff \u0430 \\u0061"""
_TEXT = [
    *(character.encode() for character in [*_CHARACTERS.split(), "\u2028", "\u2029", "\xa0"]),
    *(b"\xff", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\x00", b"\x0c", b"\x1b"),
]
_BRACKETS = b"{}()[]<>"


def _place(random: Random, data: bytes) -> int:
    return random.randrange(len(data) + 1)


def cut_off(random: Random, data: bytes) -> bytes:
    """The file ends early."""
    return data[: _place(random, data)]


def begun_late(random: Random, data: bytes) -> bytes:
    """The beginning is missing."""
    return data[_place(random, data) :]


def deleted(random: Random, data: bytes) -> bytes:
    """A range is missing."""
    at = _place(random, data)
    return data[:at] + data[at + random.choice((1, 2, 5, 40, 400)) :]


def lines_again(random: Random, data: bytes) -> bytes:
    """Some lines stand there twice, the second time anywhere."""
    lines = data.splitlines(keepends=True)
    first = random.randrange(len(lines)) if lines else 0
    copied = lines[first : first + random.choice((1, 3, 20))]
    at = random.randrange(len(lines) + 1)
    return b"".join([*lines[:at], *copied, *lines[at:]])


def lines_exchanged(random: Random, data: bytes) -> bytes:
    """Two lines change places."""
    lines = data.splitlines(keepends=True)
    if len(lines) > 1:
        one, other = random.sample(range(len(lines)), 2)
        lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def bracket_replaced(random: Random, data: bytes) -> bytes:
    """One bracket becomes another."""
    places = [index for index, byte in enumerate(data) if byte in _BRACKETS]
    if not places:
        return data
    at = random.choice(places)
    return data[:at] + bytes([random.choice(_BRACKETS)]) + data[at + 1 :]


def syntax_inserted(random: Random, data: bytes) -> bytes:
    """A word or sign too much."""
    at = _place(random, data)
    return data[:at] + random.choice(_SYNTAX) + data[at:]


def text_inserted(random: Random, data: bytes) -> bytes:
    """Characters that are easily miscounted."""
    at = _place(random, data)
    return data[:at] + random.choice(_TEXT) * random.choice((1, 1, 3)) + data[at:]


def byte_replaced(random: Random, data: bytes) -> bytes:
    """Any byte becomes any other."""
    at = _place(random, data)
    return data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]


def one_line(random: Random, data: bytes) -> bytes:
    """No line ends, or those of another system."""
    return data.replace(b"\n", random.choice((b"", b" ", b"\r", b"\r\n")))


def nested(random: Random, data: bytes) -> bytes:
    """A range many times within itself."""
    at = _place(random, data)
    return data[:at] + random.choice((b"(", b"[", b"{", b"`${", b"a => ", b"<", b"class {")) * random.choice((5, 60)) + data[at:]


MUTATIONS: tuple[Mutation, ...] = (
    cut_off,
    begun_late,
    deleted,
    lines_again,
    lines_exchanged,
    bracket_replaced,
    syntax_inserted,
    syntax_inserted,
    text_inserted,
    byte_replaced,
    one_line,
    nested,
)


def mutated(random: Random, data: bytes) -> bytes:
    """The source after one to four mutations."""
    for _ in range(random.choice((1, 1, 2, 4))):
        data = random.choice(MUTATIONS)(random, data)
    return data
