#include "geom/geom_internal.h"
#include "tests/geom/solid_test.h"

#include "ploy/geom/heightfield.h"
#include "ploy/geom/triangle.h"

enum { SIZE = 12 };

// What the field's own samples say, with spacing and origin that floats hold exactly.
static ploy_vec3 corner(const ploy_heightfield *f, int32_t column, int32_t row) {
    return ploy_vec3_make(f->origin.x + f->spacing * (float)column,
                          f->origin.y + f->spacing * (float)row,
                          ploy_heightfield_sample(f, column, row));
}

static ploy_triangle3 half_cell(const ploy_heightfield *f, int32_t column, int32_t row,
                                int32_t half) {
    ploy_vec3 a = corner(f, column, row), c = corner(f, column + 1, row + 1);
    if (half == 0) return ploy_triangle3_make(a, corner(f, column + 1, row), c);
    return ploy_triangle3_make(a, c, corner(f, column, row + 1));
}

static bool triangle_there(ploy_triangle3 s) {
    return ploy_vec3_is_finite(s.a) && ploy_vec3_is_finite(s.b) && ploy_vec3_is_finite(s.c);
}

// All triangles, one by one.
static bool slow_ray(ploy_ray3 ray, const ploy_heightfield *f, ploy_hit3 *out) {
    bool met = false;
    memset(out, 0, sizeof *out);
    for (int32_t row = 0; row < f->rows - 1; row++) {
        for (int32_t column = 0; column < f->columns - 1; column++) {
            for (int32_t half = 0; half < 2; half++) {
                ploy_hit3 hit;
                ploy_triangle3 s = half_cell(f, column, row, half);
                if (!triangle_there(s) || !ploy_ray3_hit_triangle(ray, s, &hit)) continue;
                if (met && hit.distance >= out->distance) continue;
                *out = hit;
                met = true;
            }
        }
    }
    return met;
}

// Heights in eighths, so that sums are exact; holes here and there.
static ploy_heightfield random_field(ploy_rng *rng, float *heights, bool holes) {
    int32_t columns = ploy_rng_int(rng, 2, SIZE), rows = ploy_rng_int(rng, 2, SIZE);
    for (int32_t i = 0; i < columns * rows; i++) {
        heights[i] = (float)ploy_rng_int(rng, -16, 16) / 8;
        if (holes && ploy_rng_int(rng, 0, 9) == 0) heights[i] = i % 2 == 0 ? NAN : INFINITY;
    }
    ploy_vec2 origin = test_lattice_vec2(rng, 20);
    return ploy_heightfield_make(heights, columns, rows, origin, 0.5f);
}

TEST(rays_meet_exactly_what_all_triangles_would) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float heights[SIZE * SIZE];
        ploy_heightfield f = random_field(&rng, heights, seed % 2 == 0);
        // Sampled from and toward places in and around the field, some along the grid's own lines.
        ploy_vec3 ends[2];
        for (int32_t i = 0; i < 2; i++) {
            float x = ploy_rng_range(&rng, -2, 8), y = ploy_rng_range(&rng, -2, 8);
            if (seed % 3 == 0) x = floorf(x) / 2;
            if (seed % 3 == 0) y = floorf(y) / 2;
            ends[i] = ploy_vec3_make(f.origin.x + x, f.origin.y + y, ploy_rng_range(&rng, -4, 4));
        }
        if (seed % 7 == 0) ends[1].x = ends[0].x; // along a column
        if (seed % 11 == 0) ends[1].y = ends[0].y;
        if (seed % 13 == 0) ends[1].z = ends[0].z; // level
        ploy_ray3 ray = ploy_ray3_between(ends[0], ends[1]);
        if (seed % 5 == 0) ray.length = INFINITY;
        ploy_hit3 want, got;
        bool met = slow_ray(ray, &f, &want);
        CHECK_INT(ploy_ray3_hit_heightfield(ray, &f, &got), met);
        CHECK_INT(ploy_ray3_hit_heightfield(ray, &f, NULL), met);
        if (!met) continue;
        CHECK_SAME(got.distance, want.distance);
        CHECK_VEC3(got.point, want.point.x, want.point.y, want.point.z, 0);
        CHECK(!got.inside);
        CHECK(ploy_vec3_dot(got.normal, ray.direction) <= 0);
    }
}

