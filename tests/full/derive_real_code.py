"""Code that nobody here wrote: each callable is derived, or refused with a reason; none crashes.

Run it with ``python tests/full/derive_real_code.py``; it prints the table of the counts. What it does for each
callable: derive it, make its input schema, and check that schema; a refusal must name the callable and a cure.
"""
# needs: pandas scikit-learn

from __future__ import annotations

import inspect
import json
import shutil
import statistics
import sys
import textwrap
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pandas as pd
from sklearn.utils import all_estimators

from blockargs.derive import derive_block
from blockargs.errors import BlockArgsError
from blockargs.validate import schema_problems

COLUMNS = ("callables", "derived", "refused", "crashed", "arguments", "described", "typed")


def public(obj: Any) -> Iterator[Any]:
    """Yield the public attributes of a module or an object."""
    return (getattr(obj, name) for name in dir(obj) if not name.startswith("_"))


def groups() -> Iterator[tuple[str, list[Any]]]:
    """Yield the name of each group, and its callables."""
    for module in (statistics, textwrap, shutil, json):
        yield module.__name__, [f for f in public(module) if inspect.isroutine(f)]
    yield "pandas", [f for f in public(pd) if callable(f)]
    yield "pandas.DataFrame", [f for f in public(pd.DataFrame()) if callable(f)]
    yield "sklearn estimators", [cls for _, cls in all_estimators()]


def counted(callables: list[Any]) -> tuple[Counter[str], Counter[str]]:
    """Return the counts of one group, and the reasons of its refusals."""
    counts: Counter[str] = Counter(callables=len(callables))
    reasons: Counter[str] = Counter()
    for one in callables:
        try:
            block = derive_block(one)
            problems = schema_problems(block.input_schema())
            assert not problems, problems
        except BlockArgsError as refusal:
            counts["refused"] += 1
            if not refusal.subject or not all(p.message and p.hint for p in refusal.problems):
                counts["crashed"] += 1
                print(f"WITHOUT A CURE {one}: {refusal}", file=sys.stderr)
            reasons.update(p.message for p in refusal.problems)
        except Exception:
            counts["crashed"] += 1
            print(f"CRASH {one}\n{traceback.format_exc(limit=-4)}", file=sys.stderr)
        else:
            counts["derived"] += 1
            counts["arguments"] += len(block.arguments)
            counts["described"] += sum(arg.description is not None for arg in block.arguments.values())
            counts["typed"] += sum(arg.type is not None for arg in block.arguments.values())
    return counts, reasons


def main() -> int:
    """Print the table; 1 when anything crashed."""
    warnings.simplefilter("ignore")
    crashed = 0
    print(f"| code | {' | '.join(COLUMNS)} | most frequent reason |")
    print(f"|---|{'---:|' * len(COLUMNS)}---|")
    for name, callables in groups():
        counts, reasons = counted(callables)
        crashed += counts["crashed"]
        first = reasons.most_common(1)
        reason = f"{first[0][0]} ({first[0][1]})".replace("|", "\\|") if first else ""
        print(f"| {name} | {' | '.join(str(counts[c]) for c in COLUMNS)} | {reason} |")
    return 1 if crashed else 0


if __name__ == "__main__":
    sys.exit(main())
