// Saving and loading instances. Frames are saved with the names of their functions, the ids of their
// statements and the names of their variables:
//
//   {"function": "fib", "hash": 1, "statement": 2, "at": 7, "base": 4, "slots": [...],
//    "variables": [{"name": "n", "type": 1, "slot": 0, "width": 1}]}
//
// A frame whose function has the same hash continues at its instruction. Otherwise it continues at
// the beginning of its statement with the variables that still exist, and the calls that it made are
// dropped. A statement that is gone restarts the program.
#include <string.h>

#include "decide/program_instance.h"
#include "ploy/base/hash.h"
#include "ploy/exec/behavior_visit.h"

// ---- saving

static const ployi_program_function *save_function(const ployi_code *code, int32_t index) {
    return &PLOY_ARRAY_ITEMS(&code->functions, ployi_program_function)[index];
}

static void save_number(ploy_json_writer *out, const char *key, uint64_t value) {
    ploy_json_write_key(out, key);
    ploy_json_write_u64(out, value);
}

static void save_slots(ploy_json_writer *out, const ployi_program_slot *slots, int32_t count) {
    ploy_json_write_key(out, "slots");
    ploy_json_write_begin_array(out);
    for (int32_t i = 0; i < count; i++) ploy_json_write_u64(out, slots[i].u);
    ploy_json_write_end_array(out);
}

static void save_frame(const ploy_program_instance *instance, int32_t base, int32_t pc,
                       int32_t count, ploy_json_writer *out) {
    const ployi_code *code = &instance->program->code;
    int32_t index = ployi_code_function(code, pc);
    const ployi_program_function *function = save_function(code, index);
    int32_t statement = ployi_code_statement(code, pc);
    ploy_json_write_begin_object(out);
    ploy_json_write_key(out, "function");
    ploy_json_write_text(out, ployi_code_text(code, function->name));
    save_number(out, "hash", function->hash);
    save_number(out, "statement",
                statement >= 0 ? PLOY_ARRAY_ITEMS(&code->statements, ployi_statement)[statement].id
                               : 0);
    save_number(out, "at", (uint64_t)(pc - function->first));
    save_number(out, "base", (uint64_t)base);
    save_slots(out, ployi_instance_stack(instance) + base, count);
    ploy_json_write_key(out, "variables");
    ploy_json_write_begin_array(out);
    for (int32_t i = 0; i < code->variables.count; i++) {
        const ployi_program_variable *of =
            &PLOY_ARRAY_ITEMS(&code->variables, ployi_program_variable)[i];
        int32_t at = pc - function->first;
        if (of->owner != index || at < of->from || at >= of->to || of->slot + of->width > count) {
            continue;
        }
        ploy_json_write_begin_object(out);
        ploy_json_write_key(out, "name");
        ploy_json_write_text(out, ployi_code_text(code, of->name));
        save_number(out, "type", of->type);
        save_number(out, "slot", of->slot);
        save_number(out, "width", of->width);
        ploy_json_write_end_object(out);
    }
    ploy_json_write_end_array(out);
    ploy_json_write_end_object(out);
}

enum { SAVE_FRAMES_MAX = 60000 };

// The frame that called the one at `base`: its base and next instruction. False for the outermost.
static bool save_caller(const ployi_program_slot *stack, int32_t *base, int32_t *pc) {
    uint64_t link = stack[*base - 1].u;
    if (*base <= 1 || link == 0) return false;
    *pc = (int32_t)(link >> 32);
    *base -= (int32_t)(link & UINT16_MAX);
    return true;
}

static void save_frames(const ploy_program_instance *instance, ploy_json_writer *out) {
    const ployi_code *code = &instance->program->code;
    const ployi_program_slot *stack = ployi_instance_stack(instance);
    ploy_json_write_begin_array(out);
    int32_t depth = 0, base = instance->base, pc = instance->pc;
    while (instance->state != PLOY_PROGRAM_DONE && save_caller(stack, &base, &pc)) depth++;
    // Outermost first: found again from the innermost for each.
    for (int32_t i = depth; i >= 0 && instance->state != PLOY_PROGRAM_DONE; i--) {
        int32_t above = -1;
        base = instance->base;
        pc = instance->pc;
        for (int32_t k = 0; k < i; k++) {
            above = base;
            (void)save_caller(stack, &base, &pc);
        }
        int32_t count = save_function(code, ployi_code_function(code, pc))->frame;
        // What is behind the window of the call belongs to the callee.
        if (above >= 0 && above - 1 - base < count) count = above - 1 - base;
        save_frame(instance, base, pc, count, out);
    }
    ploy_json_write_end_array(out);
}

