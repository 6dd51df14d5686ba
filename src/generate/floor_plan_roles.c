// Roles of rooms, locks and keys.
//
// Locks go on doors that every route from the entrance to the exit passes: a flood fill with the
// door shut decides. Let them be numbered from the entrance on. With locks i and later closed, the
// entrance leads to region i; region 0 is smallest. The key of lock i goes into region i, so a player
// with keys 0 to i - 1 can fetch it: no key is behind its own door or behind a later one.
#include "ploy/generate/floor_plan.h"

#include "generate/plan_internal.h"

#include <string.h>

static const ploy_field plan_roles_fields[] = {
    PLOY_FIELD_I32(ploy_plan_roles_def, locks, 1, 0, 16, "",
                   "most locked doors on the route to the exit"),
    PLOY_FIELD_I32(ploy_plan_roles_def, treasures, 2, 0, 64, "", "rooms off the route"),
    PLOY_FIELD_I32(ploy_plan_roles_def, guards, 1, 0, 64, "", "rooms on the route, near the exit"),
};

ploy_fields ploy_plan_roles_fields(void) {
    return PLOY_FIELDS(ploy_plan_roles_def, plan_roles_fields);
}

ploy_plan_roles_def ploy_plan_roles_def_default(void) {
    ploy_plan_roles_def def;
    ploy_fields_default(ploy_plan_roles_fields(), &def);
    return def;
}

const char *ploy_plan_role_text(int32_t role) {
    static const char *const texts[PLOY_PLAN_ROLES] = {"none", "entrance", "exit",
                                                       "key",  "treasure", "guard"};
    return role >= 0 && role < PLOY_PLAN_ROLES ? texts[role] : "other";
}

int32_t ploy_floor_plan_flood(const ploy_floor_plan *plan, int32_t lock, uint8_t *reached) {
    return ployi_plan_flood(plan, lock < 0 ? 0 : lock, -1, reached);
}

// The next cell of the shortest route back to the entrance: the first direction that leads nearer.
// Returns the direction, or -1 at the entrance.
static int32_t plan_roles_back(const ploy_floor_plan *plan, int32_t cell) {
    const int32_t step[4] = {1, plan->width, -plan->width, -1};
    for (int32_t way = 0; way < 4; way++) {
        if ((plan->exits[cell] >> way & 1) == 0) continue;
        if (plan->distances[cell + step[way]] == plan->distances[cell] - 1) return way;
    }
    return -1;
}

// Sets mark to 1 on the cells of the shortest route from the exit to the entrance.
static void plan_roles_mark_route(const ploy_floor_plan *plan) {
    memset(plan->mark, 0, (size_t)plan->width * (size_t)plan->height);
    if (plan->exit < 0 || plan->distances[plan->exit] < 0) return;
    for (int32_t cell = plan->exit;;) {
        plan->mark[cell] = 1;
        int32_t way = plan_roles_back(plan, cell);
        if (way < 0) return;
        cell = ployi_plan_beside(plan, cell, way);
    }
}

// The door that a step of the route passes, or -1.
static int32_t plan_roles_door(const ploy_floor_plan *plan, int32_t from, int32_t way) {
    const ploy_plan_door *doors = ployi_plan_doors(plan);
    int32_t to = ployi_plan_beside(plan, from, way);
    if (!plan->thin && plan->kinds[from] != PLOY_PLAN_DOOR) return -1;
    for (int32_t i = 0; i < plan->doors.count; i++) {
        if (!plan->thin && doors[i].cell == from) return i;
        if (plan->thin && doors[i].cell == from && doors[i].direction == way) return i;
        if (plan->thin && doors[i].cell == to && doors[i].direction == 3 - way) return i;
    }
    return -1;
}

// Locks doors from the exit backwards, as far apart as their number allows; then puts them in the
// order in which a player meets them.
static ploy_result plan_roles_lock(ploy_floor_plan *plan, int32_t most) {
    if (most == 0 || plan->exit < 0 || plan->distances[plan->exit] < 0) return PLOY_OK;
    int32_t gap = plan->distances[plan->exit] / (most + 1), last = INT32_MAX, tests = 0;
    for (int32_t cell = plan->exit; plan->locks.count < most;) {
        int32_t way = plan_roles_back(plan, cell);
        if (way < 0) break;
        int32_t door = plan_roles_door(plan, cell, way);
        if (door >= 0 && ployi_plan_doors(plan)[door].cell != plan->exit &&
            ployi_plan_doors(plan)[door].lock < 0 && last - plan->distances[cell] >= gap &&
            tests < 4 * most + 8) {
            tests++; // bounded: each is a flood fill
            ployi_plan_flood(plan, plan->locks.count, door, plan->mark);
            if (plan->mark[plan->exit] == 0) {
                ploy_plan_lock *lock = ploy_array_add(&plan->locks);
                if (lock == NULL) return PLOY_ERR_MEMORY;
                lock->door = door;
                lock->key_cell = lock->key_room = -1;
                ployi_plan_doors(plan)[door].lock = 0; // its number follows
                last = plan->distances[cell];
            }
        }
        cell = ployi_plan_beside(plan, cell, way);
    }
    ploy_plan_lock *locks = PLOY_ARRAY_ITEMS(&plan->locks, ploy_plan_lock);
    for (int32_t i = 0, k = plan->locks.count - 1; i < k; i++, k--) {
        ploy_plan_lock other = locks[i];
        locks[i] = locks[k];
        locks[k] = other;
    }
    for (int32_t i = 0; i < plan->locks.count; i++) ployi_plan_doors(plan)[locks[i].door].lock = i;
    return PLOY_OK;
}

