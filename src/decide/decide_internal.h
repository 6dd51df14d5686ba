// Shared between the files of decide.
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/diags.h"
#include "ploy/decide/actions.h"
#include "ploy/decide/arbiter.h"
#include "ploy/decide/code_fsm.h"
#include "ploy/decide/condition.h"
#include "ploy/decide/decision_tree.h"
#include "ploy/decide/fsm.h"
#include "ploy/decide/fuzzy.h"
#include "ploy/decide/fuzzy_set.h"
#include "ploy/decide/goals.h"
#include "ploy/decide/goap_policy.h"
#include "ploy/decide/hsm.h"
#include "ploy/decide/htn.h"
#include "ploy/decide/markov.h"
#include "ploy/decide/rulebase.h"
#include "ploy/decide/rules.h"
#include "ploy/decide/semaphore.h"
#include "ploy/exec/behavior_visit.h"

// What a definition under construction keeps: the texts behind its names and its first fault.
// Adding to a definition with a fault does nothing, so that a builder reads without ifs and is
// asked once, at its end.
typedef struct ployi_build {
    ploy_env env;
    ploy_names *names;
    ploy_result result; // the first fault
    bool finished;
} ployi_build;

ploy_result ployi_build_init(ployi_build *build, const ploy_env *env);
void ployi_build_fini(ployi_build *build);

// "what 'name'", cut to what a diagnostic keeps.
void ployi_build_join(const char *what, const char *name, char text[PLOY_DIAG_TEXT_MAX]);

// The layout that a set's keys belong to, or NULL. In condition.c.
const ploy_blackboard_layout *ployi_conditions_layout(const ploy_conditions *set);

// Notes a fault, tells the log, and returns the code.
ploy_result ployi_build_fault(ployi_build *build, ploy_result code, const char *what,
                              const char *name);

// True if something may still be added; adding to a finished definition is a fault of the call
// alone.
bool ployi_build_open(ployi_build *build);

// The name of a text, which is kept; none after a fault. `what` names the kind of thing for people.
ploy_name ployi_build_name(ployi_build *build, const char *what, const char *text);

// The text behind a name, or "".
const char *ployi_build_text(const ployi_build *build, ploy_name name);

// Tells the log of a doubtful thing and counts it.
void ployi_lint(ploy_diags *diags, int32_t *count, const char *what, const char *name);

// ---- saved states, in save.c ----

// Private bytes of a leaf or a state, as hexadecimal text.
void ployi_save_bytes(ploy_json_writer *out, const void *bytes, size_t size);
// True if the text held exactly so many bytes; nothing is written otherwise.
bool ployi_load_bytes(const ploy_json *doc, ploy_json_node node, void *bytes, size_t size);
// A random stream, in the file as the bytes of the struct.
void ployi_visit_rng(ploy_visit *v, const char *name, ploy_rng *rng);
// A 64-bit id as a key or text of sixteen digits.
#define PLOYI_SAVE_ID_SIZE 17
void ployi_save_id(uint64_t id, char text[PLOYI_SAVE_ID_SIZE]);
bool ployi_load_id(const ploy_json *doc, ploy_json_node node, uint64_t *out);
// Members of an object.
void ployi_save_text(ploy_json_writer *out, const char *key, const char *text);
void ployi_save_f64(ploy_json_writer *out, const char *key, double value);
void ployi_save_u64(ploy_json_writer *out, const char *key, uint64_t value);
void ployi_save_bool(ploy_json_writer *out, const char *key, bool value);
// Leaves *out as it stands and returns false if there is none, or none that is finite.
bool ployi_load_f64(const ploy_json *doc, ploy_json_node object, const char *key, double *out);
void ployi_load_u64(const ploy_json *doc, ploy_json_node object, const char *key, uint64_t *out);
// False if there is none.
bool ployi_load_bool(const ploy_json *doc, ploy_json_node object, const char *key);
// The status of that text; false if it is none.
bool ployi_load_status(const ploy_json *doc, ploy_json_node node, ploy_status *out);

