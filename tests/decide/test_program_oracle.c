// Random programs against a naive walker of the same tree: equal results in any split into budgets,
// with and without optimization, saved and loaded on the way.
#include "program_desk.h"

#include "ploy/base/rng.h"

enum { ORACLE_VARIABLES = 4, ORACLE_TEXT = 16384 };

// One random program, written as text and run by the walker at the same time: the walker decides
// what the program means by doing it, statement by statement, over the tree of draws.
typedef enum node_kind {
    NODE_NUMBER,
    NODE_VARIABLE,
    NODE_ADD,
    NODE_SUB,
    NODE_MUL,
    NODE_LESS,
    NODE_EQUAL,
    NODE_AND,
    NODE_OR,
    NODE_NOT,
    NODE_CHOOSE,
    NODE_CALL,
    NODE_ASSIGN, // (v = e)
    NODE_KINDS,
    NODE_SET,
    NODE_IF,
    NODE_FOR,
    NODE_YIELD,
    NODE_ADD_TO, // v += e
} node_kind;

typedef struct node {
    node_kind kind;
    int32_t variable;
    double number;
    int32_t a, b, c; // operands, or first statements of blocks
    int32_t next;
} node;

enum { ORACLE_NODES = 2000 };

typedef struct oracle {
    ploy_rng rng;
    node nodes[ORACLE_NODES];
    int32_t count, depth;
    char text[ORACLE_TEXT];
    size_t size;
    double variables[ORACLE_VARIABLES];
    bool inside; // the function, whose parameter is variable 0
    int32_t function;
} oracle;

static int32_t oracle_node(oracle *o, node_kind kind) {
    node *made = &o->nodes[o->count];
    memset(made, 0, sizeof *made);
    made->kind = kind;
    made->a = made->b = made->c = made->next = -1;
    return o->count++;
}

static int32_t oracle_value(oracle *o, int32_t depth) {
    int32_t pick = ploy_rng_int(&o->rng, 0, NODE_KINDS - 1);
    bool leaf = depth <= 0 || o->count > ORACLE_NODES - 40;
    if (o->inside && (pick == NODE_CALL || pick == NODE_ASSIGN)) pick = NODE_ADD; // no recursion
    if (leaf) pick = ploy_rng_int(&o->rng, 0, 1);
    int32_t made = oracle_node(o, (node_kind)pick);
    o->nodes[made].variable = o->inside ? 0 : ploy_rng_int(&o->rng, 0, ORACLE_VARIABLES - 1);
    o->nodes[made].number = (double)ploy_rng_int(&o->rng, 0, 9);
    if (pick <= NODE_VARIABLE) return made;
    int32_t a = oracle_value(o, depth - 1), b = -1, c = -1;
    if (pick != NODE_NOT && pick != NODE_CALL && pick != NODE_ASSIGN)
        b = oracle_value(o, depth - 1);
    if (pick == NODE_CHOOSE) c = oracle_value(o, depth - 1);
    o->nodes[made].a = a;
    o->nodes[made].b = b;
    o->nodes[made].c = c;
    return made;
}

static int32_t oracle_block(oracle *o, int32_t depth, int32_t loops) {
    int32_t first = -1, last = -1, count = ploy_rng_int(&o->rng, 1, 4);
    for (int32_t i = 0; i < count && o->count < ORACLE_NODES - 100; i++) {
        static const node_kind kinds[] = {NODE_SET, NODE_SET, NODE_ADD_TO,
                                          NODE_IF,  NODE_FOR, NODE_YIELD};
        node_kind kind = kinds[ploy_rng_int(&o->rng, 0, 5)];
        if (depth <= 0 && (kind == NODE_IF || kind == NODE_FOR)) kind = NODE_SET;
        if (kind == NODE_FOR && loops >= 2) kind = NODE_SET;
        int32_t made = oracle_node(o, kind);
        o->nodes[made].variable = ploy_rng_int(&o->rng, 0, ORACLE_VARIABLES - 1);
        o->nodes[made].number = (double)ploy_rng_int(&o->rng, 0, 4);
        int32_t a = kind == NODE_FOR || kind == NODE_YIELD ? -1 : oracle_value(o, 3);
        int32_t b = -1, c = -1;
        if (kind == NODE_IF || kind == NODE_FOR) {
            b = oracle_block(o, depth - 1, loops + (kind == NODE_FOR));
        }
        if (kind == NODE_IF && ploy_rng_chance(&o->rng, 0.5f)) {
            c = oracle_block(o, depth - 1, loops);
        }
        o->nodes[made].a = a;
        o->nodes[made].b = b;
        o->nodes[made].c = c;
        if (last >= 0) {
            o->nodes[last].next = made;
        } else {
            first = made;
        }
        last = made;
    }
    return first;
}

// ---- as text

static void oracle_print(oracle *o, const char *text) {
    size_t size = strlen(text);
    if (o->size + size + 1 > sizeof o->text) return;
    memcpy(o->text + o->size, text, size + 1);
    o->size += size;
}

