// A mind of two parts: a long search in slices and a mood, which share what the engine gives to
// their character. Shows ploy_group, ploy_task_behavior and the macros of resume.h.
#include <stdio.h>

#include "ploy/exec/engine.h"
#include "ploy/exec/group.h"
#include "ploy/exec/resume.h"
#include "ploy/exec/task_behavior.h"

// The search looks at a thousand places; what must survive a stop lives here.
typedef struct search {
    ploy_resume resume;
    int place, best;
} search;

static ploy_result search_step(void *self, ploy_budget *budget) {
    search *s = self;
    PLOY_RESUME_BEGIN(&s->resume);
    for (s->place = 0; s->place < 1000; s->place++) {
        PLOY_RESUME_SPEND(&s->resume, budget, 1); // stops here when the slice is used up
        if (s->place * 7919 % 1000 > s->best * 7919 % 1000) s->best = s->place;
    }
    printf("  found: place %d\n", s->best);
    PLOY_RESUME_END(&s->resume);
}

static ploy_result search_begin(void *user, const ploy_step_context *context, ploy_task *out) {
    static const ploy_task_type type = {"search", search_step, NULL, NULL};
    (void)context;
    out->type = &type;
    out->self = user;
    return PLOY_OK;
}

static ploy_result mood_step(void *self, ploy_step_context *context, ploy_status *status) {
    (void)self;
    printf("  the mood has %d units\n", (int)context->budget->units);
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

int main(void) {
    static const ploy_behavior_type mood = {.name = "mood", .step = mood_step};
    ploy_env env = ploy_env_default();
    ploy_scheduler_def policy = ploy_scheduler_def_default(); // by priority
    ploy_engine_def def = ploy_engine_def_default();
    ploy_engine *engine = NULL;
    ploy_group *group = NULL;
    ploy_task_behavior *task = NULL;
    search state = {0};
    if (ploy_engine_create(&def, &env, &engine) != PLOY_OK) return 1;
    if (ploy_group_create(&policy, &env, &group) != PLOY_OK) return 1;
    ploy_task_behavior_def find = {.name = "search", .begin = search_begin, .user = &state};
    if (ploy_task_behavior_create(&find, &env, &task) != PLOY_OK) return 1;
    ploy_group_member member = ploy_group_member_default();
    member.behavior = ploy_task_behavior_get(task);
    member.schedule.priority = 9;
    member.once = true;
    if (ploy_group_add(group, &member, NULL) != PLOY_OK) return 1;
    member = ploy_group_member_default();
    member.behavior.type = &mood;
    member.schedule.period = 2; // every second turn of the group
    if (ploy_group_add(group, &member, NULL) != PLOY_OK) return 1;
    ploy_engine_entry entry = ploy_engine_entry_default();
    entry.behavior = ploy_group_behavior(group); // the engine's from now on
    entry.agent = ploy_agent_id_make(1, 1);
    if (ploy_engine_register(engine, &entry, NULL) != PLOY_OK) return 1;
    for (int tick = 0; tick < 6; tick++) {
        ploy_budget budget = ploy_budget_units(300);
        printf("tick %d\n", tick);
        if (ploy_engine_step(engine, 0.1f, &budget, NULL) != PLOY_OK) return 1;
        printf("  spent %d\n", (int)budget.spent);
    }
    ploy_engine_destroy(engine);
    return 0;
}
