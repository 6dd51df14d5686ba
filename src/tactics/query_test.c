// What the rows of a query measure, and what they add to a score.
#include <math.h>

#include "ploy/base/math.h"
#include "query_internal.h"

// No enemy is as good as one that is far away.
static const float query_test_far = 1e9f;

float ployi_query_distance(const ploy_query_context *context, ploy_query_whom whom, ploy_vec3 at) {
    if (whom == PLOY_QUERY_SELF) return ploy_vec3_distance(context->self, at);
    if (whom == PLOY_QUERY_TARGET) return ploy_vec3_distance(context->target, at);
    float least = query_test_far;
    for (int32_t i = 0; i < context->enemy_count; i++) {
        float distance = ploy_vec3_distance(context->enemies[i].position, at);
        if (distance < least) least = distance;
    }
    return least;
}

static float query_test_word(void *user, const ploy_moment *moment, const float *args) {
    const ployi_query_asker *asker = moment->asker;
    const ploy_query_whom *whom = user;
    (void)args;
    return asker == NULL ? NAN : ployi_query_distance(asker->context, *whom, asker->position);
}

static const ploy_query_whom query_test_whoms[] = {PLOY_QUERY_SELF, PLOY_QUERY_TARGET,
                                                   PLOY_QUERY_ENEMY};

ploy_result ployi_query_words(ploy_conditions *set) {
    const ploy_word words[] = {
        {"self_distance", NULL, query_test_word, (void *)(uintptr_t)&query_test_whoms[0], 0},
        {"target_distance", NULL, query_test_word, (void *)(uintptr_t)&query_test_whoms[1], 0},
        {"enemy_distance", NULL, query_test_word, (void *)(uintptr_t)&query_test_whoms[2], 0},
    };
    return ploy_conditions_register_words(set, words, 3);
}

float ployi_query_cheap(const ploy_query *query, const ployi_query_test *test,
                        const ployi_query_candidate *candidate) {
    const ploy_query_context *context = &query->context;
    switch (test->measure) {
    case PLOY_QUERY_QUALITY:
        return ploy_tactical_points_value(context->points, candidate->id, test->tag, context->now);
    case PLOY_QUERY_AGAINST:
        return ploy_tactical_points_against(context->points, candidate->id, test->tag,
                                            context->enemies, context->enemy_count,
                                            context->posture, context->now);
    case PLOY_QUERY_DISTANCE: return ployi_query_distance(context, test->whom, candidate->position);
    default: break;
    }
    ployi_query_asker asker = {{context->points,
                                ployi_tactical_item_of(context->points, candidate->id),
                                candidate->id, context->now},
                               context,
                               candidate->position};
    ploy_moment moment = ploy_moment_make(context->step);
    moment.asker = &asker;
    return ploy_score_value(query->type->conditions, test->score, &moment);
}

int32_t ployi_query_rays(const ploy_query *query, const ployi_query_test *test) {
    return test->measure == PLOY_QUERY_SIGHT ? 1 : query->context.enemy_count;
}

// The enemy that is the number-th nearest to a place, of equals the first: near ones are the likeliest
// to see it, so that their rays decide soonest. Of more than these the order is the caller's: finding
// it would cost more than a ray.
enum { QUERY_TEST_RANKED = 8 };
static ploy_vec3 query_test_enemy(const ploy_query_context *context, ploy_vec3 at, int32_t number) {
    for (int32_t i = 0; i < context->enemy_count && context->enemy_count <= QUERY_TEST_RANKED;
         i++) {
        float own = ploy_vec3_distance_sq(context->enemies[i].position, at);
        int32_t nearer = 0;
        for (int32_t j = 0; j < context->enemy_count; j++) {
            float other = ploy_vec3_distance_sq(context->enemies[j].position, at);
            if (other < own || (other == own && j < i)) nearer++;
        }
        if (nearer == number) return context->enemies[i].position;
    }
    return context->enemies[number].position;
}

