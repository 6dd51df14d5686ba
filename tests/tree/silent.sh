#!/usr/bin/env bash
# tests/tree/silent.sh PROGRAM ARGUMENT...: fails unless the program succeeds and says nothing.
set -euo pipefail
said=$("$@" 2>&1) || { echo "$said"; exit 1; }
if [ -n "$said" ]; then
    printf '%s said:\n%s\n' "$*" "$said"
    exit 1
fi
