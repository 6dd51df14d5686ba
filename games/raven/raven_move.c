// Movement: the steering that goals request, walls, others, and bodies that do not enter walls.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 7: seek, arrive and wander
// with wall avoidance and separation; the facing is independent of the motion. Unlike in the text,
// a body never enters a wall: a step is swept, and what would lead into a wall slides along it.
// Bodies push one another apart more slowly than they walk, so that two in a doorway squeeze past
// each other instead of blocking it for good.
#include <math.h>
#include <string.h>

#include "games/raven/raven.h"
#include "ploy/base/math.h"
#include "ploy/decide/goal_fetch.h"
#include "ploy/geom/angle.h"
#include "ploy/move/arrive.h"
#include "ploy/move/feelers.h"
#include "ploy/move/overlap.h"
#include "ploy/move/seek.h"
#include "ploy/move/wander.h"

// ---- what brains request

void raven_steer(raven_bot *bot, ploy_goal_steer how, ploy_vec2 target, float speed) {
    bot->how = (int32_t)how;
    bot->target_point = target;
    bot->speed_limit = speed;
}

void raven_weave(raven_bot *bot, bool weaves) {
    bot->weaves = weaves;
}

void raven_face(raven_bot *bot, ploy_vec2 point) {
    bot->face_point = point;
    bot->faces = true;
}

void raven_face_motion(raven_bot *bot) {
    bot->faces = false;
}

// ---- steering

static float move_speed(const raven_bot *bot) {
    float most = bot->match->def.max_speed;
    return bot->speed_limit > 0.0f ? ploy_minf(bot->speed_limit, most) : most;
}

// Where to steer: the target, or a point beside the line to it, to one side and the other in turn.
static ploy_vec2 move_target(const raven_bot *bot) {
    ploy_vec2 at = bot->body.position;
    if (!bot->weaves) return bot->target_point;
    ploy_vec2 to = ploy_goal_weave(at, bot->target_point, bot->match->now, 0.8f, 0.8f);
    return raven_walks(bot->match, at, to, 0.9f * bot->match->def.radius) ? to : bot->target_point;
}

// A wanderer in a corner drifts from one wall to the other and stays there. Once it has stayed for
// half a second it heads in a direction drawn at random, another one every half second, until it has
// left the place.
static bool move_pinned(const raven_bot *bot) {
    const raven_match *match = bot->match;
    return match->tick - bot->blocked_since > raven_ticks(match, 0.5f);
}

static float move_way_out(const raven_bot *bot) {
    const raven_match *match = bot->match;
    uint64_t half_second = match->tick / raven_ticks(match, 0.5f);
    float draw = ploy_rng_float_at(match->context->key, (uint32_t)bot->index + 1 + RAVEN_BOTS_MAX,
                                   half_second, 1);
    return PLOY_PI_F * (2.0f * draw - 1.0f);
}

static ploy_vec2 move_request(raven_bot *bot) {
    raven_match *match = bot->match;
    const raven_def *def = &match->def;
    const float settle = 0.05f; // s in which a velocity is reached
    ploy_kinematic body = bot->body;
    // Behaviors work with the direction of motion, not with the facing.
    if (ploy_vec2_length_sq(body.velocity) > 1e-6f) {
        body.orientation = ploy_angle_of(body.velocity);
    }
    switch ((ploy_goal_steer)bot->how) {
    case PLOY_GOAL_STEER_SEEK: {
        ploy_seek_def seek = ploy_seek_def_default();
        seek.max_speed = move_speed(bot);
        seek.max_acceleration = def->max_acceleration;
        seek.time_to_target = settle;
        return ploy_vec2_scale(ploy_seek(&seek, body, move_target(bot)).linear, def->seek);
    }
    case PLOY_GOAL_STEER_ARRIVE: {
        ploy_arrive_def arrive = ploy_arrive_def_default();
        arrive.max_speed = move_speed(bot);
        arrive.max_acceleration = def->max_acceleration;
        arrive.slow_radius = 0.5f;
        arrive.target_radius = 0.05f;
        arrive.time_to_target = settle;
        return ploy_vec2_scale(ploy_arrive(&arrive, body, move_target(bot)).linear, def->arrive);
    }
    case PLOY_GOAL_STEER_WANDER: {
        ploy_wander_def wander = ploy_wander_def_default();
        wander.max_speed = move_speed(bot);
        wander.max_acceleration = def->max_acceleration;
        wander.time_to_target = settle;
        if (move_pinned(bot)) body.orientation = move_way_out(bot);
        return ploy_vec2_scale(ploy_wander_steer(&wander, body, &bot->wander_angle, match->dt,
                                                 match->context->key, (uint32_t)bot->index + 1,
                                                 match->tick)
                                   .linear,
                               def->wander);
    }
    case PLOY_GOAL_STEER_NONE: break;
    }
    return ploy_vec2_scale(body.velocity, -1.0f / settle);
}