TEST(height_is_that_of_the_triangles_and_of_a_ray_straight_down) {
    for (uint64_t seed = 0; seed < 1000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float heights[SIZE * SIZE];
        ploy_heightfield f = random_field(&rng, heights, seed % 2 == 0);
        ploy_vec2 p = ploy_vec2_make(f.origin.x + ploy_rng_range(&rng, -1, 6),
                                     f.origin.y + ploy_rng_range(&rng, -1, 6));
        if (seed % 3 == 0) { // on a sample, or between two
            p.x = floorf(p.x * 4) / 4;
            p.y = floorf(p.y * 4) / 4;
        }
        float height = 99, slope = 99, smooth = 99;
        ploy_vec3 normal;
        ploy_hit3 hit;
        ploy_ray3 down = ploy_ray3_make(ploy_vec3_from_vec2(p, 50), test_v3(0, 0, -1));
        bool got = ploy_heightfield_height(&f, p, &height);
        bool met = ploy_ray3_hit_heightfield(down, &f, &hit);
        // At an edge a hole's neighbour may answer the ray; otherwise they agree.
        if (seed % 3 != 0) CHECK_INT(met, got);
        CHECK_INT(ploy_heightfield_normal(&f, p, &normal), got);
        CHECK_INT(ploy_heightfield_slope(&f, p, &slope), got);
        CHECK_INT(ploy_heightfield_height(&f, p, NULL), got);
        if (!got) {
            CHECK_SAME(height, 99);
            continue;
        }
        CHECK(met);
        CHECK_NEAR(hit.point.z, height, 1e-5);
        CHECK_NEAR(ploy_vec3_length(normal), 1, 1e-6);
        CHECK(normal.z > 0);
        double run =
            sqrt((double)normal.x * (double)normal.x + (double)normal.y * (double)normal.y);
        CHECK_NEAR(slope, run / (double)normal.z, 1e-4 * (1 + run / (double)normal.z));
        if (seed % 3 != 0) CHECK_VEC3(hit.normal, normal.x, normal.y, normal.z, 1e-5);
        if (!ploy_heightfield_smooth_height(&f, p, &smooth)) continue;
        // The smooth form differs from the flat one by at most a quarter of the cell's twist.
        CHECK(fabsf(smooth - height) <= 2.0f);
    }
}

TEST(the_rule_of_the_cut_is_as_written) {
    float h[4] = {0, 1, 0, 0}; // (0,0) (1,0) (0,1) (1,1)
    ploy_heightfield f = ploy_heightfield_make(h, 2, 2, test_v2(10, 20), 2);
    float height = 0, slope = 0;
    ploy_vec3 normal;
    CHECK(ploy_heightfield_height(&f, test_v2(11.5, 20.5), &height)); // below the diagonal
    CHECK_SAME(height, 0.5);
    CHECK(ploy_heightfield_height(&f, test_v2(10.5, 21.5), &height)); // above it
    CHECK_SAME(height, 0);
    CHECK(ploy_heightfield_height(&f, test_v2(11, 21), &height)); // on it
    CHECK_SAME(height, 0);
    CHECK(ploy_heightfield_smooth_height(&f, test_v2(11, 21), &height));
    CHECK_SAME(height, 0.25);
    CHECK(ploy_heightfield_smooth_normal(&f, test_v2(11, 21), &normal));
    CHECK_NEAR(normal.x, -normal.y, 1e-7);
    CHECK(ploy_heightfield_slope(&f, test_v2(11.5, 20.5), &slope));
    CHECK_NEAR(slope, sqrt(0.5), 1e-6);
    // Corners and edges belong to the field, beyond them there is nothing.
    CHECK(ploy_heightfield_height(&f, test_v2(12, 20), &height));
    CHECK_SAME(height, 1);
    CHECK(ploy_heightfield_height(&f, test_v2(12, 22), &height));
    CHECK_SAME(height, 0);
    CHECK(!ploy_heightfield_height(&f, test_v2(12.001, 21), NULL));
    CHECK(!ploy_heightfield_height(&f, test_v2(11, 19.999), NULL));
    CHECK(!ploy_heightfield_height(&f, test_v2(NAN, 21), NULL));
    ploy_box3 box = ployi_box3_of_heightfield(&f);
    CHECK_VEC3(box.min, 10, 20, 0, 0);
    CHECK_VEC3(box.max, 12, 22, 1, 0);
}

