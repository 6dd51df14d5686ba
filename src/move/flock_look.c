// A crowd that flocks: what each agent sees of the sorted crowd, and what the rules make of it.
//
// Eight agents that are next to each other in a row of the table look at once, one in each lane of a
// vector. The places of the cells around all eight are read one by one, and each lane adds the place
// if its agent sees it. So an agent's sums run over its neighbours in the order of the places, whichever
// agents look beside it: places that it does not see add zero. Neither the width of the processor's vectors
// nor the split over workers changes a bit.
#include <string.h>

#include "move/flock_crowd_internal.h"

#include "move/move_internal.h"

enum {
    FLOCK_LOOK_GRAIN = 256, // agents of a job
    FLOCK_LOOK_SPAN =
        2 * PLOYI_FLOCK_FINE, // most columns between the first and the last of a group
    FLOCK_LOOK_RUNS = 6
};

// Agents that look, one in each lane.
typedef struct flock_look_eyes {
    float x[PLOYI_FLOCK_LANES], y[PLOYI_FLOCK_LANES];
    float hx[PLOYI_FLOCK_LANES], hy[PLOYI_FLOCK_LANES]; // heading
    float sx[PLOYI_FLOCK_LANES], sy[PLOYI_FLOCK_LANES]; // offset used for agents on the same spot
    int32_t place[PLOYI_FLOCK_LANES];                   // its own
    int32_t agent[PLOYI_FLOCK_LANES];
} flock_look_eyes;

// What they see: sums at first, then means.
typedef struct flock_look_sums {
    float count[PLOYI_FLOCK_LANES], aligned[PLOYI_FLOCK_LANES], cohered[PLOYI_FLOCK_LANES];
    float x[PLOYI_FLOCK_LANES], y[PLOYI_FLOCK_LANES];
    float vx[PLOYI_FLOCK_LANES], vy[PLOYI_FLOCK_LANES];
    float px[PLOYI_FLOCK_LANES], py[PLOYI_FLOCK_LANES];
    float nearest[PLOYI_FLOCK_LANES]; // m^2; of separation from the nearest, px and py its offset
} flock_look_sums;

