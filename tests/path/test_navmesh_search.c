// The searches against slow, obvious ones.
#include "tests/path/navmesh_help.h"

// Bellman and Ford over the graph of edges or of polygons, in double.
static double slow_cost(const ploy_navmesh *mesh, ploy_navmesh_request request) {
    ploy_navmesh_stats stats = ploy_navmesh_stats_of(mesh);
    static double best[4096];
    bool polygons = request.method == PLOY_NAVMESH_POLYGONS;
    int32_t nodes = polygons ? stats.polygons : stats.edges;
    ploy_vec2 from = ploy_vec2_from_vec3(request.from.point);
    ploy_vec2 to = ploy_vec2_from_vec3(request.to.point);
    double answer = INFINITY;
    for (int32_t i = 0; i < nodes; i++) best[i] = INFINITY;
    if (polygons) best[request.from.polygon] = 0.0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t p = 0; p < stats.polygons; p++) {
            ploy_navmesh_polygon polygon = ploy_navmesh_polygon_at(mesh, p);
            for (int32_t e = polygon.first; e < polygon.first + polygon.count; e++) {
                ploy_navmesh_edge edge = ploy_navmesh_edge_at(mesh, e);
                ploy_vec2 a = ploy_vec2_from_vec3(edge.from), b = ploy_vec2_from_vec3(edge.to);
                ploy_vec2 mid = ploy_vec2_lerp(a, b, 0.5f);
                if (edge.neighbour < 0) continue;
                if (polygons) {
                    int32_t q = edge.neighbour;
                    ploy_vec2 ends[2];
                    for (int32_t k = 0; k < 2; k++) {
                        int32_t which = k == 0 ? p : q;
                        ends[k] = ploy_vec2_from_vec3(ploy_navmesh_polygon_at(mesh, which).centre);
                        if (which == request.from.polygon) ends[k] = from;
                        if (which == request.to.polygon) ends[k] = to;
                    }
                    double cost = best[p] + (double)ploy_vec2_distance(ends[0], ends[1]);
                    if (cost < best[q] - 1e-9) {
                        best[q] = cost;
                        changed = true;
                    }
                    continue;
                }
                double cost = INFINITY; // of getting to this edge within p
                if (p == request.from.polygon) cost = (double)ploy_vec2_distance(from, mid);
                for (int32_t f = polygon.first; f < polygon.first + polygon.count; f++) {
                    ploy_navmesh_edge in = ploy_navmesh_edge_at(mesh, f);
                    if (in.twin < 0) continue;
                    ploy_vec2 c = ploy_vec2_lerp(ploy_vec2_from_vec3(in.from),
                                                 ploy_vec2_from_vec3(in.to), 0.5f);
                    cost = fmin(cost, best[in.twin] + (double)ploy_vec2_distance(c, mid));
                }
                if (cost < best[e] - 1e-9) {
                    best[e] = cost;
                    changed = true;
                }
            }
        }
    }
    if (request.is_goal != NULL) {
        if (request.is_goal(request.user, request.from.polygon)) return 0.0;
        for (int32_t i = 0; i < nodes; i++) {
            int32_t into = polygons ? i : ploy_navmesh_edge_at(mesh, i).neighbour;
            if (into >= 0 && request.is_goal(request.user, into)) answer = fmin(answer, best[i]);
        }
        return answer;
    }
    if (polygons) return best[request.to.polygon];
    if (request.from.polygon == request.to.polygon) return (double)ploy_vec2_distance(from, to);
    for (int32_t e = 0; e < stats.edges; e++) {
        ploy_navmesh_edge edge = ploy_navmesh_edge_at(mesh, e);
        if (edge.neighbour != request.to.polygon) continue;
        ploy_vec2 mid =
            ploy_vec2_lerp(ploy_vec2_from_vec3(edge.from), ploy_vec2_from_vec3(edge.to), 0.5f);
        answer = fmin(answer, best[e] + (double)ploy_vec2_distance(mid, to));
    }
    return answer;
}

// PTH-21, PTH-23.
TEST(both_searches_cost_what_the_slow_one_costs) {
    for (int64_t seed = 0; seed < test_rounds(30); seed++) {
        TEST_SEED(seed);
        nav_floor floor = nav_hall(t, (uint64_t)seed, 0.0f);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        for (int32_t i = 0; i < 4; i++) {
            ploy_navmesh_place a, b;
            CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &a));
            CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &b));
            ploy_navmesh_request request = ploy_navmesh_request_make(a, b);
            request.method = i % 2 == 0 ? PLOY_NAVMESH_EDGES : PLOY_NAVMESH_POLYGONS;
            if (i >= 2 && a.polygon == b.polygon) continue;
            ploy_navmesh_answer answer;
            CHECK_OK(ploy_navmesh_find_path(floor.query, &request, NULL, &answer));
            CHECK_INT(answer.outcome, PLOY_PATH_FOUND);
            CHECK_NEAR(answer.cost, slow_cost(floor.mesh, request), 1e-3);
        }
        nav_close(&floor);
    }
}

