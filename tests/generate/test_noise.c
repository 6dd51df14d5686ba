// Noise: published vectors, ranges, continuity, correlation, periods, and equal bits.
#include "ploy/generate/noise.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "generate/noise_internal.h"

static const char *const kind_names[] = {"white", "value", "perlin", "simplex", "cellular"};

static ploy_noise make(test_context *t, const ploy_noise_def *def, uint64_t seed) {
    ploy_env env = ploy_env_default();
    ploy_noise noise;
    CHECK_OK(ploy_noise_init(&noise, def, ploy_rng_key_make(seed), &env));
    return noise;
}

static ploy_noise make_kind(test_context *t, int32_t kind, uint64_t seed) {
    ploy_noise_def def = ploy_noise_def_default();
    def.kind = kind;
    t->row = kind_names[kind];
    return make(t, &def, seed);
}

// ---- reference forms

TEST(perlin_2002_gives_the_published_values) {
    static const double rows[][4] = {
        {3.14, 42, 7, 0.13691995878400012},
        {0.5, 0.5, 0.5, -0.25},
        {0.1, 0.2, 0.3, 0.35122924878110723},
        {1.5, 2.5, 3.5, 0.125},
        {10.25, -3.75, 0.125, 0.15859503138926812},
        {-0.5, -0.5, -0.5, -0.875},
        {255.5, 255.5, 255.5, -0.875},
        {100.1, 200.2, 300.3, 0.17824929906930873},
        {0.5, 0, 0, 0},
        {0, 0.5, 0, -0.25},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK_NEAR(ploy_perlin_2002(rows[i][0], rows[i][1], rows[i][2]), rows[i][3], 1e-15);
    }
    for (int32_t i = -300; i < 300; i += 7) CHECK_SAME(ploy_perlin_2002(i, 2 * i, 5 - i), 0.0);
    CHECK_SAME(ploy_perlin_2002((double)INFINITY, 0, 0), 0.0);
}

