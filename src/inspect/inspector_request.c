// A message in: reading it, finding the request, reading its arguments, answering.
//
// Whatever a client sends, the outcome is one answer (or the client's goodbye if even that does not
// fit), and the inspector is as it was if the answer is an error.
#include "inspect/inspector_internal.h"

#include <string.h>

#include "ploy/base/name.h"
#include "ploy/base/number.h"

#define REQUEST_MAX_DEPTH 16
#define REQUEST_MAX_NODES 65536
#define REQUEST_MAX_ID 9007199254740991u // 2^53 - 1: exact in every reader of JSON
#define REQUEST_NAME_MAX 31

typedef struct request_row {
    const char *name;
    ploy_inspect_access access;
    ployi_inspect_handler handler;
} request_row;

static const request_row request_rows[] = {
    {"hello", PLOY_INSPECT_NONE, ployi_ask_hello},
    {"list", PLOY_INSPECT_LOOK, ployi_ask_list},
    {"schema", PLOY_INSPECT_LOOK, ployi_ask_schema},
    {"watch", PLOY_INSPECT_LOOK, ployi_ask_watch},
    {"unwatch", PLOY_INSPECT_LOOK, ployi_ask_unwatch},
    {"describe", PLOY_INSPECT_LOOK, ployi_ask_describe},
    {"why", PLOY_INSPECT_LOOK, ployi_ask_why},
    {"debug", PLOY_INSPECT_LOOK, ployi_ask_debug},
    {"log", PLOY_INSPECT_LOOK, ployi_ask_log},
    {"definition", PLOY_INSPECT_LOOK, ployi_edit_definition},
    {"parts", PLOY_INSPECT_LOOK, ployi_edit_parts},
    {"save", PLOY_INSPECT_LOOK, ployi_ask_save},
    {"open", PLOY_INSPECT_WRITE, ployi_drive_open},
    {"close", PLOY_INSPECT_WRITE, ployi_drive_close},
    {"play", PLOY_INSPECT_WRITE, ployi_drive_play},
    {"pause", PLOY_INSPECT_WRITE, ployi_drive_pause},
    {"speed", PLOY_INSPECT_WRITE, ployi_drive_speed},
    {"step", PLOY_INSPECT_WRITE, ployi_drive_step},
    {"seek", PLOY_INSPECT_WRITE, ployi_drive_seek},
    {"set", PLOY_INSPECT_WRITE, ployi_drive_set},
    {"reset", PLOY_INSPECT_WRITE, ployi_drive_reset},
    {"command", PLOY_INSPECT_WRITE, ployi_drive_command},
    {"fork", PLOY_INSPECT_WRITE, ployi_drive_fork},
    {"reload", PLOY_INSPECT_WRITE, ployi_edit_reload},
    {"compare", PLOY_INSPECT_WRITE, ployi_drive_compare},
    {"scan", PLOY_INSPECT_WRITE, ployi_drive_scan},
};

// True if the client may; otherwise it got an error.
static bool request_allowed(const ployi_inspect_request *request, ploy_inspect_access needed) {
    if (needed == PLOY_INSPECT_NONE) return true;
    const ployi_inspect_client *client = request->client;
    if (client->greeted && client->access >= needed) return true;
    const char *message = !client->greeted               ? "expected hello first"
                          : needed == PLOY_INSPECT_WRITE ? "only clients with the token may do that"
                                                         : "only clients with the token may look";
    ployi_inspect_answer_error(request, PLOY_ERR_DENIED, message, NULL);
    return false;
}

static void request_unknown(const ployi_inspect_request *request) {
    ploy_nearest nearest = ploy_nearest_make(request->name);
    for (size_t i = 0; i < sizeof request_rows / sizeof request_rows[0]; i++) {
        ploy_nearest_offer(&nearest, request_rows[i].name);
    }
    ploy_diags_add(request->inspector->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_UNSUPPORTED, "", 0, 0,
                   "", NULL, nearest.best);
    ployi_inspect_answer_error(request, PLOY_ERR_UNSUPPORTED, "unknown request", NULL);
}

