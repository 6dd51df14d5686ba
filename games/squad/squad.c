// The squad demo as a game: parameters, life, steps and definitions. See squad.h.
//
// Invariants, after every tick:
//   (1) every order given is counted once, and later once more as an arrival or as a failure;
//   (2) a member has at most one open order to a point and one to a noise;
//   (3) the leader thinks before the members, and all think before any of them moves.
#include "games/squad/squad.h"

#include <string.h>

#include "games/games.h"
#include "ploy/base/math.h"

static const char *const squad_schemes[] = {"direct", "poll", "events"};

static const ploy_field squad_field_table[] = {
    PLOY_FIELD_I32_FIXED(squad_def, members, 3, 1, SQUAD_MEMBERS_MAX, "", "members of the squad"),
    PLOY_FIELD_ENUM_FIXED(squad_def, scheme, PLOY_TIER_DIRECT, squad_schemes,
                          "how orders reach the members"),
    PLOY_FIELD_F32(squad_def, delay, 0.3f, 0, 5, "s",
                   "of an order or report, with events; fixed at the start"),
    PLOY_FIELD_F32(squad_def, timeout, 60, 1, 1000, "s", "after which an order has failed"),
    PLOY_FIELD_F32(squad_def, noise, 25, 0, 1000, "s", "mean time between noises; 0: none"),
    PLOY_FIELD_F32(squad_def, look, 3, 0, 20, "rad/s", "turning while looking around"),
    PLOY_FIELD_F32(squad_def, sense, 20, 0, 1000, "m", "how far noises are heard"),
    PLOY_FIELD_F32(squad_def, separation, 1.5f, 0.01f, 20, "m", "distance kept to other members"),
    PLOY_FIELD_F32(squad_def, slack, 0.75f, 0, 5, "m", "added to the radius of waypoints"),
    PLOY_FIELD_F32(squad_def, pull, 8, 0.1f, 100, "m/s^2", "toward the next waypoint"),
    PLOY_FIELD_F32(squad_def, goal_radius, 1.5f, 0.1f, 10, "m", "within which the goal is reached"),
    PLOY_FIELD_F32(squad_def, patience, 5, 0, 100, "s", "without a waypoint until agitated"),
    PLOY_FIELD_F32(squad_def, max_acceleration, 30, 1, 1000, "m/s^2", "change of velocity"),
    PLOY_FIELD_F32(squad_def, max_speed, 5, 0.1f, 50, "m/s", "of the members"),
    PLOY_FIELD_F32(squad_def, cruise_speed, 2, 0.1f, 50, "m/s", "that members approach"),
};

static ploy_fields squad_table(void) {
    return PLOY_FIELDS(squad_def, squad_field_table);
}

static void squad_settings(squad_game *game, const void *params) {
    memcpy(&game->def, params, sizeof game->def);
    game->errand = ploy_errand_def_default();
    game->errand.pull = game->def.pull;
    game->errand.goal_radius = game->def.goal_radius;
    game->errand.agitate.patience = game->def.patience;
    game->motion = ploy_movers_def_default();
    game->motion.max_acceleration = game->def.max_acceleration;
    game->motion.max_speed = game->def.max_speed;
    game->motion.cruise_speed = game->def.cruise_speed;
}

// ---- create

static ploy_result squad_add_tier(squad_game *game, int32_t tier, const char *name) {
    ploy_tier_def def = ploy_tier_def_default();
    def.name = name;
    def.agent = squad_id(tier);
    def.parent = tier == SQUAD_LEADER_TIER ? -1 : SQUAD_LEADER_TIER;
    def.scheme = tier == SQUAD_LEADER_TIER ? PLOY_TIER_DIRECT : game->def.scheme;
    return ploy_tiers_add(game->tiers, &def, NULL);
}

static ploy_result squad_make_tiers(squad_game *game, const ploy_env *env) {
    static const char *const names[] = {"leader",   "member 1", "member 2", "member 3", "member 4",
                                        "member 5", "member 6", "member 7", "member 8"};
    ploy_telegrams_def telegrams = ploy_telegrams_def_default();
    ploy_tiers_def tiers = ploy_tiers_def_default();
    tiers.capacity = SQUAD_MEMBERS_MAX + 1;
    tiers.delay = game->def.delay;
    tiers.queue = true; // an order to a point waits while a noise is investigated
    ploy_result result = ploy_telegrams_create(&telegrams, env, &game->telegrams);
    if (result == PLOY_OK) {
        result = ploy_tiers_create(&tiers, NULL, game->telegrams, env, &game->tiers);
    }
    if (result != PLOY_OK) return result;
    ploy_telegrams_set_receiver(game->telegrams, ploy_tiers_receive, game->tiers);
    for (int32_t i = 0; i <= game->def.members && result == PLOY_OK; i++) {
        result = squad_add_tier(game, i, names[i]);
    }
    return result;
}

