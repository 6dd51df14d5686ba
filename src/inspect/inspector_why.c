// Why and debug, for a client: ticks of its session are executed again with a trace or a probe, in
// slices, and the answer or event is handed out when they are done. Beside the decisions of the tick,
// why has the last ones, if none was made in the tick, and those before, so that a page can say what
// changed.
//
// Invariants:
//   (1) a client has at most one at a time, so that no client takes more than its share; an event
//       gives way to a request and is made again afterwards;
//   (2) it ends before its session's recorder does.
#include <string.h>

#include "inspect/inspector_internal.h"

// Ticks in which the last decision of an agent is looked for.
#define WHY_LOOK_BACK 600
// What is around the decisions, beyond their own limit.
#define WHY_SLACK 65536

// Which decisions are being collected.
typedef enum why_stage { WHY_NOW, WHY_LAST, WHY_BEFORE, WHY_BEFORE_FOUND } why_stage;

struct ployi_inspect_why {
    uint32_t session;
    ploy_agent_id agent;
    why_stage part;
    uint64_t tick;      // shown
    uint64_t decided;   // tick of the decisions that are collected
    uint64_t look_back; // ticks; 0: the decisions of the tick alone
    uint64_t begun;     // bytes written when the part began
    ploy_trace trace;
    bool event;       // of a watch; otherwise the answer to a request
    uint64_t request; // its number
    bool taken;       // the message was handed out
    ploy_why *task;
    ploy_debug *debug; // instead of it
    ploy_buffer text;
    ploy_writer writer;
    ploy_json_writer json;
    ployi_inspect_tree tree;
};

void ployi_inspect_why_end(ploy_inspector *inspector, ployi_inspect_client *client) {
    ployi_inspect_why *why = client->why;
    if (why == NULL) return;
    ploy_why_destroy(why->task);
    ploy_debug_destroy(why->debug);
    ploy_buffer_fini(&why->text);
    ploy_env_free(&inspector->env, why, sizeof *why);
    client->why = NULL;
}

bool ployi_inspect_why_asked(const ployi_inspect_client *client) {
    return client->why != NULL && !client->why->event && !client->why->taken;
}

void ployi_inspect_why_collect(ploy_inspector *inspector, ployi_inspect_client *client) {
    if (client->why != NULL && client->why->taken) ployi_inspect_why_end(inspector, client);
}

void ployi_inspect_why_yield(ploy_inspector *inspector, ployi_inspect_client *client) {
    const ployi_inspect_why *why = client->why;
    if (why == NULL || !why->event || why->taken) return;
    ployi_inspect_watch *watch = ployi_inspect_watch_find(inspector, client, why->session);
    if (watch != NULL) {
        watch->why_seen = 0; // counters begin at 1
        watch->why_looked = false;
    }
    ployi_inspect_why_end(inspector, client);
}

// Answers a request that cannot be served any more; an event is just not sent.
static void why_refuse(ploy_inspector *inspector, ployi_inspect_client *client, ploy_result result,
                       const char *message) {
    bool event = client->why->event, debug = client->why->debug != NULL;
    uint64_t number = client->why->request;
    ployi_inspect_why_end(inspector, client);
    if (event) return;
    ploy_diags_clear(inspector->diags);
    ployi_inspect_request request = {
        inspector, client, NULL, ploy_json_none(), true, number, debug ? "debug" : "why"};
    ployi_inspect_answer_error(&request, result, message, NULL);
}

void ployi_inspect_why_forget(ploy_inspector *inspector, const ployi_inspect_session *session) {
    for (int32_t i = 0; i < inspector->def.max_clients; i++) {
        ployi_inspect_client *client = &inspector->clients[i];
        if (!client->used || client->why == NULL || client->why->session != session->number) {
            continue;
        }
        if (client->why->taken) {
            ployi_inspect_why_end(inspector, client);
        } else {
            why_refuse(inspector, client, PLOY_ERR_CANCELLED, "the session was closed");
        }
    }
}

