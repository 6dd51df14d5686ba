// Incoming fire; the technique is described in the header.
#include "ploy/move/incoming.h"

#include "move/move_internal.h"

static const ploy_field incoming_fields[] = {
    PLOY_FIELD_F32(ploy_incoming_def, body_radius, 0.5, 0, 1000, "m", "reach of a touch"),
    PLOY_FIELD_F32(ploy_incoming_def, body_height, 1.8, 0, 1000, "m", "height of the body"),
    PLOY_FIELD_F32(ploy_incoming_def, catch_height, 1.3, 0, 1000, "m", "0: never catches"),
    PLOY_FIELD_F32(ploy_incoming_def, speed, 5, 0, PLOY_SPEED_MAX_MPS, "m/s", "running speed"),
    PLOY_FIELD_F32(ploy_incoming_def, reaction_time, 0.25, 0, 100, "s", "time before it moves"),
    PLOY_FIELD_F32(ploy_incoming_def, too_fast, 60, 0, PLOY_SPEED_MAX_MPS, "m/s",
                   "what is faster is not reacted to"),
    PLOY_FIELD_F32(ploy_incoming_def, blast_radius, 4, 0, 1e6, "m", "0: hurts by touching only"),
    PLOY_FIELD_F32(ploy_incoming_def, handling_time, 0.6, 0, 100, "s",
                   "time from catching to having thrown it back"),
    PLOY_FIELD_F32(ploy_incoming_def, horizon, 5, 0.01, 1000, "s", "how far it looks ahead"),
};

ploy_fields ploy_incoming_fields(void) {
    return PLOY_FIELDS(ploy_incoming_def, incoming_fields);
}

ploy_incoming_def ploy_incoming_def_default(void) {
    ploy_incoming_def def;
    ploy_fields_default(ploy_incoming_fields(), &def);
    return def;
}

const char *ploy_incoming_reaction_text(ploy_incoming_reaction reaction) {
    static const char *const texts[] = {"ignore", "flee", "dodge", "catch"};
    return (uint32_t)reaction < 4 ? texts[reaction] : "?";
}

// From the projectile at time t to the axis of the body.
static float incoming_gap(const ploy_incoming_def *def, const ploy_projectile *projectile,
                          ploy_vec3 feet, float t) {
    ploy_vec3 at = ploy_vec3_sub(ploy_projectile_at(projectile, t), feet);
    at.z -= ploy_clampf(at.z, 0.0f, def->body_height);
    return ploy_vec3_length(at);
}

// The nearest approach in [0, end]: samples, then thirds around the best of them.
static float incoming_nearest(const ploy_incoming_def *def, const ploy_projectile *projectile,
                              ploy_vec3 feet, float end, float *time) {
    enum { SAMPLES = 64, THIRDS = 24 };
    float step = end / SAMPLES, best = 0.0f, gap = incoming_gap(def, projectile, feet, 0.0f);
    for (int i = 1; i <= SAMPLES; i++) {
        float here = incoming_gap(def, projectile, feet, step * (float)i);
        if (here < gap) gap = here, best = step * (float)i;
    }
    float low = ploy_maxf(best - step, 0.0f), high = ploy_minf(best + step, end);
    for (int i = 0; i < THIRDS; i++) {
        float a = low + (high - low) / 3.0f, b = high - (high - low) / 3.0f;
        if (incoming_gap(def, projectile, feet, a) <= incoming_gap(def, projectile, feet, b)) {
            high = b;
        } else {
            low = a;
        }
    }
    float refined = incoming_gap(def, projectile, feet, 0.5f * (low + high));
    *time = refined < gap ? 0.5f * (low + high) : best;
    return ploy_minf(refined, gap);
}

static bool incoming_can_run(const ploy_incoming_def *def, float distance, float time) {
    return def->reaction_time + (def->speed > 0.0f ? distance / def->speed : INFINITY) <= time ||
           distance <= def->body_radius;
}

static ploy_vec2 incoming_away(ploy_vec2 from, ploy_vec2 here, ploy_vec2 flight, float radius) {
    ploy_vec2 offset = ploy_vec2_sub(here, from);
    // On the very spot any direction is as good; across the flight one is not overtaken by it.
    if (ploy_vec2_is_zero(offset)) offset = ploy_vec2_perp(flight);
    if (ploy_vec2_is_zero(offset)) offset = ploy_vec2_make(1.0f, 0.0f);
    return ploy_vec2_add(from, ploy_vec2_with_length(offset, radius));
}

