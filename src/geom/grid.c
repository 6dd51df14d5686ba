// A hash grid over points of the plane.
//
// Cell (cx, cy) belongs to bucket (cx + cy * stride) mod buckets, buckets being a power of two and
// stride odd, near buckets / golden ratio. That is a lattice: a row of cells is a row of buckets,
// so a query reads runs of memory, and cells that share a bucket lie about sqrt(buckets) cells
// apart, so the rows of a small window never overlap (grid_disjoint checks it). Where a large
// window's would, every point is asked instead, which then is hardly more work.
//
//     items:  | run of bucket 0 |  run 1  | run 2 |  ...        each run: live items, then holes
//              ^start[0]         ^start[1] ^start[2]
//     extra[bucket] -> id -> next[id] -> ...                    items that found no hole
//
// Rebuild packs the runs tight, ids ascending. Later a removed item leaves a hole at its run's end,
// which an inserted one may fill; others wait in the bucket's chain until there are many, when the
// grid packs itself again. Where an item lies never shows in an answer.
//
// Invariants, from create to destroy:
//   (1) slot[id] is ABSENT, CHAINED or the item's place in items, and items[slot[id]].id == id;
//   (2) at[id] is the point of every id that is not ABSENT, the same as in items; ids from `used`
//       on are ABSENT;
//   (3) each item lies in the run or the chain of the bucket of its cell;
//   (4) holes = run places not taken; chained = ids in chains; both 0 when packed.
#include "ploy/geom/grid.h"

#include "ploy/base/hash.h"
#include "ploy/base/math.h"

#include <string.h>

#define GRID_ABSENT (-1)
#define GRID_CHAINED (-2)
// Cells further out are one and the same; 2^62, far from overflow and monotone up to there.
#define GRID_CELL_LIMIT 4611686018427387904.0

static const ploy_field grid_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_grid_def, capacity, 1024, 1, 1 << 24, "",
                         "most points; ids go from 0 to one less"),
    PLOY_FIELD_F32(ploy_grid_def, cell_size, 4, 1e-6f, 1e9f, "m",
                   "side of a cell, best about the usual query radius"),
};

typedef struct grid_item {
    float x, y;
    int32_t id;
} grid_item;

struct ploy_grid {
    ploy_env env;
    size_t size; // bytes of the one block that holds this struct and all arrays
    int32_t capacity;
    int32_t count; // points
    int32_t used;  // ids below this may be present
    int32_t holes;
    int32_t chained;
    uint32_t mask;   // buckets - 1
    uint32_t stride; // odd
    float cell_size;
    double inverse;   // 1 / cell_size
    ploy_vec2 *at;    // by id
    grid_item *items; // by place
    int32_t *slot;    // by id
    int32_t *next;    // by id, in a chain
    uint32_t *bucket; // by id
    int32_t *start;   // by bucket, and one more
    int32_t *length;  // by bucket: items in the run
    int32_t *extra;   // by bucket: first id of the chain, or -1
};

// A window of cells, ends included.
typedef struct grid_window {
    int64_t x0, y0, x1, y1;
} grid_window;

// Monotone in v, whatever v is, and so are the windows made of it: no point is missed.
static inline int64_t grid_cell(const ploy_grid *grid, double v) {
    double cell = v * grid->inverse;
    if (!(cell > -GRID_CELL_LIMIT)) return -(int64_t)GRID_CELL_LIMIT; // NaN too
    if (cell >= GRID_CELL_LIMIT) return (int64_t)GRID_CELL_LIMIT;
    int64_t whole = (int64_t)cell; // floor, without a call where the machine has no instruction
    return whole - ((double)whole > cell ? 1 : 0);
}

static inline uint32_t grid_bucket(const ploy_grid *grid, int64_t cx, int64_t cy) {
    return ((uint32_t)(uint64_t)cx + (uint32_t)(uint64_t)cy * grid->stride) & grid->mask;
}

static inline uint32_t grid_bucket_of(const ploy_grid *grid, ploy_vec2 point) {
    return grid_bucket(grid, grid_cell(grid, (double)point.x), grid_cell(grid, (double)point.y));
}

