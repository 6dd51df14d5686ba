#include "tests/path/toy_hash.h"
#include "tests/path/toy_network.h"
#include "tests/path/toy_text.h"

TOY_HASH(ploy_network)

TEST(a_network_comes_back_from_its_text_with_the_same_hash) { // WAY-12
    ploy_env env = ploy_env_default();
    ploy_network *network = NULL, *loaded = NULL;
    ploy_buffer first, second;
    ploy_buffer_init(&first, 0, &env);
    ploy_buffer_init(&second, 0, &env);
    CHECK_OK(ploy_network_create(&env, &network));
    for (uint64_t id = 1; id <= 5; id++) {
        ploy_waypoint w = toy_waypoint(id << 60 | id, (float)id * 0.1f, -1e-9f);
        w.orientation = ploy_quat_from_axis_angle(ploy_vec3_make(0, 0.6f, 0.8f), (float)id);
        CHECK_OK(ploy_network_add(network, &w));
        if (id % 2 == 0) CHECK_OK(ploy_network_set_tag(network, w.id, PLOY_WAYPOINT_COVER, 9));
    }
    ploy_waypoint_edge edge = {0.3f, false, 0.0, 0xfeedu};
    uint64_t one = 1ull << 60 | 1, two = 2ull << 60 | 2, three = 3ull << 60 | 3;
    CHECK_OK(ploy_network_connect(network, one, two, 0.7f));
    CHECK_OK(ploy_network_connect(network, one, three, 1.5f));
    CHECK_OK(ploy_network_connect(network, three, one, 1.5f));
    CHECK_OK(ploy_network_set_edge(network, one, three, &edge));
    ploy_network_place place = {7, {1, 2, 3}, 0.25f};
    CHECK_OK(ploy_network_add_place(network, &place));
    ploy_writer writer = ploy_buffer_writer(&first);
    CHECK_OK(ploy_network_save(network, &writer));
    CHECK_OK(ploy_network_load(first.bytes, first.size, "n", &env, NULL, &loaded));
    writer = ploy_buffer_writer(&second);
    CHECK_OK(ploy_network_save(loaded, &writer));
    CHECK_TEXT(ploy_buffer_text(&second), ploy_buffer_text(&first));
    CHECK_UINT(hash_of(loaded), hash_of(network));
    CHECK(ploy_network_edge_at(loaded, one, three, &edge)); // WAY-05: user data of edges
    CHECK_UINT(edge.data, 0xfeedu);
    CHECK(ploy_network_edge_at(loaded, one, two, &edge));
    CHECK_UINT(edge.data, 0);
    ploy_buffer_fini(&first);
    ploy_buffer_fini(&second);
    ploy_network_destroy(network);
    ploy_network_destroy(loaded);
}

static ploy_result load_bad(const char *text, size_t size, ploy_diags *diags, bool *made) {
    ploy_env env = ploy_env_default();
    ploy_network *network = NULL;
    ploy_result result = ploy_network_load(text, size, "bad", &env, diags, &network);
    *made = network != NULL;
    return result;
}

TEST(faults_of_a_network_are_told_with_line_and_column) {
    static const toy_fault rows[] = {
        {"another kind", "graph 1\n", PLOY_ERR_FORMAT, 1, 1, 1},
        {"another version", "wpn 7\n", PLOY_ERR_VERSION, 1, 5, 1},
        {"an unknown line", "wpn 1\nway 1 2\n", PLOY_ERR_FORMAT, 2, 1, 1},
        {"not a number", "wpn 1\nwaypoint 1 0 nan 0 0 0 0 1 1 -\n", PLOY_ERR_FORMAT, 2, 14, 1},
        {"a missing word", "wpn 1\nwaypoint 1 0 0 0 0 0 0 1 1\n", PLOY_ERR_FORMAT, 2, 27, 1},
        {"a negative radius", "wpn 1\nwaypoint 1 0 0 0 0 0 0 1 -1 -\n", PLOY_ERR_FORMAT, 2, 26, 1},
        {"half a byte", "wpn 1\nwaypoint 1 0 0 0 0 0 0 1 1 abc\n", PLOY_ERR_FORMAT, 2, 28, 1},
        {"the null id", "wpn 1\nwaypoint 0 0 0 0 0 0 0 1 1 -\n", PLOY_ERR_FORMAT, 2, 10, 1},
        {"twice the same id, and no such ends",
         "wpn 1\nwaypoint 1 0 0 0 0 0 0 1 1 -\nwaypoint 1 0 0 0 0 0 0 1 1 -\nedge 1 2 1 1\n"
         "edge 2 1 1 1\n",
         PLOY_ERR_FORMAT, 3, 10, 3},
        {"neither open nor closed",
         "wpn 1\nwaypoint 1 0 0 0 0 0 0 1 1 -\nwaypoint 2 0 0 0 0 0 0 1 1 -\nedge 1 2 1 2\n",
         PLOY_ERR_FORMAT, 4, 12, 1},
        {"a place twice", "wpn 1\npoi 1 0 0 0 1\npoi 1 0 0 0 1\n", PLOY_ERR_FORMAT, 3, 5, 1},
    };
    toy_faults_check(t, rows, COUNT_OF(rows), load_bad);
}

static const char small[] = "wpn 1\nwaypoint 1 0 0 0 0 0 0 1 1 0aFF\nwaypoint 2 1 0 0 0 0 1 0 1 -\n"
                            "edge 1 2 0.5 0\npoi 9 1 2 3 4\n";

static ploy_result load_body(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_network *network = NULL;
    ploy_result result = ploy_network_load(small, sizeof small - 1, "n", env, NULL, &network);
    ploy_network_destroy(network);
    return result;
}

TEST(loading_a_network_survives_a_failure_of_every_allocation_and_every_cut) {
    CHECK_FAIL_NTH(load_body, NULL);
    ploy_env env = ploy_env_default();
    for (size_t size = 0; size < sizeof small; size++) {
        ploy_network *network = NULL;
        (void)ploy_network_load(small, size, "n", &env, NULL, &network);
        ploy_network_destroy(network);
    }
}
