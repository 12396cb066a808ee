"""Lower a whole file: each root statement is a symbol of depth 0."""

from __future__ import annotations

from tree_sitter import Node, Tree

from ......schema.records import Problem
from .....facts.cells import int_cells
from .....facts.model import FileFacts
from .....files.source_text import SourceText
from .....symbols.byte_ranges import between, decoded
from .....symbols.chunks import chunk_facts
from .....symbols.headers import MAX_NAME_LENGTH, attached_comments, first_line, place
from .....symbols.license_comments import comment_name
from .....symbols.states import Placement, SymbolState
from .....symbols.symbol_tree import SymbolTree
from ..context import Context
from ..declarations import DECLARATIONS, lower_declaration
from ..dispatch import grammar_tables, inner_nodes, lower_statement
from ..expressions import assigned_function
from ..imports import note_reference_paths
from ..jsdoc.annotations import read_documentation
from ..jsdoc.links import lower_doc_links
from ..statement_names import statement_name
from .captured_variables import add_captures
from .commonjs import commonjs_exports
from .global_properties import note_global_properties
from .globs import note_globs
from .mdx_components import note_mdx_components
from .object_calls import note_object_calls, note_pushes
from .returned_functions import note_returned_functions
from .side_effects import side_effects
from .tables import fill_tables
from .unicode_names import unicode_names
from .vue_provided import note_injections
from .vue_registrations import note_instance_properties, note_registered_components
from .vuex_stores import note_store_calls

_NEWLINE = ord("\n")
_SEMICOLON = ord(";")

#: Characters that frame the text of comments.
_RULERS = " \t/*#!-=~_+"

#: Types of root statements whose handlers create the symbols.
_NAMED = frozenset((*DECLARATIONS, "import_statement", "export_statement"))


def lower_program(
    tree: Tree, data: bytes, source: SourceText, language: str, problems: list[Problem], is_repaired: bool = False
) -> FileFacts:
    """Return all facts of a file.

    `data` are the parsed bytes: the bytes of `source`, with edits of the same length at gaps and broken code. Names come from
    `data`, texts from `source`. `is_repaired` is true if there are such edits; words may then be missing from the tree.
    """
    fill_tables()
    root = tree.root_node
    cx = Context(source.data, data, language, is_repaired, grammar_tables(tree.language))
    cx.strict = language in ("typescript", "tsx") or _is_strict(cx, root)
    cx.documented = read_documentation(cx, data, tree)
    statements = lower_root(cx, root)
    if cx.documented is not None:
        cx.documented.finish(cx)
    lower_doc_links(cx, tree)
    note_reference_paths(cx, root)
    note_globs(cx)
    note_registered_components(cx)
    note_mdx_components(cx)
    note_store_calls(cx)
    note_injections(cx)
    cx.resolve_names()
    note_pushes(cx)
    if language in ("javascript", "jsx"):
        note_object_calls(cx)
        note_global_properties(cx, root)
    note_instance_properties(cx)
    note_returned_functions(cx)
    if not cx.exports:
        cx.exports += commonjs_exports(cx)
    symbol_tree = SymbolTree(cx, source)  # renumbers the symbols, those of exports included
    exports = [*cx.exports]
    symbols = symbol_tree.symbol_facts(exports)
    add_captures(cx, symbols, source.line_starts)
    is_module = cx.is_module or bool(exports)
    if cx.documented is not None and is_module:
        exports += cx.documented.exports_beside(exports)
    facts = FileFacts(
        language=language,
        lines=len(source.line_starts),
        line_starts=int_cells(source.line_starts),
        symbols=symbols,
        chunks=chunk_facts(cx, symbol_tree, source, root),
        problems=problems,
        imports=cx.imports,
        exports=exports,
        is_module=is_module,
        type_parts=cx.type_parts,
        enum_values=cx.enum_values,
        side_effects=side_effects(cx, root, statements),
        unicode_names=unicode_names(cx),
    )
    cx.fill(facts)
    return facts


def _is_strict(cx: Context, root: Node) -> bool:
    """Return whether a JavaScript file is a module or begins with "use strict"."""
    directives = True
    for child in root.named_children:
        if child.type in ("import_statement", "export_statement"):
            return True
        if child.type not in ("comment", "hash_bang_line"):
            directives = directives and child.type == "expression_statement"
            if directives and cx.bytes_of(child).startswith((b"'use strict'", b'"use strict"')):
                return True
    return False


def lower_root(cx: Context, root: Node) -> list[Node]:
    """Lower the statements at the root, as children of the current symbol if there is one.

    Return the statements that declare nothing.
    """
    return lower_statements(cx, root.named_children)


