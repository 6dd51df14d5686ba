// The inspector: its clients, and what is said to them and when.
//
// Two paths lead to a client. Answers are written into its queue as requests come; everything else
// (states, pictures, trees, traces, progress) is made by ploy_inspector_send at the moment when the
// client takes it, so what a slow client misses was never made.
//
// Invariants, from create to destroy:
//   (1) clients has def.max_clients places, each with def.max_watches watches;
//   (2) a watch in use names a session in use, and no client watches a session twice;
//   (3) a client's queue holds whole entries from queue_at to its end, never more than its limit;
//   (4) each thing that send makes moves its own time on or takes over the session's counter, so
//       asking again and again comes to an end.
#include "ploy/inspect/inspector.h"
#include "inspect/inspect_internal.h"

#include <string.h>

#include "inspect/inspector_internal.h"

#define INSPECTOR_ENTRY_HEAD 8
#define INSPECTOR_QUEUE_KEEP 65536 // bytes of memory that an empty queue keeps
// What surrounds a tree, beyond its own limit.
#define INSPECTOR_TREE_SLACK 65536
// A thing that could not be made is tried again so much later, s.
#define INSPECTOR_RETRY_S 0.5
// Clocks do not tick evenly; a picture may be so much early, s.
#define INSPECTOR_EARLY_S 0.001
// Faults kept of a text that is checked.
#define INSPECTOR_FAULTS 32

static const ploy_field inspector_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_inspector_def, max_clients, 16, 1, 1024, "", "clients at once"),
    PLOY_FIELD_I32_FIXED(ploy_inspector_def, kept_clients, 4, 0, 1024, "",
                         "places for clients with the token only"),
    PLOY_FIELD_I32_FIXED(ploy_inspector_def, max_sessions, 8, 0, 1024, "",
                         "simulations open at once"),
    PLOY_FIELD_I32_FIXED(ploy_inspector_def, max_sources, 8, 0, 1024, "", "live programs"),
    PLOY_FIELD_I32_FIXED(ploy_inspector_def, max_watches, 4, 1, 64, "",
                         "sessions that one client watches at once"),
    PLOY_FIELD_I32_FIXED(ploy_inspector_def, max_message_kib, 1024, 1, 65536, "KiB",
                         "largest message of a client"),
    PLOY_FIELD_I32_FIXED(ploy_inspector_def, max_queue_kib, 4096, 4, 1048576, "KiB",
                         "answers kept for a client"),
    PLOY_FIELD_I32_FIXED(ploy_inspector_def, max_picture_kib, 4096, 1, 1048576, "KiB",
                         "largest picture"),
    PLOY_FIELD_I32_FIXED(ploy_inspector_def, max_tree_kib, 1024, 1, 1048576, "KiB",
                         "largest tree or trace"),
    PLOY_FIELD_I32_FIXED(ploy_inspector_def, max_marks, 20000, 16, 1000000, "",
                         "marks on one session's timeline"),
    PLOY_FIELD_F32(ploy_inspector_def, frame_rate, 60, 0.1f, 1000, "1/s",
                   "most pictures a second for each client"),
    PLOY_FIELD_F32(ploy_inspector_def, keep_s, 60, 0, 1e6f, "s",
                   "time until an unwatched simulation is closed"),
    PLOY_FIELD_DEF(ploy_inspector_def, recorder, ploy_recorder_fields,
                   "recorder of every simulation opened"),
};

// ---- the queue

static void inspector_queue_compact(ployi_inspect_client *client) {
    if (client->queue_at == 0) return;
    ploy_buffer_consume(&client->queue, client->queue_at);
    client->queue_at = 0;
    if (client->queue.size == 0 && client->queue.capacity > INSPECTOR_QUEUE_KEEP) {
        ploy_buffer_fini(&client->queue);
    }
}

// The next entry of the queue; false if it is empty.
static bool inspector_queue_take(ployi_inspect_client *client, const void **bytes, size_t *size,
                                 bool *is_text) {
    if (client->queue_at >= client->queue.size) return false;
    uint32_t head[2];
    const char *at = client->queue.bytes + client->queue_at;
    memcpy(head, at, sizeof head);
    *bytes = at + INSPECTOR_ENTRY_HEAD;
    *size = head[0];
    *is_text = head[1] != 0;
    client->queue_at += INSPECTOR_ENTRY_HEAD + ((size_t)head[0] + 7) / 8 * 8;
    return true;
}

