// What a run shows at its end: hash, state, reasons, pictures, recording.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "ploy/inspect/sinks.h"

int32_t cli_report_options(cli_report *report, cli_option *options) {
    const cli_option table[] = {
        {"--hash", CLI_FLAG, &report->hash, NULL, "print only the hash of the state"},
        {"--describe", CLI_FLAG, &report->describe, NULL, "print the state"},
        {"--why", CLI_TEXT, &report->why, "AGENT", "print why this agent acts as it does"},
        {"--texts", CLI_FLAG, &report->texts, NULL, "print the texts and tables of the picture"},
        {"--svg", CLI_TEXT, &report->svg, "F", "write an SVG file ('-' for standard output)"},
        {"--png", CLI_TEXT, &report->png, "F", "write a PNG file"},
        {"--width", CLI_COUNT, &report->width, "N", "width of the picture in pixels (default 800)"},
        {"--json", CLI_FLAG, &report->json, NULL, "print everything as one JSON object"},
    };
    memcpy(options, table, sizeof table);
    return (int32_t)(sizeof table / sizeof table[0]);
}

static void draw_sim(const void *sim, ploy_draw *out) {
    ploy_sim_draw(sim, out);
}

// Where the report goes: standard output, unless that carries the recording.
static FILE *report_file(const cli_report *report) {
    return report->record != NULL && strcmp(report->record, "-") == 0 ? stderr : stdout;
}

// Takes the values of one group out of a description, wherever it is.
typedef struct group_sink {
    const char *group;
    void (*take)(struct group_sink *sink, const char *name, const ploy_value *value);
    ploy_json_writer *json; // for take; NULL: lines of text
    FILE *out;              // for take
    uint64_t tick;          // for take
    int32_t depth;          // groups open
    int32_t inside;         // depth of the group, 0 outside
    const char *nested;     // group right below it that is open, or NULL
    cli_progress *bar;      // to be wiped out before a line, or NULL
} group_sink;

// As members of the object that is open.
static void write_summary(group_sink *sink, const char *name, const ploy_value *value) {
    ploy_json_write_key(sink->json, name);
    ploy_json_write_value(sink->json, value);
}

static void begin_group(void *user, const char *name, ploy_id owner) {
    group_sink *sink = user;
    (void)owner;
    sink->depth++;
    if (sink->inside == 0 && strcmp(name, sink->group) == 0) {
        sink->inside = sink->depth;
    } else if (sink->inside != 0 && sink->depth == sink->inside + 1) {
        sink->nested = name; // an object within the object, such as a number for each bot
        if (sink->json != NULL && sink->take == write_summary) {
            ploy_json_write_key(sink->json, name);
            ploy_json_write_begin_object(sink->json);
        }
    }
}

static void end_group(void *user) {
    group_sink *sink = user;
    if (sink->inside == sink->depth) {
        sink->inside = 0;
    } else if (sink->inside != 0 && sink->depth == sink->inside + 1) {
        sink->nested = NULL;
        if (sink->json != NULL && sink->take == write_summary) {
            ploy_json_write_end_object(sink->json);
        }
    }
    sink->depth--;
}

static void take_of_group(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    group_sink *sink = user;
    (void)mark;
    if (sink->inside == 0) return;
    bool nested = sink->nested != NULL && sink->depth == sink->inside + 1;
    if (sink->inside == sink->depth || nested) sink->take(sink, name, value);
}

static void describe_group(group_sink *sink, const ploy_sim *sim) {
    ploy_describe describe = {begin_group, end_group, take_of_group, sink};
    ploy_sim_describe(sim, &describe);
}

// As lines below the first one.
static void print_summary(group_sink *sink, const char *name, const ploy_value *value) {
    char text[256];
    char whole[96];
    ploy_value_print(value, text, sizeof text);
    snprintf(whole, sizeof whole, "%s%s%s", sink->nested != NULL ? sink->nested : "",
             sink->nested != NULL ? " " : "", name);
    fprintf(sink->out, "  %-24s %s\n", whole, text);
}

