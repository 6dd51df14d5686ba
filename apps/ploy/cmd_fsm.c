// ploy fsm run | check | lint | draw | convert: statecharts from SCXML and JSON files.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "apps/ploy/fsm_words.h"
#include "ploy/base/name.h"
#include "ploy/base/number.h"
#include "ploy/base/os.h"
#include "ploy/data/machine.h"
#include "ploy/decide/hsm_chart.h"

// What every subcommand holds.
typedef struct fsm_run {
    ploy_env env;
    ploy_diags *diags;
    ploy_machine *machine;
    ploy_hsm_type *type;
    ploy_hsm *hsm;
    ploy_hsm_chart *chart;
    ploy_fsm_type *flat_type; // of a flat machine
    ploy_fsm *flat;
    fsm_words stand_ins;
    bool stands; // stand_ins is set
    cli_texts sets;
    ploy_step_context context;
    bool started, done;
    const char *words[2];
    const char *events, *svg, *png, *wait;
    double patience;
    cli_progress bar; // over the events and the seconds to wait
    uint64_t sent;    // events
    int64_t width;
    bool json;
} fsm_run;

static bool fsm_ends_in(const char *path, const char *ending) {
    size_t size = strlen(path), length = strlen(ending);
    return size >= length && strcmp(path + size - length, ending) == 0;
}

static bool fsm_is_json(const char *path) {
    return fsm_ends_in(path, ".json");
}

// What went wrong with a file: its diagnostics, or the result.
static int fsm_failed(const fsm_run *run, const char *path, ploy_result result) {
    return ploy_diags_count(run->diags) > 0 ? cli_error_diags(run->diags)
                                            : cli_error_result(path, result);
}

// Reads the machine, and builds it. -1, or the exit status.
static int fsm_load(fsm_run *run) {
    const char *path = run->words[0];
    ploy_buffer bytes;
    if (run->wait != NULL &&
        (ploy_parse_f64(run->wait, strlen(run->wait), NULL, &run->patience) != PLOY_OK ||
         !(run->patience >= 0.0 && run->patience <= 1e6))) {
        return cli_error("--wait expects seconds, found", run->wait);
    }
    ploy_result result = ploy_os_read_file(path, (size_t)1 << 28, &run->env, &bytes);
    if (result != PLOY_OK) return cli_error_read(path, result);
    result = fsm_is_json(path) ? ploy_machine_load_json(bytes.bytes, bytes.size, path, &run->env,
                                                        run->diags, &run->machine)
                               : ploy_machine_load_scxml(bytes.bytes, bytes.size, path, &run->env,
                                                         run->diags, &run->machine);
    ploy_buffer_fini(&bytes);
    return result == PLOY_OK ? -1 : fsm_failed(run, path, result);
}

// Actions and conditions that the file does not define represent themselves.
static int fsm_stand_in(fsm_run *run) {
    run->stands = true;
    ploy_result result = fsm_words_init(&run->stand_ins, run->machine, &run->env);
    if (result != PLOY_OK) return cli_error_result(run->words[0], result);
    run->context.blackboard = run->stand_ins.board;
    int status = -1;
    for (int32_t i = 0; i < run->sets.count && status < 0; i++) {
        status = fsm_words_set(&run->stand_ins, run->sets.items[i]);
    }
    return status;
}

static int fsm_build(fsm_run *run) {
    int status = run->machine == NULL ? fsm_load(run) : -1;
    if (status < 0) status = fsm_stand_in(run);
    if (status >= 0) return status;
    ploy_result result = ploy_machine_build(run->machine, NULL, &run->stand_ins.words, &run->env,
                                            run->diags, &run->type);
    return result == PLOY_OK ? -1 : fsm_failed(run, run->words[0], result);
}

static int fsm_build_flat(fsm_run *run) {
    int status = fsm_stand_in(run);
    if (status >= 0) return status;
    ploy_result result = ploy_machine_build_fsm(run->machine, NULL, &run->stand_ins.words,
                                                &run->env, run->diags, &run->flat_type);
    return result == PLOY_OK ? -1 : fsm_failed(run, run->words[0], result);
}

