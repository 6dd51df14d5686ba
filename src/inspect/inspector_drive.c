// Requests that change something: opening and closing, time, parameters, commands, forks.
#include "inspect/inspector_internal.h"

#include <string.h>

#include "inspect/recorder_internal.h"

#define DRIVE_STEP_MAX 1000000
#define DRIVE_SPEED_MIN 0.01
#define DRIVE_SPEED_MAX 100.0
// A fork goes through a recording in memory; more than this is of no use.
#define DRIVE_FORK_BYTES ((size_t)64 * 1024 * 1024)

// ---- opening

// Makes a session of a recorder, watches it and answers with it. On failure the recorder is gone.
static void drive_welcome(const ployi_inspect_request *request, ploy_recorder *recorder) {
    ploy_inspector *inspector = request->inspector;
    ployi_inspect_session *session = NULL;
    ploy_result result = ployi_inspect_session_add(inspector, recorder, &session);
    if (result != PLOY_OK) {
        ploy_recorder_destroy(recorder);
        ployi_inspect_answer_error(request, result, ploy_result_text(result), NULL);
        return;
    }
    (void)ployi_inspect_watch_begin(inspector, request->client, session); // there is room
    ployi_inspect_entry entry;
    ployi_inspect_answer_begin(&entry, request);
    ploy_json_write_key(&entry.json, "session");
    ployi_inspect_write_session(&entry.json, inspector, session);
    if (ployi_inspect_answer_end(&entry, request) == PLOY_OK) return;
    // No client heard its number: it would only remain unused.
    ployi_inspect_watch *watch =
        ployi_inspect_watch_find(inspector, request->client, session->number);
    if (watch != NULL) ployi_inspect_watch_end(inspector, watch);
    ployi_inspect_session_close(inspector, session, "answer did not fit");
}

// Whether one more session can be opened and watched; otherwise the client got an error.
static bool drive_room(const ployi_inspect_request *request) {
    const ploy_inspector *inspector = request->inspector;
    bool watch = false;
    for (int32_t i = 0; i < inspector->def.max_watches; i++) {
        watch = watch || request->client->watches[i].session == 0;
    }
    if (!watch) {
        ployi_inspect_answer_error(request, PLOY_ERR_CAPACITY, "too many sessions", NULL);
        return false;
    }
    if (ployi_inspect_session_room(request->inspector) != PLOY_OK) {
        ployi_inspect_answer_error(request, PLOY_ERR_CAPACITY, "too many simulations", NULL);
        return false;
    }
    return true;
}

const ploy_sim_type *ployi_inspect_request_type(const ployi_inspect_request *request) {
    ploy_json_node node = ploy_json_member(request->doc, request->root, "simulation");
    if (ploy_json_type_of(request->doc, node) != PLOY_JSON_TEXT) {
        ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT, "simulation must be a name",
                                   "simulation");
        return NULL;
    }
    static const ploy_sim_type *const none[] = {NULL};
    const ploy_sim_type *const *types = request->inspector->types;
    const char *nearest = NULL;
    const ploy_sim_type *type = ploy_sim_type_find(
        types != NULL ? types : none, ploy_json_text(request->doc, node, NULL), &nearest);
    if (type == NULL) {
        ploy_diags_add(request->inspector->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_NOT_FOUND, "", 0, 0,
                       "unknown simulation", NULL, nearest);
        ployi_inspect_answer_error(request, PLOY_ERR_NOT_FOUND, "", "simulation");
    }
    return type;
}

// The key of a member; one with a zero inside names nothing.
static const char *drive_key(const ploy_json *doc, ploy_json_node member) {
    size_t size = 0;
    const char *key = ploy_json_key(doc, member, &size);
    return strlen(key) == size ? key : "";
}

