"""What each provider takes, said a second time and apart from the rewrites: every export keeps to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings

from blockargs.dialects import DIALECTS, STRICT, blocks_from_tools, export_tools, lint_tools
from blockargs.dialects.gemini import openapi
from blockargs.dialects.render import rendering
from blockargs.dialects.rewrites.refs import recursive_definitions
from blockargs.imported import arg_schema
from blockargs.keywords import walk
from blockargs.node import ArgType
from blockargs.spec import Block, BlockArg, BlockArgs
from blockargs.validate import problems_in
from strategies import arg_types

SHAPES = yaml.safe_load((Path(__file__).parent / "cases/dialects/shapes.yaml").read_text(encoding="utf-8"))
ALL = {d.key: d for d in (*DIALECTS.values(), *STRICT.values())}
CORE = "type description properties required items anyOf enum "
STRICT_OPENAI = CORE + (
    "$ref $defs additionalProperties const minLength maxLength pattern format minimum maximum exclusiveMinimum "
    "exclusiveMaximum multipleOf minItems maxItems"
)
STRICT_CLAUDE = CORE + "$ref $defs additionalProperties const title format minItems"
# dialect -> the keywords that may stand in a schema of it
KEYWORDS = {
    "openai strict": STRICT_OPENAI,
    "openai-responses strict": STRICT_OPENAI,
    "mistral strict": STRICT_OPENAI.replace("minLength maxLength ", ""),
    "anthropic strict": STRICT_CLAUDE,
    "bedrock strict": STRICT_CLAUDE.replace("title ", "") + " pattern default",
    "gemini": CORE
    + "nullable title default format pattern minLength maxLength minimum maximum minItems maxItems minProperties "
    "maxProperties example",
    "gemini-json": CORE + "$ref $defs additionalProperties prefixItems minItems maxItems minimum maximum",
    "ollama": CORE,
    "llama-cpp": CORE
    + "additionalProperties const default title minLength maxLength pattern format minimum maximum exclusiveMinimum "
    "exclusiveMaximum minItems maxItems examples",
}
OPENAI_STRICT = ("openai strict", "openai-responses strict", "mistral strict")
CLOSED = (*OPENAI_STRICT, "anthropic strict", "bedrock strict")
ITEMS = (*CLOSED, "openai", "openai-responses", "mistral", "gemini", "ollama", "llama-cpp")
TYPED = (*CLOSED, "gemini")
LISTED = (*ITEMS, "gemini-json")
FLAT_ROOT = [k for k in ALL if k != "mcp"]


def kinds(node):
    kind = node.get("type", ())
    return {k.lower() for k in ([kind] if isinstance(kind, str) else kind)}


def unlisted(node):
    return set(node.get("required", ())) - set(node.get("properties", ()))


def optional_fields(node):
    return "object" in kinds(node) and node.get("required") != list(node["properties"])


# what is wrong with a node -> in which dialects, and how one sees it
WRONG = {
    "untyped": (TYPED, lambda n: not {"type", "anyOf", "$ref", "enum", "const"} & n.keys()),
    "a list without items": (ITEMS, lambda n: "array" in kinds(n) and not isinstance(n.get("items"), dict)),
    "an open record": (CLOSED, lambda n: "object" in kinds(n) and n.get("additionalProperties") is not False),
    "a required key that is no property": (LISTED, lambda n: "object" in kinds(n) and unlisted(n)),
    "an optional field": (OPENAI_STRICT, optional_fields),
    "something beside $ref": ((*OPENAI_STRICT, "gemini-json"), lambda n: "$ref" in n and len(n) > 1),
    "a reference": (("gemini", "ollama", "llama-cpp"), lambda n: "$ref" in n),
}


def breaks(key, schema):
    """Yield what in *schema* the dialect *key* would refuse."""
    if key in FLAT_ROOT and {"anyOf", "oneOf", "allOf"} & schema.keys():
        yield "a combinator at the root"
    if key != "mcp" and unlisted(schema):
        yield "a required key at the root that is no property"
    if key in ("anthropic strict", "bedrock strict") and recursive_definitions(schema):
        yield "a recursion"
    for _, node in walk(schema):
        if key in KEYWORDS and (extra := node.keys() - set(KEYWORDS[key].split())):
            yield f"keywords {extra}"
        yield from (f"{what}: {node}" for what, (where, seen) in WRONG.items() if key in where and seen(node))
        if key == "gemini":
            yield from gemini_breaks(node)


def gemini_breaks(node):
    if "anyOf" in node:
        if len(node) > 1:
            yield f"beside anyOf: {node}"
        return
    if not isinstance(node["type"], str) or not node["type"].isupper():
        yield f"type: {node}"
    if any(not isinstance(v, str) or not v for v in node.get("enum", ())):
        yield f"enum: {node}"
    if node.get("properties") == {}:
        yield f"empty properties: {node}"


def sent(block, dialect):
    """Return the schema as it is sent, ``None`` where the block is refused."""
    made = rendering(block, dialect)
    return None if made.problems else made.schema


@pytest.mark.parametrize("key", ALL)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s["name"])
def test_every_shape_keeps_to_the_rules(key, shape):
    """Nothing is refused, nothing in the export breaks a rule of its provider."""
    block = Block(uid="shape", schema=arg_schema(shape["schema"]))

    assert rendering(block, ALL[key]).problems == ()
    assert list(breaks(key, sent(block, ALL[key]))) == []


@pytest.mark.parametrize("key", ALL)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s["name"])
def test_every_shape_goes_there_and_back(key, shape):
    """Arguments that fit are taken by the export, and decoding gives them back."""
    block = Block(uid="shape", schema=arg_schema(shape["schema"]))
    export = export_tools(block, ALL[key])
    schema = ArgType(rendering(block, ALL[key]).plain)

    for value in shape["values"]:
        wire = export.encode("shape", value)
        assert problems_in(wire, schema) == []
        decoded = export.decode("shape", wire)
        assert decoded.ok, decoded.problems
        # null stands for "left out" in strict OpenAI
        assert decoded.value == value or export.encode("shape", decoded.value) == wire


def test_a_union_that_may_be_null_has_nothing_beside_it_in_gemini():
    """Null goes into the branches, also where the union was the only branch beside null."""
    union = {"anyOf": [{"type": "string"}, {"type": "integer"}]}

    assert openapi({"anyOf": [union, {"type": "null"}]}) == {
        "anyOf": [{"type": "STRING", "nullable": True}, {"type": "INTEGER", "nullable": True}]
    }


@given(kind=arg_types())
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
def test_every_type_keeps_to_the_rules(kind):
    """Whatever the type of an argument, its export breaks no rule of its provider."""
    block = Block(uid="drawn", arguments=BlockArgs({"a": BlockArg(type=kind, required=True)}))

    for key, dialect in ALL.items():
        schema = sent(block, dialect)
        if schema is not None:
            assert list(breaks(key, schema)) == [], key


def exported(node, dialect, *, needed=("a",)):
    """A tool of another server with the one argument `a`, in a dialect."""
    name, _, form = dialect.partition(" ")
    schema = {"type": "object", "properties": {"a": node}, "required": list(needed)}
    return export_tools(blocks_from_tools([{"name": "t", "inputSchema": schema}]), name, strict=bool(form))


WITHOUT_NOT = ["openai strict", "openai-responses strict", "anthropic strict", "bedrock strict", "mistral strict"]
WITHOUT_NOT += ["gemini", "gemini-json", "ollama", "llama-cpp"]
NEVER = [
    False,
    {"not": {}},
    {"not": True},
    {"type": "string", "not": {}},
    {"allOf": [{"type": "string"}, False]},
    {"anyOf": [False, {"not": {}}]},
    {"description": "never", "not": {}},
]


@pytest.mark.parametrize("dialect", WITHOUT_NOT)
@pytest.mark.parametrize("node", NEVER, ids=str)
def test_an_argument_that_nothing_fits_is_refused(node, dialect):
    """Where a dialect cannot say it, the block is no free text: it is named, and not offered."""
    export = exported(node, dialect)

    assert [(p.code, p.path) for p in export.problems] == [("nothing_fits", "$.a")]
    assert export.tools == []


@pytest.mark.parametrize("dialect", WITHOUT_NOT)
@pytest.mark.parametrize("node", [False, {"not": {}}, {"not": True}], ids=str)
def test_an_optional_argument_that_nothing_fits_is_left_out(node, dialect):
    """It can never be given, so the model does not see it; a note says so."""
    export = exported(node, dialect, needed=())

    assert ([p.code for p in export.problems], "field_never" in {n.rule for n in export.notes}) == ([], True)


@pytest.mark.parametrize("dialect", WITHOUT_NOT)
@pytest.mark.parametrize(
    ("node", "words"),
    [
        ({"type": "string", "not": {"enum": ["a"]}}, 'not {"enum": ["a"]}'),
        ({"type": "string", "not": {"const": None}}, 'not {"const": null}'),
        ({"if": {"const": 1}, "then": {"minimum": 1}, "type": "integer"}, 'if: {"const": 1}, then: {"minimum": 1}'),
        ({"type": "array", "items": {"type": "string"}, "contains": {"enum": ["a"]}}, 'some item is {"enum": ["a"]}'),
    ],
)
def test_what_is_told_in_words_is_told_as_it_was_written(node, words, dialect):
    """The words are the author's schema, not what a dialect made of it."""
    assert words in json.dumps(exported(node, dialect).tools).replace('\\"', '"')


