// The region sense manager; see the header.
//
// Invariants between calls:
//   (1) slots [0, capacity) are used or free; by_agent maps each used slot's agent to its index;
//   (2) x, y and poses hold the answers of the pose source at `sampled`, NaN where there was none,
//       unless `stale`; the grid holds x and y;
//   (3) queue and pending hold the same percepts: the heap's payload is the id in the pool;
//   (4) heard has one row of bits for each active signal, one bit for each slot, set when that
//       sensor is done with that signal; bits of free slots are clear;
//   (5) waiting is empty except within a step.
#include "world/senses_internal.h"

#include "world/world_internal.h"

#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/heap.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"
#include "ploy/base/pool.h"
#include "ploy/geom/angle.h"
#include "ploy/geom/grid.h"

static const char *const senses_policy_names[] = {"at_emission", "wave"};

static const ploy_field senses_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_senses_def, capacity, 64, 1, 1 << 20, "", "most sensors"),
    PLOY_FIELD_F32(ploy_senses_def, cell_size, 20, 1e-3, 1e6, "m", "of the grid"),
    PLOY_FIELD_ENUM(ploy_senses_def, policy, PLOY_SENSES_AT_EMISSION, senses_policy_names,
                    "when listeners that move are tested"),
    PLOY_FIELD_BOOL(ploy_senses_def, rooms, false, "signals stay in the room they are made in"),
};

ploy_senses_def ploy_senses_def_default(void) {
    ploy_senses_def def;
    ploy_fields_default(ploy_senses_fields(), &def);
    return def;
}

ploy_fields ploy_senses_fields(void) {
    return PLOY_FIELDS(ploy_senses_def, senses_fields);
}

static bool senses_alloc_slots(ploy_senses *senses) {
    size_t n = (size_t)senses->def.capacity;
    size_t each = sizeof(ploy_sensor) + sizeof(ploy_found) + sizeof(ploy_pose) + 2 * sizeof(float) +
                  sizeof(bool);
    if (n > SIZE_MAX / each) return false;
    char *block = ploy_env_alloc_zero(&senses->env, n * each);
    if (block == NULL) return false;
    // By falling alignment, so that no gap is needed between them.
    senses->slots_size = n * each;
    senses->slots = (ploy_sensor *)block;
    senses->found = (ploy_found *)(block += n * sizeof(ploy_sensor));
    senses->poses = (ploy_pose *)(block += n * sizeof(ploy_found));
    senses->x = (float *)(block += n * sizeof(ploy_pose));
    senses->y = (float *)(block += n * sizeof(float));
    senses->used = (bool *)(block + n * sizeof(float));
    return true;
}

ploy_result ploy_senses_create(const ploy_senses_def *def, const ploy_env *env, ploy_senses **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_senses_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (def->modalities == NULL) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, "senses: modalities are missing");
        return PLOY_ERR_ARGUMENT;
    }
    ploy_senses *senses = ploy_env_alloc_zero(env, sizeof *senses);
    if (senses == NULL) return PLOY_ERR_MEMORY;
    senses->env = *env;
    senses->def = *def;
    senses->words = (def->capacity + 31) / 32;
    senses->stale = true;
    ploy_map_init(&senses->by_agent, sizeof(int32_t), env);
    ploy_array_init(&senses->active, sizeof(ploy_signal), env);
    ploy_array_init(&senses->heard, sizeof(uint32_t), env);
    ploy_array_init(&senses->waiting, sizeof(ployi_senses_waiting), env);
    result = ploy_heap_init(&senses->queue, 4, env);
    if (result == PLOY_OK && !senses_alloc_slots(senses)) result = PLOY_ERR_MEMORY;
    ploy_grid_def grid = ploy_grid_def_default();
    grid.capacity = def->capacity;
    grid.cell_size = def->cell_size;
    if (result == PLOY_OK) result = ploy_grid_create(&grid, env, &senses->grid);
    if (result == PLOY_OK) {
        result =
            ploy_pool_create(sizeof(ploy_percept), PLOY_CAPACITY(64), 0, env, &senses->pending);
    }
    if (result != PLOY_OK) {
        ploy_senses_destroy(senses);
        return result;
    }
    *out = senses;
    return PLOY_OK;
}

