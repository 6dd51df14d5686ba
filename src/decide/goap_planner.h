// The planner, shared between its front (goap.c) and the worlds that it searches (goap_worlds.c).
#pragma once

#include "goap_internal.h"

// A world that an action makes of the one that is expanded.
typedef struct ployi_goap_heir {
    int32_t state, action;
    double price;
} ployi_goap_heir;

// What must hold of a variable, as steps from its least value.
typedef struct ployi_goap_range {
    uint16_t low, high;
} ployi_goap_range;

// Where an estimate from ranges back to the world has come.
typedef struct ployi_goap_sum {
    uint32_t var;
    int32_t unmet;
    double sum, most;
} ployi_goap_sum;

// What the first units of a search have to do before it takes a world.
typedef enum ployi_goap_start {
    PLOYI_GOAP_STARTED,
    PLOYI_GOAP_START_COSTS, // backward: costs of facts from the world
    PLOYI_GOAP_START_STATE  // the estimate of the first state
} ployi_goap_start;

struct ploy_goap {
    ploy_env env;
    ploy_goap_def def;
    const ploy_goap_type *type;
    ployi_goap_relax *relax; // NULL until it is needed
    ployi_goap_depth *depth; // NULL until it is needed
    ploy_search *search;
    ploy_states *states;
    ploy_space space;
    double (*estimate)(void *user, const ploy_goap_type *type, const uint64_t *world);
    void *estimate_user;
    ploy_array world;   // uint64_t
    ploy_array scratch; // uint64_t: a world, or ployi_goap_range in them
    ploy_array goal;    // ploy_goap_need
    ploy_array counted; // uint64_t of each variable: the estimate that counted it last
    uint64_t count;     // estimates that counted
    ploy_array plan;    // int32_t
    ploy_array path;    // ploy_edge
    int64_t allow;      // work that the unit may still do
    int64_t work;       // done since begin
    // The world that is expanded, while expand has not finished: which actions were tried, and the
    // heir whose estimate is not finished; its state is PLOY_STATE_NONE if there is none.
    bool expanding;
    int32_t tried;
    ployi_goap_heir heir;
    // Landmarks: all heirs of that world, and how many of them were given to the search.
    ploy_array heirs; // ployi_goap_heir
    int32_t given;
    int32_t known, fresh; // worlds before the first action; heirs without them
    ploy_array estimates; // double, of states in the order of their numbers
    bool estimating;      // an estimate has begun
    ployi_goap_sum back;  // the one of a backward search
    // Landmarks: whether the heirs share those of the expanded world, and whether these are known.
    bool shares, learnt;
    double parent_cost;
    ployi_goap_start starting; // what the first units still have to do
    int32_t start;             // the state to begin from
    double cost;
    bool deep; // the last begin is depth's
    bool begun;
};

// Fills in the space that the search goes through.
void ployi_goap_worlds_space(ploy_goap *goap, bool guided);
// Bytes of a state.
size_t ployi_goap_worlds_size(const ploy_goap *goap);
// Where a search begins: the world, or the ranges of the goal; *possible is false if none are left.
ploy_result ployi_goap_worlds_first(ploy_goap *goap, bool *possible, int32_t *out);
// Estimates what the search begins from, before its first world is taken. @return PLOY_IN_PROGRESS
// while that is not finished.
ploy_result ployi_goap_worlds_start(ploy_goap *goap);
// Can ranges express it?
bool ployi_goap_worlds_rangeable(const ploy_goap_type *type, const ploy_goap_need *need);
// Continues the estimate of a world: see ployi_goap_ask.
bool ployi_goap_worlds_estimate(void *user, const uint64_t *world, int64_t *allow, double *out);
