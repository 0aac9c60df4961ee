"""A server for the official conformance suite: its tools are blocks, under the names that the suite asks for.

python conformance_server.py PORT
"""

from __future__ import annotations

import sys
import time
from typing import Annotated, Any

from blockargs import Registry, ToolFailure
from blockargs.derive import Arg
from blockargs.dispatch import Audio, Image, Resource, ToolContent
from blockargs.inject import Logger, Progress
from blockargs.mcp_server import build_server, serve_http
from mcp import MCPError, types

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAD//w=="
DIALECT = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def test_simple_text() -> str:
    """Return a text."""
    return "This is a simple text response for testing."


def test_image_content() -> ToolContent:
    """Return an image."""
    return ToolContent(Image(PNG, "image/png"))


def test_audio_content() -> ToolContent:
    """Return a sound."""
    return ToolContent(Audio(WAV, "audio/wav"))


def test_embedded_resource() -> ToolContent:
    """Return a document."""
    text = "This is an embedded resource content."
    return ToolContent(Resource("test://embedded-resource", text, mime_type="text/plain"))


def test_multiple_content_types() -> ToolContent:
    """Return a text, an image and a document."""
    document = Resource("test://mixed-content-resource", '{"test":"data","value":123}', mime_type="application/json")
    return ToolContent("Multiple content types test:", Image(PNG, "image/png"), document)


def test_tool_with_logging(logger: Logger) -> str:
    """Log three lines."""
    logger.info("Tool execution started")
    time.sleep(0.05)
    logger.info("Tool processing data")
    time.sleep(0.05)
    logger.info("Tool execution completed")
    return "logged"


def test_logging_tool(logger: Logger) -> str:
    """Log a line."""
    logger.info("a line")
    return "logged"


def test_tool_with_progress(progress: Progress) -> str:
    """Report progress three times."""
    for done in (0, 50, 100):
        progress.report(done, 100)
        time.sleep(0.05)
    return "done"


def test_error_handling() -> str:
    """Fail."""
    raise ToolFailure("test_error", "This tool intentionally returns an error for testing")


def test_headers(
    region: Annotated[str, Arg("Where to run.", header="Region")],
    priority: Annotated[int, Arg("How soon.", header="Priority")] = 1,  # noqa: PT028 - a block, no test
    *,
    verbose: Annotated[bool, Arg("Whether to tell more.", header="Verbose")] = False,  # noqa: PT028 - a block, no test
) -> str:
    """Take arguments that headers repeat."""
    return f"{region} {priority} {verbose}"


def test_streaming_elicitation(progress: Progress) -> str:
    """Answer with a stream, in which the server asks for nothing."""
    progress.report(1, 1)
    return "done"


def test_missing_capability() -> str:
    """Do what needs a client that samples."""
    return "sampled"


def json_schema_2020_12_tool(**given: Any) -> str:
    """Take arguments of a schema that uses most of JSON Schema 2020-12."""
    return f"{sorted(given)}"


def blocks() -> Registry:
    """Return the tools that the suite calls."""
    registry = Registry()
    for constructor in (
        test_simple_text,
        test_image_content,
        test_audio_content,
        test_embedded_resource,
        test_multiple_content_types,
        test_tool_with_logging,
        test_logging_tool,
        test_tool_with_progress,
        test_error_handling,
        test_headers,
        test_streaming_elicitation,
        test_missing_capability,
    ):
        registry.register(constructor, kind="tool")
    registry.register(json_schema_2020_12_tool, kind="tool", input_schema=DIALECT)
    return registry


async def samplers_only(ctx: Any, call_next: Any) -> Any:
    """Refuse `test_missing_capability` to a client that does not sample: a host's own rule, laid around the door."""
    if ctx.method == "tools/call" and ctx.params.get("name") == "test_missing_capability":
        capabilities = ctx.session.client_capabilities
        if capabilities is None or capabilities.sampling is None:
            data = {"requiredCapabilities": {"sampling": {}}}
            raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "sampling is needed", data)
    return await call_next(ctx)


def for_the_suite(server: Any) -> Any:
    """Add the one resource that the suite reads, and the one rule that it expects, to *server*."""
    uri = "test://static-text"
    entry = {"uri": uri, "name": "Static text", "description": "A text.", "mimeType": "text/plain"}
    own_list = server.get_request_handler("resources/list").handler
    own_read = server.get_request_handler("resources/read").handler

    async def listing(ctx: Any, params: Any) -> Any:
        own = await own_list(ctx, params)
        return {**own, "resources": [entry, *own["resources"]]}

    async def reading(ctx: Any, params: Any) -> Any:
        if str(params.uri) != uri:
            return await own_read(ctx, params)
        text = "This is the content of the static text resource."
        modern = {"resultType": "complete"} if ctx.protocol_version >= "2026-07-28" else {}
        return {**modern, "contents": [{"uri": uri, "mimeType": "text/plain", "text": text}]}

    server.add_request_handler("resources/list", types.PaginatedRequestParams, listing)
    server.middleware.append(samplers_only)
    server.add_request_handler("resources/read", types.ReadResourceRequestParams, reading)
    return server


if __name__ == "__main__":
    serve_http(for_the_suite(build_server(blocks(), name="conformance", version="1.0.0")), port=int(sys.argv[1]))
