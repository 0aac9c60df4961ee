"""Finding a block by what it does: words of a question against words of the blocks.

The measure is BM25 over weighted fields. The words of a block are counted once
and kept with it; a question then costs a glance at each block.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ._text import close_names, unhumped
from .errors import InvalidOptionError
from .keywords import walk
from .registry import Blocks, blocks_in
from .spec import Block

K1 = 1.2  # how soon more of the same word stops counting
B = 0.6  # how much a long description is held against a block
NEAR = 0.5  # what a word counts that only looks like the one asked for
MAX_WORDS = 64  # of a question

# what a word counts, by where it stands
FIELDS: tuple[tuple[float, Callable[[Block], Iterable[str]]], ...] = (
    (3.0, lambda block: (block.name, block.uid)),
    (2.5, lambda block: block.keywords),
    (1.5, lambda block: (block.description or "",)),
    (1.0, lambda block: (block.category, block.package or "", block.output or "")),
    (1.0, lambda block: block.arguments.shown()),
    (0.5, lambda block: (arg.description or "" for arg in block.arguments.shown().values())),
    (0.5, lambda block: _choices(block)),  # noqa: PLW0108 - it stands below
    (0.5, lambda block: (block.guidance or "", block.details or "")),
)

# words that tell nothing about a block
COMMON = frozenset(
    "a an and are as at be by can do does for from had has have how i if in into is it its me my no not of on or "
    "please should so some such than that the their them then there these they this to up use using want was we "
    "what when where which who will with would you your".split()
)

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Words:
    """The weighted words of one block, and how much text that is."""

    counts: dict[str, float]
    length: float


def find_blocks(query: str, blocks: Blocks | None = None, limit: int = 10) -> list[Block]:
    """Return the blocks that fit *query* best, the best first.

    Equal blocks stand in the order of their uids, so that the answer never
    depends on chance. A word that no block has counts for the word it most
    looks like.

    Args:
        query: A question or a few words: ``"keep the first rows"``.
        blocks: Where to look; the default registry when left out.
        limit: How many to return at most.

    Raises:
        InvalidOptionError: *limit* is not positive.
    """
    if limit < 1:
        raise InvalidOptionError(f"limit {limit} leaves nothing to find; give at least 1")
    pool = sorted(blocks_in(blocks), key=lambda block: block.uid)
    words = [block.remembered("words", _words_of) for block in pool]
    wanted = _wanted(query, words)
    if not wanted:
        return []
    average = sum(w.length for w in words) / len(words) or 1.0
    scored = ((_score(w, wanted, average), block) for w, block in zip(words, pool, strict=True))
    found = sorted((-score, block.uid, block) for score, block in scored if score > 0)
    return [block for _, _, block in found[:limit]]


def _wanted(query: str, words: list[Words]) -> dict[str, float]:
    """Return what each word of *query* counts: rare words count more."""
    asked = Counter(list(_tokens(query))[:MAX_WORDS])
    out: dict[str, float] = {}
    vocabulary: set[str] = set()
    for word, times in asked.items():
        weight, known = float(min(times, 2)), word
        if not any(word in w.counts for w in words):
            vocabulary = vocabulary or {term for w in words for term in w.counts}
            near = close_names(word, sorted(vocabulary), most=1)
            if not near:
                continue
            weight, known = NEAR, near[0]
        having = sum(known in w.counts for w in words)
        idf = math.log(1 + (len(words) - having + 0.5) / (having + 0.5))
        out[known] = max(out.get(known, 0.0), weight * idf)
    return out


def _score(words: Words, wanted: dict[str, float], average: float) -> float:
    spread = K1 * (1 - B + B * words.length / average)
    counts = words.counts
    return sum(
        weight * counts[word] * (K1 + 1) / (counts[word] + spread) for word, weight in wanted.items() if word in counts
    )


def _words_of(block: Block) -> Words:
    counts: dict[str, float] = {}
    for weight, texts in FIELDS:
        for text in texts(block):
            for word in _tokens(text):
                counts[word] = counts.get(word, 0.0) + weight
    return Words(counts, sum(counts.values()))


def _tokens(text: str) -> Iterator[str]:
    """Yield the words of *text* as they are compared: parts of identifiers, without case and plural."""
    for run in _WORD.findall(unicodedata.normalize("NFKC", text)):
        for part in unhumped(run, " ").split(" "):
            word = part.casefold()
            if word not in COMMON:
                yield _singular(word)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):  # noqa: PLR2004 - "ties" is no plural of "ty"
        return f"{word[:-3]}y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):  # noqa: PLR2004 - "has", "gas"
        return word[:-1]
    return word


def _choices(block: Block) -> Iterator[str]:
    """Yield the texts that its enums offer, and what is said of nested fields."""
    for pointer, node in walk(block.type):
        yield from (value for value in node.get("enum", ()) if isinstance(value, str))
        if len(pointer) > 2:  # noqa: PLR2004 - ("properties", name) is an argument itself
            yield from (text for text in (pointer[-1], node.get("description")) if isinstance(text, str))
