// Messages to the inspector, with a small simulation to open and drive. Messages are separated by
// the byte 0x1e; one that begins with the byte 0xff is binary from there on. Whatever comes, what
// goes back is JSON or one of the binary messages, and there is an end to it.
#include <stdlib.h>
#include <string.h>

#include "ploy/base/json.h"
#include "ploy/inspect/inspector.h"
#include "tests/inspect/inspector_sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition) {
    if (!condition) abort();
}

static void live_draw(void *user, ploy_draw *out) {
    (void)user;
    ploy_vec2 at = {0, 0};
    ploy_draw_point(out, PLOY_LAYER_AGENTS, PLOY_STYLE_PLAIN, ploy_agent_id_none(), at);
}

static void drain(ploy_inspector *inspector, ploy_id client, const ploy_env *env) {
    const void *bytes;
    size_t size;
    bool is_text;
    int32_t count = 0;
    while (ploy_inspector_send(inspector, client, NULL, &bytes, &size, &is_text) == PLOY_OK) {
        check(++count < 10000);
        if (is_text) {
            ploy_json *doc = NULL;
            check(ploy_json_load(bytes, size, "message", NULL, env, NULL, &doc) == PLOY_OK);
            ploy_json_destroy(doc);
        } else {
            const uint8_t *at = bytes;
            check(size >= 8 && (at[0] == 1 || at[0] == 2) && at[1] == PLOY_INSPECTOR_PROTOCOL);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char hello[] = "{\"id\":0,\"do\":\"hello\",\"protocol\":1}";
    ploy_env env = ploy_env_default();
    ploy_inspector_def def = ploy_inspector_def_default();
    def.max_clients = 1;
    def.max_sessions = 2;
    def.max_queue_kib = 64;
    def.max_picture_kib = 16;
    def.max_tree_kib = 16;
    def.recorder.sim.region_mib = 1;
    def.recorder.snapshot_mib = 1;
    def.recorder.max_inputs = 64;
    ploy_inspector *inspector = NULL;
    check(ploy_inspector_create(&def, inspector_sim_types, &env, &inspector) == PLOY_OK);
    inspector_sim_def params;
    ploy_fields_default(inspector_sim_table(), &params);
    ploy_inspect_source source;
    memset(&source, 0, sizeof source);
    source.name = "live";
    source.draw = live_draw;
    source.fields = inspector_sim_table();
    source.params = &params;
    check(ploy_inspector_add_source(inspector, &source) == PLOY_OK);
    ploy_id client;
    check(ploy_inspector_connect(inspector, PLOY_INSPECT_WRITE, &client) == PLOY_OK);
    check(ploy_inspector_receive(inspector, client, hello, sizeof hello - 1, true) == PLOY_OK);
    size_t at = 0;
    while (at < size) {
        const uint8_t *end = memchr(data + at, 0x1e, size - at);
        size_t length = end != NULL ? (size_t)(end - (data + at)) : size - at;
        bool is_text = length == 0 || data[at] != 0xff;
        size_t skip = is_text ? 0 : 1;
        check(ploy_inspector_receive(inspector, client, data + at + skip, length - skip, is_text) ==
              PLOY_OK);
        ploy_budget budget = ploy_budget_units(20);
        check(ploy_inspector_step(inspector, 0.05, &budget) == PLOY_OK);
        drain(inspector, client, &env);
        at += length + 1;
    }
    check(ploy_fields_check(inspector_sim_table(), &params, &env) == PLOY_OK);
    ploy_inspector_destroy(inspector);
    return 0;
}
