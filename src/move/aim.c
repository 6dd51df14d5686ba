// Aiming by trial; the technique is described in the header.
//
// The score of a trial is continuous in the elevation, rises to one peak and falls, which golden
// section and halving rely on: the height over the target's place where the shot first is as far
// out as the target. One that does not get so far is abandoned when it falls and is `slack` below
// the target; it scores the height that it falls through there (-slack, or its top, if that was
// lower: a flat shot must not beat one that passes far below the target, which is on the way up),
// less a part of the distance that was missing. The part is small because a steeper shot is a better one
// up to the highest, though the top comes nearer beyond 45 degrees.
#include "ploy/move/aim.h"

#include "move/move_internal.h"
#include "ploy/geom/angle.h"

#define AIM_GOLDEN_STEPS 24 // leaves 1e-5 of the half circle: the peak is flat there
#define AIM_GOLDEN 0.6180339887498949
#define AIM_MISSING 0.1 // m of score for each of the distance that was missing

static const char *const aim_arcs[] = {"low", "high"};

static const ploy_field aim_fields[] = {
    PLOY_FIELD_F32(ploy_aim_def, speed, 20, 1e-3, PLOY_SPEED_MAX_MPS, "m/s", "speed of the shot"),
    PLOY_FIELD_ENUM(ploy_aim_def, arc, PLOY_ARC_LOW, aim_arcs, "which of two arcs"),
    PLOY_FIELD_F32(ploy_aim_def, margin, 0.1, 1e-5, 1e6, "m", "a miss that counts as a hit"),
    PLOY_FIELD_F32(ploy_aim_def, interval, 0.05, 1e-4, 1, "s", "time between samples of a trial"),
    PLOY_FIELD_F32(ploy_aim_def, max_time, 20, 1e-3, 1000, "s", "longest flight"),
    PLOY_FIELD_I32(ploy_aim_def, halvings, 40, 1, 64, "", "most trials to find one elevation"),
    PLOY_FIELD_I32(ploy_aim_def, rounds, 8, 1, 100, "", "most corrections of the bearing"),
};

ploy_fields ploy_aim_fields(void) {
    return PLOY_FIELDS(ploy_aim_def, aim_fields);
}

ploy_aim_def ploy_aim_def_default(void) {
    ploy_aim_def def;
    ploy_fields_default(ploy_aim_fields(), &def);
    return def;
}

int32_t ployi_aim_trials_max(const ploy_aim_def *def) {
    return def->rounds * (AIM_GOLDEN_STEPS + 3 + def->halvings);
}

typedef struct aim_search {
    const ploy_aim_def *def;
    const ploy_shot_world *world;
    ploy_vec3 from, to_target;
    ploy_vec2 toward; // unit, on the ground
    double range;     // m, on the ground
    double slack;
    double bearing;
    int32_t trials;
} aim_search;

typedef struct aim_trial {
    double score;
    double side;  // m to the left, where it is as far out as the target
    double miss;  // closest approach
    double time;  // of it
    bool reached; // got as far out as the target
} aim_trial;

static ploy_vec3 aim_direction(double bearing, double elevation) {
    double sb = 0.0, cb = 0.0, se = 0.0, ce = 0.0;
    ploy_sincos(bearing, &sb, &cb);
    ploy_sincos(elevation, &se, &ce);
    return ploy_vec3_make((float)(cb * ce), (float)(sb * ce), (float)se);
}

// Distance from the target to the piece a-b of the trajectory, and where on the piece.
static double aim_distance(ploy_vec3 a, ploy_vec3 b, ploy_vec3 target, double *part) {
    ploy_vec3 along = ploy_vec3_sub(b, a);
    float square = ploy_vec3_length_sq(along);
    float t = square > 0.0f ? ploy_vec3_dot(ploy_vec3_sub(target, a), along) / square : 0.0f;
    t = ploy_clampf(t, 0.0f, 1.0f);
    *part = (double)t;
    return (double)ploy_vec3_distance(ploy_vec3_add_scaled(a, along, t), target);
}

