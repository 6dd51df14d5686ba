// A body for the tests of squad scripts: actions take a number of ticks drawn from a seed, everything is
// logged, and one action can be made to fail.
#pragma once

#include "ploy/exec/action.h"
#include "ploy/tactics/squad_run.h"
#include "tests/test.h"

enum { BODY_AGENTS = 16, BODY_LOG = 512 };

typedef struct squad_body {
    ploy_rng rng;
    int32_t longest; // ticks of an action
    ploy_name fails; // the kind that fails
    const ploy_squad_scripts *scripts;
    int32_t left[64]; // ticks, by the action's index
    char log[BODY_LOG];
    int32_t length;
    int32_t begun, cancelled, live;
} squad_body;

static inline void body_note(squad_body *body, ploy_agent_id agent, const char *text) {
    int32_t room = BODY_LOG - body->length;
    int32_t size =
        snprintf(body->log + body->length, (size_t)room, "%u:%s ", (unsigned)agent.id.index, text);
    if (size < room) body->length += size;
}

static inline ploy_result body_begin(void *user, ploy_action_id id,
                                     const ploy_action_request *request) {
    squad_body *body = user;
    const char *text = ploy_squad_scripts_text(body->scripts, request->kind);
    body->left[id.id.index % 64] =
        body->longest > 1 ? ploy_rng_int(&body->rng, 1, body->longest) : 1;
    body->begun++;
    body->live++;
    body_note(body, request->agent, text != NULL ? text : "?");
    return PLOY_OK;
}

static inline ploy_result body_step(void *user, ploy_action_id id,
                                    const ploy_action_request *request, float dt,
                                    ploy_status *status) {
    squad_body *body = user;
    (void)dt;
    *status = PLOY_STATUS_RUNNING;
    if (--body->left[id.id.index % 64] > 0) return PLOY_OK;
    body->live--;
    *status =
        ploy_name_equal(request->kind, body->fails) ? PLOY_STATUS_FAILURE : PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

static inline void body_cancel(void *user, ploy_action_id id, const ploy_action_request *request) {
    squad_body *body = user;
    (void)id;
    (void)request;
    body->cancelled++;
    body->live--;
}

static inline ploy_actions *body_make(squad_body *body, const ploy_squad_scripts *scripts,
                                      uint64_t seed, int32_t longest, const ploy_env *env) {
    memset(body, 0, sizeof *body);
    body->rng = ploy_rng_make(seed);
    body->longest = longest;
    body->scripts = scripts;
    ploy_action_controller controller = {body_begin, body_step, body_cancel, body};
    ploy_action_host host;
    memset(&host, 0, sizeof host);
    host.move = host.animate = host.change = host.think = host.present = controller;
    ploy_actions_def def = ploy_actions_def_default();
    ploy_actions *actions = NULL;
    return ploy_actions_create(&def, &host, env, &actions) == PLOY_OK ? actions : NULL;
}

// Everything that a run needs.
typedef struct squad_scene {
    ploy_env env;
    ploy_squad_scripts *scripts;
    ploy_signals *signals;
    ploy_squad_run *run;
    ploy_actions *actions;
    squad_body body;
    ploy_agent_id agents[BODY_AGENTS];
    double now;
} squad_scene;

static inline void scene_make(test_context *t, squad_scene *scene, const char *text, uint64_t seed,
                              int32_t longest) {
    memset(scene, 0, sizeof *scene);
    scene->env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(4, &scene->env, &diags));
    ploy_result result =
        ploy_squad_scripts_load(text, strlen(text), "test", &scene->env, diags, &scene->scripts);
    if (ploy_diags_count(diags) > 0) CHECK_TEXT(ploy_diags_get(diags, 0)->message, "");
    ploy_diags_destroy(diags);
    CHECK_OK(result);
    ploy_signals_def def = ploy_signals_def_default();
    CHECK_OK(ploy_signals_create(&def, &scene->env, &scene->signals));
    CHECK_OK(ploy_squad_run_create(scene->scripts, scene->signals, 7, &scene->env, &scene->run));
    scene->actions = body_make(&scene->body, scene->scripts, seed, longest, &scene->env);
    CHECK(scene->actions != NULL);
    for (uint32_t i = 0; i < BODY_AGENTS; i++) scene->agents[i] = ploy_agent_id_make(i + 1, 1);
}

static inline void scene_begin(test_context *t, squad_scene *scene, int32_t script) {
    CHECK_OK(ploy_squad_run_begin(scene->run, script, scene->agents,
                                  ploy_squad_scripts_actors(scene->scripts, script), scene->now));
}

// One tick of a tenth of a second.
static inline ploy_result scene_step(squad_scene *scene) {
    ploy_result result = ploy_squad_run_step(scene->run, scene->actions, scene->now, 0.1f, NULL);
    if (result >= PLOY_OK && ploy_actions_step(scene->actions, 0.1f) != PLOY_OK) {
        result = PLOY_ERR_STATE;
    }
    scene->now += 0.1;
    return result;
}

static inline void scene_steps(squad_scene *scene, int32_t count) {
    for (int32_t i = 0; i < count; i++) (void)scene_step(scene);
}

static inline void scene_free(squad_scene *scene) {
    ploy_squad_run_destroy(scene->run);
    ploy_actions_destroy(scene->actions);
    ploy_signals_destroy(scene->signals);
    ploy_squad_scripts_destroy(scene->scripts);
}
