"""The bundled blocks, on every kind of data frame."""

from __future__ import annotations

import copy
import dataclasses
import datetime as dt
import math
import pickle
import runpy
import sys
from decimal import Decimal
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import yaml

from blockargs import blocks
from blockargs.blocks import ArrangeBlock, CountBlock, FilterBlock, HeadBlock, SelectBlock
from blockargs.errors import InvalidArgumentsError, ToolFailure

CASES = sorted(Path(__file__).with_name("cases").joinpath("blocks").glob("*.yaml"))


def duckdb_frame(data: dict) -> duckdb.DuckDBPyRelation:
    table = pa.table(data)
    return duckdb.connect().from_arrow(table)


# how each library makes a frame of columns, and gives them back
LIBRARIES = {
    "polars": (pl.DataFrame, lambda f: f.to_dict(as_series=False)),
    "polars-lazy": (pl.LazyFrame, lambda f: f.collect().to_dict(as_series=False)),
    "pandas": (pd.DataFrame, lambda f: f.to_dict("list")),
    "pyarrow": (pa.table, lambda f: f.to_pydict()),
    "duckdb": (duckdb_frame, lambda f: f.to_arrow_table().to_pydict()),
}


def plain(columns: dict) -> dict:
    """Return *columns* with every missing value as None."""
    return {
        name: [None if v is None or (isinstance(v, float) and math.isnan(v)) else v for v in values]
        for name, values in columns.items()
    }


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("case", CASES, ids=lambda p: p.stem)
def test_a_block_does_the_same_on_every_kind_of_frame(case, library):
    """The story in the file comes out alike, whichever library the frame is of."""
    story = yaml.safe_load(case.read_text())
    made, read = LIBRARIES[library]
    block = getattr(blocks, story["block"])(**story["arguments"])
    failure = story.get("failure") or (story.get("without_order") if library == "duckdb" else None)

    if failure:
        with pytest.raises(ToolFailure) as caught:
            block(made(story["data"]))
        assert str(caught.value) == failure
        return
    result = plain(read(block(made(story["data"]))))

    if library.endswith(("lazy", "duckdb")) and not story.get("ordered"):
        result, story["result"] = sorted_rows(result), sorted_rows(story["result"])
    assert result == story["result"]


def sorted_rows(columns: dict) -> tuple:
    return tuple(columns), sorted(zip(*columns.values(), strict=True), key=repr)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    "block",
    [
        FilterBlock(),
        FilterBlock([{"type": "range", "column": "x"}]),
        SelectBlock(),
        SelectBlock(exclude=True),
        ArrangeBlock(),
        CountBlock(),
    ],
    ids=repr,
)
def test_a_block_that_is_asked_for_nothing_passes_its_input_through(block, library):
    """Without columns or conditions the very frame that came goes out."""
    frame = LIBRARIES[library][0]({"x": [1, 2]})

    assert block(frame) is frame


@pytest.mark.parametrize("thing", [5, [1, 2], None, {"x": [1]}], ids=repr)
def test_what_is_no_frame_is_refused(thing):
    """Calling a block with something else is a declared failure that names what came."""
    with pytest.raises(ToolFailure) as caught:
        HeadBlock()(thing)

    assert caught.value.code == "not_a_frame"
    assert str(caught.value) == f"the block is called with a data frame, not with {type(thing).__name__}"


def test_a_missing_column_is_told_with_its_neighbours():
    """The failure lists what is missing, the nearest names and all columns, for programs."""
    frame = pl.DataFrame({"species": ["a"], "sex": ["b"]})

    with pytest.raises(ToolFailure) as caught:
        SelectBlock(["Species", "zzz"])(frame)

    assert caught.value.code == "unknown_column"
    assert caught.value.details == {
        "missing": ["Species", "zzz"],
        "near": {"Species": ["species"], "zzz": []},
        "columns": ["species", "sex"],
    }


def test_an_empty_frame_says_that_it_has_no_columns():
    """There is nothing to suggest then."""
    with pytest.raises(ToolFailure, match=r"^there is no column 'x'; the frame has no columns$"):
        SelectBlock(["x"])(pl.DataFrame())


