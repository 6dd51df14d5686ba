// Parameter search against worked numbers.
#include "learn_examples.h"

#include "ploy/learn/tune.h"
#include "tests/state.h"

static double parabola(void *user, const double *x, int32_t n) {
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++) sum -= (x[i] - *(double *)user) * (x[i] - *(double *)user);
    return sum;
}

static const double ridge[9] = {0, 1, 2, 3, 2.5, 3.5, 5, 4, 3};
static double on_ridge(void *user, const double *x, int32_t n) {
    (void)user, (void)n;
    return ridge[(int32_t)(x[0] + 0.5)];
}

static const ploy_tune_range line = {-100.0, 100.0, 1.0, 0.0};

// Runs to the end, noting where each step stands.
static int32_t walk(test_context *t, const ploy_tune_def *def, const ploy_tune_range *range,
                    ploy_tune_fn fn, void *user, double *trace, int32_t room) {
    ploy_env env = ploy_env_default();
    ploy_tune *tune = NULL;
    CHECK_OK(ploy_tune_create(def, range, 1, &env, &tune));
    int32_t count = 0;
    for (;;) {
        int32_t points = 0;
        const double *asked = ploy_tune_ask(tune, &points);
        double at = ploy_tune_at(tune)[0];
        if ((count == 0 || trace[count - 1] != at) && count < room) trace[count++] = at;
        if (asked == NULL) break;
        double scores[16];
        for (int32_t i = 0; i < points; i++) scores[i] = fn(user, asked + i, 1);
        CHECK_OK(ploy_tune_tell(tune, scores));
    }
    CHECK_TEXT(ploy_tune_outcome_of(tune).reason, "optimum");
    ploy_tune_destroy(tune);
    return count;
}

TEST(climbing_goes_straight_up) {
    ploy_tune_def def = ploy_tune_def_default();
    double top = 3.0, trace[16];
    for (int32_t first = 0; first < 2; first++) {
        def.method = first == 1 ? PLOY_TUNE_FIRST : PLOY_TUNE_STEEPEST;
        CHECK_INT(walk(t, &def, &line, parabola, &top, trace, 16), 4);
        for (int32_t i = 0; i < 4; i++) CHECK_SAME(trace[i], i);
    }
}

TEST(momentum_passes_small_dips) {
    static const struct {
        const char *row;
        double momentum;
        int32_t count;
        double last;
    } rows[] = {{"0", 0.0, 4, 3},   {"0.25", 0.25, 4, 3}, {"0.5", 0.5, 4, 3},
                {"0.6", 0.6, 7, 6}, {"0.75", 0.75, 9, 6}, {"0.9", 0.9, 9, 6}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_tune_def def = ploy_tune_def_default();
        def.momentum = rows[i].momentum;
        ploy_tune_range range = {0, 8, 1, 0};
        double trace[32];
        CHECK_INT(walk(t, &def, &range, on_ridge, NULL, trace, 32), rows[i].count);
        CHECK_SAME(trace[rows[i].count - 1], rows[i].last);
        if (rows[i].count == 9) CHECK_SAME(trace[7], 7.0); // overshoots
    }
}

TEST(adaptive_steps_land_on_the_top) {
    double top = 3.3;
    for (double least = 0.1; least > 1e-6; least *= 0.1) {
        ploy_tune_def def = ploy_tune_def_default();
        def.adaptive = true;
        def.step_up = 1.0;
        def.min_step = least;
        double trace[256];
        int32_t count = walk(t, &def, &line, parabola, &top, trace, 256);
        CHECK_NEAR(trace[count - 1], 3.3, least);
    }
}

TEST(several_starts_find_the_higher_peak) {
    // Two peaks: the nearer one is lower.
    ploy_env env = ploy_env_default();
    for (int32_t spread = 0; spread < 3; spread++) {
        ploy_tune_def def = ploy_tune_def_default();
        def.starts = 9;
        def.spread = (ploy_tune_starts)spread;
        ploy_tune_range range = {0, 8, 1, 0};
        ploy_tune *tune = NULL;
        CHECK_OK(ploy_tune_create(&def, &range, 1, &env, &tune));
        CHECK_OK(ploy_tune_step(tune, on_ridge, NULL, NULL));
        ploy_tune_outcome outcome = ploy_tune_outcome_of(tune);
        CHECK(outcome.done);
        CHECK_SAME(outcome.best, 5.0);
        CHECK_INT((int32_t)(ploy_tune_best(tune)[0] + 0.5), 6);
        ploy_tune_destroy(tune);
    }
}

