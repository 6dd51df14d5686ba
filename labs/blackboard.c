// The lab of the blackboard architecture: a tank whose crew are experts around a board. Beside the
// field are how much each insists, who worked last, and the board with who wrote what.
//
// The spotter picks a target, the driver gets into range, the gunner must agree before a shot is
// passed, the loader makes the next one possible. The pointer moves the target.
#include <stdio.h>
#include <string.h>

#include "labs/lab_board.h"
#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/decide/experts.h"

enum { BOARD_EXPERTS = 4, BOARD_SLOTS = 4 };

static const char *const board_names[BOARD_EXPERTS] = {"spotter", "driver", "gunner", "loader"};

typedef struct blackboard_lab_def {
    uint32_t cookie;
    float range;
    float speed;
    float patience;
    int32_t period;
} blackboard_lab_def;

static const ploy_field blackboard_lab_fields[] = {
    PLOY_FIELD_F32(blackboard_lab_def, range, 5, 1, 30, "m", "how far the gun reaches"),
    PLOY_FIELD_F32(blackboard_lab_def, speed, 2, 0, 20, "m/s", "of the tank"),
    PLOY_FIELD_F32(blackboard_lab_def, patience, 8, 0, 60, "s", "until the spotter looks again"),
    PLOY_FIELD_I32(blackboard_lab_def, period, 6, 1, 600, "ticks", "from one turn to the next"),
};

static ploy_fields blackboard_lab_get_fields(void) {
    return PLOY_FIELDS(blackboard_lab_def, blackboard_lab_fields);
}

typedef struct blackboard_lab {
    blackboard_lab_def def;
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    ploy_experts_type *type;
    ploy_experts *experts;
    ploy_slot aimed, distance, loaded, goal;
    ploy_rng_key key;
    uint64_t tick, aimed_at;
    ploy_vec2 tank, target, target_goal, shot_from;
    float insistence[BOARD_EXPERTS];
    int32_t worked, action, shots, flash;
} blackboard_lab;

static ploy_vec2 board_place(const blackboard_lab *lab, uint32_t agent, uint64_t tick) {
    return ploy_vec2_make(ploy_rng_range_at(lab->key, agent, tick, 0, -9.0f, 9.0f),
                          ploy_rng_range_at(lab->key, agent, tick, 1, -8.0f, 8.0f));
}

// Each expert notes what it said, for the bars; the data is its number.
static float board_note(blackboard_lab *lab, int32_t expert, float insistence) {
    lab->insistence[expert] = insistence;
    return insistence;
}

static float board_spotter_wants(void *user, const ploy_moment *moment, const float *args) {
    (void)args;
    blackboard_lab *lab = user;
    const ploy_blackboard *board = moment->context->blackboard;
    bool stale = (double)(lab->tick - lab->aimed_at) / 60.0 > (double)lab->def.patience;
    bool idle = !ploy_blackboard_get_bool(board, lab->aimed);
    return board_note(lab, 0, idle ? 0.9f : stale ? 0.4f : 0.0f);
}

static void board_spotter_works(const ploy_expert_turn *turn) {
    blackboard_lab *lab = turn->user;
    if (lab->action != 0) (void)ploy_experts_withdraw(turn->experts, lab->action);
    lab->aimed_at = lab->tick;
    (void)ploy_blackboard_set_bool(turn->board, lab->aimed, true);
    ploy_expert_action fire = {ploy_name_of("fire"), lab->tick};
    // The gunner (bit 2) and the loader (bit 3) must agree.
    if (ploy_experts_propose(turn->experts, fire, 1u << 2 | 1u << 3, &lab->action) != PLOY_OK) {
        lab->action = 0;
    }
}

static float board_driver_wants(void *user, const ploy_moment *moment, const float *args) {
    (void)args;
    blackboard_lab *lab = user;
    const ploy_blackboard *board = moment->context->blackboard;
    float beyond = ploy_blackboard_get_f32(board, lab->distance) - 0.9f * lab->def.range;
    bool aimed = ploy_blackboard_get_bool(board, lab->aimed);
    return board_note(lab, 1,
                      aimed && beyond > 0.0f ? 0.3f + 0.05f * ploy_minf(beyond, 8.0f) : 0.0f);
}

