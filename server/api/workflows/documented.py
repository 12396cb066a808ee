"""Workflows that documents describe: steps, actors, transitions, and the code that the steps name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from ....graphdb.queries.documents.sections import Named, TypedSection, document_paths, named_in, typed_sections
from ....ingest.documents.anchors import slug
from ....ingest.documents.structures.structured_forms import Drawing, Drawings, Step, Workflow
from ....retrieval.lookup.fuzzy_names import like
from ..graph_tools.records import Entry, GraphAnswer
from ..scopes.running import Nothing

if TYPE_CHECKING:
    from ...stores.readers import Readers

#: Types of sections that describe workflows.
WORKFLOW_TYPES = ("workflow", "sequence diagram", "flowchart")
_TOOL = "get_workflow"
#: Maximum number of similar names that an answer suggests for an unknown name.
_SUGGESTIONS = 5
#: Text in a heading before the name of a workflow: "Workflow: check out", "2. Check out".
_PREFIX = re.compile(
    r"^(?:(?:workflow|flow|process|procedure|runbook)[ ]*[:\u2013\u2014-][ ]*|\d+(?:\.\d+)*[.)]?[ ]+|\W+)", re.IGNORECASE
)
#: Maximum length of the code of a step in an answer, in characters.
_MAX_CODE = 200
_NOT_FOUND = {
    "ambiguous": "several declarations have this name",
    "member": "the class has no such member",
    "file": "no indexed file has this path",
    "anchor": "the document has no such anchor",
}


def documented_workflow(readers: Readers, doc: str, section: str) -> GraphAnswer:
    """Return the workflow of a section, or a list if several workflows match. Both texts may be empty."""
    paths = _documents(readers, doc)
    if isinstance(paths, GraphAnswer):
        return paths
    rows = [each for each in typed_sections(readers.graph, WORKFLOW_TYPES, paths) if each.form != "text"]
    wanted = _matching(rows, section)
    if not wanted:
        return _absent(rows, doc, section, readers, paths)
    if len({each.id for each in wanted}) == 1:
        return _workflow(readers, wanted)
    return _listed(wanted)


def _documents(readers: Readers, doc: str) -> list[str] | GraphAnswer | None:
    """Return the documents with a path, the end of a path or a name; None means all documents."""
    written = doc.strip().strip("/")
    if not written:
        return None
    known = document_paths(readers.graph)
    lowered = written.lower()
    ends = [path for path in known if f"/{path.lower()}".endswith(f"/{lowered}")]
    titled = [path for path in known if path.rpartition("/")[2].rpartition(".")[0].lower() == lowered]
    for found in ([path for path in known if path == written], ends, titled):
        if found:
            return found
    near = sorted(like(known, written).items(), key=lambda each: -each[1])[:_SUGGESTIONS]
    hint = f" Did you mean {' or '.join(path for path, _ in near[:2])}?" if near else ""
    message = f'No indexed document has the path "{written[:120]}".{hint}'
    return GraphAnswer(
        sections={"candidates": tuple(Entry(path, "document", path, score=round(score, 3)) for path, score in near)},
        nothing=Nothing(_TOOL, "absent", message),
    )


def _matching(rows: Sequence[TypedSection], section: str) -> list[TypedSection]:
    """Return the workflows whose section, or an enclosing section, has the text as its title, its anchor, or a part of its
    title.
    """
    written = section.strip().lstrip("#").strip()
    if not written:
        return list(rows)
    lowered = _plain(written)
    tests: tuple[Callable[[str], bool], ...] = (
        lambda title: title.lower() == lowered or _plain(title) == lowered,
        lambda title: slug(title) == slug(written),
        lambda title: lowered in _plain(title),
    )
    for is_meant in tests:
        named = [each for each in rows if is_meant(each.name)]
        if named and len({each.id for each in named}) == 1:
            return named
        if found := [each for each in rows if is_meant(each.name) or any(map(is_meant, _outer(each)))]:
            return found
    return []


def _outer(row: TypedSection) -> list[str]:
    return row.breadcrumb.split(" > ")[1:-1]


def _plain(title: str) -> str:
    return _PREFIX.sub("", title.lower()).strip()


def _absent(rows: Sequence[TypedSection], doc: str, section: str, readers: Readers, paths: Sequence[str] | None) -> GraphAnswer:
    where = f" in {doc.strip()}" if doc.strip() else ""
    if not section.strip():
        count = len(document_paths(readers.graph)) if paths is None else len(paths)
        what = (
            "No document is in the index"
            if not count
            else f"No section{where} has numbered steps, a checklist, or a diagram of a flow"
        )
        return GraphAnswer(nothing=Nothing(_TOOL, "absent", f"{what}."))
    scores = like({each.name for each in rows}, section.strip())
    near = sorted((each for each in rows if each.name in scores), key=lambda each: -scores[each.name]) or list(rows)
    message = f'No workflow{where} is named "{section.strip()[:120]}".' + (
        " The nearest are listed." if scores else " All are listed." if rows else " There is none at all."
    )
    answer = _listed(near) if near else GraphAnswer()
    return msgspec.structs.replace(answer, nothing=Nothing(_TOOL, "absent", message))


def _listed(rows: Sequence[TypedSection]) -> GraphAnswer:
    entries = tuple(
        Entry(each.name, each.type if each.form == "mermaid" else each.form, f"{each.path}:{each.line}", count=_size(each))
        for each in rows
    )
    return GraphAnswer(summary={"workflows": len(entries)}, sections={"workflows": entries})


def _size(row: TypedSection) -> int:
    fields = _fields(row)
    return len(fields.steps) if isinstance(fields, Workflow) else sum(len(each.edges) for each in fields.diagrams)


def _fields(row: TypedSection) -> Workflow | Drawings:
    if row.type == "workflow":
        return msgspec.json.decode(row.fields, type=Workflow)
    return msgspec.json.decode(row.fields, type=Drawings)


def _workflow(readers: Readers, rows: Sequence[TypedSection]) -> GraphAnswer:
    """Return the workflow of one section, which may be written in several forms."""
    subject = rows[0]
    named = named_in(readers.graph, subject.path, subject.line, subject.end_line)
    links: dict[int, list[Named]] = {}
    for each in named:
        links.setdefault(each.owner_line, []).append(each)
    steps: list[Entry] = []
    transitions: list[Entry] = []
    actors: dict[str, Entry] = {}
    for row in rows:
        fields = _fields(row)
        if isinstance(fields, Workflow):
            steps += _steps(fields.steps, links)
            transitions += _named_transitions(fields.steps)
            found = [Entry(name, "actor") for name in fields.actors]
        else:
            found = []
            for drawing in fields.diagrams:
                drawn_steps, edges, nodes = _diagram_entries(drawing, row, links)
                steps += drawn_steps
                transitions += edges
                found += nodes
        actors.update({each.name: each for each in found if each.name not in actors})
    linked = [each for each in named if each.place]
    return GraphAnswer(
        subject=Entry(subject.name, "section", f"{subject.path}:{subject.line}"),
        summary={
            "form": ", ".join(dict.fromkeys(each.type if each.form == "mermaid" else each.form for each in rows)),
            "steps": len(steps),
            "actors": len(actors),
            "linked": len({each.place for each in linked}),
        },
        sections={
            "steps": tuple(steps),
            "actors": tuple(actors.values()),
            "transitions": tuple(transitions),
            "linkedSymbols": tuple(_linked(linked)),
            "notFound": tuple(_not_found(named)),
        },
    )


def _steps(steps: Sequence[Step], links: dict[int, list[Named]]) -> Iterator[Entry]:
    for step in steps:
        done = "" if step.done is None else "done " if step.done else "open "
        yield Entry(
            step.text,
            f"{done}{'optional ' if step.optional else ''}step",
            f"line {step.line}",
            number=step.number,
            actor=step.actor,
            condition=step.condition,
            details=tuple(step.details),
            code=tuple(text[:_MAX_CODE] for text in step.code),
            links=_places(links.get(step.line, ())),
        )
        yield from _steps(step.steps, links)


def _places(named: Iterable[Named]) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(each.place if each.kind == "file" else f"{each.name} ({each.place})" for each in named if each.place)
    )


def _named_transitions(steps: Sequence[Step]) -> Iterator[Entry]:
    """Yield the transitions that the text of steps names. A step without a transition leads to the next step."""
    for step in steps:
        for each in step.transitions:
            yield Entry("", "transition", f"line {step.line}", source=step.number, target=each.to, condition=each.condition)
        yield from _named_transitions(step.steps)


def _diagram_entries(
    drawing: Drawing, row: TypedSection, links: dict[int, list[Named]]
) -> tuple[list[Entry], list[Entry], list[Entry]]:
    """Return the steps, transitions and actors of a diagram. Steps are messages of sequence diagrams, or nodes of flowcharts."""
    title = f"of {drawing.title}" if drawing.title else ""
    nodes = [
        Entry(each.label, each.kind or "node", f"line {each.line}", reason=title, links=_places(links.get(each.line, ())))
        for each in drawing.nodes
    ]
    if row.type == "sequence diagram":
        messages = [
            Entry(
                each.label,
                "reply" if "dotted" in each.style else "message",
                f"line {each.line}",
                reason=title,
                number=str(place),
                source=each.source,
                target=each.target,
                frame=each.frame,
            )
            for place, each in enumerate(drawing.edges, 1)
        ]
        return messages, [], [msgspec.structs.replace(each, kind="actor") for each in nodes]
    edges = [
        Entry("", "transition", f"line {each.line}", source=each.source, target=each.target, condition=each.label)
        for each in drawing.edges
    ]
    return nodes, edges, []


def _linked(named: Sequence[Named]) -> Iterator[Entry]:
    """Yield each symbol and file once, with the lines that name it."""
    lines: dict[tuple[str, str, str], list[int]] = {}
    evidence: dict[tuple[str, str, str], dict[str, None]] = {}
    for each in named:
        key = (each.name, each.kind, each.place)
        lines.setdefault(key, []).append(each.line)
        evidence.setdefault(key, {})[each.evidence] = None
    for key, found in lines.items():
        told = ", ".join(map(str, dict.fromkeys(found)))
        yield Entry(*key, through=tuple(evidence[key]), reason=f"named in line {told}")


def _not_found(named: Sequence[Named]) -> Iterator[Entry]:
    for each in named:
        if each.reason:
            reason = f"named in line {each.line}; {_NOT_FOUND.get(each.reason, each.reason)}"
            yield Entry(each.name, reason=reason, links=each.candidates)
