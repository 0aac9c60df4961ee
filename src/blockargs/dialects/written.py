"""Listings as bytes: a schema that a dialect leaves as it is goes from the arguments straight to text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ..spec import Block

_HERE = '"\\u0000"'  # stands for a schema until its text is put there


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


def as_bytes(value: Any) -> bytes:
    """Return JSON *value*, which may hold `OwnSchema` and no circle, in UTF-8."""
    schemas: list[OwnSchema] = []

    def later(one: OwnSchema) -> str:
        schemas.append(one)
        return "\0"

    try:
        parts = _dumped(value, later, ascii_only=False).split(_HERE)
        if len(parts) == len(schemas) + 1:  # else a text of the author's is just that character
            texts = [text for part, one in zip(parts, schemas, strict=False) for text in (part, one.text())]
            return "".join([*texts, parts[-1]]).encode()
        return _dumped(value, dict, ascii_only=False).encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        return _dumped(value, dict, ascii_only=True).encode()


def _dumped(value: Any, otherwise: Any, *, ascii_only: bool) -> str:
    # what is written is made of frozen parts, which hold no circle
    return json.dumps(value, separators=(",", ":"), ensure_ascii=ascii_only, check_circular=False, default=otherwise)