// Buckets for a number of points: a power of two, one to two for each.
static uint32_t grid_buckets_for(int32_t count) {
    uint32_t buckets = (uint32_t)PLOY_CAPACITY(64);
    while (buckets < (uint32_t)count) buckets *= 2;
    return buckets;
}

ploy_fields ploy_grid_fields(void) {
    return PLOY_FIELDS(ploy_grid_def, grid_fields);
}

ploy_grid_def ploy_grid_def_default(void) {
    ploy_grid_def def;
    ploy_fields_default(ploy_grid_fields(), &def);
    return def;
}

// Empties the bucket table for a number of points to come.
static void grid_reset(ploy_grid *grid, int32_t expected) {
    uint32_t buckets = grid_buckets_for(expected);
    grid->mask = buckets - 1;
    grid->stride = (uint32_t)((double)buckets * 0.6180339887498949) | 1u;
    for (uint32_t b = 0; b < buckets; b++) {
        grid->start[b] = 0;
        grid->length[b] = 0;
        grid->extra[b] = -1;
    }
    grid->start[buckets] = 0;
    grid->holes = 0;
    grid->chained = 0;
}

ploy_result ploy_grid_create(const ploy_grid_def *def, const ploy_env *env, ploy_grid **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_grid_fields(), def, env);
    if (result != PLOY_OK) return result;
    int64_t n = def->capacity, buckets = (int64_t)grid_buckets_for(def->capacity);
    // One block, so that create can fail in one place only; the struct's size is rounded up to the
    // alignment of what follows.
    size_t head = (sizeof(ploy_grid) + 15u) & ~(size_t)15u, size = head;
    if (!ploy_size_add_array(
            size, n, sizeof(ploy_vec2) + sizeof(grid_item) + 2 * sizeof(int32_t) + sizeof(uint32_t),
            &size) ||
        !ploy_size_add_array(size, 3 * buckets + 1, sizeof(int32_t), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_grid *grid = ploy_env_alloc(env, size);
    if (grid == NULL) return PLOY_ERR_MEMORY;
    memset(grid, 0, size); // also the scratch: what nobody reads is the same in every run
    grid->env = *env;
    grid->size = size;
    grid->capacity = def->capacity;
    grid->cell_size = def->cell_size;
    grid->inverse = 1.0 / (double)def->cell_size;
    grid->at = (ploy_vec2 *)(void *)((unsigned char *)grid + head);
    grid->items = (grid_item *)(void *)(grid->at + n);
    grid->slot = (int32_t *)(void *)(grid->items + n);
    grid->next = grid->slot + n;
    grid->bucket = (uint32_t *)(void *)(grid->next + n);
    grid->start = (int32_t *)(void *)(grid->bucket + n);
    grid->length = grid->start + buckets + 1;
    grid->extra = grid->length + buckets;
    for (int64_t i = 0; i < n; i++) grid->slot[i] = GRID_ABSENT;
    grid_reset(grid, 0);
    *out = grid;
    return PLOY_OK;
}

void ploy_grid_destroy(ploy_grid *grid) {
    if (grid == NULL) return;
    ploy_env env = grid->env;
    ploy_env_free(&env, grid, grid->size);
}

// Sorts all points into tight runs by counting; ids ascend within a run because they are taken in
// order.
static void grid_pack(ploy_grid *grid) {
    grid_reset(grid, grid->count);
    int32_t *start = grid->start;
    for (int32_t id = 0; id < grid->used; id++) {
        if (grid->slot[id] == GRID_ABSENT) continue;
        uint32_t b = grid_bucket_of(grid, grid->at[id]);
        grid->bucket[id] = b;
        grid->length[b]++;
    }
    int32_t sum = 0;
    for (uint32_t b = 0; b <= grid->mask; b++) {
        start[b] = sum;
        sum += grid->length[b];
    }
    start[grid->mask + 1] = sum;
    // Scatter with start[b] as the cursor, which afterwards is where run b + 1 begins; shift back.
    for (int32_t id = 0; id < grid->used; id++) {
        if (grid->slot[id] == GRID_ABSENT) continue;
        int32_t place = start[grid->bucket[id]]++;
        grid->items[place].x = grid->at[id].x;
        grid->items[place].y = grid->at[id].y;
        grid->items[place].id = id;
        grid->slot[id] = place;
    }
    memmove(start + 1, start, (size_t)grid->mask * sizeof *start);
    start[0] = 0;
}

ploy_result ploy_grid_rebuild(ploy_grid *grid, const ploy_points *points) {
    int32_t count = points->count;
    if (count < 0) return PLOY_ERR_ARGUMENT;
    if (count > grid->capacity) return PLOY_ERR_CAPACITY;
    for (int32_t id = 0; id < count; id++) {
        ploy_vec2 point = ploy_points_get(points, id);
        // NaN is within nothing, as an infinity might be.
        grid->at[id] = ploy_vec2_is_finite(point) ? point : ploy_vec2_make(NAN, NAN);
        grid->slot[id] = 0; // present; its place follows
    }
    for (int32_t id = count; id < grid->used; id++) grid->slot[id] = GRID_ABSENT;
    grid->used = count;
    grid->count = count;
    grid_pack(grid);
    return PLOY_OK;
}

// Takes an item out of its run or chain. Leaves slot, at and count to the caller.
static void grid_take_out(ploy_grid *grid, int32_t id) {
    uint32_t b = grid->bucket[id];
    int32_t place = grid->slot[id];
    if (place == GRID_CHAINED) {
        int32_t *link = &grid->extra[b];
        while (*link != id) link = &grid->next[*link];
        *link = grid->next[id];
        grid->chained--;
        return;
    }
    int32_t last = grid->start[b] + --grid->length[b];
    grid->items[place] = grid->items[last];
    grid->slot[grid->items[place].id] = place;
    grid->holes++;
}

static void grid_put_in(ploy_grid *grid, int32_t id, ploy_vec2 point, uint32_t b) {
    grid->at[id] = point;
    grid->bucket[id] = b;
    int32_t place = grid->start[b] + grid->length[b];
    if (place < grid->start[b + 1]) { // a hole
        grid_item item = {point.x, point.y, id};
        grid->items[place] = item;
        grid->slot[id] = place;
        grid->length[b]++;
        grid->holes--;
        return;
    }
    grid->next[id] = grid->extra[b];
    grid->extra[b] = id;
    grid->slot[id] = GRID_CHAINED;
    grid->chained++;
    // A quarter in chains: pack. Costs O(count) once for count / 4 changes.
    if (grid->chained > PLOY_CAPACITY(32) && grid->chained > grid->count / 4) grid_pack(grid);
}

ploy_result ploy_grid_insert(ploy_grid *grid, int32_t id, ploy_vec2 point) {
    if (id < 0 || id >= grid->capacity || !ploy_vec2_is_finite(point)) return PLOY_ERR_ARGUMENT;
    if (grid->slot[id] != GRID_ABSENT) return PLOY_ERR_EXISTS;
    grid->count++;
    if (id >= grid->used) grid->used = id + 1;
    grid_put_in(grid, id, point, grid_bucket_of(grid, point));
    return PLOY_OK;
}

ploy_result ploy_grid_move(ploy_grid *grid, int32_t id, ploy_vec2 point) {
    if (id < 0 || id >= grid->capacity || !ploy_vec2_is_finite(point)) return PLOY_ERR_ARGUMENT;
    if (grid->slot[id] == GRID_ABSENT) return PLOY_ERR_NOT_FOUND;
    uint32_t b = grid_bucket_of(grid, point);
    if (b == grid->bucket[id]) {
        grid->at[id] = point;
        if (grid->slot[id] >= 0) {
            grid->items[grid->slot[id]].x = point.x;
            grid->items[grid->slot[id]].y = point.y;
        }
        return PLOY_OK;
    }
    grid_take_out(grid, id);
    grid_put_in(grid, id, point, b);
    return PLOY_OK;
}

ploy_result ploy_grid_remove(ploy_grid *grid, int32_t id) {
    if (id < 0 || id >= grid->capacity || grid->slot[id] == GRID_ABSENT) return PLOY_ERR_NOT_FOUND;
    grid_take_out(grid, id);
    grid->slot[id] = GRID_ABSENT;
    grid->count--;
    while (grid->used > 0 && grid->slot[grid->used - 1] == GRID_ABSENT) grid->used--;
    return PLOY_OK;
}

void ploy_grid_clear(ploy_grid *grid) {
    for (int32_t id = 0; id < grid->used; id++) grid->slot[id] = GRID_ABSENT;
    grid->used = 0;
    grid->count = 0;
    grid_reset(grid, 0);
}

int32_t ploy_grid_count(const ploy_grid *grid) {
    return grid->count;
}

bool ploy_grid_get(const ploy_grid *grid, int32_t id, ploy_vec2 *out) {
    if (id < 0 || id >= grid->capacity || grid->slot[id] == GRID_ABSENT) return false;
    *out = grid->at[id];
    return true;
}

// True if no two rows of a window share a bucket, so that nobody is met twice.
static bool grid_disjoint(const ploy_grid *grid, const grid_window *window) {
    // Unsigned differences of int64 are right even from end to end.
    uint64_t width = (uint64_t)window->x1 - (uint64_t)window->x0;  // one less than the cells
    uint64_t height = (uint64_t)window->y1 - (uint64_t)window->y0; // likewise
    if (width > grid->mask || height > grid->mask) return false;
    if ((width + 1) * (height + 1) > (uint64_t)grid->mask + 1) return false;
    for (uint32_t row = 1; row <= (uint32_t)height; row++) {
        uint32_t apart = row * grid->stride & grid->mask;
        if (apart <= width || grid->mask + 1 - apart <= width) return false;
    }
    return true;
}

// The three queries differ in what they ask of a point; one walk serves them, and the compiler
// makes three loops of it.
typedef enum grid_kind { GRID_RADIUS, GRID_BOX, GRID_NEAREST } grid_kind;

typedef struct grid_query {
    double x, y;     // of the centre
    double limit_sq; // m^2
    ploy_box2 box;
    int32_t *out;            // ids found; a heap with the largest on top once there are too many
    ploy_grid_near *nearest; // a heap with the worst on top once it is full
    int32_t capacity;        // of out or near
    int32_t total;           // found
} grid_query;

static void grid_ids_down(int32_t *heap, int32_t count, int32_t at) {
    int32_t id = heap[at];
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= count) break;
        if (child + 1 < count && heap[child + 1] > heap[child]) child++;
        if (heap[child] <= id) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = id;
}

