// Runs of squad scripts; described in the header.
//
// Invariants while it runs:
//   (1) an actor's `at` is at most the length of its list;
//   (2) an actor in phase ACTING has a request in its manager, or it has just ended there;
//   (3) actors in phase OVER are at a joint step whose other actors are at it too.
#include "ploy/tactics/squad_run.h"

#include <string.h>

#include "squad_internal.h"

enum { RUN_MANAGER_QUEUE = 4, RUN_MANAGER_ACTIVE = 4, RUN_MANAGER_LOG = 16 };

typedef enum run_phase {
    RUN_FRESH,   // has just come to the step
    RUN_WAITING, // for signals, or for its partners before a joint action
    RUN_ACTING,
    RUN_OVER, // its part of a joint action is done
    RUN_PHASES
} run_phase;

typedef struct run_actor {
    ploy_agent_id agent;
    ploy_action_manager *manager;
    int32_t at;
    run_phase phase;
    double since;                // s, when it came to the step
    double acts;                 // s, when its last action began; for the lanes
    ploy_action_entry_id action; // of the step, while ACTING
    ploy_action_entry_id idle;   // none: none
    bool requested;              // in this tick: the manager has to start it
    bool restart;                // after a load or reload: bodies know nothing of it
} run_actor;

struct ploy_squad_run {
    ploy_env env;
    const ploy_squad_scripts *scripts;
    ploy_signals *signals;
    uint64_t scope;
    int32_t script; // -1: none
    int32_t count;  // actors
    ploy_squad_outcome outcome;
    ploy_squad_reason reason;
    int32_t line; // where it was aborted; 0: nowhere
    ploy_result error;
    run_actor actors[PLOY_SQUAD_ACTORS_MAX];
    ployi_squad_lanes lanes;
};

const char *ploy_squad_outcome_text(ploy_squad_outcome outcome) {
    static const char *const texts[] = {"idle", "running", "done", "aborted"};
    return (uint32_t)outcome < PLOY_SQUAD_OUTCOMES ? texts[outcome] : "?";
}

const char *ploy_squad_reason_text(ploy_squad_reason reason) {
    static const char *const texts[] = {"", "timed out", "failed", "casualty", "called off"};
    return (uint32_t)reason < PLOY_SQUAD_REASONS ? texts[reason] : "?";
}

