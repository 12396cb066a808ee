"""Lower declarations: variables, functions, type aliases, namespaces, and `declare` forms."""

from __future__ import annotations

from tree_sitter import Node

from ....facts.model import Decl, DeclKind, Meaning
from ....facts.operations import ContextKind, Op
from ....symbols.byte_ranges import between
from ....symbols.headers import header, keyword_modifiers, member_state, place, value_header
from ....symbols.states import Placement, SymbolState
from .classes import CLASS_NODES, lower_class, lower_class_declaration
from .context import COMPONENT_LANGUAGES, Context
from .dispatch import first_inner, inner_nodes, lower_annotation, lower_expression, lower_statement, two_fields
from .enum_values import enum_values
from .functions import describe_function, inner_function, lower_function, lower_inner_function, lower_type_parameters
from .imports import string_value
from .patterns import bind_pattern
from .shapes import lower_enum, lower_interface
from .type_structure import type_structure

FUNCTION_DECLARATIONS = frozenset(("function_declaration", "generator_function_declaration", "function_signature"))
VARIABLE_STATEMENTS = frozenset(("lexical_declaration", "variable_declaration", "using_declaration"))
NAMESPACES = frozenset(("module", "internal_module"))
DECLARATIONS = (
    FUNCTION_DECLARATIONS
    | VARIABLE_STATEMENTS
    | NAMESPACES
    | frozenset(
        (
            "class_declaration",
            "abstract_class_declaration",
            "interface_declaration",
            "type_alias_declaration",
            "enum_declaration",
            "import_alias",
            "ambient_declaration",
        )
    )
)


def lower_declaration(cx: Context, node: Node, placement: Placement) -> list[int]:
    """Lower a declaration with its content, and return the new symbols. Local variables have no symbols."""
    kind = cx.tables.kinds[node.kind_id]
    if kind in FUNCTION_DECLARATIONS:
        return [lower_function_declaration(cx, node, placement)]
    if kind in VARIABLE_STATEMENTS:
        return lower_variables(cx, node, placement)
    if kind in CLASS_NODES:
        return [lower_class_declaration(cx, node, placement)]
    if kind == "interface_declaration":
        return [lower_interface(cx, node, placement)]
    if kind == "type_alias_declaration":
        return [_alias(cx, node, placement)]
    if kind == "enum_declaration":
        return [_enum(cx, node, placement)]
    if kind in NAMESPACES:
        return [_namespace(cx, node, placement)]
    if kind == "import_alias":
        return [_import_alias(cx, node, placement)]
    return _ambient(cx, node, placement)


def lower_function_declaration(cx: Context, node: Node, placement: Placement) -> int:
    """Lower a function declaration or overload signature and return its symbol.

    Later signatures of a name join its symbol.
    """
    name_node = node.child_by_field_name("name")
    if placement.default and name_node is not None and node.type == "function_signature" and cx.text(name_node) == "unction":
        name_node = None  # an edit gives `export default function(): T;` a name for the grammar
    name = cx.text(name_node) if name_node is not None else "default"
    state = SymbolState(name, "function", -1, node.start_byte, node.end_byte, node.start_byte, (name_node or node).start_byte)
    state.has_body = node.child_by_field_name("body") is not None
    place(cx, state, placement)
    state.modifiers += [word for word in keyword_modifiers(cx, node) if word not in state.modifiers]
    describe_function(cx, state, node, node.start_byte)
    symbol = cx.open_symbol(state)
    decl = Decl(DeclKind.FUNCTION, name, symbol, len(cx.functions), -1, -1, state.name_position)
    if name_node is not None:
        cx.declare(name, Meaning.VALUE, decl)
        if not cx.strict:
            cx.hoist_function(name)
    else:
        cx.decls.append(decl)
    if cx.documented is not None and name_node is not None:
        for overload in cx.documented.overloads(cx, node, symbol):
            cx.declare(name, Meaning.VALUE, Decl(DeclKind.FUNCTION, name, symbol, overload, -1, -1, state.name_position))
    decl.a = len(cx.functions)
    lower_function(cx, node, symbol)
    cx.close_symbol()
    return symbol


