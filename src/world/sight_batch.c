// Sight for a crowd; see the header.
//
// Invariants:
//   (1) observers [0, done) of the round have counts and pairs; pairs of observer i lie at
//       i * def.seen, by rising target;
//   (2) the grid holds the targets' positions of the round, projected onto the level plane: a
//       distance there is never larger than the one in space, so no candidate is missed;
//   (3) a worker writes only to the counts and pairs of its observers.
#include "ploy/world/sight_batch.h"

#include <string.h>

#include "ploy/base/math.h"
#include "ploy/geom/grid.h"
#include "world/world_internal.h"

static const ploy_field sight_batch_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_sight_batch_def, observers, 64, 1, 1 << 20, "", "most observers"),
    PLOY_FIELD_I32_FIXED(ploy_sight_batch_def, targets, 64, 1, 1 << 20, "", "most targets"),
    PLOY_FIELD_I32_FIXED(ploy_sight_batch_def, seen, 16, 1, 1 << 12, "",
                         "most targets reported to one observer"),
    PLOY_FIELD_F32(ploy_sight_batch_def, cell_size, 20, 1e-3, 1e6, "m", "of the grid"),
    PLOY_FIELD_I32_FIXED(ploy_sight_batch_def, grain, 16, 1, 1 << 20, "",
                         "observers that a worker takes at a time"),
};

struct ploy_sight_batch {
    ploy_env env;
    ploy_sight_batch_def def;
    size_t size; // bytes of the block, arrays included
    ploy_grid *grid;
    ploy_sight_observer *observers;
    ploy_sight_target *targets;
    ploy_sight_pair *pairs;
    int32_t *counts;
    const ploy_sight_world *world;
    int32_t observer_count;
    int32_t target_count;
    int32_t done;
    bool running;
};

ploy_sight_batch_def ploy_sight_batch_def_default(void) {
    ploy_sight_batch_def def;
    ploy_fields_default(ploy_sight_batch_fields(), &def);
    return def;
}

ploy_fields ploy_sight_batch_fields(void) {
    return PLOY_FIELDS(ploy_sight_batch_def, sight_batch_fields);
}

// Lays an array behind what the block holds so far, aligned. False if sizes overflow.
static bool sight_batch_lay(size_t *size, int64_t count, size_t each, size_t *at) {
    if (*size > SIZE_MAX - PLOY_ALIGNMENT) return false;
    *at = (*size + PLOY_ALIGNMENT - 1) / PLOY_ALIGNMENT * PLOY_ALIGNMENT;
    return ploy_size_add_array(*at, count, each, size);
}

