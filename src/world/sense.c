// Modalities, signals, sensors and percepts; see the header.
//
// Invariants of the table:
//   (1) one block: the struct, count modalities, then their names;
//   (2) every modality passed its field table and has a name unlike the others'.
#include "ploy/world/sense.h"

#include "world/world_internal.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "ploy/base/math.h"

static const char *const sense_kind_names[] = {"sight", "sound", "smell", "touch", "other"};

static const ploy_field sense_modality_fields[] = {
    PLOY_FIELD_ENUM(ploy_modality, kind, PLOY_SENSE_OTHER, sense_kind_names, "how it spreads"),
    PLOY_FIELD_F32(ploy_modality, attenuation, 1, 0, 1, "", "factor for each metre"),
    PLOY_FIELD_F32(ploy_modality, max_range, 100, 0, 1e6f, "m", "sensors farther away are ignored"),
    PLOY_FIELD_F32(ploy_modality, inverse_speed, 0, 0, 1e4f, "s/m", "time for each metre"),
    PLOY_FIELD_F32(ploy_modality, min_intensity, 0, 0, 1e9f, "", "weaker signals are dropped"),
    PLOY_FIELD_F32(ploy_modality, check_gain, 1, 0, 1e6f, "",
                   "most by which the check raises an intensity"),
    PLOY_FIELD_F32(ploy_modality, wind, 0, 0, 100, "s/m", "how much wind shortens distances"),
    PLOY_FIELD_F32(ploy_modality, linger, 0, 0, 1e6f, "s", "how long it stays where it was made"),
    PLOY_FIELD_F32(ploy_modality, dissipation, 0, 0, 1, "1/s", "share lost while it lingers"),
};

struct ploy_modalities {
    ploy_env env;
    size_t size; // bytes of the block
    int32_t count;
    ploy_name names[PLOY_MODALITIES_MAX];
    ploy_modality items[];
};

const char *ployi_sense_kind_text(ploy_sense_kind kind) {
    if ((int32_t)kind < 0 || kind >= PLOY_SENSE_KINDS) return "?";
    return sense_kind_names[kind];
}

const char *ployi_sense_reason_text(ploy_sense_reason reason) {
    switch (reason) {
    case PLOY_SENSE_SENSED: return "sensed";
    case PLOY_SENSE_PENDING: return "on its way";
    case PLOY_SENSE_NOT_MEANT: return "does not detect it";
    case PLOY_SENSE_OWN: return "its own";
    case PLOY_SENSE_NO_POSE: return "has no place";
    case PLOY_SENSE_FILTERED: return "another room";
    case PLOY_SENSE_TOO_FAR: return "too far";
    case PLOY_SENSE_TOO_WEAK: return "too weak";
    case PLOY_SENSE_CHECKED: return "refused by the check";
    case PLOY_SENSE_NO_ROUTE: return "no route leads there";
    case PLOY_SENSE_GONE: return "gone before it arrived";
    case PLOY_SENSE_DROPPED: return "no room in the queue";
    case PLOY_SENSE_REASON_COUNT: break;
    }
    return "?";
}

// ---- signals

ploy_signal ploy_signal_make(int32_t modality, float strength, ploy_vec3 position,
                             ploy_name cause) {
    ploy_signal signal;
    memset(&signal, 0, sizeof signal);
    signal.modality = modality;
    signal.strength = strength;
    signal.position = position;
    signal.cause = cause;
    return signal;
}

ploy_result ployi_signal_set_payload(ploy_signal *signal, const void *bytes, size_t size) {
    if (size > PLOY_SIGNAL_PAYLOAD) return PLOY_ERR_CAPACITY;
    if (size > 0) memcpy(signal->payload, bytes, size);
    memset(signal->payload + size, 0, PLOY_SIGNAL_PAYLOAD - size);
    signal->size = (uint32_t)size;
    return PLOY_OK;
}

// What describing hands to a visitor that needs more than the object.
typedef struct sense_named {
    const char *name;
    ploy_mark mark;
    const void *object;
} sense_named;

