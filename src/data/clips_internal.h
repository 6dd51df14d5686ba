// Shared between the files that read and run CLIPS programs.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/base/array.h"
#include "ploy/base/map.h"
#include "ploy/base/rng.h"
#include "ploy/data/clips.h"

typedef enum ployi_token_kind {
    PLOYI_TOKEN_END,
    PLOYI_TOKEN_OPEN,
    PLOYI_TOKEN_CLOSE,
    PLOYI_TOKEN_VALUE, // a constant
    PLOYI_TOKEN_VAR,   // ?x
    PLOYI_TOKEN_MVAR,  // $?x
    PLOYI_TOKEN_GLOBAL,
    PLOYI_TOKEN_ANY,  // ?
    PLOYI_TOKEN_MANY, // $?
    PLOYI_TOKEN_NOT,
    PLOYI_TOKEN_AND,
    PLOYI_TOKEN_OR,
    PLOYI_TOKEN_BAD
} ployi_token_kind;

typedef struct ployi_token {
    ployi_token_kind kind;
    ploy_rule_value value;
    const char *text; // of a symbol or string without quotes, or the variable's name; in the arena
    int32_t line, column;
    size_t begin, end; // in the source
} ployi_token;

enum { PLOYI_X_VALUE, PLOYI_X_LOCAL, PLOYI_X_GLOBAL, PLOYI_X_CALL, PLOYI_X_USER };

typedef struct ployi_function ployi_function;

// A node of an expression. Nodes live in the arena of the program until it is cleared.
typedef struct ployi_x {
    int32_t kind;
    int32_t index; // local, global or deffunction
    int32_t count;
    const ployi_function *function;
    struct ployi_x **args;
    ploy_rule_value value;
    const char *name; // of a variable
} ployi_x;

typedef struct ployi_frame {
    ploy_rule_value *locals;
    int32_t count;
    const int32_t *lhs; // variable of the firing rule by local, -1 where there is none
    const ploy_rule_frame *match;
    ploy_rule_value *members; // of the queries around: locals from PLOYI_SCOPE_MAX on
} ployi_frame;

struct ployi_function {
    const char *name;
    int32_t min, max; // arguments; max -1: any number
    ploy_rule_value (*call)(ploy_clips *clips, ployi_frame *frame, const ployi_x *x);
};

// Most variables of a body, and of the loops or queries around one.
enum { PLOYI_SCOPE_MAX = 256, PLOYI_FIXED_MAX = 16 };
// The type of a local without a value.
enum { PLOYI_LOCAL_UNSET = -1 };

// Names of locals while a body is parsed.
typedef struct ployi_scope {
    const char *names[PLOYI_SCOPE_MAX];
    int32_t count;
    const char *fixed[PLOYI_FIXED_MAX]; // variables of the loops around, which must not be bound
    int32_t fixed_count;
    const char *members[PLOYI_FIXED_MAX]; // variables of the queries around, also not to be bound
    int32_t member_count;
    const char *loop;  // the innermost, for the message
    const char *query; // the same
} ployi_scope;

typedef struct ployi_body {
    ployi_x **items;
    int32_t count;
    int32_t locals;
} ployi_body;

typedef struct ployi_deffunction {
    const char *name;
    int32_t params;
    bool rest; // the last one takes all the others
    bool defined;
    ployi_body body;
} ployi_deffunction;

typedef struct ployi_defglobal {
    const char *name;
    ployi_x *initial;
    ploy_rule_value value; // a multifield's items are in a block of `room`
    int32_t room;
} ployi_defglobal;

typedef struct ployi_defrule {
    const char *name;
    int32_t module;
    int32_t first, count; // alternatives
    int32_t *lhs;         // by alternative and local
    ployi_x *salience;    // NULL: a constant
    int32_t salience_value;
    ployi_body body;
    ploy_rule_ce conditions; // in the program's arena
    int32_t line;
    int32_t same; // the rule before with the same hash of module and name; -1
    bool removed;
} ployi_defrule;

typedef struct ployi_deffacts {
    const char *name;
    ployi_body body; // asserts
    bool removed;
} ployi_deffacts;

