// State machines of resumable functions; described in the header.
//
// Invariants between calls:
//   (1) state is -1 or one that has begun and was not left;
//   (2) next is -1, except for a request from outside a step.
#include "ploy/decide/routine.h"

#include "decide/decide_internal.h"

#include <math.h>
#include <string.h>

#include "decide_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

ploy_routine ploy_routine_make(void) {
    ploy_routine routine;
    memset(&routine, 0, sizeof routine);
    routine.state = routine.next = -1;
    return routine;
}

void ploy_routine_go(ploy_routine *routine, int32_t state) {
    routine->next = state;
}

ploy_result ploy_routine_wait(ploy_routine *routine, double seconds) {
    routine->until = routine->now + seconds;
    return PLOY_IN_PROGRESS;
}

bool ploy_routine_waited(const ploy_routine *routine) {
    return !(routine->now < routine->until); // of NaN, too
}

static void routine_leave(ploy_routine *routine, const ploy_routine_def *def, void *owner,
                          ploy_exit_reason reason) {
    const ploy_routine_state *state = routine->state >= 0 && routine->state < def->state_count
                                          ? &def->states[routine->state]
                                          : NULL;
    routine->state = -1; // keeps (1), whatever leave does
    (void)ploy_resume_end(&routine->resume);
    if (state != NULL && state->leave != NULL) state->leave(owner, reason);
}

static ploy_result routine_fail(ploy_routine *routine, const ploy_routine_def *def, void *owner,
                                ploy_result result) {
    routine_leave(routine, def, owner, PLOY_EXIT_ERROR);
    routine->next = -1;
    return result;
}

static void routine_tell(const ploy_routine_def *def, const ploy_step_context *context,
                         int32_t state) {
    if (context->trace == NULL) return;
    ploy_trace_begin(context->trace, context->agent, def->name, "routine");
    ploy_trace_option(context->trace, def->states[state].name, PLOY_OUTCOME_WON, 0.0, "begins");
    ploy_trace_end(context->trace);
}

static ploy_result routine_run(ploy_routine *routine, const ploy_routine_def *def, void *owner,
                               ploy_step_context *context, ploy_status *status) {
    if (routine->state < 0 && routine->next < 0) routine->next = 0;
    if (def->watch != NULL && routine->state >= 0) def->watch(routine, owner);
    for (int32_t i = 0; i <= PLOY_ROUTINE_CHANGES_MAX; i++) {
        if (routine->next >= 0) {
            int32_t next = routine->next;
            routine->next = -1;
            if (next >= def->state_count) {
                return routine_fail(routine, def, owner, PLOY_ERR_ARGUMENT);
            }
            // Between two states of one step the first has come to its end by itself.
            if (routine->state >= 0) {
                routine_leave(routine, def, owner,
                              i == 0 ? PLOY_EXIT_INTERRUPTED : PLOY_EXIT_FINISHED);
            }
            routine->state = next;
            routine->changes++;
            routine_tell(def, context, next);
        }
        ploy_result result = def->states[routine->state].run != NULL
                                 ? def->states[routine->state].run(routine, owner)
                                 : PLOY_ERR_ARGUMENT;
        if (result < PLOY_OK) return routine_fail(routine, def, owner, result);
        if (routine->next >= 0) continue;
        *status = result == PLOY_OK ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
        if (result == PLOY_OK) routine_leave(routine, def, owner, PLOY_EXIT_FINISHED);
        return PLOY_OK;
    }
    return routine_fail(routine, def, owner, PLOY_ERR_LIMIT);
}

