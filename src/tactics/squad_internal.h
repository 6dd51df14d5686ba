// Shared by the reader, the linter and the runs of squad scripts.
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/describe.h"
#include "ploy/tactics/squad_script.h"

enum { PLOYI_SQUAD_EXTERNAL = 1, PLOYI_SQUAD_SHARED = 2, PLOYI_SQUAD_KEEP = 4 };

typedef struct ployi_squad_signal {
    char name[PLOY_SQUAD_NAME_MAX];
    ploy_name hash;
    uint32_t flags;
    int32_t line; // where it is first named
} ployi_squad_signal;

typedef struct ployi_squad_step {
    ploy_squad_step_kind kind;
    int32_t line;
    int32_t action; // of the book: of ACTION and JOINT; else -1
    int32_t idle;   // of the book; -1: none
    int32_t
        first_id; // in `ids`: of SIGNAL, WAIT and JOINT, numbers of the script's signals or joints
    int32_t id_count;
    float timeout; // s; 0: none
    bool go_on;
    char text[PLOY_SQUAD_NAME_MAX];
} ployi_squad_step;

typedef struct ployi_squad_actor {
    char name[PLOY_SQUAD_NAME_MAX];
    int32_t line, first_step, step_count;
} ployi_squad_actor;

typedef struct ployi_squad_script {
    char name[PLOY_SQUAD_NAME_MAX];
    char fallback_name[PLOY_SQUAD_NAME_MAX]; // "": none
    int32_t line, fallback_line, fallback_column;
    int32_t fallback; // -1: none
    int32_t first_actor, actor_count;
    int32_t first_signal, signal_count;
    int32_t first_joint, joint_count;
} ployi_squad_script;

struct ploy_squad_scripts {
    ploy_env env;
    char file[PLOY_DIAG_TEXT_MAX];
    ploy_array scripts; // ployi_squad_script
    ploy_array actors;  // ployi_squad_actor
    ploy_array steps;   // ployi_squad_step
    ploy_array signals; // ployi_squad_signal
    ploy_array joints;  // ployi_squad_signal
    ploy_array ids;     // int32_t
    ploy_names *names;
    ploy_action_book *book;
    int32_t parts; // of the largest action
};

static inline const ployi_squad_script *ployi_squad_script_at(const ploy_squad_scripts *scripts,
                                                              int32_t script) {
    if (scripts == NULL || script < 0 || script >= scripts->scripts.count) return NULL;
    return &PLOY_ARRAY_ITEMS(&scripts->scripts, ployi_squad_script)[script];
}

static inline const ployi_squad_actor *ployi_squad_actor_at(const ploy_squad_scripts *scripts,
                                                            const ployi_squad_script *script,
                                                            int32_t actor) {
    if (script == NULL || actor < 0 || actor >= script->actor_count) return NULL;
    return &PLOY_ARRAY_ITEMS(&scripts->actors, ployi_squad_actor)[script->first_actor + actor];
}

static inline const ployi_squad_step *ployi_squad_step_at(const ploy_squad_scripts *scripts,
                                                          const ployi_squad_actor *actor,
                                                          int32_t step) {
    if (actor == NULL || step < 0 || step >= actor->step_count) return NULL;
    return &PLOY_ARRAY_ITEMS(&scripts->steps, ployi_squad_step)[actor->first_step + step];
}

static inline const ployi_squad_signal *ployi_squad_signal_at(const ploy_squad_scripts *scripts,
                                                              const ployi_squad_script *script,
                                                              int32_t signal) {
    return &PLOY_ARRAY_ITEMS(&scripts->signals, ployi_squad_signal)[script->first_signal + signal];
}

static inline int32_t ployi_squad_id(const ploy_squad_scripts *scripts,
                                     const ployi_squad_step *step, int32_t i) {
    return PLOY_ARRAY_ITEMS(&scripts->ids, int32_t)[step->first_id + i];
}

// Whether the actor has a joint step with that id.
bool ployi_squad_joins(const ploy_squad_scripts *scripts, const ployi_squad_actor *actor,
                       int32_t joint);

// ---- what the actors of a run did when: squad_lanes.c

enum { PLOYI_SQUAD_PASSES_MAX = 96 };

// A step that an actor passed. `acts` is when its action began, below `from` if it had none.
typedef struct ployi_squad_pass {
    int32_t actor, step;
    double from, acts, to; // s
} ployi_squad_pass;

// A ring; `count` steps were passed since begin.
typedef struct ployi_squad_lanes {
    uint64_t count;
    double begun, now; // s
    ployi_squad_pass passes[PLOYI_SQUAD_PASSES_MAX];
} ployi_squad_lanes;

void ployi_squad_lanes_begin(ployi_squad_lanes *lanes, double now);
void ployi_squad_lanes_pass(ployi_squad_lanes *lanes, int32_t actor, int32_t step, double from,
                            double acts, double to);
// Describes all steps of an actor as notes, with the times of those that it passed and of the
// present one.
void ployi_squad_lanes_describe(const ployi_squad_lanes *lanes, const ploy_squad_scripts *scripts,
                                const ployi_squad_script *script, int32_t actor, int32_t present,
                                double since, double acts, ploy_describe *out);
