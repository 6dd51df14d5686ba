// Two who wait for each other: the linter finds the deadlock in a squad script and says who waits for
// whom. Mended, the script runs: the passer throws only when the runner is there.
// Shows ploy_squad_scripts_load, ploy_squad_scripts_lint and a ploy_squad_run over a ploy_actions body.
#include <stdio.h>
#include <string.h>

#include "ploy/tactics/squad_run.h"

static const char broken[] = "script pass\n"
                             "actor runner\n"
                             "    wait thrown\n"
                             "    signal there\n"
                             "actor passer\n"
                             "    wait there\n"
                             "    signal thrown\n";

static const char mended[] = "script pass\n"
                             "actor runner\n"
                             "    move run for 2\n"
                             "    signal there\n"
                             "actor passer\n"
                             "    wait there idle play jog timeout 8\n"
                             "    play throw for 1\n";

// A body that only prints: the script says how long each action takes.
static ploy_result begin(void *user, ploy_action_id id, const ploy_action_request *request) {
    const ploy_squad_scripts *scripts = user;
    (void)id;
    printf("%s: %s\n", request->agent.id.index == 1 ? "runner" : "passer",
           ploy_squad_scripts_text(scripts, request->kind));
    return PLOY_OK;
}
static ploy_result step(void *user, ploy_action_id id, const ploy_action_request *request, float dt,
                        ploy_status *status) {
    (void)user, (void)id, (void)request, (void)dt;
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_squad_scripts *scripts = NULL;
    if (ploy_diags_create(8, &env, &diags) != PLOY_OK) return 1;
    if (ploy_squad_scripts_load(broken, strlen(broken), "pass", &env, diags, &scripts) != PLOY_OK) {
        return 1;
    }
    printf("%d deadlocks\n", (int)ploy_squad_scripts_lint(scripts, diags));
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        printf("line %d: %s\n", (int)ploy_diags_get(diags, i)->line,
               ploy_diags_get(diags, i)->message);
    }
    ploy_squad_scripts_destroy(scripts);

    if (ploy_squad_scripts_load(mended, strlen(mended), "pass", &env, diags, &scripts) != PLOY_OK) {
        return 1;
    }
    ploy_action_host host;
    memset(&host, 0, sizeof host);
    ploy_action_controller body = {begin, step, NULL, scripts};
    host.move = host.animate = body;
    ploy_actions_def actions_def = ploy_actions_def_default();
    ploy_signals_def signals_def = ploy_signals_def_default();
    ploy_actions *actions = NULL;
    ploy_signals *signals = NULL;
    ploy_squad_run *run = NULL;
    const ploy_agent_id team[2] = {ploy_agent_id_make(1, 1), ploy_agent_id_make(2, 1)};
    if (ploy_actions_create(&actions_def, &host, &env, &actions) != PLOY_OK ||
        ploy_signals_create(&signals_def, &env, &signals) != PLOY_OK ||
        ploy_squad_run_create(scripts, signals, 1, &env, &run) != PLOY_OK ||
        ploy_squad_run_begin(run, 0, team, 2, 0.0) != PLOY_OK) {
        return 1;
    }
    double now = 0.0;
    for (; ploy_squad_run_step(run, actions, now, 0.1f, NULL) == PLOY_IN_PROGRESS; now += 0.1) {
        if (ploy_actions_step(actions, 0.1f) != PLOY_OK) return 1;
    }
    printf("%s after %.1f s\n", ploy_squad_outcome_text(ploy_squad_run_outcome_of(run)), now);
    ploy_squad_run_destroy(run);
    ploy_actions_destroy(actions);
    ploy_signals_destroy(signals);
    ploy_squad_scripts_destroy(scripts);
    ploy_diags_destroy(diags);
    return 0;
}
