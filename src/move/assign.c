// Assignment of slots; the techniques are described in the header.
#include "ploy/move/assign.h"

#include "move/move_internal.h"

#include <math.h>
#include <string.h>

const char *ployi_assign_mode_text(ploy_assign_mode mode) {
    return mode == PLOY_ASSIGN_GREEDY ? "greedy" : "exact";
}

// False for NaN as well.
static bool assign_possible(float cost, float limit) {
    return cost < limit;
}

double ployi_assign_ease(const float *costs, int32_t slots, float limit) {
    double ease = 0.0;
    for (int32_t j = 0; j < slots; j++) {
        if (assign_possible(costs[j], limit)) ease += 1.0 / (1.0 + (double)costs[j]);
    }
    return ease;
}

// ---- exact ----
//
// Rows are members 1..n, columns slots 1..m and beyond them one seat "none" for each member, at a
// price above every possible sum; row and column 0 are the sentinels of the augmenting path.
//   (1) u[i] + v[j] <= price(i, j) for all, with equality for assigned pairs;
//   (2) row_of[j] is the row that holds column j, 0 for none.
typedef struct assign_exact {
    const float *costs;
    int32_t members, slots, columns;
    float limit;
    double none;
    double *u, *v, *least;
    int32_t *row_of, *before;
    bool *used;
    int32_t row; // that is being seated; above members: all are
    int32_t at;  // column that its path has reached
} assign_exact;

static double assign_price(const assign_exact *a, int32_t row, int32_t column) {
    if (column > a->slots) return a->none;
    float cost = a->costs[(size_t)(row - 1) * (size_t)a->slots + (size_t)(column - 1)];
    return assign_possible(cost, a->limit) ? (double)cost : 2.0 * a->none;
}

// Begins to seat one more row: the cheapest path from it to a free column, by Dijkstra on reduced
// prices.
static void assign_start(assign_exact *a, int32_t row) {
    a->at = 0;
    a->row_of[0] = row;
    for (int32_t j = 0; j <= a->columns; j++) {
        a->least[j] = INFINITY;
        a->used[j] = false;
    }
}

// Settles one column of that path. True when the row is seated.
static bool assign_advance(assign_exact *a) {
    int32_t at = a->at, holder = a->row_of[at], next = 0;
    double delta = INFINITY;
    a->used[at] = true;
    for (int32_t j = 1; j <= a->columns; j++) {
        if (a->used[j]) continue;
        double reduced = assign_price(a, holder, j) - a->u[holder] - a->v[j];
        if (reduced < a->least[j]) {
            a->least[j] = reduced;
            a->before[j] = at;
        }
        if (a->least[j] < delta) {
            delta = a->least[j];
            next = j;
        }
    }
    for (int32_t j = 0; j <= a->columns; j++) {
        if (a->used[j]) {
            a->u[a->row_of[j]] += delta; // keeps (1)
            a->v[j] -= delta;
        } else {
            a->least[j] -= delta;
        }
    }
    a->at = at = next;
    if (a->row_of[at] != 0) return false;
    while (at != 0) { // hand the columns on along the path
        int32_t from = a->before[at];
        a->row_of[at] = a->row_of[from];
        at = from;
    }
    return true;
}

// Ready for the first row; u, v and row_of are zero.
static void assign_exact_begin(assign_exact *a, const float *costs, int32_t members, int32_t slots,
                               float limit) {
    double most = 1.0;
    for (size_t i = 0; i < (size_t)members * (size_t)slots; i++) {
        if (assign_possible(costs[i], limit) && (double)costs[i] > most) most = (double)costs[i];
    }
    a->costs = costs;
    a->members = members;
    a->slots = slots;
    a->columns = members + slots;
    a->limit = limit;
    a->none = most * ((double)members + 1.0);
    a->row = 1;
    if (members > 0) assign_start(a, 1);
}

// One unit of work: a column settled. False when all rows are seated.
static bool assign_exact_step(assign_exact *a) {
    if (a->row > a->members) return false;
    if (assign_advance(a) && ++a->row <= a->members) assign_start(a, a->row);
    return a->row <= a->members;
}

static void assign_exact_read(const assign_exact *a, int32_t *slot_of) {
    for (int32_t i = 0; i < a->members; i++) slot_of[i] = -1;
    for (int32_t j = 1; j <= a->slots; j++) {
        if (a->row_of[j] != 0) slot_of[a->row_of[j] - 1] = j - 1;
    }
}

