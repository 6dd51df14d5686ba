// `ploy script` for files in Lua: the component script_lua with an expect and a clock.
#define _POSIX_C_SOURCE 200809L // readlink, isatty
#include "apps/ploy/script_lua.h"

#include <string.h>

#include "apps/ploy/cli.h"

bool script_is_lua(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcmp(dot, ".lua") == 0 || strcmp(dot, ".luac") == 0);
}

#ifndef PLOY_HAS_SCRIPT_LUA

static int script_lua_missing(const char *path) {
    return cli_error("missing component script_lua (package liblua5.4-dev) for", path);
}

int script_lua_run(const char *path, const script_lua_options *options) {
    (void)options;
    return script_lua_missing(path);
}

int script_lua_check(const char *path, bool json) {
    (void)json;
    return script_lua_missing(path);
}

int script_lua_compile(const char *path, const char *out) {
    (void)out;
    return script_lua_missing(path);
}

int script_lua_test(const char *path, bool coverage, bool json) {
    (void)coverage;
    (void)json;
    return script_lua_missing(path);
}

int script_lua_audit(const char *path, int64_t runs, bool vary, bool json) {
    (void)runs;
    (void)vary;
    (void)json;
    return script_lua_missing(path);
}

int script_lua_console(void) {
    return script_lua_missing("the console");
}

#else

#include <unistd.h>

#include "apps/ploy/process.h"
#include "ploy/base/os.h"
#include "ploy/script/lua.h"
#include "ploy/script/minds.h"

enum {
    SCRIPT_LUA_MEMORY_MIN = 192 << 10,
    SCRIPT_LUA_FILE = 1 << 26,
    SCRIPT_LUA_LINE = 4096,
    SCRIPT_LUA_WAIT_MS = 120000
};

typedef struct script_lua {
    ploy_env env;
    ploy_diags *diags;
    ploy_lua *lua;
    ploy_buffer text, said;
    bool keeps; // what it says, for the JSON
    int32_t failed;
    const char *status;
    uint64_t ticks;
    ploy_script_profile *profile; // NULL: nothing is counted
    ploy_lua_watch watch;
    cli_progress bar;
} script_lua;

static void script_lua_print(void *user, const char *text, size_t size) {
    script_lua *run = user;
    if (run->keeps) {
        (void)ploy_buffer_append(&run->said, text, size);
        (void)ploy_buffer_append(&run->said, "\n", 1);
    } else {
        cli_progress_hide(&run->bar);
        fwrite(text, 1, size, stdout);
        putchar('\n');
    }
}

static ploy_result script_lua_expect(void *user, ploy_lua_frame *frame) {
    script_lua *run = user;
    bool holds = frame->arg_count > 0 && frame->args[0].type != PLOY_VALUE_NONE &&
                 !(frame->args[0].type == PLOY_VALUE_BOOL && !frame->args[0].as.b);
    if (holds) return PLOY_OK;
    run->failed++;
    cli_progress_hide(&run->bar);
    fprintf(stderr, "expected %s\n",
            frame->arg_count > 1 && frame->args[1].type == PLOY_VALUE_TEXT ? frame->args[1].as.text
                                                                           : "a true value");
    return PLOY_OK;
}

// Counts lines and units from now on. -1 or the exit status.
static int script_lua_count(script_lua *run) {
    ploy_result result = ploy_script_profile_create(&run->env, &run->profile);
    if (result != PLOY_OK) return cli_error_result("profile", result);
    ploy_lua_watch_begin(&run->watch, run->lua, ploy_script_profile_probe(run->profile));
    return -1;
}

static void script_lua_print_counts(script_lua *run, FILE *file) {
    if (run->profile == NULL) return;
    ploy_writer out = cli_stream_writer(file);
    ploy_lua_watch_end(&run->watch);
    (void)ploy_lua_expect_lines(run->lua, run->profile); // a limit may have ended the script
    ploy_script_profile_print(run->profile, &out);
}

static int script_lua_close(script_lua *run, int status) {
    ploy_lua_destroy(run->lua);
    ploy_script_profile_destroy(run->profile);
    ploy_diags_destroy(run->diags);
    ploy_buffer_fini(&run->text);
    ploy_buffer_fini(&run->said);
    fflush(stdout);
    return status;
}