// A random start, another random end, the leader apart from both.
static void squad_place(squad_game *game) {
    ploy_rng rng = ploy_rng_from_key(game->key, UINT64_MAX);
    ploy_tactical_id none = {{0, 0}};
    ploy_tactical_point point;
    ploy_tactical_id start =
        ploy_tactical_points_random(game->points, game->interest, none, 0.0, &rng);
    game->selected = ploy_tactical_points_random(game->points, game->interest, start, 0.0, &rng);
    (void)ploy_tactical_points_get(game->points, start, &point);
    game->leader_body = ploy_kinematic_make(ploy_vec2_make(34, 10), -PLOY_PI_F);
    for (int32_t i = 0; i < game->def.members; i++) {
        ploy_vec2 at = ploy_vec2_from_vec3(point.position);
        at.y += point.position.y > 15.0f ? -(float)i : (float)i; // away from the edge
        game->members[i].body = ploy_kinematic_make(at, 0.0f);
        game->members[i].errand = ploy_errand_begin(&game->errand, game->members[i].stops, 0, at);
    }
}

static ploy_result squad_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                void **out) {
    squad_game *game = ploy_env_alloc_zero(env, sizeof *game);
    if (game == NULL) return PLOY_ERR_MEMORY;
    const char *const texts[SQUAD_TEXTS] = {squad_network_text, squad_level_text, squad_leader_text,
                                            squad_member_text};
    ploy_tactical_points_def points = ploy_tactical_points_def_default();
    ploy_search_def search = ploy_search_def_default();
    squad_settings(game, params);
    game->env = *env;
    game->key = key;
    game->shown = SQUAD_FIRST_TIER;
    points.capacity = SQUAD_POINTS_MAX;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < SQUAD_TEXTS && result == PLOY_OK; i++) {
        result = ploy_definition_text_set(&game->texts[i], texts[i], strlen(texts[i]), env);
    }
    if (result == PLOY_OK) result = ploy_search_create(&search, env, &game->search);
    if (result == PLOY_OK) result = ploy_tactical_points_create(&points, env, &game->points);
    if (result == PLOY_OK) {
        game->interest = PLOY_TACTICAL_INTEREST;
        result = ploy_tactical_points_add_tag(game->points, "noise", false, &game->noise_tag);
    }
    if (result == PLOY_OK) result = squad_load_world(game, env);
    if (result == PLOY_OK) result = squad_make_tiers(game, env);
    ploy_step_context context = ploy_step_context_make(squad_id(SQUAD_LEADER_TIER), NULL, 0.0f);
    if (result == PLOY_OK) result = squad_load_leader(game, &context);
    if (result == PLOY_OK) result = squad_load_members(game, &context);
    if (result != PLOY_OK) return result;
    squad_place(game);
    *out = game;
    return PLOY_OK;
}

// ---- step

static ploy_result squad_reload(squad_game *game, const ploy_input *input,
                                ploy_step_context *context) {
    static const char *const names[SQUAD_TEXTS] = {"network", "level", "leader", "member"};
    int32_t which = 0;
    while (which < SQUAD_TEXTS - 1 && strcmp(names[which], input->name) != 0) which++;
    ploy_result result =
        ploy_definition_text_set(&game->texts[which], input->bytes, input->size, &game->env);
    if (result != PLOY_OK) return result;
    if (which == SQUAD_LEADER_TEXT) return squad_load_leader(game, context);
    if (which == SQUAD_MEMBER_TEXT) return squad_load_members(game, context);
    result = squad_load_world(game, &game->env);
    // Every order is taken again, with a path in the new world.
    for (int32_t i = 0; i < game->def.members; i++) game->members[i].order = 0;
    return result;
}

static void squad_show(squad_game *game, ploy_vec2 at) {
    float least = ploy_vec2_distance(game->leader_body.position, at);
    game->shown = SQUAD_LEADER_TIER;
    for (int32_t i = 0; i < game->def.members; i++) {
        float distance = ploy_vec2_distance(game->members[i].body.position, at);
        if (distance >= least) continue;
        least = distance;
        game->shown = SQUAD_FIRST_TIER + i;
    }
}