// The settings in lanes, with what the loop over places keeps in registers.
// mode, looks, apart and nearest are constants wherever it is inlined, so that the loop has no branch.
PLOYI_INLINE void flock_look_run(ployi_flock_law l, ploy_separation_mode mode, bool looks,
                                 bool apart, bool nearest, const flock_look_eyes *e, const float *x,
                                 const float *y, const float *vx, const float *vy, int32_t first,
                                 int32_t last, flock_look_sums *sums) {
    const ployi_f8 near_squared = PLOYI_SET8(PLOYI_FLOCK_NEAR * PLOYI_FLOCK_NEAR);
    const ployi_f8 one = PLOYI_SET8(1.0f), zero = PLOYI_SET8(0.0f);
    const ployi_f8 strength = PLOYI_SET8(l.strength), over_radius = PLOYI_SET8(l.over_radius);
    const ployi_f8 reach = PLOYI_SET8(l.reach_squared), push = PLOYI_SET8(l.push_squared);
    const ployi_m8 open = PLOYI_SETI8(l.open_front ? -1 : 0);
    ployi_f8 ex, ey, hx, hy, sx, sy, count, aligned, cohered, mx, my, mu, mv, px, py, best;
    ployi_m8 place;
    PLOYI_LOAD8(ex, e->x);
    PLOYI_LOAD8(ey, e->y);
    PLOYI_LOAD8(hx, e->hx);
    PLOYI_LOAD8(hy, e->hy);
    PLOYI_LOAD8(sx, e->sx);
    PLOYI_LOAD8(sy, e->sy);
    PLOYI_LOAD8(place, e->place);
    PLOYI_LOAD8(count, sums->count);
    PLOYI_LOAD8(aligned, sums->aligned);
    PLOYI_LOAD8(cohered, sums->cohered);
    PLOYI_LOAD8(mx, sums->x);
    PLOYI_LOAD8(my, sums->y);
    PLOYI_LOAD8(mu, sums->vx);
    PLOYI_LOAD8(mv, sums->vy);
    PLOYI_LOAD8(px, sums->px);
    PLOYI_LOAD8(py, sums->py);
    PLOYI_LOAD8(best, sums->nearest);
    for (int32_t at = first; at < last; at++) {
        ployi_f8 ox = PLOYI_SUB8(PLOYI_SET8(x[at]), ex), oy = PLOYI_SUB8(PLOYI_SET8(y[at]), ey);
        ployi_f8 square = PLOYI_ADD8(PLOYI_MUL8(ox, ox), PLOYI_MUL8(oy, oy)), cut = zero;
        ployi_m8 seen =
            PLOYI_BUT8(PLOYI_LESS8(square, reach), PLOYI_SAMEI8(PLOYI_SETI8(at), place));
        if (looks) {
            // ployi_flock_in_view, in the shape of masks.
            ployi_f8 ahead = PLOYI_ADD8(PLOYI_MUL8(hx, ox), PLOYI_MUL8(hy, oy));
            ployi_f8 across = PLOYI_SUB8(PLOYI_MUL8(hx, oy), PLOYI_MUL8(hy, ox));
            ployi_f8 side = PLOYI_ABS8(across);
            ployi_m8 behind = PLOYI_LESS8(ahead, zero);
            ployi_m8 front = PLOYI_LESS8(side, PLOYI_MUL8(ahead, PLOYI_SET8(l.front)));
            ployi_f8 blind = PLOYI_MUL8(PLOYI_SUB8(zero, ahead), PLOYI_SET8(l.back));
            ployi_m8 back = PLOYI_BOTH8(behind, PLOYI_LESS8(blind, side));
            front = PLOYI_BUT8(PLOYI_EITHER8(front, open), behind);
            seen = PLOYI_BOTH8(seen, PLOYI_EITHER8(front, back));
            cut = PLOYI_MUL8(ahead, PLOYI_ABS8(ahead));
        }
        ployi_m8 pushes = PLOYI_BOTH8(seen, PLOYI_LESS8(square, push)), aligns = seen,
                 coheres = seen;
        if (apart) { // ployi_flock_in_rule
            ployi_f8 push_cut = PLOYI_MUL8(PLOYI_SET8(l.push_cut), square);
            ployi_f8 align_cut = PLOYI_MUL8(PLOYI_SET8(l.align_cut), square);
            ployi_f8 cohere_cut = PLOYI_MUL8(PLOYI_SET8(l.cohere_cut), square);
            pushes = PLOYI_BOTH8(pushes, PLOYI_LESS8(push_cut, cut));
            aligns = PLOYI_BOTH8(aligns, PLOYI_LESS8(square, PLOYI_SET8(l.align_squared)));
            aligns = PLOYI_BOTH8(aligns, PLOYI_LESS8(align_cut, cut));
            coheres = PLOYI_BOTH8(coheres, PLOYI_LESS8(square, PLOYI_SET8(l.cohere_squared)));
            coheres = PLOYI_BOTH8(coheres, PLOYI_LESS8(cohere_cut, cut));
            aligned = PLOYI_ADD8(aligned, PLOYI_KEEP8(aligns, one));
            cohered = PLOYI_ADD8(cohered, PLOYI_KEEP8(coheres, one));
        }
        ployi_m8 same = PLOYI_LESS8(square, near_squared);
        ployi_f8 qx = PLOYI_PICK8(same, sx, ox), qy = PLOYI_PICK8(same, sy, oy);
        ployi_f8 safe = PLOYI_PICK8(same, near_squared, square);
        if (nearest) {
            // flock_before, in the shape of masks.
            ployi_m8 ties = PLOYI_BOTH8(PLOYI_SAME8(qx, px), PLOYI_LESS8(qy, py));
            ties = PLOYI_BOTH8(PLOYI_SAME8(safe, best), PLOYI_EITHER8(PLOYI_LESS8(qx, px), ties));
            ployi_m8 wins = PLOYI_BOTH8(pushes, PLOYI_EITHER8(PLOYI_LESS8(safe, best), ties));
            best = PLOYI_PICK8(wins, safe, best);
            px = PLOYI_PICK8(wins, qx, px);
            py = PLOYI_PICK8(wins, qy, py);
        } else {
            ployi_f8 weight = PLOYI_DIV8(strength, safe);
            if (mode != PLOY_SEPARATION_INVERSE) { // ployi_flock_weight
                float squares[PLOYI_FLOCK_LANES];
                PLOYI_STORE8(squares, safe);
                for (int32_t k = 0; k < PLOYI_FLOCK_LANES; k++) squares[k] = sqrtf(squares[k]);
                ployi_f8 distance;
                PLOYI_LOAD8(distance, squares);
                ployi_f8 fall = PLOYI_SUB8(one, PLOYI_MUL8(distance, over_radius));
                weight = mode == PLOY_SEPARATION_INVERSE_SQUARE
                             ? PLOYI_DIV8(strength, PLOYI_MUL8(safe, distance))
                             : PLOYI_DIV8(PLOYI_MUL8(strength, fall), distance);
            }
            weight = PLOYI_KEEP8(pushes, weight); // far away it may be not a number
            px = PLOYI_SUB8(px, PLOYI_MUL8(qx, weight));
            py = PLOYI_SUB8(py, PLOYI_MUL8(qy, weight));
        }
        count = PLOYI_ADD8(count, PLOYI_KEEP8(seen, one));
        mx = PLOYI_ADD8(mx, PLOYI_KEEP8(coheres, ox));
        my = PLOYI_ADD8(my, PLOYI_KEEP8(coheres, oy));
        mu = PLOYI_ADD8(mu, PLOYI_KEEP8(aligns, PLOYI_SET8(vx[at])));
        mv = PLOYI_ADD8(mv, PLOYI_KEEP8(aligns, PLOYI_SET8(vy[at])));
    }
    PLOYI_STORE8(sums->count, count);
    PLOYI_STORE8(sums->aligned, aligned);
    PLOYI_STORE8(sums->cohered, cohered);
    PLOYI_STORE8(sums->x, mx);
    PLOYI_STORE8(sums->y, my);
    PLOYI_STORE8(sums->vx, mu);
    PLOYI_STORE8(sums->vy, mv);
    PLOYI_STORE8(sums->px, px);
    PLOYI_STORE8(sums->py, py);
    PLOYI_STORE8(sums->nearest, best);
}

