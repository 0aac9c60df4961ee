"""From a typed, documented constructor to its arguments, its types, and the way to call it.

Growth is a row: one more annotation in `hints.RULES`, one more class in `scalars.CLASSES`,
one more list-like class in `containers.SEQUENCES`.
"""

from .binding import binding_of
from .build import derive_args, derive_block, described, overridden, settled, type_conflicts
from .hints import accepts_python, arg_type_of, decode, encode, register_type
from .notes import DEFAULT_MISFIT
from .proofread import docs_problems
from .remarks import Arg
from .signature import Parameter, parameters_of, uid_of
from .site import innermost, is_async, routine_of

__all__ = [
    "DEFAULT_MISFIT",
    "Arg",
    "Parameter",
    "accepts_python",
    "arg_type_of",
    "binding_of",
    "decode",
    "derive_args",
    "derive_block",
    "described",
    "docs_problems",
    "encode",
    "innermost",
    "is_async",
    "overridden",
    "parameters_of",
    "register_type",
    "routine_of",
    "settled",
    "type_conflicts",
    "uid_of",
]
