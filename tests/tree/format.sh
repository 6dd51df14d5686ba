#!/usr/bin/env bash
# tests/tree/format.sh [--fix]: every C file as .clang-format says, or made so.
set -euo pipefail
cd "$(dirname "$0")/../.."
mode=(--dry-run -Werror)
if [ "${1:-}" = --fix ]; then mode=(-i); fi
# Not git ls-files: a tree without .git has to do.
find . \( -name build -o -name .git -o -name node_modules -o -name dist \) -prune -o -name '*.[ch]' -print0 |
    xargs -0 -n 16 -P "$(nproc)" clang-format "${mode[@]}"
