// Acting on a provisional answer: a slow search for the nearest of many wells publishes its best
// after every slice, and the thirsty one walks there meanwhile. Shows ploy_anytime with a sliced task.
#include <math.h>
#include <stdio.h>

#include "ploy/exec/anytime.h"

typedef struct search {
    int at; // wells looked at
    int best;
    float distance;
} search;

static float well(int i) { // where it is along the road, in metres
    return (float)((i * 37 + 50) % 101) - 40.0f;
}

static ploy_result search_step(void *self, ploy_budget *budget) {
    search *s = self;
    for (; s->at < 12; s->at++) {
        if (!ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        float distance = fabsf(well(s->at));
        if (s->at == 0 || distance < s->distance) {
            s->best = s->at;
            s->distance = distance;
        }
    }
    return PLOY_OK;
}

static bool search_best(void *user, void *answer, float *quality) {
    const search *s = user;
    *(int *)answer = s->best;
    *quality = -s->distance; // nearer is better
    return s->at > 0;
}

// One tick of the thirsty one: think for three wells, then walk towards the best so far.
static ploy_result tick(ploy_anytime *answers, ploy_task task, uint64_t *seen, int *target,
                        float *x) {
    ploy_budget budget = ploy_budget_units(3);
    ploy_result result = PLOY_OK;
    if (!ploy_anytime_get(answers).finished) {
        result = ploy_anytime_step(answers, task, search_best, task.self, &budget);
    }
    if (result < PLOY_OK) return result;
    bool news = ploy_anytime_fetch(answers, seen, target); // a version that it has not seen
    if (well(*target) != *x) *x += well(*target) > *x ? 1.0f : -1.0f;
    printf("%s well %d at %.0f m, now at %.0f m%s\n", news ? "news: " : "still:", *target,
           (double)well(*target), (double)*x, ploy_anytime_get(answers).finished ? ", final" : "");
    return PLOY_OK;
}

int main(void) {
    static const ploy_task_type type = {"nearest well", search_step, NULL, NULL};
    ploy_env env = ploy_env_default();
    ploy_anytime_def def = ploy_anytime_def_default();
    ploy_anytime *answers = NULL;
    search work = {0, 0, 0.0f};
    ploy_task task = {&type, &work};
    def.size = sizeof(int);
    if (ploy_anytime_create(&def, &env, &answers) != PLOY_OK) return 1;
    ploy_anytime_begin(answers);
    uint64_t seen = 0;
    int target = -1;
    float x = 0.0f;
    ploy_result result = PLOY_OK;
    for (int i = 0; i < 6 && result == PLOY_OK; i++) {
        result = tick(answers, task, &seen, &target, &x);
    }
    ploy_anytime_destroy(answers);
    return result == PLOY_OK ? 0 : 1;
}
