// Reciprocal avoidance for one agent: settings, walls, and the plain method of choosing neighbours.
// Described in the header; half-planes of agents and the linear programs are in orca_internal.h.
#include "ploy/move/orca.h"

#include "move/move_internal.h"

#include <string.h>

#include "move/flock_internal.h"
#include "move/orca_internal.h"

#define ORCA_TOUCHING 1e-12f // m, below which squares of distances lose their digits

static const ploy_field orca_fields[] = {
    PLOY_FIELD_F32(ploy_orca_def, horizon, 4, 0.01, 1e3, "s", "how far ahead agents are avoided"),
    PLOY_FIELD_F32(ploy_orca_def, wall_horizon, 1, 0.01, 1e3, "s", "how far ahead walls are"),
    PLOY_FIELD_F32(ploy_orca_def, range, 10, 1e-2, 1e6, "m", "those farther away do not count"),
    PLOY_FIELD_I32(ploy_orca_def, max_neighbours, 10, 1, PLOY_ORCA_NEIGHBOURS_MAX, "",
                   "how many of the nearest count"),
};

ploy_fields ploy_orca_fields(void) {
    return PLOY_FIELDS(ploy_orca_def, orca_fields);
}

ploy_orca_def ploy_orca_def_default(void) {
    ploy_orca_def def;
    ploy_fields_default(ploy_orca_fields(), &def);
    return def;
}

ploy_orca_agent ploy_orca_agent_make(ploy_vec2 position, float radius, float max_speed,
                                     uint32_t number) {
    ploy_orca_agent agent = {position, ploy_vec2_zero(), ploy_vec2_zero(), radius, max_speed, 1.0f,
                             number};
    return agent;
}

static bool orca_vec_ok(ploy_vec2 v, float max) {
    return fabsf(v.x) <= max && fabsf(v.y) <= max;
}

bool ployi_orca_agent_ok(const ploy_orca_agent *agent) {
    return agent != NULL && orca_vec_ok(agent->position, PLOY_POSITION_MAX_M) &&
           orca_vec_ok(agent->velocity, PLOY_SPEED_MAX_MPS) &&
           orca_vec_ok(agent->wanted, PLOY_SPEED_MAX_MPS) && ployi_within(agent->radius, 0, 1e5) &&
           ployi_speed_ok(agent->max_speed) && ployi_within(agent->responsibility, 0, 1e3);
}

bool ployi_orca_law_make(const ploy_orca_def *def, float dt, ployi_orca_law *out) {
    if (def == NULL || !ployi_within(def->horizon, 0.01, 1e3) ||
        !ployi_within(def->wall_horizon, 0.01, 1e3) || !ployi_within(def->range, 1e-2, 1e6) ||
        def->max_neighbours < 1 || def->max_neighbours > PLOY_ORCA_NEIGHBOURS_MAX ||
        !ployi_within(dt, 0, PLOY_DT_MAX_S)) {
        return false;
    }
    out->range_squared = def->range * def->range;
    // What is safe for less than a step is not safe.
    out->over_horizon = 1.0f / ploy_maxf(def->horizon, dt);
    out->wall_horizon = ploy_maxf(def->wall_horizon, dt);
    out->over_dt = 1.0f / ploy_maxf(dt, PLOYI_ORCA_DT_MIN);
    out->max_neighbours = def->max_neighbours;
    return true;
}

// Every agent of a heap has a seat on a circle, by its number. From the other's seat to one's own all
// directions point outward, so that the whole heap scatters; a direction for each pair by itself
// would hem agents in from all sides.
ploy_vec2 ployi_orca_part(uint32_t self, uint32_t other) {
    ploy_vec2 out = ploy_vec2_normalise(
        ploy_vec2_sub(ployi_flock_scatter((int32_t)self), ployi_flock_scatter((int32_t)other)));
    if (ploy_vec2_is_zero(out)) out.x = self < other ? 1.0f : -1.0f;
    return out;
}

// ---- walls ----

// An edge as an agent in front of it sees it. An open end lies at infinity.
typedef struct orca_edge_view {
    ploy_vec2 from, to; // m, from the agent
    ploy_vec2 along;    // unit
    ploy_vec2 out;      // unit normal on the agent's side
    float length;       // m, the edge's length
    float front;        // m, from the edge's line; below 0 behind it
    bool from_open, to_open;
    bool to_near; // the second corner is the nearer one
} orca_edge_view;