def lower_variables(cx: Context, node: Node, placement: Placement) -> list[int]:
    """Lower `const a = 1, { b } = c`.

    Variables are symbols at the root and in namespaces. Elsewhere, only variables whose values are functions or classes are
    symbols.
    """
    parts = node.children
    declarators = [child for child in parts if child.is_named and cx.tables.kinds[child.kind_id] == "variable_declarator"]
    keyword = cx.tables.kinds[parts[0].kind_id] if parts else "var"
    code = _KEYWORD_CODES.get(keyword, 1)
    if not cx.at_root():
        before = len(cx.decls)
        single = _declarator(cx, declarators[0], code, placement) if len(declarators) == 1 else []
        for declarator in declarators if len(declarators) > 1 else ():
            known = len(cx.decls)
            _declarator(cx, declarator, code, Placement(declarator))
            cx.listed_variables.append((declarator.start_byte, declarator.end_byte, known, len(cx.decls)))
        # A semicolon may begin the next line. The statement ends before the semicolon, because the next line belongs to other
        # code.
        semicolon_apart = parts[-1].type == ";" and parts[-1].start_point[0] > declarators[-1].end_point[0]
        end = declarators[-1].end_byte if semicolon_apart else node.end_byte
        cx.local_statements.append((node.start_byte, end, before, len(cx.decls), len(declarators) > 1))
        return single
    if len(declarators) == 1:
        return _declarator(cx, declarators[0], code, placement)
    return [_grouped(cx, node, declarators, code, placement)]


def _grouped(cx: Context, node: Node, declarators: list[Node], code: int, placement: Placement) -> int:
    """Make a symbol for a statement with several declarators, and inner symbols for the declarators."""
    names = ", ".join(cx.text(name) for child in declarators if (name := child.child_by_field_name("name")) is not None)
    state = SymbolState(
        " ".join(names.split()), _variable_kind(code), -1, node.start_byte, node.end_byte, node.start_byte, node.start_byte
    )
    place(cx, state, placement)
    state.signature = header(cx, node.start_byte, node.end_byte)
    symbol = cx.open_symbol(state)
    for declarator in declarators:
        _declarator(cx, declarator, code, Placement(declarator, (), placement.exported))
    cx.close_symbol()
    return symbol


_KEYWORDS = {1: "const", 2: "let", 3: "var"}
_KEYWORD_CODES = {"const": 1, "let": 2, "var": 3}

#: Last names of functions that turn a component into another component.
_COMPONENT_WRAPPERS = frozenset(("memo", "forwardRef", "observer", "lazy"))


def wraps_component(cx: Context, name: str, value: Node) -> bool:
    """Return whether a value is `memo(…)` or `React.forwardRef(…)` for a capitalized name, in a file that may contain JSX."""
    callee = value.child_by_field_name("function") if value.type == "call_expression" else None
    if callee is None or not name[:1].isupper() or cx.language not in COMPONENT_LANGUAGES:
        return False
    last = callee.child_by_field_name("property") if callee.type == "member_expression" else callee
    return last is not None and cx.text(last) in _COMPONENT_WRAPPERS


def wrapped_component(cx: Context, value: Node) -> str:
    """Return the name of the component in `memo(function Name() {})`, or "" for any other value."""
    arguments = value.child_by_field_name("arguments") if value.type == "call_expression" else None
    given = first_inner(arguments) if arguments is not None else None
    if given is None:
        return ""
    if given.type == "call_expression":
        return wrapped_component(cx, given)
    name = given.child_by_field_name("name") if given.type == "function_expression" else None
    text = cx.text(name) if name is not None else ""
    return text if wraps_component(cx, text, value) else ""


def _variable_kind(code: int) -> str:
    return "const" if code == 1 else "variable"