static void request_dispatch(const ployi_inspect_request *request) {
    for (size_t i = 0; i < sizeof request_rows / sizeof request_rows[0]; i++) {
        if (strcmp(request->name, request_rows[i].name) != 0) continue;
        if (request_allowed(request, request_rows[i].access)) request_rows[i].handler(request);
        return;
    }
    request_unknown(request);
}

// Writes `{"id":..,"do":..,"ok":..`.
static void request_begin(ployi_inspect_entry *entry, const ployi_inspect_request *request,
                          bool ok) {
    ployi_inspect_entry_begin(entry, request->client);
    ploy_json_write_begin_object(&entry->json);
    ploy_json_write_key(&entry->json, "id");
    if (request->has_id) {
        ploy_json_write_u64(&entry->json, request->id);
    } else {
        ploy_json_write_null(&entry->json);
    }
    ploy_json_write_key(&entry->json, "do");
    ploy_json_write_text(&entry->json, request->name);
    ploy_json_write_key(&entry->json, "ok");
    ploy_json_write_bool(&entry->json, ok);
}

static void request_error_text(ploy_json_writer *json, const char *key, const char *text) {
    if (text == NULL || text[0] == 0) return;
    ploy_json_write_key(json, key);
    ploy_json_write_text(json, text);
}

// Where, how bad and what, of one thing that a checker found.
static void request_fault(ploy_json_writer *json, const ploy_diag *diag) {
    ploy_json_write_begin_object(json);
    ploy_json_write_key(json, "line");
    ploy_json_write_i64(json, diag->line);
    ploy_json_write_key(json, "column");
    ploy_json_write_i64(json, diag->column);
    request_error_text(json, "severity", ploy_severity_text(diag->severity));
    request_error_text(json, "message", diag->message);
    request_error_text(json, "expected", diag->expected);
    request_error_text(json, "nearest", diag->nearest);
    ploy_json_write_end_object(json);
}

void ployi_inspect_write_faults(ploy_json_writer *json, const ploy_diags *diags) {
    ploy_json_write_key(json, "faults");
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        request_fault(json, ploy_diags_get(diags, i));
    }
    ploy_json_write_end_array(json);
}

// ---- answers

void ployi_inspect_answer_begin(ployi_inspect_entry *entry, const ployi_inspect_request *request) {
    request_begin(entry, request, true);
}

ploy_result ployi_inspect_answer_end(ployi_inspect_entry *entry,
                                     const ployi_inspect_request *request) {
    ploy_json_write_end_object(&entry->json);
    ploy_result result = ployi_inspect_entry_end(entry, true);
    if (result != PLOY_OK) {
        ploy_diags_clear(request->inspector->diags);
        ployi_inspect_answer_error(request, result,
                                   result == PLOY_ERR_LIMIT ? "answer does not fit in the queue"
                                                            : ploy_result_text(result),
                                   NULL);
    }
    return result;
}

void ployi_inspect_answer_plain(const ployi_inspect_request *request, uint32_t session) {
    ployi_inspect_entry entry;
    ployi_inspect_answer_begin(&entry, request);
    ploy_json_write_key(&entry.json, "session");
    ploy_json_write_u64(&entry.json, session);
    (void)ployi_inspect_answer_end(&entry, request);
}

