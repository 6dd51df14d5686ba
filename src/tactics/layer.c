// Layers; see the header.
//
// Invariants from create to destroy:
//   (1) exactly one of numbers and bytes is set, with places.count values;
//   (2) an unknown number is the one NaN that ploy_tactics_layer_set writes, unless the caller
//       writes values directly; loads restore this, because hashes see the bits.
#include "ploy/tactics/layer.h"

#include "ploy/base/math.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Shades of a drawing: runs of cells with the same shade are one shape.
enum { LAYER_SHADES = 12 };

struct ploy_tactics_layer {
    ploy_env env;
    ploy_places places;
    int32_t kind;
    size_t size; // bytes of this block
    float *numbers;
    uint8_t *bytes;
};

ploy_result ploy_tactics_layer_create(const ploy_places *places, ploy_tactics_kind kind,
                                      const ploy_env *env, ploy_tactics_layer **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || !ploy_places_is_complete(places) || (int32_t)kind < 0 ||
        kind >= PLOY_TACTICS_KINDS) {
        return PLOY_ERR_ARGUMENT;
    }
    bool numbers = kind == PLOY_TACTICS_NUMBERS;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_tactics_layer), places->count, numbers ? sizeof(float) : 1,
                             &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_tactics_layer *layer = ploy_env_alloc_zero(env, size);
    if (layer == NULL) return PLOY_ERR_MEMORY;
    layer->env = *env;
    layer->places = *places;
    layer->kind = (int32_t)kind;
    layer->size = size;
    if (numbers) {
        layer->numbers = (float *)(void *)(layer + 1);
    } else {
        layer->bytes = (uint8_t *)(layer + 1);
    }
    *out = layer;
    return PLOY_OK;
}

void ploy_tactics_layer_destroy(ploy_tactics_layer *layer) {
    if (layer == NULL) return;
    ploy_env env = layer->env;
    ploy_env_free(&env, layer, layer->size);
}

const ploy_places *ploy_tactics_layer_places(const ploy_tactics_layer *layer) {
    return layer == NULL ? NULL : &layer->places;
}

ploy_tactics_kind ploy_tactics_layer_kind(const ploy_tactics_layer *layer) {
    return (ploy_tactics_kind)layer->kind;
}

float *ploy_tactics_layer_numbers(ploy_tactics_layer *layer) {
    return layer == NULL ? NULL : layer->numbers;
}

uint8_t *ploy_tactics_layer_categories(ploy_tactics_layer *layer) {
    return layer == NULL ? NULL : layer->bytes;
}

float ploy_tactics_layer_at(const ploy_tactics_layer *layer, int32_t place) {
    if (layer == NULL || place < 0 || place >= layer->places.count) return NAN;
    if (layer->numbers != NULL) return layer->numbers[place];
    return layer->bytes[place] == PLOY_CATEGORY_UNKNOWN ? NAN : (float)layer->bytes[place];
}

float ploy_tactics_layer_value(const ploy_tactics_layer *layer, ploy_vec3 point) {
    if (layer == NULL) return NAN;
    return ploy_tactics_layer_at(layer, layer->places.nearest(&layer->places, point));
}

// True if the layer can hold the value; *category is its byte.
static bool layer_accepts(const ploy_tactics_layer *layer, float value, uint8_t *category) {
    *category = PLOY_CATEGORY_UNKNOWN;
    if (layer->numbers != NULL || isnan(value)) return true;
    float rounded = floorf(value + 0.5f);
    if (!(rounded >= 0.0f && rounded < (float)PLOY_CATEGORY_UNKNOWN)) return false;
    *category = (uint8_t)rounded;
    return true;
}

static void layer_put(ploy_tactics_layer *layer, int32_t place, float value, uint8_t category) {
    if (layer->numbers != NULL) {
        layer->numbers[place] = isnan(value) ? NAN : value; // keeps (2)
    } else {
        layer->bytes[place] = category;
    }
}

ploy_result ploy_tactics_layer_set(ploy_tactics_layer *layer, int32_t place, float value) {
    uint8_t category = 0;
    if (layer == NULL || place < 0 || place >= layer->places.count ||
        !layer_accepts(layer, value, &category)) {
        return PLOY_ERR_ARGUMENT;
    }
    layer_put(layer, place, value, category);
    return PLOY_OK;
}

ploy_result ploy_tactics_layer_fill(ploy_tactics_layer *layer, float value) {
    uint8_t category = 0;
    if (layer == NULL || !layer_accepts(layer, value, &category)) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < layer->places.count; i++) layer_put(layer, i, value, category);
    return PLOY_OK;
}

ploy_result ploy_tactics_layer_copy(ploy_tactics_layer *layer, const ploy_tactics_layer *from) {
    if (layer == NULL || from == NULL || layer->kind != from->kind ||
        layer->places.count != from->places.count) {
        return PLOY_ERR_ARGUMENT;
    }
    size_t count = (size_t)layer->places.count;
    if (layer->numbers != NULL) {
        memmove(layer->numbers, from->numbers, count * sizeof(float));
    } else {
        memmove(layer->bytes, from->bytes, count);
    }
    return PLOY_OK;
}