static ploy_vec2 move_separation(const raven_bot *bot) {
    const raven_match *match = bot->match;
    const raven_def *def = &match->def;
    float reach = 2.0f * def->radius + def->view_distance;
    ploy_vec2 sum = ploy_vec2_zero();
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_bot *other = &match->bots[i];
        if (other == bot || !raven_alive(other)) continue;
        ploy_vec2 away = ploy_vec2_sub(bot->body.position, other->body.position);
        float square = ploy_vec2_length_sq(away);
        if (square >= reach * reach || !(square > 1e-12f)) continue;
        sum = ploy_vec2_add_scaled(sum, away, 1.0f / square);
    }
    return ploy_vec2_scale(sum, def->separation);
}

static ploy_feelers_def move_feelers(const raven_bot *bot, ploy_kinematic *body) {
    const raven_def *def = &bot->match->def;
    ploy_feelers_def feelers = ploy_feelers_def_default();
    feelers.layout = PLOY_FEELERS_FAN;
    feelers.response = PLOY_FEELERS_PUSH;
    feelers.length = def->feeler;
    feelers.whisker_length = def->feeler;
    feelers.strength = def->wall_avoidance;
    feelers.trap_count = 0;
    *body = bot->body;
    body->orientation = ploy_angle_of(bot->body.velocity);
    return feelers;
}

// On a path the walls were considered by the planner already; feelers would only brake.
static bool move_feels(const raven_bot *bot) {
    return bot->how == (int32_t)PLOY_GOAL_STEER_WANDER && bot->match->def.wall_avoidance > 0.0f &&
           ploy_vec2_length_sq(bot->body.velocity) >= 0.01f;
}

static ploy_vec2 move_walls(const raven_bot *bot) {
    if (!move_feels(bot)) return ploy_vec2_zero();
    ploy_kinematic body;
    ploy_feelers_def feelers = move_feelers(bot, &body);
    return ploy_avoid_walls(&feelers, NULL, body, &bot->match->map->scene, bot->match->dt).linear;
}

void raven_draw_feelers(const raven_bot *bot, ploy_draw *out) {
    if (!move_feels(bot)) return;
    ploy_kinematic body;
    ploy_feelers_def feelers = move_feelers(bot, &body);
    ploy_feelers_draw(&feelers, NULL, body, raven_id(bot->index), out);
}

static void move_steer(raven_bot *bot) {
    const raven_def *def = &bot->match->def;
    bot->steering.angular = 0.0f;
    bot->steering.linear = ploy_vec2_zero();
    if (def->still) return;
    ploy_vec2 sum = move_request(bot);
    sum = ploy_vec2_add(sum, move_walls(bot));
    sum = ploy_vec2_add(sum, move_separation(bot));
    bot->steering.linear = ploy_vec2_limit(sum, def->max_acceleration);
}

// ---- bodies

ploy_vec2 raven_slide(const raven_match *match, ploy_vec2 from, ploy_vec2 step, float radius) {
    const float skin = 1e-3f; // m that a body keeps from a wall
    ploy_vec2 at = from;
    for (int32_t i = 0; i < 4; i++) {
        float length = ploy_vec2_length(step);
        if (length < 1e-7f) break;
        ploy_scene_hit hit;
        ploy_vec2 to = ploy_vec2_add(at, step);
        if (!ploy_scene_sweep2(&match->map->scene, at, to, radius, RAVEN_MASK_SOLID, &hit)) {
            return to;
        }
        ploy_vec2 normal = ploy_vec2_from_vec3(hit.normal);
        if (hit.inside) {
            // Pressed into a wall by rounding or by a door: out of it first.
            ploy_vec2 out = ploy_vec2_add_scaled(at, normal, skin);
            if (!ploy_scene_sees2(&match->map->scene, at, out, RAVEN_MASK_SOLID)) break;
            at = out;
        } else {
            float free_length = ploy_maxf(hit.distance - skin, 0.0f);
            at = ploy_vec2_add_scaled(at, step, free_length / length);
            step = ploy_vec2_scale(step, (length - free_length) / length);
        }
        float into = ploy_vec2_dot(step, normal);
        if (into < 0.0f) step = ploy_vec2_add_scaled(step, normal, -into);
    }
    return at;
}

