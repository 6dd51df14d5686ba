// Programs: from text to code; see the header.
#include <string.h>

#include "decide/decide_internal.h"
#include "decide/program_internal.h"
#include "ploy/base/hash.h"

static const ploy_field program_fields[] = {
    PLOY_FIELD_I32(ploy_program_def, stack, 256, 16, 60000, "slots", "stack of an instance"),
    PLOY_FIELD_I32(ploy_program_def, step_units, 100000, 1, 1000000000, "units",
                   "most units of a step without a budget"),
    PLOY_FIELD_BOOL(ploy_program_def, optimize, true, "fold constants and remove dead branches"),
};

ploy_fields ploy_program_fields(void) {
    return PLOY_FIELDS(ploy_program_def, program_fields);
}

ploy_program_def ploy_program_def_default(void) {
    ploy_program_def def;
    memset(&def, 0, sizeof def);
    ploy_fields_default(ploy_program_fields(), &def);
    return def;
}

ploy_result ployi_program_make(const ploy_program_def *def, const char *name,
                               const ploy_program_scope *scope, const ploy_env *env,
                               ploy_program **out) {
    ploy_program *program = ploy_env_alloc_zero(env, sizeof *program);
    if (program == NULL) return PLOY_ERR_MEMORY;
    program->env = *env;
    program->def = *def;
    if (scope != NULL) program->scope = *scope;
    strncpy(program->name, name != NULL ? name : "", sizeof program->name - 1);
    ployi_code_init(&program->code, env);
    *out = program;
    return PLOY_OK;
}

void ploy_program_destroy(ploy_program *program) {
    if (program == NULL) return;
    ploy_env env = program->env;
    ployi_code_fini(&program->code);
    ploy_env_free(&env, program, sizeof *program);
}

// Slots of a stack that no run can exceed. A function that calls itself may need all of def.stack.
static int32_t program_stack(ploy_program *program) {
    ployi_program_function *functions =
        PLOY_ARRAY_ITEMS(&program->code.functions, ployi_program_function);
    const ployi_instruction *all = PLOY_ARRAY_ITEMS(&program->code.instructions, ployi_instruction);
    int32_t count = program->code.functions.count;
    for (int32_t i = 0; i < count; i++) functions[i].slots = functions[i].frame;
    // Each round adds one call; without recursion a chain has at most `count` of them.
    bool changed = true;
    for (int32_t round = 0; round <= count && changed; round++) {
        changed = false;
        for (int32_t i = 0; i < count; i++) {
            for (int32_t k = 0; k < functions[i].count; k++) {
                const ployi_instruction *at = &all[functions[i].first + k];
                if (at->op != PLOYI_OP_CALL) continue;
                int32_t slots = at->a + 1 + functions[at->b].slots;
                if (slots <= functions[i].slots || slots > program->def.stack) continue;
                functions[i].slots = slots;
                changed = true;
            }
        }
    }
    bool fits = !changed && count > 0 && 1 + functions[0].slots <= program->def.stack;
    for (int32_t i = 0; i < count && fits; i++) { // a chain that was cut off above
        for (int32_t k = 0; k < functions[i].count && fits; k++) {
            const ployi_instruction *at = &all[functions[i].first + k];
            if (at->op != PLOYI_OP_CALL) continue;
            fits = at->a + 1 + functions[at->b].slots <= functions[i].slots;
        }
    }
    if (!fits) return program->def.stack;
    // A saved result may be wider than the frame of code that never returns one.
    int32_t frame = functions[0].slots, result = functions[0].result;
    return 1 + (frame > result ? frame : result);
}

void ployi_program_finish(ploy_program *program) {
    program->stack = program_stack(program);
    uint64_t hash = program->monitor ? 1 : 0;
    const ployi_program_function *functions =
        PLOY_ARRAY_ITEMS(&program->code.functions, ployi_program_function);
    for (int32_t i = 0; i < program->code.functions.count; i++) {
        hash = ploy_hash_combine(hash, functions[i].hash);
    }
    for (int32_t i = 0; i < program->code.initial.count; i++) {
        hash = ploy_hash_combine(hash,
                                 PLOY_ARRAY_ITEMS(&program->code.initial, ployi_program_slot)[i].u);
    }
    program->hash = hash;
}

static ploy_result program_compile(ploy_program *program, ploy_expression *tree,
                                   ploy_diags *diags) {
    ployi_program_checker checker;
    memset(&checker, 0, sizeof checker);
    checker.tree = tree;
    checker.scope = &program->scope;
    checker.diags = diags;
    checker.program = true;
    checker.code = &program->code;
    ploy_array_init(&checker.types, sizeof(ployi_type), &program->env);
    ploy_array_init(&checker.symbols, sizeof(ployi_symbol), &program->env);
    ploy_array_init(&checker.routines, sizeof(ployi_routine), &program->env);
    ploy_array_init(&checker.scoped, sizeof(int32_t), &program->env);
    ploy_result result = ployi_check_program(&checker);
    if (result == PLOY_OK) {
        result = ployi_compile_program(&checker, program->def.optimize, &program->code);
        if (result == PLOY_ERR_LIMIT) {
            ploy_diags_add(diags, PLOY_SEVERITY_ERROR, result, program->name, 0, 0,
                           "the program is too large", NULL, NULL);
        }
    }
    const ployi_expression_node *nodes = PLOY_ARRAY_ITEMS(&tree->nodes, ployi_expression_node);
    program->monitor = tree->first >= 0 && nodes[tree->first].op == PLOYI_EXPRESSION_MONITOR;
    ployi_checker_fini(&checker);
    return result;
}

ploy_result ploy_program_create(const ploy_program_def *def, const char *text, size_t size,
                                const char *name, const ploy_program_scope *scope,
                                const ploy_env *env, ploy_diags *diags, ploy_program **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (text == NULL && size > 0) || size > INT32_MAX / 4 ||
        (scope != NULL && (scope->host_count < 0 || scope->host_count > UINT16_MAX ||
                           (scope->hosts == NULL && scope->host_count > 0)))) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ploy_fields_check(ploy_program_fields(), def, env);
    ploy_program *program = NULL;
    ploy_expression *tree = NULL;
    if (result == PLOY_OK) result = ployi_program_make(def, name, scope, env, &program);
    if (result == PLOY_OK) {
        result = ployi_tree_read(size > 0 ? text : "", size, name, env, diags, &tree);
    }
    if (result == PLOY_OK) result = program_compile(program, tree, diags);
    if (result == PLOY_OK && !ployi_code_verify(&program->code, program->def.stack)) {
        // The compiler keeps the invariants; what is left is a frame that the stack cannot hold.
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_LIMIT, program->name, 0, 0,
                       "the program's variables exceed its stack", "a larger stack", NULL);
        result = PLOY_ERR_LIMIT;
    }
    ploy_expression_destroy(tree);
    if (result != PLOY_OK) {
        ploy_program_destroy(program);
        return result;
    }
    ployi_program_finish(program);
    *out = program;
    return PLOY_OK;
}

int32_t ploy_program_instruction_count(const ploy_program *program) {
    return program->code.instructions.count;
}

uint64_t ploy_program_hash(const ploy_program *program) {
    return program->hash;
}
