// What the single form of reciprocal avoidance and the crowd share: half-planes and the linear
// program over them, in lanes.
//
// A half-plane is normal . v <= limit. In that form the circle of the speeds cuts a line at plus
// and minus the root of max_speed^2 - limit^2, a half-plane with limit >= max_speed forbids nothing
// and is left out, and every test is one product. All loops go over eight lines or neighbours at a
// time without branches; minima and maxima do not depend on the order, so any vector width gives
// the same bits.
#pragma once

#include "base/compiler.h"
#include "move/move_internal.h"
#include "ploy/move/orca.h"

enum {
    PLOYI_ORCA_LANES = 8,
    PLOYI_ORCA_FEW = 4, // fewer are done one by one: filling and emptying lanes would cost more
    PLOYI_ORCA_NEAR = PLOY_ORCA_NEIGHBOURS_MAX + PLOYI_ORCA_LANES, // with room for padding
    PLOYI_ORCA_LINES = PLOY_ORCA_LINES_MAX + PLOYI_ORCA_LANES
};

// The least time in which an overlap is parted (s), so that dt 0 asks for finite speeds.
#define PLOYI_ORCA_DT_MIN 1e-4f
// Lines whose directions differ by less than this (rad) count as parallel.
#define PLOYI_ORCA_PARALLEL 1e-5f
// Speeds are compared to within this part of max_speed: the rounding of products of that size.
#define PLOYI_ORCA_TOLERANCE 1e-6f

// Half-planes. The eight lanes behind the last hold what forbids nothing.
typedef struct ployi_orca_lines {
    float x[PLOYI_ORCA_LINES], y[PLOYI_ORCA_LINES]; // unit normals
    float limit[PLOYI_ORCA_LINES];                  // m/s
    float square[PLOYI_ORCA_LINES];                 // m^2 to the agent that it came from
    int32_t index[PLOYI_ORCA_LINES];
    int32_t count, walls;
} ployi_orca_lines;

// The neighbours that count, seen from the agent; nearest first, unless few.
typedef struct ployi_orca_near {
    float x[PLOYI_ORCA_NEAR], y[PLOYI_ORCA_NEAR];   // m, from the agent
    float vx[PLOYI_ORCA_NEAR], vy[PLOYI_ORCA_NEAR]; // m/s
    float radius[PLOYI_ORCA_NEAR];
    float responsibility[PLOYI_ORCA_NEAR];
    float square[PLOYI_ORCA_NEAR]; // m^2, the distance
    uint32_t number[PLOYI_ORCA_NEAR];
    int32_t index[PLOYI_ORCA_NEAR];
    int32_t count;
} ployi_orca_near;

// The agent itself, and what does not differ from one to the next.
typedef struct ployi_orca_self {
    float vx, vy;
    float wx, wy; // desired, no longer than max_speed
    float radius, max_speed;
    float responsibility; // 0 for who cannot move
    uint32_t number;
} ployi_orca_self;

typedef struct ployi_orca_law {
    float range_squared; // m^2
    float over_horizon;  // 1/s
    float over_dt;       // 1/s
    float wall_horizon;  // s
    int32_t max_neighbours;
} ployi_orca_law;

// @return false if a setting or dt is out of range.
bool ployi_orca_law_make(const ploy_orca_def *def, float dt, ployi_orca_law *out);

PLOYI_INLINE float ployi_orca_responsibility(float responsibility, float max_speed) {
    return max_speed > 0.0f ? responsibility : 0.0f;
}

PLOYI_INLINE ployi_orca_self ployi_orca_self_of(const ploy_orca_agent *agent) {
    ploy_vec2 wanted = agent->wanted;
    // Cut only where it is too long by more than rounding: that is expensive, and rare.
    if (ploy_vec2_length_sq(wanted) > agent->max_speed * agent->max_speed * 1.000001f) {
        wanted = ploy_vec2_limit(wanted, agent->max_speed);
    }
    ployi_orca_self self = {agent->velocity.x,
                            agent->velocity.y,
                            wanted.x,
                            wanted.y,
                            agent->radius,
                            agent->max_speed,
                            ployi_orca_responsibility(agent->responsibility, agent->max_speed),
                            agent->number};
    return self;
}

// A wall in reach.
typedef struct ployi_orca_edge {
    float distance; // m
    int32_t index;
} ployi_orca_edge;

