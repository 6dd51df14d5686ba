// Teams: the key players, the team's own state machine above those of its players, and what is said
// between them.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 4 (tiered AI). Differences:
// who runs for the ball is the nearest of the field, because a keeper that is nearest but stays in
// its goal would leave the ball to no player; the keeper too goes home before a kick-off, which it
// could block forever otherwise; and a team that loses the ball leaves it to its supporter to stop
// supporting, because one that was only forgotten would go on beside its successor.
#include "games/soccer/soccer.h"

#include <math.h>

#include "ploy/base/math.h"
#include "ploy/geom/angle.h"

// ---- key players ----

bool soccer_in_control(const soccer_team *team) {
    return team->controlling != SOCCER_NOBODY;
}

void soccer_set_control(soccer_match *match, soccer_team *team, int32_t player) {
    team->controlling = player;
    if (player != SOCCER_NOBODY) soccer_other_team(match, team)->controlling = SOCCER_NOBODY;
}

void soccer_team_measure(soccer_match *match, soccer_team *team) {
    team->closest = SOCCER_NOBODY;
    team->closest_field = SOCCER_NOBODY;
    float best = INFINITY, best_field = INFINITY;
    int32_t first = team->index * SOCCER_TEAM_SIZE;
    // Who runs for a ball that flies past looks where it will be.
    float lead = soccer_def_of(match, team->index)->anticipation * 0.5f;
    ploy_vec2 soon =
        soccer_ball_future(match->ball.position, match->ball.velocity, match->def.friction, lead);
    for (int32_t i = first; i < first + SOCCER_TEAM_SIZE; i++) {
        soccer_player *player = &match->players[i];
        player->ball_distance = ploy_vec2_distance(player->body.position, match->ball.position);
        if (player->ball_distance < best) {
            best = player->ball_distance;
            team->closest = i;
        }
        // The match does not wait for a person who is there.
        bool idle = player->taken && player->order_kind == SOCCER_ORDER_STAND;
        float way = ploy_vec2_distance(player->body.position, soon);
        if (player->role != SOCCER_KEEPER && !idle && way < best_field) {
            best_field = way;
            team->closest_field = i;
        }
    }
}

bool soccer_may_chase(const soccer_match *match, const soccer_player *player) {
    return soccer_no_chase(match, player) == NULL;
}

const char *soccer_no_chase(const soccer_match *match, const soccer_player *player) {
    const soccer_team *team = &match->teams[player->team];
    if (!match->game_on) return "the game is not on";
    if (match->holder != SOCCER_NOBODY) return "a keeper has the ball";
    if (team->receiver != SOCCER_NOBODY) return "a team mate awaits a pass";
    if (team->closest_field != player->index) return "a team mate is nearer to the ball";
    return NULL;
}

bool soccer_ahead_of_attacker(const soccer_match *match, const soccer_player *player) {
    const soccer_team *team = &match->teams[player->team];
    if (team->controlling == SOCCER_NOBODY) return false;
    const soccer_player *controller = &match->players[team->controlling];
    return (player->body.position.x - controller->body.position.x) * team->side > 0.0f;
}

bool soccer_threatened(const soccer_match *match, const soccer_player *player) {
    float zone = soccer_def_of(match, player->team)->comfort_zone;
    ploy_vec2 heading = ploy_angle_heading(player->body.orientation);
    int32_t first = (1 - player->team) * SOCCER_TEAM_SIZE;
    for (int32_t i = first; i < first + SOCCER_TEAM_SIZE; i++) {
        ploy_vec2 to = ploy_vec2_sub(match->players[i].body.position, player->body.position);
        if (ploy_vec2_length_sq(to) < zone * zone && ploy_vec2_dot(to, heading) > 0.0f) return true;
    }
    return false;
}

// ---- supporters ----