void ployi_inspect_answer_error(const ployi_inspect_request *request, ploy_result code,
                                const char *message, const char *path) {
    const ploy_diag *diag = ploy_diags_get(request->inspector->diags, 0);
    ployi_inspect_entry entry;
    request_begin(&entry, request, false);
    ploy_json_writer *json = &entry.json;
    ploy_json_write_key(json, "error");
    ploy_json_write_begin_object(json);
    request_error_text(json, "code", ployi_inspect_code(code));
    // What a checker found out is more to the point than what the caller can say.
    bool told = diag != NULL && diag->message[0] != 0;
    request_error_text(json, "message", told ? diag->message : message);
    request_error_text(json, "path", path);
    if (diag != NULL) {
        request_error_text(json, "expected", diag->expected);
        request_error_text(json, "nearest", diag->nearest);
        if (diag->line > 0) {
            ploy_json_write_key(json, "line");
            ploy_json_write_i64(json, diag->line);
            ploy_json_write_key(json, "column");
            ploy_json_write_i64(json, diag->column);
        }
    }
    // An editor marks them all.
    if (strcmp(request->name, "reload") == 0)
        ployi_inspect_write_faults(json, request->inspector->diags);
    if (code == PLOY_ERR_VERSION && strcmp(request->name, "hello") == 0) {
        ploy_json_write_key(json, "supported");
        ploy_json_write_begin_array(json);
        ploy_json_write_i64(json, PLOY_INSPECTOR_PROTOCOL);
        ploy_json_write_end_array(json);
    }
    ploy_json_write_end_object(json);
    ploy_json_write_end_object(json);
    ploy_result result = ployi_inspect_entry_end(&entry, true);
    if (result == PLOY_OK) return;
    // An answer must not get lost, so the conversation cannot go on.
    ployi_inspect_doom(request->client, result,
                       result == PLOY_ERR_LIMIT ? "answers are not fetched"
                                                : ploy_result_text(result));
}

// ---- arguments

ployi_inspect_session *ployi_inspect_request_session(const ployi_inspect_request *request) {
    uint64_t number = 0;
    ploy_json_node node = ploy_json_member(request->doc, request->root, "session");
    if (ploy_json_u64(request->doc, node, &number) != PLOY_OK || number > UINT32_MAX) {
        ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT, "session must be a number",
                                   "session");
        return NULL;
    }
    ployi_inspect_session *session =
        ployi_inspect_session_find(request->inspector, (uint32_t)number);
    if (session == NULL) {
        ployi_inspect_answer_error(request, PLOY_ERR_NOT_FOUND, "unknown session", "session");
    }
    return session;
}

ployi_inspect_session *ployi_inspect_request_still(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_inspect_request_session(request);
    if (session == NULL) return NULL;
    if (session->live) {
        ployi_inspect_answer_error(request, PLOY_ERR_UNSUPPORTED, "a live program cannot do that",
                                   NULL);
        return NULL;
    }
    if (session->way != PLOYI_WAY_NONE) {
        ployi_inspect_answer_error(request, PLOY_ERR_STATE, "the session is seeking", NULL);
        return NULL;
    }
    return session;
}

bool ployi_inspect_request_agent(const ployi_inspect_request *request, ploy_agent_id *agent) {
    *agent = ploy_agent_id_none();
    ploy_json_node node = ploy_json_member(request->doc, request->root, "agent");
    ploy_json_type type = ploy_json_type_of(request->doc, node);
    if (type == PLOY_JSON_NONE || type == PLOY_JSON_NULL) return true;
    ploy_value value;
    if (ployi_inspect_json_value(request->doc, node, PLOY_VALUE_ID, &value) == PLOY_OK) {
        agent->id = value.as.id;
        return true;
    }
    ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT,
                               "agent must be a text \"index:generation\" or null", "agent");
    return false;
}

