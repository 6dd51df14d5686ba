// Shared by the level generators: how a floor plan is built, and what all of them have in common.
#pragma once

#include "ploy/base/array.h"
#include "ploy/generate/floor_plan.h"
#include "ploy/generate/generator.h"

#include "generate/generate_internal.h"

struct ploy_floor_plan {
    ploy_env env;
    int32_t width, height;
    bool thin;
    size_t bytes; // of `cells`
    void *cells;  // one block: everything up to `mark`
    int32_t *owners, *distances;
    int32_t *queue; // scratch of flood fills
    bool measured;  // distances are not all -1
    bool known;     // distances are those from the entrance already: finishing keeps them
    uint8_t *kinds, *exits;
    uint8_t *mark; // scratch
    ploy_array rooms, links, doors, locks;
    int32_t entrance, exit;
};

extern const int32_t ployi_plan_dx[4], ployi_plan_dy[4];

ploy_result ployi_plan_create(int32_t width, int32_t height, bool thin, const ploy_env *env,
                              ploy_floor_plan **out);

static inline bool ployi_plan_holds(const ploy_floor_plan *plan, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < plan->width && y < plan->height;
}

static inline int32_t ployi_plan_cell(const ploy_floor_plan *plan, int32_t x, int32_t y) {
    return y * plan->width + x;
}

static inline int32_t ployi_plan_beside(const ploy_floor_plan *plan, int32_t cell,
                                        int32_t direction) {
    int32_t x = cell % plan->width + ployi_plan_dx[direction];
    int32_t y = cell / plan->width + ployi_plan_dy[direction];
    return ployi_plan_holds(plan, x, y) ? ployi_plan_cell(plan, x, y) : -1;
}

static inline ploy_plan_room *ployi_plan_rooms(const ploy_floor_plan *plan) {
    return PLOY_ARRAY_ITEMS(&plan->rooms, ploy_plan_room);
}

static inline ploy_plan_door *ployi_plan_doors(const ploy_floor_plan *plan) {
    return PLOY_ARRAY_ITEMS(&plan->doors, ploy_plan_door);
}

// Each appends one and returns its number, or -1 if memory is short.
int32_t ployi_plan_add_room(ploy_floor_plan *plan);
int32_t ployi_plan_add_link(ploy_floor_plan *plan, int32_t from, int32_t to, bool loop);
int32_t ployi_plan_add_door(ploy_floor_plan *plan, int32_t cell, int32_t direction, int32_t room,
                            int32_t link);

// Makes a cell floor of a room; its rectangle and count follow.
void ployi_plan_put_room(ploy_floor_plan *plan, int32_t room, int32_t x, int32_t y);
// A rectangle of them; in a plan with thin walls they are joined. Returns the room or -1.
int32_t ployi_plan_add_rectangle(ploy_floor_plan *plan, int32_t x, int32_t y, int32_t width,
                                 int32_t height);
// True if a rectangle is within the plan and every cell of it is solid.
bool ployi_plan_is_free(const ploy_floor_plan *plan, int32_t x, int32_t y, int32_t width,
                        int32_t height);
// Joins two cells of a plan with thin walls.
void ployi_plan_join(ploy_floor_plan *plan, int32_t cell, int32_t direction);

// ---- finishing

// Cells, rooms or doors that one unit of finishing looks at, at most. A maze of 512 x 512 cells takes
// about a thousand units, each of a few microseconds.
#define PLOYI_PLAN_CHUNK 1024

// A flood fill from the entrance.
typedef struct ployi_flood {
    int32_t phase, head, tail;
    int32_t lock, shut; // locks from `lock` on are closed, and the door `shut` (-1: none)
    uint8_t *mark;      // 1 for what it reached, otherwise 0
} ployi_flood;

// Where rules for roles are.
typedef struct ployi_assign {
    int32_t phase, cursor, rule, number, best, farthest, given;
} ployi_assign;

// Where finishing is: all of it, so that it goes on in the next step. Zero at the start.
typedef struct ployi_finish {
    int32_t phase, cursor, row;  // `row` of a room, and `best`, `least`: the search for its middle
    int32_t best, least, far;    // `far`: the first of the cells farthest from the entrance; of a
                                 // plan with known distances it is set by the generator
    int32_t head, tail;          // of the queue, while distances are measured
    int32_t roles_phase, number; // `number` of a lock
    int32_t gap, last, tests, door;
    bool flooding;
    ployi_flood flood;
    ployi_assign assign;
} ployi_finish;

