// Emergent formations; the technique is described in the header.
#include "ploy/move/emergent.h"

#include "move/move_internal.h"
#include "ploy/geom/angle.h"

static const ploy_field emergent_fields[] = {
    PLOY_FIELD_F32(ploy_emergent_def, back, 2, 0, 1e6, "m", "behind the one followed"),
    PLOY_FIELD_F32(ploy_emergent_def, side, 1.5, 0, 1e6, "m", "beside the one followed"),
    PLOY_FIELD_F32(ploy_emergent_def, claim_radius, 1, 0, 1e6, "m", "room around a claimed spot"),
    PLOY_FIELD_F32(ploy_emergent_def, body_radius, 0.4, 0, 1e6, "m", "free room a spot needs"),
    PLOY_FIELD_F32(ploy_emergent_def, patience, 1, 0, 1e6, "s", "how long a spot may be blocked"),
};

ploy_fields ploy_emergent_fields(void) {
    return PLOY_FIELDS(ploy_emergent_def, emergent_fields);
}

ploy_emergent_def ploy_emergent_def_default(void) {
    ploy_emergent_def def;
    ploy_fields_default(ploy_emergent_fields(), &def);
    return def;
}

ploy_emergent_claim ploy_emergent_claim_none(void) {
    ploy_emergent_claim none = {-1, 1, 0.0f};
    return none;
}

static ploy_vec2 emergent_spot(const ploy_emergent_def *def, const ploy_kinematics *agents,
                               int32_t leader, int32_t side) {
    ploy_kinematic agent = ploy_kinematics_get(agents, leader);
    ploy_vec2 local = {-def->back, (float)side * def->side};
    return ploy_vec2_add(agent.position,
                         ploy_vec2_rotate_by(local, ploy_angle_heading(agent.orientation)));
}

ploy_vec2 ploy_emergent_spot(const ploy_emergent_def *def, const ploy_kinematics *agents,
                             const ploy_emergent_claim *claims, int32_t i) {
    if (claims[i].leader < 0) return ploy_kinematics_get(agents, i).position;
    return emergent_spot(def, agents, claims[i].leader, claims[i].side);
}

static bool emergent_blocked(const ploy_emergent_def *def, const ploy_scene *scene, uint32_t mask,
                             ploy_vec2 spot) {
    ploy_vec3 at = ploy_vec3_from_vec2(spot, 0.0f);
    return ploy_scene_overlap(scene, at, def->body_radius, mask, NULL, 0) > 0;
}

static bool emergent_claimed(const ploy_emergent_def *def, const ploy_kinematics *agents,
                             const ploy_emergent_claim *claims, int32_t me, int32_t leader,
                             int32_t side, ploy_vec2 spot, float radius) {
    for (int32_t j = 0; j < agents->count; j++) {
        if (j == me || claims[j].leader < 0) continue;
        if (claims[j].leader == leader && claims[j].side == side) return true;
        ploy_vec2 other = emergent_spot(def, agents, claims[j].leader, claims[j].side);
        if (ploy_vec2_distance(other, spot) < radius) return true;
    }
    return false;
}

// True if following `leader` would lead back to `me`.
static bool emergent_circular(const ploy_emergent_claim *claims, int32_t me, int32_t leader,
                              int32_t count) {
    for (int32_t hops = 0; leader >= 0 && hops <= count; hops++) {
        if (leader == me) return true;
        leader = claims[leader].leader;
    }
    return false;
}

// The arm that a member is in: 1 left, -1 right, 0 if it leads, or follows with a change of side on
// the path to its tip. *tip is the member at the front.
static int32_t emergent_arm(const ploy_emergent_claim *claims, int32_t member, int32_t count,
                            int32_t *tip) {
    int32_t arm = claims[member].leader >= 0 ? claims[member].side : 0;
    for (int32_t hops = 0; claims[member].leader >= 0 && hops <= count; hops++) {
        if (claims[member].side != arm) arm = 0;
        member = claims[member].leader;
    }
    *tip = member;
    return arm;
}

// True if no other member is ahead of it.
static bool emergent_leads(const ploy_kinematics *agents, const bool *present, int32_t member) {
    ploy_kinematic self = ploy_kinematics_get(agents, member);
    ploy_vec2 heading = ploy_angle_heading(self.orientation);
    for (int32_t j = 0; j < agents->count; j++) {
        if (j == member || (present != NULL && !present[j])) continue;
        if (ploy_vec2_in_front(self.position, heading, ploy_kinematics_get(agents, j).position)) {
            return false;
        }
    }
    return true;
}

// The nearest present member that is farther than `after` (then by index), or -1: one that is ahead
// or, with `arms`, one whose V has its tip ahead. Who is beside the end of an arm falls back to it.
static int32_t emergent_next(const ploy_kinematics *agents, const bool *present,
                             const ploy_emergent_claim *claims, int32_t me, bool arms, float after,
                             int32_t after_index, float *distance) {
    ploy_kinematic self = ploy_kinematics_get(agents, me);
    ploy_vec2 heading = ploy_angle_heading(self.orientation);
    int32_t best = -1;
    for (int32_t j = 0; j < agents->count; j++) {
        if (j == me || (present != NULL && !present[j])) continue;
        ploy_vec2 other = ploy_kinematics_get(agents, j).position;
        int32_t front = j;
        if (arms) {
            emergent_arm(claims, j, agents->count, &front);
            // Who has not chosen yet is no tip of a V if it will follow another.
            if (!emergent_leads(agents, present, front)) continue;
        }
        ploy_vec2 ahead = ploy_kinematics_get(agents, front).position;
        if (front == me || !ploy_vec2_in_front(self.position, heading, ahead)) continue;
        float here = ploy_vec2_distance(self.position, other);
        if (here < after || (here == after && j <= after_index)) continue;
        if (best < 0 || here < *distance) best = j, *distance = here;
    }
    return best;
}

