#!/usr/bin/env bash
# tests/tree/flags.sh SCRATCH
#
# What a program's own flags do to the headers: flags that would change bits are refused with a message that names the
# remedy, and the others compile to code that gives the same bits.
set -euo pipefail
tree=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(realpath -m "$1")
mkdir -p "$scratch"
cat >"$scratch/sum.c" <<'EOF'
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "ploy/geom/vec.h"

int main(int argc, char **argv) {
    // The bits of many sums of products: a fused product changes the last bit of some.
    uint32_t hash = 2166136261u;
    float x = 0.1f * (float)argc;
    (void)argv;
    for (int i = 0; i < 1000; i++, x += 0.37f) {
        ploy_vec2 a = ploy_vec2_make(x, 1.0f / (x + 0.3f)), b = ploy_vec2_make(0.7f - x, x * x);
        float sums[2] = {ploy_vec2_dot(a, b), ploy_vec2_length(ploy_vec2_add_scaled(a, b, x))};
        uint32_t bits[2];
        memcpy(bits, sums, sizeof bits);
        hash = ((hash ^ bits[0]) * 16777619u ^ bits[1]) * 16777619u;
    }
    printf("%08x\n", (unsigned)hash);
    return 0;
}
EOF
faults=0
fault() {
    echo "$1" >&2
    faults=$((faults + 1))
}
# compile NAME COMPILER FLAGS...: 0 if it compiles; the messages are in NAME.log.
compile() {
    "${@:2}" -O2 -I"$tree/include" "$scratch/sum.c" -o "$scratch/$1" -lm >"$scratch/$1.log" 2>&1
}
refuses() { # refuses WORD COMPILER FLAGS...
    if compile refused "${@:2}"; then
        fault "${*:2} is accepted, expected an error"
    elif ! grep -q -- "#error.*$1" "$scratch/refused.log"; then
        fault "${*:2}: the error does not name $1"
        cat "$scratch/refused.log" >&2
    fi
}
compile plain gcc -std=c11 || { cat "$scratch/plain.log" >&2; exit 1; }
want=$("$scratch/plain")
same() { # same COMPILER FLAGS...
    if ! compile other "$@"; then
        fault "$* is refused"
        cat "$scratch/other.log" >&2
    elif [ "$("$scratch/other" 2>&1)" != "$want" ]; then
        fault "$* gives $("$scratch/other"), expected $want"
    fi
}
for cc in gcc clang; do
    refuses -ffast-math "$cc" -ffast-math
    refuses NaN "$cc" -ffinite-math-only
    same "$cc"
    same "$cc" -std=c11
    same "$cc" -ffp-contract=off -DPLOY_FP_CONTRACT_OFF
done
refuses -funsafe-math-optimizations gcc -funsafe-math-optimizations
if [ "$(uname -m)" = x86_64 ]; then
    # Code for other processors is compiled everywhere and run where it can be.
    refuses -ffp-contract=off gcc -march=haswell
    refuses -ffp-contract=off gcc -std=gnu17 -mfma
    refuses -ffp-contract=off g++ -x c++ -std=c++17 -mfma
    if grep -qw fma /proc/cpuinfo; then
        same gcc -std=c11 -march=haswell
        same gcc -march=haswell -ffp-contract=off -DPLOY_FP_CONTRACT_OFF
        same clang -march=haswell
    fi
fi
# What users get: pkg-config and the CMake package hand the flag on. (A program built with -std=c11 would hide its loss.)
if [ -n "${2:-}" ]; then
    grep -q '^Cflags:.*-ffp-contract=off.*-DPLOY_FP_CONTRACT_OFF' "$2/ploy.pc" || fault "ploy.pc does not export -ffp-contract=off"
    targets=$(find "$2/CMakeFiles/Export" -name ployTargets.cmake | head -n 1)
    grep -q 'INTERFACE_COMPILE_OPTIONS.*-ffp-contract=off' "$targets" || fault "ploy::ploy does not export -ffp-contract=off"
    grep -q 'INTERFACE_COMPILE_DEFINITIONS.*PLOY_FP_CONTRACT_OFF' "$targets" || fault "ploy::ploy does not export PLOY_FP_CONTRACT_OFF"
fi
if [ "$faults" -gt 0 ]; then exit 1; fi
echo "flags that change bits are refused, the others give $want"
