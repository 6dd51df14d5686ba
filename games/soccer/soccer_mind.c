// The minds of a match on their engine: ten players, two teams, and each team's search for support
// spots.
//
// The engine is parallel. While minds think they read the match as it was when the tick began,
// change their own player, machine or search, and put telegrams into their outbox. When all have
// thought, the engine delivers the telegrams and calls the commit hooks in order of ids, and
// soccer_play carries out what was decided. So no telegram reaches a machine that thinks, and the
// number of workers changes nothing.
//
// Searches have a turn in every second tick, red's in the even and blue's in the odd ones, and go on
// in their next turn if the units of one do not suffice.
#include <math.h>
#include <string.h>

#include "games/soccer/soccer.h"

soccer_self soccer_self_of(const soccer_match *match, soccer_player *player) {
    soccer_self self = {match, &match->teams[player->team], player, NULL, NULL, NULL, NULL};
    return self;
}

// ---- reasons ----

static void mind_reasons_begin(soccer_self *self, soccer_reasons *reasons, ploy_trace *trace) {
    self->trace = trace;
    if (trace == NULL) return;
    memset(reasons, 0, sizeof *reasons);
    self->reasons = reasons;
}

static const char *mind_state_name(const soccer_player *player, int32_t state) {
    soccer_player other = *player;
    other.machine.state = state;
    return soccer_state_name(&other);
}

// One decision: the state that won, the one it was in, and those that were rejected.
static void mind_reasons_end(const soccer_self *self, int32_t before) {
    const soccer_reasons *reasons = self->reasons;
    const soccer_player *player = self->player;
    if (reasons == NULL) return;
    ploy_trace_begin(self->trace, soccer_id(player->index), "state", "state machine");
    ploy_trace_option(self->trace, soccer_state_name(player), PLOY_OUTCOME_WON, 1.0,
                      reasons->why != NULL ? reasons->why : "nothing calls for another");
    if (before != player->machine.state) {
        ploy_trace_option(self->trace, mind_state_name(player, before), PLOY_OUTCOME_LOST, 0.0,
                          "its state until now");
    }
    for (int32_t i = 0; i < reasons->count; i++) {
        if (reasons->states[i] == player->machine.state) continue;
        ploy_trace_option(self->trace, mind_state_name(player, reasons->states[i]),
                          PLOY_OUTCOME_REJECTED, NAN, reasons->whys[i]);
    }
    ploy_trace_vec2(self->trace, "target", player->target.x, player->target.y);
    ploy_trace_f32(self->trace, "distance to the ball", player->ball_distance);
    ploy_trace_end(self->trace);
}

void soccer_go(const soccer_self *self, int32_t state, const char *why) {
    if (self->reasons != NULL) self->reasons->why = why;
    ploy_code_fsm_set(&self->player->machine, state);
}

void soccer_stay(const soccer_self *self, const char *why) {
    if (self->reasons != NULL) self->reasons->why = why;
}

void soccer_reject(const soccer_self *self, int32_t state, const char *why) {
    soccer_reasons *reasons = self->reasons;
    if (reasons == NULL || reasons->count == SOCCER_REASONS) return;
    reasons->states[reasons->count] = state;
    reasons->whys[reasons->count++] = why;
}

// ---- telegrams ----

static ploy_message mind_message(int32_t from, ploy_agent_id to, const char *kind, ploy_vec2 at) {
    ploy_agent_id sender = from == SOCCER_NOBODY ? ploy_agent_id_none() : soccer_id(from);
    ploy_message message = ploy_message_make(sender, to, ploy_name_of(kind));
    (void)ploy_message_set_payload(&message, &at, sizeof at); // it fits
    return message;
}

void soccer_tell(const soccer_self *self, int32_t to, const char *kind, ploy_vec2 at) {
    ploy_message message = mind_message(self->player->index, soccer_id(to), kind, at);
    (void)ploy_outbox_message(self->outbox, &message); // one for each player fits
}

