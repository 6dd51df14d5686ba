// Why: ticks executed again with a trace, in slices.
//
//     here ----------------------------------------------- T   the recorder, before and after a slice
//          first phase:  nearest snapshot ~~> T - 1 -> T       with the caller's trace
//          second phase: pieces before T, growing, newest first, with a listener
//
// Invariants between two slices:
//   (1) the recorder is where its owner left it;
//   (2) mid is NULL, or a snapshot at which this piece goes on.
#include <string.h>

#include "inspect/recorder_internal.h"

// The first piece that is looked through, in ticks; each further one is four times as long.
#define WHY_PIECE 8

struct ploy_why {
    ploy_env env;
    ploy_recorder *recorder;
    uint64_t era;
    ploy_agent_id agent;
    ploy_trace trace; // the caller's
    bool traced;
    bool heard;          // the agent decided something in the tick that was executed last
    bool looking;        // second phase
    bool checked;        // hash is that of T
    uint64_t tick, hash; // T and its state
    uint64_t stop;       // the second phase ends here
    uint64_t first, end; // the piece: ticks first + 1 to end
    uint64_t piece;
    uint64_t found;
    ploy_snapshot *mid;
    ploy_result result;
};

// The listener hears everything and passes it on in the first phase.
static void why_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    ploy_why *why = user;
    if (ploy_id_is_none(why->agent.id) || ploy_id_equal(agent, why->agent.id)) why->heard = true;
    ploy_agent_id whose = {agent};
    if (why->traced) ploy_trace_begin(&why->trace, whose, topic, technique);
}
static void why_option(void *user, const char *name, ploy_outcome outcome, double score,
                       const char *reason) {
    ploy_why *why = user;
    if (why->traced) ploy_trace_option(&why->trace, name, outcome, score, reason);
}
static void why_value(void *user, const char *name, const ploy_value *value) {
    ploy_why *why = user;
    if (why->traced) ploy_trace_value(&why->trace, name, value);
}
static void why_note(void *user, const char *text) {
    ploy_why *why = user;
    if (why->traced) ploy_trace_note(&why->trace, text);
}
static void why_end(void *user) {
    ploy_why *why = user;
    if (why->traced) ploy_trace_end(&why->trace);
}

ploy_result ploy_why_create(ploy_recorder *recorder, ploy_agent_id agent, uint64_t look_back,
                            const ploy_trace *trace, const ploy_env *env, ploy_why **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (recorder == NULL) return PLOY_ERR_ARGUMENT;
    if (ploy_sim_tick(recorder->sim) == 0) return PLOY_ERR_STATE;
    return ploy_why_create_at(recorder, ploy_sim_tick(recorder->sim), agent, look_back, trace, env,
                              out);
}

