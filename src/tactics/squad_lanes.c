// What the actors of a squad script did when: the last steps that they passed.
//
// The lanes are for people: they are no state, are not saved, and begin again with each script and
// after a load.
#include "squad_internal.h"

void ployi_squad_lanes_begin(ployi_squad_lanes *lanes, double now) {
    lanes->count = 0;
    lanes->begun = lanes->now = now;
}

void ployi_squad_lanes_pass(ployi_squad_lanes *lanes, int32_t actor, int32_t step, double from,
                            double acts, double to) {
    ployi_squad_pass *pass = &lanes->passes[lanes->count % PLOYI_SQUAD_PASSES_MAX];
    lanes->count++;
    pass->actor = actor;
    pass->step = step;
    pass->from = from;
    pass->acts = acts;
    pass->to = to;
}

// The latest time that an actor passed a step; NULL if it did not, or too long ago.
static const ployi_squad_pass *squad_lanes_find(const ployi_squad_lanes *lanes, int32_t actor,
                                                int32_t step) {
    uint64_t kept = lanes->count < PLOYI_SQUAD_PASSES_MAX ? lanes->count : PLOYI_SQUAD_PASSES_MAX;
    for (uint64_t i = 0; i < kept; i++) {
        const ployi_squad_pass *pass =
            &lanes->passes[(lanes->count - 1 - i) % PLOYI_SQUAD_PASSES_MAX];
        if (pass->actor == actor && pass->step == step) return pass;
    }
    return NULL;
}

void ployi_squad_lanes_describe(const ployi_squad_lanes *lanes, const ploy_squad_scripts *scripts,
                                const ployi_squad_script *script, int32_t actor, int32_t present,
                                double since, double acts, ploy_describe *out) {
    const ployi_squad_actor *list = ployi_squad_actor_at(scripts, script, actor);
    ploy_describe_begin(out, "lane");
    for (int32_t i = 0; list != NULL && i < list->step_count; i++) {
        const ployi_squad_step *step = ployi_squad_step_at(scripts, list, i);
        const ployi_squad_pass *pass = i < present ? squad_lanes_find(lanes, actor, i) : NULL;
        double from = pass != NULL ? pass->from : since, began = pass != NULL ? pass->acts : acts;
        ploy_describe_begin_item(out, i);
        ploy_describe_text(out, "does", PLOY_NOTE, ploy_squad_step_text(step->kind));
        ploy_describe_text(out, "what", PLOY_NOTE, step->text);
        ploy_describe_i64(out, "line", PLOY_NOTE, step->line);
        for (int32_t k = 0; k < step->id_count && step->kind == PLOY_SQUAD_WAIT; k++) {
            int32_t id = ployi_squad_id(scripts, step, k);
            ploy_describe_text(out, "for", PLOY_NOTE,
                               ployi_squad_signal_at(scripts, script, id)->name);
        }
        if (pass != NULL || i == present) {
            ploy_describe_f64(out, "from", PLOY_NOTE, from);
            if (began >= from) ploy_describe_f64(out, "acts", PLOY_NOTE, began);
        }
        if (pass != NULL) ploy_describe_f64(out, "to", PLOY_NOTE, pass->to);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}
