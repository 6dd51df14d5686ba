// Finders over a mesh: A* over its portals, and the exact search; see finders.h.
//
// Invariants, from make to destroy:
//   (1) query or exact is of the mesh of generation `built`, or NULL. Over a floor in tiles it may
//       be of a mesh that is gone; then only destroy touches it, which reads nothing of the mesh.
#include <string.h>

#include "path/finder_internal.h"
#include "path/navmesh_query_internal.h"
#include "ploy/base/math.h"
#include "ploy/path/heuristic.h"
#include "ploy/path/navmesh_exact.h"

typedef struct mesh_finder {
    ploy_finder_state state;
    ploy_env env;
    ploy_navmesh_finder_def def;
    ploy_navmesh_query *query;
    ploy_navmesh_exact *exact;
    uint64_t built;
    ploy_heuristic_def noise;
    bool is_exact;
} mesh_finder;

ploy_navmesh_finder_def ploy_navmesh_finder_def_default(void) {
    ploy_navmesh_finder_def def;
    memset(&def, 0, sizeof def);
    def.filter = ploy_navmesh_filter_default();
    def.method = PLOY_NAVMESH_CROSSINGS;
    def.reach = 2.0f;
    def.height = 2.0f;
    def.nodes = ploy_navmesh_exact_def_default().nodes;
    return def;
}

static const ploy_navmesh *mesh_finder_mesh(const mesh_finder *self) {
    return self->def.tiles != NULL ? ploy_navmesh_tiles_mesh(self->def.tiles) : self->def.mesh;
}

static uint64_t mesh_finder_generation(const void *user) {
    const mesh_finder *self = user;
    if (self->def.tiles != NULL) return ploy_navmesh_tiles_generation(self->def.tiles);
    return ploy_navmesh_generation(self->def.mesh);
}

// ---- what can be served ----

static const char *mesh_finder_serves(const void *user, const ploy_finder_request *request,
                                      const ploy_cost_hook *costs) {
    const mesh_finder *self = user;
    (void)costs;
    if (mesh_finder_mesh(self) == NULL) return "the floor has no mesh before its first refresh";
    if (self->is_exact && request->path.radius > self->def.radius) {
        return "radius exceeds the one the mesh was built for";
    }
    return NULL;
}

// ---- the search ----

static void mesh_finder_drop(mesh_finder *self) {
    ploy_navmesh_query_destroy(self->query);
    ploy_navmesh_exact_destroy(self->exact);
    self->query = NULL;
    self->exact = NULL;
}

// Makes the search for the present mesh, if it is for another one.
static ploy_result mesh_finder_follow(mesh_finder *self) {
    uint64_t generation = mesh_finder_generation(self);
    bool there = self->query != NULL || self->exact != NULL;
    if (there && generation == self->built) return PLOY_OK;
    mesh_finder_drop(self);
    const ploy_navmesh *mesh = mesh_finder_mesh(self);
    ploy_result result;
    if (self->is_exact) {
        ploy_navmesh_exact_def def = ploy_navmesh_exact_def_default();
        def.nodes = self->def.nodes;
        def.radius = self->def.radius;
        result = ploy_navmesh_exact_create(&def, mesh, &self->env, &self->exact);
    } else {
        result = ploy_navmesh_query_create(mesh, &self->env, &self->query);
    }
    self->built = generation; // keeps (1)
    return result;
}

// Estimates over a mesh cannot vary, so prices do: each polygon's by a separate share.
static double mesh_finder_price(void *user, int32_t from, int32_t to, int32_t label, double base) {
    const mesh_finder *self = user;
    const ploy_cost_hook *hook = &self->state.costs;
    if (hook->fn != NULL) base = hook->fn(hook->user, from, to, label, base);
    return base * (self->noise.noise + ploy_heuristic_noise(&self->noise, to));
}

// The place of the mesh that a point is at.
static bool mesh_finder_nearest(const mesh_finder *self, ploy_vec3 point, ploy_navmesh_place *out) {
    const ploy_navmesh *mesh = mesh_finder_mesh(self);
    float clearance = self->is_exact ? self->def.radius : self->def.filter.clearance;
    out->polygon = ployi_nav_closest_in_space(mesh, point, self->def.reach, self->def.height,
                                              clearance, &out->point);
    if (out->polygon < 0) return false;
    out->distance = ploy_vec2_distance(ploy_vec2_from_vec3(out->point), ploy_vec2_from_vec3(point));
    return true;
}