static void grid_found(grid_query *query, int32_t id) {
    if (query->total < query->capacity) {
        query->out[query->total++] = id;
        return;
    }
    if (query->capacity > 0) {
        if (query->total == query->capacity) { // the first too many
            for (int32_t i = query->capacity / 2 - 1; i >= 0; i--) {
                grid_ids_down(query->out, query->capacity, i);
            }
        }
        if (id < query->out[0]) {
            query->out[0] = id;
            grid_ids_down(query->out, query->capacity, 0);
        }
    }
    query->total++;
}

static bool grid_worse(const ploy_grid_near *a, const ploy_grid_near *b) {
    return a->distance_sq > b->distance_sq || (a->distance_sq == b->distance_sq && a->id > b->id);
}

static void grid_near_down(ploy_grid_near *heap, int32_t count, int32_t at) {
    ploy_grid_near item = heap[at];
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= count) break;
        if (child + 1 < count && grid_worse(&heap[child + 1], &heap[child])) child++;
        if (!grid_worse(&heap[child], &item)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
}

// Once there are enough, the limit is the worst of them.
static void grid_found_near(grid_query *query, int32_t id, double distance_sq) {
    ploy_grid_near item = {distance_sq, id};
    ploy_grid_near *heap = query->nearest;
    if (query->total < query->capacity) {
        int32_t at = query->total++;
        heap[at] = item;
        while (at > 0 && grid_worse(&heap[at], &heap[(at - 1) / 2])) {
            ploy_grid_near swap = heap[at];
            heap[at] = heap[(at - 1) / 2];
            heap[(at - 1) / 2] = swap;
            at = (at - 1) / 2;
        }
    } else if (grid_worse(&heap[0], &item)) {
        heap[0] = item;
        grid_near_down(heap, query->capacity, 0);
    }
    if (query->total == query->capacity) query->limit_sq = heap[0].distance_sq;
}

