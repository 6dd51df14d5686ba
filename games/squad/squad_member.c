// The members: taking orders, paths on the network, movement.
#include <math.h>
#include <string.h>

#include "games/squad/squad.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"

static const ploy_order *squad_order_of(const squad_game *game, int32_t member) {
    return ploy_tiers_order(game->tiers, SQUAD_FIRST_TIER + member);
}

bool squad_order_pending(const squad_game *game, int32_t member) {
    const ploy_order *order = squad_order_of(game, member);
    return order != NULL && order->id != game->members[member].order;
}

bool squad_goal_reached(const squad_member *member) {
    float distance = ploy_vec2_distance(member->body.position, member->errand.goal);
    return member->order != 0 && member->errand.next == member->errand.stop_count &&
           (member->errand.arrived || distance < member->errand.def->goal_radius);
}

ploy_result squad_finish(squad_game *game, int32_t index, ploy_report_kind kind,
                         ploy_report_reason reason) {
    squad_member *member = &game->members[index];
    if (member->order == 0) return PLOY_OK;
    ploy_report report = ploy_report_make(kind, member->order, reason);
    report.place = member->body.position;
    report.unit = squad_id(SQUAD_FIRST_TIER + index);
    member->order = 0;
    member->body.velocity = ploy_vec2_zero();
    ploy_result result =
        ploy_tiers_report(game->tiers, SQUAD_FIRST_TIER + index, &report, game->now);
    return result == PLOY_ERR_NOT_FOUND ? PLOY_OK : result; // it has expired in this tick
}

// Whether a member can go straight on with room beside it. A line alone passes corners so closely
// that a member which is pushed off it ends on the wrong side of a wall.
static bool squad_has_room(void *user, ploy_vec3 from, ploy_vec3 to) {
    const squad_game *game = user;
    ploy_scene_hit hit;
    return !ploy_scene_sweep2(&game->walls, ploy_vec2_from_vec3(from), ploy_vec2_from_vec3(to),
                              1.5f * SQUAD_RADIUS, 1, &hit);
}

ploy_result squad_take_order(squad_game *game, int32_t index, ploy_step_context *context) {
    squad_member *member = &game->members[index];
    const ploy_order *order = squad_order_of(game, index);
    if (order == NULL) return PLOY_OK;
    int32_t count = 0;
    ploy_vec3 from = ploy_vec3_from_vec2(member->body.position, 0.0f);
    ploy_vec3 to = ploy_vec3_from_vec2(order->place, 0.0f);
    member->order = order->id;
    member->investigates = order->kind == PLOY_ORDER_EXPLORE;
    member->handled = 0;
    member->progress = ploy_progress_begin(game->now);
    ploy_result result =
        ploy_network_find(game->network, game->search, from, to, true, squad_has_room, game,
                          member->waypoints, SQUAD_STOPS_MAX, &count);
    if (result == PLOY_ERR_NOT_FOUND) { // an end is close to a wall
        result = ploy_network_find(game->network, game->search, from, to, true, squad_sees, game,
                                   member->waypoints, SQUAD_STOPS_MAX, &count);
    }
    if (context->trace != NULL) {
        ploy_trace_begin(context->trace, context->agent, "path", "waypoint network");
        ploy_trace_option(context->trace, "along the network",
                          result == PLOY_OK ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                          (double)count,
                          result == PLOY_OK ? "waypoints on the path" : "there is no path");
        ploy_trace_end(context->trace);
    }
    if (result == PLOY_ERR_MEMORY) return result;
    if (result != PLOY_OK || count > SQUAD_STOPS_MAX) { // not a walk through the walls
        member->errand = ploy_errand_begin(&game->errand, member->stops, 0, order->place);
        return squad_finish(game, index, PLOY_REPORT_FAILED, PLOY_REASON_NO_PATH);
    }
    for (int32_t i = 0; i < count; i++) {
        ploy_waypoint waypoint;
        (void)ploy_network_get(game->network, member->waypoints[i], &waypoint);
        member->stops[i].position = ploy_vec2_from_vec3(waypoint.position);
        member->stops[i].radius = waypoint.radius + game->def.slack; // for mover and machine
    }
    member->errand = ploy_errand_begin(&game->errand, member->stops, count, order->place);
    return PLOY_OK;
}

