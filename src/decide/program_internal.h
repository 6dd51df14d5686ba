// Shared by the files of the language: tokens, types, code and the machine; see ploy/decide/program.h
// and expression_internal.h, which has the tree.
//
// Layout of a stack, in slots; a frame is a function's registers:
//
//   | link | main's registers ... | link | callee's registers ... |
//                                   ^ the window of the call: the result comes here
//
// Invariants of code, which the compiler keeps and the verifier (program_verify.c) checks:
//   (1) each register that an instruction touches is inside its function's frame;
//   (2) jumps lead to instructions of the same function, and none runs off its end;
//   (3) constants, texts, keys, lists, hosts and functions exist;
//   (4) a link is outside the frame that it leads back from, so no instruction can change it.
#pragma once

#include "decide/expression_internal.h"
#include "ploy/decide/program.h"

// ---- tokens; program_lex.c

typedef enum ployi_program_token_kind {
    PLOYI_PROGRAM_TOKEN_END,
    PLOYI_PROGRAM_TOKEN_NAME,
    PLOYI_PROGRAM_TOKEN_NUMBER,
    PLOYI_PROGRAM_TOKEN_TEXT,
    PLOYI_PROGRAM_TOKEN_SIGN,
    PLOYI_PROGRAM_TOKEN_SPACE, // blanks or a comment
    PLOYI_PROGRAM_TOKEN_FAULT
} ployi_program_token_kind;

typedef struct ployi_program_token {
    double number;
    uint32_t at, size; // bytes of the source
    uint8_t kind;
    bool first; // of its line
    // Of a fault:
    int8_t code;
    const char *message, *expected;
} ployi_program_token;

// Reads the token at *at and moves *at behind it. @param program  comments are blanks.
ployi_program_token ployi_lex(const char *text, size_t size, size_t *at, bool program);
bool ployi_lex_in_name(char c);
// The number of a keyword of programs, from 1; 0 for other words. In program_statement.c.
int32_t ployi_tree_keyword(const char *text, size_t size);

// ---- types; program_check.c

typedef enum ployi_type_kind {
    PLOYI_PROGRAM_TYPE_NONE, // unknown, or no value
    PLOYI_PROGRAM_TYPE_NUMBER,
    PLOYI_PROGRAM_TYPE_TEXT,
    PLOYI_PROGRAM_TYPE_NAME, // a ploy_name of a board
    PLOYI_PROGRAM_TYPE_ID,
    PLOYI_PROGRAM_TYPE_VEC2,
    PLOYI_PROGRAM_TYPE_VEC3,
    PLOYI_PROGRAM_TYPE_VOID,
    PLOYI_PROGRAM_TYPE_FIRST // records and lists: index into types
} ployi_type_kind;

enum { PLOYI_TEXT_SLOTS = 8, PLOYI_SLOTS_MAX = 60000 };

typedef union ployi_program_slot {
    double f;
    uint64_t u;
    float v[2];
} ployi_program_slot;

// ---- code; program_compile.c

