// The minds of a match: senses on a parallel engine, then brains one by one.
//
// Senses (looks, targets, weapons, aiming) are most of the work. They read the match as it was when
// the tick began and change only their own bot, so that the number of workers changes nothing.
// Brains request paths and follow them, which changes shared state, so they run one by one, in an
// order drawn in each tick: a fixed order would serve the first bots' requests first. All bots have
// sensed and thought before any of them shoots or moves.
#include <math.h>
#include <string.h>

#include "games/raven/raven.h"
#include "ploy/base/math.h"

// ---- contexts

ploy_step_context raven_context(raven_match *match, const raven_bot *bot) {
    ploy_step_context context = ploy_step_context_make(raven_id(bot->index), NULL, match->dt);
    context.tick = match->tick;
    context.now = match->now;
    context.world = match;
    context.game = match;
    if (match->context != NULL) {
        context.trace = match->context->trace;
        context.scratch = match->context->scratch;
        context.key = match->context->key;
    }
    return context;
}

raven_bot *raven_self(const ploy_step_context *context) {
    return raven_bot_of(context->game, context->agent);
}

// ---- senses

static ploy_result mind_step(void *user, ploy_step_context *context, ploy_status *status) {
    const raven_mind *mind = user;
    raven_sense_think(&mind->match->bots[mind->index], context);
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

// Messages reach the bot's parts by the functions that send them; brains get them here.
static ploy_result mind_message(void *user, ploy_step_context *context, const ploy_message *message,
                                bool *handled) {
    const raven_mind *mind = user;
    raven_match *match = mind->match;
    raven_bot *bot = &match->bots[mind->index];
    (void)context;
    *handled = false;
    if (!bot->present || match->context == NULL) return PLOY_OK;
    ploy_step_context own = raven_context(match, bot);
    if (bot->possessed) return ploy_goals_message(bot->orders, &own, message, handled);
    *handled = ploy_nested_message(&bot->brain, &match->env, "brain", &own, message);
    return PLOY_OK;
}

static const ploy_behavior_type mind_type = {
    .name = "senses", .step = mind_step, .message = mind_message};

ploy_result raven_minds_create(raven_match *match, ploy_rng_key key) {
    ploy_engine_def def = ploy_engine_def_default();
    def.parallel = true;
    def.capacity = RAVEN_BOTS_MAX;
    def.outbox_messages = 1;
    def.outbox_actions = 0;
    def.scratch_kib = 1;
    def.grain = 2;
    def.history = 8;
    def.seed = key.bits;
    ploy_result result = ploy_engine_create(&def, &match->env, &match->engine);
    if (result == PLOY_OK) ploy_telegrams_connect(match->telegrams, match->engine);
    return result;
}

ploy_result raven_mind_add(raven_match *match, int32_t index) {
    raven_mind *mind = &match->minds[index];
    mind->match = match;
    mind->index = index;
    ploy_engine_entry entry = ploy_engine_entry_default();
    entry.behavior.type = &mind_type;
    entry.behavior.self = mind;
    entry.agent = raven_id(index);
    return ploy_engine_register(match->engine, &entry, &match->mind_ids[index]);
}

ploy_result raven_step_senses(raven_match *match) {
    const ploy_sim_context *context = match->context;
    ploy_engine_frame frame = {context->jobs, context->scratch, context->trace, match, match};
    ploy_result result = ploy_engine_step(match->engine, context->dt, NULL, &frame);
    return result == PLOY_OK ? ploy_engine_failure(match->engine, NULL) : result;
}

// ---- brains

void raven_draw_order(const raven_match *match, int32_t order[RAVEN_BOTS_MAX]) {
    for (int32_t i = 0; i < match->bot_count; i++) order[i] = i;
    for (int32_t i = match->bot_count - 1; i > 0; i--) {
        int32_t k = (int32_t)(ploy_rng_u32_at(match->context->key, 0, match->tick, (uint32_t)i) %
                              (uint32_t)(i + 1));
        int32_t swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
}

static void brain_step(raven_match *match, raven_bot *bot) {
    ploy_step_context context = raven_context(match, bot);
    if (bot->possessed) {
        ploy_goal_status status = PLOY_GOAL_ACTIVE;
        (void)ploy_goals_step(bot->orders, &context, &status);
        return;
    }
    if (!bot->brain.entered) {
        (void)ploy_nested_enter(&bot->brain, &match->env, "brain", &context);
    }
    (void)ploy_nested_step(&bot->brain, &match->env, "brain", &context);
}

void raven_step_brains(raven_match *match) {
    int32_t order[RAVEN_BOTS_MAX];
    raven_draw_order(match, order);
    for (int32_t i = 0; i < match->bot_count; i++) {
        raven_bot *bot = &match->bots[order[i]];
        if (raven_alive(bot)) brain_step(match, bot);
    }
}

// ---- level of detail

static void mind_pace(ploy_regulator *regulator, float rate, float lod) {
    if (rate > 0.0f) regulator->period = 1.0 / (double)(rate * lod);
}

// Where something is watched: the camera, and every bot that is selected or that a person plays.
static float mind_watched(const raven_match *match, ploy_vec2 at) {
    float nearest = match->watching ? ploy_vec2_distance(at, match->watch) : INFINITY;
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_bot *bot = &match->bots[i];
        if (!raven_alive(bot) || (!bot->possessed && match->selected != i)) continue;
        nearest = ploy_minf(nearest, ploy_vec2_distance(at, bot->body.position));
    }
    return nearest;
}

void raven_step_lod(raven_match *match) {
    const raven_def *def = &match->def;
    for (int32_t i = 0; i < match->bot_count; i++) {
        raven_bot *bot = &match->bots[i];
        if (!bot->present) continue;
        float lod = 1.0f;
        if (def->lod) {
            float distance = mind_watched(match, bot->body.position);
            float span = ploy_maxf(def->lod_far - def->lod_near, 1e-3f);
            float far = ploy_clampf((distance - def->lod_near) / span, 0.0f, 1.0f);
            lod = 1.0f + (def->lod_least - 1.0f) * far;
        }
        if (lod == bot->lod) continue;
        bot->lod = lod;
        mind_pace(&bot->vision, bot->skill.vision_rate, lod);
        mind_pace(&bot->targeting, bot->skill.target_rate, lod);
        mind_pace(&bot->choosing, bot->skill.weapon_rate, lod);
        mind_pace(&bot->arbitration, bot->skill.arbitration_rate, lod);
    }
}
