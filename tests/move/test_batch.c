// Batch forms give the bits of the single ones, whatever the range, the index and the number of
// workers.
#include "ploy/base/jobs.h"
#include "ploy/geom/bvh.h"
#include "ploy/geom/grid.h"
#include "ploy/move/heading.h"
#include "ploy/move/overlap.h"
#include "tests/move/behaviors.h"
#include "tests/test.h"

TEST(single_and_batch_give_the_same_bits) {
    for (int64_t round = 0; round < test_rounds(20); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic agents[BATCH], o[OTHERS];
        ploy_kinematic3 agents3[BATCH], o3[OTHERS];
        ploy_steering got[BATCH];
        ploy_steering3 got3[BATCH];
        for (int32_t i = 0; i < BATCH; i++) {
            agents[i] = i % 2 == 0 ? scene_ordinary(&rng) : scene_agent(&rng);
            agents3[i] = i % 2 == 0 ? scene_raise(scene_ordinary(&rng)) : scene_agent3(&rng);
        }
        for (int32_t i = 0; i < OTHERS; i++) {
            o[i] = scene_ordinary(&rng);
            o3[i] = scene_raise(scene_ordinary(&rng));
        }
        ploy_kinematics view = ploy_kinematics_of(agents, BATCH);
        ploy_kinematics3 view3 = ploy_kinematics3_of(agents3, BATCH);
        ploy_steerings out = ploy_steerings_of(got, BATCH);
        ploy_steerings3 out3 = ploy_steerings3_of(got3, BATCH);
        for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
            t->row = behaviors[b].name;
            if (behaviors[b].batch != NULL) {
                memset(got, 0x55, sizeof got);
                CHECK_OK(behaviors[b].batch(&view, 3, BATCH - 5, o, &out));
                for (int32_t i = 0; i < BATCH; i++) {
                    ploy_steering want;
                    memset(&want, 0x55, sizeof want);
                    if (i >= 3 && i < BATCH - 2) want = behaviors[b].one(agents[i], o);
                    CHECK_BYTES(&got[i], &want, sizeof want);
                }
                CHECK_INT(behaviors[b].batch(&view, 0, BATCH + 1, o, &out), PLOY_ERR_ARGUMENT);
                CHECK_INT(behaviors[b].batch(&view, -1, 1, o, &out), PLOY_ERR_ARGUMENT);
                CHECK_INT(behaviors[b].batch(NULL, 0, 1, o, &out), PLOY_ERR_ARGUMENT);
                CHECK_INT(behaviors[b].batch(&view, 0, 1, o, NULL), PLOY_ERR_ARGUMENT);
            }
            if (behaviors[b].batch3 != NULL) {
                CHECK_OK(behaviors[b].batch3(&view3, 0, BATCH, o3, &out3));
                for (int32_t i = 0; i < BATCH; i++) {
                    ploy_steering3 want = behaviors[b].one3(agents3[i], o3);
                    CHECK_BYTES(&got3[i], &want, sizeof want);
                }
                CHECK_INT(behaviors[b].batch3(&view3, 0, BATCH + 1, o3, &out3), PLOY_ERR_ARGUMENT);
            }
        }
    }
}

// ---- forms that look at the crowd itself, or keep something for each agent ----

enum { CROWD = 300, SAMPLES = 4, ROW_MAX = 64 };

typedef struct crowd_scene {
    ploy_kinematic agents[CROWD];
    ploy_kinematic3 agents3[CROWD];
    ploy_kinematics view;
    ploy_kinematics3 view3;
    ploy_vec2 targets[CROWD];
    float radii[CROWD], climbs[CROWD];
    ploy_steering steerings[2][CROWD];
    const ploy_index2 *index; // or NULL
    const ploy_index3 *index3;
} crowd_scene;

// Writes what agents of a range, or one agent, get: `size` bytes each, number i of agent i.
typedef struct crowd_form {
    const char *name;
    size_t size;
    ploy_result (*batch)(const crowd_scene *s, int32_t first, int32_t count, void *out);
    void (*one)(const crowd_scene *s, int32_t i, void *out);
} crowd_form;

