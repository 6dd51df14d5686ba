// Three hundred guards request a path in the same tick; in every tick the service takes exactly as
// many states as its budget allows, one guard walks a path with a door and a ferry on it, another fetches medicine.
// Shows ploy_planners, ploy_navigator and a graph whose edges say how they are travelled.
#include <stdio.h>

#include "ploy/path/finders.h"
#include "ploy/path/navigator.h"
#include "ploy/path/planners.h"
#include "ploy/path/smooth.h"

enum { GUARDS = 300, SIDE = 40, UNITS = 2000 };

// All ask at once; the budget holds in every tick.
static void crowd(const ploy_env *env) {
    ploy_tiles_def map = ploy_tiles_def_default();
    ploy_tiles *tiles = NULL;
    map.width = map.height = SIDE;
    if (ploy_tiles_create(&map, env, &tiles) != PLOY_OK) return;
    for (int32_t y = 1; y < SIDE - 1; y++) ploy_tiles_set(tiles, y * SIDE + SIDE / 2, 0);
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    ploy_representation representation = ploy_tiles_representation(&walker);
    ploy_planners_def def = ploy_planners_def_default();
    ploy_planners *planners = NULL;
    def.capacity = GUARDS;
    ploy_finder_factory astar = ploy_representation_finder(&representation, PLOY_SPACE_ASTAR);
    if (ploy_planners_create(&def, env, &planners) != PLOY_OK) return;
    if (ploy_planners_add_finder(planners, (ploy_name){0}, &astar) != PLOY_OK) return;
    for (int32_t i = 0; i < GUARDS; i++) {
        ploy_path_ticket ticket;
        ploy_vec3 from = {0.5f + (float)(i % 15), 1.5f + (float)(i / 15), 0},
                  to = {38.5f, 20.5f, 0};
        ploy_path_request request = ploy_path_request_make(ploy_agent_id_none(), from, to);
        ploy_planners_request(planners, &request, NULL, &ticket);
    }
    ploy_path_service service = ploy_planners_service(planners);
    ploy_result result = PLOY_IN_PROGRESS;
    for (int32_t tick = 0; result == PLOY_IN_PROGRESS; tick++) {
        ploy_budget budget = ploy_budget_units(UNITS);
        result = ploy_path_service_step(&service, &budget);
        ploy_planners_stats stats = ploy_planners_stats_of(planners);
        if (tick % 20 == 0 || result == PLOY_OK) {
            printf("tick %d: %d states, %d paths known, %d of them from others\n", (int)tick,
                   (int)budget.spent, (int)stats.answers, (int)stats.hits);
        }
    }
    ploy_planners_destroy(planners);
    ploy_tiles_destroy(tiles);
}

// A path whose edges are not all walked.
static void walk(const ploy_env *env) {
    ploy_graph_def graph_def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    ploy_graph_representation_def division_def = ploy_graph_representation_def_default();
    ploy_graph_representation *level = NULL;
    ploy_planners_def def = ploy_planners_def_default();
    ploy_planners *planners = NULL;
    ploy_navigator_def mind = ploy_navigator_def_default();
    ploy_navigator *planner = NULL;
    static const ploy_vec3 places[] = {{0, 0, 0}, {5, 0, 0}, {6, 0, 0}, {30, 0, 0}};
    int32_t door = 0;
    if (ploy_graph_create(&graph_def, env, &graph) != PLOY_OK) return;
    for (int32_t i = 0; i < 4; i++) ploy_graph_add_node(graph, places[i], NULL);
    ploy_graph_add_edge(graph, 0, 1, 5, 0, NULL);
    ploy_graph_add_edge(graph, 1, 2, 1, 1, &door); // flag 0
    ploy_graph_add_edge(graph, 2, 3, 48, 2, NULL); // flag 1: slow
    if (ploy_graph_representation_create(&division_def, graph, NULL, env, &level) != PLOY_OK)
        return;
    ploy_graph_representation_set_kind(level, 0, ploy_name_of("door"), 0);
    ploy_graph_representation_set_kind(level, 1, ploy_name_of("ferry"), 0.5f);
    ploy_graph_representation_set_link(level, door, ploy_id_make(7, 1));
    ploy_representation representation = ploy_graph_representation_view(level);
    def.straight = false; // no guard swims
    ploy_finder_factory astar = ploy_representation_finder(&representation, PLOY_SPACE_ASTAR);
    if (ploy_planners_create(&def, env, &planners) != PLOY_OK) return;
    if (ploy_planners_add_finder(planners, (ploy_name){0}, &astar) != PLOY_OK) return;
    if (ploy_navigator_create(&mind, env, &planner) != PLOY_OK) return;
    ploy_path_service service = ploy_planners_service(planners);
    ploy_vec3 at = {0, 1, 0}, to = {30, 1, 0};
    ploy_path_request request = ploy_path_request_make(ploy_agent_id_none(), at, to);
    ploy_navigator_begin(planner, &service, &request);
    int32_t edge = -1;
    while (ploy_navigator_state_of(planner) != PLOY_NAVIGATOR_ARRIVED) {
        ploy_path_service_step(&service, NULL);
        if (ploy_navigator_step(planner, &service, at, 0.5f) != PLOY_OK) return;
        const ploy_path_edge *leg = ploy_navigator_edge(planner);
        if (leg != NULL && ploy_navigator_edge_index(planner) != edge) {
            edge = ploy_navigator_edge_index(planner);
            bool by_door = leg->kind.hash == ploy_name_of("door").hash;
            bool ferry = leg->kind.hash == ploy_name_of("ferry").hash;
            printf("%s", by_door ? "through door " : ferry ? "by ferry" : "on foot");
            if (by_door) printf("%u", (unsigned)leg->link.index);
            printf("\n");
        }
        float speed = leg != NULL && leg->speed_limit > 0 ? leg->speed_limit : 2.0f;
        ploy_vec3 target = ploy_navigator_target(planner);
        at = ploy_vec3_from_vec2(
            ploy_vec2_toward(ploy_vec2_from_vec3(at), ploy_vec2_from_vec3(target), speed * 0.5f),
            0);
    }
    printf("arrived\n");
    ploy_navigator_destroy(planner);
    ploy_planners_destroy(planners);
    ploy_graph_representation_destroy(level);
    ploy_graph_destroy(graph);
}

