// Motion: what a player's behaviors ask for, added in order of importance, and how its body follows.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapters 3 and 4 (prioritised sum,
// turn-limited field players, a keeper that looks elsewhere than it goes). There a force from
// exactly behind turns no player and makes the velocity flip to and fro; here the body turns toward the
// desired velocity, and its speed never falls below 0.
#include "games/soccer/soccer.h"

#include <math.h>

#include "ploy/base/math.h"
#include "ploy/geom/angle.h"
#include "ploy/move/arrive.h"
#include "ploy/move/combine.h"
#include "ploy/move/flock.h"
#include "ploy/move/integrate.h"
#include "ploy/move/seek.h"

// The settings of all behaviors, made once a tick: a default fills every field from its table, which
// for ten players would cost more than all their steering.
typedef struct move_laws {
    ploy_seek_def seek;
    ploy_arrive_def arrive;
    ploy_flock_def flock;
    ploy_combination combination; // without parts
    ploy_integrate_def integrate;
} move_laws;

typedef struct move_ask {
    soccer_match *match;
    const soccer_player *player;
    const move_laws *laws;
    ploy_vec2 target;
} move_ask;

static move_laws move_laws_make(const soccer_def *def) {
    move_laws laws;
    laws.seek = ploy_seek_def_default();
    laws.seek.max_acceleration = def->max_acceleration;
    laws.seek.time_to_target = def->reaction;
    laws.arrive = ploy_arrive_def_default();
    laws.arrive.max_acceleration = def->max_acceleration;
    laws.arrive.target_radius = 0.05f;
    laws.arrive.time_to_target = def->reaction;
    laws.arrive.stop_inside = true;
    laws.flock = ploy_flock_def_default();
    laws.flock.view = PLOY_VIEW_ALL;
    laws.flock.radius = def->separation_range;
    laws.flock.body_radius = 0.0f;
    laws.flock.separation = PLOY_SEPARATION_INVERSE;
    laws.flock.separation_radius = def->separation_range;
    laws.flock.separation_strength = def->separation;
    laws.flock.max_acceleration = def->max_acceleration;
    ploy_combine_def combine = ploy_combine_def_default();
    combine.mode = PLOY_COMBINE_RUNNING_SUM;
    combine.max_acceleration = def->max_acceleration;
    (void)ploy_combination_init(&laws.combination, &combine, NULL);
    laws.integrate = ploy_integrate_def_default();
    laws.integrate.facing = PLOY_FACING_FREE;
    return laws;
}

static ploy_steering move_seek(const ploy_steering_source *source,
                               const ploy_steering_context *context) {
    const move_ask *ask = source->state;
    ploy_seek_def seek = ask->laws->seek;
    seek.max_speed = ask->player->max_speed;
    return ploy_seek(&seek, context->agent, ask->target);
}

static ploy_steering move_arrive(const ploy_steering_source *source,
                                 const ploy_steering_context *context) {
    const move_ask *ask = source->state;
    ploy_arrive_def arrive = ask->laws->arrive;
    arrive.max_speed = ask->player->max_speed;
    arrive.slow_radius = 2.0f * ask->player->max_speed * ask->match->def.reaction;
    return ploy_arrive(&arrive, context->agent, ask->target);
}

static ploy_kinematics move_bodies(soccer_match *match) {
    soccer_player *players = match->players;
    return ploy_kinematics_make(SOCCER_PLAYERS, &players->body.position.x,
                                &players->body.position.y, &players->body.orientation,
                                &players->body.velocity.x, &players->body.velocity.y,
                                &players->body.rotation, sizeof(soccer_player));
}

static ploy_steering move_separate(const ploy_steering_source *source,
                                   const ploy_steering_context *context) {
    const move_ask *ask = source->state;
    ploy_kinematics others = move_bodies(ask->match);
    ploy_neighbours seen =
        ploy_neighbours_find(&ask->laws->flock, context->agent, &others, ask->player->index);
    return ploy_separate(&ask->laws->flock, &seen);
}

// Where to meet the ball: it is looked ahead as long as it would take to get here.
static ploy_vec2 move_meeting(const soccer_match *match, const soccer_player *player) {
    float speed = ploy_vec2_length(match->ball.velocity);
    float time = speed > 0.0f ? player->ball_distance / speed : 0.0f;
    return soccer_ball_future(match->ball.position, match->ball.velocity, match->def.friction,
                              time);
}

