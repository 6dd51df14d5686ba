#!/bin/bash
# Checks the texts of all commits since the one that tests/tree/commits.txt names, except those that it lists. A line
# "since version X" means the commit that added the heading "## X" to CHANGELOG.md: a clone without tags has it too.
# Exit status 77 (skipped) without a git history, or without that commit in it.
cd "$(dirname "$0")/../.." || exit 1
since=$(sed -n 's/^since //p' tests/tree/commits.txt)
case $since in
  version\ *) start=$(git log --reverse --format=%H -S"## ${since#version } (" -- CHANGELOG.md 2>/dev/null | head -n 1) ;;
  *) start=$since ;;
esac
if [ -z "$start" ] || ! git rev-parse --verify --quiet "$start^{commit}" >/dev/null 2>&1; then
  echo "skipped: no commit '$since' in the history"
  exit 77
fi
exec tools/check-commit --except tests/tree/commits.txt "$start..HEAD"
