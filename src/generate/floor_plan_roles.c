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
    ployi_flood flood = {0, 0, 0, lock < 0 ? 0 : lock, -1, reached};
    ployi_plan_flood(plan, &flood, NULL, NULL);
    return flood.tail;
}

// The next cell of the shortest route back to the entrance: the first direction that leads nearer.
// Returns the direction, or -1 at the entrance.
static int32_t plan_roles_back(const ploy_floor_plan *plan, int32_t cell) {
    const int32_t step[4] = {1, plan->width, -plan->width, -1};
    for (int32_t direction = 0; direction < 4; direction++) {
        if ((plan->exits[cell] >> direction & 1) == 0) continue;
        if (plan->distances[cell + step[direction]] == plan->distances[cell] - 1) return direction;
    }
    return -1;
}

// The door that a step of the route passes, or -1.
static int32_t plan_roles_door(const ploy_floor_plan *plan, int32_t from, int32_t side) {
    const ploy_plan_door *doors = ployi_plan_doors(plan);
    int32_t to = ployi_plan_beside(plan, from, side);
    // Doors of thick walls are cells; those of thin walls are beside a room.
    if (!plan->thin && plan->kinds[from] != PLOY_PLAN_DOOR) return -1;
    bool beside = plan->kinds[from] == PLOY_PLAN_ROOM || plan->kinds[to] == PLOY_PLAN_ROOM;
    if (plan->thin && (!beside || plan->owners[from] == plan->owners[to])) return -1;
    for (int32_t i = 0; i < plan->doors.count; i++) {
        if (!plan->thin && doors[i].cell == from) return i;
        if (plan->thin && doors[i].cell == from && doors[i].direction == side) return i;
        if (plan->thin && doors[i].cell == to && doors[i].direction == 3 - side) return i;
    }
    return -1;
}

static ploy_result plan_roles_add_lock(ploy_floor_plan *plan, int32_t door) {
    ploy_plan_lock *lock = ploy_array_add(&plan->locks);
    if (lock == NULL) return PLOY_ERR_MEMORY;
    lock->door = door;
    lock->key_cell = lock->key_room = -1;
    ployi_plan_doors(plan)[door].lock = 0; // its number follows
    return PLOY_OK;
}

// Locks doors from the exit backwards, as far apart as their number allows: a flood fill with the door
// shut decides, for a bounded number of doors.
static ploy_result plan_roles_lock(ployi_level *level, int32_t most, ploy_budget *budget) {
    ploy_floor_plan *plan = level->plan;
    ployi_finish *at = &level->finish;
    int32_t left = 0; // cells and doors until the next unit is spent
    while (plan->locks.count < most && at->tests < 4 * most + 8) {
        int32_t cell = at->cursor, direction = plan_roles_back(plan, cell);
        if (direction < 0) break;
        if (!at->flooding) {
            if (left <= 0) {
                if (!ployi_level_spend(level, budget, 1)) return PLOY_IN_PROGRESS;
                left = PLOYI_PLAN_CHUNK;
            }
            int32_t door = plan_roles_door(plan, cell, direction);
            left -= door < 0 ? 1 : plan->doors.count;
            if (door >= 0 && ployi_plan_doors(plan)[door].cell != plan->exit &&
                ployi_plan_doors(plan)[door].lock < 0 &&
                at->last - plan->distances[cell] >= at->gap) {
                at->tests++;
                at->door = door;
                at->flooding = true;
                at->flood = (ployi_flood){0, 0, 0, plan->locks.count, door, plan->mark};
            }
        }
        if (at->flooding) {
            if (!ployi_plan_flood(plan, &at->flood, level, budget)) return PLOY_IN_PROGRESS;
            at->flooding = false;
            left = 0; // as after a pause, so that slices change no count
            if (plan->mark[plan->exit] == 0) {
                ploy_result result = plan_roles_add_lock(plan, at->door);
                if (result != PLOY_OK) return result;
                at->last = plan->distances[cell];
            }
        }
        at->cursor = ployi_plan_beside(plan, cell, direction);
    }
    return PLOY_OK;
}

