// The request "debug": a query of the debugger, read from JSON. inspector_why.c runs it in slices.
#include <string.h>

#include "inspect/inspector_internal.h"

// A debugger asks one query at a time; ticks to look through have this maximum.
#define DEBUG_ASK_TICKS_MAX 100000

typedef struct debug_ask {
    const ployi_inspect_request *request;
    ploy_debug_query query;
    ploy_debug_break breaks[PLOY_DEBUG_BREAKS_MAX];
    const char *watches[PLOY_DEBUG_WATCHES_MAX];
} debug_ask;

static bool debug_ask_fail(const debug_ask *ask, const char *message, const char *path) {
    ployi_inspect_answer_error(ask->request, PLOY_ERR_ARGUMENT, message, path);
    return false;
}

// A text without a zero inside; NULL if the member is missing or null.
static bool debug_ask_text(const debug_ask *ask, ploy_json_node node, const char **out) {
    const ploy_json *doc = ask->request->doc;
    size_t size = 0;
    *out = NULL;
    ploy_json_type type = ploy_json_type_of(doc, node);
    if (ploy_json_is_none(node) || type == PLOY_JSON_NULL) return true;
    if (type != PLOY_JSON_TEXT) return false;
    *out = ploy_json_text(doc, node, &size);
    return strlen(*out) == size;
}

static bool debug_ask_number(const debug_ask *ask, const char *name, uint64_t most, uint64_t *out) {
    const ploy_json *doc = ask->request->doc;
    ploy_json_node node = ploy_json_member(doc, ask->request->root, name);
    if (ploy_json_is_none(node)) return true;
    if (ployi_inspect_json_u64(doc, node, out) == PLOY_OK && *out <= most) return true;
    return debug_ask_fail(ask, "expected a whole number in range", name);
}

static bool debug_ask_move(debug_ask *ask) {
    const char *text = NULL;
    ploy_json_node node = ploy_json_member(ask->request->doc, ask->request->root, "move");
    if (debug_ask_text(ask, node, &text) && text == NULL) return true;
    for (int32_t i = 0; text != NULL && i < PLOY_DEBUG_MOVES; i++) {
        if (strcmp(text, ploy_debug_move_text((ploy_debug_move)i)) != 0) continue;
        ask->query.move = (ploy_debug_move)i;
        return true;
    }
    return debug_ask_fail(ask, "move must be stay, continue, in, over, out, back or count", "move");
}

static bool debug_ask_breaks(debug_ask *ask) {
    const ploy_json *doc = ask->request->doc;
    ploy_json_node all = ploy_json_member(doc, ask->request->root, "breaks");
    if (ploy_json_is_none(all)) return true;
    int32_t count = ploy_json_count(doc, all);
    bool fine = ploy_json_type_of(doc, all) == PLOY_JSON_ARRAY && count <= PLOY_DEBUG_BREAKS_MAX;
    for (int32_t i = 0; i < count && fine; i++) {
        ploy_json_node at = ploy_json_at(doc, all, i);
        int64_t line = 0;
        fine = ploy_json_i64(doc, ploy_json_member(doc, at, "line"), &line) == PLOY_OK &&
               line >= 1 && line <= INT32_MAX &&
               debug_ask_text(ask, ploy_json_member(doc, at, "script"), &ask->breaks[i].script) &&
               debug_ask_text(ask, ploy_json_member(doc, at, "if"), &ask->breaks[i].condition);
        ask->breaks[i].line = (int32_t)line;
    }
    ask->query.breaks = ask->breaks;
    ask->query.break_count = count;
    return fine || debug_ask_fail(ask,
                                  "breaks must be at most 64 objects with a line, and perhaps "
                                  "a script and an if",
                                  "breaks");
}

static bool debug_ask_watches(debug_ask *ask) {
    const ploy_json *doc = ask->request->doc;
    ploy_json_node all = ploy_json_member(doc, ask->request->root, "watches");
    if (ploy_json_is_none(all)) return true;
    int32_t count = ploy_json_count(doc, all);
    bool fine = ploy_json_type_of(doc, all) == PLOY_JSON_ARRAY && count <= PLOY_DEBUG_WATCHES_MAX;
    for (int32_t i = 0; i < count && fine; i++) {
        fine = debug_ask_text(ask, ploy_json_at(doc, all, i), &ask->watches[i]) &&
               ask->watches[i] != NULL;
    }
    ask->query.watches = ask->watches;
    ask->query.watch_count = count;
    return fine || debug_ask_fail(ask, "watches must be at most 64 texts", "watches");
}

void ployi_ask_debug(const ployi_inspect_request *request) {
    ployi_inspect_session *session = ployi_inspect_request_still(request);
    if (session == NULL) return;
    if (ploy_recorder_end(session->recorder) == 0) {
        ployi_inspect_answer_error(request, PLOY_ERR_STATE, "no tick was recorded yet", NULL);
        return;
    }
    debug_ask ask;
    memset(&ask, 0, sizeof ask);
    ask.request = request;
    ask.query = ploy_debug_query_default();
    uint64_t at = 0;
    ask.query.tick = ploy_recorder_tick(session->recorder);
    if (ask.query.tick == 0) ask.query.tick = 1;
    if (!ployi_inspect_request_agent(request, &ask.query.agent) ||
        !debug_ask_number(&ask, "tick", ploy_recorder_end(session->recorder), &ask.query.tick) ||
        !debug_ask_number(&ask, "at", INT64_MAX, &at) ||
        !debug_ask_number(&ask, "ticks", DEBUG_ASK_TICKS_MAX, &ask.query.ticks) ||
        !debug_ask_move(&ask) || !debug_ask_breaks(&ask) || !debug_ask_watches(&ask)) {
        return;
    }
    ask.query.at = (int64_t)at;
    if (ask.query.tick == 0) {
        (void)debug_ask_fail(&ask, "expected a whole number in range", "tick");
        return;
    }
    ploy_result result = ployi_inspect_debug_begin(request->inspector, request->client, session,
                                                   &ask.query, request);
    if (result == PLOY_OK) return; // ploy_inspector_send goes on with it
    ployi_inspect_answer_error(request, result,
                               result == PLOY_ERR_STATE ? "another why of this client is not done"
                                                        : ploy_result_text(result),
                               NULL);
}

#undef DEBUG_ASK_TICKS_MAX
