"""Find calls whose arguments no longer fit the parameters of the called function.

Only the number and the names of arguments count, not their types.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from ...schema.graph_content import GraphContent
from ...schema.languages import language_of
from ..facts.model import Decl, DeclKind, FileFacts, Function
from ..facts.operations import Op
from ..incremental.broken_imports import Breakage
from ..incremental.tree_state import TreeState
from ..languages.change_rules import Receiver
from ..languages.registry import change_rules
from ..languages.typescript.resolve.model.unit import Unit
from ..nominal.program import last_name
from .changed_symbols import SymbolSide

#: Expressions that end with a name.
_NAMED: Final = (Op.NAME, Op.MEMBER, Op.FLOW)
_METHODS: Final = frozenset(("method", "constructor"))


class Given(NamedTuple):
    """The arguments of a call: the number of arguments without a name, and the names of the others."""

    number: int
    names: frozenset[str]


class _Accepted(NamedTuple):
    """The arguments that a function takes. Each parameter is a name with a flag: whether it is required."""

    positional: tuple[tuple[str, bool], ...]
    #: Number of positional parameters, from the first, that no argument can name.
    unnamed: int
    named_only: tuple[tuple[str, bool], ...]
    takes_more: bool
    takes_any_name: bool

    @classmethod
    def of(cls, function: Function) -> _Accepted:
        positional: list[tuple[str, bool]] = []
        named_only: list[tuple[str, bool]] = []
        unnamed, takes_more, takes_any_name, is_named_only = 0, False, False, False
        for parameter in function.parameters:
            name = parameter.name
            if name == "/":
                unnamed = len(positional)
            elif name == "*":
                is_named_only = True
            elif name.startswith("**"):
                takes_any_name = True
            elif parameter.rest:
                takes_more = is_named_only = True
            else:
                is_required = not parameter.optional and parameter.default < 0
                (named_only if is_named_only else positional).append((name, is_required))
        return cls(tuple(positional), unnamed, tuple(named_only), takes_more, takes_any_name)

    def without_receiver(self) -> _Accepted:
        return self._replace(positional=self.positional[1:], unnamed=max(0, self.unnamed - 1))

    def fits(self, given: Given) -> bool:
        """Return whether a call may have some arguments."""
        if given.number > len(self.positional) and not self.takes_more:
            return False
        left = self.positional[given.number :]
        if any(is_required and name not in given.names for name, is_required in (*left, *self.named_only)):
            return False
        nameable = {name for name, _ in (*self.positional[max(given.number, self.unnamed) :], *self.named_only)}
        return self.takes_any_name or given.names <= nameable


class _Resigned(NamedTuple):
    """A function whose parameters changed, with the arguments that it took before and takes now.

    A method that may be called with or without its receiver as an argument accepts two forms in each state.
    """

    side: SymbolSide
    before: tuple[_Accepted, ...]
    after: tuple[_Accepted, ...]

    def refuses(self, given: Given) -> bool:
        """Return whether arguments fitted the parameters before the change and do not fit them any more."""
        forms = [after for before, after in zip(self.before, self.after, strict=True) if before.fits(given)]
        return bool(forms) and not any(after.fits(given) for after in forms)


class ChangedParameters:
    """The functions of some changed files whose parameters changed."""

    def __init__(self, before: TreeState, after: TreeState, paths: Iterable[str]) -> None:
        self._found: dict[str, _Resigned] = {each.side.id: each for path in paths for each in _resigned(before, after, path)}

    def words(self) -> set[str]:
        """Return the names by which code calls these functions."""
        return {_called_name(each.side) for each in self._found.values()}

    def reach(self, content: GraphContent) -> bool:
        """Return whether some edges include a call of these functions."""
        return any(edge.to_id in self._found for edge in content.calls)

    def broken(self, path: str, now: GraphContent, given: Callable[[], Mapping[tuple[int, int], Given]]) -> Iterator[Breakage]:
        """Yield the calls in a file of the new state whose arguments no longer fit.

        `now` are the edges of the file, and `given` returns the arguments of its calls by line and column.
        """
        edges = [edge for edge in now.calls if edge.to_id in self._found and edge.form != "conversion"]
        if not edges or not change_rules(language_of(path)).counts_arguments:
            return
        arguments = given()
        for edge in edges:
            changed = self._found[edge.to_id]
            for place in zip(edge.lines, edge.columns, strict=True):
                if place in arguments and changed.refuses(arguments[place]):
                    name = changed.side.qualified_name
                    yield Breakage(path, place[0], f"calls {name} with arguments that it does not take any more")


def _called_name(side: SymbolSide) -> str:
    """Return the name by which code calls a function: for a constructor, the name of its class."""
    return side.qualified_name.split(".")[-2] if side.kind == "constructor" and "." in side.qualified_name else side.name


def _resigned(before: TreeState, after: TreeState, path: str) -> Iterator[_Resigned]:
    """Yield the functions of a file that both states declare, once each, with different parameters."""
    old, new = before.facts(path), after.facts(path)
    if old is None or new is None or not change_rules(new.language).counts_arguments:
        return
    was, now = _functions(old), _functions(new)
    places = {symbol.id: place for place, symbol in enumerate(after.symbols(path))}
    names = Counter(symbol.qualified_name for symbol in (*before.symbols(path), *after.symbols(path)))
    for place, symbol in enumerate(before.symbols(path)):
        other = places.get(symbol.id, -1)
        if place not in was or other not in now or names[symbol.qualified_name] != 2:
            continue
        taken, takes = _Accepted.of(was[place]), _Accepted.of(now[other])
        if taken != takes:
            side = SymbolSide.of(symbol, symbol.qualified_name)
            yield _Resigned(side, _forms(taken, side, new.language), _forms(takes, side, new.language))


def _forms(accepted: _Accepted, side: SymbolSide, language: str) -> tuple[_Accepted, ...]:
    """Return the arguments that calls of a function may have: with the receiver, without it, or both."""
    receiver = change_rules(language).receiver if side.kind in _METHODS else Receiver.ABSENT
    if receiver == Receiver.ABSENT:
        return (accepted,)
    return (accepted.without_receiver(),) if receiver == Receiver.FIRST else (accepted.without_receiver(), accepted)


def _functions(facts: FileFacts) -> dict[int, Function]:
    """Return the functions of a file that callers call as they are declared, by symbol."""
    unit = Unit(0, "", facts)
    counts = Counter(function.symbol for function in facts.functions)
    replaced = {decl.symbol for decl in facts.decls if decl.kind == DeclKind.FUNCTION and _may_be_replaced(unit, decl)}
    return {
        function.symbol: function
        for function in facts.functions
        if function.symbol >= 0 and counts[function.symbol] == 1 and function.symbol not in replaced
    }


def _may_be_replaced(unit: Unit, decl: Decl) -> bool:
    """Return whether a decorator may put a function with other parameters in the place of a function."""
    plain = change_rules(unit.facts.language).plain_decorators
    if plain is None or decl.b < 0:
        return False
    return any(last_name(unit, node) not in plain for node in unit.items(decl.b))


def given_at(unit: Unit) -> dict[tuple[int, int], Given]:
    """Return the arguments of the calls of a file, by line and column of the called name.

    Calls that unpack arguments are left out.
    """
    code = unit.code
    found: dict[tuple[int, int], Given] = {}
    for node in unit.facts.calls:
        if code[node] not in (Op.CALL, Op.NEW) or code[code[node + 1]] not in _NAMED:
            continue
        arguments = [(code[each], code[each + 2]) for each in unit.items(code[node + 2])]
        if any(operation == Op.SPREAD for operation, _ in arguments):
            continue
        names = [unit.strings[name] for operation, name in arguments if operation == Op.PROP]
        position = code[code[node + 1] + 4]
        found[unit.line(position), unit.column(position)] = Given(len(arguments) - len(names), frozenset(names))
    return found
