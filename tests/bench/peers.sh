#!/usr/bin/env bash
# The measurements beside the peers, which get an environment of their own: peers.sh [FOLDER] [options of measure.py]
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-$(mktemp -d)/peers}
shift || true
if [[ ! -d $folder ]]; then
  "${PYTHON:-python3}" -m venv "$folder"
  "$folder/bin/python" -m pip install --quiet "$root" mcp fastmcp openai-agents pydantic-ai-slim json-repair typing_extensions
fi
"$folder/bin/python" "$root/tests/bench/measure.py" --peers "$@"
