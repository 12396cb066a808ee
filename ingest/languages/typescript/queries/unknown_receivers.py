"""Libraries and models of receivers whose types are unknown, by names that hardly have another meaning.

The context of a request, a container or a global holds the connection or all models, and no type says so:
`ctx.db.selectFrom("users")`, `this.models.User.findOne()`. The table or model must exist, else the statement has no effect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ....facts.data import TABLE_NAME
from ....facts.operations import Op
from ..models.plurals import plural
from ..resolve.call_targets import unwrapped
from ..resolve.model.unit import Unit
from .held.held_models import HeldModels
from .held.held_value import Held
from .held.object_literals import entries
from .held.target import NAMED, Target
from .held.written_names import written_name
from .mappers.rules import Mapper, Result, Role, association_of

#: Matches the names of objects that hold the connection to a database.
_CONNECTION: Final = re.compile(r"_?(?:db|database|conn|connection|knex|trx|tx|transaction|client|supabase\w*|\w+Db)")


#: First roles of methods that name what a statement uses.
_NAMING: Final = ((Role.TABLE,), (Role.ROUTINE,))


class UnknownReceivers:
    """Finds what the receivers of calls may hold if the types do not say it."""

    def __init__(self, held: HeldModels, mappers: Sequence[Mapper]) -> None:
        self._held = held
        self._mappers = mappers

    def of(self, unit: Unit, links: Sequence[int]) -> Iterator[Held]:
        """Yield what the receiver of a chain of calls may hold; `links` are the calls from the last one to the first one."""
        code = unit.code
        callee = unwrapped(unit, code[links[-1] + 1])
        if code[callee] != Op.MEMBER:
            return
        receiver, name = code[callee + 1], unit.strings[code[callee + 2]]
        slot = self._held.open_parameters(unit).slot(receiver)
        if slot:
            for mapper in self._mappers:
                for kind in (Result.MODEL, Result.ROW):
                    if mapper.method(kind, name) is not None:
                        yield Held(kind, Target(f"{slot} {kind} {mapper.name}"), mapper)
        yield from self._global(unit, unwrapped(unit, receiver), name)
        held = self._held.held(unit, receiver)
        if held is not None and held.target is not None and held.target.model.startswith(NAMED):
            yield from self._named(unit, held, name, unit.items(code[links[-1] + 2]).tolist())
        elif held is None and self._held.is_unknown(unit, receiver):
            yield from self._connections(unit, receiver, name, unit.items(code[links[-1] + 2]).tolist())
            yield from self._registered(unit, unwrapped(unit, receiver), name)

    def _global(self, unit: Unit, receiver: int, name: str) -> Iterator[Held]:
        """Yield the model that a name without a declaration in the file may stand for: `User.find()` in a program of Sails."""
        written = unit.strings[unit.code[receiver + 2]] if unit.code[receiver] == Op.NAME and unit.code[receiver + 1] < 0 else ""
        for mapper in self._mappers if written[:1].isupper() else ():
            if mapper.has_global_models and name in mapper.of_model:
                yield Held(Result.MODEL, Target(f"{mapper.name}:{written.lower()}"), mapper)

    def _named(self, unit: Unit, held: Held, name: str, arguments: Sequence[int]) -> Iterator[Held]:
        """Yield the models of each library that a member of an unknown object may hold, by the name of the member.

        A name in lower case may be a repository of the code's own, so the call must have options of the library.
        """
        target = held.target
        assert target is not None
        written = target.model.removeprefix(NAMED)
        for mapper in self._mappers:
            is_added = held.kind == Result.ROW and association_of(name)[0] in mapper.of_association
            if mapper.method(held.kind, name) is None and not is_added:
                continue
            is_sure = held.kind != Result.MODEL or not written[:1].islower() or name in mapper.own_names
            if mapper.makers and not mapper.has_creators and (is_sure or self._has_options(unit, mapper, arguments)):
                yield Held(held.kind, Target(f"{mapper.name}:{written}", target.path), mapper)
            elif mapper.guesses_tables:  # the name of the table, or of a class whose table has the plural as its name
                for table in dict.fromkeys((written, plural(written))):
                    yield Held(held.kind, Target(f"{TABLE_NAME}{table}", target.path), mapper)

    def _has_options(self, unit: Unit, mapper: Mapper, arguments: Sequence[int]) -> bool:
        """Return whether an argument is an object with an option of the library, such as `where`."""
        return any(name in mapper.options for node in arguments for name, _ in entries(unit, node))

    def _connections(self, unit: Unit, receiver: int, name: str, arguments: Sequence[int]) -> Iterator[Held]:
        """Yield the libraries whose connection may be the receiver of a call that names a table."""
        if not arguments or not self._is_connection(unit, receiver):
            return
        has_text = bool(self._held.texts.of(unit, arguments[0]))
        given = None if has_text else self._held.held(unit, arguments[0])
        named = written_name(unit, receiver).lower()
        for mapper in sorted(self._mappers, key=lambda each: each.name not in named):
            method = mapper.of_manager.get(name)
            if method is None or method.arguments[:1] not in _NAMING or not method.result:
                continue
            if mapper.names_tables and has_text:
                yield Held(Result.MANAGER, None, mapper)
                return
            if given is not None and given.kind == Result.MODEL and given.mapper is mapper:
                yield Held(Result.MANAGER, None, mapper)

    def _registered(self, unit: Unit, receiver: int, name: str) -> Iterator[Held]:
        """Yield the model that a connection has under a name: `ctx.db.query.users`."""
        code = unit.code
        query = unwrapped(unit, code[receiver + 1]) if code[receiver] == Op.MEMBER else -1
        is_query = query >= 0 and code[query] == Op.MEMBER and unit.strings[code[query + 2]] == "query"
        if not is_query or not self._is_connection(unit, code[query + 1]):
            return
        for mapper in self._mappers:
            if mapper.has_creators and name in mapper.of_model:
                yield Held(Result.MODEL, Target(f"{mapper.name}:{unit.strings[code[receiver + 2]]}"), mapper)

    def called(self, unit: Unit, links: Sequence[int]) -> Mapper | None:
        """Return the library of a connection that a chain first calls with the name of a table: `app.knex("users").first()`."""
        code, first = unit.code, links[-1]
        callee, arguments = unwrapped(unit, code[first + 1]), unit.items(code[first + 2]).tolist()
        if len(links) < 2 or not arguments or not self._held.texts.of(unit, arguments[0]):
            return None
        following = unit.strings[code[unwrapped(unit, code[links[-2] + 1]) + 2]]
        if not self._is_connection(unit, callee) or not self._held.is_unknown(unit, callee):
            return None
        return next((each for each in self._mappers if each.is_callable and following in each.of_query), None)

    def _is_connection(self, unit: Unit, receiver: int) -> bool:
        return _CONNECTION.fullmatch(written_name(unit, receiver)) is not None
