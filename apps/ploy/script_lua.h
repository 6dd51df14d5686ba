// `ploy script` for files in Lua.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct script_lua_options {
    int64_t ticks, budget, memory;
    uint64_t seed;
    bool json, trace, state, profile;
} script_lua_options;

// Whether a path ends with .lua or .luac.
bool script_is_lua(const char *path);
// Each returns the exit status.
int script_lua_run(const char *path, const script_lua_options *options);
int script_lua_check(const char *path);
int script_lua_compile(const char *path, const char *out);
// @param coverage  prints the lines that ran.
int script_lua_test(const char *path, bool coverage);
// Runs the script in `runs` processes and compares what each ends with. vary: each run has another
// seed, which shows what depends on random numbers.
int script_lua_audit(const char *path, int64_t runs, bool vary);
int script_lua_console(void);
