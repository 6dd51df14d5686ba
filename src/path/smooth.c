// Smoothing; the techniques are described in the header.
#include "ploy/path/smooth.h"

#include "path/path_internal.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/geom/spline.h"

// One smoothing under way.
typedef struct smooth_run {
    const ploy_path *from;
    const ploy_smooth_rule *rule;
    ploy_path *out;
    int32_t asked;
} smooth_run;

const char *ployi_smooth_kind_text(ploy_smooth_kind kind) {
    static const char *const texts[] = {"none", "quick", "precise", "shortest"};
    return kind >= PLOY_SMOOTH_NONE && kind <= PLOY_SMOOTH_SHORTEST ? texts[kind] : "?";
}

ploy_smooth_rule ploy_smooth_rule_make(ploy_smooth_kind kind, ploy_smooth_clear_fn clear,
                                       void *user) {
    ploy_smooth_rule rule = {kind, 0.0f, clear, user};
    return rule;
}

static ploy_vec3 smooth_point(const ploy_path *path, int32_t index) {
    return ploy_vec3_from_vec2(ploy_path_point(path, index), ploy_path_height(path, index));
}

static bool smooth_is_ordinary(const ploy_path *path, int32_t edge) {
    const ploy_path_edge *leg = ploy_path_edge_from(path, edge);
    return leg->kind.hash == 0 && ploy_id_is_none(leg->link) && leg->speed_limit == 0.0f;
}

// Do all edges from one point to another have the ordinary kind?
static bool smooth_may_merge(const ploy_path *path, int32_t first, int32_t last) {
    for (int32_t i = first; i < last; i++) {
        if (!smooth_is_ordinary(path, i)) return false;
    }
    return true;
}

// Does a turn of the radius fit between the last edge written and one to `to`? The arc leaves each
// edge radius x tan(turn / 2) from the corner, and two corners share an edge.
static bool smooth_turn_fits(const smooth_run *run, int32_t at, int32_t to) {
    int32_t written = ploy_path_count(run->out);
    if (!(run->rule->turn_radius > 0.0f) || written < 1 || at == 0) return true;
    ploy_vec2 corner = ploy_path_point(run->from, at);
    ploy_vec2 before = ploy_path_point(run->out, written - 1);
    if (ploy_vec2_equal(before, corner) && written >= 2) {
        before = ploy_path_point(run->out, written - 2);
    }
    ploy_vec2 in = ploy_vec2_sub(corner, before);
    ploy_vec2 away = ploy_vec2_sub(ploy_path_point(run->from, to), corner);
    float a = ploy_vec2_length(in), b = ploy_vec2_length(away);
    if (a == 0.0f || b == 0.0f) return true;
    float cosine = ploy_clampf(ploy_vec2_dot(in, away) / (a * b), -1.0f, 1.0f);
    if (cosine <= -0.999999f) return false;
    float half = sqrtf((1.0f - cosine) / (1.0f + cosine)); // tan of half the turn
    return run->rule->turn_radius * half <= 0.5f * ploy_minf(a, b);
}

static bool smooth_asks(smooth_run *run, int32_t a, int32_t b) {
    run->asked++;
    return run->rule->clear(run->rule->user, smooth_point(run->from, a),
                            smooth_point(run->from, b));
}

static bool smooth_sees(smooth_run *run, int32_t a, int32_t b) {
    return smooth_asks(run, a, b) && smooth_turn_fits(run, a, b);
}

// Writes the point `last`, reached from `first` in one edge.
static ploy_result smooth_write(const smooth_run *run, int32_t first, int32_t last) {
    ploy_path_edge edge = *ploy_path_edge_from(run->from, first);
    if (last > first + 1) {
        double cost = 0.0, length = 0.0;
        for (int32_t i = first; i < last; i++) {
            cost += (double)ploy_path_edge_from(run->from, i)->cost;
            length += (double)ploy_vec2_distance(ploy_path_point(run->from, i),
                                                 ploy_path_point(run->from, i + 1));
        }
        double whole = (double)ploy_vec2_distance(ploy_path_point(run->from, first),
                                                  ploy_path_point(run->from, last));
        edge.cost = (float)(length > 0.0 ? cost * whole / length : cost);
    }
    return ploy_path_append(run->out, ploy_path_point(run->from, last),
                            ploy_path_height(run->from, last), &edge);
}

// An edge that grows point by point.
static ploy_result smooth_quick(smooth_run *run, int32_t count) {
    int32_t first = 0, last = 1;
    for (int32_t next = 2; next < count; next++) {
        bool ordinary = smooth_may_merge(run->from, last - 1, next) &&
                        smooth_may_merge(run->from, first, first + 1);
        if (ordinary && smooth_sees(run, first, next)) {
            last = next;
            continue;
        }
        ploy_result result = smooth_write(run, first, last);
        if (result != PLOY_OK) return result;
        first = last;
        last = next;
    }
    return smooth_write(run, first, last);
}

static ploy_result smooth_precise(smooth_run *run, int32_t count) {
    for (int32_t first = 0; first < count - 1;) {
        int32_t last = first + 1;
        if (smooth_is_ordinary(run->from, first)) {
            for (int32_t next = first + 2; next < count; next++) {
                if (!smooth_is_ordinary(run->from, next - 1)) break;
                if (smooth_sees(run, first, next)) last = next;
            }
        }
        ploy_result result = smooth_write(run, first, last);
        if (result != PLOY_OK) return result;
        first = last;
    }
    return PLOY_OK;
}

