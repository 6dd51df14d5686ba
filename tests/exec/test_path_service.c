#include "ploy/exec/path_service.h"

#include "ploy/base/rng.h"
#include "tests/test.h"

// A scene with a wall on x = 5 from y = -2 to 2, and the service over it.
typedef struct field {
    ploy_plain_scene *scene;
    ploy_direct_paths *paths;
    ploy_path_service service;
    ploy_path *path;
} field;

static void open_field(test_context *t, field *it, int32_t capacity) {
    ploy_env env = ploy_env_default();
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    CHECK_OK(ploy_plain_scene_create(&scene_def, &env, &it->scene));
    CHECK_OK(ploy_plain_scene_add_segment(it->scene, ploy_vec2_make(5, -2), ploy_vec2_make(5, 2), 1,
                                          NULL));
    ploy_scene scene = ploy_plain_scene_interface(it->scene);
    ploy_direct_paths_def def = ploy_direct_paths_def_default();
    def.capacity = capacity;
    CHECK_OK(ploy_direct_paths_create(&def, &scene, &env, &it->paths));
    it->service = ploy_direct_paths_service(it->paths);
    ploy_path_def path_def = ploy_path_def_default();
    CHECK_OK(ploy_path_create(&path_def, &env, &it->path));
}

static void close_field(field *it) {
    ploy_path_destroy(it->path);
    ploy_direct_paths_destroy(it->paths);
    ploy_plain_scene_destroy(it->scene);
}

static ploy_path_request request_of(float x, float y, float to_x, float to_y) {
    return ploy_path_request_make(ploy_agent_id_make(1, 1), ploy_vec3_make(x, y, 0.5f),
                                  ploy_vec3_make(to_x, to_y, 1.5f));
}

static ploy_path_outcome find(test_context *t, field *it, ploy_path_request request) {
    ploy_path_ticket ticket = {{0, 0}};
    ploy_path_outcome outcome = PLOY_PATH_PARTIAL;
    CHECK_OK(ploy_path_service_request(&it->service, &request, &ticket));
    CHECK_OK(ploy_path_service_poll(&it->service, ticket, it->path, &outcome));
    CHECK_INT(outcome, PLOY_PATH_OPEN);
    CHECK_OK(ploy_path_service_step(&it->service, NULL));
    CHECK_OK(ploy_path_service_poll(&it->service, ticket, it->path, &outcome));
    ploy_path_outcome again = PLOY_PATH_OPEN;
    CHECK_INT(ploy_path_service_poll(&it->service, ticket, it->path, &again), PLOY_ERR_NOT_FOUND);
    return outcome;
}

TEST(a_free_line_is_a_path_and_a_wall_is_none) {
    field it;
    open_field(t, &it, 4);
    CHECK_INT(find(t, &it, request_of(0, 0, 4, 1)), PLOY_PATH_FOUND);
    CHECK_INT(ploy_path_count(it.path), 2);
    CHECK_SAME(ploy_path_point(it.path, 0).x, 0.0f);
    CHECK_SAME(ploy_path_height(it.path, 0), 0.5f);
    CHECK_SAME(ploy_path_point(it.path, 1).x, 4.0f);
    CHECK_SAME(ploy_path_point(it.path, 1).y, 1.0f);
    CHECK_SAME(ploy_path_height(it.path, 1), 1.5f);
    CHECK_INT(find(t, &it, request_of(0, 0, 10, 0)), PLOY_PATH_NONE);
    CHECK_INT(ploy_path_count(it.path), 2); // untouched
    CHECK_INT(find(t, &it, request_of(0, 3, 10, 3)), PLOY_PATH_FOUND);
    ploy_path_request wide = request_of(0, 3, 10, 3);
    wide.radius = 1.5f; // does not fit past the end of the wall
    CHECK_INT(find(t, &it, wide), PLOY_PATH_NONE);
    ploy_path_request ghost = request_of(0, 0, 10, 0);
    ghost.mask = 2; // walls are of layer 1
    CHECK_INT(find(t, &it, ghost), PLOY_PATH_FOUND);
    ploy_path_request there = request_of(1, 1, 1, 1);
    there.to = there.from;
    CHECK_INT(find(t, &it, there), PLOY_PATH_FOUND);
    CHECK_INT(ploy_path_count(it.path), 1); // one is there already
    close_field(&it);
    ploy_direct_paths_destroy(NULL);
}

