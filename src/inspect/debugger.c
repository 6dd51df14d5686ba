// The debugger; see the header. Ticks are executed as in recorder_why.c, with a probe.
//
//     forward:  T executed again, lines counted; the first line behind `at` that fits is the stop,
//               in T or a later tick
//     back:     the lines of T up to `at` are noted, or all of an earlier tick; the last one that
//               fits is then shown by a second execution
//     count:    T and later ticks are executed with the probe of a profile
//
// Invariants between two slices:
//   (1) the recorder is where its owner left it;
//   (2) mid is NULL, or a snapshot at which the query goes on.
#include "ploy/inspect/debugger.h"

#include <stdio.h>
#include <string.h>

#include "inspect/recorder_internal.h"
#include "ploy/base/array.h"
#include "ploy/decide/expression.h"

enum { DEBUG_LEVELS_MAX = 64, DEBUG_VARIABLES_MAX = 256, DEBUG_PARTS = 3, DEBUG_SCRIPTS_MAX = 32 };
#define DEBUG_TEXT_LIMIT ((size_t)1 << 20)

// A line of a tick, noted for going back.
typedef struct debug_line {
    ploy_id agent;
    int32_t depth;
} debug_line;

struct ploy_debug {
    ploy_env env;
    ploy_recorder *recorder;
    uint64_t era;
    ploy_debug_query query;
    ploy_debug_break breaks[PLOY_DEBUG_BREAKS_MAX];
    const char *watches[PLOY_DEBUG_WATCHES_MAX];
    char *texts; // of breaks and watches
    size_t texts_size;

    ploy_debug_move move; // BACK becomes STAY when the line is found
    uint64_t tick;        // that is looked through
    int64_t at;           // the origin in the query's tick; the line to show
    uint64_t left;        // ticks to look through
    int64_t count;        // lines so far in the tick
    bool origin;          // the origin has been passed
    ploy_id agent;        // that is followed, or none
    int32_t depth;        // of the origin
    ploy_array lines;     // debug_line

    ploy_script_profile *profile;        // of COUNT; otherwise NULL
    char scripts[DEBUG_SCRIPTS_MAX][64]; // whose lines the profile expects
    int32_t script_count;
    uint64_t counted; // last tick that was counted

    ploy_debug_stop stop;
    ploy_buffer detail;       // stack, globals and watches, as JSON
    size_t ends[DEBUG_PARTS]; // of each
    ploy_snapshot *mid;
    ploy_result result;
};

const char *ploy_debug_move_text(ploy_debug_move move) {
    static const char *const texts[] = {"stay", "continue", "in", "over", "out", "back", "count"};
    return (uint32_t)move < PLOY_DEBUG_MOVES ? texts[move] : "?";
}

ploy_debug_query ploy_debug_query_default(void) {
    ploy_debug_query query;
    memset(&query, 0, sizeof query);
    query.tick = 1;
    query.ticks = 600;
    return query;
}

// ---- expressions

// Evaluates a text over the variables of the innermost level.
static ploy_result debug_evaluate(const ploy_debug *debug, const char *text,
                                  const ploy_script_report *report, ploy_expression_value *out,
                                  char *missing, size_t missing_size) {
    ploy_expression *expression = NULL;
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    ploy_blackboard_key keys[PLOY_EXPRESSION_NAMES_MAX];
    char texts[PLOY_EXPRESSION_NAMES_MAX][PLOY_SCRIPT_TEXT_MAX];
    ploy_expression_use use;
    memset(keys, 0, sizeof keys);
    ploy_result result =
        ploy_expression_create(text, "watch", 1, 1, NULL, 0, &debug->env, NULL, &expression);
    int32_t count = result == PLOY_OK ? ploy_expression_name_count(expression) : 0;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        ploy_script_variable variable;
        (void)ploy_expression_name(expression, i, &use);
        if (use.writes || use.makes) {
            result = PLOY_ERR_ARGUMENT; // a debugger only looks
        } else if (!ploy_script_find(report, 0, use.name, &variable)) {
            snprintf(missing, missing_size, "%s", use.name);
            result = PLOY_ERR_NOT_FOUND;
        } else {
            keys[i].name = use.name;
            keys[i].initial = variable.value;
            if (variable.value.type == PLOY_VALUE_NONE) {
                snprintf(texts[i], sizeof texts[i], "%s", variable.text);
                keys[i].initial = ploy_value_text(texts[i]);
            }
            keys[i].type = keys[i].initial.type;
        }
    }
    if (result == PLOY_OK && count > 0) {
        result = ploy_blackboard_layout_create(keys, count, "watch", &debug->env, NULL, &layout);
    }
    if (result == PLOY_OK && count > 0) {
        result = ploy_blackboard_create(layout, &debug->env, &board);
    }
    if (result == PLOY_OK) {
        result = count > 0 ? ploy_expression_bind_layout(expression, layout, NULL)
                           : ploy_expression_bind(expression, NULL, NULL);
    }
    if (result == PLOY_OK) result = ploy_expression_run_on(expression, board, out);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
    ploy_expression_destroy(expression);
    return result;
}

