"""Lower functions, classes, type aliases and imports."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from tree_sitter import Node

from ....facts.model import DeclKind, Member, MemberKind, Reach, Shape, ShapeKind
from ....facts.operations import Op
from .attribute_symbols import add_attribute_symbols
from .bound_names import no_names
from .context import PyScope, PythonContext, ScopeKind
from .dispatch import lower_annotation, lower_expression
from .flow import Flow
from .functions import lower_parameters, lowered_defaults, new_function, stated_annotation
from .grammar import KINDS
from .type_comments import add_commented_types

#: An assignment to an attribute of a name, which may be the receiver.
_ASSIGNED: Final = re.compile(rb"\b(\w+)\.\w+ ?(?::[^=\n]{0,200})?=(?!=)")
#: Lowers the statements of a body.
Body = Callable[[PythonContext, Node], None]


def lower_function(cx: PythonContext, node: Node, decorators: Sequence[int], body_of: Body) -> None:
    """Lower `def`. Decorators, defaults and annotations belong to the scope around it."""
    name = node.child_by_field_name("name")
    if name is None:
        return
    symbol = cx.symbol_places.get(name.start_byte, -1)
    function = new_function(cx, name.start_byte, symbol=symbol)
    facts = cx.functions[function]
    facts.is_async = KINDS[node.children[0].kind_id] == "async"
    outer = cx.py_scope
    owner = cx.own(symbol) if symbol >= 0 else cx.symbol
    parameters, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
    type_scope = _type_parameters(cx, node, facts.type_parameters)
    defaults = lowered_defaults(cx, parameters)
    facts.return_type = stated_annotation(cx, node.child_by_field_name("return_type"))
    add_commented_types(cx, parameters, defaults, facts)
    cx.py_scope = outer
    text = cx.name_of(name)
    cx.own(owner)
    listed = cx.list_of(decorators) if decorators else -1
    cx.declare(cx.binding_to_write(text), DeclKind.FUNCTION, text, function, listed, -1, name.start_byte)
    flow, loops, was_skipped = cx.flow, cx.loops, cx.is_skipped
    cx.is_skipped = False
    cx.own(symbol if symbol >= 0 else owner)
    cx.py_scope = type_scope or outer
    receiver = _first_name(cx, parameters) if outer.kind == ScopeKind.CLASS else ""
    is_read = body is not None and (not cx.reads_declarations or _says_types(cx, node, body, receiver))
    scope = cx.enter_scope(ScopeKind.FUNCTION, cx.bound(body) if body is not None and is_read else no_names())
    scope.owner = function
    cx.flow, cx.loops = Flow(), []
    facts.parameters = lower_parameters(cx, parameters, function, defaults)
    if outer.kind == ScopeKind.CLASS:
        scope.shape = outer.owner
        names = {_decorator_name(cx, decorator) for decorator in decorators}
        if "staticmethod" not in names and facts.parameters:
            first = facts.parameters[0].name
            scope.receiver = first if first.isidentifier() else ""
            scope.receiver_is_class = "classmethod" in names or text in ("__new__", "__init_subclass__", "__class_getitem__")
    if body is not None and is_read:
        body_of(cx, body)
    for elsewhere in (*scope.bound.declared_global, *scope.bound.declared_nonlocal):
        cx.shared.add(cx.find(elsewhere)[0])
    facts.returns, facts.yields = scope.returns, scope.yields
    facts.is_generator = bool(scope.yields)
    facts.falls_through = cx.flow.is_reached
    facts.has_body = body is not None and not _is_stub(body)
    cx.py_scope = outer
    cx.flow, cx.loops, cx.is_skipped = flow, loops, was_skipped
    cx.own(owner)
    if outer.kind == ScopeKind.CLASS:
        _add_member(cx, outer, text, function, symbol, decorators, name.start_byte)


def _first_name(cx: PythonContext, parameters: Node | None) -> str:
    """Return the name of the first parameter, "" if there is none."""
    first = parameters.named_children[0] if parameters is not None and parameters.named_children else None
    while first is not None and KINDS[first.kind_id] != "identifier":
        first = first.named_children[0] if first.named_children else None
    return cx.name_of(first) if first is not None else ""


def _says_types(cx: PythonContext, node: Node, body: Node, receiver: str) -> bool:
    """Return whether the body of a function shows types: the result has no annotation, or the body assigns attributes."""
    if node.child_by_field_name("return_type") is None:
        return True
    name = receiver.encode()
    return bool(name) and any(each[1] == name for each in _ASSIGNED.finditer(cx.data, body.start_byte, body.end_byte))


def _is_stub(body: Node) -> bool:
    statements = [child for child in body.named_children if KINDS[child.kind_id] != "comment"]
    for statement in statements:
        inner = KINDS[statement.named_children[0].kind_id] if statement.named_children else ""
        if KINDS[statement.kind_id] != "expression_statement" or inner not in ("ellipsis", "string"):
            return False
    return bool(statements)


def _decorator_name(cx: PythonContext, node: int) -> str:
    code = cx.code
    if code[node] == Op.CALL:
        node = code[node + 1]
    if node < 0 or code[node] not in (Op.NAME, Op.FLOW, Op.MEMBER):
        return ""
    return cx.strings[code[node + 3] if code[node] == Op.FLOW else code[node + 2]]


def _add_member(
    cx: PythonContext, scope: PyScope, name: str, function: int, symbol: int, decorators: Sequence[int], position: int
) -> None:
    names = [_decorator_name(cx, decorator) for decorator in decorators]
    kind = MemberKind.METHOD
    if name == "__init__":
        kind = MemberKind.CONSTRUCTOR
    elif "setter" in names or "deleter" in names:
        kind = MemberKind.SETTER
    decl = cx.bindings[scope.names[name]].decls[-1] if name in scope.names else len(cx.decls) - 1
    cx.shapes[scope.owner].members.append(Member(name, kind, False, False, symbol, function, -1, -1, position, decl))


def _type_parameters(cx: PythonContext, node: Node, found: list[int]) -> PyScope | None:
    """Declare the type parameters of `def f[T](…)`, `class C[T]:` and `type A[T] = …` in a scope around the declaration."""
    parameters = node.child_by_field_name("type_parameters")
    if parameters is None and KINDS[node.kind_id] == "type_alias_statement":
        left = node.child_by_field_name("left")
        inner = left.named_children[0] if left is not None and left.named_children else None
        if inner is not None and KINDS[inner.kind_id] == "generic_type" and len(inner.named_children) == 2:
            parameters = inner.named_children[1]
    if parameters is None:
        return None
    scope = cx.enter_scope(ScopeKind.COMPREHENSION, no_names())
    for parameter in parameters.named_children:
        first = parameter
        bound: Node | None = None
        while KINDS[first.kind_id] != "identifier" and first.named_children:
            if KINDS[first.kind_id] == "constrained_type" and len(first.named_children) == 2:
                bound = first.named_children[1]
            first = first.named_children[0]
        if KINDS[first.kind_id] != "identifier":
            continue
        text = cx.name_of(first)
        scope.names[text] = cx.new_binding(text)
        constraint = lower_annotation(cx, bound)
        cx.declare(scope.names[text], DeclKind.TYPE_PARAMETER, text, constraint, -1, -1, first.start_byte)
        found.append(len(cx.decls) - 1)
    return scope


def lower_class(cx: PythonContext, node: Node, decorators: Sequence[int], body_of: Body) -> None:
    """Lower `class`."""
    name = node.child_by_field_name("name")
    if name is None:
        return
    symbol = cx.symbol_places.get(name.start_byte, -1)
    text = cx.name_of(name)
    shape = len(cx.shapes)
    cx.shapes.append(Shape(ShapeKind.CLASS, text, symbol, -1, [], [], [], [], name.start_byte))
    facts = cx.shapes[shape]
    outer = cx.py_scope
    owner = cx.own(symbol) if symbol >= 0 else cx.symbol
    type_scope = _type_parameters(cx, node, facts.type_parameters)
    bases = node.child_by_field_name("superclasses")
    for base in bases.named_children if bases is not None else ():
        if KINDS[base.kind_id] == "keyword_argument":
            facts.implements.append(lower_expression(cx, base))
        elif KINDS[base.kind_id] != "comment":
            facts.extends.append(lower_annotation(cx, base))
    cx.py_scope = outer
    cx.own(owner)
    binding = cx.binding_to_write(text)
    facts.decl = cx.declare(
        binding, DeclKind.CLASS, text, shape, cx.list_of(decorators) if decorators else -1, -1, name.start_byte
    )
    body = node.child_by_field_name("body")
    if body is None:
        return
    cx.own(symbol if symbol >= 0 else owner)
    flow, loops, was_skipped = cx.flow, cx.loops, cx.is_skipped
    cx.is_skipped = False
    cx.py_scope = type_scope or outer
    scope = cx.enter_scope(ScopeKind.CLASS, cx.bound(body))
    scope.owner = shape
    cx.flow, cx.loops = Flow(), []
    body_of(cx, body)
    cx.end_scope(scope.names)
    named = {member.name for member in facts.members if member.function >= 0 and _is_reached(cx, member.extra)}
    for variable, index in scope.names.items():
        if variable in named:
            continue
        for decl in cx.bindings[index].decls:
            entry = cx.decls[decl]
            if entry.kind == DeclKind.FUNCTION:
                continue
            written = _annotation(entry.kind, entry.a)
            facts.members.append(
                Member(variable, MemberKind.PROPERTY, True, False, entry.symbol, -1, written, -1, entry.position, decl)
            )
    if symbol >= 0 and not cx.reads_declarations:
        add_attribute_symbols(cx, facts)
    cx.py_scope = outer
    cx.flow, cx.loops, cx.is_skipped = flow, loops, was_skipped
    cx.own(owner)


def _is_reached(cx: PythonContext, decl: int) -> bool:
    return decl < 0 or cx.decls[decl].c != Reach.NEVER


def _annotation(kind: int, annotation: int) -> int:
    return annotation if kind == DeclKind.VARIABLE else -1


def lower_type_alias(cx: PythonContext, node: Node) -> None:
    """Lower `type Alias[T] = …`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    name = left
    while name is not None and KINDS[name.kind_id] != "identifier":
        name = name.named_children[0] if name.named_children else None
    if name is None:
        return
    outer = cx.py_scope
    found: list[int] = []
    _type_parameters(cx, node, found)
    value = lower_annotation(cx, right)
    cx.py_scope = outer
    text = cx.name_of(name)
    cx.declare(cx.binding_to_write(text), DeclKind.ALIAS, text, value, cx.list_of(found), -1, name.start_byte)


