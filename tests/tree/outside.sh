#!/usr/bin/env bash
# tests/tree/outside.sh find_package|pkg-config|subproject SCRATCH [PREFIX]
#
# Builds and runs the programs of tests/outside against an installed tree, or takes ploy in as a subproject. PREFIX is
# copied to another place first, because an installed tree must not know where it is.
set -euo pipefail
tree=$(cd "$(dirname "$0")/../.." && pwd)
how=$1 scratch=$(realpath -m "$2")
rm -rf "$scratch"
mkdir -p "$scratch"
if [ "$how" != subproject ]; then
    cp -a "$3" "$scratch/moved"
    prefix=$scratch/moved
    if grep -rIl -e "$tree/include" -e "$tree/src" -e "$tree/build" "$prefix/lib" --include='*.pc' --include='*.cmake'; then
        echo "installed files name the tree they were built in" >&2
        exit 1
    fi
fi

case $how in
find_package)
    cmake -S "$tree/tests/outside" -B "$scratch/build" -G Ninja -D CMAKE_PREFIX_PATH="$prefix" \
        -D CMAKE_BUILD_TYPE=Release
    cmake --build "$scratch/build"
    ctest --test-dir "$scratch/build" --output-on-failure --no-tests=error
    ;;
subproject)
    cmake -S "$tree/tests/outside" -B "$scratch/build" -G Ninja -D PLOY_TREE="$tree"
    # The targets that "build everything" compiles: the modules that ploy::path needs, and no more.
    ninja -C "$scratch/build" -t commands all | grep -o '[^ /]*\.dir/[^ ]*\.o\b' | sed 's/\.dir.*//' | sort -u \
        >"$scratch/compiled"
    printf 'one_module\nonly_path\n' >"$scratch/expected"
    printf 'ploy_%s_objects\n' base exec geom path search >>"$scratch/expected"
    if ! diff "$scratch/expected" "$scratch/compiled"; then
        echo "FetchContent compiles something else than what is linked" >&2
        exit 1
    fi
    cmake --build "$scratch/build"
    ctest --test-dir "$scratch/build" --output-on-failure --no-tests=error
    ;;
pkg-config)
    # Only the tree under test, and exactly the flags that pkg-config gives.
    export PKG_CONFIG_PATH
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name ploy.pc)")
    pkg-config --print-errors --exists 'ploy >= 0.1'
    libdir=$(pkg-config --variable=libdir ploy)
    build() { # build OUT SOURCE PACKAGE [--static]
        # shellcheck disable=SC2046  # the flags are words
        cc -std=c11 $(pkg-config --cflags "${@:3}") "$tree/tests/outside/$2" -o "$scratch/$1" \
            $(pkg-config --libs "${@:3}")
        LD_LIBRARY_PATH=$libdir "$scratch/$1"
    }
    build whole main.c ploy
    if [ -e "$libdir/libploy.a" ]; then build whole-static main.c ploy --static; fi
    if pkg-config --exists ploy-inspect-http; then build server with_server.c ploy-inspect-http; fi
    ;;
esac
