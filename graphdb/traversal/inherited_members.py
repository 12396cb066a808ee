"""Members that take the place of members of an unrelated type in a class that inherits both.

In `class Watch(SaveMixin, Base)`, `SaveMixin.save` runs where `Base` calls `self.save()`, although neither class knows the other.
In `class Both extends Plain implements Saver`, `Plain.save` implements `Saver.save`. The graph has no edge for such a pair,
because an edge belongs to the file of its first end, and only the class that inherits both joins them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..database import GraphDatabase, shared
from .reachability import reachable

_BASES = "MATCH (c:Symbol)-[e:EXTENDS|IMPLEMENTS]->(b:Symbol) RETURN offset(id(c)), offset(id(b)), label(e)"
_CLASSES = """MATCH (c:Symbol) WHERE c.kind = 'class' AND offset(id(c)) IN $offsets
    RETURN offset(id(c)), c.signature, c.relativePath"""
_NAMES = "MATCH (c:Symbol) WHERE offset(id(c)) IN $offsets RETURN offset(id(c)), c.name"
_MEMBERS = """MATCH (c:Symbol)-[:CONTAINS]->(m:Symbol)
    WHERE m.kind IN ['method', 'property', 'getter', 'setter'] AND offset(id(c)) IN $offsets
    RETURN offset(id(c)), offset(id(m)), m.name, m.kind, m.signature, m.relativePath"""
_HIDDEN = re.compile(r"\b(?:private|static)\b")
_PYTHON, _JAVA = ".py", ".java"


class _Member(NamedTuple):
    offset: int
    #: What members that may take each other's place have in common: their name, in Java with the number of parameters, since
    #: methods of one name may be overloads, and whether they are setters.
    key: tuple[str, int, bool]


@shared
def inherited_overrides(graph: GraphDatabase) -> list[tuple[int, int]]:
    """Return pairs of (member, member whose place it takes in a class that inherits both), by internal offsets.

    In Python, the bases of a class count in the order in which they are written. In other languages, a member of a class takes
    the place of a member of an interface.
    """
    bases: dict[int, dict[int, str]] = {}
    for own, base, label in graph.rows(_BASES):
        bases.setdefault(own, {})[base] = label
    joining = [own for own, found in bases.items() if len(found) > 1]
    if not joining:
        return []
    above = {own: list(found) for own, found in bases.items()}
    classes = {own: (signature, path) for own, signature, path in graph.rows(_CLASSES, {"offsets": joining})}
    written = sorted({base for own, (_, path) in classes.items() if path.endswith(_PYTHON) for base in bases[own]})
    names = dict(graph.rows(_NAMES, {"offsets": written})) if written else {}
    orders = {own: list(_places(bases[own], *classes[own], names)) for own in classes}
    wanted = sorted({each for pairs in orders.values() for pair in pairs for each in reachable(pair, above)})
    members: dict[int, list[_Member]] = {}
    for owner, offset, name, kind, signature, path in graph.rows(_MEMBERS, {"offsets": wanted}) if wanted else ():
        if not _is_hidden(name, signature, path):
            count = _parameters(signature) if path.endswith(_JAVA) else 0
            members.setdefault(owner, []).append(_Member(offset, (name, count, kind == "setter")))
    return list(dict.fromkeys(pair for own, pairs in orders.items() for each in pairs for pair in _joined(each, above, members)))


def _places(bases: Mapping[int, str], signature: str, path: str, names: Mapping[int, str]) -> Iterator[tuple[int, int]]:
    """Yield pairs of bases of a class, of which the first one's members take the place of the second one's."""
    if not path.endswith(_PYTHON):
        for first, label in bases.items():
            if label == "EXTENDS":
                yield from ((first, second) for second, other in bases.items() if other == "IMPLEMENTS")
        return
    _, _, rest = signature.partition("(")
    order = {name: place for place, name in reversed(list(enumerate(re.findall(r"\w+", rest))))}
    known = sorted((order[names[base]], base) for base in bases if names[base] in order)  # an import may rename a base
    for place, (_, first) in enumerate(known):
        yield from ((first, second) for _, second in known[place + 1 :])


def _joined(
    pair: tuple[int, int], above: Mapping[int, Sequence[int]], members: Mapping[int, Sequence[_Member]]
) -> Iterator[tuple[int, int]]:
    first, second = (reachable([each], above) for each in pair)
    later = {member.key: member.offset for owner in reversed(second) for member in members.get(owner, ())}
    known = frozenset(second)
    seen: set[tuple[str, int, bool]] = set()
    for owner in first:
        for member in members.get(owner, ()) if owner not in known else ():
            if member.key in later and member.key not in seen:
                seen.add(member.key)
                yield member.offset, later[member.key]


def _is_hidden(name: str, signature: str, path: str) -> bool:
    """Return whether a member takes no other member's place: private and static ones, and special methods of Python."""
    if path.endswith(_PYTHON):
        return name.startswith("__")
    return name.startswith("#") or _HIDDEN.search(signature.partition("(")[0]) is not None


def _parameters(signature: str) -> int:
    """Return the number of parameters of a method of Java."""
    depth, count = 0, 0
    _, _, rest = signature.partition("(")
    if rest.lstrip().startswith(")"):
        return 0
    for sign in rest:
        if sign in "(<[{":
            depth += 1
        elif sign == ")" and not depth:
            break
        elif sign in ")>]}":
            depth -= 1
        elif sign == "," and not depth:
            count += 1
    return count + 1