// Whether an edge goes on beyond the corner at which it meets another one: if `first` and `second`,
// in the order of the corners, lie in line or bend toward the agent, and the agent is in front of
// the other one too.
static bool orca_end_open(ploy_vec2 first, ploy_vec2 second, ploy_vec2 other, ploy_vec2 corner) {
    float length = ploy_vec2_length(other), bend = ploy_vec2_cross(first, second);
    float tolerance = 1e-4f * length;
    if (bend > tolerance) return false;
    if (bend >= -tolerance && ploy_vec2_dot(first, second) <= 0.0f) return false; // turns back
    return ploy_vec2_cross(other, corner) >= -1e-6f * length;
}

static orca_edge_view orca_edge_see(const ploy_orca_wall *wall, ploy_vec2 point) {
    orca_edge_view view;
    view.from = ploy_vec2_sub(wall->from, point);
    view.to = ploy_vec2_sub(wall->to, point);
    ploy_vec2 whole = ploy_vec2_sub(wall->to, wall->from);
    view.along = ploy_vec2_normalise(whole);
    view.out = ploy_vec2_make(view.along.y, -view.along.x);
    // From the nearer corner: the direction's rounding times a far one would be metres.
    view.to_near = ploy_vec2_length_sq(view.to) < ploy_vec2_length_sq(view.from);
    view.front = -ploy_vec2_dot(view.out, view.to_near ? view.to : view.from);
    ploy_vec2 next = ploy_vec2_sub(wall->after, wall->to);
    ploy_vec2 last = ploy_vec2_sub(wall->from, wall->before);
    view.to_open = orca_end_open(view.along, next, next, view.to);
    view.from_open = orca_end_open(last, view.along, last, view.from);
    view.length = ploy_vec2_length(whole);
    return view;
}

// The point of the edge, shrunk by `scale`, that is nearest to p; `end` says whether it is an end.
static ploy_vec2 orca_edge_nearest(const orca_edge_view *view, float scale, ploy_vec2 p,
                                   bool *end) {
    // Measured from the nearer corner, for the digits' sake as above.
    ploy_vec2 corner = ploy_vec2_scale(view->to_near ? view->to : view->from, scale);
    float s = ploy_vec2_dot(ploy_vec2_sub(p, corner), view->along), length = view->length * scale;
    bool below = !view->from_open && s <= (view->to_near ? -length : 0.0f);
    bool above = !view->to_open && s >= (view->to_near ? 0.0f : length);
    *end = below || above;
    if (below) return ploy_vec2_scale(view->from, scale);
    if (above) return ploy_vec2_scale(view->to, scale);
    return ploy_vec2_add_scaled(corner, view->along, s);
}

// The nearest point to the agent. Where that is within the edge it is computed from the distance in
// front, which loses fewer digits than the difference of far corners.
static ploy_vec2 orca_edge_foot(const orca_edge_view *view) {
    bool end;
    ploy_vec2 foot = orca_edge_nearest(view, 1.0f, ploy_vec2_zero(), &end);
    return end ? foot : ploy_vec2_scale(view->out, -view->front);
}

// To the edge itself, without what an open end adds: that is hidden by the edge next to it.
float ployi_orca_wall_distance(const ploy_orca_wall *wall, ploy_vec2 point) {
    orca_edge_view view = orca_edge_see(wall, point);
    if (view.front < 0.0f) return -1.0f;
    view.from_open = view.to_open = false;
    return ploy_vec2_length(orca_edge_foot(&view));
}

void ployi_orca_edges_add(ployi_orca_edge *edges, int32_t *count, float distance, int32_t index) {
    int32_t at = *count;
    while (at > 0 && (distance < edges[at - 1].distance ||
                      (distance == edges[at - 1].distance && index < edges[at - 1].index))) {
        if (at < PLOY_ORCA_WALLS_MAX) edges[at] = edges[at - 1];
        at--;
    }
    if (at >= PLOY_ORCA_WALLS_MAX) return;
    edges[at].distance = distance;
    edges[at].index = index;
    if (*count < PLOY_ORCA_WALLS_MAX) (*count)++;
}

