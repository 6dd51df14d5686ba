// Cellular automata for tactics: secure areas, contours, crime, Life, a city and a base.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/tactics/automata.h"

enum { AUTOMATA_SIDE = 32, AUTOMATA_CELLS = AUTOMATA_SIDE * AUTOMATA_SIDE };

static const char *const automata_rules[] = {"secure", "crime", "contour", "life", "city", "base"};
enum {
    AUTOMATA_SECURE,
    AUTOMATA_CRIME,
    AUTOMATA_CONTOUR,
    AUTOMATA_LIFE,
    AUTOMATA_CITY,
    AUTOMATA_BASE
};

typedef struct automata_def {
    uint32_t cookie;
    int32_t rule; // of the list above
    bool torus, keeps, exactly, upgrades;
    int32_t pause, cap;
    float filled;
} automata_def;

static const ploy_field automata_fields[] = {
    PLOY_FIELD_ENUM(automata_def, rule, 3, automata_rules, "what cells do"),
    PLOY_FIELD_BOOL(automata_def, torus, false, "opposite edges touch"),
    PLOY_FIELD_BOOL(automata_def, keeps, true, "secure: cells stay secure"),
    PLOY_FIELD_BOOL(automata_def, exactly, false, "city: neighbours are counted exactly"),
    PLOY_FIELD_BOOL(automata_def, upgrades, true, "city: buildings may be replaced"),
    PLOY_FIELD_I32(automata_def, pause, 3, 1, 1000, "", "ticks between generations"),
    PLOY_FIELD_I32(automata_def, cap, 500, 1, 1000000, "", "generations at most"),
    PLOY_FIELD_F32(automata_def, filled, 0.3f, 0, 1, "", "share of cells filled at first"),
};

static ploy_fields automata_get_fields(void) {
    return PLOY_FIELDS(automata_def, automata_fields);
}

typedef struct automata_lab {
    automata_def def;
    ploy_env env;
    ploy_rng rng;
    uint64_t ticks;
    ploy_automaton *grid;
    ploy_tactics_layer *numbers, *kinds; // a field of numbers, and its classes
    ploy_city_rules city;
    ploy_automaton_rule rule;
    int32_t built;
} automata_lab;

// A hill, sorted into 5 classes; the contour rule then smooths their edges.
static ploy_result automata_hill(automata_lab *lab) {
    static const float thresholds[] = {0.2f, 0.4f, 0.6f, 0.8f};
    static const float heights[] = {0.1f, 0.3f, 0.5f, 0.7f, 0.9f};
    for (int32_t i = 0; i < AUTOMATA_CELLS; i++) {
        float dx = (float)(i % AUTOMATA_SIDE) - 16.0f, dy = (float)(i / AUTOMATA_SIDE) - 16.0f;
        float height = 1.0f - sqrtf(dx * dx + dy * dy) / 22.0f;
        float noise = ploy_rng_range(&lab->rng, -0.15f, 0.15f);
        (void)ploy_tactics_layer_set(lab->numbers, i, height + noise);
    }
    ploy_result result = ploy_tactics_layer_classify(lab->numbers, thresholds, 4, lab->kinds);
    if (result == PLOY_OK) result = ploy_automata_run(lab->grid, &lab->rule, 1, lab->kinds);
    if (result == PLOY_OK) {
        result = ploy_tactics_layer_unclassify(lab->kinds, heights, 5, lab->numbers);
    }
    return result;
}

static void automata_fill(automata_lab *lab) {
    for (int32_t i = 0; i < AUTOMATA_CELLS; i++) {
        float draw = ploy_rng_range(&lab->rng, 0.0f, 1.0f);
        uint8_t state = 0;
        switch (lab->def.rule) {
        case AUTOMATA_CITY:
            if (draw < 0.12f) state = PLOY_CITY_WATER;
            if (draw > 0.88f) state = PLOY_CITY_TREES;
            break;
        case AUTOMATA_BASE: state = draw < 0.02f ? PLOY_BASE_MATERIAL : PLOY_BASE_FREE; break;
        default: state = draw < lab->def.filled; break;
        }
        ploy_automaton_set(lab->grid, i % AUTOMATA_SIDE, i / AUTOMATA_SIDE, state);
    }
}

