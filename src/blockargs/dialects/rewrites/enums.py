"""Fixed values: constants, enums of other things than text, and the empty text."""

# ruff: noqa: ARG001 - all rewrites have one signature
from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...keywords import Schema, kind_of, types_of
from ..marks import marked
from ..words import phrase
from .facts import Result, changed, nullable, tell

EMPTY = "(empty)"  # stands for the empty text, which some providers refuse in an enum


def const_as_enum(node: Schema, path: str) -> Result:
    """Write a constant as an enum of one."""
    if "const" not in node:
        return node, []
    out = {("enum" if k == "const" else k): ([v] if k == "const" else v) for k, v in node.items()}
    return ({**out, "type": kind_of(node["const"])} if "type" not in node else out), []


def scalar_enums(node: Schema, path: str) -> Result:
    """Give lists and records among fixed values as their JSON text."""
    values = [node["const"]] if "const" in node else node.get("enum", ())
    if all(not isinstance(v, Mapping | list) for v in values):
        return node, []
    return _as_texts({k: v for k, v in node.items() if k != "const"}, list(values), path)


def no_boolean_enums(node: Schema, path: str) -> Result:
    """Tell an enum of true and false in words: as a keyword it is refused."""
    values = node.get("enum", ())
    plain = [v for v in values if v is not None]
    if not plain or not all(isinstance(v, bool) for v in plain):
        return node, []
    rest = {k: v for k, v in node.items() if k != "enum"}
    rest["type"] = ["boolean", "null"] if None in values else "boolean"
    if len(plain) > 1:
        return rest, []
    words = phrase("const", plain[0]) if None not in values else phrase("enum", values)
    return tell(rest, words, path), [changed("told_in_words", path, {"enum": values}, None, "'enum' is told in words")]


def no_fraction_enums(node: Schema, path: str) -> Result:
    """Tell an enum of numbers in words where only whole numbers and texts may be listed."""
    values = [v for v in node.get("enum", ()) if v is not None]
    if not values or not any(kind_of(v) == "number" for v in values) or any(kind_of(v) == "string" for v in values):
        return node, []
    kind: Any = ["number", "null"] if None in node["enum"] else "number"
    rest = {**{k: v for k, v in node.items() if k != "enum"}, "type": kind}
    words = phrase("enum", node["enum"])
    return tell(rest, words, path), [changed("told_in_words", path, {"enum": values}, None, "'enum' is told in words")]


def enums_of_one_kind(node: Schema, path: str) -> Result:
    """List values of several kinds as texts, and put a word in the place of the empty text."""
    values = node.get("enum")
    if not values:
        return node, []
    plain = [v for v in values if v is not None]
    kinds = {kind_of(v) for v in plain}
    if len(kinds) > 1:
        return _as_texts(node, list(values), path)
    if "" not in plain:
        return node, []
    word = EMPTY if EMPTY not in plain else json.dumps("")
    out = {**node, "enum": [word if v == "" else v for v in values]}
    if out.get("default") == "":
        out["default"] = word
    note = changed("empty_text_named", path, "", word, f"the empty text is given as {word!r}")
    return marked(out, values=((word, ""),)), [note]


def whole_number_enums(node: Schema, path: str) -> Result:
    """Read whole numbers in an enum also where they come as text."""
    values = [v for v in node.get("enum", ()) if v is not None]
    if not values or any(kind_of(v) != "integer" for v in values):
        return node, []
    whole = [v if v is None else int(v) for v in node["enum"]]  # 1.0 is written as 1
    return marked({**node, "enum": whole}, values=tuple((str(v), v) for v in whole if v is not None)), []


def enums_for_types(node: Schema, path: str) -> Result:
    """Take values out of an enum that the type beside it refuses."""
    kinds = types_of(node)
    values = node.get("enum")
    if not values or not kinds:
        return node, []
    kept = [v for v in values if kind_of(v) in kinds or (kind_of(v) == "integer" and "number" in kinds)]
    return (node, []) if len(kept) == len(values) or not kept else ({**node, "enum": kept}, [])


def _as_texts(node: Schema, values: list[Any], path: str) -> Result:
    plain = [v for v in values if v is not None]
    texts = [v if isinstance(v, str) and v else json.dumps(v, ensure_ascii=False) for v in plain]
    if len(set(texts)) < len(texts):  # "1" and 1: then each is told by its JSON
        texts = [json.dumps(v, ensure_ascii=False) for v in plain]
    rest = {k: v for k, v in node.items() if k not in ("enum", "type", "default")}
    out: dict[str, Any] = {"type": "string", **rest, "enum": texts}
    if "default" in node:
        out = tell(out, phrase("default", node["default"]), path)
    out = marked(out, values=tuple(zip(texts, plain, strict=True)))
    note = changed("enum_as_texts", path, values, texts, "values of several kinds are given as texts")
    return (nullable(out) if None in values else out), [note]
