// Reports of a step with a trace; see program_probe.h.
//
// Rules compile to a chain, in the order of their priorities:
//
//     rule 1: condition, unless -> rule 2 | body, jump -> end | rule 2: ... | end
//             ^ pc of its statement                           ^ its statement's end
//
// A rule is rejected if its end is reached past its body, and chosen if a statement of its body or
// the jump behind it is reached.
#include "decide/program_probe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ployi_code *program_probe_code(const ployi_program_watch *watch) {
    return &watch->instance->program->code;
}

static const ployi_statement *program_probe_statements(const ployi_program_watch *watch) {
    return PLOY_ARRAY_ITEMS(&program_probe_code(watch)->statements, ployi_statement);
}

// The first statement at or behind an instruction.
static int32_t program_probe_lower(const ployi_program_watch *watch, int32_t pc) {
    const ployi_statement *all = program_probe_statements(watch);
    int32_t low = 0, high = program_probe_code(watch)->statements.count;
    while (low < high) {
        int32_t mid = (low + high) / 2;
        if (all[mid].pc < pc) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low;
}

// The rule that begins at an instruction; -1 for none.
static int32_t program_probe_rule_at(const ployi_program_watch *watch, int32_t pc) {
    const ployi_statement *all = program_probe_statements(watch);
    for (int32_t i = program_probe_lower(watch, pc);
         i < program_probe_code(watch)->statements.count; i++) {
        if (all[i].pc != pc) break;
        if (all[i].end > pc) return i;
    }
    return -1;
}

// ---- what the view answers

// Where a level is: its instruction and its registers.
static bool program_probe_level(const ployi_program_watch *watch, int32_t level, int32_t *pc,
                                int32_t *base) {
    const ployi_program_slot *stack = ployi_instance_stack(watch->instance);
    *pc = watch->pc;
    *base = watch->base;
    for (int32_t i = 0; i < level; i++) {
        uint64_t link = stack[*base - 1].u;
        if (link == 0 || *base <= 1) return false;
        *pc = (int32_t)(link >> 32) - 1; // the call
        *base -= (int32_t)(link & UINT16_MAX);
    }
    return level >= 0;
}

static bool program_probe_frame(const void *self, int32_t level, ploy_script_frame *out) {
    const ployi_program_watch *watch = self;
    const ployi_code *code = program_probe_code(watch);
    int32_t pc, base;
    if (!program_probe_level(watch, level, &pc, &base)) return false;
    int32_t statement = ployi_code_statement(code, pc);
    out->function = ployi_code_text(
        code,
        PLOY_ARRAY_ITEMS(&code->functions, ployi_program_function)[ployi_code_function(code, pc)]
            .name);
    out->line = statement >= 0 ? program_probe_statements(watch)[statement].line : 0;
    return true;
}

static void program_probe_value(const ployi_code *code, const ployi_program_variable *of,
                                const ployi_program_slot *slots, ploy_script_variable *out) {
    out->name = ployi_code_text(code, of->name);
    out->text[0] = 0;
    out->value = ploy_value_none();
    bool text = of->kind == PLOYI_PROGRAM_TYPE_TEXT;
    // A text that was not assigned yet may have no end.
    if (text && memchr(slots, 0, PLOYI_TEXT_SLOTS * sizeof *slots) == NULL) return;
    if (of->kind != PLOYI_PROGRAM_TYPE_VOID) {
        out->value = ployi_vm_value(slots, of->kind);
        return;
    }
    for (int32_t i = 0; i < code->lists.count; i++) {
        const ployi_list *list = &PLOY_ARRAY_ITEMS(&code->lists, ployi_list)[i];
        if (list->base != of->slot || (int32_t)list->owner != of->owner + 1) continue;
        bool sane = slots->f >= 0.0 && slots->f <= (double)list->capacity;
        snprintf(out->text, sizeof out->text, "list of %d", sane ? (int)slots->f : 0);
        return;
    }
    snprintf(out->text, sizeof out->text, "record");
}

static bool program_probe_variable(const void *self, int32_t level, int32_t index,
                                   ploy_script_variable *out) {
    const ployi_program_watch *watch = self;
    const ployi_code *code = program_probe_code(watch);
    int32_t pc = 0, base = 0, owner = -1;
    const ployi_program_function *functions =
        PLOY_ARRAY_ITEMS(&code->functions, ployi_program_function);
    if (level >= 0) {
        if (!program_probe_level(watch, level, &pc, &base)) return false;
        owner = ployi_code_function(code, pc);
        pc -= functions[owner].first;
    }
    for (int32_t i = 0; i < code->variables.count; i++) {
        const ployi_program_variable *of =
            &PLOY_ARRAY_ITEMS(&code->variables, ployi_program_variable)[i];
        if (of->owner != owner || ployi_code_text(code, of->name)[0] == '.') continue;
        // A parameter has a value from the first instruction on, a local behind its declaration.
        bool lives =
            owner < 0 || of->slot < functions[owner].params || (pc > of->from && pc < of->to);
        if (!lives || index-- > 0) continue;
        const ployi_program_slot *slots =
            owner < 0 ? watch->instance->slots : ployi_instance_stack(watch->instance) + base;
        program_probe_value(code, of, slots + of->slot, out);
        return true;
    }
    return false;
}

static ploy_result program_probe_expect(const void *self, ploy_script_profile *profile) {
    const ployi_program_watch *watch = self;
    return ploy_program_expect_lines(watch->instance->program, profile);
}

static void program_probe_report(ployi_program_watch *watch, ploy_script_event event,
                                 int64_t units) {
    static const ploy_script_view view = {program_probe_frame, program_probe_variable,
                                          program_probe_expect};
    const ployi_code *code = program_probe_code(watch);
    int32_t statement = ployi_code_statement(code, watch->pc);
    ploy_script_report report;
    report.event = event;
    report.agent = watch->context->agent;
    report.script = watch->instance->program->name;
    report.function = ployi_code_text(
        code, PLOY_ARRAY_ITEMS(&code->functions,
                               ployi_program_function)[ployi_code_function(code, watch->pc)]
                  .name);
    report.line = statement >= 0 ? program_probe_statements(watch)[statement].line : 0;
    report.column = statement >= 0 ? program_probe_statements(watch)[statement].column : 0;
    report.depth = watch->depth;
    report.units = units;
    report.self = watch;
    report.view = &view;
    watch->probe->report(watch->probe->user, &report);
}

// ---- choices

// Reports a group: rules before `winner` were rejected, those behind it not looked at.
// @param winner  -1: none holds.
static void program_probe_choice(const ployi_program_watch *watch, int32_t first, int32_t winner) {
    ploy_trace *trace = watch->context->trace;
    const ployi_statement *all = program_probe_statements(watch);
    bool chosen = false;
    ploy_trace_begin(trace, watch->context->agent, "rule", "program");
    for (int32_t i = first; i >= 0; i = program_probe_rule_at(watch, all[i].end)) {
        const char *name = ployi_code_text(program_probe_code(watch), all[i].text);
        if (i == winner) {
            ploy_trace_option(trace, name, PLOY_OUTCOME_WON, NAN, "the first rule that holds");
            ploy_trace_i64(trace, "line", all[i].line);
            chosen = true;
        } else {
            ploy_trace_option(trace, name, chosen ? PLOY_OUTCOME_SKIPPED : PLOY_OUTCOME_REJECTED,
                              NAN,
                              chosen ? "an earlier rule holds" : "its condition does not hold");
        }
    }
    if (!chosen) ploy_trace_note(trace, "No rule holds.");
    ploy_trace_end(trace);
}

static void program_probe_rules(ployi_program_watch *watch, int32_t last_pc) {
    const ployi_statement *all = program_probe_statements(watch);
    int32_t pc = watch->pc;
    while (watch->group_count > 0 && watch->groups[watch->group_count - 1].base > watch->base) {
        watch->group_count--; // its function returned
    }
    int32_t rule = program_probe_rule_at(watch, pc);
    ployi_program_group *top =
        watch->group_count > 0 ? &watch->groups[watch->group_count - 1] : NULL;
    if (top != NULL && top->base == watch->base) {
        const ployi_statement *of = &all[top->rule];
        int32_t at = program_probe_lower(watch, pc);
        bool statement = at < program_probe_code(watch)->statements.count && all[at].pc == pc;
        bool inside = pc > of->pc && pc < of->end;
        if (last_pc == of->end - 1 || (inside && statement)) {
            program_probe_choice(watch, top->first, top->rule);
            watch->group_count--;
        } else if (pc == of->end && rule >= 0) {
            top->rule = rule;
            return;
        } else if (!inside && pc != of->pc) {
            program_probe_choice(watch, top->first, -1);
            watch->group_count--;
        }
    }
    if (rule >= 0 && watch->group_count < PLOYI_PROGRAM_GROUPS &&
        (watch->group_count == 0 || watch->groups[watch->group_count - 1].rule != rule ||
         watch->groups[watch->group_count - 1].base != watch->base)) {
        ployi_program_group made = {watch->base, rule, rule};
        watch->groups[watch->group_count++] = made;
    }
}

// ---- the step

void ployi_program_watch_begin(ployi_program_watch *watch, const ploy_program_instance *instance,
                               ploy_step_context *context) {
    memset(watch, 0, sizeof *watch);
    watch->instance = instance;
    watch->context = context;
    watch->probe = ploy_script_probe_of(context->trace);
    watch->from = instance->units;
    watch->pc = watch->base = -1;
}

void ployi_program_watch_hook(void *user, const ployi_vm *vm) {
    ployi_program_watch *watch = user;
    int32_t last_pc = watch->pc, last_base = watch->base;
    int64_t units = watch->ceiling - vm->units;
    watch->pc = vm->pc;
    watch->base = vm->base;
    if (watch->probe == NULL) {
        program_probe_rules(watch, last_base == watch->base ? last_pc : -1);
        return;
    }
    int32_t pc, base, at = program_probe_lower(watch, watch->pc);
    if (last_base < 0) {
        while (program_probe_level(watch, watch->depth + 1, &pc, &base)) watch->depth++;
    } else if (watch->base != last_base) {
        watch->depth += watch->base > last_base ? 1 : -1;
        program_probe_report(watch, watch->base > last_base ? PLOY_SCRIPT_CALL : PLOY_SCRIPT_RETURN,
                             units);
    }
    bool begins = at < program_probe_code(watch)->statements.count &&
                  program_probe_statements(watch)[at].pc == watch->pc;
    if (begins || last_base < 0) program_probe_report(watch, PLOY_SCRIPT_LINE, units);
}

static const char *program_probe_reason(const ploy_program_instance *instance) {
    switch (instance->state) {
    case PLOY_PROGRAM_YIELDED: return "it continues here in the next step";
    case PLOY_PROGRAM_WAITING: return "it waits";
    case PLOY_PROGRAM_STOPPED: return "the budget is empty";
    case PLOY_PROGRAM_DONE: return "the program is done";
    case PLOY_PROGRAM_ERROR: return ploy_result_text((ploy_result)instance->error);
    default: return "it has not begun";
    }
}

void ployi_program_watch_end(ployi_program_watch *watch) {
    const ploy_program_instance *instance = watch->instance;
    watch->pc = instance->pc;
    watch->base = instance->base;
    if (watch->probe != NULL) {
        program_probe_report(watch, PLOY_SCRIPT_STOP, instance->units);
        return;
    }
    ploy_trace *trace = watch->context->trace;
    ploy_program_place place = ploy_program_place_of(instance);
    char name[96];
    snprintf(name, sizeof name, "%.63s%sline %d", place.function,
             place.function[0] != 0 ? ", " : "", (int)place.line);
    ploy_trace_begin(trace, watch->context->agent, "statement", "program");
    ploy_trace_option(trace, name, PLOY_OUTCOME_WON, NAN, program_probe_reason(instance));
    const ployi_instruction *at = &PLOY_ARRAY_ITEMS(&program_probe_code(watch)->instructions,
                                                    ployi_instruction)[instance->pc];
    if (instance->state == PLOY_PROGRAM_WAITING && at->op == PLOYI_OP_WAIT) {
        double until = ployi_instance_stack(instance)[instance->base + at->a].f;
        ploy_trace_f32(trace, "until", (float)until);
    }
    ploy_trace_i64(trace, "units", instance->units - watch->from);
    ploy_trace_end(trace);
}

ploy_result ploy_program_expect_lines(const ploy_program *program, ploy_script_profile *profile) {
    const ployi_code *code = &program->code;
    for (int32_t i = 0; i < code->statements.count; i++) {
        const ployi_statement *at = &PLOY_ARRAY_ITEMS(&code->statements, ployi_statement)[i];
        bool last = i + 1 == code->statements.count || at[1].pc != at->pc;
        if (at->line < 1 || !last || at->pc >= code->instructions.count) continue;
        const char *function = ployi_code_text(
            code, PLOY_ARRAY_ITEMS(&code->functions,
                                   ployi_program_function)[ployi_code_function(code, at->pc)]
                      .name);
        ploy_result result = ploy_script_profile_expect(profile, program->name, function, at->line);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}