TEST(one_octave_gives_the_catalogs_cell) {
    static const ploy_vec2 gradients[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    static const float rows[][3] = {
        {0.5f, 0.5f, 0.25f}, {0.25f, 0.5f, 0.125f}, {0.5f, 0.25f, 0.3125f}, {0.75f, 0.25f, 0.375f}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK_NEAR(ploy_perlin_octave(gradients, 1, PLOY_FADE_LINEAR, rows[i][0], rows[i][1]),
                   rows[i][2], 1e-7);
    }
    CHECK_NEAR(ploy_perlin_octave(gradients, 1, PLOY_FADE_CUBIC, 0.5f, 0.5f), 0.25, 1e-7);
    CHECK_NEAR(ploy_perlin_octave(gradients, 1, PLOY_FADE_QUINTIC, 0.5f, 0.5f), 0.25, 1e-7);
}

TEST(a_lattice_as_fine_as_the_map_gives_zeros) {
    enum { SIZE = 16 };
    ploy_vec2 gradients[(SIZE + 1) * (SIZE + 1)];
    for (int32_t unit = 0; unit < 2; unit++) {
        ploy_perlin_gradients(ploy_rng_key_make(3), SIZE, unit == 1, gradients);
        for (int32_t i = 0; i < (SIZE + 1) * (SIZE + 1); i++) {
            float length = sqrtf(gradients[i].x * gradients[i].x + gradients[i].y * gradients[i].y);
            if (unit == 1) CHECK_NEAR(length, 1.0, 1e-6);
            CHECK(fabsf(gradients[i].x) <= 1.0f && fabsf(gradients[i].y) <= 1.0f);
        }
        for (int32_t y = 0; y <= SIZE; y++) {
            for (int32_t x = 0; x <= SIZE; x++) {
                CHECK_SAME(
                    ploy_perlin_octave(gradients, SIZE, PLOY_FADE_QUINTIC, (float)x, (float)y),
                    0.0);
            }
        }
    }
}

TEST(a_linear_fade_has_creases_and_the_others_have_none) {
    enum { SIZE = 8 };
    ploy_vec2 gradients[(SIZE + 1) * (SIZE + 1)];
    ploy_perlin_gradients(ploy_rng_key_make(5), SIZE, false, gradients);
    double crease[3] = {0, 0, 0};
    for (int32_t fade = 0; fade < 3; fade++) {
        for (int32_t i = 1; i < SIZE; i++) {
            for (float v = 0.1f; v < 7.9f; v += 0.37f) {
                const float h = 1.0f / 512.0f;
                float at = ploy_perlin_octave(gradients, SIZE, (ploy_fade)fade, (float)i, v);
                float low = ploy_perlin_octave(gradients, SIZE, (ploy_fade)fade, (float)i - h, v);
                float high = ploy_perlin_octave(gradients, SIZE, (ploy_fade)fade, (float)i + h, v);
                double change = fabs((double)(high - at) - (double)(at - low)) / (double)h;
                crease[fade] = fmax(crease[fade], change);
            }
        }
    }
    CHECK(crease[PLOY_FADE_LINEAR] > 0.5);
    CHECK(crease[PLOY_FADE_CUBIC] < 0.05);
    CHECK(crease[PLOY_FADE_QUINTIC] < 0.05);
}

// ---- properties of the fast forms

TEST(perlin_noise_is_zero_at_lattice_points) {
    ploy_noise noise = make_kind(t, PLOY_NOISE_PERLIN, 8);
    for (int32_t i = -40; i < 40; i++) {
        for (int32_t j = -40; j < 40; j++) {
            CHECK_SAME(ploy_noise_at2(&noise, ploy_vec2_make((float)i, (float)j)), 0.0);
            CHECK_SAME(ploy_noise_at3(&noise, ploy_vec3_make((float)i, (float)j, (float)(i - j))),
                       0.0);
        }
    }
}

enum { SIDE = 512 };
static float plane[SIDE * SIDE];

static void check_range(test_context *t, const ploy_noise *noise, int64_t seed, int32_t dimensions,
                        double *low, double *high) {
    ploy_rng rng = ploy_rng_make((uint64_t)seed);
    ploy_noise_grid grid = ploy_noise_grid_make(
        ploy_vec2_make(ploy_rng_range(&rng, -1e4f, 1e4f), ploy_rng_range(&rng, -1e4f, 1e4f)),
        ploy_rng_range(&rng, 0.05f, 0.5f), SIDE, SIDE);
    grid.origin.z = ploy_rng_range(&rng, -1e4f, 1e4f);
    CHECK_OK(dimensions == 2 ? ploy_noise_fill2(noise, &grid, plane, SIDE)
                             : ploy_noise_fill3(noise, &grid, plane, SIDE));
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        if (!(plane[i] >= -1.0f && plane[i] <= 1.0f)) CHECK_NEAR(plane[i], 0.0, 1.0);
        *low = fmin(*low, (double)plane[i]);
        *high = fmax(*high, (double)plane[i]);
    }
}

// A million samples of each row, 10^8 in the soak.
TEST(values_stay_within_one) {
    const int64_t fills = test_rounds(1) > 1 ? 100000000 / (SIDE * SIDE) + 1 : 4;
    for (int32_t kind = PLOY_NOISE_WHITE; kind <= PLOY_NOISE_SIMPLEX; kind++) {
        for (int32_t fractal = PLOY_NOISE_SINGLE; fractal <= PLOY_NOISE_BILLOW; fractal++) {
            for (int32_t dimensions = 2; dimensions <= 3; dimensions++) {
                ploy_noise_def def = ploy_noise_def_default();
                def.kind = kind;
                def.fractal = fractal;
                def.gain = 1.0f; // the largest sums
                t->row = kind_names[kind];
                double low = 1.0, high = -1.0;
                for (int64_t seed = 0; seed < fills; seed++) {
                    TEST_SEED(seed);
                    ploy_noise noise = make(t, &def, (uint64_t)seed);
                    check_range(t, &noise, seed, dimensions, &low, &high);
                }
                if (fractal == PLOY_NOISE_SINGLE) {
                    // The whole range is used: a scale that is too small would pass above.
                    double least = dimensions == 2 ? 0.9 : 0.75;
                    CHECK(low < -least && high > least);
                }
            }
        }
    }
}

