// The lab of dialogue and stage direction: a castle guard who speaks, asks and leads the player, in
// Lua coroutines that read from top to bottom. Choices are commands. Needs the component script_lua.
//
// The scenes are Buckland's two samples of scripts ("Programming Game AI by Example", 2005, chapter
// 6): a dialogue with two replies, and the guard at the drawbridge.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/script/lua_sim.h"
#include "ploy/script/minds.h"

enum { STAGE_GUARD, STAGE_PLAYER, STAGE_ACTORS, STAGE_TEXT = 96 };

static const char *const stage_scenes[] = {"dialogue", "guard"};

typedef struct stage_def {
    uint32_t cookie;
    int32_t scene;
    bool authorised;
    int32_t answers;
    float speed;
} stage_def;

static const ploy_field stage_fields[] = {
    PLOY_FIELD_ENUM_FIXED(stage_def, scene, 0, stage_scenes, "what is played"),
    PLOY_FIELD_BOOL(stage_def, authorised, true, "the player carries the king's letter"),
    PLOY_FIELD_I32(stage_def, answers, 0, 0, 2, "",
                   "the option that the player takes at once; 0: "
                   "wait for the command"),
    PLOY_FIELD_F32(stage_def, speed, 4, 0.1f, 50, "m/s", "walking speed"),
};

static ploy_fields stage_get_fields(void) {
    return PLOY_FIELDS(stage_def, stage_fields);
}

static const char stage_script[] =
    "-- go, face, play, say, ask and wait block until they are done, so a scene reads like a "
    "play.\n"
    "function dialogue(self)\n"
    "  go('guard', 'player')\n"
    "  face('guard', 'player')\n"
    "  local n = ask('guard', 'Good day! What brings you here?',\n"
    "                {'I come as a friend.', 'Your money, your wife and your chicken!'})\n"
    "  if n == 1 then\n"
    "    say('guard', 'Then be welcome, friend.')\n"
    "  else\n"
    "    play('guard', 'draw')\n"
    "    say('guard', 'Away with you, or taste my steel!')\n"
    "  end\n"
    "  go('guard', 'drawbridge')\n"
    "end\n"
    "\n"
    "function guard(self)\n"
    "  camera('guard')\n"
    "  go('guard', 'player')\n"
    "  if authorised() then\n"
    "    say('guard', 'Welcome, Sir Edward. The king expects you.')\n"
    "    follow('guard')\n"
    "    go('guard', 'throne')\n"
    "  else\n"
    "    say('guard', 'No letter? Shame on you! This way.')\n"
    "    follow('guard')\n"
    "    go('guard', 'dungeon')\n"
    "  end\n"
    "  wait(2)\n"
    "  follow(nil)\n"
    "  camera('player')\n"
    "  go('guard', 'drawbridge')\n"
    "end\n";

static const ploy_definition stage_definitions[] = {
    {"scene", "lua", "the scenes; an edited scene restarts, the other continues"},
};

typedef struct stage_lab {
    ploy_env env;
    stage_def def;
    ploy_lua *lua;
    ploy_lua_minds *minds;
    ploy_lua_mind *mind;
    ploy_behavior behavior;
    ploy_actions *actions;
    ploy_definition_text text;
    ploy_diags *lost;
    ploy_vec2 at[STAGE_ACTORS];
    float face;        // rad, of the guard
    float left;        // s until the line is spoken
    int32_t following; // the actor whom the player follows, -1
    int32_t camera;    // the actor that the camera is locked on
    bool done;
    bool failed;
    bool reserved[6];
    uint64_t plays; // scenes that were played to the end
    char said[STAGE_TEXT], question[STAGE_TEXT];
    char options[PLOY_LUA_OPTIONS_MAX][STAGE_TEXT];
} stage_lab;

// ---- the game's side of the stage

static const struct {
    const char *name;
    float x, y;
} stage_places[] = {
    {"drawbridge", 4.0f, 12.0f}, {"throne", 40.0f, 20.0f}, {"dungeon", 40.0f, 4.0f}};

static int32_t stage_actor_of(const char *name) {
    return strcmp(name, "guard") == 0    ? STAGE_GUARD
           : strcmp(name, "player") == 0 ? STAGE_PLAYER
                                         : -1;
}

static ploy_agent_id stage_actor(void *user, const char *name) {
    int32_t actor = stage_actor_of(name);
    (void)user;
    return actor >= 0 ? ploy_agent_id_make((uint32_t)actor + 1, 1) : ploy_agent_id_none();
}

