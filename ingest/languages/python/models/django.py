"""The models of Django in one file: https://docs.djangoproject.com/en/stable/ref/models/fields/."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....facts.mapped_tables import MappedField, MappedKey, MappedModel, ModelKind
from ....facts.model import FileFacts
from .declared import Attribute, Call, DeclaredClass, DeclaredNames
from .django_bindings import bound_models
from .hints import ABSTRACT, is_setting

#: Every file with models imports at least one of these modules.
_MODULES: Final = ("django.db", "django.contrib.gis.db", "django.contrib.postgres", "django.apps")
#: Option of a class with a constructor, which may choose another size for the column of a field.
CONSTRUCTED: Final = "__init__"
#: Options of a class of fields whose method with that name returns a text: the type of the column, and the class of Django's
#: fields that has the same type: https://docs.djangoproject.com/en/stable/howto/custom-model-fields/.
COLUMN_TYPE: Final = "db_type"
FIELD_TYPE: Final = "get_internal_type"
#: Size of a column that an expression computes, in place of the size that the class of the field gives otherwise.
UNKNOWN_SIZE: Final = "()"
#: Value of a setting that names a class: `library.Reader`.
_CLASS: Final = re.compile(r"(?:[a-zA-Z_]\w*\.)+[A-Z]\w*")
#: Options of `Meta` that only models have.
_OPTIONS: Final = frozenset(
    ("abstract", "app_label", "constraints", "db_table", "indexes", "managed", "proxy", "unique_together", "verbose_name_plural")
)
#: How names of fields end that refer to another model, in Django and in other packages.
RELATIONS: Final = ("ForeignKey", "OneToOneField", "ManyToManyField", "ParentalKey")
#: Django's own actions on the rows that refer to a deleted row.
_RULES: Final = {"CASCADE": "CASCADE", "SET_NULL": "SET NULL", "SET_DEFAULT": "SET NULL", "SET": "SET NULL"}
#: How names of fields without a column end.
_WITHOUT_COLUMN: Final = ("GenericForeignKey", "GeneratedField")
#: The other side of a relation to rows of any model. The model with the relation has no column for it.
_GENERIC: Final = "GenericRelation"
#: Field of the package django-taggit, which joins any model with tags: https://django-taggit.readthedocs.io/.
_TAGS: Final = "TaggableManager"
#: Placeholder for the target of a relation to tags. The real target is the target of the field `tag` of the join model.
TAG_OF_JOIN: Final = "tag of join"


def add_django_models(facts: FileFacts) -> None:
    """Add the models, applications and settings of Django that a file declares to its facts about data."""
    names = DeclaredNames(facts)
    reading = DjangoReading(names)
    models = [*reading.settings(), *reading.models()]
    models += bound_models(names, {each.symbol: each for each in models})
    if models:
        facts.own_data().models += models


class DjangoReading:
    """Reads the models of a file, and fields and keys outside of models, as in migrations."""

    def __init__(self, names: DeclaredNames) -> None:
        self._names = names
        #: Symbols of classes with a constructor.
        self._constructed = {each.parent for each in names.facts.symbols if each.name == "__init__"}

    def settings(self) -> list[MappedModel]:
        return [
            MappedModel("django", each.name, ModelKind.SETTING, each.symbol, self._line(each.symbol), table=text)
            for each in self._names.variables()
            if is_setting(each.name) and _CLASS.fullmatch(text := self._names.text(each.value))
        ]

    def models(self) -> list[MappedModel]:
        imports_models = any(each.specifier.startswith(_MODULES) for each in self._names.facts.imports)
        found = [
            self._model(each)
            for each in self._names.classes()
            if each.shape.extends and (imports_models or self._is_likely(each))
        ]
        return [*found, *(self._made_managers() if imports_models else ()), *self._made_models()]

    def _made_models(self) -> Iterator[MappedModel]:
        """Yield the variables that a function makes from an abstract model: `Topic = model_factory(AbstractTopic)`."""
        for each in self._names.variables():
            call = self._names.call(each.value)
            base = self._names.dotted(call.positional[0]) if call is not None and len(call.positional) == 1 else ""
            if base.rpartition(".")[2] == f"{ABSTRACT}{each.name}":
                yield MappedModel("django", each.name, ModelKind.TABLE, each.symbol, self._line(each.symbol), bases=[base])

    def _made_managers(self) -> Iterator[MappedModel]:
        """Yield the variables of the module that are classes of managers: `BookManager = Manager.from_queryset(BookQuerySet)`."""
        for each in self._names.variables():
            bases = self._combined(each.value)
            if bases:
                yield MappedModel("django", each.name, ModelKind.TABLE, each.symbol, self._line(each.symbol), bases=bases)

    def _combined(self, node: int) -> list[str]:
        """Return the manager and the class of query sets that `Manager.from_queryset(BookQuerySet)` combines."""
        call = self._names.call(node)
        manager, _, method = call.name.rpartition(".") if call is not None else ("", "", "")
        if call is None or method != "from_queryset":
            return []
        return [name for name in (manager, self._names.dotted(call.argument("queryset_class", 0))) if name]

    def _is_likely(self, cls: DeclaredClass) -> bool:
        """Return whether a class in a file without imports of models may be a model or an application."""
        meta = self._names.nested(cls, "Meta")
        has_options = meta is not None and any(each.name in _OPTIONS for each in meta.attributes)
        bases = [base.rpartition(".")[2] for base in cls.bases]
        return has_options or any(base.endswith("AppConfig") or base.startswith(ABSTRACT) for base in bases)

    def _line(self, symbol: int) -> int:
        return self._names.facts.symbols[symbol].declaration_line

    def _model(self, cls: DeclaredClass) -> MappedModel:
        symbol = cls.shape.symbol
        bases = [name for base in cls.shape.extends for name in self._combined(base) or [self._names.base_name(base)] if name]
        model = MappedModel("django", cls.shape.name, ModelKind.TABLE, symbol, self._line(symbol), bases=bases)
        if any(base.rpartition(".")[2].endswith("AppConfig") for base in cls.bases):
            self._application(cls, model)
            return model
        if symbol in self._constructed:
            model.options = {CONSTRUCTED: ""}
        for method in cls.methods:
            if method.name in (COLUMN_TYPE, FIELD_TYPE) and (text := self._names.text(method.returned)):
                model.options = {**model.options, method.name: text.lower() if method.name == COLUMN_TYPE else text}
        for attribute in cls.attributes:
            if self._names.is_none(attribute.value):  # removes the field of a base
                model.overrides = {**model.overrides, attribute.name: ""}
            call = self._names.call(attribute.value)
            for name in self._combined(self._names.callee(attribute.value)):
                model.fields.append(MappedField(attribute.name, attribute.symbol, self._line(attribute.symbol), name))
            own = call.name.rpartition(".")[2] if call is not None else ""
            if own == "as_manager":  # a manager from a class of query sets
                own = call.name.split(".")[-2] if call is not None and "." in call.name else ""
            if call is not None and own == _GENERIC:
                target = self._target(call.argument("to", 0))
                line = self._line(attribute.symbol)
                model.relations.append(MappedField(attribute.name, attribute.symbol, line, call.name, target=target))
            elif call is not None and own[:1].isupper() and not own.endswith(_WITHOUT_COLUMN):  # the class may be a field
                model.fields.append(self.field(attribute, call))
        meta = self._names.nested(cls, "Meta")
        if meta is not None:
            self._meta(meta, model)
        if model.kind == ModelKind.TABLE and self._names.is_for_type_checkers(cls.shape):
            model.kind = ModelKind.PROXY
        return model

    def _application(self, cls: DeclaredClass, model: MappedModel) -> None:
        model.kind = ModelKind.APPLICATION
        values = {each.name: self._names.text(each.value) for each in cls.attributes}
        model.name = values.get("label") or values.get("name", "").rpartition(".")[2]
        model.table = values.get("default_auto_field", "")

    def field(self, attribute: Attribute, call: Call) -> MappedField:
        """Return the field that a call declares."""
        names = self._names
        field = MappedField(attribute.name, attribute.symbol, self._line(attribute.symbol), call.name)
        field.column = names.text(call.named.get("db_column", -1))
        field.nullable = names.is_true(call.named.get("null", -1))
        field.is_primary = names.is_true(call.named.get("primary_key", -1))
        field.is_unique = names.is_true(call.named.get("unique", -1))
        own = call.name.rpartition(".")[2]
        is_relation = own.endswith(RELATIONS) and not own.endswith(_WITHOUT_COLUMN)
        by_default = is_relation or own == "SlugField"
        written = call.named.get("db_index", -1)
        field.is_indexed = names.is_true(written) if written >= 0 else by_default
        field.column_type = self._size(call)
        item = self._item(call)
        if item is not call:
            field.type, field.column_type, field.is_list = item.name, self._size(item), True
        if is_relation:
            target = call.argument("to", 0)
            field.target = self._target(target) or "?"
            field.has_foreign_key = not names.is_false(call.named.get("db_constraint", -1))
            field.target_fields = [text] if (text := names.text(call.named.get("to_field", -1))) else []
            field.is_list = own.endswith("ManyToManyField")
            through = call.named.get("through", -1)
            field.through = names.text(through) or names.dotted(through)
            field.relation = names.text(call.named.get("db_table", -1))
            field.on_delete = _RULES.get(names.dotted(call.argument("on_delete", 1)).rpartition(".")[2], "")
            field.inverse = names.text(call.named.get("related_name", -1))
            field.inverse_lookup = names.text(call.named.get("related_query_name", -1))
        elif own.endswith(_TAGS) and "through" in call.named:
            through = call.named["through"]
            field.through = names.text(through) or names.dotted(through)
            field.target, field.is_list, field.has_foreign_key = TAG_OF_JOIN, True, False
        return field

    def _target(self, node: int) -> str:
        """Return the name of a relation's target: written, in a variable of the file, or that of the model of users."""
        names = self._names
        for value in dict.fromkeys((node, names.value(node))):
            call = names.call(value)
            if call is not None and call.name.rpartition(".")[2] == "get_user_model":
                return "settings.AUTH_USER_MODEL"
            if found := names.text(value) or (names.dotted(value) if value != node else ""):
                return found
        return names.dotted(node)

    def _size(self, call: Call) -> str:
        """Return the size of a column. The size is in parentheses after the type."""
        names = self._names
        if call.name.endswith("DecimalField"):
            digits, places = (names.number(call.named.get(each, -1)) for each in ("max_digits", "decimal_places"))
            return f"({digits},{places})" if digits and places else ""
        written = call.named.get("max_length", -1)
        length = names.number(written)
        return f"({length})" if length else UNKNOWN_SIZE if written >= 0 and not names.is_none(written) else ""

    def _meta(self, meta: DeclaredClass, model: MappedModel) -> None:
        names = self._names
        model.inherits_keys = bool(meta.bases)
        for each in meta.attributes:
            if each.name == "db_table":
                model.table = names.text(each.value).strip('"')
            elif each.name == "app_label":
                model.application = names.text(each.value)
            elif each.name == "swappable":
                model.options = {**model.options, each.name: names.text(each.value)}
            elif each.name in ("abstract", "proxy") and names.is_true(each.value):
                model.kind = each.name
            elif each.name in ("unique_together", "index_together"):
                model.keys += self.keys_together(each.name.removesuffix("_together"), each)
            elif each.name in ("indexes", "constraints"):
                for inner in names.elements(each.value):
                    call = names.call(inner)
                    if call is not None:
                        self.key(each, call, model)

    def _item(self, call: Call) -> Call:
        """Return the field of the items of a list, which may consist of lists; the field itself if it is no list."""
        while call.name.rpartition(".")[2] == "ArrayField":
            inner = self._names.call(call.argument("base_field", 0))
            if inner is None:
                break
            call = inner
        return call

    def keys_together(self, kind: str, attribute: Attribute) -> list[MappedKey]:
        """Return the keys over several fields in the value of an option: one tuple of names, or several tuples."""
        names = self._names
        flat = names.texts(attribute.value)
        several = [flat] if flat else [names.texts(inner) for inner in names.elements(attribute.value)]
        return [MappedKey(kind, fields, attribute.symbol, self._line(attribute.symbol)) for fields in several]

    def key(self, attribute: Attribute, call: Call, model: MappedModel) -> None:
        """Add the constraint or index that a call declares to a model."""
        names = self._names
        own = call.name.rpartition(".")[2]
        if own != "UniqueConstraint" and not own.endswith("Index"):
            return
        written = names.texts(call.named.get("fields", -1))
        fields = [each.lstrip("-") for each in written]
        if not fields and not call.positional:
            return
        is_unique = own == "UniqueConstraint"
        is_partial = bool(call.positional) or bool({"condition", "include", "opclasses"} & call.named.keys())
        name = names.text(call.named.get("name", -1))
        kind = "unique" if is_unique else "index"
        key = MappedKey(kind, fields, attribute.symbol, self._line(attribute.symbol), name, is_unique and is_partial)
        key.descending = [each[1:] for each in written if each.startswith("-")]
        key.method = own.removesuffix("Index").lower() if not is_unique else ""
        model.keys.append(key)