void ploy_senses_destroy(ploy_senses *senses) {
    if (senses == NULL) return;
    ploy_env env = senses->env;
    ploy_pool_destroy(senses->pending);
    ploy_grid_destroy(senses->grid);
    ploy_heap_fini(&senses->queue);
    ploy_array_fini(&senses->waiting);
    ploy_array_fini(&senses->heard);
    ploy_array_fini(&senses->active);
    ploy_map_fini(&senses->by_agent);
    ploy_env_free(&env, senses->slots, senses->slots_size);
    ploy_env_free(&env, senses, sizeof *senses);
}

// ---- sensors

static int32_t senses_slot(const ploy_senses *senses, ploy_agent_id agent) {
    const int32_t *slot = ploy_map_get(&senses->by_agent, ploy_id_to_u64(agent.id));
    return slot != NULL ? *slot : -1;
}

ploy_result ploy_senses_add_sensor(ploy_senses *senses, const ploy_sensor *sensor) {
    ploy_result result = ployi_modalities_check_sensor(senses->def.modalities, sensor);
    if (result != PLOY_OK) return result;
    if (senses_slot(senses, sensor->agent) >= 0) return PLOY_ERR_EXISTS;
    if (senses->count == senses->def.capacity) return PLOY_ERR_CAPACITY;
    int32_t slot = 0;
    while (senses->used[slot]) slot++;
    result = ploy_map_put(&senses->by_agent, ploy_id_to_u64(sensor->agent.id), &slot);
    if (result != PLOY_OK) return result;
    senses->slots[slot] = *sensor;
    senses->used[slot] = true;
    senses->count++;
    senses->stale = true;
    return PLOY_OK;
}

ploy_result ploy_senses_set_sensor(ploy_senses *senses, const ploy_sensor *sensor) {
    ploy_result result = ployi_modalities_check_sensor(senses->def.modalities, sensor);
    if (result != PLOY_OK) return result;
    int32_t slot = senses_slot(senses, sensor->agent);
    if (slot < 0) return PLOY_ERR_NOT_FOUND;
    senses->slots[slot] = *sensor;
    return PLOY_OK;
}

ploy_result ploy_senses_remove_sensor(ploy_senses *senses, ploy_agent_id agent) {
    int32_t slot = senses_slot(senses, agent);
    if (slot < 0) return PLOY_ERR_NOT_FOUND;
    ploy_map_remove(&senses->by_agent, ploy_id_to_u64(agent.id));
    memset(&senses->slots[slot], 0, sizeof senses->slots[slot]);
    senses->used[slot] = false;
    senses->count--;
    senses->stale = true;
    uint32_t *bits = senses->heard.items;
    for (int32_t i = 0; i < senses->active.count; i++) { // keeps (4)
        bits[(size_t)i * (size_t)senses->words + (size_t)slot / 32] &= ~(1u << (slot % 32));
    }
    return PLOY_OK;
}

const ploy_sensor *ployi_senses_sensor(const ploy_senses *senses, ploy_agent_id agent) {
    int32_t slot = senses_slot(senses, agent);
    return slot >= 0 ? &senses->slots[slot] : NULL;
}

int32_t ployi_senses_sensor_count(const ploy_senses *senses) {
    return senses->count;
}

ploy_result ploy_senses_set_wind(ploy_senses *senses, ploy_vec3 wind) {
    if (!ploy_vec3_is_finite(wind)) return PLOY_ERR_ARGUMENT;
    senses->wind = wind;
    return PLOY_OK;
}

// Asks for all positions, once for each value of the clock.
static void senses_sample(ploy_senses *senses) {
    if (!senses->stale && senses->sampled == senses->now) return;
    for (int32_t i = 0; i < senses->def.capacity; i++) {
        bool there =
            senses->used[i] &&
            ploy_pose_source_get(&senses->def.poses, senses->slots[i].agent, &senses->poses[i]);
        senses->x[i] = there ? senses->poses[i].frame.position.x : NAN;
        senses->y[i] = there ? senses->poses[i].frame.position.y : NAN;
    }
    ploy_points points = {senses->x, senses->y, sizeof(float), senses->def.capacity};
    ploy_result result = ploy_grid_rebuild(senses->grid, &points);
    PLOY_ASSERT(result == PLOY_OK);
    (void)result;
    senses->sampled = senses->now;
    senses->stale = false;
}

