// Shared between the files of decide.
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/diags.h"
#include "ploy/decide/action_stack.h"
#include "ploy/decide/actions.h"
#include "ploy/decide/arbiter.h"
#include "ploy/decide/bt.h"
#include "ploy/decide/bt_builder.h"
#include "ploy/decide/code_fsm.h"
#include "ploy/decide/condition.h"
#include "ploy/decide/decision_tree.h"
#include "ploy/decide/expression.h"
#include "ploy/decide/fsm.h"
#include "ploy/decide/fuzzy.h"
#include "ploy/decide/fuzzy_fsm.h"
#include "ploy/decide/fuzzy_set.h"
#include "ploy/decide/fuzzy_table.h"
#include "ploy/decide/goal_moves.h"
#include "ploy/decide/goal_script.h"
#include "ploy/decide/goals.h"
#include "ploy/decide/goap.h"
#include "ploy/decide/goap_policy.h"
#include "ploy/decide/gob.h"
#include "ploy/decide/hacks.h"
#include "ploy/decide/heuristics.h"
#include "ploy/decide/hsm.h"
#include "ploy/decide/htn.h"
#include "ploy/decide/markov.h"
#include "ploy/decide/routine.h"
#include "ploy/decide/rule_tree.h"
#include "ploy/decide/rule_value.h"
#include "ploy/decide/rulebase.h"
#include "ploy/decide/rules.h"
#include "ploy/decide/rules_type.h"
#include "ploy/decide/semaphore.h"
#include "ploy/decide/utility.h"
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

// Notes a fault, logs it, and returns the code.
ploy_result ployi_build_fault(ployi_build *build, ploy_result code, const char *what,
                              const char *name);

// True if something may still be added; adding to a finished definition is a fault of the call
// alone.
bool ployi_build_open(ployi_build *build);

// The name of a text, which is kept; none after a fault. `what` names the kind of thing for people.
ploy_name ployi_build_name(ployi_build *build, const char *what, const char *text);

// The text behind a name, or "".
const char *ployi_build_text(const ployi_build *build, ploy_name name);

// Logs a doubtful thing and counts it.
void ployi_lint(ploy_diags *diags, int32_t *count, const char *what, const char *name);

// ---- saved states, in save.c ----

// Private bytes of a leaf or a state, as hexadecimal text.
void ployi_save_bytes(ploy_json_writer *out, const void *bytes, size_t size);
// True if the text held exactly that many bytes; nothing is written otherwise.
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
// Leaves *out unchanged and returns false if there is none, or none that is finite.
bool ployi_load_f64(const ploy_json *doc, ploy_json_node object, const char *key, double *out);
void ployi_load_u64(const ploy_json *doc, ploy_json_node object, const char *key, uint64_t *out);
// False if there is none.
bool ployi_load_bool(const ploy_json *doc, ploy_json_node object, const char *key);
// The status of that text; false if it is none.
bool ployi_load_status(const ploy_json *doc, ploy_json_node node, ploy_status *out);

// Whether a condition is nothing but a bool key, or (with `*want` false) its negation: what holders
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

// Reports to it how an action of the body ended, from the host's `done`: only for managers that are not
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

// How many hold it now; 0 if there is no such semaphore.
int32_t ployi_semaphores_users(const ploy_semaphores *semaphores, int32_t semaphore);

// The leaf of the last evaluation.
ploy_decision_node ployi_decision_leaf(const ploy_decision *decision);

uint64_t ployi_decision_draws(const ploy_decision *decision);

int32_t ployi_fsm_depth(const ploy_fsm *fsm);

uint64_t ployi_fsm_changes(const ploy_fsm *fsm);

// True if the set only rises or only falls, so that Tsukamoto's method can turn it around.
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

// What the action added or opened last matters unless a request sets it.
ploy_result ployi_action_book_set_terms(ploy_action_book *book, const ploy_action_terms *terms);

// What it matters, as set; the default if there is no such action.
ploy_action_terms ployi_action_book_terms(const ploy_action_book *book, int32_t action);

// Parts of an action, compounds included; 0 if there is no such action.
int32_t ployi_action_book_parts(const ploy_action_book *book, int32_t action);

