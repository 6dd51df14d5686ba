// The brain of a bot: six strategies (a seventh with the word cover), one goal for each, and an
// arbiter that weighs them again twice a second. Aiming and shooting go on without it.
//
//     think                  the arbiter
//       get item (health)    k (1 - health) / distance
//       explore              a constant
//       attack               k strength health, with a target
//       get item (shotgun)   k health (1 - rounds) / distance; likewise railgun and rocket
//       take cover           hurt, under fire, with the word cover
//
// Technique: Buckland, "Programming Game AI by Example", chapter 9; evaluators in
// ploy/decide/desirability.h, goals in ploy/decide/goal_fight.h and goal_fetch.h.
#include "games/raven/raven_goals.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/decide/desirability.h"
#include "ploy/exec/behavior_visit.h"

static const char *const think_names[] = {"health",  "explore", "attack", "shotgun",
                                          "railgun", "rocket",  "cover"};

const char *raven_strategy_name(int32_t strategy) {
    return strategy >= 0 && strategy < RAVEN_STRATEGIES ? think_names[strategy] : "none";
}

// ---- evaluators

static const raven_thinker *think_self(const ploy_moment *moment) {
    return raven_thinker_of(raven_self(moment->context));
}

static float think_distance(const raven_thinker *own, int32_t kind) {
    float cost = INFINITY;
    (void)raven_goal_item(own->bot, kind, &cost);
    return ploy_feature_distance(cost, own->traits.near, own->traits.reach);
}

static float think_health_share(const raven_bot *bot) {
    return ploy_feature_share(bot->health, bot->match->def.max_health);
}

static float think_want_health(void *user, const ploy_moment *moment, const float *args) {
    const raven_thinker *own = think_self(moment);
    (void)user, (void)args;
    return ploy_desirability_health(own->traits.health, think_health_share(own->bot),
                                    think_distance(own, RAVEN_ITEM_HEALTH));
}

static float think_want_explore(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)args;
    return think_self(moment)->traits.explore;
}

static float think_want_attack(void *user, const ploy_moment *moment, const float *args) {
    const raven_thinker *own = think_self(moment);
    (void)user, (void)args;
    float shares[3];
    for (int32_t i = 0; i < 3; i++) {
        shares[i] = raven_weapon_strength(own->bot, (raven_weapon)(RAVEN_SHOTGUN + i));
    }
    return ploy_desirability_attack(own->traits.attack, think_health_share(own->bot),
                                    ploy_desirability_strength(shares, 3),
                                    raven_target(own->bot) != RAVEN_NOBODY);
}

static float think_want_weapon(const ploy_moment *moment, int32_t kind) {
    const raven_thinker *own = think_self(moment);
    raven_weapon weapon = (raven_weapon)raven_item_weapon(kind);
    return ploy_desirability_weapon(own->traits.weapon, think_health_share(own->bot),
                                    raven_weapon_strength(own->bot, weapon),
                                    think_distance(own, kind));
}

static float think_want_shotgun(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)args;
    return think_want_weapon(moment, RAVEN_ITEM_SHOTGUN);
}

static float think_want_railgun(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)args;
    return think_want_weapon(moment, RAVEN_ITEM_RAILGUN);
}

static float think_want_rocket(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)args;
    return think_want_weapon(moment, RAVEN_ITEM_ROCKET);
}

static float think_want_cover(void *user, const ploy_moment *moment, const float *args) {
    const raven_thinker *own = think_self(moment);
    (void)user, (void)args;
    float health = think_health_share(own->bot);
    bool wants = (raven_words(own->bot) & RAVEN_COVER) != 0 && health < 0.4f &&
                 raven_under_fire(own->bot, 1.0f);
    return wants ? 0.5f * (1.0f - health) : 0.0f;
}

// ---- take cover: to the nearest place that no known opponent sees

