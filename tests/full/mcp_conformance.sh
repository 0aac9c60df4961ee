#!/usr/bin/env bash
# The official conformance suite against a server whose tools are blocks.
#     tests/full/mcp_conformance.sh [FOLDER]     FOLDER keeps Node and the suite between runs
# Needs npm; Node 22 is fetched, because older ones cannot start the suite. Ends with 0 when
# every scenario passes but those of conformance-*.txt, which do not apply; each has its reason there.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
python=${PYTHON:-python}
folder=${1:-$(mktemp -d)}
export PYTHONPATH="$root/src${PYTHONPATH:+:$PYTHONPATH}"

suite() {  # VERSION ARGUMENTS…: one pinned version of the suite, in a folder of its own
    local version=$1; shift
    mkdir -p "$folder/$version"
    (cd "$folder/$version" && [ -d node_modules ] || npm install --silent --prefix "$folder/$version" node@22 "@modelcontextprotocol/conformance@$version")
    (cd "$folder/$version" && PATH="$PWD/node_modules/node/bin:$PATH" node node_modules/@modelcontextprotocol/conformance/dist/index.js server --url "$url" "$@")
}

"$python" "$root/tests/mcp/conformance_server.py" 0 2> "$folder/server.log" &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
until grep -q "serving MCP" "$folder/server.log" || ! kill -0 $server 2>/dev/null; do sleep 0.2; done
grep -q "serving MCP" "$folder/server.log" || { cat "$folder/server.log"; exit 1; }
url=$(grep -o 'http://[^ ]*' "$folder/server.log")

status=0
compare() {  # LIST: exactly the scenarios of the list fail
    local failed expected
    failed=$(grep -o '^✗ [^:]*' "$folder/out" | cut -c5- | sort)
    expected=$(grep -v '^#' "$here/$1" | cut -d' ' -f1 | sort)
    if [ "$failed" = "$expected" ]; then echo "as expected"; else diff <(echo "$expected") <(echo "$failed") || status=1; fi
}
for row in "0.1.16 conformance-0.1.16.txt" "0.2.0-alpha.12 conformance-0.2.0.txt --spec-version 2026-07-28"; do
    read -r version list options <<< "$row"
    echo "== conformance $version $options"
    suite "$version" --suite all $options > "$folder/out" 2>&1 || true
    sed -n '/SUMMARY/,$p' "$folder/out"
    compare "$list"
done
exit $status
