"""The facts of documents: names of code, connections in diagrams, and the fields of typed sections.

Code also has facts for documents: the settings, flags and commands that users and documents name.
"""

from __future__ import annotations

import msgspec


class MentionFact(msgspec.Struct, array_like=True, gc=False):
    """A place where a document names something. `symbol` is the section or step around it."""

    symbol: int
    #: "comment" (a link in a doc comment), "link", "image", "code" (a span of code), "heading" (a title without
    #: markup that is a name), "shell" (a line of a block with commands), "setting" (a key of a block of properties or YAML).
    #: "word" is a name in a sentence, or a part of an expression in a span of code.
    #: "linked" is a span of code in the text of a link to published documentation, with the target of the link.
    #: "value" is a member of a value, and "free value" of a value that no block of the document explains.
    #: "shown" is a declaration in a block. "inherited" and "inherited chain" are paths from the ancestor of a type in a block.
    #: "field" is a key in a block of data behind the keys around it, such as `cart.size`, with the keys beside it as names.
    #: In a block of code: "import", "call", "use" (a name that is not called), and "package call" for a call of a package that
    #: no block imports, or of a member of a value; the text is empty if the module of a name is not known. In a diagram:
    #: "diagram", "class" (a node of a diagram of classes) and "message".
    form: str
    #: The target of a link, the text of a code span, the module of an import or a called function, or the text of a diagram node.
    text: str
    line: int
    column: int
    #: The imported names, or the names from a module to the called function. In a diagram, the receiver of a message, or the
    #: group of a class. For a span of code, the word beside it that says what the code denotes: "function", "class".
    names: list[str] = []
    #: Extension of files in the language of an import.
    extension: str = ""


class TermFact(msgspec.Struct, array_like=True, gc=False):
    """A setting that code reads, a flag or a command that code declares, or the key of a field in data."""

    #: setting, flag, command or key.
    kind: str
    #: The name as users write it: `SHOP_PORT`, `server.port`, `--port`, `serve`.
    name: str
    #: The declaration around the term; -1 for the file.
    symbol: int
    line: int


class MessageFact(msgspec.Struct, array_like=True, gc=False):
    """An edge or a message of a diagram.

    `source` and `target` are symbols; MESSAGE in `graph.cypher` documents the other fields.
    """

    source: int
    target: int
    label: str
    style: str
    frame: str
    position: int
    line: int


class NextStepFact(msgspec.Struct, array_like=True, gc=False):
    """A transition from one step of a workflow to another.

    `source` and `target` are symbols; NEXT_STEP in `graph.cypher` documents the other fields.
    """

    source: int
    target: int
    condition: str
    line: int


class StructureFact(msgspec.Struct, array_like=True, gc=False):
    """The fields of a typed section. `symbol` is the section; SECTION_FIELDS in `graph.cypher` documents the other fields."""

    symbol: int
    type: str
    form: str
    fields: str
    reason: str


class BlockFact(msgspec.Struct, array_like=True, gc=False):
    """A block of code of a document in a language whose engine resolves blocks. `symbol` is the section around it."""

    symbol: int
    #: Extension of the files in the language: `.py` or `.ts`.
    extension: str
    #: First line of the code.
    line: int
    text: str