ploy_result ploy_routine_step(ploy_routine *routine, const ploy_routine_def *def, void *owner,
                              ploy_step_context *context, ploy_status *status) {
    if (routine == NULL || def == NULL || context == NULL || status == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    if (def->states == NULL || def->state_count <= 0) return PLOY_ERR_ARGUMENT;
    routine->now = context->now;
    routine->context = context;
    ploy_result result = routine_run(routine, def, owner, context, status);
    routine->context = NULL;
    return result;
}

void ployi_routine_halt(ploy_routine *routine, const ploy_routine_def *def, void *owner,
                        ploy_exit_reason reason) {
    if (routine == NULL || def == NULL) return;
    routine->next = -1;
    if (routine->state >= 0) routine_leave(routine, def, owner, reason);
}

static const char *routine_visit_text(const void *user, uint32_t number) {
    const ploy_routine_def *def = user;
    return number < (uint32_t)def->state_count ? def->states[number].name : "";
}

// { "state": "patrol", "next": "sleep", "until": 3.5, "changes": 2, "version": 1, "line": 41 }
static void routine_visit(ploy_visit *v, ploy_routine *routine, const ploy_routine_def *def) {
    ploy_visit_table states = {
        routine_visit_text,         NULL,    def,
        (uint32_t)def->state_count, "state", "no longer exists: the routine begins again"};
    ploy_visit_ref(v, "state", PLOY_STATE, (uint32_t *)&routine->state, &states);
    bool same = true;
    const ploy_json *doc = NULL;
    ploy_json_node node;
    ploy_json_writer *json = ploy_visit_writer(v, "version");
    if (json != NULL) ploy_json_write_u64(json, def->version);
    if (ploy_visit_reader(v, "version", &doc, &node, NULL)) {
        uint64_t version = 0;
        (void)ploy_json_u64(doc, node, &version);
        same = def->version != 0 && version == def->version;
    } else if (ploy_visit_loads(v)) {
        same = false;
    }
    // Where it stopped is a line of source: it distinguishes the same states within one build, but
    // would make the hash change with every edit of a comment.
    ploy_visit_i32_in(v, "line", PLOY_NOTE, &routine->resume.point, 0, INT32_MAX);
    ploy_describe_bool(v->describe, "midway", PLOY_STATE, routine->resume.point != 0);
    ploy_visit_u32(v, "changes", PLOY_STATE, &routine->changes);
    ploy_visit_f64_in(v, "until", PLOY_STATE, &routine->until, -(double)INFINITY, (double)INFINITY);
    int32_t none = -1, start = 0;
    PLOY_VISIT_SCRATCH(v, routine->next); // visited if there is one
    if (ploy_visit_optional(v, "next", routine->next >= 0)) {
        ploy_visit_ref(v, "next", PLOY_STATE, (uint32_t *)&routine->next, &states);
    } else {
        PLOY_VISIT_WRITE(v, routine->next, none);
    }
    PLOY_VISIT_SCRATCH(v, routine->now);
    PLOY_VISIT_SCRATCH(v, routine->context);
    if (same || routine->state < 0) return;
    if (routine->resume.point != 0 || !ploy_visit_tolerates(v)) {
        ploy_visit_lost(v, "state", def->states[routine->state].name,
                        "was in the middle: it begins again");
    }
    if (routine->next < 0) PLOY_VISIT_WRITE(v, routine->next, routine->state);
    PLOY_VISIT_WRITE(v, routine->state, none);
    PLOY_VISIT_WRITE(v, routine->resume.point, start);
}

static void routine_visit_bare(ploy_visit *v, void *object) {
    routine_visit(v, object, v->context);
}

void ploy_routine_describe(const ploy_routine *routine, const ploy_routine_def *def,
                           ploy_describe *out) {
    if (def == NULL) return;
    ploy_visit_describe(routine_visit_bare, routine, (void *)(uintptr_t)def, out);
}

// ---- as a behavior ----

typedef struct routine_mind {
    ploy_env env;
    const ploy_routine_def *def;
    void *owner;
    size_t memory; // of the owner, if it lies behind this; else 0
    ploy_routine routine;
} routine_mind;

static size_t routine_mind_head(void) {
    return (sizeof(routine_mind) + PLOY_ALIGNMENT - 1) / PLOY_ALIGNMENT * PLOY_ALIGNMENT;
}

static ploy_result routine_mind_enter(void *self, ploy_step_context *context) {
    routine_mind *mind = self;
    (void)context;
    mind->routine = ploy_routine_make();
    if (mind->memory > 0) memset(mind->owner, 0, mind->memory);
    return PLOY_OK;
}

static ploy_result routine_mind_step(void *self, ploy_step_context *context, ploy_status *status) {
    routine_mind *mind = self;
    return ploy_routine_step(&mind->routine, mind->def, mind->owner, context, status);
}

static void routine_mind_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    routine_mind *mind = self;
    (void)context;
    ployi_routine_halt(&mind->routine, mind->def, mind->owner, reason);
}

static void routine_mind_destroy(void *self) {
    routine_mind *mind = self;
    ploy_env env = mind->env;
    ploy_env_free(&env, mind, routine_mind_head() + mind->memory);
}

static void routine_mind_visit(ploy_visit *v, void *object) {
    routine_mind *mind = object;
    if (ploy_visit_tolerates(v)) (void)routine_mind_enter(mind, v->context);
    ploy_visit_object(v, "routine", mind, routine_mind_head() + mind->memory);
    PLOY_VISIT_SCRATCH(v, mind->env);
    PLOY_VISIT_SCRATCH(v, mind->def);
    PLOY_VISIT_SCRATCH(v, mind->owner);
    PLOY_VISIT_SCRATCH(v, mind->memory);
    ploy_visit_scratch(v, mind + 1, routine_mind_head() - sizeof *mind);
    routine_visit(v, &mind->routine, mind->def);
    if (mind->memory == 0 || ploy_visit_bytes(v, "memory", PLOY_STATE, mind->owner, mind->memory)) {
        return;
    }
    ploy_visit_lost(v, "the memory of", mind->def->name,
                    "has another size: the routine begins again");
    if (ploy_visit_tolerates(v)) (void)routine_mind_enter(mind, v->context);
}

static const ploy_behavior_type routine_behavior = {.name = "routine",
                                                    .enter = routine_mind_enter,
                                                    .step = routine_mind_step,
                                                    .exit = routine_mind_exit,
                                                    .destroy = routine_mind_destroy,
                                                    .visit = routine_mind_visit};

ploy_result ploy_routine_behavior(const ploy_routine_def *def, void *owner, const ploy_env *env,
                                  ploy_behavior *out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    out->type = NULL;
    out->self = NULL;
    if (def == NULL || env == NULL || def->states == NULL || def->state_count <= 0 ||
        def->memory < 0 || def->memory > PLOY_ROUTINE_MEMORY_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    size_t memory = owner == NULL ? (size_t)def->memory : 0;
    routine_mind *mind = ploy_env_alloc_zero(env, routine_mind_head() + memory);
    if (mind == NULL) return PLOY_ERR_MEMORY;
    mind->env = *env;
    mind->def = def;
    mind->memory = memory;
    mind->owner = memory > 0 ? (char *)mind + routine_mind_head() : owner;
    mind->routine = ploy_routine_make();
    out->type = &routine_behavior;
    out->self = mind;
    return PLOY_OK;
}

static ploy_result routine_make(void *user, const ploy_env *env, ploy_behavior *out) {
    return ploy_routine_behavior(user, NULL, env, out);
}

ploy_maker ploy_routine_maker(const ploy_routine_def *def) {
    return ploy_maker_of(routine_make, (void *)(uintptr_t)def); // read only
}
