"""Answers what values are: lazily, each question once, cut off in circles and after a number of steps."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..facts.model import Decl, DeclKind, Display, Logic, Member, MemberKind, Op, Reach
from ..languages.typescript.resolve.model.program import Unit
from .program import NominalProgram
from .types import (
    NONE,
    UNKNOWN,
    Callback,
    ClassInfo,
    ClassOf,
    ClassValue,
    FunctionValue,
    Instance,
    Linear,
    ModuleValue,
    Outside,
    Overloads,
    Parent,
    Type,
    Union,
    Variable,
    Wrapped,
    parts,
    substitute,
    union,
)

#: Steps that the questions of one call site may take.
FUEL: Final = 30_000
#: Maximum depth of questions inside questions.
_MAX_DEPTH: Final = 120
_MAX_FINDINGS: Final = 12
#: Maximum depth of protocols whose members are protocols, where type variables are learned from them.
_MAX_PROTOCOLS: Final = 2
_ELLIPSIS: Final = Op.UNDEFINED

#: Names of `typing` that stand for classes of other modules.
_CLASSES: Final = {
    "List": ("builtins", "list"),
    "Dict": ("builtins", "dict"),
    "Set": ("builtins", "set"),
    "FrozenSet": ("builtins", "frozenset"),
    "Tuple": ("builtins", "tuple"),
    "Type": ("builtins", "type"),
    "Text": ("builtins", "str"),
    "DefaultDict": ("collections", "defaultdict"),
    "OrderedDict": ("collections", "OrderedDict"),
    "Deque": ("collections", "deque"),
    "Counter": ("collections", "Counter"),
    "ChainMap": ("collections", "ChainMap"),
    "Pattern": ("re", "Pattern"),
    "Match": ("re", "Match"),
    "ContextManager": ("contextlib", "AbstractContextManager"),
    "AsyncContextManager": ("contextlib", "AbstractAsyncContextManager"),
}
_SPECIAL_MODULES: Final = ("typing.", "typing_extensions.", "collections.abc.")
_TRANSPARENT: Final = frozenset(("ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "Annotated", "Unpack", "InitVar"))


#: Types of which a value may be anything.
_OPEN: Final = (Variable, Outside)
_VARIABLES: Final = frozenset(("TypeVar", "ParamSpec", "TypeVarTuple"))
_ACCESSORS: Final = frozenset(("setter", "deleter", "getter"))
#: Decorators that keep what people call.
_NEUTRAL: Final = frozenset(
    ("overload", "abstractmethod", "final", "override", "wraps", "lru_cache", "cache", "singledispatch", "no_type_check")
)


class Declaration(NamedTuple):
    """A declaration of a file."""

    unit: Unit
    place: int

    @property
    def facts(self) -> Decl:
        """What the file says of it."""
        return self.unit.decls[self.place]


class Found(NamedTuple):
    """A member that a look-up found. `symbol` is -1 if it has none."""

    unit: Unit
    symbol: int
    type: Type
    owner: ClassInfo | None
    #: Byte offset of its name.
    position: int


class NominalEngine:
    """The types of one program."""

    def __init__(self, program: NominalProgram) -> None:
        self.program: Final = program
        self._fuel = FUEL
        #: Number of call sites whose questions needed too many steps, and questions that failed, each with its file.
        self.exhausted = 0
        self.faults: list[str] = []
        self._depth = 0
        #: Questions that are being answered, with the depth at which they began.
        self._open: dict[tuple[int, int, int], int] = {}
        #: The least depth of an open question that was met again: answers found inside it may change.
        self._cut = _MAX_DEPTH + 1
        self._known: dict[tuple[int, int, int], Type] = {}
        #: For each file, the class and declaration of each function that a class body declares.
        self._home_tables: dict[int, dict[int, tuple[int, int]]] = {}
        #: For each file, the annotated result of the function around each `yield`.
        self._result_tables: dict[int, dict[int, int]] = {}
        #: For each file, the nodes of lambdas that are arguments, by function.
        self._lambda_tables: dict[int, dict[int, int]] = {}
        #: For each file, the names that its `__all__` lists.
        self._public_names: dict[int, frozenset[str] | None] = {}

    def refuel(self) -> None:
        """Begin the questions of another call site."""
        self.exhausted += self._fuel < 0
        self._fuel = FUEL

    # ------------------------------------------------------------------ questions

    def type_of(self, unit: Unit, node: int) -> Type:
        """Return the type of an expression."""
        return self._ask(0, unit, node) if node >= 0 else UNKNOWN

    def declared(self, unit: Unit, decl: int) -> Type:
        """Return what a declaration gives to its name."""
        return self._ask(1, unit, decl)

    def binding(self, unit: Unit, binding: int) -> Type:
        """Return what a name may hold anywhere in its scope."""
        return self._ask(2, unit, binding)

    def returned(self, unit: Unit, function: int) -> Type:
        """Return what a call of a function gives, before type variables are replaced."""
        return self._ask(3, unit, function)

    def annotation(self, unit: Unit, node: int) -> Type:
        """Return the type that an annotation means."""
        return self._ask(4, unit, node) if node >= 0 else UNKNOWN

    def _ask(self, kind: int, unit: Unit, index: int) -> Type:
        key = (kind, id(unit), index)
        known = self._known.get(key)
        if known is not None:
            return known
        begun = self._open.get(key)
        if begun is not None:
            self._cut = min(self._cut, begun)
            return UNKNOWN
        self._fuel -= 1
        if self._fuel < 0 or self._depth >= _MAX_DEPTH:
            self._cut = min(self._cut, 0)
            return UNKNOWN
        depth = self._depth
        self._open[key] = depth
        self._depth += 1
        outer, self._cut = self._cut, _MAX_DEPTH + 1
        try:
            if kind == 0:
                found = self._expression(unit, index)
            elif kind == 1:
                found = self._declaration(unit, index)
            elif kind == 2:
                found = self._binding(unit, index)
            elif kind == 3:
                found = self._returned(unit, index)
            else:
                found = self._annotation(unit, index)
        except Exception as fault:  # noqa: BLE001 - a bug costs one answer, not the index, and is reported
            self.faults.append(f"{unit.path}: {type(fault).__name__}: {fault}")
            found = UNKNOWN
        finally:
            self._depth = depth
            del self._open[key]
        if self._cut >= depth:  # what was met again, if anything, is this question itself
            self._known[key] = found
            self._cut = outer
        else:
            self._cut = min(self._cut, outer)
        return found

    # ------------------------------------------------------------------ names

    def _builtin(self, name: str) -> Type:
        unit = self.program.runtime("builtins")
        binding = unit.scopes[0].names.get(name) if unit is not None else None
        return self.binding(unit, binding) if unit is not None and binding is not None else Outside(f"builtins.{name}")

    def builtin(self, name: str, arguments: tuple[Type, ...] = (), module: str = "builtins") -> Type:
        """Return an instance of a class of the runtime."""
        unit = self.program.runtime(module)
        binding = unit.scopes[0].names.get(name) if unit is not None else None
        kind = self.binding(unit, binding) if unit is not None and binding is not None else UNKNOWN
        return Instance(kind.instance.cls, arguments) if isinstance(kind, ClassValue) else UNKNOWN

    def tuple_of(self, items: list[Type]) -> Type:
        """Return a tuple of known length."""
        made = self.builtin("tuple", (union(items),))
        return Instance(made.cls, made.arguments, tuple(items)) if isinstance(made, Instance) else UNKNOWN

    def _binding(self, unit: Unit, binding: int) -> Type:
        decls = unit.bindings[binding].decls
        annotated = [i for i in decls if unit.decls[i].kind == DeclKind.VARIABLE and unit.decls[i].a >= 0]
        if annotated:
            return self.declared(unit, annotated[-1])
        functions = [i for i in decls if unit.decls[i].kind == DeclKind.FUNCTION]
        if len(functions) == len(decls) and len(functions) > 1:
            return self._functions(unit, functions)
        return union([self.declared(unit, i) for i in decls])

    def _functions(self, unit: Unit, decls: list[int]) -> Type:
        """Return the function of several definitions of one name: overloads, accessors of a property, or the last ones."""
        overloads = [i for i in decls if "overload" in self._decorators(unit, i)]
        if overloads and len(decls) > 1:
            found = [self.declared(unit, i) for i in overloads]
            if all(isinstance(each, FunctionValue) for each in found):
                return Overloads(tuple([each for each in found if isinstance(each, FunctionValue)]))
            kinds = {each.kind for each in found if isinstance(each, Wrapped)}
            inner = tuple([w.value for w in found if isinstance(w, Wrapped) and isinstance(w.value, FunctionValue)])
            if len(kinds) == 1 and inner:
                return Wrapped(kinds.pop(), Overloads(tuple([each for each in inner if isinstance(each, FunctionValue)])))
        accessors = [i for i in decls if self._decorators(unit, i) & _ACCESSORS]
        others = [i for i in decls if i not in accessors]
        if accessors:
            return self.declared(unit, (others or decls)[0])
        return union([self.declared(unit, i) for i in self._last(unit, others)])

    def _last(self, unit: Unit, decls: list[int]) -> list[int]:
        """Return the definitions of one name that its scope ends with: several where branches define it."""
        ends = [i for i in decls if unit.decls[i].c == Reach.END]
        return ends if ends else decls[-1:]

    def _function_group(self, unit: Unit, decl: int) -> Type:
        """Return what a name holds behind a definition that may be the last of several overloads or accessors."""
        binding = unit.binding_of(decl)
        decls = unit.bindings[binding].decls if binding is not None else [decl]
        group = [decl]
        for other in reversed(decls[: decls.index(decl)]):
            if unit.decls[other].kind != DeclKind.FUNCTION:
                break
            names = self._decorators(unit, other)
            if "overload" not in names and not self._decorators(unit, group[0]) & _ACCESSORS:
                break
            group.insert(0, other)
        return self._functions(unit, group) if len(group) > 1 else self.declared(unit, decl)

    def _decorators(self, unit: Unit, decl: int) -> set[str]:
        found = set()
        for node in unit.items(unit.decls[decl].b):
            found.add(self.last_name(unit, unit.code[node + 1] if unit.code[node] == Op.CALL else node))
        return found

    def last_name(self, unit: Unit, node: int) -> str:
        """Return the last name of a dotted name, "" for other expressions."""
        code = unit.code
        if node >= 0 and code[node] in (Op.NAME, Op.MEMBER):
            return unit.strings[code[node + 2]]
        return unit.strings[code[node + 3]] if node >= 0 and code[node] == Op.FLOW else ""

    # ------------------------------------------------------------------ declarations

    def _declaration(self, unit: Unit, index: int) -> Type:
        decl = unit.decls[index]
        kind = decl.kind
        if kind == DeclKind.VARIABLE:
            return self._variable(unit, decl)
        if kind == DeclKind.FUNCTION:
            return self._function(unit, index)
        if kind == DeclKind.CLASS:
            info = self.program.class_info(unit, decl.a)
            return ClassValue(Instance(info, self.parameters(info)))
        if kind == DeclKind.PARAMETER:
            return self._parameter(unit, index)
        if kind == DeclKind.IMPORT:
            return self._imported(unit, decl)
        if kind == DeclKind.TYPE_PARAMETER:
            return Variable(decl.name, (unit.path, decl.position), self.annotation(unit, decl.a))
        return UNKNOWN

    def _variable(self, unit: Unit, decl: Decl) -> Type:
        if decl.a < 0:
            return self._named_variable(unit, decl) or self.type_of(unit, decl.b)
        if self.last_name(unit, decl.a) in ("TypeAlias", "Final", "ClassVar"):
            return self.type_of(unit, decl.b)
        wanted = self.annotation(unit, decl.a)
        if decl.b < 0:
            return wanted
        given = self.type_of(unit, decl.b)
        return self._assigned(wanted, given)

    def _assigned(self, wanted: Type, given: Type) -> Type:
        """Return what a name with a declared type holds after an assignment."""
        if given is UNKNOWN or isinstance(given, Outside):
            return wanted
        if wanted is UNKNOWN or isinstance(wanted, Outside):
            return given
        if given is NONE:
            return NONE if NONE in parts(wanted) else wanted
        kept = [each for each in parts(wanted) if any(self.is_subclass(g, each) is not False for g in parts(given))]
        if len(parts(given)) == 1 and isinstance(given, Instance):
            for each in parts(wanted):
                if isinstance(each, Instance) and each.cls is not given.cls and self.is_subclass(given, each):
                    return given
        return union(kept) if kept else wanted

    def _named_variable(self, unit: Unit, decl: Decl) -> Type | None:
        """Return the type variable that `T = TypeVar("T")` declares, or None for another variable."""
        code, value = unit.code, decl.b
        if value < 0 or code[value] != Op.CALL or self.last_name(unit, code[value + 1]) not in _VARIABLES:
            return None
        bound: Type = UNKNOWN
        for argument in unit.items(code[value + 2]):
            if code[argument] == Op.PROP and unit.strings[code[argument + 2]] == "bound":
                bound = self.annotation(unit, code[argument + 1])
        return Variable(decl.name, (unit.path, decl.position), bound)

    def _function(self, unit: Unit, index: int) -> Type:
        decl = unit.decls[index]
        made: Type = FunctionValue(unit, decl.a, index)
        for node in reversed(unit.items(decl.b).tolist()):
            made = self._decorate(unit, node, made)
        return made

    def _decorate(self, unit: Unit, node: int, value: Type) -> Type:
        """Return what a decorator makes of a function. One of which nothing is known keeps it."""
        name = self.last_name(unit, unit.code[node + 1] if unit.code[node] == Op.CALL else node)
        if name in ("property", "cached_property", "abstractproperty", "hybrid_property", "getter"):
            return Wrapped(Wrapped.PROPERTY, value)
        if name in ("setter", "deleter"):
            return value
        if name == "staticmethod":
            return Wrapped(Wrapped.STATIC, value)
        if name == "classmethod":
            return Wrapped(Wrapped.CLASS, value)
        if name in _NEUTRAL:
            return value
        if name in ("contextmanager", "asynccontextmanager"):
            return self._context_manager(value, is_async=name[0] == "a")
        decorator = self.type_of(unit, node)
        result = self.call(decorator, [value], {})
        kinds = parts(result)
        if result is UNKNOWN or any(isinstance(each, (Outside, Variable)) for each in kinds):
            return value
        if isinstance(value, FunctionValue) and all(isinstance(each, (Callback, FunctionValue)) for each in kinds):
            # A wrapper stands for what it wraps: that is what runs, and what people mean.
            if self._returns_its_argument(decorator):
                return value
            return union([self._made_of(each, value) for each in kinds])
        return result

    def _made_of(self, made: Type, value: FunctionValue) -> Type:
        """Note of what function a decorator made something that can be called, if nothing is known of what it calls."""
        is_open = isinstance(made, Callback) and made.function is None
        return Callback(made.result, value, made.parameters) if is_open and isinstance(made, Callback) else made

    def _returns_its_argument(self, decorator: Type) -> bool:
        return isinstance(decorator, FunctionValue) and decorator.unit.functions[decorator.function].return_type < 0

    def _context_manager(self, value: Type, *, is_async: bool) -> Type:
        if not isinstance(value, FunctionValue):
            return value
        unit, function = value.unit, value.unit.functions[value.function]
        if function.return_type >= 0:
            item = self.iterated(self.annotation(unit, function.return_type), is_async=is_async)
        else:
            item = union([self.type_of(unit, unit.code[node + 1]) for node in function.yields])
        name = "AbstractAsyncContextManager" if is_async else "AbstractContextManager"
        manager = self.builtin(name, (item,), "contextlib")
        return Callback(manager, value)

    def _parameter(self, unit: Unit, index: int) -> Type:
        decl = unit.decls[index]
        place = unit.code[decl.b + 3] if decl.b >= 0 else -1
        function = unit.functions[decl.c]
        written = function.parameters[place] if 0 <= place < len(function.parameters) else None
        if decl.a >= 0:
            kind = self.annotation(unit, decl.a)
            if written is not None and written.name.startswith("**"):
                return self.builtin("dict", (self.builtin("str"), kind))
            if written is not None and written.name.startswith("*"):
                return self.builtin("tuple", (kind,))
            return kind
        given = self._lambda_parameter(unit, decl.c, place) if function.is_arrow else UNKNOWN
        if given is not UNKNOWN:
            return given
        home = self._home_of(unit, decl.c)
        if home is not None and place == 0:
            info, kind_of = home
            if kind_of == "staticmethod":
                return UNKNOWN
            own = Variable(_SELF.name, _SELF.key, Instance(info, self.parameters(info)))
            return ClassOf(own) if kind_of == "classmethod" else own
        if home is not None and written is not None:
            inherited = self._inherited_parameter(home[0], self._method_name(unit, decl.c), written.name)
            if inherited is not UNKNOWN:
                return inherited
        if written is not None and written.name.startswith("**"):
            return self.builtin("dict", (self.builtin("str"), UNKNOWN))
        if written is not None and written.name.startswith("*"):
            return self.builtin("tuple", (UNKNOWN,))
        if written is not None and written.default >= 0:
            default = self.type_of(unit, written.default)
            return default if default is not NONE else UNKNOWN
        return UNKNOWN

    def _lambda_parameter(self, unit: Unit, function: int, place: int) -> Type:
        """Return what a function gives to a parameter of a lambda that it is called with, as its signature says."""
        node = self._lambdas(unit).get(function, -1)
        if node < 0:
            return UNKNOWN
        _, call, index = unit.contexts[node]
        callee = self._signature(self.type_of(unit, unit.code[call + 1]))
        if callee is None:
            return UNKNOWN
        wanted = self._argument_type(callee, unit, call, index)
        for part in parts(wanted):
            if isinstance(part, Callback) and place < len(part.parameters):
                return part.parameters[place]
        return UNKNOWN

    def _lambdas(self, unit: Unit) -> dict[int, int]:
        """Return the nodes of the lambdas of a file that calls are given, by function."""
        found = self._lambda_tables.get(id(unit))
        if found is None:
            code = unit.code
            found = {code[node + 1]: node for node in unit.contexts if code[node] == Op.FUNCTION}
            self._lambda_tables[id(unit)] = found
        return found

    def _signature(self, kind: Type) -> FunctionValue | None:
        """Return the function that a call of a value runs, if it is the only one."""
        if isinstance(kind, ClassValue):
            for each in self.members(kind.instance, "__init__")[:1]:
                return each.type if isinstance(each.type, FunctionValue) else None
        if isinstance(kind, Overloads):
            return kind.functions[0]
        return kind if isinstance(kind, FunctionValue) else None

    def _argument_type(self, callee: FunctionValue, unit: Unit, call: int, index: int) -> Type:
        """Return what a function wants as one of the arguments of a call, as the other arguments tell."""
        code = unit.code
        positional: list[Type] = []
        named: dict[str, Type] = {}
        key = ""
        for place, argument in enumerate(unit.items(code[call + 2])):
            if code[argument] == Op.SPREAD:
                return UNKNOWN
            value = code[argument + 1] if code[argument] == Op.PROP else argument
            kind = UNKNOWN if value >= 0 and code[value] == Op.FUNCTION else self.type_of(unit, value)
            if code[argument] == Op.PROP:
                named[unit.strings[code[argument + 2]]] = kind
                key = unit.strings[code[argument + 2]] if place == index else key
            else:
                positional.append(kind)
        written = [each for each in callee.unit.functions[callee.function].parameters if each.name != "/"]
        if callee.receiver is not None:
            written = written[1:]
        chosen = [each for place, each in enumerate(written) if (each.name == key if key else place == index)]
        if not chosen or chosen[0].type < 0 or chosen[0].name.startswith("*"):
            return UNKNOWN
        mapping = self._arguments_of(callee.owner) if callee.owner is not None else {}
        self._infer(callee, positional, named, mapping)
        if callee.receiver is not None:
            self._bind_receiver(callee, mapping)
        return substitute(self.annotation(callee.unit, chosen[0].type), mapping)

    def _inherited_parameter(self, info: ClassInfo, method: str, name: str) -> Type:
        """Return what the method that a method overrides says of a parameter of that name."""
        for ancestor in self.linear(info).order[1:]:
            unit = ancestor.cls.unit
            for member in self.members_named(ancestor.cls, method):
                for parameter in unit.functions[member.function].parameters if member.function >= 0 else ():
                    if parameter.name == name and parameter.type >= 0:
                        return substitute(self.annotation(unit, parameter.type), self._arguments_of(ancestor))
        return UNKNOWN

    def _method_name(self, unit: Unit, function: int) -> str:
        return unit.decls[self._homes(unit)[function][1]].name

    def _home_of(self, unit: Unit, function: int) -> tuple[ClassInfo, str] | None:
        """Return the class whose body declares a function, and how its first parameter is bound; None for other functions."""
        homes = self._homes(unit)
        place = homes.get(function)
        if place is None:
            return None
        shape, decl = place
        names = self._decorators(unit, decl) if decl >= 0 else set()
        kind = "staticmethod" if "staticmethod" in names else ""
        if "classmethod" in names or unit.decls[decl].name in ("__new__", "__init_subclass__", "__class_getitem__"):
            kind = "classmethod"
        return self.program.class_info(unit, shape), kind

    def _homes(self, unit: Unit) -> dict[int, tuple[int, int]]:
        found = self._home_tables.get(id(unit))
        if found is None:
            found = self._home_tables[id(unit)] = {
                member.function: (shape, member.extra)
                for shape, facts in enumerate(unit.shapes)
                for member in facts.members
                if member.function >= 0
            }
        return found

    def _imported(self, unit: Unit, decl: Decl) -> Type:
        specifier = unit.strings[decl.a]
        if decl.b < 0:
            return self.module_value(specifier, unit)
        return self.imported_name(unit, specifier, unit.strings[decl.b])

    def module_value(self, specifier: str, unit: Unit) -> Type:
        """Return the module that a specifier means in a file."""
        origin = "" if unit.external else unit.path
        return ModuleValue(specifier, origin, self.program.module(specifier, origin))

    def imported_name(self, unit: Unit, specifier: str, name: str) -> Type:
        """Return what `from specifier import name` gives in a file."""
        found = self.module_member(self.module_value(specifier, unit), name)
        return found if found is not None else Outside(f"{specifier}.{name}")

    def module_member(self, module: Type, name: str) -> Type | None:
        """Return a name of a module: what its file declares, or a module inside it; None if there is none."""
        if not isinstance(module, ModuleValue):
            return None
        declared = self.exported(module.unit, name) if module.unit is not None else None
        if declared is not None:
            return self.binding(*declared)
        separator = "" if module.name.endswith(".") else "."
        inner = f"{module.name}{separator}{name}"
        unit = self.program.module(inner, module.origin)
        if unit is not None:
            return ModuleValue(inner, module.origin, unit)
        return None if module.unit is not None else Outside(inner)

    def exported(self, unit: Unit, name: str) -> tuple[Unit, int] | None:
        """Return the binding of a name of a file, also through `from … import *`."""
        waiting, seen = [unit], set[int]()
        while waiting:
            current = waiting.pop(0)
            if id(current) in seen or not current.scopes:
                continue
            seen.add(id(current))
            names = current.scopes[0].names
            if name in names and name != "*" and (current is unit or self._is_public(current, name)):
                return current, names[name]
            if "*" in names:
                for index in current.bindings[names["*"]].decls:
                    star = self.program.module(current.strings[current.decls[index].a], "" if current.external else current.path)
                    if star is not None:
                        waiting.append(star)
        return None

    def _is_public(self, unit: Unit, name: str) -> bool:
        """Return whether `from … import *` takes a name of a file."""
        listed = self.listed_names(unit)
        return name in listed if listed is not None else name[:1] != "_"

    def listed_names(self, unit: Unit) -> frozenset[str] | None:
        """Return the names that `__all__` of a file lists; None if there is no such list, or one that is not plain."""
        if id(unit) not in self._public_names:
            binding = unit.scopes[0].names.get("__all__")
            found = set[str]()
            is_plain = binding is not None
            for index in unit.bindings[binding].decls if binding is not None else ():
                decl = unit.decls[index]
                is_plain = is_plain and decl.kind == DeclKind.VARIABLE and self._add_listed(unit, decl.b, found)
            for node in unit.facts.calls:
                callee = unit.code[node + 1]  # such as `__all__.extend(…)`
                if callee >= 0 and unit.code[callee] == Op.MEMBER and self.last_name(unit, unit.code[callee + 1]) == "__all__":
                    is_plain = False
            self._public_names[id(unit)] = frozenset(found) if is_plain else None
        return self._public_names[id(unit)]

    def _add_listed(self, unit: Unit, node: int, found: set[str]) -> bool:
        """Add the strings of a list or of a sum of lists to a set. Return whether the expression is nothing else."""
        code = unit.code
        if node < 0:
            return True
        if code[node] == Op.ARRAY:
            items = unit.items(code[node + 1]).tolist()
            found.update(unit.strings[code[item + 2]] for item in items if code[item] == Op.STRING)
            return all(code[item] == Op.STRING for item in items)
        if code[node] == Op.OPERATOR and unit.strings[code[node + 3]] == "__add__":
            return self._add_listed(unit, code[node + 1], found) and self._add_listed(unit, code[node + 2], found)
        return code[node] in (Op.NAME, Op.FLOW) and self.last_name(unit, node) == "__all__"  # the list before `+=`

    # ------------------------------------------------------------------ functions

    def _returned(self, unit: Unit, index: int) -> Type:
        function = unit.functions[index]
        if function.return_type >= 0:
            result = self.annotation(unit, function.return_type)
            if function.is_async and not function.is_generator:
                return self.builtin("Coroutine", (UNKNOWN, UNKNOWN, result), "typing")
            return result
        if not function.has_body:
            return UNKNOWN
        returns = [self.type_of(unit, node) for node in function.returns]
        if function.falls_through:
            returns.append(NONE)
        result = union(returns)
        if function.is_generator:
            items = [
                self.type_of(unit, unit.code[node + 1])
                if unit.code[node + 3] != 1
                else self.iterated(self.type_of(unit, unit.code[node + 1]))
                for node in function.yields
            ]
            name = "AsyncGenerator" if function.is_async else "Generator"
            return self.builtin(name, (union(items), UNKNOWN, result), "typing")
        return self.builtin("Coroutine", (UNKNOWN, UNKNOWN, result), "typing") if function.is_async else result

    def call(self, callee: Type, positional: list[Type], named: dict[str, Type]) -> Type:
        """Return what a call gives."""
        results: list[Type] = []
        for kind in parts(callee):
            results.append(self._call(kind, positional, named))
        return union(results)

    def _call(self, kind: Type, positional: list[Type], named: dict[str, Type]) -> Type:
        if isinstance(kind, FunctionValue):
            return self._call_function(kind, positional, named)
        if isinstance(kind, Overloads):
            return self._call_function(self._chosen(kind, positional, named), positional, named)
        if isinstance(kind, Callback):
            return self._call_back(kind, positional)
        if isinstance(kind, ClassValue):
            return self._construct(kind.instance, positional, named)
        if isinstance(kind, ClassOf):
            return kind.variable
        if isinstance(kind, Variable):
            return self.call(kind.bound, positional, named) if kind.bound is not kind else UNKNOWN
        if isinstance(kind, Instance):
            if kind.cls.name == "type" and kind.cls.module == "builtins":
                return UNKNOWN
            found = self.members(kind, "__call__")
            return self.call(union([each.type for each in found]), positional, named) if found else UNKNOWN
        if isinstance(kind, Wrapped) and kind.kind != Wrapped.PROPERTY:
            return self._call(kind.value, positional, named)
        return UNKNOWN

    def _call_back(self, kind: Callback, positional: list[Type]) -> Type:
        if not kind.parameters or not _mentions_variable(kind.result):
            return kind.result
        mapping: dict[Type, Type] = {}
        for wanted, given in zip(kind.parameters, positional, strict=False):
            self._match(wanted, given, mapping)
        return substitute(kind.result, mapping)

    def _chosen(self, kind: Overloads, positional: list[Type], named: dict[str, Type]) -> FunctionValue:
        """Return the first signature that takes the arguments."""
        fitting = [each for each in kind.functions if self._accepts(each, positional, named)]
        return fitting[0] if fitting else kind.functions[0]

    def _accepts(self, value: FunctionValue, positional: list[Type], named: dict[str, Type]) -> bool:
        unit, function = value.unit, value.unit.functions[value.function]
        written = [each for each in function.parameters if each.name != "/"]
        if value.receiver is not None and written:
            written = written[1:]
        place, only_named = 0, False
        taken: set[str] = set()
        for each in written:
            if each.name == "*" or (each.name.startswith("*") and not each.name.startswith("**")):
                if each.name != "*":
                    place = len(positional)
                only_named = True
                continue
            if each.name.startswith("**"):
                taken.update(named)
                continue
            given: Type | None = None
            if not only_named and place < len(positional):
                given = positional[place]
                place += 1
            elif each.name in named:
                given = named[each.name]
                taken.add(each.name)
            elif each.default < 0 and not each.optional:
                return False
            if given is not None and each.type >= 0 and not self._fits(given, self.annotation(unit, each.type)):
                return False
        return place >= len(positional) and taken >= named.keys()

    def _fits(self, given: Type, wanted: Type) -> bool:
        """Return whether a value may be given where a type is wanted. What is not known fits."""
        if given is UNKNOWN or wanted is UNKNOWN or isinstance(wanted, _OPEN) or isinstance(given, _OPEN):
            return True
        return all(any(self._fits_one(g, w) for w in parts(wanted)) for g in parts(given))

    def _fits_one(self, given: Type, wanted: Type) -> bool:
        if given is UNKNOWN or wanted is UNKNOWN or isinstance(wanted, (Variable, Outside)):
            return True
        if given is NONE or wanted is NONE:
            return given is wanted
        if isinstance(wanted, Callback):
            if isinstance(given, FunctionValue):
                return self._fits(self._written_result(given), wanted.result)
            return not isinstance(given, Instance) or bool(self.members(given, "__call__"))
        if isinstance(given, Instance) and isinstance(wanted, Instance):
            known = self.is_subclass(given, wanted)
            return known is not False or (self._is_protocol(wanted.cls) and self._may_follow(given, wanted.cls))
        if isinstance(given, ClassValue) and isinstance(wanted, Instance) and self._is_protocol(wanted.cls):
            return self._may_follow(given, wanted.cls)
        if isinstance(given, ClassValue) and isinstance(wanted, ClassValue):
            return self.is_subclass(given.instance, wanted.instance) is not False
        return not isinstance(given, Instance) or not isinstance(wanted, ClassValue)

    def _written_result(self, value: FunctionValue) -> Type:
        """Return what the signature of a function says of its result."""
        function = value.unit.functions[value.function]
        if function.return_type >= 0:
            return self.returned(value.unit, value.function)
        is_coroutine = function.is_async and not function.is_generator
        return self.builtin("Coroutine", (UNKNOWN, UNKNOWN, UNKNOWN), "typing") if is_coroutine else UNKNOWN

    def _is_protocol(self, info: ClassInfo) -> bool:
        unit = info.unit
        bases = unit.shapes[info.shape].extends
        return any(self.last_name(unit, self._base_name(unit, node)) == "Protocol" for node in bases)

    def _base_name(self, unit: Unit, node: int) -> int:
        return unit.code[node + 1] if unit.code[node] == Op.INDEX else node

    def _call_function(self, value: FunctionValue, positional: list[Type], named: dict[str, Type]) -> Type:
        if positional and value.unit.external and self._is_allocator(value):
            return self._instance_of(positional[0])
        result = self.returned(value.unit, value.function)
        mapping: dict[Type, Type] = {}
        if value.owner is not None:
            mapping.update(self._arguments_of(value.owner))
        if _mentions_variable(result):
            self._infer(value, positional, named, mapping)
            if value.receiver is not None:
                self._bind_receiver(value, mapping)
        return substitute(result, mapping)

    def _is_allocator(self, value: FunctionValue) -> bool:
        return value.declaration >= 0 and value.unit.decls[value.declaration].name == "__new__"

    def _instance_of(self, kind: Type) -> Type:
        """Return what a class makes: `object.__new__(cls)`."""
        found: list[Type] = []
        for part in parts(kind):
            if isinstance(part, ClassValue):
                found.append(part.instance)
            elif isinstance(part, ClassOf):
                found.append(part.variable)
        return union(found)

    def _bind_receiver(self, value: FunctionValue, mapping: dict[Type, Type]) -> None:
        function = value.unit.functions[value.function]
        if value.receiver is None or not function.parameters:
            return
        receiver = value.receiver
        if isinstance(receiver, ClassValue):
            receiver = receiver.instance
        mapping[_SELF] = receiver.variable if isinstance(receiver, ClassOf) else receiver
        first = function.parameters[0]
        if first.type >= 0:
            self._match(self.annotation(value.unit, first.type), value.receiver, mapping)

    def _arguments_of(self, owner: Instance) -> dict[Type, Type]:
        parameters = self.parameters(owner.cls)
        return {parameter: given for parameter, given in zip(parameters, owner.arguments, strict=False) if given != parameter}

    def _infer(self, value: FunctionValue, positional: list[Type], named: dict[str, Type], mapping: dict[Type, Type]) -> None:
        """Learn type variables from the arguments of a call."""
        unit, function = value.unit, value.unit.functions[value.function]
        written = [each for each in function.parameters if each.name not in ("*", "/")]
        if value.receiver is not None and written:
            written = written[1:]
        place = 0
        for each in written:
            plain = each.name.lstrip("*")
            if each.name.startswith("**"):
                continue
            if each.name.startswith("*"):
                if each.type >= 0 and place < len(positional):
                    self._match(self.annotation(unit, each.type), union(positional[place:]), mapping)
                place = len(positional)
                continue
            given = named.get(plain)
            if given is None and place < len(positional):
                given = positional[place]
                place += 1
            if given is not None and each.type >= 0:
                self._match(self.annotation(unit, each.type), given, mapping)

    def _match(self, wanted: Type, given: Type, mapping: dict[Type, Type], depth: int = 0) -> None:
        """Learn what type variables of a wanted type stand for, from a given type. `depth` counts protocols inside protocols."""
        if given is UNKNOWN:
            return
        if isinstance(wanted, Variable):
            if wanted not in mapping or mapping[wanted] is UNKNOWN:
                mapping[wanted] = given
            elif mapping[wanted] != given:
                mapping[wanted] = union([mapping[wanted], given])
            return
        if isinstance(wanted, Union):
            variables = [each for each in wanted.members if isinstance(each, Variable)]
            others = [each for each in wanted.members if not isinstance(each, Variable)]
            rest = [each for each in parts(given) if not any(self._takes(other, each) for other in others)]
            for each in others:
                self._match(each, given, mapping, depth)
            for each in variables[:1]:
                if rest:
                    self._match(each, union(rest), mapping, depth)
            return
        for part in parts(given):
            each = part.bound if isinstance(part, Variable) else part
            if isinstance(wanted, Instance) and isinstance(each, (Instance, ClassValue)):
                seen = self.as_class(each, wanted.cls) if isinstance(each, Instance) else None
                if seen is None and depth < _MAX_PROTOCOLS and _mentions_variable(wanted) and self._is_protocol(wanted.cls):
                    self._match_protocol(wanted, each, mapping, depth + 1)
                if seen is not None:
                    if wanted.items is not None and seen.items is not None and len(wanted.items) == len(seen.items):
                        for w, g in zip(wanted.items, seen.items, strict=True):
                            self._match(w, g, mapping, depth)
                    for w, g in zip(wanted.arguments, seen.arguments, strict=False):
                        self._match(w, g, mapping, depth)
            elif isinstance(wanted, ClassValue) and isinstance(each, ClassValue):
                self._match(wanted.instance, each.instance, mapping, depth)
            elif isinstance(wanted, ClassOf) and isinstance(each, ClassValue):
                self._match(wanted.variable, each.instance, mapping, depth)
            elif isinstance(wanted, Callback):
                self._match(wanted.result, self.call(each, [], {}), mapping, depth)

    def _match_protocol(self, wanted: Instance, given: Type, mapping: dict[Type, Type], depth: int) -> None:
        """Learn type variables from the members of a value that is given where a protocol is wanted."""
        unit = wanted.cls.unit
        arguments = self._arguments_of(wanted)
        for member in unit.shapes[wanted.cls.shape].members:
            if member.function >= 0:
                result = substitute(self.returned(unit, member.function), arguments)
                if _mentions_variable(result):
                    self._match(result, self.call(self.member(given, member.name), [], {}), mapping, depth)
            elif member.type >= 0:
                self._match(
                    substitute(self.annotation(unit, member.type), arguments), self.member(given, member.name), mapping, depth
                )

    def _may_follow(self, given: Type, protocol: ClassInfo) -> bool:
        """Return whether a value may have the members of a protocol: it lacks none, or nothing is known of an ancestor."""
        instance = given.instance if isinstance(given, ClassValue) else given
        if not isinstance(instance, Instance) or not self.linear(instance.cls).is_complete:
            return True
        members = protocol.unit.shapes[protocol.shape].members
        return all(self.members(given, member.name) for member in members)

    def _takes(self, wanted: Type, given: Type) -> bool:
        """Return whether a part of a union is what a given type matches, so that a type variable beside it is not."""
        if isinstance(wanted, Instance) and isinstance(given, Instance):
            return self.as_class(given, wanted.cls) is not None
        return wanted == given

    def _made_class(self, bases: Type) -> Type:
        """Return the class that a metaclass makes of bases, as far as it is known: its first base."""
        if not isinstance(bases, Instance) or bases.items is None:
            return UNKNOWN
        known = [each for each in bases.items if isinstance(each, ClassValue)]
        return known[0] if known else UNKNOWN

    def _construct(self, instance: Instance, positional: list[Type], named: dict[str, Type]) -> Type:
        info = instance.cls
        if info.module == "builtins" and info.name == "type" and len(positional) == 1:
            return self._class_of(positional[0])
        if len(positional) == 3 and any(
            each.cls.module == "builtins" and each.cls.name == "type" for each in self.linear(info).order
        ):
            return self._made_class(positional[1])
        parameters = self.parameters(info)
        if not parameters or instance.arguments != parameters:
            return instance
        mapping: dict[Type, Type] = {}
        for each in self.members(Instance(info, parameters), "__init__")[:1]:
            kind = each.type
            if isinstance(kind, Overloads):
                kind = self._chosen(kind, positional, named)
            if isinstance(kind, FunctionValue):
                self._infer(kind, positional, named, mapping)
                if kind.owner is not None and kind.owner.cls is not info:
                    for inherited, own in zip(self.parameters(kind.owner.cls), kind.owner.arguments, strict=False):
                        self._match(own, mapping.get(inherited, UNKNOWN), mapping)
        return Instance(info, tuple([mapping.get(parameter, UNKNOWN) for parameter in parameters]))

    # ------------------------------------------------------------------ classes

    def parameters(self, info: ClassInfo) -> tuple[Variable, ...]:
        """Return the type parameters of a class."""
        if info.parameters is None:
            info.parameters = ()
            info.parameters = tuple(self._class_parameters(info))
        return info.parameters

    def _class_parameters(self, info: ClassInfo) -> list[Variable]:
        unit, shape = info.unit, info.unit.shapes[info.shape]
        found: dict[Variable, None] = {}
        for index in shape.type_parameters:
            kind = self.declared(unit, index)
            if isinstance(kind, Variable):
                found[kind] = None
        if found:
            return list(found)
        for node in shape.extends:
            if unit.code[node] != Op.INDEX:
                continue
            name = self.last_name(unit, unit.code[node + 1])
            mentioned = self._variables_in(unit, unit.code[node + 2])
            if name in ("Generic", "Protocol"):
                return mentioned
            found.update(dict.fromkeys(mentioned))
        return list(found)

    def _variables_in(self, unit: Unit, node: int) -> list[Variable]:
        code = unit.code
        if node < 0:
            return []
        if code[node] in (Op.NAME, Op.FLOW, Op.MEMBER):
            kind = self.type_of(unit, node)
            return [kind] if isinstance(kind, Variable) else []
        inner: list[int] = []
        if code[node] == Op.ARRAY:
            inner = unit.items(code[node + 1]).tolist()
        elif code[node] == Op.INDEX:
            inner = [code[node + 2]]
        elif code[node] == Op.OPERATOR:
            inner = [code[node + 1], code[node + 2]]
        return list(dict.fromkeys(each for part in inner for each in self._variables_in(unit, part)))

    def linear(self, info: ClassInfo) -> Linear:
        """Return the ancestors of a class, beginning with itself, in the order of Python's C3 linearisation."""
        if info.linear is None:
            own = Instance(info, self.parameters(info))
            info.linear = Linear((own,), False)  # what a circle of bases sees
            info.linear = self._linear(info, own)
        return info.linear

    def _linear(self, info: ClassInfo, own: Instance) -> Linear:
        unit, complete = info.unit, True
        sequences: list[list[Instance]] = []
        bases: list[Instance] = []
        for node in unit.shapes[info.shape].extends:
            kind = self.annotation(unit, node)
            is_class = any(isinstance(each, Instance) for each in parts(kind))  # `asyncio.Protocol` is one
            if not is_class and self.last_name(unit, self._base_name(unit, node)) in ("Generic", "Protocol"):
                continue
            for base in parts(kind):
                if isinstance(base, Instance) and base.cls is not info:
                    inner = self.linear(base.cls)
                    complete = complete and inner.is_complete
                    mapping = self._arguments_of(base)
                    seen = [substitute(each, mapping) for each in inner.order]
                    sequences.append([each for each in seen if isinstance(each, Instance)])
                    bases.append(base)
                else:
                    complete = False
        if info.module != "builtins" or info.name != "object":
            root = self.builtin("object")
            if isinstance(root, Instance) and not bases:
                sequences.append([root])
        return Linear((own, *_merged([*sequences, list(bases)])), complete)

    def is_subclass(self, one: Type, other: Type) -> bool | None:
        """Return whether a class derives from another one; None if it is not known."""
        if not isinstance(one, Instance) or not isinstance(other, Instance):
            return one == other
        if one.cls is other.cls:
            return True
        linear = self.linear(one.cls)
        if any(each.cls is other.cls for each in linear.order):
            return True
        if other.cls.module == "builtins" and (one.cls.name, other.cls.name) in _PROMOTED:
            return True
        return False if linear.is_complete else None

    def as_class(self, kind: Instance, info: ClassInfo) -> Instance | None:
        """Return an instance as one of a class that its class derives from, or None."""
        if kind.cls is info:
            return kind
        mapping = self._arguments_of(kind)
        for each in self.linear(kind.cls).order:
            if each.cls is info:
                found = substitute(each, mapping)
                return found if isinstance(found, Instance) else None
        return None

    def members_named(self, info: ClassInfo, name: str) -> list[Member]:
        """Return the members of a name that a class itself declares, in source order."""
        members = info.unit.shapes[info.shape].members
        return [members[place] for place in self._table(info).get(name, ())]

    def _table(self, info: ClassInfo) -> dict[str, list[int]]:
        if info.table is None:
            table: dict[str, list[int]] = {}
            for place, member in enumerate(info.unit.shapes[info.shape].members):
                table.setdefault(member.name, []).append(place)
            info.table = table
        return info.table

    # ------------------------------------------------------------------ members

    def member(self, kind: Type, name: str) -> Type:
        """Return the type of a member of a value."""
        results: list[Type] = []
        for part in parts(kind):
            if isinstance(part, ModuleValue):
                results.append(self._module_part(part, name))
            elif isinstance(part, Outside):
                results.append(Outside(f"{part.path}.{name}"))
            else:
                found = [each.type for each in self.members(part, name)]
                results += found if found else [self._computed(part, name)]
        return union(results)

    def _computed(self, kind: Type, name: str) -> Type:
        """Return what a `__getattr__` of the repository makes of any other attribute, if it always makes the same of them."""
        value = _bounded(kind)
        if not isinstance(value, Instance) or value.cls.module or name.startswith("__"):
            return UNKNOWN
        for each in self.members(value, "__getattr__"):
            function = each.type
            if isinstance(function, FunctionValue) and self._knows_results(function):
                return self.call(function, [self.builtin("str")], {})
        return UNKNOWN

    def _knows_results(self, value: FunctionValue) -> bool:
        """Return whether the type of whatever a function returns is known."""
        unit, function = value.unit, value.unit.functions[value.function]
        return function.return_type >= 0 or all(self.type_of(unit, node) is not UNKNOWN for node in function.returns)

    def _module_part(self, module: ModuleValue, name: str) -> Type:
        found = self.module_member(module, name)
        if found is None and module.unit is not None and module.unit.external:
            return Outside(f"{module.unit.external}.{name}")  # our declarations of a module do not name everything
        return found if found is not None else UNKNOWN

    def members(self, kind: Type, name: str) -> list[Found]:
        """Return what a look-up of a name finds: nothing where it is not known."""
        if isinstance(kind, Union):
            return [each for part in kind.members for each in self.members(part, name)]
        if isinstance(kind, Variable):
            found = self.members(kind.bound, name)
            return found if kind.key != _SELF.key else [self._of_self(each, kind) for each in found]
        if isinstance(kind, ClassOf):
            bound = kind.variable.bound
            return self.members(ClassValue(bound), name) if isinstance(bound, Instance) else []
        if isinstance(kind, Instance):
            return self._member(kind, kind, name, None, is_class=False)
        if isinstance(kind, ClassValue):
            return self._member(kind.instance, kind, name, None, is_class=True) or self._of_metaclass(kind, name)
        if isinstance(kind, Parent):
            receiver = kind.receiver
            is_class = isinstance(receiver, ClassValue)
            instance = receiver.instance if isinstance(receiver, ClassValue) else receiver
            if not isinstance(instance, Instance):
                return []
            return self._member(instance, receiver, name, kind.behind, is_class=is_class)
        if isinstance(kind, (FunctionValue, Overloads)):
            function = self.builtin("function", (), "types")
            return self.members(function, name) if isinstance(function, Instance) else []
        return []

    def _of_self(self, found: Found, receiver: Variable) -> Found:
        """Keep what a method is bound to open: it may be an instance of a class that derives from the method's."""
        kind = found.type
        if isinstance(kind, FunctionValue) and kind.receiver == receiver.bound:
            kind = FunctionValue(kind.unit, kind.function, kind.declaration, kind.owner, receiver)
        return found._replace(type=kind)

    def _of_metaclass(self, kind: ClassValue, name: str) -> list[Found]:
        for ancestor in self.linear(kind.instance.cls).order:
            unit = ancestor.cls.unit
            for node in unit.shapes[ancestor.cls.shape].implements:
                if unit.code[node] == Op.PROP and unit.strings[unit.code[node + 2]] == "metaclass":
                    meta = self.annotation(unit, unit.code[node + 1])
                    return self._member(meta, kind, name, None, is_class=False) if isinstance(meta, Instance) else []
        return []

    def _member(self, kind: Instance, receiver: Type, name: str, behind: ClassInfo | None, *, is_class: bool) -> list[Found]:
        mapping = self._arguments_of(kind)
        waits = behind is not None
        for ancestor in self.linear(kind.cls).order:
            if waits:
                waits = ancestor.cls is not behind
                continue
            if ancestor.cls.name == "object" and ancestor.cls.module == "builtins" and not self.linear(kind.cls).is_complete:
                return []  # an ancestor that is not known may have it
            places = self._table(ancestor.cls).get(name)
            if places:
                owner = substitute(ancestor, mapping)
                assert isinstance(owner, Instance)
                return self._members_at(owner, receiver, name, places, is_class=is_class)
        return self._dynamic_member(kind, name) if behind is None and not is_class else []

    def _dynamic_member(self, kind: Instance, name: str) -> list[Found]:
        """Return what a class of the runtime gives by `__getattr__` for any name: what a mock has."""
        if name.startswith("__"):
            return []
        for ancestor in self.linear(kind.cls).order:
            if ancestor.cls.module and "__getattr__" in self._table(ancestor.cls):
                return [each._replace(symbol=-1, type=self.call(each.type, [], {})) for each in self.members(kind, "__getattr__")]
        return []

    def _members_at(self, owner: Instance, receiver: Type, name: str, places: list[int], *, is_class: bool) -> list[Found]:
        unit, shape = owner.cls.unit, owner.cls.unit.shapes[owner.cls.shape]
        written_members = [shape.members[place] for place in places]
        members = [each for each in written_members if not self._is_skipped(unit, each)] or written_members
        functions = [each for each in members if each.function >= 0 and each.extra >= 0]
        first = next((each for each in members if each.symbol >= 0), members[0])
        if functions:
            decls = [each.extra for each in functions]
            value = self._functions(unit, decls) if len(decls) > 1 else self.declared(unit, decls[0])
            if isinstance(value, Union):
                last = self._last(unit, decls)
                several = [(each, self.declared(unit, each.extra)) for each in functions if each.extra in last]
                return [
                    Found(unit, each.symbol, self._bound(kind, owner, receiver, is_class=is_class), owner.cls, each.position)
                    for each, kind in several
                ]
            chosen = functions[-1]
            if any(each.kind == MemberKind.SETTER for each in functions):
                chosen = next((each for each in functions if each.kind != MemberKind.SETTER), functions[0])
            kind = self._got(self._bound(value, owner, receiver, is_class=is_class), receiver, is_class=is_class)
            return [Found(unit, chosen.symbol, kind, owner.cls, chosen.position)]
        annotated = [each for each in members if each.type >= 0]
        if annotated:
            written = annotated[0]
            if (
                self.last_name(unit, self._base_name(unit, written.type)) in ("ClassVar", "Final")
                and unit.code[written.type] != Op.INDEX
            ):
                kind = self.declared(unit, written.extra) if written.extra >= 0 else self.type_of(unit, written.value)
            else:
                kind = self.annotation(unit, written.type)
            kind = substitute(kind, {**self._arguments_of(owner), _SELF: receiver})
        else:
            values = [self.declared(unit, each.extra) if each.extra >= 0 else self.type_of(unit, each.value) for each in members]
            kind = substitute(union(values), {**self._arguments_of(owner), _SELF: receiver})
            is_static = any(each.static for each in members)
            is_bound = is_static and any(isinstance(each, (FunctionValue, Wrapped)) for each in parts(kind))
            if is_bound:
                kind = union([self._bound(each, owner, receiver, is_class=is_class) for each in parts(kind)])
        if any(each.static for each in members):
            if first.name[:1] != "_" and not annotated and not owner.cls.module and self._is_enum(owner.cls):
                kind = union([each if isinstance(each, (FunctionValue, Wrapped)) else owner for each in parts(kind)])
            kind = self._got(kind, receiver, is_class=is_class)
        return [Found(unit, first.symbol, kind, owner.cls, first.position)]

    def _got(self, kind: Type, receiver: Type, *, is_class: bool) -> Type:
        """Return what reading an attribute gives whose class has a value of a type: a descriptor answers itself."""
        if not isinstance(kind, Instance) or kind.cls.module:
            return kind
        getters = self.members(kind, "__get__")
        if not getters:
            return kind
        owner = _bounded(receiver)
        given = [NONE, owner] if is_class else [owner, self._class_of(owner)]
        result = self.call(union([each.type for each in getters]), given, {})
        if is_class:
            return result
        # Most descriptors return themselves where they are read from the class.
        return union([each for each in parts(result) if not isinstance(each, Instance) or each.cls is not kind.cls])

    def _is_skipped(self, unit: Unit, member: Member) -> bool:
        return member.extra >= 0 and unit.decls[member.extra].c == Reach.NEVER

    def _bound(self, value: Type, owner: Instance, receiver: Type, *, is_class: bool) -> Type:
        """Return what a function of a class becomes when it is looked up on a receiver."""
        if isinstance(value, FunctionValue):
            home = self._home_of(value.unit, value.function)
            if home is not None and home[1] == "classmethod":
                return FunctionValue(value.unit, value.function, value.declaration, owner, receiver)
            return FunctionValue(value.unit, value.function, value.declaration, owner, None if is_class else receiver)
        if isinstance(value, Overloads):
            found = [self._bound(each, owner, receiver, is_class=is_class) for each in value.functions]
            return Overloads(tuple([each for each in found if isinstance(each, FunctionValue)]))
        if isinstance(value, Wrapped):
            if value.kind == Wrapped.PROPERTY:
                return value if is_class else self.call(self._bound(value.value, owner, receiver, is_class=False), [], {})
            if value.kind == Wrapped.CLASS:
                first = receiver if is_class else ClassValue(receiver) if isinstance(receiver, Instance) else receiver
                return self._bound(value.value, owner, first, is_class=False)
            return value.value
        return value

    # ------------------------------------------------------------------ protocols of values

    def _argument_of(self, kind: Type, names: tuple[str, ...], module: str = "typing") -> Type | None:
        """Return the first argument of an instance as one of some classes of the runtime, or None."""
        if not isinstance(kind, Instance):
            return None
        for name in names:
            wanted = self.builtin(name, (), module)
            seen = self.as_class(kind, wanted.cls) if isinstance(wanted, Instance) else None
            if seen is not None:
                return seen.arguments[0] if seen.arguments else UNKNOWN
        return None

    def iterated(self, kind: Type, *, is_async: bool = False) -> Type:
        """Return what iterating over a value gives."""
        results: list[Type] = []
        for part in parts(_bounded(kind)):
            items = self._items(part)
            if items is not None:
                results.append(union(list(items)))
                continue
            if isinstance(part, ClassValue) and self._is_enum(part.instance.cls):
                results.append(part.instance)
                continue
            names = ("AsyncIterable",) if is_async else ("Iterable",)
            item = self._argument_of(part, names)
            if item is None and isinstance(part, (Instance, ClassValue)):
                iterator = self.call(self.member(part, "__aiter__" if is_async else "__iter__"), [], {})
                item = self._argument_of(iterator, names)
                if item is None:
                    item = self.call(self.member(iterator, "__anext__" if is_async else "__next__"), [], {})
                    item = self.awaited(item) if is_async else item
                if item is UNKNOWN and iterator is UNKNOWN and not is_async:
                    item = self.call(self.member(part, "__getitem__"), [self.builtin("int")], {})
            results.append(item if item is not None else UNKNOWN)
        return union(results)

    def _items(self, kind: Type) -> list[Type] | None:
        """Return the types of the items of a tuple of known length, also of a named tuple; None for other values."""
        if not isinstance(kind, Instance):
            return None
        if kind.items is not None:
            return list(kind.items)
        if kind.cls.module:
            return None
        order = self.linear(kind.cls).order
        for place, each in enumerate(order):
            if each.cls.name == "NamedTuple" and each.cls.module == "typing" and place > 0:
                owner = order[place - 1]
                unit, arguments = owner.cls.unit, self._arguments_of(owner)
                fields = [member for member in unit.shapes[owner.cls.shape].members if member.type >= 0 and member.static]
                return [substitute(self.annotation(unit, field.type), arguments) for field in fields]
        return None

    def _is_typed_dict(self, info: ClassInfo) -> bool:
        return any(each.cls.name == "TypedDict" and each.cls.module == "typing" for each in self.linear(info).order)

    def _is_enum(self, info: ClassInfo) -> bool:
        return any(each.cls.module == "enum" for each in self.linear(info).order)

    def awaited(self, kind: Type) -> Type:
        """Return what awaiting a value gives."""
        results: list[Type] = []
        for part in parts(_bounded(kind)):
            item = self._argument_of(part, ("Awaitable",))
            if item is not None and isinstance(part, Instance):
                coroutine = self.builtin("Coroutine", (), "typing")
                seen = self.as_class(part, coroutine.cls) if isinstance(coroutine, Instance) else None
                item = seen.arguments[2] if seen is not None and len(seen.arguments) == 3 else item
            elif isinstance(part, Instance):
                made = self.call(self.member(part, "__await__"), [], {})
                item = made.arguments[2] if isinstance(made, Instance) and len(made.arguments) == 3 else UNKNOWN
            results.append(item if item is not None else UNKNOWN)
        return union(results)

    def entered(self, kind: Type, *, is_async: bool) -> Type:
        """Return what `with value as …` binds."""
        name = "__aenter__" if is_async else "__enter__"
        results: list[Type] = []
        for part in parts(kind):
            method = self.member(part, name)
            if method is UNKNOWN and isinstance(part, Instance) and not self.linear(part.cls).is_complete:
                results.append(part)  # as type checkers do where an ancestor is not known
                continue
            result = self.call(method, [], {})
            results.append(self.awaited(result) if is_async else result)
        return union(results)

    # ------------------------------------------------------------------ expressions

    def _expression(self, unit: Unit, node: int) -> Type:
        code = unit.code
        op, a, b, c = code[node], code[node + 1], code[node + 2], code[node + 3]
        if op == Op.FLOW:
            return self._flowing(unit, unit.items(b).tolist())
        if op == Op.NAME:
            return self.binding(unit, a) if a >= 0 else self._free(unit, unit.strings[b])
        if op == Op.DECLARED:
            if a < 0:
                return self.binding(unit, b) if b >= 0 else UNKNOWN
            return self._function_group(unit, a) if unit.decls[a].kind == DeclKind.FUNCTION else self.declared(unit, a)
        if op == Op.PHI:
            found = self._flowing(unit, unit.items(a).tolist())
            return found if found is not UNKNOWN or b < 0 else self.type_of(unit, b)
        if op == Op.MEMBER:
            return self.member(self.type_of(unit, a), unit.strings[b])
        if op == Op.CALL:
            return self._call_at(unit, node)
        if op == Op.NARROW:
            kind = self.type_of(unit, a)
            pair = unit.items(b)
            return self._narrowed(unit, kind, pair[0], bool(pair[1]), unit.strings[c])
        if op == Op.PARAMETER:
            return UNKNOWN
        if op == Op.INDEX:
            return self._subscript(unit, node)
        if op == Op.FUNCTION:
            return FunctionValue(unit, a, -1)
        if op == Op.STRING:
            return self.builtin("bytes" if c == 1 else "str")
        if op == Op.TEMPLATE:
            return self.builtin("str")
        if op == Op.NUMBER:
            return self.builtin(("int", "float", "complex")[max(c, 0)])
        if op in (Op.BOOLEAN, Op.NOT, Op.EQUALITY, Op.COMPARED, Op.IN):
            return self.builtin("bool")
        if op == Op.NULL:
            return NONE
        if op == Op.ARRAY:
            return self._display(unit, unit.items(a).tolist(), c)
        if op == Op.DICT:
            keys = union([self.type_of(unit, each) for each in unit.items(a)])
            values = union([self.type_of(unit, each) for each in unit.items(b)])
            return self.builtin("dict", (keys, values))
        if op == Op.COMPREHENSION:
            first = self.type_of(unit, a)
            if c == Display.DICT:
                return self.builtin("dict", (first, self.type_of(unit, b)))
            if c == Display.GENERATOR:
                return self.builtin("Generator", (first, NONE, NONE), "typing")
            return self.builtin("set" if c == Display.SET else "list", (first,))
        if op == Op.CONDITIONAL:
            return union([self.type_of(unit, b), self.type_of(unit, c)])
        if op == Op.LOGICAL:
            left = self.type_of(unit, a)
            if c == Logic.OR:
                left = union([each for each in parts(left) if each is not NONE])
            elif left is not NONE:
                # Of the left side only what is false is left: of most classes, nothing that has members of interest.
                left = union([each for each in parts(left) if each is NONE])
            return union([left, self.type_of(unit, b)])
        if op == Op.OPERATOR:
            return self._operated(unit, a, b, unit.strings[c])
        if op == Op.AWAIT:
            return self.awaited(self.type_of(unit, a))
        if op == Op.ASSIGN:
            return self.type_of(unit, b)
        if op == Op.ITERATED:
            return self.iterated(self.type_of(unit, a), is_async=c == 1)
        if op == Op.ENTERED:
            return self.entered(self.type_of(unit, a), is_async=c == 1)
        if op == Op.ELEMENT:
            return self._element(self.type_of(unit, a), c)
        if op == Op.REST_ELEMENT:
            return self.builtin("list", (self.iterated(self.type_of(unit, a)),))
        if op == Op.CAUGHT:
            return self._caught(unit, a)
        if op == Op.MATCHED:
            return self._of_classes(self.type_of(unit, a), [self.type_of(unit, each) for each in unit.items(b)], holds=True)
        if op == Op.YIELD:
            return self._resumed(unit, node)
        return UNKNOWN

    def _resumed(self, unit: Unit, node: int) -> Type:
        """Return what a `yield` gives: what is sent, or for `yield from` what the inner generator returns."""
        code = unit.code
        if code[node + 3] == 1:
            made = self.type_of(unit, code[node + 1])
            return made.arguments[2] if isinstance(made, Instance) and len(made.arguments) == 3 else UNKNOWN
        written = self._written_results(unit).get(node, -1)
        made = self.annotation(unit, written)
        return made.arguments[1] if isinstance(made, Instance) and len(made.arguments) > 1 else UNKNOWN

    def _written_results(self, unit: Unit) -> dict[int, int]:
        """Return the annotated result of the function around each `yield` of a file."""
        found = self._result_tables.get(id(unit))
        if found is None:
            found = self._result_tables[id(unit)] = {
                node: function.return_type for function in unit.functions for node in function.yields
            }
        return found

    def _flowing(self, unit: Unit, nodes: list[int]) -> Type:
        return union([self.type_of(unit, each) for each in nodes])

    def _free(self, unit: Unit, name: str) -> Type:
        """Return what a name means that the file does not declare: from `import *`, or of the runtime."""
        if "*" in unit.scopes[0].names if unit.scopes else False:
            found = self.exported(unit, name)
            if found is not None:
                return self.binding(*found)
        return self._builtin(name)

    def _display(self, unit: Unit, nodes: list[int], kind: int) -> Type:
        items: list[Type] = []
        is_known = True
        for node in nodes:
            if unit.code[node] == Op.SPREAD:
                is_known = False
                items.append(self.iterated(self.type_of(unit, unit.code[node + 1])))
            else:
                items.append(self.type_of(unit, node))
        if kind == Display.TUPLE:
            return self.tuple_of(items) if is_known else self.builtin("tuple", (union(items),))
        return self.builtin("set" if kind == Display.SET else "list", (union(items),))

    def _element(self, kind: Type, place: int) -> Type:
        results: list[Type] = []
        for part in parts(_bounded(kind)):
            items = self._items(part)
            if items is not None:
                results.append(items[place] if -len(items) <= place < len(items) else UNKNOWN)
            else:
                results.append(self.iterated(part))
        return union(results)

    def _caught(self, unit: Unit, node: int) -> Type:
        classes = self.type_of(unit, node)
        found: list[Type] = []
        for part in parts(classes):
            if isinstance(part, ClassValue):
                found.append(part.instance)
            elif isinstance(part, Instance) and part.items is not None:
                found += [each.instance for item in part.items for each in parts(item) if isinstance(each, ClassValue)]
        return union(found)

    def _operated(self, unit: Unit, left: int, right: int, name: str) -> Type:
        one = self.type_of(unit, left)
        if right < 0:
            return self.call(self.member(one, name), [], {}) if name else UNKNOWN
        two = self.type_of(unit, right)
        if not name:
            return UNKNOWN
        results: list[Type] = []
        for part in parts(one):
            method = self.member(part, name)
            takes = not isinstance(method, FunctionValue) or self._accepts(method, [two], {})
            result = self.call(method, [two], {}) if takes else UNKNOWN
            if result is UNKNOWN and name not in _COMPARISONS:
                result = self.call(self.member(two, "__r" + name[2:]), [part], {})
            if result is UNKNOWN and name in _COMPARISONS:
                result = self.builtin("bool")
            results.append(result)
        return union(results)

    def _subscript(self, unit: Unit, node: int) -> Type:
        code = unit.code
        value, index = self.type_of(unit, code[node + 1]), code[node + 2]
        results: list[Type] = []
        for part in parts(_bounded(value)):
            if isinstance(part, ClassValue) and self._is_enum(part.instance.cls):
                results.append(part.instance)
            elif isinstance(part, ClassValue):
                found = self._annotation(unit, node)
                results.append(ClassValue(found) if isinstance(found, Instance) else UNKNOWN)
            elif code[index] == Op.NUMBER and self._items(part) is not None:
                results.append(self._element(part, _integer(unit.strings[code[index + 2]])))
            elif _negative(unit, index) and self._items(part) is not None:
                results.append(self._element(part, -_integer(unit.strings[code[code[index + 1] + 2]])))
            elif isinstance(part, Instance) and code[index] == Op.STRING and self._is_typed_dict(part.cls):
                results.append(self.member(part, unit.strings[code[index + 2]]))
            elif isinstance(part, Instance) and code[index] == Op.SLICE and part.cls.module == "builtins":
                results.append(Instance(part.cls, part.arguments))
            else:
                results.append(self.call(self.member(part, "__getitem__"), [self.type_of(unit, index)], {}))
        return union(results)

    # ------------------------------------------------------------------ calls

    def arguments(self, unit: Unit, node: int) -> tuple[list[Type], dict[str, Type]]:
        """Return the types of the arguments of a call, by place and by name."""
        positional: list[Type] = []
        named: dict[str, Type] = {}
        code = unit.code
        for argument in unit.items(code[node + 2]):
            if code[argument] == Op.PROP:
                named[unit.strings[code[argument + 2]]] = self.type_of(unit, code[argument + 1])
            elif code[argument] == Op.SPREAD:
                if code[argument + 3] == 0:
                    kind = self.type_of(unit, code[argument + 1])
                    positional += (
                        list(kind.items) if isinstance(kind, Instance) and kind.items is not None else [self.iterated(kind)]
                    )
            else:
                positional.append(self.type_of(unit, argument))
        return positional, named

    def _call_at(self, unit: Unit, node: int) -> Type:
        code = unit.code
        callee = code[node + 1]
        kind = self.type_of(unit, callee)
        special = self._special(unit, node, kind)
        if special is not None:
            return special
        return self.call(kind, *self.arguments(unit, node))

    def _special(self, unit: Unit, node: int, kind: Type) -> Type | None:
        """Return the result of a call that no signature describes, or None for any other call."""
        code = unit.code
        given = unit.items(code[node + 2]).tolist()
        if node in unit.contexts and not given and isinstance(kind, ClassValue) and kind.instance.cls.name == "super":
            _, shape, is_class = unit.contexts[node]
            info = self.program.class_info(unit, shape)
            own = Instance(info, self.parameters(info))
            return Parent(ClassValue(own) if is_class else own, info)
        if isinstance(kind, ClassValue) and kind.instance.cls.name == "super" and len(given) == 2:
            behind, receiver = self.type_of(unit, given[0]), self._self_bound(self.type_of(unit, given[1]))
            return Parent(receiver, behind.instance.cls) if isinstance(behind, ClassValue) else UNKNOWN
        if isinstance(kind, ClassValue) and kind.instance.cls.module == "builtins" and kind.instance.cls.name in _WRAPPERS:
            made = self.type_of(unit, given[0]) if given and code[given[0]] != Op.PROP else UNKNOWN
            return Wrapped(_WRAPPERS[kind.instance.cls.name], made) if isinstance(made, (FunctionValue, Overloads)) else UNKNOWN
        name = self.last_name(unit, code[node + 1])
        if isinstance(kind, (Outside, FunctionValue)) and name == "cast" and len(given) == 2:
            return self.annotation(unit, given[0])
        if isinstance(kind, (Outside, FunctionValue)) and name in ("NewType",) and len(given) == 2:
            inner = self.annotation(unit, given[1])
            return ClassValue(inner) if isinstance(inner, Instance) else UNKNOWN
        if name == "partial" and given and isinstance(kind, (Outside, ClassValue)):
            positional, named = self.arguments(unit, node)
            if not positional:
                return UNKNOWN
            wrapped = positional[0]
            function = wrapped if isinstance(wrapped, FunctionValue) else None
            return Callback(self.call(wrapped, positional[1:], named), function)
        return None

    def _self_bound(self, kind: Type) -> Type:
        """Return what the first parameter of a method is bound by: its class, or an instance of it."""
        if isinstance(kind, Variable):
            return kind.bound
        if isinstance(kind, ClassOf) and isinstance(kind.variable.bound, Instance):
            return ClassValue(kind.variable.bound)
        return kind

    # ------------------------------------------------------------------ annotations

    def _annotation(self, unit: Unit, node: int) -> Type:
        code = unit.code
        op = code[node]
        if op == Op.NULL:
            return NONE
        if op in (Op.NAME, Op.FLOW, Op.MEMBER, Op.PHI):
            return self._named_type(unit, node)
        if op == Op.OPERATOR and unit.strings[code[node + 3]] == "__or__":
            return union([self.annotation(unit, code[node + 1]), self.annotation(unit, code[node + 2])])
        if op == Op.INDEX:
            return self._generic(unit, node)
        if op == Op.CALL:
            kind = self.type_of(unit, node)
            return kind.instance if isinstance(kind, ClassValue) else UNKNOWN
        return UNKNOWN

    def _named_type(self, unit: Unit, node: int) -> Type:
        kind = self.type_of(unit, node)
        found: list[Type] = []
        for part in parts(kind):
            if isinstance(part, ClassValue):
                found.append(self._unapplied(part.instance))
            elif isinstance(part, Variable):
                found.append(part)
            elif isinstance(part, Outside):
                found.append(self._special_form(part.path))
            elif part is NONE:
                found.append(NONE)
        if found:
            return union(found)
        alias = self.origin(unit, node)
        if alias is not None:
            decl = alias.facts
            if decl.kind == DeclKind.VARIABLE and decl.b >= 0:
                return self.annotation(alias.unit, decl.b)
            if decl.kind == DeclKind.ALIAS:
                return self.annotation(alias.unit, decl.a)
        return UNKNOWN

    def _bare(self, instance: Instance) -> Type:
        """Return what a class means without arguments."""
        if instance.arguments:
            return Instance(instance.cls, tuple([UNKNOWN] * len(instance.arguments)))
        return instance

    def _unapplied(self, instance: Instance) -> Type:
        """Return what a class means in an annotation: arguments of unknown types, unless an alias gives it arguments."""
        return self._bare(instance) if instance.arguments == self.parameters(instance.cls) else instance

    def _special_form(self, path: str) -> Type:
        if not path.startswith(_SPECIAL_MODULES):
            return UNKNOWN if path.startswith("builtins.") else Outside(path)
        name = path.rpartition(".")[2]
        if name == "Self":
            return _SELF
        if name in _CLASSES:
            module, cls = _CLASSES[name]
            made = self.builtin(cls, (), module)
            return self._bare(Instance(made.cls, self.parameters(made.cls))) if isinstance(made, Instance) else UNKNOWN
        if name == "Callable":
            return Callback(UNKNOWN)
        if name in ("LiteralString", "AnyStr"):
            return self.builtin("str")
        return UNKNOWN

    def _generic(self, unit: Unit, node: int) -> Type:
        code = unit.code
        base, index = self.type_of(unit, code[node + 1]), code[node + 2]
        is_list = code[index] == Op.ARRAY and code[index + 3] == Display.TUPLE
        written = unit.items(code[index + 1]).tolist() if is_list else [index]
        for part in parts(base):
            if isinstance(part, ClassValue):
                return self._applied(unit, part.instance, written)
            if isinstance(part, Outside) and part.path.startswith(_SPECIAL_MODULES):
                return self._special_generic(unit, part.path.rpartition(".")[2], written)
            if isinstance(part, Outside):
                return UNKNOWN
        alias = self.origin(unit, code[node + 1])
        if alias is not None and alias.facts.kind in (DeclKind.VARIABLE, DeclKind.ALIAS):
            body = alias.facts.b if alias.facts.kind == DeclKind.VARIABLE else alias.facts.a
            inner = self.annotation(alias.unit, body)
            variables = self._variables_in(alias.unit, body)
            given = [self.annotation(unit, each) for each in written]
            return substitute(inner, dict(zip(variables, given, strict=False)))
        return UNKNOWN

    def _applied(self, unit: Unit, instance: Instance, written: list[int]) -> Type:
        info = instance.cls
        if info.module == "builtins" and info.name == "tuple":
            if len(written) == 2 and unit.code[written[1]] == _ELLIPSIS:
                return Instance(info, (self.annotation(unit, written[0]),))
            return self.tuple_of([self.annotation(unit, each) for each in written])
        if info.module == "builtins" and info.name == "type":
            return self._class_of(self.annotation(unit, written[0]))
        given = [self.annotation(unit, each) for each in written]
        count = len(self.parameters(info))
        return Instance(info, tuple((given + [UNKNOWN] * count)[:count]))

    def _class_of(self, kind: Type) -> Type:
        found: list[Type] = []
        for part in parts(kind):
            if isinstance(part, Instance):
                found.append(ClassValue(part))
            elif isinstance(part, Variable):
                found.append(ClassOf(part))
        return union(found)

    def _special_generic(self, unit: Unit, name: str, written: list[int]) -> Type:
        if name == "Optional":
            return union([self.annotation(unit, written[0]), NONE])
        if name == "Union":
            return union([self.annotation(unit, each) for each in written])
        if name in _TRANSPARENT:
            return self.annotation(unit, written[0])
        if name == "Callable":
            return self._callable(unit, written) if len(written) == 2 else Callback(UNKNOWN)
        if name == "Type":
            return self._class_of(self.annotation(unit, written[0]))
        if name in ("TypeGuard", "TypeIs"):
            return self.builtin("bool")
        if name == "Literal":
            return union([self.type_of(unit, each) for each in written])
        if name in _CLASSES:
            module, cls = _CLASSES[name]
            made = self.builtin(cls, (), module)
            return self._applied(unit, made, written) if isinstance(made, Instance) else UNKNOWN
        return UNKNOWN

    def _callable(self, unit: Unit, written: list[int]) -> Callback:
        """Return what `Callable[[A, B], R]` means."""
        code, first = unit.code, written[0]
        listed = unit.items(code[first + 1]).tolist() if code[first] == Op.ARRAY else []
        parameters = tuple([self.annotation(unit, each) for each in listed])
        return Callback(self.annotation(unit, written[1]), None, parameters)

    def origin(self, unit: Unit, node: int) -> Declaration | None:
        """Return the last declaration of what a name or dotted name means, behind imports; None if it is not one."""
        code = unit.code
        place: tuple[Unit, int] | None = None
        if node < 0:
            return None
        if code[node] in (Op.NAME, Op.FLOW):
            binding = code[node + 1]
            if binding >= 0:
                place = unit, binding
            elif unit.scopes and "*" in unit.scopes[0].names:
                place = self.exported(unit, self.last_name(unit, node))
        elif code[node] == Op.MEMBER:
            module = self.type_of(unit, code[node + 1])
            if isinstance(module, ModuleValue) and module.unit is not None:
                place = self.exported(module.unit, unit.strings[code[node + 2]])
        for _ in range(_MAX_FINDINGS):
            if place is None or not place[0].bindings[place[1]].decls:
                return None
            found = Declaration(place[0], place[0].bindings[place[1]].decls[-1])
            decl = found.facts
            if decl.kind != DeclKind.IMPORT:
                return found
            if decl.b < 0:
                return found
            place = self.imported_binding(found.unit, decl)
        return None

    def imported_binding(self, unit: Unit, decl: Decl) -> tuple[Unit, int] | None:
        """Return the file and binding that `from module import name` leads to, or None if the name is not there."""
        source = self.program.module(unit.strings[decl.a], "" if unit.external else unit.path)
        return self.exported(source, unit.strings[decl.b]) if source is not None else None

    # ------------------------------------------------------------------ narrowing

    def _narrowed(self, unit: Unit, kind: Type, condition: int, holds: bool, key: str) -> Type:
        """Return what a name or chain may hold where a condition holds, or does not."""
        code = unit.code
        op, a, b = code[condition], code[condition + 1], code[condition + 2]
        if op == Op.NOT:
            return self._narrowed(unit, kind, a, not holds, key)
        if op == Op.LOGICAL:
            is_and = code[condition + 3] == Logic.AND
            if is_and == holds:
                return self._narrowed(unit, self._narrowed(unit, kind, a, holds, key), b, holds, key)
            first = self._narrowed(unit, kind, a, holds, key)
            second = self._narrowed(unit, self._narrowed(unit, kind, a, not holds, key), b, holds, key)
            return union([first, second]) if first is not UNKNOWN and second is not UNKNOWN else kind
        if op == Op.CALL:
            given = unit.items(b).tolist()
            name = self.last_name(unit, a)
            if len(given) == 2 and name in ("isinstance", "issubclass") and self._key(unit, given[0]) == key:
                classes = self._classes(self.type_of(unit, given[1]))
                if name == "isinstance":
                    return self._of_classes(kind, classes, holds=holds)
                return self._subclasses(kind, classes, holds=holds)
            if given and name == "callable" and self._key(unit, given[0]) == key:
                return kind
            if given and holds and self._key(unit, given[0]) == key:
                return self._guarded(unit, kind, a)
            return kind
        if op == Op.COMPARED:
            if self._key(unit, a) == key:
                is_none = self.type_of(unit, b) is NONE
                if is_none:
                    return self._none(kind, is_none=holds == bool(code[condition + 3]))
            return kind
        if op == Op.EQUALITY and self._key(unit, a) == key and self.type_of(unit, b) is NONE:
            return self._none(kind, is_none=holds == bool(code[condition + 3]))
        if self._key(unit, condition) == key:
            return self._none(kind, is_none=False) if holds else kind
        return kind

    def _none(self, kind: Type, *, is_none: bool) -> Type:
        if is_none:
            return NONE if NONE in parts(kind) or kind is UNKNOWN else kind
        return union([each for each in parts(kind) if each is not NONE])

    def _guarded(self, unit: Unit, kind: Type, callee: int) -> Type:
        """Return what a function with `TypeGuard[X]` or `TypeIs[X]` as its result says of its argument."""
        function = self.type_of(unit, callee)
        if not isinstance(function, FunctionValue):
            return kind
        written = function.unit.functions[function.function].return_type
        code = function.unit.code
        if written < 0 or code[written] != Op.INDEX:
            return kind
        if self.last_name(function.unit, code[written + 1]) not in ("TypeGuard", "TypeIs"):
            return kind
        return self.annotation(function.unit, code[written + 2])

    def _classes(self, kind: Type) -> list[Type]:
        found: list[Type] = []
        for part in parts(kind):
            if isinstance(part, Instance) and part.items is not None:
                found += [each for item in part.items for each in parts(item)]
            else:
                found.append(part)
        return found

    def _of_classes(self, kind: Type, classes: list[Type], *, holds: bool) -> Type:
        known = [each.instance for each in classes if isinstance(each, ClassValue)]
        is_whole = len(known) == len(classes)
        bare = [self._bare(each) for each in known]
        if holds and not known:
            return kind
        if holds:
            if kind is UNKNOWN or any(isinstance(each, (Outside, Variable)) for each in parts(kind)):
                return union(list(bare))
            found: list[Type] = []
            for part in parts(kind):
                if not isinstance(part, Instance):
                    continue
                for wanted in bare:
                    if not isinstance(wanted, Instance):
                        continue
                    below = self.is_subclass(part, wanted)
                    if below:
                        found.append(part)
                    elif self.is_subclass(wanted, part) or below is None:
                        found.append(wanted)
            return union(found) if found else union(list(bare))
        if not is_whole:
            return kind
        return union(
            [
                each
                for each in parts(kind)
                if not any(self.is_subclass(each, wanted) for wanted in bare if isinstance(each, Instance))
            ]
        )

    def _subclasses(self, kind: Type, classes: list[Type], *, holds: bool) -> Type:
        if not holds:
            return kind
        found: list[Type] = [each for each in classes if isinstance(each, ClassValue)]
        return union(found) if found else kind

    def _key(self, unit: Unit, node: int) -> str:
        """Return the name or chain that a node is, "" for another expression."""
        code = unit.code
        if node < 0:
            return ""
        if code[node] == Op.PHI and code[node + 2] >= 0:
            return self._key(unit, code[node + 2])
        if code[node] in (Op.NAME, Op.FLOW):
            return self.last_name(unit, node)
        if code[node] == Op.ASSIGN:
            return ""
        if code[node] == Op.MEMBER:
            inner = self._key(unit, code[node + 1])
            return f"{inner}.{unit.strings[code[node + 2]]}" if inner else ""
        return ""


