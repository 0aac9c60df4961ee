"""Print every lower bound of pyproject.toml as a pin: ``click>=8.2`` is ``click==8.2``.

The bounds of the development tools are left out: a checker is no part of what runs.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

BOUND = re.compile(r"(?P<name>[\w.-]+)(?:\[[\w,]+\])?>=(?P<version>[\w.]+)")

data = tomllib.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
project = data["project"]
wanted = [*data["build-system"]["requires"], *project["dependencies"]]
wanted += [one for extra in project["optional-dependencies"].values() for one in extra]
pins = dict.fromkeys(f"{found['name']}=={found['version']}" for one in wanted if (found := BOUND.match(one)))
print("\n".join(pins))
