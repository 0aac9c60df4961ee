"""pydantic models and types, attrs classes: what they say, and what they refuse."""

from __future__ import annotations

import dataclasses
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Generic, Literal, NamedTuple, Optional, Required, TypedDict, TypeVar, Union
from uuid import UUID

import attrs
import pydantic
import pytest
from annotated_types import Ge, doc
from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Discriminator, Field, RootModel, StringConstraints
from pydantic.dataclasses import dataclass as pydantic_dataclass
from pydantic_core import core_schema
from typing_extensions import Doc, TypeAliasType

from blockargs.derive import Arg, arg_type_of, decode, derive_args, derive_block, encode, parameters_of
from blockargs.dispatch import Toolset
from blockargs.errors import InvalidArgumentsError, UnsupportedAnnotationError
from blockargs.registry import Registry

T = TypeVar("T")


def refused(annotation, value):
    """Return path and message of each problem."""
    with pytest.raises(InvalidArgumentsError) as caught:
        decode(annotation, value)
    return [(p.path, p.message) for p in caught.value.problems]


class User(BaseModel):
    """Who asks."""

    model_config = ConfigDict(strict=True)
    name: str = Field(alias="fullName", min_length=1, description="As in the passport.")
    born: date = date(2000, 1, 1)
    tags: set[str] = Field(default_factory=set)
    raw: bytes = b""
    friend: Optional[User] = None

    @pydantic.field_validator("name")
    @classmethod
    def known(cls, value):
        if value == "nobody":
            raise ValueError("nobody is no name")
        return value


def test_a_model_is_a_record_of_its_fields():
    """Aliases are the names on the wire; bounds, texts, defaults and recursion as for any other."""
    body = arg_type_of(User)["$defs"]["User"]

    assert body["description"] == "Who asks."
    assert body["required"] == ["fullName"]
    assert body["additionalProperties"] is False
    assert body["properties"]["fullName"] == {"type": "string", "description": "As in the passport.", "minLength": 1}
    assert body["properties"]["born"] == {"type": "string", "format": "date", "default": "2000-01-01"}
    assert body["properties"]["tags"] == {
        "type": "array",
        "items": {"type": "string"},
        "uniqueItems": True,
        "default": [],
    }


def test_a_model_is_built_by_its_own_validation():
    """Strict models get dates and sets, not texts; nested ones too; writing is the inverse."""
    made = decode(
        User, {"fullName": "Ann", "born": "1990-05-01", "tags": ["a"], "raw": "eA==", "friend": {"fullName": "B"}}
    )

    assert made == User(fullName="Ann", born=date(1990, 5, 1), tags={"a"}, raw=b"x", friend=User(fullName="B"))
    assert decode(User, encode(User, made)) == made
    assert decode(User, made) is made


def test_what_a_validator_refuses_is_a_problem_at_its_path():
    """The text of the author, the path of the value, also inside of others."""
    assert refused(User, {"fullName": "nobody"}) == [("$.fullName", "nobody is no name")]
    assert refused(list[User], [{"fullName": "A", "friend": {"fullName": "nobody"}}]) == [
        ("$[0].friend.fullName", "nobody is no name")
    ]


def test_a_model_as_constructor_refuses_before_it_is_called():
    """Its validators speak through the problems of the call."""
    block = derive_block(User)
    args, kwargs = block.binding.bind({"fullName": "Ann", "born": "1990-05-01"}, {})

    assert User(*args, **kwargs) == User(fullName="Ann", born=date(1990, 5, 1))
    assert block.description == "Who asks."
    with pytest.raises(InvalidArgumentsError) as caught:
        block.binding.bind({"fullName": "nobody"}, {})
    assert caught.value.problems[0].path == "$.fullName"


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int


class Dated(BaseModel):
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, date]
    a: int


class Ignoring(BaseModel):
    a: int