#: Stands for the receiver of a method: `typing.Self`.
_SELF: Final = Variable("Self", ("", -1), UNKNOWN)
#: Descriptors of the runtime that may be called on functions in place of decorating them.
_WRAPPERS: Final = {"property": Wrapped.PROPERTY, "staticmethod": Wrapped.STATIC, "classmethod": Wrapped.CLASS}
_COMPARISONS: Final = frozenset(("__lt__", "__le__", "__gt__", "__ge__"))
_PROMOTED: Final = frozenset((("int", "float"), ("int", "complex"), ("float", "complex")))


def _merged(sequences: list[list[Instance]]) -> list[Instance]:
    """Merge the orders of several bases as Python's method resolution order does (C3)."""
    found: list[Instance] = []
    waiting = [sequence for sequence in sequences if sequence]
    while waiting:
        chosen: Instance | None = None
        for sequence in waiting:
            head = sequence[0]
            if not any(each.cls is head.cls for other in waiting for each in other[1:]):
                chosen = head
                break
        if chosen is None:
            chosen = waiting[0][0]  # an order that Python refuses
        found.append(chosen)
        waiting = [rest for sequence in waiting if (rest := [each for each in sequence if each.cls is not chosen.cls])]
    return found


def _mentions_variable(kind: Type) -> bool:
    if isinstance(kind, (Variable, ClassOf)):
        return True
    if isinstance(kind, Instance):
        return any(_mentions_variable(each) for each in (*kind.arguments, *(kind.items or ())))
    if isinstance(kind, ClassValue):
        return _mentions_variable(kind.instance)
    if isinstance(kind, Union):
        return any(_mentions_variable(each) for each in kind.members)
    return isinstance(kind, Callback) and any(_mentions_variable(each) for each in (kind.result, *kind.parameters))


def _bounded(kind: Type) -> Type:
    """Replace type variables by what bounds them."""
    return union([part.bound if isinstance(part, Variable) else part for part in parts(kind)])


def _integer(text: str) -> int:
    try:
        return int(text.replace("_", ""), 0)
    except ValueError:
        return 1 << 30


def _negative(unit: Unit, node: int) -> bool:
    code = unit.code
    return code[node] == Op.OPERATOR and code[node + 2] < 0 and code[code[node + 1]] == Op.NUMBER
