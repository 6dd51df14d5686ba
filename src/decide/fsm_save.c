// A state machine's run-time state in a file, by the ids of its states and rules.
//
//     { "state": "patrol", "previous": "rest", "stack": ["work"], "elapsed": 1.5,
//       "changes": 7, "rule": "tired", "inside": { as ploy_nested_save writes it },
//       "data": { "rest": ["00ff"] }, "fired": { "tired": 6 },
//       "decisions": { "where to": { a decision tree's memory } } }
#include <string.h>

#include "fsm_internal.h"

static const char *fsm_save_id(const ploy_fsm *fsm, uint32_t number) {
    ploy_fsm_state state = {number};
    return ploy_fsm_type_id(fsm->type, state);
}

// What the trees of rules remember of their draws.
static void fsm_save_decisions(const ploy_fsm *fsm, ploy_json_writer *out) {
    const ploy_fsm_type *type = fsm->type;
    if (type->trees == 0) return;
    ploy_json_write_key(out, "decisions");
    ploy_json_write_begin_object(out);
    for (int32_t i = 0; i < type->links.count; i++) {
        const ployi_fsm_link *link = ployi_fsm_link_at(type, i);
        if (link->tree < 0) continue;
        ploy_json_write_key(out, ployi_build_text(&type->build, link->id));
        ploy_behavior_save(ploy_decision_behavior(fsm->decisions[link->tree]), out);
    }
    ploy_json_write_end_object(out);
}

static ploy_result fsm_load_decisions(ploy_fsm *fsm, ploy_step_context *context,
                                      const ploy_json *doc, ploy_json_node saved,
                                      ploy_diags *diags) {
    const ploy_fsm_type *type = fsm->type;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < type->links.count && result == PLOY_OK; i++) {
        const ployi_fsm_link *link = ployi_fsm_link_at(type, i);
        ploy_json_node item =
            ploy_json_member(doc, saved, ployi_build_text(&type->build, link->id));
        if (link->tree < 0 || ploy_json_is_none(item)) continue;
        result = ploy_behavior_load(ploy_decision_behavior(fsm->decisions[link->tree]), context,
                                    doc, item, diags);
    }
    return result;
}

void ployi_fsm_save(const void *self, ploy_json_writer *out) {
    const ploy_fsm *fsm = self;
    const ploy_fsm_type *type = fsm->type;
    ploy_json_write_begin_object(out);
    ployi_save_text(out, "state", fsm_save_id(fsm, fsm->current));
    ployi_save_text(out, "previous", fsm_save_id(fsm, fsm->previous));
    ployi_save_text(out, "rule", ploy_fsm_last_rule(fsm));
    ployi_save_f64(out, "elapsed", fsm->elapsed);
    ployi_save_u64(out, "changes", fsm->changes);
    ploy_json_write_key(out, "stack");
    ploy_json_write_begin_array(out);
    for (int32_t i = 0; i < fsm->depth; i++) {
        ploy_json_write_text(out, fsm_save_id(fsm, fsm->stack[i]));
    }
    ploy_json_write_end_array(out);
    ploy_json_write_key(out, "data");
    ploy_json_write_begin_object(out);
    for (uint32_t i = 1; i <= (uint32_t)type->items.count; i++) {
        const ployi_fsm_item *item = ployi_fsm_item_at(type, i);
        if (item->data_size == 0 || (i != fsm->current && !item->keep)) continue;
        ploy_json_write_key(out, fsm_save_id(fsm, i));
        ployi_save_bytes(out, fsm->data + item->data_at, item->data_size);
    }
    ploy_json_write_end_object(out);
    if (type->def.arbiter == PLOY_FSM_LEAST_RECENT) {
        ploy_json_write_key(out, "fired");
        ploy_json_write_begin_object(out);
        for (int32_t i = 0; i < type->links.count; i++) {
            ploy_json_write_key(out,
                                ployi_build_text(&type->build, ployi_fsm_link_at(type, i)->id));
            ploy_json_write_u64(out, fsm->fired[i]);
        }
        ploy_json_write_end_object(out);
    }
    fsm_save_decisions(fsm, out);
    const ploy_nested *inside = ployi_fsm_inside(fsm, fsm->current);
    if (inside != NULL) {
        ploy_json_write_key(out, "inside");
        ploy_nested_save(inside, out);
    }
    ploy_json_write_end_object(out);
}