static bool senses_clock_ok(const ploy_senses *senses, double now) {
    return ploy_is_finite_d(now) && (!senses->started || now >= senses->now);
}

static void senses_set_clock(ploy_senses *senses, double now) {
    if (!senses->started) senses->last_step = now;
    senses->started = true;
    senses->now = now;
}

// ---- testing

// What lingering leaves of an intensity. @param age  s since it arrived.
static float senses_faded(const ploy_modality *modality, float intensity, double age) {
    if (modality->dissipation == 0.0f || !(age > 0.0)) return intensity;
    return intensity * ploy_powf(1.0f - modality->dissipation, (float)age);
}

// Examines one pair; what comes of it is the caller's to do.
// @param pose  of the sensor; NULL: unknown.
static ploy_sense_reason senses_examine(const ploy_senses *senses, const ploy_signal *signal,
                                        int32_t slot, const ploy_pose *pose, double now,
                                        ploy_sense_test *test) {
    const ploy_sensor *sensor = &senses->slots[slot];
    memset(test, 0, sizeof *test);
    test->signal = signal;
    test->sensor = sensor;
    test->pose = pose;
    test->now = now;
    if (pose == NULL) return PLOY_SENSE_NO_POSE;
    if (senses->def.rooms && signal->room != 0 && signal->room != sensor->room) {
        return PLOY_SENSE_FILTERED;
    }
    if (senses->def.filter != NULL &&
        !senses->def.filter(senses->def.filter_user, signal, sensor)) {
        return PLOY_SENSE_FILTERED;
    }
    const ploy_modality *modality = ploy_modalities_get(senses->def.modalities, signal->modality);
    test->distance =
        ploy_modality_distance(modality, signal->position, pose->frame.position, senses->wind);
    test->intensity = ployi_modality_intensity(modality, signal->strength, test->distance);
    double age = now - signal->emitted - (double)test->distance * (double)modality->inverse_speed;
    test->intensity = senses_faded(modality, test->intensity, age);
    return ploy_modalities_test(senses->def.modalities, test);
}

// The sensor's pose as of the last sample, or NULL.
static const ploy_pose *senses_pose(const ploy_senses *senses, int32_t slot) {
    bool there = senses->x[slot] == senses->x[slot]; // not NaN
    return there ? &senses->poses[slot] : NULL;
}

// Room for that many percepts more, so that what follows cannot fail in the middle.
static ploy_result senses_make_room(ploy_senses *senses, int32_t more) {
    int32_t need = senses->queue.count + more;
    if (need > senses->queue.capacity) {
        ploy_result result = ploy_heap_reserve(&senses->queue, ploy_maxi(need, 2 * need - more));
        if (result != PLOY_OK) return result;
    }
    return ploy_pool_reserve(senses->pending, need);
}

static void senses_push(ploy_senses *senses, const ploy_sense_test *test, double time,
                        ploy_sense_method method) {
    ploy_id id;
    void *item = NULL;
    ploy_result result = ploy_pool_add(senses->pending, &id, &item);
    PLOY_ASSERT(result == PLOY_OK); // room was made
    ploy_percept *percept = item;
    percept->sensor = test->sensor->agent;
    percept->signal = *test->signal;
    percept->intensity = test->intensity;
    percept->distance = test->distance;
    percept->time = time;
    percept->from = test->signal->position;
    percept->method = method;
    percept->through = -1;
    percept->detail = test->detail;
    result = ploy_heap_push(&senses->queue, time, ploy_id_to_u64(id)); // keeps (3)
    PLOY_ASSERT(result == PLOY_OK);
    (void)result;
    ployi_sense_log_add_test(senses->def.log, test, PLOY_SENSE_PENDING, method, -1);
}

