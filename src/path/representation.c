// Representations: graphs as places to plan on, and the check for edges that cannot be walked; see
// the header. Tiles are in representation_tiles.c.
//
// Invariants of a graph's representation, from create to destroy:
//   (1) nodes[i] is the node of point i of the index;
//   (2) links holds only ids that are not none.
#include "ploy/path/representation.h"

#include <math.h>
#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/hash.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "ploy/geom/kdtree.h"
#include "ploy/path/heuristic.h"

bool ploy_representation_is_complete(const ploy_representation *representation) {
    return representation != NULL && representation->space.expand != NULL &&
           representation->quantise != NULL && representation->localise != NULL;
}

// ---- graphs ----

static const ploy_field representation_graph_fields[] = {
    PLOY_FIELD_F32(ploy_graph_representation_def, reach, 1000, 0, 1e9f, "m",
                   "from a place to its node"),
    PLOY_FIELD_I32_FIXED(ploy_graph_representation_def, candidates, 16, 1, 1024, "",
                         "nodes that are tried"),
    PLOY_FIELD_F32(ploy_graph_representation_def, cost_per_m, 1, 0, 1e6f, "",
                   "least cost of a metre, for estimates"),
};

struct ploy_graph_representation {
    ploy_env env;
    ploy_graph_representation_def def;
    const ploy_graph *graph;
    ploy_scene scene;
    bool has_scene;
    ploy_kdtree *tree;
    ploy_array nodes;  // int32_t
    ploy_array points; // ploy_vec2
    ploy_map links;    // ploy_id of edges
    ploy_name kinds[PLOY_GRAPH_REPRESENTATION_KINDS];
    float limits[PLOY_GRAPH_REPRESENTATION_KINDS];
    uint64_t edits; // of kinds and links, counted
};

ploy_fields ploy_graph_representation_fields(void) {
    return PLOY_FIELDS(ploy_graph_representation_def, representation_graph_fields);
}

ploy_graph_representation_def ploy_graph_representation_def_default(void) {
    ploy_graph_representation_def def;
    ploy_fields_default(ploy_graph_representation_fields(), &def);
    return def;
}

// Makes an index of the graph's nodes: on success the three belong to the caller.
static ploy_result representation_index(const ploy_graph_representation *representation,
                                        ploy_array *nodes, ploy_array *points, ploy_kdtree **tree) {
    ploy_array_init(nodes, sizeof(int32_t), &representation->env);
    ploy_array_init(points, sizeof(ploy_vec2), &representation->env);
    ploy_result result = PLOY_OK;
    const ploy_graph *graph = representation->graph;
    for (int32_t n = ploy_graph_next_node(graph, 0); n >= 0 && result == PLOY_OK;
         n = ploy_graph_next_node(graph, n + 1)) {
        ploy_vec2 at = ploy_vec2_from_vec3(ploy_graph_position(graph, n));
        result = ploy_array_push(nodes, &n);
        if (result == PLOY_OK) result = ploy_array_push(points, &at);
    }
    ploy_kdtree_def def = ploy_kdtree_def_default();
    def.capacity = ploy_maxi(1, points->count);
    if (result == PLOY_OK) result = ploy_kdtree_create(&def, &representation->env, tree);
    if (result == PLOY_OK && points->count > 0) {
        const ploy_vec2 *items = PLOY_ARRAY_ITEMS(points, ploy_vec2);
        ploy_points view = ploy_points_make(items, points->count);
        result = ploy_kdtree_rebuild(*tree, &view);
    }
    return result;
}

ploy_result ploy_graph_representation_rebuild(ploy_graph_representation *representation) {
    ploy_array nodes, points;
    ploy_kdtree *tree = NULL;
    ploy_result result = representation_index(representation, &nodes, &points, &tree);
    if (result != PLOY_OK) {
        ploy_kdtree_destroy(tree);
        ploy_array_fini(&nodes);
        ploy_array_fini(&points);
        return result;
    }
    ploy_kdtree_destroy(representation->tree);
    ploy_array_fini(&representation->nodes);
    ploy_array_fini(&representation->points);
    representation->tree = tree;
    representation->nodes = nodes; // keeps (1)
    representation->points = points;
    return PLOY_OK;
}

