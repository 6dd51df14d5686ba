// Every behavior as a steering source: alone it equals its plain call bit for bit; in every method of
// combining, and three deep, it still requests what the plain call does; its state can be saved and
// restored; bad settings are refused. STE-22, COM-01.
#include "move/move_internal.h"
#include "ploy/move/crowd.h"
#include "ploy/move/drive.h"
#include "ploy/move/source.h"
#include "ploy/move/wander.h"
#include "tests/move/behaviors.h"
#include "tests/move/source_stage.h"
#include "tests/state.h"
#include "tests/test.h"

// ---- a scene that every behavior finds something in ----

typedef source_stage stage;

static void stage_init(stage *s, uint64_t seed) {
    ploy_rng rng = ploy_rng_make(seed);
    memset(s, 0, sizeof *s);
    source_stage_defaults(s);
    s->obstacle.look_ahead = 15.0f; // so that something is in the way now and then
    s->obstacle.radius = 4.0f;
    s->collision.radius = 4.0f;
    s->collision.horizon = 50.0f;
    s->cone.distance = 50.0f;
    s->flock.radius = s->flock.separation_radius = 50.0f;
    s->feelers.length = 25.0f;
    s->feelers.whisker_length = 15.0f;
    s->feelers.widen_rate = 1.0f;
    s->wall_follow.reach = s->wall_follow.ahead = 12.0f;
    for (int32_t i = 0; i < OTHERS; i++) {
        s->others[i] = scene_ordinary(&rng);
        s->others3[i] = scene_raise(scene_ordinary(&rng));
        s->others3[i].position.z = ploy_rng_range(&rng, -5.0f, 5.0f);
        s->others3[i].velocity.z = ploy_rng_range(&rng, -3.0f, 3.0f);
        s->points[i] = s->others[i].position;
        s->points3[i] = s->others3[i].position;
        s->circles[i] = ploy_circle_make(s->points[i], 1.0f);
        s->spheres[i] = ploy_sphere_make(s->points3[i], 1.0f);
    }
    s->view = ploy_kinematics_of(s->others, OTHERS);
    s->view3 = ploy_kinematics3_of(s->others3, OTHERS);
    s->point = scene_near2(&rng, 20.0f);
    s->point3 = scene_near3(&rng, 20.0f);
    s->offset = ploy_vec2_make(-2.0f, 1.0f);
    s->offset3 = ploy_vec3_make(-2.0f, 1.0f, 0.5f);
    s->number = ploy_rng_range(&rng, -3.0f, 3.0f);
    s->facing = s->others3[0].orientation;
    s->path = ploy_polyline_make(s->points, OTHERS, false);
    s->spline = ploy_spline2_make(s->points, OTHERS, PLOY_SPLINE_CENTRIPETAL, false);
    s->spline3 = ploy_spline3_make(s->points3, OTHERS, PLOY_SPLINE_CENTRIPETAL, false);
    s->field.at = current_at;
    s->field.user = s->others;
    s->field3.at = current_at3;
    s->field3.user = s->others3;
    s->box = ploy_box2_make(s->points[0], s->points[1]);
    s->box3 = ploy_box3_make(s->points3[0], s->points3[1]);
    s->walls = posts_of(s->others);
    s->walls3 = balls_of(s->others3);
    s->controls.thrust = 0.5f;
    s->controls.steer = -0.3f;
    ploy_jump_point point = {{0, 0, 0}, {3, 0, 0}, PLOY_JUMP_AT_LEAST, 1.0f, {0, 0}};
    s->leap = ploy_jump_begin(&s->jump, &point, ploy_vec2_make(-4.0f, 1.0f));
    s->drift3 = ploy_vec3_make(1.0f, 0.0f, 0.0f);
    source_stage_finish(s);
}

// ---- the rows ----

typedef struct row {
    const char *name;
    ploy_result (*make)(stage *s, ploy_steering_source *out);
    ploy_steering (*plain)(stage *s, const ploy_steering_context *c);
    ploy_steering3 (*plain3)(stage *s, const ploy_steering_context *c);
    ploy_fields (*fields)(void);
    size_t def; // offset of the settings in the stage
    bool draws;
} row;

#define PLANE(name, set, args, draws, ...)                                        \
    static ploy_result make_##name(stage *s, ploy_steering_source *out) {         \
        return ploy_##name##_source args;                                         \
    }                                                                             \
    static ploy_steering plain_##name(stage *s, const ploy_steering_context *c) { \
        (void)c;                                                                  \
        __VA_ARGS__                                                               \
    }