// The largest distance of a sensor: wind may shorten it to a tenth.
static float senses_radius(const ploy_senses *senses, const ploy_modality *modality) {
    float gain = 1.0f + modality->wind * ploy_vec3_length(senses->wind);
    return modality->max_range * ploy_clampf(gain, 1.0f, 10.0f) * 1.0001f;
}

static int32_t senses_near(ploy_senses *senses, const ploy_signal *signal, float radius) {
    senses_sample(senses);
    ploy_query2 query = ploy_query2_radius(ploy_vec2_from_vec3(signal->position), radius);
    return ploy_grid_find(senses->grid, &query, senses->found, senses->def.capacity, NULL);
}

// Tests one sensor at once; room for the percept is there.
static void senses_emit_to(ploy_senses *senses, const ploy_signal *signal, int32_t slot) {
    const ploy_modality *modality = ploy_modalities_get(senses->def.modalities, signal->modality);
    ploy_sense_test test;
    ploy_sense_reason reason =
        senses_examine(senses, signal, slot, senses_pose(senses, slot), senses->now, &test);
    if (reason == PLOY_SENSE_SENSED) {
        double delay = (double)test.distance * (double)modality->inverse_speed;
        senses_push(senses, &test, signal->emitted + delay, PLOY_SENSE_DIRECT);
    } else {
        ployi_sense_log_add_test(senses->def.log, &test, reason, PLOY_SENSE_DIRECT, -1);
    }
}

static ploy_result senses_emit(ploy_senses *senses, const ploy_signal *signal) {
    const ploy_modality *modality = ploy_modalities_get(senses->def.modalities, signal->modality);
    int32_t count = senses_near(senses, signal, senses_radius(senses, modality));
    ploy_result result = senses_make_room(senses, count);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < count; i++) senses_emit_to(senses, signal, senses->found[i].id);
    return PLOY_OK;
}

static ploy_result senses_begin_wave(ploy_senses *senses, const ploy_signal *signal) {
    if (senses->heard.count > INT32_MAX - senses->words) return PLOY_ERR_LIMIT;
    ploy_result result = ploy_array_resize(&senses->heard, senses->heard.count + senses->words);
    if (result != PLOY_OK) return result;
    result = ploy_array_push(&senses->active, signal);
    if (result != PLOY_OK) {
        ploy_array_resize(&senses->heard, senses->heard.count - senses->words); // shrinking is safe
    }
    return result;
}

// @param to  none: all.
static ploy_result senses_spread(ploy_senses *senses, const ploy_signal *signal, ploy_agent_id to) {
    if (ploy_id_is_none(to.id)) {
        return senses->def.policy == PLOY_SENSES_WAVE ? senses_begin_wave(senses, signal)
                                                      : senses_emit(senses, signal);
    }
    int32_t slot = senses_slot(senses, to);
    if (slot < 0) return PLOY_OK; // removed by a callback since it was added
    ploy_result result = senses_make_room(senses, 1);
    if (result != PLOY_OK) return result;
    senses_sample(senses);
    senses_emit_to(senses, signal, slot);
    return PLOY_OK;
}

static ploy_result senses_add(ploy_senses *senses, const ploy_signal *signal, ploy_agent_id to,
                              double now) {
    ploy_result result = ployi_modalities_check_signal(senses->def.modalities, signal);
    if (result != PLOY_OK) return result;
    if (!senses_clock_ok(senses, now)) return PLOY_ERR_ARGUMENT;
    double before = senses->now;
    bool started = senses->started;
    senses_set_clock(senses, now);
    ployi_senses_waiting made = {*signal, to};
    made.signal.emitted = now;
    made.signal.order = senses->next_order;
    result = senses->stepping ? ploy_array_push(&senses->waiting, &made)
                              : senses_spread(senses, &made.signal, to);
    if (result == PLOY_OK) {
        senses->next_order++;
    } else {
        senses->now = before;
        senses->started = started;
    }
    return result;
}

ploy_result ploy_senses_add_signal(ploy_senses *senses, const ploy_signal *signal, double now) {
    return senses_add(senses, signal, ploy_agent_id_none(), now);
}

