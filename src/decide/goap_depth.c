// Depth-first planning: IDA* within a depth, and the least value within a depth.
//
// The path is a stack of worlds with a frame each. Invariants, while there is something to do:
//   (1) worlds[i + 1] is worlds[i] after the action frames[i].taken;
//   (2) no world is twice on the path (ida), so that actions without cost end too;
//   (3) a place of the table belongs to this round exactly if its stamp does, and holds a depth and
//       a cost at which its world was really visited in it.
//
// As in Millington, "AI for Games", 5.7.5, but: the goal is tested after the cut-off, so that the
// first plan is the cheapest; the table is forgotten between rounds; a world in it cuts only where
// neither its depth nor its cost is worse; and dead ends count as ends of a value search.
#include <math.h>
#include <string.h>

#include "goap_internal.h"

#include "decide/decide_internal.h"
#include "ploy/base/hash.h"

typedef struct goap_place {
    double cost;
    uint32_t stamp;
    int32_t depth;
} goap_place;

struct ploy_goap_table {
    ploy_env env;
    int32_t words, places;
    uint32_t stamp;
    goap_place *place;
    uint64_t *worlds;
};

ploy_result ploy_goap_table_create(int32_t words, int32_t places, const ploy_env *env,
                                   ploy_goap_table **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || words < 1 || words > PLOY_GOAP_BITS_MAX / 64 || places < 1 ||
        places > 1 << 26) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_goap_table *table = ploy_env_alloc_zero(env, sizeof *table);
    if (table == NULL) return PLOY_ERR_MEMORY;
    table->env = *env;
    table->words = words;
    table->places = places;
    table->stamp = 1;
    size_t bytes = 0;
    if (ploy_size_add_array(0, (int64_t)places * words, sizeof(uint64_t), &bytes)) {
        table->worlds = ploy_env_alloc_zero(env, bytes);
    }
    table->place = ploy_env_alloc_zero(env, (size_t)places * sizeof *table->place);
    if (table->worlds == NULL || table->place == NULL) {
        ploy_goap_table_destroy(table);
        return PLOY_ERR_MEMORY;
    }
    *out = table;
    return PLOY_OK;
}

void ploy_goap_table_destroy(ploy_goap_table *table) {
    if (table == NULL) return;
    ploy_env env = table->env;
    ploy_env_free(&env, table->worlds,
                  (size_t)table->places * (size_t)table->words * sizeof *table->worlds);
    ploy_env_free(&env, table->place, (size_t)table->places * sizeof *table->place);
    ploy_env_free(&env, table, sizeof *table);
}

void ploy_goap_table_clear(ploy_goap_table *table) {
    if (++table->stamp != 0) return;
    memset(table->place, 0, (size_t)table->places * sizeof *table->place);
    table->stamp = 1;
}

// The place of a world, and whether it holds that world.
static int32_t goap_table_find(const ploy_goap_table *table, const uint64_t *world, bool *same) {
    size_t bytes = (size_t)table->words * sizeof *world;
    int32_t place = (int32_t)(ploy_hash_bytes(world, bytes, 0) % (uint64_t)table->places);
    const uint64_t *held = table->worlds + (size_t)place * (size_t)table->words;
    *same = table->place[place].stamp == table->stamp && memcmp(held, world, bytes) == 0;
    return place;
}

void ploy_goap_table_add(ploy_goap_table *table, const uint64_t *world, int32_t depth,
                         double cost) {
    bool same = false;
    int32_t index = goap_table_find(table, world, &same);
    goap_place *place = &table->place[index];
    bool empty = place->stamp != table->stamp;
    bool better = depth < place->depth || (same && depth == place->depth && cost < place->cost);
    if (!empty && !better) return;
    memcpy(table->worlds + (size_t)index * (size_t)table->words, world,
           (size_t)table->words * sizeof *world);
    place->stamp = table->stamp;
    place->depth = depth;
    place->cost = cost; // a pair that was visited: keeps (3)
}

