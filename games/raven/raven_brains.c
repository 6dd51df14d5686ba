// The brains, and the simplest of them: fight what is in sight, fetch what is missing, explore.
//
// It chooses at the rate of the bot's regulator and has one thing to do at a time, with the moves of
// ploy/decide/goal_moves.h: a comparison for brains that weigh their strategies.
#include <math.h>
#include <string.h>

#include "games/raven/raven.h"

#define BRAINS_MAKER(name) {#name, raven_##name##_brain},

const raven_brain *raven_brain_at(int32_t index) {
    static const raven_brain list[] = {RAVEN_BRAINS(BRAINS_MAKER)};
    int32_t count = (int32_t)(sizeof list / sizeof list[0]);
    return &list[index >= 0 && index < count ? index : 0];
}

// ---- strategies

void raven_note_strategy(raven_bot *bot, const char *name) {
    raven_match *match = bot->match;
    int32_t i = 0;
    while (i < match->strategy_count && strcmp(match->strategies[i].name, name) != 0) i++;
    if (i == match->strategy_count) {
        size_t length = strlen(name);
        if (i == RAVEN_STRATEGIES_MAX || length >= RAVEN_NAME_MAX) return;
        memcpy(match->strategies[i].name, name, length + 1);
        match->strategy_count++;
    }
    match->strategies[i].ticks++;
}

void raven_describe_goal_seconds(const raven_match *match, ploy_describe *out) {
    ploy_describe_begin(out, "goal_seconds");
    for (int32_t i = 0; i < match->strategy_count; i++) {
        ploy_describe_f64(out, match->strategies[i].name, PLOY_STATE,
                          (double)match->strategies[i].ticks * (double)match->dt);
    }
    ploy_describe_end(out);
}

// ---- the simple brain

typedef enum simple_job { SIMPLE_EXPLORE, SIMPLE_FETCH, SIMPLE_FIGHT } simple_job;

typedef struct simple_brain {
    raven_bot *bot;
    ploy_env env;
    ploy_goals *goals;
    int32_t job;
    int32_t item; // that it fetches
    float side;   // it strafes to
    uint32_t reserved;
    ploy_vec2 step;      // where its step leads
    uint64_t step_until; // tick; 0: none is under way
} simple_brain;

static ploy_result simple_go(simple_brain *brain, ploy_step_context *context, ploy_vec2 to) {
    ploy_goal root = ploy_goals_root(brain->goals);
    ploy_goal_place_params place = {to};
    ploy_goals_clear(brain->goals, context, root);
    return ploy_goals_add(brain->goals, context, root, PLOY_GOAL_FRONT, ploy_goal_move_to(), &place,
                          sizeof place, NULL);
}

// The item that it misses most: health when it is hurt, otherwise the nearest weapon without rounds.
static int32_t simple_missing(const raven_bot *bot) {
    static const raven_item_kind kinds[] = {RAVEN_ITEM_HEALTH, RAVEN_ITEM_SHOTGUN,
                                            RAVEN_ITEM_RAILGUN, RAVEN_ITEM_ROCKET};
    int32_t best = RAVEN_NOBODY;
    float least = INFINITY;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        float need, cost;
        if (kinds[i] == RAVEN_ITEM_HEALTH) {
            need = 1.0f - bot->health / bot->match->def.max_health;
        } else {
            need = 1.0f -
                   raven_weapon_strength(bot, (raven_weapon)raven_item_weapon((int32_t)kinds[i]));
            need *= 0.8f;
        }
        int32_t item = raven_nearest_item(bot, kinds[i], false, &cost);
        if (item == RAVEN_NOBODY || need < 0.3f || !(cost / need < least)) continue;
        least = cost / need;
        best = item;
    }
    return best;
}

static ploy_result simple_choose(simple_brain *brain, ploy_step_context *context) {
    raven_bot *bot = brain->bot;
    bool idle = ploy_goals_count(brain->goals) == 0;
    if (raven_target_shootable(bot) && raven_target_visible(bot) && bot->health > 25.0f) {
        if (brain->job != SIMPLE_FIGHT) {
            ploy_goals_clear(brain->goals, context, ploy_goals_root(brain->goals));
        }
        if (brain->job != SIMPLE_FIGHT) brain->step_until = 0;
        brain->job = SIMPLE_FIGHT;
        return PLOY_OK;
    }
    int32_t item = simple_missing(bot);
    if (item != RAVEN_NOBODY) {
        if (brain->job == SIMPLE_FETCH && brain->item == item && !idle) return PLOY_OK;
        brain->job = SIMPLE_FETCH;
        brain->item = item;
        return simple_go(brain, context, bot->match->map->items[item].position);
    }
    if (brain->job == SIMPLE_EXPLORE && !idle) return PLOY_OK;
    ploy_vec2 place;
    brain->job = SIMPLE_EXPLORE;
    return raven_random_place(bot, &place) ? simple_go(brain, context, place) : PLOY_OK;
}

