"""The annotations that stand in one body, of a function or a class, as Python keeps them.

From Python 3.14 on they are worked out when somebody asks (PEP 649), which a name that is
defined nowhere ends; then such a name stays a ``ForwardRef``, for the site to read.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from typing import Any

_LATE = sys.version_info >= (3, 14)
_NONE: Mapping[str, Any] = {}


def annotations_in(obj: Any) -> Mapping[str, Any]:
    """Return the annotations in the body of *obj* itself, a function or a class; those above it are not meant."""
    if isinstance(obj, type) and not _LATE:
        found: Mapping[str, Any] = vars(obj).get(
            "__annotations__", _NONE
        )  # a class that is asked would make itself some
        return found
    try:
        return getattr(obj, "__annotations__", _NONE)
    except Exception:  # noqa: BLE001  # pragma: no cover - a name that is not there, in a later Python
        return _as_far_as_known(obj)


def signature_of(obj: Any) -> inspect.Signature:
    """Return the signature of *obj*, whatever names in its annotations are defined nowhere."""
    if sys.version_info >= (3, 14):  # pragma: no cover - of a later Python
        import annotationlib  # noqa: PLC0415 - not there before

        return inspect.signature(obj, annotation_format=annotationlib.Format.FORWARDREF)
    return inspect.signature(obj)


def names_around(function: Any) -> Any:
    """Return the function whose closure holds the names that only the annotations of *function* use; ``None`` for none."""
    return getattr(function, "__annotate__", None) if _LATE else None


def _as_far_as_known(obj: Any) -> Mapping[str, Any]:  # pragma: no cover - of a later Python
    if sys.version_info >= (3, 14):
        import annotationlib  # noqa: PLC0415 - not there before

        return annotationlib.get_annotations(obj, format=annotationlib.Format.FORWARDREF)
    return {}