#define SPACE(name, set, args, draws, ...)                                         \
    static ploy_result make_##name(stage *s, ploy_steering_source *out) {          \
        return ploy_##name##_source args;                                          \
    }                                                                              \
    static ploy_steering3 plain_##name(stage *s, const ploy_steering_context *c) { \
        (void)c;                                                                   \
        __VA_ARGS__                                                                \
    }
#include "tests/move/source_rows.inc"
#undef PLANE
#undef SPACE

#define PLANE(name, set, args, draws, ...) \
    {#name, make_##name, plain_##name, NULL, ploy_##set##_fields, offsetof(stage, set), draws},
#define SPACE(name, set, args, draws, ...) \
    {#name, make_##name, NULL, plain_##name, ploy_##set##_fields, offsetof(stage, set), draws},
// clang-format off
static const row rows[] = {
#include "tests/move/source_rows.inc"
};
// clang-format on

// An agent that moves a little every step, on the plane and in space alike.
static ploy_steering_context context_at(const row *r, uint64_t seed, uint64_t tick) {
    ploy_rng rng = ploy_rng_make(seed * 1000 + tick);
    ploy_kinematic agent = scene_ordinary(&rng);
    ploy_agent_id id = ploy_agent_id_make(3, 1);
    ploy_rng_key key = ploy_rng_key_make(seed);
    if (r->plain != NULL) return ploy_steering_context_make(agent, id, 0.02f, tick, key);
    ploy_kinematic3 agent3 = scene_raise(agent);
    agent3.position.z = ploy_rng_range(&rng, -5.0f, 5.0f);
    agent3.velocity.z = ploy_rng_range(&rng, -3.0f, 3.0f);
    return ploy_steering_context3_make(agent3, id, 0.02f, tick, key);
}

// A request of either world, to be compared part by part: a sum turns -0 into 0, which is equal.
typedef struct request {
    float parts[6];
    uint32_t requested;
} request;

static request request_of(ploy_steering3 s) {
    request out = {{s.linear.x, s.linear.y, s.linear.z, s.angular.x, s.angular.y, s.angular.z},
                   s.requested};
    return out;
}

static request request_of2(ploy_steering s) {
    request out = {{s.linear.x, s.linear.y, 0.0f, 0.0f, 0.0f, s.angular}, s.requested};
    return out;
}

static request plain_of(const row *r, stage *s, const ploy_steering_context *c) {
    return r->plain != NULL ? request_of2(r->plain(s, c)) : request_of(r->plain3(s, c));
}

static request source_of(const row *r, const ploy_steering_source *source,
                         const ploy_steering_context *c) {
    return r->plain != NULL ? request_of2(ploy_steering_source_steer(source, c))
                            : request_of(ploy_steering_source_steer3(source, c));
}

static bool request_equal(request a, request b) {
    for (int i = 0; i < 6; i++) {
        if (!(a.parts[i] == b.parts[i])) return false;
    }
    return a.requested == b.requested;
}

static stage stage_a, stage_b;

TEST(every_source_alone_equals_its_plain_call) {
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        const row *r = &rows[k];
        t->row = r->name;
        int32_t requests = 0;
        for (int64_t seed = 1; seed <= test_rounds(20); seed++) {
            TEST_SEED(seed);
            stage_init(&stage_a, (uint64_t)seed);
            stage_init(&stage_b, (uint64_t)seed);
            ploy_steering_source source;
            CHECK_OK(r->make(&stage_a, &source));
            for (uint64_t tick = 0; tick < 10; tick++) {
                ploy_steering_context c = context_at(r, (uint64_t)seed, tick);
                request got = source_of(r, &source, &c), want = plain_of(r, &stage_b, &c);
                CHECK_BYTES(&got, &want, sizeof got);
                requests += (int32_t)(got.requested & PLOY_STEERING_REQUESTED);
            }
            CHECK_BYTES(&stage_a.whiskers, &stage_b.whiskers, sizeof stage_a.whiskers);
            CHECK_BYTES(&stage_a.leap, &stage_b.leap, sizeof stage_a.leap);
            CHECK_BYTES(&stage_a.drift3, &stage_b.drift3, sizeof stage_a.drift3);
            CHECK_SAME(stage_a.drift, stage_b.drift);
            CHECK_SAME(stage_a.along, stage_b.along);
            CHECK_INT(stage_a.next, stage_b.next);
            CHECK_INT(stage_a.last, stage_b.last);
            CHECK_SAME(stage_a.waited, stage_b.waited);
            CHECK_BYTES(&stage_a.maneuver, &stage_b.maneuver, sizeof stage_a.maneuver);
        }
        CHECK(requests > 0); // a row that never requests anything would prove nothing
    }
}

static ploy_combine_def wide_def(ploy_combine_mode mode) {
    ploy_combine_def def = ploy_combine_def_default();
    def.mode = mode;
    def.max_acceleration = def.max_angular_acceleration = 1e6f;
    return def;
}

// The key that a part draws from.
static ploy_rng_key stream_of(ploy_rng_key key, const char *name) {
    return ploy_rng_key_split(key, ploy_name_of(name).hash);
}

TEST(every_source_alone_in_every_method_requests_what_its_plain_call_does) {
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        const row *r = &rows[k];
        t->row = r->name;
        for (int mode = 0; mode <= PLOY_COMBINE_COOPERATE; mode++) {
            stage_init(&stage_a, 5);
            stage_init(&stage_b, 5);
            ploy_steering_source source;
            CHECK_OK(r->make(&stage_a, &source));
            ploy_combine_def def = wide_def((ploy_combine_mode)mode);
            ploy_combination one;
            CHECK_OK(ploy_combination_init(&one, &def, NULL));
            CHECK_OK(ploy_combination_add(&one, "part", source, 1.0f));
            ploy_steering_source whole = ploy_combination_source(&one);
            for (uint64_t tick = 0; tick < 10; tick++) {
                ploy_steering_context c = context_at(r, 5, tick), own = c;
                if (r->draws) own.key = stream_of(c.key, "part");
                request want = plain_of(r, &stage_b, &own);
                request got = source_of(r, &whole, &c);
                // Dithering passes over a request of nothing at all.
                bool zero = true;
                for (int i = 0; i < 6; i++) zero = zero && want.parts[i] == 0.0f;
                if (zero) want.requested = got.requested;
                CHECK(request_equal(got, want));
            }
        }
    }
}