ploy_result ploy_senses_add_signal_to(ploy_senses *senses, const ploy_signal *signal,
                                      ploy_agent_id agent, double now) {
    if (senses_slot(senses, agent) < 0) return PLOY_ERR_NOT_FOUND;
    return senses_add(senses, signal, agent, now);
}

// ---- waves

// Tests whom the front has passed since the last step, and, of a signal that lingers, any sensor that came
// to it.
static ploy_result senses_advance(ploy_senses *senses, int32_t index) {
    const ploy_signal *signal = &((const ploy_signal *)senses->active.items)[index];
    const ploy_modality *modality = ploy_modalities_get(senses->def.modalities, signal->modality);
    uint32_t *bits = (uint32_t *)senses->heard.items + (size_t)index * (size_t)senses->words;
    double age = senses->now - signal->emitted;
    int32_t count = senses_near(senses, signal, senses_radius(senses, modality));
    ploy_result result = senses_make_room(senses, count);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < count; i++) {
        int32_t slot = senses->found[i].id;
        uint32_t bit = 1u << (slot % 32);
        if ((bits[slot / 32] & bit) != 0) continue;
        float distance = ploy_modality_distance(modality, signal->position,
                                                senses->poses[slot].frame.position, senses->wind);
        double delay = (double)distance * (double)modality->inverse_speed;
        if (delay > age) continue; // the front is not there yet
        // Arrived between two steps: reported for exactly then. Earlier: it hangs there and is met now,
        // or, of what does not linger, one came toward it faster than it spreads; then it counts
        // from the last step, so that time never runs backwards.
        double arrival = signal->emitted + delay;
        bool direct = arrival >= senses->last_step || modality->linger == 0.0f;
        bool faded = modality->linger == 0.0f || age - delay > (double)modality->linger;
        if (!direct && faded) continue;
        ploy_sense_test test;
        ploy_sense_reason reason =
            senses_examine(senses, signal, slot, &senses->poses[slot], senses->now, &test);
        if (reason == PLOY_SENSE_SENSED) {
            if (arrival < senses->last_step) arrival = senses->last_step;
            senses_push(senses, &test, direct ? arrival : senses->now,
                        direct ? PLOY_SENSE_DIRECT : PLOY_SENSE_LINGERING);
            bits[slot / 32] |= bit;
        } else if (faded) { // the front passes once; what lingers is tried again
            ployi_sense_log_add_test(senses->def.log, &test, reason, PLOY_SENSE_DIRECT, -1);
            bits[slot / 32] |= bit;
        }
    }
    return PLOY_OK;
}

// When the last of it has passed or faded.
static bool senses_is_over(const ploy_senses *senses, const ploy_signal *signal) {
    const ploy_modality *modality = ploy_modalities_get(senses->def.modalities, signal->modality);
    double longest =
        (double)modality->max_range * (double)modality->inverse_speed + (double)modality->linger;
    return senses->now - signal->emitted > longest ||
           (modality->linger == 0.0f && modality->inverse_speed == 0.0f);
}

static ploy_result senses_advance_all(ploy_senses *senses) {
    for (int32_t i = 0; i < senses->active.count; i++) {
        ploy_result result = senses_advance(senses, i);
        if (result != PLOY_OK) return result;
    }
    ploy_signal *items = senses->active.items;
    uint32_t *bits = senses->heard.items;
    size_t row = (size_t)senses->words;
    int32_t kept = 0;
    for (int32_t i = 0; i < senses->active.count; i++) {
        if (senses_is_over(senses, &items[i])) continue;
        if (kept != i) {
            items[kept] = items[i];
            memcpy(bits + (size_t)kept * row, bits + (size_t)i * row, row * sizeof *bits);
        }
        kept++;
    }
    // Fewer than before, which cannot fail.
    ploy_array_resize(&senses->active, kept);
    ploy_array_resize(&senses->heard, kept * senses->words);
    return PLOY_OK;
}

// ---- delivery

