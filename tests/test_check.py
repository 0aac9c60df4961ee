"""Declarations against constructors."""

from __future__ import annotations

import pytest

from blockargs.check import Finding, check_blocks, read_allowances, suggested_type
from blockargs.errors import InvalidDeclarationError, Problem
from blockargs.registry import Registry
from blockargs.spec import Block, BlockArg, BlockArgs, ConstructorRef, new_block_arg, new_block_args
from blockargs.types import (
    arg_array,
    arg_boolean,
    arg_integer,
    arg_json_array,
    arg_number,
    arg_object,
    arg_string,
    arg_union,
)


def head(n=5, direction="head", *, strict):
    return (n, direction, strict)


def declared(constructor=head, **arguments):
    """A block as YAML declares it: not compared with the constructor yet."""
    return Block(uid="h", name="h", constructor=constructor, arguments=new_block_args(arguments), source="rows.yml:7")


def found(block, **options):
    return [(f.problem.code, f.problem.path) for f in check_blocks(block, **options).findings]


def whole():
    return {
        "n": new_block_arg("Rows.", type=arg_integer(), default=5),
        "direction": new_block_arg("Which end.", type=arg_string(), default="head"),
        "strict": new_block_arg("Whether.", type=arg_boolean(), required=True),
    }


def test_a_true_declaration_has_no_findings():
    """What stands in the file is what the code does."""
    report = check_blocks(declared(**whole()))

    assert (report.ok, report.findings, report.blocks) == (True, (), 1)


def test_drift_is_found_in_both_directions():
    """A new parameter, a gone argument, another default, another requiredness."""
    args = {**whole(), "gone": new_block_arg("?", type=arg_integer())}
    del args["direction"]
    args["n"] = new_block_arg("Rows.", type=arg_integer(), default=6)
    args["strict"] = new_block_arg("Whether.", type=arg_boolean(), required=False)

    assert found(declared(**args)) == [
        ("block_arg_unknown", "$.gone"),
        ("default_mismatch", "$.n"),
        ("required_mismatch", "$.strict"),
        ("undocumented_parameter", "$.direction"),
    ]


def test_a_bool_is_not_the_default_one():
    """`True` and `1` are two defaults."""

    def flag(n=1):
        return n

    assert found(declared(flag, n=new_block_arg("N.", type="any", default=True))) == [("default_mismatch", "$.n")]


def test_a_default_that_its_own_type_refuses_is_found():
    """Also where no constructor is known."""
    block = Block(uid="h", name="h", arguments=BlockArgs({"n": BlockArg("N.", type=arg_integer(), default="3")}))

    assert [(f.problem.code, f.problem.path) for f in check_blocks(block).findings] == [
        ("default_nonconforming", "$.n")
    ]


def test_an_unusual_category_is_a_remark():
    """It is no fault, but may be a slip."""
    report = check_blocks(Block(uid="h", name="h", category="transfrm"))

    assert report.ok
    assert report.remarks == ("h has the category 'transfrm'; did you mean 'transform'?",)
    assert "suggested are" in check_blocks(Block(uid="h", name="h", category="zzz")).remarks[0]


def test_untyped_and_undescribed_arguments_are_reported():
    """With a type proposed from the example when asked."""

    def f(rows=(), a=1):
        return rows

    block = declared(f, rows=new_block_arg("Rows.", [{"x": 1}]), a=new_block_arg(type=arg_integer(), default=1))

    assert found(block) == [("untyped_argument", "$.rows"), ("missing_description", "$.a")]
    assert check_blocks(block, suggest=True).findings[0].problem.hint == "its example says `type: object{x: integer}[]`"


def test_a_constructor_that_is_not_there_is_a_finding():
    """A renamed function is seen before somebody calls it."""
    report = check_blocks(declared(ConstructorRef("blockargs.errors:gone"), n=new_block_arg("N.", type=arg_integer())))

    assert [f.problem.code for f in report.findings] == ["block_unknown"]
    assert "gone" in str(report.findings[0])