// ---- run

static ploy_result fsm_step(fsm_run *run) {
    ploy_status status = PLOY_STATUS_RUNNING;
    if (run->done) return PLOY_OK;
    ploy_behavior mind =
        run->flat != NULL ? ploy_fsm_behavior(run->flat) : ploy_hsm_behavior(run->hsm);
    ploy_result result = ploy_behavior_step(mind, &run->context, &status);
    run->done = status != PLOY_STATUS_RUNNING;
    run->context.tick++;
    cli_progress_step(&run->bar, run->sent + (uint64_t)run->context.now);
    return result;
}

// Lets so many seconds pass, with a step whenever something is due.
static ploy_result fsm_wait(fsm_run *run, double seconds, bool to_the_end) {
    double until = run->context.now + seconds, due = 0.0;
    ploy_result result = PLOY_OK;
    if (run->flat != NULL) { // in steps of a tenth of a second, as a game would
        while (!run->done && result == PLOY_OK && run->context.now < until - 1e-9) {
            double left = until - run->context.now;
            run->context.dt = (float)(left < 0.1 ? left : 0.1);
            run->context.now += (double)run->context.dt;
            result = fsm_step(run);
        }
        run->context.dt = 0.0f;
        return result;
    }
    while (!run->done && result == PLOY_OK && ploy_hsm_next_due(run->hsm, &due) && due <= until) {
        run->context.now = due;
        result = fsm_step(run);
    }
    if (!to_the_end) run->context.now = until;
    return result;
}

static ploy_result fsm_print(fsm_run *run, const char *event) {
    cli_progress_hide(&run->bar);
    ploy_buffer active;
    ploy_buffer_init(&active, 0, &run->env);
    ploy_writer writer = ploy_buffer_writer(&active);
    ploy_result result = PLOY_OK;
    if (run->flat != NULL) {
        ploy_write_text(&writer, ploy_fsm_type_id(run->flat_type, ploy_fsm_current(run->flat)));
    } else {
        result = ploy_machine_write_active(run->hsm, &run->env, &writer);
    }
    if (result == PLOY_OK && !run->json) {
        printf("%-16s %s\n", event, ploy_buffer_text(&active));
    } else if (result == PLOY_OK) {
        ploy_writer out = cli_stream_writer(stdout);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &out, 0);
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "event");
        ploy_json_write_text(&json, event);
        ploy_json_write_key(&json, "time");
        ploy_json_write_f64(&json, run->context.now);
        ploy_json_write_key(&json, "configuration");
        ploy_json_write_begin_array(&json);
        const char *at = ploy_buffer_text(&active);
        while (*at != '\0') {
            size_t size = strcspn(at, " ");
            ploy_json_write_text_bytes(&json, at, size);
            at += size + (at[size] == ' ');
        }
        ploy_json_write_end_array(&json);
        ploy_json_write_key(&json, "done");
        ploy_json_write_bool(&json, run->done);
        ploy_json_write_end_object(&json);
        (void)ploy_json_writer_finish(&json);
        putchar('\n');
    }
    ploy_buffer_fini(&active);
    return result;
}

// One item of --events: a name, or +SECONDS to wait.
typedef struct fsm_item {
    char name[256];
    double seconds; // to wait; negative for an event
} fsm_item;

// -1, or the exit status. *next is where the item after it begins, NULL after the last.
static int fsm_read_item(const fsm_run *run, const char *text, fsm_item *out, const char **next) {
    size_t size = strcspn(text, ",");
    if (size == 0 || size >= sizeof out->name) {
        return cli_error("--events expects A,B,C, found", run->events);
    }
    memcpy(out->name, text, size);
    out->name[size] = '\0';
    out->seconds = -1.0;
    if (out->name[0] == '+' &&
        (ploy_parse_f64(out->name + 1, size - 1, NULL, &out->seconds) != PLOY_OK ||
         !(out->seconds >= 0.0 && out->seconds <= 1e6))) {
        return cli_error("--events expects +SECONDS to wait, found", out->name);
    }
    *next = text[size] == ',' ? text + size + 1 : NULL;
    return -1;
}

