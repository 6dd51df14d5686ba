// Formations; the technique is described in the header.
//
// Invariants, from create to destroy:
//   (1) no two members have the same slot, and each slot is -1 or in [0, slots);
//   (2) no two members have the same id; members are in the order of joining;
//   (3) slots and drift belong to the present members, pattern and time;
//   (4) a failed call leaves the formation as it was.
#include "ploy/move/formation.h"

#include "move/move_internal.h"
#include "ploy/geom/angle.h"

static const char *const formation_assigns[] = {"exact", "greedy"};

static const ploy_field formation_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_formation_def, capacity, 16, 1, PLOY_FORMATION_MAX, "",
                         "most members"),
    PLOY_FIELD_F32(ploy_formation_def, offset, 1, 0, 100, "s",
                   "how far ahead of the members the anchor is held"),
    PLOY_FIELD_BOOL(ploy_formation_def, drift, true,
                    "keep the anchor at the centre of the occupied slots"),
    PLOY_FIELD_ENUM(ploy_formation_def, assign, PLOY_ASSIGN_EXACT, formation_assigns,
                    "how slots are given out"),
    PLOY_FIELD_F32(ploy_formation_def, cost_limit, 1e9, 1e-6, PLOY_ASSIGN_COST_MAX, "",
                   "costs from here on mean: not this slot"),
};

struct ploy_formation {
    ploy_env env;
    ploy_formation_def def;
    ploy_pattern pattern;
    size_t size;
    ploy_kinematic anchor;
    ploy_place drift;
    double time; // s
    int32_t count;
    int32_t slots; // of the pattern, for that many members
    ploy_formation_member members[];
};

ploy_fields ploy_formation_fields(void) {
    return PLOY_FIELDS(ploy_formation_def, formation_fields);
}

ploy_formation_def ploy_formation_def_default(void) {
    ploy_formation_def def;
    ploy_fields_default(ploy_formation_fields(), &def);
    return def;
}

ploy_result ploy_formation_create(const ploy_formation_def *def, const ploy_pattern *pattern,
                                  const ploy_env *env, ploy_formation **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_formation_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (pattern == NULL || pattern->slot == NULL) return PLOY_ERR_ARGUMENT;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_formation), def->capacity, sizeof(ploy_formation_member),
                             &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_formation *formation = ploy_env_alloc_zero(env, size);
    if (formation == NULL) return PLOY_ERR_MEMORY;
    formation->env = *env;
    formation->def = *def;
    formation->pattern = *pattern;
    formation->size = size;
    *out = formation;
    return PLOY_OK;
}

void ploy_formation_destroy(ploy_formation *formation) {
    if (formation == NULL) return;
    ploy_env env = formation->env;
    ploy_env_free(&env, formation, formation->size);
}

// ---- slots ----

static bool formation_supports(const ploy_pattern *pattern, int32_t count) {
    return pattern->supports == NULL || pattern->supports(pattern->user, count);
}

// How many slots there are to choose from: a pattern that limits them has them all, whether
// occupied or not, one that scales has as many as members.
static int32_t formation_count_slots(const ploy_formation *formation) {
    if (formation->pattern.supports == NULL) return formation->count;
    int32_t slots = formation->count;
    while (slots < PLOY_FORMATION_MAX && formation_supports(&formation->pattern, slots + 1)) {
        slots++;
    }
    return slots;
}

static ploy_place formation_relative(const ploy_formation *formation, int32_t slot) {
    const ploy_pattern *pattern = &formation->pattern;
    return pattern->slot(pattern->user, slot, formation->slots, (float)formation->time);
}

static void formation_update_drift(ploy_formation *formation) {
    double x = 0.0, y = 0.0, hx = 0.0, hy = 0.0;
    int32_t occupied = 0;
    ploy_place none = {{0.0f, 0.0f}, 0.0f};
    formation->drift = none;
    if (!formation->def.drift) return;
    for (int32_t i = 0; i < formation->count; i++) {
        if (formation->members[i].slot < 0) continue;
        ploy_place place = formation_relative(formation, formation->members[i].slot);
        ploy_vec2 heading = ploy_angle_heading(place.orientation);
        x += (double)place.position.x, y += (double)place.position.y;
        hx += (double)heading.x, hy += (double)heading.y;
        occupied++;
    }
    if (occupied == 0) return;
    formation->drift.position = ploy_vec2_make((float)(x / occupied), (float)(y / occupied));
    // Looking all around there is no mean direction; rounding must not invent one.
    if (hx * hx + hy * hy > 1e-9 * (double)occupied * (double)occupied) {
        formation->drift.orientation = (float)ploy_atan2(hy, hx);
    }
}

