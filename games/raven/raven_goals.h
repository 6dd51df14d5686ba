// Raven: how a bot thinks and what bots of a side do together. Shared by raven_goal_think.c (the
// brain), raven_goal_body.c (what its goals ask the body), raven_goal_files.c (personalities and
// skills) and raven_team.c (tiers, radio, words of tactics).
#pragma once

#include "games/raven/raven.h"
#include "ploy/decide/arbiter.h"
#include "ploy/decide/fuzzy.h"
#include "ploy/decide/goal_fetch.h"
#include "ploy/decide/goal_fight.h"
#include "ploy/tactics/tiers.h"

typedef enum raven_strategy_kind {
    RAVEN_STRATEGY_HEALTH,
    RAVEN_STRATEGY_EXPLORE,
    RAVEN_STRATEGY_ATTACK,
    RAVEN_STRATEGY_SHOTGUN,
    RAVEN_STRATEGY_RAILGUN,
    RAVEN_STRATEGY_ROCKET,
    RAVEN_STRATEGY_COVER, // only with the word
    RAVEN_STRATEGIES
} raven_strategy_kind;

const char *raven_strategy_name(int32_t strategy);

// The constants of a personality; its biases are the arbiter's.
typedef struct raven_traits {
    uint32_t cookie;
    float health; // k of the evaluators
    float weapon;
    float attack;
    float explore;
    float near;  // m, an item nearer than this pulls no more than at this distance
    float reach; // m, beyond which an item does not pull
    float slack; // s that the bot will wait for an item, with the word timing
    bool weaves; // from side to side while it fetches under fire
} raven_traits;

ploy_fields raven_traits_fields(void);

// One bot's brain.
typedef struct raven_thinker {
    ploy_env env;
    raven_bot *bot;
    ploy_arbiter *arbiter;
    raven_traits traits;
    int64_t items; // of the bot when it last chose an item
    int32_t item;  // that it goes to, RAVEN_NOBODY: none
    int32_t personality;
    uint64_t loaded;  // which text of the personality it has read, 0: none
    int32_t strategy; // pursued
    uint32_t reserved;
} raven_thinker;

// The strategies of all bots.
ploy_result raven_strategies_create(const ploy_env *env, ploy_arbiter_type **out);
// The brain of a bot, NULL if it has another kind.
raven_thinker *raven_thinker_of(const raven_bot *bot);
// Sets what goals ask of the body: target, side steps, items.
void raven_goal_body(raven_bot *bot);
// The item of a kind that a bot would fetch, RAVEN_NOBODY for none; cost in metres may be NULL.
int32_t raven_goal_item(const raven_bot *bot, int32_t kind, float *cost);

// ---- personalities and skills: raven_goal_files.c ----

enum { RAVEN_MIND_FILES = RAVEN_PERSONALITY_FILES + RAVEN_SKILL_FILES };

ploy_result raven_mind_write(const raven_match *match, int32_t file, ploy_writer *out);
ploy_result raven_mind_check(const raven_match *match, int32_t file, const void *bytes, size_t size,
                             const ploy_env *env, ploy_diags *diags);
ploy_result raven_mind_reload(raven_match *match, int32_t file, const void *bytes, size_t size,
                              const ploy_env *env);
// Reads the built-in skills.
ploy_result raven_mind_create(raven_match *match, const ploy_env *env);
// Reads the personality of the bot's side into its brain.
ploy_result raven_mind_read(raven_thinker *thinker);
// Gives every bot the skill of its side, if that has changed.
ploy_result raven_mind_skills(raven_match *match);

// ---- fuzzy rules: raven_choice.c ----

// A weapon's rules have the weapon's number; then those of the aim.
enum { RAVEN_RULES_AIM = RAVEN_WEAPONS, RAVEN_RULES };

// A file of rules and an instance for each bot, because all bots choose and aim at the same time.
typedef struct raven_rules {
    ploy_definition_text text; // reloaded
    ploy_fuzzy_type *type;
    ploy_fuzzy *of[RAVEN_BOTS_MAX];
} raven_rules;

