"""What an author may say of a block besides its constructor: for type checkers and editors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from ..errors import Note
from .arguments import BlockArgs
from .block import SemanticValidator


class BlockOptions(TypedDict, total=False):
    """The keywords of `register_block`, `derive_block`, ``@block`` and ``@tool``; docs/registering.md says what each is."""

    uid: str | None
    name: str
    description: str | None
    details: str | None
    link: str | None
    guidance: str | None
    keywords: list[str] | tuple[str, ...]  # no text, which is a sequence of texts as well
    category: str
    icon: str | None
    arguments: BlockArgs | Mapping[str, Any] | None
    examples: Sequence[Mapping[str, Any]]
    package: str | None
    inputs: list[str] | tuple[str, ...]
    output: str | None
    input_schema: Mapping[str, Any] | str | None
    output_schema: Mapping[str, Any] | str | None
    validators: Sequence[SemanticValidator]
    wire_name: str | None
    kind: Literal["block", "tool"]
    tells: Sequence[type[BaseException]]
    timeout: float | None
    annotations: Mapping[str, Any]
    source: str
    notes: tuple[Note, ...]
