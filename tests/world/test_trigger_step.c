// A step of triggers: order, pauses, lives, sounds, counting, and callbacks that change things.
#include <math.h>

#include "ploy/base/rng.h"
#include "tests/world/trigger_test.h"
#include "world/world_internal.h"

// RAV-15: N = 5, taken at tick 10: inactive in ticks 11 to 14, taken again at 15. By seconds alike.
TEST(what_is_taken_is_back_after_exactly_its_pause) {
    for (int32_t by_clock = 0; by_clock < 2; by_clock++) {
        stage s;
        stage_init(t, &s, 1);
        ploy_trigger_def def = ploy_trigger_def_giver(disc(0, 1), ploy_name_of("health"), 50, 5);
        if (by_clock) def.respawn_s = 5.0f / 60.0f;
        def.tells = PLOY_TRIGGER_TELLS_BACK;
        ploy_trigger_id id = stage_add(t, &s, &def);
        for (int32_t tick = 0; tick < 20; tick++) {
            if (tick == 10) s.at[0] = ploy_vec2_zero();
            CHECK_OK(stage_step(&s));
            ploy_trigger_state state;
            CHECK(ploy_triggers_get(s.triggers, id, &state));
            CHECK_INT(state.active, tick < 10);
        }
        CHECK_INT(stage_count(&s, PLOY_TRIGGER_FIRED), 2);
        CHECK_UINT(s.told[0].tick, 10);
        CHECK_SAME(s.told[0].amount, 50.0);
        CHECK_INT(s.told[1].what, PLOY_TRIGGER_BACK);
        CHECK_UINT(s.told[1].tick, 15);
        CHECK_UINT(s.told[2].tick, 15);
        ploy_triggers_destroy(s.triggers);
    }
}

// RAV-15: 10 s of health at 60 Hz are 600 ticks, weapons 15 s 900.
TEST(seconds_and_ticks_agree_at_a_fixed_rate) {
    static const struct {
        float seconds;
        int32_t ticks;
    } rows[] = {{10, 600}, {15, 900}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        stage s;
        stage_init(t, &s, 1);
        s.at[0] = ploy_vec2_zero();
        ploy_trigger_def def = ploy_trigger_def_giver(disc(0, 1), ploy_name_of("item"), 1, 1);
        def.respawn_s = rows[i].seconds;
        stage_add(t, &s, &def);
        for (int32_t tick = 0; tick <= rows[i].ticks; tick++) CHECK_OK(stage_step(&s));
        CHECK_INT(s.told_count, 2);
        CHECK_UINT(s.told[1].tick, rows[i].ticks);
        ploy_triggers_destroy(s.triggers);
    }
}

// RAV-17: a life of L ticks is tried in exactly L of them.
TEST(a_limited_life_is_tried_in_exactly_its_ticks) {
    for (int32_t life = 1; life < 12; life++) {
        stage s;
        stage_init(t, &s, 1);
        s.at[0] = ploy_vec2_zero();
        CHECK_OK(stage_step(&s));
        ploy_trigger_def def = ploy_trigger_def_default();
        def.life_ticks = life;
        def.tells = PLOY_TRIGGER_TELLS_END;
        stage_add(t, &s, &def);
        for (int32_t i = 0; i < 15; i++) CHECK_OK(stage_step(&s));
        CHECK_INT(stage_count(&s, PLOY_TRIGGER_FIRED), life);
        CHECK_INT(stage_count(&s, PLOY_TRIGGER_ENDED), 1);
        CHECK_INT(ploy_triggers_count(s.triggers), 0);
        ploy_triggers_destroy(s.triggers);
    }
    stage s;
    stage_init(t, &s, 1);
    s.at[0] = ploy_vec2_zero();
    ploy_trigger_def def = ploy_trigger_def_default();
    def.life_s = 0.1f;
    stage_add(t, &s, &def);
    for (int32_t i = 0; i < 15; i++) CHECK_OK(stage_step(&s));
    CHECK_INT(stage_count(&s, PLOY_TRIGGER_FIRED), 6);
    ploy_triggers_destroy(s.triggers);
}

