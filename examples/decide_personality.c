// Two bots with the same strategies and different files: you see what each prefers at the same moment,
// and how one changes when its file is edited while it lives; a faulty edit changes nothing. Shows
// ploy_personality_load: biases of an arbiter and traits of a game's own.
#include <stdio.h>
#include <string.h>

#include "ploy/decide/personality.h"

typedef struct traits {
    uint32_t cookie;
    float accuracy, keep_distance;
} traits;

static const ploy_field trait_table[] = {
    PLOY_FIELD_F32(traits, accuracy, 0.5f, 0, 1, "", "of aiming"),
    PLOY_FIELD_F32(traits, keep_distance, 8, 0, 100, "m", "from enemies"),
};

static float desire(void *user, const ploy_moment *moment, const float *args) {
    (void)moment, (void)args;
    return *(const float *)user;
}

static void show(const char *who, const ploy_arbiter *arbiter, const traits *own) {
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    ploy_moment moment = ploy_moment_make(&context);
    printf("%s: attack %.2f, hide %.2f, keeps %.0f m away\n", who,
           (double)ploy_arbiter_score(arbiter, 0, &moment),
           (double)ploy_arbiter_score(arbiter, 1, &moment), (double)own->keep_distance);
}

int main(void) {
    static const char *const files[] = {
        "{\"bias\": {\"attack\": 1.5}, \"traits\": {\"keep_distance\": 3}}",
        "{\"bias\": {\"hide\": 1.2}, \"traits\": {\"keep_distance\": 20}}"};
    static const ploy_goal_type attack = {.name = "attack"}, hide = {.name = "hide"};
    static float desires[] = {0.6f, 0.5f};
    ploy_env env = ploy_env_default();
    ploy_fields fields = PLOY_FIELDS(traits, trait_table);
    ploy_arbiter_def def = ploy_arbiter_def_default();
    ploy_arbiter_type *type = NULL;
    if (ploy_arbiter_type_create(&def, NULL, &env, &type) != PLOY_OK) return 1;
    ploy_conditions *set = ploy_arbiter_type_conditions(type);
    ploy_evaluator attacks =
        ploy_evaluator_make("attack", ploy_score_call(set, "attack", desire, &desires[0]), &attack);
    ploy_evaluator hides =
        ploy_evaluator_make("hide", ploy_score_call(set, "hide", desire, &desires[1]), &hide);
    (void)ploy_arbiter_type_add(type, &attacks); // finish reports faults
    (void)ploy_arbiter_type_add(type, &hides);
    if (ploy_arbiter_type_finish(type) != PLOY_OK) return 1;
    for (int i = 0; i < 2; i++) {
        const char *who = i == 0 ? "brawler" : "sniper";
        ploy_arbiter *arbiter = NULL;
        traits own;
        ploy_fields_default(fields, &own);
        if (ploy_arbiter_create(type, NULL, &env, &arbiter) != PLOY_OK) return 1;
        if (ploy_personality_load(files[i], strlen(files[i]), who, fields, &own, arbiter, NULL,
                                  &env) != PLOY_OK) {
            return 1;
        }
        show(who, arbiter, &own);
        const char *edits[] = {"{\"traits\": {\"keep_distance\": 12}}",
                               "{\"bias\": {\"atack\": 3}, \"traits\": {\"accuracy\": 1}}"};
        for (int k = 0; k < 2 && i == 1; k++) {
            ploy_result result = ploy_personality_load(edits[k], strlen(edits[k]), who, fields,
                                                       &own, arbiter, NULL, &env);
            printf("edited: %s\n", ploy_result_text(result));
            show(who, arbiter, &own);
        }
        ploy_arbiter_destroy(arbiter);
    }
    ploy_arbiter_type_destroy(type);
    return 0;
}
