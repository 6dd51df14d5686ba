// What the engine reports: how each behavior does, the loads of the last ticks, its description.
#include <string.h>

#include "exec/engine_internal.h"

#include "exec/exec_internal.h"

const char *ployi_engine_turn_text(ploy_engine_turn turn) {
    switch (turn) {
    case PLOY_ENGINE_TURN_NEW: return "new";
    case PLOY_ENGINE_TURN_RAN: return "ran";
    case PLOY_ENGINE_TURN_NOT_DUE: return "not due";
    case PLOY_ENGINE_TURN_WAITS: return "waits";
    case PLOY_ENGINE_TURN_PAUSED: return "paused";
    case PLOY_ENGINE_TURN_DONE: return "done";
    case PLOY_ENGINE_TURN_FAILED: return "failed";
    }
    return "?";
}

// Why a behavior ran or did not in the last step, or in the one under way.
ploy_engine_turn ployi_engine_turn(const ploy_engine *engine, int32_t index) {
    const ployi_engine_slot *slot = &engine->slots[index];
    uint64_t step = engine->phase == PLOYI_ENGINE_IDLE ? engine->tick - 1 : engine->tick;
    if (slot->state == PLOYI_ENGINE_FAILED) return PLOY_ENGINE_TURN_FAILED;
    if (slot->state == PLOYI_ENGINE_DONE) return PLOY_ENGINE_TURN_DONE;
    if (slot->stepped && slot->last_tick == step) return PLOY_ENGINE_TURN_RAN;
    if (slot->state == PLOYI_ENGINE_NEW) return PLOY_ENGINE_TURN_NEW;
    if (slot->paused) return PLOY_ENGINE_TURN_PAUSED;
    bool put_off = engine->scheduler->items[index].put_off;
    return put_off ? PLOY_ENGINE_TURN_WAITS : PLOY_ENGINE_TURN_NOT_DUE;
}

uint64_t ploy_engine_tick(const ploy_engine *engine) {
    return engine->tick;
}

double ploy_engine_now(const ploy_engine *engine) {
    return engine->now;
}

