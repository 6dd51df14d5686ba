// Smell in a sense graph: it travels, lingers, fades and leads.
#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "tests/world/graph_test.h"

// WLD-25: half after one second, a quarter after two.
TEST(a_smell_loses_half_each_second) {
    static graph_stage s;
    graph_stage_init(&s);
    graph_row(t, &s, 1);
    graph_stage_begin(t, &s);
    graph_emit(t, &s, SMELL, 8, 2, 2, 0);
    for (int32_t i = 0; i <= 3; i++) {
        CHECK_OK(graph_step(&s, i));
        CHECK_NEAR(ploy_room_senses_smell(s.senses, SMELL, 0), 8.0 / (1 << i), 1e-4);
    }
    CHECK_OK(graph_step(&s, 30)); // below the minimum it is gone
    CHECK_NEAR(ploy_room_senses_smell(s.senses, SMELL, 0), 0, 0);
    CHECK_NEAR(ploy_room_senses_smell(s.senses, SOUND, 0), 0, 0);
    CHECK_NEAR(ploy_room_senses_smell(s.senses, SMELL, -1), 0, 0);
    graph_stage_fini(&s);
}

// Poison duct: rooms joined by a duct that carries smell alone. Arrival = way * inverse speed,
// however coarse the steps are; blocked, never.
TEST(gas_in_a_duct_arrives_at_its_time_or_never) {
    static const struct {
        const char *row;
        double dt;
        bool blocked;
    } rows[] = {{"fine steps", 1.0 / 64, false}, {"coarse steps", 1, false}, {"shut", 0.25, true}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        static graph_stage s;
        graph_stage_init(&s);
        s.senses_of[SMELL].dissipation = 0;
        graph_stage_modalities(t, &s);
        graph_room(&s, 0, 0, 4, 4);
        graph_room(&s, 20, 0, 24, 4);
        ploy_room_link *duct = graph_door(&s, 0, 1, 4, 2);
        duct->end = ploy_vec3_make(20, 2, 0);
        duct->distance = 3; // shorter than it looks
        duct->attenuation[SIGHT] = duct->attenuation[SOUND] = 0;
        if (rows[i].blocked) duct->attenuation[SMELL] = 0;
        graph_stage_begin(t, &s);
        graph_listener(t, &s, 0, 22, 2, 1);
        graph_emit(t, &s, SMELL, 10, 2, 2, 0);
        for (int32_t k = 0; (double)k * rows[i].dt <= 20; k++) {
            CHECK_OK(graph_step(&s, (double)k * rows[i].dt));
        }
        CHECK_INT(s.told_count > 0, !rows[i].blocked);
        if (!rows[i].blocked) {
            CHECK_NEAR(s.told[0].time, 7.0, 1e-6); // 2 to the duct, 3 in it, 2 from it
            CHECK_NEAR(s.told[0].intensity, 10 * pow(0.9, 7), 1e-5);
            CHECK_INT(s.told[0].method, PLOY_SENSE_LINGERING);
            CHECK_INT(s.told[0].through, 0);
        }
        graph_stage_fini(&s);
    }
}

// Told again only after an interval; who comes in later smells it then.
TEST(a_lingering_smell_is_told_now_and_then) {
    static graph_stage s;
    graph_stage_init(&s);
    s.senses_of[SMELL].dissipation = 0;
    graph_row(t, &s, 1);
    ploy_room_senses_def def = ploy_room_senses_def_default();
    def.renotify_s = 2;
    graph_stage_begin_def(t, &s, &def);
    graph_listener(t, &s, 0, 2, 2, 0.01f);
    graph_listener(t, &s, 1, -9, 2, 0.01f);
    graph_emit(t, &s, SMELL, 5, 2, 2, 0);
    for (int32_t i = 0; i <= 40; i++) {
        if (i == 22) s.at[1].x = 2;
        CHECK_OK(graph_step(&s, 0.25 * i));
    }
    int32_t first = 0, second = 0;
    double came = -1;
    for (int32_t i = 0; i < s.told_count; i++) {
        if (s.told[i].sensor.id.index == 0) first++;
        if (s.told[i].sensor.id.index == 1 && second++ == 0) came = s.told[i].time;
    }
    CHECK_INT(first, 6);  // at 0, 2, ... 10 s
    CHECK_INT(second, 3); // at 5.5, 7.5, 9.5 s
    CHECK_NEAR(came, 5.5, 1e-9);
    graph_stage_fini(&s);
}