TEST(a_small_budget_answers_the_oldest_first) {
    field it;
    open_field(t, &it, 8);
    ploy_path_ticket tickets[5];
    for (int32_t i = 0; i < 5; i++) {
        ploy_path_request request = request_of(0, (float)i, 4, (float)i);
        CHECK_OK(ploy_path_service_request(&it.service, &request, &tickets[i]));
    }
    for (int32_t tick = 0; tick < 3; tick++) {
        ploy_budget budget = ploy_budget_units(2);
        ploy_result result = ploy_path_service_step(&it.service, &budget);
        CHECK_INT(result, tick < 2 ? PLOY_IN_PROGRESS : PLOY_OK);
        for (int32_t i = 2 * tick; i < 5; i++) {
            ploy_path_outcome outcome = PLOY_PATH_NONE;
            CHECK_OK(ploy_path_service_poll(&it.service, tickets[i], it.path, &outcome));
            CHECK_INT(outcome, i < 2 * tick + 2 ? PLOY_PATH_FOUND : PLOY_PATH_OPEN);
            if (outcome == PLOY_PATH_FOUND) CHECK_SAME(ploy_path_point(it.path, 0).y, (float)i);
        }
    }
    close_field(&it);
}

TEST(tickets_are_limited_and_can_be_given_back) {
    field it;
    open_field(t, &it, 3);
    ploy_path_request request = request_of(0, 0, 1, 1);
    ploy_path_ticket tickets[3], more = {{9, 9}};
    for (int32_t i = 0; i < 3; i++) {
        CHECK_OK(ploy_path_service_request(&it.service, &request, &tickets[i]));
    }
    CHECK_INT(ploy_path_service_request(&it.service, &request, &more), PLOY_ERR_CAPACITY);
    CHECK_UINT(more.id.index, 9);
    CHECK_OK(ploy_path_service_cancel(&it.service, tickets[1])); // from the middle of the queue
    CHECK_INT(ploy_path_service_cancel(&it.service, tickets[1]), PLOY_ERR_NOT_FOUND);
    CHECK_OK(ploy_path_service_request(&it.service, &request, &more));
    CHECK_UINT(more.id.index, tickets[1].id.index);
    CHECK(more.id.generation != tickets[1].id.generation);
    ploy_budget budget = ploy_budget_units(100);
    CHECK_OK(ploy_path_service_step(&it.service, &budget));
    CHECK_INT(budget.spent, 3);
    ploy_path_outcome outcome = PLOY_PATH_OPEN;
    CHECK_OK(ploy_path_service_cancel(&it.service, tickets[0])); // answered, not fetched
    CHECK_INT(ploy_path_service_poll(&it.service, tickets[0], NULL, &outcome), PLOY_ERR_NOT_FOUND);
    CHECK_OK(ploy_path_service_poll(&it.service, tickets[2], NULL, &outcome)); // only the answer
    CHECK_INT(outcome, PLOY_PATH_FOUND);
    close_field(&it);
}

