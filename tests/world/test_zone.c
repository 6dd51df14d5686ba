// Zones: what touches them, what is in them, and their text.
#include <math.h>

#include "ploy/base/rng.h"
#include "ploy/world/zone.h"
#include "tests/test.h"
#include "world/world_internal.h"

static const ploy_vec2 zone_corner_room[] = {{0, 0}, {10, 0}, {10, 4}, {4, 4}, {4, 10}, {0, 10}};

// RAV-13: region r = 10 at the origin, entity r = 5: at (14.9, 0) touching, at (15, 0) not; and the
// same bareness for the other shapes.
TEST(bare_contact_is_not_touching) {
    ploy_vec3 low = {-1, -2, 0}, high = {1, 2, 3}, foot = {0, 0, 1};
    ploy_zone circle = ploy_zone_circle(ploy_vec2_zero(), 10);
    ploy_zone box = ploy_zone_box(ploy_vec2_make(-1, -2), ploy_vec2_make(1, 2));
    ploy_zone polygon = ploy_zone_polygon(zone_corner_room, 6);
    ploy_zone sphere = ploy_zone_sphere(foot, 10);
    ploy_zone box3 = ploy_zone_box3(high, low);
    ploy_zone cylinder = ploy_zone_cylinder(foot, 10, 2);
    ploy_zone prism = ploy_zone_prism(zone_corner_room, 6, 0, 3);
    const struct {
        const char *row;
        const ploy_zone *zone;
        ploy_vec3 at;
        float radius;
        bool want;
    } rows[] = {
        {"circle, just touching", &circle, {14.9f, 0, 0}, 5, true},
        {"circle, bare contact", &circle, {15, 0, 0}, 5, false},
        {"circle, height does not matter", &circle, {14.9f, 0, 1e6f}, 5, true},
        {"circle, a point on the edge", &circle, {10, 0, 0}, 0, false},
        {"circle, a radius below 0 is a point", &circle, {9.9f, 0, 0}, -5, true},
        {"box, reached", &box, {1.9f, 0, 0}, 1, true},
        {"box, bare contact", &box, {2, 0, 0}, 1, false},
        {"box, the square around the body counts", &box, {1.9f, 2.9f, 0}, 1, true},
        {"polygon, inside", &polygon, {2, 8, 0}, 0, true},
        {"polygon, in its notch", &polygon, {6, 6, 0}, 0, false},
        {"polygon, reached from its notch", &polygon, {5, 6, 0}, 1.1f, true},
        {"polygon, bare contact", &polygon, {5, 6, 0}, 1, false},
        {"sphere, above and touching", &sphere, {0, 0, 15.9f}, 5, true},
        {"sphere, above and bare", &sphere, {0, 0, 16}, 5, false},
        {"box of space, over it", &box3, {0, 0, 4}, 0.5f, false},
        {"box of space, reaching down into it", &box3, {0, 0, 3.4f}, 0.5f, true},
        {"cylinder, at its side", &cylinder, {14.9f, 0, 2}, 5, true},
        {"cylinder, under it", &cylinder, {0, 0, 0.5f}, 0.5f, false},
        {"cylinder, over it but reaching", &cylinder, {0, 0, 3.2f}, 0.5f, true},
        {"prism, on the floor above", &prism, {2, 2, 4}, 0.5f, false},
        {"nowhere", &circle, {NAN, 0, 0}, 5, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_OK(ployi_zone_check(rows[i].zone));
        CHECK_INT(ploy_zone_touches(rows[i].zone, rows[i].at, rows[i].radius), rows[i].want);
    }
}

TEST(what_makes_no_zone_is_refused) {
    static const ploy_vec2 bow[] = {{0, 0}, {4, 4}, {4, 0}, {0, 4}};
    ploy_zone far = ploy_zone_circle(ploy_vec2_make(2e9f, 0), 1);
    ploy_zone negative = ploy_zone_circle(ploy_vec2_zero(), -1);
    ploy_zone nan = ploy_zone_sphere(ploy_vec3_make(0, NAN, 0), 1);
    ploy_zone empty = ploy_zone_box(ploy_vec2_zero(), ploy_vec2_make(1, 1));
    empty.box.max.x = -1;
    ploy_zone crossed = ploy_zone_polygon(bow, 4), two = ploy_zone_polygon(bow, 2);
    ploy_zone upside = ploy_zone_prism(zone_corner_room, 6, 3, 0);
    ploy_zone floorless = ploy_zone_circle(ploy_vec2_zero(), 1);
    floorless.low = NAN;
    ploy_zone odd = ploy_zone_circle(ploy_vec2_zero(), 1);
    odd.kind = PLOY_ZONE_KIND_COUNT;
    const ploy_zone *rows[] = {&far, &negative, &nan,       &empty, &crossed,
                               &two, &upside,   &floorless, &odd,   NULL};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK_INT(ployi_zone_check(rows[i]), PLOY_ERR_ARGUMENT);
    }
    CHECK_TEXT(ployi_zone_kind_text(PLOY_ZONE_KIND_COUNT), "?");
}

