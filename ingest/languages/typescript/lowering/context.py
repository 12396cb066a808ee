"""The state of one lowering of TypeScript or JavaScript: names, conditions in force, and where in the source it stands."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

from tree_sitter import Node

from ....facts.constructs import EnumValue, TypePart
from ....facts.model import Binding, Decl, Meaning, Op, Scope, ThisKind, Use
from ....symbols.byte_ranges import between
from ....symbols.lowering_state import LoweringState
from ....symbols.states import FunctionFrame, SymbolState
from .conditions import CONDITIONS, condition_keys

if TYPE_CHECKING:
    from .dispatch import GrammarTables
    from .jsdoc.annotations import Documentation

_NAME, _TYPE_NAME, _MEMBER, _THIS, _VALUE, _READ = Op.NAME, Op.T_NAME, Op.MEMBER, Op.THIS, Meaning.VALUE, Use.READ
#: What a reference may be wrapped in and stay the same reference for narrowing.
_WRAPPERS = (Op.NARROW, Op.NON_NULL, Op.AS)

#: Languages whose functions may be components.
COMPONENT_LANGUAGES = frozenset(("tsx", "jsx", "javascript"))

#: Guards kept for one reference; conditions further out are forgotten.
MAX_GUARDS = 8
#: Classes or patterns within each other. Compiled, these call each other in ways that Python's own limit does not count.
MAX_NESTED = 5_000


class Context(LoweringState):
    """What lowering TypeScript keeps besides the tables of all languages. One per file, used once."""

    __slots__ = (
        "_guards",
        "bodies",
        "comments",
        "conditions",
        "documented",
        "enum_values",
        "exporting",
        "frame",
        "guarded",
        "guarded_ends",
        "held",
        "inferring",
        "is_module",
        "left_behind",
        "level",
        "listed_variables",
        "local_statements",
        "nesting",
        "strict",
        "tables",
        "this_function",
        "this_index",
        "this_kind",
        "type_parts",
        "waiting",
    )

    def __init__(self, source: bytes, data: bytes, language: str, mended: bool, tables: GrammarTables) -> None:
        super().__init__(source, data, language, mended, joins_overloads=True)
        #: Those of the grammar of what is being read.
        self.tables = tables
        #: True where a function in a block is the block's alone, as in modules; else the function around the block knows it too.
        self.strict = True
        #: Operators around chains of members and calls that begin with a `!`, by where those begin and end: the operators,
        #: outermost first, what stands before each of them, and the mark of the guards that hold for the chain.
        self.waiting: dict[tuple[int, int], tuple[list[Node], list[int], int]] = {}
        #: Functions of blocks in code that is not strict: name -> scope of the function around the block -> binding.
        self.left_behind: dict[str, dict[int, int]] = {}
        #: What aliases are made of, and what enums stand for.
        self.type_parts: list[TypePart] = []
        self.enum_values: list[EnumValue] = []
        self.local_statements: list[tuple[int, int, int, int, bool]] = []
        #: Start and end of each variable of a statement that declares several, and the range of declarations in it.
        self.listed_variables: list[tuple[int, int, int, int]] = []
        self.is_module = False
        #: Nesting below the root or the body of a namespace: variables at level 0 are symbols.
        self.level = 0
        #: Classes and patterns that are being read.
        self.nesting = 0
        #: Where the bodies of namespaces begin that stand below their names, and that the grammar takes for blocks of their own.
        self.bodies: set[int] = set()
        #: Functions inside parentheses and casts that a declaration names, by where they start: symbol, kind and index of `this`.
        self.held: dict[int, tuple[int, int, int]] = {}
        #: Comments that stand before the statement about to be read.
        self.comments: list[Node] = []
        #: Scope and names of the declaration that is being exported.
        self.exporting: tuple[int, list[str]] | None = None
        self.this_kind: int = ThisKind.MODULE
        self.this_index = -1
        #: The nearest function with a `this` of its own.
        self.this_function = -1
        self.frame = FunctionFrame()
        #: Scope that `infer` declares names in: that of the conditional type whose `extends` is being read.
        self.inferring: int | None = None
        #: Types in doc comments; None in TypeScript, and where a file has none.
        self.documented: Documentation | None = None
        self._guards: list[tuple[Set[str], int, int]] = []
        #: What conditions speak of that constants hold, by scope and name.
        self.conditions: dict[tuple[int, str], Set[str]] = {}
        #: References that the conditions in force speak of, with how many of these do.
        self.guarded: dict[str, int] = {}
        #: Last names of all references that a condition has spoken of: a member of another name needs no closer look.
        self.guarded_ends: set[str] = set()

    def nest(self) -> None:
        """Enter a class or pattern; `nesting` counts down when it is left. Raises RecursionError when there are too many."""
        self.nesting += 1
        if self.nesting > MAX_NESTED:
            raise RecursionError

    # ------------------------------------------------------------------ names

    def identifier(self, node: Node) -> int:
        """The NAME node of an identifier: `name` for what the reader meets most often, without the calls in between."""
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
        """A NAME node for an identifier in expression position, narrowed by the conditions around it."""
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
        """A T_NAME node for an identifier in type position."""
        index = self._string_ids.get(text)
        if index is None:
            index = self.string(text)
        code = self.code
        node = len(code)
        code += (_TYPE_NAME, -1, index, use, position)
        self.pending.append((node, self.scope, meaning))
        return node

    def export_name(self, text: bytes, position: int) -> int:
        """The NAME node of `export { name }`, which may mean a value, a type or a namespace."""
        node = self.emit(Op.NAME, -1, self.string(text), Use.EXPORT, position)
        self.pending.append((node, self.scope, Meaning.VALUE | Meaning.TYPE | Meaning.NAMESPACE))
        return node

    def use_as(self, node: int, use: int) -> None:
        """Note on a NAME how it is used."""
        while self.code[node] in (Op.NARROW, Op.NON_NULL):
            node = self.code[node + 1]
        if self.code[node] == Op.NAME:
            self.code[node + 3] = use

    def emit_function(self, function: int, position: int) -> int:
        """A FUNCTION node."""
        return self.emit(Op.FUNCTION, function, -1, -1, position)

    def emit_class(self, shape: int, position: int) -> int:
        """A CLASS node."""
        return self.emit(Op.CLASS, shape, -1, -1, position)

    def at_root(self) -> bool:
        """True where a variable is a symbol: in a statement of the file or of a namespace."""
        return self.level == 0

    def declare(self, name: str, meaning: int, decl: Decl, scope: int | None = None) -> int:
        """Declare a name in a scope (the current one); merges with earlier declarations. Returns the decl's index."""
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
        else:
            merged = bindings[binding]
            merged.meaning |= meaning
            merged.decls.append(index)
        return index

    def leave_to_function(self, name: str) -> None:
        """A function in a block of code that is not strict is known behind the block too, where nothing else has its name."""
        state = self.scopes[self.scope]
        if state.hoist != self.scope:
            self.left_behind.setdefault(name, {}).setdefault(state.hoist, state.names[name])

    def resolve_names(self) -> None:
        """Bind every pending name to the nearest declaration that has the meaning asked for."""
        code, strings = self.code, self.strings
        # The nearest scope around each one that declares anything: deep in a type, hundreds declare nothing.
        parents: list[int] = []
        for scope_state in self.scopes:
            parent = scope_state.parent
            is_bare = 0 <= parent < len(parents) and not self.scopes[parent].names
            parents.append(parents[parent] if is_bare else parent)
        meanings = [binding.meaning for binding in self.bindings]
        # By name and then by scope: most names stand for nothing in the file, or for one thing at its root.
        declared: dict[str, dict[int, int]] = {}
        for binding, fact in enumerate(self.bindings):
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
                continue
            while scope >= 0:
                if scope in places:
                    found = places[scope]
                    if meanings[found] & meaning:
                        code[node + 1] = found
                        break
                scope = parents[scope]
        if self.left_behind:
            self._resolve_left_behind()

    def _resolve_left_behind(self) -> None:
        """The names that no block around them declares, but a block of the functions around them as a function."""
        for node, scope, meaning in self.pending:
            places = self.left_behind.get(self.strings[self.code[node + 2]])
            if places is None or self.code[node + 1] >= 0 or not meaning & _VALUE:
                continue
            while scope >= 0 and scope not in places:
                scope = self.scopes[scope].parent
            if scope >= 0:
                self.code[node + 1] = places[scope]

    def scope_facts(self) -> dict[int, Scope]:
        """The scopes that resolution looks into: the module's and those of namespaces and ambient modules."""
        wanted = {0, *(decl.a for decl in self.decls if decl.kind == 8)}
        return {
            index: Scope(state.names, state.exported, state.ambient, state.exports)
            for index, state in enumerate(self.scopes)
            if index in wanted or state.ambient
        }

    def kind_of(self, state: SymbolState) -> str:
        """`component` for a function with a component's name whose file may hold JSX and whose source does."""
        if state.kind != "function" or not state.name[:1].isupper() or self.language not in COMPONENT_LANGUAGES:
            return state.kind
        body = between(self.source, max(state.body, state.start), state.end)
        return "component" if b"/>" in body or b"</" in body else state.kind

    # ------------------------------------------------------------------ narrowing

    def guard_mark(self) -> int:
        """The guards in force, for `release_guards`."""
        return len(self._guards)

    def guard(self, condition: int, sense: bool) -> None:
        """From here on the condition holds (or, with a false sense, fails)."""
        keys = condition_keys(self, condition)
        if keys:
            self._push_guard(keys, condition, int(sense))

    def guard_asserted(self, call: int) -> None:
        """From here on holds what an assertion says, and the condition that it is given."""
        keys = condition_keys(self, call).union(
            *(condition_keys(self, argument) for argument in self.items(self.code[call + 2]) if self.code[argument] in CONDITIONS)
        )
        if keys:
            self._push_guard(keys, call, 1)

    def note_condition(self, name: str, value: int) -> None:
        """A constant of this scope holds a value, which may be a condition: whoever asks the constant asks that."""
        if self.code[value] in CONDITIONS:
            keys = condition_keys(self, value)
            if keys:
                self.conditions[self.scope, name] = keys

    def release_guards(self, mark: int) -> None:
        """Forget the guards added since the mark."""
        guards, guarded = self._guards, self.guarded
        while len(guards) > mark:
            for key in guards.pop()[0]:
                if guarded[key] == 1:
                    del guarded[key]
                else:
                    guarded[key] -= 1

    def forget_narrowing(self, target: int) -> None:
        """An assignment ends what conditions said about its target."""
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
        """The node, wrapped in a NARROW when conditions in force speak of the same reference."""
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
        """`x`, `this`, `x.y.z` for a reference that conditions can narrow, else None."""
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
            elif op not in _WRAPPERS:
                return None
            node = code[node + 1]
        return None
