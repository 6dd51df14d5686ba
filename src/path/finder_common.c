// Finders that keep their path as edges between states; see the header.
#include "path/finder_common.h"

#include <math.h>
#include <string.h>

void ployi_common_finder_init(ployi_common_finder *self, const ploy_representation *level,
                              const ploy_env *env) {
    self->env = *env;
    memcpy(&self->level, level, sizeof self->level);
    ploy_array_init(&self->found, sizeof(ploy_edge), env);
}

void ployi_common_finder_fini(ployi_common_finder *self) {
    ploy_array_fini(&self->found);
}

ploy_result ployi_common_finder_add(ployi_common_finder *self, int32_t to, double cost,
                                    int32_t label) {
    ploy_edge edge;
    memset(&edge, 0, sizeof edge);
    edge.to = to;
    edge.label = label;
    edge.cost = cost;
    return ploy_array_push(&self->found, &edge);
}

ploy_result ployi_common_finder_edge(const ployi_common_finder *self, int32_t from, int32_t to,
                                     ploy_edges *scratch, ploy_edge *out) {
    const ploy_space *space = &self->level.space;
    ploy_edges_clear(scratch);
    ploy_result result = space->expand(space->user, from, scratch);
    const ploy_edge *best = NULL;
    for (int32_t i = 0; i < scratch->count && result == PLOY_OK; i++) {
        const ploy_edge *edge = &scratch->view[i];
        if (edge->to == to && (best == NULL || edge->cost < best->cost)) best = edge;
    }
    if (result != PLOY_OK) return result;
    if (best == NULL) return PLOY_ERR_CALLBACK;
    *out = *best;
    return PLOY_OK;
}

ploy_result ployi_common_finder_write(ployi_common_finder *self, bool arrives, ploy_path *path) {
    const ploy_representation *level = &self->level;
    const ploy_path_request *asked = &self->state.request.path;
    const ploy_edge *edges = self->found.items;
    int32_t at = self->state.start;
    ploy_path_clear(path);
    ploy_result result = ployi_finder_append(path, asked->from, NULL);
    if (result == PLOY_OK) {
        result = ployi_finder_append(path, level->localise(level->user, at), NULL);
    }
    self->state.lead = ploy_path_count(path) - 1;
    for (int32_t i = 0; i < self->found.count && result == PLOY_OK; i++) {
        ploy_path_edge edge;
        memset(&edge, 0, sizeof edge);
        edge.cost = (float)edges[i].cost;
        if (edges[i].to == at && edges[i].label < 0) {
            edge.kind = ploy_name_of("wait");
        } else if (level->travel != NULL) {
            level->travel(level->user, at, &edges[i], &edge);
        }
        at = edges[i].to;
        result = ployi_finder_append(path, level->localise(level->user, at), &edge);
    }
    if (result == PLOY_OK && arrives) result = ployi_finder_append(path, asked->to, NULL);
    return result;
}

ploy_result ployi_common_finder_path(void *user, ploy_path *path) {
    ployi_common_finder *self = user;
    bool arrives = self->state.outcome == PLOY_PATH_FOUND && self->state.request.is_goal == NULL;
    return ployi_common_finder_write(self, arrives, path);
}

int32_t ployi_common_finder_states(const void *user, int32_t *out, int32_t capacity) {
    const ployi_common_finder *self = user;
    return ployi_finder_list(self->state.start, self->found.items, self->found.count, out,
                             capacity);
}

int32_t ployi_common_finder_locate(const void *user, ploy_vec3 place,
                                   const ploy_path_request *request) {
    const ployi_common_finder *self = user;
    ploy_representation_body body = {request->radius, request->mask};
    return self->level.quantise(self->level.user, place, &body);
}

bool ployi_common_finder_clear(const void *user, ploy_vec3 from, ploy_vec3 to,
                               const ploy_path_request *request) {
    const ployi_common_finder *self = user;
    ploy_representation_body body = {request->radius, request->mask};
    return self->level.clear != NULL && self->level.clear(self->level.user, from, to, &body);
}

void ployi_common_finder_draw(const void *user, ploy_draw *out) {
    const ployi_common_finder *self = user;
    const ploy_representation *level = &self->level;
    const ploy_edge *edges = self->found.items;
    int32_t at = self->state.start;
    for (int32_t i = 0; i < self->found.count; i++) {
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, self->state.request.path.agent,
                       ploy_vec2_from_vec3(level->localise(level->user, at)),
                       ploy_vec2_from_vec3(level->localise(level->user, edges[i].to)));
        at = edges[i].to;
    }
}

void ployi_common_finder_memory(const ployi_common_finder *self, size_t size, ploy_memory_fn fn,
                                void *user) {
    ploy_memory_item item = {"finder", size, 1};
    fn(user, &item);
    ploy_array_memory(&self->found, fn, user);
}

uint64_t ployi_common_finder_level(const ployi_common_finder *self) {
    return self->level.generation != NULL ? self->level.generation(self->level.user) : 0;
}
