// The path service over a mesh.
#include "ploy/path/navmesh_paths.h"
#include "tests/path/navmesh_help.h"

typedef struct served {
    nav_floor floor;
    ploy_navmesh_paths *paths;
    ploy_path_service service;
} served;

static served serve(test_context *t, int32_t capacity) {
    served out;
    ploy_env env = ploy_env_default();
    ploy_navmesh_paths_def def = ploy_navmesh_paths_def_default();
    def.capacity = capacity;
    out.floor = nav_hall(t, 5, 0.0f);
    CHECK_OK(ploy_navmesh_paths_create(&def, out.floor.mesh, &env, &out.paths));
    out.service = ploy_navmesh_paths_service(out.paths);
    return out;
}

static void unserve(served *out) {
    ploy_navmesh_paths_destroy(out->paths);
    nav_close(&out->floor);
}

static ploy_path_request ask(float x, float y) {
    return ploy_path_request_make(ploy_agent_id_none(), ploy_vec3_make(0.2f, 0.2f, 0),
                                  ploy_vec3_make(x, y, 0));
}

static uint64_t service_hash(const ploy_path_service *service) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_path_service_describe(service, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(requests_are_answered_in_order_within_the_budget) {
    CHECK_OK(ploy_fields_check_table(ploy_navmesh_paths_fields(), NULL));
    served in_slices = serve(t, 4), at_once = serve(t, 4);
    ploy_path_ticket tickets[4], others[4];
    for (int32_t i = 0; i < 4; i++) {
        ploy_path_request request = ask(39.5f, 29.5f - 7.0f * (float)i);
        CHECK_OK(ploy_path_service_request(&in_slices.service, &request, &tickets[i]));
        CHECK_OK(ploy_path_service_request(&at_once.service, &request, &others[i]));
    }
    ploy_path_request more = ask(1, 1);
    ploy_path_ticket none;
    CHECK_INT(ploy_path_service_request(&in_slices.service, &more, &none), PLOY_ERR_CAPACITY);
    CHECK_OK(ploy_path_service_step(&at_once.service, NULL));
    int32_t answered = 0, steps = 0;
    ploy_path *path = nav_path(t), *whole = nav_path(t);
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(3);
        result = ploy_path_service_step(&in_slices.service, &budget);
        CHECK(budget.spent <= 3);
        steps++;
    }
    CHECK_OK(result);
    CHECK(steps > 4);
    CHECK_UINT(service_hash(&in_slices.service), service_hash(&at_once.service));
    for (int32_t i = 0; i < 4; i++) {
        ploy_path_outcome outcome, other;
        CHECK_OK(ploy_path_service_poll(&in_slices.service, tickets[i], path, &outcome));
        CHECK_OK(ploy_path_service_poll(&at_once.service, others[i], whole, &other));
        CHECK_INT(outcome, PLOY_PATH_FOUND);
        CHECK_INT(other, PLOY_PATH_FOUND);
        CHECK_NEAR(ploy_path_length(path), ploy_path_length(whole), 0);
        answered += ploy_path_count(path) > 1;
        CHECK_INT(ploy_path_service_poll(&in_slices.service, tickets[i], path, &outcome),
                  PLOY_ERR_NOT_FOUND);
    }
    CHECK_INT(answered, 4);
    ploy_path_destroy(path);
    ploy_path_destroy(whole);
    unserve(&in_slices);
    unserve(&at_once);
}

TEST(cancelling_at_any_moment_leaves_the_others_alone) {
    for (int64_t units = 0; units < 30; units++) {
        served in = serve(t, 2);
        ploy_path_ticket first, second;
        ploy_path_request a = ask(39.5f, 29.5f), b = ask(39.5f, 0.5f);
        CHECK_OK(ploy_path_service_request(&in.service, &a, &first));
        CHECK_OK(ploy_path_service_request(&in.service, &b, &second));
        ploy_budget budget = ploy_budget_units(units);
        CHECK(ploy_path_service_step(&in.service, &budget) >= 0);
        CHECK_OK(ploy_path_service_cancel(&in.service, first));
        CHECK_INT(ploy_path_service_cancel(&in.service, first), PLOY_ERR_NOT_FOUND);
        CHECK_OK(ploy_path_service_step(&in.service, NULL));
        ploy_path_outcome outcome;
        CHECK_OK(ploy_path_service_poll(&in.service, second, NULL, &outcome));
        CHECK_INT(outcome, PLOY_PATH_FOUND);
        unserve(&in);
    }
}

TEST(what_is_off_the_floor_has_no_way_and_profiles_choose_filters) {
    served in = serve(t, 8);
    ploy_navmesh_filter filter = ploy_navmesh_filter_default();
    filter.exclude = 1;
    CHECK_OK(ploy_navmesh_paths_set_profile(in.paths, ploy_name_of("ghost"), &filter));
    filter.cost[0] = -1.0f;
    CHECK_INT(ploy_navmesh_paths_set_profile(in.paths, ploy_name_of("odd"), &filter),
              PLOY_ERR_ARGUMENT);
    ploy_path_request far = ask(90, 90), ghost = ask(39.5f, 29.5f), plain = ghost;
    ghost.profile = ploy_name_of("ghost");
    ploy_path_request *requests[3] = {&far, &ghost, &plain};
    for (int32_t i = 0; i < 3; i++) {
        ploy_path_ticket ticket;
        ploy_path_outcome outcome = PLOY_PATH_OPEN;
        CHECK_OK(ploy_path_service_request(&in.service, requests[i], &ticket));
        CHECK_OK(ploy_path_service_poll(&in.service, ticket, NULL, &outcome));
        CHECK_INT(outcome, PLOY_PATH_OPEN);
        CHECK_OK(ploy_path_service_step(&in.service, NULL));
        CHECK_OK(ploy_path_service_poll(&in.service, ticket, NULL, &outcome));
        CHECK_INT(outcome, i == 2 ? PLOY_PATH_FOUND : PLOY_PATH_NONE);
    }
    unserve(&in);
}

static ploy_result serve_one(const ploy_env *env, void *arg) {
    ploy_navmesh_paths_def def = ploy_navmesh_paths_def_default();
    def.capacity = 2;
    ploy_navmesh_paths *paths = NULL;
    ploy_result result = ploy_navmesh_paths_create(&def, arg, env, &paths);
    if (result == PLOY_OK) {
        ploy_path_service service = ploy_navmesh_paths_service(paths);
        ploy_path_request request = ask(39.5f, 29.5f);
        ploy_path_ticket ticket;
        result = ploy_path_service_request(&service, &request, &ticket);
        if (result == PLOY_OK) result = ploy_path_service_step(&service, NULL);
    }
    ploy_navmesh_paths_destroy(paths);
    return result;
}

TEST(the_service_survives_every_failing_allocation) {
    nav_floor floor = nav_hall(t, 5, 0.0f);
    CHECK_FAIL_NTH(serve_one, floor.mesh);
    nav_close(&floor);
}
