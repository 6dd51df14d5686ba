// The visitors of move: coverage, save and load, memory, short memory.
#include "geom/geom_internal.h"
#include "move/move_internal.h"
#include "tests/state.h"

#include "ploy/exec/path_service.h"
#include "ploy/move/arrive.h"
#include "ploy/move/combine.h"
#include "ploy/move/errand.h"
#include "ploy/move/feelers.h"
#include "ploy/move/formation.h"
#include "ploy/move/jump.h"
#include "ploy/move/moves.h"
#include "ploy/move/overwatch.h"
#include "ploy/move/pipeline.h"
#include "ploy/move/reckon.h"
#include "ploy/move/wander.h"

// ---- plain structs

typedef struct plain_row {
    const char *name;
    ploy_visitor visit;
    void *object;
    const char *const *skip;
} plain_row;

TEST(plain_states_save_and_load) {
    ploy_kinematic agent = {{1, 2}, 0.5f, {3, 4}, 0.25f};
    ploy_kinematic3 agent3 = ploy_kinematic3_make(ploy_vec3_make(1, 2, 3));
    agent3.velocity = ploy_vec3_make(4, 5, 6);
    ploy_reckoning reckoning = {{1, 2}, {3, 4}, {0.5f, 0.25f}, 2.0f, 1.5f};
    ploy_maneuver_state maneuver = {2, 1, {5, 6}, 0.5f, -1.5f, true};
    ploy_feelers feelers;
    memset(&feelers, 0, sizeof feelers);
    feelers.side = -1;
    feelers.held = 1;
    feelers.hold_left = 0.5f;
    feelers.escape = ploy_vec2_make(0, 1);
    feelers.changes[2] = 3;
    feelers.left_free[1] = 0.5f;
    ploy_jump jump;
    memset(&jump, 0, sizeof jump);
    jump.phase = PLOY_JUMP_RUNNING;
    jump.point.accept = PLOY_JUMP_AT_LEAST;
    jump.point.take_off = ploy_vec3_make(1, 2, 3);
    jump.need.time = 0.5f;
    static const ploy_errand_stop stops[3] = {{{1, 1}, 1}, {{2, 2}, 1}, {{3, 3}, 1}};
    ploy_errand_def errand_def = ploy_errand_def_default();
    ploy_errand errand = ploy_errand_begin(&errand_def, stops, 3, ploy_vec2_make(9, 9));
    errand.next = 1;
    errand.waited = 0.5f;
    // What a jump needs is computed from what is described.
    static const char *const jump_skip[] = {"fail cost", "run up", NULL};
    const plain_row rows[] = {
        {"kinematic", ploy_kinematic_visit, &agent, NULL},
        {"kinematic3", ploy_kinematic3_visit, &agent3, NULL},
        {"reckoning", ploy_reckoning_visit, &reckoning, NULL},
        {"maneuver", ploy_maneuver_visit, &maneuver, NULL},
        {"feelers", ploy_feelers_visit, &feelers, NULL},
        {"jump", ploy_jump_visit, &jump, jump_skip},
        {"errand", ploy_errand_visit, &errand, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        state_check s = {rows[i].visit, rows[i].object, NULL, rows[i].skip, NULL};
        state_check_all(t, &s);
    }
    // Another number of stops is another errand.
    state_check s = {ploy_errand_visit, &errand, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    errand.stop_count = 2;
    ploy_env env = ploy_env_default();
    CHECK_INT(state_load(&s, text, &env, NULL), PLOY_ERR_FORMAT);
    free(text);
}

// ---- objects

typedef struct object_kind {
    const char *name;
    void *(*make)(const ploy_env *env, bool full);
    void (*destroy)(void *object);
    ploy_visitor visit;
    const char *const *skip, *const *refused;
} object_kind;

static void *make_wander(const ploy_env *env, bool full) {
    ploy_wander_def def = ploy_wander_def_default();
    ploy_wander *out = NULL;
    if (ploy_wander_create(&def, 5, env, &out) == PLOY_OK && full) {
        ployi_wander_scatter(out, ploy_rng_key_make(3));
        def.drift_rate = 7.0f;
        (void)ploy_wander_set_def(out, &def);
    }
    return out;
}

static void destroy_wander(void *object) {
    ploy_wander_destroy(object);
}

static void *make_wander3(const ploy_env *env, bool full) {
    ploy_wander_def def = ploy_wander_def_default();
    ploy_wander3 *out = NULL;
    if (ploy_wander3_create(&def, 4, env, &out) == PLOY_OK && full) {
        ployi_wander3_scatter(out, ploy_rng_key_make(4));
    }
    return out;
}

static void destroy_wander3(void *object) {
    ploy_wander3_destroy(object);
}

static void *make_formation(const ploy_env *env, bool full) {
    static const ploy_place places[4] = {{{1, 0}, 0}, {{0, 1}, 0}, {{-1, 0}, 0}, {{0, -1}, 0}};
    static const ploy_place_list list = {places, 4};
    ploy_formation_def def = ploy_formation_def_default();
    ploy_pattern pattern = ploy_pattern_list("four", &list);
    ploy_formation *out = NULL;
    def.capacity = 6;
    if (ploy_formation_create(&def, &pattern, env, &out) == PLOY_OK && full) {
        for (uint32_t i = 1; i <= 4; i++) {
            (void)ploy_formation_add(out, ploy_agent_id_make(i, 1), (int32_t)i);
        }
        (void)ploy_formation_remove(out, ploy_agent_id_make(2, 1));
        ploy_kinematic anchor = {{5, 6}, 0.5f, {1, 2}, 0.25f};
        (void)ploy_formation_set_anchor(out, anchor);
        (void)ploy_formation_step(out, 0.5f);
    }
    return out;
}

static void destroy_formation(void *object) {
    ploy_formation_destroy(object);
}

static void *make_overwatch(const ploy_env *env, bool full) {
    // The near ones are not neighbours in the list, so that each can change alone.
    static const ploy_vec2 at[9] = {{0, 0},  {90, 0}, {1, 0},  {91, 0}, {2, 0},
                                    {92, 0}, {3, 0},  {93, 0}, {94, 0}};
    ploy_overwatch_def def = ploy_overwatch_def_default();
    ploy_overwatch *out = NULL;
    if (ploy_overwatch_create(&def, env, &out) == PLOY_OK && full) {
        ploy_points points = ploy_points_make(at, 9);
        (void)ploy_overwatch_step(out, ploy_vec2_make(4, 0), &points, NULL);
    }
    return out;
}

static void destroy_overwatch(void *object) {
    ploy_overwatch_destroy(object);
}

static ploy_result bend_request(void *user, const ploy_path_request *request,
                                ploy_path_ticket *out) {
    (void)user, (void)request;
    out->id = ploy_id_make(0, 1);
    return PLOY_OK;
}

static ploy_result bend_poll(void *user, ploy_path_ticket ticket, ploy_path *path,
                             ploy_path_outcome *outcome) {
    static const ploy_vec2 points[4] = {{0, 0}, {3, 0}, {3, 4}, {9, 9}};
    (void)user, (void)ticket;
    *outcome = PLOY_PATH_FOUND;
    return ployi_path_set(path, points, 4);
}

static ploy_result bend_cancel(void *user, ploy_path_ticket ticket) {
    (void)user, (void)ticket;
    return PLOY_OK;
}

static void *make_route(const ploy_env *env, bool full) {
    ploy_route_def def = ploy_route_def_default();
    ploy_path_service service = {bend_request, bend_poll, bend_cancel, NULL,
                                 NULL,         NULL,      NULL,        NULL};
    ploy_route *out = NULL;
    if (ploy_route_create(&def, &service, env, &out) == PLOY_OK && full) {
        ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(1, 0), 0.0f);
        ploy_steering_context context = ploy_steering_context_make(agent, ploy_agent_id_make(1, 1),
                                                                   0.1f, 1, ploy_rng_key_make(1));
        ploy_decomposer decomposer = ploy_route_decomposer(out);
        ploy_steering_goal goal = ploy_steering_goal_none();
        goal.position = ploy_vec3_make(9, 9, 0);
        goal.has = PLOY_GOAL_POSITION;
        (void)decomposer.decompose(decomposer.user, &context, goal); // requests
        (void)decomposer.decompose(decomposer.user, &context, goal); // has the path
    }
    return out;
}

static void destroy_route(void *object) {
    ploy_route_destroy(object);
}

static const char *const direction[] = {"direction", NULL};
// Members and slots are checked together; a flip of one alone does not fit.
static const char *const members[] = {"slots", "members", "id", "slot", NULL};
static const char *const closing[] = {"closing set", "closed", NULL};
static const object_kind kinds[] = {
    {"wander", make_wander, destroy_wander, ploy_wander_visit, NULL, NULL},
    {"wander3", make_wander3, destroy_wander3, ploy_wander3_visit, NULL, direction},
    {"formation", make_formation, destroy_formation, ploy_formation_visit, members, NULL},
    {"overwatch", make_overwatch, destroy_overwatch, ploy_overwatch_visit, NULL, NULL},
    {"route", make_route, destroy_route, ploy_route_visit, closing, NULL},
};

TEST(objects_save_load_and_report_their_memory) {
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        const object_kind *kind = &kinds[i];
        test_counts counts = {0, 0, 0};
        ploy_env env = test_counting_env(&counts);
        void *object = kind->make(&env, true);
        CHECK(object != NULL);
        state_check s = {kind->visit, object, NULL, kind->skip, kind->refused};
        state_check_memory(t, &s, &counts);
        state_check_all(t, &s);
        void *other = kind->make(&env, false);
        state_check_copy(t, &s, other);
        kind->destroy(other);
        kind->destroy(object);
        CHECK_INT(counts.bytes, 0);
    }
}

