#include "path/path_internal.h"
#include "ploy/path/network.h"

#include "tests/path/toy_network.h"

TEST(waypoints_come_and_go_with_their_ways) { // WAY-01, 05, 06
    ploy_network *network = toy_network_make(t);
    ploy_waypoint w = toy_waypoint(D, 3, -1);
    ploy_waypoint_edge edge;
    CHECK_INT(ploy_network_add(network, &w), PLOY_ERR_EXISTS);
    CHECK_INT(ploy_network_count(network), 4);
    CHECK_INT(ploy_network_edge_count(network), 8);
    CHECK_INT(ploy_network_connect(network, A, D, 1), PLOY_ERR_EXISTS);
    CHECK_INT(ploy_network_connect(network, A, 99, 1), PLOY_ERR_NOT_FOUND); // never free
    CHECK_INT(ploy_network_connect(network, A, C, NAN), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_network_connect(network, A, C, -1), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_network_remove(network, D));
    CHECK_INT(ploy_network_remove(network, D), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_network_edge_count(network), 4);
    CHECK(!ploy_network_edge_at(network, A, D, &edge));
    CHECK_OK(ploy_network_add(network, &w)); // takes the free slot
    CHECK_INT(ploy_network_state(network, D), 3);
    CHECK_UINT(ploy_network_id(network, 3), D);
    CHECK_OK(ploy_network_disconnect(network, A, B));
    CHECK(!ploy_network_edge_at(network, A, B, &edge) &&
          ploy_network_edge_at(network, B, A, &edge));
    CHECK_INT(ploy_network_connect_both(network, A, B, 1), PLOY_ERR_EXISTS);
    CHECK(!ploy_network_edge_at(network, A, B, &edge)); // neither or both
    CHECK_SAME(edge.cost, 5.0);
    w = toy_waypoint(B, 6, 8); // moved: its ways are longer now
    CHECK_OK(ploy_network_set(network, &w));
    CHECK(ploy_network_edge_at(network, B, A, &edge));
    CHECK_SAME(edge.cost, 10.0);
    ploy_network_destroy(network);
}

TEST(bad_waypoints_are_refused) {
    ploy_network *network = toy_network_make(t);
    ploy_waypoint good = toy_waypoint(77, 1, 1), w = good, got;
    w.id = 0;
    CHECK_INT(ploy_network_add(network, &w), PLOY_ERR_ARGUMENT);
    w = good;
    w.position.z = NAN;
    CHECK_INT(ploy_network_add(network, &w), PLOY_ERR_ARGUMENT);
    w = good;
    w.radius = -1.0f;
    CHECK_INT(ploy_network_add(network, &w), PLOY_ERR_ARGUMENT);
    w = good;
    w.orientation = ploy_quat_make(0, 0, 0, 0);
    CHECK_INT(ploy_network_add(network, &w), PLOY_ERR_ARGUMENT);
    w.orientation = ploy_quat_make(0, 0, 2, 0); // made unit
    CHECK_OK(ploy_network_add(network, &w));
    CHECK(ploy_network_get(network, 77, &got));
    CHECK_SAME(got.orientation.y, 1.0f);
    CHECK_INT(ploy_network_set(network, NULL), PLOY_ERR_ARGUMENT);
    ploy_network_destroy(network);
}

TEST(the_extents_hold_every_radius) { // WAY-07
    ploy_env env = ploy_env_default();
    ploy_network *network = NULL;
    CHECK_OK(ploy_network_create(&env, &network));
    CHECK(ploy_box3_is_empty(ployi_network_extents(network)));
    ploy_waypoint a = toy_waypoint(1, 0, 0), b = toy_waypoint(2, 10, 5);
    a.radius = 1;
    b.position.z = 2;
    b.radius = 2;
    CHECK_OK(ploy_network_add(network, &a));
    CHECK_OK(ploy_network_add(network, &b));
    ploy_box3 box = ployi_network_extents(network);
    CHECK(ploy_vec3_equal(box.min, ploy_vec3_make(-1, -1, -1)));
    CHECK(ploy_vec3_equal(box.max, ploy_vec3_make(12, 7, 4)));
    ploy_network_destroy(network);
}