// The tangent from the agent past a disc of the radius at a corner, unit; side is 1 for the left
// one. An agent that rounding has put into the disc is on its rim.
static ploy_vec2 orca_tangent(ploy_vec2 corner, float radius, float side) {
    float square = ploy_vec2_length_sq(corner);
    radius = ploy_minf(radius, sqrtf(square));
    float leg = sqrtf(ploy_maxf(square - radius * radius, 0.0f));
    return ploy_vec2_make((corner.x * leg - side * corner.y * radius) / square,
                          (side * corner.x * radius + corner.y * leg) / square);
}

// A candidate for the line along the edge of the forbidden set: the one that the velocity is
// farthest out of. For a convex set that is the nearest piece of its edge, from inside and outside.
typedef struct orca_support {
    ploy_vec2 out;
    float outside; // m/s
} orca_support;

static void orca_support_offer(orca_support *best, ploy_vec2 out, float outside) {
    if (!(outside > best->outside)) return;
    best->out = out;
    best->outside = outside;
}

// The leg on one side: the outermost tangent of the closed ends.
static void orca_support_leg(orca_support *best, const orca_edge_view *view, float radius,
                             float side, ploy_vec2 velocity) {
    if (side > 0.0f ? view->from_open : view->to_open) return; // it goes on to infinity there
    ploy_vec2 leg = orca_tangent(side > 0.0f ? view->from : view->to, radius, side);
    if (!view->from_open && !view->to_open) {
        // Seen from the end of the edge, the nearer corner hides the other one.
        ploy_vec2 other = orca_tangent(side > 0.0f ? view->to : view->from, radius, side);
        if (side * ploy_vec2_cross(leg, other) > 0.0f) leg = other;
    }
    ploy_vec2 out = ploy_vec2_scale(ploy_vec2_perp(leg), side);
    orca_support_offer(best, out, ploy_vec2_dot(out, velocity));
}

static orca_support orca_wall_support(const orca_edge_view *view, float radius, float horizon,
                                      ploy_vec2 velocity) {
    orca_support best = {view->out, -FLT_MAX};
    float over = 1.0f / horizon, tip = radius * over;
    if (view->front >= radius && !ploy_vec2_is_zero(view->out)) { // a point has ends alone
        orca_support_offer(&best, view->out,
                           ploy_vec2_dot(view->out, velocity) + (view->front - radius) * over);
    }
    bool end;
    ploy_vec2 nearest = orca_edge_nearest(view, over, velocity, &end);
    ploy_vec2 from_tip = ploy_vec2_sub(velocity, nearest);
    float length = ploy_vec2_length(from_tip);
    // The round end of the tip, if its tangent keeps the whole set on the far side.
    if (end && length > 1e-12f && ploy_vec2_dot(nearest, from_tip) <= -tip * length) {
        orca_support_offer(&best, ploy_vec2_scale(from_tip, 1.0f / length), length - tip);
    }
    orca_support_leg(&best, view, radius, 1.0f, velocity);
    orca_support_leg(&best, view, radius, -1.0f, velocity);
    return best;
}

void ployi_orca_wall_lines(const ployi_orca_law *law, const ployi_orca_self *self,
                           ploy_vec2 position, const ploy_orca_wall *walls,
                           const ployi_orca_edge *edges, int32_t count, ployi_orca_lines *lines) {
    ploy_vec2 velocity = {self->vx, self->vy};
    int32_t to = 0;
    for (int32_t k = 0; k < count; k++) {
        orca_edge_view view = orca_edge_see(&walls[edges[k].index], position);
        ploy_vec2 foot = orca_edge_foot(&view);
        float distance = ploy_vec2_length(foot);
        ploy_vec2 normal;
        float limit;
        if (distance <= ploy_maxf(self->radius, ORCA_TOUCHING)) {
            // Too near already: away from the nearest point, not faster than half of what it can
            // do, so that two walls that are too close leave it a choice.
            // On an edge without length there is no front, and any direction away is as good.
            normal = distance > 1e-6f              ? ploy_vec2_scale(foot, 1.0f / distance)
                     : ploy_vec2_is_zero(view.out) ? ploy_vec2_make(1.0f, 0.0f)
                                                   : ploy_vec2_negate(view.out);
            limit =
                ploy_maxf((distance - self->radius) / law->wall_horizon, -0.5f * self->max_speed);
        } else {
            orca_support support =
                orca_wall_support(&view, self->radius, law->wall_horizon, velocity);
            normal = ploy_vec2_negate(support.out);
            limit = ploy_vec2_dot(normal, velocity) + support.outside;
        }
        lines->x[to] = normal.x;
        lines->y[to] = normal.y;
        lines->limit[to] = limit;
        lines->index[to] = edges[k].index;
        to += limit < self->max_speed;
    }
    lines->count = lines->walls = to;
}

