#include "bench/orca_plain.h"

#include <float.h>
#include <math.h>

#include "ploy/base/math.h"

enum { ORCA_PLAIN_LEAF = 10 };

// Allowed are velocities on the left of the line.
typedef struct orca_plain_line {
    ploy_vec2 point, direction;
} orca_plain_line;

typedef struct orca_plain_list {
    int32_t who[ORCA_PLAIN_NEIGHBOURS];
    float square[ORCA_PLAIN_NEIGHBOURS];
    int32_t count;
    float reach; // m^2; those farther away no longer count
} orca_plain_list;

// ---- the tree ----

static void orca_plain_build(orca_plain *plain, int32_t number, int32_t first, int32_t last) {
    orca_plain_node *node = &plain->nodes[number];
    node->first = first;
    node->last = last;
    node->left = node->right = 0;
    node->low = node->high = plain->agents[plain->order[first]].position;
    for (int32_t i = first + 1; i < last; i++) {
        ploy_vec2 at = plain->agents[plain->order[i]].position;
        node->low = ploy_vec2_min(node->low, at);
        node->high = ploy_vec2_max(node->high, at);
    }
    if (last - first <= ORCA_PLAIN_LEAF) return;
    ploy_vec2 size = ploy_vec2_sub(node->high, node->low);
    bool by_x = size.x > size.y;
    float middle = by_x ? 0.5f * (node->low.x + node->high.x) : 0.5f * (node->low.y + node->high.y);
    int32_t at = first, end = last;
    while (at < end) {
        ploy_vec2 p = plain->agents[plain->order[at]].position;
        if ((by_x ? p.x : p.y) < middle) {
            at++;
        } else {
            int32_t other = plain->order[--end];
            plain->order[end] = plain->order[at];
            plain->order[at] = other;
        }
    }
    if (at == first) at++; // all on one spot
    int32_t left = plain->node_count, right = left + 1;
    plain->node_count += 2;
    node->left = left;
    node->right = right;
    orca_plain_build(plain, left, first, at);
    orca_plain_build(plain, right, at, last);
}

static float orca_plain_box_square(const orca_plain_node *node, ploy_vec2 p) {
    float x = ploy_maxf(0.0f, ploy_maxf(node->low.x - p.x, p.x - node->high.x));
    float y = ploy_maxf(0.0f, ploy_maxf(node->low.y - p.y, p.y - node->high.y));
    return x * x + y * y;
}

static void orca_plain_offer(const orca_plain *plain, int32_t self, int32_t other,
                             orca_plain_list *list) {
    float square =
        ploy_vec2_distance_sq(plain->agents[other].position, plain->agents[self].position);
    if (other == self || !(square < list->reach)) return;
    if (list->count < plain->max_neighbours) list->count++;
    int32_t at = list->count - 1;
    for (; at > 0 && square < list->square[at - 1]; at--) {
        list->square[at] = list->square[at - 1];
        list->who[at] = list->who[at - 1];
    }
    list->square[at] = square;
    list->who[at] = other;
    if (list->count == plain->max_neighbours) list->reach = list->square[list->count - 1];
}

static void orca_plain_query(const orca_plain *plain, int32_t number, int32_t self,
                             orca_plain_list *list) {
    const orca_plain_node *node = &plain->nodes[number];
    if (node->left == 0) {
        for (int32_t i = node->first; i < node->last; i++) {
            orca_plain_offer(plain, self, plain->order[i], list);
        }
        return;
    }
    ploy_vec2 p = plain->agents[self].position;
    float left = orca_plain_box_square(&plain->nodes[node->left], p);
    float right = orca_plain_box_square(&plain->nodes[node->right], p);
    bool left_first = left < right;
    float near = left_first ? left : right, far = left_first ? right : left;
    if (near < list->reach) {
        orca_plain_query(plain, left_first ? node->left : node->right, self, list);
    }
    if (far < list->reach) {
        orca_plain_query(plain, left_first ? node->right : node->left, self, list);
    }
}

// ---- half-planes ----

static orca_plain_line orca_plain_make_line(const orca_plain_agent *a, const orca_plain_agent *b,
                                            float horizon, float dt) {
    ploy_vec2 offset = ploy_vec2_sub(b->position, a->position);
    ploy_vec2 relative = ploy_vec2_sub(a->velocity, b->velocity);
    float radius = a->radius + b->radius, square = ploy_vec2_length_sq(offset);
    orca_plain_line line;
    ploy_vec2 change; // the smallest change of the relative velocity that leaves the cone
    bool overlap = square <= radius * radius;
    float time = overlap ? dt : horizon;
    ploy_vec2 from_tip = ploy_vec2_add_scaled(relative, offset, -1.0f / time);
    float tip_square = ploy_vec2_length_sq(from_tip), along = ploy_vec2_dot(from_tip, offset);
    if (overlap || (along < 0.0f && along * along > radius * radius * tip_square)) {
        float length = sqrtf(tip_square);
        ploy_vec2 unit = length > 0.0f ? ploy_vec2_scale(from_tip, 1.0f / length)
                                       : ploy_vec2_make(a < b ? 1.0f : -1.0f, 0.0f);
        line.direction = ploy_vec2_make(unit.y, -unit.x);
        change = ploy_vec2_scale(unit, radius / time - length);
    } else {
        float leg = sqrtf(square - radius * radius);
        if (ploy_vec2_cross(offset, from_tip) > 0.0f) {
            line.direction = ploy_vec2_make((offset.x * leg - offset.y * radius) / square,
                                            (offset.x * radius + offset.y * leg) / square);
        } else {
            line.direction = ploy_vec2_make(-(offset.x * leg + offset.y * radius) / square,
                                            -(offset.y * leg - offset.x * radius) / square);
        }
        float part = ploy_vec2_dot(relative, line.direction);
        change = ploy_vec2_sub(ploy_vec2_scale(line.direction, part), relative);
    }
    line.point = ploy_vec2_add_scaled(a->velocity, change, 0.5f);
    return line;
}