static void print_said(group_sink *sink, const char *name, const ploy_value *value) {
    char text[256];
    (void)name;
    if (sink->bar != NULL) cli_progress_hide(sink->bar);
    if (sink->json == NULL) {
        ploy_value_print(value, text, sizeof text);
        fprintf(sink->out, "%6llu  %s\n", (unsigned long long)sink->tick, text);
        return;
    }
    ploy_writer out = cli_stream_writer(sink->out);
    ploy_json_writer_init(sink->json, &out, 0); // a separate object, on a separate line
    ploy_json_write_begin_object(sink->json);
    ploy_json_write_key(sink->json, "tick");
    ploy_json_write_u64(sink->json, sink->tick);
    ploy_json_write_key(sink->json, "said");
    ploy_json_write_value(sink->json, value);
    ploy_json_write_end_object(sink->json);
    putc('\n', sink->out);
}

void cli_report_said(const cli_report *report, const ploy_sim *sim, cli_progress *bar) {
    if ((ploy_sim_type_of(sim)->capabilities & PLOY_SIM_SPEAKS) == 0 || report->hash) return;
    ploy_json_writer writer;
    group_sink said = {"said",
                       print_said,
                       report->json ? &writer : NULL,
                       report_file(report),
                       ploy_sim_tick(sim) - 1,
                       0,
                       0,
                       NULL,
                       bar};
    describe_group(&said, sim);
}

// The agents of a simulation: those to whom a part of its description or of its picture belongs.
typedef struct agents_sink {
    ploy_id wanted;
    bool found;
    int32_t count;
    ploy_id first[8];
} agents_sink;

static void agents_add(agents_sink *sink, ploy_id id) {
    if (ploy_id_is_none(id)) return;
    sink->found = sink->found || ploy_id_equal(id, sink->wanted);
    for (int32_t i = 0; i < sink->count; i++) {
        if (ploy_id_equal(sink->first[i], id)) return;
    }
    if (sink->count < 8) sink->first[sink->count++] = id;
}

static void agents_begin(void *user, const char *name, ploy_id owner) {
    (void)name;
    agents_add(user, owner);
}

static void agents_end(void *user) {
    (void)user;
}

static void agents_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    (void)user, (void)name, (void)mark, (void)value;
}

static void agents_item(void *user, const ploy_draw_item *item) {
    agents_add(user, item->owner);
}

// Says that there is no such agent, or that it has made no decision.
static int no_decision(const char *text, ploy_agent_id agent, const ploy_sim *sim) {
    agents_sink sink = {agent.id, false, 0, {{0, 0}}};
    ploy_describe describe = {agents_begin, agents_end, agents_value, &sink};
    ploy_draw draw = {agents_item, &sink, (1u << PLOY_LAYER_COUNT) - 1u};
    ploy_sim_describe(sim, &describe);
    ploy_sim_draw(sim, &draw);
    if (sink.found) {
        fprintf(stderr, "ploy: agent %s has made no decision\n", text);
        return CLI_NO;
    }
    fprintf(stderr, "ploy: unknown agent '%s'", text);
    for (int32_t i = 0; i < sink.count; i++) {
        fprintf(stderr, "%s %u:%u", i == 0 ? "; the agents are" : ",",
                (unsigned)sink.first[i].index, (unsigned)sink.first[i].generation);
    }
    fprintf(stderr, "%s\n", sink.count == 8 ? ", ..." : sink.count == 0 ? "; there are none" : "");
    return CLI_NO;
}

static ploy_result write_texts(const ploy_sim *sim, ploy_writer *out, bool json) {
    ploy_words_sink sink;
    ploy_words_sink_init(&sink, out, json);
    ploy_draw draw = ploy_words_sink_draw(&sink);
    ploy_sim_draw(sim, &draw);
    return ploy_words_sink_finish(&sink);
}

