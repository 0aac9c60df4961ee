"""Declarations: strict YAML to blocks and back, each problem with its line."""

from .format import declaration_schema
from .loader import load_yaml
from .placed import DeclarationProblem
from .reader import read_declarations
from .writer import save_declarations, write_declarations

__all__ = [
    "DeclarationProblem",
    "declaration_schema",
    "load_yaml",
    "read_declarations",
    "save_declarations",
    "write_declarations",
]