ploy_result ploy_why_create_at(ploy_recorder *recorder, uint64_t tick, ploy_agent_id agent,
                               uint64_t look_back, const ploy_trace *trace, const ploy_env *env,
                               ploy_why **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (recorder == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (ploy_sim_stopped(recorder->sim)) return PLOY_ERR_STATE;
    uint64_t present = ploy_sim_tick(recorder->sim);
    if (tick == 0 || tick > present) return PLOY_ERR_ARGUMENT;
    ploy_why *why = ploy_env_alloc_zero(env, sizeof *why);
    if (why == NULL) return PLOY_ERR_MEMORY;
    why->env = *env;
    why->recorder = recorder;
    why->era = recorder->era;
    why->agent = agent;
    why->traced = trace != NULL;
    if (trace != NULL) why->trace = *trace;
    why->tick = tick;
    why->checked = tick == present;
    why->hash = ploy_sim_hash(recorder->sim);
    why->stop = tick > look_back ? tick - look_back : 0;
    why->first = tick - 1;
    why->end = tick;
    why->piece = WHY_PIECE;
    why->result = PLOY_IN_PROGRESS;
    *out = why;
    return PLOY_OK;
}

void ploy_why_destroy(ploy_why *why) {
    if (why == NULL) return;
    ploy_snapshot_destroy(why->mid);
    ploy_env env = why->env;
    ploy_env_free(&env, why, sizeof *why);
}

uint64_t ploy_why_last_tick(const ploy_why *why) {
    return why->found;
}

// The next piece before the one that was looked through; false if there is none.
static bool why_next_piece(ploy_why *why) {
    if (why->found != 0 || why->first <= why->stop) return false;
    why->looking = true;
    why->traced = false;
    why->end = why->first;
    why->first = why->end - why->stop > why->piece ? why->end - why->piece : why->stop;
    why->piece *= 4;
    return true;
}

// One tick towards the piece, or in it. @return PLOY_OK when all is done.
static ploy_result why_tick(ploy_why *why) {
    ploy_recorder *recorder = why->recorder;
    uint64_t tick = ploy_sim_tick(recorder->sim);
    bool inside = tick >= why->first;
    ploy_trace trace = {why_begin, why_option, why_value, why_note, why_end, why};
    why->heard = false;
    ploy_result result = ployi_recorder_execute(recorder, inside ? &trace : NULL);
    if (result != PLOY_OK) return result;
    tick++;
    if (why->heard) why->found = tick;
    if (!why->looking && why->checked && tick == why->tick &&
        ploy_sim_hash(recorder->sim) != why->hash) {
        ploy_env_log(&recorder->env, PLOY_SEVERITY_ERROR,
                     "tick was not reproducible when it was executed again");
        return PLOY_ERR_STATE;
    }
    if (tick < why->end) return PLOY_IN_PROGRESS;
    if (!why_next_piece(why)) return PLOY_OK;
    ployi_recorder_approach(recorder, why->first);
    return PLOY_IN_PROGRESS;
}

ploy_result ploy_why_step(ploy_why *why, ploy_budget *budget) {
    if (why == NULL) return PLOY_ERR_ARGUMENT;
    if (why->result != PLOY_IN_PROGRESS) return why->result;
    ploy_recorder *recorder = why->recorder;
    if (why->era != recorder->era || ploy_sim_stopped(recorder->sim)) {
        why->result = PLOY_ERR_CANCELLED;
        return why->result;
    }
    if (budget != NULL && ploy_budget_empty(budget)) return PLOY_IN_PROGRESS;
    // The return uses a snapshot, not trust in the re-execution that is under test here.
    ploy_snapshot *here = NULL;
    ploy_result result = ploy_sim_snapshot(recorder->sim, &here);
    if (result != PLOY_OK) return why->result = result;
    if (why->mid != NULL) {
        ploy_result there = ploy_sim_restore(recorder->sim, why->mid);
        PLOY_ASSERT(there == PLOY_OK);
        (void)there;
    } else {
        ployi_recorder_approach(recorder, why->first);
    }
    result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) break;
        result = why_tick(why);
    }
    ploy_snapshot_destroy(why->mid);
    why->mid = NULL;
    if (result == PLOY_IN_PROGRESS) {
        ploy_result kept = ploy_sim_snapshot(recorder->sim, &why->mid); // keeps (2)
        if (kept != PLOY_OK) result = kept;
    }
    ploy_result back = ploy_sim_restore(recorder->sim, here); // keeps (1)
    PLOY_ASSERT(back == PLOY_OK);
    (void)back;
    ploy_snapshot_destroy(here);
    return why->result = result;
}

ploy_result ploy_recorder_why(ploy_recorder *recorder, ploy_trace *trace) {
    if (recorder == NULL) return PLOY_ERR_ARGUMENT;
    ploy_why *why = NULL;
    ploy_result result =
        ploy_why_create(recorder, ploy_agent_id_none(), 0, trace, &recorder->env, &why);
    if (result != PLOY_OK) return result;
    result = ploy_why_step(why, NULL);
    ploy_why_destroy(why);
    return result;
}

ploy_result ploy_recorder_last_decision(ploy_recorder *recorder, ploy_agent_id agent, uint64_t most,
                                        uint64_t *out) {
    if (recorder == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    ploy_why *why = NULL;
    ploy_result result = ploy_why_create(recorder, agent, most, NULL, &recorder->env, &why);
    if (result != PLOY_OK) return result;
    result = most > 0 ? ploy_why_step(why, NULL) : PLOY_OK;
    uint64_t found = why->found;
    ploy_why_destroy(why);
    if (result != PLOY_OK) return result;
    if (found == 0) return PLOY_ERR_NOT_FOUND;
    *out = found;
    return PLOY_OK;
}

#undef WHY_PIECE
