// Map flooding; the technique is described in the header.
//
// Invariants while a contiguous flood goes on:
//   (1) every place with an owner was reached from a neighbour with that owner, or is its source;
//   (2) by path, values taken from the heap never rise, so a place that was taken is final. By
//       straight lines they may, and a place is taken again.
#include "ploy/tactics/flood.h"

#include "base/compiler.h"
#include "ploy/base/heap.h"
#include "ploy/base/math.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Neighbours of a place, and buckets of one cell's distance each that are open at a time.
enum { FLOOD_NEIGHBOURS = 64, FLOOD_BUCKETS = 64 };

// A place that waits in a bucket.
typedef struct flood_entry {
    double distance;
    int32_t place, source;
} flood_entry;

// Places by whole distances: where the order within a cell's length does not matter, a stack is
// faster than a heap. What is further away waits in the heap.
typedef struct flood_buckets {
    ploy_array stacks[FLOOD_BUCKETS]; // of flood_entry
    int32_t count;                    // of entries in all of them
    int64_t base;                     // distance of the first bucket
} flood_buckets;

// A space of tiles whose steps are read at once instead of place by place: a body of one cell with the
// map's own costs on level squares that do not wrap.
typedef struct flood_direct {
    const ploy_tiles_walker *walker; // NULL: another space
    const ploy_tiles *tiles;
    uint64_t generation; // of the map when its steps were read
    bool ready;          // were they?
    int32_t width, directions;
    int32_t offsets[8];           // from a place to its neighbour, by direction
    uint8_t *steps;               // by place, a bit for each direction
    float costs[PLOY_TILE_KINDS]; // of entering
    double least;                 // of the costs
} flood_direct;

#define FLOOD_SQRT2 1.4142135623730951

static const char *const flood_measures[] = {"path", "straight"};

static const ploy_field flood_table[] = {
    PLOY_FIELD_ENUM(ploy_flood_def, measure, 0, flood_measures, "how distance is measured"),
    PLOY_FIELD_BOOL(ploy_flood_def, nearest, false, "values are distances, strengths are ignored"),
    PLOY_FIELD_BOOL(ploy_flood_def, contiguous, true, "territories are connected"),
    PLOY_FIELD_BOOL(ploy_flood_def, absorbs, false, "a source may take another's place"),
    PLOY_FIELD_DEF(ploy_flood_def, type, ploy_influence_type_fields, "how strength falls"),
};

struct ploy_flood {
    ploy_env env;
    ploy_flood_def def;
    ploy_places places;
    ploy_space space; // expand NULL: by the view
    ploy_edges edges;
    ploy_heap heap;
    flood_buckets buckets; // nearest and contiguous
    flood_direct direct;   // likewise
    ploy_array sources;
    int32_t *owners;   // by place; -1
    float *values;     // by place; with room for neighbours of the rim before and behind it
    int32_t margin;    // values of that room
    double *distances; // by place, of the owner; by path of the present source if not contiguous
    uint8_t *flags;    // by place
    int32_t *turns;    // by place: the source whose flood set the distance
    size_t size;       // of the block that holds these arrays
    int32_t source;    // not contiguous: the one that floods
    int32_t cut;
    bool running;
};

// A place of a source, and a place that was found connected.
enum { FLOOD_SOURCE = 1, FLOOD_JOINED = 2 };

ploy_fields ploy_flood_fields(void) {
    return PLOY_FIELDS(ploy_flood_def, flood_table);
}

ploy_flood_def ploy_flood_def_default(void) {
    ploy_flood_def def;
    memset(&def, 0, sizeof def);
    ploy_fields_default(ploy_flood_fields(), &def);
    def.type = ploy_influence_type_default();
    return def;
}

// ---- tiles

static bool flood_direct_suits(const ploy_tiles_walker *walker) {
    if (walker == NULL || walker->size != 1 || walker->costs != NULL || walker->heights != NULL) {
        return false;
    }
    ploy_tiles_def def = ploy_tiles_def_of(walker->tiles);
    return def.neighbours != PLOY_TILE_HEX && !def.wrap_x && !def.wrap_y;
}

static flood_direct flood_direct_make(const ploy_tiles_walker *walker) {
    flood_direct direct;
    memset(&direct, 0, sizeof direct);
    if (!flood_direct_suits(walker)) return direct;
    bool eight = ploy_tiles_def_of(walker->tiles).neighbours == PLOY_TILE_EIGHT;
    int32_t width = ploy_tiles_width(walker->tiles);
    const int32_t offsets[8] = {1, width + 1, width, width - 1, -1, -width - 1, -width, 1 - width};
    direct.walker = walker;
    direct.tiles = walker->tiles;
    direct.width = width;
    direct.directions = eight ? 8 : 4;
    for (int32_t i = 0; i < direct.directions; i++) direct.offsets[i] = offsets[eight ? i : 2 * i];
    return direct;
}

