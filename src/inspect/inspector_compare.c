// Two sessions side by side: both go back to one tick, then on together, tick by tick, until a
// decision of one is not that of the other.
//
// What differs in a state may be a rounding error; what matters to a person is the first time that
// an agent does something else. So decisions are compared, by what won, as the journals of both
// heard them (see inspector_journal.c). The session that was asked drives; its partner waits.
#include "inspect/inspector_internal.h"

#include <string.h>

// As far as one step request may go.
#define COMPARE_TICKS_MAX 1000000

// A decision of one that the other did not take, or took otherwise.
typedef struct compare_difference {
    bool found;
    ploy_id agent;
    const char *here, *there; // NULL: no such decision
} compare_difference;

// The first decision of `one` that `other` has not, or has otherwise.
static compare_difference compare_find(const ploy_map *one, const ploy_map *other) {
    compare_difference difference = {false, {0, 0}, NULL, NULL};
    int32_t cursor = 0;
    uint64_t key = 0;
    void *value = NULL;
    while (ploy_map_next(one, &cursor, &key, &value)) {
        const ployi_inspect_choice *here = value, *there = ploy_map_get(other, key);
        if (there != NULL && there->value == here->value) continue;
        difference.found = true;
        difference.agent = here->agent;
        difference.here = here->text;
        difference.there = there != NULL ? there->text : NULL;
        return difference;
    }
    return difference;
}

static void compare_text(ploy_json_writer *json, const char *key, const char *text) {
    ploy_json_write_key(json, key);
    if (text != NULL) {
        ploy_json_write_text(json, text);
    } else {
        ploy_json_write_null(json);
    }
}

static void compare_answer(ploy_inspector *inspector, ployi_inspect_session *session,
                           const ployi_inspect_session *partner, compare_difference difference) {
    ployi_inspect_client *client = ployi_inspect_session_arrive(inspector, session, PLOY_OK, NULL);
    if (client == NULL) return;
    ployi_inspect_request request = {
        inspector, client, NULL, ploy_json_none(), true, session->asker_request, session->asker_do};
    ployi_inspect_entry entry;
    ployi_inspect_answer_begin(&entry, &request);
    ploy_json_writer *json = &entry.json;
    ploy_json_write_key(json, "session");
    ploy_json_write_u64(json, session->number);
    ploy_json_write_key(json, "with");
    ploy_json_write_u64(json, partner->number);
    ploy_json_write_key(json, "tick");
    ploy_json_write_u64(json, ploy_recorder_tick(session->recorder));
    ploy_json_write_key(json, "state_tick");
    if (session->differ_tick != 0) {
        ploy_json_write_u64(json, session->differ_tick);
    } else {
        ploy_json_write_null(json);
    }
    ploy_json_write_key(json, "differs");
    if (difference.found) {
        ploy_json_write_begin_object(json);
        ploy_json_write_key(json, "agent");
        ployi_inspect_write_id(json, difference.agent);
        compare_text(json, "here", difference.here);
        compare_text(json, "there", difference.there);
        ploy_json_write_end_object(json);
    } else {
        ploy_json_write_null(json);
    }
    (void)ployi_inspect_answer_end(&entry, &request);
}

static void compare_fail(ploy_inspector *inspector, ployi_inspect_session *session,
                         ploy_result result) {
    (void)ployi_inspect_session_arrive(inspector, session, result,
                                       "one of the simulations stopped or was not reproducible");
}

// The hash of what the simulation itself describes: parameters are not part of it.
static uint64_t compare_hash(const ployi_inspect_session *session) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    session->type->describe(ploy_sim_state(ploy_recorder_sim(session->recorder)), &out);
    return ploy_hash_sink_result(&sink);
}

void ployi_inspect_compare_step(ploy_inspector *inspector, ployi_inspect_session *session,
                                ploy_budget *budget) {
    ployi_inspect_session *both[2] = {session,
                                      ployi_inspect_session_find(inspector, session->partner)};
    for (int32_t i = 0; i < 2 && !session->begun; i++) {
        ploy_result result = ployi_inspect_session_seek(both[i], session->from, budget);
        if (result == PLOY_IN_PROGRESS) return;
        if (result != PLOY_OK) {
            compare_fail(inspector, session, result);
            return;
        }
    }
    session->begun = true;
    compare_difference difference = {false, {0, 0}, NULL, NULL};
    while (!difference.found && ploy_recorder_tick(session->recorder) < session->target) {
        if (budget != NULL && !ploy_budget_spend(budget, 2)) return;
        for (int32_t i = 0; i < 2; i++) {
            if (ployi_inspect_session_advance(both[i])) continue;
            compare_fail(inspector, session, both[i]->failed);
            return;
        }
        if (session->differ_tick == 0 && compare_hash(both[0]) != compare_hash(both[1])) {
            session->differ_tick = ploy_recorder_tick(session->recorder);
        }
        const ploy_map *here = &both[0]->journal.choices, *there = &both[1]->journal.choices;
        difference = compare_find(here, there);
        if (difference.found) break;
        difference = compare_find(there, here);
        const char *swapped = difference.here;
        difference.here = difference.there;
        difference.there = swapped;
    }
    compare_answer(inspector, session, both[1], difference);
}

void ployi_drive_compare(const ployi_inspect_request *request) {
    ploy_inspector *inspector = request->inspector;
    ployi_inspect_session *session = ployi_inspect_request_still(request);
    if (session == NULL) return;
    uint64_t number = 0, from = 0;
    if (!ployi_drive_read_u64(request, "with", &number) ||
        !ployi_drive_read_u64(request, "from", &from)) {
        return;
    }
    ployi_inspect_session *partner =
        number <= UINT32_MAX ? ployi_inspect_session_find(inspector, (uint32_t)number) : NULL;
    if (partner == NULL || partner == session || partner->live) {
        ployi_inspect_answer_error(request, PLOY_ERR_NOT_FOUND,
                                   "with must be another session with a simulation", "with");
        return;
    }
    if (partner->type != session->type) {
        ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT,
                                   "only runs of the same simulation can be compared", "with");
        return;
    }
    if (partner->way != PLOYI_WAY_NONE) {
        ployi_inspect_answer_error(request, PLOY_ERR_STATE, "the other session is seeking", "with");
        return;
    }
    uint64_t here = ploy_recorder_end(session->recorder);
    uint64_t there = ploy_recorder_end(partner->recorder);
    uint64_t until = here > there ? here : there;
    if (!ployi_drive_read_u64(request, "until", &until)) return;
    if (from > (here < there ? here : there) || until < from || until - from > COMPARE_TICKS_MAX) {
        ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT,
                                   "from must be recorded in both, and until not before it",
                                   "from");
        return;
    }
    ployi_inspect_journal_begin(inspector, session);
    ployi_inspect_journal_begin(inspector, partner);
    ployi_inspect_session_go(session, PLOYI_WAY_COMPARE, until, request, "compare");
    session->partner = partner->number;
    session->from = from;
    session->begun = false;
    session->differ_tick = 0;
    partner->playing = false;
    partner->owed = 0;
    partner->way = PLOYI_WAY_PARTNER;
    partner->partner = session->number;
    partner->target = until;
    partner->changed++;
}

#undef COMPARE_TICKS_MAX
