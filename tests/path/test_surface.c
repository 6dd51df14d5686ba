// Surfaces: a room whose walls and ceiling can be walked on.
#include "ploy/path/surface.h"

#include <math.h>

#include "ploy/geom/triangle.h"
#include "tests/path/planners_help.h"

enum { SIDE = 4, FACES = 6 * SIDE * SIDE };

// The inside of a cube of `size` metres: six faces of squares. Vertices are repeated, to be welded.
typedef struct room {
    ploy_vec3 vertices[FACES * 4];
    int32_t corners[FACES * 4], sizes[FACES];
    uint8_t areas[FACES];
    ploy_navmesh_soup soup;
} room;

static ploy_vec3 room_point(int32_t face, float u, float v, float size) {
    float w = face % 2 == 0 ? 0.0f : size;
    u *= size / (float)SIDE;
    v *= size / (float)SIDE;
    int32_t axis = face / 2;
    return axis == 0 ? ploy_vec3_make(w, u, v)
                     : (axis == 1 ? ploy_vec3_make(v, w, u) : ploy_vec3_make(u, v, w));
}

static void room_make(room *out, float size) {
    static const float du[4] = {0, 1, 1, 0}, dv[4] = {0, 0, 1, 1};
    memset(out, 0, sizeof *out);
    for (int32_t i = 0; i < FACES; i++) {
        int32_t face = i / (SIDE * SIDE), u = i % SIDE, v = i / SIDE % SIDE;
        out->sizes[i] = 4;
        out->areas[i] = (uint8_t)(face / 2);
        for (int32_t k = 0; k < 4; k++) {
            out->corners[4 * i + k] = 4 * i + k;
            out->vertices[4 * i + k] = room_point(face, (float)u + du[k], (float)v + dv[k], size);
        }
    }
    out->soup.vertices = out->vertices;
    out->soup.vertex_count = FACES * 4;
    out->soup.sizes = out->sizes;
    out->soup.polygon_count = FACES;
    out->soup.corners = out->corners;
    out->soup.corner_count = FACES * 4;
    out->soup.areas = out->areas;
}

static ploy_surface *room_surface(test_context *t, const room *in, const ploy_surface_def *def) {
    ploy_env env = ploy_env_default();
    ploy_surface *surface = NULL;
    CHECK_OK(ploy_surface_create(def, &in->soup, &env, NULL, &surface));
    return surface;
}

// A place on the inside of the cube.
static ploy_vec3 room_place(ploy_rng *rng, float size) {
    int32_t face = (int32_t)ploy_rng_below(rng, 6); // one after the other: arguments have no order
    float u = ploy_rng_range(rng, 0, SIDE), v = ploy_rng_range(rng, 0, SIDE);
    return room_point(face, u, v, size);
}

TEST(all_edges_of_a_closed_room_are_shared_and_normals_are_those_of_the_faces) { // PTH-21
    room in;
    room_make(&in, 8.0f);
    ploy_surface_def def = ploy_surface_def_default();
    CHECK_OK(ploy_fields_check_table(ploy_surface_fields(), NULL));
    ploy_surface *surface = room_surface(t, &in, &def);
    CHECK_INT(ploy_surface_polygon_count(surface), FACES);
    CHECK_INT(ploy_surface_edge_count(surface), FACES * 4 / 2);
    ploy_surface_spot spot;
    CHECK(ploy_surface_nearest(surface, ploy_vec3_make(3.3f, 4.4f, 7.5f), &spot));
    CHECK_NEAR(spot.point.z, 8.0f, 1e-6);
    CHECK_NEAR(fabsf(spot.normal.z), 1.0f, 1e-6);
    CHECK_INT(spot.area, 2);
    CHECK(ploy_surface_nearest(surface, ploy_vec3_make(0.5f, 4.4f, 5.0f), &spot));
    CHECK_NEAR(spot.point.x, 0.0f, 1e-6);
    CHECK_INT(spot.area, 0);
    CHECK(!ploy_surface_nearest(surface, ploy_vec3_make(4, 4, 4), &spot)); // reach is 2 m
    ploy_surface_destroy(surface);
}

