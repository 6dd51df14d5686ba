// Tactical points: what is saved, described and drawn.
#include <math.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "ploy/base/math.h"
#include "points_internal.h"

static void points_visit_rebuild(void *object) {
    ploy_tactical_points *points = object;
    uint32_t cursor = 0;
    ploy_id id;
    void *memory = NULL;
    ploy_grid_clear(points->grid);
    while (ploy_pool_next(points->pool, &cursor, &id, &memory)) {
        const ployi_tactical_item *item = memory;
        (void)ploy_grid_insert(points->grid, (int32_t)id.index,
                               ploy_vec2_from_vec3(item->point.position));
    }
    for (int32_t i = 0; i < points->tag_count; i++) points->tags[i].computed = 0;
}

static uint64_t points_visit_definition(const ploy_tactical_points *points) {
    uint64_t hash = 0;
    for (int32_t i = 0; i < points->tag_count; i++) {
        hash = ploy_hash_combine(hash, ploy_hash_text(points->tags[i].name));
        hash = ploy_hash_combine(hash, ploy_hash_text(points->tags[i].text));
    }
    return hash;
}

static void points_visit_item(ploy_visit *v, ploy_tactical_points *points,
                              ployi_tactical_item *item) {
    ploy_tactical_point *point = &item->point;
    ploy_visit_text(v, "name", PLOY_STATE, point->name, sizeof point->name);
    ploy_visit_vec3(v, "position", PLOY_STATE, &point->position.x, &point->position.y,
                    &point->position.z);
    ploy_visit_bool(v, "faces", PLOY_STATE, &point->faces);
    ploy_visit_f32_in(v, "facing", PLOY_STATE, &point->facing, -1e9f, 1e9f);
    ploy_visit_f32_in(v, "radius", PLOY_STATE, &point->radius, 0.0f, 1e9f);
    ploy_visit_i32_in(v, "region", PLOY_STATE, &point->region, -1, INT32_MAX);
    ploy_visit_i32_in(v, "node", PLOY_STATE, &point->node, -1, INT32_MAX);
    ploy_visit_f64_in(v, "created", PLOY_STATE, &point->created, -1e18, 1e18);
    ploy_visit_f64_in(v, "expires", PLOY_STATE, &point->expires, 0.0, 1e18);
    ploy_visit_u64(v, "data", PLOY_STATE, &point->data);
    int32_t tags = ploy_visit_fixed(v, "values", PLOY_STATE, points->tag_count);
    for (int32_t i = 0; i < tags; i++) {
        ploy_visit_f32_in(v, points->tags[i].name, PLOY_STATE, &item->values[i], -1.0f, 1.0f);
    }
    ploy_visit_end(v);
    ploy_visit_scratch(v, item->values + points->tag_count,
                       (size_t)(PLOY_TACTICAL_TAGS_MAX - points->tag_count) * sizeof(float));
    int32_t links =
        ploy_visit_list(v, "links", PLOY_STATE, &item->link_count, PLOY_TACTICAL_LINKS_MAX);
    for (int32_t i = 0; i < links; i++) {
        ploy_visit_i32_in(v, "link", PLOY_STATE, &item->links[i], 0, points->def.capacity - 1);
    }
    ploy_visit_end(v);
    ploy_visit_scratch(v, item->links + item->link_count,
                       (size_t)(PLOY_TACTICAL_LINKS_MAX - item->link_count) * sizeof(int32_t));
    ploy_visit_bool(v, "compromised", PLOY_STATE, &item->compromised);
    ploy_visit_f64(v, "compromised_at", PLOY_STATE, &item->compromised_at);
    ploy_visit_id(v, "owner", PLOY_STATE, &item->owner.id);
    ploy_visit_f64_in(v, "until", PLOY_STATE, &item->until, -1e18, 1e18);
    PLOY_VISIT_SCRATCH(v, item->stamp);
}

// Links lead to living points other than their own and are unique; states belong to living points and
// rise.
static bool points_visit_fits(const ploy_tactical_points *points) {
    uint32_t cursor = 0;
    ploy_id id;
    void *memory = NULL;
    while (ploy_pool_next(points->pool, &cursor, &id, &memory)) {
        const ployi_tactical_item *item = memory;
        for (int32_t i = 0; i < item->link_count; i++) {
            if (ploy_id_is_none(ploy_pool_id_at(points->pool, (uint32_t)item->links[i])) ||
                item->links[i] == (int32_t)id.index) {
                return false;
            }
            for (int32_t j = 0; j < i; j++) {
                if (item->links[j] == item->links[i]) return false;
            }
        }
    }
    const ployi_tactical_state *states = PLOY_ARRAY_ITEMS(&points->states, ployi_tactical_state);
    uint64_t count = (uint64_t)points->def.sectors * (uint64_t)points->def.postures *
                     (uint64_t)points->def.weapons;
    for (int32_t i = 0; i < points->states.count; i++) {
        uint64_t key = states[i].key;
        if ((i > 0 && key <= states[i - 1].key) || (key & 0xffffff) >= count ||
            (int32_t)(key >> 24 & 0xff) >= points->tag_count ||
            ploy_id_is_none(ploy_pool_id_at(points->pool, (uint32_t)(key >> 32)))) {
            return false;
        }
    }
    return true;
}

