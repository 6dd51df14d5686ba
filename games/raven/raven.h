// Raven: what its files share. The game is described in raven.c.
//
// Units: metres, seconds, radians. The text's pixels are divided by 20, its ticks are 1/60 s: a bot
// of radius 0.5 m runs 3 m/s, a rocket flies 9 m/s and its blast reaches 1 m.
//
// A tick, in this order (raven.c):
//
//     inputs      commands of a person, parameters, definitions
//     paths       searches under way, search_units of them
//     doors       slide
//     shots       fly, hit, explode; bots whose health is gone are dead
//     life        the dead leave a grave, those that wait try to spawn
//     sense       every bot looks, picks a target and a weapon, and aims: in parallel, read-only
//     brains      every bot's brain, one by one in an order drawn at random
//     act         shots are fired, then all bots move
//     triggers    items, sounds
//     graves      fade; bots are added and removed
//
// How a brain controls its bot. A brain is a ploy_behavior, made by a maker from RAVEN_BRAINS
// with the bot as its user. It is stepped in every tick in which its bot lives and no person plays
// it; context->world and context->game are the raven_match, context->agent is the bot's id. Goals
// of ploy/decide/goal_moves.h take `&bot->mover` as their owner; its user is the bot. A brain
// changes only its own bot, with the functions of the sections "steering", "paths" and "weapons"
// below; it reads others through the bot's memory and target, never directly. Looking, targeting,
// the choice of the weapon, aiming and firing happen without it.
#pragma once

#include "games/raven/raven_side.h"
#include "ploy/decide/goal_moves.h"
#include "ploy/exec/engine.h"
#include "ploy/exec/maker.h"
#include "ploy/exec/regulator.h"
#include "ploy/exec/sim.h"
#include "ploy/geom/box.h"
#include "ploy/geom/path_pool.h"
#include "ploy/geom/scene.h"
#include "ploy/move/kinematic.h"
#include "ploy/path/finders.h"
#include "ploy/path/graph_frozen.h"
#include "ploy/path/hierarchy.h"
#include "ploy/path/navmesh.h"
#include "ploy/path/planners.h"
#include "ploy/world/sense_memory.h"
#include "ploy/world/target.h"
#include "ploy/world/telegram.h"
#include "ploy/world/trigger.h"

enum {
    RAVEN_BOTS_MAX = 64,
    RAVEN_SIDES_MAX = 4,
    RAVEN_SHOTS_MAX = 1024, // in flight or still shown; the oldest trace makes room
    RAVEN_GRAVES_MAX = 64,
    RAVEN_EVENTS = 24,
    RAVEN_SAMPLES_MAX = 32, // of a velocity
    RAVEN_ORDERS_MAX = 16,  // moves that a person queues
    RAVEN_NAME_MAX = 24,
    RAVEN_PATHS = 4,        // of a bot: a path, the detour by a button, a door on that one, orders
    RAVEN_PATH_POINTS = 64, // that fit before a path grows
    RAVEN_NOBODY = -1
};

// ---- parameters: raven_params.c ----

typedef enum raven_level {
    RAVEN_LEVEL_DM1,
    RAVEN_LEVEL_DOORS,
    RAVEN_LEVEL_LARGE,
    RAVEN_LEVEL_CROSS,
    RAVEN_LEVEL_COUNT
} raven_level;

typedef enum raven_navigation {
    RAVEN_NAVIGATION_COARSE, // few nodes
    RAVEN_NAVIGATION_FINE,   // nodes everywhere, by flood fill
    RAVEN_NAVIGATION_MESH,
    RAVEN_NAVIGATION_ROOMS // rooms above the nodes
} raven_navigation;

typedef enum raven_smoothing {
    RAVEN_SMOOTHING_OFF,
    RAVEN_SMOOTHING_QUICK,
    RAVEN_SMOOTHING_PRECISE
} raven_smoothing;

typedef enum raven_aim_noise { RAVEN_AIM_UNIFORM, RAVEN_AIM_FUZZY } raven_aim_noise;
typedef enum raven_spread { RAVEN_SPREAD_UNIFORM, RAVEN_SPREAD_TRIANGULAR } raven_spread;

// What makes a bot good or bad at fighting. Each bot has a copy, which skill files may replace.
typedef struct raven_skill {
    uint32_t cookie;
    float reaction;         // s that a target must have been visible before a shot
    float persistence;      // s that a bot aims at where a target went out of view
    float accuracy;         // rad, largest deviation of a shot
    float turn_rate;        // rad/s, of the facing
    float fov;              // rad, whole angle
    float memory;           // s that an opponent is remembered
    float vision_rate;      // 1/s
    float target_rate;      // 1/s
    float weapon_rate;      // 1/s
    float arbitration_rate; // 1/s
    bool lead;              // aims ahead of a moving target
} raven_skill;