// An empty one with the client, and the beginning of its message.
static ploy_result why_make(ploy_inspector *inspector, ployi_inspect_client *client,
                            const ployi_inspect_session *session,
                            const ployi_inspect_request *request, const char *name) {
    ployi_inspect_why_collect(inspector, client);
    if (request != NULL) ployi_inspect_why_yield(inspector, client);
    if (client->why != NULL) return PLOY_ERR_STATE; // keeps (1)
    ployi_inspect_why *why = ploy_env_alloc_zero(&inspector->env, sizeof *why);
    if (why == NULL) return PLOY_ERR_MEMORY;
    client->why = why;
    why->session = session->number;
    why->event = request == NULL;
    why->request = request != NULL ? request->id : 0;
    why->tick = ploy_recorder_tick(session->recorder);
    ploy_buffer_init(&why->text, (size_t)inspector->def.max_tree_kib * 1024 + WHY_SLACK,
                     &inspector->env);
    why->writer = ploy_buffer_writer(&why->text);
    ploy_json_writer *json = &why->json;
    ploy_json_writer_init(json, &why->writer, 0);
    ploy_json_write_begin_object(json);
    if (why->event) {
        ploy_json_write_key(json, "event");
        ploy_json_write_text(json, name);
    } else {
        ploy_json_write_key(json, "id");
        ploy_json_write_u64(json, why->request);
        ploy_json_write_key(json, "do");
        ploy_json_write_text(json, name);
        ploy_json_write_key(json, "ok");
        ploy_json_write_bool(json, true);
    }
    return PLOY_OK;
}

ploy_result ployi_inspect_debug_begin(ploy_inspector *inspector, ployi_inspect_client *client,
                                      const ployi_inspect_session *session,
                                      const ploy_debug_query *query,
                                      const ployi_inspect_request *request) {
    ploy_result result = why_make(inspector, client, session, request, "debug");
    if (result != PLOY_OK) return result;
    ployi_inspect_why *why = client->why;
    ploy_json_write_key(&why->json, "session");
    ploy_json_write_u64(&why->json, session->number);
    result =
        ploy_debug_create(session->recorder, query, &inspector->env, inspector->diags, &why->debug);
    if (result != PLOY_OK) ployi_inspect_why_end(inspector, client);
    return result;
}

ploy_result ployi_inspect_why_begin(ploy_inspector *inspector, ployi_inspect_client *client,
                                    ployi_inspect_session *session, ploy_agent_id agent,
                                    bool look_back, const ployi_inspect_request *request) {
    ploy_result result = why_make(inspector, client, session, request, "why");
    if (result != PLOY_OK) return result;
    ployi_inspect_why *why = client->why;
    why->agent = agent;
    why->look_back = look_back ? WHY_LOOK_BACK : 0;
    why->trace = ployi_inspect_decisions_begin(&why->tree, &why->json, inspector, session, agent);
    why->begun = why->writer.written;
    result = ploy_why_create(session->recorder, agent, why->look_back, &why->trace, &inspector->env,
                             &why->task);
    if (result != PLOY_OK) ployi_inspect_why_end(inspector, client);
    return result;
}

// Whether no decision was written since the part began.
static bool why_silent(const ployi_inspect_why *why) {
    return why->tree.open == 0 && why->writer.written == why->begun;
}

// Begins a part, "last" or "before", with the decisions of an earlier tick.
static void why_open(ploy_inspector *inspector, ployi_inspect_why *why, const char *part) {
    ploy_json_writer *json = &why->json;
    ploy_json_write_key(json, part);
    ploy_json_write_begin_object(json);
    why->trace = ployi_inspect_decisions_more(&why->tree, json, inspector, why->agent);
    why->begun = why->writer.written;
}

static void why_close(ployi_inspect_why *why, uint64_t tick) {
    ployi_inspect_decisions_end(&why->tree);
    ploy_json_write_key(&why->json, "tick");
    if (tick == 0) {
        ploy_json_write_null(&why->json);
    } else {
        ploy_json_write_u64(&why->json, tick);
    }
    ploy_json_write_end_object(&why->json);
}

