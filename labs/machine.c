// The lab of state machines: a guard on patrol, an intruder that the pointer leads, and beside the
// yard the guard's machine itself, with the state it is in lit and the rule that fired last shown.
//
// The guard patrols between posts, investigates noises, chases what it sees, and recharges its lamp
// when that runs low: a rule above the others, which puts aside whatever it did. The machine is a JSON
// text that can be edited while the guard lives by it: it stays in its state, if that is still there.
// All state lies in the region; the text and the machine's type too.
#include <math.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/data/machine.h"
#include "ploy/geom/angle.h"

enum { MACHINE_STATES = 5, MACHINE_POSTS = 4 };

static const char *const machine_ids[MACHINE_STATES] = {"patrol", "investigate", "chase", "search",
                                                        "recharge"};
// Where each state is in the picture of the machine, in m; others are in a row below.
static const ploy_vec2 machine_places[MACHINE_STATES] = {
    {14.0f, 5.0f}, {20.0f, 5.0f}, {20.0f, -1.0f}, {14.0f, -1.0f}, {17.0f, -6.0f}};
static const char machine_file[] =
    "{\n"
    "  \"initial\": \"patrol\",\n"
    "  \"rules\": [{\"id\": \"lamp is low\", \"if\": \"lamp_below(15)\", \"to\": \"recharge\",\n"
    "    \"effect\": \"push\", \"priority\": 1}],\n"
    "  \"states\": [\n"
    "    {\"id\": \"patrol\", \"run\": \"walk\", \"rules\": [\n"
    "      {\"id\": \"sees it\", \"if\": \"sees\", \"to\": \"chase\"},\n"
    "      {\"id\": \"hears it\", \"if\": \"hears\", \"to\": \"investigate\"}]},\n"
    "    {\"id\": \"investigate\", \"run\": \"go there\", \"rules\": [\n"
    "      {\"id\": \"sees it there\", \"if\": \"sees\", \"to\": \"chase\"},\n"
    "      {\"id\": \"is there\", \"if\": \"arrived\", \"to\": \"search\"}]},\n"
    "    {\"id\": \"chase\", \"run\": \"run after it\", \"rules\": [\n"
    "      {\"id\": \"loses it\", \"if\": \"!sees\", \"to\": \"search\"}]},\n"
    "    {\"id\": \"search\", \"run\": \"look about\", \"rules\": [\n"
    "      {\"id\": \"finds it\", \"if\": \"sees\", \"to\": \"chase\"},\n"
    "      {\"id\": \"gives up\", \"if\": \"impatient\", \"to\": \"patrol\"}]},\n"
    "    {\"id\": \"recharge\", \"run\": \"charge the lamp\", \"rules\": [\n"
    "      {\"id\": \"lamp is full\", \"if\": \"!lamp_below(99)\", \"effect\": \"pop\"}]}\n"
    "  ]\n"
    "}\n";

static const ploy_definition machine_definitions[] = {
    {"guard", "json",
     "the guard's machine; run: walk, go there, run after it, look about, charge the lamp; if: "
     "sees, hears, arrived, impatient, lamp_below(percent)"},
};

static const ploy_vec2 machine_posts[MACHINE_POSTS] = {
    {-9.0f, -6.0f}, {9.0f, -6.0f}, {9.0f, 6.0f}, {-9.0f, 6.0f}};
static const ploy_vec2 machine_socket = {0.0f, -7.5f};
static const float machine_reach = 10.0f; // m, half the yard

typedef struct machine_lab_def {
    uint32_t cookie;
    float sight;
    float hearing;
    float speed;
    float intruder;
    float drain;
    float patience;
} machine_lab_def;

static const ploy_field machine_lab_fields[] = {
    PLOY_FIELD_F32(machine_lab_def, sight, 5, 0, 30, "m", "how far the guard sees"),
    PLOY_FIELD_F32(machine_lab_def, hearing, 8, 0, 30, "m", "how far it hears a noise"),
    PLOY_FIELD_F32(machine_lab_def, speed, 3, 0, 20, "m/s", "of the guard; it chases faster"),
    PLOY_FIELD_F32(machine_lab_def, intruder, 2.5, 0, 20, "m/s", "of the intruder"),
    PLOY_FIELD_F32(machine_lab_def, drain, 4, 0, 100, "%/s", "what the lamp uses"),
    PLOY_FIELD_F32(machine_lab_def, patience, 3, 0, 60, "s", "how long it searches"),
};

static ploy_fields machine_lab_get_fields(void) {
    return PLOY_FIELDS(machine_lab_def, machine_lab_fields);
}

