// A shopper who is thought about as well as it is worth: near the player it follows a plan, far away
// it only walks. Prints what it does as the player goes and comes. Shows ploy_importance, ploy_lod
// with a hand-over, and ploy_lod_schedule.
#include <stdio.h>

#include "ploy/exec/importance.h"
#include "ploy/exec/lod.h"
#include "ploy/exec/lod_schedule.h"

typedef struct planner {
    int plan[3]; // stalls to visit, the next one first
} planner;

typedef struct walker {
    int stall; // the one it walks to
} walker;

static ploy_result planner_step(void *self, ploy_step_context *context, ploy_status *status) {
    const planner *p = self;
    (void)context;
    printf("plans: stall %d, then %d, then %d\n", p->plan[0], p->plan[1], p->plan[2]);
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result walker_step(void *self, ploy_step_context *context, ploy_status *status) {
    const walker *w = self;
    (void)context;
    printf("walks: stall %d\n", w->stall);
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

// Before the old level exits: what it heads for. After the new one has entered: the same, first.
static void pack(void *user, const ploy_lod_change *change) {
    (void)user;
    int *stall = change->handover;
    *stall = change->from == 0 ? ((planner *)change->behavior.self)->plan[0]
                               : ((walker *)change->behavior.self)->stall;
}

static void unpack(void *user, const ploy_lod_change *change) {
    (void)user;
    const int *stall = change->handover;
    if (change->to == 0) {
        planner *p = change->behavior.self;
        for (int i = 0; i < 3; i++) p->plan[i] = *stall + 2 * i;
    } else {
        ((walker *)change->behavior.self)->stall = *stall;
    }
}

int main(void) {
    static const ploy_behavior_type plans = {.name = "plans", .step = planner_step};
    static const ploy_behavior_type walks = {.name = "walks", .step = walker_step};
    // The ranges overlap: a character keeps its level until that level's range ends.
    const ploy_lod_level levels[] = {
        {"plans", 0.4f, 1.0f, &plans, sizeof(planner), NULL, NULL, {0}},
        {"walks", 0.0f, 0.5f, &walks, sizeof(walker), NULL, NULL, {0}},
    };
    const ploy_lod_transition any = {PLOY_LOD_ANY, PLOY_LOD_ANY, pack, unpack, NULL};
    ploy_env env = ploy_env_default();
    ploy_lod_def def = ploy_lod_def_default();
    def.levels = levels;
    def.level_count = 2;
    def.transitions = &any;
    def.transition_count = 1;
    ploy_lod *lod = NULL;
    ploy_lod_selector *shopper = NULL;
    if (ploy_lod_create(&def, &env, &lod) != PLOY_OK) return 1;
    if (ploy_lod_selector_create(lod, ploy_agent_id_make(1, 1), &env, &shopper) != PLOY_OK)
        return 1;
    *(int *)ploy_lod_selector_handover(shopper, NULL) = 5; // where it was going when we found it

    static const float metres[] = {10, 25, 60, 25, 10};
    ploy_importance_def weights = ploy_importance_def_default();
    ploy_lod_schedule_def bands = ploy_lod_schedule_def_default();
    ploy_importance importance = {0, 0, 0, 0};
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    int band = -1;
    for (int i = 0; i < 5; i++) {
        ploy_importance_input seen = ploy_importance_input_make();
        ploy_status status;
        seen.distance = metres[i];
        ploy_importance_step(&weights, &seen, 10, &importance);
        ploy_lod_schedule schedule = ploy_lod_schedule_find(&bands, importance.value, 1, band);
        band = schedule.band;
        printf("%2.0f m, importance %.2f, every %2d ticks: ", metres[i], importance.value,
               schedule.period);
        ploy_lod_selector_set_importance(shopper, importance.value);
        ploy_behavior_step(ploy_lod_selector_behavior(shopper), &context, &status);
    }
    ploy_behavior_exit(ploy_lod_selector_behavior(shopper), &context, PLOY_EXIT_REMOVED);
    ploy_lod_selector_destroy(shopper);
    ploy_lod_destroy(lod);
    return 0;
}
