// The lab of squad scripts: a touchdown pass and a wall that two climb together.
//
// Touchdown: the passer waits for the runner's signal and always throws to a runner who is there. The
// hurried script throws at a fixed time and depends on luck: a tackler holds the runner up for a random
// time. Wall: one gives the other a leg-up in a joint action, which begins when both are at the wall.
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/tactics/squad_run.h"

enum { SCRIPTS_ACTORS = 2, SCRIPTS_LOST = 8 };

static const char scripts_file[] =
    "# Two who wait for each other, two who do not, and two who act as one.\n"
    "script touchdown\n"
    "actor runner\n"
    "    move run corner\n"
    "    signal in-position\n"
    "    play catch for 2\n"
    "actor passer\n"
    "    wait in-position idle play jog timeout 20\n"
    "    play throw for 1\n"
    "\n"
    "script hurried\n"
    "actor runner\n"
    "    move run corner\n"
    "    play catch for 2\n"
    "actor passer\n"
    "    play count for 3\n"
    "    play throw for 1\n"
    "\n"
    "script wall\n"
    "actor helper\n"
    "    move run wall\n"
    "    joint leg-up play crouch idle play look timeout 20\n"
    "    joint pull play climb idle play look timeout 20\n"
    "actor climber\n"
    "    move run wall\n"
    "    joint leg-up play climb idle play look timeout 20\n"
    "    joint pull play reach idle play look timeout 20\n";

typedef enum scripts_which { SCRIPTS_TOUCHDOWN, SCRIPTS_HURRIED, SCRIPTS_WALL } scripts_which;
static const char *const scripts_names[] = {"touchdown", "hurried", "wall"};

typedef struct scripts_lab_def {
    uint32_t cookie;
    scripts_which script;
    float speed;
    float held;
    float pause;
} scripts_lab_def;

static const ploy_field scripts_lab_fields[] = {
    PLOY_FIELD_ENUM(scripts_lab_def, script, SCRIPTS_TOUCHDOWN, scripts_names,
                    "which script the next round runs"),
    PLOY_FIELD_F32(scripts_lab_def, speed, 5, 0.5, 20, "m/s", "of a runner"),
    PLOY_FIELD_F32(scripts_lab_def, held, 2, 0, 10, "s", "longest time that a tackler costs"),
    PLOY_FIELD_F32(scripts_lab_def, pause, 1, 0, 30, "s", "between two rounds"),
};

static ploy_fields scripts_lab_get_fields(void) {
    return PLOY_FIELDS(scripts_lab_def, scripts_lab_fields);
}

typedef struct scripts_body {
    ploy_vec2 at, goal;
    float held;        // s left in which it cannot move
    float busy;        // s left of what it plays
    bool moving, high; // high: on the wall
    uint8_t reserved[6];
} scripts_body;

typedef struct scripts_lab {
    scripts_lab_def def;
    ploy_env env;
    ploy_rng_key key;
    ploy_squad_scripts *scripts;
    ploy_signals *signals;
    ploy_squad_run *run;
    ploy_actions *actions;
    ploy_definition_text text;
    ploy_diags *lost;
    scripts_body bodies[SCRIPTS_ACTORS];
    float ball; // s left in the air; below 0: not thrown
    float rest;
    double now;
    int64_t round, caught, dropped, climbed, aborted;
} scripts_lab;

static const ploy_vec2 scripts_corner = {18.0f, 8.0f};
static const ploy_vec2 scripts_wall = {10.0f, 4.0f};

static bool scripts_is(ploy_name name, const char *text) {
    return ploy_name_equal(name, ploy_name_of(text));
}

static scripts_body *scripts_body_of(scripts_lab *lab, const ploy_action_request *request) {
    return &lab->bodies[request->agent.id.index - 1];
}

static ploy_result scripts_begin(void *user, ploy_action_id id,
                                 const ploy_action_request *request) {
    scripts_lab *lab = user;
    scripts_body *body = scripts_body_of(lab, request);
    (void)id;
    if (request->effect == PLOY_ACTION_MOVE) {
        bool corner = scripts_is(request->style, "corner");
        float aside = request->agent.id.index == 1 ? -0.6f : 0.6f;
        body->goal =
            corner ? scripts_corner : ploy_vec2_add(scripts_wall, ploy_vec2_make(-1.0f, aside));
        body->moving = true;
        return PLOY_OK;
    }
    if (scripts_is(request->kind, "throw")) lab->ball = 1.0f;
    body->busy = 1.0f;
    return PLOY_OK;
}

