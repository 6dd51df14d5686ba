// ploy tactics convolve | automaton.
#include <string.h>

#include "apps/ploy/tactics_read.h"
#include "ploy/tactics/automata.h"
#include "ploy/tactics/convolve.h"

// ---- convolve

typedef struct tactics_filter {
    ploy_env env;
    const char *kernel, *divide, *border, *rule;
    int64_t times;
    bool json, torus;
} tactics_filter;

static void tactics_print_layer(const ploy_tactics_layer *layer, bool json) {
    const ploy_places *places = ploy_tactics_layer_places(layer);
    ploy_writer out = cli_stream_writer(stdout);
    if (json) ploy_write_text(&out, "{\"rows\":[");
    for (int32_t y = 0; y < places->height; y++) {
        if (json) ploy_write_text(&out, y > 0 ? ",[" : "[");
        for (int32_t x = 0; x < places->width; x++) {
            if (x > 0) ploy_write_char(&out, ',');
            ploy_write_f32(&out, ploy_tactics_layer_at(layer, y * places->width + x));
        }
        ploy_write_text(&out, json ? "]" : "\n");
    }
    if (json) ploy_write_text(&out, "]}\n");
}

static ploy_result filter_slice(void *self, ploy_budget *budget) {
    return ploy_convolve_step(self, budget);
}

static uint64_t filter_passes(const void *self) {
    return (uint64_t)ploy_convolve_passes(self);
}

static int tactics_convolve_run(tactics_filter *f, const ploy_array *numbers, int32_t width,
                                int32_t height) {
    static const char *const borders[] = {"renormalise", "zero", "clamp", "wrap"};
    ploy_convolve_options options = ploy_convolve_options_default();
    ploy_convolve_kernel kernel;
    ploy_diags *diags = NULL;
    float divide = 1.0f;
    int32_t border = 0;
    int status = tactics_parse_word("--border", f->border, borders, 4, &border);
    if (status < 0) status = tactics_parse_number("--divide", f->divide, -1e9f, &divide);
    if (status >= 0) return status;
    if (f->times < 1 || f->times > 1000000) return cli_error("--times expects 1 to 1000000", NULL);
    if (divide == 0.0f) return cli_error("--divide expects a number other than 0", NULL);
    options.border = (ploy_convolve_border)border;
    options.times = (int32_t)f->times;
    ploy_result result = ploy_diags_create(4, &f->env, &diags);
    if (result == PLOY_OK) result = ploy_convolve_kernel_read(f->kernel, divide, diags, &kernel);
    if (result != PLOY_OK) {
        status = ploy_diags_count(diags) > 0 ? cli_error_diags(diags)
                                             : cli_error_result("kernel", result);
        ploy_diags_destroy(diags);
        return status;
    }
    ploy_diags_destroy(diags);
    ploy_places places = ploy_places_grid(width, height, ploy_vec2_make(0, 0), 1.0f);
    ploy_tactics_layer *layer = NULL;
    ploy_convolve *convolve = NULL;
    result = ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, &f->env, &layer);
    if (result == PLOY_OK) result = ploy_convolve_create(&places, &f->env, &convolve);
    if (result == PLOY_OK) {
        memcpy(ploy_tactics_layer_numbers(layer), PLOY_ARRAY_AT(numbers, float, 0),
               (size_t)places.count * sizeof(float));
        result = ploy_convolve_begin(convolve, &kernel, &options, layer, layer);
        cli_work work = {filter_slice, convolve, filter_passes, (uint64_t)f->times};
        if (result == PLOY_OK) result = cli_work_run("passes", &work, true);
    }
    if (result == PLOY_OK) tactics_print_layer(layer, f->json);
    ploy_convolve_destroy(convolve);
    ploy_tactics_layer_destroy(layer);
    return result == PLOY_OK ? CLI_OK : cli_error_result("convolve", result);
}

int tactics_convolve(const cli_group *group, int32_t which, int argc, char **argv) {
    tactics_filter f;
    memset(&f, 0, sizeof f);
    f.env = cli_env();
    f.times = 1;
    const cli_option options[] = {
        {"--kernel", CLI_TEXT, &f.kernel, "K", "rows of weights, divided by ;"},
        {"--divide", CLI_TEXT, &f.divide, "D", "divide every weight by D (default 1)"},
        {"--border", CLI_TEXT, &f.border, "B", "renormalise (default), zero, clamp or wrap"},
        {"--times", CLI_COUNT, &f.times, "K", "passes (default 1)"},
        {"--json", CLI_FLAG, &f.json, NULL, "print JSON"},
    };
    const char *words[1] = {NULL};
    int status = cli_parse_command(group, which, options, sizeof options / sizeof options[0], argc,
                                   argv, words);
    if (status >= 0) return status;
    if (f.kernel == NULL) return cli_error("convolve needs --kernel", NULL);
    ploy_array numbers;
    int32_t width = 0, height = 0;
    status = tactics_read_numbers(words[0], &f.env, &numbers, &width, &height);
    if (status < 0) status = tactics_convolve_run(&f, &numbers, width, height);
    ploy_array_fini(&numbers);
    return status;
}

