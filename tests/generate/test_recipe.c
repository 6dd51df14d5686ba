// Recipes: reading with positions, keys of stages, slices, kept stages.
#include "ploy/base/alloc.h"
#include "ploy/generate/recipe.h"
#include "ploy/generate/scatter.h"
#include "tests/test.h"

#include <string.h>

static const char village[] =
    "[\n"
    "  // houses first\n"
    "  { \"generator\": \"scatter\", \"set\": { \"radius_min\": 3, \"radius_max\": 4,"
    " \"max_points\": 6 } },\n"
    "  { \"generator\": \"scatter\", \"set\": { \"radius_min\": 0.5, \"radius_max\": 0.5,"
    " \"separation\": 2 } },\n"
    "]\n";

static ploy_recipe *load(test_context *t, const char *text) {
    ploy_env env = ploy_env_default();
    ploy_recipe *recipe = NULL;
    CHECK_OK(ploy_recipe_load(text, strlen(text), "village.json", &env, NULL, &recipe));
    return recipe;
}

static void run_to_end(test_context *t, ploy_recipe_run *run, const ploy_recipe *recipe,
                       int64_t slice) {
    ploy_recipe_run_begin(run, recipe, ploy_rng_key_make(5), NULL);
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(slice);
        result = ploy_recipe_run_step(run, &budget);
    }
    CHECK_OK(result);
}

static uint64_t hash_of(const ploy_recipe_run *run) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_recipe_run_describe(run, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(stages_build_on_each_other) {
    ploy_env env = ploy_env_default();
    ploy_recipe *recipe = load(t, village);
    CHECK_INT(ploy_recipe_count(recipe), 2);
    ploy_recipe_run *run = NULL;
    CHECK_OK(ploy_recipe_run_create(&env, &run));
    run_to_end(t, run, recipe, PLOY_BUDGET_UNLIMITED);
    uint64_t hash = hash_of(run);
    ploy_content first = ploy_recipe_run_content(run, 0), last = ploy_recipe_run_content(run, -1);
    CHECK_INT(first.point_count, 6);
    CHECK(last.point_count > 50);
    for (int32_t i = 0; i < 6; i++) CHECK_SAME(last.points[i].radius, first.points[i].radius);
    CHECK_INT(last.kinds, PLOY_CONTENT_POINTS);
    ploy_generate_outcome outcome = ploy_recipe_run_outcome(run);
    CHECK(outcome.done && outcome.partial); // the houses stop at max_points
    CHECK_TEXT(outcome.limit, "max_points");
    for (int64_t slice = 1; slice <= 7; slice += 6) {
        ploy_recipe_run *sliced = NULL;
        CHECK_OK(ploy_recipe_run_create(&env, &sliced));
        run_to_end(t, sliced, recipe, slice);
        CHECK_UINT(hash_of(sliced), hash);
        ploy_recipe_run_destroy(sliced);
    }
    ploy_recipe_run_destroy(run);
    ploy_recipe_destroy(recipe);
}

TEST(unchanged_stages_are_kept) {
    ploy_env env = ploy_env_default();
    ploy_recipe *recipe = load(t, village);
    ploy_recipe_run *run = NULL;
    CHECK_OK(ploy_recipe_run_create(&env, &run));
    run_to_end(t, run, recipe, 100);
    CHECK_INT(ploy_recipe_run_kept(run), 0);
    void *houses = ploy_recipe_run_at(run, 0).self;
    uint64_t hash = hash_of(run);
    run_to_end(t, run, recipe, 100);
    CHECK_INT(ploy_recipe_run_kept(run), 2);
    CHECK_UINT(hash_of(run), hash);
    // A change of the second stage keeps the first.
    ploy_fields fields = ploy_recipe_type_at(recipe, 1)->fields();
    CHECK_OK(
        ploy_fields_set_text(fields, ploy_recipe_def_at(recipe, 1), "radius_max", "0.75", NULL));
    run_to_end(t, run, recipe, 100);
    CHECK_INT(ploy_recipe_run_kept(run), 1);
    CHECK(ploy_recipe_run_at(run, 0).self == houses);
    CHECK(hash_of(run) != hash);
    // Back again: the same as from the start.
    CHECK_OK(
        ploy_fields_set_text(fields, ploy_recipe_def_at(recipe, 1), "radius_max", "0.5", NULL));
    run_to_end(t, run, recipe, 100);
    CHECK_UINT(hash_of(run), hash);
    // A change of the first stage keeps nothing.
    CHECK_OK(ploy_fields_set_text(fields, ploy_recipe_def_at(recipe, 0), "max_points", "5", NULL));
    run_to_end(t, run, recipe, 100);
    CHECK_INT(ploy_recipe_run_kept(run), 0);
    // Another recipe, and another key.
    ploy_recipe *shorter = load(t, "[{\"generator\": \"scatter\", \"set\": {\"radius_min\": 3, "
                                   "\"radius_max\": 4, \"max_points\": 5}}]");
    run_to_end(t, run, shorter, 100);
    CHECK_INT(ploy_recipe_run_kept(run), 1);
    CHECK_INT(ploy_recipe_run_count(run), 1);
    ploy_recipe_run_begin(run, shorter, ploy_rng_key_make(6), NULL);
    CHECK_INT(ploy_recipe_run_kept(run), 0);
    ploy_recipe_run_destroy(run);
    ploy_recipe_destroy(shorter);
    ploy_recipe_destroy(recipe);
}

TEST(a_new_stage_of_another_kind_changes_no_key) {
    ploy_recipe *a = load(t, village);
    ploy_recipe *b = load(t, "[{\"generator\": \"halton\"}, {\"generator\": \"scatter\"}, "
                             "{\"generator\": \"phyllotaxis\"}, {\"generator\": \"scatter\"}, "
                             "{\"generator\": \"scatter\", \"seed\": 0}]");
    ploy_rng_key key = ploy_rng_key_make(1);
    CHECK_UINT(ploy_recipe_key_at(b, key, 1).bits, ploy_recipe_key_at(a, key, 0).bits);
    CHECK_UINT(ploy_recipe_key_at(b, key, 3).bits, ploy_recipe_key_at(a, key, 1).bits);
    CHECK_UINT(ploy_recipe_key_at(b, key, 4).bits, ploy_recipe_key_at(a, key, 0).bits);
    CHECK(ploy_recipe_key_at(a, key, 0).bits != ploy_recipe_key_at(a, key, 1).bits);
    ploy_recipe_destroy(a);
    ploy_recipe_destroy(b);
}

TEST(what_is_saved_loads_again) {
    ploy_env env = ploy_env_default();
    ploy_recipe *recipe = load(t, village);
    ploy_buffer first, second;
    ploy_buffer *buffers[2] = {&first, &second};
    ploy_recipe *again = NULL;
    for (int32_t i = 0; i < 2; i++) {
        ploy_buffer_init(buffers[i], 1 << 20, &env);
        ploy_writer writer = ploy_buffer_writer(buffers[i]);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &writer, 0);
        ploy_recipe_save(i == 0 ? recipe : again, &json);
        CHECK_OK(ploy_json_writer_finish(&json));
        if (i == 0) {
            CHECK_OK(ploy_recipe_load(first.bytes, first.size, "saved", &env, NULL, &again));
        }
    }
    CHECK_INT(first.size, second.size);
    CHECK_BYTES(second.bytes, first.bytes, first.size);
    ploy_buffer_fini(&first);
    ploy_buffer_fini(&second);
    ploy_recipe_destroy(recipe);
    ploy_recipe_destroy(again);
}

