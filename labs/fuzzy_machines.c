// The lab of fuzzy state machines: two guards watch the same intruder. Both have the same definition; the
// first lets later states see what earlier ones changed, the second computes all from the degrees at the
// start of a step. A third guard has an ordinary machine, for comparison: it jumps where they blend.
//
//     patrol --near--> alert --near--> attack, and some of it to call    (two targets, two degrees)
//       ^                |               |
//       +------far-------+------far------+--hurt--> flee
//
// What a guard does is blended from its degrees: here its speed.
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/decide/fsm_table.h"
#include "ploy/decide/fuzzy_fsm.h"

enum { FUZZY_GUARDS = 2, FUZZY_STATES = 5, FUZZY_HISTORY = 160 };
enum { FUZZY_PATROL, FUZZY_ALERT, FUZZY_ATTACK, FUZZY_CALL, FUZZY_FLEE };

static const char *const fuzzy_states[FUZZY_STATES] = {"patrol", "alert", "attack", "call", "flee"};
static const float fuzzy_speeds[FUZZY_STATES] = {1.0f, 2.0f, 4.0f, 0.5f, -5.0f};

typedef struct fuzzy_machines_def {
    uint32_t cookie;
    float sight;
    float hurt;
    int32_t period;
    bool strolls;
} fuzzy_machines_def;

static const ploy_field fuzzy_machines_fields[] = {
    PLOY_FIELD_F32(fuzzy_machines_def, sight, 14, 2, 30, "m", "distance at which nearness begins"),
    PLOY_FIELD_F32(fuzzy_machines_def, hurt, 0.3, 0, 1, "", "how badly the guards are hurt"),
    PLOY_FIELD_I32(fuzzy_machines_def, period, 6, 1, 60, "", "ticks between two steps"),
    PLOY_FIELD_BOOL(fuzzy_machines_def, strolls, true, "the intruder walks by itself"),
};

static ploy_fields fuzzy_machines_get_fields(void) {
    return PLOY_FIELDS(fuzzy_machines_def, fuzzy_machines_fields);
}

static const ploy_blackboard_key fuzzy_machines_keys[] = {
    {"near", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "0 far to 1 here"},
    {"hurt", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "0 to 1"},
};

typedef struct fuzzy_machines_lab {
    fuzzy_machines_def def;
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    ploy_fuzzy_fsm_type *types[FUZZY_GUARDS];
    ploy_fuzzy_fsm *guards[FUZZY_GUARDS];
    ploy_fsm_type *crisp_type;
    ploy_fsm *crisp;
    bool entered; // the ordinary machine runs
    ploy_vec2 guard, intruder;
    float history[FUZZY_GUARDS][FUZZY_STATES][FUZZY_HISTORY];
    int32_t history_count, history_next;
    double speed[FUZZY_GUARDS]; // m/s, blended
} fuzzy_machines_lab;

static ploy_slot fuzzy_machines_slot(uint32_t key) {
    ploy_slot slot = {key + 1};
    return slot;
}

