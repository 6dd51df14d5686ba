// How hot is 23 degrees? Membership in sets of several shapes, the degrees joined and bent by
// hedges, and the conversion to a Boolean, an enumeration and a byte. Shows ploy_fuzzy_membership,
// ploy_fuzzy_join, ploy_fuzzy_bend, ploy_fuzzy_xor, ploy_fuzzy_to_bool, ploy_fuzzy_highest,
// ploy_fuzzy_rank, ploy_fuzzy_normalise and ploy_fuzzy_to_byte; a set whose table does not rise is
// refused.
#include <stdio.h>

#include "ploy/decide/fuzzy_set.h"

int main(void) {
    static const char *const names[] = {"cold", "warm", "hot"};
    static const double table[] = {0, 0, 20, 0.5, 40, 1}, wrong[] = {0, 0, 20, 1, 10, 0};
    const double x = 23;
    const ploy_fuzzy_set sets[] = {
        ploy_fuzzy_left_shoulder(0, 10, 20),
        ploy_fuzzy_triangle(15, 20, 25),
        ploy_fuzzy_right_shoulder(20, 30, 40),
    };
    double degrees[3];
    for (int i = 0; i < 3; i++) {
        degrees[i] = ploy_fuzzy_membership(&sets[i], x);
        printf("%s: %g\n", names[i], degrees[i]);
    }
    ploy_fuzzy_set bell = ploy_fuzzy_set_make(PLOY_FUZZY_BELL, 20, 5, 2, 0);
    ploy_fuzzy_set crisp = ploy_fuzzy_set_make(PLOY_FUZZY_RECTANGLE, 15, 25, 0, 0);
    ploy_fuzzy_set points = ploy_fuzzy_discrete(table, 3);
    printf("bell %.4f, crisp %g, table %g\n", ploy_fuzzy_membership(&bell, x),
           ploy_fuzzy_membership(&crisp, x), ploy_fuzzy_membership(&points, x));

    double warm = degrees[1], hot = degrees[2];
    printf("warm and hot: %g, as a product %g\n", ploy_fuzzy_join(PLOY_FUZZY_MINIMUM, warm, hot),
           ploy_fuzzy_join(PLOY_FUZZY_ALGEBRAIC_PRODUCT, warm, hot));
    printf("warm or hot: %g, warm xor hot: %g\n", ploy_fuzzy_join(PLOY_FUZZY_MAXIMUM, warm, hot),
           ploy_fuzzy_xor(warm, hot));
    printf("very warm: %g, somewhat warm: %.4f, not warm: %g\n",
           ploy_fuzzy_bend(PLOY_FUZZY_VERY, warm), ploy_fuzzy_bend(PLOY_FUZZY_SOMEWHAT, warm),
           ploy_fuzzy_bend(PLOY_FUZZY_NOT, warm));

    static const double bounds[] = {10, 20, 30};
    double old = ploy_fuzzy_normalise(degrees, 3);
    int32_t highest = ploy_fuzzy_highest(degrees, 3);
    printf("scaled from a sum of %g: %.4f %.4f %.4f\n", old, degrees[0], degrees[1], degrees[2]);
    printf("highest: %s; rank among 10, 20, 30: %d; hot from 0.5 on: %s; as a byte: %d\n",
           highest >= 0 ? names[highest] : "none", (int)ploy_fuzzy_rank(x, bounds, 3),
           ploy_fuzzy_to_bool(hot, 0.5) ? "yes" : "no", (int)ploy_fuzzy_to_byte(hot));
    const double nothing[] = {0, 0, 0};
    printf("highest of zeros: %d\n", (int)ploy_fuzzy_highest(nothing, 3));
    ploy_fuzzy_set falling = ploy_fuzzy_discrete(wrong, 3);
    const char *why = "";
    ploy_result result = ploy_fuzzy_set_check(&falling, &why);
    printf("a table that falls back: %s, %s\n", ploy_result_text(result), why);
    return 0;
}