TEST(the_mean_over_keys_is_zero) {
    enum { KEYS = 20000 };
    for (int32_t kind = PLOY_NOISE_WHITE; kind <= PLOY_NOISE_SIMPLEX; kind++) {
        for (int32_t dimensions = 2; dimensions <= 3; dimensions++) {
            double sum = 0.0, squares = 0.0;
            for (uint64_t seed = 0; seed < KEYS; seed++) {
                ploy_noise noise = make_kind(t, kind, seed);
                float x = 0.37f + (float)(seed % 10), y = 4.62f;
                double value = dimensions == 2
                                   ? (double)ploy_noise_at2(&noise, ploy_vec2_make(x, y))
                                   : (double)ploy_noise_at3(&noise, ploy_vec3_make(x, y, 0.81f));
                sum += value;
                squares += value * value;
            }
            double deviation = sqrt(squares / KEYS);
            CHECK(fabs(sum / KEYS) < 4.0 * deviation / sqrt((double)KEYS));
            CHECK(deviation > 0.05);
        }
    }
}

TEST(values_and_slopes_are_continuous_across_cells) {
    const float h = 1.0f / 256.0f;
    for (int32_t kind = PLOY_NOISE_VALUE; kind <= PLOY_NOISE_SIMPLEX; kind++) {
        for (uint64_t seed = 0; seed < 20; seed++) {
            TEST_SEED(seed);
            ploy_noise noise = make_kind(t, kind, seed);
            ploy_rng rng = ploy_rng_make(seed);
            for (int32_t i = 0; i < 400; i++) {
                // Short walks in any direction cross many borders; the third difference of a smooth
                // function over such steps is tiny, a jump or a crease is not.
                float angle = ploy_rng_float(&rng) * 6.2831853f;
                float dx = h * cosf(angle), dy = h * sinf(angle);
                float x = ploy_rng_range(&rng, -20, 20), y = ploy_rng_range(&rng, -20, 20);
                if (i % 2 == 0) x = floorf(x) - 1.5f * dx; // astride a border
                float f[4];
                for (int32_t k = 0; k < 4; k++) {
                    float px = x + (float)k * dx, py = y + (float)k * dy;
                    f[k] = seed % 2 == 0 ? ploy_noise_at2(&noise, ploy_vec2_make(px, py))
                                         : ploy_noise_at3(&noise, ploy_vec3_make(px, py, 0.3f));
                }
                for (int32_t k = 0; k < 3; k++) CHECK(fabsf(f[k + 1] - f[k]) < 8.0f * h);
                float second = f[2] - 2.0f * f[1] + f[0], third = f[3] - 2.0f * f[2] + f[1];
                CHECK(fabsf(second) < 60.0f * h * h);
                CHECK(fabsf(third) < 60.0f * h * h);
            }
        }
    }
}

