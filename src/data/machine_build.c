// From a statechart document to a type.
#include <string.h>

#include "machine_file.h"
#include "ploy/base/number.h"

typedef struct machine_build {
    ployi_machine_reader reader; // its machine is not changed
    const ploy_machine_words *words;
    ploy_hsm_type *type;
    ploy_array ops;     // ploy_hsm_op
    ploy_array targets; // ploy_hsm_state
} machine_build;

static const ploy_machine_action *machine_build_action(machine_build *build, uint32_t name,
                                                       ployi_machine_place place) {
    const char *text = ployi_machine_text(build->reader.machine, name);
    ploy_nearest nearest = ploy_nearest_make(text);
    for (int32_t i = 0; i < build->words->action_count; i++) {
        if (strcmp(build->words->actions[i].name, text) == 0) return &build->words->actions[i];
        ploy_nearest_offer(&nearest, build->words->actions[i].name);
    }
    for (int32_t i = 0; i < build->words->work_count; i++) {
        ploy_nearest_offer(&nearest, build->words->works[i].name);
    }
    ployi_machine_wrong(&build->reader, place, PLOY_ERR_NOT_FOUND, "unknown action", text, NULL,
                        nearest.best);
    return NULL;
}

const ploy_machine_work *ployi_machine_work(const ploy_machine_words *words, const char *name) {
    for (int32_t i = 0; i < words->work_count; i++) {
        if (strcmp(words->works[i].name, name) == 0) return &words->works[i];
    }
    return NULL;
}

static void machine_build_note(machine_build *build, ploy_result result) {
    if (build->reader.result == PLOY_OK) build->reader.result = result;
}

// What a send comes to; its event in `out`.
static void machine_build_send(const ploy_machine *machine, const ployi_machine_op *op,
                               ploy_hsm_op *out) {
    switch (ployi_machine_send_way(machine, op)) {
    case PLOYI_MACHINE_INNER: out->kind = PLOY_HSM_OP_RAISE; break;
    case PLOYI_MACHINE_LOST:
        out->kind = PLOY_HSM_OP_RAISE;
        out->text = "error.communication";
        break;
    case PLOYI_MACHINE_BAD:
        out->kind = PLOY_HSM_OP_FAIL;
        out->text = "error.execution";
        break;
    default:
        out->id = ployi_machine_text(machine, op->id);
        if (op->delay != 0) {
            (void)ployi_machine_delay(ployi_machine_text(machine, op->delay), &out->delay);
        }
        break;
    }
}

static ploy_condition machine_build_condition(machine_build *build, uint32_t when,
                                              ployi_machine_place place) {
    return ployi_machine_condition(&build->reader, ployi_machine_text(build->reader.machine, when),
                                   place, ploy_hsm_type_conditions(build->type), build->words);
}

static ploy_hsm_content machine_build_content(machine_build *build, ployi_machine_block block) {
    const ploy_machine *machine = build->reader.machine;
    ploy_hsm_content none = {0};
    if (block.count == 0) return none;
    ploy_array_clear(&build->ops);
    for (int32_t i = 0; i < block.count; i++) {
        const ployi_machine_op *op =
            &PLOY_ARRAY_ITEMS(&machine->ops, ployi_machine_op)[block.first + i];
        ploy_hsm_op out;
        memset(&out, 0, sizeof out);
        out.kind = op->kind;
        out.text = ployi_machine_text(machine, op->text);
        if (op->kind == PLOY_HSM_OP_SEND) machine_build_send(machine, op, &out);
        if (op->kind == PLOY_HSM_OP_IF || op->kind == PLOY_HSM_OP_ELSE_IF) {
            out.when = machine_build_condition(build, op->when, op->when_place);
        }
        if (op->kind == PLOY_HSM_OP_CALL) {
            const ploy_machine_action *action = machine_build_action(build, op->text, op->place);
            if (action == NULL) continue;
            out.action = action->fn;
            out.user = action->user;
        }
        if (op->kind == PLOY_HSM_OP_LOG) out.text = ployi_machine_text(machine, op->shown);
        machine_build_note(build, ploy_array_push(&build->ops, &out));
    }
    if (build->reader.result != PLOY_OK) return none;
    return ploy_hsm_type_content(build->type, PLOY_ARRAY_ITEMS(&build->ops, ploy_hsm_op),
                                 build->ops.count);
}

// The states of a list, in build->targets.
static const ploy_hsm_state *machine_build_targets(machine_build *build, uint32_t list) {
    const ploy_machine *machine = build->reader.machine;
    const char *words = ployi_machine_text(machine, list), *word;
    ploy_array_clear(&build->targets);
    for (size_t size; ployi_machine_word(&words, &word, &size);) {
        ploy_hsm_state state = {ployi_machine_find(machine, word, size)};
        machine_build_note(build, ploy_array_push(&build->targets, &state));
    }
    return PLOY_ARRAY_ITEMS(&build->targets, ploy_hsm_state);
}

