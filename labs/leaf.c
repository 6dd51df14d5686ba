// The lab of leaf whorls: the same leaves round three stems, turned by the golden, the silver and
// the bronze angle, or by any metallic mean. Jitter shows how little of it a plant bears.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_seed.h"
#include "labs/labs.h"
#include "ploy/generate/generator.h"
#include "ploy/generate/phyllotaxis.h"
#include "ploy/generate/random.h"
#include "ploy/geom/angle.h"

enum { LEAF_STEMS = 3 };

static const float leaf_reach = 9.0f; // m, of a whorl

static const char *const leaf_forms[] = {"whorl", "spiral"};

typedef struct leaf_lab_def {
    uint32_t cookie;
    int32_t count;
    int32_t first_metal;
    float jitter;
    int32_t form;
    int32_t speed;
} leaf_lab_def;

static const ploy_field leaf_lab_fields[] = {
    PLOY_FIELD_I32(leaf_lab_def, count, 55, 1, 2000, "", "leaves of each stem"),
    PLOY_FIELD_I32(leaf_lab_def, first_metal, 1, 1, 60, "",
                   "metallic mean of the first stem: 1 golden, 2 silver, 3 bronze"),
    PLOY_FIELD_F32(leaf_lab_def, jitter, 0, 0, 0.7853982f, "rad",
                   "largest random turn; pi/12 is 0.26"),
    PLOY_FIELD_ENUM(leaf_lab_def, form, 1, leaf_forms, "leaves round a stem, or seeds in a head"),
    PLOY_FIELD_I32(leaf_lab_def, speed, 1, 1, 100, "", "leaves a tick"),
};

static ploy_fields leaf_lab_get_fields(void) {
    return PLOY_FIELDS(leaf_lab_def, leaf_lab_fields);
}

typedef struct leaf_lab {
    lab_seed base;
    leaf_lab_def def;
    ploy_phyllotaxis *stems[LEAF_STEMS];
    ploy_vec2 soil[64]; // pebbles under each stem, uniform in a ring
} leaf_lab;

static ploy_result leaf_restart(leaf_lab *lab, ploy_rng_key key) {
    ploy_rng_key round = ploy_rng_key_split(key, lab->base.seed);
    for (int32_t i = 0; i < LEAF_STEMS; i++) {
        ploy_phyllotaxis_cancel(lab->stems[i]);
        lab->stems[i] = NULL;
        ploy_phyllotaxis_def def = ploy_phyllotaxis_def_default();
        def.count = lab->def.count;
        def.metal = lab->def.first_metal + i;
        def.jitter = lab->def.jitter;
        def.form = lab->def.form;
        bool spiral = def.form == PLOY_PHYLLOTAXIS_SPIRAL;
        def.spacing = spiral ? leaf_reach / sqrtf((float)def.count) : leaf_reach * 0.6f;
        def.radius = spiral ? def.spacing * 0.5f : leaf_reach * 0.4f;
        ploy_result result = ploy_phyllotaxis_begin(&def, ploy_rng_key_split(round, (uint64_t)i),
                                                    NULL, &lab->base.env, &lab->stems[i]);
        if (result != PLOY_OK) return result;
    }
    ploy_rng rng = ploy_rng_from_key(ploy_generate_stream(round, "soil"), 0);
    for (int32_t i = 0; i < 64; i++) {
        // A few in the middle, the rest in the ring outside the leaves.
        lab->soil[i] = i < 8 ? ploy_rng_disc(&rng, 1.0f)
                             : ploy_rng_annulus(&rng, leaf_reach + 0.4f, leaf_reach + 1.2f);
    }
    return PLOY_OK;
}

static ploy_result leaf_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                   void **out) {
    leaf_lab *lab =
        lab_seed_alloc(sizeof *lab, offsetof(leaf_lab, def), params, sizeof lab->def, key, env);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = leaf_restart(lab, key);
    if (result != PLOY_OK) return result; // the region goes with the simulation
    *out = lab;
    return PLOY_OK;
}

static ploy_result leaf_lab_step(void *state, const ploy_sim_context *context) {
    leaf_lab *lab = state;
    static const size_t kept[] = {offsetof(leaf_lab_def, speed)};
    if (lab_seed_again(&lab->base, "again", kept, 1, &lab->def, sizeof lab->def, context)) {
        ploy_result result = leaf_restart(lab, context->key);
        if (result != PLOY_OK) return result;
    }
    for (int32_t i = 0; i < LEAF_STEMS; i++) {
        ploy_budget budget = ploy_budget_units(lab->def.speed);
        ploy_result result = ploy_phyllotaxis_step(lab->stems[i], &budget);
        if (result < 0) return result;
    }
    return PLOY_OK;
}