// Pairs of samples 2 to 8 cells apart in eight directions: 4 million of each in the soak.
TEST(distant_values_do_not_correlate) {
    const int32_t size = test_rounds(1) > 1 ? 2048 : 768;
    const int32_t most = 16; // samples half a cell apart
    int32_t side = size + 2 * most;
    float *field = malloc(sizeof *field * (size_t)side * (size_t)side);
    if (field == NULL) abort();
    static const int32_t directions[8][2] = {{2, 0}, {0, 2}, {2, 2},  {2, -2},
                                             {2, 1}, {1, 2}, {2, -1}, {1, -2}};
    for (int32_t kind = PLOY_NOISE_VALUE; kind <= PLOY_NOISE_SIMPLEX; kind++) {
        ploy_noise noise = make_kind(t, kind, 77);
        ploy_noise_grid grid = ploy_noise_grid_make(ploy_vec2_make(0.25f, 0.25f), 0.5f, side, side);
        CHECK_OK(ploy_noise_fill2(&noise, &grid, field, side));
        double worst = 0.0;
        for (int32_t d = 0; d < 8; d++) {
            for (int32_t cells = 2; cells <= 8; cells++) {
                int32_t dx = directions[d][0] * cells, dy = directions[d][1] * cells;
                double both = 0.0, one = 0.0;
                for (int32_t y = 0; y < size; y++) {
                    const float *a = field + (size_t)(y + most) * (size_t)side;
                    const float *b = field + (size_t)(y + most + dy) * (size_t)side + dx;
                    for (int32_t x = 0; x < size; x++) {
                        both += (double)(a[x] * b[x]);
                        one += (double)(a[x] * a[x]);
                    }
                }
                worst = fmax(worst, fabs(both / one));
            }
        }
        // The statistical error of the smaller field is twice that of the soak's.
        CHECK(worst <= (size == 2048 ? 0.01 : 0.02));
    }
    free(field);
}

TEST(white_noise_has_no_neighbours) {
    ploy_noise noise = make_kind(t, PLOY_NOISE_WHITE, 4);
    ploy_noise_grid grid = ploy_noise_grid_make(ploy_vec2_make(0.5f, 0.5f), 1.0f, SIDE, SIDE);
    CHECK_OK(ploy_noise_fill2(&noise, &grid, plane, SIDE));
    double mean = 0.0, squares = 0.0, right = 0.0, up = 0.0;
    for (int32_t i = 0; i < SIDE * SIDE - SIDE; i++) {
        mean += (double)plane[i];
        squares += (double)plane[i] * (double)plane[i];
        right += (double)plane[i] * (double)plane[i + 1];
        up += (double)plane[i] * (double)plane[i + SIDE];
    }
    double n = SIDE * (SIDE - 1.0);
    CHECK(fabs(mean / n) < 4.0 * sqrt(1.0 / 3.0 / n));
    CHECK_NEAR(squares / n, 1.0 / 3.0, 0.01);
    CHECK_NEAR(right / squares, 0.0, 0.01);
    CHECK_NEAR(up / squares, 0.0, 0.01);
    CHECK_SAME(ploy_noise_at2(&noise, ploy_vec2_make(3.1f, -2.9f)),
               ploy_noise_at2(&noise, ploy_vec2_make(3.9f, -2.1f))); // one number a cell
}

TEST(cellular_distances_agree_with_each_other) {
    ploy_noise_def def = ploy_noise_def_default();
    def.kind = PLOY_NOISE_CELLULAR;
    ploy_noise by[4];
    for (int32_t i = 0; i < 4; i++) {
        def.cellular = i;
        by[i] = make(t, &def, 9);
    }
    ploy_rng rng = ploy_rng_make(1);
    for (int32_t i = 0; i < 20000; i++) {
        ploy_vec3 at = ploy_vec3_make(ploy_rng_range(&rng, -50, 50), ploy_rng_range(&rng, -50, 50),
                                      ploy_rng_range(&rng, -50, 50));
        float first = ploy_noise_at3(&by[0], at), second = ploy_noise_at3(&by[1], at);
        CHECK(first >= 0.0f && first <= second && second < 2.0f);
        CHECK_SAME(ploy_noise_at3(&by[2], at), second - first);
        float value = ploy_noise_at3(&by[3], at);
        CHECK(value >= -1.0f && value < 1.0f);
        // A step changes the nearest distance by no more than its length, across cells too.
        ploy_vec2 here = ploy_vec2_make(at.x, at.y), there = ploy_vec2_make(at.x + 0.01f, at.y);
        CHECK(fabsf(ploy_noise_at2(&by[0], here) - ploy_noise_at2(&by[0], there)) < 0.0101f);
        CHECK(fabsf(ploy_noise_at2(&by[1], here) - ploy_noise_at2(&by[1], there)) < 0.0101f);
    }
    // Without jitter the points are the centres of the cells.
    def.cellular = PLOY_NOISE_CELLULAR_FIRST;
    def.jitter = 0.0f;
    ploy_noise centres = make(t, &def, 9);
    CHECK_NEAR(ploy_noise_at2(&centres, ploy_vec2_make(3.5f, -1.5f)), 0.0, 1e-6);
    CHECK_NEAR(ploy_noise_at2(&centres, ploy_vec2_make(3.0f, -1.0f)), sqrt(0.5), 1e-6);
}

