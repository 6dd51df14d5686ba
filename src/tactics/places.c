// Views of a level as places; see the header.
#include "ploy/tactics/places.h"

#include "ploy/base/math.h"

#include <math.h>
#include <string.h>

// Directions of ploy_tiles.
static const int32_t places_dx[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int32_t places_dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};

static ploy_places places_empty(void) {
    ploy_places places;
    memset(&places, 0, sizeof places);
    return places;
}

bool ploy_places_is_complete(const ploy_places *places) {
    return places != NULL && places->count > 0 && places->count <= PLOY_PLACES_MAX &&
           places->position != NULL && places->neighbours != NULL && places->nearest != NULL &&
           places->open != NULL;
}

static bool places_has(const ploy_places *places, int32_t place) {
    return place >= 0 && place < places->count;
}

int32_t ploy_places_cell(const ploy_places *places, int32_t x, int32_t y) {
    if (places == NULL || places->width == 0) return PLOY_PLACE_NONE;
    if (places->wrap_x) x = ((x % places->width) + places->width) % places->width;
    if (places->wrap_y) y = ((y % places->height) + places->height) % places->height;
    if (x < 0 || y < 0 || x >= places->width || y >= places->height) return PLOY_PLACE_NONE;
    return y * places->width + x;
}

// ---- a plain grid

static ploy_vec3 places_grid_position(const ploy_places *places, int32_t place) {
    if (!places_has(places, place)) return ploy_vec3_make(0.0f, 0.0f, 0.0f);
    float x = (float)(place % places->width) + 0.5f;
    float y = (float)(place / places->width) + 0.5f;
    return ploy_vec3_make(places->origin.x + x * places->size, places->origin.y + y * places->size,
                          0.0f);
}

static int32_t places_grid_neighbours(const ploy_places *places, int32_t place, int32_t *out,
                                      int32_t capacity) {
    int32_t count = 0;
    if (!places_has(places, place)) return 0;
    for (int32_t i = 0; i < 8; i++) {
        int32_t to = ploy_places_cell(places, place % places->width + places_dx[i],
                                      place / places->width + places_dy[i]);
        if (to == PLOY_PLACE_NONE) continue;
        if (count < capacity) out[count] = to;
        count++;
    }
    return count;
}

static int32_t places_grid_nearest(const ploy_places *places, ploy_vec3 point) {
    float x = floorf((point.x - places->origin.x) / places->size);
    float y = floorf((point.y - places->origin.y) / places->size);
    // False for NaN as well.
    if (!(x >= 0.0f && y >= 0.0f && x < (float)places->width && y < (float)places->height)) {
        return PLOY_PLACE_NONE;
    }
    return (int32_t)y * places->width + (int32_t)x;
}

static bool places_grid_open(const ploy_places *places, int32_t place) {
    return places_has(places, place);
}

ploy_places ploy_places_grid(int32_t width, int32_t height, ploy_vec2 origin, float size) {
    ploy_places places = places_empty();
    if (width < 1 || height < 1 || !(size > 0.0f) || !ploy_is_finite(size) ||
        !ploy_is_finite(origin.x) || !ploy_is_finite(origin.y) ||
        (int64_t)width * height > PLOY_PLACES_MAX) {
        return places;
    }
    places.count = width * height;
    places.width = width;
    places.height = height;
    places.origin = origin;
    places.size = size;
    places.position = places_grid_position;
    places.neighbours = places_grid_neighbours;
    places.nearest = places_grid_nearest;
    places.open = places_grid_open;
    return places;
}

// ---- tiles

static ploy_vec3 places_tiles_position(const ploy_places *places, int32_t place) {
    if (!places_has(places, place)) return ploy_vec3_make(0.0f, 0.0f, 0.0f);
    ploy_vec2 at = ploy_tiles_localise(places->user, place);
    return ploy_vec3_make(at.x, at.y, 0.0f);
}

static int32_t places_tiles_neighbours(const ploy_places *places, int32_t place, int32_t *out,
                                       int32_t capacity) {
    if (!places_has(places, place)) return 0;
    ploy_tile_neighbours kind = ploy_tiles_def_of(places->user).neighbours;
    int32_t most = kind == PLOY_TILE_HEX ? 6 : kind == PLOY_TILE_FOUR ? 4 : 8;
    int32_t count = 0;
    for (int32_t i = 0; i < most; i++) {
        int32_t to = ploy_tiles_neighbour(places->user, place, i);
        if (to == PLOY_STATE_NONE) continue;
        if (count < capacity) out[count] = to;
        count++;
    }
    return count;
}

static int32_t places_tiles_nearest(const ploy_places *places, ploy_vec3 point) {
    return ploy_tiles_quantise(places->user, ploy_vec2_make(point.x, point.y));
}

static bool places_tiles_open(const ploy_places *places, int32_t place) {
    return ploy_tiles_passable(places->user, place);
}