static bool stage_place(void *user, const char *name, ploy_vec2 *out) {
    const stage_lab *lab = user;
    int32_t actor = stage_actor_of(name);
    if (actor >= 0) {
        *out = ploy_vec2_make(lab->at[actor].x - 1.5f, lab->at[actor].y); // beside it
        return true;
    }
    for (size_t i = 0; i < sizeof stage_places / sizeof stage_places[0]; i++) {
        if (strcmp(stage_places[i].name, name) != 0) continue;
        *out = ploy_vec2_make(stage_places[i].x, stage_places[i].y);
        return true;
    }
    return false;
}

static void stage_show(void *user, ploy_agent_id actor, const char *text) {
    (void)actor;
    snprintf(((stage_lab *)user)->said, STAGE_TEXT, "%s", text);
}

static void stage_offer(void *user, ploy_agent_id actor, const char *question,
                        const char *const *options, int32_t count) {
    stage_lab *lab = user;
    (void)actor;
    snprintf(lab->question, STAGE_TEXT, "%s", question);
    for (int32_t i = 0; i < count; i++) snprintf(lab->options[i], STAGE_TEXT, "%s", options[i]);
}

// Moves an actor; true when it is there.
static bool stage_walk(stage_lab *lab, int32_t actor, ploy_vec2 to, float dt) {
    ploy_vec2 away = ploy_vec2_sub(to, lab->at[actor]);
    float distance = ploy_vec2_length(away), reach = lab->def.speed * dt;
    if (distance <= reach) {
        lab->at[actor] = to;
        return true;
    }
    lab->at[actor] = ploy_vec2_add(lab->at[actor], ploy_vec2_scale(away, reach / distance));
    return false;
}

static ploy_result stage_move(void *user, ploy_action_id id, const ploy_action_request *request,
                              float dt, ploy_status *status) {
    stage_lab *lab = user;
    int32_t actor = (int32_t)request->agent.id.index - 1;
    (void)id;
    bool there =
        stage_walk(lab, actor, ploy_vec2_make(request->position.x, request->position.y), dt);
    *status = there ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result stage_animate(void *user, ploy_action_id id,
                                 const ploy_action_request *request) {
    stage_lab *lab = user;
    (void)id;
    if (!ploy_name_equal(request->kind, ploy_name_of("face"))) return PLOY_OK;
    ploy_vec2 away = ploy_vec2_sub(ploy_vec2_make(request->position.x, request->position.y),
                                   lab->at[STAGE_GUARD]);
    lab->face = ploy_atan2f(away.y, away.x);
    return PLOY_OK;
}

static ploy_result stage_say(void *user, ploy_action_id id, const ploy_action_request *request) {
    stage_lab *lab = user;
    (void)id, (void)request;
    lab->left = 1.0f + 0.05f * (float)strlen(lab->said);
    return PLOY_OK;
}

static ploy_result stage_saying(void *user, ploy_action_id id, const ploy_action_request *request,
                                float dt, ploy_status *status) {
    stage_lab *lab = user;
    (void)id, (void)request;
    lab->left -= dt;
    *status = lab->left > 0.0f ? PLOY_STATUS_RUNNING : PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

// ---- functions of the script

static ploy_result stage_camera(void *user, ploy_lua_frame *frame) {
    int32_t actor = stage_actor_of(frame->args[0].as.text);
    if (actor < 0) return PLOY_ERR_NOT_FOUND;
    ((stage_lab *)user)->camera = actor;
    return PLOY_OK;
}

static ploy_result stage_follow(void *user, ploy_lua_frame *frame) {
    stage_lab *lab = user;
    bool named = frame->arg_count > 0 && frame->args[0].type == PLOY_VALUE_TEXT;
    lab->following = named ? stage_actor_of(frame->args[0].as.text) : -1;
    return PLOY_OK;
}

static ploy_result stage_authorised(void *user, ploy_lua_frame *frame) {
    const stage_lab *lab = user;
    const ploy_step_context *context = ploy_lua_minds_context(lab->minds);
    bool letter = lab->def.authorised;
    if (context != NULL && context->trace != NULL) {
        ploy_trace *trace = context->trace;
        ploy_outcome yes = letter ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED;
        ploy_outcome no = letter ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_WON;
        const char *reason =
            letter ? "the player carries the king's letter" : "the player carries no letter";
        ploy_trace_begin(trace, context->agent, "authorised", "question of the script");
        ploy_trace_option(trace, "yes", yes, (double)NAN, reason);
        ploy_trace_option(trace, "no", no, (double)NAN, reason);
        ploy_trace_end(trace);
    }
    frame->results[0] = ploy_value_bool(letter);
    frame->result_count = 1;
    return PLOY_OK;
}

// ---- the lab

static ploy_result stage_open(stage_lab *lab, const void *bytes, size_t size, const ploy_env *env,
                              ploy_diags *diags) {
    const ploy_lua_function functions[] = {
        {"camera", stage_camera, "(text)", 2, lab},
        {"follow", stage_follow, "(any)", 2, lab},
        {"authorised", stage_authorised, "()", 1, lab},
    };
    ploy_lua_def def = ploy_lua_def_default();
    def.memory_kb = 12288; // far less than the region of a simulation
    ploy_result result = ploy_lua_create(&def, env, &lab->lua);
    if (result == PLOY_OK) result = ploy_lua_minds_create(lab->lua, env, &lab->minds);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0] && result == PLOY_OK; i++) {
        result = ploy_lua_register(lab->lua, &functions[i]);
    }
    if (result == PLOY_OK) result = ploy_lua_minds_load(lab->minds, bytes, size, "scene", diags);
    if (result == PLOY_OK) {
        result = ploy_lua_mind_create(lab->minds, stage_scenes[lab->def.scene], env, &lab->mind);
        if (result == PLOY_ERR_NOT_FOUND) {
            ploy_diags_add(diags, PLOY_SEVERITY_ERROR, result, "scene", 1, 1,
                           "expected a function for the scene", stage_scenes[lab->def.scene], NULL);
        }
    }
    if (result == PLOY_OK) return PLOY_OK;
    ploy_lua_minds_destroy(lab->minds);
    ploy_lua_destroy(lab->lua);
    lab->minds = NULL;
    lab->lua = NULL;
    return result;
}