// Sets one member of `values` in a def; false after an error was answered.
static bool drive_apply(const ployi_inspect_request *request, ploy_fields fields, void *def,
                        const char *path, ploy_json_node node, bool only_live, ploy_value *value) {
    ploy_diags *diags = request->inspector->diags;
    const ploy_field *field = ploy_fields_find(fields, path, NULL);
    ploy_result result = PLOY_OK;
    const char *message = "";
    if (field == NULL || field->type == PLOY_FIELD_TYPE_DEF) {
        // The table knows the nearest name.
        ploy_value any = ploy_value_bool(false);
        result =
            field == NULL ? ploy_fields_set(fields, def, path, &any, diags) : PLOY_ERR_ARGUMENT;
        if (result == PLOY_OK || field == NULL) result = PLOY_ERR_NOT_FOUND;
        message = "unknown field";
    } else if (only_live && !field->live) {
        result = PLOY_ERR_STATE;
        message = "field cannot change after the simulation was opened";
    } else if (ployi_inspect_json_field(request->doc, node, field, value) != PLOY_OK) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_ARGUMENT, path, 0, 0,
                       "wrong type of value", ploy_field_type_text(field->type), NULL);
        result = PLOY_ERR_ARGUMENT;
    } else {
        result = ploy_fields_set(fields, def, path, value, diags);
        message = ploy_result_text(result);
    }
    if (result == PLOY_OK) return true;
    ployi_inspect_answer_error(request, result, message, path);
    return false;
}

void ployi_drive_open(const ployi_inspect_request *request) {
    ploy_inspector *inspector = request->inspector;
    const ploy_sim_type *type = ployi_inspect_request_type(request);
    if (type == NULL) return;
    ploy_recorder_def def = inspector->def.recorder;
    ploy_json_node node = ploy_json_member(request->doc, request->root, "seed");
    if (!ploy_json_is_none(node) &&
        ployi_inspect_json_u64(request->doc, node, &def.sim.seed) != PLOY_OK) {
        ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT,
                                   "seed must be a whole number below 2^64, best as a text",
                                   "seed");
        return;
    }
    node = ploy_json_member(request->doc, request->root, "params");
    if (!ploy_json_is_none(node) && ploy_json_type_of(request->doc, node) != PLOY_JSON_OBJECT) {
        ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT,
                                   "params must be an object of path: value", "params");
        return;
    }
    ploy_fields none = {NULL, NULL, 0, 0};
    ploy_fields fields = type->fields != NULL ? type->fields() : none;
    void *params = fields.size > 0 ? ploy_env_alloc(&inspector->env, fields.size) : NULL;
    bool good = fields.size == 0 || params != NULL;
    if (!good) {
        ployi_inspect_answer_error(request, PLOY_ERR_MEMORY, ploy_result_text(PLOY_ERR_MEMORY),
                                   NULL);
    } else if (params != NULL) {
        ploy_fields_default(fields, params);
        for (int32_t i = 0; good && i < ploy_json_count(request->doc, node); i++) {
            ploy_json_node member = ploy_json_at(request->doc, node, i);
            ploy_value value;
            good = drive_apply(request, fields, params, drive_key(request->doc, member), member,
                               false, &value);
        }
    }
    if (good && drive_room(request)) {
        ploy_recorder *recorder = NULL;
        ploy_result result =
            ploy_recorder_create(&def, type, params, NULL, &inspector->env, &recorder);
        if (result == PLOY_OK) {
            drive_welcome(request, recorder);
        } else {
            ployi_inspect_answer_error(request, result, ploy_result_text(result), NULL);
        }
    }
    ploy_env_free(&inspector->env, params, params != NULL ? fields.size : 0);
}

void ployi_drive_load(const ployi_inspect_request *request, const void *bytes, size_t size) {
    static const ploy_sim_type *const none[] = {NULL};
    ploy_inspector *inspector = request->inspector;
    if (!drive_room(request)) return;
    ploy_recorder *recorder = NULL;
    ploy_result result = ploy_recorder_load(
        bytes, size, "recording", inspector->types != NULL ? inspector->types : none,
        &inspector->def.recorder, NULL, &inspector->env, inspector->diags, &recorder);
    if (result != PLOY_OK) {
        ployi_inspect_answer_error(request, result, ploy_result_text(result), NULL);
        return;
    }
    drive_welcome(request, recorder);
}

