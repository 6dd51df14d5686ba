// Flocking for one agent: what it sees, and the three rules. Described in the header; the crowd is
// in flock_crowd.c.
#include "ploy/move/flock.h"

#include "move/move_internal.h"

#include "move/flock_internal.h"
#include "move/near_internal.h"
#include "ploy/geom/angle.h"

static const char *const flock_views[] = {"all", "wide", "limited", "narrow"};
static const char *const flock_modes[] = {"inverse", "inverse square", "linear"};
static const char *const flock_alignments[] = {"velocity", "heading"};

static const ploy_field flock_fields[] = {
    PLOY_FIELD_ENUM(ploy_flock_def, view, PLOY_VIEW_WIDE, flock_views, "what an agent sees"),
    PLOY_FIELD_F32(ploy_flock_def, radius, 4, 1e-3, 1e6, "m", "how far an agent sees"),
    PLOY_FIELD_F32(ploy_flock_def, body_radius, 0, 0, 1e6, "m", "added to the radius"),
    PLOY_FIELD_F32(ploy_flock_def, front_factor, 1, 0, 1e3, "", "width of the narrow view"),
    PLOY_FIELD_F32(ploy_flock_def, back_factor, 1, 0, 1e3, "", "width of the blind cone"),
    PLOY_FIELD_ENUM(ploy_flock_def, separation, PLOY_SEPARATION_INVERSE, flock_modes,
                    "how the push falls with the distance"),
    PLOY_FIELD_BOOL(ploy_flock_def, separation_nearest, false, "only the nearest agent pushes"),
    PLOY_FIELD_F32(ploy_flock_def, separation_radius, 2, 1e-3, 1e6, "m",
                   "those farther away do not push"),
    PLOY_FIELD_F32(ploy_flock_def, separation_angle, PLOY_PI_F, 0, PLOY_PI_F, "rad",
                   "those farther to the side do not push"),
    PLOY_FIELD_F32(ploy_flock_def, separation_strength, 4, -1e5, 1e5, "",
                   "of the push at one metre; below 0 it attracts"),
    PLOY_FIELD_F32(ploy_flock_def, separation_weight, 1, 0, 1e3, "", "of keeping off"),
    PLOY_FIELD_ENUM(ploy_flock_def, alignment, PLOY_ALIGNMENT_VELOCITY, flock_alignments,
                    "what agents align"),
    PLOY_FIELD_F32(ploy_flock_def, alignment_radius, 1e6, 1e-3, 1e6, "m",
                   "distance for alignment; at most the radius counts"),
    PLOY_FIELD_F32(ploy_flock_def, alignment_angle, PLOY_PI_F, 0, PLOY_PI_F, "rad",
                   "angle for alignment, to each side of the heading"),
    PLOY_FIELD_F32(ploy_flock_def, alignment_weight, 0.8, 0, 1e3, "", "of moving alike"),
    PLOY_FIELD_F32(ploy_flock_def, cohesion_radius, 1e6, 1e-3, 1e6, "m",
                   "distance for cohesion; at most the radius counts"),
    PLOY_FIELD_F32(ploy_flock_def, cohesion_angle, PLOY_PI_F, 0, PLOY_PI_F, "rad",
                   "angle for cohesion, to each side of the heading"),
    PLOY_FIELD_F32(ploy_flock_def, cohesion_weight, 0.3, 0, 1e3, "", "of staying together"),
    PLOY_FIELD_F32(ploy_flock_def, max_speed, 5, 0, PLOY_SPEED_MAX_MPS, "m/s",
                   "desired speed toward the middle"),
    PLOY_FIELD_F32(ploy_flock_def, max_acceleration, 10, 0, PLOYI_ACCELERATION_MAX, "m/s^2",
                   "largest acceleration asked for"),
    PLOY_FIELD_F32(ploy_flock_def, time_to_target, 0.5, PLOYI_TIME_MIN, PLOYI_TIME_MAX, "s",
                   "time in which desired velocities are to be reached"),
    PLOY_FIELD_BOOL(ploy_flock_def, normalise, false, "every rule is as long before its weight"),
};

