// Assignment of slots; the techniques are described in the header.
#include "ploy/move/assign.h"

#include <math.h>

const char *ploy_assign_mode_text(ploy_assign_mode mode) {
    return mode == PLOY_ASSIGN_GREEDY ? "greedy" : "exact";
}

// False for NaN as well.
static bool assign_possible(float cost, float limit) {
    return cost < limit;
}

double ploy_assign_ease(const float *costs, int32_t slots, float limit) {
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
    int32_t slots;
    float limit;
    double none;
    double *u, *v, *least;
    int32_t *row_of, *before;
    bool *used;
} assign_exact;

static double assign_price(const assign_exact *a, int32_t row, int32_t column) {
    if (column > a->slots) return a->none;
    float cost = a->costs[(size_t)(row - 1) * (size_t)a->slots + (size_t)(column - 1)];
    return assign_possible(cost, a->limit) ? (double)cost : 2.0 * a->none;
}

// Seats one more row: the cheapest path from it to a free column, by Dijkstra on reduced prices.
static void assign_augment(assign_exact *a, int32_t row, int32_t columns) {
    int32_t at = 0;
    a->row_of[0] = row;
    for (int32_t j = 0; j <= columns; j++) {
        a->least[j] = INFINITY;
        a->used[j] = false;
    }
    do {
        int32_t holder = a->row_of[at], next = 0;
        double delta = INFINITY;
        a->used[at] = true;
        for (int32_t j = 1; j <= columns; j++) {
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
        for (int32_t j = 0; j <= columns; j++) {
            if (a->used[j]) {
                a->u[a->row_of[j]] += delta; // keeps (1)
                a->v[j] -= delta;
            } else {
                a->least[j] -= delta;
            }
        }
        at = next;
    } while (a->row_of[at] != 0);
    while (at != 0) { // hand the columns on along the path
        int32_t from = a->before[at];
        a->row_of[at] = a->row_of[from];
        at = from;
    }
}

static ploy_result assign_find_exact(const float *costs, int32_t members, int32_t slots,
                                     float limit, ploy_arena *scratch, int32_t *slot_of) {
    int32_t columns = members + slots;
    assign_exact a = {costs, slots, limit, 0.0, NULL, NULL, NULL, NULL, NULL, NULL};
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
    double most = 1.0;
    for (size_t i = 0; i < (size_t)members * (size_t)slots; i++) {
        if (assign_possible(costs[i], limit) && (double)costs[i] > most) most = (double)costs[i];
    }
    a.none = most * ((double)members + 1.0);
    for (int32_t i = 1; i <= members; i++) assign_augment(&a, i, columns);
    for (int32_t i = 0; i < members; i++) slot_of[i] = -1;
    for (int32_t j = 1; j <= slots; j++) {
        if (a.row_of[j] != 0) slot_of[a.row_of[j] - 1] = j - 1;
    }
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
        ease[i] = ploy_assign_ease(costs + (size_t)i * (size_t)slots, slots, limit);
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

ploy_result ploy_assign_find(ploy_assign_mode mode, const float *costs, int32_t members,
                             int32_t slots, float limit, ploy_arena *scratch, int32_t *slot_of,
                             double *total) {
    if (members < 0 || slots < 0 || members > INT32_MAX / 4 || slots > INT32_MAX / 4 ||
        (uint32_t)mode > PLOY_ASSIGN_GREEDY || !(limit > 0.0f && limit <= PLOY_ASSIGN_COST_MAX) ||
        scratch == NULL || (members > 0 && slot_of == NULL) ||
        (members > 0 && slots > 0 && costs == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (size_t i = 0; i < (size_t)members * (size_t)slots; i++) {
        if (costs[i] < 0.0f) return PLOY_ERR_ARGUMENT;
    }
    ploy_arena_mark mark = ploy_arena_mark_of(scratch);
    ploy_result result = mode == PLOY_ASSIGN_GREEDY
                             ? assign_find_greedy(costs, members, slots, limit, scratch, slot_of)
                             : assign_find_exact(costs, members, slots, limit, scratch, slot_of);
    ploy_arena_rewind(scratch, mark);
    if (result != PLOY_OK || total == NULL) return result;
    *total = 0.0;
    for (int32_t i = 0; i < members; i++) {
        if (slot_of[i] >= 0)
            *total += (double)costs[(size_t)i * (size_t)slots + (size_t)slot_of[i]];
    }
    return PLOY_OK;
}

void ploy_assign_trace(ploy_assign_mode mode, const float *costs, int32_t members, int32_t slots,
                       const int32_t *slot_of, ploy_agent_id id, ploy_trace *trace) {
    if (trace == NULL) return;
    ploy_trace_begin(trace, id, "places", ploy_assign_mode_text(mode));
    for (int32_t i = 0; i < members; i++) {
        const float *row = costs + (size_t)i * (size_t)slots;
        bool cheapest = slot_of[i] >= 0;
        for (int32_t j = 0; cheapest && j < slots; j++) cheapest = !(row[j] < row[slot_of[i]]);
        ploy_value number = ploy_value_i64(i);
        char name[32] = "member ";
        ploy_value_print(&number, name + 7, sizeof name - 7);
        ploy_trace_option(trace, name, slot_of[i] >= 0 ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                          slot_of[i] >= 0 ? -(double)row[slot_of[i]] : (double)NAN,
                          slot_of[i] < 0 ? "no place is left for it"
                          : cheapest     ? "its cheapest place"
                                         : "a cheaper place went to another");
    }
    ploy_trace_end(trace);
}
