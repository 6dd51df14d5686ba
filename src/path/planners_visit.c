// Planners described, saved, loaded and measured; see planners_internal.h for the invariants.
//
// A search under way is saved as the units that it spent: a load begins it again and spends them,
// which gives the same search to the last bit.
#include <float.h>

#include "path/finder_internal.h"
#include "path/planners_internal.h"
#include "ploy/base/hash.h"

static const char *planners_state_text(int32_t state) {
    static const char *const texts[] = {"free", "queued", "active", "done"};
    return texts[state];
}

static const char *planners_outcome_text(int32_t outcome) {
    return ploy_path_outcome_text((ploy_path_outcome)outcome);
}

static const ployi_planners_profile *planners_slot_profile(const ploy_planners *planners,
                                                           const ployi_planners_slot *slot) {
    return &planners->profiles[ployi_planners_profile_of(planners, slot->request.profile)];
}

// ---- what is computed ----

static void planners_begin_again(ploy_planners *planners, int32_t number) {
    ployi_planners_worker *worker = &planners->workers[number];
    ploy_finder none = {NULL, NULL};
    if (worker->finder.type != NULL) ploy_finder_cancel(worker->finder);
    worker->finder = none;
    if (worker->slot < 0) return;
    ployi_planners_slot *slot = &planners->slots[worker->slot];
    ploy_finder finder = planners_slot_profile(planners, slot)->finders[worker->which].made[number];
    ploy_finder_request request = ployi_planners_ask(planners, slot);
    ploy_cost_hook costs = ployi_planners_hook(planners, slot);
    bool open = worker->replay_outcome == PLOY_PATH_OPEN;
    if (ployi_finder_replay(finder, &request, &costs, worker->replay, open) >= PLOY_OK) {
        worker->finder = finder;
    } else { // without memory, or on a changed map: it waits for its turn
        slot->state = PLOYI_PLANNERS_QUEUED;
        slot->first = 0;
        worker->slot = -1;
    }
}

static void planners_rebuild(void *object) {
    ploy_planners *planners = object;
    for (int32_t i = 0; i < planners->def.searches; i++) planners_begin_again(planners, i);
    ploy_indexed_heap_clear(&planners->queue);
    for (int32_t i = 0; i < planners->def.capacity; i++) {
        ployi_planners_slot *slot = &planners->slots[i];
        const ployi_planners_profile *profile = planners_slot_profile(planners, slot);
        bool tried = slot->state == PLOYI_PLANNERS_ACTIVE || slot->state == PLOYI_PLANNERS_DONE;
        tried = tried && slot->which < profile->count && slot->result != PLOY_ERR_UNSUPPORTED;
        slot->finder = tried ? profile->finders[slot->which].made[0].type->name : NULL;
        if (slot->state == PLOYI_PLANNERS_FREE) ploy_path_clear(slot->path);
        if (slot->state == PLOYI_PLANNERS_QUEUED) (void)ployi_planners_enqueue(planners, i);
    }
}

// ---- parts ----

