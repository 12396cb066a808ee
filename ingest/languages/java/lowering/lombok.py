"""The members that Lombok generates for the annotations of a type: accessors, constructors, builders, loggers.

A call of a generated member resolves to the field or the type with the annotation. `lombok.config` is not read, because the facts
of a file depend only on the file. https://projectlombok.org/features describes the annotations.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from tree_sitter import Node

from ....facts.model import DELEGATE, DeclKind, Member, MemberKind, Parameter, Shape, ShapeKind
from ....facts.operations import MemberFlag, Op, ThisKind, Use
from .annotations import ANNOTATIONS
from .context import JavaContext
from .grammar import child_of_kind, kind_of, modifiers_of, parts_of
from .types import new_function, primitive

#: The element `prefix` of `@Accessors`.
_PREFIX: Final = re.compile(r"prefix=(\{[^}]*\}|\"[^\"]*\")")
#: The access of a constructor that only its own file may call.
_PRIVATE: Final = re.compile(r"access=(?:(?:lombok\.)?AccessLevel\.)?PRIVATE\b")
#: A string in the element `prefix`.
_TEXT: Final = re.compile(r"\"([^\"]*)\"")
#: The type of the logger by the annotation that generates it.
_LOGGERS: Final = {
    "Slf4j": "org.slf4j.Logger",
    "XSlf4j": "org.slf4j.ext.XLogger",
    "Log": "java.util.logging.Logger",
    "Log4j": "org.apache.log4j.Logger",
    "Log4j2": "org.apache.logging.log4j.Logger",
    "CommonsLog": "org.apache.commons.logging.Log",
    "JBossLog": "org.jboss.logging.Logger",
    "Flogger": "com.google.common.flogger.FluentLogger",
}


class _Field(NamedTuple):
    """A field that is not static."""

    member: Member
    marks: dict[str, str]
    is_final: bool
    has_value: bool
    is_boolean: bool


def add_lombok_members(cx: JavaContext, node: Node, index: int) -> None:
    """Add the members that Lombok's annotations generate for a type. The body of the type must be lowered.

    Members that the type declares are not generated.
    """
    if not cx.lombok:
        return
    marks = _marks(cx, node)
    fields = _fields(cx, node, cx.shapes[index])
    body = parts_of(node.child_by_field_name("body"))
    constructors = [each for each in body if kind_of(each) == "constructor_declaration"]
    methods = [each for each in body if kind_of(each) == "method_declaration"]
    if not marks and not any(field.marks for field in fields) and not any(_marks(cx, each) for each in (*constructors, *methods)):
        return
    outer, around = cx.visible, cx.shape
    cx.shape = index
    maker = _Maker(cx, index, marks, [field for field in fields if kind_of(node) != "record_declaration"])
    maker.add_accessors()
    maker.add_constructors(bool(constructors))
    maker.add_logger()
    maker.add_delegates()
    maker.add_names_of_fields()
    values = [(field.member.name, field.member.type, field.member.symbol, field.marks) for field in fields]
    if "SuperBuilder" in marks:
        maker.add_inherited_builder(values, node.start_byte)
    elif "Builder" in marks:
        maker.add_builder(values, marks["Builder"])
    for each in (*constructors, *methods):
        text = _marks(cx, each).get("Builder")
        if text is not None:
            maker.add_builder(*_made_by(cx, index, each, text))
    if "UtilityClass" in marks:
        for member in cx.shapes[index].members:
            member.static = True
    cx.visible, cx.shape = outer, around


def _marks(cx: JavaContext, node: Node) -> dict[str, str]:
    """Return the annotations of a declaration with names of Lombok's annotations, and the text of their arguments."""
    modifiers = child_of_kind(node, "modifiers")
    found: dict[str, str] = {}
    for each in parts_of(modifiers):
        name = each.child_by_field_name("name")
        if kind_of(each) in ANNOTATIONS and name is not None:
            listed = child_of_kind(each, "annotation_argument_list")
            text = cx.bytes_of(listed).decode("utf-8", "replace") if listed is not None else ""
            path = cx.name_of(name)
            if _is_of_lombok(cx, path):
                found[path.rpartition(".")[2]] = "".join(text.split())
    return found


def _is_of_lombok(cx: JavaContext, path: str) -> bool:
    if "." in path:
        return path.startswith("lombok.")
    return (path if path in cx.imported else "*") in cx.lombok


