// Drafts: openings and lines of sight found by rays.
#include "tests/world/graph_test.h"

// Three rooms of 4 m in a row; walls between them with a door from y = 1 to 2 in the first and none
// in the second, unless it is opened too.
static void draft_make(test_context *t, graph_stage *s, bool second_open) {
    graph_stage_init(s);
    graph_stage_modalities(t, s);
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_plain_scene *scene = NULL;
    CHECK_OK(ploy_plain_scene_create(&def, &s->env, &scene));
    for (int32_t i = 0; i < 3; i++) graph_room(s, 4.0f * (float)i, 0, 4.0f * (float)(i + 1), 4);
    for (int32_t wall = 1; wall <= 2; wall++) {
        float x = 4.0f * (float)wall;
        bool open = wall == 1 || second_open;
        ploy_vec2 a = {x, 0}, b = {x, 1}, c = {x, open ? 2.0f : 1.0f}, d = {x, 4};
        CHECK_OK(ploy_plain_scene_add_segment(scene, a, b, 1, NULL));
        CHECK_OK(ploy_plain_scene_add_segment(scene, c, d, 1, NULL));
    }
    ploy_scene walls = ploy_plain_scene_interface(scene);
    ploy_room_draft_def draft = ploy_room_draft_def_default();
    CHECK_OK(ploy_room_graph_draft(&draft, s->nodes, s->node_count, &walls, 1, s->modalities,
                                   &s->env, &s->graph));
    ploy_plain_scene_destroy(scene);
}

TEST(openings_become_links_at_their_middle) {
    static graph_stage s;
    draft_make(t, &s, false);
    CHECK_INT(ploy_room_graph_link_count(s.graph), 2);
    for (int32_t i = 0; i < 2; i++) {
        const ploy_room_link *link = ploy_room_graph_link(s.graph, i);
        CHECK_INT(link->from, i);
        CHECK_INT(link->to, 1 - i);
        CHECK_NEAR(link->start.x, 4, 0);
        CHECK_NEAR(link->start.y, 1.5, 0.13);
        CHECK(link->attenuation[SOUND] > 0 && link->attenuation[SMELL] > 0);
    }
    graph_stage_fini(&s);
}

// WLD-22: any point sees any point: the outer rooms see each other through two doors in a line.
TEST(rooms_that_see_each_other_are_linked_for_sight_alone) {
    static graph_stage s;
    draft_make(t, &s, true);
    CHECK_INT(ploy_room_graph_link_count(s.graph), 6);
    int32_t sight_only = 0;
    for (int32_t i = 0; i < 6; i++) {
        const ploy_room_link *link = ploy_room_graph_link(s.graph, i);
        bool far_apart = link->from + link->to == 2 && link->from != 1;
        CHECK_INT(link->attenuation[SOUND] > 0, !far_apart);
        CHECK(link->attenuation[SIGHT] > 0);
        sight_only += far_apart ? 1 : 0;
    }
    CHECK_INT(sight_only, 2);
    graph_stage_fini(&s);
}

TEST(a_draft_refuses_bad_settings_and_nodes) {
    static graph_stage s;
    draft_make(t, &s, false);
    ploy_room_draft_def def = ploy_room_draft_def_default();
    CHECK_OK(ploy_fields_check_table(ploy_room_draft_fields(), NULL));
    ploy_room_graph *graph = NULL;
    CHECK_INT(ploy_room_graph_draft(&def, s.nodes, 0, NULL, 1, s.modalities, &s.env, &graph),
              PLOY_ERR_ARGUMENT);
    def.gap = NAN;
    CHECK_INT(ploy_room_graph_draft(&def, s.nodes, 3, NULL, 1, s.modalities, &s.env, &graph),
              PLOY_ERR_ARGUMENT);
    CHECK(graph == NULL);
    graph_stage_fini(&s);
}

static ploy_result draft_all(const ploy_env *env, void *arg) {
    graph_stage *s = arg;
    ploy_room_draft_def def = ploy_room_draft_def_default();
    def.spacing = 1;
    ploy_room_graph *graph = NULL;
    ploy_result result =
        ploy_room_graph_draft(&def, s->nodes, 3, NULL, 1, s->modalities, env, &graph);
    TEST_REPORT(result, env, graph, ploy_room_graph_memory);
    ploy_room_graph_destroy(graph);
    return result;
}

TEST(every_failing_allocation_of_a_draft_is_survived) {
    static graph_stage s;
    draft_make(t, &s, false);
    CHECK_FAIL_NTH(draft_all, &s);
    graph_stage_fini(&s);
}