static ploy_result mesh_finder_begin_query(mesh_finder *self, ploy_navmesh_place from,
                                           ploy_navmesh_place to) {
    const ploy_finder_request *asked = &self->state.request;
    ploy_cost_hook varied = {mesh_finder_price, self};
    if (asked->variety != 0) {
        self->noise = ploy_heuristic_def_default();
        self->noise.noise = (double)asked->vary;
        self->noise.seed = asked->variety;
    }
    (void)ploy_navmesh_query_set_filter(self->query, &self->def.filter);
    ploy_navmesh_query_set_costs(self->query, asked->variety != 0 ? &varied : &self->state.costs);
    ploy_navmesh_request request = ploy_navmesh_request_make(from, to);
    request.method = self->def.method;
    request.radius = asked->path.radius;
    request.is_goal = asked->is_goal;
    request.user = asked->user;
    return ploy_navmesh_query_begin(self->query, &request);
}

static ploy_result mesh_finder_begin(void *user) {
    mesh_finder *self = user;
    ploy_finder_state *state = &self->state;
    const ploy_finder_request *asked = &state->request;
    bool place = asked->is_goal == NULL;
    ploy_result result = mesh_finder_follow(self);
    if (result != PLOY_OK) return result;
    ploy_navmesh_place from, to;
    memset(&to, 0, sizeof to);
    bool there = mesh_finder_nearest(self, asked->path.from, &from);
    if (there && place) there = mesh_finder_nearest(self, asked->path.to, &to);
    if (there && !place) to = from;
    if (there) {
        result = self->is_exact ? ploy_navmesh_exact_begin(self->exact, from, to)
                                : mesh_finder_begin_query(self, from, to);
        if (result == PLOY_ERR_LIMIT || result == PLOY_ERR_MEMORY) return result;
    }
    // Too far from the floor, or where it may not be: there is no path.
    if (!there || result != PLOY_OK) {
        state->outcome = PLOY_PATH_NONE;
        return PLOY_OK;
    }
    state->start = from.polygon;
    state->end = place ? to.polygon : PLOY_STATE_NONE;
    return PLOY_OK;
}

static ploy_result mesh_finder_step(void *user, ploy_budget *budget) {
    mesh_finder *self = user;
    ploy_finder_state *state = &self->state;
    ploy_result result = ploy_navmesh_query_step(self->query, budget);
    ploy_navmesh_answer answer = ploy_navmesh_query_answer(self->query);
    state->taken = state->work = answer.pops;
    if (result != PLOY_OK) return result;
    bool none = answer.outcome == PLOY_PATH_NONE ||
                (answer.outcome == PLOY_PATH_PARTIAL && !state->request.partial);
    state->outcome = none ? PLOY_PATH_NONE : answer.outcome;
    state->end = none ? PLOY_STATE_NONE : answer.end.polygon;
    state->cost = none ? 0.0 : (double)answer.cost;
    return PLOY_OK;
}

static ploy_result mesh_finder_step_exact(void *user, ploy_budget *budget) {
    mesh_finder *self = user;
    ploy_finder_state *state = &self->state;
    int64_t before = budget->spent;
    ploy_result result = ploy_navmesh_exact_step(self->exact, budget);
    state->taken += budget->spent - before;
    state->work = state->taken;
    if (result != PLOY_OK) return result;
    float length = 0.0f;
    state->outcome = ploy_navmesh_exact_outcome(self->exact, &length);
    if (state->outcome == PLOY_PATH_NONE) state->end = PLOY_STATE_NONE;
    state->cost = (double)length;
    return PLOY_OK;
}

static ploy_result mesh_finder_path(void *user, ploy_path *path) {
    mesh_finder *self = user;
    if (self->is_exact) return ploy_navmesh_exact_path(self->exact, path);
    return ploy_navmesh_query_path(self->query, path);
}

static ploy_result mesh_finder_peek(void *user, ploy_path *path) {
    mesh_finder *self = user;
    return ploy_navmesh_query_peek(self->query, path);
}

static void mesh_finder_cancel(void *user) {
    mesh_finder *self = user;
    // Of a mesh that may be gone nothing is asked: the next begin makes the search again.
    if (mesh_finder_generation(self) != self->built) return;
    if (self->query != NULL) ploy_navmesh_query_cancel(self->query);
}

static int32_t mesh_finder_states(const void *user, int32_t *out, int32_t capacity) {
    const mesh_finder *self = user;
    int32_t count = 0;
    const int32_t *polygons = ploy_navmesh_query_corridor(self->query, &count);
    for (int32_t i = 0; i < count && i < capacity; i++) out[i] = polygons[i];
    return count;
}

// ---- sight ----

static void mesh_finder_describe(const void *user, ploy_describe *out) {
    const mesh_finder *self = user;
    if (self->query != NULL) ploy_navmesh_query_describe(self->query, out);
}

