// Pictures: the draw sink as bytes, laid out as docs/inspector-protocol.md says.
//
// Every number is written byte by byte, so the layout is the same on every machine; everything is a
// multiple of 4 bytes, so that a page can lay a Float32Array over it.
#include "inspect/inspector_internal.h"

#include <string.h>

#define PICTURE_HEAD 32
#define PICTURE_ITEM_HEAD 16

typedef struct picture_sink {
    ploy_buffer *out;
    size_t limit; // bytes of the whole picture
    uint32_t layers;
    uint32_t items;
    uint32_t left_out;
    bool failed;
} picture_sink;

static void picture_put_u32(char *at, uint32_t value) {
    for (int32_t i = 0; i < 4; i++) at[i] = (char)(unsigned char)(value >> (8 * i));
}

static void picture_put_f32(char *at, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    picture_put_u32(at, bits);
}

static char *picture_put_vec(char *at, ploy_vec3 v) {
    picture_put_f32(at, v.x);
    picture_put_f32(at + 4, v.y);
    picture_put_f32(at + 8, v.z);
    return at + 12;
}

static bool picture_finite(float value) {
    return value - value == 0.0f; // false for NaN and infinities
}

// Points that a shape has at least; all of them are looked at.
static int32_t picture_points(const ploy_draw_item *item) {
    switch (item->shape) {
    case PLOY_SHAPE_LINE:
    case PLOY_SHAPE_POLYGON: return item->count;
    case PLOY_SHAPE_ARROW: return 2;
    default: return 1;
    }
}

// Length of a map's texts: name, unit and categories, separated by tabs.
static size_t picture_map_text(const ploy_draw_map *map, char *at) {
    size_t size = 0;
    for (int32_t i = -2; i < map->category_count && (i < 0 || map->categories != NULL); i++) {
        const char *text = i == -2 ? map->name : i == -1 ? map->unit : map->categories[i];
        size_t length = text == NULL ? 0 : strlen(text);
        if (i > -2) {
            if (at != NULL) at[size] = '\t';
            size++;
        }
        if (at != NULL && length > 0) memcpy(at + size, text, length);
        size += length;
    }
    return size;
}

static size_t picture_map_size(const ploy_draw_map *map, size_t *text_size) {
    if (map == NULL || map->value == NULL || map->columns < 1 || map->rows < 1) return 0;
    if (!picture_finite(map->size) || map->size <= 0.0f) return 0;
    *text_size = picture_map_text(map, NULL);
    size_t row = 0, size = 0;
    if (!ploy_size_add_array(0, map->columns, 4, &row)) return SIZE_MAX;
    if (!ploy_size_add_array(32 + (*text_size + 3) / 4 * 4, map->rows, row, &size)) return SIZE_MAX;
    return size;
}

static void picture_put_map(char *at, const ploy_draw_item *item, size_t text_size) {
    const ploy_draw_map *map = item->map;
    at = picture_put_vec(at, item->points[0]);
    picture_put_f32(at, map->size);
    picture_put_u32(at + 4, (uint32_t)map->columns);
    picture_put_u32(at + 8, (uint32_t)map->rows);
    picture_put_u32(at + 12, map->categories != NULL ? (uint32_t)map->category_count : 0u);
    picture_put_u32(at + 16, (uint32_t)text_size);
    at += 20;
    size_t padded = (text_size + 3) / 4 * 4;
    memset(at, 0, padded);
    (void)picture_map_text(map, at);
    at += padded;
    for (int32_t cell = 0; cell < map->columns * map->rows; cell++, at += 4) {
        picture_put_f32(at, map->value(map->user, cell));
    }
}

// Bytes behind the item's head, or 0 if it cannot be shown. SIZE_MAX if it is too large by itself.
static size_t picture_size(const ploy_draw_item *item, size_t *text_size) {
    *text_size = 0;
    if ((uint32_t)item->shape >= PLOY_SHAPE_COUNT || (uint32_t)item->layer >= PLOY_LAYER_COUNT ||
        (uint32_t)item->style >= PLOY_STYLE_COUNT) {
        return 0;
    }
    int32_t points = picture_points(item);
    if (points < 1 || item->count < points || item->points == NULL) return 0;
    for (int32_t i = 0; i < points; i++) {
        const ploy_vec3 *p = &item->points[i];
        if (!picture_finite(p->x) || !picture_finite(p->y) || !picture_finite(p->z)) return 0;
    }
    switch (item->shape) {
    case PLOY_SHAPE_POINT: return 12;
    case PLOY_SHAPE_LINE:
    case PLOY_SHAPE_POLYGON: {
        size_t size = 0;
        return ploy_size_add_array(4, points, 12, &size) ? size : SIZE_MAX;
    }
    case PLOY_SHAPE_CIRCLE:
    case PLOY_SHAPE_DISC: return picture_finite(item->radius) ? 16 : 0;
    case PLOY_SHAPE_ARROW: return 24;
    case PLOY_SHAPE_AGENT:
        return picture_finite(item->radius) && picture_finite(item->angle) ? 20 : 0;
    case PLOY_SHAPE_TEXT:
    case PLOY_SHAPE_TABLE:
    case PLOY_SHAPE_KEY:
        if (item->text == NULL) return 0;
        *text_size = strlen(item->text);
        return 16 + (*text_size + 3) / 4 * 4;
    case PLOY_SHAPE_MAP: return picture_map_size(item->map, text_size);
    default: return 0;
    }
}