PLOYI_INLINE void flock_look_sum_body(const ployi_flock_law *law, const flock_look_eyes *eyes,
                                      const float *x, const float *y, const float *vx,
                                      const float *vy, int32_t first, int32_t last,
                                      flock_look_sums *sums) {
    const ployi_flock_law l = *law;
    const ploy_separation_mode inverse = PLOY_SEPARATION_INVERSE;
    const ploy_separation_mode square = PLOY_SEPARATION_INVERSE_SQUARE;
    const ploy_separation_mode linear = PLOY_SEPARATION_LINEAR;
    if (l.nearest) {
        flock_look_run(l, inverse, true, true, true, eyes, x, y, vx, vy, first, last, sums);
    } else if (l.apart && l.mode == inverse) {
        flock_look_run(l, inverse, true, true, false, eyes, x, y, vx, vy, first, last, sums);
    } else if (l.apart && l.mode == square) {
        flock_look_run(l, square, true, true, false, eyes, x, y, vx, vy, first, last, sums);
    } else if (l.apart) {
        flock_look_run(l, linear, true, true, false, eyes, x, y, vx, vy, first, last, sums);
    } else if (l.mode == inverse && l.looks) {
        flock_look_run(l, inverse, true, false, false, eyes, x, y, vx, vy, first, last, sums);
    } else if (l.mode == inverse) {
        flock_look_run(l, inverse, false, false, false, eyes, x, y, vx, vy, first, last, sums);
    } else if (l.mode == square) {
        flock_look_run(l, square, true, false, false, eyes, x, y, vx, vy, first, last, sums);
    } else {
        flock_look_run(l, linear, true, false, false, eyes, x, y, vx, vy, first, last, sums);
    }
}
PLOYI_KERNEL(flock_look_sum,
             (const ployi_flock_law *law, const flock_look_eyes *eyes, const float *x,
              const float *y, const float *vx, const float *vy, int32_t first, int32_t last,
              flock_look_sums *sums),
             (law, eyes, x, y, vx, vy, first, last, sums))

