"""How a type is made: frozen, and checked for what its author could get wrong."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType, UnionType
from typing import Any

from .._text import quoted
from ..errors import InvalidArgTypeError, Problem, at
from ..imported import arg_schema, check_marks
from ..node import ArgType
from ..validate import problems_in
from ..validate.scan import plain_json


def made(node: Mapping[str, Any], *, required: bool | None, error: str | None) -> ArgType:
    """Freeze *node* without its empty keywords, and check what its author could get wrong."""
    plain = {k: v for k, v in node.items() if v is not None or k == "const"}
    check_marks(plain.get("description"), required, error)
    if "default" in plain:
        plain["default"] = json_of(plain["default"], "default")
    made = ArgType(plain, required=required, error=error)
    if "default" in plain and (problems := problems_in(plain["default"], made)):
        raise InvalidArgTypeError(problems, "default")
    return made


def json_of(value: Any, what: str) -> Any:
    """Return *value* as plain JSON: a member of an enumeration becomes what it stands for.

    Raises:
        InvalidArgTypeError: It is no JSON; *what* names it.
    """
    problems: list[Problem] = []
    plain = plain_json(value, "$", problems)
    if problems:
        raise InvalidArgTypeError(problems, what)
    return plain


def type_of(node: object, where: str) -> ArgType:
    """Return *node* as a type; *where* names it in the message when it is none."""
    if isinstance(node, ArgType):
        return node
    if isinstance(node, Mapping):
        return arg_schema(node)
    raise InvalidArgTypeError.of(f"{as_written(node)} is no argument type", hint=cure_of(node), path=at("$", where))


def cure_of(node: object) -> str:
    """Return how to make a type of *node*, which is none.

    >>> cure_of(int)
    'write arg_type_of(int), or build one with arg_string() and its brothers'
    """
    built = "build one with arg_string() and its brothers"
    if isinstance(node, str):
        return f"write parse_type({quoted(node)}), or {built}; only new_block_arg(type=…) reads the spelling by itself"
    if isinstance(node, type) or hasattr(node, "__origin__") or type(node) is UnionType:
        return f"write arg_type_of({as_written(node)}), or {built}"
    return f"call it: {node.__name__}(…)" if isinstance(node, FunctionType) else built


def as_written(node: object) -> str:
    """Return *node*, a type or none, as its author wrote it."""
    if isinstance(node, type | FunctionType) and not hasattr(node, "__origin__"):
        return node.__name__
    return quoted(node)
