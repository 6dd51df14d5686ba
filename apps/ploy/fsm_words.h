// Stand-ins for what a game brings to a machine: actions that do nothing, and a blackboard with a
// key for every name in its conditions.
#pragma once

#include "apps/ploy/cli.h"
#include "ploy/base/array.h"
#include "ploy/data/machine.h"

typedef struct fsm_words {
    ploy_env env;
    ploy_array keys;    // ploy_blackboard_key
    ploy_array calls;   // fsm_call: functions of conditions; each reads the key of its name
    ploy_array tests;   // ploy_word
    ploy_array actions; // ploy_machine_action
    ploy_array works;   // ploy_machine_work
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    ploy_machine_words words; // to build with
} fsm_words;

// Collects what the machine uses. Free it with fsm_words_fini whatever the result.
ploy_result fsm_words_init(fsm_words *words, const ploy_machine *machine, const ploy_env *env);
void fsm_words_fini(fsm_words *words);

// Sets "key=value"; a key without a value is true. -1, or the exit status.
int fsm_words_set(fsm_words *words, const char *text);
