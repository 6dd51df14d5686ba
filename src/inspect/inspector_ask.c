// Requests that only look: hello, list, schema, watch, describe, why, log, save.
#include "inspect/inspector_internal.h"

#include <string.h>

#include "ploy/base/version.h"

#define ASK_WRONG_TOKENS 3
#define ASK_LOG_MAX 500

// ---- hello

// Compares in a time that does not depend on where the texts differ.
static bool ask_token_right(const ploy_inspector *inspector, const char *text, size_t size) {
    char padded[PLOYI_TOKEN_MAX] = {0};
    if (inspector->token_size == 0 || size > sizeof padded) return false;
    memcpy(padded, text, size);
    unsigned char difference = size == inspector->token_size ? 0 : 1;
    for (size_t i = 0; i < sizeof padded; i++) {
        difference = (unsigned char)(difference | ((unsigned char)padded[i] ^
                                                   (unsigned char)inspector->token[i]));
    }
    return difference == 0;
}

// Clients that said hello without the token.
static int32_t ask_guests(const ploy_inspector *inspector) {
    int32_t count = 0;
    for (int32_t i = 0; i < inspector->def.max_clients; i++) {
        const ployi_inspect_client *client = &inspector->clients[i];
        count += client->used && client->greeted && !client->trusted;
    }
    return count;
}

static void ask_write_limits(ploy_json_writer *json, const ploy_inspector_def *def) {
    const struct {
        const char *name;
        int64_t value;
    } rows[] = {
        {"message_bytes", (int64_t)def->max_message_kib * 1024},
        {"queue_bytes", (int64_t)def->max_queue_kib * 1024},
        {"picture_bytes", (int64_t)def->max_picture_kib * 1024},
        {"tree_bytes", (int64_t)def->max_tree_kib * 1024},
        {"sessions", def->max_sessions},
        {"watches", def->max_watches},
    };
    ploy_json_write_begin_object(json);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ploy_json_write_key(json, rows[i].name);
        ploy_json_write_i64(json, rows[i].value);
    }
    ploy_json_write_key(json, "frame_rate");
    ploy_json_write_f32(json, def->frame_rate);
    ploy_json_write_end_object(json);
}

static void ask_write_palette(ploy_json_writer *json) {
    // The order is that of ploy_shape.
    static const char *const shapes[PLOY_SHAPE_COUNT] = {"point", "line",  "polygon", "circle",
                                                         "disc",  "arrow", "agent",   "text",
                                                         "table", "key",   "map"};
    static const char digits[] = "0123456789abcdef";
    ploy_json_write_key(json, "layers");
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; i < PLOY_LAYER_COUNT; i++) {
        ploy_json_write_text(json, ploy_layer_text((ploy_layer)i));
    }
    ploy_json_write_end_array(json);
    ploy_json_write_key(json, "shapes");
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; i < PLOY_SHAPE_COUNT; i++) ploy_json_write_text(json, shapes[i]);
    ploy_json_write_end_array(json);
    ploy_json_write_key(json, "styles");
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; i < PLOY_STYLE_COUNT; i++) {
        uint32_t color = ploy_style_color((ploy_style)i);
        char text[8] = "#";
        for (int32_t k = 0; k < 6; k++) text[1 + k] = digits[(color >> (20 - 4 * k)) & 15];
        ploy_json_write_begin_object(json);
        ploy_json_write_key(json, "name");
        ploy_json_write_text(json, ploy_style_text((ploy_style)i));
        ploy_json_write_key(json, "meaning");
        ploy_json_write_text(json, ploy_style_meaning((ploy_style)i));
        ploy_json_write_key(json, "color");
        ploy_json_write_text(json, text);
        ploy_json_write_end_object(json);
    }
    ploy_json_write_end_array(json);
}