void ploy_tactical_points_visit(ploy_visit *v, void *object) {
    ploy_tactical_points *points = object;
    ploy_visit_object(v, "tactical_points", points, sizeof *points);
    ploy_visit_after(v, points_visit_rebuild, points);
    PLOY_VISIT_SCRATCH(v, points->env);
    PLOY_VISIT_SCRATCH(v, points->def);
    PLOY_VISIT_SCRATCH(v, points->pool);
    PLOY_VISIT_SCRATCH(v, points->grid);
    PLOY_VISIT_SCRATCH(v, points->rules);
    PLOY_VISIT_SCRATCH(v, points->stack);
    PLOY_VISIT_SCRATCH(v, points->scene);
    PLOY_VISIT_SCRATCH(v, points->mask);
    PLOY_VISIT_SCRATCH(v, points->tag_count);
    PLOY_VISIT_SCRATCH(v, points->changes);
    PLOY_VISIT_SCRATCH(v, points->tags);
    ploy_visit_buffer(v, "tactical_points.stack", &points->stack);
    if (v->memory != NULL) {
        ploy_grid_memory(points->grid, v->memory, v->memory_user);
        ploy_conditions_memory(points->rules, v->memory, v->memory_user);
    }
    ploy_value definition = ploy_value_u64(points_visit_definition(points));
    ploy_visit_same(v, "definition", PLOY_SAVED, &definition);
    ploy_describe_i64(v->describe, "count", PLOY_DERIVED, ploy_pool_count(points->pool));
    ploy_visit_pool(v, "places", points->pool, points->def.capacity);
    int32_t left = ploy_visit_fixed(v, "points", PLOY_STATE, ploy_pool_count(points->pool));
    uint32_t cursor = 0;
    ploy_id id;
    void *memory = NULL;
    while (left-- > 0 && ploy_pool_next(points->pool, &cursor, &id, &memory)) {
        ploy_visit_begin_item(v, (int64_t)id.index, PLOY_STATE);
        points_visit_item(v, points, memory);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    int32_t states = ploy_visit_array(v, "states", PLOY_STATE, &points->states, 1 << 26);
    for (int32_t i = 0; i < states; i++) {
        ployi_tactical_state *state = PLOY_ARRAY_AT(&points->states, ployi_tactical_state, i);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_hex64(v, "key", PLOY_STATE, &state->key);
        ploy_visit_f32_in(v, "value", PLOY_STATE, &state->value, 0.0f, 1.0f);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_check(v, points_visit_fits(points), "inconsistent links or states", NULL);
    }
}

void ploy_tactical_points_describe(const ploy_tactical_points *points, ploy_describe *out) {
    if (points != NULL) ploy_visit_describe(ploy_tactical_points_visit, points, NULL, out);
}

void ploy_tactical_points_memory(const ploy_tactical_points *points, ploy_memory_fn fn,
                                 void *user) {
    ploy_visit_memory(ploy_tactical_points_visit, points, fn, user);
}

void ploy_tactical_points_draw(const ploy_tactical_points *points, int32_t tag, double now,
                               ploy_draw *out) {
    if (points == NULL || out == NULL) return;
    ploy_agent_id nobody = ploy_agent_id_none();
    uint32_t cursor = 0;
    ploy_tactical_id id;
    while (ploy_tactical_points_next(points, &cursor, &id)) {
        const ployi_tactical_item *item = ployi_tactical_item_of(points, id);
        ploy_vec2 at = ploy_vec2_from_vec3(item->point.position);
        float radius = item->point.radius > 0.1f ? item->point.radius : 0.1f;
        for (int32_t i = 0; i < item->link_count; i++) {
            const ployi_tactical_item *to =
                ployi_tactical_item_of(points, ploy_tactical_points_at(points, item->links[i]));
            ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, nobody, at,
                           ploy_vec2_from_vec3(to->point.position));
        }
        float value = tag < 0 ? 1.0f : ploy_tactical_points_value(points, id, tag, now);
        bool avoid = ploy_tactical_points_tag_avoid(points, tag);
        if (!(value == value)) {
            ploy_draw_circle(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, nobody, at, radius);
        } else {
            ploy_draw_disc(out, PLOY_LAYER_REGIONS, avoid ? PLOY_STYLE_BAD : PLOY_STYLE_GOOD,
                           nobody, at, radius, 0.1f + 0.8f * value);
        }
        if (item->point.faces) {
            float sine, cosine;
            ploy_sincosf(item->point.facing, &sine, &cosine);
            ploy_draw_arrow(out, PLOY_LAYER_REGIONS, PLOY_STYLE_PLAIN, nobody, at,
                            ploy_vec2_add_scaled(at, ploy_vec2_make(cosine, sine), 2.0f * radius));
        }
        ploy_agent_id owner = ploy_tactical_points_owner(points, id, now);
        if (!ploy_id_is_none(owner.id)) {
            ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, owner, at, 1.5f * radius);
        }
        if (item->point.name[0] != 0) ploy_draw_text(out, nobody, at, item->point.name);
    }
}