def test_a_union_of_which_nothing_fits_stays_a_valid_schema():
    """An empty ``anyOf`` would spoil the request."""
    export = exported({"anyOf": [False, {"not": {}}]}, "openai")

    assert export.tools[0]["function"]["parameters"]["properties"] == {"a": {"not": {}}}


def test_a_block_that_takes_no_call_at_all_is_refused():
    """Its root refuses everything."""
    block = blocks_from_tools([{"name": "t", "inputSchema": {"type": "object", "not": {}}}])

    assert [(p.code, p.path) for p in export_tools(block, "gemini").problems] == [("nothing_fits", "$")]


@pytest.mark.parametrize("dialect", WITHOUT_NOT)
def test_a_reference_to_what_nothing_fits_is_no_other_than_that(dialect):
    """Behind two names it is found too: left out where it may be, else refused."""
    fields = {"a": {"$ref": "#/$defs/F"}, "b": {"type": "string"}}
    schema = {"type": "object", "properties": fields, "$defs": {"F": {"$ref": "#/$defs/G"}, "G": {"not": {}}}}
    name, _, form = dialect.partition(" ")

    free, needed = (
        export_tools([Block(uid="t", schema=arg_schema({**schema, "required": keys}))], name, strict=bool(form))
        for keys in ([], ["a"])
    )

    assert (free.problems, [p.code for p in needed.problems]) == ([], ["nothing_fits"])


