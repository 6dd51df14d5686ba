// ploy replay F: opens a recording by executing it again.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "ploy/base/os.h"

enum { REPLAY_SLICE = 256, REPLAY_WORST_MAX = 1000 };

// The most expensive ticks so far, the most expensive first; among equals the earlier.
typedef struct replay_worst {
    ploy_workload loads[REPLAY_WORST_MAX];
    int64_t wanted;
    int32_t count;
    bool missing; // the simulation does not report its load
} replay_worst;

static void replay_note(replay_worst *worst, const ploy_sim *sim) {
    ploy_workload load;
    ploy_result result = ploy_sim_workload(sim, &load);
    worst->missing = result == PLOY_ERR_UNSUPPORTED;
    if (result != PLOY_OK) return;
    int32_t at = worst->count;
    while (at > 0 && worst->loads[at - 1].spent < load.spent) at--;
    if (at >= worst->wanted) return;
    int32_t last = worst->count < worst->wanted ? worst->count++ : worst->count - 1;
    for (int32_t i = last; i > at; i--) worst->loads[i] = worst->loads[i - 1];
    worst->loads[at] = load;
}

static void replay_write_number(ploy_json_writer *json, const char *key, int64_t value) {
    ploy_json_write_key(json, key);
    ploy_json_write_i64(json, value);
}

static ploy_result replay_write_json(const replay_worst *worst, ploy_writer *out) {
    ploy_json_writer json;
    ploy_json_writer_init(&json, out, 0);
    ploy_json_write_begin_array(&json);
    for (int32_t i = 0; i < worst->count; i++) {
        const ploy_workload *load = &worst->loads[i];
        ploy_json_write_begin_object(&json);
        replay_write_number(&json, "tick", (int64_t)load->tick);
        ploy_json_write_key(&json, "units");
        if (load->units == PLOY_BUDGET_UNLIMITED) {
            ploy_json_write_null(&json);
        } else {
            ploy_json_write_i64(&json, load->units);
        }
        replay_write_number(&json, "spent", load->spent);
        replay_write_number(&json, "due", load->due);
        replay_write_number(&json, "ran", load->ran);
        replay_write_number(&json, "put_off", load->put_off);
        ploy_json_write_key(&json, "dearest");
        ploy_json_write_begin_array(&json);
        for (int32_t k = 0; k < load->top_count; k++) {
            ploy_json_write_begin_object(&json);
            ploy_json_write_key(&json, "behavior");
            ploy_json_write_text(&json, load->top[k].name);
            replay_write_number(&json, "agent", load->top[k].agent.id.index);
            replay_write_number(&json, "units", load->top[k].units);
            ploy_json_write_end_object(&json);
        }
        ploy_json_write_end_array(&json);
        ploy_json_write_end_object(&json);
    }
    ploy_json_write_end_array(&json);
    return ploy_json_writer_finish(&json);
}

static ploy_result replay_write_text(const replay_worst *worst, ploy_writer *out) {
    for (int32_t i = 0; i < worst->count; i++) {
        const ploy_workload *load = &worst->loads[i];
        char text[256];
        snprintf(text, sizeof text, "tick %llu: spent %lld", (unsigned long long)load->tick,
                 (long long)load->spent);
        ploy_write_text(out, text);
        if (load->units != PLOY_BUDGET_UNLIMITED) {
            ploy_write_text(out, " of ");
            ploy_write_i64(out, load->units);
        }
        snprintf(text, sizeof text, " units, %d due, %d ran, %d put off", (int)load->due,
                 (int)load->ran, (int)load->put_off);
        ploy_write_text(out, text);
        for (int32_t k = 0; k < load->top_count; k++) {
            snprintf(text, sizeof text, "%s %.80s of agent %u: %lld", k == 0 ? ";" : ",",
                     load->top[k].name, (unsigned)load->top[k].agent.id.index,
                     (long long)load->top[k].units);
            ploy_write_text(out, text);
        }
        ploy_write_char(out, '\n');
    }
    return ploy_writer_result(out);
}

