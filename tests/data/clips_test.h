// What the tests of CLIPS programs share.
#pragma once

#include "ploy/data/clips.h"
#include "tests/test.h"

static inline ploy_result clips_test_keep(void *user, const void *bytes, size_t size) {
    return ploy_buffer_append(user, bytes, size);
}

// Runs commands and checks what they print.
static inline void clips_test_batch(test_context *t, const char *commands, const char *want) {
    ploy_env env = ploy_env_default();
    ploy_buffer out;
    ploy_buffer_init(&out, 0, &env);
    ploy_clips_def def = ploy_clips_def_default();
    def.write = clips_test_keep;
    def.user = &out;
    ploy_clips *clips = NULL;
    CHECK_OK(ploy_clips_create(&def, &env, &clips));
    CHECK_OK(ploy_clips_batch(clips, commands, strlen(commands), "test", false));
    CHECK_TEXT(ploy_buffer_text(&out), want);
    ploy_clips_destroy(clips);
    ploy_buffer_fini(&out);
}
