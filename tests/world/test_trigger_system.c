// The system of triggers: what it holds and refuses, what it costs, and how it is described.
#include <math.h>

#include "tests/state.h"
#include "tests/world/trigger_test.h"
#include "world/world_internal.h"

TEST(the_nearest_active_item_is_found) {
    stage s;
    stage_init(t, &s, 1);
    ploy_name health = ploy_name_of("health");
    ploy_trigger_id ids[3], found;
    for (int32_t i = 0; i < 3; i++) {
        ploy_trigger_def def = ploy_trigger_def_giver(disc(10.0f * (float)i, 1), health, 5, 60);
        def.node = 100 + i;
        ids[i] = stage_add(t, &s, &def);
    }
    ploy_vec3 from = {12, 0, 0};
    CHECK(ploy_triggers_find(s.triggers, health, from, &found));
    CHECK(ploy_id_equal(found.id, ids[1].id));
    s.at[0] = ploy_vec2_make(10, 0);
    CHECK_OK(stage_step(&s));
    CHECK_INT(s.told[0].node, 101);
    CHECK(ploy_triggers_find(s.triggers, health, from, &found));
    CHECK(ploy_id_equal(found.id, ids[2].id)); // 8 m, against 12 m to the first
    CHECK(!ploy_triggers_find(s.triggers, ploy_name_of("gun"), from, &found));
    ploy_triggers_destroy(s.triggers);
}

