// Floor plans: cells, rooms, links and doors. Finishing is in floor_plan_finish.c, roles are in
// floor_plan_roles.c, other forms in floor_plan_shape.c.
//
// Invariants of a finished plan:
//   (1) exits agree: a cell leads to its neighbour exactly if the neighbour leads back;
//   (2) with thick walls, open cells side by side are joined and solid cells have no exits;
//   (3) every cell of kind ROOM has a room as owner, and rooms count and enclose their cells.
#include "ploy/generate/floor_plan.h"

#include "base/compiler.h"
#include "generate/plan_internal.h"
#include "ploy/base/hash.h"

#include <stdio.h>
#include <string.h>

const int32_t ployi_plan_dx[4] = {1, 0, 0, -1};
const int32_t ployi_plan_dy[4] = {0, 1, -1, 0};

int32_t ploy_plan_step_x(int32_t direction) {
    return ployi_plan_dx[direction & 3];
}

int32_t ploy_plan_step_y(int32_t direction) {
    return ployi_plan_dy[direction & 3];
}

ploy_result ployi_plan_create(int32_t width, int32_t height, bool thin, const ploy_env *env,
                              ploy_floor_plan **out) {
    *out = NULL;
    int64_t count = (int64_t)width * height;
    size_t bytes = 0;
    if (count > INT32_MAX || !ploy_size_add_array(0, count, 15, &bytes)) return PLOY_ERR_ARGUMENT;
    ploy_floor_plan *plan = ploy_env_alloc_zero(env, sizeof *plan);
    if (plan == NULL) return PLOY_ERR_MEMORY;
    plan->env = *env;
    plan->cells = ploy_env_alloc(env, bytes);
    if (plan->cells == NULL) {
        ploy_env_free(env, plan, sizeof *plan);
        return PLOY_ERR_MEMORY;
    }
    plan->bytes = bytes;
    plan->width = width;
    plan->height = height;
    plan->thin = thin;
    plan->owners = plan->cells;
    plan->distances = plan->owners + count;
    plan->queue = plan->distances + count;
    plan->kinds = (uint8_t *)(plan->queue + count);
    plan->exits = plan->kinds + count;
    plan->mark = plan->exits + count;
    plan->entrance = plan->exit = -1;
    memset(plan->owners, 0xFF, (size_t)count * 2 * sizeof(int32_t)); // owners and distances: -1
    memset(plan->kinds, 0, (size_t)count * 3);                       // kinds, exits and marks
    ploy_array_init(&plan->rooms, sizeof(ploy_plan_room), env);
    ploy_array_init(&plan->links, sizeof(ploy_plan_link), env);
    ploy_array_init(&plan->doors, sizeof(ploy_plan_door), env);
    ploy_array_init(&plan->locks, sizeof(ploy_plan_lock), env);
    *out = plan;
    return PLOY_OK;
}

void ploy_floor_plan_destroy(ploy_floor_plan *plan) {
    if (plan == NULL) return;
    ploy_env env = plan->env;
    ploy_array_fini(&plan->rooms);
    ploy_array_fini(&plan->links);
    ploy_array_fini(&plan->doors);
    ploy_array_fini(&plan->locks);
    ploy_env_free(&env, plan->cells, plan->bytes);
    ploy_env_free(&env, plan, sizeof *plan);
}

static ploy_result floor_plan_copy_array(ploy_array *to, const ploy_array *from) {
    return from->count == 0 ? PLOY_OK : ploy_array_push_many(to, from->items, from->count);
}