ploy_result ploy_squad_run_create(const ploy_squad_scripts *scripts, ploy_signals *signals,
                                  uint64_t scope, const ploy_env *env, ploy_squad_run **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (scripts == NULL || signals == NULL || scope == 0 || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_squad_run *run = ploy_env_alloc_zero(env, sizeof *run);
    if (run == NULL) return PLOY_ERR_MEMORY;
    run->env = *env;
    run->scripts = scripts;
    run->signals = signals;
    run->scope = scope;
    run->script = -1;
    *out = run;
    return PLOY_OK;
}

static void run_drop_managers(ploy_squad_run *run) {
    for (int32_t i = 0; i < run->count; i++) {
        ploy_action_manager_destroy(run->actors[i].manager);
        run->actors[i].manager = NULL;
    }
}

void ploy_squad_run_destroy(ploy_squad_run *run) {
    if (run == NULL) return;
    ploy_env env = run->env;
    run_drop_managers(run);
    ploy_env_free(&env, run, sizeof *run);
}

// ---- access

static const ployi_squad_script *run_script(const ploy_squad_run *run) {
    return ployi_squad_script_at(run->scripts, run->script);
}

static const ployi_squad_actor *run_list(const ploy_squad_run *run, int32_t actor) {
    return ployi_squad_actor_at(run->scripts, run_script(run), actor);
}

static const ployi_squad_step *run_step_of(const ploy_squad_run *run, int32_t actor) {
    return ployi_squad_step_at(run->scripts, run_list(run, actor), run->actors[actor].at);
}

static uint64_t run_scope(const ploy_squad_run *run, const ployi_squad_signal *signal) {
    return (signal->flags & PLOYI_SQUAD_SHARED) != 0 ? 0 : run->scope;
}

static bool run_is_set(const ploy_squad_run *run, int32_t id) {
    const ployi_squad_signal *signal = ployi_squad_signal_at(run->scripts, run_script(run), id);
    return ploy_signals_has(run->signals, run_scope(run, signal), signal->hash);
}

// Signals of the script. What all squads share and only the game sets stays.
static void run_clear_signals(ploy_squad_run *run, const ployi_squad_script *script) {
    const uint32_t others = PLOYI_SQUAD_SHARED | PLOYI_SQUAD_EXTERNAL;
    for (int32_t i = 0; i < script->signal_count; i++) {
        const ployi_squad_signal *signal = ployi_squad_signal_at(run->scripts, script, i);
        if ((signal->flags & others) == others) continue;
        (void)ploy_signals_clear(run->signals, run_scope(run, signal), signal->hash);
    }
}

// ---- begin and end

static ploy_result run_make_managers(const ploy_squad_run *run, const ploy_squad_scripts *scripts,
                                     const ploy_agent_id *agents, int32_t count,
                                     ploy_action_manager **out) {
    ploy_action_manager_def def = ploy_action_manager_def_default();
    def.queue = RUN_MANAGER_QUEUE;
    def.active = RUN_MANAGER_ACTIVE;
    def.parts = scripts->parts > 1 ? scripts->parts : 1;
    def.log = RUN_MANAGER_LOG;
    for (int32_t i = 0; i < count; i++) {
        ploy_result result =
            ploy_action_manager_create(&def, scripts->book, agents[i], &run->env, &out[i]);
        if (result == PLOY_OK) continue;
        while (i-- > 0) ploy_action_manager_destroy(out[i]);
        return result;
    }
    return PLOY_OK;
}

ploy_result ploy_squad_run_begin(ploy_squad_run *run, int32_t index, const ploy_agent_id *agents,
                                 int32_t count, double now) {
    if (run == NULL || agents == NULL) return PLOY_ERR_ARGUMENT;
    const ployi_squad_script *script = ployi_squad_script_at(run->scripts, index);
    if (script == NULL || count != script->actor_count) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < count; i++) {
        if (ploy_id_is_none(agents[i].id)) return PLOY_ERR_ARGUMENT;
    }
    if (run->outcome == PLOY_SQUAD_RUNNING) return PLOY_ERR_STATE;
    ploy_action_manager *managers[PLOY_SQUAD_ACTORS_MAX];
    ploy_result result = run_make_managers(run, run->scripts, agents, count, managers);
    if (result != PLOY_OK) return result;
    run_drop_managers(run);
    memset(run->actors, 0, sizeof run->actors);
    for (int32_t i = 0; i < count; i++) {
        run->actors[i].agent = agents[i];
        run->actors[i].manager = managers[i];
        run->actors[i].since = now;
        run->actors[i].acts = now - 1.0; // none yet
    }
    ployi_squad_lanes_begin(&run->lanes, now);
    run->script = index;
    run->count = count;
    run->outcome = PLOY_SQUAD_RUNNING;
    run->reason = PLOY_SQUAD_NO_REASON;
    run->line = 0;
    run->error = PLOY_OK;
    run_clear_signals(run, script); // a stale signal would release a wait at once
    return PLOY_OK;
}

static void run_cancel(run_actor *actor, ploy_actions *actions, double now) {
    ploy_action_entry_id none = {{0, 0}};
    // An entry that has ended is not found, which is as well.
    (void)ploy_action_manager_cancel(actor->manager, actions, actor->action, now);
    (void)ploy_action_manager_cancel(actor->manager, actions, actor->idle, now);
    actor->action = actor->idle = none;
}

static void run_end(ploy_squad_run *run, ploy_actions *actions, ploy_squad_reason reason,
                    int32_t line, double now) {
    for (int32_t i = 0; i < run->count; i++) run_cancel(&run->actors[i], actions, now);
    run_clear_signals(run, run_script(run));
    run->outcome = PLOY_SQUAD_ABORTED;
    run->reason = reason;
    run->line = line;
}

void ploy_squad_run_abort(ploy_squad_run *run, ploy_actions *actions, double now) {
    if (run == NULL || run->outcome != PLOY_SQUAD_RUNNING) return;
    run_end(run, actions, PLOY_SQUAD_CALLED_OFF, 0, now);
}

