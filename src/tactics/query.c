// Queries: the run. Definitions are in query_type.c and query_text.c, measures in query_test.c,
// generators in query_source.c, reasons in query_why.c.
//
// Invariants of a query under way:
//   (1) a candidate's score is the highest that its unknown values allow, and never rises;
//   (2) heap[0] has the highest score plus bonus, of equals the lowest index;
//   (3) a candidate that leaves the heap complete beats or equals all that are still in it, so that
//       `taken` is the beginning of what sorting all complete candidates would give.
#include "ploy/tactics/query.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "query_internal.h"

typedef struct query_state {
    int32_t state;     // of the finder
    int32_t candidate; // index
} query_state;

ploy_query_context ploy_query_context_make(ploy_vec3 self) {
    ploy_query_context context;
    memset(&context, 0, sizeof context);
    context.self = self;
    context.target = self;
    context.mask = PLOY_SCENE_ALL;
    context.eye = 1.6f;
    return context;
}

ploy_result ploy_query_create(const ploy_query_type *type, const ploy_env *env, ploy_query **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_query *query = ploy_env_alloc_zero(env, sizeof *query);
    if (query == NULL) return PLOY_ERR_MEMORY;
    query->env = *env;
    query->type = type;
    query->def = type->def;
    ploy_array_init(&query->candidates, sizeof(ployi_query_candidate), env);
    ploy_array_init(&query->terms, sizeof(float), env);
    ploy_array_init(&query->heap, sizeof(int32_t), env);
    ploy_array_init(&query->states, sizeof(query_state), env);
    ploy_array_init(&query->near, sizeof(ploy_tactical_near), env);
    ploy_array_init(&query->taken, sizeof(int32_t), env);
    ploy_path_def path = ploy_path_def_default();
    ploy_result result = ploy_path_create(&path, env, &query->path);
    if (result == PLOY_OK) result = ploy_array_reserve(&query->candidates, type->def.candidates);
    if (result == PLOY_OK && type->points != NULL) {
        result = ploy_array_reserve(&query->near, type->def.candidates);
    }
    if (result != PLOY_OK) {
        ploy_query_destroy(query);
        return result;
    }
    *out = query;
    return PLOY_OK;
}

void ploy_query_destroy(ploy_query *query) {
    if (query == NULL) return;
    ploy_env env = query->env;
    ploy_path_destroy(query->path);
    ploy_array_fini(&query->candidates);
    ploy_array_fini(&query->terms);
    ploy_array_fini(&query->heap);
    ploy_array_fini(&query->states);
    ploy_array_fini(&query->near);
    ploy_array_fini(&query->taken);
    ploy_env_free(&env, query, sizeof *query);
}

// ---- begin

static bool query_has_what_it_needs(const ploy_query_type *type,
                                    const ploy_query_context *context) {
    bool finds = context->finder.type != NULL;
    for (int32_t i = 0; i < type->option_count; i++) {
        const ployi_query_choice *choice = &type->options[i];
        if (choice->from == PLOY_QUERY_FROM_POINTS && context->points == NULL) return false;
        if (choice->from == PLOY_QUERY_FROM_PLACES && !ploy_places_is_complete(context->places)) {
            return false;
        }
        for (int32_t j = 0; j < choice->test_count; j++) {
            const ployi_query_test *test = &choice->tests[j];
            if (test->cost == PLOYI_QUERY_SEARCH && !finds) return false;
            if (test->tag >= 0 && context->points == NULL) return false;
        }
    }
    if (type->def.pick != PLOY_QUERY_SHORTEST) return true;
    return finds && context->finder.type->locate != NULL &&
           (context->finder.type->traits & PLOY_FINDER_PREDICATE) != 0;
}

static void query_enter_option(ploy_query *query, int32_t option) {
    query->option = option;
    query->cursor = 0;
    query->searching = false;
    query->phase = PLOYI_QUERY_GENERATE;
    memset(query->rejected, 0, sizeof query->rejected);
    ploy_array_clear(&query->candidates);
    ploy_array_clear(&query->heap);
    ploy_array_clear(&query->taken);
    ploy_array_clear(&query->states);
}