static ploy_result scripts_step(void *user, ploy_action_id id, const ploy_action_request *request,
                                float dt, ploy_status *status) {
    scripts_lab *lab = user;
    scripts_body *body = scripts_body_of(lab, request);
    (void)id;
    *status = PLOY_STATUS_RUNNING;
    if (request->effect == PLOY_ACTION_MOVE) {
        if (ploy_vec2_distance(body->at, body->goal) > 0.05f) return PLOY_OK;
        body->moving = false;
        *status = PLOY_STATUS_SUCCESS;
        return PLOY_OK;
    }
    // Jogging and looking last until they are cancelled, counting and catching for their time.
    bool act = scripts_is(request->kind, "crouch") || scripts_is(request->kind, "climb") ||
               scripts_is(request->kind, "reach");
    if (!act) return PLOY_OK;
    body->busy -= dt;
    if (body->busy > 0.0f) return PLOY_OK;
    *status = PLOY_STATUS_SUCCESS;
    if (!scripts_is(request->kind, "climb")) return PLOY_OK;
    body->high = true;
    body->at = ploy_vec2_add(scripts_wall, ploy_vec2_make(1.0f, body->goal.y - scripts_wall.y));
    return PLOY_OK;
}

static void scripts_cancel(void *user, ploy_action_id id, const ploy_action_request *request) {
    scripts_lab *lab = user;
    (void)id;
    scripts_body_of(lab, request)->moving = false;
}

static ploy_result scripts_start(scripts_lab *lab) {
    ploy_agent_id agents[SCRIPTS_ACTORS];
    memset(lab->bodies, 0, sizeof lab->bodies);
    lab->ball = -1.0f;
    for (uint32_t i = 0; i < SCRIPTS_ACTORS; i++) {
        scripts_body *body = &lab->bodies[i];
        agents[i] = ploy_agent_id_make(i + 1, 1);
        float late = ploy_rng_float_at(lab->key, i, (uint64_t)lab->round, 0);
        body->at = body->goal = ploy_vec2_make(1.0f, 3.0f + 2.0f * (float)i);
        bool held = i == 0 || lab->def.script == SCRIPTS_WALL;
        body->held = held ? late * lab->def.held : 0.0f;
    }
    (void)ploy_signals_clear_scope(lab->signals, 1);
    int32_t script = ploy_squad_scripts_find(lab->scripts, scripts_names[lab->def.script]);
    return ploy_squad_run_begin(lab->run, script, agents, SCRIPTS_ACTORS, lab->now);
}

static ploy_result scripts_load(const void *bytes, size_t size, const ploy_env *env,
                                ploy_diags *diags, ploy_squad_scripts **out) {
    ploy_result result = ploy_squad_scripts_load(bytes, size, "scripts", env, diags, out);
    bool fits = result == PLOY_OK;
    for (int32_t i = 0; i < 3 && fits; i++) {
        int32_t script = ploy_squad_scripts_find(*out, scripts_names[i]);
        fits = ploy_squad_scripts_actors(*out, script) == SCRIPTS_ACTORS;
        if (fits) continue;
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, "scripts", 1, 1,
                       "a script is missing", "touchdown, hurried and wall with two actors", NULL);
    }
    if (fits && ploy_squad_scripts_lint(*out, diags) == 0) return PLOY_OK;
    if (result != PLOY_OK) return result;
    ploy_squad_scripts_destroy(*out);
    *out = NULL;
    return PLOY_ERR_FORMAT;
}

static ploy_result scripts_take(scripts_lab *lab, const void *bytes, size_t size) {
    ploy_squad_scripts *fresh = NULL;
    ploy_result result = scripts_load(bytes, size, &lab->env, NULL, &fresh);
    if (result == PLOY_OK) result = ploy_definition_text_set(&lab->text, bytes, size, &lab->env);
    if (result == PLOY_OK && lab->run != NULL) {
        ploy_diags_clear(lab->lost);
        result = ploy_squad_run_reload(lab->run, fresh, lab->actions, lab->now, lab->lost);
    }
    if (result != PLOY_OK) return result; // out of memory: the region goes
    ploy_squad_scripts_destroy(lab->scripts);
    lab->scripts = fresh;
    return PLOY_OK;
}