def test_further_keys_are_taken_only_where_the_model_keeps_them():
    """extra="allow" is open, typed where it is typed; one that would drop them is closed."""
    assert arg_type_of(Open)["additionalProperties"] is True
    assert arg_type_of(Dated)["additionalProperties"] == {"type": "string", "format": "date"}
    assert arg_type_of(Ignoring)["additionalProperties"] is False
    made = decode(Dated, {"a": 1, "z": "2024-01-31"})
    assert made.z == date(2024, 1, 31)
    assert encode(Dated, made) == {"a": 1, "z": "2024-01-31"}
    assert encode(Open, decode(Open, {"a": 1, "z": [1]})) == {"a": 1, "z": [1]}


class Names(RootModel[list[date]]):
    pass


class Box(BaseModel, Generic[T]):
    value: T


def test_root_models_and_generic_models():
    """One value without a name; type arguments are filled in."""
    assert arg_type_of(Names) == {"type": "array", "items": {"type": "string", "format": "date"}}
    assert decode(Names, ["2024-01-31"]) == Names([date(2024, 1, 31)])
    assert encode(Names, Names([date(2024, 1, 31)])) == ["2024-01-31"]
    assert encode(list[Any], [1]) == [1]
    assert arg_type_of(Box[int])["properties"]["value"] == {"type": "integer"}
    assert decode(Box[int], {"value": 1.0}) == Box[int](value=1)
    assert [p.name for p in parameters_of(Names)] == ["root"]


class Car(BaseModel):
    kind: Literal["car"] = "car"
    doors: int = 4


class Bike(BaseModel):
    kind: Literal["bike"] = "bike"


class Ride(BaseModel):
    by: Union[Car, Bike] = Field(discriminator="kind")


@pytest.mark.parametrize(
    "annotation",
    [Car | Bike, Annotated[Car | Bike, Field(discriminator="kind")], Annotated[Car | Bike, Discriminator("kind")]],
)
def test_a_discriminator_tags_the_union(annotation):
    """Named or found; the tag is required, it alone decides."""
    node = arg_type_of(annotation)

    assert node["discriminator"] == {"propertyName": "kind"}
    assert [v["required"] for v in node["oneOf"]] == [["kind"], ["kind"]]
    assert decode(annotation, {"kind": "bike"}) == Bike()
    assert encode(annotation, Car()) == {"kind": "car", "doors": 4}


def test_a_discriminator_of_a_field_tags_its_union():
    """As in Annotated."""
    assert arg_type_of(Ride)["properties"]["by"]["discriminator"] == {"propertyName": "kind"}
    assert decode(Ride, {"by": {"kind": "car", "doors": 2}}) == Ride(by=Car(doors=2))


class Firm(BaseModel):
    email: str
    vat: str | None = None


class Person(BaseModel):
    email: str


def test_two_variants_that_fit_are_a_problem_that_names_both():
    """Nothing is guessed."""
    assert decode(Firm | Person, {"email": "a", "vat": "b"}) == Firm(email="a", vat="b")
    assert refused(Firm | Person, {"email": "a"}) == [("$", '{"email": "a"} fits more than one of Firm and Person')]


def fields(
    a: int = Field(5, ge=1, description="first"),
    b: Annotated[int, Field(alias="bee", examples=[7])] = 3,
    c: list[int] = Field(default_factory=list),
    d: Annotated[int, Field(default=9)] = ...,
    *,
    e: Annotated[str, Field(validation_alias=AliasChoices("e1", "e2", AliasPath("x", 0)))],
    f: Union[Car, Bike] = Field(..., discriminator="kind"),
    g=Field(1),
):
    return [a, b, c, d, e, f, g]


def test_fields_in_a_signature():
    """As a default or in Annotated: bounds, texts, aliases, defaults and factories; the function gets values, not Fields."""
    block = derive_block(fields)
    schema = block.input_schema()

    assert schema["required"] == ["e1", "f"]
    assert schema["properties"]["a"] == {"type": "integer", "description": "first", "minimum": 1, "default": 5}
    assert (schema["properties"]["c"]["default"], schema["properties"]["g"]) == ([], {"default": 1})
    assert block.arguments["bee"].example == 7
    assert block.arguments["e1"].aliases == ("e2",)
    args, kwargs = block.binding.bind({"bee": 4.0, "e1": "x", "f": {"kind": "bike"}, "d": 1}, {})
    assert fields(*args, **kwargs) == [5, 4, [], 1, "x", Bike(), 1]