TEST(every_source_beside_another_adds_up) {
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        const row *r = &rows[k];
        t->row = r->name;
        stage_init(&stage_a, 9);
        stage_init(&stage_b, 9);
        ploy_steering_source source, seek;
        CHECK_OK(r->make(&stage_a, &source));
        CHECK_OK(r->plain != NULL ? ploy_seek_source(&stage_a.seek, &stage_a.point, NULL, &seek)
                                  : ploy_seek3_source(&stage_a.seek, &stage_a.point3, NULL, &seek));
        for (int running = 0; running < 2; running++) {
            ploy_combine_def def = wide_def(running ? PLOY_COMBINE_RUNNING_SUM : PLOY_COMBINE_SUM);
            ploy_combination both;
            CHECK_OK(ploy_combination_init(&both, &def, NULL));
            CHECK_OK(ploy_combination_add(&both, "part", source, 1.0f));
            CHECK_OK(ploy_combination_add(&both, "seek", seek, 0.5f));
            ploy_steering_source whole = ploy_combination_source(&both);
            ploy_steering_context c = context_at(r, 9, (uint64_t)running), own = c;
            if (r->draws) own.key = stream_of(c.key, "part");
            request want = plain_of(r, &stage_b, &own), add = source_of(r, &seek, &c);
            for (int i = 0; i < 6; i++) want.parts[i] += 0.5f * add.parts[i];
            want.requested |= add.requested;
            CHECK(request_equal(source_of(r, &whole, &c), want));
        }
    }
}

// Whether the linear or the angular part is longer than epsilon.
static bool request_exceeds(request r, float epsilon) {
    const float *p = r.parts;
    return sqrtf(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) > epsilon ||
           sqrtf(p[3] * p[3] + p[4] * p[4] + p[5] * p[5]) > epsilon;
}

