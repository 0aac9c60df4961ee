"""Bounds: depth, size, time and number of problems, whatever the value and the type."""

from __future__ import annotations

import math
from time import process_time

import pytest

from blockargs.errors import InvalidArgTypeError, Problem
from blockargs.node import ArgType
from blockargs.types import (
    arg_any,
    arg_array,
    arg_boolean,
    arg_enum,
    arg_integer,
    arg_schema,
    arg_string,
)
from blockargs.validate import MAX_DEPTH, MAX_PROBLEMS, Validator, problems_in, validator_of

TREE = arg_schema({"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#"}}]})


def codes(value, node):
    return [(p.code, p.path) for p in problems_in(value, node)]


def nested(levels, inner=None):
    for _ in range(levels):
        inner = [] if inner is None else [inner]
    return inner


@pytest.mark.parametrize("node", [arg_any(), TREE, arg_array(arg_any())], ids=["any", "recursive", "list"])
def test_a_hundred_levels_are_taken_and_one_more_is_not(node):
    """
    Values are taken to 100 levels, whatever the type; deeper ones are a problem, never an overflow.
    """
    assert problems_in(nested(MAX_DEPTH), node) == []
    assert [p.code for p in problems_in(nested(MAX_DEPTH + 1), node)] == ["too_deep"]
    assert [p.code for p in problems_in(nested(100_000), node)] == ["too_deep"]
    assert not validator_of(node).accepts(nested(MAX_DEPTH + 1))


def test_a_scalar_in_the_deepest_list_is_taken():
    """
    It is lists and objects that are counted, not what lies in them.
    """
    assert problems_in(nested(MAX_DEPTH, "x"), arg_any()) == []
    assert [p.code for p in problems_in(nested(MAX_DEPTH, math.nan), arg_any())] == ["not_json"]


def test_a_value_that_contains_itself_is_refused():
    """
    A list inside itself is no JSON, and is told so in bounded time.
    """
    loop = []
    loop.extend([loop, loop])

    assert codes(loop, arg_any()) == [("not_json", "$[0]"), ("not_json", "$[1]")]
    assert not validator_of(TREE).accepts(loop)


def test_a_bomb_of_shared_lists_is_refused_in_bounded_time():
    """
    A few lists that stand in one another many times cannot keep the check busy.
    """
    bomb = []
    for _ in range(60):
        bomb = [bomb, bomb]

    assert [p.code for p in problems_in(bomb, arg_any())] == ["too_big"]


def test_a_list_that_stands_many_times_in_a_value_is_taken():
    """
    Sharing alone is no fault: the value is what it would be when written out.
    """
    row = ["x"]

    assert problems_in([row] * 20_000, arg_any()) == []
    assert validator_of(TREE).accepts([[None]] * 20_000)
    assert [p.code for p in problems_in([row] * 20_000, TREE)] == ["wrong_type"] * 49 + ["more_problems"]


def test_fifty_problems_are_listed_and_the_last_counts_the_rest():
    """
    A thousand wrong items make 50 problems, the last of which counts those not shown.
    """
    problems = problems_in(["x"] * 1000, arg_array(arg_integer()), "$.ids")

    assert len(problems) == MAX_PROBLEMS
    assert problems[48].path == "$.ids[48]"
    assert problems[49] == Problem(code="more_problems", path="$.ids", message="951 more problems")
    assert len(problems_in(["x"] * 50, arg_array(arg_integer()))) == MAX_PROBLEMS
    assert problems_in([()] * 51, arg_any())[49].message == "2 more problems"


def test_a_pattern_that_never_ends_is_a_problem():
    """
    A pattern gets 50 ms for a text; past that the value is refused as too slow, in any part of a type.
    """
    pattern, evil = "^(a|a)*$", "a" * 2000 + "!"
    start = process_time()

    assert codes(evil, arg_string(pattern=pattern)) == [("too_slow", "$")]
    assert codes([evil], arg_schema({"items": {"not": {"pattern": pattern}}})) == [("too_slow", "$[0]")]
    assert codes({evil: 1}, arg_schema({"patternProperties": {pattern: {}}})) == [("too_slow", f"$['{evil}']")]
    assert not Validator({"pattern": pattern}).accepts(evil)
    assert process_time() - start < 5


@pytest.mark.parametrize("pattern", ["^(a+)+$", "a*a*a*a*a*a*b", "^(a|ab|b)*c$", "(.*)*x"])
def test_harmful_patterns_end(pattern):
    """
    Whatever the pattern, the value is refused in bounded time.
    """
    start = process_time()
    problems = problems_in("a" * 5000 + "!", arg_string(pattern=pattern))

    assert {p.code for p in problems} <= {"too_slow", "pattern_mismatch"}
    assert problems
    assert process_time() - start < 5


def test_many_slow_texts_have_one_budget():
    """
    A thousand texts that each take the time of one do not take a thousand times as long.
    """
    start = process_time()

    problems = problems_in(["a" * 2000 + "!"] * 1000, arg_array(arg_string(pattern="^(a|a)*$")))

    assert {p.code for p in problems} == {"too_slow", "more_problems"}
    assert process_time() - start < 10