// Those whose number leaves a rest.
typedef struct kind {
    int32_t divisor, rest;
} kind;

static bool is_of_kind(void *user, int32_t polygon) {
    const kind *wanted = user;
    return polygon % wanted->divisor == wanted->rest;
}

TEST(the_cheapest_polygon_of_a_kind_is_found) {
    ploy_path *path = nav_path(t);
    int32_t none = 0, far = 0;
    for (int64_t seed = 0; seed < test_rounds(15); seed++) {
        TEST_SEED(seed);
        nav_floor floor = nav_hall(t, (uint64_t)seed, 0.0f);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        for (int32_t i = 0; i < 6; i++) {
            kind wanted = {i < 5 ? ploy_rng_int(&rng, 1, 60) : 1 << 20, 0};
            wanted.rest = i < 5 ? ploy_rng_int(&rng, 0, wanted.divisor - 1) : wanted.divisor - 1;
            ploy_navmesh_place a, nowhere = {0};
            nowhere.polygon = -1; // is not read
            CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &a));
            ploy_navmesh_request request = ploy_navmesh_request_make(a, nowhere);
            request.method = i % 2 == 0 ? PLOY_NAVMESH_EDGES : PLOY_NAVMESH_POLYGONS;
            request.is_goal = is_of_kind;
            request.user = &wanted;
            double slow = slow_cost(floor.mesh, request);
            ploy_navmesh_answer answer;
            if (i == 2) request.method = PLOY_NAVMESH_CROSSINGS; // done by edges
            CHECK_OK(ploy_navmesh_find_path(floor.query, &request, path, &answer));
            if (!(slow < (double)INFINITY)) {
                CHECK_INT(answer.outcome, PLOY_PATH_NONE);
                CHECK_INT(ploy_path_count(path), 0);
                none++;
                continue;
            }
            CHECK_INT(answer.outcome, PLOY_PATH_FOUND);
            CHECK(is_of_kind(&wanted, answer.end.polygon));
            CHECK_NEAR(answer.cost, slow, 1e-3);
            CHECK((double)ploy_path_length(path) <= slow + 1e-3 || i % 2 == 1);
            far += slow > 5.0;
        }
        nav_close(&floor);
    }
    CHECK(none >= 15 && far > 5);
    ploy_path_destroy(path);
}

TEST(dear_ground_is_gone_round_and_forbidden_ground_never_entered) {
    static nav_tiles tiles;
    ploy_navmesh_soup soup = nav_grid(&tiles, 9, 5);
    for (int32_t row = 0; row < 4; row++) { // a swamp across, but for the topmost row
        tiles.areas[row * 9 + 4] = 3;
        tiles.flags[row * 9 + 4] = 2;
    }
    nav_floor floor = nav_soup(t, soup);
    ploy_navmesh_place a = nav_at(t, floor.query, 0.5f, 0.5f),
                       b = nav_at(t, floor.query, 8.5f, 0.5f);
    ploy_navmesh_request request = ploy_navmesh_request_make(a, b);
    for (int32_t i = 0; i < 3; i++) {
        ploy_navmesh_filter filter = ploy_navmesh_filter_default();
        if (i == 1) filter.cost[3] = 10.0f;
        if (i == 2) filter.exclude = 2;
        CHECK_OK(ploy_navmesh_query_set_filter(floor.query, &filter));
        ploy_navmesh_answer answer;
        CHECK_OK(ploy_navmesh_find_path(floor.query, &request, NULL, &answer));
        CHECK_INT(answer.outcome, PLOY_PATH_FOUND);
        int32_t count, wet = 0;
        const int32_t *corridor = ploy_navmesh_query_corridor(floor.query, &count);
        for (int32_t k = 0; k < count; k++) {
            wet += ploy_navmesh_polygon_at(floor.mesh, corridor[k]).area == 3;
        }
        CHECK_INT(wet, i == 0 ? 1 : 0);
        if (i == 0) CHECK_NEAR(answer.cost, 8.0, 1e-4);
    }
    nav_close(&floor);
}