// The methods in which one part decides: the most urgent, the first that is drawn, the last.
TEST(every_source_beside_another_gives_way_or_decides) {
    enum { FIRST_URGENT, FIRST_DRAWN, LAST, FIRST_REPLACED, CASES };
    static const ploy_combine_mode modes[CASES] = {PLOY_COMBINE_PRIORITY, PLOY_COMBINE_DITHER,
                                                   PLOY_COMBINE_COOPERATE, PLOY_COMBINE_COOPERATE};
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        const row *r = &rows[k];
        t->row = r->name;
        for (int which = 0; which < CASES; which++) {
            stage_init(&stage_a, 13);
            stage_init(&stage_b, 13);
            ploy_steering_source source, seek;
            CHECK_OK(r->make(&stage_a, &source));
            CHECK_OK(r->plain != NULL
                         ? ploy_seek_source(&stage_a.seek, &stage_a.point, NULL, &seek)
                         : ploy_seek3_source(&stage_a.seek, &stage_a.point3, NULL, &seek));
            ploy_combine_def def = wide_def(modes[which]);
            ploy_combination both;
            CHECK_OK(ploy_combination_init(&both, &def, NULL));
            if (which == FIRST_REPLACED) CHECK_OK(ploy_combination_add(&both, "seek", seek, 1.0f));
            CHECK_OK(ploy_combination_add(&both, "part", source, 1.0f));
            if (which != FIRST_REPLACED) CHECK_OK(ploy_combination_add(&both, "seek", seek, 1.0f));
            if (which == FIRST_URGENT) both.parts[1].group = 1;
            ploy_steering_source whole = ploy_combination_source(&both);
            for (uint64_t tick = 0; tick < 10; tick++) {
                ploy_steering_context c = context_at(r, 13, tick), own = c;
                request other = source_of(r, &seek, &c);
                if (r->draws) own.key = stream_of(c.key, "part");
                if (which == FIRST_REPLACED && r->plain != NULL) {
                    own.earlier = ploy_steering_source_steer(&seek, &c);
                    own.earlier3.linear = ploy_vec3_from_vec2(own.earlier.linear, 0.0f);
                    own.earlier3.angular.z = own.earlier.angular;
                    own.earlier3.requested = own.earlier.requested;
                } else if (which == FIRST_REPLACED) {
                    own.earlier3 = ploy_steering_source_steer3(&seek, &c);
                    own.earlier.linear = ploy_vec2_from_vec3(own.earlier3.linear);
                    own.earlier.angular = own.earlier3.angular.z;
                    own.earlier.requested = own.earlier3.requested;
                }
                request want = plain_of(r, &stage_b, &own);
                bool asks = (want.requested & PLOY_STEERING_REQUESTED) != 0;
                bool decides = which == FIRST_URGENT  ? request_exceeds(want, def.epsilon)
                               : which == FIRST_DRAWN ? asks && request_exceeds(want, 0.0f)
                               : which == LAST ? (other.requested & PLOY_STEERING_REQUESTED) == 0
                                               : asks;
                if (!decides) want = other;
                CHECK(request_equal(source_of(r, &whole, &c), want));
            }
        }
    }
}

TEST(every_source_three_deep_requests_what_its_plain_call_does) {
    static const char *const names[3] = {"outer", "middle", "inner"};
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        const row *r = &rows[k];
        t->row = r->name;
        for (int mode = 0; mode < 5 * 5 * 5; mode++) { // each method inside each inside each
            stage_init(&stage_a, 11);
            stage_init(&stage_b, 11);
            ploy_steering_source source;
            CHECK_OK(r->make(&stage_a, &source));
            ploy_combination levels[3];
            for (int level = 2; level >= 0; level--) {
                int method = level == 0 ? mode / 25 : level == 1 ? mode / 5 % 5 : mode % 5;
                ploy_combine_def def = wide_def((ploy_combine_mode)method);
                CHECK_OK(ploy_combination_init(&levels[level], &def, NULL));
                CHECK_OK(ploy_combination_add(&levels[level], names[level], source, 1.0f));
                source = ploy_combination_source(&levels[level]);
            }
            for (uint64_t tick = 0; tick < 3; tick++) {
                ploy_steering_context c = context_at(r, 11, tick), own = c;
                for (int level = 0; level < 3 && r->draws; level++) {
                    own.key = stream_of(own.key, names[level]);
                }
                request want = plain_of(r, &stage_b, &own), got = source_of(r, &source, &c);
                bool zero = true;
                for (int i = 0; i < 6; i++) zero = zero && want.parts[i] == 0.0f;
                if (zero) want.requested = got.requested;
                CHECK(request_equal(got, want));
            }
        }
    }
}