// How far the edge is from a point; below 0 if the point is behind it.
float ployi_orca_wall_distance(const ploy_orca_wall *wall, ploy_vec2 point);
// How far walls matter to an agent (m).
PLOYI_INLINE float ployi_orca_wall_reach(const ployi_orca_law *law, const ployi_orca_self *self) {
    return law->wall_horizon * self->max_speed + self->radius;
}
// Keeps the nearest of the edges given, sorted by distance, then index. Out of reach is left out.
void ployi_orca_edges_add(ployi_orca_edge *edges, int32_t *count, float distance, int32_t index);
// The half-planes of these edges, as the first ones.
void ployi_orca_wall_lines(const ployi_orca_law *law, const ployi_orca_self *self,
                           ploy_vec2 position, const ploy_orca_wall *walls,
                           const ployi_orca_edge *edges, int32_t count, ployi_orca_lines *lines);
// Gives a pair on the same spot with the same velocity a direction to part in: outward for self.
ploy_vec2 ployi_orca_part(uint32_t self, uint32_t other);

PLOYI_INLINE int32_t ployi_orca_round_up(int32_t count) {
    return (count + PLOYI_ORCA_LANES - 1) & ~(PLOYI_ORCA_LANES - 1);
}

// Fills eight lanes with one value, always eight: a store of one vector.
PLOYI_INLINE void ployi_orca_fill(float *lanes, float value) {
    for (int32_t k = 0; k < PLOYI_ORCA_LANES; k++) lanes[k] = value;
}

// Fills the lanes behind the last line.
PLOYI_INLINE void ployi_orca_pad(float *x, float *y, float *limit, int32_t count) {
    ployi_orca_fill(x + count, 0.0f);
    ployi_orca_fill(y + count, 0.0f);
    ployi_orca_fill(limit + count, FLT_MAX);
}

// The half-planes of the neighbours, behind the lines that are there. Both the blunt tip and the
// two legs of each cone are computed, and the right one selected: `o` is the normal out of the
// cone, `e` how far out the relative velocity is (m/s, below 0 inside).
PLOYI_INLINE void ployi_orca_agent_lines(const ployi_orca_law *law, const ployi_orca_self *self,
                                         ployi_orca_near *restrict near,
                                         ployi_orca_lines *restrict lines) {
    float ox[PLOYI_ORCA_NEAR], oy[PLOYI_ORCA_NEAR], limit[PLOYI_ORCA_NEAR];
    float blank[PLOYI_ORCA_NEAR];
    const float vx = self->vx, vy = self->vy, own = self->radius, mine = self->responsibility;
    const float over_horizon = law->over_horizon, over_dt = law->over_dt;
    int32_t count = near->count, full = ployi_orca_round_up(count);
    ployi_orca_fill(near->x + count, 0.0f);
    ployi_orca_fill(near->y + count, 0.0f);
    ployi_orca_fill(near->vx + count, 0.0f);
    ployi_orca_fill(near->vy + count, 0.0f);
    ployi_orca_fill(near->radius + count, 0.0f);
    ployi_orca_fill(near->responsibility + count, 0.0f);
    float any_blank = 0.0f;
    for (int32_t at = 0; at < full; at += PLOYI_ORCA_LANES) {
        PLOYI_ROLLED
        for (int32_t k = at; k < at + PLOYI_ORCA_LANES; k++) {
            float px = near->x[k], py = near->y[k];
            float ux = vx - near->vx[k], uy = vy - near->vy[k];
            float radius = own + near->radius[k], radius2 = radius * radius;
            float square = px * px + py * py;
            bool apart = square > radius2;
            float rate = apart ? over_horizon : over_dt;
            // From the middle of the tip to the relative velocity.
            float tx = ux - px * rate, ty = uy - py * rate;
            float tip2 = tx * tx + ty * ty;
            bool none = tip2 < 1e-30f;
            float tip = sqrtf(none ? 1.0f : tip2);
            float along = tx * px + ty * py;
            bool blunt = (!apart) | ((along < 0.0f) & (along * along > radius2 * tip2));
            // The leg on the side of the relative velocity; `side` is 1 for the left one.
            float side = px * ty - py * tx > 0.0f ? 1.0f : -1.0f;
            float safe = apart ? square : 1.0f;
            float leg = sqrtf(apart ? square - radius2 : 0.0f);
            float over = 1.0f / (blunt ? tip : safe); // of the two only one counts
            float lx = (px * leg - side * (py * radius)) * over;
            float ly = (side * (px * radius) + py * leg) * over;
            float nx = blunt ? tx * over : -(side * ly);
            float ny = blunt ? ty * over : side * lx;
            float e = blunt ? tip - radius * rate : side * (lx * uy - ly * ux);
            // 0 / 0 for the lanes behind the last is never looked at.
            float share = mine / (mine + near->responsibility[k]);
            ox[k] = -nx;
            oy[k] = -ny;
            limit[k] = share * e - (nx * vx + ny * vy);
            blank[k] = none ? 1.0f : 0.0f;
        }
    }
    for (int32_t k = 0; k < count; k++) any_blank += blank[k];
    if (any_blank > 0.0f) { // on the same spot at the same speed: no direction
        for (int32_t k = 0; k < count; k++) {
            if (blank[k] == 0.0f) continue;
            ploy_vec2 out = ployi_orca_part(self->number, near->number[k]);
            float radius = own + near->radius[k];
            float rate = near->x[k] * near->x[k] + near->y[k] * near->y[k] > radius * radius
                             ? over_horizon
                             : over_dt;
            ox[k] = -out.x;
            oy[k] = -out.y;
            limit[k] = -(mine / (mine + near->responsibility[k])) * radius * rate -
                       (out.x * vx + out.y * vy);
        }
    }
    int32_t to = lines->count;
    for (int32_t k = 0; k < count; k++) {
        lines->x[to] = ox[k];
        lines->y[to] = oy[k];
        lines->limit[to] = limit[k];
        lines->square[to] = near->square[k];
        lines->index[to] = near->index[k];
        to += limit[k] < self->max_speed; // those that no speed reaches are overwritten
    }
    lines->count = to;
}

