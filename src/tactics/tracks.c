// Recorded play as a source of candidates; described in ploy/tactics/condense.h.
//
// Invariant: the grid holds every spot under its index.
#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/math.h"
#include "ploy/geom/grid.h"
#include "ploy/tactics/condense.h"

enum { TRACKS_VISITORS = 8 };

static const ploy_field tracks_fields[] = {
    PLOY_FIELD_I32(ploy_tracks_def, capacity, 4096, 1, 1 << 20, "", "most spots"),
    PLOY_FIELD_I32(ploy_tracks_def, agents, 64, 1, 1 << 20, "", "most characters"),
    PLOY_FIELD_F32(ploy_tracks_def, period, 0.5f, 0, 1e6f, "s", "between two samples"),
    PLOY_FIELD_F32(ploy_tracks_def, radius, 1, 1e-3f, 1e6f, "m", "of a spot"),
    PLOY_FIELD_I32(ploy_tracks_def, min_samples, 6, 1, 1 << 20, "", "in a row at one spot"),
    PLOY_FIELD_I32(ploy_tracks_def, min_visits, 4, 1, 1 << 20, "", "of one spot"),
    PLOY_FIELD_I32(ploy_tracks_def, min_visitors, 2, 1, TRACKS_VISITORS, "",
                   "different characters at one spot"),
};

typedef struct tracks_spot {
    ploy_vec3 position;
    int32_t longest; // samples in a row
    int32_t visits;
    int32_t visitors[TRACKS_VISITORS];
    int32_t visitor_count;
} tracks_spot;

typedef struct tracks_agent {
    double next;   // s, of the next sample
    int32_t spot;  // -1: none
    int32_t still; // samples in a row at it
} tracks_agent;

struct ploy_tracks {
    ploy_env env;
    ploy_tracks_def def;
    ploy_grid *grid;
    ploy_array spots;
    ploy_array agents;
};

ploy_fields ploy_tracks_fields(void) {
    return PLOY_FIELDS(ploy_tracks_def, tracks_fields);
}

ploy_tracks_def ploy_tracks_def_default(void) {
    ploy_tracks_def def;
    ploy_fields_default(ploy_tracks_fields(), &def);
    return def;
}

ploy_result ploy_tracks_create(const ploy_tracks_def *def, const ploy_env *env, ploy_tracks **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_tracks_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_tracks *tracks = ploy_env_alloc_zero(env, sizeof *tracks);
    if (tracks == NULL) return PLOY_ERR_MEMORY;
    tracks->env = *env;
    tracks->def = *def;
    ploy_array_init(&tracks->spots, sizeof(tracks_spot), env);
    ploy_array_init(&tracks->agents, sizeof(tracks_agent), env);
    ploy_grid_def grid = ploy_grid_def_default();
    grid.capacity = def->capacity;
    grid.cell_size = def->radius;
    result = ploy_grid_create(&grid, env, &tracks->grid);
    if (result == PLOY_OK) result = ploy_array_reserve(&tracks->spots, def->capacity);
    if (result == PLOY_OK) result = ploy_array_resize(&tracks->agents, def->agents);
    if (result != PLOY_OK) {
        ploy_tracks_destroy(tracks);
        return result;
    }
    tracks_agent *agents = PLOY_ARRAY_ITEMS(&tracks->agents, tracks_agent);
    memset(agents, 0, (size_t)def->agents * sizeof *agents);
    for (int32_t i = 0; i < def->agents; i++) agents[i].spot = -1;
    *out = tracks;
    return PLOY_OK;
}

void ploy_tracks_destroy(ploy_tracks *tracks) {
    if (tracks == NULL) return;
    ploy_env env = tracks->env;
    ploy_grid_destroy(tracks->grid);
    ploy_array_fini(&tracks->spots);
    ploy_array_fini(&tracks->agents);
    ploy_env_free(&env, tracks, sizeof *tracks);
}

// The nearest spot within its radius, a new one, or -1 if there is no room.
static int32_t tracks_spot_at(ploy_tracks *tracks, ploy_vec3 position) {
    ploy_found found;
    ploy_query2 query = ploy_query2_nearest(ploy_vec2_from_vec3(position), tracks->def.radius);
    if (ploy_grid_find(tracks->grid, &query, &found, 1, NULL) == 1) return found.id;
    if (tracks->spots.count == tracks->def.capacity) return -1;
    tracks_spot spot;
    memset(&spot, 0, sizeof spot);
    spot.position = position;
    int32_t index = tracks->spots.count;
    (void)ploy_array_push(&tracks->spots, &spot); // reserved
    (void)ploy_grid_insert(tracks->grid, index, ploy_vec2_from_vec3(position));
    return index;
}

static void tracks_arrive(tracks_spot *spot, int32_t agent) {
    spot->visits++;
    for (int32_t i = 0; i < spot->visitor_count; i++) {
        if (spot->visitors[i] == agent) return;
    }
    if (spot->visitor_count < TRACKS_VISITORS) spot->visitors[spot->visitor_count++] = agent;
}