def test_an_alias_that_two_share_is_refused():
    """Both parameters are named."""

    def f(a: Annotated[int, Field(alias="x")], x: int): ...

    with pytest.raises(UnsupportedAnnotationError) as caught:
        derive_block(f)

    assert caught.value.problems[0].message == "'a' and 'x' are both called 'x' by callers"


@pytest.mark.parametrize(
    ("annotation", "value", "made"),
    [
        (Annotated[str, pydantic.AfterValidator(str.upper)], "a", "A"),
        (Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)], " a ", "a"),
        (Annotated[str, StringConstraints(pattern="^a")], "ab", "ab"),
        (pydantic.PositiveInt, 3, 3),
        (pydantic.conint(ge=3), 3, 3),
        (pydantic.StrictInt, 3, 3),
        (pydantic.UUID4, "123e4567-e89b-42d3-a456-426614174000", UUID("123e4567-e89b-42d3-a456-426614174000")),
        (pydantic.Base64Bytes, "eA==", b"x"),
        (pydantic.AnyUrl, "http://a.b/c", pydantic.AnyUrl("http://a.b/c")),
        (Annotated[Decimal, Field(max_digits=3)], "1.25", Decimal("1.25")),
        (Annotated[date, Field(gt=date(2020, 1, 1))], "2021-01-01", date(2021, 1, 1)),
        (TypeAliasType("Days", list[date]), ["2021-01-01"], [date(2021, 1, 1)]),
    ],
    ids=str,
)
def test_the_types_of_pydantic(annotation, value, made):
    """Bounds and validators beside a type, and classes that only pydantic understands."""
    assert decode(annotation, value) == made
    assert decode(annotation, encode(annotation, made)) == made


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (Annotated[str, pydantic.AfterValidator(lambda v: 1 / 0 if v == "z" else int(v))], "a"),
        (Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)], " "),
        (Annotated[str, StringConstraints(pattern="^a")], "b"),
        (pydantic.PositiveInt, 0),
        (pydantic.UUID4, "00000000-0000-1000-8000-000000000000"),
        (pydantic.AnyUrl, "no url"),
        (Annotated[Decimal, Field(max_digits=3)], "1.2345"),
        (Annotated[date, Field(gt=date(2020, 1, 1))], "2019-01-01"),
    ],
    ids=str,
)
def test_the_types_of_pydantic_refuse(annotation, value):
    """With a problem, never with pydantic's own error."""
    assert refused(annotation, value)[0][0] == "$"


def test_a_secret_is_never_written():
    """Its encoding hides it."""
    assert decode(pydantic.SecretStr, "pw").get_secret_value() == "pw"
    assert encode(pydantic.SecretStr, pydantic.SecretStr("pw")) == "**********"
    assert derive_block(User).binding.encode(pydantic.SecretStr("pw")) == "**********"


def test_a_class_that_pydantic_cannot_describe_is_refused():
    """With its reason."""

    class NoSchema:
        @classmethod
        def __get_pydantic_core_schema__(cls, source, handler):
            return core_schema.is_instance_schema(cls)

    class Broken:
        @classmethod
        def __get_pydantic_core_schema__(cls, source, handler):
            raise KeyError("broken")

    for cls in (NoSchema, Broken):
        with pytest.raises(UnsupportedAnnotationError) as caught:
            arg_type_of(cls)
        assert "pydantic" in str(caught.value)


@pydantic_dataclass
class Setting:
    """A setting.

    Attributes:
        name: Its name.
    """

    name: str = Field(alias="called", min_length=1)
    size: Annotated[int, Ge(1)] = 3


def test_a_pydantic_dataclass_is_a_dataclass_with_fields():
    """Aliases and bounds count; its refusals are problems."""
    assert arg_type_of(Setting)["properties"]["called"] == {
        "type": "string",
        "description": "Its name.",
        "minLength": 1,
    }
    assert decode(Setting, {"called": "a"}) == Setting(called="a")
    assert [p.wire_name for p in parameters_of(Setting)] == ["called", "size"]
    assert decode(Setting, encode(Setting, Setting(called="a", size=2))) == Setting(called="a", size=2)