void ployi_drive_fork(const ployi_inspect_request *request) {
    ploy_inspector *inspector = request->inspector;
    ployi_inspect_session *session = ployi_inspect_request_still(request);
    if (session == NULL || !drive_room(request)) return;
    uint64_t tick = ploy_recorder_tick(session->recorder);
    const ploy_sim_type *const types[] = {session->type, NULL};
    // A game's create finds its own things behind env's user pointer.
    ploy_env env = inspector->env;
    env.user = ployi_recorder_user(session->recorder);
    // Through a recording, because that can then be executed in slices, as a seek is.
    ploy_buffer saved;
    ploy_buffer_init(&saved, DRIVE_FORK_BYTES, &inspector->env);
    ploy_writer writer = ploy_buffer_writer(&saved);
    ploy_recorder *recorder = NULL;
    ploy_result result = ploy_recorder_save(session->recorder, &writer);
    if (result == PLOY_OK) result = ploy_writer_result(&writer);
    if (result == PLOY_OK) {
        result =
            ploy_recorder_load(saved.bytes, saved.size, "fork", types, &inspector->def.recorder,
                               NULL, &env, inspector->diags, &recorder);
    }
    ploy_buffer_fini(&saved);
    ployi_inspect_session *fork = NULL;
    if (result == PLOY_OK) {
        result = ployi_inspect_session_add(inspector, recorder, &fork);
        if (result != PLOY_OK) ploy_recorder_destroy(recorder);
    }
    if (result != PLOY_OK) {
        ployi_inspect_answer_error(request, result, ploy_result_text(result), NULL);
        return;
    }
    if (session->journal.on) ployi_inspect_journal_begin(inspector, fork);
    ployi_inspect_session_go(fork, PLOYI_WAY_FORK, tick, request, "fork");
}

void ployi_drive_close(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_inspect_request_session(request);
    if (session == NULL) return;
    if (session->live || session->attached) {
        ployi_inspect_answer_error(request, PLOY_ERR_UNSUPPORTED,
                                   "a running program cannot be closed from here", NULL);
        return;
    }
    uint32_t number = session->number;
    ployi_inspect_session_close(request->inspector, session, "a client closed it");
    ployi_inspect_answer_plain(request, number);
}

// ---- time

ployi_inspect_session *ployi_drive_simulation(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_inspect_request_session(request);
    if (session != NULL && session->live) {
        ployi_inspect_answer_error(request, PLOY_ERR_UNSUPPORTED, "a live program runs by itself",
                                   NULL);
        return NULL;
    }
    return session;
}

// An optional or needed speed; false after an error was answered.
static bool drive_read_speed(const ployi_inspect_request *request, bool needed, double *speed) {
    ploy_json_node node = ploy_json_member(request->doc, request->root, "speed");
    if (ploy_json_is_none(node) && !needed) return true;
    double value = 0;
    if (ploy_json_f64(request->doc, node, &value) == PLOY_OK && value >= DRIVE_SPEED_MIN &&
        value <= DRIVE_SPEED_MAX) {
        *speed = value;
        return true;
    }
    ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT, "speed must be 0.01 to 100", "speed");
    return false;
}

// Play, pause, step and seek take the place of a run that is not at its end. A fork's does not
// give way: its answer is the session.
static bool drive_stop(const ployi_inspect_request *request, ployi_inspect_session *session) {
    if (session->way == PLOYI_WAY_FORK) {
        ployi_inspect_answer_error(request, PLOY_ERR_STATE, "the fork is not ready yet", NULL);
        return false;
    }
    ployi_inspect_session_cancel(request->inspector, session);
    return true;
}

void ployi_drive_play(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_drive_simulation(request);
    if (session == NULL) return;
    double speed = session->speed;
    if (!drive_read_speed(request, false, &speed) || !drive_stop(request, session)) return;
    session->speed = speed;
    session->playing = true;
    session->changed++;
    ployi_inspect_answer_plain(request, session->number);
}

void ployi_drive_pause(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_drive_simulation(request);
    if (session == NULL || !drive_stop(request, session)) return;
    session->playing = false;
    session->owed = 0;
    session->changed++;
    ployi_inspect_answer_plain(request, session->number);
}

