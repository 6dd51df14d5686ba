// Steering sources that work on other sources, on context maps, on lists of maneuvers and on gaps.
#include "move/source_internal.h"
#include "move/steer_internal.h"
#include "ploy/move/agitate.h"
#include "ploy/move/collision.h"
#include "ploy/move/context.h"
#include "ploy/move/craft.h"
#include "ploy/move/jump.h"
#include "ploy/move/moves.h"
#include "ploy/move/seek.h"

static void sources_more_visit_inner(ploy_visit *v, const ploy_steering_source *source) {
    ploy_visit_begin(v, "filtered", PLOY_STATE);
    ploy_steering_source_visit(v, (void *)(uintptr_t)source->target); // changed only by a load
    ploy_visit_end(v);
}

// ---- passing by ----

#define PASS_BY_MAX 1e6

static const ploy_field pass_by_fields[] = {
    PLOY_FIELD_F32(ploy_pass_by_def, radius, 0.5, 0, PASS_BY_MAX, "m", "of the body to pass"),
    PLOY_FIELD_F32(ploy_pass_by_def, within, 4, 0, PASS_BY_MAX, "m",
                   "distance from which on it is passed at the side"),
};

ploy_fields ploy_pass_by_fields(void) {
    return PLOY_FIELDS(ploy_pass_by_def, pass_by_fields);
}

ploy_pass_by_def ploy_pass_by_def_default(void) {
    ploy_pass_by_def def;
    ploy_fields_default(ploy_pass_by_fields(), &def);
    return def;
}

static bool pass_by_ok(const ploy_pass_by_def *def) {
    return ployi_within(def->radius, 0, PASS_BY_MAX) && ployi_within(def->within, 0, PASS_BY_MAX);
}

#undef PASS_BY_MAX

static ploy_steering pass_by_steer(const ploy_steering_source *source,
                                   const ploy_steering_context *context) {
    const ploy_pass_by_def *def = source->def;
    if (!pass_by_ok(def)) return ploy_steering_invalid();
    ploy_steering out = ploy_steering_source_steer(source->target, context);
    out.linear = ploy_pass_by(context->agent.position, out.linear,
                              *(const ploy_vec2 *)source->other, def->radius, def->within);
    return out;
}

static ploy_steering3 pass_by_steer3(const ploy_steering_source *source,
                                     const ploy_steering_context *context) {
    const ploy_pass_by_def *def = source->def;
    if (!pass_by_ok(def)) return ploy_steering3_invalid();
    ploy_steering3 out = ploy_steering_source_steer3(source->target, context);
    out.linear = ploy_pass_by3(context->agent3.position, out.linear,
                               *(const ploy_vec3 *)source->other, def->radius, def->within);
    return out;
}

static const ploy_steering_type pass_by_type = {
    "pass by", pass_by_steer, NULL, sources_more_visit_inner, 0, true, false};
static const ploy_steering_type pass_by_type3 = {
    "pass by", NULL, pass_by_steer3, sources_more_visit_inner, 0, true, false};

ploy_result ploy_pass_by_source(const ploy_pass_by_def *def, const ploy_steering_source *filtered,
                                const ploy_vec2 *other, const ploy_env *env,
                                ploy_steering_source *out) {
    ploy_steering_source source = {&pass_by_type, def, filtered, other, NULL, 0, false};
    bool missing = filtered == NULL || other == NULL;
    return ployi_source_publish(ploy_pass_by_fields(), &source, missing, env, out);
}

ploy_result ploy_pass_by3_source(const ploy_pass_by_def *def, const ploy_steering_source *filtered,
                                 const ploy_vec3 *other, const ploy_env *env,
                                 ploy_steering_source *out) {
    ploy_steering_source source = {&pass_by_type3, def, filtered, other, NULL, 0, false};
    bool missing = filtered == NULL || other == NULL;
    return ployi_source_publish(ploy_pass_by_fields(), &source, missing, env, out);
}

// ---- agitation ----

static bool agitate_ok(const ploy_agitate_def *def) {
    return ployi_within(def->patience, 0, PLOYI_TIME_MAX);
}

static ploy_steering agitate_steer(const ploy_steering_source *source,
                                   const ploy_steering_context *context) {
    if (!agitate_ok(source->def)) return ploy_steering_invalid();
    ploy_steering out = ploy_steering_source_steer(source->target, context);
    ploy_vec2 to = ploy_vec2_sub(*(const ploy_vec2 *)source->other, context->agent.position);
    float side = ploy_vec2_cross(context->agent.velocity, to);
    out.linear = ploy_agitate(source->def, source->state, out.linear, side, context->dt);
    return out;
}

static ploy_steering3 agitate_steer3(const ploy_steering_source *source,
                                     const ploy_steering_context *context) {
    if (!agitate_ok(source->def)) return ploy_steering3_invalid();
    ploy_steering3 out = ploy_steering_source_steer3(source->target, context);
    ploy_vec3 to = ploy_vec3_sub(*(const ploy_vec3 *)source->other, context->agent3.position);
    out.linear = ploy_agitate3(source->def, source->state, out.linear, to, context->dt);
    return out;
}

static void agitate_visit(ploy_visit *v, const ploy_steering_source *source) {
    ploy_visit_f32_in(v, "waited", PLOY_STATE, source->state, 0.0f, INFINITY);
    sources_more_visit_inner(v, source);
}

static const ploy_steering_type agitate_type = {"agitate",     agitate_steer, NULL, agitate_visit,
                                                sizeof(float), true,          false};
