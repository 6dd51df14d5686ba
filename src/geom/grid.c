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
// Rays and sweeps go from column to column of cells along their longer side (rows, if that is y),
// nearest first; the nearest points are looked for in frames of cells round and round. There a
// bucket may be come upon twice, for two of its cells, so a point is asked only in its own cell.
// No walk looks at more cells than there are points: past that, every point is tested.
//
// Invariants, from create to destroy:
//   (1) slot[id] is ABSENT, CHAINED or the item's place in items, and items[slot[id]].id == id;
//   (2) at[id] is the point of every id that is not ABSENT, the same as in items; ids from `used`
//       on are ABSENT;
//   (3) each item lies in the run or the chain of the bucket of its cell;
//   (4) holes = run places not taken; chained = ids in chains; both 0 when packed;
//   (5) bounds contain all points there were since the grid was packed or empty.
#include "ploy/geom/grid.h"

#include "geom/index_internal.h"
#include "ploy/base/math.h"

#include <string.h>

#define GRID_ABSENT (-1)
#define GRID_CHAINED (-2)
// Cells further out are the same; 2^62, far from overflow and monotone up to there.
#define GRID_CELL_LIMIT 4611686018427387904.0

static const ploy_field grid_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_grid_def, capacity, 1024, 1, 1 << 24, "",
                         "most points; ids go from 0 to one less"),
    PLOY_FIELD_F32(ploy_grid_def, cell_size, 4, 1e-6f, 1e9f, "m",
                   "side of a cell, best about the usual query radius"),
};

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
    double inverse;     // 1 / cell_size
    ployi_box bounds;   // of all there is
    ploy_vec2 *at;      // by id
    ployi_point *items; // by place
    int32_t *slot;      // by id
    int32_t *next;      // by id, in a chain
    uint32_t *bucket;   // by id
    int32_t *start;     // by bucket, and one more
    int32_t *length;    // by bucket: items in the run
    int32_t *extra;     // by bucket: first id of the chain, or -1
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
    memset(&grid->bounds, 0, sizeof grid->bounds);
}

