// Sessions, fields, parameters, commands, states: what stands in the inspector's messages.
#include "inspect/inspector_internal.h"

#include <string.h>

#include "ploy/base/number.h"

static void objects_key_text(ploy_json_writer *json, const char *key, const char *text) {
    ploy_json_write_key(json, key);
    ploy_json_write_text(json, text);
}

static void objects_key_u64(ploy_json_writer *json, const char *key, uint64_t value) {
    ploy_json_write_key(json, key);
    ploy_json_write_u64(json, value);
}

static void objects_key_bool(ploy_json_writer *json, const char *key, bool value) {
    ploy_json_write_key(json, key);
    ploy_json_write_bool(json, value);
}

static void objects_floats(ploy_json_writer *json, const float *values, int32_t count) {
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; i < count; i++) ploy_json_write_f32(json, values[i]);
    ploy_json_write_end_array(json);
}

static void objects_capabilities(ploy_json_writer *json, const ploy_sim_type *type) {
    ploy_json_write_key(json, "capabilities");
    ploy_json_write_begin_array(json);
    if (type->capabilities & PLOY_SIM_PARALLEL) ploy_json_write_text(json, "parallel");
    if (type->capabilities & PLOY_SIM_SPATIAL) ploy_json_write_text(json, "spatial");
    if (type->capabilities & PLOY_SIM_INTERACTIVE) ploy_json_write_text(json, "interactive");
    if (type->capabilities & PLOY_SIM_RELOADS) ploy_json_write_text(json, "reloads");
    if (type->capabilities & PLOY_SIM_DIAGRAM) ploy_json_write_text(json, "diagram");
    if (type->capabilities & PLOY_SIM_ABOVE) ploy_json_write_text(json, "above");
    if (type->capabilities & PLOY_SIM_TACTICS) ploy_json_write_text(json, "tactics");
    ploy_json_write_end_array(json);
}

static const char *objects_name(const ployi_inspect_session *session) {
    return session->live ? session->source.name : session->type->name;
}

static const char *objects_title(const ployi_inspect_session *session) {
    if (!session->live) return session->type->title;
    return session->source.title != NULL ? session->source.title : session->source.name;
}

// What every list and every whole session begins with.
static void objects_session_head(ploy_json_writer *json, const ployi_inspect_session *session) {
    objects_key_u64(json, "session", session->number);
    objects_key_text(json, "kind", session->live ? "live" : "simulation");
    if (session->attached) objects_key_bool(json, "attached", true);
    objects_key_text(json, "name", objects_name(session));
    objects_key_text(json, "title", objects_title(session));
    ploy_json_write_key(json, "watchers");
    ploy_json_write_i64(json, session->watchers);
}

static void objects_time(ploy_json_writer *json, const ployi_inspect_session *session) {
    uint64_t tick = ploy_recorder_tick(session->recorder);
    objects_key_u64(json, "tick", tick);
    objects_key_u64(json, "end", ploy_recorder_end(session->recorder));
    ploy_json_write_key(json, "time");
    ploy_json_write_f64(json, (double)tick * (double)session->type->dt);
    objects_key_bool(json, "playing", session->playing);
    ploy_json_write_key(json, "speed");
    ploy_json_write_f64(json, session->speed);
    ploy_json_write_key(json, "seeking");
    if (session->way != PLOYI_WAY_NONE) {
        ploy_json_write_u64(json, session->target);
    } else {
        ploy_json_write_null(json);
    }
    ploy_json_write_key(json, "failed");
    if (session->failed != PLOY_OK) {
        ploy_json_write_begin_object(json);
        objects_key_text(json, "code", ployi_inspect_code(session->failed));
        objects_key_text(json, "message", ploy_result_text(session->failed));
        ploy_json_write_end_object(json);
    } else {
        ploy_json_write_null(json);
    }
}

static void objects_params(ploy_json_writer *json, const ployi_inspect_session *session) {
    ploy_fields fields = ployi_inspect_session_fields(session);
    const void *params = ployi_inspect_session_params(session);
    ploy_json_write_key(json, "params");
    ploy_json_write_begin_object(json);
    ployi_inspect_write_params(json, fields, params, NULL);
    ploy_json_write_end_object(json);
    if (session->live) return;
    ploy_json_write_key(json, "pending");
    ploy_json_write_begin_object(json);
    ployi_inspect_write_params(json, fields, session->next_params, params);
    ploy_json_write_end_object(json);
}