// Creates the state and reads the file. -1 or the exit status.
static int script_lua_open(script_lua *run, const char *path, const script_lua_options *options) {
    memset(run, 0, sizeof *run);
    run->env = cli_env();
    run->status = "ready";
    ploy_buffer_init(&run->said, (size_t)1 << 26, &run->env);
    ploy_buffer_init(&run->text, 0, &run->env);
    ploy_lua_def def = ploy_lua_def_default();
    def.compiled = true; // a file that the user names
    def.call_units = 100000000;
    if (options != NULL && options->memory > 0) {
        int64_t kb = options->memory / 1024;
        def.memory_kb = kb > 1 << 21 ? 1 << 21 : (int32_t)kb;
    }
    ploy_result result = ploy_diags_create(100, &run->env, &run->diags);
    if (result == PLOY_OK) result = ploy_lua_create(&def, &run->env, &run->lua);
    if (result != PLOY_OK) return cli_error_result("script", result);
    ploy_lua_set_print(run->lua, script_lua_print, run);
    const ploy_lua_function expect = {"expect", script_lua_expect, NULL, 1, run};
    result = ploy_lua_register(run->lua, &expect);
    if (result != PLOY_OK) return cli_error_result("script", result);
    if (path == NULL) return -1;
    ploy_buffer_fini(&run->text);
    result = ploy_os_read_file(path, SCRIPT_LUA_FILE, &run->env, &run->text);
    return result == PLOY_OK ? -1 : cli_error_read(path, result);
}

// Compiles the file. -1 or the exit status.
static int script_lua_load(script_lua *run, const char *path, ploy_lua_ref *chunk) {
    ploy_result result =
        ploy_lua_load(run->lua, run->text.bytes, run->text.size, path, run->diags, chunk);
    if (result == PLOY_OK) return -1;
    return ploy_diags_count(run->diags) > 0 ? cli_error_diags(run->diags)
                                            : cli_error_result(path, result);
}

// Runs the file as a coroutine, a budget in each tick, then its function `step` in each tick left.
static ploy_result script_lua_ticks(script_lua *run, ploy_lua_ref chunk,
                                    const script_lua_options *options) {
    ploy_lua_ref thread, step;
    ploy_lua_status status = PLOY_LUA_READY;
    ploy_result result = ploy_lua_start(run->lua, chunk, PLOY_LUA_GLOBALS, &thread);
    bool has_step = false;
    run->bar = cli_progress_begin("ticks", (uint64_t)options->ticks, !options->trace);
    for (int64_t i = 0; i < options->ticks && result == PLOY_OK; i++) {
        ploy_lua_tick(run->lua, ploy_rng_key_make(options->seed), run->ticks);
        ploy_budget budget = ploy_budget_units(options->budget);
        ploy_budget *limit = options->budget > 0 ? &budget : NULL;
        if (status != PLOY_LUA_DONE) {
            result = ploy_lua_resume(run->lua, thread, NULL, 0, limit, NULL, 0, &status);
            has_step = status == PLOY_LUA_DONE &&
                       ploy_lua_get_ref(run->lua, PLOY_LUA_GLOBALS, "step", &step) == PLOY_OK &&
                       ploy_lua_kind_of(run->lua, step) == PLOY_LUA_FUNCTION;
        } else {
            ploy_value tick = ploy_value_i64((int64_t)run->ticks);
            result = ploy_lua_call(run->lua, step, PLOY_LUA_GLOBALS, &tick, 1, NULL, 0);
        }
        if (options->trace) {
            printf("%llu: %s, %lld units\n", (unsigned long long)run->ticks,
                   result != PLOY_OK ? ploy_result_text(result) : ploy_lua_status_text(status),
                   (long long)ploy_lua_get_stats(run->lua).last_units);
        }
        run->ticks++;
        cli_progress_step(&run->bar, run->ticks);
        if (status == PLOY_LUA_DONE && !has_step) break;
    }
    cli_progress_end(&run->bar);
    run->status = result == PLOY_ERR_LIMIT    ? "limit"
                  : result == PLOY_ERR_MEMORY ? "memory"
                  : result != PLOY_OK         ? "error"
                                              : ploy_lua_status_text(status);
    return status == PLOY_LUA_STOPPED && result == PLOY_OK ? PLOY_ERR_LIMIT : result;
}