// A place on the way from the point behind it to the ball.
static ploy_vec2 move_between(const soccer_match *match, const soccer_player *player) {
    float distance = soccer_def_of(match, player->team)->tend_distance;
    ploy_vec2 way = ploy_vec2_sub(match->ball.position, player->target);
    return ploy_vec2_add(player->target, ploy_vec2_with_length(way, distance));
}

static void move_steer(soccer_match *match, const move_laws *laws, soccer_player *player) {
    enum { PARTS = 5 };
    bool alone = (player->on & SOCCER_SEPARATE) == 0 || match->holder == player->index;
    ploy_vec2 targets[PARTS] = {player->target, player->target, player->target,
                                move_meeting(match, player), move_between(match, player)};
    static const struct {
        ploy_steering_type type;
        uint32_t on;
    } rows[PARTS] = {{{"separation", move_separate, NULL, NULL, 0, false, true}, SOCCER_SEPARATE},
                     {{"seek", move_seek, NULL, NULL, 0, false, true}, SOCCER_SEEK},
                     {{"arrive", move_arrive, NULL, NULL, 0, false, true}, SOCCER_ARRIVE},
                     {{"pursue", move_arrive, NULL, NULL, 0, false, true}, SOCCER_PURSUE},
                     {{"interpose", move_arrive, NULL, NULL, 0, false, true}, SOCCER_INTERPOSE}};
    move_ask asks[PARTS];
    ploy_combination combination = laws->combination;
    for (int32_t i = 0; i < PARTS; i++) {
        if ((player->on & rows[i].on) == 0 || (i == 0 && alone)) continue;
        asks[i].match = match;
        asks[i].player = player;
        asks[i].laws = laws;
        asks[i].target = targets[i];
        ploy_steering_source source = ploy_steering_source_make(&rows[i].type, &asks[i]);
        (void)ploy_combination_add(&combination, rows[i].type.name, source, 1.0f);
    }
    ploy_steering_context context = ploy_steering_context_make(
        player->body, soccer_id(player->index), match->dt, match->tick, match->context->key);
    context.trace = match->context->trace;
    player->steering =
        combination.part_count > 0 ? ploy_combine(&combination, &context) : ploy_steering_none();
}

void soccer_steer(soccer_match *match, soccer_player *player) {
    move_laws laws = move_laws_make(&match->def);
    move_steer(match, &laws, player);
}

void soccer_track_ball(const soccer_match *match, soccer_player *player) {
    ploy_vec2 to = ploy_vec2_sub(match->ball.position, player->body.position);
    if (ploy_vec2_length_sq(to) == 0.0f) return;
    player->body.orientation = ploy_angle_toward(player->body.orientation, ploy_angle_of(to),
                                                 match->def.turn_rate * match->dt);
}

// A field player goes where it looks.
static void move_runner(const soccer_match *match, soccer_player *player) {
    const float stands = 0.05f; // m/s; a smaller requested speed turns no player
    const soccer_def *def = &match->def;
    ploy_vec2 push = player->steering.linear;
    float speed = ploy_vec2_length(player->body.velocity);
    ploy_vec2 wanted = ploy_vec2_add(player->body.velocity, ploy_vec2_scale(push, def->reaction));
    if (ploy_vec2_length_sq(wanted) > stands * stands && player->steering.requested != 0) {
        player->body.orientation = ploy_angle_toward(
            player->body.orientation, ploy_angle_of(wanted), def->turn_rate * match->dt);
        ploy_vec2 heading = ploy_angle_heading(player->body.orientation);
        speed =
            ploy_clampf(speed + ploy_vec2_dot(heading, push) * match->dt, 0.0f, player->max_speed);
    } else {
        speed = ploy_minf(speed * def->brake, player->max_speed);
    }
    player->body.velocity = ploy_vec2_scale(ploy_angle_heading(player->body.orientation), speed);
    player->body.position =
        ploy_vec2_add(player->body.position, ploy_vec2_scale(player->body.velocity, match->dt));
}

// A keeper goes sideways while it watches the ball.
static void move_keeper(soccer_match *match, const move_laws *laws, soccer_player *player) {
    ploy_integrate_def law = laws->integrate;
    law.max_speed = player->max_speed;
    if (match->holder == player->index) return;
    player->body = ploy_integrate(&law, player->body, player->steering, match->dt);
    soccer_track_ball(match, player);
}