static ploy_result fuzzy_machines_type(const fuzzy_machines_lab *lab, bool simultaneous,
                                       const ploy_env *env, ploy_fuzzy_fsm_type **out) {
    ploy_fuzzy_fsm_def def = ploy_fuzzy_fsm_def_default();
    def.simultaneous = simultaneous;
    ploy_result result = ploy_fuzzy_fsm_type_create(&def, lab->layout, env, out);
    if (result != PLOY_OK) return result;
    ploy_conditions *set = ploy_fuzzy_fsm_type_conditions(*out);
    ploy_condition near = ploy_condition_text(set, "near > 0.2");
    ploy_condition close = ploy_condition_text(set, "near > 0.6");
    ploy_condition far = ploy_condition_text(set, "near < 0.4");
    ploy_condition wounded = ploy_condition_text(set, "hurt > 0.5");
    // How much a transition is triggered: by nearness, by its opposite, or by the wound.
    ploy_score how_near = ploy_score_text(set, "near");
    ploy_score how_far = ploy_score_text(set, "1 - near");
    ploy_score how_hurt = ploy_score_text(set, "hurt");
    for (int32_t i = 0; i < FUZZY_STATES; i++) {
        (void)ploy_fuzzy_fsm_type_state(*out, fuzzy_states[i], i == FUZZY_PATROL ? 1.0 : 0.0);
    }
    // Faults stay with the type; finish returns the first.
    ploy_fuzzy_fsm_transition alert =
        ploy_fuzzy_fsm_transition_make(FUZZY_PATROL, near, FUZZY_ALERT, 1.0);
    alert.degree = how_near;
    (void)ploy_fuzzy_fsm_type_add(*out, &alert);
    ploy_fuzzy_fsm_transition attack =
        ploy_fuzzy_fsm_transition_make(FUZZY_ALERT, close, FUZZY_ATTACK, 0.9);
    attack.degree = how_near;
    attack.target_count = 2; // some of it becomes a call for help
    attack.targets[1] = FUZZY_CALL;
    attack.dots[1] = 0.4;
    (void)ploy_fuzzy_fsm_type_add(*out, &attack);
    ploy_fuzzy_fsm_transition flee =
        ploy_fuzzy_fsm_transition_make(FUZZY_ATTACK, wounded, FUZZY_FLEE, 1.0);
    flee.degree = how_hurt;
    (void)ploy_fuzzy_fsm_type_add(*out, &flee);
    for (int32_t from = FUZZY_ALERT; from <= FUZZY_FLEE; from++) {
        ploy_fuzzy_fsm_transition calm =
            ploy_fuzzy_fsm_transition_make(from, far, FUZZY_PATROL, 1.0);
        calm.degree = how_far;
        (void)ploy_fuzzy_fsm_type_add(*out, &calm);
    }
    return ploy_fuzzy_fsm_type_finish(*out);
}

static ploy_result fuzzy_machines_crisp(fuzzy_machines_lab *lab, const ploy_env *env) {
    static const ploy_fsm_state_row states[] = {
        {.id = "patrol"}, {.id = "alert"}, {.id = "attack"}, {.id = "flee"}};
    static const ploy_fsm_rule_row rules[] = {
        {.id = "sees", .from = "patrol", .when = "near > 0.5", .to = "alert"},
        {.id = "close", .from = "alert", .when = "near > 0.6", .to = "attack"},
        {.id = "wounded", .from = "attack", .when = "hurt > 0.5", .to = "flee"},
        {.id = "lost", .when = "near < 0.4", .to = "patrol"},
    };
    static const ploy_fsm_table table = {
        .states = states, .state_count = 4, .rules = rules, .rule_count = 4};
    ploy_result result = ploy_fsm_type_from_table(NULL, &table, lab->layout, env, &lab->crisp_type);
    return result == PLOY_OK ? ploy_fsm_create(lab->crisp_type, NULL, env, &lab->crisp) : result;
}

static ploy_result fuzzy_machines_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                         void **out) {
    fuzzy_machines_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    (void)key;
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->guard = ploy_vec2_make(-8.0f, 3.0f);
    lab->intruder = ploy_vec2_make(6.0f, 3.0f);
    ploy_result result =
        ploy_blackboard_layout_create(fuzzy_machines_keys, 2, "guard", env, NULL, &lab->layout);
    if (result == PLOY_OK) result = ploy_blackboard_create(lab->layout, env, &lab->board);
    for (int32_t i = 0; i < FUZZY_GUARDS && result == PLOY_OK; i++) {
        result = fuzzy_machines_type(lab, i == 1, env, &lab->types[i]);
        if (result == PLOY_OK) result = ploy_fuzzy_fsm_create(lab->types[i], env, &lab->guards[i]);
    }
    if (result == PLOY_OK) result = fuzzy_machines_crisp(lab, env);
    *out = lab;
    return result;
}

