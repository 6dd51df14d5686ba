// ploy rules: rule programs in the language of CLIPS, run or checked.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "ploy/base/number.h"
#include "ploy/base/os.h"
#include "ploy/data/clips.h"

enum { RULES_FILES_MAX = 32 };

typedef struct rules_options {
    cli_texts facts;
    const char *batch, *why;
    int64_t limit;
    bool trace, json, console;
} rules_options;

// What a program printed, kept for the JSON; otherwise it goes to standard output at once.
typedef struct rules_run {
    ploy_env env;
    ploy_diags *diags;
    ploy_clips *clips;
    ploy_buffer output;
    bool keep;
    const char *folder; // of the batch file: what it loads lies beside it
    cli_progress bar;
    bool mid_line; // the program printed half a line, which a bar would wipe out
} rules_run;

static ploy_result write_output(void *user, const void *bytes, size_t size) {
    rules_run *run = user;
    if (run->keep) return ploy_buffer_append(&run->output, bytes, size);
    cli_progress_hide(&run->bar);
    if (size > 0) run->mid_line = ((const char *)bytes)[size - 1] != '\n';
    return fwrite(bytes, 1, size, stdout) == size ? PLOY_OK : PLOY_ERR_SYSTEM;
}

static void show_firings(void *user, int64_t fired) {
    rules_run *run = user;
    if (!run->mid_line) cli_progress_step(&run->bar, (uint64_t)fired);
}

// A file that the program names: as it is, or beside the batch file.
static ploy_result read_file(void *user, const char *path, ploy_buffer *out) {
    rules_run *run = user;
    ploy_result result = ploy_os_read_file(path, (size_t)1 << 28, &run->env, out);
    if (result == PLOY_OK || run->folder == NULL || path[0] == '/') return result;
    char full[1024];
    int size = snprintf(full, sizeof full, "%s%s", run->folder, path);
    if (size < 0 || (size_t)size >= sizeof full) return result;
    return ploy_os_read_file(full, (size_t)1 << 28, &run->env, out);
}

// The language ends at a zero byte, without a word: what follows would be lost. False, and the
// buffer is gone, if there is one; that was said.
static bool is_text(ploy_buffer *text, const char *path) {
    const char *bytes = ploy_buffer_text(text), *start = bytes;
    const char *zero = memchr(bytes, 0, text->size);
    int line = 1;
    if (zero == NULL) return true;
    for (const char *at = bytes; at < zero; at++) {
        if (*at != '\n') continue;
        line++;
        start = at + 1;
    }
    fprintf(stderr, "%s:%d:%d: error: unexpected zero byte; expected text\n", path, line,
            (int)(zero - start) + 1);
    ploy_buffer_fini(text);
    return false;
}

// Loads a program or facts. -1 or the exit status.
static int load_file(rules_run *run, const char *path, bool facts) {
    ploy_buffer text;
    ploy_result result = ploy_os_read_file(path, (size_t)1 << 28, &run->env, &text);
    if (result != PLOY_OK) return cli_error_read(path, result);
    const char *bytes = ploy_buffer_text(&text);
    if (!is_text(&text, path)) return CLI_USAGE;
    result = facts ? ploy_clips_load_facts(run->clips, bytes, text.size, path, run->diags)
                   : ploy_clips_load(run->clips, bytes, text.size, path, run->diags);
    ploy_buffer_fini(&text);
    if (result == PLOY_OK) return -1;
    return ploy_diags_count(run->diags) > 0 ? cli_error_diags(run->diags)
                                            : cli_error_result(path, result);
}

static int open_run(rules_run *run, bool audit) {
    run->env = cli_env();
    ploy_buffer_init(&run->output, 0, &run->env);
    ploy_clips_def def = ploy_clips_def_default();
    def.audit = audit;
    def.write = write_output;
    def.read = read_file;
    def.progress = show_firings;
    def.user = run;
    ploy_result result = ploy_diags_create(100, &run->env, &run->diags);
    if (result == PLOY_OK) result = ploy_clips_create(&def, &run->env, &run->clips);
    return result == PLOY_OK ? -1 : cli_error_result("rules", result);
}

static int close_run(rules_run *run, int status) {
    ploy_clips_destroy(run->clips);
    ploy_diags_destroy(run->diags);
    ploy_buffer_fini(&run->output);
    fflush(stdout);
    return status;
}

