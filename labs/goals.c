// The lab of goals: three collectors with different personalities choose between resting, going
// for the nearest gem and exploring; each one's tree of goals is beside the yard. A click gives
// the first of them an order, which interrupts what it does and gives it back afterwards.
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/decide/arbiter.h"
#include "ploy/decide/goal_moves.h"
#include "ploy/decide/utility.h"
#include "ploy/exec/engine.h"

enum { GOALS_BOTS = 3, GOALS_GEMS = 5 };

static const ploy_vec2 goals_camp = {0.0f, 0.0f};

typedef struct goals_lab_def {
    uint32_t cookie;
    float speed;
    float tire;
    float curve;
    float commitment;
    float aggression;
} goals_lab_def;

static const ploy_field goals_lab_fields[] = {
    PLOY_FIELD_F32(goals_lab_def, speed, 3, 0.1f, 50, "m/s", "how fast they walk"),
    PLOY_FIELD_F32(goals_lab_def, tire, 0.04, 0, 1, "1/s", "how fast they tire"),
    PLOY_FIELD_F32(goals_lab_def, curve, 1, 0.1, 4, "", "power of the distance to a gem"),
    PLOY_FIELD_F32(goals_lab_def, commitment, 0.05, 0, 1, "", "bonus of what is pursued"),
    PLOY_FIELD_F32(goals_lab_def, aggression, 1.5, 0, 5, "", "the first one's bias towards gems"),
};

static ploy_fields goals_lab_get_fields(void) {
    return PLOY_FIELDS(goals_lab_def, goals_lab_fields);
}

struct goals_lab;

typedef struct goals_bot {
    struct goals_lab *lab;
    ploy_goals *goals;
    ploy_arbiter *arbiter;
    ploy_goal_mover mover;
    ploy_vec2 at, target;
    float facing, energy, limit;
    int32_t index, how, gems;
    bool obeyed; // an order, in this tick
    bool reserved[3];
} goals_bot;

typedef struct goals_lab {
    ploy_arbiter_type *strategies;
    goals_lab_def def;
    ploy_direct_paths *paths;
    ploy_path_service service;
    ploy_rng_key key;
    uint64_t tick;
    ploy_vec2 gems[GOALS_GEMS];
    goals_bot bots[GOALS_BOTS];
    ploy_engine *engine; // serial: each chooses and walks before the next
    float dt;
    int32_t reserved;
    int64_t collected;
    int64_t obeyed; // orders carried out
} goals_lab;

// ---- the mover

static ploy_vec2 goals_position(void *user) {
    return ((goals_bot *)user)->at;
}

static void goals_steer(void *user, ploy_goal_steer how, ploy_vec2 target, float speed) {
    goals_bot *bot = user;
    bot->how = (int32_t)how;
    bot->target = target;
    bot->limit = speed;
}

static ploy_vec2 goals_place(const goals_lab *lab, uint32_t who, uint32_t draw) {
    return ploy_vec2_make(ploy_rng_range_at(lab->key, who, lab->tick, draw, -8.0f, 8.0f),
                          ploy_rng_range_at(lab->key, who, lab->tick, draw + 1, -6.5f, 6.5f));
}

static bool goals_explore(void *user, ploy_step_context *context, ploy_vec2 *out) {
    const goals_bot *bot = user;
    (void)context;
    *out = goals_place(bot->lab, 20 + (uint32_t)bot->index, 0);
    return true;
}

// ---- strategies

static int32_t goals_nearest(const goals_bot *bot) {
    int32_t best = 0;
    for (int32_t i = 1; i < GOALS_GEMS; i++) {
        if (ploy_vec2_distance(bot->at, bot->lab->gems[i]) <
            ploy_vec2_distance(bot->at, bot->lab->gems[best])) {
            best = i;
        }
    }
    return best;
}

// The bot whose scores are requested.
static const goals_bot *goals_who(const ploy_moment *moment) {
    const goals_lab *lab = moment->context->world;
    return &lab->bots[moment->context->agent.id.index];
}

static float goals_want_rest(void *user, const ploy_moment *moment, const float *args) {
    const goals_bot *bot = goals_who(moment);
    (void)user, (void)args;
    return 1.0f - bot->energy;
}

static float goals_want_gem(void *user, const ploy_moment *moment, const float *args) {
    const goals_bot *bot = goals_who(moment);
    (void)user, (void)args;
    float way = ploy_vec2_distance(bot->at, bot->lab->gems[goals_nearest(bot)]);
    ploy_curve pull = ploy_curve_inverse(0.06f, bot->lab->def.curve);
    return bot->energy * ploy_curve_at(&pull, ploy_feature_distance(way, 0.5f, 20.0f));
}

static float goals_want_explore(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)moment, (void)args;
    return 0.12f;
}

