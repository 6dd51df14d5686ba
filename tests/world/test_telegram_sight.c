// Every telegram's life, told.
#include "ploy/world/telegram.h"
#include "tests/state.h"
#include "tests/world/world_test.h"
#include "world/world_internal.h"

static ploy_result sight_receive(void *user, const ploy_message *message, bool *handled) {
    (void)user;
    *handled = message->kind.hash == ploy_name_of("known").hash;
    return PLOY_OK;
}

static ploy_telegrams *sight_start(test_context *t, int32_t log) {
    ploy_env env = ploy_env_default();
    ploy_telegrams_def def = ploy_telegrams_def_default();
    def.log = log;
    ploy_telegrams *telegrams = NULL;
    CHECK_OK(ploy_telegrams_create(&def, &env, &telegrams));
    ploy_telegrams_set_receiver(telegrams, sight_receive, NULL);
    return telegrams;
}

static ploy_telegram_id sight_send(test_context *t, ploy_telegrams *telegrams, const char *kind,
                                   double delay) {
    ploy_message message =
        ploy_message_make(ploy_agent_id_make(1, 1), ploy_agent_id_make(2, 1), ploy_name_of(kind));
    ploy_telegram_id id;
    CHECK_OK(ploy_telegrams_send(telegrams, &message, delay, &id));
    return id;
}

TEST(a_life_is_told_from_sending_to_its_end) {
    ploy_telegrams *telegrams = sight_start(t, 8);
    ploy_telegram_life life;
    CHECK(!ploy_telegrams_life(telegrams, 0, &life));
    ploy_telegram_id waits = sight_send(t, telegrams, "known", 2);
    sight_send(t, telegrams, "strange", 1);
    ploy_telegram_id taken = sight_send(t, telegrams, "known", 3);
    CHECK(ploy_telegrams_cancel(telegrams, taken));
    CHECK_OK(ploy_telegrams_step(telegrams, 1.5, NULL, NULL, NULL));
    CHECK_INT(ploy_telegrams_life_count(telegrams), 3);
    static const ploy_telegram_fate want[] = {PLOY_TELEGRAM_CANCELLED, PLOY_TELEGRAM_UNHANDLED,
                                              PLOY_TELEGRAM_WAITS};
    for (int32_t age = 0; age < 3; age++) {
        CHECK(ploy_telegrams_life(telegrams, age, &life));
        CHECK_INT(life.fate, want[age]);
        CHECK_UINT(life.order, 2 - age);
        CHECK_NEAR(life.sent, 0, 0);
    }
    double sent = -1;
    CHECK(ploy_telegrams_sent_at(telegrams, waits, &sent));
    CHECK_NEAR(sent, 0, 0);
    CHECK_NEAR(ploy_telegrams_get(telegrams, waits)->due, 2, 0);
    CHECK_OK(ploy_telegrams_step(telegrams, 2, NULL, NULL, NULL));
    CHECK(ploy_telegrams_life(telegrams, 2, &life));
    CHECK_INT(life.fate, PLOY_TELEGRAM_HANDLED);
    CHECK_NEAR(life.ended, 2, 0);
    CHECK(ploy_telegrams_get(telegrams, waits) == NULL);
    CHECK(!ploy_telegrams_sent_at(telegrams, waits, &sent));
    ploy_telegrams_destroy(telegrams);
}

TEST(an_end_is_told_even_if_the_beginning_was_forgotten) {
    ploy_telegrams *telegrams = sight_start(t, 2);
    sight_send(t, telegrams, "known", 1);
    for (int32_t i = 0; i < 5; i++) sight_send(t, telegrams, "strange", 5);
    CHECK_OK(ploy_telegrams_step(telegrams, 1, NULL, NULL, NULL));
    ploy_telegram_life life;
    CHECK(ploy_telegrams_life(telegrams, 0, &life));
    CHECK_UINT(life.order, 0);
    CHECK_INT(life.fate, PLOY_TELEGRAM_HANDLED);
    ploy_telegrams_destroy(telegrams);
    telegrams = sight_start(t, 0); // without a log everything else is the same
    sight_send(t, telegrams, "known", 0);
    CHECK_INT(ploy_telegrams_life_count(telegrams), 0);
    CHECK_INT(ployi_telegrams_counts_of(telegrams).fates[PLOY_TELEGRAM_HANDLED], 1);
    ploy_telegrams_destroy(telegrams);
}