def test_a_type_that_asks_twice_at_each_level_is_answered():
    """
    A recursive type that would double the work at each level has its answer, right or wrong, at any depth.
    """
    part = {"type": "array", "items": {"$ref": "#/$defs/t"}}
    node = arg_schema({"$ref": "#/$defs/t", "$defs": {"t": {"anyOf": [part, {**part, "minItems": 0}, {"const": 1}]}}})
    start = process_time()

    assert [codes(nested(levels, "x"), node) for levels in (5, 20, 90)] == [[("no_variant", "$")]] * 3
    assert [codes(nested(levels, 1), node) for levels in (5, 20, 90)] == [[]] * 3
    assert process_time() - start < 1


def test_what_was_found_of_one_value_is_not_said_of_the_next():
    """
    What is remembered of a value is forgotten with it, though the next one lies at the same place.
    """
    part = {"type": "array", "items": {"$ref": "#/$defs/t"}}
    node = arg_schema({"$ref": "#/$defs/t", "$defs": {"t": {"anyOf": [part, {**part, "minItems": 0}, {"const": 1}]}}})
    value = nested(30, inner := ["x"])
    verdicts = []
    for item in ("x", 1, "x", 1):
        inner[0] = item
        verdicts.append(validator_of(node).accepts(value))

    assert verdicts == [False, True, False, True]


def test_a_reference_that_bites_its_tail_is_a_problem_not_an_overflow():
    """
    A type that was built by hand around all checks still cannot overflow the stack.
    """
    assert [p.code for p in problems_in(1, ArgType({"$ref": "#"}))] == ["too_slow"]
    assert [p.code for p in problems_in(1, ArgType({"allOf": [{"$ref": "#"}]}))] == ["too_deep"]


def test_jsonschema_is_stopped_where_it_decides():
    """
    Slow patterns, doubled work and deep values end there in problems too.
    """
    part = {"type": "array", "items": {"$ref": "#/$defs/t"}}
    twice = {"$ref": "#/$defs/t", "$defs": {"t": {"anyOf": [part, part], "unevaluatedItems": True}}}
    slow = arg_schema({"pattern": "^(a|a)*$", "unevaluatedItems": True})

    assert [p.code for p in problems_in("a" * 2000 + "!", slow)] == ["too_slow"]
    assert [p.code for p in problems_in(nested(90, "x"), arg_schema(twice))] in (["too_deep"], ["too_slow"])


def test_more_plain_nodes_than_are_remembered():
    """
    Memory does not grow with every schema that was ever asked.
    """
    assert [problems_in(n, {"const": n}) for n in range(1100)] == [[]] * 1100


@pytest.mark.parametrize("code", ["wrong_type", "not_in_enum"])
def test_long_values_are_cut_in_messages(code):
    """
    A message shows at most 200 characters of a value, and looks for near words only where that is cheap.
    """
    node = arg_enum(["a"]) if code == "not_in_enum" else arg_boolean()
    (problem,) = problems_in("x" * 1_000_000, node)

    assert problem.code == code
    assert len(problem.message) < 260


def test_many_words_are_cut():
    """
    A long list of allowed words is cut after 20.
    """
    (problem,) = problems_in("x", arg_enum([f"word{i}" for i in range(50)]))

    assert problem.message.endswith("'word19' and 30 more")


@pytest.mark.parametrize(
    "form",
    [
        {"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#"}}]},
        {"oneOf": [{"type": "null"}, {"items": {"$ref": "#"}, "type": "array", "maxItems": 1}]},
        {"type": ["array", "null"], "items": {"$ref": "#"}},
        {"allOf": [{"type": ["array", "null"]}, {"items": {"$ref": "#"}}]},
    ],
)
def test_what_is_wrong_at_the_bottom_of_a_deep_value_is_told(form):
    """
    A wrong value under a hundred lists has its path.
    """
    (problem,) = problems_in(nested(99, ["x"]), arg_schema(form))

    assert problem.path == "$" + "[0]" * 100
    assert problem.code == "wrong_type"


def test_a_caller_deep_in_the_stack_gets_an_answer():
    """
    Where the stack is nearly used up the answer is a problem, not an overflow of ours.
    """

    def deep(levels):
        return deep(levels - 1) if levels else problems_in(nested(90, "x"), TREE)

    assert {code for levels in range(300, 900, 10) for code in answers(deep, levels)} == {"wrong_type", "too_deep"}


def test_a_type_that_is_met_deep_in_the_stack_is_an_error_of_ours():
    """
    So is a type that cannot be compiled there, as an `ArgType` and as a plain node.
    """

    def deep(levels, node):
        return deep(levels - 1, node) if levels else problems_in(5, node)

    codes_ = set()
    for levels in range(300, 900, 10):
        typed = plain = {}
        for _ in range(90):
            typed, plain = arg_array(typed), {"items": plain}
        codes_ |= set(answers(lambda n, node=typed: deep(n, node), levels))
        codes_ |= set(answers(lambda n, node=plain: deep(n, node), levels))

    assert codes_ <= {"wrong_type", "arg_type_invalid"}
    assert "arg_type_invalid" in codes_


def answers(ask, levels):
    """Return the codes that *ask* gives some levels deep in the stack, none where the test itself has no room."""
    try:
        return [p.code for p in ask(levels)]
    except InvalidArgTypeError as error:
        return [p.code for p in error.problems]
    except RecursionError as error:
        frames = []
        trace = error.__traceback__
        while trace is not None:
            frames.append(trace.tb_frame.f_code.co_filename)
            trace = trace.tb_next
        assert all(f == __file__ for f in frames), frames[-1]
        return []