static ploy_result squad_inputs(squad_game *game, ploy_step_context *context) {
    const ploy_sim_context *sim = game->context;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < sim->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &sim->inputs[i];
        if (input->kind == PLOY_INPUT_RELOAD) result = squad_reload(game, input, context);
        if (input->kind != PLOY_INPUT_COMMAND) continue;
        ploy_vec2 at = {ploy_clampf(input->value.as.vec[0], 0, 40),
                        ploy_clampf(input->value.as.vec[1], 0, 30)};
        if (strcmp(input->name, "noise") == 0) result = squad_make_noise(game, at);
        if (strcmp(input->name, "select") == 0) squad_show(game, at);
    }
    if (result != PLOY_OK || !(game->def.noise > 0.0f)) return result;
    float chance = sim->dt / game->def.noise;
    if (ploy_rng_float_at(game->key, 1, sim->tick, 0) >= chance) return result;
    ploy_vec2 at = {1.0f + 38.0f * ploy_rng_float_at(game->key, 1, sim->tick, 1),
                    1.0f + 28.0f * ploy_rng_float_at(game->key, 1, sim->tick, 2)};
    return squad_make_noise(game, at);
}

static ploy_result squad_think(squad_game *game, ploy_step_context *context) {
    ploy_status status = PLOY_STATUS_RUNNING;
    ploy_behavior leader = ploy_fsm_behavior(game->leader);
    ploy_result result = PLOY_OK;
    context->agent = squad_id(SQUAD_LEADER_TIER);
    if (!game->entered) result = ploy_behavior_enter(leader, context);
    squad_read_reports(game);
    (void)ploy_tactical_points_expire(game->points, game->now);
    if (result == PLOY_OK) result = ploy_behavior_step(leader, context, &status);
    if (result == PLOY_OK) result = ploy_tiers_step(game->tiers, context);
    if (result == PLOY_OK) {
        result = ploy_telegrams_step(game->telegrams, game->now, NULL, NULL, NULL);
    }
    for (int32_t i = 0; i < game->def.members && result == PLOY_OK; i++) {
        ploy_behavior mind = ploy_hsm_behavior(game->members[i].mind);
        context->agent = squad_id(SQUAD_FIRST_TIER + i);
        if (!game->entered) result = ploy_behavior_enter(mind, context);
        if (result == PLOY_OK) result = ploy_behavior_step(mind, context, &status);
    }
    game->entered = true;
    return result;
}

static ploy_result squad_step(void *state, const ploy_sim_context *sim) {
    squad_game *game = state;
    squad_settings(game, sim->params);
    game->context = sim;
    game->now = (double)sim->tick * (double)sim->dt;
    ploy_step_context context = ploy_step_context_make(squad_id(0), NULL, sim->dt);
    context.tick = sim->tick;
    context.now = game->now;
    context.key = sim->key;
    context.trace = sim->trace;
    context.scratch = sim->scratch;
    ploy_result result = squad_inputs(game, &context);
    if (result == PLOY_OK) result = squad_think(game, &context);
    if (result == PLOY_OK) result = squad_move(game);
    game->context = NULL;
    return result;
}

// ---- the type

static const ploy_definition squad_definitions[SQUAD_TEXTS] = {
    {"network", "wpn", "Waypoints, edges and points of interest."},
    {"level", "txt", "Walls, one a line, in metres."},
    {"leader", "json", "The leader's machine."},
    {"member", "json", "The members' chart."},
};

static ploy_result squad_write(const void *state, int32_t definition, ploy_writer *out) {
    const squad_game *game = state;
    return ploy_definition_text_write(&game->texts[definition], out);
}

static ploy_result squad_check(const void *state, int32_t definition, const void *bytes,
                               size_t size, const ploy_env *env, ploy_diags *diags) {
    (void)state;
    return definition <= SQUAD_LEVEL ? squad_check_world(definition, bytes, size, env, diags)
                                     : squad_check_mind(definition, bytes, size, env, diags);
}

static const ploy_command squad_commands[] = {
    {"noise", "make a noise there", PLOY_VALUE_VEC2, false, "Pointer"},
    {"select", "show the machine of the nearest agent", PLOY_VALUE_VEC2, false, "Shift Pointer"},
};

extern const ploy_sim_type ploy_game_squad; // in games.c
const ploy_sim_type ploy_game_squad = {
    .name = "squad",
    .title = "Squad on a waypoint network",
    .help = "A leader sends three members from one point of interest to the next. They take orders "
            "directly, by asking or by telegram, walk along a waypoint network, investigate noises "
            "and report. Click to make a noise; edit network, walls and machines while it runs.",
    .version = 2,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS | PLOY_SIM_TACTICS,
    .dt = 1.0f / 30.0f,
    .view = {-1.0f, -1.0f, 80.0f, 31.0f},
    .fields = squad_table,
    .commands = squad_commands,
    .command_count = sizeof squad_commands / sizeof squad_commands[0],
    .create = squad_create,
    .destroy = NULL, // the region goes with the simulation
    .step = squad_step,
    .draw = squad_draw,
    .describe = squad_describe,
    .definitions = squad_definitions,
    .definition_count = SQUAD_TEXTS,
    .write = squad_write,
    .check = squad_check,
};
