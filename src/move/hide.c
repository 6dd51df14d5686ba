// Hide; described in the header.
#include "ploy/move/hide.h"

#include "move/steer_internal.h"

static const char *const hide_whens[] = {"always", "sees", "mutual"};

static const ploy_field hide_fields[] = {
    PLOY_FIELD_DEF(ploy_hide_def, arrive, ploy_arrive_fields, "how it goes to the spot"),
    PLOY_FIELD_DEF(ploy_hide_def, evade, ploy_evade_fields, "what it does without one"),
    PLOY_FIELD_F32(ploy_hide_def, gap, 1, 0, 1e6, "m", "distance from the obstacle to the spot"),
    PLOY_FIELD_F32(ploy_hide_def, threat_range, 0, 0, PLOY_POSITION_MAX_M, "m",
                   "hunters farther away are ignored; 0 means none are"),
    PLOY_FIELD_F32(ploy_hide_def, behind_bias, 0, 0, 1, "",
                   "how much less far spots behind the hunter's back count"),
    PLOY_FIELD_ENUM(ploy_hide_def, when, PLOY_HIDE_ALWAYS, hide_whens, "when it hides at all"),
    PLOY_FIELD_F32(ploy_hide_def, view_angle, 1.5, 0, PLOY_PI_F, "rad",
                   "what both see, to each side of the heading"),
    PLOY_FIELD_F32(ploy_hide_def, memory, 3, 0, PLOYI_TIME_MAX, "s", "how long a sighting counts"),
};

ploy_fields ploy_hide_fields(void) {
    return PLOY_FIELDS(ploy_hide_def, hide_fields);
}

ploy_hide_def ploy_hide_def_default(void) {
    ploy_hide_def def;
    ploy_fields_default(ploy_hide_fields(), &def);
    return def;
}

static bool hide_law(const ploy_hide_def *def, ployi_approach_law *law) {
    return ployi_within(def->gap, 0, 1e6) && ployi_distance_ok(def->threat_range) &&
           ployi_within(def->behind_bias, 0, 1) && (uint32_t)def->when <= PLOY_HIDE_MUTUAL &&
           ployi_within(def->view_angle, 0, PLOY_PI_F) &&
           ployi_within(def->memory, 0, PLOYI_TIME_MAX) && ployi_arrive_law(&def->arrive, law);
}

static ploy_vec3 hide_spot(const ploy_hide_def *def, ploy_sphere obstacle, ploy_vec3 hunter,
                           int n) {
    ploy_vec3 away = ployi_unit(ployi_minus(obstacle.centre, hunter), n);
    if (!(ployi_square(away, n) > 0.0f)) away.x = 1.0f;
    return ployi_plus_scaled(obstacle.centre, away, obstacle.radius + def->gap);
}

// The squared distance by which spots compare: shorter by the bias for those that the hunter does
// not look at, in full behind its back.
static float hide_rank(const ploy_hide_def *def, const ployi_mover *agent,
                       const ployi_mover *hunter, ploy_vec3 spot, int n) {
    float square = ployi_square(ployi_minus(spot, agent->position), n);
    if (def->behind_bias <= 0.0f) return square;
    ploy_vec3 to = ployi_unit(ployi_minus(spot, hunter->position), n);
    float ahead = ployi_dot(hunter->forward, to, n);
    return square * (1.0f - def->behind_bias * (0.5f - 0.5f * ahead));
}

static bool hide_is_threat(const ploy_hide_def *def, const ployi_mover *agent,
                           const ployi_mover *hunter, int n) {
    if (def->threat_range <= 0.0f) return true;
    float square = ployi_square(ployi_minus(hunter->position, agent->position), n);
    return square <= def->threat_range * def->threat_range;
}

static ploy_sphere hide_sphere(ploy_circle circle) {
    return ploy_sphere_make(ployi_plane(circle.centre), circle.radius);
}

ploy_vec2 ploy_hide_spot(const ploy_hide_def *def, ploy_circle obstacle, ploy_vec2 hunter) {
    return ployi_planar(hide_spot(def, hide_sphere(obstacle), ployi_plane(hunter), 2));
}

ploy_vec3 ploy_hide3_spot(const ploy_hide_def *def, ploy_sphere obstacle, ploy_vec3 hunter) {
    return hide_spot(def, obstacle, hunter, 3);
}

// Obstacles of plane or space.
typedef struct hide_obstacles {
    const ploy_circle *circles;
    const ploy_sphere *spheres; // if circles is NULL
    int32_t count;
} hide_obstacles;

