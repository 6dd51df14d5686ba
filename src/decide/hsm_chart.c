// The picture of a statechart; described in the header.
//
// Sizes are found from the inside out and places from the outside in, both in one walk over the
// states, as their numbers follow the document.
#include "ploy/decide/hsm_chart.h"

#include "decide/decide_internal.h"

#include <math.h>
#include <string.h>

#include "hsm_internal.h"

static const float hsm_chart_gap = 1.3f;     // m between states and around them
static const float hsm_chart_way_gap = 3.0f; // m between states beside one another: an arrow's name
static const float hsm_chart_title = 0.9f;   // m for the name of a state that holds others
static const float hsm_chart_letter = 0.42f; // m for each letter of a name
static const float hsm_chart_high = 1.6f;    // m, an ordinary state

struct ploy_hsm_chart {
    ploy_env env;
    const ploy_hsm_type *type;
    size_t size;
    ploy_box2 boxes[]; // by number; the root's holds all
};

static float hsm_chart_label(const ploy_hsm_type *type, uint32_t number) {
    ploy_hsm_state state = {number};
    return hsm_chart_letter * (float)strlen(ploy_hsm_type_id(type, state)) + 0.8f;
}

// Lays the children of a state out in its box, which begins at 0, 0 and grows to the right and down;
// the box's max is its size then.
static void hsm_chart_lay(ploy_hsm_chart *chart, uint32_t number) {
    const ploy_hsm_type *type = chart->type;
    const ployi_hsm_node *node = ployi_hsm_node_at(type, number);
    ploy_box2 *box = &chart->boxes[number];
    if (node->last == number) {
        bool history = node->kind >= PLOY_HSM_HISTORY;
        float wide = history ? 1.2f : hsm_chart_label(type, number);
        box->max =
            ploy_vec2_make(history || wide > 3.0f ? wide : 3.0f, history ? 1.2f : hsm_chart_high);
        return;
    }
    int32_t count = 0;
    for (uint32_t i = number + 1; i <= node->last; i = ployi_hsm_node_at(type, i)->last + 1) {
        count++;
    }
    int32_t columns = node->kind == PLOY_HSM_PARALLEL ? count : (int32_t)ceil(sqrt((double)count));
    float x = hsm_chart_gap, y = hsm_chart_title + 0.5f * hsm_chart_gap, row = 0.0f, wide = 0.0f;
    int32_t column = 0;
    for (uint32_t i = number + 1; i <= node->last; i = ployi_hsm_node_at(type, i)->last + 1) {
        if (column == columns) {
            column = 0;
            x = hsm_chart_gap;
            y += row + hsm_chart_gap;
            row = 0.0f;
        }
        ploy_box2 *child = &chart->boxes[i];
        ploy_vec2 size = child->max;
        child->min = ploy_vec2_make(x, y);
        child->max = ploy_vec2_add(child->min, size);
        x += size.x + hsm_chart_gap;
        if (size.y > row) row = size.y;
        if (x > wide) wide = x;
        if (node->kind != PLOY_HSM_PARALLEL) x += hsm_chart_way_gap - hsm_chart_gap;
        column++;
    }
    float label = hsm_chart_label(type, number);
    box->max = ploy_vec2_make(wide > label ? wide : label, y + row + hsm_chart_gap);
}

ploy_result ploy_hsm_chart_create(const ploy_hsm_type *type, const ploy_env *env,
                                  ploy_hsm_chart **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (!type->build.finished) return PLOY_ERR_STATE;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_hsm_chart), type->nodes.count, sizeof(ploy_box2), &size)) {
        return PLOY_ERR_LIMIT;
    }
    ploy_hsm_chart *chart = ploy_env_alloc_zero(env, size);
    if (chart == NULL) return PLOY_ERR_MEMORY;
    chart->env = *env;
    chart->type = type;
    chart->size = size;
    for (uint32_t i = (uint32_t)type->nodes.count; i-- > 0;) hsm_chart_lay(chart, i);
    // Until here a box is relative to its parent's, from the top down.
    for (uint32_t i = 0; i < (uint32_t)type->nodes.count; i++) {
        ploy_box2 box = chart->boxes[i];
        ploy_vec2 corner = ploy_vec2_make(0.0f, 0.0f);
        if (i > 0) {
            ploy_box2 around = chart->boxes[ployi_hsm_node_at(type, i)->parent];
            corner = ploy_vec2_make(around.min.x, around.max.y);
        }
        chart->boxes[i].min = ploy_vec2_make(corner.x + box.min.x, corner.y - box.max.y);
        chart->boxes[i].max = ploy_vec2_make(corner.x + box.max.x, corner.y - box.min.y);
    }
    *out = chart;
    return PLOY_OK;
}