// True if the action may push others aside: a sequence if its first part may, a combination if any
// may.
bool ployi_action_book_interrupts(const ploy_action_book *book, int32_t action);

// True if two actions can be done at once: every part of one with every part of the other, so that
// no sequence conflicts later.
bool ployi_action_book_both(const ploy_action_book *book, int32_t a, int32_t b);

// Its manager, to look at or to ask for actions beside the deciders.
ploy_action_manager *ployi_action_stack_manager(ploy_action_stack *stack);

// What a single test costs, in any unit, for balancing trees: 1 unless set. The cost of a joined
// condition is the sum of its parts.
float ployi_condition_cost(const ploy_conditions *set, ploy_condition condition);

// Single tests in a condition: how specific it is.
int32_t ployi_condition_size(const ploy_conditions *set, ploy_condition condition);

// True if it belongs to the set, or is none.
bool ployi_condition_valid(const ploy_conditions *set, ploy_condition condition);

// True if it belongs to the set, or is none.
bool ployi_score_valid(const ploy_conditions *set, ploy_score score);

// NaN if there is no such strategy.
float ployi_arbiter_bias(const ploy_arbiter *arbiter, const char *name);
// The strategy whose name resembles it most; NULL if none does.
const char *ployi_arbiter_nearest(const ploy_arbiter *arbiter, const char *name);

// Every bias drawn from [low, high].
void ployi_arbiter_draw_biases(ploy_arbiter *arbiter, ploy_rng *rng, float low, float high);

// Halts what runs and forgets everything: as new, but with the behaviors that leaves have made.
void ployi_bt_instance_reset(ploy_bt_instance *instance, ploy_step_context *context);

// Hands a message to the leaves that run, in order, and wakes those that sleep until one comes.
ploy_result ployi_bt_instance_message(ploy_bt_instance *instance, ploy_step_context *context,
                                      const ploy_message *message, bool *handled);

// True if it runs and comes to a number other than 0.
bool ployi_expression_holds(const ploy_expression *expression, const ploy_blackboard_ref *refs,
                            const ploy_moment *moment);

// Equal values have equal hashes; a fact's is that of its index, never of its address.
uint32_t ployi_rule_hash(const ploy_rule_value *value, uint32_t seed);

// Counts every add and remove, for suspension.
uint64_t ployi_rule_tree_changes(const ploy_rule_tree *tree);

// Tsukamoto: the x at which a monotonic set has that degree; a sigmoid has 0 and 1 at the
// infinities. Other shapes give the degree's own membership ("inverse Tsukamoto").
double ployi_fuzzy_tsukamoto(const ploy_fuzzy_set *set, double degree);

// Where the set may differ from a constant, as far as it is finite: what a range is made of.
// @return false if it has no such place.
bool ployi_fuzzy_set_extent(const ploy_fuzzy_set *set, double *min, double *max);

double ployi_fuzzy_nor(double a, double b);

double ployi_fuzzy_nand(double a, double b);

double ployi_fuzzy_from_byte(uint8_t degree);

const char *ployi_rulebase_variable_name(const ploy_rulebase *base, int32_t rule, int32_t variable);

const ploy_fuzzy_type *ployi_fuzzy_type_of(const ploy_fuzzy *fuzzy);

// The joined, clipped sets of an output at x: what is defuzzified.
double ployi_fuzzy_conclusion(const ploy_fuzzy *fuzzy, int32_t output, double x);

// How much it holds on that blackboard.
double ployi_fuzzy_guard_degree(const ploy_fuzzy_guard *guard, const ploy_blackboard *board);

// Sets it, 0 to 1: for saves and for the game's own events.
ploy_result ployi_fuzzy_fsm_set_degree(ploy_fuzzy_fsm *fsm, int32_t state, double degree);

// All degrees, one for each state.
const double *ployi_fuzzy_fsm_degrees(const ploy_fuzzy_fsm *fsm);

// Adds a path to follow; the goal takes it over on PLOY_OK.
ploy_result ployi_goals_add_path(ploy_goals *goals, ploy_step_context *context, ploy_goal parent,
                                 ploy_goal_place place, ploy_path *path, ploy_goal *out);