ploy_result ploy_squad_run_lose(ploy_squad_run *run, ploy_actions *actions, ploy_agent_id agent,
                                double now) {
    if (run == NULL || run->outcome != PLOY_SQUAD_RUNNING) return PLOY_ERR_NOT_FOUND;
    ploy_agent_id left[PLOY_SQUAD_ACTORS_MAX];
    int32_t count = 0, line = 0;
    for (int32_t i = 0; i < run->count; i++) {
        if (!ploy_id_equal(run->actors[i].agent.id, agent.id)) {
            left[count++] = run->actors[i].agent;
        } else if (run_step_of(run, i) != NULL) {
            line = run_step_of(run, i)->line;
        }
    }
    if (count == run->count) return PLOY_ERR_NOT_FOUND;
    const ployi_squad_script *script = run_script(run);
    int32_t next = script->fallback;
    // Each fallback is tried once: a file may name them in a circle.
    for (int32_t tries = ploy_squad_scripts_count(run->scripts); next >= 0 && tries > 0; tries--) {
        if (ployi_squad_script_at(run->scripts, next)->actor_count <= count) break;
        next = ployi_squad_script_at(run->scripts, next)->fallback;
    }
    bool fits = next >= 0 && ployi_squad_script_at(run->scripts, next)->actor_count <= count;
    const ployi_squad_signal *kept[PLOY_SQUAD_SIGNALS_MAX];
    int32_t kept_count = 0;
    for (int32_t i = 0; i < script->signal_count && fits; i++) {
        const ployi_squad_signal *signal = ployi_squad_signal_at(run->scripts, script, i);
        if ((signal->flags & PLOYI_SQUAD_KEEP) != 0 && run_is_set(run, i)) {
            kept[kept_count++] = signal;
        }
    }
    run_end(run, actions, PLOY_SQUAD_CASUALTY, line, now);
    if (!fits) return PLOY_OK;
    count = ployi_squad_script_at(run->scripts, next)->actor_count;
    ploy_result result = ploy_squad_run_begin(run, next, left, count, now);
    for (int32_t i = 0; i < kept_count && result == PLOY_OK; i++) {
        result = ploy_signals_set(run->signals, run_scope(run, kept[i]), kept[i]->hash, now);
        if (result != PLOY_OK) run_end(run, actions, PLOY_SQUAD_CASUALTY, line, now);
    }
    return result;
}

// ---- a step

static void run_next(ploy_squad_run *run, run_actor *actor, double now) {
    ployi_squad_lanes_pass(&run->lanes, (int32_t)(actor - run->actors), actor->at, actor->since,
                           actor->acts, now);
    actor->at++;
    actor->acts = now - 1.0;
    actor->phase = RUN_FRESH;
    actor->since = now;
}

// Asks the manager for an action of the book.
static ploy_action_entry_id run_request(ploy_squad_run *run, run_actor *actor, int32_t action,
                                        int32_t line, double now) {
    ploy_action_entry_id entry = {{0, 0}};
    ploy_name kind = ploy_name_of(ploy_action_book_name(run->scripts->book, action));
    ploy_action_request request = ploy_action_request_make(actor->agent, kind, PLOY_ACTION_MOVE);
    request.token = (uint64_t)line;
    ploy_result result = ploy_action_manager_request(actor->manager, &request, NULL, now, &entry);
    if (result != PLOY_OK) run->error = result;
    actor->requested = true;
    return entry;
}

// Whether an action has ended, and how.
static bool run_ended(const run_actor *actor, ploy_action_entry_id entry, bool *succeeded) {
    if (ploy_action_manager_get(actor->manager, entry) != NULL) return false;
    *succeeded = false;
    for (int32_t i = ploy_action_manager_event_count(actor->manager) - 1; i >= 0; i--) {
        ploy_action_event event;
        if (!ploy_action_manager_event(actor->manager, i, &event)) break;
        if (!ploy_id_equal(event.entry.id, entry.id)) continue;
        *succeeded = event.kind == PLOY_ACTION_COMPLETED;
        return true;
    }
    return true;
}

// While it waits; begins again when it has ended.
static void run_idle(ploy_squad_run *run, run_actor *actor, const ployi_squad_step *step,
                     double now) {
    bool succeeded = false;
    if (step->idle < 0) return;
    if (!ploy_id_is_none(actor->idle.id) && !run_ended(actor, actor->idle, &succeeded)) return;
    actor->idle = run_request(run, actor, step->idle, step->line, now);
}

static void run_stop_idle(run_actor *actor, ploy_actions *actions, double now) {
    if (ploy_id_is_none(actor->idle.id)) return;
    (void)ploy_action_manager_cancel(actor->manager, actions, actor->idle, now);
    actor->idle.id = ploy_id_make(0, 0);
}

