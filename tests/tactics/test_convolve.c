// Filters over grids.
#include "ploy/tactics/convolve.h"

#include <math.h>

#include "ploy/base/rng.h"
#include "tests/state.h"

static const float example_map[9] = {5, 6, 2, 1, 4, 2, 6, 3, 3};

static ploy_tactics_layer *make_map(test_context *t, int32_t width, int32_t height,
                                    const float *values) {
    ploy_env env = ploy_env_default();
    ploy_places places = ploy_places_grid(width, height, ploy_vec2_make(0, 0), 1.0f);
    ploy_tactics_layer *layer = NULL;
    CHECK_OK(ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, &env, &layer));
    for (int32_t i = 0; values != NULL && i < width * height; i++) {
        CHECK_OK(ploy_tactics_layer_set(layer, i, values[i]));
    }
    return layer;
}

static ploy_convolve *make_convolve(test_context *t, const ploy_tactics_layer *layer) {
    ploy_env env = ploy_env_default();
    ploy_convolve *convolve = NULL;
    CHECK_OK(ploy_convolve_create(ploy_tactics_layer_places(layer), &env, &convolve));
    return convolve;
}

TEST(the_example_map_blurs_as_in_the_tables) {
    static const struct {
        const char *kernel;
        float divide;
        ploy_convolve_border border;
        double want[9];
    } rows[] = {
        {"1 2 1;2 4 2;1 2 1",
         16,
         PLOY_CONVOLVE_RENORMALISE,
         {4.2222, 4.0833, 3.1111, 3.5833, 3.5, 2.9167, 4.0, 3.4167, 2.8889}},
        {"1 2 1;2 4 2;1 2 1",
         16,
         PLOY_CONVOLVE_ZERO,
         {2.375, 3.0625, 1.75, 2.6875, 3.5, 2.1875, 2.25, 2.5625, 1.625}},
        {"1 2 1;2 4 2;1 2 1",
         16,
         PLOY_CONVOLVE_CLAMP,
         {4.375, 4.25, 2.875, 3.5, 3.5, 2.75, 4.375, 3.5, 2.875}},
        {"1 2 1;2 4 2;1 2 1",
         16,
         PLOY_CONVOLVE_WRAP,
         {3.875, 4.0, 3.375, 3.25, 3.5, 3.0, 3.875, 3.75, 3.375}},
        {"1 1 1;1 1 1;1 1 1",
         9,
         PLOY_CONVOLVE_RENORMALISE,
         {4.0, 3.3333, 3.5, 4.1667, 3.5556, 3.3333, 3.5, 3.1667, 3.0}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = ploy_convolve_border_text(rows[i].border);
        ploy_tactics_layer *from = make_map(t, 3, 3, example_map), *to = make_map(t, 3, 3, NULL);
        ploy_convolve *convolve = make_convolve(t, from);
        ploy_convolve_kernel kernel;
        CHECK_OK(ploy_convolve_kernel_read(rows[i].kernel, rows[i].divide, NULL, &kernel));
        CHECK(kernel.separable);
        ploy_convolve_options options = ploy_convolve_options_default();
        options.border = rows[i].border;
        CHECK_OK(ploy_convolve_run(convolve, &kernel, &options, from, to));
        for (int32_t k = 0; k < 9; k++) {
            CHECK_NEAR(ploy_tactics_layer_at(to, k), rows[i].want[k], 6e-5);
            CHECK_SAME(ploy_tactics_layer_at(from, k), example_map[k]);
        }
        CHECK_OK(ploy_convolve_run(convolve, &kernel, &options, from, from)); // in place
        for (int32_t k = 0; k < 9; k++) {
            CHECK_SAME(ploy_tactics_layer_at(from, k), ploy_tactics_layer_at(to, k));
        }
        ploy_convolve_destroy(convolve);
        ploy_tactics_layer_destroy(from);
        ploy_tactics_layer_destroy(to);
    }
}

TEST(kernels_have_their_sums) {
    static const double sums[] = {1, 4, 16, 64, 256};
    static const int32_t middles[] = {1, 2, 6, 20, 70};
    for (int32_t size = 0; size <= 4; size++) {
        ploy_convolve_kernel kernel = ploy_convolve_kernel_gaussian(size);
        double sum = 0.0;
        for (int32_t i = 0; i <= 2 * size; i++) sum += (double)kernel.across[i] * sums[size];
        CHECK_SAME(sum, sums[size]); // the kernel's sum is its square: 16, 256, 4096, 65536
        CHECK_SAME((double)kernel.across[size] * sums[size], middles[size]);
    }
    ploy_convolve_kernel sharp, printed;
    CHECK_OK(ploy_convolve_kernel_sharpen(2, 1, 1, false, &sharp));
    CHECK_OK(ploy_convolve_kernel_sharpen(2, 1, 1, true, &printed));
    double one = 0.0, five = 0.0;
    for (int32_t i = 0; i < 9; i++) one += (double)sharp.full[i], five += (double)printed.full[i];
    CHECK_SAME(one, 1.0);
    CHECK_SAME(five, 5.0);
    CHECK_INT(ploy_convolve_kernel_sharpen(0, 1, 1, false, &sharp), PLOY_ERR_ARGUMENT);
    ploy_tactics_layer *map = make_map(t, 3, 3, example_map), *to = make_map(t, 3, 3, NULL);
    ploy_convolve *convolve = make_convolve(t, map);
    ploy_convolve_options options = ploy_convolve_options_default();
    CHECK_OK(ploy_convolve_run(convolve, &sharp, &options, map, to));
    CHECK_SAME(ploy_tactics_layer_at(to, 4), 6.0);
    CHECK_OK(ploy_convolve_run(convolve, &printed, &options, map, to));
    CHECK_SAME(ploy_tactics_layer_at(to, 4), 22.0);
    ploy_convolve_destroy(convolve);
    ploy_tactics_layer_destroy(map);
    ploy_tactics_layer_destroy(to);
}

TEST(a_kernel_that_cannot_be_read_names_the_column) {
    static const struct {
        const char *text;
        int32_t column;
    } rows[] = {{"1 2 1;2 x 2;1 2 1", 9},
                {"1 2;3 4", 1},
                {"1 2 1;2 4;1 2 1", 10},
                {"", 1},
                {"1 2 1;;1 2 1", 7},
                {"nan", 1},
                {"1 2 3", 1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ploy_env env = ploy_env_default();
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        ploy_convolve_kernel kernel;
        CHECK_INT(ploy_convolve_kernel_read(rows[i].text, 1, diags, &kernel), PLOY_ERR_FORMAT);
        CHECK_INT(ploy_diags_count(diags), 1);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
        ploy_diags_destroy(diags);
    }
    ploy_convolve_kernel kernel;
    CHECK_INT(ploy_convolve_kernel_read("1", 0, NULL, &kernel), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_convolve_kernel_read("0 1 0;1 0 1;0 1 0", 4, NULL, &kernel));
    CHECK(!kernel.separable);
}

// ---- against the obvious form

static float naive_weight(const ploy_convolve_kernel *kernel, int32_t i, int32_t j) {
    int32_t side = 2 * kernel->size + 1;
    return kernel->separable ? kernel->across[i] * kernel->along[j] : kernel->full[j * side + i];
}

static double naive_cell(const ploy_tactics_layer *map, const ploy_convolve_kernel *kernel,
                         ploy_convolve_border border, float outside, int32_t x, int32_t y) {
    const ploy_places *p = ploy_tactics_layer_places(map);
    double sum = 0.0, total = 0.0, inside = 0.0;
    for (int32_t j = -kernel->size; j <= kernel->size; j++) {
        for (int32_t i = -kernel->size; i <= kernel->size; i++) {
            double weight = (double)naive_weight(kernel, i + kernel->size, j + kernel->size);
            int32_t cx = x + i, cy = y + j;
            total += weight;
            if (border == PLOY_CONVOLVE_CLAMP) {
                cx = cx < 0 ? 0 : cx >= p->width ? p->width - 1 : cx;
                cy = cy < 0 ? 0 : cy >= p->height ? p->height - 1 : cy;
            } else if (border == PLOY_CONVOLVE_WRAP) {
                cx = (cx + 100 * p->width) % p->width;
                cy = (cy + 100 * p->height) % p->height;
            }
            bool in = cx >= 0 && cy >= 0 && cx < p->width && cy < p->height;
            if (!in && border == PLOY_CONVOLVE_RENORMALISE) continue;
            inside += weight;
            sum += weight *
                   (in ? (double)ploy_tactics_layer_at(map, cy * p->width + cx) : (double)outside);
        }
    }
    bool scales = border == PLOY_CONVOLVE_RENORMALISE && total != 0.0;
    return scales ? sum * total / inside : sum;
}

TEST(separable_full_and_naive_filters_agree) {
    static const int32_t sizes[][2] = {{1, 1}, {2, 5}, {3, 2}, {17, 9}, {40, 33}, {65, 4}, {5, 40}};
    for (int64_t round = 0; round < test_rounds(7); round++) {
        TEST_SEED(round + 1);
        ploy_rng rng = ploy_rng_make((uint64_t)round + 1);
        int32_t width = sizes[round % 7][0], height = sizes[round % 7][1];
        ploy_tactics_layer *map = make_map(t, width, height, NULL);
        ploy_tactics_layer *a = make_map(t, width, height, NULL);
        ploy_tactics_layer *b = make_map(t, width, height, NULL);
        for (int32_t i = 0; i < width * height; i++) {
            CHECK_OK(ploy_tactics_layer_set(map, i, ploy_rng_range(&rng, 0.0f, 1.0f)));
        }
        ploy_convolve *convolve = make_convolve(t, map);
        for (int32_t size = 0; size <= PLOY_CONVOLVE_SIZE; size++) {
            int32_t side = 2 * size + 1;
            float across[15], along[15], full[225], sum_x = 0, sum_y = 0;
            for (int32_t i = 0; i < side; i++) {
                across[i] = ploy_rng_range(&rng, 0.1f, 1.0f);
                along[i] = ploy_rng_range(&rng, 0.1f, 1.0f);
                sum_x += across[i];
                sum_y += along[i];
            }
            for (int32_t i = 0; i < side; i++) across[i] /= sum_x, along[i] /= sum_y;
            for (int32_t i = 0; i < side * side; i++) full[i] = across[i % side] * along[i / side];
            ploy_convolve_kernel thin, thick;
            CHECK_OK(ploy_convolve_kernel_separable(across, along, side, &thin));
            CHECK_OK(ploy_convolve_kernel_full(full, side, 1.0f, &thick));
            for (int32_t border = 0; border < PLOY_CONVOLVE_BORDERS; border++) {
                ploy_convolve_options options = ploy_convolve_options_default();
                options.border = (ploy_convolve_border)border;
                options.outside = 0.7f;
                CHECK_OK(ploy_convolve_run(convolve, &thin, &options, map, a));
                CHECK_OK(ploy_convolve_run(convolve, &thick, &options, map, b));
                for (int32_t i = 0; i < width * height; i++) {
                    double want = naive_cell(map, &thick, options.border, options.outside,
                                             i % width, i / width);
                    CHECK_NEAR(ploy_tactics_layer_at(a, i), want, 1e-5);
                    CHECK_NEAR(ploy_tactics_layer_at(b, i), want, 1e-5);
                }
            }
        }
        ploy_convolve_destroy(convolve);
        ploy_tactics_layer_destroy(map);
        ploy_tactics_layer_destroy(a);
        ploy_tactics_layer_destroy(b);
    }
}

TEST(slices_and_repetition_give_the_same_bits) {
    ploy_rng rng = ploy_rng_make(4);
    ploy_tactics_layer *map = make_map(t, 70, 20, NULL), *whole = make_map(t, 70, 20, NULL);
    for (int32_t i = 0; i < 1400; i++) {
        CHECK_OK(ploy_tactics_layer_set(map, i, ploy_rng_range(&rng, -1.0f, 1.0f)));
    }
    ploy_convolve *convolve = make_convolve(t, map);
    ploy_convolve_kernel kernel = ploy_convolve_kernel_gaussian(3);
    for (int32_t border = 0; border < PLOY_CONVOLVE_BORDERS; border++) {
        ploy_convolve_options options = ploy_convolve_options_default();
        options.border = (ploy_convolve_border)border;
        options.times = 4;
        CHECK_OK(ploy_convolve_run(convolve, &kernel, &options, map, whole));
        CHECK_INT(ploy_convolve_passes(convolve), 4);
        ploy_tactics_layer *steps = make_map(t, 70, 20, NULL), *times = make_map(t, 70, 20, NULL);
        CHECK_OK(ploy_convolve_begin(convolve, &kernel, &options, map, steps));
        ploy_result result = PLOY_IN_PROGRESS;
        int32_t calls = 0;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget budget = ploy_budget_units(1);
            result = ploy_convolve_step(convolve, &budget);
            calls++;
        }
        CHECK_OK(result);
        CHECK(calls >= 80);
        options.times = 1;
        CHECK_OK(ploy_tactics_layer_copy(times, map));
        for (int32_t i = 0; i < 4; i++) {
            CHECK_OK(ploy_convolve_run(convolve, &kernel, &options, times, times));
        }
        size_t bytes = 1400 * sizeof(float);
        CHECK_BYTES(ploy_tactics_layer_numbers(steps), ploy_tactics_layer_numbers(whole), bytes);
        CHECK_BYTES(ploy_tactics_layer_numbers(times), ploy_tactics_layer_numbers(whole), bytes);
        ploy_tactics_layer_destroy(steps);
        ploy_tactics_layer_destroy(times);
    }
    CHECK_INT(ploy_convolve_step(convolve, NULL), PLOY_ERR_STATE);
    ploy_convolve_destroy(convolve);
    ploy_tactics_layer_destroy(map);
    ploy_tactics_layer_destroy(whole);
}

TEST(a_filter_that_is_saved_goes_on_with_the_same_bits) {
    ploy_env env = ploy_env_default();
    ploy_places places = ploy_places_grid(19, 11, ploy_vec2_make(0, 0), 1.0f);
    for (int32_t steps = 0; steps < 40; steps++) {
        TEST_SEED(steps);
        ploy_tactics_layer *layers[2] = {NULL, NULL};
        ploy_convolve *filters[2] = {NULL, NULL};
        ploy_convolve_kernel kernel = ploy_convolve_kernel_gaussian(2);
        ploy_convolve_options options = ploy_convolve_options_default();
        options.times = 3;
        options.border = (ploy_convolve_border)(steps % PLOY_CONVOLVE_BORDERS);
        for (int32_t k = 0; k < 2; k++) {
            CHECK_OK(ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, &env, &layers[k]));
            for (int32_t i = 0; i < places.count; i++) {
                CHECK_OK(ploy_tactics_layer_set(layers[k], i, (float)(i * 37 % 101)));
            }
            CHECK_OK(ploy_convolve_create(&places, &env, &filters[k]));
            CHECK_OK(ploy_convolve_begin(filters[k], &kernel, &options, layers[k], layers[k]));
        }
        ploy_result result = PLOY_IN_PROGRESS;
        for (int32_t i = 0; i < steps && result == PLOY_IN_PROGRESS; i++) {
            ploy_budget budget = ploy_budget_units(1);
            result = ploy_convolve_step(filters[0], &budget);
        }
        state_check s = {ploy_convolve_visit, filters[0], NULL, NULL, NULL};
        if (steps == 15) state_check_all(t, &s);
        state_check_copy(t, &s, filters[1]);
        state_check map = {ploy_tactics_layer_visit, layers[0], NULL, NULL, NULL};
        state_check_copy(t, &map, layers[1]);
        if (result == PLOY_IN_PROGRESS) {
            CHECK_OK(ploy_convolve_step(filters[0], NULL));
            CHECK_OK(ploy_convolve_step(filters[1], NULL));
        }
        CHECK_BYTES(ploy_tactics_layer_numbers(layers[0]), ploy_tactics_layer_numbers(layers[1]),
                    (size_t)places.count * sizeof(float));
        for (int32_t k = 0; k < 2; k++) {
            ploy_convolve_destroy(filters[k]);
            ploy_tactics_layer_destroy(layers[k]);
        }
    }
}