// Puts the locks in the order in which a player meets them.
static void plan_roles_number_locks(ploy_floor_plan *plan) {
    ploy_plan_lock *locks = PLOY_ARRAY_ITEMS(&plan->locks, ploy_plan_lock);
    for (int32_t i = 0, k = plan->locks.count - 1; i < k; i++, k--) {
        ploy_plan_lock other = locks[i];
        locks[i] = locks[k];
        locks[k] = other;
    }
    for (int32_t i = 0; i < plan->locks.count; i++) ployi_plan_doors(plan)[locks[i].door].lock = i;
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

static bool plan_roles_keys(ployi_level *level, ploy_budget *budget) {
    ploy_floor_plan *plan = level->plan;
    ployi_finish *at = &level->finish;
    ploy_plan_lock *locks = PLOY_ARRAY_ITEMS(&plan->locks, ploy_plan_lock);
    for (; at->number < plan->locks.count; at->number++) {
        ploy_plan_lock *lock = &locks[at->number];
        if (!at->flooding) {
            at->flood = (ployi_flood){0, 0, 0, at->number, -1, plan->mark};
            at->flooding = true;
        }
        if (!ployi_plan_flood(plan, &at->flood, level, budget)) return false;
        if (!ployi_level_spend(level, budget, 1 + plan->rooms.count / PLOYI_PLAN_CHUNK)) {
            return false;
        }
        at->flooding = false;
        int32_t room = plan_roles_key_room(plan);
        lock->key_room = room;
        // No room on this side: the farthest cell, which the flood fill reached last.
        lock->key_cell = at->flood.tail > 0 ? plan->queue[at->flood.tail - 1] : plan->entrance;
        if (room < 0) continue;
        lock->key_cell = ployi_plan_rooms(plan)[room].cell;
        if (ployi_plan_rooms(plan)[room].role == PLOY_PLAN_ROLE_NONE) {
            ployi_plan_rooms(plan)[room].role = PLOY_PLAN_ROLE_KEY;
        }
    }
    return true;
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

// Which rooms the shortest route from the exit to the entrance passes: a byte each, in the queue, which
// is free here and holds at least as many cells as there are rooms.
static bool plan_roles_route(ploy_floor_plan *plan, ployi_assign *at, ployi_level *level,
                             ploy_budget *budget) {
    const ploy_plan_room *rooms = ployi_plan_rooms(plan);
    uint8_t *on_route = (uint8_t *)plan->queue;
    while (at->phase == 0 && at->cursor < plan->rooms.count) {
        int32_t end = ployi_plan_chunk(level, budget, at->cursor, plan->rooms.count);
        if (end < 0) return false;
        for (; at->cursor < end; at->cursor++) {
            on_route[at->cursor] = 0;
            if (rooms[at->cursor].distance > at->farthest) {
                at->farthest = rooms[at->cursor].distance;
            }
        }
    }
    if (at->phase == 0) {
        at->phase = 1;
        at->cursor = plan->exit >= 0 && plan->distances[plan->exit] >= 0 ? plan->exit : -1;
    }
    while (at->phase == 1 && at->cursor >= 0) {
        if (level != NULL && !ployi_level_spend(level, budget, 1)) return false;
        for (int32_t left = PLOYI_PLAN_CHUNK; left > 0 && at->cursor >= 0; left--) {
            int32_t cell = at->cursor, direction = plan_roles_back(plan, cell);
            if (plan->kinds[cell] == PLOY_PLAN_ROOM) on_route[plan->owners[cell]] = 1;
            at->cursor = direction < 0 ? -1 : ployi_plan_beside(plan, cell, direction);
        }
    }
    at->phase = 2;
    return true;
}

// The best room for a rule that has one more to give; -1 if none suits it.
static bool plan_roles_best(ploy_floor_plan *plan, const ploy_plan_rule *rule, ployi_assign *at,
                            ployi_level *level, ploy_budget *budget) {
    const ploy_plan_room *rooms = ployi_plan_rooms(plan);
    if (at->cursor < 0) {
        at->cursor = 0;
        at->best = -1;
    }
    while (at->cursor < plan->rooms.count) {
        int32_t end = ployi_plan_chunk(level, budget, at->cursor, plan->rooms.count);
        if (end < 0) return false;
        for (int32_t i = at->cursor; i < end; i++) {
            if (!plan_roles_suits(plan, rule, (const uint8_t *)plan->queue, i, at->farthest)) {
                continue;
            }
            if (at->best >= 0 &&
                (rule->far_first ? rooms[i].distance <= rooms[at->best].distance
                                 : rooms[i].distance >= rooms[at->best].distance)) {
                continue;
            }
            at->best = i;
        }
        at->cursor = end;
    }
    at->cursor = -1;
    return true;
}

static bool plan_roles_assign(ploy_floor_plan *plan, const ploy_plan_rule *rules, int32_t count,
                              ployi_assign *at, ployi_level *level, ploy_budget *budget) {
    if (at->phase < 2) {
        if (!plan_roles_route(plan, at, level, budget)) return false;
        at->cursor = -1;
    }
    while (at->rule < count) {
        const ploy_plan_rule *rule = &rules[at->rule];
        at->best = at->cursor < 0 ? -1 : at->best;
        if (at->number < rule->count && !plan_roles_best(plan, rule, at, level, budget)) {
            return false;
        }
        if (at->number >= rule->count || at->best < 0) {
            at->rule++;
            at->number = 0;
            continue;
        }
        ployi_plan_rooms(plan)[at->best].role = rule->role;
        at->number++;
        at->given++;
    }
    return true;
}

int32_t ploy_floor_plan_assign(ploy_floor_plan *plan, const ploy_plan_rule *rules, int32_t count) {
    ployi_assign at;
    memset(&at, 0, sizeof at);
    plan_roles_assign(plan, rules, count, &at, NULL, NULL);
    return at.given;
}

// Roles of the entrance and the exit; all other rooms have none.
static bool plan_roles_ends(ployi_level *level, ploy_budget *budget) {
    ploy_floor_plan *plan = level->plan;
    ployi_finish *at = &level->finish;
    ploy_plan_room *rooms = ployi_plan_rooms(plan);
    while (at->cursor < plan->rooms.count) {
        int32_t end = ployi_plan_chunk(level, budget, at->cursor, plan->rooms.count);
        if (end < 0) return false;
        for (; at->cursor < end; at->cursor++) rooms[at->cursor].role = PLOY_PLAN_ROLE_NONE;
    }
    ploy_array_clear(&plan->locks);
    if (plan->entrance < 0 || plan->rooms.count == 0) return true;
    if (plan->kinds[plan->exit] == PLOY_PLAN_ROOM) {
        rooms[plan->owners[plan->exit]].role = PLOY_PLAN_ROLE_EXIT;
    }
    if (plan->kinds[plan->entrance] == PLOY_PLAN_ROOM) {
        rooms[plan->owners[plan->entrance]].role = PLOY_PLAN_ROLE_ENTRANCE;
    }
    return true;
}

ploy_result ployi_plan_assign_roles(ployi_level *level, const ploy_plan_roles_def *roles,
                                    ploy_budget *budget) {
    ploy_floor_plan *plan = level->plan;
    ployi_finish *at = &level->finish;
    if (at->roles_phase == 0) {
        if (!plan_roles_ends(level, budget)) return PLOY_IN_PROGRESS;
        bool reachable = plan->entrance >= 0 && plan->distances[plan->exit] >= 0;
        at->cursor = plan->exit;
        at->gap = reachable ? plan->distances[plan->exit] / (roles->locks + 1) : 0;
        at->last = INT32_MAX;
        at->roles_phase = 1;
    }
    if (plan->entrance < 0 || plan->rooms.count == 0) return PLOY_OK; // doors lead to rooms
    if (at->roles_phase == 1) {
        bool reachable = plan->distances[plan->exit] >= 0;
        ploy_result result = reachable ? plan_roles_lock(level, roles->locks, budget) : PLOY_OK;
        if (result != PLOY_OK) return result;
        plan_roles_number_locks(plan);
        at->roles_phase = 2;
    }
    if (at->roles_phase == 2) {
        if (!plan_roles_keys(level, budget)) return PLOY_IN_PROGRESS;
        at->roles_phase = 3;
    }
    const ploy_plan_rule rules[] = {
        {PLOY_PLAN_ROLE_GUARD, PLOY_PLAN_ON_ROUTE, roles->guards, 0.0f, 1.0f, true},
        {PLOY_PLAN_ROLE_TREASURE, PLOY_PLAN_OFF_ROUTE, roles->treasures, 0.0f, 1.0f, true},
    };
    bool done = plan_roles_assign(plan, rules, 2, &at->assign, level, budget);
    return done ? PLOY_OK : PLOY_IN_PROGRESS;
}