// ---- fields

typedef struct objects_each {
    ploy_json_writer *json;
    ploy_fields fields;
    const void *def;   // where values are read
    const void *other; // of those that must differ, or NULL
} objects_each;

// Values of i32 fields travel as 64 bits, but fit a JSON number.
static void objects_field_value(ploy_json_writer *json, const ploy_field *field,
                                const ploy_value *value) {
    if (field->type == PLOY_FIELD_TYPE_I32 && value->type == PLOY_VALUE_I64) {
        ploy_json_write_i64(json, value->as.i64);
    } else {
        ployi_inspect_write_value(json, value);
    }
}

static void objects_param(void *user, const char *path, const ploy_field *field, uint32_t offset) {
    (void)offset;
    objects_each *each = user;
    ploy_value value;
    if (ploy_fields_get(each->fields, each->def, path, &value) != PLOY_OK) return;
    if (each->other != NULL) {
        ploy_value before;
        if (ploy_fields_get(each->fields, each->other, path, &before) != PLOY_OK) return;
        if (ploy_value_equal(&value, &before)) return;
    }
    ploy_json_write_key(each->json, path);
    objects_field_value(each->json, field, &value);
}

static void objects_field(void *user, const char *path, const ploy_field *field, uint32_t offset) {
    (void)offset;
    objects_each *each = user;
    ploy_json_writer *json = each->json;
    ploy_json_write_begin_object(json);
    objects_key_text(json, "path", path);
    objects_key_text(json, "name", field->name);
    objects_key_text(json, "type", ploy_field_type_text(field->type));
    objects_key_text(json, "unit", field->unit);
    switch (field->type) {
    case PLOY_FIELD_TYPE_I32:
    case PLOY_FIELD_TYPE_F32:
    case PLOY_FIELD_TYPE_F64:
    case PLOY_FIELD_TYPE_VEC2:
    case PLOY_FIELD_TYPE_VEC3: {
        // A float's range is written as a float, so that 1e-3f does not grow digits.
        bool exact = field->type == PLOY_FIELD_TYPE_I32 || field->type == PLOY_FIELD_TYPE_F64;
        const double ends[2] = {field->min, field->max};
        for (int32_t i = 0; i < 2; i++) {
            ploy_json_write_key(json, i == 0 ? "min" : "max");
            if (exact) {
                ploy_json_write_f64(json, ends[i]);
            } else {
                ploy_json_write_f32(json, (float)ends[i]);
            }
        }
        break;
    }
    case PLOY_FIELD_TYPE_ENUM:
        ploy_json_write_key(json, "choices");
        ploy_json_write_begin_array(json);
        for (int32_t i = 0; i < field->choice_count; i++) {
            ploy_json_write_text(json, field->choices[i]);
        }
        ploy_json_write_end_array(json);
        break;
    case PLOY_FIELD_TYPE_BOOL:
    case PLOY_FIELD_TYPE_U64:
    case PLOY_FIELD_TYPE_DEF: break;
    }
    ploy_value value;
    if (ploy_fields_get(each->fields, each->def, path, &value) == PLOY_OK) {
        ploy_json_write_key(json, "default");
        objects_field_value(json, field, &value);
    }
    objects_key_text(json, "help", field->help);
    objects_key_bool(json, "live", field->live);
    ploy_json_write_end_object(json);
}

// ---- shared

const char *ployi_inspect_code(ploy_result result) {
    switch (result) {
    case PLOY_IN_PROGRESS: return "in_progress";
    case PLOY_OK: return "ok";
    case PLOY_ERR_ARGUMENT: return "argument";
    case PLOY_ERR_MEMORY: return "memory";
    case PLOY_ERR_FORMAT: return "format";
    case PLOY_ERR_VERSION: return "version";
    case PLOY_ERR_NOT_FOUND: return "not_found";
    case PLOY_ERR_EXISTS: return "exists";
    case PLOY_ERR_CAPACITY: return "capacity";
    case PLOY_ERR_STATE: return "state";
    case PLOY_ERR_LIMIT: return "limit";
    case PLOY_ERR_DENIED: return "denied";
    case PLOY_ERR_SYSTEM: return "system";
    case PLOY_ERR_CANCELLED: return "cancelled";
    case PLOY_ERR_UNSUPPORTED: return "unsupported";
    case PLOY_ERR_INTERRUPTED: return "interrupted";
    case PLOY_ERR_CALLBACK: return "callback";
    case PLOY_ERR_CHANGED: return "changed";
    }
    return "unknown";
}

