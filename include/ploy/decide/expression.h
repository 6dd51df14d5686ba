/// @file ploy/decide/expression.h
/// Expressions over a blackboard: the language of conditions, scores and effects in files.
///
///     health < 20 && !fleeing          mood == 'angry' ? 3 : 1
///     fleeing := true; panic += 1      0 < distance < 10
///     not In('asleep') and near(20)    threat * 0.5 + hunger
///
/// Values are numbers (double; true and false are 1 and 0) and texts in single or double quotes.
/// Operators from loose to tight: `:= = += -= *= /=`, `? :`, `||` or `or`, `&&` or `and`, `not`,
/// comparisons (which chain), `|` and `^`, `&`, `+ - ..`, `* /`, `! ~ -`. Binary operators
/// associate to the left; `..` joins texts and numbers, `+` also joins texts. Bit operators need
/// whole numbers. A text that can be read as a number compares with numbers. `name := x` creates
/// the name; `name = x` needs an existing name. Statements are separated by `;`, and the value of
/// the expression is that of the last one. `near(20)` calls a word of a set of conditions
/// (ploy/decide/condition.h).
///
/// An expression is parsed once. Binding then gives its names their types and reports every type
/// error. A bound expression is immutable and shared, and running it allocates nothing.
///
/// Technique: the scripting language of BehaviorTree.CPP 4, made static: a name has one type. Cost:
/// O(operations). Threads: a bound expression may run on many threads.
#pragma once

#include "ploy/decide/condition.h"

/// Deepest nesting, and most names, of an expression.
#define PLOY_EXPRESSION_DEPTH_MAX 128
#define PLOY_EXPRESSION_NAMES_MAX 64

/// Opaque.
typedef struct ploy_expression ploy_expression;

/// A name that represents a number, such as a value of an enumeration.
typedef struct ploy_expression_constant {
    const char *name;
    double value;
} ploy_expression_constant;

/// Reads an expression.
/// @param name       of the file, for messages; line and column say where the text begins in that
///                   file.
/// @param constants  names that represent numbers; copied. NULL if there are none.
/// @return PLOY_ERR_FORMAT with the position in diags, which may be NULL; PLOY_ERR_LIMIT if it is
///         too deep or has too many names; PLOY_ERR_ARGUMENT; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_expression_create(const char *text, const char *name, int32_t line,
                                            int32_t column,
                                            const ploy_expression_constant *constants,
                                            int32_t constant_count, const ploy_env *env,
                                            ploy_diags *diags, ploy_expression **out);
/// NULL is allowed.
PLOY_API void ploy_expression_destroy(ploy_expression *expression);

/// Returns the source text.
PLOY_API const char *ploy_expression_text(const ploy_expression *expression);

/// One name in an expression.
typedef struct ploy_expression_use {
    const char *name;
    bool makes;  ///< it is assigned with `:=`
    bool writes; ///< it is assigned
    bool reads;
    bool quoted; ///< it is compared with a text in quotes
    /// The type that the first `:=` gives the name: f64 or text; none if that depends on other
    /// names (see ploy_expression_infer) or the name is not created.
    ploy_value_type type;
} ploy_expression_use;

/// The names of an expression, in the order in which they appear. @return false if there is no such
/// index.
PLOY_API int32_t ploy_expression_name_count(const ploy_expression *expression);
PLOY_API bool ploy_expression_name(const ploy_expression *expression, int32_t index,
                                   ploy_expression_use *out);

/// One call of a word in an expression: `near(20)`, `In('asleep')`.
typedef struct ploy_expression_call {
    const char *name;
    int32_t count;    ///< arguments
    const char *text; ///< the first argument if it is a quoted text or a plain name, otherwise NULL
    int32_t line, column;
} ploy_expression_call;

/// The calls in an expression, in the order of the text. @return false if there is no such index.
PLOY_API bool ploy_expression_call_at(const ploy_expression *expression, int32_t index,
                                      ploy_expression_call *out);

/// Resolves the words of a set: calls, and names that are words without arguments. Names that are
/// not words stay keys. Call this once, before bind.
/// @param set  must outlive the expression; only its words are used, not its layout.
/// @return PLOY_ERR_NOT_FOUND for a call of an unknown word, PLOY_ERR_ARGUMENT for the wrong number
///         of arguments.
PLOY_API ploy_result ploy_expression_resolve(ploy_expression *expression, ploy_conditions *set,
                                             ploy_diags *diags);

/// Infers types: types[i] is the type of name i, or none if not yet known; it is set if the
/// expression creates the name. @return true if one was found.
PLOY_API bool ploy_expression_infer(const ploy_expression *expression, ploy_value_type types[]);

/// Gives each name its type, checks the expression and prepares it to run. Numbers are of type
/// bool, i64, u64, f32 or f64; a name (ploy_name) may be assigned and compared for equality with
/// texts in quotes. @param types  one for each name.
/// @return PLOY_ERR_NOT_FOUND for a name without a type, PLOY_ERR_ARGUMENT for a name of an
///         unsupported type and for every meaningless operation; the expression is then unchanged.
///         PLOY_ERR_STATE if it is already bound to other types.
PLOY_API ploy_result ploy_expression_bind(ploy_expression *expression, const ploy_value_type *types,
                                          ploy_diags *diags);
/// The same with the types that a layout gives its keys.
PLOY_API ploy_result ploy_expression_bind_layout(ploy_expression *expression,
                                                 const ploy_blackboard_layout *layout,
                                                 ploy_diags *diags);
/// f64 or text; none before bind.
PLOY_API ploy_value_type ploy_expression_type(const ploy_expression *expression);

/// The value of an expression.
typedef struct ploy_expression_value {
    double number; ///< of a text: 0
    bool is_text;
    char text[PLOY_BLACKBOARD_TEXT_MAX + 1]; ///< "" for a number
} ploy_expression_value;

/// Runs a bound expression. Assignments before a failure stay.
/// @param refs    the blackboard and slot of each name, with the types given to bind.
/// @param moment  for the words that the expression calls; may be NULL if it calls none.
/// @param out     may be NULL.
/// @return PLOY_ERR_STATE before bind; PLOY_ERR_ARGUMENT for a bit operation on a number that is
///         not whole and for a value that its name cannot hold; PLOY_ERR_LIMIT for a text that
///         becomes too long.
PLOY_API ploy_result ploy_expression_run(const ploy_expression *expression,
                                         const ploy_blackboard_ref *refs, const ploy_moment *moment,
                                         ploy_expression_value *out);
/// The same on one blackboard, which has the layout given to bind.
PLOY_API ploy_result ploy_expression_run_on(const ploy_expression *expression,
                                            ploy_blackboard *board, ploy_expression_value *out);
