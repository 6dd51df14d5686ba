// A hungry, tired guest: you see what each rule of choosing makes him do, and how he finds the
// kitchen by its smell alone. Shows ploy_gob_choose over motives, ploy_gob_agent, and ploy_smell.
#include <stdio.h>

#include "ploy/decide/gob_agent.h"
#include "ploy/world/smell.h"

static void choose(void) {
    static const char *const modes[] = {"simple", "hasty", "overall", "timed"};
    static const float soda[] = {-2, 2}, bathroom[] = {0, -4}, meal[] = {-4, 0};
    ploy_motive motives[] = {ploy_motive_make("eat", 4), ploy_motive_make("bathroom", 3)};
    const ploy_gob_action actions[] = {
        {"drink a soda", soda, 0.25f, 0, {0, 0}},
        {"visit the bathroom", bathroom, 0.25f, 0, {0, 0}},
        {"eat a meal", meal, 1.0f, 0, {0, 0}},
    };
    motives[0].rate = 1.0f;
    motives[1].rate = 4.0f; // in an hour
    for (int32_t mode = 0; mode < 4; mode++) {
        ploy_gob_def def = ploy_gob_def_default();
        def.mode = (ploy_gob_mode)mode;
        def.time_penalty = 3.0f;
        int32_t best =
            ploy_gob_choose(&def, motives, 2, actions, 3, NULL, NULL, ploy_agent_id_none(), NULL);
        printf("%s: %s\n", modes[mode], best >= 0 ? actions[best].name : "nothing");
    }
}

// The same as a behavior: hunger grows, and a meal takes a while.
static ploy_result live(const ploy_env *env) {
    static const float meal[] = {-6};
    const ploy_gob_action eat = {"eat a meal", meal, 2.0f, 0, {0, 0}};
    ploy_gob_def def = ploy_gob_def_default();
    ploy_gob_agent_type *type = NULL;
    ploy_gob_agent *guest = NULL;
    ploy_result result = ploy_gob_agent_type_create(&def, NULL, env, &type);
    if (result != PLOY_OK) return result;
    ploy_motive hunger = ploy_motive_make("hunger", 3);
    hunger.rate = 1.0f;
    (void)ploy_gob_agent_type_motive(type, &hunger, ploy_score_none()); // finish reports faults
    (void)ploy_gob_agent_type_action(type, &eat, ploy_condition_none(), ploy_maker_none());
    result = ploy_gob_agent_type_finish(type);
    if (result == PLOY_OK) result = ploy_gob_agent_create(type, env, &guest);
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(0, 1), NULL, 1.0f);
    for (int hour = 0; hour < 3 && result == PLOY_OK; hour++) {
        ploy_status status;
        result = ploy_behavior_step(ploy_gob_agent_behavior(guest), &context, &status);
        printf("hunger %g: %s\n", (double)ploy_gob_agent_motives(guest, NULL)[0].value,
               ploy_gob_agent_action(guest));
    }
    ploy_gob_agent_destroy(guest);
    ploy_gob_agent_type_destroy(type);
    return result;
}

static ploy_result follow_nose(const ploy_env *env) {
    static const char *const level[] = {"#########", "#...#...#", "#.#.#.#.#", "#.#...#.#",
                                        "#########"};
    ploy_smell_def def = ploy_smell_def_default();
    ploy_id kitchen = {0, 1};
    ploy_smell *smell = NULL;
    def.width = 9;
    def.height = 5;
    ploy_result result = ploy_smell_create(&def, env, &smell);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < 45; i++) {
        (void)ploy_smell_set_blocked(smell, i % 9, i / 9, level[i / 9][i % 9] == '#');
    }
    result = ploy_smell_add_source(smell, 0, 7, 3, 10.0f, kitchen, NULL);
    for (int32_t i = 0; i < 300 && result == PLOY_OK; i++) result = ploy_smell_step(smell, NULL);
    int32_t x = 1, y = 3;
    printf("nose: %d,%d", (int)x, (int)y);
    while (ploy_smell_follow(smell, 0, x, y, &x, &y)) printf(" %d,%d", (int)x, (int)y);
    printf("\n");
    ploy_smell_destroy(smell);
    return result;
}

int main(void) {
    ploy_env env = ploy_env_default();
    choose();
    if (live(&env) != PLOY_OK) return 1;
    return follow_nose(&env) == PLOY_OK ? 0 : 1;
}
