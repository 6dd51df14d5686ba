// A guard walks through a house while doors close: the route is mended, not searched again.
// Shows the search method d* lite: edges change while an agent walks along its path.
#include <math.h>
#include <stdio.h>

#include "ploy/search/search.h"

enum { HALL, KITCHEN, CELLAR, GALLERY, LIBRARY, STUDY, ROOMS, DOORS = 7 };
static const char *const names[] = {"hall", "kitchen", "cellar", "gallery", "library", "study"};

typedef struct door {
    int32_t a, b;
    double metres;
    bool closed;
} door;

static ploy_result house_expand(void *user, int32_t room, ploy_edges *out) {
    const door *doors = user;
    for (int32_t i = 0; i < DOORS; i++) {
        if (doors[i].a != room && doors[i].b != room) continue;
        int32_t to = doors[i].a == room ? doors[i].b : doors[i].a;
        ploy_result result =
            ploy_edges_add(out, to, doors[i].closed ? INFINITY : doors[i].metres, i);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static void close_door(ploy_search *route, door *which) {
    which->closed = true;
    printf("the door between %s and %s closes\n", names[which->a], names[which->b]);
    ploy_search_changed(route, which->a, which->b);
    ploy_search_changed(route, which->b, which->a);
}

int main(void) {
    door doors[DOORS] = {{HALL, KITCHEN, 4, false},   {KITCHEN, CELLAR, 6, false},
                         {HALL, GALLERY, 3, false},   {GALLERY, LIBRARY, 5, false},
                         {CELLAR, LIBRARY, 9, false}, {LIBRARY, STUDY, 2, false},
                         {CELLAR, STUDY, 20, false}};
    ploy_env env = ploy_env_default();
    ploy_search_def def = ploy_search_def_default();
    def.method = PLOY_SEARCH_METHOD_D_STAR_LITE;
    ploy_search *route = NULL;
    if (ploy_search_create(&def, &env, &route) != PLOY_OK) return 1;
    ploy_space house = {ROOMS, house_expand, house_expand, NULL, doors}; // doors go both ways
    int32_t at = HALL;
    ploy_search_start start = {at, 0.0};
    ploy_search_query query = ploy_search_query_make(&house, &start, STUDY);
    if (ploy_search_begin(route, &query) != PLOY_OK) return 1;
    for (int32_t turn = 0; at != STUDY; turn++) {
        if (turn == 1) close_door(route, &doors[3]);
        if (turn == 4) close_door(route, &doors[5]);
        if (turn == 4) close_door(route, &doors[6]);
        if (ploy_search_step(route, NULL) != PLOY_OK) break;
        ploy_edge next;
        double left = 0.0;
        int32_t count = ploy_search_path(route, STUDY, &next, 1, &left);
        if (count < 0) {
            printf("%s: no path is left\n", names[at]);
            break;
        }
        printf("%s: %d doors, %g m to go\n", names[at], (int)count, left);
        at = next.to;
        ploy_search_move(route, at);
    }
    ploy_search_destroy(route);
    return 0;
}
