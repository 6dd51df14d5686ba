// The lab of splines: control points that can be moved, added and removed by clicking, the curve
// through or along them in any kind, its curvature as a comb, a runner at an even pace, and the
// nearest point to a place.
//
// All state is in the one block splines_lab; the table of lengths is made again in each step.
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/geom/spline.h"

enum { SPLINES_POINTS_MAX = 64, SPLINES_TABLE = SPLINES_POINTS_MAX * PLOY_SPLINE_CELLS + 1 };

static const float splines_reach = 1000.0f; // m, as far as a click may be from the middle

static const char *const splines_kinds[] = {"uniform", "centripetal", "chordal", "bezier",
                                            "hermite"};

typedef enum splines_click {
    SPLINES_CLICK_MOVE,
    SPLINES_CLICK_ADD,
    SPLINES_CLICK_REMOVE,
    SPLINES_CLICK_ASK
} splines_click;

static const char *const splines_clicks[] = {"move", "add", "remove", "ask"};

typedef struct splines_lab_def {
    uint32_t cookie;
    ploy_spline_kind kind;
    bool closed;
    splines_click click;
    float speed;
    float comb;
    float tolerance;
    float window;
} splines_lab_def;

static const ploy_field splines_lab_fields[] = {
    PLOY_FIELD_ENUM(splines_lab_def, kind, PLOY_SPLINE_CENTRIPETAL, splines_kinds,
                    "how the points are joined"),
    PLOY_FIELD_BOOL(splines_lab_def, closed, true, "the end leads to the start"),
    PLOY_FIELD_ENUM(splines_lab_def, click, SPLINES_CLICK_MOVE, splines_clicks,
                    "what a click does: moves the nearest point there, adds one, removes the "
                    "nearest, asks for the nearest place"),
    PLOY_FIELD_F32(splines_lab_def, speed, 4, 0, 100, "m/s", "of the runner"),
    PLOY_FIELD_F32(splines_lab_def, comb, 4, 0, 100, "m^2",
                   "length of the comb's teeth for a curvature of 1/m"),
    PLOY_FIELD_F32(splines_lab_def, tolerance, 0.02, 0.001, 1, "m",
                   "how far the drawn line may stray"),
    PLOY_FIELD_F32(splines_lab_def, window, 5, 0, 1000, "m",
                   "how far from the runner its own nearest place is looked for"),
};

static ploy_fields splines_lab_get_fields(void) {
    return PLOY_FIELDS(splines_lab_def, splines_lab_fields);
}

typedef struct splines_lab {
    splines_lab_def def; // as of the last step: drawing needs it
    int32_t count;
    ploy_vec2 points[SPLINES_POINTS_MAX];
    ploy_vec2 asked;
    float along; // m, of the runner
    float table[SPLINES_TABLE];
} splines_lab;

static ploy_spline2 splines_view(const splines_lab *lab) {
    ploy_spline2 spline =
        ploy_spline2_make(lab->points, lab->count, lab->def.kind, lab->def.closed);
    spline.along = lab->table;
    return spline;
}

static void splines_remeasure(splines_lab *lab) {
    ploy_spline2 spline = splines_view(lab);
    spline.along = NULL;
    ploy_spline2_measure(&spline, lab->table);
}

// A ring with a few dents, another for every seed.
static void splines_scatter(splines_lab *lab, ploy_rng_key key, uint64_t tick) {
    lab->count = 12;
    for (int32_t i = 0; i < lab->count; i++) {
        float sine, cosine;
        ploy_sincosf(PLOY_TWO_PI_F * (float)i / (float)lab->count, &sine, &cosine);
        float radius = ploy_rng_range_at(key, (uint32_t)i, tick, 0, 5.0f, 10.0f);
        lab->points[i] = ploy_vec2_make(1.5f * radius * cosine, radius * sine);
    }
    lab->asked = ploy_vec2_zero();
    lab->along = 0.0f;
}

static ploy_result splines_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                      void **out) {
    splines_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    splines_scatter(lab, key, 0);
    splines_remeasure(lab);
    *out = lab;
    return PLOY_OK;
}

static int32_t splines_nearest_point(const splines_lab *lab, ploy_vec2 at) {
    int32_t best = 0;
    for (int32_t i = 1; i < lab->count; i++) {
        float gap = ploy_vec2_distance_sq(lab->points[i], at);
        if (gap < ploy_vec2_distance_sq(lab->points[best], at)) best = i;
    }
    return best;
}

