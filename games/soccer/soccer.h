// Simple Soccer: what its files share. The game is described in soccer.c.
//
// Units: metres, seconds, radians. The pitch lies around the origin, x along it, y across it.
//
//                 y = 18  +-----+-----+-----+-----+-----+-----+
//                         | 15  | 12  |  9  |  6  |  3  |  0  |      regions, by number; columns
//                  goal [ | 16  | 13  | 10  |  7  |  4  |  1  | ]    of 11 m, rows of 12 m
//                         | 17  | 14  | 11  |  8  |  5  |  2  |
//                y = -18  +-----+-----+-----+-----+-----+-----+
//                      x = -33                             x = 33
//
// A side is +1 for the team that attacks toward +x and defends the left goal, -1 for the other.
#pragma once

#include "ploy/decide/code_fsm.h"
#include "ploy/exec/engine.h"
#include "ploy/exec/regulator.h"
#include "ploy/exec/sim.h"
#include "ploy/move/kinematic.h"
#include "ploy/world/telegram.h"

enum {
    SOCCER_TEAMS = 2,
    SOCCER_TEAM_SIZE = 5, // 0 is the keeper, 1 and 2 attack, 3 and 4 defend
    SOCCER_PLAYERS = SOCCER_TEAMS * SOCCER_TEAM_SIZE,
    SOCCER_COLUMNS = 6,
    SOCCER_ROWS = 3,
    SOCCER_REGIONS = SOCCER_COLUMNS * SOCCER_ROWS,
    SOCCER_SPOT_COLUMNS = 5,
    SOCCER_SPOT_ROWS = 6,
    SOCCER_SPOTS = SOCCER_SPOT_COLUMNS * SOCCER_SPOT_ROWS,
    SOCCER_EVENTS = 12,
    SOCCER_MINDS = SOCCER_PLAYERS + 2 * SOCCER_TEAMS, // players, teams, searches for support spots
    SOCCER_BUDGET = 600, // units of a tick; one pass or shot checked against all opponents is 1
    SOCCER_NOBODY = -1
};

#define SOCCER_HALF_LENGTH 33.0f // m
#define SOCCER_HALF_WIDTH 18.0f  // m

// ---- parameters: soccer_params.c ----

typedef enum soccer_line_up {
    SOCCER_LINE_UP_BALANCED,
    SOCCER_LINE_UP_BOLD,
    SOCCER_LINE_UP_CAUTIOUS
} soccer_line_up;

// What makes a team play as it does.
typedef struct soccer_team_def {
    uint32_t cookie;
    soccer_line_up line_up; // where the team is when it attacks and defends
    float accuracy;         // 0 to 1, of shots and passes
    float potshot_chance;   // of a shot that cannot go in, at each kick
    float comfort_zone;     // m; an opponent in front and nearer than that is a threat
    float shooting_speed;   // kg m/s, of the hardest shot
    float passing_speed;    // kg m/s, of the hardest pass
    float dribble_speed;    // kg m/s, of a kick to oneself
    float turn_speed;       // kg m/s, of the kicks that bring the ball round
    int32_t shot_attempts;  // points of the goal that are looked at
    float min_pass;         // m, of field players
    float keeper_min_pass;  // m
    bool soft_passes;       // only as hard as the ball is to arrive
    bool dodge;             // dribble around opponents
    bool marking;           // defenders go between an attacker and its own supporter
    bool pressing;          // hem in the opponent with the ball, mark theirs near the own goal
    float lead;             // m that a dribbler may be ahead of its supporter; 0: any
    float anticipation;     // 0: runs at the ball, 1: to where it meets the ball
    float arrival_speed;    // m/s, of soft passes
    float request_chance;   // of a call for the ball, at each tick that allows one
    float arrive_chance;    // of awaiting a pass where it was announced
    float receive_threat;   // m, an opponent nearer than that: run to meet the ball
    float spot_rate;        // 1/s, how often the support spots are looked at
    float spot_pass;        // score of a spot that a pass reaches
    float spot_shot;        // score of a spot that a shot goes in from
    float spot_distance;    // score of a spot at support_distance from the ball's player
    float spot_closeness;   // score of a spot near the supporter
    float spot_ahead;       // score of a spot ahead of the ball's player
    float support_distance; // m
    float tend_distance;    // m, of the keeper from its line
    float intercept_range;  // m from the goal in which the keeper runs for the ball
    float hold_max;         // s that the keeper looks for a pass before it clears the ball
    float stamina;          // s of running that a player has; 0: never tires
} soccer_team_def;

