// Sight and sound through rooms, and percepts on their way.
#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "tests/state.h"
#include "tests/world/graph_test.h"
#include "world/world_internal.h"

// WLD-26: strength 2, nodes 0.9, link 0.5 over 1 m, 1 m to it and 2 m from it: 0.729 after 0.04 s.
TEST(a_journey_is_node_link_node) {
    static graph_stage s;
    graph_stage_init(&s);
    graph_row(t, &s, 2);
    s.links[0].attenuation[SOUND] = 0.5f;
    s.links[0].distance = 1;
    graph_stage_begin(t, &s);
    graph_listener(t, &s, 0, 6, 2, 0.1f);
    graph_emit(t, &s, SOUND, 2, 3, 2, 0);
    CHECK_OK(graph_step(&s, 0.0399));
    CHECK_INT(s.told_count, 0);
    CHECK_INT(ployi_room_senses_pending(s.senses), 1);
    CHECK_OK(graph_step(&s, 0.0401));
    CHECK_INT(s.told_count, 1);
    CHECK_NEAR(s.told[0].intensity, 0.729, 1e-6);
    CHECK_NEAR(s.told[0].time, 0.04, 1e-9);
    CHECK_NEAR(s.told[0].distance, 4.0, 1e-6);
    CHECK_INT(s.told[0].method, PLOY_SENSE_CONNECTION);
    CHECK_INT(s.told[0].through, 0);
    CHECK_NEAR(s.told[0].from.x, 4.0, 0.0); // it seems to come from the door
    graph_stage_fini(&s);
}

// WLD-22: a tinted window from A to B alone: sight 0.9 over 1 m, sound and smell blocked.
TEST(a_one_way_window_lets_sight_through_one_way) {
    static graph_stage s;
    graph_stage_init(&s);
    graph_stage_modalities(t, &s);
    graph_room(&s, 0, 0, 4, 4);
    graph_room(&s, 4, 0, 8, 4);
    ploy_room_link *window = graph_door(&s, 0, 1, 4, 2);
    window->distance = 1;
    window->attenuation[SIGHT] = 0.9f;
    window->attenuation[SOUND] = window->attenuation[SMELL] = 0;
    graph_stage_begin(t, &s);
    graph_listener(t, &s, 0, 1, 2, 0.01f);
    graph_listener(t, &s, 1, 7, 2, 0.01f);
    for (int32_t m = 0; m < 3; m++) graph_emit(t, &s, m, 1, 3, 2, 0); // in A
    CHECK_OK(graph_step(&s, 100));
    int32_t in_b = 0;
    for (int32_t i = 0; i < s.told_count; i++) {
        if (s.told[i].sensor.id.index != 1) continue;
        in_b++;
        CHECK_INT(s.told[i].signal.modality, SIGHT);
        CHECK_NEAR(s.told[i].intensity, 0.9, 1e-6);
    }
    CHECK_INT(in_b, 1);
    s.told_count = 0;
    for (int32_t m = 0; m < 2; m++) graph_emit(t, &s, m, 1, 5, 2, 100); // in B
    CHECK_OK(graph_step(&s, 200));
    for (int32_t i = 0; i < s.told_count; i++) CHECK_INT(s.told[i].sensor.id.index, 1);
    const ploy_sense_entry *why = ploy_sense_log_find(ploy_room_senses_log(s.senses),
                                                      graph_agent(0), ploy_agent_id_none(), 4);
    CHECK(why != NULL);
    CHECK_INT(why->reason, PLOY_SENSE_NO_ROUTE);
    graph_stage_fini(&s);
}

// WLD-23: A and C need a link of their own, even if B lies between; light may pass two.
TEST(sight_is_not_carried_on) {
    for (int32_t links = 0; links <= 2; links++) {
        static graph_stage s;
        graph_stage_init(&s);
        graph_row(t, &s, 4);
        ploy_room_senses_def def = ploy_room_senses_def_default();
        def.sight_links = links;
        graph_stage_begin_def(t, &s, &def);
        for (int32_t i = 0; i < 4; i++) {
            graph_listener(t, &s, i, 4.0f * (float)i + 2, 2, 0.01f);
        }
        graph_emit(t, &s, SIGHT, 1, 1, 2, 0);
        CHECK_OK(graph_step(&s, 0));
        CHECK_INT(s.told_count, links + 1);
        graph_stage_fini(&s);
    }
}