TEST(samples_may_lie_anywhere_and_be_numbers_of_16_bits) {
    typedef struct tile {
        uint8_t kind;
        float height;
    } tile;
    tile tiles[3][4]; // column by column, inside the game's own structs
    uint16_t numbers[12];
    for (int32_t c = 0; c < 3; c++) {
        for (int32_t r = 0; r < 4; r++) {
            tiles[c][r].height = (float)(c * 10 + r);
            numbers[r * 3 + c] = (uint16_t)(c * 10 + r);
        }
    }
    ploy_heightfield f = ploy_heightfield_make(&tiles[0][0].height, 3, 4, test_v2(0, 0), 1);
    f.column_stride = sizeof tiles[0];
    f.row_stride = sizeof tiles[0][0];
    ploy_heightfield g = ploy_heightfield_make_u16(numbers, 3, 4, test_v2(0, 0), 1, 0, 65535);
    for (int32_t c = 0; c < 3; c++) {
        for (int32_t r = 0; r < 4; r++) {
            CHECK_SAME(ploy_heightfield_sample(&f, c, r), c * 10 + r);
            CHECK_SAME(ploy_heightfield_sample(&g, c, r), c * 10 + r);
        }
    }
    CHECK(isnan(ploy_heightfield_sample(&f, 3, 0)));
    CHECK(isnan(ploy_heightfield_sample(&f, 0, -1)));
    float a = 0, b = 1;
    CHECK(ploy_heightfield_height(&f, test_v2(1.25, 2.5), &a));
    CHECK(ploy_heightfield_height(&g, test_v2(1.25, 2.5), &b));
    CHECK_SAME(a, b);
    CHECK_SAME(a, 15);
    g = ploy_heightfield_make_u16(numbers, 3, 4, test_v2(0, 0), 1, -100, 100);
    CHECK_SAME(ploy_heightfield_sample(&g, 0, 0), -100);
}

TEST(fields_without_ground_answer_no) {
    float h[4] = {0, 0, 0, 0};
    static const struct {
        const char *row;
        int32_t columns, rows;
        float spacing;
    } rows[] = {
        {"one column", 1, 2, 1}, {"no row", 2, 0, 1},         {"below 0", -2, 2, 1},
        {"no spacing", 2, 2, 0}, {"endless", 2, 2, INFINITY}, {"not a number", 2, 2, NAN},
    };
    ploy_ray3 down = ploy_ray3_make(test_v3(0.25, 0.25, 9), test_v3(0, 0, -1));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_heightfield f =
            ploy_heightfield_make(h, rows[i].columns, rows[i].rows, test_v2(0, 0), rows[i].spacing);
        CHECK(!ployi_heightfield_is_valid(&f));
        CHECK(!ploy_heightfield_height(&f, test_v2(0, 0), NULL));
        CHECK(!ploy_ray3_hit_heightfield(down, &f, NULL));
        CHECK(ploy_box3_is_empty(ployi_box3_of_heightfield(&f)));
        CHECK(isnan(ploy_heightfield_sample(&f, 0, 0)));
    }
    t->row = NULL;
    ploy_heightfield f = ploy_heightfield_make(NULL, 2, 2, test_v2(0, 0), 1);
    CHECK(!ployi_heightfield_is_valid(&f));
    f = ploy_heightfield_make(h, 2, 2, test_v2(0, 0), 1);
    CHECK(ploy_ray3_hit_heightfield(down, &f, NULL));
    down.direction = ploy_vec3_zero();
    CHECK(!ploy_ray3_hit_heightfield(down, &f, NULL));
    down.direction.x = NAN;
    CHECK(!ploy_ray3_hit_heightfield(down, &f, NULL));
}

TEST(a_field_far_away_is_met_as_one_here) {
    ploy_rng rng = ploy_rng_make(7);
    float heights[SIZE * SIZE];
    for (int32_t i = 0; i < SIZE * SIZE; i++) heights[i] = (float)ploy_rng_int(&rng, 0, 8);
    for (uint64_t seed = 0; seed < 300; seed++) {
        TEST_SEED(seed);
        ploy_rng draw = ploy_rng_make(seed);
        ploy_heightfield here = ploy_heightfield_make(heights, SIZE, SIZE, test_v2(0, 0), 128),
                         there = here;
        there.origin = test_v2(0x1p29, -0x1p29); // a float counts in steps of 64 m there
        ploy_vec3 from = ploy_vec3_scale(test_lattice_vec3(&draw, 20), 64), far_from = from;
        from.z = far_from.z = 50;
        far_from.x += 0x1p29f;
        far_from.y -= 0x1p29f;
        ploy_vec3 way = test_random_vec3(&draw, 1);
        way.z = -0.05f;
        ploy_hit3 a, b;
        bool hit = ploy_ray3_hit_heightfield(ploy_ray3_make(from, way), &here, &a);
        CHECK_INT(ploy_ray3_hit_heightfield(ploy_ray3_make(far_from, way), &there, &b), hit);
        if (hit) CHECK_SAME(a.distance, b.distance);
        if (hit) CHECK_VEC3(a.normal, b.normal.x, b.normal.y, b.normal.z, 0);
    }
}