static ploy_collision_def near_def(void) {
    ploy_collision_def def = ploy_collision_def_default();
    def.radius = 1.0f;
    def.range = 8.0f;
    return def;
}
static ploy_result collision_batch(const crowd_scene *s, int32_t first, int32_t count, void *out) {
    ploy_collision_def def = near_def();
    ploy_steerings to = ploy_steerings_of(out, CROWD);
    return ploy_avoid_collision_batch(&def, &s->view, first, count, s->index, &to);
}
static void collision_single(const crowd_scene *s, int32_t i, void *out) {
    ploy_collision_def def = near_def();
    *(ploy_steering *)out = ploy_avoid_collision(&def, s->agents[i], &s->view, i);
}
static ploy_result collision_batch3(const crowd_scene *s, int32_t first, int32_t count, void *out) {
    ploy_collision_def def = near_def();
    ploy_steerings3 to = ploy_steerings3_of(out, CROWD);
    return ploy_avoid_collision3_batch(&def, &s->view3, first, count, s->index3, &to);
}
static void collision_single3(const crowd_scene *s, int32_t i, void *out) {
    ploy_collision_def def = near_def();
    *(ploy_steering3 *)out = ploy_avoid_collision3(&def, s->agents3[i], &s->view3, i);
}

static ploy_cone_def average_def(void) {
    ploy_cone_def def = ploy_cone_def_default();
    def.average = true;
    return def;
}
static ploy_result cone_batch(const crowd_scene *s, int32_t first, int32_t count, void *out) {
    ploy_cone_def def = average_def();
    ploy_steerings to = ploy_steerings_of(out, CROWD);
    return ploy_avoid_cone_batch(&def, &s->view, first, count, s->index, &to);
}
static void cone_single(const crowd_scene *s, int32_t i, void *out) {
    ploy_cone_def def = average_def();
    *(ploy_steering *)out = ploy_avoid_cone(&def, s->agents[i], &s->view, i);
}
static ploy_result cone_batch3(const crowd_scene *s, int32_t first, int32_t count, void *out) {
    ploy_cone_def def = average_def();
    ploy_steerings3 to = ploy_steerings3_of(out, CROWD);
    return ploy_avoid_cone3_batch(&def, &s->view3, first, count, s->index3, &to);
}
static void cone_single3(const crowd_scene *s, int32_t i, void *out) {
    ploy_cone_def def = average_def();
    *(ploy_steering3 *)out = ploy_avoid_cone3(&def, s->agents3[i], &s->view3, i);
}

static ploy_result flock_batch3(const crowd_scene *s, int32_t first, int32_t count, void *out) {
    ploy_flock_def def = ploy_flock_def_default();
    ploy_steerings3 to = ploy_steerings3_of(out, CROWD);
    return ploy_flock3_batch(&def, &s->view3, first, count, s->index3, &to);
}
static void flock_single3(const crowd_scene *s, int32_t i, void *out) {
    ploy_flock_def def = ploy_flock_def_default();
    ploy_neighbours3 seen = ploy_neighbours3_find(&def, s->agents3[i], &s->view3, i);
    *(ploy_steering3 *)out = ploy_flock3_steer(&def, s->agents3[i], &seen);
}

static ploy_result rudder_batch(const crowd_scene *s, int32_t first, int32_t count, void *out) {
    ploy_flock_def def = ploy_flock_def_default();
    return ploy_craft_flock_batch(&def, &s->view, first, count, out);
}
static void rudder_single(const crowd_scene *s, int32_t i, void *out) {
    ploy_flock_def def = ploy_flock_def_default();
    *(float *)out = ploy_craft_flock(&def, s->agents[i], &s->view, i);
}