// The first line at or behind `from` that v breaks by more than `slack`; count if there is none.
PLOYI_INLINE int32_t ployi_orca_first(const float *restrict x, const float *restrict y,
                                      const float *restrict limit, int32_t count, int32_t from,
                                      float vx, float vy, float slack) {
    if (count - from < PLOYI_ORCA_FEW) {
        while (from < count && !(x[from] * vx + y[from] * vy > limit[from] + slack)) from++;
        return from < count ? from : count;
    }
    int32_t full = ployi_orca_round_up(count);
    int32_t first[PLOYI_ORCA_LANES];
    for (int32_t at = from & ~(PLOYI_ORCA_LANES - 1); at < full; at += PLOYI_ORCA_LANES) {
        PLOYI_ROLLED
        for (int32_t k = 0; k < PLOYI_ORCA_LANES; k++) {
            bool broken = x[at + k] * vx + y[at + k] * vy > limit[at + k] + slack;
            first[k] = (broken & (at + k >= from)) ? at + k : count;
        }
        int32_t best = count;
        for (int32_t k = 0; k < PLOYI_ORCA_LANES; k++) best = first[k] < best ? first[k] : best;
        if (best < count) return best;
    }
    return count;
}

// What is left of a line, in m/s along it; lost is above 0 if nothing is.
typedef struct ployi_orca_span {
    float low, high, lost;
} ployi_orca_span;

// Cuts off what another line forbids of the line (nx, ny, c).
PLOYI_INLINE void ployi_orca_cut(float nx, float ny, float c, float x, float y, float limit,
                                 bool counts, float tolerance, float *low, float *high,
                                 float *lost) {
    float s = nx * y - ny * x;
    float rest = limit - c * (nx * x + ny * y);
    bool rises = (s > PLOYI_ORCA_PARALLEL) & counts;
    bool falls = (s < -PLOYI_ORCA_PARALLEL) & counts;
    float t = rest / ((rises | falls) ? s : 1.0f);
    *high = (rises & (t < *high)) ? t : *high;
    *low = (falls & (t > *low)) ? t : *low;
    bool none = counts & !rises & !falls & (rest < -tolerance);
    *lost = none ? 1.0f : *lost;
}

// The best velocity on line i within the lines before it and the circle: the one nearest to
// `aim`, or, with `far`, the one farthest in its direction. False, leaving v, if there is none.
PLOYI_INLINE bool ployi_orca_on_line(const float *restrict x, const float *restrict y,
                                     const float *restrict limit, int32_t i, float max_speed,
                                     ploy_vec2 aim, bool far, ploy_vec2 *v) {
    const float nx = x[i], ny = y[i], c = limit[i];
    const float tolerance = max_speed * PLOYI_ORCA_TOLERANCE;
    float room = max_speed * max_speed - c * c;
    if (!(room >= 0.0f)) {
        // Short of the circle by rounding alone: the one point that it touches.
        if (!(c >= -max_speed - tolerance)) return false;
        room = 0.0f;
    }
    float half = sqrtf(room);
    ployi_orca_span all = {-half, half, 0.0f};
    if (i < PLOYI_ORCA_FEW) {
        for (int32_t k = 0; k < i; k++) {
            ployi_orca_cut(nx, ny, c, x[k], y[k], limit[k], true, tolerance, &all.low, &all.high,
                           &all.lost);
        }
    } else {
        float low[PLOYI_ORCA_LANES], high[PLOYI_ORCA_LANES], lost[PLOYI_ORCA_LANES];
        ployi_orca_fill(low, -half);
        ployi_orca_fill(high, half);
        ployi_orca_fill(lost, 0.0f);
        for (int32_t at = 0; at < i; at += PLOYI_ORCA_LANES) {
            PLOYI_ROLLED
            for (int32_t k = 0; k < PLOYI_ORCA_LANES; k++) {
                ployi_orca_cut(nx, ny, c, x[at + k], y[at + k], limit[at + k], at + k < i,
                               tolerance, &low[k], &high[k], &lost[k]);
            }
        }
        for (int32_t k = 0; k < PLOYI_ORCA_LANES; k++) {
            all.low = low[k] > all.low ? low[k] : all.low;
            all.high = high[k] < all.high ? high[k] : all.high;
            all.lost += lost[k];
        }
    }
    if (all.lost > 0.0f || all.low > all.high + tolerance) return false;
    float along = nx * aim.y - ny * aim.x; // the line's direction is (-ny, nx)
    float t = far ? (along > 0.0f ? all.high : all.low) : along;
    t = t < all.low ? all.low : t;
    t = t > all.high ? all.high : t;
    v->x = c * nx - t * ny;
    v->y = c * ny + t * nx;
    return true;
}