void ploy_hsm_chart_destroy(ploy_hsm_chart *chart) {
    if (chart == NULL) return;
    ploy_env env = chart->env;
    ploy_env_free(&env, chart, chart->size);
}

ploy_box2 ploy_hsm_chart_box(const ploy_hsm_chart *chart, ploy_hsm_state state) {
    if (state.number >= (uint32_t)chart->type->nodes.count) return ploy_box2_empty();
    return chart->boxes[state.number];
}

static bool hsm_chart_holds(ploy_box2 box, ploy_vec2 at) {
    return at.x >= box.min.x && at.x <= box.max.x && at.y >= box.min.y && at.y <= box.max.y;
}

ploy_hsm_state ploy_hsm_chart_at(const ploy_hsm_chart *chart, ploy_vec2 place) {
    ploy_hsm_state state = {0};
    // Inner states come later, so the last that holds the place is the innermost.
    for (uint32_t i = 1; i < (uint32_t)chart->type->nodes.count; i++) {
        if (hsm_chart_holds(chart->boxes[i], place)) state.number = i;
    }
    return state;
}

// ---- drawing

static ploy_box2 hsm_chart_moved(ploy_box2 box, ploy_vec2 offset) {
    box.min = ploy_vec2_add(box.min, offset);
    box.max = ploy_vec2_add(box.max, offset);
    return box;
}

static void hsm_chart_draw_box(ploy_draw *out, ploy_style style, ploy_agent_id owner, ploy_box2 box,
                               float alpha) {
    const ploy_vec2 corners[5] = {
        box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}, box.min};
    if (alpha > 0.0f) {
        ploy_draw_polygon(out, PLOY_LAYER_WORLD, style, owner, corners, 4, alpha);
    }
    ploy_draw_polyline(out, PLOY_LAYER_WORLD, style, owner, corners, 5);
}

static void hsm_chart_draw_state(const ploy_hsm_chart *chart, const ploy_hsm *hsm, uint32_t number,
                                 ploy_vec2 offset, ploy_agent_id owner, ploy_draw *out) {
    const ployi_hsm_node *node = ployi_hsm_node_at(chart->type, number);
    ploy_box2 box = hsm_chart_moved(chart->boxes[number], offset);
    ploy_hsm_state state = {number};
    bool lit = hsm != NULL && ployi_hsm_is_active(hsm, number);
    ploy_style style = lit ? PLOY_STYLE_GOOD : PLOY_STYLE_WALL;
    if (node->kind >= PLOY_HSM_HISTORY) {
        ploy_vec2 centre = ploy_box2_centre(box);
        ploy_draw_circle(out, PLOY_LAYER_WORLD, style, owner, centre, 0.6f);
        ploy_draw_text(out, owner, ploy_vec2_add(centre, ploy_vec2_make(-0.25f, -0.15f)),
                       node->kind == PLOY_HSM_DEEP_HISTORY ? "H*" : "H");
        return;
    }
    bool inner = node->last > number;
    hsm_chart_draw_box(out, style, owner, box, lit ? (inner ? 0.1f : 0.5f) : 0.0f);
    if (node->kind == PLOY_HSM_FINAL) {
        hsm_chart_draw_box(out, style, owner, ploy_box2_grow(box, -0.15f), 0.0f);
    }
    if (ployi_hsm_node_at(chart->type, node->parent)->kind == PLOY_HSM_PARALLEL) {
        ploy_box2 region = ploy_box2_grow(box, 0.12f); // a region has a ghost around it
        hsm_chart_draw_box(out, PLOY_STYLE_GHOST, owner, region, 0.0f);
    }
    ploy_vec2 at = ploy_vec2_make(box.min.x + 0.4f,
                                  inner ? box.max.y - 0.7f : ploy_box2_centre(box).y - 0.15f);
    ploy_draw_text(out, owner, at, ploy_hsm_type_id(chart->type, state));
}

