// Meshes through Recast: what is known of real levels, areas, floors over one another, and levels
// that are refused. The files of paths were made by Detour on meshes of the same settings.
#include "ploy/path/recast.h"

#include <stdlib.h>

#include "ploy/data/obj.h"
#include "tests/path/navmesh_help.h"

// A level from the outside data; NULL if it is not there.
static ploy_obj *recast_obj(test_context *t, const char *name) {
    char path[1024];
    if (test_data_dir() == NULL) return NULL;
    snprintf(path, sizeof path, "%s/navmesh/%s.obj", test_data_dir(), name);
    size_t size = 0;
    char *bytes = test_read_file(path, &size);
    if (bytes == NULL) return NULL;
    ploy_env env = ploy_env_default();
    ploy_obj *obj = NULL;
    CHECK_OK(ploy_obj_load(bytes, size, PLOY_AXES_Y_UP_RIGHT, name, &env, NULL, &obj));
    free(bytes);
    return obj;
}

static ploy_recast_level recast_level(const ploy_obj *obj) {
    ploy_obj_view view = ploy_obj_get(obj);
    ploy_recast_level level = {
        view.vertices, view.vertex_count, view.triangles, view.triangle_count, NULL, NULL, NULL, 0};
    return level;
}

// Two floors of 10 m by 10 m, 4 m apart, and nothing between them.
static const ploy_vec3 floors[] = {{0, 0, 0}, {10, 0, 0}, {10, 10, 0}, {0, 10, 0},
                                   {0, 0, 4}, {10, 0, 4}, {10, 10, 4}, {0, 10, 4}};
static const int32_t floor_triangles[] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};

static ploy_recast_level recast_floors(void) {
    ploy_recast_level level = {floors, 8, floor_triangles, 4, NULL, NULL, NULL, 0};
    return level;
}

TEST(real_levels_give_the_known_meshes) {
    static const struct {
        const char *row;
        int32_t spans, polygons;
    } rows[] = {{"nav_test", 45117, 155}, {"undulating", 97773, 216}, {"bridge", 1183, 4}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_obj *obj = recast_obj(t, rows[i].row);
        if (obj == NULL) {
            test_skip(t, "the levels are not there");
            return;
        }
        ploy_recast_def def = ploy_recast_def_default();
        ploy_recast_level level = recast_level(obj);
        ploy_recast_stats stats;
        ploy_navmesh *mesh = NULL;
        CHECK_OK(ploy_recast_build(&def, &level, &env, NULL, &stats, &mesh));
        // Releases of Recast differ a little from one another.
        CHECK_NEAR(stats.spans, rows[i].spans, 0.01 * rows[i].spans);
        CHECK_NEAR(ploy_navmesh_stats_of(mesh).polygons, rows[i].polygons, 0.1 * rows[i].polygons);
        CHECK_INT(ploy_navmesh_stats_of(mesh).skipped, 0);
        ploy_navmesh_destroy(mesh);
        ploy_obj_destroy(obj);
    }
}

// How far the nearest triangle that looks up is below a point; negative if it is above it.
static double above_ground(const ploy_recast_level *level, ploy_vec3 at) {
    double best = INFINITY;
    for (int32_t i = 0; i < level->triangle_count; i++) {
        double x[3], y[3], z[3];
        for (int32_t k = 0; k < 3; k++) {
            ploy_vec3 corner = level->vertices[level->triangles[3 * i + k]];
            x[k] = (double)corner.x - (double)at.x;
            y[k] = (double)corner.y - (double)at.y;
            z[k] = (double)corner.z - (double)at.z;
        }
        double a = x[1] * y[2] - y[1] * x[2], b = x[2] * y[0] - y[2] * x[0];
        double c = x[0] * y[1] - y[0] * x[1], whole = a + b + c;
        if (!(whole > 0.0) || a < 0.0 || b < 0.0 || c < 0.0) continue;
        double rise = (a * z[0] + b * z[1] + c * z[2]) / whole;
        if (fabs(rise) < fabs(best)) best = -rise;
    }
    return best;
}

// The bounds are what was measured over 20,000 places, and a little more.
TEST(heights_are_those_of_the_ground) {
    static const struct {
        const char *row, *level;
        float step;
        bool exact;
        double mean, most; // m
    } rows[] = {{"nav_test", "nav_test", 1.8f, true, 0.05, 0.6},
                {"undulating", "undulating", 1.8f, true, 0.15, 0.9},
                {"undulating, as the cells", "undulating", 1.8f, false, 0.5, 1.4}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_obj *obj = recast_obj(t, rows[i].level);
        if (obj == NULL) {
            test_skip(t, "the levels are not there");
            return;
        }
        ploy_recast_def def = ploy_recast_def_default();
        ploy_recast_level level = recast_level(obj);
        nav_floor floor = {NULL, NULL, NULL};
        def.detail_step = rows[i].step;
        def.detail_error = rows[i].step / 9.0f;
        def.detail_exact = rows[i].exact;
        CHECK_OK(ploy_recast_build(&def, &level, &env, NULL, NULL, &floor.mesh));
        CHECK_OK(ploy_navmesh_query_create(floor.mesh, &env, &floor.query));
        CHECK_INT(ploy_navmesh_stats_of(floor.mesh).details > 0, rows[i].step > 0.0f);
        double sum = 0.0, most = 0.0;
        int32_t count = (int32_t)test_rounds(200);
        ploy_rng rng = ploy_rng_make(1);
        for (int32_t k = 0; k < count; k++) {
            ploy_navmesh_place place;
            CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &place));
            double off = fabs(above_ground(&level, place.point));
            sum += off;
            most = fmax(most, off);
        }
        CHECK(sum <= rows[i].mean * (double)count);
        CHECK(most <= rows[i].most);
        nav_close(&floor);
        ploy_obj_destroy(obj);
    }
}