static void picture_put_shape(char *at, const ploy_draw_item *item, size_t text_size) {
    switch (item->shape) {
    case PLOY_SHAPE_POINT: picture_put_vec(at, item->points[0]); break;
    case PLOY_SHAPE_LINE:
    case PLOY_SHAPE_POLYGON:
        picture_put_u32(at, (uint32_t)item->count);
        at += 4;
        for (int32_t i = 0; i < item->count; i++) at = picture_put_vec(at, item->points[i]);
        break;
    case PLOY_SHAPE_CIRCLE:
    case PLOY_SHAPE_DISC:
        at = picture_put_vec(at, item->points[0]);
        picture_put_f32(at, item->radius);
        break;
    case PLOY_SHAPE_ARROW:
        at = picture_put_vec(at, item->points[0]);
        picture_put_vec(at, item->points[1]);
        break;
    case PLOY_SHAPE_AGENT:
        at = picture_put_vec(at, item->points[0]);
        picture_put_f32(at, item->radius);
        picture_put_f32(at + 4, item->angle);
        break;
    case PLOY_SHAPE_TEXT:
    case PLOY_SHAPE_TABLE:
    case PLOY_SHAPE_KEY:
        at = picture_put_vec(at, item->points[0]);
        picture_put_u32(at, (uint32_t)text_size);
        memset(at + 4, 0, (text_size + 3) / 4 * 4);
        memcpy(at + 4, item->text, text_size);
        break;
    case PLOY_SHAPE_MAP: picture_put_map(at, item, text_size); break;
    default: break;
    }
}

static void picture_item(void *user, const ploy_draw_item *item) {
    picture_sink *sink = user;
    bool placed = item->shape != PLOY_SHAPE_KEY; // keys belong to no layer
    if (placed && (uint32_t)item->layer < PLOY_LAYER_COUNT &&
        (sink->layers >> item->layer & 1u) == 0)
        return;
    size_t text_size = 0;
    size_t body = picture_size(item, &text_size);
    size_t left = sink->limit - sink->out->size;
    if (body == 0 || sink->failed || body > left || body + PICTURE_ITEM_HEAD > left) {
        sink->left_out++;
        return;
    }
    size_t size = body + PICTURE_ITEM_HEAD;
    if (ploy_buffer_reserve(sink->out, size) != PLOY_OK) {
        sink->failed = true; // no memory: the picture is not sent at all
        return;
    }
    char *at = sink->out->bytes + sink->out->size;
    float alpha = item->alpha >= 0.0f && item->alpha <= 1.0f ? item->alpha : 1.0f;
    at[0] = (char)item->shape;
    at[1] = (char)item->layer;
    at[2] = (char)item->style;
    at[3] = (char)(unsigned char)(alpha * 255.0f + 0.5f);
    picture_put_u32(at + 4, item->owner.index);
    picture_put_u32(at + 8, item->owner.generation);
    picture_put_u32(at + 12, (uint32_t)size);
    picture_put_shape(at + PICTURE_ITEM_HEAD, item, text_size);
    sink->out->size += size;
    sink->out->bytes[sink->out->size] = 0; // as every buffer of bytes ends
    sink->items++;
}

ploy_result ployi_inspect_picture(const ploy_inspector *inspector,
                                  const ployi_inspect_session *session, ployi_inspect_watch *watch,
                                  ploy_buffer *out) {
    ploy_buffer_clear(out);
    char head[PICTURE_HEAD] = {0};
    ploy_result result = ploy_buffer_append(out, head, sizeof head);
    if (result != PLOY_OK) return result;
    picture_sink sink = {out,  (size_t)inspector->def.max_picture_kib * 1024, watch->layers, 0, 0,
                         false};
    ploy_draw draw = {picture_item, &sink,
                      watch->layers | (watch->space ? PLOY_DRAW_SPACE : 0u) |
                          (watch->maps ? PLOY_DRAW_MAPS : 0u)};
    uint64_t tick = ployi_inspect_session_tick(session);
    if (!session->live) {
        ploy_sim_draw(ploy_recorder_sim(session->recorder), &draw);
    } else if (session->source.draw != NULL) {
        session->source.draw(session->source.user, &draw);
    }
    if (sink.failed) return PLOY_ERR_MEMORY;
    watch->pictures++;
    char *at = out->bytes;
    at[0] = 1;
    at[1] = PLOY_INSPECTOR_PROTOCOL;
    at[2] = PICTURE_HEAD;
    picture_put_u32(at + 4, session->number);
    picture_put_u32(at + 8, (uint32_t)tick);
    picture_put_u32(at + 12, (uint32_t)(tick >> 32));
    picture_put_u32(at + 16, sink.items);
    picture_put_u32(at + 20, (uint32_t)out->size);
    picture_put_u32(at + 24, watch->pictures);
    picture_put_u32(at + 28, sink.left_out);
    return PLOY_OK;
}

#undef PICTURE_HEAD
#undef PICTURE_ITEM_HEAD