static aim_trial aim_try(aim_search *search, ploy_vec3 direction) {
    const ploy_aim_def *def = search->def;
    double start = (double)ploy_vec3_length(search->to_target);
    aim_trial out = {-1e30, 0.0, start, 0.0, false}; // what cannot begin is worse than any
    search->trials++;
    ploy_vec3 velocity = ploy_vec3_scale(direction, def->speed);
    if (!search->world->begin(search->world->user, search->from, velocity)) return out;
    ploy_vec3 last = ploy_vec3_zero(); // relative to the muzzle, and to a target at rest
    double last_out = 0.0, farthest = 0.0, ended = (double)search->to_target.z;
    int32_t samples = (int32_t)(def->max_time / def->interval) + 1;
    for (int32_t i = 0; i < samples; i++) {
        ploy_vec3 position = search->from, moved = ploy_vec3_zero();
        bool flying = search->world->step(search->world->user, def->interval, &position, &moved);
        ploy_vec3 at = ploy_vec3_sub(ploy_vec3_sub(position, search->from), moved);
        if (!ploy_vec3_is_finite(at)) break;
        double part = 0.0, distance = aim_distance(last, at, search->to_target, &part);
        if (distance < out.miss) {
            out.miss = distance;
            out.time = ((double)i + part) * (double)def->interval;
        }
        ploy_vec2 flat = ploy_vec2_resolve(ploy_vec2_make(at.x, at.y), search->toward);
        double far_out = (double)flat.x;
        if (!out.reached && far_out >= search->range) {
            ploy_vec2 before = ploy_vec2_resolve(ploy_vec2_make(last.x, last.y), search->toward);
            double step = far_out - last_out;
            double f = step > 0.0 ? (search->range - last_out) / step : 0.0;
            out.reached = true;
            out.score =
                (double)last.z + f * ((double)at.z - (double)last.z) - (double)search->to_target.z;
            out.side = (double)before.y + f * ((double)flat.y - (double)before.y);
            // One that passed is not coming nearer, unless it turns; one sample more is enough.
        } else if (out.reached) {
            break;
        }
        farthest = far_out > farthest ? far_out : farthest;
        bool low = (double)at.z < (double)search->to_target.z - search->slack;
        if (!flying || (low && at.z < last.z)) {
            ended = (double)(at.z < last.z ? last.z : at.z);
            break;
        }
        last = at;
        last_out = far_out;
    }
    if (!out.reached) {
        ended -= (double)search->to_target.z;
        out.score = (ended < -search->slack ? ended : -search->slack) -
                    AIM_MISSING * (search->range - farthest);
    }
    return out;
}

static aim_trial aim_at(aim_search *search, double elevation) {
    return aim_try(search, aim_direction(search->bearing, elevation));
}

static double aim_best_elevation(aim_search *search, aim_trial *best) {
    double low = -0.5 * PLOY_PI, high = 0.5 * PLOY_PI;
    double a = high - AIM_GOLDEN * (high - low), b = low + AIM_GOLDEN * (high - low);
    aim_trial at_a = aim_at(search, a), at_b = aim_at(search, b);
    for (int32_t i = 0; i < AIM_GOLDEN_STEPS; i++) {
        // Equal ones are both shots into the ground, and the peak is above them.
        if (at_a.score > at_b.score) {
            high = b, b = a, at_b = at_a;
            a = high - AIM_GOLDEN * (high - low);
            at_a = aim_at(search, a);
        } else {
            low = a, a = b, at_a = at_b;
            b = low + AIM_GOLDEN * (high - low);
            at_b = aim_at(search, b);
        }
    }
    *best = at_a.score > at_b.score ? at_a : at_b;
    return at_a.score > at_b.score ? a : b;
}

// Between an elevation whose shot passes below the target and one that passes above.
static double aim_halve(aim_search *search, double below, double above, aim_trial *out) {
    double middle = above;
    for (int32_t i = 0; i < search->def->halvings; i++) {
        middle = 0.5 * (below + above);
        *out = aim_at(search, middle);
        if (out->reached && fabs(out->score) <= 0.25 * (double)search->def->margin) break;
        if (out->score < 0.0) {
            below = middle;
        } else {
            above = middle;
        }
    }
    return middle;
}

static void aim_publish(const aim_search *search, ploy_vec3 direction, double elevation,
                        const aim_trial *trial, ploy_aim *out) {
    out->direction = direction;
    out->elevation = (float)elevation;
    out->bearing = ploy_angle_wrap((float)search->bearing);
    out->time = (float)trial->time;
    out->miss = (float)trial->miss;
    out->trials = search->trials;
}

// Straight up or down there is nothing to search.
static ploy_result aim_upright(aim_search *search, ploy_aim *out) {
    double elevation = search->to_target.z < 0.0f ? -0.5 * PLOY_PI : 0.5 * PLOY_PI;
    ploy_vec3 direction = ploy_vec3_make(0.0f, 0.0f, search->to_target.z < 0.0f ? -1.0f : 1.0f);
    search->range = 1e30; // out of reach, so the whole flight is looked at
    aim_trial trial = aim_try(search, direction);
    if (!(trial.miss <= (double)search->def->margin)) return PLOY_ERR_NOT_FOUND;
    aim_publish(search, direction, elevation, &trial, out);
    return PLOY_OK;
}