static ploy_result goals_gem_activate(const ploy_goal_turn *turn) {
    const goals_bot *bot = ((const ploy_goal_mover *)turn->owner)->user;
    ploy_goal_place_params params = {bot->lab->gems[goals_nearest(bot)]};
    ploy_goals_clear(turn->goals, turn->context, turn->goal);
    return ploy_goals_add(turn->goals, turn->context, turn->goal, PLOY_GOAL_FRONT,
                          ploy_goal_move_to(), &params, sizeof params, NULL);
}

static ploy_result goals_rest_activate(const ploy_goal_turn *turn) {
    ploy_goal_place_params params = {goals_camp};
    ploy_goal_pause_params pause = {4.0f};
    ploy_goals_clear(turn->goals, turn->context, turn->goal);
    ploy_result result = ploy_goals_add(turn->goals, turn->context, turn->goal, PLOY_GOAL_REAR,
                                        ploy_goal_move_to(), &params, sizeof params, NULL);
    if (result != PLOY_OK) return result;
    return ploy_goals_add(turn->goals, turn->context, turn->goal, PLOY_GOAL_REAR, ploy_goal_pause(),
                          &pause, sizeof pause, NULL);
}

static const ploy_goal_type goals_get_gem = {
    .name = "get gem", .composite = true, .activate = goals_gem_activate, .replans = 2};
static const ploy_goal_type goals_rest = {
    .name = "rest", .composite = true, .activate = goals_rest_activate, .replans = 2};

// Chooses a strategy and pursues it. An order is carried out before anything is chosen again.
static ploy_result goals_bot_step(void *self, ploy_step_context *context, ploy_status *status) {
    goals_bot *bot = self;
    ploy_result result = PLOY_OK;
    ploy_goal_status state = PLOY_GOAL_ACTIVE;
    ploy_goal first = ploy_goals_first(bot->goals, ploy_goals_root(bot->goals));
    bool ordered = ploy_goals_type_of(bot->goals, first) == ploy_goal_move_to();
    *status = PLOY_STATUS_RUNNING;
    if (!ordered) result = ploy_arbiter_step(bot->arbiter, context);
    if (result == PLOY_OK) result = ploy_goals_step(bot->goals, context, &state);
    bot->obeyed = ordered && ploy_goals_status(bot->goals, first) == PLOY_GOAL_COMPLETED;
    return result;
}

static ploy_result goals_bot_commit(void *self, ploy_step_context *context);

static const ploy_behavior_type goals_bot_type = {
    .name = "collector", .step = goals_bot_step, .commit = goals_bot_commit};

static ploy_result goals_make_bot(goals_lab *lab, goals_bot *bot, const ploy_env *env) {
    static const float biases[GOALS_BOTS][3] = {
        {1.0f, 1.5f, 1.0f}, {1.4f, 0.8f, 1.0f}, {0.8f, 0.7f, 2.0f}};
    static const char *const names[3] = {"rest", "gem", "explore"};
    bot->lab = lab;
    bot->energy = 1.0f;
    bot->mover = ploy_goal_mover_make(&lab->service, env);
    bot->mover.position = goals_position;
    bot->mover.steer = goals_steer;
    bot->mover.explore = goals_explore;
    bot->mover.agent = ploy_agent_id_make((uint32_t)bot->index, 1);
    bot->mover.speed = lab->def.speed;
    bot->mover.user = bot;
    ploy_result result = ploy_arbiter_create(lab->strategies, &bot->mover, env, &bot->arbiter);
    if (result == PLOY_OK) bot->goals = ploy_arbiter_goals(bot->arbiter);
    for (int32_t i = 0; i < 3 && result == PLOY_OK; i++) {
        result = ploy_arbiter_set_bias(bot->arbiter, names[i], biases[bot->index][i]);
    }
    if (result != PLOY_OK) return result;
    ploy_engine_entry entry = ploy_engine_entry_default();
    entry.behavior.type = &goals_bot_type;
    entry.behavior.self = bot;
    entry.agent = bot->mover.agent;
    ploy_engine_id id;
    return ploy_engine_register(lab->engine, &entry, &id);
}

// What all bots have in common.
static ploy_result goals_make_strategies(goals_lab *lab, const ploy_env *env) {
    static const ploy_score_fn wants[3] = {goals_want_rest, goals_want_gem, goals_want_explore};
    static const char *const names[3] = {"rest", "gem", "explore"};
    ploy_arbiter_def def = ploy_arbiter_def_default();
    def.commitment = lab->def.commitment;
    def.capacity = 24;
    ploy_result result = ploy_arbiter_type_create(&def, NULL, env, &lab->strategies);
    if (result != PLOY_OK) return result;
    const ploy_goal_type *types[3] = {&goals_rest, &goals_get_gem, ploy_goal_explore()};
    for (int32_t i = 0; i < 3 && result == PLOY_OK; i++) {
        ploy_score score = ploy_score_call(ploy_arbiter_type_conditions(lab->strategies), names[i],
                                           wants[i], NULL);
        ploy_evaluator evaluator = ploy_evaluator_make(names[i], score, types[i]);
        result = ploy_arbiter_type_add(lab->strategies, &evaluator);
    }
    return result == PLOY_OK ? ploy_arbiter_type_finish(lab->strategies) : result;
}

