// The lab `jumping`: both get over their gaps, what cannot be done is not tried, and the run rewinds.
// Jumps as links of a mesh are tested here, too, because modules of movement and paths are linked.
#include "ploy/geom/rings.h"
#include "ploy/move/arrive.h"
#include "ploy/move/integrate.h"
#include "ploy/move/jump.h"
#include "ploy/path/navmesh.h"
#include "ploy/path/navmesh_query.h"
#include "tests/labs/lab_test.h"

TEST(the_runner_gets_from_ledge_to_ledge_and_the_hopper_over_every_chasm) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "jumping", NULL, &env);
    lab_run(t, sim, 3600);
    CHECK(lab_number(t, sim, "runner/jumps") >= 12.0);
    CHECK_NEAR(lab_number(t, sim, "runner/falls"), 0.0, 0.0);
    CHECK_NEAR(lab_number(t, sim, "stuck"), 0.0, 0.0);
    CHECK(lab_number(t, sim, "hopper/jumps") >= 12.0);
    CHECK_NEAR(lab_number(t, sim, "hopper/falls"), 0.0, 0.0);
    CHECK(lab_drawn(sim) > 20);
    ploy_sim_destroy(sim);
}

TEST(who_cannot_jump_so_far_does_not_try) {
    static const char *const weak[] = {"jump.take_off_speed=1.5", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "jumping", weak, &env);
    lab_run(t, sim, 600);
    CHECK(lab_number(t, sim, "stuck") > 0.0);
    CHECK_NEAR(lab_number(t, sim, "runner/falls"), 0.0, 0.0);
    // The one below knows nothing of distances: it falls.
    CHECK(lab_number(t, sim, "hopper/falls") > 0.0);
    ploy_sim_destroy(sim);
}

TEST(a_click_sends_the_runner_and_a_push_does_not_make_it_fall) {
    static const char *const calm[] = {"roaming=false", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "jumping", calm, &env);
    for (int32_t to = 0; to < 2; to++) {
        lab_send_at(t, sim, "go", to == 0 ? 17.0f : -17.0f, 0.0f);
        for (int32_t i = 0; i < 20; i++) {
            lab_run(t, sim, 60);
            if (i % 7 == 3) lab_command(t, sim, "push", ploy_value_none());
        }
        lab_run(t, sim, 2400);
        CHECK_NEAR(lab_number(t, sim, "ledge"), to == 0 ? 5.0 : 0.0, 0.0);
    }
    CHECK_NEAR(lab_number(t, sim, "runner/falls"), 0.0, 0.0);
    lab_send_at(t, sim, "go", 5.0f, 0.0f);
    lab_check_rewind(t, sim, 300);
    ploy_sim_destroy(sim);
    char name[] = "jumping";
    CHECK_FAIL_NTH(lab_create, name);
}

// ---- jumps as links of a mesh -------------------------------------------------------------------

// Two platforms with a gap of 2 m between x = 10 and x = 12, and a long path round it by y = 20.
static const ploy_vec2 gap_floor[] = {{0, 0},  {10, 0},  {10, 20}, {12, 20}, {12, 0},
                                      {22, 0}, {22, 24}, {-4, 24}, {-4, 4},  {0, 4}};
static const ploy_jump_point gap_jump = {
    {9.5f, 2, 0}, {12.5f, 2, 0}, PLOY_JUMP_MATCH, 2.0f, {0, 0}};

static void gap_plan(test_context *t, const ploy_jump_def *can, ploy_path *path) {
    ploy_env env = ploy_env_default();
    ploy_path_edge edge = ploy_jump_edge(can, &gap_jump, ploy_id_make(1, 1));
    ploy_navmesh_link link = ploy_navmesh_link_make(gap_jump.take_off, gap_jump.landing);
    bool possible = edge.cost < 1e6f;
    link.cost = possible ? 4.0f * edge.cost : 0.0f; // seconds at 4 m/s
    link.kind = edge.kind;
    link.id = edge.link;
    ploy_navmesh_def def = ploy_navmesh_def_default();
    def.radius = 0.4f;
    ploy_rings *rings = NULL;
    ploy_navmesh *mesh = NULL;
    ploy_navmesh_query *query = NULL;
    CHECK_OK(ploy_rings_create(&env, &rings));
    CHECK_OK(ploy_rings_add(rings, gap_floor, COUNT_OF(gap_floor)));
    CHECK_OK(ploy_navmesh_create_rings(&def, rings, PLOY_FILL_NON_ZERO, &link, possible, &env, NULL,
                                       &mesh));
    CHECK_OK(ploy_navmesh_query_create(mesh, &env, &query));
    ploy_navmesh_place from, to;
    ploy_navmesh_answer answer;
    CHECK_OK(ploy_navmesh_find_nearest(query, ploy_vec3_make(2, 2, 0), -1, NULL, &from));
    CHECK_OK(ploy_navmesh_find_nearest(query, ploy_vec3_make(20, 2, 0), -1, NULL, &to));
    ploy_navmesh_request request = ploy_navmesh_request_make(from, to);
    ploy_path_clear(path);
    CHECK_OK(ploy_navmesh_find_path(query, &request, path, &answer));
    ploy_navmesh_query_destroy(query);
    ploy_navmesh_destroy(mesh);
    ploy_rings_destroy(rings);
}