// How a bot weighs its possible targets (RAV-25). Larger scores win; distance alone is the text's.
typedef struct raven_target_weights {
    uint32_t cookie;
    float distance;     // per metre, subtracted
    float angle;        // per radian that the bot must turn, subtracted
    float unaware;      // added if the opponent faces away
    float visible;      // added while in view
    float time_visible; // per second that it has been in view without a break
    float armed;        // added if it is in view and holds more than the blaster
    float shootable;    // added while nothing is in between
    float damage;       // per point of damage that it did to the bot lately
    float revenge;      // per time that it killed the bot
    float prey;         // per time that the bot killed it
    float range;        // per metre off the ideal range of the bot's weapon, subtracted
    float threat;       // added if the bot is within the ideal range of the opponent's weapon
    float margin;       // by which another must be better than the current target
} raven_target_weights;

typedef struct raven_def {
    uint32_t cookie;
    raven_level map; // used while no text was loaded in its place
    int32_t bots;
    int32_t sides;      // 1: each bot against all others
    bool friendly_fire; // shots hurt bots of the same side
    int32_t kill_limit; // of a side or, without sides, of a bot; 0: none
    float time_limit;   // s; 0: none
    int32_t brain;      // of RAVEN_BRAINS
    // paths
    raven_navigation navigation;
    raven_smoothing smoothing;
    int32_t search_units;    // of all searches in a tick
    bool replanning;         // stuck bots plan again
    float stuck_margin;      // s beyond the expected time of an edge
    float waypoint_distance; // m, near enough to a point of a path
    float node_spacing;      // m, of the fine graph
    bool doors;              // false: they are always open
    float door_open;         // s that a door stays open
    float door_speed;        // m/s that it slides
    float button_reach;      // m
    // life
    float grave;            // s
    float max_health;       // and at spawning
    float health_respawn;   // s
    float weapon_respawn;   // s
    float giver_range;      // m
    float trigger_rate;     // 1/s, tests of each bot
    float felt_damage_span; // s
    // bodies
    float radius;                                           // m
    float max_speed;                                        // m/s
    float max_acceleration;                                 // m/s^2
    float separation, wall_avoidance, wander, seek, arrive; // weights
    float view_distance;                                    // m, of separation
    float feeler;                                           // m
    bool still;                                             // bots stay where they are
    // senses and aim
    bool heard_position; // a sound reveals its source even out of sight
    int32_t view_most;   // that many of the nearest are looked at; 0: all
    raven_aim_noise aim_noise;
    raven_spread spread;
    int32_t velocity_samples; // over which a target's velocity is averaged
    float facing_tolerance;   // rad
    // fairness toward a person
    bool first_shot_misses;
    bool near_misses; // deliberate misses pass close by, within view
    float mercy;      // health below which shots at a person are less accurate; 0: never
    // level of detail
    bool lod;
    float lod_near;  // m from what is watched, full rates
    float lod_far;   // m, from there on the least
    float lod_least; // share of the rates
    raven_skill skill;
    raven_target_weights target;
    // sides
    float radio_delay; // s
    raven_side_def red, blue, green, yellow;
} raven_def;

ploy_fields raven_fields(void);
ploy_fields raven_skill_fields(void);
ploy_fields raven_target_fields(void);

// ---- weapons: raven_weapons.c ----

typedef enum raven_weapon {
    RAVEN_BLASTER,
    RAVEN_SHOTGUN,
    RAVEN_RAILGUN,
    RAVEN_ROCKET,
    RAVEN_WEAPONS
} raven_weapon;

// One row of the table in weapons.json.
typedef struct raven_weapon_def {
    uint32_t cookie;
    float rate;          // 1/s
    float damage;        // of each projectile, or of a blast
    int32_t projectiles; // of one shot
    float spread;        // rad, to each side
    float speed;         // m/s
    float blast;         // m; above 0 it explodes
    float blast_growth;  // m/s, of the ring that is shown
    bool pierces;        // goes through bots, not through walls
    bool endless;        // needs no rounds
    bool predicts;       // bots aim ahead of the target
    bool to_point;       // ends at the point it was aimed at
    int32_t rounds;      // with which it is picked up
    int32_t max_rounds;
    float ideal_range; // m
    float sound;       // m
    float trace;       // s that a shot is shown after it has hit
} raven_weapon_def;

typedef struct raven_weapon_table {
    raven_weapon_def items[RAVEN_WEAPONS];
} raven_weapon_table;