// The state that the text names, or 0; a name that is gone is told.
static uint32_t fsm_save_find(const ploy_fsm *fsm, const ploy_json *doc, ploy_json_node node,
                              ploy_diags *diags, const char *why) {
    const char *id = ploy_json_text(doc, node, NULL);
    uint32_t found = ploy_fsm_type_find(fsm->type, id).number;
    if (found == 0 && id[0] != '\0') ploy_behavior_lost(doc, node, diags, "state", id, why);
    return found;
}

static void fsm_load_lists(ploy_fsm *fsm, const ploy_json *doc, ploy_json_node state,
                           ploy_diags *diags) {
    const ploy_fsm_type *type = fsm->type;
    ploy_json_node stack = ploy_json_member(doc, state, "stack");
    fsm->depth = 0;
    for (int32_t i = 0; i < ploy_json_count(doc, stack); i++) {
        uint32_t put = fsm_save_find(fsm, doc, ploy_json_at(doc, stack, i), diags,
                                     "was put aside and is gone");
        if (put != 0 && fsm->depth < type->def.stack) fsm->stack[fsm->depth++] = put;
    }
    ploy_json_node data = ploy_json_member(doc, state, "data");
    for (int32_t i = 0; i < ploy_json_count(doc, data); i++) {
        ploy_json_node item_data = ploy_json_at(doc, data, i);
        const char *id = ploy_json_key(doc, item_data, NULL);
        uint32_t number = ploy_fsm_type_find(type, id).number;
        if (number == 0) continue; // told where it matters: as the present state or on the stack
        const ployi_fsm_item *item = ployi_fsm_item_at(type, number);
        if (item->data_size == 0 ||
            !ployi_load_bytes(doc, item_data, fsm->data + item->data_at, item->data_size)) {
            ploy_behavior_lost(doc, item_data, diags, "state", id,
                               "has private bytes of another size now: they begin at zero");
        }
    }
    ploy_json_node fired = ploy_json_member(doc, state, "fired");
    const char *last = ploy_json_text(doc, ploy_json_member(doc, state, "rule"), NULL);
    for (int32_t i = 0; i < type->links.count; i++) {
        const char *id = ployi_build_text(&type->build, ployi_fsm_link_at(type, i)->id);
        if (id[0] != '\0' && strcmp(id, last) == 0) fsm->last = i;
        if (type->def.arbiter == PLOY_FSM_LEAST_RECENT) {
            ployi_load_u64(doc, fired, id, &fsm->fired[i]);
        }
    }
}

ploy_result ployi_fsm_load(void *self, ploy_step_context *context, const ploy_json *doc,
                           ploy_json_node state, ploy_diags *diags) {
    ploy_fsm *fsm = self;
    if (fsm->started) return PLOY_ERR_STATE;
    uint32_t current = fsm_save_find(fsm, doc, ploy_json_member(doc, state, "state"), diags,
                                     "is gone: the machine restarts");
    if (current == 0) return ploy_behavior_enter(ploy_fsm_behavior(fsm), context);
    fsm->current = current;
    fsm->previous = fsm_save_find(fsm, doc, ploy_json_member(doc, state, "previous"), diags,
                                  "was the one before and is gone");
    fsm->pending = 0;
    fsm->last = -1;
    fsm->past_count = 0;
    (void)ployi_load_f64(doc, state, "elapsed", &fsm->elapsed);
    ployi_load_u64(doc, state, "changes", &fsm->changes);
    fsm_load_lists(fsm, doc, state, diags);
    fsm->started = true;
    ploy_result result =
        fsm_load_decisions(fsm, context, doc, ploy_json_member(doc, state, "decisions"), diags);
    if (result != PLOY_OK) return result;
    ploy_nested *inside = ployi_fsm_inside(fsm, current);
    if (inside == NULL) return PLOY_OK;
    return ploy_nested_load(inside, &fsm->env, fsm_save_id(fsm, current), context, doc,
                            ploy_json_member(doc, state, "inside"), diags);
}
