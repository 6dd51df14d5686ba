// A program from outside: it knows ploy only as an installed library, or as the two amalgamated
// files. It calls something of each module and something that needs each system library, so that
// a missing link flag cannot hide.
#include <stdio.h>
#include <string.h>

#ifdef PLOY_AMALGAMATED
#include "ploy.h"
#else
#include "ploy/ploy.h"
#endif

static int failures;

static void expect(bool ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "outside: %s\n", what);
    failures++;
}

static void square(void *arg, int32_t first, int32_t count, int32_t worker) {
    (void)worker;
    int32_t *squares = (int32_t *)arg;
    for (int32_t i = first; i < first + count; i++) squares[i] = i * i;
}

static ploy_result count_bytes(void *user, const void *bytes, size_t size) {
    (void)bytes;
    *(size_t *)user += size;
    return PLOY_OK;
}

int main(void) {
    expect(strcmp(ploy_version_text(), PLOY_VERSION_TEXT) == 0, "header and library differ");

    ploy_env env = ploy_env_default();
    ploy_job_pool *pool = NULL;
    int32_t squares[100] = {0};
    expect(ploy_job_pool_create(2, &env, &pool) == PLOY_OK, "base: no pool of workers");
    ploy_jobs_run(ploy_job_pool_jobs(pool), square, squares, 100, 8);
    ploy_job_pool_destroy(pool);
    expect(squares[99] == 9801, "base: the workers did not work");

    ploy_region *region = NULL;
    expect(ploy_region_create(1 << 20, &env, &region) == PLOY_OK, "base: no region");
    ploy_env inside = ploy_region_env(region);
    void *block = ploy_env_alloc(&inside, 64);
    expect(block != NULL, "base: the region has no room");
    ploy_env_free(&inside, block, 64);
    ploy_region_destroy(region);

    expect(ploy_vec2_length(ploy_vec2_make(3.0f, 4.0f)) == 5.0f, "geom: length");
    expect(ploy_angle_difference(1.0f, 1.0f) == 0.0f, "geom: angle");
    expect(strcmp(ploy_input_kind_text(PLOY_INPUT_COMMAND), "command") == 0, "exec: input kind");
    expect(ploy_seek_fields().count > 0, "move: seek has no settings");

    size_t size = 0;
    ploy_writer writer = ploy_writer_make(count_bytes, &size);
    ploy_json_sink sink;
    ploy_json_sink_init(&sink, &writer, false);
    expect(ploy_json_sink_finish(&sink) == PLOY_OK && size > 0, "inspect: nothing was written");

    if (failures == 0) printf("ploy %s from outside\n", ploy_version_text());
    return failures == 0 ? 0 : 1;
}
