// What `ploy lab` and `ploy play` share: listing simulations, and running one without a window.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "games/games.h"
#include "labs/labs.h"
#include "ploy/base/fields_json.h"
#include "ploy/base/os.h"

const ploy_sim_type *const *cli_sims(void) {
    enum { SIMS_MAX = 256 };
    static const ploy_sim_type *sims[SIMS_MAX + 1]; // a program has one list
    const ploy_sim_type *const *lists[] = {ploy_labs(), ploy_games()};
    int32_t count = 0;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        for (; *lists[i] != NULL && count < SIMS_MAX; lists[i]++) sims[count++] = *lists[i];
    }
    sims[count] = NULL;
    return sims;
}

int cli_list_sims(const cli_sims_usage *what, int argc, char **argv) {
    bool json = false;
    const cli_option options[] = {
        {"--json", CLI_FLAG, &json, NULL, "print one JSON object for each"}};
    const cli_usage usage = {what->list_command, "[--json]", what->list_help, options, 1, 0, 0};
    int status = cli_parse(&usage, argc, argv, NULL);
    if (status >= 0) return status;
    for (const ploy_sim_type *const *sim = what->types; *sim != NULL; sim++) {
        if (!json) {
            printf("%-12s %s\n", (*sim)->name, (*sim)->title);
            continue;
        }
        ploy_writer out = cli_stream_writer(stdout);
        ploy_json_writer writer;
        ploy_json_writer_init(&writer, &out, 0);
        ploy_json_write_begin_object(&writer);
        ploy_json_write_key(&writer, "name");
        ploy_json_write_text(&writer, (*sim)->name);
        ploy_json_write_key(&writer, "title");
        ploy_json_write_text(&writer, (*sim)->title);
        ploy_json_write_key(&writer, "help");
        ploy_json_write_text(&writer, (*sim)->help);
        ploy_json_write_end_object(&writer);
        putchar('\n');
    }
    return CLI_OK;
}

// Prints a table of the parameters, for people who wonder what to --set.
static void print_parameter(void *user, const char *path, const ploy_field *field,
                            uint32_t offset) {
    (void)offset;
    char value[64], range[96] = "";
    ploy_value initial;
    const ploy_fields *fields = ((void **)user)[0];
    const void *params = ((void **)user)[1];
    if (ploy_fields_get(*fields, params, path, &initial) != PLOY_OK) return;
    ploy_value_print(&initial, value, sizeof value);
    if (field->type != PLOY_FIELD_TYPE_BOOL && field->type != PLOY_FIELD_TYPE_ENUM &&
        field->type != PLOY_FIELD_TYPE_U64) {
        snprintf(range, sizeof range, " [%g to %g %s]", field->min, field->max, field->unit);
    }
    printf("  %-28s %-12s %s%s\n", path, value, field->help, range);
}

int cli_print_fields(const char *name, ploy_fields fields, bool json) {
    void *params = calloc(1, fields.size);
    if (params == NULL) return cli_error_result("parameters", PLOY_ERR_MEMORY);
    ploy_fields_default(fields, params);
    if (json) {
        ploy_writer out = cli_stream_writer(stdout);
        ploy_json_writer writer;
        ploy_json_writer_init(&writer, &out, 0);
        ploy_fields_save_json(fields, params, &writer);
        putchar('\n');
    } else {
        printf("parameters of %s, for --set PATH=VALUE:\n", name);
        const void *user[2] = {&fields, params};
        ploy_fields_each(fields, print_parameter, user);
    }
    free(params);
    return CLI_OK;
}

