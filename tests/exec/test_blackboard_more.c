#include "exec/exec_internal.h"
#include "ploy/base/writer.h"
#include "ploy/exec/blackboard.h"
#include "tests/test.h"

static const ploy_blackboard_key more_keys[] = {
    {"flag", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"count", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, NULL},
    {"big", PLOY_VALUE_U64, {PLOY_VALUE_NONE, {0}}, NULL},
    {"speed", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
    {"time", PLOY_VALUE_F64, {PLOY_VALUE_NONE, {0}}, NULL},
    {"at", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, NULL},
    {"place", PLOY_VALUE_VEC3, {PLOY_VALUE_NONE, {0}}, NULL},
    {"turn", PLOY_VALUE_VEC4, {PLOY_VALUE_NONE, {0}}, NULL},
    {"enemy", PLOY_VALUE_ID, {PLOY_VALUE_NONE, {0}}, NULL},
    {"mood", PLOY_VALUE_NAME, {PLOY_VALUE_NONE, {0}}, NULL},
    {"words", PLOY_VALUE_TEXT, {PLOY_VALUE_NONE, {0}}, NULL},
};

typedef struct more_bench {
    ploy_env env;
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
} more_bench;

static void more_open(test_context *t, more_bench *it, const ploy_blackboard_key *keys,
                      int32_t count) {
    it->env = ploy_env_default();
    CHECK_OK(ploy_blackboard_layout_create(keys, count, "more", &it->env, NULL, &it->layout));
    CHECK_OK(ploy_blackboard_create(it->layout, &it->env, &it->board));
}

static void more_close(more_bench *it) {
    ploy_blackboard_destroy(it->board);
    ploy_blackboard_layout_destroy(it->layout);
}

static ploy_slot more_slot(const more_bench *it, const char *name) {
    return ploy_blackboard_layout_find(it->layout, name);
}

static ploy_json *more_json(test_context *t, const char *text, const ploy_env *env) {
    ploy_json_def def = ploy_json_def_default();
    ploy_json *doc = NULL;
    CHECK_OK(ploy_json_load(text, strlen(text), "board.json", &def, env, NULL, &doc));
    return doc;
}

TEST(every_type_of_value_survives_a_file) {
    more_bench from, to;
    more_open(t, &from, more_keys, (int32_t)COUNT_OF(more_keys));
    more_open(t, &to, more_keys, (int32_t)COUNT_OF(more_keys));
    const ploy_value values[] = {
        ploy_value_bool(true),
        ploy_value_i64(INT64_MIN),
        ploy_value_u64(UINT64_MAX),
        ploy_value_f32(0.1f),
        ploy_value_f64(INFINITY),
        ploy_value_vec2(1.5f, -0.0f),
        ploy_value_vec3(1, 2, 3e-40f),
        ploy_value_vec4(1, 2, 3, 4),
        ploy_value_id(ploy_id_make(7, 3)),
        ploy_value_name(ploy_name_of("grim")),
        ploy_value_text("he said \"no\"\n"),
    };
    for (int32_t empty = 0; empty < 2; empty++) { // all set, and all zero
        if (empty == 1) ploy_blackboard_reset(from.board);
        for (uint32_t i = 0; i < COUNT_OF(values) && empty == 0; i++) {
            ploy_slot slot = {i + 1};
            CHECK_OK(ploy_blackboard_set(from.board, slot, &values[i]));
        }
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &from.env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &writer, 2);
        ploy_blackboard_save(from.board, &json);
        CHECK_OK(ploy_json_writer_finish(&json));
        ploy_json *doc = more_json(t, ploy_buffer_text(&buffer), &from.env);
        CHECK_OK(ploy_blackboard_load(to.board, doc, ploy_json_root(doc), NULL));
        for (uint32_t i = 0; i < COUNT_OF(values); i++) {
            ploy_slot slot = {i + 1};
            ploy_value a, b;
            t->row = more_keys[i].name;
            CHECK_OK(ploy_blackboard_get(from.board, slot, &a));
            CHECK_OK(ploy_blackboard_get(to.board, slot, &b));
            CHECK(ploy_value_equal(&a, &b));
        }
        ploy_json_destroy(doc);
        ploy_buffer_fini(&buffer);
    }
    more_close(&from);
    more_close(&to);
}