void soccer_find_support(soccer_match *match, soccer_team *team) {
    if (team->controlling == SOCCER_NOBODY) return;
    ploy_vec2 spot = soccer_support_spot(match, team);
    int32_t best = SOCCER_NOBODY;
    float least = INFINITY, distances[SOCCER_TEAM_SIZE];
    int32_t first = team->index * SOCCER_TEAM_SIZE;
    for (int32_t i = 0; i < SOCCER_TEAM_SIZE; i++) {
        const soccer_player *player = &match->players[first + i];
        bool fits =
            player->role == SOCCER_ATTACKER && !player->taken && player->index != team->controlling;
        distances[i] = fits ? ploy_vec2_distance(player->body.position, spot) : INFINITY;
        if (distances[i] < least) {
            least = distances[i];
            best = player->index;
        }
    }
    ploy_trace *trace = match->context != NULL ? match->context->trace : NULL;
    ploy_trace_begin(trace, soccer_id(team->controlling), "supporter",
                     "attacker nearest to the best spot");
    for (int32_t i = 0; i < SOCCER_TEAM_SIZE && trace != NULL; i++) {
        const soccer_player *player = &match->players[first + i];
        bool fits = distances[i] < INFINITY;
        const char *why = fits                                 ? "scored by nearness to the spot"
                          : player->index == team->controlling ? "it has the ball"
                          : player->taken                      ? "a person plays it"
                                                               : "not an attacker";
        ploy_trace_option(trace, soccer_player_name(first + i),
                          first + i == best ? PLOY_OUTCOME_WON
                          : fits            ? PLOY_OUTCOME_LOST
                                            : PLOY_OUTCOME_REJECTED,
                          fits ? -(double)distances[i] : (double)NAN, why);
    }
    ploy_trace_end(trace);
    if (best == SOCCER_NOBODY || best == team->receiver || best == team->supporting) return;
    if (team->supporting != SOCCER_NOBODY) {
        soccer_call(match, SOCCER_NOBODY, team->supporting, "go_home", spot);
    }
    team->supporting = best;
    soccer_call(match, SOCCER_NOBODY, best, "support_attacker", spot);
}

void soccer_request_pass(const soccer_self *self) {
    const soccer_match *match = self->match;
    const soccer_team_def *def = soccer_def_of(match, self->team->index);
    int32_t controller = self->team->controlling;
    if (controller == SOCCER_NOBODY || controller == self->player->index) return;
    if (soccer_random(soccer_dice_of(match, self->player)) >= def->request_chance) return;
    soccer_pass_ask ask = {match->players[controller].body.position,
                           self->player->body.position,
                           def->passing_speed / match->def.ball_mass,
                           match->def.friction,
                           true,
                           self->player->body.position};
    if (!soccer_pass_safe(match, self->team, &ask, self->budget)) return;
    soccer_tell(self, controller, "pass_to_me", ask.target);
}

// ---- homes ----

void soccer_team_homes(soccer_match *match, soccer_team *team, bool attacking) {
    soccer_line_up line_up = soccer_def_of(match, team->index)->line_up;
    for (int32_t i = 0; i < SOCCER_TEAM_SIZE; i++) {
        soccer_player *player = &match->players[team->index * SOCCER_TEAM_SIZE + i];
        int32_t home = soccer_line_up_home(line_up, attacking, i);
        player->home = team->side > 0.0f ? home : soccer_region_mirrored(home);
        if (player->role == SOCCER_KEEPER) continue;
        if (player->machine.state == SOCCER_WAIT || player->machine.state == SOCCER_GO_HOME) {
            player->target = soccer_region_centre(player->home);
        }
    }
}

static bool team_at_home(const soccer_match *match) {
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) {
        const soccer_player *player = &match->players[i];
        bool half = player->role != SOCCER_KEEPER;
        if (!soccer_region_contains(soccer_region_get(player->home), player->body.position, half)) {
            return false;
        }
    }
    return true;
}

void soccer_team_kick_off(soccer_match *match, soccer_team *team) {
    team->side = (team->index == 0) == match->def.swap_sides ? -1.0f : 1.0f;
    team->home_goal = soccer_goal_make(team->side, match->def.goal_width);
    team->their_goal = soccer_goal_make(-team->side, match->def.goal_width);
    team->controlling = SOCCER_NOBODY;
    team->supporting = SOCCER_NOBODY;
    team->receiver = SOCCER_NOBODY;
    team->best_spot = SOCCER_NOBODY;
    for (int32_t i = 0; i < SOCCER_SPOTS; i++) team->spot_scores[i] = 0.0f;
    soccer_team_homes(match, team, false);
    for (int32_t i = 0; i < SOCCER_TEAM_SIZE; i++) {
        soccer_player *player = &match->players[team->index * SOCCER_TEAM_SIZE + i];
        player->default_home = player->home;
    }
}

// A defender who waits steps between the opponent with the ball and its supporter.
static void team_mark(soccer_match *match, soccer_team *team) {
    const soccer_team *other = soccer_other_team(match, team);
    if (other->controlling == SOCCER_NOBODY || other->supporting == SOCCER_NOBODY) return;
    ploy_vec2 middle =
        ploy_vec2_scale(ploy_vec2_add(match->players[other->controlling].body.position,
                                      match->players[other->supporting].body.position),
                        0.5f);
    soccer_player *best = NULL;
    float least = INFINITY;
    for (int32_t i = 0; i < SOCCER_TEAM_SIZE; i++) {
        soccer_player *player = &match->players[team->index * SOCCER_TEAM_SIZE + i];
        float distance = ploy_vec2_distance_sq(player->body.position, middle);
        if (player->role != SOCCER_DEFENDER || player->machine.state != SOCCER_WAIT) continue;
        if (distance >= least) continue;
        least = distance;
        best = player;
    }
    if (best != NULL) best->target = middle;
}