TEST(the_nearest_point_is_that_of_all_polygons) {
    room in;
    room_make(&in, 8.0f);
    ploy_surface_def def = ploy_surface_def_default();
    def.reach = 100.0f;
    ploy_surface *surface = room_surface(t, &in, &def);
    for (int64_t seed = 0; seed < test_rounds(300); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec3 place = {ploy_rng_range(&rng, -2, 10), ploy_rng_range(&rng, -2, 10),
                           ploy_rng_range(&rng, -2, 10)};
        float best = INFINITY;
        for (int32_t i = 0; i < FACES; i++) {
            for (int32_t k = 1; k < 3; k++) {
                ploy_triangle3 part = ploy_triangle3_make(
                    in.vertices[4 * i], in.vertices[4 * i + k], in.vertices[4 * i + k + 1]);
                float away = ploy_vec3_distance(ploy_triangle3_closest(part, place), place);
                if (away < best) best = away;
            }
        }
        ploy_surface_spot spot;
        CHECK(ploy_surface_nearest(surface, place, &spot));
        CHECK_NEAR(ploy_vec3_distance(spot.point, place), best, 1e-5);
    }
    ploy_surface_destroy(surface);
}

// The distance from a point to the surface of the cube, for a point inside it.
static float room_off(ploy_vec3 p, float size) {
    float off = fminf(fminf(p.x, p.y), p.z);
    return fabsf(fminf(off, size - fmaxf(fmaxf(p.x, p.y), p.z)));
}

TEST(paths_stay_on_the_surface_from_the_floor_to_the_ceiling) { // PTH-21
    enum { SAMPLES = 16 };
    ploy_env env = ploy_env_default();
    room in;
    room_make(&in, 8.0f);
    ploy_surface_def def = ploy_surface_def_default();
    ploy_surface *surface = room_surface(t, &in, &def);
    ploy_representation view = ploy_surface_view(surface);
    ploy_planners_def options = ploy_planners_def_default();
    ploy_planners *planners = NULL;
    CHECK_OK(level_planners(&options, &view, &env, &planners));
    ploy_path_service service = ploy_planners_service(planners);
    ploy_path *path = level_path(t);
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec3 from = room_place(&rng, 8.0f), to = room_place(&rng, 8.0f);
        if (seed == 0) from = ploy_vec3_make(4.2f, 4.2f, 0), to = ploy_vec3_make(4.3f, 4.3f, 8);
        ploy_path_request request = level_ask(from, to);
        ploy_path_ticket ticket;
        ploy_path_outcome outcome = PLOY_PATH_OPEN;
        CHECK_OK(ploy_path_service_request(&service, &request, &ticket));
        CHECK_OK(ploy_path_service_step(&service, NULL));
        CHECK_OK(ploy_path_service_poll(&service, ticket, path, &outcome));
        CHECK_INT(outcome, PLOY_PATH_FOUND);
        double length = 0.0;
        for (int32_t i = 0; i + 1 < ploy_path_count(path); i++) {
            ploy_vec3 a = ploy_vec3_from_vec2(ploy_path_point(path, i), ploy_path_height(path, i));
            ploy_vec3 b =
                ploy_vec3_from_vec2(ploy_path_point(path, i + 1), ploy_path_height(path, i + 1));
            length += (double)ploy_vec3_distance(a, b);
            for (int32_t k = 0; k <= SAMPLES; k++) {
                ploy_vec3 at = ploy_vec3_lerp(a, b, (float)k / (float)SAMPLES);
                CHECK(room_off(at, 8.0f) < 1e-3f);
            }
        }
        CHECK(length + 1e-3 >= (double)ploy_vec3_distance(from, to));
        if (seed == 0) CHECK(length > 15.0 && length < 20.0); // 16 m at best: wall, wall height
    }
    ploy_path_destroy(path);
    ploy_planners_destroy(planners);
    ploy_surface_destroy(surface);
}

