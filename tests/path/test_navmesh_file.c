// Meshes as bytes.
#include "ploy/base/hash.h"
#include "tests/path/navmesh_help.h"

static ploy_buffer saved(test_context *t, const ploy_navmesh *mesh) {
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_navmesh_save(mesh, &writer));
    return buffer;
}

// Tiles with areas, a wall by force, two links and a hill.
static nav_floor sample(test_context *t) {
    static nav_tiles tiles;
    static uint8_t closed[24];
    static ploy_navmesh_link links[2];
    static const ploy_vec3 ground[] = {{1, 1, 0}, {2, 1, 0.5f}, {2, 2, 0}, {1, 2, 0}};
    static const int32_t counts[6] = {0, 0, 0, 0, 2, 0}, triangles[] = {0, 1, 2, 0, 2, 3};
    static const ploy_navmesh_detail detail = {ground, 4, counts, triangles, 2};
    ploy_navmesh_soup soup = nav_grid(&tiles, 3, 2);
    tiles.areas[2] = 5;
    tiles.flags[3] = 0x8001;
    closed[1] = 1;
    links[0] = ploy_navmesh_link_make(ploy_vec3_make(0.5f, 0.5f, 0), ploy_vec3_make(2.5f, 1.5f, 0));
    links[1] = ploy_navmesh_link_make(ploy_vec3_make(-0.2f, 0.5f, 0.1f), ploy_vec3_make(2, 1, 0));
    links[1].two_way = 7;
    links[1].kind = ploy_name_of("ladder");
    links[1].id = ploy_id_make(3, 4);
    links[1].cost = 0.25f;
    soup.closed = closed;
    soup.links = links;
    soup.link_count = 2;
    soup.detail = &detail;
    return nav_soup(t, soup);
}

TEST(what_is_saved_loads_as_the_same_mesh) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = -1; seed < test_rounds(10); seed++) {
        TEST_SEED(seed);
        nav_floor floor = seed < 0 ? sample(t) : nav_hall(t, (uint64_t)seed, 0.25f);
        ploy_buffer bytes = saved(t, floor.mesh);
        ploy_navmesh *again = NULL;
        CHECK_OK(ploy_navmesh_load(bytes.bytes, bytes.size, "mesh", &env, NULL, &again));
        CHECK_UINT(nav_hash(again), nav_hash(floor.mesh));
        ploy_buffer twice = saved(t, again);
        CHECK_UINT(twice.size, bytes.size);
        CHECK_BYTES(twice.bytes, bytes.bytes, bytes.size);
        for (int32_t e = 0; e < ploy_navmesh_stats_of(again).edges; e++) {
            CHECK_INT(ploy_navmesh_edge_at(again, e).twin,
                      ploy_navmesh_edge_at(floor.mesh, e).twin);
        }
        if (seed < 0) CHECK_NEAR(ploy_navmesh_height(again, 4, ploy_vec2_make(2, 1)), 0.5, 0);
        ploy_buffer_fini(&twice);
        ploy_buffer_fini(&bytes);
        ploy_navmesh_destroy(again);
        nav_close(&floor);
    }
}

TEST(every_cut_and_every_changed_byte_is_refused) {
    ploy_env env = ploy_env_default();
    nav_floor floor = sample(t);
    ploy_buffer bytes = saved(t, floor.mesh);
    ploy_navmesh *mesh = NULL;
    for (size_t size = 0; size < bytes.size; size++) {
        CHECK(ploy_navmesh_load(bytes.bytes, size, "cut", &env, NULL, &mesh) < 0);
        CHECK(mesh == NULL);
        bytes.bytes[size] ^= 0x10;
        CHECK(ploy_navmesh_load(bytes.bytes, bytes.size, "changed", &env, NULL, &mesh) < 0);
        CHECK(mesh == NULL);
        bytes.bytes[size] ^= 0x10;
    }
    bytes.bytes[8] = 4;
    ploy_diags *diags = NULL;
    char line[128];
    CHECK_OK(ploy_diags_create(1, &env, &diags));
    CHECK_INT(ploy_navmesh_load(bytes.bytes, bytes.size, "newer", &env, diags, &mesh),
              PLOY_ERR_VERSION);
    (void)ploy_diag_print(ploy_diags_get(diags, 0), line, sizeof line);
    CHECK_TEXT(line, "newer:1:9: error: unsupported version of the mesh; expected 1 to 3");
    ploy_diags_destroy(diags);
    CHECK_INT(ploy_navmesh_load(NULL, 0, "none", &env, NULL, &mesh), PLOY_ERR_FORMAT);
    ploy_buffer_fini(&bytes);
    nav_close(&floor);
}