// ---- pressing: states that assign roles ----

// Who has no other task: waits in the field.
static bool team_idle(const soccer_player *player) {
    return player->role != SOCCER_KEEPER && !player->taken && player->machine.state == SOCCER_WAIT;
}

static soccer_player *team_nearest_idle(soccer_match *match, const soccer_team *team,
                                        ploy_vec2 place, const bool *busy) {
    soccer_player *best = NULL;
    float least = INFINITY;
    for (int32_t i = 0; i < SOCCER_TEAM_SIZE; i++) {
        soccer_player *player = &match->players[team->index * SOCCER_TEAM_SIZE + i];
        float distance = ploy_vec2_distance_sq(player->body.position, place);
        if (busy[i] || !team_idle(player) || distance >= least) continue;
        least = distance;
        best = player;
    }
    return best;
}

// Two close in on the opponent with the ball from both sides of its path; the chaser comes from
// wherever it is.
static void team_hem_in(soccer_match *match, soccer_team *team) {
    const float aside = 4.0f; // m
    const soccer_team *other = soccer_other_team(match, team);
    if (other->controlling == SOCCER_NOBODY) return;
    ploy_vec2 at = match->players[other->controlling].body.position;
    bool busy[SOCCER_TEAM_SIZE] = {false};
    for (int32_t side = -1; side <= 1; side += 2) {
        ploy_vec2 place = ploy_vec2_make(at.x - team->side * aside, at.y + (float)side * aside);
        place.y = ploy_clampf(place.y, -SOCCER_HALF_WIDTH, SOCCER_HALF_WIDTH);
        soccer_player *player = team_nearest_idle(match, team, place, busy);
        if (player == NULL) return;
        busy[player->number] = true;
        player->target = place;
    }
}

// Each opponent of the field in this team's half, the nearest to the goal first, gets a guard who
// is between it and the goal.
static void team_man_mark(soccer_match *match, soccer_team *team) {
    const float before = 2.5f; // m from the opponent
    ploy_vec2 goal = team->home_goal.centre;
    bool busy[SOCCER_TEAM_SIZE] = {false}, marked[SOCCER_TEAM_SIZE] = {false};
    int32_t first = (1 - team->index) * SOCCER_TEAM_SIZE;
    for (int32_t round = 0; round < SOCCER_TEAM_SIZE; round++) {
        int32_t threat = SOCCER_NOBODY;
        float least = INFINITY;
        for (int32_t i = 0; i < SOCCER_TEAM_SIZE; i++) {
            const soccer_player *opponent = &match->players[first + i];
            float distance = ploy_vec2_distance(opponent->body.position, goal);
            bool far = opponent->body.position.x * team->side > 0.0f;
            if (marked[i] || far || opponent->role == SOCCER_KEEPER || distance >= least) continue;
            least = distance;
            threat = i;
        }
        if (threat == SOCCER_NOBODY) return;
        marked[threat] = true;
        ploy_vec2 at = match->players[first + threat].body.position;
        ploy_vec2 way = ploy_vec2_sub(goal, at);
        ploy_vec2 place =
            ploy_vec2_add(at, ploy_vec2_with_length(way, ploy_minf(before, 0.5f * least)));
        soccer_player *player = team_nearest_idle(match, team, place, busy);
        if (player == NULL) return;
        busy[player->number] = true;
        player->target = place;
    }
}

// ---- the team's machine ----

const char *soccer_team_state_name(int32_t state) {
    static const char *const names[SOCCER_TEAM_STATES] = {"prepare for kick-off", "defend",
                                                          "attack", "hem in", "man-mark"};
    return names[state];
}

// What a team without the ball does.
static int32_t team_defence(const soccer_match *match, const soccer_team *team) {
    const soccer_team *other = &match->teams[1 - team->index];
    bool presses = soccer_def_of(match, team->index)->pressing;
    if (!presses || other->controlling == SOCCER_NOBODY) return SOCCER_DEFEND;
    bool own_half = match->ball.position.x * team->side < 0.0f;
    return own_half ? SOCCER_MAN_MARK : SOCCER_HEM_IN;
}

// Decides only; what follows from a state is carried out by soccer_team_commit.
typedef struct team_self {
    const soccer_match *match;
    const soccer_team *team;
} team_self;