TEST(searches_stop_when_told) {
    static const struct {
        const char *reason;
        int32_t evaluations, steps;
        bool target;
    } rows[] = {
        {"evaluations", 5, 1000, false}, {"steps", 1000, 2, false}, {"target", 1000, 1000, true}};
    double top = 50.0;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].reason;
        ploy_env env = ploy_env_default();
        ploy_tune_def def = ploy_tune_def_default();
        def.max_evaluations = rows[i].evaluations;
        def.max_steps = rows[i].steps;
        def.has_target = rows[i].target;
        def.target = -1600.0;
        ploy_tune *tune = NULL;
        CHECK_OK(ploy_tune_create(&def, &line, 1, &env, &tune));
        ploy_budget budget = ploy_budget_units(3);
        CHECK_INT(ploy_tune_step(tune, parabola, &top, &budget), PLOY_IN_PROGRESS);
        CHECK_OK(ploy_tune_step(tune, parabola, &top, NULL));
        CHECK_TEXT(ploy_tune_outcome_of(tune).reason, rows[i].reason);
        if (rows[i].target) CHECK(ploy_tune_outcome_of(tune).best >= -1600.0);
        CHECK_INT(ploy_tune_tell(tune, &top), PLOY_ERR_STATE);
        ploy_tune_destroy(tune);
    }
}

// Three points in a row: 20, 0 and 39; the search stands in the middle.
static double saddle(void *user, const double *x, int32_t n) {
    (void)user, (void)n;
    return x[0] < 0.5 ? 20.0 : x[0] < 1.5 ? 0.0 : 39.0;
}

static double share_of_lower(test_context *t, double temperature, int32_t rounds) {
    int32_t lower = 0;
    for (int32_t i = 0; i < rounds; i++) {
        ploy_env env = ploy_env_default();
        ploy_tune_def def = ploy_tune_def_default();
        def.method = PLOY_TUNE_DIRECT;
        def.temperature = temperature;
        def.max_steps = 1;
        def.seed = (uint64_t)i;
        ploy_tune_range range = {0, 2, 1, 1};
        ploy_tune *tune = NULL;
        CHECK_OK(ploy_tune_create(&def, &range, 1, &env, &tune));
        CHECK_OK(ploy_tune_step(tune, saddle, NULL, NULL));
        lower += ploy_tune_at(tune)[0] < 0.5;
        ploy_tune_destroy(tune);
    }
    return (double)lower / rounds;
}

TEST(direct_annealing_takes_the_lower_one_as_often_as_computed) {
    CHECK_SAME(share_of_lower(t, 1.0, 500), 0.0);
    CHECK_NEAR(share_of_lower(t, 10.0, 2000), 4.1667e-6, 1e-3);
    // Between the two alone it would be 0.37546 at 100; 0.35096 also beat the incumbent's 0.
    double want = 0.35096, sigma = sqrt(want * (1.0 - want) / 4000.0);
    CHECK_NEAR(share_of_lower(t, 100.0, 4000), want, 4.0 * sigma);
}

// A step down costs `user`; there is no way up.
static double slope(void *user, const double *x, int32_t n) {
    (void)n;
    return -x[0] * *(double *)user;
}

