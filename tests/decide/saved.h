// Saving behaviors to text and back, for the tests of saved minds.
#pragma once

#include "ploy/base/writer.h"
#include "ploy/exec/behavior.h"
#include "tests/test.h"

// A behavior as a document; the caller destroys it.
static inline ploy_json *saved_take(test_context *t, ploy_behavior behavior, const ploy_env *env) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 2);
    ploy_behavior_save(behavior, &json);
    CHECK_OK(ploy_json_writer_finish(&json));
    ploy_json_def def = ploy_json_def_default();
    ploy_json *doc = NULL;
    CHECK_OK(ploy_json_load(buffer.bytes, buffer.size, "saved", &def, env, NULL, &doc));
    ploy_buffer_fini(&buffer);
    return doc;
}

static inline ploy_json *saved_read(test_context *t, const char *text, const ploy_env *env) {
    ploy_json_def def = ploy_json_def_default();
    ploy_json *doc = NULL;
    CHECK_OK(ploy_json_load(text, strlen(text), "saved", &def, env, NULL, &doc));
    return doc;
}

// Loads the document's root, destroys the document and tells how many warnings there were.
static inline int32_t saved_give(test_context *t, ploy_behavior behavior,
                                 ploy_step_context *context, ploy_json *doc, const ploy_env *env) {
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(32, env, &diags));
    CHECK_OK(ploy_behavior_load(behavior, context, doc, ploy_json_root(doc), diags));
    int32_t warnings = ploy_diags_count(diags);
    for (int32_t i = 0; i < warnings; i++) {
        CHECK_INT(ploy_diags_get(diags, i)->severity, PLOY_SEVERITY_WARNING);
        CHECK(ploy_diags_get(diags, i)->line > 0);
    }
    ploy_diags_destroy(diags);
    ploy_json_destroy(doc);
    return warnings;
}

static inline uint64_t saved_hash(ploy_behavior behavior) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_behavior_describe(behavior, &out);
    return ploy_hash_sink_result(&sink);
}
