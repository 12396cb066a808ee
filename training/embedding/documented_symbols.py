"""Cuts package sources into symbols with their doc comments: the raw material of training."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import tree_sitter_javascript
import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

from .doc_comments import DOC_COMMENT, comment_text, describes_code, first_sentence, rest_of_comment

_MAX_FILE_BYTES = 400_000
#: Characters of a symbol and of its head that are kept.
MAX_CODE, MAX_HEAD = 3000, 400
_MAX_FILES = 6000
#: A package with this many TypeScript sources is read from them alone; its built files say the same again.
_ENOUGH_SOURCES = 15

_SOURCE = re.compile(r"\.([cm]?tsx?|m?jsx?)$")
_DECLARATIONS = re.compile(r"\.d\.[cm]?ts$")
_SKIPPED = re.compile(
    r"(^|/)(node_modules|umd|cjs|commonjs|locales?|i18n|__tests__|tests?|testing|bundles?|dist-cjs|node_esm|_cjs|es[56]|system|"
    r"legacy|third_party|vendor|examples?|benchmarks?|fixtures?)(/|$)|\.min\.|\.cjs$|\.(spec|test|stories)\."
)

_FUNCTIONS = {"function_declaration", "generator_function_declaration", "function_signature"}
_METHODS = {"method_definition", "method_signature", "abstract_method_signature"}
_CLASSES = {"class_declaration", "abstract_class_declaration", "class"}
_TYPES = {"interface_declaration", "type_alias_declaration", "enum_declaration"}
_PROPERTIES = {"property_signature", "public_field_definition", "field_definition", "pair"}
_FUNCTION_VALUES = {"arrow_function", "function_expression", "generator_function", "function"}
_WRAPPERS = {"export_statement", "ambient_declaration", "expression_statement", "lexical_declaration", "variable_declaration"}
_BODIES = {"statement_block", "class_static_block"}

_PARSERS = {
    "ts": Parser(Language(tree_sitter_typescript.language_typescript())),
    "tsx": Parser(Language(tree_sitter_typescript.language_tsx())),
    "js": Parser(Language(tree_sitter_javascript.language())),
}


@dataclass(frozen=True, slots=True)
class DocumentedSymbol:
    """A symbol as the model will meet it, and what its author wrote above it."""

    #: The project that it is part of, as the list of packages names it.
    origin: str
    path: str
    scope: str
    name: str
    #: "function", "method", "class", "type", "const" or "property".
    kind: str
    head: str
    body: str
    #: First sentence of the doc comment, "" where there is none that describes the code.
    sentence: str
    #: The comment without that sentence's paragraph.
    rest: str


def package_symbols(origin: str, folder: Path) -> list[DocumentedSymbol]:
    """The symbols of one unpacked package, each once, in the order of paths and lines."""
    found: list[DocumentedSymbol] = []
    for path in _source_paths(folder):
        source = (folder / path).read_bytes()
        if 50 <= len(source) <= _MAX_FILE_BYTES and is_written_by_hand(source):
            found += _overloads_merged(_file_symbols(origin, path, source))
    # Sources, built files and declarations of a package repeat each other.
    return each_once(found, lambda symbol: Path(symbol.path).name.partition(".")[0])


def each_once(symbols: Iterable[DocumentedSymbol], file: Callable[[DocumentedSymbol], str]) -> list[DocumentedSymbol]:
    """Of symbols of the same scope and name with the same sentence the one with the fullest text; of those without a sentence,
    which are the same where their file is, too."""
    best: dict[tuple[str, str, str], DocumentedSymbol] = {}
    for symbol in symbols:
        key = (symbol.scope, symbol.name, symbol.sentence or file(symbol))
        if key not in best or len(symbol.body) > len(best[key].body):
            best[key] = symbol
    return list(best.values())


def is_written_by_hand(source: bytes) -> bool:
    """Whether lines are as short as people write them."""
    return source.count(b"\n") >= len(source) / 160


def _source_paths(folder: Path) -> list[str]:
    paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    paths = [path for path in paths if _SOURCE.search(path) and not _SKIPPED.search(path)]
    typescript = [path for path in paths if re.search(r"\.[cm]?tsx?$", path) and not _DECLARATIONS.search(path)]
    return (typescript if len(typescript) > _ENOUGH_SOURCES else paths)[:_MAX_FILES]


def _file_symbols(origin: str, path: str, source: bytes) -> Iterator[DocumentedSymbol]:
    language = "ts" if re.search(r"\.[cm]?ts$", path) else "tsx" if path.endswith("tsx") else "js"
    for node, kind, scope, name in _declarations(_PARSERS[language].parse(source).root_node):
        outer = _outermost(node)
        comment = comment_text(_comment_above(outer))
        sentence = first_sentence(comment)
        sentence = sentence if describes_code(sentence) else ""
        if not sentence and kind in ("const", "property"):
            continue
        text = _collapsed(outer, node, source)
        yield DocumentedSymbol(
            origin,
            path,
            scope,
            name,
            kind,
            _head(text),
            text[:MAX_CODE],
            sentence,
            rest_of_comment(comment) if sentence else "",
        )


def _overloads_merged(symbols: Iterable[DocumentedSymbol]) -> list[DocumentedSymbol]:
    """Overloads of one function stand together: they become one symbol with the first one's comment."""
    merged: list[DocumentedSymbol] = []
    for symbol in symbols:
        previous = merged[-1] if merged else None
        overloaded = previous is not None and symbol.kind in ("function", "method") and symbol.kind == previous.kind
        if previous is not None and overloaded and (symbol.scope, symbol.name) == (previous.scope, previous.name):
            commented = previous if previous.sentence else symbol
            body = f"{previous.body}\n{symbol.body}"[:MAX_CODE]
            merged[-1] = replace(previous, body=body, sentence=commented.sentence, rest=commented.rest)
        else:
            merged.append(symbol)
    return merged