// ---- what a stop shows

static void debug_write_variables(ploy_json_writer *json, const ploy_script_report *report,
                                  int32_t level) {
    ploy_script_variable variable;
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; i < DEBUG_VARIABLES_MAX; i++) {
        if (!report->view->variable(report->self, level, i, &variable)) break;
        ploy_json_write_begin_object(json);
        ploy_json_write_key(json, "name");
        ploy_json_write_text(json, variable.name);
        ploy_json_write_key(json, "value");
        if (variable.text[0] != 0) {
            ploy_json_write_text(json, variable.text);
        } else {
            ploy_json_write_value(json, &variable.value);
        }
        ploy_json_write_end_object(json);
    }
    ploy_json_write_end_array(json);
}

static void debug_write_watch(const ploy_debug *debug, ploy_json_writer *json, const char *text,
                              const ploy_script_report *report) {
    ploy_expression_value value;
    ploy_script_variable variable;
    char missing[64] = "";
    ploy_json_write_begin_object(json);
    ploy_json_write_key(json, "text");
    ploy_json_write_text(json, text);
    ploy_json_write_key(json, "value");
    if (ploy_script_find(report, 0, text, &variable)) { // of any type
        if (variable.text[0] != 0) {
            ploy_json_write_text(json, variable.text);
        } else {
            ploy_json_write_value(json, &variable.value);
        }
        ploy_json_write_end_object(json);
        return;
    }
    ploy_result result = debug_evaluate(debug, text, report, &value, missing, sizeof missing);
    if (result == PLOY_OK && value.is_text) {
        ploy_json_write_text(json, value.text);
    } else if (result == PLOY_OK) {
        ploy_json_write_f64(json, value.number);
    } else {
        ploy_json_write_null(json);
        ploy_json_write_key(json, "error");
        char message[128];
        snprintf(message, sizeof message, "%s%s%s",
                 missing[0] != 0 ? "unknown name '" : ploy_result_text(result), missing,
                 missing[0] != 0 ? "'" : "");
        ploy_json_write_text(json, message);
    }
    ploy_json_write_end_object(json);
}

static void debug_write_stack(ploy_json_writer *json, const ploy_script_report *report) {
    ploy_script_frame frame;
    ploy_json_write_begin_array(json);
    for (int32_t level = 0; level < DEBUG_LEVELS_MAX; level++) {
        if (!report->view->frame(report->self, level, &frame)) break;
        ploy_json_write_begin_object(json);
        ploy_json_write_key(json, "function");
        ploy_json_write_text(json, frame.function);
        ploy_json_write_key(json, "line");
        ploy_json_write_i64(json, frame.line);
        ploy_json_write_key(json, "locals");
        debug_write_variables(json, report, level);
        ploy_json_write_end_object(json);
    }
    ploy_json_write_end_array(json);
}

static ploy_result debug_write_detail(ploy_debug *debug, const ploy_script_report *report) {
    ploy_result result = PLOY_OK;
    ploy_buffer_clear(&debug->detail);
    for (int32_t part = 0; part < DEBUG_PARTS && result == PLOY_OK; part++) {
        ploy_json_writer json;
        ploy_writer writer = ploy_buffer_writer(&debug->detail);
        ploy_json_writer_init(&json, &writer, 0);
        if (part == 0) debug_write_stack(&json, report);
        if (part == 1) debug_write_variables(&json, report, -1);
        if (part == 2) {
            ploy_json_write_begin_array(&json);
            for (int32_t i = 0; i < debug->query.watch_count; i++) {
                debug_write_watch(debug, &json, debug->watches[i], report);
            }
            ploy_json_write_end_array(&json);
        }
        result = ploy_json_writer_finish(&json);
        debug->ends[part] = debug->detail.size;
    }
    return result;
}