// Types of values as bits.
enum {
    PLOYI_TYPE_SYMBOL = 1,
    PLOYI_TYPE_STRING = 2,
    PLOYI_TYPE_NAME = 4,
    PLOYI_TYPE_INTEGER = 8,
    PLOYI_TYPE_FLOAT = 16,
    PLOYI_TYPE_FACT = 32,
    PLOYI_TYPE_INSTANCE = 64,
    PLOYI_TYPE_EXTERNAL = 128,
    PLOYI_TYPE_VOID = 256,
    PLOYI_TYPE_ALL = 511
};

// Numbers from one to another, both ends included. An end of type NONE is endless.
typedef struct ployi_clips_range {
    ploy_rule_value low, high;
} ployi_clips_range;

// What a field may hold: the constraint record of CLIPS. Immutable once made.
typedef struct ployi_constraint {
    uint32_t types;  // allowed, unless `any`
    uint32_t listed; // types whose values must be among `values`
    bool any, any_listed;
    bool single, multi; // one value, a sequence
    const ploy_rule_value *values;
    int32_t value_count;
    int32_t range_count, size_count;
    const ployi_clips_range *range;        // a number is in one of them
    const ployi_clips_range *size;         // the count of a sequence is in one of them
    const struct ployi_constraint *inside; // the items of a sequence; NULL: anything
} ployi_constraint;

typedef enum ployi_violation {
    PLOYI_VIOLATES_NOTHING,
    PLOYI_VIOLATES_TYPE,
    PLOYI_VIOLATES_VALUES,
    PLOYI_VIOLATES_RANGE,
    PLOYI_VIOLATES_SIZE,
    PLOYI_VIOLATES_RESULT // what a function gives is of another type
} ployi_violation;

typedef struct ployi_defslot {
    ployi_x *initial; // NULL: `derived`
    ploy_rule_value derived;
    const ployi_constraint *constraint;
    bool dynamic, required;
} ployi_defslot;

typedef struct ployi_deftemplate {
    ployi_defslot *slots;
    bool implied;
} ployi_deftemplate;

enum {
    PLOYI_WATCH_FACTS = 1,
    PLOYI_WATCH_RULES = 2,
    PLOYI_WATCH_ACTIVATIONS = 4,
    PLOYI_WATCH_FOCUS = 8,
    PLOYI_WATCH_STATISTICS = 16,
    PLOYI_WATCH_OTHER = 32
};
enum { PLOYI_FLOW_NONE, PLOYI_FLOW_BREAK, PLOYI_FLOW_RETURN };

struct ploy_clips {
    ploy_env env; // its allocator counts, see clips.c
    ploy_allocator outer;
    size_t used; // bytes, of the program without its own block
    ploy_clips_def def;
    ploy_writer out;
    ploy_rulebase *base;
    ploy_rules *rules;
    ploy_arena *program; // until clear
    ploy_arena *scratch; // until the end of a firing or a command
    ploy_array functions, globals, deffacts, defrules, templates, modules;
    ploy_map rule_of;                                   // alternative -> defrule
    ploy_map function_named, global_named, facts_named; // name -> place in its array
    ploy_map rule_named; // hash of module and name -> the last such defrule
    ploy_map builtin;    // name -> function
    // running
    bool failed; // an evaluation went wrong: everything unwinds
    bool parse_failed, exited, running, clear_wanted, halted;
    int32_t flow, depth;
    uint64_t work;
    bool limited; // a limit was exceeded since the last call from outside
    ploy_rule_value returned;
    int32_t module; // the current one
    int32_t watch;
    int32_t strategy, loads;
    int32_t salience_when; // 0 when-defined, 1 when-activated, 2 every-cycle
    int64_t gensym;
    ploy_rng rng;
    ploy_name yes, no, nil;
    int64_t sum_facts, max_facts, sum_activations, max_activations, run_fired;
    // reading
    const char *text;
    size_t size, at, line_at;
    int32_t line;
    const char *name;
    ploy_diags *diags;
    int64_t faults;
    size_t fault_end; // of the token that the first fault was at
    bool fault_tight; // it was no token out of place, but what was complete with it
    bool fault_blank; // CLIPS has put a blank behind it already
    bool unchecked;   // (set-static-constraint-checking FALSE)
    ployi_token token;
};