// Where the line from the middle of a box to a place leaves the box.
static ploy_vec2 hsm_chart_border(ploy_box2 box, ploy_vec2 to) {
    ploy_vec2 centre = ploy_box2_centre(box);
    ploy_vec2 way = ploy_vec2_sub(to, centre);
    float half_x = 0.5f * (box.max.x - box.min.x), half_y = 0.5f * (box.max.y - box.min.y);
    float x = fabsf(way.x) > 1e-6f ? half_x / fabsf(way.x) : 1e9f;
    float y = fabsf(way.y) > 1e-6f ? half_y / fabsf(way.y) : 1e9f;
    float share = x < y ? x : y;
    return ploy_vec2_add_scaled(centre, way, share < 1.0f ? share : 1.0f);
}

// The course of an arrow. A state that holds the other one begins or ends at its left edge, at the
// other one's height.
static void hsm_chart_way(const ploy_hsm_chart *chart, uint32_t from, uint32_t to,
                          ploy_vec2 ends[2]) {
    const ploy_hsm_type *type = chart->type;
    ploy_box2 a = chart->boxes[from], b = chart->boxes[to];
    if (ployi_hsm_within(type, to, from)) {
        ends[0] = ploy_vec2_make(a.min.x, ploy_box2_centre(b).y);
        ends[1] = ploy_vec2_make(b.min.x, ploy_box2_centre(b).y);
        return;
    }
    if (ployi_hsm_within(type, from, to)) {
        ends[0] = ploy_vec2_make(a.min.x, ploy_box2_centre(a).y);
        ends[1] = ploy_vec2_make(b.min.x, ploy_box2_centre(a).y);
        return;
    }
    ploy_vec2 way = ploy_vec2_normalise(ploy_vec2_sub(ploy_box2_centre(b), ploy_box2_centre(a)));
    // There and back go side by side.
    ploy_vec2 side = ploy_vec2_scale(ploy_vec2_perp(way), 0.22f);
    ends[0] = ploy_vec2_add(hsm_chart_border(a, ploy_box2_centre(b)), side);
    ends[1] = ploy_vec2_add(hsm_chart_border(b, ploy_box2_centre(a)), side);
}

// A loop at the right edge of a state: a rule without a target, or to itself.
static void hsm_chart_draw_loop(const ploy_hsm_chart *chart, uint32_t number, ploy_vec2 offset,
                                ploy_style style, ploy_agent_id owner, ploy_draw *out) {
    ploy_box2 box = hsm_chart_moved(chart->boxes[number], offset);
    float y = ploy_box2_centre(box).y;
    const ploy_vec2 points[3] = {
        {box.max.x, y + 0.3f}, {box.max.x + 0.5f, y + 0.3f}, {box.max.x + 0.5f, y - 0.3f}};
    ploy_draw_polyline(out, PLOY_LAYER_PATHS, style, owner, points, 3);
    ploy_draw_arrow(out, PLOY_LAYER_PATHS, style, owner, points[2],
                    ploy_vec2_make(box.max.x, y - 0.3f));
}

// Where the name of an arrow is: beside its middle, on the side away from the opposite arrow.
static ploy_vec2 hsm_chart_name_place(const ploy_vec2 ends[2], const char *text) {
    ploy_vec2 way = ploy_vec2_normalise(ploy_vec2_sub(ends[1], ends[0]));
    ploy_vec2 at =
        ploy_vec2_add_scaled(ploy_vec2_lerp(ends[0], ends[1], 0.5f), ploy_vec2_perp(way), 0.45f);
    float wide = hsm_chart_letter * (float)strlen(text);
    // Upright arrows have it beside them, others in their middle.
    float share = 0.5f * (1.0f + way.y);
    if (share < 0.0f) share = 0.0f;
    return ploy_vec2_make(at.x - share * wide, at.y - 0.2f);
}

