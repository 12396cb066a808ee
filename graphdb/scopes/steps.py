"""The steps of a chain: which edges each follows, from which kind of node to which, and in which direction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...schema.errors import UsageError
from .fields import did_you_mean
from .plan import Kind

#: Most hops of one step: each costs a join over the nodes of the target's table.
MAX_DEPTH = 10
_USES = "CALLS|WIRED|REFERENCES|EXTENDS|IMPLEMENTS|OVERRIDES|PARAM_TYPE|RETURN_TYPE|FIELD_TYPE"


class StepRule(NamedTuple):
    """What a step follows."""

    #: Relationship between the two nodes, with its direction; "" if both have the path of one file.
    pattern: str
    target: Kind
    #: Whether it can be repeated, so that it takes a depth.
    repeats: bool = False
    #: Whether it leads along edges of resolved code, which syntax-only languages do not have.
    is_resolved: bool = False
    #: Whether only nodes of test files are kept.
    in_tests: bool = False
    #: What the step leads to, in the plural, for messages.
    noun: str = ""


_SYMBOL = {
    "callers": StepRule("<-[:CALLS]-", "symbol", True, True, noun="callers"),
    "callees": StepRule("-[:CALLS]->", "symbol", True, True, noun="callees"),
    "dependants": StepRule(f"<-[:{_USES}]-", "symbol", True, True, noun="dependants"),
    "dependencies": StepRule(f"-[:{_USES}]->", "symbol", True, True, noun="dependencies"),
    "references": StepRule("-[:REFERENCES]->", "symbol", is_resolved=True, noun="references"),
    "referenced_by": StepRule("<-[:REFERENCES]-", "symbol", is_resolved=True, noun="uses"),
    "members": StepRule("-[:CONTAINS]->", "symbol", True, noun="members"),
    "parents": StepRule("<-[:CONTAINS]-", "symbol", True, noun="enclosing symbols"),
    "overrides": StepRule("-[:OVERRIDES]->", "symbol", True, True, noun="overridden members"),
    "overridden_by": StepRule("<-[:OVERRIDES]-", "symbol", True, True, noun="overriding members"),
    "base_types": StepRule("-[:EXTENDS|IMPLEMENTS]->", "symbol", True, True, noun="base types"),
    "subtypes": StepRule("<-[:EXTENDS|IMPLEMENTS]-", "symbol", True, True, noun="subtypes"),
    "types": StepRule("-[:PARAM_TYPE|RETURN_TYPE|FIELD_TYPE]->", "symbol", is_resolved=True, noun="types"),
    "tests": StepRule("<-[:CALLS|REFERENCES|WIRED]-", "symbol", True, True, True, "tests"),
    "file": StepRule("", "file", noun="files"),
    "files": StepRule("", "file", noun="files"),
}
_FILE = {
    "symbols": StepRule("", "symbol", noun="symbols"),
    "imports": StepRule("-[:IMPORTS]->", "file", True, noun="imported files"),
    "importers": StepRule("<-[:IMPORTS]-", "file", True, noun="importing files"),
    "dependencies": StepRule("-[:IMPORTS]->", "file", True, noun="imported files"),
    "dependants": StepRule("<-[:IMPORTS]-", "file", True, noun="importing files"),
    "module": StepRule("<-[:CONTAINS]-", "module", noun="modules"),
    "modules": StepRule("<-[:CONTAINS]-", "module", noun="modules"),
    "packages": StepRule("-[:IMPORTS_EXTERNAL]->", "package", noun="packages"),
}
_MODULE = {
    "files": StepRule("-[:CONTAINS]->", "file", noun="files"),
    "modules": StepRule("-[:CONTAINS]->", "module", True, noun="inner modules"),
    "packages": StepRule("-[:DEPENDS_ON]->", "package", noun="packages"),
}
_PACKAGE = {
    "files": StepRule("<-[:IMPORTS_EXTERNAL]-", "file", noun="importing files"),
    "importers": StepRule("<-[:IMPORTS_EXTERNAL]-", "file", noun="importing files"),
    "modules": StepRule("<-[:DEPENDS_ON]-", "module", noun="modules"),
}
STEPS: Mapping[Kind, Mapping[str, StepRule]] = {
    "repository": {},
    "module": _MODULE,
    "file": _FILE,
    "symbol": _SYMBOL,
    "package": _PACKAGE,
}
#: Steps that consist of two others: kind -> name -> the steps.
COMPOSED: Mapping[Kind, Mapping[str, tuple[str, ...]]] = {
    "symbol": {"module": ("file", "module"), "modules": ("file", "modules"), "packages": ("file", "packages")},
    "module": {
        "symbols": ("files", "symbols"),
        "dependencies": ("files", "imports", "modules"),
        "dependants": ("files", "importers", "modules"),
    },
    "package": {"symbols": ("files", "symbols")},
}


def step_rule(kind: Kind, name: str) -> StepRule:
    """Return the rule of a step. Raises UsageError, with the nearest step, if nodes of that kind have none of that name."""
    rules = STEPS[kind]
    if name not in rules:
        raise UsageError(f"A {kind} has no step `{name}`. {did_you_mean(name, rules)}")
    return rules[name]


def check_depth(name: str, depth: object, repeats: bool) -> int:
    """Return a depth that a step may have. Raises UsageError."""
    if not isinstance(depth, int) or isinstance(depth, bool) or not 1 <= depth <= MAX_DEPTH:
        raise UsageError(f"`{name}` takes a depth from 1 to {MAX_DEPTH}, not {depth!r}.")
    if depth > 1 and not repeats:
        raise UsageError(f"`{name}` is a single step and takes no depth.")
    return depth
