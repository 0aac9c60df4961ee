"""Effect and preview: what a model learns of a result that is no text and no JSON."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from blockargs.dispatch import Effect, table_effect

ROWS = [{"a": n, "b": str(n)} for n in range(7)]


def test_a_table_shows_its_size_and_its_first_rows():
    """
    Rows, columns and a glimpse: enough for a model to see what it did.
    """
    effect = table_effect(ROWS, most=2)

    assert effect.record() == {
        "effect": "7 rows of 2 columns",
        "preview": {"columns": ["a", "b"], "rows": ROWS[:2]},
    }


def test_an_unchanged_table_says_so():
    """
    A call that changed nothing is called UNCHANGED, so that the model does not take it for done.
    """
    effect = table_effect(ROWS, list(ROWS))

    assert effect.unchanged
    assert str(effect) == "UNCHANGED: 7 rows of 2 columns"
    assert effect.record()["unchanged"] is True


def test_a_changed_table_says_what_is_new_and_what_is_gone():
    """
    The size before, and the columns that came and went, are told.
    """
    before = [{"a": 1, "b": 2}, {"a": 3, "b": 4}]

    effect = table_effect([{"a": 1, "c": 2}], before)

    assert str(effect) == "1 row of 2 columns (before: 2 rows of 2 columns; new: 'c'; gone: 'b')"
    assert not effect.unchanged
    assert not table_effect([{"a": 1}], [{"a": 2}]).unchanged


def test_an_effect_may_be_a_sentence_alone():
    """
    Preview and mark are left out where there is nothing to show.
    """
    assert Effect(effect="sent 3 letters").record() == {"effect": "sent 3 letters"}


@pytest.mark.parametrize("columns", [0, 60])
def test_wide_and_empty_tables_stay_small(columns):
    """
    A preview is bounded: fifty column names at most, and none for an empty table.
    """
    table = [{f"c{n}": n for n in range(columns)}] if columns else []

    effect = table_effect(table)

    assert effect.effect == f"{len(table)} {'row' if columns else 'rows'} of {columns} columns"
    assert len(effect.preview["columns"]) == min(columns, 50)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, None),
        (True, True),
        (1.5, 1.5),
        (float("nan"), "nan"),
        (date(2024, 1, 31), "2024-01-31"),
        ("x" * 300, "x" * 200 + "…"),
        ([1, 2], "[1, 2]"),
        (Decimal("1.10"), "1.10"),
    ],
)
def test_every_cell_of_a_preview_is_json(value, shown):
    """
    Scalars stay, dates are ISO, the rest is words, and long ones are cut with a mark.
    """
    assert table_effect([{"a": value}]).preview["rows"] == [{"a": shown}]
