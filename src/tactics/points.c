// Tactical points: the set, its values and its claims. Rules are in points_rule.c, links in
// points_link.c, the visitor and the picture in points_visit.c.
//
// Invariants, from create to destroy:
//   (1) the grid holds exactly the points of the pool, under the index of their id;
//   (2) links are indexes of living points, without duplicates and without the point itself;
//   (3) states are sorted by key and belong to living points;
//   (4) the rules of the tags form no cycle: `uses` is closed and never has the tag's own bit.
#include "ploy/tactics/points.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "points_internal.h"

static const ploy_field points_fields[] = {
    PLOY_FIELD_I32(ploy_tactical_points_def, capacity, 256, 1, 1 << 20, "", "most points"),
    PLOY_FIELD_I32(ploy_tactical_points_def, sectors, 4, 1, 16, "", "directions of a threat"),
    PLOY_FIELD_I32(ploy_tactical_points_def, postures, 2, 1, 8, "", "postures"),
    PLOY_FIELD_I32(ploy_tactical_points_def, weapons, 5, 1, 16, "", "classes of weapons"),
    PLOY_FIELD_F32(ploy_tactical_points_def, fade, 20, 1e-3f, 1e6f, "s",
                   "until a compromised point is secret again"),
    PLOY_FIELD_F32(ploy_tactical_points_def, cell, 8, 1e-3f, 1e6f, "m", "cell of the index"),
};

static const struct {
    const char *name;
    bool avoid;
} points_tags[PLOY_TACTICAL_TAGS] = {
    {"rally", false},  {"cover", false},    {"sniper", false},    {"shadow", false},
    {"fire", false},   {"power_up", false}, {"recon", false},     {"exit", false},
    {"ambush", false}, {"exposed", true},   {"bad_ground", true}, {"interest", false},
};

ploy_fields ploy_tactical_points_fields(void) {
    return PLOY_FIELDS(ploy_tactical_points_def, points_fields);
}

ploy_tactical_points_def ploy_tactical_points_def_default(void) {
    ploy_tactical_points_def def;
    ploy_fields_default(ploy_tactical_points_fields(), &def);
    return def;
}

ploy_tactical_point ploy_tactical_point_make(ploy_vec3 position) {
    ploy_tactical_point point;
    memset(&point, 0, sizeof point);
    point.position = position;
    point.radius = 0.5f;
    point.region = -1;
    point.node = -1;
    return point;
}

ploy_result ploy_tactical_points_create(const ploy_tactical_points_def *def, const ploy_env *env,
                                        ploy_tactical_points **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_tactical_points_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_tactical_points *points = ploy_env_alloc_zero(env, sizeof *points);
    if (points == NULL) return PLOY_ERR_MEMORY;
    points->env = *env;
    points->def = *def;
    points->changes = 1;
    points->mask = PLOY_SCENE_ALL;
    ploy_array_init(&points->states, sizeof(ployi_tactical_state), env);
    ploy_array_init(&points->stack, sizeof(int32_t), env);
    ploy_grid_def grid = ploy_grid_def_default();
    grid.capacity = def->capacity;
    grid.cell_size = def->cell;
    result = ploy_grid_create(&grid, env, &points->grid);
    if (result == PLOY_OK) {
        result =
            ploy_pool_create(sizeof(ployi_tactical_item), 0, def->capacity, env, &points->pool);
    }
    if (result == PLOY_OK) result = ploy_conditions_create(NULL, env, &points->rules);
    if (result == PLOY_OK) result = ployi_tactical_words(points);
    for (int32_t i = 0; i < PLOY_TACTICAL_TAGS && result == PLOY_OK; i++) {
        result =
            ploy_tactical_points_add_tag(points, points_tags[i].name, points_tags[i].avoid, NULL);
    }
    if (result != PLOY_OK) {
        ploy_tactical_points_destroy(points);
        return result;
    }
    *out = points;
    return PLOY_OK;
}

