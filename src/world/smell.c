// Smelly terrain; the technique is described in the header.
//
// Two copies of the field: `now` is the last whole pass, `next` is being written row by row.
// Invariants: (1) blocked cells smell of nothing in both; (2) rows below `row` of signal `signal`,
// and all signals before it, are written in next; (3) every value is finite and 0 or more.
#include "ploy/world/smell.h"

#include "world/world_internal.h"

#include <math.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "ploy/base/math.h"

static const ploy_field smell_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_smell_def, width, 32, 1, 4096, "", "cells from left to right"),
    PLOY_FIELD_I32_FIXED(ploy_smell_def, height, 32, 1, 4096, "", "cells from bottom to top"),
    PLOY_FIELD_I32_FIXED(ploy_smell_def, signals, 1, 1, 64, "", "kinds of smell"),
    PLOY_FIELD_I32_FIXED(ploy_smell_def, sources, 64, 1, 65536, "", "most sources"),
    PLOY_FIELD_F32(ploy_smell_def, cell, 1, 1e-3f, 1e4f, "m", "side of a cell"),
    PLOY_FIELD_F32(ploy_smell_def, diffusion, 0.2, 0, 0.25, "", "share that passes to a neighbour"),
    PLOY_FIELD_F32(ploy_smell_def, decay, 0.01, 0, 1, "", "share lost in a pass"),
};

typedef struct smell_source {
    int32_t signal, x, y;
    float intensity;
    ploy_id object;
} smell_source;

struct ploy_smell {
    ploy_env env;
    ploy_smell_def def;
    bool (*emits)(void *user, ploy_id object, int32_t signal);
    void *user;
    size_t bytes; // of the floats' block
    size_t layer; // cells of a signal
    float *now, *next;
    uint8_t *blocked;
    smell_source *sources;
    int32_t source_count;
    int32_t signal, row; // the position of the pass
    uint64_t passes;
};

ploy_fields ploy_smell_fields(void) {
    return PLOY_FIELDS(ploy_smell_def, smell_fields);
}

ploy_smell_def ploy_smell_def_default(void) {
    ploy_smell_def def;
    ploy_fields_default(ploy_smell_fields(), &def);
    return def;
}

