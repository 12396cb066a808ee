"""Reads the names in expressions of a file, through its imports and variables, without other files."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from ...facts.api import UNKNOWN, ImportedName
from ...facts.expressions import FileNodes
from ...facts.model import Decl, DeclKind, FileFacts, ShapeKind
from ...facts.operations import Op, Result, ThisKind

#: Nodes that are a call or a construction.
CALLS: Final = (Op.CALL, Op.NEW)
#: The languages of Python. In these, a class field is a declaration of its own.
PYTHON: Final = ("python", "notebook")
#: The name of a function of Go that makes a value of a type.
_CONSTRUCTOR: Final = re.compile(r"[Nn]ew(?P<type>[A-Z]\w*)")
_NAMES: Final = (Op.NAME, Op.FLOW, Op.LEXICAL, Op.T_NAME)
#: Operations whose value is the value of their only operand.
_PASSING: Final = (Op.AWAIT, Op.AS, Op.NON_NULL, Op.ENTERED)
#: Maximum number of steps through variables, members and calls in which an expression is followed.
_MAX_STEPS: Final = 12
#: Maximum number of characters of a path or a name.
_MAX_TEXT: Final = 500
#: Maximum number of nested additions and templates, of nested templates, and of values in a template, whose text is read.
_MAX_JOINED: Final = 64
_MAX_TEMPLATES: Final = 4
_MAX_VALUES: Final = 4


class Handler(NamedTuple):
    """The target of a route or a service: a symbol of the file, or a name in another file."""

    symbol: int
    name: ImportedName | None
    #: The function that makes the handler, if `name` is a constant: `login` of `login(expiry)`.
    maker: ImportedName | None = None


class MethodCall(NamedTuple):
    """A call of a member: `app.get("/users")`."""

    node: int
    #: Node of the object with the member.
    receiver: int
    name: str


class Expressions(FileNodes):
    """The expressions of a file."""

    def __init__(self, facts: FileFacts) -> None:
        super().__init__(facts)
        #: Values that rules of frameworks keep for the file.
        self.memory: dict[str, object] = {}
        #: The nodes and texts for which nodes stand while one element of a loop is read.
        self.standing: Mapping[int, int | str] = {}
        #: The additions and templates whose texts are being read.
        self._joining: list[int] = []

    # ------------------------------------------------------------------ calls of members

    def method_call(self, node: int) -> MethodCall | None:
        """Return a call of a member; None for another node."""
        callee = self.code[node + 1] if self.code[node] in CALLS else -1
        if callee < 0 or self.code[callee] != Op.MEMBER:
            return None
        return MethodCall(node, self.code[callee + 1], self.string(self.code[callee + 2]))

    @cached_property
    def method_calls(self) -> Sequence[MethodCall]:
        """The calls of members in the file."""
        return [call for node in self.facts.calls if (call := self.method_call(node)) is not None]

    def _standing_node(self, node: int) -> int:
        found = self.standing.get(node, node)
        return found if isinstance(found, int) else node

    # ------------------------------------------------------------------ constants

    def text(self, node: int) -> str | None:
        """Return the text of a string, perhaps through a constant of the file; None for any other expression."""
        stated = self.standing.get(node, node)
        if isinstance(stated, str):
            return stated
        node = stated
        for _ in range(_MAX_STEPS):
            if node < 0:
                return None
            operation = self.code[node]
            if operation == Op.STRING:
                return self.string(self.code[node + 2]).strip("\"'`")[:_MAX_TEXT]
            if operation == Op.TEMPLATE or self.is_addition(node):
                if node in self._joining or len(self._joining) >= _MAX_JOINED:
                    return None  # a variable whose value contains the variable
                self._joining.append(node)
                try:
                    return self._template(node) if operation == Op.TEMPLATE else self._addition(node)
                finally:
                    self._joining.pop()
            decl = self.declaration(node)
            if decl is None or decl.kind != DeclKind.VARIABLE:
                return None
            node = decl.b
        return None

    def _addition(self, node: int) -> str | None:
        start = self.text(self.code[node + 1])
        # A left operand with an unknown text is a prefix that is known only at run time.
        end = self.code[node + 2]
        written = self.string(self.code[end + 2]).strip("\"'`") if end >= 0 and self.code[end] == Op.STRING else ""
        if start is not None and written:
            return (start + written)[:_MAX_TEXT]
        return written[:_MAX_TEXT] if written.startswith("/") else None

    def _template(self, node: int) -> str | None:
        """Return the text of a template whose values are constants of the file: `${BASE}/users`."""
        values = self.items(self.code[node + 1])
        around = sum(self.code[each] == Op.TEMPLATE for each in self._joining)
        if self.code[node + 2] < 0 or len(values) > _MAX_VALUES or around > _MAX_TEMPLATES:
            return None
        first, *rest = self.string(self.code[node + 2]).split(UNKNOWN)
        texts = [self.text(value) for value in values]
        if None in texts or len(texts) != len(rest):
            return None
        return (first + "".join(f"{text}{after}" for text, after in zip(texts, rest, strict=True)))[:_MAX_TEXT]

    def is_addition(self, node: int) -> bool:
        """Return whether an expression adds two values, perhaps texts."""
        if self.code[node] == Op.OPERATOR:
            return self.code[node + 2] >= 0 and self.string(self.code[node + 3]) == "__add__"
        return self.code[node] == Op.BINARY and self.code[node + 3] in (Result.ADDITION, Result.STRING)

    def texts(self, node: int) -> list[str]:
        """Return the texts in a list, or the text of a single string."""
        return [text for each in self.elements(node) if (text := self.text(each)) is not None]

    def elements(self, node: int) -> Sequence[int]:
        """Return the elements of a list; for another node, only the node itself."""
        node = self._standing_node(node)
        inner = self.code[node + 1] if node >= 0 and self.code[node] == Op.AS else node
        if inner >= 0 and self.code[inner] == Op.ARRAY:
            return self.items(self.code[inner + 1])
        return [node]

    def option(self, arguments: Sequence[int], names: Collection[str]) -> int:
        """Return the argument with one of `names`: a keyword, or an entry of an object; -1 if there is none."""
        for each in arguments:
            if self.code[each] == Op.PROP and self.string(self.code[each + 2]) in names:
                return self.code[each + 1]
            if self.code[each] == Op.OBJECT:
                for member in self.facts.shapes[self.code[each + 1]].members:
                    if member.name in names and member.value >= 0:
                        return member.value
        return -1

    def argument(self, arguments: Sequence[int], names: Collection[str], place: int) -> int:
        """Return the argument with one of `names`, or else the argument without a name at a position; -1 if there is none."""
        found = self.option(arguments, names)
        if found >= 0:
            return found
        unnamed = [each for each in arguments if self.code[each] != Op.PROP]
        return unnamed[place] if place < len(unnamed) else -1

    # ------------------------------------------------------------------ names

    def binding(self, node: int) -> int:
        """Return the binding of a name; -1 for other expressions."""
        return self.code[node + 1] if node >= 0 and self.code[node] in (Op.NAME, Op.FLOW, Op.T_NAME) else -1

    def name(self, node: int) -> str:
        """Return the last part of a name; "" for other expressions."""
        node = self._standing_node(node)
        if node < 0:
            return ""
        operation = self.code[node]
        if operation in (Op.NAME, Op.MEMBER, Op.LEXICAL, Op.T_NAME, Op.T_QUALIFIED):
            return self.string(self.code[node + 2])
        if operation == Op.FLOW:
            return self.string(self.code[node + 3])
        if operation in (Op.T_REFERENCE, Op.INDEX):
            return self.name(self.code[node + 1])
        return ""

    def declaration(self, node: int) -> Decl | None:
        """Return the only declaration of a name; None for other expressions, and for a name with several declarations.

        `import shop.orders` and `import shop.users` declare one name, the package `shop`.
        """
        binding = self.binding(node)
        decls = self.facts.bindings[binding].decls if binding >= 0 else ()
        if not decls:
            return None
        first = self.facts.decls[decls[0]]
        if len(decls) == 1:
            return first
        is_package = first.kind == DeclKind.IMPORT and not self.imported(first).name
        others = (self.facts.decls[each] for each in decls[1:])
        return first if is_package and all(each.kind == first.kind and each.a == first.a for each in others) else None

    def imported(self, decl: Decl) -> ImportedName:
        """Return the imported name: "" for the module itself."""
        if self.facts.imports and self._has_import_numbers:
            module = self.facts.imports[decl.a].specifier if decl.a >= 0 else ""
            name = self.string(decl.b)
            return ImportedName("" if name == "*" else name, module)
        return ImportedName(self.string(decl.b) if decl.name != "*" else "", self.string(decl.a))

    @cached_property
    def _has_import_numbers(self) -> bool:
        """Whether declarations of imports contain the index of the import, as in TypeScript.

        Otherwise they contain the text of the module.
        """
        return self.facts.language not in (*PYTHON, "go", "java")

    def origin(self, node: int, steps: int = _MAX_STEPS) -> str:
        """Return the origin of a value, such as `express:Router()`; "" if the file does not show the origin."""
        if node < 0 or steps <= 0:
            return ""
        code, operation = self.code, self.code[node]
        if operation in CALLS:
            inner = self.origin(code[node + 1], steps - 1)
            return f"{inner}()" if inner else ""
        if operation in _PASSING or operation == Op.T_REFERENCE:
            return self.origin(code[node + 2] if operation == Op.AS and code[node + 1] < 0 else code[node + 1], steps - 1)
        if operation in (Op.MEMBER, Op.T_QUALIFIED):
            member = self.member(node)
            if member is not None:
                return self._of_value(member.value, member.type, steps)
            inner = self.origin(code[node + 1], steps - 1)
            return f"{inner}{'' if inner.endswith(':') else '.'}{self.string(code[node + 2])}" if inner else ""
        if operation == Op.ELEMENT and code[node + 3] == 0 and self.facts.language == "go":  # `client, err := open()`
            return self.origin(code[node + 1], steps - 1)
        if operation == Op.REQUIRE:
            entry = code[node + 1]
            return f"{self.facts.imports[entry].specifier}:" if entry >= 0 else ""
        decl = self.declaration(node) if operation in _NAMES else None
        if decl is None:
            return ""
        if decl.kind == DeclKind.IMPORT:
            name = self.imported(decl)
            return f"{name.module}:{'' if name.name == 'default' else name.name}"
        if decl.kind in (DeclKind.VARIABLE, DeclKind.PARAMETER):
            value = decl.b if decl.kind == DeclKind.VARIABLE else -1
            return self._of_value(value, decl.a, steps)
        return ""

    def _of_value(self, value: int, written: int, steps: int) -> str:
        found = self.origin(value, steps - 1)
        if not found and written >= 0:
            typed = self.origin(written, steps - 1)
            found = f"{typed}()" if typed else ""
        return found

    # ------------------------------------------------------------------ members

    def member(self, node: int) -> _Field | None:
        """Return the class field that `this.x` names; None if no class of the file declares the field."""
        code = self.code
        if code[node] != Op.MEMBER or code[node + 1] < 0:
            return None
        shape = self.class_of(code[node + 1])
        name = self.string(code[node + 2])
        return self._fields.get((shape, name)) if shape else None

    def class_of(self, node: int) -> str:
        """Return the name of the class of a receiver that the file declares; "" for other values."""
        code = self.code
        if code[node] == Op.THIS and code[node + 1] in (ThisKind.INSTANCE, ThisKind.STATIC):
            return self.facts.shapes[code[node + 2]].name
        decl = self.declaration(node)
        if decl is None or decl.kind not in (DeclKind.VARIABLE, DeclKind.PARAMETER):
            return ""
        if self._is_receiver(decl):
            return self._receivers.get(decl.name + str(decl.position), "")
        return self.name(decl.a) if decl.a >= 0 else ""

    def own_class(self, node: int) -> str:
        """Return the class around a method for `this` or its receiver; "" for other values."""
        if self.code[node] == Op.THIS:
            return self.class_of(node)
        if self.code[node] == Op.SUPER and self.code[node + 1] in (ThisKind.INSTANCE, ThisKind.STATIC):
            return self.facts.shapes[self.code[node + 2]].name
        decl = self.declaration(node)
        return self.class_of(node) if decl is not None and self._is_receiver(decl) else ""

    def receivers_before(self, function: int) -> int:
        """Return the number of parameters of a function that are receivers: 1 for most methods in Go and Python, else 0."""
        parameters = self.facts.functions[function].parameters
        decl = parameters[0].decl if parameters else -1
        return int(decl >= 0 and self._is_receiver(self.facts.decls[decl]))

    def _is_receiver(self, decl: Decl) -> bool:
        return decl.name + str(decl.position) in self._receivers

    @cached_property
    def _receivers(self) -> Mapping[str, str]:
        """The classes of the first parameters of methods, by the name and position of the parameter."""
        found: dict[str, str] = {}
        if self._has_import_numbers or self.facts.language == "java":
            return found
        for shape in self.facts.shapes:
            if shape.kind not in (ShapeKind.CLASS, ShapeKind.EXTENSION):
                continue
            for member in shape.members:
                if member.function >= 0 and not member.static:
                    parameters = self.facts.functions[member.function].parameters
                    if parameters and parameters[0].decl >= 0:
                        decl = self.facts.decls[parameters[0].decl]
                        found[decl.name + str(decl.position)] = shape.name
        return found

    @cached_property
    def _fields(self) -> Mapping[tuple[str, str], _Field]:
        found: dict[tuple[str, str], _Field] = {}
        for shape in self.facts.shapes:
            if shape.kind in (ShapeKind.CLASS, ShapeKind.EXTENSION):
                for member in shape.members:
                    if member.function < 0:
                        value = member.value if member.value < 0 or self.code[member.value] != Op.PARAMETER else -1
                        if value < 0 and member.static and member.extra >= 0 and self.facts.language in PYTHON:
                            declared = self.facts.decls[member.extra]
                            value = declared.b if declared.kind == DeclKind.VARIABLE else -1
                        found[shape.name, member.name] = _Field(shape.name, value, member.type)
        for each in self.facts.expandos:
            target = each.target
            if self.code[target] == Op.MEMBER and self.code[target + 1] >= 0:
                owner = self.class_of(self.code[target + 1])
                name = self.string(self.code[target + 2])
                if owner and found.get((owner, name), _NO_FIELD).value < 0:
                    written = found.get((owner, name), _NO_FIELD).type
                    found[owner, name] = _Field(owner, each.value, written)
        return found

    @cached_property
    def methods(self) -> Mapping[tuple[str, str], int]:
        """The symbols of methods, and of properties with a value, by the names of class and member."""
        return {
            (shape.name, member.name): member.symbol
            for shape in self.facts.shapes
            for member in shape.members
            if member.symbol >= 0 and shape.name and (member.function >= 0 or member.value >= 0)
        }

    # ------------------------------------------------------------------ handlers

    def handler(self, node: int, steps: int = _MAX_STEPS) -> Handler | None:
        """Return the function, class or name to which an argument refers; None for any other argument."""
        node = self._standing_node(node)
        if node < 0 or steps <= 0:
            return None
        code, operation = self.code, self.code[node]
        if operation == Op.FUNCTION:
            own = self.facts.functions[code[node + 1]].symbol
            return Handler(own if own >= 0 else self.owner(node), None)
        if operation in _PASSING:
            return self.handler(code[node + 2] if operation == Op.AS and code[node + 1] < 0 else code[node + 1], steps - 1)
        if operation == Op.CLASS:
            symbol = self.facts.shapes[code[node + 1]].symbol
            return Handler(symbol, None) if symbol >= 0 else None
        if operation == Op.ARRAY:
            items = self.items(code[node + 1])
            return self.handler(items[-1], steps - 1) if items else None
        if operation == Op.PROP:
            return self.handler(code[node + 1], steps - 1)
        if operation == Op.CALL:
            return self._wrapped(node, steps)
        if operation == Op.MEMBER:
            return self._of_member(node, steps)
        decl = self.declaration(node)
        if decl is None:
            return self._unbound(node)
        if decl.kind == DeclKind.IMPORT:
            name = self.imported(decl)
            return Handler(-1, name) if name.name else None
        if decl.kind in (DeclKind.FUNCTION, DeclKind.CLASS) and decl.symbol >= 0:
            return Handler(decl.symbol, None)
        if decl.kind == DeclKind.VARIABLE and decl.b >= 0:
            inner = self.handler(decl.b, steps - 1)
            is_own = inner is not None and inner.name is None and decl.symbol >= 0
            if is_own or inner is None:
                return Handler(decl.symbol, None) if is_own else None
            return Handler(inner.symbol, inner.name)
        return None

    def name_of(self, handler: Handler) -> ImportedName:
        """Return the name of a handler in the file."""
        return handler.name or ImportedName(self.local_name(handler.symbol))

    def local_name(self, symbol: int) -> str:
        """Return the name of a symbol, behind the name of its class if it is a method."""
        fact = self.facts.symbols[symbol]
        return f"{self._owners[symbol]}.{fact.name}" if symbol in self._owners else fact.name

    @cached_property
    def _owners(self) -> Mapping[int, str]:
        """The classes of methods, by the symbol of the method."""
        return {symbol: owner for (owner, _), symbol in self.methods.items()}

    def symbol_of(self, handler: Handler, node: int) -> int:
        """Return the symbol of a handler. If another file declares the handler, return the symbol around the registering node."""
        return handler.symbol if handler.name is None else self.owner(node)

    def _unbound(self, node: int) -> Handler | None:
        """Return a name that another file of the package declares, if files of the language share the names of their package."""
        if self.facts.package and self.code[node] in (Op.NAME, Op.LEXICAL) and self.code[node + 1] < 0:
            return Handler(-1, ImportedName(self.name(node)))
        return None

    def _wrapped(self, node: int, steps: int) -> Handler | None:
        """Return the function that a call wraps: `handle(list)`, `list.bind(this)`, `http.HandlerFunc(list)`,
        `Users.as_view()`.
        """
        callee = self.code[node + 1]
        if callee >= 0 and self.code[callee] == Op.MEMBER and self.string(self.code[callee + 2]) in ("bind", "as_view", "asView"):
            return self.handler(self.code[callee + 1], steps - 1)
        arguments = self.items(self.code[node + 2])
        if arguments and self.name(callee) == "NewServer" and "go-kit/kit/transport" in self.origin(callee):
            made = arguments[0]  # Go kit: `NewServer(addUserEndpoint(service), decode, encode)`
            return self.handler(self.code[made + 1] if self.code[made] == Op.CALL else made, steps - 1)
        for argument in reversed(arguments):
            found = self.handler(argument, steps - 1) if self._may_be_called(argument) else None
            if found is not None:
                return self._with_maker(found, callee, steps)
        # The called function creates the handler, and is recorded in place of the handler: `login_handler(database)`.
        return self.handler(callee, steps - 1) if callee >= 0 and self.code[callee] in (Op.MEMBER, Op.NAME, Op.FLOW) else None

    def _with_maker(self, found: Handler, callee: int, steps: int) -> Handler:
        """Return a handler that is an argument of a call, with the called function if another file declares the handler."""
        if not self.facts.package or found.name is None or found.maker is not None or callee < 0:
            return found
        maker = self.handler(callee, steps - 1)
        return Handler(found.symbol, found.name, self.name_of(maker)) if maker is not None else found

    def _may_be_called(self, node: int) -> bool:
        return self.code[node] in (Op.FUNCTION, Op.MEMBER, Op.NAME, Op.FLOW, Op.CALL, Op.LEXICAL)

    def _of_member(self, node: int, steps: int) -> Handler | None:
        code = self.code
        name, outer = self.string(code[node + 2]), code[node + 1]
        if outer < 0:
            return None
        typed = self.type_of(outer)
        owner = self.class_of(outer) or self._made_class(outer) or (typed.name if typed is not None and not typed.module else "")
        if owner:
            symbol = self.methods.get((owner, name), -1)
            if symbol >= 0:
                return Handler(symbol, None)
            field = self._fields.get((owner, name))
            if field is not None:
                return self.handler(field.value, steps - 1)
        module = self._required(outer)
        if module:
            return Handler(-1, ImportedName(name, module))
        typed = typed or self._constructed(outer, steps)
        if typed is not None:
            return Handler(-1, ImportedName(f"{typed.name}.{name}", typed.module))
        inner = self.handler(outer, steps - 1)
        if inner is None:
            decl = self.declaration(outer)
            if decl is not None and decl.kind == DeclKind.IMPORT:
                return Handler(-1, ImportedName(name, self.imported(decl).module))
            return None
        if inner.name is not None:
            return Handler(-1, ImportedName(f"{inner.name.name}.{name}", inner.name.module))
        outer_name = self.facts.symbols[inner.symbol].name
        found = self.methods.get((outer_name, name), -1)
        return Handler(found, None) if found >= 0 else Handler(-1, ImportedName(f"{outer_name}.{name}"))

    def _constructed(self, node: int, steps: int) -> ImportedName | None:
        """Return the type of a variable of Go by the name of the function that makes its value: `NewHandler` of another file."""
        decl = self.declaration(node) if self.facts.language == "go" else None
        value = decl.b if decl is not None and decl.kind == DeclKind.VARIABLE else -1
        maker = self.handler(self.code[value + 1], steps - 1) if value >= 0 and self.code[value] in CALLS else None
        if maker is None or maker.name is None:
            return None
        made = _CONSTRUCTOR.fullmatch(maker.name.name)
        return ImportedName(made["type"], maker.name.module) if made is not None else None

    def _required(self, node: int) -> str:
        """Return the module that an expression requires, perhaps through a variable: `require("./users")`; "" for others."""
        decl = self.declaration(node)
        value = decl.b if decl is not None and decl.kind == DeclKind.VARIABLE else node
        if value < 0 or self.code[value] != Op.REQUIRE or self.code[value + 1] < 0:
            return ""
        return self.facts.imports[self.code[value + 1]].specifier

    def _made_class(self, node: int) -> str:
        """Return the class of the file whose new object is the value of a variable; "" for other values."""
        decl = self.declaration(node)
        value = decl.b if decl is not None and decl.kind == DeclKind.VARIABLE else node
        if value < 0 or self.code[value] not in CALLS:
            return ""
        made = self.declaration(self.code[value + 1])
        return made.name if made is not None and made.kind == DeclKind.CLASS else ""

    def type_of(self, node: int) -> ImportedName | None:
        """Return the class of a variable or a field, from its written type, or from a new object as its value."""
        code = self.code
        value, written = -1, -1
        if code[node] == Op.MEMBER:
            field = self.member(node)
            if field is not None:
                value, written = field.value, field.type
        elif code[node] in CALLS:
            value = node
        else:
            decl = self.declaration(node)
            if decl is not None and decl.kind in (DeclKind.VARIABLE, DeclKind.PARAMETER):
                value, written = decl.b if decl.kind == DeclKind.VARIABLE else -1, decl.a
        if written >= 0:
            return self.named_type(written)
        if value >= 0 and code[value] == Op.ELEMENT and code[value + 3] == 0:  # `handler, err := newHandler()`
            value = code[value + 1]
        if value >= 0 and code[value] in CALLS:
            callee = code[value + 1]
            made = self._result_of(callee)
            if made is not None:
                return made
            name = self.name(callee)
            if name[:1].isupper() and not name.startswith("New"):
                return self.named_type(callee)
        return None

    def _result_of(self, callee: int) -> ImportedName | None:
        """Return the class that a called function of the file returns, by its written type."""
        decl = self.declaration(callee)
        if decl is None or decl.kind != DeclKind.FUNCTION or decl.symbol not in self._return_types:
            return None
        return self.result_type(self._return_types[decl.symbol])

    def result_type(self, written: int) -> ImportedName | None:
        """Return the class of a written result, or of the first of several results as in `(*Server, error)`."""
        if written >= 0 and self.code[written] == Op.T_TUPLE:
            items = self.items(self.code[written + 1])
            written = items[0] if items else -1
        return self.named_type(written) if written >= 0 else None

    @cached_property
    def _return_types(self) -> Mapping[int, int]:
        """The written results of functions by their symbol."""
        return {each.symbol: each.return_type for each in self.facts.functions if each.symbol >= 0 and each.return_type >= 0}

    def named_type(self, node: int) -> ImportedName | None:
        """Return the class that a written type names."""
        code = self.code
        if code[node] in (Op.T_REFERENCE, Op.INSTANTIATION):
            node = code[node + 1]
        if code[node] == Op.MEMBER and code[node + 1] >= 0:
            decl = self.declaration(code[node + 1])
            if decl is not None and decl.kind == DeclKind.IMPORT:
                return ImportedName(self.string(code[node + 2]), self.imported(decl).module)
            return None
        name = self.name(node)
        decl = self.declaration(node)
        if decl is not None and decl.kind == DeclKind.IMPORT:
            found = self.imported(decl)
            return found if found.name else None
        return ImportedName(name) if name and code[node] in _NAMES else None


class _Field(NamedTuple):
    """A field of a class: nodes of its value and of its written type, -1 for none."""

    owner: str
    value: int
    type: int


_NO_FIELD: Final = _Field("", -1, -1)