TEST(boltzmann_takes_worse_points_as_often_as_computed) {
    static const struct {
        double loss, temperature, want;
    } rows[] = {{1, 1, 0.367879},
                {1, 10, 0.904837},
                {19, 10, 0.149569},
                {19, 100, 0.826959},
                {19, 1, 5.6e-9}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int32_t rounds = test_rounds(1) == 1 ? 4000 : 1000000, taken = 0;
        for (int32_t k = 0; k < rounds; k++) {
            ploy_env env = ploy_env_default();
            ploy_tune_def def = ploy_tune_def_default();
            def.method = PLOY_TUNE_BOLTZMANN;
            def.temperature = rows[i].temperature;
            def.max_steps = 1;
            def.seed = (uint64_t)k;
            ploy_tune_range range = {0, 1, 1, 0};
            ploy_tune *tune = NULL;
            double loss = rows[i].loss;
            CHECK_OK(ploy_tune_create(&def, &range, 1, &env, &tune));
            CHECK_OK(ploy_tune_step(tune, slope, &loss, NULL));
            taken += ploy_tune_at(tune)[0] > 0.5;
            ploy_tune_destroy(tune);
        }
        double sigma = sqrt(rows[i].want * (1.0 - rows[i].want) / rounds);
        CHECK_NEAR((double)taken / rounds, rows[i].want, 4.0 * sigma + 1e-6);
    }
}

TEST(cooling_ends_annealing_and_the_best_is_kept) {
    for (int32_t linear = 0; linear < 2; linear++) {
        for (int32_t method = PLOY_TUNE_DIRECT; method <= PLOY_TUNE_BOLTZMANN; method++) {
            ploy_env env = ploy_env_default();
            ploy_tune_def def = ploy_tune_def_default();
            def.method = (ploy_tune_method)method;
            def.schedule = linear == 1 ? PLOY_TUNE_LINEAR : PLOY_TUNE_GEOMETRIC;
            def.temperature = 4.0;
            def.starts = 4;
            def.random_order = true; // trying "minus" first would drift to the left
            def.cooling = linear == 1 ? 0.01 : 0.95;
            ploy_tune_range range = {0, 8, 1, 0};
            ploy_tune *tune = NULL;
            CHECK_OK(ploy_tune_create(&def, &range, 1, &env, &tune));
            CHECK_OK(ploy_tune_step(tune, on_ridge, NULL, NULL));
            CHECK_TEXT(ploy_tune_outcome_of(tune).reason, "cold");
            CHECK_SAME(ploy_tune_outcome_of(tune).best, 5.0);
            ploy_tune_destroy(tune);
        }
    }
}

typedef struct noisy {
    ploy_rng rng;
    double top;
} noisy;

static double noisy_bowl(void *user, const double *x, int32_t n) {
    noisy *s = user;
    double energy = 0.0;
    for (int32_t i = 0; i < n; i++) energy += (x[i] - s->top) * (x[i] - s->top);
    return energy + 0.5 * (double)ploy_rng_normal(&s->rng);
}

TEST(noise_is_borne) {
    ploy_env env = ploy_env_default();
    static const ploy_tune_method methods[] = {PLOY_TUNE_STEEPEST, PLOY_TUNE_SPSA, PLOY_TUNE_CMA};
    for (size_t m = 0; m < COUNT_OF(methods); m++) {
        noisy s = {ploy_rng_make(3), 2.0};
        ploy_tune_def def = ploy_tune_def_default();
        def.minimise = true;
        def.method = methods[m];
        def.reevaluate = methods[m] == PLOY_TUNE_STEEPEST;
        def.repeats = methods[m] == PLOY_TUNE_STEEPEST ? 4 : 1;
        def.max_evaluations = 2000;
        def.max_steps = 400;
        ploy_tune_range ranges[4];
        for (int32_t i = 0; i < 4; i++) {
            ploy_tune_range range = {-10, 10, 0.5, -4};
            ranges[i] = range;
        }
        ploy_tune *tune = NULL;
        CHECK_OK(ploy_tune_create(&def, ranges, 4, &env, &tune));
        CHECK_OK(ploy_tune_step(tune, noisy_bowl, &s, NULL));
        for (int32_t i = 0; i < 4; i++) CHECK_NEAR(ploy_tune_at(tune)[i], 2.0, 1.0);
        ploy_tune_destroy(tune);
    }
}

// The best place moves at the 60th evaluation, and there scores are lower than they were before.
typedef struct drifting {
    int32_t calls;
} drifting;

