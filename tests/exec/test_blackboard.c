#include "exec/exec_internal.h"
#include "ploy/exec/blackboard.h"

#include <stdlib.h>

#include "ploy/base/rng.h"
#include "tests/state.h"

static const ploy_blackboard_key guard_keys[] = {
    {"alert", PLOY_VALUE_BOOL, {PLOY_VALUE_BOOL, {.b = true}}, "has seen somebody"},
    {"kills", PLOY_VALUE_I64, {PLOY_VALUE_I64, {.i64 = -3}}, NULL},
    {"seed", PLOY_VALUE_U64, {PLOY_VALUE_U64, {.u64 = UINT64_MAX}}, NULL},
    {"health", PLOY_VALUE_F32, {PLOY_VALUE_I64, {.i64 = 100}}, "points left"},
    {"since", PLOY_VALUE_F64, {PLOY_VALUE_F64, {.f64 = 0.1}}, NULL},
    {"target", PLOY_VALUE_VEC2, {PLOY_VALUE_VEC2, {.vec = {1, 2}}}, NULL},
    {"eye", PLOY_VALUE_VEC3, {PLOY_VALUE_VEC3, {.vec = {3, 4, 5}}}, NULL},
    {"turn", PLOY_VALUE_VEC4, {PLOY_VALUE_VEC4, {.vec = {1, 0, 0, 0}}}, NULL},
    {"enemy", PLOY_VALUE_ID, {PLOY_VALUE_NONE, {0}}, "whom it fights, or nobody"},
    {"mood", PLOY_VALUE_NAME, {PLOY_VALUE_NONE, {0}}, NULL},
};

static ploy_blackboard_layout *guard_layout(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    CHECK_OK(ploy_blackboard_layout_create(guard_keys, (int32_t)COUNT_OF(guard_keys), "guard", &env,
                                           NULL, &layout));
    return layout;
}

static ploy_blackboard *guard_board(test_context *t, const ploy_blackboard_layout *layout) {
    ploy_env env = ploy_env_default();
    ploy_blackboard *board = NULL;
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    return board;
}

static ploy_slot slot(const ploy_blackboard_layout *layout, const char *name) {
    return ploy_blackboard_layout_find(layout, name);
}

TEST(a_new_board_holds_the_first_values) {
    ploy_blackboard_layout *layout = guard_layout(t);
    ploy_blackboard *board = guard_board(t, layout);
    CHECK(ploy_blackboard_layout_of(board) == layout);
    CHECK(ploy_blackboard_get_bool(board, slot(layout, "alert")));
    CHECK_INT(ploy_blackboard_get_i64(board, slot(layout, "kills")), -3);
    CHECK_UINT(ploy_blackboard_get_u64(board, slot(layout, "seed")), UINT64_MAX);
    CHECK_SAME(ploy_blackboard_get_f32(board, slot(layout, "health")), 100.0f); // from an i64
    CHECK_SAME(ploy_blackboard_get_f64(board, slot(layout, "since")), 0.1);
    float v[4];
    ploy_blackboard_get_vec(board, slot(layout, "target"), v);
    CHECK(v[0] == 1 && v[1] == 2 && v[2] == 0 && v[3] == 0);
    ploy_blackboard_get_vec(board, slot(layout, "eye"), v);
    CHECK(v[0] == 3 && v[1] == 4 && v[2] == 5 && v[3] == 0);
    ploy_blackboard_get_vec(board, slot(layout, "turn"), v);
    CHECK(v[0] == 1 && v[3] == 0);
    CHECK(ploy_id_is_none(ploy_blackboard_get_id(board, slot(layout, "enemy"))));
    CHECK(ploy_name_is_none(ploy_blackboard_get_name(board, slot(layout, "mood"))));
    CHECK_UINT(ploy_blackboard_changes(board), 0);
    ploy_blackboard_destroy(board);
    ploy_blackboard_destroy(NULL);
    ploy_blackboard_layout_destroy(layout);
    ploy_blackboard_layout_destroy(NULL);
}