static void board_driver_works(const ploy_expert_turn *turn) {
    blackboard_lab *lab = turn->user;
    float goal[2] = {lab->target.x, lab->target.y};
    (void)ploy_blackboard_set_vec(turn->board, lab->goal, goal);
}

static float board_gunner_wants(void *user, const ploy_moment *moment, const float *args) {
    (void)args;
    blackboard_lab *lab = user;
    const ploy_blackboard *board = moment->context->blackboard;
    bool near = ploy_blackboard_get_f32(board, lab->distance) <= lab->def.range;
    bool aimed = ploy_blackboard_get_bool(board, lab->aimed);
    return board_note(lab, 2, near && aimed && lab->action != 0 ? 0.8f : 0.0f);
}

static void board_gunner_works(const ploy_expert_turn *turn) {
    blackboard_lab *lab = turn->user;
    (void)ploy_experts_agree(turn->experts, lab->action, 2);
    if (ploy_blackboard_get_bool(lab->board, lab->loaded)) {
        (void)ploy_experts_agree(turn->experts, lab->action, 3); // the loader agreed by loading
        lab->action = 0;
    }
}

static float board_loader_wants(void *user, const ploy_moment *moment, const float *args) {
    (void)args;
    blackboard_lab *lab = user;
    const ploy_blackboard *board = moment->context->blackboard;
    return board_note(lab, 3, ploy_blackboard_get_bool(board, lab->loaded) ? 0.0f : 0.85f);
}

static void board_loader_works(const ploy_expert_turn *turn) {
    blackboard_lab *lab = turn->user;
    (void)ploy_blackboard_set_bool(turn->board, lab->loaded, true);
}

