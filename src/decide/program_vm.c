// The machine that runs the code of expressions and programs; see program_internal.h.
//
// One loop over a table of labels, or a switch. Registers, constants and the program counter are locals; the vm gets them
// back when the loop stops. Values that code may have broken (texts without an end, counts of
// lists) are held in bounds where they are used, so verified code needs no types.
#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "decide/condition_internal.h"
#include "decide/program_internal.h"
#include "ploy/base/math.h"
#include "ploy/base/number.h"

static size_t vm_text_size(const ployi_program_slot *text) {
    const char *begin = (const char *)(const void *)text;
    const char *end = memchr(begin, 0, PLOY_BLACKBOARD_TEXT_MAX);
    return end != NULL ? (size_t)(end - begin) : PLOY_BLACKBOARD_TEXT_MAX;
}

// The slots are contiguous, so a text may be read over their borders.
static void vm_set_text(ployi_program_slot *to, const char *text, size_t size) {
    char *out = (char *)(void *)to;
    memcpy(out, text, size);
    memset(out + size, 0, PLOYI_TEXT_SLOTS * sizeof *to - size);
}

static bool vm_whole(double number, int64_t *out) {
    if (!(fabs(number) <= 9007199254740992.0) || number != floor(number)) return false;
    *out = (int64_t)number;
    return true;
}

static bool vm_compare(int32_t op, double left, double right) {
    switch (op) {
    case 0: return left == right;
    case 1: return left != right;
    case 2: return left <= right;
    case 3: return left >= right;
    case 4: return left < right;
    default: return left > right;
    }
}

static bool vm_compare_texts(int32_t op, const ployi_program_slot *a, const ployi_program_slot *b) {
    size_t left = vm_text_size(a), right = vm_text_size(b);
    int order = memcmp(a, b, left < right ? left : right);
    if (order == 0) order = left < right ? -1 : left > right;
    return vm_compare(op, (double)order, 0.0);
}

// A text that reads as a number is one; another differs from every number.
static bool vm_compare_mixed(int32_t variant, const ployi_program_slot *text, double number) {
    double read = 0.0;
    int32_t op = variant & 7;
    if (ploy_parse_f64((const char *)(const void *)text, vm_text_size(text), NULL, &read) !=
        PLOY_OK) {
        return op == 1;
    }
    return (variant & 8) == 0 ? vm_compare(op, read, number) : vm_compare(op, number, read);
}

static ploy_result vm_join(int32_t numbers, ployi_program_slot *to, const ployi_program_slot *a,
                           const ployi_program_slot *b) {
    char joined[2 * (PLOY_BLACKBOARD_TEXT_MAX + 1)];
    const ployi_program_slot *parts[2] = {a, b};
    size_t size = 0;
    for (int32_t i = 0; i < 2; i++) {
        if ((numbers & (1 << i)) != 0) {
            size += ploy_print_f64(parts[i]->f, joined + size);
        } else {
            size_t more = vm_text_size(parts[i]);
            memcpy(joined + size, parts[i], more);
            size += more;
        }
    }
    if (size > PLOY_BLACKBOARD_TEXT_MAX) return PLOY_ERR_LIMIT;
    vm_set_text(to, joined, size);
    return PLOY_OK;
}

// ---- the outside

static ploy_blackboard_ref vm_ref(const ployi_vm *vm, uint16_t key, ploy_value_type *type) {
    if (vm->refs != NULL) {
        *type = PLOY_ARRAY_ITEMS(&vm->expression->names, ployi_expression_name)[key].type;
        return vm->refs[key];
    }
    const ployi_key *of = &PLOY_ARRAY_ITEMS(&vm->code->keys, ployi_key)[key];
    ploy_blackboard_ref ref = {vm->context != NULL ? vm->context->blackboard : NULL, of->slot};
    *type = (ploy_value_type)of->type;
    return ref;
}

