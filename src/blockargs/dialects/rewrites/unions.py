"""Unions: ``oneOf`` as ``anyOf``, and a union of one."""

# ruff: noqa: ARG001 - all rewrites have one signature
from __future__ import annotations

from ...keywords import Schema
from ..marks import WAS
from .facts import Result, changed


def one_of_as_any_of(node: Schema, path: str) -> Result:
    """Write ``oneOf`` as ``anyOf``; decoding still asks for exactly one."""
    if "oneOf" not in node:
        return node, []
    out = {k: v for k, v in node.items() if k not in ("oneOf", "discriminator")}
    out["anyOf"] = [*node.get("anyOf", ()), *node["oneOf"]]
    return out, [changed("one_of_as_any_of", path, "oneOf", "anyOf", "'oneOf' is written as 'anyOf'")]


def union_of_one(node: Schema, path: str) -> Result:
    """Write a union of one branch as that branch."""
    branches = node.get("anyOf", ())
    if len(branches) != 1 or not isinstance(branches[0], dict):
        return node, []
    outer = {k: v for k, v in node.items() if k != "anyOf"}
    if outer and "$ref" in branches[0]:  # nothing may stand beside a reference
        return node, []
    inner = {k: v for k, v in branches[0].items() if k != WAS}
    return {**inner, **outer}, []