// The shortest chain, from the end: length[i] is what is left behind point i.
static ploy_result smooth_shortest(smooth_run *run, int32_t count, double *length, int32_t *next) {
    length[count - 1] = 0.0;
    for (int32_t i = count - 2; i >= 0; i--) {
        length[i] = (double)INFINITY;
        for (int32_t k = i + 1; k < count; k++) {
            if (k > i + 1 && !smooth_may_merge(run->from, i, k)) break;
            double whole = length[k] + (double)ploy_vec3_distance(smooth_point(run->from, i),
                                                                  smooth_point(run->from, k));
            if (!(whole < length[i])) continue;
            if (k > i + 1 && !smooth_asks(run, i, k)) continue;
            length[i] = whole;
            next[i] = k;
        }
    }
    for (int32_t i = 0; i < count - 1; i = next[i]) {
        ploy_result result = smooth_write(run, i, next[i]);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static bool smooth_refuses(const ploy_path *from, const ploy_path *out) {
    return from == NULL || out == NULL || from == out || ploy_path_polyline(from).closed;
}

static ploy_result smooth_start(const ploy_path *from, ploy_path *out) {
    ploy_path_clear(out);
    return ploy_path_append(out, ploy_path_point(from, 0), ploy_path_height(from, 0), NULL);
}

ploy_result ploy_path_smooth(const ploy_path *from, const ploy_smooth_rule *rule,
                             const ploy_env *env, ploy_path *out, int32_t *asked) {
    if (smooth_refuses(from, out) || rule == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (rule->clear == NULL && rule->kind != PLOY_SMOOTH_NONE) return PLOY_ERR_ARGUMENT;
    if (!(rule->turn_radius >= 0.0f)) return PLOY_ERR_ARGUMENT;
    smooth_run run = {from, rule, out, 0};
    int32_t count = ploy_path_count(from);
    ploy_result result = PLOY_OK;
    if (count < 3 || rule->kind == PLOY_SMOOTH_NONE) {
        result = ploy_path_copy(out, from);
    } else {
        result = smooth_start(from, out);
        if (result == PLOY_OK && rule->kind == PLOY_SMOOTH_QUICK) {
            result = smooth_quick(&run, count);
        } else if (result == PLOY_OK && rule->kind == PLOY_SMOOTH_PRECISE) {
            result = smooth_precise(&run, count);
        } else if (result == PLOY_OK) {
            size_t size = (size_t)count * (sizeof(double) + sizeof(int32_t));
            double *room = ploy_env_alloc(env, size);
            result = room == NULL ? PLOY_ERR_MEMORY
                                  : smooth_shortest(&run, count, room, (int32_t *)(room + count));
            ploy_env_free(env, room, size);
        }
    }
    if (result != PLOY_OK) {
        ploy_path_clear(out);
    } else if (asked != NULL) {
        *asked = run.asked;
    }
    return result;
}

// ---- curves ----

enum { SMOOTH_PIECES = 64 };

// Writes one span of the curve, or its straight edge where the curve is not free.
static ploy_result smooth_span(const ploy_path *from, const ploy_spline2 *spline, int32_t span,
                               float tolerance, ploy_smooth_clear_fn clear, void *user,
                               ploy_path *out) {
    ploy_vec3 a = smooth_point(from, span), b = smooth_point(from, span + 1), at = a;
    ploy_path_edge edge = *ploy_path_edge_from(from, span);
    float straight = ploy_vec3_distance(a, b);
    // A cubic that leaves its chord by d needs about sqrt(d / tolerance) pieces.
    int32_t pieces = (int32_t)ploy_clampf(ceilf(sqrtf(straight / tolerance)), 1, SMOOTH_PIECES);
    if (!smooth_is_ordinary(from, span)) pieces = 1;
    ploy_vec3 points[SMOOTH_PIECES];
    for (int32_t i = 0; i < pieces; i++) {
        float share = (float)(i + 1) / (float)pieces;
        points[i] = i + 1 == pieces
                        ? b
                        : ploy_vec3_from_vec2(ploy_spline2_at(spline, (float)span + share),
                                              a.z + (b.z - a.z) * share);
        if (pieces > 1 && clear != NULL && !clear(user, at, points[i])) {
            points[0] = b;
            pieces = 1;
        }
        at = points[i];
    }
    edge.cost /= (float)pieces;
    for (int32_t i = 0; i < pieces; i++) {
        ploy_result result =
            ploy_path_append(out, ploy_vec2_from_vec3(points[i]), points[i].z, &edge);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_result ploy_path_curve(const ploy_path *from, float tolerance, ploy_smooth_clear_fn clear,
                            void *user, const ploy_env *env, ploy_path *out) {
    if (smooth_refuses(from, out) || env == NULL || !ploy_in_range(tolerance, 1e-6f, 1e9f)) {
        return PLOY_ERR_ARGUMENT;
    }
    int32_t count = ploy_path_count(from);
    ploy_result result = PLOY_OK;
    if (count < 3) {
        result = ploy_path_copy(out, from);
    } else {
        ploy_polyline line = ploy_path_polyline(from);
        ploy_spline2 spline = ploy_spline2_make(line.points, count, PLOY_SPLINE_CENTRIPETAL, false);
        result = smooth_start(from, out);
        for (int32_t i = 0; i + 1 < count && result == PLOY_OK; i++) {
            result = smooth_span(from, &spline, i, tolerance, clear, user, out);
        }
    }
    if (result != PLOY_OK) ploy_path_clear(out);
    return result;
}