ploy_fields raven_weapon_fields(void);
const char *raven_weapon_name(int32_t weapon); // "blaster", "shotgun", "railgun", "rocket"
// Reads {"blaster": {...}, ...}; weapons and values that it does not name keep their defaults.
ploy_result raven_weapons_load(const void *bytes, size_t size, const char *name,
                               const ploy_env *env, ploy_diags *diags, raven_weapon_table *out);

// What a bot carries of one weapon.
typedef struct raven_arm {
    double next; // s, when it may fire again
    int32_t rounds;
    bool held;
    bool reserved[3];
} raven_arm;

// ---- items ----

typedef enum raven_item_kind {
    RAVEN_ITEM_HEALTH,
    RAVEN_ITEM_SHOTGUN,
    RAVEN_ITEM_RAILGUN,
    RAVEN_ITEM_ROCKET,
    RAVEN_ITEM_KINDS
} raven_item_kind;

const char *raven_item_name(int32_t kind); // as in level text
// The weapon that an item gives, RAVEN_NOBODY for health.
int32_t raven_item_weapon(int32_t kind);

typedef struct raven_item {
    ploy_vec2 position;
    ploy_trigger_id trigger;
    uint64_t due; // tick in which it can be taken again, while it is away
    int32_t kind;
    int32_t node;    // of the fine graph
    int32_t respawn; // ticks that its trigger rests; RAVEN_NOBODY: it waits without
    float amount;    // of health
    bool active;
    bool reserved[3];
} raven_item;

typedef struct raven_door {
    char name[RAVEN_NAME_MAX];
    ploy_vec2 from, to;   // the gap; the panel slides toward `from`
    ploy_vec2 buttons[2]; // one on each side
    ploy_obstacle_id panel;
    float open;          // m that it has slid
    uint64_t open_until; // tick
    bool opening;
    bool reserved[7];
} raven_door;

// Layers of the scene.
enum {
    RAVEN_LAYER_WALL = 1,
    RAVEN_LAYER_PANEL = 2, // doors as far as they are closed: stop bodies, shots and looks
    RAVEN_LAYER_SILL = 4,  // where doors are: paths cross it only by an edge of kind "door"
    RAVEN_MASK_SOLID = RAVEN_LAYER_WALL | RAVEN_LAYER_PANEL,
    RAVEN_MASK_PLAN = RAVEN_LAYER_WALL | RAVEN_LAYER_SILL
};

// ---- the map: raven_map.c ----

typedef struct raven_map {
    ploy_box2 box;
    ploy_segment2 *walls;
    ploy_vec2 *spawns;
    raven_item *items;
    raven_door *doors;
    int32_t wall_count, spawn_count, item_count, door_count;
    ploy_plain_scene *solid;
    ploy_scene scene;
    ploy_box2 *zones; // rooms of the text
    int32_t zone_count;
    int32_t reserved;
    // The same floor in several forms.
    ploy_graph *fine, *coarse;
    ploy_graph_representation *fine_view, *coarse_view;
    ploy_representation fine_level, coarse_level;
    ploy_navmesh *mesh;
    ploy_frozen_graph *fine_frozen, *coarse_frozen;
    ploy_frozen_finder_def fine_finder, coarse_finder;
    ploy_hierarchy *rooms;
    ploy_hierarchy_finder_def room_finder;
    int32_t *room_of; // of each node of the fine graph
    float *costs;     // m from each node of the fine graph to each item: [item * nodes + node]
    int32_t node_count, room_count;
} raven_map;

// Reads level text; all faults are reported. @return PLOY_ERR_FORMAT, PLOY_ERR_MEMORY.
ploy_result raven_map_load(const char *text, size_t size, const char *name, const raven_def *def,
                           const ploy_env *env, ploy_diags *diags, raven_map **out);
// NULL is allowed. env is that of the load.
void raven_map_destroy(raven_map *map, const ploy_env *env);
// Builds graphs, mesh, rooms and costs of a map whose objects are read: raven_nav.c.
ploy_result raven_nav_build(raven_map *map, const raven_def *def, const ploy_env *env);
// Builds the coarse graph if that has not been done.
ploy_result raven_nav_need_coarse(raven_map *map, const raven_def *def, const ploy_env *env);
void raven_nav_destroy(raven_map *map, const ploy_env *env);

// A file of the game's folder, built in: "maps/dm1.txt", "weapons.json". The bytes end with a zero
// that the size does not count.
typedef struct raven_file {
    const char *name;
    const unsigned char *bytes;
    size_t size;
} raven_file;

const raven_file *raven_files(void); // ended by a name of NULL
// NULL if there is none of that name.
const raven_file *raven_file_find(const char *name);
// "dm1", as the parameter `map` spells it.
const char *raven_level_name(int32_t level);
const raven_file *raven_level_file(int32_t level);

