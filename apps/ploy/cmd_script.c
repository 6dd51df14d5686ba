// ploy script: programs of ploy/decide/program.h, run, checked, compiled, tested and printed. Files in
// Lua are handed to script_lua.c.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "apps/ploy/script_lua.h"
#include "ploy/base/os.h"
#include "ploy/decide/program.h"

enum { SCRIPT_FILES_MAX = 32 };

typedef struct script_run {
    ploy_env env;
    ploy_diags *diags;
    ploy_program *program;
    ploy_program_instance *instance;
    ploy_buffer said; // lines
    bool keeps;       // what it says, for the JSON
    int32_t failed;   // expectations
    ploy_program_host hosts[2];
    ploy_program_scope scope;
    ploy_script_profile *profile; // NULL: nothing is counted
    cli_progress bar;
} script_run;

static ploy_result script_say(void *user, ploy_step_context *context, const ploy_value *args,
                              ploy_value *out) {
    script_run *run = user;
    (void)context;
    (void)out;
    if (!run->keeps) {
        cli_progress_hide(&run->bar);
        printf("%s\n", args[0].as.text);
        return PLOY_OK;
    }
    ploy_result result = ploy_buffer_append(&run->said, args[0].as.text, strlen(args[0].as.text));
    return result == PLOY_OK ? ploy_buffer_append(&run->said, "\n", 1) : result;
}

static ploy_result script_expect(void *user, ploy_step_context *context, const ploy_value *args,
                                 ploy_value *out) {
    script_run *run = user;
    (void)context;
    (void)out;
    if (args[0].as.f64 != 0.0) return PLOY_OK;
    run->failed++;
    cli_progress_hide(&run->bar);
    ploy_program_place place = ploy_program_place_of(run->instance);
    fprintf(stderr, "line %d: expected %s\n", (int)place.line, args[1].as.text);
    return PLOY_OK;
}

static bool script_ends_with(const char *path, const char *ending) {
    size_t size = strlen(path), tail = strlen(ending);
    return size >= tail && strcmp(path + size - tail, ending) == 0;
}

static int script_open(script_run *run) {
    memset(run, 0, sizeof *run);
    run->env = cli_env();
    ploy_buffer_init(&run->said, (size_t)1 << 26, &run->env);
    run->hosts[0] = (ploy_program_host){"say", script_say, "(text)", 0, run};
    run->hosts[1] = (ploy_program_host){"expect", script_expect, "(number, text)", 0, run};
    run->scope.hosts = run->hosts;
    run->scope.host_count = 2;
    ploy_result result = ploy_diags_create(100, &run->env, &run->diags);
    return result == PLOY_OK ? -1 : cli_error_result("script", result);
}

static int script_close(script_run *run, int status) {
    ploy_program_instance_destroy(run->instance);
    ploy_program_destroy(run->program);
    ploy_diags_destroy(run->diags);
    ploy_script_profile_destroy(run->profile);
    ploy_buffer_fini(&run->said);
    fflush(stdout);
    return status;
}

// Reads a file. -1 or the exit status.
static int script_read(script_run *run, const char *path, ploy_buffer *out) {
    if (!script_ends_with(path, ".ploy") && !script_ends_with(path, ".plyc")) {
        return cli_error(script_is_lua(path) ? "expected a .ploy or .plyc file, found"
                                             : "expected a .ploy, .plyc, .lua or .luac file, found",
                         path);
    }
    ploy_result result = ploy_os_read_file(path, (size_t)1 << 26, &run->env, out);
    return result == PLOY_OK ? -1 : cli_error_read(path, result);
}

// Compiles a file, or loads its code. -1 or the exit status.
static int script_load(script_run *run, const char *path) {
    ploy_buffer text;
    int status = script_read(run, path, &text);
    if (status >= 0) return status;
    ploy_program_def def = ploy_program_def_default();
    ploy_result result =
        script_ends_with(path, ".plyc")
            ? ploy_program_load(text.bytes, text.size, path, &run->scope, &run->env, run->diags,
                                &run->program)
            : ploy_program_create(&def, ploy_buffer_text(&text), text.size, path, &run->scope,
                                  &run->env, run->diags, &run->program);
    ploy_buffer_fini(&text);
    if (result == PLOY_OK) return -1;
    return ploy_diags_count(run->diags) > 0 ? cli_error_diags(run->diags)
                                            : cli_error_result(path, result);
}

typedef struct script_options {
    int64_t ticks, budget, memory;
    uint64_t seed;
    bool json, trace;
} script_options;