static void move_body(raven_bot *bot) {
    raven_match *match = bot->match;
    const raven_def *def = &match->def;
    ploy_kinematic *body = &bot->body;
    if (def->still) {
        body->velocity = ploy_vec2_zero();
        return;
    }
    body->velocity = ploy_vec2_limit(
        ploy_vec2_add_scaled(body->velocity, bot->steering.linear, match->dt), move_speed(bot));
    ploy_vec2 from = body->position;
    body->position =
        raven_slide(match, from, ploy_vec2_scale(body->velocity, match->dt), def->radius);
    // What the wall took from the step is gone from the velocity too.
    ploy_vec2 moved = ploy_vec2_scale(ploy_vec2_sub(body->position, from), 1.0f / match->dt);
    body->velocity = ploy_vec2_limit(moved, def->max_speed);
}

// Bodies that overlap move apart, at once for all, and never into a wall.
static void move_apart(raven_match *match) {
    float radius = match->def.radius, most = 0.4f * match->def.max_speed * match->dt;
    ploy_vec2 pushes[RAVEN_BOTS_MAX];
    for (int32_t i = 0; i < match->bot_count; i++) {
        pushes[i] = ploy_vec2_zero();
        if (!raven_alive(&match->bots[i])) continue;
        for (int32_t k = 0; k < match->bot_count; k++) {
            if (k == i || !raven_alive(&match->bots[k])) continue;
            pushes[i] = ploy_vec2_add(pushes[i],
                                      ploy_overlap_push(match->bots[i].body.position, radius,
                                                        match->bots[k].body.position, radius, i));
        }
    }
    for (int32_t i = 0; i < match->bot_count; i++) {
        if (ploy_vec2_length_sq(pushes[i]) == 0.0f) continue;
        ploy_kinematic *body = &match->bots[i].body;
        body->position =
            raven_slide(match, body->position, ploy_vec2_limit(pushes[i], most), radius);
    }
}

// Begins again where the bot is, if it is not to move or has left its place.
static void move_clock(const raven_match *match, const raven_bot *bot, bool goes, ploy_vec2 *from,
                       uint64_t *since) {
    float radius = match->def.radius;
    ploy_vec2 at = bot->body.position;
    if (goes && ploy_vec2_distance_sq(at, *from) <= radius * radius) return;
    *from = at;
    *since = match->tick;
}

// How long a bot that is to move has been within its radius of one place. One that waits for a path
// is to move, but its new path gets as much time as the one before.
static void move_watch(raven_match *match, raven_bot *bot) {
    bool steers = bot->how != (int32_t)PLOY_GOAL_STEER_NONE && !match->def.still;
    bool waits = bot->path_since > 0 && !match->def.still;
    move_clock(match, bot, steers, &bot->blocked_from, &bot->blocked_since);
    move_clock(match, bot, steers || waits, &bot->stuck_from, &bot->stuck_since);
    uint64_t stuck = match->tick - bot->stuck_since;
    if (stuck > bot->longest_stuck) bot->longest_stuck = stuck;
}

void raven_move_all(raven_match *match) {
    for (int32_t i = 0; i < match->bot_count; i++) {
        if (raven_alive(&match->bots[i])) move_steer(&match->bots[i]);
    }
    for (int32_t i = 0; i < match->bot_count; i++) {
        if (raven_alive(&match->bots[i])) move_body(&match->bots[i]);
    }
    if (!match->def.still) move_apart(match);
    for (int32_t i = 0; i < match->bot_count; i++) {
        raven_bot *bot = &match->bots[i];
        if (!raven_alive(bot)) continue;
        bot->samples[bot->sample_next] = bot->body.velocity;
        bot->sample_next = (bot->sample_next + 1) % RAVEN_SAMPLES_MAX;
        if (bot->sample_count < RAVEN_SAMPLES_MAX) bot->sample_count++;
        move_watch(match, bot);
    }
}
