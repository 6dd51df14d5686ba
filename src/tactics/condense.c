// Condensation and candidates on a grid; the technique is described in the header.
//
// Invariants: (1) `order` has every point that takes part, by value from high to low, then by index;
//             (2) the grid holds exactly the living points.
#include "ploy/tactics/condense.h"

#include <math.h>
#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/math.h"
#include "ploy/geom/grid.h"

static const ploy_field condense_fields[] = {
    PLOY_FIELD_F32(ploy_condense_def, weight, 0.1f, 0, 1e6f, "1/m", "larger keeps more points"),
    PLOY_FIELD_F32(ploy_condense_def, radius, 10, 1e-3f, 1e6f, "m", "neighbours that compete"),
};

typedef struct condense_item {
    ploy_vec3 position;
    float value;
    int32_t removed_by; // -1: by none
    bool alive;
} condense_item;

struct ploy_condense {
    ploy_env env;
    ploy_condense_def def;
    ploy_grid *grid; // of the last begin
    int32_t grid_capacity;
    ploy_array items, order, spare;
    int32_t cursor; // in order
    bool begun;
    ploy_condense_move_fn can_move;
    void *user;
};

int32_t ploy_candidates_grid(ploy_box2 box, float spacing, float clearance, const ploy_scene *scene,
                             uint32_t mask, ploy_vec3 *out, int32_t capacity) {
    double width = floor(((double)box.max.x - box.min.x) / spacing) + 1.0;
    double height = floor(((double)box.max.y - box.min.y) / spacing) + 1.0;
    if (!(spacing > 0.0f) || !(width * height <= (double)(1 << 30))) return -1;
    int32_t count = 0;
    if (ploy_box2_is_empty(box)) return 0;
    for (int32_t row = 0; row < (int32_t)height; row++) {
        for (int32_t column = 0; column < (int32_t)width; column++) {
            ploy_vec3 at = ploy_vec3_make(box.min.x + (float)column * spacing,
                                          box.min.y + (float)row * spacing, 0.0f);
            if (!ploy_scene_ground(scene, at, mask, &at.z, NULL) ||
                ploy_scene_overlap(scene, at, clearance, mask, NULL, 0) > 0) {
                continue;
            }
            if (count < capacity) out[count] = at;
            count++;
        }
    }
    return count;
}

ploy_fields ploy_condense_fields(void) {
    return PLOY_FIELDS(ploy_condense_def, condense_fields);
}

ploy_condense_def ploy_condense_def_default(void) {
    ploy_condense_def def;
    ploy_fields_default(ploy_condense_fields(), &def);
    return def;
}

ploy_result ploy_condense_create(const ploy_condense_def *def, const ploy_env *env,
                                 ploy_condense **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_condense_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_condense *condense = ploy_env_alloc_zero(env, sizeof *condense);
    if (condense == NULL) return PLOY_ERR_MEMORY;
    condense->env = *env;
    condense->def = *def;
    ploy_array_init(&condense->items, sizeof(condense_item), env);
    ploy_array_init(&condense->order, sizeof(int32_t), env);
    ploy_array_init(&condense->spare, sizeof(int32_t), env);
    *out = condense;
    return PLOY_OK;
}

void ploy_condense_destroy(ploy_condense *condense) {
    if (condense == NULL) return;
    ploy_env env = condense->env;
    ploy_grid_destroy(condense->grid);
    ploy_array_fini(&condense->items);
    ploy_array_fini(&condense->order);
    ploy_array_fini(&condense->spare);
    ploy_env_free(&env, condense, sizeof *condense);
}

// Sorts order by value from high to low, then by index: runs of 1, 2, 4, ... are merged.
static void condense_sort(ploy_condense *condense) {
    const condense_item *items = PLOY_ARRAY_ITEMS(&condense->items, condense_item);
    int32_t *from = PLOY_ARRAY_ITEMS(&condense->order, int32_t);
    int32_t *to = PLOY_ARRAY_ITEMS(&condense->spare, int32_t);
    int32_t count = condense->order.count;
    for (int32_t run = 1; run < count; run *= 2) {
        for (int32_t start = 0; start < count; start += 2 * run) {
            int32_t a = start, b = start + run < count ? start + run : count;
            int32_t middle = b, end = start + 2 * run < count ? start + 2 * run : count;
            for (int32_t i = start; i < end; i++) {
                bool left =
                    b == end || (a < middle && items[from[a]].value >= items[from[b]].value);
                to[i] = left ? from[a++] : from[b++];
            }
        }
        int32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != condense->order.items && count > 0) {
        memcpy(condense->order.items, from, (size_t)count * sizeof *from);
    }
}

