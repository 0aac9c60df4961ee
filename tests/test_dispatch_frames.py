"""Effects of real data frames: what a model sees of them."""

from __future__ import annotations

from datetime import date

import narwhals as nw
import pandas as pd
import polars as pl
import pytest

from blockargs import Toolset, derive_block
from blockargs.dispatch import table_effect

ROWS = {"a": [1, 2, 3], "b": ["x", "y", "z"]}


@pytest.mark.parametrize("make", [pl.DataFrame, pd.DataFrame, lambda rows: nw.from_native(pl.DataFrame(rows))])
def test_every_eager_frame_is_seen_alike(make):
    """
    polars, pandas and narwhals: the same size, the same glimpse, the same verdict on what changed.
    """
    frame = make(ROWS)

    effect = table_effect(frame, make(ROWS), most=1)

    assert effect.record() == {
        "effect": "3 rows of 2 columns",
        "preview": {"columns": ["a", "b"], "rows": [{"a": 1, "b": "x"}]},
        "unchanged": True,
    }
    other = make({**ROWS, "a": [1, 2, 4]})
    assert str(table_effect(other, frame)) == "3 rows of 2 columns (before: 3 rows of 2 columns)"


def test_a_frame_goes_to_the_model_as_effect_and_preview():
    """
    A constructor that returns a frame shows what it did; dates and numbers arrive as JSON.
    """

    def load(days: int):
        """Load."""
        return pl.DataFrame({"day": [date(2024, 1, n + 1) for n in range(days)], "n": range(days)})

    toolset = Toolset(derive_block(load), effects={pl.DataFrame: lambda frame, call: table_effect(frame, most=1)})
    run = toolset.run({"name": "load", "arguments": {"days": 2}})

    assert run.content == {
        "effect": "2 rows of 2 columns",
        "preview": {"columns": ["day", "n"], "rows": [{"day": "2024-01-01", "n": 0}]},
    }
    assert run.outcome.height == 2
