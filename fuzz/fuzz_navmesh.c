// Navigation meshes: any bytes are refused or loaded, and what was loaded is written to the same
// bytes again and answers questions without a crash.
//
// A checksum keeps a fuzzer out, so each input is tried twice: as it is, and with the checksum that
// its bytes would need.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "ploy/path/navmesh_query.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                           \
    do {                                                             \
        if (!(condition)) {                                          \
            fprintf(stderr, "%d: %s fails\n", __LINE__, #condition); \
            abort();                                                 \
        }                                                            \
    } while (0)

static void ask(const ploy_navmesh *mesh) {
    ploy_env env = ploy_env_default();
    ploy_navmesh_query *query = NULL;
    ploy_path_def def = ploy_path_def_default();
    ploy_path *path = NULL;
    REQUIRE(ploy_navmesh_query_create(mesh, &env, &query) == PLOY_OK);
    REQUIRE(ploy_path_create(&def, &env, &path) == PLOY_OK);
    ploy_rng rng = ploy_rng_make(1);
    ploy_navmesh_place a, b;
    for (int32_t i = 0; i < 8; i++) {
        if (ploy_navmesh_find_random(query, &rng, &a) != PLOY_OK) break;
        REQUIRE(ploy_navmesh_find_random(query, &rng, &b) == PLOY_OK);
        REQUIRE(fabsf(a.point.z) <= 2e9f && fabsf(b.point.z) <= 2e9f); // heights are the floor's
        ploy_navmesh_request request = ploy_navmesh_request_make(a, b);
        request.method = (ploy_navmesh_method)(i % 3);
        request.radius = i < 4 ? 0.0f : 0.1f;
        ploy_result result = ploy_navmesh_find_path(query, &request, path, NULL);
        // An agent may be too wide for where it should start, if polygons have clearances.
        REQUIRE(result == PLOY_OK || (result == PLOY_ERR_DENIED && request.radius > 0.0f));
        if (result != PLOY_OK) continue;
        REQUIRE(ploy_path_count(path) >= 1);
        ploy_navmesh_hit hit;
        ploy_vec2 to = ploy_vec2_from_vec3(b.point);
        REQUIRE(ploy_navmesh_find_ray(query, a, to, &hit) == PLOY_OK);
        REQUIRE(ploy_navmesh_find_move(query, a, to, &b) == PLOY_OK);
        REQUIRE(ploy_navmesh_find_nearest(query, a.point, b.polygon, NULL, &b) == PLOY_OK);
    }
    ploy_path_destroy(path);
    ploy_navmesh_query_destroy(query);
}

static void load(const uint8_t *bytes, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_navmesh *mesh = NULL, *again = NULL;
    REQUIRE(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    ploy_result result = ploy_navmesh_load(bytes, size, "fuzz", &env, diags, &mesh);
    REQUIRE((result == PLOY_OK) == (mesh != NULL));
    REQUIRE(result == PLOY_OK || ploy_diags_count(diags) > 0); // what is refused is explained
    if (mesh != NULL) {
        ploy_buffer once, twice;
        ploy_buffer_init(&once, 0, &env);
        ploy_buffer_init(&twice, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&once);
        REQUIRE(ploy_navmesh_save(mesh, &writer) == PLOY_OK);
        REQUIRE(ploy_navmesh_load(once.bytes, once.size, "again", &env, NULL, &again) == PLOY_OK);
        writer = ploy_buffer_writer(&twice);
        REQUIRE(ploy_navmesh_save(again, &writer) == PLOY_OK);
        REQUIRE(once.size == twice.size && memcmp(once.bytes, twice.bytes, once.size) == 0);
        ask(mesh);
        ploy_buffer_fini(&once);
        ploy_buffer_fini(&twice);
    }
    ploy_navmesh_destroy(again);
    ploy_navmesh_destroy(mesh);
    ploy_diags_destroy(diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    load(data, size);
    if (size < 8) return 0;
    uint8_t *bytes = malloc(size);
    if (bytes == NULL) return 0;
    memcpy(bytes, data, size);
    uint64_t hash = ploy_hash_bytes(bytes, size - 8, 0);
    for (size_t i = 0; i < 8; i++) bytes[size - 8 + i] = (uint8_t)(hash >> (8 * i));
    load(bytes, size);
    free(bytes);
    return 0;
}
