"""Which block an object came from, also after the block is unregistered."""

from __future__ import annotations

import threading
import weakref
from typing import Any

from ..spec import Block

_PLAIN = (str, bytes, int, float, bool, list, tuple, dict, set, frozenset, type(None))


class Origins:
    """Remembers, by object and by class, which block built something.

    An object keeps the entry as it was when the object was built; of a class
    the latest entry is known.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._objects: dict[int, tuple[weakref.ref[Any], Block]] = {}
        self._classes: weakref.WeakKeyDictionary[type, Block] = weakref.WeakKeyDictionary()

    def class_known(self, cls: type, block: Block) -> None:
        """Remember that objects of *cls* are of *block*."""
        if cls not in _PLAIN and cls.__module__ != "builtins":
            with self._lock:
                self._classes[cls] = block

    def built(self, obj: Any, block: Block) -> None:
        """Remember that *obj* was built by *block*."""
        if isinstance(obj, _PLAIN):
            return
        self.class_known(type(obj), block)
        key = id(obj)
        try:
            ref = weakref.ref(obj, lambda _: self._objects.pop(key, None))
        except TypeError:  # slots without __weakref__: its class is what is known of it
            return
        self._objects[key] = (ref, block)

    def block_of(self, obj: Any) -> Block | None:
        """Return the entry *obj* was built by, or that of its class; ``None`` when neither is known."""
        found = self._objects.get(id(obj))
        if found is not None and found[0]() is obj:
            return found[1]
        with self._lock:
            for cls in type(obj).__mro__:
                if cls in self._classes:
                    return self._classes[cls]
        return None


ORIGINS = Origins()  # one for all registries: an object does not know which of them built it