TEST(blind_data_is_read_and_written_within_its_bounds) { // WAY-02
    ploy_network *network = toy_network_make(t);
    int32_t word = 0x01020304, got = 0;
    CHECK_INT(ploy_network_blind_read(network, A, 0, &got, 4), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_network_blind_resize(network, A, 6));
    CHECK_INT(ploy_network_blind_size(network, A), 6);
    CHECK_OK(ploy_network_blind_write(network, A, 2, &word, 4));
    CHECK_OK(ploy_network_blind_read(network, A, 2, &got, 4));
    CHECK_INT(got, word);
    CHECK_INT(ploy_network_blind_read(network, A, 3, &got, 4), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_network_blind_read(network, A, -1, &got, 4), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_network_blind_write(network, A, INT32_MAX, &word, 4), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_network_blind_write(network, A, 0, &word, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_network_blind_write(network, 99, 0, &word, 4), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_network_blind_resize(network, A, -1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_network_set_tag(network, A, PLOY_WAYPOINT_WAIT, 1), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_network_blind_resize(network, A, 0));
    uint32_t value = 0;
    CHECK(!ploy_network_tag(network, A, PLOY_WAYPOINT_WAIT, &value)); // WAY-03
    CHECK_OK(ploy_network_set_tag(network, A, PLOY_WAYPOINT_WAIT, 1500));
    CHECK_OK(ploy_network_set_tag(network, A, PLOY_WAYPOINT_COLOR, 0xff8000));
    CHECK_OK(ploy_network_set_tag(network, A, PLOY_WAYPOINT_WAIT, 700));
    CHECK(ploy_network_tag(network, A, PLOY_WAYPOINT_WAIT, &value));
    CHECK_UINT(value, 700);
    CHECK(ploy_network_tag(network, A, PLOY_WAYPOINT_COLOR, &value));
    CHECK_UINT(value, 0xff8000);
    CHECK_INT(ploy_network_blind_size(network, A), 16);
    CHECK_INT(ploy_network_set_tag(network, A, 0, 1), PLOY_ERR_ARGUMENT);
    ploy_network_destroy(network);
}

TEST(places_stand_beside_the_waypoints) {
    ploy_network *network = toy_network_make(t);
    ploy_network_place place = {5, {1, 2, 3}, 4}, got;
    CHECK_OK(ploy_network_add_place(network, &place));
    CHECK_INT(ploy_network_add_place(network, &place), PLOY_ERR_EXISTS);
    place.radius = NAN;
    CHECK_INT(ploy_network_add_place(network, &place), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_network_place_count(network), 1);
    CHECK(ploy_network_place_at(network, 0, &got) && !ploy_network_place_at(network, 1, &got));
    CHECK_SAME(got.radius, 4.0f);
    ploy_network_destroy(network);
}

static ploy_result network_body(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_network *network = NULL;
    ploy_result result = ploy_network_create(env, &network);
    for (uint64_t id = 1; id <= 4 && result == PLOY_OK; id++) {
        ploy_waypoint w = toy_waypoint(id, (float)id, 0);
        int32_t before = ploy_network_count(network);
        result = ploy_network_add(network, &w);
        if (result != PLOY_OK && ploy_network_count(network) != before) return PLOY_ERR_STATE;
        if (result == PLOY_OK && id > 1) {
            result = ploy_network_connect_both(network, id - 1, id, 1.0f);
            if (result != PLOY_OK && ploy_network_edge_count(network) % 2 != 0) {
                return PLOY_ERR_STATE; // half a pair
            }
        }
        if (result == PLOY_OK) result = ploy_network_set_tag(network, id, 1, 2);
    }
    ploy_network_place place = {5, {1, 2, 3}, 4};
    if (result == PLOY_OK) result = ploy_network_add_place(network, &place);
    TEST_REPORT(result, env, network, ploy_network_memory);
    ploy_network_destroy(network);
    return result;
}

TEST(a_network_survives_a_failure_of_every_allocation) {
    CHECK_FAIL_NTH(network_body, NULL);
}
