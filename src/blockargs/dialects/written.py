"""Listings as bytes: a schema that a dialect leaves as it is goes from the arguments straight to text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any

from ..spec import Block

_HERE = '"\\u0000"'  # stands for what is written by itself until its text is put there
_BATCH = 100  # tools that are written at once


class OwnSchema(Mapping[str, Any]):
    """The input schema of a block as the block has it: read, it is `Block.type`; written, that is never made."""

    __slots__ = ("_block",)

    def __init__(self, block: Block) -> None:
        self._block = block

    def __getitem__(self, key: str) -> Any:
        """Return the value of a keyword."""
        return self._block.type[key]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keywords."""
        return iter(self._block.type)

    def __len__(self) -> int:
        """Count the keywords."""
        return len(self._block.type)

    def text(self) -> str:
        """Return it as compact JSON."""
        return self._block.arguments.text()


def as_bytes(request: Any, tools: list[Any]) -> bytes:
    """Return *request* as JSON, in UTF-8; it holds *tools*, which may hold `OwnSchema`, and no circle.

    Where the list stands in it as it is, a few tools are written at a time: ten thousand cost each no more
    than a hundred.
    """
    try:
        places: list[Any] = []
        around = _dumped(_without(request, tools, places), dict, ascii_only=False).split(_HERE)
        if len(places) != 1 or len(around) != 2:  # noqa: PLR2004 - before the tools and after them
            return _dumped(request, dict, ascii_only=False).encode()
        out = BytesIO()
        out.write(f"{around[0]}[".encode())
        for at in range(0, len(tools), _BATCH):
            if at:
                out.write(b",")
            out.write(_unbracketed(tools[at : at + _BATCH]).encode())
        out.write(f"]{around[1]}".encode())
        return out.getvalue()
    except UnicodeEncodeError:  # half of a surrogate pair
        return _dumped(request, dict, ascii_only=True).encode()


def _without(value: Any, tools: list[Any], places: list[Any]) -> Any:
    """Return *value* with what stands for a text where the very list of *tools* is; *places* gets each."""
    if value is tools:
        places.append(value)
        return "\0"
    if isinstance(value, dict):
        return {k: _without(v, tools, places) for k, v in value.items()}
    return [_without(v, tools, places) for v in value] if isinstance(value, list) else value


def _unbracketed(tools: list[Any]) -> str:
    """Return the list of *tools* as JSON without its brackets."""
    schemas: list[str] = []

    def later(one: OwnSchema) -> str:
        schemas.append(one.text())
        return "\0"

    parts = _dumped(tools, later, ascii_only=False).split(_HERE)
    if len(parts) == len(schemas) + 1:
        texts = [text for part, schema in zip(parts, schemas, strict=False) for text in (part, schema)]
        text = "".join([*texts, parts[-1]])
    else:  # a text of the author's is just that character
        text = _dumped(tools, dict, ascii_only=False)
    return text[1:-1]


def _dumped(value: Any, otherwise: Any, *, ascii_only: bool) -> str:
    # what is written is made of frozen parts, which hold no circle
    return json.dumps(value, separators=(",", ":"), ensure_ascii=ascii_only, check_circular=False, default=otherwise)