// RAV-18, RAV-32: eight tests a second at 60 Hz, each agent at its own turn. A gunshot that lives
// eight ticks is heard once by everybody in reach but the shooter, though some test it twice.
TEST(everybody_in_reach_hears_a_shot_once_but_not_the_shooter) {
    for (int64_t round = 0; round < test_rounds(20); round++) {
        TEST_SEED(round + 1);
        ploy_rng rng = ploy_rng_make((uint64_t)round + 1);
        stage s;
        stage_init(t, &s, 0);
        for (int32_t i = 0; i < CROWD; i++) {
            s.at[i] = ploy_vec2_make(ploy_rng_range(&rng, -30, 30), 0);
            ploy_trigger_agent_def def = ploy_trigger_agent_def_default();
            def.tests_per_second = 8;
            def.first_test_s = ploy_rng_range(&rng, 0, 0.125f);
            CHECK_OK(ploy_triggers_add_agent(s.triggers, agent_of(i), &def));
        }
        for (int32_t i = 0; i < 10 + round; i++) CHECK_OK(stage_step(&s));
        ploy_vec3 muzzle = ploy_vec3_make(s.at[5].x, 0, 0);
        ploy_trigger_def shot = ploy_trigger_def_sound(
            muzzle, 20, ploy_name_of("gunshot"), agent_of(5), ploy_trigger_sound_ticks(60, 8));
        stage_add(t, &s, &shot);
        for (int32_t i = 0; i < 12; i++) CHECK_OK(stage_step(&s));
        int32_t heard[CROWD] = {0};
        for (int32_t i = 0; i < s.told_count; i++) heard[s.told[i].agent.id.index]++;
        for (int32_t i = 0; i < CROWD; i++) {
            bool reached = fabsf(s.at[i].x - s.at[5].x) < 20.0f && i != 5;
            CHECK_INT(heard[i], reached ? 1 : 0);
        }
        ploy_triggers_destroy(s.triggers);
    }
}

// RAV-32: 4 a second at times k / 60, k = 0 to 599: 40 tests from 0 on, 36 from 1 s on; 8 a second
// are 75, every eight ticks.
TEST(an_agent_tests_as_often_as_its_regulator_says) {
    static const struct {
        float rate, first;
        int32_t want;
    } rows[] = {{4, 0, 40}, {4, 1, 36}, {8, 0, 75}, {0, 0, 600}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        stage s;
        stage_init(t, &s, 0);
        ploy_trigger_agent_def agent = ploy_trigger_agent_def_default();
        agent.tests_per_second = rows[i].rate;
        agent.first_test_s = rows[i].first;
        CHECK_OK(ploy_triggers_add_agent(s.triggers, agent_of(0), &agent));
        ploy_trigger_def def = ploy_trigger_def_default();
        stage_add(t, &s, &def);
        for (int32_t k = 0; k < 600; k++) CHECK_OK(stage_step(&s));
        CHECK_INT(s.told_count, rows[i].want);
        ploy_triggers_destroy(s.triggers);
    }
}

// ---- RAV-13's uses ----

TEST(a_pressure_plate_knows_who_steps_on_and_off) {
    stage s;
    stage_init(t, &s, 2);
    ploy_trigger_def def = ploy_trigger_def_plate(disc(0, 1), ploy_name_of("plate"));
    def.tells |= PLOY_TRIGGER_TELLS_ENTER | PLOY_TRIGGER_TELLS_STAY;
    ploy_trigger_id id = stage_add(t, &s, &def);
    static const float way[] = {9, 0, 0, 9, 0, 9};
    for (size_t i = 0; i < COUNT_OF(way); i++) {
        s.at[1] = ploy_vec2_make(way[i], 0);
        CHECK_OK(stage_step(&s));
        CHECK_INT(ployi_triggers_is_inside(s.triggers, id, agent_of(1)), way[i] == 0);
    }
    static const ploy_trigger_event_kind want[] = {
        PLOY_TRIGGER_ENTERED, PLOY_TRIGGER_FIRED, PLOY_TRIGGER_STAYED, PLOY_TRIGGER_LEFT,
        PLOY_TRIGGER_ENTERED, PLOY_TRIGGER_FIRED, PLOY_TRIGGER_LEFT};
    CHECK_INT(s.told_count, COUNT_OF(want));
    for (size_t i = 0; i < COUNT_OF(want); i++) CHECK_INT(s.told[i].what, want[i]);
    ploy_triggers_destroy(s.triggers);
}

