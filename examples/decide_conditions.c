// A sentry's rules by condition objects: joined tests of the blackboard, seconds in the state, the
// status of the behavior inside it, the kind of a message, and words that the game registers and
// texts use. You see each condition as text and whether it holds in three moments. Shows
// ploy_condition_and, _not, _elapsed, _status, _message, _named and _text; an unknown word is a
// fault.
#include <stdio.h>

#include "ploy/decide/condition.h"

static const ploy_blackboard_key sentry_keys[] = {
    {"distance", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "m to the enemy"},
    {"armed", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "the enemy has a weapon"},
};

// A test of the game: the enemy is closer than the first argument.
static bool sentry_within(void *user, const ploy_moment *moment, const float *args) {
    const ploy_slot *distance = user;
    return ploy_blackboard_get_f32(moment->context->blackboard, *distance) < args[0];
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    ploy_conditions *set = NULL;
    env.log = NULL; // the unknown word below
    if (ploy_blackboard_layout_create(sentry_keys, 2, "sentry", &env, NULL, &layout) != PLOY_OK ||
        ploy_blackboard_create(layout, &env, &context.blackboard) != PLOY_OK ||
        ploy_conditions_create(layout, &env, &set) != PLOY_OK) {
        return 1;
    }
    ploy_slot distance = ploy_blackboard_layout_find(layout, "distance");
    static const float close[] = {5};
    if (ploy_conditions_register(set, "within", sentry_within, &distance, 1) != PLOY_OK) return 1;
    const ploy_condition conditions[] = {
        ploy_condition_and(set, ploy_condition_range(set, "distance", 20, 100),
                           ploy_condition_not(set, ploy_condition_bool(set, "armed"))),
        ploy_condition_elapsed(set, 3.0),
        ploy_condition_status(set, PLOY_STATUS_SUCCESS),
        ploy_condition_message(set, "alarm"),
        ploy_condition_named(set, "within", close, 1),
        ploy_condition_text(set, "within(10) && !armed"),
    };
    ploy_message alarm =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("alarm"));
    ploy_moment moments[3] = {ploy_moment_make(&context), ploy_moment_make(&context),
                              ploy_moment_make(&context)};
    static const float distances[] = {30, 8, 2};
    moments[1].elapsed = 3.0;
    moments[1].message = &alarm;
    moments[2].status = PLOY_STATUS_SUCCESS;
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
        ploy_buffer text;
        ploy_buffer_init(&text, 256, &env);
        ploy_writer writer = ploy_buffer_writer(&text);
        ploy_condition_print(set, conditions[i], &writer);
        printf("%s:", ploy_buffer_text(&text));
        ploy_buffer_fini(&text);
        for (int k = 0; k < 3; k++) {
            (void)ploy_blackboard_set_f32(context.blackboard, distance, distances[k]);
            printf(" %s", ploy_condition_test(set, conditions[i], &moments[k]) ? "yes" : "no");
        }
        printf("\n");
    }
    printf("so far: %s\n", ploy_result_text(ploy_conditions_result(set)));
    ploy_condition wrong = ploy_condition_named(set, "withn", close, 1);
    printf("withn: %s, %s\n", ploy_condition_is_none(wrong) ? "none" : "a condition",
           ploy_result_text(ploy_conditions_result(set)));
    ploy_conditions_destroy(set);
    ploy_blackboard_destroy(context.blackboard);
    ploy_blackboard_layout_destroy(layout);
    return 0;
}
