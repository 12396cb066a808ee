"""The steps of a chain: the edges that a step follows, their direction, and the kinds of nodes at both ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...schema.errors import UsageError
from ...schema.symbol_kinds import DIAGRAM_KINDS, DOCUMENT_KINDS
from .fields import did_you_mean
from .plan import Kind

#: Maximum number of hops of one step. Each hop is a join over the nodes of the target's table.
MAX_DEPTH = 10
_USES = "CALLS|WIRED|REFERENCES|EXTENDS|IMPLEMENTS|OVERRIDES|PARAM_TYPE|RETURN_TYPE|FIELD_TYPE"


class StepRule(NamedTuple):
    """The edges that a step follows, and the nodes that it keeps."""

    #: Relationship between the two nodes, with its direction and `{n}` for the target; "" if the nodes have the same path, or
    #: are the same node.
    pattern: str
    target: Kind
    #: Whether the step can be repeated and accepts a depth.
    repeats: bool = False
    #: Whether the step follows edges that syntax-only languages do not have.
    is_resolved: bool = False
    #: Whether only nodes of test files are kept.
    in_tests: bool = False
    #: The targets of the step, in the plural, for messages.
    noun: str = ""
    #: Condition that a target must meet, with `{n}` for the target.
    keeps: str = ""
    #: Condition on the nodes between the ends of the pattern. The names of these nodes in the pattern begin with `{n}`.
    along: str = ""
    #: Whether the step follows no edge, and only selects the nodes that are also of the target's kind.
    is_same_node: bool = False
    #: Whether every edge of the step leads to a node of the target kind or back to its own node.
    leads_to_kind: bool = False
    #: A sentence about missing edges, if the graph cannot have all edges of the step; "" otherwise.
    partly_known: str = ""


_KNOWN_CALLS = (
    "Statements of SQL and calls of the common object mappers and query builders are read; "
    "statements that are put together at run time, and calls of other libraries, are not known."
)
_USED_DATA = "READS|MODIFIES|REFERENCES|FOREIGN_KEY|MAPS_TO"
_IN_CODE = f"NOT {{n}}.kind IN {sorted(DOCUMENT_KINDS)}"
#: Kinds of parts of sections, without nested sections.
_INNER = sorted({"step", *DIAGRAM_KINDS})
#: From code to the innermost sections that name the code. `{n}p` is the part of the section that names the code, such as a
#: step or a node of a diagram. No section is between this part and the target.
_SECTIONS = StepRule(
    f"<-[:MENTIONS]-({{n}}p:Symbol)<-[:CONTAINS*0..8 ({{n}}r, {{n}}i | WHERE {{n}}i.kind IN {_INNER})]-",
    "section",
    noun="sections",
    along=f"({{n}}p.kind IN {_INNER} OR id({{n}}p) = id({{n}}))",
)
_STEPS = StepRule("<-[:MENTIONS]-", "step", noun="steps")
#: Steps that begin at tables, columns, sections and steps of workflows. All these nodes are symbols.
_PLACED = {
    "symbols": StepRule("", "symbol", noun="symbols", is_same_node=True),
    "file": StepRule("", "file", noun="files"),
    "files": StepRule("", "file", noun="files"),
}
#: Steps that begin at tables and columns.
_DATA = {
    **_PLACED,
    "read_by": StepRule("<-[:READS]-", "symbol", noun="readers", partly_known=_KNOWN_CALLS),
    "modified_by": StepRule("<-[:MODIFIES]-", "symbol", noun="writers", partly_known=_KNOWN_CALLS),
    "referenced_by": StepRule(f"<-[:{_USED_DATA}]-", "symbol", noun="uses", partly_known=_KNOWN_CALLS),
    "changed_in": StepRule("-[:CHANGED_IN]->", "file", noun="files that change the schema"),
    "mentioned_by": StepRule("<-[:MENTIONS]-", "symbol", noun="mentions"),
    "sections": _SECTIONS,
    "steps": _STEPS,
}
_TABLE = {
    **_DATA,
    "columns": StepRule("<-[:COLUMN_OF]-", "column", noun="columns", leads_to_kind=True),
    "reads": StepRule("-[:READS]->", "table", noun="tables under views"),
    "maps_to": StepRule("-[:MAPS_TO]->", "table", noun="tables of migrations"),
    "mapped_by": StepRule("<-[:MAPS_TO]-", "table", noun="models"),
}
_COLUMN = {
    **_DATA,
    "table": StepRule("-[:COLUMN_OF]->", "table", noun="tables"),
    "references": StepRule("-[:FOREIGN_KEY]->", "column", True, noun="columns of foreign keys"),
    "maps_to": StepRule("-[:MAPS_TO]->", "column", noun="columns of migrations"),
    "mapped_by": StepRule("<-[:MAPS_TO]-", "column", noun="fields of models"),
}
#: Steps along mentions in parts of documents.
_NAMED = {
    **_PLACED,
    "document": StepRule("", "document", noun="documents"),
    "linked_symbols": StepRule("-[:MENTIONS]->", "symbol", noun="named symbols", keeps=_IN_CODE),
    "linked_sections": StepRule("-[:MENTIONS]->", "section", noun="linked sections"),
    "linked_files": StepRule("-[:MENTIONS]->", "file", noun="linked files"),
    "tables": StepRule("-[:MENTIONS]->", "table", noun="named tables"),
    "columns": StepRule("-[:MENTIONS]->", "column", noun="named columns"),
    "mentioned_by": StepRule("<-[:MENTIONS]-", "symbol", noun="mentions"),
    "steps": StepRule("-[:CONTAINS]->", "step", True, noun="steps"),
}
_SECTION = {
    **_NAMED,
    "sections": StepRule("-[:CONTAINS]->", "section", True, noun="inner sections"),
    "parents": StepRule("<-[:CONTAINS]-", "section", True, noun="enclosing sections"),
}
_STEP = {
    **_NAMED,
    "section": StepRule("<-[:CONTAINS]-", "section", noun="sections"),
    "next_steps": StepRule("-[:NEXT_STEP]->", "step", True, noun="next steps"),
    "previous_steps": StepRule("<-[:NEXT_STEP]-", "step", True, noun="previous steps"),
}
_SYMBOL = {
    "callers": StepRule("<-[:CALLS]-", "symbol", True, True, noun="callers"),
    "callees": StepRule("-[:CALLS]->", "symbol", True, True, noun="callees"),
    "dependants": StepRule(f"<-[:{_USES}]-", "symbol", True, True, noun="dependants"),
    "dependencies": StepRule(f"-[:{_USES}]->", "symbol", True, True, noun="dependencies"),
    "references": StepRule("-[:REFERENCES]->", "symbol", is_resolved=True, noun="references"),
    "referenced_by": StepRule("<-[:REFERENCES]-", "symbol", is_resolved=True, noun="uses"),
    "members": StepRule("-[:CONTAINS|HAS_METHOD]->", "symbol", True, noun="members"),
    "parents": StepRule("<-[:CONTAINS|HAS_METHOD]-", "symbol", True, noun="enclosing symbols"),
    "overrides": StepRule("-[:OVERRIDES]->", "symbol", True, True, noun="overridden members"),
    "overridden_by": StepRule("<-[:OVERRIDES]-", "symbol", True, True, noun="overriding members"),
    "base_types": StepRule("-[:EXTENDS|IMPLEMENTS]->", "symbol", True, True, noun="base types"),
    "subtypes": StepRule("<-[:EXTENDS|IMPLEMENTS]-", "symbol", True, True, noun="subtypes"),
    "types": StepRule("-[:PARAM_TYPE|RETURN_TYPE|FIELD_TYPE]->", "symbol", is_resolved=True, noun="types"),
    "tests": StepRule("<-[:CALLS|REFERENCES|WIRED]-", "symbol", True, True, True, "tests"),
    "tables": StepRule("-[:READS|MODIFIES]->", "table", noun="used tables", partly_known=_KNOWN_CALLS),
    "columns": StepRule("-[:READS|MODIFIES]->", "column", noun="used columns", partly_known=_KNOWN_CALLS),
    "sections": _SECTIONS,
    "steps": _STEPS,
    "mentioned_by": StepRule("<-[:MENTIONS]-", "symbol", noun="mentions"),
    "linked_symbols": StepRule("-[:MENTIONS]->", "symbol", noun="named symbols", keeps=_IN_CODE),
    "mentioned_tables": StepRule("-[:MENTIONS]->", "table", noun="named tables"),
    "linked_files": StepRule("-[:MENTIONS]->", "file", noun="linked files"),
    "file": StepRule("", "file", noun="files"),
    "files": StepRule("", "file", noun="files"),
}
_FILE = {
    "symbols": StepRule("", "symbol", noun="symbols"),
    "tables": StepRule("", "table", noun="tables"),
    "sections": StepRule("", "section", noun="sections"),
    "documents": StepRule("", "document", noun="documents", is_same_node=True),
    "imports": StepRule("-[:IMPORTS]->", "file", True, noun="imported files"),
    "importers": StepRule("<-[:IMPORTS]-", "file", True, noun="importing files"),
    "dependencies": StepRule("-[:IMPORTS]->", "file", True, noun="imported files"),
    "dependants": StepRule("<-[:IMPORTS]-", "file", True, noun="importing files"),
    "module": StepRule("<-[:CONTAINS]-", "module", noun="modules"),
    "modules": StepRule("<-[:CONTAINS]-", "module", noun="modules"),
    "packages": StepRule("-[:IMPORTS_EXTERNAL]->", "package", noun="packages"),
}
_DOCUMENT = {
    "file": StepRule("", "file", noun="files", is_same_node=True),
    "symbols": StepRule("", "symbol", noun="symbols"),
    "sections": StepRule("", "section", noun="sections"),
    "steps": StepRule("", "step", noun="steps"),
    "module": StepRule("<-[:CONTAINS]-", "module", noun="modules"),
}
_MODULE = {
    "files": StepRule("-[:CONTAINS]->", "file", noun="files"),
    "modules": StepRule("-[:CONTAINS]->", "module", True, noun="inner modules"),
    "packages": StepRule("-[:DEPENDS_ON]->", "package", noun="packages"),
}
_PACKAGE = {
    "files": StepRule("<-[:IMPORTS_EXTERNAL]-", "file", noun="importing files"),
    "importers": StepRule("<-[:IMPORTS_EXTERNAL]-", "file", noun="importing files"),
    "modules": StepRule("<-[:DEPENDS_ON]-", "module", noun="modules"),
}
STEPS: Mapping[Kind, Mapping[str, StepRule]] = {
    "repository": {},
    "module": _MODULE,
    "file": _FILE,
    "symbol": _SYMBOL,
    "package": _PACKAGE,
    "table": _TABLE,
    "column": _COLUMN,
    "document": _DOCUMENT,
    "section": _SECTION,
    "step": _STEP,
}
_DOCUMENTS = ("mentioned_by", "file", "documents")
#: Steps that consist of several steps: kind -> name -> the steps.
COMPOSED: Mapping[Kind, Mapping[str, tuple[str, ...]]] = {
    "symbol": {
        "module": ("file", "module"),
        "modules": ("file", "modules"),
        "packages": ("file", "packages"),
        "documents": _DOCUMENTS,
    },
    "module": {
        "symbols": ("files", "symbols"),
        "dependencies": ("files", "imports", "modules"),
        "dependants": ("files", "importers", "modules"),
        "tables": ("files", "tables"),
        "documents": ("files", "documents"),
        "sections": ("files", "sections"),
    },
    "package": {"symbols": ("files", "symbols")},
    "table": {
        "module": ("file", "module"),
        "documents": _DOCUMENTS,
        "references": ("columns", "references", "table"),
    },
    "column": {"module": ("file", "module"), "documents": _DOCUMENTS},
    "document": {
        "linked_symbols": ("symbols", "linked_symbols"),
        "linked_files": ("symbols", "linked_files"),
        "tables": ("symbols", "mentioned_tables"),
    },
    "section": {"module": ("file", "module")},
    "step": {"module": ("file", "module")},
}


def step_rule(kind: Kind, name: str) -> StepRule:
    """Return the rule of a step. Raises UsageError, with the nearest name, if nodes of that kind have no such step."""
    rules = STEPS[kind]
    if name not in rules:
        raise UsageError(f"A {kind} has no step `{name}`. {did_you_mean(name, rules)}")
    return rules[name]


def check_step_depth(name: str, depth: object, repeats: bool) -> int:
    """Return a valid depth of a step. Raises UsageError."""
    checked = check_depth(name, depth, MAX_DEPTH)
    if checked > 1 and not repeats:
        raise UsageError(f"`{name}` is a single step and takes no depth.")
    return checked


def check_depth(name: str, depth: object, most: int) -> int:
    """Return a valid depth of an operation. Raises UsageError."""
    if not isinstance(depth, int) or isinstance(depth, bool) or not 1 <= depth <= most:
        raise UsageError(f"`{name}` takes a depth from 1 to {most}, not {depth!r}.")
    return depth
