"""OpenAPI 2 and 3, and AsyncAPI 2 and 3: https://spec.openapis.org, https://www.asyncapi.com/docs/reference/specification."""

from __future__ import annotations

from .records import Contract, ContractElement, ContractSyntaxError
from .yaml_tree import YamlNode, yaml_tree

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def _type_of(schema: YamlNode) -> str:
    """Return the type that a schema names: its reference, its items or its type."""
    suffix = ""
    for _ in range(8):
        reference = schema.text_of("$ref")
        items = schema.get("items")
        if reference:
            return reference.rpartition("/")[2] + suffix
        if items is None:
            kinds = schema.get("type")
            listed = " | ".join(item.text or "" for item in kinds.items) if kinds is not None else ""
            return (listed or schema.text_of("type") or "object") + suffix
        schema = items
        suffix += "[]"
    return f"array{suffix}"


def _types(root: YamlNode, *keys: str) -> list[ContractElement]:
    """Return the schemas below keys as types, with their properties as fields."""
    elements = []
    for name, line, schema in root.entries_of(*keys):
        kind = "enum" if schema.get("enum") is not None else "type"
        elements.append(ContractElement(name, kind, line, None, _type_of(schema), schema.text_of("description")))
        for part in (schema, *(piece for piece in _pieces(schema))):
            for field, at, value in part.entries_of("properties"):
                elements.append(
                    ContractElement(f"{name}.{field}", "field", at, name, _type_of(value), value.text_of("description"))
                )
    return elements


def _pieces(schema: YamlNode) -> list[YamlNode]:
    whole = schema.get("allOf")
    return whole.items if whole is not None else []


def _endpoints(root: YamlNode) -> list[ContractElement]:
    elements = []
    for path, _, item in root.entries_of("paths"):
        for method in _METHODS:
            entry = item.entries.get(method)
            if entry is not None:
                line, operation = entry
                about = operation.text_of("summary") or operation.text_of("description")
                name = f"{method.upper()} {path}"
                elements.append(ContractElement(name, "endpoint", line, None, operation.text_of("operationId"), about))
    for hook, _, item in root.entries_of("webhooks"):
        for method in _METHODS:
            entry = item.entries.get(method)
            if entry is not None:
                name = f"webhook {hook}"
                elements.append(ContractElement(name, "operation", entry[0], None, entry[1].text_of("operationId")))
    return elements


def _channels(root: YamlNode) -> list[ContractElement]:
    elements = []
    for name, line, channel in root.entries_of("channels"):
        address = channel.text_of("address")
        elements.append(ContractElement(name, "channel", line, None, address, channel.text_of("description")))
        for action in ("publish", "subscribe"):
            entry = channel.entries.get(action)
            if entry is not None:
                at, operation = entry
                about = operation.text_of("summary") or operation.text_of("description")
                detail = operation.text_of("operationId")
                elements.append(ContractElement(f"{action} {name}", "operation", at, name, detail, about))
    for name, line, operation in root.entries_of("operations"):
        channel_node = operation.get("channel")
        channel_name = channel_node.text_of("$ref").rpartition("/")[2] if channel_node is not None else ""
        about = operation.text_of("summary") or operation.text_of("description")
        elements.append(ContractElement(name, "operation", line, channel_name or None, operation.text_of("action"), about))
    return elements


def _messages(root: YamlNode) -> list[ContractElement]:
    elements = []
    for name, line, message in root.entries_of("components", "messages"):
        payload = message.get("payload")
        detail = _type_of(payload) if payload is not None else ""
        about = message.text_of("summary") or message.text_of("description")
        elements.append(ContractElement(name, "message", line, None, detail, about))
    return elements


def read_api_description(text: str, is_json: bool) -> Contract:
    """Read an OpenAPI or AsyncAPI file in YAML or JSON.

    Raises ContractSyntaxError if the text is neither.
    """
    # A tab may stand between the parts of JSON, but not between those of YAML; within a text of JSON it is written `\\t`.
    root = yaml_tree(text.replace("\t", " ") if is_json else text)
    info = root.get("info")
    title = info.text_of("title") if info is not None else ""
    if root.get("asyncapi") is not None:
        elements = [*_channels(root), *_messages(root), *_types(root, "components", "schemas")]
        name = "asyncapi"
    elif root.get("openapi") is not None or root.get("swagger") is not None:
        elements = [*_endpoints(root), *_types(root, "components", "schemas"), *_types(root, "definitions")]
        name = "openapi"
    else:
        raise ContractSyntaxError(1, "the file names neither `openapi`, `swagger` nor `asyncapi` at its root")
    return Contract(name, title, tuple(sorted(elements, key=lambda element: element.line)))