typedef struct soccer_def {
    uint32_t cookie;
    bool swap_sides;        // red plays from right to left, from the next kick-off on
    bool solid;             // players do not run through each other
    bool edge_counts;       // a goal as soon as the ball's edge is over the line
    bool referee;           // a person who watches
    float goal_width;       // m
    float ball_radius;      // m
    float ball_mass;        // kg
    float friction;         // m/s^2, by which the ball slows
    float bounce;           // part of its speed that a wall leaves the ball
    float player_radius;    // m
    float max_speed;        // m/s, without the ball
    float max_speed_ball;   // m/s, with it
    float max_acceleration; // m/s^2
    float reaction;         // s in which a requested velocity is reached
    float turn_rate;        // rad/s
    float brake;            // part of its speed that a player without an order keeps, in a tick
    float kicking_distance; // m from the player to the ball
    float kick_rate;        // 1/s, at most
    float tackle; // s that a player that lost the ball to an opponent at its side cannot kick
    float receiving_range;  // m
    float target_range;     // m, near enough
    float keeper_range;     // m, in which a keeper grabs the ball
    float separation;       // m^2/s^2
    float separation_range; // m
    soccer_team_def red, blue;
} soccer_def;

ploy_fields soccer_fields(void);
ploy_fields soccer_team_fields(void);
// The region where a player of that line-up is at home; side +1.
int32_t soccer_line_up_home(soccer_line_up line_up, bool attacking, int32_t number);

// ---- pitch, goals, ball: soccer_pitch.c ----

typedef struct soccer_region {
    ploy_vec2 min, max;
    int32_t id;
} soccer_region;

soccer_region soccer_region_get(int32_t id);
ploy_vec2 soccer_region_centre(int32_t id);
// half: only the inner half of each length counts.
bool soccer_region_contains(soccer_region region, ploy_vec2 point, bool half);
// The region in the same place for the other side.
int32_t soccer_region_mirrored(int32_t id);
int32_t soccer_region_at(ploy_vec2 point);

typedef struct soccer_goal {
    ploy_vec2 post_a, post_b; // by rising y
    ploy_vec2 centre;
    ploy_vec2 facing; // into the pitch
} soccer_goal;

// side: of the team whose goal it is.
soccer_goal soccer_goal_make(float side, float width);
// Whether the path of the ball's centre crosses the line, moved into the pitch by offset.
bool soccer_goal_scored(const soccer_goal *goal, ploy_vec2 from, ploy_vec2 to, float offset);

typedef struct soccer_ball {
    ploy_vec2 position;
    ploy_vec2 old; // a tick ago
    ploy_vec2 velocity;
} soccer_ball;

void soccer_ball_place(soccer_ball *ball, ploy_vec2 at);
// Moves a ball that has grown away from the walls.
void soccer_ball_fit(soccer_ball *ball, const soccer_def *def);
// Rolls on for dt and bounces off walls and posts.
void soccer_ball_step(soccer_ball *ball, const soccer_def *def, float dt);
// Where a ball that rolls freely is after t; it stops when it stops.
ploy_vec2 soccer_ball_future(ploy_vec2 position, ploy_vec2 velocity, float friction, float t);
// How long a ball of that first speed needs for a distance; below 0 if it does not get there.
float soccer_time_to_cover(float speed, float distance, float friction);
// The first speed with which a ball arrives with that last speed.
float soccer_speed_to_arrive(float arrival, float distance, float friction);

// ---- players and teams ----