bool ploy_goap_table_has(const ploy_goap_table *table, const uint64_t *world, int32_t *depth,
                         double *cost) {
    bool same = false;
    int32_t place = goap_table_find(table, world, &same);
    if (!same) return false;
    if (depth != NULL) *depth = table->place[place].depth;
    if (cost != NULL) *cost = table->place[place].cost;
    return true;
}

// ---- the search

typedef struct goap_frame {
    double cost;   // so far
    double value;  // of a value search
    int32_t next;  // action to try; -1: not visited yet
    int32_t taken; // action that led on
    int32_t children;
    int32_t reserved;
} goap_frame;

struct ployi_goap_depth {
    ploy_env env;
    ployi_goap_ask ask;
    int32_t compared; // of the path with the world above the top: levels left; -1: none
    double price;     // of the action that led there
    bool limited;     // the limit of the first round is known
    int32_t words;
    ploy_goap_table *table;
    ploy_array worlds; // uint64_t, words each
    ploy_array frames; // goap_frame
    ploy_array plan;   // int32_t: found, or the best so far
    int32_t depth;     // of the top; -1: the round is over
    double limit, next_limit, best;
    bool cut; // by depth
    ploy_search_outcome outcome;
    ploy_goap_stats stats;
};

ploy_result ployi_goap_depth_create(const ploy_goap_type *type, int32_t table, const ploy_env *env,
                                    ployi_goap_depth **out) {
    ployi_goap_depth *depth = ploy_env_alloc_zero(env, sizeof *depth);
    if (depth == NULL) return PLOY_ERR_MEMORY;
    depth->env = *env;
    depth->words = ploy_goap_type_words(type);
    ploy_array_init(&depth->worlds, sizeof(uint64_t), env);
    ploy_array_init(&depth->frames, sizeof(goap_frame), env);
    ploy_array_init(&depth->plan, sizeof(int32_t), env);
    ploy_result result = PLOY_OK;
    if (table > 0) result = ploy_goap_table_create(depth->words, table, env, &depth->table);
    if (result != PLOY_OK) {
        ployi_goap_depth_destroy(depth);
        return result;
    }
    *out = depth;
    return PLOY_OK;
}

void ployi_goap_depth_destroy(ployi_goap_depth *depth) {
    if (depth == NULL) return;
    ploy_env env = depth->env;
    ploy_goap_table_destroy(depth->table);
    ploy_array_fini(&depth->worlds);
    ploy_array_fini(&depth->frames);
    ploy_array_fini(&depth->plan);
    ploy_env_free(&env, depth, sizeof *depth);
}

static goap_frame *goap_depth_frame(const ployi_goap_depth *depth, int32_t index) {
    return &PLOY_ARRAY_ITEMS(&depth->frames, goap_frame)[index];
}

static uint64_t *goap_depth_world(const ployi_goap_depth *depth, int32_t index) {
    return PLOY_ARRAY_ITEMS(&depth->worlds, uint64_t) + (size_t)index * (size_t)depth->words;
}

// Room for one more level, which holds what stood there before.
static ploy_result goap_depth_room(ployi_goap_depth *depth, int32_t levels) {
    ploy_result result = PLOY_OK;
    if (depth->frames.count < levels) result = ploy_array_resize(&depth->frames, levels);
    if (result == PLOY_OK && depth->worlds.count < levels * depth->words) {
        result = ploy_array_resize(&depth->worlds, levels * depth->words);
    }
    return result;
}

static void goap_depth_open(ployi_goap_depth *depth, int32_t level, double cost) {
    goap_frame *frame = goap_depth_frame(depth, level);
    memset(frame, 0, sizeof *frame);
    frame->cost = cost;
    frame->next = -1;
    depth->depth = level;
}