void ploy_orca_walls_make(const ploy_vec2 *corners, int32_t count, ploy_orca_wall *out) {
    for (int32_t i = 0; i < count; i++) {
        out[i].before = corners[(i + count - 1) % count];
        out[i].from = corners[i];
        out[i].to = corners[(i + 1) % count];
        out[i].after = corners[(i + 2) % count];
    }
}

// ---- one agent ----

PLOYI_INLINE void orca_agents_body(const ployi_orca_law *law, const ployi_orca_self *self,
                                   ployi_orca_near *near, ployi_orca_lines *lines,
                                   ploy_orca_result *out) {
    if (near->count > 0) ployi_orca_agent_lines(law, self, near, lines);
    ployi_orca_pad(lines->x, lines->y, lines->limit, lines->count);
    *out = ployi_orca_solve(lines, ploy_vec2_make(self->wx, self->wy), self->max_speed);
}
PLOYI_KERNEL(orca_agents,
             (const ployi_orca_law *law, const ployi_orca_self *self, ployi_orca_near *near,
              ployi_orca_lines *lines, ploy_orca_result *out),
             (law, self, near, lines, out))

// Keeps the nearest, sorted by distance, then number.
static void orca_near_add(ployi_orca_near *near, int32_t max, float square, ploy_vec2 offset,
                          const ploy_orca_agent *other, int32_t index) {
    int32_t at = near->count;
    while (at > 0 && (square < near->square[at - 1] ||
                      (square == near->square[at - 1] && other->number < near->number[at - 1]))) {
        at--;
    }
    if (at >= max) return;
    if (near->count < max) near->count++;
    for (int32_t k = near->count - 1; k > at; k--) {
        near->square[k] = near->square[k - 1];
        near->x[k] = near->x[k - 1];
        near->y[k] = near->y[k - 1];
        near->number[k] = near->number[k - 1];
        near->index[k] = near->index[k - 1];
    }
    near->square[at] = square;
    near->x[at] = offset.x;
    near->y[at] = offset.y;
    near->number[at] = other->number;
    near->index[at] = index;
}

static ploy_orca_result orca_nothing(void) {
    ploy_orca_result out = {{0.0f, 0.0f}, 0.0f, 0, 0};
    return out;
}

ploy_orca_result ploy_orca_find(const ploy_orca_def *def, const ploy_orca_agent *agent,
                                const ploy_orca_agent *others, int32_t other_count,
                                const ploy_orca_wall *walls, int32_t wall_count, float dt,
                                ploy_orca_line *lines) {
    ployi_orca_law law;
    ploy_orca_result out = orca_nothing();
    if (!ployi_orca_agent_ok(agent) || !ployi_orca_law_make(def, dt, &law)) return out;
    ployi_orca_self self = ployi_orca_self_of(agent);
    ployi_orca_near near;
    ployi_orca_lines planes;
    near.count = planes.count = planes.walls = 0;
    if (!(self.responsibility > 0.0f) || others == NULL) other_count = 0;
    for (int32_t i = 0; i < other_count; i++) {
        if (!ployi_orca_agent_ok(&others[i])) continue;
        ploy_vec2 offset = ploy_vec2_sub(others[i].position, agent->position);
        float square = ploy_vec2_length_sq(offset);
        if (!(square < law.range_squared)) continue;
        orca_near_add(&near, law.max_neighbours, square, offset, &others[i], i);
    }
    for (int32_t k = 0; k < near.count; k++) {
        const ploy_orca_agent *other = &others[near.index[k]];
        near.vx[k] = other->velocity.x;
        near.vy[k] = other->velocity.y;
        near.radius[k] = other->radius;
        near.responsibility[k] = ployi_orca_responsibility(other->responsibility, other->max_speed);
    }
    ployi_orca_edge edges[PLOY_ORCA_WALLS_MAX];
    int32_t edge_count = 0;
    float reach = ployi_orca_wall_reach(&law, &self);
    for (int32_t i = 0; i < wall_count && walls != NULL; i++) {
        float distance = ployi_orca_wall_distance(&walls[i], agent->position);
        if (!ployi_within(distance, 0, reach)) continue;
        ployi_orca_edges_add(edges, &edge_count, distance, i);
    }
    ployi_orca_wall_lines(&law, &self, agent->position, walls, edges, edge_count, &planes);
    orca_agents(&law, &self, &near, &planes, &out);
    for (int32_t k = 0; k < planes.count && lines != NULL; k++) {
        lines[k].normal = ploy_vec2_make(planes.x[k], planes.y[k]);
        lines[k].limit = planes.limit[k];
        lines[k].index = planes.index[k];
    }
    return out;
}