// A patrol made by hand, rounded off at its corners, that a guard follows without a request.
static void patrol(const ploy_env *env, const ploy_path_service *service) {
    static const ploy_vec2 posts[] = {{0, 0}, {10, 0}, {10, 8}, {2, 8}};
    ploy_path_def def = ploy_path_def_default();
    ploy_navigator_def mind = ploy_navigator_def_default();
    ploy_path *path = NULL, *curve = NULL;
    ploy_navigator *guard = NULL;
    if (ploy_path_create(&def, env, &path) != PLOY_OK) return;
    if (ploy_path_create(&def, env, &curve) != PLOY_OK) return;
    for (int i = 0; i < 4; i++) (void)ploy_path_append(path, posts[i], 0.0f, NULL);
    if (ploy_path_curve(path, 0.05f, NULL, NULL, env, curve) != PLOY_OK ||
        ploy_navigator_create(&mind, env, &guard) != PLOY_OK ||
        ploy_navigator_follow(guard, service, curve) != PLOY_OK) {
        return;
    }
    printf("a patrol of %.1f m, as a curve of %d points %.1f m\n", (double)ploy_path_length(path),
           (int)ploy_path_count(ploy_navigator_path(guard)), (double)ploy_path_length(curve));
    ploy_navigator_destroy(guard);
    ploy_path_destroy(curve);
    ploy_path_destroy(path);
}

static bool is_medicine(void *user, int32_t cell) {
    const int32_t *cells = user;
    return cell == cells[0] || cell == cells[1];
}

// The nearest of two kits: one is close but behind the wall.
static void fetch(const ploy_env *env) {
    ploy_tiles_def map = ploy_tiles_def_default();
    ploy_tiles *tiles = NULL;
    ploy_planners_def def = ploy_planners_def_default();
    ploy_planners *planners = NULL;
    ploy_navigator_def mind = ploy_navigator_def_default();
    ploy_navigator *guard = NULL;
    int32_t kits[2] = {5, 12 * SIDE + 1};
    map.width = map.height = SIDE;
    if (ploy_tiles_create(&map, env, &tiles) != PLOY_OK) return;
    for (int32_t y = 0; y < SIDE - 1; y++) ploy_tiles_set(tiles, y * SIDE + 4, 0);
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    ploy_representation view = ploy_tiles_representation(&walker);
    ploy_finder_factory astar = ploy_representation_finder(&view, PLOY_SPACE_ASTAR);
    if (ploy_planners_create(&def, env, &planners) != PLOY_OK) return;
    if (ploy_planners_add_finder(planners, (ploy_name){0}, &astar) != PLOY_OK) return;
    if (ploy_navigator_create(&mind, env, &guard) != PLOY_OK) return;
    ploy_vec3 at = {0.5f, 0.5f, 0};
    ploy_path_request request = ploy_path_request_make(ploy_agent_id_none(), at, at);
    ploy_path_options options = ploy_path_options_make();
    options.is_goal = is_medicine;
    options.user = kits;
    ploy_navigator_begin_options(guard, planners, &request, &options);
    ploy_path_service service = ploy_planners_service(planners);
    ploy_path_service_step(&service, NULL);
    if (ploy_navigator_step(guard, &service, at, 0.1f) == PLOY_OK) {
        printf("the nearest medicine is %.1f m away\n",
               (double)ploy_path_length(ploy_navigator_path(guard)));
    }
    patrol(env, &service);
    ploy_navigator_destroy(guard);
    ploy_planners_destroy(planners);
    ploy_tiles_destroy(tiles);
}

int main(void) {
    ploy_env env = ploy_env_default();
    crowd(&env);
    walk(&env);
    fetch(&env);
    return 0;
}