ploy_result ployi_goap_depth_begin(ployi_goap_depth *depth, const ployi_goap_ask *ask,
                                   const uint64_t *world) {
    depth->outcome = PLOY_SEARCH_IDLE;
    depth->ask = *ask;
    memset(&depth->stats, 0, sizeof depth->stats);
    ploy_array_clear(&depth->plan);
    ploy_array_clear(&depth->frames);
    ploy_array_clear(&depth->worlds);
    ploy_result result = goap_depth_room(depth, 1);
    if (result != PLOY_OK) return result;
    memcpy(goap_depth_world(depth, 0), world, (size_t)depth->words * sizeof *world);
    depth->best = (double)INFINITY;
    depth->next_limit = (double)INFINITY;
    depth->cut = false;
    depth->limit = 0.0;
    depth->limited = ask->goal == NULL || ask->estimate == NULL;
    depth->compared = -1;
    depth->stats.rounds = 1;
    if (depth->table != NULL) ploy_goap_table_clear(depth->table);
    goap_depth_open(depth, 0, 0.0);
    depth->outcome = PLOY_SEARCH_OPEN;
    return PLOY_OK;
}

// The path so far becomes the plan.
static ploy_result goap_depth_keep(ployi_goap_depth *depth) {
    ploy_result result = ploy_array_resize(&depth->plan, depth->depth);
    for (int32_t i = 0; result == PLOY_OK && i < depth->depth; i++) {
        PLOY_ARRAY_ITEMS(&depth->plan, int32_t)[i] = goap_depth_frame(depth, i)->taken;
    }
    return result;
}

static ploy_result goap_depth_offer(ployi_goap_depth *depth, double value) {
    if (!(value < depth->best)) return PLOY_OK;
    ploy_result result = goap_depth_keep(depth);
    if (result == PLOY_OK) depth->best = value;
    return result;
}

// A world is looked at for the first time. Sets whether to go on from it.
// @return PLOY_IN_PROGRESS while its estimate is not finished.
static ploy_result goap_depth_visit(ployi_goap_depth *depth, int64_t *allow, bool *on) {
    const ployi_goap_ask *ask = &depth->ask;
    goap_frame *frame = goap_depth_frame(depth, depth->depth);
    const uint64_t *world = goap_depth_world(depth, depth->depth);
    bool deepest = depth->depth >= ask->max_depth;
    double estimate = 0.0;
    if (ask->goal != NULL && ask->estimate != NULL &&
        !ask->estimate(ask->estimate_user, world, allow, &estimate)) {
        return PLOY_IN_PROGRESS;
    }
    *allow -= 1 + ask->goal_count;
    depth->stats.taken++;
    frame->next = 0;
    *on = !deepest;
    if (ask->goal == NULL) {
        frame->value = ask->value(ask->value_user, ask->type, world);
        if (frame->value != frame->value) return PLOY_ERR_CALLBACK;
        if (ask->prune && depth->depth > 0) {
            goap_frame *parent = goap_depth_frame(depth, depth->depth - 1);
            if (frame->value > parent->value) {
                *on = false;
                return PLOY_OK;
            }
            parent->children++;
        } else if (depth->depth > 0) {
            goap_depth_frame(depth, depth->depth - 1)->children++;
        }
        return ask->anytime || deepest ? goap_depth_offer(depth, frame->value) : PLOY_OK;
    }
    if (ask->estimate != NULL) depth->stats.estimates++;
    if (!(estimate >= 0.0)) return PLOY_ERR_CALLBACK;
    if (!depth->limited) depth->limit = estimate; // of the start
    depth->limited = true;
    double full = frame->cost + estimate;
    // Sums in another order may differ in their last bits; a round for each would be no progress.
    if (full > depth->limit + 1e-9 * (depth->limit > 1.0 ? depth->limit : 1.0)) {
        if (full < depth->next_limit) depth->next_limit = full;
        *on = false;
        return PLOY_OK;
    }
    if (ployi_goap_world_holds(ask->type, world, ask->goal, ask->goal_count)) {
        depth->outcome = PLOY_SEARCH_FOUND;
        depth->best = frame->cost;
        return goap_depth_keep(depth);
    }
    if (deepest) depth->cut = true;
    return PLOY_OK;
}

