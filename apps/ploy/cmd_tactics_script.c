// ploy tactics script check | run: squad scripts, linted or run with actions of random length.
#include "apps/ploy/tactics.h"

#include <stdio.h>
#include <string.h>

#include "ploy/base/os.h"
#include "ploy/base/rng.h"
#include "ploy/tactics/squad_run.h"

enum { SCRIPT_TICKS_MAX = 20000, SCRIPT_ACTIONS_MAX = 256 };

static const float script_dt = 0.1f; // s

typedef struct script_run {
    ploy_env env;
    ploy_diags *diags;
    ploy_squad_scripts *scripts;
    ploy_signals *signals;
    ploy_squad_run *run;
    ploy_actions *actions;
    ploy_rng rng;
    ploy_json_writer *json; // NULL: lines for people
    int32_t index;          // the script that runs
    double now;
    int32_t left[SCRIPT_ACTIONS_MAX]; // ticks of each action under way
    const char *path, *script;
    uint64_t seed;
    bool as_json;
} script_run;

static int script_close(script_run *run, int status) {
    ploy_squad_run_destroy(run->run);
    ploy_actions_destroy(run->actions);
    ploy_signals_destroy(run->signals);
    ploy_squad_scripts_destroy(run->scripts);
    ploy_diags_destroy(run->diags);
    return status;
}

// Reads the file. -1, or the exit status.
static int script_load(script_run *run) {
    run->env = cli_env();
    ploy_buffer bytes;
    ploy_result result = ploy_diags_create(64, &run->env, &run->diags);
    if (result != PLOY_OK) return cli_error_result(run->path, result);
    result = ploy_os_read_file(run->path, (size_t)1 << 24, &run->env, &bytes);
    if (result != PLOY_OK) return cli_error_read(run->path, result);
    result = ploy_squad_scripts_load(bytes.bytes, bytes.size, run->path, &run->env, run->diags,
                                     &run->scripts);
    ploy_buffer_fini(&bytes);
    if (result == PLOY_OK) return -1;
    return ploy_diags_count(run->diags) > 0 ? cli_error_diags(run->diags)
                                            : cli_error_result(run->path, result);
}

static int script_check(script_run *run) {
    int32_t errors = ploy_squad_scripts_lint(run->scripts, run->diags);
    if (run->as_json) {
        cli_print_findings(run->path, run->diags);
        return errors > 0 ? CLI_NO : CLI_OK;
    }
    for (int32_t i = 0; i < ploy_diags_count(run->diags); i++) {
        char line[4 * PLOY_DIAG_TEXT_MAX];
        ploy_diag_print(ploy_diags_get(run->diags, i), line, sizeof line);
        printf("%s\n", line);
    }
    for (int32_t i = 0; i < ploy_squad_scripts_count(run->scripts); i++) {
        bool blocks = ploy_squad_scripts_deadlock(run->scripts, i) != 0;
        int32_t actors = ploy_squad_scripts_actors(run->scripts, i), steps = 0;
        for (int32_t k = 0; k < actors; k++) steps += ploy_squad_scripts_steps(run->scripts, i, k);
        printf("%s: %d actors, %d steps, %s\n", ploy_squad_scripts_name(run->scripts, i),
               (int)actors, (int)steps, blocks ? "deadlock" : "ok");
    }
    return errors > 0 ? CLI_NO : CLI_OK;
}

// ---- running: a body whose actions take as long as the seed says

static const char *script_actor(const script_run *run, ploy_agent_id agent) {
    return ploy_squad_scripts_actor(run->scripts, run->index, (int32_t)agent.id.index - 1);
}

static void script_say(script_run *run, const char *actor, const char *what, ploy_name name,
                       ploy_name style) {
    const char *text = ploy_squad_scripts_text(run->scripts, name);
    const char *more = ploy_squad_scripts_text(run->scripts, style);
    if (run->json == NULL) {
        printf("%6.1f s  %-12s %s %s%s%s\n", run->now, actor, what, text != NULL ? text : "",
               more != NULL ? " " : "", more != NULL ? more : "");
        return;
    }
    ploy_json_write_begin_object(run->json);
    ploy_json_write_key(run->json, "time");
    ploy_json_write_f64(run->json, run->now);
    ploy_json_write_key(run->json, "actor");
    ploy_json_write_text(run->json, actor);
    ploy_json_write_key(run->json, what);
    ploy_json_write_text(run->json, text != NULL ? text : "");
    ploy_json_write_end_object(run->json);
}

