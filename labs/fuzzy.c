// The lab of fuzzy systems: how desirable a rocket launcher is to a bot, by the distance to its target
// and the rockets left. The sets stand on the left, with what the rules conclude in the third box;
// the whole surface on the right, the present place marked; below it the rules, lit as they fire.
//
// A click or drag in a box of sets moves the peak of the nearest set there, and the system is built
// again; one on the surface takes the target and the rockets there. Otherwise the target strolls.
// The system can also be edited as an FLL text; from then on that text says everything, and the
// parameters and peaks of the lab nothing.
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/data/fuzzy_file.h"
#include "ploy/decide/fuzzy_table.h"

enum { FUZZY_LAB_VARIABLES = 3, FUZZY_LAB_SETS = 3, FUZZY_LAB_RULES = 9 };

static const char *const fuzzy_lab_names[FUZZY_LAB_VARIABLES] = {"distance", "ammo",
                                                                 "desirability"};
static const char *const fuzzy_lab_terms[FUZZY_LAB_VARIABLES][FUZZY_LAB_SETS] = {
    {"close", "medium", "far"}, {"low", "okay", "loads"}, {"undesirable", "desirable", "very"}};
static const double fuzzy_lab_max[FUZZY_LAB_VARIABLES] = {400.0, 40.0, 100.0};
static const float fuzzy_lab_boxes[FUZZY_LAB_VARIABLES][4] = {
    {0.5f, 7.5f, 9.0f, 9.6f}, {0.5f, 4.2f, 9.0f, 6.3f}, {0.5f, 0.9f, 9.0f, 3.0f}};
static const float fuzzy_lab_surface[4] = {10.0f, 4.2f, 15.4f, 9.6f};

typedef struct fuzzy_lab_def {
    uint32_t cookie;
    ploy_fuzzy_defuzzifier defuzzifier;
    ploy_fuzzy_norm implication;
    int32_t samples;
    float pace;
    bool stroll;
} fuzzy_lab_def;

static const char *const fuzzy_lab_defuzzifiers[] = {
    "centroid",         "bisector",     "smallest_of_max", "largest_of_max", "mean_of_max",
    "weighted_average", "weighted_sum", "blend_of_max",    "highest_set",    "centroid_of_sets"};
static const char *const fuzzy_lab_implications[] = {"none", "minimum", "algebraic_product"};

static const ploy_field fuzzy_lab_fields[] = {
    PLOY_FIELD_ENUM(fuzzy_lab_def, defuzzifier, PLOY_FUZZY_CENTROID, fuzzy_lab_defuzzifiers,
                    "how the output becomes a number"),
    PLOY_FIELD_ENUM(fuzzy_lab_def, implication, PLOY_FUZZY_MINIMUM, fuzzy_lab_implications,
                    "how a degree clips its set; none counts as minimum"),
    PLOY_FIELD_I32(fuzzy_lab_def, samples, 100, 1, 1000, "", "slices of an area"),
    PLOY_FIELD_F32(fuzzy_lab_def, pace, 0.5, 0, 10, "rad/s", "how fast the target strolls"),
    PLOY_FIELD_BOOL(fuzzy_lab_def, stroll, 1, "the target moves by itself"),
};

static ploy_fields fuzzy_lab_get_fields(void) {
    return PLOY_FIELDS(fuzzy_lab_def, fuzzy_lab_fields);
}

typedef struct fuzzy_lab {
    fuzzy_lab_def def; // as of the last build
    ploy_env env;      // the region's
    ploy_fuzzy_type *type;
    ploy_fuzzy *fuzzy;
    ploy_definition_text text;          // once it was edited
    int32_t shown[FUZZY_LAB_VARIABLES]; // the numbers of distance, ammo and desirability
    int32_t reserved;
    double peaks[FUZZY_LAB_VARIABLES][FUZZY_LAB_SETS];
    double distance, ammo, phase;
    int64_t builds;
} fuzzy_lab;

// Left shoulder, triangle and right shoulder between the peaks.
static void fuzzy_lab_add_terms(const fuzzy_lab *lab, ploy_fuzzy_type *type, int32_t variable,
                                int32_t v) {
    const double *peak = lab->peaks[v];
    ploy_fuzzy_set sets[FUZZY_LAB_SETS] = {
        ploy_fuzzy_left_shoulder(0.0, peak[0], peak[1]),
        ploy_fuzzy_triangle(peak[0], peak[1], peak[2]),
        ploy_fuzzy_right_shoulder(peak[1], peak[2], fuzzy_lab_max[v])};
    for (int32_t i = 0; i < FUZZY_LAB_SETS; i++) {
        (void)ploy_fuzzy_type_term(type, variable, fuzzy_lab_terms[v][i], &sets[i]);
    }
}

