"""Chains of calls in one file: the type at which a chain begins, and its calls, as in `client.get().uri("/users").retrieve()`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

from ....facts.api import UNKNOWN
from ....facts.model import DeclKind, MemberKind, ShapeKind
from ....facts.operations import Op, Result
from ...framework_rules.wiring import FileNodes
from .annotations import imports_of

#: Maximum number of calls in a chain.
MAX_CALLS: Final = 60
#: Maximum number of steps through variables in a chain.
_MAX_STEPS: Final = 12
#: Functions that return the URL in the text of their first argument.
_URL_MAKERS: Final = frozenset(("create", "fromUriString", "fromHttpUrl", "fromPath", "get", "parse"))
_URL_TYPES: Final = frozenset(
    ("java.net.URI", "java.net.URL", "okhttp3.HttpUrl", "org.springframework.web.util.UriComponentsBuilder")
)
_MEMORY: Final = "java chains"


class Step(NamedTuple):
    """A call in a chain."""

    node: int
    name: str
    arguments: Sequence[int]


class Chain(NamedTuple):
    """A chain of calls."""

    #: Possible qualified names of the type at which the chain begins: the type of a value or a new object, or a class with static
    #: methods.
    types: Sequence[str]
    steps: list[Step]


class _Field(NamedTuple):
    """Nodes of the type and of the value of a field; -1 for none."""

    type: int
    value: int


class Chains:
    """The chains of a file, and the texts of its expressions."""

    def __init__(self, file: FileNodes) -> None:
        self._file = file
        self._imports = imports_of(file)

    def chain(self, node: int) -> Chain | None:
        """Return the chain that ends with a call; None for a chain that is too long."""
        file, code = self._file, self._file.code
        steps: list[Step] = []
        while node >= 0 and code[node] == Op.CALL and len(steps) < MAX_CALLS:
            callee = code[node + 1]
            if callee < 0:
                return None
            steps.append(Step(node, file.name(callee), file.items(code[node + 2])))
            if code[callee] == Op.MEMBER:
                node = code[callee + 1]
                continue
            # A call without a receiver: a statically imported method, or a method of the file.
            return Chain(self._static_owners(steps[-1].name), steps[::-1])
        if node < 0 or code[node] == Op.CALL:
            return None
        if code[node] == Op.NEW:
            return Chain(self._names(code[node + 1]), steps[::-1])
        return Chain(self.types(node), steps[::-1])

    def types(self, node: int, steps: int = _MAX_STEPS) -> Sequence[str]:
        """Return the possible qualified names of the type of a value, or of the type to which a name refers."""
        code = self._file.code
        if node < 0 or steps <= 0:
            return ()
        if code[node] == Op.NEW:
            return self._names(code[node + 1])
        if code[node] == Op.CALL:
            chain = self.chain(node)
            return chain.types if chain is not None else ()
        written, value = self._variable(node)
        if written >= 0:
            return self._names(written)
        return self.types(value, steps - 1) if value >= 0 else self._names(node)

    def type_name(self, node: int) -> str:
        """Return the last name of a variable's type, as the source writes it; return other names unchanged."""
        written, _ = self._variable(node)
        if written >= 0 and self._file.code[written] == Op.T_REFERENCE:
            written = self._file.code[written + 1]
        return self._file.name(written if written >= 0 else node)

    def text(self, node: int, steps: int = _MAX_STEPS) -> str:
        """Return the text of an expression, with `{}` for each part that is known only at run time."""
        file, code = self._file, self._file.code
        if node < 0 or steps <= 0:
            return UNKNOWN
        operation = code[node]
        if operation == Op.STRING:
            return file.facts.strings[code[node + 2]].strip('"') if code[node + 2] >= 0 else UNKNOWN
        if operation == Op.BINARY and code[node + 3] == Result.ADDITION:
            return self.text(code[node + 1], steps - 1) + self.text(code[node + 2], steps - 1)
        if operation == Op.NEW:
            arguments = file.items(code[node + 2])
            is_url = arguments and not _URL_TYPES.isdisjoint(self._names(code[node + 1]))
            return self.text(arguments[0], steps - 1) if is_url else UNKNOWN
        if operation == Op.CALL:
            return self._returned(node, steps)
        _, value = self._variable(node)
        return self.text(value, steps - 1) if value >= 0 else UNKNOWN

    def word(self, node: int) -> str:
        """Return the text of a string, or the last name of a constant: `POST` for `HttpMethod.POST`."""
        text = self.text(node)
        return text if text != UNKNOWN or node < 0 else self._file.name(node)

    def _returned(self, node: int, steps: int) -> str:
        """Return the URL or the formatted text that a call returns."""
        chain = self.chain(node)
        if chain is None or not chain.steps:
            return UNKNOWN
        first = chain.steps[0]
        if "String" in chain.types:
            return _formatted(self.text(first.arguments[0], steps - 1)) if first.name == "format" and first.arguments else UNKNOWN
        if _URL_TYPES.isdisjoint(chain.types) or first.name not in _URL_MAKERS or not first.arguments:
            return UNKNOWN
        url = self.text(first.arguments[0], steps - 1)
        for step in chain.steps[1:]:
            if step.name in ("path", "pathSegment"):
                segments = [self.text(each, steps - 1) for each in step.arguments]
                url += "".join(f"/{each}" for each in segments) if step.name == "pathSegment" else "".join(segments)
        return url

    # ------------------------------------------------------------------ names

    def _variable(self, node: int) -> tuple[int, int]:
        """Return the nodes of the type and of the value of the variable or the field that an expression names; -1 for none."""
        file, code = self._file, self._file.code
        operation = code[node]
        if operation == Op.NAME and code[node + 1] >= 0:
            decls = file.facts.bindings[code[node + 1]].decls
            decl = file.facts.decls[decls[0]] if len(decls) == 1 else None
            if decl is None or decl.kind not in (DeclKind.VARIABLE, DeclKind.PARAMETER):
                return -1, -1
            return decl.a, decl.b if decl.kind == DeclKind.VARIABLE else -1
        is_own = operation == Op.MEMBER and code[node + 1] >= 0 and code[code[node + 1]] == Op.THIS
        if operation == Op.LEXICAL or is_own or (operation == Op.MEMBER and file.name(code[node + 1]) in self._imports.own):
            field = self._fields.get(file.name(node))
            return field if field is not None else (-1, -1)
        return -1, -1

    def _names(self, node: int) -> Sequence[str]:
        code = self._file.code
        if node >= 0 and code[node] == Op.T_REFERENCE:
            node = code[node + 1]
        name = self._file.name(node) if node >= 0 else ""
        if not name or name in self._imports.own:
            return ()
        return (*self._imports.names(self._file, node), name)  # the name alone may be a type of `java.lang`

    def _static_owners(self, name: str) -> Sequence[str]:
        """Return the qualified names of the types that may declare the static method with a bare name."""
        return self._imports.modules_of(name) or self._imports.modules_of("*")

    @cached_property
    def _fields(self) -> dict[str, _Field]:
        """The fields of the file by name. Names of several fields are left out."""
        found: dict[str, list[_Field]] = {}
        for shape in self._file.facts.shapes:
            if shape.kind in (ShapeKind.CLASS, ShapeKind.INTERFACE, ShapeKind.ENUM):
                for member in shape.members:
                    if member.kind == MemberKind.PROPERTY:
                        found.setdefault(member.name, []).append(_Field(member.type, member.value))
        return {name: fields[0] for name, fields in found.items() if len(fields) == 1}


def chains_of(file: FileNodes) -> Chains:
    """Return the chains of a file."""
    known = file.memory.get(_MEMORY)
    if not isinstance(known, Chains):
        known = file.memory[_MEMORY] = Chains(file)
    return known


def _formatted(template: str) -> str:
    """Return a template of `String.format` with unknown values."""
    parts = template.split("%")
    return parts[0] + "".join(UNKNOWN + part.lstrip("-+# 0123456789.$,(")[1:] for part in parts[1:])
