/// @file ploy/decide/fuzzy.h
/// Fuzzy systems: rules in words that turn numbers into numbers.
///
/// A ploy_fuzzy_type is the definition: inputs and outputs with their terms (named sets), and
/// blocks of rules. It is built once, finished and shared; a ploy_fuzzy is one character's small
/// instance: the input numbers, the degrees and the output numbers.
///
///     int32_t distance = ploy_fuzzy_type_input(type, "distance", &input);
///     ploy_fuzzy_set near = ploy_fuzzy_left_shoulder(0, 25, 150);
///     ploy_fuzzy_type_term(type, distance, "near", &near);
///     ...
///     ploy_fuzzy_type_rule(type, block, "if distance is near and ammo is not low then want is high",
///                          NULL);
///     ploy_fuzzy_type_finish(type, NULL);
///     ...
///     ploy_fuzzy_set_input(fuzzy, 0, 80.0);
///     ploy_fuzzy_step(fuzzy, NULL);
///     double desirability = ploy_fuzzy_output(fuzzy, 0);
///
/// Rules: `if PART then OUTPUT is HEDGE* TERM and ... [with WEIGHT]`, where a part is `VARIABLE is
/// HEDGE* TERM`, parts joined by and, or, xor and brackets ("and" binds tightest), or a hedge
/// before a bracket. The words of the language are not case-sensitive. An output in a part means
/// what earlier rules concluded. Blocks run in order: each chooses which of its rules fire
/// (activation), a rule's degree is its weight times its part's degree, and each conclusion is
/// added to its output at that degree. Then every output is defuzzified in order.
///
/// Techniques: Mamdani 1974, Larsen 1980, Takagi and Sugeno 1985, Tsukamoto 1979, with the results
/// of fuzzylite 6; Buckland, "Programming Game AI by Example", chapter 10; Millington, "AI for
/// Games", 5.5. Differences from fuzzylite: hedges of one conclusion do not apply to the next, and
/// errors that fuzzylite throws at run time are faults of the definition here.
///
/// Faults are kept as in condition.h. Cost of a step: O(terms + rules + samples x fired terms),
/// nothing allocates. Threads: a finished type may be used by many threads; an instance takes one
/// caller at a time.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/fields.h"
#include "ploy/decide/condition.h"
#include "ploy/decide/fuzzy_set.h"
#include "ploy/decide/rulebase.h"
#include "ploy/exec/maker.h"

/// Most variables of a kind, terms of a variable, rules of a block, samples of an output, and
/// pending parts of a rule (before their "and" or "or").
#define PLOY_FUZZY_COUNT_MAX 65535
#define PLOY_FUZZY_SAMPLES_MAX 1000000
#define PLOY_FUZZY_DEPTH_MAX 64

typedef struct ploy_fuzzy_type ploy_fuzzy_type;
typedef struct ploy_fuzzy ploy_fuzzy;

/// How an output becomes a number.
typedef enum ploy_fuzzy_defuzzifier {
    PLOY_FUZZY_CENTROID,        ///< centre of the area under all clipped sets together
    PLOY_FUZZY_BISECTOR,        ///< the number with half of that area on either side
    PLOY_FUZZY_SMALLEST_OF_MAX, ///< leftmost highest sample
    PLOY_FUZZY_LARGEST_OF_MAX,
    PLOY_FUZZY_MEAN_OF_MAX,      ///< middle of the first highest plateau
    PLOY_FUZZY_WEIGHTED_AVERAGE, ///< of the rules' conclusions: Takagi-Sugeno and Tsukamoto
    PLOY_FUZZY_WEIGHTED_SUM,
    PLOY_FUZZY_BLEND_OF_MAX,     ///< representatives of the sets, weighted: "average of maxima"
    PLOY_FUZZY_HIGHEST_SET,      ///< representative of the set with the highest degree
    PLOY_FUZZY_CENTROID_OF_SETS, ///< as CENTROID, but overlapping sets count twice
    PLOY_FUZZY_DEFUZZIFIER_COUNT
} ploy_fuzzy_defuzzifier;

/// "Centroid", "Bisector", ...: fuzzylite's names, and ours for those that it does not have.
PLOY_API const char *ploy_fuzzy_defuzzifier_text(ploy_fuzzy_defuzzifier defuzzifier);

