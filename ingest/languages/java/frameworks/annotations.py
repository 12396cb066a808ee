"""The annotations of a file. The qualified names follow from the imports of the file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.model import DeclKind
from ....facts.node_scan import any_of, nodes_of
from ....facts.operations import Op
from ...framework_rules.wiring import FileNodes

_MEMORY: Final = "java annotations"
_IMPORTS: Final = "java imports"
_ANNOTATIONS: Final = any_of(Op.DECORATOR)
#: Nodes whose values may be annotations.
_HOLDERS: Final = any_of(Op.PROP, Op.ARRAY)
#: Maximum depth of constants in the value of a constant.
_MAX_DEPTH: Final = 8


class Annotation(NamedTuple):
    """An annotation of a declaration."""

    node: int
    #: Index of the annotated symbol; -1 if the declaration has no symbol.
    symbol: int
    #: Position of the annotated parameter, or -1.
    parameter: int
    #: Last name of the annotation.
    name: str
    #: Possible qualified names: several if the file imports packages with `*`.
    qualified: tuple[str, ...]


def annotations_of(file: FileNodes) -> dict[int, list[Annotation]]:
    """Return the annotations of a file by the annotated symbol."""
    known = file.memory.get(_MEMORY)
    if isinstance(known, dict):
        return known
    found: dict[int, list[Annotation]] = {}
    code, imports = file.code, imports_of(file)
    nested = {item for node in nodes_of(file.facts, _HOLDERS) for item in _nested_annotations(file, node)}
    for node in nodes_of(file.facts, _ANNOTATIONS):
        if node not in nested:
            symbol, callee = file.owner(node), code[node + 1]
            annotation = Annotation(node, symbol, code[node + 3], file.name(callee), tuple(imports.names(file, callee)))
            found.setdefault(symbol, []).append(annotation)
    file.memory[_MEMORY] = found
    return found


def imports_of(file: FileNodes) -> Imports:
    """Return the imports of a file."""
    known = file.memory.get(_IMPORTS)
    if not isinstance(known, Imports):
        known = file.memory[_IMPORTS] = Imports(file)
    return known


def _nested_annotations(file: FileNodes, node: int) -> Iterator[int]:
    code = file.code
    values = [code[node + 1]] if code[node] == Op.PROP else file.items(code[node + 1])
    yield from (value for value in values if value >= 0 and code[value] == Op.DECORATOR)


class Imports:
    """The imports of a file, and the names of the types that it declares."""

    def __init__(self, file: FileNodes) -> None:
        #: The packages and types from which the file imports each name; the name "*" means all names.
        self.modules: dict[str, list[str]] = {}
        self.own = {shape.name for shape in file.facts.shapes if shape.name}
        for decl in file.facts.decls:
            if decl.kind == DeclKind.IMPORT:
                self.modules.setdefault(decl.name, []).append(file.facts.strings[decl.a])

    def modules_of(self, name: str) -> Sequence[str]:
        """Return the packages and types from which the file imports a name."""
        return self.modules.get(name, ())

    def has_any(self, modules: Collection[str]) -> bool:
        """Return whether the file imports any name from one of some packages and types."""
        return any(module in modules for listed in self.modules.values() for module in listed)

    def names(self, file: FileNodes, node: int) -> Iterator[str]:
        """Yield the qualified names that the name of a type may mean."""
        parts: list[str] = []
        while node >= 0 and file.code[node] == Op.MEMBER:
            parts.append(file.name(node))
            node = file.code[node + 1]
        if node >= 0:
            parts.append(file.name(node))
        parts.reverse()
        rest = ".".join(parts[1:])
        first = parts[0] if parts else ""
        if first in self.modules:
            yield f"{self.modules[first][0]}.{first}.{rest}".rstrip(".")
        elif not first or first in self.own:
            return
        elif rest and first[:1].islower():
            yield ".".join(parts)
        else:
            yield from (f"{package}.{'.'.join(parts)}" for package in self.modules_of("*"))


def annotated_with(file: FileNodes, symbol: int, qualified: Collection[str]) -> Annotation | None:
    """Return a symbol's first annotation with one of `names`, or None. Annotations of parameters do not count."""
    for each in annotations_of(file).get(symbol, ()):
        if each.parameter < 0 and any(name in qualified for name in each.qualified):
            return each
    return None