ploy_result ploy_aim_find_in(const ploy_aim_def *def, const ploy_shot_world *world, ploy_vec3 from,
                             ploy_vec3 to, ploy_aim *out) {
    ploy_env quiet = ploy_env_default();
    if (def == NULL || world == NULL || world->begin == NULL || world->step == NULL || out == NULL)
        return PLOY_ERR_ARGUMENT;
    if (ploy_fields_check(ploy_aim_fields(), def, &quiet) != PLOY_OK) return PLOY_ERR_ARGUMENT;
    aim_search search = {def, world, from, ploy_vec3_sub(to, from), {1.0f, 0.0f}, 0.0, 0.0, 0.0, 0};
    if (!ploy_vec3_is_finite(search.to_target)) return PLOY_ERR_ARGUMENT;
    ploy_vec2 flat = ploy_vec2_make(search.to_target.x, search.to_target.y);
    search.range = (double)ploy_vec2_length(flat);
    search.slack = 1.0 + 2.0 * (double)def->margin + 0.1 * search.range;
    if (search.range <= 0.5 * (double)def->margin || search.range < 1e-6) {
        return aim_upright(&search, out);
    }
    search.toward = ploy_vec2_normalise(flat);
    search.bearing = ploy_atan2((double)flat.y, (double)flat.x);
    for (int32_t round = 0; round < def->rounds; round++) {
        aim_trial trial;
        double best = aim_best_elevation(&search, &trial), elevation = best;
        if (trial.score < -(double)def->margin) return PLOY_ERR_NOT_FOUND;
        if (trial.score > 0.0) {
            double end = def->arc == PLOY_ARC_HIGH ? 0.5 * PLOY_PI : -0.5 * PLOY_PI;
            elevation = aim_halve(&search, end, best, &trial);
        }
        if (trial.miss <= (double)def->margin) {
            ploy_vec3 direction = aim_direction(search.bearing, elevation);
            aim_publish(&search, direction, elevation, &trial, out);
            return PLOY_OK;
        }
        if (!trial.reached) return PLOY_ERR_LIMIT;
        search.bearing -= ploy_atan2(trial.side, search.range);
    }
    return PLOY_ERR_LIMIT;
}

// ---- a flight as a world ----

typedef struct aim_flight {
    const ploy_flight *flight;
    ploy_flyer flyer;
} aim_flight;

static bool aim_flight_begin(void *user, ploy_vec3 from, ploy_vec3 velocity) {
    aim_flight *world = user;
    ploy_flyer flyer = {from, velocity, 0.0f};
    world->flyer = flyer;
    return true;
}

static bool aim_flight_step(void *user, float dt, ploy_vec3 *position, ploy_vec3 *target_moved) {
    aim_flight *world = user;
    float before = world->flyer.time;
    (void)target_moved;
    world->flyer = ploy_flight_step(world->flight, world->flyer, dt);
    *position = world->flyer.position;
    return world->flyer.time > before; // at rest if the flight's settings are out of range
}

ploy_result ploy_aim_find(const ploy_aim_def *def, const ploy_flight *flight, ploy_vec3 from,
                          ploy_vec3 to, ploy_aim *out) {
    ploy_env quiet = ploy_env_default();
    if (flight == NULL) return PLOY_ERR_ARGUMENT;
    if (ploy_fields_check(ploy_flight_fields(), &flight->def, &quiet) != PLOY_OK) {
        return PLOY_ERR_ARGUMENT;
    }
    aim_flight state = {flight, {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.0f}};
    ploy_shot_world world = {aim_flight_begin, aim_flight_step, &state};
    return ploy_aim_find_in(def, &world, from, to, out);
}

void ploy_aim_trace(const ploy_aim_def *def, ploy_result result, const ploy_aim *aim,
                    ploy_agent_id id, ploy_trace *trace) {
    if (trace == NULL) return;
    ploy_trace_begin(trace, id, "aim", "golden section and halving");
    bool found = result == PLOY_OK;
    for (int32_t arc = 0; arc < 2; arc++) {
        bool mine = (int32_t)def->arc == arc;
        ploy_trace_option(trace, ploy_arc_text((ploy_arc)arc),
                          !mine   ? PLOY_OUTCOME_SKIPPED
                          : found ? PLOY_OUTCOME_WON
                                  : PLOY_OUTCOME_REJECTED,
                          mine && found ? -(double)aim->miss : (double)NAN,
                          !mine   ? "the other arc is asked for"
                          : found ? "within the margin"
                                  : ploy_result_text(result));
    }
    if (found) {
        ploy_trace_f32(trace, "elevation", aim->elevation);
        ploy_trace_f32(trace, "bearing", aim->bearing);
        ploy_trace_f32(trace, "time", aim->time);
        ploy_trace_f32(trace, "miss", aim->miss);
        ploy_trace_i64(trace, "trials", aim->trials);
    }
    ploy_trace_end(trace);
}

#undef AIM_GOLDEN_STEPS
#undef AIM_GOLDEN
#undef AIM_MISSING
