// Recipes: a village in two stages from JSON. You will see that an edit of the second stage keeps
// the first, and what a fault in the file looks like. Shows ploy/generate/recipe.h.
#include <stdio.h>
#include <string.h>

#include "ploy/ploy.h"

static const char village[] =
    "[ { \"generator\": \"scatter\", \"set\": { \"radius_min\": 3, \"radius_max\": 4,\n"
    "                                      \"separation\": 6, \"max_points\": 8 } },\n"
    "  { \"generator\": \"scatter\", \"set\": { \"radius_min\": 0.5, \"radius_max\": 0.8 } } ]";

static void show(ploy_recipe_run *run, const ploy_recipe *recipe) {
    ploy_recipe_run_begin(run, recipe, ploy_rng_key_make(5), NULL);
    if (ploy_recipe_run_step(run, NULL) != PLOY_OK) return;
    printf("kept %d of %d stages: %d houses, %d things in all\n", (int)ploy_recipe_run_kept(run),
           (int)ploy_recipe_run_count(run), (int)ploy_recipe_run_content(run, 0).point_count,
           (int)ploy_recipe_run_content(run, -1).point_count);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_recipe *recipe = NULL;
    ploy_recipe_run *run = NULL;
    if (ploy_diags_create(4, &env, &diags) != PLOY_OK) return 1;
    if (ploy_recipe_load(village, strlen(village), "village.json", &env, diags, &recipe) !=
            PLOY_OK ||
        ploy_recipe_run_create(&env, &run) != PLOY_OK) {
        return 1;
    }
    show(run, recipe);
    // Thinner trees: only the second stage is made again.
    ploy_fields fields = ploy_recipe_type_at(recipe, 1)->fields();
    ploy_fields_set_text(fields, ploy_recipe_def_at(recipe, 1), "separation", "4", diags);
    show(run, recipe);
    printf("the second stage has its own key: %s\n",
           ploy_recipe_key_at(recipe, ploy_rng_key_make(5), 0).bits !=
                   ploy_recipe_key_at(recipe, ploy_rng_key_make(5), 1).bits
               ? "yes"
               : "no");

    // A fault has a place.
    const char *wrong = "[ { \"generator\": \"scattr\" } ]";
    ploy_recipe *none = NULL;
    if (ploy_recipe_load(wrong, strlen(wrong), "wrong.json", &env, diags, &none) != PLOY_OK) {
        char text[200];
        ploy_diag_print(ploy_diags_get(diags, 0), text, sizeof text);
        printf("%s\n", text);
    }
    ploy_recipe_run_destroy(run);
    ploy_recipe_destroy(recipe);
    ploy_diags_destroy(diags);
    return 0;
}
