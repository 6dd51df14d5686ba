// Choosing a target: the closest, by score, with a margin; only among the remembered.
#include "ploy/world/target.h"
#include "world/world_internal.h"

#include "tests/state.h"
#include "tests/world/sense_test.h"

static ploy_sense_memory *target_memory(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_sense_memory_def def = ploy_sense_memory_def_default();
    ploy_sense_memory *memory = NULL;
    CHECK_OK(ploy_sense_memory_create(&def, crowd_agent(0), &env, &memory));
    return memory;
}

static void target_seen(ploy_sense_memory *memory, int32_t i, float x, double now) {
    ploy_sense_memory_look(memory, crowd_agent(i), ploy_vec3_make(x, 0, 0), true, true, 1, now);
}

static uint32_t target_step(ploy_target *target, const ploy_sense_memory *memory,
                            const ploy_target_choice *choice, double now) {
    ploy_target_step(target, memory, ploy_vec3_zero(), choice, now, NULL);
    return target->current.id.index;
}

TEST(the_closest_of_the_remembered_is_chosen) { // RAV-24
    ploy_sense_memory *memory = target_memory(t);
    ploy_target target = ploy_target_make();
    ploy_vec3 at = ploy_vec3_make(7, 7, 7);
    CHECK_UINT(target_step(&target, memory, NULL, 0), 0);
    CHECK(!ploy_target_present(&target));
    CHECK_INT(ploy_target_position(&target, memory, &at), PLOY_ERR_NOT_FOUND);
    CHECK_NEAR(at.x, 7, 0);
    CHECK(!isfinite(ployi_target_time_out_of_view(&target, memory, 0)));
    target_seen(memory, 1, 10, 0);
    target_seen(memory, 2, -4, 0);
    target_seen(memory, 3, 4, 0); // as far: the lower id wins
    CHECK(ploy_target_step(&target, memory, ploy_vec3_zero(), NULL, 1, NULL));
    CHECK_UINT(target.current.id.index, 2);
    CHECK_NEAR(target.since, 1, 0);
    CHECK(!ploy_target_step(&target, memory, ploy_vec3_zero(), NULL, 2, NULL));
    CHECK_NEAR(target.since, 1, 0);
    CHECK(ploy_target_visible(&target, memory));
    CHECK(ployi_target_shootable(&target, memory));
    CHECK_OK(ploy_target_position(&target, memory, &at));
    CHECK_NEAR(at.x, -4, 0);
    CHECK_NEAR(ployi_target_time_visible(&target, memory, 2), 2, 0);
    CHECK_NEAR(ployi_target_time_out_of_view(&target, memory, 2), 2, 0);
    target_seen(memory, 1, 10, 5);
    CHECK_UINT(target_step(&target, memory, NULL, 5.5), 1); // the others are forgotten
    CHECK_UINT(target_step(&target, memory, NULL, 20), 0);
    target_seen(memory, 1, 10, 20);
    target_step(&target, memory, NULL, 20);
    ploy_target_clear(&target);
    CHECK(!ploy_target_present(&target));
    ploy_sense_memory_destroy(memory);
}

TEST(one_that_was_only_heard_comes_last) {
    ploy_sense_memory *memory = target_memory(t);
    ploy_target target = ploy_target_make();
    ploy_sense_memory_hear(memory, crowd_agent(1), ploy_vec3_zero(), false, 0);
    CHECK_UINT(target_step(&target, memory, NULL, 0), 1);
    target_seen(memory, 2, 1000, 0);
    CHECK_UINT(target_step(&target, memory, NULL, 0), 2);
    ploy_sense_memory_destroy(memory);
}

static bool target_alive(void *user, ploy_agent_id other) {
    return other.id.index != *(const uint32_t *)user;
}

static float target_by_visibility(void *user, const ploy_sense_record *record) {
    (void)user;
    return record->agent.id.index == 1 ? NAN : record->visibility;
}

TEST(the_dead_and_those_without_a_score_are_refused) {
    ploy_sense_memory *memory = target_memory(t);
    ploy_target target = ploy_target_make();
    uint32_t dead = 1;
    ploy_target_choice choice = {target_alive, NULL, &dead, 0};
    for (int32_t i = 1; i <= 3; i++) target_seen(memory, i, (float)i, 0);
    CHECK_UINT(target_step(&target, memory, &choice, 0), 2);
    dead = 2;
    CHECK_UINT(target_step(&target, memory, &choice, 0), 1);
    choice.score = target_by_visibility;
    dead = 9;
    for (int32_t i = 1; i <= 3; i++) {
        ploy_sense_memory_look(memory, crowd_agent(i), ploy_vec3_zero(), true, true,
                               0.2f * (float)i, 1);
    }
    CHECK_UINT(target_step(&target, memory, &choice, 1), 3); // 1 has no score
    choice.valid = NULL;
    ployi_sense_memory_purge(memory, crowd_agent(2));
    ployi_sense_memory_purge(memory, crowd_agent(3));
    CHECK_UINT(target_step(&target, memory, &choice, 1), 0);
    ploy_sense_memory_destroy(memory);
}

TEST(a_margin_keeps_the_present_one) {
    ploy_sense_memory *memory = target_memory(t);
    ploy_target target = ploy_target_make();
    ploy_target_choice choice = {NULL, NULL, NULL, 2};
    target_seen(memory, 1, 10, 0);
    CHECK_UINT(target_step(&target, memory, &choice, 0), 1);
    target_seen(memory, 2, 8.5f, 0);
    CHECK_UINT(target_step(&target, memory, &choice, 0), 1);
    target_seen(memory, 2, 7.5f, 0);
    CHECK_UINT(target_step(&target, memory, &choice, 0), 2);
    ploy_sense_memory_destroy(memory);
}

typedef struct target_told {
    int32_t won, lost, rejected;
} target_told;

static void target_on_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)user, (void)agent, (void)topic, (void)technique;
}
static void target_on_option(void *user, const char *name, ploy_outcome outcome, double score,
                             const char *reason) {
    target_told *told = user;
    (void)name, (void)score, (void)reason;
    told->won += outcome == PLOY_OUTCOME_WON;
    told->lost += outcome == PLOY_OUTCOME_LOST;
    told->rejected += outcome == PLOY_OUTCOME_REJECTED;
}
static void target_on_end(void *user) {
    (void)user;
}

TEST(the_trace_tells_everybody_considered) {
    ploy_sense_memory *memory = target_memory(t);
    ploy_target target = ploy_target_make();
    target_seen(memory, 1, 10, 0); // forgotten by then
    for (int32_t i = 2; i <= 5; i++) target_seen(memory, i, (float)(7 - i), 6);
    target_told told = {0, 0, 0};
    ploy_trace trace = {target_on_begin, target_on_option, NULL, NULL, target_on_end, &told};
    ploy_target_step(&target, memory, ploy_vec3_zero(), NULL, 6, &trace);
    CHECK_INT(told.won, 1);
    CHECK_INT(told.lost, 3);
    CHECK_INT(told.rejected, 2); // the forgotten one, and having none
    ploy_sense_memory_destroy(memory);
}

TEST(a_target_saves_and_loads) {
    ploy_target target = {{{3, 1}}, 2.5}, other = ploy_target_make();
    state_check s = {ploy_target_visit, &target, NULL, NULL, NULL};
    state_check_all(t, &s);
    state_check_copy(t, &s, &other);
    CHECK_UINT(other.current.id.index, 3);
}
