#!/usr/bin/env bash
# tests/tree/build.sh PRESET FOLDER [--target NAME]... [-- PROGRAM ARGUMENT...]
#
# Configures a preset in FOLDER, builds it (or the targets named) and then runs PROGRAM. Prints little unless
# something fails.
set -euo pipefail
cd "$(dirname "$0")/../.."
preset=$1 folder=$2
shift 2
targets=()
while [ "${1:-}" = --target ]; do
    targets+=(--target "$2")
    shift 2
done
log=$folder.log
mkdir -p "$folder"
if ! { cmake --preset "$preset" -B "$folder" && cmake --build "$folder" "${targets[@]}"; } >"$log" 2>&1; then
    cat "$log"
    exit 1
fi
if [ "${1:-}" = -- ]; then shift; fi
if [ $# -gt 0 ]; then exec "$@"; fi
