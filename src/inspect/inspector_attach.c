// What a running game shows of itself: a live program's view, or the recorder that it runs in.
//
// A recorder that is attached is stepped by the game. The inspector looks at it between two steps
// and takes over what it finds: tick, parameters and marks. While a client has paused it or goes
// through its past, ploy_inspector_holds asks the game to leave it alone; then the inspector
// drives it as it drives its own simulations.
#include "inspect/inspector_internal.h"

#include <string.h>

ploy_result ploy_inspector_add_source(ploy_inspector *inspector,
                                      const ploy_inspect_source *source) {
    if (inspector == NULL || source == NULL || source->name == NULL) return PLOY_ERR_ARGUMENT;
    if (source->command_count < 0) return PLOY_ERR_ARGUMENT;
    if (source->command_count > 0 && (source->commands == NULL || source->command == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < source->command_count; i++) {
        if (source->commands[i].name == NULL) return PLOY_ERR_ARGUMENT;
    }
    if (source->fields.items != NULL) {
        ploy_result result = ploy_fields_check(source->fields, source->params, &inspector->env);
        if (result != PLOY_OK) return result;
    }
    for (int32_t i = 0; i < inspector->def.max_sources; i++) {
        ployi_inspect_session *session = &inspector->sessions[i];
        if (session->number != 0) continue;
        memset(session, 0, sizeof *session);
        session->live = true;
        session->source = *source;
        if (source->fields.items == NULL) session->source.params = NULL;
        session->speed = 1;
        session->moved = session->changed = session->params_changed = 1;
        session->number = ++inspector->last_session;
        ployi_inspect_sessions_changed(inspector);
        return PLOY_OK;
    }
    return PLOY_ERR_CAPACITY;
}

static ployi_inspect_session *attach_find(const ploy_inspector *inspector,
                                          const ploy_recorder *recorder) {
    for (int32_t i = 0; recorder != NULL && i < inspector->def.max_sources; i++) {
        ployi_inspect_session *session = &inspector->sessions[i];
        if (session->number != 0 && session->attached && session->recorder == recorder) {
            return session;
        }
    }
    return NULL;
}

ploy_result ploy_inspector_add_recorder(ploy_inspector *inspector, ploy_recorder *recorder) {
    if (inspector == NULL || recorder == NULL) return PLOY_ERR_ARGUMENT;
    if (attach_find(inspector, recorder) != NULL) return PLOY_ERR_EXISTS;
    for (int32_t i = 0; i < inspector->def.max_sources; i++) {
        ployi_inspect_session *session = &inspector->sessions[i];
        if (session->number != 0) continue;
        ploy_result result = ployi_inspect_session_take(inspector, session, recorder);
        if (result != PLOY_OK) {
            memset(session, 0, sizeof *session); // the recorder is the caller's
            return result;
        }
        session->attached = true;
        session->playing = true;
        session->known_tick = ploy_recorder_tick(recorder);
        return PLOY_OK;
    }
    return PLOY_ERR_CAPACITY;
}

bool ploy_inspector_holds(const ploy_inspector *inspector, const ploy_recorder *recorder) {
    if (inspector == NULL) return false;
    const ployi_inspect_session *session = attach_find(inspector, recorder);
    if (session == NULL) return false;
    return session->way != PLOYI_WAY_NONE || (session->watchers > 0 && !session->playing);
}

void ployi_inspect_attached_sync(ploy_inspector *inspector) {
    for (int32_t i = 0; i < inspector->def.max_sources; i++) {
        ployi_inspect_session *session = &inspector->sessions[i];
        if (session->number == 0 || !session->attached) continue;
        uint64_t tick = ploy_recorder_tick(session->recorder);
        // Inputs that the game queued change what the next tick takes over.
        ployi_inspect_session_refresh(session);
        if (tick == session->known_tick) continue;
        session->known_tick = tick;
        session->moved++;
        session->changed++;
        session->failed = PLOY_OK;
        ployi_inspect_journal_after(session);
        ployi_inspect_journal_before(session);
    }
}