def test_columns_named_by_numbers_are_listed_as_text():
    """A pandas frame without names has columns 0, 1, …; the failure names them."""
    with pytest.raises(ToolFailure, match=r"the columns are '0' and '1'$"):
        SelectBlock(["x"])(pd.DataFrame([[1, 2]]))


def test_what_the_frame_library_refuses_is_a_declared_failure():
    """Two columns of one name are no frame to work on."""
    with pytest.raises(ToolFailure) as caught:
        HeadBlock()(pd.DataFrame([[1, 2]], columns=["a", "a"]))

    assert caught.value.code == "frame_refused"


def filtered(column: list, dtype: pl.DataType, **condition: object) -> list:
    frame = pl.DataFrame({"c": pl.Series(column, dtype=dtype)})
    return FilterBlock([{"column": "c", **condition}])(frame)["c"].to_list()


DAY = dt.date(2024, 5, 31)
NOON = dt.datetime(2024, 5, 31, 12)  # noqa: DTZ001 - a column without a zone


@pytest.mark.parametrize(
    ("values", "dtype", "op", "value", "kept"),
    [
        ([DAY, dt.date(2025, 1, 1)], pl.Date, "<=", "2024-05-31", [DAY]),
        ([NOON], pl.Datetime, ">", "2024-05-31", [NOON]),
        ([NOON], pl.Datetime, ">", "2024-05-31T12:00:01", []),
        ([dt.time(9), dt.time(17)], pl.Time, ">", "12:00", [dt.time(17)]),
        ([Decimal("1.10"), Decimal("2.00")], pl.Decimal(10, 2), ">", 1.5, [Decimal("2.00")]),
        (["a", "b"], pl.Categorical, ">", "a", ["b"]),
        (["a", "b"], pl.Enum(["b", "a"]), "==", "zzz", []),
        ([1, 2], pl.Int8, "<", 10**400, [1, 2]),
        ([1, 2], pl.Int8, "<", -(10**400), []),
        ([2**64 - 1, 5], pl.UInt64, "==", 2**64 - 1, [2**64 - 1]),
        ([float("nan"), 2.0], pl.Float64, ">", 1, [2.0]),
        ([1, 2], pl.Int64, ">", "1.5e0", [2]),
    ],
)
def test_a_value_is_read_as_the_column_holds_it(values, dtype, op, value, kept):
    """Dates and times are ISO text, categories compare as text, numbers of any size compare."""
    assert filtered(values, dtype, type="comparison", op=op, value=value) == kept


def test_listed_values_are_read_as_the_column_holds_them():
    """A list of values matches decimals and dates too, and a huge number matches nothing."""
    assert filtered([Decimal("1.10")], pl.Decimal(10, 2), type="values", values=[1.1, 10**400]) == [Decimal("1.10")]
    assert filtered([DAY], pl.Date, type="values", values=["2024-05-31"]) == [DAY]
    assert filtered([1.0], pl.Float64, type="values", values=[1, 10**400]) == [1.0]


@pytest.mark.parametrize(
    ("zone", "value", "kept"),
    [
        ("Europe/Berlin", "2024-05-31T12:00:00", 1),
        ("Europe/Berlin", "2024-05-31T10:00:00+00:00", 1),
        ("Europe/Berlin", "2024-05-31T12:00:00+00:00", 0),
    ],
)
def test_a_time_without_zone_is_one_of_the_columns_zone(zone, value, kept):
    """A zone in the value is respected; without one the column's own counts."""
    frame = pl.DataFrame({"t": [NOON]}).select(pl.col("t").dt.replace_time_zone(zone))

    assert FilterBlock([{"type": "values", "column": "t", "values": [value]}])(frame).height == kept