// ---- bots ----

typedef enum raven_status { RAVEN_SPAWNING, RAVEN_ALIVE, RAVEN_DEAD } raven_status;

typedef struct raven_match raven_match;

// Damage that an opponent did to a bot lately (RAV-36).
typedef struct raven_felt {
    float damage;   // within felt_damage_span, fading
    int32_t killed; // times that the bot killed the other
    int32_t died;   // times that the other killed the bot
    uint32_t reserved;
    double last; // s, of the last hit; -INFINITY: never
} raven_felt;

// What the weapon system does with its bot in this tick: set while it senses, carried out in act.
typedef struct raven_trigger_finger {
    ploy_vec2 aim;      // where it aims, led and not perturbed
    ploy_vec2 point;    // where the shot goes
    float facing_angle; // rad, of this tick
    int32_t weapon;     // that it changes to
    int32_t why;        // raven_hold
    bool aiming;        // there is something to aim at
    bool facing;        // it faces the aim
    bool fires;         // if its weapon is ready
    bool by_person;
} raven_trigger_finger;

// Why a bot does not shoot, from percept to trigger finger.
typedef enum raven_hold {
    RAVEN_HOLD_FIRES,
    RAVEN_HOLD_NO_TARGET,
    RAVEN_HOLD_UNSEEN,   // not shootable, out of view for too long
    RAVEN_HOLD_TURNING,  // does not face it yet
    RAVEN_HOLD_REACTING, // not visible long enough
    RAVEN_HOLD_BLOCKED,  // the point ahead of the target is behind a wall
    RAVEN_HOLD_LOADING,  // the weapon is not ready
    RAVEN_HOLD_EMPTY,
    RAVEN_HOLD_POSSESSED,
    RAVEN_HOLD_COUNT
} raven_hold;

// The item search of a bot under way: what its goal is.
typedef struct raven_item_query {
    const struct raven_bot *bot;
    int32_t kind;
    bool aware;
    bool reserved[3];
} raven_item_query;

typedef struct raven_bot {
    raven_match *match;
    int32_t index; // in the match
    int32_t side;
    int32_t status; // raven_status
    float health;
    ploy_kinematic body; // orientation is the facing; the direction of motion is the velocity's
    ploy_steering steering;
    // what the brain requested
    int32_t how;       // ploy_goal_steer
    float speed_limit; // m/s; 0: the ordinary speed
    ploy_vec2 target_point;
    ploy_vec2 face_point;
    bool faces;   // face_point is used while there is nothing to aim at
    bool weaves;  // from side to side around its direction (GOA-34)
    bool present; // takes part; removed bots leave a gap
    bool possessed;
    float wander_angle; // rad
    // parts
    ploy_nested brain;
    ploy_goal_mover mover;
    ploy_goals *orders; // moves that a person ordered
    ploy_sense_memory *memory;
    ploy_target target;
    raven_arm arms[RAVEN_WEAPONS];
    int32_t weapon; // current one
    int32_t node;   // nearest of the fine graph; RAVEN_NOBODY: none is near
    raven_skill skill;
    ploy_regulator vision, targeting, arbitration, choosing; // rates of the skill times lod
    raven_trigger_finger finger;
    raven_felt felt[RAVEN_BOTS_MAX];
    ploy_vec2 samples[RAVEN_SAMPLES_MAX]; // velocities of the last ticks
    int32_t sample_next, sample_count;
    float lod; // share of its rates
    uint32_t draws;
    uint64_t spawned;     // tick
    uint64_t flash_until; // tick; hit a moment ago
    uint64_t last_hit;    // tick in which it was hit
    uint64_t spared;      // bits of the persons at whom a first shot was missed on purpose
    ploy_vec2 cursor;     // of a person: what the bot faces
    uint32_t hit_volley;  // number of its last shot that hit
    uint32_t lives;       // so far
    // what came of it
    int64_t kills, deaths, suicides, team_kills, shots, hits, items;
    double damage;
    int64_t early_shots, blind_targets;
    ploy_vec2 stuck_from; // where it was when it last moved its radius
    uint64_t stuck_since; // tick
    uint64_t longest_stuck;
    ploy_vec2 blocked_from; // likewise, but since it last waited for a path
    uint64_t blocked_since;
    raven_item_query query;
    uint64_t path_since;          // tick of the open request, 0: none
    ploy_path_ticket path_ticket; // of that request
    int64_t units;                // of sensing, in all ticks
} raven_bot;

// ---- shots: raven_shots.c ----