static bool run_timed_out(const run_actor *actor, const ployi_squad_step *step, double now) {
    return step->timeout > 0.0f && now - actor->since >= (double)step->timeout;
}

static bool run_wait(ploy_squad_run *run, int32_t index, const ployi_squad_step *step,
                     ploy_actions *actions, double now) {
    run_actor *actor = &run->actors[index];
    bool all = true;
    for (int32_t i = 0; i < step->id_count && all; i++) {
        all = run_is_set(run, ployi_squad_id(run->scripts, step, i));
    }
    bool over = !all && run_timed_out(actor, step, now);
    if (over && !step->go_on) {
        run_end(run, actions, PLOY_SQUAD_TIMED_OUT, step->line, now);
        return false;
    }
    if (all || over) {
        run_stop_idle(actor, actions, now);
        run_next(run, actor, now);
        return true;
    }
    if (actor->phase == RUN_FRESH) actor->phase = RUN_WAITING;
    return false;
}

// Starts the action of a step, or looks whether it has ended. True if it has, with success.
static bool run_act(ploy_squad_run *run, run_actor *actor, const ployi_squad_step *step,
                    ploy_actions *actions, double now) {
    bool succeeded = false;
    if (actor->phase != RUN_ACTING) {
        run_stop_idle(actor, actions, now);
        actor->action = run_request(run, actor, step->action, step->line, now);
        actor->phase = RUN_ACTING;
        actor->acts = now;
        return false;
    }
    if (!run_ended(actor, actor->action, &succeeded)) return false;
    actor->action.id = ploy_id_make(0, 0);
    if (!succeeded) run_end(run, actions, PLOY_SQUAD_FAILED, step->line, now);
    return succeeded;
}

// Whether all actors of the joint are at it in that phase.
static bool run_met(const ploy_squad_run *run, int32_t joint, run_phase phase) {
    for (int32_t i = 0; i < run->count; i++) {
        if (!ployi_squad_joins(run->scripts, run_list(run, i), joint)) continue;
        const ployi_squad_step *step = run_step_of(run, i);
        if (step == NULL || step->kind != PLOY_SQUAD_JOINT ||
            ployi_squad_id(run->scripts, step, 0) != joint || run->actors[i].phase != phase) {
            return false;
        }
    }
    return true;
}

static bool run_joint(ploy_squad_run *run, int32_t index, const ployi_squad_step *step,
                      ploy_actions *actions, double now) {
    run_actor *actor = &run->actors[index];
    int32_t joint = ployi_squad_id(run->scripts, step, 0);
    if (actor->phase == RUN_FRESH) {
        actor->phase = RUN_WAITING;
        return true;
    }
    if (actor->phase == RUN_ACTING) {
        if (!run_act(run, actor, step, actions, now)) return false;
        actor->phase = RUN_OVER;
        return true;
    }
    bool begins = actor->phase == RUN_WAITING && run_met(run, joint, RUN_WAITING);
    bool ends = actor->phase == RUN_OVER && run_met(run, joint, RUN_OVER);
    if (!begins && !ends) {
        if (actor->phase == RUN_WAITING && run_timed_out(actor, step, now)) {
            run_end(run, actions, PLOY_SQUAD_TIMED_OUT, step->line, now);
        }
        return false;
    }
    for (int32_t i = 0; i < run->count; i++) {
        if (!ployi_squad_joins(run->scripts, run_list(run, i), joint)) continue;
        const ployi_squad_step *own = run_step_of(run, i);
        if (begins) {
            (void)run_act(run, &run->actors[i], own, actions, now);
        } else {
            run_stop_idle(&run->actors[i], actions, now);
            run_next(run, &run->actors[i], now);
        }
    }
    return true;
}

// Goes on with one actor. True if that changed something that others may wait for.
static bool run_advance(ploy_squad_run *run, int32_t index, ploy_actions *actions, double now) {
    run_actor *actor = &run->actors[index];
    const ployi_squad_step *step = run_step_of(run, index);
    if (step == NULL || run->error != PLOY_OK) return false;
    switch (step->kind) {
    case PLOY_SQUAD_SIGNAL: {
        const ployi_squad_signal *signal = ployi_squad_signal_at(
            run->scripts, run_script(run), ployi_squad_id(run->scripts, step, 0));
        run->error = ploy_signals_set(run->signals, run_scope(run, signal), signal->hash, now);
        if (run->error != PLOY_OK) return false;
        run_next(run, actor, now);
        return true;
    }
    case PLOY_SQUAD_WAIT: return run_wait(run, index, step, actions, now);
    case PLOY_SQUAD_JOINT: return run_joint(run, index, step, actions, now);
    default:
        if (!run_act(run, actor, step, actions, now)) return false;
        run_next(run, actor, now);
        return true;
    }
}