def _fields(cx: JavaContext, node: Node, shape: Shape) -> list[_Field]:
    members = {member.position: member for member in shape.members if member.kind == MemberKind.PROPERTY}
    if kind_of(node) == "record_declaration":
        return [_Field(each, {}, True, False, False) for each in members.values() if not each.static]
    found: list[_Field] = []
    body = node.child_by_field_name("body")
    inner = [child for each in parts_of(body) if kind_of(each) == "enum_body_declarations" for child in parts_of(each)]
    for each in (*parts_of(body), *inner):
        modifiers = modifiers_of(each)
        if kind_of(each) != "field_declaration" or "static" in modifiers:
            continue
        marks = _marks(cx, each)
        written = each.child_by_field_name("type")
        is_boolean = written is not None and kind_of(written) == "boolean_type"
        for declarator in parts_of(each):
            name = declarator.child_by_field_name("name") if kind_of(declarator) == "variable_declarator" else None
            member = members.get(name.start_byte) if name is not None else None
            if member is not None:
                has_value = declarator.child_by_field_name("value") is not None
                found.append(_Field(member, marks, "final" in modifiers, has_value, is_boolean))
    return found


#: A value that a builder collects: name, type, symbol, and annotations.
_Value = tuple[str, int, int, dict[str, str]]


def _made_by(cx: JavaContext, index: int, node: Node, text: str) -> tuple[list[_Value], str, str, int]:
    """Read a constructor or a method with `@Builder`.

    Return the parameters as values, the arguments of the annotation, and the name and the type node of the result.
    """
    name, written = node.child_by_field_name("name"), node.child_by_field_name("type")
    kind = cx.bytes_of(written).decode("utf-8", "replace").partition("<")[0] if written is not None else ""
    for member in cx.shapes[index].members:
        if name is not None and member.function >= 0 and member.position == name.start_byte:
            function = cx.functions[member.function]
            values: list[_Value] = [(each.name, each.type, member.symbol, {}) for each in function.parameters]
            return values, text, kind, function.return_type
    return [], text, kind, -1


