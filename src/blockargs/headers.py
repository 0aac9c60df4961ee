"""The rule of ``x-mcp-header``: which arguments an HTTP header may repeat.

A client repeats the argument in ``Mcp-Param-<name>``, so that proxies can route
a call without reading its body (MCP 2026-07-28). Clients drop a tool that breaks
the rule: it is refused at registration instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ._text import quoted
from .errors import Problem, at
from .keywords import Pointer, Schema, walk
from .node import ArgType
from .spec import Block

KEY = "x-mcp-header"
TYPES = ("string", "integer", "boolean")
SAFE = 2**53 - 1  # a larger integer is changed by readers that know doubles only
TOKEN = frozenset("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")  # RFC 9110
LITERALS = ("const", "default", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


def header_problems(block: Block) -> list[Problem]:
    """Return what is wrong with the headers that arguments of *block* ask for; empty when all is well."""
    problems = [
        _problem(at("$", name), f"hidden argument {quoted(name)} has a header", "no model sends it: drop header=")
        for name, arg in block.arguments.items()
        if arg.hidden and arg.header is not None
    ]
    if block.schema is None and not any(
        a.header is not None or (isinstance(a.type, ArgType) and _mentions(a.type)) for a in block.arguments.values()
    ):
        return problems  # the schema as a whole need not be made for this
    seen: dict[str, str] = {}
    for pointer, node in walk(block.type):
        if KEY not in node:
            continue
        path = _path(pointer)
        here = list(_node_problems(pointer, node, path))
        problems += here
        if not here and (other := seen.setdefault(node[KEY].lower(), path)) != path:
            message = f"header {quoted(node[KEY])} is taken by {other}"
            problems.append(_problem(path, message, "headers differ in more than case: choose another name"))
    return problems


@lru_cache(maxsize=4096)
def _mentions(kind: ArgType) -> bool:
    return any(KEY in node for _, node in walk(kind))


def _node_problems(pointer: Pointer, node: Schema, path: str) -> Iterator[Problem]:
    name = node[KEY]
    if not pointer or any(word != "properties" for word in pointer[::2]):
        message = f"header {quoted(name)} stands where not every call has one value"
        yield _problem(path, message, "put it on an argument, or on a field of a record")
    if not isinstance(name, str):
        yield _problem(path, f"header {quoted(name)} is no text", "give it a name")
    elif not name or not TOKEN.issuperset(name):
        allowed = "letters, digits and !#$%&'*+-.^_`|~"
        yield _problem(path, f"header {quoted(name)} is no name of an HTTP header", f"use {allowed}")
    if "$ref" in node or node.get("type") not in TYPES:
        shown = quoted("$ref" if "$ref" in node else node.get("type", "any"))
        hint = "write the type at the argument itself, as string, integer or boolean"
        if isinstance(node.get("type"), list | tuple):
            hint += "; let it be left out instead of null"
        yield _problem(path, f"a header cannot carry a value of type {shown}", hint)
    for value in _literals(node):
        if isinstance(value, int) and abs(value) > SAFE:
            message = f"{quoted(value)} is beyond the integers that a header carries safely"
            yield _problem(path, message, f"stay within -{SAFE} to {SAFE}")


def _literals(node: Schema) -> Iterator[Any]:
    yield from (node[key] for key in LITERALS if key in node)
    yield from node.get("enum", ())


def _path(pointer: Pointer) -> str:
    """Return the JSONPath of the value that the schema at *pointer* describes, as near as that can be said."""
    path = "$"
    words = iter(pointer)
    for word in words:
        if word in ("properties", "patternProperties", "dependentSchemas"):
            path = at(path, str(next(words)))
        elif word == "prefixItems":
            path = at(path, int(next(words)))
        elif word == "items":
            path = f"{path}[*]"
        elif word in ("anyOf", "oneOf", "allOf", "$defs", "definitions"):
            next(words)
    return path


def _problem(path: str, message: str, hint: str) -> Problem:
    return Problem(code="header_invalid", path=path, message=message, hint=hint)