static void script_lua_json(const script_lua *run) {
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_lua_stats stats = ploy_lua_get_stats(run->lua);
    char hash[17];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)ploy_lua_hash(run->lua));
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "status");
    ploy_json_write_text(&json, run->status);
    ploy_json_write_key(&json, "ticks");
    ploy_json_write_u64(&json, run->ticks);
    ploy_json_write_key(&json, "units");
    ploy_json_write_i64(&json, stats.units);
    ploy_json_write_key(&json, "peak_bytes");
    ploy_json_write_u64(&json, stats.peak_bytes);
    ploy_json_write_key(&json, "hash");
    ploy_json_write_text(&json, hash);
    ploy_json_write_key(&json, "release");
    ploy_json_write_text(&json, ploy_lua_version());
    ploy_json_write_key(&json, "said");
    ploy_json_write_begin_array(&json);
    const char *text = ploy_buffer_text(&run->said);
    for (const char *end = strchr(text, '\n'); end != NULL; end = strchr(text, '\n')) {
        ploy_json_write_text_bytes(&json, text, (size_t)(end - text));
        text = end + 1;
    }
    ploy_json_write_end_array(&json);
    ploy_json_write_end_object(&json);
    (void)ploy_json_writer_finish(&json);
    putchar('\n');
}

// Prints every plain value below a table as "path = value", in the order of pairs.
static void script_lua_state(ploy_lua *lua, ploy_lua_ref table, const char *prefix, int depth) {
    static const char *const libraries[] = {"_G",   "string",    "table",   "math",
                                            "utf8", "coroutine", "_VERSION"};
    ploy_value key = ploy_value_none(), value;
    while (ploy_lua_next(lua, table, &key, &value) == PLOY_OK) {
        char name[96], path[512], text[200];
        (void)ploy_value_print(&key, name, sizeof name);
        bool library = false;
        for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
            library = library || (depth == 0 && strcmp(name, libraries[i]) == 0);
        }
        if (library) continue;
        snprintf(path, sizeof path, "%.400s%s%s", prefix, depth > 0 ? "." : "", name);
        if (value.type != PLOY_VALUE_NONE) {
            (void)ploy_value_print(&value, text, sizeof text);
            printf("%s = %s\n", path, text);
            continue;
        }
        ploy_lua_ref inner;
        if (depth < 16 && ploy_lua_get_ref(lua, table, name, &inner) == PLOY_OK) {
            if (ploy_lua_kind_of(lua, inner) == PLOY_LUA_TABLE) {
                script_lua_state(lua, inner, path, depth + 1);
            }
            (void)ploy_lua_release(lua, inner);
        }
    }
}

int script_lua_run(const char *path, const script_lua_options *options) {
    script_lua run;
    ploy_lua_ref chunk;
    if (options->memory > 0 && options->memory < SCRIPT_LUA_MEMORY_MIN) {
        char found[24];
        snprintf(found, sizeof found, "%lld", (long long)options->memory);
        return cli_error("--memory expects 196608 bytes or more for Lua, found", found);
    }
    int status = script_lua_open(&run, path, options);
    run.keeps = options->json;
    if (status < 0) status = script_lua_load(&run, path, &chunk);
    if (status < 0 && options->profile) status = script_lua_count(&run);
    if (status >= 0) return script_lua_close(&run, status);
    ploy_result result = script_lua_ticks(&run, chunk, options);
    if (options->json) script_lua_json(&run);
    if (options->state) {
        printf("hash = %016llx\n", (unsigned long long)ploy_lua_hash(run.lua));
        script_lua_state(run.lua, PLOY_LUA_GLOBALS, "", 0);
    }
    fflush(stdout);
    script_lua_print_counts(&run, stderr);
    if (result != PLOY_OK) {
        const char *error = ploy_lua_error(run.lua);
        if (error[0] == 0) error = "the budget of the last tick was spent";
        fprintf(stderr, "%s%s%s\n", strncmp(error, path, strlen(path)) == 0 ? "" : path,
                strncmp(error, path, strlen(path)) == 0 ? "" : ": error: ", error);
    }
    return script_lua_close(&run, result != PLOY_OK || run.failed > 0 ? CLI_NO : CLI_OK);
}

int script_lua_check(const char *path, bool json) {
    script_lua run;
    ploy_lua_ref chunk;
    int status = script_lua_open(&run, path, NULL);
    if (status < 0) status = script_lua_load(&run, path, &chunk);
    if (json) cli_print_findings(path, run.diags);
    return script_lua_close(&run, status < 0 ? CLI_OK : status);
}