typedef struct machine_lab {
    machine_lab_def def; // as of the last step
    ploy_fsm_type *type;
    ploy_fsm *fsm;
    ploy_definition_text text;
    ploy_rng_key key;
    uint64_t tick;
    ploy_vec2 guard, goal, intruder, intruder_goal, noise;
    float facing, lamp;
    int32_t post;
    bool heard;
    float dt;
    int64_t catches;
} machine_lab;

static bool machine_sees(void *user, const ploy_moment *moment, const float *args) {
    const machine_lab *lab = user;
    (void)moment, (void)args;
    return ploy_vec2_distance(lab->guard, lab->intruder) <= lab->def.sight;
}

static bool machine_hears(void *user, const ploy_moment *moment, const float *args) {
    const machine_lab *lab = user;
    (void)moment, (void)args;
    return lab->heard && ploy_vec2_distance(lab->guard, lab->noise) <= lab->def.hearing;
}

static bool machine_arrived(void *user, const ploy_moment *moment, const float *args) {
    const machine_lab *lab = user;
    (void)moment, (void)args;
    return ploy_vec2_distance(lab->guard, lab->goal) < 0.3f;
}

static bool machine_lamp(void *user, const ploy_moment *moment, const float *args) {
    (void)moment;
    return ((const machine_lab *)user)->lamp <= args[0];
}

static bool machine_patience(void *user, const ploy_moment *moment, const float *args) {
    (void)args;
    return moment->elapsed >= (double)((const machine_lab *)user)->def.patience;
}

static void machine_walk(machine_lab *lab, ploy_vec2 goal, float speed) {
    ploy_vec2 way = ploy_vec2_sub(goal, lab->guard);
    float length = ploy_vec2_length(way), step = speed * lab->dt;
    lab->goal = goal;
    if (length > 1e-3f) lab->facing = ploy_atan2f(way.y, way.x);
    lab->guard =
        length <= step ? goal : ploy_vec2_add_scaled(lab->guard, ploy_vec2_normalise(way), step);
}

static ploy_result machine_patrol(void *user, const ploy_fsm_turn *turn) {
    machine_lab *lab = turn->owner;
    (void)user;
    if (ploy_vec2_distance(lab->guard, machine_posts[lab->post]) < 0.3f) {
        lab->post = (lab->post + 1) % MACHINE_POSTS;
    }
    machine_walk(lab, machine_posts[lab->post], lab->def.speed);
    return PLOY_OK;
}

static ploy_result machine_investigate(void *user, const ploy_fsm_turn *turn) {
    machine_lab *lab = turn->owner;
    (void)user;
    machine_walk(lab, lab->noise, lab->def.speed);
    return PLOY_OK;
}

static ploy_result machine_chase(void *user, const ploy_fsm_turn *turn) {
    machine_lab *lab = turn->owner;
    (void)user;
    machine_walk(lab, lab->intruder, 1.2f * lab->def.speed);
    if (ploy_vec2_distance(lab->guard, lab->intruder) >= 0.6f) return PLOY_OK;
    lab->catches++; // the intruder is put out of the yard and comes back elsewhere
    lab->intruder.x = ploy_rng_range_at(lab->key, 1, lab->tick, 0, -machine_reach, machine_reach);
    lab->intruder.y = -lab->intruder.y;
    return PLOY_OK;
}

static ploy_result machine_search(void *user, const ploy_fsm_turn *turn) {
    machine_lab *lab = turn->owner;
    (void)user;
    lab->facing = ploy_angle_wrap(lab->facing + 2.0f * lab->dt); // looks about
    return PLOY_OK;
}

static ploy_result machine_recharge(void *user, const ploy_fsm_turn *turn) {
    machine_lab *lab = turn->owner;
    (void)user;
    machine_walk(lab, machine_socket, lab->def.speed);
    if (ploy_vec2_distance(lab->guard, machine_socket) < 0.3f) {
        lab->lamp = ploy_minf(lab->lamp + 60.0f * lab->dt, 100.0f);
    }
    return PLOY_OK;
}

