// The linter of squad scripts.
//
// Signals are only ever set and every step can be passed at most once, so progress of one actor never
// takes a possible step from another: all orders of execution end in the same state. Running the actors
// greedily until none can go on therefore decides what trying every order would.
#include <string.h>

#include "squad_internal.h"

typedef struct lint_state {
    const ploy_squad_scripts *scripts;
    const ployi_squad_script *script;
    int32_t at[PLOY_SQUAD_ACTORS_MAX]; // the step at which each actor is
    bool set[PLOY_SQUAD_SIGNALS_MAX];
    bool hopeless[PLOY_SQUAD_ACTORS_MAX]; // is at a wait that is sure to time out
} lint_state;

bool ployi_squad_joins(const ploy_squad_scripts *scripts, const ployi_squad_actor *actor,
                       int32_t joint) {
    for (int32_t i = 0; i < actor->step_count; i++) {
        const ployi_squad_step *step = ployi_squad_step_at(scripts, actor, i);
        if (step->kind == PLOY_SQUAD_JOINT && ployi_squad_id(scripts, step, 0) == joint) {
            return true;
        }
    }
    return false;
}

static const ployi_squad_step *lint_step(const lint_state *state, int32_t actor) {
    return ployi_squad_step_at(state->scripts,
                               ployi_squad_actor_at(state->scripts, state->script, actor),
                               state->at[actor]);
}

static bool lint_satisfied(const lint_state *state, const ployi_squad_step *step) {
    for (int32_t i = 0; i < step->id_count; i++) {
        int32_t id = ployi_squad_id(state->scripts, step, i);
        uint32_t flags = ployi_squad_signal_at(state->scripts, state->script, id)->flags;
        if (!state->set[id] && (flags & PLOYI_SQUAD_EXTERNAL) == 0) return false;
    }
    return true;
}

// Whether all actors with this joint are at it.
static bool lint_met(const lint_state *state, int32_t joint) {
    for (int32_t i = 0; i < state->script->actor_count; i++) {
        if (!ployi_squad_joins(state->scripts,
                               ployi_squad_actor_at(state->scripts, state->script, i), joint)) {
            continue;
        }
        const ployi_squad_step *step = lint_step(state, i);
        if (step == NULL || step->kind != PLOY_SQUAD_JOINT ||
            ployi_squad_id(state->scripts, step, 0) != joint) {
            return false;
        }
    }
    return true;
}

static void lint_pass_joint(lint_state *state, int32_t joint) {
    for (int32_t i = 0; i < state->script->actor_count; i++) {
        if (ployi_squad_joins(state->scripts,
                              ployi_squad_actor_at(state->scripts, state->script, i), joint)) {
            state->at[i]++;
        }
    }
}

// Lets one actor pass one step, if it can without a timeout.
static bool lint_advance(lint_state *state, int32_t actor) {
    const ployi_squad_step *step = lint_step(state, actor);
    if (step == NULL) return false;
    if (step->kind == PLOY_SQUAD_WAIT && !lint_satisfied(state, step)) return false;
    if (step->kind == PLOY_SQUAD_JOINT) {
        int32_t joint = ployi_squad_id(state->scripts, step, 0);
        if (!lint_met(state, joint)) return false;
        lint_pass_joint(state, joint);
        return true;
    }
    if (step->kind == PLOY_SQUAD_SIGNAL) state->set[ployi_squad_id(state->scripts, step, 0)] = true;
    state->at[actor]++;
    return true;
}

// Passes one wait by its timeout, if it may go on after it. Only called where nothing else can happen.
static bool lint_time_out(lint_state *state) {
    for (int32_t i = 0; i < state->script->actor_count; i++) {
        const ployi_squad_step *step = lint_step(state, i);
        if (step == NULL || !step->go_on) continue;
        state->at[i]++;
        return true;
    }
    return false;
}

// Runs to the end. @return false if a timeout aborts the run there.
static bool lint_run(lint_state *state) {
    do {
        bool moved = true;
        while (moved) {
            moved = false;
            for (int32_t i = 0; i < state->script->actor_count; i++) {
                while (lint_advance(state, i)) moved = true;
            }
        }
    } while (lint_time_out(state));
    bool aborted = false;
    for (int32_t i = 0; i < state->script->actor_count; i++) {
        const ployi_squad_step *step = lint_step(state, i);
        state->hopeless[i] = step != NULL && step->timeout > 0.0f;
        aborted = aborted || state->hopeless[i];
    }
    return !aborted;
}