static ploy_result condense_reserve(ploy_condense *condense, int32_t count) {
    ploy_result result = ploy_array_resize(&condense->items, count);
    if (result == PLOY_OK) result = ploy_array_reserve(&condense->order, count);
    if (result == PLOY_OK) result = ploy_array_reserve(&condense->spare, count);
    if (result != PLOY_OK || (condense->grid != NULL && condense->grid_capacity >= count)) {
        return result;
    }
    ploy_grid_def def = ploy_grid_def_default();
    def.capacity = count > 0 ? count : 1;
    def.cell_size = condense->def.radius;
    ploy_grid *grid = NULL;
    result = ploy_grid_create(&def, &condense->env, &grid);
    if (result != PLOY_OK) return result;
    ploy_grid_destroy(condense->grid);
    condense->grid = grid;
    condense->grid_capacity = def.capacity;
    return PLOY_OK;
}

ploy_result ploy_condense_begin(ploy_condense *condense, const ploy_vec3 *positions,
                                const float *values, int32_t count, ploy_condense_move_fn can_move,
                                void *user) {
    if (condense == NULL || count < 0 || (count > 0 && (positions == NULL || values == NULL))) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!ploy_vec3_is_finite(positions[i]) || isinf(values[i])) return PLOY_ERR_ARGUMENT;
    }
    ploy_condense_cancel(condense);
    ploy_result result = condense_reserve(condense, count);
    if (result != PLOY_OK) {
        ploy_condense_cancel(condense);
        return result;
    }
    condense_item *items = PLOY_ARRAY_ITEMS(&condense->items, condense_item);
    for (int32_t i = 0; i < count; i++) {
        bool alive = values[i] == values[i];
        condense_item item;
        memset(&item, 0, sizeof item);
        item.position = positions[i];
        item.value = alive ? values[i] : 0.0f;
        item.removed_by = -1;
        item.alive = alive;
        items[i] = item;
        if (!alive) continue;
        (void)ploy_array_push(&condense->order, &i); // reserved
        (void)ploy_grid_insert(condense->grid, i, ploy_vec2_from_vec3(positions[i]));
    }
    condense_sort(condense);
    condense->can_move = can_move;
    condense->user = user;
    condense->begun = true;
    return PLOY_OK;
}

typedef struct condense_current {
    ploy_condense *condense;
    int32_t index;
} condense_current;

// Kills every weaker neighbour that is too near for the difference. The grid is changed afterwards:
// it must not change while it is walked.
static bool condense_compete(void *user, int32_t index, double *limit) {
    const condense_current *current = user;
    ploy_condense *condense = current->condense;
    condense_item *items = PLOY_ARRAY_ITEMS(&condense->items, condense_item);
    const condense_item *winner = &items[current->index];
    condense_item *target = &items[index];
    (void)limit;
    if (!target->alive || index == current->index || target->value > winner->value) return true;
    float difference = winner->value - target->value;
    float distance = ploy_vec3_distance(winner->position, target->position);
    float weight = condense->def.weight * distance;
    if (!(distance <= condense->def.radius) || !(difference * difference > weight * weight)) {
        return true;
    }
    if (condense->can_move != NULL && !condense->can_move(condense->user, current->index, index)) {
        return true;
    }
    target->alive = false;
    target->removed_by = current->index;
    return true;
}

