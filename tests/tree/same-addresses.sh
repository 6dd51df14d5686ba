#!/usr/bin/env bash
# tests/tree/same-addresses.sh PROGRAM ARGUMENT...: runs a program without address randomisation where that can be
# turned off. The thread sanitizer refuses to start when a kernel scatters memory more than it expects.
set -euo pipefail
if setarch "$(uname -m)" -R true 2>/dev/null; then exec setarch "$(uname -m)" -R "$@"; fi
exec "$@"