static void move_tire(const soccer_match *match, soccer_player *player) {
    float whole = soccer_def_of(match, player->team)->stamina;
    if (whole <= 0.0f) {
        player->stamina = 1.0f;
        return;
    }
    bool runs = ploy_vec2_length_sq(player->body.velocity) > 0.25f;
    float change = (runs ? -1.0f : 2.0f) * match->dt / whole;
    player->stamina = ploy_clampf(player->stamina + change, 0.0f, 1.0f);
}

static ploy_vec2 move_within(ploy_vec2 place, float margin) {
    float x = SOCCER_HALF_LENGTH - margin, y = SOCCER_HALF_WIDTH - margin;
    return ploy_vec2_make(ploy_clampf(place.x, -x, x), ploy_clampf(place.y, -y, y));
}

static void move_one(soccer_match *match, const move_laws *laws, soccer_player *player) {
    if (player->role == SOCCER_KEEPER) {
        move_keeper(match, laws, player);
    } else {
        move_runner(match, player);
    }
    move_tire(match, player);
}

void soccer_move(soccer_match *match, soccer_player *player) {
    move_laws laws = move_laws_make(&match->def);
    move_one(match, &laws, player);
}

// Two bodies that overlap give way by half each, all at once, so that numbers do not matter.
static void move_apart(soccer_match *match) {
    float least = 2.0f * match->def.player_radius;
    ploy_vec2 shifts[SOCCER_PLAYERS];
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) {
        shifts[i] = ploy_vec2_make(0.0f, 0.0f);
        for (int32_t k = 0; k < SOCCER_PLAYERS; k++) {
            ploy_vec2 away =
                ploy_vec2_sub(match->players[i].body.position, match->players[k].body.position);
            float distance = ploy_vec2_length(away);
            if (k == i || distance >= least || distance == 0.0f) continue;
            if (match->holder == i) continue; // no player pushes a keeper off the ball
            float part = 0.5f * (least - distance) / distance;
            shifts[i] = ploy_vec2_add(shifts[i], ploy_vec2_scale(away, part));
        }
    }
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) {
        ploy_kinematic *body = &match->players[i].body;
        body->position = ploy_vec2_add(body->position, shifts[i]);
    }
}

// The referee keeps the ball in view from the middle's side and out of all players' paths.
static void move_referee(soccer_match *match, const move_laws *laws) {
    const float distance = 9.0f, shy = 5.0f, speed = 7.0f; // m, m, m/s
    ploy_vec2 middle = ploy_vec2_scale(match->ball.position, -1.0f);
    if (ploy_vec2_length_sq(middle) < 1.0f) middle = ploy_vec2_make(0.0f, 1.0f);
    ploy_vec2 place = move_within(
        ploy_vec2_add(match->ball.position, ploy_vec2_with_length(middle, distance)), 1.0f);
    ploy_arrive_def arrive = laws->arrive;
    arrive.max_speed = speed;
    arrive.max_acceleration = 20.0f;
    arrive.slow_radius = 3.0f;
    arrive.target_radius = 1.0f;
    arrive.time_to_target = 0.2f;
    ploy_flock_def flock = laws->flock;
    flock.radius = shy;
    flock.separation_radius = shy;
    ploy_kinematics others = move_bodies(match);
    ploy_neighbours seen = ploy_neighbours_find(&flock, match->referee, &others, -1);
    ploy_steering requested = ploy_steering_add(ploy_arrive(&arrive, match->referee, place),
                                                ploy_separate(&flock, &seen));
    ploy_integrate_def law = laws->integrate;
    law.max_speed = speed;
    match->referee = ploy_integrate(&law, match->referee, requested, match->dt);
    match->referee.position = move_within(match->referee.position, 1.0f);
    ploy_vec2 to = ploy_vec2_sub(match->ball.position, match->referee.position);
    if (ploy_vec2_length_sq(to) > 0.0f) match->referee.orientation = ploy_angle_of(to);
}

void soccer_move_all(soccer_match *match) {
    // All ask before any of them moves: the order is no advantage.
    move_laws laws = move_laws_make(&match->def);
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) move_steer(match, &laws, &match->players[i]);
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) move_one(match, &laws, &match->players[i]);
    if (match->def.solid) move_apart(match);
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) {
        ploy_kinematic *body = &match->players[i].body;
        body->position = move_within(body->position, 0.3f);
    }
    if (match->def.referee) move_referee(match, &laws);
}
