// A crowd over corridors; see the header.
//
// Invariants:
//   (1) an agent in mode waiting is in the queue once; others are not;
//   (2) `served` is the agent whose search the query holds, or -1; it is the first of the queue;
//   (3) an agent in mode walking has a corridor of the present mesh.
#include "ploy/path/corridors.h"

#include <math.h>
#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/math.h"

static const ploy_field corridors_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_corridors_def, capacity, 64, 1, 1 << 16, "", "most agents"),
    PLOY_FIELD_I32_FIXED(ploy_corridors_def, polygons, 128, 1, 1 << 20, "", "of a corridor"),
    PLOY_FIELD_F32(ploy_corridors_def, arrive, 0.3f, 0, 1e3f, "m", "near enough to the goal"),
    PLOY_FIELD_F32(ploy_corridors_def, slow, 1, 0, 1e3f, "m", "begins to slow down"),
    PLOY_FIELD_I32(ploy_corridors_def, shorten, 30, 0, 1 << 20, "", "steps between shortenings"),
};

typedef struct corridors_agent {
    ploy_corridor *corridor;
    ploy_navmesh_place place, goal;
    ploy_corridors_mode mode;
    int32_t searches, age;
    bool partial;
} corridors_agent;

struct ploy_corridors {
    ploy_env env;
    ploy_corridors_def def;
    const ploy_navmesh *mesh;
    ploy_navmesh_query *query; // searches for the agent that is served
    ploy_navmesh_query *mover; // everything else, so that a search can go on for several steps
    ploy_array queue;          // int32_t: agents
    int32_t served, count;
    size_t size;
    corridors_agent agents[];
};

ploy_fields ploy_corridors_fields(void) {
    return PLOY_FIELDS(ploy_corridors_def, corridors_fields);
}

ploy_corridors_def ploy_corridors_def_default(void) {
    ploy_corridors_def def;
    ploy_fields_default(ploy_corridors_fields(), &def);
    return def;
}

ploy_result ploy_corridors_create(const ploy_corridors_def *def, const ploy_navmesh *mesh,
                                  const ploy_env *env, ploy_corridors **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (mesh == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_corridors_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_corridors), def->capacity, sizeof(corridors_agent),
                             &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_corridors *crowd = ploy_env_alloc_zero(env, size);
    if (crowd == NULL) return PLOY_ERR_MEMORY;
    crowd->env = *env;
    crowd->def = *def;
    crowd->mesh = mesh;
    crowd->size = size;
    crowd->served = -1;
    ploy_array_init(&crowd->queue, sizeof(int32_t), env);
    ploy_corridor_def corridor = ploy_corridor_def_default();
    corridor.capacity = def->polygons;
    result = ploy_array_reserve(&crowd->queue, def->capacity);
    if (result == PLOY_OK) result = ploy_navmesh_query_create(mesh, env, &crowd->query);
    if (result == PLOY_OK) result = ploy_navmesh_query_create(mesh, env, &crowd->mover);
    for (int32_t i = 0; i < def->capacity && result == PLOY_OK; i++) {
        result = ploy_corridor_create(&corridor, env, &crowd->agents[i].corridor);
    }
    if (result != PLOY_OK) {
        ploy_corridors_destroy(crowd);
        return result;
    }
    *out = crowd;
    return PLOY_OK;
}

void ploy_corridors_destroy(ploy_corridors *crowd) {
    if (crowd == NULL) return;
    ploy_env env = crowd->env;
    for (int32_t i = 0; i < crowd->def.capacity; i++) {
        ploy_corridor_destroy(crowd->agents[i].corridor);
    }
    ploy_navmesh_query_destroy(crowd->query);
    ploy_navmesh_query_destroy(crowd->mover);
    ploy_array_fini(&crowd->queue);
    ploy_env_free(&env, crowd, crowd->size);
}

// ---- the queue ----