@pytest.mark.parametrize("items", [False, {"not": {}}], ids=str)
def test_a_list_that_can_only_be_empty_stays_one(items):
    """A list of nothing is no list of anything."""
    export = exported({"type": "array", "items": items}, "openai")

    fields = export.tools[0]["function"]["parameters"]["properties"]
    assert fields == {"a": {"type": "array", "items": {}, "maxItems": 0}}


REQUIRES = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a", "b"]}
CLOSED_TO_B = {**REQUIRES, "additionalProperties": False}


@pytest.mark.parametrize("key", FLAT_ROOT)
def test_a_required_key_that_nothing_describes_is_listed(key):
    """Providers refuse a key that is required and no property; it takes any value, or what further keys take."""
    for more, value in (({}, {"c": [1]}), ({"additionalProperties": {"type": "integer"}}, 5)):
        export = export_tools(Block(uid="f", schema=arg_schema({**REQUIRES, **more})), ALL[key])

        assert [n.path for n in export.notes if n.rule == "required_listed"] == ["$.b"]
        schema = rendering(export._blocks["f"], ALL[key]).plain
        assert {"a", "b"} <= schema["properties"].keys()
        assert {"a", "b"} <= set(schema["required"])
        decoded = export.decode("f", export.encode("f", {"a": 1, "b": value}))
        assert (decoded.ok, decoded.value) == (True, {"a": 1, "b": value})


@pytest.mark.parametrize("key", FLAT_ROOT)
def test_a_required_key_that_can_never_be_given_is_a_problem(key):
    """No call would fit: the key and the cure are named."""
    export = export_tools(Block(uid="f", schema=arg_schema(CLOSED_TO_B)), ALL[key])

    said = f"block 'f' in {key}: 'b' is required, and can never be given: the record takes no such key"
    cure = "describe it among the properties, or do not require it"
    assert [(p.code, p.path, p.message, p.hint) for p in export.problems] == [("nothing_fits", "$.b", said, cure)]


