#include "ploy/base/writer.h"

#include "ploy/base/rng.h"
#include "tests/test.h"

typedef struct sink {
    char bytes[64];
    size_t size;
    size_t fail_after; // bytes it takes before failing
    ploy_result failure;
    int calls;
} sink;

static ploy_result sink_write(void *user, const void *bytes, size_t size) {
    sink *s = user;
    s->calls++;
    if (s->size + size > s->fail_after) return s->failure;
    memcpy(s->bytes + s->size, bytes, size);
    s->size += size;
    return PLOY_OK;
}

TEST(writer_hands_every_kind_of_value_on_as_text) {
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    CHECK_TEXT(ploy_buffer_text(&buffer), "");
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_write_text(&writer, "a");
    ploy_write_text(&writer, "");
    ploy_write_char(&writer, ' ');
    ploy_write_i64(&writer, INT64_MIN);
    ploy_write_char(&writer, ' ');
    ploy_write_u64(&writer, UINT64_MAX);
    ploy_write_char(&writer, ' ');
    ploy_write_hex64(&writer, 0xABCDEF);
    ploy_write_char(&writer, ' ');
    ploy_write_f32(&writer, 0.1f);
    ploy_write_char(&writer, ' ');
    ploy_write_f64(&writer, 0.1);
    ploy_write_char(&writer, ' ');
    ploy_write_f32(&writer, -INFINITY);
    ploy_write_f64(&writer, (double)NAN);
    ploy_write_bytes(&writer, NULL, 0);
    ploy_write_bytes(&writer, "\0z", 2);
    CHECK_OK(ploy_writer_result(&writer));
    static const char want[] =
        "a -9223372036854775808 18446744073709551615 0000000000abcdef 0.1 0.1 -infnan\0z";
    CHECK_UINT(buffer.size, sizeof want - 1);
    CHECK_UINT(writer.written, sizeof want - 1);
    CHECK_BYTES(buffer.bytes, want, sizeof want); // with its closing zero
    ploy_buffer_fini(&buffer);
}

TEST(writer_remembers_its_first_failure_and_calls_no_more) {
    sink s = {{0}, 0, 5, PLOY_ERR_SYSTEM, 0};
    ploy_writer writer = ploy_writer_make(sink_write, &s);
    ploy_write_text(&writer, "abc");
    CHECK_OK(ploy_writer_result(&writer));
    ploy_write_text(&writer, "def"); // would be six
    CHECK_INT(ploy_writer_result(&writer), PLOY_ERR_SYSTEM);
    ploy_write_text(&writer, "g"); // would fit, but the stream already has a hole
    ploy_write_f64(&writer, 1.0);
    CHECK_INT(ploy_writer_result(&writer), PLOY_ERR_SYSTEM);
    CHECK_INT(s.calls, 2);
    CHECK_UINT(writer.written, 3);
    // A callback that answers with progress has not written everything.
    sink odd = {{0}, 0, 0, PLOY_IN_PROGRESS, 0};
    writer = ploy_writer_make(sink_write, &odd);
    ploy_write_text(&writer, "x");
    CHECK_INT(ploy_writer_result(&writer), PLOY_ERR_CALLBACK);
}

TEST(buffer_stops_at_its_limit_and_keeps_what_it_has) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 10, &env);
    CHECK_INT(ploy_buffer_append(&buffer, "01234567890", 11), PLOY_ERR_LIMIT);
    CHECK_UINT(buffer.size, 0);
    CHECK_OK(ploy_buffer_append(&buffer, "012345678", 9));
    CHECK_INT(ploy_buffer_append(&buffer, "ab", 2), PLOY_ERR_LIMIT);
    CHECK_INT(ploy_buffer_reserve(&buffer, SIZE_MAX), PLOY_ERR_LIMIT);
    CHECK_OK(ploy_buffer_append(&buffer, "a", 1));
    CHECK_OK(ploy_buffer_append(&buffer, "", 0));
    CHECK_TEXT(ploy_buffer_text(&buffer), "012345678a");
    CHECK(buffer.capacity <= 11);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_write_char(&writer, 'x');
    CHECK_INT(ploy_writer_result(&writer), PLOY_ERR_LIMIT);
    ploy_buffer_fini(&buffer);
    CHECK_INT(counts.blocks, 0);
    CHECK_INT(counts.bytes, 0);
    ploy_buffer_fini(&buffer); // harmless
}