typedef enum raven_shot_state {
    RAVEN_SHOT_FLYING,
    RAVEN_SHOT_EXPLODING,
    RAVEN_SHOT_SHOWN
} raven_shot_state;

typedef struct raven_shot {
    ploy_vec2 origin, position, velocity, target;
    uint64_t born;   // tick
    uint64_t until;  // tick until which it is shown, once it has hit
    uint64_t struck; // bits of the bots that it has damaged
    uint32_t volley; // number of the shot that it belongs to
    int32_t weapon;
    int32_t shooter;
    int32_t state; // raven_shot_state
    float ring;    // m, of an explosion
    bool aimed;    // it ends at `target`
    bool counted;  // as a hit of its shooter
    bool reserved[2];
} raven_shot;

typedef struct raven_grave {
    ploy_vec2 position;
    uint64_t until; // tick
    int32_t bot;
    uint32_t reserved;
} raven_grave;

// ---- events and messages ----

typedef enum raven_event_kind {
    RAVEN_EVENT_SPAWN,
    RAVEN_EVENT_KILL,
    RAVEN_EVENT_SUICIDE,
    RAVEN_EVENT_PICKUP,
    RAVEN_EVENT_DOOR,
    RAVEN_EVENT_OVER,
    RAVEN_EVENT_KINDS
} raven_event_kind;

typedef struct raven_event {
    uint64_t tick;
    int32_t kind;
    int32_t who;   // bot
    int32_t other; // victim, item or door
    uint32_t reserved;
} raven_event;

// Kinds of messages (RAV-37); payloads are below.
#define RAVEN_MSG_PATH_READY "path_ready" // raven_path_note
#define RAVEN_MSG_NO_PATH "no_path"       // raven_path_note
#define RAVEN_MSG_GUNSHOT "gunshot"       // raven_hit_note: from whom, damage 0
#define RAVEN_MSG_HIT "hit"               // raven_hit_note
#define RAVEN_MSG_KILLED "you_killed"     // raven_hit_note: whom the receiver killed
#define RAVEN_MSG_DIED "died"             // raven_hit_note, to all: who died
#define RAVEN_MSG_OPEN "open_sesame"      // raven_door_note, to all: a door opens
#define RAVEN_MSG_ADDED "bot_added"       // raven_hit_note, to all
#define RAVEN_MSG_REMOVED "bot_removed"   // raven_hit_note, to all

typedef struct raven_path_note {
    ploy_path_ticket ticket;
    int32_t outcome; // ploy_path_outcome
    int32_t item;    // where the path ends, RAVEN_NOBODY: at a place
} raven_path_note;

typedef struct raven_hit_note {
    int32_t bot;
    float damage;
} raven_hit_note;

typedef struct raven_door_note {
    int32_t door;
    int32_t bot; // who pressed the button
} raven_door_note;

// ---- brains: raven_brains.c ----

// The list: raven_<name>_brain makes each. The first is the default.
#define RAVEN_BRAINS(brain) brain(goals) brain(simple)

// One kind of mind. make is a maker's; its user is the raven_bot, which outlives the behavior.
typedef struct raven_brain {
    const char *name; // as the parameter `brain` spells it
    ploy_result (*make)(void *bot, const ploy_env *env, ploy_behavior *out);
} raven_brain;

// By its number in the list.
const raven_brain *raven_brain_at(int32_t index);
// Six strategies as goals, weighed by an arbiter: raven_goal_think.c.
ploy_result raven_goals_brain(void *bot, const ploy_env *env, ploy_behavior *out);
// Wanders, fetches the nearest useful item, attacks: without goals, for tests and comparison.
ploy_result raven_simple_brain(void *bot, const ploy_env *env, ploy_behavior *out);

// Counts this tick for a strategy of the bot, by its name: what `goal_seconds` sums up. Brains
// call it in each step.
void raven_note_strategy(raven_bot *bot, const char *name);

enum { RAVEN_STRATEGIES_MAX = 16 };
typedef struct raven_strategy {
    char name[RAVEN_NAME_MAX];
    int64_t ticks; // of all bots
} raven_strategy;

// ---- the match ----

typedef struct raven_mind {
    raven_match *match;
    int32_t index;
    int32_t reserved;
} raven_mind;