// A result as the caller sees it: a limit counts more than what it led to.
ploy_result ployi_clips_end(const ploy_clips *clips, ploy_result result);
// Spends one unit of work. False, and a fault, if there is none left. In clips_eval.c.
bool ployi_clips_spend(ploy_clips *clips);
// The quick form of a call of two variables, as the conditions compare most numbers; NULL: none.
ploy_rule_pair_fn ployi_clips_pair(const ployi_x *x);

// ---- Scanning and parsing (clips_scan.c, clips_parse.c) ----
void ployi_clips_open(ploy_clips *clips, const char *text, size_t size, const char *name,
                      ploy_diags *diags);
// Puts the reading position back to what a copy of the program remembers.
void ployi_clips_restore(ploy_clips *clips, const ploy_clips *saved);
void ployi_clips_next(ploy_clips *clips);
// A fault at the present token: a diagnostic, or printed where there are none.
void ployi_clips_fault(ploy_clips *clips, const char *message, const char *what);
// The same with a message in parts.
void ployi_clips_fault_list(ploy_clips *clips, const char *const *parts, int32_t count);
void ployi_clips_syntax(ploy_clips *clips, const char *where);
// Prints the construct that begins there up to the fault. Nothing where there are diagnostics.
void ployi_clips_echo(ploy_clips *clips, size_t begin);
bool ployi_clips_is(const ploy_clips *clips, const char *symbol);
char *ployi_clips_copy(ploy_clips *clips, const char *text, size_t size);
void *ployi_clips_alloc(ploy_clips *clips, int64_t count, size_t size);
ployi_x *ployi_clips_parse_x(ploy_clips *clips, ployi_scope *scope);
// From behind '(': the function's name and its arguments up to ')'.
ployi_x *ployi_clips_parse_call(ploy_clips *clips, ployi_scope *scope);
// Expressions up to ')' or one of the words; the closing token is the present one.
bool ployi_clips_parse_body(ploy_clips *clips, ployi_scope *scope, const char *stop1,
                            const char *stop2, ployi_body *out);
int32_t ployi_clips_local(ploy_clips *clips, ployi_scope *scope, const char *name);
ployi_x *ployi_clips_parse_assert(ploy_clips *clips, ployi_scope *scope, bool top);
ployi_x *ployi_clips_new_x(ploy_clips *clips, int32_t kind);
// Queries over facts (clips_queries.c): from behind the function's name to behind ')'; and ?f:slot, NULL if ?f is no
// member of a set.
bool ployi_clips_is_query(const char *name);
ployi_x *ployi_clips_parse_query(ploy_clips *clips, ployi_scope *scope, ployi_x *x);
ployi_x *ployi_clips_parse_slot(ploy_clips *clips, ployi_scope *scope, const char *name);
// The place of a deffunction or a global; -1: there is none.
int32_t ployi_clips_find_function(const ploy_clips *clips, const char *name);
int32_t ployi_clips_find_global(const ploy_clips *clips, const char *name);
const ployi_function *ployi_clips_find(const ploy_clips *clips, const char *name);
void ployi_clips_skip_construct(ploy_clips *clips);

// ---- Constructs (clips_construct.c) ----
bool ployi_clips_is_construct(const char *word);
// From behind '(' and the word; leaves the token behind ')'.
bool ployi_clips_construct(ploy_clips *clips);
int32_t ployi_clips_template(ploy_clips *clips, const char *name, bool make);
int32_t ployi_clips_find_module(const ploy_clips *clips, const char *name);
// The name of a construct, which may begin with its module's; then a comment.
const char *ployi_clips_construct_name(ploy_clips *clips, int32_t *module);
bool ployi_clips_construct_close(ploy_clips *clips, const char *where);
bool ployi_clips_defrule(ploy_clips *clips); // (clips_rule.c)

// ---- Constraints of slots (clips_constraint.c, clips_facet.c) ----
// Makers put what they make into the scratch memory; NULL there sets failed. A constraint that is
// NULL allows everything.
ployi_constraint ployi_constraint_any(void);
const ployi_constraint *ployi_constraint_both(ploy_clips *clips, const ployi_constraint *a,
                                              const ployi_constraint *b);
