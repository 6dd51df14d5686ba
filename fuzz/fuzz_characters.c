// Any bytes as a file of characters: it loads whole or not at all, and every kind that loaded can be
// made, saved and read back.
#include <stdint.h>

#include "fuzz/walk_def.h"
#include "ploy/data/characters.h"

static ploy_result fuzz_make(void *user, const ploy_env *env, ploy_behavior *out) {
    static const ploy_behavior_type type = {.name = "fuzz", .step = fuzz_step};
    (void)env;
    out->type = &type;
    out->self = user;
    return PLOY_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const ploy_blackboard_key keys[] = {
        {"health", PLOY_VALUE_F32, {0}, NULL}, {"alert", PLOY_VALUE_BOOL, {0}, NULL},
        {"post", PLOY_VALUE_VEC2, {0}, NULL},  {"rank", PLOY_VALUE_NAME, {0}, NULL},
        {"kills", PLOY_VALUE_I64, {0}, NULL},  {"says", PLOY_VALUE_TEXT, {0}, NULL},
    };
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    must(ploy_blackboard_layout_create(keys, 6, "soldier", &env, NULL, &layout) == PLOY_OK);
    const ploy_setup_layout layouts[1] = {{"soldier", layout}};
    const ploy_character_mind minds[1] = {{"guard", ploy_maker_of(fuzz_make, NULL)}};
    const ploy_character_section sections[1] = {{"walk", fuzz_walk_fields}};
    ploy_character_source source = {layouts, 1, minds, 1, sections, 1};
    ploy_diags *diags = NULL;
    must(ploy_diags_create(4, &env, &diags) == PLOY_OK);
    ploy_characters *them = NULL;
    ploy_result result = ploy_characters_load(bytes, size, "fuzz", &source, &env, diags, &them);
    must((result == PLOY_OK) == (them != NULL));
    must(result == PLOY_OK || ploy_diags_total(diags, PLOY_SEVERITY_ERROR) > 0);
    for (int32_t i = 0; i < ploy_characters_count(them); i++) {
        must(ploy_characters_find(them, ploy_characters_name(them, i)) == i);
        const fuzz_walk_def *walk = ploy_characters_settings(them, i, "walk");
        must(walk->speed >= 0.0f && walk->speed <= 10.0f && walk->legs >= 1 && walk->legs <= 8);
        ploy_blackboard *board = NULL, *again = NULL;
        ploy_behavior mind;
        must(ploy_characters_make(them, i, &env, &board, &mind) == PLOY_OK);
        if (board == NULL) continue;
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &writer, 0);
        ploy_blackboard_save(board, &json);
        must(ploy_json_writer_finish(&json) == PLOY_OK);
        ploy_json_def def = ploy_json_def_default();
        ploy_json *doc = NULL;
        must(ploy_json_load(buffer.bytes, buffer.size, "x", &def, &env, NULL, &doc) == PLOY_OK);
        must(ploy_blackboard_create(layout, &env, &again) == PLOY_OK);
        must(ploy_blackboard_load(again, doc, ploy_json_root(doc), NULL) == PLOY_OK);
        for (uint32_t k = 1; k <= 6; k++) {
            ploy_slot slot = {k};
            ploy_value a, b;
            must(ploy_blackboard_get(board, slot, &a) == PLOY_OK);
            must(ploy_blackboard_get(again, slot, &b) == PLOY_OK);
            must(ploy_value_equal(&a, &b));
        }
        ploy_json_destroy(doc);
        ploy_buffer_fini(&buffer);
        ploy_blackboard_destroy(again);
        ploy_blackboard_destroy(board);
    }
    ploy_characters_destroy(them);
    ploy_diags_destroy(diags);
    ploy_blackboard_layout_destroy(layout);
    return 0;
}
