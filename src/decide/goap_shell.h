// Planners as behaviors: what agents that plan (goap_mind.c) and agents that follow a policy
// (goap_policy_mind.c) have in common. The blackboard is the world, and the actions are behaviors of
// which at most one runs.
#pragma once

#include "choice.h"
#include "goap_board.h"

typedef struct ployi_goap_shell_kind {
    const ploy_behavior_type *behavior;
    size_t size;    // of a mind, which begins with a ployi_goap_shell
    int32_t worlds; // that its memory holds; the first is the variables without keys
    // The id of an action.
    const char *(*id)(const void *type, int32_t index);
    // Makes the rest of a mind. What it leaves on failure is freed with the behavior's destroy.
    ploy_result (*fill)(void *mind, const ploy_env *env);
} ployi_goap_shell_kind;

// What the definitions begin with.
typedef struct ployi_goap_shell_type {
    ploy_env env;
    const ployi_goap_shell_kind *kind;
    ployi_goap_board keys;
    ploy_array makers; // ploy_maker of each action
    ploy_array goal;   // ploy_goap_need
} ployi_goap_shell_type;

// What the minds begin with.
typedef struct ployi_goap_shell {
    ploy_env env;
    const ployi_goap_shell_type *type;
    ployi_choice choice;
    ploy_array memory; // uint64_t
} ployi_goap_shell;

// `count` actions, without behaviors. After a failure, fini is still to be called.
ploy_result ployi_goap_shell_type_init(ployi_goap_shell_type *type,
                                       const ployi_goap_shell_kind *kind,
                                       const ploy_goap_type *domain,
                                       const ploy_blackboard_layout *layout, int32_t count,
                                       const ploy_env *env);
void ployi_goap_shell_type_fini(ployi_goap_shell_type *type);
ploy_result ployi_goap_shell_type_set_goal(ployi_goap_shell_type *type, const ploy_goap_need *goal,
                                           int32_t count);
ploy_maker ployi_goap_shell_type_maker(ployi_goap_shell_type *type);

static inline uint64_t *ployi_goap_shell_memory(const ployi_goap_shell *shell) {
    return PLOY_ARRAY_ITEMS(&shell->memory, uint64_t);
}

// Steps the behavior of an action.
ploy_status ployi_goap_shell_act(ployi_goap_shell *shell, ploy_step_context *context,
                                 int32_t action);
// As in ploy_behavior_type.
ploy_result ployi_goap_shell_commit(void *self, ploy_step_context *context);
ploy_result ployi_goap_shell_message(void *self, ploy_step_context *context,
                                     const ploy_message *message, bool *handled);
void ployi_goap_shell_draw(const void *self, ploy_draw *out);
// Frees the mind, after what it has besides.
void ployi_goap_shell_destroy(ployi_goap_shell *shell);

// The block and its members, first; the memory and what runs come after what the mind itself shows, by
// ployi_goap_board_visit and ployi_goap_shell_visit_choice.
void ployi_goap_shell_visit(ploy_visit *v, ployi_goap_shell *shell);
void ployi_goap_shell_visit_choice(ploy_visit *v, ployi_goap_shell *shell, const char *key,
                                   const ploy_visit_table *table);
// The actions by their ids.
ploy_visit_table ployi_goap_shell_table(const ployi_goap_shell *shell, const char *what);