def lower_import(cx: PythonContext, node: Node) -> None:
    """Lower `import a.b`, `import a.b as c` and `from a import b as c`."""
    module = node.child_by_field_name("module_name")
    specifier = "".join(cx.text(module).split()) if module is not None else ""
    for name in node.children_by_field_name("name"):
        alias = name.child_by_field_name("alias")
        dotted = name.child_by_field_name("name") if KINDS[name.kind_id] == "aliased_import" else name
        if dotted is None:
            continue
        written = "".join(cx.text(dotted).split())
        if module is not None:
            local = alias if alias is not None else dotted
            _bind(cx, local, specifier, written)
        elif alias is not None:
            _bind(cx, alias, written, "")
        else:
            # `import a.b` binds `a`, which then has the attribute `b`.
            first = dotted.named_children[0] if dotted.named_children else dotted
            _bind(cx, first, written.partition(".")[0], "")
    if any(KINDS[child.kind_id] == "wildcard_import" for child in node.children):
        _declare_all(cx, specifier, node.start_byte)


def _declare_all(cx: PythonContext, specifier: str, position: int) -> None:
    """Declare that the module imports all names of another module."""
    binding = cx.new_binding("*")
    cx.scopes[0].names.setdefault("*", binding)
    _declare_import(cx, cx.scopes[0].names["*"], "*", specifier, "*", position)


def declare_plugins(cx: PythonContext, value: int) -> None:
    """Declare imports of all names from the modules in `pytest_plugins`, because pytest finds the fixtures in them."""
    listed = cx.items(cx.code[value + 1]) if cx.code[value] == Op.ARRAY else (value,)
    for node in listed:
        if cx.code[node] == Op.STRING:
            _declare_all(cx, cx.strings[cx.code[node + 2]], cx.code[node + 4])


def _bind(cx: PythonContext, local: Node, specifier: str, imported: str) -> None:
    first = local.named_children[0] if KINDS[local.kind_id] == "dotted_name" and local.named_children else local
    text = cx.name_of(first)
    _declare_import(cx, cx.binding_to_write(text), text, specifier, imported, first.start_byte)


def _declare_import(cx: PythonContext, binding: int, name: str, specifier: str, imported: str, position: int) -> None:
    """Declare a name that an import binds. The operands are the module and the imported name, -1 for the module itself."""
    module = cx.string(specifier.encode())
    member = cx.string(imported.encode()) if imported else -1
    cx.declare(binding, DeclKind.IMPORT, name, module, member, -1, position)