static void debug_stop(ploy_debug *debug, const ploy_script_report *report, int32_t hit) {
    ploy_debug_stop *stop = &debug->stop;
    stop->found = true;
    stop->tick = debug->tick;
    stop->at = debug->count;
    stop->agent = report->agent;
    stop->line = report->line;
    stop->column = report->column;
    stop->depth = report->depth;
    stop->hit = hit;
    snprintf(stop->script, sizeof stop->script, "%s", report->script);
    snprintf(stop->function, sizeof stop->function, "%s", report->function);
    ploy_result result = debug_write_detail(debug, report);
    if (result != PLOY_OK) debug->result = result;
}

// ---- lines

// The breakpoint that a line hits; -1 for none.
static int32_t debug_hit(const ploy_debug *debug, const ploy_script_report *report) {
    for (int32_t i = 0; i < debug->query.break_count; i++) {
        const ploy_debug_break *at = &debug->breaks[i];
        if (at->line != report->line) continue;
        if (at->script != NULL && strcmp(at->script, report->script) != 0) continue;
        if (at->condition == NULL) return i;
        ploy_expression_value value;
        char missing[64];
        ploy_result result =
            debug_evaluate(debug, at->condition, report, &value, missing, sizeof missing);
        if (result == PLOY_OK && (value.is_text || value.number != 0.0)) return i;
    }
    return -1;
}

static bool debug_follows(const ploy_debug *debug, const ploy_script_report *report) {
    return ploy_id_is_none(debug->agent) || ploy_id_equal(debug->agent, report->agent.id);
}

static bool debug_fits(const ploy_debug *debug, const ploy_script_report *report, int32_t *hit) {
    bool any = ploy_id_is_none(debug->query.agent.id) ||
               ploy_id_equal(debug->query.agent.id, report->agent.id);
    bool first = debug->query.at == 0;
    *hit = any ? debug_hit(debug, report) : -1;
    if (debug->move == PLOY_DEBUG_CONTINUE || *hit >= 0) return *hit >= 0;
    if (!debug_follows(debug, report)) return false;
    switch (debug->move) {
    case PLOY_DEBUG_IN: return true;
    case PLOY_DEBUG_OVER: return first || report->depth <= debug->depth;
    case PLOY_DEBUG_OUT:
        if (first || report->depth < debug->depth) return true;
        return debug->depth == 0 && debug->tick > debug->query.tick;
    default: return false;
    }
}

static void debug_report(void *user, const ploy_script_report *report) {
    ploy_debug *debug = user;
    if (report->event != PLOY_SCRIPT_LINE || debug->stop.found) return;
    debug->count++;
    bool here = debug->tick == debug->query.tick && debug->count == debug->at;
    if (debug->move == PLOY_DEBUG_STAY) {
        bool shown = debug->at == 0 ? debug_follows(debug, report) : debug->count == debug->at;
        if (shown) debug_stop(debug, report, debug_hit(debug, report));
        return;
    }
    if (here) {
        debug->origin = true;
        debug->agent = report->agent.id;
        debug->depth = report->depth;
        return;
    }
    if (debug->move == PLOY_DEBUG_BACK) {
        debug_line line = {report->agent.id, report->depth};
        if (debug->origin && debug->tick == debug->query.tick) return;
        ploy_result result = ploy_array_push(&debug->lines, &line);
        if (result != PLOY_OK) debug->result = result;
        return;
    }
    int32_t hit = -1;
    if (debug->origin && debug_fits(debug, report, &hit)) debug_stop(debug, report, hit);
}

// Reports to the profile which lines a script has, once for each.
static void debug_expect(ploy_debug *debug, const ploy_script_report *report) {
    for (int32_t i = 0; i < debug->script_count; i++) {
        if (strncmp(debug->scripts[i], report->script, sizeof debug->scripts[i] - 1) == 0) return;
    }
    if (debug->script_count == DEBUG_SCRIPTS_MAX || report->view == NULL) return;
    snprintf(debug->scripts[debug->script_count++], sizeof debug->scripts[0], "%s", report->script);
    ploy_result result = report->view->expect(report->self, debug->profile);
    if (result != PLOY_OK) debug->result = result;
}