static void planners_visit_stats(ploy_visit *v, const ploy_planners *planners,
                                 ploy_planners_stats *stats) {
    ploy_visit_struct(v, "stats", stats, sizeof *stats);
    ploy_visit_i64_in(v, "requests", PLOY_STATE, &stats->requests, 0, INT64_MAX / 2);
    ploy_visit_i64_in(v, "answers", PLOY_STATE, &stats->answers, 0, INT64_MAX / 2);
    ploy_visit_i64_in(v, "cancelled", PLOY_STATE, &stats->cancelled, 0, INT64_MAX / 2);
    ploy_visit_i64_in(v, "units", PLOY_STATE, &stats->units, 0, INT64_MAX / 2);
    ploy_visit_i64_in(v, "hits", PLOY_STATE, &stats->hits, 0, INT64_MAX / 2);
    ploy_visit_i64_in(v, "misses", PLOY_STATE, &stats->misses, 0, INT64_MAX / 2);
    ploy_visit_i64_in(v, "searched", PLOY_NOTE, &stats->searched, 0, INT64_MAX / 2);
    ploy_visit_i64_in(v, "straight", PLOY_NOTE, &stats->straight, 0, INT64_MAX / 2);
    ploy_visit_i64_in(v, "merged", PLOY_NOTE, &stats->merged, 0, INT64_MAX / 2);
    ploy_visit_i64_in(v, "restarted", PLOY_NOTE, &stats->restarted, 0, INT64_MAX / 2);
    ploy_visit_i64_in(v, "waited", PLOY_NOTE, &stats->waited, 0, INT64_MAX / 2);
    ploy_visit_i64_in(v, "longest wait", PLOY_NOTE, &stats->longest_wait, 0, INT64_MAX / 2);
    PLOY_VISIT_SCRATCH(v, stats->queued); // counted when asked
    PLOY_VISIT_SCRATCH(v, stats->active);
    if (v->describe != NULL) {
        ploy_planners_stats now = ploy_planners_stats_of(planners);
        ploy_describe_i64(v->describe, "queued", PLOY_DERIVED, now.queued);
        ploy_describe_i64(v->describe, "active", PLOY_DERIVED, now.active);
    }
}

static void planners_visit_worker(ploy_visit *v, ploy_planners *planners,
                                  ployi_planners_worker *worker) {
    const ploy_finder_state *state = ploy_finder_state_of(worker->finder);
    if (ploy_visit_loads(v) && state != NULL) { // a failed load begins the present search again
        worker->replay = state->units;
        worker->replay_outcome = state->outcome;
    }
    bool busy = !ploy_visit_loads(v) && state != NULL;
    int64_t *units = busy ? (int64_t *)(uintptr_t)&state->units : &worker->replay;
    ploy_path_outcome *outcome =
        busy ? (ploy_path_outcome *)(uintptr_t)&state->outcome : &worker->replay_outcome;
    ploy_visit_begin(v, "search", PLOY_STATE);
    ploy_visit_struct(v, "worker", worker, sizeof *worker);
    PLOY_VISIT_SCRATCH(v, worker->finder);
    PLOY_VISIT_SCRATCH(v, worker->budget);
    PLOY_VISIT_SCRATCH(v, worker->result);
    PLOY_VISIT_SCRATCH(v, worker->replay);
    PLOY_VISIT_SCRATCH(v, worker->replay_outcome);
    ploy_visit_i32_in(v, "slot", PLOY_STATE, &worker->slot, -1, planners->def.capacity - 1);
    ploy_visit_i32_in(v, "which", PLOY_SAVED, &worker->which, 0, PLOY_PLANNERS_FINDERS - 1);
    ploy_visit_i64_in(v, "spent", PLOY_SAVED, units, 0, INT64_MAX / 2);
    PLOY_VISIT_ENUM(v, "search outcome", PLOY_SAVED, *outcome, planners_outcome_text,
                    PLOY_PATH_NONE + 1);
    if (v->describe != NULL) ploy_finder_describe(worker->finder, v->describe);
    ploy_visit_end(v);
}

static void planners_visit_options(ploy_visit *v, ploy_path_options *options) {
    ploy_visit_struct(v, "options", options, sizeof *options);
    ploy_visit_i32_in(v, "priority", PLOY_STATE, &options->priority, -1000, 1000);
    ploy_visit_u32(v, "variety", PLOY_STATE, &options->variety);
    PLOY_VISIT_SCRATCH(v, options->is_goal);
    PLOY_VISIT_SCRATCH(v, options->user);
    PLOY_VISIT_SCRATCH(v, options->costs);
    ploy_value yes = ploy_value_bool(true);
    bool code = options->is_goal != NULL || options->costs.fn != NULL;
    if (ploy_visit_optional(v, "callbacks", code)) {
        ploy_visit_same(v, "callbacks", PLOY_SAVED, &yes);
        ploy_visit_check(v, false, "a request with callbacks cannot be loaded", NULL);
    }
    if (ploy_visit_loads(v)) {
        ploy_path_options plain = ploy_path_options_make();
        ploy_visit_write(v, &options->is_goal, &plain.is_goal, sizeof plain.is_goal);
        ploy_visit_write(v, &options->user, &plain.user, sizeof plain.user);
        ploy_visit_write(v, &options->costs, &plain.costs, sizeof plain.costs);
    }
}