def test_a_missing_package_is_a_remark_until_it_must_be_called():
    """Without the package the declaration can still be read."""
    block = declared(ConstructorRef("no_such_package_at_all.blocks:head"), n=new_block_arg("N.", type=arg_integer()))

    report = check_blocks(block)

    assert (report.findings, len(report.remarks)) == ((), 1)
    assert "no_such_package_at_all" in report.remarks[0]
    assert found(block, construct=True) == [("block_dependency_missing", "$")]


def test_construct_calls_the_constructor():
    """A configuration that it refuses is a finding."""

    def picky(n=1):
        raise ValueError("never")

    block = declared(picky, n=new_block_arg("N.", 2, arg_integer(), default=1)).with_(examples=[{"n": 2}])

    assert found(block) == []
    assert found(block, construct=True) == [("block_example_invalid", "$.examples[0]")]


def test_an_allowance_needs_a_reason_and_a_use():
    """What it names is allowed; what it names in vain is a finding."""
    args = whole()
    del args["direction"]
    block = declared(**args)

    report = check_blocks(block, allow={"h": {"$.direction": "kept for saved states", "$.x": "?"}})

    assert [(f.problem.code, f.problem.path) for f in report.allowed] == [("undocumented_parameter", "$.direction")]
    assert [(f.problem.code, f.problem.path) for f in report.findings] == [("allowance_unused", "$.x")]


def test_allowances_are_read_from_yaml():
    """Every line without a reason is named."""
    assert read_allowances("h:\n  $.n: on purpose\n") == {"h": {"$.n": "on purpose"}}
    assert read_allowances("") == {}
    with pytest.raises(InvalidDeclarationError) as caught:
        read_allowances("h:\n  $.n: ''\nx: all\n", "allow.yml")
    assert [str(p) for p in caught.value.problems] == [
        "allow.yml: h: $.n: it is allowed without a reason",
        "allow.yml: x: write a path and a reason, such as `$.rows: kept for saved states`",
    ]
    with pytest.raises(InvalidDeclarationError) as caught:
        read_allowances("- a\n", "allow.yml")
    assert str(caught.value) == "allow.yml: an allow-list maps each uid to paths with reasons"


def test_a_finding_is_one_line():
    """`file:line: uid: path: message`."""
    problem = Problem(code="x", path="$.n", message="wrong", hint="mend it")

    assert str(Finding("h", "rows.yml:7", problem)) == "rows.yml:7: h: $.n: wrong; mend it"
    assert str(Finding("h", "", problem)) == "h: $.n: wrong; mend it"


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        (True, arg_boolean()),
        (5, arg_integer()),
        (0.5, arg_number()),
        ("a", arg_string()),
        ([1, 2], arg_array(arg_integer())),
        ([1, "a"], arg_array(arg_union(arg_integer(), arg_string()))),
        ([], arg_json_array()),
        ({"a": 1}, arg_object(a=arg_integer())),
        ({}, None),
        ({"a": None}, None),
        (None, None),
    ],
)
def test_an_example_speaks_for_a_type(example, expected):
    """Or for none."""
    assert suggested_type(example) == expected


def test_progress_is_told_block_by_block():
    """So that a long check can be watched."""
    told = []
    registry = Registry([Block(uid="a", name="a"), Block(uid="b", name="b")])

    check_blocks(registry, progress=lambda done, of: told.append((done, of)))

    assert told == [(1, 2), (2, 2)]


def test_defaults_are_compared_all_the_way_down():
    """A tuple in the code is a list in the file; a whole schema is compared by its names alone."""

    def deep(n=({"a": [1]},), other=object()):
        return n

    same = new_block_arg("N.", type="any", default=[{"a": [1]}])
    whole = declared(deep, n=same, other=new_block_arg("O.", type="any", default="x"))
    schema = arg_object(n=arg_integer(required=False))

    assert found(whole) == []
    assert found(Block(uid="h", name="h", constructor=deep, schema=schema)) == []


def test_a_slip_in_a_docstring_is_found():
    """What it describes is no parameter."""

    def cut(top=1):
        """Cut.

        Args:
            tpo: How many.
        """
        return top

    report = check_blocks(declared(cut, top=new_block_arg("How many.", type=arg_integer(), default=1)))

    assert [(f.problem.code, f.problem.path, f.problem.hint) for f in report.findings] == [
        ("docstring_unknown", "$.tpo", "did you mean 'top'?")
    ]
