// Shared between the files of the action planner.
#pragma once

#include "decide_internal.h"
#include "ploy/base/map.h"
#include "ploy/decide/goap.h"
#include "ploy/decide/htn.h"
#include "ploy/search/states.h"

// A variable's place in a world: it never crosses a word.
typedef struct ployi_goap_var {
    ploy_name id;
    int32_t min, max;
    int32_t word, shift;
    uint64_t mask;   // of its bits, not shifted
    int32_t choices; // first of its texts, -1 for none
} ployi_goap_var;

// Needs of one action that are bits: `(world[word] & mask) == want`. Bools and equalities come down
// to one such test a word; what does not stays in the list of ranges.
typedef struct ployi_goap_bits {
    int32_t word;
    uint64_t mask, want;
} ployi_goap_bits;

typedef struct ployi_goap_item {
    ploy_name id;
    int32_t first_need, need_count;
    int32_t first_gain, gain_count;
    int32_t first_bits, bits_count;   // tests by bits
    int32_t first_range, range_count; // needs that are always met
    double cost;
    bool (*allowed)(void *user, const ploy_goap_type *type, const uint64_t *world);
    double (*price)(void *user, const ploy_goap_type *type, const uint64_t *world);
    void *user;
} ployi_goap_item;

struct ploy_goap_type {
    ployi_build build;
    ploy_map index;      // name -> number of a variable, or of an action with the top bit set
    ploy_array vars;     // ployi_goap_var
    ploy_array actions;  // ployi_goap_item
    ploy_array needs;    // ploy_goap_need
    ploy_array gains;    // ploy_goap_gain
    ploy_array bits;     // ployi_goap_bits
    ploy_array ranges;   // ploy_goap_need
    ploy_array texts;    // ploy_name of choices
    int32_t words, used; // bits used of the last word
    double least_cost;   // of the actions
    int32_t most_gains;
};

static inline const ployi_goap_var *ployi_goap_var_at(const ploy_goap_type *type,
                                                      ploy_goap_var var) {
    return &PLOY_ARRAY_ITEMS(&type->vars, ployi_goap_var)[var.number - 1];
}

static inline int32_t ployi_goap_read(const ployi_goap_var *var, const uint64_t *world) {
    return (int32_t)((int64_t)((world[var->word] >> var->shift) & var->mask) + var->min);
}

static inline void ployi_goap_write(const ployi_goap_var *var, uint64_t *world, int32_t value) {
    uint64_t bits = (uint64_t)((int64_t)value - var->min);
    world[var->word] = (world[var->word] & ~(var->mask << var->shift)) | (bits << var->shift);
}

static inline bool ployi_goap_meets(ploy_goap_test test, int32_t have, int32_t want) {
    switch (test) {
    case PLOY_GOAP_EQUAL: return have == want;
    case PLOY_GOAP_DIFFERENT: return have != want;
    case PLOY_GOAP_AT_LEAST: return have >= want;
    default: return have <= want;
    }
}

// The value of a variable after a change.
static inline int32_t ployi_goap_after(const ployi_goap_var *var, const ploy_goap_gain *gain,
                                       int32_t value) {
    if (!gain->add) return gain->value;
    int64_t sum = (int64_t)value + gain->value;
    return sum < var->min ? var->min : sum > var->max ? var->max : (int32_t)sum;
}

// What a unit of budget allows: numbers of actions' parts tried, words of worlds, facts and operators
// looked at. One action more may go beyond.
#define PLOYI_GOAP_UNIT 4096
// More than any search does.
#define PLOYI_GOAP_ENDLESS (INT64_MAX / 2)

// True if the needs of an action that are tested by bits are met: most actions fail here.
static inline bool ployi_goap_bits_hold(const ploy_goap_type *type, const uint64_t *world,
                                        const ployi_goap_item *item) {
    const ployi_goap_bits *bits = PLOY_ARRAY_ITEMS(&type->bits, ployi_goap_bits) + item->first_bits;
    for (int32_t i = 0; i < item->bits_count; i++) {
        if ((world[bits[i].word] & bits[i].mask) != bits[i].want) return false;
    }
    return true;
}

// What trying an action costs, and what applying it does, for a world of that many words.
static inline int64_t ployi_goap_try_work(const ployi_goap_item *item) {
    return 1 + item->bits_count + item->range_count;
}
static inline int64_t ployi_goap_apply_work(const ployi_goap_item *item, int32_t words) {
    return (int64_t)words + item->gain_count;
}

bool ployi_goap_need_valid(const ploy_goap_type *type, const ploy_goap_need *need);

// ---- the relaxed domain: what could be had if nothing were ever undone (goap_relax.c)

typedef struct ployi_goap_relax ployi_goap_relax;

ploy_result ployi_goap_relax_create(const ploy_goap_type *type, const ploy_env *env,
                                    ployi_goap_relax **out);
void ployi_goap_relax_destroy(ployi_goap_relax *relax);
// Sets the goal.
ploy_result ployi_goap_relax_goal(ployi_goap_relax *relax, const ploy_goap_need *goal,
                                  int32_t count);