void ployi_drive_speed(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_drive_simulation(request);
    if (session == NULL) return;
    if (session->attached) {
        ployi_inspect_answer_error(request, PLOY_ERR_UNSUPPORTED,
                                   "a running program has its own clock", NULL);
        return;
    }
    if (!drive_read_speed(request, true, &session->speed)) return;
    session->changed++;
    ployi_inspect_answer_plain(request, session->number);
}

void ployi_drive_step(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_drive_simulation(request);
    if (session == NULL) return;
    int64_t ticks = 1;
    ploy_json_node node = ploy_json_member(request->doc, request->root, "ticks");
    if (!ploy_json_is_none(node) && (ploy_json_i64(request->doc, node, &ticks) != PLOY_OK ||
                                     ticks < -DRIVE_STEP_MAX || ticks > DRIVE_STEP_MAX)) {
        ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT, "ticks must be -1000000 to 1000000",
                                   "ticks");
        return;
    }
    if (!drive_stop(request, session)) return;
    uint64_t tick = ploy_recorder_tick(session->recorder);
    if (ticks >= 0) {
        ployi_inspect_session_go(session, PLOYI_WAY_STEP, tick + (uint64_t)ticks, request, "step");
    } else {
        uint64_t back = (uint64_t)-ticks;
        ployi_inspect_session_go(session, PLOYI_WAY_SEEK, tick > back ? tick - back : 0, request,
                                 "step");
    }
}

bool ployi_drive_read_u64(const ployi_inspect_request *request, const char *name, uint64_t *out) {
    ploy_json_node node = ploy_json_member(request->doc, request->root, name);
    if (ploy_json_is_none(node) || ploy_json_u64(request->doc, node, out) == PLOY_OK) return true;
    ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT, "expected a whole number", name);
    return false;
}

void ployi_drive_seek(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_drive_simulation(request);
    if (session == NULL) return;
    uint64_t tick = 0;
    ploy_json_node node = ploy_json_member(request->doc, request->root, "tick");
    if (ploy_json_is_none(node)) {
        ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT, "tick must be a whole number",
                                   "tick");
        return;
    }
    if (!ployi_drive_read_u64(request, "tick", &tick)) return;
    if (!drive_stop(request, session)) return;
    uint64_t end = ploy_recorder_end(session->recorder);
    ployi_inspect_session_go(session, PLOYI_WAY_SEEK, tick < end ? tick : end, request, "seek");
}

// ---- parameters and commands

ployi_inspect_session *ployi_drive_settable(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_inspect_request_session(request);
    if (session == NULL) return NULL;
    if (session->way != PLOYI_WAY_NONE) {
        ployi_inspect_answer_error(request, PLOY_ERR_STATE, "the session is seeking", NULL);
        return NULL;
    }
    if (session->live && session->source.params == NULL) {
        ployi_inspect_answer_error(request, PLOY_ERR_UNSUPPORTED, "simulation has no parameters",
                                   NULL);
        return NULL;
    }
    return session;
}

void *ployi_drive_scratch(const ployi_inspect_request *request,
                          const ployi_inspect_session *session, ploy_fields fields) {
    void *scratch = ploy_env_alloc(&request->inspector->env, fields.size);
    if (scratch == NULL) {
        ployi_inspect_answer_error(request, PLOY_ERR_MEMORY, ploy_result_text(PLOY_ERR_MEMORY),
                                   NULL);
        return NULL;
    }
    const void *now = session->live ? session->source.params : (const void *)session->next_params;
    memcpy(scratch, now, fields.size);
    return scratch;
}

// One value that was checked: at once for a live program, at the next tick for a simulation.
static bool drive_put(const ployi_inspect_request *request, ployi_inspect_session *session,
                      ploy_fields fields, const char *path, const ploy_value *value) {
    ploy_diags *diags = request->inspector->diags;
    ploy_result result;
    if (session->live) {
        result = ploy_fields_set(fields, session->source.params, path, value, diags);
    } else {
        ploy_input input;
        memset(&input, 0, sizeof input);
        input.kind = PLOY_INPUT_PARAMETER;
        input.name = path;
        input.value = *value;
        result = ploy_recorder_input(session->recorder, &input, diags);
    }
    if (result == PLOY_OK) return true;
    ployi_inspect_answer_error(request, result, ploy_result_text(result), path);
    return false;
}

