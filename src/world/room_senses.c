// Senses in a sense graph: sensors, waves of sight and sound, delivery. Smell: graph_smell.c.
//
// Invariants, outside a call:
//   (1) node_list holds every sensor with a node, by node and then by index, unless lists_stale;
//   (2) a record is either free, in `due` or, during a step, in `late`; free ones are in a list of
//       free_count;
//   (3) the open list has room for every link once, as each node is left once in a wave.
#include "world/room_senses_internal.h"

#include "world/world_internal.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"

static const char *const graph_sound_orders[] = {"distance", "intensity"};

static const ploy_field graph_senses_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_room_senses_def, sensors, 64, 1, 1 << 20, "",
                         "sensors that fit before it grows"),
    PLOY_FIELD_I32_FIXED(ploy_room_senses_def, pending, 64, 1, 1 << 20, "",
                         "percepts on their way that fit before it grows"),
    PLOY_FIELD_ENUM(ploy_room_senses_def, sound, PLOY_SOUND_BY_DISTANCE, graph_sound_orders,
                    "what comes first in a wave of sound"),
    PLOY_FIELD_I32(ploy_room_senses_def, sight_links, 1, 0, 2, "", "links that sight passes"),
    PLOY_FIELD_F32(ploy_room_senses_def, renotify_s, 1, 0, 1e6f, "s",
                   "until a sensor is notified again of a lingering smell"),
    PLOY_FIELD_I32_FIXED(ploy_room_senses_def, log, 0, 0, 1 << 16, "", "entries of the log"),
};

// A node that a wave is about to enter.
typedef struct graph_entry {
    int32_t node;
    int32_t through; // link, -1 at the source
    int32_t links;   // passed so far
    float distance;  // m
    float intensity;
    ploy_vec3 at;
} graph_entry;

ploy_fields ploy_room_senses_fields(void) {
    return PLOY_FIELDS(ploy_room_senses_def, graph_senses_fields);
}

ploy_room_senses_def ploy_room_senses_def_default(void) {
    ploy_room_senses_def def;
    ploy_fields_default(ploy_room_senses_fields(), &def);
    return def;
}

float ployi_graph_fade(float factor, float distance) {
    if (factor == 1.0f || distance == 0.0f) return 1.0f;
    return ploy_powf(factor, distance);
}

int32_t ployi_graph_locate(const ploy_room_senses *senses, ploy_vec3 point) {
    if (senses->locate == NULL) return ploy_room_graph_locate(senses->graph, point);
    int32_t node = senses->locate(senses->locate_user, point);
    return node >= 0 && node < senses->node_count ? node : -1;
}

// Everything whose size the graph determines.
static ploy_result graph_senses_allocate(ploy_room_senses *senses) {
    const ploy_env *env = &senses->env;
    size_t nodes = (size_t)senses->node_count, links = (size_t)senses->link_count;
    senses->node_first = ploy_env_alloc_zero(env, (nodes + 1) * sizeof(int32_t));
    senses->seen = ploy_env_alloc_zero(env, nodes * sizeof *senses->seen);
    senses->gain = ploy_env_alloc_zero(env, (links + 1) * sizeof(float));
    if (senses->node_first == NULL || senses->seen == NULL || senses->gain == NULL) {
        return PLOY_ERR_MEMORY;
    }
    for (size_t i = 0; i < links; i++) senses->gain[i] = 1.0f;
    ploy_result result = ploy_heap_reserve(&senses->wave, senses->link_count + 1); // keeps (3)
    if (result == PLOY_OK) result = ploy_array_reserve(&senses->entries, senses->link_count + 1);
    if (result == PLOY_OK) {
        result = ploy_pool_create(sizeof(ployi_graph_sensor), 0, 0, env, &senses->sensors);
    }
    int32_t sensors = PLOY_CAPACITY(senses->def.sensors);
    if (result == PLOY_OK) result = ploy_pool_reserve(senses->sensors, sensors);
    if (result == PLOY_OK) result = ploy_map_reserve(&senses->by_agent, sensors);
    if (result == PLOY_OK) result = ploy_array_reserve(&senses->node_list, sensors);
    if (result == PLOY_OK) {
        result = ployi_graph_reserve_records(senses, PLOY_CAPACITY(senses->def.pending));
    }
    if (result == PLOY_OK && senses->def.log > 0) {
        result = ploy_sense_log_create(senses->def.log, env, &senses->log);
    }
    if (result == PLOY_OK) result = ployi_graph_smell_create(senses);
    return result;
}