static ploy_result think_cover_activate(const ploy_goal_turn *turn) {
    const ploy_goal_mover *mover = turn->owner;
    ploy_goal_place_params place;
    ploy_goals_clear(turn->goals, turn->context, turn->goal);
    if (!raven_team_cover(mover->user, &place.to)) {
        return ploy_goals_set_status(turn->goals, turn->goal, PLOY_GOAL_FAILED);
    }
    return ploy_goals_add(turn->goals, turn->context, turn->goal, PLOY_GOAL_FRONT,
                          ploy_goal_move_to(), &place, sizeof place, NULL);
}

static const ploy_goal_type think_cover = {
    .name = "take cover", .composite = true, .activate = think_cover_activate};

// ---- the strategies of all bots

static ploy_result think_add(ploy_arbiter_type *type, int32_t strategy, ploy_score_fn fn,
                             const ploy_goal_type *goal, int32_t item) {
    ploy_score score =
        ploy_score_call(ploy_arbiter_type_conditions(type), think_names[strategy], fn, NULL);
    ploy_evaluator evaluator = ploy_evaluator_make(think_names[strategy], score, goal);
    if (item >= 0) {
        ploy_goal_item_params params = {ploy_name_of(raven_item_name(item)), 1.5f, 0};
        memcpy(evaluator.params, &params, sizeof params);
        evaluator.param_size = sizeof params;
    }
    return ploy_arbiter_type_add(type, &evaluator);
}

ploy_result raven_strategies_create(const ploy_env *env, ploy_arbiter_type **out) {
    ploy_arbiter_def def = ploy_arbiter_def_default();
    def.period = 0.0; // the bot's regulator decides when
    def.ties = PLOY_TIES_LAST;
    def.capacity = 48;
    const ploy_goal_type *fetch = ploy_goal_get_item();
    ploy_result result = ploy_arbiter_type_create(&def, NULL, env, out);
    if (result != PLOY_OK) return result;
    // A fault is kept by the type, and finish returns it.
    (void)think_add(*out, RAVEN_STRATEGY_HEALTH, think_want_health, fetch, RAVEN_ITEM_HEALTH);
    (void)think_add(*out, RAVEN_STRATEGY_EXPLORE, think_want_explore, ploy_goal_explore(), -1);
    (void)think_add(*out, RAVEN_STRATEGY_ATTACK, think_want_attack, ploy_goal_attack(), -1);
    (void)think_add(*out, RAVEN_STRATEGY_SHOTGUN, think_want_shotgun, fetch, RAVEN_ITEM_SHOTGUN);
    (void)think_add(*out, RAVEN_STRATEGY_RAILGUN, think_want_railgun, fetch, RAVEN_ITEM_RAILGUN);
    (void)think_add(*out, RAVEN_STRATEGY_ROCKET, think_want_rocket, fetch, RAVEN_ITEM_ROCKET);
    (void)think_add(*out, RAVEN_STRATEGY_COVER, think_want_cover, &think_cover, -1);
    return ploy_arbiter_type_finish(*out);
}

// ---- the brain

static ploy_result think_step(void *self, ploy_step_context *context, ploy_status *status) {
    raven_thinker *own = self;
    raven_bot *bot = own->bot;
    ploy_goals *goals = ploy_arbiter_goals(own->arbiter);
    ploy_goal first = ploy_goals_first(goals, ploy_goals_root(goals));
    ploy_goal_status state = ploy_goals_status(goals, first);
    bool idle = ploy_goals_type_of(goals, first) == NULL || state == PLOY_GOAL_COMPLETED ||
                state == PLOY_GOAL_FAILED;
    bool due = raven_arbitrates(bot);
    ploy_result result = PLOY_OK;
    *status = PLOY_STATUS_RUNNING;
    if (due || idle) {
        result = raven_mind_read(own); // an edited file counts from here on
        if (result == PLOY_OK) result = ploy_arbiter_step(own->arbiter, context);
        first = ploy_goals_first(goals, ploy_goals_root(goals));
        own->strategy = ploy_arbiter_current(own->arbiter);
        bool fetches = ploy_goals_type_of(goals, first) == ploy_goal_get_item();
        if (!fetches) raven_team_claim(bot, RAVEN_NOBODY);
        raven_weave(bot, own->traits.weaves && fetches && raven_under_fire(bot, 1.0f));
    }
    if (result == PLOY_OK) result = ploy_goals_step(goals, context, &state);
    if (own->strategy >= 0) {
        int32_t side = bot->match->def.sides > 1 ? bot->side : 0;
        bot->match->plans->seconds[side][own->strategy] += (double)bot->match->dt;
        raven_note_strategy(bot, raven_strategy_name(own->strategy));
    }
    return result;
}

