// Sessions: simulations with their recorder, and live programs.
//
// Invariants of a session in use:
//   (1) number is not 0 and is never used again;
//   (2) a live one has no recorder, a simulation has one, and a block of three times its
//       parameters: as they were last sent, as the next tick will have them, and scratch;
//   (3) the second of these is the parameters with those inputs of the log that the next tick
//       applies, be they queued or, in the past, recorded;
//   (4) watchers is the number of watches that name it; a simulation without any does not play,
//       the recorder of a game without any does.
#include "inspect/inspector_internal.h"

#include <string.h>

// Ticks that may be owed, in seconds of the wall clock: what is further behind is forgotten.
#define SESSION_OWED_MAX_S 0.25

static void session_moved(ployi_inspect_session *session) {
    session->moved++;
    session->changed++;
}

// Index of the first input of the log that is applied at that tick or later.
static int32_t session_first_input(const ploy_recorder *recorder, uint64_t tick) {
    int32_t low = 0, high = ploy_recorder_input_count(recorder);
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        uint64_t at = 0;
        (void)ploy_recorder_input_at(recorder, middle, &at);
        if (at < tick) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Bytes from one of the three to the next; as aligned as a block of memory is.
static size_t session_block(ploy_fields fields) {
    return ((size_t)fields.size + PLOY_ALIGNMENT - 1) / PLOY_ALIGNMENT * PLOY_ALIGNMENT;
}

// Replaces a block by another; false if they are the same.
static bool session_replace(void *block, const void *other, size_t size) {
    if (memcmp(block, other, size) == 0) return false;
    memcpy(block, other, size);
    return true;
}

bool ployi_inspect_session_advance(ployi_inspect_session *session) {
    ployi_inspect_journal_before(session);
    ploy_result result = ploy_recorder_step(session->recorder);
    session_moved(session);
    if (result != PLOY_OK) {
        session->failed = result;
        session->playing = false;
        session->owed = 0;
        return false;
    }
    session->failed = PLOY_OK;
    ployi_inspect_session_refresh(session);
    ployi_inspect_journal_after(session);
    return true;
}

ployi_inspect_client *ployi_inspect_session_arrive(ploy_inspector *inspector,
                                                   ployi_inspect_session *session,
                                                   ploy_result result, const char *message) {
    ployi_inspect_client *client = ployi_inspect_client_find(inspector, session->asker);
    ployi_inspect_session *partner = session->way == PLOYI_WAY_COMPARE
                                         ? ployi_inspect_session_find(inspector, session->partner)
                                         : NULL;
    if (partner != NULL) {
        partner->way = PLOYI_WAY_NONE;
        partner->partner = 0;
        partner->changed++;
    }
    session->way = PLOYI_WAY_NONE;
    session->partner = 0;
    session->asker = ploy_id_none();
    session->changed++;
    if (result != PLOY_OK) ployi_inspect_scan_free(inspector, session);
    if (result == PLOY_OK || client == NULL) return client;
    ploy_diags_clear(inspector->diags);
    ployi_inspect_request request = {
        inspector, client, NULL, ploy_json_none(), true, session->asker_request, session->asker_do};
    ployi_inspect_answer_error(&request, result, message, NULL);
    return NULL;
}

// What a request hears that waited for an arrival.
static void session_answer(ploy_inspector *inspector, ployi_inspect_session *session,
                           ploy_result result, const char *message) {
    ployi_inspect_way way = session->way;
    ployi_inspect_client *client =
        ployi_inspect_session_arrive(inspector, session, result, message);
    if (client == NULL) return;
    ployi_inspect_request request = {
        inspector, client, NULL, ploy_json_none(), true, session->asker_request, session->asker_do};
    if (way == PLOYI_WAY_FORK && ployi_inspect_watch_begin(inspector, client, session) == NULL) {
        ploy_diags_clear(inspector->diags);
        ployi_inspect_answer_error(&request, PLOY_ERR_CAPACITY, "too many sessions", NULL);
        return;
    }
    ployi_inspect_entry entry;
    ployi_inspect_answer_begin(&entry, &request);
    ploy_json_write_key(&entry.json, "session");
    if (way == PLOYI_WAY_FORK) {
        ployi_inspect_write_session(&entry.json, inspector, session);
    } else {
        ploy_json_write_u64(&entry.json, session->number);
        ploy_json_write_key(&entry.json, "tick");
        ploy_json_write_u64(&entry.json, ploy_recorder_tick(session->recorder));
    }
    (void)ployi_inspect_answer_end(&entry, &request);
}

ploy_result ployi_inspect_session_seek(ployi_inspect_session *session, uint64_t tick,
                                       ploy_budget *budget) {
    ploy_recorder *recorder = session->recorder;
    uint64_t before = ploy_recorder_tick(recorder);
    const ployi_inspect_journal *journal = &session->journal;
    // What is behind the journal is gone to quickly, what is ahead of it one by one.
    uint64_t known = journal->on && journal->scanned < tick ? journal->scanned : tick;
    if (before >= known && before <= tick) known = before;
    ploy_result result = ploy_recorder_seek(recorder, known, budget);
    if (result == PLOY_OK || ploy_recorder_tick(recorder) != before) session_moved(session);
    session->failed = result < 0 ? result : PLOY_OK;
    ployi_inspect_session_refresh(session);
    while (result == PLOY_OK && ploy_recorder_tick(recorder) < tick) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        if (!ployi_inspect_session_advance(session)) result = session->failed;
    }
    return result;
}

