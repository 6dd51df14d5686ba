// Discs that do not overlap; see the header.
//
// Invariants, from begin to cancel:
//   (1) items holds the discs; nodes[i] is disc i once more, as the search reads it, with the next
//       disc of its grid cell, or -1;
//   (2) a cell is at least as wide as the largest gap between two centres that can be refused, so
//       only a cell and its eight neighbours have to be looked at. A frame of empty cells is round
//       the grid, so that every cell has eight;
//   (3) active holds indices of discs round which places may be free, oldest first from `first` on;
//   (4) tried counts the places tried round active[visit] since it was chosen; 0 means none is.
#include "ploy/generate/scatter.h"

#include "ploy/base/array.h"
#include "ploy/base/math.h"
#include "ploy/generate/halton.h"
#include "ploy/generate/heightmap.h"

#include "generate/generate_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SCATTER_TRIES = 64, SCATTER_AHEAD = 64 };

static const char *const scatter_methods[] = {"bridson", "rejection"};
static const char *const scatter_orders[] = {"any", "first"};
static const char *const scatter_sources[] = {"random", "halton"};

static const ploy_field scatter_fields[] = {
    PLOY_FIELD_ENUM(ploy_scatter_def, method, 0, scatter_methods, "how places are found"),
    PLOY_FIELD_F32(ploy_scatter_def, width, 40, 1e-2f, 1e5f, "m", "size of the area along x"),
    PLOY_FIELD_F32(ploy_scatter_def, height, 40, 1e-2f, 1e5f, "m", "size of the area along y"),
    PLOY_FIELD_F32(ploy_scatter_def, radius_min, 1, 0, 1e4f, "m", "smallest radius"),
    PLOY_FIELD_F32(ploy_scatter_def, radius_max, 1, 0, 1e4f, "m", "largest radius"),
    PLOY_FIELD_F32(ploy_scatter_def, separation, 1, 0, 1e4f, "m",
                   "bridson: largest random gap to the disc it grows from"),
    PLOY_FIELD_I32(ploy_scatter_def, tries, 12, 1, SCATTER_TRIES, "",
                   "bridson: places tried round an active disc"),
    PLOY_FIELD_ENUM(ploy_scatter_def, order, 0, scatter_orders,
                    "bridson: which active disc is taken"),
    PLOY_FIELD_BOOL(ploy_scatter_def, centre_start, 1, "bridson: first disc in the middle"),
    PLOY_FIELD_BOOL(ploy_scatter_def, fixed_angle, 0, "bridson: first try always along +x"),
    PLOY_FIELD_I32(ploy_scatter_def, restarts, 0, 0, 1 << 16, "",
                   "bridson: random tries for another start when no disc is active"),
    PLOY_FIELD_ENUM(ploy_scatter_def, source, 0, scatter_sources, "rejection: candidates"),
    PLOY_FIELD_I32(ploy_scatter_def, count, 200, 1, 1 << 20, "", "rejection: discs to place"),
    PLOY_FIELD_I32(ploy_scatter_def, kinds, 1, 1, PLOY_SCATTER_TYPES, "",
                   "types, each with an equal part of the radius range"),
    PLOY_FIELD_F32(ploy_scatter_def, kind_margin, 0, 0, 1e4f, "m",
                   "extra gap between discs of the same type"),
    PLOY_FIELD_BOOL(ploy_scatter_def, whole_inside, 0, "whole discs are inside, not only centres"),
    PLOY_FIELD_F32(ploy_scatter_def, height_min, -1e6f, -1e6f, 1e6f, "m",
                   "on a height map: lowest terrain"),
    PLOY_FIELD_F32(ploy_scatter_def, height_max, 1e6f, -1e6f, 1e6f, "m",
                   "on a height map: highest terrain"),
    PLOY_FIELD_F32(ploy_scatter_def, slope_max, 1e3f, 0, 1e3f, "",
                   "on a height map: steepest terrain, rise over run"),
    PLOY_FIELD_I32(ploy_scatter_def, tile_min, -(1 << 30), -(1 << 30), 1 << 30, "",
                   "on tiles: first number of those that may hold discs"),
    PLOY_FIELD_I32(ploy_scatter_def, tile_max, 1 << 30, -(1 << 30), 1 << 30, "",
                   "on tiles: last number of those that may hold discs"),
    PLOY_FIELD_I32(ploy_scatter_def, max_points, 100000, 1, 1 << 20, "", "most discs"),
    PLOY_FIELD_I32(ploy_scatter_def, max_attempts, 1000000, 1, 1 << 30, "", "most attempts"),
};

