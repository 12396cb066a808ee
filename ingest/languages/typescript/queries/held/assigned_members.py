"""The members that the code of a file assigns: `user.name = name` for variables, `this.model = model` for fields of classes."""

from __future__ import annotations

from collections import defaultdict
from typing import Final, NamedTuple

from .....facts.node_scan import any_of, nodes_of
from .....facts.operations import Op, ThisKind
from ...resolve.call_targets import unwrapped
from ...resolve.model.unit import Unit

_ASSIGN: Final = any_of(Op.ASSIGN)


class AssignedMember(NamedTuple):
    """An assignment to a member."""

    #: The ASSIGN node, the node of the object, and the node of the value.
    node: int
    receiver: int
    value: int
    name: str


class AssignedMembers:
    """The assignments to members in one file, by the binding of the variable, and by the class and the name of the field."""

    def __init__(self, unit: Unit) -> None:
        code = unit.code
        self.of_variables: dict[int, list[AssignedMember]] = defaultdict(list)
        #: The values that code assigns to variables after their declarations.
        self.of_names: dict[int, list[int]] = defaultdict(list)
        self.of_fields: dict[tuple[int, str], list[int]] = defaultdict(list)
        for node in nodes_of(unit.facts, _ASSIGN):
            target = unwrapped(unit, code[node + 1])
            if code[target] == Op.NAME and code[target + 1] >= 0:
                self.of_names[code[target + 1]].append(code[node + 2])
            if code[target] != Op.MEMBER:
                continue
            receiver, name = unwrapped(unit, code[target + 1]), unit.strings[code[target + 2]]
            if code[receiver] == Op.NAME and code[receiver + 1] >= 0:
                made = AssignedMember(node, receiver, code[node + 2], name)
                self.of_variables[code[receiver + 1]].append(made)
            elif code[receiver] == Op.THIS and code[receiver + 1] == ThisKind.INSTANCE:
                self.of_fields[code[receiver + 2], name].append(code[node + 2])

    def names(self, unit: Unit, node: int) -> list[str]:
        """Return the names of the members that code assigns on the value of a variable."""
        if node < 0 or unit.code[node] != Op.NAME:
            return []
        return list(dict.fromkeys(each.name for each in self.of_variables.get(unit.code[node + 1], ())))
