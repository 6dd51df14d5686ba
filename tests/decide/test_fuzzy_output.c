// Outputs whose sets stand in a row, and others, against the sum over their samples.
#include <stdio.h>

#include "decide/decide_internal.h"
#include "ploy/decide/fuzzy.h"
#include "tests/test.h"

enum { ROW_SETS = 5 };

// A system that concludes each set of an output at the degree that its own input says.
typedef struct row_system {
    ploy_fuzzy_type *type;
    ploy_fuzzy *fuzzy;
    ploy_fuzzy_variable_def def;
    int32_t sets;
} row_system;

static void row_open(test_context *t, row_system *row, const ploy_fuzzy_set *sets, int32_t count,
                     const ploy_fuzzy_variable_def *def, ploy_fuzzy_norm implication) {
    ploy_env env = ploy_env_default();
    row->def = *def;
    row->sets = count;
    CHECK_OK(ploy_fuzzy_type_create("row", &env, &row->type));
    int32_t output = ploy_fuzzy_type_output(row->type, "y", def);
    ploy_fuzzy_block_def norms = ploy_fuzzy_block_def_default();
    norms.implication = implication;
    int32_t block = ploy_fuzzy_type_block(row->type, "", &norms);
    ploy_fuzzy_set identity = ploy_fuzzy_set_make(PLOY_FUZZY_RAMP, 0, 1, 0, 0);
    for (int32_t i = 0; i < count; i++) {
        char name[16], input_name[16], rule[64];
        snprintf(name, sizeof name, "s%d", i);
        snprintf(input_name, sizeof input_name, "in%d", i);
        snprintf(rule, sizeof rule, "if in%d is on then y is s%d", i, i);
        int32_t input = ploy_fuzzy_type_input(row->type, input_name, NULL);
        (void)ploy_fuzzy_type_term(row->type, input, "on", &identity);
        (void)ploy_fuzzy_type_term(row->type, output, name, &sets[i]);
        CHECK_OK(ploy_fuzzy_type_rule(row->type, block, rule, NULL));
    }
    CHECK_OK(ploy_fuzzy_type_finish(row->type, NULL));
    CHECK_OK(ploy_fuzzy_create(row->type, &env, &row->fuzzy));
}

static void row_close(row_system *row) {
    ploy_fuzzy_destroy(row->fuzzy);
    ploy_fuzzy_type_destroy(row->type);
}

static double row_centroid(row_system *row, const double *degrees) {
    for (int32_t i = 0; i < row->sets; i++) ploy_fuzzy_set_input(row->fuzzy, i, degrees[i]);
    ploy_fuzzy_step(row->fuzzy, NULL);
    return ploy_fuzzy_output(row->fuzzy, 0);
}

// The obvious way: every sample of the joined conclusions. *area tells whether there is anything.
static double row_by_samples(const row_system *row, double *area) {
    double moment = 0.0, width = (row->def.max - row->def.min) / row->def.samples;
    *area = 0.0;
    for (int32_t i = 0; i < row->def.samples; i++) {
        double x = row->def.min + (i + 0.5) * width, y = ployi_fuzzy_conclusion(row->fuzzy, 0, x);
        *area += y;
        moment += y * x;
    }
    return moment / *area;
}

// Sets side by side, told from left to right by their corners, which grow; neighbours overlap from
// top to top at most, if `apart`. Else corners come as they come.
static void row_draw(ploy_rng *rng, bool apart, ploy_fuzzy_set *sets) {
    double corner[2 * ROW_SETS + 2], at = (double)ploy_rng_range(rng, -3.0f, 3.0f);
    for (size_t i = 0; i < COUNT_OF(corner); i++) {
        at += ploy_rng_chance(rng, 0.2f) ? 0.0 : (double)ploy_rng_range(rng, 0.01f, 2.0f);
        corner[i] = at;
    }
    for (int32_t i = 0; i < ROW_SETS; i++) {
        // The top is [c1, c2]; the feet stand on the tops of the neighbours.
        const double *c = &corner[2 * i];
        double left = c[0], right = c[3];
        if (!apart) {
            left -= (double)ploy_rng_range(rng, 0.0f, 4.0f);
            right += (double)ploy_rng_range(rng, 0.0f, 4.0f);
        }
        sets[i] = ploy_rng_chance(rng, 0.5f)
                      ? ploy_fuzzy_triangle(left, 0.5 * (c[1] + c[2]), right)
                      : ploy_fuzzy_set_make(PLOY_FUZZY_TRAPEZOID, left, c[1], c[2], right);
        if (ploy_rng_chance(rng, 0.2f)) sets[i].height = (double)ploy_rng_range(rng, 0.1f, 1);
    }
    ploy_rng_shuffle(rng, sets, ROW_SETS, sizeof *sets); // declared in any order
}

TEST(centroids_of_rows_and_of_any_sets_are_those_of_their_samples) {
    ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
    int32_t seen = 0;
    for (int32_t round = 0; round < test_rounds(400); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_fuzzy_set sets[ROW_SETS];
        row_draw(&rng, ploy_rng_chance(&rng, 0.8f), sets);
        def.min = (double)ploy_rng_range(&rng, -4.0f, 1.0f);
        def.max = def.min + (double)ploy_rng_range(&rng, 1.0f, 20.0f);
        def.samples = ploy_rng_int(&rng, 1, ploy_rng_chance(&rng, 0.2f) ? 600 : 150);
        row_system row;
        row_open(t, &row, sets, ROW_SETS, &def,
                 ploy_rng_chance(&rng, 0.8f) ? PLOY_FUZZY_MINIMUM : PLOY_FUZZY_ALGEBRAIC_PRODUCT);
        for (int32_t k = 0; k < 20; k++) {
            double degrees[ROW_SETS], area;
            for (int32_t i = 0; i < ROW_SETS; i++) {
                int32_t kind = ploy_rng_int(&rng, 0, 5);
                degrees[i] = kind == 0   ? 0.0
                             : kind == 1 ? 1.0
                             : kind == 2 ? 0.5 // the same for several
                                         : ploy_rng_double(&rng);
            }
            double centroid = row_centroid(&row, degrees), want = row_by_samples(&row, &area);
            if (!(area > 1e-6)) continue;
            seen++;
            CHECK_NEAR(centroid, want, 1e-9);
        }
        row_close(&row);
    }
    CHECK(seen > test_rounds(400) * 10);
}

TEST(a_row_bears_degrees_that_are_tiny_or_above_its_sets) {
    static const double rows[][3] = {
        {1e-5, 2e-5, 1e-5}, {1.0, 1e-5, 0.0}, {0.0, 1.0, 0.0}, {1.0, 1.0, 1.0}, {2e-6, 0.0, 1.0}};
    const ploy_fuzzy_set sets[3] = {ploy_fuzzy_triangle(-5, 0, 5), ploy_fuzzy_triangle(0, 5, 10),
                                    ploy_fuzzy_triangle(5, 10, 15)};
    ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
    def.min = 0.0;
    def.max = 10.0;
    static const int32_t samples[] = {1, 2, 3, 100, 101, 5000};
    for (size_t i = 0; i < COUNT_OF(samples); i++) {
        row_system row;
        def.samples = samples[i];
        row_open(t, &row, sets, 3, &def, PLOY_FUZZY_MINIMUM);
        for (size_t k = 0; k < COUNT_OF(rows); k++) {
            double area, centroid = row_centroid(&row, rows[k]);
            double want = row_by_samples(&row, &area);
            if (area > 0.0) CHECK_NEAR(centroid, want, 1e-7);
        }
        row_close(&row);
    }
}