ploy_places ploy_places_tiles(const ploy_tiles *tiles) {
    ploy_places places = places_empty();
    if (tiles == NULL) return places;
    ploy_tiles_def def = ploy_tiles_def_of(tiles);
    places.count = def.width * def.height;
    if (def.neighbours != PLOY_TILE_HEX) {
        places.width = def.width;
        places.height = def.height;
        places.wrap_x = def.wrap_x;
        places.wrap_y = def.wrap_y;
    }
    places.origin = def.origin;
    places.size = def.size;
    places.position = places_tiles_position;
    places.neighbours = places_tiles_neighbours;
    places.nearest = places_tiles_nearest;
    places.open = places_tiles_open;
    places.user = tiles;
    return places;
}

// ---- graphs

static bool places_graph_open(const ploy_places *places, int32_t place) {
    return ploy_graph_has_node(places->user, place);
}

static ploy_vec3 places_graph_position(const ploy_places *places, int32_t place) {
    return ploy_graph_has_node(places->user, place) ? ploy_graph_position(places->user, place)
                                                    : ploy_vec3_make(0.0f, 0.0f, 0.0f);
}

static int32_t places_graph_neighbours(const ploy_places *places, int32_t place, int32_t *out,
                                       int32_t capacity) {
    int32_t count = 0;
    if (!ploy_graph_has_node(places->user, place)) return 0;
    for (int32_t i = ploy_graph_first_out(places->user, place); i != PLOY_GRAPH_NONE;
         i = ploy_graph_next_out(places->user, i)) {
        ploy_graph_edge edge;
        if (!ploy_graph_edge_at(places->user, i, &edge)) break;
        if ((edge.flags & PLOY_GRAPH_CLOSED) != 0 || edge.to == place) continue;
        if (count < capacity) out[count] = edge.to;
        count++;
    }
    return count;
}

// The place of a list with the least distance; ties go to the lower number.
typedef struct places_choice {
    int32_t place;
    double distance;
} places_choice;

static void places_try(places_choice *choice, int32_t place, ploy_vec3 at, ploy_vec3 point) {
    double dx = (double)at.x - (double)point.x, dy = (double)at.y - (double)point.y,
           dz = (double)at.z - (double)point.z;
    double distance = dx * dx + dy * dy + dz * dz;
    if (distance < choice->distance) {
        choice->place = place;
        choice->distance = distance;
    }
}

static int32_t places_graph_nearest(const ploy_places *places, ploy_vec3 point) {
    places_choice choice = {PLOY_PLACE_NONE, INFINITY};
    for (int32_t i = 0; i < places->count; i++) {
        if (!ploy_graph_has_node(places->user, i)) continue;
        places_try(&choice, i, ploy_graph_position(places->user, i), point);
    }
    return choice.place;
}

ploy_places ploy_places_graph(const ploy_graph *graph) {
    ploy_places places = places_empty();
    if (graph == NULL) return places;
    places.count = ploy_graph_node_slots(graph);
    places.size = 1.0f;
    places.position = places_graph_position;
    places.neighbours = places_graph_neighbours;
    places.nearest = places_graph_nearest;
    places.open = places_graph_open;
    places.user = graph;
    return places;
}

// ---- meshes

static bool places_mesh_open(const ploy_places *places, int32_t place) {
    return places_has(places, place);
}

static ploy_vec3 places_mesh_position(const ploy_places *places, int32_t place) {
    return ploy_navmesh_polygon_at(places->user, place).centre;
}

static int32_t places_mesh_neighbours(const ploy_places *places, int32_t place, int32_t *out,
                                      int32_t capacity) {
    ploy_navmesh_polygon polygon = ploy_navmesh_polygon_at(places->user, place);
    int32_t count = 0;
    for (int32_t i = polygon.first; i < polygon.first + polygon.count; i++) {
        int32_t to = ploy_navmesh_edge_at(places->user, i).neighbour;
        if (to < 0) continue;
        if (count < capacity) out[count] = to;
        count++;
    }
    return count;
}

static int32_t places_mesh_nearest(const ploy_places *places, ploy_vec3 point) {
    places_choice choice = {PLOY_PLACE_NONE, INFINITY};
    for (int32_t i = 0; i < places->count; i++) {
        places_try(&choice, i,
                   ploy_navmesh_closest(places->user, i, ploy_vec2_make(point.x, point.y)), point);
    }
    return choice.place;
}

ploy_places ploy_places_navmesh(const ploy_navmesh *mesh) {
    ploy_places places = places_empty();
    if (mesh == NULL) return places;
    places.count = ploy_navmesh_stats_of(mesh).polygons;
    places.size = 1.0f;
    places.position = places_mesh_position;
    places.neighbours = places_mesh_neighbours;
    places.nearest = places_mesh_nearest;
    places.open = places_mesh_open;
    places.user = mesh;
    return places;
}