static void stage_restart(stage_lab *lab, ploy_step_context *context) {
    lab->at[STAGE_GUARD] = ploy_vec2_make(4.0f, 12.0f);
    lab->at[STAGE_PLAYER] = ploy_vec2_make(16.0f, 12.0f);
    lab->following = -1;
    lab->camera = STAGE_PLAYER;
    lab->done = lab->failed = false;
    lab->said[0] = lab->question[0] = 0;
    (void)ploy_behavior_enter(lab->behavior, context);
}

static ploy_result stage_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                void **out) {
    stage_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    lab->env = *env;
    lab->def = *(const stage_def *)params;
    ploy_action_host host;
    memset(&host, 0, sizeof host);
    host.move = (ploy_action_controller){NULL, stage_move, NULL, lab};
    host.animate = (ploy_action_controller){stage_animate, NULL, NULL, lab};
    host.present = (ploy_action_controller){stage_say, stage_saying, NULL, lab};
    ploy_actions_def actions = ploy_actions_def_default();
    ploy_result result = ploy_diags_create(16, env, &lab->lost);
    if (result == PLOY_OK) result = ploy_actions_create(&actions, &host, env, &lab->actions);
    if (result == PLOY_OK) {
        result = stage_open(lab, stage_script, sizeof stage_script - 1, env, NULL);
    }
    if (result == PLOY_OK) {
        const ploy_lua_stage stage = {lab->actions, stage_actor, stage_place,
                                      stage_show,   stage_offer, lab};
        ploy_lua_minds_set_stage(lab->minds, &stage);
        ploy_lua_tick(lab->lua, key, 0);
        result = ploy_maker_make(ploy_lua_mind_maker(lab->mind), env, &lab->behavior);
    }
    if (result == PLOY_OK) {
        result = ploy_definition_text_set(&lab->text, stage_script, sizeof stage_script - 1, env);
    }
    if (result != PLOY_OK) return result; // the region goes with the simulation
    ploy_step_context context = lab_step_context(NULL, ploy_agent_id_make(1, 1));
    stage_restart(lab, &context);
    *out = lab;
    return PLOY_OK;
}