// -1, or the exit status.
static int fsm_event(fsm_run *run, const fsm_item *item) {
    const char *name = item->name;
    ploy_result result = PLOY_OK;
    if (item->seconds >= 0.0) {
        result = fsm_wait(run, item->seconds, false);
    } else if (strchr(name, '=') != NULL) {
        int status = fsm_words_set(&run->stand_ins, name);
        if (status >= 0) return status;
        result = fsm_step(run);
    } else if (run->flat != NULL) {
        ploy_message message;
        bool handled = false;
        memset(&message, 0, sizeof message);
        message.kind = ploy_name_of(name);
        result =
            ploy_behavior_message(ploy_fsm_behavior(run->flat), &run->context, &message, &handled);
        if (result == PLOY_OK) result = fsm_step(run);
    } else {
        ploy_hsm_event event = ploy_hsm_event_make(name);
        if (!run->done) result = ploy_hsm_send(run->hsm, &event);
        if (result == PLOY_OK) result = fsm_step(run);
    }
    if (result == PLOY_OK) result = fsm_print(run, name);
    return result == PLOY_OK ? -1 : cli_error_result(name, result);
}

static int run_run(fsm_run *run) {
    fsm_item item;
    int status = -1;
    double most = 1.0;
    // All are read before the first is sent: a slip in the last shall not cost half an answer.
    for (const char *at = run->events; at != NULL && status < 0;) {
        status = fsm_read_item(run, at, &item, &at);
        if (status < 0) most += item.seconds >= 0.0 ? item.seconds : 1.0;
    }
    run->bar = cli_progress_begin("running", most < 1e18 ? (uint64_t)most : 0, true);
    if (status < 0) status = fsm_load(run);
    if (status >= 0) return status;
    bool flat = ploy_machine_is_flat(run->machine);
    status = flat ? fsm_build_flat(run) : fsm_build(run);
    if (status >= 0) return status;
    ploy_result result = flat ? ploy_fsm_create(run->flat_type, NULL, &run->env, &run->flat)
                              : ploy_hsm_create(run->type, NULL, &run->env, &run->hsm);
    if (result == PLOY_OK) {
        run->started = true;
        result = ploy_behavior_enter(
            flat ? ploy_fsm_behavior(run->flat) : ploy_hsm_behavior(run->hsm), &run->context);
    }
    if (result == PLOY_OK) result = fsm_step(run);
    if (result == PLOY_OK) result = fsm_print(run, "");
    if (result != PLOY_OK) return cli_error_result(run->words[0], result);
    for (const char *at = run->events; at != NULL && status < 0;) {
        status = fsm_read_item(run, at, &item, &at);
        if (status < 0) status = fsm_event(run, &item);
        run->sent += item.seconds < 0.0;
    }
    cli_progress_end(&run->bar);
    double due;
    if (status < 0 && !flat && run->patience > 0.0 && ploy_hsm_next_due(run->hsm, &due)) {
        result = fsm_wait(run, run->patience, true);
        if (result == PLOY_OK) result = fsm_print(run, "+");
        if (result != PLOY_OK) return cli_error_result(run->words[0], result);
    }
    return status < 0 ? CLI_OK : status;
}

// ---- the others