struct raven_match {
    raven_def def;
    const ploy_sim_context *context; // during a step; NULL otherwise
    ploy_env env;                    // of the region
    raven_map *map;
    struct raven_plans *plans; // raven_goals.h: what brains and sides share
    raven_weapon_table weapons;
    ploy_definition_text map_text, weapons_text;
    ploy_planners *planners;
    ploy_path_pool *pool;       // of the paths that goals follow
    ploy_path_service searches; // of the planners
    ploy_path_service paths;    // what bots use: as searches, with edges of kind "door"
    ploy_triggers *triggers;
    ploy_engine *engine;
    ploy_telegrams *telegrams;
    ploy_names *names;
    raven_mind minds[RAVEN_BOTS_MAX];
    ploy_engine_id mind_ids[RAVEN_BOTS_MAX];
    raven_bot bots[RAVEN_BOTS_MAX];
    int32_t bot_count; // places in use, gaps included
    int32_t wanted;    // bots that are to take part
    raven_shot shots[RAVEN_SHOTS_MAX];
    int32_t shot_count;
    uint32_t volleys;
    raven_grave graves[RAVEN_GRAVES_MAX];
    int32_t grave_count;
    raven_event events[RAVEN_EVENTS];
    int32_t event_next;
    uint64_t tick;
    double now;
    float dt;
    int32_t selected; // bot, RAVEN_NOBODY: none
    bool watching;    // watch is what the camera shows
    bool over;        // a limit was reached
    bool reserved[2];
    ploy_vec2 watch;
    int64_t side_kills[RAVEN_SIDES_MAX];
    raven_strategy strategies[RAVEN_STRATEGIES_MAX];
    int32_t strategy_count;
    uint32_t reserved_b;
    int64_t path_units, sense_units, worst_units, tick_units;
    // Goals to pass a door, by how they ended: passed, given up, dropped by a living bot, or cut off
    // by its death.
    int64_t doors_passed, doors_failed, doors_left, doors_died;
    ploy_goal_type door_goal; // ploy_goal_negotiate_door, counted
    ploy_goal_edge door_edge;
    uint64_t longest_wait; // ticks from a request of a path to its answer
    uint64_t flooded;      // tick in which an edited map was taken over, for the picture; 0: none
};

// The nodes of an edited map that the picture shows, in the order in which the flood reached them;
// 0 some time after the last. The graph itself is complete at once: raven_sight.c.
int32_t raven_flood_shown(const raven_match *match);

static inline ploy_agent_id raven_id(int32_t bot) {
    return ploy_agent_id_make((uint32_t)bot + 1, 1);
}
// How memories know a bot: one that is spawned again is another (RAV-23).
static inline ploy_agent_id raven_life_id(const raven_bot *bot) {
    return ploy_agent_id_make((uint32_t)bot->index + 1, bot->lives + 1);
}
// The bot with an id, of this life or any; NULL if there is none.
raven_bot *raven_bot_of(raven_match *match, ploy_agent_id id);
const raven_bot *raven_bot_get(const raven_match *match, ploy_agent_id id);
// The bot of a brain's or goal's context.
raven_bot *raven_self(const ploy_step_context *context);
static inline bool raven_alive(const raven_bot *bot) {
    return bot->present && bot->status == RAVEN_ALIVE;
}
// Whether a is to shoot at b.
bool raven_hostile(const raven_match *match, const raven_bot *a, const raven_bot *b);
// "red 2" with sides, otherwise "bot 5".
const char *raven_bot_name(const raven_bot *bot, char text[RAVEN_NAME_MAX]);
float raven_random(raven_bot *bot); // 0 to 1
void raven_note_event(raven_match *match, raven_event_kind kind, int32_t who, int32_t other);
// Sends a message at once; to is RAVEN_NOBODY for all.
void raven_send(raven_match *match, int32_t from, int32_t to, const char *kind, const void *payload,
                size_t size);
static inline uint64_t raven_ticks(const raven_match *match, float seconds) {
    return (uint64_t)(seconds / match->dt + 0.5f);
}

// ---- queries of the world: raven.c ----

// Whether a disc of that radius can move straight from one point to the other.
bool raven_walks(const raven_match *match, ploy_vec2 from, ploy_vec2 to, float radius);
// Whether nothing solid is between two points.
bool raven_sees(const raven_match *match, ploy_vec2 from, ploy_vec2 to);
// Whether a sees b: in its field of view and nothing in between.
bool raven_in_view(const raven_match *match, const raven_bot *a, const raven_bot *b);
// Whether there is room to step aside by two radii or more (out: by up to 3.5); side is +1 for left, -1 for right of the
// direction to `toward`. out may be NULL.
bool raven_can_step(const raven_bot *bot, ploy_vec2 toward, float side, ploy_vec2 *out);

// ---- steering: raven_move.c ----