// Where a new point belongs: into the span that is nearest, for curves through their points; at the
// end where points have a meaning by their number.
static int32_t splines_place_for(const splines_lab *lab, ploy_vec2 at) {
    if (lab->def.kind == PLOY_SPLINE_BEZIER || lab->def.kind == PLOY_SPLINE_HERMITE) {
        return lab->count;
    }
    ploy_spline2 spline = splines_view(lab);
    spline.along = NULL; // the points have changed, perhaps
    ploy_spline_nearest2 nearest = ploy_spline2_find(&spline, at);
    if (!lab->def.closed && nearest.t <= 0.0f) return 0;
    int32_t place = (int32_t)nearest.t + 1;
    return place < lab->count ? place : lab->count;
}

static void splines_clicked(splines_lab *lab, ploy_vec2 at) {
    at = ploy_vec2_make(ploy_clampf(at.x, -splines_reach, splines_reach),
                        ploy_clampf(at.y, -splines_reach, splines_reach));
    if (lab->def.click == SPLINES_CLICK_ASK) {
        lab->asked = at;
    } else if (lab->def.click == SPLINES_CLICK_MOVE && lab->count > 0) {
        lab->points[splines_nearest_point(lab, at)] = at;
    } else if (lab->def.click == SPLINES_CLICK_ADD && lab->count < SPLINES_POINTS_MAX) {
        int32_t place = splines_place_for(lab, at);
        memmove(&lab->points[place + 1], &lab->points[place],
                (size_t)(lab->count - place) * sizeof lab->points[0]);
        lab->points[place] = at;
        lab->count++;
    } else if (lab->def.click == SPLINES_CLICK_REMOVE && lab->count > 0) {
        int32_t place = splines_nearest_point(lab, at);
        lab->count--;
        memmove(&lab->points[place], &lab->points[place + 1],
                (size_t)(lab->count - place) * sizeof lab->points[0]);
    }
}

static ploy_result splines_lab_step(void *state, const ploy_sim_context *context) {
    splines_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_input_is(input, "click")) {
            splines_clicked(lab, lab_input_point(input));
        } else if (lab_input_is(input, "scatter")) {
            splines_scatter(lab, context->key, context->tick + 1); // tick 0 drew the start
        }
    }
    splines_remeasure(lab);
    ploy_spline2 spline = splines_view(lab);
    float length = ploy_spline2_length(&spline);
    lab->along += lab->def.speed * context->dt;
    // A fresh start at the end, of open ones too; wrapped, as a float that grows loses its digits.
    if (!(lab->along < length)) lab->along = 0.0f;
    return PLOY_OK;
}

// ---- sight ----

// Teeth square to the curve, as long as it bends, on the outer side of the bend.
static void splines_draw_comb(const splines_lab *lab, const ploy_spline2 *spline, ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_FORCES) || !(lab->def.comb > 0.0f)) return;
    ploy_agent_id nobody = ploy_agent_id_none();
    float length = ploy_spline2_length(spline);
    enum { TEETH = 200 };
    ploy_vec2 tips[TEETH + 1];
    for (int32_t i = 0; i <= TEETH; i++) {
        // Not quite the end, which of a closed one is the start.
        float along = length * ((float)i / (float)TEETH) * 0.9999f;
        ploy_vec2 at = ploy_spline2_point_along(spline, along);
        ploy_vec2 left = ploy_vec2_perp(ploy_spline2_direction_along(spline, along));
        float bend = ploy_spline2_curvature_along(spline, along) * lab->def.comb;
        tips[i] = ploy_vec2_add_scaled(at, left, -ploy_clampf(bend, -10.0f, 10.0f));
        ploy_draw_line(out, PLOY_LAYER_FORCES, PLOY_STYLE_GHOST, nobody, at, tips[i]);
    }
    ploy_draw_polyline(out, PLOY_LAYER_FORCES, PLOY_STYLE_FORCE, nobody, tips, TEETH + 1);
}

static void splines_draw_points(const splines_lab *lab, ploy_draw *out) {
    ploy_agent_id nobody = ploy_agent_id_none();
    bool hermite = lab->def.kind == PLOY_SPLINE_HERMITE;
    for (int32_t i = 0; i < lab->count; i++) {
        // Of a Hermite spline every second point is a velocity; it is still where it is clicked.
        ploy_style style = hermite && i % 2 == 1 ? PLOY_STYLE_VELOCITY : PLOY_STYLE_TARGET;
        ploy_draw_disc(out, PLOY_LAYER_WORLD, style, nobody, lab->points[i], 0.25f, 1.0f);
        if (hermite && i % 2 == 1) {
            ploy_vec2 from = lab->points[i - 1];
            ploy_draw_arrow(out, PLOY_LAYER_REGIONS, PLOY_STYLE_VELOCITY, nobody, from,
                            ploy_vec2_add_scaled(from, lab->points[i], 0.25f));
        }
    }
    if (!hermite) {
        ploy_draw_polyline(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, nobody, lab->points,
                           lab->count);
    }
}