static ploy_result automata_begin(automata_lab *lab) {
    ploy_automaton_def def = ploy_automaton_def_default();
    def.width = def.height = AUTOMATA_SIDE;
    def.border = lab->def.torus ? PLOY_AUTOMATON_TORUS : PLOY_AUTOMATON_OPEN;
    def.history = 64;
    ploy_automaton_destroy(lab->grid);
    lab->grid = NULL;
    lab->built = 0;
    lab->city.exactly = lab->def.exactly;
    lab->city.upgrades = lab->def.upgrades;
    ploy_result result = ploy_automaton_create(&def, &lab->env, &lab->grid);
    if (result != PLOY_OK) return result;
    switch (lab->def.rule) {
    case AUTOMATA_SECURE: lab->rule = ploy_automata_secure(lab->def.keeps); break;
    case AUTOMATA_CITY: lab->rule = ploy_automata_city(&lab->city); break;
    case AUTOMATA_BASE: break;
    default: {
        const char *text =
            lab->def.rule == AUTOMATA_LIFE ? "B3/S23" : automata_rules[lab->def.rule];
        result = ploy_automata_rule_read(text, NULL, &lab->rule);
        break;
    }
    }
    if (result != PLOY_OK) return result;
    if (lab->def.rule == AUTOMATA_CONTOUR) return automata_hill(lab);
    automata_fill(lab);
    return PLOY_OK;
}

static ploy_result automata_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                   void **out) {
    automata_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->rng = ploy_rng_make(key.bits);
    ploy_places places = ploy_places_grid(AUTOMATA_SIDE, AUTOMATA_SIDE, ploy_vec2_make(0, 0), 1.0f);
    ploy_result result =
        ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, env, &lab->numbers);
    if (result == PLOY_OK) {
        result = ploy_tactics_layer_create(&places, PLOY_TACTICS_CATEGORIES, env, &lab->kinds);
    }
    if (result == PLOY_OK) result = automata_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// The base builds the most advanced thing that it may, at the site nearest to the middle.
static void automata_build(automata_lab *lab) {
    for (int32_t kind = PLOY_BASE_VALUABLE; kind >= PLOY_BASE_DEFENSIVE; kind--) {
        // Basic and advanced types take turns.
        int32_t type = kind;
        if (kind >= PLOY_BASE_ACADEMY && kind <= PLOY_BASE_FACTORY) {
            type = PLOY_BASE_ACADEMY + (kind + lab->built) % 3;
        } else if (kind >= PLOY_BASE_TRAINING && kind <= PLOY_BASE_MANUFACTURING) {
            type = PLOY_BASE_TRAINING + (kind + lab->built) % 3;
        }
        int32_t sites[AUTOMATA_CELLS];
        int32_t count = ploy_base_sites(lab->grid, (ploy_base_kind)type, sites, AUTOMATA_CELLS);
        int32_t best = -1, least = 1 << 30;
        for (int32_t i = 0; i < count; i++) {
            int32_t dx = sites[i] % AUTOMATA_SIDE - 16, dy = sites[i] / AUTOMATA_SIDE - 16;
            if (dx * dx + dy * dy < least) least = dx * dx + dy * dy, best = sites[i];
        }
        if (best < 0) continue;
        ploy_automaton_set(lab->grid, best % AUTOMATA_SIDE, best / AUTOMATA_SIDE, (uint8_t)type);
        lab->built++;
        return;
    }
}

static ploy_result automata_step(void *state, const ploy_sim_context *context) {
    automata_lab *lab = state;
    bool again = lab_input_count(context, "again") > 0 ||
                 memcmp(&lab->def, context->params, sizeof lab->def) != 0;
    memcpy(&lab->def, context->params, sizeof lab->def);
    ploy_result result = again ? automata_begin(lab) : PLOY_OK;
    for (int32_t i = 0; i < context->input_count; i++) {
        if (!lab_input_is(&context->inputs[i], "put")) continue;
        ploy_vec2 at = lab_input_point_within(&context->inputs[i], 1000.0f, 1000.0f);
        int32_t x = (int32_t)at.x, y = (int32_t)at.y;
        ploy_automaton_set(lab->grid, x, y, ploy_automaton_cell(lab->grid, x, y) == 0);
    }
    lab->ticks++;
    if (result != PLOY_OK || lab->ticks % (uint64_t)lab->def.pause != 0) return result;
    if (lab->def.rule == AUTOMATA_BASE) {
        if (lab->built < lab->def.cap) automata_build(lab);
    } else if (ploy_automaton_generation(lab->grid) < lab->def.cap) {
        result = ploy_automaton_step(lab->grid, &lab->rule, NULL);
    }
    return result;
}