TEST(what_is_set_is_read_back_and_counted_as_one_change) {
    ploy_blackboard_layout *layout = guard_layout(t);
    ploy_blackboard *board = guard_board(t, layout);
    float v[4] = {7, 8, 9, 10}, got[4];
    CHECK_OK(ploy_blackboard_set_bool(board, slot(layout, "alert"), false));
    CHECK_OK(ploy_blackboard_set_i64(board, slot(layout, "kills"), INT64_MIN));
    CHECK_OK(ploy_blackboard_set_u64(board, slot(layout, "seed"), 5));
    CHECK_OK(ploy_blackboard_set_f32(board, slot(layout, "health"), -0.5f));
    CHECK_OK(ploy_blackboard_set_f64(board, slot(layout, "since"), 1e300));
    CHECK_OK(ploy_blackboard_set_vec(board, slot(layout, "target"), v));
    CHECK_OK(ploy_blackboard_set_vec(board, slot(layout, "eye"), v));
    CHECK_OK(ploy_blackboard_set_vec(board, slot(layout, "turn"), v));
    CHECK_OK(ploy_blackboard_set_id(board, slot(layout, "enemy"), ploy_id_make(3, 4)));
    CHECK_OK(ploy_blackboard_set_name(board, slot(layout, "mood"), ploy_name_of("angry")));
    CHECK_UINT(ploy_blackboard_changes(board), 10);
    CHECK(!ploy_blackboard_get_bool(board, slot(layout, "alert")));
    CHECK_INT(ploy_blackboard_get_i64(board, slot(layout, "kills")), INT64_MIN);
    CHECK_UINT(ploy_blackboard_get_u64(board, slot(layout, "seed")), 5);
    CHECK_SAME(ploy_blackboard_get_f32(board, slot(layout, "health")), -0.5f);
    CHECK_SAME(ploy_blackboard_get_f64(board, slot(layout, "since")), 1e300);
    ploy_blackboard_get_vec(board, slot(layout, "target"), got);
    CHECK(got[0] == 7 && got[1] == 8 && got[2] == 0);
    ploy_blackboard_get_vec(board, slot(layout, "eye"), got);
    CHECK(got[2] == 9 && got[3] == 0);
    ploy_blackboard_get_vec(board, slot(layout, "turn"), got);
    CHECK(got[3] == 10);
    CHECK(ploy_id_equal(ploy_blackboard_get_id(board, slot(layout, "enemy")), ploy_id_make(3, 4)));
    CHECK(ploy_name_equal(ploy_blackboard_get_name(board, slot(layout, "mood")),
                          ploy_name_of("angry")));
    // The same again is no change; one slot's changes are its own.
    CHECK_OK(ploy_blackboard_set_f32(board, slot(layout, "health"), -0.5f));
    CHECK_UINT(ploy_blackboard_changes(board), 10);
    CHECK_OK(ploy_blackboard_set_f32(board, slot(layout, "health"), 1));
    CHECK_OK(ploy_blackboard_set_f32(board, slot(layout, "health"), 2));
    CHECK_UINT(ploy_blackboard_slot_changes(board, slot(layout, "health")), 3);
    CHECK_UINT(ploy_blackboard_slot_changes(board, slot(layout, "kills")), 1);
    CHECK_UINT(ploy_blackboard_slot_changes(board, ploy_slot_none()), 0);
    // Back to the beginning: everything differs, so everything changes.
    ploy_blackboard_reset(board);
    CHECK_UINT(ploy_blackboard_changes(board), 22);
    ploy_blackboard_reset(board);
    CHECK_UINT(ploy_blackboard_changes(board), 22);
    CHECK_SAME(ploy_blackboard_get_f32(board, slot(layout, "health")), 100.0f);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}