typedef enum soccer_role { SOCCER_KEEPER, SOCCER_ATTACKER, SOCCER_DEFENDER } soccer_role;

typedef enum soccer_player_state {
    SOCCER_WAIT,
    SOCCER_CHASE,
    SOCCER_KICK,
    SOCCER_DRIBBLE,
    SOCCER_RECEIVE,
    SOCCER_SUPPORT,
    SOCCER_GO_HOME,
    SOCCER_TAKEN, // a person plays it
    SOCCER_PLAYER_STATES
} soccer_player_state;

typedef enum soccer_keeper_state {
    SOCCER_TEND,
    SOCCER_RETURN,
    SOCCER_PUT_BACK,
    SOCCER_INTERCEPT,
    SOCCER_KEEPER_STATES
} soccer_keeper_state;

typedef enum soccer_team_state {
    SOCCER_PREPARE,
    SOCCER_DEFEND,
    SOCCER_ATTACK,
    SOCCER_HEM_IN,   // pressing: two close in on the opponent with the ball
    SOCCER_MAN_MARK, // pressing near the own goal: each guards an opponent
    SOCCER_TEAM_STATES
} soccer_team_state;

// Behaviors that are switched on.
enum {
    SOCCER_SEEK = 1,
    SOCCER_ARRIVE = 2,
    SOCCER_PURSUE = 4,
    SOCCER_INTERPOSE = 8,
    SOCCER_SEPARATE = 16
};

// What a mind requests to the ball. Minds only leave this; soccer_play carries it out when all
// have thought.
typedef enum soccer_act_kind {
    SOCCER_ACT_NONE,
    SOCCER_ACT_SHOT,
    SOCCER_ACT_POTSHOT,
    SOCCER_ACT_PASS,
    SOCCER_ACT_DRIBBLE,
    SOCCER_ACT_CLEAR,
    SOCCER_ACT_TRAP
} soccer_act_kind;

typedef struct soccer_act {
    int32_t kind;        // soccer_act_kind
    int32_t receiver;    // of a pass
    ploy_vec2 direction; // of the kick
    ploy_vec2 target;    // of a pass
    float strength;      // kg m/s
    bool control;        // its team is in control now, by this player
    bool receives;       // it awaits a pass now
    bool support;        // its team needs a supporter now
    bool reserved;
} soccer_act;

typedef struct soccer_player {
    ploy_kinematic body; // a keeper's orientation is where it looks
    ploy_steering steering;
    ploy_vec2 target;
    float ball_distance; // m, of this tick
    float max_speed;     // m/s, of this tick
    float stamina;       // 0 to 1
    uint32_t on;         // behaviors
    int32_t index;       // in the match
    int32_t team;
    int32_t number; // in the team
    int32_t role;
    int32_t home, default_home; // regions
    uint32_t draws;             // random numbers drawn in this tick
    uint64_t since;             // tick of the last change of state
    uint64_t stumbles_until;    // tick
    uint64_t deadline;          // tick by which a pass must have come, or the keeper has thrown
    soccer_act act;             // of this tick; none between ticks
    uint32_t reserved_act;
    ploy_code_fsm machine;
    ploy_regulator kick_limit;
    // Of a person who plays it.
    ploy_vec2 order;    // direction to run, or none
    ploy_vec2 order_at; // place to run to
    int32_t order_kind; // soccer_order
    int32_t order_kick; // soccer_order_kick, until it was done
    bool taken;
    bool reserved[7];
} soccer_player;

typedef enum soccer_order { SOCCER_ORDER_STAND, SOCCER_ORDER_RUN, SOCCER_ORDER_GO } soccer_order;
typedef enum soccer_order_kick {
    SOCCER_ORDER_NO_KICK,
    SOCCER_ORDER_SHOT,
    SOCCER_ORDER_PASS
} soccer_order_kick;

// Scores of support spots under way: a search goes on in the next turn if its budget is used up.
typedef struct soccer_search {
    ploy_regulator limit;
    float scores[SOCCER_SPOTS];
    uint8_t parts[SOCCER_SPOTS]; // bits of soccer_spot_part
    bool searching;
    bool found;     // in this tick
    int32_t next;   // spot to score
    uint32_t draws; // random numbers drawn in this tick
} soccer_search;

