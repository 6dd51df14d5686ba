// A villager eats, flees or idles, by four considerations in one table. You see what it chooses as it
// gets hungrier. Shows ploy_utility_type_from with numbers of the game's own.
#include <stdio.h>

#include "ploy/decide/utility.h"

typedef struct villager {
    float hunger, wolf; // 0 to 100, m away
} villager;

static float get_hunger(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)args;
    return ((const villager *)moment->context->world)->hunger;
}

static float get_wolf(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)args;
    return ((const villager *)moment->context->world)->wolf;
}

static const ploy_word words[] = {{"hunger", .score = get_hunger}, {"wolf", .score = get_wolf}};
static const ploy_utility_row rows[] = {
    {.option = "eat", .when = "hunger > 20", .score = "hunger", .high = 100},
    {.option = "eat", .score = "wolf", .high = 20, .curve = {PLOY_CURVE_POWER, .exponent = 0.5f}},
    {.option = "flee", .score = "1 - wolf / 20", .weight = 2},
    {.option = "idle", .score = "0.3"}};

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_utility_type *type = NULL;
    villager who = {0, 18};
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(0, 1), NULL, 0.1f);
    context.world = &who;
    ploy_moment moment = ploy_moment_make(&context);
    if (ploy_utility_type_from(NULL, NULL, words, 2, rows, 4, &env, &type) != PLOY_OK) return 1;
    for (; who.hunger<100; who.hunger += 30, who.wolf = who.hunger> 70 ? 3.0f : 18.0f)
        printf("hunger %2g, wolf %g m away: %s\n", (double)who.hunger, (double)who.wolf,
               ploy_utility_type_id(
                   type, ploy_utility_choose(type, &moment, (ploy_utility_option){0}, NULL)));
    ploy_utility_type_destroy(type);
}
