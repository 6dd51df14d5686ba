// What a state machine shows of itself.
#include "fsm_internal.h"

void ploy_fsm_describe(const ploy_fsm *fsm, ploy_describe *out) {
    if (fsm == NULL || out == NULL) return;
    const ploy_fsm_type *type = fsm->type;
    ploy_describe_text(out, "state", PLOY_STATE, ploy_fsm_type_id(type, ploy_fsm_current(fsm)));
    ploy_describe_text(out, "previous", PLOY_STATE, ploy_fsm_type_id(type, ploy_fsm_previous(fsm)));
    ploy_describe_f64(out, "elapsed", PLOY_STATE, fsm->elapsed);
    ploy_describe_f64(out, "idle", PLOY_STATE, fsm->elapsed); // what def.idle is compared with
    ploy_describe_u64(out, "changes", PLOY_STATE, fsm->changes);
    ploy_describe_text(out, "status", PLOY_STATE, ploy_status_text(ployi_fsm_status(fsm)));
    ploy_describe_text(out, "last rule", PLOY_NOTE, ploy_fsm_last_rule(fsm));
    if (fsm->depth > 0) {
        ploy_describe_begin(out, "stack");
        for (int32_t i = 0; i < fsm->depth; i++) {
            ploy_fsm_state state = {fsm->stack[i]};
            ploy_describe_begin_item(out, i);
            ploy_describe_text(out, "state", PLOY_STATE, ploy_fsm_type_id(type, state));
            ploy_describe_end(out);
        }
        ploy_describe_end(out);
    }
    for (int32_t i = 0; i < fsm->past_count; i++) {
        ploy_fsm_record past;
        if (ploy_fsm_record_at(fsm, i, &past) != PLOY_OK) break;
        if (i == 0) ploy_describe_begin(out, "record");
        ploy_describe_begin_item(out, i);
        ploy_describe_text(out, "from", PLOY_NOTE, ploy_fsm_type_id(type, past.from));
        ploy_describe_text(out, "to", PLOY_NOTE, ploy_fsm_type_id(type, past.to));
        ploy_describe_text(out, "rule", PLOY_NOTE, past.rule);
        ploy_describe_u64(out, "tick", PLOY_NOTE, past.tick);
        ploy_describe_end(out);
        if (i == fsm->past_count - 1) ploy_describe_end(out);
    }
    for (uint32_t i = 1; i <= (uint32_t)type->items.count; i++) {
        const ployi_fsm_item *item = ployi_fsm_item_at(type, i);
        bool tells = item->data_size > 0 && item->hooks.describe != NULL;
        if (item->maker < 0 && !tells) continue;
        ploy_describe_begin(out, ployi_build_text(&type->build, item->id));
        if (item->maker >= 0) ploy_nested_describe(&fsm->insides[item->maker], out);
        if (tells) item->hooks.describe(item->hooks.user, fsm->data + item->data_at, out);
        ploy_describe_end(out);
    }
    for (int32_t i = 0; i < type->links.count; i++) {
        const ployi_fsm_link *link = ployi_fsm_link_at(type, i);
        bool fired = type->def.arbiter == PLOY_FSM_LEAST_RECENT;
        if (link->tree < 0 && !fired) continue;
        ploy_describe_begin(out, ployi_build_text(&type->build, link->id));
        if (fired) ploy_describe_u64(out, "fired", PLOY_STATE, fsm->fired[i]);
        if (link->tree >= 0) ploy_decision_describe(fsm->decisions[link->tree], out);
        ploy_describe_end(out);
    }
}