// Length in space of the way from one point to another; partial ones end where they can.
static double recast_length(test_context *t, const nav_floor *floor, ploy_path *path,
                            ploy_vec3 from, ploy_vec3 to, bool *whole) {
    ploy_navmesh_place a, b;
    CHECK_OK(ploy_navmesh_find_nearest(floor->query, from, -1, NULL, &a));
    CHECK_OK(ploy_navmesh_find_nearest(floor->query, to, -1, NULL, &b));
    ploy_navmesh_request request = ploy_navmesh_request_make(a, b);
    ploy_navmesh_answer answer;
    CHECK_OK(ploy_navmesh_find_path(floor->query, &request, path, &answer));
    *whole = answer.outcome == PLOY_PATH_FOUND;
    double length = 0.0;
    for (int32_t i = 1; i < ploy_path_count(path); i++) {
        ploy_vec3 p =
            ploy_vec3_from_vec2(ploy_path_point(path, i - 1), ploy_path_height(path, i - 1));
        ploy_vec3 q = ploy_vec3_from_vec2(ploy_path_point(path, i), ploy_path_height(path, i));
        length += (double)ploy_vec3_distance(p, q);
    }
    return length;
}

// Each row of a file of paths: points, whether it is reached, the length.
TEST(ways_are_as_long_as_detour_says) {
    static const char *const names[] = {"nav_test", "undulating", "bridge"};
    ploy_env env = ploy_env_default();
    ploy_adapter adapter = ploy_adapter_make(PLOY_AXES_Y_UP_RIGHT, 1.0f);
    ploy_path *path = nav_path(t);
    for (size_t n = 0; n < COUNT_OF(names); n++) {
        t->row = names[n];
        ploy_obj *obj = recast_obj(t, names[n]);
        if (obj == NULL) {
            test_skip(t, "the levels are not there");
            break;
        }
        ploy_recast_def def = ploy_recast_def_default();
        ploy_recast_level level = recast_level(obj);
        nav_floor floor = {NULL, NULL, NULL};
        CHECK_OK(ploy_recast_build(&def, &level, &env, NULL, NULL, &floor.mesh));
        CHECK_OK(ploy_navmesh_query_create(floor.mesh, &env, &floor.query));
        char file[1024];
        snprintf(file, sizeof file, "%s/navmesh/%s.paths.txt", test_data_dir(), names[n]);
        size_t size = 0;
        char *text = test_read_file(file, &size), *line = text;
        CHECK(text != NULL);
        double ours = 0.0, theirs = 0.0;
        int32_t rows = 0, far = 0;
        for (; line != NULL && *line != '\0'; line = strchr(line, '\n'), line += line != NULL) {
            float p[6];
            int reached = 0;
            double length = 0.0;
            if (sscanf(line, "%f %f %f %f %f %f %d %lf", &p[0], &p[1], &p[2], &p[3], &p[4], &p[5],
                       &reached, &length) != 8) {
                continue;
            }
            bool whole = false;
            double got = recast_length(
                t, &floor, path,
                ploy_adapter_point_from_host(adapter, ploy_vec3_make(p[0], p[1], p[2])),
                ploy_adapter_point_from_host(adapter, ploy_vec3_make(p[3], p[4], p[5])), &whole);
            CHECK_INT(whole, reached);
            if (!whole) continue;
            rows++;
            ours += got;
            theirs += length;
            far += fabs(got - length) > 0.05 * length + 0.3;
        }
        CHECK(rows >= 15);
        CHECK(ours <= 1.01 * theirs && ours >= 0.97 * theirs);
        // Another row of polygons now and then; and heights are those of the polygons' corners,
        // theirs those of the ground within them, which on short ways uphill is a difference.
        CHECK(far <= rows / 10);
        free(text);
        nav_close(&floor);
        ploy_obj_destroy(obj);
    }
    ploy_path_destroy(path);
}