// ---- same bits

static ploy_noise_def random_def(ploy_rng *rng) {
    ploy_noise_def def = ploy_noise_def_default();
    def.kind = ploy_rng_int(rng, 0, 4);
    def.cellular = ploy_rng_int(rng, 0, 3);
    def.fractal = ploy_rng_int(rng, 0, 3);
    def.octaves = ploy_rng_int(rng, 1, 6);
    def.frequency = ploy_rng_range(rng, 0.01f, 3.0f);
    def.jitter = ploy_rng_float(rng);
    if (ploy_rng_chance(rng, 0.3f)) def.warp = ploy_rng_range(rng, 0.1f, 3.0f);
    if (ploy_rng_chance(rng, 0.3f)) {
        def.period_x = ploy_rng_int(rng, 0, 9);
        def.period_y = 2 * ploy_rng_int(rng, 0, 9);
        def.period_z = ploy_rng_int(rng, 0, 9);
    } else {
        def.lacunarity = ploy_rng_range(rng, 1.5f, 3.0f);
        def.warp_frequency = ploy_rng_range(rng, 0.3f, 3.0f);
    }
    return def;
}

TEST(a_grid_equals_single_samples_however_it_is_split) {
    enum { COLUMNS = 301, ROWS = 9, LAYERS = 3 };
    static float whole[COLUMNS * ROWS * LAYERS], part[COLUMNS * ROWS * LAYERS];
    for (int64_t seed = 0; seed < test_rounds(150); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_noise_def def = random_def(&rng);
        ploy_noise noise = make(t, &def, (uint64_t)seed);
        int32_t layers = seed % 2 == 0 ? 1 : LAYERS;
        ploy_noise_grid grid = ploy_noise_grid_make(
            ploy_vec2_make(ploy_rng_range(&rng, -100, 100), ploy_rng_range(&rng, -100, 100)),
            ploy_rng_range(&rng, 0.01f, 1.0f), COLUMNS, ROWS);
        grid.origin.z = ploy_rng_range(&rng, -10, 10);
        grid.layers = layers;
        ploy_result (*fill)(const ploy_noise *, const ploy_noise_grid *, float *, int32_t) =
            layers == 1 ? ploy_noise_fill2 : ploy_noise_fill3;
        CHECK_OK(fill(&noise, &grid, whole, COLUMNS));
        for (int32_t i = 0; i < COLUMNS * ROWS * layers; i++) {
            int32_t column = i % COLUMNS, row = i / COLUMNS % ROWS, layer = i / COLUMNS / ROWS;
            float x = grid.origin.x + grid.step.x * (float)column;
            float y = grid.origin.y + grid.step.y * (float)row;
            float z = grid.origin.z + grid.step.z * (float)layer;
            float one = layers == 1 ? ploy_noise_at2(&noise, ploy_vec2_make(x, y))
                                    : ploy_noise_at3(&noise, ploy_vec3_make(x, y, z));
            if (memcmp(&one, &whole[i], sizeof one) != 0) CHECK_SAME(one, whole[i]);
        }
        // In columns of different widths, straight into their places.
        memset(part, 0, sizeof part);
        for (int32_t first = 0; first < COLUMNS;) {
            ploy_noise_grid piece = grid;
            piece.first_column = first;
            piece.columns = ploy_rng_int(&rng, 1, 40);
            if (piece.columns > COLUMNS - first) piece.columns = COLUMNS - first;
            CHECK_OK(fill(&noise, &piece, part + first, COLUMNS));
            first += piece.columns;
        }
        CHECK_BYTES(part, whole, sizeof(float) * (size_t)(COLUMNS * ROWS * layers));
        // In rows.
        memset(part, 0, sizeof part);
        for (int32_t row = 0; layers == 1 && row < ROWS; row++) {
            ploy_noise_grid piece = grid;
            piece.first_row = row;
            piece.rows = 1;
            CHECK_OK(fill(&noise, &piece, part + row * COLUMNS, COLUMNS));
        }
        if (layers == 1) CHECK_BYTES(part, whole, sizeof(float) * (size_t)(COLUMNS * ROWS));
    }
}

