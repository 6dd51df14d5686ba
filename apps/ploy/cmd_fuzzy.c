// ploy fuzzy eval | check | plot | lint | convert: fuzzy systems from FLL and FCL files.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "ploy/base/name.h"
#include "ploy/base/number.h"
#include "ploy/base/os.h"
#include "ploy/data/fuzzy_file.h"

enum { FUZZY_WORDS = 65 };

// What every subcommand holds.
typedef struct fuzzy_run {
    ploy_env env;
    ploy_diags *diags;
    ploy_fuzzy_type *type;
    ploy_fuzzy *fuzzy, *scratch;
    ploy_fld *table;
    const char *words[FUZZY_WORDS];
    const char *block, *png, *svg, *x, *y, *output, *tolerance;
    int64_t samples, width;
    bool json, why;
} fuzzy_run;

static bool ends_with(const char *path, const char *ending) {
    size_t size = strlen(path), tail = strlen(ending);
    if (size < tail) return false;
    for (size_t i = 0; i < tail; i++) {
        char c = path[size - tail + i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c != ending[i]) return false;
    }
    return true;
}

// Reads the system. -1, or the exit status.
static int load_system(fuzzy_run *run, const char *path) {
    bool fcl = ends_with(path, ".fcl");
    if (!fcl && !ends_with(path, ".fll"))
        return cli_error("expected an .fll or .fcl file, found", path);
    if (run->samples > PLOY_FUZZY_SAMPLES_MAX)
        return cli_error("--samples expects at most", "1000000");
    ploy_buffer bytes;
    ploy_result result = ploy_os_read_file(path, (size_t)1 << 28, &run->env, &bytes);
    if (result != PLOY_OK) return cli_error_read(path, result);
    result = fcl ? ploy_fcl_load(bytes.bytes, bytes.size, path, run->block, (int32_t)run->samples,
                                 &run->env, run->diags, &run->type)
                 : ploy_fll_load(bytes.bytes, bytes.size, path, &run->env, run->diags, &run->type);
    ploy_buffer_fini(&bytes);
    if (result == PLOY_OK) result = ploy_fuzzy_create(run->type, &run->env, &run->fuzzy);
    if (result == PLOY_OK) return -1;
    if (ploy_diags_count(run->diags) > 0) return cli_error_diags(run->diags);
    return cli_error_result(path, result);
}

static int unknown_input(const fuzzy_run *run, const char *name) {
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; i < ploy_fuzzy_type_inputs(run->type); i++) {
        ploy_nearest_offer(&nearest, ploy_fuzzy_type_variable_name(run->type, i));
    }
    return cli_error_near("unknown input", name, nearest.best);
}

// The words from `first` on, "name=value" each. -1, or the exit status.
static int set_inputs(fuzzy_run *run, int32_t first, bool all) {
    for (int32_t i = first; i < FUZZY_WORDS && run->words[i] != NULL; i++) {
        const char *word = run->words[i], *sign = strchr(word, '=');
        char name[PLOY_DIAG_TEXT_MAX];
        double value = 0.0;
        if (sign == NULL || (size_t)(sign - word) >= sizeof name ||
            ploy_parse_f64(sign + 1, strlen(sign + 1), NULL, &value) != PLOY_OK) {
            return cli_error("expected INPUT=NUMBER, found", word);
        }
        snprintf(name, sizeof name, "%.*s", (int)(sign - word), word);
        int32_t variable = ploy_fuzzy_type_find(run->type, name);
        if (variable < 0 || variable >= PLOY_FUZZY_OUTPUT) return unknown_input(run, name);
        ploy_fuzzy_set_input(run->fuzzy, variable, value);
    }
    for (int32_t i = 0; all && i < ploy_fuzzy_type_inputs(run->type); i++) {
        if (isnan(ploy_fuzzy_input(run->fuzzy, i))) {
            return cli_error("missing value for the input",
                             ploy_fuzzy_type_variable_name(run->type, i));
        }
    }
    return -1;
}

static void write_number(ploy_json_writer *json, double value) {
    if (isnan(value)) {
        ploy_json_write_null(json);
    } else {
        ploy_json_write_f64(json, value);
    }
}