// Applies every --set to params; all faults are reported, not only the first.
static int set_parameters(ploy_fields fields, void *params, const cli_texts *sets,
                          const ploy_env *env) {
    ploy_diags *diags = NULL;
    ploy_result result = ploy_diags_create(32, env, &diags);
    if (result != PLOY_OK) return cli_error_result("--set", result);
    for (int32_t i = 0; i < sets->count; i++) {
        const char *equals = strchr(sets->items[i], '=');
        char path[128];
        size_t size = equals != NULL ? (size_t)(equals - sets->items[i]) : 0;
        if (equals == NULL || size == 0 || size >= sizeof path) {
            ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, "--set", 0, 0,
                           "expected PATH=VALUE", NULL, NULL);
            continue;
        }
        memcpy(path, sets->items[i], size);
        path[size] = 0;
        ploy_fields_set_text(fields, params, path, equals + 1, diags);
    }
    int status = ploy_diags_count(diags) == 0 ? -1 : cli_error_diags(diags);
    ploy_diags_destroy(diags);
    return status;
}

// A recording that is written while the run goes on: one that is killed leaves what it did.
typedef struct run_record {
    FILE *file; // NULL: none is requested
    ploy_writer writer;
    ploy_recording_stream stream;
} run_record;

static int record_begin(run_record *record, const char *path, const ploy_recorder *recorder) {
    record->file = NULL;
    if (path == NULL) return -1;
    record->file = cli_open_output(path);
    if (record->file == NULL) return CLI_USAGE;
    record->writer = cli_stream_writer(record->file);
    ploy_result result = ploy_recording_stream_begin(&record->stream, recorder, &record->writer);
    return result == PLOY_OK ? -1 : cli_error_result("--record", result);
}

static ploy_result record_step(run_record *record, const ploy_recorder *recorder, uint64_t tick) {
    if (record->file == NULL) return PLOY_OK;
    ploy_result result = ploy_recording_stream_step(&record->stream, recorder);
    // Four times a second or so: what a killed run may lose.
    if (result == PLOY_OK && tick % 16 == 0 && fflush(record->file) != 0) result = PLOY_ERR_SYSTEM;
    return result;
}

// Ends the recording, or leaves it as it is after a failure.
static ploy_result record_end(run_record *record, const ploy_recorder *recorder, bool whole) {
    if (record->file == NULL) return PLOY_OK;
    ploy_result result = PLOY_OK;
    if (whole) result = ploy_recording_stream_end(&record->stream, recorder);
    if (fflush(record->file) != 0 && result == PLOY_OK) result = PLOY_ERR_SYSTEM;
    if (record->file != stdout && fclose(record->file) != 0 && result == PLOY_OK) {
        result = PLOY_ERR_SYSTEM;
    }
    record->file = NULL;
    return result;
}

static int run_recorder(ploy_recorder *recorder, uint64_t ticks, cli_report *report,
                        const ploy_env *env) {
    run_record record;
    int status = record_begin(&record, report->record, recorder);
    if (status >= 0) return status;
    cli_progress progress = cli_progress_begin("running", ticks, true);
    uint64_t begun = ploy_os_clock_ns();
    for (uint64_t i = 0; i < ticks; i++) {
        const char *what = "step";
        ploy_result result = ploy_recorder_step(recorder);
        if (result == PLOY_OK) {
            what = "--record";
            result = record_step(&record, recorder, i);
        }
        if (result != PLOY_OK) {
            cli_progress_end(&progress);
            (void)record_end(&record, recorder, false);
            return cli_error_result(what, result);
        }
        cli_report_said(report, ploy_recorder_sim(recorder), &progress);
        cli_progress_step(&progress, i);
    }
    ploy_result ended = record_end(&record, recorder, true);
    if (ended != PLOY_OK) {
        cli_progress_end(&progress);
        return cli_error_result("--record", ended);
    }
    report->nanoseconds = ploy_os_clock_ns() - begun;
    report->ticks_run = ticks;
    cli_progress_end(&progress);
    return cli_report_print(report, recorder, env);
}

