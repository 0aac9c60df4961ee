"""Functions as users write them: typed, documented, each with one right and one wrong call.

`functions(n)` is the same every time. The module it makes imports nothing but
typing and dataclasses, so that every library can register its functions.
"""

from __future__ import annotations

import importlib
import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VERBS = "load filter join sort group plot fit score export merge split sample clean parse render stack".split()
NOUNS = "rows table model chart column series frame cohort batch report image region signal token window panel".split()
WORDS = (
    "upstream selected optional numeric primary trailing active global narrow wide local pending fixed dense".split()
)
ARGUMENTS = (
    "path columns limit ratio label mode strict seed window weights options target threshold prefix tags".split()
)
CHOICES = ["left", "right", "inner", "outer"]
HEAD = """from dataclasses import dataclass
from typing import Literal
from typing_extensions import TypedDict


class Settings(TypedDict):
    \"\"\"Settings of a step.\"\"\"

    width: int
    label: str


@dataclass
class Part:
    \"\"\"A part of a chart.\"\"\"

    name: str
    share: float
    tags: list[str]

"""
# annotation, a default, a right value, a wrong one and where the fault lies
KINDS: tuple[tuple[str, str, Any, Any, str], ...] = (
    ("str", "'auto'", "héllo", {"nope": []}, ""),
    ("int", "10", 42, "forty", ""),
    ("float", "1.0", 0.25, [], ""),
    ("bool", "True", False, "perhaps", ""),
    ("Literal['left', 'right', 'inner', 'outer']", "'left'", "inner", "zzz", ""),
    ("list[str]", "None", ["a", "b"], ["a", {"nope": 1}], "[1]"),
    ("list[float]", "None", [0.5, 1.5], [0.5, {"nope": 1}], "[1]"),
    ("dict[str, int]", "None", {"k": 1}, "no map", ""),
    ("Settings", "None", {"width": 3, "label": "x"}, {"width": 3}, ".label"),
    (
        "list[Part]",
        "None",
        [{"name": "a", "share": 0.5, "tags": ["x"]}],
        [{"name": "a", "share": "?", "tags": []}],
        "[0].share",
    ),
)


@dataclass(frozen=True, slots=True)
class Subject:
    """One function with its calls."""

    function: Callable[..., Any]
    right: dict[str, Any]
    wrong: dict[str, Any]
    path: str  # of the one fault in `wrong`

    @property
    def name(self) -> str:
        """The name it is registered under."""
        return self.function.__name__


def functions(n: int) -> list[Subject]:
    """Return *n* functions, the same every time."""
    chance = random.Random(n)
    written = [_written(chance, i) for i in range(n)]
    folder = Path(tempfile.mkdtemp())
    name = f"bench_corpus_{n}"
    (folder / f"{name}.py").write_text(HEAD + "\n\n".join(text for text, *_ in written), encoding="utf-8")
    sys.path.insert(0, str(folder))
    module = importlib.import_module(name)
    return [Subject(getattr(module, called), right, wrong, path) for _, called, right, wrong, path in written]


def _written(chance: random.Random, i: int) -> tuple[str, str, dict[str, Any], dict[str, Any], str]:
    called = f"{chance.choice(VERBS)}_{chance.choice(NOUNS)}_{i}"
    names = chance.sample(ARGUMENTS, chance.randint(2, 6))
    kinds = chance.choices(KINDS, [5, 5, 4, 3, 4, 3, 2, 1, 2, 1], k=len(names))
    required, optional, right, about = [], [], {}, []
    for j, (name, (annotation, default, value, _, _)) in enumerate(zip(names, kinds, strict=True)):
        if j == 0 or chance.random() < 0.55:
            required.append(f"{name}: {annotation}")
        else:
            optional.append(f"{name}: {annotation}{' | None' if default == 'None' else ''} = {default}")
        right[name] = value
        about.append(f"        {name}: The {chance.choice(WORDS)} {name} of the {chance.choice(NOUNS)}.")
    spoilt = chance.randrange(len(names))
    wrong = {**right, names[spoilt]: kinds[spoilt][3]}
    text = (
        f"def {called}({', '.join(required + optional)}) -> str:\n"
        f'    """{called.rsplit("_", 1)[0].replace("_", " ").capitalize()} for the {chance.choice(WORDS)} {chance.choice(NOUNS)}.\n\n'
        f"    Uses the {chance.choice(WORDS)} {chance.choice(NOUNS)} and returns what the next block needs.\n\n"
        "    Args:\n" + "\n".join(about) + '\n\n    Returns:\n        The result.\n    """\n'
        f"    return {called!r}\n"
    )
    return text, called, right, wrong, f"$.{names[spoilt]}{kinds[spoilt][4]}"
