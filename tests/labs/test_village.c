// The lab `village`: four kinds of minds live the same day, within the budgets of a tick, and each can
// be asked why.
#include "tests/labs/lab_test.h"

// Where villagers of each kind have been.
typedef struct village_been {
    uint32_t agent; // that is being described
    bool at[4][4];  // of each kind, at each place
} village_been;

static void been_begin(void *user, const char *name, ploy_id owner) {
    village_been *been = user;
    if (strcmp(name, "villager") == 0) been->agent = owner.index;
}

static void been_end(void *user) {
    (void)user;
}

static void been_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    village_been *been = user;
    (void)mark;
    if (strcmp(name, "place") != 0 || value->type != PLOY_VALUE_I64 || been->agent == 0) return;
    if (value->as.i64 >= 0 && value->as.i64 < 4) {
        been->at[(been->agent - 1) % 4][value->as.i64] = true;
    }
}

TEST(a_village_lives_within_its_budgets) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "village", NULL, &env);
    village_been been;
    memset(&been, 0, sizeof been);
    ploy_describe look = {been_begin, been_end, been_value, &been};
    double most = 0.0, afraid = 0.0, opened = 0.0;
    static const char *const places[] = {"summary/field", "summary/market", "summary/home",
                                         "summary/well"};
    double seen[4] = {0.0, 0.0, 0.0, 0.0};
    for (int32_t i = 0; i < 360; i++) {
        lab_run(t, sim, 10);
        double units = lab_number(t, sim, "summary/units");
        most = units > most ? units : most;
        CHECK(lab_number(t, sim, "summary/think_units") <= 400.0);
        CHECK(lab_number(t, sim, "summary/path_units") <= 1000.0);
        CHECK(lab_number(t, sim, "summary/look_units") <= 20.0);
        CHECK(lab_number(t, sim, "summary/mesh_units") <= 1.0);
        afraid = fmax(afraid, lab_number(t, sim, "summary/afraid"));
        opened = fmax(opened, lab_number(t, sim, "door"));
        for (size_t k = 0; k < 4; k++) seen[k] = fmax(seen[k], lab_number(t, sim, places[k]));
        if (i % 6 != 0) continue;
        ploy_sim_describe(sim, &look);
    }
    CHECK(most > 100.0);
    CHECK(afraid > 0.0);
    CHECK_SAME(opened, 1.0);
    CHECK(lab_number(t, sim, "summary/paths") > 500.0);
    for (size_t k = 0; k < 4; k++) CHECK(seen[k] > 3.0);
    for (int32_t kind = 0; kind < 4; kind++) {
        TEST_SEED(kind);
        CHECK(been.at[kind][0] || been.at[kind][3]); // at work
        CHECK(been.at[kind][1] || been.at[kind][2]); // and to eat, or home
    }
    CHECK(lab_drawn(sim) > 200);
    ploy_sim_destroy(sim);
}

typedef struct village_heard {
    int32_t decisions[5]; // of agents 1 to 4
} village_heard;

static void heard_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    village_heard *heard = user;
    (void)topic, (void)technique;
    if (agent.index >= 1 && agent.index <= 4) heard->decisions[agent.index]++;
}

static void heard_option(void *user, const char *name, ploy_outcome outcome, double score,
                         const char *reason) {
    (void)user, (void)name, (void)outcome, (void)score, (void)reason;
}

static void heard_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}

static void heard_note(void *user, const char *text) {
    (void)user, (void)text;
}

static void heard_end(void *user) {
    (void)user;
}

// A cart touches several tiles: one is cut in each tick, and the new mesh comes into use after the last.
TEST(the_mesh_of_the_village_is_cut_one_tile_a_tick) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "village", NULL, &env);
    int32_t busy = 0, longest = 0, rounds = 0;
    for (int32_t i = 0; i < 900; i++) {
        lab_run(t, sim, 1);
        double spent = lab_number(t, sim, "summary/mesh_units");
        CHECK(spent <= 1.0);
        bool pending = lab_number(t, sim, "summary/mesh_changes") > 0.0;
        CHECK(!pending || spent == 1.0); // it never stops with work left
        busy = spent > 0.0 ? busy + 1 : 0;
        longest = busy > longest ? busy : longest;
        rounds += spent > 0.0 && !pending;
    }
    CHECK(longest >= 3); // two tiles at least, and the mesh
    CHECK(rounds >= 3);
    ploy_sim_destroy(sim);
}

TEST(every_kind_of_villager_tells_why) {
    ploy_env env = ploy_env_default();
    static const char *const few[] = {"count=8", NULL};
    ploy_sim *sim = lab_start(t, "village", few, &env);
    village_heard heard;
    memset(&heard, 0, sizeof heard);
    ploy_trace trace = {heard_begin, heard_option, heard_value, heard_note, heard_end, &heard};
    for (int32_t i = 0; i < 1200; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, &trace));
    for (int32_t kind = 1; kind <= 4; kind++) {
        TEST_SEED(kind);
        CHECK(heard.decisions[kind] > 0);
    }
    ploy_sim_destroy(sim);
}

TEST(the_village_rewinds_to_the_same_bytes) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    static const char *const few[] = {"count=40", "cart_time=2", NULL};
    ploy_sim *sim = lab_start(t, "village", few, &env);
    lab_run(t, sim, 100);
    lab_check_rewind(t, sim, 300);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
    static char name[] = "village";
    CHECK_FAIL_NTH(lab_create, name);
}
