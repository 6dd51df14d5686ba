// Combining; the techniques are described in the header.
#include "ploy/move/combine.h"

#include "move/move_internal.h"

static const char *const combine_modes[] = {"sum", "running sum", "dither", "priority",
                                            "cooperate"};

static const ploy_field combine_fields[] = {
    PLOY_FIELD_ENUM(ploy_combine_def, mode, PLOY_COMBINE_SUM, combine_modes, "how requests meet"),
    PLOY_FIELD_F32(ploy_combine_def, max_acceleration, 10, 0, PLOYI_ACCELERATION_MAX, "m/s^2",
                   "largest acceleration of the result"),
    PLOY_FIELD_F32(ploy_combine_def, max_angular_acceleration, 20, 0, PLOYI_ACCELERATION_MAX,
                   "rad/s^2", "largest angular acceleration of the result"),
    PLOY_FIELD_F32(ploy_combine_def, epsilon, 0.01, 1e-9, 1e6, "m/s^2",
                   "what is worth mentioning, of priority"),
    PLOY_FIELD_BOOL(ploy_combine_def, normalise, false,
                    "each request at length 1 before weighting"),
};

ploy_fields ploy_combine_fields(void) {
    return PLOY_FIELDS(ploy_combine_def, combine_fields);
}

ploy_combine_def ploy_combine_def_default(void) {
    ploy_combine_def def;
    ploy_fields_default(ploy_combine_fields(), &def);
    return def;
}

ploy_combine_part ploy_combine_part_make(ploy_steering_source source, float weight) {
    ploy_combine_part part = {source, weight, 1.0f, 0};
    return part;
}

static bool combine_ok(const ploy_combine_def *def) {
    return (uint32_t)def->mode <= PLOY_COMBINE_COOPERATE &&
           ployi_acceleration_ok(def->max_acceleration) &&
           ployi_acceleration_ok(def->max_angular_acceleration) &&
           ployi_within(def->epsilon, 1e-9, 1e6);
}

static ploy_steering combine_clip(const ploy_combine_def *def, ploy_steering steering) {
    steering.linear = ploy_vec2_limit(steering.linear, def->max_acceleration);
    steering.angular = ploy_clampf(steering.angular, -def->max_angular_acceleration,
                                   def->max_angular_acceleration);
    return steering;
}

// One part, weighted.
static ploy_steering combine_run(const ploy_combination *combination, const ploy_combine_part *part,
                                 const ploy_steering_context *context) {
    ploy_steering out = part->source.steer(part->source.user, context);
    if (out.requested == 0) return ploy_steering_none();
    if (combination->def.normalise) out.linear = ploy_vec2_normalise(out.linear);
    return ploy_steering_scale(out, part->weight);
}

static void combine_tell(const ploy_steering_context *context, const ploy_combine_part *part,
                         ploy_outcome outcome, ploy_steering steering, const char *reason) {
    if (context->trace == NULL) return;
    ploy_trace_option(context->trace, part->source.name, outcome,
                      (double)ploy_vec2_length(steering.linear), reason);
    if (steering.requested != 0) {
        ploy_trace_vec2(context->trace, part->source.name, steering.linear.x, steering.linear.y);
    }
}

static ploy_steering combine_sum(const ploy_combination *combination,
                                 const ploy_steering_context *context, int32_t group) {
    ploy_steering sum = ploy_steering_none();
    for (int32_t i = 0; i < combination->part_count; i++) {
        const ploy_combine_part *part = &combination->parts[i];
        if ((group >= 0 && part->group != group) || part->weight == 0.0f) continue;
        ploy_steering one = combine_run(combination, part, context);
        bool asks = one.requested != 0;
        combine_tell(context, part, asks ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST, one,
                     asks ? "added" : "asks for nothing");
        sum = ploy_steering_add(sum, one);
    }
    return combine_clip(&combination->def, sum);
}

