// What the spatial indices share: a query made ready, how it tests a box, and where answers go.
//
// Bodies are written once over n parts (2 on the plane, 3 in space) and over the kind of query;
// both are constants wherever they are inlined, so the compiler makes a loop for each.
//
// Why no answer is missed. A node's bounds contain the boxes below it, as floats, exactly. Radius,
// box, nearest and (in find) ray test bounds by the very sums that test a box, and each rounding
// in them is monotone: what is nearer, or entered earlier, before rounding is not further after it.
// A sweep is tested by other sums (round corners), and what a visitor asks is not known at all;
// there bounds are grown by `pad` and entered `slack` early, which is more than rounding can do.
#pragma once

#include "base/compiler.h"
#include "geom/geom_internal.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/index.h"

// What the walks are made over: a box of two or three parts.
typedef struct ployi_box {
    float min[3], max[3]; // the third part is 0 on the plane
} ployi_box;

// A point with its name, as those that hold points keep them, side by side.
typedef struct ployi_point {
    float at[2];
    int32_t id;
} ployi_point;

typedef struct ployi_query {
    ploy_query_kind kind;
    bool nothing;     // can find nothing: numbers out of range
    double at[3];     // of the centre or the start
    double along[3];  // of a ray
    double grow;      // m that bounds are grown by, for ray and sweep
    double slack;     // m that they are entered early
    double limit;     // the largest rank still needed
    float min[3];     // of a box, or around the whole path of a ray or sweep
    float max[3];     //
    ploy_ray2 ray2;   // as it was asked
    ploy_ray3 ray3;   //
    float radius;     // of a sweep, as it was asked
    ploy_found *out;  // a heap with the worst on top once there are too many, or always if ranked
    int32_t capacity; // of out
    int32_t total;    // found
    uint32_t mask;    // layers to be seen, by indices that have them
    ploy_visit_fn fn; // NULL: collect into out
    void *user;       //
    bool stopped;     // by the visitor
    int64_t nodes;    // statistics
    int64_t objects;  //
    int64_t met;      //
    const ploy_query_watch *watch;
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

// Reports to the watcher, which must exist, a part (id -1) or of an object.
void ployi_query_watched(const ployi_query *query, const float *min, const float *max, int32_t id,
                         int32_t n);

static inline ployi_box ployi_box_of2(ploy_box2 box) {
    ployi_box in = {{box.min.x, box.min.y, 0.0f}, {box.max.x, box.max.y, 0.0f}};
    return in;
}

static inline ployi_box ployi_box_of3(ploy_box3 box) {
    ployi_box in = {{box.min.x, box.min.y, box.min.z}, {box.max.x, box.max.y, box.max.z}};
    return in;
}

static inline ploy_box2 ployi_box_as2(const ployi_box *box) {
    ploy_box2 out = {{box->min[0], box->min[1]}, {box->max[0], box->max[1]}};
    return out;
}

static inline ploy_box3 ployi_box_as3(const ployi_box *box) {
    ploy_box3 out = {{box->min[0], box->min[1], box->min[2]},
                     {box->max[0], box->max[1], box->max[2]}};
    return out;
}

static inline ployi_box ployi_box_merge(const ployi_box *a, const ployi_box *b) {
    ployi_box both;
    for (int32_t i = 0; i < 3; i++) {
        both.min[i] = a->min[i] < b->min[i] ? a->min[i] : b->min[i];
        both.max[i] = a->max[i] > b->max[i] ? a->max[i] : b->max[i];
    }
    return both;
}

static inline bool ployi_box_contains(const ployi_box *outer, const ployi_box *inner, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        if (!(outer->min[i] <= inner->min[i] && inner->max[i] <= outer->max[i])) return false;
    }
    return true;
}