typedef struct short_case {
    const object_kind *kind;
    const char *text;
} short_case;

static ploy_result short_body(const ploy_env *env, void *arg) {
    const short_case *it = arg;
    void *object = it->kind->make(env, false);
    if (object == NULL) return PLOY_ERR_MEMORY;
    state_check s = {it->kind->visit, object, NULL, NULL, NULL};
    uint64_t before = state_hash(&s);
    ploy_result result = state_load(&s, it->text, env, NULL);
    if (result != PLOY_OK && state_hash(&s) != before) result = PLOY_ERR_STATE;
    it->kind->destroy(object);
    return result;
}

TEST(loads_survive_short_memory) {
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        void *full = kinds[i].make(&env, true);
        state_check s = {kinds[i].visit, full, NULL, NULL, NULL};
        char *text = state_save(t, &s);
        short_case it = {&kinds[i], text};
        CHECK_FAIL_NTH(short_body, &it);
        free(text);
        kinds[i].destroy(full);
    }
}

// ---- sources

TEST(a_combination_saves_the_state_of_its_parts) {
    ploy_env env = ploy_env_default();
    float drift = 0.5f, inner_drift = 0.25f;
    ploy_vec2 target = {3, 4};
    ploy_wander_def wander = ploy_wander_def_default();
    ploy_arrive_def arrive = ploy_arrive_def_default();
    ploy_combine_def def = ploy_combine_def_default();
    ploy_combination inner, outer;
    CHECK_OK(ploy_combination_init(&inner, &def, &env));
    CHECK_OK(ploy_combination_init(&outer, &def, &env));
    ploy_steering_source source;
    CHECK_OK(ploy_wander_source(&wander, &inner_drift, &env, &source));
    CHECK_OK(ploy_combination_add(&inner, "stroll", source, 1.0f));
    CHECK_OK(ploy_wander_source(&wander, &drift, &env, &source));
    CHECK_OK(ploy_combination_add(&outer, "wander", source, 0.75f));
    CHECK_OK(ploy_arrive_source(&arrive, &target, &env, &source));
    CHECK_OK(ploy_combination_add(&outer, "settings", source, 0.5f)); // no clash with the key
    source = ploy_combination_source(&inner);
    CHECK_OK(ploy_combination_add(&outer, "inner", source, 0.25f));
    state_check s = {ploy_combination_visit, &outer, NULL, NULL, NULL};
    state_check_all(t, &s);
    char *text = state_save(t, &s);
    uint64_t hash = state_hash(&s);
    drift = inner_drift = 0.0f;
    CHECK_OK(ploy_combination_switch(&outer, "inner", false));
    CHECK(state_hash(&s) != hash);
    CHECK_OK(state_load(&s, text, &env, NULL));
    CHECK_UINT(state_hash(&s), hash);
    CHECK_NEAR(drift, 0.5, 0);
    CHECK_NEAR(inner_drift, 0.25, 0);
    // A part of another behavior is another combination.
    CHECK_OK(ploy_arrive_source(&arrive, &target, &env, &outer.parts[0].source));
    CHECK_INT(state_load(&s, text, &env, NULL), PLOY_ERR_FORMAT);
    free(text);
}
