"""Whether a JSON value fits a type, and every reason why not.

`problems_in` lists the problems of a value, `schema_problems` those of a
type. A compiled check answers for values that fit; `explain` speaks of those
that do not. Where a type holds a keyword outside our vocabulary
(``unevaluatedProperties``, ``$dynamicRef`` …) jsonschema decides.
"""

from __future__ import annotations

from ..keywords import MAX_DEPTH
from .scan import MAX_PROBLEMS
from .schema import schema_problems
from .validator import Validator, problems_in, validator_of

__all__ = ["MAX_DEPTH", "MAX_PROBLEMS", "Validator", "problems_in", "schema_problems", "validator_of"]