ploy_result ploy_room_senses_create(const ploy_room_senses_def *def, const ploy_room_graph *graph,
                                    ploy_pose_source poses, const ploy_env *env,
                                    ploy_room_senses **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || graph == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_room_senses_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_room_senses *senses = ploy_env_alloc_zero(env, sizeof *senses);
    if (senses == NULL) return PLOY_ERR_MEMORY;
    senses->env = *env;
    senses->def = *def;
    senses->graph = graph;
    senses->modalities = ployi_room_graph_modalities(graph);
    senses->poses = poses;
    senses->node_count = ploy_room_graph_node_count(graph);
    senses->link_count = ploy_room_graph_link_count(graph);
    senses->free_record = -1;
    ploy_map_init(&senses->by_agent, sizeof(uint64_t), env);
    ploy_array_init(&senses->node_list, sizeof(int32_t), env);
    (void)ploy_heap_init(&senses->wave, 4, env);
    ploy_array_init(&senses->entries, sizeof(graph_entry), env);
    (void)ploy_heap_init(&senses->sorter, 4, env);
    (void)ploy_heap_init(&senses->due, 4, env);
    (void)ploy_heap_init(&senses->arriving, 4, env);
    ploy_array_init(&senses->records, sizeof(ployi_graph_record), env);
    ploy_array_init(&senses->late, sizeof(int32_t), env);
    ploy_array_init(&senses->batch, sizeof(int32_t), env);
    ploy_array_init(&senses->sources, sizeof(ploy_signal), env);
    result = graph_senses_allocate(senses);
    if (result != PLOY_OK) {
        ploy_room_senses_destroy(senses);
        return result;
    }
    *out = senses;
    return PLOY_OK;
}

void ploy_room_senses_destroy(ploy_room_senses *senses) {
    if (senses == NULL) return;
    ploy_env env = senses->env;
    size_t nodes = (size_t)senses->node_count, links = (size_t)senses->link_count;
    ployi_graph_smell_destroy(senses);
    ploy_sense_log_destroy(senses->log);
    ploy_pool_destroy(senses->sensors);
    ploy_map_fini(&senses->by_agent);
    ploy_array_fini(&senses->node_list);
    ploy_heap_fini(&senses->wave);
    ploy_array_fini(&senses->entries);
    ploy_heap_fini(&senses->sorter);
    ploy_heap_fini(&senses->due);
    ploy_heap_fini(&senses->arriving);
    ploy_array_fini(&senses->records);
    ploy_array_fini(&senses->late);
    ploy_array_fini(&senses->batch);
    ploy_array_fini(&senses->sources);
    ploy_env_free(&env, senses->node_first, (nodes + 1) * sizeof(int32_t));
    ploy_env_free(&env, senses->seen, nodes * sizeof *senses->seen);
    ploy_env_free(&env, senses->gain, (links + 1) * sizeof(float));
    ploy_env_free(&env, senses, sizeof *senses);
}

void ployi_room_senses_set_locate(ploy_room_senses *senses, ploy_sense_locate_fn fn, void *user) {
    senses->locate = fn;
    senses->locate_user = user;
}

// ---- sensors ----

static ployi_graph_sensor *graph_sensor_of(const ploy_room_senses *senses, ploy_agent_id agent,
                                           ploy_id *id) {
    const uint64_t *bits = ploy_map_get(&senses->by_agent, ploy_id_to_u64(agent.id));
    if (bits == NULL) return NULL;
    if (id != NULL) *id = ploy_id_from_u64(*bits);
    return ploy_pool_get(senses->sensors, ploy_id_from_u64(*bits));
}

static int32_t graph_sensor_locate(const ploy_room_senses *senses, ploy_agent_id agent) {
    ploy_pose pose;
    if (!ploy_pose_source_get(&senses->poses, agent, &pose)) return -1;
    return ployi_graph_locate(senses, pose.frame.position);
}