static void splines_lab_draw(const void *state, ploy_draw *out) {
    const splines_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "runner");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "control points");
    ploy_draw_key(out, PLOY_STYLE_VELOCITY, "velocities at control points");
    ploy_draw_key(out, PLOY_STYLE_FORCE, "curvature");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "clicked point");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "nearest point of the curve");
    ploy_draw_key(out, PLOY_STYLE_PATH, "curve");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "nearest point close to the runner");
    ploy_agent_id nobody = ploy_agent_id_none(), runner = ploy_agent_id_make(1, 1);
    ploy_spline2 spline = splines_view(lab);
    splines_draw_points(lab, out);
    if (ploy_spline2_spans(&spline) == 0) return;
    splines_draw_comb(lab, &spline, out);
    ploy_spline2_draw(&spline, lab->def.tolerance, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, nobody, out);
    ploy_spline_nearest2 best = ploy_spline2_find(&spline, lab->asked);
    ploy_spline_nearest2 near_runner =
        ploy_spline2_find_near(&spline, lab->asked, lab->along, lab->def.window);
    ploy_draw_line(out, PLOY_LAYER_SENSES, PLOY_STYLE_GOOD, nobody, lab->asked, best.point);
    ploy_draw_line(out, PLOY_LAYER_SENSES, PLOY_STYLE_GHOST, nobody, lab->asked, near_runner.point);
    ploy_draw_point(out, PLOY_LAYER_SENSES, PLOY_STYLE_GOOD, nobody, best.point);
    ploy_draw_point(out, PLOY_LAYER_SENSES, PLOY_STYLE_WARNING, nobody, lab->asked);
    ploy_vec2 way = ploy_spline2_direction_along(&spline, lab->along);
    ploy_draw_agent(out, PLOY_STYLE_AGENT_A, runner, ploy_spline2_point_along(&spline, lab->along),
                    ploy_atan2f(way.y, way.x), 0.5f);
}

static void splines_lab_describe(const void *state, ploy_describe *out) {
    const splines_lab *lab = state;
    ploy_spline2 spline = splines_view(lab);
    ploy_spline_nearest2 best = ploy_spline2_find(&spline, lab->asked);
    ploy_describe_begin(out, "curve");
    ploy_describe_text(out, "kind", PLOY_DERIVED, ploy_spline_kind_text(lab->def.kind));
    ploy_describe_i64(out, "spans", PLOY_DERIVED, ploy_spline2_spans(&spline));
    ploy_describe_f32(out, "length", PLOY_DERIVED, ploy_spline2_length(&spline));
    ploy_describe_i64(out, "points", PLOY_STATE, lab->count);
    for (int32_t i = 0; i < lab->count; i++) {
        ploy_describe_begin_item(out, i);
        ploy_describe_vec2(out, "point", PLOY_STATE, lab->points[i].x, lab->points[i].y);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "asked");
    ploy_describe_vec2(out, "place", PLOY_STATE, lab->asked.x, lab->asked.y);
    ploy_describe_f32(out, "nearest t", PLOY_DERIVED, best.t);
    ploy_describe_f32(out, "nearest along", PLOY_DERIVED, best.along);
    ploy_describe_f32(out, "distance squared", PLOY_DERIVED, best.distance_sq);
    ploy_describe_end(out);
    ploy_describe_begin_agent(out, "runner", ploy_agent_id_make(1, 1));
    ploy_describe_f32(out, "along", PLOY_STATE, lab->along);
    ploy_describe_f32(out, "curvature", PLOY_DERIVED,
                      ploy_spline2_curvature_along(&spline, lab->along));
    ploy_describe_end(out);
}

static const ploy_command splines_lab_commands[] = {
    {"click", "move, add or remove a point, or ask, as the parameter says", PLOY_VALUE_VEC2, false,
     "Pointer"},
    {"scatter", "begin with other points", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_splines; // in labs.c
const ploy_sim_type ploy_lab_splines = {
    .name = "splines",
    .title = "Splines",
    .help = "Click to move the nearest control point, or, as the parameter says, to add one, to "
            "remove one, or to ask for the nearest place. The comb shows how much the curve bends.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-20.0f, -12.0f, 20.0f, 12.0f},
    .fields = splines_lab_get_fields,
    .commands = splines_lab_commands,
    .command_count = sizeof splines_lab_commands / sizeof splines_lab_commands[0],
    .create = splines_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = splines_lab_step,
    .draw = splines_lab_draw,
    .describe = splines_lab_describe,
};