void ployi_drive_changed(ployi_inspect_session *session) {
    session->changed++;
    if (session->live) {
        session->params_changed++;
    } else {
        ployi_inspect_session_refresh(session);
    }
}

void ployi_drive_set(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_drive_settable(request);
    if (session == NULL) return;
    const ploy_json *doc = request->doc;
    ploy_json_node values = ploy_json_member(doc, request->root, "values");
    if (ploy_json_type_of(doc, values) != PLOY_JSON_OBJECT) {
        ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT,
                                   "values must be an object of path: value", "values");
        return;
    }
    ploy_fields fields = ployi_inspect_session_fields(session);
    void *scratch = ployi_drive_scratch(request, session, fields);
    if (scratch == NULL) return;
    bool good = true;
    ploy_value value;
    // First all on a copy, then all for real.
    for (int32_t i = 0; good && i < ploy_json_count(doc, values); i++) {
        ploy_json_node member = ploy_json_at(doc, values, i);
        good = drive_apply(request, fields, scratch, drive_key(doc, member), member, true, &value);
    }
    for (int32_t i = 0; good && i < ploy_json_count(doc, values); i++) {
        ploy_json_node member = ploy_json_at(doc, values, i);
        const char *path = drive_key(doc, member);
        const ploy_field *field = ploy_fields_find(fields, path, NULL);
        good = ployi_inspect_json_field(doc, member, field, &value) == PLOY_OK &&
               drive_put(request, session, fields, path, &value);
    }
    ploy_env_free(&request->inspector->env, scratch, fields.size);
    ployi_drive_changed(session);
    if (good) ployi_inspect_answer_plain(request, session->number);
}

typedef struct drive_reset {
    const ployi_inspect_request *request;
    ployi_inspect_session *session;
    ploy_fields fields;
    const void *wanted;
    const void *now; // the parameters as they will be
    bool good;
} drive_reset;

static void drive_reset_one(void *user, const char *path, const ploy_field *field,
                            uint32_t offset) {
    (void)offset;
    drive_reset *reset = user;
    ploy_value value, now;
    if (!reset->good || !field->live) return;
    if (ploy_fields_get(reset->fields, reset->wanted, path, &value) != PLOY_OK) return;
    // Fields that have the value already need no input in the log.
    if (ploy_fields_get(reset->fields, reset->now, path, &now) == PLOY_OK &&
        ploy_value_equal(&value, &now)) {
        return;
    }
    reset->good = drive_put(reset->request, reset->session, reset->fields, path, &value);
}

bool ployi_drive_bring(const ployi_inspect_request *request, ployi_inspect_session *session,
                       ploy_fields fields, const void *wanted) {
    // A copy, because the session's own changes while the values are put.
    void *now = ployi_drive_scratch(request, session, fields);
    if (now == NULL) return false;
    drive_reset reset = {request, session, fields, wanted, now, true};
    ploy_fields_each(fields, drive_reset_one, &reset);
    ploy_env_free(&request->inspector->env, now, fields.size);
    ployi_drive_changed(session);
    return reset.good;
}

// Checks every path of a list; false after an error was answered.
static bool drive_check_paths(const ployi_inspect_request *request, ploy_json_node paths,
                              ploy_fields fields) {
    const ploy_json *doc = request->doc;
    if (ploy_json_type_of(doc, paths) != PLOY_JSON_ARRAY) {
        ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT, "paths must be an array of texts",
                                   "paths");
        return false;
    }
    for (int32_t i = 0; i < ploy_json_count(doc, paths); i++) {
        const char *path = ploy_json_text(doc, ploy_json_at(doc, paths, i), NULL);
        const ploy_field *field = ploy_fields_find(fields, path, NULL);
        if (field == NULL || field->type == PLOY_FIELD_TYPE_DEF) {
            ployi_inspect_answer_error(request, PLOY_ERR_NOT_FOUND, "unknown field", path);
            return false;
        }
        if (!field->live) {
            ployi_inspect_answer_error(request, PLOY_ERR_STATE,
                                       "field cannot change after the simulation was opened", path);
            return false;
        }
    }
    return true;
}

