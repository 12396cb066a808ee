"""The workflow templates: their names, what they take, and how they run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec

from ....retrieval.lookup.fuzzy_names import like
from ....schema.errors import UsageError
from ..graph_tools.composition import GraphTools
from ..graph_tools.records import GraphAnswer
from .bug_fix import bug_fix

if TYPE_CHECKING:
    from ...stores.readers import Readers
    from ..workspace import Workspace

#: Answers with the values of a template's parameters.
Running = Callable[["Workspace", GraphTools, "Readers", Mapping[str, str]], GraphAnswer]


class Parameter(msgspec.Struct, frozen=True):
    """A value that a template takes, as text."""

    name: str
    description: str
    required: bool = True


class Template(msgspec.Struct, frozen=True):
    """A workflow: a fixed sequence of questions to the graph."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    run: Running

    def checked(self, values: Mapping[str, str]) -> Mapping[str, str]:
        """Return the values of all parameters. Raises UsageError for one that is missing, unknown or no text."""
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


#: Templates by name.
TEMPLATES: Mapping[str, Template] = {
    template.name: template
    for template in (
        Template(
            "bug-fix",
            "Suspects of an error with their reasons, the chain of calls, tests that reach them, recent changes.",
            (Parameter("error", "an error message or a stack trace, as it was printed"),),
            lambda workspace, tools, readers, values: bug_fix(workspace, tools, readers, values["error"]),
        ),
    )
}


def template_named(name: str) -> Template:
    """Return a template. Raises UsageError with the nearest name for one that does not exist."""
    written = name.strip().lower().replace("_", "-").replace(" ", "-")
    if (found := TEMPLATES.get(written)) is not None:
        return found
    near = sorted(like(TEMPLATES, written).items(), key=lambda each: -each[1])
    hint = f" Did you mean `{near[0][0]}`?" if near else ""
    raise UsageError(f'There is no workflow "{name[:80]}"; there are {", ".join(TEMPLATES)}.{hint}')
