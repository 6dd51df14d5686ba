// What every floor plan must keep, checked without the library's own flood fill.
#pragma once

#include "tests/test.h"

#include <stdlib.h>

#include "ploy/generate/floor_plan.h"

// Flood fill over exits; doors[i] of the locks with open[i] == false are closed. Returns the count.
static inline int32_t level_flood(const ploy_floor_plan_view *plan, const bool *open,
                                  int32_t *distances) {
    int32_t cells = plan->width * plan->height, head = 0, tail = 0;
    int32_t *queue = malloc((size_t)cells * sizeof *queue);
    for (int32_t i = 0; i < cells; i++) distances[i] = -1;
    queue[tail++] = plan->entrance;
    distances[plan->entrance] = 0;
    while (head < tail) {
        int32_t cell = queue[head++];
        for (int32_t way = 0; way < 4; way++) {
            if ((plan->exits[cell] >> way & 1) == 0) continue;
            int32_t next = cell + ploy_plan_step_x(way) + ploy_plan_step_y(way) * plan->width;
            bool shut = false;
            for (int32_t i = 0; i < plan->lock_count && open != NULL; i++) {
                const ploy_plan_door *door = &plan->doors[plan->locks[i].door];
                if (open[i]) continue;
                if (!plan->thin) shut |= door->cell == next;
                if (plan->thin) {
                    shut |= door->cell == cell && door->direction == way;
                    shut |= door->cell == next && door->direction == 3 - way;
                }
            }
            if (shut || distances[next] >= 0) continue;
            distances[next] = distances[cell] + 1;
            queue[tail++] = next;
        }
    }
    free(queue);
    return tail;
}

static inline void level_check_cells(test_context *t, const ploy_floor_plan_view *plan) {
    int32_t cells = plan->width * plan->height;
    int32_t *counts = calloc((size_t)plan->room_count + 1, sizeof *counts);
    for (int32_t i = 0; i < cells; i++) {
        CHECK(plan->kinds[i] < PLOY_PLAN_KINDS);
        CHECK(!plan->thin || plan->kinds[i] != PLOY_PLAN_DOOR);
        int32_t x = i % plan->width, y = i / plan->width;
        for (int32_t way = 0; way < 4; way++) {
            int32_t u = x + ploy_plan_step_x(way), v = y + ploy_plan_step_y(way);
            bool exit = (plan->exits[i] >> way & 1) != 0;
            bool holds = u >= 0 && v >= 0 && u < plan->width && v < plan->height;
            CHECK(holds || !exit);
            if (!holds) continue;
            int32_t next = v * plan->width + u;
            CHECK(exit == ((plan->exits[next] >> (3 - way) & 1) != 0));
            bool both = plan->kinds[i] != PLOY_PLAN_SOLID && plan->kinds[next] != PLOY_PLAN_SOLID;
            CHECK(both || !exit);
            CHECK(plan->thin || exit == both);
        }
        if (plan->kinds[i] == PLOY_PLAN_ROOM) {
            CHECK(plan->owners[i] >= 0 && plan->owners[i] < plan->room_count);
            const ploy_plan_room *room = &plan->rooms[plan->owners[i]];
            CHECK(x >= room->x && x < room->x + room->width);
            CHECK(y >= room->y && y < room->y + room->height);
            counts[plan->owners[i]]++;
        }
    }
    for (int32_t i = 0; i < plan->room_count; i++) { // no cell is in two rooms: the counts add up
        CHECK_INT(counts[i], plan->rooms[i].cells);
        CHECK(counts[i] > 0);
        CHECK(plan->owners[plan->rooms[i].cell] == i);
        CHECK(plan->rooms[i].distance >= 0);
    }
    free(counts);
}

// All of it. A plan always has an entrance, and everything open can be reached from there.
static inline void level_check(test_context *t, const ploy_floor_plan *floor_plan) {
    ploy_floor_plan_view plan = ploy_floor_plan_get(floor_plan);
    int32_t cells = plan.width * plan.height, open = 0;
    CHECK(plan.entrance >= 0 && plan.entrance < cells);
    CHECK(plan.exit >= 0 && plan.exit < cells);
    CHECK(plan.kinds[plan.entrance] != PLOY_PLAN_SOLID);
    level_check_cells(t, &plan);
    int32_t *distances = malloc((size_t)cells * sizeof *distances);
    int32_t reached = level_flood(&plan, NULL, distances);
    for (int32_t i = 0; i < cells; i++) {
        open += plan.kinds[i] != PLOY_PLAN_SOLID;
        CHECK_INT(plan.distances[i], distances[i]);
    }
    CHECK_INT(reached, open);
    for (int32_t i = 0; i < plan.door_count; i++) {
        const ploy_plan_door *door = &plan.doors[i];
        CHECK(door->room >= 0 && door->room < plan.room_count);
        CHECK(door->link >= -1 && door->link < plan.link_count);
        int32_t into = door->cell + ploy_plan_step_x(door->direction) +
                       ploy_plan_step_y(door->direction) * plan.width;
        CHECK((plan.exits[door->cell] >> door->direction & 1) != 0);
        if (!plan.thin) CHECK_INT(plan.kinds[door->cell], PLOY_PLAN_DOOR);
        CHECK(plan.kinds[into] == PLOY_PLAN_ROOM && plan.owners[into] == door->room);
    }
    for (int32_t i = 0; i < plan.link_count; i++) {
        CHECK(plan.links[i].from >= 0 && plan.links[i].from < plan.room_count);
        CHECK(plan.links[i].to >= 0 && plan.links[i].to < plan.room_count);
    }
    // A player without keys fetches them one by one; each opens the next lock.
    bool has[16] = {false};
    CHECK(plan.lock_count <= 16);
    for (int32_t i = 0; i < plan.lock_count; i++) {
        level_flood(&plan, has, distances);
        CHECK(distances[plan.locks[i].key_cell] >= 0);
        CHECK(distances[plan.exit] < 0);
        CHECK_INT(plan.doors[plan.locks[i].door].lock, i);
        has[i] = true;
    }
    level_flood(&plan, has, distances);
    CHECK(distances[plan.exit] >= 0);
    free(distances);
}