ploy_result ploy_floor_plan_copy(const ploy_floor_plan *plan, const ploy_env *env,
                                 ploy_floor_plan **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (plan == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_floor_plan *copy = NULL;
    ploy_result result = ployi_plan_create(plan->width, plan->height, plan->thin, env, &copy);
    if (result != PLOY_OK) return result;
    size_t count = (size_t)plan->width * (size_t)plan->height; // all but the scratch
    memcpy(copy->owners, plan->owners, count * sizeof(int32_t));
    memcpy(copy->distances, plan->distances, count * sizeof(int32_t));
    memcpy(copy->kinds, plan->kinds, 2 * count);
    copy->entrance = plan->entrance;
    copy->exit = plan->exit;
    result = floor_plan_copy_array(&copy->rooms, &plan->rooms);
    if (result == PLOY_OK) result = floor_plan_copy_array(&copy->links, &plan->links);
    if (result == PLOY_OK) result = floor_plan_copy_array(&copy->doors, &plan->doors);
    if (result == PLOY_OK) result = floor_plan_copy_array(&copy->locks, &plan->locks);
    if (result != PLOY_OK) {
        ploy_floor_plan_destroy(copy);
        return result;
    }
    *out = copy;
    return PLOY_OK;
}

ploy_floor_plan_view ploy_floor_plan_get(const ploy_floor_plan *plan) {
    ploy_floor_plan_view view;
    view.width = plan->width;
    view.height = plan->height;
    view.thin = plan->thin;
    view.kinds = plan->kinds;
    view.exits = plan->exits;
    view.owners = plan->owners;
    view.distances = plan->distances;
    view.rooms = ployi_plan_rooms(plan);
    view.room_count = plan->rooms.count;
    view.links = PLOY_ARRAY_ITEMS(&plan->links, ploy_plan_link);
    view.link_count = plan->links.count;
    view.doors = ployi_plan_doors(plan);
    view.door_count = plan->doors.count;
    view.locks = PLOY_ARRAY_ITEMS(&plan->locks, ploy_plan_lock);
    view.lock_count = plan->locks.count;
    view.entrance = plan->entrance;
    view.exit = plan->exit;
    return view;
}

// ---- building

int32_t ployi_plan_add_room(ploy_floor_plan *plan) {
    ploy_plan_room *room = ploy_array_add(&plan->rooms);
    if (room == NULL) return -1;
    room->cell = room->distance = -1;
    return plan->rooms.count - 1;
}

int32_t ployi_plan_add_link(ploy_floor_plan *plan, int32_t from, int32_t to, bool loop) {
    ploy_plan_link *link = ploy_array_add(&plan->links);
    if (link == NULL) return -1;
    link->from = from;
    link->to = to;
    link->loop = loop;
    return plan->links.count - 1;
}

int32_t ployi_plan_add_door(ploy_floor_plan *plan, int32_t cell, int32_t side, int32_t room,
                            int32_t link) {
    ploy_plan_door *door = ploy_array_add(&plan->doors);
    if (door == NULL) return -1;
    door->cell = cell;
    door->direction = side;
    door->room = room;
    door->link = link;
    door->lock = -1;
    if (!plan->thin) {
        plan->kinds[cell] = PLOY_PLAN_DOOR;
        plan->owners[cell] = link;
    }
    return plan->doors.count - 1;
}

void ployi_plan_put_room(ploy_floor_plan *plan, int32_t room, int32_t x, int32_t y) {
    int32_t cell = ployi_plan_cell(plan, x, y);
    plan->kinds[cell] = PLOY_PLAN_ROOM;
    plan->owners[cell] = room;
    ploy_plan_room *it = &ployi_plan_rooms(plan)[room];
    int32_t right = it->x + it->width, top = it->y + it->height;
    if (it->cells == 0) {
        it->x = x;
        it->y = y;
        right = x + 1;
        top = y + 1;
    }
    if (x < it->x) it->x = x;
    if (y < it->y) it->y = y;
    if (x >= right) right = x + 1;
    if (y >= top) top = y + 1;
    it->width = right - it->x;
    it->height = top - it->y;
    it->cells++;
}

int32_t ployi_plan_add_rectangle(ploy_floor_plan *plan, int32_t x, int32_t y, int32_t width,
                                 int32_t height) {
    int32_t number = ployi_plan_add_room(plan);
    if (number < 0) return -1;
    ploy_plan_room *room = &ployi_plan_rooms(plan)[number];
    room->x = x;
    room->y = y;
    room->width = width;
    room->height = height;
    room->cells = width * height;
    for (int32_t v = y; v < y + height; v++) {
        int32_t first = ployi_plan_cell(plan, x, v);
        memset(plan->kinds + first, PLOY_PLAN_ROOM, (size_t)width);
        for (int32_t u = 0; u < width; u++) plan->owners[first + u] = number;
        for (int32_t u = 0; plan->thin && u < width; u++) {
            if (u + 1 < width) ployi_plan_join(plan, first + u, 0);
            if (v + 1 < y + height) ployi_plan_join(plan, first + u, 1);
        }
    }
    return number;
}

bool ployi_plan_is_free(const ploy_floor_plan *plan, int32_t x, int32_t y, int32_t width,
                        int32_t height) {
    if (x < 0 || y < 0 || x > plan->width - width || y > plan->height - height) return false;
    for (int32_t v = y; v < y + height; v++) {
        const uint8_t *row = plan->kinds + ployi_plan_cell(plan, x, v);
        for (int32_t u = 0; u < width; u++) {
            if (row[u] != PLOY_PLAN_SOLID) return false;
        }
    }
    return true;
}

void ployi_plan_join(ploy_floor_plan *plan, int32_t cell, int32_t direction) {
    int32_t next = cell + ployi_plan_dx[direction] + ployi_plan_dy[direction] * plan->width;
    plan->exits[cell] = (uint8_t)(plan->exits[cell] | 1 << direction);
    plan->exits[next] = (uint8_t)(plan->exits[next] | 1 << (3 - direction));
}

// ---- counts

ploy_floor_plan_stats ploy_floor_plan_stats_of(const ploy_floor_plan *plan) {
    ploy_floor_plan_stats stats;
    memset(&stats, 0, sizeof stats);
    int32_t cells = plan->width * plan->height;
    for (int32_t i = 0; i < cells; i++) {
        if (plan->kinds[i] == PLOY_PLAN_SOLID) continue;
        int32_t exits = plan->exits[i], count = 0;
        for (; exits != 0; exits >>= 1) count += exits & 1;
        stats.open++;
        stats.passages += count;
        stats.unreachable += plan->distances[i] < 0;
        stats.dead_ends += count == 1 && plan->kinds[i] != PLOY_PLAN_ROOM;
        if (plan->distances[i] > stats.farthest) stats.farthest = plan->distances[i];
    }
    stats.passages /= 2;
    for (int32_t i = 0; i < plan->rooms.count; i++) {
        stats.dead_ends += ployi_plan_rooms(plan)[i].doors == 1;
    }
    for (int32_t i = 0; i < plan->links.count; i++) {
        stats.loops += PLOY_ARRAY_ITEMS(&plan->links, ploy_plan_link)[i].loop;
    }
    if (plan->thin) { // passages less a tree, where rooms are full of loops that no agent walks
        int32_t inside = 0;
        for (int32_t i = 0; i < cells; i++) {
            if (plan->kinds[i] != PLOY_PLAN_ROOM) continue;
            for (int32_t direction = 0; direction < 2; direction++) {
                int32_t next = ployi_plan_beside(plan, i, direction);
                inside +=
                    (plan->exits[i] >> direction & 1) != 0 && plan->owners[next] == plan->owners[i];
            }
        }
        int32_t in_rooms = 0;
        for (int32_t i = 0; i < plan->rooms.count; i++) in_rooms += ployi_plan_rooms(plan)[i].cells;
        int32_t nodes = stats.open - in_rooms + plan->rooms.count;
        if (nodes > 0) stats.loops = stats.passages - inside - (nodes - 1);
        if (stats.loops < 0) stats.loops = 0;
    }
    return stats;
}

// ---- sight

static uint64_t floor_plan_hash_i32(uint64_t hash, const int32_t *items, int32_t count) {
    for (int32_t i = 0; i < count; i++) hash = ploy_hash_combine(hash, (uint64_t)(int64_t)items[i]);
    return hash;
}

void ploy_floor_plan_describe(const ploy_floor_plan *plan, ploy_describe *out) {
    int32_t cells = plan->width * plan->height;
    uint64_t hash = ploy_hash_bytes(plan->kinds, (size_t)cells, 0);
    hash = ploy_hash_bytes(plan->exits, (size_t)cells, hash);
    hash = floor_plan_hash_i32(hash, plan->owners, cells);
    ploy_describe_i64(out, "width", PLOY_STATE, plan->width);
    ploy_describe_i64(out, "height", PLOY_STATE, plan->height);
    ploy_describe_u64(out, "cells", PLOY_STATE, hash);
    ploy_describe_i64(out, "entrance", PLOY_STATE, plan->entrance);
    ploy_describe_i64(out, "exit", PLOY_STATE, plan->exit);
    hash = 0; // rooms, links, doors and locks, member by member
    for (int32_t i = 0; i < plan->rooms.count; i++) {
        const ploy_plan_room *room = &ployi_plan_rooms(plan)[i];
        int32_t all[] = {room->x,     room->y,     room->width, room->height,
                         room->cells, room->doors, room->links, room->distance,
                         room->role,  room->value, room->cell};
        hash = floor_plan_hash_i32(hash, all, (int32_t)(sizeof all / sizeof all[0]));
    }
    for (int32_t i = 0; i < plan->links.count; i++) {
        const ploy_plan_link *link = &PLOY_ARRAY_ITEMS(&plan->links, ploy_plan_link)[i];
        int32_t all[] = {link->from, link->to, link->length, link->loop};
        hash = floor_plan_hash_i32(hash, all, 4);
    }
    for (int32_t i = 0; i < plan->doors.count; i++) {
        const ploy_plan_door *door = &ployi_plan_doors(plan)[i];
        int32_t all[] = {door->cell, door->direction, door->room, door->link, door->lock};
        hash = floor_plan_hash_i32(hash, all, 5);
    }
    for (int32_t i = 0; i < plan->locks.count; i++) {
        const ploy_plan_lock *lock = &PLOY_ARRAY_ITEMS(&plan->locks, ploy_plan_lock)[i];
        int32_t all[] = {lock->door, lock->key_cell, lock->key_room};
        hash = floor_plan_hash_i32(hash, all, 3);
    }
    ploy_describe_u64(out, "graph", PLOY_STATE, hash);
    ploy_floor_plan_stats stats = ploy_floor_plan_stats_of(plan);
    ploy_describe_begin(out, "statistics");
    ploy_describe_i64(out, "rooms", PLOY_DERIVED, plan->rooms.count);
    ploy_describe_i64(out, "links", PLOY_DERIVED, plan->links.count);
    ploy_describe_i64(out, "doors", PLOY_DERIVED, plan->doors.count);
    ploy_describe_i64(out, "locks", PLOY_DERIVED, plan->locks.count);
    ploy_describe_i64(out, "open", PLOY_DERIVED, stats.open);
    ploy_describe_i64(out, "passages", PLOY_DERIVED, stats.passages);
    ploy_describe_i64(out, "dead_ends", PLOY_DERIVED, stats.dead_ends);
    ploy_describe_i64(out, "loops", PLOY_DERIVED, stats.loops);
    ploy_describe_i64(out, "unreachable", PLOY_DERIVED, stats.unreachable);
    ploy_describe_end(out);
}

void ploy_floor_plan_memory(const ploy_floor_plan *plan, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"floor plan", sizeof *plan + plan->bytes, 2};
    fn(user, &item);
    ploy_array_memory(&plan->rooms, fn, user);
    ploy_array_memory(&plan->links, fn, user);
    ploy_array_memory(&plan->doors, fn, user);
    ploy_array_memory(&plan->locks, fn, user);
}

