// Floors for the tests of navigation meshes.
#pragma once

#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "ploy/geom/boolean.h"
#include "ploy/geom/line_of_sight.h"
#include "ploy/path/navmesh_query.h"
#include "ploy/path/navmesh_tiles.h"
#include "tests/test.h"

#define NAV_UNUSED __attribute__((unused)) static

// A mesh, its query and, if it is one, the outline that it is the floor of.
typedef struct nav_floor {
    ploy_rings *rings;
    ploy_navmesh *mesh;
    ploy_navmesh_query *query;
} nav_floor;

NAV_UNUSED void nav_close(nav_floor *floor) {
    ploy_navmesh_query_destroy(floor->query);
    ploy_navmesh_destroy(floor->mesh);
    ploy_rings_destroy(floor->rings);
}

// A hall of 40 m by 30 m with up to twelve pillars of three to six corners.
NAV_UNUSED void nav_rings(test_context *t, uint64_t seed, const ploy_env *env, ploy_rings *rings) {
    static const ploy_vec2 hall[] = {{0, 0}, {40, 0}, {40, 30}, {0, 30}};
    ploy_rng rng = ploy_rng_make(seed);
    (void)env;
    CHECK_OK(ploy_rings_add(rings, hall, 4));
    for (int32_t i = 0; i < 12; i++) {
        ploy_vec2 corners[6];
        int32_t count = ploy_rng_int(&rng, 3, 6);
        float x = 5.0f + 10.0f * (float)(i % 4), y = 5.0f + 10.0f * (float)(i / 4);
        float turn = ploy_rng_range(&rng, 0.0f, 6.28f), radius = ploy_rng_range(&rng, 1.0f, 4.9f);
        for (int32_t k = 0; k < count; k++) {
            float sine, cosine;
            ploy_sincosf(turn + PLOY_TWO_PI_F * (float)k / (float)count, &sine, &cosine);
            corners[k] = ploy_vec2_make(x + radius * cosine, y + radius * sine);
        }
        if (ploy_rng_chance(&rng, 0.8f)) CHECK_OK(ploy_rings_add_reversed(rings, corners, count));
    }
}

NAV_UNUSED nav_floor nav_hall(test_context *t, uint64_t seed, float radius) {
    nav_floor floor = {NULL, NULL, NULL};
    ploy_env env = ploy_env_default();
    ploy_navmesh_def def = ploy_navmesh_def_default();
    def.radius = radius;
    CHECK_OK(ploy_rings_create(&env, &floor.rings));
    nav_rings(t, seed, &env, floor.rings);
    CHECK_OK(ploy_navmesh_create_rings(&def, floor.rings, PLOY_FILL_EVEN_ODD, NULL, 0, &env, NULL,
                                       &floor.mesh));
    CHECK_OK(ploy_navmesh_query_create(floor.mesh, &env, &floor.query));
    return floor;
}

// A mesh of polygons of `each` corners.
NAV_UNUSED nav_floor nav_soup(test_context *t, ploy_navmesh_soup soup) {
    nav_floor floor = {NULL, NULL, NULL};
    ploy_env env = ploy_env_default();
    ploy_navmesh_def def = ploy_navmesh_def_default();
    CHECK_OK(ploy_navmesh_create(&def, &soup, &env, NULL, &floor.mesh));
    CHECK_OK(ploy_navmesh_query_create(floor.mesh, &env, &floor.query));
    return floor;
}

// A strip of k triangles along x: vertices below at even, above at odd numbers.
NAV_UNUSED ploy_navmesh_soup nav_strip(int32_t k, ploy_vec3 *vertices, int32_t *sizes,
                                       int32_t *corners) {
    for (int32_t i = 0; i < k + 2; i++) {
        vertices[i] = ploy_vec3_make((float)i, i % 2 == 0 ? 0.0f : 2.0f, 0.0f);
    }
    for (int32_t i = 0; i < k; i++) {
        sizes[i] = 3;
        for (int32_t c = 0; c < 3; c++) corners[3 * i + c] = i + c;
    }
    ploy_navmesh_soup soup = {vertices, k + 2, sizes, k, corners, 3 * k, NULL,
                              NULL,     NULL,  NULL,  0, NULL,    NULL};
    return soup;
}

