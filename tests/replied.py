"""Blocks that replies are read for."""

from __future__ import annotations

from blockargs.spec import Block, new_block_arg, new_block_args
from blockargs.types import arg_array, arg_integer, arg_string


def block(uid, **arguments):
    """Return a block of these arguments."""
    return Block(uid=uid, arguments=new_block_args(arguments))


def rules(decoded):
    """Return the rules of what was repaired, and where."""
    return [(note.rule, note.path) for note in decoded.notes]


# one argument with an alias, and one that is optional
WEATHER = block(
    "get-weather",
    city=new_block_arg("Where.", type=arg_string(), required=True, aliases=["town"]),
    days=new_block_arg("How long.", type=arg_integer(), default=1),
)
# all that it takes is required
MEETING = block(
    "book-meeting",
    attendees=new_block_arg("Who.", type=arg_array(arg_string()), required=True),
    minutes=new_block_arg("", type=arg_integer(), required=True),
)
