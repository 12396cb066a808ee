"""Lower the parameters of functions, and lambdas."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from ....facts.model import DeclKind, Function, Parameter
from ....facts.operations import Op
from ....symbols.byte_ranges import between
from .bound_names import no_names
from .context import PythonContext, ScopeKind
from .dispatch import lower_annotation, lower_expression
from .flow import Flow
from .grammar import KINDS

#: Generic classes of Django that annotations often name without the model as type argument.
_QUERY_SETS: Final = frozenset((b"QuerySet", b"Manager", b"BaseManager", b"RelatedManager"))


def stated_annotation(cx: PythonContext, node: Node | None) -> int:
    """Lower an annotation.

    Return -1 for an annotation that is less precise than the value, such as a query set of Django without a model.
    """
    found = lower_annotation(cx, node)
    text = b"" if node is None else between(cx.data, node.start_byte, node.end_byte)
    if text.rpartition(b".")[2] not in _QUERY_SETS:
        return found
    first = text.partition(b".")[0].decode()
    binding, _ = cx.find(first)
    decls = [cx.decls[each] for each in cx.bindings[binding].decls] if binding >= 0 else []
    is_of_django = any(each.kind == DeclKind.IMPORT and cx.strings[each.a].startswith("django.") for each in decls)
    return -1 if is_of_django else found


def new_function(cx: PythonContext, position: int, *, is_arrow: bool = False, symbol: int = -1) -> int:
    """Add a function and return its index."""
    cx.functions.append(Function(symbol, [], [], -1, [], [], -1, False, False, is_arrow, True, False, position))
    return len(cx.functions) - 1


#: Default value and annotation of each parameter, by the offset of the parameter.
Defaults = dict[int, tuple[int, int]]


def lowered_defaults(cx: PythonContext, parameters: Node | None) -> Defaults:
    """Lower default values and annotations in the scope around the function."""
    found: Defaults = {}
    for node in parameters.named_children if parameters is not None else ():
        if KINDS[node.kind_id] == "identifier":
            continue
        annotation, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        if annotation is not None or value is not None:
            found[node.start_byte] = (stated_annotation(cx, annotation), lower_expression(cx, value))
    return found


def lower_parameters(cx: PythonContext, parameters: Node | None, function: int, defaults: Defaults) -> list[Parameter]:
    """Declare the parameters of a function in its scope.

    Stars before a name mark a parameter for further arguments. A parameter named `*` precedes keyword-only parameters, and a
    parameter named `/` follows positional-only parameters.
    """
    found: list[Parameter] = []
    for node in parameters.named_children if parameters is not None else ():
        kind = KINDS[node.kind_id]
        if kind in ("keyword_separator", "positional_separator"):
            found.append(Parameter("*" if kind == "keyword_separator" else "/", -1, -1, -1, False, False))
            continue
        stars = ""
        name: Node | None = node
        if kind in ("typed_parameter", "default_parameter", "typed_default_parameter"):
            name = node.child_by_field_name("name") or next(iter(node.named_children), None)
        if name is not None and KINDS[name.kind_id] in ("list_splat_pattern", "dictionary_splat_pattern"):
            stars = "*" if KINDS[name.kind_id] == "list_splat_pattern" else "**"
            name = next(iter(name.named_children), None)
        if name is None or KINDS[name.kind_id] != "identifier":
            continue
        annotation, default = defaults.get(node.start_byte, (-1, -1))
        text = cx.name_of(name)
        if text not in cx.py_scope.names:
            cx.py_scope.names[text] = cx.new_binding(text)
        if annotation >= 0 and not stars:
            cx.annotation_of[cx.py_scope.names[text]] = annotation
        value = cx.emit(Op.PARAMETER, function, -1, len(found), name.start_byte)
        decl = cx.declare(cx.py_scope.names[text], DeclKind.PARAMETER, text, annotation, value, function, name.start_byte)
        found.append(Parameter(stars + text, decl, annotation, default, default >= 0, bool(stars)))
    return found


def lower_lambda(cx: PythonContext, node: Node) -> int:
    """Lower a lambda."""
    parameters = node.child_by_field_name("parameters")
    defaults = lowered_defaults(cx, parameters)
    bound = no_names()
    body = node.child_by_field_name("body")
    if body is not None:
        bound.local.update(cx.bound(body).local)
    flow, loops = cx.flow, cx.loops
    scope = cx.enter_scope(ScopeKind.FUNCTION, bound)
    cx.flow, cx.loops = Flow(), []
    function = new_function(cx, node.start_byte, is_arrow=True)
    scope.owner = function
    cx.functions[function].parameters = lower_parameters(cx, parameters, function, defaults)
    cx.functions[function].returns = [lower_expression(cx, body)]
    assert scope.parent is not None
    cx.py_scope = scope.parent
    cx.flow, cx.loops = flow, loops
    return cx.emit(Op.FUNCTION, function, -1, -1, node.start_byte)