// Reads the map if it was edited. @return false if its steps have to be read place by place: the caller
// may have changed the walker.
static bool flood_direct_update(flood_direct *direct) {
    if (direct->walker == NULL || !flood_direct_suits(direct->walker) ||
        direct->walker->tiles != direct->tiles) {
        return false;
    }
    uint64_t generation = ploy_tiles_generation(direct->tiles);
    if (direct->ready && direct->generation == generation) return true;
    ploy_tiles_steps(direct->tiles, direct->steps);
    direct->least = (double)INFINITY;
    for (int32_t kind = 0; kind < PLOY_TILE_KINDS; kind++) {
        direct->costs[kind] = ploy_tiles_cost(direct->tiles, (uint8_t)kind);
    }
    const uint8_t *kinds = ploy_tiles_kinds(direct->tiles);
    for (int32_t i = 0, last = -1; i < direct->width * ploy_tiles_height(direct->tiles); i++) {
        if (kinds[i] == last || kinds[i] == PLOY_TILE_BLOCKED) continue;
        last = kinds[i];
        if ((double)direct->costs[last] < direct->least)
            direct->least = (double)direct->costs[last];
    }
    direct->generation = generation;
    direct->ready = true;
    return true;
}

// ---- create

ploy_result ploy_flood_create(const ploy_flood_def *def, const ploy_places *places,
                              const ploy_space *space, const ploy_env *env, ploy_flood **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_flood_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (!ploy_places_is_complete(places) ||
        (def->type.drop == PLOY_INFLUENCE_CUSTOM && def->type.custom == NULL) ||
        (space != NULL && (space->expand == NULL || space->count != places->count))) {
        return PLOY_ERR_ARGUMENT;
    }
    // One byte more for each place, and the margin, where the space is of tiles.
    flood_direct direct = flood_direct_make(ploy_tiles_space_walker(space));
    int32_t margin = direct.walker != NULL ? direct.width + 1 : 0;
    size_t each = 2 * sizeof(int32_t) + sizeof(float) + (margin > 0 ? 2u : 1u) + sizeof(double);
    size_t size = 0;
    if (!ploy_size_add_array((size_t)margin * 2 * sizeof(float), places->count, each, &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_flood *flood = ploy_env_alloc_zero(env, sizeof *flood);
    if (flood == NULL) return PLOY_ERR_MEMORY;
    flood->env = *env;
    flood->def = *def;
    flood->places = *places;
    if (space != NULL) flood->space = *space;
    ploy_edges_init(&flood->edges, env);
    ploy_array_init(&flood->sources, sizeof(ploy_flood_source), env);
    for (int32_t i = 0; i < FLOOD_BUCKETS; i++) {
        ploy_array_init(&flood->buckets.stacks[i], sizeof(flood_entry), env);
    }
    flood->size = size;
    flood->direct = direct;
    flood->margin = margin;
    flood->distances = ploy_env_alloc_zero(env, size);
    result = ploy_heap_init(&flood->heap, 4, env);
    if (flood->distances == NULL) result = PLOY_ERR_MEMORY;
    if (result == PLOY_OK) {
        flood->owners = (int32_t *)(void *)(flood->distances + places->count);
        flood->turns = flood->owners + places->count;
        flood->values = (float *)(void *)(flood->turns + places->count) + margin;
        flood->flags = (uint8_t *)(flood->values + places->count + margin);
        if (margin > 0) flood->direct.steps = flood->flags + places->count;
        for (int32_t i = 0; i < places->count; i++) flood->owners[i] = -1;
    } else {
        ploy_flood_destroy(flood);
        return result;
    }
    *out = flood;
    return PLOY_OK;
}

void ploy_flood_destroy(ploy_flood *flood) {
    if (flood == NULL) return;
    ploy_env env = flood->env;
    ploy_heap_fini(&flood->heap);
    ploy_array_fini(&flood->sources);
    for (int32_t i = 0; i < FLOOD_BUCKETS; i++) ploy_array_fini(&flood->buckets.stacks[i]);
    ploy_edges_fini(&flood->edges);
    ploy_env_free(&env, flood->distances, flood->size);
    ploy_env_free(&env, flood, sizeof *flood);
}

static const ploy_flood_source *flood_source_at(const ploy_flood *flood, int32_t source) {
    return PLOY_ARRAY_AT(&flood->sources, ploy_flood_source, source);
}

// Distance between positions in cells.
static double flood_apart(const ploy_flood *flood, int32_t a, int32_t b) {
    const ploy_places *places = &flood->places;
    ploy_vec3 p = places->position(places, a), q = places->position(places, b);
    double dx = (double)p.x - (double)q.x, dy = (double)p.y - (double)q.y,
           dz = (double)p.z - (double)q.z;
    return sqrt(dx * dx + dy * dy + dz * dz) / (double)places->size;
}

// What a source is worth at a distance; NaN where its territory has ended.
static float flood_worth(const ploy_flood *flood, int32_t source, double distance) {
    const ploy_influence_type *type = &flood->def.type;
    if (!(distance <= (double)type->radius)) return NAN;
    if (flood->def.nearest) return -(float)distance;
    float value =
        flood_source_at(flood, source)->strength * ploy_influence_type_share(type, (float)distance);
    return value >= type->threshold ? value : NAN;
}

// ---- buckets

static void flood_buckets_clear(flood_buckets *buckets) {
    for (int32_t i = 0; i < FLOOD_BUCKETS; i++) ploy_array_clear(&buckets->stacks[i]);
    buckets->count = 0;
    buckets->base = 0;
}

// The bucket of a whole distance, 0 or more.
static inline ploy_array *flood_bucket(flood_buckets *buckets, int64_t distance) {
    return &buckets->stacks[(uint64_t)distance % FLOOD_BUCKETS];
}

static inline ploy_result flood_buckets_push(ploy_flood *flood, int32_t place, int32_t source,
                                             double distance) {
    flood_buckets *buckets = &flood->buckets;
    if (distance >= (double)(buckets->base + FLOOD_BUCKETS)) {
        return ploy_heap_push(&flood->heap, distance,
                              (uint64_t)(uint32_t)place | (uint64_t)source << 32);
    }
    ploy_array *stack = flood_bucket(buckets, (int64_t)distance);
    if (stack->count == stack->capacity) {
        int32_t room = stack->capacity == 0 ? PLOY_CAPACITY(64) : stack->capacity * 2;
        ploy_result result = ploy_array_reserve(stack, room);
        if (result != PLOY_OK) return result;
    }
    // Member by member into its place: a copy of a whole entry would wait for its parts.
    flood_entry *entry = &PLOY_ARRAY_ITEMS(stack, flood_entry)[stack->count++];
    entry->distance = distance;
    entry->place = place;
    entry->source = source;
    buckets->count++;
    return PLOY_OK;
}

// Moves on to the next bucket with an entry. *found: whether there is one.
static ploy_result flood_buckets_advance(ploy_flood *flood, bool *found) {
    flood_buckets *buckets = &flood->buckets;
    double key = 0.0;
    uint64_t payload = 0;
    *found = true;
    while (flood_bucket(buckets, buckets->base)->count == 0) {
        bool more = ploy_heap_peek(&flood->heap, &key, &payload);
        *found = more || buckets->count > 0;
        if (!*found) return PLOY_OK;
        buckets->base = buckets->count > 0 ? buckets->base + 1 : (int64_t)key;
        while (more && key < (double)(buckets->base + FLOOD_BUCKETS)) {
            ploy_result result = flood_buckets_push(flood, (int32_t)(uint32_t)payload,
                                                    (int32_t)(payload >> 32), key);
            if (result != PLOY_OK) return result;
            (void)ploy_heap_pop(&flood->heap, &key, &payload);
            more = ploy_heap_peek(&flood->heap, &key, &payload);
        }
    }
    return PLOY_OK;
}

// Takes an entry of the first bucket that has one; the last added first. *out: place -1 if all are
// empty.
static inline ploy_result flood_buckets_pop(ploy_flood *flood, flood_entry *out) {
    flood_buckets *buckets = &flood->buckets;
    bool found = true;
    out->place = -1;
    if (flood_bucket(buckets, buckets->base)->count == 0) {
        ploy_result result = flood_buckets_advance(flood, &found);
        if (result != PLOY_OK || !found) return result;
    }
    ploy_array *stack = flood_bucket(buckets, buckets->base);
    const flood_entry *entry = &PLOY_ARRAY_ITEMS(stack, flood_entry)[--stack->count];
    out->distance = entry->distance;
    out->place = entry->place;
    out->source = entry->source;
    buckets->count--;
    return PLOY_OK;
}

// By path, the distance to the nearest source does not depend on the order in which places of one
// bucket are taken: a place that turns out to be nearer is taken again.
static bool flood_is_simple(const ploy_flood *flood) {
    return flood->def.nearest && flood->def.contiguous && flood->def.measure == PLOY_FLOOD_PATH;
}

static ploy_result flood_push(ploy_flood *flood, int32_t place, int32_t source, double distance,
                              float value) {
    flood->distances[place] = distance;
    if (!flood->def.contiguous) flood->turns[place] = source;
    // The heap takes the least first. By path of one source the distance orders better than a
    // float: equal values may hide a shorter path.
    if (flood_is_simple(flood)) return flood_buckets_push(flood, place, source, distance);
    bool by_value = flood->def.contiguous && !flood->def.nearest;
    double key = by_value ? -(double)value : distance;
    return ploy_heap_push(&flood->heap, key, (uint64_t)(uint32_t)place | (uint64_t)source << 32);
}

// Sets a place's owner.
static void flood_own(ploy_flood *flood, int32_t place, int32_t source, float value) {
    flood->owners[place] = source;
    flood->values[place] = value;
}

// Pushes the source that floods next if sources flood one by one.
static ploy_result flood_seed(ploy_flood *flood) {
    int32_t place = flood_source_at(flood, flood->source)->place;
    float value = flood_worth(flood, flood->source, 0.0);
    return isnan(value) ? PLOY_OK : flood_push(flood, place, flood->source, 0.0, value);
}

// No place has an owner. Array by array, which is several times as fast as place by place.
static void flood_clear(ploy_flood *flood) {
    size_t count = (size_t)flood->places.count;
    float *values = flood->values;
    memset(flood->owners, 0xff, count * sizeof *flood->owners); // -1
    if (!flood->def.contiguous) memset(flood->turns, 0xff, count * sizeof *flood->turns);
    memset(flood->flags, 0, count);
    for (size_t i = 0; i < count; i++) values[i] = NAN;
}

ploy_result ploy_flood_begin(ploy_flood *flood, const ploy_flood_source *sources, int32_t count) {
    if (flood == NULL || count < 0 || (sources == NULL && count > 0)) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < count; i++) {
        if (sources[i].place < 0 || sources[i].place >= flood->places.count ||
            !(sources[i].strength >= 0.0f) || !ploy_is_finite(sources[i].strength)) {
            return PLOY_ERR_ARGUMENT;
        }
    }
    flood->running = false;
    ploy_result result = ploy_array_resize(&flood->sources, count);
    if (result != PLOY_OK) return result;
    ploy_heap_clear(&flood->heap);
    flood_buckets_clear(&flood->buckets);
    flood->cut = 0;
    flood->source = 0;
    flood_clear(flood);
    for (int32_t i = 0; i < count; i++) {
        *PLOY_ARRAY_AT(&flood->sources, ploy_flood_source, i) = sources[i];
        int32_t place = sources[i].place;
        float value = flood_worth(flood, i, 0.0);
        flood->flags[place] |= FLOOD_SOURCE;
        if (isnan(value) || flood->values[place] >= value) continue;
        flood_own(flood, place, i, value);
    }
    if (flood->def.contiguous) {
        for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
            int32_t place = sources[i].place;
            if (flood->owners[place] != i) continue;
            result = flood_push(flood, place, i, 0.0, flood->values[place]);
        }
    } else if (count > 0) {
        result = flood_seed(flood);
    }
    flood->running = result == PLOY_OK;
    return result;
}