ploy_result ploy_incoming_find(const ploy_incoming_def *def, const ploy_projectile *projectile,
                               float fuse, ploy_vec3 feet, ploy_incoming *out) {
    ploy_env quiet = ploy_env_default();
    if (def == NULL || projectile == NULL || out == NULL || fuse != fuse) return PLOY_ERR_ARGUMENT;
    if (ploy_fields_check(ploy_incoming_fields(), def, &quiet) != PLOY_OK ||
        !ploy_vec3_is_finite(projectile->position) || !ploy_vec3_is_finite(projectile->velocity) ||
        !ploy_vec3_is_finite(projectile->gravity) || !ploy_vec3_is_finite(feet)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_vec2 here = ploy_vec2_from_vec3(feet);
    ploy_vec2 flight = ploy_vec2_from_vec3(projectile->velocity);
    ploy_incoming in = {PLOY_INCOMING_IGNORE,       false, 0.0f, 0.0f, false,
                        {0.0f, {0.0f, 0.0f, 0.0f}}, here};
    float burst = fuse >= 0.0f ? fuse : INFINITY;
    in.lands =
        ploy_projectile_landing(projectile, feet.z, &in.landing) && in.landing.time <= def->horizon;
    float end = ploy_minf(in.lands ? in.landing.time : def->horizon, burst);
    in.nearest =
        incoming_nearest(def, projectile, feet, ploy_minf(end, def->horizon), &in.hit_time);
    in.hits = in.nearest <= def->body_radius;
    bool fast = ploy_vec3_length(projectile->velocity) > def->too_fast;
    ploy_vec2 down = ploy_vec2_from_vec3(in.landing.point);
    bool blast = in.lands && ploy_vec2_distance(down, here) < def->blast_radius;
    if (!fast && (in.hits || blast)) {
        ploy_landing chest;
        bool catches = def->catch_height > 0.0f &&
                       ploy_projectile_landing(projectile, feet.z + def->catch_height, &chest) &&
                       chest.time + def->handling_time <= burst && chest.time <= def->horizon;
        ploy_vec2 at = catches ? ploy_vec2_from_vec3(chest.point) : here;
        if (catches && incoming_can_run(def, ploy_vec2_distance(at, here), chest.time)) {
            in.reaction = PLOY_INCOMING_CATCH;
            in.go_to = at;
        } else if (blast) {
            in.reaction = PLOY_INCOMING_FLEE;
            in.go_to = incoming_away(down, here, flight, def->blast_radius);
        } else {
            ploy_vec3 passing = ploy_projectile_at(projectile, in.hit_time);
            ploy_vec2 side = ploy_vec2_normalise(ploy_vec2_perp(flight));
            ploy_vec2 offset = ploy_vec2_sub(here, ploy_vec2_from_vec3(passing));
            float sign = ploy_vec2_dot(offset, side) < 0.0f ? -1.0f : 1.0f;
            in.reaction = PLOY_INCOMING_DODGE;
            in.go_to = ploy_vec2_add_scaled(here, side, sign * 2.0f * def->body_radius);
        }
    }
    *out = in;
    return PLOY_OK;
}

void ploy_incoming_trace(const ploy_incoming_def *def, const ploy_incoming *incoming,
                         ploy_agent_id id, ploy_trace *trace) {
    if (trace == NULL) return;
    (void)def;
    ploy_trace_begin(trace, id, "incoming fire", "landing and nearest approach");
    for (int32_t i = 0; i < 4; i++) {
        bool won = (int32_t)incoming->reaction == i;
        ploy_trace_option(trace, ploy_incoming_reaction_text((ploy_incoming_reaction)i),
                          won ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST, NAN,
                          won ? "the first that applies" : "does not apply, or comes later");
    }
    ploy_trace_f32(trace, "nearest", incoming->nearest);
    ploy_trace_f32(trace, "in seconds", incoming->hit_time);
    if (incoming->lands) {
        ploy_trace_vec2(trace, "lands", incoming->landing.point.x, incoming->landing.point.y);
        ploy_trace_f32(trace, "lands in seconds", incoming->landing.time);
    }
    ploy_trace_end(trace);
}

void ploy_incoming_draw(const ploy_incoming_def *def, const ploy_incoming *incoming, ploy_vec3 feet,
                        ploy_agent_id owner, ploy_draw *out) {
    if (incoming->lands) {
        ploy_vec2 down = ploy_vec2_from_vec3(incoming->landing.point);
        ploy_draw_circle(out, PLOY_LAYER_REGIONS, PLOY_STYLE_BAD, owner, down, def->blast_radius);
        ploy_draw_point(out, PLOY_LAYER_REGIONS, PLOY_STYLE_BAD, owner, down);
    }
    if (incoming->reaction != PLOY_INCOMING_IGNORE) {
        ploy_draw_arrow(out, PLOY_LAYER_PATHS, PLOY_STYLE_WARNING, owner, ploy_vec2_from_vec3(feet),
                        incoming->go_to);
    }
}
