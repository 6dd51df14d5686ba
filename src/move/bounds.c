// The edges of the world. Axes are independent, so one body serves them all.
#include "ploy/move/bounds.h"

#include "move/move_internal.h"

static const char *const bounds_edges[] = {"wrap", "wall", "none"};

static const ploy_field bounds_fields[] = {
    PLOY_FIELD_ENUM(ploy_bounds_def, edge, PLOY_BOUNDS_WRAP, bounds_edges,
                    "what happens to agents that reach the edge"),
    PLOY_FIELD_VEC3(ploy_bounds_def, min, -20, -12, -12, -PLOY_POSITION_MAX_M, PLOY_POSITION_MAX_M,
                    "m", "lowest corner of the world"),
    PLOY_FIELD_VEC3(ploy_bounds_def, max, 20, 12, 12, -PLOY_POSITION_MAX_M, PLOY_POSITION_MAX_M,
                    "m", "highest corner of the world"),
};

ploy_fields ploy_bounds_fields(void) {
    return PLOY_FIELDS(ploy_bounds_def, bounds_fields);
}

ploy_bounds_def ploy_bounds_def_default(void) {
    ploy_bounds_def def;
    ploy_fields_default(ploy_bounds_fields(), &def);
    return def;
}

static void bounds_axis(ploy_bounds_edge edge, float min, float max, float *position,
                        float *velocity) {
    float x = *position;
    if (!(min < max) || (x >= min && x < max) || edge == PLOY_BOUNDS_NONE) return;
    if (edge == PLOY_BOUNDS_WRAP) {
        // In double, as far beyond the edge the float remainder would have few digits left.
        double width = (double)max - (double)min;
        double turns = floor(((double)x - (double)min) / width);
        x = (float)((double)x - turns * width);
        // Rounding to float may end up on the far edge, which is the near one.
        *position = x >= min && x < max ? x : min;
        return;
    }
    if (x < min) {
        *position = min;
        if (*velocity < 0.0f) *velocity = 0.0f;
    } else if (x > max) {
        *position = max;
        if (*velocity > 0.0f) *velocity = 0.0f;
    }
}

ploy_kinematic ploy_bounds_apply(const ploy_bounds_def *def, ploy_kinematic agent) {
    bounds_axis(def->edge, def->min.x, def->max.x, &agent.position.x, &agent.velocity.x);
    bounds_axis(def->edge, def->min.y, def->max.y, &agent.position.y, &agent.velocity.y);
    return agent;
}

ploy_kinematic3 ploy_bounds_apply3(const ploy_bounds_def *def, ploy_kinematic3 agent) {
    bounds_axis(def->edge, def->min.x, def->max.x, &agent.position.x, &agent.velocity.x);
    bounds_axis(def->edge, def->min.y, def->max.y, &agent.position.y, &agent.velocity.y);
    bounds_axis(def->edge, def->min.z, def->max.z, &agent.position.z, &agent.velocity.z);
    return agent;
}

// One axis of a range. Nearly all agents are inside, so a branch that is never taken is cheaper than
// arithmetic for all.
static void bounds_column(ploy_bounds_edge edge, float min, float max, float *positions,
                          size_t position_stride, float *velocities, size_t velocity_stride,
                          int32_t first, int32_t count) {
    char *position = (char *)positions + position_stride * (size_t)first;
    char *velocity = (char *)velocities + velocity_stride * (size_t)first;
    for (int32_t i = 0; i < count; i++) {
        bounds_axis(edge, min, max, (float *)(void *)(position + position_stride * (size_t)i),
                    (float *)(void *)(velocity + velocity_stride * (size_t)i));
    }
}

ploy_result ploy_bounds_apply_batch(const ploy_bounds_def *def, const ploy_kinematics *agents,
                                    int32_t first, int32_t count) {
    if (def == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics_check(agents, first, count);
    if (result != PLOY_OK || count == 0) return result;
    size_t p = agents->position_stride, v = agents->velocity_stride;
    bounds_column(def->edge, def->min.x, def->max.x, agents->x, p, agents->vx, v, first, count);
    bounds_column(def->edge, def->min.y, def->max.y, agents->y, p, agents->vy, v, first, count);
    return PLOY_OK;
}

ploy_result ploy_bounds_apply3_batch(const ploy_bounds_def *def, const ploy_kinematics3 *agents,
                                     int32_t first, int32_t count) {
    if (def == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics3_check(agents, first, count);
    if (result != PLOY_OK || count == 0) return result;
    size_t p = agents->position_stride, v = agents->velocity_stride;
    bounds_column(def->edge, def->min.x, def->max.x, agents->x, p, agents->vx, v, first, count);
    bounds_column(def->edge, def->min.y, def->max.y, agents->y, p, agents->vy, v, first, count);
    bounds_column(def->edge, def->min.z, def->max.z, agents->z, p, agents->vz, v, first, count);
    return PLOY_OK;
}

static float bounds_offset_axis(ploy_bounds_edge edge, float min, float max, float from, float to) {
    float offset = to - from;
    if (edge != PLOY_BOUNDS_WRAP || !(min < max)) return offset;
    float width = max - min;
    offset -= width * floorf(offset / width + 0.5f);
    return offset;
}

ploy_vec2 ploy_bounds_offset(const ploy_bounds_def *def, ploy_vec2 from, ploy_vec2 to) {
    ploy_vec2 out = {bounds_offset_axis(def->edge, def->min.x, def->max.x, from.x, to.x),
                     bounds_offset_axis(def->edge, def->min.y, def->max.y, from.y, to.y)};
    return out;
}

ploy_vec3 ploy_bounds_offset3(const ploy_bounds_def *def, ploy_vec3 from, ploy_vec3 to) {
    ploy_vec3 out = {bounds_offset_axis(def->edge, def->min.x, def->max.x, from.x, to.x),
                     bounds_offset_axis(def->edge, def->min.y, def->max.y, from.y, to.y),
                     bounds_offset_axis(def->edge, def->min.z, def->max.z, from.z, to.z)};
    return out;
}

void ploy_bounds_draw(const ploy_bounds_def *def, ploy_draw *out) {
    ploy_vec2 corners[5] = {{def->min.x, def->min.y},
                            {def->max.x, def->min.y},
                            {def->max.x, def->max.y},
                            {def->min.x, def->max.y},
                            {def->min.x, def->min.y}};
    ploy_draw_polyline(out, PLOY_LAYER_WORLD,
                       def->edge == PLOY_BOUNDS_WALL ? PLOY_STYLE_WALL : PLOY_STYLE_GHOST,
                       ploy_agent_id_none(), corners, 5);
}