ploy_orca_result ployi_orca_solve_lines(const ploy_orca_line *lines, int32_t count, int32_t hard,
                                        ploy_vec2 wanted, float max_speed) {
    ploy_orca_result out = orca_nothing();
    ployi_orca_lines planes;
    if (count < 0 || count > PLOY_ORCA_LINES_MAX || hard < 0 || hard > count ||
        (count > 0 && lines == NULL) || !ployi_speed_ok(max_speed) ||
        !orca_vec_ok(wanted, PLOY_SPEED_MAX_MPS)) {
        return out;
    }
    for (int32_t k = 0; k < count; k++) {
        if (!orca_vec_ok(lines[k].normal, 1.01f) || !(fabsf(lines[k].limit) <= 1e15f)) return out;
        planes.x[k] = lines[k].normal.x;
        planes.y[k] = lines[k].normal.y;
        planes.limit[k] = lines[k].limit;
    }
    planes.count = count;
    planes.walls = hard;
    ployi_orca_self self = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, max_speed, 0.0f, 0};
    ploy_vec2 aim = ploy_vec2_limit(wanted, max_speed);
    self.wx = aim.x;
    self.wy = aim.y;
    ployi_orca_near near;
    ployi_orca_law law = {0.0f, 0.0f, 0.0f, 0.0f, 0};
    near.count = 0;
    orca_agents(&law, &self, &near, &planes, &out);
    return out;
}

// ---- sight ----

void ploy_orca_trace(const ploy_orca_result *result, const ploy_orca_line *lines, ploy_vec2 wanted,
                     ploy_agent_id id, ploy_trace *trace) {
    if (trace == NULL) return;
    ploy_trace_begin(trace, id, "steer", "orca");
    ploy_trace_vec2(trace, "wanted", wanted.x, wanted.y);
    ploy_trace_vec2(trace, "velocity", result->velocity.x, result->velocity.y);
    float speed = ploy_vec2_length(result->velocity);
    for (int32_t k = 0; k < result->lines; k++) {
        float room = lines[k].limit - ploy_vec2_dot(lines[k].normal, result->velocity);
        float asked = lines[k].limit - ploy_vec2_dot(lines[k].normal, wanted);
        char name[32] = "agent ";
        if (k < result->walls) memcpy(name, "wall  ", 6);
        ploy_value number = ploy_value_i64(lines[k].index);
        ploy_value_print(&number, name + (k < result->walls ? 5 : 6), sizeof name - 6);
        bool binds = fabsf(room) <= 1e-4f * (1.0f + speed);
        bool broken = room < 0.0f && !binds;
        ploy_trace_option(trace, name,
                          broken  ? PLOY_OUTCOME_REJECTED
                          : binds ? PLOY_OUTCOME_WON
                                  : PLOY_OUTCOME_LOST,
                          (double)-room,
                          broken         ? "there is no room to avoid it wholly"
                          : binds        ? "the velocity is at its limit"
                          : asked < 0.0f ? "avoided by chance"
                                         : "not in the way");
    }
    if (result->violation > 0.0f) {
        ploy_trace_f32(trace, "violation", result->violation);
        ploy_trace_note(trace, "No velocity avoids all agents; this one comes nearest to it.");
    }
    ploy_trace_end(trace);
}

