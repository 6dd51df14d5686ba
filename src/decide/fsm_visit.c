// A state machine's run-time state: what it shows of itself, and what is in its file, by the ids of
// its states and rules.
//
//     { "state": "patrol", "previous": "rest", "stack": ["work"], "elapsed": 1.5,
//       "changes": 7, "rule": "tired", "inside": { as ploy_nested_save writes it },
//       "data": { "rest": ["00ff"] }, "fired": { "tired": 6 },
//       "decisions": { "where to": { a decision tree's memory } } }
#include <float.h>
#include <string.h>

#include "fsm_internal.h"

static const char *fsm_visit_state(const void *user, uint32_t number) {
    ploy_fsm_state state = {number};
    return ploy_fsm_type_id(user, state);
}

static const char *fsm_visit_rule(const void *user, uint32_t number) {
    const ploy_fsm_type *type = user;
    if (number >= (uint32_t)type->links.count) return "";
    return ployi_build_text(&type->build, ployi_fsm_link_at(type, (int32_t)number)->id);
}

static ploy_visit_table fsm_visit_states(const ploy_fsm_type *type, const char *lost) {
    ploy_visit_table table = {fsm_visit_state, NULL, type, (uint32_t)type->items.count + 1,
                              "state",         lost};
    return table;
}

// The states put aside. Those that are gone, and those that there is no room for, are left out.
static void fsm_visit_stack(ploy_visit *v, ploy_fsm *fsm) {
    ploy_visit_table states = fsm_visit_states(fsm->type, "was put aside and no longer exists");
    int32_t room = fsm->type->def.stack, kept = 0;
    ploy_visit_scratch(v, &fsm->depth, sizeof fsm->depth);
    int32_t count = ploy_visit_count(v, "stack", fsm->depth > 0 ? PLOY_STATE : PLOY_SAVED,
                                     fsm->depth, ploy_visit_tolerates(v) ? INT32_MAX : room);
    for (int32_t i = 0; i < count; i++) {
        if (kept == room) break; // only in a load
        uint32_t none = 0;
        PLOY_VISIT_WRITE(v, fsm->stack[kept], none);
        ploy_visit_begin_item(v, i, PLOY_DERIVED);
        ploy_visit_ref(v, "state", PLOY_STATE, &fsm->stack[kept], &states);
        ploy_visit_end(v);
        if (fsm->stack[kept] != 0) kept++;
    }
    ploy_visit_end(v);
    PLOY_VISIT_WRITE(v, fsm->depth, kept);
}

static void fsm_describe_records(const ploy_fsm *fsm, ploy_describe *out) {
    const ploy_fsm_type *type = fsm->type;
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
}