int script_lua_compile(const char *path, const char *out) {
    script_lua run;
    int status = script_lua_open(&run, path, NULL);
    if (status >= 0) return script_lua_close(&run, status);
    ploy_buffer code;
    ploy_buffer_init(&code, 0, &run.env);
    ploy_writer writer = ploy_buffer_writer(&code);
    ploy_result result =
        ploy_lua_compile(run.lua, run.text.bytes, run.text.size, path, false, run.diags, &writer);
    if (result == PLOY_OK) {
        status = cli_write_file(out, &code) ? CLI_OK : CLI_USAGE;
    } else {
        status = ploy_diags_count(run.diags) > 0 ? cli_error_diags(run.diags)
                                                 : cli_error_result(path, result);
    }
    ploy_buffer_fini(&code);
    return script_lua_close(&run, status);
}

// Calls every global function whose name begins with test, in order.
static void script_lua_call_tests(script_lua *run) {
    ploy_value key = ploy_value_none(), value;
    while (ploy_lua_next(run->lua, PLOY_LUA_GLOBALS, &key, &value) == PLOY_OK) {
        ploy_lua_ref fn;
        if (key.type != PLOY_VALUE_TEXT || strncmp(key.as.text, "test", 4) != 0 ||
            ploy_lua_get_ref(run->lua, PLOY_LUA_GLOBALS, key.as.text, &fn) != PLOY_OK) {
            continue;
        }
        if (ploy_lua_kind_of(run->lua, fn) == PLOY_LUA_FUNCTION &&
            ploy_lua_call(run->lua, fn, PLOY_LUA_GLOBALS, NULL, 0, NULL, 0) != PLOY_OK) {
            run->failed++;
            fprintf(stderr, "%s: %s\n", key.as.text, ploy_lua_error(run->lua));
        }
        (void)ploy_lua_release(run->lua, fn);
    }
}

int script_lua_test(const char *path, bool coverage, bool json) {
    script_lua run;
    ploy_lua_ref chunk;
    const script_lua_options options = {.ticks = 3600};
    int status = script_lua_open(&run, path, NULL);
    if (status < 0) status = script_lua_load(&run, path, &chunk);
    if (status < 0 && coverage) status = script_lua_count(&run);
    if (status >= 0) return script_lua_close(&run, status);
    // The file itself first, then its functions.
    ploy_result result = script_lua_ticks(&run, chunk, &options);
    if (result != PLOY_OK) {
        run.failed++;
        fprintf(stderr, "%s\n", ploy_lua_error(run.lua));
    } else {
        script_lua_call_tests(&run);
    }
    if (json) {
        script_print_passed(path, run.failed == 0, run.failed);
    } else {
        printf("%s %s\n", run.failed == 0 ? "ok" : "failed", path);
    }
    fflush(stdout);
    script_lua_print_counts(&run, json ? stderr : stdout);
    return script_lua_close(&run, run.failed == 0 ? CLI_OK : CLI_NO);
}

// ---- audit

// What one process prints. False: it could not be started.
static bool script_lua_child(const char *path, uint64_t seed, ploy_buffer *out) {
    char command[3072], line[SCRIPT_LUA_LINE];
    size_t quoted = 0;
    char name[1024];
    for (const char *at = path; *at != 0 && quoted + 5 < sizeof name; at++) { // for the shell
        if (*at == '\'') {
            memcpy(name + quoted, "'\\''", 4);
            quoted += 4;
        } else {
            name[quoted++] = *at;
        }
    }
    name[quoted] = 0;
    char self[1024];
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    if (size <= 0) return false;
    self[size] = 0;
    snprintf(command, sizeof command, "'%s' script run '%s' --state --seed %llu", self, name,
             (unsigned long long)seed);
    process *child = process_start(command);
    if (child == NULL) return false;
    long long deadline = process_now_ms() + SCRIPT_LUA_WAIT_MS;
    while (process_read(child, line, sizeof line, deadline) == PROCESS_LINE) {
        (void)ploy_buffer_append(out, line, strlen(line));
        (void)ploy_buffer_append(out, "\n", 1);
    }
    process_stop(child, NULL);
    return true;
}