// Counts lines and units of the program from now on. -1 or the exit status.
static int script_count(script_run *run) {
    ploy_result result = ploy_script_profile_create(&run->env, &run->profile);
    if (result == PLOY_OK) result = ploy_program_expect_lines(run->program, run->profile);
    return result == PLOY_OK ? -1 : cli_error_result("profile", result);
}

static void script_print_counts(const script_run *run, FILE *file) {
    ploy_writer out = cli_stream_writer(file);
    if (run->profile != NULL) ploy_script_profile_print(run->profile, &out);
}

static void script_trace(const script_run *run, uint64_t tick) {
    ploy_program_place place = ploy_program_place_of(run->instance);
    printf("%llu: %s at line %d%s%s\n", (unsigned long long)tick,
           ploy_program_state_text(ploy_program_state_of(run->instance)), (int)place.line,
           place.function[0] != 0 ? " in " : "", place.function);
}

// Steps until the end or the last tick. PLOY_ERR_MEMORY, before the first step, if an instance is
// larger than allowed: it never grows.
static ploy_result script_steps(script_run *run, const script_options *options, ploy_status *status,
                                ploy_step_context *context) {
    *context = ploy_step_context_make((ploy_agent_id){{1, 1}}, NULL, 1.0f / 60.0f);
    if (options->memory > 0 &&
        ploy_program_instance_size(run->program) > (uint64_t)options->memory) {
        return PLOY_ERR_MEMORY;
    }
    context->key = ploy_rng_key_make(options->seed);
    ploy_result result = PLOY_OK;
    *status = PLOY_STATUS_RUNNING;
    ploy_trace probe;
    if (run->profile != NULL) {
        probe = ploy_script_probe_trace(ploy_script_profile_probe(run->profile));
        context->trace = &probe;
    }
    run->bar = cli_progress_begin("ticks", (uint64_t)options->ticks, !options->trace);
    for (int64_t i = 0; i < options->ticks && result == PLOY_OK && *status == PLOY_STATUS_RUNNING;
         i++) {
        ploy_budget budget = ploy_budget_units(options->budget);
        context->budget = options->budget > 0 ? &budget : NULL;
        result = ploy_program_step(run->instance, context, status);
        if (options->trace) script_trace(run, context->tick);
        ploy_step_context_next(context);
        cli_progress_step(&run->bar, (uint64_t)i);
    }
    cli_progress_end(&run->bar);
    context->budget = NULL;
    context->trace = NULL;
    return result == PLOY_OK && run->profile != NULL ? ploy_script_profile_result(run->profile)
                                                     : result;
}

static void script_json(const script_run *run, const ploy_step_context *context,
                        ploy_result result) {
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "status");
    ploy_json_write_text(&json,
                         result == PLOY_ERR_MEMORY
                             ? "memory"
                             : ploy_program_state_text(ploy_program_state_of(run->instance)));
    ploy_json_write_key(&json, "ticks");
    ploy_json_write_u64(&json, context->tick);
    ploy_json_write_key(&json, "units");
    ploy_json_write_i64(&json, ploy_program_units(run->instance));
    ploy_json_write_key(&json, "peak_bytes");
    ploy_json_write_u64(&json, ploy_program_instance_size(run->program));
    ploy_json_write_key(&json, "hash");
    char hash[17];
    uint64_t bits = ploy_visit_hash(ploy_program_visit, run->instance, NULL);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)bits);
    ploy_json_write_text(&json, hash);
    ploy_json_write_key(&json, "value");
    ploy_value value = ploy_program_value(run->instance);
    ploy_json_write_value(&json, &value);
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

enum {
    SCRIPT_RUN,
    SCRIPT_CHECK,
    SCRIPT_COMPILE,
    SCRIPT_TEST,
    SCRIPT_DUMP,
    SCRIPT_AUDIT,
    SCRIPT_CONSOLE,
    SCRIPT_COMMANDS
};
static const cli_command script_commands[SCRIPT_COMMANDS] = {
    {"run", "FILE.ploy|FILE.lua [options]",
     "Runs a program at 60 ticks per second. A Lua file runs once; then its function step(tick) "
     "is called in each tick.",
     1, 1},
    {"check", "FILE... [--json]", "Compiles programs and reports every error.", 1,
     SCRIPT_FILES_MAX},
    {"compile", "FILE OUT [--json]",
     "Compiles a program to bytecode: .ploy to .plyc, .lua to .luac.", 2, 2},
    {"test", "FILE... [--coverage] [--json]",
     "Runs programs as tests. A test fails if an expect(truth, 'text') does not hold or the "
     "program returns false. In Lua, the global functions test... are called too.",
     1, SCRIPT_FILES_MAX},
    {"dump", "FILE.ploy [--tokens] [--tree] [--code] [--json]",
     "Prints the tokens, the syntax tree or (by default) the bytecode.", 1, 1},
    {"audit", "FILE.lua [--runs N] [--vary] [--json]",
     "Runs a Lua file in several processes and reports the first value that differs.", 1, 1},
    {"console", "", "Reads Lua from standard input and prints the values of expressions.", 0, 0},
};
static const cli_group script_group = {"script",
                                       "Runs, checks and tests ploy programs and Lua scripts.",
                                       script_commands, SCRIPT_COMMANDS};

