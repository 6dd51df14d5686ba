// `ploy script` for files in Lua.
#pragma once

#include <stdbool.h>
#include <stddef.h>
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
int script_lua_check(const char *path, bool json);
int script_lua_compile(const char *path, const char *out);
// @param coverage  prints the lines that ran.
int script_lua_test(const char *path, bool coverage, bool json);
// Runs the script in `runs` processes and compares what each ends with. vary: each run has another
// seed, which shows what depends on random numbers.
int script_lua_audit(const char *path, int64_t runs, bool vary, bool json);
int script_lua_console(void);

// In cmd_script.c: the results of a test and of an audit (NULL: no difference) as a JSON object, and a text as a member of one.
void script_print_audit(const char *file, int64_t runs, const char *difference);
void script_print_passed(const char *file, bool passed, int32_t failed);
void script_print_text(const char *file, const char *key, const char *text, size_t size);