TEST(a_dead_guard_is_found_by_each_of_his_comrades_once) {
    stage s;
    stage_init(t, &s, 3);
    ploy_trigger_agent_def rats = ploy_trigger_agent_def_default();
    rats.mask = 2;
    CHECK_OK(ploy_triggers_add_agent(s.triggers, agent_of(7), &rats));
    ploy_trigger_def body = ploy_trigger_def_default();
    body.when = PLOY_TRIGGER_EACH;
    body.mask = 1; // guards
    body.kind = ploy_name_of("body");
    body.source = agent_of(2);
    body.skip_source = true;
    body.zone = disc(0, 6);
    stage_add(t, &s, &body);
    for (int32_t i = 0; i < 10; i++) {
        s.at[0] = ploy_vec2_make(8.0f - (float)i, 0);
        s.at[2] = s.at[7] = ploy_vec2_zero();
        CHECK_OK(stage_step(&s));
    }
    CHECK_INT(s.told_count, 1);
    CHECK_INT(s.told[0].agent.id.index, 0);
    CHECK_INT(s.told[0].source.id.index, 2);
    CHECK_UINT(s.told[0].tick, 2); // at 6 m, within 6 + 0.5
    ploy_triggers_destroy(s.triggers);
}

TEST(a_lever_waits_for_a_hand) {
    stage s;
    stage_init(t, &s, 2);
    ploy_trigger_def lever = ploy_trigger_def_default();
    lever.when = PLOY_TRIGGER_USE;
    lever.after = PLOY_TRIGGER_RESPAWNS;
    lever.respawn_ticks = 2;
    stage_add(t, &s, &lever);
    int32_t used = -1;
    s.at[0] = ploy_vec2_zero();
    CHECK_OK(stage_step(&s));
    CHECK_INT(s.told_count, 0);
    CHECK_OK(ploy_triggers_use(s.triggers, agent_of(1), stage_told, &s, &used)); // too far away
    CHECK_INT(used, 0);
    CHECK_OK(ploy_triggers_use(s.triggers, agent_of(0), stage_told, &s, &used));
    CHECK_INT(used, 1);
    CHECK_OK(ploy_triggers_use(s.triggers, agent_of(0), stage_told, &s, &used)); // on its way back
    CHECK_INT(used, 0);
    CHECK_OK(stage_step(&s));
    CHECK_OK(stage_step(&s));
    CHECK_OK(ploy_triggers_use(s.triggers, agent_of(0), stage_told, &s, NULL));
    CHECK_INT(stage_count(&s, PLOY_TRIGGER_FIRED), 2);
    CHECK_INT(ploy_triggers_use(s.triggers, agent_of(9), NULL, NULL, NULL), PLOY_ERR_NOT_FOUND);
    ploy_triggers_destroy(s.triggers);
}

// More than three times: the fourth visit. Counted for each, and anew after firing, too.
TEST(a_hint_comes_after_three_visits) {
    static const struct {
        const char *row;
        int32_t visits;
        bool each, again;
        ploy_trigger_after after;
        int32_t want; // of 8 visits by each of two players in turns
    } rows[] = {
        {"the fourth visit of anybody, then no more", 4, false, false, PLOY_TRIGGER_ONCE, 1},
        {"each player's fourth and later", 4, true, false, PLOY_TRIGGER_STAYS, 10},
        {"every third of anybody", 3, false, true, PLOY_TRIGGER_STAYS, 5},
        {"every third of each", 3, true, true, PLOY_TRIGGER_STAYS, 4},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        stage s;
        stage_init(t, &s, 2);
        ploy_trigger_def hint = ploy_trigger_def_plate(disc(0, 1), ploy_name_of("hint"));
        hint.tells = 0;
        hint.visits = rows[i].visits;
        hint.visits_each = rows[i].each;
        hint.visits_again = rows[i].again;
        hint.after = rows[i].after;
        stage_add(t, &s, &hint);
        for (int32_t visit = 0; visit < 16; visit++) {
            s.at[visit % 2] = ploy_vec2_zero();
            CHECK_OK(stage_step(&s));
            s.at[visit % 2] = ploy_vec2_make(50, 0);
            CHECK_OK(stage_step(&s));
        }
        CHECK_INT(s.told_count, rows[i].want);
        CHECK_INT(s.told[0].visits, rows[i].visits);
        ploy_triggers_destroy(s.triggers);
    }
}