static double drifting_hill(void *user, const double *x, int32_t n) {
    drifting *s = user;
    (void)n;
    bool late = s->calls++ >= 60;
    double top = late ? 8.0 : 2.0, height = late ? 5.0 : 20.0;
    return height - fabs(x[0] - top);
}

TEST(a_search_that_scores_again_follows_a_drift) {
    ploy_env env = ploy_env_default();
    for (int32_t again = 0; again < 2; again++) {
        drifting s = {0};
        ploy_tune_def def = ploy_tune_def_default();
        def.reevaluate = again == 1;
        def.adaptive = true; // so that it tries on at the top, with smaller steps
        def.step_up = 2.0;
        def.min_step = 1e-9;
        def.max_evaluations = 400;
        ploy_tune *tune = NULL;
        CHECK_OK(ploy_tune_create(&def, &line, 1, &env, &tune));
        CHECK_OK(ploy_tune_step(tune, drifting_hill, &s, NULL));
        double at = ploy_tune_at(tune)[0];
        CHECK(s.calls > 60); // it has seen the drift
        if (again == 1) CHECK_NEAR(at, 8.0, 0.1);
        if (again == 0) CHECK_NEAR(at, 2.0, 0.1); // what it scored once beats all that comes
        ploy_tune_destroy(tune);
    }
}

static double rosenbrock(void *user, const double *x, int32_t n) {
    ++*(int64_t *)user;
    double sum = 0.0;
    for (int32_t i = 0; i + 1 < n; i++) {
        double across = x[i + 1] - x[i] * x[i], along = 1.0 - x[i];
        sum += 100.0 * across * across + along * along;
    }
    return sum;
}

// Axes of a thousandfold different length, turned by 45 degrees.
static double cigar(void *user, const double *x, int32_t n) {
    ++*(int64_t *)user;
    double sum = 0.0;
    for (int32_t i = 0; i + 1 < n; i += 2) {
        double a = x[i] + x[i + 1], b = x[i] - x[i + 1];
        sum += a * a + 1e6 * b * b;
    }
    return sum;
}

TEST(cma_follows_curved_and_turned_ridges) {
    enum { SEEDS = 60 };
    // Rosenbrock in 8 has a second, local minimum of 3.9859, where one start may end. More starts
    // leave it.
    static const double second = 3.98589;
    static const struct {
        const char *row;
        ploy_tune_fn fn;
        int32_t parameters, starts, stray; // seeds that may end in the second minimum
        int64_t evaluations;               // at most, for a score of 1e-8
    } rows[] = {{"cigar", cigar, 4, 1, 0, 4000},
                {"rosenbrock in 2", rosenbrock, 2, 1, 0, 1300},
                {"rosenbrock in 8", rosenbrock, 8, 1, 3, 8000},
                {"rosenbrock in 8, four starts", rosenbrock, 8, 4, 0, 16000}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        int32_t strayed = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            t->seed = seed;
            ploy_tune_def def = ploy_tune_def_default();
            def.method = PLOY_TUNE_CMA;
            def.minimise = def.has_target = true;
            def.target = 1e-8;
            def.sigma = 1.0;
            def.min_step = 1e-9;
            def.starts = rows[i].starts;
            def.max_evaluations = (int32_t)rows[i].evaluations;
            def.seed = seed;
            ploy_tune_range ranges[8];
            for (int32_t k = 0; k < 8; k++) {
                ploy_tune_range range = {-5, 5, 0.5, k % 2 == 0 ? -1 : 2};
                ranges[k] = range;
            }
            ploy_tune *tune = NULL;
            int64_t evaluations = 0;
            CHECK_OK(ploy_tune_create(&def, ranges, rows[i].parameters, &env, &tune));
            CHECK_OK(ploy_tune_step(tune, rows[i].fn, &evaluations, NULL));
            ploy_tune_outcome outcome = ploy_tune_outcome_of(tune);
            CHECK_INT(outcome.evaluations, evaluations);
            CHECK_INT(outcome.best <= 1e-8, strcmp(outcome.reason, "target") == 0);
            if (outcome.best > 1e-8) {
                CHECK_NEAR(outcome.best, second, 1e-4); // not somewhere on the slope
                strayed++;
            }
            ploy_tune_destroy(tune);
        }
        CHECK(strayed <= rows[i].stray);
    }
}