static void mesh_finder_draw(const void *user, ploy_draw *out) {
    const mesh_finder *self = user;
    if (self->query != NULL) ploy_navmesh_query_draw(self->query, out);
}

static void mesh_finder_memory(const void *user, ploy_memory_fn fn, void *fn_user) {
    const mesh_finder *self = user;
    ploy_memory_item item = {"finder", sizeof *self, 1};
    fn(fn_user, &item);
    if (self->query != NULL) ploy_navmesh_query_memory(self->query, fn, fn_user);
    if (self->exact != NULL) ploy_navmesh_exact_memory(self->exact, fn, fn_user);
}

static void mesh_finder_destroy(void *user) {
    mesh_finder *self = user;
    if (self == NULL) return;
    ploy_env env = self->env;
    mesh_finder_drop(self);
    ploy_env_free(&env, self, sizeof *self);
}

// ---- making ----

static const ploy_finder_type mesh_finder_types[2] = {
    {"mesh", PLOY_FINDER_COSTS | PLOY_FINDER_PREDICATE | PLOY_FINDER_PARTIAL | PLOY_FINDER_VARIETY,
     mesh_finder_begin, mesh_finder_step, mesh_finder_path, mesh_finder_generation,
     mesh_finder_serves, mesh_finder_cancel, mesh_finder_peek, mesh_finder_states, NULL, NULL,
     mesh_finder_describe, mesh_finder_draw, mesh_finder_memory, mesh_finder_destroy, NULL},
    {"exact", PLOY_FINDER_OPTIMAL, mesh_finder_begin, mesh_finder_step_exact, mesh_finder_path,
     mesh_finder_generation, mesh_finder_serves, mesh_finder_cancel, NULL, NULL, NULL, NULL, NULL,
     NULL, mesh_finder_memory, mesh_finder_destroy, NULL},
};

static const char *mesh_finder_fault(const ploy_navmesh_finder_def *def) {
    if (def == NULL || (def->mesh == NULL) == (def->tiles == NULL)) {
        return "finder: expected a mesh or a floor in tiles";
    }
    if ((unsigned)def->method > PLOY_NAVMESH_CROSSINGS) return "finder: unknown method of a mesh";
    if (!ploy_in_range(def->reach, 0.0f, 1e9f) || !ploy_in_range(def->height, 0.0f, 1e9f)) {
        return "finder: reach and height of a mesh must be 0 to 1e9 m";
    }
    if (!ploy_in_range(def->radius, 0.0f, 1e4f) ||
        !ploy_in_range(def->filter.clearance, 0.0f, 1e9f)) {
        return "finder: radius and clearance of a mesh must be 0 or more";
    }
    for (int32_t i = 0; i < PLOY_NAVMESH_AREAS; i++) {
        if (!ploy_in_range(def->filter.cost[i], 1e-3f, 1e6f)) {
            return "finder: area costs of a mesh must be 1e-3 to 1e6";
        }
    }
    return NULL;
}

static ploy_result mesh_finder_make(const ploy_finder_factory *factory, const ploy_env *env,
                                    ploy_finder *out) {
    const char *fault = mesh_finder_fault(factory->user);
    if (fault != NULL) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, fault);
        return PLOY_ERR_ARGUMENT;
    }
    mesh_finder *self = ploy_env_alloc_zero(env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->env = *env;
    memcpy(&self->def, factory->user, sizeof self->def);
    self->is_exact = factory->variant == 1;
    // Warm from the start, if there is a mesh: then searching allocates nothing.
    ploy_result result = mesh_finder_mesh(self) != NULL ? mesh_finder_follow(self) : PLOY_OK;
    if (result != PLOY_OK) {
        mesh_finder_destroy(self);
        return result;
    }
    out->type = &mesh_finder_types[factory->variant];
    out->self = self;
    return PLOY_OK;
}

static ploy_finder_factory mesh_finder_factory(const ploy_navmesh_finder_def *def, int32_t exact,
                                               const char *help) {
    ploy_finder_factory factory = {mesh_finder_make,
                                   def,
                                   exact,
                                   mesh_finder_types[exact].traits,
                                   mesh_finder_types[exact].name,
                                   help};
    return factory;
}

ploy_finder_factory ploy_navmesh_finder(const ploy_navmesh_finder_def *def) {
    return mesh_finder_factory(def, 0, "A* over a mesh's portals, pulled tight");
}

ploy_finder_factory ploy_navmesh_exact_finder(const ploy_navmesh_finder_def *def) {
    return mesh_finder_factory(def, 1, "the shortest path over a mesh, seen from above");
}