static int run_check(fsm_run *run) {
    int status = fsm_build(run);
    if (status >= 0) return status;
    const char *path = run->words[1];
    ploy_buffer bytes;
    ploy_result result = ploy_os_read_file(path, (size_t)1 << 26, &run->env, &bytes);
    if (result != PLOY_OK) return cli_error_read(path, result);
    ploy_machine_report report;
    result = ploy_machine_compare(run->type, bytes.bytes, bytes.size, path, run->patience,
                                  &run->env, run->diags, &report);
    ploy_buffer_fini(&bytes);
    if (result != PLOY_OK) return fsm_failed(run, path, result);
    if (run->json) {
        ploy_writer out = cli_stream_writer(stdout);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &out, 0);
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "same");
        ploy_json_write_bool(&json, report.same);
        ploy_json_write_key(&json, "checks");
        ploy_json_write_i64(&json, report.checks);
        ploy_json_write_key(&json, "event");
        ploy_json_write_i64(&json, report.event);
        ploy_json_write_key(&json, "want");
        ploy_json_write_text(&json, report.want);
        ploy_json_write_key(&json, "got");
        ploy_json_write_text(&json, report.got);
        ploy_json_write_end_object(&json);
        (void)ploy_json_writer_finish(&json);
        putchar('\n');
    } else if (report.same) {
        printf("%d configurations, all equal\n", (int)report.checks);
    } else if (report.event < 0) {
        printf("at the start: expected '%s', found '%s'\n", report.want, report.got);
    } else {
        printf("after event %d: expected '%s', found '%s'\n", (int)report.event + 1, report.want,
               report.got);
    }
    return report.same ? CLI_OK : CLI_NO;
}

// Doubts about a flat machine. -1, or the exit status.
static int fsm_lint_flat(fsm_run *run, int32_t *count) {
    int status = fsm_build_flat(run);
    if (status < 0) *count = ploy_fsm_type_lint(run->flat_type, run->diags);
    return status;
}

static int run_lint(fsm_run *run) {
    int32_t count = 0;
    int status = fsm_load(run);
    if (status < 0 && ploy_machine_is_flat(run->machine)) {
        status = fsm_lint_flat(run, &count);
    } else if (status < 0) {
        status = fsm_build(run);
        if (status < 0) count = ploy_hsm_type_lint(run->type, run->diags);
    }
    if (status >= 0) return status;
    if (count < 0) return cli_error_result("lint", (ploy_result)count);
    if (run->json) {
        cli_print_findings(run->words[0], run->diags);
        return count == 0 ? CLI_OK : CLI_NO;
    }
    for (int32_t i = 0; i < ploy_diags_count(run->diags); i++) {
        printf("%s: %s\n", run->words[0], ploy_diags_get(run->diags, i)->message);
    }
    if (count == 0) printf("%s: no findings\n", run->words[0]);
    return count == 0 ? CLI_OK : CLI_NO;
}

static void fsm_draw(const void *subject, ploy_draw *out) {
    ploy_hsm_chart_draw(subject, NULL, ploy_vec2_make(0.0f, 0.0f), ploy_agent_id_none(), out);
}

static int run_draw(fsm_run *run) {
    if (run->svg == NULL && run->png == NULL) return cli_error("draw needs --svg or --png", NULL);
    int status = fsm_build(run);
    if (status >= 0) return status;
    ploy_result result = ploy_hsm_chart_create(run->type, &run->env, &run->chart);
    if (result != PLOY_OK) return cli_error_result("draw", result);
    ploy_box2 box = ploy_hsm_chart_box(run->chart, ploy_hsm_root());
    const float view[4] = {box.min.x, box.min.y, box.max.x, box.max.y};
    cli_picture picture = {view, run->width, fsm_draw, run->chart};
    if (run->svg != NULL) status = cli_write_svg(run->svg, &picture, &run->env);
    if (status < 0 && run->png != NULL) status = cli_write_png(run->png, &picture, &run->env);
    return status < 0 ? CLI_OK : status;
}

static int run_convert(fsm_run *run) {
    if (!fsm_is_json(run->words[1]) && !fsm_ends_in(run->words[1], ".scxml")) {
        return cli_error("expected an .scxml or .json file, found", run->words[1]);
    }
    int status = fsm_load(run);
    if (status >= 0) return status;
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &run->env);
    ploy_writer writer = ploy_buffer_writer(&text);
    ploy_result result = fsm_is_json(run->words[1])
                             ? ploy_machine_save_json(run->machine, &writer)
                             : ploy_machine_save_scxml(run->machine, &writer);
    status = result != PLOY_OK                      ? cli_error_result(run->words[1], result)
             : cli_write_file(run->words[1], &text) ? CLI_OK
                                                    : CLI_USAGE;
    ploy_buffer_fini(&text);
    return status;
}