// Reports the first line that differs. The hash comes first in the text but is reported last.
static bool script_lua_same(const char *first, const char *other, int64_t run, char *why,
                            size_t size) {
    if (strcmp(first, other) == 0) return true;
    const char *a = first, *b = other;
    while (*a != 0 && *b != 0) {
        size_t a_size = strcspn(a, "\n"), b_size = strcspn(b, "\n");
        bool same = a_size == b_size && memcmp(a, b, a_size) == 0;
        if (!same && strncmp(a, "hash = ", 7) != 0) {
            snprintf(why, size, "run %lld differs: %.*s, in the first run %.*s", (long long)run,
                     (int)b_size, b, (int)a_size, a);
            return false;
        }
        a += a_size + (a[a_size] == '\n');
        b += b_size + (b[b_size] == '\n');
    }
    snprintf(why, size, "run %lld differs: %s", (long long)run,
             *a == *b ? "values that are not globals" : "one run ended earlier");
    return false;
}

int script_lua_audit(const char *path, int64_t runs, bool vary, bool json) {
    char why[SCRIPT_LUA_LINE] = "";
    int status = script_lua_check(path, false);
    if (status != CLI_OK) return status;
    ploy_env env = cli_env();
    ploy_buffer first, other;
    ploy_buffer_init(&first, 0, &env);
    ploy_buffer_init(&other, 0, &env);
    cli_progress bar = cli_progress_begin("processes", (uint64_t)runs, true);
    for (int64_t i = 0; i < runs && status == CLI_OK; i++) {
        cli_progress_step(&bar, (uint64_t)i);
        ploy_buffer *out = i == 0 ? &first : &other;
        ploy_buffer_clear(out);
        if (!script_lua_child(path, vary ? (uint64_t)i : 0, out)) {
            status = cli_error("cannot start a process for", path);
        } else if (i > 0 && !script_lua_same(ploy_buffer_text(&first), ploy_buffer_text(&other),
                                             i + 1, why, sizeof why)) {
            status = CLI_NO;
        }
    }
    cli_progress_end(&bar);
    if (status == CLI_OK) snprintf(why, sizeof why, "%lld runs, all equal", (long long)runs);
    if (json && why[0] != 0) {
        script_print_audit(path, runs, status == CLI_OK ? NULL : why);
    } else if (why[0] != 0) {
        printf("%s\n", why);
    }
    ploy_buffer_fini(&first);
    ploy_buffer_fini(&other);
    fflush(stdout);
    return status;
}

// ---- console

// Runs one input. False: it is not complete yet.
static bool script_lua_input(script_lua *run, const char *text) {
    char line[SCRIPT_LUA_LINE * 4 + 32];
    ploy_lua_ref chunk;
    snprintf(line, sizeof line, "print(%s\n)", text); // a value
    ploy_diags_clear(run->diags);
    ploy_result result = ploy_lua_load(run->lua, line, strlen(line), "console", NULL, &chunk);
    if (result != PLOY_OK) {
        result = ploy_lua_load(run->lua, text, strlen(text), "console", NULL, &chunk);
        if (result != PLOY_OK && strstr(ploy_lua_error(run->lua), "near <eof>") != NULL) {
            return false;
        }
    }
    if (result == PLOY_OK) {
        result = ploy_lua_call(run->lua, chunk, PLOY_LUA_GLOBALS, NULL, 0, NULL, 0);
        (void)ploy_lua_release(run->lua, chunk);
    }
    if (result != PLOY_OK) fprintf(stderr, "%s\n", ploy_lua_error(run->lua));
    return true;
}

int script_lua_console(void) {
    script_lua run;
    char text[SCRIPT_LUA_LINE * 4] = "", line[SCRIPT_LUA_LINE];
    int status = script_lua_open(&run, NULL, NULL);
    if (status >= 0) return script_lua_close(&run, status);
    bool asks = isatty(0) != 0;
    printf("%s in ploy; end with Ctrl-D\n", ploy_lua_version());
    for (uint64_t tick = 0;; tick++) {
        if (asks) fputs(text[0] != 0 ? ">> " : "> ", stdout);
        fflush(stdout);
        if (fgets(line, sizeof line, stdin) == NULL) break;
        if (strlen(text) + strlen(line) >= sizeof text) text[0] = 0;
        memcpy(text + strlen(text), line, strlen(line) + 1);
        ploy_lua_tick(run.lua, ploy_rng_key_make(0), tick);
        if (strspn(text, " \t\r\n") == strlen(text) || script_lua_input(&run, text)) text[0] = 0;
    }
    return script_lua_close(&run, CLI_OK);
}

#endif
