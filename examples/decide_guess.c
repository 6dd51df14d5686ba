// What will the enemy do? The character puts what it knows of the enemy into its own arbiter and
// sees which strategy would win there, and by how much. You see the guess get surer, and a blind
// guess when nothing is known. Shows ploy_arbiter_choose with another agent's view.
#include <math.h>
#include <stdio.h>

#include "ploy/decide/arbiter.h"

// What one character is known to have; NaN is unknown.
typedef struct view {
    const char *what;
    float health, ammo, medkit; // shares; the last is the distance to one, 0 near to 1 far
} view;

static float want_attack(void *user, const ploy_moment *moment, const float *args) {
    const view *of = moment->context->world;
    (void)user, (void)args;
    return of->health * of->ammo;
}

static float want_medkit(void *user, const ploy_moment *moment, const float *args) {
    const view *of = moment->context->world;
    (void)user, (void)args;
    return (1.0f - of->health) * (1.0f - of->medkit);
}

static float want_explore(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)moment, (void)args;
    return 0.05f;
}

int main(void) {
    static const ploy_goal_type strategy = {.name = "strategy"};
    static const struct {
        const char *name;
        ploy_score_fn score;
    } strategies[] = {{"attack", want_attack}, {"medkit", want_medkit}, {"explore", want_explore}};
    const view views[] = {{"this character", 0.9f, 0.8f, 0.5f},
                          {"the enemy, hurt", 0.5f, 0.6f, 0.3f},
                          {"the enemy, badly hurt", 0.1f, 0.6f, 0.3f},
                          {"the enemy, never seen", NAN, NAN, NAN}};
    ploy_env env = ploy_env_default();
    ploy_arbiter_def def = ploy_arbiter_def_default();
    ploy_arbiter_type *type = NULL;
    ploy_arbiter *arbiter = NULL;
    if (ploy_arbiter_type_create(&def, NULL, &env, &type) != PLOY_OK) return 1;
    for (int i = 0; i < 3; i++) {
        ploy_score score = ploy_score_call(ploy_arbiter_type_conditions(type), strategies[i].name,
                                           strategies[i].score, NULL);
        ploy_evaluator one = ploy_evaluator_make(strategies[i].name, score, &strategy);
        (void)ploy_arbiter_type_add(type, &one); // finish reports the first fault
    }
    if (ploy_arbiter_type_finish(type) != PLOY_OK ||
        ploy_arbiter_create(type, NULL, &env, &arbiter) != PLOY_OK) {
        return 1;
    }
    for (int i = 0; i < 4; i++) {
        ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
        context.world = &views[i];
        ploy_moment moment = ploy_moment_make(&context);
        float score = 0, margin = 0;
        int32_t best = ploy_arbiter_choose(arbiter, &moment, &score, &margin);
        printf("%s: %s, score %.2f, ahead by %.2f\n", views[i].what,
               ploy_arbiter_type_name(type, best), (double)score, (double)margin);
    }
    ploy_arbiter_destroy(arbiter);
    ploy_arbiter_type_destroy(type);
    return 0;
}