// How many are in the arms of a tip: [0] left, [1] right.
static void emergent_arms(const ploy_emergent_claim *claims, int32_t count, int32_t tip,
                          int32_t sizes[2]) {
    sizes[0] = sizes[1] = 0;
    for (int32_t j = 0; j < count; j++) {
        int32_t front = j, arm = emergent_arm(claims, j, count, &front);
        if (front == tip && arm > 0) sizes[0]++;
        if (front == tip && arm < 0) sizes[1]++;
    }
}

// True if the spot beside `leader` makes an arm of a V longer that is not the longer one already.
static bool emergent_balances(const ploy_emergent_claim *claims, int32_t count, int32_t leader,
                              int32_t side) {
    int32_t tip = leader, arm = emergent_arm(claims, leader, count, &tip), sizes[2];
    if (tip != leader && arm != side) return false;
    emergent_arms(claims, count, tip, sizes);
    return side > 0 ? sizes[0] <= sizes[1] : sizes[1] <= sizes[0];
}

// A spot that keeps the V even is taken before any other; the side on which the member is comes
// first, so that paths do not cross.
static ploy_emergent_claim emergent_look(const ploy_emergent_def *def,
                                         const ploy_kinematics *agents, const bool *present,
                                         const ploy_scene *scene, uint32_t mask,
                                         const ploy_emergent_claim *claims, int32_t me) {
    ploy_vec2 position = ploy_kinematics_get(agents, me).position;
    for (int32_t pass = 0; pass < 2; pass++) {
        // Spots of arms are apart once each agent is in its place, however near they are now.
        float distance = -1.0f, radius = pass == 0 ? 0.0f : def->claim_radius;
        int32_t leader = -1;
        while ((leader = emergent_next(agents, present, claims, me, pass == 0, distance, leader,
                                       &distance)) >= 0) {
            if (emergent_circular(claims, me, leader, agents->count)) continue;
            ploy_kinematic front = ploy_kinematics_get(agents, leader);
            ploy_vec2 heading = ploy_angle_heading(front.orientation);
            ploy_vec2 offset = ploy_vec2_sub(position, front.position);
            int32_t own = ploy_vec2_cross(heading, offset) < 0.0f ? -1 : 1;
            for (int32_t k = 0; k < 2; k++) {
                int32_t side = k == 0 ? own : -own;
                ploy_vec2 spot = emergent_spot(def, agents, leader, side);
                if (pass == 0 && !emergent_balances(claims, agents->count, leader, side)) continue;
                if (emergent_claimed(def, agents, claims, me, leader, side, spot, radius)) continue;
                if (emergent_blocked(def, scene, mask, spot)) continue;
                ploy_emergent_claim out = {leader, side, 0.0f};
                return out;
            }
        }
    }
    return ploy_emergent_claim_none();
}

ploy_result ploy_emergent_step(const ploy_emergent_def *def, const ploy_kinematics *agents,
                               const bool *present, const ploy_scene *scene, uint32_t mask,
                               float dt, ploy_emergent_claim *claims) {
    ploy_env quiet = ploy_env_default();
    if (def == NULL || agents == NULL || claims == NULL || !ployi_within(dt, 0, PLOY_DT_MAX_S)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (ploy_fields_check(ploy_emergent_fields(), def, &quiet) != PLOY_OK) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics_check(agents, 0, agents->count);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < agents->count; i++) { // agents that point to no other release first
        int32_t leader = claims[i].leader;
        bool gone = leader >= agents->count || leader < -1 || leader == i ||
                    (present != NULL && (!present[i] || (leader >= 0 && !present[leader])));
        if (gone) claims[i] = ploy_emergent_claim_none();
    }
    for (int32_t i = 0; i < agents->count; i++) {
        if (present != NULL && !present[i]) continue;
        if (claims[i].leader >= 0) {
            ploy_vec2 spot = ploy_emergent_spot(def, agents, claims, i);
            bool blocked = emergent_blocked(def, scene, mask, spot);
            claims[i].blocked = blocked ? claims[i].blocked + dt : 0.0f;
            if (claims[i].blocked <= def->patience) continue;
            claims[i] = ploy_emergent_claim_none();
        }
        claims[i] = emergent_look(def, agents, present, scene, mask, claims, i);
    }
    return PLOY_OK;
}

void ploy_emergent_draw(const ploy_emergent_def *def, const ploy_kinematics *agents,
                        const ploy_emergent_claim *claims, ploy_draw *out) {
    ploy_agent_id nobody = ploy_agent_id_none();
    for (int32_t i = 0; i < agents->count; i++) {
        if (claims[i].leader < 0) continue;
        ploy_vec2 spot = ploy_emergent_spot(def, agents, claims, i);
        ploy_draw_circle(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, nobody, spot, 0.2f);
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, nobody, spot,
                       ploy_kinematics_get(agents, claims[i].leader).position);
    }
}
