"""Calls in source code: the callee, the receiver, and the arguments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, cast

from ....facts.operations import Op
from ...framework_rules.queries import QueryFile

#: Keys of the calls in the memory of a file, by node and by name. The rules of all object mappers ask for the same calls.
_BY_NODE: Final = "written calls"
_BY_NAME: Final = "written calls by name"
#: Maximum number of expressions that are followed for one constant.
_MAX_STEPS: Final = 20


class WrittenCall(NamedTuple):
    """A call of a member or of a name."""

    node: int
    callee: int
    #: Last name of the callee.
    name: str
    #: Node before the dot; -1 for a call of a name.
    receiver: int
    positional: Sequence[int]
    named: Mapping[str, int]

    def argument(self, name: str, place: int) -> int:
        """Return an argument by its name, or else by its position; -1 if there is none."""
        return self.named.get(name, self.positional[place] if place < len(self.positional) else -1)


def written_call(file: QueryFile, node: int) -> WrittenCall | None:
    """Return a call with a name; None for other expressions."""
    if node < 0 or file.code[node] != Op.CALL:
        return None
    known = cast("dict[int, WrittenCall | None]", file.memory.setdefault(_BY_NODE, {}))
    if node not in known:
        known[node] = _read(file, node)
    return known[node]


def _read(file: QueryFile, node: int) -> WrittenCall | None:
    code = file.code
    callee = code[node + 1]
    name = file.name(callee) if callee >= 0 else ""
    if not name:
        return None
    positional, named = list[int](), dict[str, int]()
    for argument in file.items(code[node + 2]):
        if code[argument] == Op.PROP:
            named[file.facts.strings[code[argument + 2]]] = code[argument + 1]
        elif code[argument] != Op.SPREAD:
            positional.append(argument)
    return WrittenCall(node, callee, name, code[callee + 1] if code[callee] == Op.MEMBER else -1, positional, named)


def calls_by_name(file: QueryFile) -> Mapping[str, Sequence[WrittenCall]]:
    """Return the calls in a file by the last name of the callee."""
    if _BY_NAME not in file.memory:
        found: dict[str, list[WrittenCall]] = defaultdict(list)
        for node in file.facts.calls:
            call = written_call(file, node)
            if call is not None:
                found[call.name].append(call)
        file.memory[_BY_NAME] = found
    return cast("Mapping[str, Sequence[WrittenCall]]", file.memory[_BY_NAME])


def text_of(file: QueryFile, node: int) -> str:
    """Return the text of a string; "" for any other expression."""
    return file.facts.strings[file.code[node + 2]] if node >= 0 and file.code[node] == Op.STRING else ""


def texts_in(file: QueryFile, node: int) -> Iterator[str]:
    """Yield the text of a string, or the strings in a list, a tuple or a set."""
    if node >= 0 and file.code[node] == Op.ARRAY:
        for each in file.items(file.code[node + 1]):
            yield text_of(file, each)
    elif node >= 0:
        yield text_of(file, node)


def keys_of(file: QueryFile, node: int) -> list[str]:
    """Return the constant keys of a dictionary."""
    if node < 0 or file.code[node] != Op.DICT:
        return []
    return [text for each in file.items(file.code[node + 1]) if (text := text_of(file, each))]


def constant_texts(file: QueryFile, node: int) -> Iterator[str]:
    """Yield the strings that an expression may be: a string, a constant, or the items of a constant list in a loop."""
    waiting = [(node, False)]
    for _ in range(_MAX_STEPS):
        if not waiting:
            return
        at, is_item = waiting.pop(0)
        if file.code[at] == Op.ITERATED and not is_item:
            waiting.append((file.code[at + 1], True))
        elif file.code[at] == (Op.ARRAY if is_item else Op.STRING):
            yield from (text for text in texts_in(file, at) if text)
        else:
            waiting += [(value, is_item) for value in file.values(at)]