static ploy_result scripts_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                      void **out) {
    scripts_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->key = key;
    ploy_signals_def signals = ploy_signals_def_default();
    ploy_actions_def actions = ploy_actions_def_default();
    signals.lifetime = 60.0f;
    ploy_action_host host;
    memset(&host, 0, sizeof host);
    host.move.begin = host.animate.begin = scripts_begin;
    host.move.step = host.animate.step = scripts_step;
    host.move.cancel = host.animate.cancel = scripts_cancel;
    host.move.user = host.animate.user = lab;
    ploy_result result = ploy_diags_create(SCRIPTS_LOST, env, &lab->lost);
    if (result == PLOY_OK) result = scripts_take(lab, scripts_file, sizeof scripts_file - 1);
    if (result == PLOY_OK) result = ploy_signals_create(&signals, env, &lab->signals);
    if (result == PLOY_OK) {
        result = ploy_squad_run_create(lab->scripts, lab->signals, 1, env, &lab->run);
    }
    if (result == PLOY_OK) result = ploy_actions_create(&actions, &host, env, &lab->actions);
    if (result == PLOY_OK) result = scripts_start(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// The ball comes down: caught if the runner is there.
static void scripts_fly(scripts_lab *lab, float dt) {
    if (lab->ball < 0.0f) return;
    lab->ball -= dt;
    if (lab->ball > 0.0f) return;
    lab->ball = -1.0f;
    if (ploy_vec2_distance(lab->bodies[0].at, scripts_corner) < 1.0f) {
        lab->caught++;
    } else {
        lab->dropped++;
    }
}

static ploy_result scripts_lab_step(void *state, const ploy_sim_context *context) {
    scripts_lab *lab = state;
    ploy_result result = PLOY_OK;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->key = context->key;
    lab->now = (double)context->tick * (double)context->dt;
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind == PLOY_INPUT_RELOAD) {
            result = scripts_take(lab, input->bytes, input->size);
        } else if (lab_input_is(input, "tackle")) {
            lab->bodies[0].held += 1.0f;
        } else if (lab_input_is(input, "call off")) {
            ploy_squad_run_abort(lab->run, lab->actions, lab->now);
        }
    }
    (void)ploy_signals_purge(lab->signals, lab->now);
    bool running = ploy_squad_run_outcome_of(lab->run) == PLOY_SQUAD_RUNNING;
    if (result == PLOY_OK && running) {
        result = ploy_squad_run_step(lab->run, lab->actions, lab->now, context->dt, context->trace);
        if (result > PLOY_OK) result = PLOY_OK;
        bool ended = ploy_squad_run_outcome_of(lab->run) != PLOY_SQUAD_RUNNING;
        if (ended) lab->rest = lab->def.pause;
        if (ended && ploy_squad_run_outcome_of(lab->run) == PLOY_SQUAD_ABORTED) lab->aborted++;
        if (ended && lab->bodies[0].high && lab->bodies[1].high) lab->climbed++;
    }
    if (result == PLOY_OK) result = ploy_actions_step(lab->actions, context->dt);
    for (int32_t i = 0; i < SCRIPTS_ACTORS; i++) {
        scripts_body *body = &lab->bodies[i];
        if (!body->moving) continue;
        body->held -= context->dt;
        if (body->held > 0.0f) continue;
        body->held = 0.0f;
        ploy_vec2 way = ploy_vec2_sub(body->goal, body->at);
        float reach = lab->def.speed * context->dt;
        body->at = ploy_vec2_length(way) <= reach
                       ? body->goal
                       : ploy_vec2_add(body->at, ploy_vec2_with_length(way, reach));
    }
    scripts_fly(lab, context->dt);
    if (result != PLOY_OK || running) return result;
    lab->rest -= context->dt;
    if (lab->rest > 0.0f || lab->ball >= 0.0f) return PLOY_OK;
    lab->round++;
    return scripts_start(lab);
}

static void scripts_lab_draw(const void *state, ploy_draw *out) {
    const scripts_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_TARGET, "corner to reach");
    ploy_agent_id none = ploy_agent_id_none();
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "first actor");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "second actor");
    ploy_draw_key(out, PLOY_STYLE_PLAIN, "an action in its lane");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "a signal");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "a wait; the ball");
    if (lab->def.script == SCRIPTS_WALL) {
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, ploy_vec2_make(10.0f, 0.0f),
                       ploy_vec2_make(10.0f, 9.0f));
    } else {
        ploy_draw_circle(out, PLOY_LAYER_REGIONS, PLOY_STYLE_TARGET, none, scripts_corner, 1.0f);
    }
    for (uint32_t i = 0; i < SCRIPTS_ACTORS; i++) {
        const scripts_body *body = &lab->bodies[i];
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, i == 0 ? PLOY_STYLE_AGENT_A : PLOY_STYLE_AGENT_B,
                       ploy_agent_id_make(i + 1, 1), body->at, 0.4f, 1.0f);
    }
    if (lab->ball >= 0.0f) {
        ploy_vec2 ball = ploy_vec2_lerp(lab->bodies[1].at, scripts_corner, 1.0f - lab->ball);
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_WARNING, none, ball, 0.2f, 1.0f);
    }
    ploy_squad_run_draw(lab->run, ploy_vec2_make(4.0f, -2.0f), 1.5f, out);
}

