// Flow following and containment; described in the header.
#include "ploy/move/flow.h"

#include "move/steer_internal.h"

static const ploy_field flow_fields[] = {
    PLOY_FIELD_DEF(ploy_flow_def, match, ploy_match_fields, "how it takes on the velocity"),
    PLOY_FIELD_F32(ploy_flow_def, predict_time, 0.2, 0, 100, "s", "look ahead"),
    PLOY_FIELD_F32(ploy_flow_def, speed_factor, 1, -1e3, 1e3, "",
                   "the field's vectors times this are velocities"),
};

static const ploy_field flow_contain_fields[] = {
    PLOY_FIELD_DEF(ploy_contain_def, seek, ploy_seek_fields, "how it comes back"),
    PLOY_FIELD_F32(ploy_contain_def, predict_time, 0.5, 0, 100, "s", "look ahead"),
    PLOY_FIELD_F32(ploy_contain_def, margin, 0.5, 0, PLOY_POSITION_MAX_M, "m",
                   "distance to the edge that is kept"),
};

ploy_fields ploy_flow_fields(void) {
    return PLOY_FIELDS(ploy_flow_def, flow_fields);
}

ploy_flow_def ploy_flow_def_default(void) {
    ploy_flow_def def;
    ploy_fields_default(ploy_flow_fields(), &def);
    return def;
}

ploy_fields ploy_contain_fields(void) {
    return PLOY_FIELDS(ploy_contain_def, flow_contain_fields);
}

ploy_contain_def ploy_contain_def_default(void) {
    ploy_contain_def def;
    ploy_fields_default(ploy_contain_fields(), &def);
    return def;
}

// The cell of a coordinate and the fraction of the distance to the next; held within the grid.
static int32_t flow_cell(float place, int32_t count, float *part) {
    float most = (float)(count - 1);
    float held = ploy_clampf(place, 0.0f, most);
    float cell = floorf(held);
    if (cell >= most && count > 1) cell = most - 1.0f;
    *part = count > 1 ? held - cell : 0.0f;
    return (int32_t)cell;
}

ploy_vec2 ploy_flow_grid_at(const ploy_flow_grid *grid, ploy_vec2 point) {
    if (grid == NULL || grid->vectors == NULL || grid->columns < 1 || grid->rows < 1 ||
        !(grid->spacing > 0.0f)) {
        return ploy_vec2_zero();
    }
    float u = 0.0f, v = 0.0f;
    int32_t column = flow_cell((point.x - grid->origin.x) / grid->spacing, grid->columns, &u);
    int32_t row = flow_cell((point.y - grid->origin.y) / grid->spacing, grid->rows, &v);
    int32_t right = ploy_mini(column + 1, grid->columns - 1);
    int32_t above = ploy_mini(row + 1, grid->rows - 1);
    const ploy_vec2 *low = grid->vectors + (ptrdiff_t)row * grid->columns;
    const ploy_vec2 *high = grid->vectors + (ptrdiff_t)above * grid->columns;
    return ploy_vec2_lerp(ploy_vec2_lerp(low[column], low[right], u),
                          ploy_vec2_lerp(high[column], high[right], u), v);
}

static ploy_vec2 flow_grid_field_at(const void *user, ploy_vec2 point) {
    return ploy_flow_grid_at(user, point);
}

ploy_flow_field ploy_flow_grid_field(const ploy_flow_grid *grid) {
    ploy_flow_field field = {flow_grid_field_at, grid};
    return field;
}

PLOYI_INLINE bool flow_ok(const ploy_flow_def *def) {
    return ployi_within(def->predict_time, 0, 100) && ployi_within(def->speed_factor, -1e3, 1e3) &&
           ployi_acceleration_ok(def->match.max_acceleration) &&
           ployi_time_ok(def->match.time_to_target);
}

ploy_steering ploy_flow_follow(const ploy_flow_def *def, ploy_kinematic agent,
                               const ploy_flow_field *field) {
    if (!flow_ok(def)) return ploy_steering_invalid();
    if (field == NULL || field->at == NULL) return ploy_steering_none();
    ploy_vec2 from = ploy_vec2_add_scaled(agent.position, agent.velocity, def->predict_time);
    ploy_vec2 flow = ploy_vec2_scale(field->at(field->user, from), def->speed_factor);
    // The field is the game's: what is not finite there, or too fast, shall not spread.
    if (!ploy_vec2_is_finite(flow)) return ploy_steering_none();
    return ploy_match_velocity(&def->match, agent, ploy_vec2_limit(flow, PLOY_SPEED_MAX_MPS));
}

ploy_steering3 ploy_flow_follow3(const ploy_flow_def *def, ploy_kinematic3 agent,
                                 const ploy_flow_field3 *field) {
    if (!flow_ok(def)) return ploy_steering3_invalid();
    if (field == NULL || field->at == NULL) return ploy_steering3_none();
    ploy_vec3 from = ploy_vec3_add_scaled(agent.position, agent.velocity, def->predict_time);
    ploy_vec3 flow = ploy_vec3_scale(field->at(field->user, from), def->speed_factor);
    if (!ploy_vec3_is_finite(flow)) return ploy_steering3_none();
    return ploy_match_velocity3(&def->match, agent, ploy_vec3_limit(flow, PLOY_SPEED_MAX_MPS));
}