// A wounded agent leaves a drop every few ticks; the tracker, behind it, meets them in order.
TEST(a_trail_of_blood_leads_to_who_bleeds) {
    stage s;
    stage_init(t, &s, 2);
    for (int32_t i = 0; i < 60; i++) {
        s.at[0] = ploy_vec2_make((float)i, 0);
        s.at[1] = ploy_vec2_make((float)i - 12.0f, 0);
        if (i % 5 == 0) {
            ploy_trigger_def drop = ploy_trigger_def_default();
            drop.when = PLOY_TRIGGER_EACH;
            drop.skip_source = true;
            drop.source = agent_of(0);
            drop.life_ticks = 30;
            drop.kind = ploy_name_of("blood");
            drop.zone = ploy_zone_circle(s.at[0], 0.3f);
            drop.user = (uint64_t)i;
            stage_add(t, &s, &drop);
        }
        CHECK_OK(stage_step(&s));
    }
    CHECK_INT(s.told_count, 10); // drops at 0, 5, ... 45
    for (int32_t i = 0; i < s.told_count; i++) CHECK_UINT(s.told[i].user, 5 * i);
    ploy_triggers_destroy(s.triggers);
}

// ---- the slow, obvious version ----

typedef struct slow_trigger {
    ploy_trigger_def def;
    bool inside[CROWD], told[CROWD];
    bool alive, active;
    int32_t rest;
} slow_trigger;

// Every agent tries every trigger, in the order of their numbers.
static int32_t slow_step(slow_trigger *all, int32_t count, const stage *s, uint64_t *fired) {
    int32_t total = 0;
    for (int32_t k = 0; k < count; k++) {
        slow_trigger *trigger = &all[k];
        if (!trigger->active && trigger->rest > 0 && --trigger->rest == 0) trigger->active = true;
    }
    for (int32_t i = 0; i < CROWD; i++) {
        for (int32_t k = 0; k < count; k++) {
            slow_trigger *trigger = &all[k];
            if (!trigger->alive || !trigger->active) continue;
            ploy_vec3 at = ploy_vec3_make(s->at[i].x, s->at[i].y, 0);
            bool now = !s->gone[i] && ploy_zone_touches(&trigger->def.zone, at, s->radius[i]);
            bool before = trigger->inside[i];
            trigger->inside[i] = now;
            ploy_trigger_when when = trigger->def.when;
            bool fires = (when == PLOY_TRIGGER_TOUCH && now) ||
                         (when == PLOY_TRIGGER_ENTER && now && !before) ||
                         (when == PLOY_TRIGGER_LEAVE && !now && before) ||
                         (when == PLOY_TRIGGER_EACH && now && !trigger->told[i]);
            if (!fires) continue;
            trigger->told[i] = true;
            fired[total++] = (uint64_t)i * 1000u + (uint64_t)k;
            if (trigger->def.after == PLOY_TRIGGER_STAYS) continue;
            trigger->active = false;
            memset(trigger->inside, 0, sizeof trigger->inside);
            trigger->rest = trigger->def.respawn_ticks;
        }
    }
    return total;
}

static ploy_zone zone_any(ploy_rng *rng, ploy_vec2 *corners) {
    ploy_vec2 at = ploy_vec2_make(ploy_rng_range(rng, -20, 20), ploy_rng_range(rng, -20, 20));
    float size = ploy_rng_range(rng, 0.2f, 6);
    int32_t kind = ploy_rng_int(rng, 0, 2);
    if (kind == 0) return ploy_zone_circle(at, size);
    if (kind == 1) return ploy_zone_box(at, ploy_vec2_make(at.x + size, at.y - size));
    corners[0] = at;
    corners[1] = ploy_vec2_make(at.x + size, at.y);
    corners[2] = ploy_vec2_make(at.x, at.y + size);
    return ploy_zone_polygon(corners, 3);
}