static int script_run_command(int argc, char **argv) {
    script_options options = {.ticks = 600};
    bool state = false;
    bool profile = false;
    const cli_option table[] = {
        {"--ticks", CLI_COUNT, &options.ticks, "N", "maximum number of steps (default 600)"},
        {"--budget", CLI_COUNT, &options.budget, "U", "units per step (0: no limit)"},
        {"--memory", CLI_COUNT, &options.memory, "B",
         "memory limit in bytes: of Lua (default 48 MiB), or of an instance of the program"},
        {"--seed", CLI_U64, &options.seed, "S", "seed of random()"},
        {"--state", CLI_FLAG, &state, NULL, "print the globals at the end, Lua only"},
        {"--trace", CLI_FLAG, &options.trace, NULL, "print where each step stops"},
        {"--profile", CLI_FLAG, &profile, NULL,
         "print to standard error the lines that ran and the units of each function"},
        {"--json", CLI_FLAG, &options.json, NULL,
         "print status, units, peak_bytes, hash and the output"},
    };
    const char *words[1];
    int status = cli_parse_command(&script_group, SCRIPT_RUN, table,
                                   (int32_t)(sizeof table / sizeof table[0]), argc, argv, words);
    if (status >= 0) return status;
    if (script_is_lua(words[0])) {
        const script_lua_options lua = {options.ticks, options.budget, options.memory, options.seed,
                                        options.json,  options.trace,  state,          profile};
        return script_lua_run(words[0], &lua);
    }
    script_run run;
    status = script_open(&run);
    run.keeps = options.json;
    if (status < 0) status = script_load(&run, words[0]);
    if (status < 0) {
        ploy_result result = ploy_program_instance_create(run.program, &run.env, &run.instance);
        if (result != PLOY_OK) status = cli_error_result("run", result);
    }
    if (status < 0 && profile) status = script_count(&run);
    if (status >= 0) return script_close(&run, status);
    ploy_status came;
    ploy_step_context context;
    ploy_result result = script_steps(&run, &options, &came, &context);
    if (options.json) script_json(&run, &context, result);
    fflush(stdout);
    script_print_counts(&run, stderr);
    if (result == PLOY_ERR_MEMORY && context.tick == 0) {
        fprintf(stderr, "%s: error: expected at most %lld bytes for an instance, found %llu\n",
                words[0], (long long)options.memory,
                (unsigned long long)ploy_program_instance_size(run.program));
    } else if (result != PLOY_OK) {
        ploy_program_place place = ploy_program_place_of(run.instance);
        fprintf(stderr, "%s:%d:%d: error: %s\n", words[0], (int)place.line, (int)place.column,
                ploy_result_text(result));
    }
    // Ended by the last tick while a budget, or the limit of a step, was spent.
    bool stopped = result == PLOY_OK && options.ticks > 0 &&
                   ploy_program_state_of(run.instance) == PLOY_PROGRAM_STOPPED;
    if (stopped) fprintf(stderr, "%s: error: the budget of the last tick was spent\n", words[0]);
    bool good = result == PLOY_OK && !stopped && run.failed == 0;
    return script_close(&run, good ? CLI_OK : CLI_NO);
}

void script_print_audit(const char *file, int64_t runs, const char *difference) {
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "file");
    ploy_json_write_text(&json, file);
    ploy_json_write_key(&json, "runs");
    ploy_json_write_i64(&json, runs);
    ploy_json_write_key(&json, "equal");
    ploy_json_write_bool(&json, difference == NULL);
    if (difference != NULL) {
        ploy_json_write_key(&json, "difference");
        ploy_json_write_text(&json, difference);
    }
    ploy_json_write_end_object(&json);
    putchar('\n');
}