TEST(faults_are_reported_where_they_are) {
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"{}", "f:1:1: error: a recipe has no stages; expected an array of stages"},
        {"[]", "f:1:1: error: a recipe has no stages; expected an array of stages"},
        {"[3]", "f:1:2: error: a stage is not an object; expected {\"generator\": ...}"},
        {"[{}]", "f:1:2: error: a stage needs a generator; expected \"generator\": a name as text"},
        {"[\n {\"generator\": \"scater\"}]",
         "f:2:16: error: unknown generator 'scater' (did you mean 'scatter'?)"},
        {"[{\"generator\": \"scatter\", \"seed\": -1}]",
         "f:1:35: error: invalid seed; expected a whole number from 0 on"},
    };
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ploy_diags_clear(diags);
        ploy_recipe *recipe = NULL;
        CHECK_INT(ploy_recipe_load(rows[i].text, strlen(rows[i].text), "f", &env, diags, &recipe),
                  PLOY_ERR_FORMAT);
        CHECK(recipe == NULL);
        char text[400];
        CHECK(ploy_diags_count(diags) > 0);
        ploy_diag_print(ploy_diags_get(diags, 0), text, sizeof text);
        CHECK_TEXT(text, rows[i].message);
    }
    // Several faults at once: a key, a setting and a value.
    const char *many = "[{\"generator\": \"scatter\", \"sede\": 1, \"set\": {\"radius\": 1, "
                       "\"tries\": 0}}]";
    ploy_diags_clear(diags);
    ploy_recipe *recipe = NULL;
    CHECK_INT(ploy_recipe_load(many, strlen(many), "f", &env, diags, &recipe), PLOY_ERR_FORMAT);
    CHECK_INT(ploy_diags_count(diags), 3);
    ploy_diags_destroy(diags);
}

static ploy_result load_and_run(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_recipe *recipe = NULL;
    ploy_result result = ploy_recipe_load(village, sizeof village - 1, "f", env, NULL, &recipe);
    if (result != PLOY_OK) return result;
    ploy_recipe_run *run = NULL;
    result = ploy_recipe_run_create(env, &run);
    if (result == PLOY_OK) {
        ploy_recipe_run_begin(run, recipe, ploy_rng_key_make(1), NULL);
        result = ploy_recipe_run_step(run, NULL);
    }
    ploy_recipe_run_destroy(run);
    ploy_recipe_destroy(recipe);
    return result;
}

TEST(recipes_survive_a_lack_of_memory) {
    CHECK_FAIL_NTH(load_and_run, NULL);
}

TEST(a_run_reports_its_memory) {
    ploy_counting_allocator counting;
    ploy_counting_allocator_init(&counting, NULL, true);
    ploy_env env = ploy_env_with_allocator(ploy_counting_allocator_get(&counting));
    ploy_recipe *recipe = load(t, village);
    ploy_recipe_run *run = NULL;
    CHECK_OK(ploy_recipe_run_create(&env, &run));
    CHECK_INT(ploy_recipe_run_step(run, NULL), PLOY_ERR_STATE);
    run_to_end(t, run, recipe, 50);
    int64_t bytes = 0;
    ploy_recipe_run_memory(run, test_sum_memory, &bytes);
    CHECK_INT(bytes, counting.live_bytes);
    ploy_recipe_run_destroy(run);
    ploy_recipe_destroy(recipe);
    CHECK(ploy_counting_allocator_fini(&counting));
}
