// The generator lab: tactical points for a floor plan, step by step. A grid of candidates keeps clear of
// the walls; every candidate is assessed with rays, a part in each tick; then the points of each
// quality condense, and compound qualities are computed. Characters that wander and rest are
// recorded: the spots where they stay are candidates too.
//
// All state is in the one block generator_lab and what it owns, in the region.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/tactics/assess.h"
#include "ploy/tactics/condense.h"

enum { GENERATOR_LAB_MAX = 2048, GENERATOR_LAB_WALKERS = 4, GENERATOR_LAB_WALLS = 11 };

typedef enum generator_lab_stage {
    GENERATOR_LAB_ASSESS,
    GENERATOR_LAB_CONDENSE,
    GENERATOR_LAB_DONE
} generator_lab_stage;

typedef struct generator_lab_def {
    uint32_t cookie;
    float spacing;
    float least;
    float weight;
    float radius;
    int32_t units;
} generator_lab_def;

#define GENERATOR_LAB_FIXED(member, initial, min, max, unit, help)                          \
    {                                                                                       \
#member, PLOY_FIELD_TYPE_F32, false, (uint32_t)offsetof(generator_lab_def, member), \
            {initial, 0, 0 }, min, max, unit, help, NULL, 0, NULL                           \
    }

static const ploy_field generator_lab_fields[] = {
    GENERATOR_LAB_FIXED(spacing, 1, 0.7, 5, "m", "between two candidates"),
    GENERATOR_LAB_FIXED(least, 0.5, 0, 1, "", "of one quality, or the candidate is left out"),
    GENERATOR_LAB_FIXED(weight, 0.01, 0, 2, "1/m", "larger keeps more points"),
    GENERATOR_LAB_FIXED(radius, 8, 0.5, 50, "m", "within which points compete"),
    PLOY_FIELD_I32(generator_lab_def, units, 2000, 1, 1000000, "", "samples in a tick"),
};

static ploy_fields generator_lab_get_fields(void) {
    return PLOY_FIELDS(generator_lab_def, generator_lab_fields);
}

// s since the beginning.
static double generator_lab_now(const ploy_sim_context *context) {
    return (double)context->tick * (double)context->dt;
}

typedef struct generator_lab {
    generator_lab_def def;
    ploy_rng_key key;
    ploy_plain_scene *plain;
    ploy_scene scene;
    ploy_assess *assess;
    ploy_condense *condense;
    ploy_tracks *tracks;
    ploy_tactical_points *points;
    int32_t stage; // a generator_lab_stage
    int32_t quality;
    int32_t grid, passed, kept, removed; // counts after each step
    float values[3][GENERATOR_LAB_MAX];
    bool keep[GENERATOR_LAB_MAX];
    ploy_vec3 at[GENERATOR_LAB_MAX];
    ploy_vec3 walkers[GENERATOR_LAB_WALKERS];
} generator_lab;

static const int32_t generator_lab_tags[3] = {PLOY_TACTICAL_COVER, PLOY_TACTICAL_RECON,
                                              PLOY_TACTICAL_SHADOW};

// Two rooms, a corridor and some furniture.
static const float generator_lab_walls[GENERATOR_LAB_WALLS][4] = {
    {0, 0, 40, 0},  {40, 0, 40, 24},  {40, 24, 0, 24}, {0, 24, 0, 0},
    {16, 0, 16, 9}, {16, 13, 16, 24}, {24, 0, 24, 15}, {24, 19, 24, 24},
    {5, 8, 9, 8},   {30, 6, 34, 10},  {31, 17, 31, 20}};

static const ploy_assess_lamp generator_lab_lamps[2] = {{{8, 16, 2}, 12}, {{34, 4, 2}, 14}};

static float generator_lab_light(void *user, ploy_vec3 at) {
    const generator_lab *lab = user;
    return ploy_assess_light(&lab->scene, 1, generator_lab_lamps, 2, at);
}

static ploy_result generator_lab_build(generator_lab *lab, const ploy_env *env) {
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_result result = ploy_plain_scene_create(&def, env, &lab->plain);
    for (int32_t i = 0; i < GENERATOR_LAB_WALLS && result == PLOY_OK; i++) {
        const float *w = generator_lab_walls[i];
        result = ploy_plain_scene_add_segment(lab->plain, ploy_vec2_make(w[0], w[1]),
                                              ploy_vec2_make(w[2], w[3]), 1, NULL);
    }
    lab->scene = ploy_plain_scene_interface(lab->plain);
    return result;
}