TEST(closed_areas_are_avoided) {
    ploy_env env = ploy_env_default();
    room in;
    room_make(&in, 8.0f);
    ploy_surface_def def = ploy_surface_def_default();
    def.prices[0] = INFINITY; // the walls at x = 0 and x = 8
    ploy_surface *surface = room_surface(t, &in, &def);
    ploy_representation view = ploy_surface_view(surface);
    ploy_representation_body body = {0.0f, 1};
    ploy_vec3 wall = ploy_vec3_make(0, 4.4f, 4.4f);
    CHECK_INT(view.quantise(view.user, wall, &body), PLOY_STATE_NONE);
    ploy_edges edges;
    ploy_edges_init(&edges, &env);
    int32_t open = 0;
    for (int32_t state = 0; state < view.space.count; state++) {
        ploy_edges_clear(&edges);
        CHECK_OK(view.space.expand(view.space.user, state, &edges));
        for (int32_t i = 0; i < edges.count; i++) {
            CHECK(in.areas[edges.view[i].label] != 0);
            open++;
        }
    }
    CHECK(open > 0);
    ploy_edges_fini(&edges);
    ploy_surface_destroy(surface);
}

static ploy_result make_one(const ploy_env *env, void *arg) {
    const room *in = arg;
    ploy_surface_def def = ploy_surface_def_default();
    ploy_surface *surface = NULL;
    ploy_result result = ploy_surface_create(&def, &in->soup, env, NULL, &surface);
    TEST_REPORT(result, env, surface, ploy_surface_memory);
    ploy_surface_destroy(surface);
    return result;
}

TEST(faults_are_reported_with_their_polygon_and_memory_may_run_out) {
    ploy_env env = ploy_env_default();
    room in;
    room_make(&in, 8.0f);
    CHECK_FAIL_NTH(make_one, &in);
    ploy_surface_def def = ploy_surface_def_default();
    ploy_diags *diags = NULL;
    ploy_surface *surface = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    in.vertices[4 * 5 + 2].x += 0.5f; // bends polygon 5 of the wall at x = 0
    CHECK_INT(ploy_surface_create(&def, &in.soup, &env, diags, &surface), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_diags_get(diags, 0)->line, 6);
    CHECK_TEXT(ploy_diags_get(diags, 0)->message, "the polygon is not flat");
    room_make(&in, 8.0f);
    ploy_diags_clear(diags);
    for (int32_t k = 0; k < 4; k++) in.vertices[4 * 7 + k] = in.vertices[4 * 6 + k]; // twice there
    CHECK_INT(ploy_surface_create(&def, &in.soup, &env, diags, &surface), PLOY_ERR_ARGUMENT);
    CHECK_TEXT(ploy_diags_get(diags, 0)->message, "more than two polygons share an edge");
    room_make(&in, 8.0f);
    ploy_diags_clear(diags);
    in.vertices[1] = in.vertices[2] = in.vertices[0];
    CHECK_INT(ploy_surface_create(&def, &in.soup, &env, diags, &surface), PLOY_ERR_ARGUMENT);
    CHECK_TEXT(ploy_diags_get(diags, 0)->message, "fewer than three different corners");
    room_make(&in, 8.0f);
    in.corners[3] = FACES * 4;
    CHECK_INT(ploy_surface_create(&def, &in.soup, &env, diags, &surface), PLOY_ERR_ARGUMENT);
    room_make(&in, 8.0f);
    in.vertices[3].y = NAN;
    CHECK_INT(ploy_surface_create(&def, &in.soup, &env, diags, &surface), PLOY_ERR_ARGUMENT);
    def.prices[3] = 0.0f;
    room_make(&in, 8.0f);
    CHECK_INT(ploy_surface_create(&def, &in.soup, &env, diags, &surface), PLOY_ERR_ARGUMENT);
    ploy_diags_destroy(diags);
}
