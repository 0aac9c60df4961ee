"""Every damage of every call of the tau collection, and thousands of damages of generated calls.

Run it with ``BLOCKARGS_CASES=… python tests/full/damage.py``; it prints a table, and fails on any change, and where
fewer than four of five deletions are restored.
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

from blockargs.node import json_key
from blockargs.reply import decode_arguments, decode_reply
from damage import damages, outcome
from strategies import arg_types, values_for

SEPARATORS = {"spaced": (", ", ": "), "compact": (",", ":")}
KEPT = 0.8  # the part of the deletions that is restored at least, whatever the form


def of_the_collection(found: Counter) -> None:
    """Damage each call, as arguments and as a whole call."""
    data = json.loads((Path(os.environ["BLOCKARGS_CASES"]) / "tau" / "airline.json").read_text(encoding="utf-8"))
    types = {t["function"]["name"]: t["function"]["parameters"] for t in data["tools"]}
    calls = {json.dumps(a, sort_keys=True): a for a in data["actions"] if a["name"] in types}
    for call in calls.values():
        arguments, schema = call["arguments"], {**types[call["name"]], "title": call["name"]}
        for how, separators in SEPARATORS.items():
            for what, sent, decode in (("arguments", arguments, decode_arguments), ("call", call, decode_reply)):
                for kind, damaged in damages(json.dumps(sent, separators=separators)):
                    found[f"{what}, {how}", kind, outcome(decode(damaged, schema), arguments)] += 1


def of_generated_calls(found: Counter, calls: int = 400) -> None:
    """Damage calls of drawn types; a damage that leaves valid arguments behind is no damage."""

    @settings(max_examples=calls, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.data(), st.sampled_from([*SEPARATORS.values()]))
    def damage(data, separators):
        arg_type = data.draw(
            arg_types(max_leaves=5).filter(lambda t: t.get("type") == "object" and t.get("properties"))
        )
        value = data.draw(values_for(arg_type))
        for kind, damaged in damages(json.dumps(value, separators=separators), every=3):
            decoded = decode_arguments(damaged, arg_type)
            became = "valid" if decoded.ok and _is_as_sent(decoded, damaged) else outcome(decoded, value)
            found["generated", kind, became] += 1
            if became == "changed":  # what is drawn is not drawn again
                print(f"changed: {damaged!r} to {decoded.value!r} for {arg_type.plain()}")

    damage()


def _is_as_sent(decoded, damaged: str) -> bool:
    """Tell whether the damage left valid arguments behind, and these are what was decoded."""
    if decoded.notes:
        return False
    try:
        return json_key(decoded.value) == json_key(json.loads(damaged))
    except ValueError:
        return False


def main() -> None:
    """Print what became of each kind of damage."""
    found: Counter = Counter()
    of_the_collection(found)
    of_generated_calls(found)
    print(f"{'calls':20} {'damage':8} {'restored':>9} {'refused':>9} {'changed':>9}")
    failed = any(key[2] == "changed" for key in found)
    for calls in dict.fromkeys(key[0] for key in found):
        for kind in ("delete", "double", "cut"):
            row = [found[calls, kind, what] for what in ("restored", "refused", "changed")]
            print(f"{calls:20} {kind:8} " + " ".join(f"{n:9,}" for n in row))
            failed |= kind == "delete" and calls != "generated" and row[0] < KEPT * sum(row)
    sys.exit(failed)


if __name__ == "__main__":
    main()