// Keeps (5). There is one point at least, this one, to be there.
static void grid_bound(ploy_grid *grid, ploy_vec2 point, bool only) {
    float at[2] = {point.x, point.y};
    for (int32_t i = 0; i < 2; i++) {
        if (only || at[i] < grid->bounds.min[i]) grid->bounds.min[i] = at[i];
        if (only || at[i] > grid->bounds.max[i]) grid->bounds.max[i] = at[i];
    }
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
    if (!ploy_size_add_array(size, n,
                             sizeof(ploy_vec2) + sizeof(ployi_point) + 2 * sizeof(int32_t) +
                                 sizeof(uint32_t),
                             &size) ||
        !ploy_size_add_array(size, 3 * buckets + 1, sizeof(int32_t), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_grid *grid = ploy_env_alloc(env, size);
    if (grid == NULL) return PLOY_ERR_MEMORY;
    memset(grid, 0, size); // also the scratch: what is never read is the same in every run
    grid->env = *env;
    grid->size = size;
    grid->capacity = def->capacity;
    grid->cell_size = def->cell_size;
    grid->inverse = 1.0 / (double)def->cell_size;
    grid->at = (ploy_vec2 *)(void *)((unsigned char *)grid + head);
    grid->items = (ployi_point *)(void *)(grid->at + n);
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
    bool only = true;
    for (int32_t id = 0; id < grid->used; id++) {
        if (grid->slot[id] == GRID_ABSENT) continue;
        grid_bound(grid, grid->at[id], only);
        only = false;
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
        ployi_point item = {{grid->at[id].x, grid->at[id].y}, id};
        grid->items[place] = item;
        grid->slot[id] = place;
    }
    memmove(start + 1, start, (size_t)grid->mask * sizeof *start);
    start[0] = 0;
}

ploy_result ploy_grid_rebuild(ploy_grid *grid, const ploy_points *points) {
    int32_t count = points->count;
    if (count < 0) return PLOY_ERR_ARGUMENT;
    if (count > grid->capacity) return PLOY_ERR_CAPACITY;
    grid->count = 0;
    for (int32_t id = 0; id < count; id++) {
        grid->at[id] = ploy_points_get(points, id);
        bool finite = ploy_vec2_is_finite(grid->at[id]);
        grid->slot[id] = finite ? 0 : GRID_ABSENT; // present; its place follows
        grid->count += finite;
    }
    for (int32_t id = count; id < grid->used; id++) grid->slot[id] = GRID_ABSENT;
    grid->used = count;
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
    grid_bound(grid, point, grid->count == 1);
    int32_t place = grid->start[b] + grid->length[b];
    if (place < grid->start[b + 1]) { // a hole
        ployi_point item = {{point.x, point.y}, id};
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
        grid_bound(grid, point, false);
        if (grid->slot[id] >= 0) {
            ployi_point item = {{point.x, point.y}, id};
            grid->items[grid->slot[id]] = item;
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

// True if no two rows of a window share a bucket, so that no point is visited twice.
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

// ---- all points of a window of cells, whatever else shares their buckets ----

static void grid_watch_cell(const ploy_grid *grid, const ployi_query *query, int64_t cx,
                            int64_t cy) {
    double size = (double)grid->cell_size;
    float min[2] = {(float)((double)cx * size), (float)((double)cy * size)};
    float max[2] = {(float)((double)(cx + 1) * size), (float)((double)(cy + 1) * size)};
    ployi_query_watched(query, min, max, -1, 2);
}

static inline void grid_ask_id(const ploy_grid *grid, ployi_query *query, ploy_query_kind kind,
                               int32_t id) {
    float at[2] = {grid->at[id].x, grid->at[id].y};
    ployi_query_ask(query, at, at, id, kind, 2);
}

static inline void grid_ask_all(const ploy_grid *grid, ployi_query *query, ploy_query_kind kind) {
    for (int32_t id = 0; id < grid->used && !query->stopped; id++) {
        if (grid->slot[id] != GRID_ABSENT) grid_ask_id(grid, query, kind, id);
    }
}

// Buckets [first, first + count), which do not wrap around.
static inline void grid_ask_buckets(const ploy_grid *grid, ployi_query *query, ploy_query_kind kind,
                                    uint32_t first, uint32_t count) {
    if (grid->holes == 0) { // packed runs follow each other
        int32_t begin = grid->start[first];
        ployi_query_ask_points(query, grid->items + begin, grid->start[first + count] - begin,
                               kind);
    } else {
        for (uint32_t b = first; b < first + count; b++) {
            ployi_query_ask_points(query, grid->items + grid->start[b], grid->length[b], kind);
        }
    }
    if (grid->chained == 0) return;
    for (uint32_t b = first; b < first + count; b++) {
        for (int32_t id = grid->extra[b]; id >= 0 && !query->stopped; id = grid->next[id]) {
            grid_ask_id(grid, query, kind, id);
        }
    }
}

static inline void grid_ask_window(const ploy_grid *grid, ployi_query *query, ploy_query_kind kind,
                                   const grid_window *window) {
    if (!grid_disjoint(grid, window)) {
        grid_ask_all(grid, query, kind);
        return;
    }
    uint32_t width = (uint32_t)((uint64_t)window->x1 - (uint64_t)window->x0) + 1;
    uint32_t buckets = grid->mask + 1;
    // The rows of a window lie far apart in memory: all of them are sent for before the first is
    // waited for, which among a hundred thousand points takes a fifth off.
    for (int64_t cy = window->y0; cy <= window->y1; cy++) {
        PLOYI_PREFETCH(grid->items + grid->start[grid_bucket(grid, window->x0, cy)]);
    }
    for (int64_t cy = window->y0; cy <= window->y1 && !query->stopped; cy++) {
        uint32_t first = grid_bucket(grid, window->x0, cy);
        uint32_t fits = buckets - first < width ? buckets - first : width;
        query->nodes += width;
        if (query->watch != NULL) {
            for (int64_t cx = window->x0; cx <= window->x1; cx++) {
                grid_watch_cell(grid, query, cx, cy);
            }
        }
        grid_ask_buckets(grid, query, kind, first, fits);
        if (fits < width) grid_ask_buckets(grid, query, kind, 0, width - fits);
    }
}

static void grid_walk_radius(const ploy_grid *grid, ployi_query *query) {
    // A hair more than the radius: squares round, and a point may be within by that rounding.
    double reach = sqrt(query->limit) * (1.0 + 1e-12);
    grid_window window = {
        grid_cell(grid, query->at[0] - reach), grid_cell(grid, query->at[1] - reach),
        grid_cell(grid, query->at[0] + reach), grid_cell(grid, query->at[1] + reach)};
    grid_ask_window(grid, query, PLOY_QUERY_RADIUS, &window);
}

static void grid_walk_box(const ploy_grid *grid, ployi_query *query) {
    grid_window window = {
        grid_cell(grid, (double)query->min[0]), grid_cell(grid, (double)query->min[1]),
        grid_cell(grid, (double)query->max[0]), grid_cell(grid, (double)query->max[1])};
    grid_ask_window(grid, query, PLOY_QUERY_BOX, &window);
}

// ---- cells one by one, each point in its own cell only ----

static inline bool grid_lies_in(const ploy_grid *grid, int32_t id, int64_t cx, int64_t cy) {
    return grid_cell(grid, (double)grid->at[id].x) == cx &&
           grid_cell(grid, (double)grid->at[id].y) == cy;
}

static inline void grid_ask_cell(const ploy_grid *grid, ployi_query *query, ploy_query_kind kind,
                                 int64_t cx, int64_t cy) {
    query->nodes++;
    if (query->watch != NULL) grid_watch_cell(grid, query, cx, cy);
    uint32_t b = grid_bucket(grid, cx, cy);
    const ployi_point *item = grid->items + grid->start[b], *end = item + grid->length[b];
    for (; item < end && !query->stopped; item++) {
        if (grid_cell(grid, (double)item->at[0]) != cx) continue;
        if (grid_cell(grid, (double)item->at[1]) != cy) continue;
        ployi_query_ask(query, item->at, item->at, item->id, kind, 2);
    }
    for (int32_t id = grid->extra[b]; id >= 0 && !query->stopped; id = grid->next[id]) {
        if (grid_lies_in(grid, id, cx, cy)) grid_ask_id(grid, query, kind, id);
    }
}

static inline bool grid_in_window(const grid_window *window, int64_t cx, int64_t cy) {
    return cx >= window->x0 && cx <= window->x1 && cy >= window->y0 && cy <= window->y1;
}

// The cells of a window that are not in the one before it.
static void grid_ask_frame(const ploy_grid *grid, ployi_query *query, const grid_window *window,
                           const grid_window *before) {
    for (int64_t cy = window->y0; cy <= window->y1; cy++) {
        for (int64_t cx = window->x0; cx <= window->x1 && !query->stopped; cx++) {
            if (grid_in_window(before, cx, cy)) {
                cx = before->x1; // to its other side
                continue;
            }
            grid_ask_cell(grid, query, PLOY_QUERY_NEAREST, cx, cy);
        }
    }
}

// Every point outside a window.
static void grid_ask_outside(const ploy_grid *grid, ployi_query *query, const grid_window *before) {
    for (int32_t id = 0; id < grid->used && !query->stopped; id++) {
        if (grid->slot[id] == GRID_ABSENT) continue;
        int64_t cx = grid_cell(grid, (double)grid->at[id].x);
        int64_t cy = grid_cell(grid, (double)grid->at[id].y);
        if (!grid_in_window(before, cx, cy)) grid_ask_id(grid, query, PLOY_QUERY_NEAREST, id);
    }
}

// Larger windows until whatever lies outside is further than what is needed.
static void grid_walk_nearest(const ploy_grid *grid, ployi_query *query) {
    int64_t cx = grid_cell(grid, query->at[0]), cy = grid_cell(grid, query->at[1]);
    // Where a point's cell number is large, the product it came from was rounded: by this many
    // cells at most.
    double x_cells = fabs(query->at[0] * grid->inverse);
    double y_cells = fabs(query->at[1] * grid->inverse);
    double rounding = (x_cells > y_cells ? x_cells : y_cells) * 0x1p-51;
    double size = (double)grid->cell_size;
    grid_window before = {0, 0, -1, -1}; // none
    int64_t ring = 0, cells = 0;
    for (;;) {
        int64_t wider = ring == 0 ? 1 : 2 * ring;
        // No further than what is needed by now, if that is known.
        double enough = sqrt(query->limit) * grid->inverse * (1.0 + 2e-9) + rounding + 1.0;
        if (enough < (double)wider) wider = (int64_t)enough;
        ring = wider > ring ? wider : ring + 1;
        cells += (2 * ring + 1) * (2 * ring + 1);
        if (cells > (int64_t)grid->count + 32 || rounding > 1.0) {
            grid_ask_outside(grid, query, &before);
            return;
        }
        grid_window window = {cx - ring, cy - ring, cx + ring, cy + ring};
        grid_ask_frame(grid, query, &window, &before);
        double covered = ((double)ring - rounding) * size * (1.0 - 1e-9);
        double covered_sq = covered > 0.0 ? covered * covered : 0.0;
        if (query->stopped || query->limit < covered_sq) return;
        before = window;
    }
}

// The path of a ray or a sweep through the cells, along the axis `major`, on which it goes further.
typedef struct grid_course {
    double enter, leave; // m along the ray, in the bounds of all points
    double beside;       // m from the ray within which points may be met
    int32_t major;
} grid_course;

// Clips the ray to where points are. False if it passes them by.
static bool grid_clip(const ploy_grid *grid, const ployi_query *query, grid_course *course) {
    // reach grows a point by `grow` and lets it be entered `slack` early; the rest is for the sums
    // below, which are right to a few times 2^-53 of the largest number in them.
    double largest = query->grow;
    for (int32_t i = 0; i < 2; i++) {
        double low = fabs((double)grid->bounds.min[i]), high = fabs((double)grid->bounds.max[i]);
        double most = low > high ? low : high;
        most = fabs(query->at[i]) > most ? fabs(query->at[i]) : most;
        largest = most > largest ? most : largest;
    }
    course->beside = query->grow + 2.0 * query->slack + largest * 1e-13;
    course->major = fabs(query->along[1]) > fabs(query->along[0]);
    course->enter = 0.0;
    course->leave = query->limit;
    for (int32_t i = 0; i < 2; i++) {
        double low = (double)grid->bounds.min[i] - course->beside - query->at[i];
        double high = (double)grid->bounds.max[i] + course->beside - query->at[i];
        double along = query->along[i];
        if (along == 0.0) {
            if (low > 0.0 || high < 0.0) return false;
            continue;
        }
        double a = low / along, b = high / along;
        double first = a < b ? a : b, last = a < b ? b : a;
        course->enter = first > course->enter ? first : course->enter;
        course->leave = last < course->leave ? last : course->leave;
    }
    if (query->along[course->major] == 0.0) course->leave = course->enter; // it stays where it is
    // A hair longer on both sides, for the roundings above.
    double hair = (fabs(course->enter) + fabs(course->leave)) * 1e-13;
    course->enter = course->enter > hair ? course->enter - hair : 0.0;
    course->leave += hair;
    return course->enter <= course->leave;
}

// Cells of one axis from place a to b, in either order, and `beside` more.
static void grid_span(const ploy_grid *grid, double a, double b, double beside, int64_t *first,
                      int64_t *last) {
    *first = grid_cell(grid, (a < b ? a : b) - beside);
    *last = grid_cell(grid, (a < b ? b : a) + beside);
}

// From column to column along the major axis; in each, the cells that the path can touch there.
static inline void grid_walk_course(const ploy_grid *grid, ployi_query *query,
                                    ploy_query_kind kind) {
    grid_course course;
    if (!grid_clip(grid, query, &course)) return;
    const int32_t major = course.major, minor = 1 - major;
    const double along = query->along[major], across = query->along[minor];
    const double size = (double)grid->cell_size;
    int64_t first, last;
    grid_span(grid, query->at[major] + course.enter * along,
              query->at[major] + course.leave * along, course.beside, &first, &last);
    // The numbers of columns are differences of small numbers from here on.
    const int64_t far = (int64_t)1 << 40;
    double middle = query->at[minor] * grid->inverse;
    bool near_enough = first >= -far && last <= far && fabs(middle) < (double)far;
    // No more cells than points. Going along the longer side, it crosses a cell's width at most.
    double height = 4.0 + 4.0 * course.beside / size;
    double cells = ((double)last - (double)first + 1.0) * height;
    if (!near_enough || cells > (double)grid->count + 32.0) {
        grid_ask_all(grid, query, kind);
        return;
    }
    const int64_t step = along < 0.0 ? -1 : 1, stop = step > 0 ? last + 1 : first - 1;
    for (int64_t c = step > 0 ? first : last; c != stop && !query->stopped; c += step) {
        // The part of the path on which points of this column may be met.
        double enter = course.enter, leave = course.leave;
        if (along != 0.0) {
            double low = ((double)c * size - course.beside - query->at[major]) / along;
            double high = ((double)(c + 1) * size + course.beside - query->at[major]) / along;
            double early = low < high ? low : high, late = low < high ? high : low;
            enter = early > enter ? early : enter;
            leave = late < leave ? late : leave;
        }
        // Ranks are floats, and rounding is monotone: later columns are no nearer.
        if ((double)(float)enter > query->limit) return;
        int64_t low, high;
        grid_span(grid, query->at[minor] + enter * across, query->at[minor] + leave * across,
                  course.beside, &low, &high);
        for (int64_t d = low; d <= high && !query->stopped; d++) {
            grid_ask_cell(grid, query, kind, major == 0 ? c : d, major == 0 ? d : c);
        }
    }
}

static void grid_run(const ploy_grid *grid, ployi_query *query, int32_t n) {
    (void)n;
    if (query->nothing || grid->count == 0) return;
    switch (query->kind) {
    case PLOY_QUERY_RADIUS: grid_walk_radius(grid, query); break;
    case PLOY_QUERY_BOX: grid_walk_box(grid, query); break;
    case PLOY_QUERY_NEAREST: grid_walk_nearest(grid, query); break;
    case PLOY_QUERY_RAY: grid_walk_course(grid, query, PLOY_QUERY_RAY); break;
    default: grid_walk_course(grid, query, PLOY_QUERY_SWEEP); break;
    }
}

static ployi_box grid_bounds(const ploy_grid *grid) {
    return grid->bounds;
}

#define INDEX_TYPE ploy_grid
#define INDEX_N 2
#define INDEX_BOUNDS grid_bounds
#define INDEX_RUN grid_run
#include "geom/index_ask.inc"

void ploy_grid_describe(const ploy_grid *grid, ploy_describe *out) {
    // The points as one number: a thousand lines help no reader, and their owner describes them.
    uint64_t hash = 0;
    for (int32_t id = 0; id < grid->used; id++) {
        if (grid->slot[id] == GRID_ABSENT) continue;
        ployi_point point = {{grid->at[id].x, grid->at[id].y}, id};
        hash = ployi_point_hash(hash, &point);
    }
    ploy_describe_f32(out, "cell_size", PLOY_STATE, grid->cell_size);
    ploy_describe_i64(out, "count", PLOY_STATE, grid->count);
    ploy_describe_u64(out, "points", PLOY_STATE, hash);
    ploy_describe_i64(out, "capacity", PLOY_NOTE, grid->capacity);
    ploy_describe_i64(out, "buckets", PLOY_NOTE, (int64_t)grid->mask + 1);
    ploy_describe_i64(out, "chained", PLOY_NOTE, grid->chained);
}

// True if no lower id is in the same cell: a walk over the cells visits these.
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
        if (other < id && grid_lies_in(grid, other, cx, cy)) return false;
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
        ployi_box cell = {{(float)((double)cx * size), (float)((double)cy * size), 0.0f},
                          {(float)((double)(cx + 1) * size), (float)((double)(cy + 1) * size), 0}};
        ployi_box_draw(&cell, 2, PLOY_STYLE_GHOST, out);
    }
}

void ploy_grid_memory(const ploy_grid *grid, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"grid", grid->size, 1};
    fn(user, &item);
}

#undef GRID_ABSENT
#undef GRID_CHAINED
#undef GRID_CELL_LIMIT
