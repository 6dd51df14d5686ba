#define _POSIX_C_SOURCE 200809L
#include "apps/ploy/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <io.h>
#define cli_is_terminal() _isatty(2)
#else
#include <unistd.h>
#define cli_is_terminal() isatty(2)
#endif

#include "ploy/base/name.h"
#include "ploy/base/number.h"
#include "ploy/base/os.h"

int cli_error(const char *text, const char *what) {
    return cli_error_near(text, what, NULL);
}

int cli_error_near(const char *text, const char *what, const char *nearest) {
    fprintf(stderr, "ploy: %s", text);
    if (what != NULL) fprintf(stderr, " '%s'", what);
    if (nearest != NULL) fprintf(stderr, " (did you mean '%s'?)", nearest);
    fputc('\n', stderr);
    return CLI_USAGE;
}

int cli_error_unknown(const char *text, const char *what, const char *nearest, const char *list) {
    if (nearest != NULL) return cli_error_near(text, what, nearest);
    fprintf(stderr, "ploy: %s", text);
    fprintf(stderr, " '%s' ('ploy %s' lists them)\n", what, list);
    return CLI_USAGE;
}

int cli_error_diags(const ploy_diags *diags) {
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        char text[1024];
        ploy_diag_print(ploy_diags_get(diags, i), text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    return CLI_USAGE;
}

void cli_print_findings(const char *path, const ploy_diags *diags) {
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "file");
    ploy_json_write_text(&json, path);
    ploy_json_write_key(&json, "findings");
    ploy_json_write_begin_array(&json);
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        const ploy_diag *diag = ploy_diags_get(diags, i);
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "severity");
        ploy_json_write_text(&json, diag->severity == PLOY_SEVERITY_ERROR ? "error" : "warning");
        ploy_json_write_key(&json, "line");
        ploy_json_write_i64(&json, diag->line);
        ploy_json_write_key(&json, "column");
        ploy_json_write_i64(&json, diag->column);
        ploy_json_write_key(&json, "message");
        ploy_json_write_text(&json, diag->message);
        ploy_json_write_key(&json, "expected");
        ploy_json_write_text(&json, diag->expected);
        ploy_json_write_key(&json, "nearest");
        ploy_json_write_text(&json, diag->nearest);
        ploy_json_write_end_object(&json);
    }
    ploy_json_write_end_array(&json);
    ploy_json_write_end_object(&json);
    (void)ploy_json_writer_finish(&json);
    putchar('\n');
}

int cli_error_result(const char *doing, ploy_result result) {
    fprintf(stderr, "ploy: %s: %s\n", doing, ploy_result_text(result));
    return CLI_USAGE;
}

// Opening a folder works on some systems; only reading from it shows what it is.
static bool is_folder(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    errno = 0;
    bool folder = fgetc(file) == EOF && errno == EISDIR;
    fclose(file);
    return folder;
}

static const char *file_reason(const char *path, ploy_result result, const char *not_found,
                               const char *refused) {
    if (result == PLOY_ERR_NOT_FOUND) return not_found;
    if (result != PLOY_ERR_SYSTEM) return ploy_result_text(result);
    return is_folder(path) ? "is a folder, expected a file" : refused;
}

const char *cli_read_reason(const char *path, ploy_result result) {
    return file_reason(path, result, "no such file", "cannot be read");
}

int cli_error_read(const char *path, ploy_result result) {
    fprintf(stderr, "ploy: %s: %s\n", path, cli_read_reason(path, result));
    return CLI_USAGE;
}

void cli_print_usage(const cli_usage *usage, bool to_stderr) {
    FILE *out = to_stderr ? stderr : stdout;
    fprintf(out, "usage: ploy %s %s\n\n%s\n", usage->command, usage->line, usage->help);
    if (usage->option_count > 0) fprintf(out, "\noptions:\n");
    for (int32_t i = 0; i < usage->option_count; i++) {
        const cli_option *option = &usage->options[i];
        char left[64];
        snprintf(left, sizeof left, "%s %s", option->name,
                 option->argument != NULL ? option->argument : "");
        fprintf(out, "  %-18s %s\n", left, option->help);
    }
}

int32_t cli_choose(const cli_group *group, int argc, char **argv, int *status) {
    bool help = argc > 0 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0);
    if (argc < 1 || help) {
        FILE *out = help ? stdout : stderr;
        fprintf(out, "usage: ploy %s COMMAND [words and options]\n\n%s\n\ncommands:\n", group->name,
                group->help);
        for (int32_t i = 0; i < group->count; i++) {
            fprintf(out, "  %-8s %s\n", group->commands[i].name, group->commands[i].line);
        }
        *status = help ? CLI_OK : CLI_USAGE;
        return -1;
    }
    ploy_nearest nearest = ploy_nearest_make(argv[0]);
    for (int32_t i = 0; i < group->count; i++) {
        if (strcmp(argv[0], group->commands[i].name) == 0) return i;
        ploy_nearest_offer(&nearest, group->commands[i].name);
    }
    char unknown[64], list[64];
    snprintf(unknown, sizeof unknown, "unknown %s command", group->name);
    snprintf(list, sizeof list, "%s --help", group->name);
    *status = cli_error_unknown(unknown, argv[0], nearest.best, list);
    return -1;
}