// Begins an estimate from a world, which is borrowed until it is finished: by MAX, ADD, FF or
// LANDMARKS; by LANDMARKS that are remembered; or of a world that `action` makes of the one they
// were remembered of, which shares them. Abandoning one is fine if the goal is set again.
void ployi_goap_relax_begin(ployi_goap_relax *relax, const uint64_t *world,
                            ploy_goap_heuristic heuristic);
void ployi_goap_relax_begin_parent(ployi_goap_relax *relax, const uint64_t *world);
void ployi_goap_relax_begin_child(ployi_goap_relax *relax, const uint64_t *world, int32_t action);
// Continues it. @param allow  facts and operators that it may look at; what it did is taken off, at
// most one operator beyond 0. @return true if it is finished: out is INFINITY if the goal is out of
// reach, NaN if memory was short.
bool ployi_goap_relax_run(ployi_goap_relax *relax, int64_t *allow, double *out);
// The same at once.
double ployi_goap_relax_estimate(ployi_goap_relax *relax, const uint64_t *world,
                                 ploy_goap_heuristic heuristic);
double ployi_goap_relax_parent(ployi_goap_relax *relax, const uint64_t *world);
double ployi_goap_relax_child(ployi_goap_relax *relax, const uint64_t *world, int32_t action);
// After an estimate by MAX or ADD: the cost of having a variable within a range.
double ployi_goap_relax_cost(const ployi_goap_relax *relax, ploy_goap_var var, int32_t low,
                             int32_t high);
void ployi_goap_relax_memory(const ployi_goap_relax *relax, ploy_memory_fn fn, void *user);

// After an estimate: reports why each condition of the goal that is out of reach is so, and how many
// are (goap_why.c).
int32_t ployi_goap_why(const ploy_goap_type *type, const ployi_goap_relax *relax,
                       const ploy_goap_need *goal, int32_t count, const ploy_env *env,
                       ploy_writer *writer);

// ---- recipes (htn.c)

// Goes through the choices of a record from its task on: fills in the names (ploy_name) of the
// methods that the record (int32_t) numbers or, to `find`, the numbers of those that are named.
// @param todo  int32_t, for its own use. @return PLOY_ERR_NOT_FOUND if they do not fit together.
ploy_result ployi_htn_follow(const ploy_htn_type *type, ploy_htn_task task, bool find,
                             ploy_array *names, ploy_array *record, ploy_array *todo);
// True if these are the actions of the plan found.
bool ployi_htn_is_plan(const ploy_htn *htn, const int32_t *actions, int32_t count);
void ployi_htn_memory(const ploy_htn *htn, ploy_memory_fn fn, void *user);
const char *ployi_htn_text(const ploy_htn_type *type, ploy_name name);
int32_t ployi_htn_task_count(const ploy_htn_type *type);
// What its actions are of; NULL if it is not finished.
const ploy_goap_type *ployi_htn_domain(const ploy_htn_type *type);

// ---- iterative deepening and depth-first by value (goap_depth.c)

typedef struct ployi_goap_depth ployi_goap_depth;

typedef struct ployi_goap_ask {
    const ploy_goap_type *type;
    const ploy_goap_need *goal; // NULL: by value
    int32_t goal_count;
    // Continues the estimate of a world; false while it is not finished. Called with the same world
    // until it is.
    bool (*estimate)(void *user, const uint64_t *world, int64_t *allow, double *out);
    void *estimate_user;
    double (*value)(void *user, const ploy_goap_type *type, const uint64_t *world);
    void *value_user;
    int32_t max_depth;
    bool anytime, prune;
} ployi_goap_ask;

ploy_result ployi_goap_depth_create(const ploy_goap_type *type, int32_t table, const ploy_env *env,
                                    ployi_goap_depth **out);
void ployi_goap_depth_destroy(ployi_goap_depth *depth);
ploy_result ployi_goap_depth_begin(ployi_goap_depth *depth, const ployi_goap_ask *ask,
                                   const uint64_t *world);
// Goes on until it is finished, `allow` is used up, or, with `one`, one world was visited.
ploy_result ployi_goap_depth_step(ployi_goap_depth *depth, int64_t *allow, bool one);
void ployi_goap_depth_cancel(ployi_goap_depth *depth);
ploy_search_outcome ployi_goap_depth_outcome(const ployi_goap_depth *depth);
int32_t ployi_goap_depth_plan(const ployi_goap_depth *depth, int32_t *out, int32_t capacity);
double ployi_goap_depth_cost(const ployi_goap_depth *depth);
void ployi_goap_depth_stats(const ployi_goap_depth *depth, ploy_goap_stats *out);
void ployi_goap_depth_describe(const ployi_goap_depth *depth, ploy_describe *out);
void ployi_goap_depth_memory(const ployi_goap_depth *depth, ploy_memory_fn fn, void *user);

// ---- agents (goap_agent.c)

typedef struct ploy_goap_agent ploy_goap_agent;

// Its goal comes from its definition: a saved goal or task does not replace it.
void ployi_goap_agent_fix(ploy_goap_agent *agent);
// True if an action is in the middle; *action is its number.
bool ployi_goap_agent_acts(const ploy_goap_agent *agent, int32_t *action);
// The action in the middle begins again with the next step.
void ployi_goap_agent_drop(ploy_goap_agent *agent);