// Means that have seen a few headings already, in memory of their own.
typedef struct crowd_means {
    ploy_moving_mean means[CROWD];
    float values[CROWD][3 * SAMPLES];
} crowd_means;
static void means_fill(crowd_means *m, int32_t width, const crowd_scene *s, int32_t first,
                       int32_t count) {
    for (int32_t i = first; i < first + count && i >= 0 && i < CROWD; i++) {
        m->means[i] = ploy_moving_mean_make(m->values[i], width, SAMPLES);
        for (int32_t k = 0; k < i % (SAMPLES + 2); k++) {
            float one[3] = {s->climbs[(i + k) % CROWD], s->radii[i], 0.5f};
            ploy_moving_mean_add(&m->means[i], one, NULL);
        }
    }
}
static ploy_result heading_batch(const crowd_scene *s, int32_t first, int32_t count, void *out) {
    crowd_means m;
    means_fill(&m, 2, s, first, count);
    return ploy_heading_smooth_batch(m.means, &s->view, first, count, out);
}
static void heading_single(const crowd_scene *s, int32_t i, void *out) {
    crowd_means m;
    means_fill(&m, 2, s, i, 1);
    *(float *)out = ploy_heading_smooth(&m.means[i], s->agents[i].orientation);
}
static ploy_result heading_batch3(const crowd_scene *s, int32_t first, int32_t count, void *out) {
    crowd_means m;
    means_fill(&m, 3, s, first, count);
    return ploy_heading_smooth3_batch(m.means, &s->view3, first, count, out);
}
static void heading_single3(const crowd_scene *s, int32_t i, void *out) {
    crowd_means m;
    means_fill(&m, 3, s, i, 1);
    ploy_vec3 nose = ploy_quat_forward(s->agents3[i].orientation);
    *(ploy_vec3 *)out = ploy_heading_smooth3(&m.means[i], nose);
}

static ploy_result bank_batch(const crowd_scene *s, int32_t first, int32_t count, void *out) {
    ploy_bank_def def = ploy_bank_def_default();
    return ploy_bank_batch(&def, &s->view, first, count, s->climbs, out);
}
static void bank_single(const crowd_scene *s, int32_t i, void *out) {
    ploy_bank_def def = ploy_bank_def_default();
    const ploy_kinematic *agent = &s->agents[i];
    *(ploy_quat *)out = ploy_bank(&def, agent->orientation, agent->rotation,
                                  ploy_vec3_from_vec2(agent->velocity, s->climbs[i]));
}

static ploy_context context_of(const crowd_scene *s, const ploy_context_def *def, int32_t i) {
    ploy_context context;
    memset(&context, 0, sizeof context);
    ploy_context_init(&context, def);
    ploy_context_add_interest(&context, s->agents[i].velocity, 1.0f);
    for (int32_t k = 1; k < 4; k++) {
        ploy_context_add_body(&context, s->agents[i].position, s->agents[(i + k) % CROWD].position,
                              1.0f, 20.0f);
    }
    return context;
}
static ploy_result context_batch(const crowd_scene *s, int32_t first, int32_t count, void *out) {
    static const int32_t part = 25; // a context is large: a few at a time
    ploy_context_def def = ploy_context_def_default();
    if (!ploy_range_within(first, count, CROWD)) {
        ploy_context one = context_of(s, &def, 0);
        return ploy_context_decide_batch(&one, 1, &def, first, count, NULL, out);
    }
    for (int32_t at = first; at < first + count; at += part) {
        ploy_context contexts[25];
        ploy_context_choice choices[25];
        int32_t lasts[25], n = ploy_mini(part, first + count - at);
        for (int32_t i = 0; i < n; i++) {
            contexts[i] = context_of(s, &def, at + i);
            lasts[i] = (at + i) % 9 - 1;
        }
        ploy_result result = ploy_context_decide_batch(contexts, n, &def, 0, n, lasts, choices);
        if (result != PLOY_OK) return result;
        for (int32_t i = 0; i < n; i++) {
            if (lasts[i] != choices[i].slot) return PLOY_ERR_LIMIT;
            ((ploy_context_choice *)out)[at + i] = choices[i];
        }
    }
    return PLOY_OK;
}
static void context_single(const crowd_scene *s, int32_t i, void *out) {
    ploy_context_def def = ploy_context_def_default();
    ploy_context context = context_of(s, &def, i);
    *(ploy_context_choice *)out = ploy_context_decide(&context, &def, i % 9 - 1);
}

