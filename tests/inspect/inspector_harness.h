// A client of the inspector for its tests: sends requests, keeps what comes back.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/base/json.h"
#include "ploy/inspect/inspector.h"
#include "tests/inspect/inspector_sim.h"
#include "tests/test.h"

#define HARNESS_TOKEN "0123456789abcdef0123456789abcdef"

typedef struct harness {
    test_context *t;
    ploy_env env;
    ploy_inspector *inspector;
    ploy_id client;
    int32_t next_id;
    ploy_json *answer;     // the last one, or NULL
    ploy_json *state;      // the last event of that name, or NULL
    ploy_json *describe;   // likewise
    ploy_json *why;        // likewise
    ploy_json *marks;      // likewise
    ploy_json *event;      // the last event of any other name
    ploy_buffer picture;   // the last picture
    ploy_buffer recording; // the last recording
    int32_t pictures, states, progresses, describes, whys;
    int32_t mark_count; // marks that a client has which keeps account as the protocol says
    bool over;          // the inspector is through with this client
} harness;

static inline ploy_json_node harness_find(const ploy_json *doc, const char *path) {
    ploy_json_node node = ploy_json_root(doc);
    char part[64];
    while (*path != 0) {
        // Members whose names have dots in them are written in parentheses.
        size_t skip = *path == '(' ? 1 : 0;
        size_t size = strcspn(path + skip, skip ? ")" : ".");
        memcpy(part, path + skip, size);
        part[size] = 0;
        path += size + 2 * skip;
        if (*path == '.') path++;
        if (ploy_json_type_of(doc, node) == PLOY_JSON_ARRAY) {
            node = ploy_json_at(doc, node, atoi(part));
        } else {
            node = ploy_json_member(doc, node, part);
        }
    }
    return node;
}

// What stands at a path, as JSON without blanks; "none" if nothing does. Valid until the next call.
static inline const char *harness_json(const ploy_json *doc, const char *path) {
    static char text[4096];
    ploy_json_node node = doc != NULL ? harness_find(doc, path) : ploy_json_none();
    if (ploy_json_is_none(node)) return "none";
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ploy_json_write(doc, node, &json);
    snprintf(text, sizeof text, "%s", ploy_buffer_text(&buffer));
    ploy_buffer_fini(&buffer);
    return text;
}

static inline double harness_number(const ploy_json *doc, const char *path) {
    double value = NAN;
    (void)ploy_json_f64(doc, harness_find(doc, path), &value);
    return value;
}

#define CHECK_JSON(doc, path, want) CHECK_TEXT(harness_json((doc), (path)), (want))

static inline void harness_keep(ploy_json **where, ploy_json *doc) {
    ploy_json_destroy(*where);
    *where = doc;
}

static inline void harness_text(harness *h, const void *bytes, size_t size) {
    test_context *t = h->t;
    ploy_json *doc = NULL;
    ploy_env env = ploy_env_default();
    CHECK_OK(ploy_json_load(bytes, size, "message", NULL, &env, NULL, &doc));
    const char *event = ploy_json_text(doc, harness_find(doc, "event"), NULL);
    if (event[0] == 0) {
        harness_keep(&h->answer, doc);
    } else if (strcmp(event, "state") == 0) {
        h->states++;
        harness_keep(&h->state, doc);
    } else if (strcmp(event, "describe") == 0) {
        h->describes++;
        harness_keep(&h->describe, doc);
    } else if (strcmp(event, "why") == 0) {
        h->whys++;
        harness_keep(&h->why, doc);
    } else if (strcmp(event, "marks") == 0) {
        h->mark_count =
            (int32_t)harness_number(doc, "from") + ploy_json_count(doc, harness_find(doc, "marks"));
        harness_keep(&h->marks, doc);
    } else {
        if (strcmp(event, "progress") == 0) h->progresses++;
        harness_keep(&h->event, doc);
    }
}

static inline void harness_binary(harness *h, const void *bytes, size_t size) {
    test_context *t = h->t;
    CHECK(size >= 8);
    ploy_buffer *where = ((const uint8_t *)bytes)[0] == 1 ? &h->picture : &h->recording;
    if (where == &h->picture) h->pictures++;
    ploy_buffer_clear(where);
    CHECK_OK(ploy_buffer_append(where, bytes, size));
}