static void machine_build_states(machine_build *build) {
    const ploy_machine *machine = build->reader.machine;
    for (uint32_t i = 1; i < (uint32_t)machine->nodes.count; i++) {
        const ployi_machine_node *node = ployi_machine_node_at(machine, i);
        ploy_hsm_hooks hooks;
        memset(&hooks, 0, sizeof hooks);
        const ploy_machine_work *work =
            ployi_machine_work(build->words, ployi_machine_text(machine, node->run));
        if (node->run != 0 && work == NULL) {
            const ploy_machine_action *run = machine_build_action(build, node->run, node->place);
            if (run != NULL) {
                hooks.execute = run->fn;
                hooks.user = run->user;
            }
        }
        ploy_hsm_state parent = {node->parent};
        (void)ploy_hsm_type_state(build->type, ployi_machine_text(machine, node->id), parent,
                                  node->kind, &hooks,
                                  work != NULL ? work->inside : ploy_maker_none());
    }
}

static void machine_build_contents(machine_build *build) {
    const ploy_machine *machine = build->reader.machine;
    for (uint32_t i = 0; i < (uint32_t)machine->nodes.count; i++) {
        const ployi_machine_node *node = ployi_machine_node_at(machine, i);
        const ployi_machine_block blocks[] = {node->enter, node->exit, node->on_initial};
        ploy_hsm_state state = {i};
        for (int32_t k = 0; k < 3; k++) {
            ploy_hsm_content content = machine_build_content(build, blocks[k]);
            if (content.number == 0) continue;
            (void)ploy_hsm_type_set_content(build->type, state, (ploy_hsm_when)k, content);
        }
        const ploy_hsm_state *targets = machine_build_targets(build, node->initial);
        if (build->targets.count == 0 || build->reader.result != PLOY_OK) continue;
        (void)ploy_hsm_type_set_initial(build->type, state, targets, build->targets.count, NULL,
                                        NULL);
    }
}

static void machine_build_rules(machine_build *build) {
    const ploy_machine *machine = build->reader.machine;
    for (int32_t i = 0; i < machine->rules.count; i++) {
        const ployi_machine_rule *rule = &PLOY_ARRAY_ITEMS(&machine->rules, ployi_machine_rule)[i];
        ploy_hsm_rule out;
        memset(&out, 0, sizeof out);
        out.id = ployi_machine_text(machine, rule->id);
        out.from.number = rule->from;
        if (rule->on != 0) out.on = ployi_machine_text(machine, rule->on);
        out.internal = rule->internal;
        out.content = machine_build_content(build, rule->content);
        if (rule->when != 0) {
            out.when = machine_build_condition(build, rule->when, rule->when_place);
        }
        out.targets = machine_build_targets(build, rule->targets);
        out.target_count = build->targets.count;
        if (build->reader.result != PLOY_OK) continue; // the other rules are still looked at
        ploy_result result = ploy_hsm_type_add(build->type, &out);
        if (result == PLOY_OK) continue;
        if (ploy_hsm_type_finish(build->type) == PLOY_ERR_MEMORY) { // the first fault, before this
            machine_build_note(build, PLOY_ERR_MEMORY);
        } else {
            ployi_machine_wrong(&build->reader, rule->place, PLOY_ERR_FORMAT,
                                "cannot build this transition", "", NULL, NULL);
        }
    }
}

ploy_result ploy_machine_build(const ploy_machine *machine, const ploy_hsm_def *def,
                               const ploy_machine_words *words, const ploy_env *env,
                               ploy_diags *diags, ploy_hsm_type **out) {
    static const ploy_machine_words no_words;
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (machine == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_hsm_def plain = ploy_hsm_def_default();
    machine_build build;
    memset(&build, 0, sizeof build);
    build.words = words != NULL ? words : &no_words;
    build.reader.machine = (ploy_machine *)(uintptr_t)machine; // read only
    build.reader.diags = diags;
    ploy_result result =
        ploy_hsm_type_create(def != NULL ? def : &plain, build.words->layout, env, &build.type);
    if (result != PLOY_OK) return result;
    ploy_array_init(&build.ops, sizeof(ploy_hsm_op), env);
    ploy_array_init(&build.targets, sizeof(ploy_hsm_state), env);
    ployi_machine_chart chart = {machine, build.type};
    machine_build_note(
        &build, ployi_machine_register(build.words, &chart, ploy_hsm_type_conditions(build.type)));
    if (machine->flat) {
        ployi_machine_wrong(&build.reader, ployi_machine_node_at(machine, 0)->place,
                            PLOY_ERR_FORMAT, "expected a statechart, found a flat machine", "",
                            NULL, NULL);
    }
    machine_build_states(&build);
    machine_build_contents(&build);
    machine_build_rules(&build);
    if (build.reader.result == PLOY_OK) {
        result = ploy_hsm_type_finish(build.type);
        if (result == PLOY_ERR_MEMORY) {
            machine_build_note(&build, result);
        } else if (result != PLOY_OK) {
            ployi_machine_place place = ployi_machine_node_at(machine, 0)->place;
            ployi_machine_wrong(&build.reader, place, PLOY_ERR_FORMAT,
                                "inconsistent states and transitions", "", NULL, NULL);
        }
    }
    ploy_array_fini(&build.ops);
    ploy_array_fini(&build.targets);
    if (build.reader.result == PLOY_OK) {
        *out = build.type;
    } else {
        ploy_hsm_type_destroy(build.type);
    }
    return build.reader.result;
}