@pytest.mark.parametrize(
    ("values", "dtype", "value", "failure"),
    [
        ([DAY], pl.Date, "soon", "column 'c' holds dates; 'soon' is text: write a date like '2024-05-31'"),
        ([DAY], pl.Date, 2024, "column 'c' holds dates; 2024 is a number: write a date like '2024-05-31'"),
        ([dt.time(9)], pl.Time, "noon", "column 'c' holds times; 'noon' is text: write a time like '14:30:00'"),
        (
            [NOON],
            pl.Datetime,
            "soon",
            "column 'c' holds dates with times; 'soon' is text: write a date and time like '2024-05-31T14:30:00'",
        ),
        (
            [NOON],
            pl.Datetime,
            "2024-05-31T12:00:00Z",
            "column 'c' holds dates with times; '2024-05-31T12:00:00Z' is text: the column has no time zone, so leave it out",
        ),
        (
            [[1]],
            pl.List(pl.Int64),
            1,
            "column 'c' holds List(Int64) values, which are not compared here; give it a plainer type first",
        ),
    ],
)
def test_a_value_that_a_column_cannot_be_compared_with_is_refused(values, dtype, value, failure):
    """The failure says what the column holds, what came, and what to write."""
    with pytest.raises(ToolFailure) as caught:
        filtered(values, dtype, type="comparison", op="==", value=value)

    assert str(caught.value) == failure


def test_nan_is_missing():
    """NaN, which pandas cannot tell from null, counts as missing everywhere."""
    nan = float("nan")

    assert filtered([nan, None, 1.0], pl.Float64, type="null", is_null=False) == [1.0]
    assert filtered([nan, None, 1.0], pl.Float64, type="values", values=[1], mode="exclude")[1:] == [None]


def test_equal_rows_keep_their_order():
    """Sorting is stable on frames that have an order, whichever way it sorts."""
    frame = pl.DataFrame({"k": [i % 3 for i in range(3000)], "row": range(3000)})

    up = ArrangeBlock([{"column": "k"}])(frame)
    down = ArrangeBlock([{"column": "k", "direction": "desc"}])(frame)

    assert up.rows() == sorted(frame.rows(), key=lambda r: r[0])
    assert down.rows() == sorted(frame.rows(), key=lambda r: -r[0])


@pytest.mark.parametrize("block", [HeadBlock(3), FilterBlock([{"type": "null", "column": "x"}]), CountBlock(["x"])])
def test_a_block_is_a_value(block):
    """Blocks compare by their arguments, survive copying and pickling, and never change."""
    assert copy.deepcopy(block) == block == pickle.loads(pickle.dumps(block))
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(block, dataclasses.fields(block)[0].name, 5)


@pytest.mark.parametrize(
    ("cls", "arguments", "path", "message"),
    [
        (HeadBlock, {"n": -1}, "$.n", "-1 is below the minimum 0"),
        (HeadBlock, {"direction": "sideways"}, "$.direction", "'sideways' is not one of 'head', 'tail'"),
        (
            FilterBlock,
            {"conditions": [{"type": "null"}]},
            "$.conditions[0].column",
            "the required key 'column' is missing",
        ),
        (ArrangeBlock, {"columns": "year"}, "$.columns", "'year' is a string, not a list"),
    ],
)
def test_a_block_checks_its_arguments_however_it_is_built(cls, arguments, path, message):
    """Building one by hand is held to its own annotations, as a call from outside is."""
    with pytest.raises(InvalidArgumentsError) as caught:
        cls(**arguments)

    assert [(p.path, p.message) for p in caught.value.problems] == [(path, message)]


def test_without_narwhals_importing_says_what_to_install(monkeypatch):
    """The door names the package it needs and the way to get it."""
    monkeypatch.setitem(sys.modules, "narwhals", None)

    with pytest.raises(ImportError, match=r"^the bundled blocks need narwhals: pip install 'blockargs\[frames\]'$"):
        runpy.run_path(blocks.__file__)


def test_a_huge_number_compares_as_infinity_with_a_wide_column():
    """A number that no column can hold is larger than each that one holds, and smaller when it is negative."""
    assert filtered([2**64 - 1], pl.UInt64, type="comparison", op="<", value=2**64) == [2**64 - 1]
    assert filtered([1.5], pl.Float64, type="values", values=["1e999", "-1e999"]) == []
