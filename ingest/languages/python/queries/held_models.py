"""Find values that are models of Django, instances of models, or query sets, by their types and by relations.

Types cover relations whose fields name a class. Relations whose fields name a string, and reverse relations, are followed by
name: `author.books` is the relation `books` of the model `Author`, without knowing its target.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.operations import Op
from ...queries import KnownType, QueryFile
from ...wiring import SymbolPlace
from .written_calls import WrittenCall, written_call

#: Classes of Django, by their names in our declarations.
MODEL: Final = "django.db.models.Model"
QUERIES: Final = "django.db.models._Queries"
_RELATED: Final = "django.db.models.RelatedManager"
_CONTRIBUTED: Final = "django.contrib."
#: Attributes that every model has for its queries.
_MANAGERS: Final = frozenset(("objects", "_default_manager", "_base_manager"))
#: Methods of query sets that return an instance.
_GIVE_ONE: Final = frozenset(
    f"{prefix}{name}" for prefix in ("", "a") for name in ("get", "first", "last", "latest", "earliest", "create")
)
#: Methods of query sets that return other query sets of the same model.
LAZY: Final = frozenset(
    ("all", "filter", "exclude", "complex_filter", "annotate", "alias", "order_by", "reverse", "distinct", "extra", "defer",
     "only", "using", "select_related", "prefetch_related", "select_for_update", "union", "intersection", "difference", "values",
     "values_list", "dates", "datetimes", "raw", "get_queryset", "iterator", "aiterator")
)  # fmt: skip
#: Maximum number of expressions that are followed for one value.
_MAX_STEPS: Final = 40
#: The model of users, which a setting names.
_USER: Final = "setting:AUTH_USER_MODEL"


class Held(NamedTuple):
    """The model or query set in a value."""

    #: "class", "set", "one" for an instance, or "relation" for a set or an instance, depending on the relation.
    kind: str
    model: SymbolPlace | str
    #: Relations from the model.
    path: tuple[str, ...] = ()
    #: Whether the model depends on the type of a parameter that was inferred from call sites.
    is_inferred: bool = False


class HeldModels:
    """Finds the models and query sets in the values of a file, each once."""

    def __init__(self, file: QueryFile) -> None:
        self._file = file
        self._known: dict[int, Sequence[Held]] = {}

    def of(self, node: int, steps: int = _MAX_STEPS) -> Sequence[Held]:
        """Return the models and query sets that an expression may have."""
        if node < 0 or steps <= 0:
            return ()
        known = self._known.get(node)
        if known is None:
            self._known[node] = ()  # read if a value depends on itself
            known = self._known[node] = tuple(dict.fromkeys(self._find(node, steps - 1)))
        return known

    def sets(self, node: int) -> list[Held]:
        """Return the query sets that an expression may be."""
        return [each for each in self.of(node) if each.kind in ("set", "relation")]

    def instances(self, node: int) -> list[Held]:
        """Return the instances of models that an expression may be."""
        return [each for each in self.of(node) if each.kind in ("one", "relation")]

    def _find(self, node: int, steps: int) -> Iterator[Held]:
        kinds = self._file.types(node)
        is_inferred = self._file.is_inferred
        found = [each._replace(is_inferred=is_inferred) for kind in kinds if (each := _of_type(kind)) is not None]
        managers = [each._replace(kind="set") for each in found if each.kind == "manager"]
        yield from (each for each in found if each.kind != "manager")
        if managers or not kinds or (not found and any(QUERIES in kind.libraries for kind in kinds)):
            yield from list(self._by_structure(node, steps)) or managers

    def _by_structure(self, node: int, steps: int) -> Iterator[Held]:
        code = self._file.code
        op = code[node]
        if op == Op.MEMBER:
            yield from self._member(code[node + 1], self._file.facts.strings[code[node + 2]], steps)
        elif op == Op.CALL:
            call = written_call(self._file, node)
            if call is not None:
                yield from self._call(call, steps)
        elif op == Op.ITERATED:
            yield from (each._replace(kind="one") for each in self.of(code[node + 1], steps) if each.kind in ("set", "relation"))
        elif op == Op.INDEX:
            is_slice = code[code[node + 2]] == Op.SLICE
            for each in self.of(code[node + 1], steps):
                if each.kind in ("set", "relation"):
                    yield each if is_slice else each._replace(kind="one")
        else:
            for value in self._file.values(node):
                yield from self.of(value, steps)

    def _member(self, receiver: int, name: str, steps: int) -> Iterator[Held]:
        for each in self.of(receiver, steps):
            if each.kind == "class" and name in _MANAGERS:
                yield each._replace(kind="set")
            elif each.kind in ("one", "relation"):
                yield each._replace(kind="relation", path=(*each.path, name))

    def _call(self, call: WrittenCall, steps: int) -> Iterator[Held]:
        origin = self._file.origin(call.callee)
        if origin == "django:get_user_model":
            yield Held("class", _USER)
        elif call.receiver < 0:
            if origin == "django:get_user_model()":
                yield Held("one", _USER)
            for each in self.of(call.callee, steps):
                if each.kind == "class":
                    yield each._replace(kind="one")
        else:
            for each in self.of(call.receiver, steps):
                if each.kind not in ("set", "relation"):
                    continue
                if call.name in LAZY:
                    yield each._replace(kind="set")
                elif call.name in _GIVE_ONE:
                    yield each._replace(kind="one")


def _of_type(kind: KnownType) -> Held | None:
    """Return the model or query set in a value of a type.

    Its kind is "manager" for a relation, and for a class of query sets whose model is not known; the expression of the value
    then decides.
    """
    libraries, declared = kind.libraries, kind.declared
    if QUERIES not in libraries:
        model = _model(kind)
        return Held("class" if kind.is_class else "one", model) if model is not None else None
    if kind.is_class:
        return None
    for each in kind.argument(QUERIES):
        model = _model(each)
        if model is not None and not each.is_class:
            return Held("manager" if _RELATED in libraries else "set", model)
    return Held("manager", declared) if declared is not None else None


def _model(kind: KnownType) -> SymbolPlace | str | None:
    """Return the class of a type that may be a model, or the name of a model of Django itself; None for other types."""
    libraries = kind.libraries
    if kind.declared is not None:
        return kind.declared if MODEL in libraries or kind.is_open else None
    if MODEL in libraries and libraries[0].startswith(_CONTRIBUTED):
        return f"library:{libraries[0].removeprefix(_CONTRIBUTED).replace('.models.', '.').lower()}"
    return None