void ployi_inspect_entry_begin(ployi_inspect_entry *entry, ployi_inspect_client *client) {
    static const char zeros[INSPECTOR_ENTRY_HEAD] = {0};
    inspector_queue_compact(client);
    entry->client = client;
    entry->start = client->queue.size;
    entry->writer = ploy_buffer_writer(&client->queue);
    if (client->doomed) entry->writer.result = PLOY_ERR_CANCELLED;
    ploy_write_bytes(&entry->writer, zeros, sizeof zeros);
    ploy_json_writer_init(&entry->json, &entry->writer, 0);
}

ploy_result ployi_inspect_entry_end(ployi_inspect_entry *entry, bool is_text) {
    static const char zeros[8] = {0};
    ploy_buffer *queue = &entry->client->queue;
    ploy_result result =
        is_text ? ploy_json_writer_finish(&entry->json) : ploy_writer_result(&entry->writer);
    size_t size = queue->size - entry->start - INSPECTOR_ENTRY_HEAD;
    if (result == PLOY_OK) {
        ploy_write_bytes(&entry->writer, zeros, (8 - size % 8) % 8);
        result = ploy_writer_result(&entry->writer);
    }
    if (result != PLOY_OK) {
        queue->size = entry->start; // keeps (3)
        if (queue->bytes != NULL) queue->bytes[queue->size] = 0;
        return result;
    }
    uint32_t head[2] = {(uint32_t)size, is_text ? 1u : 0u};
    memcpy(queue->bytes + entry->start, head, sizeof head);
    return PLOY_OK;
}

// ---- clients and watches

static ployi_inspect_client *inspector_client_of(const ploy_inspector *inspector, ploy_id id) {
    if (ploy_id_is_none(id) || id.index >= (uint32_t)inspector->def.max_clients) return NULL;
    ployi_inspect_client *client = &inspector->clients[id.index];
    return client->used && client->generation == id.generation ? client : NULL;
}

ployi_inspect_client *ployi_inspect_client_find(ploy_inspector *inspector, ploy_id id) {
    return inspector_client_of(inspector, id);
}

ploy_id ployi_inspect_client_id(const ploy_inspector *inspector,
                                const ployi_inspect_client *client) {
    return ploy_id_make((uint32_t)(client - inspector->clients), client->generation);
}

void ployi_inspect_doom(ployi_inspect_client *client, ploy_result code, const char *message) {
    if (client->doomed) return;
    client->doomed = true;
    client->doom_code = code;
    client->doom_message = message;
    if (code == PLOY_ERR_LIMIT || code == PLOY_ERR_MEMORY) {
        // No client reads it, or nothing more fits: the goodbye comes at once.
        ploy_buffer_fini(&client->queue);
        client->queue_at = 0;
    }
}

void ployi_inspect_sessions_changed(ploy_inspector *inspector) {
    for (int32_t i = 0; i < inspector->def.max_clients; i++) {
        inspector->clients[i].sessions_due = true;
    }
}

ployi_inspect_watch *ployi_inspect_watch_find(ploy_inspector *inspector,
                                              ployi_inspect_client *client, uint32_t session) {
    if (session == 0) return NULL;
    for (int32_t i = 0; i < inspector->def.max_watches; i++) {
        if (client->watches[i].session == session) return &client->watches[i];
    }
    return NULL;
}

void ployi_inspect_watch_refresh(const ploy_inspector *inspector, ployi_inspect_watch *watch) {
    watch->awaiting = false;
    watch->picture_at = watch->tree_at = watch->why_at = watch->state_at = inspector->now;
    watch->picture_seen = watch->tree_seen = watch->why_seen = 0; // counters begin at 1
}

ployi_inspect_watch *ployi_inspect_watch_begin(ploy_inspector *inspector,
                                               ployi_inspect_client *client,
                                               ployi_inspect_session *session) {
    ployi_inspect_watch *watch = ployi_inspect_watch_find(inspector, client, session->number);
    if (watch != NULL) return watch;
    for (int32_t i = 0; i < inspector->def.max_watches && watch == NULL; i++) {
        if (client->watches[i].session == 0) watch = &client->watches[i];
    }
    if (watch == NULL) return NULL;
    memset(watch, 0, sizeof *watch);
    watch->session = session->number;
    watch->rate = inspector->def.frame_rate;
    watch->layers = (1u << PLOY_LAYER_COUNT) - 1;
    watch->describe_rate = 5;
    watch->progress_at = inspector->now + PLOYI_INSPECT_STATE_EVERY;
    // The answer contains the state and the parameters; events follow when they change.
    watch->state_seen = session->changed;
    watch->params_seen = session->params_changed;
    ployi_inspect_watch_refresh(inspector, watch);
    session->watchers++;
    return watch;
}