ploy_result ploy_query_begin(ploy_query *query, const ploy_query_context *context) {
    if (query == NULL || context == NULL) return PLOY_ERR_ARGUMENT;
    bool lists = (context->enemy_count == 0 || context->enemies != NULL) &&
                 (context->path_count == 0 || context->path != NULL) &&
                 (context->list_count == 0 || context->list != NULL) && context->enemy_count >= 0 &&
                 context->path_count >= 0 && context->list_count >= 0;
    bool points = query->type->points == NULL || context->points == NULL ||
                  query->type->points == context->points;
    if (!lists || !points || !ploy_vec3_is_finite(context->self) ||
        !ploy_vec3_is_finite(context->target) || !ploy_in_range(context->facing, -1e9f, 1e9f) ||
        !query_has_what_it_needs(query->type, context)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_query_cancel(query);
    query->context = *context;
    query->found = false;
    query->rays = 0;
    query->units = 0;
    query_enter_option(query, 0);
    return PLOY_OK;
}

void ploy_query_cancel(ploy_query *query) {
    if (query->searching) ploy_finder_cancel(query->context.finder);
    query_enter_option(query, 0);
    query->found = false;
    query->phase = PLOYI_QUERY_IDLE;
}

// ---- the heap

static bool query_before(const ploy_query *query, int32_t a, int32_t b) {
    const ployi_query_candidate *x = ployi_query_at(query, a), *y = ployi_query_at(query, b);
    float first = x->score + x->bonus, second = y->score + y->bonus;
    return first > second || (first == second && a < b);
}

static void query_sift_down(ploy_query *query, int32_t at) {
    int32_t *heap = PLOY_ARRAY_ITEMS(&query->heap, int32_t);
    int32_t item = heap[at];
    for (;;) {
        int32_t below = 2 * at + 1;
        if (below >= query->heap.count) break;
        if (below + 1 < query->heap.count && query_before(query, heap[below + 1], heap[below])) {
            below++;
        }
        if (!query_before(query, heap[below], item)) break;
        heap[at] = heap[below];
        at = below;
    }
    heap[at] = item;
}

static void query_push(ploy_query *query, int32_t item) {
    (void)ploy_array_push(&query->heap, &item); // reserved by the generator
    int32_t *heap = PLOY_ARRAY_ITEMS(&query->heap, int32_t);
    int32_t at = query->heap.count - 1;
    while (at > 0 && query_before(query, item, heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = item;
}

static void query_pop(ploy_query *query) {
    int32_t *heap = PLOY_ARRAY_ITEMS(&query->heap, int32_t);
    heap[0] = heap[--query->heap.count];
    if (query->heap.count > 0) query_sift_down(query, 0);
}

// ---- tests

static float *query_terms(const ploy_query *query, int32_t index) {
    return PLOY_ARRAY_ITEMS(&query->terms, float) +
           (ptrdiff_t)index * ployi_query_choice_of(query)->test_count;
}

static void query_reject(ploy_query *query, int32_t index, int32_t row) {
    ployi_query_candidate *candidate = ployi_query_at(query, index);
    if (candidate->rejected_by >= 0) return;
    candidate->rejected_by = row;
    query->rejected[row]++;
}

// Notes that a row's value is from low to high. @return false if that rejects the candidate.
static bool query_note(ploy_query *query, int32_t index, int32_t row, float low, float high) {
    const ployi_query_choice *choice = ployi_query_choice_of(query);
    const ployi_query_test *test = &choice->tests[row];
    if (!(low == low) || !ployi_query_may_pass(test, low, high)) {
        query_reject(query, index, row);
        return false;
    }
    float *terms = query_terms(query, index);
    terms[row] = ployi_query_term(test, low, high);
    ployi_query_at(query, index)->score = ployi_query_total(choice, terms);
    return true;
}

static bool query_spend(ploy_query *query, ploy_budget *budget, int64_t units) {
    if (budget != NULL && !ploy_budget_spend(budget, units)) return false;
    query->units += units;
    return true;
}

static bool query_is_claimed(const ploy_query *query, const ployi_query_candidate *candidate) {
    if (!query->def.claims || ploy_id_is_none(candidate->id.id)) return false;
    ploy_agent_id owner =
        ploy_tactical_points_owner(query->context.points, candidate->id, query->context.now);
    return !ploy_id_is_none(owner.id) && !ploy_id_equal(owner.id, query->context.agent.id);
}

// The cheap rows of a candidate, and bounds for the others.
static void query_sort_one(ploy_query *query, int32_t index) {
    const ployi_query_choice *choice = ployi_query_choice_of(query);
    ployi_query_candidate *candidate = ployi_query_at(query, index);
    float *terms = query_terms(query, index);
    for (int32_t i = 0; i < choice->test_count; i++) {
        terms[i] = choice->tests[i].weight > 0.0f ? choice->tests[i].weight : 0.0f;
    }
    candidate->score = ployi_query_total(choice, terms);
    if (query_is_claimed(query, candidate)) {
        query_reject(query, index, choice->test_count);
        return;
    }
    for (; candidate->next < choice->cheap; candidate->next++) {
        int32_t row = choice->order[candidate->next];
        float value = ployi_query_cheap(query, &choice->tests[row], candidate);
        if (!query_note(query, index, row, value, value)) return;
    }
    for (int32_t i = choice->cheap; i < choice->test_count; i++) {
        int32_t row = choice->order[i];
        const ployi_query_test *test = &choice->tests[row];
        bool search = test->cost == PLOYI_QUERY_SEARCH;
        float low = search ? ploy_vec3_distance(query->context.self, candidate->position) : 0.0f;
        if (!query_note(query, index, row, low, search ? INFINITY : 1.0f)) return;
    }
    query_push(query, index);
}

// One ray of the candidate's present row. @return false if the candidate is rejected.
static bool query_ray_one(ploy_query *query, int32_t index) {
    const ployi_query_choice *choice = ployi_query_choice_of(query);
    ployi_query_candidate *candidate = ployi_query_at(query, index);
    int32_t row = choice->order[candidate->next];
    const ployi_query_test *test = &choice->tests[row];
    int32_t rays = ployi_query_rays(query, test);
    if (candidate->done < rays) {
        if (ployi_query_ray(query, test, candidate, candidate->done)) candidate->hits++;
        candidate->done++;
        query->rays++;
    }
    // The rays that are left may all be blocked, or none.
    float none = ployi_query_rays_value(test, rays, candidate->hits);
    float all = ployi_query_rays_value(test, rays, candidate->hits + rays - candidate->done);
    bool passed = query_note(query, index, row, none < all ? none : all, none < all ? all : none);
    if (candidate->done >= rays) {
        candidate->next++;
        candidate->done = 0;
        candidate->hits = 0;
    }
    return passed;
}

// Goes on with the path search of a candidate. *passed is set on PLOY_OK.
static ploy_result query_search_one(ploy_query *query, int32_t index, ploy_budget *budget,
                                    bool *passed) {
    ployi_query_candidate *candidate = ployi_query_at(query, index);
    int32_t row = ployi_query_choice_of(query)->order[candidate->next];
    float value = NAN;
    bool begin = !query->searching;
    int64_t before = budget == NULL ? 0 : budget->spent;
    int64_t work = begin ? 0 : ploy_finder_state_of(query->context.finder)->units;
    query->searching = true;
    ploy_result result = ployi_query_search(query, candidate, begin, budget, &value);
    query->units += budget == NULL ? ploy_finder_state_of(query->context.finder)->units - work
                                   : budget->spent - before;
    if (result == PLOY_IN_PROGRESS) return result;
    query->searching = false;
    if (result != PLOY_OK) return result;
    candidate->next++;
    *passed = query_note(query, index, row, value, value);
    return PLOY_OK;
}

// Testing everything: all rows that are left, whether they matter or not.
static ploy_result query_brute_one(ploy_query *query, int32_t index, ploy_budget *budget) {
    const ployi_query_choice *choice = ployi_query_choice_of(query);
    ployi_query_candidate *candidate = ployi_query_at(query, index);
    if (candidate->next < choice->cheap) candidate->next = choice->cheap;
    while (candidate->next < choice->test_count) {
        int32_t row = choice->order[candidate->next];
        if (choice->tests[row].cost == PLOYI_QUERY_SEARCH) {
            bool passed = true;
            ploy_result result = query_search_one(query, index, budget, &passed);
            if (result != PLOY_OK) return result;
            continue;
        }
        if (!query_spend(query, budget, 1)) return PLOY_IN_PROGRESS;
        (void)query_ray_one(query, index);
    }
    return PLOY_OK;
}

// ---- phases

static void query_end_option(ploy_query *query) {
    query->found = query->taken.count > 0;
    if (!query->found && query->option + 1 < query->type->option_count) {
        query_enter_option(query, query->option + 1);
        return;
    }
    int32_t *taken = PLOY_ARRAY_ITEMS(&query->taken, int32_t);
    if (query->def.pick == PLOY_QUERY_RANDOM && query->found) {
        int32_t pick = ploy_rng_int_at(query->context.key, query->context.agent.id.index,
                                       query->context.tick, 0, 0, query->taken.count - 1);
        taken[0] = taken[pick];
        query->taken.count = 1;
    }
    query->phase = PLOYI_QUERY_DONE;
}

static int32_t query_wanted(const ploy_query *query) {
    if (query->def.pick == PLOY_QUERY_RANDOM) return query->def.best_of;
    return query->def.pick == PLOY_QUERY_APART ? query->def.spots : 1;
}

// Whether a place is too near one that was taken for the squad.
static bool query_is_crowded(const ploy_query *query, int32_t index) {
    if (query->def.pick != PLOY_QUERY_APART) return false;
    const int32_t *taken = PLOY_ARRAY_ITEMS(&query->taken, int32_t);
    ploy_vec3 at = ployi_query_at(query, index)->position;
    for (int32_t i = 0; i < query->taken.count; i++) {
        if (ploy_vec3_distance(at, ployi_query_at(query, taken[i])->position) < query->def.apart) {
            return true;
        }
    }
    return false;
}

static ploy_result query_find(ploy_query *query, ploy_budget *budget) {
    const ployi_query_choice *choice = ployi_query_choice_of(query);
    while (query->heap.count > 0 && query->taken.count < query_wanted(query)) {
        int32_t top = PLOY_ARRAY_ITEMS(&query->heap, int32_t)[0];
        const ployi_query_candidate *candidate = ployi_query_at(query, top);
        if (query_is_crowded(query, top)) {
            query_pop(query);
            continue;
        }
        if (candidate->next == choice->test_count) {
            (void)ploy_array_push(&query->taken, &top); // reserved by the generator
            query_pop(query);
            continue;
        }
        bool passed = true;
        const ployi_query_test *test = &choice->tests[choice->order[candidate->next]];
        if (test->cost == PLOYI_QUERY_SEARCH) {
            ploy_result result = query_search_one(query, top, budget, &passed);
            if (result != PLOY_OK) return result;
        } else {
            if (!query_spend(query, budget, 1)) return PLOY_IN_PROGRESS;
            passed = query_ray_one(query, top);
        }
        if (passed) {
            query_sift_down(query, 0); // keeps (2): scores only fall
        } else {
            query_pop(query);
        }
    }
    query_end_option(query);
    return PLOY_OK;
}

// ---- the open-goal search

static void query_open_states(ploy_query *query) {
    const ploy_query_context *context = &query->context;
    ploy_path_request body = ploy_path_request_make(context->agent, context->self, context->self);
    const int32_t *heap = PLOY_ARRAY_ITEMS(&query->heap, int32_t);
    ploy_array_clear(&query->states);
    for (int32_t i = 0; i < query->heap.count; i++) {
        query_state item = {0, heap[i]};
        item.state = context->finder.type->locate(context->finder.self,
                                                  ployi_query_at(query, heap[i])->position, &body);
        if (item.state == PLOY_STATE_NONE) continue;
        query_state *states = PLOY_ARRAY_ITEMS(&query->states, query_state);
        int32_t at = query->states.count;
        while (at > 0 &&
               (states[at - 1].state > item.state || (states[at - 1].state == item.state &&
                                                      states[at - 1].candidate > item.candidate))) {
            at--;
        }
        (void)ploy_array_insert(&query->states, at, &item); // reserved by the generator
    }
}

static int32_t query_open_first(const ploy_query *query, int32_t state) {
    const query_state *states = PLOY_ARRAY_ITEMS(&query->states, query_state);
    int32_t low = 0, high = query->states.count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (states[middle].state < state) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// The candidate in a state that meets every requirement, or -1. Its rays are cast here, at most once.
static int32_t query_open_at(ploy_query *query, int32_t state) {
    const ployi_query_choice *choice = ployi_query_choice_of(query);
    const query_state *states = PLOY_ARRAY_ITEMS(&query->states, query_state);
    for (int32_t i = query_open_first(query, state);
         i < query->states.count && states[i].state == state; i++) {
        ployi_query_candidate *candidate = ployi_query_at(query, states[i].candidate);
        while (candidate->rejected_by < 0 && candidate->next < choice->test_count) {
            (void)query_ray_one(query, states[i].candidate);
        }
        if (candidate->rejected_by < 0) return states[i].candidate;
    }
    return -1;
}

static bool query_open_is_goal(void *user, int32_t state) {
    return query_open_at(user, state) >= 0;
}

static ploy_result query_open(ploy_query *query, ploy_budget *budget) {
    ploy_finder finder = query->context.finder;
    ploy_result result = PLOY_OK;
    if (budget != NULL && ploy_budget_empty(budget)) return PLOY_IN_PROGRESS;
    if (!query->searching) {
        ploy_path_request request =
            ploy_path_request_make(query->context.agent, query->context.self, query->context.self);
        ploy_finder_request whole = ploy_finder_request_make(&request);
        whole.is_goal = query_open_is_goal;
        whole.user = query;
        query_open_states(query);
        result = ploy_finder_begin(finder, &whole, NULL);
        if (result != PLOY_OK) return result;
        query->searching = true;
    }
    int64_t rays = query->rays, work = ploy_finder_state_of(finder)->units;
    result = ploy_finder_step(finder, budget);
    rays = query->rays - rays;
    query->units += rays + ploy_finder_state_of(finder)->units - work;
    if (rays > 0 && budget != NULL) (void)ploy_budget_spend(budget, rays);
    if (result == PLOY_IN_PROGRESS) return result;
    query->searching = false;
    if (result != PLOY_OK) return result;
    if (ploy_finder_outcome(finder) == PLOY_PATH_FOUND) {
        int32_t winner = query_open_at(query, ploy_finder_state_of(finder)->end);
        if (winner >= 0) (void)ploy_array_push(&query->taken, &winner);
    }
    query_end_option(query);
    return PLOY_OK;
}

static ploy_result query_phase(ploy_query *query, ploy_budget *budget) {
    const ployi_query_choice *choice = ployi_query_choice_of(query);
    int32_t count = query->candidates.count;
    switch ((ployi_query_phase)query->phase) {
    case PLOYI_QUERY_GENERATE:
        if (!query_spend(query, budget, 1)) return PLOY_IN_PROGRESS;
        query->phase = PLOYI_QUERY_SORT;
        return ployi_query_generate(query);
    case PLOYI_QUERY_SORT:
        for (; query->cursor < count; query->cursor++) {
            if (!query_spend(query, budget, choice->cheap > 0 ? choice->cheap : 1)) {
                return PLOY_IN_PROGRESS;
            }
            query_sort_one(query, query->cursor);
        }
        query->cursor = 0;
        query->phase = query->def.pick == PLOY_QUERY_SHORTEST ? PLOYI_QUERY_OPEN
                       : query->def.exhaustive                ? PLOYI_QUERY_BRUTE
                                                              : PLOYI_QUERY_FIND;
        return PLOY_OK;
    case PLOYI_QUERY_BRUTE:
        for (; query->cursor < count; query->cursor++) {
            ploy_result result = query_brute_one(query, query->cursor, budget);
            if (result != PLOY_OK) return result;
        }
        ploy_array_clear(&query->heap);
        for (int32_t i = 0; i < count; i++) {
            if (ployi_query_at(query, i)->rejected_by < 0) query_push(query, i);
        }
        query->phase = PLOYI_QUERY_FIND;
        return PLOY_OK;
    case PLOYI_QUERY_FIND: return query_find(query, budget);
    case PLOYI_QUERY_OPEN: return query_open(query, budget);
    default: return PLOY_OK;
    }
}

ploy_result ploy_query_step(ploy_query *query, ploy_budget *budget) {
    if (query == NULL || query->phase == PLOYI_QUERY_IDLE) return PLOY_ERR_STATE;
    while (query->phase != PLOYI_QUERY_DONE) {
        ploy_result result = query_phase(query, budget);
        if (result < 0) ploy_query_cancel(query);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// ---- results

static ploy_query_spot query_spot(const ploy_query *query, int32_t index) {
    const ployi_query_candidate *candidate = ployi_query_at(query, index);
    ploy_query_spot spot = {candidate->position, candidate->id, index, candidate->score};
    return spot;
}

void ploy_query_get(const ploy_query *query, ploy_query_result *out) {
    memset(out, 0, sizeof *out);
    out->option = query->option;
    out->candidates = query->candidates.count;
    out->rays = query->rays;
    out->units = query->units;
    out->row = -1;
    out->reason = "";
    if (query->phase != PLOYI_QUERY_DONE && query->phase != PLOYI_QUERY_IDLE) {
        out->outcome = PLOY_QUERY_PENDING;
        out->partial = true;
        if (query->taken.count > 0) {
            out->spots[out->count++] = query_spot(query, *(int32_t *)query->taken.items);
        } else if (query->heap.count > 0) {
            out->spots[out->count++] = query_spot(query, *(int32_t *)query->heap.items);
        }
        return;
    }
    out->outcome = query->found ? PLOY_QUERY_FOUND : PLOY_QUERY_NONE;
    for (int32_t i = 0; i < query->taken.count && i < PLOY_QUERY_SPOTS_MAX; i++) {
        out->spots[out->count++] = query_spot(query, PLOY_ARRAY_ITEMS(&query->taken, int32_t)[i]);
    }
    if (query->found) return;
    out->reason = "no candidates";
    for (int32_t i = 0; i <= ployi_query_choice_of(query)->test_count; i++) {
        if (query->rejected[i] <= out->rejected) continue;
        out->row = i;
        out->rejected = query->rejected[i];
        out->reason = ploy_query_type_row(query->type, query->option, i);
    }
    if (out->row < 0 && out->candidates > 0) out->reason = "no path";
}

ploy_result ploy_query_run(ploy_query *query, const ploy_query_context *context,
                           ploy_query_result *out) {
    ploy_result result = ploy_query_begin(query, context);
    if (result == PLOY_OK) result = ploy_query_step(query, NULL);
    if (result == PLOY_OK && out != NULL) ploy_query_get(query, out);
    return result;
}

ploy_result ploy_query_batch(ploy_query *query, const ploy_query_context *contexts, int32_t count,
                             ploy_tactical_points *points, float claim, ploy_query_result *out) {
    bool lists = count == 0 || (count > 0 && contexts != NULL && out != NULL);
    if (query == NULL || !lists || (points != NULL && !query->def.claims)) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < count; i++) {
        const ploy_query_context *context = &contexts[i];
        if (points != NULL && context->points != points) return PLOY_ERR_ARGUMENT;
        ploy_result result = ploy_query_run(query, context, &out[i]);
        for (int32_t k = 0; result == PLOY_OK && points != NULL && k < out[i].count; k++) {
            if (ploy_id_is_none(out[i].spots[k].id.id)) continue;
            result = ploy_tactical_points_claim(points, out[i].spots[k].id, context->agent,
                                                context->now, context->now + (double)claim);
        }
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_result ploy_query_path(const ploy_query *query, ploy_path *out) {
    if (query == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    if (query->def.pick != PLOY_QUERY_SHORTEST || query->phase != PLOYI_QUERY_DONE ||
        !query->found) {
        return PLOY_ERR_STATE;
    }
    return ploy_finder_path(query->context.finder, out);
}