// Offers a place to the source of its neighbour. @return an error of the heap.
static ploy_result flood_offer(ploy_flood *flood, int32_t from, int32_t to, double cost,
                               int32_t source) {
    int32_t home = flood_source_at(flood, source)->place;
    double distance = flood->def.measure == PLOY_FLOOD_STRAIGHT ? flood_apart(flood, home, to)
                                                                : flood->distances[from] + cost;
    float value = flood_worth(flood, source, distance);
    if (isnan(value)) return PLOY_OK;
    // Another source's own place is taken, or flooded past, only if sources absorb one another.
    bool closed = (flood->flags[to] & FLOOD_SOURCE) && !flood->def.absorbs;
    if (flood->def.contiguous) {
        if (closed || flood->values[to] >= value) return PLOY_OK;
        if (flood->def.nearest && flood->owners[to] >= 0 && flood->distances[to] <= distance) {
            return PLOY_OK;
        }
        flood_own(flood, to, source, value);
    } else {
        if (flood->turns[to] == source && flood->distances[to] <= distance) return PLOY_OK;
        if (!closed && !(flood->values[to] >= value)) flood_own(flood, to, source, value);
    }
    return flood_push(flood, to, source, distance, value);
}

// The same for domains of the nearest source by path, where the value is the distance: nothing
// depends on the source but its number. Only the values are read. No offer is better than the 0 of a
// source's own place, so that needs no test.
static ploy_result flood_spread_nearest(ploy_flood *flood, double begin, int32_t source) {
    const double most = (double)flood->def.type.radius;
    const ploy_edge *edge = flood->edges.view, *end = edge + flood->edges.count;
    const uint32_t places = (uint32_t)flood->places.count;
    float *values = flood->values;
    for (; edge < end; edge++) {
        uint32_t to = (uint32_t)edge->to;
        if (to >= places) return PLOY_ERR_STATE;
        double distance = begin + edge->cost;
        float value = -(float)distance;
        // False for NaN, which unowned places have.
        if (values[to] >= value || !(distance <= most) || !(edge->cost >= 0.0)) continue;
        values[to] = value;
        flood->owners[to] = source;
        ploy_result result = flood_buckets_push(flood, (int32_t)to, source, distance);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static inline uint32_t flood_is_nearer(float value, float than, int32_t bit) {
    return (uint32_t) !(value >= than) << bit; // true for NaN
}

// The same over the steps of a map: places in the same order, so the same result. First all neighbours
// are compared at once, as if their cost were the least: most places are taken already, and jumps
// that depend on it would be guessed wrong.
PLOYI_INLINE ploy_result flood_spread_steps(ploy_flood *flood, const flood_entry *entry,
                                            int32_t directions) {
    const flood_direct *direct = &flood->direct;
    const double most = (double)flood->def.type.radius, begin = entry->distance;
    const uint8_t *kinds = ploy_tiles_kinds(direct->tiles);
    float *values = flood->values;
    const float *own = values + entry->place;
    const float *above = own + direct->width, *below = own - direct->width;
    float straight = -(float)(begin + direct->least);
    uint32_t open;
    if (directions == 8) {
        float across = -(float)(begin + direct->least * FLOOD_SQRT2);
        open = flood_is_nearer(own[1], straight, 0) | flood_is_nearer(above[1], across, 1) |
               flood_is_nearer(above[0], straight, 2) | flood_is_nearer(above[-1], across, 3) |
               flood_is_nearer(own[-1], straight, 4) | flood_is_nearer(below[-1], across, 5) |
               flood_is_nearer(below[0], straight, 6) | flood_is_nearer(below[1], across, 7);
    } else {
        open = flood_is_nearer(own[1], straight, 0) | flood_is_nearer(above[0], straight, 1) |
               flood_is_nearer(own[-1], straight, 2) | flood_is_nearer(below[0], straight, 3);
    }
    for (open &= direct->steps[entry->place]; open != 0; open &= open - 1) {
        int32_t direction = ployi_lowest_bit(open), to = entry->place + direct->offsets[direction];
        double cost = (double)direct->costs[kinds[to]];
        if (directions == 8 && direction % 2 != 0) cost *= FLOOD_SQRT2;
        double distance = begin + cost;
        float value = -(float)distance;
        if (values[to] >= value || !(distance <= most)) continue;
        values[to] = value;
        flood->owners[to] = entry->source;
        ploy_result result = flood_buckets_push(flood, to, entry->source, distance);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result flood_spread(ploy_flood *flood, int32_t place, int32_t source) {
    const ploy_places *places = &flood->places;
    if (flood->space.expand == NULL) {
        int32_t around[FLOOD_NEIGHBOURS];
        int32_t count = places->neighbours(places, place, around, FLOOD_NEIGHBOURS);
        if (count > FLOOD_NEIGHBOURS) count = FLOOD_NEIGHBOURS;
        for (int32_t i = 0; i < count; i++) {
            if (!places->open(places, around[i])) continue;
            double cost = flood_apart(flood, place, around[i]);
            ploy_result result = flood_offer(flood, place, around[i], cost, source);
            if (result != PLOY_OK) return result;
        }
        return PLOY_OK;
    }
    ploy_edges_clear(&flood->edges);
    ploy_result result = flood->space.expand(flood->space.user, place, &flood->edges);
    for (int32_t i = 0; i < flood->edges.count && result == PLOY_OK; i++) {
        ploy_edge edge = flood->edges.view[i];
        if (!(edge.cost >= 0.0) || edge.cost == INFINITY) continue;
        if (edge.to < 0 || edge.to >= places->count) return PLOY_ERR_STATE;
        result = flood_offer(flood, place, edge.to, edge.cost, source);
    }
    return result;
}

// Gives up places that do not hang together with their source.
static void flood_release(ploy_flood *flood) {
    for (int32_t i = 0; i < flood->places.count; i++) {
        if (flood->owners[i] < 0 || (flood->flags[i] & FLOOD_JOINED)) continue;
        flood->owners[i] = -1;
        flood->values[i] = NAN;
        flood->cut++;
    }
}

// Marks what hangs together with the sources, through the heap as a plain list.
static ploy_result flood_join(ploy_flood *flood) {
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < flood->sources.count; i++) {
        int32_t home = flood_source_at(flood, i)->place;
        if (flood->owners[home] != i) continue;
        flood->flags[home] |= FLOOD_JOINED;
        result = ploy_heap_push(&flood->heap, 0.0, (uint64_t)(uint32_t)home);
        if (result != PLOY_OK) return result;
    }
    double key = 0.0;
    uint64_t payload = 0;
    while (ploy_heap_pop(&flood->heap, &key, &payload)) {
        int32_t place = (int32_t)(uint32_t)payload, around[FLOOD_NEIGHBOURS];
        int32_t count = 0;
        if (flood->space.expand == NULL) {
            count = flood->places.neighbours(&flood->places, place, around, FLOOD_NEIGHBOURS);
            if (count > FLOOD_NEIGHBOURS) count = FLOOD_NEIGHBOURS;
        } else {
            ploy_edges_clear(&flood->edges);
            result = flood->space.expand(flood->space.user, place, &flood->edges);
            if (result != PLOY_OK) return result;
            count = flood->edges.count;
        }
        for (int32_t i = 0; i < count; i++) {
            int32_t next = flood->space.expand == NULL ? around[i] : flood->edges.view[i].to;
            if (flood->owners[next] != flood->owners[place] ||
                (flood->flags[next] & FLOOD_JOINED)) {
                continue;
            }
            flood->flags[next] |= FLOOD_JOINED;
            result = ploy_heap_push(&flood->heap, 0.0, (uint64_t)(uint32_t)next);
            if (result != PLOY_OK) return result;
        }
    }
    flood_release(flood);
    return PLOY_OK;
}

// Is the record still the place's latest?
static bool flood_current(const ploy_flood *flood, int32_t place, int32_t source, double key) {
    if (!flood->def.contiguous) {
        return flood->turns[place] == source && flood->distances[place] == key;
    }
    if (flood->owners[place] != source) return false;
    return flood->def.nearest ? flood->distances[place] == key
                              : -(double)flood->values[place] == key;
}

// Steps through the buckets. @return PLOY_OK if nothing is left in them.
static ploy_result flood_step_nearest(ploy_flood *flood, ploy_budget *budget) {
    const int32_t directions = flood_direct_update(&flood->direct) ? flood->direct.directions : 0;
    for (;;) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        flood_entry entry;
        ploy_result result = flood_buckets_pop(flood, &entry);
        if (result != PLOY_OK || entry.place < 0) return result;
        // A place's values only rise, so this one says whether a shorter path has come since.
        if (flood->values[entry.place] != -(float)entry.distance) continue;
        if (directions == 8) {
            result = flood_spread_steps(flood, &entry, 8);
        } else if (directions == 4) {
            result = flood_spread_steps(flood, &entry, 4);
        } else {
            ploy_edges_clear(&flood->edges);
            result = flood->space.expand(flood->space.user, entry.place, &flood->edges);
            if (result == PLOY_OK) {
                result = flood_spread_nearest(flood, entry.distance, entry.source);
            }
        }
        if (result != PLOY_OK) return result;
    }
}

ploy_result ploy_flood_step(ploy_flood *flood, ploy_budget *budget) {
    if (flood == NULL || !flood->running) return PLOY_ERR_STATE;
    if (flood_is_simple(flood) && flood->space.expand != NULL) {
        ploy_result result = flood_step_nearest(flood, budget);
        flood->running = result == PLOY_IN_PROGRESS;
        return result;
    }
    for (;;) {
        double key = 0.0;
        uint64_t payload = 0;
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        ploy_result result = PLOY_OK;
        bool taken = false;
        if (flood_is_simple(flood)) {
            flood_entry entry = {0.0, -1, -1};
            result = flood_buckets_pop(flood, &entry);
            taken = result == PLOY_OK && entry.place >= 0;
            key = entry.distance;
            payload = (uint64_t)(uint32_t)entry.place | (uint64_t)(uint32_t)entry.source << 32;
        } else {
            taken = ploy_heap_pop(&flood->heap, &key, &payload);
        }
        if (taken) {
            int32_t place = (int32_t)(uint32_t)payload, source = (int32_t)(payload >> 32);
            if (flood_current(flood, place, source, key)) {
                result = flood_spread(flood, place, source);
            }
        } else if (result == PLOY_OK && !flood->def.contiguous &&
                   flood->source + 1 < flood->sources.count) {
            flood->source++;
            result = flood_seed(flood);
        } else if (result == PLOY_OK) {
            flood->running = false;
            bool check = flood->def.contiguous && flood->def.measure == PLOY_FLOOD_STRAIGHT;
            return check ? flood_join(flood) : PLOY_OK;
        }
        if (result != PLOY_OK) {
            flood->running = false;
            return result;
        }
    }
}

void ploy_flood_cancel(ploy_flood *flood) {
    if (flood != NULL) flood->running = false;
}

ploy_result ploy_flood_run(ploy_flood *flood, const ploy_flood_source *sources, int32_t count) {
    ploy_result result = ploy_flood_begin(flood, sources, count);
    return result == PLOY_OK ? ploy_flood_step(flood, NULL) : result;
}

int32_t ploy_flood_owner(const ploy_flood *flood, int32_t place) {
    return flood == NULL || place < 0 || place >= flood->places.count ? -1 : flood->owners[place];
}

float ploy_flood_value(const ploy_flood *flood, int32_t place) {
    return ploy_flood_owner(flood, place) < 0 ? NAN : flood->values[place];
}

int32_t ploy_flood_count(const ploy_flood *flood, int32_t source) {
    int32_t count = 0;
    for (int32_t i = 0; flood != NULL && i < flood->places.count; i++) {
        count += source >= 0 && flood->owners[i] == source;
    }
    return count;
}

int32_t ploy_flood_cut(const ploy_flood *flood) {
    return flood == NULL ? 0 : flood->cut;
}

ploy_result ploy_flood_read(const ploy_flood *flood, ploy_tactics_layer *out) {
    if (flood == NULL || out == NULL ||
        ploy_tactics_layer_places(out)->count != flood->places.count) {
        return PLOY_ERR_ARGUMENT;
    }
    float *numbers = ploy_tactics_layer_numbers(out);
    uint8_t *bytes = ploy_tactics_layer_categories(out);
    for (int32_t i = 0; i < flood->places.count; i++) {
        int32_t owner = flood->owners[i];
        if (numbers != NULL) numbers[i] = owner < 0 ? NAN : flood->values[i];
        if (bytes != NULL) bytes[i] = (uint8_t)(owner < 253 ? owner + 1 : 254);
    }
    return PLOY_OK;
}

// ---- state

static bool flood_is_sound(const ploy_flood *flood) {
    int32_t sources = flood->sources.count;
    for (int32_t i = 0; i < flood->places.count; i++) {
        if (flood->owners[i] < -1 || flood->owners[i] >= sources) return false;
    }
    for (int32_t i = 0; i < ploy_heap_count(&flood->heap); i++) {
        uint64_t payload = flood->heap.entries[i].payload;
        if ((uint32_t)payload >= (uint32_t)flood->places.count) return false;
        if (payload >> 32 >= (uint64_t)sources) return false;
    }
    return flood->source == 0 || flood->source < sources;
}

static void flood_visit_sources(ploy_visit *v, ploy_flood *flood) {
    int32_t count = ploy_visit_array(v, "sources", PLOY_STATE, &flood->sources, INT32_MAX);
    for (int32_t i = 0; i < count; i++) {
        ploy_flood_source *source = PLOY_ARRAY_AT(&flood->sources, ploy_flood_source, i);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_struct(v, "source", source, sizeof *source);
        ploy_visit_i32_in(v, "place", PLOY_STATE, &source->place, 0, flood->places.count - 1);
        ploy_visit_f32_in(v, "strength", PLOY_STATE, &source->strength, 0.0f, FLT_MAX);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

static void flood_count_entries(void *object) {
    ploy_flood *flood = object;
    flood->buckets.count = 0;
    for (int32_t i = 0; i < FLOOD_BUCKETS; i++) {
        flood->buckets.count += flood->buckets.stacks[i].count;
    }
}

// The open places, as in a heap: saved, and described by their number.
static void flood_visit_buckets(ploy_visit *v, ploy_flood *flood) {
    flood_buckets *buckets = &flood->buckets;
    ploy_visit_after(v, flood_count_entries, flood);
    PLOY_VISIT_SCRATCH(v, buckets->count);
    ploy_visit_i64_in(v, "base", PLOY_SAVED, &buckets->base, 0, (int64_t)1 << 52);
    int32_t lists = ploy_visit_fixed(v, "buckets", PLOY_SAVED, FLOOD_BUCKETS);
    for (int32_t i = 0; i < lists; i++) {
        ploy_array *stack = &buckets->stacks[i];
        int32_t count = ploy_visit_array(v, "bucket", PLOY_SAVED, stack, INT32_MAX);
        for (int32_t k = 0; k < count; k++) {
            flood_entry *entry = PLOY_ARRAY_AT(stack, flood_entry, k);
            ploy_visit_begin(v, "entry", PLOY_SAVED);
            ploy_visit_struct(v, "entry", entry, sizeof *entry);
            ploy_visit_f64_in(v, "distance", PLOY_SAVED, &entry->distance, 0.0, 1e15);
            ploy_visit_i32_in(v, "place", PLOY_SAVED, &entry->place, 0, flood->places.count - 1);
            ploy_visit_i32_in(v, "source", PLOY_SAVED, &entry->source, 0, flood->sources.count - 1);
            ploy_visit_end(v);
        }
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

void ploy_flood_visit(ploy_visit *v, void *object) {
    ploy_flood *flood = object;
    size_t count = (size_t)flood->places.count;
    ploy_visit_object(v, "flood", flood, sizeof *flood);
    ploy_visit_object(v, "places", flood->distances, flood->size);
    ploy_visit_block(v, "edges", flood->edges.items,
                     (size_t)flood->edges.capacity * sizeof *flood->edges.items);
    PLOY_VISIT_SCRATCH(v, flood->env);
    PLOY_VISIT_SCRATCH(v, flood->def);
    PLOY_VISIT_SCRATCH(v, flood->places);
    PLOY_VISIT_SCRATCH(v, flood->space);
    PLOY_VISIT_SCRATCH(v, flood->edges);
    PLOY_VISIT_SCRATCH(v, flood->owners);
    PLOY_VISIT_SCRATCH(v, flood->values);
    PLOY_VISIT_SCRATCH(v, flood->distances);
    PLOY_VISIT_SCRATCH(v, flood->flags);
    PLOY_VISIT_SCRATCH(v, flood->turns);
    PLOY_VISIT_SCRATCH(v, flood->size);
    PLOY_VISIT_SCRATCH(v, flood->direct);
    PLOY_VISIT_SCRATCH(v, flood->margin);
    if (flood->margin > 0) {
        size_t margin = (size_t)flood->margin * sizeof(float);
        ploy_visit_scratch(v, flood->values - flood->margin, margin);
        ploy_visit_scratch(v, flood->values + count, margin);
        ploy_visit_scratch(v, flood->direct.steps, count);
    }
    ploy_visit_bool(v, "running", PLOY_STATE, &flood->running);
    ploy_visit_i32_in(v, "cut", PLOY_STATE, &flood->cut, 0, flood->places.count);
    ploy_visit_i32_in(v, "source", PLOY_STATE, &flood->source, 0, INT32_MAX - 1);
    flood_visit_sources(v, flood);
    (void)ploy_visit_bytes(v, "owners", PLOY_STATE, flood->owners, count * sizeof(int32_t));
    (void)ploy_visit_bytes(v, "values", PLOY_STATE, flood->values, count * sizeof(float));
    (void)ploy_visit_bytes(v, "distances", PLOY_STATE, flood->distances, count * sizeof(double));
    (void)ploy_visit_bytes(v, "turns", PLOY_STATE, flood->turns, count * sizeof(int32_t));
    (void)ploy_visit_bytes(v, "flags", PLOY_STATE, flood->flags, count);
    ploy_visit_heap(v, "heap", &flood->heap, INT32_MAX);
    if (v->describe != NULL) {
        ploy_describe_i64(v->describe, "open", PLOY_STATE,
                          ploy_heap_count(&flood->heap) + flood->buckets.count);
    }
    flood_visit_buckets(v, flood);
    (void)ploy_visit_check(v, flood_is_sound(flood), "invalid number of a place or source",
                           "those of the flood");
}

void ploy_flood_describe(const ploy_flood *flood, ploy_describe *out) {
    if (flood != NULL) ploy_visit_describe(ploy_flood_visit, flood, NULL, out);
}

void ploy_flood_memory(const ploy_flood *flood, ploy_memory_fn fn, void *user) {
    if (flood != NULL && fn != NULL) ploy_visit_memory(ploy_flood_visit, flood, fn, user);
}