static ploy_result stage_reload(stage_lab *lab, const ploy_input *input,
                                const ploy_sim_context *sim, ploy_step_context *context) {
    ploy_behavior fresh;
    ploy_diags_clear(lab->lost);
    ploy_result result = ploy_lua_minds_load(lab->minds, input->bytes, input->size, "scene", NULL);
    if (result == PLOY_OK) {
        result = ploy_maker_make(ploy_lua_mind_maker(lab->mind), sim->env, &fresh);
    }
    if (result == PLOY_OK) {
        result = ploy_behavior_reload(lab->behavior, fresh, context, sim->env, lab->lost);
    }
    if (result != PLOY_OK) return result;
    ploy_behavior_destroy(lab->behavior);
    lab->behavior = fresh;
    return ploy_definition_text_set(&lab->text, input->bytes, input->size, sim->env);
}

static ploy_result stage_step(void *state, const ploy_sim_context *sim) {
    stage_lab *lab = state;
    ploy_step_context context = lab_step_context(sim, ploy_agent_id_make(1, 1));
    lab->def = *(const stage_def *)sim->params;
    ploy_lua_sim_begin(lab->lua, "scene", sim);
    int32_t answer = lab->def.answers;
    for (int32_t i = 0; i < sim->input_count; i++) {
        const ploy_input *input = &sim->inputs[i];
        if (input->kind == PLOY_INPUT_RELOAD) {
            ploy_result result = stage_reload(lab, input, sim, &context);
            if (result != PLOY_OK) return result;
        } else if (lab_input_is(input, "first") || lab_input_is(input, "second")) {
            answer = lab_input_is(input, "first") ? 1 : 2;
        } else if (lab_input_is(input, "again") && (lab->done || lab->failed)) {
            stage_restart(lab, &context);
        }
    }
    if (answer > 0 && answer <= ploy_lua_minds_options(lab->minds)) {
        (void)ploy_lua_minds_answer(lab->minds, answer);
        lab->question[0] = 0;
    }
    if (!lab->done && !lab->failed) {
        ploy_status status = PLOY_STATUS_RUNNING;
        // An error of an edited script is shown; it ends the scene, not the lab.
        ploy_result result = ploy_behavior_step(lab->behavior, &context, &status);
        lab->failed = result != PLOY_OK;
        lab->done = result == PLOY_OK && status != PLOY_STATUS_RUNNING;
        if (lab->failed) snprintf(lab->said, STAGE_TEXT, "%.90s", ploy_lua_error(lab->lua));
        if (lab->done) lab->plays++;
        if (lab->done || lab->failed) {
            ploy_behavior_exit(lab->behavior, &context,
                               lab->failed ? PLOY_EXIT_ERROR : PLOY_EXIT_FINISHED);
        }
    }
    if (lab->following >= 0) {
        ploy_vec2 behind =
            ploy_vec2_make(lab->at[lab->following].x - 1.5f, lab->at[lab->following].y - 1.0f);
        (void)stage_walk(lab, STAGE_PLAYER, behind, sim->dt);
    }
    ploy_result result = ploy_lua_sim_end(lab->lua, "scene", sim);
    return result == PLOY_OK ? ploy_actions_step(lab->actions, sim->dt) : result;
}

static void stage_draw(const void *state, ploy_draw *out) {
    static const char *const names[STAGE_ACTORS] = {"guard", "player"};
    const stage_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "player");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "guard");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "what the camera follows");
    ploy_draw_key(out, PLOY_STYLE_FLOOR, "places");
    ploy_agent_id none = ploy_agent_id_none();
    for (size_t i = 0; i < sizeof stage_places / sizeof stage_places[0]; i++) {
        ploy_vec2 at = ploy_vec2_make(stage_places[i].x, stage_places[i].y);
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_FLOOR, none, at, 2.5f, 1.0f);
        ploy_draw_text(out, none, ploy_vec2_make(at.x - 2.0f, at.y + 3.0f), stage_places[i].name);
    }
    for (int32_t i = 0; i < STAGE_ACTORS; i++) {
        ploy_agent_id id = ploy_agent_id_make((uint32_t)i + 1, 1);
        ploy_draw_agent(out, i == STAGE_GUARD ? PLOY_STYLE_AGENT_B : PLOY_STYLE_AGENT_A, id,
                        lab->at[i], i == STAGE_GUARD ? lab->face : 0.0f, 0.6f);
        ploy_draw_text(
            out, id,
            ploy_vec2_make(lab->at[i].x - 1.0f, lab->at[i].y + (i == STAGE_GUARD ? -2.0f : 1.6f)),
            names[i]);
    }
    if (lab->camera >= 0) {
        ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, none, lab->at[lab->camera],
                         1.5f);
    }
    ploy_draw_text(out, none, ploy_vec2_make(2.0f, 1.0f), lab->said);
    int32_t count = ploy_lua_minds_options(lab->minds);
    if (count > 0) ploy_draw_text(out, none, ploy_vec2_make(2.0f, -1.0f), lab->question);
    for (int32_t i = 0; i < count; i++) {
        char text[STAGE_TEXT + 16];
        snprintf(text, sizeof text, "%d: %s", (int)i + 1, lab->options[i]);
        ploy_draw_text(out, none, ploy_vec2_make(3.0f, -2.5f - 1.5f * (float)i), text);
    }
    if (lab->done) ploy_draw_text(out, none, ploy_vec2_make(2.0f, 1.0f), "The end. a: again");
}

