// ploy replay F: opens a recording by executing it again.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "labs/labs.h"
#include "ploy/base/os.h"

enum { REPLAY_SLICE = 256 };

static int replay(ploy_recorder *recorder, uint64_t until, bool verify, cli_report *report,
                  const ploy_env *env) {
    uint64_t end = ploy_recorder_end(recorder);
    if (until > end) until = end;
    cli_progress progress = cli_progress_begin("replaying", until, !report->json);
    uint64_t begun = ploy_os_clock_ns();
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(REPLAY_SLICE);
        result = ploy_recorder_seek(recorder, until, &budget);
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
    return cli_report_print(report, recorder, env);
}

int cmd_replay(int argc, char **argv) {
    cli_report report = {0};
    report.width = 800;
    uint64_t until = UINT64_MAX;
    bool verify = false;
    cli_option options[16] = {
        {"--until", CLI_U64, &until, "T", "stop at that tick instead of the end"},
        {"--verify", CLI_FLAG, &verify, NULL, "say whether every recorded hash came out again"},
    };
    int32_t count = 2 + cli_report_options(&report, options + 2);
    const cli_usage usage = {
        "replay",
        "FILE [options]",
        "Executes a recording again. Every state hash in it is compared on the\n"
        "way; exit status 1 if one differs.",
        options,
        count,
        1,
        1};
    const char *words[1];
    int status = cli_parse(&usage, argc, argv, words);
    if (status >= 0) return status;
    ploy_env env = cli_env();
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, &env);
    ploy_result result = ploy_os_read_file(words[0], (size_t)1 << 30, &env, &bytes);
    if (result != PLOY_OK) {
        fprintf(stderr, "ploy: %s: %s\n", words[0], ploy_result_text(result));
        return CLI_USAGE;
    }
    ploy_diags *diags = NULL;
    ploy_recorder *recorder = NULL;
    result = ploy_diags_create(32, &env, &diags);
    if (result == PLOY_OK) {
        ploy_recorder_def def = ploy_recorder_def_default();
        result = ploy_recorder_load(bytes.bytes, bytes.size, words[0], ploy_labs(), &def, NULL,
                                    &env, diags, &recorder);
    }
    if (result != PLOY_OK) {
        if (diags != NULL) cli_error_diags(diags);
        if (diags == NULL || ploy_diags_count(diags) == 0) cli_error_result(words[0], result);
        status = CLI_USAGE;
    } else {
        status = replay(recorder, until, verify, &report, &env);
    }
    ploy_recorder_destroy(recorder);
    ploy_diags_destroy(diags);
    ploy_buffer_fini(&bytes);
    return status;
}