// WLD-21, WLD-24: the scenes in which a region manager fails. An angled corridor: the listener that
// is nearer by the way hears first, though the other is nearer through the wall. A thick wall: who
// is beside it but has no way hears nothing.
TEST(the_nearer_by_the_way_hears_first_and_walls_stop_the_rest) {
    static graph_stage s;
    graph_stage_init(&s);
    graph_stage_modalities(t, &s);
    graph_room(&s, 0, 0, 2, 30);   // up
    graph_room(&s, 2, 28, 30, 30); // right, along the top
    graph_room(&s, 28, 0, 30, 28); // down again
    graph_room(&s, 4, 0, 6, 10);   // behind the wall, shut
    graph_doors(&s, 0, 1, 2, 29);
    graph_doors(&s, 1, 2, 29, 28);
    for (int32_t i = 0; i < 4; i++) s.nodes[i].attenuation[SOUND] = 0.99f;
    graph_stage_begin(t, &s);
    graph_listener(t, &s, 0, 28.5f, 1, 0.01f); // 28 m off, but at the far end of the way
    graph_listener(t, &s, 1, 2.5f, 29, 0.01f); // 28 m up: nearer by the way
    graph_listener(t, &s, 2, 5, 1, 0.01f);     // 4 m off, behind the wall
    graph_emit(t, &s, SOUND, 10, 1, 1, 0);
    CHECK_OK(graph_step(&s, 10));
    CHECK_INT(s.told_count, 2);
    CHECK_INT(s.told[0].sensor.id.index, 1);
    CHECK_INT(s.told[1].sensor.id.index, 0);
    CHECK(s.told[1].distance > 80.0f);
    graph_stage_fini(&s);
}

// Two ways into a room: a short one through a thick curtain, a long open one.
TEST(a_wave_goes_by_distance_or_by_intensity) {
    for (int32_t order = 0; order < 2; order++) {
        static graph_stage s;
        graph_stage_init(&s);
        graph_row(t, &s, 2);
        graph_room(&s, 0, 4, 8, 8);
        graph_doors(&s, 0, 2, 2, 4);
        graph_doors(&s, 2, 1, 6, 4);
        for (int32_t i = 0; i < 3; i++) s.nodes[i].attenuation[SOUND] = 0.99f;
        s.links[0].distance = 1;
        s.links[0].attenuation[SOUND] = 0.1f;
        ploy_room_senses_def def = ploy_room_senses_def_default();
        def.sound = (ploy_sound_order)order;
        graph_stage_begin_def(t, &s, &def);
        graph_listener(t, &s, 0, 5, 2, 0.01f);
        graph_emit(t, &s, SOUND, 1, 2, 2, 0);
        CHECK_OK(graph_step(&s, 10));
        CHECK_INT(s.told_count, 1);
        CHECK_INT(s.told[0].through, order == PLOY_SOUND_BY_DISTANCE ? 0 : 4);
        graph_stage_fini(&s);
    }
}

TEST(a_shut_door_stops_and_a_muffling_one_weakens) {
    static graph_stage s;
    graph_stage_init(&s);
    graph_row(t, &s, 2);
    graph_stage_begin(t, &s);
    graph_listener(t, &s, 0, 5, 2, 0.01f);
    static const float gains[] = {1, 0.25f, 0};
    float open = 0;
    for (size_t i = 0; i < COUNT_OF(gains); i++) {
        s.told_count = 0;
        CHECK_OK(ploy_room_senses_set_link(s.senses, 0, gains[i]));
        CHECK_NEAR(ployi_room_senses_link(s.senses, 0), gains[i], 0);
        graph_emit(t, &s, SOUND, 1, 3, 2, (double)i);
        CHECK_OK(graph_step(&s, (double)i + 0.5));
        CHECK_INT(s.told_count, gains[i] > 0 ? 1 : 0);
        if (i == 0) open = s.told[0].intensity;
        if (i == 1) CHECK_NEAR(s.told[0].intensity, 0.25f * open, 1e-6);
    }
    CHECK_INT(ploy_room_senses_set_link(s.senses, 0, NAN), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_room_senses_set_link(s.senses, 9, 1), PLOY_ERR_ARGUMENT);
    graph_stage_fini(&s);
}