static const ploy_definition fuzzy_lab_definitions[] = {
    {"launcher", "fll", "the system; inputs distance and ammo, and one output at least"},
};

static const char *const fuzzy_lab_cells[] = {"undesirable", "undesirable", "undesirable",
                                              "desirable",   "very",        "very",
                                              "undesirable", "undesirable", "desirable"};

// Puts a new system in the old one's place.
static void fuzzy_lab_install(fuzzy_lab *lab, ploy_fuzzy_type *type, ploy_fuzzy *fuzzy) {
    ploy_fuzzy_destroy(lab->fuzzy);
    ploy_fuzzy_type_destroy(lab->type);
    lab->type = type;
    lab->fuzzy = fuzzy;
    lab->builds++;
    lab->shown[0] = ploy_fuzzy_type_find(type, fuzzy_lab_names[0]);
    lab->shown[1] = ploy_fuzzy_type_find(type, fuzzy_lab_names[1]);
    lab->shown[2] = PLOY_FUZZY_OUTPUT;
}

// Builds the system from the peaks; the old one stays if memory is short.
static ploy_result fuzzy_lab_build(fuzzy_lab *lab, const fuzzy_lab_def *settings) {
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    ploy_result result = ploy_fuzzy_type_create("rocket launcher", &lab->env, &type);
    if (result != PLOY_OK) return result;
    for (int32_t v = 0; v < FUZZY_LAB_VARIABLES; v++) {
        ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
        def.min = 0.0;
        def.max = fuzzy_lab_max[v];
        def.defuzzifier = settings->defuzzifier;
        def.samples = settings->samples;
        // Trapezoids say their middle, not what Tsukamoto would make of them.
        int32_t variable = v == 2 ? ploy_fuzzy_type_output(type, fuzzy_lab_names[v], &def)
                                  : ploy_fuzzy_type_input(type, fuzzy_lab_names[v], &def);
        fuzzy_lab_add_terms(lab, type, variable, v);
    }
    ploy_fuzzy_block_def norms = ploy_fuzzy_block_def_default();
    if (settings->implication != PLOY_FUZZY_NONE) norms.implication = settings->implication;
    int32_t block = ploy_fuzzy_type_block(type, "rules", &norms);
    (void)ploy_fuzzy_type_matrix(type, block, 0, 1, PLOY_FUZZY_OUTPUT, fuzzy_lab_cells);
    result = ploy_fuzzy_type_finish(type, NULL);
    if (result == PLOY_OK) result = ploy_fuzzy_create(type, &lab->env, &fuzzy);
    if (result != PLOY_OK) {
        ploy_fuzzy_type_destroy(type);
        return result;
    }
    fuzzy_lab_install(lab, type, fuzzy);
    memcpy(&lab->def, settings, sizeof lab->def);
    return PLOY_OK;
}

// Reads a system that the lab can show.
static ploy_result fuzzy_lab_load(const void *bytes, size_t size, const ploy_env *env,
                                  ploy_diags *diags, ploy_fuzzy_type **out) {
    ploy_fuzzy_type *type = NULL;
    ploy_result result = ploy_fll_load(bytes, size, "launcher.fll", env, diags, &type);
    if (result != PLOY_OK) return result;
    int32_t distance = ploy_fuzzy_type_find(type, fuzzy_lab_names[0]);
    int32_t ammo = ploy_fuzzy_type_find(type, fuzzy_lab_names[1]);
    bool inputs =
        distance >= 0 && distance < PLOY_FUZZY_OUTPUT && ammo >= 0 && ammo < PLOY_FUZZY_OUTPUT;
    if (!inputs || ploy_fuzzy_type_outputs(type) == 0) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_NOT_FOUND, "launcher.fll", 0, 0,
                       inputs ? "missing output" : "the inputs distance and ammo are missing", NULL,
                       NULL);
        ploy_fuzzy_type_destroy(type);
        return PLOY_ERR_NOT_FOUND;
    }
    *out = type;
    return PLOY_OK;
}

// Takes over a text that was checked.
static ploy_result fuzzy_lab_take(fuzzy_lab *lab, const void *bytes, size_t size) {
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    ploy_result result = fuzzy_lab_load(bytes, size, &lab->env, NULL, &type);
    if (result == PLOY_OK) result = ploy_fuzzy_create(type, &lab->env, &fuzzy);
    if (result == PLOY_OK) result = ploy_definition_text_set(&lab->text, bytes, size, &lab->env);
    if (result != PLOY_OK) {
        ploy_fuzzy_destroy(fuzzy);
        ploy_fuzzy_type_destroy(type);
        return result;
    }
    if (lab->text.reloads == 0) lab->text.reloads = 1; // what was before it was no text
    fuzzy_lab_install(lab, type, fuzzy);
    return PLOY_OK;
}

