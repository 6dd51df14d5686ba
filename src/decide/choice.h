// Several nested behaviors of which at most one runs: what a fuzzy choice, a planner's actions, the
// behaviors of rules and the experts of a board have in common. Errors inside them are handled as
// ploy/exec/maker.h says.
#pragma once

#include "ploy/exec/maker.h"

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

// The one that runs, under a key of an open object; nothing if none does. `id` is its stable id.
void ployi_choice_save(const ployi_choice *choice, ploy_json_writer *out, const char *key,
                       const char *id);
// The id that was saved under the key; NULL if none ran.
const char *ployi_choice_saved(const ploy_json *doc, ploy_json_node state, const char *key);
// Continues what was saved under the key as the behavior at index.
ploy_result ployi_choice_load(ployi_choice *choice, ploy_step_context *context,
                              const ploy_json *doc, ploy_json_node state, const char *key,
                              int32_t index, const char *place, ploy_diags *diags);
// Reports that what was saved under the key is gone.
void ployi_choice_lose(const ploy_json *doc, ploy_json_node state, const char *key,
                       const char *what, ploy_diags *diags);
void ployi_choice_describe(const ployi_choice *choice, ploy_describe *out, const char *id);
void ployi_choice_draw(const ployi_choice *choice, ploy_draw *out);
