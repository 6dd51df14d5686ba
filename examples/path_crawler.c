// A spider walks from the floor of a room to its ceiling, over a wall. The wall on the left is icy,
// so it takes another one. Shows ploy/path/surface.h: a mesh without an up axis, planned on like any
// other representation, and the normal that points up for a character.
#include <math.h>
#include <stdio.h>

#include "ploy/path/finders.h"
#include "ploy/path/surface.h"

// The inside of a room of 6 x 4 x 3 m: floor, ceiling, and walls on the left, right, front, back.
static const ploy_vec3 corners[8] = {{0, 0, 0}, {6, 0, 0}, {6, 4, 0}, {0, 4, 0},
                                     {0, 0, 3}, {6, 0, 3}, {6, 4, 3}, {0, 4, 3}};
static const int32_t faces[24] = {0, 1, 2, 3, 7, 6, 5, 4, 0, 3, 7, 4,
                                  1, 5, 6, 2, 0, 4, 5, 1, 3, 2, 6, 7};
static const int32_t sizes[6] = {4, 4, 4, 4, 4, 4};
static const char *const names[6] = {"floor", "ceiling", "left", "right", "front", "back"};
enum { DRY, ICE };
static const uint8_t areas[6] = {DRY, DRY, ICE, DRY, DRY, DRY};

static void walk(const ploy_surface *surface, ploy_vec3 from, ploy_vec3 to, const ploy_env *env) {
    ploy_representation view = ploy_surface_view(surface);
    ploy_finder_factory factory = ploy_representation_finder(&view, PLOY_SPACE_ASTAR);
    ploy_finder finder = {NULL, NULL};
    ploy_path_def def = ploy_path_def_default();
    ploy_path *path = NULL;
    if (ploy_finder_make(&factory, env, &finder) != PLOY_OK) return;
    ploy_path_request places = ploy_path_request_make(ploy_agent_id_none(), from, to);
    ploy_finder_request request = ploy_finder_request_make(&places);
    if (ploy_path_create(&def, env, &path) == PLOY_OK &&
        ploy_finder_run(finder, &request, NULL) == PLOY_OK &&
        ploy_finder_outcome(finder) == PLOY_PATH_FOUND &&
        ploy_finder_path(finder, path) == PLOY_OK) {
        for (int32_t i = 0; i < ploy_path_count(path); i++) {
            ploy_vec2 at = ploy_path_point(path, i);
            printf("  (%.1f, %.1f, %.1f)\n", (double)at.x, (double)at.y,
                   (double)ploy_path_height(path, i));
        }
    }
    ploy_path_destroy(path);
    ploy_finder_destroy(finder);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_navmesh_soup soup = {.vertices = corners,
                              .vertex_count = 8,
                              .sizes = sizes,
                              .polygon_count = 6,
                              .corners = faces,
                              .corner_count = 24,
                              .areas = areas};
    ploy_surface_def def = ploy_surface_def_default();
    ploy_surface *surface = NULL;
    if (ploy_surface_create(&def, &soup, &env, NULL, &surface) != PLOY_OK) return 1;
    ploy_surface_spot spot;
    if (ploy_surface_nearest(surface, ploy_vec3_make(1, 1, 2.8f), &spot)) {
        printf("nearest: the %s, up is (%.0f, %.0f, %.0f)\n", names[spot.polygon],
               (double)spot.normal.x, (double)spot.normal.y, (double)spot.normal.z);
    }
    printf("from the floor to the ceiling:\n");
    walk(surface, ploy_vec3_make(1, 2, 0), ploy_vec3_make(1, 2, 3), &env);
    ploy_surface_destroy(surface);
    def.prices[ICE] = INFINITY; // closed
    if (ploy_surface_create(&def, &soup, &env, NULL, &surface) != PLOY_OK) return 1;
    printf("around the ice:\n");
    walk(surface, ploy_vec3_make(1, 2, 0), ploy_vec3_make(1, 2, 3), &env);
    ploy_surface_destroy(surface);
    return 0;
}
