// What one sees of Simple Soccer: it rewinds, draws, describes, gives reasons.
#include "tests/games/game_test.h"

TEST(soccer_rewinds_to_the_same_bytes) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "soccer", NULL, &env);
    lab_run(t, sim, 500);
    CHECK(lab_drawn(sim) > 60);
    lab_check_rewind(t, sim, 1500);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

static void sight_person(test_context *t, ploy_sim *sim) {
    lab_command(t, sim, "take", ploy_value_none());
    lab_command(t, sim, "right", ploy_value_none());
    lab_run(t, sim, 60);
    lab_command(t, sim, "shoot", ploy_value_none());
    lab_send_at(t, sim, "go", 3.0f, 4.0f);
    lab_run(t, sim, 200);
    CHECK(lab_drawn(sim) > 60);
    lab_command(t, sim, "release", ploy_value_none());
    lab_run(t, sim, 100);
}

TEST(soccer_rewinds_with_a_person_in_it) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "soccer", NULL, &env);
    lab_run(t, sim, 100);
    lab_check_rewind_of(t, sim, sight_person);
    ploy_sim_destroy(sim);
}

TEST(soccer_create_survives_every_failing_allocation) {
    static char name[] = "soccer";
    CHECK_FAIL_NTH(lab_create, name);
}

typedef struct sight_topics {
    int32_t state, kick, pass, spot, supporter;
} sight_topics;

static void sight_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    sight_topics *topics = user;
    (void)agent;
    (void)technique;
    topics->state += strcmp(topic, "state") == 0 ? 1 : 0;
    topics->kick += strcmp(topic, "kick") == 0 ? 1 : 0;
    topics->pass += strcmp(topic, "pass") == 0 ? 1 : 0;
    topics->spot += strcmp(topic, "support spot") == 0 ? 1 : 0;
    topics->supporter += strcmp(topic, "supporter") == 0 ? 1 : 0;
}
static void sight_option(void *user, const char *name, ploy_outcome outcome, double score,
                         const char *reason) {
    (void)user, (void)name, (void)outcome, (void)score, (void)reason;
}
static void sight_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}
static void sight_note(void *user, const char *text) {
    (void)user, (void)text;
}
static void sight_end(void *user) {
    (void)user;
}

TEST(soccer_gives_its_reasons_and_they_change_nothing) {
    sight_topics topics = {0, 0, 0, 0, 0};
    ploy_trace trace = {sight_begin, sight_option, sight_value, sight_note, sight_end, &topics};
    ploy_env env = ploy_env_default();
    ploy_sim *asked = lab_start(t, "soccer", NULL, &env),
             *plain = lab_start(t, "soccer", NULL, &env);
    for (int32_t i = 0; i < 1500; i++) {
        CHECK_OK(ploy_sim_step(asked, NULL, 0, &trace));
        CHECK_OK(ploy_sim_step(plain, NULL, 0, NULL));
    }
    CHECK_UINT(ploy_sim_hash(asked), ploy_sim_hash(plain));
    CHECK(topics.state >= 15000); // everybody, every tick
    CHECK(topics.kick > 5 && topics.pass > 2 && topics.spot > 5 && topics.supporter > 5);
    ploy_sim_destroy(plain);
    ploy_sim_destroy(asked);
}

TEST(soccer_describes_its_score_and_everybody) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "soccer", NULL, &env);
    lab_run(t, sim, 2000);
    CHECK(lab_number(t, sim, "summary/passes") >= lab_number(t, sim, "summary/passes_completed"));
    CHECK_NEAR(lab_number(t, sim, "red/passes") + lab_number(t, sim, "blue/passes"),
               lab_number(t, sim, "summary/passes"), 0);
    CHECK(lab_number(t, sim, "red/red 1/machine/changes") >= 0);
    CHECK(lab_number(t, sim, "blue/blue 5/distance to the ball") > 0);
    ploy_sim_destroy(sim);
}