// Requests motion until the next call. speed 0: the ordinary one.
void raven_steer(raven_bot *bot, ploy_goal_steer how, ploy_vec2 target, float speed);
// Adds or removes weaving from side to side around the direction of motion.
void raven_weave(raven_bot *bot, bool weaves);
// Faces a point while there is nothing to aim at; otherwise the bot faces its motion.
void raven_face(raven_bot *bot, ploy_vec2 point);
void raven_face_motion(raven_bot *bot);
// Where the bot is to be next: not into walls. Returns the part of the step that was possible.
ploy_vec2 raven_slide(const raven_match *match, ploy_vec2 from, ploy_vec2 step, float radius);
// Draws the feelers of a bot that wanders.
void raven_draw_feelers(const raven_bot *bot, ploy_draw *out);
// Steers all by the world as it is, then moves all.
void raven_move_all(raven_match *match);

// ---- paths: raven_paths.c ----

// A path to a place is requested by bot->mover.paths (a ploy_path_service), as ploy_goal_move_to
// does. Edges through doors have the kind "door" and the door's index + 1 as link.index. The answer
// is polled; a message RAVEN_MSG_PATH_READY or RAVEN_MSG_NO_PATH reports that it can be.
ploy_result raven_request_path(raven_bot *bot, ploy_vec2 to, ploy_path_ticket *out);
// The same to the item of a kind that is the cheapest to reach: active, or, if aware, back by the
// time the bot arrives (GOA-33).
ploy_result raven_request_item(raven_bot *bot, raven_item_kind kind, bool aware,
                               ploy_path_ticket *out);
// Polls either. item, which may be NULL, gets the item at the end of the path, or RAVEN_NOBODY.
ploy_result raven_poll_path(raven_bot *bot, ploy_path_ticket ticket, ploy_path *path,
                            ploy_path_outcome *outcome, int32_t *item);
void raven_cancel_path(raven_bot *bot, ploy_path_ticket ticket);
// Metres to walk from the bot to an item, from a table; INFINITY if it cannot be reached.
float raven_item_cost(const raven_bot *bot, int32_t item);
// The cheapest item of a kind as raven_request_item chooses it, without a search; RAVEN_NOBODY if
// there is none. cost may be NULL.
int32_t raven_nearest_item(const raven_bot *bot, raven_item_kind kind, bool aware, float *cost);
// Whether an item can be taken now, and in how many seconds it can (0: now).
bool raven_item_active(const raven_match *match, int32_t item);
float raven_item_wait(const raven_match *match, int32_t item);
// Sets the functions of match->paths.
void raven_paths_init(raven_match *match);
// Builds the planners for the parameters as they are; open requests are dropped.
ploy_result raven_paths_create(raven_match *match);
ploy_result raven_step_paths(raven_match *match);
// A place to explore: a random node that can be reached.
bool raven_random_place(raven_bot *bot, ploy_vec2 *out);

// ---- senses and targets: raven_sense.c ----

// The opponent that the bot attacks, RAVEN_NOBODY for none. Use the memory for what it knows of it.
int32_t raven_target(const raven_bot *bot);
bool raven_target_visible(const raven_bot *bot);   // in view at the last look
bool raven_target_shootable(const raven_bot *bot); // nothing was in between at the last look
// Where it was when last sensed. False: not known.
bool raven_target_place(const raven_bot *bot, ploy_vec2 *out);
float raven_target_time_visible(const raven_bot *bot);     // s, 0 while out of view
float raven_target_time_out_of_view(const raven_bot *bot); // s, INFINITY: never seen
float raven_target_time_unsensed(const raven_bot *bot);    // s since it was seen, heard or reported
void raven_target_clear(raven_bot *bot);
// Reports an opponent by radio: counts as sensed now, at that place, not as seen.
void raven_tell(raven_bot *bot, int32_t opponent, ploy_vec2 place);
// Damage that an opponent did to the bot lately, RAVEN_NOBODY: all of them.
float raven_felt_damage(const raven_bot *bot, int32_t opponent);
// Whether it was hit, or an opponent that faces it is shootable, within the last seconds.
bool raven_under_fire(const raven_bot *bot, float seconds);
void raven_sense_think(raven_bot *bot, const ploy_step_context *context);
void raven_heard(raven_bot *bot, int32_t source);
void raven_forget(raven_match *match, int32_t dead);
// True twice a second or so: when the brain is to weigh its strategies again.
bool raven_arbitrates(raven_bot *bot);

// ---- weapons: raven_weapons.c, raven_choice.c, raven_aim.c ----