TEST(a_file_with_faults_changes_nothing_and_tells_all) {
    static const struct {
        const char *text;
        int32_t errors, warnings;
    } rows[] = {
        {"{\"count\": 3, \"speed\": 2}", 0, 0},
        {"{\"count\": 3, \"gone\": 2}", 0, 1},
        {"{\"count\": 3, \"speed\": \"fast\", \"at\": [1], \"flag\": 1}", 3, 0},
        {"{\"count\": 3, \"speed\": \"nan\"}", 1, 0},
        {"{\"count\": 3, \"at\": [\"nan\", 1]}", 1, 0},
        {"{\"count\": 3, \"enemy\": \"somebody\"}", 1, 0},
        {"{\"count\": 3, \"words\": "
         "\"0123456789012345678901234567890123456789012345678901234567890123"
         "\"}",
         1, 0},
        {"[3]", 1, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        more_bench it;
        more_open(t, &it, more_keys, (int32_t)COUNT_OF(more_keys));
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(8, &it.env, &diags));
        ploy_json *doc = more_json(t, rows[i].text, &it.env);
        bool bad = rows[i].errors > 0;
        CHECK_INT(ploy_blackboard_load(it.board, doc, ploy_json_root(doc), diags),
                  bad ? PLOY_ERR_FORMAT : PLOY_OK);
        CHECK_INT(ploy_diags_total(diags, PLOY_SEVERITY_ERROR), rows[i].errors);
        CHECK_INT(ploy_diags_total(diags, PLOY_SEVERITY_WARNING),
                  rows[i].errors + rows[i].warnings);
        CHECK_INT(ploy_blackboard_get_i64(it.board, more_slot(&it, "count")), bad ? 0 : 3);
        CHECK_UINT(ploy_blackboard_changes(it.board) == 0, bad);
        ploy_json_destroy(doc);
        ploy_diags_destroy(diags);
        more_close(&it);
    }
}

TEST(a_watch_tells_every_change_once_and_only_of_its_keys) {
    more_bench it;
    more_open(t, &it, more_keys, (int32_t)COUNT_OF(more_keys));
    const ploy_slot slots[] = {more_slot(&it, "count"), more_slot(&it, "speed")};
    uint32_t seen[2], other[2];
    ploy_blackboard_watch watch, late;
    ploy_blackboard_set_i64(it.board, slots[0], 5);
    CHECK_OK(ploy_blackboard_watch_init(&watch, it.board, slots, 2, seen));
    CHECK_INT(ploy_blackboard_watch_next(&watch, it.board, 0), -1);
    ploy_blackboard_set_i64(it.board, slots[0], 5); // the same again is no change
    ploy_blackboard_set_bool(it.board, more_slot(&it, "flag"), true);
    CHECK_INT(ploy_blackboard_watch_next(&watch, it.board, 0), -1);
    ploy_blackboard_set_f32(it.board, slots[1], 2);
    CHECK_OK(ploy_blackboard_watch_init(&late, it.board, slots, 2, other));
    ploy_blackboard_set_i64(it.board, slots[0], 6);
    ploy_blackboard_set_i64(it.board, slots[0], 5); // back again counts
    CHECK_INT(ploy_blackboard_watch_next(&watch, it.board, 0), 0);
    CHECK_INT(ploy_blackboard_watch_next(&watch, it.board, 1), 1);
    CHECK_INT(ploy_blackboard_watch_next(&watch, it.board, 0), -1);
    CHECK_INT(ploy_blackboard_watch_next(&late, it.board, 0), 0);
    CHECK_INT(ploy_blackboard_watch_next(&late, it.board, 0), -1);
    ploy_slot none = ploy_slot_none();
    CHECK_INT(ploy_blackboard_watch_init(&watch, it.board, &none, 1, seen), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_blackboard_watch_init(&watch, it.board, slots, -1, seen), PLOY_ERR_ARGUMENT);
    more_close(&it);
}

TEST(keys_stand_for_keys_of_other_names) {
    static const ploy_blackboard_key inner_keys[] = {
        {"count", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, NULL},
        {"pace", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
    };
    static const struct {
        const char *row;
        ploy_blackboard_remap remap;
        ploy_result want;
    } rows[] = {
        {"by name and as said", {"pace", "speed"}, PLOY_OK},
        {"no such key outside", {"pace", "sped"}, PLOY_ERR_NOT_FOUND},
        {"no such key inside", {"pce", "speed"}, PLOY_ERR_NOT_FOUND},
        {"another type", {"pace", "flag"}, PLOY_ERR_ARGUMENT},
        {"no name", {"pace", NULL}, PLOY_ERR_ARGUMENT},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        more_bench inner, outer;
        more_open(t, &inner, inner_keys, 2);
        more_open(t, &outer, more_keys, (int32_t)COUNT_OF(more_keys));
        ploy_slot slots[2] = {{99}, {99}};
        CHECK_INT(ployi_blackboard_layout_remap(inner.layout, outer.layout, &rows[i].remap, 1, NULL,
                                                slots),
                  rows[i].want);
        bool fine = rows[i].want == PLOY_OK;
        CHECK_INT(slots[0].number, fine ? more_slot(&outer, "count").number : 99);
        CHECK_INT(slots[1].number, fine ? more_slot(&outer, "speed").number : 99);
        more_close(&inner);
        more_close(&outer);
    }
}
