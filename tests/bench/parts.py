"""Single parts beside the library that does the same: validating, YAML, tolerant JSON."""

from __future__ import annotations

import json
import statistics
import tracemalloc
from collections.abc import Iterator
from typing import Any, Literal, TypedDict

from clock import best, once
from measure import Row, alone, beside, ms


def record(properties: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    """Return a closed record; all fields are required unless *required* says which."""
    needed = list(properties) if required is None else required
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}


TEXT, WHOLE, NUMBER, FLAG = ({"type": kind} for kind in ("string", "integer", "number", "boolean"))
ROW = record({"id": WHOLE, "name": TEXT, "weight": NUMBER, "tags": {"type": "array", "items": TEXT}})
ROWS = [{"id": i, "name": f"n{i}", "weight": i / 2, "tags": ["x", "y"]} for i in range(20)]
CONDITION = record({"column": TEXT, "value": TEXT})
# a schema, a value that fits and one that does not
SCHEMAS: dict[str, tuple[dict[str, Any], Any, Any]] = {
    "bounded integer": ({"type": "integer", "minimum": 0, "maximum": 1000}, 42, 1001),
    "bounded text": ({"type": "string", "minLength": 1, "maxLength": 50}, "héllo wörld", ""),
    "number": (NUMBER, 2.5, "2.5"),
    "boolean": (FLAG, True, 1),
    "enum": ({"type": "string", "enum": ["left", "right", "inner", "outer"]}, "inner", "innerr"),
    "50 integers": ({"type": "array", "items": WHOLE}, list(range(50)), [*range(49), "49"]),
    "flat record": (
        record({"n": WHOLE, "label": TEXT, "ratio": NUMBER, "strict": FLAG}),
        {"n": 5, "label": "x", "ratio": 0.5, "strict": False},
        {"n": 5, "label": "x", "ratio": "half", "strict": False},
    ),
    "nested record": (
        record(
            {"conditions": {"type": "array", "items": CONDITION}, "operator": {"type": "string", "enum": ["&", "|"]}}
        ),
        {"conditions": [{"column": "a", "value": "1"}, {"column": "b", "value": "2"}], "operator": "&"},
        {"conditions": [{"column": "a", "value": "1"}, {"column": "b"}], "operator": "&"},
    ),
    "nullable and map": (
        record(
            {"name": {"anyOf": [TEXT, {"type": "null"}]}, "counts": {"type": "object", "additionalProperties": WHOLE}}
        ),
        {"name": None, "counts": {"a": 1, "b": 2}},
        {"name": None, "counts": {"a": 1, "b": "2"}},
    ),
    "20 nested rows": (
        record({"label": TEXT, "flags": {"type": "array", "items": FLAG}, "rows": {"type": "array", "items": ROW}}),
        {"label": "x", "flags": [True, False], "rows": ROWS},
        {"label": "x", "flags": [True, False], "rows": [*ROWS[:19], {**ROWS[0], "tags": ["x", 5]}]},
    ),
}


def validators() -> Iterator[Row]:
    """Validate values that fit and values that do not, beside jsonschema."""
    from jsonschema import Draft202012Validator

    from blockargs import arg_schema, problems_in
    from blockargs.validate import validator_of

    ratios = []
    for name, (schema, fits, not_) in SCHEMAS.items():
        ours, theirs = validator_of(arg_schema(schema)), Draft202012Validator(schema)
        if not ours.accepts(fits) or ours.accepts(not_) or not problems_in(not_, arg_schema(schema)):
            raise SystemExit(f"{name}: the verdicts differ")
        mine, other = best(ours.accepts, fits), best(theirs.is_valid, fits)
        ratios.append(other / mine)
        yield beside(f"validate: {name}", mine, "jsonschema", other, "", holds=True)
    mean = statistics.geometric_mean(ratios)
    yield alone("validate, ten schemas, geometric mean", f"{mean:.0f} × as fast", "≥ 25 × jsonschema", mean >= 25)
    for name, most in (("flat record", 60e-6), ("nested record", 250e-6)):
        schema, _, not_ = SCHEMAS[name]
        ours, theirs = validator_of(arg_schema(schema)), Draft202012Validator(schema)
        mine = best(ours.problems, not_)
        other = best(lambda: list(theirs.iter_errors(not_)))
        yield beside(f"explain: {name}", mine, "jsonschema", other, f"≤ {ms(most)}", mine <= most)


def flat(how: Literal["left", "right", "inner", "outer"], n: int, label: str = "x", strict: bool = False) -> str:
    """Make a call of scalars."""
    return label


class Condition(TypedDict):
    """One condition."""

    column: str
    value: str


def nested(conditions: list[Condition], operator: Literal["&", "|"]) -> str:
    """Make a call of records."""
    return operator


