// The squad: a leader that sends three members from one point of interest to the next on a waypoint
// network. Shared by the files of this folder.
//
// Technique: the squad demo of a text on waypoint networks, with its errata fixed: an order waits
// as a flag until the member takes it, so an order with an empty path is not missed; one arrival
// test (that of the errand) serves mover and machine; orders expire, and a stuck member reports;
// failed paths are reports instead of a straight walk.
#pragma once

#include "ploy/data/level_use.h"
#include "ploy/data/machine.h"
#include "ploy/exec/sim.h"
#include "ploy/move/errand.h"
#include "ploy/move/flock.h"
#include "ploy/path/network.h"
#include "ploy/tactics/points.h"
#include "ploy/tactics/tiers.h"

enum {
    SQUAD_MEMBERS_MAX = 8,
    SQUAD_STOPS_MAX = 64,
    SQUAD_POINTS_MAX = 64,
    SQUAD_NOISES_MAX = 8,
    SQUAD_VISITS_MAX = 64
};
#define SQUAD_RADIUS 0.5f // m, of a body against walls
enum { SQUAD_LEADER_TIER, SQUAD_FIRST_TIER };
enum { SQUAD_NETWORK, SQUAD_LEVEL, SQUAD_LEADER_TEXT, SQUAD_MEMBER_TEXT, SQUAD_TEXTS };

typedef struct squad_def {
    uint32_t cookie;
    int32_t members;
    ploy_tier_scheme scheme;
    float delay, timeout, noise, look;
    float sense, separation, slack;
    float pull, goal_radius, patience, max_acceleration, max_speed, cruise_speed;
} squad_def;

// An order that a member was given and whose end the leader has not heard of yet. Orders to a point
// come first, investigations second.
typedef struct squad_given {
    uint64_t id; // 0: none
    double issued;
} squad_given;

typedef struct squad_member {
    ploy_kinematic body;
    ploy_errand errand;
    ploy_errand_stop stops[SQUAD_STOPS_MAX];
    uint64_t waypoints[SQUAD_STOPS_MAX];
    int32_t handled; // stops that the machine knows of
    uint64_t order;  // taken; 0: none
    bool investigates;
    uint32_t color; // 0xRRGGBB
    ploy_progress progress;
    squad_given given[2];
    uint64_t last; // order given
    bool accepted; // the member has it
    bool due;      // it has still to get the order to the selected point
    ploy_hsm *mind;
} squad_member;

typedef struct squad_noise {
    ploy_tactical_id point;
    ploy_vec2 place;
    uint64_t order; // that investigates it; 0: none yet
    bool used;
} squad_noise;

typedef struct squad_game {
    squad_def def;
    ploy_errand_def errand; // from def, shared by the members
    ploy_movers_def motion;
    ploy_env env;
    ploy_rng_key key;
    const ploy_sim_context *context; // during a step
    double now;
    ploy_definition_text texts[SQUAD_TEXTS];
    ploy_network *network;
    ploy_plain_scene *scene;
    ploy_scene walls;
    ploy_search *search;
    ploy_tactical_points *points;
    int32_t interest, noise_tag; // qualities
    ploy_telegrams *telegrams;
    ploy_tiers *tiers;
    ploy_fsm_type *leader_type;
    ploy_hsm_type *member_type;
    ploy_fsm *leader;
    ploy_kinematic leader_body;
    ploy_tactical_id selected; // where the squad is, or goes
    squad_member members[SQUAD_MEMBERS_MAX];
    squad_noise noises[SQUAD_NOISES_MAX];
    double commanded; // s, of the last command to the squad
    uint64_t commands;
    uint64_t visits[SQUAD_VISITS_MAX]; // the points that the squad was sent to, the first ones
    int64_t orders, arrivals, failures, noises_heard, noises_found;
    double longest;
    int32_t shown; // the tier whose machine is drawn
    bool entered;
} squad_game;

static inline ploy_agent_id squad_id(int32_t tier) {
    return ploy_agent_id_make((uint32_t)tier + 1, 1);
}

// squad_world.c: network, walls and points of interest from their texts
extern const char squad_network_text[], squad_level_text[];
ploy_result squad_load_world(squad_game *game, const ploy_env *env);
ploy_result squad_check_world(int32_t text, const void *bytes, size_t size, const ploy_env *env,
                              ploy_diags *diags);
bool squad_sees(void *user, ploy_vec3 from, ploy_vec3 to);

// squad_minds.c: the machines, and the words that their texts use
extern const char squad_leader_text[], squad_member_text[];
ploy_result squad_load_leader(squad_game *game, ploy_step_context *context);
ploy_result squad_load_members(squad_game *game, ploy_step_context *context);
ploy_result squad_check_mind(int32_t text, const void *bytes, size_t size, const ploy_env *env,
                             ploy_diags *diags);

// squad_leader.c
ploy_result squad_send_to_random_poi(squad_game *game, ploy_step_context *context);
ploy_result squad_listen(squad_game *game, ploy_step_context *context);
bool squad_arrived(const squad_game *game);
bool squad_timed_out(const squad_game *game);
void squad_read_reports(squad_game *game);
ploy_result squad_make_noise(squad_game *game, ploy_vec2 at);

// squad_member.c
bool squad_order_pending(const squad_game *game, int32_t member);
bool squad_goal_reached(const squad_member *member);
ploy_result squad_take_order(squad_game *game, int32_t member, ploy_step_context *context);
ploy_result squad_finish(squad_game *game, int32_t member, ploy_report_kind kind,
                         ploy_report_reason reason);
ploy_result squad_move(squad_game *game);

// squad_sight.c
void squad_draw(const void *state, ploy_draw *out);
void squad_describe(const void *state, ploy_describe *out);
