// Flight through air; the technique is described in the header.
#include "ploy/move/flight.h"

#include "move/move_internal.h"

#define FLIGHT_FORCE_MAX 1e5
#define FLIGHT_STEPS_MAX 1000000 // of one call: longer ones take longer steps
#define FLIGHT_PIECES 48         // of a drawn trajectory

static const ploy_field flight_fields[] = {
    PLOY_FIELD_VEC3(ploy_flight_def, gravity, 0, 0, -9.81, -FLIGHT_FORCE_MAX, FLIGHT_FORCE_MAX,
                    "m/s^2", "acceleration of free fall"),
    PLOY_FIELD_F32(ploy_flight_def, drag, 0, 0, 100, "1/s", "drag in proportion to the speed"),
    PLOY_FIELD_F32(ploy_flight_def, drag_squared, 0, 0, 10, "1/m",
                   "drag in proportion to the square of the speed"),
    PLOY_FIELD_VEC3(ploy_flight_def, wind, 0, 0, 0, -1e4, 1e4, "m/s", "velocity of the air"),
    PLOY_FIELD_VEC3(ploy_flight_def, spin, 0, 0, 0, -1e4, 1e4, "rad/s", "rotation of the body"),
    PLOY_FIELD_F32(ploy_flight_def, lift, 0, 0, 10, "", "strength of the lift by spin"),
    PLOY_FIELD_F32(ploy_flight_def, step, 0.01, 1e-4, 1, "s", "step where there is no formula"),
};

ploy_fields ploy_flight_fields(void) {
    return PLOY_FIELDS(ploy_flight_def, flight_fields);
}

ploy_flight_def ploy_flight_def_default(void) {
    ploy_flight_def def;
    ploy_fields_default(ploy_flight_fields(), &def);
    return def;
}

ploy_flight ploy_flight_make(const ploy_flight_def *def) {
    ploy_flight out = {*def, NULL, NULL};
    return out;
}

bool ployi_flight_is_exact(const ploy_flight *flight) {
    return flight->def.drag_squared == 0.0f && flight->def.lift == 0.0f && flight->force == NULL;
}

static bool flight_ok(const ploy_flight *flight) {
    const ploy_flight_def *def = &flight->def;
    return ployi_within(def->drag, 0, 100) && ployi_within(def->drag_squared, 0, 10) &&
           ployi_within(def->lift, 0, 10) && ployi_within(def->step, 1e-4, 1) &&
           ploy_vec3_is_finite(def->gravity) && ploy_vec3_is_finite(def->wind) &&
           ploy_vec3_is_finite(def->spin);
}

// One axis of drag in proportion to the speed. The air's velocity adds a constant pull k w, so it
// is gravity by another name: p'' = (g + k w) - k p'. In terms of x = k t:
//     v = v0 e^-x + a t (1 - e^-x) / x
//     p = p0 + v0 t (1 - e^-x) / x + a t^2 (x - 1 + e^-x) / x^2
// whose quotients have the limits 1 and 1/2 and are taken from their series where x is small.
typedef struct flight_factors {
    double t, decay, first, second;
} flight_factors;

static flight_factors flight_factors_make(double drag, double t) {
    flight_factors out = {t, 1.0, 1.0, 0.5};
    double x = drag * t;
    if (x < 1e-3) {
        out.first = 1.0 - x / 2.0 + x * x / 6.0 - x * x * x / 24.0;
        out.second = 0.5 - x / 6.0 + x * x / 24.0 - x * x * x / 120.0;
        out.decay = 1.0 - x * out.first;
    } else {
        out.decay = ploy_exp(-x);
        out.first = (1.0 - out.decay) / x;
        out.second = (x - 1.0 + out.decay) / (x * x);
    }
    return out;
}

static void flight_axis(const flight_factors *f, double drag, float gravity, float wind, float *p,
                        float *v) {
    double a = (double)gravity + drag * (double)wind, v0 = (double)*v;
    *p = (float)((double)*p + v0 * f->t * f->first + a * f->t * f->t * f->second);
    *v = (float)(v0 * f->decay + a * f->t * f->first);
}

static ploy_vec3 flight_acceleration(const ploy_flight *flight, ploy_vec3 position,
                                     ploy_vec3 velocity, float time) {
    const ploy_flight_def *def = &flight->def;
    ploy_vec3 past = ploy_vec3_sub(velocity, def->wind);
    float brake = def->drag + def->drag_squared * ploy_vec3_length(past);
    ploy_vec3 out = ploy_vec3_add_scaled(def->gravity, past, -brake);
    out = ploy_vec3_add_scaled(out, ploy_vec3_cross(def->spin, past), def->lift);
    if (flight->force != NULL) {
        out = ploy_vec3_add(out, flight->force(flight->user, position, velocity, time));
    }
    return out;
}

