// A guard watches the middle of a yard. The same request twice: the short path, and that of an agent
// who would rather not be seen; what the guard sees is a layer of costs.
// Shows ploy_cost_layer and the costs of a ploy_path_options.
#include <stdio.h>

#include "ploy/path/finders.h"
#include "ploy/path/planners.h"

enum { WIDTH = 24, HEIGHT = 9, CELLS = WIDTH * HEIGHT };

static void show(const ploy_tiles *tiles, const float *danger, const ploy_path *path) {
    char cells[CELLS];
    for (int32_t i = 0; i < CELLS; i++) cells[i] = danger[i] > 0.0f ? 'o' : '.';
    float length = ploy_path_length(path);
    for (float along = 0.0f; along <= length; along += 0.1f) {
        ploy_vec3 at = ploy_path_at(path, along);
        int32_t cell = ploy_tiles_quantise(tiles, ploy_vec2_from_vec3(at));
        if (cell >= 0) cells[cell] = '*';
    }
    printf("%.1f m\n", length);
    for (int32_t y = 0; y < HEIGHT; y++) printf("%.*s\n", WIDTH, cells + y * WIDTH);
}

// Requests a path from left to right, with a hook or without.
static void ask(const ploy_tiles *tiles, ploy_planners *planners, const float *danger,
                ploy_cost_hook costs) {
    ploy_env env = ploy_env_default();
    ploy_path_service service = ploy_planners_service(planners);
    ploy_path_options options = ploy_path_options_make();
    ploy_vec3 from = {1.5f, 4.5f, 0.0f}, to = {22.5f, 4.5f, 0.0f};
    ploy_path_request request = ploy_path_request_make(ploy_agent_id_none(), from, to);
    ploy_path_ticket ticket;
    ploy_path_outcome outcome;
    ploy_path_def def = ploy_path_def_default();
    ploy_path *path = NULL;
    options.costs = costs;
    if (ploy_path_create(&def, &env, &path) != PLOY_OK) return;
    if (ploy_planners_request(planners, &request, &options, &ticket) == PLOY_OK &&
        ploy_path_service_step(&service, NULL) == PLOY_OK &&
        ploy_path_service_poll(&service, ticket, path, &outcome) == PLOY_OK) {
        show(tiles, danger, path);
    }
    ploy_path_destroy(path);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    ploy_tiles *tiles = NULL;
    def.width = WIDTH;
    def.height = HEIGHT;
    if (ploy_tiles_create(&def, &env, &tiles) != PLOY_OK) return 1;
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    ploy_representation representation = ploy_tiles_representation(&walker);
    ploy_planners_def planners_def = ploy_planners_def_default();
    ploy_planners *planners = NULL;
    ploy_finder_factory finder = ploy_representation_finder(&representation, PLOY_SPACE_ASTAR);
    if (ploy_planners_create(&planners_def, &env, &planners) != PLOY_OK) return 1;
    if (ploy_planners_add_finder(planners, (ploy_name){0}, &finder) != PLOY_OK) return 1;
    // One number a cell: here what the guard sees, anywhere else an influence map.
    float danger[CELLS];
    for (int32_t i = 0; i < CELLS; i++) {
        int32_t x = i % WIDTH - 12, y = i / WIDTH - 5;
        danger[i] = x * x + y * y < 16 ? 1.0f : 0.0f;
    }
    ploy_cost_layer layer = {danger, CELLS, 3.0f}; // a watched metre is as bad as four
    ask(tiles, planners, danger, ploy_cost_hook_none());
    ask(tiles, planners, danger, ploy_cost_layer_hook(&layer));
    ploy_planners_destroy(planners);
    ploy_tiles_destroy(tiles);
    return 0;
}