TEST(bad_requests_and_empty_services_are_refused) {
    field it;
    open_field(t, &it, 3);
    ploy_path_ticket ticket = {{0, 0}};
    ploy_path_outcome outcome = PLOY_PATH_OPEN;
    ploy_path_request good = request_of(0, 0, 1, 1), bad = good;
    bad.to.z = NAN;
    CHECK_INT(ploy_path_service_request(&it.service, &bad, &ticket), PLOY_ERR_ARGUMENT);
    bad = good;
    bad.from.x = INFINITY;
    CHECK_INT(ploy_path_service_request(&it.service, &bad, &ticket), PLOY_ERR_ARGUMENT);
    bad = good;
    bad.radius = -1;
    CHECK_INT(ploy_path_service_request(&it.service, &bad, &ticket), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_service_request(&it.service, NULL, &ticket), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_service_request(&it.service, &good, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_service_poll(&it.service, ticket, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_service_poll(&it.service, ticket, NULL, &outcome), PLOY_ERR_NOT_FOUND);
    ploy_path_ticket wrong = {{1000, 1}};
    CHECK_INT(ploy_path_service_cancel(&it.service, wrong), PLOY_ERR_NOT_FOUND);
    ploy_path_service empty;
    memset(&empty, 0, sizeof empty);
    const ploy_path_service *services[] = {&empty, NULL};
    for (size_t i = 0; i < 2; i++) {
        CHECK_INT(ploy_path_service_request(services[i], &good, &ticket), PLOY_ERR_UNSUPPORTED);
        CHECK_INT(ploy_path_service_poll(services[i], ticket, NULL, &outcome),
                  PLOY_ERR_UNSUPPORTED);
        CHECK_INT(ploy_path_service_cancel(services[i], ticket), PLOY_ERR_UNSUPPORTED);
        CHECK_INT(ploy_path_service_step(services[i], NULL), PLOY_ERR_UNSUPPORTED);
        ploy_path_service_describe(services[i], NULL);
        ploy_path_service_draw(services[i], NULL);
    }
    close_field(&it);
    ploy_env env = ploy_env_default();
    ploy_direct_paths_def def = ploy_direct_paths_def_default();
    ploy_direct_paths *paths = (ploy_direct_paths *)&env;
    def.capacity = 0;
    CHECK_INT(ploy_direct_paths_create(&def, NULL, &env, &paths), PLOY_ERR_ARGUMENT);
    CHECK(paths == NULL);
    CHECK_INT(ploy_direct_paths_create(&def, NULL, &env, NULL), PLOY_ERR_ARGUMENT);
}

TEST(without_a_scene_every_way_is_free) {
    ploy_env env = ploy_env_default();
    ploy_direct_paths_def def = ploy_direct_paths_def_default();
    ploy_direct_paths *paths = NULL;
    CHECK_OK(ploy_direct_paths_create(&def, NULL, &env, &paths));
    ploy_path_service service = ploy_direct_paths_service(paths);
    ploy_path_request request = request_of(0, 0, 10, 0);
    ploy_path_ticket ticket;
    ploy_path_outcome outcome = PLOY_PATH_OPEN;
    CHECK_OK(ploy_path_service_request(&service, &request, &ticket));
    CHECK_OK(ploy_path_service_step(&service, NULL));
    CHECK_OK(ploy_path_service_poll(&service, ticket, NULL, &outcome));
    CHECK_INT(outcome, PLOY_PATH_FOUND);
    ploy_direct_paths_destroy(paths);
}

TEST(any_order_of_calls_agrees_with_a_plain_queue) {
    enum { CAPACITY = 6 };
    for (uint64_t seed = 1; seed <= 30; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        field it;
        open_field(t, &it, CAPACITY);
        struct {
            ploy_path_ticket ticket;
            bool answered, none;
        } open[CAPACITY];
        int32_t count = 0;
        for (int32_t turn = 0; turn < 300; turn++) {
            int32_t pick = count > 0 ? ploy_rng_int(&rng, 0, count - 1) : 0;
            switch (ploy_rng_int(&rng, 0, 3)) {
            case 0: {
                bool wall = ploy_rng_chance(&rng, 0.5f);
                ploy_path_request request = request_of(0, 0, wall ? 10.0f : 4.0f, 0);
                ploy_path_ticket ticket = {{0, 0}};
                ploy_result want = count < CAPACITY ? PLOY_OK : PLOY_ERR_CAPACITY;
                CHECK_INT(ploy_path_service_request(&it.service, &request, &ticket), want);
                if (want != PLOY_OK) break;
                open[count].ticket = ticket;
                open[count].answered = false;
                open[count++].none = wall;
                break;
            }
            case 1: {
                int32_t units = ploy_rng_int(&rng, 0, 3), left = units;
                ploy_budget budget = ploy_budget_units(units);
                ploy_result result = ploy_path_service_step(&it.service, &budget);
                bool all = true;
                for (int32_t i = 0; i < count; i++) {
                    if (!open[i].answered && left > 0) open[i].answered = true, left--;
                    all = all && open[i].answered;
                }
                CHECK_INT(result, all ? PLOY_OK : PLOY_IN_PROGRESS);
                break;
            }
            default: {
                if (count == 0) break;
                bool gone = true;
                if (ploy_rng_chance(&rng, 0.3f)) {
                    CHECK_OK(ploy_path_service_cancel(&it.service, open[pick].ticket));
                } else {
                    ploy_path_outcome outcome = PLOY_PATH_PARTIAL;
                    CHECK_OK(
                        ploy_path_service_poll(&it.service, open[pick].ticket, it.path, &outcome));
                    gone = open[pick].answered;
                    CHECK_INT(outcome, !gone             ? PLOY_PATH_OPEN
                                       : open[pick].none ? PLOY_PATH_NONE
                                                         : PLOY_PATH_FOUND);
                }
                for (int32_t i = pick; gone && i + 1 < count; i++) open[i] = open[i + 1];
                if (gone) count--;
                break;
            }
            }
        }
        close_field(&it);
    }
}

static uint64_t hash_of(const field *it) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_path_service_describe(&it->service, &out);
    return ploy_hash_sink_result(&sink);
}

typedef struct lines {
    int32_t count;
    ploy_style last;
} lines;

static void on_line(void *user, const ploy_draw_item *item) {
    lines *all = user;
    all->count++;
    all->last = item->style;
}

TEST(describe_and_draw_tell_how_requests_stand) {
    field it;
    open_field(t, &it, 3);
    uint64_t empty = hash_of(&it);
    ploy_path_ticket ticket;
    ploy_path_request request = request_of(0, 0, 10, 0);
    CHECK_OK(ploy_path_service_request(&it.service, &request, &ticket));
    uint64_t open = hash_of(&it);
    lines all = {0, PLOY_STYLE_PLAIN};
    ploy_draw draw = {on_line, &all, 0xffffffffu};
    ploy_path_service_draw(&it.service, &draw);
    CHECK_INT(all.count, 1);
    CHECK_INT(all.last, PLOY_STYLE_GHOST);
    CHECK_OK(ploy_path_service_step(&it.service, NULL));
    CHECK(hash_of(&it) != open && open != empty);
    ploy_path_service_draw(&it.service, &draw);
    CHECK_INT(all.last, PLOY_STYLE_BAD);
    int64_t bytes = 0;
    ploy_direct_paths_memory(it.paths, test_sum_memory, &bytes);
    CHECK(bytes >= 3 * (int64_t)sizeof(ploy_path_request));
    close_field(&it);
    CHECK_TEXT(ploy_path_outcome_text(PLOY_PATH_OPEN), "open");
    CHECK_TEXT(ploy_path_outcome_text(PLOY_PATH_FOUND), "found");
    CHECK_TEXT(ploy_path_outcome_text(PLOY_PATH_PARTIAL), "partial");
    CHECK_TEXT(ploy_path_outcome_text(PLOY_PATH_NONE), "none");
    CHECK_TEXT(ploy_path_outcome_text((ploy_path_outcome)9), "?");
}

static ploy_result find_one(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_direct_paths_def def = ploy_direct_paths_def_default();
    ploy_path_def path_def = ploy_path_def_default();
    path_def.capacity = 1; // so that the second point needs memory
    ploy_direct_paths *paths = NULL;
    ploy_path *path = NULL;
    ploy_result result = ploy_direct_paths_create(&def, NULL, env, &paths);
    if (result != PLOY_OK) return paths == NULL ? result : PLOY_ERR_STATE;
    ploy_path_service service = ploy_direct_paths_service(paths);
    ploy_path_request request = request_of(0, 0, 1, 1);
    ploy_path_ticket ticket;
    ploy_path_outcome outcome = PLOY_PATH_OPEN;
    result = ploy_path_create(&path_def, env, &path);
    if (result == PLOY_OK) result = ploy_path_service_request(&service, &request, &ticket);
    if (result == PLOY_OK) result = ploy_path_service_step(&service, NULL);
    if (result == PLOY_OK) {
        result = ploy_path_service_poll(&service, ticket, path, &outcome);
        if (result != PLOY_OK &&
            (ploy_path_count(path) != 0 || ploy_path_service_cancel(&service, ticket) != PLOY_OK)) {
            result = PLOY_ERR_STATE; // empty, and the ticket is still good
        }
    }
    ploy_path_destroy(path);
    ploy_direct_paths_destroy(paths);
    return result;
}

TEST(every_failing_allocation_is_survived) {
    CHECK_FAIL_NTH(find_one, NULL);
}

TEST(the_field_tables_are_sound) {
    CHECK_OK(ploy_fields_check_table(ploy_direct_paths_fields(), NULL));
}
