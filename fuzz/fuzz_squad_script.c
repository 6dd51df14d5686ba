// Texts of groups: squad scripts, which are linted and run for a while, and roles of a fire team. The
// first byte chooses.
#include <stdlib.h>
#include <string.h>

#include "ploy/tactics/fireteam.h"
#include "ploy/tactics/squad_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition) {
    if (!condition) abort();
}

static ploy_result fuzz_step(void *user, ploy_action_id id, const ploy_action_request *request,
                             float dt, ploy_status *status) {
    (void)user, (void)id, (void)dt;
    // Some fail, so that aborts are tried too.
    *status = request->kind.hash % 7 == 0 ? PLOY_STATUS_FAILURE : PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

static void fuzz_run(const ploy_squad_scripts *scripts, int32_t script, const ploy_env *env) {
    ploy_signals_def signals_def = ploy_signals_def_default();
    ploy_actions_def actions_def = ploy_actions_def_default();
    ploy_signals *signals = NULL;
    ploy_actions *actions = NULL;
    ploy_squad_run *run = NULL;
    ploy_action_host host;
    memset(&host, 0, sizeof host);
    ploy_action_controller body = {NULL, fuzz_step, NULL, NULL};
    host.move = host.animate = host.change = host.think = host.present = body;
    ploy_agent_id agents[PLOY_SQUAD_ACTORS_MAX];
    int32_t count = ploy_squad_scripts_actors(scripts, script);
    for (int32_t i = 0; i < count; i++) agents[i] = ploy_agent_id_make((uint32_t)i + 1, 1);
    check(ploy_signals_create(&signals_def, env, &signals) == PLOY_OK);
    check(ploy_actions_create(&actions_def, &host, env, &actions) == PLOY_OK);
    check(ploy_squad_run_create(scripts, signals, 1, env, &run) == PLOY_OK);
    check(ploy_squad_run_begin(run, script, agents, count, 0.0) == PLOY_OK);
    for (int32_t i = 0; i < 50; i++) {
        check(ploy_squad_run_step(run, actions, 0.5 * i, 0.5f, NULL) >= PLOY_OK);
        check(ploy_actions_step(actions, 0.5f) == PLOY_OK);
    }
    if (ploy_squad_run_outcome_of(run) == PLOY_SQUAD_DONE) {
        check(ploy_squad_scripts_deadlock(scripts, script) == 0);
    }
    ploy_squad_run_destroy(run);
    ploy_actions_destroy(actions);
    ploy_signals_destroy(signals);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    if (size == 0) return 0;
    if (data[0] == 'r') {
        ploy_fireteam_roles *roles = NULL;
        ploy_result result =
            ploy_fireteam_roles_load(data + 1, size - 1, "fuzz", &env, NULL, &roles);
        check((result == PLOY_OK) == (roles != NULL));
        ploy_fireteam_roles_destroy(roles);
        return 0;
    }
    ploy_squad_scripts *scripts = NULL;
    ploy_result result = ploy_squad_scripts_load(data + 1, size - 1, "fuzz", &env, NULL, &scripts);
    check((result == PLOY_OK) == (scripts != NULL));
    int32_t errors = ploy_squad_scripts_lint(scripts, NULL);
    for (int32_t i = 0; i < ploy_squad_scripts_count(scripts) && i < 4; i++) {
        check(errors > 0 || ploy_squad_scripts_deadlock(scripts, i) == 0);
        fuzz_run(scripts, i, &env);
    }
    ploy_squad_scripts_destroy(scripts);
    return 0;
}
