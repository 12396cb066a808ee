"""Operations on the values of a configuration: lists, objects, paths, patterns of parameters, and alternatives."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from .....symbols.node_text import node_text
from .values import UNKNOWN, LiteralObject, Unknown, Value

if TYPE_CHECKING:
    from tree_sitter import Node

#: Methods of lists that are evaluated.
LIST_METHODS = frozenset(("map", "flatMap", "filter", "concat", "flat", "reduce", "slice", "reverse"))
#: Maximum number of items in the result of a method.
_MAX_ITEMS = 500
_SPECIAL = re.compile(r"[-/\\^$*+?.()|\[\]{}]")


def either(first: Value, second: Value) -> Value:
    """Return the possible values of an expression under an unknown condition.

    Objects and lists are joined. Two texts become a list in order of preference. A known value replaces an unknown one.
    """
    if first == second or isinstance(second, Unknown) or second is None:
        return first if not isinstance(first, Unknown) else second
    if isinstance(first, Unknown) or first is None:
        return second
    if isinstance(first, LiteralObject) and isinstance(second, LiteralObject):
        keys = dict.fromkeys((*first.entries, *second.entries))
        joined = {key: either(first.entries.get(key), second.entries.get(key)) for key in keys}
        return LiteralObject(joined, first.is_open or second.is_open)
    if isinstance(first, list) or isinstance(second, list):
        left, right = (each if isinstance(each, list) else [each] for each in (first, second))
        return [*left, *(item for item in right[:_MAX_ITEMS] if item not in left[:_MAX_ITEMS])][:_MAX_ITEMS]
    return [first, second]


def called_on_list(method: str, items: list[Value], apply: Callable[[list[Value]], Value], others: list[Value]) -> Value:
    """Return the result of a method of a list. `apply` calls the function that is given; `others` are the other arguments."""
    places: list[tuple[float, Value]] = [(float(place), item) for place, item in enumerate(items[:_MAX_ITEMS])]
    match method:
        case "map":
            return [apply([item, place]) for place, item in places]
        case "flatMap":
            return _flat([apply([item, place]) for place, item in places])[:_MAX_ITEMS]
        case "flat":
            return _flat(items)[:_MAX_ITEMS]
        case "concat":
            return [*items, *_flat(others)][:_MAX_ITEMS]
        case "reduce":
            result: Value = others[0] if others else UNKNOWN
            for place, item in places:
                result = apply([result, item, place])
            return result
        case "reverse":
            return items[::-1]
        case _:
            # What `filter` and `slice` leave out depends on conditions; an item too many does no harm.
            return [item for item in items if item is not None and item is not False]


def called_on_object(name: str, values: list[Value]) -> Value:
    """Return the result of a function of `Object`, such as `Object.fromEntries`."""
    given = values[0] if values else UNKNOWN
    if name in ("Object.assign", "Object.freeze"):
        return _merged(values)
    if name == "Object.fromEntries" and isinstance(given, list):
        pairs = [each for each in given if isinstance(each, list) and len(each) == 2 and isinstance(each[0], str)]
        return LiteralObject({str(pair[0]): pair[1] for pair in pairs}, len(pairs) < len(given))
    if not isinstance(given, LiteralObject):
        return UNKNOWN
    unknown: list[Value] = [UNKNOWN] if given.is_open else []
    match name:
        case "Object.entries":
            return [*([key, value] for key, value in given.entries.items()), *unknown]
        case "Object.keys":
            return [*given.entries, *unknown]
        case "Object.values":
            return [*given.entries.values(), *unknown]
        case _:
            return UNKNOWN


def called_on_path(name: str, values: list[Value], working_folder: str) -> Value:
    """Return the result of a function of `path`, such as `path.resolve`."""
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) != len(values):
        return UNKNOWN
    match name:
        case "resolve":
            return posixpath.normpath(posixpath.join(working_folder, *texts))
        case "join":
            return posixpath.normpath("/".join(text for text in texts if text) or ".")
        case "normalize" | "toNamespacedPath" if len(texts) == 1:
            return posixpath.normpath(texts[0])
        case "dirname" if len(texts) == 1:
            return posixpath.dirname(texts[0])
        case "basename" if len(texts) == 1:
            return posixpath.basename(texts[0])
        case _:
            return UNKNOWN


def jest_patterns(values: list[Value]) -> Value:
    """Return what `pathsToModuleNameMapper` of ts-jest makes of the `paths` of a tsconfig.json, given its arguments."""
    paths = values[0] if values else UNKNOWN
    options = values[1] if len(values) > 1 else None
    written = options.entries.get("prefix") if isinstance(options, LiteralObject) else None
    prefix = f"{written.rstrip('/')}/" if isinstance(written, str) and written else ""
    if not isinstance(paths, LiteralObject):
        return UNKNOWN
    found: dict[str, Value] = {}
    for pattern, targets in paths.entries.items():
        head, star, tail = pattern.partition("*")
        expression = _escaped(head) + ("(.*)" if star else "") + _escaped(tail)
        texts = [each for each in (targets if isinstance(targets, list) else [targets]) if isinstance(each, str)]
        found[f"^{expression}$"] = [prefix + text.removeprefix("./").replace("*", "$1") for text in texts]
    return LiteralObject(found, paths.is_open)


def bindings(pattern: Node, value: Value) -> dict[str, Value]:
    """Return the values of the names in a pattern: `name`, `[key, target]`, `{find, replacement}`."""
    found: dict[str, Value] = {}
    pending: list[tuple[Node, Value]] = [(pattern, value)]
    while pending:
        node, given = pending.pop()
        entries = given.entries if isinstance(given, LiteralObject) else {}
        match node.type:
            case "identifier" | "shorthand_property_identifier_pattern":
                found[node_text(node)] = given
            case "assignment_pattern" | "object_assignment_pattern" if (left := node.child_by_field_name("left")) is not None:
                pending.append((left, given))
            case "array_pattern":
                items = given if isinstance(given, list) else []
                parts = [child for child in node.named_children if child.type != "comment"]
                pending += [(part, items[place] if place < len(items) else UNKNOWN) for place, part in enumerate(parts)]
            case "object_pattern":
                for part in node.named_children:
                    key, target = part.child_by_field_name("key"), part.child_by_field_name("value")
                    if key is not None and target is not None:
                        pending.append((target, entries.get(node_text(key), UNKNOWN)))
                    elif part.type != "comment":
                        name = part.child_by_field_name("left") or part
                        pending.append((part, entries.get(node_text(name), UNKNOWN)))
            case _:
                continue
    return found


def _flat(values: list[Value]) -> list[Value]:
    return [item for each in values for item in (each if isinstance(each, list) else [each])]


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def _merged(values: list[Value]) -> Value:
    entries: dict[str, Value] = {}
    is_open = False
    for value in values:
        if isinstance(value, LiteralObject):
            entries |= value.entries
            is_open |= value.is_open
        else:
            is_open = True
    return LiteralObject(entries, is_open)