// Never by addition: what goes back and forth does not grow, and it dies out in the end.
TEST(what_goes_round_in_circles_does_not_grow) {
    for (int64_t round = 0; round < test_rounds(30); round++) {
        TEST_SEED(round + 1);
        ploy_rng rng = ploy_rng_make((uint64_t)round + 1);
        static graph_stage s;
        graph_stage_init(&s);
        s.senses_of[SMELL].inverse_speed = ploy_rng_chance(&rng, 0.3f) ? 0 : 0.2f;
        s.senses_of[SMELL].dissipation = 0.3f;
        graph_stage_modalities(t, &s);
        for (int32_t i = 0; i < 9; i++) {
            float x = 4.0f * (float)(i % 3), y = 4.0f * (float)(i / 3);
            graph_room(&s, x, y, x + 4, y + 4);
            if (i % 3 > 0) graph_doors(&s, i - 1, i, x, y + 2);
            if (i / 3 > 0) graph_doors(&s, i - 3, i, x + 2, y);
        }
        for (int32_t i = 0; i < s.link_count; i++) s.links[i].attenuation[SMELL] = 1;
        for (int32_t i = 0; i < 9; i++)
            s.nodes[i].attenuation[SMELL] = 1; // nothing is lost on ways
        graph_stage_begin(t, &s);
        float most = 0;
        for (int32_t i = 0; i < 3; i++) {
            float strength = ploy_rng_range(&rng, 1, 9);
            most = ploy_maxf(most, strength);
            graph_emit(t, &s, SMELL, strength, ploy_rng_range(&rng, 0, 12),
                       ploy_rng_range(&rng, 0, 12), 0);
        }
        for (int32_t k = 0; k <= 200; k++) {
            double now = 0.25 * k;
            CHECK_OK(graph_step(&s, now));
            for (int32_t i = 0; i < 9; i++) {
                float smell = ploy_room_senses_smell(s.senses, SMELL, i);
                // Links hold back what decays in the rooms: at most all of their length longer.
                CHECK(smell <= most * 1.0001f);
                if (k == 200) CHECK(smell < 0.01f);
            }
        }
        graph_stage_fini(&s);
    }
}

TEST(a_source_keeps_its_room_full_and_its_neighbours_smelling) {
    static graph_stage s;
    graph_stage_init(&s);
    s.senses_of[SMELL].dissipation = 0.1f;
    graph_row(t, &s, 3);
    graph_stage_begin(t, &s);
    ploy_signal source = graph_signal(SMELL, 4, 2, 2);
    source.source = graph_agent(9);
    CHECK_OK(ploy_room_senses_set_source(s.senses, &source));
    for (int32_t i = 0; i <= 100; i++) CHECK_OK(graph_step(&s, 0.1 * i));
    CHECK_NEAR(ploy_room_senses_smell(s.senses, SMELL, 0), 4, 1e-6);
    float next = ploy_room_senses_smell(s.senses, SMELL, 1);
    float after = ploy_room_senses_smell(s.senses, SMELL, 2);
    CHECK(next > 0.5f && next < 4 && after > 0 && after < next);
    source.position = ploy_vec3_make(10, 2, 0); // it moves: one source, not two
    CHECK_OK(ploy_room_senses_set_source(s.senses, &source));
    for (int32_t i = 101; i <= 300; i++) CHECK_OK(graph_step(&s, 0.1 * i));
    CHECK_NEAR(ploy_room_senses_smell(s.senses, SMELL, 2), 4, 1e-6);
    CHECK(ploy_room_senses_smell(s.senses, SMELL, 0) < 1.5f);
    CHECK_OK(ploy_room_senses_remove_source(s.senses, graph_agent(9), SMELL));
    CHECK_INT(ploy_room_senses_remove_source(s.senses, graph_agent(9), SMELL), PLOY_ERR_NOT_FOUND);
    for (int32_t i = 301; i <= 1500; i++) CHECK_OK(graph_step(&s, 0.1 * i));
    CHECK_NEAR(ploy_room_senses_smell(s.senses, SMELL, 2), 0, 0);
    graph_stage_fini(&s);
}

// A tracker that always goes where the scent is stronger reaches the source.
TEST(a_trail_leads_to_the_source) {
    static graph_stage s;
    graph_stage_init(&s);
    s.senses_of[SMELL].dissipation = 0.1f;
    graph_row(t, &s, 6);
    graph_stage_begin(t, &s);
    ploy_signal source = graph_signal(SMELL, 50, 22, 3);
    source.source = graph_agent(9);
    CHECK_OK(ploy_room_senses_set_source(s.senses, &source));
    ploy_smell_trail trail;
    ploy_vec3 tracker = {1, 1, 0};
    CHECK_OK(graph_step(&s, 0));
    CHECK(!ploy_room_senses_trail(s.senses, SMELL, tracker, &trail));
    for (int32_t i = 1; i <= 400; i++) CHECK_OK(graph_step(&s, 0.1 * i));
    int32_t doors = 0;
    for (int32_t i = 0; i < 20; i++) {
        CHECK(ploy_room_senses_trail(s.senses, SMELL, tracker, &trail));
        if (trail.link < 0) break;
        doors++;
        CHECK_NEAR(trail.toward.x, 4.0 * doors, 0); // the door
        tracker = ploy_room_graph_link(s.graph, trail.link)->end;
        tracker.x += 0.5f; // through it
    }
    CHECK_INT(doors, 5);
    CHECK_NEAR(trail.toward.x, 22, 0);
    CHECK_NEAR(trail.toward.y, 3, 0);
    graph_stage_fini(&s);
}