static ploy_place formation_world(const ploy_formation *formation, ploy_place relative) {
    ploy_place anchor = {formation->anchor.position, formation->anchor.orientation};
    relative.position = ploy_vec2_sub(relative.position, formation->drift.position);
    relative.orientation -= formation->drift.orientation;
    ploy_place out = ploy_place_in(relative, anchor);
    out.orientation = ploy_angle_wrap(out.orientation);
    return out;
}

ploy_place ployi_formation_slot(const ploy_formation *formation, int32_t slot) {
    return formation_world(formation, formation_relative(formation, slot));
}

ploy_place ploy_formation_place(const ploy_formation *formation, int32_t i) {
    int32_t slot = ploy_formation_get(formation, i).slot;
    ploy_place anchor = {formation->anchor.position, formation->anchor.orientation};
    return slot < 0 ? anchor : ployi_formation_slot(formation, slot);
}

ploy_place ployi_formation_drift(const ploy_formation *formation) {
    return formation->drift;
}

// ---- members ----

int32_t ploy_formation_count(const ploy_formation *formation) {
    return formation->count;
}

ploy_formation_member ploy_formation_get(const ploy_formation *formation, int32_t i) {
    ploy_formation_member none = {ploy_agent_id_none(), 0, -1};
    return ploy_range_within(i, 1, formation->count) ? formation->members[i] : none;
}

int32_t ploy_formation_find(const ploy_formation *formation, ploy_agent_id id) {
    for (int32_t i = 0; i < formation->count; i++) {
        if (ploy_id_equal(formation->members[i].id.id, id.id)) return i;
    }
    return -1;
}

static int32_t formation_holder(const ploy_formation *formation, int32_t slot) {
    for (int32_t i = 0; i < formation->count; i++) {
        if (formation->members[i].slot == slot) return i;
    }
    return -1;
}

// A member with a slot that no longer exists, or with none, moves into the lowest free one.
static void formation_close_ranks(ploy_formation *formation) {
    int32_t slots = formation_count_slots(formation), free_slot = 0;
    formation->slots = slots; // keeps (3)
    for (int32_t i = 0; i < formation->count; i++) {
        if (formation->members[i].slot >= slots) formation->members[i].slot = -1;
    }
    for (int32_t i = 0; i < formation->count; i++) {
        if (formation->members[i].slot >= 0) continue;
        while (free_slot < slots && formation_holder(formation, free_slot) >= 0) free_slot++;
        if (free_slot < slots) formation->members[i].slot = free_slot; // keeps (1)
    }
    formation_update_drift(formation); // keeps (3)
}

ploy_result ploy_formation_add(ploy_formation *formation, ploy_agent_id id, int32_t index) {
    if (ploy_id_is_none(id.id) || index < 0) return PLOY_ERR_ARGUMENT;
    if (ploy_formation_find(formation, id) >= 0) return PLOY_ERR_EXISTS; // keeps (2)
    if (formation->count == formation->def.capacity) return PLOY_ERR_CAPACITY;
    if (!formation_supports(&formation->pattern, formation->count + 1)) return PLOY_ERR_CAPACITY;
    ploy_formation_member member = {id, index, -1};
    formation->members[formation->count++] = member;
    formation_close_ranks(formation);
    return PLOY_OK;
}

ploy_result ploy_formation_remove(ploy_formation *formation, ploy_agent_id id) {
    int32_t at = ploy_formation_find(formation, id);
    if (at < 0) return PLOY_ERR_NOT_FOUND;
    formation->count--;
    for (int32_t i = at; i < formation->count; i++) {
        formation->members[i] = formation->members[i + 1];
    }
    formation_close_ranks(formation);
    return PLOY_OK;
}