static uint64_t sight_hash(const ploy_telegrams *telegrams) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_telegrams_describe(telegrams, NULL, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(the_hash_sees_the_queue_and_not_the_log) {
    ploy_telegrams *one = sight_start(t, 0), *two = sight_start(t, 32);
    sight_send(t, one, "known", 1);
    sight_send(t, two, "known", 1);
    CHECK_UINT(sight_hash(one), sight_hash(two));
    ploy_telegram_id id = sight_send(t, one, "known", 2);
    CHECK(sight_hash(one) != sight_hash(two));
    sight_send(t, two, "known", 2);
    CHECK_UINT(sight_hash(one), sight_hash(two));
    ploy_telegrams_cancel(one, id);
    CHECK(sight_hash(one) != sight_hash(two));
    ploy_telegrams_destroy(one);
    ploy_telegrams_destroy(two);
}

TEST(every_fate_has_a_text) {
    for (int32_t i = 0; i < PLOY_TELEGRAM_FATE_COUNT; i++) {
        CHECK(strcmp(ploy_telegram_fate_text((ploy_telegram_fate)i), "?") != 0);
    }
    CHECK_TEXT(ploy_telegram_fate_text(PLOY_TELEGRAM_FATE_COUNT), "?");
}

static int32_t agent_groups, agent_fates;
static void agent_begin(void *user, const char *name, ploy_id owner) {
    (void)user, (void)name, (void)owner;
    agent_groups++;
}
static void agent_end(void *user) {
    (void)user;
}
static void agent_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    ploy_id agent = *(ploy_id *)user;
    if (mark != PLOY_NOTE) agent_groups = -1000; // it must not count as state
    if (strcmp(name, "fate") == 0) agent_fates++;
    if (strcmp(name, "receiver") == 0 && !ploy_id_equal(value->as.id, agent)) agent_groups = -1000;
}