// Up to eight places that look together: of one row, in columns [low, high].
typedef struct flock_look_group {
    int32_t place[PLOYI_FLOCK_LANES];
    int32_t count;
    int32_t row, low, high;
} flock_look_group;

// Adds a place. @return false, changing nothing, if it is too far from the others.
static bool flock_look_join(const ploy_flock *flock, flock_look_group *group, int32_t place) {
    int32_t cell = flock->cell[flock->agent[place]];
    int32_t row = cell / flock->columns, column = cell - row * flock->columns;
    int32_t low = column, high = column;
    if (group->count > 0) {
        low = ploy_mini(group->low, column);
        high = ploy_maxi(group->high, column);
        if (group->count == PLOYI_FLOCK_LANES || row != group->row ||
            high - low > FLOCK_LOOK_SPAN) {
            return false;
        }
    }
    group->row = row;
    group->low = low;
    group->high = high;
    group->place[group->count++] = place;
    return true;
}

// The places of the cells around a group, row by row from below.
static int32_t flock_look_around(const ploy_flock *flock, const flock_look_group *group,
                                 int32_t firsts[FLOCK_LOOK_RUNS], int32_t lasts[FLOCK_LOOK_RUNS]) {
    int32_t low = (group->low - PLOYI_FLOCK_FINE) & (flock->columns - 1), count = 0;
    int32_t wide = group->high - group->low + 2 * PLOYI_FLOCK_FINE + 1; // below columns, by (3)
    for (int32_t r = -1; r <= 1; r++) {
        const int32_t *starts =
            flock->starts + (ptrdiff_t)((group->row + r) & (flock->rows - 1)) * flock->columns;
        int32_t end = low + wide; // beyond the table's edge it goes on at its beginning
        int32_t cut = ploy_mini(end, flock->columns);
        firsts[count] = starts[low];
        lasts[count++] = starts[cut];
        if (end > cut) {
            firsts[count] = starts[0];
            lasts[count++] = starts[end - cut];
        }
    }
    return count;
}

// What is left to do when all places have been added; every lane as in the single form.
PLOYI_INLINE void flock_look_mean_body(bool shared, flock_look_sums *s) {
    if (shared) {
        memcpy(s->aligned, s->count, sizeof s->count);
        memcpy(s->cohered, s->count, sizeof s->count);
    }
    for (int32_t k = 0; k < PLOYI_FLOCK_LANES; k++) {
        float align = 1.0f / (s->aligned[k] > 0.0f ? s->aligned[k] : 1.0f);
        float cohere = 1.0f / (s->cohered[k] > 0.0f ? s->cohered[k] : 1.0f);
        s->x[k] *= cohere;
        s->y[k] *= cohere;
        s->vx[k] *= align;
        s->vy[k] *= align;
    }
}
PLOYI_KERNEL(flock_look_mean, (bool shared, flock_look_sums *s), (shared, s))

// The push of the nearest.
static void flock_look_nearest(const ployi_flock_law *law, flock_look_sums *s, int32_t n) {
    for (int32_t k = 0; k < n; k++) {
        float weight = 0.0f;
        if (s->nearest[k] < FLT_MAX) {
            weight = ployi_flock_weight(law->mode, law->strength, law->over_radius, s->nearest[k]);
        }
        s->px[k] = 0.0f - s->px[k] * weight;
        s->py[k] = 0.0f - s->py[k] * weight;
    }
}

// ployi_flock_scatter in lanes.
PLOYI_INLINE void flock_look_scatter_body(const int32_t *restrict agent, float *restrict sx,
                                          float *restrict sy) {
    for (int32_t k = 0; k < PLOYI_FLOCK_LANES; k++) {
        ploy_vec2 scatter = ployi_flock_scatter(agent[k]);
        sx[k] = scatter.x * -PLOYI_FLOCK_NEAR;
        sy[k] = scatter.y * -PLOYI_FLOCK_NEAR;
    }
}
PLOYI_KERNEL(flock_look_scatter,
             (const int32_t *restrict agent, float *restrict sx, float *restrict sy),
             (agent, sx, sy))

