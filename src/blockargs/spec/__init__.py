"""The spec: one documented argument, a block's set of them, and the block itself."""

from .argument import (
    ARGUMENT_KEYS,
    MISSING,
    BlockArg,
    Missing,
    as_block_arg,
    block_arg_description,
    block_arg_example,
    block_arg_type,
    new_block_arg,
)
from .arguments import BlockArgs, as_block_args, new_block_args
from .block import KINDS, UID, UID_LENGTH, UID_LETTERS, Block, BoundCall, ConstructorRef, SemanticValidator

__all__ = [
    "ARGUMENT_KEYS",
    "KINDS",
    "MISSING",
    "UID",
    "UID_LENGTH",
    "UID_LETTERS",
    "Block",
    "BlockArg",
    "BlockArgs",
    "BoundCall",
    "ConstructorRef",
    "Missing",
    "SemanticValidator",
    "as_block_arg",
    "as_block_args",
    "block_arg_description",
    "block_arg_example",
    "block_arg_type",
    "new_block_arg",
    "new_block_args",
]
