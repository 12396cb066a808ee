"""Finds what blocks of Kotlin call without an object: members of the receivers of lambdas, and functions outside of types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from ...schema.paths import parent_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import CALLABLE_KINDS
from ..documents.blocks.receiver_calls import OF_TYPE, TYPED, UNKNOWN, ReceiverCall, receiver_calls
from ..documents.names import CodeName
from ..facts.document_facts import BlockFact
from ..files.path_roles import is_test_path
from .block_programs import Use
from .member_types import MemberTypes, parameters_of
from .named_declarations import NamedDeclarations, example_in

_KOTLIN: Final = ".kt"
#: A type of functions with a receiver: `Shop.() -> Unit`, `suspend Shop<T>.(Cart) -> T`, `(Shop.() -> Unit)?`.
_WITH_RECEIVER: Final = re.compile(r"\s*(?:\(\s*)?(?:suspend\s+)?(?:@\w+\s+)?(?:\w+\.)*(?P<type>[A-Z]\w*)(?:<[^()]{0,100}>)?\.\(")
#: Another name of a type of functions.
_ALIASED: Final = re.compile(r"\s*(?:\w+\.)*(?P<type>[A-Z]\w*)(?:<[^()]{0,100}>)?\??\s*$")
_DECLARED: Final = re.compile(r"\bfun[ \t]+(?:<[^<>\n]{0,100}>[ \t]*)?(?P<name>[a-z_]\w*)[ \t]*\(")
_IMPORT: Final = re.compile(r"^[ \t]*import[ \t]+(?P<package>[\w.]+)\.(?P<name>\w+|\*)", re.MULTILINE)
#: Folder of the source set on which those of all platforms build.
_COMMON: Final = "/commonMain/"
_SOURCE_SET: Final = re.compile(r"/\w+Main/")
#: A function with type parameters, and the name of the first one.
_TYPED: Final = re.compile(r"\bfun[ \t]*<(?:reified[ \t]+)?(?P<name>\w+)")
_MAX_SIGNATURE: Final = 2_000
#: The word before a parameter that takes any number of arguments.
_VARIABLE: Final = "vararg "
#: The function that a call of a value runs.
_INVOKE: Final = "invoke"
_MAX_ALIASES: Final = 3


class LambdaReceivers:
    """Finds the symbols that the calls in blocks of Kotlin use."""

    def __init__(self, names: NamedDeclarations, types: MemberTypes, symbols_at: Callable[[str], Sequence[Symbol]]) -> None:
        self._names = names
        self._types = types
        self._symbols_at = symbols_at
        #: The types of receivers of functions, by the id of the function.
        self._receivers: dict[str, Symbol | None] = {}
        #: For the current document: the functions that its blocks declare, and its imports, each a package and a name or `*`.
        self._declared: set[str] = set()
        self._imports: set[tuple[str, str]] = set()
        #: For the current document: the receivers in lambdas and types, by what is around code, and functions by their names.
        self._around: dict[tuple[str, ...], list[Symbol | None]] = {}
        self._named: dict[str, list[Symbol]] = {}

    def uses(self, blocks: Sequence[BlockFact]) -> Iterator[Use]:
        """Yield the uses of symbols of the repository in the blocks of Kotlin of a document."""
        own = [block for block in blocks if block.extension == _KOTLIN]
        self._declared = {found["name"] for block in own for found in _DECLARED.finditer(block.text)}
        self._imports = {(found["package"], found["name"]) for block in own for found in _IMPORT.finditer(block.text)}
        self._around = {(): []}
        self._named.clear()
        known: dict[tuple[object, ...], Symbol | None] = {}
        for block in own:
            for call in receiver_calls(block.text, block.line):
                key = (call.around, call.name, call.has_types, call.has_arguments, call.has_lambda)
                if key not in known:
                    known[key] = self._function(call, self._receivers_in(call.around))
                symbol = known[key]
                if symbol is not None:
                    yield Use(block.symbol, call.line, call.column, call.name, symbol, is_call=True)

    def _receivers_in(self, around: tuple[str, ...]) -> list[Symbol | None]:
        """Return the receivers that code has in lambdas and types, the innermost last; None for an unknown one."""
        if around not in self._around:
            outer = self._receivers_in(around[:-1])
            self._around[around] = [*outer, *self._given(around[-1], outer)]
        return self._around[around]

    def _given(self, name: str, outer: Sequence[Symbol | None]) -> list[Symbol | None]:
        """Return the receiver that a function gives its lambda, or a type its members. A lambda may have no receiver."""
        if name == UNKNOWN:
            return [None]
        if name.startswith(OF_TYPE):
            return [self._type(name.removeprefix(OF_TYPE))]
        called = ReceiverCall(name.removesuffix(TYPED), 0, 0, (), name.endswith(TYPED), True, True)
        function = self._maker(called.name) or self._function(called, outer)
        if function is None:
            return []
        receiver = self._receiver(function)
        return [receiver] if receiver is not None or self._hides(function) else []

    def _function(self, call: ReceiverCall, receivers: Sequence[Symbol | None]) -> Symbol | None:
        """Return what a call means where code has receivers, the innermost last; None if it is not certain.

        A fragment may be the code of a type that it does not show, so without a receiver, a function that adds a member to a type
        makes the call uncertain.
        """
        name = call.name
        for receiver in reversed(receivers):
            if receiver is None:
                return None
            member = self._types.inherited(receiver, name)
            if member is not None and member.kind in CALLABLE_KINDS and self._fits(member, call):
                return member
            added = self._added(receiver, call)
            if added:
                return added[0] if len(added) == 1 else None
        if name in self._declared:
            return None
        fitting = [each for each in self._functions(name) if self._fits(each, call)]
        if receivers:
            fitting = [each for each in fitting if each.qualified_name == name]
        found = self._chosen(fitting)
        return found[0] if len(found) == 1 and found[0].qualified_name == name else None

    def _maker(self, name: str) -> Symbol | None:
        """Return what makes a value of a type by a lambda: the function `invoke` of its companion, or the type itself."""
        if not name.rpartition(".")[2][:1].isupper():
            return None
        owner = self._type(name)
        if owner is None:
            return None
        beside = self._symbols_at(owner.relative_path)
        invoked = [each for each in beside if each.qualified_name == f"{owner.qualified_name}.{_INVOKE}"]
        return invoked[0] if invoked else owner

    def _fits(self, function: Symbol, call: ReceiverCall) -> bool:
        """Return whether a function, or one of its overloads, may take the arguments of a call."""
        for overload in self._overloads(function):
            signature = overload.signature[:_MAX_SIGNATURE]
            parameters = parameters_of(signature)
            written = [each for each in parameters if each.strip()]
            typed = _TYPED.search(signature)
            if call.has_types != (typed is not None) and (call.has_types or _needs_types(typed, signature)):
                continue
            if call.has_lambda and not (written and self._is_lambda(written[-1], overload)):
                continue
            if call.has_arguments and not written:
                continue
            required = len(written) - signature.count(" = ") - sum(_VARIABLE in each for each in written)
            if not call.has_arguments and required > call.has_lambda:
                continue
            return True
        return False

    def _is_lambda(self, parameter: str, near: Symbol) -> bool:
        """Return whether a parameter is a function."""
        written = parameter.partition(":")[2]
        if "->" in written:
            return True
        alias = self._alias(written, near)
        return alias is not None and "->" in alias.signature[:_MAX_SIGNATURE]

    def _alias(self, written: str, near: Symbol) -> Symbol | None:
        """Return the declaration of a type that is another name of a type; None for other types."""
        named = _ALIASED.match(written)
        found = self._types.type_named(named["type"], near) if named is not None else None
        return found if found is not None and found.kind == "type" else None

    def _functions(self, name: str) -> list[Symbol]:
        """Return the exported functions outside of types with a name, and those that add a member to a type."""
        if name not in self._named:
            every = self._names.candidates(CodeName((name,), False)) or ()
            self._named[name] = [each for each in every if _is_function(each)]
        return self._named[name]

    def _added(self, receiver: Symbol, call: ReceiverCall) -> list[Symbol]:
        """Return the functions that add a member to a type from outside."""
        functions = [each for each in self._functions(call.name) if self._fits(each, call)]
        for each in self._types.lineage(receiver) if functions else ():
            ending = f".{each.name}.{call.name}"
            found = self._chosen([one for one in functions if f".{one.qualified_name}".endswith(ending)])
            if found:
                return found
        return []

    def _chosen(self, found: list[Symbol]) -> list[Symbol]:
        """Return those of several functions that a document imports, or else those that it may mean."""
        if len(found) > 1:
            wanted = [f"/{package.replace('.', '/')}" for package, name in self._imports if name in (found[0].name, "*")]
            imported = [each for each in found if f"/{parent_of(each.relative_path)}".endswith(tuple(wanted))] if wanted else []
            found = imported or found
        common = [each for each in found if _COMMON in each.relative_path]
        if common and len({_SOURCE_SET.sub("/", each.relative_path) for each in found}) == len(common):
            found = common
        return found[:1] if len({(each.relative_path, each.qualified_name) for each in found}) == 1 else found

    def _type(self, name: str) -> Symbol | None:
        parts = tuple(name.split("."))
        found = self._names.candidates(CodeName(parts, len(parts) > 1)) or ()
        found = [each for each in found if each.kind in ("class", "interface", "object") and each.relative_path.endswith(_KOTLIN)]
        return found[0] if len(found) == 1 else None

    # ------------------------------------------------------------------ receivers of lambdas

    def _hides(self, function: Symbol) -> bool:
        """Return whether the lambda of a function has a receiver of a type that the repository does not declare."""
        return any(self._receiver_name(each) is not None for each in self._overloads(function))

    def _receiver(self, function: Symbol) -> Symbol | None:
        """Return the type of the receiver of the lambda that is the last argument of a function."""
        if function.id not in self._receivers:
            found: dict[str, Symbol] = {}
            for overload in self._overloads(function):
                named = self._receiver_name(overload)
                meant = self._types.type_named(*named) if named is not None else None
                if meant is not None:
                    found[meant.id] = meant
            self._receivers[function.id] = next(iter(found.values())) if len(found) == 1 else None
        return self._receivers[function.id]

    def _overloads(self, function: Symbol) -> list[Symbol]:
        beside = self._symbols_at(function.relative_path)
        same = [each for each in beside if each.qualified_name == function.qualified_name]
        return [each for each in same if each.kind in CALLABLE_KINDS or each.id == function.id]

    def _receiver_name(self, function: Symbol) -> tuple[str, Symbol] | None:
        """Return the name of the type of the receiver, and the declaration that has the name; None for no receiver."""
        parameters = parameters_of(function.signature[:_MAX_SIGNATURE])
        written, near = parameters[-1].partition(":")[2] if parameters else "", function
        for _ in range(_MAX_ALIASES):
            if (found := _WITH_RECEIVER.match(written)) is not None:
                return found["type"], near
            alias = self._alias(written, near)
            if alias is None:
                return None
            written, near = alias.signature[:_MAX_SIGNATURE].partition("=")[2], alias
        return None


def _needs_types(typed: re.Match[str] | None, signature: str) -> bool:
    """Return whether a call must state the type arguments of a function, because neither parameters nor the result tell them."""
    return typed is not None and re.search(rf"\b{typed['name']}\b", signature[typed.end() :]) is None


def _is_function(symbol: Symbol) -> bool:
    """Return whether a symbol is a function of Kotlin outside of types for the users of the repository."""
    path = symbol.relative_path
    is_outside = symbol.kind in CALLABLE_KINDS and not symbol.depth and symbol.exported and path.endswith(_KOTLIN)
    return is_outside and not is_test_path(path) and not example_in(path)
