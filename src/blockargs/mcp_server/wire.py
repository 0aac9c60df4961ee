"""Tools and results as one revision of the protocol writes them.

Up to 2025-11-25 an output is a JSON object or it is not structured: one tool
with another output would make a whole listing fail. There it is put into an
object, under `WRAPPED`. From 2026-07-28 any JSON will do, except that null
cannot be told from nothing.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from mcp.types.methods import serialize_server_result

from .._text import listing
from ..dispatch import ToolRun
from ..dispatch.characters import whole_text
from ..dispatch.messages import meta_of
from ..keywords import MAX_DEPTH, rebuilt
from ..node import ArgType, compact
from ..spec import Block
from ..validate import schema_problems, validator_of
from ..validate.scan import is_json

MODERN = "2026-07-28"  # the revision from which on outputs are any JSON; dates compare as text
ICONS_SINCE = "2025-11-25"
WRAPPED = "result"  # the key under which an output that is no object is put


_ENVELOPE = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}  # without which no listing is whole
_OUR_KEYS = frozenset({"name", "title", "description", "inputSchema", "outputSchema"})
_log = logging.getLogger("blockargs.mcp_server")


@dataclass(frozen=True, slots=True)
class WireTool:
    """A tool as it is offered, and what is needed to write its results.

    Attributes:
        block: The block behind it.
        entry: The tool as the newest revision writes it.
        _forms: The entry by revision, made once; ``None`` where it would spoil the listing.
    """

    block: Block
    entry: Mapping[str, Any]
    _forms: dict[str, dict[str, Any] | None] = field(default_factory=dict, compare=False, repr=False)

    def form(self, protocol_version: str) -> dict[str, Any] | None:
        """Return the tool as *protocol_version* writes it; ``None`` when it would spoil the whole listing."""
        if protocol_version not in self._forms:
            self._forms[protocol_version] = _checked(self, protocol_version)
        return self._forms[protocol_version]


def _checked(tool: WireTool, protocol_version: str) -> dict[str, Any] | None:
    """Return *tool* as *protocol_version* writes it, where it can be sent and clients would take the listing."""
    try:
        form = wire_tool(tool.entry, protocol_version)
        if _is_ours(form, tool.block):
            texts = (form["name"], form.get("title", ""), form.get("description", ""), tool.block.arguments.text())
            "".join((*texts, compact(form.get("outputSchema")))).encode()
        else:
            json.dumps(form, ensure_ascii=False, allow_nan=False).encode()
            serialize_server_result("tools/list", protocol_version, {**_ENVELOPE, "tools": [form]})
            _check_strictly(form)
    except Exception:  # noqa: BLE001 - of what is no schema at all anything may be raised
        name = tool.entry["name"]
        _log.exception("tool %r is left out: clients of %s would refuse the listing", name, protocol_version)
        return None
    return form


def _is_ours(form: dict[str, Any], block: Block) -> bool:
    """Tell whether *form* holds nothing but what this package made: it is as the protocol wants it, but for its texts."""
    if block.schema is not None or form["inputSchema"] is not block.type or not form.keys() <= _OUR_KEYS:
        return False
    return block.output_schema is None or _is_sound(block.output_schema)


@lru_cache(maxsize=1024)
def _is_sound(schema: ArgType) -> bool:
    """Tell whether *schema*, which few blocks have for themselves, is a sound one."""
    return not schema_problems(schema)


def _check_strictly(form: Mapping[str, Any]) -> None:
    """Refuse what the SDK's own models let pass, or read as something else; other clients do not.

    Raises:
        TypeError: A schema is none, a hint is no bool, or a fact of an icon is no text.
    """
    hints = form.get("annotations", {})
    odd = [key for key in ("inputSchema", "outputSchema") if key in form and schema_problems(form[key])]
    odd += [key for key, value in hints.items() if type(value) is not (str if key == "title" else bool)]
    for icon in form.get("icons", ()):
        odd += [key for key, value in icon.items() if key != "sizes" and not isinstance(value, str)]
    if odd:
        raise TypeError(f"{listing(odd)} of the wrong kind")


def forms_of(tools: Iterable[WireTool], protocol_version: str) -> list[dict[str, Any]]:
    """Return *tools* as *protocol_version* writes them, without those that would spoil the whole listing."""
    forms = (tool.form(protocol_version) for tool in tools)
    return [form for form in forms if form is not None]


def wire_tool(entry: Mapping[str, Any], protocol_version: str) -> dict[str, Any]:
    """Return the tool *entry* as *protocol_version* writes it: nothing in it can make a listing fail."""
    tool = {k: v for k, v in entry.items() if k != "icons"} if protocol_version < ICONS_SINCE else dict(entry)
    if isinstance(output := tool.get("outputSchema"), Mapping) and is_wrapped(output, protocol_version):
        tool["outputSchema"] = wrapping(output)
    for key in ("inputSchema", "outputSchema"):
        if isinstance(schema := tool.get(key), Mapping) and any(type(p) is bool for p in _properties(schema).values()):
            # up to 2025-11-25 these are objects, and clients hold to it
            tool[key] = {**schema, "properties": {k: _as_object(p) for k, p in _properties(schema).items()}}
    return tool


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    found = schema.get("properties")
    return found if isinstance(found, Mapping) else {}


def _as_object(schema: Any) -> Any:
    """Return a boolean *schema* as the object that means the same."""
    return ({} if schema else {"not": {}}) if type(schema) is bool else schema


def is_wrapped(output: Mapping[str, Any], protocol_version: str) -> bool:
    """Tell whether a result of the schema *output* is put into an object."""
    if protocol_version < MODERN:
        return output.get("type") != "object"
    return validator_of(ArgType(output)).accepts(None)


def wrapping(output: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object that holds *output* under `WRAPPED`; references still lead where they led."""
    inner = _moved(output)
    shared = {key: inner.pop(key) for key in ("$schema", "$defs", "definitions") if key in inner}
    closed = {"type": "object", "properties": {WRAPPED: inner}, "required": [WRAPPED], "additionalProperties": False}
    return {**shared, **closed}