static void print_json(rules_run *run, int64_t fired, bool limited) {
    ploy_json_writer json;
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "fired");
    ploy_json_write_i64(&json, fired);
    ploy_json_write_key(&json, "limited");
    ploy_json_write_bool(&json, limited);
    ploy_json_write_key(&json, "facts");
    ploy_json_write_begin_array(&json);
    ploy_rules *rules = ploy_clips_rules(run->clips);
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &run->env);
    for (ploy_fact *fact = ploy_rules_next_fact(rules, NULL); fact != NULL;
         fact = ploy_rules_next_fact(rules, fact)) {
        ploy_buffer_clear(&text);
        ploy_writer writer = ploy_buffer_writer(&text);
        ploy_rules_write_fact(rules, fact, &writer);
        ploy_json_write_text(&json, ploy_buffer_text(&text));
    }
    ploy_buffer_fini(&text);
    ploy_json_write_end_array(&json);
    ploy_json_write_key(&json, "output");
    ploy_json_write_text(&json, ploy_buffer_text(&run->output));
    ploy_json_write_end_object(&json);
    ploy_write_text(&out, "\n");
}

// "7", "f-7", or a fact as it is written. -1 or the exit status.
static int explain(rules_run *run, const char *what) {
    ploy_rules *rules = ploy_clips_rules(run->clips);
    const char *digits = strncmp(what, "f-", 2) == 0 ? what + 2 : what;
    int64_t index = -1;
    if (ploy_parse_i64(digits, strlen(digits), NULL, &index) != PLOY_OK) {
        ploy_buffer text;
        ploy_buffer_init(&text, 0, &run->env);
        for (ploy_fact *fact = ploy_rules_next_fact(rules, NULL); fact != NULL && index < 0;
             fact = ploy_rules_next_fact(rules, fact)) {
            ploy_buffer_clear(&text);
            ploy_writer writer = ploy_buffer_writer(&text);
            ploy_rules_write_fact(rules, fact, &writer);
            if (strcmp(ploy_buffer_text(&text), what) == 0) index = ploy_fact_index(fact);
        }
        ploy_buffer_fini(&text);
    }
    ploy_writer out = cli_stream_writer(stdout);
    if (index < 0 || ploy_rules_why(rules, index, &out) != PLOY_OK) {
        cli_error("unknown fact", what);
        return CLI_NO;
    }
    return -1;
}

static int run_batch(rules_run *run, const rules_options *options) {
    ploy_buffer text;
    ploy_result result = ploy_os_read_file(options->batch, (size_t)1 << 28, &run->env, &text);
    if (result != PLOY_OK) return cli_error_read(options->batch, result);
    if (!is_text(&text, options->batch)) return CLI_USAGE;
    char folder[1024];
    const char *slash = strrchr(options->batch, '/');
    size_t size = slash == NULL ? 0 : (size_t)(slash - options->batch) + 1;
    if (size < sizeof folder) {
        memcpy(folder, options->batch, size);
        folder[size] = '\0';
        run->folder = folder;
    }
    result = ploy_clips_batch(run->clips, ploy_buffer_text(&text), text.size, options->batch,
                              options->console);
    run->folder = NULL;
    ploy_buffer_fini(&text);
    return result == PLOY_OK ? -1 : cli_error_result(options->batch, result);
}

enum { RULES_RUN, RULES_LINT, RULES_COMMANDS };
static const cli_command rules_commands[RULES_COMMANDS] = {
    {"run", "FILE.clp... [options]",
     "Loads the programs, resets, loads facts and runs. Prints what CLIPS 6.30 prints.", 0,
     RULES_FILES_MAX},
    {"lint", "FILE.clp... [--json]", "Loads the programs and reports rules that can never fire.", 1,
     RULES_FILES_MAX},
};

// Reads the words after a command's name; see cli_parse.
static int parse_command(int32_t index, const cli_option *options, int32_t option_count, int argc,
                         char **argv, const char **words) {
    const cli_command *command = &rules_commands[index];
    char name[32];
    snprintf(name, sizeof name, "rules %s", command->name);
    const cli_usage usage = {name,         command->line,      command->help,     options,
                             option_count, command->min_words, command->max_words};
    return cli_parse(&usage, argc, argv, words);
}