// Is the world above the top worth a visit? If so it is remembered.
// @return PLOY_IN_PROGRESS while the path was not compared to its root.
static ploy_result goap_depth_fresh(ployi_goap_depth *depth, double cost, int64_t *allow,
                                    bool *fresh) {
    const uint64_t *world = goap_depth_world(depth, depth->depth + 1);
    size_t bytes = (size_t)depth->words * sizeof *world;
    *fresh = false;
    for (; depth->compared >= 0; depth->compared--) { // (2)
        if (*allow <= 0) return PLOY_IN_PROGRESS;
        *allow -= depth->words;
        if (memcmp(goap_depth_world(depth, depth->compared), world, bytes) == 0) {
            depth->compared = -1;
            return PLOY_OK;
        }
    }
    *fresh = true;
    if (depth->table == NULL) return PLOY_OK;
    int32_t seen_depth = 0;
    double seen_cost = 0.0;
    if (ploy_goap_table_has(depth->table, world, &seen_depth, &seen_cost) &&
        seen_depth <= depth->depth + 1 && seen_cost <= cost) {
        depth->stats.remembered++;
        *fresh = false;
        return PLOY_OK;
    }
    ploy_goap_table_add(depth->table, world, depth->depth + 1, cost);
    return PLOY_OK;
}

// Tries one action from the top. Sets whether it makes a world.
static ploy_result goap_depth_try(ployi_goap_depth *depth, int32_t action, int64_t *allow,
                                  bool *made) {
    const ploy_goap_type *type = depth->ask.type;
    const ployi_goap_item *item = &PLOY_ARRAY_ITEMS(&type->actions, ployi_goap_item)[action];
    int32_t level = depth->depth;
    *made = false;
    *allow -= ployi_goap_try_work(item);
    depth->price = ployi_goap_world_price(type, goap_depth_world(depth, level), action);
    if (!(depth->price < (double)INFINITY)) return PLOY_OK;
    if (depth->price < item->cost) return PLOY_ERR_CALLBACK;
    *allow -= ployi_goap_apply_work(item, depth->words);
    depth->stats.edges++;
    memcpy(goap_depth_world(depth, level + 1), goap_depth_world(depth, level),
           (size_t)depth->words * sizeof(uint64_t));
    ploy_goap_world_apply(type, goap_depth_world(depth, level + 1), action);
    depth->compared = depth->ask.goal != NULL ? level : -1;
    *made = true;
    return PLOY_OK;
}

// The next action from the top, if there is one left.
// @return PLOY_IN_PROGRESS while neither is known.
static ploy_result goap_depth_advance(ployi_goap_depth *depth, int64_t *allow, bool *moved) {
    int32_t level = depth->depth;
    *moved = false;
    ploy_result result = goap_depth_room(depth, level + 2);
    if (result != PLOY_OK) return result;
    goap_frame *frame = goap_depth_frame(depth, level);
    bool made = depth->compared >= 0; // a comparison was interrupted
    while (made || frame->next < depth->ask.type->actions.count) {
        if (*allow <= 0) return PLOY_IN_PROGRESS;
        if (!made) {
            frame->taken = frame->next++;
            result = goap_depth_try(depth, frame->taken, allow, &made);
            if (result != PLOY_OK) return result;
            if (!made) continue;
        }
        made = false;
        bool fresh = true;
        if (depth->ask.goal != NULL) {
            result = goap_depth_fresh(depth, frame->cost + depth->price, allow, &fresh);
        }
        if (result != PLOY_OK) return result;
        if (!fresh) continue;
        *moved = true;
        goap_depth_open(depth, level + 1, frame->cost + depth->price);
        return PLOY_OK;
    }
    // Nothing leads on from here: a value search may end here too.
    if (depth->ask.goal == NULL && frame->children == 0 && !depth->ask.anytime) {
        return goap_depth_offer(depth, frame->value);
    }
    return PLOY_OK;
}

static void goap_depth_end_round(ployi_goap_depth *depth) {
    if (depth->ask.goal == NULL) {
        depth->outcome = PLOY_SEARCH_FOUND;
    } else if (!(depth->next_limit < (double)INFINITY)) {
        depth->outcome = depth->cut ? PLOY_SEARCH_PRUNED : PLOY_SEARCH_NONE;
    } else {
        depth->limit = depth->next_limit;
        depth->next_limit = (double)INFINITY;
        depth->cut = false;
        depth->stats.rounds++;
        if (depth->table != NULL) ploy_goap_table_clear(depth->table);
        goap_depth_open(depth, 0, 0.0);
    }
}