ploy_tactics_range ploy_tactics_layer_range(const ploy_tactics_layer *layer) {
    ploy_tactics_range range = {0.0f, 0.0f, PLOY_PLACE_NONE, PLOY_PLACE_NONE, 0};
    for (int32_t i = 0; layer != NULL && i < layer->places.count; i++) {
        float value = ploy_tactics_layer_at(layer, i);
        if (isnan(value)) continue;
        range.known++;
        if (!ploy_is_finite(value)) continue;
        if (range.least_at == PLOY_PLACE_NONE || value < range.least) {
            range.least = value;
            range.least_at = i;
        }
        if (range.most_at == PLOY_PLACE_NONE || value > range.most) {
            range.most = value;
            range.most_at = i;
        }
    }
    return range;
}

ploy_result ploy_tactics_layer_classify(const ploy_tactics_layer *numbers, const float *thresholds,
                                        int32_t count, ploy_tactics_layer *categories) {
    if (numbers == NULL || categories == NULL || numbers->numbers == NULL ||
        categories->bytes == NULL || numbers->places.count != categories->places.count ||
        thresholds == NULL || count < 1 || count > PLOY_CATEGORY_UNKNOWN - 1) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        if (isnan(thresholds[i]) || (i > 0 && !(thresholds[i - 1] < thresholds[i]))) {
            return PLOY_ERR_ARGUMENT;
        }
    }
    for (int32_t i = 0; i < numbers->places.count; i++) {
        float value = numbers->numbers[i];
        int32_t category = 0;
        while (category < count && value >= thresholds[category]) category++;
        categories->bytes[i] = isnan(value) ? PLOY_CATEGORY_UNKNOWN : (uint8_t)category;
    }
    return PLOY_OK;
}

ploy_result ploy_tactics_layer_unclassify(const ploy_tactics_layer *categories, const float *values,
                                          int32_t count, ploy_tactics_layer *numbers) {
    if (numbers == NULL || categories == NULL || numbers->numbers == NULL ||
        categories->bytes == NULL || numbers->places.count != categories->places.count ||
        values == NULL || count < 1 || count > PLOY_CATEGORY_UNKNOWN) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < numbers->places.count; i++) {
        int32_t category = categories->bytes[i];
        layer_put(numbers, i, category < count ? values[category] : NAN, 0);
    }
    return PLOY_OK;
}

// ---- looking at it

// Shade of a value: 0 is not drawn, LAYER_SHADES + 1 is unknown; below 0 for negative values.
static int32_t layer_shade(float value, float most) {
    if (isnan(value)) return LAYER_SHADES + 1;
    if (!(most > 0.0f)) return 0;
    float share = value / most * (float)LAYER_SHADES;
    share = share > (float)LAYER_SHADES ? (float)LAYER_SHADES : share;
    share = share < -(float)LAYER_SHADES ? -(float)LAYER_SHADES : share;
    return (int32_t)(share < 0.0f ? share - 0.5f : share + 0.5f);
}

static void layer_draw_run(const ploy_tactics_layer *layer, int32_t first, int32_t count,
                           int32_t shade, ploy_draw *out) {
    if (shade == 0) return;
    const ploy_places *places = &layer->places;
    ploy_agent_id owner = {{0, 0}};
    bool unknown = shade > LAYER_SHADES;
    ploy_style style = unknown     ? PLOY_STYLE_GHOST
                       : shade > 0 ? PLOY_STYLE_AGENT_A
                                   : PLOY_STYLE_AGENT_B;
    float alpha =
        unknown ? 0.25f : 0.8f * (float)(shade < 0 ? -shade : shade) / (float)LAYER_SHADES;
    ploy_vec3 from = places->position(places, first),
              to = places->position(places, first + count - 1);
    float half = 0.5f * places->size;
    ploy_vec2 corners[4] = {{from.x - half, from.y - half},
                            {to.x + half, from.y - half},
                            {to.x + half, to.y + half},
                            {from.x - half, to.y + half}};
    ploy_draw_polygon(out, PLOY_LAYER_INFLUENCE, style, owner, corners, 4, alpha);
}

static float layer_map_value(const void *user, int32_t cell) {
    return ploy_tactics_layer_at(user, cell);
}

void ploy_tactics_layer_map(const ploy_tactics_layer *layer, const char *name, const char *unit,
                            ploy_draw *out) {
    if (layer == NULL || layer->places.width == 0) return;
    const ploy_places *places = &layer->places;
    ploy_draw_map map = {name, unit, places->origin,  places->size, places->width, places->height,
                         NULL, 0,    layer_map_value, layer};
    ploy_draw_values(out, PLOY_LAYER_INFLUENCE, &map);
}