@attrs.define
class Point:
    """A point.

    Attributes:
        x: To the right.
    """

    x: int
    _y: float = 0.5
    names: list[str] = attrs.Factory(list)
    made: Any = attrs.field(init=False, default=0)
    zed: int = attrs.field(default=1, alias="z", converter=int)
    code: str = attrs.field(default="a", kw_only=True, validator=attrs.validators.max_len(3))
    late: object = attrs.field(
        default=attrs.Factory(lambda self: self.x, takes_self=True), metadata={"description": "Late."}
    )


def test_an_attrs_class_is_a_record_of_its_attributes():
    """Private names and aliases as its __init__ has them; converters take anything, validators refuse."""
    node = arg_type_of(Point)

    assert list(node["properties"]) == ["x", "y", "names", "z", "code", "late"]
    assert node["properties"]["x"] == {"type": "integer", "description": "To the right."}
    assert node["properties"]["z"] == {"default": 1}
    assert node["properties"]["late"] == {"description": "Late."}
    assert node["required"] == ["x"]
    made = decode(Point, {"x": 1.0, "y": 2, "z": "7", "names": ["a"]})
    assert made == Point(1, 2.0, ["a"], "7")
    assert decode(Point, encode(Point, made)) == made
    assert refused(Point, {"x": 1, "code": "abcd"}) == [("$.code", "'abcd' has 4 characters, at most 3 are allowed")]


def test_an_attrs_class_is_a_constructor():
    """Its arguments are those of its __init__; the text that attrs writes is no description."""

    @attrs.define
    class Bare:
        _x: int
        y: list[int] = attrs.Factory(list)

    assert [(p.name, p.has_default) for p in parameters_of(Bare)] == [("x", False), ("y", True)]
    assert derive_block(Bare).description is None
    assert derive_block(Bare).binding.bind({"x": 1.0}, {}) in (([], {"x": 1}), ([], {"x": 1, "y": []}))


def test_texts_from_other_libraries_describe():
    """typing_extensions.Doc and annotated_types.doc."""

    def f(
        a: Annotated[int, Doc("The a.")],
        b: Annotated[int, doc("The b.")],
        c: Annotated[Annotated[int, Doc("x")], "The c."],
    ): ...

    assert [arg.description for arg in derive_args(f).values()] == ["The a.", "The b.", "The c."]


def test_a_field_has_neither_aliases_nor_a_header():
    """Those are for the arguments of a block; hidden needs a default, and leaves the schema."""

    @dataclasses.dataclass
    class Bad:
        x: Annotated[int, Arg(aliases=["y"])]

    @dataclasses.dataclass
    class Worse:
        x: Annotated[int, Arg(hidden=True)]

    @dataclasses.dataclass
    class Good:
        x: Annotated[slice, Arg(hidden=True)] = None
        y: Annotated[slice, Arg("S", type={"type": "string"}, error="no")] = dataclasses.field(default_factory=object)
        z: int = dataclasses.field(default=1, metadata={"description": "The z."})

    for cls in (Bad, Worse):
        with pytest.raises(UnsupportedAnnotationError) as caught:
            arg_type_of(cls)
        assert caught.value.problems[0].path == "$.x"
    node = arg_type_of(Good)
    assert node["properties"] == {
        "y": {"type": "string", "description": "S"},
        "z": {"type": "integer", "description": "The z.", "default": 1},
    }
    assert node["properties"]["y"].error == "no"


class Order(BaseModel):
    sku: str = Field(pattern="^[A-Z]+$", description="What.")
    qty: int = Field(default=1, gt=0, le=100)
    price: Decimal = Field(default=Decimal(1), ge=0)
    best: int = Field(default=3, alias="Best", lt=9)
    few: list[Annotated[int, Field(gt=2)]] = Field(default_factory=list, max_length=2)
    limit: Optional[int] = Field(None, ge=2)
    by: Union[Car, Bike] = Field(default=Car(), discriminator="kind")

    @pydantic.field_validator("sku")
    @classmethod
    def sold(cls, value):
        if value == "GONE":
            raise ValueError("it is sold out")
        return value