TEST(cma_ends_when_narrow_and_keeps_within_the_ranges) {
    ploy_env env = ploy_env_default();
    ploy_tune_def def = ploy_tune_def_default();
    def.method = PLOY_TUNE_CMA;
    def.population = 1; // fewer than 4 cannot learn a shape
    ploy_tune_range ranges[2] = {{0, 1, 0.05, 0.5}, {2, 2, 1, 2}};
    double top = 3.0; // outside: the best point is at the edge
    ploy_tune *tune = NULL;
    CHECK_OK(ploy_tune_create(&def, ranges, 2, &env, &tune));
    int32_t count = 0;
    const double *points = ploy_tune_ask(tune, &count);
    CHECK_INT(count, 1); // the start
    double scores[4] = {parabola(&top, points, 2)};
    CHECK_OK(ploy_tune_tell(tune, scores));
    while ((points = ploy_tune_ask(tune, &count)) != NULL) {
        CHECK_INT(count, 4);
        for (int32_t i = 0; i < count; i++) {
            CHECK(points[2 * i] >= 0.0 && points[2 * i] <= 1.0);
            CHECK_SAME(points[2 * i + 1], 2.0);
            scores[i] = parabola(&top, points + (size_t)i * 2, 2);
        }
        CHECK_OK(ploy_tune_tell(tune, scores));
    }
    CHECK_TEXT(ploy_tune_outcome_of(tune).reason, "optimum");
    CHECK_NEAR(ploy_tune_best(tune)[0], 1.0, 1e-3);
    ploy_tune_destroy(tune);
}

static double jumble(void *user, const double *x, int32_t n) {
    (void)user, (void)n;
    return ploy_rng_double(
        &(ploy_rng){ploy_rng_make((uint64_t)(x[0] * 8.0 + 1000.0)).key, 0, 0, {0, 0, 0, 0}, 0, 0});
}

TEST(ruggedness_tells_smooth_from_random) {
    ploy_env env = ploy_env_default();
    double top = 60.0, ruggedness[2];
    for (int32_t rough = 0; rough < 2; rough++) {
        ploy_tune_def def = ploy_tune_def_default();
        def.starts = 100;
        ploy_tune *tune = NULL;
        CHECK_OK(ploy_tune_create(&def, &line, 1, &env, &tune));
        CHECK_OK(ploy_tune_step(tune, rough == 1 ? jumble : parabola, &top, NULL));
        ruggedness[rough] = ploy_tune_outcome_of(tune).ruggedness;
        ploy_tune_destroy(tune);
    }
    CHECK(ruggedness[0] < 0.05);
    CHECK(ruggedness[1] > 0.4);
}

TEST(memo_saves_evaluations_and_changes_nothing) {
    ploy_env env = ploy_env_default();
    double best[2][2], top = 7.0;
    int64_t evaluations[2];
    for (int32_t memo = 0; memo < 2; memo++) {
        ploy_tune_def def = ploy_tune_def_default();
        def.memo = memo == 1;
        def.momentum = 0.5;
        ploy_tune_range ranges[2] = {{-20, 20, 1, 0}, {-20, 20, 1, 3}};
        ploy_tune *tune = NULL;
        CHECK_OK(ploy_tune_create(&def, ranges, 2, &env, &tune));
        CHECK_OK(ploy_tune_step(tune, parabola, &top, NULL));
        ploy_tune_outcome outcome = ploy_tune_outcome_of(tune);
        evaluations[memo] = outcome.evaluations;
        CHECK_INT(outcome.saved > 0, memo);
        memcpy(best[memo], ploy_tune_best(tune), sizeof best[memo]);
        ploy_tune_destroy(tune);
    }
    CHECK(evaluations[1] < evaluations[0]);
    CHECK_SAME(best[0][0], best[1][0]);
    CHECK_SAME(best[0][1], best[1][1]);
}

