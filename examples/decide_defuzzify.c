// How fast to go, if creeping is wanted to a degree of 0.2, walking to 0.4 and running to 0.7? Each
// method of turning the three degrees into one number, and the number that represents each set alone.
// Shows ploy_fuzzy_output with every defuzzifier and ploy_fuzzy_representative; without any degree
// the output is not a number.
#include <math.h>
#include <stdio.h>

#include "ploy/decide/fuzzy.h"

static const char *const names[] = {"creep", "walk", "run"};

static ploy_result defuzzify(const ploy_fuzzy_set *sets, const double *degrees,
                             ploy_fuzzy_defuzzifier how, const ploy_env *env, double *out) {
    static const char *const inputs[] = {"a", "b", "c"};
    static const char *const rules[] = {"if a is on then speed is creep",
                                        "if b is on then speed is walk",
                                        "if c is on then speed is run"};
    ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    ploy_result result = ploy_fuzzy_type_create("speed", env, &type);
    if (result != PLOY_OK) return result;
    def.min = 0;
    def.max = 4;
    def.samples = 1000;
    def.defuzzifier = how;
    int32_t speed = ploy_fuzzy_type_output(type, "speed", &def);
    int32_t block = ploy_fuzzy_type_block(type, "", NULL);
    ploy_fuzzy_set degree = ploy_fuzzy_set_make(PLOY_FUZZY_RAMP, 0, 1, 0, 0); // as given
    for (int32_t i = 0; i < 3; i++) {
        int32_t input = ploy_fuzzy_type_input(type, inputs[i], NULL);
        (void)ploy_fuzzy_type_term(type, input, "on", &degree); // finish reports faults
        (void)ploy_fuzzy_type_term(type, speed, names[i], &sets[i]);
        (void)ploy_fuzzy_type_rule(type, block, rules[i], NULL);
    }
    result = ploy_fuzzy_type_finish(type, NULL);
    if (result == PLOY_OK) result = ploy_fuzzy_create(type, env, &fuzzy);
    for (int32_t i = 0; i < 3 && result == PLOY_OK; i++) {
        ploy_fuzzy_set_input(fuzzy, i, degrees[i]);
    }
    if (result == PLOY_OK) ploy_fuzzy_step(fuzzy, NULL);
    if (result == PLOY_OK) *out = ploy_fuzzy_output(fuzzy, 0);
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(type);
    return result;
}

int main(void) {
    const ploy_fuzzy_set areas[] = {ploy_fuzzy_trapezoid(0, 0, 0.2, 0.6),
                                    ploy_fuzzy_trapezoid(0.2, 0.8, 1.2, 2),
                                    ploy_fuzzy_trapezoid(1.2, 2.4, 4, 4)};
    const ploy_fuzzy_set numbers[] = {ploy_fuzzy_constant(0.2), ploy_fuzzy_constant(1),
                                      ploy_fuzzy_constant(3)};
    static const double degrees[] = {0.2, 0.4, 0.7}, nothing[] = {0, 0, 0};
    ploy_env env = ploy_env_default();
    double speed = 0;
    for (int i = 0; i < 3; i++) {
        printf("%s: middle of its top %.2f, centre of its area %.2f\n", names[i],
               ploy_fuzzy_representative(&areas[i], PLOY_FUZZY_POINT_MEAN, 0, 4),
               ploy_fuzzy_representative(&areas[i], PLOY_FUZZY_POINT_CENTROID, 0, 4));
    }
    for (int how = 0; how < PLOY_FUZZY_DEFUZZIFIER_COUNT; how++) {
        ploy_fuzzy_defuzzifier one = (ploy_fuzzy_defuzzifier)how;
        bool weighted = one == PLOY_FUZZY_WEIGHTED_AVERAGE || one == PLOY_FUZZY_WEIGHTED_SUM;
        if (defuzzify(weighted ? numbers : areas, degrees, one, &env, &speed) != PLOY_OK) return 1;
        printf("%s: %.2f\n", ploy_fuzzy_defuzzifier_text(one), speed);
    }
    if (defuzzify(areas, nothing, PLOY_FUZZY_CENTROID, &env, &speed) != PLOY_OK) return 1;
    printf("no degree at all: %s\n", isnan(speed) ? "not a number" : "a number");
    return 0;
}
