"""Split the sources of npm packages into symbols with doc comments, the raw material of training."""

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
#: Maximum number of characters of a symbol's text, and of its head.
MAX_CODE, MAX_HEAD = 3000, 400
_MAX_FILES = 6000
#: Number of TypeScript sources from which built files of a package are not read, because they repeat the sources.
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
    """The fields of a symbol that the model reads, and its doc comment."""

    #: Project of the symbol, as `packages.tsv` names it.
    origin: str
    path: str
    scope: str
    name: str
    #: "function", "method", "class", "type", "const" or "property".
    kind: str
    head: str
    body: str
    #: First sentence of the doc comment; "" if no such sentence describes the code.
    sentence: str
    #: The doc comment without its first paragraph.
    rest: str


def package_symbols(origin: str, folder: Path) -> list[DocumentedSymbol]:
    """Return the symbols of an unpacked package without duplicates, in order of path and line."""
    found: list[DocumentedSymbol] = []
    for path in _source_paths(folder):
        source = (folder / path).read_bytes()
        if 50 <= len(source) <= _MAX_FILE_BYTES and is_written_by_hand(source):
            found += _overloads_merged(_file_symbols(origin, path, source))
    # Sources, built files and `.d.ts` files of a package contain the same declarations.
    return each_once(found, lambda symbol: Path(symbol.path).name.partition(".")[0])


def each_once(symbols: Iterable[DocumentedSymbol], file: Callable[[DocumentedSymbol], str]) -> list[DocumentedSymbol]:
    """Return the symbols without duplicates; of several duplicates, the symbol with the longest text stays.

    Symbols are duplicates if scope, name and sentence are equal. Without a sentence, the values of `file` must be equal.
    """
    best: dict[tuple[str, str, str], DocumentedSymbol] = {}
    for symbol in symbols:
        key = (symbol.scope, symbol.name, symbol.sentence or file(symbol))
        if key not in best or len(symbol.body) > len(best[key].body):
            best[key] = symbol
    return list(best.values())


def is_written_by_hand(source: bytes) -> bool:
    """Return whether the mean length of a line is at most 160 bytes; the lines of generated code are often longer."""
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
    """Merge consecutive overloads of a function into one symbol with the first doc comment among them."""
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
    """Yield (node, kind, scope, name) for each declaration outside of function bodies, in source order."""
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
    """Return the nearest doc comment above a node, before any decorators and line comments; "" if there is none."""
    sibling = node.prev_sibling
    while sibling is not None and sibling.type in ("comment", "decorator", ";", ","):
        if sibling.type == "comment" and DOC_COMMENT.fullmatch(text := _text(sibling)):
            return text
        sibling = sibling.prev_sibling
    return ""


def _collapsed(outer: Node, node: Node, source: bytes) -> str:
    """Return the text of a declaration without doc comments, and with ";" in place of the bodies of members."""
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
    """Return the text before the body."""
    ends = [end for end in (text.find("{"), text.find("=>")) if end > 0]
    return text[: min([*ends, MAX_HEAD])]


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def sentence_keys(symbols: Iterable[DocumentedSymbol]) -> set[str]:
    """Return the keys of the sentences of symbols, which serve to find the same sentences in other packages."""
    return {sentence_key(symbol.sentence) for symbol in symbols if symbol.sentence}


def sentence_key(sentence: str) -> str:
    """Return a sentence in lower case, with one blank for each run of characters other than ASCII letters and digits."""
    return re.sub(r"[^a-z0-9]+", " ", sentence.lower()).strip()