void ployi_inspect_watch_end(ploy_inspector *inspector, ployi_inspect_watch *watch) {
    ployi_inspect_session *session = ployi_inspect_session_find(inspector, watch->session);
    if (session != NULL) {
        session->watchers--;
        if (session->watchers == 0 && session->playing != session->attached) {
            session->playing = session->attached;
            session->changed++;
        }
    }
    memset(watch, 0, sizeof *watch);
}

// ---- what is made on demand

// True if an event that is sent at a rate while the session runs, and at once otherwise, is due.
static bool inspector_due(const ploy_inspector *inspector, const ployi_inspect_session *session,
                          uint64_t seen, double at) {
    if (session->live) return inspector->now + INSPECTOR_EARLY_S >= at;
    if (seen == session->moved) return false;
    return inspector->now + INSPECTOR_EARLY_S >= at || !ployi_inspect_session_runs(session);
}

static bool inspector_wants_picture(const ployi_inspect_session *session,
                                    const ployi_inspect_watch *watch) {
    if (watch->rate <= 0.0f || (watch->acknowledge && watch->awaiting)) return false;
    return session->live || watch->picture_seen != session->moved;
}

static bool inspector_wants_tree(const ployi_inspect_watch *watch) {
    return watch->describe == PLOYI_DESCRIBE_ALL ||
           (watch->describe == PLOYI_DESCRIBE_AGENT && !ploy_id_is_none(watch->agent.id));
}

static bool inspector_wants_why(const ployi_inspect_session *session,
                                const ployi_inspect_watch *watch) {
    return watch->why && !session->live && session->way == PLOYI_WAY_NONE &&
           ploy_recorder_tick(session->recorder) > 0;
}

static void inspector_event_begin(ploy_inspector *inspector, ploy_writer *writer,
                                  ploy_json_writer *json, const char *event) {
    ploy_buffer_clear(&inspector->scratch);
    *writer = ploy_buffer_writer(&inspector->scratch);
    ploy_json_writer_init(json, writer, 0);
    ploy_json_write_begin_object(json);
    ploy_json_write_key(json, "event");
    ploy_json_write_text(json, event);
}

static bool inspector_event_end(ploy_json_writer *json) {
    ploy_json_write_end_object(json);
    return ploy_json_writer_finish(json) == PLOY_OK;
}

static bool inspector_make_sessions(ploy_inspector *inspector) {
    ploy_writer writer;
    ploy_json_writer json;
    inspector_event_begin(inspector, &writer, &json, "sessions");
    ploy_json_write_key(&json, "sessions");
    ployi_inspect_write_sessions(&json, inspector);
    return inspector_event_end(&json);
}

static bool inspector_make_goodbye(ploy_inspector *inspector, const ployi_inspect_client *client) {
    ploy_writer writer;
    ploy_json_writer json;
    inspector_event_begin(inspector, &writer, &json, "goodbye");
    ploy_json_write_key(&json, "code");
    ploy_json_write_text(&json, ployi_inspect_code(client->doom_code));
    ploy_json_write_key(&json, "message");
    ploy_json_write_text(&json, client->doom_message);
    return inspector_event_end(&json);
}

static bool inspector_make_state(ploy_inspector *inspector, ployi_inspect_session *session,
                                 ployi_inspect_watch *watch) {
    if (watch->state_seen == session->changed) return false;
    if (ployi_inspect_session_runs(session) &&
        inspector->now + INSPECTOR_EARLY_S < watch->state_at) {
        return false;
    }
    watch->state_at = inspector->now + PLOYI_INSPECT_STATE_EVERY;
    ploy_writer writer;
    ploy_json_writer json;
    inspector_event_begin(inspector, &writer, &json, "state");
    ployi_inspect_write_state(&json, session, watch->params_seen != session->params_changed);
    watch->state_seen = session->changed; // keeps (4)
    if (!inspector_event_end(&json)) return false;
    watch->params_seen = session->params_changed;
    return true;
}

