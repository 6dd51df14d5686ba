// Shared by the files of queries.
#pragma once

#include "ploy/tactics/query.h"
#include "points_internal.h"

typedef enum ployi_query_cost {
    PLOYI_QUERY_CHEAP,
    PLOYI_QUERY_RAYS,
    PLOYI_QUERY_SEARCH
} ployi_query_cost;

enum { PLOYI_QUERY_NAME = 48 };

typedef struct ployi_query_test {
    char name[PLOYI_QUERY_NAME];
    ploy_query_measure measure;
    ployi_query_cost cost;
    ploy_query_whom whom;
    int32_t tag;
    ploy_score score;
    bool require;
    float min, max, weight, low, high;
    ploy_curve curve;
} ployi_query_test;

typedef struct ployi_query_choice {
    char name[PLOYI_QUERY_NAME];
    ploy_query_generator from;
    int32_t tag; // -1: all
    float radius, spacing, arc;
    int32_t count;
    int32_t test_count;
    ployi_query_test tests[PLOY_QUERY_ROWS_MAX];
    int32_t order[PLOY_QUERY_ROWS_MAX]; // tests, cheap ones first, searches last
    int32_t cheap;                      // how many of them are cheap
    float weight;                       // sum of the weights above 0; 1 if there is none
} ployi_query_choice;

struct ploy_query_type {
    ploy_env env;
    ploy_query_def def;
    const ploy_tactical_points *points;
    ploy_conditions *conditions;
    int32_t option_count;
    ployi_query_choice options[PLOY_QUERY_OPTIONS_MAX];
};

typedef struct ployi_query_candidate {
    ploy_vec3 position;
    ploy_tactical_id id;
    int32_t next;        // in order: the test under way
    int32_t done;        // rays of it
    int32_t hits;        // of those blocked
    int32_t rejected_by; // -1: not rejected
    float score;         // highest possible; the score once next is the number of tests
    float bonus;         // margin, if it is the one that is held
} ployi_query_candidate;

typedef enum ployi_query_phase {
    PLOYI_QUERY_IDLE,
    PLOYI_QUERY_GENERATE,
    PLOYI_QUERY_SORT,  // cheap tests
    PLOYI_QUERY_BRUTE, // exhaustive: the rest of the tests
    PLOYI_QUERY_FIND,  // best first
    PLOYI_QUERY_OPEN,  // the open-goal search
    PLOYI_QUERY_DONE,
    PLOYI_QUERY_PHASES
} ployi_query_phase;

struct ploy_query {
    ploy_env env;
    const ploy_query_type *type;
    ploy_query_context context;
    ploy_query_def def; // of the type
    int32_t phase;      // a ployi_query_phase
    int32_t option;
    int32_t cursor; // of the phase: a candidate
    bool searching; // the finder works for candidate `cursor` or for all
    bool found;
    ploy_array candidates; // ployi_query_candidate
    ploy_array terms;      // float, one for each test of each candidate
    ploy_array heap;       // int32_t: candidates that may win, the best possible first
    ploy_array states;     // query_state: where candidates are for the finder, by state
    ploy_array near;       // ploy_tactical_near: scratch of a generator
    ploy_path *path;       // scratch of path
    ploy_array taken;      // int32_t: complete candidates in the order of their scores
    int32_t rejected[PLOY_QUERY_ROWS_MAX + 1]; // by test; the last: claimed
    int64_t rays, units;
};

// What the words of a text read; begins with what those of rules read.
typedef struct ployi_query_asker {
    ployi_tactical_asker point;
    const ploy_query_context *context;
    ploy_vec3 position;
} ployi_query_asker;

// The words self_distance, target_distance and enemy_distance.
ploy_result ployi_query_words(ploy_conditions *set);
// Where a word of a text is, for messages.
typedef struct ployi_query_where {
    int32_t line, column;
} ployi_query_where;

// Adds an option whose rows are checked. where: of its generator, then of each row; NULL: no text.
ploy_result ployi_query_add(ploy_query_type *type, const ploy_query_option *option,
                            const char *file, const ployi_query_where *where, ploy_diags *diags);
ploy_result ployi_query_type_begin(const ploy_query_def *def, const ploy_tactical_points *points,
                                   const ploy_blackboard_layout *layout, const ploy_env *env,
                                   ploy_query_type **out);

// Generates the candidates of the present option. @return PLOY_ERR_MEMORY.
ploy_result ployi_query_generate(ploy_query *query);

// The value of a cheap test, or of a whole test of rays.
float ployi_query_cheap(const ploy_query *query, const ployi_query_test *test,
                        const ployi_query_candidate *candidate);
bool ployi_query_ray(const ploy_query *query, const ployi_query_test *test,
                     const ployi_query_candidate *candidate, int32_t number);
int32_t ployi_query_rays(const ploy_query *query, const ployi_query_test *test);
float ployi_query_rays_value(const ployi_query_test *test, int32_t rays, int32_t blocked);
// Distance to the nearest enemy, target or self.
float ployi_query_distance(const ploy_query_context *context, ploy_query_whom whom, ploy_vec3 at);
// Weight times curve, the highest for any value from low to high.
float ployi_query_term(const ployi_query_test *test, float low, float high);
bool ployi_query_may_pass(const ployi_query_test *test, float low, float high);
float ployi_query_total(const ployi_query_choice *choice, const float *terms);
// A path search for one candidate, begun or gone on with. @return as ploy_finder_step.
ploy_result ployi_query_search(const ploy_query *query, const ployi_query_candidate *candidate,
                               bool begin, ploy_budget *budget, float *value);

static inline const ployi_query_choice *ployi_query_choice_of(const ploy_query *query) {
    return &query->type->options[query->option];
}

static inline ployi_query_candidate *ployi_query_at(const ploy_query *query, int32_t index) {
    return &PLOY_ARRAY_ITEMS(&query->candidates, ployi_query_candidate)[index];
}

// The visitor without what follows a load, for holders whose loads are never undone: they call rebuild
// themselves. (query_why.c)
void ployi_query_visit_fields(ploy_visit *v, ploy_query *query);
void ployi_query_rebuild(void *object);
