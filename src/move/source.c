// Steering sources: contexts and calls. The sources of the behaviors are in sources.c (plane) and
// sources3.c (space).
#include "ploy/move/source.h"

static ploy_steering_context source_context(ploy_agent_id id, float dt, uint64_t tick,
                                            ploy_rng_key key) {
    ploy_steering_context context;
    context.agent = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    context.agent3 = ploy_kinematic3_make(ploy_vec3_zero());
    context.spatial = false;
    context.id = id;
    context.dt = dt;
    context.tick = tick;
    context.key = key;
    context.earlier = ploy_steering_none();
    context.earlier3 = ploy_steering3_none();
    context.trace = NULL;
    return context;
}

ploy_steering_context ploy_steering_context_make(ploy_kinematic agent, ploy_agent_id id, float dt,
                                                 uint64_t tick, ploy_rng_key key) {
    ploy_steering_context context = source_context(id, dt, tick, key);
    context.agent = agent;
    return context;
}

ploy_steering_context ploy_steering_context3_make(ploy_kinematic3 agent, ploy_agent_id id, float dt,
                                                  uint64_t tick, ploy_rng_key key) {
    ploy_steering_context context = source_context(id, dt, tick, key);
    context.agent3 = agent;
    context.spatial = true;
    return context;
}

ploy_steering_source ploy_steering_source_make(const ploy_steering_type *type, void *state) {
    ploy_steering_source source = {type, NULL, NULL, NULL, state, 0, false};
    return source;
}

ploy_steering ploy_steering_source_steer(const ploy_steering_source *source,
                                         const ploy_steering_context *context) {
    if (source->type == NULL) return ploy_steering_none();
    if (source->type->steer == NULL) return ploy_steering_invalid();
    return source->type->steer(source, context);
}

ploy_steering3 ploy_steering_source_steer3(const ploy_steering_source *source,
                                           const ploy_steering_context *context) {
    if (source->type == NULL) return ploy_steering3_none();
    if (source->type->steer3 == NULL) return ploy_steering3_invalid();
    return source->type->steer3(source, context);
}

void ploy_steering_source_visit(ploy_visit *v, void *object) {
    const ploy_steering_source *source = object;
    const char *name = source->type != NULL ? source->type->name : "none";
    ploy_describe_text(v->describe, "behavior", PLOY_NOTE, name);
    ploy_value behavior = ploy_value_text(name);
    ploy_visit_same(v, "behavior", PLOY_SAVED, &behavior);
    if (source->type != NULL && source->type->visit != NULL) source->type->visit(v, source);
}

void ploy_steering_source_describe(const ploy_steering_source *source, ploy_describe *out) {
    ploy_visit_describe(ploy_steering_source_visit, source, NULL, out);
}
