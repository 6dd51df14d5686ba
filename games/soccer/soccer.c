// Simple Soccer: two teams of five on a walled pitch, each with a state machine above the state
// machines of its players, who pass, shoot, support and make mistakes.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 4. There the player that is updated
// second wins more matches. Here all minds think about the same world (soccer_mind.c) before any of
// them acts, and a draw in each tick decides which team acts first (soccer_play.c).
//
// Invariants, after every tick:
//   (1) the ball's centre is within the walls;
//   (2) a team has at most one receiver and one supporter, and at most one team is in control;
//   (3) a ball that a keeper holds lies still;
//   (4) no player is in the states kick and dribble for longer than one update.
#include "games/soccer/soccer.h"

#include <string.h>

#include "games/games.h"
#include "ploy/base/math.h"

// ---- what the players share ----

float soccer_random(soccer_dice dice) {
    return ploy_rng_float_at(dice.match->context->key, dice.agent, dice.match->tick,
                             (*dice.draws)++);
}

bool soccer_at_target(const soccer_match *match, const soccer_player *player) {
    float range = match->def.target_range;
    return ploy_vec2_distance_sq(player->body.position, player->target) < range * range;
}

bool soccer_ball_near(const soccer_player *player, float range) {
    return player->ball_distance < range;
}

void soccer_note_event(soccer_match *match, soccer_event_kind kind, int32_t player) {
    soccer_event event = {match->tick, (int32_t)kind, player};
    match->events[match->event_next] = event;
    match->event_next = (match->event_next + 1) % SOCCER_EVENTS;
}

const char *soccer_player_name(int32_t player) {
    static const char *const names[SOCCER_PLAYERS] = {"red 1",  "red 2",  "red 3",  "red 4",
                                                      "red 5",  "blue 1", "blue 2", "blue 3",
                                                      "blue 4", "blue 5"};
    return player >= 0 && player < SOCCER_PLAYERS ? names[player] : "nobody";
}

const char *soccer_state_name(const soccer_player *player) {
    static const char *const field[SOCCER_PLAYER_STATES] = {
        "wait", "chase", "kick", "dribble", "receive", "support", "go home", "played"};
    static const char *const keeper[SOCCER_KEEPER_STATES] = {"tend", "return", "put back",
                                                             "intercept"};
    return player->role == SOCCER_KEEPER ? keeper[player->machine.state]
                                         : field[player->machine.state];
}

ploy_vec2 soccer_add_noise(const soccer_match *match, soccer_player *player, ploy_vec2 target) {
    float accuracy = soccer_def_of(match, player->team)->accuracy;
    float angle = PLOY_PI_F * (1.0f - accuracy) *
                  (2.0f * soccer_random(soccer_dice_of(match, player)) - 1.0f);
    ploy_vec2 way = ploy_vec2_sub(target, match->ball.position);
    return ploy_vec2_add(match->ball.position, ploy_vec2_rotate(way, angle));
}

// ---- create ----

static ploy_result soccer_limit(ploy_regulator *regulator, float rate, ploy_rng_key key,
                                uint32_t number) {
    ploy_regulator_def def = ploy_regulator_def_default();
    def.mode = PLOY_REGULATOR_RESTART;
    def.rate = rate;
    def.bounded = true;
    return ploy_regulator_init(regulator, &def, 0.0, ploy_rng_u64_at(key, number, 0, 0));
}

// Sets what follows from parameters that may have changed.
static void soccer_apply_def(soccer_match *match, const soccer_def *def) {
    match->def = *def;
    soccer_ball_fit(&match->ball, def); // keeps (1), also for a ball that a keeper holds
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) {
        match->players[i].kick_limit.period = 1.0 / (double)def->kick_rate;
    }
    for (int32_t i = 0; i < SOCCER_TEAMS; i++) {
        soccer_team *team = &match->teams[i];
        team->search.limit.period = 1.0 / (double)soccer_def_of(match, i)->spot_rate;
        team->home_goal = soccer_goal_make(team->side, def->goal_width);
        team->their_goal = soccer_goal_make(-team->side, def->goal_width);
    }
}