static ploy_result goals_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    goals_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->key = key;
    ploy_direct_paths_def def = ploy_direct_paths_def_default();
    ploy_result result = ploy_direct_paths_create(&def, NULL, env, &lab->paths);
    ploy_engine_def minds = ploy_engine_def_default();
    minds.capacity = GOALS_BOTS;
    minds.seed = key.bits;
    if (result == PLOY_OK) result = ploy_engine_create(&minds, env, &lab->engine);
    if (result != PLOY_OK) return result;
    lab->service = ploy_direct_paths_service(lab->paths);
    for (int32_t i = 0; i < GOALS_GEMS; i++) lab->gems[i] = goals_place(lab, 1 + (uint32_t)i, 0);
    result = goals_make_strategies(lab, env);
    for (int32_t i = 0; i < GOALS_BOTS && result == PLOY_OK; i++) {
        lab->bots[i].index = i;
        lab->bots[i].at = ploy_vec2_make(-6.0f + 6.0f * (float)i, -5.0f);
        lab->bots[i].target = lab->bots[i].at;
        result = goals_make_bot(lab, &lab->bots[i], env);
    }
    if (result == PLOY_OK) *out = lab;
    return result;
}

// ---- the step

static void goals_walk(goals_lab *lab, goals_bot *bot) {
    ploy_vec2 way = ploy_vec2_sub(bot->target, bot->at);
    float length = ploy_vec2_length(way);
    bool walks =
        bot->how == (int32_t)PLOY_GOAL_STEER_SEEK || bot->how == (int32_t)PLOY_GOAL_STEER_ARRIVE;
    if (walks && length > 1e-3f) {
        float step = ploy_minf(lab->def.speed * lab->dt, length);
        bot->at = ploy_vec2_add_scaled(bot->at, ploy_vec2_normalise(way), step);
        bot->facing = ploy_atan2f(way.y, way.x);
    }
    bool rests = !walks && ploy_vec2_distance(bot->at, goals_camp) < 1.0f;
    float change = rests ? 0.25f : walks ? -lab->def.tire : 0.0f;
    bot->energy = ploy_clampf(bot->energy + change * lab->dt, 0.0f, 1.0f);
    for (int32_t i = 0; i < GOALS_GEMS; i++) {
        if (ploy_vec2_distance(bot->at, lab->gems[i]) > 0.6f) continue;
        lab->gems[i] = goals_place(lab, 1 + (uint32_t)i, 2);
        bot->gems++;
        lab->collected++;
    }
}

static ploy_result goals_bot_commit(void *self, ploy_step_context *context) {
    goals_bot *bot = self;
    goals_lab *lab = context->game;
    if (bot->obeyed) lab->obeyed++;
    goals_walk(lab, bot);
    return PLOY_OK;
}

static ploy_result goals_lab_step(void *state, const ploy_sim_context *context) {
    goals_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->key = context->key;
    lab->tick = context->tick;
    lab->dt = context->dt;
    ploy_step_context step = lab_step_context(context, lab->bots[0].mover.agent);
    ploy_result result = ploy_arbiter_set_bias(lab->bots[0].arbiter, "gem", lab->def.aggression);
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &context->inputs[i];
        if (!lab_input_is(input, "click")) continue;
        ploy_goal_place_params order = {lab_input_point_within(input, 9.0f, 7.0f)};
        ploy_goals *goals = lab->bots[0].goals;
        ploy_goal before = ploy_goals_first(goals, ploy_goals_root(goals));
        // A new order takes the place of one that is not carried out yet.
        if (ploy_goals_type_of(goals, before) == ploy_goal_move_to()) {
            (void)ploy_goals_remove(goals, &step, before);
        }
        result = ploy_goals_add(goals, &step, ploy_goals_root(goals), PLOY_GOAL_FRONT,
                                ploy_goal_move_to(), &order, sizeof order, NULL);
    }
    if (result == PLOY_OK) result = ploy_path_service_step(&lab->service, NULL);
    for (int32_t i = 0; i < GOALS_BOTS; i++) lab->bots[i].mover.speed = lab->def.speed;
    ploy_engine_frame frame = {context->jobs, context->scratch, context->trace, lab, lab};
    if (result == PLOY_OK) result = ploy_engine_step(lab->engine, context->dt, NULL, &frame);
    return result == PLOY_OK ? ploy_engine_failure(lab->engine, NULL) : result;
}