// A pointed leaf from the stem outward.
static void leaf_draw_leaf(ploy_vec2 stem, const ploy_placed *leaf, ploy_style style,
                           ploy_draw *out) {
    static const float outline[][2] = {{0.1f, 0.0f}, {0.4f, 0.11f},  {0.7f, 0.13f},
                                       {1.0f, 0.0f}, {0.7f, -0.13f}, {0.4f, -0.11f}};
    ploy_vec2 ahead = ploy_angle_heading(leaf->angle), left = ploy_vec2_perp(ahead);
    ploy_vec2 points[6];
    for (int32_t i = 0; i < 6; i++) {
        ploy_vec2 at = ploy_vec2_add_scaled(stem, ahead, outline[i][0] * leaf_reach);
        points[i] = ploy_vec2_add_scaled(at, left, outline[i][1] * leaf_reach);
    }
    ploy_draw_polygon(out, PLOY_LAYER_AGENTS, style, ploy_agent_id_none(), points, 6, 0.5f);
}

static void leaf_lab_draw(const void *state, ploy_draw *out) {
    static const ploy_style styles[] = {PLOY_STYLE_WARNING, PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_C};
    const leaf_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_WARNING, "golden angle");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "silver angle");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "bronze angle");
    ploy_draw_key(out, PLOY_STYLE_FLOOR, "soil");
    ploy_agent_id none = ploy_agent_id_none();
    for (int32_t i = 0; i < LEAF_STEMS; i++) {
        ploy_vec2 stem = ploy_vec2_make((float)(i - 1) * 22.0f, 0.0f);
        for (int32_t k = 0; k < 64; k++) {
            ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_FLOOR, none,
                           ploy_vec2_add(stem, lab->soil[k]), 0.12f, 0.8f);
        }
        int32_t count = 0;
        const ploy_placed *leaves = ploy_phyllotaxis_leaves(lab->stems[i], &count);
        for (int32_t k = 0; k < count; k++) {
            if (lab->def.form == PLOY_PHYLLOTAXIS_WHORL) {
                leaf_draw_leaf(stem, &leaves[k], styles[i], out);
            } else {
                ploy_draw_disc(out, PLOY_LAYER_AGENTS, styles[i], none,
                               ploy_vec2_add(stem, leaves[k].position), leaves[k].radius, 0.8f);
            }
        }
        double turn = ploy_phyllotaxis_turn(ploy_metallic_mean(lab->def.first_metal + i));
        char text[64];
        snprintf(text, sizeof text, "mean %d: %.2f degrees", (int)(lab->def.first_metal + i),
                 turn * 180.0 / PLOY_PI);
        ploy_draw_text(out, none, ploy_vec2_make(stem.x - 9.0f, -12.5f), text);
    }
}

static void leaf_lab_describe(const void *state, ploy_describe *out) {
    const leaf_lab *lab = state;
    ploy_describe_u64(out, "round", PLOY_STATE, lab->base.seed);
    for (int32_t i = 0; i < LEAF_STEMS; i++) {
        ploy_describe_begin_item(out, i);
        ploy_generate_outcome outcome = ploy_phyllotaxis_outcome(lab->stems[i]);
        ploy_generate_outcome_describe(&outcome, out);
        ploy_phyllotaxis_describe(lab->stems[i], out);
        ploy_describe_end(out);
    }
}

static const ploy_command leaf_lab_commands[] = {
    {"again", "start with other numbers", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_leaf; // in labs.c
const ploy_sim_type ploy_lab_leaf = {
    .name = "leaf",
    .title = "Leaf whorls",
    .help = "Leaves or seeds placed by the golden, silver and bronze angle. Raise the jitter and "
            "see how soon the pattern is lost.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 30.0f,
    .view = {-34.0f, -14.0f, 34.0f, 12.0f},
    .fields = leaf_lab_get_fields,
    .commands = leaf_lab_commands,
    .command_count = sizeof leaf_lab_commands / sizeof leaf_lab_commands[0],
    .create = leaf_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = leaf_lab_step,
    .draw = leaf_lab_draw,
    .describe = leaf_lab_describe,
};
