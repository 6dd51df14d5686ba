// The explorer; the technique is described in the header.
//
// Invariants, from create to destroy:
//   (1) cells[i].reachable is what a flood over walkable neighbours from the start finds;
//   (2) visited and once count reachable cells with visits above 0 and equal to 1;
//   (3) an entry that is not marked as jumped was walked to from the one before it;
//   (4) minutes is a ring of the new cells of the last 60 seconds, one slot a second.
#include "ploy/path/explorer.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "ploy/geom/angle.h"

enum { EXPLORER_SECONDS = 60, EXPLORER_HEADINGS = 7, EXPLORER_CELLS_MAX = 1 << 22 };

static const ploy_field explorer_fields[] = {
    PLOY_FIELD_F32(ploy_explorer_def, cell, 1, 1e-3f, 1e6f, "m", "of the raster"),
    PLOY_FIELD_F32(ploy_explorer_def, speed, 3, 1e-3f, 1e6f, "m/s", "how fast it walks"),
    PLOY_FIELD_F32(ploy_explorer_def, interval, 0.2, 1e-3f, 1, "s", "between two entries"),
    PLOY_FIELD_F32(ploy_explorer_def, run, 120, 1, 1e6f, "s", "longest run"),
    PLOY_FIELD_F32(ploy_explorer_def, turn, 0.3, 0, PLOY_PI_F, "rad", "turn between two entries"),
    PLOY_FIELD_F32(ploy_explorer_def, frontier, 0.8, 0, 1, "", "bias toward few visits"),
    PLOY_FIELD_F32(ploy_explorer_def, new_cells, 2, 0, 1e6f, "1/min", "fewer stop it"),
    PLOY_FIELD_I32(ploy_explorer_def, max_entries, 1 << 16, 1, 1 << 28, "", "of the log"),
    PLOY_FIELD_U64(ploy_explorer_def, seed, 1, "of its random turns and starts"),
};

typedef struct explorer_cell {
    int32_t visits; // times it was entered
    bool reachable;
} explorer_cell;

struct ploy_explorer {
    ploy_env env;
    ploy_explorer_def def;
    ploy_box2 bounds;
    ploy_walks_fn walks;
    void *user;
    ploy_rng rng;
    explorer_cell *cells;
    int32_t *starts; // the reachable cells, for runs to begin at
    ploy_log_entry *entries;
    int32_t columns, rows, count;
    int32_t reachable, visited, once, runs;
    int32_t at; // cell
    ploy_vec2 position;
    float heading;
    int32_t stuck; // tries in a row that ended at walls
    int32_t dull;  // runs in a row that ended without anything new
    double run_began;
    int32_t minutes[EXPLORER_SECONDS];
    int64_t second; // of the ring's newest slot
    ploy_explorer_end end;
};

ploy_fields ploy_explorer_fields(void) {
    return PLOY_FIELDS(ploy_explorer_def, explorer_fields);
}

ploy_explorer_def ploy_explorer_def_default(void) {
    ploy_explorer_def def;
    ploy_fields_default(ploy_explorer_fields(), &def);
    return def;
}

const char *ploy_explorer_end_text(ploy_explorer_end end) {
    static const char *const texts[] = {"walks", "complete", "no news", "full"};
    return end >= PLOY_EXPLORER_WALKS && end <= PLOY_EXPLORER_FULL ? texts[end] : "?";
}

// ---- the raster ----

static int32_t explorer_cell_of(const ploy_explorer *explorer, ploy_vec2 at) {
    ploy_vec2 from = ploy_vec2_sub(at, explorer->bounds.min);
    float x = floorf(from.x / explorer->def.cell);
    float y = floorf(from.y / explorer->def.cell);
    bool inside = x >= 0 && y >= 0 && x < (float)explorer->columns && y < (float)explorer->rows;
    return inside ? (int32_t)y * explorer->columns + (int32_t)x : -1; // also for NaN
}

static ploy_vec2 explorer_centre(const ploy_explorer *explorer, int32_t cell) {
    float x = (float)(cell % explorer->columns) + 0.5f,
          y = (float)(cell / explorer->columns) + 0.5f;
    return ploy_vec2_add(explorer->bounds.min,
                         ploy_vec2_make(x * explorer->def.cell, y * explorer->def.cell));
}

