// From a flat document to a table of states and rules.
//
// What belongs to charts alone (inner states, regions, history, contents) is a fault here, so that
// a file means the same thing in both worlds or is refused.
#include <string.h>

#include "machine_file.h"

typedef struct machine_fsm {
    ployi_machine_reader reader; // its machine is not changed
    const ploy_machine_words *words;
    ploy_fsm_type *type;
} machine_fsm;

static void machine_fsm_wrong(machine_fsm *build, ployi_machine_place place, const char *message,
                              const char *word, const char *nearest) {
    ployi_machine_wrong(&build->reader, place, PLOY_ERR_FORMAT, message, word, NULL, nearest);
}

static void machine_fsm_note(machine_fsm *build, ploy_result result) {
    if (build->reader.result == PLOY_OK) build->reader.result = result;
}

static bool machine_fsm_is(const ploy_machine *machine, uint32_t text, const char *word) {
    return text != 0 && strcmp(ployi_machine_text(machine, text), word) == 0;
}

// What a state runs; NULL if it runs nothing, or after a fault.
static const ploy_machine_work *machine_fsm_work(machine_fsm *build, uint32_t run,
                                                 ployi_machine_place place) {
    if (run == 0) return NULL;
    const char *name = ployi_machine_text(build->reader.machine, run);
    const ploy_machine_work *work = ployi_machine_work(build->words, name);
    if (work != NULL) return work;
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; i < build->words->work_count; i++) {
        ploy_nearest_offer(&nearest, build->words->works[i].name);
    }
    ployi_machine_wrong(&build->reader, place, PLOY_ERR_NOT_FOUND, "unknown work", name, NULL,
                        nearest.best);
    return NULL;
}

static void machine_fsm_states(machine_fsm *build) {
    const ploy_machine *machine = build->reader.machine;
    for (uint32_t i = 1; i < (uint32_t)machine->nodes.count; i++) {
        const ployi_machine_node *node = ployi_machine_node_at(machine, i);
        const char *id = ployi_machine_text(machine, node->id);
        bool plain = node->kind == PLOY_HSM_STATE || node->kind == PLOY_HSM_FINAL;
        if (node->parent != 0 || !plain) {
            machine_fsm_wrong(build, node->place, "unsupported inner states in a flat machine:", id,
                              NULL);
        }
        if (node->enter.count + node->exit.count + node->on_initial.count > 0) {
            machine_fsm_wrong(build, node->place,
                              "unsupported executable content in a flat machine:", id, NULL);
        }
        const ploy_machine_work *work = machine_fsm_work(build, node->run, node->place);
        ploy_fsm_state state =
            ploy_fsm_type_state(build->type, id, work != NULL ? &work->hooks : NULL,
                                work != NULL ? work->inside : ploy_maker_none());
        if (node->kind != PLOY_HSM_FINAL || state.number == 0) continue;
        bool failed = machine_fsm_is(machine, node->status, "failure");
        machine_fsm_note(
            build, ploy_fsm_type_set_final(build->type, state,
                                           failed ? PLOY_STATUS_FAILURE : PLOY_STATUS_SUCCESS));
    }
}

// The one state of a list; none if there is none, and a fault if there are more. States of the
// document and of the type have the same numbers.
static ploy_fsm_state machine_fsm_target(machine_fsm *build, uint32_t list,
                                         ployi_machine_place place) {
    const char *words = ployi_machine_text(build->reader.machine, list), *word;
    ploy_fsm_state state = ploy_fsm_state_none();
    for (size_t size; ployi_machine_word(&words, &word, &size);) {
        if (state.number != 0) {
            machine_fsm_wrong(build, place, "unsupported second target in a flat machine:", word,
                              NULL);
            break;
        }
        state.number = ployi_machine_find(build->reader.machine, word, size);
    }
    return state;
}