// Stops the mover that owns the tree: for terminate and suspend.
void ployi_goal_stand(const ploy_goal_turn *turn);

// Removes finished goals from the front of a composite, which its next step would do.
void ployi_goals_purge(ploy_goals *goals, ploy_step_context *context, ploy_goal goal);

// The def's `literal`, for goals that keep to the listings then.
bool ployi_goals_is_literal(const ploy_goals *goals);

// False for a goal that is gone.
bool ployi_goals_has(const ploy_goals *goals, ploy_goal goal);

const void *ployi_goals_params(const ploy_goals *goals, ploy_goal goal);

// As ploy_goals_register, for all trees of the type.
ploy_result ployi_goals_type_register(ploy_goals_type *type, const ploy_goal_type *const *types,
                                      int32_t count);

// The words of movement: `say TEXT SECONDS`, `pause SECONDS`, `seek PLACE`, `move PLACE`,
// `explore`, `wander`, `lead PLACE DISTANCE`, `door FROM TO LINK`, `lift BUTTON EMBARK MECHANISM
// PATIENCE` (a link and a mechanism are the index of an id of generation 1) and `vanish`.
const ploy_goal_word *ployi_goal_words(int32_t *count);

// A phrase that stays for some seconds; parameters are a ploy_goal_line. Needs the mover's `say`.
const ploy_goal_type *ployi_goal_say(void);

// To numbers 0 and 1, waiting while the follower is farther behind than number 2 or out of sight.
const ploy_goal_type *ployi_goal_lead(void);

// Completes at once, by the mover's `vanish`.
const ploy_goal_type *ployi_goal_vanish(void);

// "" for none.
const char *ployi_goap_type_id(const ploy_goap_type *type, ploy_goap_var var);

bool ployi_goap_world_holds(const ploy_goap_type *type, const uint64_t *world,
                            const ploy_goap_need *needs, int32_t count);

// May the action be done? Needs and `allowed`.
bool ployi_goap_world_allows(const ploy_goap_type *type, const uint64_t *world, int32_t action);

// What the action costs there; INFINITY if it may not be done.
double ployi_goap_world_price(const ploy_goap_type *type, const uint64_t *world, int32_t action);

// "gold >= 3".
void ployi_goap_need_print(const ploy_goap_type *type, ploy_goap_need need, ploy_writer *writer);

// An estimate of your own instead of the def's, for forward searches and ida; NULL: the def's.
// Optimal plans need one that never says too much.
void ployi_goap_set_estimate(ploy_goap *goap,
                             double (*estimate)(void *user, const ploy_goap_type *type,
                                                const uint64_t *world),
                             void *user);

const char *ployi_htn_type_id(const ploy_htn_type *type, ploy_htn_task task);

ploy_result ployi_htn_run(ploy_htn *htn, const uint64_t *world, ploy_htn_task task);

// Sets the behavior that carries out a gamble. Of a gamble with one or two branches, SUCCESS means that
// the first came about and FAILURE the second, and its gains are written to the board and the
// memory; with more branches the behavior changes the board itself. A gamble without a behavior is
// drawn by its chances from the context's key. @return PLOY_ERR_ARGUMENT for no such gamble.
ploy_result ployi_goap_policy_type_set_action(ploy_goap_policy_type *type, int32_t gamble,
                                              ploy_maker maker);

// Discontentment of one motive at a value: weight x value^exponent.
float ployi_motive_discontentment(const ploy_motive *motive, float value);

// An action was done: its changes, not its time.
void ployi_motives_apply(ploy_motive *motives, int32_t count, const ploy_gob_action *action);

// What a side's pieces are worth: the sum of counts[i] * values[i].
double ployi_worth_of_side(const double *values, const int32_t *counts, int32_t kinds);

// The kind with the most value for its cost that can be afforded, or -1. A cost of 0 or less is no
// offer; NaN neither.
int32_t ployi_worth_best_buy(const double *values, const double *costs, int32_t kinds,
                             double money);