static void run_trace(const ploy_squad_run *run, ploy_trace *trace) {
    if (trace == NULL) return;
    for (int32_t i = 0; i < run->count; i++) {
        const ployi_squad_step *step = run_step_of(run, i);
        if (step == NULL) continue;
        ploy_trace_begin(trace, run->actors[i].agent, "step", "squad script");
        const char *why = "acts";
        bool waits = step->kind == PLOY_SQUAD_WAIT;
        if (waits) why = "waits for signals";
        if (step->kind == PLOY_SQUAD_JOINT && run->actors[i].phase != RUN_ACTING) {
            why = "waits for its partners";
        }
        ploy_trace_option(trace, step->text, waits ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_WON, 0.0,
                          why);
        for (int32_t k = 0; k < step->id_count && waits; k++) {
            int32_t id = ployi_squad_id(run->scripts, step, k);
            ploy_trace_option(trace, ployi_squad_signal_at(run->scripts, run_script(run), id)->name,
                              run_is_set(run, id) ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, 0.0,
                              run_is_set(run, id) ? "is set" : "is not set");
        }
        const ployi_squad_step *next =
            ployi_squad_step_at(run->scripts, run_list(run, i), run->actors[i].at + 1);
        ploy_trace_option(trace, next != NULL ? next->text : "the end", PLOY_OUTCOME_SKIPPED, 0.0,
                          "comes when this step is done");
        ploy_trace_i64(trace, "line", step->line);
        ploy_trace_end(trace);
    }
}

// After a load, bodies and managers do not know what the actor was doing: it begins again.
static void run_restart(ploy_squad_run *run, int32_t index, ploy_actions *actions, double now) {
    run_actor *actor = &run->actors[index];
    const ployi_squad_step *step = run_step_of(run, index);
    if (!actor->restart) return;
    actor->restart = false;
    run_cancel(actor, actions, now);
    if (actor->phase != RUN_ACTING || step == NULL || step->action < 0) return;
    actor->action = run_request(run, actor, step->action, step->line, now);
}

ploy_result ploy_squad_run_step(ploy_squad_run *run, ploy_actions *actions, double now, float dt,
                                ploy_trace *trace) {
    if (run == NULL || actions == NULL) return PLOY_ERR_ARGUMENT;
    if (run->outcome == PLOY_SQUAD_IDLE) return PLOY_ERR_STATE;
    if (run->outcome != PLOY_SQUAD_RUNNING) return PLOY_OK;
    run->error = PLOY_OK;
    run->lanes.now = now;
    for (int32_t i = 0; i < run->count; i++) {
        run->actors[i].requested = false;
        run_restart(run, i, actions, now);
        ploy_result result =
            ploy_action_manager_step(run->actors[i].manager, actions, now, dt, NULL);
        if (result != PLOY_OK) return result;
    }
    bool moved = true;
    while (moved && run->outcome == PLOY_SQUAD_RUNNING) {
        moved = false;
        for (int32_t i = 0; i < run->count && run->outcome == PLOY_SQUAD_RUNNING; i++) {
            while (run->outcome == PLOY_SQUAD_RUNNING && run_advance(run, i, actions, now)) {
                moved = true;
            }
        }
    }
    if (run->error != PLOY_OK) {
        ploy_result error = run->error;
        if (run->outcome == PLOY_SQUAD_RUNNING) run_end(run, actions, PLOY_SQUAD_FAILED, 0, now);
        return error;
    }
    if (run->outcome != PLOY_SQUAD_RUNNING) return PLOY_OK;
    bool done = true;
    for (int32_t i = 0; i < run->count; i++) {
        run_actor *actor = &run->actors[i];
        const ployi_squad_step *step = run_step_of(run, i);
        done = done && step == NULL;
        if (step != NULL && (actor->phase == RUN_WAITING || actor->phase == RUN_OVER)) {
            run_idle(run, actor, step, now);
        }
        if (!actor->requested) continue;
        // The second call starts what was asked for in this tick, without letting time pass again.
        ploy_result result = ploy_action_manager_step(actor->manager, actions, now, 0.0f, NULL);
        if (result != PLOY_OK) return result;
    }
    run_trace(run, trace);
    if (done) run->outcome = PLOY_SQUAD_DONE;
    return done ? PLOY_OK : PLOY_IN_PROGRESS;
}

