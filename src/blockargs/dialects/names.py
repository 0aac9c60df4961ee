"""Names that a provider accepts: legal ones stay as they are, others get a stable alias."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

WORD = "a-zA-Z0-9_-"  # characters that most providers take, as inside `[…]` of a regular expression
DOTTED = "a-zA-Z0-9_.-"
HASHED = 8  # hexadecimal digits of the suffix that tells two aliases apart


@dataclass(frozen=True, slots=True)
class NameRule:
    """Which names are legal.

    Attributes:
        first: Characters a name may begin with, as inside ``[…]`` of a regular expression.
        rest: Characters that may follow.
        longest: Most characters.
    """

    first: str
    rest: str
    longest: int

    @property
    def pattern(self) -> str:
        """The rule as a regular expression."""
        return f"^[{self.first}][{self.rest}]{{0,{self.longest - 1}}}$"

    def legal(self, name: str) -> bool:
        """Tell whether *name* may be used as it is."""
        return not self.illegal((name,))

    def illegal(self, names: Iterable[str]) -> list[str]:
        """Return those of *names* that may not be used as they are."""
        matches = _compiled(self.pattern).fullmatch
        return [name for name in names if matches(name) is None]

    def cleaned(self, name: str) -> str:
        """Return the legal name nearest to *name*, which other names may have too."""
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        out = re.sub(f"[^{self.rest}]+", "_", plain)
        if not out.strip("_"):
            return self.hashed(name, "name")
        if not re.match(f"[{self.first}]", out):
            out = f"_{out}" if re.match(f"[{self.first}]", "_") else f"n_{out}"
        return out if len(out) <= self.longest else self.hashed(name, out)

    def hashed(self, name: str, stem: str, digits: int = HASHED) -> str:
        """Return *stem* with a suffix that depends on *name* alone, cut to fit."""
        suffix = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:digits]
        return f"{stem[: self.longest - digits - 1]}_{suffix}"


def evenly(letters: str, longest: int) -> NameRule:
    """Return the rule of names in which every character may be any of *letters*."""
    return NameRule(letters, letters, longest)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def wire_names(names: Iterable[str], rule: NameRule) -> dict[str, str]:
    """Return the wire name of each of *names*: no two alike, whatever their order.

    A legal name keeps its spelling. Another is cleaned; where two names would
    become one, each of the cleaned ones gets a suffix made of its own letters.

    >>> wire_names(["my_tool", "My Tool", "My-Tool"], NameRule("A-Za-z", "A-Za-z0-9_", 64))
    {'my_tool': 'my_tool', 'My Tool': 'My_Tool_2f28f300', 'My-Tool': 'My_Tool_3a63c010'}
    """
    given = list(dict.fromkeys(names))
    cleaned = {n: rule.cleaned(n) for n in rule.illegal(given)}
    if not cleaned:
        return dict(zip(given, given, strict=True))
    legal = {n for n in given if n not in cleaned}
    digits = HASHED
    while clashing := _clashing(cleaned, legal):
        for name in clashing:
            cleaned[name] = rule.hashed(name, rule.cleaned(name), digits)
        digits += HASHED
    return {n: cleaned.get(n, n) for n in given}


def _clashing(cleaned: dict[str, str], legal: set[str]) -> list[str]:
    count = Counter(cleaned.values())
    return [name for name, alias in cleaned.items() if count[alias] > 1 or alias in legal]