def _declarator(cx: Context, node: Node, code: int, placement: Placement) -> list[int]:
    name, value_node = _name_and_value(cx, node)
    if name is None:
        return []
    if name.type != "identifier":
        return _pattern(cx, node, name, value_node, code, placement)
    function = inner_function(cx, value_node)
    is_class = value_node is not None and cx.tables.kinds[value_node.kind_id] == "class"
    text = cx.text(name)
    if not (function is not None or is_class or cx.level == 0):
        _plain_variable(cx, node, text, value_node, None, code, -1)
        return []
    kind = "function" if function is not None else "class" if is_class else _variable_kind(code)
    state = SymbolState(text, kind, -1, node.start_byte, node.end_byte, placement.node.start_byte, name.start_byte)
    place(cx, state, placement)
    start = placement.node.start_byte
    if value_node is not None and is_class:
        describe_function(cx, state, value_node, start)
        return [_class_variable(cx, node, state, value_node, code)]
    if function is not None:
        state.has_body = True
        describe_function(cx, state, function, start)
    else:
        state.kind = "component" if value_node is not None and wraps_component(cx, text, value_node) else kind
        state.signature = value_header(cx, start, value_node, node.end_byte)
    symbol = cx.open_symbol(state)
    _plain_variable(cx, node, text, value_node, function, code, symbol)
    cx.close_symbol()
    return [symbol]


def _name_and_value(cx: Context, node: Node) -> tuple[Node | None, Node | None]:
    parts = node.children
    if len(parts) == 3 and cx.tables.kinds[parts[1].kind_id] == "=":
        return parts[0], parts[2]
    return two_fields(node, "name", "value")


def _plain_variable(
    cx: Context, node: Node, text: str, value_node: Node | None, function: Node | None, code: int, symbol: int
) -> None:
    """Lower a variable whose value may be a function."""
    decl = Decl(DeclKind.VARIABLE, text, symbol, -1, -1, code, node.start_byte)  # a declarator begins with its name
    cx.declare(text, Meaning.VALUE, decl, cx.scopes[cx.scope].hoist if code == 3 else None)
    if value_node is None or node.child_count > 3:
        decl.a = lower_annotation(cx, node.child_by_field_name("type"))
    if decl.a < 0 and cx.documented is not None:
        decl.a = cx.documented.declared_type(cx, node)
    if value_node is None:
        return
    if function is not None:
        decl.b = lower_inner_function(cx, value_node, function, symbol)
    else:
        decl.b = lower_expression(cx, value_node)
    if decl.a >= 0:
        cx.expect(decl.b, ContextKind.ANNOTATED, decl.a)
        return
    if code == 1:
        cx.note_condition(text, decl.b)
    if cx.documented is not None:
        cx.documented.satisfy(cx, node, decl.b)


def _class_variable(cx: Context, node: Node, state: SymbolState, value_node: Node, code: int) -> int:
    decl = Decl(DeclKind.VARIABLE, state.name, -1, -1, -1, code, state.name_position)
    cx.declare(state.name, Meaning.VALUE, decl, cx.scopes[cx.scope].hoist if code == 3 else None)
    shape, symbol = lower_class(cx, value_node, state, False)
    decl.symbol = symbol
    outer = cx.symbol
    cx.own(symbol)
    decl.a = lower_annotation(cx, node.child_by_field_name("type"))
    cx.own(outer)
    decl.b = cx.emit(Op.CLASS, shape, -1, -1, value_node.start_byte)
    return symbol