static void debug_count(void *user, const ploy_script_report *report) {
    ploy_debug *debug = user;
    if (!debug_follows(debug, report)) return;
    const ploy_script_probe *probe = ploy_script_profile_probe(debug->profile);
    probe->report(probe->user, report);
    if (report->event == PLOY_SCRIPT_STOP) debug_expect(debug, report);
    if (report->event == PLOY_SCRIPT_LINE) debug->stop.found = true;
}

// ---- create

static size_t debug_text_size(const char *text) {
    return text != NULL ? strlen(text) + 1 : 0;
}

static const char *debug_keep(char **at, const char *text) {
    size_t size = debug_text_size(text);
    if (size == 0) return NULL;
    char *kept = *at;
    memcpy(kept, text, size);
    *at += size;
    return kept;
}

// Whether a text is an expression that only reads.
static ploy_result debug_check(const char *text, const ploy_env *env, ploy_diags *diags) {
    ploy_expression *expression = NULL;
    ploy_expression_use use;
    if (text == NULL) return PLOY_OK;
    ploy_result result =
        ploy_expression_create(text, "debug", 1, 1, NULL, 0, env, diags, &expression);
    for (int32_t i = 0; result == PLOY_OK && ploy_expression_name(expression, i, &use); i++) {
        if (!use.writes && !use.makes) continue;
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, "debug", 1, 1,
                       "an expression of the debugger cannot assign", NULL, NULL);
        result = PLOY_ERR_FORMAT;
    }
    ploy_expression_destroy(expression);
    return result;
}

static ploy_result debug_copy(ploy_debug *debug, const ploy_debug_query *query, ploy_diags *diags) {
    size_t size = 0;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < query->break_count && result == PLOY_OK; i++) {
        size += debug_text_size(query->breaks[i].script);
        size += debug_text_size(query->breaks[i].condition);
        result = debug_check(query->breaks[i].condition, &debug->env, diags);
    }
    for (int32_t i = 0; i < query->watch_count && result == PLOY_OK; i++) {
        size += debug_text_size(query->watches[i]);
        result = debug_check(query->watches[i], &debug->env, diags);
    }
    if (result != PLOY_OK || size == 0) return result;
    debug->texts = ploy_env_alloc(&debug->env, size);
    if (debug->texts == NULL) return PLOY_ERR_MEMORY;
    debug->texts_size = size;
    char *at = debug->texts;
    for (int32_t i = 0; i < query->break_count; i++) {
        debug->breaks[i].line = query->breaks[i].line;
        debug->breaks[i].script = debug_keep(&at, query->breaks[i].script);
        debug->breaks[i].condition = debug_keep(&at, query->breaks[i].condition);
    }
    for (int32_t i = 0; i < query->watch_count; i++) {
        debug->watches[i] = debug_keep(&at, query->watches[i]);
    }
    return PLOY_OK;
}

