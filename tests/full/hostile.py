"""Time and memory on hostile text: families of it, from 1 kB to 1 MB, as ratios of growth.

Run it with ``python tests/full/hostile.py``. Each family is decoded at four
sizes; growth is the time per character at the largest size over that at the
second smallest, and stays near 1 where the work is linear. Times are of the
processor, their limits are stretched for a slower machine, and what is past a
limit is measured twice more: whatever else runs may take the caches meanwhile.
"""

from __future__ import annotations

import json
import random
import sys
import time
import tracemalloc
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from blockargs.reply import decode_arguments, decode_reply
from blockargs.types import arg_array, arg_enum, arg_integer, arg_json_object, arg_object, arg_string, arg_union
from speed import slowness

ITEM = arg_object(sku=arg_string(), qty=arg_integer(), kind=arg_enum(["new", "used"]))
NUMBERS = arg_array(arg_integer())
EITHER = arg_union(arg_object(a=NUMBERS), arg_object(b=NUMBERS), arg_object(banner=NUMBERS))
TYPE = arg_object(
    city=arg_string(),
    days=arg_integer(),
    items=arg_array(ITEM, required=False),
    free=arg_json_object(required=False),
    either=arg_union(EITHER, arg_array(EITHER), required=False),
)
END = '{"city": "Oslo", "days": 3}'
SIZES = (1_000, 10_000, 100_000, 1_000_000)


