#!/usr/bin/env bash
# tests/tree/amalgamation.sh SCRATCH
#
# Makes ploy.c and ploy.h, compiles them as one file with gcc and clang and every warning as an error, and runs two
# programs on the result: one from outside and, with gcc, the shorter golden scenes, whose hashes must be those of the
# modules' build. Nothing is optimised, which shows that the optimiser changes no hash.
set -euo pipefail
tree=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(realpath -m "$1")
mkdir -p "$scratch"
node "$tree/tools/amalgamate.mjs" "$scratch"
flags=(-std=c11 -O0 -ffp-contract=off -fno-math-errno -fno-trapping-math)
warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror)
for cc in gcc clang; do
    out=$scratch/$cc
    mkdir -p "$out"
    "$cc" "${flags[@]}" "${warnings[@]}" -c "$scratch/ploy.c" -o "$out/ploy.o"
    "$cc" "${flags[@]}" "${warnings[@]}" -DPLOY_AMALGAMATED -I"$scratch" "$tree/tests/outside/main.c" "$out/ploy.o" \
        -o "$out/outside" -pthread -lm
    "$out/outside"
    if [ "$cc" = clang ]; then continue; fi
    # Labs and games without those in Lua, which is a component, and with Raven's files as its build packs them.
    mapfile -t scenes < <(grep -L '#include "ploy/script/' "$tree"/labs/*.c "$tree"/games/*.c "$tree"/games/*/*.c)
    packed=$(cd "$tree/games/raven" && find . \( -name '*.txt' -o -name '*.json' -o -name '*.fll' \) -printf '%P\n' | LC_ALL=C sort | paste -sd '|')
    cmake -D FOLDER="$tree/games/raven" "-DFILES=$packed" -D NAME=raven -D HEADER=games/raven/raven.h \
        -D OUT="$out/raven_texts.c" -P "$tree/cmake/PloyTexts.cmake"
    "$cc" "${flags[@]}" -I"$tree" -I"$tree/include" "$tree"/apps/golden/*.c "${scenes[@]}" "$out/raven_texts.c" \
        "$out/ploy.o" -o "$out/golden" -pthread -lm
    node "$tree/tools/golden.mjs" --workers 4 --ticks-up-to 300 -- "$out/golden"
done
echo '#include "ploy.h"' | g++ -std=c++17 "${warnings[@]:0:5}" -Werror -I"$scratch" -x c++ -fsyntax-only -

# Compiled as C++, the file stops at one message.
errors=$(g++ -x c++ -fsyntax-only -I"$scratch" "$scratch/ploy.c" 2>&1 | grep -c ' error: ' || true)
if [ "$errors" != 1 ]; then
    echo "compiling ploy.c as C++ gave $errors errors; expected one" >&2
    exit 1
fi
