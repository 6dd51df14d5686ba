// Smell in a sense graph: it hangs in nodes, fades, and travels along links.
//
// What comes into a node leaves for the neighbours at the same moment of simulated time, so that
// arrival times do not depend on the steps. In each run, cells that are still stronger than what
// their neighbours have send again: after a door was opened, or where a neighbour fades faster.
//
// Invariants, outside a call:
//   (1) on each link and of each smell at most one arrival is under way; `arriving` has room for
//       all of them;
//   (2) active_cells is the number of cells that are active;
//   (3) a smell never raises a cell that is as strong already, so that what goes in circles ends.
#include "world/room_senses_internal.h"

#include "world/world_internal.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"

// Weaker than that it is gone, for modalities without a minimum.
static const float graph_smell_least = 1e-6f;

ploy_result ployi_graph_smell_create(ploy_room_senses *senses) {
    for (int32_t i = 0; i < PLOY_MODALITIES_MAX; i++) senses->smell_of[i] = -1;
    for (int32_t i = 0; i < ployi_modalities_count(senses->modalities); i++) {
        if (ploy_modalities_get(senses->modalities, i)->kind != PLOY_SENSE_SMELL) continue;
        senses->modality_of[senses->smell_count] = i;
        senses->smell_of[i] = senses->smell_count++;
    }
    if (senses->smell_count == 0) return PLOY_OK;
    size_t cells = 0, arrivals = 0;
    int64_t smells = senses->smell_count;
    if (!ploy_size_add_array(0, smells * senses->node_count, sizeof *senses->cells, &cells) ||
        !ploy_size_add_array(0, smells * senses->link_count, sizeof *senses->arrivals, &arrivals)) {
        return PLOY_ERR_ARGUMENT;
    }
    senses->cells = ploy_env_alloc_zero(&senses->env, cells);
    if (senses->cells == NULL) return PLOY_ERR_MEMORY;
    if (arrivals == 0) return PLOY_OK;
    senses->arrivals = ploy_env_alloc_zero(&senses->env, arrivals);
    if (senses->arrivals == NULL) return PLOY_ERR_MEMORY;
    return ploy_heap_reserve(&senses->arriving, senses->smell_count * senses->link_count); // (1)
}

void ployi_graph_smell_destroy(ploy_room_senses *senses) {
    size_t smells = (size_t)senses->smell_count;
    ploy_env_free(&senses->env, senses->cells,
                  smells * (size_t)senses->node_count * sizeof *senses->cells);
    ploy_env_free(&senses->env, senses->arrivals,
                  smells * (size_t)senses->link_count * sizeof *senses->arrivals);
}

static ployi_graph_cell *graph_smell_cell(const ploy_room_senses *senses, int32_t smell,
                                          int32_t node) {
    return &senses->cells[node * senses->smell_count + smell];
}

// What time leaves: I * (1 - dissipation)^dt.
static float graph_smell_faded(float intensity, float lost, double dt) {
    if (!(dt > 0.0) || lost == 0.0f) return intensity;
    return (float)((double)intensity * ploy_pow(1.0 - (double)lost, dt));
}

// What is left of a cell at a time.
static float graph_smell_at(const ploy_room_senses *senses, int32_t smell, int32_t node,
                            double time) {
    const ployi_graph_cell *cell = graph_smell_cell(senses, smell, node);
    if (!cell->active) return 0.0f;
    const ploy_room *place = ploy_room_graph_node(senses->graph, node);
    float lost = place->dissipation[senses->modality_of[smell]];
    return graph_smell_faded(cell->intensity, lost, time - cell->updated);
}

static float graph_smell_minimum(const ploy_room_senses *senses, int32_t smell) {
    const ploy_modality *modality =
        ploy_modalities_get(senses->modalities, senses->modality_of[smell]);
    return ploy_maxf(modality->min_intensity, graph_smell_least);
}

// By how much wind lengthens or shortens the distance along a link.
static float graph_smell_wind(const ploy_room_senses *senses, const ploy_modality *modality,
                              const ploy_room_link *link) {
    ploy_vec3 from = ploy_zone_centre(&ploy_room_graph_node(senses->graph, link->from)->zone);
    ploy_vec3 to = ploy_zone_centre(&ploy_room_graph_node(senses->graph, link->to)->zone);
    float distance = ploy_vec3_distance(from, to);
    if (modality->wind == 0.0f || !(distance > 0.0f)) return 1.0f;
    return ploy_modality_distance(modality, from, to, senses->wind) / distance;
}