static bool explorer_walks(const ploy_explorer *explorer, ploy_vec2 from, ploy_vec2 to) {
    if (explorer_cell_of(explorer, to) < 0) return false;
    return explorer->walks(explorer->user, ploy_vec3_from_vec2(from, 0.0f),
                           ploy_vec3_from_vec2(to, 0.0f));
}

// Breadth first from the start's cell; the list of starts is the queue. Establishes (1).
static void explorer_flood(ploy_explorer *explorer, ploy_vec2 start) {
    int32_t first = explorer_cell_of(explorer, start), head = 0;
    explorer->cells[first].reachable = true;
    explorer->starts[explorer->reachable++] = first;
    while (head < explorer->reachable) {
        int32_t cell = explorer->starts[head++];
        ploy_vec2 from = cell == first ? start : explorer_centre(explorer, cell);
        int32_t x = cell % explorer->columns, y = cell / explorer->columns;
        const int32_t next[4][2] = {{x + 1, y}, {x, y + 1}, {x - 1, y}, {x, y - 1}};
        for (int32_t i = 0; i < 4; i++) {
            if (next[i][0] < 0 || next[i][0] >= explorer->columns || next[i][1] < 0 ||
                next[i][1] >= explorer->rows) {
                continue;
            }
            int32_t other = next[i][1] * explorer->columns + next[i][0];
            if (explorer->cells[other].reachable) continue;
            if (!explorer_walks(explorer, from, explorer_centre(explorer, other))) continue;
            explorer->cells[other].reachable = true;
            explorer->starts[explorer->reachable++] = other;
        }
    }
}

// ---- walking ----

static double explorer_now(const ploy_explorer *explorer) {
    return (double)explorer->count * (double)explorer->def.interval;
}

// Makes the ring's newest slot that of this second. Keeps (4).
static void explorer_turn_ring(ploy_explorer *explorer) {
    int64_t second = (int64_t)explorer_now(explorer);
    while (explorer->second < second) {
        explorer->minutes[++explorer->second % EXPLORER_SECONDS] = 0;
    }
}

static int32_t explorer_fresh(const ploy_explorer *explorer) {
    int32_t sum = 0;
    for (int32_t i = 0; i < EXPLORER_SECONDS; i++) sum += explorer->minutes[i];
    return sum;
}

// A cell that walking reached, though no line between centres does, becomes reachable: keeps (2).
static void explorer_enter(ploy_explorer *explorer, int32_t cell) {
    explorer_cell *into = &explorer->cells[cell];
    explorer->at = cell;
    if (!into->reachable) {
        into->reachable = true;
        explorer->starts[explorer->reachable++] = cell;
    }
    into->visits++;
    if (into->visits == 1) {
        explorer->visited++;
        explorer->once++;
        explorer->minutes[explorer->second % EXPLORER_SECONDS]++;
    } else if (into->visits == 2) {
        explorer->once--;
    }
}

static void explorer_log(ploy_explorer *explorer, bool jumped) {
    explorer_turn_ring(explorer);
    int32_t cell = explorer_cell_of(explorer, explorer->position);
    if (cell != explorer->at || jumped) explorer_enter(explorer, cell);
    ploy_log_entry *entry = &explorer->entries[explorer->count];
    memset(entry, 0, sizeof *entry);
    entry->time = explorer_now(explorer);
    entry->position = ploy_vec3_from_vec2(explorer->position, 0.0f);
    entry->jumped = jumped;
    explorer->count++;
}

static void explorer_begin_run(ploy_explorer *explorer, ploy_vec2 at) {
    explorer->position = at;
    explorer->heading = ploy_rng_range(&explorer->rng, -PLOY_PI_F, PLOY_PI_F);
    explorer->run_began = explorer_now(explorer);
    explorer->stuck = 0;
    explorer->runs++;
    explorer_log(explorer, true);
}