ploy_fields ploy_scatter_fields(void) {
    return PLOY_FIELDS(ploy_scatter_def, scatter_fields);
}

ploy_scatter_def ploy_scatter_def_default(void) {
    ploy_scatter_def def;
    ploy_fields_default(ploy_scatter_fields(), &def);
    return def;
}

// ---- the object

typedef enum scatter_verdict {
    SCATTER_FREE,
    SCATTER_OUTSIDE,
    SCATTER_BLOCKED,
    SCATTER_OVERLAPS,
    SCATTER_FORBIDDEN,
    SCATTER_VERDICTS
} scatter_verdict;

static const char *const scatter_reasons[] = {"free", "outside", "blocked", "overlaps",
                                              "forbidden"};

// What a search of the grid reads of a disc.
typedef struct scatter_node {
    float x, y, radius;
    int32_t type; // known ones only
    int32_t next;
} scatter_node;

// What the content of the generator's input allows: each test that is there.
typedef struct scatter_surface {
    ploy_scatter_area plan, terrain_area, tiles_area;
    ploy_scatter_terrain terrain;
    ploy_scatter_tiles tiles;
} scatter_surface;

struct ploy_scatter {
    ploy_env env;
    ploy_scatter_def def;
    ploy_scatter_area area;
    scatter_surface surface; // of the front; the area points to it
    ploy_trace *trace;
    ploy_rng place, kind, pick; // where, what, and which active disc
    float ahead[SCATTER_AHEAD]; // numbers of `place` drawn in advance
    int32_t ahead_at;           // the next one
    ploy_halton candidates;
    // Types
    int32_t type_count;
    bool any_forbidden;
    float forbidden_distance;
    float weights[PLOY_SCATTER_TYPES];
    ploy_scatter_type types[PLOY_SCATTER_TYPES];
    float margins[PLOY_SCATTER_TYPES * PLOY_SCATTER_TYPES];  // both ways round
    bool forbidden[PLOY_SCATTER_TYPES * PLOY_SCATTER_TYPES]; // likewise
    // Grid
    int32_t *heads; // first disc of each cell, or -1
    int32_t columns, rows;
    int32_t around[9];              // from a cell to itself and its neighbours, the likeliest first
    float per_cell;                 // cells a metre
    ploy_vec2 turns[SCATTER_TRIES]; // directions of the tries, from the first one
    // Discs
    ploy_array items;  // ploy_placed
    ploy_array nodes;  // scatter_node
    ploy_array active; // int32_t
    int32_t placed_before;
    // Work
    int32_t first, visit, tried, restarts;
    int32_t blocker;   // the disc that the last place overlapped, which often blocks the next too
    ploy_vec2 heading; // of the first try
    bool started, done;
    const char *limit;
    int64_t attempts, units;
    int64_t verdicts[SCATTER_VERDICTS];
};

static void scatter_types_from_def(ploy_scatter *scatter) {
    const ploy_scatter_def *def = &scatter->def;
    float top = def->radius_max > def->radius_min ? def->radius_max : def->radius_min;
    float band = (top - def->radius_min) / (float)def->kinds;
    scatter->type_count = def->kinds;
    for (int32_t i = 0; i < def->kinds; i++) {
        scatter->types[i].weight = 1.0f;
        scatter->types[i].radius_min = def->radius_min + band * (float)i;
        scatter->types[i].radius_max =
            i + 1 == def->kinds ? top : def->radius_min + band * (float)(i + 1);
        scatter->margins[i * def->kinds + i] = def->kind_margin;
    }
}

static ploy_result scatter_types_copy(ploy_scatter *scatter, const ploy_scatter_types *types) {
    if (types->items == NULL || types->count < 1 || types->count > PLOY_SCATTER_TYPES) {
        return PLOY_ERR_ARGUMENT;
    }
    float sum = 0.0f;
    for (int32_t i = 0; i < types->count; i++) {
        const ploy_scatter_type *type = &types->items[i];
        if (!ploy_in_range(type->weight, 0.0f, 1e9f) ||
            !ploy_in_range(type->radius_min, 0.0f, 1e4f) ||
            !ploy_in_range(type->radius_max, type->radius_min, 1e4f)) {
            return PLOY_ERR_ARGUMENT;
        }
        sum += type->weight;
        scatter->types[i] = *type;
    }
    if (!(sum > 0.0f)) return PLOY_ERR_ARGUMENT;
    scatter->type_count = types->count;
    if (!ploy_in_range(types->forbidden_distance, 0.0f, 1e5f)) return PLOY_ERR_ARGUMENT;
    scatter->forbidden_distance = types->forbidden_distance;
    for (int32_t i = 0; i < types->count * types->count; i++) {
        if (types->margins != NULL) {
            if (!ploy_in_range(types->margins[i], 0.0f, 1e4f)) return PLOY_ERR_ARGUMENT;
            scatter->margins[i] = types->margins[i];
        }
        scatter->forbidden[i] = types->forbidden != NULL && types->forbidden[i];
        scatter->any_forbidden = scatter->any_forbidden || scatter->forbidden[i];
    }
    return PLOY_OK;
}

