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
        def.tile = 0; // the numbers are those of one piece
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
static void recast_bytes(void *user, const ploy_memory_item *item) {
    *(size_t *)user += item->bytes;
}

TEST(meshes_and_queries_keep_their_memory_bounds) {
    static const struct {
        const char *row;
        int32_t bytes; // of a mesh, for each polygon
        float detail;  // m between height samples; 0: none
    } rows[] = {{"nav_test", 250, 1.8f},
                {"nav_test", 190, 0.0f},
                {"undulating", 380, 1.8f}, // has 12 triangles of ground for each polygon
                {"undulating", 190, 0.0f}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_obj *obj = recast_obj(t, rows[i].row);
        if (obj == NULL) {
            test_skip(t, "the levels are not there");
            return;
        }
        ploy_recast_def def = ploy_recast_def_default();
        def.detail_step = rows[i].detail;
        ploy_recast_level level = recast_level(obj);
        nav_floor floor = {NULL, NULL, NULL};
        CHECK_OK(ploy_recast_build(&def, &level, &env, NULL, NULL, &floor.mesh));
        CHECK_OK(ploy_navmesh_query_create(floor.mesh, &env, &floor.query));
        size_t mesh = 0, query = 0;
        ploy_navmesh_memory(floor.mesh, recast_bytes, &mesh);
        ploy_navmesh_query_memory(floor.query, recast_bytes, &query);
        int64_t polygons = ploy_navmesh_stats_of(floor.mesh).polygons;
        if (getenv("STATE_VERBOSE") != NULL) {
            printf("%s: %d polygons, %d B each, query %d B\n", rows[i].row, (int)polygons,
                   (int)((int64_t)mesh / polygons), (int)query);
        }
        CHECK((int64_t)mesh <= rows[i].bytes * polygons);
        CHECK((int64_t)query <= 2048 + 80 * (int64_t)(PLOY_NAVMESH_NODES + 2) + polygons / 4);
        nav_close(&floor);
        ploy_obj_destroy(obj);
    }
}

