// A guard whose states are functions that stop and go on: each reads from top to bottom, over many
// frames. You see its day. Shows ploy_routine.
#include <stdio.h>
#include <string.h>

#include "ploy/decide/routine.h"

enum { PATROL, CHASE };

typedef struct guard {
    int post;
    bool sees;
} guard;

static ploy_result patrol(ploy_routine *routine, void *self) {
    guard *owner = self;
    PLOY_ROUTINE_BEGIN(routine);
    for (owner->post = 1; owner->post <= 2; owner->post++) {
        printf("%.0f s: walks to post %d\n", routine->now, owner->post);
        PLOY_ROUTINE_WAIT(routine, 3.0);
        printf("%.0f s: looks around\n", routine->now);
        PLOY_ROUTINE_YIELD(routine);
    }
    printf("%.0f s: goes home\n", routine->now);
    PLOY_ROUTINE_END(routine);
}

static ploy_result chase(ploy_routine *routine, void *self) {
    const guard *owner = self;
    PLOY_ROUTINE_BEGIN(routine);
    printf("%.0f s: runs after the thief\n", routine->now);
    PLOY_ROUTINE_UNTIL(routine, !owner->sees);
    printf("%.0f s: has lost him\n", routine->now);
    PLOY_ROUTINE_GO(routine, PATROL);
    PLOY_ROUTINE_END(routine);
}

static void watch(ploy_routine *routine, void *self) {
    const guard *owner = self;
    if (owner->sees && routine->state != CHASE) ploy_routine_go(routine, CHASE);
}

int main(void) {
    static const ploy_routine_state states[] = {{"patrol", patrol, NULL}, {"chase", chase, NULL}};
    static const ploy_routine_def day = {"guard", states, 2, watch, 0, 0};
    ploy_routine routine = ploy_routine_make();
    ploy_status status = PLOY_STATUS_RUNNING;
    guard owner = {0, false};
    for (int32_t second = 0; second < 30 && status == PLOY_STATUS_RUNNING; second++) {
        ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
        context.now = second;
        owner.sees = second >= 5 && second < 8;
        if (ploy_routine_step(&routine, &day, &owner, &context, &status) != PLOY_OK) return 1;
    }
    return status == PLOY_STATUS_SUCCESS ? 0 : 1;
}