TEST(unknown_cells_stay_unknown_and_do_not_spread) {
    ploy_tactics_layer *map = make_map(t, 5, 5, NULL), *to = make_map(t, 5, 5, NULL);
    CHECK_OK(ploy_tactics_layer_fill(map, 2.0f));
    CHECK_OK(ploy_tactics_layer_set(map, 12, NAN));
    ploy_convolve *convolve = make_convolve(t, map);
    ploy_convolve_kernel kernel = ploy_convolve_kernel_gaussian(1);
    ploy_convolve_options options = ploy_convolve_options_default();
    CHECK_OK(ploy_convolve_run(convolve, &kernel, &options, map, to));
    for (int32_t i = 0; i < 25; i++) {
        if (i == 12) {
            CHECK(isnan(ploy_tactics_layer_at(to, i)));
        } else {
            CHECK_NEAR(ploy_tactics_layer_at(to, i), 2.0, 1e-6);
        }
    }
    ploy_convolve_destroy(convolve);
    ploy_tactics_layer_destroy(map);
    ploy_tactics_layer_destroy(to);
}

// ---- spreading

TEST(spreading_settles_with_the_same_total) {
    for (int32_t mode = PLOY_CONVOLVE_SUBTRACT; mode <= PLOY_CONVOLVE_SCALE; mode++) {
        ploy_tactics_layer *sources = make_map(t, 16, 16, NULL), *map = make_map(t, 16, 16, NULL);
        CHECK_OK(ploy_tactics_layer_set(sources, 3 * 16 + 4, 4.0f));
        CHECK_OK(ploy_tactics_layer_set(sources, 12 * 16 + 11, 2.0f));
        ploy_convolve *convolve = make_convolve(t, map);
        ploy_convolve_kernel kernel = ploy_convolve_kernel_gaussian(2);
        ploy_convolve_options options = ploy_convolve_options_default();
        options.border = PLOY_CONVOLVE_WRAP;
        options.mode = (ploy_convolve_sources)mode;
        options.sources = sources;
        options.settle = 0.0f;
        float before = 1e9f;
        CHECK_OK(ploy_tactics_layer_copy(map, sources));
        for (int32_t pass = 0; pass < 200; pass++) {
            CHECK_OK(ploy_convolve_run(convolve, &kernel, &options, map, map));
            double total = 0.0;
            for (int32_t i = 0; i < 256; i++) total += (double)ploy_tactics_layer_at(map, i);
            CHECK_NEAR(total, 6.0, 1e-3);
            if (pass == 20) before = ploy_tactics_layer_at(map, 0);
        }
        CHECK(isfinite(before));
        float settled = ploy_tactics_layer_at(map, 0);
        CHECK_OK(ploy_convolve_run(convolve, &kernel, &options, map, map));
        CHECK_NEAR(ploy_tactics_layer_at(map, 0), settled, 1e-4);
        CHECK_INT(ploy_tactics_layer_range(map).most_at, 3 * 16 + 4);
        ploy_convolve_destroy(convolve);
        ploy_tactics_layer_destroy(sources);
        ploy_tactics_layer_destroy(map);
    }
}