void script_print_passed(const char *file, bool passed, int32_t failed) {
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "file");
    ploy_json_write_text(&json, file);
    ploy_json_write_key(&json, "passed");
    ploy_json_write_bool(&json, passed);
    ploy_json_write_key(&json, "failed_expectations");
    ploy_json_write_i64(&json, failed);
    ploy_json_write_end_object(&json);
    putchar('\n');
}

// What is a text otherwise, as a member of an object.
void script_print_text(const char *file, const char *key, const char *text, size_t size) {
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "file");
    ploy_json_write_text(&json, file);
    ploy_json_write_key(&json, key);
    ploy_json_write_text_bytes(&json, text, size);
    ploy_json_write_end_object(&json);
    putchar('\n');
}

static int script_test_command(int argc, char **argv, bool runs) {
    const char *words[SCRIPT_FILES_MAX];
    bool json = false, coverage = false;
    const cli_option table[] = {
        {"--json", CLI_FLAG, &json, NULL, "print one JSON object for each file"},
        {"--coverage", CLI_FLAG, &coverage, NULL,
         "print the lines that ran and those that did not"},
    };
    int status = cli_parse_command(&script_group, runs ? SCRIPT_TEST : SCRIPT_CHECK, table,
                                   runs ? 2 : 1, argc, argv, words);
    if (status >= 0) return status;
    int worst = CLI_OK;
    for (int32_t i = 0; i < SCRIPT_FILES_MAX && words[i] != NULL; i++) {
        if (script_is_lua(words[i])) {
            status =
                runs ? script_lua_test(words[i], coverage, json) : script_lua_check(words[i], json);
            if (status > worst) worst = status;
            continue;
        }
        script_run run;
        status = script_open(&run);
        if (status < 0) status = script_load(&run, words[i]);
        if (json && (!runs || status >= 0)) cli_print_findings(words[i], run.diags);
        if (status < 0 && coverage) status = script_count(&run);
        if (status < 0 && runs) {
            ploy_status came = PLOY_STATUS_FAILURE;
            ploy_step_context context;
            const script_options options = {.ticks = 3600};
            ploy_result result = ploy_program_instance_create(run.program, &run.env, &run.instance);
            if (result == PLOY_OK) result = script_steps(&run, &options, &came, &context);
            bool passed = result == PLOY_OK && came == PLOY_STATUS_SUCCESS && run.failed == 0;
            if (json) {
                script_print_passed(words[i], passed, run.failed);
            } else {
                printf("%s %s\n", passed ? "ok" : "failed", words[i]);
            }
            fflush(stdout);
            script_print_counts(&run, json ? stderr : stdout);
            if (!passed) status = CLI_NO;
        }
        if (status > worst) worst = status;
        (void)script_close(&run, 0);
    }
    return worst;
}

// Code is written to files with its ending, so that neither the source nor code of the other language is lost.
// -1 or the exit status.
static int script_check_out(const char *path, const char *out) {
    bool lua = script_is_lua(path);
    if (!script_ends_with(path, lua ? ".lua" : ".ploy")) {
        return cli_error("expected a .ploy or .lua file, found", path);
    }
    if (script_ends_with(out, lua ? ".luac" : ".plyc")) return -1;
    return cli_error(lua ? "expected a .luac file to write, found"
                         : "expected a .plyc file to write, found",
                     out);
}

static int script_compile_command(int argc, char **argv) {
    const char *words[2];
    bool json = false;
    const cli_option table[] = {
        {"--json", CLI_FLAG, &json, NULL, "print the name of the written file as JSON"}};
    int status = cli_parse_command(&script_group, SCRIPT_COMPILE, table, 1, argc, argv, words);
    if (status < 0) status = script_check_out(words[0], words[1]);
    if (status >= 0) return status;
    if (script_is_lua(words[0])) {
        status = script_lua_compile(words[0], words[1]);
        if (json && status == CLI_OK) {
            script_print_text(words[0], "written", words[1], strlen(words[1]));
        }
        return status;
    }
    script_run run;
    status = script_open(&run);
    if (status < 0) status = script_load(&run, words[0]);
    if (status >= 0) return script_close(&run, status);
    ploy_buffer code;
    ploy_buffer_init(&code, 0, &run.env);
    ploy_writer writer = ploy_buffer_writer(&code);
    ploy_result result = ploy_program_save(run.program, &writer);
    if (result != PLOY_OK) {
        status = cli_error_result("compile", result);
    } else {
        status = cli_write_file(words[1], &code) ? CLI_OK : CLI_USAGE;
        if (json && status == CLI_OK) {
            script_print_text(words[0], "written", words[1], strlen(words[1]));
        }
    }
    ploy_buffer_fini(&code);
    return script_close(&run, status);
}

