"""Classes that the arguments of a call name, with their attributes: `select(User.name).where(User.age > 3)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from ....facts.model import DeclKind
from ....facts.operations import NAME_OPS, Op
from ...framework_rules.queries import QueryFile
from ...framework_rules.wiring import SymbolPlace
from ..models.hints import MODEL_ATTRIBUTES
from .written_calls import written_call

#: The named attributes of each class. Each attribute is a path with one name.
Models = dict[SymbolPlace, dict[tuple[str, ...], None]]
_MAX_DEPTH: Final = 10
#: Origin of a table of SQLAlchemy that is not a class, and the attributes with its columns.
_TABLE: Final = re.compile(r"(?:sqlalchemy|flask_sqlalchemy):(?:SQLAlchemy\(\)\.)?Table\(\)")
_COLUMNS: Final = frozenset(("c", "columns"))
#: Attribute of a class with its table: `User.__table__.insert()`.
OWN_TABLE: Final = "__table__"


class NamedModels:
    """Finds the classes of the repository in the expressions of a file. They may be models, or classes that models extend."""

    def __init__(self, file: QueryFile, begins: Callable[[int], bool], held: dict[SymbolPlace, str] | None = None) -> None:
        """`begins` returns whether a call belongs to a separate statement.

        `held` gets the classes whose attribute names the model, each with the attribute: `select(self.model)`.
        """
        self._file = file
        self._begins = begins
        self._held = held
        #: Whether the file may use the model in an attribute of a class.
        self.has_holders: Final = held is not None and not MODEL_ATTRIBUTES.isdisjoint(file.facts.strings)
        #: The attributes that classes of the file assign, with the symbol of the class.
        self._assigned = {
            (file.facts.symbols[decl.symbol].parent, decl.name)
            for decl in file.facts.decls
            if decl.kind == DeclKind.VARIABLE and decl.name in MODEL_ATTRIBUTES and decl.symbol >= 0 and decl.b >= 0
        }

    def classes(self, node: int) -> Iterator[SymbolPlace]:
        """Yield the classes that an expression may be."""
        holder = self.holder(node)
        if holder is not None:
            yield holder
            return
        code = self._file.code
        if node >= 0 and code[node] == Op.MEMBER and self._file.facts.strings[code[node + 2]] == OWN_TABLE:
            yield from self.classes(code[node + 1])
            return
        for each in self._file.types(node):
            if each.is_class and each.declared is not None:
                yield each.declared
        table = self.table(node)
        if table is not None:
            yield table

    def holder(self, node: int) -> SymbolPlace | None:
        """Return the class around `self.model`, if the class does not assign the attribute: derived classes name the model."""
        file, code = self._file, self._file.code
        if self._held is None or node < 0 or code[node] != Op.MEMBER or code[code[node + 1]] not in NAME_OPS:
            return None
        attribute = file.facts.strings[code[node + 2]]
        if attribute not in MODEL_ATTRIBUTES or file.name(code[node + 1]) not in ("self", "cls"):
            return None
        owner = class_around(file, node)
        if owner < 0 or (owner, attribute) in self._assigned:
            return None
        holder = SymbolPlace(file, owner)
        self._held[holder] = attribute
        return holder

    def hold(self, place: SymbolPlace, attribute: str) -> None:
        """Record that the model is in an attribute of a class."""
        if self._held is not None:
            self._held[place] = attribute

    def is_holder(self, place: SymbolPlace) -> bool:
        """Return whether code of the file uses the model in an attribute of a class."""
        return self._held is not None and place in self._held

    def table(self, node: int) -> SymbolPlace | None:
        """Return the variable that a name denotes, if its value is a table without a class: `Table("users", …)`."""
        file, code = self._file, self._file.code
        if node < 0 or code[node] != Op.NAME or _TABLE.fullmatch(file.origin(node)) is None:
            return None
        declared = file.declared(file.name(node))
        return declared.symbol if declared is not None else None

    def of(self, nodes: Sequence[int], depth: int = _MAX_DEPTH) -> Models:
        """Return the classes that arguments name, each with its named attributes."""
        file, code = self._file, self._file.code
        found: Models = {}
        for node in nodes if depth else ():
            op = code[node]
            inner: list[int] = []
            own = list(self.classes(node)) if op == Op.MEMBER and self.holder(node) is None else []
            if own:  # a class of a module: `models.User`
                found.update((place, {}) for place in own if place not in found)
            elif op == Op.MEMBER:
                owner = code[node + 1]
                if code[owner] == Op.MEMBER and file.facts.strings[code[owner + 2]] in _COLUMNS and self.table(code[owner + 1]):
                    owner = code[owner + 1]
                path: tuple[str, ...] = (file.facts.strings[code[node + 2]],)
                for place in self.classes(owner):
                    found.setdefault(place, {})[path] = None
                if not found and code[owner] == Op.MEMBER:  # an attribute behind a relation: `Book.author.name`
                    path = (file.facts.strings[code[owner + 2]], *path)
                    found.update((place, {path: None}) for place in self.classes(code[owner + 1]))
                holder = self.holder(node)
                if holder is not None:
                    found.setdefault(holder, {})
                inner = [] if found else [code[node + 1]]
            elif op == Op.CALL:
                call = written_call(file, node)
                if call is not None and not self._begins(node):
                    inner = [*([call.receiver] if call.receiver >= 0 else []), *call.positional, *call.named.values()]
            elif op in (Op.OPERATOR, Op.EQUALITY, Op.COMPARED, Op.IN, Op.LOGICAL):
                inner = [each for each in (code[node + 1], code[node + 2]) if each >= 0]
            elif op in (Op.NOT, Op.SPREAD):
                inner = [code[node + 1]]
            elif op == Op.ARRAY:
                inner = list(file.items(code[node + 1]))
            elif op == Op.DICT:
                inner = [*file.items(code[node + 1]), *file.items(code[node + 2])]
            else:
                places = list(self.classes(node))
                found.update((place, {}) for place in places if place not in found)
                inner = [] if places or self._begins(node) else list(file.values(node))
            for place, fields in self.of(inner, depth - 1).items():
                found.setdefault(place, {}).update(fields)
        return found


def class_around(file: QueryFile, node: int) -> int:
    """Return the symbol of the innermost class around a node; -1 for none."""
    symbols, owner = file.facts.symbols, file.owner(node)
    while owner >= 0 and symbols[owner].kind != "class":
        owner = symbols[owner].parent
    return owner
