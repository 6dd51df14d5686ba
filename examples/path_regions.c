// Join rooms by what is seen from one to another. You will see that one line of sight is enough at
// first, also for rooms that only glimpse each other through two doors; a share of lines that must
// be free, or pruning edges through a third room, leaves the doors that one would walk through.
// Shows ploy_graph_join_regions, ploy_graph_prune and ploy_graph_price.
#include <math.h>
#include <stdio.h>

#include "ploy/path/graph_tools.h"

enum { ROOMS = 3 };

// Walls at x = 10 and x = 20, each with a door of 2 m in the middle; rooms are 10 m wide.
static bool sees(void *user, ploy_vec3 from, ploy_vec3 to) {
    (void)user;
    for (int i = 1; i <= 2; i++) {
        float wall = 10.0f * (float)i;
        if ((from.x < wall) == (to.x < wall)) continue;
        float y = from.y + (to.y - from.y) * (wall - from.x) / (to.x - from.x);
        if (fabsf(y - 5.0f) > 1.0f) return false;
    }
    return true;
}

static void print(const char *what, const ploy_graph *graph) {
    printf("%s:", what);
    for (int32_t i = 0; i < ploy_graph_edge_slots(graph); i++) {
        ploy_graph_edge edge;
        if (!ploy_graph_edge_at(graph, i, &edge) || edge.from > edge.to) continue;
        printf(" %d-%d (%.0f)", (int)edge.from, (int)edge.to, (double)edge.cost);
    }
    printf("\n");
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_obb2 rooms[ROOMS];
    for (int i = 0; i < ROOMS; i++) {
        ploy_vec2 centre = ploy_vec2_make(5.0f + 10.0f * (float)i, 5.0f);
        rooms[i] = ploy_obb2_make(centre, ploy_vec2_make(1, 0), ploy_vec2_make(4.5f, 5.0f));
    }
    const float shares[] = {0.0f, 0.15f};
    for (int i = 0; i < 2; i++) {
        ploy_graph_def def = ploy_graph_def_default();
        ploy_graph *graph = NULL;
        if (ploy_graph_create(&def, &env, &graph) != PLOY_OK) return 1;
        int32_t joined = 0, removed = 0;
        if (ploy_graph_join_regions(graph, rooms, ROOMS, 200, shares[i], 1, sees, NULL, NULL,
                                    &joined) != PLOY_OK) {
            return 1;
        }
        printf("a share of %.2f must be free\n", (double)shares[i]);
        print("  joined", graph);
        if (ploy_graph_prune(graph, &removed) != PLOY_OK) return 1;
        print("  pruned", graph);
        ploy_graph_prices dear = {2.0, 0.0, 0.0}; // for a slow unit, a metre costs 2
        if (ploy_graph_price(graph, &dear) != PLOY_OK) return 1;
        print("  priced", graph);
        ploy_graph_destroy(graph);
    }
    return 0;
}