def texts(file: FileNodes, annotation: Annotation, *keys: str) -> list[str]:
    """Return the strings in some elements of an annotation. An argument without a name is the element "value"."""
    return [_text(file, value) for value in value_nodes(file, annotation, keys)]


def paths(file: FileNodes, annotation: Annotation, *keys: str) -> list[str]:
    """Return the paths in some elements of an annotation. A constant of another file becomes a parameter: `{NAME}`."""
    return [path_of(file, value) for value in value_nodes(file, annotation, keys)]


def path_of(file: FileNodes, node: int) -> str:
    """Return the path in a value of an annotation, as `paths` does."""
    return _path(file, node, 0)


def class_nodes(file: FileNodes, annotation: Annotation, *keys: str) -> list[int]:
    """Return the nodes of the types in some elements of an annotation: `Prices` of `uses = Prices.class`."""
    code = file.code
    values = value_nodes(file, annotation, keys)
    return [code[node + 1] for node in values if code[node] == Op.MEMBER and file.name(node) == "class" and code[node + 1] >= 0]


def value_nodes(file: FileNodes, annotation: Annotation, keys: Collection[str]) -> Iterator[int]:
    """Yield the values of some elements of an annotation, and the items of lists."""
    for node in file.items(file.code[annotation.node + 2]):
        key = "value"
        if node >= 0 and file.code[node] == Op.PROP:
            key, node = file.facts.strings[file.code[node + 2]], file.code[node + 1]
        if key in keys and node >= 0:
            values = file.items(file.code[node + 1]) if file.code[node] == Op.ARRAY else [node]
            yield from (value for value in values if value >= 0)


def texts_of(file: FileNodes, symbol: int, qualified: Collection[str], *keys: str) -> list[str]:
    """Return the strings of a symbol's first annotation with one of the given names; [] for the symbol -1."""
    found = annotated_with(file, symbol, qualified) if symbol >= 0 else None
    return texts(file, found, *keys) if found is not None else []


def paths_of(file: FileNodes, symbol: int, qualified: Collection[str], *keys: str) -> list[str]:
    """Return the paths of a symbol's first annotation with one of the given names; [] for the symbol -1.

    Without keys, the elements "value" and "path" are read.
    """
    found = annotated_with(file, symbol, qualified) if symbol >= 0 else None
    return paths(file, found, *(keys or ("value", "path"))) if found is not None else []


def _text(file: FileNodes, node: int) -> str:
    code = file.code
    if code[node] == Op.STRING and code[node + 2] >= 0:
        return file.facts.strings[code[node + 2]].strip('"')
    name = file.name(node) if code[node] in (Op.NAME, Op.MEMBER, Op.LEXICAL) else ""
    return name if name != "class" else ""


def _path(file: FileNodes, node: int, depth: int) -> str:
    """Return the text of a constant expression. Constants of the same file are replaced by their values."""
    code = file.code
    if node < 0 or depth > _MAX_DEPTH:
        return ""
    if code[node] == Op.STRING:
        return _text(file, node)
    if code[node] == Op.BINARY:
        return _path(file, code[node + 1], depth + 1) + _path(file, code[node + 2], depth + 1)
    name = file.name(node)
    holder = file.name(code[node + 1]) if code[node] == Op.MEMBER and code[node + 1] >= 0 else ""
    for shape in file.facts.shapes:
        for member in shape.members if not holder or shape.name == holder else ():
            if member.name == name and member.value >= 0:
                return _path(file, member.value, depth + 1)
    return f"{{{name}}}" if name else ""


def shown(file: FileNodes, annotation: Annotation) -> str:
    """Return the short text of an annotation: `@Scheduled`, `@GetMapping("/users")`."""
    first = next(iter(texts(file, annotation, "value", "path", "prefix", "name")), "")
    return f'@{annotation.name}("{first}")' if first else f"@{annotation.name}"
