// A bot that misses as people do: the error of its aim is inferred from how far the target is, how
// fast it crosses and how long it has been seen, and shots scatter by that. You see the deviation in
// degrees and where five shots go. Shows rules in words, hedges, and constants as outputs.
#include <stdio.h>

#include "ploy/base/rng.h"
#include "ploy/decide/fuzzy.h"

static ploy_result aim_build(ploy_fuzzy_type *type) {
    static const char *const rules[] = {
        "if distance is near and crossing is slow and seen is long then error is tiny",
        "if distance is near and crossing is fast then error is medium",
        "if distance is far and seen is long then error is small",
        "if distance is far and crossing is very fast then error is large",
        "if seen is not long then error is large with 0.7",
    };
    static const struct {
        const char *variable, *low, *high;
        double from, to;
    } inputs[] = {{"distance", "near", "far", 5, 60},
                  {"crossing", "slow", "fast", 0, 8},
                  {"seen", "short", "long", 0.2, 1.5}};
    static const struct {
        const char *term;
        double degrees;
    } errors[] = {{"tiny", 0.3}, {"small", 1.5}, {"medium", 4}, {"large", 9}};
    for (int i = 0; i < 3; i++) {
        int32_t input = ploy_fuzzy_type_input(type, inputs[i].variable, NULL);
        ploy_fuzzy_set low =
            ploy_fuzzy_set_make(PLOY_FUZZY_RAMP, inputs[i].to, inputs[i].from, 0, 0);
        ploy_fuzzy_set high =
            ploy_fuzzy_set_make(PLOY_FUZZY_RAMP, inputs[i].from, inputs[i].to, 0, 0);
        (void)ploy_fuzzy_type_term(type, input, inputs[i].low, &low);
        (void)ploy_fuzzy_type_term(type, input, inputs[i].high, &high);
    }
    ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
    def.defuzzifier = PLOY_FUZZY_WEIGHTED_AVERAGE;
    int32_t error = ploy_fuzzy_type_output(type, "error", &def);
    for (int i = 0; i < 4; i++) {
        ploy_fuzzy_set set = ploy_fuzzy_constant(errors[i].degrees);
        (void)ploy_fuzzy_type_term(type, error, errors[i].term, &set);
    }
    int32_t block = ploy_fuzzy_type_block(type, "aim", NULL);
    for (int i = 0; i < 5; i++) (void)ploy_fuzzy_type_rule(type, block, rules[i], NULL);
    return ploy_fuzzy_type_finish(type, NULL);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    if (ploy_fuzzy_type_create("aim", &env, &type) != PLOY_OK || aim_build(type) != PLOY_OK ||
        ploy_fuzzy_create(type, &env, &fuzzy) != PLOY_OK) {
        return 1;
    }
    static const double cases[][3] = {{10, 0, 3}, {10, 7, 3}, {50, 1, 3}, {50, 7, 3}, {20, 3, 0.3}};
    ploy_rng rng = ploy_rng_make(4);
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 3; k++) ploy_fuzzy_set_input(fuzzy, k, cases[i][k]);
        ploy_fuzzy_step(fuzzy, NULL);
        double error = ploy_fuzzy_output(fuzzy, 0);
        printf("%2.0f m, %1.0f m/s, seen %.1f s: %.2f degrees;", cases[i][0], cases[i][1],
               cases[i][2], error);
        for (int k = 0; k < 5; k++) printf(" %+.1f", error * (double)ploy_rng_normal(&rng));
        printf("\n");
    }
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(type);
    return 0;
}