// Goes to a tick in slices; one by one if the most expensive ticks are requested.
static ploy_result replay_advance(ploy_recorder *recorder, uint64_t until, replay_worst *worst) {
    ploy_budget budget = ploy_budget_units(REPLAY_SLICE);
    if (worst == NULL) return ploy_recorder_seek(recorder, until, &budget);
    uint64_t tick = ploy_recorder_tick(recorder);
    for (int32_t i = 0; i < REPLAY_SLICE && tick < until; i++) {
        ploy_result result = ploy_recorder_seek(recorder, ++tick, NULL);
        if (result != PLOY_OK) return result;
        replay_note(worst, ploy_recorder_sim(recorder));
    }
    return tick < until ? PLOY_IN_PROGRESS : PLOY_OK;
}

static int replay(ploy_recorder *recorder, uint64_t until, bool verify, replay_worst *worst,
                  cli_report *report, const ploy_env *env) {
    uint64_t end = ploy_recorder_end(recorder);
    if (until > end) until = end;
    cli_progress progress = cli_progress_begin("replaying", until, true);
    uint64_t begun = ploy_os_clock_ns();
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        result = replay_advance(recorder, until, worst);
        cli_progress_step(&progress, ploy_recorder_tick(recorder));
    }
    cli_progress_end(&progress);
    report->nanoseconds = ploy_os_clock_ns() - begun;
    report->ticks_run = until;
    // A hash on the way that differs ends the seek: the recording does not replay.
    if (result == PLOY_ERR_STATE) {
        report->verified = "no";
        if (report->json || verify) cli_report_print(report, recorder, env);
        return CLI_NO;
    }
    if (result != PLOY_OK) return cli_error_result("replay", result);
    if (verify) report->verified = "yes";
    if (worst == NULL) return cli_report_print(report, recorder, env);
    if (worst->missing) {
        return cli_error("cannot list costs, not reported by simulation",
                         ploy_sim_type_of(ploy_recorder_sim(recorder))->name);
    }
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer out = ploy_buffer_writer(&buffer);
    result = report->json ? replay_write_json(worst, &out) : replay_write_text(worst, &out);
    report->worst = ploy_buffer_text(&buffer);
    int status = result == PLOY_OK ? cli_report_print(report, recorder, env)
                                   : cli_error_result("--worst", result);
    report->worst = NULL;
    ploy_buffer_fini(&buffer);
    return status;
}

int cmd_replay(int argc, char **argv) {
    cli_report report = {0};
    report.width = 800;
    uint64_t until = UINT64_MAX;
    bool verify = false;
    static replay_worst worst; // a program has one command
    cli_option options[16] = {
        {"--until", CLI_U64, &until, "T", "stop at this tick instead of the end"},
        {"--verify", CLI_FLAG, &verify, NULL, "report whether every recorded hash was reproduced"},
        {"--worst", CLI_COUNT, &worst.wanted, "N",
         "list the N most expensive ticks and which agents spent the work"},
    };
    int32_t count = 3 + cli_report_options(&report, options + 3);
    const cli_usage usage = {"replay",
                             "FILE [options]",
                             "Executes a recording again and compares every state hash in it.\n"
                             "Exit status 1 if one differs.",
                             options,
                             count,
                             1,
                             1};
    const char *words[1];
    int status = cli_parse(&usage, argc, argv, words);
    if (status >= 0) return status;
    if (worst.wanted > REPLAY_WORST_MAX) return cli_error("--worst expects at most 1000", NULL);
    ploy_env env = cli_env();
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, &env);
    ploy_result result = ploy_os_read_file(words[0], (size_t)1 << 30, &env, &bytes);
    if (result != PLOY_OK) return cli_error_read(words[0], result);
    ploy_diags *diags = NULL;
    ploy_recorder *recorder = NULL;
    result = ploy_diags_create(32, &env, &diags);
    if (result == PLOY_OK) {
        ploy_recorder_def def = ploy_recorder_def_default();
        result = ploy_recorder_load(bytes.bytes, bytes.size, words[0], cli_sims(), &def, NULL, &env,
                                    diags, &recorder);
    }
    if (result != PLOY_OK) {
        if (diags != NULL) cli_error_diags(diags);
        if (diags == NULL || ploy_diags_count(diags) == 0) cli_error_result(words[0], result);
        status = CLI_USAGE;
    } else {
        if (ploy_diags_count(diags) > 0)
            cli_error_diags(diags); // a truncated one is only warned of
        status = replay(recorder, until, verify, worst.wanted > 0 ? &worst : NULL, &report, &env);
    }
    ploy_recorder_destroy(recorder);
    ploy_diags_destroy(diags);
    ploy_buffer_fini(&bytes);
    return status;
}
