"""A block to export."""

from __future__ import annotations

from blockargs.spec import Block, new_block_arg, new_block_args


def block(uid="head", /, **arguments):
    """Return a block whose arguments are these types."""
    args = {n: new_block_arg(type=t, required=t.required is not False) for n, t in arguments.items()}
    return Block(uid=uid, description="Keep the first rows.", arguments=new_block_args(args))