static ploy_result control_batch(const crowd_scene *s, int32_t first, int32_t count, void *out) {
    ploy_motor_def def = ploy_motor_def_of(PLOY_MOTOR_CAR);
    ploy_points targets = ploy_points_make(s->targets, CROWD);
    return ploy_motor_control_batch(&def, &s->view, first, count, &targets, out);
}
static void control_single(const crowd_scene *s, int32_t i, void *out) {
    ploy_motor_def def = ploy_motor_def_of(PLOY_MOTOR_CAR);
    *(ploy_motor_output *)out = ploy_motor_control(&def, s->agents[i], s->targets[i]);
}
static ploy_result drive_batch(const crowd_scene *s, int32_t first, int32_t count, void *out) {
    ploy_motor_def def = ploy_motor_def_of(PLOY_MOTOR_CAR);
    ploy_motor_output outputs[CROWD];
    ploy_kinematic agents[CROWD];
    memcpy(agents, s->agents, sizeof agents);
    ploy_kinematics view = ploy_kinematics_of(agents, CROWD);
    for (int32_t i = 0; i < CROWD; i++) control_single(s, i, &outputs[i]);
    ploy_result result = ploy_motor_drive_batch(&def, &view, first, count, outputs, 0.05f);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < CROWD; i++) {
        bool inside = i >= first && i < first + count;
        if (inside) ((ploy_kinematic *)out)[i] = agents[i];
        if (!inside && memcmp(&agents[i], &s->agents[i], sizeof agents[i]) != 0) {
            return PLOY_ERR_LIMIT;
        }
    }
    return PLOY_OK;
}
static void drive_single(const crowd_scene *s, int32_t i, void *out) {
    ploy_motor_def def = ploy_motor_def_of(PLOY_MOTOR_CAR);
    ploy_motor_output output;
    control_single(s, i, &output);
    *(ploy_kinematic *)out = ploy_motor_drive(&def, s->agents[i], output, 0.05f);
}

static ploy_result overlap_batch(const crowd_scene *s, int32_t first, int32_t count, void *out) {
    ploy_overlap_def def = ploy_overlap_def_default();
    return ploy_overlap_find(&def, &s->view, s->radii, first, count, s->index, out);
}
static void overlap_single(const crowd_scene *s, int32_t i, void *out) {
    ploy_vec2 sum = ploy_vec2_zero();
    for (int32_t k = 0; k < CROWD; k++) {
        if (k == i) continue;
        ploy_vec2 push = ploy_overlap_push(s->agents[i].position, s->radii[i],
                                           s->agents[k].position, s->radii[k], i);
        sum = ploy_vec2_add_scaled(sum, push, 0.5f);
    }
    *(ploy_vec2 *)out = ploy_vec2_limit(sum, 1.0f);
}
static ploy_result overlap_batch3(const crowd_scene *s, int32_t first, int32_t count, void *out) {
    ploy_overlap_def def = ploy_overlap_def_default();
    return ploy_overlap_find3(&def, &s->view3, s->radii, first, count, s->index3, out);
}
static void overlap_single3(const crowd_scene *s, int32_t i, void *out) {
    ploy_vec3 sum = ploy_vec3_zero();
    for (int32_t k = 0; k < CROWD; k++) {
        if (k == i) continue;
        ploy_vec3 push = ploy_overlap_push3(s->agents3[i].position, s->radii[i],
                                            s->agents3[k].position, s->radii[k], i);
        sum = ploy_vec3_add_scaled(sum, push, 0.5f);
    }
    *(ploy_vec3 *)out = ploy_vec3_limit(sum, 1.0f);
}