def lower_statements(cx: Context, nodes: list[Node]) -> list[Node]:
    """Lower some of the statements at the root, as `lower_root` does, and return those that declare nothing."""
    plain: list[Node] = []
    comments: list[Node] = []
    end = -1
    for child in nodes:
        if child.type == "comment":
            if end >= 0 and not comments and _NEWLINE not in between(cx.source, end, child.start_byte):
                end = _take_trailing(cx, child)
            else:
                comments.append(child)
            continue
        if child.start_byte in cx.bodies or (child.type == "empty_statement" and _shares_line(cx, child)):
            continue
        own = attached_comments(cx, comments, child.start_byte) if _has_own_comments(child) else ()
        _add_standalone_comments(cx, comments[: len(comments) - len(own)])
        cx.comments = list(own)
        before = len(cx.symbols)
        if child.type not in _NAMED:
            plain.append(child)
        _statement(cx, child)
        cx.comments = []
        comments = []
        end = child.end_byte if len(cx.symbols) > before and not _ends_in_leading_semicolon(cx, child) else -1
    _add_standalone_comments(cx, comments)
    return plain


def _ends_in_leading_semicolon(cx: Context, node: Node) -> bool:
    """Return whether the semicolon that ends a statement begins a later line, as in `;[1].map(f)`.

    The semicolon and the code after it belong to the later line.
    """
    source, before = cx.source, node.end_byte - 2
    if source[before + 1] != _SEMICOLON:
        return False
    # The search stops at the start of the line, because a minified file may be one line.
    while before >= 0 and source[before] in b" \t\r\f\v":
        before -= 1
    return before < 0 or source[before] == _NEWLINE


def _take_trailing(cx: Context, comment: Node) -> int:
    """Add a comment that follows the last statement on its line to the symbol of that statement.

    Return the offset where the comment ends.
    """
    last = next(state for state in reversed(cx.symbols) if state.parent == cx.symbol)
    last.end = max(last.end, comment.end_byte)
    return comment.end_byte


def _shares_line(cx: Context, node: Node) -> bool:
    """Return whether a semicolon shares its line with other code, as in `;[1].map(f)`."""
    source, before, after = cx.source, node.start_byte - 1, node.end_byte
    while before >= 0 and source[before] in b" \t;":
        before -= 1
    while after < len(source) and source[after] in b" \t\r;":
        after += 1
    return (before >= 0 and source[before] != _NEWLINE) or (after < len(source) and source[after] != _NEWLINE)


def _has_own_comments(node: Node) -> bool:
    """Return whether the comments above a statement belong to it.

    Comments above imports and re-exports are about the file, so they have separate symbols.
    """
    if node.type == "export_statement":
        return node.child_by_field_name("source") is None
    return node.type not in ("import_statement", "empty_statement")


def _add_standalone_comments(cx: Context, comments: list[Node]) -> None:
    """Make a symbol of each block of adjacent comments that belong to no statement."""
    group: list[Node] = []
    for comment in comments:
        if group and between(cx.source, group[-1].end_byte, comment.start_byte).count(b"\n") > 1:
            _comment_symbol(cx, group)
            group = []
        group.append(comment)
    if group:
        _comment_symbol(cx, group)


def _comment_symbol(cx: Context, group: list[Node]) -> None:
    start, end = group[0].start_byte, group[-1].end_byte
    text = decoded(cx.source, start, end)
    lines = [text.rstrip()] if text.startswith("#!") else [line.strip(_RULERS) for line in text.splitlines()]
    cx.leaf_symbol(SymbolState(comment_name(lines)[:MAX_NAME_LENGTH], "comment", -1, start, end, start, start, signature=""))


def _statement(cx: Context, node: Node) -> None:
    if node.type in _NAMED:
        lower_statement(cx, node)
        return
    if node.type == "expression_statement":
        inner = inner_nodes(node)
        if len(inner) == 1 and inner[0].type in DECLARATIONS:
            comments, cx.comments = cx.comments, []
            lower_declaration(cx, inner[0], Placement(node, comments))
            return
        if len(inner) == 1 and assigned_function(inner[0]):
            first, code, owners = len(cx.symbols), len(cx.code), len(cx.owners)
            comments, cx.comments = cx.comments, []
            lower_statement(cx, node)
            # The symbol begins at the start of the statement, so code before the function belongs to the symbol, too.
            cx.owners[owners:owners] = (code, first)
            place(cx, cx.symbols[first], Placement(node, comments))
            return
    if node.type == "hash_bang_line":
        _comment_symbol(cx, [node])
        return
    comments, cx.comments = cx.comments, []
    text = statement_name(cx, node)
    state = SymbolState(text, "expression", -1, node.start_byte, node.end_byte, node.start_byte, node.start_byte)
    place(cx, state, Placement(node, comments))
    state.signature = first_line(cx, node.start_byte, node.start_byte, min(node.end_byte, node.start_byte + 200)) or text
    cx.open_symbol(state)
    lower_statement(cx, node)
    cx.close_symbol()