static ploy_result script_begin(void *user, ploy_action_id id, const ploy_action_request *request) {
    script_run *run = user;
    // Longer where the script does not say how long: a walk, a climb.
    run->left[id.id.index % SCRIPT_ACTIONS_MAX] = ploy_rng_int(&run->rng, 2, 40);
    script_say(run, script_actor(run, request->agent), "begins", request->kind, request->style);
    return PLOY_OK;
}

static ploy_result script_step(void *user, ploy_action_id id, const ploy_action_request *request,
                               float dt, ploy_status *status) {
    script_run *run = user;
    (void)dt;
    *status = --run->left[id.id.index % SCRIPT_ACTIONS_MAX] > 0 ? PLOY_STATUS_RUNNING
                                                                : PLOY_STATUS_SUCCESS;
    if (*status == PLOY_STATUS_RUNNING) return PLOY_OK;
    script_say(run, script_actor(run, request->agent), "ends", request->kind, request->style);
    return PLOY_OK;
}

// External signals come from the game: here one every ten seconds, in the order of the file.
static ploy_result script_outside(script_run *run, int32_t tick) {
    if (tick == 0 || tick % 100 != 0) return PLOY_OK;
    const char *text = ploy_squad_scripts_external(run->scripts, run->index, tick / 100 - 1);
    if (text == NULL) return PLOY_OK;
    ploy_name name = ploy_name_of(text), none = {0};
    script_say(run, "game", "signals", name, none);
    return ploy_signals_set(run->signals, 1, name, run->now);
}

static ploy_result script_make(script_run *run) {
    ploy_signals_def signals = ploy_signals_def_default();
    ploy_actions_def actions = ploy_actions_def_default();
    ploy_action_host host;
    memset(&host, 0, sizeof host);
    ploy_action_controller controller = {script_begin, script_step, NULL, run};
    host.move = host.animate = host.change = host.think = host.present = controller;
    run->rng = ploy_rng_make(run->seed);
    ploy_result result = ploy_signals_create(&signals, &run->env, &run->signals);
    if (result == PLOY_OK) result = ploy_actions_create(&actions, &host, &run->env, &run->actions);
    if (result == PLOY_OK) {
        result = ploy_squad_run_create(run->scripts, run->signals, 1, &run->env, &run->run);
    }
    ploy_agent_id agents[PLOY_SQUAD_ACTORS_MAX];
    int32_t count = ploy_squad_scripts_actors(run->scripts, run->index);
    for (int32_t i = 0; i < count; i++) agents[i] = ploy_agent_id_make((uint32_t)i + 1, 1);
    if (result == PLOY_OK) result = ploy_squad_run_begin(run->run, run->index, agents, count, 0.0);
    return result;
}

// Until the script ends. A deadlock never does, so that there is a limit.
static ploy_result script_loop(script_run *run) {
    ploy_result result = PLOY_OK;
    for (int32_t tick = 0; tick < SCRIPT_TICKS_MAX && result == PLOY_OK; tick++) {
        run->now = (double)tick / 10.0;
        result = script_outside(run, tick);
        if (result != PLOY_OK) return result;
        result = ploy_squad_run_step(run->run, run->actions, run->now, script_dt, NULL);
        if (ploy_squad_run_outcome_of(run->run) != PLOY_SQUAD_RUNNING) return result;
        if (result >= PLOY_OK) result = ploy_actions_step(run->actions, script_dt);
    }
    return result;
}