const ployi_constraint *ployi_constraint_either(ploy_clips *clips, const ployi_constraint *a,
                                                const ployi_constraint *b);
const ployi_constraint *ployi_constraint_without(ploy_clips *clips, const ployi_constraint *a,
                                                 const ploy_rule_value *value);
// A copy of what a caller put together.
const ployi_constraint *ployi_constraint_keep(ploy_clips *clips, const ployi_constraint *from);
// What a letter of a function's signature represents; what an expression may give.
const ployi_constraint *ployi_constraint_letter(ploy_clips *clips, char letter);
const ployi_constraint *ployi_constraint_of(ploy_clips *clips, const ployi_x *x);
// That value only, which must stay where it is.
const ployi_constraint *ployi_constraint_value(ploy_clips *clips, const ploy_rule_value *value);
// True if nothing fits any more.
bool ployi_constraint_empty(const ployi_constraint *a);
uint32_t ployi_type_bit(int32_t type);
int ployi_clips_compare_ends(const ploy_rule_value *a, const ploy_rule_value *b);
ployi_violation ployi_constraint_check(const ployi_constraint *a, const ploy_rule_value *value);
// The expressions that fill a slot.
ployi_violation ployi_constraint_check_list(const ployi_constraint *a, ployi_x *const *items,
                                            int32_t count);
// "[CSTRNCHK1] A literal slot value found in the assert command ...". ce 0: none, then `place`
// says where. slot NULL: the field of that number.
void ployi_constraint_fault(ploy_clips *clips, const char *what, const char *place, int32_t ce,
                            const char *slot, int32_t field, ployi_violation violation,
                            const ployi_constraint *a);
// The letter of what a function gives, and of its argument from 1. 'u': anything.
char ployi_clips_result_letter(const ployi_function *function);
char ployi_clips_argument_letter(const ployi_function *function, int32_t i);
// A slot of a template from behind '(' to behind ')'.
bool ployi_clips_slot(ploy_clips *clips, ploy_rule_slot *slot, ployi_defslot *made);
// Values that a fact's slot is filled with. Nothing where they are not known yet.
bool ployi_clips_check_slot(ploy_clips *clips, int32_t form, int32_t slot, ployi_x *const *items,
                            int32_t count, const char *place);
void ployi_clips_write_x(ploy_clips *clips, const ployi_x *x, ploy_writer *out);

// ---- Variables and constraints of a rule (clips_analysis.c) ----
bool ployi_clips_analyse(ploy_clips *clips, const ploy_rule_ce *lhs, const ployi_body *rhs);

// ---- Evaluation (clips_eval.c) ----
ploy_rule_value ployi_clips_eval(ploy_clips *clips, ployi_frame *frame, const ployi_x *x);
// The i-th argument. Constants and, in conditions, variables need no walk over a tree.
static inline ploy_rule_value ployi_clips_arg(ploy_clips *clips, ployi_frame *frame,
                                              const ployi_x *x, int32_t i) {
    const ployi_x *arg = x->args[i];
    if (!clips->failed) {
        if (arg->kind == PLOYI_X_VALUE) return arg->value;
        if (arg->kind == PLOYI_X_LOCAL && frame->match != NULL && arg->index < PLOYI_SCOPE_MAX) {
            return ploy_rule_frame_get(frame->match, arg->index);
        }
    }
    return ployi_clips_eval(clips, frame, arg);
}
ploy_rule_value ployi_clips_body(ploy_clips *clips, ployi_frame *frame, const ployi_body *body);
ploy_rule_value ployi_clips_call_user(ploy_clips *clips, const ployi_deffunction *function,
                                      const ploy_rule_value *args, int32_t count);
ploy_rule_value ployi_clips_bool(const ploy_clips *clips, bool value);
bool ployi_clips_true(const ploy_clips *clips, const ploy_rule_value *value);
ploy_rule_value ployi_clips_symbol(ploy_clips *clips, const char *text);
ploy_rule_value ployi_clips_text(ploy_clips *clips, ploy_rule_type type, const char *text);
const char *ployi_clips_get_text(const ploy_clips *clips, const ploy_rule_value *value);
// Errors while running: print, and everything unwinds.
void ployi_clips_error(ploy_clips *clips, const char *code, const char *message);
void ployi_clips_arg_error(ploy_clips *clips, const ployi_x *x, int32_t i, const char *type);
void ployi_clips_number_error(ploy_clips *clips, const ployi_x *x, int32_t i,
                              const ploy_rule_value *value);
