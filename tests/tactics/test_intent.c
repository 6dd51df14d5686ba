// The intent interpreter (TAC-45).
#include "ploy/tactics/intent.h"
#include "tests/state.h"

// corridor - junction - corridor - room, along x
static const ploy_intent_area level[] = {
    {PLOY_AREA_CORRIDOR, {{0, -1}, {20, 1}}},
    {PLOY_AREA_JUNCTION, {{20, -1}, {24, 1}}},
    {PLOY_AREA_CORRIDOR, {{24, -1}, {36, 1}}},
    {PLOY_AREA_ROOM, {{36, -8}, {50, 8}}},
};

TEST(the_reading_follows_position_and_direction) {
    static const struct {
        const char *row;
        float x, vx;
        ploy_intent_kind kind;
        int32_t area, next;
    } rows[] = {
        {"down the corridor", 5, 2, PLOY_INTENT_CORRIDOR, 0, -1},
        {"the junction is near", 15, 2, PLOY_INTENT_JUNCTION, 0, 1},
        {"near, but walking away", 15, -2, PLOY_INTENT_CORRIDOR, 0, -1},
        {"near, but standing", 15, 0, PLOY_INTENT_CORRIDOR, 0, -1},
        {"in it", 22, 2, PLOY_INTENT_JUNCTION, 1, 2},
        {"before the room", 33, 2, PLOY_INTENT_CORRIDOR, 2, 3},
        {"in the room", 40, 0, PLOY_INTENT_ROOM, 3, -1},
        {"outside the map", 90, 0, PLOY_INTENT_UNKNOWN, -1, -1},
    };
    ploy_intent_def def = ploy_intent_def_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_intent intent;
        memset(&intent, 0, sizeof intent);
        ploy_intent_step(&def, &intent, level, 4, ploy_vec2_make(rows[i].x, 0),
                         ploy_vec2_make(rows[i].vx, 0), 0.0);
        CHECK_INT(intent.kind, rows[i].kind);
        CHECK_INT(intent.area, rows[i].area);
        CHECK_INT(intent.next, rows[i].next);
        CHECK((intent.confidence > 0.0f) == (rows[i].kind != PLOY_INTENT_UNKNOWN));
    }
}

TEST(a_reading_counts_when_it_has_held) {
    ploy_intent_def def = ploy_intent_def_default(); // 0.75 s
    ploy_intent intent;
    memset(&intent, 0, sizeof intent);
    double now = 0.0;
    int32_t changes = 0;
    // The player turns on the spot every 0.5 s, near the junction: the squad stays calm.
    for (int32_t i = 0; i < 100; i++, now += 0.1) {
        float direction = i / 5 % 2 == 0 ? -2.0f : 2.0f;
        changes += ploy_intent_step(&def, &intent, level, 4, ploy_vec2_make(15, 0),
                                    ploy_vec2_make(direction, 0), now);
    }
    CHECK_INT(changes, 1);
    CHECK_INT(intent.kind, PLOY_INTENT_CORRIDOR);
    for (int32_t i = 0; i < 10; i++, now += 0.1) {
        changes += ploy_intent_step(&def, &intent, level, 4, ploy_vec2_make(15, 0),
                                    ploy_vec2_make(2, 0), now);
    }
    CHECK_INT(changes, 2);
    CHECK_INT(intent.kind, PLOY_INTENT_JUNCTION);
    CHECK_NEAR(intent.heading, 0, 1e-6);
    CHECK_NEAR(intent.confidence, 1, 1e-6);
}

TEST(state_of_an_intent_is_visited) {
    ploy_intent_def def = ploy_intent_def_default();
    ploy_intent intent;
    memset(&intent, 0, sizeof intent);
    ploy_intent_step(&def, &intent, level, 4, ploy_vec2_make(15, 0), ploy_vec2_make(1, 0.5f), 2.0);
    state_check s = {ploy_intent_visit, &intent, NULL, NULL, NULL};
    state_check_all(t, &s);
}