ploy_result ploy_debug_create(ploy_recorder *recorder, const ploy_debug_query *query,
                              const ploy_env *env, ploy_diags *diags, ploy_debug **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (recorder == NULL || query == NULL || env == NULL || query->tick < 1 ||
        query->tick > ploy_recorder_end(recorder) || query->at < 0 ||
        (uint32_t)query->move >= PLOY_DEBUG_MOVES ||
        (query->move == PLOY_DEBUG_COUNT && query->at != 0) || query->break_count < 0 ||
        query->break_count > PLOY_DEBUG_BREAKS_MAX || query->watch_count < 0 ||
        query->watch_count > PLOY_DEBUG_WATCHES_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_debug *debug = ploy_env_alloc_zero(env, sizeof *debug);
    if (debug == NULL) return PLOY_ERR_MEMORY;
    debug->env = *env;
    debug->recorder = recorder;
    debug->era = recorder->era;
    debug->query = *query;
    ploy_array_init(&debug->lines, sizeof(debug_line), env);
    ploy_buffer_init(&debug->detail, DEBUG_TEXT_LIMIT, env);
    ploy_result result = debug_copy(debug, query, diags);
    if (result == PLOY_OK && query->move == PLOY_DEBUG_COUNT) {
        result = ploy_script_profile_create(env, &debug->profile);
    }
    if (result != PLOY_OK) {
        ploy_debug_destroy(debug);
        return result;
    }
    debug->move = query->move;
    debug->tick = query->tick;
    debug->at = query->at;
    debug->left = query->ticks > 0 ? query->ticks : 1;
    debug->origin = query->at == 0;
    debug->agent = query->agent.id;
    debug->depth = INT32_MAX;
    debug->stop.hit = -1;
    debug->result = PLOY_IN_PROGRESS;
    *out = debug;
    return PLOY_OK;
}

void ploy_debug_destroy(ploy_debug *debug) {
    if (debug == NULL) return;
    ploy_env env = debug->env;
    ploy_snapshot_destroy(debug->mid);
    ploy_script_profile_destroy(debug->profile);
    ploy_array_fini(&debug->lines);
    ploy_buffer_fini(&debug->detail);
    ploy_env_free(&env, debug->texts, debug->texts_size);
    ploy_env_free(&env, debug, sizeof *debug);
}

// ---- ticks

// After a tick of a query that goes back: the line to show, or an earlier tick. False if done.
static bool debug_go_back(ploy_debug *debug) {
    const debug_line *lines = PLOY_ARRAY_ITEMS(&debug->lines, debug_line);
    bool reached = debug->origin; // otherwise the query names a line that the tick lacks
    // Before the first line of the query's tick there is only an earlier tick.
    int32_t count =
        debug->tick == debug->query.tick && debug->query.at == 0 ? 0 : debug->lines.count;
    for (int32_t i = count; i-- > 0 && reached;) {
        if (!ploy_id_is_none(debug->agent) && !ploy_id_equal(lines[i].agent, debug->agent))
            continue;
        if (lines[i].depth > debug->depth) continue;
        debug->move = PLOY_DEBUG_STAY;
        debug->at = i + 1;
        return true;
    }
    ploy_array_clear(&debug->lines);
    if (!reached || debug->tick == 1 || debug->left == 0) return false;
    debug->tick--;
    return true;
}

// The tick that was looked through is done. @return PLOY_IN_PROGRESS with the next one in `tick`.
static ploy_result debug_next(ploy_debug *debug) {
    debug->count = 0;
    if (debug->result != PLOY_IN_PROGRESS) return debug->result; // out of memory
    if (debug->left > 0) debug->left--;
    if (debug->move == PLOY_DEBUG_COUNT) {
        debug->counted = debug->tick;
        ploy_result result = ploy_script_profile_result(debug->profile);
        if (result != PLOY_OK) return result;
    } else if (debug->stop.found) {
        return PLOY_OK;
    }
    if (debug->move == PLOY_DEBUG_BACK) return debug_go_back(debug) ? PLOY_IN_PROGRESS : PLOY_OK;
    bool more = debug->move != PLOY_DEBUG_STAY && debug->origin && debug->left > 0 &&
                debug->tick < ploy_recorder_end(debug->recorder);
    if (!more) return PLOY_OK;
    debug->tick++;
    return PLOY_IN_PROGRESS;
}

static ploy_result debug_tick(ploy_debug *debug) {
    ploy_recorder *recorder = debug->recorder;
    uint64_t now = ploy_sim_tick(recorder->sim);
    bool wanted = now + 1 == debug->tick;
    if (now >= debug->tick) { // the next tick to look at is in the past
        ployi_recorder_approach(recorder, debug->tick - 1);
        return PLOY_IN_PROGRESS;
    }
    ploy_script_probe probe = {debug->move == PLOY_DEBUG_COUNT ? debug_count : debug_report, debug};
    ploy_trace trace = ploy_script_probe_trace(&probe);
    ploy_result result = ployi_recorder_execute(recorder, wanted ? &trace : NULL);
    if (result != PLOY_OK) return result;
    return wanted ? debug_next(debug) : PLOY_IN_PROGRESS;
}

ploy_result ploy_debug_step(ploy_debug *debug, ploy_budget *budget) {
    if (debug == NULL) return PLOY_ERR_ARGUMENT;
    if (debug->result != PLOY_IN_PROGRESS) return debug->result;
    ploy_recorder *recorder = debug->recorder;
    if (debug->era != recorder->era || ploy_sim_stopped(recorder->sim)) {
        return debug->result = PLOY_ERR_CANCELLED;
    }
    if (budget != NULL && ploy_budget_empty(budget)) return PLOY_IN_PROGRESS;
    ploy_snapshot *here = NULL;
    ploy_result result = ploy_sim_snapshot(recorder->sim, &here);
    if (result != PLOY_OK) return debug->result = result;
    if (debug->mid != NULL) {
        ploy_result there = ploy_sim_restore(recorder->sim, debug->mid);
        PLOY_ASSERT(there == PLOY_OK);
        (void)there;
    } else {
        ployi_recorder_approach(recorder, debug->tick - 1);
    }
    result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) break;
        result = debug_tick(debug);
    }
    ploy_snapshot_destroy(debug->mid);
    debug->mid = NULL;
    if (result == PLOY_IN_PROGRESS) {
        ploy_result kept = ploy_sim_snapshot(recorder->sim, &debug->mid); // keeps (2)
        if (kept != PLOY_OK) result = kept;
    }
    ploy_result back = ploy_sim_restore(recorder->sim, here); // keeps (1)
    PLOY_ASSERT(back == PLOY_OK);
    (void)back;
    ploy_snapshot_destroy(here);
    return debug->result = result;
}

