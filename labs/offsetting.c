// The lab of areas: two outlines whose corners can be moved, added and removed by clicking; grown
// or shrunk with any join, combined by any boolean operation, or looked past from a point.
//
// The outlines are fixed arrays in offsetting_lab; what is made of them lies in rings of the same
// region and is made again in each step. The arena's memory is scratch, yet in the region too, so
// that everything rewinds to the same bytes.
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"
#include "ploy/geom/boolean.h"
#include "ploy/geom/offset.h"
#include "ploy/geom/visibility.h"

enum { OFFSETTING_CORNERS_MAX = 48 };

static const float offsetting_reach = 1000.0f; // m, as far as a click may be from the middle

typedef enum offsetting_mode {
    OFFSETTING_MODE_OFFSET,
    OFFSETTING_MODE_BOOLEAN,
    OFFSETTING_MODE_VISIBILITY
} offsetting_mode;

typedef enum offsetting_click {
    OFFSETTING_CLICK_MOVE,
    OFFSETTING_CLICK_ADD,
    OFFSETTING_CLICK_REMOVE,
    OFFSETTING_CLICK_LOOK
} offsetting_click;

static const char *const offsetting_modes[] = {"offset", "boolean", "visibility"};
static const char *const offsetting_clicks[] = {"move", "add", "remove", "look"};
static const char *const offsetting_shapes[] = {"first", "second"};
static const char *const offsetting_joins[] = {"miter", "bevel", "round"};
static const char *const offsetting_operations[] = {"union", "intersection", "difference", "xor"};
static const char *const offsetting_fills[] = {"even_odd", "non_zero"};

typedef struct offsetting_lab_def {
    uint32_t cookie;
    offsetting_mode mode;
    offsetting_click click;
    int32_t shape;
    float distance;
    ploy_join join;
    float miter_limit;
    float tolerance;
    ploy_boolean operation;
    ploy_fill fill;
    float radius;
    float angle;
    float turn;
} offsetting_lab_def;

static const ploy_field offsetting_lab_fields[] = {
    PLOY_FIELD_ENUM(offsetting_lab_def, mode, OFFSETTING_MODE_OFFSET, offsetting_modes,
                    "what is made of the two outlines"),
    PLOY_FIELD_ENUM(offsetting_lab_def, click, OFFSETTING_CLICK_MOVE, offsetting_clicks,
                    "what a click does: moves the nearest corner there, adds one to the nearest "
                    "edge, removes the nearest, looks from there"),
    PLOY_FIELD_ENUM(offsetting_lab_def, shape, 0, offsetting_shapes,
                    "which outline gets a corner that is added"),
    PLOY_FIELD_F32(offsetting_lab_def, distance, 1, -10, 10, "m", "grown by; below 0 shrunk"),
    PLOY_FIELD_ENUM(offsetting_lab_def, join, PLOY_JOIN_ROUND, offsetting_joins,
                    "how corners are filled"),
    PLOY_FIELD_F32(offsetting_lab_def, miter_limit, 2, 1, 20, "", "longest miter, in distances"),
    PLOY_FIELD_F32(offsetting_lab_def, tolerance, 0.02, 0.001, 1, "m", "how far arcs may be off"),
    PLOY_FIELD_ENUM(offsetting_lab_def, operation, PLOY_BOOLEAN_DIFFERENCE, offsetting_operations,
                    "how the areas are combined"),
    PLOY_FIELD_ENUM(offsetting_lab_def, fill, PLOY_FILL_NON_ZERO, offsetting_fills,
                    "which points an outline that crosses itself holds"),
    PLOY_FIELD_F32(offsetting_lab_def, radius, 14, 0.1, 100, "m", "how far one sees"),
    PLOY_FIELD_F32(offsetting_lab_def, angle, 6.2831854820251465, 0, 6.2831854820251465, "rad",
                   "opening of the view"),
    PLOY_FIELD_F32(offsetting_lab_def, turn, 0.5, -10, 10, "rad/s", "how fast the view turns"),
};

static ploy_fields offsetting_lab_get_fields(void) {
    return PLOY_FIELDS(offsetting_lab_def, offsetting_lab_fields);
}

typedef struct offsetting_shape {
    int32_t count;
    ploy_vec2 corners[OFFSETTING_CORNERS_MAX];
} offsetting_shape;

typedef struct offsetting_lab {
    offsetting_lab_def def; // as of the last step: drawing needs it
    offsetting_shape shapes[2];
    ploy_vec2 eye;
    float orientation; // rad, of the view
    ploy_rings *areas[2];
    ploy_rings *made; // the result of the mode
    ploy_arena *scratch;
} offsetting_lab;

