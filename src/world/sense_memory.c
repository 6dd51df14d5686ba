// Sensory memory; see the header.
//
// Invariants:
//   (1) records [0, count) are by rising id (index, then generation), each of another agent, no two
//       with the same index: a new generation is a new life and drives out the old record;
//   (2) visible implies shootable, and last_visible >= became_visible;
//   (3) unused bytes are zero, so that equal memories have equal bytes.
#include "ploy/world/sense_memory.h"

#include "world/world_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "ploy/base/math.h"

static const ploy_field sense_memory_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_sense_memory_def, capacity, 16, 1, 1 << 16, "",
                         "most others remembered"),
    PLOY_FIELD_F32(ploy_sense_memory_def, span, 5, 0, 1e6f, "s", "how long an agent is remembered"),
    PLOY_FIELD_F32(ploy_sense_memory_def, half_life, 0, 0, 1e6f, "s",
                   "in which certainty halves; 0: certain to the end"),
    PLOY_FIELD_BOOL(ploy_sense_memory_def, heard_position, false,
                    "a sound reveals its source even out of sight"),
};

struct ploy_sense_memory {
    ploy_env env;
    ploy_sense_memory_def def;
    size_t size;
    ploy_agent_id owner;
    int32_t count;
    ploy_sense_record records[];
};

ploy_sense_memory_def ploy_sense_memory_def_default(void) {
    ploy_sense_memory_def def;
    ploy_fields_default(ploy_sense_memory_fields(), &def);
    return def;
}

ploy_fields ploy_sense_memory_fields(void) {
    return PLOY_FIELDS(ploy_sense_memory_def, sense_memory_fields);
}

ploy_result ploy_sense_memory_create(const ploy_sense_memory_def *def, ploy_agent_id owner,
                                     const ploy_env *env, ploy_sense_memory **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_sense_memory_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_sense_memory), def->capacity, sizeof(ploy_sense_record),
                             &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_sense_memory *memory = ploy_env_alloc_zero(env, size);
    if (memory == NULL) return PLOY_ERR_MEMORY;
    memory->env = *env;
    memory->def = *def;
    memory->size = size;
    memory->owner = owner;
    *out = memory;
    return PLOY_OK;
}

void ploy_sense_memory_destroy(ploy_sense_memory *memory) {
    if (memory == NULL) return;
    ploy_env env = memory->env;
    ploy_env_free(&env, memory, memory->size);
}

ploy_agent_id ployi_sense_memory_owner(const ploy_sense_memory *memory) {
    return memory->owner;
}

// ---- records