ploy_result ploy_engine_get(const ploy_engine *engine, ploy_engine_id id, ploy_engine_info *out) {
    if (engine == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    const ployi_engine_slot *slot = ployi_engine_find(engine, id);
    if (slot == NULL) return PLOY_ERR_NOT_FOUND;
    memset(out, 0, sizeof *out);
    out->behavior = slot->behavior;
    out->agent = slot->agent;
    out->turn = ployi_engine_turn(engine, (int32_t)id.id.index);
    out->status = slot->status;
    out->result = slot->result;
    return ploy_scheduler_service(engine->scheduler, (int32_t)id.id.index, &out->service);
}

int32_t ploy_engine_count(const ploy_engine *engine) {
    return engine->count;
}

ploy_engine_id ployi_engine_next(const ploy_engine *engine, uint32_t index) {
    ploy_engine_id id = {ploy_id_none()};
    for (; index < (uint32_t)engine->capacity; index++) {
        const ployi_engine_slot *slot = &engine->slots[index];
        if (slot->state == PLOYI_ENGINE_FREE || slot->removed) continue;
        id.id = ploy_id_make(index, slot->generation);
        break;
    }
    return id;
}

ploy_result ploy_engine_failure(const ploy_engine *engine, ploy_engine_id *out) {
    for (int32_t i = 0; engine != NULL && i < engine->capacity; i++) {
        const ployi_engine_slot *slot = &engine->slots[i];
        if (slot->state != PLOYI_ENGINE_FAILED) continue;
        if (out != NULL) out->id = ploy_id_make((uint32_t)i, slot->generation);
        return slot->result;
    }
    return PLOY_OK;
}

int64_t ployi_engine_lost_messages(const ploy_engine *engine) {
    return engine->lost_messages;
}

void ploy_engine_draw(const ploy_engine *engine, ploy_draw *out) {
    if (engine == NULL || out == NULL) return;
    for (int32_t i = 0; i < engine->capacity; i++) {
        const ployi_engine_slot *slot = &engine->slots[i];
        if (slot->state == PLOYI_ENGINE_ACTIVE) ploy_behavior_draw(slot->behavior, out);
    }
}

ploy_result ploy_engine_workload(const ploy_engine *engine, int32_t ago, ploy_workload *out) {
    if (engine == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    if (ago < 0 || ago >= engine->def.history || (uint64_t)ago >= engine->tick) {
        return PLOY_ERR_NOT_FOUND;
    }
    uint64_t tick = engine->tick - 1 - (uint64_t)ago;
    *out = engine->loads[tick % (uint64_t)engine->def.history];
    return PLOY_OK;
}

const ploy_scheduler *ploy_engine_scheduler(const ploy_engine *engine) {
    return engine != NULL ? engine->scheduler : NULL;
}

// Names come from the game, and a comma in one would shift a column.
static void engine_write_name(ploy_writer *writer, const char *name) {
    ploy_write_char(writer, '"');
    for (; name != NULL && *name != 0; name++) {
        if (*name == '"') ploy_write_char(writer, '"');
        ploy_write_char(writer, *name);
    }
    ploy_write_char(writer, '"');
}

static void engine_write_number(ploy_writer *writer, int64_t value) {
    ploy_write_char(writer, ',');
    ploy_write_i64(writer, value);
}

static void engine_write_id(ploy_writer *writer, ploy_id id) {
    char text[48];
    ploy_value value = ploy_value_id(id);
    ploy_value_print(&value, text, sizeof text);
    ploy_write_text(writer, text);
}

void ploy_engine_write_services(const ploy_engine *engine, ploy_writer *writer) {
    if (engine == NULL || writer == NULL) return;
    ploy_write_text(writer, "id,agent,behavior,turn,period,phase,priority,turns,waits,overruns,"
                            "spent,most_spent,worst_interval,mean,share\n");
    for (int32_t i = 0; i < engine->capacity; i++) {
        const ployi_engine_slot *slot = &engine->slots[i];
        if (slot->state == PLOYI_ENGINE_FREE) continue;
        ploy_service service;
        const ploy_schedule *schedule = &engine->scheduler->items[i].schedule;
        if (ploy_scheduler_service(engine->scheduler, i, &service) != PLOY_OK) continue;
        engine_write_id(writer, ploy_id_make((uint32_t)i, slot->generation));
        ploy_write_char(writer, ',');
        engine_write_id(writer, slot->agent.id);
        ploy_write_char(writer, ',');
        engine_write_name(writer, slot->behavior.type->name);
        ploy_write_char(writer, ',');
        ploy_write_text(writer, ployi_engine_turn_text(ployi_engine_turn(engine, i)));
        engine_write_number(writer, schedule->period);
        engine_write_number(writer, schedule->phase);
        engine_write_number(writer, schedule->priority);
        engine_write_number(writer, service.turns);
        engine_write_number(writer, service.waits);
        engine_write_number(writer, service.overruns);
        engine_write_number(writer, service.spent);
        engine_write_number(writer, service.most_spent);
        engine_write_number(writer, (int64_t)service.worst_interval);
        ploy_write_char(writer, ',');
        ploy_write_f64(writer, service.mean);
        ploy_write_char(writer, ',');
        ploy_write_f64(writer, service.share);
        ploy_write_char(writer, '\n');
    }
}

void ploy_engine_write_workloads(const ploy_engine *engine, ploy_writer *writer) {
    if (engine == NULL || writer == NULL) return;
    ploy_write_text(writer, "tick,units,allowed,spent,due,ran,put_off,dearest,dearest_agent,"
                            "dearest_units\n");
    ploy_workload load;
    for (int32_t ago = engine->def.history - 1; ago >= 0; ago--) {
        if (ploy_engine_workload(engine, ago, &load) != PLOY_OK) continue;
        ploy_write_u64(writer, load.tick);
        engine_write_number(writer, load.units);
        engine_write_number(writer, load.allowed);
        engine_write_number(writer, load.spent);
        engine_write_number(writer, load.due);
        engine_write_number(writer, load.ran);
        engine_write_number(writer, load.put_off);
        ploy_write_char(writer, ',');
        engine_write_name(writer, load.top_count > 0 ? load.top[0].name : "");
        ploy_write_char(writer, ',');
        engine_write_id(writer, load.top[0].agent.id);
        engine_write_number(writer, load.top[0].units);
        ploy_write_char(writer, '\n');
    }
}