static int print_json(const cli_report *report, ploy_recorder *recorder, ploy_agent_id agent,
                      const ploy_env *env) {
    const ploy_sim *sim = ploy_recorder_sim(recorder);
    ploy_writer out = cli_stream_writer(report_file(report));
    ploy_json_writer writer;
    ploy_json_writer_init(&writer, &out, 0);
    ploy_json_write_begin_object(&writer);
    ploy_json_write_key(&writer, "name");
    ploy_json_write_text(&writer, ploy_sim_type_of(sim)->name);
    ploy_json_write_key(&writer, "ticks");
    ploy_json_write_u64(&writer, ploy_sim_tick(sim));
    ploy_json_write_key(&writer, "seed");
    ploy_json_write_u64(&writer, ploy_sim_seed(sim));
    ploy_json_write_key(&writer, "hash");
    char hash[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)ploy_sim_hash(sim));
    ploy_json_write_text(&writer, hash);
    if (report->verified != NULL) {
        ploy_json_write_key(&writer, "verified");
        ploy_json_write_bool(&writer, strcmp(report->verified, "yes") == 0);
    }
    if (report->ticks_run > 0) {
        ploy_json_write_key(&writer, "us_per_tick");
        ploy_json_write_f64(&writer,
                            (double)report->nanoseconds / 1000.0 / (double)report->ticks_run);
    }
    group_sink summary = {"summary", write_summary, &writer, stdout, 0, 0, 0, NULL, NULL};
    describe_group(&summary, sim);
    if (report->worst != NULL) {
        ploy_json_write_key(&writer, "worst");
        ploy_json_write_raw(&writer, report->worst);
    }
    ploy_result result = PLOY_OK;
    int none = -1;      // exit status if the agent has made no decision
    ploy_buffer nested; // a sink writes a whole value by itself
    ploy_buffer_init(&nested, 0, env);
    if (report->describe) {
        ploy_writer into = ploy_buffer_writer(&nested);
        ploy_json_sink sink;
        ploy_json_sink_init(&sink, &into, false);
        ploy_describe describe = ploy_json_sink_describe(&sink);
        ploy_sim_describe(sim, &describe);
        result = ploy_json_sink_finish(&sink);
        ploy_json_write_key(&writer, "state");
        ploy_json_write_raw(&writer, ploy_buffer_text(&nested));
    }
    if (report->texts && result == PLOY_OK) {
        ploy_buffer_clear(&nested);
        ploy_writer into = ploy_buffer_writer(&nested);
        result = write_texts(sim, &into, true);
        ploy_json_write_key(&writer, "texts");
        ploy_json_write_raw(&writer, result == PLOY_OK ? ploy_buffer_text(&nested) : "null");
    }
    if (report->why != NULL && result == PLOY_OK) {
        ploy_buffer_clear(&nested);
        ploy_writer into = ploy_buffer_writer(&nested);
        ploy_trace_json_sink sink;
        ploy_trace_json_sink_init(&sink, &into, agent);
        ploy_trace trace = ploy_trace_json_sink_trace(&sink);
        // The last decision, if there is none in this tick; then back to where the run ended.
        uint64_t now = ploy_recorder_tick(recorder), last = now;
        ploy_result found = ploy_recorder_last_decision(recorder, agent, now, &last);
        if (found == PLOY_ERR_NOT_FOUND) none = no_decision(report->why, agent, sim);
        if (last != now) result = ploy_recorder_seek(recorder, last, NULL);
        if (result == PLOY_OK) result = ploy_recorder_why(recorder, &trace);
        if (result == PLOY_OK) result = ploy_trace_json_sink_finish(&sink);
        if (result == PLOY_OK && last != now) result = ploy_recorder_seek(recorder, now, NULL);
        ploy_json_write_key(&writer, "why_tick");
        ploy_json_write_u64(&writer, last);
        ploy_json_write_key(&writer, "why");
        ploy_json_write_raw(&writer, result == PLOY_OK ? ploy_buffer_text(&nested) : "null");
        ploy_json_write_key(&writer, "why_earlier");
        ploy_json_write_begin_array(&writer);
        if (result == PLOY_OK && none < 0) {
            result = cli_report_earlier(recorder, agent, last, env, &writer, NULL);
        }
        ploy_json_write_end_array(&writer);
    }
    ploy_buffer_fini(&nested);
    ploy_json_write_end_object(&writer);
    putc('\n', report_file(report));
    if (result == PLOY_OK) return none;
    return cli_error_result("--json", result);
}

