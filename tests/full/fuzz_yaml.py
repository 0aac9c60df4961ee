"""Ten thousand damaged declarations: each ends in blocks or in a problem with a line, in bounded time and memory.

Run it as a script; it exits with 1 when one does not, and shows it.
"""

from __future__ import annotations

import random
import re
import sys
import time
import tracemalloc
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from blockargs.declare import read_declarations
from blockargs.errors import InvalidDeclarationError
from speed import slowness

BASE = """\
# a file to be damaged
head_block:
  name: Head
  description: "Keep the first rows: no more."
  keywords: [rows, first, 'last one']
  timeout: 1.5
  details: |-
    A text of
      several lines.
  arguments:
    n: {description: How many., example: 5, type: integer, default: 6}
    direction:
      type: enum(head|tail)
      example: tail
    conditions:
      type:
        type: array
        items: &record
          type: object
          properties:
            column: {type: string}
            op: {type: string, enum: ["==", '<=']}
          required: [column]
          additionalProperties: false
      example:
        - {column: a, op: "=="}
        - column: b
    more: A description.
  examples:
    - {n: 3, direction: head}
    - conditions: []
merge_block:
  name: Merge
  constructor: "some.module:Merge"
  annotations: {read_only: true}
  arguments:
    by: {type: "string[]", example: [a]}
    record: {type: *record}
"""
SPLICES = [
    "\n", "\t", " ", ": ", "- ", "? ", "#", "'", '"', "|", ">", "&a ", "*a", "!", "!!int ", "!!python/object:os.system ",
    "[", "]", "{", "}", ",", "<<: *record", "---\n", "...\n", "%YAML 1.1\n---\n", "%TAG ! x\n", "\ufeff", "\x00", "\x07",
    "\x85", "\u2028", "\ud800", "\U0001f600", "~", "yes", "null: ", "1: ", "9" * 5_000, "1e999", "0x1F", ".inf", "12:30:45",
    "object{a: string", "enum(||)", "integer" + "[]" * 300, "(" * 300, "[" * 3_000, "- " * 3_000, "{a: " * 300, "x" * 20_000,
    "{type: array, items: " * 60, "{$ref: '#'}", "{pattern: '(a+)+$'}", "{$ref: 'http://example.com'}",
    "\n".join(["z0: &z0 [x]"] + [f"z{i}: &z{i} [{', '.join([f'*z{i - 1}'] * 9)}]" for i in range(1, 12)]) + "\n",
]  # fmt: skip
SECONDS = 2.0 * slowness()  # of work for one file
BYTES = 400 * 1024 * 1024  # for one file


class Mutator:
    """Gives damaged texts, the same for the same *seed*."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def text(self) -> str:
        """Return the next one."""
        text = BASE
        for _ in range(self.random.choice([1, 1, 2, 3, 6])):
            text = self.random.choice([self.flipped, self.spliced, self.moved, self.cut, self.indented])(text)
        return text

    def place(self, text: str) -> int:
        return self.random.randint(0, len(text))

    def flipped(self, text: str) -> str:
        """Change a bit of a byte."""
        raw = bytearray(text.encode("utf-8", "surrogatepass"))
        if raw:
            raw[self.random.randrange(len(raw))] ^= 1 << self.random.randrange(8)
        return raw.decode("utf-8", "surrogateescape")

    def spliced(self, text: str) -> str:
        """Put something strange somewhere, as often to the start of a line."""
        at = self.place(text)
        if self.random.random() < 0.5:
            at = text.rfind("\n", 0, at) + 1
        return text[:at] + self.random.choice(SPLICES) + text[at:]

    def moved(self, text: str) -> str:
        """Copy a piece of it to another place."""
        start = self.place(text)
        piece = text[start : start + self.random.randint(1, 80)]
        at = self.place(text)
        return text[:at] + piece + text[at:]

    def cut(self, text: str) -> str:
        """Leave a piece out."""
        start = self.place(text)
        return text[:start] + text[start + self.random.randint(1, 40) :]

    def indented(self, text: str) -> str:
        """Move a line to the left or right."""
        lines = text.split("\n")
        index = self.random.randrange(len(lines))
        lines[index] = " " + lines[index] if self.random.random() < 0.5 else lines[index].removeprefix("  ")
        return "\n".join(lines)


def verdict(text: str) -> str:
    """Return ``"read"``, ``"refused"``, or what went wrong with *text*."""
    started = time.process_time()
    try:
        read_declarations(text, file="x.yml")
        found = "read"
    except InvalidDeclarationError as error:
        lines = [re.match(r"x\.yml:[1-9][0-9]*: ", str(p)) for p in error.problems]
        found = "refused" if lines and all(lines) else f"no line: {error}"
    except Exception as error:  # the very thing that is looked for
        found = f"{type(error).__name__}: {error}"
    seconds = time.process_time() - started
    return found if seconds < SECONDS else f"{seconds:.1f} s"


def main(count: int = 10_000, seed: int = 0) -> int:
    """Damage *count* files; return the exit code."""
    mutator = Mutator(seed)
    tally: dict[str, int] = {}
    tracemalloc.start()
    for number in range(count):
        text = mutator.text()
        tracemalloc.reset_peak()
        found = verdict(text)
        if tracemalloc.get_traced_memory()[1] > BYTES:
            found = f"{tracemalloc.get_traced_memory()[1]} bytes"
        tally[found] = tally.get(found, 0) + 1
        if found not in ("read", "refused"):
            Path(f"fuzz-{number}.yml").write_text(text, encoding="utf-8", errors="surrogatepass")
            print(f"file {number} (kept as fuzz-{number}.yml): {found}")
    print(", ".join(f"{n} {what}" for what, n in sorted(tally.items())))
    return int(set(tally) - {"read", "refused"} != set())


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