// The bytes of a mesh as an older version wrote them: fewer counts, and smaller polygons.
static ploy_buffer older(const ploy_buffer *now, const ploy_navmesh *mesh, int32_t version) {
    ploy_env env = ploy_env_default();
    ploy_buffer old;
    ploy_buffer_init(&old, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&old);
    ploy_navmesh_stats stats = ploy_navmesh_stats_of(mesh);
    const char *at = now->bytes;
    char head[4] = {(char)version, 0, 0, 0};
    ploy_write_bytes(&writer, at, 8);
    ploy_write_bytes(&writer, head, 4);
    ploy_write_bytes(&writer, at + 12, 8 + 4 * 4);
    at += 44;
    ploy_write_bytes(&writer, at, 12 * (size_t)stats.vertices);
    at += 12 * (size_t)stats.vertices;
    for (int32_t i = 0; i < stats.polygons; i++, at += 15) {
        ploy_write_bytes(&writer, at, version == 1 ? 7 : 11);
    }
    ploy_write_bytes(&writer, at, 5 * (size_t)stats.edges + 64 * (size_t)stats.links);
    uint64_t hash = ploy_hash_bytes(old.bytes, old.size, 0);
    for (size_t i = 0; i < 8; i++) ploy_write_char(&writer, (char)(hash >> (8 * i)));
    return old;
}

TEST(older_files_are_read) {
    ploy_env env = ploy_env_default();
    nav_floor floor = sample(t);
    ploy_navmesh_soup *copy = NULL;
    CHECK_OK(ploy_navmesh_soup_create(floor.mesh, &env, &copy));
    ploy_navmesh_soup soup = *copy;
    soup.detail = NULL;
    soup.clearances = NULL;
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_navmesh *plain = NULL;
    CHECK_OK(ploy_navmesh_create(&def, &soup, &env, NULL, &plain));
    ploy_buffer now = saved(t, plain);
    for (int32_t version = 1; version <= 2; version++) {
        ploy_buffer old = older(&now, plain, version);
        ploy_navmesh *mesh = NULL;
        CHECK_OK(ploy_navmesh_load(old.bytes, old.size, "old", &env, NULL, &mesh));
        if (mesh != NULL) { // saved again it is a file of today
            ploy_buffer again = saved(t, mesh);
            CHECK_INT((int64_t)again.size, (int64_t)now.size);
            CHECK(memcmp(again.bytes, now.bytes, now.size) == 0);
            ploy_buffer_fini(&again);
        }
        ploy_navmesh_destroy(mesh);
        for (size_t size = 0; size < old.size; size += 7) {
            CHECK(ploy_navmesh_load(old.bytes, size, "cut", &env, NULL, &mesh) < 0);
        }
        ploy_buffer_fini(&old);
    }
    ploy_buffer_fini(&now);
    ploy_navmesh_destroy(plain);
    ploy_navmesh_soup_destroy(copy);
    nav_close(&floor);
}

// With a checksum that fits, every wrong byte goes past the first checks.
TEST(bytes_with_a_right_checksum_are_not_trusted_either) {
    ploy_env env = ploy_env_default();
    nav_floor floor = sample(t);
    ploy_buffer bytes = saved(t, floor.mesh);
    int32_t refused = 0;
    for (size_t at = 12; at < bytes.size - 8; at++) {
        char old = bytes.bytes[at];
        bytes.bytes[at] = (char)(old ^ 0x85);
        uint64_t hash = ploy_hash_bytes(bytes.bytes, bytes.size - 8, 0);
        for (size_t i = 0; i < 8; i++) bytes.bytes[bytes.size - 8 + i] = (char)(hash >> (8 * i));
        ploy_navmesh *mesh = NULL;
        ploy_result result = ploy_navmesh_load(bytes.bytes, bytes.size, "odd", &env, NULL, &mesh);
        CHECK(result == PLOY_OK || result == PLOY_ERR_FORMAT);
        CHECK_INT(mesh != NULL, result == PLOY_OK);
        refused += result != PLOY_OK;
        ploy_navmesh_destroy(mesh);
        bytes.bytes[at] = old;
    }
    CHECK(refused > 100);
    ploy_buffer_fini(&bytes);
    nav_close(&floor);
}

static ploy_result load_and_destroy(const ploy_env *env, void *arg) {
    const ploy_buffer *bytes = arg;
    ploy_navmesh *mesh = NULL;
    ploy_result result = ploy_navmesh_load(bytes->bytes, bytes->size, "mesh", env, NULL, &mesh);
    ploy_navmesh_destroy(mesh);
    return result;
}

TEST(load_survives_every_failing_allocation) {
    nav_floor floor = sample(t);
    ploy_buffer bytes = saved(t, floor.mesh);
    CHECK_FAIL_NTH(load_and_destroy, &bytes);
    ploy_buffer_fini(&bytes);
    nav_close(&floor);
}