static int32_t hide_find(const ploy_hide_def *def, const ployi_mover *agent,
                         const ployi_mover *hunter, hide_obstacles among, int n) {
    int32_t best = -1;
    float least = 0.0f;
    for (int32_t i = 0; (among.circles != NULL || among.spheres != NULL) && i < among.count; i++) {
        ploy_sphere obstacle =
            among.circles != NULL ? hide_sphere(among.circles[i]) : among.spheres[i];
        ploy_vec3 spot = hide_spot(def, obstacle, hunter->position, n);
        float rank = hide_rank(def, agent, hunter, spot, n);
        if (best >= 0 && !(rank < least)) continue;
        best = i;
        least = rank;
    }
    return best;
}

int32_t ploy_hide_find(const ploy_hide_def *def, ploy_kinematic agent, ploy_kinematic hunter,
                       const ploy_circle *obstacles, int32_t count) {
    ployi_mover self = ployi_mover_of(agent, false), other = ployi_mover_of(hunter, true);
    hide_obstacles among = {obstacles, NULL, count};
    return hide_find(def, &self, &other, among, 2);
}

int32_t ploy_hide3_find(const ploy_hide_def *def, ploy_kinematic3 agent, ploy_kinematic3 hunter,
                        const ploy_sphere *obstacles, int32_t count) {
    ployi_mover self = ployi_mover3_of(agent), other = ployi_mover3_of(hunter);
    hide_obstacles among = {NULL, obstacles, count};
    return hide_find(def, &self, &other, among, 3);
}

// True if an enemy sees a point: within the angle. What is on the line is tested separately.
static bool hide_in_view(const ploy_hide_def *def, const ployi_mover *eye, ploy_vec3 point, int n) {
    if (def->view_angle >= PLOY_PI_F) return true;
    ploy_vec3 to = ployi_unit(ployi_minus(point, eye->position), n);
    return !(ployi_square(to, n) > 0.0f) ||
           ployi_dot(eye->forward, to, n) >= ploy_cosf(def->view_angle);
}

static bool hide_is_open(const ployi_mover *a, const ployi_mover *b, hide_obstacles among, int n) {
    ploy_vec3 offset = ployi_minus(b->position, a->position);
    float square = ployi_square(offset, n);
    for (int32_t i = 0; (among.circles != NULL || among.spheres != NULL) && i < among.count; i++) {
        ploy_sphere it = among.circles != NULL ? hide_sphere(among.circles[i]) : among.spheres[i];
        ploy_vec3 to = ployi_minus(it.centre, a->position);
        float t = square > PLOYI_TINY_SQUARED ? ployi_dot(to, offset, n) / square : 0.0f;
        ploy_vec3 off = ployi_plus_scaled(to, offset, -ploy_clampf(t, 0.0f, 1.0f));
        if (ployi_square(off, n) < it.radius * it.radius) return false;
    }
    return true;
}

static bool hide_aware(const ploy_hide_def *def, ploy_hide_memory *memory, const ployi_mover *agent,
                       const ployi_mover *hunter, hide_obstacles among, float dt, int n) {
    ployi_approach_law law;
    if (memory == NULL || !hide_law(def, &law) || !ployi_within(dt, 0, PLOYI_TIME_MAX)) {
        return false;
    }
    if (def->when == PLOY_HIDE_ALWAYS) return true;
    bool sees =
        hide_in_view(def, agent, hunter->position, n) && hide_is_open(agent, hunter, among, n);
    if (def->when == PLOY_HIDE_MUTUAL) sees = sees && hide_in_view(def, hunter, agent->position, n);
    memory->since = sees ? 0.0f : memory->since + dt;
    memory->seen = sees || (memory->seen && memory->since <= def->memory);
    return memory->seen;
}

bool ploy_hide_aware(const ploy_hide_def *def, ploy_hide_memory *memory, ploy_kinematic agent,
                     ploy_kinematic hunter, const ploy_circle *obstacles, int32_t count, float dt) {
    ployi_mover self = ployi_mover_of(agent, true), other = ployi_mover_of(hunter, true);
    hide_obstacles among = {obstacles, NULL, count};
    return hide_aware(def, memory, &self, &other, among, dt, 2);
}

bool ploy_hide3_aware(const ploy_hide_def *def, ploy_hide_memory *memory, ploy_kinematic3 agent,
                      ploy_kinematic3 hunter, const ploy_sphere *obstacles, int32_t count,
                      float dt) {
    ployi_mover self = ployi_mover3_of(agent), other = ployi_mover3_of(hunter);
    hide_obstacles among = {NULL, obstacles, count};
    return hide_aware(def, memory, &self, &other, among, dt, 3);
}

ploy_steering ploy_hide(const ploy_hide_def *def, ploy_kinematic agent, ploy_kinematic hunter,
                        const ploy_circle *obstacles, int32_t count) {
    ployi_approach_law law;
    if (!hide_law(def, &law)) return ploy_steering_invalid();
    ployi_mover self = ployi_mover_of(agent, false), other = ployi_mover_of(hunter, false);
    if (!hide_is_threat(def, &self, &other, 2)) return ploy_steering_none();
    int32_t best = ploy_hide_find(def, agent, hunter, obstacles, count);
    if (best < 0) return ploy_evade(&def->evade, agent, hunter);
    return ployi_approach_one(&law, &agent, ploy_hide_spot(def, obstacles[best], hunter.position));
}