static inline void grid_ask(grid_query *query, grid_kind kind, float x, float y, int32_t id) {
    if (kind == GRID_BOX) {
        if (ploy_box2_contains(query->box, ploy_vec2_make(x, y))) grid_found(query, id);
        return;
    }
    double dx = (double)x - query->x, dy = (double)y - query->y;
    double distance_sq = dx * dx + dy * dy;
    if (!(distance_sq <= query->limit_sq)) return; // NaN too
    if (kind == GRID_RADIUS) {
        grid_found(query, id);
    } else {
        grid_found_near(query, id, distance_sq);
    }
}

static inline void grid_ask_run(const ploy_grid *grid, grid_query *query, grid_kind kind,
                                int32_t begin, int32_t end) {
    const grid_item *items = grid->items;
    if (kind == GRID_RADIUS && query->capacity - query->total >= end - begin) {
        // Room for all of them: write every id and move on only past those within. Whether a
        // point is within is a coin's toss, which a branch would lose half of the time.
        int32_t *out = query->out, total = query->total;
        double x = query->x, y = query->y, limit_sq = query->limit_sq;
        for (int32_t i = begin; i < end; i++) {
            double dx = (double)items[i].x - x, dy = (double)items[i].y - y;
            out[total] = items[i].id;
            total += dx * dx + dy * dy <= limit_sq;
        }
        query->total = total;
        return;
    }
    for (int32_t i = begin; i < end; i++) {
        grid_ask(query, kind, items[i].x, items[i].y, items[i].id);
    }
}

