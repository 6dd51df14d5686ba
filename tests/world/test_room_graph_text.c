// Sense graphs as text: there and back, what is wrong where, and what looks odd.
#include "tests/world/graph_test.h"

static void graph_write(const ploy_room_graph *graph, const ploy_env *env, ploy_buffer *buffer) {
    ploy_buffer_init(buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 2);
    ploy_room_graph_save(graph, &json);
    (void)ploy_json_writer_finish(&json);
}

static const char graph_example[] =
    "{ // two rooms, a door and a duct\n"
    "  \"nodes\": [\n"
    "    {\"name\": \"hall\", \"zone\": {\"kind\": \"box\", \"min\": [0, 0], \"max\": [4, 4]},\n"
    "     \"attenuation\": {\"sound\": 0.8}},\n"
    "    {\"name\": \"cell\", \"zone\": {\"kind\": \"polygon\", \"points\": [[4, 0], [8, 0], [8, "
    "4], [4, 4]]},\n"
    "     \"dissipation\": {\"smell\": 0.25}},\n"
    "  ],\n"
    "  \"links\": [\n"
    "    {\"from\": \"hall\", \"to\": \"cell\", \"start\": [4, 2], \"both\": true},\n"
    "    {\"from\": \"cell\", \"to\": \"hall\", \"start\": [8, 4, 1], \"end\": [0, 4, 1],\n"
    "     \"distance\": 2, \"attenuation\": {\"sight\": 0, \"sound\": 0}}\n"
    "  ]\n"
    "}\n";

TEST(a_graph_is_read_and_written_to_the_same_bits) {
    static graph_stage s;
    graph_stage_init(&s);
    graph_stage_modalities(t, &s);
    ploy_room_graph *first = NULL, *second = NULL;
    CHECK_OK(ploy_room_graph_load(graph_example, strlen(graph_example), "g", s.modalities, &s.env,
                                  NULL, &first));
    CHECK_INT(ploy_room_graph_node_count(first), 2);
    CHECK_INT(ploy_room_graph_link_count(first), 3);
    CHECK_NEAR(ploy_room_graph_node(first, 0)->attenuation[SOUND], 0.8f, 0);
    CHECK_NEAR(ploy_room_graph_node(first, 1)->dissipation[SMELL], 0.25f, 0);
    CHECK_NEAR(ploy_room_graph_link(first, 2)->attenuation[SOUND], 0, 0);
    CHECK_NEAR(ploy_room_graph_link(first, 2)->attenuation[SMELL], 0.9f, 0);
    CHECK_NEAR(ploy_room_graph_link(first, 2)->distance, 2, 0);
    CHECK_INT(ploy_room_graph_link(first, 1)->to, 0);
    ploy_buffer a, b;
    graph_write(first, &s.env, &a);
    CHECK_OK(ploy_room_graph_load(a.bytes, a.size, "a", s.modalities, &s.env, NULL, &second));
    graph_write(second, &s.env, &b);
    CHECK_TEXT(ploy_buffer_text(&b), ploy_buffer_text(&a));
    ploy_buffer_fini(&a);
    ploy_buffer_fini(&b);
    ploy_room_graph_destroy(first);
    ploy_room_graph_destroy(second);
    graph_stage_fini(&s);
}

#define ROOM "{\"name\":\"hall\",\"zone\":{\"kind\":\"circle\",\"centre\":[0,0],\"radius\":2}"

TEST(a_text_that_is_no_graph_says_where_and_why) {
    static const struct {
        const char *text, *message, *nearest;
        int32_t column;
    } rows[] = {
        {"{}", "expected an object with an array of nodes", "", 1},
        {"{\"nodes\":[{\"zone\":{}}]}", "missing node name", "", 11},
        {"{\"nodes\":[" ROOM "}," ROOM "}]}", "duplicate node name", "", 86},
        {"{\"nodes\":[" ROOM ",\"attenuation\":{\"sond\":1}}]}", "unknown modality", "sound", 0},
        {"{\"nodes\":[" ROOM ",\"attenuation\":{\"sound\":2}}]}", "invalid share", "", 0},
        {"{\"nodes\":[" ROOM "}],\"links\":[{\"from\":\"hal\",\"to\":\"hall\",\"start\":[0,0]}]}",
         "missing nodes of the link", "hall", 0},
        {"{\"nodes\":[" ROOM "}],\"links\":[{\"from\":\"hall\",\"to\":\"hall\",\"start\":[0,0]}]}",
         "link leads back to its own node", "", 0},
        {"{\"nodes\":[" ROOM "}],\"links\":3}", "expected an array of links", "", 0},
    };
    static graph_stage s;
    graph_stage_init(&s);
    graph_stage_modalities(t, &s);
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &s.env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].message;
        ploy_room_graph *graph = NULL;
        ploy_diags_clear(diags);
        CHECK_INT(ploy_room_graph_load(rows[i].text, strlen(rows[i].text), "g", s.modalities,
                                       &s.env, diags, &graph),
                  PLOY_ERR_FORMAT);
        CHECK(graph == NULL);
        CHECK(ploy_diags_count(diags) > 0);
        const ploy_diag *diag = ploy_diags_get(diags, 0);
        CHECK_TEXT(diag->message, rows[i].message);
        CHECK_TEXT(diag->nearest, rows[i].nearest);
        if (rows[i].column > 0) CHECK_INT(diag->column, rows[i].column);
    }
    ploy_diags_destroy(diags);
    graph_stage_fini(&s);
}

static ploy_result graph_load_all(const ploy_env *env, void *arg) {
    graph_stage *s = arg;
    ploy_room_graph *graph = NULL;
    ploy_result result = ploy_room_graph_load(graph_example, strlen(graph_example), "g",
                                              s->modalities, env, NULL, &graph);
    TEST_REPORT(result, env, graph, ploy_room_graph_memory);
    ploy_room_graph_destroy(graph);
    return result;
}

TEST(every_failing_allocation_of_a_load_is_survived) {
    static graph_stage s;
    graph_stage_init(&s);
    graph_stage_modalities(t, &s);
    CHECK_FAIL_NTH(graph_load_all, &s);
    graph_stage_fini(&s);
}

TEST(lint_finds_what_is_hardly_meant) {
    static const struct {
        const char *row, *message;
    } rows[] = {
        {"all is well", NULL},
        {"a room without doors", "unreachable node, no link leaves or enters it"},
        {"a door of stone", "link out of this node carries nothing"},
        {"nobody smells anything", "unused modality, no link carries it"},
        {"a door in the wrong room", "link starts outside the node it leaves"},
    };
    for (int32_t i = 0; i < (int32_t)COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        static graph_stage s;
        graph_stage_init(&s);
        graph_row(t, &s, 3);
        if (i == 1) graph_room(&s, 50, 50, 60, 60);
        if (i == 2) memset(s.links[1].attenuation, 0, sizeof s.links[1].attenuation);
        for (int32_t l = 0; i == 3 && l < s.link_count; l++) s.links[l].attenuation[SMELL] = 0;
        if (i == 4) s.links[0].start.x = 30;
        graph_stage_begin(t, &s);
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(8, &s.env, &diags));
        CHECK_INT(ploy_room_graph_lint(s.graph, "g", diags), i == 0 ? 0 : 1);
        CHECK_INT(ploy_diags_count(diags), i == 0 ? 0 : 1);
        if (i > 0) CHECK_TEXT(ploy_diags_get(diags, 0)->message, rows[i].message);
        ploy_diags_destroy(diags);
        graph_stage_fini(&s);
    }
}