static int script_dump_command(int argc, char **argv) {
    bool tokens = false, tree = false, code = false, json = false;
    const cli_option table[] = {
        {"--tokens", CLI_FLAG, &tokens, NULL, "print the tokens, one a line"},
        {"--tree", CLI_FLAG, &tree, NULL, "print the tree"},
        {"--code", CLI_FLAG, &code, NULL, "print the code and its hash"},
        {"--json", CLI_FLAG, &json, NULL, "print the text as a member of one JSON object"},
    };
    const char *words[1];
    int status = cli_parse_command(&script_group, SCRIPT_DUMP, table, 4, argc, argv, words);
    if (status >= 0) return status;
    script_run run;
    status = script_open(&run);
    ploy_buffer dumped;
    ploy_buffer_init(&dumped, 0, &run.env);
    ploy_writer out = json ? ploy_buffer_writer(&dumped) : cli_stream_writer(stdout);
    if (status < 0 && (tokens || tree)) {
        ploy_buffer text;
        status = script_read(&run, words[0], &text);
        if (status < 0) {
            ploy_result result = PLOY_OK;
            if (tokens) {
                result = ploy_program_print_tokens(ploy_buffer_text(&text), text.size, false,
                                                   &run.env, &out);
            }
            if (tree && result == PLOY_OK) {
                result = ploy_program_print_tree(ploy_buffer_text(&text), text.size, words[0],
                                                 &run.env, run.diags, &out);
            }
            ploy_buffer_fini(&text);
            if (ploy_diags_count(run.diags) > 0) {
                status = cli_error_diags(run.diags);
            } else if (result != PLOY_OK) {
                status = cli_error_result("dump", result);
            }
        }
    }
    if (status < 0 && (code || (!tokens && !tree))) {
        status = script_load(&run, words[0]);
        if (status < 0) {
            ploy_program_print_code(run.program, &out);
            ploy_write_text(&out, "hash ");
            ploy_write_hex64(&out, ploy_program_hash(run.program));
            ploy_write_char(&out, '\n');
        }
    }
    if (json && status < 0) {
        script_print_text(words[0], "text", ploy_buffer_text(&dumped), dumped.size);
    }
    ploy_buffer_fini(&dumped);
    return script_close(&run, status < 0 ? CLI_OK : status);
}

static int script_audit_command(int argc, char **argv) {
    int64_t runs = 5;
    bool vary = false, json = false;
    const cli_option table[] = {
        {"--runs", CLI_COUNT, &runs, "N", "processes, from 2 to 1000 (default 5)"},
        {"--vary", CLI_FLAG, &vary, NULL,
         "use another seed in each process, to find values that depend on it"},
        {"--json", CLI_FLAG, &json, NULL, "print file and result as JSON"},
    };
    const char *words[1];
    int status = cli_parse_command(&script_group, SCRIPT_AUDIT, table, 3, argc, argv, words);
    if (status >= 0) return status;
    if (!script_is_lua(words[0])) return cli_error("expected a .lua file, found", words[0]);
    if (runs < 2 || runs > 1000) {
        char found[24];
        snprintf(found, sizeof found, "%lld", (long long)runs);
        return cli_error("--runs expects a whole number from 2 to 1000, found", found);
    }
    return script_lua_audit(words[0], runs, vary, json);
}

static int script_console_command(int argc, char **argv) {
    const char *words[1];
    int status = cli_parse_command(&script_group, SCRIPT_CONSOLE, NULL, 0, argc, argv, words);
    return status >= 0 ? status : script_lua_console();
}

int cmd_script(int argc, char **argv) {
    int status = CLI_OK;
    int32_t index = cli_choose(&script_group, argc, argv, &status);
    switch (index) {
    case SCRIPT_RUN: return script_run_command(argc - 1, argv + 1);
    case SCRIPT_CHECK: return script_test_command(argc - 1, argv + 1, false);
    case SCRIPT_COMPILE: return script_compile_command(argc - 1, argv + 1);
    case SCRIPT_TEST: return script_test_command(argc - 1, argv + 1, true);
    case SCRIPT_DUMP: return script_dump_command(argc - 1, argv + 1);
    case SCRIPT_AUDIT: return script_audit_command(argc - 1, argv + 1);
    case SCRIPT_CONSOLE: return script_console_command(argc - 1, argv + 1);
    default: return status;
    }
}