// Margins and forbidden pairs hold both ways round, whichever of the two the tables name.
static void scatter_types_mirror(ploy_scatter *scatter) {
    int32_t n = scatter->type_count;
    for (int32_t a = 0; a < n; a++) {
        for (int32_t b = 0; b < a; b++) {
            float margin = fmaxf(scatter->margins[a * n + b], scatter->margins[b * n + a]);
            bool forbidden = scatter->forbidden[a * n + b] || scatter->forbidden[b * n + a];
            scatter->margins[a * n + b] = scatter->margins[b * n + a] = margin;
            scatter->forbidden[a * n + b] = scatter->forbidden[b * n + a] = forbidden;
        }
    }
}

static float scatter_margin(const ploy_scatter *scatter, int32_t a, int32_t b) {
    return scatter->margins[a * scatter->type_count + b];
}

// The types of discs that came with the input may be unknown; they count as the last one.
static int32_t scatter_known(const ploy_scatter *scatter, int32_t type) {
    return type >= 0 && type < scatter->type_count ? type : scatter->type_count - 1;
}

// ---- the grid

static int32_t scatter_cell_along(float place, float per_cell, int32_t cells) {
    float cell = place * per_cell; // cut off, not floorf: that is a call without SSE4.1
    return !(cell > 0.0f) ? 0 : cell >= (float)(cells - 1) ? cells - 1 : (int32_t)cell;
}

static int32_t scatter_cell(const ploy_scatter *scatter, ploy_vec2 at) {
    int32_t column = scatter_cell_along(at.x, scatter->per_cell, scatter->columns);
    int32_t row = scatter_cell_along(at.y, scatter->per_cell, scatter->rows);
    return (row + 1) * (scatter->columns + 2) + column + 1;
}

// Cells with the frame.
static size_t scatter_cell_count(const ploy_scatter *scatter) {
    return ((size_t)scatter->columns + 2) * ((size_t)scatter->rows + 2);
}

// The widest gap between two centres at which one of them is still refused.
static float scatter_reach(const ploy_scatter *scatter, const ploy_scatter_input *input) {
    float radius = 0.0f, margin = 0.0f;
    for (int32_t i = 0; i < scatter->type_count; i++) {
        radius = fmaxf(radius, scatter->types[i].radius_max);
        for (int32_t k = 0; k < scatter->type_count; k++) {
            margin = fmaxf(margin, scatter_margin(scatter, i, k));
        }
    }
    float other = radius;
    for (int32_t i = 0; i < input->placed_count; i++) {
        other = fmaxf(other, input->placed[i].radius);
    }
    float reach = radius + other + margin;
    return scatter->any_forbidden ? fmaxf(reach, scatter->forbidden_distance) : reach;
}

