"""The definition of a workflow template: its name, its parameters, and its function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec

from .....schema.errors import UsageError
from ...graph_tools.composition import GraphTools
from ...graph_tools.records import GraphAnswer

if TYPE_CHECKING:
    from ....stores.readers import Readers
    from ...requests.answering_index import AnsweringIndex

#: Returns the answer of a template for the values of its parameters.
Running = Callable[["AnsweringIndex", GraphTools, "Readers", Mapping[str, str]], GraphAnswer]


class Parameter(msgspec.Struct, frozen=True):
    """A parameter of a template, whose value is a text."""

    name: str
    description: str
    required: bool = True


class Template(msgspec.Struct, frozen=True):
    """A workflow: a fixed sequence of questions to the graph."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    run: Running
    #: Path of the file that declares the template; "" for the templates of Astrolabe.
    origin: str = ""
    #: Whether the answers can be cached. They depend on the index, the history, the settings, and what `outside` returns.
    is_kept: bool = True
    #: Returns the state of the files outside of the index that an answer depends on.
    outside: Callable[[AnsweringIndex, Mapping[str, str]], str] | None = None

    def to_json(self) -> dict[str, object]:
        """Return the public description of the template."""
        return {"name": self.name, "description": self.description, "parameters": msgspec.to_builtins(self.parameters)}

    def checked(self, values: Mapping[str, str]) -> Mapping[str, str]:
        """Return the values of all parameters. Raises UsageError if a parameter is missing, unknown or not a text."""
        known = [parameter.name for parameter in self.parameters]
        if unknown := [name for name in values if name not in known]:
            raise UsageError(f"The workflow `{self.name}` takes {', '.join(known)}, not `{unknown[0]}`.")
        for parameter in self.parameters:
            value = values.get(parameter.name, "")
            if not isinstance(value, str):
                raise UsageError(f"`{parameter.name}` of the workflow `{self.name}` must be a text.")
            if parameter.required and not value.strip():
                raise UsageError(f"The workflow `{self.name}` needs `{parameter.name}`: {parameter.description}.")
        return {name: values.get(name, "") for name in known}
