// Replanning: LPA* and D* Lite.
//
// The search grows from the root (in D* Lite the goal, in LPA* the start) towards the target. Every
// state has two costs from the root: `cost`, what was last settled, and `look`, what its neighbours
// make of it now. "Nearer" edges lead a state towards the root, "further" ones away from it.
//
// A cost is compared by the sum of the edges first and by their number second. So every edge costs
// more than nothing, and two states joined by edges of cost 0 cannot keep each other's cost up after
// both lost their path. Keys are (cost + estimate, number of edges); along any edge they rise.
//
// Invariants, between two calls that succeeded:
//   (1) look of a state other than the root is the least of (edge + cost) over its nearer edges;
//       of the root it is 0;
//   (2) a state is on the open list exactly if its two costs differ;
//   (3) keys on the open list are not above what they would be now (`shift` only grows);
//   (4) `reached` lists the states that ever had a finite cost, each once.
#include <math.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "search/search_internal.h"

typedef struct replan_cost {
    double sum;
    int32_t edges; // 0 while sum is INFINITY
} replan_cost;

// Two costs, packed.
typedef struct replan_record {
    double cost_sum, look_sum;
    uint32_t cost_edges;
    uint32_t look_edges : 31;
    uint32_t reached : 1; // listed
} replan_record;

typedef struct replan_search {
    ploy_search base;
    ploy_open_list *open;
    ploy_edges far_edges;
    replan_record *records;
    int32_t count;      // of records
    ploy_array reached; // int32_t
    ploy_array path;    // ploy_edge, as it was last settled
    int32_t start, goal;
    int32_t last; // where the agent was when shift was last raised
    double shift; // added to keys, instead of changing all of them when the agent moves
    double cost;  // of the path
    bool follow;  // D* Lite: from the goal
} replan_search;

static const replan_cost replan_infinite = {INFINITY, 0};

static replan_cost replan_cost_of(const replan_record *record) {
    replan_cost cost = {record->cost_sum, (int32_t)record->cost_edges};
    return cost;
}

static replan_cost replan_look_of(const replan_record *record) {
    replan_cost look = {record->look_sum, (int32_t)record->look_edges};
    return look;
}

static void replan_set_cost(replan_record *record, replan_cost cost) {
    record->cost_sum = cost.sum;
    record->cost_edges = (uint32_t)cost.edges;
}

static void replan_set_look(replan_record *record, replan_cost look) {
    record->look_sum = look.sum;
    record->look_edges = (uint32_t)look.edges & 0x7FFFFFFFu;
}

static int32_t replan_compare(replan_cost a, replan_cost b) {
    if (a.sum != b.sum) return a.sum < b.sum ? -1 : 1;
    return a.edges < b.edges ? -1 : a.edges > b.edges;
}

static replan_cost replan_add(replan_cost cost, double edge) {
    replan_cost sum = {cost.sum + edge, cost.edges + 1};
    return sum.sum < INFINITY ? sum : replan_infinite;
}

static const char *replan_fault(const ploy_search_def *def) {
    if (def->weight > 1.0) return "the weight must be at most 1";
    if (def->open == PLOY_OPEN_FRINGE) return "the open list must have an order";
    return NULL;
}

static ploy_result replan_create(ploy_search *base) {
    replan_search *search = (replan_search *)base;
    search->follow = base->def.method == PLOY_SEARCH_METHOD_D_STAR_LITE;
    ploy_edges_init(&search->far_edges, &base->env);
    ploy_array_init(&search->reached, sizeof(int32_t), &base->env);
    ploy_array_init(&search->path, sizeof(ploy_edge), &base->env);
    return ploy_open_list_create(base->def.open, base->def.bucket_width, &base->env, &search->open);
}

static void replan_destroy(ploy_search *base) {
    replan_search *search = (replan_search *)base;
    ploy_open_list_destroy(search->open);
    ploy_edges_fini(&search->far_edges);
    ploy_array_fini(&search->reached);
    ploy_array_fini(&search->path);
    ploy_env_free(&base->env, search->records, (size_t)search->count * sizeof *search->records);
}

static int32_t replan_root(const replan_search *search) {
    return search->follow ? search->goal : search->start;
}