static void print_json(const fuzzy_run *run) {
    const ploy_fuzzy_type *type = run->type;
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    for (int32_t kind = 0; kind < 2; kind++) {
        ploy_json_write_key(&json, kind == 0 ? "inputs" : "outputs");
        ploy_json_write_begin_object(&json);
        int32_t count = kind == 0 ? ploy_fuzzy_type_inputs(type) : ploy_fuzzy_type_outputs(type);
        for (int32_t i = 0; i < count; i++) {
            ploy_json_write_key(&json, ploy_fuzzy_type_variable_name(
                                           type, i + (kind == 0 ? 0 : PLOY_FUZZY_OUTPUT)));
            write_number(&json, kind == 0 ? ploy_fuzzy_input(run->fuzzy, i)
                                          : ploy_fuzzy_output(run->fuzzy, i));
        }
        ploy_json_write_end_object(&json);
    }
    ploy_json_write_key(&json, "rules");
    ploy_json_write_begin_array(&json);
    for (int32_t b = 0; b < ploy_fuzzy_type_blocks(type) && run->why; b++) {
        for (int32_t r = 0; r < ploy_fuzzy_type_rules(type, b); r++) {
            ploy_json_write_begin_object(&json);
            ploy_json_write_key(&json, "rule");
            ploy_json_write_text(&json, ploy_fuzzy_type_rule_text(type, b, r));
            ploy_json_write_key(&json, "degree");
            write_number(&json, ploy_fuzzy_rule_degree(run->fuzzy, b, r));
            ploy_json_write_key(&json, "fired");
            ploy_json_write_bool(&json, ploy_fuzzy_rule_fired(run->fuzzy, b, r));
            ploy_json_write_end_object(&json);
        }
    }
    ploy_json_write_end_array(&json);
    ploy_json_write_end_object(&json);
    (void)ploy_json_writer_finish(&json);
    putchar('\n');
}

static int run_eval(fuzzy_run *run) {
    int status = load_system(run, run->words[0]);
    if (status < 0) status = set_inputs(run, 1, true);
    if (status >= 0) return status;
    ploy_fuzzy_step(run->fuzzy, NULL);
    if (run->json) {
        print_json(run);
        return CLI_OK;
    }
    for (int32_t i = 0; i < ploy_fuzzy_type_outputs(run->type); i++) {
        char number[PLOY_PRINT_F64_SIZE];
        (void)ploy_print_f64(ploy_fuzzy_output(run->fuzzy, i), number);
        printf("%s = %s\n", ploy_fuzzy_type_variable_name(run->type, PLOY_FUZZY_OUTPUT + i),
               number);
    }
    for (int32_t b = 0; b < ploy_fuzzy_type_blocks(run->type) && run->why; b++) {
        for (int32_t r = 0; r < ploy_fuzzy_type_rules(run->type, b); r++) {
            printf("  %c %.6f  %s\n", ploy_fuzzy_rule_fired(run->fuzzy, b, r) ? '*' : ' ',
                   ploy_fuzzy_rule_degree(run->fuzzy, b, r),
                   ploy_fuzzy_type_rule_text(run->type, b, r));
        }
    }
    return CLI_OK;
}

static int run_check(fuzzy_run *run) {
    double tolerance = 1e-6;
    if (run->tolerance != NULL &&
        (ploy_parse_f64(run->tolerance, strlen(run->tolerance), NULL, &tolerance) != PLOY_OK ||
         !(tolerance >= 0.0))) {
        return cli_error("--tolerance expects a number of 0 or more, found", run->tolerance);
    }
    int status = load_system(run, run->words[0]);
    if (status >= 0) return status;
    ploy_buffer bytes;
    ploy_result result = ploy_os_read_file(run->words[1], (size_t)1 << 28, &run->env, &bytes);
    if (result != PLOY_OK) return cli_error_read(run->words[1], result);
    result =
        ploy_fld_load(bytes.bytes, bytes.size, run->words[1], &run->env, run->diags, &run->table);
    ploy_buffer_fini(&bytes);
    ploy_fld_report report;
    if (result == PLOY_OK) {
        result = ploy_fld_compare(run->table, run->type, &run->env, run->diags, &report);
        if (result == PLOY_ERR_NOT_FOUND) {
            (void)cli_error("table is for another system:", run->words[1]);
        }
    }
    if (result != PLOY_OK) {
        return ploy_diags_count(run->diags) > 0 ? cli_error_diags(run->diags)
                                                : cli_error_result(run->words[1], result);
    }
    bool fine = report.worst <= tolerance;
    const char *output =
        ploy_fuzzy_type_variable_name(run->type, PLOY_FUZZY_OUTPUT + report.worst_output);
    if (run->json) {
        ploy_writer out = cli_stream_writer(stdout);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &out, 0);
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "rows");
        ploy_json_write_i64(&json, report.rows);
        ploy_json_write_key(&json, "worst");
        ploy_json_write_f64(&json, report.worst);
        ploy_json_write_key(&json, "row");
        ploy_json_write_i64(&json, report.worst_row + 1);
        ploy_json_write_key(&json, "output");
        ploy_json_write_text(&json, output);
        ploy_json_write_key(&json, "within");
        ploy_json_write_bool(&json, fine);
        ploy_json_write_end_object(&json);
        (void)ploy_json_writer_finish(&json);
        putchar('\n');
    } else {
        printf("%d rows, worst error %.3g", (int)report.rows, report.worst);
        if (report.worst > 0.0) {
            printf(" in row %d: expected %s = %.9g, found %.9g", (int)report.worst_row + 1, output,
                   report.wanted, report.ours);
        }
        putchar('\n');
    }
    return fine ? CLI_OK : CLI_NO;
}