static ploy_result why_next(ploy_inspector *inspector, ployi_inspect_why *why, uint64_t tick,
                            uint64_t look_back) {
    const ployi_inspect_session *session = ployi_inspect_session_find(inspector, why->session);
    ploy_why_destroy(why->task);
    why->task = NULL;
    if (session == NULL) return PLOY_ERR_CANCELLED;
    return ploy_why_create_at(session->recorder, tick, why->agent, look_back, &why->trace,
                              &inspector->env, &why->task);
}

// What comes after the task that is done. @return PLOY_IN_PROGRESS if another one was begun.
//
//     NOW ---decided---> BEFORE, to the tick before ---silent---> BEFORE_FOUND
//      +-----silent----> LAST, to the last decision, then BEFORE
static ploy_result why_go_on(ploy_inspector *inspector, ployi_inspect_why *why) {
    uint64_t found = ploy_why_last_tick(why->task);
    bool silent = why_silent(why);
    ploy_result result = PLOY_OK;
    switch (why->part) {
    case WHY_NOW:
        ployi_inspect_decisions_end(&why->tree);
        if (why->look_back == 0) return PLOY_OK;
        if (silent && found == 0) return PLOY_OK; // the agent decided nothing for long
        if (silent) {
            ploy_json_write_key(&why->json, "last_tick");
            ploy_json_write_u64(&why->json, found);
            why->part = WHY_LAST;
            why->decided = found;
            why_open(inspector, why, "last");
            result = why_next(inspector, why, found, 0);
            break;
        }
        why->decided = why->tick;
        why->part = WHY_LAST;
        // fall through
    case WHY_LAST:
        if (why->decided != why->tick) why_close(why, why->decided);
        // For all agents the answer would be too long.
        if (why->decided <= 1 || ploy_id_is_none(why->agent.id)) return PLOY_OK;
        why->part = WHY_BEFORE;
        why_open(inspector, why, "before");
        result = why_next(inspector, why, why->decided - 1, why->look_back);
        break;
    case WHY_BEFORE:
        if (!silent || found == 0) {
            why_close(why, silent ? 0 : why->decided - 1);
            return PLOY_OK;
        }
        why->part = WHY_BEFORE_FOUND;
        why->decided = found;
        result = why_next(inspector, why, found, 0);
        break;
    case WHY_BEFORE_FOUND: why_close(why, why->decided); return PLOY_OK;
    }
    return result == PLOY_OK ? PLOY_IN_PROGRESS : result;
}

ploy_result ployi_inspect_why_step(ploy_inspector *inspector, ployi_inspect_client *client,
                                   ploy_budget *budget, const void **bytes, size_t *size) {
    ployi_inspect_why *why = client->why;
    if (why == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        result = why->debug != NULL ? ploy_debug_step(why->debug, budget)
                                    : ploy_why_step(why->task, budget);
        if (result == PLOY_IN_PROGRESS) return result;
        if (result == PLOY_OK && why->debug != NULL) {
            ploy_debug_write(why->debug, &why->json);
        } else if (result == PLOY_OK) {
            result = why_go_on(inspector, why);
        }
    }
    if (result == PLOY_OK) {
        ploy_json_write_end_object(&why->json);
        result = ploy_json_writer_finish(&why->json);
    }
    if (result != PLOY_OK) {
        why_refuse(inspector, client, result, ploy_result_text(result));
        return PLOY_ERR_NOT_FOUND;
    }
    ploy_why_destroy(why->task);
    ploy_debug_destroy(why->debug);
    why->task = NULL;
    why->debug = NULL;
    why->taken = true;
    *bytes = why->text.bytes;
    *size = why->text.size;
    return PLOY_OK;
}

#undef WHY_LOOK_BACK
#undef WHY_SLACK
