// What an agent decided shortly before the end of a run. Minds decide some things only now and then,
// such as their strategy twice a second, so the last tick alone seldom has all reasons: of each topic
// the newest decision is kept.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "ploy/inspect/sinks.h"

enum { EARLIER_TICKS = 120, EARLIER_TOPICS = 16 };

typedef struct earlier_topic {
    char name[64];
    uint64_t tick;
    ploy_buffer text; // the decision as text, or a JSON array of it
} earlier_topic;

// Receives every decision and writes those of one agent, each through a separate sink.
typedef struct earlier_log {
    earlier_topic topics[EARLIER_TOPICS];
    int32_t count;
    ploy_agent_id agent;
    bool json;
    uint64_t tick; // that is executed
    int32_t depth;
    earlier_topic *open; // the topic of the outermost decision; NULL: not the agent's
    ploy_writer writer;
    ploy_trace_text_sink text;
    ploy_trace_json_sink object;
    ploy_trace into; // one of the two
    const ploy_env *env;
} earlier_log;

// The place of a topic; NULL if there are too many.
static earlier_topic *earlier_find(earlier_log *log, const char *name) {
    for (int32_t i = 0; i < log->count; i++) {
        if (strncmp(log->topics[i].name, name, sizeof log->topics[i].name - 1) == 0) {
            return &log->topics[i];
        }
    }
    if (log->count == EARLIER_TOPICS) return NULL;
    earlier_topic *topic = &log->topics[log->count++];
    (void)snprintf(topic->name, sizeof topic->name, "%s", name);
    ploy_buffer_init(&topic->text, 0, log->env);
    return topic;
}

static void earlier_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    earlier_log *log = user;
    if (log->depth++ == 0) {
        log->open = ploy_id_equal(agent, log->agent.id) ? earlier_find(log, topic) : NULL;
        if (log->open == NULL) return;
        ploy_buffer_clear(&log->open->text);
        log->open->tick = log->tick;
        log->writer = ploy_buffer_writer(&log->open->text);
        if (log->json) {
            ploy_trace_json_sink_init(&log->object, &log->writer, log->agent);
            log->into = ploy_trace_json_sink_trace(&log->object);
        } else {
            ploy_trace_text_sink_init(&log->text, &log->writer, log->agent);
            log->into = ploy_trace_text_sink_trace(&log->text);
        }
    }
    if (log->open != NULL) log->into.begin(log->into.user, agent, topic, technique);
}

static void earlier_option(void *user, const char *name, ploy_outcome outcome, double score,
                           const char *reason) {
    earlier_log *log = user;
    if (log->open != NULL) log->into.option(log->into.user, name, outcome, score, reason);
}

static void earlier_value(void *user, const char *name, const ploy_value *value) {
    earlier_log *log = user;
    if (log->open != NULL) log->into.value(log->into.user, name, value);
}

static void earlier_note(void *user, const char *text) {
    earlier_log *log = user;
    if (log->open != NULL) log->into.note(log->into.user, text);
}

static void earlier_end(void *user) {
    earlier_log *log = user;
    log->depth--;
    if (log->open == NULL) return;
    log->into.end(log->into.user);
    if (log->depth > 0) return;
    if (log->json) {
        (void)ploy_trace_json_sink_finish(&log->object);
    } else {
        (void)ploy_trace_text_sink_finish(&log->text);
    }
    log->open = NULL;
}

// Executes the last ticks again. Afterwards the recorder is where it was.
static ploy_result earlier_listen(earlier_log *log, ploy_recorder *recorder, uint64_t now) {
    ploy_trace trace = {earlier_begin, earlier_option, earlier_value,
                        earlier_note,  earlier_end,    log};
    uint64_t first = now > EARLIER_TICKS ? now - EARLIER_TICKS : 0;
    ploy_result result = ploy_recorder_seek(recorder, first, NULL);
    ploy_recorder_set_trace(recorder, &trace);
    for (uint64_t tick = first; tick < now && result == PLOY_OK; tick++) {
        log->tick = tick + 1;
        result = ploy_recorder_step(recorder);
    }
    ploy_recorder_set_trace(recorder, NULL);
    return result;
}

ploy_result cli_report_earlier(ploy_recorder *recorder, ploy_agent_id agent, uint64_t shown,
                               const ploy_env *env, ploy_json_writer *json, FILE *file) {
    earlier_log log;
    uint64_t now = ploy_recorder_tick(recorder);
    memset(&log, 0, sizeof log);
    log.agent = agent;
    log.json = json != NULL;
    log.env = env;
    ploy_result result = earlier_listen(&log, recorder, now);
    uint64_t first = now > EARLIER_TICKS ? now - EARLIER_TICKS : 0;
    for (uint64_t tick = shown; tick > first + 1 && result == PLOY_OK; tick--) { // the newest first
        for (int32_t i = 0; i < log.count; i++) {
            const earlier_topic *topic = &log.topics[i];
            if (topic->tick != tick - 1) continue;
            if (json == NULL) {
                fprintf(file, "in tick %llu:\n%s", (unsigned long long)topic->tick,
                        ploy_buffer_text(&topic->text));
                continue;
            }
            ploy_json_write_begin_object(json);
            ploy_json_write_key(json, "tick");
            ploy_json_write_u64(json, topic->tick);
            ploy_json_write_key(json, "why");
            ploy_json_write_raw(json, ploy_buffer_text(&topic->text));
            ploy_json_write_end_object(json);
        }
    }
    for (int32_t i = 0; i < log.count; i++) ploy_buffer_fini(&log.topics[i].text);
    return result;
}