void ployi_inspect_write_id(ploy_json_writer *json, ploy_id id) {
    if (ploy_id_is_none(id)) {
        ploy_json_write_null(json);
        return;
    }
    char text[2 * PLOY_PRINT_U64_SIZE];
    size_t size = ploy_print_u64(id.index, text);
    text[size++] = ':';
    size += ploy_print_u64(id.generation, text + size);
    ploy_json_write_text_bytes(json, text, size);
}

void ployi_inspect_write_hex(ploy_json_writer *json, uint64_t bits) {
    char text[PLOY_PRINT_HEX64_SIZE];
    ploy_json_write_text_bytes(json, text, ploy_print_hex64(bits, text));
}

void ployi_inspect_write_value(ploy_json_writer *json, const ploy_value *value) {
    char text[PLOY_PRINT_U64_SIZE];
    switch (value->type) {
    case PLOY_VALUE_NONE: ploy_json_write_null(json); break;
    case PLOY_VALUE_BOOL: ploy_json_write_bool(json, value->as.b); break;
    case PLOY_VALUE_I64:
        ploy_json_write_text_bytes(json, text, ploy_print_i64(value->as.i64, text));
        break;
    case PLOY_VALUE_U64:
        ploy_json_write_text_bytes(json, text, ploy_print_u64(value->as.u64, text));
        break;
    case PLOY_VALUE_F32: ploy_json_write_f32(json, value->as.f32); break;
    case PLOY_VALUE_F64: ploy_json_write_f64(json, value->as.f64); break;
    case PLOY_VALUE_VEC2: objects_floats(json, value->as.vec, 2); break;
    case PLOY_VALUE_VEC3: objects_floats(json, value->as.vec, 3); break;
    case PLOY_VALUE_VEC4: objects_floats(json, value->as.vec, 4); break;
    case PLOY_VALUE_ID: ployi_inspect_write_id(json, value->as.id); break;
    case PLOY_VALUE_NAME: ployi_inspect_write_hex(json, value->as.name.hash); break;
    case PLOY_VALUE_TEXT: ploy_json_write_text(json, value->as.text); break;
    }
}

void ployi_inspect_write_params(ploy_json_writer *json, ploy_fields fields, const void *params,
                                const void *other) {
    if (params == NULL || fields.items == NULL) return;
    objects_each each = {json, fields, params, other};
    ploy_fields_each(fields, objects_param, &each);
}

void ployi_inspect_write_fields(ploy_json_writer *json, const ploy_inspector *inspector,
                                ploy_fields fields) {
    ploy_json_write_begin_array(json);
    if (fields.items != NULL && fields.count > 0) {
        void *def = ploy_env_alloc(&inspector->env, fields.size);
        if (def != NULL) {
            ploy_fields_default(fields, def);
            objects_each each = {json, fields, def, NULL};
            ploy_fields_each(fields, objects_field, &each);
            ploy_env_free(&inspector->env, def, fields.size);
        } else if (json->writer->result == PLOY_OK) {
            json->writer->result = PLOY_ERR_MEMORY; // the message as a whole fails
        }
    }
    ploy_json_write_end_array(json);
}

void ployi_inspect_write_commands(ploy_json_writer *json, const ploy_command *commands,
                                  int32_t count) {
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; i < count; i++) {
        const ploy_command *command = &commands[i];
        ploy_json_write_begin_object(json);
        objects_key_text(json, "name", command->name);
        objects_key_text(json, "help", command->help);
        objects_key_text(json, "value", ploy_value_type_text(command->value));
        objects_key_bool(json, "needs_agent", command->needs_agent);
        ploy_json_write_key(json, "key");
        if (command->key != NULL) {
            ploy_json_write_text(json, command->key);
        } else {
            ploy_json_write_null(json);
        }
        ploy_json_write_end_object(json);
    }
    ploy_json_write_end_array(json);
}