static int32_t replan_target(const replan_search *search) {
    return search->follow ? search->start : search->goal;
}

// ---- records and keys

static void replan_reset(replan_record *record) {
    replan_set_cost(record, replan_infinite);
    replan_set_look(record, replan_infinite);
    record->reached = 0;
}

static ploy_result replan_reserve(replan_search *search, int32_t count) {
    if (count <= search->count) return PLOY_OK;
    size_t old = (size_t)search->count * sizeof *search->records, size = 0;
    if (!ploy_size_add_array(0, count, sizeof *search->records, &size)) return PLOY_ERR_MEMORY;
    replan_record *records = ploy_env_resize(&search->base.env, search->records, old, size);
    if (records == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = search->count; i < count; i++) replan_reset(&records[i]);
    search->records = records;
    search->count = count;
    return PLOY_OK;
}

// Makes sure that a state has a record.
static ploy_result replan_touch(replan_search *search, int32_t state) {
    if (state < search->count) return PLOY_OK;
    return replan_reserve(search, ployi_search_grown(search->count, (int64_t)state + 1));
}

static replan_cost replan_known(const replan_search *search, int32_t state) {
    return state < search->count ? replan_cost_of(&search->records[state]) : replan_infinite;
}

static ploy_result replan_estimate(replan_search *search, int32_t from, int32_t to, double *out) {
    ploy_result result = ployi_search_estimate(&search->base, from, to, out);
    *out = ployi_search_weighted(search->base.def.weight, *out);
    return result;
}

static ploy_result replan_key(replan_search *search, int32_t state, ploy_open_key *out) {
    const replan_record *record = &search->records[state];
    replan_cost least = replan_cost_of(record), look = replan_look_of(record);
    if (replan_compare(look, least) < 0) least = look;
    double estimate = 0.0;
    ploy_result result = search->follow ? replan_estimate(search, search->start, state, &estimate)
                                        : replan_estimate(search, state, search->goal, &estimate);
    out->first = least.sum + estimate + search->shift;
    out->second = (double)least.edges;
    return result;
}

// Updates the open list for one state; keeps (2) and (4).
static ploy_result replan_queue(replan_search *search, int32_t state) {
    replan_record *record = &search->records[state];
    if (replan_compare(replan_cost_of(record), replan_look_of(record)) == 0) {
        ploy_open_list_remove(search->open, state);
        return PLOY_OK;
    }
    ploy_open_key key;
    ploy_result result = replan_key(search, state, &key);
    if (result != PLOY_OK) return result;
    if (ployi_open_list_has(search->open, state)) {
        return ploy_open_list_update(search->open, state, key);
    }
    if (!record->reached) {
        result = ploy_array_push(&search->reached, &state);
        if (result != PLOY_OK) return result;
        record->reached = 1;
    }
    ploy_search_stats *stats = &search->base.stats;
    result = ploy_open_list_add(search->open, state, key);
    stats->opened++;
    int32_t open = ploy_open_list_count(search->open);
    if (open > stats->peak_open) stats->peak_open = open;
    return result;
}

// ---- edges

// The edges of a state towards the root or away from it, checked.
static ploy_result replan_edges(replan_search *search, int32_t state, bool nearer,
                                ploy_edges *out) {
    ploy_search *base = &search->base;
    ploy_result result = ployi_search_expand(base, state, nearer != search->follow, out);
    for (int32_t i = 0; i < out->count && result == PLOY_OK; i++) {
        result = ployi_search_check_edge(base, state, &out->view[i]);
    }
    base->stats.edges += out->count;
    return result;
}

// Computes again what a state's neighbours make of it; keeps (1) and (2).
static ploy_result replan_look(replan_search *search, int32_t state) {
    ploy_result result = replan_touch(search, state);
    if (result != PLOY_OK) return result;
    if (state != replan_root(search)) {
        ploy_edges *edges = &search->base.edges;
        result = replan_edges(search, state, true, edges);
        if (result != PLOY_OK) return result;
        replan_cost least = replan_infinite;
        for (int32_t i = 0; i < edges->count; i++) {
            replan_cost cost =
                replan_add(replan_known(search, edges->view[i].to), edges->view[i].cost);
            if (replan_compare(cost, least) < 0) least = cost;
        }
        replan_set_look(&search->records[state], least);
    }
    return replan_queue(search, state);
}