TEST(wrong_slots_types_and_numbers_are_refused) {
    ploy_blackboard_layout *layout = guard_layout(t);
    ploy_blackboard *board = guard_board(t, layout);
    ploy_slot none = ploy_slot_none(), beyond = {11}, far = {UINT32_MAX};
    ploy_slot health = slot(layout, "health"), target = slot(layout, "target");
    CHECK_INT(ploy_blackboard_set_f32(board, none, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_blackboard_set_f32(board, beyond, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_blackboard_set_f32(board, far, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_blackboard_set_i64(board, health, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_blackboard_set_f32(board, health, NAN), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_blackboard_set_f64(board, slot(layout, "since"), NAN), PLOY_ERR_ARGUMENT);
    float bad[4] = {0, NAN, 0, 0};
    CHECK_INT(ploy_blackboard_set_vec(board, target, bad), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_blackboard_set_vec(board, target, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_blackboard_set_vec(board, health, bad), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_blackboard_set_f32(NULL, health, 1), PLOY_ERR_ARGUMENT);
    CHECK_UINT(ploy_blackboard_changes(board), 0);
    CHECK_OK(ploy_blackboard_set_f32(board, health, INFINITY)); // "for ever" is a number
    CHECK_SAME(ploy_blackboard_get_f32(board, none), 0.0f);
    CHECK_SAME(ploy_blackboard_get_f32(board, target), 0.0f);
    CHECK_INT(ploy_blackboard_get_i64(board, health), 0);
    CHECK(!ploy_blackboard_get_bool(board, beyond));
    float v[4];
    ploy_blackboard_get_vec(board, health, v);
    CHECK(v[0] == 0);
    ploy_value value;
    CHECK_INT(ploy_blackboard_get(board, none, &value), PLOY_ERR_ARGUMENT);
    value = ploy_value_text("x");
    CHECK_INT(ploy_blackboard_set(board, health, &value), PLOY_ERR_ARGUMENT);
    value = ploy_value_f64(NAN);
    CHECK_INT(ploy_blackboard_set(board, health, &value), PLOY_ERR_ARGUMENT);
    value = ploy_value_f64(0.1); // no float
    CHECK_INT(ploy_blackboard_set(board, health, &value), PLOY_ERR_ARGUMENT);
    value = ploy_value_i64(3);
    CHECK_OK(ploy_blackboard_set(board, health, &value));
    CHECK_SAME(ploy_blackboard_get_f32(board, health), 3.0f);
    CHECK_INT(ploy_blackboard_set(board, none, &value), PLOY_ERR_ARGUMENT);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}

TEST(a_layout_tells_names_types_and_help) {
    ploy_blackboard_layout *layout = guard_layout(t);
    CHECK_INT(ploy_blackboard_layout_count(layout), 10);
    ploy_slot health = slot(layout, "health");
    CHECK_UINT(health.number, 4);
    CHECK_TEXT(ploy_blackboard_layout_name(layout, health), "health");
    CHECK_TEXT(ployi_blackboard_layout_help(layout, health), "points left");
    CHECK_INT(ploy_blackboard_layout_type(layout, health), PLOY_VALUE_F32);
    CHECK(ployi_blackboard_layout_help(layout, slot(layout, "mood")) == NULL);
    CHECK(ploy_blackboard_layout_name(layout, ploy_slot_none()) == NULL);
    CHECK_INT(ploy_blackboard_layout_type(layout, ploy_slot_none()), PLOY_VALUE_NONE);
    CHECK(ploy_slot_is_none(slot(layout, "")));
    CHECK(ploy_slot_is_none(slot(layout, NULL)));
    ploy_blackboard_layout_destroy(layout);
}

TEST(resolving_checks_the_type_and_names_the_nearest_key) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(4, &env, &diags));
    ploy_blackboard_layout *layout = guard_layout(t);
    ploy_slot out = {77};
    CHECK_OK(ploy_blackboard_layout_resolve(layout, "health", PLOY_VALUE_F32, diags, &out));
    CHECK_UINT(out.number, 4);
    CHECK_INT(ploy_blackboard_layout_resolve(layout, "helth", PLOY_VALUE_F32, diags, &out),
              PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_blackboard_layout_resolve(layout, "health", PLOY_VALUE_I64, diags, &out),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_blackboard_layout_resolve(layout, "zzz", PLOY_VALUE_I64, NULL, &out),
              PLOY_ERR_NOT_FOUND);
    CHECK_UINT(out.number, 4);
    CHECK_TEXT(ploy_diags_get(diags, 0)->nearest, "health");
    CHECK_TEXT(ploy_diags_get(diags, 1)->expected, "i64");
    ploy_blackboard_layout_destroy(layout);
    ploy_diags_destroy(diags);
}

TEST(bad_keys_are_all_reported) {
    char long_name[80];
    memset(long_name, 'a', sizeof long_name);
    long_name[64] = 0; // one too many
    const struct {
        const char *row;
        ploy_blackboard_key key;
        ploy_result want;
    } rows[] = {
        {"no name", {NULL, PLOY_VALUE_F32, {0}, NULL}, PLOY_ERR_ARGUMENT},
        {"an empty name", {"", PLOY_VALUE_F32, {0}, NULL}, PLOY_ERR_ARGUMENT},
        {"a digit first", {"1st", PLOY_VALUE_F32, {0}, NULL}, PLOY_ERR_ARGUMENT},
        {"a blank", {"a b", PLOY_VALUE_F32, {0}, NULL}, PLOY_ERR_ARGUMENT},
        {"not ASCII", {"\xC3\xA4", PLOY_VALUE_F32, {0}, NULL}, PLOY_ERR_ARGUMENT},
        {"too long", {long_name, PLOY_VALUE_F32, {0}, NULL}, PLOY_ERR_ARGUMENT},
        {"no type", {"a", PLOY_VALUE_NONE, {0}, NULL}, PLOY_ERR_ARGUMENT},
        {"a long text",
         {"a",
          PLOY_VALUE_TEXT,
          {PLOY_VALUE_TEXT,
           {.text = "0123456789012345678901234567890123456789012345678901234567890123"}},
          NULL},
         PLOY_ERR_ARGUMENT},
        {"unknown type", {"a", (ploy_value_type)99, {0}, NULL}, PLOY_ERR_ARGUMENT},
        {"NaN", {"a", PLOY_VALUE_F32, {PLOY_VALUE_F32, {.f32 = NAN}}, NULL}, PLOY_ERR_ARGUMENT},
        {"a value of another type",
         {"a", PLOY_VALUE_BOOL, {PLOY_VALUE_VEC2, {.vec = {1, 2}}}, NULL},
         PLOY_ERR_ARGUMENT},
        {"there already", {"x.y", PLOY_VALUE_I64, {0}, NULL}, PLOY_ERR_EXISTS},
        {"fine", {"_a-b:c.9", PLOY_VALUE_F32, {0}, NULL}, PLOY_OK},
        {"as long as can be", {long_name + 1, PLOY_VALUE_F32, {0}, NULL}, PLOY_OK},
    };
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_blackboard_key keys[3] = {
            {"x.y", PLOY_VALUE_F32, {0}, NULL}, rows[i].key, rows[i].key};
        ploy_diags_clear(diags);
        ploy_blackboard_layout *layout = (ploy_blackboard_layout *)&env;
        CHECK_INT(ploy_blackboard_layout_create(keys, 2, "k", &env, diags, &layout), rows[i].want);
        CHECK((layout != NULL) == (rows[i].want == PLOY_OK));
        CHECK_INT(ploy_diags_count(diags), rows[i].want == PLOY_OK ? 0 : 1);
        ploy_blackboard_layout_destroy(layout);
        // Twice the same fault is two diagnostics.
        if (rows[i].want == PLOY_OK) continue;
        ploy_diags_clear(diags);
        CHECK_INT(ploy_blackboard_layout_create(keys, 3, "k", &env, diags, &layout), rows[i].want);
        CHECK_INT(ploy_diags_count(diags), 2);
    }
    ploy_blackboard_layout *layout = NULL;
    CHECK_INT(ploy_blackboard_layout_create(NULL, 1, "k", &env, NULL, &layout), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_blackboard_layout_create(guard_keys, -1, "k", &env, NULL, &layout),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_blackboard_layout_create(guard_keys, 65536, "k", &env, NULL, &layout),
              PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_blackboard_layout_create(NULL, 0, "k", &env, NULL, &layout)); // knows nothing
    CHECK(ploy_slot_is_none(slot(layout, "x")));
    ploy_blackboard *board = guard_board(t, layout);
    ploy_blackboard_reset(board);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
    ploy_diags_destroy(diags);
}

TEST(a_board_lives_in_the_callers_memory_and_takes_few_bytes) {
    ploy_blackboard_layout *layout = guard_layout(t);
    size_t size = ploy_blackboard_size(layout);
    CHECK(size <= 32 + 96 + 10 * 4); // header, values, counters
    char *memory = malloc(size + 8);
    memset(memory, 0xAB, size + 8);
    ploy_blackboard *a = NULL, *b = NULL;
    CHECK_INT(ploy_blackboard_init(NULL, size, layout, &a), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_blackboard_init(memory, size - 1, layout, &a), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_blackboard_init(memory + 1, size, layout, &a), PLOY_ERR_ARGUMENT);
    CHECK(a == NULL);
    CHECK_OK(ploy_blackboard_init(memory, size, layout, &a));
    CHECK_INT((unsigned char)memory[size], 0xAB); // not a byte more
    // Equal boards have equal bytes, and a copy of the bytes is a board.
    char *other = malloc(size);
    memset(other, 0xCD, size);
    CHECK_OK(ploy_blackboard_init(other, size, layout, &b));
    CHECK_BYTES(memory, other, size);
    CHECK_OK(ploy_blackboard_set_f32(a, slot(layout, "health"), 5));
    memcpy(other, memory, size);
    CHECK_SAME(ploy_blackboard_get_f32(b, slot(layout, "health")), 5.0f);
    CHECK_UINT(ploy_blackboard_changes(b), 1);
    ploy_blackboard_destroy(a); // does nothing to memory that is not its own
    free(memory);
    free(other);
    ploy_blackboard_layout_destroy(layout);
}

TEST(copying_counts_only_what_differs) {
    ploy_blackboard_layout *layout = guard_layout(t), *twin = guard_layout(t);
    ploy_blackboard *a = guard_board(t, layout), *b = guard_board(t, layout);
    ploy_blackboard *c = guard_board(t, twin);
    CHECK_OK(ploy_blackboard_set_f32(a, slot(layout, "health"), 5));
    CHECK_OK(ploy_blackboard_copy(b, a));
    CHECK_SAME(ploy_blackboard_get_f32(b, slot(layout, "health")), 5.0f);
    CHECK_UINT(ploy_blackboard_changes(b), 1);
    CHECK_INT(ploy_blackboard_copy(b, c), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_blackboard_copy(b, NULL), PLOY_ERR_ARGUMENT);
    ploy_blackboard_destroy(a);
    ploy_blackboard_destroy(b);
    ploy_blackboard_destroy(c);
    ploy_blackboard_layout_destroy(layout);
    ploy_blackboard_layout_destroy(twin);
}

TEST(scopes_are_searched_outwards_and_never_in_a_circle) {
    ploy_env env = ploy_env_default();
    static const ploy_blackboard_key squad_keys[] = {
        {"leader", PLOY_VALUE_ID, {0}, NULL},
        {"health", PLOY_VALUE_I64, {PLOY_VALUE_I64, {.i64 = 7}}, NULL},
    };
    ploy_blackboard_layout *layout = guard_layout(t), *squad_layout = NULL;
    CHECK_OK(ploy_blackboard_layout_create(squad_keys, 2, "squad", &env, NULL, &squad_layout));
    ploy_blackboard *guard = guard_board(t, layout), *squad = guard_board(t, squad_layout);
    ploy_blackboard_ref ref = {NULL, {0}};
    CHECK_INT(ploy_blackboard_lookup(guard, "leader", PLOY_VALUE_ID, &ref), PLOY_ERR_NOT_FOUND);
    CHECK(ref.board == NULL);
    CHECK_OK(ploy_blackboard_set_parent(guard, squad));
    CHECK(ployi_blackboard_parent(guard) == squad);
    CHECK_OK(ploy_blackboard_lookup(guard, "leader", PLOY_VALUE_ID, &ref));
    CHECK(ref.board == squad);
    CHECK_UINT(ref.slot.number, 1);
    CHECK_OK(ploy_blackboard_lookup(guard, "health", PLOY_VALUE_F32, &ref));
    CHECK(ref.board == guard); // the nearest hides the others
    CHECK_INT(ploy_blackboard_lookup(guard, "health", PLOY_VALUE_I64, &ref), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_blackboard_set_parent(squad, guard), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_blackboard_set_parent(squad, squad), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_blackboard_set_parent(guard, NULL));
    CHECK_OK(ploy_blackboard_set_parent(squad, guard));
    ploy_blackboard_destroy(guard);
    ploy_blackboard_destroy(squad);
    ploy_blackboard_layout_destroy(layout);
    ploy_blackboard_layout_destroy(squad_layout);
}

TEST(equal_layouts_hash_alike_and_others_do_not) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *a = guard_layout(t), *b = guard_layout(t);
    uint64_t hash = ploy_blackboard_layout_hash(a);
    CHECK_UINT(ploy_blackboard_layout_hash(b), hash);
    for (int32_t i = 0; i < 3; i++) {
        ploy_blackboard_key keys[COUNT_OF(guard_keys)];
        memcpy(keys, guard_keys, sizeof keys);
        if (i == 0) keys[3].name = "health2";
        if (i == 1) keys[3].initial.as.i64 = 99;
        if (i == 2) keys[1].type = PLOY_VALUE_F64, keys[1].initial.type = PLOY_VALUE_NONE;
        ploy_blackboard_layout *other = NULL;
        CHECK_OK(
            ploy_blackboard_layout_create(keys, (int32_t)COUNT_OF(keys), "g", &env, NULL, &other));
        CHECK(ploy_blackboard_layout_hash(other) != hash);
        ploy_blackboard_layout_destroy(other);
    }
    ploy_blackboard_layout_destroy(a);
    ploy_blackboard_layout_destroy(b);
}

static uint64_t board_hash(const ploy_blackboard *board) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_blackboard_describe(board, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(describe_tells_every_value_and_the_changes) {
    ploy_blackboard_layout *layout = guard_layout(t);
    ploy_blackboard *board = guard_board(t, layout);
    uint64_t hash = board_hash(board);
    for (int32_t i = 1; i <= ploy_blackboard_layout_count(layout); i++) {
        ploy_slot at = {(uint32_t)i};
        ploy_value value, zero = ploy_value_none();
        CHECK_OK(ploy_blackboard_get(board, at, &value));
        memset(&zero.as, i, sizeof zero.as);
        zero.type = value.type;
        if (value.type == PLOY_VALUE_BOOL) zero = ploy_value_bool(false);
        CHECK_OK(ploy_blackboard_set(board, at, &zero));
        CHECK(board_hash(board) != hash);
        CHECK_OK(ploy_blackboard_set(board, at, &value));
        CHECK(board_hash(board) != hash); // a watcher saw it change, even if it is back
        hash = board_hash(board);
    }
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}

TEST(many_keys_behave_like_an_array) {
    enum { COUNT = 500 };
    ploy_env env = ploy_env_default();
    static char names[COUNT][16];
    static ploy_blackboard_key keys[COUNT];
    static const ploy_value_type types[] = {PLOY_VALUE_BOOL, PLOY_VALUE_I64, PLOY_VALUE_F32,
                                            PLOY_VALUE_VEC3, PLOY_VALUE_ID};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        memset(keys, 0, sizeof keys);
        for (int32_t i = 0; i < COUNT; i++) {
            snprintf(names[i], sizeof names[i], "key_%d", i);
            keys[i].name = names[i];
            keys[i].type = types[ploy_rng_below(&rng, COUNT_OF(types))];
        }
        ploy_blackboard_layout *layout = NULL;
        CHECK_OK(ploy_blackboard_layout_create(keys, COUNT, "many", &env, NULL, &layout));
        ploy_blackboard *board = guard_board(t, layout);
        ploy_value model[COUNT];
        uint32_t changes[COUNT] = {0};
        uint64_t all = 0;
        for (int32_t i = 0; i < COUNT; i++) {
            ploy_slot at = slot(layout, names[i]);
            CHECK_UINT(at.number, (uint32_t)i + 1);
            CHECK_OK(ploy_blackboard_get(board, at, &model[i]));
        }
        for (int32_t turn = 0; turn < 3000; turn++) {
            int32_t i = ploy_rng_int(&rng, 0, COUNT - 1);
            ploy_value value = ploy_value_bool(ploy_rng_chance(&rng, 0.5f));
            int64_t number = ploy_rng_int(&rng, -2, 2);
            if (keys[i].type == PLOY_VALUE_I64) value = ploy_value_i64(number);
            if (keys[i].type == PLOY_VALUE_F32) value = ploy_value_f32((float)number);
            if (keys[i].type == PLOY_VALUE_VEC3) value = ploy_value_vec3(1, (float)number, 2);
            if (keys[i].type == PLOY_VALUE_ID) value = ploy_value_id(ploy_id_make(1, 2));
            ploy_slot at = {(uint32_t)i + 1};
            CHECK_OK(ploy_blackboard_set(board, at, &value));
            if (!ploy_value_equal(&value, &model[i])) changes[i]++, all++;
            model[i] = value;
        }
        CHECK_UINT(ploy_blackboard_changes(board), all);
        for (int32_t i = 0; i < COUNT; i++) {
            ploy_slot at = {(uint32_t)i + 1};
            ploy_value value;
            CHECK_OK(ploy_blackboard_get(board, at, &value));
            CHECK(ploy_value_equal(&value, &model[i]));
            CHECK_UINT(ploy_blackboard_slot_changes(board, at), changes[i]);
        }
        ploy_blackboard_destroy(board);
        ploy_blackboard_layout_destroy(layout);
    }
}

static ploy_result make_both(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    ploy_result result = ploy_blackboard_layout_create(guard_keys, (int32_t)COUNT_OF(guard_keys),
                                                       "guard", env, NULL, &layout);
    if (result != PLOY_OK) return layout == NULL ? result : PLOY_ERR_STATE;
    result = ploy_blackboard_create(layout, env, &board);
    if (result != PLOY_OK && board != NULL) result = PLOY_ERR_STATE;
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
    return result;
}

TEST(every_failing_allocation_is_survived) {
    CHECK_FAIL_NTH(make_both, NULL);
}

TEST(a_text_stands_on_the_board_itself) {
    static const ploy_blackboard_key keys[] = {
        {"word", PLOY_VALUE_TEXT, {PLOY_VALUE_TEXT, {.text = "first"}}, NULL},
        {"number", PLOY_VALUE_F64, {PLOY_VALUE_NONE, {0}}, NULL},
        {"empty", PLOY_VALUE_TEXT, {PLOY_VALUE_NONE, {0}}, NULL},
    };
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, 3, "texts", &env, NULL, &layout));
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    ploy_slot word = ploy_blackboard_layout_find(layout, "word");
    ploy_slot empty = ploy_blackboard_layout_find(layout, "empty");
    CHECK_TEXT(ploy_blackboard_get_text(board, word), "first");
    CHECK_TEXT(ploy_blackboard_get_text(board, empty), "");
    char long_text[80];
    memset(long_text, 'x', sizeof long_text);
    long_text[64] = 0;
    CHECK_INT(ploy_blackboard_set_text(board, word, long_text), PLOY_ERR_LIMIT);
    CHECK_UINT(ploy_blackboard_changes(board), 0);
    long_text[63] = 0;
    CHECK_OK(ploy_blackboard_set_text(board, word, long_text));
    CHECK_TEXT(ploy_blackboard_get_text(board, word), long_text);
    CHECK_OK(ploy_blackboard_set_text(board, word, "second"));
    CHECK_OK(ploy_blackboard_set_text(board, word, "second"));
    CHECK_UINT(ploy_blackboard_slot_changes(board, word), 2);
    ploy_value value = ploy_value_text("third");
    CHECK_OK(ploy_blackboard_set(board, empty, &value));
    CHECK_OK(ploy_blackboard_get(board, empty, &value));
    CHECK_TEXT(value.as.text, "third");
    CHECK_INT(ploy_blackboard_set(board, ploy_blackboard_layout_find(layout, "number"), &value),
              PLOY_ERR_ARGUMENT);
    ploy_blackboard_reset(board);
    CHECK_TEXT(ploy_blackboard_get_text(board, word), "first");
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}