static bool over_gap(ploy_vec2 at) {
    return at.x > 10.0f && at.x < 12.0f && at.y < 20.0f;
}

TEST(a_planned_route_crosses_a_jump_edge_and_the_character_makes_the_jump) { // PHY-14
    static const struct {
        const char *row;
        float take_off_speed;
        int32_t jumps;
    } rows[] = {{"free", 0.0f, 1}, {"laden, so it walks round", 1.0f, 0}};
    const float dt = 1.0f / 60.0f;
    ploy_env env = ploy_env_default();
    ploy_path_def path_def = ploy_path_def_default();
    ploy_path *path = NULL;
    CHECK_OK(ploy_path_create(&path_def, &env, &path));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_jump_def can = ploy_jump_def_default();
        if (rows[i].take_off_speed > 0.0f) can.take_off_speed = rows[i].take_off_speed;
        gap_plan(t, &can, path);
        ploy_integrate_def motion = ploy_integrate_def_default();
        ploy_arrive_def arrive = ploy_arrive_def_default();
        ploy_kinematic runner = ploy_kinematic_make(ploy_path_point(path, 0), 0.0f);
        ploy_jump jump = {gap_jump, {{0, 0}, 0, 0}, {0, 0}, PLOY_JUMP_IDLE};
        int32_t next = 1, jumps = 0, tick = 0;
        bool flies = false;
        ploy_vec3 fly = {0, 0, 0};
        float height = 0.0f;
        for (; tick < 3600 && next < ploy_path_count(path); tick++) {
            if (flies) { // thrown: nothing but gravity until it is down again
                runner.position =
                    ploy_vec2_add_scaled(runner.position, ploy_vec2_make(fly.x, fly.y), dt);
                height += fly.z * dt - 0.5f * can.gravity * dt * dt;
                fly.z -= can.gravity * dt;
                if (height > 0.0f) continue;
                height = 0.0f;
                flies = false;
                CHECK(runner.position.x > 12.0f); // on the other platform,
                CHECK_NEAR(runner.position.x, gap_jump.landing.x, 0.6);
                CHECK_NEAR(runner.position.y, gap_jump.landing.y, 0.6);
                next++;
                continue;
            }
            CHECK(!over_gap(runner.position)); // never in the gap but in flight
            if (ploy_jump_is_edge(ploy_path_edge_from(path, next - 1))) {
                if (jump.phase == PLOY_JUMP_IDLE) {
                    jump = ploy_jump_begin(&can, &gap_jump, runner.position);
                }
                ploy_steering request = ploy_jump_steer(&can, &jump, runner);
                CHECK(jump.phase != PLOY_JUMP_IMPOSSIBLE);
                if (jump.phase == PLOY_JUMP_NOW) {
                    fly = ploy_jump_velocity(&can, &jump, runner.velocity);
                    flies = true;
                    jumps++;
                    continue;
                }
                runner = ploy_integrate(&motion, runner, request, dt);
                continue;
            }
            ploy_vec2 point = ploy_path_point(path, next);
            runner = ploy_integrate(&motion, runner, ploy_arrive(&arrive, runner, point), dt);
            if (ploy_vec2_distance(runner.position, point) < 0.5f) next++;
        }
        CHECK(tick < 3600);
        CHECK_INT(jumps, rows[i].jumps);
        CHECK_NEAR(ploy_vec2_distance(runner.position, ploy_vec2_make(20, 2)), 0.0, 0.5);
        CHECK((ploy_path_length(path) < 19.0f) == (rows[i].jumps == 1));
    }
    ploy_path_destroy(path);
}