TEST(an_agent_tells_the_last_telegrams_that_it_sent_or_got) {
    ploy_telegrams *telegrams = sight_start(t, 8);
    for (int32_t i = 0; i < 5; i++) sight_send(t, telegrams, "known", i);
    ploy_telegram_life life;
    CHECK(ploy_telegrams_life(telegrams, 0, &life));
    ploy_id agent = life.receiver.id;
    ploy_describe out = {agent_begin, agent_end, agent_value, &agent};
    static const struct { int32_t most, want; } rows[] = {{3, 3}, {8, 5}, {0, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        agent_groups = agent_fates = 0;
        ploy_telegrams_describe_agent(telegrams, life.receiver, rows[i].most, NULL, &out);
        CHECK_INT(agent_groups, rows[i].want);
        CHECK_INT(agent_fates, rows[i].want);
    }
    agent_groups = 0;
    ploy_telegrams_describe_agent(telegrams, ploy_agent_id_make(999, 1), 8, NULL, &out);
    CHECK_INT(agent_groups, 0);
    ploy_telegrams_describe_agent(NULL, life.receiver, 8, NULL, &out);
    ploy_telegrams_destroy(telegrams);
}

static const char *const telegram_skip[] = {"generation", "link",  "first_free", "records",
                                            "life",       "noted", NULL};

static ploy_telegrams *telegrams_full(test_context *t, const ploy_env *env, uint64_t seed) {
    ploy_telegrams_def def = ploy_telegrams_def_default();
    def.duplicate_window = 0.25f;
    def.capacity = 4;
    ploy_telegrams *telegrams = NULL;
    CHECK_OK(ploy_telegrams_create(&def, env, &telegrams));
    ploy_rng rng = ploy_rng_make(seed);
    ploy_telegram_id first = {{0, 0}};
    for (uint32_t i = 0; i < 12; i++) {
        ploy_message message =
            ploy_message_make(ploy_agent_id_make(i % 3 + 1, 1), ploy_agent_id_make(i % 4 + 1, 2),
                              ploy_name_of(i % 2 == 0 ? "shot" : "help"));
        CHECK_OK(ploy_message_set_payload(&message, &i, i % 2 == 0 ? sizeof i : 0));
        double delay = (double)ploy_rng_range(&rng, 0.5f, 3.0f);
        ploy_result result =
            ploy_telegrams_send(telegrams, &message, delay, i == 2 ? &first : NULL);
        CHECK(result == PLOY_OK || result == PLOY_ERR_EXISTS);
    }
    ploy_telegrams_cancel(telegrams, first);
    CHECK_OK(ploy_telegrams_step(telegrams, 1.0, NULL, NULL, NULL));
    return telegrams;
}

TEST(telegrams_save_and_load_what_waits) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_telegrams *telegrams = telegrams_full(t, &env, 1);
    state_check s = {ploy_telegrams_visit, telegrams, NULL, telegram_skip, NULL};
    state_check_memory(t, &s, &counts);
    state_check_all(t, &s);
    ploy_telegrams *other = telegrams_full(t, &env, 2);
    state_check_copy(t, &s, other);
    CHECK_INT(ploy_telegrams_waiting(other), ploy_telegrams_waiting(telegrams));
    for (double now = 1.0; now < 4.0; now += 0.125) { // both go on alike
        int32_t a = 0, b = 0;
        CHECK_OK(ploy_telegrams_step(telegrams, now, NULL, NULL, &a));
        CHECK_OK(ploy_telegrams_step(other, now, NULL, NULL, &b));
        CHECK_INT(a, b);
        ploy_telegrams_remind(telegrams, ploy_agent_id_make(1, 1), ploy_name_of("go"), 0.5, NULL);
        ploy_telegrams_remind(other, ploy_agent_id_make(1, 1), ploy_name_of("go"), 0.5, NULL);
        CHECK_UINT(ploy_visit_hash(ploy_telegrams_visit, other, NULL),
                   ploy_visit_hash(ploy_telegrams_visit, telegrams, NULL));
    }
    ploy_telegrams_destroy(telegrams);
    ploy_telegrams_destroy(other);
    CHECK_INT(counts.bytes, 0);
}

static ploy_result load_telegrams(const ploy_env *env, void *arg) {
    ploy_telegrams_def def = ploy_telegrams_def_default();
    def.duplicate_window = 0.25f;
    def.capacity = 0;
    ploy_telegrams *telegrams = NULL;
    ploy_result result = ploy_telegrams_create(&def, env, &telegrams);
    if (result == PLOY_OK) {
        state_check s = {ploy_telegrams_visit, telegrams, NULL, NULL, NULL};
        uint64_t before = state_hash(&s);
        result = state_load(&s, arg, env, NULL);
        if (result != PLOY_OK && state_hash(&s) != before) result = PLOY_ERR_STATE;
        // Whatever happened, it works.
        ploy_telegrams_cancel_all(telegrams, (ploy_telegram_filter){.receiver = {{2, 2}}});
        (void)ploy_telegrams_step(telegrams, 9.0, NULL, NULL, NULL);
    }
    ploy_telegrams_destroy(telegrams);
    return result;
}

TEST(telegrams_load_without_memory) {
    ploy_env env = ploy_env_default();
    ploy_telegrams *telegrams = telegrams_full(t, &env, 3);
    state_check s = {ploy_telegrams_visit, telegrams, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    CHECK_FAIL_NTH(load_telegrams, text);
    free(text);
    ploy_telegrams_destroy(telegrams);
}