@pydantic_dataclass
class Row:
    sku: str = Field(pattern="^[A-Z]+$")
    qty: Annotated[int, Field(gt=2)] = Field(3, le=100)

    @pydantic.field_validator("qty")
    @classmethod
    def even(cls, value):
        if value % 2 == 0:
            raise ValueError("it is even")
        return value


@dataclasses.dataclass
class Bounded:
    a: Annotated[int, Ge(1), "The a."]
    b: Annotated[list[int], Field(max_length=2)] = dataclasses.field(default_factory=list)


@attrs.define
class Marked:
    a: Annotated[int, Ge(1), "The a."] = attrs.field(metadata={"description": "The better text."})
    b: Annotated[list[int], Field(max_length=2)] = attrs.Factory(list)


class Keyed(TypedDict):
    a: Required[Annotated[int, Ge(1), "The a."]]


class Placed(NamedTuple):
    a: Annotated[int, Ge(1), "The a."]


class Short(RootModel[list[int]]):
    root: list[int] = Field(max_length=2)


class Stripped(BaseModel):
    qty: int = Field(gt=0, description="How many.")

    def __init__(self, qty: int, **rest: Any):
        super().__init__(qty=qty, **rest)


@pytest.mark.parametrize("cls", [Order, Row, Bounded, Marked, Keyed, Placed, Stripped, Setting, Point, User], ids=str)
def test_a_class_says_the_same_as_constructor_and_as_field(cls):
    """Bounds, texts, defaults, aliases and tags reach the schema on both ways."""
    node = arg_type_of(cls)
    body = node["$defs"][cls.__name__] if "$ref" in node else node

    schema = derive_block(cls).input_schema()
    assert schema["properties"] == body["properties"]
    assert schema.get("required") == body.get("required")


def test_the_bounds_of_fields_are_in_the_schema():
    """As the author wrote them, beside their names on the wire."""
    assert derive_block(Order).input_schema()["properties"] | {"price": 0, "by": 0} == {
        "sku": {"type": "string", "description": "What.", "pattern": "^[A-Z]+$"},
        "qty": {"type": "integer", "exclusiveMinimum": 0, "maximum": 100, "default": 1},
        "price": 0,
        "Best": {"type": "integer", "exclusiveMaximum": 9, "default": 3},
        "few": {"type": "array", "items": {"type": "integer", "exclusiveMinimum": 2}, "maxItems": 2, "default": []},
        "limit": {"type": ["integer", "null"], "minimum": 2},
        "by": 0,
    }
    assert arg_type_of(Short) == {"type": "array", "items": {"type": "integer"}, "maxItems": 2}
    assert derive_block(Short).input_schema()["properties"] == {"root": arg_type_of(Short)}


def bound(cls, arguments):
    """Return path and message of each problem of a call of *cls* with JSON that fits its types."""
    with pytest.raises(InvalidArgumentsError) as caught:
        derive_block(cls).binding.bind(arguments, {})
    return [(p.path, p.message) for p in caught.value.problems]


class Basket(BaseModel):
    first: Order
    orders: list[Order] = []
    size: Annotated[Decimal, Ge(1)] = Decimal(1)
    raw: bytes = b""
    count: int = Field(1, gt=0)
    owner: str = "me"

    @pydantic.field_validator("owner")
    @classmethod
    def known(cls, value):
        if value == "nobody":
            raise ValueError("nobody is no owner")
        return value

    @pydantic.model_validator(mode="before")
    @classmethod
    def whole(cls, fields):
        if fields.get("owner") == "whole" or fields["first"].sku == "WHOLE":
            raise ValueError("the whole is wrong")
        return fields


GONE = {"sku": "GONE", "price": "-1"}
GONE_TWICE = [("price", "'-1' is below the minimum 0"), ("sku", "it is sold out")]