// Takes the next percept off the queue; true if its sensor is still there.
static bool senses_pop(ploy_senses *senses, ploy_percept *out) {
    uint64_t payload = 0;
    ploy_heap_pop(&senses->queue, NULL, &payload);
    ploy_id id = ploy_id_from_u64(payload);
    *out = *(const ploy_percept *)ploy_pool_get(senses->pending, id);
    ploy_pool_remove(senses->pending, id);
    int32_t slot = senses_slot(senses, out->sensor);
    ploy_sensor gone = ploy_sensor_make(out->sensor);
    ploy_sense_test test;
    memset(&test, 0, sizeof test);
    test.signal = &out->signal;
    test.sensor = slot >= 0 ? &senses->slots[slot] : &gone;
    test.now = out->time;
    test.distance = out->distance;
    test.intensity = out->intensity;
    test.detail = out->detail;
    ployi_sense_log_add_test(senses->def.log, &test,
                             slot >= 0 ? PLOY_SENSE_SENSED : PLOY_SENSE_GONE, out->method,
                             out->through);
    return slot >= 0;
}

ploy_result ploy_senses_step(ploy_senses *senses, double now, ploy_budget *budget,
                             ploy_percept_fn fn, void *user) {
    if (senses->stepping) return PLOY_ERR_STATE;
    if (!senses_clock_ok(senses, now)) return PLOY_ERR_ARGUMENT;
    senses_set_clock(senses, now);
    ploy_result result = senses_advance_all(senses);
    if (result != PLOY_OK) return result;
    senses->stepping = true;
    double due = 0.0;
    while (ploy_heap_peek(&senses->queue, &due, NULL) && due <= now) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) {
            result = PLOY_IN_PROGRESS;
            break;
        }
        ploy_percept percept;
        if (senses_pop(senses, &percept) && fn != NULL) fn(user, &percept);
    }
    senses->stepping = false;
    senses->last_step = senses->now;
    const ployi_senses_waiting *waiting = senses->waiting.items;
    int32_t spread = 0;
    while (spread < senses->waiting.count) {
        ploy_result failed = senses_spread(senses, &waiting[spread].signal, waiting[spread].to);
        if (failed != PLOY_OK) {
            result = failed;
            break;
        }
        spread++;
    }
    // What found no memory stays for the next step.
    for (int32_t i = spread; i > 0; i--) ploy_array_remove(&senses->waiting, i - 1);
    return result;
}

ploy_sense_reason ploy_senses_explain(const ploy_senses *senses, const ploy_signal *signal,
                                      ploy_agent_id agent, double now, ploy_sense_test *out) {
    ploy_sense_test test;
    memset(&test, 0, sizeof test);
    if (out != NULL) *out = test;
    int32_t slot = senses_slot(senses, agent);
    if (slot < 0) return PLOY_SENSE_GONE;
    if (ployi_modalities_check_signal(senses->def.modalities, signal) != PLOY_OK) {
        return PLOY_SENSE_NOT_MEANT;
    }
    ploy_pose pose;
    bool there = ploy_pose_source_get(&senses->def.poses, agent, &pose);
    ploy_signal made = *signal;
    made.emitted = now;
    ploy_sense_reason reason =
        senses_examine(senses, &made, slot, there ? &pose : NULL, now, &test);
    test.signal = signal;
    test.pose = NULL;
    if (out != NULL) *out = test;
    return reason;
}

bool ploy_senses_find_strongest(const ploy_senses *senses, int32_t modality, ploy_vec3 at,
                                double now, ploy_vec3 *position, float *intensity) {
    const ploy_modality *kind = ploy_modalities_get(senses->def.modalities, modality);
    const ploy_signal *active = senses->active.items;
    float best = 0.0f;
    if (kind == NULL || !ploy_vec3_is_finite(at)) return false;
    for (int32_t i = 0; i < senses->active.count; i++) {
        if (active[i].modality != modality) continue;
        float distance = ploy_modality_distance(kind, active[i].position, at, senses->wind);
        double age = now - active[i].emitted - (double)distance * (double)kind->inverse_speed;
        // Not there yet, too far, or gone.
        if (!(age >= 0.0) || distance > kind->max_range || age > (double)kind->linger) continue;
        float left =
            senses_faded(kind, ployi_modality_intensity(kind, active[i].strength, distance), age);
        // Later ones win ties: a trail is followed toward its fresh end.
        if (left < kind->min_intensity || !(left > 0.0f) || left < best) continue;
        best = left;
        *position = active[i].position;
    }
    if (!(best > 0.0f)) return false;
    if (intensity != NULL) *intensity = best;
    return true;
}