// A zone of a random kind; corners has room for 16.
static ploy_zone zone_random(ploy_rng *rng, ploy_vec2 *corners) {
    float x = ploy_rng_range(rng, -20, 20), y = ploy_rng_range(rng, -20, 20);
    float size = ploy_rng_range(rng, 0.5f, 10);
    int32_t kind = ploy_rng_int(rng, 0, PLOY_ZONE_KIND_COUNT - 1);
    ploy_zone zone = ploy_zone_circle(ploy_vec2_make(x, y), size);
    if (kind == PLOY_ZONE_BOX) {
        zone = ploy_zone_box(ploy_vec2_make(x, y), ploy_vec2_make(x - size, y + 2 * size));
    } else if (kind == PLOY_ZONE_POLYGON) {
        for (int32_t i = 0; i < 6; i++) {
            corners[i].x = x + size * 0.1f * zone_corner_room[i].x;
            corners[i].y = y + size * 0.1f * zone_corner_room[i].y;
        }
        zone = ploy_zone_polygon(corners, 6);
    } else if (kind == PLOY_ZONE_SPHERE) {
        zone = ploy_zone_sphere(ploy_vec3_make(x, y, size - 5), size);
    }
    if (kind != PLOY_ZONE_SPHERE && ploy_rng_chance(rng, 0.5f)) zone.low = -size;
    if (kind != PLOY_ZONE_SPHERE && ploy_rng_chance(rng, 0.5f)) zone.high = size;
    return zone;
}

TEST(whatever_a_zone_contains_touches_it_and_lies_in_its_bounds) {
    for (int64_t round = 0; round < test_rounds(2000); round++) {
        TEST_SEED(round + 1);
        ploy_rng rng = ploy_rng_make((uint64_t)round + 1);
        ploy_vec2 corners[16];
        ploy_zone zone = zone_random(&rng, corners);
        CHECK_OK(ployi_zone_check(&zone));
        CHECK(ploy_zone_touches(&zone, ploy_zone_centre(&zone), 0.5f));
        for (int32_t i = 0; i < 20; i++) {
            ploy_vec3 at = {ploy_rng_range(&rng, -30, 30), ploy_rng_range(&rng, -30, 30),
                            ploy_rng_range(&rng, -10, 10)};
            if (!ploy_zone_contains(&zone, at)) continue;
            CHECK(ploy_zone_touches(&zone, at, 1e-3f));
            ploy_box2 bounds = ploy_box2_grow(ploy_zone_bounds(&zone), 1e-3f);
            CHECK(ploy_box2_contains(bounds, ploy_vec2_make(at.x, at.y)));
        }
    }
}