enum soccer_spot_part { SOCCER_SPOT_PASS = 1, SOCCER_SPOT_SHOT = 2, SOCCER_SPOT_AHEAD = 4 };

typedef struct soccer_team {
    int32_t index;
    float side;
    soccer_goal home_goal, their_goal;
    ploy_code_fsm machine;
    uint64_t settled; // changes of the machine that were carried out
    soccer_search search;
    // Key players, by index in the match; SOCCER_NOBODY if there is none.
    int32_t controlling, supporting, receiver, closest;
    int32_t closest_field; // without the keeper: who runs for the ball
    int32_t best_spot;     // SOCCER_NOBODY before the first look
    float spot_scores[SOCCER_SPOTS];
    // What came of it.
    int64_t goals, passes, passes_completed, shots, potshots, saves, dribbles, control_ticks;
} soccer_team;

typedef enum soccer_event_kind {
    SOCCER_EVENT_KICK_OFF,
    SOCCER_EVENT_GOAL,
    SOCCER_EVENT_SHOT,
    SOCCER_EVENT_SAVE,
    SOCCER_EVENT_PASS,
    SOCCER_EVENT_KINDS
} soccer_event_kind;

typedef struct soccer_event {
    uint64_t tick;
    int32_t kind;
    int32_t player;
} soccer_event;

typedef struct soccer_match soccer_match;

// One behavior of the engine: a player's, a team's or a search's.
typedef struct soccer_mind {
    soccer_match *match; // thinking sees the world of its context only
    int32_t index;       // of the player or the team
    int32_t reserved;
} soccer_mind;

struct soccer_match {
    soccer_def def;
    const ploy_sim_context *context; // during a step; NULL otherwise
    ploy_engine *engine;
    soccer_mind minds[SOCCER_MINDS];
    ploy_telegrams *telegrams;
    ploy_names *names; // of telegrams, for people
    uint64_t tick;
    float dt;
    uint32_t reserved_a;
    soccer_ball ball;
    uint32_t reserved_b[2];
    soccer_player players[SOCCER_PLAYERS];
    soccer_team teams[SOCCER_TEAMS];
    ploy_kinematic referee;
    int32_t holder; // the keeper who holds the ball
    bool game_on;
    bool reserved[3];
    // Who touched the ball last, and how; a pass under way.
    int32_t last_touch, passer, shooter;
    int32_t event_next;
    uint64_t touch_tick, kick_off_tick, hold_tick;
    uint64_t longest_stall, longest_kick_off, longest_hold; // ticks
    soccer_event events[SOCCER_EVENTS];
};

// Reasons of one thought, for a trace.
enum { SOCCER_REASONS = 6 };
typedef struct soccer_reasons {
    const char *why; // the last change, or why there was none
    int32_t count;
    int32_t states[SOCCER_REASONS]; // that were considered and rejected
    const char *whys[SOCCER_REASONS];
} soccer_reasons;

// Who thinks, as the machines' owner. A mind reads the match, changes its own player and sends
// messages; it cannot reach anything else.
typedef struct soccer_self {
    const soccer_match *match;
    const soccer_team *team;
    soccer_player *player;
    ploy_outbox *outbox;
    ploy_budget *budget;
    ploy_trace *trace;
    soccer_reasons *reasons; // NULL without a trace
} soccer_self;

// Where random numbers come from: a stream for each mind and tick.
typedef struct soccer_dice {
    const soccer_match *match;
    uint32_t agent;
    uint32_t *draws;
} soccer_dice;