void ploy_tactics_layer_draw(const ploy_tactics_layer *layer, const char *title, ploy_draw *out) {
    if (layer == NULL || !ploy_draw_wants(out, PLOY_LAYER_INFLUENCE)) return;
    const ploy_places *places = &layer->places;
    if (places->width > 0 && ploy_draw_takes_maps(out)) {
        ploy_tactics_layer_map(layer, title == NULL ? "values" : title, "", out);
        return;
    }
    ploy_tactics_range range = ploy_tactics_layer_range(layer);
    float most = range.most > -range.least ? range.most : -range.least;
    for (int32_t i = 0; i < places->count;) {
        int32_t shade = places->open(places, i) || places->width > 0
                            ? layer_shade(ploy_tactics_layer_at(layer, i), most)
                            : 0;
        // Runs end with the row; places that are not cells are drawn one by one.
        int32_t end = places->width > 0 ? (i / places->width + 1) * places->width : i + 1;
        int32_t next = i + 1;
        while (next < end && layer_shade(ploy_tactics_layer_at(layer, next), most) == shade) next++;
        layer_draw_run(layer, i, next - i, shade, out);
        i = next;
    }
    if (title == NULL || places->width == 0) return;
    char text[160];
    snprintf(text, sizeof text, "%.60s: %.4g to %.4g, %d unknown", title, (double)range.least,
             (double)range.most, places->count - range.known);
    ploy_agent_id owner = {{0, 0}};
    ploy_vec2 at = {places->origin.x,
                    places->origin.y + ((float)places->height + 0.5f) * places->size};
    ploy_draw_text(out, owner, at, text);
}

ploy_result ploy_tactics_layer_print(const ploy_tactics_layer *layer, ploy_writer *writer) {
    if (layer == NULL || writer == NULL || layer->places.width == 0) return PLOY_ERR_ARGUMENT;
    const ploy_places *places = &layer->places;
    ploy_tactics_range range = ploy_tactics_layer_range(layer);
    float span = range.most - range.least;
    ploy_write_text(writer, "P2\n");
    ploy_write_i64(writer, places->width);
    ploy_write_char(writer, ' ');
    ploy_write_i64(writer, places->height);
    ploy_write_text(writer, "\n255\n");
    for (int32_t y = places->height - 1; y >= 0; y--) {
        for (int32_t x = 0; x < places->width; x++) {
            float value = ploy_tactics_layer_at(layer, y * places->width + x);
            float share = span > 0.0f ? (value - range.least) / span : 0.0f;
            share = share > 1.0f ? 1.0f : share;
            share = share < 0.0f ? 0.0f : share;
            ploy_write_i64(writer, isnan(value) ? 0 : 1 + (int64_t)(share * 254.0f + 0.5f));
            ploy_write_char(writer, x + 1 < places->width ? ' ' : '\n');
        }
    }
    return ploy_writer_result(writer);
}

static const char *layer_kind_text(int32_t kind) {
    return kind == PLOY_TACTICS_NUMBERS ? "numbers" : "categories";
}

// Restores (2).
static void layer_canonical(void *object) {
    ploy_tactics_layer *layer = object;
    for (int32_t i = 0; layer->numbers != NULL && i < layer->places.count; i++) {
        if (isnan(layer->numbers[i])) layer->numbers[i] = NAN;
    }
}

void ploy_tactics_layer_visit(ploy_visit *v, void *object) {
    ploy_tactics_layer *layer = object;
    ploy_visit_object(v, "layer", layer, layer->size);
    ploy_visit_after(v, layer_canonical, layer);
    PLOY_VISIT_SCRATCH(v, layer->env);
    PLOY_VISIT_SCRATCH(v, layer->places);
    PLOY_VISIT_SCRATCH(v, layer->kind); // compared below
    PLOY_VISIT_SCRATCH(v, layer->size);
    PLOY_VISIT_SCRATCH(v, layer->numbers);
    PLOY_VISIT_SCRATCH(v, layer->bytes);
    ploy_value kind = ploy_value_i64(layer->kind), count = ploy_value_i64(layer->places.count);
    ploy_visit_same(v, "kind", PLOY_SAVED, &kind);
    ploy_visit_same(v, "places", PLOY_STATE, &count);
    if (v->describe != NULL) {
        ploy_tactics_range range = ploy_tactics_layer_range(layer);
        ploy_describe_text(v->describe, "kind", PLOY_STATE, layer_kind_text(layer->kind));
        ploy_describe_i64(v->describe, "known", PLOY_DERIVED, range.known);
        ploy_describe_f64(v->describe, "least", PLOY_DERIVED, (double)range.least);
        ploy_describe_f64(v->describe, "most", PLOY_DERIVED, (double)range.most);
    }
    size_t bytes = (size_t)layer->places.count * (layer->numbers != NULL ? sizeof(float) : 1);
    ploy_visit_bytes(v, "values", PLOY_STATE,
                     layer->numbers != NULL ? (void *)layer->numbers : (void *)layer->bytes, bytes);
}

void ploy_tactics_layer_describe(const ploy_tactics_layer *layer, ploy_describe *out) {
    if (layer == NULL || out == NULL) return;
    ploy_visit_describe(ploy_tactics_layer_visit, layer, NULL, out);
}

void ploy_tactics_layer_memory(const ploy_tactics_layer *layer, ploy_memory_fn fn, void *user) {
    if (layer == NULL) return;
    ploy_visit_memory(ploy_tactics_layer_visit, layer, fn, user);
}