void soccer_call(soccer_match *match, int32_t from, int32_t to, const char *kind, ploy_vec2 at) {
    ploy_message message = mind_message(from, soccer_id(to), kind, at);
    (void)ploy_telegrams_send(match->telegrams, &message, 0.0, NULL); // all players are there
}

void soccer_team_goal(soccer_match *match, soccer_team *team) {
    ploy_message message =
        mind_message(SOCCER_NOBODY, soccer_team_id(team->index), "goal", team->their_goal.centre);
    (void)ploy_telegrams_send(match->telegrams, &message, 0.0, NULL);
}

// ---- players ----

static ploy_code_fsm_fn mind_machine(const soccer_player *player) {
    return player->role == SOCCER_KEEPER ? soccer_keeper_machine : soccer_player_machine;
}

// What counts in every state comes first: how fast the player may be.
static float mind_max_speed(const soccer_match *match, const soccer_player *player) {
    bool with_ball = match->teams[player->team].controlling == player->index &&
                     soccer_ball_near(player, match->def.receiving_range) &&
                     player->role != SOCCER_KEEPER;
    float speed = with_ball ? match->def.max_speed_ball : match->def.max_speed;
    if (match->tick < player->stumbles_until) speed *= 0.4f;
    return speed * (0.5f + 0.5f * player->stamina);
}

static ploy_result player_mind_step(void *user, ploy_step_context *context, ploy_status *status) {
    const soccer_mind *mind = user;
    soccer_player *player = &mind->match->players[mind->index];
    soccer_reasons reasons;
    soccer_self self = soccer_self_of(context->world, player);
    self.outbox = context->outbox;
    self.budget = context->budget;
    mind_reasons_begin(&self, &reasons, context->trace);
    int32_t before = player->machine.state;
    player->max_speed = mind_max_speed(self.match, player);
    ploy_result result = ploy_code_fsm_step(&player->machine, mind_machine(player), &self, NULL);
    if (result == PLOY_OK) mind_reasons_end(&self, before);
    *status = PLOY_STATUS_RUNNING;
    return result;
}

static ploy_result player_mind_message(void *user, ploy_step_context *context,
                                       const ploy_message *message, bool *handled) {
    const soccer_mind *mind = user;
    soccer_match *match = mind->match;
    soccer_player *player = &match->players[mind->index];
    soccer_reasons reasons;
    soccer_self self = soccer_self_of(match, player);
    self.outbox = context->outbox;
    mind_reasons_begin(&self, &reasons, match->context != NULL ? match->context->trace : NULL);
    int32_t before = player->machine.state;
    // What it claims by a message holds at once; a claim of its thoughts waits for soccer_play.
    bool claimed = player->act.control;
    player->act.control = false;
    ploy_result result = ploy_code_fsm_message(&player->machine, mind_machine(player), &self,
                                               message, NULL, handled);
    if (result == PLOY_OK && player->machine.state != before) mind_reasons_end(&self, before);
    soccer_team *team = &match->teams[player->team];
    if (player->act.control) soccer_set_control(match, team, player->index);
    if (player->act.receives) team->receiver = player->index;
    player->act.control = claimed;
    player->act.receives = false;
    soccer_settle(match, player);
    return result;
}

static ploy_result player_mind_commit(void *user, ploy_step_context *context) {
    const soccer_mind *mind = user;
    soccer_match *match = context->game;
    soccer_settle(match, &match->players[mind->index]);
    return PLOY_OK;
}

// ---- teams ----

static ploy_result team_mind_step(void *user, ploy_step_context *context, ploy_status *status) {
    const soccer_mind *mind = user;
    *status = PLOY_STATUS_RUNNING;
    return soccer_team_think(context->world, mind->index, &mind->match->teams[mind->index].machine,
                             context->trace);
}

static ploy_result team_mind_commit(void *user, ploy_step_context *context) {
    const soccer_mind *mind = user;
    soccer_match *match = context->game;
    soccer_team_commit(match, &match->teams[mind->index]);
    return PLOY_OK;
}