TEST(a_board_visits_every_type) {
    static const char *const skip[] = {"counter", NULL};
    const ploy_blackboard_key keys[] = {
        {"b", PLOY_VALUE_BOOL, ploy_value_bool(true), NULL},
        {"i", PLOY_VALUE_I64, ploy_value_i64(-3), NULL},
        {"u", PLOY_VALUE_U64, ploy_value_u64(UINT64_MAX), NULL},
        {"f", PLOY_VALUE_F32, ploy_value_f32(0.1f), NULL},
        {"d", PLOY_VALUE_F64, ploy_value_f64(0.1), NULL},
        {"v2", PLOY_VALUE_VEC2, ploy_value_vec2(1, 2), NULL},
        {"v3", PLOY_VALUE_VEC3, ploy_value_vec3(1, 2, 3), NULL},
        {"v4", PLOY_VALUE_VEC4, ploy_value_vec4(1, 2, 3, 4), NULL},
        {"id", PLOY_VALUE_ID, ploy_value_id(ploy_id_make(2, 3)), NULL},
        {"name", PLOY_VALUE_NAME, ploy_value_name(ploy_name_of("x")), NULL},
        {"text", PLOY_VALUE_TEXT, ploy_value_text("hello"), NULL},
    };
    test_counts counts = {0, 0, 0};
    ploy_env env = ploy_env_default(), counting = test_counting_env(&counts);
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *a = NULL, *b = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, COUNT_OF(keys), "test", &env, NULL, &layout));
    CHECK_OK(ploy_blackboard_create(layout, &counting, &a));
    CHECK_OK(ploy_blackboard_create(layout, &env, &b));
    ploy_slot slot = ploy_blackboard_layout_find(layout, "i");
    CHECK_OK(ploy_blackboard_set_i64(a, slot, 5));
    state_check s = {ploy_blackboard_visit, a, NULL, skip, NULL};
    state_check_memory(t, &s, &counts);
    state_check_all(t, &s);
    state_check_copy(t, &s, b);
    CHECK_UINT(ploy_blackboard_slot_changes(b, slot), 1); // watchers go on
    ploy_blackboard_destroy(a);
    ploy_blackboard_destroy(b);
    ploy_blackboard_layout_destroy(layout);
}