/// Where an area is sampled.
typedef enum ploy_fuzzy_sampling {
    PLOY_FUZZY_MIDPOINTS, ///< in the middle of equal slices
    PLOY_FUZZY_RIGHT_ENDS ///< at the right end of each, as in Buckland's table; biased to the right
} ploy_fuzzy_sampling;

/// How a rule contributes to a weighted output.
typedef enum ploy_fuzzy_weighting {
    PLOY_FUZZY_WEIGHTING_AUTOMATIC, ///< as the first fired term is: constants, linear and formulas
                                    ///< by value, others by Tsukamoto
    PLOY_FUZZY_TAKAGI_SUGENO,
    PLOY_FUZZY_TSUKAMOTO
} ploy_fuzzy_weighting;

/// "Automatic", "TakagiSugeno", "Tsukamoto".
PLOY_API const char *ploy_fuzzy_weighting_text(ploy_fuzzy_weighting weighting);

/// Settings of a variable; those that only outputs have are ignored for inputs.
typedef struct ploy_fuzzy_variable_def {
    uint32_t cookie;    ///< set by the default; leave alone
    bool enabled;       ///< false: every degree is 0, and the value is kept
    bool lock_range;    ///< its value is clamped to the range
    bool lock_previous; ///< of an output: when no rule fires, the last value is kept
    bool fall_back;     ///< of an output: when no rule fires, `fallback`; otherwise NaN
    double min, max;    ///< the range; infinite unless set
    double fallback;
    ploy_fuzzy_defuzzifier defuzzifier;
    ploy_fuzzy_norm aggregation; ///< joins the rules' conclusions; none for weighted outputs
    ploy_fuzzy_sampling sampling;
    ploy_fuzzy_weighting weighting;
    ploy_fuzzy_point point; ///< the point that represents a set, for BLEND_OF_MAX and HIGHEST_SET
    int32_t samples;        ///< slices of the range
} ploy_fuzzy_variable_def;

PLOY_API ploy_fuzzy_variable_def ploy_fuzzy_variable_def_default(void);
PLOY_API ploy_fields ploy_fuzzy_variable_fields(void);

/// Which rules of a block fire, of those with a degree above 0.
typedef enum ploy_fuzzy_activation {
    PLOY_FUZZY_GENERAL,      ///< all
    PLOY_FUZZY_FIRST,        ///< the first `count` of at least the threshold
    PLOY_FUZZY_LAST,         ///< the same, counted from the end
    PLOY_FUZZY_HIGHEST,      ///< the `count` highest; of equals the one added first
    PLOY_FUZZY_LOWEST,       ///< the `count` lowest
    PLOY_FUZZY_PROPORTIONAL, ///< all, their degrees scaled to sum to 1
    PLOY_FUZZY_THRESHOLD,    ///< those whose comparison with the threshold holds
    PLOY_FUZZY_ACTIVATION_COUNT
} ploy_fuzzy_activation;

/// "General", "First", ...
PLOY_API const char *ploy_fuzzy_activation_text(ploy_fuzzy_activation activation);

typedef enum ploy_fuzzy_comparison {
    PLOY_FUZZY_LESS,
    PLOY_FUZZY_AT_MOST,
    PLOY_FUZZY_EQUAL,
    PLOY_FUZZY_UNEQUAL,
    PLOY_FUZZY_AT_LEAST,
    PLOY_FUZZY_GREATER,
    PLOY_FUZZY_COMPARISON_COUNT
} ploy_fuzzy_comparison;

/// "<", "<=", "==", "!=", ">=", ">".
PLOY_API const char *ploy_fuzzy_comparison_text(ploy_fuzzy_comparison comparison);

/// A block of rules.
typedef struct ploy_fuzzy_block_def {
    uint32_t cookie; ///< set by the default; leave alone
    bool enabled;
    ploy_fuzzy_norm conjunction; ///< "and"
    ploy_fuzzy_norm disjunction; ///< "or"
    ploy_fuzzy_norm
        implication; ///< how a degree clips its set: Minimum (Mamdani), product (Larsen)
    ploy_fuzzy_activation activation;
    ploy_fuzzy_comparison comparison; ///< of THRESHOLD
    int32_t count;                    ///< of FIRST, LAST, HIGHEST and LOWEST
    double threshold;                 ///< of FIRST, LAST and THRESHOLD
    /// Hedges of a conclusion also apply to the conclusions after it in the same rule, as in
    /// fuzzylite; fuzzylite's files are read with this setting.
    bool carry_hedges;
} ploy_fuzzy_block_def;

PLOY_API ploy_fuzzy_block_def ploy_fuzzy_block_def_default(void);
PLOY_API ploy_fields ploy_fuzzy_block_fields(void);

/// The position of a text in a file, and the receiver of its faults. NULL for text from the game
/// itself, whose faults go to the env's log.
typedef struct ploy_fuzzy_source {
    const char *name;
    int32_t line, column; ///< of its first character, from 1
    ploy_diags *diags;    ///< may be NULL
} ploy_fuzzy_source;

/// Creates an empty type.
/// @param name  "" is allowed.
PLOY_API ploy_result ploy_fuzzy_type_create(const char *name, const ploy_env *env,
                                            ploy_fuzzy_type **out);
/// NULL is allowed. Destroy its instances first.
PLOY_API void ploy_fuzzy_type_destroy(ploy_fuzzy_type *type);

/// Where the numbers of outputs begin.
#define PLOY_FUZZY_OUTPUT 0x10000

/// Adds an input or an output. Inputs and outputs are numbered separately, from 0, in the order
/// added.
/// @param name  stable, unique among all variables.
/// @param def   NULL: the default.
/// @return the variable for the calls below (an output's is PLOY_FUZZY_OUTPUT + its number), or -1
///         after a fault.
PLOY_API int32_t ploy_fuzzy_type_input(ploy_fuzzy_type *type, const char *name,
                                       const ploy_fuzzy_variable_def *def);
PLOY_API int32_t ploy_fuzzy_type_output(ploy_fuzzy_type *type, const char *name,
                                        const ploy_fuzzy_variable_def *def);
/// Adds a term to a variable; the set is copied. @return its number in the variable, or -1.
PLOY_API int32_t ploy_fuzzy_type_term(ploy_fuzzy_type *type, int32_t variable, const char *name,
                                      const ploy_fuzzy_set *set);
/// The same with the source position of a formula, which finish parses.
PLOY_API int32_t ploy_fuzzy_type_term_at(ploy_fuzzy_type *type, int32_t variable, const char *name,
                                         const ploy_fuzzy_set *set,
                                         const ploy_fuzzy_source *source);
/// Adds a block of rules. @return its number, or -1.
PLOY_API int32_t ploy_fuzzy_type_block(ploy_fuzzy_type *type, const char *name,
                                       const ploy_fuzzy_block_def *def);
/// Adds a rule to a block. A faulty rule reports all its faults and prevents the type from
/// finishing. More rules can still be added, so that all faults of a file are reported at once.
/// @param source  may be NULL.
/// @return PLOY_ERR_FORMAT for text that cannot be parsed as a rule, PLOY_ERR_NOT_FOUND for unknown
///         names.
PLOY_API ploy_result ploy_fuzzy_type_rule(ploy_fuzzy_type *type, int32_t block, const char *text,
                                          const ploy_fuzzy_source *source);
/// Sets a description for people of the whole system, a variable (number as above) or a block.
PLOY_API ploy_result ploy_fuzzy_type_describe_as(ploy_fuzzy_type *type, int32_t variable,
                                                 const char *text);
/// Binds variables to a blackboard: inputs are read from the f32 or f64 keys of their names and
/// outputs written there, by the behavior and by guards. Variables without a key are left to the
/// game. @return PLOY_ERR_ARGUMENT for a key of another type.
PLOY_API ploy_result ploy_fuzzy_type_bind(ploy_fuzzy_type *type,
                                          const ploy_blackboard_layout *layout);

/// Makes an output an option: the output with the largest number is chosen (the first of equals),
/// and its behavior runs while it is chosen. Options need no keys.
/// @param output  as ploy_fuzzy_type_output returned it.
PLOY_API ploy_result ploy_fuzzy_type_option(ploy_fuzzy_type *type, int32_t output,
                                            ploy_maker maker);
/// Writes the name of the largest output under a name key of the bound layout, in each step of the
/// behavior. @return PLOY_ERR_STATE before bind, PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_fuzzy_type_choose(ploy_fuzzy_type *type, const char *key);

/// Finishes the type: parses formulas, checks that every output can become a number, and samples
/// the outputs' sets.
/// @param diags  may be NULL.
/// @return the first fault.
PLOY_API ploy_result ploy_fuzzy_type_finish(ploy_fuzzy_type *type, ploy_diags *diags);

// ---- looking at a type ----

/// Returned texts are valid as long as the type.
typedef struct ploy_fuzzy_term {
    const char *name;
    ploy_fuzzy_set set;
} ploy_fuzzy_term;

PLOY_API const char *ploy_fuzzy_type_name(const ploy_fuzzy_type *type);
PLOY_API int32_t ploy_fuzzy_type_inputs(const ploy_fuzzy_type *type);
PLOY_API int32_t ploy_fuzzy_type_outputs(const ploy_fuzzy_type *type);
/// The variable of that name, or -1; numbers below PLOY_FUZZY_OUTPUT are inputs.
PLOY_API int32_t ploy_fuzzy_type_find(const ploy_fuzzy_type *type, const char *name);
/// Of a variable; NULL, "" and 0 if there is no such variable.
PLOY_API const char *ploy_fuzzy_type_variable_name(const ploy_fuzzy_type *type, int32_t variable);
PLOY_API const char *ploy_fuzzy_type_description(const ploy_fuzzy_type *type, int32_t variable);
PLOY_API const ploy_fuzzy_variable_def *ploy_fuzzy_type_variable(const ploy_fuzzy_type *type,
                                                                 int32_t variable);
PLOY_API int32_t ploy_fuzzy_type_terms(const ploy_fuzzy_type *type, int32_t variable);
PLOY_API ploy_fuzzy_term ploy_fuzzy_type_term_of(const ploy_fuzzy_type *type, int32_t variable,
                                                 int32_t term);
PLOY_API int32_t ploy_fuzzy_type_find_term(const ploy_fuzzy_type *type, int32_t variable,
                                           const char *name);
PLOY_API int32_t ploy_fuzzy_type_blocks(const ploy_fuzzy_type *type);
PLOY_API const char *ploy_fuzzy_type_block_name(const ploy_fuzzy_type *type, int32_t block);
PLOY_API const ploy_fuzzy_block_def *ploy_fuzzy_type_block_at(const ploy_fuzzy_type *type,
                                                              int32_t block);
/// The number of rules of a block, or of all blocks for block -1; the text of one rule, on one
/// line.
PLOY_API int32_t ploy_fuzzy_type_rules(const ploy_fuzzy_type *type, int32_t block);
PLOY_API const char *ploy_fuzzy_type_rule_text(const ploy_fuzzy_type *type, int32_t block,
                                               int32_t rule);

/// Reports likely mistakes in a finished type: inputs with gaps, with degrees that do not sum to 1
/// or with more than two sets at one point (Buckland's rules of thumb), terms that no rule uses,
/// outputs that no rule sets, duplicate or contradictory rules, and rules that cannot fire because
/// their sets never overlap. Each input is sampled at `samples` points.
/// @param tolerance  how far from 1 a sum may be.
/// @return how many. diags may be NULL.
PLOY_API int32_t ploy_fuzzy_type_lint(const ploy_fuzzy_type *type, int32_t samples,
                                      double tolerance, ploy_diags *diags);

// ---- one character ----

/// @param type  finished; must outlive the instance.
PLOY_API ploy_result ploy_fuzzy_create(const ploy_fuzzy_type *type, const ploy_env *env,
                                       ploy_fuzzy **out);
/// NULL is allowed.
PLOY_API void ploy_fuzzy_destroy(ploy_fuzzy *fuzzy);

/// Sets an input by its number; does nothing out of range. NaN belongs to no set.
PLOY_API void ploy_fuzzy_set_input(ploy_fuzzy *fuzzy, int32_t input, double value);
/// Returns an input as set, clamped to the range if lock_range is set; NaN if there is no such
/// input.
PLOY_API double ploy_fuzzy_input(const ploy_fuzzy *fuzzy, int32_t input);
/// Fuzzifies, applies the rules, defuzzifies. Reports each rule's degree and the reason to the
/// trace.
/// @param trace  NULL in production.
PLOY_API void ploy_fuzzy_step(ploy_fuzzy *fuzzy, ploy_trace *trace);
/// Returns the value of an output; NaN if no rule fired and neither lock_previous nor fall_back
/// applies.
PLOY_API double ploy_fuzzy_output(const ploy_fuzzy *fuzzy, int32_t output);

/// Returns the degree of an input's term, or the degree to which rules concluded an output's term,
/// in the last step.
PLOY_API double ploy_fuzzy_degree(const ploy_fuzzy *fuzzy, int32_t variable, int32_t term);
/// A rule's degree in the last step, including its weight, and whether it fired.
PLOY_API double ploy_fuzzy_rule_degree(const ploy_fuzzy *fuzzy, int32_t block, int32_t rule);
PLOY_API bool ploy_fuzzy_rule_fired(const ploy_fuzzy *fuzzy, int32_t block, int32_t rule);

PLOY_API void ploy_fuzzy_describe(const ploy_fuzzy *fuzzy, ploy_describe *out);

/// Draws a variable's sets as curves in a box, its value and, for an output, the conclusions of the
/// rules. Uses the layers REGIONS, PATHS, AGENTS and LABELS.
/// @param box  min x, min y, max x, max y.
PLOY_API void ploy_fuzzy_draw_variable(const ploy_fuzzy *fuzzy, int32_t variable,
                                       const float box[4], ploy_draw *out);
/// Draws an output over two inputs as a field of cells x cells squares, darker where it is larger;
/// the other inputs keep the instance's values. Uses the layers INFLUENCE, AGENTS and LABELS.
/// @param scratch  another instance of the type, stepped many times.
PLOY_API void ploy_fuzzy_draw_surface(const ploy_fuzzy *fuzzy, ploy_fuzzy *scratch, int32_t input_x,
                                      int32_t input_y, int32_t output, int32_t cells,
                                      const float box[4], ploy_draw *out);

/// Returns the instance as a behavior: each step reads the bound inputs from the blackboard, steps,
/// and writes the bound outputs that are not NaN. SUCCESS if no output is NaN, FAILURE otherwise.
/// With options, the status is that of the chosen behavior, which receives the messages; a
/// different choice interrupts it, and no choice (every output is NaN) is FAILURE. Values are kept
/// from one enter to the next and are saved by the names of their variables.
PLOY_API ploy_behavior ploy_fuzzy_behavior(ploy_fuzzy *fuzzy);
/// A maker that creates instances of a finished type, which must outlive them.
PLOY_API ploy_maker ploy_fuzzy_type_maker(ploy_fuzzy_type *type);

// ---- fuzzy tests for other techniques ----

/// A part of a rule as a test with a cut-off: "if health is low and distance is near" above 0.6
/// triggers a transition, guards a node or decides in a tree.
typedef struct ploy_fuzzy_guard ploy_fuzzy_guard;

/// @param type  finished and bound; must outlive the guard. The norms are those of its first block;
///              without one, min and max.
/// @param text  "health is low and distance is near"; inputs only.
PLOY_API ploy_result ploy_fuzzy_guard_create(const ploy_fuzzy_type *type, const char *text,
                                             double cut_off, const ploy_env *env,
                                             ploy_fuzzy_guard **out);
/// NULL is allowed. Conditions made from the guard must not be tested afterwards.
PLOY_API void ploy_fuzzy_guard_destroy(ploy_fuzzy_guard *guard);
/// Returns the guard as a condition for any decision tree, machine or behavior tree.
PLOY_API ploy_condition ploy_fuzzy_guard_condition(ploy_fuzzy_guard *guard, ploy_conditions *set);

/// A fuzzy test of a number in a rule's pattern (ploy/decide/rulebase.h): the variable's degree in
/// the set is at least the cut-off. In rule sets, trees and machines, use the guard's condition
/// instead.
typedef struct ploy_fuzzy_rule_test {
    ploy_fuzzy_set set;
    double cut_off;
    const char *variable; ///< of the rule, without the question mark
} ploy_fuzzy_rule_test;

/// Returns the call for a constraint of kind PLOY_RULE_HOLDS or a test.
/// @param test  must live as long as the rule base.
PLOY_API ploy_rule_call ploy_fuzzy_rule_call(const ploy_fuzzy_rule_test *test);