static ploy_result team_mind_message(void *user, ploy_step_context *context,
                                     const ploy_message *message, bool *handled) {
    const soccer_mind *mind = user;
    (void)context;
    soccer_team *team = &mind->match->teams[mind->index];
    *handled = ploy_code_fsm_is(&team->machine, message, "goal");
    return *handled ? soccer_team_prepare(mind->match, team) : PLOY_OK;
}

// ---- searches for support spots ----

static ploy_result search_mind_step(void *user, ploy_step_context *context, ploy_status *status) {
    const soccer_mind *mind = user;
    *status = PLOY_STATUS_RUNNING;
    soccer_spots_think(context->world, mind->index, &mind->match->teams[mind->index].search,
                       context->budget, context->trace);
    return PLOY_OK;
}

static ploy_result search_mind_commit(void *user, ploy_step_context *context) {
    const soccer_mind *mind = user;
    soccer_match *match = context->game;
    soccer_spots_publish(&match->teams[mind->index]);
    return PLOY_OK;
}

// ---- all of them ----

static const ploy_behavior_type player_mind_type = {.name = "player",
                                                    .step = player_mind_step,
                                                    .commit = player_mind_commit,
                                                    .message = player_mind_message};
static const ploy_behavior_type team_mind_type = {.name = "team",
                                                  .step = team_mind_step,
                                                  .commit = team_mind_commit,
                                                  .message = team_mind_message};
static const ploy_behavior_type search_mind_type = {
    .name = "support spots", .step = search_mind_step, .commit = search_mind_commit};

static ploy_result mind_register(soccer_match *match, int32_t slot, int32_t index,
                                 const ploy_behavior_type *type, ploy_agent_id agent,
                                 const ploy_schedule *schedule) {
    soccer_mind *mind = &match->minds[slot];
    mind->match = match;
    mind->index = index;
    ploy_engine_entry entry = ploy_engine_entry_default();
    entry.behavior.type = type;
    entry.behavior.self = mind;
    entry.agent = agent;
    entry.schedule = *schedule;
    ploy_engine_id id;
    return ploy_engine_register(match->engine, &entry, &id);
}

ploy_result soccer_minds_create(soccer_match *match, ploy_rng_key key, const ploy_env *env) {
    ploy_engine_def def = ploy_engine_def_default();
    def.parallel = true;
    def.route_all = true; // so that the log has every telegram
    def.capacity = SOCCER_MINDS;
    def.outbox_messages = SOCCER_PLAYERS;
    def.outbox_actions = 0;
    def.scratch_kib = 1;
    def.grain = 2;
    def.history = 8;
    def.seed = key.bits;
    ploy_result result = ploy_engine_create(&def, env, &match->engine);
    ploy_schedule always = ploy_schedule_default(), search = always;
    search.period = SOCCER_TEAMS;
    search.priority = 6; // a search costs up to 180 units, a player about 20
    for (int32_t i = 0; i < SOCCER_TEAMS && result == PLOY_OK; i++) {
        search.phase = i;
        result = mind_register(match, 2 * i, i, &team_mind_type, soccer_team_id(i), &always);
        if (result != PLOY_OK) break;
        result = mind_register(match, 2 * i + 1, i, &search_mind_type, soccer_team_id(i), &search);
    }
    for (int32_t i = 0; i < SOCCER_PLAYERS && result == PLOY_OK; i++) {
        result =
            mind_register(match, 2 * SOCCER_TEAMS + i, i, &player_mind_type, soccer_id(i), &always);
    }
    if (result == PLOY_OK) ploy_telegrams_connect(match->telegrams, match->engine);
    return result;
}

ploy_result soccer_minds_step(soccer_match *match) {
    const ploy_sim_context *context = match->context;
    ploy_engine_frame frame = {context->jobs, context->scratch, context->trace, match, match};
    ploy_budget budget = ploy_budget_units(SOCCER_BUDGET);
    ploy_result result = ploy_engine_step(match->engine, context->dt, &budget, &frame);
    if (result == PLOY_OK) result = ploy_engine_failure(match->engine, NULL);
    if (result == PLOY_OK) soccer_play(match);
    return result;
}