// Fetches everything that is there to fetch.
static inline void harness_drain(harness *h) {
    test_context *t = h->t;
    const void *bytes = NULL;
    size_t size = 0;
    bool is_text = false;
    for (int32_t i = 0; i < 100000; i++) {
        ploy_result result =
            ploy_inspector_send(h->inspector, h->client, NULL, &bytes, &size, &is_text);
        if (result == PLOY_ERR_CANCELLED) h->over = true;
        if (result != PLOY_OK) return;
        if (is_text) {
            harness_text(h, bytes, size);
        } else {
            harness_binary(h, bytes, size);
        }
    }
    bool stops_talking = false;
    CHECK(stops_talking);
}

// Lets time pass, then fetches.
static inline void harness_step(harness *h, double seconds) {
    test_context *t = h->t;
    CHECK_OK(ploy_inspector_step(h->inspector, seconds, NULL));
    harness_drain(h);
}

// Sends a request whose id is put in front: `"do":"list"`. The answer is in h->answer.
static inline void harness_send(harness *h, const char *members) {
    test_context *t = h->t;
    char text[2048];
    int size = snprintf(text, sizeof text, "{\"id\":%d,%s}", ++h->next_id, members);
    CHECK(size > 0 && (size_t)size < sizeof text);
    harness_keep(&h->answer, NULL);
    CHECK_OK(ploy_inspector_receive(h->inspector, h->client, text, (size_t)size, true));
}

static inline void harness_ask(harness *h, const char *members) {
    test_context *t = h->t;
    harness_send(h, members);
    harness_step(h, 0);
    CHECK(h->answer != NULL);
    CHECK_INT(harness_number(h->answer, "id"), h->next_id);
}

#define ASK_OK(h, members)                        \
    do {                                          \
        harness_ask((h), (members));              \
        CHECK_JSON((h)->answer, "error", "none"); \
        CHECK_JSON((h)->answer, "ok", "true");    \
    } while (0)
#define ASK_FAILS(h, members, code)                            \
    do {                                                       \
        harness_ask((h), (members));                           \
        CHECK_JSON((h)->answer, "error.code", "\"" code "\""); \
        CHECK_JSON((h)->answer, "ok", "false");                \
    } while (0)

static inline void harness_begin_def(harness *h, test_context *t, const ploy_inspector_def *def) {
    memset(h, 0, sizeof *h);
    h->t = t;
    h->env = ploy_env_default();
    ploy_buffer_init(&h->picture, 0, &h->env);
    ploy_buffer_init(&h->recording, 0, &h->env);
    CHECK_OK(ploy_inspector_create(def, inspector_sim_types, &h->env, &h->inspector));
    CHECK_OK(ploy_inspector_set_token(h->inspector, HARNESS_TOKEN, PLOY_INSPECT_WRITE));
    CHECK_OK(ploy_inspector_connect(h->inspector, PLOY_INSPECT_LOOK, &h->client));
}

// An inspector with the small simulation, and a client that may write.
static inline void harness_begin(harness *h, test_context *t) {
    ploy_inspector_def def = ploy_inspector_def_default();
    harness_begin_def(h, t, &def);
    ASK_OK(h, "\"do\":\"hello\",\"protocol\":1,\"token\":\"" HARNESS_TOKEN "\"");
}

static inline void harness_end(harness *h) {
    harness_keep(&h->answer, NULL);
    harness_keep(&h->state, NULL);
    harness_keep(&h->describe, NULL);
    harness_keep(&h->why, NULL);
    harness_keep(&h->marks, NULL);
    harness_keep(&h->event, NULL);
    ploy_buffer_fini(&h->picture);
    ploy_buffer_fini(&h->recording);
    ploy_inspector_destroy(h->inspector);
}

// Little-endian numbers of a binary message.
static inline uint32_t harness_u32(const ploy_buffer *buffer, size_t at) {
    const uint8_t *b = (const uint8_t *)buffer->bytes + at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline float harness_f32(const ploy_buffer *buffer, size_t at) {
    uint32_t bits = harness_u32(buffer, at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