TEST(a_zone_elsewhere_is_the_same_zone) {
    ploy_vec3 to = {3, 4, 5};
    ploy_zone box = ploy_zone_box3(ploy_vec3_make(0, 0, 0), ploy_vec3_make(2, 2, 2));
    ploy_zone moved = ployi_zone_at(&box, to);
    CHECK_SAME(moved.box.min.x, 2.0);
    CHECK_SAME(moved.high, 6.0);
    ploy_zone circle = ploy_zone_circle(ploy_vec2_zero(), 1);
    moved = ployi_zone_at(&circle, to);
    CHECK(moved.low == -INFINITY && moved.high == INFINITY);
    CHECK_SAME(ploy_zone_centre(&moved).y, 4.0);
    ploy_zone polygon = ploy_zone_polygon(zone_corner_room, 6);
    moved = ployi_zone_at(&polygon, to);
    CHECK(moved.polygon.points == zone_corner_room);
}

static void zone_write(const ploy_zone *zone, ploy_buffer *buffer) {
    ploy_env env = ploy_env_default();
    ploy_buffer_init(buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ployi_zone_save_json(zone, &json);
    (void)ploy_json_writer_finish(&json);
}

TEST(saved_and_loaded_it_is_the_same_text) {
    ploy_env env = ploy_env_default();
    for (int64_t round = 0; round < test_rounds(200); round++) {
        TEST_SEED(round + 1);
        ploy_rng rng = ploy_rng_make((uint64_t)round + 1);
        ploy_vec2 corners[16], again[16];
        ploy_zone zone = zone_random(&rng, corners), loaded;
        ploy_buffer first, second;
        zone_write(&zone, &first);
        ploy_json *doc = NULL;
        CHECK_OK(ploy_json_load(first.bytes, first.size, "zone", NULL, &env, NULL, &doc));
        CHECK_OK(ployi_zone_load_json(doc, ploy_json_root(doc), again, 16, NULL, &loaded));
        zone_write(&loaded, &second);
        CHECK_TEXT(ploy_buffer_text(&second), ploy_buffer_text(&first));
        ploy_json_destroy(doc);
        ploy_buffer_fini(&first);
        ploy_buffer_fini(&second);
    }
}

TEST(a_text_that_is_no_zone_says_why) {
    static const struct {
        const char *text, *message;
        ploy_result want;
    } rows[] = {
        {"[]", "expected an object with a kind", PLOY_ERR_FORMAT},
        {"{\"kind\":\"circel\"}", "unknown kind of zone", PLOY_ERR_FORMAT},
        {"{\"kind\":\"circle\",\"centre\":[0,0]}", "missing number in the zone", PLOY_ERR_FORMAT},
        {"{\"kind\":\"circle\",\"centre\":[0],\"radius\":1}", "missing centre of the zone",
         PLOY_ERR_FORMAT},
        {"{\"kind\":\"circle\",\"centre\":[0,0],\"radius\":-1}", "invalid measures of the zone",
         PLOY_ERR_FORMAT},
        {"{\"kind\":\"box\",\"min\":[0,0]}", "missing corner 'max' of the box", PLOY_ERR_FORMAT},
        {"{\"kind\":\"polygon\",\"points\":[[0,0],[1],[1,1]]}", "invalid corner of a polygon",
         PLOY_ERR_FORMAT},
        {"{\"kind\":\"polygon\",\"points\":[[0,0],[1,0],[1,1],[0,1]]}",
         "too many corners in the polygon", PLOY_ERR_CAPACITY},
    };
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(4, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ploy_json *doc = NULL;
        ploy_diags_clear(diags);
        CHECK_OK(ploy_json_load(rows[i].text, strlen(rows[i].text), "z", NULL, &env, NULL, &doc));
        ploy_zone zone;
        ploy_vec2 corners[3];
        ploy_result got = ployi_zone_load_json(doc, ploy_json_root(doc), corners, 3, diags, &zone);
        CHECK_INT(got, rows[i].want);
        CHECK(ploy_diags_count(diags) > 0);
        CHECK_TEXT(ploy_diags_get(diags, 0)->message, rows[i].message);
        ploy_json_destroy(doc);
    }
    ploy_diags_destroy(diags);
}
