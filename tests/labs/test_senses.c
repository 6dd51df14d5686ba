// The lab `senses`: what guards come to know, clicks, rewinding to the same bytes, no allocation.
#include "base/base_internal.h"
#include "labs/labs.h"
#include "ploy/geom/draw.h"
#include "tests/test.h"

static ploy_sim *senses_start(test_context *t, const char *name, const char *value,
                              const ploy_env *env) {
    const ploy_sim_type *type = ploy_sim_type_find(ploy_labs(), "senses", NULL);
    static unsigned char params[1024];
    CHECK(type->fields().size <= sizeof params);
    ploy_fields_default(type->fields(), params);
    if (name != NULL) CHECK_OK(ploy_fields_set_text(type->fields(), params, name, value, NULL));
    ploy_sim_def def = ploy_sim_def_default();
    ploy_sim *sim = NULL;
    CHECK_OK(ploy_sim_create(&def, type, params, NULL, env, &sim));
    return sim;
}

static void senses_run(test_context *t, ploy_sim *sim, int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
}

// Sums of what the guards tell.
typedef struct senses_told {
    double heard, smelt, certainty;
} senses_told;

static void senses_on_begin(void *user, const char *name, ploy_id owner) {
    (void)user, (void)name, (void)owner;
}
static void senses_on_end(void *user) {
    (void)user;
}
static void senses_on_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    senses_told *told = user;
    char text[64];
    double number = 0;
    (void)mark;
    ploy_value_print(value, text, sizeof text);
    if (sscanf(text, "%lf", &number) != 1) return;
    if (strcmp(name, "heard") == 0) told->heard += number;
    if (strcmp(name, "smelt") == 0) told->smelt += number;
    if (strcmp(name, "certainty") == 0) told->certainty += number;
}

static senses_told senses_ask(const ploy_sim *sim) {
    senses_told told = {0, 0, 0};
    ploy_describe out = {senses_on_begin, senses_on_end, senses_on_value, &told};
    ploy_sim_describe(sim, &out);
    return told;
}

TEST(a_hurried_intruder_is_heard_and_a_slow_one_is_not) {
    static const struct {
        const char *speed;
        bool heard;
    } rows[] = {{"4", true}, {"1.5", false}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].speed;
        ploy_sim *sim = senses_start(t, "intruder_speed", rows[i].speed, &env);
        senses_run(t, sim, 600);
        // A row of bits of the manager is called heard too; only waves in flight have one.
        CHECK((senses_ask(sim).heard > 2) == rows[i].heard);
        ploy_sim_destroy(sim);
    }
}

TEST(guards_come_to_know_of_the_intruder) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = senses_start(t, NULL, NULL, &env);
    double most = 0;
    for (int32_t i = 0; i < 600; i++) {
        senses_run(t, sim, 1);
        double now = senses_ask(sim).certainty;
        if (now > most) most = now;
    }
    CHECK(most > 0.9);
    ploy_sim_destroy(sim);
}

TEST(a_click_sends_the_intruder_or_makes_a_noise) {
    ploy_env env = ploy_env_default();
    for (int32_t noise = 0; noise < 2; noise++) {
        ploy_sim *sim = senses_start(t, "click", noise == 1 ? "noise" : "walk", &env);
        ploy_sim *calm = senses_start(t, "click", noise == 1 ? "noise" : "walk", &env);
        ploy_input input;
        memset(&input, 0, sizeof input);
        input.kind = PLOY_INPUT_COMMAND;
        input.name = "click";
        input.value = ploy_value_vec2(-1000, 3); // held within the walls
        CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
        senses_run(t, calm, 1);
        CHECK(ploy_sim_hash(sim) != ploy_sim_hash(calm));
        senses_run(t, sim, 200);
        ploy_sim_destroy(sim);
        ploy_sim_destroy(calm);
    }
}

static void senses_draw_item(void *user, const ploy_draw_item *item) {
    int32_t *count = user;
    *count += item->shape < PLOY_SHAPE_COUNT;
}

TEST(it_rewinds_to_the_same_bytes_and_drawing_changes_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = senses_start(t, NULL, NULL, &env);
    senses_run(t, sim, 600);
    ploy_snapshot *early = NULL, *late = NULL, *again = NULL;
    CHECK_OK(ploy_sim_snapshot(sim, &early));
    int64_t blocks = 0, blocks_after = 0;
    size_t bytes = ployi_region_allocated(ploy_sim_region(sim), &blocks);
    senses_run(t, sim, 300);
    CHECK_UINT(ployi_region_allocated(ploy_sim_region(sim), &blocks_after), bytes);
    CHECK_INT(blocks_after, blocks);
    CHECK_OK(ploy_sim_snapshot(sim, &late));
    uint64_t want = ploy_sim_hash(sim);
    CHECK_OK(ploy_sim_restore(sim, early));
    for (int32_t i = 0; i < 300; i++) {
        int32_t count = 0;
        ploy_draw draw = {senses_draw_item, &count, 0xffffffffu};
        ploy_sim_draw(sim, &draw);
        CHECK(count > 10);
        senses_run(t, sim, 1);
    }
    CHECK_UINT(ploy_sim_hash(sim), want);
    CHECK_OK(ploy_sim_snapshot(sim, &again));
    CHECK_INT(ployi_snapshot_difference(late, again), -1);
    ploy_snapshot_destroy(again);
    ploy_snapshot_destroy(late);
    ploy_snapshot_destroy(early);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

static ploy_result senses_create(const ploy_env *env, void *arg) {
    ploy_sim_def def = ploy_sim_def_default();
    ploy_sim *sim = NULL;
    ploy_result result = ploy_sim_create(&def, arg, NULL, NULL, env, &sim);
    ploy_sim_destroy(sim);
    return result;
}

TEST(the_lab_survives_every_failing_allocation) {
    const ploy_sim_type *type = ploy_sim_type_find(ploy_labs(), "senses", NULL);
    CHECK_FAIL_NTH(senses_create, (void *)type);
}
