// A draw sink that keeps the number of items and the last point, and notices a point that is not finite.
#pragma once

#include "ploy/geom/draw.h"
#include "tests/test.h"

typedef struct draw_count {
    int32_t items;
    ploy_vec3 last; // point of the last item
    bool broken;    // a point is not finite
} draw_count;

static inline void draw_count_item(void *user, const ploy_draw_item *item) {
    draw_count *count = user;
    count->items++;
    for (int32_t i = 0; i < item->count; i++) {
        count->last = item->points[i];
        count->broken = count->broken || !ploy_vec3_is_finite(item->points[i]);
    }
}

// A sink for all layers that counts into `count`, which becomes zero.
static inline ploy_draw draw_count_sink(draw_count *count) {
    ploy_draw out = {draw_count_item, count, UINT32_MAX};
    *count = (draw_count){0, {0, 0, 0}, false};
    return out;
}

// Makes a call with `&drawing` as its sink: at least that many items, and only finite points.
#define CHECK_DRAWS(least, call)                        \
    do {                                                \
        draw_count drawn;                               \
        ploy_draw drawing = draw_count_sink(&drawn);    \
        call;                                           \
        CHECK(drawn.items >= (least) && !drawn.broken); \
    } while (0)
