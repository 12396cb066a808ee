"""Find values that are models of Django, instances of models, or query sets, by their types and by relations.

Types cover relations whose fields name a class. Relations whose fields name a string, and reverse relations, are followed by
name: `author.books` is the relation `books` of the model `Author` with any target.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.model import DeclKind, Function
from ....facts.operations import NAME_OPS, Op
from ...framework_rules.queries import KnownType, QueryFile
from ...framework_rules.wiring import SymbolPlace
from ..models.django_bindings import USER
from ..models.django_entities import CHOSEN, HELD
from ..models.hints import BOUND_ATTRIBUTES, CARRIED, is_model_setting
from .model_classes import MANAGERS, MODEL, has_bases, is_above, is_of_tortoise, makes_rows, model_in
from .named_models import class_around
from .passed_values import MAX_INFERRED, OWN_OBJECT, given_to, parameter_of
from .query_set_methods import GIVE_ONE, LAZY, LINKING, STATEMENTS
from .returned_queries import ReturnedValue, argument_for, returned_values
from .written_calls import WrittenCall, calls_by_name, constant_texts, text_of, texts_in, written_call

#: Classes of Django, by their names in our declarations.
QUERIES: Final = "django.db.models._Queries"
_RELATED: Final = "django.db.models.RelatedManager"
#: Methods of factories that return one row.
_MAKING: Final = frozenset(("create", "build"))
#: The kind of a value or result, by the name of an attribute, a parameter or a method of such a class.
_BOUND_NAMES: Final = {
    **dict.fromkeys(("object", "instance", "obj"), "one"),
    **dict.fromkeys(("queryset", "object_list", "qs"), "set"),
    "model": "class",
}
_BOUND_METHODS: Final = {
    **dict.fromkeys(("get_object", "save"), "one"),
    **dict.fromkeys(("get_queryset", "filter_queryset"), "set"),
    "get_context_data": "context",
}
#: The attribute of a view that names its rows in the context, and the views with many rows.
_CONTEXT_NAME: Final = "context_object_name"
_OF_LISTS: Final = re.compile(r":\w*(?:List|Archive|Multiple)\w*")
#: The attribute of a class of administration with its actions, and the number of their parameters: the query set is the last.
_ACTIONS: Final = "actions"
_ACTION_PARAMETERS: Final = 3
#: Parameters whose value is a form or a serializer for the model of a class.
_FORMS: Final = frozenset(("form", "serializer"))
#: Attributes that requests of Django and of Django REST framework have.
_OF_REQUEST: Final = frozenset(
    ("auth", "body", "content_type", "data", "encoding", "headers", "method", "path", "path_info", "query_params",
     "resolver_match", "session", "site")
)  # fmt: skip
#: Serializers, and their methods whose first parameter is the row: `get_author` gives the value of the field `author`.
_SERIALIZER: Final = re.compile(r"^rest_framework\w*:\w*Serializer")
_SHOWING: Final = "get_"
_OF_ROW: Final = frozenset(("to_representation", "update"))
#: Methods of managers that return a row by the values of a key that the model chooses.
_BY_NATURAL_KEY: Final = frozenset(("get_by_natural_key", "aget_by_natural_key"))
#: Names of classes of managers and query sets, also if their bases are not installed.
_MANAGER_CLASS: Final = re.compile(r"\w*(?:Manager|Query[sS]et)(?:Base|Mixin)?")
#: Functions that load a model by a label, in Django and in packages for models that projects replace.
_LOADER: Final = re.compile(r"(?:\w+_)?(?:get|load)_(?:\w+_)?model")
_OF_LOADERS: Final = ("django:", "swapper:")
#: Signals of Django about an instance of a model.
_SIGNALS: Final = frozenset(("pre_init", "post_init", "pre_save", "post_save", "pre_delete", "post_delete", "m2m_changed"))
#: Parameter of a receiver of signals for the model, and argument of the call that connects the receiver.
_SENDER: Final = "sender"
#: Methods that trees of models have in django-mptt and django-treebeard: they return other nodes of the tree.
_TREE: Final = frozenset(("get_ancestors", "get_children", "get_descendants", "get_siblings"))
#: Methods of the managers of such trees that return a query set.
_ROOTS: Final = frozenset(("root_nodes", "get_root_nodes"))
#: Attributes of forms and serializers with the values of their fields, by name.
_CHECKED: Final = frozenset(("cleaned_data", "validated_data"))
#: Functions of Django that return a row of the query set in their first argument.
_SHORTCUTS: Final = frozenset(("django:get_object_or_404", "django:aget_object_or_404"))
#: Functions of django-guardian for the rows on which a user has permissions, and a permission with the label of its model.
_PERMITTED: Final = re.compile(r"guardian:get_objects_for_(?:user|group)")
_PERMISSION: Final = re.compile(r"(?P<app>\w+)\.(?:view|add|change|delete)_(?P<model>\w+)")
#: Names that repositories give to functions of the same kind.
_OWN_SHORTCUT: Final = re.compile(r"a?get_(?:object_|instance_)?or_\w+")
#: Kinds of values on which code calls methods of query sets.
_SETS: Final = ("set", "relation", "links")
#: Maximum number of expressions that are followed for one value.
_MAX_STEPS: Final = 40


class Held(NamedTuple):
    """The model or query set in a value."""

    #: "class", "set", "one" (an instance), "relation" (a set or an instance), "links" (rows that join both sides of a
    #: many-to-many relation) or "context" (values of a template). An instance may also be a view or a form. In that case, the
    #: path begins with `HELD`, which leads to the model.
    kind: str
    model: SymbolPlace | str
    #: Relations from the model.
    path: tuple[str, ...] = ()
    #: Whether the model depends on the type of a parameter that was inferred from call sites.
    is_inferred: bool = False


class HeldModels:
    """Finds the models and query sets in the values of a file. Each value is read only once."""

    def __init__(self, file: QueryFile, others: Callable[[QueryFile], HeldModels]) -> None:
        """`others` returns the models in the values of another file."""
        self._file = file
        self._others = others
        self._known: dict[int, Sequence[Held]] = {}
        self._shapes = {each.symbol: number for number, each in enumerate(file.facts.shapes) if each.symbol >= 0}
        #: The values of attributes, by symbol.
        self._values: dict[int, list[int]] = defaultdict(list)
        #: The senders of signals, by the symbol of the receiving function.
        self._senders: dict[int, list[int]] = defaultdict(list)
        for decl in file.facts.decls:
            if decl.kind == DeclKind.VARIABLE and decl.symbol >= 0 and decl.b >= 0:
                self._values[decl.symbol].append(decl.b)
            elif decl.kind == DeclKind.FUNCTION and decl.symbol >= 0:
                for decorator in file.items(decl.b):
                    decorated = written_call(file, decorator)
                    if decorated is not None and decorated.name == "receiver" and _SENDER in decorated.named:
                        self._senders[decl.symbol].append(decorated.named[_SENDER])
        #: The classes whose attribute `actions` names a function, by the symbol of the function.
        self._actions: dict[int, list[int]] = defaultdict(list)
        for call in calls_by_name(file).get("connect", ()) if "connect" in file.facts.strings else ():
            self._connect(call)
        for decl in file.facts.decls:
            if decl.kind == DeclKind.VARIABLE and decl.name == _ACTIONS and decl.symbol >= 0 and decl.b >= 0:
                self._add_actions(file.facts.symbols[decl.symbol].parent, decl.b)

    def _connect(self, call: WrittenCall) -> None:
        """Record the sender in `post_save.connect(function, Book)`."""
        if not call.positional or self._file.name(call.receiver) not in _SIGNALS:
            return
        sender = call.argument(_SENDER, 1)
        code, facts, receiver = self._file.code, self._file.facts, call.positional[0]
        bound = facts.bindings[code[receiver + 1]].decls if code[receiver] in NAME_OPS and code[receiver + 1] >= 0 else []
        for decl in (facts.decls[each] for each in bound if sender >= 0):
            if decl.kind == DeclKind.FUNCTION and decl.symbol >= 0:
                self._senders[decl.symbol].append(sender)

    def _add_actions(self, cls: int, listed: int) -> None:
        """Record the functions in `actions = [publish]` of a class of administration."""
        file, code = self._file, self._file.code
        for node in file.items(code[listed + 1]) if code[listed] == Op.ARRAY and cls >= 0 else ():
            for each in file.declarations(node) if code[node] in NAME_OPS else ():
                if each.facts.kind == DeclKind.FUNCTION and each.file.path == file.path and each.facts.symbol >= 0:
                    self._actions[each.facts.symbol].append(cls)

    def of(self, node: int, steps: int = _MAX_STEPS) -> Sequence[Held]:
        """Return the models and query sets that an expression may have."""
        if node < 0 or steps <= 0:
            return ()
        known = self._known.get(node)
        if known is None:
            self._known[node] = ()  # used if an expression depends on itself
            known = self._known[node] = tuple(dict.fromkeys(self._find(node, steps - 1)))
        return known

    def sets(self, node: int) -> list[Held]:
        """Return the query sets that an expression may be."""
        return [each for each in self.of(node) if each.kind in _SETS]

    def instances(self, node: int) -> list[Held]:
        """Return the instances of models that an expression may be."""
        return [each for each in self.of(node) if each.kind in ("one", "relation")]

    def _find(self, node: int, steps: int) -> Iterator[Held]:
        kinds = self._file.types(node)
        is_inferred = self._file.is_inferred
        found = [each._replace(is_inferred=is_inferred) for kind in kinds if (each := _of_type(kind)) is not None]
        if is_inferred and len({each.model for each in found}) > MAX_INFERRED:
            kinds, found = [], []  # of all callers of a function that works with any model
        if is_inferred and self._file.code[node] == Op.CALL:
            # The arguments of this call tell more than those of all calls.
            behind = list(self._by_structure(node, steps))
            if behind:
                yield from behind
                return
        if kinds and self._is_manager(node) and all(kind.is_open and QUERIES not in kind.libraries for kind in kinds):
            # A class of managers with bases of a package that is not installed looks like a model with such bases.
            behind = list(self._by_structure(node, steps))
            if behind:
                yield from behind
                return
        managers = [each._replace(kind="set") for each in found if each.kind == "manager"]
        yield from (each for each in found if each.kind != "manager")
        # Classes of Tortoise ORM have the methods of query sets: `Book.filter(price=1)`.
        yield from (each._replace(kind="set") for each in found if each.kind == "class" and is_of_tortoise(each.model))
        is_any = any(QUERIES in kind.libraries or (kind.declared is None and MODEL in kind.libraries) for kind in kinds)
        if managers or not kinds or (not found and is_any):
            yield from list(self._by_structure(node, steps)) or managers

    def _is_manager(self, node: int) -> bool:
        """Return whether an expression has the name of a manager: `Book.objects`."""
        code = self._file.code
        return code[node] == Op.MEMBER and self._file.facts.strings[code[node + 2]] in MANAGERS

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
            yield from self._chosen(code[node + 1], text_of(self._file, code[node + 2]), steps)
            if text_of(self._file, code[node + 2]) == "instance":
                for value in (code[node + 1], *self._file.values(code[node + 1])):
                    if (named := parameter_of(self._file, value)) is not None:
                        yield from self._sent(self._file.facts.functions[named.c], steps)
            for each in self.of(code[node + 1], steps):
                if each.kind in ("set", "relation"):
                    yield each if is_slice else each._replace(kind="one")
                elif each.kind == "context":
                    name = text_of(self._file, code[node + 2])
                    kind = _BOUND_NAMES.get(name, "") or self._named_in_context(each.model, name)
                    yield from () if kind in ("", "class") else (each._replace(kind=kind, path=(HELD,)),)
        else:
            for value in self._file.values(node):
                yield from self.of(value, steps)
            parameter = parameter_of(self._file, node)
            if parameter is not None:
                yield from self._passed(self._file.facts.functions[parameter.c], parameter.name, steps)
                for given in given_to(self._file, node):
                    yield from (each._replace(is_inferred=True) for each in self.of(given, steps))

    def _named_in_context(self, view: SymbolPlace | str, name: str) -> str:
        """Return what a view names so in its context: "set" or "one"; "" if it names nothing so."""
        if not name or isinstance(view, str) or view.file.path != self._file.path:
            return ""
        if all(text_of(self._file, value) != name for value in self._assigned(view.symbol, _CONTEXT_NAME)):
            return ""
        return "set" if any(_OF_LISTS.search(origin) for origin in view.base_origins) else "one"

    def _member(self, receiver: int, name: str, steps: int) -> Iterator[Held]:
        code = self._file.code
        if _is_request(self._file, receiver) and name not in _OF_REQUEST and not name.isupper():
            yield Held("one", USER if name == "user" else f"{CARRIED}request.{name}")
        if name in BOUND_ATTRIBUTES and self._file.name(receiver) in OWN_OBJECT:
            yield from self._of_derived(receiver, name)
        if name == "through" and code[receiver] == Op.MEMBER:
            path = (self._file.facts.strings[code[receiver + 2]],)
            models = self.of(code[receiver + 1], steps)
            yield from (each._replace(kind="links", path=path) for each in models if each.kind == "class")
        for each in self.of(receiver, steps):
            if each.kind in ("class", "links") and name in MANAGERS:
                yield each if each.kind == "links" else each._replace(kind="set")
            elif each.kind in ("one", "relation"):
                if name in _BOUND_NAMES and not each.path and has_bases(each.model):
                    yield each._replace(kind=_BOUND_NAMES[name], path=(HELD,))
                yield each._replace(kind="relation", path=(*each.path, name))
                if not isinstance(each.model, str) and not each.path and each.model.file.path == self._file.path:
                    for value in self._assigned(each.model.symbol, name):
                        yield from self.of(value, steps)

    def _of_derived(self, receiver: int, name: str) -> Iterator[Held]:
        """Yield the model that a class of the repository and the classes derived from it name: `self.model`."""
        owner = class_around(self._file, receiver)
        if owner >= 0:
            place = SymbolPlace(self._file, owner)
            yield Held("set" if name == "queryset" else "class", place, (HELD,))
            if name == "model" and _MANAGER_CLASS.fullmatch(self._file.facts.symbols[owner].name):
                yield Held("class", place)

    def _chosen(self, values: int, name: str, steps: int) -> Iterator[Held]:
        """Yield the rows that a user chose in a field of a form, or that a request names in a field of a serializer."""
        code, facts = self._file.code, self._file.facts
        for node in (values, *self._file.values(values)) if name else ():
            if code[node] == Op.MEMBER and facts.strings[code[node + 2]] in _CHECKED:
                for each in self.of(code[node + 1], steps):
                    if each.kind == "one" and not each.path:
                        yield each._replace(kind="relation", path=(f"{CHOSEN}{name}",))

    def assigned(self, node: int) -> Iterator[int]:
        """Yield the expressions that the class around `self.books` assigns to the attribute."""
        code = self._file.code
        if code[node] == Op.MEMBER and self._file.name(code[node + 1]) in OWN_OBJECT:
            yield from self._assigned(class_around(self._file, node), self._file.facts.strings[code[node + 2]])

    def _assigned(self, cls: int, name: str) -> Iterator[int]:
        """Yield the expressions that a class of the file or its bases in the file assign to an attribute."""
        facts = self._file.facts
        shape = self._shapes.get(cls, -1)
        for file, each in self._file.ancestors(shape) if shape >= 0 else ():
            for member in facts.shapes[each].members if file.path == self._file.path else ():
                if member.name == name and member.function < 0:
                    yield from self._values.get(member.symbol, [member.value] if member.value >= 0 else ())

    def _passed(self, function: Function, name: str, steps: int) -> Iterator[Held]:
        """Yield the models that a framework passes to a parameter, by the parameter's name, in a method of a view or a receiver
        of a signal.
        """
        kind, symbols = _BOUND_NAMES.get(name, ""), self._file.facts.symbols
        if len(function.parameters) == _ACTION_PARAMETERS and function.parameters[-1].name == name:
            for listing in self._actions.get(function.symbol, ()):
                yield Held("set", SymbolPlace(self._file, listing), (HELD,))
        parent = symbols[function.symbol].parent if function.symbol >= 0 else -1
        if not kind and parent >= 0 and self._is_shown(function, name, parent):
            kind = "one"
        if name == _SENDER:
            for sender in self._senders.get(function.symbol, ()):
                yield from (each for each in self.of(sender, steps) if each.kind == "class")
        if function.symbol < 0 or (not kind and name not in _FORMS):
            return
        if name == "instance":
            yield from self._sent(function, steps)
        if parent >= 0 and symbols[parent].kind == "class":
            cls = SymbolPlace(self._file, parent)
            yield Held(kind, cls, (HELD,)) if kind else Held("one", cls)

    def _is_shown(self, function: Function, name: str, cls: int) -> bool:
        """Return whether a serializer passes the row that it shows to a parameter: the first one of `get_author(self, book)`."""
        own = self._file.facts.symbols[function.symbol].name
        written = [each.name for each in function.parameters if each.name not in OWN_OBJECT]
        if written[:1] != [name] or not (own.startswith(_SHOWING) or own in _OF_ROW):
            return False
        return any(_SERIALIZER.search(origin) for origin in SymbolPlace(self._file, cls).base_origins)

    def _sent(self, function: Function, steps: int) -> Iterator[Held]:
        """Yield the instances that signals pass to a function."""
        for sender in self._senders.get(function.symbol, ()):
            yield from (each._replace(kind="one") for each in self.of(sender, steps) if each.kind == "class")

    def _call(self, call: WrittenCall, steps: int) -> Iterator[Held]:
        origin = self._file.origin(call.callee)
        if origin == "django:get_user_model":
            yield Held("class", USER)
        elif _LOADER.fullmatch(call.name) and (label := self._label(call)):
            if origin.startswith(_OF_LOADERS) or self._file.runs_own_code(call.callee):
                yield Held("class", label)
        elif call.receiver < 0:
            yield from self._returned_rows(call, ())
            is_shortcut = origin in _SHORTCUTS or _OWN_SHORTCUT.fullmatch(call.name) is not None
            if is_shortcut and call.positional:
                found = self.of(call.positional[0], steps)
                yield from (each._replace(kind="one") for each in found if each.kind in ("class", "set", "relation"))
            if _PERMITTED.fullmatch(origin):
                yield from self._permitted(call, steps)
            if origin == "django:get_user_model()":
                yield Held("one", USER)
            if call.name == "getattr" and len(call.positional) > 1 and not self._file.runs_own_code(call.callee):
                for name in constant_texts(self._file, call.positional[1]):
                    yield from self._member(call.positional[0], name, steps)
            for each in self.of(call.callee, steps):
                if each.kind == "class":
                    yield each._replace(kind="one", path=(HELD,) if makes_rows(each.model) else each.path)
        else:
            if call.name in BOUND_ATTRIBUTES:  # a new row: `self.model(**values)`
                yield from (each._replace(kind="one") for each in self.of(call.callee, steps) if each.kind == "class")
            if call.name in ("get", "pop") and call.positional:
                yield from self._chosen(call.receiver, text_of(self._file, call.positional[0]), steps)
            held = self.of(call.receiver, steps)
            owners = [each for each in held if each.kind in ("class", "one") and not each.path]
            yield from self._returned_rows(call, owners)
            for each in held:
                if each.kind == "class" and call.name in _MAKING and makes_rows(each.model):
                    yield each._replace(kind="one", path=(HELD,))
                if each.kind == "one" and not each.path and call.name in _BOUND_METHODS:
                    kind = _BOUND_METHODS[call.name]
                    yield each._replace(kind=kind, path=() if kind == "context" else (HELD,))
                if each.kind == "one" and call.name == "update_from_dict":
                    yield each
                if each.kind in ("one", "relation") and call.name in _TREE and not self._file.runs_own_code(call.callee):
                    yield each._replace(kind="set")
                if each.kind not in _SETS:
                    continue
                if call.name in LAZY or call.name in _ROOTS:
                    yield each if each.kind == "links" else each._replace(kind="set")
                elif call.name in GIVE_ONE:
                    yield each._replace(kind="one")
                elif self._builds_set(call) or self.is_foreign(call):
                    yield each._replace(kind="set")

    def _permitted(self, call: WrittenCall, steps: int) -> Iterator[Held]:
        """Yield the query set of `get_objects_for_user(user, "app.view_book", klass=Book)`; the permission has a label, too."""
        klass = call.argument("klass", 2)
        found = self.of(klass, steps) if klass >= 0 else ()
        yield from (each._replace(kind="set") for each in found if each.kind in ("class", "set"))
        permissions = (_PERMISSION.fullmatch(text) for text in texts_in(self._file, call.argument("perms", 1)))
        for named in permissions if not found else ():
            if named is not None:
                yield Held("set", f"label:{named['app']}.{named['model']}".lower())

    def is_foreign(self, call: WrittenCall) -> bool:
        """Return whether a call of a query set runs a method of a package: `Page.objects.live()`. It returns a query set."""
        if any(call.name in names for names in (STATEMENTS, LINKING, _BY_NATURAL_KEY, BOUND_ATTRIBUTES)):
            return False
        if self._file.name(call.receiver) in (*OWN_OBJECT, "super") or self._file.runs_own_code(call.callee):
            return False  # the own object of a manager also has methods that read no rows
        return any(each.kind == "set" for each in self.of(call.receiver))

    def _label(self, call: WrittenCall) -> str:
        """Return the name of the model in `apps.get_model("library.Reader")` or `apps.get_model(settings.READER_MODEL)`; "" if it
        is not known.
        """
        texts = [text_of(self._file, each) for each in call.positional[:2]]
        if len(texts) == 1 and texts[0].isidentifier() and self._file.runs_own_code(call.callee):
            texts.insert(0, "")  # the function knows the application
        if texts and texts[-1] and (all(texts) or len(call.positional) == 1) and (len(texts) > 1 or "." in texts[0]):
            return f"label:{'.'.join(texts)}".lower()
        for node in (*call.positional[:1], *(value for each in call.positional[:1] for value in self._file.values(each))):
            name = self._file.name(node)
            read = written_call(self._file, node)
            if read is not None and read.name == "getattr" and len(read.positional) > 1:
                name = text_of(self._file, read.positional[1])
            if is_model_setting(name):
                return f"setting:{name}"
        return ""

    def _returned_rows(self, call: WrittenCall, owners: Sequence[Held]) -> Iterator[Held]:
        """Yield the models and the rows that a called function of the repository returns.

        `owners` is the model, or its row, whose method is called: `Book.cheapest()`. If a class above this model declares the
        method, the rows are those of this model.
        """
        for value in returned_values(self._file, call):
            of_argument = [*self._of_argument(value, call), *self._passed_through(value, call)]
            yield from of_argument
            for each in self._others(value.file).of(value.node) if not of_argument else ():
                is_set = each.kind == "set" and (call.receiver < 0 or bool(owners))
                if each.kind not in ("class", "one", "relation") and not is_set:
                    continue
                own = [owner.model for owner in owners if is_above(each.model, owner.model)]
                yield each._replace(model=own[0]) if own else each

    def _of_argument(self, value: ReturnedValue, call: WrittenCall) -> Iterator[Held]:
        """Yield the rows that a function returns of the model or the query set in its argument: `get_or_fail(Book, id=1)`."""
        last = written_call(value.file, value.node)
        for node in () if last is not None else value.file.values(value.node):
            last = last or written_call(value.file, node)
        if last is None or not (last.name in GIVE_ONE or value.file.origin(last.callee) in _SHORTCUTS):
            return
        start = last.receiver if last.name in GIVE_ONE else last.argument("klass", 0)
        given = _given_for(value, start, call)
        yield from (each._replace(kind="one") for each in self.of(given) if each.kind in ("class", "set", "relation"))

    def _passed_through(self, value: ReturnedValue, call: WrittenCall) -> Iterator[Held]:
        """Yield the query set in the argument of a function that returns it, perhaps with conditions: `ordered(books, "id")`."""
        starts = [value.node, *value.file.values(value.node)]
        given = dict.fromkeys(_given_for(value, start, call) for start in starts)
        yield from (each for node in given for each in self.of(node) if each.kind == "set")

    def _builds_set(self, call: WrittenCall) -> bool:
        """Return whether a method of the repository returns a query set, such as a slice of one."""
        return any(self._others(value.file).sets(value.node) for value in returned_values(self._file, call))


def _given_for(value: ReturnedValue, start: int, call: WrittenCall) -> int:
    """Return the argument of a call for the parameter with which a chain in the called function begins; -1 if there is none."""
    file = value.file
    for _ in range(_MAX_STEPS):
        inner = written_call(file, start)
        if inner is not None and inner.name in LAZY:
            start = inner.receiver
        elif start >= 0 and file.code[start] == Op.MEMBER and file.name(start) in MANAGERS:
            start = file.code[start + 1]
        else:
            break
    return argument_for(value, start, call) if start >= 0 else -1


def _is_request(file: QueryFile, node: int) -> bool:
    """Return whether an expression has the name of a request: `request`, `self.request`, `context["request"]`."""
    if file.code[node] == Op.INDEX:
        return text_of(file, file.code[node + 2]) == "request"
    return file.name(node) == "request"


def _of_type(kind: KnownType) -> Held | None:
    """Return the model or query set that a value of a type holds.

    The kind is "manager" for a relation, and for a class of query sets with an unknown model. In these cases, the expression of
    the value decides.
    """
    libraries, declared = kind.libraries, kind.declared
    if QUERIES not in libraries:
        model = model_in(kind)
        if model is None:
            return None
        if kind.is_open and not isinstance(model, str) and _MANAGER_CLASS.fullmatch(model.file.facts.symbols[model.symbol].name):
            return None if kind.is_class else Held("manager", model)
        is_made = not kind.is_class and makes_rows(model)
        return Held("class" if kind.is_class else "one", model, (HELD,) if is_made else ())
    if kind.is_class:
        return None
    for each in kind.argument(QUERIES):
        model = model_in(each)
        if model is not None and not each.is_class:
            return Held("manager" if _RELATED in libraries else "set", model)
    return Held("manager", declared) if declared is not None else None
