"""One fault, one code, one sentence: whoever finds it."""

from __future__ import annotations

import pytest

from blockargs import Registry
from blockargs.errors import InvalidArgumentsError
from blockargs.reply import decode_arguments
from blockargs.sentences import known_keys, missing_key, not_in_enum, unknown_key
from blockargs.types import arg_const, arg_enum, arg_integer, arg_object, arg_string, arg_union
from blockargs.validate import problems_in

MANY = [f"key_{index:02}" for index in range(30)]


@pytest.mark.parametrize("names", [[], ["top", "order"], MANY])
@pytest.mark.parametrize("name", ["tpo", "zzz", "key_1", "x" * 81])
def test_an_unknown_key_is_told_as_validation_tells_it(names, name):
    """The sentence and the cure: the nearest, or what there is, cut where that is a lot."""
    (problem,) = problems_in({name: 1}, arg_object({n: arg_string(required=False) for n in names}))

    assert (*unknown_key(name), known_keys(name, names)) == (problem.code, problem.message, problem.hint)


def test_a_missing_key_is_told_as_validation_tells_it():
    """The sentence; what to give is known only to who knows its type."""
    (problem,) = problems_in({}, arg_object(n=arg_string()))

    assert missing_key("n") == (problem.code, problem.message)


@pytest.mark.parametrize("words", [["a"], MANY])
def test_a_value_out_of_a_fixed_set_is_told_as_validation_tells_it(words):
    """The values are cut where they are a lot."""
    (problem,) = problems_in("zzz", arg_enum(words))

    assert not_in_enum("zzz", words) == (problem.code, problem.message)


def test_a_call_tells_the_keys_of_a_signature_as_those_of_a_schema():
    """What is documented and what is not are spoken of alike."""
    registry = Registry()
    registry.register(lambda n, rows: n, uid="f", arguments={"n": "Number"})
    registry.register(lambda n, rows: n, uid="g", arguments={"n": "Number", "rows": "Rows"})

    said = []
    for uid in ("f", "g"):
        with pytest.raises(InvalidArgumentsError) as caught:
            registry.create(uid, n=1, row=2)
        said.append([(p.code, p.path, p.message) for p in caught.value.problems])

    assert said[0] == said[1]
    assert [code for code, *_ in said[0]] == ["unknown_key", "missing_key"]


@pytest.mark.parametrize("value", [{"kind": "zzz"}, {"kind": "lines"}, {"kind": 5}, {"kind": "l" * 81}, {}, {"n": "x"}])
def test_a_reply_tells_of_a_tag_what_validation_tells(value):
    """A wrong variant, or none, has one code, one sentence and one cure, whoever looks."""
    union = arg_union(
        arg_object(kind=arg_const("line_plot"), n=arg_integer()),
        arg_object(kind=arg_const("bar_plot"), n=arg_integer()),
        tag="kind",
    )
    given = arg_object(chart=union)

    assert list(decode_arguments({"chart": value}, given).problems) == problems_in({"chart": value}, given)