static int script_finish(script_run *run) {
    ploy_squad_outcome outcome = ploy_squad_run_outcome_of(run->run);
    ploy_squad_reason reason = ploy_squad_run_reason_of(run->run);
    const char *text = ploy_squad_outcome_text(outcome);
    if (outcome == PLOY_SQUAD_RUNNING) text = "deadlock";
    if (run->json == NULL) {
        printf("%s after %.1f s", text, run->now);
        if (reason != PLOY_SQUAD_NO_REASON) {
            printf(": %s at line %d", ploy_squad_reason_text(reason),
                   (int)ploy_squad_run_line(run->run));
        }
        printf("\n");
        for (int32_t i = 0; outcome == PLOY_SQUAD_RUNNING; i++) {
            ploy_squad_actor_info info;
            if (ploy_squad_run_actor(run->run, i, &info) != PLOY_OK) break;
            if (info.line > 0)
                printf("%s waits at line %d\n", script_actor(run, info.agent), (int)info.line);
        }
        return outcome == PLOY_SQUAD_DONE ? CLI_OK : CLI_NO;
    }
    ploy_json_write_end_array(run->json);
    ploy_json_write_key(run->json, "outcome");
    ploy_json_write_text(run->json, text);
    ploy_json_write_key(run->json, "reason");
    ploy_json_write_text(run->json, ploy_squad_reason_text(reason));
    ploy_json_write_key(run->json, "line");
    ploy_json_write_i64(run->json, ploy_squad_run_line(run->run));
    ploy_json_write_key(run->json, "seconds");
    ploy_json_write_f64(run->json, run->now);
    ploy_json_write_end_object(run->json);
    return outcome == PLOY_SQUAD_DONE ? CLI_OK : CLI_NO;
}

static int script_execute(script_run *run) {
    const char *wanted = run->script;
    run->index = 0;
    if (wanted != NULL) {
        run->index = ploy_squad_scripts_find(run->scripts, wanted);
        ploy_nearest nearest = ploy_nearest_make(wanted);
        for (int32_t i = 0; i < ploy_squad_scripts_count(run->scripts); i++) {
            ploy_nearest_offer(&nearest, ploy_squad_scripts_name(run->scripts, i));
        }
        if (run->index < 0) return cli_error_near("the file has no script", wanted, nearest.best);
    }
    ploy_writer writer = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    if (run->as_json) {
        run->json = &json;
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "script");
        ploy_json_write_text(&json, ploy_squad_scripts_name(run->scripts, run->index));
        ploy_json_write_key(&json, "events");
        ploy_json_write_begin_array(&json);
    }
    ploy_result result = script_make(run);
    if (result == PLOY_OK) result = script_loop(run);
    if (result < PLOY_OK) return cli_error_result(run->path, result);
    int status = script_finish(run);
    if (run->as_json && ploy_json_writer_finish(&json) == PLOY_OK) printf("\n");
    return status;
}

int tactics_script(const cli_group *outer, int32_t which, int argc, char **argv) {
    (void)outer, (void)which;
    static const cli_command commands[] = {
        {"check", "F [--json]", "Reads squad scripts and reports deadlocks and doubts.", 1, 1},
        {"run", "F [--script NAME] [--seed S] [--json]",
         "Runs a squad script with actions of random length.", 1, 1},
    };
    static const cli_group group = {"tactics script",
                                    "Squad scripts: signals, waits, joint actions.", commands, 2};
    int status = 0;
    int32_t command = cli_choose(&group, argc, argv, &status);
    if (command < 0) return status;
    script_run run;
    memset(&run, 0, sizeof run);
    run.seed = 1;
    const cli_option options[] = {
        {"--json", CLI_FLAG, &run.as_json, NULL, "print one JSON object"},
        {"--script", CLI_TEXT, &run.script, "NAME",
         "which script of the file (default: the first)"},
        {"--seed", CLI_U64, &run.seed, "S", "of the lengths of actions (default 1)"},
    };
    const char *words[1] = {NULL};
    status = cli_parse_command(&group, command, options, command == 0 ? 1 : 3, argc - 1, argv + 1,
                               words);
    if (status >= 0) return status;
    run.path = words[0];
    status = script_load(&run);
    if (status < 0) status = command == 0 ? script_check(&run) : script_execute(&run);
    return script_close(&run, status);
}