def _pattern(cx: Context, node: Node, pattern: Node, value_node: Node | None, code: int, placement: Placement) -> list[int]:
    at_root = cx.at_root()
    symbol = -1
    if at_root:
        text = " ".join(cx.text(pattern).split())
        start = placement.node.start_byte
        state = SymbolState(text, _variable_kind(code), -1, node.start_byte, node.end_byte, start, pattern.start_byte)
        place(cx, state, placement)
        state.signature = value_header(cx, start, value_node, node.end_byte)
        symbol = cx.open_symbol(state)
    annotation = lower_annotation(cx, node.child_by_field_name("type"))
    if annotation < 0 and cx.documented is not None:
        annotation = cx.documented.declared_type(cx, node)
    value = lower_expression(cx, value_node) if value_node is not None else -1
    if annotation >= 0:
        cx.expect(value, ContextKind.ANNOTATED, annotation)
        value = cx.emit(Op.AS, value, annotation, 0, pattern.start_byte)

    def declare(name: Node, part: int) -> None:
        text = cx.text(name)
        own = -1
        if at_root:
            child = member_state(cx, _variable_kind(code), text, name, name, ())
            child.exported = placement.exported
            child.modifiers = ["exported"] if placement.exported else []
            child.signature = f"{_KEYWORDS[code]} {text}"
            own = cx.leaf_symbol(child)
        decl = Decl(DeclKind.VARIABLE, text, own, -1, part, code, name.start_byte)
        cx.declare(text, Meaning.VALUE, decl, cx.scopes[cx.scope].hoist if code == 3 else None)

    bind_pattern(cx, pattern, value, declare)
    if at_root:
        cx.close_symbol()
    return [symbol] if at_root else []


def _alias(cx: Context, node: Node, placement: Placement) -> int:
    name_node, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    name = cx.text(name_node) if name_node is not None else ""
    state = SymbolState(name, "type", -1, node.start_byte, node.end_byte, node.start_byte, (name_node or node).start_byte)
    place(cx, state, placement)
    state.signature = header(cx, node.start_byte, node.end_byte).rstrip("; ")
    symbol = cx.open_symbol(state)
    decl = Decl(DeclKind.ALIAS, name, symbol, -1, -1, -1, state.name_position)
    index = cx.declare(name, Meaning.TYPE, decl)
    outer = cx.open_scope()
    decl.b = cx.list_of(lower_type_parameters(cx, node.child_by_field_name("type_parameters")))
    if value is not None:
        cx.members_have_symbols = True
        decl.a = lower_annotation(cx, value)
        cx.members_have_symbols = False
        cx.type_parts += type_structure(cx, index, value)
    cx.scope = outer
    cx.close_symbol()
    return symbol


def _enum(cx: Context, node: Node, placement: Placement) -> int:
    shape, body = len(cx.shapes), node.child_by_field_name("body")
    symbol = lower_enum(cx, node, placement)
    if body is not None:
        cx.enum_values += enum_values(cx, shape, cx.shapes[shape].name, body)
    return symbol


def _namespace(cx: Context, node: Node, placement: Placement) -> int:
    """Lower `namespace A.B {}`, `module A {}` or `declare module "x" {}` and return its symbol.

    A dotted name makes nested symbols.
    """
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    end = node.end_byte
    if body is None and (body := _body_below(cx, node)) is not None:
        cx.bodies.add(body.start_byte)
        end = body.end_byte
    ambient = string_value(cx, name_node).decode() if name_node is not None and name_node.type == "string" else ""
    text = ambient or (cx.text(name_node) if name_node is not None else "")
    state = SymbolState(text, "namespace", -1, node.start_byte, end, node.start_byte, (name_node or node).start_byte)
    place(cx, state, placement)
    state.has_body = True
    state.body = body.start_byte if body is not None else -1
    state.signature = header(cx, node.start_byte, body.start_byte if body is not None else node.end_byte)
    symbol = cx.open_symbol(state)
    outer = cx.scope
    position = (name_node or node).start_byte
    if ambient:
        cx.open_scope(True)
        cx.scopes[cx.scope].ambient = ambient
    else:
        for index, part in enumerate(text.split(".")):
            _enter_namespace(cx, part.strip(), symbol, position, exported=index > 0 or placement.exported)
    if body is not None:
        lower_namespace_body(cx, body)
    cx.scope = outer
    cx.close_symbol()
    return symbol