static ploy_result scatter_grid_create(ploy_scatter *scatter, const ploy_scatter_input *input) {
    const ploy_scatter_def *def = &scatter->def;
    // No more cells than twice the discs that there can be, nor than fit in a few megabytes.
    double most = fmin(2.0 * def->max_points + 64.0, (double)(1 << 20));
    double cell = fmax((double)scatter_reach(scatter, input) * 1.0001,
                       sqrt((double)def->width * (double)def->height / most));
    cell = fmax(cell, fmax((double)def->width, (double)def->height) / (double)(1 << 14));
    scatter->columns = (int32_t)floor((double)def->width / cell) + 1;
    scatter->rows = (int32_t)floor((double)def->height / cell) + 1;
    scatter->per_cell = (float)(1.0 / cell);
    size_t size = 0;
    if (!ploy_size_add_array(0, (int64_t)scatter_cell_count(scatter), sizeof(int32_t), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    int32_t up = scatter->columns + 2;
    const int32_t around[9] = {0, -1, 1, -up, up, -up - 1, -up + 1, up - 1, up + 1};
    memcpy(scatter->around, around, sizeof around);
    scatter->heads = ploy_env_alloc(&scatter->env, size);
    if (scatter->heads == NULL) return PLOY_ERR_MEMORY;
    memset(scatter->heads, 0xFF, size); // -1 everywhere
    return PLOY_OK;
}

// Whether a disc may be where it is; *other is the disc that refuses it.
static scatter_verdict scatter_judge(const ploy_scatter *scatter, const ploy_placed *disc,
                                     int32_t *other) {
    const ploy_scatter_def *def = &scatter->def;
    float inset = def->whole_inside ? disc->radius : 0.0f;
    ploy_vec2 at = disc->position;
    *other = -1;
    if (!(at.x >= inset && at.x <= def->width - inset && at.y >= inset &&
          at.y <= def->height - inset)) {
        return SCATTER_OUTSIDE;
    }
    const scatter_node *nodes = PLOY_ARRAY_ITEMS(&scatter->nodes, const scatter_node);
    const float *margins = &scatter->margins[disc->type * scatter->type_count];
    const bool *forbidden = &scatter->forbidden[disc->type * scatter->type_count];
    float apart = scatter->forbidden_distance * scatter->forbidden_distance;
    if (scatter->blocker >= 0) {
        const scatter_node *node = &nodes[scatter->blocker];
        float dx = node->x - at.x, dy = node->y - at.y;
        float gap = disc->radius + node->radius + margins[node->type];
        if (dx * dx + dy * dy < gap * gap) {
            *other = scatter->blocker;
            return SCATTER_OVERLAPS;
        }
    }
    const int32_t *cell = &scatter->heads[scatter_cell(scatter, at)];
    for (int32_t k = 0; k < 9; k++) {
        for (int32_t i = cell[scatter->around[k]]; i >= 0; i = nodes[i].next) {
            const scatter_node *node = &nodes[i];
            float dx = node->x - at.x, dy = node->y - at.y;
            float square = dx * dx + dy * dy;
            float gap = disc->radius + node->radius + margins[node->type];
            if (square < gap * gap) {
                *other = i;
                return SCATTER_OVERLAPS;
            }
            if (scatter->any_forbidden && forbidden[node->type] && square < apart) {
                *other = i;
                return SCATTER_FORBIDDEN;
            }
        }
    }
    // Last, because it may be slow.
    if (scatter->area.allows != NULL &&
        !scatter->area.allows(scatter->area.user, at, disc->radius)) {
        return SCATTER_BLOCKED;
    }
    return SCATTER_FREE;
}

// Reserves before it changes anything, so that a failure leaves the object as it was.
static ploy_result scatter_add(ploy_scatter *scatter, const ploy_placed *disc) {
    int32_t index = scatter->items.count;
    ploy_result result = ploy_array_push(&scatter->items, disc);
    if (result != PLOY_OK) return result;
    int32_t *head = &scatter->heads[scatter_cell(scatter, disc->position)];
    scatter_node node = {disc->position.x, disc->position.y, disc->radius,
                         scatter_known(scatter, disc->type), *head};
    result = ploy_array_push(&scatter->nodes, &node);
    if (result == PLOY_OK && scatter->def.method == PLOY_SCATTER_BRIDSON) {
        result = ploy_array_push(&scatter->active, &index);
        if (result != PLOY_OK) ploy_array_pop(&scatter->nodes, NULL);
    }
    if (result != PLOY_OK) {
        ploy_array_pop(&scatter->items, NULL);
        return result;
    }
    *head = index;
    return PLOY_OK;
}

// ---- begin and cancel

void ploy_scatter_cancel(ploy_scatter *scatter) {
    if (scatter == NULL) return;
    ploy_env env = scatter->env;
    ploy_env_free(&env, scatter->heads, scatter_cell_count(scatter) * sizeof(int32_t));
    ploy_array_fini(&scatter->items);
    ploy_array_fini(&scatter->nodes);
    ploy_array_fini(&scatter->active);
    ploy_env_free(&env, scatter, sizeof *scatter);
}

static ploy_result scatter_prepare(ploy_scatter *scatter, const ploy_scatter_input *input) {
    ploy_result result = PLOY_OK;
    if (input->types != NULL) {
        result = scatter_types_copy(scatter, input->types);
        if (result != PLOY_OK) {
            ploy_env_log(&scatter->env, PLOY_SEVERITY_ERROR,
                         "scatter: a type is out of range: weight, radii, margin or distance");
            return result;
        }
    } else {
        scatter_types_from_def(scatter);
    }
    scatter_types_mirror(scatter);
    for (int32_t i = 0; i < scatter->type_count; i++) {
        scatter->weights[i] = scatter->types[i].weight;
    }
    for (int32_t i = 0; i < input->placed_count; i++) {
        const ploy_placed *disc = &input->placed[i];
        if (!ploy_is_finite(disc->position.x) || !ploy_is_finite(disc->position.y) ||
            !ploy_in_range(disc->radius, 0.0f, 1e4f)) {
            return PLOY_ERR_ARGUMENT;
        }
    }
    result = scatter_grid_create(scatter, input);
    for (int32_t i = 0; result == PLOY_OK && i < input->placed_count; i++) {
        result = scatter_add(scatter, &input->placed[i]);
    }
    scatter->placed_before = input->placed_count;
    return result;
}

ploy_result ploy_scatter_begin(const ploy_scatter_def *def, ploy_rng_key key,
                               const ploy_scatter_input *input, ploy_trace *trace,
                               const ploy_env *env, ploy_scatter **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_scatter_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_scatter_input nothing;
    memset(&nothing, 0, sizeof nothing);
    if (input == NULL) input = &nothing;
    ploy_scatter *scatter = ploy_env_alloc_zero(env, sizeof *scatter);
    if (scatter == NULL) return PLOY_ERR_MEMORY;
    scatter->env = *env;
    scatter->def = *def;
    scatter->area = input->area;
    scatter->trace = trace;
    scatter->limit = "";
    scatter->blocker = -1;
    scatter->place = ploy_rng_from_key(ploy_generate_stream(key, "place"), 0);
    scatter->ahead_at = SCATTER_AHEAD;
    scatter->kind = ploy_rng_from_key(ploy_generate_stream(key, "kind"), 0);
    scatter->pick = ploy_rng_from_key(ploy_generate_stream(key, "pick"), 0);
    ploy_array_init(&scatter->items, sizeof(ploy_placed), env);
    ploy_array_init(&scatter->nodes, sizeof(scatter_node), env);
    ploy_array_init(&scatter->active, sizeof(int32_t), env);
    for (int32_t i = 0; i < def->tries; i++) {
        ploy_sincosf(PLOY_TWO_PI_F * (float)i / (float)def->tries, &scatter->turns[i].y,
                     &scatter->turns[i].x);
    }
    static const uint32_t bases[2] = {2, 3};
    double offsets[2] = {0.0, 0.0};
    if (def->method == PLOY_SCATTER_REJECTION && def->source == PLOY_SCATTER_HALTON) {
        offsets[0] = ploy_rng_double(&scatter->place);
        offsets[1] = ploy_rng_double(&scatter->place);
    }
    result = ploy_halton_init(&scatter->candidates, 2, bases, 1, 1, offsets);
    if (result == PLOY_OK) result = scatter_prepare(scatter, input);
    if (result != PLOY_OK) {
        ploy_scatter_cancel(scatter);
        return result;
    }
    *out = scatter;
    return PLOY_OK;
}

// ---- candidates

// The next number of `place` in [0, 1), as ploy_rng_float gives it.
static float scatter_unit(ploy_scatter *scatter) {
    if (scatter->ahead_at == SCATTER_AHEAD) {
        ploy_rng_floats(&scatter->place, SCATTER_AHEAD, scatter->ahead);
        scatter->ahead_at = 0;
    }
    return scatter->ahead[scatter->ahead_at++];
}

static ploy_placed scatter_new_disc(ploy_scatter *scatter) {
    ploy_placed disc = {{0.0f, 0.0f}, 0.0f, 0.0f, 0};
    if (scatter->type_count > 1) {
        disc.type = ploy_rng_weighted(&scatter->kind, scatter->weights, scatter->type_count);
    }
    const ploy_scatter_type *type = &scatter->types[disc.type];
    disc.radius = type->radius_min;
    if (type->radius_max > type->radius_min) {
        disc.radius = ploy_rng_range(&scatter->kind, type->radius_min, type->radius_max);
    }
    return disc;
}

static ploy_placed scatter_anywhere(ploy_scatter *scatter) {
    ploy_placed disc = scatter_new_disc(scatter);
    double at[2];
    if (scatter->def.method == PLOY_SCATTER_REJECTION &&
        scatter->def.source == PLOY_SCATTER_HALTON) {
        ploy_halton_next(&scatter->candidates, at);
    } else {
        at[0] = (double)scatter_unit(scatter);
        at[1] = (double)scatter_unit(scatter);
    }
    disc.position = ploy_vec2_make((float)(at[0] * (double)scatter->def.width),
                                   (float)(at[1] * (double)scatter->def.height));
    return disc;
}

// Chooses the next active disc to visit, and the direction of its first try.
static void scatter_choose(ploy_scatter *scatter) {
    const ploy_scatter_def *def = &scatter->def;
    scatter->visit = scatter->first;
    if (def->order == PLOY_SCATTER_ANY) {
        scatter->visit = ploy_rng_int(&scatter->pick, 0, scatter->active.count - 1);
    }
    float angle = def->fixed_angle ? 0.0f : scatter_unit(scatter) * PLOY_TWO_PI_F;
    ploy_sincosf(angle, &scatter->heading.y, &scatter->heading.x);
}

// Try number `tried` round a disc of a known type.
static ploy_placed scatter_around(ploy_scatter *scatter, const ploy_placed *from, int32_t type) {
    ploy_placed disc = scatter_new_disc(scatter);
    float distance = from->radius + disc.radius + scatter_margin(scatter, disc.type, type) +
                     scatter->def.separation * scatter_unit(scatter);
    // Rounding must not push a disc without a gap into the one that it grows from.
    distance *= 1.000001f;
    ploy_vec2 first = scatter->heading, turn = scatter->turns[scatter->tried];
    ploy_vec2 toward =
        ploy_vec2_make(first.x * turn.x - first.y * turn.y, first.x * turn.y + first.y * turn.x);
    disc.position = ploy_vec2_add_scaled(from->position, toward, distance);
    return disc;
}

static void scatter_tell(const ploy_scatter *scatter, const ploy_placed *disc,
                         scatter_verdict verdict, int32_t other) {
    char name[48], reason[64];
    snprintf(name, sizeof name, "disc %d of type %d", (int)scatter->items.count, (int)disc->type);
    if (other >= 0) {
        snprintf(reason, sizeof reason, "%s disc %d",
                 verdict == SCATTER_OVERLAPS ? "overlaps" : "must not be near", (int)other);
    } else {
        snprintf(reason, sizeof reason, "%s", scatter_reasons[verdict]);
    }
    ploy_trace_begin(scatter->trace, ploy_agent_id_none(), "place", "scatter");
    ploy_trace_vec2(scatter->trace, "position", disc->position.x, disc->position.y);
    ploy_trace_option(scatter->trace, name,
                      verdict == SCATTER_FREE ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      (double)NAN, reason);
    ploy_trace_end(scatter->trace);
}

// ---- step

static ploy_result scatter_try(ploy_scatter *scatter, const ploy_placed *disc, bool *placed) {
    int32_t other;
    scatter_verdict verdict = scatter_judge(scatter, disc, &other);
    if (scatter->trace != NULL) scatter_tell(scatter, disc, verdict, other);
    if (verdict == SCATTER_OVERLAPS) scatter->blocker = other;
    *placed = false;
    if (verdict == SCATTER_FREE) {
        ploy_result result = scatter_add(scatter, disc);
        if (result != PLOY_OK) return result;
        *placed = true;
    }
    scatter->verdicts[verdict]++;
    return PLOY_OK;
}

static ploy_result scatter_reject_step(ploy_scatter *scatter) {
    ploy_placed disc = scatter_anywhere(scatter);
    bool placed;
    ploy_result result = scatter_try(scatter, &disc, &placed);
    if (scatter->items.count - scatter->placed_before >= scatter->def.count) scatter->done = true;
    return result;
}

// Removes the disc being visited; the order of the rest counts only for the oldest first.
static void scatter_retire(ploy_scatter *scatter) {
    if (scatter->def.order == PLOY_SCATTER_FIRST) {
        scatter->first++;
    } else {
        ploy_array_remove_swap(&scatter->active, scatter->visit);
    }
}

// Tries places round one active disc until one is free or all are tried, at most `most` of them.
static ploy_result scatter_visit(ploy_scatter *scatter, int64_t most, int64_t *spent) {
    if (scatter->tried == 0) scatter_choose(scatter);
    int32_t index = PLOY_ARRAY_ITEMS(&scatter->active, const int32_t)[scatter->visit];
    ploy_placed from = PLOY_ARRAY_ITEMS(&scatter->items, const ploy_placed)[index];
    int32_t type = scatter_known(scatter, from.type), tries = scatter->def.tries;
    bool placed = false;
    ploy_result result = PLOY_OK;
    while (result == PLOY_OK && !placed && scatter->tried < tries && *spent < most) {
        ploy_placed disc = scatter_around(scatter, &from, type);
        result = scatter_try(scatter, &disc, &placed);
        scatter->tried++;
        ++*spent;
    }
    bool over = scatter->tried >= tries;
    if (!placed && over) scatter_retire(scatter);
    if (placed || over) scatter->tried = 0;
    scatter->started = true;
    if (scatter->first >= scatter->active.count) scatter->done = scatter->def.restarts == 0;
    return result;
}

// No disc is active: the first one, or another start.
static ploy_result scatter_start(ploy_scatter *scatter) {
    ploy_placed disc = scatter_anywhere(scatter);
    if (!scatter->started && scatter->attempts == 0 && scatter->def.centre_start) {
        disc.position = ploy_vec2_make(scatter->def.width / 2.0f, scatter->def.height / 2.0f);
    }
    bool placed;
    ploy_result result = scatter_try(scatter, &disc, &placed);
    if (placed) {
        scatter->restarts = 0;
    } else if (scatter->started && ++scatter->restarts >= scatter->def.restarts) {
        scatter->done = true;
    }
    return result;
}

// Attempts that may be made before the budget is looked at again.
static int64_t scatter_allowance(const ploy_scatter *scatter, const ploy_budget *budget) {
    int64_t most = scatter->def.max_attempts - scatter->attempts;
    if (budget == NULL) return most;
    if (most > budget->units) most = budget->units;
    return budget->deadline_ns != 0 && most > budget->check_every ? budget->check_every : most;
}

ploy_result ploy_scatter_step(ploy_scatter *scatter, ploy_budget *budget) {
    while (!scatter->done) {
        if (scatter->items.count - scatter->placed_before >= scatter->def.max_points) {
            scatter->limit = "max_points";
        } else if (scatter->attempts >= scatter->def.max_attempts) {
            scatter->limit = "max_attempts";
        }
        if (scatter->limit[0] != 0) {
            scatter->done = true;
            break;
        }
        if (!ploy_budget_spend(budget, 0)) return PLOY_IN_PROGRESS; // looks at the clock, too
        int64_t spent = 0;
        ploy_result result;
        if (scatter->def.method == PLOY_SCATTER_BRIDSON && scatter->first < scatter->active.count) {
            result = scatter_visit(scatter, scatter_allowance(scatter, budget), &spent);
        } else {
            bool reject = scatter->def.method == PLOY_SCATTER_REJECTION;
            result = reject ? scatter_reject_step(scatter) : scatter_start(scatter);
            spent = 1;
        }
        scatter->units += spent;
        scatter->attempts += spent;
        if (budget != NULL) (void)ploy_budget_spend(budget, spent);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// ---- results

ploy_generate_outcome ploy_scatter_outcome(const ploy_scatter *scatter) {
    ploy_generate_outcome outcome;
    memset(&outcome, 0, sizeof outcome);
    outcome.done = scatter->done;
    outcome.limit = scatter->limit;
    outcome.partial = scatter->limit[0] != 0;
    outcome.count = scatter->items.count;
    outcome.attempts = scatter->attempts;
    outcome.rejected = scatter->attempts - scatter->verdicts[SCATTER_FREE];
    outcome.draws = ploy_generate_draws(&scatter->place) -
                    (uint64_t)(SCATTER_AHEAD - scatter->ahead_at) +
                    ploy_generate_draws(&scatter->kind) + ploy_generate_draws(&scatter->pick);
    outcome.units = scatter->units;
    outcome.total = scatter->def.max_attempts;
    return outcome;
}

const ploy_placed *ploy_scatter_points(const ploy_scatter *scatter, int32_t *count) {
    *count = scatter->items.count;
    return PLOY_ARRAY_ITEMS(&scatter->items, const ploy_placed);
}

static ploy_content scatter_content(const ploy_scatter *scatter) {
    ploy_content content = ploy_content_none();
    content.kinds = PLOY_CONTENT_POINTS;
    content.points = ploy_scatter_points(scatter, &content.point_count);
    content.area = ploy_box2_make(ploy_vec2_make(0.0f, 0.0f),
                                  ploy_vec2_make(scatter->def.width, scatter->def.height));
    return content;
}

void ploy_scatter_describe(const ploy_scatter *scatter, ploy_describe *out) {
    ploy_content content = scatter_content(scatter);
    ploy_describe_u64(out, "points", PLOY_STATE, ploy_content_hash_points(&content));
    ploy_describe_begin(out, "statistics");
    for (int32_t i = SCATTER_OUTSIDE; i < SCATTER_VERDICTS; i++) {
        ploy_describe_i64(out, scatter_reasons[i], PLOY_STATE, scatter->verdicts[i]);
    }
    ploy_describe_i64(out, "active", PLOY_STATE, scatter->active.count - scatter->first);
    double covered = 0.0;
    for (int32_t i = 0; i < content.point_count; i++) {
        covered += PLOY_PI * (double)content.points[i].radius * (double)content.points[i].radius;
    }
    ploy_describe_f64(out, "covered", PLOY_DERIVED,
                      covered / ((double)scatter->def.width * (double)scatter->def.height));
    ploy_describe_end(out);
}

void ploy_scatter_draw(const ploy_scatter *scatter, ploy_draw *out) {
    ploy_content content = scatter_content(scatter);
    ployi_generate_draw_area(content.area, out);
    ploy_content_draw_points(&content, out);
    if (!ploy_draw_wants(out, PLOY_LAYER_PATHS)) return;
    for (int32_t i = scatter->first; i < scatter->active.count; i++) {
        int32_t index = PLOY_ARRAY_ITEMS(&scatter->active, const int32_t)[i];
        ploy_draw_circle(out, PLOY_LAYER_PATHS, PLOY_STYLE_OPEN, ploy_agent_id_none(),
                         content.points[index].position, content.points[index].radius);
    }
}

void ploy_scatter_memory(const ploy_scatter *scatter, ploy_memory_fn fn, void *user) {
    size_t cells = scatter_cell_count(scatter);
    ploy_memory_item self = {"scatter", sizeof *scatter, 1};
    ploy_memory_item grid = {"grid", cells * sizeof(int32_t), 1};
    fn(user, &self);
    fn(user, &grid);
    ploy_array_memory(&scatter->items, fn, user);
    ploy_array_memory(&scatter->nodes, fn, user);
    ploy_array_memory(&scatter->active, fn, user);
}

// ---- the front

PLOYI_GENERATOR_CALLS(scatter)

static bool scatter_on_surface(const void *user, ploy_vec2 centre, float radius) {
    const scatter_surface *surface = user;
    const ploy_scatter_area *all[3] = {&surface->plan, &surface->tiles_area,
                                       &surface->terrain_area};
    for (int32_t i = 0; i < 3; i++) {
        if (all[i]->allows != NULL && !all[i]->allows(all[i]->user, centre, radius)) return false;
    }
    return true;
}

// Keeps the discs to what the content has of plan, tiles and heights.
static void scatter_keep_to(ploy_scatter *scatter, const ploy_content *input) {
    scatter_surface *surface = &scatter->surface;
    const ploy_scatter_def *def = &scatter->def;
    if (input->kinds & PLOY_CONTENT_PLAN) surface->plan = ploy_scatter_area_plan(input->plan);
    if (input->kinds & PLOY_CONTENT_TILES) {
        surface->tiles = (ploy_scatter_tiles){*input, def->tile_min, def->tile_max};
        surface->tiles_area = ploy_scatter_area_tiles(&surface->tiles);
    }
    if (input->kinds & PLOY_CONTENT_HEIGHTS) {
        surface->terrain = (ploy_scatter_terrain){ploy_heightmap_field(input->heights),
                                                  def->height_min, def->height_max, def->slope_max};
        surface->terrain_area = ploy_scatter_area_terrain(&surface->terrain);
    }
    const uint32_t kinds = PLOY_CONTENT_PLAN | PLOY_CONTENT_TILES | PLOY_CONTENT_HEIGHTS;
    if ((input->kinds & kinds) == 0) return;
    scatter->area.allows = scatter_on_surface;
    scatter->area.user = surface;
}

static ploy_result scatter_front_begin(const void *def, ploy_rng_key key, const ploy_content *input,
                                       ploy_trace *trace, const ploy_env *env, void **out) {
    ploy_scatter_input placed;
    memset(&placed, 0, sizeof placed);
    if (input->kinds & PLOY_CONTENT_POINTS) {
        placed.placed = input->points;
        placed.placed_count = input->point_count;
    }
    ploy_scatter *scatter = NULL;
    ploy_result result = ploy_scatter_begin(def, key, &placed, trace, env, &scatter);
    if (result == PLOY_OK) scatter_keep_to(scatter, input);
    *out = scatter;
    return result;
}

const ploy_generator_type *ploy_scatter_generator(void) {
    static const ploy_generator_type type = {
        "scatter",
        "discs that do not overlap, by Bridson's method or by rejection",
        "one attempt",
        0,
        PLOY_CONTENT_POINTS | PLOY_CONTENT_PLAN | PLOY_CONTENT_TILES | PLOY_CONTENT_HEIGHTS,
        PLOY_CONTENT_POINTS,
        PLOYI_GENERATOR_TABLE(scatter),
    };
    return &type;
}