TEST(wind_carries_a_smell_downwind_sooner) {
    static graph_stage s;
    graph_stage_init(&s);
    s.senses_of[SMELL].wind = 0.5f;
    s.senses_of[SMELL].dissipation = 0;
    graph_row(t, &s, 3);
    graph_stage_begin(t, &s);
    CHECK_OK(ploy_room_senses_set_wind(s.senses, ploy_vec3_make(1, 0, 0)));
    graph_listener(t, &s, 0, 4, 2, 0.01f); // in the doors, which belong to the lower room
    graph_listener(t, &s, 1, 8.001f, 2, 0.01f);
    s.at[0].x = 3.999f;
    graph_emit(t, &s, SMELL, 5, 6, 2, 0);
    for (int32_t i = 0; i <= 100; i++) CHECK_OK(graph_step(&s, 0.1 * i));
    CHECK(s.told_count > 1);
    CHECK_INT(s.told[0].sensor.id.index, 1); // downwind first
    CHECK_NEAR(s.told[0].time, 2 / 1.5, 0.01);
    double upwind = 0;
    for (int32_t i = s.told_count - 1; i >= 0; i--) {
        if (s.told[i].sensor.id.index == 0) upwind = s.told[i].time;
    }
    CHECK_NEAR(upwind, 2 / 0.5, 0.01);
    graph_stage_fini(&s);
}

// WLD-27: with a budget a run takes several steps, and nothing is lost.
TEST(a_budget_cuts_a_run_into_pieces) {
    static graph_stage s;
    graph_stage_init(&s);
    s.senses_of[SMELL].inverse_speed = 0;
    graph_row(t, &s, 10);
    graph_stage_begin(t, &s);
    for (int32_t i = 0; i < 10; i++) {
        graph_listener(t, &s, i, 4.0f * (float)i + 2, 2, 0.0001f);
    }
    graph_emit(t, &s, SMELL, 500, 2, 2, 0);
    int32_t steps = 0;
    for (ploy_result result = PLOY_IN_PROGRESS; result == PLOY_IN_PROGRESS; steps++) {
        ploy_budget budget = ploy_budget_units(3);
        CHECK(steps < 10);
        result = ploy_room_senses_step(s.senses, 0, &budget, graph_told, &s);
        CHECK(result == PLOY_OK || result == PLOY_IN_PROGRESS);
    }
    CHECK_INT(s.told_count, 10);
    CHECK_INT(steps, 4);
    graph_stage_fini(&s);
}

// A door that opens later lets out what hangs in the room.
TEST(an_opened_door_lets_it_out) {
    static graph_stage s;
    graph_stage_init(&s);
    s.senses_of[SMELL].dissipation = 0;
    graph_row(t, &s, 2);
    graph_stage_begin(t, &s);
    CHECK_OK(ploy_room_senses_set_link(s.senses, 0, 0));
    graph_emit(t, &s, SMELL, 5, 2, 2, 0);
    for (int32_t i = 0; i <= 50; i++) CHECK_OK(graph_step(&s, 0.1 * i));
    CHECK_NEAR(ploy_room_senses_smell(s.senses, SMELL, 1), 0, 0);
    CHECK_OK(ploy_room_senses_set_link(s.senses, 0, 1));
    for (int32_t i = 51; i <= 100; i++) CHECK_OK(graph_step(&s, 0.1 * i));
    CHECK(ploy_room_senses_smell(s.senses, SMELL, 1) > 1);
    graph_stage_fini(&s);
}

TEST(a_door_that_shuts_holds_back_what_is_under_way) {
    static graph_stage s;
    graph_stage_init(&s);
    s.senses_of[SMELL].dissipation = 0;
    graph_row(t, &s, 2);
    graph_stage_begin(t, &s);
    graph_emit(t, &s, SMELL, 5, 2, 2, 0); // 2 s to the door
    CHECK_OK(graph_step(&s, 1));
    CHECK_OK(ploy_room_senses_set_link(s.senses, 0, 0));
    for (int32_t i = 2; i <= 9; i++) CHECK_OK(graph_step(&s, i));
    CHECK_NEAR(ploy_room_senses_smell(s.senses, SMELL, 1), 0, 0);
    graph_stage_fini(&s);
}