static bool inspector_make_progress(ploy_inspector *inspector, const ployi_inspect_client *client,
                                    const ployi_inspect_session *session,
                                    ployi_inspect_watch *watch) {
    if (session->way == PLOYI_WAY_NONE) {
        // A run that is short enough ends before its progress is sent.
        watch->progress_at = inspector->now + PLOYI_INSPECT_STATE_EVERY;
        return false;
    }
    if (inspector->now + INSPECTOR_EARLY_S < watch->progress_at) return false;
    watch->progress_at = inspector->now + PLOYI_INSPECT_STATE_EVERY;
    ploy_writer writer;
    ploy_json_writer json;
    inspector_event_begin(inspector, &writer, &json, "progress");
    ploy_json_write_key(&json, "session");
    ploy_json_write_u64(&json, session->number);
    ploy_json_write_key(&json, "id");
    // Request numbers are each client's own.
    if (ploy_id_equal(session->asker, ployi_inspect_client_id(inspector, client))) {
        ploy_json_write_u64(&json, session->asker_request);
    } else {
        ploy_json_write_null(&json);
    }
    ploy_json_write_key(&json, "tick");
    ploy_json_write_u64(&json, ployi_inspect_session_tick(session));
    ploy_json_write_key(&json, "target");
    ploy_json_write_u64(&json, session->target);
    return inspector_event_end(&json);
}

static bool inspector_make_picture(ploy_inspector *inspector, ployi_inspect_session *session,
                                   ployi_inspect_watch *watch) {
    if (!inspector_wants_picture(session, watch)) return false;
    if (inspector->now + INSPECTOR_EARLY_S < watch->picture_at) return false;
    if (session->live) session->moved++;
    if (ployi_inspect_picture(inspector, session, watch, &inspector->scratch) != PLOY_OK) {
        watch->picture_at = inspector->now + INSPECTOR_RETRY_S;
        return false;
    }
    // The next one is due a period after this one was due, so the rate is kept on average; but
    // what was missed is not made up for.
    watch->picture_at += 1.0 / (double)watch->rate;
    if (watch->picture_at < inspector->now) watch->picture_at = inspector->now;
    if (session->live && watch->picture_at <= inspector->now + INSPECTOR_EARLY_S) {
        watch->picture_at = inspector->now + 2 * INSPECTOR_EARLY_S; // keeps (4)
    }
    watch->picture_seen = session->moved;
    watch->awaiting = watch->acknowledge;
    return true;
}

static bool inspector_make_tree(ploy_inspector *inspector, const ployi_inspect_session *session,
                                ployi_inspect_watch *watch) {
    if (!inspector_wants_tree(watch)) return false;
    if (!inspector_due(inspector, session, watch->tree_seen, watch->tree_at)) return false;
    watch->tree_at = inspector->now + 1.0 / (double)watch->describe_rate;
    watch->tree_seen = session->moved;
    ploy_writer writer;
    ploy_json_writer json;
    inspector_event_begin(inspector, &writer, &json, "describe");
    ployi_inspect_write_tree(&json, inspector, session,
                             watch->describe == PLOYI_DESCRIBE_AGENT ? watch->agent
                                                                     : ploy_agent_id_none());
    return inspector_event_end(&json);
}

// Begins the reasons that are due; ploy_inspector_send goes on with them.
static void inspector_begin_why(ploy_inspector *inspector, ployi_inspect_client *client,
                                ployi_inspect_session *session, ployi_inspect_watch *watch) {
    if (client->why != NULL || !inspector_wants_why(session, watch)) return;
    if (!inspector_due(inspector, session, watch->why_seen, watch->why_at)) return;
    watch->why_at = inspector->now + 1.0 / (double)watch->describe_rate;
    watch->why_seen = session->moved;
    // Looking back costs many ticks: while the session runs, once for each agent that is selected.
    bool again = watch->why_looked && ploy_id_equal(watch->why_of.id, watch->agent.id);
    bool look = !again || !ployi_inspect_session_runs(session);
    watch->why_looked = true;
    watch->why_of = watch->agent;
    (void)ployi_inspect_why_begin(inspector, client, session, watch->agent, look, NULL);
}

