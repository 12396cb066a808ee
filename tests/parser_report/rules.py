"""The rules that hold for the symbols and chunks of every file, whatever it holds.

Each rule yields what breaks it, in words.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

from astrolabe.ingest.files.source_text import decode_source
from astrolabe.ingest.languages.typescript.parsing.parse import parse_source
from astrolabe.schema.languages import LANGUAGES, is_resolved_path
from astrolabe.schema.records import Symbol
from tree_sitter import Node

from .reading import FileReading, read_source

#: Tokens that what is embedded may have, at four characters each.
MAX_TOKENS = 32_000
#: Languages whose stubs are headings.
DOCUMENTS = frozenset(language.name for language in LANGUAGES if language.is_document)

Rule = Callable[[FileReading], Iterator[str]]


def full_coverage(file: FileReading) -> Iterator[str]:
    """Every line that is not blank lies in one symbol of depth 0."""
    covered = [0] * (len(file.lines) + 2)
    for symbol in file.roots:
        for number in range(symbol.start_line, symbol.end_line + 1):
            covered[number] += 1
    for number, line in enumerate(file.lines, 1):
        if covered[number] > 1 or (line.strip() and not covered[number]):
            yield f"line {number} lies in {covered[number]} symbols of depth 0: {line!r}"


def no_overlap(file: FileReading) -> Iterator[str]:
    """No line lies in two chunks of one parent."""
    siblings: dict[str | None, list[tuple[int, int, str]]] = {}
    for chunk in file.chunks:
        siblings.setdefault(chunk.parent_chunk_id, []).append((chunk.start_line, chunk.end_line, chunk.breadcrumb))
    for group in siblings.values():
        for one, other in pairwise(sorted(group)):
            if other[0] <= one[1]:
                yield f"{one[2]} overlaps {other[2]} at line {other[0]}"


def source_fidelity(file: FileReading) -> Iterator[str]:
    """The source of a chunk is the lines that it names, and what is embedded of it where nothing is collapsed."""
    for chunk in file.chunks:
        lines, source = file.lines[chunk.start_line - 1 : chunk.end_line], file.source_of(chunk)
        is_embedded = chunk.embedding_text == source
        if [line.rstrip("\r") for line in source.split("\n")] != lines or is_embedded == chunk.collapsed:
            yield f"{chunk.breadcrumb} is not lines {chunk.start_line} to {chunk.end_line}"


def hierarchy(file: FileReading) -> Iterator[str]:
    """Parents and children know each other, and children lie inside their parents."""
    for symbol in file.symbols:
        parent = file.by_id.get(symbol.parent_id or "")
        if (symbol.depth == 0) != (symbol.parent_id is None) or (symbol.depth and parent is None):
            yield f"{symbol.breadcrumb} has depth {symbol.depth} and parent {symbol.parent_id}"
        elif parent and not (
            parent.depth == symbol.depth - 1
            and parent.start_line <= symbol.start_line <= symbol.end_line <= parent.end_line <= len(file.lines)
        ):
            yield f"{symbol.breadcrumb} ({symbol.start_line}-{symbol.end_line}) is not inside {parent.breadcrumb}"
    for chunk in file.chunks:
        above = file.chunk_by_id.get(chunk.parent_chunk_id or "")
        if chunk.depth and (above is None or chunk.id not in above.child_chunk_ids):
            yield f"{chunk.breadcrumb} is not among the children of its parent"
        if not chunk.depth and chunk.parent_chunk_id is not None:
            yield f"{chunk.breadcrumb} is a root with a parent"
        for child in chunk.child_chunk_ids:
            if child not in file.chunk_by_id or file.chunk_by_id[child].parent_chunk_id != chunk.id:
                yield f"{chunk.breadcrumb} has a child that does not know it"


def token_limit(file: FileReading) -> Iterator[str]:
    """Nothing that is embedded is longer than a model takes."""
    for chunk in file.chunks:
        pieces = chunk.embedding_pieces
        if "".join(pieces) != chunk.embedding_text or max(map(len, pieces)) > 4 * MAX_TOKENS:
            yield f"{chunk.breadcrumb} is embedded in pieces of {[len(piece) for piece in pieces]} characters"


def collapsed_children(file: FileReading) -> Iterator[str]:
    """A chunk shows its child chunks as stubs; one without children is shown whole."""
    counts = Counter(line.strip() for line in file.lines)
    for chunk in file.chunks:
        if not chunk.child_chunk_ids:
            if chunk.embedding_text != file.source_of(chunk):
                yield f"{chunk.breadcrumb} is a leaf that is not whole"
            continue
        shown, at = {line.strip() for line in chunk.embedding_text.splitlines()}, 0
        for child in sorted((file.by_id[child] for child in chunk.child_chunk_ids), key=lambda child: child.start_line):
            stub = child.signature if file.language in DOCUMENTS else child.signature.rstrip("; ") + ";"
            if chunk.embedding_text.find(stub, at) < 0 and child.name_line > child.start_line:
                stub = _own_header(file, child)  # of overloads the implementation, whose signature is that of the first
            at = chunk.embedding_text.find(stub, at)
            if at < 0:
                yield f"{chunk.breadcrumb} lacks the stub {stub!r}"
                break
            at += len(stub)
            body = file.lines[child.name_line : child.end_line - 1]
            for line in body:
                if counts[line.strip()] == 1 and len(line.strip()) > 3 and line.strip() in shown and line.strip() != stub:
                    yield f"{chunk.breadcrumb} shows a line of {child.name}: {line!r}"
                    break


def _own_header(file: FileReading, symbol: Symbol) -> str:
    """What the declaration of a symbol begins with, up to its parameters."""
    lines = (line.strip() for line in file.lines[symbol.name_line - 1 : symbol.end_line])
    return next(line for line in lines if not line.startswith("@")).partition("(")[0]


def breadcrumbs(file: FileReading) -> Iterator[str]:
    """A breadcrumb is the file and the names from the root down."""
    for symbol in file.symbols:
        names, above = [symbol.name], symbol
        while above.parent_id is not None:
            above = file.by_id[above.parent_id]
            names.append(above.name)
        crumb = " > ".join([file.path, *reversed(names)])
        # The type that a method of Go belongs to stands in its breadcrumb, and is no symbol around it.
        is_owned = not is_resolved_path(file.path) and symbol.breadcrumb.endswith(f" > {symbol.name}")
        if symbol.breadcrumb != crumb and not is_owned:
            yield f"{symbol.breadcrumb} should end in {names}"


def deterministic_ids(file: FileReading) -> Iterator[str]:
    """Ids are unique, and those of a second reading are the same."""
    if len(file.by_id) < len(file.symbols):
        yield "two symbols have one id"
    if {symbol.id for symbol in file.symbols if symbol.is_chunk} != set(file.chunk_by_id):
        yield "chunks and symbols disagree"
    if [chunk.id for chunk in read_source(file.path, file.data).chunks] != [chunk.id for chunk in file.chunks]:
        yield "a second reading has other ids"


def root_isolation(file: FileReading) -> Iterator[str]:
    """Each statement at the root has a chunk for itself; those that share a line share one."""
    for symbol in file.roots:
        if not symbol.is_chunk:
            yield f"{symbol.breadcrumb} is a root without a chunk"
    if file.status != "ok" or not is_resolved_path(file.path):
        return  # short statements of other languages share one
    units = sorted((chunk.start_line, chunk.end_line) for chunk in file.chunks if chunk.depth == 0)
    statements = list(_statement_lines(file))
    for (_, before), (first, last), (after, _) in zip(
        [(0, 0), *statements], statements, [*statements[1:], (len(file.lines) + 1, 0)], strict=False
    ):
        start, end = units[max(bisect_right(units, (first, len(file.lines) + 1)) - 1, 0)]
        if not before < start <= first <= last <= end < after:
            yield f"the statement in lines {first} to {last} has no chunk of its own but {start} to {end}"


def _statement_lines(file: FileReading) -> Iterator[tuple[int, int]]:
    """First and last line of each statement at the root, as the syntax tree has them. Overloads are one statement, and so are
    statements that share a line or a comment behind the first of them, and a namespace and the body on the lines below it."""
    data = decode_source(file.data).data
    found: list[tuple[int, int]] = []
    overloaded, bodiless = "", False
    for node in parse_source(data, file.language).tree.root_node.named_children:
        text = data[node.start_byte : node.end_byte].rstrip(b"; \t\r\n")
        first = data.count(b"\n", 0, node.start_byte) + 1
        last = first + text.count(b"\n")
        is_statement = node.type not in ("comment", "hash_bang_line", "empty_statement")
        is_body = bodiless and node.type == "statement_block"
        is_overload = bool(overloaded) and is_statement and overloaded == _function_name(node)
        if found and (first <= found[-1][1] or is_body or is_overload):
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        elif is_statement:
            found.append((first, last))
        if is_statement:
            overloaded = _function_name(node) if _is_signature(node) else ""
            inner = node.named_children[0] if node.type == "expression_statement" and node.named_children else None
            bodiless = inner is not None and inner.type == "internal_module" and inner.child_by_field_name("body") is None
    yield from found


def _declared(node: Node) -> Node:
    """A declaration without `export` and `declare` around it."""
    while node.type in ("export_statement", "ambient_declaration") and node.named_children:
        node = node.named_children[-1]
    return node


def _is_signature(node: Node) -> bool:
    return _declared(node).type == "function_signature"


def _function_name(node: Node) -> str:
    declared = _declared(node)
    name = declared.child_by_field_name("name")
    if declared.type == "function_expression" and node.type == "export_statement":
        return "default" if name is None else (name.text or b"").decode()
    is_function = declared.type in ("function_signature", "function_declaration", "generator_function_declaration")
    text = (name.text or b"").decode() if name is not None and is_function else ""
    # Without a body and a name, a default function is mended so that the grammar finds a name in `function`.
    return "default" if text == "unction" and declared.type == "function_signature" else text


def relevant_imports(file: FileReading) -> Iterator[str]:
    """The imports of a chunk are import statements of the file, and the chunk has a name of each as a word."""
    if not is_resolved_path(file.path):
        return  # where the names stand in a statement is another matter in each language
    statements = {symbol.signature: symbol for symbol in file.symbols if symbol.kind == "import"}
    for chunk in file.chunks:
        source = file.source_of(chunk)
        if chunk.node_kind == "comment" and chunk.relevant_imports:
            yield f"{chunk.breadcrumb} is a comment with imports"
        for text in chunk.relevant_imports:
            if text not in statements:
                yield f"{chunk.breadcrumb} has an import that the file has not: {text!r}"
            elif not any(re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", source) for name in _local_names(text)):
                yield f"{chunk.breadcrumb} uses nothing of {text!r}"


def _local_names(statement: str) -> list[str]:
    """Everything in an import statement that could be a name it brings; in a broken one quotes may stand around that too."""
    return re.findall(r"[\w$]+", re.sub(r"(\bfrom|\bimport|\()\s*(['\"])[^'\"]*\2", "", statement))


def source_order(file: FileReading) -> Iterator[str]:
    """Siblings come in the order of the source, and all have names and lines that agree."""
    siblings: dict[str | None, list[Symbol]] = {}
    for symbol in file.symbols:
        siblings.setdefault(symbol.parent_id, []).append(symbol)
        if not symbol.name or not symbol.start_line <= symbol.declaration_line <= symbol.name_line <= symbol.end_line:
            places = (symbol.start_line, symbol.declaration_line, symbol.name_line, symbol.end_line)
            yield f"{symbol.breadcrumb} has places {places}"
    for group in siblings.values():
        for one, other in pairwise(group):
            if other.start_line < one.start_line:
                yield f"{other.breadcrumb} comes behind {one.breadcrumb}"


#: By the names that people see.
RULES: dict[str, Rule] = {
    "full coverage": full_coverage,
    "no overlap": no_overlap,
    "source fidelity": source_fidelity,
    "hierarchy consistency": hierarchy,
    "token limit": token_limit,
    "collapsed children": collapsed_children,
    "breadcrumb accuracy": breadcrumbs,
    "deterministic ids": deterministic_ids,
    "root-level isolation": root_isolation,
    "relevant imports": relevant_imports,
    "source order": source_order,
}


def violations(file: FileReading) -> Iterator[tuple[str, str]]:
    """Name of a rule and what breaks it, for everything in a file that breaks one."""
    for name, rule in RULES.items():
        for broken in rule(file):
            yield name, broken