void ploy_visit_signal(ploy_visit *v, const char *name, ploy_mark mark, ploy_signal *signal) {
    ploy_visit_struct(v, "signal", signal, sizeof *signal);
    ploy_visit_begin(v, name, PLOY_STATE);
    ploy_visit_i32_in(v, "modality", mark, &signal->modality, 0, PLOY_MODALITIES_MAX - 1);
    ploy_visit_f32_in(v, "strength", mark, &signal->strength, 0.0f, FLT_MAX);
    ploy_visit_vec3(v, "position", mark, &signal->position.x, &signal->position.y,
                    &signal->position.z);
    ploy_visit_id(v, "source", mark, &signal->source.id);
    ploy_visit_name(v, "cause", mark, &signal->cause);
    ploy_visit_f64(v, "emitted", mark, &signal->emitted);
    ploy_visit_u64(v, "order", mark, &signal->order);
    ploy_visit_u32(v, "room", mark, &signal->room);
    ploy_visit_u32_in(v, "size", mark, &signal->size, 0, PLOY_SIGNAL_PAYLOAD);
    if (v->describe != NULL) {
        // Put together by hand, so that every machine gives the same numbers.
        uint64_t words[2] = {0, 0};
        for (int32_t i = 0; i < PLOY_SIGNAL_PAYLOAD; i++) {
            words[i / 8] |= (uint64_t)signal->payload[i] << (i % 8 * 8);
        }
        if (signal->size > 0) ploy_describe_u64(v->describe, "payload", mark, words[0]);
        if (signal->size > 8) ploy_describe_u64(v->describe, "payload end", mark, words[1]);
    }
    ploy_visit_bytes(v, "payload", PLOY_SAVED, signal->payload, sizeof signal->payload);
    ploy_visit_end(v);
}

static void sense_visit_signal(ploy_visit *v, void *object) {
    const sense_named *named = object;
    ploy_visit_signal(v, named->name, named->mark, (ploy_signal *)(uintptr_t)named->object);
}

void ploy_signal_describe(const ploy_signal *signal, const char *name, ploy_mark mark,
                          ploy_describe *out) {
    sense_named named = {name, mark, signal};
    ploy_visit_describe(sense_visit_signal, &named, NULL, out);
}

// ---- sensors

static bool sense_index_ok(int32_t modality) {
    return modality >= 0 && modality < PLOY_MODALITIES_MAX;
}

ploy_sensor ploy_sensor_make(ploy_agent_id agent) {
    ploy_sensor sensor;
    memset(&sensor, 0, sizeof sensor);
    sensor.agent = agent;
    return sensor;
}

ploy_result ploy_sensor_set(ploy_sensor *sensor, int32_t modality, float threshold) {
    if (!sense_index_ok(modality) || !ploy_is_finite(threshold) || threshold < 0.0f) {
        return PLOY_ERR_ARGUMENT;
    }
    sensor->channels[modality].threshold = threshold;
    sensor->detects |= 1u << modality;
    return PLOY_OK;
}

void ploy_sensor_clear(ploy_sensor *sensor, int32_t modality) {
    if (sense_index_ok(modality)) sensor->detects &= ~(1u << modality);
}

bool ployi_sensor_detects(const ploy_sensor *sensor, int32_t modality) {
    return sense_index_ok(modality) && (sensor->detects >> modality & 1u) != 0;
}

ploy_result ployi_sensor_dull(ploy_sensor *sensor, int32_t modality, float factor, double until) {
    if (!sense_index_ok(modality) || !ploy_in_range(factor, 0.0f, 1.0f) ||
        !ploy_is_finite_d(until)) {
        return PLOY_ERR_ARGUMENT;
    }
    sensor->channels[modality].dulled = factor;
    sensor->channels[modality].dull_until = until;
    return PLOY_OK;
}

float ployi_sensor_gain(const ploy_sensor *sensor, int32_t modality, double now) {
    if (!sense_index_ok(modality)) return 0.0f;
    const ploy_sensor_channel *channel = &sensor->channels[modality];
    // A fresh sensor has 0 in both numbers: dulled until the clock's zero, which a clock that
    // starts below zero must not take for deafness.
    if (channel->dull_until == 0.0 && channel->dulled == 0.0f) return 1.0f;
    return now < channel->dull_until ? channel->dulled : 1.0f;
}