static void planners_visit_request(ploy_visit *v, ploy_path_request *request) {
    ploy_vec3 *from = &request->from, *to = &request->to;
    ploy_visit_struct(v, "request", request, sizeof *request);
    ploy_visit_id(v, "agent", PLOY_STATE, &request->agent.id);
    ploy_visit_vec3(v, "from", PLOY_STATE, &from->x, &from->y, &from->z);
    ploy_visit_vec3(v, "to", PLOY_STATE, &to->x, &to->y, &to->z);
    ploy_visit_name(v, "profile", PLOY_STATE, &request->profile);
    ploy_visit_f32_in(v, "radius", PLOY_STATE, &request->radius, 0.0f, FLT_MAX);
    ploy_visit_u32(v, "mask", PLOY_STATE, &request->mask);
}

static void planners_visit_slot(ploy_visit *v, ploy_planners *planners, ployi_planners_slot *slot) {
    ploy_visit_struct(v, "slot", slot, sizeof *slot);
    PLOY_VISIT_SCRATCH(v, slot->path);
    PLOY_VISIT_SCRATCH(v, slot->finder);
    ploy_visit_u64(v, "turn", PLOY_STATE, &slot->turn);
    planners_visit_options(v, &slot->options);
    PLOY_VISIT_ENUM(v, "outcome", PLOY_STATE, slot->outcome, planners_outcome_text,
                    PLOY_PATH_NONE + 1);
    planners_visit_request(v, &slot->request);
    ploy_visit_vec3(v, "now", PLOY_STATE, &slot->now.x, &slot->now.y, &slot->now.z);
    ploy_visit_i32_in(v, "next finder", PLOY_STATE, &slot->first, 0, PLOY_PLANNERS_FINDERS);
    ploy_visit_i32_in(v, "asked again", PLOY_STATE, &slot->asked, 0, 1000);
    ploy_visit_i64_in(v, "units", PLOY_STATE, &slot->units, 0, INT64_MAX / 2);
    ploy_visit_i64_in(v, "since step", PLOY_NOTE, &slot->since, 0, INT64_MAX / 2);
    ploy_describe_i64(v->describe, "points", PLOY_STATE, ploy_path_count(slot->path));
    ploy_visit_code(v, "result", PLOY_STATE, &slot->result);
    ploy_visit_i32_in(v, "end", PLOY_STATE, &slot->end, PLOY_STATE_NONE, INT32_MAX);
    ploy_visit_i32_in(v, "finder", PLOY_STATE, &slot->which, 0, PLOY_PLANNERS_FINDERS - 1);
    ploy_visit_i32_in(v, "cached", PLOY_STATE, &slot->cached, 0, 1);
    PLOY_VISIT_SCRATCH(v, slot->joined); // it joins again when its turn comes
    ploy_visit_begin(v, "path", PLOY_STATE);
    ploy_path_visit(v, slot->path);
    ploy_visit_end(v);
    ploy_visit_check(v, slot->turn < planners->next_turn, "a turn that has not come", NULL);
}