// The id of a rule, "" out of range.
const char *ployi_hsm_type_rule_id(const ploy_hsm_type *type, int32_t rule);

// True if the rule of that number was followed in the last step that followed any.
bool ployi_hsm_has_taken(const ploy_hsm *hsm, int32_t rule);

// This many steps in place. @param scratch  count numbers.
void ployi_markov_iterate(const double *matrix, int32_t count, int64_t steps, double *v,
                          double *scratch);

// The element's id; "" if it has none.
const char *ployi_markov_type_id(const ploy_markov_type *type, int32_t element);

// Sets it. @return PLOY_ERR_ARGUMENT if an element is not finite.
ploy_result ployi_markov_set_vector(ploy_markov *markov, const double *v);

// Leaves the state it is in; the next step restarts.
void ployi_routine_halt(ploy_routine *routine, const ploy_routine_def *def, void *owner,
                        ploy_exit_reason reason);

// Adds a fact to begin with; values are copied, their texts must be the base's.
// @return PLOY_ERR_ARGUMENT for no such template or another number of slots, PLOY_ERR_MEMORY.
ploy_result ployi_rules_type_assert(ploy_rules_type *type, int32_t template_index,
                                    const ploy_rule_value *values, int32_t count);

// The rules at work behind such a behavior; NULL for any other.
ploy_rules *ployi_rules_of(ploy_behavior behavior);

// @return PLOY_ERR_ARGUMENT unless it is one that the calls above make.
ploy_result ployi_curve_check(const ploy_curve *curve);

// Gives back a part of what a product of `count` values takes away.
float ployi_utility_compensate(float value, int32_t count);

// "SYMBOL", "STRING", "INSTANCE-NAME", "INTEGER", "FLOAT", "MULTIFIELD", "FACT-ADDRESS", "VOID".
const char *ployi_rule_type_text(ploy_rule_type type);

// "any", "not", "very", ...
const char *ployi_fuzzy_hedge_text(ploy_fuzzy_hedge hedge);

int32_t ployi_action_book_count(const ploy_action_book *book);

// How many wait and run, and which, in order of priority; the id none out of range.
int32_t ployi_action_manager_queue_count(const ploy_action_manager *manager);

int32_t ployi_action_manager_active_count(const ploy_action_manager *manager);

int32_t ployi_rulebase_variable_count(const ploy_rulebase *base, int32_t rule);

// ---- of ploy/decide/decision_tree.h, for its sources and tests

// How often a node was visited; 0 unless ploy_decision_def.count is set.
uint64_t ployi_decision_visits(const ploy_decision *decision, ploy_decision_node node);

// ---- of ploy/decide/fuzzy_table.h, for its sources and tests

// Applies the rules: a conclusion's degree is the largest of its rules' degrees, and a rule's
// degree is the smallest of its states'. Evaluation of a rule stops at the first state that cannot
// raise its conclusion.
// @param out  output_count degrees. @return the number of states evaluated.
int64_t ployi_fuzzy_block_decide(const double *degrees, int32_t inputs,
                                 const ploy_fuzzy_block_rule *rules, int32_t rule_count,
                                 double *out, int32_t output_count);

// The block format for many characters at once, in bytes: degrees[s * characters + c] is state s
// of character c, out[o * characters + c] conclusion o. Rules do not stop early, so that each rule
// is one pass over all characters, which compilers vectorise. The results are those of
// ployi_fuzzy_block_decide, rounded.
void ployi_fuzzy_block_decide_bytes(const uint8_t *degrees, int32_t characters, int32_t inputs,
                                    const ploy_fuzzy_block_rule *rules, int32_t rule_count,
                                    uint8_t *out, int32_t output_count);

// Combs' method: state s alone concludes conclusions[s], -1 for nothing.
void ployi_fuzzy_block_decide_combs(const double *degrees, int32_t states,
                                    const int32_t *conclusions, double *out, int32_t output_count);

