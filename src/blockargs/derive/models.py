"""pydantic models and types, found through `sys.modules`: whoever hands us one has imported pydantic."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .._text import quoted
from ..errors import InvalidArgTypeError
from ..imported import arg_schema
from .codec import Codec, Misfit
from .site import Site, shown, unsupported


@dataclass(frozen=True, slots=True)
class Adapter:
    """How a value becomes an instance of a pydantic class, with refusals as misfits."""

    cls: Any

    def validated(self, fields: dict[str, Any]) -> Any:
        """Return the model made from decoded *fields*; its validators run."""
        try:
            return self.cls.model_validate(fields)
        except ValueError as reason:
            raise self.misfit(reason) from None

    def around(self, inner: Codec) -> Codec:
        """Return the codec of a ``RootModel`` whose root has *inner*."""
        cls = self.cls

        def encode(value: Any) -> Any:
            return inner.to_json(value.root) if isinstance(value, cls) else value

        return Codec(
            inner.type, lambda value: self.validated(inner.to_python(value)), encode, lambda value: isinstance(value, cls)
        )

    def extra(self, site: Site) -> Any:
        """Return what the model takes besides its fields, as `arg_object` says it."""
        if self.cls.model_config.get("extra") != "allow":
            return False
        hint = self.cls.__annotations__.get("__pydantic_extra__")
        if hint is None:
            return True
        inner = site.of_class(self.cls)
        read = inner.read(hint) if isinstance(hint, str) else hint
        return inner.codec(read.__args__[1]).type

    def misfit(self, reason: Exception) -> Misfit:
        """Return *reason* as a misfit: each error of pydantic at its own path."""
        listed = getattr(reason, "errors", None)
        if type(reason).__name__ != "ValidationError" or listed is None:
            return Misfit(f"{shown(self.cls)} refuses it: {_line(reason)}")
        out: Misfit | None = None
        for error in listed():
            one = Misfit(str(error["msg"]), code=str(error["type"]), path=tuple(error["loc"]))
            if out is None:
                out = one
            else:
                out.faults += one.faults
        return out or Misfit(_line(reason))


def model_adapter(cls: Any) -> Adapter:
    """Return the adapter of the model *cls*."""
    return Adapter(cls)


def root_of(cls: Any) -> Any:
    """Return the annotation of a ``RootModel``'s root; ``None`` for any other model."""
    pydantic: Any = sys.modules["pydantic"]
    return cls.model_fields["root"].annotation if issubclass(cls, pydantic.RootModel) else None


def is_pydantic_type(annotation: Any) -> bool:
    """Tell whether *annotation* is a class that only pydantic understands: ``SecretStr``, ``HttpUrl``."""
    return (
        isinstance(annotation, type)
        and "pydantic" in sys.modules
        and hasattr(annotation, "__get_pydantic_core_schema__")
    )


def pydantic_codec(annotation: Any, _: Site) -> Codec:
    """Return the codec of a type that pydantic understands, by its own schema."""
    adapter = _type_adapter(annotation)
    try:
        node = arg_schema(_untitled(adapter.json_schema()))
    except InvalidArgTypeError:
        raise
    except Exception as reason:  # noqa: BLE001 - pydantic's errors for what has no schema
        raise unsupported(f"pydantic has no JSON Schema for {shown(annotation)}: {_line(reason)}") from None
    refused = Adapter(annotation)

    def decode(value: Any) -> Any:
        try:
            return adapter.validate_python(value)
        except ValueError as reason:
            raise refused.misfit(reason) from None

    def encode(value: Any) -> Any:
        return adapter.dump_python(value, mode="json") if holds(value) else value

    holds = _instance_of(annotation)
    return Codec(node, decode, encode, holds)


def validated_by_pydantic(codec: Codec, annotation: Any) -> Codec:
    """Return *codec* whose decoded values pydantic sees too: validators stand beside the type."""
    adapter = _type_adapter(annotation)
    refused = Adapter(annotation)

    def decode(value: Any) -> Any:
        try:
            return adapter.validate_python(codec.to_python(value))
        except ValueError as reason:
            raise refused.misfit(reason) from None

    return Codec(codec.type, decode, codec.encode, codec.holds)


def _type_adapter(annotation: Any) -> Any:
    pydantic: Any = sys.modules["pydantic"]
    try:
        return pydantic.TypeAdapter(annotation)
    except Exception as reason:  # noqa: BLE001 - pydantic's errors for what it does not know
        raise unsupported(f"pydantic does not understand {quoted(shown(annotation))}: {_line(reason)}") from None


def _instance_of(annotation: Any) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, annotation)


def _untitled(node: Any) -> Any:
    return {k: v for k, v in node.items() if k != "title"}


def _line(reason: Exception) -> str:
    return str(reason).partition("\n")[0]
