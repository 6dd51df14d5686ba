// A guard finds a path over waypoints that a designer placed in a text file, past a wall and
// through a door that closes.
// Shows ploy_network: loading with diagnostics, blind data, sight, closing an edge.
#include <stdio.h>

#include "ploy/path/network.h"

// Four waypoints around a wall; the second has the tag "wait" with 1500 ms in its blind data.
static const char level[] = "wpn 1\n"
                            "waypoint a 0 0 0  0 0 0 1  0.5 -\n"
                            "waypoint b 4 6 0  0 0 0 1  0.5 03000000dc050000\n"
                            "waypoint c 8 0 0  0 0 0 1  0.5 -\n"
                            "waypoint d 4 -9 0 0 0 0 1  0.5 -\n"
                            "edge a b 1 1\nedge b c 1 1\n"
                            "edge a d 1 1\nedge d c 1 1\n";

// The wall is at x = 4 from y = -8 to y = 5.
static bool sees(void *user, ploy_vec3 from, ploy_vec3 to) {
    (void)user;
    if ((from.x < 4.0f) == (to.x < 4.0f)) return true;
    float y = from.y + (to.y - from.y) * (4.0f - from.x) / (to.x - from.x);
    return y < -8.0f || y > 5.0f;
}

static void walk(const ploy_network *network, ploy_search *search) {
    ploy_vec3 from = {-1, 1, 0}, to = {9, 1, 0};
    uint64_t path[8];
    int32_t count = 0;
    if (ploy_network_find(network, search, from, to, true, sees, NULL, path, 8, &count) !=
        PLOY_OK) {
        printf("no path\n");
        return;
    }
    for (int32_t i = 0; i < count; i++) {
        uint32_t wait = 0;
        printf("%llx", (unsigned long long)path[i]);
        if (ploy_network_tag(network, path[i], PLOY_WAYPOINT_WAIT, &wait)) {
            printf(" (wait %u ms)", (unsigned)wait);
        }
        printf(i + 1 < count ? ", " : "\n");
    }
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    ploy_diags *diags = NULL;
    ploy_network *network = NULL;
    if (ploy_search_create(&def, &env, &search) != PLOY_OK) return 1;
    if (ploy_diags_create(8, &env, &diags) != PLOY_OK) return 1;
    const char bad[] = "wpn 1\nwaypoint a 0 0 0 0 0 0 1 x -\nedge a b 1 1\n";
    ploy_network_load(bad, sizeof bad - 1, "bad.wpn", &env, diags, &network);
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        char text[256];
        ploy_diag_print(ploy_diags_get(diags, i), text, sizeof text);
        printf("%s\n", text);
    }
    if (ploy_network_load(level, sizeof level - 1, "level.wpn", &env, diags, &network) != PLOY_OK) {
        return 1;
    }
    walk(network, search);
    ploy_waypoint_edge door = {1.0f, false, 0.0, 0};
    ploy_network_set_edge(network, 0xb, 0xc, &door);
    printf("the door behind b closes\n");
    walk(network, search);
    ploy_network_clear(network); // for the next level
    printf("%d waypoints are left\n", (int)ploy_network_count(network));
    ploy_network_destroy(network);
    ploy_search_destroy(search);
    ploy_diags_destroy(diags);
    return 0;
}
