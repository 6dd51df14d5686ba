// What the spatial indices share: a query made ready, how it judges a box, and where answers go.
//
// Bodies are written once over n parts (2 on the plane, 3 in space) and over the kind of query;
// both are constants wherever they are inlined, so the compiler makes a loop for each.
//
// Why no answer is missed. A node's bounds contain the boxes below it, as floats, exactly. Radius,
// box, nearest and (in find) ray judge bounds by the very sums that judge a box, and each rounding
// in them is monotone: what is nearer, or entered earlier, before rounding is not further after it.
// A sweep is judged by other sums (round corners), and what a visitor asks is not known at all;
// there bounds are grown by `pad` and entered `slack` early, which is more than rounding can do.
#pragma once

#include "ploy/geom/index.h"

typedef struct ployi_query {
    ploy_query_kind kind;
    bool nothing;     // can find nothing: numbers out of range
    double at[3];     // of the centre or the start
    double along[3];  // of a ray
    double grow;      // m that bounds are grown by, for ray and sweep
    double slack;     // m that they are entered early
    double limit;     // the largest rank still wanted
    float min[3];     // of a box
    float max[3];     //
    ploy_ray2 ray2;   // as it was asked
    ploy_ray3 ray3;   //
    float radius;     // of a sweep, as it was asked
    ploy_found *out;  // a heap with the worst on top once there are too many, or always if ranked
    int32_t capacity; // of out
    int32_t total;    // found
    ploy_visit_fn fn; // NULL: collect into out
    void *user;       //
    bool stopped;     // by the visitor
    int64_t nodes;    // statistics
    int64_t objects;  //
    int64_t met;      //
} ployi_query;

// Makes a query ready. min and max, of two or three parts, bound all that the index holds.
void ployi_query_begin2(ployi_query *query, const ploy_query2 *asked, const float *min,
                        const float *max, ploy_visit_fn fn, void *user);
void ployi_query_begin3(ployi_query *query, const ploy_query3 *asked, const float *min,
                        const float *max, ploy_visit_fn fn, void *user);
// Where answers go; not for visits.
void ployi_query_collect(ployi_query *query, ploy_found *out, int32_t capacity);
// Sorts the answers and adds to the statistics. @return what find returns.
int32_t ployi_query_end(ployi_query *query, ploy_query_stats *stats);
// One answer, its rank within the limit.
void ployi_query_found(ployi_query *query, int32_t id, double rank);
// A box asked by a ray or a sweep in find: its rank, or NaN.
double ployi_query_hit(const ployi_query *query, const float *min, const float *max, int32_t n);

// Sorts items around a place: those before it are not greater, those behind not smaller, by key
// and then id. O(count), whatever the keys.
typedef struct ployi_keyed {
    float key;
    int32_t id;
} ployi_keyed;
void ployi_keyed_select(ployi_keyed *items, int32_t count, int32_t place);

// No box within these bounds has a smaller rank; NaN if the query meets none of them.
static inline double ployi_query_reach(const ployi_query *query, const float *min, const float *max,
                                       ploy_query_kind kind, int32_t n) {
    if (kind == PLOY_QUERY_BOX) {
        bool apart = false;
        for (int32_t i = 0; i < n; i++) {
            apart = apart || max[i] < query->min[i] || query->max[i] < min[i];
        }
        return apart ? (double)NAN : 0.0;
    }
    if (kind == PLOY_QUERY_RADIUS || kind == PLOY_QUERY_NEAREST) {
        double sum = 0.0;
        for (int32_t i = 0; i < n; i++) {
            double below = (double)min[i] - query->at[i], above = query->at[i] - (double)max[i];
            double gap = below > above ? below : above;
            gap = gap > 0.0 ? gap : 0.0;
            sum += gap * gap;
        }
        return sum;
    }
    double enter = 0.0, leave = INFINITY;
    for (int32_t i = 0; i < n; i++) {
        double low = (double)min[i] - query->grow - query->at[i];
        double high = (double)max[i] + query->grow - query->at[i];
        double along = query->along[i];
        if (along == 0.0) {
            if (low > 0.0 || high < 0.0) return (double)NAN;
            continue;
        }
        double a = low / along, b = high / along;
        double first = a < b ? a : b, last = a < b ? b : a;
        enter = first > enter ? first : enter;
        leave = last < leave ? last : leave;
    }
    if (!(enter <= leave + query->slack)) return (double)NAN;
    // Ranks of rays are floats: rounded likewise, bounds are never further than what is in them.
    enter -= query->slack;
    return (double)(float)(enter > 0.0 ? enter : 0.0);
}

// A box whose reach is known to be within the limit.
static inline void ployi_query_meet(ployi_query *query, const float *min, const float *max,
                                    int32_t id, double rank, ploy_query_kind kind, int32_t n) {
    if (query->fn != NULL) {
        query->met++;
        double limit = query->limit;
        query->stopped = !query->fn(query->user, id, &limit);
        if (limit < query->limit) query->limit = limit;
        return;
    }
    if (kind == PLOY_QUERY_RAY || kind == PLOY_QUERY_SWEEP) {
        rank = ployi_query_hit(query, min, max, n);
        if (!(rank <= query->limit)) return;
    }
    query->met++;
    if ((kind == PLOY_QUERY_RADIUS || kind == PLOY_QUERY_BOX) && query->total < query->capacity) {
        ploy_found item = {rank, id};
        query->out[query->total++] = item;
        return;
    }
    ployi_query_found(query, id, rank);
}
