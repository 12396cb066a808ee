"""The subjects of sections, by their headings and their content: workflows, decisions, APIs, release plans and others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from .actors import is_action, is_instruction
from .apis import described_endpoint, has_endpoints
from .architectures import read_architecture
from .decisions import GROUP, is_decision
from .drawings import DIAGRAM_TYPES
from .parts import TEXT, Part, split_lead
from .releases import MILESTONE, UNRELEASED, VERSION, is_release_title
from .requirements import read_requirements
from .structured_forms import Requirements
from .workflow import STEP_HEADING, has_ordered_items, is_table_of_steps

_STEP: Final = re.compile(r"step[ ]+\d+\b", re.IGNORECASE)
_CHANGELOG: Final = re.compile(r"(?:change ?log|changes|(?:release )?history|release notes)$", re.IGNORECASE)
_PLAN: Final = re.compile(r"\b(?:road ?map|release plan|milestones|release schedule|timeline)\b", re.IGNORECASE)
_TIMELINE: Final = re.compile(r"\btimeline\b", re.IGNORECASE)
_WORKFLOW: Final = re.compile(
    r"\b(?:workflows?|flows?(?! control)"
    r"|process|procedure|steps|life ?cycle|(?:release|build|deploy(?:ment)?|ci(?:/cd)?) pipeline|runbook"
    r"|playbook|checklist|walk-?through|how .+ works?|life of|getting started|quick ?start|installation|install|installing"
    r"|set ?up|deployment|deploying|releasing|tutorial)\b|^how to\b",
    re.IGNORECASE,
)
_VERSION_OR_DATE: Final = re.compile(r"\bv?\d+\.\d+|\bq[1-4]\b|\b20\d\d\b", re.IGNORECASE)
#: Headings of workflows whose subsections are parts of the workflow.
_PROCEDURE: Final = re.compile(
    r"\b(?:workflow|process|procedure|runbook|playbook|installation|install|setup|deployment|deploying|releasing|tutorial)\b",
    re.I,
)
#: Headings of numbered lists that are not steps.
_NO_STEPS: Final = re.compile(
    r"(?:benefits|description|best practices|pre-?requisites|requirements|features|limitations|notes|options|goals|non-goals"
    r"|reasons|principles|references|advantages|disadvantages|pros|cons|questions|faq|examples?|contents|table of contents"
    r"|(?:considered |proposed |other |possible )?(?:alternatives|ways|options|approaches)|(?:decision )?drivers|consequences"
    r"|what you\S*(?: (?:will|have))? learn\w*)\b",
    re.IGNORECASE,
)
#: A heading that names an activity: "Adding a language", "Publishing".
_ACTIVITY: Final = re.compile(r"(?:\d+[.)] )?[A-Z][a-z]{2,}ing\b")
_CHAPTER: Final = re.compile(r"[*_]*(?P<number>\d+(?:\.\d+)*+)\\?[.)]?[ ]+(?=\D)(?P<name>[A-Za-z])?")
#: Names of numbered chapters, which are no steps.
_CHAPTER_NAME: Final = re.compile(
    r"(?:description|requirements|(?:detailed |system )?design|change ?log|references|scope|glossary|appendix|dictionary)",
    re.IGNORECASE,
)
#: Sentences that announce steps in a section whose heading does not announce them.
_ANNOUNCED: Final = re.compile(
    r"\b(?:the following steps|these steps|follow(?:ing)? steps|step[- ]by[- ]step|steps below|steps in this section"
    r"|here are (?:some|the) steps|does the following"
    r"|(?:sequence of events|procedure)(?: \w+){0,4} is (?:the following|as follows))\b",
    re.IGNORECASE,
)
#: Names of workflows that have an object or stand alone: "Set up the shop", "How to pay".
_VERBAL: Final = re.compile(
    r"how\b|set ?up|install$|installing|deploying|releasing|getting started|quick ?start|life of|tutorial|walk", re.IGNORECASE
)
#: What may follow the name of a workflow in a title. Otherwise, the name belongs to another noun: "Workflow types".
_AFTER_WORKFLOW: Final = re.compile(
    r"\W*$|[ ]*[^\w\s]|[ ]+(?:of|for|to|in|with|on|from|at|by|and|or|when|after|before|via|using|a|an|the|your|our|this|guide"
    r"|instructions|steps|overview|diagram|procedure|process|details|summary|checklist|examples?|tasks|phases?|stages|workflow"
    r"|pipeline|explain\w+|description|\d+|is|are|works?)\b",
    re.IGNORECASE,
)
#: An introduction to choices or kinds, which are not steps.
_CHOICES: Final = re.compile(
    r"\b(?:one of (?:the following|these)|choos(?:e|ing) (?:from|between)|(?:two|three|four|several|different|following)"
    r"(?: \w+){0,2} (?:types|kinds|ways|options|methods|approaches|scenarios|reasons|alternatives|primitives)|scenarios are)\b"
    r"|^\W*(?:ways|options|approaches|alternatives|choices):",
    re.IGNORECASE,
)
#: Titles about components. "Layers" counts only if the title is about nothing else: images and networks have layers, too.
_ARCHITECTURE: Final = re.compile(
    r"(?<![\w-])(?<!information )(?:architecture(?! decisions?\b)|system design|design overview)\b"
    r"|^(?:(?:the|our) )?(?:(?:application|software|system|code|abstraction|module|domain) )?layers(?: of\b.*)?$",
    re.IGNORECASE,
)
#: A title whose subject are components: "Core components", "Components of the shop", and not "Building the components".
_COMPONENTS: Final = re.compile(
    r"\W*(?:\d[\d.]*[ ]+)?(?:(?:list|overview) of (?:the )?)?"
    r"(?:(?!(?:how|in|of|with|by|for|to|from|existing|\w+ing)\b)[\w/&.-]+[ ]+){0,4}components(?!::)"
    r"(?:[ ]+(?:of|and|in|overview|diagram)\b.*|[^\w-].*|\W*)$",
    re.IGNORECASE,
)
_REQUIREMENTS: Final = re.compile(
    r"(?<!non-)\b(?:requirements|acceptance criteria|user stories)(?:[ ]*[(\[:,\u2013\u2014-].*|[ ]+(?:of|for|and|on)\b.*)?$",
    re.IGNORECASE,
)
#: Headings about the prerequisites of a program. Prerequisites are not requirements on the program itself.
_PREREQUISITES: Final = re.compile(
    r"\b(?:system|software|hardware|build|install(?:ation)?|runtime|minimum|version) requirements"
    r"|\b(?:time|role|membership|eligibility) requirements|^requirements$",
    re.I,
)
_API: Final = re.compile(r"\b(?:api|apis|endpoints?)\b", re.IGNORECASE)
#: A title whose subject is an API: "REST API", "API reference", "Endpoints (v2)", and not "Moving the API to another host".
_API_TITLE: Final = re.compile(
    r"(?:(?!with\b|for\b|to\b|in\b|of\b|and\b)[^\s]+[ ]+){0,4}(?:apis?|endpoints)"
    r"(?:[ ]+(?:reference|documentation|docs|overview|guide|specification|spec|functions|methods|calls|operations|endpoints"
    r"|routes|v?\d[\d.]*))*(?:[ ]*[(\[\u2013\u2014].*|[ ]+-.*)?[ ]*:?$",
    re.IGNORECASE,
)


#: Number of lines before a list that may introduce it.
_MAX_INTRODUCTION: Final = 5
#: Minimum number of steps below a title about an activity, and below any other title.
_MIN_STEPS: Final = 2
_MIN_INSTRUCTIONS: Final = 3
#: Part of the items of a numbered list that are instructions, below a title about an activity, and below any other title.
_MOST: Final = 0.5
_NEARLY_ALL: Final = 0.74
#: A title about the use or the history of an API: "Using the API to issue cards", "API changes".
_ABOUT_API: Final = re.compile(
    r"\b(?:using|calling) (?:the )?(?:\w+ )?apis? to\b|\bapis? changes\b|\bchanges (?:to|in|of) (?:the )?api", re.IGNORECASE
)
#: A path in a title, such as "Diagrams (/architecture)".
_PATH: Final = re.compile(r"[\w.-]*/[\w./-]+")
#: Titles of the API of a project itself. Any other "Name API" may be the API of another project, which a section only uses.
_OWN_API: Final = re.compile(
    r"\b(?:rest|http|https|public|web|json|graphql|grpc|rpc|client|server|admin|internal|management|reference|documentation|docs"
    r"|spec|specification|functions|methods|calls|operations|routes|draft|v?\d[\d.]*)\b|\bapis\b|endpoints",
    re.IGNORECASE,
)
#: A function, a method of HTTP or a path, as in the description of an API.
_CALLABLE: Final = re.compile(r"\w\(|\b(?:GET|POST|PUT|PATCH|DELETE)\b|[\s`]/[\w{:]+[/`]|\b\w+\.\w+`")
_QUALIFIED: Final = re.compile(r"\w+(?:\.\w+)+")
#: A title that says nothing else than that a section describes an API.
_ONLY_API: Final = re.compile(r"(?:the |public )?api(?: reference| documentation| docs)?:?$", re.IGNORECASE)


#: Minimum number of subsections that are endpoints, for an API whose title does not name it.
_MIN_ENDPOINTS: Final = 2


#: Subjects that titles inside changelogs only name.
_SUBJECTS_OF_CHANGES: Final = frozenset(("api", "architecture", "requirements"))


class SectionType(NamedTuple):
    """The type of a section: the kind of its symbol, and its subjects."""

    kind: str
    #: Some of "workflow", "sequence diagram", "flowchart", "release plan", "changelog", "api", "architecture", "requirements" and
    #: "decision".
    subjects: tuple[str, ...] = ()


class _Headed(NamedTuple):
    """A section with properties of its subsections, for rules about the section and its subsections."""

    part: Part
    #: Whether the subsections are numbered from 1.
    has_steps: bool
    #: Whether the subsections are the versions of a changelog.
    has_releases: bool


def types_of(parts: Sequence[Part]) -> list[SectionType]:
    """Return the types of the sections of a document."""
    sections = [_Headed(part, _has_steps(part), _has_releases(part)) for part in parts]
    # Generators of changelogs give releases the levels of their versions, so that some releases are outermost sections.
    roots = [part.section.title for part in parts if part.section.parent < 0]
    is_changelog = sum(VERSION.match(title) is not None for title in roots) > 1 or any(UNRELEASED.match(title) for title in roots)
    outer = SectionType("section", ("changelog",) if is_changelog else ())
    found: list[SectionType] = []
    #: Whether each section is inside a changelog, at any depth.
    inside: list[bool] = []
    for section in sections:
        parent = section.part.section.parent
        above = found[parent] if parent >= 0 else outer
        inside.append("changelog" in above.subjects or (parent >= 0 and inside[parent]))
        kind = _type_of(section, sections[parent] if parent >= 0 else None, above)
        if inside[-1] and kind.kind == "section":  # "API" and "Components" are the subjects of changes
            kind = kind._replace(subjects=tuple(each for each in kind.subjects if each not in _SUBJECTS_OF_CHANGES))
        found.append(kind)
    return found


def _type_of(section: _Headed, parent: _Headed | None, outer: SectionType) -> SectionType:
    part = section.part
    title = part.section.title
    if described_endpoint(part) is not None:
        return SectionType("endpoint", ("api",))
    is_numbered = parent is not None and parent.has_steps and STEP_HEADING.match(title) is not None
    if _STEP.match(title) or ("workflow" in outer.subjects and is_numbered):
        return SectionType("step", ("workflow",))
    if is_decision(part) and not (outer.kind == "decision" and GROUP.match(title)):
        return SectionType("decision", ("decision",))
    if "release plan" in outer.subjects and (MILESTONE.match(title) or VERSION.match(title)):
        return SectionType("milestone", ("release plan",))
    subjects = []
    if _PLAN.search(title) and _ACTIVITY.match(title) is None and _has_plan(part):
        subjects.append("release plan")
    is_inside = "changelog" in outer.subjects or (parent is not None and parent.has_releases)
    is_release = is_inside and is_release_title(title)
    if is_release or section.has_releases:
        subjects.append("changelog")
    if _is_workflow(section, parent):
        subjects.append("workflow")
    for name, kinds in DIAGRAM_TYPES.items():
        if any(diagram.kind in kinds for _, diagram in part.diagrams):
            subjects.append(name)
    is_named = _REQUIREMENTS.search(title) is not None and (_PREREQUISITES.search(title) is None or _states_requirements(part))
    for is_found, subject in (
        (_is_architecture(part), "architecture"),
        (is_named and not _is_activity(title), "requirements"),
        (_is_api(part), "api"),
    ):
        if is_found:
            subjects.append(subject)
    return SectionType("section", tuple(subjects))


def _has_plan(part: Part) -> bool:
    """Return whether a section has lists, tables, subsections or diagrams, or its text names versions or dates."""
    has_parts = bool(part.tables or part.inner or part.diagrams)
    # A list may also tell what a timeline is.
    has_parts = has_parts or (bool(part.items) and _TIMELINE.search(part.section.title) is None)
    return has_parts or _VERSION_OR_DATE.search(part.text(2_000)) is not None


def _is_architecture(part: Part) -> bool:
    """Return whether a section describes an architecture by its title, or components by its title and its lists."""
    title = _PATH.sub("", part.section.title)
    if _ARCHITECTURE.search(title) is not None:
        return True
    if not (part.items or part.tables or part.inner) or _COMPONENTS.match(title) is None or _is_activity(title):
        return False
    items = [item for item in part.items if item.depth == 0]
    return read_architecture(part).form != TEXT or sum(split_lead(item)[0] != "" for item in items) * 2 > len(items)


def _states_requirements(part: Part) -> bool:
    """Return whether most entries of a section "Requirements" have an id, unlike prerequisites."""
    if part.section.title.lower() != "requirements":
        return False
    found = read_requirements(part).fields
    stated = found.requirements if isinstance(found, Requirements) else []
    return sum(each.id != "" for each in stated) * 2 > len(stated)


def _is_activity(title: str) -> bool:
    """Return whether a title tells readers to do several things: "Develop ports and components"."""
    return " and " in title and is_instruction(title)


def _is_api(part: Part) -> bool:
    """Return whether a section describes an API: its title names one above its parts, or mentions one above endpoints, or several
    of its subsections are endpoints.
    """
    title = part.section.title
    if sum(described_endpoint(inner) is not None for inner in part.inner) >= _MIN_ENDPOINTS:
        return True
    if _API.search(title) is None or _ABOUT_API.search(title) is not None:
        return False
    if has_endpoints(part) or _ONLY_API.match(title) is not None:
        return True
    has_parts = bool(part.inner or part.items or part.tables)
    if not has_parts or _API_TITLE.match(title) is None:
        return False
    if _OWN_API.search(title) is not None or _CALLABLE.search(part.text(2_000)) is not None:
        return True
    titles = [inner.section.title for inner in part.inner]
    return any(_CALLABLE.search(each) is not None or _QUALIFIED.fullmatch(each) is not None for each in titles)


def _is_workflow(section: _Headed, parent: _Headed | None) -> bool:
    part = section.part
    if any(_STEP.match(inner.section.title) for inner in part.inner):
        return True
    title = part.section.title
    if _NO_STEPS.match(title):
        return False
    named = list(_WORKFLOW.finditer(title))
    is_named = any(_VERBAL.match(each[0]) or _AFTER_WORKFLOW.match(title, each.end()) for each in named)
    is_inside = parent is not None and _PROCEDURE.search(parent.part.section.title) is not None
    if section.has_steps and (is_named or is_inside or _has_instructions(part)):
        return True
    if not has_ordered_items(part.items):
        return is_named and any(is_table_of_steps(table) for table in part.tables)
    if _ANNOUNCED.search(part.text(2_000)) is not None:
        return True
    if _CHOICES.search(_introduction(part)) is not None:
        return False
    if is_named:
        return True
    if named or is_inside or _ACTIVITY.match(title) is not None:
        return _instructions(part, _MIN_STEPS) > _MOST
    return _instructions(part, _MIN_INSTRUCTIONS) > _NEARLY_ALL


def _introduction(part: Part) -> str:
    """Return the lines directly before the first numbered list of a section."""
    first = next((item.line for item in part.items if item.is_numbered and item.depth == 0), 0)
    return " ".join(line for number, line in part.numbered_texts() if first - _MAX_INTRODUCTION <= number < first)


def _has_instructions(part: Part) -> bool:
    """Return whether most numbered subsections have instructions as their titles: "1. Pick the version"."""
    titles = [found for inner in part.inner if (found := STEP_HEADING.match(inner.section.title)) is not None]
    written = [found.string[found.end("number") if found["number"] else found.end("step") :].lstrip(" .):-") for found in titles]
    return len(written) >= _MIN_INSTRUCTIONS and sum(map(is_instruction, written)) * 3 > len(written) * 2


def _instructions(part: Part, least: int) -> float:
    """Return the part of the items of numbered lists of a section that are instructions or actions of actors; 0 for fewer than
    `least` items.
    """
    items = [item for item in part.items if item.is_numbered and item.depth == 0]
    doing = sum(is_instruction(item.text) or is_action(item.text) for item in items)
    return doing / len(items) if len(items) >= least else 0.0


def _has_steps(part: Part) -> bool:
    titles = [found for inner in part.inner if (found := STEP_HEADING.match(inner.section.title)) is not None]
    if any(_CHAPTER_NAME.fullmatch(found["text"]) for found in titles):
        return False
    numbers = [int(found["step"] or found["number"]) for found in titles]
    return len(numbers) >= 2 and numbers == list(range(1, len(numbers) + 1))


def _has_chapters(part: Part) -> bool:
    """Return whether the title and an inner title are numbered as chapters: "2.1 Scope" below "2. Design"."""
    own = _CHAPTER.match(part.section.title)
    if own is None or ("." in own["number"] and own["name"] is None):  # "1.2 (May)" is a version
        return False
    return any(inner.section.title.lstrip("*_").startswith(f"{own['number']}.") for inner in part.inner)


def _has_releases(part: Part) -> bool:
    if _has_chapters(part):
        return False
    titles = [inner.section.title for inner in part.inner]
    least = 1 if _CHANGELOG.match(part.section.title) is not None else 2
    if least > 1 and not any(inner.items or inner.inner for inner in part.inner if VERSION.match(inner.section.title)):
        return False  # tables of documents or features by version
    if least == 1:
        return any(map(is_release_title, titles))
    return sum(VERSION.match(title) is not None for title in titles) >= least or any(UNRELEASED.match(title) for title in titles)
