"""Annotations: the type of each, JSON to Python, and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from blockargs.derive import arg_type_of, decode, encode
from blockargs.errors import InvalidArgumentsError, UnsupportedAnnotationError
from types_of_users import NAMES

CASES = [
    pytest.param(json.loads(line), id=f"{file.stem}:{json.loads(line)['annotation']}")
    for file in sorted((Path(__file__).parent / "cases" / "derive").glob("*.jsonl"))
    for line in file.read_text(encoding="utf-8").splitlines()
]


def meant(text):
    """Return the annotation that a case writes."""
    return eval(text, dict(NAMES))


@pytest.mark.parametrize("case", CASES)
def test_an_annotation_has_its_type(case):
    """The schema of an annotation is exactly this."""
    assert arg_type_of(meant(case["annotation"])) == case["schema"]
    assert json.dumps(arg_type_of(meant(case["annotation"]))) == json.dumps(case["schema"])


@pytest.mark.parametrize("case", CASES)
def test_json_becomes_what_the_annotation_promises_and_back(case):
    """Members, dates, instances reach Python; written again they are JSON that means the same."""
    annotation = meant(case["annotation"])

    for value in case["values"]:
        made = decode(annotation, value["json"])
        back = encode(annotation, made)
        assert repr(made) in (value["python"], value.get("python_later"))  # a later Python may write it otherwise
        assert json.dumps(back) == json.dumps(value.get("back", value["json"]))
        assert decode(annotation, back) == made


@pytest.mark.parametrize("case", [c for c in CASES if c.values[0]["refused"]])
def test_what_does_not_fit_is_refused_with_its_place(case):
    """No value is bent to fit: the problem names where, and what was expected."""
    annotation = meant(case["annotation"])

    for value in case["refused"]:
        with pytest.raises(InvalidArgumentsError) as caught:
            decode(annotation, value)
        assert caught.value.problems != ()
        assert all(p.path.startswith("$") and p.message for p in caught.value.problems)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("typing.Callable[[int], str]", "Callable[[int], str] cannot be expressed as JSON"),
        ("complex", "complex cannot be expressed as JSON"),
        ("type[int]", "take its name as a text"),
        ("Opaque", "use register_type for its class"),
        ("list[Opaque]", "Opaque cannot be expressed as JSON"),
        ("dict[tuple[int, int], str]", "the keys of dict[tuple[int, int], str] cannot be written as text"),
        ("tuple[int, *tuple[str, ...]]", "has no fixed length"),
        ("re.Pattern[bytes]", "works on bytes"),
        ("Literal[b'a']", "is no JSON value"),
        ("typing.Self", "Self has no class here"),
        ("list['Nowhere']", "the name 'Nowhere' in 'Nowhere' is not known here"),
        ("'1 +'", "cannot be read as an annotation"),
        ("typing.Never", "cannot be expressed"),
    ],
)
def test_an_annotation_that_json_cannot_express_says_so(text, said):
    """The error shows the annotation as it was written, and the cure."""
    with pytest.raises(UnsupportedAnnotationError) as caught:
        arg_type_of(meant(text))

    assert said in str(caught.value)
    assert caught.value.problems[0].hint