int cli_parse_command(const cli_group *group, int32_t index, const cli_option *options,
                      int32_t option_count, int argc, char **argv, const char **words) {
    const cli_command *command = &group->commands[index];
    char name[64];
    snprintf(name, sizeof name, "%s %s", group->name, command->name);
    const cli_usage usage = {name,         command->line,      command->help,     options,
                             option_count, command->min_words, command->max_words};
    return cli_parse(&usage, argc, argv, words);
}

static const cli_option *find_option(const cli_usage *usage, const char *name, size_t size) {
    for (int32_t i = 0; i < usage->option_count; i++) {
        const char *candidate = usage->options[i].name;
        if (strlen(candidate) == size && memcmp(candidate, name, size) == 0) {
            return &usage->options[i];
        }
    }
    return NULL;
}

static int unknown_option(const cli_usage *usage, const char *word) {
    ploy_nearest nearest = ploy_nearest_make(word);
    for (int32_t i = 0; i < usage->option_count; i++) {
        ploy_nearest_offer(&nearest, usage->options[i].name);
    }
    if (nearest.best != NULL) return cli_error_near("unknown option", word, nearest.best);
    fprintf(stderr, "ploy: unknown option '%s' ('ploy %s --help' lists the options)\n", word,
            usage->command);
    return CLI_USAGE;
}

static int store_option(const cli_option *option, const char *text) {
    size_t used = 0, size = strlen(text);
    switch (option->type) {
    case CLI_FLAG: break; // flags take no text
    case CLI_TEXT: *(const char **)option->value = text; break;
    case CLI_COUNT: {
        int64_t number = 0;
        if (ploy_parse_i64(text, size, &used, &number) != PLOY_OK || used != size || number < 0) {
            fprintf(stderr, "ploy: %s expects a whole number of 0 or more, found '%s'\n",
                    option->name, text);
            return CLI_USAGE;
        }
        *(int64_t *)option->value = number;
        break;
    }
    case CLI_U64: {
        uint64_t number = 0;
        if (ploy_parse_u64(text, size, &used, &number) != PLOY_OK || used != size) {
            fprintf(stderr, "ploy: %s expects a whole number from 0 to 2^64 - 1, found '%s'\n",
                    option->name, text);
            return CLI_USAGE;
        }
        *(uint64_t *)option->value = number;
        break;
    }
    case CLI_MANY: {
        cli_texts *texts = option->value;
        if (texts->count == (int32_t)(sizeof texts->items / sizeof texts->items[0])) {
            return cli_error("too many uses of option", option->name);
        }
        texts->items[texts->count++] = text;
        break;
    }
    }
    return -1;
}

int cli_parse(const cli_usage *usage, int argc, char **argv, const char **words) {
    int32_t count = 0;
    bool options_over = false;
    for (int32_t i = 0; i < usage->max_words; i++) words[i] = NULL;
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (!options_over && strcmp(word, "--") == 0) {
            options_over = true;
            continue;
        }
        if (!options_over && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
            cli_print_usage(usage, false);
            return CLI_OK;
        }
        if (options_over || word[0] != '-' || word[1] == 0) {
            if (count == usage->max_words) return cli_error("unexpected argument", word);
            words[count++] = word;
            continue;
        }
        const char *equals = strchr(word, '=');
        size_t size = equals != NULL ? (size_t)(equals - word) : strlen(word);
        const cli_option *option = find_option(usage, word, size);
        if (option == NULL) return unknown_option(usage, word);
        if (option->type == CLI_FLAG) {
            if (equals != NULL) return cli_error("unexpected value for option", option->name);
            *(bool *)option->value = true;
            continue;
        }
        const char *text = equals != NULL ? equals + 1 : i + 1 < argc ? argv[++i] : NULL;
        if (text == NULL) return cli_error("missing value after", option->name);
        int status = store_option(option, text);
        if (status >= 0) return status;
    }
    if (count < usage->min_words) {
        cli_print_usage(usage, true);
        return CLI_USAGE;
    }
    return -1;
}

ploy_env cli_env(void) {
    ploy_env env = ploy_env_default();
    env.log = ploy_log_stderr;
    return env;
}

static ploy_result write_stream(void *user, const void *bytes, size_t size) {
    return fwrite(bytes, 1, size, user) == size ? PLOY_OK : PLOY_ERR_SYSTEM;
}

ploy_writer cli_stream_writer(void *stream) {
    return ploy_writer_make(write_stream, stream);
}