static ploy_result blackboard_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                         void **out) {
    static const ploy_blackboard_key keys[BOARD_SLOTS] = {
        {"aimed", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "a target is chosen"},
        {"distance", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "to it, in m"},
        {"loaded", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "the gun is"},
        {"goal", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, "where the tank drives"},
    };
    static const struct {
        const char *name;
        ploy_score_fn wants;
        void (*works)(const ploy_expert_turn *turn);
    } crew[BOARD_EXPERTS] = {
        {"spotter", board_spotter_wants, board_spotter_works},
        {"driver", board_driver_wants, board_driver_works},
        {"gunner", board_gunner_wants, board_gunner_works},
        {"loader", board_loader_wants, board_loader_works},
    };
    blackboard_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->key = key;
    lab->tank = ploy_vec2_make(-7.0f, -5.0f);
    lab->target = ploy_vec2_make(6.0f, 5.0f);
    lab->target_goal = ploy_vec2_make(5.0f, -4.0f);
    lab->worked = -1;
    ploy_result result =
        ploy_blackboard_layout_create(keys, BOARD_SLOTS, "tank", env, NULL, &lab->layout);
    if (result == PLOY_OK) result = ploy_blackboard_create(lab->layout, env, &lab->board);
    if (result != PLOY_OK) return result;
    lab->aimed = ploy_blackboard_layout_find(lab->layout, "aimed");
    lab->distance = ploy_blackboard_layout_find(lab->layout, "distance");
    lab->loaded = ploy_blackboard_layout_find(lab->layout, "loaded");
    lab->goal = ploy_blackboard_layout_find(lab->layout, "goal");
    ploy_experts_def def = ploy_experts_def_default();
    def.user = lab;
    result = ploy_experts_type_create(&def, lab->layout, env, &lab->type);
    for (int32_t i = 0; result == PLOY_OK && i < BOARD_EXPERTS; i++) {
        ploy_expert expert = ploy_expert_make(crew[i].name);
        expert.insistence = ploy_score_call(ploy_experts_type_conditions(lab->type), crew[i].name,
                                            crew[i].wants, lab);
        expert.run = crew[i].works;
        result = ploy_experts_type_add(lab->type, &expert, NULL);
    }
    if (result == PLOY_OK) result = ploy_experts_type_finish(lab->type);
    if (result == PLOY_OK) result = ploy_experts_create(lab->type, env, &lab->experts);
    if (result != PLOY_OK) return result;
    float goal[2] = {lab->tank.x, lab->tank.y};
    result = ploy_blackboard_set_vec(lab->board, lab->goal, goal);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_vec2 board_toward(ploy_vec2 from, ploy_vec2 to, float step) {
    ploy_vec2 left = ploy_vec2_sub(to, from);
    if (ploy_vec2_length(left) <= step) return to;
    return ploy_vec2_add_scaled(from, ploy_vec2_normalise(left), step);
}

static ploy_result blackboard_lab_step(void *state, const ploy_sim_context *context) {
    blackboard_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->key = context->key;
    lab->tick = context->tick;
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_board_is(input)) {
            ploy_result result =
                lab_board_take(lab->board, input->bytes, input->size, context->env, NULL);
            if (result != PLOY_OK) return result;
        } else if (lab_input_is(input, "click")) {
            lab->target_goal = lab_input_point_within(input, 9.0f, 8.0f);
        }
    }
    if (ploy_vec2_distance(lab->target, lab->target_goal) < 0.1f) {
        lab->target_goal = board_place(lab, 1, context->tick);
    }
    lab->target = board_toward(lab->target, lab->target_goal, 1.2f * context->dt);
    float away = ploy_vec2_distance(lab->tank, lab->target);
    (void)ploy_blackboard_set_f32(lab->board, lab->distance, away);
    if (context->tick % (uint64_t)lab->def.period == 0) {
        ploy_step_context turn =
            ploy_step_context_make(ploy_agent_id_make(0, 1), lab->board, context->dt);
        turn.trace = context->trace;
        lab->worked = ploy_experts_step(lab->experts, &turn, NULL);
    }
    float goal[4];
    ploy_blackboard_get_vec(lab->board, lab->goal, goal);
    if (away > 0.9f * lab->def.range) {
        lab->tank =
            board_toward(lab->tank, ploy_vec2_make(goal[0], goal[1]), lab->def.speed * context->dt);
    }
    ploy_expert_action action;
    if (lab->flash > 0) lab->flash--;
    while (ploy_experts_take(lab->experts, &action)) {
        lab->shots++;
        lab->flash = 20;
        lab->shot_from = lab->target;
        (void)ploy_blackboard_set_bool(lab->board, lab->loaded, false);
        (void)ploy_blackboard_set_bool(lab->board, lab->aimed, false);
        lab->target = board_place(lab, 2, context->tick);
    }
    return PLOY_OK;
}

// ---- sight

static void blackboard_lab_draw(const void *state, ploy_draw *out) {
    const blackboard_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "tank");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "its target");
    ploy_draw_key(out, PLOY_STYLE_BAD, "shot");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "range of the gun");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "expert at work");
    ploy_draw_key(out, PLOY_STYLE_WALL, "how much an expert insists");
    ploy_agent_id tank = ploy_agent_id_make(0, 1), other = ploy_agent_id_make(1, 1);
    ploy_vec2 way = ploy_vec2_sub(lab->target, lab->tank);
    ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, tank, lab->tank, lab->def.range);
    ploy_draw_agent(out, PLOY_STYLE_AGENT_A, tank, lab->tank, ploy_atan2f(way.y, way.x), 0.6f);
    ploy_draw_agent(out, PLOY_STYLE_AGENT_B, other, lab->target, 0.0f, 0.5f);
    if (lab->flash > 0) {
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_BAD, tank, lab->tank, lab->shot_from);
        ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_BAD, tank, lab->shot_from, 0.8f);
    }
    for (int32_t i = 0; i < BOARD_EXPERTS; i++) {
        ploy_vec2 left = ploy_vec2_make(15.0f, 7.2f - 1.2f * (float)i);
        ploy_vec2 right = ploy_vec2_add(left, ploy_vec2_make(6.0f * lab->insistence[i], 0.0f));
        ploy_draw_text(out, tank, ploy_vec2_make(11.0f, left.y - 0.2f), board_names[i]);
        ploy_draw_line(out, PLOY_LAYER_PATHS, lab->worked == i ? PLOY_STYLE_GOOD : PLOY_STYLE_WALL,
                       tank, left, right);
    }
    for (int32_t i = 0; i < BOARD_SLOTS; i++) {
        ploy_slot slots[BOARD_SLOTS] = {lab->aimed, lab->distance, lab->loaded, lab->goal};
        uint64_t when = 0;
        int32_t writer = ploy_experts_writer(lab->experts, slots[i], &when);
        char line[96];
        snprintf(line, sizeof line, "%s: by %s, turn %llu",
                 ploy_blackboard_layout_name(lab->layout, slots[i]),
                 writer < 0 ? "the game" : board_names[writer], (unsigned long long)when);
        ploy_draw_text(out, tank, ploy_vec2_make(11.0f, 1.5f - 1.0f * (float)i), line);
    }
    char shots[48];
    snprintf(shots, sizeof shots, "shots: %d", (int)lab->shots);
    ploy_draw_text(out, tank, ploy_vec2_make(11.0f, -4.0f), shots);
}