void ployi_ask_hello(const ployi_inspect_request *request) {
    ploy_inspector *inspector = request->inspector;
    ployi_inspect_client *client = request->client;
    int64_t protocol = 0;
    ploy_json_node node = ploy_json_member(request->doc, request->root, "protocol");
    if (ploy_json_i64(request->doc, node, &protocol) != PLOY_OK ||
        protocol != PLOY_INSPECTOR_PROTOCOL) {
        ployi_inspect_answer_error(request, PLOY_ERR_VERSION, "unsupported version of the protocol",
                                   "protocol");
        ployi_inspect_doom(client, PLOY_ERR_VERSION, "no common version of the protocol");
        return;
    }
    ploy_inspect_access access = client->base;
    bool trusted = false;
    node = ploy_json_member(request->doc, request->root, "token");
    ploy_json_type type = ploy_json_type_of(request->doc, node);
    if (type != PLOY_JSON_NONE && type != PLOY_JSON_NULL) {
        size_t size = 0;
        const char *text = ploy_json_text(request->doc, node, &size);
        if (type != PLOY_JSON_TEXT || !ask_token_right(inspector, text, size)) {
            ployi_inspect_answer_error(request, PLOY_ERR_DENIED, "wrong token", "token");
            // Enough for a mistake, too little to guess.
            if (++client->wrong_tokens >= ASK_WRONG_TOKENS) {
                ployi_inspect_doom(client, PLOY_ERR_DENIED, "wrong token, too many times");
            }
            return;
        }
        if (inspector->grants > access) access = inspector->grants;
        trusted = true;
    }
    if (access == PLOY_INSPECT_NONE) {
        ployi_inspect_answer_error(request, PLOY_ERR_DENIED, "missing token", "token");
        if (++client->wrong_tokens >= ASK_WRONG_TOKENS) {
            ployi_inspect_doom(client, PLOY_ERR_DENIED, "missing token");
        }
        return;
    }
    bool guest = client->greeted && !client->trusted;
    if (!trusted && !guest && ask_guests(inspector) >= inspector->guest_places) {
        ployi_inspect_answer_error(request, PLOY_ERR_CAPACITY,
                                   "the other places are kept for clients with the token", NULL);
        ployi_inspect_doom(client, PLOY_ERR_CAPACITY, "too many clients without the token");
        return;
    }
    ployi_inspect_entry entry;
    ployi_inspect_answer_begin(&entry, request);
    ploy_json_writer *json = &entry.json;
    ploy_json_write_key(json, "protocol");
    ploy_json_write_i64(json, PLOY_INSPECTOR_PROTOCOL);
    ploy_json_write_key(json, "revision");
    ploy_json_write_i64(json, PLOY_INSPECTOR_REVISION);
    char server[32] = "ploy ";
    const char *version = ploy_version_text();
    size_t length = strlen(version);
    if (length < sizeof server - 6) memcpy(server + 5, version, length + 1);
    ploy_json_write_key(json, "server");
    ploy_json_write_text(json, server);
    ploy_json_write_key(json, "access");
    ploy_json_write_text(json, ploy_inspect_access_text(access));
    ask_write_palette(json);
    ploy_json_write_key(json, "limits");
    ask_write_limits(json, &inspector->def);
    if (ployi_inspect_answer_end(&entry, request) != PLOY_OK) return;
    client->access = access;
    client->greeted = true;
    client->trusted = trusted;
    client->wrong_tokens = 0;
    client->sessions_due = false; // it will ask for the list itself
}

// ---- what there is

void ployi_ask_list(const ployi_inspect_request *request) {
    ployi_inspect_entry entry;
    ployi_inspect_answer_begin(&entry, request);
    ploy_json_write_key(&entry.json, "simulations");
    ploy_json_write_begin_array(&entry.json);
    const ploy_sim_type *const *types = request->inspector->types;
    for (int32_t i = 0; types != NULL && types[i] != NULL; i++) {
        ployi_inspect_write_simulation(&entry.json, types[i]);
    }
    ploy_json_write_end_array(&entry.json);
    ploy_json_write_key(&entry.json, "sessions");
    ployi_inspect_write_sessions(&entry.json, request->inspector);
    (void)ployi_inspect_answer_end(&entry, request);
}

void ployi_ask_schema(const ployi_inspect_request *request) {
    const ploy_sim_type *type = ployi_inspect_request_type(request);
    if (type == NULL) return;
    ploy_fields none = {NULL, NULL, 0, 0};
    ployi_inspect_entry entry;
    ployi_inspect_answer_begin(&entry, request);
    ploy_json_write_key(&entry.json, "simulation");
    ploy_json_write_text(&entry.json, type->name);
    ploy_json_write_key(&entry.json, "fields");
    ployi_inspect_write_fields(&entry.json, request->inspector,
                               type->fields != NULL ? type->fields() : none);
    ploy_json_write_key(&entry.json, "commands");
    ployi_inspect_write_commands(&entry.json, type->commands, type->command_count);
    (void)ployi_inspect_answer_end(&entry, request);
}

// ---- watch

typedef struct ask_settings {
    const ployi_inspect_request *request;
    ployi_inspect_watch *watch; // settings under construction
    const char *bad;            // the first member that is wrong
} ask_settings;

static bool ask_member(ask_settings *settings, const char *name, ploy_json_node *node) {
    if (settings->bad != NULL) return false;
    *node = ploy_json_member(settings->request->doc, settings->request->root, name);
    return !ploy_json_is_none(*node);
}

static void ask_rate(ask_settings *settings, const char *name, float min, float max, float *out) {
    ploy_json_node node;
    if (!ask_member(settings, name, &node)) return;
    float value = 0;
    if (ploy_json_f32(settings->request->doc, node, &value) == PLOY_OK &&
        ploy_in_range(value, min, max)) {
        *out = value;
    } else {
        settings->bad = name;
    }
}

