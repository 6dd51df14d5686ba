// What is done to the ball: kicks, catches, and who has which role because of it.
//
// Minds decide all at once and leave what they request (soccer_act). It is carried out here, one
// by one. Two who kick in the same tick both kick, and the later one has the ball; a draw in each
// tick decides which team begins, because a fixed order would favour one of them. A keeper's hands
// come before all feet.
#include "games/soccer/soccer.h"

#include <string.h>

// A player that loses the ball to an opponent at its side stumbles: two would kick it to and fro otherwise,
// several times a second.
static void play_tackle(soccer_match *match, int32_t player) {
    const float side = 2.5f; // m
    soccer_player *robbed = &match->players[match->last_touch];
    const soccer_player *robber = &match->players[player];
    if (robbed->team == robber->team || robbed->role == SOCCER_KEEPER ||
        ploy_vec2_distance_sq(robbed->body.position, robber->body.position) > side * side) {
        return;
    }
    robbed->stumbles_until = match->tick + (uint64_t)(match->def.tackle / match->dt);
    double until = (double)robbed->stumbles_until * (double)match->dt;
    if (robbed->kick_limit.next < until) robbed->kick_limit.next = until;
}

static void play_touch(soccer_match *match, int32_t player) {
    uint64_t stall = match->tick - match->touch_tick;
    if (match->game_on && stall > match->longest_stall) match->longest_stall = stall;
    match->touch_tick = match->tick;
    int32_t team = match->players[player].team;
    if (match->passer != SOCCER_NOBODY && match->passer != player &&
        match->players[match->passer].team == team) {
        match->teams[team].passes_completed++;
    }
    match->passer = SOCCER_NOBODY;
    match->shooter = SOCCER_NOBODY;
    if (match->last_touch != SOCCER_NOBODY) play_tackle(match, player);
    match->last_touch = player;
}

void soccer_kick(soccer_match *match, soccer_player *player, ploy_vec2 direction, float strength) {
    play_touch(match, player->index);
    strength *= 0.5f + 0.5f * player->stamina;
    match->ball.velocity = ploy_vec2_with_length(direction, strength / match->def.ball_mass);
}

void soccer_trap(soccer_match *match, soccer_player *keeper) {
    int32_t shooter = match->shooter;
    play_touch(match, keeper->index);
    if (shooter != SOCCER_NOBODY && match->players[shooter].team != keeper->team) {
        match->teams[keeper->team].saves++;
        soccer_note_event(match, SOCCER_EVENT_SAVE, keeper->index);
    }
    match->ball.velocity = ploy_vec2_make(0.0f, 0.0f);
    match->holder = keeper->index;
    match->hold_tick = match->tick;
}

static void play_release(soccer_match *match) {
    uint64_t held = match->tick - match->hold_tick;
    if (held > match->longest_hold) match->longest_hold = held;
    match->holder = SOCCER_NOBODY;
}

void soccer_settle(soccer_match *match, soccer_player *player) {
    soccer_team *team = &match->teams[player->team];
    int32_t state = player->machine.state;
    if (player->role == SOCCER_KEEPER) {
        // One that is about to throw has the ball until it is thrown.
        bool throws = player->act.kind != SOCCER_ACT_NONE;
        if (match->holder == player->index && state != SOCCER_PUT_BACK && !throws) {
            play_release(match);
        }
        return;
    }
    if (team->receiver == player->index && state != SOCCER_RECEIVE) team->receiver = SOCCER_NOBODY;
    if (team->supporting == player->index && state != SOCCER_SUPPORT) {
        team->supporting = SOCCER_NOBODY;
    }
}

static void play_kick(soccer_match *match, soccer_player *player) {
    const soccer_act *act = &player->act;
    soccer_team *team = &match->teams[player->team];
    bool keeper = player->role == SOCCER_KEEPER;
    if (match->holder != SOCCER_NOBODY && match->holder != player->index) return;
    // Of two passes in one tick the first counts: a team has one receiver.
    if (act->kind == SOCCER_ACT_PASS && !keeper && team->receiver != SOCCER_NOBODY) return;
    if (match->holder == player->index) play_release(match);
    soccer_kick(match, player, act->direction, act->strength);
    switch ((soccer_act_kind)act->kind) {
    case SOCCER_ACT_POTSHOT: team->potshots++; // fall through
    case SOCCER_ACT_SHOT:
        team->shots++;
        match->shooter = player->index;
        soccer_note_event(match, SOCCER_EVENT_SHOT, player->index);
        break;
    case SOCCER_ACT_PASS:
        match->passer = player->index;
        team->passes++;
        soccer_note_event(match, SOCCER_EVENT_PASS, player->index);
        soccer_call(match, player->index, act->receiver, "receive_ball", act->target);
        break;
    case SOCCER_ACT_DRIBBLE: team->dribbles++; break;
    case SOCCER_ACT_NONE:
    case SOCCER_ACT_CLEAR:
    case SOCCER_ACT_TRAP: break;
    }
}

static void play_act(soccer_match *match, soccer_player *player) {
    soccer_team *team = &match->teams[player->team];
    int32_t kind = player->act.kind;
    if (player->act.control) soccer_set_control(match, team, player->index);
    if (kind != SOCCER_ACT_NONE && kind != SOCCER_ACT_TRAP) play_kick(match, player);
    if (player->act.support) soccer_find_support(match, team);
}

void soccer_play(soccer_match *match) {
    int32_t first = (int32_t)(ploy_rng_u32_at(match->context->key, 0, match->tick, 0) & 1u);
    soccer_player *order[SOCCER_PLAYERS];
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) {
        int32_t team = i % SOCCER_TEAMS == 0 ? first : 1 - first;
        order[i] = &match->players[team * SOCCER_TEAM_SIZE + i / SOCCER_TEAMS];
    }
    for (int32_t i = 0; i < SOCCER_PLAYERS && match->game_on; i++) {
        bool catches = order[i]->act.kind == SOCCER_ACT_TRAP && match->holder == SOCCER_NOBODY;
        if (catches) soccer_trap(match, order[i]);
    }
    for (int32_t i = 0; i < SOCCER_PLAYERS && match->game_on; i++) play_act(match, order[i]);
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) {
        memset(&order[i]->act, 0, sizeof order[i]->act);
        soccer_settle(match, order[i]);
    }
}