// ---- what all level generators have in common

ploy_result ployi_level_init(ployi_level *level, const char *technique, int32_t width,
                             int32_t height, bool thin, ploy_rng_key key, ploy_trace *trace,
                             const ploy_env *env) {
    level->env = *env;
    level->key = key;
    level->trace = trace;
    level->technique = technique;
    level->outcome.limit = "";
    memset(&level->finish, 0, sizeof level->finish);
    return ployi_plan_create(width, height, thin, env, &level->plan);
}

void ployi_level_fini(ployi_level *level) {
    ploy_floor_plan_destroy(level->plan);
    level->plan = NULL;
}

bool ployi_level_spend(ployi_level *level, ploy_budget *budget, int64_t units) {
    if (budget != NULL && !ploy_budget_spend(budget, units)) return false;
    level->outcome.units += units;
    if (level->plan->rooms.count > level->outcome.count)
        level->outcome.count = level->plan->rooms.count;
    return true;
}

void ployi_level_limit(ployi_level *level, const char *limit) {
    if (level->outcome.limit[0] == '\0') level->outcome.limit = limit;
}

void ployi_level_attempt(ployi_level *level, const char *what, int32_t number, const char *reason) {
    level->outcome.attempts++;
    level->outcome.rejected += reason != NULL;
    if (level->trace == NULL) return;
    char name[48];
    snprintf(name, sizeof name, "%s %d", what, (int)number);
    ploy_trace_begin(level->trace, ploy_agent_id_none(), what, level->technique);
    ploy_trace_option(level->trace, name, reason == NULL ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      reason == NULL ? 1.0 : 0.0, reason == NULL ? "fits" : reason);
    ploy_trace_end(level->trace);
}

ploy_result ployi_level_finish(ployi_level *level, const ploy_plan_roles_def *roles, int64_t count,
                               ploy_budget *budget) {
    ploy_result result = ployi_plan_finish(level, roles, budget);
    if (result != PLOY_OK) return result;
    level->outcome.count = count;
    level->outcome.done = true;
    level->outcome.partial = level->outcome.limit[0] != '\0';
    return PLOY_OK;
}

ploy_content ployi_level_content(const ployi_level *level) {
    ploy_content content = ploy_content_none();
    content.kinds = PLOY_CONTENT_PLAN;
    content.plan = level->plan;
    content.area =
        ploy_box2_make(ploy_vec2_make(0.0f, 0.0f),
                       ploy_vec2_make((float)level->plan->width, (float)level->plan->height));
    return content;
}