enum { ORCA_ROUND = 32, ORCA_CORNERS = ORCA_ROUND + PLOY_ORCA_LINES_MAX };

// What is left of a convex polygon behind a half-plane; each line adds one corner at most.
static int32_t orca_clip(ploy_vec2 *corners, int32_t count, ploy_vec2 normal, float limit) {
    ploy_vec2 kept[ORCA_CORNERS];
    int32_t to = 0;
    for (int32_t i = 0; i < count; i++) {
        ploy_vec2 a = corners[i], b = corners[(i + 1) % count];
        float da = ploy_vec2_dot(normal, a) - limit, db = ploy_vec2_dot(normal, b) - limit;
        if (da <= 0.0f && to < ORCA_CORNERS) kept[to++] = a;
        if ((da < 0.0f && db > 0.0f) || (da > 0.0f && db < 0.0f)) {
            if (to < ORCA_CORNERS) kept[to++] = ploy_vec2_lerp(a, b, da / (da - db));
        }
    }
    for (int32_t i = 0; i < to; i++) corners[i] = kept[i];
    return to;
}

// The velocities that all half-planes allow.
static void orca_draw_allowed(const ploy_orca_result *result, const ploy_orca_line *lines,
                              const ploy_orca_agent *agent, float scale, ploy_agent_id id,
                              ploy_draw *out) {
    ploy_vec2 corners[ORCA_CORNERS];
    int32_t count = ORCA_ROUND;
    for (int32_t k = 0; k < ORCA_ROUND; k++) {
        float angle = (float)k * (2.0f * PLOY_PI_F / ORCA_ROUND);
        corners[k] =
            ploy_vec2_scale(ploy_vec2_make(ploy_cosf(angle), ploy_sinf(angle)), agent->max_speed);
    }
    for (int32_t k = 0; k < result->lines && count > 0; k++) {
        count = orca_clip(corners, count, lines[k].normal, lines[k].limit);
    }
    for (int32_t k = 0; k < count; k++) {
        corners[k] = ploy_vec2_add_scaled(agent->position, corners[k], scale);
    }
    if (count < 3) return;
    ploy_draw_polygon(out, PLOY_LAYER_FORCES, PLOY_STYLE_GOOD, id, corners, count, 0.35f);
}

void ploy_orca_draw(const ploy_orca_result *result, const ploy_orca_line *lines,
                    const ploy_orca_agent *agent, float scale, ploy_agent_id id, ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_FORCES)) return;
    float reach = agent->max_speed * scale;
    orca_draw_allowed(result, lines, agent, scale, id, out);
    ploy_draw_circle(out, PLOY_LAYER_FORCES, PLOY_STYLE_GHOST, id, agent->position, reach);
    for (int32_t k = 0; k < result->lines; k++) {
        float c = lines[k].limit * scale, half = sqrtf(ploy_maxf(reach * reach - c * c, 0.0f));
        ploy_vec2 foot = ploy_vec2_add_scaled(agent->position, lines[k].normal, c);
        ploy_vec2 along = ploy_vec2_perp(lines[k].normal);
        ploy_style style = k < result->walls ? PLOY_STYLE_WALL : PLOY_STYLE_WARNING;
        ploy_draw_line(out, PLOY_LAYER_FORCES, style, id, ploy_vec2_add_scaled(foot, along, -half),
                       ploy_vec2_add_scaled(foot, along, half));
        ploy_draw_line(out, PLOY_LAYER_FORCES, style, id, foot,
                       ploy_vec2_add_scaled(foot, lines[k].normal, 0.15f * reach));
    }
    ploy_draw_arrow(out, PLOY_LAYER_FORCES, PLOY_STYLE_TARGET, id, agent->position,
                    ploy_vec2_add_scaled(agent->position, agent->wanted, scale));
    ploy_draw_arrow(out, PLOY_LAYER_FORCES, PLOY_STYLE_VELOCITY, id, agent->position,
                    ploy_vec2_add_scaled(agent->position, result->velocity, scale));
}

#undef ORCA_TOUCHING