static inline ploy_agent_id soccer_id(int32_t player) {
    return ploy_agent_id_make((uint32_t)player + 1, 1);
}
static inline soccer_team *soccer_other_team(soccer_match *match, const soccer_team *team) {
    return &match->teams[1 - team->index];
}
static inline const soccer_team_def *soccer_def_of(const soccer_match *match, int32_t team) {
    return team == 0 ? &match->def.red : &match->def.blue;
}
static inline soccer_dice soccer_dice_of(const soccer_match *match, soccer_player *player) {
    soccer_dice dice = {match, (uint32_t)player->index + 1, &player->draws};
    return dice;
}
// The agents of teams and searches.
static inline ploy_agent_id soccer_team_id(int32_t team) {
    return ploy_agent_id_make((uint32_t)(SOCCER_PLAYERS + 2 + team), 1);
}

// ---- the match: soccer.c ----

// The next random number of a mind in this tick, in [0, 1).
float soccer_random(soccer_dice dice);
bool soccer_at_target(const soccer_match *match, const soccer_player *player);
bool soccer_ball_near(const soccer_player *player, float range);
void soccer_note_event(soccer_match *match, soccer_event_kind kind, int32_t player);
// The target turned about the ball by a random angle.
ploy_vec2 soccer_add_noise(const soccer_match *match, soccer_player *player, ploy_vec2 target);
const char *soccer_player_name(int32_t player);
const char *soccer_state_name(const soccer_player *player);

// ---- the minds on their engine: soccer_mind.c ----

ploy_result soccer_minds_create(soccer_match *match, ploy_rng_key key, const ploy_env *env);
// All think, then what they said arrives and what they decided is carried out.
ploy_result soccer_minds_step(soccer_match *match);
// A player that thinks or gets a message, without an engine around it.
soccer_self soccer_self_of(const soccer_match *match, soccer_player *player);
// Changes a player's state; the trace gets the reason.
void soccer_go(const soccer_self *self, int32_t state, const char *why);
// Notes why the state stays as it is, and why another was not entered.
void soccer_stay(const soccer_self *self, const char *why);
void soccer_reject(const soccer_self *self, int32_t state, const char *why);
// Sends a telegram while thinking: it arrives when all have thought. at is what it says, where it
// says something.
void soccer_tell(const soccer_self *self, int32_t to, const char *kind, ploy_vec2 at);
// Sends a telegram that arrives at once: for the rules and the teams, when no mind thinks.
void soccer_call(soccer_match *match, int32_t from, int32_t to, const char *kind, ploy_vec2 at);

// ---- what is done to the ball: soccer_play.c ----

// Kicks the ball: direction of any length, strength in kg m/s.
void soccer_kick(soccer_match *match, soccer_player *player, ploy_vec2 direction, float strength);
// A keeper takes the ball.
void soccer_trap(soccer_match *match, soccer_player *keeper);
// Takes back the roles that a player's state no longer has: receiver, supporter, holder.
void soccer_settle(soccer_match *match, soccer_player *player);
// Carries out what the minds requested in this tick. A draw in each tick decides which team begins.
void soccer_play(soccer_match *match);

// ---- passes and shots: soccer_pass.c ----

typedef struct soccer_pass_ask {
    ploy_vec2 from, target;
    float speed;    // m/s, of the ball at first
    float friction; // m/s^2
    bool has_receiver;
    ploy_vec2 receiver;
} soccer_pass_ask;

// Whether an opponent cannot get at the ball. reach: m, both radii.
bool soccer_pass_safe_from(const soccer_pass_ask *ask, ploy_vec2 opponent, float opponent_speed,
                           float reach);
// Costs one unit.
bool soccer_pass_safe(const soccer_match *match, const soccer_team *team,
                      const soccer_pass_ask *ask, ploy_budget *budget);
// Looks for a point of their goal that a shot reaches; target is the last point tried if there is
// none. strength in kg m/s.
bool soccer_can_shoot(const soccer_match *match, const soccer_team *team, soccer_dice dice,
                      ploy_vec2 from, float strength, ploy_budget *budget, ploy_vec2 *target);
// The three places that a pass may go to; returns how many.
int32_t soccer_pass_places(const soccer_match *match, ploy_vec2 ball, ploy_vec2 receiver,
                           float speed, float receiver_speed, ploy_vec2 places[3]);
