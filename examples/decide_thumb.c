// Rules of thumb: who is ahead, who takes which target, how a troll fits into a squad; and a racer
// that shakes its fist, but not all day. Shows ploy/decide/heuristics.h and ploy/decide/hacks.h.
#include <stdio.h>

#include "ploy/decide/hacks.h"
#include "ploy/decide/heuristics.h"

static void targets(void) {
    static const char *const who[] = {"rifle", "pistol", "knife"};
    static const char *const items[] = {"guard", "tank"};
    static const bool can[] = {true, true, true, false, true, false};
    int32_t taker[2];
    bool idle[3];
    ploy_most_constrained_first(can, 3, 2, taker, idle);
    for (int i = 0; i < 2; i++) printf("%s: %s\n", items[i], who[taker[i]]);
}

static void squads(void) {
    static const float sizes[] = {1, 1, 1, 1, 1, 4}; // five orcs, a troll
    for (int sorted = 0; sorted < 2; sorted++) {
        float room[2] = {5, 5};
        int32_t group[6], order[6];
        int32_t placed = ploy_most_difficult_first(sizes, 6, room, 2, sorted == 1, group, order);
        printf("%s first: %d of 6 placed\n", sorted == 1 ? "the troll" : "orcs", placed);
    }
}

int main(void) {
    static const double values[] = {1, 3, 3, 5, 8};
    static const int32_t own[] = {8, 2, 2, 2, 0}, enemy[] = {6, 2, 1, 2, 1};
    printf("ahead by %g\n", ploy_worth_advantage(values, own, enemy, 5));
    targets();
    squads();
    ploy_name passed = ploy_name_of("passed");
    const ploy_gesture rows[] = {{passed, ploy_name_of("fist"), 2, 1}};
    double ready[1] = {0};
    for (int now = 0; now < 5; now++) {
        ploy_name shown = ploy_gesture_find(rows, 1, ready, passed, now, ploy_rng_key_make(1),
                                            ploy_agent_id_make(1, 1), (uint64_t)now);
        printf("%d s: %s\n", now, ploy_name_is_none(shown) ? "drives on" : "shakes its fist");
    }
    return 0;
}