// How good a heading is: straight on, and toward cells that were seldom entered.
static float explorer_score(ploy_explorer *explorer, float turn) {
    const float look = 2.0f; // cells ahead
    ploy_vec2 direction = ploy_angle_heading(explorer->heading + turn);
    int32_t cell = explorer_cell_of(
        explorer, ploy_vec2_add_scaled(explorer->position, direction, look * explorer->def.cell));
    float visits = cell >= 0 ? (float)explorer->cells[cell].visits : 1e6f;
    float straight = ploy_cosf(turn) * 0.5f + 0.5f, rare = 1.0f / (1.0f + visits);
    float noise = 0.1f * ploy_rng_float(&explorer->rng);
    return (1.0f - explorer->def.frontier) * straight + explorer->def.frontier * rare + noise;
}

// Takes the best heading along which it can walk; false if walls are on all sides.
static bool explorer_walk(ploy_explorer *explorer) {
    static const float spread[EXPLORER_HEADINGS] = {0.0f, 1.0f, -1.0f, 3.0f, -3.0f, 6.0f, -6.0f};
    float stride = explorer->def.speed * explorer->def.interval;
    float drift = explorer->def.turn * ploy_rng_binomial(&explorer->rng);
    float best = -1.0f, chosen = 0.0f;
    for (int32_t i = 0; i < EXPLORER_HEADINGS; i++) {
        float turn = ploy_clampf(spread[i] * explorer->def.turn + drift, -PLOY_PI_F, PLOY_PI_F);
        ploy_vec2 direction = ploy_angle_heading(explorer->heading + turn);
        ploy_vec2 to = ploy_vec2_add_scaled(explorer->position, direction, stride);
        float score = explorer_score(explorer, turn);
        if (score <= best || !explorer_walks(explorer, explorer->position, to)) continue;
        best = score;
        chosen = turn;
    }
    if (best < 0.0f) return false;
    explorer->heading = ploy_angle_wrap(explorer->heading + chosen);
    explorer->position =
        ploy_vec2_add_scaled(explorer->position, ploy_angle_heading(explorer->heading), stride);
    return true;
}

// A minute into a run or later: has the last minute brought too little?
static bool explorer_bored(const ploy_explorer *explorer) {
    double age = explorer_now(explorer) - explorer->run_began;
    return age >= (double)EXPLORER_SECONDS &&
           (float)explorer_fresh(explorer) < explorer->def.new_cells;
}

static ploy_explorer_end explorer_ends(const ploy_explorer *explorer) {
    if (explorer->visited >= explorer->reachable) return PLOY_EXPLORER_COMPLETE;
    if (explorer->count >= explorer->def.max_entries) return PLOY_EXPLORER_FULL;
    if (explorer->dull > 0 && explorer_bored(explorer)) return PLOY_EXPLORER_NO_NEWS;
    return PLOY_EXPLORER_WALKS;
}

// Of a few cells at random the one with the fewest visits; the more, the stronger the bias.
static int32_t explorer_start_cell(ploy_explorer *explorer) {
    int32_t draws = 1 + (int32_t)(explorer->def.frontier * 7.0f), best = -1;
    for (int32_t i = 0; i < draws; i++) {
        int32_t drawn = ploy_rng_int(&explorer->rng, 0, explorer->reachable - 1);
        int32_t cell = explorer->starts[drawn];
        if (best < 0 || explorer->cells[cell].visits < explorer->cells[best].visits) best = cell;
    }
    return best;
}

static void explorer_advance(ploy_explorer *explorer) {
    const int32_t patience = 8; // turns at walls before it begins elsewhere
    double age = explorer_now(explorer) - explorer->run_began;
    bool tired = age >= (double)explorer->def.run, bored = explorer_bored(explorer);
    if (tired || bored || explorer->stuck >= patience) {
        if (bored) explorer->dull++;
        if (tired && !bored) explorer->dull = 0;
        explorer_begin_run(explorer, explorer_centre(explorer, explorer_start_cell(explorer)));
        return;
    }
    if (explorer_walk(explorer)) {
        explorer->stuck = 0;
    } else { // it turns round on the spot
        explorer->stuck++;
        explorer->heading = ploy_rng_range(&explorer->rng, -PLOY_PI_F, PLOY_PI_F);
    }
    explorer_log(explorer, false);
}

// ---- public ----