ploy_result ploy_formation_assign(ploy_formation *formation, ploy_formation_cost_fn cost,
                                  void *user, ploy_arena *scratch, ploy_trace *trace,
                                  int32_t *unplaced) {
    int32_t count = formation->count, slots = formation->slots, missing = 0;
    if (cost == NULL) {
        for (int32_t i = 0; i < count; i++) formation->members[i].slot = i < slots ? i : -1;
    } else {
        if (scratch == NULL) return PLOY_ERR_ARGUMENT;
        ploy_arena_mark mark = ploy_arena_mark_of(scratch);
        float *costs =
            ploy_arena_alloc_array(scratch, (int64_t)count * (int64_t)slots, sizeof(float));
        int32_t *slot_of = ploy_arena_alloc_array(scratch, count, sizeof(int32_t));
        ploy_result result = PLOY_ERR_MEMORY;
        if (costs != NULL && slot_of != NULL) {
            for (int32_t i = 0; i < count; i++) {
                for (int32_t j = 0; j < slots; j++) {
                    costs[i * slots + j] =
                        cost(user, &formation->members[i], j, ployi_formation_slot(formation, j));
                }
            }
            result = ploy_assign_find(formation->def.assign, costs, count, slots,
                                      formation->def.cost_limit, scratch, slot_of, NULL);
        }
        if (result == PLOY_OK) {
            ploy_agent_id nobody = ploy_agent_id_none();
            ploy_assign_trace(formation->def.assign, costs, count, slots, slot_of, nobody, trace);
            for (int32_t i = 0; i < count; i++) formation->members[i].slot = slot_of[i];
        }
        ploy_arena_rewind(scratch, mark);
        if (result != PLOY_OK) return result; // keeps (4)
    }
    for (int32_t i = 0; i < count; i++) missing += formation->members[i].slot < 0;
    if (unplaced != NULL) *unplaced = missing;
    formation_update_drift(formation);
    return PLOY_OK;
}

ploy_result ploy_formation_set_pattern(ploy_formation *formation, const ploy_pattern *pattern) {
    if (pattern == NULL || pattern->slot == NULL) return PLOY_ERR_ARGUMENT;
    if (!formation_supports(pattern, formation->count)) return PLOY_ERR_CAPACITY;
    // Member by member: a copy of the struct would bring the caller's padding into the state.
    formation->pattern.name = pattern->name;
    formation->pattern.slot = pattern->slot;
    formation->pattern.supports = pattern->supports;
    formation->pattern.user = pattern->user;
    formation->pattern.moving = pattern->moving;
    formation->time = 0.0;
    formation_close_ranks(formation);
    return PLOY_OK;
}

ploy_result ploy_formation_set_def(ploy_formation *formation, const ploy_formation_def *def) {
    ploy_result result = ploy_fields_check(ploy_formation_fields(), def, &formation->env);
    if (result != PLOY_OK) return result;
    int32_t capacity = formation->def.capacity;
    formation->def = *def;
    formation->def.capacity = capacity;
    formation_update_drift(formation); // keeps (3)
    return PLOY_OK;
}

// ---- the anchor ----

ploy_kinematic ploy_formation_anchor(const ploy_formation *formation) {
    return formation->anchor;
}

ploy_result ploy_formation_set_anchor(ploy_formation *formation, ploy_kinematic anchor) {
    if (!ploy_vec2_is_finite(anchor.position) || !ploy_vec2_is_finite(anchor.velocity) ||
        !ploy_is_finite(anchor.orientation) || !ploy_is_finite(anchor.rotation)) {
        return PLOY_ERR_ARGUMENT;
    }
    formation->anchor = anchor;
    return PLOY_OK;
}

ploy_result ploy_formation_kinematic(const ploy_formation *formation, const ploy_kinematics *agents,
                                     ploy_kinematic *out) {
    double x = 0.0, y = 0.0, vx = 0.0, vy = 0.0, hx = 0.0, hy = 0.0, rotation = 0.0;
    if (agents == NULL) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < formation->count; i++) {
        if (formation->members[i].index >= agents->count) return PLOY_ERR_ARGUMENT;
        ploy_kinematic agent = ploy_kinematics_get(agents, formation->members[i].index);
        ploy_vec2 heading = ploy_angle_heading(agent.orientation);
        x += (double)agent.position.x, y += (double)agent.position.y;
        vx += (double)agent.velocity.x, vy += (double)agent.velocity.y;
        hx += (double)heading.x, hy += (double)heading.y;
        rotation += (double)agent.rotation;
    }
    *out = formation->anchor;
    if (formation->count == 0) return PLOY_OK;
    double n = (double)formation->count;
    out->position = ploy_vec2_make((float)(x / n), (float)(y / n));
    out->velocity = ploy_vec2_make((float)(vx / n), (float)(vy / n));
    out->rotation = (float)(rotation / n);
    if (hx * hx + hy * hy > 1e-9 * n * n) {
        out->orientation = ploy_angle_wrap((float)ploy_atan2(hy, hx));
    }
    return PLOY_OK;
}

ploy_result ploy_formation_moderate(ploy_formation *formation, const ploy_kinematics *agents) {
    ploy_kinematic mean;
    ploy_result result = ploy_formation_kinematic(formation, agents, &mean);
    if (result != PLOY_OK || formation->count == 0) return result;
    mean.position = ploy_vec2_add_scaled(mean.position, mean.velocity, formation->def.offset);
    formation->anchor = mean;
    return PLOY_OK;
}