// Buckets [first, first + count), which do not wrap around.
static inline void grid_ask_buckets(const ploy_grid *grid, grid_query *query, grid_kind kind,
                                    uint32_t first, uint32_t count) {
    if (grid->holes == 0) { // packed runs follow each other
        grid_ask_run(grid, query, kind, grid->start[first], grid->start[first + count]);
    } else {
        for (uint32_t b = first; b < first + count; b++) {
            int32_t begin = grid->start[b];
            grid_ask_run(grid, query, kind, begin, begin + grid->length[b]);
        }
    }
    if (grid->chained == 0) return;
    for (uint32_t b = first; b < first + count; b++) {
        for (int32_t id = grid->extra[b]; id >= 0; id = grid->next[id]) {
            grid_ask(query, kind, grid->at[id].x, grid->at[id].y, id);
        }
    }
}

static inline void grid_ask_window(const ploy_grid *grid, grid_query *query, grid_kind kind,
                                   const grid_window *window) {
    if (!grid_disjoint(grid, window)) {
        for (int32_t id = 0; id < grid->used; id++) {
            if (grid->slot[id] == GRID_ABSENT) continue;
            grid_ask(query, kind, grid->at[id].x, grid->at[id].y, id);
        }
        return;
    }
    uint32_t width = (uint32_t)((uint64_t)window->x1 - (uint64_t)window->x0) + 1;
    uint32_t buckets = grid->mask + 1;
    for (int64_t cy = window->y0; cy <= window->y1; cy++) {
        uint32_t first = grid_bucket(grid, window->x0, cy);
        uint32_t fits = buckets - first < width ? buckets - first : width;
        grid_ask_buckets(grid, query, kind, first, fits);
        if (fits < width) grid_ask_buckets(grid, query, kind, 0, width - fits);
    }
}