// What files may name is bound to the lab, whose machine will ask it.
static ploy_result machine_load(machine_lab *lab, const void *bytes, size_t size,
                                const ploy_env *env, ploy_diags *diags, ploy_fsm_type **out) {
    const ploy_machine_work works[] = {
        {"walk", {.execute = machine_patrol}, ploy_maker_none()},
        {"go there", {.execute = machine_investigate}, ploy_maker_none()},
        {"run after it", {.execute = machine_chase}, ploy_maker_none()},
        {"look about", {.execute = machine_search}, ploy_maker_none()},
        {"charge the lamp", {.execute = machine_recharge}, ploy_maker_none()},
    };
    const ploy_word tests[] = {
        {"sees", machine_sees, NULL, lab, 0},       {"hears", machine_hears, NULL, lab, 0},
        {"arrived", machine_arrived, NULL, lab, 0}, {"impatient", machine_patience, NULL, lab, 0},
        {"lamp_below", machine_lamp, NULL, lab, 1},
    };
    ploy_machine_words words = {.tests = tests,
                                .test_count = sizeof tests / sizeof tests[0],
                                .works = works,
                                .work_count = sizeof works / sizeof works[0]};
    ploy_machine *machine = NULL;
    ploy_fsm_def def = ploy_fsm_def_default();
    def.stack = 2;
    ploy_result result = ploy_machine_load_json(bytes, size, "guard.json", env, diags, &machine);
    if (result != PLOY_OK) return result;
    result = ploy_machine_build_fsm(machine, &def, &words, env, diags, out);
    ploy_machine_destroy(machine);
    return result;
}

// Takes over a text that was checked; sim is NULL at the start.
static ploy_result machine_take(machine_lab *lab, const void *bytes, size_t size,
                                const ploy_sim_context *sim, const ploy_env *env) {
    ploy_fsm_type *type = NULL;
    ploy_step_context step = lab_step_context(sim, ploy_agent_id_make(0, 1));
    ploy_result result = machine_load(lab, bytes, size, env, NULL, &type);
    if (result == PLOY_OK) result = ploy_definition_text_set(&lab->text, bytes, size, env);
    if (result == PLOY_OK && sim == NULL) {
        result = ploy_fsm_create(type, lab, env, &lab->fsm);
        if (result == PLOY_OK) result = ploy_behavior_enter(ploy_fsm_behavior(lab->fsm), &step);
    } else if (result == PLOY_OK) {
        result = ploy_fsm_swap(lab->fsm, &step, type, true, NULL);
    }
    if (result != PLOY_OK) {
        if (lab->fsm == NULL || ploy_fsm_type_of(lab->fsm) != type) ploy_fsm_type_destroy(type);
        return result;
    }
    ploy_fsm_type_destroy(lab->type);
    lab->type = type;
    return PLOY_OK;
}

static ploy_result machine_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                      void **out) {
    machine_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->key = key;
    lab->guard = machine_posts[0];
    lab->goal = machine_posts[0];
    lab->intruder = ploy_vec2_make(6.0f, 3.0f);
    lab->intruder_goal = ploy_vec2_make(-6.0f, 4.0f);
    lab->lamp = 100.0f;
    ploy_result result = machine_take(lab, machine_file, sizeof machine_file - 1, NULL, env);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// The intruder strolls to where it was sent, or somewhere; now and then it steps on a twig.
static void machine_stroll(machine_lab *lab, ploy_trace *trace) {
    ploy_vec2 way = ploy_vec2_sub(lab->intruder_goal, lab->intruder);
    float length = ploy_vec2_length(way), step = lab->def.intruder * lab->dt;
    bool there = length <= step;
    ploy_trace_begin(trace, ploy_agent_id_make(1, 1), "stroll", "drawn at random");
    ploy_trace_option(trace, "walk on", there ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_WON,
                      (double)length, there ? "it is there" : "it is not there yet");
    ploy_trace_option(trace, "another place", there ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      (double)NAN,
                      there ? "it is there; the next is drawn" : "only when it is there");
    ploy_trace_end(trace);
    if (there) {
        float x = ploy_rng_range_at(lab->key, 2, lab->tick, 0, -machine_reach, machine_reach);
        float y = ploy_rng_range_at(lab->key, 2, lab->tick, 1, -7.0f, 7.0f);
        lab->intruder_goal = ploy_vec2_make(x, y);
    } else {
        lab->intruder = ploy_vec2_add_scaled(lab->intruder, ploy_vec2_normalise(way), step);
    }
    lab->heard = ploy_rng_float_at(lab->key, 3, lab->tick, 0) < 0.3f * lab->dt;
    if (lab->heard) lab->noise = lab->intruder;
}

static ploy_result machine_lab_step(void *state, const ploy_sim_context *context) {
    machine_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->key = context->key;
    lab->tick = context->tick;
    lab->dt = context->dt;
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind == PLOY_INPUT_RELOAD) {
            ploy_result result =
                machine_take(lab, input->bytes, input->size, context, context->env);
            if (result != PLOY_OK) return result;
        } else if (lab_input_is(input, "click")) {
            lab->intruder_goal = lab_input_point_within(input, machine_reach, machine_reach);
        }
    }
    machine_stroll(lab, context->trace);
    lab->lamp = ploy_maxf(lab->lamp - lab->def.drain * lab->dt, 0.0f);
    ploy_step_context step = lab_step_context(context, ploy_agent_id_make(0, 1));
    ploy_status status;
    return ploy_behavior_step(ploy_fsm_behavior(lab->fsm), &step, &status);
}