static ploy_result fuzzy_machines_step(void *state, const ploy_sim_context *context) {
    fuzzy_machines_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    double now = (double)context->tick * (double)context->dt;
    if (lab->def.strolls) {
        lab->intruder = ploy_vec2_make((float)(-1.0 + 7.0 * ploy_cos(0.5 * now)),
                                       (float)(3.0 + 2.0 * ploy_sin(1.3 * now)));
    }
    for (int32_t i = 0; i < context->input_count; i++) {
        if (!lab_input_is(&context->inputs[i], "intruder")) continue;
        lab->intruder = lab_input_point_within(&context->inputs[i], 20.0f, 12.0f);
    }
    float distance = ploy_vec2_distance(lab->guard, lab->intruder);
    float near = ploy_clampf(1.0f - distance / lab->def.sight, 0.0f, 1.0f);
    ploy_blackboard_set_f32(lab->board, fuzzy_machines_slot(0), near);
    ploy_blackboard_set_f32(lab->board, fuzzy_machines_slot(1), lab->def.hurt);
    if (context->tick % (uint64_t)lab->def.period != 0) return PLOY_OK;
    for (int32_t g = 0; g < FUZZY_GUARDS; g++) {
        ploy_step_context own = lab_step_context(context, ploy_agent_id_make((uint32_t)g + 1, 1));
        own.blackboard = lab->board;
        ploy_moment moment = ploy_moment_make(&own);
        ploy_fuzzy_fsm_step(lab->guards[g], &moment);
        double sum = 0.0, whole = 0.0;
        for (int32_t s = 0; s < FUZZY_STATES; s++) {
            double degree = ploy_fuzzy_fsm_degree(lab->guards[g], s);
            lab->history[g][s][lab->history_next] = (float)degree;
            sum += degree * (double)fuzzy_speeds[s];
            whole += degree;
        }
        lab->speed[g] = whole > 0.0 ? sum / whole : 0.0;
    }
    lab->history_next = (lab->history_next + 1) % FUZZY_HISTORY;
    if (lab->history_count < FUZZY_HISTORY) lab->history_count++;
    ploy_step_context own = lab_step_context(context, ploy_agent_id_make(3, 1));
    own.blackboard = lab->board;
    ploy_behavior machine = ploy_fsm_behavior(lab->crisp);
    ploy_status status = PLOY_STATUS_RUNNING;
    ploy_result result = PLOY_OK;
    if (!lab->entered) result = ploy_behavior_enter(machine, &own);
    lab->entered = true;
    return result == PLOY_OK ? ploy_behavior_step(machine, &own, &status) : result;
}

static ploy_vec2 fuzzy_machines_corner(float x, float y) {
    return ploy_vec2_make(x, y);
}

static void fuzzy_machines_draw_guard(const fuzzy_machines_lab *lab, int32_t g, ploy_draw *out) {
    static const ploy_style styles[FUZZY_STATES] = {PLOY_STYLE_GOOD, PLOY_STYLE_WARNING,
                                                    PLOY_STYLE_BAD, PLOY_STYLE_AGENT_C,
                                                    PLOY_STYLE_AGENT_A};
    ploy_agent_id agent = ploy_agent_id_make((uint32_t)g + 1, 1);
    float left = g == 0 ? -14.0f : 1.0f, top = -2.5f;
    ploy_draw_text(out, agent, ploy_vec2_make(left, top), g == 0 ? "sequential" : "simultaneous");
    for (int32_t s = 0; s < FUZZY_STATES; s++) {
        float y = top - 1.2f - 1.1f * (float)s;
        float degree = (float)ploy_fuzzy_fsm_degree(lab->guards[g], s);
        ploy_vec2 bar[4] = {fuzzy_machines_corner(left + 3.2f, y),
                            fuzzy_machines_corner(left + 3.2f + 2.5f * degree, y),
                            fuzzy_machines_corner(left + 3.2f + 2.5f * degree, y + 0.6f),
                            fuzzy_machines_corner(left + 3.2f, y + 0.6f)};
        ploy_draw_text(out, agent, ploy_vec2_make(left, y), fuzzy_states[s]);
        if (degree > 0.0f) {
            ploy_draw_polygon(out, PLOY_LAYER_REGIONS, styles[s], agent, bar, 4, 0.9f);
        }
        ploy_vec2 line[FUZZY_HISTORY];
        int32_t count = lab->history_count;
        for (int32_t k = 0; k < count; k++) {
            int32_t at = (lab->history_next - count + k + FUZZY_HISTORY) % FUZZY_HISTORY;
            line[k] = ploy_vec2_make(left + 6.2f + 0.045f * (float)k,
                                     top - 6.7f + 5.0f * lab->history[g][s][at]);
        }
        if (count > 1) {
            ploy_draw_polyline(out, PLOY_LAYER_PATHS, styles[s], agent, line, count);
        }
    }
}