ploy_result raven_rules_create(raven_match *match, const ploy_env *env);
ploy_result raven_rules_write(const raven_match *match, int32_t file, ploy_writer *out);
ploy_result raven_rules_check(int32_t file, const void *bytes, size_t size, const ploy_env *env,
                              ploy_diags *diags);
ploy_result raven_rules_reload(raven_match *match, int32_t file, const void *bytes, size_t size,
                               const ploy_env *env);

// ---- definitions that can be reloaded: raven_goal_files.c ----

enum {
    RAVEN_DEFINITION_MAP,
    RAVEN_DEFINITION_WEAPONS,
    RAVEN_DEFINITION_MINDS, // personalities, then skills
    RAVEN_DEFINITION_RULES = RAVEN_DEFINITION_MINDS + RAVEN_MIND_FILES,
    RAVEN_DEFINITIONS = RAVEN_DEFINITION_RULES + RAVEN_RULES
};

extern const ploy_definition raven_definitions[RAVEN_DEFINITIONS];

// ---- what a side does together: raven_team.c ----

typedef struct raven_contact {
    ploy_vec2 place; // m
    double time;     // s, of the last report; -INFINITY: never
} raven_contact;

typedef struct raven_team {
    ploy_tiers *tiers;
    int32_t top; // tier
    int32_t squads[RAVEN_BOTS_MAX / 4];
    int32_t squad_count;
    int32_t focus; // opponent, RAVEN_NOBODY: none
    double next;   // s, when it thinks again
    raven_contact contacts[RAVEN_BOTS_MAX];
    float hurt[RAVEN_BOTS_MAX]; // damage that its members did to each opponent in this life
} raven_team;

typedef struct raven_member {
    int32_t tier;                      // in its team's, RAVEN_NOBODY: none yet
    int32_t claim;                     // item that it fetches, RAVEN_NOBODY: none
    double claimed;                    // s
    double seen[RAVEN_BOTS_MAX];       // s, of the last report about each opponent
    float desirability[RAVEN_WEAPONS]; // of its weapons when it last chose one
    ploy_vec2 flank_of, flank_to;      // m: a target's place, and where its hunter goes instead
} raven_member;

typedef struct raven_plans {
    ploy_arbiter_type *strategies;
    ploy_definition_text texts[RAVEN_MIND_FILES];
    raven_skill skills[RAVEN_SKILL_FILES];
    raven_rules rules[RAVEN_RULES];
    ploy_telegrams *radio;
    raven_team teams[RAVEN_SIDES_MAX];
    raven_member members[RAVEN_BOTS_MAX];
    double seconds[RAVEN_SIDES_MAX][RAVEN_STRATEGIES]; // s spent by strategy
    int64_t orders, reports;                           // that were sent
} raven_plans;

ploy_result raven_plans_create(raven_match *match, const ploy_env *env);
// Radio, orders and skills: once a tick, before the brains.
ploy_result raven_plans_step(raven_match *match);
void raven_plans_describe(const raven_match *match, ploy_describe *out);

// Notes that a bot hit an opponent, and that an opponent is dead.
void raven_team_hit(const raven_bot *bot, int32_t opponent, float damage);
void raven_team_killed(raven_match *match, int32_t dead);

const raven_side_def *raven_side_of(const raven_match *match, int32_t side);
uint32_t raven_words(const raven_bot *bot);
// Whether two bots fight together.
bool raven_comrades(const raven_match *match, const raven_bot *a, const raven_bot *b);
// Added to the score of an opponent when a target is chosen.
float raven_team_bonus(const raven_bot *bot, int32_t opponent);
// Whether an item is left to a comrade.
bool raven_team_leaves(const raven_bot *bot, int32_t item, float cost);
void raven_team_claim(raven_bot *bot, int32_t item);
// Where a hunter goes to find its target.
ploy_vec2 raven_team_approach(const raven_bot *bot, ploy_vec2 place);
// Where an explorer goes; false: anywhere.
bool raven_team_place(raven_bot *bot, ploy_vec2 *out);
// A place out of sight of all opponents that the bot knows of; false: none is near.
bool raven_team_cover(raven_bot *bot, ploy_vec2 *out);