// Nothing was decided in this tick: the reasons of the last tick in which something was.
static int print_last_why(const cli_report *report, ploy_recorder *recorder, ploy_agent_id agent,
                          const ploy_env *env) {
    uint64_t now = ploy_recorder_tick(recorder), tick = 0;
    ploy_result result = ploy_recorder_last_decision(recorder, agent, now, &tick);
    if (result == PLOY_ERR_NOT_FOUND) {
        return no_decision(report->why, agent, ploy_recorder_sim(recorder));
    }
    ploy_writer out = cli_stream_writer(report_file(report));
    ploy_trace_text_sink sink;
    ploy_trace_text_sink_init(&sink, &out, agent);
    ploy_trace trace = ploy_trace_text_sink_trace(&sink);
    if (result == PLOY_OK) {
        fprintf(report_file(report), "no decision in tick %llu; the last one was in tick %llu:\n",
                (unsigned long long)now, (unsigned long long)tick);
        result = ploy_recorder_seek(recorder, tick, NULL);
    }
    if (result == PLOY_OK) result = ploy_recorder_why(recorder, &trace);
    if (result == PLOY_OK) result = ploy_trace_text_sink_finish(&sink);
    if (result == PLOY_OK) result = ploy_recorder_seek(recorder, now, NULL);
    if (result == PLOY_OK) {
        result = cli_report_earlier(recorder, agent, tick, env, NULL, report_file(report));
    }
    return result == PLOY_OK ? -1 : cli_error_result("--why", result);
}

static int print_text(const cli_report *report, ploy_recorder *recorder, ploy_agent_id agent,
                      const ploy_env *env) {
    const ploy_sim *sim = ploy_recorder_sim(recorder);
    unsigned long long hash = ploy_sim_hash(sim);
    FILE *file = report_file(report);
    if (report->hash) {
        fprintf(file, "%016llx\n", hash);
    } else {
        fprintf(file, "%s: %llu ticks, seed %llu, hash %016llx", ploy_sim_type_of(sim)->name,
                (unsigned long long)ploy_sim_tick(sim), (unsigned long long)ploy_sim_seed(sim),
                hash);
        if (report->ticks_run > 0) {
            fprintf(file, ", %.2f us a tick",
                    (double)report->nanoseconds / 1000.0 / (double)report->ticks_run);
        }
        if (report->verified != NULL) fprintf(file, ", verified: %s", report->verified);
        putc('\n', file);
        group_sink summary = {"summary", print_summary, NULL, file, 0, 0, 0, NULL, NULL};
        describe_group(&summary, sim);
    }
    if (report->worst != NULL) fputs(report->worst, file);
    ploy_writer out = cli_stream_writer(file);
    if (report->describe) {
        ploy_text_sink sink;
        ploy_text_sink_init(&sink, &out, true);
        ploy_describe describe = ploy_text_sink_describe(&sink);
        ploy_sim_describe(sim, &describe);
        ploy_text_sink_finish(&sink);
    }
    if (report->texts) {
        ploy_result result = write_texts(sim, &out, false);
        if (result != PLOY_OK) return cli_error_result("--texts", result);
    }
    if (report->why != NULL) {
        ploy_trace_text_sink sink;
        ploy_trace_text_sink_init(&sink, &out, agent);
        ploy_trace trace = ploy_trace_text_sink_trace(&sink);
        ploy_result result = ploy_recorder_why(recorder, &trace);
        if (result == PLOY_OK) result = ploy_trace_text_sink_finish(&sink);
        if (result != PLOY_OK) return cli_error_result("--why", result);
        if (sink.decisions == 0) return print_last_why(report, recorder, agent, env);
        result = cli_report_earlier(recorder, agent, ploy_recorder_tick(recorder), env, NULL, file);
        if (result != PLOY_OK) return cli_error_result("--why", result);
    }
    return -1;
}

int cli_report_print(const cli_report *report, ploy_recorder *recorder, const ploy_env *env) {
    ploy_agent_id agent = ploy_agent_id_none();
    if (report->why != NULL && !cli_parse_agent(report->why, &agent)) {
        return cli_error("--why expects an agent id such as 2 or 2:1, found", report->why);
    }
    const ploy_sim *sim = ploy_recorder_sim(recorder);
    int status = -1;
    if (report->width < 16 || report->width > 8192) {
        return cli_error("--width expects 16 to 8192 pixels", NULL);
    }
    cli_picture picture = {ploy_sim_type_of(sim)->view, report->width, draw_sim, sim};
    if (report->svg != NULL) status = cli_write_svg(report->svg, &picture, env);
    if (status < 0 && report->png != NULL) status = cli_write_png(report->png, &picture, env);
    bool svg_to_stdout = report->svg != NULL && strcmp(report->svg, "-") == 0;
    if (status < 0 && !svg_to_stdout) {
        status = report->json ? print_json(report, recorder, agent, env)
                              : print_text(report, recorder, agent, env);
    }
    return status < 0 ? CLI_OK : status;
}