ploy_fields ploy_flock_fields(void) {
    return PLOY_FIELDS(ploy_flock_def, flock_fields);
}

ploy_flock_def ploy_flock_def_default(void) {
    ploy_flock_def def;
    ploy_fields_default(ploy_flock_fields(), &def);
    return def;
}

PLOYI_INLINE bool flock_rules_ok(const ploy_flock_def *def) {
    return ployi_within(def->separation_weight, 0, 1e3) &&
           ployi_within(def->alignment_weight, 0, 1e3) &&
           ployi_within(def->cohesion_weight, 0, 1e3) && ployi_speed_ok(def->max_speed) &&
           ployi_acceleration_ok(def->max_acceleration) && ployi_time_ok(def->time_to_target);
}

// cos |cos| of an angle; below -1 for one that leaves nothing out.
static float flock_cut(float angle) {
    if (!(angle < PLOY_PI_F)) return -2.0f;
    float ahead = ploy_angle_heading(angle).x;
    return ahead * fabsf(ahead);
}

static bool flock_areas_ok(const ploy_flock_def *def) {
    return ployi_within(def->separation_radius, 1e-3, 1e6) &&
           ployi_within(def->alignment_radius, 1e-3, 1e6) &&
           ployi_within(def->cohesion_radius, 1e-3, 1e6) &&
           ployi_within(def->separation_angle, 0, PLOY_PI_F) &&
           ployi_within(def->alignment_angle, 0, PLOY_PI_F) &&
           ployi_within(def->cohesion_angle, 0, PLOY_PI_F);
}

bool ployi_flock_law_make(const ploy_flock_def *def, ployi_flock_law *out) {
    if ((size_t)def->view > 3 || (size_t)def->separation > 2 || (size_t)def->alignment > 1 ||
        !flock_rules_ok(def) || !flock_areas_ok(def) || !ployi_within(def->radius, 1e-3, 1e6) ||
        !ployi_within(def->body_radius, 0, 1e6) || !ployi_within(def->front_factor, 0, 1e3) ||
        !ployi_within(def->back_factor, 0, 1e3) ||
        !ployi_within(def->separation_strength, -1e5, 1e5)) {
        return false;
    }
    float reach = def->radius + def->body_radius;
    float push = ploy_minf(def->separation_radius, reach);
    out->reach_squared = reach * reach;
    out->push_squared = push * push;
    float align = ploy_minf(def->alignment_radius, reach);
    float cohere = ploy_minf(def->cohesion_radius, reach);
    out->align_squared = align * align;
    out->cohere_squared = cohere * cohere;
    out->push_cut = flock_cut(def->separation_angle);
    out->align_cut = flock_cut(def->alignment_angle);
    out->cohere_cut = flock_cut(def->cohesion_angle);
    bool angles = out->push_cut > -2.0f || out->align_cut > -2.0f || out->cohere_cut > -2.0f;
    out->nearest = def->separation_nearest;
    out->headings = def->alignment == PLOY_ALIGNMENT_HEADING;
    out->looks = def->view != PLOY_VIEW_ALL || angles;
    out->apart = angles || align < reach || cohere < reach;
    out->open_front = def->view != PLOY_VIEW_NARROW;
    out->front = def->front_factor;
    out->back = def->view == PLOY_VIEW_ALL    ? -1.0f
                : def->view == PLOY_VIEW_WIDE ? def->back_factor
                                              : 1e30f;
    out->mode = def->separation;
    out->strength = def->separation_strength;
    out->over_radius = 1.0f / push;
    return true;
}

// The part of an offset across a unit vector, as a length.
PLOYI_INLINE float flock_side(ploy_vec3 offset, ploy_vec3 forward, float ahead, int n) {
    if (n == 2) return forward.x * offset.y - forward.y * offset.x;
    return ployi_length(ployi_plus_scaled(offset, forward, -ahead), 3);
}