static ploy_steering combine_running_sum(const ploy_combination *combination,
                                         const ploy_steering_context *context) {
    const ploy_combine_def *def = &combination->def;
    ploy_steering sum = ploy_steering_none();
    float left = def->max_acceleration, turn_left = def->max_angular_acceleration;
    for (int32_t i = 0; i < combination->part_count; i++) {
        const ploy_combine_part *part = &combination->parts[i];
        if (part->weight == 0.0f) continue;
        if (!(left > 0.0f) && !(turn_left > 0.0f)) {
            combine_tell(context, part, PLOY_OUTCOME_SKIPPED, ploy_steering_none(),
                         "nothing is left");
            continue;
        }
        ploy_steering one = combine_run(combination, part, context);
        bool cut = ploy_vec2_length(one.linear) > left;
        one.linear = ploy_vec2_limit(one.linear, left);
        one.angular = ploy_clampf(one.angular, -turn_left, turn_left);
        combine_tell(context, part, one.requested != 0 ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST, one,
                     cut ? "gets what is left" : "added in full");
        sum = ploy_steering_add(sum, one);
        // By the length of the sum and not of its parts: wishes that oppose each other give some back.
        left = def->max_acceleration - ploy_vec2_length(sum.linear);
        turn_left = def->max_angular_acceleration - fabsf(sum.angular);
        if (left < 1e-6f * def->max_acceleration) left = 0.0f; // what rounding leaves
    }
    return combine_clip(def, sum);
}

static ploy_steering combine_dither(const ploy_combination *combination,
                                    const ploy_steering_context *context) {
    bool settled = false;
    ploy_steering out = ploy_steering_none();
    for (int32_t i = 0; i < combination->part_count; i++) {
        const ploy_combine_part *part = &combination->parts[i];
        if (part->weight == 0.0f) continue;
        float draw =
            ploy_rng_float_at(context->key, context->id.id.index, context->tick, (uint32_t)i);
        if (settled || !(draw < part->probability)) {
            combine_tell(context, part, PLOY_OUTCOME_SKIPPED, ploy_steering_none(),
                         settled ? "one before it was taken" : "not drawn");
            continue;
        }
        // Stronger for being seldom, so that it does as much on average.
        ploy_steering one =
            ploy_steering_scale(combine_run(combination, part, context), 1.0f / part->probability);
        settled = one.requested != 0 && !(ploy_vec2_is_zero(one.linear) && one.angular == 0.0f);
        combine_tell(context, part, settled ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST, one,
                     settled ? "drawn, and asks for something" : "drawn, but asks for nothing");
        if (settled) out = combine_clip(&combination->def, one);
    }
    return out;
}

// The groups that exist, most urgent first; equal ones by number, as insertion is stable.
static int32_t combine_order(const ploy_combination *combination,
                             const ploy_steering_context *context, int32_t *order) {
    float urgency[PLOY_COMBINE_GROUPS];
    int32_t count = 0;
    for (int32_t group = 0; group < PLOY_COMBINE_GROUPS; group++) {
        bool exists = false;
        for (int32_t i = 0; i < combination->part_count; i++) {
            exists = exists || combination->parts[i].group == group;
        }
        if (!exists) continue;
        urgency[group] = combination->urgency == NULL
                             ? 0.0f
                             : combination->urgency(combination->urgency_user, group, context);
        int32_t at = count++;
        for (; at > 0 && urgency[order[at - 1]] < urgency[group]; at--) order[at] = order[at - 1];
        order[at] = group;
    }
    return count;
}

static ploy_steering combine_priority(const ploy_combination *combination,
                                      const ploy_steering_context *context) {
    int32_t order[PLOY_COMBINE_GROUPS];
    int32_t count = combine_order(combination, context, order);
    float epsilon = combination->def.epsilon;
    ploy_steering out = ploy_steering_none();
    for (int32_t k = 0; k < count; k++) {
        ploy_trace_begin(context->trace, context->id, "group", "weighted sum");
        out = combine_sum(combination, context, order[k]);
        bool enough = ploy_vec2_length(out.linear) > epsilon || fabsf(out.angular) > epsilon;
        ploy_trace_i64(context->trace, "group", order[k]);
        ploy_trace_note(context->trace, enough ? "This group decides."
                                               : "Not worth mentioning; the next group is asked.");
        ploy_trace_end(context->trace);
        if (enough) break;
    }
    return out;
}

static ploy_steering combine_cooperate(const ploy_combination *combination,
                                       const ploy_steering_context *context) {
    ploy_steering_context seen = *context;
    seen.wish = ploy_steering_none();
    for (int32_t i = 0; i < combination->part_count; i++) {
        const ploy_combine_part *part = &combination->parts[i];
        if (part->weight == 0.0f) continue;
        ploy_steering one = combine_run(combination, part, &seen);
        bool asks = one.requested != 0;
        combine_tell(context, part, asks ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST, one,
                     asks ? "puts this in place of the wish" : "leaves the wish as it is");
        if (asks) seen.wish = one;
    }
    return combine_clip(&combination->def, seen.wish);
}

