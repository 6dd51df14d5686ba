/// @file ploy/decide/program.h
/// Programs: the language of expressions with statements, functions and time.
///
///     keep gold = 0                         // kept over steps, restarts and reloads
///     function richer(n) { gold += n; return gold >= 3 }
///     while true {
///         wait 2                            // s
///         if richer(1) { say('rich'); return }
///         yield                             // continue in the next step
///     }
///
/// Expressions are those of ploy/decide/expression.h; both share one lexer, parser, compiler and
/// virtual machine. A statement ends at the end of its line or at `;`; operators continue a line
/// only inside parentheses. Comments begin with `//`.
///
///     local x = e            a variable of the block; x := e creates a variable of the program
///     keep x = 3             a variable of the program with its first value, a constant
///     x = e  x += e          assigns a variable, a key of the blackboard, a field, an element
///     if c { } else { }      also with a single statement; while c { }; for i = 1, 9 { }
///     for i = 9, 1, -2 { }   for x in xs { }
///     function f(a, b) { }   return e
///     yield  wait s  until c stop until the next step, for s seconds, until c holds
///     atomic { }             not interrupted by an empty budget; an error after 10 budgets
///     when c do s            neighbors are rules: the first that holds runs, in the order of
///     when c priority 2 do s their priority (0 if not given), then of the text
///     monitor                as the first statement: the program restarts in every step
///     record spot { x = 0, who = none }     s = spot(); s.x = 3
///     local xs = list(8, vec2)              at most 8; push pop clear count xs[i], from 0
///
/// Values: numbers (true and false are 1 and 0), texts of at most 63 bytes, ids (`none`), vec2 and
/// vec3 (`v.x`), records, and lists, which are not copied. A name has one type, which is inferred.
/// Built in: abs floor sqrt min max vec2 vec3 length dot now tick random.
///
/// A program is compiled once, then immutable and shared. An instance is one block of known size. A
/// step allocates nothing. One unit of the budget is one instruction; a host function adds the cost
/// that it declares. Results do not depend on where budgets end. Instances are behaviors: returning
/// 0 (false) is failure; ending, or returning anything else, is success.
///
/// Saved state identifies functions and statements by stable ids. An edited function continues at
/// the beginning of the statement it was in, with the variables that still exist.
///
/// A step with a trace reports where it stopped and why, and for each group of rules which one was
/// chosen and why not the others. A trace that carries a probe (ploy/exec/script_probe.h) gets lines,
/// calls and returns instead.
///
/// Technique: a register machine over one block of 8-byte slots; names become slots when compiled.
/// Cost: O(instructions). Threads: a program may be shared; an instance takes one caller at a time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/writer.h"
#include "ploy/exec/maker.h"
#include "ploy/exec/script_probe.h"

/// Maximum number of arguments of a function, of variables and distinct names, and of step budgets
/// that an atomic block may use.
#define PLOY_PROGRAM_ARGS_MAX 4
#define PLOY_PROGRAM_NAMES_MAX 1024
#define PLOY_PROGRAM_ATOMIC_BUDGETS 10

/// A function of the game. Arguments have the types of its signature.
/// @param out  set to the result's type: none, f64, text, id, vec2 or vec3.
/// @return PLOY_OK; PLOY_IN_PROGRESS: stop here and call again in the next step; an error ends
///         the program.
typedef ploy_result (*ploy_program_fn)(void *user, ploy_step_context *context,
                                       const ploy_value *args, ploy_value *out);

/// One line registers one function.
typedef struct ploy_program_host {
    const char *name;
    ploy_program_fn fn;
    const char *signature; ///< "number(id, vec2)", "(text)": number, text, id, vec2, vec3
    int32_t cost;          ///< units in addition to the one for the call
    void *user;
} ploy_program_host;

/// What a program may use; everything here must outlive the program. All zero means nothing.
typedef struct ploy_program_scope {
    const ploy_program_host *hosts;
    int32_t host_count;
    const ploy_blackboard_layout *layout; ///< whose keys are variables; NULL: none
} ploy_program_scope;

typedef struct ploy_program_def {
    uint32_t cookie;
    int32_t stack;      ///< maximum slots of an instance's stack, 8 bytes each; an instance has
                        ///< fewer if no function can call itself
    int32_t step_units; ///< maximum units of a step whose context has no budget
    bool optimize;      ///< fold constants and remove dead branches
} ploy_program_def;

PLOY_API ploy_program_def ploy_program_def_default(void);
PLOY_API ploy_fields ploy_program_fields(void);

/// Opaque.
typedef struct ploy_program ploy_program;

/// Compiles a text. Reports every error with its position and the nearest valid name.
/// @param name   of the file, for messages.
/// @param scope  may be NULL. @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT for types, PLOY_ERR_LIMIT,
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_program_create(const ploy_program_def *def, const char *text, size_t size,
                                         const char *name, const ploy_program_scope *scope,
                                         const ploy_env *env, ploy_diags *diags,
                                         ploy_program **out);
