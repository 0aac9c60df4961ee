"""What to say of a value that fits no variant of a union: only what concerns the meant one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .._text import quoted
from ..errors import at
from ..keywords import fixed_values, followed, tag_of, types_of
from ..sentences import missing_key, write_one_of
from .equal import Allowed
from .rules import kinds_of
from .words import either, of_no_choice, wanted

if TYPE_CHECKING:
    from .explain import Walk


def any_of(walk: Walk, node: Any, value: Any, path: str) -> None:
    """Add what is wrong with *value* as one of the variants of *node*."""
    variants = list(node["anyOf"])
    if not any(walk.fits(v, value, path) for v in variants):
        _explain(walk, node, variants, value, path)


def one_of(walk: Walk, node: Any, value: Any, path: str) -> None:
    """Add what is wrong with *value* as exactly one of the variants of *node*."""
    variants = list(node["oneOf"])
    fitting = [v for v in variants if walk.fits(v, value, path)]
    if len(fitting) > 1:
        names = either(wanted(_body(walk, v)) for v in fitting)
        walk.add(path, lambda: ("several_variants", f"{quoted(value, 60)} fits more than one variant: {names}"))
    elif not fitting:
        _explain(walk, node, variants, value, path)


def _explain(walk: Walk, node: Any, variants: list[Any], value: Any, path: str) -> None:
    if isinstance(value, dict) and (tag := _tag(walk.root, node, variants)) is not None:
        variants = _chosen_by_tag(walk, variants, tag, value, path)
        if not variants:
            return  # what is wrong stands at the tag
    plausible = [v for v in variants if _may_be(_body(walk, v), value)]
    if len(plausible) == 1:
        walk.look(plausible[0], value, path, refused=True)
    elif kinds := _only_kinds(walk, variants) if not plausible else ():
        walk.wrong_type(value, kinds, path)
    else:
        names = either(wanted(_body(walk, v)) for v in variants)
        walk.add(path, lambda: ("no_variant", f"{quoted(value)} is not {names}"))


def _only_kinds(walk: Walk, variants: list[Any]) -> tuple[str, ...]:
    """Return the one JSON type of all *variants*, perhaps with null; nothing where they have several."""
    found = dict.fromkeys(k for v in variants for k in _kinds(_body_of(walk, v)) or ("any",))
    return tuple(found) if len(found.keys() - {"null"}) == 1 and "any" not in found else ()


def _tag(root: Any, node: Mapping[str, Any], variants: list[Any]) -> str | None:
    """Return the key whose constants tell the record variants apart, or ``None``."""
    named = node.get("discriminator")
    if named is None and len(variants) < 2:  # noqa: PLR2004 - one variant needs no tag
        return None
    records = [b for b in (followed(root, v) for v in variants) if isinstance(b, Mapping) and "object" in _kinds(b)]
    return tag_of(records, named, repeats=True)


def _kinds(body: Mapping[str, Any]) -> tuple[str, ...]:
    return types_of(body) or (("object",) if "properties" in body else ())


def _body(walk: Walk, node: Any) -> Any:
    return followed(walk.root, node)


def _chosen_by_tag(walk: Walk, variants: list[Any], tag: str, value: dict[str, Any], path: str) -> list[Any]:
    """Return the variants that the tag of *value* means; where it means none, add the problem at the tag."""
    tagged = [(v, own) for v in variants if (own := fixed_values(_body(walk, v), tag))]
    tags = [value for _, own in tagged for value in own]
    where = at(path, tag)
    if tag not in value:
        if not all(tag in _body(walk, v).get("required", ()) for v, _ in tagged):
            return variants
        walk.add(where, lambda: (*missing_key(tag), write_one_of(tags)))
        return []
    chosen = [v for v, own in tagged if value[tag] in Allowed(own)]
    if not chosen:
        walk.add(where, lambda: of_no_choice(value[tag], tags))
    return chosen


def _body_of(walk: Walk, node: Any) -> Mapping[str, Any]:
    body = _body(walk, node)
    return body if isinstance(body, Mapping) else {}


def _may_be(body: Any, value: Any) -> bool:
    """Tell whether *value* has a JSON type that *body* speaks of; all numbers are alike here."""
    if not isinstance(body, Mapping):
        return bool(body)
    kinds = set(types_of(body))
    if "const" in body or "enum" in body:
        values = body.get("enum", [body.get("const")])
        kinds = kinds or {k for v in values for k in kinds_of(v)}
    if kinds & {"integer", "number"}:
        kinds |= {"integer", "number"}
    return not kinds or not kinds.isdisjoint(kinds_of(value))