TEST(restoring_the_caller_s_memory_restores_a_source) {
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        const row *r = &rows[k];
        t->row = r->name;
        stage_init(&stage_a, 21);
        ploy_steering_source source;
        CHECK_OK(r->make(&stage_a, &source));
        request first[20];
        for (uint64_t tick = 0; tick < 40; tick++) {
            if (tick == 20) stage_b = stage_a; // saved in mid-run
            ploy_steering_context c = context_at(r, 21, tick);
            request got = source_of(r, &source, &c);
            if (tick >= 20) first[tick - 20] = got;
        }
        stage_a = stage_b;
        for (uint64_t tick = 20; tick < 40; tick++) {
            ploy_steering_context c = context_at(r, 21, tick);
            request got = source_of(r, &source, &c);
            CHECK_BYTES(&got, &first[tick - 20], sizeof got);
        }
    }
}

TEST(a_source_s_state_is_described_saved_and_loaded) {
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        const row *r = &rows[k];
        t->row = r->name;
        stage_init(&stage_a, 21);
        ploy_steering_source source;
        CHECK_OK(r->make(&stage_a, &source));
        CHECK(source.type->state_size == 0 || source.type->visit != NULL); // filters visit others
        CHECK_INT(source.type->drawless, !r->draws);
        if (source.type->state_size == 0) continue;
        state_check check = {ploy_steering_source_visit, &source, NULL, NULL, NULL};
        state_check_cover(t, &check);
        uint64_t hash = state_hash(&check);
        char *text = state_save(t, &check);
        // Every float and count of the states is nonzero after this.
        ((unsigned char *)source.state)[2] ^= 0x40;
        CHECK(state_hash(&check) != hash);
        state_expect_load(t, &check, text);
        CHECK_UINT(state_hash(&check), hash);
        free(text);
    }
}

// Puts NaN into the first setting that is a float, in nested settings too.
static bool spoil_def(ploy_fields fields, char *def) {
    for (int32_t i = 0; i < fields.count; i++) {
        const ploy_field *field = &fields.items[i];
        if (field->type == PLOY_FIELD_TYPE_DEF && spoil_def(field->def(), def + field->offset)) {
            return true;
        }
        if (field->type != PLOY_FIELD_TYPE_F32) continue;
        *(float *)(void *)(def + field->offset) = NAN;
        return true;
    }
    return false;
}

TEST(bad_settings_are_refused_and_later_ones_marked) {
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        const row *r = &rows[k];
        t->row = r->name;
        stage_init(&stage_a, 3);
        ploy_steering_source source, refused;
        CHECK_OK(r->make(&stage_a, &source));
        CHECK(spoil_def(r->fields(), (char *)&stage_a + r->def));
        CHECK_INT(r->make(&stage_a, &refused), PLOY_ERR_ARGUMENT);
        CHECK(refused.type == NULL);
        ploy_steering_context c = context_at(r, 3, 0);
        CHECK_UINT(source_of(r, &refused, &c).requested, 0);
        // Spoilt after it was made: marked, and marked in a combination too, but not in the way of
        // the other parts.
        request bad = source_of(r, &source, &c);
        CHECK_UINT(bad.requested, PLOY_STEERING_INVALID);
        stage_init(&stage_b, 3);
        ploy_steering_source seek;
        CHECK_OK(r->plain != NULL ? ploy_seek_source(&stage_b.seek, &stage_b.point, NULL, &seek)
                                  : ploy_seek3_source(&stage_b.seek, &stage_b.point3, NULL, &seek));
        ploy_combine_def def = wide_def(PLOY_COMBINE_SUM);
        ploy_combination both;
        CHECK_OK(ploy_combination_init(&both, &def, NULL));
        CHECK_OK(ploy_combination_add(&both, "bad", source, 1.0f));
        CHECK_OK(ploy_combination_add(&both, "seek", seek, 1.0f));
        ploy_steering_source whole = ploy_combination_source(&both);
        request got = source_of(r, &whole, &c), want = source_of(r, &seek, &c);
        want.requested |= PLOY_STEERING_INVALID;
        CHECK(request_equal(got, want));
    }
}

TEST(a_source_of_the_plane_is_invalid_in_space_and_the_reverse) {
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        const row *r = &rows[k];
        t->row = r->name;
        stage_init(&stage_a, 3);
        ploy_steering_source source;
        CHECK_OK(r->make(&stage_a, &source));
        ploy_steering_context c = context_at(r, 3, 0);
        if (r->plain != NULL) {
            CHECK_UINT(ploy_steering_source_steer3(&source, &c).requested, PLOY_STEERING_INVALID);
        } else {
            CHECK_UINT(ploy_steering_source_steer(&source, &c).requested, PLOY_STEERING_INVALID);
        }
    }
}

