#!/bin/bash
# Checks the texts of all commits since the one that tests/tree/commits.txt names, except those that it lists.
# Exit status 77 (skipped) without a git history, or without that commit in it.
cd "$(dirname "$0")/../.." || exit 1
since=$(sed -n 's/^since //p' tests/tree/commits.txt)
if ! git rev-parse --verify --quiet "$since^{commit}" >/dev/null 2>&1; then
  echo "skipped: no commit '$since' in the history"
  exit 77
fi
exec tools/check-commit --except tests/tree/commits.txt "$since..HEAD"
