"""Explicit content: text, images, audio and resources, as MCP writes them and as text-only channels show them."""

from __future__ import annotations

import pytest

from blockargs import InvalidContentError
from blockargs.dispatch import Audio, Image, Resource, Text, ToolContent


@pytest.mark.parametrize(
    ("part", "record", "words"),
    [
        (Text("hello"), {"type": "text", "text": "hello"}, "hello"),
        (
            Text("for you", audience=("user",)),
            {"type": "text", "text": "for you", "annotations": {"audience": ["user"]}},
            "for you",
        ),
        (
            Image(b"\x89PNG", "image/png"),
            {"type": "image", "data": "iVBORw==", "mimeType": "image/png"},
            "[image image/png, 4 bytes; this channel carries text only]",
        ),
        (
            Audio("UklGRg==", "audio/wav", audience=("assistant",)),
            {
                "type": "audio",
                "data": "UklGRg==",
                "mimeType": "audio/wav",
                "annotations": {"audience": ["assistant"]},
            },
            "[audio audio/wav, 4 bytes; this channel carries text only]",
        ),
        (
            Resource("data:rows", "a,b", mime_type="text/csv"),
            {"type": "resource", "resource": {"uri": "data:rows", "text": "a,b", "mimeType": "text/csv"}},
            "a,b",
        ),
        (
            Resource("data:blob", data=b"abc"),
            {"type": "resource", "resource": {"uri": "data:blob", "blob": "YWJj"}},
            "[resource data:blob, application/octet-stream, 3 bytes; this channel carries text only]",
        ),
        (
            Resource("https://example.org/a", name="A", description="All about A"),
            {"type": "resource_link", "uri": "https://example.org/a", "name": "A", "description": "All about A"},
            "[A](https://example.org/a)",
        ),
        (
            Resource("https://example.org/b"),
            {"type": "resource_link", "uri": "https://example.org/b", "name": "https://example.org/b"},
            "[https://example.org/b](https://example.org/b)",
        ),
    ],
)
def test_every_part_has_its_protocol_form_and_its_words(part, record, words):
    """
    A part is written as MCP has it, and a channel without pictures names what it cannot show.
    """
    assert (part.record(), part.words()) == (record, words)


def test_content_takes_parts_and_bare_text_in_order():
    """
    `ToolContent("text", part, …)` keeps the order, and bare text is a text part.
    """
    picture = Image(b"x", "image/png")

    content = ToolContent("Here it is:", picture, structured={"n": 1}, meta={"k": "v"})

    assert content.parts == (Text("Here it is:"), picture)
    assert content.text == "Here it is:\n[image image/png, 1 bytes; this channel carries text only]"
    assert (content.structured, content.is_error, content.meta) == ({"n": 1}, False, {"k": "v"})


@pytest.mark.parametrize(
    ("make", "kind", "words"),
    [
        (lambda: Text(5), TypeError, "5 is no text; a text of a part is one"),
        (lambda: Text(None), ValueError, "null is no text; a text of a part is one"),
        (lambda: Text("x", audience="user"), ValueError, "audience 'user' is no tuple; write it like ('user',)"),
        (lambda: Text("x", audience=[["user"]]), ValueError, """audience ["user"] is neither 'user' nor 'assistant'"""),
        (lambda: Image(5, "image/png"), TypeError, "5 is neither bytes nor base64"),
        (lambda: Image(b"x", None), TypeError, "null is no MIME type; write it like 'image/png'"),
        (lambda: Resource(5), TypeError, "5 is no text; an address of a part is one"),
        (lambda: Resource("u", 5), TypeError, "5 is no text; a text of a part is one"),
        (lambda: Resource("u", name=5), TypeError, "5 is no text; a name of a part is one"),
        (lambda: Resource("u", mime_type="csv"), ValueError, "'csv' is no MIME type; write it like 'image/png'"),
        (lambda: ToolContent("x", is_error=1), TypeError, "is_error=1 is neither True nor False"),
        (lambda: ToolContent("x", meta=["a"]), TypeError, 'meta=["a"] is no mapping of names to JSON'),
        (lambda: ToolContent(3), TypeError, "3 is no content; use text, Text, Image, Audio or Resource"),
        (lambda: Image(b"x", "png"), ValueError, "'png' is no MIME type; write it like 'image/png'"),
        (lambda: Resource("u", "t", data=b"d"), ValueError, "a resource is text or data, not both"),
        (lambda: Text("x", audience=("all",)), ValueError, "audience 'all' is neither 'user' nor 'assistant'"),
        (
            lambda: Image(b"x", "image/png", audience=("me",)),
            ValueError,
            "audience 'me' is neither 'user' nor 'assistant'",
        ),
    ],
)
def test_content_that_no_client_could_read_is_refused(make, kind, words):
    """
    A wrong part is an error where it is made, with the cure, not on the wire.
    """
    with pytest.raises(kind) as caught:
        make()

    assert str(caught.value) == words
    assert isinstance(caught.value, InvalidContentError)


def test_text_that_is_not_base64_is_refused():
    """
    Bytes are encoded for the author; text must already be base64.
    """
    with pytest.raises(ValueError, match=r"^'not base64!' is not base64 .*; pass the bytes themselves$"):
        Image("not base64!", "image/png")
