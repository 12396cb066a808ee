"""Call hierarchies in both directions: hops, circles, depth limits, constructors, nested functions, kinds of nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.call_hierarchy import callees, callers
from astrolabe.schema.errors import UsageError

#: Project, symbol, depth, then the tree: a name a line, two spaces a hop, with the lines of its sites and its mark.
OUTGOING = [
    ("call-chain", "checkout", 1, "isPayable 10,14 [depth limit]\naudit 13\nformatTotal 14 [depth limit]"),
    ("call-chain", "checkout", 2, "isPayable 10,14\n  sum 4\naudit 13\nformatTotal 14\n  sum 5"),
    ("call-chain", "preview", 1, "formatTotal 18 [depth limit]"),
    ("call-chain", "isPayable", 1, "sum 4"),
    ("call-chain", "steps", 1, "audit 25"),
    ("call-chain", "Queue > push", 1, "Queue.flush 10"),
    ("call-chain", "Log > push", 1, "Log.flush 17"),
    ("call-chain", "Queue", 1, ""),
    ("call-chain", "makeCounter", 1, "sum 10 in next"),
    ("call-chain", "useCounter", 1, "useCounter.twice 19 [depth limit]\nmakeCounter 19 [depth limit]"),
    ("call-chain", "useCounter", 2, "useCounter.twice 19\n  sum 17\nmakeCounter 19\n  sum 10 in next"),
    ("call-chain", "meter", 1, "meter.map callback.read 26 [depth limit]\nsum 26"),
    ("multi-hop", "handle", 1, "authenticate 4 [depth limit]"),
    ("multi-hop", "handle", 2, "authenticate 4\n  touch 4\n  load 5 [depth limit]"),
    ("multi-hop", "handle", 3, "authenticate 4\n  touch 4\n  load 5\n    normalise 4 [depth limit]"),
    ("multi-hop", "handle", -1, "authenticate 4\n  touch 4\n  load 5\n    normalise 4\n      strip 2"),
    ("multi-hop", "normalise", 1, "strip 2"),
    ("cycle", "alpha", 1, "beta 2 [depth limit]"),
    ("cycle", "alpha", 2, "beta 2\n  alpha 6 [cycle]"),
    ("cycle", "alpha", -1, "beta 2\n  alpha 6 [cycle]"),
    ("cycle", "beta", 3, "alpha 6\n  beta 2 [cycle]"),
    ("cycle", "factorial", 1, "factorial 10 [cycle]"),
    ("cycle", "factorial", -1, "factorial 10 [cycle]"),
    ("cycle", "first", -1, "second 14\n  third 18\n    first 23 [cycle]\n  leaf 19"),
    ("cycle", "first", 2, "second 14\n  third 18 [depth limit]\n  leaf 19"),
    ("cycle", "enter", -1, "alpha 29\n  beta 2\n    alpha 6 [cycle]"),
    ("constructor", "build", 1, "Box.constructor 26 [depth limit]"),
    ("constructor", "build", 2, "Box.constructor 26\n  validate 8"),
    ("constructor", "plain", 1, "Plain 29 [depth limit]"),
    ("constructor", "plain", 2, "Plain 29\n  validate 13 in label"),
    ("constructor", "Plain", 1, "validate 13 in label\nvalidate 15 in describe"),
    ("constructor", "Crate", 1, "Box.constructor 21 in constructor [depth limit]"),
    ("constructor", "unpack", 1, "Box.constructor 32,32 [depth limit]\nCrate.constructor 32 [depth limit]"),
]

INCOMING = [
    (
        "call-chain",
        "sum",
        1,
        "formatTotal 5 [depth limit]\nmakeCounter.next 10 [depth limit]\n"
        "useCounter.twice 17 [depth limit]\nmeter 26\n"
        "meter.map callback.read 24 [depth limit]\nisPayable 4 [depth limit]",
    ),
    ("call-chain", "formatTotal", 1, "checkout 14\npreview 18"),
    ("call-chain", "isPayable", -1, "checkout 10,14"),
    ("call-chain", "audit", 1, "checkout 13\nsteps 25"),
    ("call-chain", "Queue > flush", 1, "Queue.push 10"),
    ("call-chain", "Log > flush", -1, "Log.push 17"),
    ("call-chain", "makeCounter > next", 1, "makeCounter (closure) [depth limit]"),
    ("call-chain", "makeCounter > next", -1, "makeCounter (closure)\n  useCounter 19"),
    ("multi-hop", "strip", 1, "normalise 2 [depth limit]"),
    ("multi-hop", "strip", 2, "normalise 2\n  load 4 [depth limit]"),
    ("multi-hop", "strip", 3, "normalise 2\n  load 4\n    authenticate 5 [depth limit]"),
    ("multi-hop", "strip", -1, "normalise 2\n  load 4\n    authenticate 5\n      handle 4"),
    ("multi-hop", "touch", 2, "authenticate 4\n  handle 4"),
    ("cycle", "beta", 1, "alpha 2 [depth limit]"),
    ("cycle", "beta", -1, "alpha 2\n  beta 6 [cycle]\n  enter 29"),
    ("cycle", "factorial", 2, "factorial 10 [cycle]"),
    ("cycle", "leaf", -1, "second 19\n  first 14\n    third 23\n      second 18 [cycle]"),
    ("constructor", "Box > constructor", 1, "Crate.constructor 21 [depth limit]\nbuild 26\nunpack 32,32"),
    ("constructor", "Box", 1, "Crate.constructor 21 [depth limit]\nbuild 26\nunpack 32,32"),
    ("constructor", "Plain", 1, "plain 29"),
    ("constructor", "Crate", 1, "unpack 32"),
    ("constructor", "validate", 1, "Box.constructor 8 [depth limit]\nPlain.label 13\nPlain.describe 15"),
]

#: Project, analysis, symbol, kind of nothing, words of the message.
EMPTY = [
    ("call-chain", callees, "idle", "none", "calls nothing"),
    ("call-chain", callees, "Order", "notApplicable", "interface"),
    ("call-chain", callers, "Order", "notApplicable", "references()"),
    ("call-chain", callers, "preview", "none", "every call of the name preview is resolved"),
    ("call-chain", callers, "lost", "unresolved", "1 call site of that name in 1 symbol"),
    ("call-chain", callers, "push", "ambiguous", "push names"),
    ("call-chain", callers, "cheeckout", "notFound", "checkout"),
    ("call-chain", callees, "service.ts > nope", "notFound", "nope"),
    ("call-chain", callers, "gone.ts > checkout", "notFound", "gone.ts"),
    ("call-chain", callers, "docs/notes.txt > checkout", "notIndexed", "no source file of a language that is read"),
    ("call-chain", callers, "service.ts", "notApplicable", "is a file"),
]


def tree(calls: Any, level: int = 0) -> str:
    """A tree of calls as the cases write it."""
    lines = []
    for call in calls:
        sites = ",".join(str(site.line) for site in call.sites) or f"({call.form})"
        within = f" in {call.within.name}" if call.within else ""
        lines.append(f"{'  ' * level}{call.symbol.qualified_name} {sites}{within}{call.mark}")
        lines += [tree(call.calls, level + 1)] if call.calls else []
    return "\n".join(lines)


@pytest.mark.parametrize(("name", "path", "depth", "expected"), OUTGOING)
def test_outgoing(project: Callable[[str], Any], name: str, path: str, depth: int, expected: str) -> None:
    found = project(name).ask(callees, path, depth)
    assert tree(found.calls) == expected
    assert (found.direction, found.depth, found.truncated) == ("outgoing", depth, False)


@pytest.mark.parametrize(("name", "path", "depth", "expected"), INCOMING)
def test_incoming(project: Callable[[str], Any], name: str, path: str, depth: int, expected: str) -> None:
    found = project(name).ask(callers, path, depth)
    assert tree(found.calls) == expected
    assert (found.direction, found.depth, found.nothing) == ("incoming", depth, None)


@pytest.mark.parametrize(("name", "analysis", "path", "kind", "words"), EMPTY)
def test_each_nothing_says_which(
    project: Callable[[str], Any], name: str, analysis: Any, path: str, kind: str, words: str
) -> None:
    found = project(name).ask(analysis, path)
    assert found.calls == ()
    assert found.nothing.kind == kind
    assert words in found.nothing.message + str(found.nothing.candidates)
    assert found.nothing.message in found.text


def test_sites_tell_how_and_why(project: Callable[[str], Any]) -> None:
    found = project("call-chain").ask(callees, "checkout")
    payable = found.calls[0]
    assert [(site.line, site.column, site.form, site.evidence) for site in payable.sites] == [
        (10, 8, "identifier", "scope"),
        (14, 10, "identifier", "scope"),
    ]
    assert (payable.symbol.relative_path, payable.symbol.declaration_line) == ("validator.ts", 4)


def test_what_leads_outside_and_what_is_unknown(project: Callable[[str], Any]) -> None:
    analysed = project("call-chain")
    audit = analysed.ask(callees, "audit")
    assert ([call.name for call in audit.externals], audit.nothing) == (["console.log"], None)
    fill = analysed.ask(callees, "fill")
    assert [(call.name, call.lines, call.reason) for call in fill.unknown] == [
        ("push", (9,), "local"),
        ("formatTotal", (10,), "receiver"),
        ("lost", (11,), "receiver"),
    ]
    known = analysed.ask(callers, "formatTotal")
    assert (known.unresolved.sites, known.nothing) == (1, None)
    assert "1 unresolved call site of the name formatTotal may be more" in known.text


def test_candidates_of_an_ambiguous_name_lead_to_one_each(project: Callable[[str], Any]) -> None:
    analysed = project("call-chain")
    nothing = analysed.ask(callers, "flush").nothing
    assert [candidate.path for candidate in nothing.candidates] == ["validator.ts > Log > flush", "validator.ts > Queue > flush"]
    callers_of = [tree(analysed.ask(callers, candidate.path).calls) for candidate in nothing.candidates]
    assert callers_of == ["Log.push 17", "Queue.push 10"]


def test_symbols_of_a_tree_are_listed_once(project: Callable[[str], Any]) -> None:
    found = project("call-chain").ask(callees, "checkout", -1)
    assert [symbol.name for symbol in found.symbols] == ["isPayable", "audit", "formatTotal", "sum"]


@pytest.mark.long
def test_a_chain_may_be_longer_than_the_stack(analysed_text: Callable[[dict[str, str]], Any]) -> None:
    links = "".join(f"function f{n}() {{ f{n + 1}() }}\n" for n in range(1500))
    chain = analysed_text({"chain.ts": links + "function f1500() {}\n"})
    found = chain.ask(callees, "f0", -1)
    assert (len(found.symbols), found.truncated) == (1500, False)
    assert found.text.splitlines()[-1].strip() == "→ f1500 (chain.ts:1501) at line 1500"
    assert len(chain.ask(callers, "f1500", -1).symbols) == 1500


def test_ways_that_multiply_are_shown_once(analysed_text: Callable[[dict[str, str]], Any]) -> None:
    """Each of thirty functions calls the next two ways: over a thousand million ways lead to the last."""
    links = "".join(
        f"function a{n}() {{ a{n + 1}(); b{n + 1}() }}\nfunction b{n}() {{ a{n + 1}(); b{n + 1}() }}\n" for n in range(30)
    )
    ladder = analysed_text({"ladder.ts": links + "function a30() {}\nfunction b30() {}\n"})
    found = ladder.ask(callees, "a0", -1)
    assert len(found.symbols) == 60
    assert "[see above]" in found.text


@pytest.mark.parametrize("depth", [0, -2])
def test_a_depth_counts_hops(project: Callable[[str], Any], depth: int) -> None:
    with pytest.raises(UsageError, match="from 1"):
        project("cycle").ask(callers, "alpha", depth)


def test_a_symbol_may_be_named_as_searches_name_it(project: Callable[[str], Any]) -> None:
    asked = project("multi-hop")
    assert asked.ask(callers, "symbol = strip", 1).text == asked.ask(callers, "strip", 1).text
