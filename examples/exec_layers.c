// Three layers, each usable alone: a behavior chooses a target, seek steers to it, and integrate
// moves the body. A shepherd walks to the well until it is no longer thirsty, then to the herd. The
// last lines use the choice without a body and the body without a choice; there is no engine. Shows
// ploy_behavior_step, ploy_seek and ploy_integrate.
#include <stdio.h>

#include "ploy/exec/behavior.h"
#include "ploy/move/integrate.h"
#include "ploy/move/seek.h"

static const ploy_vec2 well = {6.0f, 0.0f}, herd = {6.0f, 9.0f};

typedef struct shepherd {
    bool thirsty;
    ploy_vec2 target; // what the choice hands to steering
} shepherd;

// Chooses: it knows where the body is (the world of the context) and nothing of how it moves.
static ploy_result choose(void *self, ploy_step_context *context, ploy_status *status) {
    shepherd *mind = self;
    const ploy_kinematic *body = context->world;
    if (ploy_vec2_distance(body->position, well) < 0.5f) mind->thirsty = false;
    mind->target = mind->thirsty ? well : herd;
    bool done = !mind->thirsty && ploy_vec2_distance(body->position, herd) < 0.5f;
    *status = done ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

int main(void) {
    static const ploy_behavior_type type = {.name = "shepherd", .step = choose};
    ploy_seek_def seek = ploy_seek_def_default();
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.max_speed = 2.0f;
    motion.drag = 2.0f; // so that it does not circle the target
    shepherd mind = {true, well};
    ploy_behavior behavior = {&type, &mind};
    ploy_kinematic body = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(0, 1), NULL, 0.05f);
    context.world = &body;
    ploy_status status = PLOY_STATUS_RUNNING;
    while (status == PLOY_STATUS_RUNNING && context.tick < 1000) {
        bool before = mind.thirsty;
        if (ploy_behavior_step(behavior, &context, &status) != PLOY_OK) return 1;
        if (mind.thirsty != before) printf("%.1f s: drinks\n", context.now);
        ploy_steering steering = ploy_seek(&seek, body, mind.target);
        body = ploy_integrate(&motion, body, steering, context.dt);
        ploy_step_context_next(&context);
    }
    printf("%.1f s: with the herd\n", context.now);

    mind.thirsty = true; // a turn-based game moves the piece itself
    body.position = ploy_vec2_make(50.0f, 50.0f);
    if (ploy_behavior_step(behavior, &context, &status) != PLOY_OK) return 1;
    printf("the choice alone: go to (%g, %g)\n", mind.target.x, mind.target.y);

    body = ploy_kinematic_make(ploy_vec2_zero(), 0.0f); // a player's click is the choice
    for (int i = 0; i < 40; i++) {
        body = ploy_integrate(&motion, body, ploy_seek(&seek, body, herd), 0.05f);
    }
    printf("the body alone: %.1f m of %.1f in 2 s\n", ploy_vec2_length(body.position),
           ploy_vec2_length(herd));
    return 0;
}
