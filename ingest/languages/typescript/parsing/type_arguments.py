"""Gaps around type arguments: tagged templates, import types, and functions as the first argument."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....symbols.byte_ranges import blank
from .brackets import end_of_code_before, opening_angle
from .edits import Edit, GapSource

_BACKTICK: Final = re.compile(rb"`")
_OPTIONAL_CALL: Final = re.compile(rb"\?\.\(")
_DEFAULT_FUNCTION: Final = re.compile(rb"export\s+(default(\s+)function)\s*(?=[<(])")
_RETURN_TYPE_TOKEN: Final = re.compile(rb"[{;]|\n\s*(?:export|import|function|class|const|declare|type|interface)(?![\w$])")
_TYPE_CONTINUES: Final = re.compile(rb"(?:[:|&<,(\[]|=>|(?:^|[^\w$])(?:is|keyof|readonly|extends))\Z")
_CAN_BE_TAG: Final = re.compile(rb"[\w$)\]\x80-\xff]\Z")
_IMPORT_TYPE: Final = re.compile(
    rb"""(?<![\w$.])import\(\s*(["'])_*\1\s*(?:,\s*\{[^;]{0,200}?\}\s*\}?\s*)?\)
         (?!\s*\.\s*(?:then|catch|finally)\b)""",
    re.VERBOSE,
)
_AWAITED: Final = re.compile(rb"(?:^|[^\w$.])(?:await|yield|void)\Z")
_NOT_A_NAME: Final = re.compile(rb"[^\w$\n\r]")
_GENERIC_FUNCTION_ARGUMENT: Final = re.compile(rb"(?<=[\w$]<)<")
#: An `@` after a name or a bracket is a mistake.
_DOTTED_NAME: Final = re.compile(rb"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
_ASSERTION: Final = re.compile(rb"[ \t]+(?:as|satisfies)[ \t]")
_DECORATOR_EXPRESSION: Final = re.compile(rb"(?<![\w$)\]])@\(")
_FIRST_ARGUMENT: Final = re.compile(rb"[\w$]<\s*typeof\s+\Z")
_ASSERTED_PART: Final = rb"[\w$.]++(?:<[\w$., ]*+>)?+(?:\[\])*+"
_ASSERTED_TYPE: Final = rb" (?:(?:keyof|readonly) )*+" + _ASSERTED_PART + rb"(?:\s[|&]\s" + _ASSERTED_PART + rb")*+"
_ASSERTED_TYPES: Final = (re.compile(rb" as" + _ASSERTED_TYPE), re.compile(rb" satisfies" + _ASSERTED_TYPE))
#: A name of three or more parts; the group is all but the last one.
_LONG_NAME: Final = re.compile(rb"(?<![\w$.])([A-Za-z_$][\w$]*+(?:\.[A-Za-z_$][\w$]*+)+)(?=\.[A-Za-z_$])")
_SHIFTED: Final = re.compile(rb"\s*\(")
_AND_NAME: Final = rb"(?=\s+(?!(?:extends|as|satisfies|in|of|is|instanceof)\b)[A-Za-z_$\x80-\xff])"
#: Two patterns, because the search for a pattern with a fixed beginning is far faster.
_VARIANCES: Final = (
    re.compile(rb"in(?<![\w$.]in)(?:\s+out)?" + _AND_NAME),
    re.compile(rb"out(?<![\w$.]out)" + _AND_NAME),
)
_CONST: Final = re.compile(rb"(?<![\w$.])const\Z")


def asserted_names(source: GapSource) -> Iterator[Edit]:
    """Join the namespaces before the last name of `x as a.b.C` into one identifier, which the lowering splits again."""
    for types in _ASSERTED_TYPES:
        for _, (start, end) in source.matches_within(types, _LONG_NAME):
            yield Edit(start, end, source.data[start:end].replace(b".", b"_"))


def tagged_templates(source: GapSource) -> Iterator[Edit]:
    """Blank the type arguments between a tag and its template: `sql<Row>` before a backtick."""
    return _type_arguments_before(source, _BACKTICK)


def optional_calls(source: GapSource) -> Iterator[Edit]:
    """Blank the type arguments of `callback<Event>?.(event)`."""
    return _type_arguments_before(source, _OPTIONAL_CALL)


def _type_arguments_before(source: GapSource, what_follows: re.Pattern[bytes]) -> Iterator[Edit]:
    mask = source.mask
    for found in what_follows.finditer(mask):
        end = end_of_code_before(mask, found.start())
        if mask[end - 1 : end] == b">" and mask[end - 2 : end - 1] != b"=":
            start = opening_angle(mask, end - 1)
            if start > 0 and _CAN_BE_TAG.search(mask[start - 1 : start]):
                yield Edit(start, end, blank(source.data[start:end]))


def default_function_signatures(source: GapSource) -> Iterator[Edit]:
    """Rewrite `export default function(…): T;` as `export function defaulT(…): T;`.

    The grammar requires a name if there is no body. In the original bytes, the name is `unction`.
    """
    mask = source.mask
    for found in _DEFAULT_FUNCTION.finditer(mask):
        parameters = mask.find(b"(", source.closing(found.end()) if mask.startswith(b"<", found.end()) else found.end())
        after = source.closing(parameters) if parameters >= 0 else -1
        if after > 0 and not _has_body(source, after):
            yield Edit(found.start(1), found.end(1), b"function" + found[2] + b"defaulT")


def _has_body(source: GapSource, after_parameters: int) -> bool:
    """Return whether a block follows the parameters and the return type, if any. The return type may contain braces."""
    mask, position = source.mask, after_parameters
    while found := _RETURN_TYPE_TOKEN.search(mask, position):
        if found[0] != b"{":
            return False
        end = end_of_code_before(mask, found.start())
        if not _TYPE_CONTINUES.search(mask[max(0, end - 8) : end]):
            return True
        position = source.closing(found.start())
        if position < 0:
            return False
    return False


def import_types(source: GapSource) -> Iterator[Edit]:
    """Rewrite `import("x")` as one name in types, so that type arguments, `[]` and operators may follow."""
    for found in _IMPORT_TYPE.finditer(source.mask):
        start, end = found.span()
        before = end_of_code_before(source.mask, start)
        text = source.data[start:end]
        if b"\n" not in text and not _AWAITED.search(source.mask[max(0, before - 8) : before]):
            yield Edit(start, end, _NOT_A_NAME.sub(b"_", text))


def import_type_arguments(source: GapSource) -> Iterator[Edit]:
    """Rewrite `typeof import("x")` as one name, if it is the first type argument of a call."""
    return (edit for edit in import_types(source) if _FIRST_ARGUMENT.search(source.mask[max(0, edit.start - 40) : edit.start]))


def generic_function_arguments(source: GapSource) -> Iterator[Edit]:
    """Blank the type parameters of a function type that is the first type argument: `f<<T>(value: T) => void>()`."""
    for found in _GENERIC_FUNCTION_ARGUMENT.finditer(source.mask):
        end = source.closing(found.start())
        if end > 0 and _SHIFTED.match(source.mask, end):
            yield Edit(found.start(), end, blank(source.data[found.start() : end]))


def decorator_expressions(source: GapSource) -> Iterator[Edit]:
    """Make a decorator that is an expression in parentheses one that the grammars accept: a name, a member or one call.

    `@(shop.log)`, `@(make())` and `@(log as Decorator)` lose their parentheses and assertions. If there is a space before it,
    ` @(list[0])` becomes the call `@_(list[0])`, whose argument `lower_decorator` reads. Other decorators are blanked.
    """
    for found in _DECORATOR_EXPRESSION.finditer(source.mask):
        start, end = found.start(), source.closing(found.end() - 1)
        if end <= 0:
            continue
        named = _DOTTED_NAME.match(source.mask, found.end(), end - 1)
        kept = end - 1 if named is not None and _is_one_call(source, named.end(), end - 1) else 0
        if named is not None and _ASSERTION.match(source.mask, named.end(), end - 1):
            kept = named.end()
        if kept:
            yield Edit(start, end, b"@ " + source.data[found.end() : kept] + blank(source.data[kept:end]))
        elif start > 0 and source.mask[start - 1 : start] in (b" ", b"\t"):
            yield Edit(start - 1, found.end(), b"@_(")
        else:
            yield Edit(start, end, blank(source.data[start:end]))


def _is_one_call(source: GapSource, start: int, end: int) -> bool:
    """Return whether there is nothing between two offsets, or only the arguments of one call."""
    return start == end or (source.mask[start : start + 1] == b"(" and source.closing(start) == end)


def variance_annotations(source: GapSource) -> Iterator[Edit]:
    """Blank `in`, `out` and `in out` before the names of type parameters."""
    mask = source.mask
    for pattern in _VARIANCES:
        for found in pattern.finditer(mask):
            start, end = found.span()
            before = end_of_code_before(mask, start)
            if _CONST.search(mask[max(0, before - 6) : before]):
                before = end_of_code_before(mask, before - len(b"const"))
            if mask[before - 1 : before] in (b"<", b","):
                yield Edit(start, end, blank(source.data[start:end]))