static void machine_fsm_rule(machine_fsm *build, const ployi_machine_rule *rule) {
    static const char *const effects[] = {"go", "push", "pop", "revert", "stay"};
    const ploy_machine *machine = build->reader.machine;
    ploy_fsm_state from = {rule->from};
    ploy_condition when = ploy_condition_none();
    int32_t effect = PLOY_FSM_GO;
    for (int32_t i = 0; i < 5; i++) {
        if (machine_fsm_is(machine, rule->effect, effects[i])) effect = i;
    }
    bool goes = effect == PLOY_FSM_GO || effect == PLOY_FSM_PUSH;
    ploy_fsm_state to = machine_fsm_target(build, rule->targets, rule->place);
    if (goes != (to.number != 0)) {
        machine_fsm_wrong(build, rule->place,
                          goes ? "rule without a target cannot have the effect"
                               : "rule with a target cannot have the effect",
                          effects[effect], NULL);
    }
    if (rule->content.count > 0 || rule->internal) {
        machine_fsm_wrong(build, rule->place,
                          "unsupported content or internal rule in a flat machine", "", NULL);
    }
    if (rule->when != 0) {
        when =
            ployi_machine_condition(&build->reader, ployi_machine_text(machine, rule->when),
                                    rule->when_place, ploy_fsm_type_conditions(build->type), NULL);
    }
    const char *on = ployi_machine_text(machine, rule->on);
    if (strchr(on, ' ') != NULL || strcmp(on, "*") == 0) {
        machine_fsm_wrong(build, rule->place,
                          "unsupported second message of a rule in a flat machine:", on, NULL);
    }
    if (build->reader.result != PLOY_OK) return; // the other rules are still looked at
    ploy_fsm_rule out = ploy_fsm_rule_make(ployi_machine_text(machine, rule->id), from, when, to);
    out.on = rule->on != 0 ? on : NULL;
    out.priority = rule->priority;
    out.effect = (ploy_fsm_effect)effect;
    machine_fsm_note(build, ploy_fsm_type_add(build->type, &out));
}

ploy_result ploy_machine_build_fsm(const ploy_machine *machine, const ploy_fsm_def *def,
                                   const ploy_machine_words *words, const ploy_env *env,
                                   ploy_diags *diags, ploy_fsm_type **out) {
    static const ploy_machine_words no_words;
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (machine == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_fsm_def plain = ploy_fsm_def_default();
    machine_fsm build;
    memset(&build, 0, sizeof build);
    build.words = words != NULL ? words : &no_words;
    build.reader.machine = (ploy_machine *)(uintptr_t)machine; // read only
    build.reader.diags = diags;
    ploy_result result =
        ploy_fsm_type_create(def != NULL ? def : &plain, build.words->layout, env, &build.type);
    if (result != PLOY_OK) return result;
    machine_fsm_note(
        &build, ployi_machine_register(build.words, NULL, ploy_fsm_type_conditions(build.type)));
    machine_fsm_states(&build);
    for (int32_t i = 0; i < machine->rules.count; i++) {
        machine_fsm_rule(&build, &PLOY_ARRAY_ITEMS(&machine->rules, ployi_machine_rule)[i]);
    }
    const ployi_machine_node *root = ployi_machine_node_at(machine, 0);
    const ploy_machine_work *global = machine_fsm_work(&build, root->run, root->place);
    if (global != NULL)
        machine_fsm_note(&build, ploy_fsm_type_set_global(build.type, &global->hooks));
    if (machine->idle != 0) {
        const char *id = ployi_machine_text(machine, machine->idle);
        ploy_fsm_state idle = ploy_fsm_type_find(build.type, id);
        if (idle.number == 0) {
            machine_fsm_wrong(&build, root->place, "unknown state", id, NULL);
        } else {
            machine_fsm_note(&build, ploy_fsm_type_set_idle(build.type, idle));
        }
    }
    ploy_fsm_state first = machine_fsm_target(&build, root->initial, root->place);
    if (root->initial == 0) first.number = 1;
    if (build.reader.result == PLOY_OK) {
        result = ploy_fsm_type_finish(build.type, first);
        if (result == PLOY_ERR_MEMORY) {
            machine_fsm_note(&build, result);
        } else if (result != PLOY_OK) {
            machine_fsm_wrong(&build, root->place, "inconsistent states and rules", "", NULL);
        }
    }
    if (build.reader.result == PLOY_OK) {
        *out = build.type;
    } else {
        ploy_fsm_type_destroy(build.type);
    }
    return build.reader.result;
}