ploy_steering3 ploy_hide3(const ploy_hide_def *def, ploy_kinematic3 agent, ploy_kinematic3 hunter,
                          const ploy_sphere *obstacles, int32_t count) {
    ployi_approach_law law;
    if (!hide_law(def, &law)) return ploy_steering3_invalid();
    ployi_mover self = ployi_mover3_of(agent), other = ployi_mover3_of(hunter);
    if (!hide_is_threat(def, &self, &other, 3)) return ploy_steering3_none();
    int32_t best = ploy_hide3_find(def, agent, hunter, obstacles, count);
    if (best < 0) return ploy_evade3(&def->evade, agent, hunter);
    return ployi_approach3_one(&law, &agent,
                               ploy_hide3_spot(def, obstacles[best], hunter.position));
}

typedef struct hide_rule {
    const ploy_hide_def *def;
    ploy_kinematic hunter;
    ploy_kinematic3 hunter3;
    hide_obstacles among;
} hide_rule;

static ploy_steering hide_one(const void *rule, int32_t i, ploy_kinematic agent) {
    const hide_rule *r = rule;
    (void)i;
    return ploy_hide(r->def, agent, r->hunter, r->among.circles, r->among.count);
}

static ploy_steering3 hide_one3(const void *rule, int32_t i, ploy_kinematic3 agent) {
    const hide_rule *r = rule;
    (void)i;
    return ploy_hide3(r->def, agent, r->hunter3, r->among.spheres, r->among.count);
}

static bool hide_rule_ok(const hide_rule *rule) {
    ployi_approach_law law;
    const hide_obstacles *among = &rule->among;
    return rule->def != NULL && hide_law(rule->def, &law) && among->count >= 0 &&
           (among->count == 0 || among->circles != NULL || among->spheres != NULL);
}

ploy_result ploy_hide_batch(const ploy_hide_def *def, const ploy_kinematics *agents, int32_t first,
                            int32_t count, ploy_kinematic hunter, const ploy_circle *obstacles,
                            int32_t obstacle_count, const ploy_steerings *out) {
    hide_rule rule = {
        def, hunter, ploy_kinematic3_make(ploy_vec3_zero()), {obstacles, NULL, obstacle_count}};
    if (!hide_rule_ok(&rule)) return PLOY_ERR_ARGUMENT;
    return ployi_each(agents, first, count, hide_one, &rule, out);
}

ploy_result ploy_hide3_batch(const ploy_hide_def *def, const ploy_kinematics3 *agents,
                             int32_t first, int32_t count, ploy_kinematic3 hunter,
                             const ploy_sphere *obstacles, int32_t obstacle_count,
                             const ploy_steerings3 *out) {
    hide_rule rule = {def,
                      ploy_kinematic_make(ploy_vec2_zero(), 0.0f),
                      hunter,
                      {NULL, obstacles, obstacle_count}};
    if (!hide_rule_ok(&rule)) return PLOY_ERR_ARGUMENT;
    return ployi_each3(agents, first, count, hide_one3, &rule, out);
}

void ploy_hide_trace(const ploy_hide_def *def, ploy_kinematic agent, ploy_kinematic hunter,
                     const ploy_circle *obstacles, int32_t count, ploy_agent_id id,
                     ploy_trace *trace) {
    ployi_approach_law law;
    if (trace == NULL || !hide_law(def, &law)) return;
    ployi_mover self = ployi_mover_of(agent, false), other = ployi_mover_of(hunter, true);
    int32_t best = ploy_hide_find(def, agent, hunter, obstacles, count);
    ploy_trace_begin(trace, id, "steer", "hide");
    if (!hide_is_threat(def, &self, &other, 2)) {
        ploy_trace_option(trace, "request nothing", PLOY_OUTCOME_WON, (double)NAN,
                          "the hunter is farther away than threat_range");
    } else if (best < 0) {
        ploy_trace_option(trace, "evade", PLOY_OUTCOME_WON, (double)NAN,
                          "there is nothing to hide behind");
        ploy_evade_trace(&def->evade, agent, hunter, id, trace);
    } else {
        for (int32_t i = 0; i < count; i++) {
            ploy_vec3 spot = hide_spot(def, hide_sphere(obstacles[i]), other.position, 2);
            double score = -sqrt((double)hide_rank(def, &self, &other, spot, 2));
            ploy_trace_option(trace, "spot", i == best ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                              score, i == best ? "the nearest" : "farther away");
        }
        ploy_vec2 spot = ploy_hide_spot(def, obstacles[best], hunter.position);
        ployi_approach_point_trace(&law, &self, ployi_plane(spot), 2, trace);
    }
    ploy_trace_end(trace);
}