static void lint_begin(lint_state *state, const ploy_squad_scripts *scripts,
                       const ployi_squad_script *script) {
    memset(state, 0, sizeof *state);
    state->scripts = scripts;
    state->script = script;
}

static uint32_t lint_blocked(const lint_state *state) {
    uint32_t blocked = 0;
    for (int32_t i = 0; i < state->script->actor_count; i++) {
        if (lint_step(state, i) != NULL) blocked |= (uint32_t)1 << i;
    }
    return blocked;
}

uint32_t ploy_squad_scripts_deadlock(const ploy_squad_scripts *scripts, int32_t index) {
    const ployi_squad_script *script = ployi_squad_script_at(scripts, index);
    if (script == NULL) return 0;
    lint_state state;
    lint_begin(&state, scripts, script);
    return lint_run(&state) ? lint_blocked(&state) : 0;
}

// ---- messages

typedef struct lint_text {
    char text[PLOY_DIAG_TEXT_MAX];
    size_t size;
} lint_text;

static void lint_add(lint_text *out, const char *text) {
    size_t size = strlen(text), room = sizeof out->text - 1 - out->size;
    if (size > room) size = room;
    memcpy(out->text + out->size, text, size);
    out->size += size;
    out->text[out->size] = 0;
}

static void lint_quote(lint_text *out, const char *before, const char *name, const char *after) {
    lint_add(out, before);
    lint_add(out, "'");
    lint_add(out, name);
    lint_add(out, "'");
    lint_add(out, after);
}

// The actor that would signal the id if it could go on, or -1.
static int32_t lint_signaller(const lint_state *state, int32_t id) {
    for (int32_t i = 0; i < state->script->actor_count; i++) {
        const ployi_squad_actor *actor = ployi_squad_actor_at(state->scripts, state->script, i);
        for (int32_t k = state->at[i]; k < actor->step_count; k++) {
            const ployi_squad_step *step = ployi_squad_step_at(state->scripts, actor, k);
            if (step->kind == PLOY_SQUAD_SIGNAL && ployi_squad_id(state->scripts, step, 0) == id) {
                return i;
            }
        }
    }
    return -1;
}

// An actor that is not at the joint, though it is one of its actors; -1: none.
static int32_t lint_missing(const lint_state *state, int32_t joint) {
    for (int32_t i = 0; i < state->script->actor_count; i++) {
        const ployi_squad_step *step = lint_step(state, i);
        if (ployi_squad_joins(state->scripts,
                              ployi_squad_actor_at(state->scripts, state->script, i), joint) &&
            (step == NULL || step->kind != PLOY_SQUAD_JOINT ||
             ployi_squad_id(state->scripts, step, 0) != joint)) {
            return i;
        }
    }
    return -1;
}

static const char *lint_name(const lint_state *state, int32_t actor) {
    return ployi_squad_actor_at(state->scripts, state->script, actor)->name;
}

// "'a' waits for 'x', which 'b' signals only later": what holds up one actor, and why.
static void lint_explain(const lint_state *state, int32_t actor, lint_text *out) {
    const ployi_squad_step *step = lint_step(state, actor);
    lint_quote(out, "", lint_name(state, actor), "");
    if (step->kind == PLOY_SQUAD_JOINT) {
        lint_quote(out, " waits in joint ", step->text, "");
        int32_t missing = lint_missing(state, ployi_squad_id(state->scripts, step, 0));
        if (missing < 0) return;
        bool done = lint_step(state, missing) == NULL;
        lint_quote(out, " for ", lint_name(state, missing),
                   done ? ", which has no such step left" : ", which is held up itself");
        return;
    }
    for (int32_t i = 0; i < step->id_count; i++) {
        int32_t id = ployi_squad_id(state->scripts, step, i);
        const ployi_squad_signal *signal = ployi_squad_signal_at(state->scripts, state->script, id);
        if (state->set[id] || (signal->flags & PLOYI_SQUAD_EXTERNAL) != 0) continue;
        lint_quote(out, " waits for ", signal->name, "");
        int32_t other = lint_signaller(state, id);
        if (other < 0) {
            lint_add(out, ", which no actor signals");
        } else if (other == actor) {
            lint_add(out, ", which it signals only later");
        } else {
            lint_quote(out, ", which ", lint_name(state, other), " signals only later");
        }
        return;
    }
}

static void lint_report(const lint_state *state, ploy_severity severity, int32_t line,
                        const lint_text *text, const char *nearest, ploy_diags *diags) {
    ploy_diags_add(diags, severity, severity == PLOY_SEVERITY_ERROR ? PLOY_ERR_STATE : PLOY_OK,
                   state->scripts->file, line, 1, text->text, NULL, nearest);
}