// Lanes as parts: every mode. Drawn by the agents' numbers.
static ploy_result combine_batch_of(ploy_combine_mode mode, const crowd_scene *s, int32_t first,
                                    int32_t count, void *out) {
    ploy_combine_def def = ploy_combine_def_default();
    def.mode = mode;
    ploy_combine_lane lanes[2];
    for (int32_t k = 0; k < 2; k++) {
        ploy_steerings from = ploy_steerings_of((ploy_steering *)s->steerings[k], CROWD);
        lanes[k] = ploy_combine_lane_make(from, 0.5f + (float)k);
        lanes[k].group = k;
        lanes[k].probability = 0.6f;
    }
    ploy_steerings to = ploy_steerings_of(out, CROWD);
    return ploy_combine_batch(&def, lanes, 2, first, count, ploy_rng_key_make(5), 7, &to);
}
static ploy_steering lane_steer(const ploy_steering_source *source,
                                const ploy_steering_context *context) {
    return ((const ploy_steering *)source->state)[context->id.id.index];
}
static void combine_single_of(ploy_combine_mode mode, const crowd_scene *s, int32_t i, void *out) {
    static const ploy_steering_type type = {"lane", lane_steer, NULL, NULL, 0, true, false};
    static const char *const names[2] = {"first", "second"};
    ploy_combine_def def = ploy_combine_def_default();
    def.mode = mode;
    ploy_combination combination;
    ploy_combination_init(&combination, &def, NULL);
    for (int32_t k = 0; k < 2; k++) {
        ploy_steering_source source =
            ploy_steering_source_make(&type, (ploy_steering *)s->steerings[k]);
        ploy_combination_add(&combination, names[k], source, 0.5f + (float)k);
        combination.parts[k].group = k;
        combination.parts[k].probability = 0.6f;
    }
    ploy_steering_context context = scene_context(s->agents[i]);
    context.id = ploy_agent_id_make((uint32_t)i, 1);
    context.key = ploy_rng_key_make(5);
    context.tick = 7;
    *(ploy_steering *)out = ploy_combine(&combination, &context);
}
#define COMBINE_FORM(name, mode)                                                        \
    static ploy_result name##_batch(const crowd_scene *s, int32_t first, int32_t count, \
                                    void *out) {                                        \
        return combine_batch_of(mode, s, first, count, out);                            \
    }                                                                                   \
    static void name##_single(const crowd_scene *s, int32_t i, void *out) {             \
        combine_single_of(mode, s, i, out);                                             \
    }
COMBINE_FORM(sum, PLOY_COMBINE_SUM)
COMBINE_FORM(running, PLOY_COMBINE_RUNNING_SUM)
COMBINE_FORM(dither, PLOY_COMBINE_DITHER)
COMBINE_FORM(priority, PLOY_COMBINE_PRIORITY)
COMBINE_FORM(cooperate, PLOY_COMBINE_COOPERATE)

static const crowd_form crowd_forms[] = {
    {"avoid collision", sizeof(ploy_steering), collision_batch, collision_single},
    {"avoid collision 3", sizeof(ploy_steering3), collision_batch3, collision_single3},
    {"avoid cone", sizeof(ploy_steering), cone_batch, cone_single},
    {"avoid cone 3", sizeof(ploy_steering3), cone_batch3, cone_single3},
    {"flock 3", sizeof(ploy_steering3), flock_batch3, flock_single3},
    {"craft flock", sizeof(float), rudder_batch, rudder_single},
    {"heading", sizeof(float), heading_batch, heading_single},
    {"heading 3", sizeof(ploy_vec3), heading_batch3, heading_single3},
    {"bank", sizeof(ploy_quat), bank_batch, bank_single},
    {"context", sizeof(ploy_context_choice), context_batch, context_single},
    {"motor control", sizeof(ploy_motor_output), control_batch, control_single},
    {"motor drive", sizeof(ploy_kinematic), drive_batch, drive_single},
    {"overlap", sizeof(ploy_vec2), overlap_batch, overlap_single},
    {"overlap 3", sizeof(ploy_vec3), overlap_batch3, overlap_single3},
    {"combine sum", sizeof(ploy_steering), sum_batch, sum_single},
    {"combine running sum", sizeof(ploy_steering), running_batch, running_single},
    {"combine dither", sizeof(ploy_steering), dither_batch, dither_single},
    {"combine priority", sizeof(ploy_steering), priority_batch, priority_single},
    {"combine cooperate", sizeof(ploy_steering), cooperate_batch, cooperate_single},
};