ploy_steering ploy_combine(const ploy_combination *combination,
                           const ploy_steering_context *context) {
    ploy_steering out = ploy_steering_none();
    if (!combine_ok(&combination->def)) return out;
    ploy_combine_mode mode = combination->def.mode;
    ploy_trace_begin(context->trace, context->id, "steer", combine_modes[mode]);
    switch (mode) {
    case PLOY_COMBINE_SUM: out = combine_sum(combination, context, -1); break;
    case PLOY_COMBINE_RUNNING_SUM: out = combine_running_sum(combination, context); break;
    case PLOY_COMBINE_DITHER: out = combine_dither(combination, context); break;
    case PLOY_COMBINE_PRIORITY: out = combine_priority(combination, context); break;
    case PLOY_COMBINE_COOPERATE: out = combine_cooperate(combination, context); break;
    }
    ploy_trace_vec2(context->trace, "acceleration", out.linear.x, out.linear.y);
    ploy_trace_end(context->trace);
    return out;
}

static ploy_steering combine_source(void *user, const ploy_steering_context *context) {
    return ploy_combine(user, context);
}

ploy_steering_source ploy_combination_source(const char *name, ploy_combination *combination) {
    ploy_steering_source source = {name, combine_source, combination};
    return source;
}

ploy_combine_lane ploy_combine_lane_make(ploy_steerings steerings, float weight) {
    ploy_combine_lane lane = {steerings, weight, 1.0f, 0};
    return lane;
}

// A lane as a source: the request of the agent that the context's id names.
static ploy_steering combine_lane_steer(void *user, const ploy_steering_context *context) {
    const ploy_combine_lane *lane = user;
    return ploy_steerings_get(&lane->steerings, (int32_t)context->id.id.index);
}

ploy_result ploy_combine_batch(const ploy_combine_def *def, const ploy_combine_lane *lanes,
                               int32_t lane_count, int32_t first, int32_t count, ploy_rng_key key,
                               uint64_t tick, const ploy_steerings *out) {
    if (def == NULL || !combine_ok(def) || lane_count < 0 || lane_count > PLOY_COMBINE_LANES_MAX ||
        (lanes == NULL && lane_count > 0)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_combine_lane copies[PLOY_COMBINE_LANES_MAX]; // sources are not const
    ploy_combine_part parts[PLOY_COMBINE_LANES_MAX];
    for (int32_t k = 0; k < lane_count; k++) {
        ploy_result result = ployi_steerings_check_in(&lanes[k].steerings, first, count);
        if (result != PLOY_OK) return result;
        copies[k] = lanes[k];
        ploy_steering_source source = {"lane", combine_lane_steer, &copies[k]};
        ploy_combine_part part = {source, lanes[k].weight, lanes[k].probability, lanes[k].group};
        parts[k] = part;
    }
    ploy_result result = ploy_steerings_check(out, first, count);
    if (result != PLOY_OK) return result;
    ploy_combination combination = {*def, parts, lane_count, NULL, NULL};
    ploy_steering_context context = {ploy_kinematic_make(ploy_vec2_zero(), 0.0f),
                                     ploy_agent_id_make(0, 1),
                                     0.0f,
                                     tick,
                                     key,
                                     ploy_steering_none(),
                                     NULL};
    for (int32_t i = first; i < first + count; i++) {
        context.id = ploy_agent_id_make((uint32_t)i, 1);
        ploy_steerings_set(out, i, ploy_combine(&combination, &context));
    }
    return PLOY_OK;
}

ploy_vec2 ploy_slide(ploy_vec2 wish, ploy_vec2 normal, float time, float horizon, float push,
                     ploy_vec2 toward) {
    if (!(time < horizon) || !(horizon > 0.0f)) return wish;
    float into = ploy_minf(0.0f, ploy_vec2_dot(wish, normal));
    ploy_vec2 slide = ploy_vec2_add_scaled(wish, normal, -into);
    float length = ploy_vec2_length(wish);
    if (ploy_vec2_length(slide) <= 1e-3f * length) {
        // Head on: along the wall, to the side where the goal is.
        ploy_vec2 along = ploy_vec2_perp(normal);
        slide = ploy_vec2_scale(along, ploy_vec2_dot(along, toward) < 0.0f ? -length : length);
    }
    float closeness = 1.0f - ploy_maxf(time, 0.0f) / horizon;
    return ploy_vec2_add_scaled(slide, normal, push * closeness);
}
