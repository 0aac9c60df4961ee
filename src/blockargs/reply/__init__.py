"""What a model answered, as the arguments of a block: parse, align, validate, decode.

Each stage is a pure step that returns a value and notes. A value that fits is
never touched; a repair is made only where one reading is left.
"""

from __future__ import annotations

from .calls import decode_calls
from .decode import Decoded, decode_arguments, decode_reply
from .retry import fingerprint, retry_message

__all__ = ["Decoded", "decode_arguments", "decode_calls", "decode_reply", "fingerprint", "retry_message"]