static void ask_flag(ask_settings *settings, const char *name, bool *out) {
    ploy_json_node node;
    if (!ask_member(settings, name, &node)) return;
    bool value = false;
    if (ploy_json_bool(settings->request->doc, node, &value) == PLOY_OK) {
        *out = value;
    } else {
        settings->bad = name;
    }
}

static void ask_layers(ask_settings *settings) {
    ploy_json_node node;
    if (!ask_member(settings, "layers", &node)) return;
    const ploy_json *doc = settings->request->doc;
    uint32_t layers = 0;
    bool good = ploy_json_type_of(doc, node) == PLOY_JSON_ARRAY;
    for (int32_t i = 0; good && i < ploy_json_count(doc, node); i++) {
        ploy_json_node item = ploy_json_at(doc, node, i);
        const char *text = ploy_json_text(doc, item, NULL);
        int32_t layer = 0;
        while (layer < PLOY_LAYER_COUNT && strcmp(text, ploy_layer_text((ploy_layer)layer)) != 0) {
            layer++;
        }
        good = layer < PLOY_LAYER_COUNT && ploy_json_type_of(doc, item) == PLOY_JSON_TEXT;
        if (good) layers |= 1u << layer;
    }
    if (good) {
        settings->watch->layers = layers;
    } else {
        settings->bad = "layers";
    }
}

static void ask_describe_mode(ask_settings *settings) {
    ploy_json_node node;
    if (!ask_member(settings, "describe", &node)) return;
    const char *text = ploy_json_text(settings->request->doc, node, NULL);
    if (strcmp(text, "none") == 0) {
        settings->watch->describe = PLOYI_DESCRIBE_NONE;
    } else if (strcmp(text, "agent") == 0) {
        settings->watch->describe = PLOYI_DESCRIBE_AGENT;
    } else if (strcmp(text, "all") == 0) {
        settings->watch->describe = PLOYI_DESCRIBE_ALL;
    } else {
        settings->bad = "describe";
    }
}

void ployi_ask_watch(const ployi_inspect_request *request) {
    ploy_inspector *inspector = request->inspector;
    ployi_inspect_session *session = ployi_inspect_request_session(request);
    if (session == NULL) return;
    bool fresh = ployi_inspect_watch_find(inspector, request->client, session->number) == NULL;
    ployi_inspect_watch *watch = ployi_inspect_watch_begin(inspector, request->client, session);
    if (watch == NULL) {
        ployi_inspect_answer_error(request, PLOY_ERR_CAPACITY, "too many sessions", NULL);
        return;
    }
    ployi_inspect_watch next = *watch;
    ask_settings settings = {request, &next, NULL};
    ask_rate(&settings, "rate", 0, inspector->def.frame_rate, &next.rate);
    ask_rate(&settings, "describe_rate", 0.1f, 30, &next.describe_rate);
    ask_flag(&settings, "acknowledge", &next.acknowledge);
    ask_flag(&settings, "why", &next.why);
    ask_flag(&settings, "marks", &next.marks);
    ask_flag(&settings, "space", &next.space);
    ask_flag(&settings, "maps", &next.maps);
    ask_layers(&settings);
    ask_describe_mode(&settings);
    bool good = settings.bad == NULL;
    if (!good) {
        ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT, "invalid value", settings.bad);
    }
    ploy_json_node agent;
    if (good && ask_member(&settings, "agent", &agent)) {
        good = ployi_inspect_request_agent(request, &next.agent);
    }
    if (!good) {
        if (fresh) ployi_inspect_watch_end(inspector, watch);
        return;
    }
    ployi_inspect_entry entry;
    ployi_inspect_answer_begin(&entry, request);
    ploy_json_write_key(&entry.json, "session");
    ployi_inspect_write_session(&entry.json, inspector, session);
    if (ployi_inspect_answer_end(&entry, request) != PLOY_OK) {
        if (fresh) ployi_inspect_watch_end(inspector, watch);
        return;
    }
    if (next.marks && !watch->marks) { // a client that did not listen has none of them
        next.marks_seen = 0;
        next.marks_cut = true;
        next.loads_seen = 0;
        next.loads_cut = true;
        ployi_inspect_journal_begin(inspector, session);
    }
    *watch = next;
    watch->state_seen = session->changed; // the answer contained it
    watch->params_seen = session->params_changed;
    // What is being made for the agent that was selected before is not needed any more.
    ployi_inspect_why_yield(inspector, request->client);
    ployi_inspect_watch_refresh(inspector, watch);
}

