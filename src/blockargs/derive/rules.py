"""The shape of an annotation rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .codec import Change, Codec
from .site import Site


@dataclass(frozen=True, slots=True)
class Rule:
    """How a family of annotations is understood.

    Attributes:
        matches: Whether it is for this annotation.
        codec: Makes the codec of such an annotation.
    """

    matches: Callable[[Any], bool]
    codec: Callable[[Any, Site], Codec]


def only(cls: type[Any], encode: Change) -> Change:
    """Return *encode*, which leaves what is no *cls* as it is."""
    return lambda value: encode(value) if isinstance(value, cls) else value