// Ascending. Answers are short as a rule, and insertion is best for those; long ones are brought
// nearly in order first (Shell's sort with Tokuda's gaps), which needs no memory.
static void grid_sort(int32_t *ids, int32_t count) {
    static const int32_t gaps[] = {7355550, 3269134, 1452949, 645756, 287003, 127557,
                                   56692,   25197,   11199,   4977,   2212,   983,
                                   437,     194,     86,      38,     17,     7};
    int32_t first = (int32_t)(sizeof gaps / sizeof gaps[0]);
    if (count > 40) {
        while (first > 0 && gaps[first - 1] < count / 2) first--;
    }
    for (int32_t g = first; g <= (int32_t)(sizeof gaps / sizeof gaps[0]); g++) {
        int32_t gap = g < (int32_t)(sizeof gaps / sizeof gaps[0]) ? gaps[g] : 1;
        for (int32_t i = gap; i < count; i++) {
            int32_t id = ids[i], j = i;
            for (; j >= gap && ids[j - gap] > id; j -= gap) ids[j] = ids[j - gap];
            ids[j] = id;
        }
    }
}

static int32_t grid_finish(grid_query *query) {
    grid_sort(query->out, ploy_mini(query->total, query->capacity));
    return query->total;
}

int32_t ploy_grid_find_radius(const ploy_grid *grid, ploy_vec2 centre, float radius, int32_t *out,
                              int32_t capacity) {
    if (!(radius >= 0.0f) || !ploy_vec2_is_finite(centre)) return 0;
    grid_query query = {(double)centre.x,
                        (double)centre.y,
                        (double)radius * (double)radius,
                        ploy_box2_empty(),
                        out,
                        NULL,
                        out == NULL ? 0 : capacity,
                        0};
    // A hair more than the radius: squares round, and a point may be within by that rounding.
    double reach = (double)radius * (1.0 + 1e-12);
    grid_window window = {grid_cell(grid, query.x - reach), grid_cell(grid, query.y - reach),
                          grid_cell(grid, query.x + reach), grid_cell(grid, query.y + reach)};
    grid_ask_window(grid, &query, GRID_RADIUS, &window);
    return grid_finish(&query);
}

int32_t ploy_grid_find_box(const ploy_grid *grid, ploy_box2 box, int32_t *out, int32_t capacity) {
    if (ploy_box2_is_empty(box)) return 0;
    grid_query query = {0.0, 0.0, 0.0, box, out, NULL, out == NULL ? 0 : capacity, 0};
    grid_window window = {grid_cell(grid, (double)box.min.x), grid_cell(grid, (double)box.min.y),
                          grid_cell(grid, (double)box.max.x), grid_cell(grid, (double)box.max.y)};
    grid_ask_window(grid, &query, GRID_BOX, &window);
    return grid_finish(&query);
}

int32_t ploy_grid_find_nearest(const ploy_grid *grid, ploy_vec2 point, float max_distance,
                               ploy_grid_near *out, int32_t count) {
    if (count <= 0 || out == NULL || !(max_distance >= 0.0f) || !ploy_vec2_is_finite(point)) {
        return 0;
    }
    double limit_sq = (double)max_distance * (double)max_distance;
    grid_query query = {
        (double)point.x, (double)point.y, limit_sq, ploy_box2_empty(), NULL, out, count, 0};
    int64_t cx = grid_cell(grid, query.x), cy = grid_cell(grid, query.y);
    // Where a point's cell number is large, the product it came from was rounded: by this many
    // cells at most.
    double x_cells = fabs(query.x * grid->inverse), y_cells = fabs(query.y * grid->inverse);
    double rounding = (x_cells > y_cells ? x_cells : y_cells) * 0x1p-51;
    // Larger windows until the worst of enough points is nearer than whatever lies outside.
    for (int64_t ring = 1;;) {
        grid_window window = {cx - ring, cy - ring, cx + ring, cy + ring};
        bool all = !grid_disjoint(grid, &window);
        query.total = 0;
        // Whoever is further than the window's corner only shares a bucket by chance.
        double corner = ((double)ring + 1.0 + rounding) * (double)grid->cell_size;
        query.limit_sq =
            all || 2.001 * corner * corner > limit_sq ? limit_sq : 2.001 * corner * corner;
        grid_ask_window(grid, &query, GRID_NEAREST, &window);
        double covered = ((double)ring - rounding) * (double)grid->cell_size * (1.0 - 1e-9);
        double covered_sq = covered > 0.0 ? covered * covered : 0.0;
        if (all || query.total == grid->count || covered_sq > limit_sq) break;
        if (query.total < count) {
            ring *= 2;
        } else if (out[0].distance_sq < covered_sq) {
            break;
        } else {
            // Enough, but some outside may be nearer than the worst: as far as that, no further.
            // (Past a thousand cells the window is all there is.)
            double cells = sqrt(out[0].distance_sq) * grid->inverse + rounding;
            int64_t reach = cells < 1e6 ? (int64_t)cells + 1 : ring * 2;
            ring = reach > ring ? reach : ring + 1;
        }
    }
    // A heap sort: the worst goes to the end, over and over.
    for (int32_t end = query.total - 1; end > 0; end--) {
        ploy_grid_near swap = out[0];
        out[0] = out[end];
        out[end] = swap;
        grid_near_down(out, end, 0);
    }
    return query.total;
}