static const cli_command fsm_commands[] = {
    {"run", "F.scxml|F.json [--events A,+SECONDS,KEY=VALUE] [options]",
     "Sends events to a machine and prints the innermost active states after each, then waits for "
     "delayed events. Actions do nothing; every name in a condition is a value, initially 0.",
     1, 1},
    {"check", "F.scxml|F.json SCRIPT.json [options]",
     "Compares the configuration after each event of a script; exit status 1 at the first "
     "difference. The comparison is made when the external queue is empty; some published scripts "
     "compare earlier.",
     2, 2},
    {"lint", "F.scxml|F.json [options]",
     "Reports states that are never reached or left and transitions that are never taken. Exit "
     "status 1 if there are any.",
     1, 1},
    {"draw", "F.scxml|F.json (--svg F | --png F) [options]", "Draws the statechart.", 1, 1},
    {"convert", "F.scxml|F.json TO.scxml|TO.json [options]",
     "Writes the machine in the other format.", 2, 2},
};
// In the order of the commands.
static int (*const fsm_runs[])(fsm_run *run) = {run_run, run_check, run_lint, run_draw,
                                                run_convert};

enum { FSM_COMMANDS = sizeof fsm_commands / sizeof fsm_commands[0] };
static const cli_group fsm_group = {
    "fsm", "Statecharts in SCXML files without a data model, or JSON.", fsm_commands, FSM_COMMANDS};

static int run_command(int32_t index, int argc, char **argv) {
    fsm_run run;
    memset(&run, 0, sizeof run);
    run.context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 0.0f);
    run.width = 1024;
    run.patience = 10.0;
    const cli_option options[] = {
        {"--events", CLI_TEXT, &run.events, "A,B,C",
         "events to send in order; +S waits S seconds, KEY=VALUE sets a value (run)"},
        {"--set", CLI_MANY, &run.sets, "KEY=VALUE",
         "set a value that conditions read (run, check)"},
        {"--wait", CLI_TEXT, &run.wait, "S",
         "seconds to wait for delayed events (run, check; default 10)"},
        {"--json", CLI_FLAG, &run.json, NULL, "print JSON, one object per line (run, check, lint)"},
        {"--svg", CLI_TEXT, &run.svg, "F", "write an SVG file ('-' for standard output) (draw)"},
        {"--png", CLI_TEXT, &run.png, "F", "write a PNG file (draw)"},
        {"--width", CLI_COUNT, &run.width, "N",
         "width of the picture in pixels (draw; default 1024)"},
    };
    int status =
        cli_parse_command(&fsm_group, index, options, (int32_t)(sizeof options / sizeof options[0]),
                          argc, argv, run.words);
    if (status >= 0) return status;
    run.env = cli_env();
    ploy_result result = ploy_diags_create(50, &run.env, &run.diags);
    status = result == PLOY_OK ? fsm_runs[index](&run) : cli_error_result("fsm", result);
    if (run.started) {
        ploy_behavior_exit(run.flat != NULL ? ploy_fsm_behavior(run.flat)
                                            : ploy_hsm_behavior(run.hsm),
                           &run.context, PLOY_EXIT_REMOVED);
    }
    ploy_fsm_destroy(run.flat);
    ploy_fsm_type_destroy(run.flat_type);
    ploy_hsm_chart_destroy(run.chart);
    ploy_hsm_destroy(run.hsm);
    ploy_hsm_type_destroy(run.type);
    if (run.stands) fsm_words_fini(&run.stand_ins);
    ploy_machine_destroy(run.machine);
    ploy_diags_destroy(run.diags);
    return status;
}

int cmd_fsm(int argc, char **argv) {
    int status = CLI_OK;
    int32_t index = cli_choose(&fsm_group, argc, argv, &status);
    return index >= 0 ? run_command(index, argc - 1, argv + 1) : status;
}