bool soccer_best_pass_to(const soccer_match *match, const soccer_player *passer,
                         const soccer_player *receiver, float strength, ploy_budget *budget,
                         ploy_vec2 *target);
bool soccer_find_pass(const soccer_self *self, float strength, float min_distance,
                      int32_t *receiver, ploy_vec2 *target);
// How hard to kick so that the pass arrives as the team likes it.
float soccer_pass_strength(const soccer_match *match, const soccer_player *passer, ploy_vec2 target,
                           float most);

// ---- support spots: soccer_spots.c ----

ploy_vec2 soccer_spot(float side, int32_t index);
// The part of the score that the distance from the ball's player gives.
float soccer_spot_distance_score(float distance, float best, float score);
// Scores spots until all have a score or the budget is used up; a new search begins spot_rate times a
// second. Changes the search only.
void soccer_spots_think(const soccer_match *match, int32_t team, soccer_search *search,
                        ploy_budget *budget, ploy_trace *trace);
// Publishes what a search found in this tick.
void soccer_spots_publish(soccer_team *team);
// The best one; the middle of their half if none was scored yet.
ploy_vec2 soccer_support_spot(const soccer_match *match, const soccer_team *team);

// ---- teams: soccer_team.c ----

const char *soccer_team_state_name(int32_t state);
bool soccer_in_control(const soccer_team *team);
void soccer_set_control(soccer_match *match, soccer_team *team, int32_t player);
void soccer_find_support(soccer_match *match, soccer_team *team);
void soccer_request_pass(const soccer_self *self);
void soccer_team_measure(soccer_match *match, soccer_team *team);
// Decides the team's state; the world is only read.
ploy_result soccer_team_think(const soccer_match *match, int32_t team, ploy_code_fsm *machine,
                              ploy_trace *trace);
// Carries out what follows from the state: line-ups, the kick-off, marking.
void soccer_team_commit(soccer_match *match, soccer_team *team);
// Prepares for the next kick-off.
ploy_result soccer_team_prepare(soccer_match *match, soccer_team *team);
// A goal fell, for either team: all players go back.
void soccer_team_goal(soccer_match *match, soccer_team *team);
void soccer_team_kick_off(soccer_match *match, soccer_team *team);
// Sets where each player is at home now.
void soccer_team_homes(soccer_match *match, soccer_team *team, bool attacking);
// Who may run for the ball: the nearest of the field, if no player awaits it and no keeper has it.
bool soccer_may_chase(const soccer_match *match, const soccer_player *player);
// Why a player may not; NULL if it may.
const char *soccer_no_chase(const soccer_match *match, const soccer_player *player);
bool soccer_ahead_of_attacker(const soccer_match *match, const soccer_player *player);
bool soccer_threatened(const soccer_match *match, const soccer_player *player);

// ---- players: soccer_player.c, soccer_keeper.c ----

void soccer_player_machine(void *self, ploy_code_fsm *machine, ploy_code_event event,
                           const ploy_message *message);
void soccer_keeper_machine(void *self, ploy_code_fsm *machine, ploy_code_event event,
                           const ploy_message *message);
// Where behind the keeper the ball would go in, and where the keeper is in front of it.
ploy_vec2 soccer_keeper_rear(const soccer_match *match, const soccer_team *team);

// ---- motion: soccer_move.c ----

void soccer_steer(soccer_match *match, soccer_player *player);
void soccer_move(soccer_match *match, soccer_player *player);
// Moves all players, the referee too, and keeps bodies apart.
void soccer_move_all(soccer_match *match);
void soccer_track_ball(const soccer_match *match, soccer_player *player);

// ---- a person: soccer_person.c ----

enum { SOCCER_COMMANDS = 11 };
extern const ploy_command soccer_commands[SOCCER_COMMANDS];
void soccer_apply_inputs(soccer_match *match, const ploy_sim_context *context);
void soccer_person_step(const soccer_self *self);

// ---- sight: soccer_sight.c ----

void soccer_draw(const void *state, ploy_draw *out);
void soccer_describe(const void *state, ploy_describe *out);