// ---- reload

// Whether an actor's steps up to and with the present one are the same in both files.
static bool run_same_steps(const ploy_squad_run *run, int32_t index,
                           const ploy_squad_scripts *fresh, const ployi_squad_script *script) {
    const ployi_squad_actor *old_list = run_list(run, index);
    const ployi_squad_actor *new_list = ployi_squad_actor_at(fresh, script, index);
    if (strcmp(old_list->name, new_list->name) != 0) return false;
    if (run->actors[index].at > new_list->step_count) return false;
    for (int32_t i = 0; i <= run->actors[index].at; i++) {
        const ployi_squad_step *a = ployi_squad_step_at(run->scripts, old_list, i);
        const ployi_squad_step *b = ployi_squad_step_at(fresh, new_list, i);
        if (a == NULL) return true; // it was at its end: what is new goes on from there
        if (b == NULL || a->kind != b->kind || strcmp(a->text, b->text) != 0) return false;
    }
    return true;
}

ploy_result ploy_squad_run_reload(ploy_squad_run *run, const ploy_squad_scripts *fresh,
                                  ploy_actions *actions, double now, ploy_diags *diags) {
    if (run == NULL || fresh == NULL) return PLOY_ERR_ARGUMENT;
    if (run->outcome != PLOY_SQUAD_RUNNING) {
        run_drop_managers(run); // they point into the old file's book
        run->count = 0;
        run->scripts = fresh;
        run->script = -1;
        return PLOY_OK;
    }
    const char *name = run_script(run)->name;
    int32_t index = ploy_squad_scripts_find(fresh, name);
    const ployi_squad_script *script = ployi_squad_script_at(fresh, index);
    if (script == NULL || script->actor_count != run->count) {
        ploy_diags_add(diags, PLOY_SEVERITY_WARNING, PLOY_OK, fresh->file, 0, 0,
                       "the running script is gone or has another number of actors: aborted", NULL,
                       NULL);
        run_end(run, actions, PLOY_SQUAD_CALLED_OFF, 0, now);
        return ploy_squad_run_reload(run, fresh, actions, now, diags);
    }
    ploy_agent_id agents[PLOY_SQUAD_ACTORS_MAX] = {{{0}}};
    ploy_action_manager *managers[PLOY_SQUAD_ACTORS_MAX];
    bool same = true;
    for (int32_t i = 0; i < run->count; i++) {
        agents[i] = run->actors[i].agent;
        same = same && run_same_steps(run, i, fresh, script);
    }
    ploy_result result = run_make_managers(run, fresh, agents, run->count, managers);
    if (result != PLOY_OK) return result;
    if (!same) {
        run_clear_signals(run, run_script(run));
        ploy_diags_add(diags, PLOY_SEVERITY_WARNING, PLOY_OK, fresh->file, script->line, 1,
                       "steps that were done have changed: the script begins again", NULL, NULL);
    }
    for (int32_t i = 0; i < run->count; i++) {
        run_actor *actor = &run->actors[i];
        run_cancel(actor, actions, now);
        ploy_action_manager_destroy(actor->manager);
        actor->manager = managers[i];
        actor->restart = same;
        if (same) continue;
        actor->at = 0;
        actor->phase = RUN_FRESH;
        actor->since = now;
    }
    run->scripts = fresh;
    run->script = index;
    if (!same) run_clear_signals(run, run_script(run));
    return PLOY_OK;
}

// ---- reading it

ploy_squad_outcome ploy_squad_run_outcome_of(const ploy_squad_run *run) {
    return run != NULL ? run->outcome : PLOY_SQUAD_IDLE;
}

ploy_squad_reason ploy_squad_run_reason_of(const ploy_squad_run *run) {
    return run != NULL ? run->reason : PLOY_SQUAD_NO_REASON;
}

int32_t ploy_squad_run_line(const ploy_squad_run *run) {
    return run != NULL ? run->line : 0;
}

int32_t ploy_squad_run_script(const ploy_squad_run *run) {
    return run != NULL ? run->script : -1;
}