TEST(set_sources_settle_and_stop_the_work) {
    ploy_tactics_layer *sources = make_map(t, 9, 9, NULL), *map = make_map(t, 9, 9, NULL);
    CHECK_OK(ploy_tactics_layer_set(sources, 40, 1.0f));
    ploy_convolve *convolve = make_convolve(t, map);
    ploy_convolve_kernel kernel = ploy_convolve_kernel_gaussian(1);
    ploy_convolve_options options = ploy_convolve_options_default();
    options.border = PLOY_CONVOLVE_ZERO; // influence is lost at the edge, so it settles
    options.mode = PLOY_CONVOLVE_SET;
    options.sources = sources;
    options.times = 10000;
    // The source falls by the blur and is set again in each pass, so that much always changes.
    options.settle = 0.0f;
    CHECK_OK(ploy_convolve_run(convolve, &kernel, &options, map, map));
    CHECK_INT(ploy_tactics_layer_range(map).most_at, 40);
    CHECK(ploy_tactics_layer_at(map, 0) > 0.0f);
    options.mode = PLOY_CONVOLVE_NO_SOURCES;
    options.border = PLOY_CONVOLVE_WRAP;
    options.settle = 1e-4f;
    CHECK_OK(ploy_convolve_run(convolve, &kernel, &options, map, map));
    CHECK(ploy_convolve_passes(convolve) < 10000); // it is flat long before
    CHECK(ploy_convolve_change(convolve) <= 1e-4f);
    ploy_convolve_destroy(convolve);
    ploy_tactics_layer_destroy(sources);
    ploy_tactics_layer_destroy(map);
}