typedef enum ployi_op {
    PLOYI_OP_MOVE,
    PLOYI_OP_LOADK,
    PLOYI_OP_LOADT,
    PLOYI_OP_ADD,
    PLOYI_OP_SUB,
    PLOYI_OP_MUL,
    PLOYI_OP_DIV,
    PLOYI_OP_ADDK,
    PLOYI_OP_SUBK,
    PLOYI_OP_MULK,
    PLOYI_OP_DIVK,
    PLOYI_OP_NEG,
    PLOYI_OP_NOT,
    PLOYI_OP_INVERT,
    PLOYI_OP_TRUTH,
    PLOYI_OP_OR,
    PLOYI_OP_XOR,
    PLOYI_OP_AND,
    PLOYI_OP_LT,
    PLOYI_OP_LE,
    PLOYI_OP_EQ,
    PLOYI_OP_NE,
    PLOYI_OP_SAME,
    PLOYI_OP_TEXT,
    PLOYI_OP_MIXED,
    PLOYI_OP_JOIN,
    PLOYI_OP_JUMP,
    PLOYI_OP_JF,
    PLOYI_OP_JT,
    PLOYI_OP_JNLT,
    PLOYI_OP_JNLE,
    PLOYI_OP_JNEQ,
    PLOYI_OP_JNNE,
    PLOYI_OP_JNLTK,
    PLOYI_OP_JNLEK,
    PLOYI_OP_JNGTK,
    PLOYI_OP_JNGEK,
    PLOYI_OP_JNEQK,
    PLOYI_OP_JNNEK,
    PLOYI_OP_FOR,
    PLOYI_OP_KEY,
    PLOYI_OP_SETKEY,
    PLOYI_OP_GLOBAL,
    PLOYI_OP_SETGLOBAL,
    PLOYI_OP_CALL,
    PLOYI_OP_RETURN,
    PLOYI_OP_HOST,
    PLOYI_OP_WORD,
    PLOYI_OP_BUILTIN,
    PLOYI_OP_VADD,
    PLOYI_OP_VSUB,
    PLOYI_OP_VMUL,
    PLOYI_OP_VDIV,
    PLOYI_OP_VNEG,
    PLOYI_OP_VGET,
    PLOYI_OP_VSET,
    PLOYI_OP_INDEX,
    PLOYI_OP_SETINDEX,
    PLOYI_OP_PUSH,
    PLOYI_OP_POP,
    PLOYI_OP_COUNT_,
    PLOYI_OP_CLEAR,
    PLOYI_OP_YIELD,
    PLOYI_OP_WAIT,
    PLOYI_OP_ATOMIC,
    PLOYI_OP_COUNT
} ployi_op;

// What a, b and c of each operation are; see program_code.c for the letters.
extern const struct ployi_op_row { const char *name, *format; } ployi_op_rows[PLOYI_OP_COUNT];

// a, b and c are registers unless the operation says otherwise; w is a width in slots or a variant.
typedef struct ployi_instruction {
    uint8_t op, w;
    uint16_t a, b, c;
} ployi_instruction;

typedef struct ployi_program_function {
    uint32_t name;           // of texts
    int32_t first, count;    // instructions
    uint64_t hash;           // of its code, with constants by value
    uint16_t frame;          // registers
    uint16_t params, result; // slots
    uint8_t result_type;     // a ployi_type_kind; records are VOID to the outside
    uint8_t reserved;
    int32_t slots; // of its frame and of everything that it calls; derived
} ployi_program_function;

// A statement: where its instructions begin, and its stable id.
typedef struct ployi_statement {
    int32_t pc;
    int32_t line, column;
    uint64_t id; // hash of its function, its text and how many equal ones are before it
    // Of a rule: the instruction behind it, where the next rule begins, and its condition, of texts.
    // 0 for other statements.
    int32_t end;
    uint32_t text;
} ployi_statement;

// A variable, for saves and debugging. Hidden ones (limits of loops) begin with '.'.
typedef struct ployi_program_variable {
    uint32_t name;    // of texts
    int32_t owner;    // function, -1 for the program
    int32_t from, to; // instructions where it is in scope, of a function's
    uint64_t type;    // hash of its type
    uint16_t slot, width;
    uint8_t kind; // a ployi_type_kind, VOID for records and lists
    uint8_t reserved[3];
} ployi_program_variable;

typedef struct ployi_list {
    uint16_t base, capacity, width;
    uint16_t owner; // function + 1, 0 for the program
} ployi_list;

typedef struct ployi_key {
    uint32_t name; // of texts
    uint8_t type;  // a ploy_value_type
    ploy_slot slot;
} ployi_key;

typedef struct ployi_host {
    uint32_t name; // of texts
    uint8_t args[PLOY_PROGRAM_ARGS_MAX];
    uint8_t count, result;
    int32_t cost;
    ploy_program_fn fn;
    void *user;
} ployi_host;

typedef struct ployi_code {
    ploy_array instructions; // ployi_instruction
    ploy_array consts;       // ployi_program_slot
    ploy_array texts;        // char
    ploy_array keys;         // ployi_key
    ploy_array functions;    // ployi_program_function; the first is the program
    ploy_array statements;   // ployi_statement, by pc
    ploy_array variables;    // ployi_program_variable
    ploy_array lists;        // ployi_list
    ploy_array hosts;        // ployi_host
    ploy_array initial;      // ployi_program_slot: the program's variables
    int32_t frame;           // of an expression: registers
} ployi_code;