def _moved(node: Any) -> Any:
    if not isinstance(node, Mapping):
        return node
    out = rebuilt(node, lambda child, _: _moved(child))
    ref = out.get("$ref")
    if (
        isinstance(ref, str)
        and (ref == "#" or ref.startswith("#/"))
        and not ref.startswith(("#/$defs/", "#/definitions/"))
    ):
        out["$ref"] = f"#/properties/{WRAPPED}{ref[1:]}"
    return out


def wire_result(run: ToolRun, tool: WireTool, protocol_version: str) -> dict[str, Any]:
    """Return the result of *run* as *protocol_version* writes it.

    Its parts are what the model reads. Problems and repairs stand in ``_meta``, for
    programs; nothing of an undeclared exception is there.
    """
    result: dict[str, Any] = {"content": [part.record() for part in run.parts], "isError": run.is_error}
    structured, output = run.structured, tool.block.output_schema
    if not run.is_error:
        if output is not None and is_wrapped(output, protocol_version):
            result["structuredContent"] = {WRAPPED: structured}
        elif output is not None or isinstance(structured, dict):
            result["structuredContent"] = structured
    if meta := meta_of(run):
        result["_meta"] = meta
    return result


def sendable(value: Any) -> Any:
    """Return *value* as it is where it can be written as JSON in UTF-8, else the nearest that can.

    One lone half of a character pair, or one NaN, would otherwise end the connection.
    What is no JSON is named by its class: what it says of itself is the host's.
    """
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError):
        return _cleaned(value, 0)
    return value


def loggable(value: Any) -> Any:
    """Return *value* as it is where it is JSON of at most `MAX_DEPTH` levels, else the nearest that is."""
    return value if is_json(value) else _cleaned(value, 0)


def _cleaned(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return whole_text(value)
    if value is None or isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, Mapping) and depth < MAX_DEPTH:
        return {_cleaned_key(k): _cleaned(v, depth + 1) for k, v in value.items()}
    if isinstance(value, list | tuple) and depth < MAX_DEPTH:
        return [_cleaned(v, depth + 1) for v in value]
    return str(value) if isinstance(value, float) else f"<{type(value).__name__}>"


def _cleaned_key(key: Any) -> str:
    return whole_text(key) if isinstance(key, str) else str(_cleaned(key, MAX_DEPTH))
