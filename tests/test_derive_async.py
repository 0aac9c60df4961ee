"""What is async, whatever it is wrapped in."""

from __future__ import annotations

import functools

import pytest

from blockargs import Registry
from blockargs.derive import is_async


async def fetch(n: int): ...


async def stream(n: int):
    yield n


def plain(n: int): ...


class Fetch:
    async def __call__(self, n: int): ...

    async def method(self, n: int): ...

    def plain(self, n: int): ...

    part = functools.partialmethod(method, 1)


class Through:
    __call__ = functools.partial(fetch)


@pytest.mark.parametrize(
    ("obj", "answer"),
    [
        (fetch, True),
        (stream, True),
        (plain, False),
        (functools.partial(functools.partial(fetch), n=1), True),
        (functools.partial(plain, 1), False),
        (functools.partial(Fetch(), 1), True),
        (Fetch(), True),
        (Fetch, False),
        (Fetch().method, True),
        (Fetch().part, True),
        (Fetch().plain, False),
        (Fetch.method, True),
        (Through(), True),
        (5, False),
    ],
)
def test_what_must_be_awaited_is_known(obj, answer):
    """Partials, bound methods and callable objects are looked into; a class builds an object."""
    assert is_async(obj) is answer


def test_an_async_callable_object_is_never_called_by_registration(recwarn):
    """A call would leave a coroutine that nobody awaits, and Python says so."""
    block = Registry().register(Fetch(), uid="fetch", examples=[{"n": 1}])

    assert list(block.examples) == [{"n": 1}]
    assert [str(w.message) for w in recwarn if w.category is RuntimeWarning] == []