ploy_result ploy_formation_step(ploy_formation *formation, float dt) {
    if (!ployi_within(dt, 0, PLOY_DT_MAX_S)) return PLOY_ERR_ARGUMENT;
    formation->time += (double)dt;
    if (formation->pattern.moving) formation_update_drift(formation);
    return PLOY_OK;
}

float ployi_formation_time(const ploy_formation *formation) {
    return (float)formation->time;
}

// ---- sight ----

// Whether the members that a file has keep (1), (2) and (3).
static bool formation_is_sound(const ploy_formation *formation) {
    if (formation->count > 0 && !formation_supports(&formation->pattern, formation->count)) {
        return false;
    }
    int32_t slots = formation->count > 0 ? formation_count_slots(formation) : formation->slots;
    if (formation->slots != slots) return false;
    for (int32_t i = 0; i < formation->count; i++) {
        const ploy_formation_member *member = &formation->members[i];
        if (ploy_id_is_none(member->id.id) || member->slot >= slots) return false;
        if (ploy_formation_find(formation, member->id) != i) return false;
        if (member->slot >= 0 && formation_holder(formation, member->slot) != i) return false;
    }
    return true;
}

static void formation_rebuild(void *object) {
    formation_update_drift(object);
}

void ploy_formation_visit(ploy_visit *v, void *object) {
    ploy_formation *formation = object;
    ploy_visit_struct(v, "formation", formation, sizeof *formation);
    ploy_visit_block(v, "formation", formation, formation->size);
    ploy_visit_after(v, formation_rebuild, formation);
    PLOY_VISIT_SCRATCH(v, formation->env);
    PLOY_VISIT_SCRATCH(v, formation->pattern);
    PLOY_VISIT_SCRATCH(v, formation->size);
    // The pattern is code: set it before a load.
    ploy_value pattern = ploy_value_text(formation->pattern.name);
    ploy_visit_same(v, "pattern", PLOY_STATE, &pattern);
    ploy_visit_fields(v, "settings", PLOY_SAVED, ploy_formation_fields(), &formation->def);
    ploy_visit_f64_in(v, "time", PLOY_STATE, &formation->time, 0.0, 1e15);
    ploy_visit_begin(v, "anchor", PLOY_STATE);
    ployi_kinematic_visit(v, PLOY_STATE, &formation->anchor);
    ploy_visit_end(v);
    ploy_visit_begin(v, "drift", PLOY_DERIVED);
    ploy_visit_vec2(v, "position", PLOY_DERIVED, &formation->drift.position.x,
                    &formation->drift.position.y);
    ploy_visit_f32(v, "orientation", PLOY_DERIVED, &formation->drift.orientation);
    ploy_visit_end(v);
    ploy_visit_i32_in(v, "slots", PLOY_SAVED, &formation->slots, 0, PLOY_FORMATION_MAX);
    int32_t count =
        ploy_visit_list(v, "members", PLOY_STATE, &formation->count, formation->def.capacity);
    for (int32_t i = 0; i < count; i++) {
        ploy_formation_member *member = &formation->members[i];
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_struct(v, "member", member, sizeof *member);
        ploy_visit_id(v, "id", PLOY_STATE, &member->id.id);
        ploy_visit_i32_in(v, "index", PLOY_STATE, &member->index, 0, INT32_MAX);
        ploy_visit_i32_in(v, "slot", PLOY_STATE, &member->slot, -1, PLOY_FORMATION_MAX - 1);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_check(v, formation_is_sound(formation), "members and slots do not fit", NULL);
    }
}

void ploy_formation_describe(const ploy_formation *formation, ploy_describe *out) {
    ploy_visit_describe(ploy_formation_visit, formation, NULL, out);
}

void ploy_formation_draw(const ploy_formation *formation, const ploy_kinematics *agents,
                         ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_PATHS)) return;
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_vec2 at = formation->anchor.position;
    ploy_vec2 ahead = ploy_angle_heading(formation->anchor.orientation);
    ploy_draw_arrow(out, PLOY_LAYER_PATHS, PLOY_STYLE_TARGET, nobody, at, ploy_vec2_add(at, ahead));
    for (int32_t i = 0; i < formation->count; i++) {
        const ploy_formation_member *member = &formation->members[i];
        if (member->slot < 0) continue;
        ploy_place place = ploy_formation_place(formation, i);
        ploy_draw_circle(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, member->id, place.position, 0.3f);
        if (agents == NULL || member->index >= agents->count) continue;
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, member->id,
                       ploy_kinematics_get(agents, member->index).position, place.position);
    }
}

void ploy_formation_memory(const ploy_formation *formation, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_formation_visit, formation, fn, user);
}