static void corridors_ask(ploy_corridors *crowd, int32_t agent) {
    if (crowd->agents[agent].mode == PLOY_CORRIDORS_WAITING) {
        if (crowd->served == agent) { // another goal: from the beginning
            ploy_navmesh_query_cancel(crowd->query);
            crowd->served = -1;
        }
        return;
    }
    crowd->agents[agent].mode = PLOY_CORRIDORS_WAITING;
    (void)ploy_array_push(&crowd->queue, &agent); // reserved; keeps (1)
}

static void corridors_leave(ploy_corridors *crowd, int32_t agent, ploy_corridors_mode mode) {
    const int32_t *queue = PLOY_ARRAY_ITEMS(&crowd->queue, int32_t);
    for (int32_t i = 0; i < crowd->queue.count; i++) {
        if (queue[i] != agent) continue;
        ploy_array_remove(&crowd->queue, i);
        break;
    }
    if (crowd->served == agent) {
        ploy_navmesh_query_cancel(crowd->query);
        crowd->served = -1; // keeps (2)
    }
    crowd->agents[agent].mode = mode;
}

ploy_result ploy_corridors_set_mesh(ploy_corridors *crowd, const ploy_navmesh *mesh) {
    ploy_navmesh_query *query = NULL, *mover = NULL;
    if (mesh == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_navmesh_query_create(mesh, &crowd->env, &query);
    if (result == PLOY_OK) result = ploy_navmesh_query_create(mesh, &crowd->env, &mover);
    if (result != PLOY_OK) {
        ploy_navmesh_query_destroy(query);
        return result;
    }
    ploy_navmesh_query_destroy(crowd->query);
    ploy_navmesh_query_destroy(crowd->mover);
    crowd->query = query;
    crowd->mover = mover;
    crowd->mesh = mesh;
    crowd->served = -1;
    for (int32_t i = 0; i < crowd->count; i++) {
        corridors_agent *agent = &crowd->agents[i];
        ploy_navmesh_place found;
        ploy_corridor_clear(agent->corridor);
        if (ploy_navmesh_find_nearest(mover, agent->place.point, -1, NULL, &found) == PLOY_OK) {
            agent->place = found;
        }
        if (agent->mode == PLOY_CORRIDORS_IDLE) continue;
        if (ploy_navmesh_find_nearest(mover, agent->goal.point, -1, NULL, &found) == PLOY_OK) {
            agent->goal.polygon = found.polygon;
        }
        corridors_ask(crowd, i);
    }
    return PLOY_OK;
}

// ---- agents ----

ploy_result ploy_corridors_add(ploy_corridors *crowd, ploy_vec3 point, int32_t *index) {
    ploy_navmesh_place place;
    if (crowd->count == crowd->def.capacity) return PLOY_ERR_CAPACITY;
    ploy_result result = ploy_navmesh_find_nearest(crowd->mover, point, -1, NULL, &place);
    if (result != PLOY_OK) return result;
    corridors_agent *agent = &crowd->agents[crowd->count];
    agent->place = agent->goal = place;
    agent->mode = PLOY_CORRIDORS_IDLE;
    if (index != NULL) *index = crowd->count;
    crowd->count++;
    return PLOY_OK;
}

int32_t ploy_corridors_count(const ploy_corridors *crowd) {
    return crowd->count;
}

ploy_result ploy_corridors_set_goal(ploy_corridors *crowd, int32_t index, ploy_vec3 goal) {
    if (index < 0 || index >= crowd->count) return PLOY_ERR_ARGUMENT;
    corridors_agent *agent = &crowd->agents[index];
    ploy_navmesh_place place;
    ploy_result result =
        ploy_navmesh_find_nearest(crowd->mover, goal, agent->goal.polygon, NULL, &place);
    if (result != PLOY_OK) return result;
    bool near = ploy_vec3_distance(agent->goal.point, place.point) <= 4.0f * crowd->def.slow;
    agent->goal = place;
    if (agent->mode == PLOY_CORRIDORS_WALKING && near && !agent->partial) {
        ploy_vec2 to = ploy_vec2_from_vec3(place.point);
        result = ploy_corridor_move_goal(agent->corridor, crowd->mover, to);
        if (result == PLOY_OK && !ploy_corridor_get(agent->corridor).stale) return PLOY_OK;
        if (result == PLOY_ERR_MEMORY) return result;
    }
    corridors_ask(crowd, index);
    return PLOY_OK;
}

ploy_result ploy_corridors_stop(ploy_corridors *crowd, int32_t agent) {
    if (agent < 0 || agent >= crowd->count) return PLOY_ERR_ARGUMENT;
    corridors_leave(crowd, agent, PLOY_CORRIDORS_IDLE);
    return PLOY_OK;
}

ploy_result ploy_corridors_step(ploy_corridors *crowd, ploy_budget *budget) {
    while (crowd->queue.count > 0) {
        int32_t index = PLOY_ARRAY_ITEMS(&crowd->queue, int32_t)[0];
        corridors_agent *agent = &crowd->agents[index];
        ploy_result result = PLOY_OK;
        if (crowd->served < 0) {
            ploy_navmesh_request request = ploy_navmesh_request_make(agent->place, agent->goal);
            result = ploy_navmesh_query_begin(crowd->query, &request);
            if (result == PLOY_OK) crowd->served = index;
        }
        if (result == PLOY_OK) result = ploy_navmesh_query_step(crowd->query, budget);
        if (result == PLOY_IN_PROGRESS) return result;
        if (result == PLOY_OK) result = ploy_corridor_set(agent->corridor, crowd->query);
        if (result == PLOY_OK) { // it may have been pushed since the search began
            ploy_vec2 at = ploy_vec2_from_vec3(agent->place.point);
            result = ploy_corridor_move(agent->corridor, crowd->mover, at);
        }
        if (result == PLOY_ERR_MEMORY) return result;
        agent->searches++;
        agent->partial = ploy_navmesh_query_answer(crowd->query).outcome != PLOY_PATH_FOUND;
        // A row that is too long for the corridor, or no place to go to: it stays where it is.
        corridors_leave(crowd, index,
                        result == PLOY_OK ? PLOY_CORRIDORS_WALKING : PLOY_CORRIDORS_ARRIVED);
    }
    return PLOY_OK;
}

// ---- moving ----

void ploy_corridors_velocities(const ploy_corridors *crowd, float speed, ploy_vec2 *out) {
    for (int32_t i = 0; i < crowd->count; i++) {
        const corridors_agent *agent = &crowd->agents[i];
        out[i] = ploy_vec2_zero();
        if (agent->mode != PLOY_CORRIDORS_WALKING) continue;
        ploy_vec2 at = ploy_vec2_from_vec3(agent->place.point);
        ploy_vec2 next = ploy_vec2_from_vec3(ploy_corridor_next(agent->corridor, 0.05f));
        float left = ploy_path_length(ploy_corridor_path(agent->corridor));
        float pace = crowd->def.slow > 0.0f ? ploy_minf(1.0f, left / crowd->def.slow) : 1.0f;
        out[i] = ploy_vec2_with_length(ploy_vec2_sub(next, at), speed * pace);
    }
}

static ploy_result corridors_follow_one(ploy_corridors *crowd, int32_t index, ploy_vec2 to) {
    corridors_agent *agent = &crowd->agents[index];
    if (agent->mode != PLOY_CORRIDORS_WALKING) { // it may be pushed
        ploy_navmesh_place place;
        ploy_result result = ploy_navmesh_find_move(crowd->mover, agent->place, to, &place);
        if (result == PLOY_OK) agent->place = place;
        return result == PLOY_ERR_MEMORY ? result : PLOY_OK;
    }
    ploy_result result = ploy_corridor_move(agent->corridor, crowd->mover, to);
    if (result == PLOY_ERR_MEMORY) return result;
    agent->age++;
    if (result == PLOY_OK && crowd->def.shorten > 0 &&
        (agent->age + index) % crowd->def.shorten == 0) {
        result = ploy_corridor_shorten(agent->corridor, crowd->mover);
        if (result == PLOY_ERR_MEMORY) return result;
    }
    ploy_corridor_state state = ploy_corridor_get(agent->corridor);
    if (state.agent.polygon >= 0) agent->place = state.agent;
    if (result != PLOY_OK || state.stale) {
        corridors_ask(crowd, index);
    } else if (ploy_path_length(ploy_corridor_path(agent->corridor)) <= crowd->def.arrive) {
        agent->mode = PLOY_CORRIDORS_ARRIVED;
    }
    return PLOY_OK;
}

ploy_result ploy_corridors_follow(ploy_corridors *crowd, const ploy_vec2 *positions) {
    if (positions == NULL && crowd->count > 0) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < crowd->count; i++) {
        if (!ploy_vec2_is_finite(positions[i])) return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < crowd->count; i++) {
        ploy_result result = corridors_follow_one(crowd, i, positions[i]);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// ---- sight ----

ploy_corridors_agent ploy_corridors_get(const ploy_corridors *crowd, int32_t index) {
    ploy_corridors_agent out;
    memset(&out, 0, sizeof out);
    out.place.polygon = -1;
    if (index < 0 || index >= crowd->count) return out;
    const corridors_agent *agent = &crowd->agents[index];
    out.mode = agent->mode;
    out.place = agent->place;
    out.goal = agent->goal.point;
    out.partial = agent->partial;
    out.searches = agent->searches;
    return out;
}

static const char *corridors_mode_text(int32_t mode) {
    static const char *const texts[] = {"idle", "waiting", "walking", "arrived"};
    return texts[mode];
}

static void corridors_visit_place(ploy_visit *v, const char *name, const ploy_corridors *crowd,
                                  ploy_navmesh_place *place) {
    ploy_visit_begin(v, name, PLOY_SAVED);
    ploy_visit_vec3(v, "point", PLOY_SAVED, &place->point.x, &place->point.y, &place->point.z);
    ploy_visit_i32_in(v, "polygon", PLOY_SAVED, &place->polygon, -1,
                      ploy_navmesh_stats_of(crowd->mesh).polygons - 1);
    ploy_visit_f32_in(v, "off", PLOY_SAVED, &place->distance, 0.0f, INFINITY);
    ploy_visit_end(v);
}

// A search under way is not saved: a loaded crowd begins it again, with the agents in their order.
static void corridors_visit_queue(ploy_visit *v, ploy_corridors *crowd) {
    int32_t none = -1, waiting = 0;
    int32_t count = ploy_visit_array(v, "queue", PLOY_SAVED, &crowd->queue, crowd->def.capacity);
    int32_t *queue = PLOY_ARRAY_ITEMS(&crowd->queue, int32_t);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_i32_in(v, "agent", PLOY_SAVED, &queue[i], 0, ploy_maxi(crowd->count - 1, 0));
    }
    ploy_visit_end(v);
    if (!ploy_visit_loads(v)) return;
    bool sound = ploy_visit_is_ok(v);
    for (int32_t i = 0; i < count && sound; i++) { // keeps (1)
        sound = crowd->agents[queue[i]].mode == PLOY_CORRIDORS_WAITING;
        for (int32_t k = 0; k < i && sound; k++) sound = queue[k] != queue[i];
    }
    for (int32_t i = 0; i < crowd->count; i++) {
        waiting += crowd->agents[i].mode == PLOY_CORRIDORS_WAITING;
    }
    ploy_visit_check(v, sound && waiting == count, "the queue does not fit the agents", NULL);
    ploy_navmesh_query_cancel(crowd->query);
    PLOY_VISIT_WRITE(v, crowd->served, none);
}

void ploy_corridors_visit(ploy_visit *v, void *object) {
    ploy_corridors *crowd = object;
    ploy_visit_struct(v, "corridors", crowd, sizeof *crowd);
    ploy_visit_block(v, "corridors", crowd, crowd->size);
    PLOY_VISIT_SCRATCH(v, crowd->env);
    PLOY_VISIT_SCRATCH(v, crowd->def);
    PLOY_VISIT_SCRATCH(v, crowd->mesh);
    PLOY_VISIT_SCRATCH(v, crowd->query);
    PLOY_VISIT_SCRATCH(v, crowd->mover);
    PLOY_VISIT_SCRATCH(v, crowd->served);
    PLOY_VISIT_SCRATCH(v, crowd->size);
    if (v->memory != NULL) {
        ploy_navmesh_query_memory(crowd->query, v->memory, v->memory_user);
        ploy_navmesh_query_memory(crowd->mover, v->memory, v->memory_user);
        for (int32_t i = crowd->count; i < crowd->def.capacity; i++) {
            ploy_corridor_memory(crowd->agents[i].corridor, v->memory, v->memory_user);
        }
    }
    ploy_describe_i64(v->describe, "agents", PLOY_STATE, crowd->count);
    ploy_describe_i64(v->describe, "waiting", PLOY_STATE, crowd->queue.count);
    int32_t count = ploy_visit_list(v, "agents", PLOY_SAVED, &crowd->count, crowd->def.capacity);
    for (int32_t i = 0; i < count; i++) {
        corridors_agent *agent = &crowd->agents[i];
        ploy_visit_struct(v, "corridors.agent", agent, sizeof *agent);
        PLOY_VISIT_SCRATCH(v, agent->corridor);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_describe_i64(v->describe, "mode", PLOY_STATE, (int64_t)agent->mode);
        PLOY_VISIT_ENUM(v, "mode", PLOY_SAVED, agent->mode, corridors_mode_text,
                        PLOY_CORRIDORS_ARRIVED + 1);
        ploy_visit_i32_in(v, "searches", PLOY_STATE, &agent->searches, 0, INT32_MAX - 1);
        ploy_visit_i32_in(v, "age", PLOY_SAVED, &agent->age, 0, INT32_MAX / 2);
        ploy_visit_bool(v, "partial", PLOY_SAVED, &agent->partial);
        ploy_describe_vec2(v->describe, "at", PLOY_STATE, agent->place.point.x,
                           agent->place.point.y);
        ploy_describe_vec2(v->describe, "goal", PLOY_STATE, agent->goal.point.x,
                           agent->goal.point.y);
        corridors_visit_place(v, "at", crowd, &agent->place);
        corridors_visit_place(v, "goal", crowd, &agent->goal);
        if (v->describe == NULL) {
            ploy_visit_begin(v, "corridor", PLOY_SAVED);
            ploy_corridor_visit(v, agent->corridor);
            ploy_visit_end(v);
        } else if (agent->mode == PLOY_CORRIDORS_WALKING) {
            ploy_corridor_describe(agent->corridor, v->describe);
        }
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    corridors_visit_queue(v, crowd);
}

void ploy_corridors_describe(const ploy_corridors *crowd, ploy_describe *out) {
    ploy_visit_describe(ploy_corridors_visit, crowd, NULL, out);
}

void ploy_corridors_draw(const ploy_corridors *crowd, ploy_draw *out) {
    ploy_agent_id nobody = ploy_agent_id_none();
    for (int32_t i = 0; i < crowd->count; i++) {
        const corridors_agent *agent = &crowd->agents[i];
        ploy_vec2 at = ploy_vec2_from_vec3(agent->place.point);
        ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, nobody, at, 0.3f);
        if (agent->mode != PLOY_CORRIDORS_WALKING) continue;
        const ploy_path *path = ploy_corridor_path(agent->corridor);
        for (int32_t k = 1; k < ploy_path_count(path); k++) {
            ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, nobody,
                           ploy_path_point(path, k - 1), ploy_path_point(path, k));
        }
    }
}

void ploy_corridors_memory(const ploy_corridors *crowd, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_corridors_visit, crowd, fn, user);
}