static bool inspector_wants_marks(const ployi_inspect_session *session,
                                  const ployi_inspect_watch *watch) {
    return watch->marks && (watch->marks_cut || watch->marks_seen < session->journal.count);
}

static bool inspector_make_marks(ploy_inspector *inspector, const ployi_inspect_session *session,
                                 ployi_inspect_watch *watch) {
    if (!inspector_wants_marks(session, watch)) return false;
    if (ployi_inspect_session_runs(session) &&
        inspector->now + INSPECTOR_EARLY_S < watch->marks_at) {
        return false;
    }
    watch->marks_at = inspector->now + 1.0 / (double)watch->describe_rate;
    ploy_writer writer;
    ploy_json_writer json;
    inspector_event_begin(inspector, &writer, &json, "marks");
    watch->marks_cut = false;
    ployi_inspect_write_marks(&json, session, &watch->marks_seen);
    return inspector_event_end(&json);
}

// As often as marks, and with them.
static bool inspector_make_loads(ploy_inspector *inspector, const ployi_inspect_session *session,
                                 ployi_inspect_watch *watch) {
    if (!watch->marks) return false;
    if (!watch->loads_cut && watch->loads_seen >= session->journal.loads.count) return false;
    if (ployi_inspect_session_runs(session) &&
        inspector->now + INSPECTOR_EARLY_S < watch->loads_at) {
        return false;
    }
    watch->loads_at = inspector->now + 1.0 / (double)watch->describe_rate;
    ploy_writer writer;
    ploy_json_writer json;
    inspector_event_begin(inspector, &writer, &json, "loads");
    watch->loads_cut = false;
    ployi_inspect_write_loads(&json, session, &watch->loads_seen);
    return inspector_event_end(&json);
}

// Makes the next thing that is due for a client; false if there is nothing.
static bool inspector_make(ploy_inspector *inspector, ployi_inspect_client *client, bool *is_text) {
    *is_text = true;
    if (client->sessions_due) {
        client->sessions_due = false;
        if (inspector_make_sessions(inspector)) return true;
    }
    // Each session in turn; the one after that which was served last begins.
    for (int32_t i = 0; i < inspector->def.max_watches; i++) {
        int32_t at = (client->turn + i) % inspector->def.max_watches;
        ployi_inspect_watch *watch = &client->watches[at];
        ployi_inspect_session *session = ployi_inspect_session_find(inspector, watch->session);
        if (session == NULL) continue;
        bool made = inspector_make_state(inspector, session, watch) ||
                    inspector_make_progress(inspector, client, session, watch);
        if (!made && inspector_make_picture(inspector, session, watch)) {
            *is_text = false;
            made = true;
        }
        if (!made) inspector_begin_why(inspector, client, session, watch);
        made = made || inspector_make_tree(inspector, session, watch) ||
               inspector_make_marks(inspector, session, watch) ||
               inspector_make_loads(inspector, session, watch);
        if (!made) continue;
        client->turn = (at + 1) % inspector->def.max_watches;
        return true;
    }
    return false;
}

// ---- public

const char *ploy_inspect_access_text(ploy_inspect_access access) {
    switch (access) {
    case PLOY_INSPECT_NONE: return "none";
    case PLOY_INSPECT_LOOK: return "look";
    case PLOY_INSPECT_WRITE: return "write";
    }
    return "?";
}

ploy_inspector_def ploy_inspector_def_default(void) {
    ploy_inspector_def def;
    ploy_fields_default(ploy_inspector_fields(), &def);
    return def;
}

ploy_fields ploy_inspector_fields(void) {
    return PLOY_FIELDS(ploy_inspector_def, inspector_fields);
}