TEST(periods_are_exact_to_the_bit) {
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_noise_def def = random_def(&rng);
        def.frequency = 1.0f;
        def.lacunarity = (float)ploy_rng_int(&rng, 2, 3);
        def.warp_frequency = (float)ploy_rng_int(&rng, 1, 2);
        def.period_x = ploy_rng_int(&rng, 1, 12);
        def.period_y = 2 * ploy_rng_int(&rng, 1, 6);
        def.period_z = ploy_rng_int(&rng, 1, 12);
        t->row = kind_names[def.kind];
        ploy_noise noise = make(t, &def, (uint64_t)seed);
        for (int32_t i = 0; i < 200; i++) {
            // Positions that a float holds exactly also a few periods further.
            float x = (float)ploy_rng_int(&rng, -4000, 4000) / 64.0f;
            float y = (float)ploy_rng_int(&rng, -4000, 4000) / 64.0f;
            float z = (float)ploy_rng_int(&rng, -4000, 4000) / 64.0f;
            float x2 = x + (float)(def.period_x * ploy_rng_int(&rng, -3, 3));
            float y2 = y + (float)(def.period_y * ploy_rng_int(&rng, -3, 3));
            float z2 = z + (float)(def.period_z * ploy_rng_int(&rng, -3, 3));
            CHECK_SAME(ploy_noise_at2(&noise, ploy_vec2_make(x2, y2)),
                       ploy_noise_at2(&noise, ploy_vec2_make(x, y)));
            CHECK_SAME(ploy_noise_at3(&noise, ploy_vec3_make(x2, y2, z2)),
                       ploy_noise_at3(&noise, ploy_vec3_make(x, y, z)));
        }
    }
}

TEST(periodic_noise_is_continuous_over_the_seam) {
    for (int32_t kind = PLOY_NOISE_VALUE; kind <= PLOY_NOISE_CELLULAR; kind++) {
        t->row = kind_names[kind];
        ploy_noise_def def = ploy_noise_def_default();
        def.kind = kind;
        def.period_x = 5;
        def.period_y = 6;
        def.period_z = 3;
        ploy_noise noise = make(t, &def, 3);
        for (float y = -3.0f; y < 9.0f; y += 0.13f) {
            float left = ploy_noise_at2(&noise, ploy_vec2_make(5.0f - 1e-3f, y));
            float right = ploy_noise_at2(&noise, ploy_vec2_make(1e-3f, y));
            CHECK_NEAR(left, right, 0.02);
            float low = ploy_noise_at3(&noise, ploy_vec3_make(y, 0.4f, 3.0f - 1e-3f));
            float high = ploy_noise_at3(&noise, ploy_vec3_make(y, 0.4f, 1e-3f));
            CHECK_NEAR(low, high, 0.02);
        }
    }
}