void ploy_tactical_points_destroy(ploy_tactical_points *points) {
    if (points == NULL) return;
    ploy_env env = points->env;
    ploy_conditions_destroy(points->rules);
    ploy_pool_destroy(points->pool);
    ploy_grid_destroy(points->grid);
    ploy_array_fini(&points->states);
    ploy_array_fini(&points->stack);
    ploy_env_free(&env, points, sizeof *points);
}

// ---- qualities

static bool points_is_name(const char *name) {
    if (name == NULL) return false;
    size_t size = strlen(name);
    if (size == 0 || size > PLOY_TACTICAL_NAME_MAX || (name[0] >= '0' && name[0] <= '9')) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        char c = name[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(c >= '0' && c <= '9')) return false;
    }
    return true;
}

ploy_result ploy_tactical_points_add_tag(ploy_tactical_points *points, const char *name, bool avoid,
                                         int32_t *tag) {
    if (points == NULL || !points_is_name(name)) return PLOY_ERR_ARGUMENT;
    if (ploy_tactical_points_tag(points, name) >= 0) return PLOY_ERR_EXISTS;
    if (points->tag_count == PLOY_TACTICAL_TAGS_MAX) return PLOY_ERR_CAPACITY;
    ployi_tactical_tag *item = &points->tags[points->tag_count];
    memset(item, 0, sizeof *item);
    memcpy(item->name, name, strlen(name) + 1);
    item->avoid = avoid;
    item->number = points->tag_count;
    ploy_result result = ployi_tactical_word_of_tag(points, points->tag_count);
    if (result != PLOY_OK) return result;
    if (tag != NULL) *tag = points->tag_count;
    points->tag_count++;
    return PLOY_OK;
}

int32_t ploy_tactical_points_tag(const ploy_tactical_points *points, const char *name) {
    for (int32_t i = 0; points != NULL && name != NULL && i < points->tag_count; i++) {
        if (strcmp(points->tags[i].name, name) == 0) return i;
    }
    return -1;
}

int32_t ploy_tactical_points_tag_count(const ploy_tactical_points *points) {
    return points->tag_count;
}

static bool points_has_tag(const ploy_tactical_points *points, int32_t tag) {
    return tag >= 0 && tag < points->tag_count;
}

const char *ploy_tactical_points_tag_name(const ploy_tactical_points *points, int32_t tag) {
    return points_has_tag(points, tag) ? points->tags[tag].name : "";
}

bool ploy_tactical_points_tag_avoid(const ploy_tactical_points *points, int32_t tag) {
    return points_has_tag(points, tag) && points->tags[tag].avoid;
}

void ploy_tactical_points_set_scene(ploy_tactical_points *points, const ploy_scene *scene,
                                    uint32_t mask) {
    memset(&points->scene, 0, sizeof points->scene);
    if (scene != NULL) points->scene = *scene;
    points->mask = mask;
    points->changes++;
}

// ---- points

ployi_tactical_item *ployi_tactical_item_of(const ploy_tactical_points *points,
                                            ploy_tactical_id id) {
    return points == NULL ? NULL : ploy_pool_get(points->pool, id.id);
}

static bool points_is_valid(const ploy_tactical_point *point) {
    return point != NULL && ploy_vec3_is_finite(point->position) &&
           ploy_in_range(point->facing, -1e9f, 1e9f) && ploy_in_range(point->radius, 0.0f, 1e9f) &&
           point->region >= -1 && point->node >= -1 && fabs(point->created) <= 1e18 &&
           point->expires >= 0.0 && point->expires <= 1e18 &&
           memchr(point->name, 0, sizeof point->name) != NULL;
}