// State by state, its behavior and its private bytes; rule by rule, when it fired and its tree.
static void fsm_describe_parts(const ploy_fsm *fsm, ploy_describe *out) {
    const ploy_fsm_type *type = fsm->type;
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

static void fsm_visit_data(ploy_visit *v, ploy_fsm *fsm) {
    const ploy_fsm_type *type = fsm->type;
    ploy_visit_begin(v, "data", PLOY_SAVED);
    for (uint32_t i = 1; i <= (uint32_t)type->items.count; i++) {
        const ployi_fsm_item *item = ployi_fsm_item_at(type, i);
        const char *id = fsm_visit_state(type, i);
        if (item->data_size == 0 || (i != fsm->current && !item->keep)) continue;
        (void)ploy_visit_bytes(v, id, PLOY_SAVED, fsm->data + item->data_at, item->data_size);
    }
    ploy_visit_end(v);
}

static void fsm_visit_rules(ploy_visit *v, ploy_fsm *fsm) {
    const ploy_fsm_type *type = fsm->type;
    if (type->def.arbiter == PLOY_FSM_LEAST_RECENT) {
        ploy_visit_begin(v, "fired", PLOY_SAVED);
        for (int32_t i = 0; i < type->links.count; i++) {
            ploy_visit_u64(v, fsm_visit_rule(type, (uint32_t)i), PLOY_SAVED, &fsm->fired[i]);
        }
        ploy_visit_end(v);
    }
    if (type->trees == 0 || v->describe != NULL) return;
    // What the trees of rules remember of their draws.
    ploy_visit_begin(v, "decisions", PLOY_SAVED);
    for (int32_t i = 0; i < type->links.count; i++) {
        const ployi_fsm_link *link = ployi_fsm_link_at(type, i);
        if (link->tree < 0) continue;
        ploy_visit_behavior(v, fsm_visit_rule(type, (uint32_t)i),
                            ploy_decision_behavior(fsm->decisions[link->tree]), v->context);
    }
    ploy_visit_end(v);
}

static void fsm_visit_members(ploy_visit *v, ploy_fsm *fsm) {
    ploy_visit_object(v, "fsm", fsm, sizeof *fsm);
    ploy_visit_block(v, "fsm.block", fsm->block, fsm->block_size);
    PLOY_VISIT_SCRATCH(v, fsm->type);
    PLOY_VISIT_SCRATCH(v, fsm->owner);
    PLOY_VISIT_SCRATCH(v, fsm->env);
    PLOY_VISIT_SCRATCH(v, fsm->block);
    PLOY_VISIT_SCRATCH(v, fsm->block_size);
    PLOY_VISIT_SCRATCH(v, fsm->insides);
    PLOY_VISIT_SCRATCH(v, fsm->decisions);
    PLOY_VISIT_SCRATCH(v, fsm->fired);
    PLOY_VISIT_SCRATCH(v, fsm->past);
    PLOY_VISIT_SCRATCH(v, fsm->stack);
    PLOY_VISIT_SCRATCH(v, fsm->data);
    PLOY_VISIT_SCRATCH(v, fsm->started); // always, when it is saved
    PLOY_VISIT_SCRATCH(v, fsm->leaving); // only within a step, as are
    PLOY_VISIT_SCRATCH(v, fsm->busy);
    PLOY_VISIT_SCRATCH(v, fsm->stepping);
    PLOY_VISIT_SCRATCH(v, fsm->nesting);
    PLOY_VISIT_SCRATCH(v, fsm->pending);
    PLOY_VISIT_SCRATCH(v, fsm->pending_aside);
    PLOY_VISIT_SCRATCH(v, fsm->past_count); // records are notes and not saved
    PLOY_VISIT_SCRATCH(v, fsm->past_next);
}

void ployi_fsm_visit(ploy_visit *v, void *object) {
    ploy_fsm *fsm = object;
    const ploy_fsm_type *type = fsm->type;
    ploy_visit_table states = fsm_visit_states(type, "no longer exists: the machine restarts");
    ploy_visit_table rules = {fsm_visit_rule, NULL, type, (uint32_t)type->links.count,
                              "rule",         NULL};
    bool started = true;
    if (ploy_visit_tolerates(v)) {
        if (!ploy_visit_result(v, fsm->started ? PLOY_ERR_STATE : PLOY_OK)) return;
        fsm->current = fsm->previous = fsm->pending = 0;
        fsm->last = -1;
        fsm->depth = fsm->past_count = 0;
    }
    fsm_visit_members(v, fsm);
    bool known = ploy_visit_ref(v, "state", PLOY_STATE, &fsm->current, &states);
    if (ploy_visit_loads(v) && (!known || fsm->current == 0)) {
        ploy_visit_restart(v, ploy_fsm_behavior(fsm));
        return;
    }
    states.lost = "was the one before and no longer exists";
    ploy_visit_ref(v, "previous", PLOY_STATE, &fsm->previous, &states);
    ploy_visit_f64_in(v, "elapsed", PLOY_STATE, &fsm->elapsed, 0.0, DBL_MAX);
    ploy_describe_f64(v->describe, "idle", PLOY_STATE, fsm->elapsed); // compared with def.idle
    ploy_visit_u64(v, "changes", PLOY_STATE, &fsm->changes);
    ploy_describe_text(v->describe, "status", PLOY_STATE, ploy_status_text(ployi_fsm_status(fsm)));
    ploy_visit_key(v, "rule");
    ploy_visit_ref(v, "last rule", PLOY_NOTE, (uint32_t *)&fsm->last, &rules);
    fsm_visit_stack(v, fsm);
    if (v->describe != NULL) {
        fsm_describe_records(fsm, v->describe);
        fsm_describe_parts(fsm, v->describe);
    }
    fsm_visit_data(v, fsm);
    PLOY_VISIT_WRITE(v, fsm->started, started);
    fsm_visit_rules(v, fsm);
    for (int32_t i = 0; i < type->makers && v->mode == PLOY_VISIT_MEMORY; i++) {
        ploy_visit_nested(v, "inside", PLOY_DERIVED, &fsm->insides[i], &fsm->env, NULL);
    }
    if (v->mode == PLOY_VISIT_MEMORY) return;
    ploy_visit_nested(v, "inside", PLOY_SAVED, ployi_fsm_inside(fsm, fsm->current), &fsm->env,
                      fsm_visit_state(type, fsm->current));
}

void ploy_fsm_describe(const ploy_fsm *fsm, ploy_describe *out) {
    ploy_visit_describe(ployi_fsm_visit, fsm, NULL, out);
}