static void oracle_print_value(oracle *o, int32_t at) {
    static const char *const signs[] = {"", "", " + ", " - ", " * ", " < ", " == ", " && ", " || "};
    const node *n = &o->nodes[at];
    char number[16];
    switch (n->kind) {
    case NODE_NUMBER:
        snprintf(number, sizeof number, "%d", (int)n->number);
        oracle_print(o, number);
        return;
    case NODE_VARIABLE:
        snprintf(number, sizeof number, "%c", o->inside ? 'p' : (char)('a' + n->variable));
        oracle_print(o, number);
        return;
    case NODE_NOT:
    case NODE_CALL:
    case NODE_ASSIGN:
        snprintf(number, sizeof number, "(%c = ", (char)('a' + n->variable));
        oracle_print(o, n->kind == NODE_NOT ? "!(" : n->kind == NODE_CALL ? "f(" : number);
        oracle_print_value(o, n->a);
        oracle_print(o, ")");
        return;
    default: break;
    }
    oracle_print(o, "(");
    oracle_print_value(o, n->a);
    oracle_print(o, n->kind == NODE_CHOOSE ? " ? " : signs[n->kind]);
    oracle_print_value(o, n->b);
    if (n->kind == NODE_CHOOSE) {
        oracle_print(o, " : ");
        oracle_print_value(o, n->c);
    }
    oracle_print(o, ")");
}

static void oracle_print_block(oracle *o, int32_t first, int32_t depth) {
    for (int32_t at = first; at >= 0; at = o->nodes[at].next) {
        const node *n = &o->nodes[at];
        char head[64];
        switch (n->kind) {
        case NODE_YIELD: oracle_print(o, "yield\n"); break;
        case NODE_SET:
        case NODE_ADD_TO:
            snprintf(head, sizeof head, "%c %s ", (char)('a' + n->variable),
                     n->kind == NODE_SET ? "=" : "+=");
            oracle_print(o, head);
            oracle_print_value(o, n->a);
            oracle_print(o, "\n");
            break;
        case NODE_IF:
            oracle_print(o, "if ");
            oracle_print_value(o, n->a);
            oracle_print(o, " {\n");
            oracle_print_block(o, n->b, depth + 1);
            oracle_print(o, "}\n");
            if (n->c < 0) break;
            oracle_print(o, "else {\n");
            oracle_print_block(o, n->c, depth + 1);
            oracle_print(o, "}\n");
            break;
        default:
            snprintf(head, sizeof head, "for i%d = 1, %d {\n", (int)depth, (int)n->number);
            oracle_print(o, head);
            oracle_print_block(o, n->b, depth + 1);
            oracle_print(o, "}\n");
            break;
        }
    }
}

// ---- walking

static double oracle_eval(oracle *o, int32_t at, double param) {
    const node *n = &o->nodes[at];
    double a, b;
    switch (n->kind) {
    case NODE_NUMBER: return n->number;
    case NODE_VARIABLE: return o->inside ? param : o->variables[n->variable];
    case NODE_CALL: {
        a = oracle_eval(o, n->a, param);
        o->inside = true;
        b = oracle_eval(o, o->function, a);
        o->inside = false;
        return b;
    }
    case NODE_ASSIGN: return o->variables[n->variable] = oracle_eval(o, n->a, param);
    case NODE_NOT: return oracle_eval(o, n->a, param) == 0.0 ? 1.0 : 0.0;
    case NODE_CHOOSE:
        return oracle_eval(o, oracle_eval(o, n->a, param) != 0.0 ? n->b : n->c, param);
    case NODE_AND: return oracle_eval(o, n->a, param) != 0.0 && oracle_eval(o, n->b, param) != 0.0;
    case NODE_OR: return oracle_eval(o, n->a, param) != 0.0 || oracle_eval(o, n->b, param) != 0.0;
    default: break;
    }
    a = oracle_eval(o, n->a, param);
    b = oracle_eval(o, n->b, param);
    switch (n->kind) {
    case NODE_ADD: return a + b;
    case NODE_SUB: return a - b;
    case NODE_MUL: return a * b;
    case NODE_LESS: return a < b ? 1.0 : 0.0;
    default: return a == b ? 1.0 : 0.0;
    }
}

static void oracle_walk(oracle *o, int32_t first) {
    for (int32_t at = first; at >= 0; at = o->nodes[at].next) {
        const node *n = &o->nodes[at];
        double value;
        switch (n->kind) {
        case NODE_YIELD: break;
        case NODE_SET: o->variables[n->variable] = oracle_eval(o, n->a, 0.0); break;
        case NODE_ADD_TO:
            value = o->variables[n->variable];
            o->variables[n->variable] = value + oracle_eval(o, n->a, 0.0);
            break;
        case NODE_IF:
            if (oracle_eval(o, n->a, 0.0) != 0.0) {
                oracle_walk(o, n->b);
            } else {
                oracle_walk(o, n->c);
            }
            break;
        default:
            for (int32_t i = 1; i <= (int32_t)n->number; i++) oracle_walk(o, n->b);
            break;
        }
    }
}