static void flock_look_survey(const ploy_flock *flock, const flock_look_group *group,
                              flock_look_eyes *eyes, flock_look_sums *sums) {
    bool headed = flock->law.looks || flock->law.headings;
    memset(sums, 0, sizeof *sums);
    for (int32_t k = 0; k < PLOYI_FLOCK_LANES; k++) {
        // Unused lanes look like the first; what they see is not read.
        int32_t place = group->place[k < group->count ? k : 0];
        eyes->place[k] = place;
        eyes->agent[k] = flock->agent[place];
        eyes->x[k] = flock->x[place];
        eyes->y[k] = flock->y[place];
        eyes->hx[k] = headed ? flock->hx[place] : 0.0f;
        eyes->hy[k] = headed ? flock->hy[place] : 0.0f;
        sums->nearest[k] = FLT_MAX;
    }
    flock_look_scatter(eyes->agent, eyes->sx, eyes->sy);
    const float *vx = flock->law.headings ? flock->hx : flock->vx;
    const float *vy = flock->law.headings ? flock->hy : flock->vy;
    int32_t firsts[FLOCK_LOOK_RUNS], lasts[FLOCK_LOOK_RUNS];
    int32_t runs = flock_look_around(flock, group, firsts, lasts);
    for (int32_t r = 0; r < runs; r++) {
        flock_look_sum(&flock->law, eyes, flock->x, flock->y, vx, vy, firsts[r], lasts[r], sums);
    }
    flock_look_mean(!flock->law.apart && !flock->law.nearest, sums);
    if (flock->law.nearest) flock_look_nearest(&flock->law, sums, group->count);
}

ploy_neighbours ploy_flock_neighbours(const ploy_flock *flock, int32_t i) {
    ploy_neighbours out = {0, 0, 0, {0.0f, 0.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}};
    if (!ploy_range_within(i, 1, flock->count) || flock->slot[i] < 0) return out;
    flock_look_group group;
    flock_look_eyes eyes;
    flock_look_sums sums;
    group.count = 0;
    flock_look_join(flock, &group, flock->slot[i]);
    flock_look_survey(flock, &group, &eyes, &sums);
    if (sums.count[0] == 0.0f) return out;
    out.count = (int32_t)sums.count[0];
    out.alignment_count = (int32_t)sums.aligned[0];
    out.cohesion_count = (int32_t)sums.cohered[0];
    out.middle = ploy_vec2_make(sums.x[0], sums.y[0]);
    out.velocity = ploy_vec2_make(sums.vx[0], sums.vy[0]);
    out.push = ploy_vec2_make(sums.px[0], sums.py[0]);
    return out;
}

// ---- requests ----

// Velocities of the agents that look, then their requests.
typedef struct flock_look_requests {
    float vx[PLOYI_FLOCK_LANES], vy[PLOYI_FLOCK_LANES];
    float x[PLOYI_FLOCK_LANES], y[PLOYI_FLOCK_LANES];
} flock_look_requests;

PLOYI_INLINE void flock_look_rules_loop(ployi_flock_rules rules,
                                        const flock_look_eyes *restrict eyes,
                                        const flock_look_sums *restrict sums,
                                        flock_look_requests *restrict out) {
    for (int32_t k = 0; k < PLOYI_FLOCK_LANES; k++) {
        ploy_vec3 velocity = {out->vx[k], out->vy[k], 0.0f};
        ploy_vec3 heading = {eyes->hx[k], eyes->hy[k], 0.0f};
        ploy_vec3 middle = {sums->x[k], sums->y[k], 0.0f};
        ploy_vec3 mean = {sums->vx[k], sums->vy[k], 0.0f};
        ploy_vec3 push = {sums->px[k], sums->py[k], 0.0f};
        ploy_vec3 request = ployi_flock_request(rules, velocity, heading, sums->aligned[k] > 0.0f,
                                                sums->cohered[k] > 0.0f, middle, mean, push, 2);
        bool sees = sums->count[k] > 0.0f;
        out->x[k] = sees ? request.x : 0.0f;
        out->y[k] = sees ? request.y : 0.0f;
    }
}

