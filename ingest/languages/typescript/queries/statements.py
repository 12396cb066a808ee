"""A database statement as the calls of an object mapper build it: tables, joins, and the fields that it uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .....schema.edges import ROUTINE_CALL
from ....facts.data import TABLE_NAME, UNQUALIFIED, ModelUse
from .held.target import Path, Target

#: Matches a name of a table or column with an alias: `users as u`, `users u`, `public.users`.
_ALIASED: Final = re.compile(r"\s*([\w$.\-]+)(?:\s+(?:as\s+)?([\w$]+))?\s*", re.IGNORECASE)
#: Matches a field after the alias of its table in a text of SQL: `cat.name`, `"cat"."name"`.
_QUALIFIED: Final = re.compile(r"(?<![\w$:@.\"`])[\"`]?([A-Za-z_][\w$]*)[\"`]?\.[\"`]?([A-Za-z_][\w$]*)[\"`]?(?![\w$]*\()")
#: Matches the texts in quotes of SQL.
_QUOTED: Final = re.compile(r"'(?:[^'\\]|\\.)*'")


class Statement:
    """The tables that a statement uses, each with the fields that it reads and writes."""

    def __init__(self, main: Target | None = None) -> None:
        self.kind = ""
        #: The kind of a statement whose calls do not determine its kind.
        self.usual_kind = ""
        self.main = main
        #: Whether the rows are read before the statement changes them.
        self.reads_first = False
        #: Whether the statement changes which rows a relation connects.
        self.of_links = False
        #: Whether the statement reads or saves the relations that the model loads or saves with each row.
        self.is_whole = False
        #: Whether the statement also changes the other tables that it names.
        self.writes_joined = False
        #: Relations that the statement may read, and whether it reads any of them that code chooses at run time.
        self.allowed: list[Path] = []
        self.is_open = False
        #: Members that code assigns to a saved row, and whether the row was loaded before.
        self.changed: list[Path] = []
        self.is_loaded = False
        self._aliases: dict[str, Target] = {}
        self._read: dict[Target, dict[Path, None]] = {}
        self._written: dict[Path, None] = {}
        #: Fields that were named before the main table.
        self._waiting: list[str] = []

    def copy(self) -> Statement:
        """Return a statement that can be extended without changing this one."""
        made = Statement(self.main)
        made.kind, made.usual_kind = self.kind, self.usual_kind
        made.reads_first, made.of_links = self.reads_first, self.of_links
        made.writes_joined, made.is_whole = self.writes_joined, self.is_whole
        made.changed, made.is_loaded = list(self.changed), self.is_loaded
        made.allowed, made.is_open = list(self.allowed), self.is_open
        made._aliases = dict(self._aliases)
        made._read = {target: dict(fields) for target, fields in self._read.items()}
        made._written = dict(self._written)
        made._waiting = list(self._waiting)
        return made

    def become(self, kind: str) -> None:
        """Set the kind of the statement. A kind that changes rows takes precedence over a kind that reads rows."""
        if kind and (kind != "select" or not self.kind):
            self.kind = kind

    # ------------------------------------------------------------------ tables

    def add_main(self, target: Target, alias: str = "") -> None:
        """Set the main table of the statement. If there is another main table already, add a table that the statement reads."""
        if self.main is None:
            self.main = target
            self.name(target, alias)
            for text in self._waiting:
                self.read_text(text)
            self._waiting.clear()
        elif target != self.main:
            self.join(target, alias)
        else:
            self.name(target, alias)

    def join(self, target: Target, alias: str = "") -> None:
        """Add a table that the statement reads."""
        self._read.setdefault(target, {})
        self.name(target, alias)

    def name(self, target: Target, alias: str) -> None:
        """Set the alias of a table."""
        if alias:
            self._aliases[alias] = target

    def of_alias(self, alias: str) -> Target | None:
        """Return the table with an alias, or with a name for a table without an alias; None if there is none."""
        return self._aliases.get(alias)

    def link(self, relation: str) -> None:
        """Replace the main table by the table to which one of its relations leads."""
        if self.main is not None:
            self.main = Target(self.main.model, (*self.main.path, relation))

    def extend(self, other: Statement) -> None:
        """Add the tables that another statement reads."""
        for target, fields in other._read.items():
            self._read.setdefault(target, {}).update(fields)

    # ------------------------------------------------------------------ fields

    def read(self, path: Path) -> None:
        """Add a field of the main table, perhaps through relations."""
        if self.main is not None and path:
            self._read.setdefault(self.main, {})[path] = None

    def read_of(self, target: Target, path: Path) -> None:
        """Add a field of any table."""
        self._read.setdefault(target, {})[path] = None

    def write(self, path: Path) -> None:
        """Add a field of the main table that the statement writes."""
        self._written[path] = None

    def read_text(self, text: str) -> None:
        """Add a field by its name in a text, perhaps after the alias of its table: `users.id`, `id as user_id`."""
        found = _ALIASED.fullmatch(text)
        if self.main is None:
            self._waiting.append(text)
        if found is None or self.main is None:
            return
        alias, _, name = found[1].rpartition(".")
        target = self._aliases.get(alias.rpartition(".")[2]) if alias else self.main
        if target is not None and name not in ("", "*"):
            self.read_of(target, (name,) if alias or not target.model.startswith(TABLE_NAME) else (UNQUALIFIED, name))
        elif alias and target is None and self.main is not None and not self.main.model.startswith(TABLE_NAME):
            self.read((*alias.split("."), name))

    def read_sql(self, text: str) -> None:
        """Add the fields that a text of SQL names after the alias of their table."""
        for alias, name in _QUALIFIED.findall(_QUOTED.sub("''", text)):
            target = self._aliases.get(alias)
            if target is not None:
                self.read_of(target, (name,))

    # ------------------------------------------------------------------ results

    def uses(self) -> Iterator[tuple[str, tuple[ModelUse, ...]]]:
        """Yield the kinds of the statements, each with its uses of tables."""
        main = self.main
        if main is None and self.kind == "select":
            main = next(iter(self._read), None)  # the main table is a query that has a name
        if main is None or not self.kind:
            return
        if self.is_open:
            for path in self.allowed:
                self.join(Target(main.model, (*main.path, *path)))
        joined = self.writes_joined
        others = [
            ModelUse(*target, joined, () if joined else tuple(fields)) for target, fields in self._read.items() if target != main
        ]
        conditions = tuple(self._read.get(main, ()))
        if self.kind in ("select", ROUTINE_CALL):
            own = ModelUse(*main, False, conditions, of_links=self.of_links, is_whole=self.is_whole)
            yield self.kind, (own, *others)
            return
        if self.reads_first:
            yield "select", (ModelUse(*main, False, conditions, of_links=self.of_links),)
        uses = [ModelUse(*main, True, tuple(self._written), of_links=self.of_links, is_whole=self.is_whole)]
        if conditions and self.kind != "insert":
            uses.append(ModelUse(*main, False, conditions, True))
        for path in self.changed:  # only relations count: of a link, and of the row that it is compared with
            changed = Target(main.model, (*main.path, *path))
            uses.append(ModelUse(*changed, True, of_links=True))
            if self.reads_first:
                yield "select", (ModelUse(*changed, False),)
        yield self.kind, (*uses, *others)


def aliased(text: str) -> tuple[str, str]:
    """Split the name of a table from its alias: `users as u`; the alias is the last part of the name if there is none."""
    found = _ALIASED.fullmatch(text)
    if found is None:
        return "", ""
    return found[1], found[2] or found[1].rpartition(".")[2]
