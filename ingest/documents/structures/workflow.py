"""The steps of a workflow: numbered lists, checklists, tables of steps, and sections "Step 1", "Step 2"."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from ..sections import CodeBlock, Item, Table
from .actors import actors_of
from .parts import Entry, Part, as_written, cell, columns, short
from .structured_forms import Step, Structure, Transition, Workflow

#: A heading of a step: "Step 2: test", "2. Test".
STEP_HEADING: Final = re.compile(
    r"(?:step[ ]+(?P<step>\d+)\b[ .:)\u2013\u2014-]*|(?P<number>\d+)[.)][ ]+)(?P<text>.*)", re.IGNORECASE
)
_COLUMNS: Final = {
    "number": re.compile(r"(?:#|no\.?|nr\.?|step(?: ?#| number| no\.?)?|order)$", re.IGNORECASE),
    "actor": re.compile(r"(?:actor|who|role|owner|responsible|performed by|component|party)\b", re.IGNORECASE),
    "text": re.compile(r"(?:action|activity|task|what|description|step)\b", re.IGNORECASE),
    "condition": re.compile(r"(?:condition|when|if|trigger)\b", re.IGNORECASE),
}
_CONDITION: Final = re.compile(r"(?:if|when|unless|in case)[ ](?P<condition>[^,.;:]{3,120}),[ ]", re.IGNORECASE)
_OPTIONAL: Final = re.compile(r"[\[(]?optional(?:ly)?\b", re.IGNORECASE)
_JUMP: Final = re.compile(
    r"\b(?:go|goes|jump|jumps|skip|return|returns|proceed|continue|continues|restart|repeat|repeats)(?:[ ]\w+)?[ ]"
    r"(?:to|with|at|from)[ ](?:the[ ])?step[ ]#?(?P<number>\d+(?:\.\d+)*)",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(
    r"\b(?:if|when|unless)[ ](?P<condition>[^,.;:]{3,120}?)(?:,|[ ]then\b|$)|(?P<otherwise>otherwise|else)\b", re.I
)
_SENTENCE: Final = re.compile(r"[.;!?](?:[ ]|$)")
#: Maximum length of a command in a step, in characters.
_MAX_CODE: Final = 400
#: Maximum number of lines from the end of the last item to the first line of code that belongs to it.
_MAX_GAP: Final = 3
#: Languages of code blocks that contain the output of a step instead of its commands.
_OUTPUT: Final = frozenset(("output", "mermaid", "plantuml", "dot"))


def is_table_of_steps(table: Table) -> bool:
    """Return whether the rows of a table are steps. There must be a column of actions, and a column of numbers or actors."""
    found = columns(table, _COLUMNS)
    return len(table.rows) >= 2 and "text" in found and ("number" in found or "actor" in found)


def has_ordered_items(items: Sequence[Item]) -> bool:
    """Return whether a section has a numbered list, or a list with boxes."""
    outer = [item for item in items if item.depth == 0]
    return sum(item.is_numbered for item in outer) >= 2 or sum(item.is_done is not None for item in outer) >= 2


def is_step(item: Item, *, is_checklist: bool) -> bool:
    """Return whether an item of a workflow is a step. In a checklist, all items with a box are steps."""
    return bool(item.text) and (item.is_numbered or (is_checklist and item.is_done is not None))


def is_checklist(items: Sequence[Item]) -> bool:
    """Return whether the steps of a section are items with boxes, and not with numbers."""
    return not any(item.is_numbered and item.depth == 0 for item in items)


def read_workflow(part: Part, participants: Sequence[str]) -> Structure:
    """Return the steps of a section; `participants` come from the diagrams of the document."""
    headings = [inner for inner in part.inner if STEP_HEADING.match(inner.section.title) is not None]
    if len(headings) >= 2:
        return _structure("headings", [_heading_step(inner, participants) for inner in headings])
    if STEP_HEADING.match(part.section.title) is not None and not has_ordered_items(part.items):
        return Structure("workflow", "heading", Workflow(steps=[_heading_step(part, participants)]))
    if has_ordered_items(part.items):
        by_boxes = is_checklist(part.items)
        form = "checklist" if by_boxes else "numbered list"
        return _structure(form, _list_steps(part.entries(), part.code, participants, is_checklist=by_boxes))
    for table in part.tables:
        if is_table_of_steps(table):
            return _structure("table", list(_table_steps(table)))
    return as_written(part, "workflow", "The section has no numbered list, no checklist and no table of steps.")


def transitions_of(text: str) -> list[Transition]:
    """Return the steps that follow according to a text: "If it fails, go back to step 2"."""
    found = []
    begin = 0
    for end in [*(mark.start() for mark in _SENTENCE.finditer(text)), len(text)]:
        sentence = text[begin:end]
        begin = end + 1
        for jump in _JUMP.finditer(sentence):
            clause = None
            for clause in _CLAUSE.finditer(sentence):
                if clause.start() > jump.start():
                    break
            condition = "" if clause is None else "otherwise" if clause["otherwise"] else clause["condition"].strip()
            found.append(Transition(jump["number"], condition))
    return found


def condition_of(text: str) -> str:
    """Return the condition of a step: "the tests fail" of "If the tests fail, stop"."""
    found = _CONDITION.match(text)
    return found["condition"].strip() if found is not None else ""


def is_optional(text: str) -> bool:
    """Return whether a step is optional by its text."""
    return _OPTIONAL.match(text) is not None


def _structure(form: str, steps: list[Step]) -> Structure:
    return Structure("workflow", form, Workflow(list(dict.fromkeys(_actors(steps))), steps))


def _actors(steps: Sequence[Step]) -> Iterator[str]:
    for step in steps:
        if step.actor:
            yield step.actor
        yield from _actors(step.steps)


def _heading_step(part: Part, participants: Sequence[str]) -> Step:
    title = STEP_HEADING.match(part.section.title)
    number = (title["step"] or title["number"]) if title is not None else ""
    text = (title["text"].strip() if title is not None else "") or part.section.title
    described = part.first_paragraph()
    (actor,) = actors_of([Item(part.section.start_line, part.section.end_line, text, None, 0)], participants)
    return Step(
        number,
        text if not described else short(f"{text}: {described}"),
        part.section.title_line,
        actor,
        condition_of(described),
        optional=is_optional(text) or is_optional(described),
        code=_code(part.code, part.section.start_line, part.section.own_end_line),
        transitions=transitions_of(described),
        details=list(_details(part.entries())) if not has_ordered_items(part.items) else [],
        steps=_list_steps(part.entries(), part.code, participants, is_checklist=is_checklist(part.items))
        if has_ordered_items(part.items)
        else [],
    )


def _list_steps(
    entries: Sequence[Entry], code: Sequence[CodeBlock], participants: Sequence[str], *, is_checklist: bool, outer: str = ""
) -> list[Step]:
    steps = [entry for entry in entries if is_step(entry.item, is_checklist=is_checklist)]
    actors = actors_of([entry.item for entry in steps], participants)
    found = []
    for place, (entry, actor) in enumerate(zip(steps, actors, strict=True), 1):
        item = entry.item
        end = _end_of_step(item, steps[place].item if place < len(steps) else None)
        number = f"{outer}{item.number or place}"
        inner_boxes = not any(each.item.is_numbered for each in entry.inner)
        found.append(
            Step(
                number,
                short(item.text),
                item.line,
                actor,
                condition_of(item.text),
                item.is_done,
                is_optional(item.text),
                _code(code, item.line, end),
                list(_details(entry.inner)),
                transitions_of(item.text),
                _list_steps(entry.inner, code, participants, is_checklist=inner_boxes, outer=f"{number}."),
            )
        )
    return found


def _end_of_step(item: Item, following: Item | None) -> int:
    """Return the last line of a step. Code without indentation after an item belongs to the step, although it ends the list."""
    if following is None:
        return item.end_line + _MAX_GAP if item.depth == 0 else item.end_line
    is_next = item.is_numbered and following.number == item.number + 1
    return following.line - 1 if is_next else item.end_line


def _details(entries: Sequence[Entry]) -> Iterator[str]:
    """Yield the items that are not steps, with their nested items."""
    for entry in entries:
        if not entry.item.is_numbered and entry.item.is_done is None:
            yield short(entry.item.text)
            yield from _details(entry.inner)


def _table_steps(table: Table) -> Iterator[Step]:
    found = columns(table, _COLUMNS)
    for place, row in enumerate(table.rows, 1):
        text = cell(row, found.get("text"))
        yield Step(
            cell(row, found.get("number")) or str(place),
            text,
            table.row_line(place - 1),
            cell(row, found.get("actor")),
            cell(row, found.get("condition")) or condition_of(text),
            optional=is_optional(text),
            transitions=transitions_of(text),
        )


def _code(blocks: Sequence[CodeBlock], start: int, end: int) -> list[str]:
    """Return the code in a range of lines; `blocks` are in the order of the document."""
    first = bisect_left(blocks, start, key=lambda block: block.line)
    last = bisect_left(blocks, end + 1, key=lambda block: block.line)
    kept = (block for block in blocks[first:last] if block.language.lower() not in _OUTPUT)
    return [text[:_MAX_CODE] for block in kept if (text := block.text.strip())]