void ployi_code_init(ployi_code *code, const ploy_env *env);
void ployi_code_fini(ployi_code *code);
// Every array of the code, in the order of the struct. @return how many.
int32_t ployi_code_arrays(ployi_code *code, ploy_array *out[10]);
ploy_result ployi_code_copy(ployi_code *to, const ployi_code *from, const ploy_env *env);
// The function of an instruction; 0 if there is none.
int32_t ployi_code_function(const ployi_code *code, int32_t pc);
// The last statement that begins at or before an instruction of the same function; -1 for none.
int32_t ployi_code_statement(const ployi_code *code, int32_t pc);
const char *ployi_code_text(const ployi_code *code, uint32_t text);

// ---- built-in functions

typedef enum ployi_builtin {
    PLOYI_BUILTIN_ABS,
    PLOYI_BUILTIN_FLOOR,
    PLOYI_BUILTIN_SQRT,
    PLOYI_BUILTIN_MIN,
    PLOYI_BUILTIN_MAX,
    PLOYI_BUILTIN_VEC2,
    PLOYI_BUILTIN_VEC3,
    PLOYI_BUILTIN_LENGTH2,
    PLOYI_BUILTIN_LENGTH3,
    PLOYI_BUILTIN_DOT2,
    PLOYI_BUILTIN_DOT3,
    PLOYI_BUILTIN_NOW,
    PLOYI_BUILTIN_TICK,
    PLOYI_BUILTIN_RANDOM,
    PLOYI_BUILTIN_COUNT
} ployi_builtin;

// Slots of arguments and result.
extern const struct ployi_builtin_row {
    const char *name;
    uint8_t args[3], count, result; // ployi_type_kind
} ployi_builtins[PLOYI_BUILTIN_COUNT];

// ---- the machine; program_vm.c

typedef enum ployi_vm_stop {
    PLOYI_VM_DONE,
    PLOYI_VM_YIELD,
    PLOYI_VM_WAIT,
    PLOYI_VM_BUDGET,
    PLOYI_VM_ERROR
} ployi_vm_stop;

typedef struct ployi_vm {
    const ployi_code *code; // of a program or an expression
    ployi_program_slot *globals, *stack;
    // In another order than in an instance: copied in pairs, they would wait for the stores of the
    // single ones.
    int32_t base, stack_count;
    uint32_t atomic; // depth
    int32_t pc;
    uint64_t draws;     // random numbers so far
    int64_t units;      // left; below 0 in an atomic block
    int64_t floor;      // units below which an atomic block fails
    ploy_result result; // of an error
    ploy_step_context *context;
    // Of an expression:
    const ploy_expression *expression;
    const ploy_blackboard_ref *refs;
    const ploy_moment *moment;
    // Called before each instruction, with pc, base and units of that moment; NULL: not called.
    void (*hook)(void *user, const struct ployi_vm *vm);
    void *hook_user;
} ployi_vm;

ployi_vm_stop ployi_vm_run(ployi_vm *vm);
// The value of a type in slots; texts are borrowed.
ploy_value ployi_vm_value(const ployi_program_slot *slots, uint8_t kind);
// Slots of a plain type.
int32_t ployi_kind_slots(uint8_t kind);

// ---- checking and compiling

// A variable while compiling.
typedef enum ployi_where { PLOYI_WHERE_LOCAL, PLOYI_WHERE_GLOBAL, PLOYI_WHERE_KEY } ployi_where;

typedef struct ployi_symbol {
    int32_t name; // of the tree's names; -1 for hidden ones
    int32_t owner;
    uint16_t type, slot;
    uint8_t where;
    bool known; // its value is the constant `value` here
    double value;
    int32_t list;     // of lists, -1
    int32_t variable; // of variables, -1
} ployi_symbol;

typedef struct ployi_type {
    uint8_t kind;                   // RECORD or LIST
    uint16_t width, capacity, item; // item: element's type
    int32_t node;                   // of the record's declaration
} ployi_type;
enum { PLOYI_PROGRAM_TYPE_RECORD, PLOYI_PROGRAM_TYPE_LIST };

typedef struct ployi_routine {
    int32_t node; // of its declaration, -1 for the program
    uint16_t params[PLOY_PROGRAM_ARGS_MAX];
    uint16_t result; // PLOYI_PROGRAM_TYPE_NONE while unknown
    int32_t count;
} ployi_routine;