// Makes distances that a generator wrote into the queue (-1 for cells that are not open) those of the plan,
// which has no rooms. `far` is the first of the farthest cells in the order of a search from the entrance,
// `open` the number of open cells.
struct ployi_level;
void ployi_plan_set_distances(struct ployi_level *level, int32_t far, int32_t open);
// The end of the next chunk of [first, count), or -1 if the budget is empty. No level: no budget.
int32_t ployi_plan_chunk(struct ployi_level *level, ploy_budget *budget, int32_t first,
                         int32_t count);

// Distances from the entrance, the exit, roles, locks and keys. The entrance is set by the caller, or is
// in room 0, or is the first open cell. PLOY_IN_PROGRESS if the budget is empty.
ploy_result ployi_plan_finish(struct ployi_level *level, const ploy_plan_roles_def *roles,
                              ploy_budget *budget);
ploy_result ployi_plan_assign_roles(struct ployi_level *level, const ploy_plan_roles_def *roles,
                                    ploy_budget *budget);
// Flood fill: false if the budget is empty. At the end the queue holds `tail` cells in the order of their
// distance.
bool ployi_plan_flood(const ploy_floor_plan *plan, ployi_flood *flood, struct ployi_level *level,
                      ploy_budget *budget);

// ---- what all level generators have in common; the first member of their structs

typedef struct ployi_level {
    ploy_env env;
    ploy_rng_key key;
    ploy_trace *trace;
    ploy_floor_plan *plan;
    ploy_generate_outcome outcome;
    const char *technique;
    ployi_finish finish;
} ployi_level;

ploy_result ployi_level_init(ployi_level *level, const char *technique, int32_t width,
                             int32_t height, bool thin, ploy_rng_key key, ploy_trace *trace,
                             const ploy_env *env);
void ployi_level_fini(ployi_level *level);
// Spends budget on one unit of work; false if none is left.
bool ployi_level_spend(ployi_level *level, ploy_budget *budget, int64_t units);
// Names the limit that ended the work; the first one counts.
void ployi_level_limit(ployi_level *level, const char *limit);
// One attempt for the trace and the counts. `reason` is NULL if it succeeded.
void ployi_level_attempt(ployi_level *level, const char *what, int32_t number, const char *reason);
// Finishes the plan and the outcome; `count` is the number of things made.
ploy_result ployi_level_finish(ployi_level *level, const ploy_plan_roles_def *roles, int64_t count,
                               ploy_budget *budget);
ploy_content ployi_level_content(const ployi_level *level);

// The public functions that are the same for all: X is the generator, whose struct begins with
// `ployi_level level`.
#define PLOYI_LEVEL_FUNCTIONS(X)                                     \
    ploy_##X##_def ploy_##X##_def_default(void) {                    \
        ploy_##X##_def def;                                          \
        ploy_fields_default(ploy_##X##_fields(), &def);              \
        return def;                                                  \
    }                                                                \
    ploy_generate_outcome ploy_##X##_outcome(const ploy_##X *self) { \
        return self->level.outcome;                                  \
    }                                                                \
    const ploy_floor_plan *ploy_##X##_plan(const ploy_##X *self) {   \
        return self->level.plan;                                     \
    }                                                                \
    static ploy_content X##_content(const ploy_##X *self) {          \
        return ployi_level_content(&self->level);                    \
    }                                                                \
    PLOYI_GENERATOR_CALLS(X)

// The front of a level generator whose begin takes nothing but settings, key, trace and env.
#define PLOYI_LEVEL_FRONT(X, help, unit)                                             \
    static ploy_result X##_front_begin(const void *def, ploy_rng_key key,            \
                                       const ploy_content *input, ploy_trace *trace, \
                                       const ploy_env *env, void **out) {            \
        ploy_##X *self = NULL;                                                       \
        (void)input;                                                                 \
        ploy_result result = ploy_##X##_begin(def, key, trace, env, &self);          \
        *out = self;                                                                 \
        return result;                                                               \
    }                                                                                \
    const ploy_generator_type *ploy_##X##_generator(void) {                          \
        static const ploy_generator_type type = {                                    \
            #X, help, unit, 0, 0, PLOY_CONTENT_PLAN, PLOYI_GENERATOR_TABLE(X)};      \
        return &type;                                                                \
    }