static void blackboard_lab_describe(const void *state, ploy_describe *out) {
    const blackboard_lab *lab = state;
    ploy_describe_begin_agent(out, "tank", ploy_agent_id_make(0, 1));
    ploy_describe_vec2(out, "at", PLOY_STATE, lab->tank.x, lab->tank.y);
    ploy_describe_i64(out, "shots", PLOY_STATE, lab->shots);
    ploy_describe_i64(out, "worked", PLOY_STATE, lab->worked);
    ploy_describe_i64(out, "action", PLOY_STATE, lab->action);
    ploy_describe_u64(out, "aimed_at", PLOY_STATE, lab->aimed_at);
    ploy_describe_i64(out, "flash", PLOY_STATE, lab->flash);
    ploy_blackboard_describe(lab->board, out);
    ploy_experts_describe(lab->experts, out);
    ploy_describe_end(out);
    ploy_describe_vec2(out, "target", PLOY_STATE, lab->target.x, lab->target.y);
    ploy_describe_vec2(out, "target_goal", PLOY_STATE, lab->target_goal.x, lab->target_goal.y);
    ploy_describe_vec2(out, "shot_from", PLOY_STATE, lab->shot_from.x, lab->shot_from.y);
}

static const ploy_definition blackboard_lab_definitions[] = {LAB_BOARD_DEFINITION};

static ploy_result blackboard_lab_write(const void *state, int32_t definition, ploy_writer *out) {
    (void)definition;
    return lab_board_write(((const blackboard_lab *)state)->board, out);
}

static ploy_result blackboard_lab_check(const void *state, int32_t definition, const void *bytes,
                                        size_t size, const ploy_env *env, ploy_diags *diags) {
    (void)definition;
    return lab_board_check(((const blackboard_lab *)state)->board, bytes, size, env, diags);
}

static const ploy_command blackboard_lab_commands[] = {
    {"click", "send the target there", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_blackboard; // in labs.c
const ploy_sim_type ploy_lab_blackboard = {
    .name = "blackboard",
    .title = "Blackboard",
    .help =
        "The crew of a tank are experts around a blackboard: how much each insists, who worked, "
        "and who wrote what. Click to send the target somewhere.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS,
    .dt = 1.0f / 60.0f,
    .view = {-10.0f, -9.0f, 29.0f, 9.0f},
    .fields = blackboard_lab_get_fields,
    .commands = blackboard_lab_commands,
    .command_count = sizeof blackboard_lab_commands / sizeof blackboard_lab_commands[0],
    .create = blackboard_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = blackboard_lab_step,
    .draw = blackboard_lab_draw,
    .describe = blackboard_lab_describe,
    .definitions = blackboard_lab_definitions,
    .definition_count = sizeof blackboard_lab_definitions / sizeof blackboard_lab_definitions[0],
    .write = blackboard_lab_write,
    .check = blackboard_lab_check,
};