// Within `reach` of the origin.
static void crowd_fill(crowd_scene *s, ploy_rng *rng, float reach) {
    memset(s, 0, sizeof *s);
    for (int32_t i = 0; i < CROWD; i++) {
        s->agents[i] = scene_ordinary(rng);
        s->agents3[i] = scene_raise(scene_ordinary(rng));
        s->agents[i].position = scene_near2(rng, reach);
        s->agents3[i].position = scene_near3(rng, reach);
        s->agents3[i].velocity.z = ploy_rng_range(rng, -3.0f, 3.0f);
        s->targets[i] = scene_near2(rng, 20.0f);
        s->radii[i] = ploy_rng_range(rng, 0.1f, 1.0f);
        s->climbs[i] = ploy_rng_range(rng, -2.0f, 2.0f);
        for (int32_t k = 0; k < 2; k++) {
            if (ploy_rng_chance(rng, 0.3f)) continue;
            s->steerings[k][i] = ploy_steering_make(scene_near2(rng, 8.0f), 1.0f);
        }
    }
    s->view = ploy_kinematics_of(s->agents, CROWD);
    s->view3 = ploy_kinematics3_of(s->agents3, CROWD);
}

static ploy_grid *crowd_grid(test_context *t, const crowd_scene *s) {
    ploy_grid_def def = ploy_grid_def_default();
    ploy_env env = ploy_env_default();
    ploy_grid *grid = NULL;
    def.capacity = CROWD;
    def.cell_size = 4.0f;
    CHECK_OK(ploy_grid_create(&def, &env, &grid));
    ploy_points points = ploy_points_of_agents(&s->view);
    CHECK_OK(ploy_grid_rebuild(grid, &points));
    return grid;
}

static ploy_bvh3 *crowd_bvh(test_context *t, const crowd_scene *s) {
    ploy_bvh_def def = ploy_bvh_def_default();
    ploy_env env = ploy_env_default();
    ploy_bvh3 *bvh = NULL;
    def.capacity = CROWD;
    CHECK_OK(ploy_bvh3_create(&def, &env, &bvh));
    ploy_box3 boxes[CROWD];
    for (int32_t i = 0; i < CROWD; i++) {
        boxes[i] = ploy_box3_make(s->agents3[i].position, s->agents3[i].position);
    }
    CHECK_OK(ploy_bvh3_rebuild(bvh, boxes, CROWD));
    return bvh;
}

// Each agent by itself, into out.
static void crowd_singles(const crowd_form *form, const crowd_scene *s, char *out) {
    for (int32_t i = 0; i < CROWD; i++) form->one(s, i, out + (size_t)i * form->size);
}

TEST(crowds_by_an_index_and_without_give_the_bits_of_single) {
    static crowd_scene s;
    static double want[CROWD * ROW_MAX / sizeof(double)], got[CROWD * ROW_MAX / sizeof(double)];
    // Spread out, dense, and a heap in which more are near than an index is asked for.
    static const float reaches[] = {40.0f, 12.0f, 1.0f};
    for (size_t k = 0; k < COUNT_OF(reaches); k++) {
        TEST_SEED(k);
        ploy_rng rng = ploy_rng_make(k);
        crowd_fill(&s, &rng, reaches[k]);
        ploy_grid *grid = crowd_grid(t, &s);
        ploy_bvh3 *bvh = crowd_bvh(t, &s);
        ploy_index2 index = ploy_grid_index(grid);
        ploy_index3 index3 = ploy_bvh3_index(bvh);
        for (size_t f = 0; f < COUNT_OF(crowd_forms); f++) {
            const crowd_form *form = &crowd_forms[f];
            t->row = form->name;
            size_t size = CROWD * form->size;
            CHECK(form->size <= ROW_MAX);
            memset(want, 0x55, sizeof want);
            crowd_singles(form, &s, (char *)want);
            for (int32_t with = 0; with < 2; with++) {
                // Heaps are taken apart over a few steps: of those only the nearest few count.
                bool heap = with == 1 && k == 2 && strncmp(form->name, "overlap", 7) == 0;
                s.index = with == 1 ? &index : NULL;
                s.index3 = with == 1 ? &index3 : NULL;
                memset(got, 0x55, sizeof got);
                CHECK_OK(form->batch(&s, 0, CROWD, got));
                if (!heap) CHECK_BYTES(got, want, size);
            }
            CHECK_INT(form->batch(&s, 0, CROWD + 1, got), PLOY_ERR_ARGUMENT);
            CHECK_INT(form->batch(&s, -1, 1, got), PLOY_ERR_ARGUMENT);
        }
        ploy_bvh3_destroy(bvh);
        ploy_grid_destroy(grid);
    }
}

