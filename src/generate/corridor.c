// Corridors; see corridor_internal.h.
#include "generate/corridor_internal.h"

// A corridor as two straight pieces: from a, along the first axis to the corner, then to b.
typedef struct corridor_route {
    int32_t ax, ay, cx, cy, bx, by;
} corridor_route;

enum { CORRIDOR_TRIES = 6, CORRIDOR_ALONG = 6 }; // cost of a cell that runs beside a room

static int32_t corridor_sign(int32_t value) {
    return (value > 0) - (value < 0);
}

// Calls back for the cells of a route in order. Inline by hand: the two users differ in what they keep.
typedef struct corridor_walk {
    int32_t x, y, leg; // 0: to the corner, 1: to b
} corridor_walk;

static bool corridor_next(const corridor_route *route, corridor_walk *walk) {
    int32_t tx = walk->leg == 0 ? route->cx : route->bx,
            ty = walk->leg == 0 ? route->cy : route->by;
    if (walk->x == tx && walk->y == ty) {
        if (walk->leg == 1) return false;
        walk->leg = 1;
        return corridor_next(route, walk);
    }
    walk->x += corridor_sign(tx - walk->x);
    walk->y += corridor_sign(ty - walk->y);
    return true;
}

static bool corridor_in_room(const ploy_floor_plan *plan, int32_t cell, int32_t room) {
    return plan->kinds[cell] == PLOY_PLAN_ROOM && plan->owners[cell] == room;
}

static int32_t corridor_cost(const ploy_floor_plan *plan, const corridor_route *route, int32_t to) {
    corridor_walk walk = {route->ax, route->ay, 0};
    int32_t cost = 0;
    int32_t last = ployi_plan_cell(plan, walk.x, walk.y);
    while (corridor_next(route, &walk)) {
        int32_t cell = ployi_plan_cell(plan, walk.x, walk.y);
        if (corridor_in_room(plan, cell, to)) break; // met: the rest is not dug
        if (plan->kinds[cell] == PLOY_PLAN_ROOM) {
            cost += 2;
        } else {
            cost += plan->kinds[cell] == PLOY_PLAN_SOLID ? 2 : 1;
            // Beside a room that it neither leaves nor enters, the wall would vanish.
            int32_t beside = 0;
            for (int32_t direction = 0; direction < 4; direction++) {
                int32_t next = ployi_plan_beside(plan, cell, direction);
                beside += next >= 0 && next != last && plan->kinds[next] == PLOY_PLAN_ROOM &&
                          plan->owners[next] != to;
            }
            cost += beside * CORRIDOR_ALONG;
        }
        last = cell;
    }
    return cost;
}

static corridor_route corridor_pick(const ploy_plan_room *a, const ploy_plan_room *b,
                                    ploy_rng *rng) {
    corridor_route route;
    route.ax = ploy_rng_int(rng, a->x, a->x + a->width - 1);
    route.ay = ploy_rng_int(rng, a->y, a->y + a->height - 1);
    route.bx = ploy_rng_int(rng, b->x, b->x + b->width - 1);
    route.by = ploy_rng_int(rng, b->y, b->y + b->height - 1);
    int32_t left = a->x > b->x ? a->x : b->x, low = a->y > b->y ? a->y : b->y;
    int32_t right = (a->x + a->width < b->x + b->width ? a->x + a->width : b->x + b->width) - 1;
    int32_t high = (a->y + a->height < b->y + b->height ? a->y + a->height : b->y + b->height) - 1;
    bool across = ploy_rng_chance(rng, 0.5f);
    if (left <= right) { // they face each other: straight
        route.ax = route.bx = ploy_rng_int(rng, left, right);
    } else if (low <= high) {
        route.ay = route.by = ploy_rng_int(rng, low, high);
    }
    route.cx = across ? route.bx : route.ax;
    route.cy = across ? route.ay : route.by;
    return route;
}

static ploy_result corridor_door(ploy_floor_plan *plan, int32_t cell, int32_t room_cell,
                                 int32_t link) {
    int32_t room = plan->owners[room_cell], direction = 0;
    while (ployi_plan_beside(plan, cell, direction) != room_cell) direction++;
    if (plan->kinds[cell] == PLOY_PLAN_DOOR) {
        for (int32_t i = 0; i < plan->doors.count; i++) {
            const ploy_plan_door *door = &ployi_plan_doors(plan)[i];
            if (door->cell == cell && door->room == room) return PLOY_OK;
        }
    }
    return ployi_plan_add_door(plan, cell, direction, room, link) < 0 ? PLOY_ERR_MEMORY : PLOY_OK;
}

ploy_result ployi_corridor_dig(ploy_floor_plan *plan, int32_t from, int32_t to, bool loop,
                               ploy_rng *rng, int32_t *corner) {
    const ploy_plan_room *rooms = ployi_plan_rooms(plan);
    corridor_route best = corridor_pick(&rooms[from], &rooms[to], rng);
    int32_t least = corridor_cost(plan, &best, to);
    for (int32_t i = 1; i < CORRIDOR_TRIES; i++) {
        corridor_route other = corridor_pick(&rooms[from], &rooms[to], rng);
        int32_t cost = corridor_cost(plan, &other, to);
        if (cost < least) {
            least = cost;
            best = other;
        }
    }
    int32_t link = ployi_plan_add_link(plan, from, to, loop), length = 0, middle = -1;
    if (link < 0) return PLOY_ERR_MEMORY;
    corridor_walk walk = {best.ax, best.ay, 0};
    int32_t last = ployi_plan_cell(plan, walk.x, walk.y);
    while (!corridor_in_room(plan, last, to) && corridor_next(&best, &walk)) {
        int32_t cell = ployi_plan_cell(plan, walk.x, walk.y);
        bool room_before = plan->kinds[last] == PLOY_PLAN_ROOM;
        bool room_now = plan->kinds[cell] == PLOY_PLAN_ROOM;
        if (plan->kinds[cell] == PLOY_PLAN_SOLID) {
            plan->kinds[cell] = PLOY_PLAN_CORRIDOR;
            plan->owners[cell] = link;
            length++;
            if (middle < 0 || (walk.x == best.cx && walk.y == best.cy)) middle = cell;
        }
        ploy_result result = PLOY_OK;
        if (room_before && !room_now) result = corridor_door(plan, cell, last, link);
        if (!room_before && room_now) result = corridor_door(plan, last, cell, link);
        if (result != PLOY_OK) return result;
        last = cell;
    }
    PLOY_ARRAY_ITEMS(&plan->links, ploy_plan_link)[link].length = length;
    if (corner != NULL) *corner = middle;
    return PLOY_OK;
}
