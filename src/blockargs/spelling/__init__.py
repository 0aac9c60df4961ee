"""The short spelling of argument types: ``object{terms: string[], mode?: enum(auto|exact)}``.

Grammar, in the words of its readers:

- ``string``, ``number``, ``integer``, ``boolean``, ``null``, ``any``, ``json_object``, ``json_array``,
  ``column`` (and ``column(left)`` for a column of the input ``left``);
- ``enum(head|tail)``: texts, in quotes where they hold more than words; ``literal(1|"a"|null)``: JSON scalars;
- ``T[]`` or ``array[T]``, ``map[T]``, ``tuple(A, B)``, ``object{name: T, name?: T}``;
- ``A | B``, ``T | null``, and parentheses.

The case of type words is free; names of fields and words of an enum keep theirs.
No blank stands before an opening bracket.
"""

from .fault import MAX_LENGTH
from .parse import parse_type
from .spell import spell

__all__ = ["MAX_LENGTH", "parse_type", "spell"]
