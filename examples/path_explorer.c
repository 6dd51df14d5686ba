// Let an explorer find out what a level looks like. You will see how much of two rooms it has
// covered after each minute, wandering plainly and with a bias toward places it has seldom been,
// when it stops because there is no news, and the graph that is mined from its log. Shows
// ploy_explorer and ploy_graph_mine.
#include <math.h>
#include <stdio.h>

#include "ploy/path/explorer.h"

static const char *const level[] = {
    "####################", "#........#.........#", "#........#.........#", "#...##...#.....###.#",
    "#...##.......#.#.#.#", "#........#...#.###.#", "#........#...#.....#", "#........#.........#",
    "#........#.........#", "####################"};
enum { WIDE = 20, HIGH = 10 };

static bool walks(void *user, ploy_vec3 from, ploy_vec3 to) {
    (void)user;
    for (int i = 0; i <= 16; i++) {
        float x = from.x + (to.x - from.x) * (float)i / 16.0f;
        float y = from.y + (to.y - from.y) * (float)i / 16.0f;
        if (x < 0 || y < 0 || x >= WIDE || y >= HIGH) return false;
        if (level[(int)y][(int)x] == '#') return false;
    }
    return true;
}

static int explore(float frontier) {
    ploy_env env = ploy_env_default();
    ploy_explorer_def def = ploy_explorer_def_default();
    def.frontier = frontier;
    def.seed = 4;
    def.new_cells = 4.0f; // fewer new cells in a minute are not worth it
    ploy_box2 bounds = {{0, 0}, {WIDE, HIGH}};
    ploy_explorer *explorer = NULL;
    if (ploy_explorer_create(&def, bounds, ploy_vec2_make(2.5f, 2.5f), walks, NULL, &env,
                             &explorer) != PLOY_OK) {
        return 1;
    }
    printf("bias %.1f:", (double)frontier);
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget minute = ploy_budget_units(300);
        result = ploy_explorer_step(explorer, &minute);
        printf(" %.0f%%", 100.0 * (double)ploy_explorer_coverage_of(explorer).share);
    }
    ploy_explorer_coverage coverage = ploy_explorer_coverage_of(explorer);
    printf("; %s; %d of %d cells seen once only\n", ploy_explorer_end_text(coverage.end),
           (int)coverage.once, (int)coverage.reachable);
    ploy_graph_def graph_def = ploy_graph_def_default();
    ploy_graph_mine_def mine = ploy_graph_mine_def_default();
    ploy_graph_mine_report report;
    ploy_graph *graph = NULL;
    int32_t count = 0;
    graph_def.directed = true;
    const ploy_log_entry *entries = ploy_explorer_entries(explorer, &count);
    if (ploy_graph_create(&graph_def, &env, &graph) != PLOY_OK ||
        ploy_graph_mine(graph, &mine, entries, count, &env, &report) != PLOY_OK) {
        return 1;
    }
    printf("  mined: %d nodes, %d edges\n", (int)report.nodes, (int)report.edges);
    ploy_graph_destroy(graph);
    ploy_explorer_destroy(explorer);
    return 0;
}

int main(void) {
    return explore(0.0f) + explore(0.8f);
}