ploy_result ployi_goap_depth_step(ployi_goap_depth *depth, int64_t *allow, bool one) {
    if (depth->outcome != PLOY_SEARCH_OPEN) return PLOY_ERR_STATE;
    bool visited = false;
    while (depth->outcome == PLOY_SEARCH_OPEN) {
        bool on = true, moved = false;
        ploy_result result = PLOY_OK;
        if (*allow <= 0) return PLOY_IN_PROGRESS;
        if (goap_depth_frame(depth, depth->depth)->next < 0) {
            if (one && visited) return PLOY_IN_PROGRESS;
            result = goap_depth_visit(depth, allow, &on);
            visited = true;
        }
        if (depth->outcome != PLOY_SEARCH_OPEN) return result;
        if (result == PLOY_OK && on) result = goap_depth_advance(depth, allow, &moved);
        if (result == PLOY_IN_PROGRESS) return result;
        if (result != PLOY_OK) {
            depth->outcome = PLOY_SEARCH_IDLE;
            return result;
        }
        if (!moved && --depth->depth < 0) goap_depth_end_round(depth);
    }
    return PLOY_OK;
}

void ployi_goap_depth_cancel(ployi_goap_depth *depth) {
    if (depth->outcome == PLOY_SEARCH_OPEN) depth->outcome = PLOY_SEARCH_IDLE;
}

ploy_search_outcome ployi_goap_depth_outcome(const ployi_goap_depth *depth) {
    return depth->outcome;
}

int32_t ployi_goap_depth_plan(const ployi_goap_depth *depth, int32_t *out, int32_t capacity) {
    if (depth->outcome != PLOY_SEARCH_FOUND) return -1;
    for (int32_t i = 0; i < depth->plan.count && i < capacity; i++) {
        out[i] = PLOY_ARRAY_ITEMS(&depth->plan, int32_t)[i];
    }
    return depth->plan.count;
}

double ployi_goap_depth_cost(const ployi_goap_depth *depth) {
    return depth->best;
}

void ployi_goap_depth_stats(const ployi_goap_depth *depth, ploy_goap_stats *out) {
    *out = depth->stats;
    out->limit = depth->limit;
}

void ployi_goap_depth_describe(const ployi_goap_depth *depth, ploy_describe *out) {
    ploy_describe_text(out, "outcome", PLOY_STATE, ploy_search_outcome_text(depth->outcome));
    if (depth->outcome == PLOY_SEARCH_IDLE) return;
    ploy_describe_i64(out, "depth", PLOY_STATE, depth->depth);
    ploy_describe_f64(out, "limit", PLOY_STATE, depth->limit);
    ploy_describe_f64(out, "best", PLOY_STATE, depth->best);
    ploy_describe_i64(out, "taken", PLOY_STATE, depth->stats.taken);
    ploy_describe_i64(out, "rounds", PLOY_STATE, depth->stats.rounds);
    uint64_t path = 0;
    for (int32_t i = 0; i <= depth->depth; i++) {
        path = ploy_hash_combine(path, (uint64_t)goap_depth_frame(depth, i)->next);
    }
    ploy_describe_u64(out, "path", PLOY_STATE, path);
}

void ployi_goap_depth_memory(const ployi_goap_depth *depth, ploy_memory_fn fn, void *user) {
    ploy_array_memory(&depth->worlds, fn, user);
    ploy_array_memory(&depth->frames, fn, user);
    ploy_array_memory(&depth->plan, fn, user);
    if (depth->table != NULL) {
        ploy_memory_item item = {
            "table",
            sizeof *depth->table +
                (size_t)depth->table->places *
                    (sizeof(goap_place) + (size_t)depth->words * sizeof(uint64_t)),
            3};
        fn(user, &item);
    }
    ploy_memory_item own = {"depth-first", sizeof *depth, 1};
    fn(user, &own);
}