void ploy_visit_sensor(ploy_visit *v, const char *name, ploy_mark mark, ploy_sensor *sensor) {
    ploy_visit_struct(v, "sensor", sensor, sizeof *sensor);
    ploy_visit_begin_agent(v, name, PLOY_STATE, sensor->agent);
    ploy_visit_id(v, "agent", mark, &sensor->agent.id);
    ploy_visit_u32(v, "detects", mark, &sensor->detects);
    ploy_visit_u32(v, "room", mark, &sensor->room);
    int32_t count = ploy_visit_fixed(v, "channels", PLOY_SAVED, PLOY_MODALITIES_MAX);
    for (int32_t i = 0; i < count; i++) {
        ploy_sensor_channel *channel = &sensor->channels[i];
        bool dull = channel->dull_until != 0.0 || channel->dulled != 0.0f;
        if (v->describe != NULL && !ployi_sensor_detects(sensor, i) && !dull) continue;
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_f32_in(v, "threshold", mark, &channel->threshold, 0.0f, 3.4e38f);
        ploy_visit_f32_in(v, "dulled", mark, &channel->dulled, 0.0f, 1.0f);
        ploy_visit_f64(v, "dull until", mark, &channel->dull_until);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_end(v);
}

static void sense_visit_sensor(ploy_visit *v, void *object) {
    const sense_named *named = object;
    ploy_visit_sensor(v, named->name, named->mark, (ploy_sensor *)(uintptr_t)named->object);
}

void ploy_sensor_describe(const ploy_sensor *sensor, const char *name, ploy_mark mark,
                          ploy_describe *out) {
    sense_named named = {name, mark, sensor};
    ploy_visit_describe(sense_visit_sensor, &named, NULL, out);
}

// ---- modalities

ploy_modality ploy_modality_default(void) {
    ploy_modality modality;
    ploy_fields_default(ploy_modality_fields(), &modality);
    return modality;
}

ploy_fields ploy_modality_fields(void) {
    return PLOY_FIELDS(ploy_modality, sense_modality_fields);
}

ploy_modality ploy_modality_of(ploy_sense_kind kind) {
    ploy_modality modality = ploy_modality_default();
    modality.kind = kind;
    modality.name = ployi_sense_kind_text(kind);
    if (kind == PLOY_SENSE_SOUND) {
        modality.attenuation = 0.95f;
        modality.max_range = 60.0f;
        modality.inverse_speed = 1.0f / 345.0f;
    } else if (kind == PLOY_SENSE_SMELL) {
        modality.attenuation = 0.8f;
        modality.max_range = 10.0f;
        modality.inverse_speed = 1.0f;
        modality.wind = 0.5f;
        modality.linger = 20.0f;
        modality.dissipation = 0.1f;
    } else if (kind == PLOY_SENSE_TOUCH) {
        modality.max_range = 0.25f;
    }
    return modality;
}

float ployi_modality_intensity(const ploy_modality *modality, float strength, float distance) {
    // No call for the many senses that do not weaken.
    if (modality->attenuation == 1.0f) return strength;
    return strength * ploy_powf(modality->attenuation, distance);
}

float ployi_modality_reach(const ploy_modality *modality, float strength, float threshold) {
    float least = ploy_maxf(threshold, modality->min_intensity);
    if (!(strength >= least)) return -1.0f;
    float a = modality->attenuation;
    if (a == 1.0f || least == 0.0f) return modality->max_range;
    if (a == 0.0f) return 0.0f;
    float reach = (float)(ploy_log((double)least / (double)strength) / ploy_log((double)a));
    return ploy_minf(reach, modality->max_range);
}

float ploy_modality_distance(const ploy_modality *modality, ploy_vec3 from, ploy_vec3 to,
                             ploy_vec3 wind) {
    ploy_vec3 offset = ploy_vec3_sub(to, from);
    float distance = ploy_vec3_length(offset);
    if (modality->wind == 0.0f || distance == 0.0f) return distance;
    float along = ploy_vec3_dot(wind, offset) / distance;
    return distance / ploy_clampf(1.0f + modality->wind * along, 0.1f, 10.0f);
}

static ploy_result sense_modality_refuse(const ploy_env *env, int32_t index, const char *why,
                                         ploy_result result) {
    char text[96];
    snprintf(text, sizeof text, "modality %d: %s", (int)index, why);
    ploy_env_log(env, PLOY_SEVERITY_ERROR, text);
    return result;
}

ploy_result ploy_modalities_create(const ploy_modality *items, int32_t count, const ploy_env *env,
                                   ploy_modalities **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    if (items == NULL || count < 1 || count > PLOY_MODALITIES_MAX) return PLOY_ERR_ARGUMENT;
    size_t texts = sizeof(ploy_modalities) + (size_t)count * sizeof(ploy_modality);
    size_t size = texts;
    for (int32_t i = 0; i < count; i++) {
        if (ploy_fields_check(ploy_modality_fields(), &items[i], env) != PLOY_OK) {
            return sense_modality_refuse(env, i, "out of range", PLOY_ERR_ARGUMENT);
        }
        if (items[i].name == NULL || items[i].name[0] == '\0') {
            return sense_modality_refuse(env, i, "has no name", PLOY_ERR_ARGUMENT);
        }
        for (int32_t j = 0; j < i; j++) {
            if (!ploy_name_equal(ploy_name_of(items[i].name), ploy_name_of(items[j].name))) {
                continue;
            }
            return sense_modality_refuse(env, i, "has a duplicate name", PLOY_ERR_EXISTS);
        }
        size_t length = strlen(items[i].name) + 1;
        if (length > SIZE_MAX / 2 - size) return PLOY_ERR_ARGUMENT;
        size += length;
    }
    ploy_modalities *modalities = ploy_env_alloc_zero(env, size);
    if (modalities == NULL) return PLOY_ERR_MEMORY;
    modalities->env = *env;
    modalities->size = size;
    modalities->count = count;
    char *text = (char *)modalities + texts;
    for (int32_t i = 0; i < count; i++) {
        size_t length = strlen(items[i].name) + 1;
        modalities->items[i] = items[i];
        modalities->items[i].name = memcpy(text, items[i].name, length);
        modalities->names[i] = ploy_name_of(text);
        text += length;
    }
    *out = modalities;
    return PLOY_OK;
}

void ploy_modalities_destroy(ploy_modalities *modalities) {
    if (modalities == NULL) return;
    ploy_env env = modalities->env;
    ploy_env_free(&env, modalities, modalities->size);
}

int32_t ployi_modalities_count(const ploy_modalities *modalities) {
    return modalities->count;
}

const ploy_modality *ploy_modalities_get(const ploy_modalities *modalities, int32_t index) {
    if (index < 0 || index >= modalities->count) return NULL;
    return &modalities->items[index];
}

int32_t ploy_modalities_find(const ploy_modalities *modalities, const char *name) {
    ploy_name wanted = ploy_name_of(name);
    for (int32_t i = 0; i < modalities->count; i++) {
        if (ploy_name_equal(modalities->names[i], wanted)) return i;
    }
    return -1;
}

void ploy_modalities_describe(const ploy_modalities *modalities, ploy_describe *out) {
    for (int32_t i = 0; i < modalities->count; i++) {
        ploy_describe_begin(out, modalities->items[i].name);
        ploy_fields_describe(ploy_modality_fields(), &modalities->items[i], PLOY_STATE, out);
        ploy_describe_bool(out, "has a check", PLOY_NOTE, modalities->items[i].check != NULL);
        ploy_describe_end(out);
    }
}

void ploy_modalities_memory(const ploy_modalities *modalities, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"modalities", modalities->size, 1};
    fn(user, &item);
}