bool ployi_query_ray(const ploy_query *query, const ployi_query_test *test,
                     const ployi_query_candidate *candidate, int32_t number) {
    const ploy_query_context *context = &query->context;
    ploy_vec3 up = ploy_vec3_make(0.0f, 0.0f, context->eye);
    ploy_vec3 to = test->measure == PLOY_QUERY_SIGHT
                       ? context->target
                       : query_test_enemy(context, candidate->position, number);
    return ploy_scene_ray(&context->scene, ploy_vec3_add(candidate->position, up),
                          ploy_vec3_add(to, up), context->mask, NULL);
}

float ployi_query_rays_value(const ployi_query_test *test, int32_t rays, int32_t blocked) {
    bool hidden = test->measure == PLOY_QUERY_HIDDEN;
    if (rays == 0) return hidden ? 1.0f : 0.0f;
    return (float)(hidden ? blocked : rays - blocked) / (float)rays;
}

// ---- scores

static float query_test_scale(const ployi_query_test *test, float value) {
    return ploy_clampf((value - test->low) / (test->high - test->low), 0.0f, 1.0f);
}

// The highest (or lowest) of a curve over an interval. Computed powers and logistic curves may fall
// by a rounding step where the true ones rise, so that an open interval gets a little more room.
static float query_test_extreme(const ploy_curve *curve, float low, float high, bool highest) {
    float at_low = ploy_curve_at(curve, low), at_high = ploy_curve_at(curve, high);
    float best = (at_low > at_high) == highest ? at_low : at_high;
    if (low == high) return best;
    for (int32_t i = 0; curve->kind == PLOY_CURVE_TABLE && i < curve->count; i++) {
        if (!(curve->x[i] > low && curve->x[i] < high)) continue;
        float y = ploy_clampf(curve->y[i], 0.0f, 1.0f);
        if ((y > best) == highest) best = y;
    }
    if (curve->kind == PLOY_CURVE_LINEAR) return best;
    return ploy_clampf(best + (highest ? 1e-5f : -1e-5f), 0.0f, 1.0f);
}

float ployi_query_term(const ployi_query_test *test, float low, float high) {
    if (test->weight == 0.0f) return 0.0f;
    return test->weight * query_test_extreme(&test->curve, query_test_scale(test, low),
                                             query_test_scale(test, high), test->weight > 0.0f);
}

bool ployi_query_may_pass(const ployi_query_test *test, float low, float high) {
    return !test->require || (high >= test->min && low <= test->max);
}

// The sum runs in the order of the rows. Rounding keeps order, so that a sum of larger terms is
// never the smaller one: bounds hold to the last bit.
float ployi_query_total(const ployi_query_choice *choice, const float *terms) {
    float sum = 0.0f;
    for (int32_t i = 0; i < choice->test_count; i++) sum += terms[i];
    return sum / choice->weight;
}

// ---- paths

ploy_result ployi_query_search(const ploy_query *query, const ployi_query_candidate *candidate,
                               bool begin, ploy_budget *budget, float *value) {
    const ploy_query_context *context = &query->context;
    ploy_result result = PLOY_OK;
    if (begin) {
        ploy_path_request request =
            ploy_path_request_make(context->agent, context->self, candidate->position);
        ploy_finder_request whole = ploy_finder_request_make(&request);
        result = ploy_finder_begin(context->finder, &whole, NULL);
    }
    if (result == PLOY_OK) result = ploy_finder_step(context->finder, budget);
    if (result != PLOY_OK) return result;
    *value = NAN;
    if (ploy_finder_outcome(context->finder) != PLOY_PATH_FOUND) return PLOY_OK;
    result = ploy_finder_path(context->finder, query->path);
    if (result != PLOY_OK) return result;
    // Ends may be moved to the floor, which could make a path shorter than the straight line that
    // bounds it from below.
    float length = ploy_path_length(query->path);
    float straight = ploy_vec3_distance(context->self, candidate->position);
    *value = length > straight ? length : straight;
    return PLOY_OK;
}