ploy_result ploy_condense_step(ploy_condense *condense, ploy_budget *budget) {
    if (condense == NULL || !condense->begun) return PLOY_ERR_STATE;
    const int32_t *order = PLOY_ARRAY_ITEMS(&condense->order, int32_t);
    const condense_item *items = PLOY_ARRAY_ITEMS(&condense->items, condense_item);
    while (condense->cursor < condense->order.count) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        condense_current current = {condense, order[condense->cursor++]};
        if (!items[current.index].alive) continue;
        ploy_query2 query = ploy_query2_radius(ploy_vec2_from_vec3(items[current.index].position),
                                               condense->def.radius);
        ploy_grid_visit(condense->grid, &query, condense_compete, &current, NULL);
    }
    return PLOY_OK;
}

bool ploy_condense_result(const ploy_condense *condense, int32_t index) {
    const condense_item *item = PLOY_ARRAY_AT(&condense->items, condense_item, index);
    return item != NULL && item->alive;
}

int32_t ploy_condense_removed_by(const ploy_condense *condense, int32_t index) {
    const condense_item *item = PLOY_ARRAY_AT(&condense->items, condense_item, index);
    return item == NULL ? -1 : item->removed_by;
}

void ploy_condense_cancel(ploy_condense *condense) {
    condense->begun = false;
    condense->cursor = 0;
    ploy_array_clear(&condense->items);
    ploy_array_clear(&condense->order);
    if (condense->grid != NULL) ploy_grid_clear(condense->grid);
}

void ploy_condense_visit(ploy_visit *v, void *object) {
    ploy_condense *condense = object;
    ploy_visit_object(v, "condense", condense, sizeof *condense);
    PLOY_VISIT_SCRATCH(v, condense->env);
    PLOY_VISIT_SCRATCH(v, condense->def);
    PLOY_VISIT_SCRATCH(v, condense->grid);
    PLOY_VISIT_SCRATCH(v, condense->grid_capacity);
    PLOY_VISIT_SCRATCH(v, condense->order);
    PLOY_VISIT_SCRATCH(v, condense->spare);
    PLOY_VISIT_SCRATCH(v, condense->begun);
    PLOY_VISIT_SCRATCH(v, condense->can_move);
    PLOY_VISIT_SCRATCH(v, condense->user);
    ploy_visit_buffer(v, "condense.order", &condense->order);
    ploy_visit_buffer(v, "condense.spare", &condense->spare);
    if (v->memory != NULL && condense->grid != NULL) {
        ploy_grid_memory(condense->grid, v->memory, v->memory_user);
    }
    ploy_visit_i32_in(v, "done", PLOY_STATE, &condense->cursor, 0, condense->order.count);
    ploy_value same = ploy_value_i64(condense->items.count);
    ploy_visit_same(v, "count", PLOY_SAVED, &same);
    int32_t count =
        ploy_visit_array(v, "points", PLOY_STATE, &condense->items, condense->items.count);
    for (int32_t i = 0; i < count; i++) {
        condense_item *item = PLOY_ARRAY_AT(&condense->items, condense_item, i);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_scratch(v, &item->position, sizeof item->position); // of the caller's begin
        PLOY_VISIT_SCRATCH(v, item->value);
        ploy_visit_i32_in(v, "removed_by", PLOY_STATE, &item->removed_by, -1, count - 1);
        ploy_visit_bool(v, "alive", PLOY_STATE, &item->alive);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

void ploy_condense_describe(const ploy_condense *condense, ploy_describe *out) {
    if (condense != NULL) ploy_visit_describe(ploy_condense_visit, condense, NULL, out);
}

void ploy_condense_memory(const ploy_condense *condense, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_condense_visit, condense, fn, user);
}

void ploy_condense_draw(const ploy_condense *condense, ploy_draw *out) {
    if (condense == NULL || out == NULL) return;
    const condense_item *items = PLOY_ARRAY_ITEMS(&condense->items, condense_item);
    for (int32_t i = 0; i < condense->items.count; i++) {
        ploy_vec2 at = ploy_vec2_from_vec3(items[i].position);
        if (items[i].alive) {
            ploy_draw_disc(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GOOD, ploy_agent_id_none(), at, 0.3f,
                           ploy_clampf(0.2f + 0.8f * items[i].value, 0.0f, 1.0f));
        } else {
            ploy_draw_point(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, ploy_agent_id_none(), at);
        }
    }
}