int32_t ployi_senses_pending(const ploy_senses *senses) {
    return ploy_heap_count(&senses->queue);
}

int32_t ployi_senses_active(const ploy_senses *senses) {
    return senses->active.count;
}

bool ployi_senses_next(const ploy_senses *senses, ploy_percept *out) {
    uint64_t payload = 0;
    if (!ploy_heap_peek(&senses->queue, NULL, &payload)) return false;
    *out = *(const ploy_percept *)ploy_pool_get(senses->pending, ploy_id_from_u64(payload));
    return true;
}

void ploy_senses_clear(ploy_senses *senses) {
    ploy_heap_clear(&senses->queue);
    ploy_pool_clear(senses->pending);
    ploy_array_clear(&senses->active);
    ploy_array_clear(&senses->heard);
    ploy_array_clear(&senses->waiting);
}

// Where the front of a signal is: a circle that the wind pushes out of shape.
static void senses_draw_front(const ploy_senses *senses, const ploy_signal *signal,
                              ploy_draw *out) {
    enum { SENSES_FRONT_POINTS = 48 };
    const ploy_modality *modality = ploy_modalities_get(senses->def.modalities, signal->modality);
    double age = senses->now - signal->emitted;
    float reach = ployi_modality_reach(modality, signal->strength, 0.05f * signal->strength);
    float front = modality->inverse_speed > 0.0f ? (float)(age / (double)modality->inverse_speed)
                                                 : modality->max_range;
    if (modality->linger == 0.0f && front > reach) return; // passed, and heard no more
    front = ploy_minf(front, reach);
    ploy_vec2 points[SENSES_FRONT_POINTS + 1];
    for (int32_t i = 0; i <= SENSES_FRONT_POINTS; i++) {
        float turn = PLOY_TWO_PI_F * (float)(i % SENSES_FRONT_POINTS) / (float)SENSES_FRONT_POINTS;
        ploy_vec2 heading = ploy_angle_heading(turn);
        float along = ploy_vec2_dot(heading, ploy_vec2_from_vec3(senses->wind));
        float stretch = ploy_clampf(1.0f + modality->wind * along, 0.1f, 10.0f);
        points[i] =
            ploy_vec2_add_scaled(ploy_vec2_from_vec3(signal->position), heading, front * stretch);
    }
    if (modality->linger > 0.0f) {
        float left = ploy_powf(1.0f - modality->dissipation, (float)age);
        ploy_draw_polygon(out, PLOY_LAYER_SENSES, PLOY_STYLE_GOOD, signal->source, points,
                          SENSES_FRONT_POINTS, 0.12f * left);
    } else {
        ploy_draw_polyline(out, PLOY_LAYER_SENSES, PLOY_STYLE_WARNING, signal->source, points,
                           SENSES_FRONT_POINTS + 1);
    }
}

void ploy_senses_draw(const ploy_senses *senses, ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_SENSES)) return;
    const ploy_signal *active = senses->active.items;
    for (int32_t i = 0; i < senses->active.count; i++) senses_draw_front(senses, &active[i], out);
    uint32_t cursor = 0;
    void *item = NULL;
    while (ploy_pool_next(senses->pending, &cursor, NULL, &item)) {
        const ploy_percept *percept = item;
        int32_t slot = senses_slot(senses, percept->sensor);
        if (slot < 0 || senses->x[slot] != senses->x[slot]) continue;
        ploy_draw_line(out, PLOY_LAYER_SENSES, PLOY_STYLE_GHOST, percept->sensor,
                       ploy_vec2_from_vec3(percept->signal.position),
                       ploy_vec2_make(senses->x[slot], senses->y[slot]));
    }
}