ploy_result ploy_squad_run_actor(const ploy_squad_run *run, int32_t index,
                                 ploy_squad_actor_info *out) {
    if (run == NULL || out == NULL || index < 0 || index >= run->count) return PLOY_ERR_ARGUMENT;
    const run_actor *actor = &run->actors[index];
    const ployi_squad_step *step = run_step_of(run, index);
    out->agent = actor->agent;
    out->step = actor->at;
    out->line = step != NULL ? step->line : 0;
    out->waiting = actor->phase == RUN_WAITING || actor->phase == RUN_OVER;
    out->since = actor->since;
    return PLOY_OK;
}

// ---- sight

static const char *run_phase_of(int32_t phase) {
    static const char *const texts[] = {"fresh", "waiting", "acting", "over"};
    return phase >= 0 && phase < RUN_PHASES ? texts[phase] : "?";
}

static const char *run_outcome_of(int32_t outcome) {
    return ploy_squad_outcome_text((ploy_squad_outcome)outcome);
}

static const char *run_reason_of(int32_t reason) {
    static const char *const none = "none"; // a saved value needs a text
    return reason == 0 ? none : ploy_squad_reason_text((ploy_squad_reason)reason);
}

static void run_visit_actor(ploy_visit *v, ploy_squad_run *run, int32_t index) {
    run_actor *actor = &run->actors[index];
    const ployi_squad_actor *list = run_list(run, index);
    ploy_visit_struct(v, "actor", actor, sizeof *actor);
    PLOY_VISIT_SCRATCH(v, actor->manager);
    PLOY_VISIT_SCRATCH(v, actor->action);
    PLOY_VISIT_SCRATCH(v, actor->idle);
    PLOY_VISIT_SCRATCH(v, actor->requested);
    PLOY_VISIT_SCRATCH(v, actor->acts);
    PLOY_VISIT_SCRATCH(v, actor->restart);
    ploy_describe_text(v->describe, "name", PLOY_NOTE, list->name);
    ploy_visit_id(v, "agent", PLOY_STATE, &actor->agent.id);
    ploy_visit_i32_in(v, "step", PLOY_STATE, &actor->at, 0, list->step_count); // keeps (1)
    const ployi_squad_step *step = run_step_of(run, index);
    if (v->describe != NULL && step != NULL) {
        ploy_describe_text(v->describe, "does", PLOY_NOTE, ploy_squad_step_text(step->kind));
        ploy_describe_text(v->describe, "what", PLOY_NOTE, step->text);
        ploy_describe_i64(v->describe, "line", PLOY_NOTE, step->line);
    }
    PLOY_VISIT_ENUM(v, "phase", PLOY_STATE, actor->phase, run_phase_of, RUN_PHASES);
    ploy_visit_f64(v, "since", PLOY_STATE, &actor->since);
    if (v->describe != NULL) {
        ployi_squad_lanes_describe(&run->lanes, run->scripts, run_script(run), index, actor->at,
                                   actor->since, actor->acts, v->describe);
    }
    bool restart = true;
    PLOY_VISIT_WRITE(v, actor->restart, restart);
    // A load begins the present action again, so that what its manager knows is not part of the state.
    if (v->mode == PLOY_VISIT_MEMORY && actor->manager != NULL) {
        ploy_action_manager_visit(v, actor->manager);
    }
}

