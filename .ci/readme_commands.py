"""Print the two commands that README promises a newcomer, as they stand there."""

from __future__ import annotations

import re
import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text(encoding="utf-8")
commands = re.findall(r"^python -m pip install .* && .*$", text, flags=re.MULTILINE)
if len(commands) != 2:  # noqa: PLR2004 - one installs and shows, one installs and tests
    sys.exit(f"README.md has {len(commands)} commands of the form `python -m pip install … && …`, not 2")
print("\n".join(commands))
