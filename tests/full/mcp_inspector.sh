#!/usr/bin/env bash
# The MCP Inspector's command line lists and calls, over stdio and over HTTP.
#     tests/full/mcp_inspector.sh [FOLDER]     FOLDER keeps Node and the Inspector between runs
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
python=${PYTHON:-python}
folder=${1:-$(mktemp -d)}
export PYTHONPATH="$root/src${PYTHONPATH:+:$PYTHONPATH}"

cd "$folder"
[ -d node_modules ] || npm install --silent --prefix "$folder" node@22 @modelcontextprotocol/inspector@2.12.0
export PATH="$folder/node_modules/node/bin:$PATH"
inspector() { node node_modules/.bin/mcp-inspector --cli "$@"; }

"$python" "$root/tests/served.py" http 2> server.log &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
until grep -q "serving MCP" server.log || ! kill -0 $server 2>/dev/null; do sleep 0.2; done
grep -q "serving MCP" server.log || { cat server.log; exit 1; }
url=$(grep -o 'http://[^ ]*' server.log)

expect() {  # WORD COMMAND…: the output of the command holds the word
    local word=$1; shift
    local out
    out=$("$@")
    grep -qF "$word" <<< "$out" || { echo "FAILED: '$word' is not in: $out"; exit 1; }
    echo "ok: $*"
}

stdio=("$python" "$root/tests/served.py" stdio)
expect '"name": "weather"' inspector -e "PYTHONPATH=$PYTHONPATH" "${stdio[@]}" --method tools/list
expect '"temperature": 4' inspector -e "PYTHONPATH=$PYTHONPATH" "${stdio[@]}" --method tools/call --tool-name weather --tool-arg city=Rome
expect 'blockargs://blocks' inspector -e "PYTHONPATH=$PYTHONPATH" "${stdio[@]}" --method resources/list
expect '"name": "weather"' inspector "$url" --transport http --method tools/list
expect '"temperature": 4' inspector "$url" --transport http --method tools/call --tool-name weather --tool-arg city=Rome
expect 'use_a_block' inspector "$url" --transport http --method prompts/list