void ploy_squad_run_visit(ploy_visit *v, void *object) {
    ploy_squad_run *run = object;
    ploy_visit_object(v, "squad_run", run, sizeof *run);
    PLOY_VISIT_SCRATCH(v, run->env);
    PLOY_VISIT_SCRATCH(v, run->scripts);
    PLOY_VISIT_SCRATCH(v, run->signals);
    PLOY_VISIT_SCRATCH(v, run->scope);
    PLOY_VISIT_SCRATCH(v, run->script);
    PLOY_VISIT_SCRATCH(v, run->count);
    PLOY_VISIT_SCRATCH(v, run->error);
    PLOY_VISIT_SCRATCH(v, run->actors);
    PLOY_VISIT_SCRATCH(v, run->lanes);
    if (ploy_visit_loads(v)) {
        uint64_t none = 0; // what another run passed is not this one's
        PLOY_VISIT_WRITE(v, run->lanes.count, none);
    }
    ploy_describe_f64(v->describe, "begun", PLOY_NOTE, run->lanes.begun);
    ploy_describe_f64(v->describe, "now", PLOY_NOTE, run->lanes.now);
    ploy_value script = ploy_value_i64(run->script);
    if (!ploy_visit_same(v, "script", PLOY_STATE, &script)) return;
    ploy_describe_text(v->describe, "name", PLOY_NOTE,
                       run->script >= 0 ? run_script(run)->name : "");
    PLOY_VISIT_ENUM(v, "outcome", PLOY_STATE, run->outcome, run_outcome_of, PLOY_SQUAD_OUTCOMES);
    ploy_visit_check(v, run->outcome == PLOY_SQUAD_IDLE || run->script >= 0,
                     "outcome has no script", NULL);
    PLOY_VISIT_ENUM(v, "reason", PLOY_STATE, run->reason, run_reason_of, PLOY_SQUAD_REASONS);
    ploy_visit_i32_in(v, "line", PLOY_STATE, &run->line, 0, INT32_MAX);
    int32_t count = ploy_visit_fixed(v, "actors", PLOY_STATE, run->count);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        run_visit_actor(v, run, i);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

void ploy_squad_run_describe(const ploy_squad_run *run, ploy_describe *out) {
    if (run == NULL || out == NULL) return;
    ploy_visit_describe(ploy_squad_run_visit, run, NULL, out);
}

static ploy_vec2 run_spot(ploy_vec2 at, float pitch, int32_t row, int32_t column) {
    return ploy_vec2_make(at.x + pitch * (float)column, at.y - pitch * (float)row);
}

// Lines from a signal to the waits for it, in other rows.
static void run_draw_links(const ploy_squad_run *run, int32_t row, int32_t column,
                           const ployi_squad_step *signal, ploy_vec2 at, float pitch,
                           ploy_draw *out) {
    int32_t id = ployi_squad_id(run->scripts, signal, 0);
    for (int32_t i = 0; i < run->count; i++) {
        const ployi_squad_actor *list = run_list(run, i);
        for (int32_t k = 0; k < list->step_count; k++) {
            const ployi_squad_step *step = ployi_squad_step_at(run->scripts, list, k);
            for (int32_t n = 0; n < step->id_count && step->kind == PLOY_SQUAD_WAIT; n++) {
                if (ployi_squad_id(run->scripts, step, n) != id) continue;
                ploy_draw_line(out, PLOY_LAYER_PATHS,
                               run_is_set(run, id) ? PLOY_STYLE_GOOD : PLOY_STYLE_GHOST,
                               run->actors[i].agent, run_spot(at, pitch, row, column),
                               run_spot(at, pitch, i, k));
            }
        }
    }
}

void ploy_squad_run_draw(const ploy_squad_run *run, ploy_vec2 at, float pitch, ploy_draw *out) {
    if (run == NULL || out == NULL || run->script < 0) return;
    for (int32_t i = 0; i < run->count; i++) {
        const ployi_squad_actor *list = run_list(run, i);
        const run_actor *actor = &run->actors[i];
        ploy_draw_text(out, actor->agent, run_spot(at, pitch, i, -3), list->name);
        ploy_draw_line(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, actor->agent,
                       run_spot(at, pitch, i, 0), run_spot(at, pitch, i, list->step_count - 1));
        for (int32_t k = 0; k < list->step_count; k++) {
            const ployi_squad_step *step = ployi_squad_step_at(run->scripts, list, k);
            if (step->kind == PLOY_SQUAD_SIGNAL) {
                run_draw_links(run, i, k, step, at, pitch, out);
            }
            static const ploy_style styles[] = {PLOY_STYLE_PLAIN, PLOY_STYLE_GOOD,
                                                PLOY_STYLE_WARNING, PLOY_STYLE_AGENT_B};
            ploy_vec2 spot = run_spot(at, pitch, i, k);
            ploy_draw_circle(out, PLOY_LAYER_AGENTS, styles[step->kind], actor->agent, spot,
                             0.3f * pitch);
            if (k == actor->at) {
                ploy_draw_disc(out, PLOY_LAYER_AGENTS, styles[step->kind], actor->agent, spot,
                               0.25f * pitch, 1.0f);
            }
        }
    }
}

void ploy_squad_run_memory(const ploy_squad_run *run, ploy_memory_fn fn, void *user) {
    if (run == NULL) return;
    ploy_visit_memory(ploy_squad_run_visit, run, fn, user);
}
