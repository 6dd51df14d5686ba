// State machines of resumable functions; described in the header.
//
// Invariants between calls:
//   (1) state is -1 or one that has begun and was not left;
//   (2) next is -1, but for a wish from outside a step.
#include "ploy/decide/routine.h"

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

void ploy_routine_halt(ploy_routine *routine, const ploy_routine_def *def, void *owner,
                       ploy_exit_reason reason) {
    if (routine == NULL || def == NULL) return;
    routine->next = -1;
    if (routine->state >= 0) routine_leave(routine, def, owner, reason);
}

void ploy_routine_describe(const ploy_routine *routine, const ploy_routine_def *def,
                           ploy_describe *out) {
    if (routine == NULL || def == NULL || out == NULL) return;
    bool in = routine->state >= 0 && routine->state < def->state_count;
    ploy_describe_text(out, "state", PLOY_STATE, in ? def->states[routine->state].name : "");
    // Where it stopped is a line of source: it tells the same states apart within one build, but
    // would make the hash change with every edit of a comment.
    ploy_describe_i64(out, "line", PLOY_NOTE, routine->resume.point);
    ploy_describe_bool(out, "midway", PLOY_STATE, routine->resume.point != 0);
    ploy_describe_u64(out, "changes", PLOY_STATE, routine->changes);
    ploy_describe_f64(out, "until", PLOY_STATE, routine->until);
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
    ploy_routine_halt(&mind->routine, mind->def, mind->owner, reason);
}

static void routine_mind_destroy(void *self) {
    routine_mind *mind = self;
    ploy_env env = mind->env;
    ploy_env_free(&env, mind, routine_mind_head() + mind->memory);
}

static void routine_mind_describe(const void *self, ploy_describe *out) {
    const routine_mind *mind = self;
    ploy_routine_describe(&mind->routine, mind->def, out);
    if (mind->memory > 0) {
        ploy_describe_u64(out, "memory", PLOY_STATE, ploy_hash_bytes(mind->owner, mind->memory, 0));
    }
}

// { "state": "patrol", "next": "sleep", "until": 3.5, "changes": 2, "version": 1, "line": 41,
//   "memory": ["00ff"] }
static void routine_mind_save(const void *self, ploy_json_writer *out) {
    const routine_mind *mind = self;
    const ploy_routine_def *def = mind->def;
    const ploy_routine *routine = &mind->routine;
    ploy_json_write_begin_object(out);
    if (routine->state >= 0 && routine->state < def->state_count) {
        ployi_save_text(out, "state", def->states[routine->state].name);
    }
    if (routine->next >= 0 && routine->next < def->state_count) {
        ployi_save_text(out, "next", def->states[routine->next].name);
    }
    if (ploy_is_finite_d(routine->until)) ployi_save_f64(out, "until", routine->until);
    ployi_save_u64(out, "changes", routine->changes);
    ployi_save_u64(out, "version", def->version);
    ployi_save_u64(out, "line", (uint64_t)routine->resume.point);
    if (mind->memory > 0) {
        ploy_json_write_key(out, "memory");
        ployi_save_bytes(out, mind->owner, mind->memory);
    }
    ploy_json_write_end_object(out);
}

// The number of a saved state; -1 if there is none, or it is gone.
static int32_t routine_load_state(const ploy_routine_def *def, const ploy_json *doc,
                                  ploy_json_node node, ploy_diags *diags) {
    const char *name = ploy_json_text(doc, node, NULL);
    if (name[0] == '\0') return -1;
    for (int32_t i = 0; i < def->state_count; i++) {
        if (strcmp(def->states[i].name, name) == 0) return i;
    }
    ploy_behavior_lost(doc, node, diags, "state", name, "is gone: the routine begins again");
    return -1;
}

static ploy_result routine_mind_load(void *self, ploy_step_context *context, const ploy_json *doc,
                                     ploy_json_node saved, ploy_diags *diags) {
    routine_mind *mind = self;
    const ploy_routine_def *def = mind->def;
    ploy_routine *routine = &mind->routine;
    (void)routine_mind_enter(self, context);
    ploy_json_node memory = ploy_json_member(doc, saved, "memory");
    bool kept = mind->memory == 0 || ployi_load_bytes(doc, memory, mind->owner, mind->memory);
    if (!kept) {
        ploy_behavior_lost(doc, memory, diags, "the memory of", def->name,
                           "has another size: the routine begins again");
        return PLOY_OK;
    }
    ploy_json_node name = ploy_json_member(doc, saved, "state");
    int32_t state = routine_load_state(def, doc, name, diags);
    routine->next = routine_load_state(def, doc, ploy_json_member(doc, saved, "next"), diags);
    if (state < 0) return PLOY_OK;
    uint64_t version = 0, line = 0, changes = 0;
    ployi_load_u64(doc, saved, "version", &version);
    ployi_load_u64(doc, saved, "line", &line);
    ployi_load_u64(doc, saved, "changes", &changes);
    (void)ployi_load_f64(doc, saved, "until", &routine->until);
    bool same = def->version != 0 && version == def->version && line <= INT32_MAX;
    if (!same && line != 0) {
        ploy_behavior_lost(doc, name, diags, "state", def->states[state].name,
                           "was in the middle: it begins again");
    }
    if (!same) {
        if (routine->next < 0) routine->next = state;
        return PLOY_OK;
    }
    routine->state = state;
    routine->changes = (uint32_t)changes;
    routine->resume.point = (int32_t)line;
    return PLOY_OK;
}

static const ploy_behavior_type routine_behavior = {.name = "routine",
                                                    .enter = routine_mind_enter,
                                                    .step = routine_mind_step,
                                                    .exit = routine_mind_exit,
                                                    .destroy = routine_mind_destroy,
                                                    .describe = routine_mind_describe,
                                                    .save = routine_mind_save,
                                                    .load = routine_mind_load};

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
