"""From a typed, documented constructor to its arguments and its block."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Unpack

from .._text import did_you_mean, listing, quoted
from ..errors import (
    BlockArgsError,
    InvalidBlockArgTypeError,
    InvalidBlockError,
    Problem,
    UnknownBlockArgError,
    UnknownOptionError,
    UnsupportedAnnotationError,
    at,
)
from ..imported import arg_schema
from ..keywords import followed
from ..node import ArgType, FrozenList, frozen
from ..spec import MISSING, Block, BlockArg, BlockArgs, ConstructorRef, as_block_arg, as_block_args
from ..spelling import parse_type
from ..validate.scan import is_utf8
from .agree import laid_over, narrowed
from .binding import codec_of_parameter, codec_or_any, made_binding
from .codec import Codec
from .docstrings import Docs, docs_of, docs_of_class
from .hints import UNTYPED
from .mistaken import subject_of
from .notes import notes_of
from .output import output_of
from .records import beneath, default_as_json
from .remarks import NONE, merged, peeled
from .signature import Parameter, parameters_of, uid_of
from .site import innermost, shown, unwritable

if TYPE_CHECKING:
    from ..spec.options import BlockOptions

Codecs = dict[str, Codec]


def derive_args(obj: Any, /, **overrides: Any) -> BlockArgs:
    """Return the arguments of *obj*: from its signature, annotations and docstring.

    >>> def head(n: int = 5): "Keep rows."
    >>> derive_args(head, n="Rows to keep")["n"].type
    {'type': 'integer'}

    Args:
        obj: A function, class, record class, partial, bound method or callable object.
        **overrides: Name for callers → what is laid over the derivation: a description, a type, a
            `new_block_arg(…)`; ``None`` hides the argument.

    Raises:
        UnsupportedAnnotationError: Annotations cannot be expressed; each is named, with the cure.
        UnknownBlockArgError: An override names no parameter.
        InvalidArgTypeError: A type in the docstring is malformed.
        InvalidBlockArgTypeError: A type in the docstring does not agree with the annotation.
    """
    return _derived(obj, parameters_of(obj), overrides, _docs(obj))[0]


def derive_block(obj: Callable[..., Any], /, **overrides: Unpack[BlockOptions]) -> Block:
    """Return the block that *obj* makes, without registering it.

    Args:
        obj: As in `derive_args`.
        **overrides: Fields of `Block` that replace the derivation: ``uid``, ``name``,
            ``description``, ``guidance``, ``examples``, … and ``arguments`` (the whole
            documented set), ``input_schema`` and ``output_schema`` (each replaces the derived one).

    Raises:
        BlockArgsError: As in `derive_args`.
        UnknownOptionError: An override is no field of a block.
        InvalidBlockError: One is no list where a list belongs, or both `arguments` and `input_schema` are given.
    """
    return described(obj, overrides)


def described(obj: Any, overrides: Mapping[Any, Any]) -> Block:
    """Return the block that *obj* makes, like `derive_block`; a key of *overrides* need not be a text to be refused."""
    given = _fields_given(overrides, lambda: subject_of(obj))
    parameters = parameters_of(obj)
    docs = _docs(obj)
    arguments, codecs = _arguments(obj, parameters, given, docs)
    output = output_of(obj)
    uid = uid_of(obj) if (named := given.pop("uid", None)) is None else named
    package = str(getattr(innermost(obj), "__module__", None) or "").partition(".")[0]
    own = arguments.example()
    found: dict[str, Any] = {
        "name": str(uid or uid_of(obj)).replace("_", " ").replace("-", " "),
        "description": docs.text or None,
        "package": None if package in ("", "__main__", "builtins") else package,
        "output_schema": None if output is None else _rooted(output.type),
        "notes": tuple(notes_of(obj, parameters, arguments, codecs)),
        **given,
    }
    if problems := [_no_text(k, v) for k, v in found.items() if type(v) is str and not (v.isascii() or is_utf8(v))]:
        raise InvalidBlockError(problems, subject_of(obj))
    if not found.get("examples"):
        found["examples"] = frozen([own]) if own else FrozenList()
    return Block(
        uid=uid,
        constructor=obj,
        arguments=arguments,
        binding=made_binding(obj, parameters, arguments, codecs, output),
        **found,
    )


def _no_text(key: str, text: str, path: str = "$") -> Problem:
    """Return what is wrong with a *text* that cannot be written: a registry would refuse it as well."""
    message = f"{quoted(text)} is not text that can be written as UTF-8"
    return Problem(code=InvalidBlockError.code, path=at(path, key), message=message, hint="take half a character out")


def _check_texts(name: str, *texts: str | None) -> None:
    if problems := [_no_text(name, text, "$.arguments") for text in texts if text is not None and not is_utf8(text)]:
        raise InvalidBlockError(problems)


def overridden(block: Block, overrides: Mapping[Any, Any]) -> Block:
    """Return *block* with *overrides* laid over it, in the words of `derive_block`.

    Raises:
        BlockArgsError: As in `derive_block`.
    """
    given = _fields_given(overrides, lambda: f"block {quoted(block.uid)}")
    if (schema := given.pop("input_schema", None)) is not None:
        given["schema"] = arg_schema(schema)
    known = block.constructor is not None and not isinstance(block.constructor, ConstructorRef)
    if schema is not None and known:
        problems = _conflicts(_fields_of_schema(given["schema"]), parameters_of(block.constructor))
        if problems:
            raise InvalidBlockArgTypeError(problems, f"block {quoted(block.uid)}")
    if "arguments" in given:
        arguments = as_block_args(given["arguments"])
        given["arguments"] = arguments = settled(arguments, block.constructor) if known else arguments
        given["binding"] = None  # it was made for the arguments of before
        own = arguments.example()
        given.setdefault("examples", frozen([own]) if own else FrozenList())
    return block.with_(**given)


FIELDS = frozenset(f.name for f in fields(Block) if f.init) - {"constructor", "schema", "binding"} | {"input_schema"}


LISTS = frozenset(("keywords", "examples", "inputs", "validators", "tells"))


def _fields_given(overrides: Mapping[Any, Any], subject: Callable[[], str]) -> dict[str, Any]:
    """Return *overrides* as a block keeps them; every one that it cannot keep is told, of what *subject* names."""
    if not FIELDS.issuperset(overrides):
        raise UnknownOptionError([_unknown_option(key) for key in overrides if key not in FIELDS], subject())
    if problems := [_no_list(k, v) for k, v in overrides.items() if k in LISTS and not isinstance(v, list | tuple)]:
        raise InvalidBlockError(problems, subject())
    if overrides.get("input_schema") is not None and overrides.get("arguments") is not None:
        message = "both `arguments` and `input_schema` are given, and each is the whole set"
        raise InvalidBlockError.of(message, hint="give one", subject=subject())
    return {key: _frozen_field(key, value) for key, value in overrides.items()}


def _unknown_option(key: Any) -> Problem:
    hint = did_you_mean(key, FIELDS) or f"there are {listing(sorted(FIELDS), most=len(FIELDS))}"
    message = f"{quoted(key)} is no field of a block"
    path = at("$", key if isinstance(key, int) else str(key))
    return Problem(code=UnknownOptionError.code, path=path, message=message, hint=hint)


def _no_list(key: str, value: Any) -> Problem:
    message = f"{quoted(value)} is no list"
    return Problem(code=InvalidBlockError.code, path=at("$", key), message=message, hint="write a list")


def _frozen_field(key: str, value: Any) -> Any:
    """Return what an author gives for a field of the block as the block keeps it."""
    if key in ("keywords", "examples"):
        try:
            return frozen(list(value))
        except RecursionError:
            message = "it is nested too deeply, or contains itself"
            raise InvalidBlockError.of(message, path=at("$", key), code="too_deep") from None
    if key in LISTS:
        return tuple(value)
    return arg_schema(value) if key == "output_schema" and value is not None else value


def _rooted(node: ArgType) -> ArgType:
    """Return *node* with what a ``$ref`` at its root points to written there: a root says its own type."""
    if "$ref" not in node:
        return node
    body = followed(node, node)
    return ArgType({**{k: v for k, v in body.items() if k != "$ref"}, "$defs": node["$defs"]})


def settled(arguments: BlockArgs, obj: Any) -> BlockArgs:
    """Return *arguments* with requiredness and defaults filled in from the signature of *obj*.

    What an author says stays, also where the call does something else: whether a default that is
    stated is the signature's is for the registration to judge. A name that is no parameter stays as it is.
    """
    return _settled(arguments, parameters_of(obj), obj)


def _settled(arguments: BlockArgs, parameters: tuple[Parameter, ...], obj: Any) -> BlockArgs:
    by_name = {p.wire_name: p for p in parameters}
    out: dict[str, BlockArg] = {}
    problems: list[Problem] = []
    for name, arg in arguments.items():
        _check_texts(name, arg.description, arg.error)
        one = by_name.get(name)
        if one is None:
            out[name] = arg if arg.required is not None else arg.with_(required=False)
        else:
            codec = codec_or_any(one)
            if arg.type is not None:
                problems += _laid_over(arg.type, one, codec)
            out[name] = arg.with_(required=_required(one, arg), default=_default(one, arg, codec))
    if problems:
        raise InvalidBlockArgTypeError(problems, subject_of(obj))
    return BlockArgs(out)


def type_conflicts(arguments: BlockArgs, obj: Any) -> list[Problem]:
    """Return a problem for each type in *arguments* that has no value in common with the annotation in *obj*."""
    given = {name: arg.type for name, arg in arguments.items() if arg.type is not None}
    return _conflicts(given, parameters_of(obj))


def _conflicts(given: Mapping[str, ArgType], parameters: tuple[Parameter, ...]) -> list[Problem]:
    found = ((given[p.wire_name], p) for p in parameters if p.helper is None and p.wire_name in given)
    return [problem for node, one in found for problem in _laid_over(node, one, codec_or_any(one))]


def _fields_of_schema(node: ArgType) -> dict[str, ArgType]:
    """Return the fields of the whole schema *node*, each with the definitions that it may point to."""
    defs = {"$defs": node["$defs"]} if "$defs" in node else {}
    fields = node.get("properties", {})
    return {name: field | defs if defs else field for name, field in fields.items() if isinstance(field, ArgType)}


def _laid_over(given: ArgType, one: Parameter, codec: Codec) -> list[Problem]:
    bare = one.annotation is MISSING or one.variadic
    what = "the parameter" if bare else f"the annotation {shown(peeled(one.annotation)[0])}"
    return [p.under(at("$", one.wire_name)) for p in laid_over(given, codec.type, what)]


def _required(one: Parameter, arg: BlockArg) -> bool:
    return arg.required if arg.required is not None else not one.optional


def _default(one: Parameter, arg: BlockArg, codec: Codec) -> Any:
    if arg.default is not MISSING or not one.has_default:
        return arg.default
    return frozen(default_as_json(codec, one.default))


def _arguments(
    obj: Any, parameters: tuple[Parameter, ...], given: dict[str, Any], docs: Docs
) -> tuple[BlockArgs, Codecs]:
    """Return the documented arguments: written by the author, named by a whole schema, or derived."""
    if (schema := given.pop("input_schema", None)) is not None:
        node = given["schema"] = arg_schema(schema)
        given.pop("arguments", None)
        if problems := _conflicts(_fields_of_schema(node), parameters):
            raise InvalidBlockArgTypeError(problems, subject_of(obj))
        needed = node.get("required", ())
        return BlockArgs(
            {
                name: BlockArg(
                    field.get("description"),
                    type=field if isinstance(field, ArgType) else ArgType({}),
                    required=name in needed,
                    default=field.get("default", MISSING),
                )
                for name, field in node.get("properties", {}).items()
            }
        ), {}
    if (written := given.pop("arguments", None)) is not None:
        return _settled(as_block_args(written), parameters, obj), {}
    return _derived(obj, parameters, {}, docs)


def _derived(
    obj: Any, parameters: tuple[Parameter, ...], overrides: Mapping[str, Any], docs: Docs
) -> tuple[BlockArgs, Codecs]:
    shown = [p for p in parameters if p.helper is None]
    if overrides:
        _check_names(obj, shown, overrides)
    args: dict[str, BlockArg] = {}
    codecs: Codecs = {}
    faults: list[BlockArgsError] = []
    for one in shown:
        try:
            args[one.wire_name], codec = _derived_arg(one, docs, overrides, obj)
        except BlockArgsError as fault:
            faults.append(fault)
            continue
        if codec is not None:
            codecs[one.name] = codec
    if faults:
        raise type(faults[0])([p for f in faults for p in f.problems], subject_of(obj))
    return BlockArgs(args), codecs


def _derived_arg(one: Parameter, docs: Docs, overrides: Mapping[str, Any], obj: Any) -> tuple[BlockArg, Codec | None]:
    arg = one.remarks.arg
    if one.wire_name in overrides:
        arg = merged(arg, as_block_arg(overrides[one.wire_name], one.wire_name))
    codec: Codec | None = None
    if one.annotation is not MISSING or one.variadic:
        try:
            codec = codec_of_parameter(one)
        except UnsupportedAnnotationError as reason:
            if arg.type is None and not (arg.hidden and one.has_default):
                raise beneath(reason, one.name) from None
        except InvalidBlockArgTypeError as reason:
            raise beneath(reason, one.name) from None
        if codec is not None and arg.type is not None and (problems := _laid_over(arg.type, one, codec)):
            raise InvalidBlockArgTypeError(problems)
    kind = arg.type or (codec.type if codec is not None else None)
    if (written := docs.types.get(one.documented)) is not None:
        kind = _agreed(written, kind, one, subject_of(obj))
    text = arg.description if arg.description is not None else docs.arguments.get(one.documented)
    facts = {"required": _required(one, arg), "default": _default(one, arg, codec or UNTYPED)}
    if text is not None and not (text.isascii() or is_utf8(text)):
        raise beneath(unwritable(text), one.wire_name)
    if arg is NONE.arg:
        return BlockArg(text, None, kind, **facts), codec
    _check_texts(one.wire_name, arg.error)
    return arg.with_(description=text, type=kind, **facts), codec


def _agreed(text: str, derived: ArgType | None, one: Parameter, subject: str) -> ArgType:
    """Return the type that the docstring writes, which must agree with the annotation."""
    written = parse_type(text.removesuffix(", optional"), path=one.wire_name, function=subject)
    found = written if derived is None else narrowed(written, derived)
    if found is None:
        message = f"the docstring says {quoted(text)}, the annotation {quoted(derived)}"
        hint = "make them say the same"
        raise InvalidBlockArgTypeError.of(message, hint=hint, path=at("$", one.name), subject=subject)
    return found


def _check_names(obj: Any, shown: list[Parameter], overrides: Mapping[str, Any]) -> None:
    names = [p.wire_name for p in shown]
    problems = [
        Problem(
            code=UnknownBlockArgError.code,
            path=at("$", name),
            message=f"{quoted(name)} is no parameter; there are {listing(names) or 'none'}",
            hint=did_you_mean(name, names),
        )
        for name in overrides
        if name not in names
    ]
    if problems:
        raise UnknownBlockArgError(problems, subject_of(obj))


def _docs(obj: Any) -> Docs:
    inner = innermost(obj)
    if isinstance(inner, type):
        return docs_of_class(inner)
    docs = docs_of(inner)
    if not docs.text and not isinstance(obj, type) and getattr(inner, "__name__", "") == "__call__":
        own = docs_of_class(type(obj))
        return Docs(own.summary, own.text, docs.arguments or own.arguments, docs.types or own.types)
    return docs
