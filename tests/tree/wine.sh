#!/usr/bin/env bash
# tests/tree/wine.sh PREFIX PROGRAM ARGUMENT...: runs a Windows program without a display, in a wine prefix of its own.
set -euo pipefail
export WINEPREFIX=$1 WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
shift
unset DISPLAY
# The first start fills the prefix, and says so on stderr.
if [ ! -e "$WINEPREFIX/system.reg" ]; then
    mkdir -p "$WINEPREFIX"
    wineboot --init >/dev/null 2>&1
fi
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
status=0
wine "$@" 2>"$errors" || status=$?
grep -v '^wine: ' "$errors" >&2 || true
exit $status