static ploy_result assign_find_exact(const float *costs, int32_t members, int32_t slots,
                                     float limit, ploy_arena *scratch, int32_t *slot_of) {
    int32_t columns = members + slots;
    assign_exact a;
    memset(&a, 0, sizeof a);
    a.u = ploy_arena_alloc_array(scratch, members + 1, sizeof(double));
    a.v = ploy_arena_alloc_array(scratch, columns + 1, sizeof(double));
    a.least = ploy_arena_alloc_array(scratch, columns + 1, sizeof(double));
    a.row_of = ploy_arena_alloc_array(scratch, columns + 1, sizeof(int32_t));
    a.before = ploy_arena_alloc_array(scratch, columns + 1, sizeof(int32_t));
    a.used = ploy_arena_alloc_array(scratch, columns + 1, sizeof(bool));
    if (a.u == NULL || a.v == NULL || a.least == NULL || a.row_of == NULL || a.before == NULL ||
        a.used == NULL) {
        return PLOY_ERR_MEMORY;
    }
    assign_exact_begin(&a, costs, members, slots, limit);
    while (assign_exact_step(&a)) {
    }
    assign_exact_read(&a, slot_of);
    return PLOY_OK;
}

// ---- greedy ----

static ploy_result assign_find_greedy(const float *costs, int32_t members, int32_t slots,
                                      float limit, ploy_arena *scratch, int32_t *slot_of) {
    double *ease = ploy_arena_alloc_array(scratch, members, sizeof(double));
    int32_t *order = ploy_arena_alloc_array(scratch, members, sizeof(int32_t));
    bool *taken = ploy_arena_alloc_array(scratch, slots, sizeof(bool));
    if (ease == NULL || order == NULL || taken == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < members; i++) {
        ease[i] = ployi_assign_ease(costs + (size_t)i * (size_t)slots, slots, limit);
        int32_t at = i; // insertion: stable, and groups are small
        for (; at > 0 && ease[order[at - 1]] > ease[i]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
    for (int32_t k = 0; k < members; k++) {
        int32_t i = order[k], best = -1;
        const float *row = costs + (size_t)i * (size_t)slots;
        for (int32_t j = 0; j < slots; j++) {
            if (taken[j] || !assign_possible(row[j], limit)) continue;
            if (best < 0 || row[j] < row[best]) best = j;
        }
        slot_of[i] = best;
        if (best >= 0) taken[best] = true;
    }
    return PLOY_OK;
}

static bool assign_ok(const float *costs, int32_t members, int32_t slots, float limit) {
    if (members < 0 || slots < 0 || members > INT32_MAX / 4 || slots > INT32_MAX / 4 ||
        !(limit > 0.0f && limit <= PLOY_ASSIGN_COST_MAX) ||
        (members > 0 && slots > 0 && costs == NULL)) {
        return false;
    }
    for (size_t i = 0; i < (size_t)members * (size_t)slots; i++) {
        if (costs[i] < 0.0f) return false;
    }
    return true;
}

static double assign_sum(const float *costs, int32_t members, int32_t slots,
                         const int32_t *slot_of) {
    double total = 0.0;
    for (int32_t i = 0; i < members; i++) {
        if (slot_of[i] < 0) continue;
        total += (double)costs[(size_t)i * (size_t)slots + (size_t)slot_of[i]];
    }
    return total;
}

ploy_result ploy_assign_find(ploy_assign_mode mode, const float *costs, int32_t members,
                             int32_t slots, float limit, ploy_arena *scratch, int32_t *slot_of,
                             double *total) {
    if ((uint32_t)mode > PLOY_ASSIGN_GREEDY || scratch == NULL ||
        (members > 0 && slot_of == NULL) || !assign_ok(costs, members, slots, limit)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_arena_mark mark = ploy_arena_mark_of(scratch);
    ploy_result result = mode == PLOY_ASSIGN_GREEDY
                             ? assign_find_greedy(costs, members, slots, limit, scratch, slot_of)
                             : assign_find_exact(costs, members, slots, limit, scratch, slot_of);
    ploy_arena_rewind(scratch, mark);
    if (result == PLOY_OK && total != NULL) *total = assign_sum(costs, members, slots, slot_of);
    return result;
}

// ---- in slices ----

struct ploy_assign {
    ploy_env env;
    ploy_arena *arena; // of the present one
    assign_exact exact;
    bool begun;
};

ploy_result ploy_assign_create(const ploy_env *env, ploy_assign **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_assign *assign = ploy_env_alloc_zero(env, sizeof *assign);
    if (assign == NULL) return PLOY_ERR_MEMORY;
    assign->env = *env;
    ploy_result result = ploy_arena_create(4096, 0, env, &assign->arena);
    if (result != PLOY_OK) {
        ploy_env_free(env, assign, sizeof *assign);
        return result;
    }
    *out = assign;
    return PLOY_OK;
}

void ploy_assign_destroy(ploy_assign *assign) {
    if (assign == NULL) return;
    ploy_env env = assign->env;
    ploy_arena_destroy(assign->arena);
    ploy_env_free(&env, assign, sizeof *assign);
}

void ploy_assign_cancel(ploy_assign *assign) {
    assign->begun = false;
    ploy_arena_reset(assign->arena);
}

ploy_result ploy_assign_begin(ploy_assign *assign, const float *costs, int32_t members,
                              int32_t slots, float limit) {
    if (!assign_ok(costs, members, slots, limit)) return PLOY_ERR_ARGUMENT;
    ploy_assign_cancel(assign);
    int32_t columns = members + slots;
    ploy_arena *arena = assign->arena;
    assign_exact a;
    memset(&a, 0, sizeof a);
    a.u = ploy_arena_alloc_array(arena, members + 1, sizeof(double));
    a.v = ploy_arena_alloc_array(arena, columns + 1, sizeof(double));
    a.least = ploy_arena_alloc_array(arena, columns + 1, sizeof(double));
    a.row_of = ploy_arena_alloc_array(arena, columns + 1, sizeof(int32_t));
    a.before = ploy_arena_alloc_array(arena, columns + 1, sizeof(int32_t));
    a.used = ploy_arena_alloc_array(arena, columns + 1, sizeof(bool));
    if (a.u == NULL || a.v == NULL || a.least == NULL || a.row_of == NULL || a.before == NULL ||
        a.used == NULL) {
        ploy_arena_reset(arena);
        return PLOY_ERR_MEMORY;
    }
    assign_exact_begin(&a, costs, members, slots, limit);
    assign->exact = a;
    assign->begun = true;
    return PLOY_OK;
}

ploy_result ploy_assign_step(ploy_assign *assign, ploy_budget *budget) {
    if (!assign->begun) return PLOY_ERR_ARGUMENT;
    while (assign->exact.row <= assign->exact.members) {
        if (!ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        assign_exact_step(&assign->exact);
    }
    return PLOY_OK;
}

ploy_result ploy_assign_result(const ploy_assign *assign, int32_t *slot_of, double *total) {
    const assign_exact *a = &assign->exact;
    if (!assign->begun || (a->members > 0 && slot_of == NULL)) return PLOY_ERR_ARGUMENT;
    if (a->row <= a->members) return PLOY_IN_PROGRESS;
    assign_exact_read(a, slot_of);
    if (total != NULL) *total = assign_sum(a->costs, a->members, a->slots, slot_of);
    return PLOY_OK;
}

void ploy_assign_trace(ploy_assign_mode mode, const float *costs, int32_t members, int32_t slots,
                       const int32_t *slot_of, ploy_agent_id id, ploy_trace *trace) {
    if (trace == NULL) return;
    ploy_trace_begin(trace, id, "places", ployi_assign_mode_text(mode));
    for (int32_t i = 0; i < members; i++) {
        const float *row = costs + (size_t)i * (size_t)slots;
        bool assigned = slot_of[i] >= 0 && slot_of[i] < slots;
        bool cheapest = assigned;
        for (int32_t j = 0; cheapest && j < slots; j++) cheapest = !(row[j] < row[slot_of[i]]);
        ploy_value number = ploy_value_i64(i);
        char name[32] = "member ";
        ploy_value_print(&number, name + 7, sizeof name - 7);
        ploy_trace_option(trace, name, assigned ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                          assigned ? -(double)row[slot_of[i]] : (double)NAN,
                          !assigned  ? "no place is left for it"
                          : cheapest ? "its cheapest place"
                                     : "a cheaper place went to another");
    }
    ploy_trace_end(trace);
}
