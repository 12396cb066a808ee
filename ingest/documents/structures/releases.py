"""Release plans with milestones, versions and dates, and changelogs with the changes of each release."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..sections import Table
from .parts import Entry, Part, as_written, cell, columns, plain, short, split_lead
from .structured_forms import Change, Changelog, Milestone, Release, ReleasePlan, Structure, Task

#: Heading of a version: "[1.2.0] - 2024-05-01", "v2.0", "Release 3.1".
VERSION: Final = re.compile(
    r"(?:release|version)?[ ]*[\[(]?v?\d+\.\d+(?:\.[\dx]+)*(?:[-.+]?\w+)*[\])]?(?:$|[ ,:(\u2013\u2014-])", re.I
)
MILESTONE: Final = re.compile(r"(?:milestone|phase|stage|sprint|iteration|q[1-4])\b", re.IGNORECASE)
UNRELEASED: Final = re.compile(r"\[?unreleased\]?$", re.IGNORECASE)
#: Heading of a release without a version: "2024-05-01", "2024-05-01-2".
_DATED: Final = re.compile(r"\[?\d{4}-\d\d-\d\d(?:[-.]\d+)?\]?$")
_NUMBER: Final = re.compile(
    r"(?<![\w.])v?(?P<version>\d+\.(?:\d+|x)(?:\.(?:\d+|x))*(?:[-+.]?[a-z]+[\w.]*)?)(?![\w.]*\w)", re.IGNORECASE
)
_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
DATE: Final = re.compile(
    r"(?<![\w.])(?:\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?|\d{1,2}[./]\d{1,2}[./]\d{4}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?[ ]{_MONTH},?[ ]\d{{4}}|{_MONTH}[ ](?:\d{{1,2}}(?:st|nd|rd|th)?,?[ ])?\d{{4}}"
    r"|q[1-4][ /]?(?:of[ ])?\d{4}|\d{4}[ -]?q[1-4]|weeks?[ ]\d+(?:[ ]?[-\u2013][ ]?\d+)?)(?!\w)",
    re.IGNORECASE,
)
_STATUS: Final = re.compile(
    r"\b(?<!to )(?:done|completed?|finished|shipped|released|in progress|ongoing|started|planned|upcoming|delayed|blocked"
    r"|cancell?ed|todo)\b"
    r"|[\u2705\u2714\U0001f6a7\u23f3\u274c]",
    re.IGNORECASE,
)
_PLAN_COLUMNS: Final = {
    "version": re.compile(r"(?:version|release|tag)\b", re.IGNORECASE),
    "date": re.compile(
        r"(?:date|due|when|target|eta|deadline|timeline|quarter|month|schedule|release date|planned)\b", re.IGNORECASE
    ),
    "week": re.compile(r"weeks?\b", re.IGNORECASE),
    "status": re.compile(r"(?:status|state|progress)\b", re.IGNORECASE),
    "name": re.compile(r"(?:milestone|phase|stage|sprint|iteration|name|epic|feature|goal|item|title)\b", re.IGNORECASE),
    "description": re.compile(
        r"(?:description|deliverables?|scope|content|focus|notes?|details|what|highlights|features|goals?)\b", re.I
    ),
}
#: Kinds of changes, by the first words of a heading or a change.
_KINDS: Final = {
    "added": re.compile(r"(?:added|add|new|new features?|features?|feat|enhancements?|minor changes)\b", re.IGNORECASE),
    "fixed": re.compile(r"(?:fixed|fix|fixes|bug ?fix(?:es)?|bugs?|patch changes)\b", re.IGNORECASE),
    "removed": re.compile(r"(?:removed|remove|removals?)\b", re.IGNORECASE),
    "deprecated": re.compile(r"(?:deprecated|deprecate|deprecations?)\b", re.IGNORECASE),
    "security": re.compile(r"security\b", re.IGNORECASE),
    "breaking": re.compile(r"(?:breaking|breaking changes?|backwards? incompatible|major changes)\b", re.IGNORECASE),
    "performance": re.compile(r"(?:performance|perf)\b", re.IGNORECASE),
    "documentation": re.compile(r"(?:documentation|docs?)\b", re.IGNORECASE),
    "changed": re.compile(
        r"(?:changed|change|changes|improved|improvements?|updated|updates|refactor(?:ing|ed)?)\b", re.IGNORECASE
    ),
    "internal": re.compile(r"(?:internal|chores?|build|ci|tests?|dependencies|maintenance|miscellaneous|style)\b", re.IGNORECASE),
}
#: A change whose text begins with its kind: "feat(cart): …", "[Fixed] …", "Fixed: …".
_PREFIX: Final = re.compile(r"[\[(]?(?P<kind>[A-Za-z]+(?: [a-z]+)?)[\])]?(?:\([^()]*\))?!?:?[ ]*(?=[:\s])")
#: An item that is only the name of a component, whose changes are a nested list.
_COMPONENT: Final = re.compile(r"\[?[\w./@-]+\]?:?|[A-Z][\w-]*(?: [A-Z][\w-]*){1,3}:?")
#: Sections of a plan that are no milestones.
_GENERAL: Final = re.compile(
    r"(?:overview|introduction|summary|background|about|(?:table of )?contents|how|release (?:process|history|notes)|history"
    r"|references|see also|contributing|links|notes)\b",
    re.IGNORECASE,
)
_SIGNS: Final = re.compile(r"^\W+")
#: Maximum number of changes that the fields of a release list, and of releases that the fields of a changelog list.
_MAX_ENTRIES: Final = 1_000
_NOTHING: Final = "The section has no list, no table and no sections of milestones."


def is_release_title(title: str) -> bool:
    """Return whether a title in a changelog names a release."""
    return any(pattern.match(title) is not None for pattern in (VERSION, UNRELEASED, _DATED))


def read_plan(part: Part) -> Structure:
    """Return the milestones of a release plan: its inner sections, the rows of its table, or the items of its list."""
    inner = [each for each in part.inner if MILESTONE.match(each.section.title) or VERSION.match(each.section.title)]
    if inner:
        return Structure("release plan", "sections", ReleasePlan([milestone_of(each) for each in inner]))
    for table in part.tables:
        found = columns(table, _PLAN_COLUMNS)
        if table.rows and len(found) >= 2 and not found.keys().isdisjoint(("name", "version", "date", "week")):
            return Structure("release plan", "table", ReleasePlan(list(_planned_rows(table, found))))
    drawn = [
        Milestone(
            short(node.label),
            _version(node.label),
            _date(node.label),
            description=short(node.group or ""),
            line=line + node.line - 1,
        )
        for line, diagram in part.diagrams
        if diagram.kind in ("gantt", "timeline")
        for node in diagram.nodes
    ]
    if drawn:
        return Structure("release plan", "diagram", ReleasePlan(drawn))
    entries = part.listed()
    if entries:
        return Structure("release plan", "list", ReleasePlan([_milestone_of_item(entry) for entry in entries]))
    inner = [each for each in part.inner if _GENERAL.match(each.section.title) is None]
    if inner:
        return Structure("release plan", "sections", ReleasePlan([milestone_of(each) for each in inner]))
    return as_written(part, "release plan", _NOTHING)


def read_milestone(part: Part) -> Structure:
    """Return the milestone that a section describes."""
    return Structure("milestone", "section", milestone_of(part))


def milestone_of(part: Part) -> Milestone:
    """Return the milestone of a section: version and date from its title, and tasks from its lists."""
    title = part.section.title
    described = part.first_paragraph()
    lists = [*part.entries(), *(entry for inner in part.inner for entry in inner.entries())]
    return Milestone(
        title,
        _version(title),
        _date(title) or _date(described[:120]),
        _status(title) or _status(described[:120]),
        described,
        [Task(short(entry.item.text), entry.item.is_done) for entry in lists],
        part.section.title_line,
    )


def read_changelog(part: Part) -> Structure:
    """Return the releases of a changelog, or the changes of the section of one release."""
    title = part.section.title
    if is_release_title(title):
        release = _release(part)
        if release.changes or release.description:
            return Structure("changelog", "release", release)
        return as_written(part, "changelog", "The section of the release lists no changes.")
    found = [each for each in part.inner if is_release_title(each.section.title)]
    releases = [_head(each, sum(1 for _ in _changes(each))) for each in found[:_MAX_ENTRIES]]
    return Structure("changelog", "releases", Changelog(releases))


def _release(part: Part) -> Release:
    release = _head(part, 0)
    texts = [short(text) for text, _ in zip(part.paragraphs(), range(2), strict=False)]
    if texts and not release.date and DATE.fullmatch(texts[0]):
        release.date = texts.pop(0)
    release.description = texts[0] if texts else ""
    release.changes = [change for change, _ in zip(_changes(part), range(_MAX_ENTRIES), strict=False)]
    return release


def _head(part: Part, count: int) -> Release:
    title = part.section.title
    version = "Unreleased" if UNRELEASED.match(title) else _version(title) or title
    return Release(version, _date(title), "yanked" in title.lower(), change_count=count, line=part.section.title_line)


def _changes(part: Part) -> Iterator[Change]:
    """Yield the items of a release and of its inner sections. Titles of inner sections are kinds of changes."""
    yield from _listed_changes(part, "")
    for inner in part.inner:
        if VERSION.match(inner.section.title) is not None:
            continue  # an older release at a deeper level
        kind = _kind(inner.section.title)
        yield from _section_changes(inner, kind)
        for each in inner.inner:
            yield from _section_changes(each, _kind(each.section.title) or kind)


def _section_changes(part: Part, kind: str) -> Iterator[Change]:
    """Yield the items of a section, or the section itself as one change."""
    if part.items:
        yield from _listed_changes(part, kind)
    elif described := part.first_paragraph():
        yield Change(described if _kind(part.section.title) else short(f"{part.section.title}: {described}"), kind)
    elif not part.inner and not _kind(part.section.title):
        yield Change(short(part.section.title), kind)


def _listed_changes(part: Part, kind: str) -> Iterator[Change]:
    for entry in part.entries():
        named = _kind(entry.item.text)
        if entry.inner and named and len(entry.item.text.split()) <= 3:
            for each in entry.inner:
                yield Change(short(each.item.text), named)
        elif entry.inner and _COMPONENT.fullmatch(entry.item.text) is not None:
            for each in entry.inner:
                yield Change(short(f"{entry.item.text.strip('[]:')}: {each.item.text}"), kind or _own_kind(each))
        else:
            yield Change(short(entry.item.text), kind or _own_kind(entry))


def _own_kind(entry: Entry) -> str:
    text = entry.item.text
    prefix = _PREFIX.match(text)
    if prefix is None or not (":" in text[: prefix.end() + 1] or text[0] in "[(" or entry.item.lead):
        return ""
    return _kind(prefix["kind"])


def _kind(title: str) -> str:
    words = _SIGNS.sub("", title)
    return next((kind for kind, pattern in _KINDS.items() if pattern.match(words)), "")


def _planned_rows(table: Table, found: dict[str, int]) -> Iterator[Milestone]:
    for place, row in enumerate(table.rows):
        version = cell(row, found.get("version"))
        described = cell(row, found.get("description"))
        name = cell(row, found.get("name")) or version or described
        yield Milestone(
            name,
            _version(version) or version or _version(name),
            cell(row, found.get("date")) or cell(row, found.get("week")) or _date(name),
            cell(row, found.get("status")),
            described if described != name else "",
            line=table.row_line(place),
        )


def _milestone_of_item(entry: Entry) -> Milestone:
    lead, rest = split_lead(entry.item)
    text = entry.item.text
    status = "" if entry.item.is_done is None else "done" if entry.item.is_done else "open"
    return Milestone(
        _SIGNS.sub("", lead) or short(text),
        _version(lead or text[:80]),
        _date(text),
        status or (_status(text) if lead else ""),
        rest if lead else "",
        [Task(short(each.item.text), each.item.is_done) for each in entry.inner],
        entry.item.line,
    )


def _version(text: str) -> str:
    found = _NUMBER.search(DATE.sub(" ", text))
    return found["version"] if found is not None else ""


def _date(text: str) -> str:
    found = DATE.search(plain(text))
    return found[0] if found is not None else ""


def _status(text: str) -> str:
    found = _STATUS.search(text)
    return found[0].lower() if found is not None else ""