PLOYI_INLINE bool flock_sees(const ployi_flock_law *law, ploy_vec3 forward, ploy_vec3 offset,
                             int n) {
    float square = ployi_square(offset, n);
    if (!(square < law->reach_squared)) return false;
    if (!law->looks) return true;
    float ahead = ployi_dot(forward, offset, n);
    return ployi_flock_in_view(law, ahead, flock_side(offset, forward, ahead, n));
}

// What the sums need beside the neighbours: of separation from the nearest, who that is.
typedef struct flock_sum {
    ploy_neighbours3 seen;
    float nearest;  // m^2, squared distance; FLT_MAX for none
    ploy_vec3 away; // offset of the nearest
} flock_sum;

// True if a comes before b: an order of offsets that does not depend on who is asked first.
PLOYI_INLINE bool flock_before(ploy_vec3 a, ploy_vec3 b) {
    if (a.x != b.x) return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

PLOYI_INLINE void flock_push(const ployi_flock_law *law, ploy_vec3 offset, float square,
                             ploy_vec3 scatter, flock_sum *sum) {
    float near_squared = PLOYI_FLOCK_NEAR * PLOYI_FLOCK_NEAR;
    if (square < near_squared) {
        offset = ployi_times(scatter, -PLOYI_FLOCK_NEAR);
        square = near_squared;
    }
    if (!law->nearest) {
        float weight = ployi_flock_weight(law->mode, law->strength, law->over_radius, square);
        sum->seen.push = ployi_plus_scaled(sum->seen.push, offset, -weight);
    } else if (square < sum->nearest ||
               (square == sum->nearest && flock_before(offset, sum->away))) {
        sum->nearest = square;
        sum->away = offset;
    }
}

// `aligned` is the velocity or the heading of the other.
PLOYI_INLINE void flock_add(const ployi_flock_law *law, ploy_vec3 forward, ploy_vec3 offset,
                            ploy_vec3 aligned, ploy_vec3 scatter, int n, flock_sum *sum) {
    float square = ployi_square(offset, n), ahead = 0.0f;
    if (law->looks) ahead = ployi_dot(forward, offset, n);
    ploy_neighbours3 *seen = &sum->seen;
    seen->count++;
    if (!law->apart || ployi_flock_in_rule(law->cohere_squared, law->cohere_cut, square, ahead)) {
        seen->cohesion_count++;
        seen->middle = ployi_plus_scaled(seen->middle, offset, 1.0f);
    }
    if (!law->apart || ployi_flock_in_rule(law->align_squared, law->align_cut, square, ahead)) {
        seen->alignment_count++;
        seen->velocity = ployi_plus_scaled(seen->velocity, aligned, 1.0f);
    }
    if (!(square < law->push_squared)) return;
    if (law->apart && !ployi_flock_in_rule(law->push_squared, law->push_cut, square, ahead)) return;
    flock_push(law, offset, square, scatter, sum);
}

static ploy_neighbours3 flock_none(void) {
    ploy_neighbours3 none = {0, 0, 0, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    return none;
}

static flock_sum flock_begin(void) {
    flock_sum sum = {flock_none(), FLT_MAX, {0.0f, 0.0f, 0.0f}};
    return sum;
}

static ploy_neighbours3 flock_mean(const ployi_flock_law *law, const flock_sum *sum) {
    ploy_neighbours3 mean = sum->seen;
    if (mean.cohesion_count > 0) {
        mean.middle = ployi_times(mean.middle, 1.0f / (float)mean.cohesion_count);
    }
    if (mean.alignment_count > 0) {
        mean.velocity = ployi_times(mean.velocity, 1.0f / (float)mean.alignment_count);
    }
    if (law->nearest && sum->nearest < FLT_MAX) {
        float weight = ployi_flock_weight(law->mode, law->strength, law->over_radius, sum->nearest);
        mean.push = ployi_plus_scaled(mean.push, sum->away, -weight);
    }
    return mean;
}

static ploy_neighbours flock_planar(const ploy_neighbours3 *seen) {
    ploy_neighbours out = {seen->count,
                           seen->alignment_count,
                           seen->cohesion_count,
                           ployi_planar(seen->middle),
                           ployi_planar(seen->velocity),
                           ployi_planar(seen->push)};
    return out;
}

static ploy_neighbours3 flock_spatial(const ploy_neighbours *seen) {
    ploy_neighbours3 out = {seen->count,
                            seen->alignment_count,
                            seen->cohesion_count,
                            ployi_plane(seen->middle),
                            ployi_plane(seen->velocity),
                            ployi_plane(seen->push)};
    return out;
}

bool ploy_flock_sees(const ploy_flock_def *def, ploy_kinematic agent, ploy_vec2 point) {
    ployi_flock_law law;
    if (!ployi_flock_law_make(def, &law)) return false;
    ployi_mover self = ployi_mover_of(agent, law.looks);
    return flock_sees(&law, self.forward, ployi_minus(ployi_plane(point), self.position), 2);
}

bool ploy_flock3_sees(const ploy_flock_def *def, ploy_kinematic3 agent, ploy_vec3 point) {
    ployi_flock_law law;
    if (!ployi_flock_law_make(def, &law)) return false;
    ployi_mover self = ployi_mover3_of(agent);
    return flock_sees(&law, self.forward, ployi_minus(point, self.position), 3);
}

// Adds another if the agent sees it.
PLOYI_INLINE void flock_look(const ployi_flock_law *law, const ployi_mover *agent,
                             const ployi_mover *other, ploy_vec3 scatter, int n, flock_sum *sum) {
    ploy_vec3 offset = ployi_minus(other->position, agent->position);
    // As in a crowd, an agent whose numbers are not finite is never a neighbour.
    if (!(ployi_square(other->velocity, n) <= FLT_MAX)) return;
    if (!flock_sees(law, agent->forward, offset, n)) return;
    ploy_vec3 aligned = law->headings ? other->forward : other->velocity;
    flock_add(law, agent->forward, offset, aligned, scatter, n, sum);
}

ploy_neighbours ploy_neighbours_find(const ploy_flock_def *def, ploy_kinematic agent,
                                     const ploy_kinematics *others, int32_t self) {
    ployi_flock_law law;
    ploy_neighbours3 seen = flock_none();
    if (!ployi_flock_law_make(def, &law)) {
        seen.count = -1;
    } else if (others != NULL) {
        flock_sum sum = flock_begin();
        ployi_mover mover = ployi_mover_of(agent, law.looks);
        ploy_vec3 scatter = ployi_plane(ployi_flock_scatter(self));
        for (int32_t i = 0; i < others->count; i++) {
            if (i == self) continue;
            ployi_mover other = {
                ployi_view_position(others, i), ployi_view_velocity(others, i), {0.0f, 0.0f, 0.0f}};
            if (law.headings) {
                float orientation = ploy_kinematics_get(others, i).orientation;
                other.forward = ployi_plane(ploy_angle_heading(orientation));
            }
            flock_look(&law, &mover, &other, scatter, 2, &sum);
        }
        seen = flock_mean(&law, &sum);
    }
    return flock_planar(&seen);
}

// Among those of the others that are near; NULL: all.
static ploy_neighbours3 flock_find3(const ployi_flock_law *law, ploy_kinematic3 agent,
                                    const ploy_kinematics3 *others, int32_t self,
                                    const ployi_near *near) {
    flock_sum sum = flock_begin();
    ployi_mover mover = ployi_mover3_of(agent);
    ploy_vec3 scatter = ployi_plane(ployi_flock_scatter(self));
    int32_t count = near != NULL ? near->count : others->count;
    for (int32_t k = 0; k < count; k++) {
        int32_t i = near != NULL ? ployi_near_id(near, k) : k;
        if (i == self || !ploy_range_within(i, 1, others->count)) continue;
        ployi_mover other = ployi_mover3_of(ploy_kinematics3_get(others, i));
        flock_look(law, &mover, &other, scatter, 3, &sum);
    }
    return flock_mean(law, &sum);
}

ploy_neighbours3 ploy_neighbours3_find(const ploy_flock_def *def, ploy_kinematic3 agent,
                                       const ploy_kinematics3 *others, int32_t self) {
    ployi_flock_law law;
    if (!ployi_flock_law_make(def, &law)) {
        ploy_neighbours3 invalid = flock_none();
        invalid.count = -1;
        return invalid;
    }
    if (others == NULL) return flock_none();
    return flock_find3(&law, agent, others, self, NULL);
}

// ---- the rules ----

static ployi_pull flock_pull(ploy_vec3 request) {
    ployi_pull pull = {request, 1};
    return pull;
}

// Each rule alone checks the settings that it uses.
PLOYI_INLINE ployi_pull flock_separate(const ploy_flock_def *def, const ploy_neighbours3 *seen,
                                       int n) {
    if (seen->count < 0 || !ployi_acceleration_ok(def->max_acceleration)) {
        return ployi_pull_invalid();
    }
    if (seen->count == 0 || !(ployi_square(seen->push, n) > PLOYI_TINY_SQUARED)) {
        return ployi_pull_none();
    }
    return flock_pull(ployi_cut(seen->push, def->max_acceleration, n));
}

PLOYI_INLINE ployi_pull flock_conform(const ploy_flock_def *def, const ployi_mover *agent,
                                      const ploy_neighbours3 *seen, int n) {
    if (seen->count < 0 || !ployi_acceleration_ok(def->max_acceleration) ||
        !ployi_time_ok(def->time_to_target) || !ployi_speed_ok(def->max_speed)) {
        return ployi_pull_invalid();
    }
    if (seen->alignment_count == 0) return ployi_pull_none();
    return flock_pull(ployi_flock_align(ployi_flock_rules_make(def), agent->velocity,
                                        agent->forward, seen->velocity, n));
}

PLOYI_INLINE ployi_pull flock_cohere(const ploy_flock_def *def, ploy_vec3 velocity,
                                     const ploy_neighbours3 *seen, int n) {
    if (seen->count < 0 || !ployi_acceleration_ok(def->max_acceleration) ||
        !ployi_time_ok(def->time_to_target) || !ployi_speed_ok(def->max_speed)) {
        return ployi_pull_invalid();
    }
    if (seen->cohesion_count == 0) return ployi_pull_none();
    return flock_pull(ployi_flock_with(ployi_flock_rules_make(def), velocity, seen->middle, n));
}

PLOYI_INLINE ployi_pull flock_steer(const ploy_flock_def *def, const ployi_mover *agent,
                                    const ploy_neighbours3 *seen, int n) {
    if (seen->count < 0 || !flock_rules_ok(def)) return ployi_pull_invalid();
    if (seen->count == 0) return ployi_pull_none();
    return flock_pull(ployi_flock_request(
        ployi_flock_rules_make(def), agent->velocity, agent->forward, seen->alignment_count > 0,
        seen->cohesion_count > 0, seen->middle, seen->velocity, seen->push, n));
}

// The agent, with a heading where alignment needs it.
PLOYI_INLINE ployi_mover flock_mover(const ploy_flock_def *def, ploy_kinematic agent) {
    return ployi_mover_of(agent, def->alignment == PLOY_ALIGNMENT_HEADING);
}

ploy_steering ploy_separate(const ploy_flock_def *def, const ploy_neighbours *seen) {
    ploy_neighbours3 sum = flock_spatial(seen);
    return ployi_pull_planar(flock_separate(def, &sum, 2));
}

ploy_steering ploy_conform(const ploy_flock_def *def, ploy_kinematic agent,
                           const ploy_neighbours *seen) {
    ploy_neighbours3 sum = flock_spatial(seen);
    ployi_mover mover = flock_mover(def, agent);
    return ployi_pull_planar(flock_conform(def, &mover, &sum, 2));
}

ploy_steering ploy_cohere(const ploy_flock_def *def, ploy_kinematic agent,
                          const ploy_neighbours *seen) {
    ploy_neighbours3 sum = flock_spatial(seen);
    return ployi_pull_planar(flock_cohere(def, ployi_velocity(&agent), &sum, 2));
}

ploy_steering3 ploy_separate3(const ploy_flock_def *def, const ploy_neighbours3 *seen) {
    return ployi_pull_spatial(flock_separate(def, seen, 3));
}

ploy_steering3 ploy_conform3(const ploy_flock_def *def, ploy_kinematic3 agent,
                             const ploy_neighbours3 *seen) {
    ployi_mover mover = ployi_mover3_of(agent);
    return ployi_pull_spatial(flock_conform(def, &mover, seen, 3));
}

ploy_steering3 ploy_cohere3(const ploy_flock_def *def, ploy_kinematic3 agent,
                            const ploy_neighbours3 *seen) {
    return ployi_pull_spatial(flock_cohere(def, agent.velocity, seen, 3));
}

ploy_steering ploy_flock_steer(const ploy_flock_def *def, ploy_kinematic agent,
                               const ploy_neighbours *seen) {
    ploy_neighbours3 sum = flock_spatial(seen);
    ployi_mover mover = flock_mover(def, agent);
    return ployi_pull_planar(flock_steer(def, &mover, &sum, 2));
}

ploy_steering3 ploy_flock3_steer(const ploy_flock_def *def, ploy_kinematic3 agent,
                                 const ploy_neighbours3 *seen) {
    ployi_mover mover = ployi_mover3_of(agent);
    return ployi_pull_spatial(flock_steer(def, &mover, seen, 3));
}

typedef struct flock_rule {
    const ploy_flock_def *def;
    ployi_flock_law law;
    const ploy_kinematics3 *all;
    const ploy_index3 *index;
} flock_rule;

static ploy_steering3 flock_one3(const void *rule, int32_t i, ploy_kinematic3 agent) {
    const flock_rule *r = rule;
    ployi_near near;
    float reach = r->def->radius + r->def->body_radius;
    ployi_near_find3(&near, r->index, agent.position, reach, r->all->count);
    ploy_neighbours3 seen = flock_find3(&r->law, agent, r->all, i, &near);
    return ploy_flock3_steer(r->def, agent, &seen);
}

ploy_result ploy_flock3_batch(const ploy_flock_def *def, const ploy_kinematics3 *agents,
                              int32_t first, int32_t count, const ploy_index3 *index,
                              const ploy_steerings3 *out) {
    ployi_flock_law law;
    if (def == NULL || agents == NULL || !ployi_flock_law_make(def, &law)) {
        return PLOY_ERR_ARGUMENT;
    }
    flock_rule rule = {def, law, agents, index};
    ploy_result result = ployi_kinematics3_check(agents, 0, agents->count);
    if (result != PLOY_OK) return result;
    return ployi_each3(agents, first, count, flock_one3, &rule, out);
}

void ploy_flock_trace(const ploy_flock_def *def, ploy_kinematic agent, const ploy_neighbours *seen,
                      ploy_agent_id id, ploy_trace *trace) {
    if (trace == NULL || !flock_rules_ok(def)) return;
    static const char *const names[] = {"separation", "alignment", "cohesion"};
    ploy_steering rules[3] = {ploy_separate(def, seen), ploy_conform(def, agent, seen),
                              ploy_cohere(def, agent, seen)};
    float weights[3] = {def->separation_weight, def->alignment_weight, def->cohesion_weight};
    ploy_value count = ploy_value_i64(seen->count);
    ploy_trace_begin(trace, id, "steer", "flock");
    ploy_trace_value(trace, "neighbours", &count);
    for (int32_t i = 0; i < 3; i++) {
        bool adds = (rules[i].requested & PLOY_STEERING_REQUESTED) != 0 && weights[i] > 0.0f;
        ploy_trace_option(trace, names[i], adds ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                          (double)(ploy_vec2_length(rules[i].linear) * weights[i]),
                          adds ? "by its weight" : "there is nothing to do for it");
    }
    if (seen->count == 0) ploy_trace_note(trace, "It sees no other agent.");
    ploy_trace_end(trace);
}