TEST(missing_pointers_and_bad_parts_are_refused) {
    stage_init(&stage_a, 1);
    ploy_steering_source source;
    CHECK_INT(ploy_seek_source(&stage_a.seek, NULL, NULL, &source), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_seek_source(NULL, &stage_a.point, NULL, &source), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_seek_source(&stage_a.seek, &stage_a.point, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_avoid_obstacles_source(&stage_a.obstacle, NULL, 1, NULL, &source),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_avoid_obstacles_source(&stage_a.obstacle, stage_a.circles, -1, NULL, &source),
              PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_avoid_obstacles_source(&stage_a.obstacle, NULL, 0, NULL, &source));
    CHECK_INT(ploy_crowd_source(NULL, NULL, &source), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_seek_source(&stage_a.seek, &stage_a.point, NULL, &source));
    ploy_combine_def def = ploy_combine_def_default();
    ploy_combination mind;
    def.epsilon = NAN;
    CHECK_INT(ploy_combination_init(&mind, &def, NULL), PLOY_ERR_ARGUMENT);
    ploy_steering_context c = context_at(&rows[0], 1, 0);
    CHECK_UINT(ploy_combine(&mind, &c).requested, PLOY_STEERING_INVALID);
    def = ploy_combine_def_default();
    CHECK_OK(ploy_combination_init(&mind, &def, NULL));
    CHECK_INT(ploy_combination_add(&mind, NULL, source, 1.0f), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_combination_add(&mind, "", source, 1.0f), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_combination_add(&mind, "a", source, NAN), PLOY_ERR_ARGUMENT);
    ploy_steering_source none = ploy_steering_source_make(NULL, NULL);
    CHECK_INT(ploy_combination_add(&mind, "a", none, 1.0f), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_combination_add(&mind, "a", source, 1.0f));
    CHECK_INT(ploy_combination_add(&mind, "a", source, 1.0f), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_combination_switch(&mind, "b", false), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ployi_combination_weigh(&mind, "b", 1.0f), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ployi_combination_weigh(&mind, "a", INFINITY), PLOY_ERR_ARGUMENT);
    // Switched off it requests nothing; weighed, as much as its weight.
    ploy_steering full = ploy_combine(&mind, &c);
    CHECK_OK(ployi_combination_weigh(&mind, "a", 0.5f));
    CHECK_NEAR(ploy_combine(&mind, &c).linear.x, 0.5 * (double)full.linear.x, 1e-6);
    CHECK_OK(ploy_combination_switch(&mind, "a", false));
    CHECK_UINT(ploy_combine(&mind, &c).requested, 0);
    CHECK_OK(ploy_combination_switch(&mind, "a", true));
    CHECK_UINT(ploy_combine(&mind, &c).requested, PLOY_STEERING_REQUESTED);
    // A group that does not exist is an error and not a part that is silently left out.
    ploy_combination_part(&mind, "a")->group = PLOY_COMBINE_GROUPS;
    CHECK_UINT(ploy_combine(&mind, &c).requested, PLOY_STEERING_INVALID);
    ploy_combination_part(&mind, "a")->group = 0;
    static const char *const names[] = {"b", "c", "d", "e", "f", "g", "h", "i",
                                        "j", "k", "l", "m", "n", "o", "p", "q"};
    for (int32_t i = 0; i + 1 < PLOY_COMBINE_PARTS_MAX; i++) {
        CHECK_OK(ploy_combination_add(&mind, names[i], source, 1.0f));
    }
    CHECK_INT(ploy_combination_add(&mind, names[15], source, 1.0f), PLOY_ERR_CAPACITY);
}

TEST(a_combination_describes_and_records_its_parts) {
    stage_init(&stage_a, 1);
    ploy_steering_source seek, wander;
    CHECK_OK(ploy_seek_source(&stage_a.seek, &stage_a.point, NULL, &seek));
    CHECK_OK(ploy_wander_source(&stage_a.wander, &stage_a.drift, NULL, &wander));
    ploy_combine_def def = ploy_combine_def_default();
    ploy_combination mind;
    CHECK_OK(ploy_combination_init(&mind, &def, NULL));
    CHECK_OK(ploy_combination_add(&mind, "goal", seek, 0.5f));
    CHECK_OK(ploy_combination_add(&mind, "about", wander, 1.0f));
    ploy_steering3 requests[PLOY_COMBINE_PARTS_MAX];
    mind.requests = requests;
    ploy_steering_context c = context_at(&rows[0], 1, 0);
    ploy_combine(&mind, &c);
    ploy_steering alone = ploy_seek(&stage_a.seek, c.agent, stage_a.point);
    CHECK_SAME(requests[0].linear.x, alone.linear.x); // before its weight
    CHECK_UINT(requests[1].requested, PLOY_STEERING_REQUESTED);
    CHECK_OK(ploy_combination_switch(&mind, "about", false));
    ploy_combine(&mind, &c);
    CHECK_UINT(requests[1].requested, 0);
    ploy_steering_source whole = ploy_combination_source(&mind);
    uint64_t hashes[4];
    for (int i = 0; i < 4; i++) {
        ploy_hash_sink sink;
        ploy_hash_sink_init(&sink);
        ploy_describe describe = ploy_hash_sink_describe(&sink);
        if (i == 1) mind.parts[0].weight = 0.75f;
        if (i == 2) mind.parts[1].off = false;
        if (i == 3) stage_a.drift = 2.0f; // of a source, below it
        ploy_steering_source_describe(&whole, &describe);
        hashes[i] = ploy_hash_sink_result(&sink);
        for (int k = 0; k < i; k++) CHECK(hashes[k] != hashes[i]);
    }
}

// ---- random streams ----

TEST(a_wander_that_is_dithered_still_drifts_to_both_sides) {
    // STE-25: the draw that decides whether a part runs is not the one that it steers by.
    stage_init(&stage_a, 1);
    stage_a.wander.pace = PLOY_WANDER_PER_STEP;
    stage_a.wander.drift_rate = 0.5f;
    ploy_steering_source wander;
    CHECK_OK(ploy_wander_source(&stage_a.wander, &stage_a.drift, NULL, &wander));
    ploy_combine_def def = wide_def(PLOY_COMBINE_DITHER);
    ploy_combination mind;
    CHECK_OK(ploy_combination_init(&mind, &def, NULL));
    CHECK_OK(ploy_combination_add(&mind, "wander", wander, 1.0f));
    ploy_combination_part(&mind, "wander")->probability = 0.5f;
    ploy_steering_context c = context_at(&rows[0], 1, 0);
    double sum = 0.0;
    int32_t steps = 0;
    for (c.tick = 0; c.tick < 20000; c.tick++) {
        stage_a.drift = 0.0f;
        if (ploy_combine(&mind, &c).requested == 0) continue;
        sum += (double)stage_a.drift;
        steps++;
    }
    CHECK_NEAR((double)steps, 10000.0, 300.0);
    CHECK_NEAR(sum / (double)steps, 0.0, 0.01); // it was -0.08
}

static ploy_steering count_steer(const ploy_steering_source *source,
                                 const ploy_steering_context *context) {
    (void)context;
    ++*(int32_t *)source->state;
    return ploy_steering_make(ploy_vec2_make(1.0f, 0.0f), 0.0f);
}

TEST(dithers_inside_dithers_draw_for_themselves) {
    static const ploy_steering_type type = {"count", count_steer, NULL, NULL, 0, false, false};
    int32_t counts[2] = {0, 0};
    ploy_combine_def def = wide_def(PLOY_COMBINE_DITHER);
    ploy_combination inner, outer;
    CHECK_OK(ploy_combination_init(&inner, &def, NULL));
    CHECK_OK(ploy_combination_init(&outer, &def, NULL));
    CHECK_OK(
        ploy_combination_add(&inner, "first", ploy_steering_source_make(&type, &counts[0]), 1));
    CHECK_OK(
        ploy_combination_add(&inner, "second", ploy_steering_source_make(&type, &counts[1]), 1));
    CHECK_OK(ploy_combination_add(&outer, "inner", ploy_combination_source(&inner), 1));
    ploy_combination_part(&inner, "first")->probability = 0.5f;
    ploy_combination_part(&outer, "inner")->probability = 0.5f;
    ploy_steering_context c = context_at(&rows[0], 1, 0);
    for (c.tick = 0; c.tick < 20000; c.tick++) ploy_combine(&outer, &c);
    CHECK_NEAR((double)counts[0], 5000.0, 300.0); // it was all of them
    CHECK_NEAR((double)counts[1], 5000.0, 300.0);
}

// ---- the pipeline in space ----

TEST(a_pipeline_in_space_goes_round_a_ball_and_stays_in_its_box) {
    ploy_steering_goal goal = ploy_steering_goal3_at(ploy_vec3_make(20, 0, 5));
    ploy_keep_out ball = {{10, 0, 2.5f}, 3.0f, 1.3f};
    ploy_keep_in box = {{-5, -10, 0}, {25, 10, 8}};
    ploy_plain_actuator plain = ploy_plain_actuator_default();
    ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&plain));
    CHECK_OK(ploy_pipeline_add_targeter(&pipeline, ploy_goal_targeter(&goal)));
    CHECK_OK(ploy_pipeline_add_constraint(&pipeline, ploy_keep_out_constraint(&ball)));
    CHECK_OK(ploy_pipeline_add_constraint(&pipeline, ploy_keep_in_constraint(&box)));
    ploy_steering_source source = ploy_pipeline_source(&pipeline);
    ploy_integrate_def law = ploy_integrate_def_default();
    ploy_rng_key key = ploy_rng_key_make(1);
    ploy_steering_context c = ploy_steering_context3_make(
        ploy_kinematic3_make(ploy_vec3_zero()), ploy_agent_id_make(1, 1), 1.0f / 60.0f, 0, key);
    float gap = INFINITY;
    for (int i = 0; i < 60 * 15; i++) {
        ploy_steering3 steering = ploy_steering_source_steer3(&source, &c);
        c.agent3 = ploy_integrate3(&law, c.agent3, steering, c.dt);
        gap = fminf(gap, ploy_vec3_distance(c.agent3.position, ball.centre) - ball.radius);
    }
    CHECK(gap > -0.2f);
    CHECK_NEAR(ploy_vec3_distance(c.agent3.position, goal.position), 0.0, 0.2);
    // Out of the box the goal is held back.
    goal.position.z = 30.0f;
    ploy_pipeline_report report;
    ploy_pipeline_steer3(&pipeline, &c, &report);
    CHECK_NEAR(report.goal.position.z, 8.0, 1e-5);
    // An actuator of the plane has no request in space, and says so.
    ploy_motor_actuator motor = ploy_motor_actuator_of(PLOY_MOTOR_CAR);
    pipeline.actuator = ploy_motor_actuator_make(&motor);
    CHECK_UINT(ploy_pipeline_steer3(&pipeline, &c, NULL).requested, PLOY_STEERING_INVALID);
}