static void think_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    raven_thinker *own = self;
    ploy_behavior_exit(ploy_arbiter_behavior(own->arbiter), context, reason);
    raven_team_claim(own->bot, RAVEN_NOBODY);
    raven_weave(own->bot, false);
    own->strategy = -1;
    own->item = RAVEN_NOBODY;
}

static ploy_result think_message(void *self, ploy_step_context *context,
                                 const ploy_message *message, bool *handled) {
    raven_thinker *own = self;
    return ploy_goals_message(ploy_arbiter_goals(own->arbiter), context, message, handled);
}

static void think_destroy(void *self) {
    raven_thinker *own = self;
    ploy_env env = own->env;
    ploy_arbiter_destroy(own->arbiter);
    ploy_env_free(&env, own, sizeof *own);
}

static void think_draw(const void *self, ploy_draw *out) {
    const raven_thinker *own = self;
    ploy_vec2 at = ploy_vec2_add(own->bot->body.position, ploy_vec2_make(0.8f, 1.2f));
    ploy_goals_draw(ploy_arbiter_goals(own->arbiter), raven_id(own->bot->index), at, 0.5f, out);
}

static void think_visit(ploy_visit *v, void *object) {
    raven_thinker *own = object;
    ploy_visit_object(v, "thinker", own, sizeof *own);
    PLOY_VISIT_SCRATCH(v, own->env);
    PLOY_VISIT_SCRATCH(v, own->bot);
    PLOY_VISIT_SCRATCH(v, own->arbiter);
    PLOY_VISIT_SCRATCH(v, own->traits); // read from the file
    PLOY_VISIT_SCRATCH(v, own->loaded);
    PLOY_VISIT_SCRATCH(v, own->reserved);
    ploy_visit_i64(v, "items", PLOY_STATE, &own->items);
    ploy_visit_i32(v, "item", PLOY_STATE, &own->item);
    ploy_visit_i32(v, "personality", PLOY_STATE, &own->personality);
    ploy_visit_i32(v, "strategy", PLOY_STATE, &own->strategy);
    ploy_visit_behavior(v, "arbiter", ploy_arbiter_behavior(own->arbiter), v->context);
}

static const ploy_behavior_type think_type = {.name = "goals",
                                              .step = think_step,
                                              .exit = think_exit,
                                              .message = think_message,
                                              .destroy = think_destroy,
                                              .draw = think_draw,
                                              .visit = think_visit};

raven_thinker *raven_thinker_of(const raven_bot *bot) {
    return bot->brain.behavior.type == &think_type ? bot->brain.behavior.self : NULL;
}

ploy_result raven_goals_brain(void *bot, const ploy_env *env, ploy_behavior *out) {
    raven_thinker *own = ploy_env_alloc_zero(env, sizeof *own);
    if (own == NULL) return PLOY_ERR_MEMORY;
    own->env = *env;
    own->bot = bot;
    own->item = RAVEN_NOBODY;
    own->strategy = -1;
    own->personality = -1;
    ploy_fields_default(raven_traits_fields(), &own->traits);
    raven_goal_body(own->bot);
    ploy_result result = ploy_arbiter_create(own->bot->match->plans->strategies, &own->bot->mover,
                                             env, &own->arbiter);
    if (result == PLOY_OK) result = ploy_goal_moves_register(ploy_arbiter_goals(own->arbiter));
    if (result == PLOY_OK) result = ploy_goal_fight_register(ploy_arbiter_goals(own->arbiter));
    if (result != PLOY_OK) {
        think_destroy(own);
        return result;
    }
    out->type = &think_type;
    out->self = own;
    return PLOY_OK;
}