// ---- workers ----

typedef struct worker_task {
    const crowd_form *form; // or a behavior
    const crowd_scene *s;
    const behavior *behavior;
    ploy_kinematics view; // of BATCH agents
    ploy_kinematics3 view3;
    const ploy_kinematic *o;
    const ploy_kinematic3 *o3;
    bool space;
    void *out;
    ploy_result results[CROWD]; // by the first of the range
} worker_task;

static void worker_run(void *arg, int32_t first, int32_t count, int32_t worker) {
    worker_task *task = arg;
    (void)worker;
    if (task->form != NULL) {
        task->results[first] = task->form->batch(task->s, first, count, task->out);
    } else if (task->space) {
        ploy_steerings3 out = ploy_steerings3_of(task->out, BATCH);
        task->results[first] = task->behavior->batch3(&task->view3, first, count, task->o3, &out);
    } else {
        ploy_steerings out = ploy_steerings_of(task->out, BATCH);
        task->results[first] = task->behavior->batch(&task->view, first, count, task->o, &out);
    }
}

// By 0 (no jobs at all), 1, 2 and 4 workers, in ranges that fit no chunk: the same bytes as in one
// piece.
static void check_workers(test_context *t, worker_task *task, ploy_job_pool *const pools[3],
                          int32_t count, size_t size) {
    static double want[CROWD * ROW_MAX / sizeof(double)], got[CROWD * ROW_MAX / sizeof(double)];
    memset(want, 0x55, sizeof want);
    memset(task->results, 0, sizeof task->results);
    task->out = want;
    worker_run(task, 0, count, 0);
    CHECK_OK(task->results[0]);
    for (int32_t p = -1; p < 3; p++) {
        memset(got, 0x55, sizeof got);
        task->out = got;
        if (p >= 0 && pools[p] == NULL) continue;
        ploy_jobs_run(p < 0 ? NULL : ploy_job_pool_jobs(pools[p]), worker_run, task, count, 13);
        for (int32_t i = 0; i < count; i++) CHECK_OK(task->results[i]);
        CHECK_BYTES(got, want, (size_t)count * size);
    }
}

TEST(any_number_of_workers_gives_the_same_bits) {
    static crowd_scene s;
    ploy_env env = ploy_env_default();
    ploy_job_pool *pools[3] = {NULL, NULL, NULL};
    for (int32_t p = 0; p < 3; p++) {
        ploy_result made = ploy_job_pool_create(1 << p, &env, &pools[p]);
        CHECK(made == PLOY_OK || made == PLOY_ERR_UNSUPPORTED);
    }
    ploy_rng rng = ploy_rng_make(3);
    crowd_fill(&s, &rng, 20.0f);
    ploy_grid *grid = crowd_grid(t, &s);
    ploy_bvh3 *bvh = crowd_bvh(t, &s);
    ploy_index2 index = ploy_grid_index(grid);
    ploy_index3 index3 = ploy_bvh3_index(bvh);
    s.index = &index;
    s.index3 = &index3;
    static worker_task task;
    memset(&task, 0, sizeof task);
    task.s = &s;
    for (size_t f = 0; f < COUNT_OF(crowd_forms); f++) {
        t->row = crowd_forms[f].name;
        task.form = &crowd_forms[f];
        check_workers(t, &task, pools, CROWD, crowd_forms[f].size);
    }
    task.form = NULL;
    task.view = ploy_kinematics_of(s.agents, BATCH);
    task.view3 = ploy_kinematics3_of(s.agents3, BATCH);
    task.o = s.agents + BATCH;
    task.o3 = s.agents3 + BATCH;
    for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
        t->row = behaviors[b].name;
        task.behavior = &behaviors[b];
        task.space = false;
        if (behaviors[b].batch != NULL) {
            check_workers(t, &task, pools, BATCH, sizeof(ploy_steering));
        }
        task.space = true;
        if (behaviors[b].batch3 != NULL) {
            check_workers(t, &task, pools, BATCH, sizeof(ploy_steering3));
        }
    }
    ploy_bvh3_destroy(bvh);
    ploy_grid_destroy(grid);
    for (int32_t p = 0; p < 3; p++) ploy_job_pool_destroy(pools[p]);
}