TEST(buffer_consume_and_clear_keep_the_rest_and_the_memory) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_buffer_consume(&buffer, 5); // empty: nothing to do
    ploy_buffer_clear(&buffer);
    CHECK_OK(ploy_buffer_append(&buffer, "hello world", 11));
    ploy_buffer_consume(&buffer, 6);
    CHECK_TEXT(ploy_buffer_text(&buffer), "world");
    ploy_buffer_consume(&buffer, 0);
    CHECK_UINT(buffer.size, 5);
    ploy_buffer_consume(&buffer, 99);
    CHECK_TEXT(ploy_buffer_text(&buffer), "");
    CHECK_UINT(buffer.size, 0);
    int64_t calls = counts.calls;
    CHECK_OK(ploy_buffer_append(&buffer, "again", 5));
    ploy_buffer_clear(&buffer);
    CHECK_TEXT(ploy_buffer_text(&buffer), "");
    CHECK_INT(counts.calls, calls); // no new memory
    CHECK_OK(ploy_buffer_reserve(&buffer, 1000));
    CHECK_TEXT(ploy_buffer_text(&buffer), "");
    calls = counts.calls;
    for (int i = 0; i < 1000; i++) CHECK_OK(ploy_buffer_append(&buffer, "x", 1));
    CHECK_INT(counts.calls, calls); // reserve was enough
    ploy_buffer_fini(&buffer);
    CHECK_INT(counts.bytes, 0);
}

TEST(buffer_equals_plain_concatenation_over_many_seeds) {
    for (uint64_t seed = 1; seed <= 50; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_env env = ploy_env_default();
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        static char plain[20000];
        size_t size = 0;
        while (size < 15000) {
            char piece[200];
            size_t count = (size_t)ploy_rng_int(&rng, 0, 200);
            for (size_t i = 0; i < count; i++) piece[i] = (char)ploy_rng_int(&rng, 0, 255);
            CHECK_OK(ploy_buffer_append(&buffer, piece, count));
            memcpy(plain + size, piece, count);
            size += count;
            if (ploy_rng_chance(&rng, 0.05f)) {
                size_t take = (size_t)ploy_rng_int(&rng, 0, (int32_t)size);
                ploy_buffer_consume(&buffer, take);
                memmove(plain, plain + take, size - take);
                size -= take;
                if (ploy_rng_chance(&rng, 0.2f)) break;
            }
            CHECK_UINT(buffer.size, size);
            if (buffer.bytes != NULL) CHECK_INT(buffer.bytes[size], 0);
        }
        CHECK_UINT(buffer.size, size);
        if (size > 0) CHECK_BYTES(buffer.bytes, plain, size);
        ploy_buffer_fini(&buffer);
    }
}

static ploy_result fill_a_buffer(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    for (int i = 0; i < 100; i++) ploy_write_i64(&writer, i * 12345);
    ploy_result result = ploy_writer_result(&writer);
    ploy_buffer_fini(&buffer);
    return result;
}

TEST(buffer_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(fill_a_buffer, NULL);
}

typedef struct failing {
    ploy_env env;
    bool fail;
} failing;

static void *failing_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    failing *f = user;
    if (f->fail && new_size > old_size) return NULL;
    return f->env.allocator.resize(f->env.allocator.user, ptr, old_size, new_size);
}

TEST(buffer_keeps_its_contents_when_growing_fails) {
    failing f = {ploy_env_default(), false};
    ploy_allocator allocator = {failing_resize, &f};
    ploy_env env = ploy_env_with_allocator(allocator);
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    CHECK_OK(ploy_buffer_append(&buffer, "kept", 4));
    f.fail = true;
    static const char large[1000] = {'x'};
    CHECK_INT(ploy_buffer_append(&buffer, large, sizeof large), PLOY_ERR_MEMORY);
    CHECK_TEXT(ploy_buffer_text(&buffer), "kept");
    f.fail = false;
    CHECK_OK(ploy_buffer_append(&buffer, "!", 1));
    CHECK_TEXT(ploy_buffer_text(&buffer), "kept!");
    ploy_buffer_fini(&buffer);
}