// Goes on towards the target as far as the budget allows.
static void session_travel(ploy_inspector *inspector, ployi_inspect_session *session,
                           ploy_budget *budget) {
    ploy_result result = PLOY_OK;
    if (session->way == PLOYI_WAY_STEP) {
        while (ploy_recorder_tick(session->recorder) < session->target) {
            if (budget != NULL && !ploy_budget_spend(budget, 1)) return;
            if (!ployi_inspect_session_advance(session)) {
                result = session->failed;
                break;
            }
        }
    } else {
        result = ployi_inspect_session_seek(session, session->target, budget);
        if (result == PLOY_IN_PROGRESS) return;
    }
    session_answer(inspector, session, result,
                   result == PLOY_ERR_STATE ? "simulation stopped or was not reproducible"
                                            : ploy_result_text(result));
}

static void session_play(ployi_inspect_session *session, double seconds, ploy_budget *budget) {
    double rate = session->speed / (double)session->type->dt; // ticks a second
    double most = rate * SESSION_OWED_MAX_S;
    session->owed += seconds * rate;
    if (session->owed > most && session->owed > 1.0) session->owed = most > 1.0 ? most : 1.0;
    while (session->owed >= 1.0) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) {
            session->owed = 1.0; // too slow a machine: no catching up later
            return;
        }
        session->owed -= 1.0;
        if (!ployi_inspect_session_advance(session)) return;
    }
}

ployi_inspect_session *ployi_inspect_session_find(ploy_inspector *inspector, uint32_t number) {
    if (number == 0) return NULL;
    for (int32_t i = 0; i < inspector->session_places; i++) {
        if (inspector->sessions[i].number == number) return &inspector->sessions[i];
    }
    return NULL;
}

ploy_result ployi_inspect_session_room(ploy_inspector *inspector) {
    ployi_inspect_session *oldest = NULL;
    for (int32_t i = inspector->def.max_sources; i < inspector->session_places; i++) {
        ployi_inspect_session *session = &inspector->sessions[i];
        if (session->number == 0) return PLOY_OK;
        if (session->watchers > 0 || session->way != PLOYI_WAY_NONE) continue;
        if (oldest == NULL || session->unwatched_s > oldest->unwatched_s) oldest = session;
    }
    if (oldest == NULL) return PLOY_ERR_CAPACITY;
    ployi_inspect_session_close(inspector, oldest, "replaced by another session");
    return PLOY_OK;
}

