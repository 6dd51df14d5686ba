// The lab `market`: detail follows the camera, nobody turns in mid-stride unless told to, it rewinds
// to the same bytes and allocates nothing in a step.
#include "labs/labs.h"
#include "tests/labs/lab_test.h"

static const ploy_sim_type *market_type(void) {
    return ploy_sim_type_find(ploy_labs(), "market", NULL);
}

static ploy_sim *market_start(test_context *t, const char *tour, const char *carry,
                              const ploy_env *env) {
    const ploy_sim_type *type = market_type();
    static unsigned char params[1024];
    CHECK(type->fields().size <= sizeof params);
    ploy_fields_default(type->fields(), params);
    CHECK_OK(ploy_fields_set_text(type->fields(), params, "tour", tour, NULL));
    CHECK_OK(ploy_fields_set_text(type->fields(), params, "carry", carry, NULL));
    CHECK_OK(ploy_fields_set_text(type->fields(), params, "camera_speed", "20", NULL));
    ploy_sim_def def = ploy_sim_def_default();
    def.seed = 7;
    ploy_sim *sim = NULL;
    CHECK_OK(ploy_sim_create(&def, type, params, NULL, env, &sim));
    return sim;
}

static void market_send(test_context *t, ploy_sim *sim, float x, float y, int32_t ticks) {
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_COMMAND;
    input.name = "camera";
    input.value = ploy_value_vec2(x, y);
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
    lab_run(t, sim, ticks);
}

// What the lab says of itself.
typedef struct market_seen {
    int64_t figures, walkers, people, turned, units;
    bool levels;
} market_seen;

static void market_seen_begin(void *user, const char *name, ploy_id owner) {
    market_seen *seen = user;
    (void)owner;
    if (strcmp(name, "levels") == 0) seen->levels = true;
}
static void market_seen_end(void *user) {
    ((market_seen *)user)->levels = false;
}
static void market_seen_value(void *user, const char *name, ploy_mark mark,
                              const ploy_value *value) {
    market_seen *seen = user;
    (void)mark;
    if (value->type != PLOY_VALUE_I64) return;
    if (seen->levels && strcmp(name, "figures") == 0) seen->figures = value->as.i64;
    if (seen->levels && strcmp(name, "walkers") == 0) seen->walkers = value->as.i64;
    if (seen->levels && strcmp(name, "people") == 0) seen->people = value->as.i64;
    if (strcmp(name, "turned") == 0) seen->turned = value->as.i64;
    if (strcmp(name, "units") == 0) seen->units = value->as.i64;
}

static market_seen market_look(const ploy_sim *sim) {
    market_seen seen;
    memset(&seen, 0, sizeof seen);
    ploy_describe out = {market_seen_begin, market_seen_end, market_seen_value, &seen};
    ploy_sim_describe(sim, &out);
    return seen;
}

TEST(detail_follows_the_camera) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = market_start(t, "false", "true", &env);
    market_send(t, sim, 0, 0, 600);
    market_seen middle = market_look(sim);
    CHECK(middle.people >= 1);
    CHECK_INT(middle.people + middle.walkers + middle.figures, 15);
    market_send(t, sim, -5000, 0, 8000);
    market_seen away = market_look(sim);
    CHECK_INT(away.figures, 15); // nobody is left to be simulated
    CHECK(away.units * 20 < middle.units);
    market_send(t, sim, -30, 0, 8000);
    CHECK(market_look(sim).people >= 1);
    ploy_sim_destroy(sim);
}

// EXE-18: no turning in mid-stride; without the hand-over there is.
TEST(nobody_turns_in_mid_stride_unless_nothing_is_carried) {
    ploy_env env = ploy_env_default();
    for (int32_t carry = 0; carry < 2; carry++) {
        t->row = carry != 0 ? "carried" : "not carried";
        ploy_sim *sim = market_start(t, "true", carry != 0 ? "true" : "false", &env);
        lab_run(t, sim, 900);
        if (carry != 0) {
            CHECK_INT(market_look(sim).turned, 0);
        } else {
            CHECK(market_look(sim).turned > 20);
        }
        ploy_sim_destroy(sim);
    }
}

TEST(market_rewinds_to_the_same_bytes_and_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = market_start(t, "true", "true", &env);
    lab_run(t, sim, 100);
    int64_t calls = counts.calls;
    lab_run(t, sim, 300);
    CHECK_INT(counts.calls, calls);
    lab_check_rewind(t, sim, 200);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(market_create_survives_every_failing_allocation) {
    static char name[] = "market";
    CHECK_FAIL_NTH(lab_create, name);
}