void ployi_inspect_write_simulation(ploy_json_writer *json, const ploy_sim_type *type) {
    ploy_json_write_begin_object(json);
    objects_key_text(json, "name", type->name);
    objects_key_text(json, "title", type->title);
    objects_key_text(json, "help", type->help);
    ploy_json_write_key(json, "dt");
    ploy_json_write_f32(json, type->dt);
    ploy_json_write_key(json, "view");
    objects_floats(json, type->view, 4);
    objects_capabilities(json, type);
    objects_key_u64(json, "version", type->version);
    ploy_json_write_end_object(json);
}

void ployi_inspect_write_sessions(ploy_json_writer *json, const ploy_inspector *inspector) {
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; i < inspector->session_places; i++) {
        const ployi_inspect_session *session = &inspector->sessions[i];
        if (session->number == 0) continue;
        ploy_json_write_begin_object(json);
        objects_session_head(json, session);
        if (!session->live) {
            objects_key_u64(json, "tick", ploy_recorder_tick(session->recorder));
            objects_key_u64(json, "end", ploy_recorder_end(session->recorder));
            objects_key_bool(json, "playing", session->playing);
        }
        ploy_json_write_end_object(json);
    }
    ploy_json_write_end_array(json);
}

void ployi_inspect_write_session(ploy_json_writer *json, const ploy_inspector *inspector,
                                 ployi_inspect_session *session) {
    ploy_json_write_begin_object(json);
    objects_session_head(json, session);
    ploy_json_write_key(json, "view");
    objects_floats(json, session->live ? session->source.view : session->type->view, 4);
    ploy_json_write_key(json, "fields");
    ployi_inspect_write_fields(json, inspector, ployi_inspect_session_fields(session));
    objects_params(json, session);
    int32_t command_count = 0;
    const ploy_command *commands = ployi_inspect_session_commands(session, &command_count);
    ploy_json_write_key(json, "commands");
    ployi_inspect_write_commands(json, commands, command_count);
    ploy_json_write_key(json, "definitions");
    ployi_inspect_write_definitions(json, session);
    if (!session->live) {
        const ploy_sim_type *type = session->type;
        objects_key_text(json, "help", type->help);
        objects_capabilities(json, type);
        ploy_json_write_key(json, "dt");
        ploy_json_write_f32(json, type->dt);
        char seed[PLOY_PRINT_U64_SIZE];
        ploy_print_u64(ploy_sim_seed(ploy_recorder_sim(session->recorder)), seed);
        objects_key_text(json, "seed", seed);
        objects_time(json, session);
        ploy_json_write_key(json, "hash");
        ployi_inspect_write_hex(json, ployi_inspect_session_hash(session));
    }
    ploy_json_write_end_object(json);
}

// What thinking cost in the last tick, if the simulation tells.
static void objects_load(ploy_json_writer *json, const ployi_inspect_session *session) {
    ploy_workload load;
    if (ploy_sim_workload(ploy_recorder_sim(session->recorder), &load) != PLOY_OK) return;
    ploy_json_write_key(json, "load");
    ploy_json_write_begin_object(json);
    ploy_json_write_key(json, "units");
    if (load.units == PLOY_BUDGET_UNLIMITED) {
        ploy_json_write_null(json);
    } else {
        ploy_json_write_i64(json, load.units);
    }
    const struct {
        const char *name;
        int64_t value;
    } counts[] = {
        {"spent", load.spent}, {"due", load.due}, {"ran", load.ran}, {"put_off", load.put_off}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        ploy_json_write_key(json, counts[i].name);
        ploy_json_write_i64(json, counts[i].value);
    }
    ploy_json_write_key(json, "top");
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; i < load.top_count; i++) {
        ploy_json_write_begin_object(json);
        objects_key_text(json, "name", load.top[i].name);
        ploy_json_write_key(json, "agent");
        ployi_inspect_write_id(json, load.top[i].agent.id);
        ploy_json_write_key(json, "units");
        ploy_json_write_i64(json, load.top[i].units);
        ploy_json_write_end_object(json);
    }
    ploy_json_write_end_array(json);
    ploy_json_write_end_object(json);
}

void ployi_inspect_write_state(ploy_json_writer *json, ployi_inspect_session *session,
                               bool with_params) {
    objects_key_u64(json, "session", session->number);
    if (!session->live) {
        objects_time(json, session);
        ploy_json_write_key(json, "hash");
        ployi_inspect_write_hex(json, ployi_inspect_session_hash(session));
        objects_load(json, session);
    }
    if (with_params) objects_params(json, session);
}