static void save_keeps(const ploy_program_instance *instance, ploy_json_writer *out) {
    const ployi_code *code = &instance->program->code;
    ploy_json_write_begin_array(out);
    for (int32_t i = 0; i < code->variables.count; i++) {
        const ployi_program_variable *of =
            &PLOY_ARRAY_ITEMS(&code->variables, ployi_program_variable)[i];
        if (of->owner >= 0) continue;
        ploy_json_write_begin_object(out);
        ploy_json_write_key(out, "name");
        ploy_json_write_text(out, ployi_code_text(code, of->name));
        save_number(out, "type", of->type);
        save_slots(out, instance->slots + of->slot, of->width);
        ploy_json_write_end_object(out);
    }
    ploy_json_write_end_array(out);
}

// ---- loading

// What is read, before it replaces the instance's.
typedef struct load_image {
    ploy_visit *v;
    const ploy_program_instance *instance;
    const ploy_json *doc;
    ployi_program_slot *slots; // as the instance's
    int32_t pc, base;
    bool stops; // calls inside the present frame are dropped
} load_image;

static uint64_t load_number(const load_image *image, ploy_json_node node, const char *key,
                            uint64_t most, bool *ok) {
    uint64_t value = 0;
    if (ploy_json_u64(image->doc, ploy_json_member(image->doc, node, key), &value) != PLOY_OK ||
        value > most) {
        *ok = false;
        return 0;
    }
    return value;
}

static const char *load_text(const load_image *image, ploy_json_node node, const char *key) {
    const char *text = ploy_json_text(image->doc, ploy_json_member(image->doc, node, key), NULL);
    return text != NULL ? text : "";
}

static bool load_slots(const load_image *image, ploy_json_node node, int32_t from, int32_t count,
                       ployi_program_slot *to) {
    ploy_json_node list = ploy_json_member(image->doc, node, "slots");
    if (from < 0 || from + count > ploy_json_count(image->doc, list)) return false;
    for (int32_t i = 0; i < count; i++) {
        if (ploy_json_u64(image->doc, ploy_json_at(image->doc, list, from + i), &to[i].u) !=
            PLOY_OK) {
            return false;
        }
    }
    return true;
}

static void load_keeps(load_image *image, ploy_json_node list) {
    const ployi_code *code = &image->instance->program->code;
    for (int32_t i = 0; i < ploy_json_count(image->doc, list); i++) {
        ploy_json_node node = ploy_json_at(image->doc, list, i);
        const char *name = load_text(image, node, "name");
        bool ok = true, found = false;
        uint64_t type = load_number(image, node, "type", UINT64_MAX, &ok);
        for (int32_t k = 0; k < code->variables.count && ok && !found; k++) {
            const ployi_program_variable *of =
                &PLOY_ARRAY_ITEMS(&code->variables, ployi_program_variable)[k];
            if (of->owner >= 0 || of->type != type ||
                strcmp(ployi_code_text(code, of->name), name) != 0) {
                continue;
            }
            found = load_slots(image, node, 0, of->width, image->slots + of->slot);
        }
        if (!found) ploy_visit_lost(image->v, "variable", name, "");
    }
}

// The variables of an edited function by their names, where it continues.
static void load_variables(load_image *image, ploy_json_node frame, int32_t index, int32_t at,
                           ployi_program_slot *to) {
    const ployi_code *code = &image->instance->program->code;
    ploy_json_node list = ploy_json_member(image->doc, frame, "variables");
    for (int32_t i = 0; i < ploy_json_count(image->doc, list); i++) {
        ploy_json_node node = ploy_json_at(image->doc, list, i);
        const char *name = load_text(image, node, "name");
        bool ok = true;
        uint64_t type = load_number(image, node, "type", UINT64_MAX, &ok);
        int32_t slot = (int32_t)load_number(image, node, "slot", UINT16_MAX, &ok);
        int32_t width = (int32_t)load_number(image, node, "width", UINT16_MAX, &ok);
        for (int32_t k = 0; k < code->variables.count && ok; k++) {
            const ployi_program_variable *of =
                &PLOY_ARRAY_ITEMS(&code->variables, ployi_program_variable)[k];
            if (of->owner == index && of->type == type && of->width == width && at >= of->from &&
                at < of->to && strcmp(ployi_code_text(code, of->name), name) == 0) {
                (void)load_slots(image, frame, slot, width, to + of->slot);
            }
        }
    }
}

// Whether a frame is where the one before it calls, and what its link is.
static bool load_link(const load_image *image, int32_t caller_pc, int32_t caller_base, int32_t base,
                      int32_t function, uint64_t *link) {
    const ployi_code *code = &image->instance->program->code;
    if (caller_pc < 1) return false;
    const ployi_instruction *call =
        &PLOY_ARRAY_ITEMS(&code->instructions, ployi_instruction)[caller_pc - 1];
    int32_t caller = ployi_code_function(code, caller_pc);
    *link = ((uint64_t)(uint32_t)caller_pc << 32) | ((uint32_t)caller << 16) | (call->a + 1u);
    return call->op == PLOYI_OP_CALL && call->b == function && base == caller_base + call->a + 1 &&
           caller_pc > save_function(code, caller)->first;
}