ploy_result ploy_graph_representation_create(const ploy_graph_representation_def *def,
                                             const ploy_graph *graph, const ploy_scene *scene,
                                             const ploy_env *env, ploy_graph_representation **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (graph == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_graph_representation_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_graph_representation *representation = ploy_env_alloc_zero(env, sizeof *representation);
    if (representation == NULL) return PLOY_ERR_MEMORY;
    representation->env = *env;
    representation->def = *def;
    representation->graph = graph;
    representation->has_scene = scene != NULL;
    if (scene != NULL) representation->scene = *scene;
    ploy_array_init(&representation->nodes, sizeof(int32_t), env);
    ploy_array_init(&representation->points, sizeof(ploy_vec2), env);
    ploy_map_init(&representation->links, sizeof(ploy_id), env);
    result = ploy_graph_representation_rebuild(representation);
    if (result != PLOY_OK) {
        ploy_graph_representation_destroy(representation);
        return result;
    }
    *out = representation;
    return PLOY_OK;
}

void ploy_graph_representation_destroy(ploy_graph_representation *representation) {
    if (representation == NULL) return;
    ploy_env env = representation->env;
    ploy_kdtree_destroy(representation->tree);
    ploy_array_fini(&representation->nodes);
    ploy_array_fini(&representation->points);
    ploy_map_fini(&representation->links);
    ploy_env_free(&env, representation, sizeof *representation);
}

ploy_result ploy_graph_representation_set_kind(ploy_graph_representation *representation,
                                               int32_t bit, ploy_name kind, float speed_limit) {
    if (bit < 0 || bit >= PLOY_GRAPH_REPRESENTATION_KINDS ||
        !ploy_in_range(speed_limit, 0.0f, 1e6f)) {
        return PLOY_ERR_ARGUMENT;
    }
    representation->kinds[bit] = kind;
    representation->limits[bit] = speed_limit;
    representation->edits++;
    return PLOY_OK;
}

ploy_result ploy_graph_representation_set_link(ploy_graph_representation *representation,
                                               int32_t edge, ploy_id link) {
    ploy_graph_edge known;
    if (!ploy_graph_edge_at(representation->graph, edge, &known)) return PLOY_ERR_NOT_FOUND;
    representation->edits++;
    if (ploy_id_is_none(link)) {
        (void)ploy_map_remove(&representation->links, (uint64_t)edge);
        return PLOY_OK;
    }
    return ploy_map_put(&representation->links, (uint64_t)edge, &link);
}

static bool representation_graph_clear(const void *user, ploy_vec3 from, ploy_vec3 to,
                                       const ploy_representation_body *body) {
    const ploy_graph_representation *representation = user;
    if (!representation->has_scene) return true;
    return !ploy_scene_sweep(&representation->scene, from, to, body->radius, body->mask, NULL);
}

// The index is seen from above, and no node is nearer in space than it is there: the search is over
// when the next one is further away seen from above than the best is in space.
int32_t ploy_graph_representation_nearest(const ploy_graph_representation *representation,
                                          ploy_vec3 place, const ploy_representation_body *body) {
    enum { DIVISION_FOUND = 1024 };
    ploy_found found[DIVISION_FOUND];
    const int32_t *nodes = PLOY_ARRAY_ITEMS(&representation->nodes, int32_t);
    int32_t tried = 0, wanted = ploy_mini(4, representation->def.candidates),
            best = PLOY_GRAPH_NONE;
    float nearest =
        representation->def.reach * representation->def.reach; // squared, and of the best
    ploy_query2 query = ploy_query2_nearest(ploy_vec2_from_vec3(place), representation->def.reach);
    for (;;) {
        int32_t count = ploy_kdtree_find(representation->tree, &query, found, wanted, NULL);
        for (; tried < count; tried++) {
            int32_t node = nodes[found[tried].id];
            ploy_vec3 at = ploy_graph_position(representation->graph, node);
            float flat = ploy_vec2_distance_sq(ploy_vec2_from_vec3(place), ploy_vec2_from_vec3(at));
            if (best >= 0 && flat > nearest) return best;
            float far = ploy_vec3_distance_sq(place, at);
            if (far > nearest || (best >= 0 && far == nearest)) continue;
            if (!representation_graph_clear(representation, place, at, body)) continue;
            best = node;
            nearest = far;
        }
        if (count < wanted || wanted == representation->def.candidates) return best;
        wanted = ploy_mini(wanted * 4, representation->def.candidates); // widen
    }
}

static int32_t representation_graph_quantise(const void *user, ploy_vec3 place,
                                             const ploy_representation_body *body) {
    return ploy_graph_representation_nearest(user, place, body);
}

static ploy_vec3 representation_graph_localise(const void *user, int32_t state) {
    const ploy_graph_representation *representation = user;
    return ploy_graph_position(representation->graph, state);
}

static void representation_graph_travel(const void *user, int32_t from, const ploy_edge *edge,
                                        ploy_path_edge *out) {
    const ploy_graph_representation *representation = user;
    ploy_graph_edge known;
    (void)from;
    if (!ploy_graph_edge_at(representation->graph, edge->label, &known)) return;
    for (int32_t bit = 0; bit < PLOY_GRAPH_REPRESENTATION_KINDS; bit++) {
        if ((known.flags >> bit & 1u) == 0 || representation->kinds[bit].hash == 0) continue;
        out->kind = representation->kinds[bit];
        out->speed_limit = representation->limits[bit];
        break;
    }
    const ploy_id *link = ploy_map_get(&representation->links, (uint64_t)edge->label);
    if (link != NULL) out->link = *link;
}

static ploy_result representation_graph_expand(void *user, int32_t state, ploy_edges *out) {
    const ploy_graph_representation *representation = user;
    ploy_space space = ploy_graph_space(representation->graph);
    return space.expand(space.user, state, out);
}

static ploy_result representation_graph_expand_back(void *user, int32_t state, ploy_edges *out) {
    const ploy_graph_representation *representation = user;
    ploy_space space = ploy_graph_space(representation->graph);
    return space.expand_back(space.user, state, out);
}

static double representation_graph_estimate(void *user, int32_t state, int32_t goal) {
    const ploy_graph_representation *representation = user;
    ploy_heuristic_def straight = ploy_heuristic_def_default();
    if (goal < 0 || !(representation->def.cost_per_m > 0.0f)) return 0.0;
    straight.scale = (double)representation->def.cost_per_m;
    return ploy_heuristic_between(&straight, ploy_graph_position(representation->graph, state),
                                  ploy_graph_position(representation->graph, goal));
}

static uint64_t representation_graph_generation(const void *user) {
    const ploy_graph_representation *representation = user;
    return ploy_hash_combine(ploy_graph_generation(representation->graph), representation->edits);
}

ploy_representation
ploy_graph_representation_view(const ploy_graph_representation *representation) {
    ploy_representation out;
    memset(&out, 0, sizeof out);
    out.space.count = ploy_graph_node_slots(representation->graph);
    out.space.expand = representation_graph_expand;
    out.space.expand_back = representation_graph_expand_back;
    out.space.estimate = representation_graph_estimate;
    memcpy(&out.space.user, &representation, sizeof out.space.user); // the callbacks read only
    out.quantise = representation_graph_quantise;
    out.localise = representation_graph_localise;
    // Without a scene it is not known what is free.
    if (representation->has_scene) out.clear = representation_graph_clear;
    out.travel = representation_graph_travel;
    out.generation = representation_graph_generation;
    out.user = representation;
    return out;
}

void ploy_graph_representation_memory(const ploy_graph_representation *representation,
                                      ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"graph representation", sizeof *representation, 1};
    fn(user, &item);
    ploy_array_memory(&representation->nodes, fn, user);
    ploy_array_memory(&representation->points, fn, user);
    ploy_map_memory(&representation->links, fn, user);
    ploy_kdtree_memory(representation->tree, fn, user);
}