# what is refused: the function, its wrong arguments, where they are wrong, and the goal in seconds
REFUSED: dict[str, tuple[Any, dict[str, Any], str, float]] = {
    "flat, no such choice": (flat, {"how": "middle", "n": 5}, "$.how", 60e-6),
    "flat, wrong type": (flat, {"how": "left", "n": "many"}, "$.n", 60e-6),
    "flat, missing": (flat, {"n": 5, "label": "x"}, "$.how", 60e-6),
    "nested": (
        nested,
        {"conditions": [{"column": "a", "value": "1"}, {"column": "b"}], "operator": "&"},
        "$.conditions[1].value",
        250e-6,
    ),
}


def refusals() -> Iterator[Row]:
    """Refuse a wrong call through `Toolset.run`, its arguments a dict and a text."""
    from blockargs import Toolset

    for name, (function, arguments, path, most) in REFUSED.items():
        toolset = Toolset([function])
        for form, given in (("a dict", arguments), ("a text", json.dumps(arguments))):
            call = {"name": function.__name__, "arguments": given}
            if [p.path for p in toolset.run(call).problems] != [path]:
                raise SystemExit(f"{name}: the path is not named")
            seconds = best(toolset.run, call, repeat=40)
            yield alone(f"refuse: {name}, {form}", ms(seconds), f"≤ {ms(most)}", seconds <= most)


def documents() -> Iterator[Row]:
    """Read a thousand declarations, beside PyYAML's own loaders."""
    import yaml

    from blockargs import load_registry, read_declarations, write_declarations

    ordinary = [block for block in load_registry().values() if block.uid != "filter_block"]  # of about 1 kB each
    stories = yaml.safe_load(write_declarations(ordinary))
    many = {f"{uid}_{i}": json.loads(json.dumps(entry)) for i in range(250) for uid, entry in stories.items()}
    text = yaml.safe_dump(many, sort_keys=False)
    cold, blocks = once(lambda: read_declarations(text))
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    other, _ = once(lambda: yaml.load(text, Loader=loader))
    yield beside(
        f"read {len(blocks):,} declarations of {len(text) // 1024:,} kB",
        cold,
        "PyYAML in C",
        other,
        "≤ 0.5 s",
        cold <= 0.5,
    )


ORDINARY = """Sure! Here is the call:

```json
{"conditions": [{"column": "a", "value": "1"}, {"column": "b", "value": "2",}], 'operator': "&",}
```
Hope it helps."""
HOSTILE = {
    "brackets": "[" * 2**20,
    "quotes": '"' * 2**20,
    "broken starts": '{"a": ' * (2**20 // 6),
    "prose with braces": "if {x} then [y], ok? " * (2**20 // 21),
    "fences": "```json\n" * (2**20 // 8),
}


def replies() -> Iterator[Row]:
    """Read what a model sent, damaged or hostile, beside json_repair."""
    import json_repair

    from blockargs import arg_schema, decode_reply

    schema = arg_schema(SCHEMAS["nested record"][0])
    if not decode_reply(ORDINARY, schema).ok:
        raise SystemExit("the ordinary damaged reply is not read")
    mine, other = best(decode_reply, ORDINARY, schema), best(json_repair.loads, ORDINARY)
    yield beside("a damaged reply of ordinary size", mine, "json_repair", other, "≤ 150 µs", mine <= 150e-6)
    for name, text in HOSTILE.items():
        seconds, decoded = once(lambda: decode_reply(text, schema))
        shown = f"{ms(seconds)}, {'accepted' if decoded.ok else 'refused'}"
        yield alone(f"1 MB of {name}", shown, "≤ 150 ms, refused", seconds <= 0.15 and not decoded.ok)
    yield from dense()


def dense() -> Iterator[Row]:
    """A megabyte of JSON with a fault in it: time, and memory by the byte."""
    from blockargs import arg_schema, decode_reply

    rows = [{"id": i, "name": f"n{i}", "weight": i / 2, "tags": ["x", "y"]} for i in range(16_000)]
    text = json.dumps({"rows": rows})[: 2**20]
    text = text[: text.rindex("}")] + ",}]}"
    schema = arg_schema(record({"rows": {"type": "array", "items": ROW}}))
    seconds, decoded = once(lambda: decode_reply(text, schema))
    shown = f"{ms(seconds)}, {'read' if decoded.ok else 'refused'}"
    yield alone(f"{len(text) / 2**20:.1f} MB of dense JSON, damaged", shown, "≤ 1 s", seconds <= 1)
    tracemalloc.start()
    decode_reply(text, schema)
    peak = tracemalloc.get_traced_memory()[1] / len(text)
    tracemalloc.stop()
    yield alone("… memory, peak", f"{peak:.0f} × the text", "≤ 60 ×", peak <= 60)
