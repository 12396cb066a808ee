"""The declarations of a contract: services, operations, messages, types and their parts."""

from __future__ import annotations

from typing import NamedTuple


class PathReference(NamedTuple):
    """A path of an API whose operations another file describes."""

    path: str
    #: The file relative to the description, and the place of the path inside the file: `paths/pets.yaml#/pets`.
    target: str


class ContractElement(NamedTuple):
    """One declaration of a contract. Lines count from 1."""

    #: The name by which other parts of the contract refer to the element: `GET /pets/{id}`, `Query.pets`, `shop.v1.Cart`.
    name: str
    #: `endpoint`, `operation`, `service`, `channel`, `message`, `type`, `enum`, `field`, `extension`, `directive` or `request`.
    kind: str
    line: int
    #: The name of the enclosing element, else None.
    parent: str | None
    #: The id of an operation, or the type of a field: `operationId`, `string!`, `stream Reply`; empty if there is none.
    detail: str = ""
    #: The description in the contract, in one line.
    description: str = ""
    #: First line, including the description and the comments, and last line. Both are 0 in a format with only one line for an
    #: element.
    first_line: int = 0
    end_line: int = 0
    #: The declaration up to its body.
    signature: str = ""
    #: The comments above the element, as written.
    comment: str = ""
    #: The module that has the handler of an OpenAPI operation, as a server library reads it from the description, or the place in
    #: another file with an AsyncAPI channel, an operation or its channel: `channels/orders.yaml#/created`. Else empty.
    module: str = ""
    #: The requests of HTTP that a gateway passes to a call of a protobuf service: `GET /v1/carts/{id}`.
    bindings: tuple[str, ...] = ()


class FieldSelection(NamedTuple):
    """A field of a GraphQL schema that a request or a fragment selects."""

    #: The type at which the path begins: `Query`, `Mutation`, `Subscription`, or the type of a fragment.
    root: str
    #: The fields from that type to the field, with dots between them: `boats.crew.name`.
    path: str
    line: int
    #: The name of the request or the fragment; empty for a request without a name.
    request: str = ""


class ContractProblem(NamedTuple):
    """The reason why a contract could not be read, and the line."""

    line: int
    reason: str


class Contract(NamedTuple):
    """The declarations of one file, in the order of the file; if there is a problem, the declarations before the problem."""

    #: `openapi`, `asyncapi`, `graphql` or `protobuf`.
    format: str
    title: str = ""
    elements: tuple[ContractElement, ...] = ()
    problem: ContractProblem | None = None
    #: Base paths of the servers of an OpenAPI file.
    bases: tuple[str, ...] = ()
    #: Whether the file contains only paths, to which a description in another file refers. The name of an endpoint then has the
    #: place of the path inside the file, not the path: `GET /pets` for `#/pets`, and `GET` for the only path of a file.
    is_part: bool = False
    #: Paths of an OpenAPI file whose operations are in other files.
    references: tuple[PathReference, ...] = ()
    #: Names of the packages of generated code in a protobuf file.
    packages: tuple[str, ...] = ()
    #: The fields that the requests of a GraphQL file select.
    selections: tuple[FieldSelection, ...] = ()


class ContractSyntaxError(Exception):
    """Raised for a contract that does not follow its format. `line` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason
