/// @file ploy/learn/learner.h
/// The learner: one interface for everything that learns from examples.
///
/// Classifiers, trees, predictors and networks differ in what they keep. A caller uses them all
/// alike: it creates a learner for a schema, gives it examples, one by one or as a table, and
/// requests predictions.
///
///     create --> observe, observe, ...                 online, one example at a time
///            --> train_begin, train_step, ...          a whole table, in slices
///            --> predict, choose, explain, draw        at any time
///     freeze: keeps answering, learns nothing more     reset: forgets everything
///
/// A learner may have no opinion: nothing was learned yet, or nothing that applies to the input.
/// Its answer reports that and is never a guess.
///
/// Every learner of the library is in a list (ploy_learners_at), which commands, tests and the
/// studio use. A game adds a learner by filling a ploy_learner_type. Technique: Millington, "AI for
/// Games", 7.1 and 7.4.
///
/// The same settings, seed and examples give bit-identical results in one slice or in a thousand.
/// Predicting allocates nothing. Threads: many may predict at the same time; everything else takes
/// one caller.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/trace.h"
#include "ploy/geom/draw.h"
#include "ploy/learn/table.h"

/// What a learner can learn from and answer; a set is the sum of its members.
enum {
    PLOY_LEARNER_NUMBERS = 1,    ///< columns of numbers
    PLOY_LEARNER_CATEGORIES = 2, ///< columns of categories
    PLOY_LEARNER_MISSING = 4,    ///< missing values
    PLOY_LEARNER_CLASSIFIES = 8, ///< targets that are categories
    PLOY_LEARNER_ESTIMATES = 16, ///< targets that are numbers
    PLOY_LEARNER_COUNTS = 32,    ///< prefers categories to whole numbers: it counts values
    PLOY_LEARNER_SEQUENCE = 64   ///< predicts the next example from those before it
};

/// The answer of a learner.
typedef struct ploy_answer {
    bool opinion;      ///< false: everything else is empty
    int32_t category;  ///< of the target; -1 for none or if the target is a number
    double value;      ///< the estimate, if the target is a number
    double confidence; ///< [0, 1], the probability of the category; 1 for numbers
} ploy_answer;

/// No opinion.
PLOY_API ploy_answer ploy_answer_none(void);

typedef struct ploy_learner_type ploy_learner_type;

/// First member of every learner's object; ploy_learner_create fills it.
typedef struct ploy_learner_common {
    ploy_env env;
    const ploy_learner_type *type;
    ploy_schema *schema; ///< the learner's copy
    void *def;           ///< the learner's copy of its settings
    bool frozen;
    bool trains;                   ///< between train_begin and its end
    int64_t observed;              ///< examples learned, repeated ones counted again
    int64_t next;                  ///< row of the table that is learned next
    const ploy_examples *examples; ///< the table in training, borrowed; NULL otherwise
} ploy_learner_common;

/// A kind of learner. `self` starts with a ploy_learner_common. All are set except where noted.
struct ploy_learner_type {
    const char *name;      ///< "bayes"
    const char *help;      ///< one line
    const char *unit;      ///< one unit of a training budget: "one example"
    const char *size_unit; ///< what ploy_learner_size counts: "nodes"
    uint32_t abilities;    ///< of the enum above
    /// Table of its settings.
    ploy_fields (*fields)(void);
    /// Makes the object, with a copy of *common as its first member. def was checked.
    ploy_result (*create)(const void *def, const ploy_learner_common *common, void **out);
    void (*destroy)(void *self);
    /// Learns one example, which the schema accepts and whose target is known. On an error nothing
    /// has changed. NULL: learns only from tables.
    ploy_result (*observe)(void *self, const double *example);
    /// Training over common.examples. NULL: observes one row after the other, a unit each.
    ploy_result (*begin)(void *self);
    /// PLOY_IN_PROGRESS while work is left, PLOY_OK at the end, or an error, after which training
    /// is cancelled. NULL if begin is.
    ploy_result (*step)(void *self, ploy_budget *budget);
    /// Frees what only training needs. Also called at the end and before destroy. NULL: nothing.
    void (*cancel)(void *self);
    /// @param posteriors  one for each class, to be set if there is an opinion; NULL: not needed.
    void (*predict)(const void *self, const double *input, double *posteriors, ploy_answer *out);
    /// Restores the state after create, except for common.
    void (*reset)(void *self);
    int64_t (*size)(const void *self);
    /// Everything that was learned, in the open group; common is visited by the front.
    void (*visit)(ploy_visit *v, void *self);
    /// Reports what determined the answer, in an open decision.
    void (*explain)(const void *self, const double *input, ploy_trace *trace);
    /// Draws what was learned.
    void (*draw)(const void *self, ploy_draw *out);
    /// Units that the training takes from its begin to its end; an estimate where that depends on
    /// the data. NULL: one for each row of the table.
    int64_t (*total)(const void *self);
};

typedef struct ploy_learner {
    const ploy_learner_type *type; ///< NULL means none
    void *self;
} ploy_learner;

/// Every learner of the library, in the order in which programs list them: number 0, 1, ...
/// @return NULL past the last one.
PLOY_API const ploy_learner_type *ploy_learners_at(int32_t index);
/// The learner of that name, or NULL.
PLOY_API const ploy_learner_type *ploy_learners_find(const char *name);

/// Whether the learner can learn under the schema; each reason against it goes to the env's log.
PLOY_API bool ploy_learner_takes(const ploy_learner_type *type, const ploy_schema *schema,
                                 const ploy_env *env);
/// Creates a learner that knows nothing.
/// @param def     settings, as in its field table; NULL: the defaults.
/// @param schema  copied.
/// @param out     none on failure.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range or the learner cannot take the
///         schema (the
///         log gives the reason), PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_learner_create(const ploy_learner_type *type, const void *def,
                                         const ploy_schema *schema, const ploy_env *env,
                                         ploy_learner *out);
/// None is allowed.
PLOY_API void ploy_learner_destroy(ploy_learner learner);
/// The schema and settings that the learner was created with.
PLOY_API const ploy_schema *ploy_learner_schema(ploy_learner learner);
PLOY_API const void *ploy_learner_def(ploy_learner learner);

/// Learns one example; a frozen learner ignores it, and so does every learner if the target is
/// missing.
/// @return PLOY_ERR_ARGUMENT if a value is out of range, PLOY_ERR_STATE while it trains or if it
///         learns only from tables, PLOY_ERR_MEMORY; nothing has changed then.
PLOY_API ploy_result ploy_learner_observe(ploy_learner learner, const double *example);

/// Starts to learn a table. Learners that can add to earlier knowledge keep it; others replace it.
/// ploy_learner_reset clears it.
/// @param examples  under an equal schema; must stay unchanged until training ends.
/// @return PLOY_ERR_STATE if it is frozen or trains already, PLOY_ERR_ARGUMENT for another schema,
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_learner_train_begin(ploy_learner learner, const ploy_examples *examples);
/// Continues until the table is learned (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS). Budget
/// NULL: no limit. An error ends the training. PLOY_OK if nothing is in training.
PLOY_API ploy_result ploy_learner_train_step(ploy_learner learner, ploy_budget *budget);
/// Units of budget that the training which has begun takes in all, for a progress bar; for decision
/// trees an estimate. 0 if nothing is in training.
PLOY_API int64_t ploy_learner_train_total(ploy_learner learner);
/// Ends training early; what it has learned so far stays.
PLOY_API void ploy_learner_train_cancel(ploy_learner learner);
/// Begins and steps to the end.
PLOY_API ploy_result ploy_learner_train(ploy_learner learner, const ploy_examples *examples);
/// True between train_begin and the end of training.
PLOY_API bool ploy_learner_trains(ploy_learner learner);

/// Answers for a row, whose target is ignored. Allocates nothing.
/// @param posteriors  receives one probability for each class if there is an opinion; NULL: not
///                    needed.
PLOY_API ploy_answer ploy_learner_predict(ploy_learner learner, const double *input,
                                          double *posteriors);
/// The most likely class among those allowed: hard constraints are not learned, they are masked.
/// @param allowed     one for each class; NULL: all.
/// @param posteriors  room for one for each class; those not allowed are set to 0.
/// @return no opinion if no allowed class has a probability above 0.
PLOY_API ploy_answer ploy_learner_choose(ploy_learner learner, const double *input,
                                         const bool *allowed, double *posteriors);

/// Freezes or unfreezes a learner. A frozen learner still answers but no longer learns.
PLOY_API void ploy_learner_freeze(ploy_learner learner, bool frozen);
PLOY_API bool ploy_learner_frozen(ploy_learner learner);
/// Clears everything learned and ends training; has no effect on a frozen learner.
PLOY_API void ploy_learner_reset(ploy_learner learner);

/// Examples learned since create or reset, and the size of the learner in its size_unit.
PLOY_API int64_t ploy_learner_observed(ploy_learner learner);
PLOY_API int64_t ploy_learner_size(ploy_learner learner);

/// The visitor of a learner; the object is a ploy_learner *. Saves what was learned, without schema
/// and settings (ploy/data/learner_file.h saves those too). A learner saved in training is loaded
/// into one whose training of the same table has begun.
PLOY_API void ploy_learner_visit(ploy_visit *v, void *object);
PLOY_API uint64_t ploy_learner_hash(ploy_learner learner);
PLOY_API void ploy_learner_describe(ploy_learner learner, ploy_describe *out);
PLOY_API void ploy_learner_memory(ploy_learner learner, ploy_memory_fn fn, void *user);

/// Reports the answer, every class with its probability, and what determined the answer.
PLOY_API void ploy_learner_explain(ploy_learner learner, const double *input, ploy_agent_id agent,
                                   ploy_trace *trace);
/// Draws what was learned, in a square of 100 by 100 m at the origin.
PLOY_API void ploy_learner_draw(ploy_learner learner, ploy_draw *out);
