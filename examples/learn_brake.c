// A car brakes as its driver did. Naive Bayes learns from a recorded drive and runs as a leaf over the
// car's blackboard, beside the rule that a designer wrote. You will see both stop points. Shows
// ploy/learn/leaf.h.
#include <stdio.h>

#include "ploy/ploy.h"

// Distance (m), speed (m/s) and the pedal of a driver who brakes late.
static bool driver_brakes(double distance, double speed) {
    return speed * speed / 16.0 > distance - 4.0;
}

// Drives at a corner and returns how far from it the car has slowed down to 8 m/s.
static double drive(ploy_learned_leaf *leaf, ploy_blackboard *board, double speed) {
    const ploy_blackboard_layout *layout = ploy_blackboard_layout_of(board);
    double distance = 100.0;
    while (speed > 8.0 && distance > 0.0) {
        bool brake = speed * speed / 10.0 > distance - 10.0; // the designer's rule: early
        if (leaf != NULL) {
            (void)ploy_blackboard_set_f32(board, ploy_blackboard_layout_find(layout, "margin"),
                                          (float)(distance - speed * speed / 16.0));
            ploy_behavior pedal;
            ploy_env env = ploy_env_default();
            if (ploy_maker_make(ploy_learned_leaf_maker(leaf), &env, &pedal) != PLOY_OK) return -1;
            ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), board, 0.1f);
            ploy_status status = PLOY_STATUS_FAILURE;
            if (ploy_behavior_enter(pedal, &context) == PLOY_OK)
                (void)ploy_behavior_step(pedal, &context, &status);
            // Without an opinion the rule applies.
            if (status == PLOY_STATUS_SUCCESS)
                brake = ploy_blackboard_get_i64(board,
                                                ploy_blackboard_layout_find(layout, "brake")) == 1;
            ploy_behavior_exit(pedal, &context, PLOY_EXIT_FINISHED);
            ploy_behavior_destroy(pedal);
        }
        distance -= speed * 0.1;
        if (brake) speed -= 0.8;
    }
    return distance;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_schema *schema = NULL;
    ploy_learner learner;
    if (ploy_schema_create(&env, &schema) != PLOY_OK ||
        ploy_schema_add(schema, "margin", PLOY_COLUMN_NUMBER) != PLOY_OK ||
        ploy_schema_add(schema, "brake", PLOY_COLUMN_CATEGORY) != PLOY_OK ||
        ploy_schema_add_value(schema, 1, "no") != PLOY_OK ||
        ploy_schema_add_value(schema, 1, "yes") != PLOY_OK ||
        ploy_schema_set_target(schema, 1) != PLOY_OK ||
        ploy_learner_create(ploy_bayes_learner(), NULL, schema, &env, &learner) != PLOY_OK) {
        return 1;
    }
    for (double speed = 15.0; speed <= 30.0; speed += 3.0) { // six corners
        double now = speed;
        for (double distance = 100.0; distance > 0.0 && now > 8.0; distance -= now * 0.1) {
            bool brake = driver_brakes(distance, now);
            double row[2] = {distance - now * now / 16.0, brake ? 1.0 : 0.0};
            if (ploy_learner_observe(learner, row) != PLOY_OK) return 1;
            if (brake) now -= 0.8;
        }
    }
    const ploy_blackboard_key keys[] = {{"margin", PLOY_VALUE_F32, ploy_value_none(), NULL},
                                        {"brake", PLOY_VALUE_I64, ploy_value_none(), NULL}};
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    ploy_learned_leaf *leaf = NULL;
    ploy_learned_leaf_def def = ploy_learned_leaf_def_default();
    if (ploy_blackboard_layout_create(keys, 2, "car", &env, NULL, &layout) != PLOY_OK) return 1;
    def.learner = learner;
    def.layout = layout;
    def.answer_key = "brake";
    if (ploy_blackboard_create(layout, &env, &board) != PLOY_OK ||
        ploy_learned_leaf_create(&def, &env, &leaf) != PLOY_OK) {
        return 1;
    }
    printf("learned from %lld moments\n", (long long)ploy_learner_observed(learner));
    for (double speed = 16.0; speed <= 28.0; speed += 6.0) {
        printf("%.0f m/s: the rule is slow %.1f m before the corner, the imitation %.1f m\n", speed,
               drive(NULL, board, speed), drive(leaf, board, speed));
    }
    // The leaf also answers without a mind around it.
    ploy_slot margin = ploy_blackboard_layout_find(layout, "margin");
    for (int32_t metres = 13; metres >= 3; metres -= 5) {
        (void)ploy_blackboard_set_f32(board, margin, (float)metres);
        printf("margin %2d m: %s\n", metres,
               ploy_learned_leaf_choose(leaf, board) == 1 ? "brake" : "go on");
    }
    ploy_learned_leaf_destroy(leaf);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
    ploy_learner_destroy(learner);
    ploy_schema_destroy(schema);
    return 0;
}