ploy_result ployi_inspect_session_add(ploy_inspector *inspector, ploy_recorder *recorder,
                                      ployi_inspect_session **out) {
    *out = NULL;
    ploy_result result = ployi_inspect_session_room(inspector);
    if (result != PLOY_OK) return result;
    ployi_inspect_session *session = &inspector->sessions[inspector->def.max_sources];
    while (session->number != 0) session++;
    result = ployi_inspect_session_take(inspector, session, recorder);
    if (result == PLOY_OK) *out = session;
    return result;
}

ploy_result ployi_inspect_session_take(ploy_inspector *inspector, ployi_inspect_session *session,
                                       ploy_recorder *recorder) {
    memset(session, 0, sizeof *session);
    session->recorder = recorder;
    session->type = ploy_sim_type_of(ploy_recorder_sim(recorder));
    ploy_fields fields = ployi_inspect_session_fields(session);
    if (fields.size > 0) {
        session->params = ploy_env_alloc_zero(&inspector->env, 3 * session_block(fields));
        if (session->params == NULL) return PLOY_ERR_MEMORY;
        session->next_params = session->params + session_block(fields);
        ployi_inspect_session_refresh(session);
    }
    session->speed = 1;
    session->moved = session->changed = session->params_changed = 1;
    session->number = ++inspector->last_session;
    ployi_inspect_sessions_changed(inspector);
    return PLOY_OK;
}

void ployi_inspect_session_free(ploy_inspector *inspector, ployi_inspect_session *session) {
    if (session->recorder != NULL) {
        ployi_inspect_journal_end(session);
        ployi_inspect_scan_free(inspector, session);
        ploy_env_free(&inspector->env, session->params,
                      3 * session_block(ployi_inspect_session_fields(session)));
        if (!session->attached) ploy_recorder_destroy(session->recorder);
    }
    memset(session, 0, sizeof *session);
}

void ployi_inspect_session_close(ploy_inspector *inspector, ployi_inspect_session *session,
                                 const char *reason) {
    ployi_inspect_session_cancel(inspector, session);
    ployi_inspect_why_forget(inspector, session);
    for (int32_t i = 0; i < inspector->def.max_clients; i++) {
        ployi_inspect_client *client = &inspector->clients[i];
        if (!client->used) continue;
        ployi_inspect_watch *watch = ployi_inspect_watch_find(inspector, client, session->number);
        if (watch == NULL) continue;
        ployi_inspect_watch_end(inspector, watch);
        ployi_inspect_entry entry;
        ployi_inspect_entry_begin(&entry, client);
        ploy_json_write_begin_object(&entry.json);
        ploy_json_write_key(&entry.json, "event");
        ploy_json_write_text(&entry.json, "closed");
        ploy_json_write_key(&entry.json, "session");
        ploy_json_write_u64(&entry.json, session->number);
        ploy_json_write_key(&entry.json, "reason");
        ploy_json_write_text(&entry.json, reason);
        ploy_json_write_end_object(&entry.json);
        ploy_result result = ployi_inspect_entry_end(&entry, true);
        if (result != PLOY_OK) ployi_inspect_doom(client, result, "a message did not fit");
    }
    ployi_inspect_session_free(inspector, session);
    ployi_inspect_sessions_changed(inspector);
}

const ploy_command *ployi_inspect_session_commands(const ployi_inspect_session *session,
                                                   int32_t *count) {
    *count = session->live ? session->source.command_count : session->type->command_count;
    return session->live ? session->source.commands : session->type->commands;
}

ploy_fields ployi_inspect_session_fields(const ployi_inspect_session *session) {
    ploy_fields none = {NULL, NULL, 0, 0};
    if (session->live) return session->source.fields;
    return session->type->fields != NULL ? session->type->fields() : none;
}

const void *ployi_inspect_session_params(const ployi_inspect_session *session) {
    if (session->live) return session->source.params;
    return ploy_sim_params(ploy_recorder_sim(session->recorder));
}