ploy_result ploy_explorer_create(const ploy_explorer_def *def, ploy_box2 bounds, ploy_vec2 start,
                                 ploy_walks_fn walks, void *user, const ploy_env *env,
                                 ploy_explorer **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || walks == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_explorer_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_vec2 size = ploy_vec2_sub(bounds.max, bounds.min);
    if (!ploy_vec2_is_finite(bounds.min) || !ploy_vec2_is_finite(size) ||
        !ploy_vec2_is_finite(start) || !(size.x > 0.0f) || !(size.y > 0.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    double columns = ceil((double)size.x / (double)def->cell);
    double rows = ceil((double)size.y / (double)def->cell);
    if (columns * rows > (double)EXPLORER_CELLS_MAX) return PLOY_ERR_LIMIT;
    ploy_explorer *explorer = ploy_env_alloc_zero(env, sizeof *explorer);
    if (explorer == NULL) return PLOY_ERR_MEMORY;
    explorer->env = *env;
    explorer->def = *def;
    explorer->bounds = bounds;
    explorer->walks = walks;
    explorer->user = user;
    explorer->rng = ploy_rng_make(def->seed);
    explorer->columns = (int32_t)columns;
    explorer->rows = (int32_t)rows;
    explorer->at = -1;
    size_t cells = (size_t)explorer->columns * (size_t)explorer->rows;
    explorer->cells = ploy_env_alloc_zero(env, cells * sizeof *explorer->cells);
    explorer->starts = ploy_env_alloc_zero(env, cells * sizeof *explorer->starts);
    explorer->entries =
        ploy_env_alloc_zero(env, (size_t)def->max_entries * sizeof *explorer->entries);
    bool room = explorer->cells != NULL && explorer->starts != NULL && explorer->entries != NULL;
    result = room ? PLOY_OK : PLOY_ERR_MEMORY;
    bool fits =
        room && explorer_cell_of(explorer, start) >= 0 && explorer_walks(explorer, start, start);
    if (room && !fits) result = PLOY_ERR_ARGUMENT;
    if (result != PLOY_OK) {
        ploy_explorer_destroy(explorer);
        return result;
    }
    explorer_flood(explorer, start);
    explorer_begin_run(explorer, start);
    *out = explorer;
    return PLOY_OK;
}

void ploy_explorer_destroy(ploy_explorer *explorer) {
    if (explorer == NULL) return;
    ploy_env env = explorer->env;
    size_t cells = (size_t)explorer->columns * (size_t)explorer->rows;
    ploy_env_free(&env, explorer->cells, cells * sizeof *explorer->cells);
    ploy_env_free(&env, explorer->starts, cells * sizeof *explorer->starts);
    ploy_env_free(&env, explorer->entries,
                  (size_t)explorer->def.max_entries * sizeof *explorer->entries);
    ploy_env_free(&env, explorer, sizeof *explorer);
}

ploy_result ploy_explorer_step(ploy_explorer *explorer, ploy_budget *budget) {
    if (explorer == NULL) return PLOY_ERR_ARGUMENT;
    while (explorer->end == PLOY_EXPLORER_WALKS) {
        explorer->end = explorer_ends(explorer);
        if (explorer->end != PLOY_EXPLORER_WALKS) break;
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        explorer_advance(explorer);
    }
    return PLOY_OK;
}

const ploy_log_entry *ploy_explorer_entries(const ploy_explorer *explorer, int32_t *count) {
    if (count != NULL) *count = explorer->count;
    return explorer->entries;
}

ploy_explorer_coverage ploy_explorer_coverage_of(const ploy_explorer *explorer) {
    ploy_explorer_coverage coverage;
    memset(&coverage, 0, sizeof coverage);
    coverage.reachable = explorer->reachable;
    coverage.visited = explorer->visited;
    coverage.once = explorer->once;
    coverage.fresh = explorer_fresh(explorer);
    coverage.runs = explorer->runs;
    coverage.share = (float)explorer->visited / (float)explorer->reachable;
    coverage.seconds = explorer_now(explorer);
    coverage.end = explorer->end;
    return coverage;
}

void ploy_explorer_draw(const ploy_explorer *explorer, ploy_agent_id owner, ploy_draw *out) {
    if (explorer == NULL || out == NULL) return;
    for (int32_t i = 0; i < explorer->columns * explorer->rows; i++) {
        const explorer_cell *cell = &explorer->cells[i];
        if (!cell->reachable) continue;
        float share = 1.0f - 1.0f / (1.0f + (float)cell->visits);
        ploy_draw_disc(out, PLOY_LAYER_INFLUENCE,
                       cell->visits > 0 ? PLOY_STYLE_GOOD : PLOY_STYLE_WARNING, owner,
                       explorer_centre(explorer, i), 0.3f * explorer->def.cell,
                       cell->visits > 0 ? 0.2f + 0.7f * share : 0.3f);
    }
    for (int32_t i = explorer->count - 1; i > 0 && !explorer->entries[i].jumped; i--) {
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, owner,
                       ploy_vec2_from_vec3(explorer->entries[i - 1].position),
                       ploy_vec2_from_vec3(explorer->entries[i].position));
    }
    ploy_draw_agent(out, PLOY_STYLE_AGENT_A, owner, explorer->position, explorer->heading,
                    0.3f * explorer->def.cell);
}

// What follows from the saved starts and visits.
static void explorer_loaded(void *object) {
    ploy_explorer *explorer = object;
    int32_t cells = explorer->columns * explorer->rows;
    for (int32_t i = 0; i < cells; i++) explorer->cells[i].reachable = false;
    explorer->visited = explorer->once = 0;
    for (int32_t i = 0; i < explorer->reachable; i++) {
        explorer_cell *cell = &explorer->cells[explorer->starts[i]];
        cell->reachable = true;
        if (cell->visits > 0) explorer->visited++;
        if (cell->visits == 1) explorer->once++;
    }
}

// In a load: each reachable cell once. The marks are set again when the load has ended.
static bool explorer_starts_are_sound(ploy_explorer *explorer, int32_t count) {
    int32_t cells = explorer->columns * explorer->rows;
    bool sound = count > 0;
    for (int32_t i = 0; i < cells; i++) explorer->cells[i].reachable = false;
    for (int32_t i = 0; i < count && sound; i++) {
        int32_t cell = explorer->starts[i];
        sound = cell >= 0 && cell < cells && !explorer->cells[cell].reachable;
        if (sound) explorer->cells[cell].reachable = true;
    }
    return sound;
}

static void explorer_visit_raster(ploy_visit *v, ploy_explorer *explorer) {
    int32_t cells = explorer->columns * explorer->rows;
    int32_t count = ploy_visit_list(v, "starts", PLOY_SAVED, &explorer->reachable, cells);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_i32_in(v, "cell", PLOY_SAVED, &explorer->starts[i], 0, cells - 1);
    }
    ploy_visit_check(v, !ploy_visit_loads(v) || explorer_starts_are_sound(explorer, count),
                     "a cell is listed twice or not at all", NULL);
    ploy_visit_end(v);
    count = ploy_visit_fixed(v, "visits", PLOY_SAVED, cells);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_i32_in(v, "visits", PLOY_SAVED, &explorer->cells[i].visits, 0, INT32_MAX);
    }
    ploy_visit_end(v);
    count = ploy_visit_fixed(v, "new cells", PLOY_SAVED, EXPLORER_SECONDS);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_i32_in(v, "new", PLOY_SAVED, &explorer->minutes[i], 0, cells);
    }
    ploy_visit_end(v);
}