typedef struct flow_rule {
    const ploy_flow_def *flow;
    const ploy_flow_field *field;
    const ploy_flow_field3 *field3;
    const ploy_contain_def *contain;
    ploy_box2 box;
    ploy_box3 box3;
} flow_rule;

static ploy_steering flow_one(const void *rule, int32_t i, ploy_kinematic agent) {
    const flow_rule *r = rule;
    (void)i;
    if (r->flow != NULL) return ploy_flow_follow(r->flow, agent, r->field);
    return ploy_contain(r->contain, agent, r->box);
}

static ploy_steering3 flow_one3(const void *rule, int32_t i, ploy_kinematic3 agent) {
    const flow_rule *r = rule;
    (void)i;
    if (r->flow != NULL) return ploy_flow_follow3(r->flow, agent, r->field3);
    return ploy_contain3(r->contain, agent, r->box3);
}

ploy_result ploy_flow_follow_batch(const ploy_flow_def *def, const ploy_kinematics *agents,
                                   int32_t first, int32_t count, const ploy_flow_field *field,
                                   const ploy_steerings *out) {
    if (def == NULL || field == NULL || field->at == NULL || !flow_ok(def)) {
        return PLOY_ERR_ARGUMENT;
    }
    flow_rule rule = {def, field, NULL, NULL, {{0, 0}, {0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
    return ployi_each(agents, first, count, flow_one, &rule, out);
}

ploy_result ploy_flow_follow3_batch(const ploy_flow_def *def, const ploy_kinematics3 *agents,
                                    int32_t first, int32_t count, const ploy_flow_field3 *field,
                                    const ploy_steerings3 *out) {
    if (def == NULL || field == NULL || field->at == NULL || !flow_ok(def)) {
        return PLOY_ERR_ARGUMENT;
    }
    flow_rule rule = {def, NULL, field, NULL, {{0, 0}, {0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
    return ployi_each3(agents, first, count, flow_one3, &rule, out);
}

// ---- containment ----

PLOYI_INLINE bool flow_contain_law(const ploy_contain_def *def, ployi_approach_law *law) {
    return ployi_within(def->predict_time, 0, 100) && ployi_distance_ok(def->margin) &&
           ployi_seek_law(&def->seek, law);
}

PLOYI_INLINE float flow_hold(float x, float min, float max, float margin) {
    float low = min + margin, high = max - margin;
    if (low > high) return 0.5f * (min + max);
    return ploy_clampf(x, low, high);
}

PLOYI_INLINE ployi_pull flow_contain(const ploy_contain_def *def, const ployi_mover *agent,
                                     ploy_vec3 min, ploy_vec3 max, int n) {
    ployi_approach_law law;
    if (!flow_contain_law(def, &law)) return ployi_pull_invalid();
    ploy_vec3 from = ployi_plus_scaled(agent->position, agent->velocity, def->predict_time);
    ploy_vec3 held = {flow_hold(from.x, min.x, max.x, def->margin),
                      flow_hold(from.y, min.y, max.y, def->margin),
                      n == 3 ? flow_hold(from.z, min.z, max.z, def->margin) : 0.0f};
    if (held.x == from.x && held.y == from.y && (n == 2 || held.z == from.z)) {
        return ployi_pull_none();
    }
    // The distance back is counted from the place ahead: seen from where it is now, the point inside may
    // still lie before it.
    // As an offset: added to the position, a short one would lose its direction to rounding.
    ployi_pull pull = ployi_pull_none();
    pull.linear =
        ployi_approach_single(law, ployi_minus(held, from), agent->velocity, n, &pull.requested);
    return pull;
}

ploy_steering ploy_contain(const ploy_contain_def *def, ploy_kinematic agent, ploy_box2 box) {
    ployi_mover self = ployi_mover_of(agent, false);
    return ployi_pull_planar(
        flow_contain(def, &self, ployi_plane(box.min), ployi_plane(box.max), 2));
}

ploy_steering3 ploy_contain3(const ploy_contain_def *def, ploy_kinematic3 agent, ploy_box3 box) {
    ployi_mover self = ployi_mover3_of(agent);
    return ployi_pull_spatial(flow_contain(def, &self, box.min, box.max, 3));
}

ploy_result ploy_contain_batch(const ploy_contain_def *def, const ploy_kinematics *agents,
                               int32_t first, int32_t count, ploy_box2 box,
                               const ploy_steerings *out) {
    ployi_approach_law law;
    if (def == NULL || !flow_contain_law(def, &law)) return PLOY_ERR_ARGUMENT;
    flow_rule rule = {NULL, NULL, NULL, def, box, {{0, 0, 0}, {0, 0, 0}}};
    return ployi_each(agents, first, count, flow_one, &rule, out);
}

ploy_result ploy_contain3_batch(const ploy_contain_def *def, const ploy_kinematics3 *agents,
                                int32_t first, int32_t count, ploy_box3 box,
                                const ploy_steerings3 *out) {
    ployi_approach_law law;
    if (def == NULL || !flow_contain_law(def, &law)) return PLOY_ERR_ARGUMENT;
    flow_rule rule = {NULL, NULL, NULL, def, {{0, 0}, {0, 0}}, box};
    return ployi_each3(agents, first, count, flow_one3, &rule, out);
}