TEST(a_checkpoint_goes_on_to_the_same_bits) {
    double top = 4.2;
    for (int32_t method = PLOY_TUNE_STEEPEST; method <= PLOY_TUNE_CMA; method++) {
        test_counts counts;
        ploy_env env = test_counting_env(&counts);
        ploy_tune_def def = ploy_tune_def_default();
        def.method = (ploy_tune_method)method;
        def.max_evaluations = 300;
        def.max_steps = 100;
        def.starts = 3;
        def.adaptive = def.random_order = true;
        def.memo = method < PLOY_TUNE_SPSA;
        ploy_tune_range ranges[2] = {{-9, 9, 1, 0}, {-9, 9, 0.5, 3}};
        ploy_tune *a = NULL, *b = NULL, *whole = NULL;
        CHECK_OK(ploy_tune_create(&def, ranges, 2, &env, &whole));
        CHECK_OK(ploy_tune_step(whole, parabola, &top, NULL));
        for (int64_t units = 0; units < 60; units += 11) {
            CHECK_OK(ploy_tune_create(&def, ranges, 2, &env, &a));
            CHECK_OK(ploy_tune_create(&def, ranges, 2, &env, &b));
            ploy_budget budget = ploy_budget_units(units);
            (void)ploy_tune_step(a, parabola, &top, &budget);
            state_check s = {ploy_tune_visit, a, NULL, NULL, NULL};
            state_check_cover(t, &s);
            if (units == 22) state_check_files(t, &s);
            state_check_copy(t, &s, b);
            CHECK_OK(ploy_tune_step(b, parabola, &top, NULL));
            CHECK_UINT(ploy_visit_hash(ploy_tune_visit, b, NULL),
                       ploy_visit_hash(ploy_tune_visit, whole, NULL));
            ploy_tune_destroy(a);
            ploy_tune_destroy(b);
        }
        ploy_tune_destroy(whole);
        CHECK_INT(counts.bytes, 0);
    }
}

// A parabola with holes: not a number, infinite or very large in every fifth point.
static double with_holes(void *user, const double *x, int32_t n) {
    static const double odd[] = {NAN, INFINITY, -INFINITY, 1.7e308, -1.7e308};
    int32_t *calls = user, call = (*calls)++;
    double top = 3.0;
    return call % 5 == 4 ? odd[call / 5 % 5] : parabola(&top, x, n);
}

TEST(odd_scores_leave_a_search_sound) {
    static const ploy_tune_range ranges[2] = {{-10, 10, 0.5, 0}, {-5, 50, 1, 2}};
    for (int32_t method = PLOY_TUNE_STEEPEST; method <= PLOY_TUNE_CMA; method++) {
        for (int32_t variant = 0; variant < 4; variant++) {
            static const char *const rows[] = {"steepest",  "first", "direct",
                                               "boltzmann", "spsa",  "cma"};
            t->row = rows[method];
            ploy_env env = ploy_env_default();
            ploy_tune_def def = ploy_tune_def_default();
            def.method = (ploy_tune_method)method;
            def.max_evaluations = 120;
            def.temperature = 2.0;
            def.min_temperature = 0.01;
            def.minimise = variant % 2 == 1;
            def.adaptive = def.accumulate = def.memo = variant / 2 == 1;
            def.momentum = variant / 2 == 1 ? 0.9 : 0.0;
            def.starts = 20;
            def.seed = 5;
            ploy_tune *tune = NULL, *other = NULL;
            CHECK_OK(ploy_tune_create(&def, ranges, 2, &env, &tune));
            CHECK_OK(ploy_tune_create(&def, ranges, 2, &env, &other));
            int32_t calls = 0, count = 0;
            const double *points;
            while ((points = ploy_tune_ask(tune, &count)) != NULL) {
                double scores[64];
                CHECK(count <= 64);
                for (int32_t i = 0; i < count; i++) {
                    for (int32_t k = 0; k < 2; k++) {
                        double value = points[2 * i + k];
                        CHECK(value >= ranges[k].min && value <= ranges[k].max); // no NaN
                    }
                    scores[i] = with_holes(&calls, points + (size_t)i * 2, 2);
                }
                CHECK_OK(ploy_tune_tell(tune, scores));
                state_check s = {ploy_tune_visit, tune, NULL, NULL, NULL};
                state_check_copy(t, &s, other);
            }
            double rugged = ploy_tune_outcome_of(tune).ruggedness;
            CHECK(rugged >= 0.0 && rugged <= 2.0);
            ploy_tune_destroy(tune);
            ploy_tune_destroy(other);
        }
    }
}