ploy_result ploy_inspector_create(const ploy_inspector_def *def, const ploy_sim_type *const *types,
                                  const ploy_env *env, ploy_inspector **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_inspector_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_inspector *inspector = ploy_env_alloc_zero(env, sizeof *inspector);
    if (inspector == NULL) return PLOY_ERR_MEMORY;
    inspector->env = *env;
    inspector->def = *def;
    inspector->types = types;
    inspector->session_places = def->max_sources + def->max_sessions;
    // Never more than a quarter, so that small tables keep places for guests too.
    int32_t kept =
        def->kept_clients < def->max_clients / 4 ? def->kept_clients : def->max_clients / 4;
    inspector->guest_places = def->max_clients - kept;
    size_t scratch = (size_t)def->max_tree_kib * 1024 + INSPECTOR_TREE_SLACK;
    if (scratch < (size_t)def->max_picture_kib * 1024) {
        scratch = (size_t)def->max_picture_kib * 1024;
    }
    ploy_buffer_init(&inspector->scratch, scratch, env);
    size_t watches = (size_t)def->max_clients * (size_t)def->max_watches;
    inspector->clients =
        ploy_env_alloc_zero(env, (size_t)def->max_clients * sizeof *inspector->clients);
    inspector->watches = ploy_env_alloc_zero(env, watches * sizeof *inspector->watches);
    inspector->sessions =
        ploy_env_alloc_zero(env, (size_t)inspector->session_places * sizeof *inspector->sessions);
    result = ploy_diags_create(INSPECTOR_FAULTS, env, &inspector->diags);
    if (result != PLOY_OK || inspector->clients == NULL || inspector->watches == NULL ||
        (inspector->session_places > 0 && inspector->sessions == NULL)) {
        ploy_inspector_destroy(inspector);
        return PLOY_ERR_MEMORY;
    }
    for (int32_t i = 0; i < def->max_clients; i++) {
        inspector->clients[i].watches = inspector->watches + (size_t)i * (size_t)def->max_watches;
    }
    *out = inspector;
    return PLOY_OK;
}

void ploy_inspector_destroy(ploy_inspector *inspector) {
    if (inspector == NULL) return;
    ploy_env env = inspector->env;
    const ploy_inspector_def *def = &inspector->def;
    for (int32_t i = 0; inspector->clients != NULL && i < def->max_clients; i++) {
        ployi_inspect_why_end(inspector, &inspector->clients[i]); // before the recorders
    }
    if (inspector->sessions != NULL) {
        for (int32_t i = 0; i < inspector->session_places; i++) {
            if (inspector->sessions[i].number == 0) continue;
            ployi_inspect_session_free(inspector, &inspector->sessions[i]);
        }
    }
    if (inspector->clients != NULL) {
        for (int32_t i = 0; i < def->max_clients; i++) {
            ployi_inspect_client *client = &inspector->clients[i];
            if (!client->used) continue;
            ploy_buffer_fini(&client->queue);
        }
    }
    ploy_diags_destroy(inspector->diags);
    ploy_buffer_fini(&inspector->scratch);
    ploy_env_free(&env, inspector->sessions,
                  (size_t)inspector->session_places * sizeof *inspector->sessions);
    ploy_env_free(&env, inspector->watches,
                  (size_t)def->max_clients * (size_t)def->max_watches * sizeof *inspector->watches);
    ploy_env_free(&env, inspector->clients, (size_t)def->max_clients * sizeof *inspector->clients);
    ploy_env_free(&env, inspector, sizeof *inspector);
}

const ploy_inspector_def *ployi_inspector_def_of(const ploy_inspector *inspector) {
    return &inspector->def;
}

ploy_result ploy_inspector_set_token(ploy_inspector *inspector, const char *token,
                                     ploy_inspect_access grants) {
    if (inspector == NULL) return PLOY_ERR_ARGUMENT;
    size_t size = token != NULL ? strlen(token) : 0;
    if (size > PLOYI_TOKEN_MAX || (token != NULL && size == 0)) return PLOY_ERR_ARGUMENT;
    memset(inspector->token, 0, sizeof inspector->token);
    if (token != NULL) memcpy(inspector->token, token, size);
    inspector->token_size = size;
    inspector->grants = grants;
    return PLOY_OK;
}

ploy_result ploy_inspector_connect(ploy_inspector *inspector, ploy_inspect_access access,
                                   ploy_id *client) {
    if (inspector == NULL || client == NULL) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < inspector->def.max_clients; i++) {
        ployi_inspect_client *place = &inspector->clients[i];
        if (place->used) continue;
        ployi_inspect_watch *watches = place->watches;
        uint32_t generation = place->generation + 1;
        memset(place, 0, sizeof *place);
        place->watches = watches;
        place->generation = generation != 0 ? generation : 1;
        place->used = true;
        place->base = access;
        ploy_buffer_init(&place->queue, (size_t)inspector->def.max_queue_kib * 1024,
                         &inspector->env);
        *client = ployi_inspect_client_id(inspector, place);
        return PLOY_OK;
    }
    return PLOY_ERR_CAPACITY;
}

