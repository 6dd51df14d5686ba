// Levels as one block: what went in comes out wherever the block lies, and nothing but a whole block
// opens.
#include "ploy/data/level.h"

#include <stdlib.h>

#include "ploy/base/hash.h"
#include "ploy/base/rng.h"
#include "tests/test.h"

enum { LEVEL_ROOM = 4096 };

typedef struct level_block {
    uint64_t words[LEVEL_ROOM / 8]; // aligned
    size_t size;
} level_block;

static unsigned char *level_bytes(level_block *block) {
    return (unsigned char *)block->words;
}

static ploy_result level_fill(ploy_level_builder *builder) {
    ploy_result result = ploy_level_builder_add(builder, "tower", "cover", ploy_vec3_make(1, 2, 3));
    if (result == PLOY_OK) {
        result = ploy_level_builder_set(builder, "height", ploy_value_f32(3.5f));
    }
    if (result == PLOY_OK) result = ploy_level_builder_set(builder, "open", ploy_value_bool(true));
    if (result == PLOY_OK) {
        result = ploy_level_builder_set(builder, "note", ploy_value_text("mind the gap"));
    }
    if (result == PLOY_OK) {
        result = ploy_level_builder_add(builder, "door", "trigger", ploy_vec3_make(-4, 0, 0));
    }
    if (result == PLOY_OK) {
        result = ploy_level_builder_add(builder, "wall", "cover", ploy_vec3_make(9, 9, 0));
    }
    if (result == PLOY_OK) result = ploy_level_builder_set(builder, "cost", ploy_value_i64(-7));
    return result;
}

static ploy_result level_save(const ploy_env *env, level_block *block) {
    ploy_level_builder *builder = NULL;
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_result result = ploy_level_builder_create(env, &builder);
    if (result == PLOY_OK) result = level_fill(builder);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    if (result == PLOY_OK) result = ploy_level_builder_save(builder, &writer);
    if (result == PLOY_OK) {
        block->size = buffer.size;
        memcpy(block->words, buffer.bytes, buffer.size);
    }
    ploy_level_builder_destroy(builder);
    ploy_buffer_fini(&buffer);
    return result;
}

TEST(objects_and_their_slots_come_back) { // TLS-15
    ploy_env env = ploy_env_default();
    static level_block block, moved;
    CHECK_OK(level_save(&env, &block));
    moved = block; // it works wherever it lies
    memset(&block, 0xee, sizeof block);
    ploy_level level;
    CHECK_OK(ploy_level_open(moved.words, moved.size, &level));
    CHECK_INT(level.object_count, 3);
    CHECK_INT(level.slot_count, 4);
    ploy_level_object object;
    int32_t tower = ploy_level_find(&level, "tower");
    CHECK(ploy_level_at(&level, tower, &object));
    CHECK_TEXT(object.type, "cover");
    CHECK_SAME(object.position.z, 3.0f);
    CHECK_INT(object.slot_count, 3);
    ploy_value value;
    CHECK(ploy_level_get(&level, tower, "height", &value));
    CHECK_INT(value.type, PLOY_VALUE_F32);
    CHECK_SAME(value.as.f32, 3.5f);
    CHECK(ploy_level_get(&level, tower, "open", &value) && value.as.b);
    CHECK(ploy_level_get(&level, tower, "note", &value));
    CHECK_TEXT(value.as.text, "mind the gap");
    CHECK(!ploy_level_get(&level, tower, "cost", &value)); // another's
    CHECK(ploy_level_get(&level, 2, "cost", &value) && value.as.i64 == -7);
    CHECK_INT(ploy_level_next(&level, -1, "cover"), 0);
    CHECK_INT(ploy_level_next(&level, 0, "cover"), 2);
    CHECK_INT(ploy_level_next(&level, 2, "cover"), -1);
    CHECK_INT(ploy_level_next(&level, INT32_MAX, "cover"), -1);
    CHECK_INT(ploy_level_find(&level, "nothing"), -1);
    CHECK(!ploy_level_at(&level, 3, &object) && !ploy_level_at(&level, -1, &object));
    CHECK(!ploy_level_slot(&level, 1, 0, NULL, &value));
    CHECK(!ploy_level_slot(&level, 0, -1, NULL, &value));
    CHECK(!ploy_level_slot(&level, 5, 0, NULL, &value));
}