static ploy_result fuzzy_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    static const double peaks[FUZZY_LAB_VARIABLES][FUZZY_LAB_SETS] = {
        {25.0, 150.0, 300.0}, {0.0, 10.0, 30.0}, {25.0, 50.0, 75.0}};
    fuzzy_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    lab->env = *env;
    memcpy(lab->peaks, peaks, sizeof lab->peaks);
    lab->phase = (double)ploy_rng_range_at(key, 0, 0, 0, 0.0f, 6.0f);
    fuzzy_lab_def def;
    memcpy(&def, params, sizeof def);
    ploy_result result = fuzzy_lab_build(lab, &def);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// Where x lies between the sides of a box, 0 to 1.
static double fuzzy_lab_share(float x, float from, float to) {
    return (double)ploy_clampf((x - from) / (to - from), 0.0f, 1.0f);
}

static bool fuzzy_lab_inside(ploy_vec2 at, const float box[4]) {
    return at.x >= box[0] && at.x <= box[2] && at.y >= box[1] && at.y <= box[3];
}

// Takes the nearest peak along, but never past its neighbours. True if it moved.
static bool fuzzy_lab_drag(fuzzy_lab *lab, int32_t v, double x) {
    double *peak = lab->peaks[v], room = 0.01 * fuzzy_lab_max[v];
    int32_t nearest = 0;
    for (int32_t i = 1; i < FUZZY_LAB_SETS; i++) {
        if (fabs(peak[i] - x) < fabs(peak[nearest] - x)) nearest = i;
    }
    double low = nearest > 0 ? peak[nearest - 1] + room : 0.0;
    double high = nearest < FUZZY_LAB_SETS - 1 ? peak[nearest + 1] - room : fuzzy_lab_max[v];
    double to = x < low ? low : x > high ? high : x;
    bool moved = to != peak[nearest];
    peak[nearest] = to;
    return moved;
}

static ploy_result fuzzy_lab_step(void *state, const ploy_sim_context *context) {
    fuzzy_lab *lab = state;
    fuzzy_lab_def def;
    memcpy(&def, context->params, sizeof def);
    bool changed = memcmp(&def, &lab->def, sizeof def) != 0;
    if (def.stroll) {
        lab->phase += (double)(def.pace * context->dt);
        lab->distance = 200.0 - 190.0 * ploy_cos(lab->phase);
        lab->ammo = 20.0 + 19.0 * ploy_sin(0.37 * lab->phase);
    }
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind == PLOY_INPUT_RELOAD) {
            ploy_result result = fuzzy_lab_take(lab, input->bytes, input->size);
            if (result != PLOY_OK) return result;
        }
        if (!lab_input_is(input, "click")) continue;
        ploy_vec2 at = lab_input_point(input);
        for (int32_t v = 0; v < FUZZY_LAB_VARIABLES && lab->text.bytes == NULL; v++) {
            const float *box = fuzzy_lab_boxes[v];
            if (!fuzzy_lab_inside(at, box)) continue;
            changed |=
                fuzzy_lab_drag(lab, v, fuzzy_lab_share(at.x, box[0], box[2]) * fuzzy_lab_max[v]);
        }
        if (fuzzy_lab_inside(at, fuzzy_lab_surface)) {
            const float *box = fuzzy_lab_surface;
            lab->distance = fuzzy_lab_share(at.x, box[0], box[2]) * fuzzy_lab_max[0];
            lab->ammo = fuzzy_lab_share(at.y, box[1], box[3]) * fuzzy_lab_max[1];
        }
    }
    if (changed && lab->text.bytes == NULL) {
        ploy_result result = fuzzy_lab_build(lab, &def);
        if (result != PLOY_OK) return result;
    }
    ploy_fuzzy_set_input(lab->fuzzy, lab->shown[0], lab->distance);
    ploy_fuzzy_set_input(lab->fuzzy, lab->shown[1], lab->ammo);
    ploy_fuzzy_step(lab->fuzzy, context->trace);
    return PLOY_OK;
}

// ---- sight

