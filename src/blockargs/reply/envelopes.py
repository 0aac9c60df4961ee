"""A call around its arguments: the forms providers and models write it in, one row each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .leaves import Bad, Num, Raw
from .names import fold

NAME_KEYS = ("name", "tool", "tool_name", "toolName", "function", "function_name", "action", "recipient_name")
ARGUMENT_KEYS = (
    "arguments", "args", "parameters", "params", "input", "action_input", "kwargs", "tool_input", "tool_parameters"
)  # fmt: skip
NOISE = frozenset("id type index call_id tool_call_id toolUseId tool_use_id jsonrpc status role thought caller".split())
# keys of an object around the arguments that name no tool; any other name may be that of another one
CARRIERS = frozenset(
    "arguments args argument input inputs data params parameters kwargs payload body value values properties request "
    "actioninput toolinput toolparameters functionargs functionarguments functionparameters".split()
)
MISSING: Any = object()


@dataclass(frozen=True, slots=True)
class Call:
    """A call as a reply writes it.

    Attributes:
        name: The tool's name as written; ``""`` when it names none.
        arguments: The tree, or text, of its arguments; `MISSING` when there are none.
        keys: The keys of the object that is undone.
        path: Where the arguments stand in it.
        id: The call's id.
        named_at: Where the name stands.
    """

    name: str
    arguments: Any
    keys: frozenset[str]
    path: str = "$"
    id: str = ""
    named_at: str = "$"


def call_in(tree: Any) -> Call | None:
    """Return the call that the object *tree* is by its form alone."""
    if not isinstance(tree, dict) or _KEYS.isdisjoint(tree):
        return None
    if _WRAPPERS.isdisjoint(tree):  # nearly every call: only the last row can be meant
        return named_call(tree)
    for row in ENVELOPES:
        if (found := row(tree)) is not None:
            return found
    return None


_ID_KEYS = ("id", "call_id", "toolUseId", "tool_use_id")


def _only(tree: Mapping[str, Any], *keys: str) -> bool:
    for key in tree:  # noqa: SIM110 - a generator costs more than the check
        if key not in keys and key not in NOISE:
            return False
    return True


def _first(keys: tuple[str, ...], tree: Mapping[str, Any]) -> str | None:
    """Return the first of *keys* that *tree* has."""
    for key in keys:
        if key in tree:
            return key
    return None


def _text(value: Any) -> str:
    return value if isinstance(value, str) and not isinstance(value, Num | Raw) else ""


def _id(tree: Mapping[str, Any]) -> str:
    for key in _ID_KEYS:
        if key in tree and (written := _text(tree[key])):
            return written
    return ""


def _call(name: Any, arguments: Any, tree: Mapping[str, Any], path: str, named_at: str, id_: str = "") -> Call | None:
    if not _text(name):
        return None
    return Call(str(name), arguments, frozenset(tree), path, id_ or _id(tree), named_at)


def _wrapped(key: str, wrapper: Any, tree: dict[str, Any], *others: str) -> Call | None:
    """Return the call ``{key: {name, arguments}}``."""
    if not isinstance(wrapper, dict) or not _only(tree, key, *others) or not _only(wrapper, "name", *ARGUMENT_KEYS):
        return None
    inside = next((k for k in ARGUMENT_KEYS if k in wrapper), None)
    if inside is None and "name" not in wrapper:
        return None
    arguments = MISSING if inside is None else wrapper[inside]
    return _call(wrapper.get("name"), arguments, tree, f"$.{key}.{inside}", f"$.{key}.name", _id(wrapper))


def openai_call(tree: dict[str, Any]) -> Call | None:
    """``{id, type, function: {name, arguments}}``."""
    return _wrapped("function", tree.get("function"), tree)


def gemini_call(tree: dict[str, Any]) -> Call | None:
    """``{functionCall: {name, args}}``."""
    key = next((k for k in ("functionCall", "function_call") if k in tree), "")
    return _wrapped(key, tree.get(key), tree, "thoughtSignature", "thought_signature") if key else None


def bedrock_call(tree: dict[str, Any]) -> Call | None:
    """``{toolUse: {toolUseId, name, input}}``."""
    return _wrapped("toolUse", tree.get("toolUse"), tree)


def mcp_call(tree: dict[str, Any]) -> Call | None:
    """``{method: "tools/call", params: {name, arguments}}``."""
    if tree.get("method") != "tools/call":
        return None
    return _wrapped("params", tree.get("params"), tree, "method")


def one_of_a_list(tree: dict[str, Any]) -> Call | None:
    """``{tool_calls: [one call]}``."""
    calls = tree.get("tool_calls")
    if not isinstance(calls, list) or len(calls) != 1 or not _only(tree, "tool_calls", "content"):
        return None
    inner = call_in(calls[0])
    if inner is None:
        return None
    base = "$.tool_calls[0]"
    return Call(
        inner.name, inner.arguments, frozenset(tree), base + inner.path[1:], inner.id, base + inner.named_at[1:]
    )


def named_call(tree: dict[str, Any]) -> Call | None:
    """``{name: N, arguments: {…}}`` in any of its spellings; the arguments may be text or null."""
    name_key, inside = _first(NAME_KEYS, tree), _first(ARGUMENT_KEYS, tree)
    if name_key is None or inside is None or not _only(tree, name_key, inside):
        return None
    arguments = tree[inside]
    if arguments is not None and not isinstance(arguments, dict | str | Bad):
        return None
    return _call(tree[name_key], arguments, tree, f"$.{inside}", f"$.{name_key}")


ENVELOPES: tuple[Callable[[dict[str, Any]], Call | None], ...] = (
    openai_call,
    gemini_call,
    bedrock_call,
    mcp_call,
    one_of_a_list,
    named_call,
)

# each of them has one of these keys, and all but the last row one of the wrappers
_WRAPPERS = frozenset({"function", "functionCall", "function_call", "toolUse", "method", "tool_calls"})
_KEYS = _WRAPPERS.union(NAME_KEYS)


def lone_name(tree: Any) -> Call | None:
    """Return the call ``{N: {…}}``, whose only key names the tool, or ``{name: N}`` without arguments."""
    if not isinstance(tree, dict):
        return None
    if len(tree) == 1:
        key, value = next(iter(tree.items()))
        if isinstance(value, dict):
            return Call(key, value, frozenset(tree), f"$.{key}")
    name_key = next((k for k in NAME_KEYS if k in tree), None)
    if name_key is not None and _only(tree, name_key) and _text(tree[name_key]):
        return Call(tree[name_key], MISSING, frozenset(tree), "$", _id(tree), f"$.{name_key}")
    return None


def carries(key: str) -> bool:
    """Tell whether a lone *key* only holds arguments, and is no tool's name."""
    return key.startswith("$") or fold(key) in CARRIERS


def calls_in(tree: Any) -> list[Any]:
    """Return the single calls of a list of them, ``{tool_calls: […]}`` included; *tree* itself otherwise."""
    if (
        isinstance(tree, dict)
        and isinstance(calls := tree.get("tool_calls"), list)
        and _only(tree, "tool_calls", "content")
    ):
        return list(calls)
    if isinstance(tree, list) and tree and all(isinstance(one, dict) for one in tree):
        return list(tree)
    return [tree]