// Two rings with dents that overlap, others for every seed.
static void offsetting_scatter(offsetting_lab *lab, ploy_rng_key key, uint64_t tick) {
    static const ploy_vec2 centres[2] = {{-3.0f, 0.0f}, {4.0f, 1.0f}};
    for (int32_t s = 0; s < 2; s++) {
        offsetting_shape *shape = &lab->shapes[s];
        shape->count = 10;
        for (int32_t i = 0; i < shape->count; i++) {
            float sine, cosine;
            ploy_sincosf(PLOY_TWO_PI_F * (float)i / (float)shape->count, &sine, &cosine);
            float radius = ploy_rng_range_at(key, (uint32_t)i, tick, (uint32_t)s, 2.5f, 7.5f);
            shape->corners[i] =
                ploy_vec2_make(centres[s].x + radius * cosine, centres[s].y + radius * sine);
        }
    }
    lab->eye = ploy_vec2_make(0.0f, -8.0f);
}

static ploy_vec2 offsetting_clamp(ploy_vec2 at) {
    return ploy_vec2_make(ploy_clampf(at.x, -offsetting_reach, offsetting_reach),
                          ploy_clampf(at.y, -offsetting_reach, offsetting_reach));
}

// The corner nearest to a place, of both outlines; false if there is none.
static bool offsetting_nearest(const offsetting_lab *lab, ploy_vec2 at, int32_t *shape,
                               int32_t *corner) {
    float best = INFINITY;
    for (int32_t s = 0; s < 2; s++) {
        for (int32_t i = 0; i < lab->shapes[s].count; i++) {
            float gap = ploy_vec2_distance_sq(lab->shapes[s].corners[i], at);
            if (!(gap < best)) continue;
            best = gap;
            *shape = s;
            *corner = i;
        }
    }
    return best < INFINITY;
}

// Puts a corner between the ends of the nearest edge.
static void offsetting_add(offsetting_shape *shape, ploy_vec2 at) {
    if (shape->count == OFFSETTING_CORNERS_MAX) return;
    ploy_polygon polygon = ploy_polygon_make(shape->corners, shape->count);
    int32_t place = shape->count;
    float best = INFINITY;
    for (int32_t i = 0; i < shape->count; i++) {
        float gap = ploy_segment2_distance_sq(ploy_polygon_edge(polygon, i), at);
        if (!(gap < best)) continue;
        best = gap;
        place = i + 1;
    }
    memmove(&shape->corners[place + 1], &shape->corners[place],
            (size_t)(shape->count - place) * sizeof shape->corners[0]);
    shape->corners[place] = at;
    shape->count++;
}

static void offsetting_clicked(offsetting_lab *lab, ploy_vec2 at) {
    int32_t shape = 0, corner = 0;
    at = offsetting_clamp(at);
    if (lab->def.click == OFFSETTING_CLICK_LOOK) {
        lab->eye = at;
    } else if (lab->def.click == OFFSETTING_CLICK_ADD) {
        offsetting_add(&lab->shapes[lab->def.shape], at);
    } else if (offsetting_nearest(lab, at, &shape, &corner)) {
        offsetting_shape *own = &lab->shapes[shape];
        if (lab->def.click == OFFSETTING_CLICK_MOVE) {
            own->corners[corner] = at;
            return;
        }
        own->count--;
        memmove(&own->corners[corner], &own->corners[corner + 1],
                (size_t)(own->count - corner) * sizeof own->corners[0]);
    }
}

// Makes the mode's result from the outlines as they are. Fewer than three corners are no area.
static ploy_result offsetting_make(offsetting_lab *lab) {
    ploy_result result = PLOY_OK;
    for (int32_t s = 0; s < 2 && result == PLOY_OK; s++) {
        ploy_rings_clear(lab->areas[s]);
        if (lab->shapes[s].count < 3) continue;
        result = ploy_rings_add(lab->areas[s], lab->shapes[s].corners, lab->shapes[s].count);
    }
    ploy_boolean operation =
        lab->def.mode == OFFSETTING_MODE_BOOLEAN ? lab->def.operation : PLOY_BOOLEAN_UNION;
    if (result == PLOY_OK) {
        result = ploy_rings_boolean(lab->areas[0], lab->areas[1], operation, lab->def.fill,
                                    lab->scratch, lab->made);
    }
    if (result == PLOY_OK && lab->def.mode == OFFSETTING_MODE_OFFSET) {
        ploy_offset_style style = ploy_offset_style_default();
        style.join = lab->def.join;
        style.miter_limit = lab->def.miter_limit;
        style.tolerance = lab->def.tolerance;
        result = ploy_rings_offset(lab->made, PLOY_FILL_NON_ZERO, lab->def.distance, &style,
                                   lab->scratch, lab->made);
    } else if (result == PLOY_OK && lab->def.mode == OFFSETTING_MODE_VISIBILITY) {
        ploy_visibility_def def = ploy_visibility_def_default();
        def.radius = lab->def.radius;
        def.angle = lab->def.angle;
        def.orientation = lab->orientation;
        def.tolerance = lab->def.tolerance;
        result = ploy_visibility_find_rings(&def, lab->eye, lab->made, PLOY_SOLID_INSIDE,
                                            lab->scratch, lab->made);
    }
    ploy_arena_reset(lab->scratch);
    return result;
}