static void fuzzy_machines_draw(const void *state, ploy_draw *out) {
    const fuzzy_machines_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "guards; state flee");
    ploy_draw_key(out, PLOY_STYLE_BAD, "intruder; state attack");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "state patrol");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "state alert");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "state call");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "range of sight");
    const ploy_agent_id nobody = ploy_agent_id_none(), crisp = ploy_agent_id_make(3, 1);
    ploy_draw_circle(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, nobody, lab->guard, lab->def.sight);
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, crisp, lab->guard, 0.6f, 1.0f);
    ploy_draw_text(out, crisp, ploy_vec2_make(lab->guard.x - 1.2f, lab->guard.y + 1.1f), "guards");
    ploy_draw_text(out, crisp, ploy_vec2_make(lab->guard.x - 5.5f, lab->guard.y - 1.8f),
                   "ordinary machine:");
    ploy_draw_text(out, crisp, ploy_vec2_make(lab->guard.x - 5.5f, lab->guard.y - 3.0f),
                   ploy_fsm_type_id(lab->crisp_type, ploy_fsm_current(lab->crisp)));
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_BAD, nobody, lab->intruder, 0.5f, 1.0f);
    ploy_draw_text(out, nobody, ploy_vec2_make(lab->intruder.x + 0.8f, lab->intruder.y),
                   "intruder");
    for (int32_t g = 0; g < FUZZY_GUARDS; g++) fuzzy_machines_draw_guard(lab, g, out);
}

static void fuzzy_machines_describe(const void *state, ploy_describe *out) {
    const fuzzy_machines_lab *lab = state;
    ploy_describe_vec2(out, "intruder", PLOY_STATE, lab->intruder.x, lab->intruder.y);
    ploy_blackboard_describe(lab->board, out);
    for (int32_t g = 0; g < FUZZY_GUARDS; g++) {
        ploy_describe_begin_agent(out, g == 0 ? "sequential" : "simultaneous",
                                  ploy_agent_id_make((uint32_t)g + 1, 1));
        ploy_describe_f64(out, "speed", PLOY_STATE, lab->speed[g]);
        ploy_fuzzy_fsm_describe(lab->guards[g], out);
        ploy_describe_end(out);
    }
    ploy_describe_begin_agent(out, "ordinary", ploy_agent_id_make(3, 1));
    ploy_fsm_describe(lab->crisp, out);
    ploy_describe_end(out);
}

static const ploy_command fuzzy_machines_commands[] = {
    {"intruder", "put the intruder there (turn strolls off)", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_fuzzy_machines; // in labs.c
const ploy_sim_type ploy_lab_fuzzy_machines = {
    .name = "fuzzy_machines",
    .title = "Fuzzy state machines",
    .help = "Two guards with a fuzzy state machine and one with an ordinary one watch an intruder. "
            "Bars and lines show the degree of each state. Raise hurt above 0.5 to see them flee.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 60.0f,
    .view = {-15.0f, -10.5f, 15.0f, 7.5f},
    .fields = fuzzy_machines_get_fields,
    .commands = fuzzy_machines_commands,
    .command_count = sizeof fuzzy_machines_commands / sizeof fuzzy_machines_commands[0],
    .create = fuzzy_machines_create,
    .step = fuzzy_machines_step,
    .draw = fuzzy_machines_draw,
    .describe = fuzzy_machines_describe,
};