// Reads a JSON object of parameters over those in params.
static int load_parameters(ploy_fields fields, void *params, const char *path,
                           const ploy_env *env) {
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, env);
    ploy_diags *diags = NULL;
    ploy_json *doc = NULL;
    ploy_result result = ploy_os_read_file(path, CLI_PARAMS_BYTES_MAX, env, &bytes);
    if (result == PLOY_OK) result = ploy_diags_create(32, env, &diags);
    if (result == PLOY_OK) {
        ploy_json_def def = ploy_json_def_default();
        result = ploy_json_load(bytes.bytes, bytes.size, path, &def, env, diags, &doc);
    }
    if (result == PLOY_OK) {
        result = ploy_fields_load_json(fields, params, doc, ploy_json_root(doc), diags);
    }
    bool told = diags != NULL && ploy_diags_count(diags) > 0;
    int status = result == PLOY_OK ? -1
                 : told            ? cli_error_diags(diags)
                                   : cli_error_read(path, result);
    ploy_json_destroy(doc);
    ploy_diags_destroy(diags);
    ploy_buffer_fini(&bytes);
    return status;
}

int cli_load_fields(ploy_fields fields, void *params, const char *file, const cli_texts *sets,
                    const ploy_env *env) {
    ploy_fields_default(fields, params);
    int status = file == NULL ? -1 : load_parameters(fields, params, file, env);
    return status >= 0 ? status : set_parameters(fields, params, sets, env);
}

int cli_load_params(const cli_watch *watch, void *params, const ploy_env *env) {
    return cli_load_fields(watch->type->fields(), params, watch->file, watch->sets, env);
}

// Replaces the definition "map" by the contents of a file, in the first tick.
static int run_load_map(ploy_recorder *recorder, const char *path, const ploy_env *env) {
    const ploy_sim_type *type = ploy_sim_type_of(ploy_recorder_sim(recorder));
    if (ploy_sim_type_find_definition(type, "map", NULL) < 0) {
        return cli_error("--map needs a game with a map, not", type->name);
    }
    ploy_buffer bytes;
    ploy_diags *diags = NULL;
    ploy_result result = ploy_os_read_file(path, CLI_PARAMS_BYTES_MAX, env, &bytes);
    if (result != PLOY_OK) return cli_error_read(path, result);
    result = ploy_diags_create(32, env, &diags);
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_RELOAD;
    input.name = "map";
    input.bytes = bytes.bytes;
    input.size = bytes.size;
    if (result == PLOY_OK) result = ploy_recorder_input(recorder, &input, diags);
    int status = result == PLOY_OK                              ? -1
                 : diags != NULL && ploy_diags_count(diags) > 0 ? cli_error_diags(diags)
                                                                : cli_error_result(path, result);
    ploy_diags_destroy(diags);
    ploy_buffer_fini(&bytes);
    return status;
}

// Whether the game takes a map. Returns -1, or reports what is wrong and returns the exit status.
static int run_check_map(const cli_watch *watch, const ploy_env *env) {
    ploy_recorder *recorder = NULL;
    ploy_recorder_def def = ploy_recorder_def_default();
    def.sim.seed = watch->seed;
    ploy_result result =
        ploy_recorder_create(&def, watch->type, watch->params, NULL, env, &recorder);
    if (result != PLOY_OK) return cli_error_result(watch->type->name, result);
    int status = run_load_map(recorder, watch->map, env);
    ploy_recorder_destroy(recorder);
    return status;
}

// Runs it with parameters that are read, from the first tick to the report.
static int run_type(const cli_watch *watch, int32_t workers, uint64_t ticks, const char *map,
                    cli_report *report, const ploy_env *env) {
    const ploy_sim_type *type = watch->type;
    ploy_job_pool *pool = NULL;
    ploy_recorder *recorder = NULL;
    ploy_result result = PLOY_OK;
    if (workers > 1) result = ploy_job_pool_create(workers, env, &pool);
    if (result == PLOY_OK) {
        ploy_recorder_def def = ploy_recorder_def_default();
        def.sim.seed = watch->seed;
        result =
            ploy_recorder_create(&def, type, watch->params,
                                 pool != NULL ? ploy_job_pool_jobs(pool) : NULL, env, &recorder);
    }
    int status = result == PLOY_OK ? -1 : cli_error_result(type->name, result);
    if (status < 0 && map != NULL) status = run_load_map(recorder, map, env);
    if (status < 0) status = run_recorder(recorder, ticks, report, env);
    ploy_recorder_destroy(recorder);
    ploy_job_pool_destroy(pool);
    return status;
}