ploy_result ployi_modalities_check_signal(const ploy_modalities *modalities,
                                          const ploy_signal *signal) {
    if (signal == NULL || ploy_modalities_get(modalities, signal->modality) == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    bool ok = ploy_is_finite(signal->strength) && signal->strength >= 0.0f &&
              ploy_vec3_is_finite(signal->position) && signal->size <= PLOY_SIGNAL_PAYLOAD;
    return ok ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

ploy_result ployi_modalities_check_sensor(const ploy_modalities *modalities,
                                          const ploy_sensor *sensor) {
    if (sensor == NULL || ploy_id_is_none(sensor->agent.id)) return PLOY_ERR_ARGUMENT;
    if (((uint64_t)sensor->detects >> modalities->count) != 0) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < PLOY_MODALITIES_MAX; i++) {
        const ploy_sensor_channel *channel = &sensor->channels[i];
        if (!ploy_in_range(channel->threshold, 0.0f, 3.4e38f) ||
            !ploy_in_range(channel->dulled, 0.0f, 1.0f) || !ploy_is_finite_d(channel->dull_until)) {
            return PLOY_ERR_ARGUMENT;
        }
    }
    return PLOY_OK;
}

ploy_sense_reason ploy_modalities_test(const ploy_modalities *modalities, ploy_sense_test *test) {
    if (test->signal == NULL || test->sensor == NULL) return PLOY_SENSE_NOT_MEANT;
    int32_t index = test->signal->modality;
    const ploy_modality *modality = ploy_modalities_get(modalities, index);
    test->detail = 0;
    if (modality == NULL || !ployi_sensor_detects(test->sensor, index)) return PLOY_SENSE_NOT_MEANT;
    if (ploy_id_equal(test->signal->source.id, test->sensor->agent.id)) return PLOY_SENSE_OWN;
    if (!(test->distance <= modality->max_range)) return PLOY_SENSE_TOO_FAR;
    float gain = ployi_sensor_gain(test->sensor, index, test->now);
    float least = ploy_maxf(test->sensor->channels[index].threshold, modality->min_intensity);
    float best = modality->check != NULL ? ploy_maxf(modality->check_gain, 1.0f) : 1.0f;
    if (!(test->intensity * gain * best >= least)) return PLOY_SENSE_TOO_WEAK;
    if (modality->check != NULL) {
        if (!modality->check(modality->check_user, test)) return PLOY_SENSE_CHECKED;
        if (!ploy_is_finite(test->intensity)) return PLOY_SENSE_CHECKED;
    }
    test->intensity *= gain;
    // A deaf sensor without a threshold senses nothing either.
    if (gain == 0.0f || !(test->intensity >= least)) return PLOY_SENSE_TOO_WEAK;
    return PLOY_SENSE_SENSED;
}

// ---- percepts

const char *ployi_sense_method_text(ploy_sense_method method) {
    switch (method) {
    case PLOY_SENSE_DIRECT: return "direct";
    case PLOY_SENSE_CONNECTION: return "connection";
    case PLOY_SENSE_LINGERING: return "lingering";
    }
    return "?";
}

static const char *sense_method_text(int32_t method) {
    return ployi_sense_method_text((ploy_sense_method)method);
}

void ploy_visit_percept(ploy_visit *v, const char *name, ploy_mark mark, ploy_percept *percept) {
    ploy_visit_struct(v, "percept", percept, sizeof *percept);
    ploy_visit_begin_agent(v, name, PLOY_STATE, percept->sensor);
    ploy_visit_id(v, "sensor", mark, &percept->sensor.id);
    ploy_visit_f32(v, "intensity", mark, &percept->intensity);
    ploy_visit_f32(v, "distance", mark, &percept->distance);
    ploy_visit_f64(v, "time", mark, &percept->time);
    ploy_visit_vec3(v, "from", mark, &percept->from.x, &percept->from.y, &percept->from.z);
    PLOY_VISIT_ENUM(v, "way", mark, percept->method, sense_method_text, PLOY_SENSE_LINGERING + 1);
    ploy_visit_i32(v, "through", mark, &percept->through);
    ploy_visit_i32(v, "detail", mark, &percept->detail);
    ploy_visit_signal(v, "signal", mark, &percept->signal);
    ploy_visit_end(v);
}

static void sense_visit_percept(ploy_visit *v, void *object) {
    const sense_named *named = object;
    ploy_visit_percept(v, named->name, named->mark, (ploy_percept *)(uintptr_t)named->object);
}

void ploy_percept_describe(const ploy_percept *percept, const char *name, ploy_mark mark,
                           ploy_describe *out) {
    sense_named named = {name, mark, percept};
    ploy_visit_describe(sense_visit_percept, &named, NULL, out);
}

ploy_message ploy_percept_message(const ploy_percept *percept, const ploy_modalities *modalities) {
    const ploy_modality *modality = ploy_modalities_get(modalities, percept->signal.modality);
    ploy_name kind = percept->signal.cause;
    if (ploy_name_is_none(kind) && modality != NULL) kind = ploy_name_of(modality->name);
    ploy_message message = ploy_message_make(percept->signal.source, percept->sensor, kind);
    message.due = percept->time;
    ploy_percept_note note;
    memset(&note, 0, sizeof note);
    note.modality = percept->signal.modality;
    note.intensity = percept->intensity;
    note.position = percept->from;
    memcpy(note.payload, percept->signal.payload, PLOY_SIGNAL_PAYLOAD);
    ploy_result result = ploy_message_set_payload(&message, &note, sizeof note);
    PLOY_ASSERT(result == PLOY_OK); // a note is as large as a message's payload
    (void)result;
    return message;
}

bool ployi_percept_note_get(const ploy_message *message, ploy_percept_note *out) {
    if (message == NULL || message->size != sizeof *out) return false;
    memcpy(out, message->payload, sizeof *out);
    return true;
}