def _declarations(root: Node) -> Iterator[tuple[Node, str, str, str]]:
    """(node, kind, scope, name) of every declaration that is not local to a function, in source order."""
    stack: list[tuple[Node, str]] = [(root, "")]
    while stack:
        node, scope = stack.pop()
        named = _declared(node)
        if named is not None:
            kind, name = named
            yield node, kind, scope, name
            scope = f"{scope}.{name}" if scope else name
        elif node.type == "internal_module":
            name_node = node.child_by_field_name("name")
            scope = f"{scope}.{_text(name_node)}".strip(".") if name_node is not None else scope
        if node.type not in _BODIES or node.parent is None or node.parent.type in ("internal_module", "module"):
            stack.extend((child, scope) for child in reversed(node.named_children))


def _declared(node: Node) -> tuple[str, str] | None:
    kind = _kind(node)
    if kind is None:
        return None
    fields = ("left",) if node.type == "assignment_expression" else ("name", "property", "key")
    name = next((found for field in fields if (found := node.child_by_field_name(field)) is not None), None)
    if name is None or name.type in ("object_pattern", "array_pattern", "computed_property_name"):
        return None
    return kind, _text(name).rpartition(".")[2].strip("#'\"")


def _kind(node: Node) -> str | None:
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    is_function = value is not None and value.type in _FUNCTION_VALUES
    if node.type in _FUNCTIONS or (node.type == "assignment_expression" and is_function):
        return "function"
    if node.type in _METHODS or (node.type in _PROPERTIES and is_function):
        return "method"
    if node.type in _CLASSES:
        return "class"
    if node.type in _TYPES:
        return "type"
    if node.type == "variable_declarator":
        return "function" if is_function else "const"
    return "property" if node.type in _PROPERTIES and node.type != "pair" else None


def _outermost(node: Node) -> Node:
    while node.parent is not None and node.parent.type in _WRAPPERS:
        node = node.parent
    return node


def _comment_above(node: Node) -> str:
    """The nearest doc comment above, past decorators and line comments; "" where there is none."""
    sibling = node.prev_sibling
    while sibling is not None and sibling.type in ("comment", "decorator", ";", ","):
        if sibling.type == "comment" and DOC_COMMENT.fullmatch(text := _text(sibling)):
            return text
        sibling = sibling.prev_sibling
    return ""


def _collapsed(outer: Node, node: Node, source: bytes) -> str:
    """The declaration's text with the bodies of members reduced to ";" and without doc comments."""
    body = node.child_by_field_name("body")
    members = body.named_children if body is not None and node.type in _CLASSES else []
    pieces, position = [], outer.start_byte
    for member in members:
        inner = member.child_by_field_name("body")
        if inner is not None:
            pieces.append(source[position : inner.start_byte] + b";")
            position = inner.end_byte
    pieces.append(source[position : outer.end_byte])
    text = DOC_COMMENT.sub("", b"".join(pieces).decode("utf-8", "replace"))
    return "\n".join(line for line in text.splitlines() if line.strip())


def _head(text: str) -> str:
    """The text before the body."""
    ends = [end for end in (text.find("{"), text.find("=>")) if end > 0]
    return text[: min([*ends, MAX_HEAD])]


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def sentence_keys(symbols: Iterable[DocumentedSymbol]) -> set[str]:
    """The sentences of symbols, reduced to letters and digits, for finding the same sentence elsewhere."""
    return {sentence_key(symbol.sentence) for symbol in symbols if symbol.sentence}


def sentence_key(sentence: str) -> str:
    """A sentence's letters and digits in lower case."""
    return re.sub(r"[^a-z0-9]+", " ", sentence.lower()).strip()