TEST(a_checkpoint_with_a_point_out_of_range_is_refused) {
    static const ploy_tune_range ranges[2] = {{1, 4, 0.5, 3}, {1, 4, 0.5, 3}};
    static const char *const lists[] = {"\"point\":[", "\"best\":[", "\"candidates\":["};
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_tune_def def = ploy_tune_def_default();
    ploy_tune *tune = NULL;
    CHECK_OK(ploy_tune_create(&def, ranges, 2, &env, &tune));
    int32_t count = 0;
    double scores[16] = {0};
    CHECK(ploy_tune_ask(tune, &count) != NULL);
    CHECK_OK(ploy_tune_tell(tune, scores));
    CHECK(ploy_tune_ask(tune, &count) != NULL); // the neighbours are candidates now
    state_check s = {ploy_tune_visit, tune, NULL, NULL, NULL};
    uint64_t hash = state_hash(&s);
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        t->row = lists[i];
        char *text = state_save(t, &s);
        char *value = strstr(text, lists[i]);
        CHECK(value != NULL);
        value[strlen(lists[i])] = '0'; // a number of one digit, or the first one of 2.5
        CHECK_INT(state_load(&s, text, &env, NULL), PLOY_ERR_FORMAT);
        CHECK_UINT(state_hash(&s), hash);
        free(text);
    }
    ploy_tune_destroy(tune);
}

TEST(fields_become_ranges) {
    ploy_fields fields = ploy_tune_fields();
    ploy_tune_def def = ploy_tune_def_default();
    ploy_tune_range range;
    CHECK_OK(ploy_tune_range_of(fields, &def, "momentum", &range));
    CHECK_SAME(range.max, 0.999);
    CHECK_OK(ploy_tune_range_of(fields, &def, "method", &range));
    CHECK_SAME(range.step, 1.0);
    CHECK_INT(ploy_tune_range_of(fields, &def, "momentun", &range), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_tune_range_of(fields, &def, "seed", &range), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_tune_apply(fields, &def, "momentum", 0.25));
    CHECK_SAME(def.momentum, 0.25);
    CHECK_OK(ploy_tune_apply(fields, &def, "starts", 3.6));
    CHECK_INT(def.starts, 4);
    CHECK_OK(ploy_tune_apply(fields, &def, "method", 2.2));
    CHECK_INT(def.method, PLOY_TUNE_DIRECT);
}

static ploy_result tune_once(const ploy_env *env, void *arg) {
    ploy_tune_def def = ploy_tune_def_default();
    def.memo = true;
    def.method = PLOY_TUNE_CMA;
    ploy_tune *tune = NULL;
    ploy_result result = ploy_tune_create(&def, &line, 1, env, &tune);
    if (result == PLOY_OK) result = ploy_tune_step(tune, parabola, arg, NULL);
    ploy_tune_destroy(tune);
    return result;
}

TEST(bad_ranges_are_refused_and_memory_may_fail) {
    double top = 3.0;
    CHECK_FAIL_NTH(tune_once, &top);
    ploy_env env = ploy_env_default();
    ploy_tune_def def = ploy_tune_def_default();
    ploy_tune *tune = NULL;
    ploy_tune_range rows[] = {{1, 0, 1, 0}, {0, 1, 0, 0}, {0, 1, 1, 2}, {0, NAN, 1, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK_INT(ploy_tune_create(&def, &rows[i], 1, &env, &tune), PLOY_ERR_ARGUMENT);
    }
    CHECK_INT(ploy_tune_create(&def, &line, 0, &env, &tune), PLOY_ERR_ARGUMENT);
}
