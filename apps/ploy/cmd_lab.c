// ploy lab list | run NAME: labs without a window.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "labs/labs.h"
#include "ploy/base/os.h"

static int list_labs(int argc, char **argv) {
    bool json = false;
    const cli_option options[] = {
        {"--json", CLI_FLAG, &json, NULL, "one JSON object for each lab"}};
    const cli_usage usage = {"lab list", "[--json]", "Lists the labs.", options, 1, 0, 0};
    int status = cli_parse(&usage, argc, argv, NULL);
    if (status >= 0) return status;
    for (const ploy_sim_type *const *lab = ploy_labs(); *lab != NULL; lab++) {
        if (!json) {
            printf("%-12s %s\n", (*lab)->name, (*lab)->title);
            continue;
        }
        ploy_writer out = cli_stream_writer(stdout);
        ploy_json_writer writer;
        ploy_json_writer_init(&writer, &out, 0);
        ploy_json_write_begin_object(&writer);
        ploy_json_write_key(&writer, "name");
        ploy_json_write_text(&writer, (*lab)->name);
        ploy_json_write_key(&writer, "title");
        ploy_json_write_text(&writer, (*lab)->title);
        ploy_json_write_key(&writer, "help");
        ploy_json_write_text(&writer, (*lab)->help);
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
    const ploy_sim_type *type = ((void **)user)[0];
    const void *params = ((void **)user)[1];
    if (ploy_fields_get(type->fields(), params, path, &initial) != PLOY_OK) return;
    ploy_value_print(&initial, value, sizeof value);
    if (field->type != PLOY_FIELD_TYPE_BOOL && field->type != PLOY_FIELD_TYPE_ENUM &&
        field->type != PLOY_FIELD_TYPE_U64) {
        snprintf(range, sizeof range, " [%g to %g %s]", field->min, field->max, field->unit);
    }
    printf("  %-28s %-12s %s%s\n", path, value, field->help, range);
}

static int print_parameters(const ploy_sim_type *type) {
    ploy_fields fields = type->fields();
    void *params = calloc(1, fields.size);
    if (params == NULL) return cli_error_result("parameters", PLOY_ERR_MEMORY);
    ploy_fields_default(fields, params);
    printf("parameters of %s, for --set PATH=VALUE:\n", type->name);
    const void *user[2] = {type, params};
    ploy_fields_each(fields, print_parameter, user);
    free(params);
    return CLI_OK;
}

// Applies every --set to params; all faults are reported, not only the first.
static int set_parameters(const ploy_sim_type *type, void *params, const cli_texts *sets,
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
                           "not of the form PATH=VALUE", NULL, NULL);
            continue;
        }
        memcpy(path, sets->items[i], size);
        path[size] = 0;
        ploy_fields_set_text(type->fields(), params, path, equals + 1, diags);
    }
    int status = ploy_diags_count(diags) == 0 ? -1 : cli_error_diags(diags);
    ploy_diags_destroy(diags);
    return status;
}

static int run_recorder(ploy_recorder *recorder, uint64_t ticks, cli_report *report,
                        const ploy_env *env) {
    cli_progress progress = cli_progress_begin("running", ticks, !report->json);
    uint64_t begun = ploy_os_clock_ns();
    for (uint64_t i = 0; i < ticks; i++) {
        ploy_result result = ploy_recorder_step(recorder);
        if (result != PLOY_OK) {
            cli_progress_end(&progress);
            return cli_error_result("step", result);
        }
        cli_progress_step(&progress, i);
    }
    report->nanoseconds = ploy_os_clock_ns() - begun;
    report->ticks_run = ticks;
    cli_progress_end(&progress);
    return cli_report_print(report, recorder, env);
}

static int run_lab(int argc, char **argv) {
    cli_report report = {0};
    report.width = 800;
    int64_t ticks = 600, workers = 1;
    uint64_t seed = 1;
    bool parameters = false;
    cli_texts sets = {{NULL}, 0};
    cli_option options[24] = {
        {"--ticks", CLI_COUNT, &ticks, "N", "how many ticks to run (600)"},
        {"--seed", CLI_U64, &seed, "S", "seed of the random numbers (1)"},
        {"--set", CLI_MANY, &sets, "K=V", "set a parameter; may be repeated"},
        {"--workers", CLI_COUNT, &workers, "N", "threads; changes no bit of the result (1)"},
        {"--parameters", CLI_FLAG, &parameters, NULL, "list the parameters and end"},
        {"--record", CLI_TEXT, &report.record, "F", "write a recording"},
    };
    int32_t count = 6 + cli_report_options(&report, options + 6);
    const cli_usage usage = {"lab run",
                             "NAME [options]",
                             "Runs a lab without a window and shows its end.",
                             options,
                             count,
                             1,
                             1};
    const char *words[1];
    int status = cli_parse(&usage, argc, argv, words);
    if (status >= 0) return status;
    const char *nearest = NULL;
    const ploy_sim_type *type = ploy_sim_type_find(ploy_labs(), words[0], &nearest);
    if (type == NULL) return cli_error_near("no lab is named", words[0], nearest);
    if (parameters) return print_parameters(type);
    if (workers < 1 || workers > 256) return cli_error("--workers wants 1 to 256", NULL);

    ploy_env env = cli_env();
    ploy_job_pool *pool = NULL;
    ploy_recorder *recorder = NULL;
    ploy_fields fields = type->fields();
    void *params = calloc(1, fields.size);
    if (params == NULL) return cli_error_result("lab run", PLOY_ERR_MEMORY);
    ploy_fields_default(fields, params);
    status = set_parameters(type, params, &sets, &env);
    ploy_result result = PLOY_OK;
    if (status < 0 && workers > 1) result = ploy_job_pool_create((int32_t)workers, &env, &pool);
    if (status < 0 && result == PLOY_OK) {
        ploy_recorder_def def = ploy_recorder_def_default();
        def.sim.seed = seed;
        result = ploy_recorder_create(
            &def, type, params, pool != NULL ? ploy_job_pool_jobs(pool) : NULL, &env, &recorder);
    }
    if (status < 0 && result != PLOY_OK) status = cli_error_result("lab run", result);
    if (status < 0) status = run_recorder(recorder, (uint64_t)ticks, &report, &env);
    ploy_recorder_destroy(recorder);
    ploy_job_pool_destroy(pool);
    free(params);
    return status;
}

int cmd_lab(int argc, char **argv) {
    if (argc > 0 && strcmp(argv[0], "list") == 0) return list_labs(argc - 1, argv + 1);
    if (argc > 0 && strcmp(argv[0], "run") == 0) return run_lab(argc - 1, argv + 1);
    bool help = argc > 0 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0);
    if (argc > 0 && !help) {
        ploy_nearest nearest = ploy_nearest_make(argv[0]);
        ploy_nearest_offer(&nearest, "list");
        ploy_nearest_offer(&nearest, "run");
        return cli_error_near("unknown word after 'ploy lab':", argv[0], nearest.best);
    }
    fprintf(help ? stdout : stderr,
            "usage: ploy lab list [--json]\n"
            "       ploy lab run NAME [options]      ('ploy lab run --help' lists them)\n\n"
            "Labs are small scenes, one for each family of techniques.\n");
    return help ? CLI_OK : CLI_USAGE;
}