TEST(a_filter_refuses_other_layers) {
    ploy_env env = ploy_env_default();
    ploy_tactics_layer *map = make_map(t, 9, 9, NULL), *other = make_map(t, 9, 8, NULL);
    ploy_convolve *convolve = make_convolve(t, map);
    ploy_convolve_kernel kernel = ploy_convolve_kernel_box(1);
    ploy_convolve_options options = ploy_convolve_options_default();
    CHECK_INT(ploy_convolve_run(convolve, &kernel, &options, map, other), PLOY_ERR_ARGUMENT);
    options.times = 0;
    CHECK_INT(ploy_convolve_run(convolve, &kernel, &options, map, map), PLOY_ERR_ARGUMENT);
    options.times = 1;
    options.mode = PLOY_CONVOLVE_SET; // without sources
    CHECK_INT(ploy_convolve_run(convolve, &kernel, &options, map, map), PLOY_ERR_ARGUMENT);
    options.mode = PLOY_CONVOLVE_NO_SOURCES;
    kernel.size = 8;
    CHECK_INT(ploy_convolve_run(convolve, &kernel, &options, map, map), PLOY_ERR_ARGUMENT);
    ploy_convolve *none = convolve;
    CHECK_INT(ploy_convolve_create(NULL, &env, &none), PLOY_ERR_ARGUMENT);
    CHECK(none == NULL);
    ploy_convolve_destroy(convolve);
    ploy_tactics_layer_destroy(map);
    ploy_tactics_layer_destroy(other);
}

