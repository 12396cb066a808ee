"""The workflow templates of Astrolabe and of a workspace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .....retrieval.lookup.fuzzy_names import like
from .....schema.errors import UsageError
from ..bug_fix import bug_fix, source_maps_of
from ..create_module.planning import create_module
from ..features import implement_feature, upgrade_feature
from ..update_module import update_module
from .template import Parameter, Template
from .user_templates import TemplateProblem, user_templates

if TYPE_CHECKING:
    from ...requests.answering_index import AnsweringIndex

#: Templates by name.
TEMPLATES: Mapping[str, Template] = {
    template.name: template
    for template in (
        Template(
            "bug-fix",
            "Suspects of an error with their reasons, the chain of calls, tests that reach them, recent changes.",
            (Parameter("error", "an error message or a stack trace, as it was printed"),),
            bug_fix,
            outside=source_maps_of,
        ),
        Template(
            "create-module",
            "A plan for a module as its siblings are: files with their common text, registrations, dependencies. Writes nothing.",
            (
                Parameter("name", "name or path of the new module"),
                Parameter("like", "a sibling whose conventions it follows", required=False),
                Parameter("dependencies", "modules and packages that it needs, separated by commas", required=False),
            ),
            create_module,
            is_kept=False,  # the workflow reads manifests, which are not in the index
        ),
        Template(
            "update-module",
            "What a change of a module affects: files to change, what others use, dependants, tests, documents, history.",
            (
                Parameter("module", "name of a module in its manifest, a folder or a file"),
                Parameter("change", "the change in words", required=False),
            ),
            update_module,
        ),
        Template(
            "implement-feature",
            "Where a feature belongs: files to change, similar code, extension points, registrations, tests, missing names.",
            (
                Parameter("feature", "the feature in words"),
                Parameter("module", "where it belongs: a module, a folder or a file", required=False),
            ),
            implement_feature,
        ),
        Template(
            "upgrade-feature",
            "A plan for the upgrade of a feature: its code, files in order, what others use, affected modules, tests.",
            (
                Parameter("feature", "name of a symbol, or the feature in words"),
                Parameter("upgrade", "the upgrade in words", required=False),
            ),
            upgrade_feature,
        ),
    )
}


def all_templates(workspace: AnsweringIndex) -> tuple[dict[str, Template], list[TemplateProblem]]:
    """Return all templates by name, and the problems of invalid files of the workspace."""
    own, problems = user_templates(workspace, TEMPLATES)
    return {**TEMPLATES, **own}, problems


def template_named(workspace: AnsweringIndex, name: str) -> Template:
    """Return a template. Raises UsageError with the nearest name, and with the problems of invalid files.

    The files of the workspace are only read if no template of Astrolabe has the name.
    """
    written = name.strip().lower().replace("_", "-").replace(" ", "-")
    if (found := TEMPLATES.get(written)) is not None:
        return found
    known, problems = all_templates(workspace)
    if (found := known.get(written)) is not None:
        return found
    near = sorted(like(known, written).items(), key=lambda each: -each[1])
    hint = f" Did you mean `{near[0][0]}`?" if near else ""
    broken = "".join(f" {problem.sentence}." for problem in problems[:3])
    raise UsageError(f'There is no workflow "{name[:80]}"; there are {", ".join(known)}.{hint}{broken}')