static void team_machine(void *owner, ploy_code_fsm *machine, ploy_code_event event,
                         const ploy_message *message) {
    const team_self *self = owner;
    if (ploy_code_fsm_is(machine, message, "goal")) ploy_code_fsm_set(machine, SOCCER_PREPARE);
    if (event != PLOY_CODE_UPDATE) return;
    bool control = soccer_in_control(self->team);
    switch ((soccer_team_state)machine->state) {
    case SOCCER_PREPARE:
        if (team_at_home(self->match)) ploy_code_fsm_set(machine, SOCCER_DEFEND);
        break;
    case SOCCER_DEFEND:
    case SOCCER_ATTACK:
    case SOCCER_HEM_IN:
    case SOCCER_MAN_MARK: {
        int32_t next = control ? (int32_t)SOCCER_ATTACK : team_defence(self->match, self->team);
        if (machine->state != next) ploy_code_fsm_set(machine, next);
        break;
    }
    case SOCCER_TEAM_STATES: break;
    }
}

// Why a team is, or is not, in a state.
static const char *team_why(const team_self *self, int32_t now, int32_t state) {
    bool control = soccer_in_control(self->team);
    bool presses = soccer_def_of(self->match, self->team->index)->pressing;
    switch ((soccer_team_state)state) {
    case SOCCER_PREPARE:
        return now == SOCCER_PREPARE ? "not all players are at home" : "no goal fell";
    case SOCCER_ATTACK: return control ? "the team has the ball" : "the team has not got the ball";
    case SOCCER_DEFEND:
        if (now == SOCCER_PREPARE) return "not all players are at home";
        if (control) return "the team has the ball";
        return now == SOCCER_DEFEND ? "the team has not got the ball" : "it presses";
    case SOCCER_HEM_IN:
    case SOCCER_MAN_MARK:
        if (!presses) return "the team does not press";
        if (now == SOCCER_PREPARE) return "the game is not on";
        if (control) return "the team has the ball";
        if (now == SOCCER_DEFEND) return "no player has the ball";
        return (now == state) == (state == SOCCER_HEM_IN) ? "the ball is in their half"
                                                          : "the ball is in the own half";
    case SOCCER_TEAM_STATES: break;
    }
    return "";
}

static void team_trace(const team_self *self, const ploy_code_fsm *machine, ploy_trace *trace) {
    ploy_trace_begin(trace, soccer_team_id(self->team->index), "state", "state machine");
    for (int32_t i = 0; i < SOCCER_TEAM_STATES; i++) {
        bool won = machine->state == i;
        ploy_trace_option(trace, soccer_team_state_name(i),
                          won ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, won ? 1.0 : (double)NAN,
                          team_why(self, machine->state, i));
    }
    ploy_trace_end(trace);
}

ploy_result soccer_team_think(const soccer_match *match, int32_t team, ploy_code_fsm *machine,
                              ploy_trace *trace) {
    team_self self = {match, &match->teams[team]};
    ploy_result result = ploy_code_fsm_step(machine, team_machine, &self, NULL);
    if (trace != NULL && result == PLOY_OK) team_trace(&self, machine, trace);
    return result;
}

ploy_result soccer_team_prepare(soccer_match *match, soccer_team *team) {
    team_self self = {match, team};
    ploy_message goal =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("goal"));
    ploy_result result =
        ploy_code_fsm_message(&team->machine, team_machine, &self, &goal, NULL, NULL);
    if (result == PLOY_OK) soccer_team_commit(match, team);
    return result;
}

static void team_commit_prepare(soccer_match *match, soccer_team *team) {
    int32_t first = team->index * SOCCER_TEAM_SIZE;
    soccer_team_kick_off(match, team);
    match->holder = SOCCER_NOBODY;
    for (int32_t i = first; i < first + SOCCER_TEAM_SIZE; i++) {
        soccer_call(match, SOCCER_NOBODY, i, "go_home", match->players[i].target);
    }
}

static void team_commit_kick_off(soccer_match *match) {
    match->game_on = true;
    match->touch_tick = match->tick;
    uint64_t took = match->tick - match->kick_off_tick;
    if (took > match->longest_kick_off) match->longest_kick_off = took;
    soccer_note_event(match, SOCCER_EVENT_KICK_OFF, SOCCER_NOBODY);
}

void soccer_team_commit(soccer_match *match, soccer_team *team) {
    bool changed = team->machine.changes != team->settled;
    team->settled = team->machine.changes;
    switch ((soccer_team_state)team->machine.state) {
    case SOCCER_PREPARE:
        if (changed) team_commit_prepare(match, team);
        break;
    case SOCCER_DEFEND:
    case SOCCER_HEM_IN:
    case SOCCER_MAN_MARK:
        if (changed && !match->game_on) team_commit_kick_off(match); // the first team to leave
        if (changed) soccer_team_homes(match, team, false);
        if (team->machine.state == SOCCER_HEM_IN) team_hem_in(match, team);
        if (team->machine.state == SOCCER_MAN_MARK) team_man_mark(match, team);
        if (!changed && soccer_def_of(match, team->index)->marking) team_mark(match, team);
        break;
    case SOCCER_ATTACK:
        if (changed) soccer_team_homes(match, team, true);
        break;
    case SOCCER_TEAM_STATES: break;
    }
}