// Two halls of 3 by 3 m that only links join, 10 m apart.
static nav_floor two_halls(test_context *t, ploy_navmesh_link *links, int32_t count) {
    static nav_tiles tiles;
    ploy_navmesh_soup soup = nav_grid(&tiles, 3, 6);
    for (int32_t i = 0; i < 9; i++) { // the upper half moves to the right
        for (int32_t c = 0; c < 4; c++) tiles.corners[4 * (9 + i) + c] += 16;
    }
    for (int32_t i = 0; i < 16; i++) {
        tiles.vertices[28 + i] = tiles.vertices[12 + i];
        tiles.vertices[28 + i].x += 10.0f;
    }
    soup.vertex_count = 44;
    soup.links = links;
    soup.link_count = count;
    return nav_soup(t, soup);
}

TEST(links_are_gone_their_way_and_told_in_the_path) {
    ploy_navmesh_link link =
        ploy_navmesh_link_make(ploy_vec3_make(2.5f, 2.5f, 0), ploy_vec3_make(10.5f, 5.5f, 0));
    link.kind = ploy_name_of("jump");
    link.id = ploy_id_make(7, 1);
    link.cost = 1.0f;
    ploy_path *path = nav_path(t);
    for (int32_t i = 0; i < 8; i++) {
        bool two_way = (i & 1) != 0, back = (i & 2) != 0;
        link.two_way = two_way;
        nav_floor floor = two_halls(t, &link, 1);
        CHECK_INT(ploy_navmesh_stats_of(floor.mesh).islands, 1);
        ploy_navmesh_place a = nav_at(t, floor.query, 0.5f, 0.5f);
        ploy_navmesh_place b = nav_at(t, floor.query, 12.5f, 5.5f);
        ploy_navmesh_request request = ploy_navmesh_request_make(back ? b : a, back ? a : b);
        request.method = (i & 4) != 0 ? PLOY_NAVMESH_POLYGONS : PLOY_NAVMESH_EDGES;
        ploy_navmesh_answer answer;
        CHECK_OK(ploy_navmesh_find_path(floor.query, &request, path, &answer));
        bool found = two_way || !back;
        CHECK_INT(answer.outcome, found ? PLOY_PATH_FOUND : PLOY_PATH_PARTIAL);
        int32_t jumps = 0;
        for (int32_t k = 0; k + 1 < ploy_path_count(path); k++) {
            const ploy_path_edge *edge = ploy_path_edge_from(path, k);
            if (edge->link.index != 7) continue;
            jumps++;
            CHECK_UINT(edge->kind.hash, link.kind.hash);
            CHECK_NEAR(edge->cost, 1.0, 0);
            CHECK_NEAR(ploy_path_point(path, k).x, back ? 10.5 : 2.5, 1e-6);
            CHECK_NEAR(ploy_path_point(path, k + 1).x, back ? 2.5 : 10.5, 1e-6);
        }
        CHECK_INT(jumps, found ? 1 : 0);
        nav_close(&floor);
    }
    ploy_path_destroy(path);
}

TEST(an_unreachable_goal_gives_the_nearest_place_that_is_reached) {
    ploy_path *path = nav_path(t);
    for (int32_t i = 0; i < 2; i++) {
        nav_floor floor = two_halls(t, NULL, 0);
        CHECK_INT(ploy_navmesh_stats_of(floor.mesh).islands, 2);
        ploy_navmesh_place a = nav_at(t, floor.query, 0.5f, 0.5f);
        ploy_navmesh_place b = nav_at(t, floor.query, 12.5f, 4.5f);
        ploy_navmesh_request request = ploy_navmesh_request_make(a, b);
        request.method = i == 0 ? PLOY_NAVMESH_EDGES : PLOY_NAVMESH_POLYGONS;
        ploy_navmesh_answer answer;
        CHECK_OK(ploy_navmesh_find_path(floor.query, &request, path, &answer));
        CHECK_INT(answer.outcome, PLOY_PATH_PARTIAL);
        CHECK(ploy_vec2_near(ploy_vec2_from_vec3(answer.end.point), ploy_vec2_make(3, 3), 1e-6f));
        ploy_vec2 last = ploy_path_point(path, ploy_path_count(path) - 1);
        CHECK(ploy_vec2_near(last, ploy_vec2_make(3, 3), 1e-6f));
        nav_close(&floor);
    }
    // Behind forbidden ground no island tells: everything is searched first.
    static nav_tiles tiles;
    ploy_navmesh_soup soup = nav_grid(&tiles, 9, 3);
    for (int32_t row = 0; row < 3; row++) tiles.flags[row * 9 + 4] = 2;
    nav_floor floor = nav_soup(t, soup);
    ploy_navmesh_filter filter = ploy_navmesh_filter_default();
    filter.exclude = 2;
    CHECK_OK(ploy_navmesh_query_set_filter(floor.query, &filter));
    for (int32_t i = 0; i < 2; i++) {
        ploy_navmesh_request request = ploy_navmesh_request_make(
            nav_at(t, floor.query, 0.5f, 0.5f), nav_at(t, floor.query, 8.5f, 1.5f));
        request.method = i == 0 ? PLOY_NAVMESH_EDGES : PLOY_NAVMESH_POLYGONS;
        ploy_navmesh_answer answer;
        CHECK_OK(ploy_navmesh_find_path(floor.query, &request, path, &answer));
        CHECK_INT(answer.outcome, PLOY_PATH_PARTIAL);
        CHECK(
            ploy_vec2_near(ploy_vec2_from_vec3(answer.end.point), ploy_vec2_make(4, 1.5f), 1e-6f));
    }
    nav_close(&floor);
    ploy_path_destroy(path);
}