TEST(positions_of_any_size_give_finite_values_alone_and_in_a_grid) {
    static const float odd[] = {0.0f,   -0.0f,    1e-30f,    -1e-30f, 1e9f,  -1e9f, 3e38f,
                                -3e38f, INFINITY, -INFINITY, NAN,     -3.0f, -2.5f, 16384.0f};
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_noise_def def = random_def(&rng);
        ploy_noise noise = make(t, &def, (uint64_t)seed);
        for (int32_t i = 0; i < 30; i++) {
            float x = odd[ploy_rng_int(&rng, 0, (int32_t)COUNT_OF(odd) - 1)];
            float y = odd[ploy_rng_int(&rng, 0, (int32_t)COUNT_OF(odd) - 1)];
            float one = ploy_noise_at2(&noise, ploy_vec2_make(x, y)), filled = 0.0f;
            CHECK(isfinite(one));
            CHECK(isfinite(ploy_noise_at3(&noise, ploy_vec3_make(x, 1.0f, y))));
            // A step below 0 keeps the sign of an origin at -0.
            ploy_noise_grid grid = ploy_noise_grid_make(ploy_vec2_make(x, y), -1.0f, 1, 1);
            CHECK_OK(ploy_noise_fill2(&noise, &grid, &filled, 1));
            if (memcmp(&one, &filled, sizeof one) != 0) CHECK_SAME(one, filled);
        }
    }
}

// One sample has a form for AVX2 and one for every processor. The seed is that of the first octave.
TEST(a_single_sample_has_the_same_bits_on_every_processor) {
    static const float sizes[] = {1e-30f, 1.0f, 300.0f, 16777216.0f, 1e9f, 2.2e9f, 3e38f};
    static const float odd[] = {0.0f, -0.0f, 1e9f, -1e9f, INFINITY, -INFINITY, NAN, -2.0f};
    ploy_noise_def def = ploy_noise_def_default();
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        def.frequency = seed % 2 == 0 ? 1.0f : ploy_rng_range(&rng, 1e-3f, 10.0f);
        ploy_noise noise = make(t, &def, (uint64_t)seed);
        for (int32_t i = 0; i < 1000; i++) {
            float size = sizes[i % (int32_t)COUNT_OF(sizes)];
            ploy_vec2 at = {ploy_rng_range(&rng, -size, size), ploy_rng_range(&rng, -size, size)};
            if (i % 5 == 0) at.x = odd[ploy_rng_int(&rng, 0, (int32_t)COUNT_OF(odd) - 1)];
            if (i % 7 == 0) at.y = odd[ploy_rng_int(&rng, 0, (int32_t)COUNT_OF(odd) - 1)];
            if (i % 11 == 0) at.x = floorf(at.x);
            float usual = noise_perlin2_plain(at, def.frequency, noise.seeds[0]);
            float one = ploy_noise_at2(&noise, at);
            if (memcmp(&one, &usual, sizeof one) != 0) CHECK_SAME(one, usual);
        }
    }
}

TEST(settings_that_do_not_fit_are_refused) {
    ploy_env env = ploy_env_default();
    ploy_noise noise;
    ploy_rng_key key = ploy_rng_key_make(1);
    for (int32_t i = 0; i < 6; i++) {
        ploy_noise_def def = ploy_noise_def_default();
        def.period_x = 4;
        def.fractal = PLOY_NOISE_FBM;
        if (i == 1) def.lacunarity = 1.9f;
        if (i == 2) def.warp = 1.0f, def.warp_frequency = 0.5f;
        if (i == 3) def.kind = PLOY_NOISE_SIMPLEX, def.period_y = 3;
        if (i == 4) def.octaves = 16, def.lacunarity = 8.0f;
        if (i == 5) def.gain = NAN;
        CHECK_INT(ploy_noise_init(&noise, &def, key, &env), i == 0 ? PLOY_OK : PLOY_ERR_ARGUMENT);
    }
    ploy_noise_def def = ploy_noise_def_default();
    CHECK_OK(ploy_noise_init(&noise, &def, key, &env));
    ploy_noise_grid grid = ploy_noise_grid_make(ploy_vec2_make(0, 0), 1, 4, 4);
    CHECK_INT(ploy_noise_fill2(&noise, &grid, plane, 3), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_noise_fill2(&noise, &grid, NULL, 4), PLOY_ERR_ARGUMENT);
    grid.rows = -1;
    CHECK_INT(ploy_noise_fill2(&noise, &grid, plane, 4), PLOY_ERR_ARGUMENT);
    grid.rows = 0;
    CHECK_OK(ploy_noise_fill2(&noise, &grid, NULL, 4));
}
