// The command-line program's own small layer: options declared as tables, help made from them,
// errors on stderr with the nearest name, and exit status 0 (done), 1 (ran, the answer is no) or
// 2 (bad usage or input).
#pragma once

#include <stdio.h>

#include "ploy/base/diags.h"
#include "ploy/base/json_writer.h"
#include "ploy/base/writer.h"
#include "ploy/exec/sim.h"
#include "ploy/geom/box.h"
#include "ploy/inspect/inspector.h"
#include "ploy/inspect/recorder.h"

enum { CLI_OK = 0, CLI_NO = 1, CLI_USAGE = 2 };

typedef enum cli_type {
    CLI_FLAG,  // bool
    CLI_TEXT,  // const char *
    CLI_COUNT, // int64_t, 0 or more
    CLI_U64,   // uint64_t
    CLI_MANY   // cli_texts, may be given several times
} cli_type;

typedef struct cli_texts {
    const char *items[64];
    int32_t count;
} cli_texts;

typedef struct cli_option {
    const char *name; // "--ticks"
    cli_type type;
    void *value;
    const char *argument; // "N", shown in the help
    const char *help;
} cli_option;

// What a command takes, in the order in which the help shows it.
typedef struct cli_usage {
    const char *command; // "lab run"
    const char *line;    // "NAME [options]"
    const char *help;    // a sentence or two
    const cli_option *options;
    int32_t option_count;
    int32_t min_words, max_words; // words that are no options
} cli_usage;

// Reads the words after the command. Returns -1 to go on, or the exit status (help was requested, or
// something is wrong and was said). words gets max_words entries, NULL where there is none.
int cli_parse(const cli_usage *usage, int argc, char **argv, const char **words);

void cli_print_usage(const cli_usage *usage, bool to_stderr);

// A command with subcommands, such as `fuzzy`.
typedef struct cli_command {
    const char *name, *line, *help; // "eval"; the rest as in cli_usage
    int32_t min_words, max_words;
} cli_command;
typedef struct cli_group {
    const char *name, *help; // "fuzzy", a sentence
    const cli_command *commands;
    int32_t count;
} cli_group;
// Which of them the first word names. -1 if help was requested or the word is wrong: that was said,
// and *status is the exit status.
int32_t cli_choose(const cli_group *group, int argc, char **argv, int *status);
// Reads the words after that one's name, as cli_parse does.
int cli_parse_command(const cli_group *group, int32_t index, const cli_option *options,
                      int32_t option_count, int argc, char **argv, const char **words);

// "ploy: text" on stderr; returns CLI_USAGE. The second form adds " (did you mean 'nearest'?)".
int cli_error(const char *text, const char *what);
int cli_error_near(const char *text, const char *what, const char *nearest);
// The same; without a nearest name it adds " ('ploy list' lists them)".
int cli_error_unknown(const char *text, const char *what, const char *nearest, const char *list);
// Prints all diagnostics on stderr; returns CLI_USAGE.
int cli_error_diags(const ploy_diags *diags);
// Prints what a linter found as one JSON object on one line: {"file", "findings": [{...}]}.
void cli_print_findings(const char *path, const ploy_diags *diags);
// A failed call: "ploy: doing X: out of memory"; returns CLI_USAGE.
int cli_error_result(const char *doing, ploy_result result);

// A file that could not be read: "ploy: F: there is no such file"; returns CLI_USAGE. The second
// form is the reason alone.
int cli_error_read(const char *path, ploy_result result);
const char *cli_read_reason(const char *path, ploy_result result);

// The env of the program: malloc, warnings and errors to stderr.
ploy_env cli_env(void);

// A writer to a stdio stream (a FILE *).
ploy_writer cli_stream_writer(void *stream);

// Writes a file through ploy_os_write_file, or to standard output for "-". True on success; says why not.
bool cli_write_file(const char *path, const ploy_buffer *buffer);
// A file to write to bit by bit, or standard output for "-"; NULL after a message.
FILE *cli_open_output(const char *path);

// Something that draws itself, and how to show it.
typedef struct cli_picture {
    const float *view; // min x, min y, max x, max y
    int64_t width;     // pixels
    void (*draw)(const void *subject, ploy_draw *out);
    const void *subject;
} cli_picture;
// The box around everything that is drawn, with a margin; a unit box if that is nothing.
ploy_box2 cli_drawn_box(void (*draw)(const void *subject, ploy_draw *out), const void *subject);
// Each writes a file and returns -1, or says why not and returns the exit status.
int cli_write_svg(const char *path, const cli_picture *picture, const ploy_env *env);
int cli_write_png(const char *path, const cli_picture *picture, const ploy_env *env);

// Where outside data lies: $PLOY_DATA, else ../shared/data beside the project; NULL if neither is there.
const char *cli_data_dir(void);

// The progress bar with an estimate of the time left: drawn on stderr at most ten times a second,
// and only if a terminal watches. A total of 0 is unknown: the time so far is shown instead.
typedef struct cli_progress {
    const char *what;
    uint64_t total, begun_ns, next_ns;
    bool shown, wanted;
} cli_progress;
cli_progress cli_progress_begin(const char *what, uint64_t total, bool wanted);
void cli_progress_step(cli_progress *progress, uint64_t done);
// The same at once, where the next step may be far away.
void cli_progress_show(cli_progress *progress, uint64_t done);
void cli_progress_end(cli_progress *progress);
// Before the work prints: wipes the bar out; the next step draws it again, once a line has ended.
void cli_progress_hide(cli_progress *progress);