ploy_result ploy_smell_create(const ploy_smell_def *def, const ploy_env *env, ploy_smell **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_smell_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t layer = (size_t)def->width * (size_t)def->height, bytes = 0;
    if (!ploy_size_add_array(0, (int64_t)def->signals * (int64_t)layer, 2 * sizeof(float),
                             &bytes)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_smell *smell = ploy_env_alloc_zero(env, sizeof *smell);
    if (smell == NULL) return PLOY_ERR_MEMORY;
    smell->env = *env;
    smell->def = *def;
    smell->bytes = bytes;
    smell->layer = layer;
    smell->now = ploy_env_alloc_zero(env, bytes);
    smell->blocked = ploy_env_alloc_zero(env, layer);
    smell->sources = ploy_env_alloc_zero(env, (size_t)def->sources * sizeof *smell->sources);
    if (smell->now == NULL || smell->blocked == NULL || smell->sources == NULL) {
        ploy_smell_destroy(smell);
        return PLOY_ERR_MEMORY;
    }
    smell->next = smell->now + bytes / sizeof(float) / 2;
    *out = smell;
    return PLOY_OK;
}

void ploy_smell_destroy(ploy_smell *smell) {
    if (smell == NULL) return;
    ploy_env env = smell->env;
    // The copies swap places: the block begins with the lower one.
    float *block = smell->next != NULL && smell->next < smell->now ? smell->next : smell->now;
    ploy_env_free(&env, block, smell->bytes);
    ploy_env_free(&env, smell->blocked, smell->layer);
    ploy_env_free(&env, smell->sources, (size_t)smell->def.sources * sizeof *smell->sources);
    ploy_env_free(&env, smell, sizeof *smell);
}

static bool smell_inside(const ploy_smell *smell, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < smell->def.width && y < smell->def.height;
}

static size_t smell_index(const ploy_smell *smell, int32_t x, int32_t y) {
    return (size_t)y * (size_t)smell->def.width + (size_t)x;
}

ploy_result ploy_smell_set_blocked(ploy_smell *smell, int32_t x, int32_t y, bool blocked) {
    if (!smell_inside(smell, x, y)) return PLOY_ERR_ARGUMENT;
    size_t index = smell_index(smell, x, y);
    smell->blocked[index] = blocked ? 1 : 0;
    for (int32_t s = 0; s < smell->def.signals && blocked; s++) {
        smell->now[(size_t)s * smell->layer + index] = 0.0f; // keeps (1)
        smell->next[(size_t)s * smell->layer + index] = 0.0f;
    }
    return PLOY_OK;
}

bool ployi_smell_is_blocked(const ploy_smell *smell, int32_t x, int32_t y) {
    return !smell_inside(smell, x, y) || smell->blocked[smell_index(smell, x, y)] != 0;
}

ploy_result ploy_smell_add_source(ploy_smell *smell, int32_t signal, int32_t x, int32_t y,
                                  float intensity, ploy_id object, int32_t *out) {
    if (signal < 0 || signal >= smell->def.signals) return PLOY_ERR_ARGUMENT;
    if (smell->source_count >= smell->def.sources) return PLOY_ERR_CAPACITY;
    smell->source_count++;
    ploy_result result = ploy_smell_set_source(smell, smell->source_count - 1, x, y, intensity);
    if (result != PLOY_OK) {
        smell->source_count--;
        return result;
    }
    smell->sources[smell->source_count - 1].signal = signal;
    smell->sources[smell->source_count - 1].object = object;
    if (out != NULL) *out = smell->source_count - 1;
    return PLOY_OK;
}

ploy_result ploy_smell_set_source(ploy_smell *smell, int32_t source, int32_t x, int32_t y,
                                  float intensity) {
    if (source < 0 || source >= smell->source_count) return PLOY_ERR_NOT_FOUND;
    if (!smell_inside(smell, x, y) || !ploy_in_range(intensity, 0.0f, 1e9f)) {
        return PLOY_ERR_ARGUMENT;
    }
    smell->sources[source].x = x;
    smell->sources[source].y = y;
    smell->sources[source].intensity = intensity;
    return PLOY_OK;
}

void ploy_smell_set_filter(ploy_smell *smell,
                           bool (*emits)(void *user, ploy_id object, int32_t signal), void *user) {
    smell->emits = emits;
    smell->user = user;
}

static void smell_row(ploy_smell *smell, int32_t y) {
    int32_t width = smell->def.width;
    const float *now = smell->now + (size_t)smell->signal * smell->layer;
    float *next = smell->next + (size_t)smell->signal * smell->layer;
    const uint8_t *blocked = smell->blocked;
    for (int32_t x = 0; x < width; x++) {
        size_t at = smell_index(smell, x, y);
        if (blocked[at]) continue; // stays 0: (1)
        float here = now[at], flow = 0.0f;
        if (x + 1 < width && !blocked[at + 1]) flow += now[at + 1] - here;
        if (y + 1 < smell->def.height && !blocked[at + (size_t)width]) {
            flow += now[at + (size_t)width] - here;
        }
        if (x > 0 && !blocked[at - 1]) flow += now[at - 1] - here;
        if (y > 0 && !blocked[at - (size_t)width]) flow += now[at - (size_t)width] - here;
        float value = (here + smell->def.diffusion * flow) * (1.0f - smell->def.decay);
        next[at] = value > 1e-30f ? ploy_minf(value, 1e30f) : 0.0f; // keeps (3)
    }
}

static void smell_end_pass(ploy_smell *smell) {
    float *swap = smell->now;
    smell->now = smell->next;
    smell->next = swap;
    for (int32_t i = 0; i < smell->source_count; i++) {
        const smell_source *source = &smell->sources[i];
        size_t at = smell_index(smell, source->x, source->y);
        if (smell->blocked[at]) continue;
        if (smell->emits != NULL && !smell->emits(smell->user, source->object, source->signal)) {
            continue;
        }
        smell->now[(size_t)source->signal * smell->layer + at] += source->intensity;
    }
    smell->signal = 0;
    smell->row = 0;
    smell->passes++;
}

ploy_result ploy_smell_step(ploy_smell *smell, ploy_budget *budget) {
    for (;;) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        smell_row(smell, smell->row++);
        if (smell->row < smell->def.height) continue;
        smell->row = 0;
        if (++smell->signal < smell->def.signals) continue;
        smell_end_pass(smell);
        return PLOY_OK;
    }
}