static ploy_result generator_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                        void **out) {
    generator_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->key = ploy_rng_key_split(key, 1);
    ploy_assess_def assess = ploy_assess_def_default();
    ploy_condense_def condense = ploy_condense_def_default();
    ploy_tracks_def tracks = ploy_tracks_def_default();
    ploy_tactical_points_def points = ploy_tactical_points_def_default();
    assess.rays = 48;
    condense.weight = lab->def.weight;
    condense.radius = lab->def.radius;
    tracks.agents = GENERATOR_LAB_WALKERS;
    points.capacity = GENERATOR_LAB_MAX;
    ploy_result result = generator_lab_build(lab, env);
    if (result == PLOY_OK) result = ploy_assess_create(&assess, env, &lab->assess);
    if (result == PLOY_OK) result = ploy_condense_create(&condense, env, &lab->condense);
    if (result == PLOY_OK) result = ploy_tracks_create(&tracks, env, &lab->tracks);
    if (result == PLOY_OK) result = ploy_tactical_points_create(&points, env, &lab->points);
    if (result != PLOY_OK) return result;
    ploy_box2 box = ploy_box2_make(ploy_vec2_make(0.5f, 0.5f), ploy_vec2_make(39.5f, 23.5f));
    lab->grid = ploy_candidates_grid(box, lab->def.spacing, 0.4f, &lab->scene, 1, lab->at,
                                     GENERATOR_LAB_MAX);
    if (lab->grid > GENERATOR_LAB_MAX) lab->grid = GENERATOR_LAB_MAX;
    ploy_assess_world world = {lab->scene, 1, NULL, generator_lab_light, lab, NULL, 0};
    result = ploy_assess_begin(lab->assess, lab->at, lab->grid, &world, lab->key);
    for (int32_t i = 0; i < GENERATOR_LAB_WALKERS; i++) lab->walkers[i] = ploy_vec3_make(8, 4, 0);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// Candidates that are good for nothing are left out; each quality starts to condense by itself.
static ploy_result generator_lab_begin_quality(generator_lab *lab) {
    return ploy_condense_begin(lab->condense, lab->at, lab->values[lab->quality], lab->grid, NULL,
                               NULL);
}

static ploy_result generator_lab_threshold(generator_lab *lab) {
    for (int32_t i = 0; i < lab->grid; i++) {
        ploy_assessment found;
        if (!ploy_assess_result(lab->assess, i, &found)) return PLOY_ERR_STATE;
        const float values[3] = {found.cover, found.visibility, found.shadow};
        bool passed = false;
        for (int32_t q = 0; q < 3; q++) passed = passed || values[q] >= lab->def.least;
        for (int32_t q = 0; q < 3; q++) lab->values[q][i] = passed ? values[q] : NAN;
        lab->passed += passed;
    }
    lab->stage = GENERATOR_LAB_CONDENSE;
    return generator_lab_begin_quality(lab);
}

static ploy_result generator_lab_add(generator_lab *lab) {
    for (int32_t i = 0; i < lab->grid; i++) {
        if (!lab->keep[i]) continue;
        ploy_tactical_point point = ploy_tactical_point_make(lab->at[i]);
        ploy_tactical_id id;
        point.radius = 0.35f;
        ploy_result result = ploy_tactical_points_add(lab->points, &point, &id);
        for (int32_t q = 0; q < 3 && result == PLOY_OK; q++) {
            result = ploy_tactical_points_set_value(lab->points, id, generator_lab_tags[q],
                                                    lab->values[q][i]);
        }
        if (result != PLOY_OK) return result;
        lab->kept++;
    }
    lab->stage = GENERATOR_LAB_DONE;
    ploy_result result = ploy_tactical_points_define(lab->points, "sniper", "min(cover, recon)",
                                                     "generator", 1, 1, NULL);
    return result == PLOY_OK ? ploy_tactical_points_compute(lab->points, PLOY_TACTICAL_SNIPER)
                             : result;
}

static ploy_result generator_lab_condense(generator_lab *lab) {
    ploy_budget budget = ploy_budget_units(lab->def.units);
    ploy_result result = ploy_condense_step(lab->condense, &budget);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < lab->grid; i++) {
        lab->keep[i] = lab->keep[i] || ploy_condense_result(lab->condense, i);
        lab->removed += ploy_condense_removed_by(lab->condense, i) >= 0;
    }
    // Shadow does not condense: equally dark places would all survive. It is stored with the others.
    if (++lab->quality < 2) return generator_lab_begin_quality(lab);
    return generator_lab_add(lab);
}