// Where an agent's record is, or belongs: the first whose index is not below its own.
static int32_t sense_memory_place(const ploy_sense_memory *memory, ploy_agent_id other) {
    int32_t low = 0, high = memory->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (memory->records[middle].agent.id.index < other.id.index) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static ploy_sense_record *sense_memory_find(const ploy_sense_memory *memory, ploy_agent_id other) {
    int32_t place = sense_memory_place(memory, other);
    if (place == memory->count || ploy_id_is_none(other.id)) return NULL;
    const ploy_sense_record *record = &memory->records[place];
    // Const only for the queries' sake; code that changes it holds the memory itself.
    return ploy_id_equal(record->agent.id, other.id) ? (ploy_sense_record *)record : NULL;
}

static void sense_memory_drop(ploy_sense_memory *memory, int32_t place) {
    memory->count--;
    memmove(&memory->records[place], &memory->records[place + 1],
            (size_t)(memory->count - place) * sizeof memory->records[0]);
    memset(&memory->records[memory->count], 0, sizeof memory->records[0]); // keeps (3)
}

// The record of another, made if need be: whom it sensed longest ago gives way, among equals the
// one with the lowest id.
static ploy_sense_record *sense_memory_ensure(ploy_sense_memory *memory, ploy_agent_id other) {
    ploy_sense_record *record = sense_memory_find(memory, other);
    if (record != NULL) return record;
    int32_t place = sense_memory_place(memory, other);
    if (place < memory->count && memory->records[place].agent.id.index == other.id.index) {
        sense_memory_drop(memory, place); // an earlier life; keeps (1)
    } else if (memory->count == memory->def.capacity) {
        int32_t oldest = 0;
        for (int32_t i = 1; i < memory->count; i++) {
            if (memory->records[i].last_sensed < memory->records[oldest].last_sensed) oldest = i;
        }
        sense_memory_drop(memory, oldest);
        place = sense_memory_place(memory, other);
    }
    memmove(&memory->records[place + 1], &memory->records[place],
            (size_t)(memory->count - place) * sizeof memory->records[0]);
    memory->count++;
    record = &memory->records[place];
    memset(record, 0, sizeof *record);
    record->agent = other;
    record->last_sensed = -(double)INFINITY;
    record->became_visible = -(double)INFINITY;
    record->last_visible = -(double)INFINITY;
    return record;
}

static bool sense_memory_accepts(const ploy_sense_memory *memory, ploy_agent_id other,
                                 ploy_vec3 position, double now) {
    return !ploy_id_is_none(other.id) && !ploy_id_equal(other.id, memory->owner.id) &&
           ploy_vec3_is_finite(position) && ploy_is_finite_d(now);
}

void ploy_sense_memory_look(ploy_sense_memory *memory, ploy_agent_id other, ploy_vec3 position,
                            bool in_view, bool in_line, float visibility, double now) {
    if (!sense_memory_accepts(memory, other, position, now)) return;
    bool seen = in_view && in_line;
    ploy_sense_record *record =
        seen ? sense_memory_ensure(memory, other) : sense_memory_find(memory, other);
    if (record == NULL) return; // a stranger in the back is not known
    record->shootable = in_line;
    record->visibility = seen ? ploy_clampf(visibility, 0.0f, 1.0f) : 0.0f;
    if (!seen) {
        record->visible = false;
        return;
    }
    record->last_sensed = record->last_visible = now;
    record->position = position;
    record->has_position = true;
    if (!record->visible) {
        record->visible = true;
        record->became_visible = now;
    }
}

void ploy_sense_memory_sight(ploy_sense_memory *memory, ploy_agent_id other, ploy_vec3 position,
                             const ploy_sight *sight, double now) {
    const ploy_sense_record *record = sense_memory_find(memory, other);
    bool seen = sight->reason == PLOY_SIGHT_SEEN;
    bool outside = sight->reason == PLOY_SIGHT_OUTSIDE || sight->reason == PLOY_SIGHT_OUTSIDE_LEVEL;
    // The test stops at the cone: whether the line is clear stays as it was.
    bool in_line = seen || (outside && record != NULL && record->shootable);
    ploy_sense_memory_look(memory, other, position, seen, in_line, sight->visibility, now);
}

void ployi_sense_memory_batch(ploy_sense_memory *memory, const ploy_sight_batch *batch,
                              int32_t observer, const ploy_sight_target *targets, double now) {
    int32_t count = 0;
    const ploy_sight_pair *pairs = ploy_sight_batch_get(batch, observer, &count);
    for (int32_t i = 0; i < count; i++) {
        const ploy_sight_target *target = &targets[pairs[i].target];
        ploy_sense_memory_look(memory, target->agent, target->pose.frame.position, true, true,
                               pairs[i].visibility, now);
    }
    for (int32_t i = 0; i < memory->count; i++) {
        ploy_sense_record *record = &memory->records[i];
        if (record->last_visible == now) continue; // one of them
        record->visible = record->shootable = false;
        record->visibility = 0.0f;
    }
}

void ploy_sense_memory_hear(ploy_sense_memory *memory, ploy_agent_id other, ploy_vec3 position,
                            bool in_line, double now) {
    if (!sense_memory_accepts(memory, other, position, now)) return;
    ploy_sense_record *record = sense_memory_ensure(memory, other);
    record->last_sensed = now;
    // A sound out of sight does not end a look that lasts: (2) holds.
    record->shootable = in_line || record->visible;
    if (record->shootable || memory->def.heard_position) {
        record->position = position;
        record->has_position = true;
    }
}

void ploy_sense_memory_percept(ploy_sense_memory *memory, const ploy_percept *percept,
                               const ploy_modalities *modalities) {
    const ploy_modality *modality = ploy_modalities_get(modalities, percept->signal.modality);
    ploy_agent_id source = percept->signal.source;
    if (modality != NULL && modality->kind == PLOY_SENSE_SIGHT) {
        ploy_sense_memory_look(memory, source, percept->signal.position, true, true,
                               percept->intensity, percept->time);
    } else {
        ploy_sense_memory_hear(memory, source, percept->from, false, percept->time);
    }
}

bool ployi_sense_memory_purge(ploy_sense_memory *memory, ploy_agent_id other) {
    const ploy_sense_record *record = sense_memory_find(memory, other);
    if (record == NULL) return false;
    sense_memory_drop(memory, (int32_t)(record - memory->records));
    return true;
}

void ploy_sense_memory_forget(ploy_sense_memory *memory, double now) {
    for (int32_t i = memory->count - 1; i >= 0; i--) {
        if (!ployi_sense_memory_is_recent(memory, &memory->records[i], now)) {
            sense_memory_drop(memory, i);
        }
    }
}

void ploy_sense_memory_clear(ploy_sense_memory *memory) {
    while (memory->count > 0) sense_memory_drop(memory, memory->count - 1);
}

// ---- queries

const ploy_sense_record *ploy_sense_memory_get(const ploy_sense_memory *memory,
                                               ploy_agent_id other) {
    return sense_memory_find(memory, other);
}

int32_t ploy_sense_memory_count(const ploy_sense_memory *memory) {
    return memory->count;
}

const ploy_sense_record *ploy_sense_memory_at(const ploy_sense_memory *memory, int32_t index) {
    return index >= 0 && index < memory->count ? &memory->records[index] : NULL;
}

bool ployi_sense_memory_is_recent(const ploy_sense_memory *memory, const ploy_sense_record *record,
                                  double now) {
    return now - record->last_sensed <= (double)memory->def.span;
}

int32_t ploy_sense_memory_recent(const ploy_sense_memory *memory, double now, ploy_agent_id *out,
                                 int32_t capacity) {
    int32_t count = 0;
    for (int32_t i = 0; i < memory->count; i++) {
        if (!ployi_sense_memory_is_recent(memory, &memory->records[i], now)) continue;
        if (count < capacity) out[count] = memory->records[i].agent;
        count++;
    }
    return count;
}

bool ployi_sense_memory_visible(const ploy_sense_memory *memory, ploy_agent_id other) {
    const ploy_sense_record *record = sense_memory_find(memory, other);
    return record != NULL && record->visible;
}

bool ployi_sense_memory_shootable(const ploy_sense_memory *memory, ploy_agent_id other) {
    const ploy_sense_record *record = sense_memory_find(memory, other);
    return record != NULL && record->shootable;
}

bool ploy_sense_memory_position(const ploy_sense_memory *memory, ploy_agent_id other,
                                ploy_vec3 *out) {
    const ploy_sense_record *record = sense_memory_find(memory, other);
    if (record == NULL || !record->has_position) return false;
    *out = record->position;
    return true;
}

double ployi_sense_memory_time_visible(const ploy_sense_memory *memory, ploy_agent_id other,
                                       double now) {
    const ploy_sense_record *record = sense_memory_find(memory, other);
    return record != NULL && record->visible ? now - record->became_visible : 0.0;
}

double ployi_sense_memory_time_since(const ploy_sense_memory *memory, ploy_agent_id other,
                                     double now) {
    const ploy_sense_record *record = sense_memory_find(memory, other);
    return record != NULL ? now - record->last_sensed : (double)INFINITY;
}

double ploy_sense_memory_time_out_of_view(const ploy_sense_memory *memory, ploy_agent_id other,
                                          double now) {
    const ploy_sense_record *record = sense_memory_find(memory, other);
    return record != NULL ? now - record->last_visible : (double)INFINITY;
}

float ploy_sense_memory_certainty(const ploy_sense_memory *memory, ploy_agent_id other,
                                  double now) {
    const ploy_sense_record *record = sense_memory_find(memory, other);
    if (record == NULL || !ployi_sense_memory_is_recent(memory, record, now)) return 0.0f;
    if (memory->def.half_life == 0.0f) return 1.0f;
    float age = (float)(now - record->last_sensed);
    return ploy_exp2f(-ploy_maxf(age, 0.0f) / memory->def.half_life);
}

// ---- sight

static void sense_memory_visit_record(ploy_visit *v, ploy_sense_record *record) {
    double never = -(double)INFINITY;
    ploy_visit_id(v, "agent", PLOY_STATE, &record->agent.id);
    ploy_visit_f64_in(v, "last sensed", PLOY_STATE, &record->last_sensed, never, DBL_MAX);
    ploy_visit_f64_in(v, "became visible", PLOY_STATE, &record->became_visible, never, DBL_MAX);
    ploy_visit_f64_in(v, "last visible", PLOY_STATE, &record->last_visible, never, DBL_MAX);
    ploy_vec3 *at = &record->position;
    ploy_visit_vec3(v, "position", PLOY_STATE, &at->x, &at->y, &at->z);
    ploy_visit_f32_in(v, "visibility", PLOY_STATE, &record->visibility, 0.0f, 1.0f);
    ploy_visit_bool(v, "has position", PLOY_STATE, &record->has_position);
    ploy_visit_bool(v, "visible", PLOY_STATE, &record->visible);
    ploy_visit_bool(v, "shootable", PLOY_STATE, &record->shootable);
}

// Whether a record may follow the one before it: invariants (1) and (2).
static bool sense_memory_fits(const ploy_sense_memory *memory, int32_t index) {
    const ploy_sense_record *record = &memory->records[index];
    if (ploy_id_is_none(record->agent.id)) return false;
    if (index > 0 && record[-1].agent.id.index >= record->agent.id.index) return false;
    return (record->shootable || !record->visible) &&
           record->last_visible >= record->became_visible;
}

void ploy_sense_memory_visit(ploy_visit *v, void *object) {
    ploy_sense_memory *memory = object;
    ploy_visit_object(v, "sense memory", memory, memory->size);
    PLOY_VISIT_SCRATCH(v, memory->env);
    PLOY_VISIT_SCRATCH(v, memory->def);
    PLOY_VISIT_SCRATCH(v, memory->size);
    PLOY_VISIT_SCRATCH(v, memory->owner);
    ploy_visit_begin_agent(v, "memory", PLOY_STATE, memory->owner);
    ploy_value owner = ploy_value_id(memory->owner.id);
    ploy_visit_same(v, "owner", PLOY_SAVED, &owner);
    int32_t before = memory->count;
    int32_t count = ploy_visit_list(v, "records", PLOY_SAVED, &memory->count, memory->def.capacity);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        sense_memory_visit_record(v, &memory->records[i]);
        ploy_visit_check(v, sense_memory_fits(memory, i),
                         "records are out of order or inconsistent", "agents by rising index");
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_sense_record none;
    memset(&none, 0, sizeof none);
    for (int32_t i = count; i < before && ploy_visit_loads(v); i++) {
        ploy_visit_write(v, &memory->records[i], &none, sizeof none); // keeps (3)
    }
    ploy_visit_scratch(v, memory->records + memory->count,
                       (size_t)(memory->def.capacity - memory->count) * sizeof none);
    ploy_visit_end(v);
}

void ploy_sense_memory_describe(const ploy_sense_memory *memory, ploy_describe *out) {
    ploy_visit_describe(ploy_sense_memory_visit, memory, NULL, out);
}

void ploy_sense_memory_draw(const ploy_sense_memory *memory, double now, ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_SENSES)) return;
    for (int32_t i = 0; i < memory->count; i++) {
        const ploy_sense_record *record = &memory->records[i];
        float certainty = ploy_sense_memory_certainty(memory, record->agent, now);
        if (record->visible || !record->has_position || certainty == 0.0f) continue;
        ploy_vec2 at = ploy_vec2_from_vec3(record->position);
        ploy_draw_disc(out, PLOY_LAYER_SENSES, PLOY_STYLE_TARGET, record->agent, at, 0.5f,
                       0.5f * certainty);
        ploy_draw_circle(out, PLOY_LAYER_SENSES, PLOY_STYLE_TARGET, record->agent, at, 0.5f);
    }
}

void ploy_sense_memory_memory(const ploy_sense_memory *memory, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_sense_memory_visit, memory, fn, user);
}
