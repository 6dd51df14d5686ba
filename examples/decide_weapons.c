// A bot that picks its weapon by fuzzy rules: each weapon gets a desirability from its
// distance and its ammunition, and the highest wins. You see the choice from near to far.
// Then the rocket launcher by Combs' method: six rules in place of nine. Shows ploy_fuzzy_type_matrix
// and ploy_fuzzy_type_combs: tables of conclusions become rule bases.
#include <math.h>
#include <stdio.h>

#include "ploy/decide/fuzzy_table.h"

typedef struct weapon {
    const char *name;
    const char *cells[9]; // close, medium, far; each with ammunition low, okay, loads
    ploy_fuzzy_type *type;
    ploy_fuzzy *fuzzy;
    bool combs;
} weapon;

// Three sets around three peaks: shoulders at the ends.
static void weapon_variable(ploy_fuzzy_type *type, int32_t variable, const char *const *names,
                            const double *peaks, double max) {
    ploy_fuzzy_set sets[3] = {ploy_fuzzy_left_shoulder(0, peaks[0], peaks[1]),
                              ploy_fuzzy_triangle(peaks[0], peaks[1], peaks[2]),
                              ploy_fuzzy_right_shoulder(peaks[1], peaks[2], max)};
    for (int i = 0; i < 3; i++) (void)ploy_fuzzy_type_term(type, variable, names[i], &sets[i]);
}

static ploy_result weapon_build(weapon *w, const ploy_env *env) {
    static const char *const distances[] = {"close", "medium", "far"};
    static const char *const amounts[] = {"low", "okay", "loads"};
    static const char *const levels[] = {"no", "maybe", "yes"};
    static const double far[] = {25, 150, 300}, rounds[] = {0, 10, 30}, want[] = {25, 50, 75};
    ploy_result result = ploy_fuzzy_type_create(w->name, env, &w->type);
    if (result != PLOY_OK) return result;
    ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
    int32_t distance = ploy_fuzzy_type_input(w->type, "distance", &def);
    int32_t ammo = ploy_fuzzy_type_input(w->type, "ammo", &def);
    def.min = 0;
    def.max = 100;
    def.defuzzifier = PLOY_FUZZY_BLEND_OF_MAX; // cheap, and close to the centroid
    int32_t desire = ploy_fuzzy_type_output(w->type, "desire", &def);
    weapon_variable(w->type, distance, distances, far, 400);
    weapon_variable(w->type, ammo, amounts, rounds, 40);
    weapon_variable(w->type, desire, levels, want, 100);
    int32_t block = ploy_fuzzy_type_block(w->type, "rules", NULL);
    if (w->combs) {
        // What each row and each column of the table says most, one vote a cell.
        int32_t cells[9], rows[3], columns[3];
        const char *by_row[3], *by_column[3];
        for (int i = 0; i < 9; i++) {
            cells[i] = ploy_fuzzy_type_find_term(w->type, desire, w->cells[i]);
        }
        ploy_fuzzy_combs_vote(cells, 3, 3, 3, rows, columns);
        for (int i = 0; i < 3; i++) {
            by_row[i] = levels[rows[i]];
            by_column[i] = levels[columns[i]];
        }
        (void)ploy_fuzzy_type_combs(w->type, block, distance, desire, by_row);
        (void)ploy_fuzzy_type_combs(w->type, block, ammo, desire, by_column);
    } else {
        (void)ploy_fuzzy_type_matrix(w->type, block, distance, ammo, desire, w->cells);
    }
    result = ploy_fuzzy_type_finish(w->type, NULL); // reports the first fault
    return result == PLOY_OK ? ploy_fuzzy_create(w->type, env, &w->fuzzy) : result;
}

// Without a round a weapon is worth nothing, whatever the rules say.
static double weapon_desire(weapon *w, double distance, double rounds) {
    if (rounds <= 0) return 0;
    ploy_fuzzy_set_input(w->fuzzy, 0, distance);
    ploy_fuzzy_set_input(w->fuzzy, 1, rounds);
    ploy_fuzzy_step(w->fuzzy, NULL);
    return ploy_fuzzy_output(w->fuzzy, 0);
}

int main(void) {
    ploy_env env = ploy_env_default();
    weapon weapons[] = {
        {"blaster",
         {"maybe", "maybe", "maybe", "no", "no", "no", "no", "no", "no"},
         NULL,
         NULL,
         false},
        {"shotgun",
         {"yes", "yes", "yes", "no", "maybe", "maybe", "no", "no", "no"},
         NULL,
         NULL,
         false},
        {"rocket",
         {"no", "no", "no", "maybe", "yes", "yes", "no", "no", "maybe"},
         NULL,
         NULL,
         false},
        {"railgun",
         {"no", "no", "no", "maybe", "maybe", "maybe", "maybe", "yes", "yes"},
         NULL,
         NULL,
         false},
    };
    enum { WEAPONS = sizeof weapons / sizeof weapons[0] };
    for (int i = 0; i < WEAPONS; i++) {
        if (weapon_build(&weapons[i], &env) != PLOY_OK) return 1;
    }
    for (int distance = 50; distance <= 300; distance += 50) {
        int best = 0;
        double most = -INFINITY;
        printf("%3d:", distance);
        for (int i = 0; i < WEAPONS; i++) {
            double desire = weapon_desire(&weapons[i], distance, 30);
            printf(" %s %.1f", weapons[i].name, desire);
            if (desire > most) most = desire, best = i;
        }
        printf(" -> %s\n", weapons[best].name);
    }
    int32_t desire = ploy_fuzzy_type_find(weapons[2].type, "desire");
    int32_t yes = ploy_fuzzy_type_find_term(weapons[2].type, desire, "yes");
    weapon_desire(&weapons[2], 100, 30);
    printf("rocket at 100: 'yes' to a degree of %.2f\n",
           ploy_fuzzy_degree(weapons[2].fuzzy, desire, yes));
    weapon linear = weapons[2];
    linear.combs = true;
    if (weapon_build(&linear, &env) != PLOY_OK) return 1;
    printf("rocket at 150: %d rules %.1f, %d of Combs %.1f\n",
           (int)ploy_fuzzy_type_rules(weapons[2].type, -1), weapon_desire(&weapons[2], 150, 30),
           (int)ploy_fuzzy_type_rules(linear.type, -1), weapon_desire(&linear, 150, 30));
    ploy_fuzzy_destroy(linear.fuzzy);
    ploy_fuzzy_type_destroy(linear.type);
    for (int i = 0; i < WEAPONS; i++) {
        ploy_fuzzy_destroy(weapons[i].fuzzy);
        ploy_fuzzy_type_destroy(weapons[i].type);
    }
    return 0;
}