ploy_result ploy_tactical_points_add(ploy_tactical_points *points, const ploy_tactical_point *point,
                                     ploy_tactical_id *id) {
    if (points == NULL || !points_is_valid(point)) return PLOY_ERR_ARGUMENT;
    ploy_tactical_id made;
    void *memory = NULL;
    ploy_result result = ploy_pool_add(points->pool, &made.id, &memory);
    if (result != PLOY_OK) return result;
    result = ploy_grid_insert(points->grid, (int32_t)made.id.index,
                              ploy_vec2_from_vec3(point->position));
    if (result != PLOY_OK) {
        ploy_pool_remove(points->pool, made.id);
        return result;
    }
    ployi_tactical_item *item = memory;
    item->point = *point;
    size_t length = strlen(item->point.name); // behind the text zeros, as a load makes it
    memset(item->point.name + length, 0, sizeof item->point.name - length);
    points->changes++;
    if (id != NULL) *id = made;
    return PLOY_OK;
}

static uint64_t points_key(const ploy_tactical_points *points, ploy_tactical_id id, int32_t tag,
                           int32_t sector, int32_t posture, int32_t weapon) {
    int32_t state = (sector * points->def.postures + posture) * points->def.weapons + weapon;
    return (uint64_t)id.id.index << 32 | (uint64_t)tag << 24 | (uint64_t)state;
}