// Whether a condition is nothing but a bool key, or (with *want false) its negation: what holders
// test without a call. In condition.c.
bool ployi_condition_is_bool(const ploy_conditions *set, ploy_condition condition, ploy_slot *slot,
                             bool *want);

// A fault: a row of a table names something that is not there.
ploy_result ployi_build_unknown(ployi_build *build, const char *what, const char *name,
                                const char *row);

// For a maker's check: the definition is not finished. Returns PLOY_ERR_STATE.
ploy_result ployi_build_unfinished(const char *what, ploy_diags *diags);

// Enters the first state of a code machine if that did not happen yet.
ploy_result ployi_code_fsm_start(ploy_code_fsm *machine, ploy_code_fsm_fn fn, void *owner,
                                 ploy_trace *trace);

// Tells it how an action of the body ended, from the host's `done`: only for managers that are not
// stepped before every ploy_actions_step. Reports of others' actions are ignored.
void ployi_action_manager_note(ploy_action_manager *manager, const ploy_action_report *report);

// WAITING in the queue, ACTING, or UNKNOWN.
ploy_action_state ployi_action_manager_state(const ploy_action_manager *manager,
                                             ploy_action_entry_id entry);

// What a single test costs, in any unit, for balancing trees: 1 unless set. The cost of a joined
// condition is the sum of its parts.
ploy_result ployi_condition_set_cost(ploy_conditions *set, ploy_condition condition, float cost);

ploy_goal ployi_goals_next(const ploy_goals *goals, ploy_goal goal);

ploy_goal ployi_goals_parent(const ploy_goals *goals, ploy_goal goal);

// The goal that acts: the end of the front chain; the root if there is none.
ploy_goal ployi_goals_leaf(const ploy_goals *goals);

// The strategy installed last, -1 before.
int32_t ployi_arbiter_current(const ploy_arbiter *arbiter);

// How many hold it now; 0 if there is no such semaphore.
int32_t ployi_semaphores_users(const ploy_semaphores *semaphores, int32_t semaphore);

// The leaf of the last evaluation.
ploy_decision_node ployi_decision_leaf(const ploy_decision *decision);

uint64_t ployi_decision_draws(const ploy_decision *decision);

int32_t ployi_fsm_depth(const ploy_fsm *fsm);

uint64_t ployi_fsm_changes(const ploy_fsm *fsm);

// True if the set only rises or only falls, so that Tsukamoto's way can turn it around.
bool ployi_fuzzy_set_is_monotonic(const ploy_fuzzy_set *set);

ploy_rulebase_size ployi_rulebase_size_of(const ploy_rulebase *base);

// Inputs and outputs are NaN again, as they were when new.
void ployi_fuzzy_reset(ploy_fuzzy *fuzzy);

// Bytes of one instance.
size_t ployi_fuzzy_type_instance_size(const ploy_fuzzy_type *type);

// Below 0 if a is the better record.
int32_t ployi_htn_record_compare(const int32_t *a, int32_t a_count, const int32_t *b,
                                 int32_t b_count);

// How many worlds came up, and how many sweeps it took; sweeps may be NULL.
int32_t ployi_goap_policy_worlds(const ploy_goap_policy *policy, int32_t *sweeps);

void ployi_goap_policy_memory(const ploy_goap_policy *policy, ploy_memory_fn fn, void *user);

ploy_hsm_kind ployi_hsm_type_kind(const ploy_hsm_type *type, ploy_hsm_state state);

// Changes so far.
uint64_t ployi_hsm_changes(const ploy_hsm *hsm);

// The other convention: out = m v.
void ployi_markov_step_column(const double *matrix, int32_t count, const double *v, double *out);

// True if every row sums to 1 within the tolerance, so that the sum of a vector never changes.
bool ployi_markov_is_conservative(const double *matrix, int32_t count, double tolerance);

ploy_fact *ployi_rules_matched(const ploy_rules *rules, int32_t pattern);

ploy_rules_size ployi_rules_size_of(const ploy_rules *rules);