// ---- the programs ----

static bool orca_plain_on_line(const orca_plain_line *lines, int32_t i, float max_speed,
                               ploy_vec2 aim, bool far, ploy_vec2 *out) {
    const orca_plain_line *line = &lines[i];
    float middle = ploy_vec2_dot(line->point, line->direction);
    float room = middle * middle + max_speed * max_speed - ploy_vec2_length_sq(line->point);
    if (room < 0.0f) return false;
    float root = sqrtf(room), low = -middle - root, high = -middle + root;
    for (int32_t k = 0; k < i; k++) {
        float across = ploy_vec2_cross(line->direction, lines[k].direction);
        float rest =
            ploy_vec2_cross(lines[k].direction, ploy_vec2_sub(line->point, lines[k].point));
        if (fabsf(across) <= 1e-5f) {
            if (rest < 0.0f) return false;
            continue;
        }
        float t = rest / across;
        if (across >= 0.0f) {
            high = ploy_minf(high, t);
        } else {
            low = ploy_maxf(low, t);
        }
        if (low > high) return false;
    }
    float t = ploy_vec2_dot(line->direction, far ? aim : ploy_vec2_sub(aim, line->point));
    if (far) t = t > 0.0f ? high : low;
    t = ploy_minf(ploy_maxf(t, low), high);
    *out = ploy_vec2_add_scaled(line->point, line->direction, t);
    return true;
}

static bool orca_plain_breaks(const orca_plain_line *line, ploy_vec2 v, float by) {
    return ploy_vec2_cross(line->direction, ploy_vec2_sub(line->point, v)) > by;
}

static int32_t orca_plain_plane(const orca_plain_line *lines, int32_t count, float max_speed,
                                ploy_vec2 aim, bool far, ploy_vec2 *out) {
    *out = far ? ploy_vec2_scale(aim, max_speed) : ploy_vec2_limit(aim, max_speed);
    for (int32_t i = 0; i < count; i++) {
        if (!orca_plain_breaks(&lines[i], *out, 0.0f)) continue;
        if (!orca_plain_on_line(lines, i, max_speed, aim, far, out)) return i;
    }
    return count;
}

static void orca_plain_space(const orca_plain_line *lines, int32_t count, int32_t first,
                             float max_speed, ploy_vec2 *out) {
    float worst = 0.0f;
    for (int32_t i = first; i < count; i++) {
        if (!orca_plain_breaks(&lines[i], *out, worst)) continue;
        orca_plain_line between[ORCA_PLAIN_NEIGHBOURS];
        int32_t n = 0;
        for (int32_t k = 0; k < i; k++) {
            float across = ploy_vec2_cross(lines[i].direction, lines[k].direction);
            if (fabsf(across) <= 1e-5f) {
                if (ploy_vec2_dot(lines[i].direction, lines[k].direction) > 0.0f) continue;
                between[n].point = ploy_vec2_lerp(lines[i].point, lines[k].point, 0.5f);
            } else {
                float t = ploy_vec2_cross(lines[k].direction,
                                          ploy_vec2_sub(lines[i].point, lines[k].point)) /
                          across;
                between[n].point = ploy_vec2_add_scaled(lines[i].point, lines[i].direction, t);
            }
            between[n++].direction =
                ploy_vec2_normalise(ploy_vec2_sub(lines[k].direction, lines[i].direction));
        }
        ploy_vec2 before = *out;
        if (orca_plain_plane(between, n, max_speed, ploy_vec2_perp(lines[i].direction), true, out) <
            n) {
            *out = before;
        }
        worst = ploy_vec2_cross(lines[i].direction, ploy_vec2_sub(lines[i].point, *out));
    }
}

void orca_plain_step(orca_plain *plain, float dt) {
    for (int32_t i = 0; i < plain->count; i++) plain->order[i] = i;
    plain->node_count = 1;
    orca_plain_build(plain, 0, 0, plain->count);
    for (int32_t i = 0; i < plain->count; i++) {
        orca_plain_agent *agent = &plain->agents[i];
        orca_plain_list list;
        list.count = 0;
        list.reach = plain->range * plain->range;
        orca_plain_query(plain, 0, i, &list);
        orca_plain_line lines[ORCA_PLAIN_NEIGHBOURS];
        for (int32_t k = 0; k < list.count; k++) {
            lines[k] = orca_plain_make_line(agent, &plain->agents[list.who[k]], plain->horizon, dt);
        }
        int32_t failed = orca_plain_plane(lines, list.count, agent->max_speed, agent->wanted, false,
                                          &agent->next);
        agent->feasible = failed == list.count;
        if (!agent->feasible) {
            orca_plain_space(lines, list.count, failed, agent->max_speed, &agent->next);
        }
    }
    for (int32_t i = 0; i < plain->count; i++) {
        orca_plain_agent *agent = &plain->agents[i];
        agent->velocity = agent->next;
        agent->position = ploy_vec2_add_scaled(agent->position, agent->velocity, dt);
    }
}