uint64_t ployi_inspect_session_tick(const ployi_inspect_session *session) {
    return session->live ? session->moved : ploy_recorder_tick(session->recorder);
}

uint64_t ployi_inspect_session_hash(ployi_inspect_session *session) {
    if (!session->hash_known || session->hash_moved != session->moved) {
        session->hash = ploy_sim_hash(ploy_recorder_sim(session->recorder));
        session->hash_moved = session->moved;
        session->hash_known = true;
    }
    return session->hash;
}

bool ployi_inspect_session_runs(const ployi_inspect_session *session) {
    return session->playing || session->way != PLOYI_WAY_NONE;
}

void ployi_inspect_session_cancel(ploy_inspector *inspector, ployi_inspect_session *session) {
    if (session->way == PLOYI_WAY_NONE) return;
    if (session->way == PLOYI_WAY_PARTNER) {
        session = ployi_inspect_session_find(inspector, session->partner);
    }
    session_answer(inspector, session, PLOY_ERR_CANCELLED, "replaced by another request");
}

void ployi_inspect_session_go(ployi_inspect_session *session, ployi_inspect_way way,
                              uint64_t target, const ployi_inspect_request *request,
                              const char *name) {
    session->playing = false;
    session->owed = 0;
    session->way = way;
    session->target = target;
    session->asker = ployi_inspect_client_id(request->inspector, request->client);
    session->asker_request = request->id;
    session->asker_do = name;
    session->changed++;
}

void ployi_inspect_session_refresh(ployi_inspect_session *session) {
    // An input in the past has made the record end here.
    ployi_inspect_journal_cut(session, ploy_recorder_end(session->recorder));
    ploy_fields fields = ployi_inspect_session_fields(session);
    if (session->params == NULL) return;
    const void *params = ployi_inspect_session_params(session);
    unsigned char *next = session->params + 2 * session_block(fields);
    memcpy(next, params, fields.size);
    uint64_t tick = ploy_recorder_tick(session->recorder);
    for (int32_t i = session_first_input(session->recorder, tick);; i++) {
        uint64_t at = 0;
        const ploy_input *input = ploy_recorder_input_at(session->recorder, i, &at);
        if (input == NULL || at != tick) break;
        if (input->kind != PLOY_INPUT_PARAMETER) continue;
        (void)ploy_fields_set(fields, next, input->name, &input->value, NULL); // keeps (3)
    }
    bool changed = session_replace(session->params, params, fields.size);
    changed = session_replace(session->next_params, next, fields.size) || changed;
    if (!changed) return;
    session->params_changed++;
    session->changed++;
}

void ployi_inspect_session_step(ploy_inspector *inspector, ployi_inspect_session *session,
                                double seconds, ploy_budget *budget) {
    if (session->live) return;
    switch (session->way) {
    case PLOYI_WAY_NONE: break;
    case PLOYI_WAY_SEEK:
    case PLOYI_WAY_STEP:
    case PLOYI_WAY_FORK: session_travel(inspector, session, budget); return;
    case PLOYI_WAY_COMPARE: ployi_inspect_compare_step(inspector, session, budget); return;
    case PLOYI_WAY_SCAN: ployi_inspect_scan_step(inspector, session, budget); return;
    case PLOYI_WAY_PARTNER: return; // the other one drives
    }
    if (session->attached) {
        // The game steps it; no client is left to let it go on.
        if (session->watchers == 0) session->playing = true;
        return;
    }
    if (session->watchers == 0) {
        session->playing = false; // keeps (4)
        session->unwatched_s += seconds;
        if (session->unwatched_s > (double)inspector->def.keep_s) {
            ployi_inspect_session_close(inspector, session, "no client watched it");
        }
        return;
    }
    session->unwatched_s = 0;
    if (session->playing) session_play(session, seconds, budget);
}

#undef SESSION_OWED_MAX_S
