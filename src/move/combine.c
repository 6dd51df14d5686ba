// Combining; the techniques are described in the header.
//
// One body serves plane and space: requests are ploy_steering3 here, on the plane with z = 0 and the
// turn about z, and `n` is 2 or 3.
#include "ploy/move/combine.h"

#include <string.h>

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
                   "smaller sums are passed over, of priority"),
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

static bool combine_ok(const ploy_combine_def *def) {
    return (uint32_t)def->mode <= PLOY_COMBINE_COOPERATE &&
           ployi_acceleration_ok(def->max_acceleration) &&
           ployi_acceleration_ok(def->max_angular_acceleration) &&
           ployi_within(def->epsilon, 1e-9, 1e6);
}

static bool combine_part_ok(float weight, int32_t group) {
    return ploy_is_finite(weight) && group >= 0 && group < PLOY_COMBINE_GROUPS;
}

// ---- parts ----

ploy_result ploy_combination_init(ploy_combination *combination, const ploy_combine_def *def,
                                  const ploy_env *env) {
    memset(combination, 0, sizeof *combination);
    combination->def.max_acceleration = NAN; // invalid until the settings are known to be good
    ploy_result result = ploy_fields_check(ploy_combine_fields(), def, env);
    if (result == PLOY_OK) combination->def = *def;
    return result;
}

static int32_t combine_find(const ploy_combination *combination, const char *name) {
    ploy_name wanted = ploy_name_of(name);
    for (int32_t i = 0; i < combination->part_count; i++) {
        if (ploy_name_equal(combination->parts[i].stream, wanted)) return i;
    }
    return -1;
}

static const ploy_steering_type combine_type;

// Is a combination inside a source? Without cycles, as add keeps it, the search ends.
static bool combine_reaches(const ploy_steering_source *source,
                            const ploy_combination *combination) {
    if (source->type != &combine_type) return false;
    const ploy_combination *inner = source->target;
    if (inner == combination) return true;
    for (int32_t i = 0; i < inner->part_count; i++) {
        if (combine_reaches(&inner->parts[i].source, combination)) return true;
    }
    return false;
}