ploy_result ploy_tracks_record(ploy_tracks *tracks, int32_t agent, ploy_vec3 position, double now) {
    tracks_agent *of = tracks == NULL ? NULL : PLOY_ARRAY_AT(&tracks->agents, tracks_agent, agent);
    if (of == NULL || !ploy_vec3_is_finite(position)) return PLOY_ERR_ARGUMENT;
    if (now < of->next) return PLOY_OK;
    of->next = now + (double)tracks->def.period;
    tracks_spot *spots = PLOY_ARRAY_ITEMS(&tracks->spots, tracks_spot);
    if (of->spot >= 0 &&
        ploy_vec3_distance(spots[of->spot].position, position) <= tracks->def.radius) {
        of->still++;
    } else {
        of->spot = tracks_spot_at(tracks, position);
        of->still = 1;
        if (of->spot < 0) return PLOY_OK;
        tracks_arrive(&PLOY_ARRAY_ITEMS(&tracks->spots, tracks_spot)[of->spot], agent);
    }
    tracks_spot *spot = &PLOY_ARRAY_ITEMS(&tracks->spots, tracks_spot)[of->spot];
    if (of->still > spot->longest) spot->longest = of->still;
    return PLOY_OK;
}

int32_t ploy_tracks_candidates(const ploy_tracks *tracks, ploy_vec3 *out, int32_t capacity) {
    int32_t count = 0;
    const tracks_spot *spots = PLOY_ARRAY_ITEMS(&tracks->spots, tracks_spot);
    for (int32_t i = 0; i < tracks->spots.count; i++) {
        bool stays = spots[i].longest >= tracks->def.min_samples;
        bool visited = spots[i].visits >= tracks->def.min_visits &&
                       spots[i].visitor_count >= tracks->def.min_visitors;
        if (!stays && !visited) continue;
        if (count < capacity) out[count] = spots[i].position;
        count++;
    }
    return count;
}

static void tracks_rebuild(void *object) {
    ploy_tracks *tracks = object;
    const tracks_spot *spots = PLOY_ARRAY_ITEMS(&tracks->spots, tracks_spot);
    ploy_grid_clear(tracks->grid);
    for (int32_t i = 0; i < tracks->spots.count; i++) {
        (void)ploy_grid_insert(tracks->grid, i, ploy_vec2_from_vec3(spots[i].position));
    }
}

void ploy_tracks_visit(ploy_visit *v, void *object) {
    ploy_tracks *tracks = object;
    ploy_visit_object(v, "tracks", tracks, sizeof *tracks);
    ploy_visit_after(v, tracks_rebuild, tracks);
    PLOY_VISIT_SCRATCH(v, tracks->env);
    PLOY_VISIT_SCRATCH(v, tracks->def);
    PLOY_VISIT_SCRATCH(v, tracks->grid);
    if (v->memory != NULL) ploy_grid_memory(tracks->grid, v->memory, v->memory_user);
    int32_t count = ploy_visit_array(v, "spots", PLOY_STATE, &tracks->spots, tracks->def.capacity);
    for (int32_t i = 0; i < count; i++) {
        tracks_spot *spot = PLOY_ARRAY_AT(&tracks->spots, tracks_spot, i);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_vec3(v, "position", PLOY_STATE, &spot->position.x, &spot->position.y,
                        &spot->position.z);
        ploy_visit_i32_in(v, "longest", PLOY_STATE, &spot->longest, 0, INT32_MAX);
        ploy_visit_i32_in(v, "visits", PLOY_STATE, &spot->visits, 0, INT32_MAX);
        int32_t visitors =
            ploy_visit_list(v, "visitors", PLOY_STATE, &spot->visitor_count, TRACKS_VISITORS);
        for (int32_t j = 0; j < visitors; j++) {
            ploy_visit_i32_in(v, "visitor", PLOY_STATE, &spot->visitors[j], 0,
                              tracks->def.agents - 1);
        }
        ploy_visit_end(v);
        ploy_visit_scratch(v, spot->visitors + spot->visitor_count,
                           (size_t)(TRACKS_VISITORS - spot->visitor_count) * sizeof(int32_t));
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_buffer(v, "tracks.agents", &tracks->agents);
    PLOY_VISIT_SCRATCH(v, tracks->agents);
    int32_t agents = ploy_visit_fixed(v, "agents", PLOY_STATE, tracks->agents.count);
    for (int32_t i = 0; i < agents; i++) {
        tracks_agent *agent = PLOY_ARRAY_AT(&tracks->agents, tracks_agent, i);
        ploy_visit_struct(v, "agent", agent, sizeof *agent);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_f64(v, "next", PLOY_STATE, &agent->next);
        ploy_visit_i32_in(v, "spot", PLOY_STATE, &agent->spot, -1, tracks->spots.count - 1);
        ploy_visit_i32_in(v, "still", PLOY_STATE, &agent->still, 0, INT32_MAX);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

void ploy_tracks_describe(const ploy_tracks *tracks, ploy_describe *out) {
    if (tracks != NULL) ploy_visit_describe(ploy_tracks_visit, tracks, NULL, out);
}

void ploy_tracks_memory(const ploy_tracks *tracks, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_tracks_visit, tracks, fn, user);
}
