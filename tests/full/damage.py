"""Every damage of every call of the tau collection, and thousands of damages of generated calls.

Run it with ``BLOCKARGS_CASES=… python tests/full/damage.py``; it prints a table and fails on any change.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from blockargs.reply import decode_arguments, decode_reply
from damage import damages, outcome
from strategies import arg_types, values_for


def of_the_collection(found: Counter) -> None:
    """Damage each call, as arguments and as a whole call."""
    data = json.loads((Path(os.environ["BLOCKARGS_CASES"]) / "tau" / "airline.json").read_text(encoding="utf-8"))
    types = {t["function"]["name"]: t["function"]["parameters"] for t in data["tools"]}
    calls = {json.dumps(a, sort_keys=True): a for a in data["actions"] if a["name"] in types}
    for call in calls.values():
        arguments, schema = call["arguments"], {**types[call["name"]], "title": call["name"]}
        for text, decode in (
            (json.dumps(arguments), decode_arguments),
            (json.dumps(call), decode_reply),
        ):
            for kind, damaged in damages(text):
                found["collection", kind, outcome(decode(damaged, schema), arguments)] += 1


def of_generated_calls(found: Counter, calls: int = 400) -> None:
    """Damage calls of drawn types; a damage that leaves valid arguments behind is no damage."""

    @settings(max_examples=calls, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.data(), st.sampled_from([(", ", ": "), (",", ":")]))
    def damage(data, separators):
        arg_type = data.draw(
            arg_types(max_leaves=5).filter(lambda t: t.get("type") == "object" and t.get("properties"))
        )
        value = data.draw(values_for(arg_type))
        for kind, damaged in damages(json.dumps(value, separators=separators), every=3):
            decoded = decode_arguments(damaged, arg_type)
            became = "valid" if decoded.ok and not decoded.notes else outcome(decoded, value)
            found["generated", kind, became] += 1
            if became == "changed":  # what is drawn is not drawn again
                print(f"changed: {damaged!r} to {decoded.value!r} for {arg_type.plain()}")

    damage()


def main() -> None:
    """Print what became of each kind of damage."""
    found: Counter = Counter()
    of_the_collection(found)
    of_generated_calls(found)
    print(f"{'calls':12} {'damage':8} {'restored':>9} {'refused':>9} {'changed':>9}")
    for calls in ("collection", "generated"):
        for kind in ("delete", "double", "cut"):
            row = [found[calls, kind, what] for what in ("restored", "refused", "changed")]
            print(f"{calls:12} {kind:8} " + " ".join(f"{n:9,}" for n in row))
    sys.exit(any(key[2] == "changed" for key in found))


if __name__ == "__main__":
    main()