static ploy_result convolve_body(const ploy_env *env, void *arg) {
    ploy_convolve *convolve = NULL;
    ploy_result result = ploy_convolve_create(arg, env, &convolve);
    TEST_REPORT(result, env, convolve, ploy_convolve_memory);
    ploy_convolve_destroy(convolve);
    return result;
}

TEST(creating_a_filter_survives_failing_allocations) {
    ploy_places places = ploy_places_grid(5, 4, ploy_vec2_make(0, 0), 1.0f);
    CHECK_FAIL_NTH(convolve_body, &places);
}

TEST(a_warm_filter_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_places places = ploy_places_grid(70, 40, ploy_vec2_make(0, 0), 1.0f);
    ploy_tactics_layer *from = NULL, *to = NULL;
    ploy_convolve *convolve = NULL;
    CHECK_OK(ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, &env, &from));
    CHECK_OK(ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, &env, &to));
    CHECK_OK(ploy_convolve_create(&places, &env, &convolve));
    for (int32_t i = 0; i < places.count; i++) {
        CHECK_OK(ploy_tactics_layer_set(from, i, (float)(i % 13)));
    }
    static const float weights[9] = {1, 2, 3, 4, 5, 6, 7, 8, 10};
    ploy_convolve_kernel kernels[2] = {ploy_convolve_kernel_gaussian(3)};
    CHECK_OK(ploy_convolve_kernel_full(weights, 3, 46.0f, &kernels[1]));
    int64_t before = 0;
    for (int32_t round = 0; round < 6; round++) {
        if (round == 2) before = counts.calls; // after one run of each
        ploy_convolve_options options = ploy_convolve_options_default();
        options.times = 2;
        CHECK_OK(ploy_convolve_run(convolve, &kernels[round % 2], &options, from, to));
    }
    CHECK_INT(counts.calls, before);
    ploy_convolve_destroy(convolve);
    ploy_tactics_layer_destroy(from);
    ploy_tactics_layer_destroy(to);
    CHECK_INT(counts.bytes, 0);
}