ploy_result ploy_room_senses_set_sensor(ploy_room_senses *senses, const ploy_sensor *sensor) {
    if (sensor == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_modalities_check_sensor(senses->modalities, sensor);
    if (result != PLOY_OK) return result;
    ployi_graph_sensor *known = graph_sensor_of(senses, sensor->agent, NULL);
    if (known != NULL) {
        known->sensor = *sensor;
        return PLOY_OK;
    }
    int32_t count = ploy_pool_count(senses->sensors) + 1;
    ploy_id id;
    void *item = NULL;
    if (senses->by_agent.capacity < count) {
        result = ploy_map_reserve(&senses->by_agent, count + count / 2);
    }
    // One more than there are, whatever the pool's indexes: the list holds each once.
    if (result == PLOY_OK && senses->node_list.capacity < count) {
        result = ploy_array_reserve(&senses->node_list, count + count / 2);
    }
    if (result == PLOY_OK) result = ploy_pool_add(senses->sensors, &id, &item);
    if (result != PLOY_OK) return result;
    known = item;
    known->sensor = *sensor;
    known->node = graph_sensor_locate(senses, sensor->agent);
    senses->lists_stale = true;
    uint64_t bits = ploy_id_to_u64(id);
    return ploy_map_put(&senses->by_agent, ploy_id_to_u64(sensor->agent.id), &bits); // reserved
}

ploy_result ploy_room_senses_remove_sensor(ploy_room_senses *senses, ploy_agent_id agent) {
    ploy_id id;
    if (graph_sensor_of(senses, agent, &id) == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_map_remove(&senses->by_agent, ploy_id_to_u64(agent.id));
    ploy_pool_remove(senses->sensors, id);
    senses->lists_stale = true;
    return PLOY_OK;
}

int32_t ployi_room_senses_sensor_count(const ploy_room_senses *senses) {
    return ploy_pool_count(senses->sensors);
}

int32_t ployi_room_senses_node_of(const ploy_room_senses *senses, ploy_agent_id agent) {
    const ployi_graph_sensor *sensor = graph_sensor_of(senses, agent, NULL);
    return sensor != NULL ? sensor->node : -1;
}

// Sorts the sensors by node, counting. Keeps (1).
static void graph_senses_sort_sensors(ploy_room_senses *senses) {
    if (!senses->lists_stale) return;
    int32_t *first = senses->node_first, nodes = senses->node_count;
    memset(first, 0, ((size_t)nodes + 1) * sizeof *first);
    uint32_t cursor = 0;
    ploy_id id;
    void *item = NULL;
    while (ploy_pool_next(senses->sensors, &cursor, &id, &item)) {
        const ployi_graph_sensor *sensor = item;
        if (sensor->node >= 0) first[sensor->node + 1]++;
    }
    for (int32_t i = 0; i < nodes; i++) first[i + 1] += first[i];
    (void)ploy_array_resize(&senses->node_list, first[nodes]); // reserved with each sensor
    int32_t *list = senses->node_list.items;
    cursor = 0;
    while (ploy_pool_next(senses->sensors, &cursor, &id, &item)) {
        const ployi_graph_sensor *sensor = item;
        if (sensor->node >= 0) list[first[sensor->node]++] = (int32_t)id.index;
    }
    for (int32_t i = nodes; i > 0; i--) first[i] = first[i - 1];
    first[0] = 0;
    senses->lists_stale = false;
}

static void graph_senses_locate_all(ploy_room_senses *senses) {
    uint32_t cursor = 0;
    ploy_id id;
    void *item = NULL;
    while (ploy_pool_next(senses->sensors, &cursor, &id, &item)) {
        ployi_graph_sensor *sensor = item;
        int32_t node = graph_sensor_locate(senses, sensor->sensor.agent);
        if (node != sensor->node) senses->lists_stale = true;
        sensor->node = node;
    }
    graph_senses_sort_sensors(senses);
}

// ---- doors and wind ----

ploy_result ploy_room_senses_set_link(ploy_room_senses *senses, int32_t link, float gain) {
    if (link < 0 || link >= senses->link_count || !ploy_in_range(gain, 0.0f, 1.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    senses->gain[link] = gain;
    return PLOY_OK;
}

float ployi_room_senses_link(const ploy_room_senses *senses, int32_t link) {
    return link >= 0 && link < senses->link_count ? senses->gain[link] : 0.0f;
}

ploy_result ploy_room_senses_set_wind(ploy_room_senses *senses, ploy_vec3 wind) {
    if (!ploy_vec3_is_finite(wind)) return PLOY_ERR_ARGUMENT;
    senses->wind = wind;
    return PLOY_OK;
}

// ---- percepts on their way ----

static ployi_graph_record *graph_record_at(const ploy_room_senses *senses, int32_t index) {
    return PLOY_ARRAY_ITEMS(&senses->records, ployi_graph_record) + index;
}

static void graph_record_free(ploy_room_senses *senses, int32_t index) {
    ployi_graph_record *record = graph_record_at(senses, index);
    record->sensor = ploy_id_none();
    record->next_free = senses->free_record;
    senses->free_record = index;
    senses->free_count++;
}

ploy_result ployi_graph_reserve_records(ploy_room_senses *senses, int64_t more) {
    int64_t missing = more - senses->free_count;
    int64_t all = senses->records.count + (missing > 0 ? missing : 0);
    if (all > INT32_MAX / 2) return PLOY_ERR_MEMORY;
    int32_t first = senses->records.count;
    ploy_result result = PLOY_OK;
    if (missing > 0) result = ploy_array_reserve(&senses->records, (int32_t)(all + all / 2));
    if (result == PLOY_OK) result = ploy_heap_reserve(&senses->due, senses->records.capacity);
    if (result == PLOY_OK) result = ploy_heap_reserve(&senses->sorter, senses->records.capacity);
    if (result == PLOY_OK) result = ploy_array_reserve(&senses->late, senses->records.capacity);
    if (result == PLOY_OK) result = ploy_array_reserve(&senses->batch, senses->records.capacity);
    if (result != PLOY_OK || missing <= 0) return result;
    (void)ploy_array_resize(&senses->records, senses->records.capacity);
    for (int32_t i = senses->records.count - 1; i >= first; i--) {
        graph_record_free(senses, i); // keeps (2)
    }
    return PLOY_OK;
}

bool ployi_graph_offer(ploy_room_senses *senses, int32_t sensor_index, ploy_percept *percept,
                       double now) {
    ploy_id id = ploy_pool_id_at(senses->sensors, (uint32_t)sensor_index);
    const ployi_graph_sensor *sensor = ploy_pool_get(senses->sensors, id);
    ploy_pose pose;
    memset(&pose, 0, sizeof pose);
    ploy_sense_test test = {&percept->signal,  &sensor->sensor,    &pose, now,
                            percept->distance, percept->intensity, 0};
    ploy_sense_reason reason = PLOY_SENSE_NO_POSE;
    if (ploy_pose_source_get(&senses->poses, sensor->sensor.agent, &pose)) {
        // The remaining distance, from where it entered the node to the sensor.
        const ploy_room *node = ploy_room_graph_node(senses->graph, sensor->node);
        float rest = ploy_vec3_distance(percept->from, pose.frame.position);
        test.distance += rest;
        test.intensity *= ployi_graph_fade(node->attenuation[percept->signal.modality], rest);
        reason = ploy_modalities_test(senses->modalities, &test);
    }
    if (reason != PLOY_SENSE_SENSED) {
        ployi_sense_log_add_test(senses->log, &test, reason, percept->method, percept->through);
        return false;
    }
    const ploy_modality *modality =
        ploy_modalities_get(senses->modalities, percept->signal.modality);
    int32_t place = senses->free_record;
    ployi_graph_record *record = graph_record_at(senses, place);
    senses->free_record = record->next_free;
    senses->free_count--;
    record->percept = *percept;
    record->percept.sensor = sensor->sensor.agent;
    record->percept.distance = test.distance;
    record->percept.intensity = test.intensity;
    record->percept.detail = test.detail;
    // A smell's time is when it came to the node; the remaining distance counts from then.
    float rest = test.distance - percept->distance;
    float travel = percept->method == PLOY_SENSE_LINGERING ? rest : test.distance;
    record->percept.time = percept->time + (double)travel * (double)modality->inverse_speed;
    record->sensor = id;
    (void)ploy_array_push(&senses->batch, &place); // reserved
    return true;
}

// The percepts of one signal by sensor: few by insertion, since each node's come in order already,
// many through the heap.
static void graph_senses_sort_batch(ploy_room_senses *senses) {
    int32_t *batch = senses->batch.items, count = senses->batch.count;
    for (int32_t i = 1; i < count && count <= 64; i++) {
        int32_t place = batch[i], at = i;
        uint32_t index = graph_record_at(senses, place)->sensor.index;
        for (; at > 0 && graph_record_at(senses, batch[at - 1])->sensor.index > index; at--) {
            batch[at] = batch[at - 1];
        }
        batch[at] = place;
    }
    if (count <= 64) return;
    for (int32_t i = 0; i < count; i++) {
        double key = (double)graph_record_at(senses, batch[i])->sensor.index;
        (void)ploy_heap_push(&senses->sorter, key, (uint64_t)batch[i]); // reserved
    }
    uint64_t place = 0;
    for (int32_t i = 0; ploy_heap_pop(&senses->sorter, NULL, &place); i++)
        batch[i] = (int32_t)place;
}

void ployi_graph_queue_sorted(ploy_room_senses *senses) {
    graph_senses_sort_batch(senses);
    const int32_t *batch = senses->batch.items;
    for (int32_t i = 0; i < senses->batch.count; i++) {
        if (senses->busy) {
            (void)ploy_array_push(&senses->late, &batch[i]);
        } else {
            double time = graph_record_at(senses, batch[i])->percept.time;
            (void)ploy_heap_push(&senses->due, time, (uint64_t)batch[i]);
        }
    }
    ploy_array_clear(&senses->batch);
}

// ---- waves ----

// Pushes an entry unless its node is reached as well already by one that waits: of equals the first
// counts, so nothing is lost.
static void graph_wave_push(ploy_room_senses *senses, const graph_entry *entry) {
    double key = senses->def.sound == PLOY_SOUND_BY_DISTANCE ? (double)entry->distance
                                                             : -(double)entry->intensity;
    ployi_graph_seen *seen = &senses->seen[entry->node];
    if (seen->wave == senses->wave_count && !(key < seen->key)) return;
    seen->wave = senses->wave_count;
    seen->key = key;
    uint64_t place = (uint64_t)senses->entries.count;
    (void)ploy_array_push(&senses->entries, entry); // room by (3)
    (void)ploy_heap_push(&senses->wave, key, place);
}

static void graph_wave_tell(ploy_room_senses *senses, const graph_entry *entry,
                            const ploy_signal *signal, double now) {
    ploy_percept percept;
    memset(&percept, 0, sizeof percept);
    percept.signal = *signal;
    percept.time = now;
    percept.from = entry->at;
    percept.distance = entry->distance;
    percept.intensity = entry->intensity;
    percept.method = entry->through < 0 ? PLOY_SENSE_DIRECT : PLOY_SENSE_CONNECTION;
    percept.through = entry->through;
    const int32_t *list = senses->node_list.items;
    for (int32_t i = senses->node_first[entry->node]; i < senses->node_first[entry->node + 1];
         i++) {
        (void)ployi_graph_offer(senses, list[i], &percept, now);
    }
}

static void graph_wave_leave(ploy_room_senses *senses, const graph_entry *entry,
                             const ploy_modality *modality, int32_t index) {
    int32_t count = 0;
    const int32_t *out = ploy_room_graph_out(senses->graph, entry->node, &count);
    float air = ploy_room_graph_node(senses->graph, entry->node)->attenuation[index];
    for (int32_t i = 0; i < count; i++) {
        const ploy_room_link *link = ploy_room_graph_link(senses->graph, out[i]);
        float factor = link->attenuation[index], gain = senses->gain[out[i]];
        if (factor == 0.0f || gain == 0.0f || senses->seen[link->to].left == senses->wave_count) {
            continue;
        }
        float to_link = ploy_vec3_distance(entry->at, link->start);
        graph_entry next = {link->to, out[i], entry->links + 1, 0.0f, 0.0f, link->end};
        next.distance = entry->distance + to_link + link->distance;
        const ployi_graph_seen *seen = &senses->seen[link->to];
        if (senses->def.sound == PLOY_SOUND_BY_DISTANCE && seen->wave == senses->wave_count &&
            !((double)next.distance < seen->key)) {
            continue; // as graph_wave_push would say, before the powers are computed
        }
        next.intensity = entry->intensity * ployi_graph_fade(air, to_link) *
                         ployi_graph_fade(factor, link->distance) * gain;
        // Equal to the minimum still counts; a check may raise what arrives.
        float best = modality->check != NULL ? ploy_maxf(modality->check_gain, 1.0f) : 1.0f;
        if (!(next.intensity * best >= modality->min_intensity) || !(next.intensity > 0.0f) ||
            !(next.distance <= modality->max_range)) {
            continue;
        }
        graph_wave_push(senses, &next);
    }
}

// Who was not reached, for the question why.
static void graph_wave_log_rest(ploy_room_senses *senses, const ploy_signal *signal, double now) {
    if (senses->log == NULL) return;
    uint32_t cursor = 0;
    ploy_id id;
    void *item = NULL;
    while (ploy_pool_next(senses->sensors, &cursor, &id, &item)) {
        const ployi_graph_sensor *sensor = item;
        if (sensor->node >= 0 && senses->seen[sensor->node].left == senses->wave_count) continue;
        ploy_sense_test test = {signal, &sensor->sensor, NULL, now, 0.0f, 0.0f, 0};
        ployi_sense_log_add_test(senses->log, &test, PLOY_SENSE_NO_ROUTE, PLOY_SENSE_CONNECTION,
                                 -1);
    }
}

static void graph_wave_run(ploy_room_senses *senses, const ploy_signal *signal, int32_t node,
                           int32_t most_links, double now) {
    int32_t index = signal->modality;
    const ploy_modality *modality = ploy_modalities_get(senses->modalities, index);
    if (++senses->wave_count == 0) { // after 2^32 waves: begin again
        memset(senses->seen, 0, (size_t)senses->node_count * sizeof *senses->seen);
        senses->wave_count = 1;
    }
    ploy_array_clear(&senses->entries);
    ploy_heap_clear(&senses->wave);
    graph_entry start = {node, -1, 0, 0.0f, signal->strength, signal->position};
    graph_wave_push(senses, &start);
    uint64_t place = 0;
    while (ploy_heap_pop(&senses->wave, NULL, &place)) {
        graph_entry entry = PLOY_ARRAY_ITEMS(&senses->entries, graph_entry)[place];
        if (senses->seen[entry.node].left == senses->wave_count) continue;
        senses->seen[entry.node].left = senses->wave_count;
        graph_wave_tell(senses, &entry, signal, now);
        if (entry.links < most_links) graph_wave_leave(senses, &entry, modality, index);
    }
    graph_wave_log_rest(senses, signal, now);
    ployi_graph_queue_sorted(senses);
}

ploy_result ploy_room_senses_add_signal(ploy_room_senses *senses, const ploy_signal *signal,
                                        double now) {
    if (signal == NULL || !ploy_is_finite_d(now) || (senses->stepped && now < senses->now)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ployi_modalities_check_signal(senses->modalities, signal);
    if (result != PLOY_OK) return result;
    int32_t node = ployi_graph_locate(senses, signal->position);
    if (node < 0) return PLOY_ERR_NOT_FOUND;
    result = ployi_graph_reserve_records(senses, ploy_pool_count(senses->sensors));
    if (result != PLOY_OK) return result;
    graph_senses_sort_sensors(senses);
    ploy_signal copy = *signal;
    copy.emitted = now;
    copy.order = senses->next_order++;
    ploy_sense_kind kind = ploy_modalities_get(senses->modalities, copy.modality)->kind;
    if (kind == PLOY_SENSE_SMELL) {
        ployi_graph_smell_put(senses, senses->smell_of[copy.modality], node, copy.strength, 0.0f,
                              -1, copy.position, now, &copy);
        return PLOY_OK;
    }
    int32_t most = kind == PLOY_SENSE_SIGHT   ? senses->def.sight_links
                   : kind == PLOY_SENSE_TOUCH ? 0
                                              : INT32_MAX;
    graph_wave_run(senses, &copy, node, most, now);
    return PLOY_OK;
}

static int32_t graph_source_find(const ploy_room_senses *senses, ploy_agent_id source,
                                 int32_t modality) {
    const ploy_signal *sources = senses->sources.items;
    for (int32_t i = 0; i < senses->sources.count; i++) {
        if (ploy_id_equal(sources[i].source.id, source.id) && sources[i].modality == modality) {
            return i;
        }
    }
    return -1;
}

ploy_result ploy_room_senses_set_source(ploy_room_senses *senses, const ploy_signal *signal) {
    if (signal == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_modalities_check_signal(senses->modalities, signal);
    if (result != PLOY_OK) return result;
    if (senses->smell_of[signal->modality] < 0) return PLOY_ERR_ARGUMENT;
    int32_t place = graph_source_find(senses, signal->source, signal->modality);
    ploy_signal copy = *signal;
    copy.order = senses->next_order;
    if (place < 0) {
        result = ploy_array_push(&senses->sources, &copy);
    } else {
        copy.order = PLOY_ARRAY_ITEMS(&senses->sources, ploy_signal)[place].order;
        PLOY_ARRAY_ITEMS(&senses->sources, ploy_signal)[place] = copy;
    }
    if (result == PLOY_OK && place < 0) senses->next_order++;
    return result;
}

ploy_result ploy_room_senses_remove_source(ploy_room_senses *senses, ploy_agent_id source,
                                           int32_t modality) {
    int32_t place = graph_source_find(senses, source, modality);
    return ploy_array_remove(&senses->sources, place) ? PLOY_OK : PLOY_ERR_NOT_FOUND;
}

// ---- the step ----

static void graph_senses_deliver(ploy_room_senses *senses, ploy_percept_fn fn, void *user) {
    double time = 0.0;
    uint64_t place = 0;
    while (ploy_heap_peek(&senses->due, &time, &place) && time <= senses->now) {
        (void)ploy_heap_pop(&senses->due, NULL, NULL);
        ployi_graph_record record = *graph_record_at(senses, (int32_t)place);
        graph_record_free(senses, (int32_t)place);
        const ployi_graph_sensor *sensor = ploy_pool_get(senses->sensors, record.sensor);
        if (senses->log != NULL) {
            const ploy_percept *percept = &record.percept;
            ploy_sense_entry entry;
            memset(&entry, 0, sizeof entry);
            entry.sensor = percept->sensor;
            entry.source = percept->signal.source;
            entry.cause = percept->signal.cause;
            entry.order = percept->signal.order;
            entry.time = percept->time;
            entry.intensity = percept->intensity;
            entry.distance = percept->distance;
            entry.modality = percept->signal.modality;
            entry.method = percept->method;
            entry.through = percept->through;
            entry.reason = sensor != NULL ? PLOY_SENSE_SENSED : PLOY_SENSE_GONE;
            entry.detail = percept->detail;
            if (sensor != NULL) {
                entry.threshold = sensor->sensor.channels[entry.modality].threshold;
            }
            ployi_sense_log_add(senses->log, &entry);
        }
        if (sensor != NULL && fn != NULL) fn(user, &record.percept);
    }
}

ploy_result ploy_room_senses_step(ploy_room_senses *senses, double now, ploy_budget *budget,
                                  ploy_percept_fn fn, void *user) {
    if (senses->busy) return PLOY_ERR_STATE;
    if (!ploy_is_finite_d(now) || (senses->stepped && now < senses->now)) return PLOY_ERR_ARGUMENT;
    // Two runs may meet in a step: the rest of the last one and this one's.
    int64_t most = 2 * (int64_t)ploy_pool_count(senses->sensors) * senses->smell_count;
    ploy_result result = ployi_graph_reserve_records(senses, most);
    if (result != PLOY_OK) return result;
    graph_senses_locate_all(senses);
    senses->now = now;
    senses->stepped = true;
    result = ployi_graph_smell_step(senses, now, budget);
    senses->busy = true;
    graph_senses_deliver(senses, fn, user);
    senses->busy = false;
    const int32_t *late = senses->late.items;
    for (int32_t i = 0; i < senses->late.count; i++) {
        double time = graph_record_at(senses, late[i])->percept.time;
        (void)ploy_heap_push(&senses->due, time, (uint64_t)late[i]); // reserved
    }
    ploy_array_clear(&senses->late);
    return result;
}

int32_t ployi_room_senses_pending(const ploy_room_senses *senses) {
    return ploy_heap_count(&senses->due);
}

const ploy_sense_log *ploy_room_senses_log(const ploy_room_senses *senses) {
    return senses->log;
}

// ---- sight ----

void ploy_room_senses_draw(const ploy_room_senses *senses, ploy_draw *out) {
    ployi_graph_smell_draw(senses, out);
    for (int32_t i = 0; i < senses->link_count; i++) {
        const ploy_room_link *link = ploy_room_graph_link(senses->graph, i);
        if (senses->gain[i] > 0.0f) continue;
        ploy_draw_point(out, PLOY_LAYER_PATHS, PLOY_STYLE_BAD, ploy_agent_id_none(),
                        ploy_vec2_make(link->start.x, link->start.y));
    }
}