bool cli_write_file(const char *path, const ploy_buffer *buffer) {
    if (strcmp(path, "-") == 0) {
        // Lost output is reported when the program ends, however much of it a buffer held.
        (void)fwrite(buffer->bytes, 1, buffer->size, stdout);
        return true;
    }
    ploy_env env = cli_env();
    ploy_result result = ploy_os_write_file(path, buffer->bytes, buffer->size, &env);
    if (result == PLOY_OK) return true;
    fprintf(stderr, "ploy: %s: %s\n", path,
            file_reason(path, result, "no such folder", "cannot be written"));
    return false;
}

FILE *cli_open_output(const char *path) {
    if (strcmp(path, "-") == 0) return stdout;
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        ploy_result result = errno == ENOENT ? PLOY_ERR_NOT_FOUND : PLOY_ERR_SYSTEM;
        fprintf(stderr, "ploy: %s: %s\n", path,
                file_reason(path, result, "no such folder", "cannot be written"));
    }
    return file;
}

static bool data_is_there(const char *dir) {
    char probe[4096];
    int length = snprintf(probe, sizeof probe, "%s/README.md", dir);
    if (length < 0 || (size_t)length >= sizeof probe) return false;
    FILE *file = fopen(probe, "rb");
    if (file == NULL) return false;
    fclose(file);
    return true;
}

const char *cli_data_dir(void) {
    const char *named = getenv("PLOY_DATA");
    if (named != NULL && named[0] != 0) return data_is_there(named) ? named : NULL;
    static const char beside[] = PLOY_SOURCE_DIR "/../shared/data";
    return data_is_there(beside) ? beside : NULL;
}

cli_progress cli_progress_begin(const char *what, uint64_t total, bool wanted) {
    uint64_t now = ploy_os_clock_ns();
    cli_progress progress = {what, total, now, now + 300000000u, false, wanted};
    progress.wanted = wanted && cli_is_terminal();
    return progress;
}

// ", about 12 s left", ", about 3 min left".
static void progress_left(uint64_t elapsed_ns, double share, char *text, size_t size) {
    double left = (double)elapsed_ns * 1e-9 * (1.0 - share) / share;
    if (left < 90.0) {
        snprintf(text, size, ", about %.0f s left", left < 1.0 ? 1.0 : left);
    } else {
        snprintf(text, size, ", about %.0f min left", left / 60.0);
    }
}

void cli_progress_step(cli_progress *progress, uint64_t done) {
    if (!progress->wanted) return;
    uint64_t now = ploy_os_clock_ns();
    if (now < progress->next_ns) return;
    progress->next_ns = now + 100000000u;
    progress->shown = true;
    uint64_t elapsed = now - progress->begun_ns;
    char left[48] = "";
    if (progress->total == 0) {
        fprintf(stderr, "\r%s, %llu done, %.0f s ", progress->what, (unsigned long long)done,
                (double)elapsed * 1e-9);
        fflush(stderr);
        return;
    }
    double share = (double)done / (double)progress->total;
    if (share > 1.0) share = 1.0;
    int filled = (int)(30.0 * share);
    if (share > 0.0) progress_left(elapsed, share, left, sizeof left);
    fprintf(stderr, "\r%s [%.*s%.*s] %llu of %llu%-20s", progress->what, filled,
            "##############################", 30 - filled, "..............................",
            (unsigned long long)done, (unsigned long long)progress->total, left);
    fflush(stderr);
}

void cli_progress_show(cli_progress *progress, uint64_t done) {
    progress->next_ns = 0;
    cli_progress_step(progress, done);
}

void cli_progress_end(cli_progress *progress) {
    if (progress->shown) fprintf(stderr, "\r%79s\r", "");
    progress->shown = false;
}

void cli_progress_hide(cli_progress *progress) {
    if (progress->shown) progress->next_ns = ploy_os_clock_ns() + 300000000u;
    cli_progress_end(progress);
}

ploy_result cli_work_run(const char *what, const cli_work *work, bool wanted) {
    cli_progress progress = cli_progress_begin(what, work->total, wanted);
    if (!progress.wanted) return work->step(work->self, NULL);
    ploy_env env = cli_env();
    ploy_result result = PLOY_IN_PROGRESS;
    uint64_t spent = 0;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_deadline(INT64_MAX, 50000000u, 16, &env);
        result = work->step(work->self, &budget);
        spent += (uint64_t)budget.spent;
        cli_progress_step(&progress, work->done != NULL ? work->done(work->self) : spent);
    }
    cli_progress_end(&progress);
    return result;
}

bool cli_parse_agent(const char *text, ploy_agent_id *out) {
    if (text[0] == '#') text++;
    uint64_t index = 0, generation = 1;
    size_t used = 0, size = strlen(text);
    if (ploy_parse_u64(text, size, &used, &index) != PLOY_OK || index > UINT32_MAX) return false;
    if (used < size) {
        if (text[used] != ':') return false;
        const char *rest = text + used + 1;
        size_t rest_size = strlen(rest);
        if (ploy_parse_u64(rest, rest_size, &used, &generation) != PLOY_OK || used != rest_size ||
            generation == 0 || generation > UINT32_MAX) {
            return false;
        }
    }
    *out = ploy_agent_id_make((uint32_t)index, (uint32_t)generation);
    return true;
}