ploy_result ploy_sight_batch_create(const ploy_sight_batch_def *def, const ploy_env *env,
                                    ploy_sight_batch **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_sight_batch_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = sizeof(ploy_sight_batch);
    size_t observers = 0, targets = 0, pairs = 0, counts = 0;
    int64_t pair_count = (int64_t)def->observers * def->seen;
    if (!sight_batch_lay(&size, def->observers, sizeof(ploy_sight_observer), &observers) ||
        !sight_batch_lay(&size, def->targets, sizeof(ploy_sight_target), &targets) ||
        !sight_batch_lay(&size, pair_count, sizeof(ploy_sight_pair), &pairs) ||
        !sight_batch_lay(&size, def->observers, sizeof(int32_t), &counts)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_sight_batch *batch = ploy_env_alloc_zero(env, size);
    if (batch == NULL) return PLOY_ERR_MEMORY;
    batch->env = *env;
    batch->def = *def;
    batch->size = size;
    batch->observers = (ploy_sight_observer *)((char *)batch + observers);
    batch->targets = (ploy_sight_target *)((char *)batch + targets);
    batch->pairs = (ploy_sight_pair *)((char *)batch + pairs);
    batch->counts = (int32_t *)((char *)batch + counts);
    ploy_grid_def grid = ploy_grid_def_default();
    grid.capacity = def->targets;
    grid.cell_size = def->cell_size;
    result = ploy_grid_create(&grid, env, &batch->grid);
    if (result != PLOY_OK) {
        ploy_sight_batch_destroy(batch);
        return result;
    }
    *out = batch;
    return PLOY_OK;
}

void ploy_sight_batch_destroy(ploy_sight_batch *batch) {
    if (batch == NULL) return;
    ploy_env env = batch->env;
    ploy_grid_destroy(batch->grid);
    ploy_env_free(&env, batch, batch->size);
}

ploy_result ploy_sight_batch_begin(ploy_sight_batch *batch, const ploy_sight_observer *observers,
                                   int32_t observer_count, const ploy_sight_target *targets,
                                   int32_t target_count, const ploy_sight_world *world) {
    if (observer_count < 0 || target_count < 0 || world == NULL ||
        (observer_count > 0 && observers == NULL) || (target_count > 0 && targets == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (observer_count > batch->def.observers || target_count > batch->def.targets) {
        return PLOY_ERR_CAPACITY;
    }
    for (int32_t i = 0; i < observer_count; i++) {
        if (observers[i].def == NULL) return PLOY_ERR_ARGUMENT;
    }
    if (observer_count > 0) {
        memcpy(batch->observers, observers, (size_t)observer_count * sizeof *observers);
        memset(batch->counts, 0, (size_t)observer_count * sizeof *batch->counts);
    }
    if (target_count > 0) {
        memcpy(batch->targets, targets, (size_t)target_count * sizeof *targets);
    }
    // The grid reads the positions where they are, in the copies.
    const ploy_vec3 *first = &batch->targets[0].pose.frame.position;
    ploy_points points = {&first->x, &first->y, sizeof *targets, target_count};
    ploy_result result = ploy_grid_rebuild(batch->grid, &points);
    PLOY_ASSERT(result == PLOY_OK);
    batch->world = world;
    batch->observer_count = observer_count;
    batch->target_count = target_count;
    batch->done = 0;
    batch->running = true;
    return result;
}

// Keeps the most visible if there are too many; among equals the one with the lower index. Targets
// come by rising index, and what stays keeps that order.
static void sight_batch_keep(const ploy_sight_batch *batch, ploy_sight_pair *pairs, int32_t *count,
                             const ploy_sight_pair *pair) {
    if (*count == batch->def.seen) {
        int32_t worst = 0;
        for (int32_t i = 1; i < *count; i++) {
            if (pairs[i].visibility <= pairs[worst].visibility) worst = i;
        }
        if (pair->visibility <= pairs[worst].visibility) return;
        memmove(&pairs[worst], &pairs[worst + 1], (size_t)(*count - worst - 1) * sizeof *pairs);
        (*count)--;
    }
    pairs[(*count)++] = *pair;
}

static void sight_batch_look(ploy_sight_batch *batch, int32_t index) {
    enum { SIGHT_BATCH_NEAR = 512 };
    const ploy_sight_observer *observer = &batch->observers[index];
    ploy_sight_pair *pairs = batch->pairs + (size_t)index * (size_t)batch->def.seen;
    ploy_found near_by[SIGHT_BATCH_NEAR];
    int32_t count = 0;
    batch->counts[index] = 0;
    ployi_sight_view view = ployi_sight_view_make(observer, batch->world);
    if (!ploy_vec3_is_finite(view.eye)) return;
    // The grid compares in double, the test in float: a hair more, so that rounding loses no pair.
    float reach = observer->def->range * 1.0001f;
    ploy_query2 query = ploy_query2_radius(ploy_vec2_from_vec3(view.eye), reach);
    int32_t found = ploy_grid_find(batch->grid, &query, near_by, SIGHT_BATCH_NEAR, NULL);
    // In a crowd denser than the room on the stack every target is asked: slower, and the same.
    bool all = found > SIGHT_BATCH_NEAR;
    int32_t tests = all ? batch->target_count : found;
    for (int32_t i = 0; i < tests; i++) {
        int32_t target = all ? i : near_by[i].id;
        ploy_sight sight = ployi_sight_examine(&view, &batch->targets[target]);
        if (sight.reason != PLOY_SIGHT_SEEN) continue;
        ploy_sight_pair pair = {target, sight.visibility, sight.distance,
                                sight.factors[PLOY_SIGHT_COVER]};
        sight_batch_keep(batch, pairs, &count, &pair);
    }
    batch->counts[index] = count;
}

static void sight_batch_job(void *arg, int32_t first, int32_t count, int32_t worker) {
    ploy_sight_batch *batch = arg;
    (void)worker;
    for (int32_t i = 0; i < count; i++) sight_batch_look(batch, batch->done + first + i);
}

ploy_result ploy_sight_batch_step(ploy_sight_batch *batch, ploy_budget *budget,
                                  const ploy_jobs *jobs) {
    if (!batch->running) return PLOY_ERR_STATE;
    int32_t left = batch->observer_count - batch->done;
    // With a deadline the clock is asked between chunks, else one run does all that is paid for.
    while (left > 0 && !ploy_budget_empty(budget)) {
        int32_t count = left;
        if (budget != NULL) {
            if (budget->units < count) count = (int32_t)budget->units;
            int64_t slice = budget->deadline_ns != 0 ? (int64_t)batch->def.grain * 4 : left;
            if (slice < count) count = (int32_t)slice;
            if (!ploy_budget_spend(budget, count)) break;
        }
        ploy_jobs_run(jobs, sight_batch_job, batch, count, batch->def.grain);
        batch->done += count;
        left -= count;
    }
    if (left > 0) return PLOY_IN_PROGRESS;
    ploy_sight_batch_cancel(batch);
    return PLOY_OK;
}

void ploy_sight_batch_cancel(ploy_sight_batch *batch) {
    batch->running = false;
    batch->world = NULL; // borrowed only until here
}

int32_t ployi_sight_batch_done(const ploy_sight_batch *batch) {
    return batch->done;
}

const ploy_sight_pair *ploy_sight_batch_get(const ploy_sight_batch *batch, int32_t observer,
                                            int32_t *count) {
    *count = 0;
    if (observer < 0 || observer >= batch->done) return NULL;
    *count = batch->counts[observer];
    return batch->pairs + (size_t)observer * (size_t)batch->def.seen;
}

const ploy_sight_pair *ploy_sight_batch_find(const ploy_sight_batch *batch, int32_t observer,
                                             int32_t target) {
    int32_t count = 0;
    const ploy_sight_pair *pairs = ploy_sight_batch_get(batch, observer, &count);
    for (int32_t i = 0; i < count; i++) {
        if (pairs[i].target == target) return &pairs[i];
    }
    return NULL;
}

void ploy_sight_batch_describe(const ploy_sight_batch *batch, ploy_describe *out) {
    ploy_describe_bool(out, "running", PLOY_STATE, batch->running);
    ploy_describe_i64(out, "observers", PLOY_STATE, batch->observer_count);
    ploy_describe_i64(out, "targets", PLOY_STATE, batch->target_count);
    ploy_describe_i64(out, "done", PLOY_STATE, batch->done);
    for (int32_t i = 0; i < batch->done; i++) {
        int32_t count = 0;
        const ploy_sight_pair *pairs = ploy_sight_batch_get(batch, i, &count);
        if (count == 0) continue;
        ploy_describe_begin_item(out, i);
        for (int32_t j = 0; j < count; j++) {
            ploy_describe_begin_item(out, pairs[j].target);
            ploy_describe_f32(out, "visibility", PLOY_STATE, pairs[j].visibility);
            ploy_describe_f32(out, "distance", PLOY_STATE, pairs[j].distance);
            ploy_describe_f32(out, "cover", PLOY_STATE, pairs[j].cover);
            ploy_describe_end(out);
        }
        ploy_describe_end(out);
    }
}

void ploy_sight_batch_draw(const ploy_sight_batch *batch, ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_SENSES)) return;
    for (int32_t i = 0; i < batch->done; i++) {
        int32_t count = 0;
        const ploy_sight_pair *pairs = ploy_sight_batch_get(batch, i, &count);
        ploy_vec2 from = ploy_vec2_from_vec3(batch->observers[i].pose.frame.position);
        for (int32_t j = 0; j < count; j++) {
            ploy_vec3 to = batch->targets[pairs[j].target].pose.frame.position;
            ploy_draw_line(out, PLOY_LAYER_SENSES, PLOY_STYLE_BAD, batch->observers[i].agent, from,
                           ploy_vec2_from_vec3(to));
        }
    }
}

void ploy_sight_batch_memory(const ploy_sight_batch *batch, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"sight batch", batch->size, 1};
    fn(user, &item);
    ploy_grid_memory(batch->grid, fn, user);
}