void ploy_grid_describe(const ploy_grid *grid, ploy_describe *out) {
    // The points as one number: a thousand lines help nobody, and whoever moves them tells them.
    uint64_t hash = 0;
    for (int32_t id = 0; id < grid->used; id++) {
        if (grid->slot[id] == GRID_ABSENT) continue;
        uint32_t x, y; // one by one: the same on machines of either byte order
        memcpy(&x, &grid->at[id].x, sizeof x);
        memcpy(&y, &grid->at[id].y, sizeof y);
        hash = ploy_hash_combine(ploy_hash_combine(hash, (uint64_t)id), (uint64_t)x << 32 | y);
    }
    ploy_describe_f32(out, "cell_size", PLOY_STATE, grid->cell_size);
    ploy_describe_i64(out, "count", PLOY_STATE, grid->count);
    ploy_describe_u64(out, "points", PLOY_STATE, hash);
    ploy_describe_i64(out, "capacity", PLOY_NOTE, grid->capacity);
    ploy_describe_i64(out, "buckets", PLOY_NOTE, (int64_t)grid->mask + 1);
    ploy_describe_i64(out, "chained", PLOY_NOTE, grid->chained);
}

// True if no lower id is in the same cell: whoever goes through the cells goes through these.
static bool grid_first_in_cell(const ploy_grid *grid, int32_t id, int64_t cx, int64_t cy) {
    uint32_t b = grid->bucket[id];
    int32_t place = grid->start[b], end = place + grid->length[b], chain = grid->extra[b];
    while (place < end || chain >= 0) {
        int32_t other = place < end ? grid->items[place].id : chain;
        if (place < end) {
            place++;
        } else {
            chain = grid->next[chain];
        }
        if (other < id && grid_cell(grid, (double)grid->at[other].x) == cx &&
            grid_cell(grid, (double)grid->at[other].y) == cy) {
            return false;
        }
    }
    return true;
}

void ploy_grid_draw(const ploy_grid *grid, ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_REGIONS)) return;
    double size = (double)grid->cell_size;
    for (int32_t id = 0; id < grid->used; id++) {
        if (grid->slot[id] == GRID_ABSENT) continue;
        int64_t cx = grid_cell(grid, (double)grid->at[id].x);
        int64_t cy = grid_cell(grid, (double)grid->at[id].y);
        if (!grid_first_in_cell(grid, id, cx, cy)) continue;
        ploy_box2 cell = {{(float)((double)cx * size), (float)((double)cy * size)},
                          {(float)((double)(cx + 1) * size), (float)((double)(cy + 1) * size)}};
        ploy_vec2 corners[5] = {
            cell.min, {cell.max.x, cell.min.y}, cell.max, {cell.min.x, cell.max.y}, cell.min};
        ploy_draw_polyline(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, ploy_agent_id_none(), corners,
                           5);
    }
}

void ploy_grid_memory(const ploy_grid *grid, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"grid", grid->size, 1};
    fn(user, &item);
}

#undef GRID_ABSENT
#undef GRID_CHAINED
#undef GRID_CELL_LIMIT