// The signal whose name is like the one that the blocked wait names: perhaps it is misspelt.
static const char *lint_nearest(const lint_state *state, const ployi_squad_step *step) {
    if (step->kind != PLOY_SQUAD_WAIT) return NULL;
    ploy_nearest nearest = ploy_nearest_make(step->text);
    for (int32_t i = 0; i < state->script->signal_count; i++) {
        const char *name = ployi_squad_signal_at(state->scripts, state->script, i)->name;
        if (lint_signaller(state, i) >= 0 && strcmp(name, step->text) != 0) {
            ploy_nearest_offer(&nearest, name);
        }
    }
    return lint_signaller(state, ployi_squad_id(state->scripts, step, 0)) < 0 ? nearest.best : NULL;
}

static int32_t lint_deadlocks(const lint_state *state, ploy_diags *diags) {
    int32_t errors = 0;
    for (int32_t i = 0; i < state->script->actor_count; i++) {
        const ployi_squad_step *step = lint_step(state, i);
        if (step == NULL) continue;
        lint_text text = {"", 0};
        lint_quote(&text, "deadlock in ", state->script->name, ": ");
        lint_explain(state, i, &text);
        lint_report(state, PLOY_SEVERITY_ERROR, step->line, &text, lint_nearest(state, step),
                    diags);
        errors++;
    }
    return errors;
}

static void lint_signals(const lint_state *state, ploy_diags *diags) {
    bool used[PLOY_SQUAD_SIGNALS_MAX] = {false};
    for (int32_t i = 0; i < state->script->actor_count; i++) {
        const ployi_squad_actor *actor = ployi_squad_actor_at(state->scripts, state->script, i);
        for (int32_t k = 0; k < actor->step_count; k++) {
            const ployi_squad_step *step = ployi_squad_step_at(state->scripts, actor, k);
            if (step->kind != PLOY_SQUAD_WAIT) continue;
            for (int32_t n = 0; n < step->id_count; n++) {
                int32_t id = ployi_squad_id(state->scripts, step, n);
                const ployi_squad_signal *signal =
                    ployi_squad_signal_at(state->scripts, state->script, id);
                used[id] = true;
                if ((signal->flags & PLOYI_SQUAD_EXTERNAL) == 0 || step->timeout > 0.0f) continue;
                lint_text text = {"", 0};
                lint_quote(&text, "the wait for ", signal->name,
                           ", which the game sets, has no timeout");
                lint_report(state, PLOY_SEVERITY_WARNING, step->line, &text, NULL, diags);
            }
        }
    }
    for (int32_t i = 0; i < state->script->signal_count; i++) {
        const ployi_squad_signal *signal = ployi_squad_signal_at(state->scripts, state->script, i);
        // What all squads share, and what the game keeps, may be read elsewhere.
        if (used[i] || (signal->flags & (PLOYI_SQUAD_SHARED | PLOYI_SQUAD_KEEP)) != 0) continue;
        lint_text text = {"", 0};
        lint_quote(&text, "no wait uses the signal ", signal->name, "");
        lint_report(state, PLOY_SEVERITY_WARNING, signal->line, &text, NULL, diags);
    }
}

int32_t ploy_squad_scripts_lint(const ploy_squad_scripts *scripts, ploy_diags *diags) {
    int32_t errors = 0;
    for (int32_t s = 0; s < ploy_squad_scripts_count(scripts); s++) {
        const ployi_squad_script *script = ployi_squad_script_at(scripts, s);
        lint_state state;
        lint_begin(&state, scripts, script);
        bool aborted = !lint_run(&state);
        if (!aborted) errors += lint_deadlocks(&state, diags);
        for (int32_t i = 0; i < script->actor_count; i++) {
            const ployi_squad_step *step = lint_step(&state, i);
            if (!aborted || !state.hopeless[i] || step == NULL) continue;
            lint_text text = {"", 0};
            lint_quote(&text, "sure to time out in ", script->name, ": ");
            lint_explain(&state, i, &text);
            lint_report(&state, PLOY_SEVERITY_WARNING, step->line, &text,
                        lint_nearest(&state, step), diags);
        }
        lint_signals(&state, diags);
        const ployi_squad_script *less = ployi_squad_script_at(scripts, script->fallback);
        if (less != NULL && less->actor_count >= script->actor_count) {
            lint_text text = {"", 0};
            lint_quote(&text, "the fallback ", less->name, " needs as many actors");
            lint_report(&state, PLOY_SEVERITY_WARNING, script->fallback_line, &text, NULL, diags);
        }
    }
    return errors;
}