const ploy_debug_stop *ploy_debug_result(const ploy_debug *debug) {
    return &debug->stop;
}

const ploy_script_profile *ploy_debug_profile(const ploy_debug *debug) {
    return debug->profile;
}

static void debug_write_text(ploy_json_writer *out, const char *key, const char *text) {
    ploy_json_write_key(out, key);
    ploy_json_write_text(out, text);
}

static void debug_write_number(ploy_json_writer *out, const char *key, int64_t number) {
    ploy_json_write_key(out, key);
    ploy_json_write_i64(out, number);
}

static void debug_write_profile(const ploy_debug *debug, ploy_json_writer *out) {
    ploy_script_profile_line line;
    ploy_script_profile_function function;
    debug_write_number(out, "from", (int64_t)debug->query.tick);
    debug_write_number(out, "to", (int64_t)debug->counted);
    ploy_json_write_key(out, "lines");
    ploy_json_write_begin_array(out);
    for (int32_t i = 0; ploy_script_profile_line_at(debug->profile, i, &line); i++) {
        ploy_json_write_begin_object(out);
        debug_write_text(out, "script", line.script);
        debug_write_number(out, "line", line.line);
        debug_write_number(out, "runs", line.runs);
        ploy_json_write_end_object(out);
    }
    ploy_json_write_end_array(out);
    ploy_json_write_key(out, "functions");
    ploy_json_write_begin_array(out);
    for (int32_t i = 0; ploy_script_profile_function_at(debug->profile, i, &function); i++) {
        ploy_json_write_begin_object(out);
        debug_write_text(out, "script", function.script);
        debug_write_text(out, "function", function.function);
        debug_write_number(out, "calls", function.calls);
        debug_write_number(out, "units", function.units);
        ploy_json_write_end_object(out);
    }
    ploy_json_write_end_array(out);
}

void ploy_debug_write(const ploy_debug *debug, ploy_json_writer *out) {
    const ploy_debug_stop *stop = &debug->stop;
    ploy_json_write_key(out, "found");
    ploy_json_write_bool(out, stop->found);
    if (!stop->found) return;
    if (debug->profile != NULL) {
        debug_write_profile(debug, out);
        return;
    }
    ploy_value agent = ploy_value_id(stop->agent.id);
    debug_write_number(out, "tick", (int64_t)stop->tick);
    debug_write_number(out, "at", stop->at);
    ploy_json_write_key(out, "agent");
    ploy_json_write_value(out, &agent);
    debug_write_text(out, "script", stop->script);
    debug_write_text(out, "function", stop->function);
    debug_write_number(out, "line", stop->line);
    debug_write_number(out, "column", stop->column);
    debug_write_number(out, "depth", stop->depth);
    if (stop->hit >= 0) debug_write_number(out, "break", stop->hit);
    static const char *const parts[DEBUG_PARTS] = {"stack", "globals", "watches"};
    for (int32_t i = 0; i < DEBUG_PARTS; i++) {
        size_t from = i > 0 ? debug->ends[i - 1] : 0;
        ploy_json_write_key(out, parts[i]);
        ploy_json_write_raw_bytes(out, ploy_buffer_text(&debug->detail) + from,
                                  debug->ends[i] - from);
    }
}

#undef DEBUG_TEXT_LIMIT