ploy_result ploy_combination_add(ploy_combination *combination, const char *name,
                                 ploy_steering_source source, float weight) {
    ploy_name stream = ploy_name_of(name);
    if (ploy_name_is_none(stream) || source.type == NULL || !ploy_is_finite(weight) ||
        combine_find(combination, name) >= 0 || combine_reaches(&source, combination)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (combination->part_count >= PLOY_COMBINE_PARTS_MAX) return PLOY_ERR_CAPACITY;
    ploy_combine_part part = {name, source, stream, weight, 1.0f, 0, false};
    combination->parts[combination->part_count++] = part;
    return PLOY_OK;
}

ploy_combine_part *ploy_combination_part(ploy_combination *combination, const char *name) {
    int32_t i = combine_find(combination, name);
    return i >= 0 ? &combination->parts[i] : NULL;
}

ploy_result ploy_combination_switch(ploy_combination *combination, const char *name, bool on) {
    ploy_combine_part *part = ploy_combination_part(combination, name);
    if (part == NULL) return PLOY_ERR_NOT_FOUND;
    part->off = !on;
    return PLOY_OK;
}

ploy_result ployi_combination_weigh(ploy_combination *combination, const char *name, float weight) {
    ploy_combine_part *part = ploy_combination_part(combination, name);
    if (part == NULL) return PLOY_ERR_NOT_FOUND;
    if (!ploy_is_finite(weight)) return PLOY_ERR_ARGUMENT;
    part->weight = weight;
    return PLOY_OK;
}

static void combine_visit_part(ploy_visit *v, ploy_combine_part *part) {
    ploy_visit_begin(v, part->name, PLOY_STATE);
    ploy_visit_struct(v, "part", part, sizeof *part);
    PLOY_VISIT_SCRATCH(v, part->name);
    PLOY_VISIT_SCRATCH(v, part->stream);
    PLOY_VISIT_SCRATCH(v, part->source);
    ploy_describe_bool(v->describe, "on", PLOY_STATE, !part->off);
    ploy_visit_bool(v, "off", PLOY_SAVED, &part->off);
    ploy_visit_f32(v, "weight", PLOY_STATE, &part->weight);
    ploy_visit_f32_in(v, "probability", PLOY_STATE, &part->probability, 0.0f, 1.0f);
    ploy_visit_i32_in(v, "group", PLOY_STATE, &part->group, 0, PLOY_COMBINE_GROUPS - 1);
    ploy_steering_source_visit(v, &part->source);
    ploy_visit_end(v);
}

void ploy_combination_visit(ploy_visit *v, void *object) {
    ploy_combination *combination = object;
    PLOY_VISIT_SCRATCH(v, combination->part_count);
    PLOY_VISIT_SCRATCH(v, combination->urgency);
    PLOY_VISIT_SCRATCH(v, combination->urgency_user);
    PLOY_VISIT_SCRATCH(v, combination->requests);
    ploy_visit_begin(v, "settings", PLOY_DERIVED);
    ploy_visit_fields(v, "settings", PLOY_STATE, ploy_combine_fields(), &combination->def);
    ploy_visit_end(v);
    ploy_visit_begin(v, "parts", PLOY_SAVED);
    for (int32_t i = 0; i < combination->part_count; i++) {
        combine_visit_part(v, &combination->parts[i]);
    }
    ploy_visit_end(v);
}

void ploy_combination_describe(const ploy_combination *combination, ploy_describe *out) {
    ploy_visit_describe(ploy_combination_visit, combination, NULL, out);
}

// ---- requests of plane and space ----

static ploy_steering3 combine_lift(ploy_steering steering) {
    ploy_steering3 out = {{steering.linear.x, steering.linear.y, 0.0f},
                          {0.0f, 0.0f, steering.angular},
                          steering.requested};
    return out;
}

static ploy_steering combine_drop(ploy_steering3 steering) {
    ploy_steering out = {
        {steering.linear.x, steering.linear.y}, steering.angular.z, steering.requested};
    return out;
}

static float combine_length(ploy_vec3 v, int n) {
    return n == 2 ? ploy_vec2_length(ployi_planar(v)) : ploy_vec3_length(v);
}

static ploy_vec3 combine_limit(ploy_vec3 v, float max, int n) {
    return n == 2 ? ployi_plane(ploy_vec2_limit(ployi_planar(v), max)) : ploy_vec3_limit(v, max);
}

// The largest turn is about one axis on the plane, so the sign is all that its direction has.
static ploy_vec3 combine_limit_turn(ploy_vec3 v, float max, int n) {
    if (n == 3) return ploy_vec3_limit(v, max);
    v.z = ploy_clampf(v.z, -max, max);
    return v;
}

static float combine_turn(ploy_vec3 v, int n) {
    return n == 2 ? fabsf(v.z) : ploy_vec3_length(v);
}

static bool combine_asks(ploy_steering3 steering) {
    return (steering.requested & PLOY_STEERING_REQUESTED) != 0;
}

static ploy_steering3 combine_clip(const ploy_combine_def *def, ploy_steering3 steering, int n) {
    steering.linear = combine_limit(steering.linear, def->max_acceleration, n);
    steering.angular = combine_limit_turn(steering.angular, def->max_angular_acceleration, n);
    return steering;
}

// ---- one step ----

// What a method works with.
typedef struct combine_step {
    const ploy_combination *combination;
    const ploy_steering_context *context;
    int n;
    uint32_t invalid; // PLOY_STEERING_INVALID if a part was
} combine_step;

static bool combine_is_on(const ploy_combine_part *part) {
    return !part->off && part->weight != 0.0f;
}

// One part, weighted, with a separate stream of random numbers.
static ploy_steering3 combine_run(combine_step *step, const ploy_combine_part *part,
                                  const ploy_steering_context *context) {
    const ploy_steering_source *source = &part->source;
    ploy_steering_context own;
    if (!source->type->drawless) {
        own = *context;
        own.key = ploy_rng_key_split(context->key, part->stream.hash);
        context = &own;
    }
    ploy_steering3 out = step->n == 2 ? combine_lift(ploy_steering_source_steer(source, context))
                                      : ploy_steering_source_steer3(source, context);
    const ploy_combination *combination = step->combination;
    if (combination->requests != NULL) combination->requests[part - combination->parts] = out;
    step->invalid |= out.requested & PLOY_STEERING_INVALID;
    if (!combine_asks(out)) return ploy_steering3_none();
    out.requested = PLOY_STEERING_REQUESTED;
    if (combination->def.normalise) {
        out.linear = step->n == 2 ? ployi_plane(ploy_vec2_normalise(ployi_planar(out.linear)))
                                  : ploy_vec3_normalise(out.linear);
    }
    return ploy_steering3_scale(out, part->weight);
}

static void combine_tell(const combine_step *step, const ploy_combine_part *part,
                         ploy_outcome outcome, ploy_steering3 steering, const char *reason) {
    ploy_trace *trace = step->context->trace;
    if (trace == NULL) return;
    ploy_trace_option(trace, part->name, outcome, (double)combine_length(steering.linear, step->n),
                      reason);
    if (combine_asks(steering)) ployi_trace_vec(trace, part->name, steering.linear, step->n);
}

static ploy_steering3 combine_sum(combine_step *step, int32_t group) {
    ploy_steering3 sum = ploy_steering3_none();
    for (int32_t i = 0; i < step->combination->part_count; i++) {
        const ploy_combine_part *part = &step->combination->parts[i];
        if ((group >= 0 && part->group != group) || !combine_is_on(part)) continue;
        ploy_steering3 one = combine_run(step, part, step->context);
        bool asks = combine_asks(one);
        combine_tell(step, part, asks ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST, one,
                     asks ? "added" : "requests nothing");
        sum = ploy_steering3_add(sum, one);
    }
    return combine_clip(&step->combination->def, sum, step->n);
}

static ploy_steering3 combine_running_sum(combine_step *step) {
    const ploy_combine_def *def = &step->combination->def;
    ploy_steering3 sum = ploy_steering3_none();
    float left = def->max_acceleration, turn_left = def->max_angular_acceleration;
    for (int32_t i = 0; i < step->combination->part_count; i++) {
        const ploy_combine_part *part = &step->combination->parts[i];
        if (!combine_is_on(part)) continue;
        if (!(left > 0.0f) && !(turn_left > 0.0f && part->source.type->turns)) {
            combine_tell(step, part, PLOY_OUTCOME_SKIPPED, ploy_steering3_none(),
                         "nothing is left");
            continue;
        }
        ploy_steering3 one = combine_run(step, part, step->context);
        bool cut = combine_length(one.linear, step->n) > left;
        one.linear = combine_limit(one.linear, left, step->n);
        one.angular = combine_limit_turn(one.angular, turn_left, step->n);
        combine_tell(step, part, combine_asks(one) ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST, one,
                     !combine_asks(one) ? "requests nothing"
                     : cut              ? "gets what is left"
                                        : "added in full");
        sum = ploy_steering3_add(sum, one);
        // By the length of the sum and not of its parts: opposite requests give some back.
        left = def->max_acceleration - combine_length(sum.linear, step->n);
        turn_left = def->max_angular_acceleration - combine_turn(sum.angular, step->n);
        if (left < 1e-6f * def->max_acceleration) left = 0.0f; // what rounding leaves
    }
    return combine_clip(def, sum, step->n);
}

static bool combine_is_zero(ploy_steering3 steering) {
    return ploy_vec3_is_zero(steering.linear) && ploy_vec3_is_zero(steering.angular);
}

static ploy_steering3 combine_dither(combine_step *step) {
    const ploy_steering_context *context = step->context;
    bool settled = false;
    ploy_steering3 out = ploy_steering3_none();
    for (int32_t i = 0; i < step->combination->part_count; i++) {
        const ploy_combine_part *part = &step->combination->parts[i];
        if (!combine_is_on(part)) continue;
        float draw =
            ploy_rng_float_at(context->key, context->id.id.index, context->tick, (uint32_t)i);
        if (settled || !(draw < part->probability)) {
            combine_tell(step, part, PLOY_OUTCOME_SKIPPED, ploy_steering3_none(),
                         settled ? "one before it was taken" : "not drawn");
            continue;
        }
        // Stronger for being seldom, so that it does as much on average.
        ploy_steering3 one =
            ploy_steering3_scale(combine_run(step, part, context), 1.0f / part->probability);
        settled = combine_asks(one) && !combine_is_zero(one);
        combine_tell(step, part, settled ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST, one,
                     settled ? "drawn, and requests something" : "drawn, but requests nothing");
        if (settled) out = combine_clip(&step->combination->def, one, step->n);
    }
    return out;
}

// The groups that exist, most urgent first; equal ones by number, as insertion is stable.
static int32_t combine_order(const combine_step *step, int32_t *order) {
    const ploy_combination *combination = step->combination;
    float urgency[PLOY_COMBINE_GROUPS];
    int32_t count = 0;
    for (int32_t group = 0; group < PLOY_COMBINE_GROUPS; group++) {
        bool exists = false;
        for (int32_t i = 0; i < combination->part_count; i++) {
            exists = exists || combination->parts[i].group == group;
        }
        if (!exists) continue;
        urgency[group] =
            combination->urgency == NULL
                ? 0.0f
                : combination->urgency(combination->urgency_user, group, step->context);
        int32_t at = count++;
        for (; at > 0 && urgency[order[at - 1]] < urgency[group]; at--) order[at] = order[at - 1];
        order[at] = group;
    }
    return count;
}

static ploy_steering3 combine_priority(combine_step *step) {
    int32_t order[PLOY_COMBINE_GROUPS];
    int32_t count = combine_order(step, order);
    float epsilon = step->combination->def.epsilon;
    ploy_trace *trace = step->context->trace;
    ploy_steering3 out = ploy_steering3_none();
    for (int32_t k = 0; k < count; k++) {
        ploy_trace_begin(trace, step->context->id, "group", "weighted sum");
        out = combine_sum(step, order[k]);
        bool enough = combine_length(out.linear, step->n) > epsilon ||
                      combine_turn(out.angular, step->n) > epsilon;
        ploy_trace_i64(trace, "group", order[k]);
        ploy_trace_note(trace,
                        enough ? "This group decides." : "Below epsilon; the next group is tried.");
        ploy_trace_end(trace);
        if (enough) break;
    }
    return out;
}

static ploy_steering3 combine_cooperate(combine_step *step) {
    ploy_steering_context seen = *step->context;
    ploy_steering3 out = ploy_steering3_none();
    for (int32_t i = 0; i < step->combination->part_count; i++) {
        const ploy_combine_part *part = &step->combination->parts[i];
        if (!combine_is_on(part)) continue;
        seen.earlier = combine_drop(out);
        seen.earlier3 = out;
        ploy_steering3 one = combine_run(step, part, &seen);
        bool asks = combine_asks(one);
        combine_tell(step, part, asks ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST, one,
                     asks ? "replaces what was requested" : "leaves the request as it is");
        if (asks) out = one;
    }
    return combine_clip(&step->combination->def, out, step->n);
}

// Weights and groups are open to the caller, so they are looked at in every step.
static bool combine_parts_ok(const ploy_combination *combination) {
    if (combination->part_count < 0 || combination->part_count > PLOY_COMBINE_PARTS_MAX) {
        return false;
    }
    for (int32_t i = 0; i < combination->part_count; i++) {
        const ploy_combine_part *part = &combination->parts[i];
        if (!combine_part_ok(part->weight, part->group) || part->source.type == NULL) return false;
    }
    return true;
}

static ploy_steering3 combine_body(const ploy_combination *combination,
                                   const ploy_steering_context *context, int n) {
    if (!combine_ok(&combination->def) || !combine_parts_ok(combination)) {
        return ploy_steering3_invalid();
    }
    combine_step step = {combination, context, n, 0};
    ploy_steering3 out = ploy_steering3_none();
    for (int32_t i = 0; combination->requests != NULL && i < combination->part_count; i++) {
        combination->requests[i] = ploy_steering3_none();
    }
    ploy_combine_mode mode = combination->def.mode;
    ploy_trace_begin(context->trace, context->id, "steer", combine_modes[mode]);
    switch (mode) {
    case PLOY_COMBINE_SUM: out = combine_sum(&step, -1); break;
    case PLOY_COMBINE_RUNNING_SUM: out = combine_running_sum(&step); break;
    case PLOY_COMBINE_DITHER: out = combine_dither(&step); break;
    case PLOY_COMBINE_PRIORITY: out = combine_priority(&step); break;
    case PLOY_COMBINE_COOPERATE: out = combine_cooperate(&step); break;
    }
    if (context->trace != NULL) {
        ployi_trace_vec(context->trace, "acceleration", out.linear, n);
        if (step.invalid != 0) ploy_trace_note(context->trace, "A part has invalid settings.");
        ploy_trace_end(context->trace);
    }
    out.requested |= step.invalid;
    return out;
}

ploy_steering ploy_combine(const ploy_combination *combination,
                           const ploy_steering_context *context) {
    return combine_drop(combine_body(combination, context, 2));
}

ploy_steering3 ploy_combine3(const ploy_combination *combination,
                             const ploy_steering_context *context) {
    return combine_body(combination, context, 3);
}

// ---- as a source ----

static ploy_steering combine_source_steer(const ploy_steering_source *source,
                                          const ploy_steering_context *context) {
    return ploy_combine(source->target, context);
}

static ploy_steering3 combine_source_steer3(const ploy_steering_source *source,
                                            const ploy_steering_context *context) {
    return ploy_combine3(source->target, context);
}

static void combine_source_visit(ploy_visit *v, const ploy_steering_source *source) {
    ploy_combination_visit(v, (void *)(uintptr_t)source->target); // changed only by a load
}

static const ploy_steering_type combine_type = {
    "combination", combine_source_steer, combine_source_steer3, combine_source_visit, 0, true,
    false};

ploy_steering_source ploy_combination_source(const ploy_combination *combination) {
    ploy_steering_source source = {&combine_type, NULL, combination, NULL, NULL, 0, false};
    return source;
}

// ---- batch ----

ploy_combine_lane ploy_combine_lane_make(ploy_steerings steerings, float weight) {
    ploy_combine_lane lane = {steerings, weight, 1.0f, 0};
    return lane;
}

// A lane as a source: the request of the agent that the context's id names.
static ploy_steering combine_lane_steer(const ploy_steering_source *source,
                                        const ploy_steering_context *context) {
    const ploy_combine_lane *lane = source->target;
    return ploy_steerings_get(&lane->steerings, (int32_t)context->id.id.index);
}

static const ploy_steering_type combine_lane_type = {
    "lane", combine_lane_steer, NULL, NULL, 0, true, true};

ploy_result ploy_combine_batch(const ploy_combine_def *def, const ploy_combine_lane *lanes,
                               int32_t lane_count, int32_t first, int32_t count, ploy_rng_key key,
                               uint64_t tick, const ploy_steerings *out) {
    if (def == NULL || !combine_ok(def) || lane_count < 0 || lane_count > PLOY_COMBINE_LANES_MAX ||
        (lanes == NULL && lane_count > 0)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_combination combination;
    memset(&combination, 0, sizeof combination);
    combination.def = *def;
    combination.part_count = lane_count;
    for (int32_t k = 0; k < lane_count; k++) {
        ploy_result result = ployi_steerings_check_in(&lanes[k].steerings, first, count);
        if (result != PLOY_OK) return result;
        ploy_steering_source source = {&combine_lane_type, NULL, &lanes[k], NULL, NULL, 0, false};
        ploy_combine_part part = {
            "lane", source, {0}, lanes[k].weight, lanes[k].probability, lanes[k].group, false};
        combination.parts[k] = part;
    }
    if (!combine_parts_ok(&combination)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_steerings_check(out, first, count);
    if (result != PLOY_OK) return result;
    ploy_kinematic nowhere = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    ploy_steering_context context =
        ploy_steering_context_make(nowhere, ploy_agent_id_none(), 0.0f, tick, key);
    for (int32_t i = first; i < first + count; i++) {
        context.id = ploy_agent_id_make((uint32_t)i, 1);
        ploy_steerings_set(out, i, ploy_combine(&combination, &context));
    }
    return PLOY_OK;
}

ploy_vec2 ploy_slide(ploy_vec2 requested, ploy_vec2 normal, float time, float horizon, float push,
                     ploy_vec2 toward) {
    if (!(time < horizon) || !(horizon > 0.0f)) return requested;
    float into = ploy_minf(0.0f, ploy_vec2_dot(requested, normal));
    ploy_vec2 slide = ploy_vec2_add_scaled(requested, normal, -into);
    float length = ploy_vec2_length(requested);
    if (ploy_vec2_length(slide) <= 1e-3f * length) {
        // Head on: along the wall, to the side where the goal is.
        ploy_vec2 along = ploy_vec2_perp(normal);
        slide = ploy_vec2_scale(along, ploy_vec2_dot(along, toward) < 0.0f ? -length : length);
    }
    float closeness = 1.0f - ploy_maxf(time, 0.0f) / horizon;
    return ploy_vec2_add_scaled(slide, normal, push * closeness);
}