// Each walks to its own place and back, and rests at both.
static ploy_result generator_lab_walk(generator_lab *lab, const ploy_sim_context *context) {
    for (int32_t i = 0; i < GENERATOR_LAB_WALKERS; i++) {
        uint64_t leg = (context->tick + (uint64_t)i * 97) / 900;
        ploy_vec3 to = ploy_vec3_make(4, 20, 0);
        if (leg % 2 == 0) {
            to.x = ploy_rng_range_at(lab->key, (uint32_t)i, leg / 4, 5, 2, 14);
            to.y = ploy_rng_range_at(lab->key, (uint32_t)i, leg / 4, 6, 2, 22);
        }
        lab->walkers[i] = ploy_vec3_toward(lab->walkers[i], to, 2.0f * context->dt);
        ploy_result result =
            ploy_tracks_record(lab->tracks, i, lab->walkers[i], generator_lab_now(context));
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result generator_lab_step(void *state, const ploy_sim_context *context) {
    generator_lab *lab = state;
    ploy_result result = generator_lab_walk(lab, context);
    lab->def.units = ((const generator_lab_def *)context->params)->units;
    if (result != PLOY_OK) return result;
    if (lab->stage == GENERATOR_LAB_ASSESS) {
        ploy_budget budget = ploy_budget_units(lab->def.units);
        result = ploy_assess_step(lab->assess, &budget, NULL);
        if (result == PLOY_OK) result = generator_lab_threshold(lab);
    } else if (lab->stage == GENERATOR_LAB_CONDENSE) {
        result = generator_lab_condense(lab);
    }
    return result < 0 ? result : PLOY_OK;
}

static void generator_lab_draw(const void *state, ploy_draw *out) {
    const generator_lab *lab = state;
    ploy_agent_id none = ploy_agent_id_none();
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "recorded players");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "where they stayed");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "lamp");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "candidate");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "tactical point");
    ploy_plain_scene_draw(lab->plain, out);
    ploy_condense_draw(lab->condense, out);
    ploy_tactical_points_draw(lab->points, PLOY_TACTICAL_SNIPER, 0.0, out);
    ploy_vec3 spots[32];
    int32_t count = ploy_tracks_candidates(lab->tracks, spots, 32);
    for (int32_t i = 0; i < count && i < 32; i++) {
        ploy_draw_circle(out, PLOY_LAYER_REGIONS, PLOY_STYLE_TARGET, none,
                         ploy_vec2_from_vec3(spots[i]), 0.8f);
    }
    for (int32_t i = 0; i < GENERATOR_LAB_WALKERS; i++) {
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, none,
                       ploy_vec2_from_vec3(lab->walkers[i]), 0.3f, 1.0f);
    }
    for (int32_t i = 0; i < 2; i++) {
        ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_WARNING, none,
                         ploy_vec2_from_vec3(generator_lab_lamps[i].position), 0.5f);
    }
    int64_t total = 0, done = ploy_assess_done(lab->assess, &total);
    char text[128];
    (void)snprintf(text, sizeof text, "%d candidates, %d%% assessed, %d passed", (int)lab->grid,
                   (int)(100 * done / (total > 0 ? total : 1)), (int)lab->passed);
    ploy_draw_text(out, none, ploy_vec2_make(0, 26.5f), text);
    (void)snprintf(text, sizeof text, "%d points, %d spots of recorded play", (int)lab->kept,
                   (int)count);
    ploy_draw_text(out, none, ploy_vec2_make(0, 24.8f), text);
}

static void generator_lab_describe(const void *state, ploy_describe *out) {
    const generator_lab *lab = state;
    ploy_describe_i64(out, "stage", PLOY_STATE, lab->stage);
    ploy_describe_i64(out, "quality", PLOY_STATE, lab->quality);
    ploy_describe_i64(out, "grid", PLOY_STATE, lab->grid);
    ploy_describe_i64(out, "passed", PLOY_STATE, lab->passed);
    ploy_describe_i64(out, "removed", PLOY_STATE, lab->removed);
    ploy_describe_i64(out, "kept", PLOY_STATE, lab->kept);
    ploy_describe_i64(out, "spots", PLOY_DERIVED, ploy_tracks_candidates(lab->tracks, NULL, 0));
    ploy_describe_begin(out, "assess");
    ploy_describe_u64(out, "hash", PLOY_STATE,
                      ploy_visit_hash(ploy_assess_visit, lab->assess, NULL));
    ploy_describe_end(out);
    ploy_describe_begin(out, "condense");
    ploy_describe_u64(out, "hash", PLOY_STATE,
                      ploy_visit_hash(ploy_condense_visit, lab->condense, NULL));
    ploy_describe_end(out);
    ploy_describe_begin(out, "tracks");
    ploy_tracks_describe(lab->tracks, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "points");
    ploy_tactical_points_describe(lab->points, out);
    ploy_describe_end(out);
}

extern const ploy_sim_type ploy_lab_generator; // in labs.c
const ploy_sim_type ploy_lab_generator = {
    .name = "generator",
    .title = "Tactical points from a floor plan",
    .help =
        "A grid of candidates is assessed with rays and condensed to a few good points. Circles "
        "are spots where the walkers rest.",
    .version = 1,
    .capabilities = PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 60.0f,
    .view = {-1.0f, -1.0f, 41.0f, 28.0f},
    .fields = generator_lab_get_fields,
    .create = generator_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = generator_lab_step,
    .draw = generator_lab_draw,
    .describe = generator_lab_describe,
};

#undef GENERATOR_LAB_FIXED