static ploy_result vm_get_key(const ployi_vm *vm, uint16_t key, ployi_program_slot *to) {
    ploy_value_type type;
    ploy_blackboard_ref ref = vm_ref(vm, key, &type);
    ploy_value value = ploy_value_none();
    if (ref.board == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_result result = ploy_blackboard_get(ref.board, ref.slot, &value);
    if (result != PLOY_OK) return result;
    bool number = type >= PLOY_VALUE_BOOL && type <= PLOY_VALUE_F64;
    if (number) return ploy_value_number(&value, &to->f) ? PLOY_OK : PLOY_ERR_ARGUMENT;
    if (value.type != type) return PLOY_ERR_ARGUMENT;
    switch (type) {
    case PLOY_VALUE_TEXT: vm_set_text(to, value.as.text, strlen(value.as.text)); break;
    case PLOY_VALUE_NAME: to->u = value.as.name.hash; break;
    case PLOY_VALUE_ID: to->u = ((uint64_t)value.as.id.generation << 32) | value.as.id.index; break;
    case PLOY_VALUE_VEC3:
        to[1].u = 0;
        to[1].v[0] = value.as.vec[2];
        to[0].v[0] = value.as.vec[0];
        to[0].v[1] = value.as.vec[1];
        break;
    default:
        to->v[0] = value.as.vec[0];
        to->v[1] = value.as.vec[1];
        break;
    }
    return PLOY_OK;
}

static ploy_result vm_set_key(const ployi_vm *vm, uint16_t key, const ployi_program_slot *from) {
    ploy_value_type type;
    ploy_blackboard_ref ref = vm_ref(vm, key, &type);
    if (ref.board == NULL) return PLOY_ERR_NOT_FOUND;
    switch (type) {
    case PLOY_VALUE_TEXT: {
        char text[PLOY_BLACKBOARD_TEXT_MAX + 1];
        size_t size = vm_text_size(from);
        memcpy(text, from, size);
        text[size] = 0;
        return ploy_blackboard_set_text(ref.board, ref.slot, text);
    }
    case PLOY_VALUE_NAME:
        return ploy_blackboard_set_name(ref.board, ref.slot, (ploy_name){from->u});
    case PLOY_VALUE_F32: // the nearest float will do
        return ploy_blackboard_set_f32(ref.board, ref.slot, (float)from->f);
    case PLOY_VALUE_ID:
    case PLOY_VALUE_VEC2:
    case PLOY_VALUE_VEC3: {
        ploy_value value =
            ployi_vm_value(from, type == PLOY_VALUE_ID     ? PLOYI_PROGRAM_TYPE_ID
                                 : type == PLOY_VALUE_VEC2 ? PLOYI_PROGRAM_TYPE_VEC2
                                                           : PLOYI_PROGRAM_TYPE_VEC3);
        return ploy_blackboard_set(ref.board, ref.slot, &value);
    }
    default: {
        ploy_value number = ploy_value_f64(from->f);
        return ploy_blackboard_set(ref.board, ref.slot, &number);
    }
    }
}

ploy_value ployi_vm_value(const ployi_program_slot *slots, uint8_t kind) {
    switch (kind) {
    case PLOYI_PROGRAM_TYPE_NUMBER: return ploy_value_f64(slots->f);
    case PLOYI_PROGRAM_TYPE_TEXT: return ploy_value_text((const char *)(const void *)slots);
    case PLOYI_PROGRAM_TYPE_NAME: return ploy_value_name((ploy_name){slots->u});
    case PLOYI_PROGRAM_TYPE_ID: {
        ploy_id id = {(uint32_t)slots->u, (uint32_t)(slots->u >> 32)};
        return ploy_value_id(id);
    }
    case PLOYI_PROGRAM_TYPE_VEC2: return ploy_value_vec2(slots->v[0], slots->v[1]);
    case PLOYI_PROGRAM_TYPE_VEC3: return ploy_value_vec3(slots->v[0], slots->v[1], slots[1].v[0]);
    default: return ploy_value_none();
    }
}

// Stores what a host function returned. False if it is of another type.
static bool vm_store(ployi_program_slot *to, uint8_t kind, const ploy_value *value) {
    double number = 0.0;
    switch (kind) {
    case PLOYI_PROGRAM_TYPE_VOID: return true;
    case PLOYI_PROGRAM_TYPE_NUMBER:
        if (!ploy_value_number(value, &number)) return false;
        to->f = number;
        return true;
    case PLOYI_PROGRAM_TYPE_TEXT:
        if (value->type != PLOY_VALUE_TEXT || value->as.text == NULL ||
            strlen(value->as.text) > PLOY_BLACKBOARD_TEXT_MAX) {
            return false;
        }
        vm_set_text(to, value->as.text, strlen(value->as.text));
        return true;
    case PLOYI_PROGRAM_TYPE_ID:
        if (value->type != PLOY_VALUE_ID) return false;
        to->u = ((uint64_t)value->as.id.generation << 32) | value->as.id.index;
        return true;
    default:
        if (value->type != (kind == PLOYI_PROGRAM_TYPE_VEC2 ? PLOY_VALUE_VEC2 : PLOY_VALUE_VEC3)) {
            return false;
        }
        to->v[0] = value->as.vec[0];
        to->v[1] = value->as.vec[1];
        if (kind == PLOYI_PROGRAM_TYPE_VEC3) {
            to[1].u = 0;
            to[1].v[0] = value->as.vec[2];
        }
        return true;
    }
}

static ploy_result vm_host(ployi_vm *vm, const ployi_host *host, ployi_program_slot *window) {
    ploy_value args[PLOY_PROGRAM_ARGS_MAX], out = ploy_value_none();
    ployi_program_slot *at = window;
    for (int32_t i = 0; i < host->count; i++) {
        if (host->args[i] == PLOYI_PROGRAM_TYPE_TEXT)
            ((char *)(void *)at)[PLOY_BLACKBOARD_TEXT_MAX] = 0;
        args[i] = ployi_vm_value(at, host->args[i]);
        at += ployi_kind_slots(host->args[i]);
    }
    ploy_result result = host->fn(host->user, vm->context, args, &out);
    if (result == PLOY_OK && !vm_store(window, host->result, &out)) result = PLOY_ERR_CALLBACK;
    return result > PLOY_IN_PROGRESS ? PLOY_ERR_CALLBACK : result;
}

static ploy_result vm_word(const ployi_vm *vm, const ployi_instruction *at,
                           ployi_program_slot *window) {
    const ployi_expression_call *call =
        &PLOY_ARRAY_ITEMS(&vm->expression->calls, ployi_expression_call)[at->b];
    float args[PLOY_CONDITION_ARGS_MAX];
    if (vm->moment == NULL) return PLOY_ERR_STATE;
    for (int32_t i = 0; i < at->w; i++) args[i] = (float)window[i].f;
    const ploy_conditions *set = vm->expression->set;
    if (call->condition != 0) {
        bool holds = ploy_condition_test(set, (ploy_condition){call->condition}, vm->moment);
        window->f = holds ? 1.0 : 0.0;
    } else {
        window->f = ployi_conditions_call(set, call->word, vm->moment, at->w > 0 ? args : NULL);
    }
    return PLOY_OK;
}

static void vm_builtin(ployi_vm *vm, uint16_t which, ployi_program_slot *at) {
    const ploy_step_context *context = vm->context;
    double sum;
    ployi_program_slot made[2];
    switch ((ployi_builtin)which) {
    case PLOYI_BUILTIN_ABS: at->f = fabs(at->f); break;
    case PLOYI_BUILTIN_FLOOR: at->f = floor(at->f); break;
    case PLOYI_BUILTIN_SQRT: at->f = sqrt(at->f); break;
    case PLOYI_BUILTIN_MIN: at->f = at[1].f < at->f ? at[1].f : at->f; break;
    case PLOYI_BUILTIN_MAX: at->f = at[1].f > at->f ? at[1].f : at->f; break;
    case PLOYI_BUILTIN_VEC2:
    case PLOYI_BUILTIN_VEC3:
        made[1].u = 0;
        made[0].v[0] = (float)at[0].f;
        made[0].v[1] = (float)at[1].f;
        if (which == PLOYI_BUILTIN_VEC3) made[1].v[0] = (float)at[2].f;
        at[0] = made[0];
        if (which == PLOYI_BUILTIN_VEC3) at[1] = made[1];
        break;
    case PLOYI_BUILTIN_LENGTH2:
    case PLOYI_BUILTIN_LENGTH3:
        sum = (double)at->v[0] * at->v[0] + (double)at->v[1] * at->v[1];
        if (which == PLOYI_BUILTIN_LENGTH3) sum += (double)at[1].v[0] * at[1].v[0];
        at->f = sqrt(sum);
        break;
    case PLOYI_BUILTIN_DOT2:
        at->f = (double)at->v[0] * at[1].v[0] + (double)at->v[1] * at[1].v[1];
        break;
    case PLOYI_BUILTIN_DOT3:
        at->f = (double)at->v[0] * at[2].v[0] + (double)at->v[1] * at[2].v[1] +
                (double)at[1].v[0] * at[3].v[0];
        break;
    case PLOYI_BUILTIN_NOW: at->f = context != NULL ? context->now : 0.0; break;
    case PLOYI_BUILTIN_TICK: at->f = context != NULL ? (double)context->tick : 0.0; break;
    default: // random: numbered by draws, so that it does not depend on where budgets end
        at->f = context != NULL ? (double)ploy_rng_float_at(context->key, context->agent.id.index,
                                                            vm->draws++, 0)
                                : 0.0;
        break;
    }
}

static void vm_vector(const ployi_instruction *at, ployi_program_slot *r) {
    int32_t slots = at->w == 3 ? 2 : 1;
    float scale = (float)r[at->c].f;
    for (int32_t i = 0; i < slots; i++) {
        ployi_program_slot a = r[at->b + i], b = a, made;
        if (at->op == PLOYI_OP_VADD || at->op == PLOYI_OP_VSUB) b = r[at->c + i];
        made.u = 0;
        for (int32_t k = 0; k < (i == 0 ? 2 : 1); k++) {
            switch ((ployi_op)at->op) {
            case PLOYI_OP_VADD: made.v[k] = a.v[k] + b.v[k]; break;
            case PLOYI_OP_VSUB: made.v[k] = a.v[k] - b.v[k]; break;
            case PLOYI_OP_VMUL: made.v[k] = a.v[k] * scale; break;
            case PLOYI_OP_VDIV: made.v[k] = a.v[k] / scale; break;
            default: made.v[k] = -a.v[k]; break;
            }
        }
        r[at->a + i] = made;
    }
}

static ploy_result vm_list(ployi_vm *vm, const ployi_instruction *at, ployi_program_slot *r) {
    const ployi_list *of = &PLOY_ARRAY_ITEMS(&vm->code->lists, ployi_list)[at->b];
    ployi_program_slot *list = (of->owner == 0 ? vm->globals : r) + of->base;
    double capacity = of->capacity;
    if (!(list->f >= 0.0 && list->f <= capacity)) list->f = 0.0; // only broken code comes here
    size_t bytes = of->width * sizeof(ployi_program_slot);
    int32_t place = (int32_t)list->f;
    switch ((ployi_op)at->op) {
    case PLOYI_OP_COUNT_: r[at->a].f = list->f; return PLOY_OK;
    case PLOYI_OP_CLEAR: list->f = 0.0; return PLOY_OK;
    case PLOYI_OP_PUSH:
        if (place >= of->capacity) return PLOY_ERR_LIMIT;
        memmove(list + 1 + place * of->width, &r[at->a], bytes);
        list->f = (double)place + 1.0;
        return PLOY_OK;
    case PLOYI_OP_POP:
        if (place == 0) return PLOY_ERR_ARGUMENT;
        list->f = (double)place - 1.0;
        memmove(&r[at->a], list + 1 + (place - 1) * of->width, bytes);
        return PLOY_OK;
    default: break;
    }
    double index = r[at->c].f;
    if (!(index >= 0.0 && index < (double)place) || index != floor(index)) {
        return PLOY_ERR_ARGUMENT;
    }
    ployi_program_slot *item = list + 1 + (int32_t)index * of->width;
    if (at->op == PLOYI_OP_INDEX) {
        memmove(&r[at->a], item, bytes);
    } else {
        memmove(item, &r[at->a], bytes);
    }
    return PLOY_OK;
}

// ---- the loop

#define VM_TRY(call)                        \
    do {                                    \
        result = (call);                    \
        if (result != PLOY_OK) goto failed; \
    } while (0)
#define VM_JUMP_UNLESS(condition)          \
    if (!(condition)) pc = origin + at->c; \
    VM_NEXT

// Each operation ends by going to the next one itself, through a table of labels, where the compiler
// has them: one jump shared by all operations is predicted badly, and how badly depends on where the
// linker puts it. A second table leads every operation to the hook first, so that a run without one
// does not ask. WebAssembly has no jumps to computed places.
#if PLOYI_GNU && !defined(__wasm__)
#define VM_LABELS 1
#else
#define VM_LABELS 0
#endif

#define VM_BEFORE                           \
    do {                                    \
        if (units <= limit) goto exhausted; \
        units--;                            \
        at = pc++;                          \
    } while (0)
// The hook sees the machine as it is before the instruction.
#define VM_HOOK                              \
    do {                                     \
        vm->pc = (int32_t)(at - all);        \
        vm->base = (int32_t)(r - vm->stack); \
        vm->units = units + 1;               \
        vm->hook(vm->hook_user, vm);         \
    } while (0)

#if VM_LABELS
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" // labels as values
#define VM_OP(name) op_##name:
#define VM_NEXT              \
    do {                     \
        VM_BEFORE;           \
        goto *table[at->op]; \
    } while (0)
#else
#define VM_OP(name) case PLOYI_OP_##name:
#define VM_NEXT goto next
#endif

ployi_vm_stop ployi_vm_run(ployi_vm *vm) {
    const ployi_code *code = vm->code;
    const ployi_instruction *all = PLOY_ARRAY_ITEMS(&code->instructions, ployi_instruction);
    const ployi_program_function *functions =
        PLOY_ARRAY_ITEMS(&code->functions, ployi_program_function);
    const ployi_program_slot *k = PLOY_ARRAY_ITEMS(&code->consts, ployi_program_slot);
    const ployi_instruction *pc = all + vm->pc, *at = pc;
    // Jumps count from the function's first instruction.
    uint32_t function = (uint32_t)ployi_code_function(code, vm->pc);
    const ployi_instruction *origin =
        all + (code->functions.count > 0 ? functions[function].first : 0);
    ployi_program_slot *r = vm->stack + vm->base;
    int64_t units = vm->units, left = 0, right = 0;
    int64_t limit = vm->atomic > 0 ? vm->floor : 0;
    ployi_vm_stop stop = PLOYI_VM_ERROR;
    ploy_result result = PLOY_OK;
#if VM_LABELS
    static const void *const labels[PLOYI_OP_COUNT] = {
        [PLOYI_OP_MOVE] = &&op_MOVE,       [PLOYI_OP_LOADK] = &&op_LOADK,
        [PLOYI_OP_LOADT] = &&op_LOADT,     [PLOYI_OP_ADD] = &&op_ADD,
        [PLOYI_OP_SUB] = &&op_SUB,         [PLOYI_OP_MUL] = &&op_MUL,
        [PLOYI_OP_DIV] = &&op_DIV,         [PLOYI_OP_ADDK] = &&op_ADDK,
        [PLOYI_OP_SUBK] = &&op_SUBK,       [PLOYI_OP_MULK] = &&op_MULK,
        [PLOYI_OP_DIVK] = &&op_DIVK,       [PLOYI_OP_NEG] = &&op_NEG,
        [PLOYI_OP_NOT] = &&op_NOT,         [PLOYI_OP_TRUTH] = &&op_TRUTH,
        [PLOYI_OP_INVERT] = &&op_INVERT,   [PLOYI_OP_OR] = &&op_OR,
        [PLOYI_OP_XOR] = &&op_XOR,         [PLOYI_OP_AND] = &&op_AND,
        [PLOYI_OP_LT] = &&op_LT,           [PLOYI_OP_LE] = &&op_LE,
        [PLOYI_OP_EQ] = &&op_EQ,           [PLOYI_OP_NE] = &&op_NE,
        [PLOYI_OP_SAME] = &&op_SAME,       [PLOYI_OP_TEXT] = &&op_TEXT,
        [PLOYI_OP_MIXED] = &&op_MIXED,     [PLOYI_OP_JOIN] = &&op_JOIN,
        [PLOYI_OP_JUMP] = &&op_JUMP,       [PLOYI_OP_JF] = &&op_JF,
        [PLOYI_OP_JT] = &&op_JT,           [PLOYI_OP_JNLT] = &&op_JNLT,
        [PLOYI_OP_JNLE] = &&op_JNLE,       [PLOYI_OP_JNEQ] = &&op_JNEQ,
        [PLOYI_OP_JNNE] = &&op_JNNE,       [PLOYI_OP_JNLTK] = &&op_JNLTK,
        [PLOYI_OP_JNLEK] = &&op_JNLEK,     [PLOYI_OP_JNGTK] = &&op_JNGTK,
        [PLOYI_OP_JNGEK] = &&op_JNGEK,     [PLOYI_OP_JNEQK] = &&op_JNEQK,
        [PLOYI_OP_JNNEK] = &&op_JNNEK,     [PLOYI_OP_FOR] = &&op_FOR,
        [PLOYI_OP_KEY] = &&op_KEY,         [PLOYI_OP_SETKEY] = &&op_SETKEY,
        [PLOYI_OP_GLOBAL] = &&op_GLOBAL,   [PLOYI_OP_SETGLOBAL] = &&op_SETGLOBAL,
        [PLOYI_OP_CALL] = &&op_CALL,       [PLOYI_OP_RETURN] = &&op_RETURN,
        [PLOYI_OP_HOST] = &&op_HOST,       [PLOYI_OP_WORD] = &&op_WORD,
        [PLOYI_OP_BUILTIN] = &&op_BUILTIN, [PLOYI_OP_VADD] = &&op_VADD,
        [PLOYI_OP_VSUB] = &&op_VSUB,       [PLOYI_OP_VMUL] = &&op_VMUL,
        [PLOYI_OP_VDIV] = &&op_VDIV,       [PLOYI_OP_VNEG] = &&op_VNEG,
        [PLOYI_OP_VGET] = &&op_VGET,       [PLOYI_OP_VSET] = &&op_VSET,
        [PLOYI_OP_INDEX] = &&op_INDEX,     [PLOYI_OP_SETINDEX] = &&op_SETINDEX,
        [PLOYI_OP_PUSH] = &&op_PUSH,       [PLOYI_OP_POP] = &&op_POP,
        [PLOYI_OP_COUNT_] = &&op_COUNT_,   [PLOYI_OP_CLEAR] = &&op_CLEAR,
        [PLOYI_OP_YIELD] = &&op_YIELD,     [PLOYI_OP_WAIT] = &&op_WAIT,
        [PLOYI_OP_ATOMIC] = &&op_ATOMIC};
    static const void *const hooked[PLOYI_OP_COUNT] = {[0 ... PLOYI_OP_COUNT - 1] = &&op_hook};
    const void *const *table = vm->hook != NULL ? hooked : labels;
    VM_NEXT;
op_hook:
    VM_HOOK;
    goto *labels[at->op];
#else
next:
    VM_BEFORE;
    if (vm->hook != NULL) VM_HOOK;
    switch ((ployi_op)at->op) {
#endif
    VM_OP(MOVE)
    if (at->w == 1) {
        r[at->a] = r[at->b];
    } else {
        memmove(&r[at->a], &r[at->b], at->w * sizeof *r);
    }
    VM_NEXT;
    VM_OP(LOADK) r[at->a] = k[at->b];
    VM_NEXT;
    VM_OP(LOADT) {
        const char *text = ployi_code_text(code, at->b);
        size_t size = strlen(text);
        vm_set_text(&r[at->a], text,
                    size < PLOY_BLACKBOARD_TEXT_MAX ? size : PLOY_BLACKBOARD_TEXT_MAX);
        VM_NEXT;
    }
    VM_OP(ADD) r[at->a].f = r[at->b].f + r[at->c].f;
    VM_NEXT;
    VM_OP(SUB) r[at->a].f = r[at->b].f - r[at->c].f;
    VM_NEXT;
    VM_OP(MUL) r[at->a].f = r[at->b].f * r[at->c].f;
    VM_NEXT;
    VM_OP(DIV) r[at->a].f = r[at->b].f / r[at->c].f;
    VM_NEXT;
    VM_OP(ADDK) r[at->a].f = r[at->b].f + k[at->c].f;
    VM_NEXT;
    VM_OP(SUBK) r[at->a].f = r[at->b].f - k[at->c].f;
    VM_NEXT;
    VM_OP(MULK) r[at->a].f = r[at->b].f * k[at->c].f;
    VM_NEXT;
    VM_OP(DIVK) r[at->a].f = r[at->b].f / k[at->c].f;
    VM_NEXT;
    VM_OP(NEG) r[at->a].f = -r[at->b].f;
    VM_NEXT;
    VM_OP(NOT) r[at->a].f = r[at->b].f == 0.0 ? 1.0 : 0.0;
    VM_NEXT;
    VM_OP(TRUTH) r[at->a].f = r[at->b].f != 0.0 ? 1.0 : 0.0;
    VM_NEXT;
    VM_OP(INVERT)
    if (!vm_whole(r[at->b].f, &left)) goto argument;
    r[at->a].f = (double)~left;
    VM_NEXT;
    VM_OP(OR)
    VM_OP(XOR)
    VM_OP(AND)
    if (!vm_whole(r[at->b].f, &left) || !vm_whole(r[at->c].f, &right)) goto argument;
    r[at->a].f = (double)(at->op == PLOYI_OP_OR    ? left | right
                          : at->op == PLOYI_OP_XOR ? left ^ right
                                                   : left & right);
    VM_NEXT;
    VM_OP(LT) r[at->a].f = r[at->b].f < r[at->c].f ? 1.0 : 0.0;
    VM_NEXT;
    VM_OP(LE) r[at->a].f = r[at->b].f <= r[at->c].f ? 1.0 : 0.0;
    VM_NEXT;
    VM_OP(EQ) r[at->a].f = r[at->b].f == r[at->c].f ? 1.0 : 0.0;
    VM_NEXT;
    VM_OP(NE) r[at->a].f = r[at->b].f != r[at->c].f ? 1.0 : 0.0;
    VM_NEXT;
    VM_OP(SAME) r[at->a].f = (r[at->b].u == r[at->c].u) == (at->w == 0);
    VM_NEXT;
    VM_OP(TEXT)
    r[at->a].f = vm_compare_texts(at->w, &r[at->b], &r[at->c]) ? 1.0 : 0.0;
    VM_NEXT;
    VM_OP(MIXED)
    r[at->a].f = vm_compare_mixed(at->w, &r[at->b], r[at->c].f) ? 1.0 : 0.0;
    VM_NEXT;
    VM_OP(JOIN) VM_TRY(vm_join(at->w, &r[at->a], &r[at->b], &r[at->c]));
    VM_NEXT;
    VM_OP(JUMP) pc = origin + at->c;
    VM_NEXT;
    VM_OP(JF) VM_JUMP_UNLESS(r[at->a].f != 0.0);
    VM_OP(JT) VM_JUMP_UNLESS(r[at->a].f == 0.0);
    VM_OP(JNLT) VM_JUMP_UNLESS(r[at->a].f < r[at->b].f);
    VM_OP(JNLE) VM_JUMP_UNLESS(r[at->a].f <= r[at->b].f);
    VM_OP(JNEQ) VM_JUMP_UNLESS(r[at->a].f == r[at->b].f);
    VM_OP(JNNE) VM_JUMP_UNLESS(r[at->a].f != r[at->b].f);
    VM_OP(JNLTK) VM_JUMP_UNLESS(r[at->a].f < k[at->b].f);
    VM_OP(JNLEK) VM_JUMP_UNLESS(r[at->a].f <= k[at->b].f);
    VM_OP(JNGTK) VM_JUMP_UNLESS(r[at->a].f > k[at->b].f);
    VM_OP(JNGEK) VM_JUMP_UNLESS(r[at->a].f >= k[at->b].f);
    VM_OP(JNEQK) VM_JUMP_UNLESS(r[at->a].f == k[at->b].f);
    VM_OP(JNNEK) VM_JUMP_UNLESS(r[at->a].f != k[at->b].f);
    VM_OP(FOR) {
        double step = r[at->a + 2].f, next = r[at->a].f + step;
        r[at->a].f = next;
        if (step > 0.0 ? next <= r[at->a + 1].f : next >= r[at->a + 1].f) pc = origin + at->c;
        VM_NEXT;
    }
    VM_OP(KEY) VM_TRY(vm_get_key(vm, at->b, &r[at->a]));
    VM_NEXT;
    VM_OP(SETKEY) VM_TRY(vm_set_key(vm, at->b, &r[at->a]));
    VM_NEXT;
    VM_OP(GLOBAL)
    if (at->w == 1) {
        r[at->a] = vm->globals[at->b];
    } else {
        memcpy(&r[at->a], &vm->globals[at->b], at->w * sizeof *r);
    }
    VM_NEXT;
    VM_OP(SETGLOBAL)
    if (at->w == 1) {
        vm->globals[at->b] = r[at->a];
    } else {
        memcpy(&vm->globals[at->b], &r[at->a], at->w * sizeof *r);
    }
    VM_NEXT;
    VM_OP(CALL) {
        const ployi_program_function *callee = &functions[at->b];
        int32_t base = (int32_t)(r - vm->stack) + at->a + 1;
        if (base + callee->frame > vm->stack_count) {
            result = PLOY_ERR_LIMIT;
            goto failed;
        }
        // The link: where to go on, in which function, and how far back its registers are.
        r[at->a].u = ((uint64_t)(pc - all) << 32) | (function << 16) | (at->a + 1u);
        r += at->a + 1;
        function = at->b;
        origin = pc = all + callee->first;
        VM_NEXT;
    }
    VM_OP(RETURN) {
        uint64_t link = r[-1].u;
        const ployi_program_slot *from = &r[at->a];
        ployi_program_slot *to = r - 1;
        if (at->w == 1) {
            *to = *from;
        } else if (at->w > 0) {
            memmove(to, from, at->w * sizeof *r);
        }
        if (link == 0) { // of the program itself
            vm->result = at->w > 0 ? PLOY_IN_PROGRESS : PLOY_OK;
            pc = at;
            stop = PLOYI_VM_DONE;
            goto done;
        }
        pc = all + (link >> 32);
        r -= link & UINT16_MAX;
        function = (uint32_t)(link >> 16) & UINT16_MAX;
        origin = all + functions[function].first;
        VM_NEXT;
    }
    VM_OP(HOST) {
        const ployi_host *host = &PLOY_ARRAY_ITEMS(&code->hosts, ployi_host)[at->b];
        result = vm_host(vm, host, &r[at->a]);
        units -= host->cost;
        if (result == PLOY_IN_PROGRESS) { // called again in the next step
            pc = at;
            result = PLOY_OK;
            if (vm->atomic > 0) goto stopped;
            stop = PLOYI_VM_YIELD;
            goto done;
        }
        if (result != PLOY_OK) goto failed;
        VM_NEXT;
    }
    VM_OP(WORD) VM_TRY(vm_word(vm, at, &r[at->a]));
    VM_NEXT;
    VM_OP(BUILTIN) vm_builtin(vm, at->b, &r[at->a]);
    VM_NEXT;
    VM_OP(VADD)
    VM_OP(VSUB)
    VM_OP(VMUL)
    VM_OP(VDIV)
    VM_OP(VNEG) vm_vector(at, r);
    VM_NEXT;
    VM_OP(VGET) r[at->a].f = (double)r[at->b + at->w / 2].v[at->w % 2];
    VM_NEXT;
    VM_OP(VSET) r[at->a + at->w / 2].v[at->w % 2] = (float)r[at->b].f;
    VM_NEXT;
    VM_OP(INDEX)
    VM_OP(SETINDEX)
    VM_OP(PUSH)
    VM_OP(POP)
    VM_OP(COUNT_)
    VM_OP(CLEAR) VM_TRY(vm_list(vm, at, r));
    VM_NEXT;
    VM_OP(YIELD)
    if (vm->atomic > 0) goto stopped;
    stop = PLOYI_VM_YIELD;
    goto done;
    VM_OP(WAIT)
    if (vm->context == NULL || vm->context->now >= r[at->a].f) VM_NEXT;
    pc = at;
    if (vm->atomic > 0) goto stopped;
    stop = PLOYI_VM_WAIT;
    goto done;
    VM_OP(ATOMIC)
    if (at->w == 1) {
        if (vm->atomic == UINT16_MAX) goto argument;
        vm->atomic++;
    } else if (vm->atomic > 0) {
        vm->atomic--;
    }
    limit = vm->atomic > 0 ? vm->floor : 0;
    VM_NEXT;
#if !VM_LABELS
default: goto argument;
}
#endif
exhausted : stop = PLOYI_VM_BUDGET;
if (vm->atomic == 0) goto done;
stop = PLOYI_VM_ERROR; // an atomic block that takes too long
result = PLOY_ERR_LIMIT;
goto done;
stopped : // a stop inside an atomic block
          result = PLOY_ERR_STATE;
goto failed;
argument : result = PLOY_ERR_ARGUMENT;
failed : pc = at;
stop = PLOYI_VM_ERROR;
done : if (stop == PLOYI_VM_ERROR) vm->result = result;
vm->pc = (int32_t)(pc - all);
vm->base = (int32_t)(r - vm->stack);
vm->units = units;
return stop;
}

#if VM_LABELS
#pragma GCC diagnostic pop
#endif
#undef VM_LABELS
#undef VM_BEFORE
#undef VM_HOOK
#undef VM_OP
#undef VM_NEXT
#undef VM_TRY
#undef VM_JUMP_UNLESS