// The same for a complete block: conclusions of every combination, the last input's states
// fastest: index ((s0 * n1 + s1) * n2 + s2) and so on; -1 for no rule.
// @param counts  states of each input, at most 16 inputs. @return PLOY_ERR_ARGUMENT for more, or
//                a count below 1.
ploy_result ployi_fuzzy_block_decide_complete(const double *degrees, const int32_t *counts,
                                              int32_t inputs, const int32_t *conclusions,
                                              double *out, int32_t output_count);

// Writes the matrix of two inputs and an output as text: in each cell the conclusion and the
// degree to which it fired in the last step, with a star if it fired.
void ployi_fuzzy_print_matrix(const ploy_fuzzy *fuzzy, int32_t row, int32_t column, int32_t output,
                              ploy_writer *writer);

// ---- of ploy/decide/goal_script.h, for its sources and tests

// Queues the script's goals below a goal (ploy_goals_root), after those already there.
// @return PLOY_ERR_CAPACITY if there is not enough room for all: none is then added.
ploy_result ployi_goal_script_play(const ploy_goal_script *script, ploy_goals *goals,
                                   ploy_step_context *context, ploy_goal parent);

// ---- of ploy/decide/goal_moves.h, for its sources and tests

const ploy_goal_type *ployi_goal_traverse_edge(void); // along one edge

const ploy_goal_type *ployi_goal_follow_path(void); // edge by edge

// ---- of ploy/decide/gob.h, for its sources and tests

// For huge populations: goals that are on or off. Chooses the action with the most active goals
// fulfilled minus those broken; the first of equals. @return -1 if none fulfils more than it
// breaks.
int32_t ployi_gob_choose_bits(uint64_t wanted, const uint64_t *fulfils, const uint64_t *breaks,
                              int32_t count);

// Discontentment of all motives at their current values.
float ployi_motives_discontentment(const ploy_motive *motives, int32_t count);

// ---- of ploy/decide/heuristics.h, for its sources and tests

// The exit whose direction is nearest to that of the target, or -1 if there is none. Directions
// need not be unit vectors; zero vectors do not count as exits.
// @param back  the exit that leads back, taken only if it is the only one; -1: none.
int32_t ployi_greedy_junction(const ploy_vec2 *exits, int32_t count, ploy_vec2 to_target,
                              int32_t back);

// Orders options by score, the highest first, equal ones in their given order; NaN comes last.
// @param order  indexes of the options in the order to try them. Cost: O(count^2), little for
//               the handful of options a character has.
void ployi_most_promising_first(const float *scores, int32_t count, int32_t *order);

// The step a unit takes toward an enemy that is out of reach by no more than `creep`; zero if the
// enemy is in reach or too far, or if the unit must hold its line.
// @param reach  m. @param creep  m, the longest step. @param hold  true: never.
ploy_vec2 ployi_reach_creep(ploy_vec2 from, ploy_vec2 enemy, float reach, float creep, bool hold);

// ---- of ploy/decide/markov.h, for its sources and tests

// Divides each row by its sum. @return PLOY_ERR_ARGUMENT, with nothing changed, if a row's sum is
//         0 or not finite.
ploy_result ployi_markov_normalise(double *matrix, int32_t count);

// ---- of ploy/decide/hacks.h, for its sources and tests

// Picks an index by weight.
// @param weights  values below 0 and NaN count as 0.
// @param last     index whose weight is multiplied by `again`, 0 to 1, to avoid an immediate
//                 repeat; -1: none.
// @return -1 if no weight is above 0.
int32_t ployi_pick_weighted(const float *weights, int32_t count, int32_t last, float again,
                            ploy_rng_key key, ploy_agent_id agent, uint64_t tick);

// ---- of ploy/decide/rules.h, for its sources and tests

void ployi_rules_matches(const ploy_rules *rules, int32_t rule, ploy_rule_match_fn fn, void *user);

// ---- of ploy/decide/bt_builder.h, for its sources and tests

ploy_bt_effect ployi_bt_effect_call(void (*act)(ploy_bt_call *call), void *user);

// ---- of ploy/decide/hsm.h, for its sources and tests

// Puts an event into the inner queue, which is handled first: for hooks and actions.
ploy_result ployi_hsm_raise(ploy_hsm *hsm, const ploy_hsm_event *event);