// ---- movement

// The distance left along the path, to see whether a member gets anywhere.
static float squad_left(const squad_member *member) {
    ploy_vec2 at = member->body.position;
    float left = 0.0f;
    for (int32_t i = member->errand.next; i < member->errand.stop_count; i++) {
        left += ploy_vec2_distance(at, member->stops[i].position);
        at = member->stops[i].position;
    }
    return left + ploy_vec2_distance(at, member->errand.goal);
}

// Walls stop a body; what is left of the motion goes along them.
static void squad_collide(const squad_game *game, ploy_vec2 from, ploy_kinematic *body) {
    for (int32_t pass = 0; pass < 3; pass++) {
        ploy_scene_hit hit;
        if (!ploy_scene_sweep2(&game->walls, from, body->position, SQUAD_RADIUS, 1, &hit)) return;
        ploy_vec2 way = ploy_vec2_sub(body->position, from);
        float length = ploy_vec2_length(way);
        float free = ploy_maxf(0.0f, hit.distance - 0.01f);
        ploy_vec2 at = length > 0.0f
                           ? ploy_vec2_add(from, ploy_vec2_scale(way, ploy_minf(free / length, 1)))
                           : from;
        ploy_vec2 normal = ploy_vec2_from_vec3(hit.normal);
        ploy_vec2 rest = ploy_vec2_sub(body->position, at);
        rest = ploy_vec2_sub(rest, ploy_vec2_scale(normal, ploy_vec2_dot(rest, normal)));
        float into = ploy_vec2_dot(body->velocity, normal);
        if (into < 0.0f) {
            body->velocity = ploy_vec2_sub(body->velocity, ploy_vec2_scale(normal, into));
        }
        body->position = pass < 2 ? ploy_vec2_add(at, rest) : at;
        from = at;
    }
}

static ploy_steering squad_steer(squad_game *game, int32_t index, const ploy_kinematics *all) {
    squad_member *member = &game->members[index];
    ploy_flock_def flock = ploy_flock_def_default();
    flock.radius = game->def.separation;
    flock.max_acceleration = game->motion.max_acceleration;
    ploy_steering_context steering =
        ploy_steering_context_make(member->body, squad_id(SQUAD_FIRST_TIER + index),
                                   game->context->dt, game->context->tick, game->key);
    ploy_steering request = ploy_errand_steer(&member->errand, &steering);
    ploy_neighbours seen = ploy_neighbours_find(&flock, member->body, all, index);
    ploy_steering apart = ploy_separate(&flock, &seen);
    request.linear = ploy_vec2_add(request.linear, apart.linear);
    return request;
}

ploy_result squad_move(squad_game *game) {
    ploy_kinematic bodies[SQUAD_MEMBERS_MAX];
    ploy_progress_def progress = ploy_progress_def_default();
    progress.seconds = 8.0f;
    progress.distance = 0.5f;
    for (int32_t i = 0; i < game->def.members; i++) bodies[i] = game->members[i].body;
    ploy_kinematics all = ploy_kinematics_of(bodies, game->def.members);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < game->def.members && result == PLOY_OK; i++) {
        squad_member *member = &game->members[i];
        const ploy_order *order = squad_order_of(game, i);
        if (member->order != 0 && (order == NULL || order->id != member->order) &&
            !squad_order_pending(game, i)) {
            member->order = 0; // it has expired
            member->body.velocity = ploy_vec2_zero();
        }
        bool walks = member->order != 0 && !ploy_hsm_is_in(member->mind, "LookingAround");
        if (member->order != 0 && !walks) {
            member->body.orientation =
                ploy_angle_wrap(member->body.orientation + game->def.look * game->context->dt);
        }
        if (!walks || squad_goal_reached(member)) continue;
        ploy_vec2 from = member->body.position;
        ploy_steering steering = squad_steer(game, i, &all);
        member->body = ploy_mover_step(&game->motion, member->body, steering, game->context->dt);
        squad_collide(game, from, &member->body);
        if (ploy_progress_step(&progress, &member->progress, squad_left(member), game->now)) {
            result = squad_finish(game, i, PLOY_REPORT_STUCK, PLOY_REASON_NO_PROGRESS);
        }
    }
    return result;
}
