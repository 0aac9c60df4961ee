"""Which branch of a union a value fits, without trying one branch for one value twice.

Where a type contains itself, asking the validator at every level of a value
would take longer at each level; here each pair of value and shape is looked
at once. It is an estimate that only chooses branches: whether the whole value
is valid, the validator says.
"""

from __future__ import annotations

from typing import Any

from .leaves import Bad, Num, Raw, holds, number_of, plain
from .shape import Shape

# (value, shape) -> the value, kept so that its id stays its own, and whether it fits
Known = dict[tuple[int, int], tuple[Any, bool]]


def fits(value: Any, shape: Shape, known: Known) -> bool:
    """Tell whether the tree *value* fits *shape* as it is; bare text and faults never do."""
    if not shape.recursive:
        return not holds(value, Raw, Bad) and shape.accepts(plain(value))
    if shape.branches:
        return any(fits(value, branch, known) for branch in shape.branches) or (value is None and shape.nullable)
    if not isinstance(value, dict | list):
        return type(value) not in (Raw, Bad) and shape.accepts(number_of(value) if type(value) is Num else value)
    key = (id(value), id(shape))
    if key not in known:
        known[key] = (value, _members_fit(value, shape, known))
    return known[key][1]


def _members_fit(value: Any, shape: Shape, known: Known) -> bool:
    if shape.options is not None:
        return shape.accepts(plain(value))
    if isinstance(value, dict):
        if ("object" not in shape.types and shape.types) or not shape.required <= value.keys():
            return False
        wanted = [(member, shape.fields.get(key, shape.extra)) for key, member in value.items()]
        return all(part is not None and fits(member, part, known) for member, part in wanted)
    if "array" not in shape.types and shape.types:
        return False
    first = len(shape.prefix)
    parts = [(item, shape.prefix[i] if i < first else shape.element) for i, item in enumerate(value)]
    return all(part is None or fits(item, part, known) for item, part in parts)