// ---- automaton

static void tactics_print_cells(const ploy_automaton *automaton, const tactics_filter *f) {
    bool json = f->json;
    ploy_automaton_def def = ploy_automaton_def_of(automaton);
    ploy_writer out = cli_stream_writer(stdout);
    if (json) {
        int64_t cells = (int64_t)def.width * def.height - ploy_automaton_count(automaton, 0);
        ploy_write_text(&out, "{\"steps\":");
        ploy_write_i64(&out, f->times);
        ploy_write_text(&out, ",\"cells\":");
        ploy_write_i64(&out, cells);
        ploy_write_text(&out, ",\"period\":");
        ploy_write_i64(&out, ploy_automaton_period(automaton));
        ploy_write_text(&out, ",\"rows\":[");
    }
    for (int32_t y = 0; y < def.height; y++) {
        const uint8_t *row = ploy_automaton_row(automaton, y);
        if (json) ploy_write_text(&out, y > 0 ? ",\"" : "\"");
        for (int32_t x = 0; x < def.width; x++) {
            char c = row[x] == 0 ? '.' : row[x] == 1 ? '#' : (char)('0' + row[x]);
            ploy_write_char(&out, row[x] > 9 ? '+' : c);
        }
        ploy_write_text(&out, json ? "\"" : "\n");
    }
    if (json) ploy_write_text(&out, "]}\n");
}

static int tactics_automaton_run(const tactics_filter *f, const ploy_array *cells, int32_t width,
                                 int32_t height) {
    ploy_automaton_rule rule;
    ploy_diags *diags = NULL;
    ploy_result result = ploy_diags_create(4, &f->env, &diags);
    if (result == PLOY_OK) result = ploy_automata_rule_read(f->rule, diags, &rule);
    if (result != PLOY_OK) {
        int status =
            ploy_diags_count(diags) > 0 ? cli_error_diags(diags) : cli_error_result("rule", result);
        ploy_diags_destroy(diags);
        return status;
    }
    ploy_diags_destroy(diags);
    ploy_automaton_def def = ploy_automaton_def_default();
    def.width = width;
    def.height = height;
    def.border = f->torus ? PLOY_AUTOMATON_TORUS : PLOY_AUTOMATON_OPEN;
    def.history = 64;
    ploy_automaton *automaton = NULL;
    result = ploy_automaton_create(&def, &f->env, &automaton);
    if (result != PLOY_OK) return cli_error_result("automaton", result);
    for (int32_t y = 0; y < height; y++) {
        ploy_automaton_set_row(automaton, y, PLOY_ARRAY_AT(cells, uint8_t, y * width));
    }
    cli_progress progress = cli_progress_begin("stepping", (uint64_t)f->times, true);
    // Once the grid repeats itself, whole periods change nothing.
    int64_t left = f->times;
    for (bool repeats = false; left > 0; left--) {
        (void)ploy_automaton_step(automaton, &rule, NULL);
        cli_progress_step(&progress, (uint64_t)(f->times - left + 1));
        if (repeats || ploy_automaton_period(automaton) == 0) continue;
        repeats = true;
        left = (left - 1) % ploy_automaton_period(automaton) + 1;
    }
    cli_progress_end(&progress);
    tactics_print_cells(automaton, f);
    ploy_automaton_destroy(automaton);
    return CLI_OK;
}

int tactics_automaton(const cli_group *group, int32_t which, int argc, char **argv) {
    tactics_filter f;
    memset(&f, 0, sizeof f);
    f.env = cli_env();
    f.times = 1;
    const cli_option options[] = {
        {"--rule", CLI_TEXT, &f.rule, "R", "secure, crime, contour, city, or such as B3/S23"},
        {"--steps", CLI_COUNT, &f.times, "N", "generations (default 1)"},
        {"--torus", CLI_FLAG, &f.torus, NULL, "opposite edges touch"},
        {"--json", CLI_FLAG, &f.json, NULL, "print JSON"},
    };
    const char *words[1] = {NULL};
    int status = cli_parse_command(group, which, options, sizeof options / sizeof options[0], argc,
                                   argv, words);
    if (status >= 0) return status;
    if (f.rule == NULL) return cli_error("automaton needs --rule", NULL);
    ploy_array cells;
    int32_t width = 0, height = 0;
    status = tactics_read_cells(words[0], &f.env, &cells, &width, &height);
    if (status < 0) status = tactics_automaton_run(&f, &cells, width, height);
    ploy_array_fini(&cells);
    return status;
}