TEST(floors_lie_over_one_another_and_areas_keep_their_flags) {
    ploy_env env = ploy_env_default();
    ploy_recast_def def = ploy_recast_def_default();
    ploy_recast_level level = recast_floors();
    static const uint8_t areas[] = {0, 0, 5, 5};
    uint16_t flags[PLOY_NAVMESH_AREAS] = {1, 1, 1, 1, 1, 8};
    ploy_navmesh_link ladder =
        ploy_navmesh_link_make(ploy_vec3_make(5, 5, 0), ploy_vec3_make(5, 6, 4));
    level.areas = areas;
    level.area_flags = flags;
    nav_floor floor = {NULL, NULL, NULL};
    for (int32_t links = 0; links < 2; links++) {
        level.links = &ladder;
        level.link_count = links;
        CHECK_OK(ploy_recast_build(&def, &level, &env, NULL, NULL, &floor.mesh));
        CHECK_OK(ploy_navmesh_query_create(floor.mesh, &env, &floor.query));
        CHECK_INT(ploy_navmesh_stats_of(floor.mesh).islands, 2 - links);
        ploy_navmesh_place low, high;
        CHECK_OK(
            ploy_navmesh_find_nearest(floor.query, ploy_vec3_make(2, 2, 0.5f), -1, NULL, &low));
        CHECK_OK(
            ploy_navmesh_find_nearest(floor.query, ploy_vec3_make(2, 2, 4.5f), -1, NULL, &high));
        CHECK(low.polygon != high.polygon);
        CHECK_NEAR(low.point.z, 0.0, 0.25);
        CHECK_NEAR(high.point.z, 4.0, 0.25);
        CHECK_INT(ploy_navmesh_polygon_at(floor.mesh, low.polygon).area, 0);
        CHECK_INT(ploy_navmesh_polygon_at(floor.mesh, high.polygon).area, 5);
        CHECK_INT(ploy_navmesh_polygon_at(floor.mesh, high.polygon).flags, 8);
        ploy_navmesh_request request = ploy_navmesh_request_make(low, high);
        ploy_navmesh_answer answer;
        CHECK_OK(ploy_navmesh_find_path(floor.query, &request, NULL, &answer));
        CHECK_INT(answer.outcome, links == 1 ? PLOY_PATH_FOUND : PLOY_PATH_PARTIAL);
        nav_close(&floor);
    }
}

TEST(levels_that_cannot_be_are_refused) {
    static const ploy_vec3 wide[] = {{0, 0, 0}, {1e6f, 0, 0}, {0, 1e6f, 0}};
    static const ploy_vec3 bad[] = {{0, 0, 0}, {NAN, 0, 0}, {0, 1, 0}};
    static const ploy_vec3 upright[] = {{0, 0, 0}, {10, 0, 0}, {0, 0, 10}};
    static const ploy_vec3 steep[] = {{0, 0, 0}, {10, 0, 0}, {0, 3, 10}};
    static const int32_t one[] = {0, 1, 2}, none[] = {0, 1, 3};
    static const uint8_t area[] = {PLOY_NAVMESH_AREAS};
    static const struct {
        const char *row;
        const ploy_vec3 *vertices;
        const int32_t *triangles;
        int32_t count;
        const uint8_t *areas;
        ploy_result want;
    } rows[] = {
        {"nothing", wide, one, 0, NULL, PLOY_ERR_ARGUMENT},
        {"no vertices", NULL, one, 1, NULL, PLOY_ERR_ARGUMENT},
        {"too wide", wide, one, 1, NULL, PLOY_ERR_LIMIT},
        {"not a number", bad, one, 1, NULL, PLOY_ERR_ARGUMENT},
        {"no such vertex", steep, none, 1, NULL, PLOY_ERR_ARGUMENT},
        {"no such area", steep, one, 1, area, PLOY_ERR_ARGUMENT},
        {"an upright wall", upright, one, 1, NULL, PLOY_ERR_NOT_FOUND},
        {"a steep slope", steep, one, 1, NULL, PLOY_ERR_NOT_FOUND},
    };
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags_clear(diags);
        ploy_recast_def def = ploy_recast_def_default();
        ploy_recast_level level = {
            rows[i].vertices, 3, rows[i].triangles, rows[i].count, rows[i].areas, NULL, NULL, 0};
        ploy_navmesh *mesh = NULL;
        CHECK_INT(ploy_recast_build(&def, &level, &env, diags, NULL, &mesh), rows[i].want);
        CHECK(mesh == NULL && ploy_diags_count(diags) > 0);
    }
    ploy_recast_def def = ploy_recast_def_default();
    ploy_recast_level level = recast_floors();
    ploy_navmesh *mesh = NULL;
    def.cell = NAN;
    CHECK_INT(ploy_recast_build(&def, &level, &env, diags, NULL, &mesh), PLOY_ERR_ARGUMENT);
    ploy_diags_destroy(diags);
}

static ploy_result recast_nth(const ploy_env *env, void *arg) {
    ploy_recast_def def = ploy_recast_def_default();
    ploy_recast_level level = recast_floors();
    ploy_navmesh *mesh = NULL;
    (void)arg;
    ploy_result result = ploy_recast_build(&def, &level, env, NULL, NULL, &mesh);
    ploy_navmesh_destroy(mesh);
    return result;
}

TEST(building_survives_every_failing_allocation_of_ours) {
    CHECK_FAIL_NTH(recast_nth, NULL);
}
