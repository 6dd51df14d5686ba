// Several nested behaviors of which at most one runs: what a fuzzy choice, a planner's actions, the
// behaviors of rules and the experts of a board have in common. Errors inside them are handled as
// ploy/exec/maker.h says.
#pragma once

#include "ploy/exec/behavior_visit.h"

// Invariant: `running` is -1 or the index of the one behavior that is entered.
typedef struct ployi_choice {
    ploy_env env;
    ploy_nested *made; // count of them
    int32_t count;
    int32_t running;
} ployi_choice;

typedef ploy_maker (*ployi_choice_maker_fn)(const void *user, int32_t index);

// Makes them all. On an error nothing is left.
ploy_result ployi_choice_init(ployi_choice *choice, int32_t count, ployi_choice_maker_fn maker,
                              const void *user, const ploy_env *env);
void ployi_choice_fini(ployi_choice *choice);
// What a definition's check does for the makers it holds, and for its own layout.
ploy_result ployi_choice_check(int32_t count, ployi_choice_maker_fn maker, const void *user,
                               const ploy_env *env, const ploy_blackboard_layout *inner,
                               const ploy_blackboard_layout *outer, ploy_diags *diags);

// True if there is a behavior at that place.
bool ployi_choice_has(const ployi_choice *choice, int32_t index);

// Steps one, whose name for messages is `place`. Another that runs is interrupted before. One that
// ends is exited at once. A place without a behavior succeeds at once.
ploy_status ployi_choice_step(ployi_choice *choice, ploy_step_context *context, int32_t index,
                              const char *place);
void ployi_choice_leave(ployi_choice *choice, ploy_step_context *context, ploy_exit_reason reason);
void ployi_choice_commit(ployi_choice *choice, ploy_step_context *context, const char *place);
bool ployi_choice_message(ployi_choice *choice, ploy_step_context *context,
                          const ploy_message *message, const char *place);

// The one that runs: described in a group "runs" with its id, saved under the key with its id, all
// by the table, whose numbers are their places.
void ployi_choice_visit(ploy_visit *v, ployi_choice *choice, const char *key,
                        const ploy_visit_table *table);
void ployi_choice_draw(const ployi_choice *choice, ploy_draw *out);