// PTH-24: one mesh, several sizes: the wide agent takes the wide door.
TEST(a_wide_agent_takes_the_wide_door_and_a_wider_one_none) {
    static const ploy_vec2 hall[] = {{0, 0}, {20, 0}, {20, 20}, {0, 20}};
    // A wall at x = 10 with doors at y = 2..3 (1 m) and y = 16..19 (3 m).
    static const ploy_vec2 walls[3][4] = {{{9.5f, -1}, {10.5f, -1}, {10.5f, 2}, {9.5f, 2}},
                                          {{9.5f, 3}, {10.5f, 3}, {10.5f, 16}, {9.5f, 16}},
                                          {{9.5f, 19}, {10.5f, 19}, {10.5f, 21}, {9.5f, 21}}};
    ploy_env env = ploy_env_default();
    ploy_rings *rings = NULL, *blocks = NULL;
    ploy_arena *scratch = NULL;
    CHECK_OK(ploy_arena_create(0, 0, &env, &scratch));
    CHECK_OK(ploy_rings_create(&env, &rings));
    CHECK_OK(ploy_rings_create(&env, &blocks));
    CHECK_OK(ploy_rings_add(rings, hall, 4));
    for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_rings_add(blocks, walls[i], 4));
    CHECK_OK(ploy_rings_boolean(rings, blocks, PLOY_BOOLEAN_DIFFERENCE, PLOY_FILL_NON_ZERO, scratch,
                                rings));
    ploy_navmesh_def def = ploy_navmesh_def_default();
    nav_floor floor = {rings, NULL, NULL};
    CHECK_OK(ploy_navmesh_create_rings(&def, rings, PLOY_FILL_NON_ZERO, NULL, 0, &env, NULL,
                                       &floor.mesh));
    CHECK_OK(ploy_navmesh_query_create(floor.mesh, &env, &floor.query));
    static const struct {
        const char *row;
        float radius;
        ploy_path_outcome want;
        float low, high; // where it crosses x = 10
    } rows[] = {{"a point takes the near door", 0.0f, PLOY_PATH_FOUND, 2, 3},
                {"so does who just fits", 0.45f, PLOY_PATH_FOUND, 2, 3},
                {"who does not takes the other", 0.6f, PLOY_PATH_FOUND, 16, 19},
                {"nobody of 4 m gets through", 2.0f, PLOY_PATH_PARTIAL, 0, 20}};
    ploy_path *path = nav_path(t);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_navmesh_request request =
            ploy_navmesh_request_make(nav_at(t, floor.query, 5, 4), nav_at(t, floor.query, 15, 4));
        request.radius = rows[i].radius;
        ploy_navmesh_answer answer;
        CHECK_OK(ploy_navmesh_find_path(floor.query, &request, path, &answer));
        CHECK_INT(answer.outcome, rows[i].want);
        for (int32_t k = 0; k + 1 < ploy_path_count(path); k++) {
            ploy_vec2 a = ploy_path_point(path, k), b = ploy_path_point(path, k + 1);
            if (a.x > 10.0f || b.x <= 10.0f) continue;
            float y = a.y + (b.y - a.y) * (10.0f - a.x) / (b.x - a.x);
            CHECK(y >= rows[i].low + rows[i].radius - 0.2f);
            CHECK(y <= rows[i].high - rows[i].radius + 0.2f);
        }
    }
    ploy_path_destroy(path);
    ploy_rings_destroy(blocks);
    ploy_arena_destroy(scratch);
    nav_close(&floor);
}