bool raven_holds(const raven_bot *bot, raven_weapon weapon);
int32_t raven_rounds(const raven_bot *bot, raven_weapon weapon); // 0 if it is not held
// Rounds as a share of the most that can be carried; 0 if it is not held.
float raven_weapon_strength(const raven_bot *bot, raven_weapon weapon);
// The mean of the strengths of the three that can be picked up (GOA-18).
float raven_total_strength(const raven_bot *bot);
bool raven_change_weapon(raven_bot *bot, raven_weapon weapon); // false: not held
void raven_give_weapon(raven_bot *bot, raven_weapon weapon);
void raven_give_health(raven_bot *bot, float amount);
// Whether the current weapon may fire now.
bool raven_ready(const raven_bot *bot);
// Fires the current weapon if it is ready; the same for persons and bots.
bool raven_shoot_at(raven_bot *bot, ploy_vec2 point);
// 0 to 100: how much a weapon suits a target at that distance with these rounds.
float raven_weapon_desirability(const raven_bot *bot, raven_weapon weapon, float distance,
                                int32_t rounds, ploy_trace *trace);
// Largest deviation of a shot, rad, from what makes aiming hard (FUZ-20).
float raven_aim_deviation(const raven_bot *bot, float distance, float lateral_speed,
                          float time_visible);
void raven_choose_weapon(raven_bot *bot, ploy_trace *trace);
// Draws the rules of the weapon in hand as a table; those that fired at the last choice have a degree.
void raven_draw_rules(const raven_bot *bot, ploy_vec2 at, ploy_draw *out);
// Turns the facing toward a point, at most by turn; true once it is within the tolerance.
bool raven_turn(float *facing, ploy_vec2 from, ploy_vec2 to, float turn, float tolerance);
// Where to aim at a target that moves (RAV-29).
ploy_vec2 raven_lead(ploy_vec2 from, ploy_vec2 at, ploy_vec2 velocity, float shot_speed,
                     float target_speed);
ploy_vec2 raven_mean_velocity(const raven_bot *bot, int32_t samples);
void raven_aim(raven_bot *bot, ploy_trace *trace);
const char *raven_hold_text(int32_t why);

// ---- shots: raven_shots.c ----

void raven_fire(raven_match *match, raven_bot *bot, ploy_vec2 point);
void raven_step_shots(raven_match *match);
// Removes the shots of a bot that leaves: another one may take its place in the list.
void raven_drop_shots(raven_match *match, int32_t shooter);
void raven_damage(raven_match *match, raven_bot *victim, int32_t shooter, float damage);

// ---- life: raven_life.c ----

// Adds bots and removes the last ones until `wanted` take part.
ploy_result raven_step_population(raven_match *match, ploy_rng_key key);
void raven_bot_remove(raven_match *match, int32_t index);
void raven_step_life(raven_match *match);
void raven_step_graves(raven_match *match);
// Sets what follows from the bot's skill: rates of its regulators, the span of its memory.
ploy_result raven_bot_set_skill(raven_bot *bot, const raven_skill *skill);

// ---- items and sounds: raven_items.c ----

ploy_result raven_items_create(raven_match *match);
// Sets the zones of items and buttons to the parameters as they are.
void raven_items_resize(raven_match *match);
ploy_result raven_step_triggers(raven_match *match);
void raven_make_sound(raven_match *match, const raven_bot *source, float reach);

// ---- minds: raven_minds.c ----

ploy_result raven_minds_create(raven_match *match, ploy_rng_key key);
ploy_result raven_mind_add(raven_match *match, int32_t index);
ploy_result raven_step_senses(raven_match *match);
// Brains, one by one in an order drawn at random.
void raven_step_brains(raven_match *match);
// The order of this tick: indexes of all bots.
void raven_draw_order(const raven_match *match, int32_t order[RAVEN_BOTS_MAX]);
ploy_step_context raven_context(raven_match *match, const raven_bot *bot);
// Rates of all bots by their distance from what is watched (RAV-34).
void raven_step_lod(raven_match *match);

// ---- doors: raven_doors.c ----

void raven_step_doors(raven_match *match);
// Opens a door; called when a bot is at one of its buttons.
void raven_press(raven_match *match, int32_t door, const raven_bot *bot);
// The button to press from a place: the nearer one on the same side.
ploy_vec2 raven_button(const raven_match *match, int32_t door, ploy_vec2 from);
// Whether a bot that walks there from a place can pass without pressing a button: the door is open,
// or will be by then, and long enough.
bool raven_door_open(const raven_match *match, int32_t door, ploy_vec2 from);

// ---- a person: raven_person.c ----

enum { RAVEN_COMMANDS = 16 };
extern const ploy_command raven_commands[RAVEN_COMMANDS];
ploy_result raven_apply_inputs(raven_match *match, const ploy_sim_context *context);

// ---- sight: raven_sight.c, raven_describe.c ----

void raven_draw(const void *state, ploy_draw *out);
void raven_describe(const void *state, ploy_describe *out);
// Seconds that the bots spent on each strategy, as the group "goal_seconds".
void raven_describe_goal_seconds(const raven_match *match, ploy_describe *out);