static int run_lint(fuzzy_run *run) {
    int status = load_system(run, run->words[0]);
    if (status >= 0) return status;
    int32_t count = ploy_fuzzy_type_lint(run->type, 200, 0.01, run->diags);
    if (run->json) {
        cli_print_findings(run->words[0], run->diags);
        return count == 0 ? CLI_OK : CLI_NO;
    }
    for (int32_t i = 0; i < ploy_diags_count(run->diags); i++) {
        printf("%s: %s\n", run->words[0], ploy_diags_get(run->diags, i)->message);
    }
    if (count == 0) printf("%s: no findings\n", run->words[0]);
    return count == 0 ? CLI_OK : CLI_NO;
}

static int run_convert(fuzzy_run *run) {
    int status = load_system(run, run->words[0]);
    if (status >= 0) return status;
    bool fcl = ends_with(run->words[1], ".fcl");
    if (!fcl && !ends_with(run->words[1], ".fll")) {
        return cli_error("expected an .fll or .fcl file, found", run->words[1]);
    }
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &run->env);
    ploy_writer writer = ploy_buffer_writer(&text);
    ploy_result result =
        fcl ? ploy_fcl_save(run->type, &writer) : ploy_fll_save(run->type, &writer);
    status = result != PLOY_OK                      ? cli_error_result(run->words[1], result)
             : cli_write_file(run->words[1], &text) ? CLI_OK
                                                    : CLI_USAGE;
    ploy_buffer_fini(&text);
    return status;
}

// ---- pictures ----

typedef struct fuzzy_scene {
    fuzzy_run *run;
    int32_t x, y, output;
    bool surface;
} fuzzy_scene;

// Variables on the left, one above the other, and the surface on the right.
static void draw_scene(const void *subject, ploy_draw *out) {
    const fuzzy_scene *scene = subject;
    const ploy_fuzzy_type *type = scene->run->type;
    int32_t inputs = ploy_fuzzy_type_inputs(type), count = inputs + ploy_fuzzy_type_outputs(type);
    float height = 10.0f / (float)count;
    for (int32_t i = 0; i < count; i++) {
        float top = 10.0f - (float)i * height;
        float box[4] = {0.5f, top - 0.72f * height, scene->surface ? 9.0f : 18.5f,
                        top - 0.15f * height};
        ploy_fuzzy_draw_variable(scene->run->fuzzy, i < inputs ? i : PLOY_FUZZY_OUTPUT + i - inputs,
                                 box, out);
    }
    float square[4] = {10.0f, 0.8f, 18.5f, 9.3f};
    if (scene->surface) {
        ploy_fuzzy_draw_surface(scene->run->fuzzy, scene->run->scratch, scene->x, scene->y,
                                scene->output, 48, square, out);
    }
}

// The variable of that name, or the number given if there is no name. False and a message if it is
// of the wrong kind.
static bool pick_variable(const fuzzy_run *run, const char *name, bool output, int32_t *out) {
    if (name == NULL) return true;
    int32_t variable = ploy_fuzzy_type_find(run->type, name);
    if (variable < 0 || (variable >= PLOY_FUZZY_OUTPUT) != output) {
        (void)cli_error(output ? "unknown output" : "unknown input", name);
        return false;
    }
    *out = output ? variable - PLOY_FUZZY_OUTPUT : variable;
    return true;
}

static int run_plot(fuzzy_run *run) {
    if (run->svg == NULL && run->png == NULL) return cli_error("plot needs --svg or --png", NULL);
    int status = load_system(run, run->words[0]);
    if (status < 0) status = set_inputs(run, 1, false);
    if (status >= 0) return status;
    fuzzy_scene scene = {run, 0, 1, 0, false};
    if (!pick_variable(run, run->x, false, &scene.x) ||
        !pick_variable(run, run->y, false, &scene.y) ||
        !pick_variable(run, run->output, true, &scene.output)) {
        return CLI_USAGE;
    }
    // An input without a value is in the middle of its range, so that a surface can be drawn.
    for (int32_t i = 0; i < ploy_fuzzy_type_inputs(run->type); i++) {
        const ploy_fuzzy_variable_def *def = ploy_fuzzy_type_variable(run->type, i);
        double middle = 0.5 * (def->min + def->max);
        if (isnan(ploy_fuzzy_input(run->fuzzy, i)) && isfinite(middle)) {
            ploy_fuzzy_set_input(run->fuzzy, i, middle);
        }
    }
    ploy_fuzzy_step(run->fuzzy, NULL);
    scene.surface = ploy_fuzzy_type_inputs(run->type) > 1 && ploy_fuzzy_type_outputs(run->type) > 0;
    ploy_result result = ploy_fuzzy_create(run->type, &run->env, &run->scratch);
    if (result != PLOY_OK) return cli_error_result("plot", result);
    static const float view[4] = {0.0f, 0.0f, 19.0f, 10.5f};
    cli_picture picture = {view, run->width, draw_scene, &scene};
    if (run->svg != NULL) status = cli_write_svg(run->svg, &picture, &run->env);
    if (status < 0 && run->png != NULL) status = cli_write_png(run->png, &picture, &run->env);
    return status < 0 ? CLI_OK : status;
}