ploy_result ployi_inspect_json_u64(const ploy_json *doc, ploy_json_node node, uint64_t *out) {
    if (ploy_json_type_of(doc, node) != PLOY_JSON_TEXT) return ploy_json_u64(doc, node, out);
    size_t size = 0;
    const char *text = ploy_json_text(doc, node, &size);
    return ploy_parse_u64(text, size, NULL, out) == PLOY_OK ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

// Reads an array of exactly that many numbers.
static ploy_result request_floats(const ploy_json *doc, ploy_json_node node, int32_t count,
                                  float *out) {
    if (ploy_json_type_of(doc, node) != PLOY_JSON_ARRAY || ploy_json_count(doc, node) != count) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        ploy_result result = ploy_json_f32(doc, ploy_json_at(doc, node, i), &out[i]);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// Text without a zero inside, which would cut it short further on.
static ploy_result request_text(const ploy_json *doc, ploy_json_node node, const char **out) {
    if (ploy_json_type_of(doc, node) != PLOY_JSON_TEXT) return PLOY_ERR_ARGUMENT;
    size_t size = 0;
    const char *text = ploy_json_text(doc, node, &size);
    if (strlen(text) != size) return PLOY_ERR_ARGUMENT;
    *out = text;
    return PLOY_OK;
}

ploy_result ployi_inspect_json_value(const ploy_json *doc, ploy_json_node node,
                                     ploy_value_type type, ploy_value *out) {
    ploy_value value = ploy_value_none();
    ploy_result result = PLOY_ERR_ARGUMENT;
    const char *text = NULL;
    switch (type) {
    case PLOY_VALUE_NONE: {
        ploy_json_type found = ploy_json_type_of(doc, node);
        if (found == PLOY_JSON_NONE || found == PLOY_JSON_NULL) result = PLOY_OK;
        break;
    }
    case PLOY_VALUE_BOOL: result = ploy_json_bool(doc, node, &value.as.b); break;
    case PLOY_VALUE_I64:
        if (request_text(doc, node, &text) == PLOY_OK) {
            result = ploy_parse_i64(text, strlen(text), NULL, &value.as.i64);
        } else {
            result = ploy_json_i64(doc, node, &value.as.i64);
        }
        break;
    case PLOY_VALUE_U64: result = ployi_inspect_json_u64(doc, node, &value.as.u64); break;
    case PLOY_VALUE_F32: result = ploy_json_f32(doc, node, &value.as.f32); break;
    case PLOY_VALUE_F64: result = ploy_json_f64(doc, node, &value.as.f64); break;
    case PLOY_VALUE_VEC2: result = request_floats(doc, node, 2, value.as.vec); break;
    case PLOY_VALUE_VEC3: result = request_floats(doc, node, 3, value.as.vec); break;
    case PLOY_VALUE_VEC4: result = request_floats(doc, node, 4, value.as.vec); break;
    case PLOY_VALUE_ID:
    case PLOY_VALUE_NAME:
        result = request_text(doc, node, &text);
        if (result == PLOY_OK && type == PLOY_VALUE_NAME) {
            result = ploy_parse_hex64(text, strlen(text), NULL, &value.as.name.hash);
        } else if (result == PLOY_OK) {
            ploy_value parsed;
            result = ploy_value_parse(PLOY_VALUE_ID, text, &parsed);
            if (result == PLOY_OK) value = parsed;
        }
        break;
    case PLOY_VALUE_TEXT: result = request_text(doc, node, &value.as.text); break;
    }
    if (result != PLOY_OK) return PLOY_ERR_ARGUMENT;
    value.type = type;
    *out = value;
    return PLOY_OK;
}

ploy_result ployi_inspect_json_field(const ploy_json *doc, ploy_json_node node,
                                     const ploy_field *field, ploy_value *out) {
    switch (field->type) {
    case PLOY_FIELD_TYPE_BOOL: return ployi_inspect_json_value(doc, node, PLOY_VALUE_BOOL, out);
    case PLOY_FIELD_TYPE_I32: return ployi_inspect_json_value(doc, node, PLOY_VALUE_I64, out);
    case PLOY_FIELD_TYPE_U64: return ployi_inspect_json_value(doc, node, PLOY_VALUE_U64, out);
    case PLOY_FIELD_TYPE_F32: return ployi_inspect_json_value(doc, node, PLOY_VALUE_F32, out);
    case PLOY_FIELD_TYPE_F64: return ployi_inspect_json_value(doc, node, PLOY_VALUE_F64, out);
    case PLOY_FIELD_TYPE_ENUM:
        if (ploy_json_type_of(doc, node) == PLOY_JSON_TEXT) {
            return ployi_inspect_json_value(doc, node, PLOY_VALUE_TEXT, out);
        }
        return ployi_inspect_json_value(doc, node, PLOY_VALUE_I64, out);
    case PLOY_FIELD_TYPE_VEC2: return ployi_inspect_json_value(doc, node, PLOY_VALUE_VEC2, out);
    case PLOY_FIELD_TYPE_VEC3: return ployi_inspect_json_value(doc, node, PLOY_VALUE_VEC3, out);
    case PLOY_FIELD_TYPE_DEF: return PLOY_ERR_ARGUMENT;
    }
    return PLOY_ERR_ARGUMENT;
}

// ---- messages

void ployi_inspect_request_text(ploy_inspector *inspector, ployi_inspect_client *client,
                                const void *bytes, size_t size) {
    ploy_diags_clear(inspector->diags);
    ployi_inspect_request request = {inspector, client, NULL, ploy_json_none(), false, 0, ""};
    ploy_json_def def = ploy_json_def_default();
    def.max_depth = REQUEST_MAX_DEPTH;
    def.max_kib = inspector->def.max_message_kib;
    def.max_nodes = REQUEST_MAX_NODES;
    ploy_json *doc = NULL;
    ploy_result result =
        ploy_json_load(bytes, size, "message", &def, &inspector->env, inspector->diags, &doc);
    if (result != PLOY_OK) {
        ployi_inspect_answer_error(&request, result == PLOY_ERR_LIMIT ? PLOY_ERR_FORMAT : result,
                                   ploy_result_text(result), NULL);
        return;
    }
    request.doc = doc;
    request.root = ploy_json_root(doc);
    request.has_id =
        ploy_json_u64(doc, ploy_json_member(doc, request.root, "id"), &request.id) == PLOY_OK &&
        request.id <= REQUEST_MAX_ID;
    const char *name = NULL;
    bool named = request_text(doc, ploy_json_member(doc, request.root, "do"), &name) == PLOY_OK &&
                 strlen(name) <= REQUEST_NAME_MAX;
    if (named) request.name = name;
    if (!request.has_id || !named) {
        ployi_inspect_answer_error(
            &request, PLOY_ERR_FORMAT,
            request.has_id ? "expected \"do\", the name of the request"
                           : "expected an object with \"id\", a number from 0 to 2^53 - 1",
            NULL);
    } else {
        request_dispatch(&request);
    }
    ploy_json_destroy(doc);
}

static uint32_t request_u32(const unsigned char *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

void ployi_inspect_request_binary(ploy_inspector *inspector, ployi_inspect_client *client,
                                  const void *bytes, size_t size) {
    ploy_diags_clear(inspector->diags);
    const unsigned char *at = bytes;
    ployi_inspect_request request = {inspector, client, NULL, ploy_json_none(), false, 0, "load"};
    if (size < 8 || at[1] != PLOY_INSPECTOR_PROTOCOL || at[2] != 0 || at[3] != 0 ||
        (at[0] != 2 && at[0] != 3)) {
        ployi_inspect_answer_error(
            &request, PLOY_ERR_FORMAT,
            "expected a binary message with type 2 or 3 and the version first", NULL);
        return;
    }
    uint32_t number = request_u32(at + 4);
    if (at[0] == 3) { // a picture was taken
        ployi_inspect_watch *watch = ployi_inspect_watch_find(inspector, client, number);
        if (watch != NULL) watch->awaiting = false;
        return;
    }
    request.has_id = true;
    request.id = number;
    if (request_allowed(&request, PLOY_INSPECT_WRITE)) {
        ployi_drive_load(&request, at + 8, size - 8);
    }
}

#undef REQUEST_MAX_DEPTH
#undef REQUEST_MAX_NODES
#undef REQUEST_MAX_ID
#undef REQUEST_NAME_MAX
