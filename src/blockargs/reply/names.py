"""Which declared name a written one means: exactly, by alias, in another style, or with one typo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .._text import folded

fold = folded  # as this room calls it: names are compared free of style
MAX_LETTERS = 200  # longer names are not compared letter by letter
MIN_TYPO = 5  # letters a name needs before a typo in it has one reading


def same_style(name: str, by_fold: Mapping[str, list[str]]) -> str | None:
    """Return the one declared name that differs from *name* in style only."""
    found = by_fold.get(fold(name), ())
    return found[0] if len(found) == 1 else None


def one_typo(name: str, names: Iterable[str]) -> str | None:
    """Return the one of *names* that is *name* with a single typo, when no other is near.

    Both have five letters or more, the same first letter and the same digits;
    no other name is within two typos.
    """
    return typo_of(fold(name), {declared: fold(declared) for declared in names})


def typo_of(written: str, folds: Mapping[str, str]) -> str | None:
    """Return what `one_typo` does, of what is *written* and the names of *folds*, each with how it is without style."""
    if not MIN_TYPO <= len(written) <= MAX_LETTERS or written[0] not in [other[:1] for other in folds.values()]:
        return None
    letters = set(written)
    near = []
    for declared, other in folds.items():
        # each letter that the other lacks is a typo of its own, and most names lack many
        if len(letters.difference(other)) <= 2 and (d := distance(written, other, 2)) <= 2:  # noqa: PLR2004 - two typos
            near.append((declared, d))
    if len(near) != 1 or near[0][1] > 1:
        return None
    found = folds[near[0][0]]
    same_digits = [c for c in written if c.isdigit()] == [c for c in found if c.isdigit()]
    return near[0][0] if len(found) >= MIN_TYPO and found[0] == written[0] and same_digits else None


def distance(a: str, b: str, most: int) -> int:
    """Return how many letters apart *a* and *b* are (swapped neighbours count once), or more than *most*."""
    if abs(len(a) - len(b)) > most:
        return most + 1
    if a[:1] == b[:1] or a[-1:] == b[-1:]:  # what both begin or end with decides nothing
        first = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
        a, b = a[first:], b[first:]
        last = next((i for i, (x, y) in enumerate(zip(a[::-1], b[::-1], strict=False)) if x != y), min(len(a), len(b)))
        a, b = a[: len(a) - last], b[: len(b) - last]
        if not a or not b:
            return len(a) + len(b)
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        current = [i]
        for j, y in enumerate(b, 1):
            cost = min(row[j] + 1, current[j - 1] + 1, row[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        if min(current) > most:
            return most + 1
        before, row = row, current
    return row[-1]