typedef struct ployi_program_checker {
    ploy_expression *tree;
    const ploy_program_scope *scope;
    ploy_diags *diags; // NULL while types are inferred
    ploy_result result;
    bool reports, changed, program;
    ploy_array types;    // ployi_type
    ploy_array symbols;  // ployi_symbol
    ploy_array routines; // ployi_routine
    ploy_array scoped;   // int32_t: symbols in scope, innermost last
    int32_t scope_base;  // of scoped: where the present function's begin
    int32_t routine;     // that is checked
    int32_t loops, atomics;
    ployi_code *code;
} ployi_program_checker;

// Checks one node whose operands have their types, and sets its type. Shared by expressions.
// @param target  of an assignment, else PLOYI_PROGRAM_TYPE_NONE.
void ployi_check_operator(ployi_program_checker *checker, int32_t node, uint16_t target);
void ployi_check_fault(ployi_program_checker *checker, uint32_t at, ploy_result code,
                       const char *message, const char *expected, const char *nearest);
int32_t ployi_type_slots(const ployi_program_checker *checker, uint16_t type);
// Checks a whole program, and fills keys, hosts and lists of the code.
ploy_result ployi_check_program(ployi_program_checker *checker);
void ployi_checker_fini(ployi_program_checker *checker);
// Reads a signature such as "number(id, vec2)".
bool ployi_host_parse(const char *signature, ployi_host *out);
// The `symbol` of functions and records outside blocks.
#define PLOYI_TOP_LEVEL (-2)

// Reads a program into a tree. In program_statement.c.
ploy_result ployi_tree_read(const char *text, size_t size, const char *name, const ploy_env *env,
                            ploy_diags *diags, ploy_expression **out);

typedef struct ployi_compiler {
    ployi_program_checker *checker; // NULL for expressions
    const ploy_expression *tree;
    ployi_code *code;
    bool optimize;
    ploy_result result;
    int32_t top, frame; // registers in use, and most
    int32_t start;      // of the function: its first instruction
    int32_t routine;
} ployi_compiler;

// Compiles an expression to a register. @param want  the register, or -1 for any.
// @return the register.
int32_t ployi_compile_value(ployi_compiler *compiler, int32_t node, int32_t want);
// Jumps if a condition does not hold. @return the jump's instruction, -1 if it always holds.
int32_t ployi_compile_jump(ployi_compiler *compiler, int32_t node, bool when);
bool ployi_compile_constant(const ployi_compiler *compiler, int32_t node, double *out);
int32_t ployi_emit(ployi_compiler *compiler, ployi_op op, int32_t w, int32_t a, int32_t b,
                   int32_t c);
void ployi_patch(ployi_compiler *compiler, int32_t jump);
int32_t ployi_push_registers(ployi_compiler *compiler, int32_t count);
int32_t ployi_const(ployi_compiler *compiler, uint64_t bits);
uint32_t ployi_code_keep(ployi_compiler *compiler, const char *text);
// Forgets which variables are constant; called where paths join.
void ployi_compile_forget(ployi_compiler *compiler);
// What a KEEP or a field of a record is at first, in slots.
void ployi_compile_initial(const ployi_compiler *compiler, int32_t node, ployi_program_slot *out);
// The hash of each function, by the values and names that its code refers to.
void ployi_code_hash(ployi_code *code);
// Slots that a letter of a format stands for, with the instruction's variant; -1 if it is no
// register.
int32_t ployi_op_slots(const ployi_code *code, const ployi_instruction *at, int32_t operand);
ploy_result ployi_compile_program(ployi_program_checker *checker, bool optimize, ployi_code *code);
// Refuses code that breaks an invariant. @param initial  of the program's variables.
bool ployi_code_verify(const ployi_code *code, int32_t stack);

struct ploy_program {
    ploy_env env;
    ploy_program_def def;
    ploy_program_scope scope;
    ployi_code code;
    bool monitor;
    int32_t stack; // slots of an instance: def.stack, or fewer if no function calls itself
    uint64_t hash;
    char name[PLOY_DIAG_TEXT_MAX];
};

// A program without code, and what is derived from its code. In program.c.
ploy_result ployi_program_make(const ploy_program_def *def, const char *name,
                               const ploy_program_scope *scope, const ploy_env *env,
                               ploy_program **out);
void ployi_program_finish(ploy_program *program);