void ployi_ask_unwatch(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_inspect_request_session(request);
    if (session == NULL) return;
    ployi_inspect_watch *watch =
        ployi_inspect_watch_find(request->inspector, request->client, session->number);
    if (watch != NULL) ployi_inspect_watch_end(request->inspector, watch);
    ployi_inspect_answer_plain(request, session->number);
}

// ---- once

void ployi_ask_describe(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_inspect_request_session(request);
    ploy_agent_id agent;
    if (session == NULL || !ployi_inspect_request_agent(request, &agent)) return;
    ployi_inspect_entry entry;
    ployi_inspect_answer_begin(&entry, request);
    ployi_inspect_write_tree(&entry.json, request->inspector, session, agent);
    (void)ployi_inspect_answer_end(&entry, request);
}

void ployi_ask_why(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_inspect_request_still(request);
    ploy_agent_id agent;
    if (session == NULL || !ployi_inspect_request_agent(request, &agent)) return;
    if (ploy_recorder_tick(session->recorder) == 0) {
        ployi_inspect_answer_error(request, PLOY_ERR_STATE, "no decision yet", NULL);
        return;
    }
    // Looking back costs many ticks: not while the session runs.
    ploy_result result =
        ployi_inspect_why_begin(request->inspector, request->client, session, agent,
                                !ployi_inspect_session_runs(session), request);
    if (result == PLOY_OK) return; // ploy_inspector_send goes on with it
    ployi_inspect_answer_error(request, result,
                               result == PLOY_ERR_STATE ? "another why of this client is not done"
                                                        : ploy_result_text(result),
                               NULL);
}

void ployi_ask_log(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_inspect_request_session(request);
    if (session == NULL) return;
    if (session->live) {
        ployi_inspect_answer_error(request, PLOY_ERR_UNSUPPORTED, "live program has no input log",
                                   NULL);
        return;
    }
    int64_t from = 0;
    ploy_json_node node = ploy_json_member(request->doc, request->root, "from");
    if (!ploy_json_is_none(node) &&
        (ploy_json_i64(request->doc, node, &from) != PLOY_OK || from < 0 || from > INT32_MAX)) {
        ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT, "from must be an index", "from");
        return;
    }
    int32_t count = ploy_recorder_input_count(session->recorder);
    ployi_inspect_entry entry;
    ployi_inspect_answer_begin(&entry, request);
    ploy_json_writer *json = &entry.json;
    ploy_json_write_key(json, "session");
    ploy_json_write_u64(json, session->number);
    ploy_json_write_key(json, "count");
    ploy_json_write_i64(json, count);
    ploy_json_write_key(json, "from");
    ploy_json_write_i64(json, from);
    ploy_json_write_key(json, "inputs");
    ploy_json_write_begin_array(json);
    for (int64_t i = from; i < count && i < from + ASK_LOG_MAX; i++) {
        uint64_t tick = 0;
        const ploy_input *input = ploy_recorder_input_at(session->recorder, (int32_t)i, &tick);
        ploy_json_write_begin_object(json);
        ploy_json_write_key(json, "tick");
        ploy_json_write_u64(json, tick);
        ploy_json_write_key(json, "kind");
        ploy_json_write_text(json, ploy_input_kind_text(input->kind));
        ploy_json_write_key(json, "name");
        ploy_json_write_text(json, input->name);
        ploy_json_write_key(json, "agent");
        ployi_inspect_write_id(json, input->agent.id);
        ploy_json_write_key(json, "value");
        ployi_inspect_write_value(json, &input->value);
        ploy_json_write_end_object(json);
    }
    ploy_json_write_end_array(json);
    (void)ployi_inspect_answer_end(&entry, request);
}

void ployi_ask_save(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_inspect_request_still(request);
    if (session == NULL) return;
    if (request->id > UINT32_MAX) {
        ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT, "id must be below 2^32", "id");
        return;
    }
    char head[8] = {2, PLOY_INSPECTOR_PROTOCOL, 0, 0, 0, 0, 0, 0};
    for (int32_t i = 0; i < 4; i++) {
        head[4 + i] = (char)(unsigned char)((uint32_t)request->id >> (8 * i));
    }
    ployi_inspect_entry entry;
    ployi_inspect_entry_begin(&entry, request->client);
    ploy_write_bytes(&entry.writer, head, sizeof head);
    ploy_result result = ploy_recorder_save(session->recorder, &entry.writer);
    if (result != PLOY_OK && entry.writer.result == PLOY_OK) entry.writer.result = result;
    result = ployi_inspect_entry_end(&entry, false);
    if (result == PLOY_OK) return;
    ployi_inspect_answer_error(request, result,
                               result == PLOY_ERR_LIMIT ? "recording does not fit in the queue"
                                                        : ploy_result_text(result),
                               NULL);
}

#undef ASK_WRONG_TOKENS
#undef ASK_LOG_MAX