// Reads one frame. @return false if it cannot continue.
static bool load_frame(load_image *image, ploy_json_node node, bool first) {
    const ploy_program *program = image->instance->program;
    const ployi_code *code = &program->code;
    const char *name = load_text(image, node, "function");
    bool ok = true;
    uint64_t hash = load_number(image, node, "hash", UINT64_MAX, &ok);
    uint64_t statement = load_number(image, node, "statement", UINT64_MAX, &ok);
    int32_t at = (int32_t)load_number(image, node, "at", INT32_MAX, &ok);
    int32_t base = (int32_t)load_number(image, node, "base", (uint64_t)program->stack, &ok);
    int32_t index = 0;
    while (index < code->functions.count &&
           strcmp(ployi_code_text(code, save_function(code, index)->name), name) != 0) {
        index++;
    }
    if (!ok || index == code->functions.count) {
        ploy_visit_lost(image->v, "function", name, "");
        return false;
    }
    const ployi_program_function *function = save_function(code, index);
    ployi_program_slot *stack = image->slots + code->initial.count;
    uint64_t link = 0;
    bool placed = first ? index == 0 && base == 1
                        : load_link(image, image->pc, image->base, base, index, &link);
    if (!placed || base + function->frame > program->stack) {
        ploy_visit_lost(image->v, "call of", name, "");
        return false;
    }
    stack[base - 1].u = link;
    image->base = base;
    ploy_json_node slots = ploy_json_member(image->doc, node, "slots");
    int32_t count = ploy_json_count(image->doc, slots);
    if (hash == function->hash && at < function->count && count <= function->frame) {
        image->pc = function->first + at;
        if (load_slots(image, node, 0, count, stack + base)) return true;
        return ploy_visit_check(image->v, false, "invalid slots of a call", "whole numbers");
    }
    for (int32_t i = 0; i < code->statements.count; i++) {
        const ployi_statement *of = &PLOY_ARRAY_ITEMS(&code->statements, ployi_statement)[i];
        if (of->id != statement || of->pc >= code->instructions.count) continue;
        if (of->pc < function->first || of->pc >= function->first + function->count) continue;
        image->pc = of->pc;
        image->stops = true;
        load_variables(image, node, index, of->pc - function->first, stack + base);
        return true;
    }
    ploy_visit_lost(image->v, "statement in", name[0] != 0 ? name : "the program", "");
    return false;
}

static void load_frames(ploy_visit *v, ploy_program_instance *instance) {
    const ploy_json *doc = NULL;
    ploy_json_node frames, keeps, value;
    if (!ploy_visit_reader(v, "frames", &doc, &frames, NULL) ||
        !ploy_visit_reader(v, "keeps", &doc, &keeps, NULL) ||
        !ploy_visit_reader(v, "value", &doc, &value, NULL)) {
        return;
    }
    const ploy_program *program = instance->program;
    size_t bytes = instance->size - sizeof *instance;
    load_image image = {v, instance, doc, NULL, 0, 1, false};
    image.slots = ploy_env_alloc_zero(&instance->env, bytes);
    if (!ploy_visit_result(v, image.slots != NULL ? PLOY_OK : PLOY_ERR_MEMORY)) return;
    const ploy_array *initial = &program->code.initial;
    if (initial->count > 0) {
        memcpy(image.slots, initial->items, (size_t)initial->count * sizeof(ployi_program_slot));
    }
    load_keeps(&image, keeps);
    bool ok = true;
    int32_t count = ploy_json_count(doc, frames);
    if (instance->state == PLOY_PROGRAM_DONE) {
        int32_t slots = ploy_json_count(doc, value);
        ok = count == 0 && slots <= save_function(&program->code, 0)->result;
        for (int32_t i = 0; i < slots && ok; i++) {
            ok = ploy_json_u64(doc, ploy_json_at(doc, value, i),
                               &image.slots[initial->count + i].u) == PLOY_OK;
        }
        (void)ploy_visit_check(v, ok, "invalid value", "whole numbers, and no calls");
    } else {
        ok = count > 0;
        (void)ploy_visit_check(v, ok, "missing calls", NULL);
        for (int32_t i = 0; i < count && ok && !image.stops; i++) {
            ok = load_frame(&image, ploy_json_at(doc, frames, i), i == 0);
        }
    }
    if (ok) {
        ploy_visit_write(v, instance->slots, image.slots, bytes);
        PLOY_VISIT_WRITE(v, instance->pc, image.pc);
        PLOY_VISIT_WRITE(v, instance->base, image.base);
    }
    ploy_env_free(&instance->env, image.slots, bytes);
    if (!ok) ploy_visit_restart(v, (ploy_behavior){&ployi_program_type, instance});
}