static void explorer_visit_log(ploy_visit *v, ploy_explorer *explorer) {
    int32_t count =
        ploy_visit_list(v, "log", PLOY_SAVED, &explorer->count, explorer->def.max_entries);
    for (int32_t i = 0; i < count; i++) {
        ploy_log_entry *entry = &explorer->entries[i];
        ploy_visit_begin_item(v, i, PLOY_SAVED);
        ploy_visit_f64_in(v, "time", PLOY_SAVED, &entry->time, 0.0, 1e15);
        ploy_visit_vec3(v, "position", PLOY_SAVED, &entry->position.x, &entry->position.y,
                        &entry->position.z);
        ploy_visit_bool(v, "jumped", PLOY_SAVED, &entry->jumped);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

static const char *explorer_end_text(int32_t end) {
    return ploy_explorer_end_text((ploy_explorer_end)end);
}

void ploy_explorer_visit(ploy_visit *v, void *object) {
    ploy_explorer *explorer = object;
    int32_t cells = explorer->columns * explorer->rows;
    ploy_visit_object(v, "explorer", explorer, sizeof *explorer);
    ploy_visit_block(v, "explorer.cells", explorer->cells, (size_t)cells * sizeof(explorer_cell));
    ploy_visit_block(v, "explorer.starts", explorer->starts, (size_t)cells * sizeof(int32_t));
    ploy_visit_block(v, "explorer.log", explorer->entries,
                     (size_t)explorer->def.max_entries * sizeof(ploy_log_entry));
    PLOY_VISIT_SCRATCH(v, explorer->env);
    PLOY_VISIT_SCRATCH(v, explorer->def);
    PLOY_VISIT_SCRATCH(v, explorer->bounds);
    PLOY_VISIT_SCRATCH(v, explorer->walks);
    PLOY_VISIT_SCRATCH(v, explorer->user);
    PLOY_VISIT_SCRATCH(v, explorer->cells);
    PLOY_VISIT_SCRATCH(v, explorer->starts);
    PLOY_VISIT_SCRATCH(v, explorer->entries);
    PLOY_VISIT_SCRATCH(v, explorer->columns);
    PLOY_VISIT_SCRATCH(v, explorer->rows);
    PLOY_VISIT_SCRATCH(v, explorer->visited);
    PLOY_VISIT_SCRATCH(v, explorer->once);
    ploy_visit_after(v, explorer_loaded, explorer);
    ploy_visit_vec2(v, "position", PLOY_STATE, &explorer->position.x, &explorer->position.y);
    ploy_visit_check(v, explorer_cell_of(explorer, explorer->position) >= 0,
                     "the position is outside the bounds", NULL);
    ploy_visit_f32(v, "heading", PLOY_STATE, &explorer->heading);
    ploy_visit_rng(v, "rng", PLOY_SAVED, &explorer->rng);
    ploy_visit_i32_in(v, "at", PLOY_SAVED, &explorer->at, 0, cells - 1);
    ploy_visit_i32_in(v, "stuck", PLOY_SAVED, &explorer->stuck, 0, INT32_MAX);
    ploy_visit_i32_in(v, "dull", PLOY_SAVED, &explorer->dull, 0, INT32_MAX);
    ploy_visit_f64_in(v, "run began", PLOY_SAVED, &explorer->run_began, 0.0, 1e15);
    ploy_visit_i64_in(v, "second", PLOY_SAVED, &explorer->second, 0, INT64_MAX);
    ploy_describe_i64(v->describe, "entries", PLOY_STATE, explorer->count);
    ploy_describe_i64(v->describe, "reachable", PLOY_DERIVED, explorer->reachable);
    ploy_describe_i64(v->describe, "visited", PLOY_STATE, explorer->visited);
    ploy_describe_i64(v->describe, "once", PLOY_STATE, explorer->once);
    ploy_describe_i64(v->describe, "new in the last minute", PLOY_STATE, explorer_fresh(explorer));
    explorer_visit_raster(v, explorer);
    explorer_visit_log(v, explorer);
    ploy_visit_i32_in(v, "runs", PLOY_STATE, &explorer->runs, 0, INT32_MAX);
    if (v->describe != NULL) {
        ploy_explorer_coverage coverage = ploy_explorer_coverage_of(explorer);
        ploy_describe_f32(v->describe, "share", PLOY_DERIVED, coverage.share);
    }
    PLOY_VISIT_ENUM(v, "end", PLOY_STATE, explorer->end, explorer_end_text, PLOY_EXPLORER_FULL + 1);
}

void ploy_explorer_describe(const ploy_explorer *explorer, ploy_describe *out) {
    ploy_visit_describe(ploy_explorer_visit, explorer, NULL, out);
}

void ploy_explorer_memory(const ploy_explorer *explorer, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_explorer_visit, explorer, fn, user);
}
