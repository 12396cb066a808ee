"""OpenAPI 2 and 3, and AsyncAPI 2 and 3: https://spec.openapis.org, https://www.asyncapi.com/docs/reference/specification."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from ..files.api_descriptions import CHANNELS, PATHS, api_format
from .declarations import Contract, ContractElement, ContractSyntaxError, PathReference
from .schema_types import type_of, types_of
from .yaml_tree import YamlNode, yaml_tree

#: The HTTP methods that are keys of operations below a path, in lower case as in the specification.
METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
_SURROGATES: Final = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
#: Keys by which libraries of servers name the module with the handler of an operation: express-openapi-validator, Connexion, and
#: swagger-tools. The handler has the id of the operation, or a name of its own.
_HANDLER_MODULES: Final = ("x-eov-operation-handler", "x-openapi-router-controller", "x-swagger-router-controller")
_HANDLER_NAME: Final = "x-eov-operation-id"
_ACTIONS: Final = ("publish", "subscribe")
#: Maximum length of a chain of references.
_MAX_REFERENCES: Final = 8
#: Maximum number of parameters in the signature of an operation.
_MAX_PARAMETERS: Final = 12
#: Maximum number of parameters and responses that are read for an operation, because many operations may share a long list.
_MAX_LISTED: Final = 64


class _Reading:
    """Reads one description."""

    def __init__(self, root: YamlNode) -> None:
        self._root = root

    def endpoints(self) -> Iterator[ContractElement]:
        """Yield the operations of all paths. The operations of one path together cover all lines of the path."""
        for path, line, item in self._root.entries_of("paths"):
            yield from self._of_path(path, line, item)
        for hook, line, item in self._root.entries_of("webhooks"):
            yield from self._of_path(f"webhook {hook}", line, item)

    def parts(self) -> Iterator[ContractElement]:
        """Yield the operations of a file that contains only paths: one at its root, or several below keys."""
        if any(method in self._root.entries for method in METHODS):
            yield from self._of_path("", self._root.line, self._root)
            return
        for name, line, item in self._root.entries_of():
            yield from self._of_path(name, line, item)

    def references(self) -> Iterator[PathReference]:
        """Yield the paths whose operations are in other files."""
        for path, _, item in self._root.entries_of("paths"):
            target = item.text_of("$ref")
            if target and not target.startswith("#") and "://" not in target:
                yield PathReference(path, target)

    def _of_path(self, path: str, line: int, item: YamlNode) -> Iterator[ContractElement]:
        whole = self._resolved(item)
        is_own = whole is item and item.line >= line  # an alias refers to earlier lines
        found = sorted((entry[0], method, entry[1]) for method in METHODS if (entry := whole.entries.get(method)) is not None)
        for place, (at, method, operation) in enumerate(found):
            if not is_own:
                # The operations are in the target of a reference, so the line of the reference counts as their line.
                first, at, end = line, line, max(line, item.end_line)
            else:
                first = line if not place else at
                end = found[place + 1][0] - 1 if place + 1 < len(found) else max(whole.end_line, operation.end_line)
            name = f"{method.upper()} {path}".strip()
            yield ContractElement(
                name,
                "endpoint",
                at,
                None,
                operation.text_of(_HANDLER_NAME) or operation.text_of("operationId"),
                about(operation),
                first,
                max(end, at),
                f"{name}{self._signature(whole, operation)}",
                module=self._handler_module(whole, operation),
            )

    def _handler_module(self, *owners: YamlNode) -> str:
        """Return the module with the handler of an operation. The operation precedes its path, and the path the whole file."""
        names = (owner.text_of(key) for owner in (*reversed(owners), self._root) for key in _HANDLER_MODULES)
        return next(filter(None, names), "")

    def _signature(self, item: YamlNode, operation: YamlNode) -> str:
        """Return the parameters, the body and the result of an operation, such as `(id: string, body: Pet): Pet[]`."""
        taken: dict[str, str] = {}
        body = ""
        for owner in (item, operation):
            for each in self._items(owner, "parameters"):
                name = each.text_of("name")
                schema = each.get("schema") or each
                if each.text_of("in") == "body":
                    body = type_of(schema)
                elif name:
                    taken[name] = type_of(schema)
        request = operation.get("requestBody")
        if request is not None:
            body = self._content_type(self._resolved(request))
        shown = [f"{name}: {kind}" for name, kind in list(taken.items())[:_MAX_PARAMETERS]]
        if len(taken) > _MAX_PARAMETERS:
            shown.append("…")
        if body:
            shown.append(f"body: {body}")
        result = self._result(operation)
        return f"({', '.join(shown)}){f': {result}' if result else ''}"

    def _items(self, owner: YamlNode, key: str) -> list[YamlNode]:
        listed = owner.get(key)
        return [self._resolved(each) for each in listed.items[:_MAX_LISTED]] if listed is not None else []

    def _result(self, operation: YamlNode) -> str:
        for status, _, response in islice(operation.entries_of("responses"), _MAX_LISTED):
            if status.startswith("2") or status == "default":
                return self._content_type(self._resolved(response))
        return ""

    def _content_type(self, owner: YamlNode) -> str:
        """Return the type of a body or a response, from its first content type."""
        for _, _, media in owner.entries_of("content"):
            schema = media.get("schema")
            return type_of(schema) if schema is not None else ""
        schema = owner.get("schema")
        return type_of(schema) if schema is not None else ""

    def _resolved(self, node: YamlNode) -> YamlNode:
        """Return the target of a reference within the file; the node itself for other and circular references."""
        current = node
        for _ in range(_MAX_REFERENCES):
            reference = current.text_of("$ref")
            if not reference:
                return current
            target = self._at(reference)
            if target is None:
                return node
            current = target
        return node

    def _at(self, reference: str) -> YamlNode | None:
        if not reference.startswith("#/"):
            return None
        keys = (part.replace("~1", "/").replace("~0", "~") for part in reference[2:].split("/"))
        return self._root.get(*keys)

    # ------------------------------------------------------------------ AsyncAPI

    def channels(self) -> Iterator[ContractElement]:
        """Yield the channels with the operations and messages inside them, and the operations of version 3."""
        for name, line, channel in self._root.entries_of("channels"):
            yield _channel(name, line, channel)
            for action in _ACTIONS:
                entry = channel.entries.get(action)
                if entry is not None:
                    at, operation = entry
                    own = f"{action} {name}"
                    yield _element_at(own, "operation", at, operation, name, operation.text_of("operationId"), own)
        for name, line, operation in self._root.entries_of("operations"):
            yield _operation(name, line, operation)

    def channel_parts(self) -> Iterator[ContractElement]:
        """Yield the channels and operations of a file with only them: one at its root, or several below keys."""
        is_single = any(isinstance(self._root.get(key), YamlNode) for key in ("address", "messages", "action"))
        own = self._root.text_of("address") or self._root.text_of("action") or "channel"
        for name, line, node in [(own, self._root.line, self._root)] if is_single else self._root.entries_of():
            if node.text_of("action"):
                yield _operation(name, line, node)
            elif node.get("address") is not None:
                yield _channel(name, line, node)

    def messages(self) -> Iterator[ContractElement]:
        """Yield the messages that are declared with a name."""
        for name, line, message in self._root.entries_of("components", "messages"):
            payload = message.get("payload")
            detail = type_of(payload) if payload is not None else ""
            yield _element_at(name, "message", line, message, None, detail, f"message {name}{f': {detail}' if detail else ''}")

    # ------------------------------------------------------------------ where the server is

    def bases(self) -> tuple[str, ...]:
        """Return the base paths of the servers, without repetition."""
        found: dict[str, None] = {}
        base = self._root.text_of("basePath")
        if base:
            found[base] = None
        servers = self._root.get("servers")
        for server in servers.items if servers is not None else ():
            path = _path_of_url(server.text_of("url"))
            if path:
                found[path] = None
        return tuple(found)


def _path_of_url(url: str) -> str:
    """Return the path of the URL of a server, without the slash at its end."""
    rest = url.partition("://")[2] if "://" in url else url.removeprefix("//") if url.startswith("//") else ""
    path = f"/{rest.partition('/')[2]}" if rest else url
    return path.partition("?")[0].rstrip("/")


def about(node: YamlNode) -> str:
    """Return the description of a part of the contract in one line."""
    return node.text_of("summary") or node.text_of("description") or node.text_of("title")


def _element_at(
    name: str, kind: str, line: int, node: YamlNode, parent: str | None, detail: str, signature: str
) -> ContractElement:
    return ContractElement(name, kind, line, parent, detail, about(node), line, max(node.end_line, line), signature)


def _channel(name: str, line: int, channel: YamlNode) -> ContractElement:
    address = channel.text_of("address")
    element = _element_at(name, "channel", line, channel, None, address, f"channel {address or name}")
    return element._replace(module=_outside(channel))


def _operation(name: str, line: int, operation: YamlNode) -> ContractElement:
    """Return an operation of AsyncAPI 3 with the channel of which it sends or receives messages."""
    channel = operation.get("channel")
    reference = channel.text_of("$ref") if channel is not None else ""
    written = f"{operation.text_of('action')} {reference.rpartition('/')[2].replace('~1', '/')}"
    element = _element_at(name, "operation", line, operation, None, written, written)
    return element._replace(module=_outside(operation) or (_outside(channel) if channel is not None else ""))


def _outside(node: YamlNode) -> str:
    """Return the target of a reference to another file of the workspace; "" for none."""
    target = node.text_of("$ref")
    return "" if target.startswith("#") or "://" in target else target


def _in_order(elements: Sequence[ContractElement]) -> tuple[ContractElement, ...]:
    return tuple(sorted(elements, key=lambda element: element.first_line))


def read_api_description(text: str, is_json: bool) -> Contract:
    """Read an OpenAPI or AsyncAPI file in YAML or JSON.

    Raises ContractSyntaxError for other text.
    """
    # A tab may separate the parts of JSON, but not of YAML. Inside a JSON string, a tab is written `\\t`. YAML also does not
    # combine surrogate pairs.
    if is_json or text.lstrip("\ufeff \t\r\n").startswith("{"):
        text = _SURROGATES.sub("\ufffd", text.replace("\t", " "))
    root = yaml_tree(text)
    info = root.get("info")
    title = info.text_of("title") if info is not None else ""
    reading = _Reading(root)
    if root.get("asyncapi") is not None:
        elements = [*reading.channels(), *reading.messages(), *types_of(root, "components", "schemas")]
        return Contract("asyncapi", title, _in_order(elements))
    if root.get("openapi") is None and root.get("swagger") is None:
        if api_format(text) == PATHS:
            return Contract("openapi", title, _in_order(list(reading.parts())), is_part=True)
        if api_format(text) == CHANNELS:
            return Contract("asyncapi", title, _in_order(list(reading.channel_parts())), is_part=True)
        raise ContractSyntaxError(1, "the file names neither `openapi`, `swagger` nor `asyncapi` at its root")
    elements = [*reading.endpoints(), *types_of(root, "components", "schemas"), *types_of(root, "definitions")]
    references = tuple(reading.references())
    return Contract("openapi", title, _in_order(elements), bases=reading.bases(), references=references)