static void stage_describe(const void *state, ploy_describe *out) {
    static const char *const names[STAGE_ACTORS] = {"guard", "player"};
    const stage_lab *lab = state;
    for (int32_t i = 0; i < STAGE_ACTORS; i++) {
        ploy_describe_begin_agent(out, names[i], ploy_agent_id_make((uint32_t)i + 1, 1));
        ploy_describe_vec2(out, "position", PLOY_STATE, lab->at[i].x, lab->at[i].y);
        ploy_describe_end(out);
    }
    ploy_describe_text(out, "said", PLOY_STATE, lab->said);
    ploy_describe_text(out, "question", PLOY_STATE, lab->question);
    ploy_describe_i64(out, "options", PLOY_STATE, ploy_lua_minds_options(lab->minds));
    ploy_describe_i64(out, "following", PLOY_STATE, lab->following);
    ploy_describe_i64(out, "camera", PLOY_STATE, lab->camera);
    ploy_describe_f32(out, "left", PLOY_STATE, lab->left);
    ploy_describe_bool(out, "done", PLOY_STATE, lab->done);
    ploy_describe_bool(out, "failed", PLOY_STATE, lab->failed);
    ploy_describe_u64(out, "plays", PLOY_STATE, lab->plays);
    ploy_describe_begin(out, "actions");
    ploy_actions_describe(lab->actions, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "lua");
    ploy_lua_describe(lab->lua, out);
    ploy_describe_end(out);
    ploy_definition_text_describe(&lab->text, "definition", lab->lost, out);
}

static ploy_result stage_write(const void *state, int32_t definition, ploy_writer *out) {
    (void)definition;
    return ploy_definition_text_write(&((const stage_lab *)state)->text, out);
}

static ploy_result stage_check(const void *state, int32_t definition, const void *bytes,
                               size_t size, const ploy_env *env, ploy_diags *diags) {
    stage_lab desk;
    (void)definition;
    memset(&desk, 0, sizeof desk);
    desk.def = ((const stage_lab *)state)->def;
    ploy_result result = stage_open(&desk, bytes, size, env, diags);
    if (result != PLOY_OK) return result;
    ploy_lua_mind_destroy(desk.mind);
    ploy_lua_minds_destroy(desk.minds);
    ploy_lua_destroy(desk.lua);
    return PLOY_OK;
}

static const ploy_command stage_commands[] = {
    {"first", "take the first option", PLOY_VALUE_NONE, false, "1"},
    {"second", "take the second option", PLOY_VALUE_NONE, false, "2"},
    {"again", "play the scene again", PLOY_VALUE_NONE, false, "a"},
};

extern const ploy_sim_type ploy_lab_stage; // in labs.c
const ploy_sim_type ploy_lab_stage = {
    .name = "stage",
    .title = "Dialogue and stage direction",
    .help =
        "A castle guard in Lua: go, say and ask block the coroutine until they are done. Press 1 "
        "or 2 to answer, edit the scene while it plays.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS,
    .dt = 0.1f,
    .view = {0.0f, -7.0f, 46.0f, 26.0f},
    .fields = stage_get_fields,
    .commands = stage_commands,
    .command_count = sizeof stage_commands / sizeof stage_commands[0],
    .create = stage_create,
    .destroy = NULL, // the region goes with the simulation
    .step = stage_step,
    .draw = stage_draw,
    .describe = stage_describe,
    .definitions = stage_definitions,
    .definition_count = sizeof stage_definitions / sizeof stage_definitions[0],
    .write = stage_write,
    .check = stage_check,
    .runtime = ploy_lua_version,
};