def _body_below(cx: Context, node: Node) -> Node | None:
    """Return the body of a `namespace A` whose brace is on the next line.

    The grammar ends the statement at the end of the first line.
    """
    statement = node.parent
    block = statement.next_sibling if statement is not None and statement.type == "expression_statement" else None
    if block is None or block.type != "statement_block":
        return None
    return block if not between(cx.source, node.end_byte, block.start_byte).strip() else None


def _enter_namespace(cx: Context, name: str, symbol: int, position: int, exported: bool) -> None:
    """Declare a namespace and enter its scope. A second block of the same namespace has the same scope."""
    binding = cx.scopes[cx.scope].names.get(name)
    earlier = [
        cx.decls[decl].a
        for decl in (cx.bindings[binding].decls if binding is not None else ())
        if cx.decls[decl].kind == DeclKind.NAMESPACE
    ]
    if exported and name not in cx.scopes[cx.scope].exported:
        cx.scopes[cx.scope].exported.append(name)
    decl = Decl(DeclKind.NAMESPACE, name, symbol, -1, -1, -1, position)
    cx.declare(name, Meaning.VALUE | Meaning.NAMESPACE, decl)
    if earlier:
        cx.scope = earlier[0]
    else:
        cx.open_scope(True)
    decl.a = cx.scope


def lower_namespace_body(cx: Context, body: Node) -> None:
    """Lower the statements of a namespace, an ambient module or `declare global`."""
    comments: list[Node] = []
    outer_level, cx.level = cx.level, 0
    for child in body.named_children:
        if child.type == "comment":
            comments.append(child)
            continue
        if child.start_byte in cx.bodies:
            continue
        cx.comments = comments
        lower_statement(cx, child)
        comments = []
    cx.comments = []
    cx.level = outer_level


def _import_alias(cx: Context, node: Node, placement: Placement) -> int:
    """Lower `import A = N.B`."""
    inner = inner_nodes(node)
    name = cx.text(inner[0]) if inner else ""
    position = inner[0].start_byte if inner else node.start_byte
    state = SymbolState(name, "import", -1, node.start_byte, node.end_byte, node.start_byte, position)
    place(cx, state, placement)
    state.signature = header(cx, node.start_byte, node.end_byte)
    symbol = cx.open_symbol(state)
    target = _alias_target(cx, inner[1]) if len(inner) > 1 else -1
    decl = Decl(DeclKind.IMPORT_ALIAS, name, symbol, target, -1, -1, position)
    cx.declare(name, Meaning.VALUE | Meaning.TYPE | Meaning.NAMESPACE, decl)
    cx.close_symbol()
    return symbol


def _alias_target(cx: Context, node: Node) -> int:
    """Lower the target of `import A = …`, which may be a value, a type or a namespace."""
    if node.type == "identifier":
        return cx.type_name(cx.bytes_of(node), node.start_byte, Meaning.VALUE | Meaning.TYPE | Meaning.NAMESPACE)
    return lower_annotation(cx, node)


def _ambient(cx: Context, node: Node, placement: Placement) -> list[int]:
    """Lower `declare …` and `declare global { … }`."""
    placement.modifiers = [*placement.modifiers, "declare"]
    made: list[int] = []
    for child in inner_nodes(node):
        if child.type == "statement_block":
            made.append(_global(cx, child, placement))
        elif child.type in DECLARATIONS:
            made += lower_declaration(cx, child, placement)
        elif child.type != "property_identifier":
            lower_statement(cx, child)
    return made


def _global(cx: Context, body: Node, placement: Placement) -> int:
    state = SymbolState("global", "namespace", -1, body.start_byte, body.end_byte, body.start_byte, placement.node.start_byte)
    place(cx, state, placement)
    state.signature = "declare global"
    state.has_body = True
    state.body = body.start_byte
    symbol = cx.open_symbol(state)
    outer = cx.open_scope(True)
    cx.scopes[cx.scope].ambient = "global"
    lower_namespace_body(cx, body)
    cx.scope = outer
    cx.close_symbol()
    return symbol