def test_all_that_is_wrong_with_a_model_is_told_at_once():
    """What validators refuse, beside what a bound refuses: at the top, nested, and in each member of a list."""

    class Plain(BaseModel):
        first: Order
        orders: list[Order] = []
        owner: Annotated[str, pydantic.AfterValidator(User.known)] = "me"

    wrong = [(f"$.first.{key}", said) for key, said in GONE_TWICE]
    wrong += [(f"$.orders[{i}].{key}", said) for i in (0, 2) for key, said in GONE_TWICE]
    given = {"first": GONE, "orders": [GONE, {"sku": "A"}, GONE], "owner": "nobody"}

    assert bound(Plain, given) == refused(Plain, given) == [*wrong, ("$.owner", "nobody is no name")]
    assert bound(Order, GONE) == [(f"$.{key}", said) for key, said in GONE_TWICE]


def test_create_and_a_toolset_tell_all_in_one_answer():
    """What the schema knows is told in its words, at the top and nested alike."""
    registry = Registry()
    registry.register(Basket, uid="basket")
    given = {"first": {"sku": "a", "qty": 0}, "orders": [{"sku": "A", "few": [1]}], "count": 0, "owner": "me"}

    with pytest.raises(InvalidArgumentsError) as caught:
        registry.create("basket", **given)

    told = Toolset(registry).run({"tool": "basket", **given}).problems
    assert [str(p) for p in told] == [str(p) for p in caught.value.problems]
    assert [(p.path, p.code) for p in told] == [
        ("$.first.sku", "pattern_mismatch"),
        ("$.first.qty", "too_small"),
        ("$.orders[0].few[0]", "too_small"),
        ("$.count", "too_small"),
    ]


def test_a_check_of_the_whole_waits_for_its_parts():
    """A validator of the whole is not believed, nor may it crash, while one of its parts is wrong."""
    assert bound(Basket, {"first": GONE, "owner": "nobody"}) == [(f"$.first.{key}", s) for key, s in GONE_TWICE]
    assert bound(Basket, {"first": GONE, "owner": "whole"}) == [(f"$.first.{key}", s) for key, s in GONE_TWICE]
    assert bound(Basket, {"first": {"sku": "A"}, "owner": "whole"}) == [("$", "the whole is wrong")]
    assert bound(Basket, {"first": {"sku": "A"}, "size": "0.5"}) == [("$.size", "'0.5' is below the minimum 1")]
    assert bound(Basket, {"first": {"sku": "A"}, "raw": "?"})[0][0] == "$.raw"


def test_every_class_of_pydantic_refuses_before_it_is_called():
    """A model of one value and a pydantic dataclass as well; what is right is built."""

    class Sum(RootModel[list[int]]):
        @pydantic.field_validator("root")
        @classmethod
        def small(cls, value):
            if sum(value) > 9:
                raise ValueError("it is too much")
            return value

    assert bound(Row, {"sku": "A", "qty": 4}) == [("$.qty", "it is even")]
    assert bound(Sum, {"root": [5, 5]}) == [("$.root", "it is too much")]
    assert Sum(**derive_block(Sum).binding.bind({"root": [5.0]}, {})[1]) == Sum([5])
    assert Row(**derive_block(Row).binding.bind({"sku": "A"}, {})[1]) == Row("A")


def test_a_validator_of_a_field_runs_once():
    """What it makes of a value is not given to it again."""

    class Doubled(BaseModel):
        x: Annotated[int, pydantic.AfterValidator(lambda value: value * 2)]

    assert decode(Doubled, {"x": 2}).x == 4
    assert Doubled(**derive_block(Doubled).binding.bind({"x": 2}, {})[1]).x == 4


def test_an_init_of_the_author_is_what_a_model_is_called_by():
    """Where it says the same as the field, the bounds of the field count; where not, they do not."""

    class Parsed(BaseModel):
        qty: int = Field(gt=0)

        def __init__(self, qty: str = "1"):
            super().__init__(qty=int(qty))

    assert derive_block(Parsed).input_schema()["properties"] == {"qty": {"type": "string", "default": "1"}}
    assert derive_block(Stripped).input_schema()["properties"]["qty"] == {
        "type": "integer",
        "description": "How many.",
        "exclusiveMinimum": 0,
    }