TEST(batches_refuse_settings_and_memory_that_are_not_right) {
    static crowd_scene s;
    ploy_rng rng = ploy_rng_make(1);
    crowd_fill(&s, &rng, 20.0f);
    ploy_steering out[CROWD];
    ploy_steering3 out3[CROWD];
    ploy_steerings to = ploy_steerings_of(out, CROWD);
    ploy_steerings3 to3 = ploy_steerings3_of(out3, CROWD);
    ploy_collision_def collision = near_def();
    collision.range = NAN;
    CHECK_INT(ploy_avoid_collision_batch(&collision, &s.view, 0, 1, NULL, &to), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_avoid_collision3_batch(NULL, &s.view3, 0, 1, NULL, &to3), PLOY_ERR_ARGUMENT);
    ploy_cone_def cone = average_def();
    CHECK_INT(ploy_avoid_cone_batch(&cone, NULL, 0, 1, NULL, &to), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_avoid_cone3_batch(&cone, &s.view3, 0, 1, NULL, NULL), PLOY_ERR_ARGUMENT);
    ploy_flock_def flock = ploy_flock_def_default();
    flock.radius = -1.0f;
    CHECK_INT(ploy_flock3_batch(&flock, &s.view3, 0, 1, NULL, &to3), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_heading_smooth_batch(NULL, &s.view, 0, 1, s.radii), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_heading_smooth3_batch(NULL, &s.view3, 0, 1, NULL), PLOY_ERR_ARGUMENT);
    ploy_bank_def bank = ploy_bank_def_default();
    CHECK_INT(ploy_bank_batch(&bank, &s.view, 0, 1, NULL, NULL), PLOY_ERR_ARGUMENT);
    ploy_motor_def motor = ploy_motor_def_default();
    ploy_motor_output outputs[1];
    ploy_points targets = ploy_points_make(s.targets, CROWD);
    CHECK_INT(ploy_motor_control_batch(NULL, &s.view, 0, 1, &targets, outputs), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_motor_drive_batch(&motor, &s.view, 0, 1, outputs, 2.0f), PLOY_ERR_ARGUMENT);
    ploy_combine_def combine = ploy_combine_def_default();
    ploy_combine_lane lane = ploy_combine_lane_make(to, 1.0f);
    ploy_rng_key key = ploy_rng_key_make(1);
    CHECK_INT(ploy_combine_batch(&combine, NULL, 1, 0, 1, key, 0, &to), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_combine_batch(&combine, &lane, PLOY_COMBINE_LANES_MAX + 1, 0, 1, key, 0, &to),
              PLOY_ERR_ARGUMENT);
    lane.group = PLOY_COMBINE_GROUPS;
    CHECK_INT(ploy_combine_batch(&combine, &lane, 1, 0, 1, key, 0, &to), PLOY_ERR_ARGUMENT);
    lane.group = -1;
    CHECK_INT(ploy_combine_batch(&combine, &lane, 1, 0, 1, key, 0, &to), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_combine_batch(&combine, NULL, 0, 0, 1, key, 0, &to));
    CHECK_UINT(out[0].requested, 0);
    ploy_waypoints_def waypoints = ploy_waypoints_def_default();
    CHECK_INT(ploy_waypoints_batch(&waypoints, &s.view, 0, 1, NULL, NULL, &to), PLOY_ERR_ARGUMENT);
    ploy_path_follow_def path = ploy_path_follow_def_default();
    CHECK_INT(ploy_spline_follow_batch(&path, &s.view, 0, 1, NULL, NULL, &to), PLOY_ERR_ARGUMENT);
    // A way without points asks for nothing, as it does for one agent.
    CHECK_OK(ploy_path_follow3_batch(&path, &s.view3, 0, 1, NULL, 0, false, s.radii, &to3));
    CHECK_UINT(out3[0].requested, 0);
}