TEST(the_index_gives_what_trying_everything_gives) {
    enum { MANY = 60 };
    static slow_trigger all[MANY];
    static uint64_t want[CROWD * MANY];
    for (int64_t round = 0; round < test_rounds(30); round++) {
        TEST_SEED(round + 1);
        ploy_rng rng = ploy_rng_make((uint64_t)round + 1);
        stage s;
        stage_init(t, &s, CROWD);
        memset(all, 0, sizeof all);
        for (int32_t k = 0; k < MANY; k++) {
            ploy_vec2 corners[3];
            ploy_trigger_def def = ploy_trigger_def_default();
            def.when = (ploy_trigger_when)ploy_rng_int(&rng, 0, PLOY_TRIGGER_EACH);
            def.after = ploy_rng_chance(&rng, 0.5f) ? PLOY_TRIGGER_STAYS : PLOY_TRIGGER_RESPAWNS;
            def.respawn_ticks = ploy_rng_int(&rng, 1, 9);
            def.zone = zone_any(&rng, corners);
            ploy_trigger_id id = stage_add(t, &s, &def);
            CHECK_INT(id.id.index, k);
            ploy_trigger_state state; // its corners lie in the system
            CHECK(ploy_triggers_get(s.triggers, id, &state));
            all[k].def = state.def;
            all[k].alive = all[k].active = true;
        }
        for (int32_t step = 0; step < 40; step++) {
            for (int32_t i = 0; i < CROWD; i++) {
                if (!ploy_rng_chance(&rng, 0.3f)) continue;
                s.at[i] =
                    ploy_vec2_make(ploy_rng_range(&rng, -22, 22), ploy_rng_range(&rng, -22, 22));
                s.radius[i] = ploy_rng_range(&rng, 0, 2);
                s.gone[i] = ploy_rng_chance(&rng, 0.05f);
            }
            int32_t total = slow_step(all, MANY, &s, want);
            s.told_count = 0;
            CHECK_OK(stage_step(&s));
            CHECK_INT(s.told_count, total);
            for (int32_t i = 0; i < total; i++) {
                CHECK_UINT((uint64_t)s.told[i].agent.id.index * 1000u + s.told[i].trigger.id.index,
                           want[i]);
            }
        }
        ploy_triggers_destroy(s.triggers);
    }
}

// ---- callbacks that change things ----

static void react_remove_all(stage *s, const ploy_trigger_event *event) {
    (void)event;
    ploy_triggers_clear(s->triggers);
}

static void react_remove_agents(stage *s, const ploy_trigger_event *event) {
    (void)event;
    for (int32_t i = 0; i < CROWD; i++) (void)ploy_triggers_remove_agent(s->triggers, agent_of(i));
}

static void react_switch_off(stage *s, const ploy_trigger_event *event) {
    (void)ploy_triggers_set_active(s->triggers, event->trigger, false);
}

static void react_add(stage *s, const ploy_trigger_event *event) {
    ploy_trigger_def def = ploy_trigger_def_default();
    def.zone = ploy_zone_circle(ploy_vec2_zero(), 5);
    if (event->user == 0) def.user = 1;
    if (event->user == 0) (void)ploy_triggers_add(s->triggers, &def, NULL);
}

static void react_reenter(stage *s, const ploy_trigger_event *event) {
    (void)event;
    ploy_pose_source poses = {stage_pose, s};
    if (ploy_triggers_step(s->triggers, 1e6, &poses, NULL, NULL) == PLOY_ERR_STATE) s->tick += 100;
    if (ploy_triggers_use(s->triggers, agent_of(0), NULL, NULL, NULL) == PLOY_ERR_STATE) {
        s->tick += 1000;
    }
}