// The room in the region marked now that suits a key best: no role yet, dead ends, far.
static int32_t plan_roles_key_room(const ploy_floor_plan *plan) {
    const ploy_plan_room *rooms = ployi_plan_rooms(plan);
    int32_t best = -1, highest = -1;
    for (int32_t i = 0; i < plan->rooms.count; i++) {
        if (rooms[i].cell < 0 || plan->mark[rooms[i].cell] != 1) continue;
        int32_t score = rooms[i].distance + (rooms[i].doors <= 1 ? 1 << 20 : 0) +
                        (rooms[i].role == PLOY_PLAN_ROLE_NONE ? 1 << 24 : 0);
        if (score > highest) {
            highest = score;
            best = i;
        }
    }
    return best;
}

static void plan_roles_keys(ploy_floor_plan *plan) {
    ploy_plan_lock *locks = PLOY_ARRAY_ITEMS(&plan->locks, ploy_plan_lock);
    for (int32_t i = 0; i < plan->locks.count; i++) {
        int32_t reached = ployi_plan_flood(plan, i, -1, plan->mark);
        int32_t room = plan_roles_key_room(plan);
        locks[i].key_room = room;
        // No room on this side: the farthest cell, which the flood fill reached last.
        locks[i].key_cell = reached > 0 ? plan->queue[reached - 1] : plan->entrance;
        if (room < 0) continue;
        locks[i].key_cell = ployi_plan_rooms(plan)[room].cell;
        if (ployi_plan_rooms(plan)[room].role == PLOY_PLAN_ROLE_NONE) {
            ployi_plan_rooms(plan)[room].role = PLOY_PLAN_ROLE_KEY;
        }
    }
}

static bool plan_roles_suits(const ploy_floor_plan *plan, const ploy_plan_rule *rule,
                             const uint8_t *on_route, int32_t number, int32_t farthest) {
    const ploy_plan_room *room = &ployi_plan_rooms(plan)[number];
    if (room->role != PLOY_PLAN_ROLE_NONE || room->distance < 0) return false;
    float share = farthest > 0 ? (float)room->distance / (float)farthest : 0.0f;
    if (share < rule->from || share > rule->to) return false;
    switch (rule->where) {
    case PLOY_PLAN_ANYWHERE: break;
    case PLOY_PLAN_ON_ROUTE: return on_route[number] != 0;
    case PLOY_PLAN_OFF_ROUTE: return on_route[number] == 0;
    case PLOY_PLAN_DEAD_END: return room->doors <= 1;
    }
    return true;
}

int32_t ploy_floor_plan_assign(ploy_floor_plan *plan, const ploy_plan_rule *rules, int32_t count) {
    ploy_plan_room *rooms = ployi_plan_rooms(plan);
    int32_t given = 0, farthest = 0;
    plan_roles_mark_route(plan);
    // Which rooms the route passes, in the scratch bytes of the cells themselves: there are at least
    // as many cells as rooms, and the queue is free.
    uint8_t *on_route = (uint8_t *)plan->queue;
    memset(on_route, 0, (size_t)plan->rooms.count);
    for (int32_t i = 0; i < plan->width * plan->height; i++) {
        if (plan->mark[i] != 0 && plan->kinds[i] == PLOY_PLAN_ROOM) on_route[plan->owners[i]] = 1;
    }
    for (int32_t i = 0; i < plan->rooms.count; i++) {
        if (rooms[i].distance > farthest) farthest = rooms[i].distance;
    }
    for (int32_t r = 0; r < count; r++) {
        for (int32_t n = 0; n < rules[r].count; n++) {
            int32_t best = -1;
            for (int32_t i = 0; i < plan->rooms.count; i++) {
                if (!plan_roles_suits(plan, &rules[r], on_route, i, farthest)) continue;
                if (best >= 0 && (rules[r].far_first ? rooms[i].distance <= rooms[best].distance
                                                     : rooms[i].distance >= rooms[best].distance)) {
                    continue;
                }
                best = i;
            }
            if (best < 0) break;
            rooms[best].role = rules[r].role;
            given++;
        }
    }
    return given;
}

ploy_result ployi_plan_assign_roles(ploy_floor_plan *plan, const ploy_plan_roles_def *roles) {
    ploy_plan_room *rooms = ployi_plan_rooms(plan);
    for (int32_t i = 0; i < plan->rooms.count; i++) rooms[i].role = PLOY_PLAN_ROLE_NONE;
    ploy_array_clear(&plan->locks);
    if (plan->entrance < 0 || plan->rooms.count == 0) return PLOY_OK; // doors lead to rooms
    if (plan->kinds[plan->exit] == PLOY_PLAN_ROOM) {
        rooms[plan->owners[plan->exit]].role = PLOY_PLAN_ROLE_EXIT;
    }
    if (plan->kinds[plan->entrance] == PLOY_PLAN_ROOM) {
        rooms[plan->owners[plan->entrance]].role = PLOY_PLAN_ROLE_ENTRANCE;
    }
    ploy_result result = plan_roles_lock(plan, roles->locks);
    if (result != PLOY_OK) return result;
    plan_roles_keys(plan);
    const ploy_plan_rule rules[] = {
        {PLOY_PLAN_ROLE_GUARD, PLOY_PLAN_ON_ROUTE, roles->guards, 0.0f, 1.0f, true},
        {PLOY_PLAN_ROLE_TREASURE, PLOY_PLAN_OFF_ROUTE, roles->treasures, 0.0f, 1.0f, true},
    };
    ploy_floor_plan_assign(plan, rules, 2);
    return PLOY_OK;
}