// Behaviors of the table that are not sources: made of others, or no request of an acceleration.
TEST(every_behavior_of_the_table_has_a_source) {
    static const struct {
        const char *behavior, *source;
    } names[] = {
        {"seek full", "seek"},           {"intercept exact", "intercept"},
        {"path rabbit", "path follow"},  {"path predictive", "path follow"},
        {"path tube", "path follow"},    {"flock inverse square", "flock"},
        {"flock linear", "flock"},       {"flow", "flow follow"},
        {"walls single", "avoid walls"}, {"walls parallel", "avoid walls"},
        {"walls fan", "avoid walls"},    {"walls swept", "avoid walls swept"},
        {"formation slot", "arrive"},    {"pursue relative", "pursue"},
        {"evade relative", "evade"},
    };
    static const char *const others[] = {
        "pipeline",     "combine sum", "combine running sum", "combine priority",
        "motor filter", "errand",
        "orca", // ploy_pipeline_source and its like; ploy_crowd_source
        "motor human",  "motor car",   "motor motorbike",
        "motor tank", // controls: the motor actuator
        "moves",
        "maneuver", // lists that are played back
        "context",      "pass by",
        "agitate" // directions, for a request of another's
    };
    for (size_t b = 0; b < COUNT_OF(behaviors); b++) {
        t->row = behaviors[b].name;
        const char *wanted = behaviors[b].name;
        bool found = false;
        for (size_t i = 0; i < COUNT_OF(names); i++) {
            if (strcmp(names[i].behavior, wanted) == 0) wanted = names[i].source;
        }
        for (size_t i = 0; i < COUNT_OF(others); i++) found |= strcmp(others[i], wanted) == 0;
        bool plane = found, space = found || behaviors[b].one3 == NULL;
        for (size_t k = 0; k < COUNT_OF(rows) && !found; k++) {
            stage_init(&stage_a, 1);
            ploy_steering_source source;
            CHECK_OK(rows[k].make(&stage_a, &source));
            if (strcmp(source.type->name, wanted) != 0) continue;
            plane = plane || rows[k].plain != NULL;
            space = space || rows[k].plain3 != NULL;
        }
        CHECK(plane);
        CHECK(space);
    }
}