// Sends a cell's smell along every link whose far side has less.
static void graph_smell_spread(ploy_room_senses *senses, int32_t smell, int32_t node, double time) {
    const ployi_graph_cell *cell = graph_smell_cell(senses, smell, node);
    int32_t index = senses->modality_of[smell], count = 0;
    const ploy_modality *modality = ploy_modalities_get(senses->modalities, index);
    float air = ploy_room_graph_node(senses->graph, node)->attenuation[index];
    float lost = ploy_room_graph_node(senses->graph, node)->dissipation[index];
    float here = graph_smell_at(senses, smell, node, time);
    float least = graph_smell_minimum(senses, smell);
    const int32_t *out = ploy_room_graph_out(senses->graph, node, &count);
    for (int32_t i = 0; i < count; i++) {
        const ploy_room_link *link = ploy_room_graph_link(senses->graph, out[i]);
        ployi_graph_arrival *arrival = &senses->arrivals[out[i] * senses->smell_count + smell];
        float factor = link->attenuation[index], gain = senses->gain[out[i]];
        if (arrival->on_way || factor == 0.0f || gain == 0.0f) continue;
        float wind = graph_smell_wind(senses, modality, link);
        float to_link = ploy_vec3_distance(cell->entry, link->start) * wind;
        float along = link->distance * wind;
        float left = here * ployi_graph_fade(air, to_link) * ployi_graph_fade(factor, along) * gain;
        float travel = cell->travelled + to_link + along;
        if (!(left >= least) || !(travel <= modality->max_range)) continue;
        double takes = (double)(to_link + along) * (double)modality->inverse_speed;
        // It fades on its way, too: else two rooms could hand a smell to and fro forever, each
        // refreshed by what the other sent before it faded.
        left = graph_smell_faded(left, lost, takes);
        if (!(left >= least) || !(left > graph_smell_at(senses, smell, link->to, time + takes))) {
            continue; // keeps (3)
        }
        double then = time + takes;
        arrival->time = then;
        arrival->intensity = left;
        arrival->travelled = travel;
        arrival->signal = cell->signal;
        arrival->on_way = true; // keeps (1)
        (void)ploy_heap_push(&senses->arriving, then,
                             (uint64_t)(out[i] * senses->smell_count + smell));
    }
}

void ployi_graph_smell_put(ploy_room_senses *senses, int32_t smell, int32_t node, float intensity,
                           float distance, int32_t through, ploy_vec3 entry, double time,
                           const ploy_signal *signal) {
    ployi_graph_cell *cell = graph_smell_cell(senses, smell, node);
    float present = graph_smell_at(senses, smell, node, time);
    if (!(intensity >= graph_smell_minimum(senses, smell)) || !(intensity > present)) return;
    if (!cell->active) {
        cell->since = time;
        senses->active_cells++; // keeps (2)
    }
    cell->active = true;
    cell->intensity = intensity;
    cell->updated = time;
    cell->travelled = distance;
    cell->through = through;
    cell->entry = entry;
    cell->signal = *signal;
    graph_smell_spread(senses, smell, node, time);
}

// Everything that arrives until then, in order of time; each arrival may send others.
static void graph_smell_arrive(ploy_room_senses *senses, double now) {
    double time = 0.0;
    uint64_t payload = 0;
    while (ploy_heap_peek(&senses->arriving, &time, &payload) && time <= now) {
        (void)ploy_heap_pop(&senses->arriving, NULL, NULL);
        ployi_graph_arrival arrival = senses->arrivals[payload];
        memset(&senses->arrivals[payload], 0, sizeof arrival);
        int32_t index = (int32_t)(payload / (uint64_t)senses->smell_count);
        int32_t smell = (int32_t)(payload % (uint64_t)senses->smell_count);
        const ploy_room_link *link = ploy_room_graph_link(senses->graph, index);
        if (senses->gain[index] == 0.0f) continue; // shut while it was under way
        ployi_graph_smell_put(senses, smell, link->to, arrival.intensity, arrival.travelled, index,
                              link->end, time, &arrival.signal);
    }
}

static void graph_smell_notify(ploy_room_senses *senses, int32_t smell, int32_t node) {
    const ployi_graph_cell *cell = graph_smell_cell(senses, smell, node);
    const ploy_modality *modality =
        ploy_modalities_get(senses->modalities, senses->modality_of[smell]);
    const int32_t *list = senses->node_list.items;
    double now = senses->run_now;
    for (int32_t i = senses->node_first[node]; i < senses->node_first[node + 1]; i++) {
        ploy_id id = ploy_pool_id_at(senses->sensors, (uint32_t)list[i]);
        ployi_graph_sensor *sensor = ploy_pool_get(senses->sensors, id);
        ploy_pose pose;
        if (now < sensor->next_smell[smell]) continue;
        if (!ploy_pose_source_get(&senses->poses, sensor->sensor.agent, &pose)) continue;
        double rest = (double)ploy_vec3_distance(cell->entry, pose.frame.position) *
                      (double)modality->inverse_speed;
        if (cell->since + rest > now) continue; // it has not come that far
        ploy_percept percept;
        memset(&percept, 0, sizeof percept);
        percept.signal = cell->signal;
        percept.from = cell->entry;
        percept.distance = cell->travelled;
        percept.intensity = cell->intensity;
        percept.method = PLOY_SENSE_LINGERING;
        percept.through = cell->through;
        // To whom it comes now it came at its time; who walks into it, or senses it again, smells it
        // in this run.
        percept.time = cell->since + rest > senses->run_before ? cell->since : now - rest;
        if (ployi_graph_offer(senses, list[i], &percept, now)) {
            sensor->next_smell[smell] = now + (double)senses->def.renotify_s;
        }
    }
}