// Long work that a module offers in slices.
typedef struct cli_work {
    ploy_result (*step)(void *self, ploy_budget *budget);
    void *self;
    uint64_t (*done)(const void *self); // of the total; NULL: the units spent
    uint64_t total;                     // 0: unknown
} cli_work;
// Steps it to its end, under a progress bar if one is requested and a terminal watches; otherwise in one
// call.
ploy_result cli_work_run(const char *what, const cli_work *work, bool wanted);

// Reads "2", "2:1" or "#2" as an agent's id.
bool cli_parse_agent(const char *text, ploy_agent_id *out);

// What lab run, play and replay show of a simulation at its end.
typedef struct cli_report {
    bool json, hash, describe, texts;
    const char *svg, *png, *why, *record;
    int64_t width;
    uint64_t nanoseconds; // of the run, 0 if not measured
    uint64_t ticks_run;   // executed in that time
    const char *verified; // NULL, or "yes" or "no"
    const char *worst;    // NULL, or the most expensive ticks: a JSON array if json, else lines
} cli_report;
// Adds the options of a report to a table; returns how many.
int32_t cli_report_options(cli_report *report, cli_option *options);
// After a step: what a simulation that speaks said in it, a line each. Wipes out the bar before each.
void cli_report_said(const cli_report *report, const ploy_sim *sim, cli_progress *bar);
int cli_report_print(const cli_report *report, ploy_recorder *recorder, const ploy_env *env);
// Writes what an agent decided in the last 120 ticks before the tick that was shown: of each topic
// that was not decided again since then the newest decision. As lines of text or, if json is not
// NULL, as members of the array that is open.
ploy_result cli_report_earlier(ploy_recorder *recorder, ploy_agent_id agent, uint64_t shown,
                               const ploy_env *env, ploy_json_writer *json, FILE *file);

// Every lab and every game, ended by NULL.
const ploy_sim_type *const *cli_sims(void);

enum { CLI_STUDIO_PORT = 7373 };

// A simulation that the studio shall show.
typedef struct cli_watch {
    const ploy_sim_type *type;
    const void *params;    // those of file and sets
    const char *file;      // of parameters, or NULL; looked at again while it plays
    const cli_texts *sets; // what --set said, which counts more
    uint64_t seed;
    int64_t port; // 0: any free one
    bool json;
    const char *map; // file that replaces the definition "map", or NULL
} cli_watch;
// Defaults, then the file, then --set, into params. Returns -1, or says what is wrong and returns the
// exit status.
enum { CLI_PARAMS_BYTES_MAX = 1 << 24 };
int cli_load_params(const cli_watch *watch, void *params, const ploy_env *env);
// The same for any settings. file may be NULL.
int cli_load_fields(ploy_fields fields, void *params, const char *file, const cli_texts *sets,
                    const ploy_env *env);
// Lists settings for --set, or prints them as a file for --params.
int cli_print_fields(const char *name, ploy_fields fields, bool json);

// Opens the simulation in an inspector, and looks after it. NULL if that was not possible, which was
// said.
typedef struct cli_watching cli_watching;
cli_watching *cli_watch_begin(const cli_watch *watch, ploy_inspector *inspector,
                              const ploy_env *env);
uint64_t cli_watch_session(const cli_watching *watching);
void cli_watch_step(cli_watching *watching);
void cli_watch_end(cli_watching *watching);

// A list of simulations and how a command speaks of them.
typedef struct cli_sims_usage {
    const ploy_sim_type *const *types;
    const char *unknown;                                       // "no lab is named"
    const char *list_command, *list_help;                      // "lab list"
    const char *run_command, *run_help;                        // "lab run"
    int (*watch)(const cli_watch *watch, const ploy_env *env); // NULL: there is no window
} cli_sims_usage;
// `list [--json]`, and running one; with a window only if it has one and --headless is not given.
int cli_list_sims(const cli_sims_usage *what, int argc, char **argv);
int cli_run_sim(const cli_sims_usage *what, int argc, char **argv);

// How to serve the studio.
typedef struct cli_studio {
    int64_t port;
    bool any_address, read_only, json;
    const cli_watch *watch; // NULL, or what the page opens at once
} cli_studio;
// Serves it until Ctrl-C.
int cli_serve_studio(const cli_studio *studio, const ploy_env *env);

int cmd_arena(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_board(int argc, char **argv);
int cmd_bt(int argc, char **argv);
int cmd_fsm(int argc, char **argv);
int cmd_fuzzy(int argc, char **argv);
int cmd_generate(int argc, char **argv);
int cmd_lab(int argc, char **argv);
int cmd_learn(int argc, char **argv);
int cmd_level(int argc, char **argv);
int cmd_navmesh(int argc, char **argv);
int cmd_path(int argc, char **argv);
int cmd_play(int argc, char **argv);
int cmd_plan(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_rules(int argc, char **argv);
int cmd_script(int argc, char **argv);
int cmd_studio(int argc, char **argv);
int cmd_tactics(int argc, char **argv);
int cmd_tiled(int argc, char **argv);
int cmd_tune(int argc, char **argv);
int cmd_completion(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_version(int argc, char **argv);
// The commands in the order of the help; NULL after the last.
const char *cli_command_name(int32_t index);
int cmd_wfc(int argc, char **argv);