// The rules as a table, with the degrees of those that fired: loose texts lose their rows in narrow pictures.
static void fuzzy_lab_draw_rules(const fuzzy_lab *lab, ploy_draw *out) {
    bool own = lab->text.bytes == NULL;
    char table[64 + 128 * FUZZY_LAB_RULES];
    int used = snprintf(table, sizeof table, "%s",
                        own ? "lllr\ndistance\tammo\tdesirability\tdegree" : "lr\nrule\tdegree");
    int32_t rules = ploy_fuzzy_type_rules(lab->type, 0);
    for (int32_t i = 0; i < rules && i < FUZZY_LAB_RULES; i++) {
        char degree[16] = "";
        if (ploy_fuzzy_rule_fired(lab->fuzzy, 0, i)) {
            snprintf(degree, sizeof degree, "%.2f", ploy_fuzzy_rule_degree(lab->fuzzy, 0, i));
        }
        size_t room = sizeof table - (size_t)used;
        int more = own ? snprintf(table + used, room, "\n%s\t%s\t%s\t%s", fuzzy_lab_terms[0][i / 3],
                                  fuzzy_lab_terms[1][i % 3], fuzzy_lab_cells[i], degree)
                       : snprintf(table + used, room, "\n%s\t%s",
                                  ploy_fuzzy_type_rule_text(lab->type, 0, i), degree);
        if (more < 0 || (size_t)more >= room) break;
        used += more;
    }
    table[used] = 0; // without a row that is cut off
    ploy_draw_table(out, ploy_agent_id_none(), ploy_vec2_make(10.0f, 3.6f), table);
}

static void fuzzy_lab_draw(const void *state, ploy_draw *out) {
    const fuzzy_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "first set, and the surface");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "second set");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "third set");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "the result");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "value at present");
    for (int32_t v = 0; v < FUZZY_LAB_VARIABLES; v++) {
        ploy_fuzzy_draw_variable(lab->fuzzy, lab->shown[v], fuzzy_lab_boxes[v], out);
    }
    // The surface is asked from a separate instance, outside of the region: drawing changes
    // nothing.
    ploy_env heap = ploy_env_default();
    ploy_fuzzy *scratch = NULL;
    if (ploy_fuzzy_create(lab->type, &heap, &scratch) == PLOY_OK) {
        ploy_fuzzy_draw_surface(lab->fuzzy, scratch, lab->shown[0], lab->shown[1], 0, 32,
                                fuzzy_lab_surface, out);
        ploy_fuzzy_destroy(scratch);
    }
    fuzzy_lab_draw_rules(lab, out);
}

static void fuzzy_lab_describe(const void *state, ploy_describe *out) {
    const fuzzy_lab *lab = state;
    ploy_describe_f64(out, "phase", PLOY_STATE, lab->phase);
    ploy_describe_f64(out, "distance", PLOY_STATE, lab->distance);
    ploy_describe_f64(out, "ammo", PLOY_STATE, lab->ammo);
    ploy_describe_i64(out, "builds", PLOY_STATE, lab->builds);
    ploy_describe_begin(out, "peaks");
    for (int32_t v = 0; v < FUZZY_LAB_VARIABLES; v++) {
        for (int32_t i = 0; i < FUZZY_LAB_SETS; i++) {
            ploy_describe_f64(out, fuzzy_lab_terms[v][i], PLOY_STATE, lab->peaks[v][i]);
        }
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "system");
    ploy_fuzzy_describe(lab->fuzzy, out);
    ploy_describe_end(out);
    ploy_definition_text_describe(&lab->text, "definition", NULL, out);
}

// Before it was edited, the text is the system as it was dragged and set.
static ploy_result fuzzy_lab_write(const void *state, int32_t definition, ploy_writer *out) {
    const fuzzy_lab *lab = state;
    (void)definition;
    if (lab->text.bytes != NULL) return ploy_definition_text_write(&lab->text, out);
    return ploy_fll_save(lab->type, out);
}

static ploy_result fuzzy_lab_check(const void *state, int32_t definition, const void *bytes,
                                   size_t size, const ploy_env *env, ploy_diags *diags) {
    (void)state, (void)definition;
    ploy_fuzzy_type *type = NULL;
    ploy_result result = fuzzy_lab_load(bytes, size, env, diags, &type);
    ploy_fuzzy_type_destroy(type);
    return result;
}

static const ploy_command fuzzy_lab_commands[] = {
    {"click", "move the peak of a set, or the target", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_fuzzy; // in labs.c
const ploy_sim_type ploy_lab_fuzzy = {
    .name = "fuzzy",
    .title = "Fuzzy system",
    .help = "How desirable a bot's rocket launcher is, by nine fuzzy rules. Drag the peak of a set "
            "and watch the surface bend; click on the surface to move the target.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 60.0f,
    .view = {0.0f, 0.0f, 17.8f, 10.3f},
    .fields = fuzzy_lab_get_fields,
    .commands = fuzzy_lab_commands,
    .command_count = sizeof fuzzy_lab_commands / sizeof fuzzy_lab_commands[0],
    .create = fuzzy_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = fuzzy_lab_step,
    .draw = fuzzy_lab_draw,
    .describe = fuzzy_lab_describe,
    .definitions = fuzzy_lab_definitions,
    .definition_count = sizeof fuzzy_lab_definitions / sizeof fuzzy_lab_definitions[0],
    .write = fuzzy_lab_write,
    .check = fuzzy_lab_check,
};
