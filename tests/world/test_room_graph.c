// The graph itself: what it refuses, and which node a point is in.
#include "ploy/base/rng.h"
#include "tests/draw_count.h"
#include "tests/world/graph_test.h"

TEST(a_graph_refuses_what_makes_no_sense) {
    static graph_stage s;
    graph_stage_init(&s);
    graph_row(t, &s, 2);
    ploy_room nodes[2];
    ploy_room_link links[2];
    for (int32_t row = 0; row < 9; row++) {
        memcpy(nodes, s.nodes, sizeof nodes);
        memcpy(links, s.links, sizeof links);
        int32_t count = 2;
        ploy_result want = PLOY_ERR_ARGUMENT;
        if (row == 0) want = PLOY_OK;
        if (row == 1) nodes[1].name = "";
        if (row == 2) nodes[1].name = nodes[0].name, want = PLOY_ERR_EXISTS;
        if (row == 3) nodes[0].zone.low = 5, nodes[0].zone.high = 4;
        if (row == 4) nodes[0].dissipation[SMELL] = 1.5f;
        if (row == 5) links[1].to = 2;
        if (row == 6) links[0].to = links[0].from;
        if (row == 7) links[0].distance = NAN;
        if (row == 8) count = 0;
        ploy_room_graph *graph = NULL;
        CHECK_INT(ploy_room_graph_create(nodes, count, links, 2, s.modalities, &s.env, &graph),
                  want);
        CHECK_INT(graph != NULL, want == PLOY_OK);
        ploy_room_graph_destroy(graph);
    }
    graph_stage_fini(&s);
}

TEST(links_are_listed_by_the_node_they_leave) {
    for (int64_t round = 0; round < test_rounds(100); round++) {
        TEST_SEED(round + 1);
        ploy_rng rng = ploy_rng_make((uint64_t)round + 1);
        static graph_stage s;
        graph_stage_init(&s);
        graph_row(t, &s, 12);
        for (int32_t i = 0; i < 40; i++) {
            int32_t from = ploy_rng_int(&rng, 0, 11), to = ploy_rng_int(&rng, 0, 11);
            if (from != to) (void)graph_door(&s, from, to, 1, 1);
        }
        graph_stage_begin(t, &s);
        int32_t seen = 0;
        for (int32_t node = 0; node < 12; node++) {
            int32_t count = 0, last = -1;
            const int32_t *out = ploy_room_graph_out(s.graph, node, &count);
            for (int32_t i = 0; i < count; i++, seen++) {
                CHECK(out[i] > last);
                last = out[i];
                CHECK_INT(ploy_room_graph_link(s.graph, out[i])->from, node);
            }
        }
        CHECK_DRAWS(12, ploy_room_graph_draw(s.graph, &drawing));
        CHECK_INT(seen, s.link_count);
        graph_stage_fini(&s);
    }
}

TEST(a_point_lies_in_the_lowest_node_that_holds_it) {
    for (int64_t round = 0; round < test_rounds(50); round++) {
        TEST_SEED(round + 1);
        ploy_rng rng = ploy_rng_make((uint64_t)round + 1);
        static graph_stage s;
        graph_stage_init(&s);
        graph_stage_modalities(t, &s);
        for (int32_t i = 0; i < 20; i++) { // overlapping, and on two floors
            float x = ploy_rng_range(&rng, -10, 10), y = ploy_rng_range(&rng, -10, 10);
            int32_t node = graph_room(&s, x, y, x + 6, y + 3);
            if (i % 2 == 0) s.nodes[node].zone.low = 0, s.nodes[node].zone.high = 3;
        }
        graph_stage_begin(t, &s);
        for (int32_t i = 0; i < 200; i++) {
            ploy_vec3 at = {ploy_rng_range(&rng, -12, 18), ploy_rng_range(&rng, -12, 15),
                            ploy_rng_range(&rng, -3, 6)};
            int32_t want = -1;
            for (int32_t k = 0; k < 20 && want < 0; k++) {
                if (ploy_zone_contains(&s.nodes[k].zone, at)) want = k;
            }
            CHECK_INT(ploy_room_graph_locate(s.graph, at), want);
        }
        CHECK_INT(ploy_room_graph_find(s.graph, "ac"), 2);
        CHECK_INT(ploy_room_graph_find(s.graph, "nowhere"), -1);
        graph_stage_fini(&s);
    }
}