// ---- sight

// The slots that can still be read, as one number.
static uint64_t save_hash(const ploy_program_instance *instance) {
    const ployi_code *code = &instance->program->code;
    const ployi_program_slot *stack = ployi_instance_stack(instance);
    uint64_t hash = instance->program->hash;
    for (int32_t i = 0; i < code->initial.count; i++) {
        hash = ploy_hash_combine(hash, instance->slots[i].u);
    }
    int32_t count =
        instance->base + save_function(code, ployi_code_function(code, instance->pc))->frame;
    if (instance->state == PLOY_PROGRAM_DONE) {
        count = instance->has_value ? save_function(code, 0)->result : 0;
    }
    for (int32_t i = 0; i < count; i++) hash = ploy_hash_combine(hash, stack[i].u);
    if (instance->state == PLOY_PROGRAM_DONE) return hash; // it is nowhere any more
    hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)instance->pc);
    return ploy_hash_combine(hash, (uint64_t)(uint32_t)instance->base);
}

static void save_describe(const ploy_program_instance *instance, ploy_describe *out) {
    const ployi_code *code = &instance->program->code;
    ploy_program_place place = ploy_program_place_of(instance);
    ploy_describe_text(out, "function", PLOY_DERIVED, place.function);
    ploy_describe_i64(out, "line", PLOY_DERIVED, place.line);
    ploy_describe_i64(out, "depth", PLOY_DERIVED, place.depth);
    ploy_describe_u64(out, "slots", PLOY_STATE, save_hash(instance));
    for (int32_t i = 0; i < code->variables.count; i++) {
        const ployi_program_variable *of =
            &PLOY_ARRAY_ITEMS(&code->variables, ployi_program_variable)[i];
        const char *name = ployi_code_text(code, of->name);
        ploy_value value;
        if (of->owner >= 0 || !ploy_program_get(instance, name, &value)) continue;
        if (value.type == PLOY_VALUE_F64) {
            ploy_describe_f64(out, name, PLOY_DERIVED, value.as.f64);
        } else {
            char text[PLOY_DIAG_TEXT_MAX];
            (void)ploy_value_print(&value, text, sizeof text);
            ploy_describe_text(out, name, PLOY_DERIVED, text);
        }
    }
}

static const char *save_state_text(int32_t state) {
    return ploy_program_state_text((ploy_program_state)state);
}

void ploy_program_visit(ploy_visit *v, void *object) {
    ploy_program_instance *instance = object;
    size_t bytes = instance->size - sizeof *instance;
    ploy_visit_object(v, "program", instance, instance->size);
    PLOY_VISIT_SCRATCH(v, instance->env);
    PLOY_VISIT_SCRATCH(v, instance->program);
    PLOY_VISIT_SCRATCH(v, instance->size);
    // Saved with the frames, described as one hash.
    PLOY_VISIT_SCRATCH(v, instance->pc);
    PLOY_VISIT_SCRATCH(v, instance->base);
    ploy_visit_scratch(v, instance->slots, bytes);
    PLOY_VISIT_ENUM(v, "state", PLOY_STATE, instance->state, save_state_text, PLOY_PROGRAM_STATES);
    ploy_visit_i32_in(v, "error", PLOY_STATE, &instance->error, INT32_MIN, 0);
    ploy_visit_u32_in(v, "atomic", PLOY_STATE, &instance->atomic, 0, UINT16_MAX);
    ploy_visit_bool(v, "has_value", PLOY_STATE, &instance->has_value);
    ploy_visit_u64(v, "draws", PLOY_STATE, &instance->draws);
    ploy_visit_i64_in(v, "units", PLOY_STATE, &instance->units, 0, INT64_MAX);
    if (v->describe != NULL) save_describe(instance, v->describe);
    ploy_json_writer *out = ploy_visit_writer(v, "frames");
    if (out != NULL) save_frames(instance, out);
    out = ploy_visit_writer(v, "keeps");
    if (out != NULL) save_keeps(instance, out);
    out = ploy_visit_writer(v, "value");
    if (out != NULL) {
        bool done = instance->state == PLOY_PROGRAM_DONE && instance->has_value;
        int32_t count = done ? save_function(&instance->program->code, 0)->result : 0;
        ploy_json_write_begin_array(out);
        for (int32_t i = 0; i < count; i++) {
            ploy_json_write_u64(out, ployi_instance_stack(instance)[i].u);
        }
        ploy_json_write_end_array(out);
    }
    if (ploy_visit_loads(v)) load_frames(v, instance);
}