// Rows by columns squares of 1 m, x to the right; each polygon's number is row * columns + column.
typedef struct nav_tiles {
    ploy_vec3 vertices[400];
    int32_t sizes[361], corners[1444];
    uint8_t areas[361];
    uint16_t flags[361];
} nav_tiles;

NAV_UNUSED ploy_navmesh_soup nav_grid(nav_tiles *tiles, int32_t columns, int32_t rows) {
    for (int32_t i = 0; i < (columns + 1) * (rows + 1); i++) {
        tiles->vertices[i] =
            ploy_vec3_make((float)(i % (columns + 1)), (float)(i / (columns + 1)), 0.0f);
    }
    for (int32_t i = 0; i < columns * rows; i++) {
        int32_t first = i / columns * (columns + 1) + i % columns;
        int32_t square[4] = {first, first + 1, first + columns + 2, first + columns + 1};
        memcpy(&tiles->corners[4 * i], square, sizeof square);
        tiles->sizes[i] = 4;
        tiles->areas[i] = 0;
        tiles->flags[i] = 1;
    }
    ploy_navmesh_soup soup = {tiles->vertices,
                              (columns + 1) * (rows + 1),
                              tiles->sizes,
                              columns * rows,
                              tiles->corners,
                              4 * columns * rows,
                              tiles->areas,
                              tiles->flags,
                              NULL,
                              NULL,
                              0,
                              NULL,
                              NULL};
    return soup;
}

// A floor in tiles, not refreshed yet.
NAV_UNUSED ploy_result nav_tiled(const ploy_vec2 *outline, int32_t count, float side, float radius,
                                 const ploy_env *env, ploy_navmesh_tiles **out) {
    ploy_navmesh_tiles_def def = ploy_navmesh_tiles_def_default();
    ploy_rings *rings = NULL;
    def.tile = side;
    def.radius = radius;
    ploy_result result = ploy_rings_create(env, &rings);
    if (result == PLOY_OK) result = ploy_rings_add(rings, outline, count);
    if (result == PLOY_OK) {
        result = ploy_navmesh_tiles_create(&def, rings, PLOY_FILL_NON_ZERO, env, out);
    }
    ploy_rings_destroy(rings);
    return result;
}

NAV_UNUSED ploy_navmesh_place nav_at(test_context *t, ploy_navmesh_query *query, float x, float y) {
    ploy_navmesh_place place = {-1, {0, 0, 0}, 0};
    CHECK_OK(ploy_navmesh_find_nearest(query, ploy_vec3_make(x, y, 0.0f), -1, NULL, &place));
    return place;
}

NAV_UNUSED ploy_path *nav_path(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_path_def def = ploy_path_def_default();
    ploy_path *path = NULL;
    CHECK_OK(ploy_path_create(&def, &env, &path));
    return path;
}

NAV_UNUSED uint64_t nav_hash(const ploy_navmesh *mesh) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_navmesh_describe(mesh, &out);
    return ploy_hash_sink_result(&sink);
}

enum { NAV_CORNERS_MAX = 128 };

// The shortest way among the pillars: Dijkstra over all corners that see one another.
NAV_UNUSED double nav_shortest(const ploy_rings *rings, ploy_vec2 from, ploy_vec2 to) {
    ploy_vec2 at[NAV_CORNERS_MAX + 2];
    double best[NAV_CORNERS_MAX + 2];
    bool done[NAV_CORNERS_MAX + 2];
    int32_t count = ploy_rings_bends(rings, PLOY_SOLID_OUTSIDE, at, NAV_CORNERS_MAX);
    at[count++] = from;
    at[count++] = to;
    for (int32_t i = 0; i < count; i++) {
        best[i] = i == count - 2 ? 0.0 : INFINITY;
        done[i] = false;
    }
    for (;;) {
        int32_t next = -1;
        for (int32_t i = 0; i < count; i++) {
            if (!done[i] && best[i] < INFINITY && (next < 0 || best[i] < best[next])) next = i;
        }
        if (next < 0 || next == count - 1) return best[count - 1];
        done[next] = true;
        for (int32_t i = 0; i < count; i++) {
            double cost = best[next] + (double)ploy_vec2_distance(at[next], at[i]);
            if (done[i] || !(cost < best[i])) continue;
            if (ploy_rings_sees(rings, PLOY_SOLID_OUTSIDE, at[next], at[i])) best[i] = cost;
        }
    }
}
