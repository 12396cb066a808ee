"""What sections are about, as their headings and their content tell: workflows, decisions, APIs, release plans and others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from .outline import Item, Section

_ENDPOINT: Final = re.compile(r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|CONNECT|TRACE)[ ]+(?:https?://\S+)?/\S*", re.ASCII)
_STEP: Final = re.compile(r"step[ ]+\d+\b", re.IGNORECASE)
_VERSION: Final = re.compile(
    r"(?:release|version)?[ ]*[\[(]?v?\d+\.\d+(?:\.[\dx]+)*(?:[-.+]?\w+)*[\])]?(?:$|[ ,:(\u2013\u2014-])", re.I
)
_MILESTONE: Final = re.compile(r"(?:milestone|phase|stage|sprint|iteration|q[1-4])\b", re.IGNORECASE)
_UNRELEASED: Final = re.compile(r"\[?unreleased\]?$", re.IGNORECASE)
_PLAN: Final = re.compile(r"\b(?:road ?map|release plan|milestones|release schedule|timeline)\b", re.IGNORECASE)
_WORKFLOW: Final = re.compile(
    r"\b(?:workflow|process|procedure|steps|life ?cycle|pipeline|runbook|playbook|checklist|walk-?through|how .+ works?"
    r"|life of|getting started|quick ?start|installation|install|installing|set ?up|deployment|deploying|releasing|tutorial)\b",
    re.IGNORECASE,
)
_ARCHITECTURE: Final = re.compile(r"\b(?:architecture|components|system design|design overview|layers)\b", re.IGNORECASE)
_REQUIREMENTS: Final = re.compile(r"\b(?:(?:functional |non-functional )requirements|acceptance criteria|user stories)\b", re.I)
_API: Final = re.compile(r"\b(?:api|apis|endpoints|rest|api reference)\b", re.IGNORECASE)
_DECISION_PARTS: Final = re.compile(r"(?:status|context|decision|consequences|considered options|decision outcome)\b", re.I)
#: A decision in one sentence: "In the context of …, facing …, we decided for …".
_Y_STATEMENT: Final = re.compile(
    r"\bin the context of\b.{1,400}?\bfacing\b.{1,400}?\bwe (?:have )?(?:decided|chose)\b", re.I | re.S
)
#: Sections that a decision has at least, among those that `_DECISION_PARTS` finds.
_MIN_DECISION_PARTS: Final = 3


class SectionType(NamedTuple):
    """What a section is: the kind of its symbol, and the subjects that it treats."""

    kind: str
    #: Of "workflow", "release plan", "changelog", "api", "architecture", "requirements" and "decision".
    subjects: tuple[str, ...] = ()


def types_of(sections: Sequence[Section], lines: Sequence[str], items: Mapping[int, Sequence[Item]]) -> list[SectionType]:
    """Return the types of the sections; `items` has the items of lists in each section, by its index."""
    inside: dict[int, list[int]] = {}
    for place, section in enumerate(sections):
        inside.setdefault(section.parent, []).append(place)
    releases = {
        parent
        for parent, children in inside.items()
        if sum(_VERSION.match(sections[child].title) is not None for child in children) >= 2
        or any(_UNRELEASED.match(sections[child].title) for child in children)
    }
    found: list[SectionType] = []
    for place, section in enumerate(sections):
        outer = found[section.parent] if section.parent >= 0 else SectionType("section")
        found.append(
            _type_of(
                section,
                [sections[child].title for child in inside.get(place, ())],
                lines,
                items.get(place, ()),
                outer,
                section.parent in releases,
                place in releases,
            )
        )
    return found


def _type_of(
    section: Section,
    inner: Sequence[str],
    lines: Sequence[str],
    items: Sequence[Item],
    outer: SectionType,
    is_release: bool,
    has_releases: bool,
) -> SectionType:
    title = section.title
    if _ENDPOINT.match(title):
        return SectionType("endpoint", ("api",))
    if _STEP.match(title):
        return SectionType("step", ("workflow",))
    if _is_decision(inner, section, lines):
        return SectionType("decision", ("decision",))
    if "release plan" in outer.subjects and (_MILESTONE.match(title) or _VERSION.match(title)):
        return SectionType("milestone", ("release plan",))
    subjects = []
    if _PLAN.search(title):
        subjects.append("release plan")
    if has_releases or (is_release and (_VERSION.match(title) or _UNRELEASED.match(title))):
        subjects.append("changelog")
    if (_WORKFLOW.search(title) and _is_numbered(items)) or any(_STEP.match(name) for name in inner):
        subjects.append("workflow")
    for pattern, subject in ((_ARCHITECTURE, "architecture"), (_REQUIREMENTS, "requirements"), (_API, "api")):
        if pattern.search(title):
            subjects.append(subject)
    return SectionType("section", tuple(subjects))


def _is_decision(inner: Sequence[str], section: Section, lines: Sequence[str]) -> bool:
    parts = {found[0].lower() for title in inner if (found := _DECISION_PARTS.match(title)) is not None}
    if len(parts) >= _MIN_DECISION_PARTS or ({"context", "decision outcome"} <= parts):
        return True
    own = "\n".join(lines[section.start_line - 1 : section.own_end_line])[:4_000]
    return "in the context of" in own.lower() and _Y_STATEMENT.search(own) is not None


def _is_numbered(items: Sequence[Item]) -> bool:
    return sum(item.is_numbered and item.depth == 0 for item in items) >= 2