static void scripts_lab_describe(const void *state, ploy_describe *out) {
    const scripts_lab *lab = state;
    ploy_describe_i64(out, "round", PLOY_STATE, lab->round);
    ploy_describe_i64(out, "caught", PLOY_STATE, lab->caught);
    ploy_describe_i64(out, "dropped", PLOY_STATE, lab->dropped);
    ploy_describe_i64(out, "climbed", PLOY_STATE, lab->climbed);
    ploy_describe_i64(out, "aborted", PLOY_STATE, lab->aborted);
    ploy_describe_f32(out, "ball", PLOY_STATE, lab->ball);
    ploy_describe_f32(out, "rest", PLOY_STATE, lab->rest);
    for (int32_t i = 0; i < SCRIPTS_ACTORS; i++) {
        const scripts_body *body = &lab->bodies[i];
        lab_begin_numbered(out, "actor", i, ploy_agent_id_make((uint32_t)i + 1, 1));
        ploy_describe_vec2(out, "at", PLOY_STATE, body->at.x, body->at.y);
        ploy_describe_vec2(out, "goal", PLOY_STATE, body->goal.x, body->goal.y);
        ploy_describe_f32(out, "held", PLOY_STATE, body->held);
        ploy_describe_f32(out, "busy", PLOY_STATE, body->busy);
        ploy_describe_bool(out, "moving", PLOY_STATE, body->moving);
        ploy_describe_bool(out, "high", PLOY_STATE, body->high);
        ploy_describe_end(out);
    }
    ploy_describe_begin(out, "script");
    ploy_squad_run_describe(lab->run, out);
    ploy_describe_end(out);
    ploy_describe_i64(out, "signals", PLOY_STATE, ploy_signals_count(lab->signals));
    ploy_describe_begin(out, "actions");
    ploy_actions_describe(lab->actions, out);
    ploy_describe_end(out);
    ploy_definition_text_describe(&lab->text, "definition", lab->lost, out);
}

static ploy_result scripts_lab_write(const void *state, int32_t definition, ploy_writer *out) {
    (void)definition;
    return ploy_definition_text_write(&((const scripts_lab *)state)->text, out);
}

static ploy_result scripts_lab_check(const void *state, int32_t definition, const void *bytes,
                                     size_t size, const ploy_env *env, ploy_diags *diags) {
    (void)state, (void)definition;
    ploy_squad_scripts *scripts = NULL;
    ploy_result result = scripts_load(bytes, size, env, diags, &scripts);
    ploy_squad_scripts_destroy(scripts);
    return result;
}

static const ploy_definition scripts_definitions[] = {
    {"scripts", "txt", "The squad scripts: touchdown, hurried and wall."},
};

static const ploy_command scripts_lab_commands[] = {
    {"tackle", "hold the runner up for a second", PLOY_VALUE_NONE, false, "t"},
    {"call off", "abort the script", PLOY_VALUE_NONE, false, "c"},
};

extern const ploy_sim_type ploy_lab_scripts; // in labs.c
const ploy_sim_type ploy_lab_scripts = {
    .name = "scripts",
    .title = "Squad scripts",
    .help =
        "A pass that waits for its receiver and one that does not, and two who climb a wall "
        "together. The lanes show each actor's steps, signals and waits. The script can be edited "
        "while it runs; a deadlock is refused.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS | PLOY_SIM_DIAGRAM | PLOY_SIM_TACTICS,
    .dt = 1.0f / 20.0f,
    .view = {-1.0f, -5.0f, 21.0f, 10.0f},
    .fields = scripts_lab_get_fields,
    .commands = scripts_lab_commands,
    .command_count = sizeof scripts_lab_commands / sizeof scripts_lab_commands[0],
    .create = scripts_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = scripts_lab_step,
    .draw = scripts_lab_draw,
    .describe = scripts_lab_describe,
    .definitions = scripts_definitions,
    .definition_count = sizeof scripts_definitions / sizeof scripts_definitions[0],
    .write = scripts_lab_write,
    .check = scripts_lab_check,
};