void ploy_inspector_disconnect(ploy_inspector *inspector, ploy_id client) {
    ployi_inspect_client *place = ployi_inspect_client_find(inspector, client);
    if (place == NULL) return;
    for (int32_t i = 0; i < inspector->def.max_watches; i++) {
        if (place->watches[i].session != 0) ployi_inspect_watch_end(inspector, &place->watches[i]);
    }
    ployi_inspect_why_end(inspector, place);
    ploy_buffer_fini(&place->queue);
    place->used = false;
}

ploy_result ploy_inspector_receive(ploy_inspector *inspector, ploy_id client, const void *bytes,
                                   size_t size, bool is_text) {
    ployi_inspect_client *place = ployi_inspect_client_find(inspector, client);
    if (place == NULL) return PLOY_ERR_NOT_FOUND;
    if (place->doomed) return PLOY_OK; // it will not be listened to any more
    ployi_inspect_attached_sync(inspector);
    if (is_text) {
        ployi_inspect_request_text(inspector, place, bytes, size);
    } else {
        ployi_inspect_request_binary(inspector, place, bytes, size);
    }
    return PLOY_OK;
}

ploy_result ploy_inspector_send(ploy_inspector *inspector, ploy_id client, ploy_budget *budget,
                                const void **bytes, size_t *size, bool *is_text) {
    ployi_inspect_client *place = ployi_inspect_client_find(inspector, client);
    if (place == NULL) return PLOY_ERR_NOT_FOUND;
    ployi_inspect_why_collect(inspector, place);
    if (place->queue_at >= place->queue.size) inspector_queue_compact(place);
    if (inspector_queue_take(place, bytes, size, is_text)) return PLOY_OK;
    *is_text = true;
    if (place->doomed) {
        if (place->said_goodbye) return PLOY_ERR_CANCELLED;
        place->said_goodbye = true;
        if (!inspector_make_goodbye(inspector, place)) return PLOY_ERR_CANCELLED;
    } else if (!place->greeted || place->access < PLOY_INSPECT_LOOK) {
        return PLOY_ERR_NOT_FOUND;
    } else if (!inspector_make(inspector, place, is_text)) {
        *is_text = true;
        ploy_result result = ployi_inspect_why_step(inspector, place, budget, bytes, size);
        if (result == PLOY_ERR_NOT_FOUND && inspector_queue_take(place, bytes, size, is_text)) {
            return PLOY_OK; // it failed, and that is the answer
        }
        return result;
    }
    *bytes = inspector->scratch.bytes;
    *size = inspector->scratch.size;
    return PLOY_OK;
}

bool ploy_inspector_waits(const ploy_inspector *inspector, ploy_id client) {
    const ployi_inspect_client *place = inspector_client_of(inspector, client);
    if (place == NULL) return false;
    return place->queue_at < place->queue.size || ployi_inspect_why_asked(place);
}

ploy_inspect_access ploy_inspector_access(const ploy_inspector *inspector, ploy_id client) {
    const ployi_inspect_client *place = inspector_client_of(inspector, client);
    return place != NULL && place->greeted ? place->access : PLOY_INSPECT_NONE;
}

bool ploy_inspector_trusts(const ploy_inspector *inspector, ploy_id client) {
    const ployi_inspect_client *place = inspector_client_of(inspector, client);
    return place != NULL && place->greeted && place->trusted;
}

ploy_result ploy_inspector_step(ploy_inspector *inspector, double seconds, ploy_budget *budget) {
    if (inspector == NULL) return PLOY_ERR_ARGUMENT;
    if (!(seconds > 0.0)) seconds = 0.0;
    if (seconds > 1e6) seconds = 1e6;
    inspector->now += seconds;
    ployi_inspect_attached_sync(inspector);
    // Another session comes first each time, so that a small budget is shared fairly.
    if (inspector->session_places > 0) {
        inspector->turn = (inspector->turn + 1) % inspector->session_places;
    }
    for (int32_t i = 0; i < inspector->session_places; i++) {
        int32_t at = (inspector->turn + i) % inspector->session_places;
        ployi_inspect_session *session = &inspector->sessions[at];
        if (session->number == 0) continue;
        ployi_inspect_session_step(inspector, session, seconds, budget);
    }
    return PLOY_OK;
}