TEST(bad_input_is_refused_and_changes_nothing) {
    stage s;
    stage_init(t, &s, 1);
    ploy_env env = ploy_env_default();
    ploy_triggers *none = s.triggers;
    ploy_triggers_def system = ploy_triggers_def_default();
    system.triggers = 0;
    CHECK_INT(ploy_triggers_create(&system, &env, &none), PLOY_ERR_ARGUMENT);
    CHECK(none == NULL);
    ploy_trigger_def def = ploy_trigger_def_default();
    def.respawn_s = NAN;
    CHECK_INT(ploy_triggers_add(s.triggers, &def, NULL), PLOY_ERR_ARGUMENT);
    def = ploy_trigger_def_default();
    def.zone.radius = NAN;
    CHECK_INT(ploy_triggers_add(s.triggers, &def, NULL), PLOY_ERR_ARGUMENT);
    memset(&def, 0, sizeof def);
    CHECK_INT(ploy_triggers_add(s.triggers, &def, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_triggers_count(s.triggers), 0);
    CHECK_INT(ploy_triggers_add_agent(s.triggers, agent_of(0), NULL), PLOY_ERR_EXISTS);
    CHECK_INT(ploy_triggers_add_agent(s.triggers, ploy_agent_id_none(), NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_triggers_remove_agent(s.triggers, agent_of(9)), PLOY_ERR_NOT_FOUND);
    ploy_trigger_id stale = {ploy_id_make(0, 7)};
    ploy_zone zone = disc(0, 1);
    ploy_trigger_state state;
    CHECK_INT(ploy_triggers_remove(s.triggers, stale), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_triggers_set_active(s.triggers, stale, true), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_triggers_set_zone(s.triggers, stale, &zone), PLOY_ERR_NOT_FOUND);
    CHECK(!ploy_triggers_get(s.triggers, stale, &state));
    ploy_pose_source poses = {stage_pose, &s};
    CHECK_OK(ploy_triggers_step(s.triggers, 1, &poses, NULL, NULL));
    CHECK_INT(ploy_triggers_step(s.triggers, NAN, &poses, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_triggers_step(s.triggers, 0.5, &poses, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_triggers_step(s.triggers, 1, NULL, NULL, NULL)); // nobody knows where they are
    ploy_triggers_destroy(s.triggers);
    ploy_triggers_destroy(NULL);
}

static ploy_result whole_life(const ploy_env *env, void *arg) {
    stage *s = arg;
    memset(s, 0, sizeof *s);
    ploy_triggers_def def = ploy_triggers_def_default();
    def.triggers = 2;
    ploy_result result = ploy_triggers_create(&def, env, &s->triggers);
    static const ploy_vec2 corners[] = {{0, 0}, {1, 0}, {0, 1}};
    for (int32_t i = 0; result == PLOY_OK && i < 5; i++) {
        ploy_trigger_def trigger = ploy_trigger_def_default();
        if (i == 3) trigger.zone = ploy_zone_polygon(corners, 3);
        result = ploy_triggers_add(s->triggers, &trigger, &s->mine);
        if (result == PLOY_OK) result = ploy_triggers_add_agent(s->triggers, agent_of(i), NULL);
    }
    ploy_zone zone = ploy_zone_polygon(corners, 3);
    if (result == PLOY_OK) result = ploy_triggers_set_zone(s->triggers, s->mine, &zone);
    ploy_pose_source poses = {stage_pose, s};
    for (int32_t i = 0; result == PLOY_OK && i < 3; i++) {
        result = ploy_triggers_step(s->triggers, i, &poses, stage_told, s);
        if (result != PLOY_OK && s->told_count != i * 15) result = PLOY_ERR_STATE; // told too soon
    }
    ploy_triggers_destroy(s->triggers);
    return result;
}

TEST(every_failing_allocation_is_survived) {
    static stage s;
    CHECK_FAIL_NTH(whole_life, &s);
}

TEST(a_warm_step_allocates_nothing_and_the_log_tells_the_last_events) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    stage s;
    memset(&s, 0, sizeof s);
    ploy_triggers_def def = ploy_triggers_def_default();
    def.log = 3;
    CHECK_OK(ploy_triggers_create(&def, &env, &s.triggers));
    for (int32_t i = 0; i < 40; i++) {
        ploy_trigger_def trigger = ploy_trigger_def_default();
        trigger.zone = disc((float)i, 2);
        trigger.user = (uint64_t)i;
        CHECK_OK(ploy_triggers_add(s.triggers, &trigger, NULL));
        CHECK_OK(ploy_triggers_add_agent(s.triggers, agent_of(i), NULL));
    }
    int64_t warm = 0;
    for (int32_t step = 0; step < 200; step++) {
        if (step == 100) warm = counts.calls;
        for (int32_t i = 0; i < 40; i++) {
            s.at[i] = ploy_vec2_make((float)((i * 7 + step) % 40), 0);
        }
        s.told_count = 0;
        CHECK_OK(stage_step(&s));
    }
    CHECK_INT(counts.calls, warm);
    ploy_trigger_event event;
    for (int32_t i = 0; i < 3; i++) {
        CHECK(ployi_triggers_log(s.triggers, i, &event));
        CHECK_UINT(event.user, s.told[s.told_count - 1 - i].user);
    }
    CHECK(!ployi_triggers_log(s.triggers, 3, &event));
    ploy_triggers_destroy(s.triggers);
    CHECK_INT(counts.bytes, 0);
}

static uint64_t stage_hash(const stage *s) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_triggers_describe(s->triggers, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(the_description_follows_everything_that_matters) {
    stage s;
    stage_init(t, &s, 2);
    ploy_trigger_def def = ploy_trigger_def_giver(disc(0, 1), ploy_name_of("health"), 5, 9);
    ploy_trigger_id id = stage_add(t, &s, &def);
    uint64_t before = stage_hash(&s), now;
    CHECK_OK(stage_step(&s));
    CHECK((now = stage_hash(&s)) != before);
    before = now;
    CHECK_OK(ploy_triggers_set_active(s.triggers, id, false));
    CHECK((now = stage_hash(&s)) != before);
    before = now;
    ploy_zone zone = disc(0.25f, 1);
    CHECK_OK(ploy_triggers_set_zone(s.triggers, id, &zone));
    CHECK((now = stage_hash(&s)) != before);
    before = now;
    CHECK_OK(ploy_triggers_remove_agent(s.triggers, agent_of(1)));
    CHECK(stage_hash(&s) != before);
    ploy_triggers_destroy(s.triggers);
}

static void stage_fill(test_context *t, stage *s, int32_t steps) {
    stage_init(t, s, 4);
    ploy_vec2 corners[4] = {{20, -2}, {24, -2}, {24, 2}, {20, 2}};
    ploy_trigger_def plate = ploy_trigger_def_plate(disc(0, 2), ploy_name_of("plate"));
    ploy_trigger_def giver = ploy_trigger_def_giver(
        ploy_zone_box((ploy_vec2){8, -1}, (ploy_vec2){12, 1}), ploy_name_of("health"), 10.0f, 7);
    ploy_trigger_def area =
        ploy_trigger_def_plate(ploy_zone_polygon(corners, 4), ploy_name_of("area"));
    ploy_trigger_def sound =
        ploy_trigger_def_sound((ploy_vec3){5, 0, 0}, 9.0f, ploy_name_of("bang"), agent_of(1), 60);
    area.visits = 2;
    area.visits_each = true;
    ploy_trigger_id gone = stage_add(t, s, &plate);
    stage_add(t, s, &plate);
    stage_add(t, s, &giver);
    stage_add(t, s, &area);
    stage_add(t, s, &sound);
    CHECK_OK(ploy_triggers_remove(s->triggers, gone));
    for (int32_t i = 0; i < steps; i++) {
        for (int32_t k = 0; k < 4; k++) {
            s->at[k] = ploy_vec2_make((float)((i * (k + 1)) % 30), 0);
        }
        CHECK_OK(stage_step(s));
    }
}

TEST(triggers_save_and_load_who_is_in_what) {
    static const char *const skip[] = {
        "generation",  "link",      "first_free", "records",  "first pair", "next pair",
        "epoch",       "free_pair", "free_count", "trigger",  "inside",     "told",
        "pair visits", "started",   "born",       "stepped",  "kind",       "low",
        "high",        "agent",     "log source", "log item", "log node",   "log position",
        "log user",    "log now",   NULL};
    stage a, b;
    stage_fill(t, &a, 37);
    stage_fill(t, &b, 3);
    CHECK(ploy_triggers_count(a.triggers) >= 3);
    state_check s = {ploy_triggers_visit, a.triggers, NULL, skip, NULL};
    state_check_all(t, &s);
    state_check_copy(t, &s, b.triggers);
    b.tick = a.tick;
    a.told_count = b.told_count = 0;
    for (int32_t i = 37; i < 120; i++) { // both tell the same
        for (int32_t k = 0; k < 4; k++) {
            a.at[k] = b.at[k] = ploy_vec2_make((float)((i * (k + 1)) % 30), 0);
        }
        CHECK_OK(stage_step(&a));
        CHECK_OK(stage_step(&b));
        CHECK_UINT(ploy_visit_hash(ploy_triggers_visit, b.triggers, NULL), state_hash(&s));
    }
    CHECK(a.told_count > 10);
    CHECK_INT(a.told_count, b.told_count);
    CHECK_BYTES(a.told, b.told, (size_t)a.told_count * sizeof a.told[0]);
    ploy_triggers_destroy(a.triggers);
    ploy_triggers_destroy(b.triggers);
}

static ploy_result load_triggers(const ploy_env *env, void *arg) {
    ploy_triggers_def def = ploy_triggers_def_default();
    def.triggers = def.agents = 1;
    ploy_triggers *triggers = NULL;
    ploy_result result = ploy_triggers_create(&def, env, &triggers);
    ploy_vec2 corners[3] = {{0, 0}, {4, 0}, {0, 4}};
    ploy_trigger_def area =
        ploy_trigger_def_plate(ploy_zone_polygon(corners, 3), ploy_name_of("x"));
    if (result == PLOY_OK) result = ploy_triggers_add(triggers, &area, NULL);
    if (result == PLOY_OK) {
        state_check s = {ploy_triggers_visit, triggers, NULL, NULL, NULL};
        uint64_t before = state_hash(&s);
        result = state_load(&s, arg, env, NULL);
        if (result != PLOY_OK && state_hash(&s) != before) result = PLOY_ERR_STATE;
    }
    ploy_triggers_destroy(triggers);
    return result;
}

TEST(triggers_load_without_memory) {
    stage a;
    stage_fill(t, &a, 12);
    state_check s = {ploy_triggers_visit, a.triggers, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    CHECK_FAIL_NTH(load_triggers, text);
    free(text);
    ploy_triggers_destroy(a.triggers);
}

TEST(reported_memory_of_triggers_is_what_was_allocated) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_triggers_def def = ploy_triggers_def_default();
    ploy_triggers *triggers = NULL;
    CHECK_OK(ploy_triggers_create(&def, &env, &triggers));
    ploy_vec2 corners[3] = {{0, 0}, {4, 0}, {0, 4}};
    ploy_trigger_def area =
        ploy_trigger_def_plate(ploy_zone_polygon(corners, 3), ploy_name_of("x"));
    CHECK_OK(ploy_triggers_add(triggers, &area, NULL));
    state_check s = {ploy_triggers_visit, triggers, NULL, NULL, NULL};
    state_check_memory(t, &s, &counts);
    ploy_triggers_destroy(triggers);
}