float ploy_smell_get(const ploy_smell *smell, int32_t signal, int32_t x, int32_t y) {
    if (signal < 0 || signal >= smell->def.signals || !smell_inside(smell, x, y)) return 0.0f;
    return smell->now[(size_t)signal * smell->layer + smell_index(smell, x, y)];
}

bool ploy_smell_follow(const ploy_smell *smell, int32_t signal, int32_t x, int32_t y,
                       int32_t *next_x, int32_t *next_y) {
    static const int32_t steps[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    float most = ploy_smell_get(smell, signal, x, y);
    int32_t best = -1;
    if (!smell_inside(smell, x, y)) return false;
    for (int32_t i = 0; i < 4; i++) {
        float there = ploy_smell_get(smell, signal, x + steps[i][0], y + steps[i][1]);
        if (there > most) {
            most = there;
            best = i;
        }
    }
    if (best < 0) return false;
    *next_x = x + steps[best][0];
    *next_y = y + steps[best][1];
    return true;
}

int32_t ployi_smell_detect(const ploy_smell *smell, int32_t x, int32_t y, float least,
                           int32_t *signals, int32_t capacity) {
    int32_t count = 0;
    for (int32_t s = 0; s < smell->def.signals; s++) {
        float own = ploy_smell_get(smell, s, x, y);
        if (!(own > 0.0f) || own < least) continue;
        int32_t at = count < capacity ? count : capacity;
        while (at > 0 && ploy_smell_get(smell, signals[at - 1], x, y) < own) {
            if (at < capacity) signals[at] = signals[at - 1];
            at--;
        }
        if (at < capacity) signals[at] = s;
        if (count < capacity) count++;
    }
    return count;
}

uint64_t ployi_smell_passes(const ploy_smell *smell) {
    return smell->passes;
}

static void smell_visit_cells(ploy_visit *v, const char *name, float *cells, size_t count) {
    if (v->describe != NULL) {
        ploy_describe_u64(v->describe, name, PLOY_STATE,
                          ploy_hash_bytes(cells, count * sizeof *cells, 0));
        return;
    }
    int32_t found = ploy_visit_fixed(v, name, PLOY_SAVED, (int32_t)count);
    for (int32_t i = 0; i < found; i++) {
        ploy_visit_f32_in(v, "cell", PLOY_SAVED, &cells[i], 0.0f, 2e30f);
    }
    ploy_visit_end(v);
}

static void smell_visit_sources(ploy_visit *v, ploy_smell *smell) {
    int32_t count =
        ploy_visit_list(v, "sources", PLOY_SAVED, &smell->source_count, smell->def.sources);
    for (int32_t i = 0; i < count; i++) {
        smell_source *source = &smell->sources[i];
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_i32_in(v, "signal", PLOY_STATE, &source->signal, 0, smell->def.signals - 1);
        ploy_visit_i32_in(v, "x", PLOY_STATE, &source->x, 0, smell->def.width - 1);
        ploy_visit_i32_in(v, "y", PLOY_STATE, &source->y, 0, smell->def.height - 1);
        ploy_visit_f32_in(v, "intensity", PLOY_STATE, &source->intensity, 0.0f, 1e9f);
        ploy_visit_id(v, "object", PLOY_SAVED, &source->object);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    int32_t left = smell->def.sources - smell->source_count;
    ploy_visit_scratch(v, smell->sources + smell->source_count,
                       (size_t)left * sizeof *smell->sources);
}

// Invariant (1).
static bool smell_walls_are_clean(const ploy_smell *smell) {
    size_t cells = smell->bytes / 2 / sizeof(float);
    for (size_t i = 0; i < cells; i++) {
        if (smell->blocked[i % smell->layer] == 0) continue;
        if (smell->now[i] != 0.0f || smell->next[i] != 0.0f) return false;
    }
    return true;
}

void ploy_smell_visit(ploy_visit *v, void *object) {
    ploy_smell *smell = object;
    size_t cells = smell->bytes / 2 / sizeof(float);
    float *block = smell->next < smell->now ? smell->next : smell->now;
    ploy_visit_object(v, "smell", smell, sizeof *smell);
    ploy_visit_object(v, "smell.field", block, smell->bytes);
    ploy_visit_object(v, "smell.walls", smell->blocked, smell->layer);
    ploy_visit_object(v, "smell.sources", smell->sources,
                      (size_t)smell->def.sources * sizeof *smell->sources);
    PLOY_VISIT_SCRATCH(v, smell->env);
    PLOY_VISIT_SCRATCH(v, smell->def);
    PLOY_VISIT_SCRATCH(v, smell->emits);
    PLOY_VISIT_SCRATCH(v, smell->user);
    PLOY_VISIT_SCRATCH(v, smell->bytes);
    PLOY_VISIT_SCRATCH(v, smell->layer);
    PLOY_VISIT_SCRATCH(v, smell->now);
    PLOY_VISIT_SCRATCH(v, smell->next);
    PLOY_VISIT_SCRATCH(v, smell->blocked);
    PLOY_VISIT_SCRATCH(v, smell->sources);
    ploy_visit_u64(v, "passes", PLOY_STATE, &smell->passes);
    ploy_visit_i32_in(v, "signal", PLOY_STATE, &smell->signal, 0, smell->def.signals - 1);
    ploy_visit_i32_in(v, "row", PLOY_STATE, &smell->row, 0, smell->def.height - 1);
    smell_visit_cells(v, "field", smell->now, cells);
    smell_visit_cells(v, "next", smell->next, cells);
    if (v->describe != NULL) {
        ploy_describe_u64(v->describe, "walls", PLOY_STATE,
                          ploy_hash_bytes(smell->blocked, smell->layer, 0));
    } else {
        int32_t found = ploy_visit_fixed(v, "walls", PLOY_SAVED, (int32_t)smell->layer);
        for (int32_t i = 0; i < found; i++) {
            ploy_visit_u8_in(v, "wall", PLOY_SAVED, &smell->blocked[i], 0, 1);
        }
        ploy_visit_end(v);
    }
    smell_visit_sources(v, smell);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_check(v, smell_walls_are_clean(smell), "wall has a smell", NULL);
    }
}

void ploy_smell_describe(const ploy_smell *smell, ploy_describe *out) {
    ploy_visit_describe(ploy_smell_visit, smell, NULL, out);
}

void ploy_smell_draw(const ploy_smell *smell, int32_t signal, ploy_vec2 origin, ploy_draw *out) {
    ploy_agent_id nobody = ploy_agent_id_none();
    float most = 0.0f, half = 0.5f * smell->def.cell;
    for (size_t i = 0; i < smell->layer; i++) {
        most = ploy_maxf(most, smell->now[(size_t)signal * smell->layer + i]);
    }
    for (int32_t y = 0; y < smell->def.height; y++) {
        for (int32_t x = 0; x < smell->def.width; x++) {
            ploy_vec2 at =
                ploy_vec2_add(origin, ploy_vec2_make(((float)x + 0.5f) * smell->def.cell,
                                                     ((float)y + 0.5f) * smell->def.cell));
            float value = ploy_smell_get(smell, signal, x, y);
            if (ployi_smell_is_blocked(smell, x, y)) {
                ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, at, half, 1.0f);
            } else if (value > 0.0f && most > 0.0f) {
                // Smells fall off exponentially: the logarithm is what a nose, and an eye, sees.
                float shade = 1.0f + ploy_logf(value / most) / 20.0f;
                if (shade <= 0.02f) continue;
                ploy_draw_disc(out, PLOY_LAYER_INFLUENCE, PLOY_STYLE_GOOD, nobody, at, half,
                               0.6f * shade);
            }
        }
    }
}