// The first state whose key is not below.
static int32_t points_lower(const ploy_tactical_points *points, uint64_t key) {
    const ployi_tactical_state *states = PLOY_ARRAY_ITEMS(&points->states, ployi_tactical_state);
    int32_t low = 0, high = points->states.count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (states[middle].key < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void points_drop_states(ploy_tactical_points *points, uint32_t index) {
    int32_t first = points_lower(points, (uint64_t)index << 32);
    int32_t end = points_lower(points, ((uint64_t)index + 1) << 32);
    ployi_tactical_state *states = PLOY_ARRAY_ITEMS(&points->states, ployi_tactical_state);
    for (int32_t i = end; i < points->states.count; i++) states[i - (end - first)] = states[i];
    points->states.count -= end - first;
}

static void points_drop_links(ploy_tactical_points *points, int32_t index) {
    uint32_t cursor = 0;
    void *memory = NULL;
    while (ploy_pool_next(points->pool, &cursor, NULL, &memory)) {
        ployi_tactical_item *item = memory;
        int32_t kept = 0;
        for (int32_t i = 0; i < item->link_count; i++) {
            if (item->links[i] != index) item->links[kept++] = item->links[i];
        }
        for (int32_t i = kept; i < item->link_count; i++) item->links[i] = 0;
        item->link_count = kept;
    }
}

ploy_result ploy_tactical_points_remove(ploy_tactical_points *points, ploy_tactical_id id) {
    if (ployi_tactical_item_of(points, id) == NULL) return PLOY_ERR_NOT_FOUND;
    points_drop_links(points, (int32_t)id.id.index);
    points_drop_states(points, id.id.index);
    (void)ploy_grid_remove(points->grid, (int32_t)id.id.index);
    ploy_pool_remove(points->pool, id.id);
    points->changes++;
    return PLOY_OK;
}

int32_t ploy_tactical_points_expire(ploy_tactical_points *points, double now) {
    int32_t removed = 0;
    uint32_t cursor = 0;
    ploy_tactical_id id;
    while (ploy_tactical_points_next(points, &cursor, &id)) {
        const ployi_tactical_item *item = ployi_tactical_item_of(points, id);
        if (!(item->point.expires > 0.0 && item->point.expires <= now)) continue;
        (void)ploy_tactical_points_remove(points, id);
        removed++;
    }
    return removed;
}

void ploy_tactical_points_clear(ploy_tactical_points *points) {
    ploy_pool_clear(points->pool);
    ploy_grid_clear(points->grid);
    ploy_array_clear(&points->states);
    points->changes++;
}

int32_t ploy_tactical_points_count(const ploy_tactical_points *points) {
    return ploy_pool_count(points->pool);
}

bool ploy_tactical_points_get(const ploy_tactical_points *points, ploy_tactical_id id,
                              ploy_tactical_point *out) {
    const ployi_tactical_item *item = ployi_tactical_item_of(points, id);
    if (item == NULL) return false;
    *out = item->point;
    return true;
}

ploy_tactical_id ploy_tactical_points_at(const ploy_tactical_points *points, int32_t index) {
    ploy_tactical_id id = {index < 0 ? ploy_id_none()
                                     : ploy_pool_id_at(points->pool, (uint32_t)index)};
    return id;
}

ploy_tactical_id ploy_tactical_points_find(const ploy_tactical_points *points, const char *name) {
    ploy_tactical_id none = {{0, 0}}, id;
    uint32_t cursor = 0;
    while (name != NULL && ploy_tactical_points_next(points, &cursor, &id)) {
        if (strcmp(ployi_tactical_item_of(points, id)->point.name, name) == 0) return id;
    }
    return none;
}

bool ploy_tactical_points_next(const ploy_tactical_points *points, uint32_t *cursor,
                               ploy_tactical_id *id) {
    return ploy_pool_next(points->pool, cursor, &id->id, NULL);
}

// ---- values

ploy_result ploy_tactical_points_set_value(ploy_tactical_points *points, ploy_tactical_id id,
                                           int32_t tag, float value) {
    ployi_tactical_item *item = ployi_tactical_item_of(points, id);
    if (item == NULL) return PLOY_ERR_NOT_FOUND;
    bool known = value == value;
    if (!points_has_tag(points, tag) || (known && !ploy_in_range(value, 0.0f, 1.0f))) {
        return PLOY_ERR_ARGUMENT;
    }
    item->values[tag] = known ? value : -1.0f;
    points->changes++;
    return PLOY_OK;
}

static bool points_has_state(const ploy_tactical_points *points, int32_t tag, int32_t sector,
                             int32_t posture, int32_t weapon) {
    return points_has_tag(points, tag) && sector >= 0 && sector < points->def.sectors &&
           posture >= 0 && posture < points->def.postures && weapon >= 0 &&
           weapon < points->def.weapons;
}

ploy_result ploy_tactical_points_set_state(ploy_tactical_points *points, ploy_tactical_id id,
                                           int32_t tag, int32_t sector, int32_t posture,
                                           int32_t weapon, float value) {
    if (ployi_tactical_item_of(points, id) == NULL) return PLOY_ERR_NOT_FOUND;
    if (!points_has_state(points, tag, sector, posture, weapon) ||
        !ploy_in_range(value, 0.0f, 1.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    ployi_tactical_state state;
    memset(&state, 0, sizeof state);
    state.key = points_key(points, id, tag, sector, posture, weapon);
    state.value = value;
    int32_t at = points_lower(points, state.key);
    ployi_tactical_state *old = PLOY_ARRAY_AT(&points->states, ployi_tactical_state, at);
    if (old != NULL && old->key == state.key) {
        old->value = value;
    } else {
        ploy_result result = ploy_array_insert(&points->states, at, &state);
        if (result != PLOY_OK) return result;
    }
    points->changes++;
    return PLOY_OK;
}

float ploy_tactical_points_state(const ploy_tactical_points *points, ploy_tactical_id id,
                                 int32_t tag, int32_t sector, int32_t posture, int32_t weapon,
                                 double now) {
    if (ployi_tactical_item_of(points, id) != NULL &&
        points_has_state(points, tag, sector, posture, weapon)) {
        uint64_t key = points_key(points, id, tag, sector, posture, weapon);
        const ployi_tactical_state *state =
            PLOY_ARRAY_AT(&points->states, ployi_tactical_state, points_lower(points, key));
        if (state != NULL && state->key == key) return state->value;
    }
    return ploy_tactical_points_value(points, id, tag, now);
}

int32_t ploy_tactical_points_sector(const ploy_tactical_points *points, ploy_vec3 from,
                                    ploy_vec3 to) {
    int32_t sectors = points->def.sectors;
    float angle = ploy_atan2f(to.y - from.y, to.x - from.x);
    if (!ploy_is_finite(angle)) return 0; // of a position that is not a number
    float width = 2.0f * PLOY_PI_F / (float)sectors;
    int32_t sector = (int32_t)floorf(angle / width + 0.5f);
    return ((sector % sectors) + sectors) % sectors;
}

float ploy_tactical_points_against(const ploy_tactical_points *points, ploy_tactical_id id,
                                   int32_t tag, const ploy_tactical_threat *threats, int32_t count,
                                   int32_t posture, double now) {
    const ployi_tactical_item *item = ployi_tactical_item_of(points, id);
    if (item == NULL || count <= 0) return ploy_tactical_points_value(points, id, tag, now);
    float least = 1.0f;
    for (int32_t i = 0; i < count; i++) {
        int32_t sector =
            ploy_tactical_points_sector(points, item->point.position, threats[i].position);
        float value =
            ploy_tactical_points_state(points, id, tag, sector, posture, threats[i].weapon, now);
        if (!(value == value)) return value;
        if (value < least) least = value;
    }
    return least;
}

// ---- places

typedef struct points_search {
    const ploy_tactical_points *points;
    ploy_vec3 position;
    float radius, least;
    int32_t tag, count, capacity;
    double now;
    ploy_tactical_near *out;
} points_search;

// Inserts into the list of the nearest, by distance, then by index.
static bool points_visit_near(void *user, int32_t index, double *limit) {
    points_search *search = user;
    (void)limit;
    ploy_tactical_id id = ploy_tactical_points_at(search->points, index);
    const ployi_tactical_item *item = ployi_tactical_item_of(search->points, id);
    float distance = ploy_vec3_distance(item->point.position, search->position);
    if (!(distance <= search->radius)) return true;
    if (search->tag >= 0 && !(ploy_tactical_points_value(search->points, id, search->tag,
                                                         search->now) >= search->least)) {
        return true;
    }
    int32_t at = search->count;
    while (at > 0 && (search->out[at - 1].distance > distance ||
                      (search->out[at - 1].distance == distance &&
                       search->out[at - 1].id.id.index > id.id.index))) {
        at--;
    }
    if (at == search->capacity) return true;
    if (search->count < search->capacity) search->count++;
    for (int32_t i = search->count - 1; i > at; i--) search->out[i] = search->out[i - 1];
    search->out[at].id = id;
    search->out[at].distance = distance;
    return true;
}

int32_t ploy_tactical_points_near(const ploy_tactical_points *points, ploy_vec3 position,
                                  float radius, int32_t tag, float least, double now,
                                  ploy_tactical_near *out, int32_t capacity) {
    points_search search = {points, position, radius, least, tag, 0, capacity, now, out};
    if (out == NULL || capacity <= 0 || tag >= points->tag_count) return 0;
    ploy_query2 query = ploy_query2_radius(ploy_vec2_from_vec3(position), radius);
    ploy_grid_visit(points->grid, &query, points_visit_near, &search, NULL);
    return search.count;
}

static bool points_has_value(const ploy_tactical_points *points, ploy_tactical_id id, int32_t tag,
                             ploy_tactical_id except, double now) {
    return !ploy_tactical_id_equal(id, except) &&
           ploy_tactical_points_value(points, id, tag, now) > 0.0f;
}

ploy_tactical_id ploy_tactical_points_random(const ploy_tactical_points *points, int32_t tag,
                                             ploy_tactical_id except, double now, ploy_rng *rng) {
    ploy_tactical_id none = {{0, 0}}, id;
    int32_t count = 0;
    for (uint32_t cursor = 0; ploy_tactical_points_next(points, &cursor, &id);) {
        if (points_has_value(points, id, tag, except, now)) count++;
    }
    if (count == 0) return none;
    int32_t pick = ploy_rng_int(rng, 0, count - 1);
    for (uint32_t cursor = 0; ploy_tactical_points_next(points, &cursor, &id);) {
        if (points_has_value(points, id, tag, except, now) && pick-- == 0) return id;
    }
    return none;
}

// ---- secrecy and claims

ploy_result ploy_tactical_points_compromise(ploy_tactical_points *points, ploy_tactical_id id,
                                            double now) {
    ployi_tactical_item *item = ployi_tactical_item_of(points, id);
    if (item == NULL) return PLOY_ERR_NOT_FOUND;
    item->compromised = true;
    item->compromised_at = now;
    return PLOY_OK;
}

int32_t ploy_tactical_points_shot(ploy_tactical_points *points, ploy_vec3 from, ploy_vec3 to,
                                  float radius, double now) {
    int32_t count = 0;
    uint32_t cursor = 0;
    ploy_tactical_id id;
    ploy_vec3 along = ploy_vec3_sub(to, from);
    float length_sq = ploy_vec3_length_sq(along);
    while (ploy_tactical_points_next(points, &cursor, &id)) {
        ploy_vec3 at = ployi_tactical_item_of(points, id)->point.position;
        float t = length_sq > 0.0f ? ploy_vec3_dot(ploy_vec3_sub(at, from), along) / length_sq : 0;
        ploy_vec3 nearest = ploy_vec3_add_scaled(from, along, ploy_clampf(t, 0.0f, 1.0f));
        if (!(ploy_vec3_distance(at, nearest) <= radius)) continue;
        (void)ploy_tactical_points_compromise(points, id, now);
        count++;
    }
    return count;
}

float ploy_tactical_points_compromised(const ploy_tactical_points *points, ploy_tactical_id id,
                                       double now) {
    const ployi_tactical_item *item = ployi_tactical_item_of(points, id);
    if (item == NULL || !item->compromised) return 0.0f;
    float age = (float)(now - item->compromised_at);
    return ploy_clampf(1.0f - age / points->def.fade, 0.0f, 1.0f);
}

static bool points_is_owner(const ployi_tactical_item *item, ploy_agent_id owner) {
    return !ploy_id_is_none(item->owner.id) && ploy_id_equal(item->owner.id, owner.id);
}

ploy_result ploy_tactical_points_claim(ploy_tactical_points *points, ploy_tactical_id id,
                                       ploy_agent_id owner, double now, double until) {
    ployi_tactical_item *item = ployi_tactical_item_of(points, id);
    if (item == NULL) return PLOY_ERR_NOT_FOUND;
    if (ploy_id_is_none(owner.id) || !(until > now) || until > 1e18) return PLOY_ERR_ARGUMENT;
    if (!ploy_id_is_none(item->owner.id) && item->until > now && !points_is_owner(item, owner)) {
        return PLOY_ERR_EXISTS;
    }
    item->owner = owner;
    item->until = until;
    return PLOY_OK;
}

static void points_unclaim(ployi_tactical_item *item) {
    item->owner = ploy_agent_id_none();
    item->until = 0.0;
}

ploy_result ploy_tactical_points_release(ploy_tactical_points *points, ploy_tactical_id id,
                                         ploy_agent_id owner) {
    ployi_tactical_item *item = ployi_tactical_item_of(points, id);
    if (item == NULL || !points_is_owner(item, owner)) return PLOY_ERR_NOT_FOUND;
    points_unclaim(item);
    return PLOY_OK;
}

int32_t ploy_tactical_points_release_all(ploy_tactical_points *points, ploy_agent_id owner) {
    int32_t count = 0;
    uint32_t cursor = 0;
    void *memory = NULL;
    while (ploy_pool_next(points->pool, &cursor, NULL, &memory)) {
        if (!points_is_owner(memory, owner)) continue;
        points_unclaim(memory);
        count++;
    }
    return count;
}

ploy_agent_id ploy_tactical_points_owner(const ploy_tactical_points *points, ploy_tactical_id id,
                                         double now) {
    const ployi_tactical_item *item = ployi_tactical_item_of(points, id);
    return item == NULL || !(item->until > now) ? ploy_agent_id_none() : item->owner;
}