void ployi_drive_reset(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_drive_settable(request);
    if (session == NULL) return;
    ploy_fields fields = ployi_inspect_session_fields(session);
    ploy_json_node paths = ploy_json_member(request->doc, request->root, "paths");
    bool some = !ploy_json_is_none(paths);
    if (some && !drive_check_paths(request, paths, fields)) return;
    void *wanted = ployi_drive_scratch(request, session, fields);
    if (wanted == NULL) return;
    void *defaults = ployi_drive_scratch(request, session, fields);
    if (defaults != NULL) {
        ploy_fields_default(fields, defaults);
        if (!some) memcpy(wanted, defaults, fields.size);
        for (int32_t i = 0; some && i < ploy_json_count(request->doc, paths); i++) {
            const char *path =
                ploy_json_text(request->doc, ploy_json_at(request->doc, paths, i), NULL);
            ploy_value value;
            if (ploy_fields_get(fields, defaults, path, &value) != PLOY_OK) continue;
            (void)ploy_fields_set(fields, wanted, path, &value, NULL);
        }
        ploy_env_free(&request->inspector->env, defaults, fields.size);
        if (ployi_drive_bring(request, session, fields, wanted)) {
            ployi_inspect_answer_plain(request, session->number);
        }
    }
    ploy_env_free(&request->inspector->env, wanted, fields.size);
}

void ployi_drive_input(const ployi_inspect_request *request, ployi_inspect_session *session,
                       const ploy_input *input) {
    ploy_result result =
        session->live ? session->source.command(session->source.user, input)
                      : ploy_recorder_input(session->recorder, input, request->inspector->diags);
    if (result > PLOY_OK) result = PLOY_ERR_CALLBACK;
    if (result != PLOY_OK) {
        ployi_inspect_answer_error(request, result, ploy_result_text(result), NULL);
        return;
    }
    ployi_drive_changed(session);
    ployi_inspect_answer_plain(request, session->number);
}

// The session if it can take commands now; NULL after an error was answered.
static ployi_inspect_session *drive_commandable(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_inspect_request_session(request);
    bool takes = session != NULL && session->live && session->source.command_count > 0;
    if (session == NULL || takes) return session;
    return ployi_inspect_request_still(request);
}

void ployi_drive_command(const ployi_inspect_request *request) {
    ployi_inspect_session *session = drive_commandable(request);
    if (session == NULL) return;
    const ploy_json *doc = request->doc;
    ploy_json_node name_node = ploy_json_member(doc, request->root, "name");
    const char *name = ploy_json_text(doc, name_node, NULL);
    const ploy_command *command = NULL;
    int32_t count = 0;
    const ploy_command *commands = ployi_inspect_session_commands(session, &count);
    for (int32_t i = 0; i < count && command == NULL; i++) {
        if (strcmp(commands[i].name, name) == 0) command = &commands[i];
    }
    if (command == NULL || ploy_json_type_of(doc, name_node) != PLOY_JSON_TEXT) {
        ployi_inspect_answer_error(request, PLOY_ERR_NOT_FOUND, "unknown command", "name");
        return;
    }
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_COMMAND;
    input.name = command->name;
    if (!ployi_inspect_request_agent(request, &input.agent)) return;
    if (command->needs_agent && ploy_id_is_none(input.agent.id)) {
        ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT, "command needs an agent", "agent");
        return;
    }
    ploy_json_node value = ploy_json_member(doc, request->root, "value");
    if (ployi_inspect_json_value(doc, value, command->value, &input.value) != PLOY_OK) {
        ploy_diags_add(request->inspector->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_ARGUMENT, "", 0, 0,
                       "wrong type of value", ploy_value_type_text(command->value), NULL);
        ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT, "", "value");
        return;
    }
    ployi_drive_input(request, session, &input);
}

#undef DRIVE_STEP_MAX
#undef DRIVE_SPEED_MIN
#undef DRIVE_SPEED_MAX
#undef DRIVE_FORK_BYTES