// ---- the calls

static void replan_clear(ploy_search *base) {
    replan_search *search = (replan_search *)base;
    ploy_open_list_clear(search->open);
    ploy_array_clear(&search->reached);
    ploy_array_clear(&search->path);
    for (int32_t i = 0; i < search->count; i++) replan_reset(&search->records[i]);
    search->shift = 0.0;
    search->cost = INFINITY;
}

static ploy_result replan_begin(ploy_search *base) {
    replan_search *search = (replan_search *)base;
    search->start = search->last = ployi_search_first(base)->state;
    search->goal = base->query.goal;
    ploy_result result = PLOY_OK;
    if (base->space.count > 0) {
        result = replan_reserve(search, base->space.count);
        if (result == PLOY_OK) result = ploy_open_list_reserve(search->open, base->space.count);
    }
    int32_t highest = search->start > search->goal ? search->start : search->goal;
    if (result == PLOY_OK) result = replan_touch(search, highest);
    if (result != PLOY_OK) return result;
    search->records[replan_root(search)].look_sum = 0.0;
    return replan_queue(search, replan_root(search));
}

static ploy_result replan_changed(ploy_search *base, int32_t from, int32_t to) {
    replan_search *search = (replan_search *)base;
    return replan_look(search, search->follow ? from : to);
}

static ploy_result replan_move(ploy_search *base, int32_t start) {
    replan_search *search = (replan_search *)base;
    ploy_result result = replan_touch(search, start);
    // Estimates of all states may have shrunk by as much as the agent moved: instead of lowering
    // every key on the list, those made from now on are raised.
    double moved = 0.0;
    if (result == PLOY_OK) result = replan_estimate(search, search->last, start, &moved);
    if (result != PLOY_OK) return result;
    search->shift += moved;
    search->start = search->last = start;
    return PLOY_OK;
}

// The edge that a state's cost came by: the best of its nearer edges.
static ploy_result replan_best(replan_search *search, int32_t state, ploy_edge *out) {
    ploy_edges *edges = &search->base.edges;
    ploy_result result = replan_edges(search, state, true, edges);
    if (result != PLOY_OK) return result;
    replan_cost least = replan_infinite;
    for (int32_t i = 0; i < edges->count; i++) {
        const ploy_edge *edge = &edges->view[i];
        replan_cost cost = replan_add(replan_known(search, edge->to), edge->cost);
        int32_t order = replan_compare(cost, least);
        if (order > 0 || cost.sum == INFINITY) continue;
        if (order == 0 && edge->to >= out->to) continue;
        least = cost;
        *out = *edge;
    }
    return least.sum < INFINITY ? PLOY_OK : PLOY_ERR_CALLBACK; // the space changed unreported
}

// Follows the best edges from the target to the root. Costs fall along them, so it ends.
static ploy_result replan_trace(replan_search *search) {
    int32_t root = replan_root(search), state = replan_target(search);
    ploy_array_clear(&search->path);
    search->cost = search->records[state].cost_sum;
    while (state != root) {
        ploy_edge edge;
        memset(&edge, 0, sizeof edge);
        ploy_result result = replan_best(search, state, &edge);
        // An edge that changed unreported could lead round in a circle.
        if (search->path.count > search->count) result = PLOY_ERR_CALLBACK;
        if (result != PLOY_OK) return result;
        int32_t next = edge.to;
        if (!search->follow) edge.to = state;
        result = ploy_array_push(&search->path, &edge);
        if (result != PLOY_OK) return result;
        state = next;
    }
    if (search->follow) return PLOY_OK;
    ploy_edge *path = search->path.items; // found from its end
    for (int32_t i = 0, k = search->path.count - 1; i < k; i++, k--) {
        ploy_edge swap = path[i];
        path[i] = path[k];
        path[k] = swap;
    }
    return PLOY_OK;
}