// The plane program over lines [0, count). @return count, or the first line that could not be kept;
// v is the best for the lines before it then.
PLOYI_INLINE int32_t ployi_orca_plane(const float *restrict x, const float *restrict y,
                                      const float *restrict limit, int32_t count, float max_speed,
                                      ploy_vec2 aim, bool far, ploy_vec2 *v) {
    *v = far ? ploy_vec2_scale(aim, max_speed) : aim;
    const float slack = max_speed * PLOYI_ORCA_TOLERANCE;
    int32_t i = ployi_orca_first(x, y, limit, count, 0, v->x, v->y, slack);
    while (i < count) {
        if (!ployi_orca_on_line(x, y, limit, i, max_speed, aim, far, v)) return i;
        i = ployi_orca_first(x, y, limit, count, i + 1, v->x, v->y, slack);
    }
    return count;
}

// Breaks the worst of the lines behind the walls as little as possible: the space program. Line by
// line, from the first that failed: where line i is worst, v lies where no line before it is worse,
// which is a half-plane again, and as far against i as can be.
PLOYI_INLINE float ployi_orca_space(const ployi_orca_lines *restrict lines, int32_t failed,
                                    float max_speed, ploy_vec2 *v) {
    float x[PLOYI_ORCA_LINES], y[PLOYI_ORCA_LINES], limit[PLOYI_ORCA_LINES];
    const float slack = max_speed * PLOYI_ORCA_TOLERANCE;
    int32_t walls = lines->walls, count = lines->count;
    for (int32_t k = 0; k < walls; k++) {
        x[k] = lines->x[k];
        y[k] = lines->y[k];
        limit[k] = lines->limit[k];
    }
    float worst = 0.0f;
    int32_t i = failed < walls ? walls : failed;
    for (;;) {
        i = ployi_orca_first(lines->x, lines->y, lines->limit, count, i, v->x, v->y, worst + slack);
        if (i >= count) break;
        const float nx = lines->x[i], ny = lines->y[i], c = lines->limit[i];
        for (int32_t k = walls; k < i; k++) {
            float mx = lines->x[k] - nx, my = lines->y[k] - ny;
            float length = sqrtf(mx * mx + my * my);
            bool same = length < PLOYI_ORCA_PARALLEL; // the limits alone decide, and i is worse
            float over = 1.0f / (same ? 1.0f : length);
            x[k] = same ? 0.0f : mx * over;
            y[k] = same ? 0.0f : my * over;
            limit[k] = same ? FLT_MAX : (lines->limit[k] - c) * over;
        }
        ployi_orca_pad(x, y, limit, i);
        ploy_vec2 best, against = {-nx, -ny};
        // Its failing would be rounding: v stays as it is.
        if (ployi_orca_plane(x, y, limit, i, max_speed, against, true, &best) == i) *v = best;
        float broken = nx * v->x + ny * v->y - c;
        worst = broken > worst ? broken : worst;
        i++;
    }
    return worst;
}

// Both programs. lines must be padded.
PLOYI_INLINE ploy_orca_result ployi_orca_solve(const ployi_orca_lines *lines, ploy_vec2 wanted,
                                               float max_speed) {
    ploy_orca_result out = {wanted, 0.0f, lines->walls, lines->count};
    int32_t failed = ployi_orca_plane(lines->x, lines->y, lines->limit, lines->count, max_speed,
                                      wanted, false, &out.velocity);
    if (failed < lines->count) {
        out.violation = ployi_orca_space(lines, failed, max_speed, &out.velocity);
        if (failed < lines->walls) { // walls that leave no room at all count as well
            float broken = lines->x[failed] * out.velocity.x + lines->y[failed] * out.velocity.y -
                           lines->limit[failed];
            out.violation = broken > out.violation ? broken : out.violation;
        }
    }
    return out;
}