bool ployi_inspector_busy(const ploy_inspector *inspector) {
    for (int32_t i = 0; i < inspector->session_places; i++) {
        const ployi_inspect_session *session = &inspector->sessions[i];
        if (session->number != 0 && ployi_inspect_session_runs(session)) return true;
    }
    return false;
}

double ploy_inspector_due_s(const ploy_inspector *inspector) {
    double due = 1.0;
    for (int32_t i = 0; i < inspector->session_places; i++) {
        const ployi_inspect_session *session = &inspector->sessions[i];
        if (session->number == 0) continue;
        if (session->way != PLOYI_WAY_NONE) return 0.0;
        if (!session->playing) continue;
        double rate = session->speed / (double)session->type->dt;
        double left = (1.0 - session->owed) / rate;
        if (left < due) due = left > 0.0 ? left : 0.0;
    }
    for (int32_t i = 0; i < inspector->session_places; i++) {
        const ployi_inspect_session *session = &inspector->sessions[i];
        if (session->number == 0 || session->watchers == 0) continue;
        for (int32_t k = 0; k < inspector->def.max_clients; k++) {
            if (!inspector->clients[k].used) continue;
            for (int32_t w = 0; w < inspector->def.max_watches; w++) {
                const ployi_inspect_watch *watch = &inspector->clients[k].watches[w];
                if (watch->session != session->number) continue;
                double at = inspector->now + due;
                if (inspector_wants_picture(session, watch) && watch->picture_at < at) {
                    at = watch->picture_at;
                }
                if (session->live && inspector_wants_tree(watch) && watch->tree_at < at) {
                    at = watch->tree_at;
                }
                // What is due already was not taken: its client is slow, and not waiting for it
                // keeps the server from spinning.
                double left = at - inspector->now;
                if (left < 5 * INSPECTOR_EARLY_S) left = 5 * INSPECTOR_EARLY_S;
                if (left < due) due = left;
            }
        }
    }
    return due;
}

int32_t ploy_inspector_client_count(const ploy_inspector *inspector) {
    int32_t count = 0;
    for (int32_t i = 0; i < inspector->def.max_clients; i++) count += inspector->clients[i].used;
    return count;
}

int32_t ploy_inspector_session_count(const ploy_inspector *inspector) {
    int32_t count = 0;
    for (int32_t i = 0; i < inspector->session_places; i++) {
        count += inspector->sessions[i].number != 0;
    }
    return count;
}

void ploy_inspector_memory(const ploy_inspector *inspector, ploy_memory_fn fn, void *user) {
    const ploy_inspector_def *def = &inspector->def;
    ploy_memory_item fixed = {"inspector", sizeof *inspector, 4};
    fixed.bytes += (size_t)def->max_clients * sizeof *inspector->clients;
    fixed.bytes += (size_t)def->max_clients * (size_t)def->max_watches * sizeof *inspector->watches;
    fixed.bytes += (size_t)inspector->session_places * sizeof *inspector->sessions;
    fn(user, &fixed);
    ploy_memory_item buffers = {"inspector.messages", inspector->scratch.capacity,
                                inspector->scratch.bytes != NULL};
    for (int32_t i = 0; i < def->max_clients; i++) {
        if (!inspector->clients[i].used) continue;
        buffers.bytes += inspector->clients[i].queue.capacity;
        buffers.blocks += inspector->clients[i].queue.bytes != NULL;
    }
    fn(user, &buffers);
    for (int32_t i = 0; i < inspector->session_places; i++) {
        const ployi_inspect_session *session = &inspector->sessions[i];
        if (session->recorder == NULL) continue;
        if (!session->attached) ploy_recorder_memory(session->recorder, fn, user);
        const ployi_inspect_journal *journal = &session->journal;
        ploy_memory_item marks = {
            "inspector.marks",
            (size_t)journal->capacity * sizeof *journal->marks +
                (size_t)journal->loads.capacity * sizeof *journal->loads.items +
                journal->known.size + journal->choices.size + journal->decided.size,
            3};
        if (journal->on) fn(user, &marks);
    }
}

#undef INSPECTOR_ENTRY_HEAD
#undef INSPECTOR_QUEUE_KEEP
#undef INSPECTOR_TREE_SLACK
#undef INSPECTOR_RETRY_S
#undef INSPECTOR_EARLY_S
#undef INSPECTOR_FAULTS