def filled(piece: str, size: int, before: str = "", after: str = "") -> str:
    """Return *piece* repeated to *size* characters, between two texts."""
    return before + piece * (max(size - len(before) - len(after), 0) // len(piece)) + after


def dense(size: int, damage: str) -> str:
    """Return a long list of records, as JSON with one fault of the given kind."""
    record = '{"sku": "A-1", "qty": 2, "kind": "new"}'
    body = ", ".join([record] * max(size // (len(record) + 2), 2))
    text = f'{{"city": "Oslo", "days": 3, "items": [{body}]}}'
    return {
        "comma": text[:-2] + ",]}",
        "quotes": text.replace('"', "'"),
        "keys": text.replace('"sku"', "sku").replace('"qty"', "qty"),
        "styled": text.replace('"sku"', '"SKU"').replace('"new"', '"NEW"'),
        "texts": text.replace(": 2", ': "2"'),
        "cut": text[: -len(record) // 2],
    }[damage]


def union(item: str, size: int, damage: str) -> str:
    """Return a long list inside a record of a union, as JSON with one fault of the given kind."""
    return ended(filled(item, size, '{"city": "Oslo", "days": 3, "either": {"b": [', "1]}"), damage)


def unions(size: int, damage: str) -> str:
    """Return a long list of records of a union, as `union` does."""
    return ended(filled('{"b": [1, 2]}, ', size, '{"city": "Oslo", "days": 3, "either": [', '{"b": [1]}]'), damage)


def ended(text: str, damage: str) -> str:
    """Return the object that begins with *text*, with one fault of the given kind at its end."""
    return text + {"": "}", " cut": "", " comma": ",,}", " wrong": ', "day": 3}'}[damage]


def noise(size: int) -> str:
    """Return characters that mean something to a parser, in no order."""
    rng = random.Random(7)
    return "".join(rng.choices("{}[]\":,\\'ab1 \n", k=size))


FAMILIES = {
    "prose": lambda n: filled("Step: fill {slot} and [ref 3], see 'notes'. ", n, after=END),
    "open braces": lambda n: filled("{", n),
    "open brackets": lambda n: filled("[", n),
    "braces and brackets": lambda n: filled("{[", n),
    "pairs": lambda n: filled("{}[]", n),
    "quotes": lambda n: filled('"', n),
    "quoted start": lambda n: filled('{"', n),
    "broken starts": lambda n: filled('{"zz": ', n),
    "declared starts": lambda n: filled('{"city": ', n),
    "keys without values": lambda n: filled('{"a", ', n),
    "quotes in a text": lambda n: filled('x"y ', n, '{"city": "', '", "days": 3}'),
    "open text": lambda n: filled("lorem ipsum ", n, '{"city": "'),
    "backslashes": lambda n: filled("\\", n, '{"city": "', '", "days": 3}'),
    "escaped quotes": lambda n: filled('\\"', n, '{"city": "', '", days: 3}'),
    "comments": lambda n: filled("/* ", n, '{"city": 1 '),
    "white space": lambda n: filled(" ", n, '{"city"', ': "Oslo", "days": 3,}'),
    "small objects": lambda n: filled('{"zz": 1} ', n, after=END),
    "dense, same key": lambda n: filled('"city": "Oslo", ', n, "{", '"days": 3}'),
    "dense, unknown keys": lambda n: "{" + ", ".join(f'"k{i}": {i}' for i in range(n // 12)) + ",}",
    "python calls": lambda n: filled("city(", n) + filled("(a=1)", n),
    "tags": lambda n: filled("<function=f><parameter=city>", n),
    "thinking": lambda n: filled("<think>", n) + END,
    "noise": noise,
    **{f"dense, {d}": (lambda n, d=d: dense(n, d)) for d in ("comma", "quotes", "keys", "styled", "texts", "cut")},
    **{f"dense, union{d}": (lambda n, d=d: union("1, ", n, d)) for d in ("", " cut", " comma", " wrong")},
    **{f"dense, unions{d}": (lambda n, d=d: unions(n, d)) for d in ("", " cut", " comma", " wrong")},
    "dense, unions texts": lambda n: ended(
        filled('{"b": [1, "2"]}, ', n, '{"city": "Oslo", "days": 3, "either": [', '{"b": [1]}]'), ""
    ),
    "dense, action starts": lambda n: filled('Action: city\nAction Input: {"city": \n', n),
    "dense, named starts": lambda n: filled('city\n{"city":', n),
    "dense, fenced starts": lambda n: filled('```\n{"city":"a"\n```\n', n),
    "dense, tagged starts": lambda n: filled('<function=city>{"city":', n),
    "dense, smart quotes": lambda n: filled("“city”: “a”, ", n, "{", "“days”: 3}"),
    "dense, bare words": lambda n: filled("city: a, ", n, "{", "days: 3}"),
    "dense, calls": lambda n: "".join(f'{{"city": "{i}", "days": {i}}} ' for i in range(n // 32)),
    "dense, Python calls": lambda n: "".join(f"city(days={i})\n" for i in range(n // 16)),
    "text in text": lambda n: json.dumps({"city": "Oslo", "days": 3, "items": dense(n, "texts")[37:-1]}),
}


def measured(text: str, decode) -> float:
    """Return the seconds of processor time that *decode* takes for *text*."""
    start = time.process_time()
    decode(text, TYPE)
    return time.process_time() - start


def memory(text: str, decode) -> float:
    """Return the peak of memory over the length of *text*."""
    tracemalloc.start()
    decode(text, TYPE)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / len(text)


# 60,000 records, each of which is mended before its branch is known; 20,000 calls that break off; 110,000 members,
# each of which is mended
SLOWER = {
    "dense, unions texts": 2.0,
    "dense, action starts": 2.5,
    "dense, named starts": 2.5,
    "dense, fenced starts": 2.5,
    "dense, smart quotes": 1.5,
    "dense, bare words": 4.0,
}


def _seconds(family: str) -> float:
    """Return how long a megabyte of *family* may take."""
    if family in SLOWER:
        return SLOWER[family]
    return 1.0 if family.startswith(("dense", "text in")) else 0.15


def timed(texts: list[str], decode, limit: float) -> tuple[list[float], float, bool]:
    """Return the seconds for each of *texts*, their growth, and whether both keep to the limits."""
    times = [min(measured(t, decode) for _ in range(3 if len(t) < 200_000 else 1)) for t in texts]
    for again in (True, True, False):
        growth = (times[3] / len(texts[3])) / max(times[1] / len(texts[1]), 2e-8)
        in_time = times[3] <= limit and growth <= 3
        if in_time or not again:
            break
        times = [*times[:3], min(times[3], measured(texts[3], decode))]
    return times, growth, in_time


def main() -> None:
    """Print a row a family: milliseconds at each size, growth, memory; exit 1 past the limits."""
    failed = []
    slower = slowness()
    print(f"{'family':24} {'1 kB':>8} {'10 kB':>8} {'100 kB':>8} {'1 MB':>8} {'growth':>7} {'memory':>7}")
    for name, made in FAMILIES.items():
        for decode in (decode_arguments, decode_reply):
            texts = [made(size) for size in SIZES]
            limit = slower * _seconds(name)
            times, growth, in_time = timed(texts, decode, limit)
            peak = memory(texts[3], decode)
            shown = " ".join(f"{t * 1000:8.2f}" for t in times)
            print(f"{name:24} {shown} {growth:7.2f} {peak:6.1f}x  {decode.__name__}")
            if not in_time or peak > (90 if name.startswith("dense, unions") else 60):  # 70,000 records in 1 MB
                failed.append(f"{name} ({decode.__name__})")
    print("past a limit:", ", ".join(failed) or "none")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