// Is the target's cost right?
static bool replan_done(const replan_search *search) {
    ploy_open_entry first;
    if (!ployi_open_list_peek(search->open, &first)) return true;
    const replan_record *record = &search->records[replan_target(search)];
    replan_cost cost = replan_cost_of(record);
    // Equal keys may still hide a state on the path, so only a smaller target ends it; a target
    // whose cost is to rise has to be taken as well.
    if (replan_compare(replan_look_of(record), cost) != 0) return false;
    // From the target to itself a consistent estimate is 0.
    ploy_open_key key = {cost.sum + search->shift, (double)cost.edges};
    return ployi_open_key_compare(first.key, 0, key, 0) >= 0;
}

static ploy_result replan_settle(ploy_search *base) {
    replan_search *search = (replan_search *)base;
    if (!replan_done(search)) return PLOY_OK;
    base->goal = PLOY_STATE_NONE;
    base->bound = INFINITY;
    if (search->records[replan_target(search)].cost_sum == INFINITY) {
        ploy_array_clear(&search->path);
        search->cost = INFINITY;
        base->outcome = PLOY_SEARCH_NONE;
        return PLOY_OK;
    }
    ploy_result result = replan_trace(search);
    if (result != PLOY_OK) return result;
    base->outcome = PLOY_SEARCH_FOUND;
    base->goal = search->goal;
    base->bound = 1.0;
    base->version++;
    return PLOY_OK;
}

// A state's cost fell: those of states further out may, too.
static ploy_result replan_lower(replan_search *search, int32_t state) {
    replan_record *record = &search->records[state];
    replan_cost cost = replan_look_of(record);
    replan_set_cost(record, cost);
    ploy_open_list_remove(search->open, state);
    ploy_result result = replan_edges(search, state, false, &search->far_edges);
    for (int32_t i = 0; i < search->far_edges.count && result == PLOY_OK; i++) {
        const ploy_edge *edge = &search->far_edges.view[i];
        if (edge->to == replan_root(search)) continue;
        result = replan_touch(search, edge->to);
        if (result != PLOY_OK) break;
        replan_record *other = &search->records[edge->to];
        replan_cost look = replan_add(cost, edge->cost);
        if (replan_compare(look, replan_look_of(other)) >= 0) continue;
        replan_set_look(other, look);
        result = replan_queue(search, edge->to);
    }
    return result;
}

// A state's cost rose: it starts again, and so do those whose look came from it.
static ploy_result replan_raise(replan_search *search, int32_t state) {
    replan_cost old = replan_cost_of(&search->records[state]);
    replan_set_cost(&search->records[state], replan_infinite);
    ploy_result result = replan_look(search, state);
    if (result == PLOY_OK) result = replan_edges(search, state, false, &search->far_edges);
    for (int32_t i = 0; i < search->far_edges.count && result == PLOY_OK; i++) {
        const ploy_edge *edge = &search->far_edges.view[i];
        result = replan_touch(search, edge->to);
        if (result != PLOY_OK) break;
        replan_cost from = replan_add(old, edge->cost);
        if (replan_compare(replan_look_of(&search->records[edge->to]), from) == 0) {
            result = replan_look(search, edge->to);
        }
    }
    return result;
}

static ploy_result replan_take(ploy_search *base) {
    replan_search *search = (replan_search *)base;
    ploy_open_entry first;
    if (!ployi_open_list_peek(search->open, &first)) return PLOY_OK;
    base->stats.taken++;
    ploy_open_key key;
    ploy_result result = replan_key(search, first.state, &key);
    if (result != PLOY_OK) return result;
    if (ployi_open_key_compare(first.key, 0, key, 0) < 0) {
        return ploy_open_list_update(search->open, first.state, key); // (3): out of date
    }
    const replan_record *record = &search->records[first.state];
    bool lower = replan_compare(replan_cost_of(record), replan_look_of(record)) > 0;
    return lower ? replan_lower(search, first.state) : replan_raise(search, first.state);
}

// ---- results