@pytest.mark.parametrize("key", LISTED)
def test_an_optional_record_that_nothing_fits_is_left_out(key):
    """It is no reason to refuse the block; a needed one is, also as the only branch of a union."""
    schema = {"type": "object", "properties": {"r": CLOSED_TO_B, "u": {"anyOf": [CLOSED_TO_B, {"type": "integer"}]}}}

    free = export_tools(Block(uid="f", schema=arg_schema(schema)), ALL[key])
    needed = export_tools(Block(uid="f", schema=arg_schema({**schema, "required": ["r"]})), ALL[key])

    assert ([n.path for n in free.notes if n.rule == "field_never"], free.problems) == (["$.r"], [])
    assert (needed.tools, [p.path for p in needed.problems]) == ([], ["$.r.b"])


NO_RECORD = CLOSED_TO_B
NAMED = {"$defs": {"T": NO_RECORD, "U": {"$ref": "#/$defs/T"}}}
MANY = {"type": "array", "items": {"type": "integer"}}
PLACES = {
    "or null": ({**NO_RECORD, "type": ["object", "null"]}, None),
    "beside one that fits": ({**REQUIRES, "type": ["object", "null"]}, {"a": 1, "b": 2}),
    "without a type": ({k: v for k, v in NO_RECORD.items() if k != "type"}, "x"),
    "items": ({"type": "array", "items": NO_RECORD}, []),
    "values of a map": ({"type": "object", "additionalProperties": NO_RECORD}, {}),
    "values of a pattern": ({"type": "object", "patternProperties": {"^x": NO_RECORD}}, {"k": 1}),
    "names": ({"type": "object", "propertyNames": NO_RECORD}, {}),
    "a place": ({"type": "array", "prefixItems": [{"type": "integer"}, NO_RECORD]}, [1]),
    "the first place": ({"type": "array", "prefixItems": [NO_RECORD]}, []),
    "what is left of a list": ({**MANY, "unevaluatedItems": NO_RECORD}, [1]),
    "behind two names": ({"$ref": "#/$defs/U"}, None),
    "not": ({**MANY, "not": NO_RECORD}, [1]),
    "if": ({**MANY, "if": NO_RECORD, "then": {"maxItems": 0}}, [1]),
    "then": ({**MANY, "if": {"maxItems": 0}, "then": NO_RECORD}, [1]),
    "all of": ({"allOf": [NO_RECORD, {"type": "object"}]}, None),
    "each of a union": ({"anyOf": [NO_RECORD, {"$ref": "#/$defs/T"}]}, None),
    "what a record needs": ({"type": "object", "properties": {"q": NO_RECORD}, "required": ["q"]}, None),
    "what a value of another type needs not": (
        {"type": ["object", "string"], "properties": {"q": NO_RECORD}, "required": ["q"]}, "x"
    ),
    "a part of a union of records": ({**REQUIRES, "required": [], "anyOf": [NO_RECORD, {"required": ["a"]}]}, {"a": 1}),
    "named by nobody": (MANY, [1]),
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_a_record_that_can_never_be_given_spoils_no_block(place):
    """Where calls do without it, every dialect offers the block, and the calls come back."""
    node, value = PLACES[place]
    schema = {"type": "object", "properties": {"r": node, "n": {"type": "integer"}}, **NAMED}
    block = Block(uid="f", schema=arg_schema(schema))
    for dialect in ALL.values():
        export = export_tools(block, dialect)

        assert export.problems == []
        for call in ({"n": 1}, {"n": 1, "r": value} if value is not None or place == "or null" else {}):
            decoded = export.decode("f", export.encode("f", call))
            assert (dialect.key, decoded.ok, {**decoded.value, "r": decoded.value.get("r")}) == (
                dialect.key, True, {**call, "r": call.get("r")},
            )  # fmt: skip


@pytest.mark.parametrize("key", LISTED)
def test_a_record_that_every_call_needs_refuses_the_block(key):
    """Also behind names, and within one another; one that holds itself is none."""
    inner = {"type": "object", "properties": {"q": {"$ref": "#/$defs/U"}, "n": True}, "required": ["q", "n"]}
    schema = {"type": "object", "properties": {"r": inner}, "required": ["r"], **NAMED}
    itself = {"type": "object", "properties": {"t": {"$ref": "#/$defs/T"}}, "required": ["t", "x"]}
    endless = {**schema, "$defs": {"T": itself, "U": {"$ref": "#/$defs/T"}}}

    refused, held = (export_tools(Block(uid="f", schema=arg_schema(s)), ALL[key]) for s in (schema, endless))

    assert [(p.code, p.path) for p in refused.problems] == [("nothing_fits", "$.r.q.b")]
    assert [p for p in held.problems if p.code == "nothing_fits"] == []


@pytest.mark.parametrize("key", ["openai", "gemini", "llama-cpp"])
def test_what_no_record_is_is_told(key):
    """The types that are left are noted, and shown."""
    export = export_tools(
        Block(uid="f", schema=arg_schema({"type": "object", "properties": {"r": PLACES["or null"][0]}})), ALL[key]
    )

    (note,) = [n for n in export.notes if n.rule == "record_never"]
    message = "block 'f': no record can be given here, only 'null'"
    assert (note.path, note.before, note.after, note.message) == ("$.r", ["object", "null"], ["null"], message)


def test_a_part_without_a_type_that_asks_the_impossible_is_left_as_it_is():
    """It is about the record around it; that its key cannot be given is noted, and no reason to refuse the block."""
    part = {"properties": {"a": {}}, "required": ["a", "b"], "additionalProperties": False}
    record = {"type": "object", "properties": {"a": {}}, "then": part, "if": {"required": ["a"]}}
    fields = {"r": record, "c": {**part, "anyOf": [{"type": "string"}]}}

    export = export_tools(Block(uid="f", schema=arg_schema({"type": "object", "properties": fields})), "openai")

    assert export.tools[0]["function"]["parameters"]["properties"] == fields
    assert [(n.rule, n.path) for n in export.notes] == [("required_never", "$.r.b"), ("required_never", "$.c.b")]


def test_a_branch_may_require_what_is_described_around_it():
    """Beside the branch, around it, or in another part of an ``allOf``: nothing is to be listed, or told."""
    part = {"properties": {"kind": {"const": "x"}}, "required": ["b"]}
    described = {"kind": {"type": "string"}, "b": {"type": "integer"}}
    fields = {
        "u": {"type": "object", "properties": described, "anyOf": [part, {"required": ["kind"]}]},
        "t": {"type": "object", "properties": described, "if": {"required": ["kind"]}, "then": {"allOf": [part]}},
        "s": {"type": "object", "allOf": [part, {"properties": described}]},
    }
    block = Block(uid="f", schema=arg_schema({"type": "object", "properties": fields}))

    (mcp, openai) = lint_tools(block, ["mcp", "openai"])

    assert (mcp.notes, openai.notes) == ((), ())
    sent = export_tools(block, "openai").tools[0]["function"]["parameters"]["properties"]
    assert sent == {**fields, "s": {**fields["s"], "properties": {}}}


@pytest.mark.parametrize(
    ("patterns", "field"),
    [
        ({"^b": {"type": "integer"}}, {"type": "integer"}),
        ({"^b": {"type": "integer"}, "b$": {"minimum": 3}}, {}),
        ({"^b": True}, {}),
        ({"^b": False}, None),
        ({"^c": {"type": "integer"}}, None),
    ],
)
def test_a_required_key_of_a_pattern_takes_what_the_pattern_says(patterns, field):
    """Where the keyword for patterns is sent, it decides; what no pattern takes, a closed record does not."""
    export = export_tools(
        Block(uid="f", schema=arg_schema({**CLOSED_TO_B, "patternProperties": patterns})), "anthropic"
    )

    listed = [tool["input_schema"]["properties"].get("b") for tool in export.tools]
    assert listed == ([] if field is None else [field])


def test_keys_that_a_free_object_must_have_are_told():
    """Where an object is given as text, or a table as a list, the keys stand in words."""
    fields = {
        "o": {"type": "object", "required": ["b", "c"]},
        "m": {"type": "object", "additionalProperties": {"type": "integer"}, "required": ["b"]},
    }

    (tool,) = export_tools(Block(uid="f", schema=arg_schema({"type": "object", "properties": fields})), "gemini").tools

    told = {name: field["description"] for name, field in tool["parameters"]["properties"].items()}
    assert told == {
        "o": "A JSON object, written as JSON text such as {\"key\": 1}, with the keys 'b' and 'c'",
        "m": "a list of key and value, each key once, with the key 'b'",
    }


def test_what_every_branch_of_a_root_requires_is_kept():
    """Also where no branch describes it."""
    schema = {
        "type": "object",
        "properties": {"a": {}},
        "required": ["x"],
        "anyOf": [{"required": ["a", "y"]}, {"required": ["y"]}],
    }

    (tool,) = export_tools(Block(uid="f", schema=arg_schema(schema)), "anthropic").tools

    assert tool["input_schema"]["required"] == ["x", "y"]
    assert list(tool["input_schema"]["properties"]) == ["a", "x", "y"]