static const cli_command fuzzy_commands[] = {
    {"eval", "F.fll|F.fcl INPUT=NUMBER... [options]", "Evaluates a fuzzy system once.", 1,
     FUZZY_WORDS},
    {"check", "F.fll|F.fcl F.fld [options]",
     "Compares each row of a table of results with ours; exit status 1 if a difference exceeds the "
     "tolerance.",
     2, 2},
    {"plot", "F.fll|F.fcl [INPUT=NUMBER...] (--svg F | --png F) [options]",
     "Draws the fuzzy sets, the conclusions of the rules, and one output over two inputs.", 1,
     FUZZY_WORDS},
    {"lint", "F.fll|F.fcl [options]",
     "Reports gaps, degrees that do not sum to 1, rules that never fire and unused terms. Exit "
     "status 1 if there are any.",
     1, 1},
    {"convert", "F.fll|F.fcl TO.fll|TO.fcl [options]", "Writes the system in the other format.", 2,
     2},
};
static int (*const fuzzy_runs[])(fuzzy_run *run) = {run_eval, run_check, run_plot, run_lint,
                                                    run_convert};
enum { FUZZY_COMMANDS = sizeof fuzzy_commands / sizeof fuzzy_commands[0] };
static const cli_group fuzzy_group = {
    "fuzzy", "Fuzzy systems in fuzzylite (.fll) or IEC 61131-7 (.fcl) files.", fuzzy_commands,
    FUZZY_COMMANDS};

static int run_command(int32_t index, int argc, char **argv) {
    fuzzy_run run;
    memset(&run, 0, sizeof run);
    run.width = 1024;
    const cli_option options[] = {
        {"--json", CLI_FLAG, &run.json, NULL,
         "print one JSON object on one line (eval, check, lint)"},
        {"--why", CLI_FLAG, &run.why, NULL, "print each rule's degree and whether it fired (eval)"},
        {"--tolerance", CLI_TEXT, &run.tolerance, "T",
         "largest error allowed (check; default 1e-6)"},
        {"--block", CLI_TEXT, &run.block, "NAME",
         "function block of an FCL file (default: the first)"},
        {"--samples", CLI_COUNT, &run.samples, "N",
         "number of samples of an area, for FCL (default 100)"},
        {"--svg", CLI_TEXT, &run.svg, "F", "write an SVG file ('-' for standard output) (plot)"},
        {"--png", CLI_TEXT, &run.png, "F", "write a PNG file (plot)"},
        {"--x", CLI_TEXT, &run.x, "INPUT",
         "input on the x axis of the surface (plot; default: the first)"},
        {"--y", CLI_TEXT, &run.y, "INPUT",
         "input on the y axis of the surface (plot; default: the second)"},
        {"--output", CLI_TEXT, &run.output, "OUTPUT",
         "output of the surface (plot; default: the first)"},
        {"--width", CLI_COUNT, &run.width, "N",
         "width of the picture in pixels (plot; default 1024)"},
    };
    int status =
        cli_parse_command(&fuzzy_group, index, options,
                          (int32_t)(sizeof options / sizeof options[0]), argc, argv, run.words);
    if (status >= 0) return status;
    run.env = cli_env();
    ploy_result result = ploy_diags_create(50, &run.env, &run.diags);
    status = result == PLOY_OK ? fuzzy_runs[index](&run) : cli_error_result("fuzzy", result);
    ploy_fld_destroy(run.table);
    ploy_fuzzy_destroy(run.scratch);
    ploy_fuzzy_destroy(run.fuzzy);
    ploy_fuzzy_type_destroy(run.type);
    ploy_diags_destroy(run.diags);
    return status;
}

int cmd_fuzzy(int argc, char **argv) {
    int status = CLI_OK;
    int32_t index = cli_choose(&fuzzy_group, argc, argv, &status);
    return index >= 0 ? run_command(index, argc - 1, argv + 1) : status;
}
