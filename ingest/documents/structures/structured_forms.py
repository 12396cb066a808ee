"""The structured forms of sections. The records are stored as JSON, without empty fields."""

from __future__ import annotations

import msgspec


class _Fields(msgspec.Struct, rename="camel", omit_defaults=True):
    """A record whose empty fields are left out."""


class Transition(_Fields):
    """A transition from a step to a step other than the next step."""

    #: Number of the target step.
    to: str
    #: The condition of the transition; "" if there is none.
    condition: str = ""


class Step(_Fields):
    """A step of a workflow."""

    number: str
    text: str
    line: int
    #: The actor of the step; "" if the text does not name one.
    actor: str = ""
    #: "If the tests fail": the condition of the step.
    condition: str = ""
    #: Whether the checkbox of the step is checked; None if the step has no checkbox.
    done: bool | None = None
    optional: bool = False
    #: Commands and code in the step.
    code: list[str] = []
    #: The nested items that are not steps.
    details: list[str] = []
    transitions: list[Transition] = []
    steps: list[Step] = []


class Workflow(_Fields):
    """Steps in their order. A section may have several lists, whose numbers begin at 1."""

    actors: list[str] = []
    steps: list[Step] = []


class DrawnNode(_Fields):
    """A participant of a sequence diagram, or a node of a flowchart."""

    id: str
    label: str
    #: Shape or role; "decision" for a diamond.
    kind: str = ""
    line: int = 0


class DrawnEdge(_Fields):
    """A message of a sequence diagram, or an edge of a flowchart; `source` and `target` are labels."""

    source: str
    target: str
    label: str = ""
    #: The frames around a message, such as "alt paid".
    frame: str = ""
    style: str = ""
    line: int = 0


class Drawing(_Fields):
    """The content of a diagram, in its order."""

    title: str = ""
    nodes: list[DrawnNode] = []
    edges: list[DrawnEdge] = []
    line: int = 0


class Drawings(_Fields):
    """The diagrams of one kind in a section."""

    diagrams: list[Drawing] = []


class Task(_Fields):
    """A task, and whether its box is checked."""

    text: str
    done: bool | None = None


class Milestone(_Fields):
    """A milestone, phase or version of a plan."""

    name: str
    version: str = ""
    date: str = ""
    status: str = ""
    description: str = ""
    tasks: list[Task] = []
    line: int = 0


class ReleasePlan(_Fields):
    """Milestones in the order of the document."""

    milestones: list[Milestone] = []


class Change(_Fields):
    """A change of a release. `kind` is "" if the document names none."""

    text: str
    kind: str = ""


class Release(_Fields):
    """A version of a changelog."""

    version: str
    date: str = ""
    yanked: bool = False
    description: str = ""
    changes: list[Change] = []
    #: Number of changes in the release, in a list of releases.
    change_count: int = 0
    line: int = 0


class Changelog(_Fields):
    """The versions of a changelog. Each version has a section with its changes."""

    releases: list[Release] = []


class Parameter(_Fields):
    """A parameter of an endpoint, or a field of its body."""

    name: str
    #: path, query, header, cookie or body; "" if it is not stated.
    place: str = ""
    type: str = ""
    required: bool | None = None
    default: str = ""
    description: str = ""


class Response(_Fields):
    """A response of an endpoint."""

    status: str = ""
    description: str = ""
    example: str = ""


class Endpoint(_Fields):
    """A method and a path, with their parameters and results."""

    method: str
    path: str
    description: str = ""
    parameters: list[Parameter] = []
    request: str = ""
    responses: list[Response] = []
    line: int = 0


class Api(_Fields):
    """The endpoints that a section describes."""

    endpoints: list[Endpoint] = []


class Component(_Fields):
    """A component of an architecture."""

    name: str
    responsibility: str = ""
    technology: list[str] = []
    components: list[Component] = []
    line: int = 0


class Architecture(_Fields):
    """Components and the components inside them."""

    components: list[Component] = []


class Option(_Fields):
    """A considered option, with its pros and cons."""

    name: str
    good: list[str] = []
    bad: list[str] = []
    neutral: list[str] = []


class Decision(_Fields):
    """A record of a decision."""

    title: str
    status: str = ""
    date: str = ""
    deciders: str = ""
    context: str = ""
    drivers: list[str] = []
    options: list[Option] = []
    decision: str = ""
    consequences: list[str] = []
    #: Decisions that this decision replaces, as written in the document.
    supersedes: list[str] = []
    #: Decisions that replace this decision, as written in the document.
    superseded_by: list[str] = []
    #: For a decision in one sentence (a Y-statement): the situation, the benefits, the accepted costs and the neglected options.
    facing: str = ""
    achieves: str = ""
    accepts: str = ""
    neglects: str = ""


class Requirement(_Fields):
    """A requirement, a user story or a criterion of acceptance."""

    text: str
    id: str = ""
    #: must, should or may, as in the text, or the priority in a table.
    priority: str = ""
    done: bool | None = None
    #: "As a <role>, I want <goal> so that <benefit>".
    role: str = ""
    goal: str = ""
    benefit: str = ""
    #: "Given …, when …, then …".
    given: str = ""
    when: str = ""
    then: str = ""
    #: The texts in other columns of a table, or in a nested list.
    details: list[str] = []
    line: int = 0


class Requirements(_Fields):
    """The requirements of a section."""

    requirements: list[Requirement] = []


class ListItem(_Fields):
    """An item of a list, with its nested items."""

    text: str
    line: int
    #: True or False for a checkbox, else None.
    done: bool | None = None
    #: The number of a numbered item; 0 for other items.
    number: int = 0
    #: Kind of the nested list: checkbox, numbered or bullet; "" if there is none.
    kind: str = ""
    items: list[ListItem] = []


class WrittenList(_Fields):
    """A list. `kind` is checkbox, numbered or bullet, by its first item."""

    kind: str
    items: list[ListItem]
    line: int


class Lists(_Fields):
    """The lists of a section."""

    lists: list[WrittenList] = []


class WrittenTable(_Fields):
    """A table: the names of its columns, and its rows as values by column."""

    columns: list[str]
    records: list[dict[str, str]]
    line: int


class Tables(_Fields):
    """The tables in a section."""

    tables: list[WrittenTable] = []


class ListedBlock(_Fields):
    """A block of code: the language as written, the first line of code, and the number of lines."""

    language: str
    line: int
    lines: int


class CodeBlocks(_Fields):
    """The blocks of code of a section."""

    blocks: list[ListedBlock] = []


class FrontMatter(_Fields):
    """The fields at the head of a document."""

    fields: dict[str, str] = {}


class Raw(_Fields):
    """The text of a section that does not match the form of its type."""

    text: str


#: The fields of a typed section.
Fields = (
    Workflow
    | Drawings
    | ReleasePlan
    | Milestone
    | Changelog
    | Release
    | Api
    | Architecture
    | Decision
    | Requirements
    | Lists
    | Tables
    | CodeBlocks
    | FrontMatter
    | Raw
)


class Structure(msgspec.Struct, frozen=True):
    """The fields of a section in the form of one of its types."""

    type: str
    #: The form in the document, such as "numbered list", "MADR" or "table"; "text" if the section matches no form.
    form: str
    fields: Fields
    #: The reason why the section matches no form; "" if it matches a form.
    reason: str = ""