static void hsm_chart_draw_rule(const ploy_hsm_chart *chart, const ploy_hsm *hsm, int32_t rule,
                                ploy_vec2 offset, ploy_agent_id owner, ploy_draw *out) {
    const ploy_hsm_type *type = chart->type;
    const ployi_hsm_link *link = ployi_hsm_link_at(type, rule);
    const uint32_t *targets = ployi_hsm_targets(type, link->target_first);
    bool taken = hsm != NULL && ployi_hsm_has_taken(hsm, rule);
    ploy_style style = taken ? PLOY_STYLE_TARGET : PLOY_STYLE_GHOST;
    const ploy_name *ons = PLOY_ARRAY_ITEMS(&type->ons, ploy_name);
    const char *text =
        link->on_count > 0 ? ployi_build_text(&type->build, ons[link->on_first]) : "";
    ploy_vec2 label = ploy_box2_centre(chart->boxes[link->from]);
    for (int32_t i = 0; i < link->target_count; i++) {
        if (targets[i] == link->from) {
            hsm_chart_draw_loop(chart, link->from, offset, style, owner, out);
            continue;
        }
        ploy_vec2 ends[2];
        hsm_chart_way(chart, link->from, targets[i], ends);
        if (i == 0) label = hsm_chart_name_place(ends, text);
        ploy_draw_arrow(out, PLOY_LAYER_PATHS, style, owner, ploy_vec2_add(ends[0], offset),
                        ploy_vec2_add(ends[1], offset));
    }
    if (link->target_count == 0) {
        hsm_chart_draw_loop(chart, link->from, offset, style, owner, out);
    }
    bool loop = link->target_count == 0 || targets[0] == link->from;
    if (loop) label = ploy_vec2_make(chart->boxes[link->from].max.x + 0.2f, label.y + 0.5f);
    if (text[0] != '\0') ploy_draw_text(out, owner, ploy_vec2_add(label, offset), text);
}

void ploy_hsm_chart_draw(const ploy_hsm_chart *chart, const ploy_hsm *hsm, ploy_vec2 offset,
                         ploy_agent_id owner, ploy_draw *out) {
    if (chart == NULL || out == NULL) return;
    const ploy_hsm_type *type = chart->type;
    if (hsm != NULL && hsm->type != type) hsm = NULL; // swapped meanwhile
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
        hsm_chart_draw_state(chart, hsm, i, offset, owner, out);
    }
    for (uint32_t i = 0; i < (uint32_t)type->nodes.count; i++) {
        // A dot leads to what is entered first, where that is said or follows.
        const ployi_hsm_node *node = ployi_hsm_node_at(type, i);
        for (int32_t k = 0; k < node->initial_count; k++) {
            ploy_box2 box = chart->boxes[ployi_hsm_targets(type, node->initial_first)[k]];
            ploy_vec2 tip = ploy_vec2_add(ploy_vec2_make(box.min.x + 0.3f, box.max.y), offset);
            ploy_vec2 dot = ploy_vec2_add(tip, ploy_vec2_make(-0.35f, 0.4f));
            ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, owner, dot, 0.12f, 1.0f);
            ploy_draw_arrow(out, PLOY_LAYER_PATHS, PLOY_STYLE_WALL, owner, dot, tip);
        }
    }
    for (int32_t lit = 0; lit < 2; lit++) { // those taken last, on top
        for (int32_t i = 0; i < type->links.count; i++) {
            bool taken = hsm != NULL && ployi_hsm_has_taken(hsm, i);
            if (taken == (lit == 1)) hsm_chart_draw_rule(chart, hsm, i, offset, owner, out);
        }
    }
}
