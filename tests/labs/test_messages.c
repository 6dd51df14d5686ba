// The lab `messages`: clicks write, shout, build and let people leave; the clock sends them to bed;
// it rewinds to the same bytes and allocates nothing in a step.
#include "labs/labs.h"
#include "tests/labs/lab_test.h"

static ploy_sim *messages_start(test_context *t, const char *click, const ploy_env *env) {
    const ploy_sim_type *type = ploy_sim_type_find(ploy_labs(), "messages", NULL);
    static unsigned char params[1024];
    CHECK(type->fields().size <= sizeof params);
    ploy_fields_default(type->fields(), params);
    CHECK_OK(ploy_fields_set_text(type->fields(), params, "click", click, NULL));
    ploy_sim_def def = ploy_sim_def_default();
    def.seed = 7;
    ploy_sim *sim = NULL;
    CHECK_OK(ploy_sim_create(&def, type, params, NULL, env, &sim));
    return sim;
}

static void messages_do(test_context *t, ploy_sim *sim, const char *name, float x, float y) {
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_COMMAND;
    input.name = name;
    input.value = strcmp(name, "click") == 0 ? ploy_value_vec2(x, y) : ploy_value_none();
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
}

// What is described, as far as the tests ask for it.
typedef struct messages_seen {
    int64_t people, sent, waits, handled, unhandled, purged, shouts;
    bool night;
    char group[64];
} messages_seen;

static void messages_seen_begin(void *user, const char *name, ploy_id owner) {
    messages_seen *seen = user;
    (void)owner;
    snprintf(seen->group, sizeof seen->group, "%s", name);
}
static void messages_seen_end(void *user) {
    (void)user;
}
static void messages_seen_value(void *user, const char *name, ploy_mark mark,
                                const ploy_value *value) {
    messages_seen *seen = user;
    (void)mark;
    static const struct {
        const char *group, *name;
        size_t offset;
    } wanted[] = {
        {"people", "count", offsetof(messages_seen, people)},
        {"counts", "sent", offsetof(messages_seen, sent)},
        {"counts", "waits", offsetof(messages_seen, waits)},
        {"counts", "handled", offsetof(messages_seen, handled)},
        {"counts", "unhandled", offsetof(messages_seen, unhandled)},
        {"counts", "purged", offsetof(messages_seen, purged)},
        {"state", "shouts heard", offsetof(messages_seen, shouts)},
    };
    if (strcmp(name, "night") == 0) seen->night = value->as.b;
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        if (strcmp(seen->group, wanted[i].group) != 0 || strcmp(name, wanted[i].name) != 0)
            continue;
        memcpy((char *)seen + wanted[i].offset, &value->as.i64, sizeof value->as.i64);
    }
}

static messages_seen messages_look(const ploy_sim *sim) {
    messages_seen seen;
    memset(&seen, 0, sizeof seen);
    ploy_describe out = {messages_seen_begin, messages_seen_end, messages_seen_value, &seen};
    ploy_sim_describe(sim, &out);
    return seen;
}

TEST(people_write_and_answer_until_night) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = messages_start(t, "write", &env);
    CHECK_INT(messages_look(sim).people, 12);
    for (int32_t i = 0; i < 600; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL)); // 8 to 18 h
    messages_seen day = messages_look(sim);
    CHECK(day.sent > 20 && day.handled > 5 && !day.night);
    CHECK_INT(day.unhandled, 0);
    CHECK_INT(day.sent, day.waits + day.handled);
    for (int32_t i = 0; i < 180; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL)); // 21 h
    CHECK(messages_look(sim).night);
    for (int32_t i = 0; i < 300; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL)); // 2 h
    messages_seen night = messages_look(sim);
    CHECK(night.night && night.unhandled > 0);
    messages_do(t, sim, "noon", 0, 0); // back to a day's middle
    CHECK(!messages_look(sim).night);
    messages_do(t, sim, "dusk", 0, 0); // by hand
    CHECK(messages_look(sim).night);
    ploy_sim_destroy(sim);
}

TEST(clicks_in_the_village_do_what_the_parameter_says) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = messages_start(t, "write", &env);
    messages_do(t, sim, "click", 8, 0);
    CHECK(messages_look(sim).sent >= 11); // to everybody else
    ploy_sim_destroy(sim);
    sim = messages_start(t, "shout", &env);
    messages_do(t, sim, "click", 8, 0);
    CHECK(messages_look(sim).shouts > 0 && messages_look(sim).shouts < 12);
    messages_do(t, sim, "click", -1e9f, 1e9f); // held within reach, and nobody near
    ploy_sim_destroy(sim);
    sim = messages_start(t, "build", &env);
    for (int32_t i = 0; i < 60; i++) messages_do(t, sim, "click", (float)i - 30, 3);
    CHECK_INT(messages_look(sim).people, 48); // and no more
    ploy_sim_destroy(sim);
    sim = messages_start(t, "leave", &env);
    for (int32_t i = 0; i < 300; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
    for (int32_t i = 0; i < 20; i++) {
        messages_do(t, sim, "click", 8, 0);
        CHECK_INT(messages_look(sim).people, i < 12 ? 11 - i : 0);
    }
    CHECK(messages_look(sim).purged > 0);
    CHECK_INT(messages_look(sim).waits, 0);
    ploy_sim_destroy(sim);
}

TEST(messages_rewind_to_the_same_bytes_and_allocate_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = messages_start(t, "write", &env);
    messages_do(t, sim, "click", 8, 0);
    for (int32_t i = 0; i < 50; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
    int64_t calls = counts.calls;
    for (int32_t i = 0; i < 50; i++) messages_do(t, sim, "click", (float)i, 1);
    CHECK_INT(counts.calls, calls);
    lab_check_rewind(t, sim, 900);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}
