"""The format for editors says what the reader takes."""

from __future__ import annotations

import jsonschema

from blockargs.declare import (
    declaration_schema,
    load_yaml,
    read_declarations,
    write_declarations,
)
from blockargs.declare.entry import ENTRY_KEYS
from blockargs.declare.format import schema_text
from blockargs.spec import (
    ARGUMENT_KEYS,
)
from declared import REGISTRY, STORIES


def test_the_format_of_editors_is_up_to_date():
    """`registry/block.schema.json` is what `declaration_schema` gives."""
    written = (REGISTRY / "block.schema.json").read_text(encoding="utf-8")

    # made by: python -c "from blockargs.declare.format import schema_text; print(schema_text(), end='')"
    assert written == schema_text()


def test_the_format_knows_every_key():
    """Each key that is read is described for editors, and no other."""
    schema = declaration_schema()["definitions"]

    assert set(schema["block"]["properties"]) == set(ENTRY_KEYS)
    assert set(schema["argument"]["anyOf"][-1]["properties"]) == set(ARGUMENT_KEYS)
    jsonschema.Draft7Validator.check_schema(declaration_schema())


def test_editors_agree_with_the_reader():
    """What is canonical fits the format; a wrong key or shape does not."""
    validator = jsonschema.Draft7Validator(declaration_schema())
    fits = {
        name: validator.is_valid(load_yaml(s["canonical"]))
        for name, s in STORIES.items()
        if "canonical" in s and name != "nothing"
    }

    assert fits == dict.fromkeys(fits, True)
    assert [
        validator.is_valid({"a": entry}) for entry in ({"nmae": "x"}, {"timeout": 0}, {"arguments": {"x": 5}}, 5)
    ] == [False] * 4


def test_the_bundled_declarations_fit_and_are_read():
    """Our own files are read, fit the format, and are canonical in one pass."""
    validator = jsonschema.Draft7Validator(declaration_schema())
    for file in sorted(REGISTRY.glob("*.yml")):
        text = file.read_text(encoding="utf-8")
        read = read_declarations(text, file=file.name)

        assert list(validator.iter_errors(load_yaml(text))) == []
        assert read_declarations(write_declarations(read)) == read