// ---- the slow, obvious version ----

// The wave without a queue: again and again the nearest node that a link leads to from those
// reached so far; among equals the one that was seen first.
static void slow_flood(const graph_stage *s, int32_t source, ploy_vec3 from, float *distance,
                       ploy_vec3 *entry) {
    int32_t reached[GRAPH_ROOMS], count = 1;
    for (int32_t i = 0; i < s->node_count; i++) distance[i] = INFINITY;
    distance[source] = 0;
    entry[source] = from;
    reached[0] = source;
    for (int32_t best = 0; best >= 0;) {
        float nearest = INFINITY;
        best = -1;
        for (int32_t r = 0; r < count; r++) {
            for (int32_t i = 0; i < s->link_count; i++) {
                const ploy_room_link *link = &s->links[i];
                if (link->from != reached[r] || distance[link->to] < INFINITY) continue;
                float there = distance[link->from] +
                              ploy_vec3_distance(entry[link->from], link->start) + link->distance;
                if (!(there < nearest)) continue;
                nearest = there;
                best = i;
            }
        }
        if (best < 0) break;
        distance[s->links[best].to] = nearest;
        entry[s->links[best].to] = s->links[best].end;
        reached[count++] = s->links[best].to;
    }
}

TEST(a_wave_arrives_when_flooding_says) {
    for (int64_t round = 0; round < test_rounds(60); round++) {
        TEST_SEED(round + 1);
        ploy_rng rng = ploy_rng_make((uint64_t)round + 1);
        static graph_stage s;
        graph_stage_init(&s);
        s.senses_of[SOUND].attenuation = 0.999f;
        s.senses_of[SOUND].min_intensity = 0;
        graph_stage_modalities(t, &s);
        enum { SIDE = 6 };
        for (int32_t i = 0; i < SIDE * SIDE; i++) {
            float x = 4.0f * (float)(i % SIDE), y = 4.0f * (float)(i / SIDE);
            graph_room(&s, x, y, x + 4, y + 4);
            if (i % SIDE > 0 && ploy_rng_chance(&rng, 0.7f)) graph_doors(&s, i - 1, i, x, y + 2);
            if (i / SIDE > 0 && ploy_rng_chance(&rng, 0.7f)) graph_doors(&s, i - SIDE, i, x + 2, y);
        }
        graph_stage_begin(t, &s);
        for (int32_t i = 0; i < GRAPH_AGENTS; i++) {
            float x = ploy_rng_range(&rng, 0.1f, 23.9f);
            graph_listener(t, &s, i, x, ploy_rng_range(&rng, 0.1f, 23.9f), 0);
        }
        float x = ploy_rng_range(&rng, 0.1f, 23.9f), y = ploy_rng_range(&rng, 0.1f, 23.9f);
        graph_emit(t, &s, SOUND, 1, x, y, 0);
        CHECK_OK(graph_step(&s, 1000));
        float distance[SIDE * SIDE];
        ploy_vec3 entry[SIDE * SIDE];
        int32_t source = ploy_room_graph_locate(s.graph, ploy_vec3_make(x, y, 0)), heard = 0;
        slow_flood(&s, source, ploy_vec3_make(x, y, 0), distance, entry);
        for (int32_t i = 0; i < GRAPH_AGENTS; i++) {
            int32_t node = ployi_room_senses_node_of(s.senses, graph_agent(i));
            heard += distance[node] < INFINITY ? 1 : 0;
        }
        CHECK_INT(s.told_count, heard);
        for (int32_t i = 0; i < s.told_count; i++) {
            int32_t who = (int32_t)s.told[i].sensor.id.index;
            int32_t node = ployi_room_senses_node_of(s.senses, graph_agent(who));
            float want = distance[node] + ploy_vec3_distance(entry[node], s.at[who]);
            CHECK_SAME(s.told[i].distance, want);
            CHECK_NEAR(s.told[i].time, (double)s.told[i].distance * (double)0.01f, 1e-6);
            if (i > 0) CHECK(s.told[i].time >= s.told[i - 1].time);
        }
        graph_stage_fini(&s);
    }
}