// ---- sight

// Where a state is: known ones at their places, others in rows of three below.
static ploy_vec2 machine_place(const machine_lab *lab, uint32_t number) {
    int32_t others = 0;
    for (uint32_t i = 1;; i++) {
        ploy_fsm_state state = {i};
        const char *id = ploy_fsm_type_id(lab->type, state);
        int32_t known = 0;
        while (known < MACHINE_STATES && strcmp(machine_ids[known], id) != 0) known++;
        if (i == number && known < MACHINE_STATES) return machine_places[known];
        if (i == number) break;
        if (known == MACHINE_STATES) others++;
    }
    return ploy_vec2_make(13.0f + 4.0f * (float)(others % 3), -10.0f - 4.0f * (float)(others / 3));
}

static void machine_draw_rule(const machine_lab *lab, uint32_t from_number, uint32_t to_number,
                              ploy_draw *out) {
    uint32_t now = ploy_fsm_current(lab->fsm).number, before = ploy_fsm_previous(lab->fsm).number;
    if (from_number == to_number) return;
    ploy_vec2 from = machine_place(lab, from_number), to = machine_place(lab, to_number);
    ploy_vec2 way = ploy_vec2_normalise(ploy_vec2_sub(to, from));
    // Two rules between the same states go side by side.
    ploy_vec2 side = ploy_vec2_scale(ploy_vec2_perp(way), 0.2f);
    from = ploy_vec2_add(ploy_vec2_add_scaled(from, way, 1.3f), side);
    to = ploy_vec2_add(ploy_vec2_add_scaled(to, way, -1.3f), side);
    bool fired = from_number == before && to_number == now;
    ploy_draw_arrow(out, PLOY_LAYER_PATHS, fired ? PLOY_STYLE_TARGET : PLOY_STYLE_GHOST,
                    ploy_agent_id_make(0, 1), from, to);
}

static void machine_draw_chart(const machine_lab *lab, ploy_draw *out) {
    ploy_agent_id guard = ploy_agent_id_make(0, 1);
    uint32_t now = ploy_fsm_current(lab->fsm).number;
    uint32_t states = (uint32_t)ploy_fsm_type_count(lab->type);
    for (int32_t i = 0; i < ploy_fsm_type_rule_count(lab->type); i++) {
        ploy_fsm_rule_info rule;
        (void)ploy_fsm_type_rule_at(lab->type, i, &rule); // it is there
        if (rule.to.number == 0) continue;
        for (uint32_t k = 1; k <= states; k++) {
            if (rule.from.number != 0 && rule.from.number != k) continue;
            machine_draw_rule(lab, k, rule.to.number, out);
        }
    }
    for (uint32_t i = 1; i <= states; i++) {
        ploy_fsm_state state = {i};
        ploy_vec2 place = machine_place(lab, i);
        bool lit = i == now;
        if (lit) {
            ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_GOOD, guard, place, 1.2f, 0.5f);
        }
        ploy_draw_circle(out, PLOY_LAYER_WORLD, lit ? PLOY_STYLE_GOOD : PLOY_STYLE_WALL, guard,
                         place, 1.2f);
        ploy_draw_text(out, guard, ploy_vec2_add(place, ploy_vec2_make(-1.0f, 1.4f)),
                       ploy_fsm_type_id(lab->type, state));
    }
    ploy_draw_text(out, guard, ploy_vec2_make(12.5f, 7.6f), ploy_fsm_last_rule(lab->fsm));
}