// The styles of ploy_automaton_draw repeat after five states; the first five are named.
static void automata_draw_keys(const automata_lab *lab, ploy_draw *out) {
    static const ploy_style styles[] = {PLOY_STYLE_WALL, PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B,
                                        PLOY_STYLE_AGENT_C, PLOY_STYLE_AGENT_D};
    static const char *const city[] = {"water; buildings of level 4, 9", "trees; level 5, 10",
                                       "level 1, 6, 11", "level 2, 7, 12", "level 3, 8, 13"};
    for (int32_t i = 0; i < 5; i++) {
        char text[96];
        if (lab->def.rule == AUTOMATA_BASE) {
            const char *second =
                i + 6 < PLOY_BASE_KINDS ? ploy_base_kind_text((ploy_base_kind)(i + 6)) : "";
            snprintf(text, sizeof text, "%s%s%s", ploy_base_kind_text((ploy_base_kind)(i + 1)),
                     second[0] != 0 ? ", " : "", second);
            ploy_draw_key(out, styles[i], text);
        } else if (lab->def.rule == AUTOMATA_CITY) {
            ploy_draw_key(out, styles[i], city[i]);
        }
    }
    if (lab->def.rule == AUTOMATA_LIFE) ploy_draw_key(out, PLOY_STYLE_WALL, "living cell");
}

static void automata_draw(const void *state, ploy_draw *out) {
    const automata_lab *lab = state;
    automata_draw_keys(lab, out);
    ploy_automaton_draw(lab->grid, out);
    char text[120];
    int32_t period = ploy_automaton_period(lab->grid);
    if (lab->def.rule == AUTOMATA_BASE) {
        snprintf(text, sizeof text, "%d buildings, %lld of them %s", lab->built,
                 (long long)ploy_automaton_count(lab->grid, PLOY_BASE_VALUABLE),
                 ploy_base_kind_text(PLOY_BASE_VALUABLE));
    } else {
        snprintf(text, sizeof text, "%s: generation %lld, period %d", automata_rules[lab->def.rule],
                 (long long)ploy_automaton_generation(lab->grid), period);
    }
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0.0f, 32.8f), text);
}

static void automata_describe(const void *state, ploy_describe *out) {
    const automata_lab *lab = state;
    ploy_describe_u64(out, "ticks", PLOY_STATE, lab->ticks);
    ploy_describe_i64(out, "built", PLOY_STATE, lab->built);
    ploy_describe_i64(out, "empty", PLOY_STATE, ploy_automaton_count(lab->grid, 0));
    ploy_describe_i64(out, "period", PLOY_STATE, ploy_automaton_period(lab->grid));
    ploy_describe_begin(out, "grid");
    ploy_automaton_describe(lab->grid, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "classes");
    ploy_tactics_layer_describe(lab->kinds, out);
    ploy_describe_end(out);
}

static const ploy_command automata_commands[] = {
    {"again", "fill the grid again", PLOY_VALUE_NONE, false, "r"},
    {"put", "change a cell", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_automata; // in labs.c
const ploy_sim_type ploy_lab_automata = {
    .name = "automata",
    .title = "Cellular automata",
    .help = "Secure areas grow convex, contours become smooth, Life goes on, a city grows between "
            "water and trees, a base is built from its raw materials outward. Click to change a "
            "cell.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 30.0f,
    .view = {-0.5f, -0.5f, 32.5f, 33.8f},
    .fields = automata_get_fields,
    .commands = automata_commands,
    .command_count = sizeof automata_commands / sizeof automata_commands[0],
    .create = automata_create,
    .destroy = NULL,
    .step = automata_step,
    .draw = automata_draw,
    .describe = automata_describe,
};