static inline bool ployi_clips_number(ploy_clips *clips, ployi_frame *frame, const ployi_x *x,
                                      int32_t i, ploy_rule_value *out) {
    *out = ployi_clips_arg(clips, frame, x, i);
    bool number = out->type == PLOY_RULE_INTEGER || out->type == PLOY_RULE_FLOAT;
    if (number && !clips->failed) return true;
    ployi_clips_number_error(clips, x, i, out);
    return false;
}
bool ployi_clips_integer(ploy_clips *clips, ployi_frame *frame, const ployi_x *x, int32_t i,
                         int64_t *out);
bool ployi_clips_lexeme(ploy_clips *clips, ployi_frame *frame, const ployi_x *x, int32_t i,
                        const char **out);
// The same for a text in quotes.
bool ployi_clips_string(ploy_clips *clips, ployi_frame *frame, const ployi_x *x, int32_t i,
                        const char **out);
bool ployi_clips_multi(ploy_clips *clips, ployi_frame *frame, const ployi_x *x, int32_t i,
                       ploy_rule_value *out);
// Room for items in the scratch memory; NULL sets failed.
ploy_rule_value *ployi_clips_items(ploy_clips *clips, int64_t count);
bool ployi_clips_set_global(ploy_clips *clips, ployi_defglobal *global, ploy_rule_value value);
// A value as printout shows it: strings without quotes.
void ployi_clips_print(ploy_clips *clips, const ploy_rule_value *value, ploy_writer *out);

// ---- Output and commands (clips_print.c, clips_commands.c) ----
void ployi_clips_out(ploy_clips *clips, const char *text);
// A number, padded with blanks on its left or right to a width.
void ployi_clips_out_i64(ploy_clips *clips, int64_t value, int32_t width, bool left);
// "f-7     (a b)" and the end of the line.
void ployi_clips_show_fact(ploy_clips *clips, const ploy_fact *fact);
// The i-th of what was matched: "f-1", ",*", ",f-2"; all of an activation.
void ployi_clips_show_bind(ploy_clips *clips, const ploy_fact *fact, int32_t i);
void ployi_clips_show_basis(ploy_clips *clips, const ploy_rule_activation *activation);
// A rule by name, which may begin with its module's. NULL, and printed, if there is none.
ployi_defrule *ployi_clips_find_rule(ploy_clips *clips, const char *name);
// "rule: f-1,*,f-2" and the end of the line.
void ployi_clips_show_activation(ploy_clips *clips, const ploy_rule_activation *activation);
const char *ployi_clips_module_name(const ploy_clips *clips, int32_t module);
ploy_rule_value ployi_clips_eval_text(ploy_clips *clips, const char *text);
void ployi_clips_watch(void *user, ploy_rule_event event, const ploy_fact *fact,
                       const ploy_rule_activation *activation, int32_t module);
// Asserts the facts of a text; the last one, or NULL.
bool ployi_clips_assert_text(ploy_clips *clips, const char *text, size_t size, const char *name,
                             ploy_diags *diags, ploy_fact **out);
void ployi_clips_tell_events(ploy_clips *clips);
ploy_result ployi_clips_setup(ploy_clips *clips); // what (clear) leaves
void ployi_clips_teardown(ploy_clips *clips);
int32_t ployi_clips_salience(void *user, int32_t rule, int32_t salience);
ploy_result ployi_clips_action(void *user, ploy_rules *rules, int32_t rule);

extern const ployi_function ployi_clips_core[];
extern const ployi_function ployi_clips_numbers[];
extern const ployi_function ployi_clips_multis[];
extern const ployi_function ployi_clips_texts[];
extern const ployi_function ployi_clips_prints[];
extern const ployi_function ployi_clips_matches[];
extern const ployi_function ployi_clips_commands[];
extern const ployi_function ployi_clips_facts[];
extern const ployi_function ployi_clips_queries[];