/// Loads and verifies compiled code: no input can make it access memory outside its instance.
/// @return PLOY_ERR_FORMAT for invalid code, PLOY_ERR_NOT_FOUND for a host function or
///         key that the scope lacks, PLOY_ERR_ARGUMENT if its type differs.
PLOY_API ploy_result ploy_program_load(const void *bytes, size_t size, const char *name,
                                       const ploy_program_scope *scope, const ploy_env *env,
                                       ploy_diags *diags, ploy_program **out);
/// Writes the code as bytes, without the source.
PLOY_API ploy_result ploy_program_save(const ploy_program *program, ploy_writer *out);
/// NULL is allowed. Destroy its instances first.
PLOY_API void ploy_program_destroy(ploy_program *program);

/// The number of instructions, and the hash of code and constants.
PLOY_API int32_t ploy_program_instruction_count(const ploy_program *program);
PLOY_API uint64_t ploy_program_hash(const ploy_program *program);

/// Writes the tokens of a text, one per line: position, kind and text.
/// @param spaces  whether white space and comments count as tokens.
PLOY_API ploy_result ploy_program_print_tokens(const char *text, size_t size, bool spaces,
                                               const ploy_env *env, ploy_writer *out);
/// Writes the syntax tree of a text, one node per line, indented.
/// @return PLOY_ERR_FORMAT with the faults in diags, which may be NULL.
PLOY_API ploy_result ploy_program_print_tree(const char *text, size_t size, const char *name,
                                             const ploy_env *env, ploy_diags *diags,
                                             ploy_writer *out);
/// Writes the code, one instruction per line.
PLOY_API void ploy_program_print_code(const ploy_program *program, ploy_writer *out);

/// One character's run of a program. Opaque.
typedef struct ploy_program_instance ploy_program_instance;

typedef enum ploy_program_state {
    PLOY_PROGRAM_READY,   ///< before the first step
    PLOY_PROGRAM_YIELDED, ///< at yield, until or a host function in progress
    PLOY_PROGRAM_WAITING, ///< at wait
    PLOY_PROGRAM_STOPPED, ///< the budget was empty
    PLOY_PROGRAM_DONE,
    PLOY_PROGRAM_ERROR,
    PLOY_PROGRAM_STATES
} ploy_program_state;

/// "ready", "yielded", "waiting", "stopped", "done", "error".
PLOY_API const char *ploy_program_state_text(ploy_program_state state);

/// Bytes of one instance.
PLOY_API size_t ploy_program_instance_size(const ploy_program *program);
/// @param program  must outlive the instance.
PLOY_API ploy_result ploy_program_instance_create(const ploy_program *program, const ploy_env *env,
                                                  ploy_program_instance **out);
PLOY_API void ploy_program_instance_destroy(ploy_program_instance *instance);
/// Restarts the program and resets its variables to their first values.
PLOY_API void ploy_program_instance_restart(ploy_program_instance *instance);

/// Runs until the program stops, ends, or empties the context's budget.
/// @param status  RUNNING, SUCCESS or FAILURE. After the end a step does nothing.
/// @return the error that ended it: PLOY_ERR_ARGUMENT for an invalid value (an index, bits of
///         a fraction), PLOY_ERR_LIMIT for a stack, text or list that gets too long and an atomic
///         block that takes too long, PLOY_ERR_STATE for a stop inside one, or a host's error.
PLOY_API ploy_result ploy_program_step(ploy_program_instance *instance, ploy_step_context *context,
                                       ploy_status *status);

/// The state after the last step.
PLOY_API ploy_program_state ploy_program_state_of(const ploy_program_instance *instance);
/// The value that the program returned, when it is done: none, f64, text, id or a vector.
PLOY_API ploy_value ploy_program_value(const ploy_program_instance *instance);
/// Units used so far: instructions and the costs of host functions.
PLOY_API int64_t ploy_program_units(const ploy_program_instance *instance);
/// Reads a variable of the program or of the running function. Texts are valid until the next step.
/// @return false if there is no such variable, or it is a list or record.
PLOY_API bool ploy_program_get(const ploy_program_instance *instance, const char *name,
                               ploy_value *out);

/// Where an instance is.
typedef struct ploy_program_place {
    const char *function; ///< "" for the statements outside functions
    int32_t line, column; ///< of the statement; 0 if unknown
    int32_t instruction;  ///< the next one, of the whole program
    int32_t depth;        ///< of nested calls, from 0
} ploy_program_place;

PLOY_API ploy_program_place ploy_program_place_of(const ploy_program_instance *instance);

/// Names the lines of a program that can run, for coverage (ploy/exec/script_probe.h).
PLOY_API ploy_result ploy_program_expect_lines(const ploy_program *program,
                                               ploy_script_profile *profile);

/// Names the state of a ploy_program_instance (ploy/base/visit.h).
PLOY_API void ploy_program_visit(ploy_visit *v, void *instance);

/// Creates one character's behavior, and a maker of such behaviors. The program must outlive both.
PLOY_API ploy_result ploy_program_behavior(const ploy_program *program, const ploy_env *env,
                                           ploy_behavior *out);
PLOY_API ploy_maker ploy_program_maker(const ploy_program *program);
