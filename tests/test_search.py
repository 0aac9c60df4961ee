"""`find_blocks`: the block that was meant comes first, and always the same one."""

from __future__ import annotations

import random
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blockargs import Registry
from blockargs.derive import Arg
from blockargs.errors import InvalidOptionError
from blockargs.search import find_blocks
from blockargs.spec import Block

NODE = {"type": "object", "properties": {"mode": {"type": "string", "enum": ["quantile"]}}}


@pytest.fixture(scope="module")
def registry():
    """A small registry of data-frame steps."""
    registry = Registry()

    def new_head(n: Annotated[int, Arg("How many to keep.")] = 5):
        """Keep the first rows."""

    def new_left_join(by: Annotated[list[str], Arg("Key columns that both tables share.")], how: str = "left"):
        """Combine two tables."""

    def new_sorted(column: str, *, descending: bool = False):
        """Order the rows by a column."""

    def read_csv(path: str, delimiter: str = ","):
        """Load a table from a text file."""

    registry.register(new_head, keywords=["top", "limit"], category="transform")
    registry.register(new_left_join, keywords=["merge", "lookup"], construct=False)
    registry.register(new_sorted, keywords=["arrange"], construct=False)
    registry.register(read_csv, category="input", construct=False)
    return registry


@pytest.mark.parametrize(
    ("query", "uid"),
    [
        ("head", "head"),
        ("keep the first rows", "head"),
        ("top", "head"),
        ("merge tables", "left_join"),
        ("join", "left_join"),
        ("leftJoin", "left_join"),
        ("key columns", "left_join"),
        ("arrange", "sorted"),
        ("descending", "sorted"),
        ("read a CSV file", "read_csv"),
        ("delimiters", "read_csv"),
        ("keys", "left_join"),
        ("input", "read_csv"),
        ("CSV", "read_csv"),
        ("\uff43\uff53\uff56", "read_csv"),
    ],
)
def test_the_block_that_was_meant_comes_first(registry, query, uid):
    """
    Names, keywords, descriptions, argument names and their descriptions are searched.
    """
    found = find_blocks(query, registry)

    assert found[0].uid == uid


@pytest.mark.parametrize(("query", "uid"), [("arange", "sorted"), ("delimeter", "read_csv"), ("mergge", "left_join")])
def test_a_misspelt_word_counts_for_the_word_it_looks_like(registry, query, uid):
    """
    A word that no block has is taken for the nearest one.
    """
    assert find_blocks(query, registry)[0].uid == uid


@pytest.mark.parametrize("query", ["", "   ", "the of and", "?!", "qqqqzzzz"])
def test_a_question_without_words_finds_nothing(registry, query):
    """
    Nothing is guessed for a question that says nothing.
    """
    assert find_blocks(query, registry) == []


def test_the_limit_holds(registry):
    """
    No more blocks are returned than asked for.
    """
    assert len(find_blocks("rows table column", registry, limit=2)) == 2


def test_a_limit_below_one_is_refused(registry):
    """
    A limit that leaves nothing to find is a mistake, and said so.
    """
    with pytest.raises(InvalidOptionError, match="limit 0 leaves nothing to find"):
        find_blocks("head", registry, limit=0)


def test_enum_values_and_nested_fields_are_searched():
    """
    What can be chosen, and what nested fields are called, leads to the block too.
    """
    registry = Registry()

    def new_a(spec: Annotated[dict, Arg("A thing.", type=NODE)]):
        """Do."""

    registry.register(new_a, construct=False)

    assert [b.uid for b in find_blocks("quantile", registry)] == ["a"]
    assert [b.uid for b in find_blocks("mode", registry)] == ["a"]


def test_equal_blocks_stand_in_the_order_of_their_uids():
    """
    The answer never depends on the order in which blocks were given.
    """
    blocks = [Block(uid=uid, name="Same", description="The same words.") for uid in ("c", "a", "b")]

    assert [b.uid for b in find_blocks("same words", blocks)] == ["a", "b", "c"]


@given(st.text(max_size=60), st.integers(0, 99))
def test_any_question_has_one_answer(query, seed):
    """
    Whatever is asked, no order of the blocks changes the answer, and nothing fails.
    """
    blocks = [Block(uid=f"b{i}", name=f"Name {i % 3}", description="Keep rows of a table") for i in range(6)]
    shuffled = blocks.copy()
    random.Random(seed).shuffle(shuffled)

    assert find_blocks(query, blocks) == find_blocks(query, shuffled)


@pytest.mark.parametrize(("asked", "told"), [("queries", "query"), ("classes", "classe"), ("status", "status")])
def test_a_plural_counts_for_its_word(asked, told):
    """
    Several are found by one, and one by several.
    """
    block = Block(uid="a", description=told)

    assert find_blocks(asked, [block]) == [block]


def test_a_changed_block_is_found_by_its_new_words():
    """
    What was counted of a block is not kept beyond the block.
    """
    block = Block(uid="a", description="Keep rows")
    find_blocks("rows", [block])

    changed = block.with_(description="Drop columns")

    assert find_blocks("columns", [changed]) == [changed]
    assert find_blocks("rows", [changed]) == []


def test_no_blocks_find_nothing():
    """
    An empty registry has an answer too.
    """
    assert find_blocks("head", Registry()) == []