// ---- sensors that move and go, callbacks that change things ----

TEST(sensors_are_found_where_they_are) {
    static graph_stage s;
    graph_stage_init(&s);
    graph_row(t, &s, 3);
    graph_stage_begin(t, &s);
    graph_listener(t, &s, 0, 1, 2, 0.01f);
    CHECK_INT(ployi_room_senses_node_of(s.senses, graph_agent(0)), 0);
    s.at[0].x = 9;
    CHECK_OK(graph_step(&s, 0));
    CHECK_INT(ployi_room_senses_node_of(s.senses, graph_agent(0)), 2);
    s.at[0].x = 99;
    CHECK_OK(graph_step(&s, 1));
    CHECK_INT(ployi_room_senses_node_of(s.senses, graph_agent(0)), -1);
    graph_emit(t, &s, SOUND, 5, 1, 2, 1);
    CHECK_OK(graph_step(&s, 9));
    CHECK_INT(s.told_count, 0);
    CHECK_INT(ployi_room_senses_node_of(s.senses, graph_agent(5)), -1);
    graph_stage_fini(&s);
}

static int32_t one_big_room(void *user, ploy_vec3 point) {
    (void)user;
    return point.x < 1000 ? 0 : 7; // 7 is no node
}

TEST(a_game_may_bring_its_own_quantizer) {
    static graph_stage s;
    graph_stage_init(&s);
    graph_row(t, &s, 1);
    graph_stage_begin(t, &s);
    ployi_room_senses_set_locate(s.senses, one_big_room, NULL);
    graph_listener(t, &s, 0, -50, 2, 0.0001f);
    CHECK_INT(ployi_room_senses_node_of(s.senses, graph_agent(0)), 0);
    ploy_signal outside = graph_signal(SOUND, 1, 2000, 0);
    CHECK_INT(ploy_room_senses_add_signal(s.senses, &outside, 0), PLOY_ERR_NOT_FOUND);
    graph_stage_fini(&s);
}

static void react_echo(graph_stage *s, const ploy_percept *percept) {
    ploy_signal echo = graph_signal(SIGHT, 1, 2, 2);
    (void)ploy_room_senses_add_signal(s->senses, &echo, percept->time);
}

static void react_remove(graph_stage *s, const ploy_percept *percept) {
    (void)percept;
    for (int32_t i = 0; i < GRAPH_AGENTS; i++) {
        (void)ploy_room_senses_remove_sensor(s->senses, graph_agent(i));
    }
    if (graph_step(s, 1e9) == PLOY_ERR_STATE) s->at[63].x = 777;
}

TEST(callbacks_may_echo_and_remove) {
    static graph_stage s;
    graph_stage_init(&s);
    graph_row(t, &s, 1);
    graph_stage_begin(t, &s);
    graph_listener(t, &s, 0, 1, 2, 0.01f);
    s.react = react_echo;
    graph_emit(t, &s, SIGHT, 1, 2, 2, 0);
    for (int32_t i = 1; i < 5; i++) { // an echo a step, not for ever in the first
        CHECK_OK(graph_step(&s, 0));
        CHECK_INT(s.told_count, i);
    }
    s.react = react_remove;
    for (int32_t i = 0; i < 8; i++) graph_listener(t, &s, i, 1, 2, 0.01f);
    graph_emit(t, &s, SIGHT, 1, 2, 2, 1);
    s.told_count = 0;
    CHECK_OK(graph_step(&s, 1));
    CHECK_INT(s.told_count, 1);
    CHECK_NEAR(s.at[63].x, 777, 0);
    CHECK_INT(ployi_room_senses_sensor_count(s.senses), 0);
    graph_stage_fini(&s);
}