static const ploy_steering_type agitate_type3 = {"agitate",     NULL, agitate_steer3, agitate_visit,
                                                 sizeof(float), true, false};

ploy_result ploy_agitate_source(const ploy_agitate_def *def, const ploy_steering_source *filtered,
                                const ploy_vec2 *point, float *waited, const ploy_env *env,
                                ploy_steering_source *out) {
    ploy_steering_source source = {&agitate_type, def, filtered, point, waited, 0, false};
    bool missing = filtered == NULL || point == NULL || waited == NULL;
    return ployi_source_publish(ploy_agitate_fields(), &source, missing, env, out);
}

ploy_result ploy_agitate3_source(const ploy_agitate_def *def, const ploy_steering_source *filtered,
                                 const ploy_vec3 *point, float *waited, const ploy_env *env,
                                 ploy_steering_source *out) {
    ploy_steering_source source = {&agitate_type3, def, filtered, point, waited, 0, false};
    bool missing = filtered == NULL || point == NULL || waited == NULL;
    return ployi_source_publish(ploy_agitate_fields(), &source, missing, env, out);
}

// ---- context maps ----

static ploy_steering context_source_steer(const ploy_steering_source *source,
                                          const ploy_steering_context *context) {
    return ploy_context_steer(source->def, source->target, source->other, context->agent,
                              source->state);
}

static void context_source_visit(ploy_visit *v, const ploy_steering_source *source) {
    ploy_visit_i32_in(v, "last", PLOY_STATE, source->state, -1, INT32_MAX);
}

static const ploy_steering_type context_source_type = {
    "context", context_source_steer, NULL, context_source_visit, sizeof(int32_t), false, true};

ploy_result ploy_context_source(const ploy_context_def *def, const ploy_context *map,
                                const ploy_seek_def *seek, int32_t *last, const ploy_env *env,
                                ploy_steering_source *out) {
    ploy_steering_source source = {&context_source_type, def, map, seek, last, 0, false};
    bool missing =
        map == NULL || last == NULL || ploy_fields_check(ploy_seek_fields(), seek, env) != PLOY_OK;
    return ployi_source_publish(ploy_context_fields(), &source, missing, env, out);
}

// ---- maneuvers ----

static ploy_steering maneuver_steer(const ploy_steering_source *source,
                                    const ploy_steering_context *context) {
    ploy_maneuver_output wheel;
    if (!ploy_maneuver_step(source->target, source->state, context->agent, &wheel)) {
        return ploy_steering_none();
    }
    ploy_craft_controls controls = {wheel.thrust, wheel.steer};
    return ploy_craft_forces(source->def, context->agent, controls);
}

static void maneuver_source_visit(ploy_visit *v, const ploy_steering_source *source) {
    ploy_maneuver_visit(v, source->state);
}

static const ploy_steering_type maneuver_type = {
    "maneuver", maneuver_steer, NULL, maneuver_source_visit, sizeof(ploy_maneuver_state), true,
    true};

ploy_result ploy_maneuver_source(const ploy_craft_def *def, const ploy_maneuvers *maneuvers,
                                 ploy_maneuver_state *state, const ploy_env *env,
                                 ploy_steering_source *out) {
    ploy_steering_source source = {&maneuver_type, def, maneuvers, NULL, state, 0, false};
    bool missing = maneuvers == NULL || state == NULL;
    return ployi_source_publish(ploy_craft_fields(), &source, missing, env, out);
}

// ---- gaps ----

ploy_jump_gaps ploy_jump_gaps_make(uint32_t mask) {
    ploy_jump_gaps gaps = {mask, 5.0f, 0.5f, 1.0f, false};
    return gaps;
}

static ploy_steering jump_gaps_steer(const ploy_steering_source *source,
                                     const ploy_steering_context *context) {
    ploy_jump_gaps *gaps = source->state;
    return ploy_jump_detect(source->def, source->target, gaps->mask, context->agent, gaps->look,
                            gaps->radius, gaps->min_speed, &gaps->now);
}

static void jump_gaps_visit(ploy_visit *v, const ploy_steering_source *source) {
    ploy_jump_gaps *gaps = source->state;
    ploy_visit_struct(v, "gaps", gaps, sizeof *gaps);
    ploy_visit_u32(v, "mask", PLOY_STATE, &gaps->mask);
    ploy_visit_f32_in(v, "look", PLOY_STATE, &gaps->look, 0.0f, 1e6f);
    ploy_visit_f32_in(v, "radius", PLOY_STATE, &gaps->radius, 0.0f, 1e6f);
    ploy_visit_f32_in(v, "min speed", PLOY_STATE, &gaps->min_speed, 0.0f, 1e6f);
    ploy_visit_bool(v, "now", PLOY_STATE, &gaps->now);
}

static const ploy_steering_type jump_gaps_type = {
    "jump detect", jump_gaps_steer, NULL, jump_gaps_visit, sizeof(ploy_jump_gaps), false, true};

ploy_result ploy_jump_detect_source(const ploy_jump_def *def, const ploy_scene *scene,
                                    ploy_jump_gaps *gaps, const ploy_env *env,
                                    ploy_steering_source *out) {
    ploy_steering_source source = {&jump_gaps_type, def, scene, NULL, gaps, 0, false};
    return ployi_source_publish(ploy_jump_fields(), &source, scene == NULL || gaps == NULL, env,
                                out);
}