// Strafes from side to side and, where there is no room for that, forward and back to the range
// that suits its weapon. A step is finished before the next one begins, so that it leads somewhere.
static void simple_fight(simple_brain *brain) {
    raven_bot *bot = brain->bot;
    const raven_def *def = &bot->match->def;
    ploy_vec2 enemy, at = bot->body.position, to;
    if (!raven_target_place(bot, &enemy)) {
        raven_steer(bot, PLOY_GOAL_STEER_NONE, at, 0.0f);
        return;
    }
    bool there = ploy_vec2_distance(at, brain->step) < def->waypoint_distance;
    bool late = bot->match->tick >= brain->step_until;
    if (!there && !late && brain->step_until != 0) return;
    brain->side = -brain->side;
    brain->step_until = bot->match->tick + raven_ticks(bot->match, 1.0f);
    if (!raven_can_step(bot, enemy, brain->side, &to) &&
        !raven_can_step(bot, enemy, -brain->side, &to)) {
        float range = bot->match->weapons.items[bot->weapon].ideal_range;
        ploy_vec2 toward = ploy_vec2_sub(enemy, at);
        float ahead = ploy_vec2_length(toward) > range ? 1.2f : -1.2f;
        to = ploy_vec2_add(at, ploy_vec2_with_length(toward, 1.0f));
        to = ploy_vec2_add_scaled(at, ploy_vec2_sub(to, at), ahead);
        if (!raven_walks(bot->match, at, to, 0.95f * def->radius)) {
            raven_steer(bot, PLOY_GOAL_STEER_NONE, at, 0.0f);
            return;
        }
    }
    brain->step = to;
    raven_steer(bot, PLOY_GOAL_STEER_SEEK, to, 0.0f);
}

static ploy_result simple_enter(void *self, ploy_step_context *context) {
    simple_brain *brain = self;
    ploy_goals_clear(brain->goals, context, ploy_goals_root(brain->goals));
    brain->job = SIMPLE_EXPLORE;
    brain->item = RAVEN_NOBODY;
    brain->side = 1.0f;
    brain->step_until = 0;
    return PLOY_OK;
}

static ploy_result simple_step(void *self, ploy_step_context *context, ploy_status *status) {
    simple_brain *brain = self;
    *status = PLOY_STATUS_RUNNING;
    bool idle = brain->job != SIMPLE_FIGHT && ploy_goals_count(brain->goals) == 0;
    bool lost = brain->job == SIMPLE_FIGHT && !raven_target_shootable(brain->bot);
    bool gone = brain->job == SIMPLE_FETCH && !raven_item_active(brain->bot->match, brain->item);
    if (raven_arbitrates(brain->bot) || idle || lost || gone) {
        ploy_result result = simple_choose(brain, context);
        if (result != PLOY_OK) return result;
    }
    static const char *const names[] = {"explore", "fetch", "fight"};
    raven_note_strategy(brain->bot, names[brain->job]);
    raven_weave(brain->bot, brain->job == SIMPLE_FETCH && raven_under_fire(brain->bot, 1.0f));
    if (brain->job == SIMPLE_FIGHT) {
        simple_fight(brain);
        return PLOY_OK;
    }
    ploy_goal_status done = PLOY_GOAL_ACTIVE;
    return ploy_goals_step(brain->goals, context, &done);
}

static void simple_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    simple_brain *brain = self;
    (void)reason;
    ploy_goals_clear(brain->goals, context, ploy_goals_root(brain->goals));
}

static void simple_destroy(void *self) {
    simple_brain *brain = self;
    ploy_env env = brain->env;
    ploy_goals_destroy(brain->goals);
    ploy_env_free(&env, brain, sizeof *brain);
}

static void simple_visit(ploy_visit *v, void *self) {
    simple_brain *brain = self;
    ploy_visit_i32(v, "job", PLOY_STATE, &brain->job);
    ploy_visit_i32(v, "item", PLOY_STATE, &brain->item);
    ploy_visit_f32(v, "side", PLOY_STATE, &brain->side);
    ploy_visit_vec2(v, "step", PLOY_STATE, &brain->step.x, &brain->step.y);
    ploy_visit_u64(v, "step until", PLOY_STATE, &brain->step_until);
    if (v->describe != NULL && v->mode == PLOY_VISIT_DESCRIBE) {
        ploy_visit_begin(v, "goals", PLOY_STATE);
        ploy_goals_describe(brain->goals, v->describe);
        ploy_visit_end(v);
    }
}

static const ploy_behavior_type simple_type = {.name = "simple",
                                               .enter = simple_enter,
                                               .step = simple_step,
                                               .exit = simple_exit,
                                               .destroy = simple_destroy,
                                               .visit = simple_visit};

ploy_result raven_simple_brain(void *bot, const ploy_env *env, ploy_behavior *out) {
    simple_brain *brain = ploy_env_alloc_zero(env, sizeof *brain);
    if (brain == NULL) return PLOY_ERR_MEMORY;
    brain->bot = bot;
    brain->env = *env;
    ploy_goals_def def = ploy_goals_def_default();
    def.capacity = 24;
    ploy_result result = ploy_goals_create(&def, &brain->bot->mover, env, &brain->goals);
    if (result != PLOY_OK) {
        ploy_env_free(env, brain, sizeof *brain);
        return result;
    }
    out->type = &simple_type;
    out->self = brain;
    return PLOY_OK;
}