TEST(heights_are_those_of_the_ground) {
    static const struct {
        const char *row, *level;
        float step;
        int32_t tile;
        bool exact;
        double mean, most; // m
    } rows[] = {{"nav_test", "nav_test", 1.8f, 0, true, 0.05, 0.6},
                {"undulating", "undulating", 1.8f, 0, true, 0.15, 0.9},
                {"undulating in tiles", "undulating", 1.8f, 48, true, 0.15, 1.4},
                {"undulating, as the cells", "undulating", 1.8f, 0, false, 0.5, 1.4}};
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
        def.tile = rows[i].tile;
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
        def.tile = 0; // Detour's paths are over one piece, too
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

// A floor with a grid of square pillars, 1 m wide and 3 m apart, the first 20 m from the corner.
typedef struct pillars {
    ploy_vec3 *vertices;
    int32_t *triangles;
    ploy_recast_level level;
} pillars;

static void pillars_quad(pillars *p, ploy_vec3 a, ploy_vec3 b, ploy_vec3 c, ploy_vec3 d) {
    static const int32_t order[6] = {0, 1, 2, 0, 2, 3};
    ploy_vec3 corners[4] = {a, b, c, d};
    for (int32_t i = 0; i < 6; i++) {
        p->triangles[3 * p->level.triangle_count + i] = p->level.vertex_count + order[i];
    }
    memcpy(p->vertices + p->level.vertex_count, corners, sizeof corners);
    p->level.vertex_count += 4;
    p->level.triangle_count += 2;
}

static pillars pillars_make(int32_t side, float size) {
    pillars p;
    memset(&p, 0, sizeof p);
    int32_t quads = 1 + 5 * side * side;
    p.vertices = malloc((size_t)quads * 4 * sizeof *p.vertices);
    p.triangles = malloc((size_t)quads * 6 * sizeof *p.triangles);
    if (p.vertices == NULL || p.triangles == NULL) abort();
    pillars_quad(&p, ploy_vec3_make(0, 0, 0), ploy_vec3_make(size, 0, 0),
                 ploy_vec3_make(size, size, 0), ploy_vec3_make(0, size, 0));
    for (int32_t i = 0; i < side * side; i++) {
        float x = 3.0f * (float)(i % side) + 20.0f, y = 3.0f * (float)(i / side) + 20.0f;
        float xs[4] = {x, x + 1, x + 1, x}, ys[4] = {y, y, y + 1, y + 1};
        for (int32_t k = 0; k < 4; k++) {
            int32_t n = (k + 1) % 4;
            pillars_quad(&p, ploy_vec3_make(xs[k], ys[k], 0), ploy_vec3_make(xs[n], ys[n], 0),
                         ploy_vec3_make(xs[n], ys[n], 5), ploy_vec3_make(xs[k], ys[k], 5));
        }
        pillars_quad(&p, ploy_vec3_make(xs[0], ys[0], 5), ploy_vec3_make(xs[1], ys[1], 5),
                     ploy_vec3_make(xs[2], ys[2], 5), ploy_vec3_make(xs[3], ys[3], 5));
    }
    p.level.vertices = p.vertices;
    p.level.triangles = p.triangles;
    return p;
}

static void pillars_free(pillars *p) {
    free(p->vertices);
    free(p->triangles);
}

// The region around them has 400 holes, and Recast's time grows with their cube: one piece of this
// level takes minutes.
TEST(four_hundred_pillars_are_baked_in_tiles) {
    ploy_env env = ploy_env_default();
    pillars p = pillars_make(20, 100);
    ploy_recast_def def = ploy_recast_def_default();
    ploy_recast_stats stats;
    nav_floor floor = {NULL, NULL, NULL};
    CHECK_OK(ploy_recast_build(&def, &p.level, &env, NULL, &stats, &floor.mesh));
    CHECK_OK(ploy_navmesh_query_create(floor.mesh, &env, &floor.query));
    CHECK(stats.columns * stats.rows > 4);
    CHECK_INT(stats.dirty, 0);
    // All in one, tops of pillars left out, and from corner to corner nearly straight.
    CHECK_INT(ploy_navmesh_stats_of(floor.mesh).islands, 1);
    ploy_navmesh_place from, to;
    CHECK_OK(ploy_navmesh_find_nearest(floor.query, ploy_vec3_make(1, 1, 0), -1, NULL, &from));
    CHECK_OK(ploy_navmesh_find_nearest(floor.query, ploy_vec3_make(99, 99, 0), -1, NULL, &to));
    ploy_path *path = nav_path(t);
    bool whole = false;
    double length = recast_length(t, &floor, path, from.point, to.point, &whole);
    CHECK(whole);
    CHECK(length > 137.0 && length < 150.0); // m; 138.6 in a straight line
    ploy_path_destroy(path);
    nav_close(&floor);
    pillars_free(&p);
}

// The real levels in tiles: as much floor as in one piece, in as many islands, with the same paths.
TEST(tiles_join_to_the_floor_of_one_piece) {
    static const char *const names[] = {"nav_test", "undulating", "bridge"};
    ploy_env env = ploy_env_default();
    ploy_path *path = nav_path(t);
    for (size_t n = 0; n < COUNT_OF(names); n++) {
        t->row = names[n];
        ploy_obj *obj = recast_obj(t, names[n]);
        if (obj == NULL) {
            test_skip(t, "the levels are not there");
            break;
        }
        ploy_recast_level level = recast_level(obj);
        nav_floor floors_of[2] = {{NULL, NULL, NULL}, {NULL, NULL, NULL}};
        ploy_recast_stats stats[2];
        for (int32_t i = 0; i < 2; i++) {
            ploy_recast_def def = ploy_recast_def_default();
            def.tile = i == 0 ? 0 : 32;
            def.region_min = 0; // small regions on a line between tiles are kept
            CHECK_OK(ploy_recast_build(&def, &level, &env, NULL, &stats[i], &floors_of[i].mesh));
            CHECK_OK(ploy_navmesh_query_create(floors_of[i].mesh, &env, &floors_of[i].query));
        }
        // One piece ends with the last whole cell; tiles see the one that the level's rim is in.
        double rim = 2.0 * (stats[0].width + stats[0].height);
        CHECK_NEAR(stats[1].spans, stats[0].spans, rim + 0.005 * stats[0].spans);
        float area = ploy_navmesh_stats_of(floors_of[0].mesh).area;
        CHECK_NEAR(ploy_navmesh_stats_of(floors_of[1].mesh).area, area,
                   0.09 * rim + 0.03 * (double)area);
        ploy_rng rng = ploy_rng_make(7);
        double lengths[2] = {0, 0};
        int32_t both = 0, differ = 0, rounds = (int32_t)test_rounds(40);
        for (int32_t k = 0; k < rounds; k++) {
            ploy_navmesh_place from, to;
            bool whole[2];
            double length[2];
            CHECK_OK(ploy_navmesh_find_random(floors_of[0].query, &rng, &from));
            CHECK_OK(ploy_navmesh_find_random(floors_of[0].query, &rng, &to));
            for (int32_t i = 0; i < 2; i++) {
                length[i] = recast_length(t, &floors_of[i], path, from.point, to.point, &whole[i]);
            }
            differ += whole[0] != whole[1];
            if (!whole[0] || !whole[1]) continue;
            both++;
            for (int32_t i = 0; i < 2; i++) lengths[i] += length[i];
        }
        CHECK(differ <= rounds / 20); // points that are nearest to another island
        CHECK(both > 0);
        CHECK_NEAR(lengths[1], lengths[0], 0.05 * lengths[0]);
        for (int32_t i = 0; i < 2; i++) nav_close(&floors_of[i]);
        ploy_obj_destroy(obj);
    }
    ploy_path_destroy(path);
}

TEST(obstacles_come_and_go_and_only_their_tiles_are_baked) {
    ploy_env env = ploy_env_default();
    pillars p = pillars_make(1, 60);
    ploy_recast_def def = ploy_recast_def_default();
    def.tile = 32; // 9.6 m
    ploy_recast_bake *bake = NULL;
    CHECK_OK(ploy_recast_bake_create(&def, &p.level, &env, NULL, &bake));
    CHECK(ploy_recast_bake_mesh(bake) == NULL);
    CHECK_INT((int64_t)ploy_recast_bake_generation(bake), 0);
    int32_t slices = 0;
    ploy_result result = PLOY_IN_PROGRESS;
    for (; result == PLOY_IN_PROGRESS; slices++) {
        ploy_budget budget = ploy_budget_units(5);
        result = ploy_recast_bake_step(bake, &budget, NULL);
    }
    CHECK_OK(result);
    CHECK_INT(slices, (49 + 1 + 4) / 5); // 7 x 7 tiles and the join
    uint64_t before = ploy_recast_bake_generation(bake);
    uint64_t hash = ploy_navmesh_generation(ploy_recast_bake_mesh(bake));
    CHECK_OK(ploy_recast_bake_step(bake, NULL, NULL)); // nothing to do
    CHECK(ploy_recast_bake_generation(bake) == before);
    // A wall across the floor, and mud beside it.
    ploy_vec2 wall[4] = {{-5, 29.5f}, {65, 29.5f}, {65, 30.5f}, {-5, 30.5f}};
    ploy_vec2 mud[4] = {{40, 40}, {50, 40}, {50, 50}, {40, 50}};
    ploy_recast_obstacle block = {wall, 4, -1, 3, -1}, marsh = {mud, 4, -1, 1, 3};
    ploy_id id, other;
    CHECK_OK(ploy_recast_bake_add(bake, &block, &id));
    CHECK_OK(ploy_recast_bake_add(bake, &marsh, &other));
    CHECK_INT(ploy_recast_bake_stats(bake).obstacles, 2);
    int32_t dirty = ploy_recast_bake_stats(bake).dirty;
    CHECK(dirty >= 7 && dirty <= 7 + 7 + 9);
    CHECK_OK(ploy_recast_bake_step(bake, NULL, NULL));
    const ploy_navmesh *mesh = ploy_recast_bake_mesh(bake);
    CHECK_INT(ploy_navmesh_stats_of(mesh).islands, 2);
    CHECK(ploy_recast_bake_generation(bake) != before);
    ploy_navmesh_query *query = NULL;
    ploy_navmesh_place place;
    CHECK_OK(ploy_navmesh_query_create(mesh, &env, &query));
    CHECK_OK(ploy_navmesh_find_nearest(query, ploy_vec3_make(45, 45, 0), -1, NULL, &place));
    CHECK_INT(ploy_navmesh_polygon_at(mesh, place.polygon).area, 3);
    CHECK_OK(ploy_navmesh_find_nearest(query, ploy_vec3_make(30, 30, 0), -1, NULL, &place));
    CHECK(fabsf(place.point.y - 30.0f) >= 0.5f + 0.6f - 0.3f); // the agent's radius from the wall
    ploy_navmesh_query_destroy(query);
    // Taken away again the mesh has the same bytes as before.
    CHECK_OK(ploy_recast_bake_remove(bake, id));
    CHECK_OK(ploy_recast_bake_remove(bake, other));
    CHECK_INT(ploy_recast_bake_remove(bake, id), PLOY_ERR_NOT_FOUND);
    CHECK_OK(ploy_recast_bake_step(bake, NULL, NULL));
    CHECK(ploy_navmesh_generation(ploy_recast_bake_mesh(bake)) == hash);
    CHECK(ploy_recast_bake_generation(bake) != before);
    block.area = PLOY_NAVMESH_AREAS;
    CHECK_INT(ploy_recast_bake_add(bake, &block, NULL), PLOY_ERR_ARGUMENT);
    block.area = -1;
    block.count = 2;
    CHECK_INT(ploy_recast_bake_add(bake, &block, NULL), PLOY_ERR_ARGUMENT);
    ploy_recast_bake_destroy(bake);
    pillars_free(&p);
}

TEST(levels_too_large_are_refused_with_the_reason) {
    static const struct {
        const char *row;
        float size;
        int32_t tile, columns, memory;
        ploy_result want;
        const char *says;
    } rows[] = {
        {"1.5 km by default", 1500, 48, 1 << 24, 512, PLOY_ERR_LIMIT, "max_columns"},
        {"1.5 km in one piece", 1500, 0, 1 << 26, 512, PLOY_ERR_LIMIT, "memory_mb"},
        {"100 m in one piece with little memory", 100, 0, 1 << 24, 4, PLOY_ERR_LIMIT, "memory_mb"},
        {"100 m in tiles with little memory", 100, 64, 1 << 24, 4, PLOY_OK, NULL},
    };
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags_clear(diags);
        pillars p = pillars_make(0, rows[i].size);
        ploy_recast_def def = ploy_recast_def_default();
        def.tile = rows[i].tile;
        def.max_columns = rows[i].columns;
        def.memory_mb = rows[i].memory;
        ploy_navmesh *mesh = NULL;
        CHECK_INT(ploy_recast_build(&def, &p.level, &env, diags, NULL, &mesh), rows[i].want);
        if (rows[i].says != NULL) {
            CHECK(ploy_diags_count(diags) > 0);
            CHECK(strstr(ploy_diags_get(diags, 0)->message, rows[i].says) != NULL);
        }
        ploy_navmesh_destroy(mesh);
        pillars_free(&p);
    }
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

static ploy_result recast_tiles_nth(const ploy_env *env, void *arg) {
    ploy_recast_def def = ploy_recast_def_default();
    ploy_recast_level level = recast_floors();
    ploy_recast_bake *bake = NULL;
    ploy_vec2 box[4] = {{2, 2}, {4, 2}, {4, 4}, {2, 4}};
    ploy_recast_obstacle block = {box, 4, -1, 1, -1};
    (void)arg;
    def.tile = 16;
    ploy_result result = ploy_recast_bake_create(&def, &level, env, NULL, &bake);
    if (result == PLOY_OK) result = ploy_recast_bake_add(bake, &block, NULL);
    if (result == PLOY_OK) result = ploy_recast_bake_step(bake, NULL, NULL);
    TEST_REPORT(result, env, bake, ploy_recast_bake_memory);
    ploy_recast_bake_destroy(bake);
    return result;
}

TEST(building_survives_every_failing_allocation_of_ours) {
    CHECK_FAIL_NTH(recast_nth, NULL);
    CHECK_FAIL_NTH(recast_tiles_nth, NULL);
}