static void machine_lab_draw(const void *state, ploy_draw *out) {
    const machine_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "guard");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "intruder");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "state at present, and the lamp");
    ploy_draw_key(out, PLOY_STYLE_BAD, "lamp nearly empty");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "socket");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "its goal, and the last transition");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "patrol, sight, other transitions");
    ploy_draw_key(out, PLOY_STYLE_WALL, "other states");
    ploy_agent_id nobody = ploy_agent_id_none(), guard = ploy_agent_id_make(0, 1);
    for (int32_t i = 0; i < MACHINE_POSTS; i++) {
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, nobody, machine_posts[i],
                       machine_posts[(i + 1) % MACHINE_POSTS]);
    }
    ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_WARNING, nobody, machine_socket, 0.4f, 1.0f);
    ploy_draw_text(out, nobody, ploy_vec2_add(machine_socket, ploy_vec2_make(0.6f, -0.2f)),
                   "socket");
    ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, guard, lab->guard, lab->def.sight);
    ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_TARGET, guard, lab->guard, lab->goal);
    ploy_draw_agent(out, PLOY_STYLE_AGENT_A, guard, lab->guard, lab->facing, 0.4f);
    ploy_vec2 way = ploy_vec2_sub(lab->intruder_goal, lab->intruder);
    ploy_draw_agent(out, PLOY_STYLE_AGENT_B, ploy_agent_id_make(1, 1), lab->intruder,
                    ploy_atan2f(way.y, way.x), 0.4f);
    // The lamp, as a bar above the guard.
    ploy_vec2 left = ploy_vec2_add(lab->guard, ploy_vec2_make(-0.6f, 0.8f));
    ploy_vec2 right = ploy_vec2_add(left, ploy_vec2_make(1.2f * lab->lamp / 100.0f, 0.0f));
    ploy_draw_line(out, PLOY_LAYER_PATHS, lab->lamp > 15.0f ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD,
                   guard, left, right);
    machine_draw_chart(lab, out);
}

static void machine_lab_describe(const void *state, ploy_describe *out) {
    const machine_lab *lab = state;
    ploy_describe_begin_agent(out, "guard", ploy_agent_id_make(0, 1));
    ploy_describe_vec2(out, "at", PLOY_STATE, lab->guard.x, lab->guard.y);
    ploy_describe_vec2(out, "goal", PLOY_STATE, lab->goal.x, lab->goal.y);
    ploy_describe_f32(out, "facing", PLOY_STATE, lab->facing);
    ploy_describe_f32(out, "lamp", PLOY_STATE, lab->lamp);
    ploy_describe_i64(out, "post", PLOY_STATE, lab->post);
    ploy_describe_begin(out, "machine");
    ploy_fsm_describe(lab->fsm, out);
    ploy_describe_end(out);
    ploy_describe_end(out);
    ploy_describe_begin_agent(out, "intruder", ploy_agent_id_make(1, 1));
    ploy_describe_vec2(out, "at", PLOY_STATE, lab->intruder.x, lab->intruder.y);
    ploy_describe_vec2(out, "goal", PLOY_STATE, lab->intruder_goal.x, lab->intruder_goal.y);
    ploy_describe_end(out);
    ploy_describe_vec2(out, "noise", PLOY_STATE, lab->noise.x, lab->noise.y);
    ploy_describe_i64(out, "catches", PLOY_STATE, lab->catches);
    ploy_definition_text_describe(&lab->text, "definition", NULL, out);
}

static ploy_result machine_lab_write(const void *state, int32_t definition, ploy_writer *out) {
    (void)definition;
    return ploy_definition_text_write(&((const machine_lab *)state)->text, out);
}

static ploy_result machine_lab_check(const void *state, int32_t definition, const void *bytes,
                                     size_t size, const ploy_env *env, ploy_diags *diags) {
    (void)state, (void)definition;
    machine_lab nobody; // nothing is asked while a text is read
    ploy_fsm_type *type = NULL;
    ploy_result result = machine_load(&nobody, bytes, size, env, diags, &type);
    ploy_fsm_type_destroy(type);
    return result;
}

static const ploy_command machine_lab_commands[] = {
    {"click", "send the intruder there", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_machine; // in labs.c
const ploy_sim_type ploy_lab_machine = {
    .name = "machine",
    .title = "State machine",
    .help = "A guard patrols, hears, chases, searches and recharges its lamp; its machine is "
            "beside it with the present state lit. Click to send the intruder somewhere.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS,
    .dt = 1.0f / 60.0f,
    .view = {-11.0f, -9.0f, 25.0f, 9.0f},
    .fields = machine_lab_get_fields,
    .commands = machine_lab_commands,
    .command_count = sizeof machine_lab_commands / sizeof machine_lab_commands[0],
    .create = machine_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = machine_lab_step,
    .draw = machine_lab_draw,
    .describe = machine_lab_describe,
    .definitions = machine_definitions,
    .definition_count = sizeof machine_definitions / sizeof machine_definitions[0],
    .write = machine_lab_write,
    .check = machine_lab_check,
};