static ploy_result soccer_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                 void **out) {
    soccer_match *match = ploy_env_alloc_zero(env, sizeof *match);
    if (match == NULL) return PLOY_ERR_MEMORY;
    memcpy(&match->def, params, sizeof match->def);
    ploy_telegrams_def telegrams = ploy_telegrams_def_default();
    telegrams.capacity = 8; // nothing waits: all of them arrive in their tick
    telegrams.log = 64;
    static const char *const kinds[] = {"receive_ball", "go_home", "support_attacker", "pass_to_me",
                                        "goal"};
    ploy_result result = ploy_telegrams_create(&telegrams, env, &match->telegrams);
    if (result == PLOY_OK) result = ploy_names_create(env, &match->names);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && result == PLOY_OK; i++) {
        result = ploy_names_add(match->names, kinds[i], NULL);
    }
    if (result == PLOY_OK) result = soccer_minds_create(match, key, env);
    if (result != PLOY_OK) return result; // the region goes, and all that is in it
    ploy_rng_key limits = ploy_rng_key_split(key, 1);
    for (int32_t i = 0; i < SOCCER_PLAYERS && result == PLOY_OK; i++) {
        soccer_player *player = &match->players[i];
        player->index = i;
        player->team = i / SOCCER_TEAM_SIZE;
        player->number = i % SOCCER_TEAM_SIZE;
        player->role = player->number == 0   ? SOCCER_KEEPER
                       : player->number <= 2 ? SOCCER_ATTACKER
                                             : SOCCER_DEFENDER;
        player->on = SOCCER_SEPARATE;
        player->stamina = 1.0f;
        player->machine = ploy_code_fsm_make(i % SOCCER_TEAM_SIZE == 0 ? (int32_t)SOCCER_TEND
                                                                       : (int32_t)SOCCER_WAIT);
        result = soccer_limit(&player->kick_limit, match->def.kick_rate, limits, (uint32_t)i);
    }
    for (int32_t i = 0; i < SOCCER_TEAMS && result == PLOY_OK; i++) {
        soccer_team *team = &match->teams[i];
        team->index = i;
        team->machine = ploy_code_fsm_make(SOCCER_PREPARE);
        soccer_team_kick_off(match, team);
        result = soccer_limit(&team->search.limit, soccer_def_of(match, i)->spot_rate, limits,
                              (uint32_t)(SOCCER_PLAYERS + i));
    }
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) {
        soccer_player *player = &match->players[i];
        float looks = match->teams[player->team].side > 0.0f ? 0.0f : -PLOY_PI_F;
        player->body = ploy_kinematic_make(soccer_region_centre(player->home), looks);
        player->target = player->body.position;
    }
    match->referee = ploy_kinematic_make(ploy_vec2_make(0.0f, 9.0f), -0.5f * PLOY_PI_F);
    match->holder = SOCCER_NOBODY;
    match->last_touch = SOCCER_NOBODY;
    match->passer = SOCCER_NOBODY;
    match->shooter = SOCCER_NOBODY;
    for (int32_t i = 0; i < SOCCER_EVENTS; i++) match->events[i].player = SOCCER_NOBODY;
    *out = match;
    return PLOY_OK;
}

// ---- step ----

static void soccer_test_goals(soccer_match *match) {
    if (!match->game_on) return;
    float offset = match->def.edge_counts ? match->def.ball_radius : 0.0f;
    for (int32_t i = 0; i < SOCCER_TEAMS; i++) {
        soccer_team *scorers = &match->teams[1 - i];
        if (!soccer_goal_scored(&match->teams[i].home_goal, match->ball.old, match->ball.position,
                                offset)) {
            continue;
        }
        scorers->goals++;
        soccer_note_event(match, SOCCER_EVENT_GOAL, match->last_touch);
        match->game_on = false;
        match->kick_off_tick = match->tick;
        match->passer = SOCCER_NOBODY;
        match->shooter = SOCCER_NOBODY;
        soccer_ball_place(&match->ball, ploy_vec2_make(0.0f, 0.0f));
        for (int32_t k = 0; k < SOCCER_TEAMS; k++) soccer_team_goal(match, &match->teams[k]);
        return;
    }
}

static void soccer_count(soccer_match *match) {
    for (int32_t i = 0; i < SOCCER_TEAMS; i++) {
        if (soccer_in_control(&match->teams[i])) match->teams[i].control_ticks++;
    }
    if (match->game_on && match->holder == SOCCER_NOBODY) {
        uint64_t stall = match->tick - match->touch_tick;
        if (stall > match->longest_stall) match->longest_stall = stall;
    } else {
        match->touch_tick = match->tick;
    }
}

static ploy_result soccer_step(void *state, const ploy_sim_context *context) {
    soccer_match *match = state;
    match->tick = context->tick;
    match->dt = context->dt;
    match->context = context;
    if (memcmp(&match->def, context->params, sizeof match->def) != 0) {
        soccer_apply_def(match, context->params);
    }
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) match->players[i].draws = 0;
    for (int32_t i = 0; i < SOCCER_TEAMS; i++) match->teams[i].search.draws = 0;
    soccer_apply_inputs(match, context);
    if (match->holder == SOCCER_NOBODY) soccer_ball_step(&match->ball, &match->def, match->dt);
    // Nothing waits: this only sets the clock of the telegrams that are sent from here on.
    ploy_result result = ploy_telegrams_step(
        match->telegrams, (double)match->tick * (double)match->dt, NULL, NULL, NULL);
    if (result == PLOY_OK) {
        soccer_test_goals(match);
        for (int32_t i = 0; i < SOCCER_TEAMS; i++) soccer_team_measure(match, &match->teams[i]);
        result = soccer_minds_step(match);
    }
    if (result == PLOY_OK) {
        soccer_move_all(match);
        soccer_count(match);
    }
    match->context = NULL;
    return result;
}

static bool soccer_load(const void *state, ploy_workload *out) {
    const soccer_match *match = state;
    return ploy_engine_workload(match->engine, 0, out) == PLOY_OK;
}

extern const ploy_sim_type ploy_game_soccer; // in games.c
const ploy_sim_type ploy_game_soccer = {
    .name = "soccer",
    .title = "Simple Soccer",
    .help = "Two teams of five pass, shoot and defend. Press t to play one of them yourself: arrow "
            "keys or a click to run, k to shoot, p to pass, x to give it back.",
    .version = 2,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_PARALLEL,
    .dt = 1.0f / 60.0f,
    .view = {-39.0f, -21.0f, 41.0f, 23.0f},
    .fields = soccer_fields,
    .commands = soccer_commands,
    .command_count = SOCCER_COMMANDS,
    .create = soccer_create,
    .destroy = NULL, // the region goes with the simulation
    .step = soccer_step,
    .draw = soccer_draw,
    .describe = soccer_describe,
    .load = soccer_load,
};