// One cell in a run: fades, goes out or spreads and is smelt.
static void graph_smell_run_cell(ploy_room_senses *senses, int32_t place) {
    int32_t smell = place % senses->smell_count, node = place / senses->smell_count;
    ployi_graph_cell *cell = &senses->cells[place];
    cell->intensity = graph_smell_at(senses, smell, node, senses->run_now);
    if (cell->updated < senses->run_now) cell->updated = senses->run_now;
    if (!(cell->intensity >= graph_smell_minimum(senses, smell))) {
        memset(cell, 0, sizeof *cell);
        senses->active_cells--; // keeps (2)
        return;
    }
    graph_smell_spread(senses, smell, node, senses->run_now);
    graph_smell_notify(senses, smell, node);
}

static ploy_result graph_smell_run(ploy_room_senses *senses, ploy_budget *budget) {
    int32_t total = senses->node_count * senses->smell_count;
    for (; senses->cursor < total && senses->active_cells > 0; senses->cursor++) {
        if (!senses->cells[senses->cursor].active) continue;
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        graph_smell_run_cell(senses, senses->cursor);
    }
    senses->running = false;
    return PLOY_OK;
}

ploy_result ployi_graph_smell_step(ploy_room_senses *senses, double now, ploy_budget *budget) {
    if (senses->smell_count == 0) return PLOY_OK;
    ploy_result result = PLOY_OK;
    bool rest = senses->running;
    if (rest) result = graph_smell_run(senses, budget);
    if (result == PLOY_OK && (!rest || now > senses->run_now)) {
        const ploy_signal *sources = senses->sources.items;
        // Arrivals first: a source that was there all the time outshines what comes back.
        graph_smell_arrive(senses, now);
        for (int32_t i = 0; i < senses->sources.count; i++) {
            int32_t node = ployi_graph_locate(senses, sources[i].position);
            if (node < 0) continue;
            ploy_signal signal = sources[i];
            signal.emitted = now;
            ployi_graph_smell_put(senses, senses->smell_of[signal.modality], node, signal.strength,
                                  0.0f, -1, signal.position, now, &signal);
        }
        senses->run_before = senses->run_now;
        senses->run_now = now;
        senses->cursor = 0;
        senses->running = true;
        result = graph_smell_run(senses, budget);
    }
    ployi_graph_queue_sorted(senses);
    return result;
}

float ploy_room_senses_smell(const ploy_room_senses *senses, int32_t modality, int32_t node) {
    if (modality < 0 || modality >= PLOY_MODALITIES_MAX || senses->smell_of[modality] < 0 ||
        node < 0 || node >= senses->node_count) {
        return 0.0f;
    }
    return graph_smell_at(senses, senses->smell_of[modality], node, senses->now);
}

bool ploy_room_senses_trail(const ploy_room_senses *senses, int32_t modality, ploy_vec3 from,
                            ploy_smell_trail *out) {
    int32_t here = ployi_graph_locate(senses, from), count = 0;
    ploy_smell_trail best = {here, -1, ploy_room_senses_smell(senses, modality, here), from};
    if (best.intensity > 0.0f) {
        best.toward = graph_smell_cell(senses, senses->smell_of[modality], here)->entry;
    }
    const int32_t *links = ploy_room_graph_out(senses->graph, here, &count);
    for (int32_t i = 0; i < count; i++) {
        const ploy_room_link *link = ploy_room_graph_link(senses->graph, links[i]);
        float there = ploy_room_senses_smell(senses, modality, link->to);
        if (!(there > best.intensity)) continue;
        best.node = link->to;
        best.link = links[i];
        best.intensity = there;
        best.toward = link->start;
    }
    if (!(best.intensity > 0.0f)) return false;
    *out = best;
    return true;
}

void ployi_graph_smell_draw(const ploy_room_senses *senses, ploy_draw *out) {
    for (int32_t i = 0; i < senses->node_count * senses->smell_count; i++) {
        if (!senses->cells[i].active) continue;
        int32_t smell = i % senses->smell_count, node = i / senses->smell_count;
        float strength = graph_smell_at(senses, smell, node, senses->now);
        ploy_style style = smell % 2 == 0 ? PLOY_STYLE_WARNING : PLOY_STYLE_AGENT_D;
        ploy_zone_draw(&ploy_room_graph_node(senses->graph, node)->zone, PLOY_LAYER_INFLUENCE,
                       style, ploy_agent_id_none(), 0.8f * strength / (strength + 4.0f), out);
    }
}
