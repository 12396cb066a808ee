"""The state while one TypeScript or JavaScript file is lowered: names, current conditions, and the position."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import TYPE_CHECKING

from tree_sitter import Node

from ....facts.constructs import EnumValue, TypePart
from ....facts.model import Binding, Decl, DeclKind, Meaning
from ....facts.operations import Op, ThisKind, Use
from ....symbols.byte_ranges import between
from ....symbols.lowering_state import LoweringState
from ....symbols.states import FunctionFrame, SymbolState
from .conditions import CONDITIONS, condition_keys

if TYPE_CHECKING:
    from ..parsing.blanked_arguments import BlankedArguments
    from .dispatch import GrammarTables
    from .documented_types import DocumentedTypes

_NAME, _TYPE_NAME, _MEMBER, _THIS, _VALUE, _READ = Op.NAME, Op.T_NAME, Op.MEMBER, Op.THIS, Meaning.VALUE, Use.READ
#: Operations that conditions ignore: a condition narrows the reference inside.
_WRAPPERS = (Op.NARROW, Op.NON_NULL, Op.AS)
_LITERAL_KEYS = (Op.STRING, Op.NUMBER)

#: Languages whose functions may be components.
COMPONENT_LANGUAGES = frozenset(("tsx", "jsx", "javascript"))

#: Maximum number of guards for one reference. Further outer conditions are ignored.
MAX_GUARDS = 32
#: Maximum depth of nested classes or patterns. Calls between compiled functions do not count towards Python's limit of recursion.
MAX_NESTED = 5_000


#: Kinds of nodes that are names.
_IDENTIFIERS = frozenset(
    (
        "identifier",
        "type_identifier",
        "property_identifier",
        "private_property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
    )
)
_ESCAPE = re.compile(rb"(?<!\\)\\u(?:\{0{0,9}([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4}))")


def spelled(name: bytes) -> bytes:
    """Return a name with its Unicode escapes replaced: `\\u0061bc` is `abc`."""
    return _ESCAPE.sub(_character, name)


def _character(match: re.Match[bytes]) -> bytes:
    code = int(match[1] or match[2], 16)
    return chr(code).encode("utf-8", "replace") if code < 0x110000 else match[0]


class Context(LoweringState):
    """The state of the lowering of one TypeScript or JavaScript file, besides the tables that all languages have."""

    __slots__ = (
        "_guards",
        "blanked_arguments",
        "bodies",
        "bound_functions",
        "comments",
        "conditions",
        "documented",
        "enum_values",
        "exporting",
        "frame",
        "guarded",
        "guarded_ends",
        "hoisted_functions",
        "immediate",
        "imports_beside",
        "inferring",
        "is_module",
        "level",
        "listed_variables",
        "local_statements",
        "members_have_symbols",
        "nesting",
        "strict",
        "tables",
        "this_function",
        "this_index",
        "this_kind",
        "type_parts",
        "waiting",
    )

    def __init__(self, source: bytes, data: bytes, language: str, is_repaired: bool, tables: GrammarTables) -> None:
        super().__init__(source, data, language, is_repaired, joins_overloads=True)
        #: Handlers by node kind, for the grammar that is being read.
        self.tables = tables
        #: True if a function in a block is visible only in the block, as in modules. In other code, it is also visible in the
        #: enclosing function.
        self.strict = True
        #: Operators around chains of members and calls that begin with a `!`, by start and end of the chain. A value has the
        #: operators, outermost first, the node before each operator, and the mark of the guards for the chain.
        self.waiting: dict[tuple[int, int], tuple[list[Node], list[int], int]] = {}
        #: The type arguments of tagged templates and optional calls in the source that was read last; None until they are needed.
        self.blanked_arguments: BlankedArguments | None = None
        #: Functions in blocks of code that is not strict: name -> scope of the enclosing function -> binding.
        self.hoisted_functions: dict[str, dict[int, int]] = {}
        #: Bindings of imports whose names the file also declares with another meaning, by the binding of that declaration.
        self.imports_beside: dict[int, int] = {}
        #: The structure of type aliases.
        self.type_parts: list[TypePart] = []
        #: The values of enum members.
        self.enum_values: list[EnumValue] = []
        self.local_statements: list[tuple[int, int, int, int, bool]] = []
        #: Start, end and range of declarations for each variable of a statement with several variables.
        self.listed_variables: list[tuple[int, int, int, int]] = []
        self.is_module = False
        #: Depth of nesting below the root or the body of a namespace: variables at level 0 are symbols.
        self.level = 0
        #: Depth of nesting of the classes and patterns that are being read.
        self.nesting = 0
        #: Start offsets of namespace bodies on the line after the name, which the grammar reads as separate blocks.
        self.bodies: set[int] = set()
        #: Functions inside parentheses and casts that a declaration names, by start offset: symbol, kind and index of
        #: `this`.
        self.bound_functions: dict[int, tuple[int, int, int]] = {}
        #: Comments before the statement that is read next.
        self.comments: list[Node] = []
        #: Scope and names of the declaration that is being exported.
        self.exporting: tuple[int, list[str]] | None = None
        #: Start offsets of functions that are called at once, and of expressions that the root of the file awaits.
        self.immediate: set[int] = set()
        self.this_kind: int = ThisKind.MODULE
        self.this_index = -1
        #: Index of the nearest function with its own `this`.
        self.this_function = -1
        self.frame = FunctionFrame()
        #: Scope in which `infer` declares names: the scope of the conditional type whose `extends` is being read.
        self.inferring: int | None = None
        #: True in the type of an alias or of a member of an interface, where members of object types have symbols.
        self.members_have_symbols = False
        #: Types in doc comments; None in TypeScript, and in files without such comments.
        self.documented: DocumentedTypes | None = None
        self._guards: list[tuple[Set[str], int, int]] = []
        #: Keys of the references that the condition in a constant narrows, by scope and name of the constant.
        self.conditions: dict[tuple[int, str], Set[str]] = {}
        #: Number of current conditions that narrow a reference, by the key of the reference.
        self.guarded: dict[str, int] = {}
        #: Last names of all references that any condition has narrowed. A member with another name needs no further check.
        self.guarded_ends: set[str] = set()

    def nest(self) -> None:
        """Enter a class or pattern; the caller decrements `nesting` when it leaves.

        Raises `RecursionError` if more than `MAX_NESTED` are open.
        """
        self.nesting += 1
        if self.nesting > MAX_NESTED:
            raise RecursionError

    # ------------------------------------------------------------------ names

    def string(self, text: bytes) -> int:
        """Return the index of a string in the file's table. Escapes in a name are replaced."""
        return super().string(spelled(text) if b"\\u" in text else text)

    def text(self, node: Node) -> str:
        """Return the source of a node. The escapes in a name are replaced."""
        found = super().text(node)
        if "\\u" in found and node.type in _IDENTIFIERS:
            return spelled(found.encode()).decode()
        return found

    def identifier(self, node: Node) -> int:
        """Return the NAME node of an identifier.

        Identifiers are the most frequent nodes, so for speed this repeats `name` with inlined calls.
        """
        start = node.start_byte
        text = between(self.data, start, node.end_byte)
        index = self._string_ids.get(text)
        if index is None:
            index = self.string(text)
        code = self.code
        made = len(code)
        code += (_NAME, -1, index, _READ, start)
        self.pending.append((made, self.scope, _VALUE))
        if self.guarded:
            key = self.strings[index]
            if key in self.guarded:
                return self.narrowed(made, key)
        return made

    def name(self, text: bytes, position: int, use: int = Use.READ) -> int:
        """Return a NAME node for an identifier in expression position, narrowed by the current conditions."""
        index = self._string_ids.get(text)
        if index is None:
            index = self.string(text)
        code = self.code
        node = len(code)
        code += (_NAME, -1, index, use, position)
        self.pending.append((node, self.scope, _VALUE))
        if self.guarded:
            key = self.strings[index]
            if key in self.guarded:
                return self.narrowed(node, key)
        return node

    def type_name(self, text: bytes, position: int, meaning: int, use: int = Use.TYPE) -> int:
        """Return a T_NAME node for an identifier in type position."""
        index = self._string_ids.get(text)
        if index is None:
            index = self.string(text)
        code = self.code
        node = len(code)
        code += (_TYPE_NAME, -1, index, use, position)
        self.pending.append((node, self.scope, meaning))
        return node

    def export_name(self, text: bytes, position: int) -> int:
        """Return the NAME node of `export { name }`, which may refer to a value, a type or a namespace."""
        node = self.emit(Op.NAME, -1, self.string(text), Use.EXPORT, position)
        self.pending.append((node, self.scope, Meaning.VALUE | Meaning.TYPE | Meaning.NAMESPACE))
        return node

    def use_as(self, node: int, use: int) -> None:
        """Set how the NAME inside a node is used."""
        while self.code[node] in (Op.NARROW, Op.NON_NULL):
            node = self.code[node + 1]
        if self.code[node] == Op.NAME:
            self.code[node + 3] = use

    def emit_function(self, function: int, position: int) -> int:
        """Return a FUNCTION node."""
        return self.emit(Op.FUNCTION, function, -1, -1, position)

    def emit_class(self, shape: int, position: int) -> int:
        """Return a CLASS node."""
        return self.emit(Op.CLASS, shape, -1, -1, position)

    def at_root(self) -> bool:
        """Return whether a variable at the current position is a symbol: in a statement of the file or of a namespace."""
        return self.level == 0

    def declare(self, name: str, meaning: int, decl: Decl, scope: int | None = None) -> int:
        """Declare a name in a scope, by default the current one, and merge it with earlier declarations.

        Return the index of the declaration.
        """
        decls, bindings = self.decls, self.bindings
        index = len(decls)
        decls.append(decl)
        where = self.scope if scope is None else scope
        if self.exporting is not None and where == self.exporting[0]:
            self.exporting[1].append(name)
        names = self.scopes[where].names
        binding = names.get(name)
        if binding is None:
            names[name] = len(bindings)
            bindings.append(Binding(name, meaning, [index], where, []))
        elif (decl.kind == DeclKind.IMPORT) != (decls[bindings[binding].decls[0]].kind == DeclKind.IMPORT):
            self._declare_beside_import(names, binding, Binding(name, meaning, [index], where, []))
        else:
            merged = bindings[binding]
            merged.meaning |= meaning
            merged.decls.append(index)
        return index

    def _declare_beside_import(self, names: dict[str, int], known: int, added: Binding) -> None:
        """Keep an import and another declaration of its name apart: the import has the meanings that the declaration lacks.

        An example is `import { Level } from "./b"; type Level = 1`, where `Level` in `./b` is a function.
        """
        bindings = self.bindings
        bindings.append(added)
        new = len(bindings) - 1
        is_import = self.decls[added.decls[0]].kind == DeclKind.IMPORT
        declared, imported = (known, new) if is_import else (new, known)
        names[added.name] = declared
        self.imports_beside[declared] = imported
        bindings[imported].meaning &= ~bindings[declared].meaning

    def hoist_function(self, name: str) -> None:
        """Make a function in a block of non-strict code visible in the enclosing function, unless that declares the name."""
        state = self.scopes[self.scope]
        if state.hoist != self.scope:
            self.hoisted_functions.setdefault(name, {}).setdefault(state.hoist, state.names[name])

    def resolve_names(self) -> None:
        """Bind every pending name to the nearest declaration with one of the requested meanings."""
        code, strings = self.code, self.strings
        # The nearest enclosing scope with declarations, because hundreds of nested scopes in a type may have none.
        parents: list[int] = []
        for scope_state in self.scopes:
            parent = scope_state.parent
            is_bare = 0 <= parent < len(parents) and not self.scopes[parent].names
            parents.append(parents[parent] if is_bare else parent)
        meanings = [binding.meaning for binding in self.bindings]
        # By name, then by scope: most names have no declaration in the file, or a single one at its root.
        declared: dict[str, dict[int, int]] = {}
        beside = self.imports_beside
        imported = frozenset(beside.values())
        for binding, fact in enumerate(self.bindings):
            if binding not in imported:
                declared.setdefault(fact.name, {})[fact.scope] = binding
        by_string = [declared.get(text) for text in strings]
        at_root = [places[0] if places is not None and len(places) == 1 and 0 in places else -1 for places in by_string]
        for node, scope, meaning in self.pending:
            string = code[node + 2]
            places = by_string[string]
            if places is None:
                continue
            found = at_root[string]
            if found >= 0:
                if meanings[found] & meaning:
                    code[node + 1] = found
                elif found in beside and meanings[beside[found]] & meaning:
                    code[node + 1] = beside[found]
                continue
            while scope >= 0:
                if scope in places:
                    found = places[scope]
                    if found in beside and not meanings[found] & meaning:
                        found = beside[found]
                    if meanings[found] & meaning:
                        code[node + 1] = found
                        break
                scope = parents[scope]
        if self.hoisted_functions:
            self._resolve_hoisted_functions()

    def _resolve_hoisted_functions(self) -> None:
        """Bind names without a declaration in an enclosing scope to functions in blocks of the enclosing functions."""
        for node, scope, meaning in self.pending:
            places = self.hoisted_functions.get(self.strings[self.code[node + 2]])
            if places is None or self.code[node + 1] >= 0 or not meaning & _VALUE:
                continue
            while scope >= 0 and scope not in places:
                scope = self.scopes[scope].parent
            if scope >= 0:
                self.code[node + 1] = places[scope]

    def kind_of(self, state: SymbolState) -> str:
        """Return the kind of a symbol.

        The kind is `component` for a function with a capitalized name and JSX in its source, in a language with JSX.
        """
        if state.kind != "function" or not state.name[:1].isupper() or self.language not in COMPONENT_LANGUAGES:
            return state.kind
        body = between(self.source, max(state.body, state.start), state.end)
        return "component" if b"/>" in body or b"</" in body else state.kind

    # ------------------------------------------------------------------ narrowing

    def guard_mark(self) -> int:
        """Return the current number of guards, for `release_guards`."""
        return len(self._guards)

    def guard(self, condition: int, sense: bool) -> None:
        """Add a guard: a condition that is true in the following code, or false if `sense` is false."""
        keys = condition_keys(self, condition)
        if keys:
            self._push_guard(keys, condition, int(sense))

    def guard_asserted(self, call: int) -> None:
        """Add the guards of an assertion call: its assertions and the conditions among its arguments, which are true after it."""
        keys = condition_keys(self, call).union(
            *(condition_keys(self, argument) for argument in self.items(self.code[call + 2]) if self.code[argument] in CONDITIONS)
        )
        if keys:
            self._push_guard(keys, call, 1)

    def note_condition(self, name: str, value: int) -> None:
        """Record a constant of this scope whose value is a condition, because a test of the constant tests the condition."""
        if self.code[value] in CONDITIONS:
            keys = condition_keys(self, value)
            if keys:
                self.conditions[self.scope, name] = keys

    def release_guards(self, mark: int) -> None:
        """Remove the guards that were added after the mark."""
        guards, guarded = self._guards, self.guarded
        while len(guards) > mark:
            for key in guards.pop()[0]:
                if guarded[key] == 1:
                    del guarded[key]
                else:
                    guarded[key] -= 1

    def forget_narrowing(self, target: int) -> None:
        """End the narrowing of the target of an assignment."""
        key = self.reference_key(target)
        if key in self.guarded:
            self._push_guard({key}, -1, 0)

    def _push_guard(self, keys: Set[str], condition: int, sense: int) -> None:
        self._guards.append((keys, condition, sense))
        guarded = self.guarded
        for key in keys:
            guarded[key] = guarded.get(key, 0) + 1
            self.guarded_ends.add(key.rpartition(".")[2])

    def narrowed(self, node: int, key: str | None = None) -> int:
        """Return the node, wrapped in a NARROW if current conditions narrow the same reference."""
        if not self.guarded:
            return node
        key = key or self.reference_key(node)
        if key not in self.guarded:
            return node
        pairs: list[int] = []
        for keys, condition, sense in reversed(self._guards):
            if key in keys:
                if condition < 0 or len(pairs) >= 2 * MAX_GUARDS:
                    break
                pairs += (condition, sense)
        return self.emit(Op.NARROW, node, self.list_of(pairs), -1, self.code[node + 4]) if pairs else node

    def reference_key(self, node: int) -> str | None:
        """Return the key of a reference that conditions can narrow, such as `x`, `this`, `x.y.z` or `x[0].y`, else None."""
        code, strings = self.code, self.strings
        key = ""
        while node >= 0:
            op = code[node]
            if op == _NAME:
                return strings[code[node + 2]] + key
            if op == _THIS:
                return "this" + key
            if op == _MEMBER:
                key = f".{strings[code[node + 2]]}{key}"
            elif op == Op.INDEX and (index := code[node + 2]) >= 0 and code[index] in _LITERAL_KEYS:
                key = f"[{strings[code[index + 2]]}]{key}"
            elif op not in _WRAPPERS:
                return None
            node = code[node + 1]
        return None