PLOYI_INLINE void flock_look_rules_body(const ployi_flock_rules *rules, const flock_look_eyes *eyes,
                                        const flock_look_sums *sums, flock_look_requests *out) {
    ployi_flock_rules r = *rules;
    // Constants in each loop, or there are branches in it.
    if (!rules->normalise && !rules->headings) {
        r.normalise = r.headings = false;
        flock_look_rules_loop(r, eyes, sums, out);
    } else if (!rules->headings) {
        r.normalise = true;
        r.headings = false;
        flock_look_rules_loop(r, eyes, sums, out);
    } else {
        flock_look_rules_loop(r, eyes, sums, out);
    }
}
PLOYI_KERNEL(flock_look_rules,
             (const ployi_flock_rules *rules, const flock_look_eyes *eyes,
              const flock_look_sums *sums, flock_look_requests *out),
             (rules, eyes, sums, out))

// The requests of a group, which is empty then.
static void flock_look_request(const ploy_flock *flock, const ployi_flock_rules *rules,
                               flock_look_group *group, const ploy_steerings *out) {
    flock_look_eyes eyes;
    flock_look_sums sums;
    flock_look_requests requests;
    int32_t n = group->count;
    if (n == 0) return;
    flock_look_survey(flock, group, &eyes, &sums);
    for (int32_t k = 0; k < PLOYI_FLOCK_LANES; k++) {
        requests.vx[k] = flock->vx[eyes.place[k]];
        requests.vy[k] = flock->vy[eyes.place[k]];
    }
    flock_look_rules(rules, &eyes, &sums, &requests);
    bool packed = out->stride == sizeof(float) && out->angular == NULL && out->requested == NULL;
    for (int32_t k = 0; k < n; k++) {
        int32_t agent = eyes.agent[k];
        if (packed) {
            out->x[agent] = requests.x[k];
            out->y[agent] = requests.y[k];
            continue;
        }
        ploy_steering request = {
            {requests.x[k], requests.y[k]}, 0.0f, (uint32_t)(sums.count[k] > 0.0f)};
        ploy_steerings_set(out, agent, request);
    }
    group->count = 0;
}

// Adds a place to a group, which looks first if it is full or too far away.
static void flock_look_next(const ploy_flock *flock, const ployi_flock_rules *rules, int32_t place,
                            flock_look_group *group, const ploy_steerings *out) {
    if (flock_look_join(flock, group, place)) return;
    flock_look_request(flock, rules, group, out);
    flock_look_join(flock, group, place);
}

ploy_result ploy_flock_step(const ploy_flock *flock, int32_t first, int32_t count,
                            const ploy_steerings *out) {
    if (!ploy_range_within(first, count, flock->count)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_steerings_check(out, first, count);
    if (result != PLOY_OK) return result;
    ployi_flock_rules rules = ployi_flock_rules_make(&flock->def);
    flock_look_group group;
    group.count = 0;
    for (int32_t i = first; i < first + count; i++) {
        if (flock->slot[i] < 0) {
            ploy_steerings_set(out, i, ploy_steering_none());
        } else {
            flock_look_next(flock, &rules, flock->slot[i], &group, out);
        }
    }
    flock_look_request(flock, &rules, &group, out);
    return PLOY_OK;
}

typedef struct flock_look_job {
    const ploy_flock *flock;
    const ploy_steerings *out;
    ployi_flock_rules rules;
} flock_look_job;

static void flock_look_work(void *arg, int32_t first, int32_t count, int32_t worker) {
    const flock_look_job *job = arg;
    flock_look_group group;
    group.count = 0;
    (void)worker;
    for (int32_t place = first; place < first + count; place++) {
        flock_look_next(job->flock, &job->rules, place, &group, job->out);
    }
    flock_look_request(job->flock, &job->rules, &group, job->out);
}

ploy_result ploy_flock_step_all(const ploy_flock *flock, const ploy_jobs *jobs,
                                const ploy_steerings *out) {
    ploy_result result = ployi_steerings_check(out, 0, flock->count);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < flock->count && flock->sorted < flock->count; i++) {
        if (flock->slot[i] < 0) ploy_steerings_set(out, i, ploy_steering_none());
    }
    flock_look_job job = {flock, out, ployi_flock_rules_make(&flock->def)};
    ploy_jobs_run(jobs, flock_look_work, &job, flock->sorted, FLOCK_LOOK_GRAIN);
    return PLOY_OK;
}