int cli_run_sim(const cli_sims_usage *what, int argc, char **argv) {
    enum { WORKERS_MAX = 256 };
    cli_report report = {0};
    report.width = 800;
    const int64_t unset = -1;
    int64_t ticks = unset, workers = 1;
    cli_texts sets = {{NULL}, 0};
    cli_watch watch = {NULL, NULL, NULL, &sets, 1, CLI_STUDIO_PORT, false, NULL};
    bool parameters = false, headless = false;
    const char *map = NULL;
    cli_option options[24] = {
        {"--ticks", CLI_COUNT, &ticks, "N", "number of ticks to run (default 600)"},
        {"--seed", CLI_U64, &watch.seed, "S", "seed of the random numbers (default 1)"},
        {"--params", CLI_TEXT, &watch.file, "F", "read parameters from a JSON file"},
        {"--set", CLI_MANY, &sets, "K=V", "set a parameter; may be repeated"},
        {"--workers", CLI_COUNT, &workers, "N",
         "number of threads; does not change the result (default 1)"},
        {"--parameters", CLI_FLAG, &parameters, NULL,
         "list the parameters and exit; with --json as a file for --params"},
        {"--record", CLI_TEXT, &report.record, "F",
         "write a recording as it runs ('-' for standard output)"},
        {"--map", CLI_TEXT, &map, "F", "read the level from a file, if there is one to replace"},
    };
    int32_t count = 8 + cli_report_options(&report, options + 8);
    if (what->watch != NULL) {
        const cli_option more[] = {
            {"--headless", CLI_FLAG, &headless, NULL,
             "run without a window and print the final state"},
            {"--port", CLI_COUNT, &watch.port, "N",
             "port of the studio (default 7373; 0: any free port)"},
        };
        memcpy(options + count, more, sizeof more);
        count += 2;
    }
    const cli_usage usage = {
        what->run_command, "NAME [options]", what->run_help, options, count, 1, 1};
    const char *words[1];
    int status = cli_parse(&usage, argc, argv, words);
    if (status >= 0) return status;
    const char *nearest = NULL;
    const ploy_sim_type *type = ploy_sim_type_find(what->types, words[0], &nearest);
    if (type == NULL) {
        return cli_error_unknown(what->unknown, words[0], nearest, what->list_command);
    }
    if (parameters) return cli_print_fields(type->name, type->fields(), report.json);
    if (workers < 1 || workers > WORKERS_MAX) return cli_error("--workers expects 1 to 256", NULL);

    bool window = what->watch != NULL && !headless;
    if (window && (ticks != unset || report.hash || report.describe || report.svg != NULL ||
                   report.png != NULL || report.why != NULL || report.record != NULL)) {
        return cli_error("output options need --headless", NULL);
    }
    if (ticks == unset) ticks = 600;

    ploy_env env = cli_env();
    void *params = calloc(1, type->fields().size);
    if (params == NULL) return cli_error_result(what->run_command, PLOY_ERR_MEMORY);
    watch.type = type;
    watch.params = params;
    status = cli_load_params(&watch, params, &env);
    if (status < 0 && window) {
        watch.json = report.json;
        watch.map = map;
        if (map != NULL) status = run_check_map(&watch, &env);
        if (status < 0) status = what->watch(&watch, &env);
    } else if (status < 0) {
        status = run_type(&watch, (int32_t)workers, (uint64_t)ticks, map, &report, &env);
    }
    free(params);
    return status;
}
