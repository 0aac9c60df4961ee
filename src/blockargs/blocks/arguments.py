"""The arguments of a block, checked against its own annotations when it is built."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Annotated, Any

from ..derive import Arg, derive_block
from ..errors import InvalidArgumentsError
from ..spec import Block
from ..types import arg_column, arg_integer

Column = Annotated[str, Arg(type=arg_column())]
Count = Annotated[int, Arg(type=arg_integer(minimum=0))]


def checked(block: Any) -> None:
    """Check the fields of *block*, however it was built.

    Raises:
        InvalidArgumentsError: A field does not fit; all that do not are named.
    """
    derived = _derived(block.__class__)
    given = {f.name: getattr(block, f.name) for f in fields(block)}
    if problems := derived.validator().problems(given):
        raise InvalidArgumentsError(problems, f"block '{derived.uid}'")


@cache
def _derived(cls: type[Any]) -> Block:
    return derive_block(cls)