static void planners_visit_slots(ploy_visit *v, ploy_planners *planners) {
    int32_t count = ploy_visit_fixed(v, "slots", PLOY_SAVED, planners->def.capacity);
    for (int32_t i = 0; i < count; i++) {
        ployi_planners_slot *slot = &planners->slots[i];
        bool is_free = slot->state == PLOYI_PLANNERS_FREE;
        if (v->describe != NULL && is_free) continue;
        ploy_visit_begin_item(v, i, PLOY_STATE);
        PLOY_VISIT_ENUM(v, "state", PLOY_SAVED, slot->state, planners_state_text,
                        PLOYI_PLANNERS_DONE + 1);
        ploy_visit_u32_in(v, "generation", PLOY_STATE, &slot->generation, 1, UINT32_MAX);
        if (slot->state != PLOYI_PLANNERS_FREE) {
            planners_visit_slot(v, planners, slot);
        } else if (v->memory != NULL) {
            ploy_path_visit(v, slot->path);
        }
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    if (v->describe != NULL) { // decides the next tickets
        uint64_t hash = 0;
        for (int32_t i = 0; i < planners->free_count; i++) {
            int32_t at = planners->free_slots[i];
            hash = ploy_hash_combine(hash, (uint64_t)at << 32 | planners->slots[at].generation);
        }
        ploy_describe_u64(v->describe, "free slots", PLOY_STATE, hash);
    }
    int32_t most = planners->def.capacity;
    int32_t free_count = ploy_visit_list(v, "free", PLOY_SAVED, &planners->free_count, most);
    for (int32_t i = 0; i < free_count; i++) {
        ploy_visit_i32_in(v, "free", PLOY_SAVED, &planners->free_slots[i], 0, most - 1);
    }
    ploy_visit_end(v);
}

static void planners_visit_known(ploy_visit *v, ploy_planners *planners) {
    int32_t count = ploy_visit_fixed(v, "cache", PLOY_STATE, planners->def.cached);
    for (int32_t i = 0; i < count; i++) {
        ployi_planners_known *known = &planners->known[i];
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_struct(v, "known", known, sizeof *known);
        PLOY_VISIT_SCRATCH(v, known->path);
        int32_t states = ploy_visit_array(v, "states", PLOY_STATE, &known->states, 1 << 24);
        for (int32_t k = 0; k < states; k++) {
            ploy_visit_i32(v, "state", PLOY_STATE, PLOY_ARRAY_AT(&known->states, int32_t, k));
        }
        ploy_visit_end(v);
        ploy_visit_u64(v, "used", PLOY_STATE, &known->used);
        ploy_visit_u64(v, "map", PLOY_STATE, &known->generation);
        ploy_visit_i32(v, "goal", PLOY_STATE, &known->goal);
        ploy_visit_i32_in(v, "profile", PLOY_STATE, &known->profile, 0, PLOY_PLANNERS_PROFILES);
        ploy_visit_i32_in(v, "finder", PLOY_STATE, &known->finder, 0, PLOY_PLANNERS_FINDERS - 1);
        ploy_visit_begin(v, "path", PLOY_STATE);
        ploy_path_visit(v, known->path);
        ploy_visit_end(v);
        ploy_visit_check(v, ploy_path_count(known->path) == known->states.count,
                         "number of points differs from the number of states", NULL);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

// ---- the whole ----

// Whether slots, searches and the free list of a file keep (1).
static bool planners_is_sound(ploy_planners *planners) {
    int32_t active = 0, is_free = 0;
    for (int32_t i = 0; i < planners->def.capacity; i++) {
        const ployi_planners_slot *slot = &planners->slots[i];
        const ployi_planners_worker *worker = ployi_planners_worker_of(planners, i);
        bool at_work = slot->state == PLOYI_PLANNERS_ACTIVE;
        if (at_work != (worker != NULL)) return false;
        active += at_work;
        is_free += slot->state == PLOYI_PLANNERS_FREE;
        if (at_work && worker->which >= planners_slot_profile(planners, slot)->count) return false;
    }
    if (active != ployi_planners_active(planners) || is_free != planners->free_count) return false;
    for (int32_t i = 0; i < planners->free_count; i++) {
        int32_t slot = planners->free_slots[i];
        if (planners->slots[slot].state != PLOYI_PLANNERS_FREE) return false;
        for (int32_t k = 0; k < i; k++) {
            if (planners->free_slots[k] == slot) return false;
        }
    }
    return true;
}

static void planners_visit_blocks(ploy_visit *v, ploy_planners *planners) {
    const ploy_planners_def *def = &planners->def;
    size_t workers = (size_t)def->searches * sizeof *planners->workers;
    size_t known = (size_t)(def->cached + 1) * sizeof *planners->known;
    size_t made = (size_t)def->searches * sizeof(ploy_finder);
    ploy_visit_block(v, "planners", planners, planners->size);
    ploy_visit_block(v, "planners.workers", planners->workers, workers);
    ploy_visit_block(v, "planners.cache", planners->known, known);
    ploy_visit_block(v, "planners.free", planners->free_slots,
                     (size_t)def->capacity * sizeof *planners->free_slots);
    if (v->memory == NULL) return;
    ploy_indexed_heap_memory(&planners->queue, v->memory, v->memory_user);
    ploy_path_memory(planners->raw, v->memory, v->memory_user);
    for (int32_t i = 0; i < planners->profile_count; i++) {
        const ployi_planners_profile *profile = &planners->profiles[i];
        for (int32_t k = 0; k < profile->count; k++) {
            ploy_visit_block(v, "planners.finders", profile->finders[k].made, made);
            for (int32_t n = 0; n < def->searches; n++) {
                ploy_finder_memory(profile->finders[k].made[n], v->memory, v->memory_user);
            }
        }
    }
}

void ploy_planners_visit(ploy_visit *v, void *object) {
    ploy_planners *planners = object;
    ploy_visit_struct(v, "planners", planners, sizeof *planners);
    ploy_visit_after(v, planners_rebuild, planners);
    planners_visit_blocks(v, planners);
    PLOY_VISIT_SCRATCH(v, planners->env);
    PLOY_VISIT_SCRATCH(v, planners->def);
    PLOY_VISIT_SCRATCH(v, planners->listener);
    PLOY_VISIT_SCRATCH(v, planners->listener_user);
    PLOY_VISIT_SCRATCH(v, planners->profiles);
    PLOY_VISIT_SCRATCH(v, planners->queue);
    PLOY_VISIT_SCRATCH(v, planners->raw);
    PLOY_VISIT_SCRATCH(v, planners->workers);
    PLOY_VISIT_SCRATCH(v, planners->known);
    PLOY_VISIT_SCRATCH(v, planners->free_slots);
    PLOY_VISIT_SCRATCH(v, planners->profile_count);
    PLOY_VISIT_SCRATCH(v, planners->reserved);
    PLOY_VISIT_SCRATCH(v, planners->size);
    planners_visit_stats(v, planners, &planners->stats);
    ploy_visit_i32_in(v, "cursor", PLOY_STATE, &planners->cursor, 0, planners->def.searches - 1);
    ploy_visit_u64(v, "next turn", PLOY_STATE, &planners->next_turn);
    ploy_visit_u64(v, "clock", PLOY_STATE, &planners->clock);
    ploy_visit_i64_in(v, "steps", PLOY_NOTE, &planners->steps, 0, INT64_MAX / 2);
    int32_t searches = ploy_visit_fixed(v, "searches", PLOY_SAVED, planners->def.searches);
    for (int32_t i = 0; i < searches; i++) {
        bool idle = planners->workers[i].slot < 0;
        if (v->describe == NULL || !idle) planners_visit_worker(v, planners, &planners->workers[i]);
    }
    ploy_visit_end(v);
    planners_visit_slots(v, planners);
    planners_visit_known(v, planners);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_check(v, planners_is_sound(planners), "slots and searches do not fit", NULL);
    }
}

void ployi_planners_describe(const void *user, ploy_describe *out) {
    ploy_visit_describe(ploy_planners_visit, user, NULL, out);
}

void ploy_planners_memory(const ploy_planners *planners, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_planners_visit, planners, fn, user);
}
