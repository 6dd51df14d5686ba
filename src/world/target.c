// Choosing a target among the remembered; see the header.
#include "ploy/world/target.h"

#include "world/world_internal.h"

#include <stdio.h>
#include <string.h>

#include "ploy/base/math.h"

ploy_target ploy_target_make(void) {
    ploy_target target;
    memset(&target, 0, sizeof target);
    return target;
}

static float target_score(const ploy_target_choice *choice, const ploy_sense_record *record,
                          ploy_vec3 from) {
    if (choice->score != NULL) return choice->score(choice->user, record);
    if (!record->has_position) return -INFINITY;
    return -ploy_vec3_distance(from, record->position);
}

static void target_tell(ploy_trace *trace, const ploy_sense_record *record, ploy_outcome outcome,
                        float score, const char *reason) {
    if (trace == NULL) return;
    char name[32];
    snprintf(name, sizeof name, "%u:%u", (unsigned)record->agent.id.index,
             (unsigned)record->agent.id.generation);
    ploy_trace_option(trace, name, outcome, (double)score, reason);
}

bool ploy_target_step(ploy_target *target, const ploy_sense_memory *memory, ploy_vec3 from,
                      const ploy_target_choice *choice, double now, ploy_trace *trace) {
    static const ploy_target_choice closest = {NULL, NULL, NULL, 0.0f};
    if (choice == NULL) choice = &closest;
    ploy_agent_id best = ploy_agent_id_none();
    const ploy_sense_record *winner = NULL;
    float best_score = 0.0f;
    if (ploy_sense_memory_count(memory) == 0) trace = NULL; // there is nothing to choose from
    ploy_trace_begin(trace, ployi_sense_memory_owner(memory), "target",
                     choice->score != NULL ? "best score" : "closest");
    for (int32_t i = 0; i < ploy_sense_memory_count(memory); i++) {
        const ploy_sense_record *record = ploy_sense_memory_at(memory, i);
        const char *refused = NULL;
        float score = NAN;
        if (!ployi_sense_memory_is_recent(memory, record, now)) {
            refused = "forgotten";
        } else if (choice->valid != NULL && !choice->valid(choice->user, record->agent)) {
            refused = "not valid";
        } else {
            score = target_score(choice, record, from);
            if (score != score) refused = "no score";
        }
        if (refused != NULL) {
            target_tell(trace, record, PLOY_OUTCOME_REJECTED, score, refused);
            continue;
        }
        if (ploy_id_equal(record->agent.id, target->current.id)) score += choice->margin;
        // The order of records is that of ids, so the lower one keeps a tie.
        if (winner == NULL || score > best_score) {
            if (winner != NULL) {
                target_tell(trace, winner, PLOY_OUTCOME_LOST, best_score, "another is better");
            }
            winner = record;
            best = record->agent;
            best_score = score;
        } else {
            target_tell(trace, record, PLOY_OUTCOME_LOST, score, "another is better");
        }
    }
    if (winner != NULL)
        target_tell(trace, winner, PLOY_OUTCOME_WON, best_score, "best of those remembered");
    // Having no target is an option too.
    ploy_trace_option(trace, "none", winner == NULL ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, NAN,
                      winner == NULL ? "no possible target is remembered"
                                     : "a target is remembered");
    ploy_trace_end(trace);
    if (ploy_id_equal(best.id, target->current.id)) return false;
    target->current = best;
    target->since = now;
    return true;
}

void ploy_target_clear(ploy_target *target) {
    *target = ploy_target_make();
}

bool ploy_target_present(const ploy_target *target) {
    return !ploy_id_is_none(target->current.id);
}

bool ploy_target_visible(const ploy_target *target, const ploy_sense_memory *memory) {
    return ployi_sense_memory_visible(memory, target->current);
}

bool ployi_target_shootable(const ploy_target *target, const ploy_sense_memory *memory) {
    return ployi_sense_memory_shootable(memory, target->current);
}

ploy_result ploy_target_position(const ploy_target *target, const ploy_sense_memory *memory,
                                 ploy_vec3 *out) {
    bool known = ploy_sense_memory_position(memory, target->current, out);
    return known ? PLOY_OK : PLOY_ERR_NOT_FOUND;
}

double ployi_target_time_visible(const ploy_target *target, const ploy_sense_memory *memory,
                                 double now) {
    return ployi_sense_memory_time_visible(memory, target->current, now);
}

double ployi_target_time_out_of_view(const ploy_target *target, const ploy_sense_memory *memory,
                                     double now) {
    return ploy_sense_memory_time_out_of_view(memory, target->current, now);
}

void ploy_target_visit(ploy_visit *v, void *object) {
    ploy_target *target = object;
    ploy_visit_struct(v, "target", target, sizeof *target);
    ploy_visit_id(v, "target", PLOY_STATE, &target->current.id);
    ploy_visit_f64(v, "since", PLOY_STATE, &target->since);
}

void ploy_target_describe(const ploy_target *target, ploy_describe *out) {
    ploy_visit_describe(ploy_target_visit, target, NULL, out);
}