// Few and many: they are sorted in two ways.
TEST(equal_times_are_told_by_sensor) {
    for (int32_t many = 0; many < 2; many++) {
        static graph_stage s;
        graph_stage_init(&s);
        graph_row(t, &s, 3);
        graph_stage_begin(t, &s);
        int32_t count = many ? GRAPH_AGENTS : 30;
        for (int32_t i = 0; i < count; i++) { // rooms in turns, so that node order is another
            graph_listener(t, &s, i, 4.0f * (float)((i * 7) % 2) + 1, 2, 0.01f);
        }
        graph_emit(t, &s, SIGHT, 1, 5, 2, 0);
        CHECK_OK(graph_step(&s, 0));
        CHECK_INT(s.told_count, count);
        for (int32_t i = 0; i < count; i++) CHECK_INT(s.told[i].sensor.id.index, i);
        graph_stage_fini(&s);
    }
}

TEST(bad_signals_and_sensors_are_refused) {
    static graph_stage s;
    graph_stage_init(&s);
    graph_row(t, &s, 1);
    graph_stage_begin(t, &s);
    ploy_signal nan = graph_signal(SOUND, NAN, 1, 1), odd = graph_signal(7, 1, 1, 1);
    ploy_signal sound = graph_signal(SOUND, 1, 1, 1), outside = graph_signal(SOUND, 1, 99, 1);
    CHECK_INT(ploy_room_senses_add_signal(s.senses, &nan, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_room_senses_add_signal(s.senses, &odd, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_room_senses_add_signal(s.senses, &sound, NAN), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_room_senses_add_signal(s.senses, NULL, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_room_senses_add_signal(s.senses, &outside, 0), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_room_senses_set_source(s.senses, &sound), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_room_senses_remove_sensor(s.senses, graph_agent(3)), PLOY_ERR_NOT_FOUND);
    ploy_sensor nobody = ploy_sensor_make(ploy_agent_id_none());
    CHECK_INT(ploy_room_senses_set_sensor(s.senses, &nobody), PLOY_ERR_ARGUMENT);
    CHECK_OK(graph_step(&s, 5));
    CHECK_INT(graph_step(&s, 4), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_room_senses_set_wind(s.senses, ploy_vec3_make(NAN, 0, 0)), PLOY_ERR_ARGUMENT);
    graph_stage_fini(&s);
    CHECK_OK(ploy_fields_check_table(ploy_room_senses_fields(), NULL));
}

static ploy_result graph_life(const ploy_env *env, void *arg) {
    graph_stage *s = arg;
    ploy_room_senses_def def = ploy_room_senses_def_default();
    def.sensors = def.pending = 1;
    def.log = 4;
    ploy_pose_source poses = {graph_pose, s};
    ploy_room_senses *senses = NULL;
    ploy_result result = ploy_room_senses_create(&def, s->graph, poses, env, &senses);
    for (int32_t i = 0; result == PLOY_OK && i < 9; i++) {
        ploy_sensor sensor = ploy_sensor_make(graph_agent(i));
        for (int32_t m = 0; m < 3; m++) (void)ploy_sensor_set(&sensor, m, 0.001f);
        result = ploy_room_senses_set_sensor(senses, &sensor);
    }
    for (int32_t i = 0; result == PLOY_OK && i < 9; i++) {
        ploy_signal signal = graph_signal(i % 3, 5, 1, 1);
        result = ploy_room_senses_add_signal(senses, &signal, i);
        signal.modality = SMELL;
        if (result == PLOY_OK) result = ploy_room_senses_set_source(senses, &signal);
        if (result == PLOY_OK) result = ploy_room_senses_step(senses, i, NULL, NULL, NULL);
    }
    ploy_room_senses_destroy(senses);
    return result;
}

TEST(every_failing_allocation_of_a_graph_is_survived) {
    static graph_stage s;
    graph_stage_init(&s);
    graph_row(t, &s, 3);
    graph_stage_begin(t, &s);
    CHECK_FAIL_NTH(graph_life, &s);
    graph_stage_fini(&s);
}

TEST(warm_it_allocates_nothing) {
    static graph_stage s;
    graph_stage_init(&s);
    test_counts counts;
    s.env = test_counting_env(&counts);
    graph_row(t, &s, 8);
    graph_stage_begin(t, &s);
    for (int32_t i = 0; i < GRAPH_AGENTS; i++) graph_listener(t, &s, i, 1, 1, 0.001f);
    ploy_rng rng = ploy_rng_make(3);
    int64_t warm = 0;
    for (int32_t step = 0; step < 400; step++) {
        if (step == 200) warm = counts.calls;
        for (int32_t i = 0; i < GRAPH_AGENTS; i++) s.at[i].x = ploy_rng_range(&rng, 0, 32);
        double now = 0.1 * step;
        for (int32_t m = 0; m < 3; m++) {
            graph_emit(t, &s, m, 5, ploy_rng_range(&rng, 0.1f, 31.9f), 2, now);
        }
        s.told_count = 0;
        CHECK_OK(graph_step(&s, now));
    }
    CHECK_INT(counts.calls, warm);
    graph_stage_fini(&s);
    CHECK_INT(counts.bytes, 0);
}

static void graph_full(test_context *t, graph_stage *s, const ploy_env *env, int32_t steps) {
    graph_stage_init(s);
    graph_row(t, s, 5);
    ploy_room_senses_def def = ploy_room_senses_def_default();
    def.pending = 4;
    def.sensors = 2;
    def.log = 8;
    CHECK_OK(ploy_room_graph_create(s->nodes, s->node_count, s->links, s->link_count, s->modalities,
                                    &s->env, &s->graph));
    ploy_pose_source poses = {graph_pose, s};
    CHECK_OK(ploy_room_senses_create(&def, s->graph, poses, env, &s->senses));
    for (int32_t i = 0; i < 5; i++) graph_listener(t, s, i, 4.0f * (float)i + 1.0f, 2, 0.0001f);
    CHECK_OK(ploy_room_senses_remove_sensor(s->senses, graph_agent(2)));
    for (int32_t i = 1; i <= steps; i++) {
        double now = 0.1 * i;
        if (i % 5 == 1) graph_emit(t, s, SMELL, 9.0f, 1, 1, now);
        CHECK_OK(graph_step(s, now));
        if (i % 3 == 1) graph_emit(t, s, SOUND, 9.0f, 2, 2, now);
    }
}

TEST(rooms_save_and_load_what_is_in_the_air) {
    static const char *const skip[] = {
        "generation", "link",     "first_free", "next_free",  "free_record", "free_count",
        "key",        "payload",  "order",      "next_order", "time",        "detects",
        "agent",      "modality", "size",       "sensor",     "threshold",   "dulled",
        "dull until", "stepped",  "running",    "cursor",     NULL};
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    graph_stage *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    graph_full(t, a, &env, 31);
    CHECK(ployi_room_senses_pending(a->senses) > 0);
    state_check s = {ploy_room_senses_visit, a->senses, NULL, skip, NULL};
    state_check_memory(t, &s, &counts);
    state_check_all(t, &s);
    graph_full(t, b, &env, 2);
    state_check_copy(t, &s, b->senses);
    a->told_count = b->told_count = 0;
    for (int32_t i = 32; i < 80; i++) {
        if (i % 7 == 0) graph_emit(t, a, SMELL, 5.0f, 9, 1, 0.1 * (i - 1));
        if (i % 7 == 0) graph_emit(t, b, SMELL, 5.0f, 9, 1, 0.1 * (i - 1));
        CHECK_OK(graph_step(a, 0.1 * i));
        CHECK_OK(graph_step(b, 0.1 * i));
        CHECK_UINT(ploy_visit_hash(ploy_room_senses_visit, b->senses, NULL), state_hash(&s));
    }
    CHECK(a->told_count > 5);
    CHECK_INT(a->told_count, b->told_count);
    graph_stage_fini(a);
    graph_stage_fini(b);
    free(a);
    free(b);
}
