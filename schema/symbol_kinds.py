"""Groups of symbol kinds."""

from __future__ import annotations

#: Kinds of statements that import or re-export declarations.
PASSING_ON = frozenset(("import", "re-export", "export"))
#: All kinds of symbols that are not declarations.
STATEMENTS = PASSING_ON | {"expression", "comment"}
#: Kinds of symbols that are sections of documents.
SECTION_KINDS = frozenset(("section", "decision", "endpoint", "milestone"))
#: Kinds of diagrams and of their parts.
DIAGRAM_KINDS = frozenset(("diagram", "diagramNode"))
#: Kinds of the parts of documents.
DOCUMENT_KINDS = SECTION_KINDS | DIAGRAM_KINDS | {"step"}
#: Kinds that run code when they are called.
CALLABLE_KINDS = frozenset(("function", "method", "constructor", "getter", "setter", "component"))
#: Kinds with members that are worth listing.
MEMBER_KINDS = frozenset(("class", "interface", "enum", "namespace", "extension"))
#: Kinds that name a type.
TYPE_KINDS = frozenset(("class", "interface", "type", "enum"))