// Two of the variables are the program's, two of its main block.
static void oracle_make(oracle *o, uint64_t seed) {
    memset(o, 0, sizeof *o);
    o->rng = ploy_rng_make(seed);
    o->inside = true;
    o->function = oracle_value(o, 3);
    oracle_print(o, "function f(p) { return ");
    oracle_print_value(o, o->function);
    oracle_print(o, " }\nkeep a = 0\nkeep b = 0\nlocal c = 0\nlocal d = 0\n");
    o->inside = false;
    int32_t first = oracle_block(o, 3, 0);
    oracle_print_block(o, first, 0);
    oracle_print(o, "return a + b * 3 + c * 5 + d * 7\n");
    oracle_walk(o, first);
}

typedef enum oracle_pass {
    ORACLE_WHOLE,  // without a budget
    ORACLE_PLAIN,  // not optimized, budgets of one size
    ORACLE_EVEN,   // budgets of one size
    ORACLE_UNEVEN, // each budget of another size, some of one instruction
    ORACLE_SAVED,  // saved after each instruction and loaded into another instance
    ORACLE_PASSES
} oracle_pass;

// The largest program that is saved after each instruction.
#define ORACLE_SAVED_UNITS 1000

typedef struct oracle_end {
    double value;
    int64_t units;
    uint64_t hash;
} oracle_end;

static oracle_end oracle_run(test_context *t, const oracle *o, oracle_pass pass, int64_t round) {
    ploy_env env = ploy_env_default();
    ploy_program_def def = ploy_program_def_default();
    def.optimize = pass != ORACLE_PLAIN;
    ploy_program *program = NULL;
    ploy_program_instance *instance = NULL, *other = NULL;
    CHECK_OK(ploy_program_create(&def, o->text, o->size, "oracle", NULL, &env, NULL, &program));
    CHECK_OK(ploy_program_instance_create(program, &env, &instance));
    CHECK_OK(ploy_program_instance_create(program, &env, &other));
    ploy_step_context context = ploy_step_context_make((ploy_agent_id){{1, 1}}, NULL, 1.0f);
    ploy_rng rng = ploy_rng_make((uint64_t)round);
    ploy_status status = PLOY_STATUS_RUNNING;
    for (int32_t steps = 0; steps < 1 << 24 && status == PLOY_STATUS_RUNNING; steps++) {
        int64_t units = pass == ORACLE_UNEVEN  ? ploy_rng_int(&rng, 1, ploy_rng_int(&rng, 1, 40))
                        : pass == ORACLE_SAVED ? 1
                                               : 1 + round % 17;
        ploy_budget budget = ploy_budget_units(units);
        context.budget = pass == ORACLE_WHOLE ? NULL : &budget;
        CHECK_OK(ploy_program_step(instance, &context, &status));
        ploy_step_context_next(&context);
        if (pass != ORACLE_SAVED) continue;
        desk_copy(t, instance, other);
        ploy_program_instance *swap = instance;
        instance = other;
        other = swap;
    }
    ploy_value value = ploy_program_value(instance);
    CHECK_INT(value.type, PLOY_VALUE_F64);
    oracle_end end = {value.as.f64, ploy_program_units(instance),
                      ploy_visit_hash(ploy_program_visit, instance, NULL)};
    ploy_program_instance_destroy(instance);
    ploy_program_instance_destroy(other);
    ploy_program_destroy(program);
    return end;
}

TEST(random_programs_equal_a_naive_walker) {
    static oracle made;
    int64_t saved = 0;
    for (int64_t round = 0; round < test_rounds(2000); round++) {
        TEST_SEED(round);
        oracle *o = &made;
        oracle_make(o, (uint64_t)round);
        double want =
            o->variables[0] + o->variables[1] * 3 + o->variables[2] * 5 + o->variables[3] * 7;
        t->row = o->text;
        oracle_end whole = {0};
        for (int32_t pass = 0; pass < ORACLE_PASSES; pass++) {
            TEST_SEED(round * 10 + pass);
            if (pass == ORACLE_SAVED && whole.units > ORACLE_SAVED_UNITS) continue;
            saved += pass == ORACLE_SAVED;
            oracle_end end = oracle_run(t, o, (oracle_pass)pass, round);
            // Both may come to infinity minus infinity.
            CHECK((want != want && end.value != end.value) || want == end.value);
            if (pass == ORACLE_WHOLE) whole = end;
            if (pass == ORACLE_PLAIN) continue; // other code
            CHECK_INT(end.units, whole.units);
            CHECK_UINT(end.hash, whole.hash);
        }
    }
    CHECK(saved * 10 > test_rounds(2000) * 9); // larger programs are rare
}