static int rules_run_command(int argc, char **argv) {
    rules_options options = {.limit = 0};
    const cli_option table[] = {
        {"--facts", CLI_MANY, &options.facts, "FILE", "load facts after the reset"},
        {"--batch", CLI_TEXT, &options.batch, "FILE", "execute commands instead of reset and run"},
        {"--console", CLI_FLAG, &options.console, NULL,
         "with --batch: print prompts and values too"},
        {"--limit", CLI_COUNT, &options.limit, "N", "fire at most N rules (0: no limit)"},
        {"--trace", CLI_FLAG, &options.trace, NULL, "print every firing"},
        {"--why", CLI_TEXT, &options.why, "FACT",
         "explain where a fact came from: 7, f-7 or (its text)"},
        {"--json", CLI_FLAG, &options.json, NULL, "print the number of firings, and the facts"},
    };
    const char *words[RULES_FILES_MAX];
    int status = parse_command(RULES_RUN, table, (int32_t)(sizeof table / sizeof table[0]), argc,
                               argv, words);
    if (status >= 0) return status;
    if (words[0] == NULL && options.batch == NULL) {
        return cli_error("missing program (name a file, or use --batch)", NULL);
    }
    rules_run run = {.keep = options.json};
    status = open_run(&run, options.why != NULL);
    for (int i = 0; status < 0 && i < RULES_FILES_MAX && words[i] != NULL; i++) {
        status = load_file(&run, words[i], false);
    }
    int64_t fired = 0;
    bool limited = false;
    run.bar = cli_progress_begin("firings", (uint64_t)options.limit, !options.console);
    if (status < 0 && options.trace) ploy_clips_watch_rules(run.clips, true);
    if (status < 0 && options.batch != NULL) {
        status = run_batch(&run, &options);
        if (status < 0) fired = (int64_t)ploy_rules_fired(ploy_clips_rules(run.clips));
    } else if (status < 0) {
        ploy_result result = ploy_clips_reset(run.clips);
        if (result != PLOY_OK) status = cli_error_result("reset", result);
        for (int32_t i = 0; status < 0 && i < options.facts.count; i++) {
            status = load_file(&run, options.facts.items[i], true);
        }
        if (status < 0) {
            result = ploy_clips_run(run.clips, options.limit == 0 ? -1 : options.limit, &fired);
            if (result != PLOY_OK && result != PLOY_ERR_CALLBACK) {
                status = cli_error_result("run", result);
            }
            if (status < 0 && options.limit > 0 && fired >= options.limit &&
                ploy_rules_activation_count(ploy_clips_rules(run.clips)) > 0) {
                limited = true;
                fprintf(stderr, "ploy: stopped at the limit of %lld firings; rules are left\n",
                        (long long)options.limit);
            }
        }
    }
    cli_progress_end(&run.bar);
    if (status < 0 && options.json) print_json(&run, fired, limited);
    if (status < 0 && options.why != NULL) status = explain(&run, options.why);
    return close_run(&run, status < 0 ? CLI_OK : status);
}

static int rules_lint_command(int argc, char **argv) {
    const char *words[RULES_FILES_MAX];
    bool json = false;
    const cli_option table[] = {
        {"--json", CLI_FLAG, &json, NULL, "print the findings as one JSON object"}};
    int status = parse_command(RULES_LINT, table, 1, argc, argv, words);
    if (status >= 0) return status;
    rules_run run = {.keep = true};
    status = open_run(&run, false);
    for (int i = 0; status < 0 && i < RULES_FILES_MAX && words[i] != NULL; i++) {
        status = load_file(&run, words[i], false);
    }
    if (status < 0 && ploy_clips_lint(run.clips, run.diags) > 0) {
        if (!json) cli_error_diags(run.diags);
        status = CLI_NO;
    }
    if (json) cli_print_findings(words[0], run.diags);
    return close_run(&run, status < 0 ? CLI_OK : status);
}

int cmd_rules(int argc, char **argv) {
    const cli_group group = {"rules", "Rule programs in the language of CLIPS 6.30.",
                             rules_commands, RULES_COMMANDS};
    int status = CLI_OK;
    int32_t index = cli_choose(&group, argc, argv, &status);
    if (index < 0) return status;
    return index == RULES_RUN ? rules_run_command(argc - 1, argv + 1)
                              : rules_lint_command(argc - 1, argv + 1);
}