// ---- the check ----

// A point around a state that belongs to it; its own place if the draw does not.
static ploy_vec3 representation_draw(const ploy_representation *representation,
                                     const ploy_representation_body *body, int32_t state,
                                     float spread, ploy_rng *rng) {
    ploy_vec3 centre = representation->localise(representation->user, state), at = centre;
    at.x += ploy_rng_range(rng, -spread, spread);
    at.y += ploy_rng_range(rng, -spread, spread);
    return representation->quantise(representation->user, at, body) == state ? at : centre;
}

static bool representation_is_ordinary(const ploy_representation *representation, int32_t from,
                                       const ploy_edge *edge) {
    ploy_path_edge travel;
    memset(&travel, 0, sizeof travel);
    if (representation->travel != NULL)
        representation->travel(representation->user, from, edge, &travel);
    return travel.kind.hash == 0 && ploy_id_is_none(travel.link);
}

ploy_result ploy_representation_check(const ploy_representation *representation,
                                      const ploy_representation_body *body, int32_t samples,
                                      float spread, uint64_t seed, const ploy_env *env,
                                      ploy_representation_fault *out, int32_t capacity,
                                      int32_t *count) {
    if (!ploy_representation_is_complete(representation) || representation->clear == NULL ||
        representation->space.count <= 0 || samples < 0 || !ploy_in_range(spread, 0.0f, 1e9f) ||
        capacity < 0 || (out == NULL && capacity > 0) || body == NULL || count == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_edges edges;
    ploy_edges_init(&edges, env);
    ploy_rng rng = ploy_rng_make(seed);
    ploy_result result = PLOY_OK;
    int32_t faults = 0;
    for (int32_t state = 0; state < representation->space.count && result == PLOY_OK; state++) {
        ploy_edges_clear(&edges);
        result = representation->space.expand(representation->space.user, state, &edges);
        for (int32_t i = 0; i < edges.count && result == PLOY_OK; i++) {
            const ploy_edge *edge = &edges.view[i];
            if (edge->cost == (double)INFINITY ||
                !representation_is_ordinary(representation, state, edge)) {
                continue;
            }
            for (int32_t k = 0; k <= samples; k++) {
                float width = k == 0 ? 0.0f : spread;
                ploy_vec3 a = representation_draw(representation, body, state, width, &rng);
                ploy_vec3 b = representation_draw(representation, body, edge->to, width, &rng);
                if (representation->clear(representation->user, a, b, body)) continue;
                if (faults < capacity) {
                    ploy_representation_fault fault = {state, *edge, a, b};
                    out[faults] = fault;
                }
                faults++;
                break;
            }
        }
    }
    ploy_edges_fini(&edges);
    if (result == PLOY_OK) *count = faults;
    return result;
}