static int32_t replan_path(const ploy_search *base, int32_t state, ploy_edge *out, int32_t capacity,
                           double *cost) {
    const replan_search *search = (const replan_search *)base;
    if (base->goal == PLOY_STATE_NONE || state != base->goal) return -1;
    if (base->outcome == PLOY_SEARCH_OPEN) return -1; // changed or moved since
    const ploy_edge *path = search->path.items;
    for (int32_t i = 0; i < search->path.count && i < capacity; i++) out[i] = path[i];
    if (cost != NULL) *cost = search->cost;
    return search->path.count;
}

static bool replan_get(const ploy_search *base, int32_t state, ploy_search_node *out) {
    const replan_search *search = (const replan_search *)base;
    if (state >= search->count || !(search->records[state].cost_sum < INFINITY)) return false;
    bool open = ployi_open_list_has(search->open, state);
    out->status = open ? PLOY_SEARCH_SEEN : PLOY_SEARCH_CLOSED;
    out->parent = PLOY_STATE_NONE;
    out->label = -1;
    out->start = replan_root(search);
    out->cost = search->records[state].cost_sum;
    out->estimate = 0.0;
    const ploy_space *space = &base->space;
    if (space->estimate != NULL) {
        out->estimate = search->follow ? space->estimate(space->user, search->start, state)
                                       : space->estimate(space->user, state, search->goal);
    }
    return true;
}

static int32_t replan_reached(const ploy_search *base) {
    return ((const replan_search *)base)->reached.count;
}

static int32_t replan_reached_at(const ploy_search *base, int32_t index) {
    return PLOY_ARRAY_ITEMS(&((const replan_search *)base)->reached, int32_t)[index];
}

static uint64_t replan_hash(uint64_t hash, replan_cost cost) {
    uint64_t bits = 0;
    memcpy(&bits, &cost.sum, sizeof bits);
    return ploy_hash_combine(ploy_hash_combine(hash, bits), (uint64_t)(uint32_t)cost.edges);
}

static void replan_describe(const ploy_search *base, ploy_describe *out) {
    const replan_search *search = (const replan_search *)base;
    uint64_t hash = 0;
    for (int32_t i = 0; i < search->reached.count; i++) {
        int32_t state = replan_reached_at(base, i);
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)state);
        hash = replan_hash(hash, replan_cost_of(&search->records[state]));
        hash = replan_hash(hash, replan_look_of(&search->records[state]));
    }
    ploy_describe_i64(out, "from", PLOY_STATE, search->start);
    ploy_describe_i64(out, "to", PLOY_STATE, search->goal);
    ploy_describe_f64(out, "shift", PLOY_STATE, search->shift);
    ploy_describe_f64(out, "cost", PLOY_STATE, search->cost);
    ploy_describe_u64(out, "records", PLOY_STATE, hash);
    ploy_describe_i64(out, "reached", PLOY_DERIVED, search->reached.count);
    ploy_describe_i64(out, "open", PLOY_DERIVED, ploy_open_list_count(search->open));
}

static void replan_memory(const ploy_search *base, ploy_memory_fn fn, void *user) {
    const replan_search *search = (const replan_search *)base;
    ploy_memory_item records = {"search records",
                                (size_t)search->far_edges.capacity * sizeof(ploy_edge) +
                                    (size_t)search->count * sizeof *search->records,
                                (search->far_edges.capacity > 0) + (search->count > 0)};
    fn(user, &records);
    ploy_array_memory(&search->reached, fn, user);
    ploy_array_memory(&search->path, fn, user);
    ploy_open_list_memory(search->open, fn, user);
}

#define REPLAN_METHOD(move_function)                                                              \
    {                                                                                             \
        .size = sizeof(replan_search), .flags = PLOYI_SEARCH_NEEDS_BACK, .fault = replan_fault,   \
        .create = replan_create, .destroy = replan_destroy, .clear = replan_clear,                \
        .begin = replan_begin, .settle = replan_settle, .take = replan_take, .path = replan_path, \
        .get = replan_get, .reached = replan_reached, .reached_at = replan_reached_at,            \
        .describe = replan_describe, .memory = replan_memory, .changed = replan_changed,          \
        .move = move_function,                                                                    \
    }

const ployi_search_method ployi_search_lpa_star = REPLAN_METHOD(NULL);
const ployi_search_method ployi_search_d_star_lite = REPLAN_METHOD(replan_move);

#undef REPLAN_METHOD