static ploy_result offsetting_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                         void **out) {
    offsetting_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    offsetting_scatter(lab, key, 0);
    ploy_rings **rings[] = {&lab->areas[0], &lab->areas[1], &lab->made};
    ploy_result result = PLOY_OK;
    for (size_t i = 0; i < sizeof rings / sizeof rings[0] && result == PLOY_OK; i++) {
        result = ploy_rings_create(env, rings[i]);
        if (result == PLOY_OK) result = ploy_rings_reserve(*rings[i], 64, 2048);
    }
    // What is left on failure goes with the region.
    if (result == PLOY_OK) result = ploy_arena_create(1 << 20, 0, env, &lab->scratch);
    if (result == PLOY_OK) result = offsetting_make(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_result offsetting_lab_step(void *state, const ploy_sim_context *context) {
    offsetting_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_input_is(input, "click")) {
            offsetting_clicked(lab, lab_input_point(input));
        } else if (lab_input_is(input, "scatter")) {
            offsetting_scatter(lab, context->key, context->tick + 1); // tick 0 drew the start
        }
    }
    lab->orientation = ploy_angle_wrap(lab->orientation + lab->def.turn * context->dt);
    return offsetting_make(lab);
}

// ---- sight ----

static void offsetting_lab_draw(const void *state, ploy_draw *out) {
    const offsetting_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "first shape");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "second shape");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "observer");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "area of the result");
    ploy_draw_key(out, PLOY_STYLE_PATH, "outline of the result");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "what it sees");
    ploy_agent_id nobody = ploy_agent_id_none(), eye = ploy_agent_id_make(1, 1);
    static const ploy_style styles[2] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B};
    bool looking = lab->def.mode == OFFSETTING_MODE_VISIBILITY;
    for (int32_t s = 0; s < 2; s++) {
        const offsetting_shape *shape = &lab->shapes[s];
        ploy_draw_polygon(out, PLOY_LAYER_WORLD, looking ? PLOY_STYLE_WALL : styles[s], nobody,
                          shape->corners, shape->count, looking ? 0.6f : 0.15f);
        for (int32_t i = 0; i < shape->count; i++) {
            ploy_draw_disc(out, PLOY_LAYER_LABELS, styles[s], nobody, shape->corners[i], 0.2f,
                           1.0f);
        }
    }
    if (looking) {
        ploy_visibility_draw(lab->made, lab->eye, eye, out);
        ploy_draw_agent(out, PLOY_STYLE_AGENT_C, eye, lab->eye, lab->orientation, 0.4f);
        return;
    }
    bool fills = lab->def.mode == OFFSETTING_MODE_BOOLEAN || lab->def.distance < 0.0f;
    for (int32_t i = 0; i < ploy_rings_count(lab->made) && fills; i++) {
        ploy_polygon ring = ploy_rings_get(lab->made, i);
        if (ploy_rings_is_hole(lab->made, i)) continue;
        ploy_draw_polygon(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GOOD, nobody, ring.points, ring.count,
                          0.35f);
    }
    ploy_rings_draw(lab->made, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, out);
}

static void offsetting_lab_describe(const void *state, ploy_describe *out) {
    const offsetting_lab *lab = state;
    for (int32_t s = 0; s < 2; s++) {
        ploy_describe_begin(out, offsetting_shapes[s]);
        ploy_describe_i64(out, "corners", PLOY_STATE, lab->shapes[s].count);
        for (int32_t i = 0; i < lab->shapes[s].count; i++) {
            ploy_vec2 at = lab->shapes[s].corners[i];
            ploy_describe_begin_item(out, i);
            ploy_describe_vec2(out, "at", PLOY_STATE, at.x, at.y);
            ploy_describe_end(out);
        }
        ploy_describe_end(out);
    }
    ploy_describe_begin(out, "made");
    ploy_describe_text(out, "mode", PLOY_DERIVED, offsetting_modes[lab->def.mode]);
    ploy_rings_describe(lab->made, out);
    ploy_describe_end(out);
    ploy_describe_begin_agent(out, "eye", ploy_agent_id_make(1, 1));
    ploy_describe_vec2(out, "at", PLOY_STATE, lab->eye.x, lab->eye.y);
    ploy_describe_f32(out, "orientation", PLOY_STATE, lab->orientation);
    ploy_describe_end(out);
}

static const ploy_command offsetting_lab_commands[] = {
    {"click", "move, add or remove a corner, or look from there, as the parameter says",
     PLOY_VALUE_VEC2, false, "Pointer"},
    {"scatter", "begin with other outlines", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_offsetting; // in labs.c
const ploy_sim_type ploy_lab_offsetting = {
    .name = "offsetting",
    .title = "Offsetting",
    .help = "Click to move the nearest corner, or, as the parameter says, to add one, to remove "
            "one, or to look from there. The mode says what is made of the two outlines: grown or "
            "shrunk, combined, or looked past.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-20.0f, -12.0f, 20.0f, 12.0f},
    .fields = offsetting_lab_get_fields,
    .commands = offsetting_lab_commands,
    .command_count = sizeof offsetting_lab_commands / sizeof offsetting_lab_commands[0],
    .create = offsetting_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = offsetting_lab_step,
    .draw = offsetting_lab_draw,
    .describe = offsetting_lab_describe,
};