TEST(every_kind_of_value_survives) {
    ploy_env env = ploy_env_default();
    ploy_id id = {3, 4};
    const ploy_value values[] = {
        ploy_value_bool(false),     ploy_value_i64(INT64_MIN),
        ploy_value_u64(UINT64_MAX), ploy_value_f32(-0.0f),
        ploy_value_f64(1e300),      ploy_value_vec2(1, 2),
        ploy_value_vec3(1, 2, 3),   ploy_value_vec4(1, 2, 3, 4),
        ploy_value_id(id),          ploy_value_name(ploy_name_of("x")),
        ploy_value_text(""),        ploy_value_text("long enough to be no accident"),
    };
    ploy_level_builder *builder = NULL;
    CHECK_OK(ploy_level_builder_create(&env, &builder));
    CHECK_INT(ploy_level_builder_set(builder, "k", values[0]), PLOY_ERR_STATE);
    CHECK_OK(ploy_level_builder_add(builder, "", "", ploy_vec3_make(0, 0, 0)));
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        char key[8];
        snprintf(key, sizeof key, "k%d", (int)i);
        CHECK_OK(ploy_level_builder_set(builder, key, values[i]));
        CHECK_INT(ploy_level_builder_set(builder, key, values[0]), PLOY_ERR_EXISTS);
    }
    CHECK_INT(ploy_level_builder_set(builder, "z", ploy_value_none()), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_level_builder_set(builder, NULL, values[0]), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_level_builder_add(builder, "n", "t", ploy_vec3_make(NAN, 0, 0)),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_level_builder_add(builder, NULL, "t", ploy_vec3_make(0, 0, 0)),
              PLOY_ERR_ARGUMENT);
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_level_builder_save(builder, &writer));
    static level_block block;
    CHECK(buffer.size <= sizeof block.words);
    memcpy(block.words, buffer.bytes, buffer.size);
    ploy_level level;
    CHECK_OK(ploy_level_open(block.words, buffer.size, &level));
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        const char *key = NULL;
        ploy_value value;
        CHECK(ploy_level_slot(&level, 0, (int32_t)i, &key, &value));
        CHECK(ploy_value_equal(&value, &values[i]));
        CHECK_INT(atoi(key + 1), (int)i);
    }
    ploy_buffer_fini(&buffer);
    ploy_level_builder_destroy(builder);
}

TEST(an_empty_level_opens) {
    ploy_env env = ploy_env_default();
    ploy_level_builder *builder = NULL;
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_level_builder_create(&env, &builder));
    CHECK_OK(ploy_level_builder_save(builder, &writer));
    static level_block block;
    memcpy(block.words, buffer.bytes, buffer.size);
    ploy_level level;
    CHECK_OK(ploy_level_open(block.words, buffer.size, &level));
    CHECK_INT(level.object_count, 0);
    CHECK_INT(ploy_level_find(&level, "x"), -1);
    ploy_buffer_fini(&buffer);
    ploy_level_builder_destroy(builder);
}

TEST(what_is_truncated_or_altered_is_refused) {
    ploy_env env = ploy_env_default();
    static level_block good, bad;
    CHECK_OK(level_save(&env, &good));
    ploy_level level;
    for (size_t size = 0; size < good.size; size++) {
        CHECK_INT(ploy_level_open(good.words, size, &level), PLOY_ERR_FORMAT);
    }
    for (size_t i = 0; i < good.size; i++) { // one byte at a time
        bad = good;
        level_bytes(&bad)[i] ^= 0x41;
        ploy_result want = i >= 8 && i < 16 ? PLOY_ERR_VERSION : PLOY_ERR_FORMAT;
        CHECK_INT(ploy_level_open(bad.words, bad.size, &level), want);
    }
    CHECK_INT(ploy_level_open(level_bytes(&good) + 1, good.size, &level), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_level_open(NULL, 0, &level), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_level_open(good.words, good.size, NULL), PLOY_ERR_ARGUMENT);
}

// Whoever alters a block may put the hash right: then every place must still be checked.
TEST(forged_blocks_open_or_not_and_never_lead_outside) {
    ploy_env env = ploy_env_default();
    static level_block good, bad;
    CHECK_OK(level_save(&env, &good));
    int32_t opened = 0, refused = 0;
    for (int64_t seed = 1; seed <= test_rounds(20000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        bad = good;
        int32_t changes = ploy_rng_int(&rng, 1, 3);
        for (int32_t i = 0; i < changes; i++) {
            int32_t at = ploy_rng_int(&rng, 64, (int32_t)bad.size - 1);
            level_bytes(&bad)[at] = (unsigned char)ploy_rng_int(&rng, 0, 255);
        }
        uint64_t hash = ploy_hash_bytes(level_bytes(&bad) + 64, bad.size - 64, 0);
        memcpy(level_bytes(&bad) + 24, &hash, sizeof hash);
        ploy_level level;
        ploy_result result = ploy_level_open(bad.words, bad.size, &level);
        CHECK(result == PLOY_OK || result == PLOY_ERR_FORMAT);
        if (result != PLOY_OK) {
            refused++;
            continue;
        }
        opened++;
        ploy_level_object object;
        for (int32_t i = 0; ploy_level_at(&level, i, &object); i++) {
            const char *key = NULL;
            ploy_value value;
            CHECK(strlen(object.name) + strlen(object.type) < bad.size);
            for (int32_t k = 0; ploy_level_slot(&level, i, k, &key, &value); k++) {
                CHECK(strlen(key) < bad.size);
                if (value.type == PLOY_VALUE_TEXT) CHECK(strlen(value.as.text) < bad.size);
            }
        }
    }
    CHECK(opened > 0 && refused > 0);
}

static ploy_result level_save_once(const ploy_env *env, void *arg) {
    return level_save(env, arg);
}

TEST(building_survives_every_failing_allocation) {
    static level_block block;
    CHECK_FAIL_NTH(level_save_once, &block);
    ploy_level_builder *builder = NULL;
    CHECK_INT(ploy_level_builder_create(NULL, &builder), PLOY_ERR_ARGUMENT);
    ploy_level_builder_destroy(NULL);
}