static ploy_flyer flight_runge_kutta(const ploy_flight *flight, ploy_flyer from, float dt) {
    static const float at[4] = {0.0f, 0.5f, 0.5f, 1.0f};
    static const float weight[4] = {1.0f / 6.0f, 1.0f / 3.0f, 1.0f / 3.0f, 1.0f / 6.0f};
    ploy_vec3 v = ploy_vec3_zero(), a = ploy_vec3_zero();
    ploy_flyer out = {from.position, from.velocity, from.time + dt};
    for (int i = 0; i < 4; i++) {
        ploy_vec3 position = ploy_vec3_add_scaled(from.position, v, at[i] * dt);
        v = ploy_vec3_add_scaled(from.velocity, a, at[i] * dt);
        a = flight_acceleration(flight, position, v, from.time + at[i] * dt);
        out.position = ploy_vec3_add_scaled(out.position, v, weight[i] * dt);
        out.velocity = ploy_vec3_add_scaled(out.velocity, a, weight[i] * dt);
    }
    return out;
}

ploy_flyer ploy_flight_step(const ploy_flight *flight, ploy_flyer flyer, float dt) {
    if (!ployi_within(dt, 0, 1e4) || !flight_ok(flight)) return flyer;
    const ploy_flight_def *def = &flight->def;
    if (ployi_flight_is_exact(flight)) {
        double drag = (double)def->drag;
        flight_factors factors = flight_factors_make(drag, (double)dt);
        ploy_vec3 *p = &flyer.position, *v = &flyer.velocity;
        flight_axis(&factors, drag, def->gravity.x, def->wind.x, &p->x, &v->x);
        flight_axis(&factors, drag, def->gravity.y, def->wind.y, &p->y, &v->y);
        flight_axis(&factors, drag, def->gravity.z, def->wind.z, &p->z, &v->z);
        flyer.time += dt;
        return flyer;
    }
    double wanted = ceil((double)dt / (double)def->step);
    int32_t steps = wanted < FLIGHT_STEPS_MAX ? (int32_t)wanted : FLIGHT_STEPS_MAX;
    for (int32_t i = 0; i < steps; i++) {
        ploy_flyer next = flight_runge_kutta(flight, flyer, dt / (float)steps);
        // Drag too stiff for the step can blow up; then it stays where it last made sense.
        if (!ploy_vec3_is_finite(next.position) || !ploy_vec3_is_finite(next.velocity)) break;
        flyer = next;
    }
    return flyer;
}

bool ploy_flight_landing(const ploy_flight *flight, ploy_flyer flyer, float height, float max_time,
                         ploy_landing *out) {
    if (!ployi_within(max_time, 0, 1e4) || !flight_ok(flight)) return false;
    float start = flyer.time, dt = ploy_maxf(flight->def.step, max_time / 1e5f);
    bool above = flyer.position.z >= height;
    while (flyer.time - start < max_time) {
        ploy_flyer next = ploy_flight_step(flight, flyer, dt);
        if (!ploy_vec3_is_finite(next.position) || !(next.time > flyer.time)) return false;
        if (above && next.position.z <= height && next.velocity.z < 0.0f) {
            float fall = flyer.position.z - next.position.z;
            float part = fall > 0.0f ? (flyer.position.z - height) / fall : 0.0f;
            out->point = ploy_vec3_lerp(flyer.position, next.position, part);
            out->point.z = height;
            out->time = flyer.time - start + part * dt;
            return true;
        }
        above = next.position.z >= height;
        flyer = next;
    }
    return false;
}

void ploy_flight_draw(const ploy_flight *flight, ploy_flyer flyer, float time, ploy_style style,
                      ploy_agent_id owner, ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_PATHS)) return;
    ploy_vec3 points[FLIGHT_PIECES + 1];
    for (int32_t i = 0; i <= FLIGHT_PIECES; i++) {
        points[i] = flyer.position;
        flyer = ploy_flight_step(flight, flyer, time / FLIGHT_PIECES);
    }
    ploy_draw_item item = {PLOY_SHAPE_LINE,
                           PLOY_LAYER_PATHS,
                           style,
                           owner.id,
                           points,
                           FLIGHT_PIECES + 1,
                           0.0f,
                           0.0f,
                           1.0f,
                           NULL,
                           NULL};
    ploy_draw_item_out(out, &item);
}

#undef FLIGHT_FORCE_MAX
#undef FLIGHT_STEPS_MAX
#undef FLIGHT_PIECES