TEST(a_callback_may_change_everything) {
    static const struct {
        const char *row;
        void (*react)(stage *s, const ploy_trigger_event *event);
        int32_t first, second; // events of the first and the second step, 4 agents in 2 triggers
    } rows[] = {
        {"nothing changes", NULL, 8, 8},
        {"all triggers go", react_remove_all, 1, 0},
        {"all agents go", react_remove_agents, 1, 0},
        {"each is switched off by the first who comes", react_switch_off, 2, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        stage s;
        stage_init(t, &s, 4);
        ploy_trigger_def def = ploy_trigger_def_default();
        stage_add(t, &s, &def);
        stage_add(t, &s, &def);
        for (int32_t k = 0; k < 4; k++) s.at[k] = ploy_vec2_zero();
        s.react = rows[i].react;
        CHECK_OK(stage_step(&s));
        CHECK_INT(s.told_count, rows[i].first);
        CHECK_OK(stage_step(&s));
        CHECK_INT(s.told_count - rows[i].first, rows[i].second);
        ploy_triggers_destroy(s.triggers);
    }
}

TEST(what_a_callback_adds_takes_part_from_the_next_step_on) {
    stage s;
    stage_init(t, &s, 1);
    ploy_trigger_def def = ploy_trigger_def_default();
    def.after = PLOY_TRIGGER_ONCE;
    stage_add(t, &s, &def);
    s.at[0] = ploy_vec2_zero();
    s.react = react_add;
    CHECK_OK(stage_step(&s));
    CHECK_INT(s.told_count, 1);
    CHECK_OK(stage_step(&s));
    CHECK_INT(s.told_count, 2);
    CHECK_UINT(s.told[1].user, 1);
    ploy_triggers_destroy(s.triggers);
}

TEST(a_step_within_a_step_is_refused) {
    stage s;
    stage_init(t, &s, 1);
    ploy_trigger_def def = ploy_trigger_def_default();
    stage_add(t, &s, &def);
    s.at[0] = ploy_vec2_zero();
    s.react = react_reenter;
    CHECK_OK(stage_step(&s));
    CHECK_INT(s.tick, 1101);
    ploy_triggers_destroy(s.triggers);
}

// One agent, on a plate that has noticed it.
static ploy_trigger_id stage_on_plate(test_context *t, stage *s) {
    stage_init(t, s, 1);
    ploy_trigger_def def = ploy_trigger_def_plate(disc(0, 1), ploy_name_of("plate"));
    ploy_trigger_id id = stage_add(t, s, &def);
    s->at[0] = ploy_vec2_zero();
    CHECK_OK(stage_step(s));
    return id;
}

TEST(who_vanishes_has_left) {
    stage s;
    ploy_trigger_id id = stage_on_plate(t, &s);
    s.gone[0] = true;
    CHECK_OK(stage_step(&s));
    CHECK_INT(stage_count(&s, PLOY_TRIGGER_LEFT), 1);
    s.gone[0] = false;
    CHECK_OK(stage_step(&s));
    CHECK_INT(stage_count(&s, PLOY_TRIGGER_FIRED), 2);
    // Moved away under the agent's feet it is left, too.
    ploy_zone elsewhere = disc(50, 1);
    CHECK_OK(ploy_triggers_set_zone(s.triggers, id, &elsewhere));
    CHECK_OK(stage_step(&s));
    CHECK_INT(stage_count(&s, PLOY_TRIGGER_LEFT), 2);
    ploy_triggers_destroy(s.triggers);
}

TEST(switched_off_it_forgets_who_is_in_it_without_telling) {
    stage s;
    ploy_trigger_id id = stage_on_plate(t, &s);
    CHECK(ployi_triggers_is_inside(s.triggers, id, agent_of(0)));
    CHECK_OK(ploy_triggers_set_active(s.triggers, id, false));
    CHECK(!ployi_triggers_is_inside(s.triggers, id, agent_of(0)));
    CHECK_OK(stage_step(&s));
    CHECK_INT(s.told_count, 1);
    CHECK_OK(ploy_triggers_set_active(s.triggers, id, true));
    CHECK_OK(stage_step(&s)); // whoever is in it comes in anew
    CHECK_INT(s.told_count, 2);
    CHECK_INT(s.told[1].what, PLOY_TRIGGER_FIRED);
    ploy_triggers_destroy(s.triggers);
}