// ---- sight

static void goals_lab_draw(const void *state, ploy_draw *out) {
    static const ploy_style styles[GOALS_BOTS] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B,
                                                  PLOY_STYLE_AGENT_C};
    static const char *const names[GOALS_BOTS] = {"greedy", "lazy", "curious"};
    const goals_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "greedy bot, and active goals");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "lazy bot");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "curious bot");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "gems, energy, completed goals");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "camp, and suspended goals");
    ploy_draw_key(out, PLOY_STYLE_BAD, "low energy, and failed goals");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "goals not begun");
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_WARNING, nobody, goals_camp, 1.0f);
    ploy_draw_text(out, nobody, ploy_vec2_make(-0.6f, -1.7f), "camp");
    for (int32_t i = 0; i < GOALS_GEMS; i++) {
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_GOOD, nobody, lab->gems[i], 0.3f, 1.0f);
    }
    for (int32_t i = 0; i < GOALS_BOTS; i++) {
        const goals_bot *bot = &lab->bots[i];
        ploy_agent_id agent = bot->mover.agent;
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, agent, bot->at, bot->target);
        ploy_draw_agent(out, styles[i], agent, bot->at, bot->facing, 0.4f);
        ploy_vec2 left = ploy_vec2_add(bot->at, ploy_vec2_make(-0.6f, 0.8f));
        ploy_draw_line(out, PLOY_LAYER_AGENTS,
                       bot->energy > 0.3f ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD, agent, left,
                       ploy_vec2_add(left, ploy_vec2_make(1.2f * bot->energy, 0.0f)));
        ploy_vec2 at = ploy_vec2_make(11.0f, 7.0f - 5.0f * (float)i);
        ploy_draw_disc(out, PLOY_LAYER_LABELS, styles[i], agent, at, 0.3f, 1.0f);
        ploy_draw_text(out, agent, ploy_vec2_add(at, ploy_vec2_make(0.6f, -0.25f)), names[i]);
        ploy_goals_draw(bot->goals, agent, ploy_vec2_make(11.4f, at.y - 0.9f), 0.8f, out);
    }
}

static void goals_lab_describe(const void *state, ploy_describe *out) {
    const goals_lab *lab = state;
    for (int32_t i = 0; i < GOALS_BOTS; i++) {
        const goals_bot *bot = &lab->bots[i];
        ploy_describe_begin_agent(out, "bot", bot->mover.agent);
        ploy_describe_vec2(out, "at", PLOY_STATE, bot->at.x, bot->at.y);
        ploy_describe_vec2(out, "target", PLOY_STATE, bot->target.x, bot->target.y);
        ploy_describe_i64(out, "how", PLOY_STATE, bot->how);
        ploy_describe_f32(out, "facing", PLOY_STATE, bot->facing);
        ploy_describe_f32(out, "energy", PLOY_STATE, bot->energy);
        ploy_describe_i64(out, "gems", PLOY_STATE, bot->gems);
        ploy_describe_begin(out, "strategy");
        ploy_arbiter_describe(bot->arbiter, out);
        ploy_describe_end(out);
        ploy_describe_begin(out, "goals");
        ploy_goals_describe(bot->goals, out);
        ploy_describe_end(out);
        ploy_describe_end(out);
    }
    for (int32_t i = 0; i < GOALS_GEMS; i++) {
        ploy_describe_vec2(out, "gem", PLOY_STATE, lab->gems[i].x, lab->gems[i].y);
    }
    ploy_describe_begin(out, "paths");
    ploy_path_service_describe(&lab->service, out);
    ploy_describe_end(out);
    ploy_describe_i64(out, "collected", PLOY_STATE, lab->collected);
    ploy_describe_i64(out, "obeyed", PLOY_STATE, lab->obeyed);
    ploy_describe_begin(out, "engine");
    ploy_engine_describe(lab->engine, out);
    ploy_describe_end(out);
}

static const ploy_command goals_lab_commands[] = {
    {"click", "order the first one there", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_goals; // in labs.c
const ploy_sim_type ploy_lab_goals = {
    .name = "goals",
    .title = "Goals",
    .help =
        "Three collectors weigh resting, gems and exploring, each with its own bias; their goals "
        "are beside them. Click to interrupt the first one with an order.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-9.5f, -8.0f, 20.5f, 8.0f},
    .fields = goals_lab_get_fields,
    .commands = goals_lab_commands,
    .command_count = sizeof goals_lab_commands / sizeof goals_lab_commands[0],
    .create = goals_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = goals_lab_step,
    .draw = goals_lab_draw,
    .describe = goals_lab_describe,
};
