// Pictures within a picture: what is drawn goes into a cell of the view, scaled to fit. For labs that show several
// results side by side.
#pragma once

#include <string.h>

#include "ploy/geom/box.h"
#include "ploy/geom/draw.h"

enum { LAB_FIT_POINTS = 512 };

typedef struct lab_fit {
    ploy_draw *out;
    ploy_vec2 from, to; // a corner of what is drawn, and where it goes
    float scale;
} lab_fit;

// The largest picture of `content` within `cell`, in its middle.
static inline lab_fit lab_fit_make(ploy_box2 content, ploy_box2 cell, ploy_draw *out) {
    float wide = content.max.x - content.min.x, high = content.max.y - content.min.y;
    float scale_x = (cell.max.x - cell.min.x) / (wide > 1e-3f ? wide : 1e-3f);
    float scale_y = (cell.max.y - cell.min.y) / (high > 1e-3f ? high : 1e-3f);
    lab_fit fit = {out, content.min, cell.min, scale_x < scale_y ? scale_x : scale_y};
    fit.to.x += 0.5f * (cell.max.x - cell.min.x - wide * fit.scale);
    fit.to.y += 0.5f * (cell.max.y - cell.min.y - high * fit.scale);
    return fit;
}

static inline ploy_vec2 lab_fit_in(const lab_fit *fit, ploy_vec2 at) {
    return ploy_vec2_add(fit->to, ploy_vec2_scale(ploy_vec2_sub(at, fit->from), fit->scale));
}

// The point of the content that is shown at `at`.
static inline ploy_vec2 lab_fit_back(const lab_fit *fit, ploy_vec2 at) {
    return ploy_vec2_add(fit->from, ploy_vec2_scale(ploy_vec2_sub(at, fit->to), 1.0f / fit->scale));
}

// Texts are left out: they have the same size in every picture and would cover small ones. A polygon with too many
// corners becomes its outline.
static inline void lab_fit_item(void *user, const ploy_draw_item *item) {
    const lab_fit *fit = (const lab_fit *)user;
    ploy_vec3 points[LAB_FIT_POINTS];
    if (item->shape == PLOY_SHAPE_KEY) ploy_draw_key(fit->out, item->style, item->text);
    if (item->shape >= PLOY_SHAPE_TEXT || item->count < 1) return;
    ploy_draw_item scaled = *item;
    scaled.radius *= fit->scale;
    scaled.points = points;
    if (item->count > LAB_FIT_POINTS) scaled.shape = PLOY_SHAPE_LINE;
    for (int32_t first = 0; first < item->count; first += LAB_FIT_POINTS - 1) {
        int32_t count = item->count - first < LAB_FIT_POINTS ? item->count - first : LAB_FIT_POINTS;
        if (first > 0 && count < 2) break; // pieces share an end, and this one is the last end
        for (int32_t i = 0; i < count; i++) {
            ploy_vec3 at = item->points[first + i];
            ploy_vec2 flat = lab_fit_in(fit, ploy_vec2_make(at.x, at.y));
            points[i] = ploy_vec3_make(flat.x, flat.y, at.z * fit->scale);
        }
        scaled.count = count;
        ploy_draw_item_out(fit->out, &scaled);
    }
}

static inline ploy_draw lab_fit_draw(lab_fit *fit) {
    ploy_draw draw = {lab_fit_item, fit, fit->out->layers};
    return draw;
}

// What a picture covers.
static inline void lab_fit_measure(void *user, const ploy_draw_item *item) {
    ploy_box2 *box = (ploy_box2 *)user;
    if (item->shape >= PLOY_SHAPE_TEXT) return;
    for (int32_t i = 0; i < item->count; i++) {
        ploy_vec2 at = ploy_vec2_make(item->points[i].x, item->points[i].y);
        float r = item->radius;
        ploy_box2 one =
            ploy_box2_make(ploy_vec2_make(at.x - r, at.y - r), ploy_vec2_make(at.x + r, at.y + r));
        *box = ploy_box2_merge(*box, one);
    }
}
