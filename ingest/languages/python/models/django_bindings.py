"""Classes through which Django and related packages work with a model: views, forms, serializers, filters, administration."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from ....facts.mapped_tables import MappedModel, ModelKind
from ....facts.operations import Op
from .carried_rows import carried_rows
from .declared import DeclaredClass, DeclaredNames
from .hints import BOUND_ATTRIBUTES

#: Option of a declaration: the name of the model with which the class works.
MODEL: Final = "model"
#: Option: the name of the model whose query set the method `get_queryset` of a class returns.
QUERIED: Final = "queried"
#: Options: the names of the fields of a form or serializer, joined by spaces, or `NO_FIELDS`; the serializer of a view, and the
#: class that filters the query set of a view.
FIELDS: Final = "fields"
NO_FIELDS: Final = "-"
SERIALIZER: Final = "serializer"
FILTERS: Final = "filters"
#: Option: the names of the classes that permit the requests to a view, joined by spaces.
PERMISSIONS: Final = "permissions"
#: Beginning of an option for the class of a field that gets a query set. Its value is the name of the model.
OF_FIELD: Final = "of field "
#: Option: the names of the serializers among the fields of a serializer, joined by spaces.
NESTED: Final = "nested"
#: Beginning of an option for a field of a form or a serializer that chooses among the rows of a model. Its value is the name of
#: the model; after it, ` *` if the field chooses several rows.
CHOICE: Final = "choice "
MANY: Final = " *"
#: Option of a file: the names of the serializers whose rows its functions save, joined by spaces.
SAVED: Final = "saved"
_SERIALIZER: Final = "Serializer"
#: Source of a field that shows the row itself.
_OWN_ROW: Final = "*"
#: Attributes of a view for its serializer and for the class that filters its query set, and its method for the query set.
_SERIALIZERS: Final = ("serializer_class",)
_FILTER_CLASSES: Final = ("filterset_class", "filter_class")
_PERMISSION_CLASSES: Final = "permission_classes"
_QUERYING: Final = "get_queryset"
#: Beginning of the name of a model that code names by its label.
LABEL: Final = "label:"
#: Name of the model of users. A setting contains this name.
USER: Final = "setting:AUTH_USER_MODEL"
#: Maximum number of calls in the chain that makes a query set.
_MAX_CHAIN: Final = 30
#: Maximum number of expressions in the permissions of a view.
_MAX_PERMISSIONS: Final = 60


def bound_models(names: DeclaredNames, known: Mapping[int, MappedModel]) -> list[MappedModel]:
    """Return the classes of a file whose symbols are not in `known`. Record the model with which each class works."""
    registered = dict(_registered(names))
    found: list[MappedModel] = []
    for cls in names.classes():
        # A class without bases may be a part of models: its methods use `cls.objects` and `self.save()`.
        if not (cls.bases or cls.methods or any(each.name in BOUND_ATTRIBUTES for each in cls.attributes)):
            continue
        symbol = cls.shape.symbol
        bound = known.get(symbol)
        if bound is None:
            line = names.facts.symbols[symbol].declaration_line
            bound = MappedModel("django", cls.shape.name, ModelKind.BOUND, symbol, line, bases=list(cls.bases))
            found.append(bound)
        model = _model_of(names, cls) or registered.get(cls.shape.name, "")
        options = {MODEL: model, FIELDS: _fields_of(names, cls) if model else "", QUERIED: _queried(names, cls)}
        options[PERMISSIONS] = _permissions(names, cls)
        options |= {SERIALIZER: _named_in(names, cls, _SERIALIZERS), FILTERS: _named_in(names, cls, _FILTER_CLASSES)}
        options[NESTED] = _nested_of(names, cls) if model else ""
        options.update(_choices(names, cls))
        if any(options.values()):
            bound.options = {**bound.options, **{name: value for name, value in options.items() if value}}
        found += _nested_managers(names, cls)
    options = carried_rows(names)
    if saved := " ".join(dict.fromkeys(_saved_by(names))):
        options[SAVED] = saved
    return [*found, MappedModel("django", "", ModelKind.BOUND, -1, 0, options=options)] if options else found


def _nested_managers(names: DeclaredNames, cls: DeclaredClass) -> Iterator[MappedModel]:
    """Yield the classes inside a class whose instances are attributes of the class: `objects = OpenManager()`."""
    for attribute in cls.attributes:
        call = names.call(attribute.value)
        inner = names.nested(cls, call.name) if call is not None else None
        if inner is not None and inner.bases:
            symbol = inner.shape.symbol
            line = names.facts.symbols[symbol].declaration_line
            name = f"{cls.shape.name}.{inner.shape.name}"
            yield MappedModel("django", name, ModelKind.BOUND, symbol, line, bases=list(inner.bases))


def _saved_by(names: DeclaredNames) -> Iterator[str]:
    """Yield the serializers that functions of the file fill and save: `BookSerializer(data=values)`, later `.save()`."""
    made: dict[int, str] = {}
    for node in names.facts.calls:
        call = names.call(node)
        if call is not None and call.name.endswith(_SERIALIZER) and ("data" in call.named or len(call.positional) > 1):
            made[node] = call.name
    for node in names.facts.calls if made else ():
        receiver, method = names.method_call(node)
        if method == "save":
            yield from (made[value] for value in names.values(receiver) if value in made)


def _choices(names: DeclaredNames, cls: DeclaredClass) -> Iterator[tuple[str, str]]:
    """Yield an option for each field with a query set: `ModelChoiceField(queryset=Book.objects.all())`."""
    for attribute in cls.attributes:
        call = names.call(attribute.value)
        model = _root(names, call.named.get("queryset", -1)) if call is not None else ""
        if call is not None and model:
            is_many = "Multiple" in call.name or names.is_true(call.named.get("many", -1))
            yield f"{CHOICE}{attribute.name}", f"{model}{MANY if is_many else ''}"
            yield f"{OF_FIELD}{call.name}", model


def _fields_of(names: DeclaredNames, cls: DeclaredClass) -> str:
    inner = names.nested(cls, "Meta")
    found = [each.value for each in inner.attributes if each.name == "fields"] if inner is not None else []
    if found and names.code[found[0]] == Op.ARRAY and not names.elements(found[0]):
        return NO_FIELDS
    return " ".join(names.texts(found[0])) if found else ""


def _named_in(names: DeclaredNames, cls: DeclaredClass, attributes: Collection[str]) -> str:
    """Return the name of the class in one of the attributes of a class; "" if there is none."""
    return next((names.dotted(each.value) for each in cls.attributes if each.name in attributes), "")


def _permissions(names: DeclaredNames, cls: DeclaredClass) -> str:
    """Return the names of the classes in `permission_classes = [IsStaff | IsOwner & ~IsClosed]`."""
    code, found = names.code, dict[str, None]()
    waiting = [each.value for each in cls.attributes if each.name == _PERMISSION_CLASSES]
    for _ in range(_MAX_PERMISSIONS):
        if not waiting:
            break
        node = waiting.pop()
        if node < 0:
            continue
        if code[node] == Op.OPERATOR:
            waiting += [code[node + 1], code[node + 2]]
        elif code[node] == Op.NOT:
            waiting.append(code[node + 1])
        elif items := names.elements(node):
            waiting += items
        elif name := names.dotted(node):
            found[name] = None
    return " ".join(found)


def _queried(names: DeclaredNames, cls: DeclaredClass) -> str:
    """Return the name of the model of all query sets that the method `get_queryset` of a class returns; "" if it is not known."""
    found: set[str] = set()
    for member in cls.shape.members:
        for returned in (
            names.facts.functions[member.function].returns if member.name == _QUERYING and member.function >= 0 else ()
        ):
            root = _root(names, _first_value(names, returned))
            parts = root.split(".") if root != USER and not root.startswith(LABEL) else [root]
            while len(parts) > 1 and not parts[-1][:1].isupper():  # a manager and its methods: `Book.objects.all`
                parts.pop()
            found.add(".".join(parts))
    return found.pop() if len(found) == 1 else ""


def _first_value(names: DeclaredNames, node: int) -> int:
    """Return the first value of a chain of calls, through variables: `books = Book.objects.all()`, `books.filter(price=1)`."""
    code = names.code
    for _ in range(_MAX_CHAIN):
        first = node
        while first >= 0 and code[first] in (Op.CALL, Op.MEMBER):
            first = code[first + 1]
        *_, value = names.values(first)
        if value == first or value < 0:
            break
        node = value
    return node


def _nested_of(names: DeclaredNames, cls: DeclaredClass) -> str:
    calls = [names.call(each.value) for each in cls.attributes]
    return " ".join(
        dict.fromkeys(
            call.name
            for call in calls
            if call is not None and call.name.endswith(_SERIALIZER) and names.text(call.named.get("source", -1)) != _OWN_ROW
        )
    )


def _model_of(names: DeclaredNames, cls: DeclaredClass) -> str:
    """Return the name of the model in an attribute, in `Meta` or in a decorator of a class; "" if there is none."""
    inner = names.nested(cls, "Meta")
    for attribute in (*cls.attributes, *(inner.attributes if inner is not None else ())):
        if attribute.name in BOUND_ATTRIBUTES and (model := _root(names, attribute.value)):
            return model
    decl = cls.shape.decl
    for decorator in names.items(names.facts.decls[decl].b) if decl >= 0 else ():
        call = names.call(decorator)
        if call is not None and call.name.rpartition(".")[2] == "register" and call.positional:
            return _root(names, call.positional[0])
    for base in cls.shape.extends:  # `class BookService(Service[Book])`
        _, arguments = names.subscript(base)
        if arguments and (model := names.dotted(arguments[0])):
            return model
    return ""


def _registered(names: DeclaredNames) -> Iterator[tuple[str, str]]:
    """Yield the classes that the module registers for a model, each with the name of the model."""
    for node in names.calls_in(-1):
        call = names.call(node)
        if call is not None and call.name.endswith("site.register") and len(call.positional) > 1:
            for model in names.elements(call.positional[0]) or call.positional[:1]:
                yield names.dotted(call.positional[1]).rpartition(".")[2], _root(names, model)


def _root(names: DeclaredNames, node: int) -> str:
    """Return the dotted name of a model, perhaps followed by its manager, at the beginning of an expression."""
    code = names.code
    for _ in range(_MAX_CHAIN):
        if node < 0 or code[node] not in (Op.CALL, Op.MEMBER):
            break
        if code[node] == Op.CALL:
            if names.dotted(code[node + 1]).rpartition(".")[2] == "get_user_model":
                return USER
            if label := _label(names, node):
                return label
            node = code[node + 1]
        elif found := names.dotted(node):
            first = node
            while code[first] == Op.MEMBER:
                first = code[first + 1]
            return _label(names, names.value(first)) or found
        else:
            node = code[node + 1]
    return _label(names, names.value(node)) or names.dotted(node)


def _label(names: DeclaredNames, node: int) -> str:
    """Return the label of the model in `get_model("library", "Book")`, after `LABEL`; "" for other expressions."""
    call = names.call(node)
    if call is None or call.name.rpartition(".")[2] != "get_model":
        return ""
    texts = [names.text(each) for each in call.positional[:2]]
    return f"{LABEL}{'.'.join(texts)}".lower() if texts and all(texts) else ""