// Finite and not empty.
bool ployi_box_valid(const ployi_box *box, int32_t n);
// Folds a box and its name into a hash, part by part: the same on machines of either byte order.
uint64_t ployi_box_hash(uint64_t hash, int32_t id, const ployi_box *box, int32_t n);
uint64_t ployi_point_hash(uint64_t hash, const ployi_point *point);
// A box as lines: its floor, and in space its ceiling and the four edges between.
void ployi_box_draw(const ployi_box *box, int32_t n, ploy_style style, ploy_draw *out);

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
    if (kind != PLOY_QUERY_RADIUS && kind != PLOY_QUERY_NEAREST) {
        bool apart = false;
        for (int32_t i = 0; i < n; i++) {
            apart |= (max[i] < query->min[i]) | (query->max[i] < min[i]);
        }
        if (apart) return (double)NAN;
        if (kind == PLOY_QUERY_BOX) return 0.0;
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

// Looks at a part of the index: counts it, reports to the watcher, and tests it.
static inline double ployi_query_look(ployi_query *query, const float *min, const float *max,
                                      ploy_query_kind kind, int32_t n) {
    query->nodes++;
    if (query->watch != NULL) ployi_query_watched(query, min, max, -1, n);
    return ployi_query_reach(query, min, max, kind, n);
}

// Asks an object whose reach is known: a box in full size, or a point as a box without any.
static inline void ployi_query_ask_ranked(ployi_query *query, const float *min, const float *max,
                                          int32_t id, double rank, ploy_query_kind kind,
                                          int32_t n) {
    query->objects++;
    if (query->watch != NULL) ployi_query_watched(query, min, max, id, n);
    if (rank <= query->limit) ployi_query_meet(query, min, max, id, rank, kind, n);
}

static inline void ployi_query_ask(ployi_query *query, const float *min, const float *max,
                                   int32_t id, ploy_query_kind kind, int32_t n) {
    double rank = ployi_query_reach(query, min, max, kind, n);
    ployi_query_ask_ranked(query, min, max, id, rank, kind, n);
}

// Asks points that lie side by side.
static inline void ployi_query_ask_points(ployi_query *query, const ployi_point *points,
                                          int32_t count, ploy_query_kind kind) {
    if (kind == PLOY_QUERY_RADIUS && query->fn == NULL && query->watch == NULL &&
        query->capacity - query->total >= count) {
        // Room for all of them: write each and move on only past those within. Whether a point is
        // within is a coin's toss, which a branch would lose half of the time.
        ploy_found *out = query->out;
        int32_t total = query->total;
        double x = query->at[0], y = query->at[1], limit = query->limit;
        for (int32_t i = 0; i < count; i++) {
            double dx = (double)points[i].at[0] - x, dy = (double)points[i].at[1] - y;
            out[total].rank = dx * dx + dy * dy;
            out[total].id = points[i].id;
            total += out[total].rank <= limit;
        }
        query->objects += count;
        query->met += total - query->total;
        query->total = total;
        return;
    }
    for (int32_t i = 0; i < count && !query->stopped; i++) {
        ployi_query_ask(query, points[i].at, points[i].at, points[i].id, kind, 2);
    }
}

// A walk is written once, as walk(core, query, kind, n); this makes a loop of it for each kind.
#define PLOYI_QUERY_BY_KIND(walk, core, query, n)                                 \
    do {                                                                          \
        switch ((query)->kind) {                                                  \
        case PLOY_QUERY_RADIUS: walk(core, query, PLOY_QUERY_RADIUS, n); break;   \
        case PLOY_QUERY_BOX: walk(core, query, PLOY_QUERY_BOX, n); break;         \
        case PLOY_QUERY_NEAREST: walk(core, query, PLOY_QUERY_NEAREST, n); break; \
        case PLOY_QUERY_RAY: walk(core, query, PLOY_QUERY_RAY, n); break;         \
        default: walk(core, query, PLOY_QUERY_SWEEP, n); break;                   \
        }                                                                         \
    } while (0)