class _Maker:
    """Adds generated members to one type."""

    def __init__(self, cx: JavaContext, index: int, marks: dict[str, str], fields: Sequence[_Field]) -> None:
        self._cx = cx
        self._index = index
        self._shape: Shape = cx.shapes[index]
        self._marks = marks
        self._fields = fields
        #: Methods by name, for each type by the identity of its shape.
        self._methods: dict[int, dict[str, list[Member]]] = {}

    def _has(self, *names: str) -> bool:
        return any(name in self._marks for name in names)

    def _own_type(self, index: int) -> int:
        """Emit a type of the file with its own type parameters, as the type of `this`."""
        return self._cx.emit(Op.THIS, ThisKind.INSTANCE, index, -1, self._shape.position)

    def _method(
        self, shape: Shape, name: str, parameters: Sequence[tuple[str, int]], result: int, symbol: int, *, is_static: bool = False
    ) -> None:
        """Add a method, unless the type has a method with the name. Lombok also ignores parameters here."""
        if name not in self._methods_of(shape):
            self._add_method(shape, name, parameters, result, symbol, is_static=is_static)

    def _accessor(self, name: str, parameters: Sequence[tuple[str, int]], result: int, symbol: int) -> None:
        """Add an accessor, unless the type has a method with the name that takes as many arguments, as Lombok compares."""
        for each in self._methods_of(self._shape).get(name, ()):
            written = self._cx.functions[each.function].parameters
            is_variadic = bool(written) and written[-1].rest
            if len(written) == len(parameters) or (is_variadic and len(parameters) >= len(written) - 1):
                return
        self._add_method(self._shape, name, parameters, result, symbol)

    def _methods_of(self, shape: Shape) -> dict[str, list[Member]]:
        found = self._methods.get(id(shape))
        if found is None:
            found = self._methods[id(shape)] = {}
            for each in shape.members:
                if each.kind == MemberKind.METHOD:
                    found.setdefault(each.name, []).append(each)
        return found

    def _add_method(
        self, shape: Shape, name: str, parameters: Sequence[tuple[str, int]], result: int, symbol: int, *, is_static: bool = False
    ) -> None:
        cx, position = self._cx, self._shape.position
        function = new_function(cx, symbol, position)
        facts = cx.functions[function]
        facts.return_type, facts.has_body = result, True
        facts.parameters = [Parameter(text, -1, kind, -1, False, False) for text, kind in parameters]
        decl = cx.add_declaration(DeclKind.FUNCTION, name, function, -1, -1, position)
        member = Member(name, MemberKind.METHOD, is_static, False, symbol, function, -1, -1, position, decl)
        self._methods_of(shape).setdefault(name, []).append(member)
        shape.members.append(member)

    def add_accessors(self) -> None:
        """Add getters, setters and `with…` of fields."""
        void = primitive(self._cx, b"void", self._shape.position)
        for field in self._fields:
            member, marks = field.member, field.marks
            accessors = marks.get("Accessors", self._marks.get("Accessors", ""))
            is_fluent = "fluent=true" in accessors
            is_chained = is_fluent or "chain=true" in accessors
            stem = _without_prefix(member.name, accessors)
            if not stem:
                continue
            bare = stem.removeprefix("is")
            if field.is_boolean and bare != stem and bare[:1].isupper():
                stem = bare[:1].lower() + bare[1:]
            upper = stem[:1].upper() + stem[1:]
            if "Getter" in marks or self._has("Getter", "Data", "Value"):
                name = stem if is_fluent else f"{'is' if field.is_boolean else 'get'}{upper}"
                if "AccessLevel.NONE" not in marks.get("Getter", ""):
                    self._accessor(name, [], member.type, member.symbol)
            is_set = "Setter" in marks or self._has("Setter", "Data")
            if is_set and not field.is_final and not self._has("Value") and "AccessLevel.NONE" not in marks.get("Setter", ""):
                result = self._own_type(self._index) if is_chained else void
                name = stem if is_fluent else f"set{upper}"
                self._accessor(name, [(member.name, member.type)], result, member.symbol)
            if "With" in marks or "Wither" in marks or self._has("With", "Wither"):
                self._accessor(f"with{upper}", [(member.name, member.type)], self._own_type(self._index), member.symbol)

    def add_constructors(self, has_own: bool) -> None:
        """Add the constructors of annotations for constructors, and of `@Data`, `@Value` and `@Builder`."""
        needed = [field for field in self._fields if not field.has_value and (field.is_final or "NonNull" in field.marks)]
        unset = [field for field in self._fields if not (field.is_final and field.has_value)]
        if self._has("Value"):
            unset = [field for field in self._fields if not field.has_value or "Default" in field.marks]
        if self._has("StandardException"):
            self._exception()
        asked = self._has("NoArgsConstructor", "RequiredArgsConstructor", "AllArgsConstructor")
        if self._has("NoArgsConstructor"):
            self._constructor([], self._marks["NoArgsConstructor"])
        if self._has("RequiredArgsConstructor") or (self._has("Data") and not asked and not has_own):
            self._constructor(needed, self._naming("RequiredArgsConstructor", "Data"))
        is_implied = self._has("Value", "Builder") and not asked and not has_own and not self._has("Data")
        if self._has("AllArgsConstructor") or is_implied:
            self._constructor(unset, self._naming("AllArgsConstructor", "Value"))

    def _naming(self, mark: str, other: str) -> str:
        """Return the arguments of the annotation for a constructor, or of an annotation that implies the constructor."""
        return self._marks.get(mark, self._marks.get(other, "").replace("staticConstructor", "staticName"))

    def _constructor(self, fields: Sequence[_Field], text: str) -> None:
        shape = self._shape
        parameters = [(field.member.name, field.member.type) for field in fields]
        name = _argument(text, "staticName")
        self._add_constructor(parameters, is_private=bool(name) or _PRIVATE.search(text) is not None)
        if name:
            self._method(shape, name, parameters, self._own_type(self._index), shape.symbol, is_static=True)

    def _add_constructor(self, parameters: Sequence[tuple[str, int]], *, is_private: bool = False) -> None:
        cx, shape = self._cx, self._shape
        function = new_function(cx, shape.symbol, shape.position)
        facts = cx.functions[function]
        facts.has_body = True
        facts.parameters = [Parameter(name, -1, kind, -1, False, False) for name, kind in parameters]
        written = [each for each in shape.members if each.kind == MemberKind.CONSTRUCTOR]
        if any(len(cx.functions[each.function].parameters) == len(parameters) == 0 for each in written):
            return
        decl = cx.add_declaration(DeclKind.FUNCTION, "<init>", function, -1, -1, shape.position)
        shape.members.append(
            Member("<init>", MemberKind.CONSTRUCTOR, False, is_private, shape.symbol, function, -1, -1, shape.position, decl)
        )

    def add_logger(self) -> None:
        """Add the field with the logger: `log`, or `logger` for Flogger."""
        cx, shape = self._cx, self._shape
        logger = next((_LOGGERS[name] for name in self._marks if name in _LOGGERS), "")
        name = "logger" if "Flogger" in self._marks else "log"
        if not logger or any(each.name == name and each.kind == MemberKind.PROPERTY for each in shape.members):
            return
        package, _, _ = logger.rpartition(".")
        # Because of a hidden import of the logger's package, the first part of the dotted name counts as a package.
        cx.add_declaration(DeclKind.IMPORT, "$log", cx.string(package.encode()), cx.string(b"$log"), 0, shape.position)
        first, *rest = logger.split(".")
        kind = cx.emit(Op.LEXICAL, cx.shape, cx.string(first.encode()), Use.READ, shape.position)
        for part in rest:
            kind = cx.emit(Op.MEMBER, kind, cx.string(part.encode()), MemberFlag.NO_USE, shape.position)
        shape.members.append(Member(name, MemberKind.PROPERTY, True, False, shape.symbol, -1, kind, -1, shape.position, -1))

    def _exception(self) -> None:
        """Add the four constructors of exceptions: with a message, a cause, both or neither."""
        cx, shape = self._cx, self._shape
        text, cause = [
            cx.emit(Op.LEXICAL, cx.shape, cx.string(name), Use.TYPE, shape.position) for name in (b"String", b"Throwable")
        ]
        for parameters in ((), (("message", text),), (("cause", cause),), (("message", text), ("cause", cause))):
            self._add_constructor(parameters)

    def add_delegates(self) -> None:
        """Add the methods of fields with `@Delegate`, to which the type delegates calls."""
        for field in self._fields:
            if "Delegate" in field.marks and field.member.type >= 0:
                member, place = field.member, self._shape.position
                self._shape.members.append(
                    Member(DELEGATE, MemberKind.DELEGATE, False, False, member.symbol, -1, member.type, -1, place, -1)
                )

    def add_names_of_fields(self) -> None:
        """Add the type `Fields`, whose constants are the names of the fields."""
        if not self._has("FieldNameConstants"):
            return
        cx = self._cx
        names = cx.shapes[self._inner_type("Fields", self._shape.symbol)]
        text = cx.emit(Op.T_NAME, -1, cx.string(b"$String"), -1, self._shape.position)
        for field in self._fields:
            member = field.member
            names.members.append(
                Member(member.name, MemberKind.PROPERTY, True, False, member.symbol, -1, text, -1, member.position, -1)
            )

    def _inner_type(self, name: str, symbol: int) -> int:
        """Return the index of a nested type. Add the nested type if it is not declared."""
        cx, shape = self._cx, self._shape
        existing = next((each for each in shape.members if each.name == name and each.kind == MemberKind.TYPE), None)
        if existing is not None:
            return cx.decls[existing.extra].a
        cx.shapes.append(Shape(ShapeKind.CLASS, name, symbol, -1, [], [], [], [], shape.position))
        index = len(cx.shapes) - 1
        cx.shapes[index].outer = self._index
        decl = cx.declare_type(DeclKind.CLASS, name, index, shape.position)
        cx.shapes[index].decl = decl
        shape.members.append(Member(name, MemberKind.TYPE, True, False, shape.symbol, -1, -1, -1, shape.position, decl))
        return index

    def add_builder(self, values: Sequence[_Value], text: str, made: str = "", kind: int = -1) -> None:
        """Add `builder()`, and the builder type with a method for each value.

        A builder creates an instance of the type, or of the type `kind` with the name `made`.
        """
        shape = self._shape
        index = self._inner_type(_argument(text, "builderClassName") or f"{made or shape.name}Builder", shape.symbol)
        own = self._own_type(index)
        self._fill_builder(index, values, own, kind if kind >= 0 else self._own_type(self._index), text)
        method = _argument(text, "builderMethodName") or "builder"
        self._method(shape, method, [], own, shape.symbol, is_static=True)
        if "toBuilder=true" in text:
            self._method(shape, "toBuilder", [], own, shape.symbol)

    def add_inherited_builder(self, values: Sequence[_Value], start: int) -> None:
        """Add a builder type that derives from the builder type of the base class. The methods of the new type return `this`.

        `abstract class ItemBuilder<C extends Item, B extends ItemBuilder<C, B>> extends BaseBuilder<C, B>`. The declaration of
        the type begins at `start`.
        """
        cx, shape = self._cx, self._shape
        text, position = self._marks["SuperBuilder"], shape.position
        index = self._inner_type(_argument(text, "builderClassName") or f"{shape.name}Builder", -1)
        builder, outer = cx.shapes[index], cx.enter()
        # Type variables are distinguished by their positions.
        made, self_type = [
            cx.declare_type(DeclKind.TYPE_PARAMETER, f"${name}", -1, at) for name, at in (("C", position), ("B", start))
        ]
        item, own = [
            cx.emit(Op.NAME, cx.visible.types[cx.decls[each].name], cx.string(cx.decls[each].name.encode()), Use.TYPE, position)
            for each in (made, self_type)
        ]
        cx.decls[made].a = self._own_type(self._index)
        cx.decls[self_type].a = cx.emit(Op.T_REFERENCE, self._own_type(index), cx.list_of([item, own]), -1, position)
        builder.type_parameters = [made, self_type]
        base = shape.extends[0] if shape.extends else -1
        if base >= 0 and cx.code[base] == Op.T_REFERENCE:
            base = cx.code[base + 1]
        if base >= 0 and cx.code[base] in (Op.NAME, Op.LEXICAL, Op.MEMBER):
            name = cx.string(f"{cx.strings[cx.code[base + 2]]}Builder".encode())
            above = cx.emit(Op.MEMBER, base, name, MemberFlag.NO_USE, position)
            builder.extends = [cx.emit(Op.T_REFERENCE, above, cx.list_of([item, own]), -1, position)]
        self._fill_builder(index, values, own, item, text)
        cx.visible = outer
        open_type = cx.emit(Op.T_REFERENCE, self._own_type(index), cx.list_of([-1, -1]), -1, position)
        self._method(shape, _argument(text, "builderMethodName") or "builder", [], open_type, shape.symbol, is_static=True)
        if "toBuilder=true" in text:
            self._method(shape, "toBuilder", [], open_type, shape.symbol)

    def _fill_builder(self, index: int, values: Sequence[_Value], own: int, made: int, text: str) -> None:
        """Add the methods of a builder type. The methods for values return `own`, and `build` returns `made`."""
        cx, shape = self._cx, self._shape
        builder = cx.shapes[index]
        for field, kind, symbol, marks in values:
            self._method(builder, field, [(field, kind)], own, symbol)
            if "Singular" in marks:
                items = cx.items(cx.code[kind + 2]) if kind >= 0 and cx.code[kind] == Op.T_REFERENCE else []
                single = _argument(marks["Singular"], "value") or _singular(field)
                self._method(builder, single, [(f"item{place}", each) for place, each in enumerate(items)], own, symbol)
        self._method(builder, _argument(text, "buildMethodName") or "build", [], made, shape.symbol)


def _argument(text: str, name: str) -> str:
    """Return the string in an element of an annotation: `of` in `(staticName="of")`; "" if there is none."""
    start = text.find(f'{name}="')
    if start < 0:
        is_alone = name == "value" and text.startswith('("')
        return text.removeprefix('("').removesuffix('")') if is_alone else ""
    return text[start + len(name) + 2 :].partition('"')[0]


def _without_prefix(name: str, accessors: str) -> str:
    """Return the name of a field without the prefix in `@Accessors(prefix = "m")`; "" if the field lacks the prefix."""
    listed = _PREFIX.search(accessors)
    prefixes = _TEXT.findall(listed[1]) if listed is not None else []
    for prefix in prefixes:
        rest = name[len(prefix) :]
        if name.startswith(prefix) and rest and (not prefix or not prefix[-1].isalpha() or not rest[0].islower()):
            return rest[:1].lower() + rest[1:] if prefix else rest
    return name if not prefixes else ""


def is_value(cx: JavaContext, node: Node | None) -> bool:
    """Return whether a type node is Lombok's `val`, which means `final var`."""
    return node is not None and cx.bytes_of(node) == b"val" and _is_of_lombok(cx, "val")


def _singular(name: str) -> str:
    return f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")
