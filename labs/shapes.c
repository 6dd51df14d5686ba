// The shapes lab: one solid shape and a probe that asks it every question a game asks of a shape.
//
// The probe is a disc that moves from its start toward the pointer. The lab shows the nearest point
// of the shape, whether the probe is inside or overlaps, where a thin ray hits, and where the moving
// disc touches first. The parameter `space` asks the same questions of solids in space; they are
// drawn from above, at the height of the slice.
//
// State: the two ends of the probe. All answers are computed in each step and kept for drawing.
#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/geom/angle.h"
#include "ploy/geom/capsule.h"
#include "ploy/geom/closest.h"
#include "ploy/geom/frame.h"
#include "ploy/geom/obb.h"
#include "ploy/geom/obb3.h"
#include "ploy/geom/polygon_hit.h"
#include "ploy/geom/sphere.h"
#include "ploy/geom/triangle.h"

enum { SHAPES_CORNERS = 6 };

typedef enum shapes_kind {
    SHAPES_ROUND,   // circle, sphere
    SHAPES_BOX,     // along the axes
    SHAPES_TURNED,  // at any angle
    SHAPES_CAPSULE, // segment with a thickness
    SHAPES_POLYGON, // in space: a triangle
} shapes_kind;

static const char *const shapes_kinds[] = {"round", "box", "turned", "capsule", "polygon"};

typedef struct shapes_lab_def {
    uint32_t cookie;
    shapes_kind kind;
    bool space;
    float angle;
    float size;
    float radius;
    float height;
} shapes_lab_def;

static const ploy_field shapes_lab_fields[] = {
    PLOY_FIELD_ENUM(shapes_lab_def, kind, SHAPES_TURNED, shapes_kinds, "the shape"),
    PLOY_FIELD_BOOL(shapes_lab_def, space, false, "a solid in space instead of the plane"),
    PLOY_FIELD_F32(shapes_lab_def, angle, 0.5, -3.14, 3.14, "rad", "orientation of the shape"),
    PLOY_FIELD_F32(shapes_lab_def, size, 3, 0.1, 6, "m", "half the length of the shape"),
    PLOY_FIELD_F32(shapes_lab_def, radius, 0.7, 0, 3, "m", "radius of the probe"),
    PLOY_FIELD_F32(shapes_lab_def, height, 0.4, -6, 6, "m", "height of the probe, in space"),
};

static ploy_fields shapes_lab_get_fields(void) {
    return PLOY_FIELDS(shapes_lab_def, shapes_lab_fields);
}

// The answers; all points carry z = 0 on the plane.
typedef struct shapes_answer {
    bool contains; // the probe's end
    bool overlaps; // the disc or ball around it
    bool ray, sweep;
    float distance; // m, from the probe's end to the shape
    ploy_vec3 nearest;
    ploy_hit3 ray_hit, sweep_hit;
    ploy_box3 bounds;
} shapes_answer;

typedef struct shapes_lab {
    shapes_lab_def def; // as of the last step: drawing needs it
    ploy_vec2 from, to; // of the probe
    shapes_answer answer;
} shapes_lab;

static ploy_vec3 shapes_flat(ploy_vec2 v) {
    return ploy_vec3_make(v.x, v.y, 0.0f);
}

static ploy_hit3 shapes_hit(ploy_hit2 hit) {
    ploy_hit3 out = {hit.distance, shapes_flat(hit.point), shapes_flat(hit.normal), hit.inside};
    return out;
}

// The outline of the polygon: a hexagon with a dent, in the frame of the shape.
static void shapes_outline(const shapes_lab_def *def, ploy_vec2 corners[SHAPES_CORNERS]) {
    static const ploy_vec2 local[SHAPES_CORNERS] = {{1.0f, -0.6f}, {1.0f, 0.6f},   {0.2f, 0.1f},
                                                    {-0.6f, 0.9f}, {-1.0f, -0.2f}, {-0.2f, -0.8f}};
    ploy_frame2 frame = ploy_frame2_make(ploy_vec2_make(0.0f, 0.0f), def->angle);
    ploy_frame2_polygon_to_world(frame, ploy_vec2_make(def->size, def->size), local, SHAPES_CORNERS,
                                 corners);
}

static ploy_segment2 shapes_axis(const shapes_lab_def *def) {
    ploy_vec2 half = ploy_vec2_scale(ploy_angle_heading(def->angle), def->size);
    return ploy_segment2_make(ploy_vec2_negate(half), half);
}

static ploy_box2 shapes_box(const shapes_lab_def *def) {
    return ploy_box2_make(ploy_vec2_make(-def->size, -0.5f * def->size),
                          ploy_vec2_make(def->size, 0.5f * def->size));
}

static ploy_obb2 shapes_turned(const shapes_lab_def *def) {
    return ploy_obb2_make(ploy_vec2_make(0.0f, 0.0f), ploy_angle_heading(def->angle),
                          ploy_vec2_make(def->size, 0.5f * def->size));
}

static void shapes_ask_plane(const shapes_lab *lab, shapes_answer *out) {
    const shapes_lab_def *def = &lab->def;
    ploy_ray2 ray = ploy_ray2_between(lab->from, lab->to);
    ploy_sweep sweep = ploy_sweep_between(lab->from, lab->to, def->radius);
    ploy_circle probe = ploy_circle_make(lab->to, def->radius);
    ploy_hit2 hit = {0}, touch = {0};
    ploy_vec2 nearest = lab->to, corners[SHAPES_CORNERS];
    switch (def->kind) {
    case SHAPES_ROUND: {
        ploy_circle circle = ploy_circle_make(ploy_vec2_make(0.0f, 0.0f), def->size);
        out->contains = ploy_circle_contains(circle, lab->to);
        out->overlaps = ploy_circle_overlaps(circle, probe);
        ploy_vec2 outward = ploy_vec2_normalise(ploy_vec2_sub(lab->to, circle.centre));
        if (!out->contains) nearest = ploy_vec2_scale(outward, circle.radius);
        out->ray = ploy_ray2_hit_circle(ray, circle, &hit);
        out->sweep = ploy_sweep_hit_circle(sweep, circle, &touch);
        break;
    }
    case SHAPES_BOX: {
        ploy_box2 box = shapes_box(def);
        out->contains = ploy_box2_contains(box, lab->to);
        out->overlaps = ploy_box2_overlaps_circle(box, probe);
        nearest = ploy_box2_closest(box, lab->to);
        out->ray = ploy_ray2_hit_box(ray, box, &hit);
        out->sweep = ploy_sweep_hit_box(sweep, box, &touch);
        break;
    }
    case SHAPES_TURNED: {
        ploy_obb2 box = shapes_turned(def);
        out->contains = ploy_obb2_contains(box, lab->to);
        out->overlaps = ploy_obb2_overlaps_circle(box, probe);
        nearest = ploy_obb2_closest(box, lab->to);
        out->ray = ploy_ray2_hit_obb(ray, box, &hit);
        out->sweep = ploy_sweep_hit_obb(sweep, box, &touch);
        break;
    }
    case SHAPES_CAPSULE: {
        ploy_segment2 axis = shapes_axis(def), point = ploy_segment2_make(lab->to, lab->to);
        float thick = 0.25f * def->size;
        ploy_closest2 gap =
            ploy_closest2_round(ploy_segment2_closest_segment(axis, point), thick, 0.0f);
        out->contains = ploy_segment2_distance(axis, lab->to) <= thick;
        out->overlaps =
            ploy_circle_overlaps_segment(ploy_circle_make(lab->to, def->radius + thick), axis);
        if (!out->contains) nearest = gap.a;
        out->ray = ploy_ray2_hit_capsule(ray, axis, thick, &hit);
        out->sweep = ploy_sweep_hit_capsule(sweep, axis, thick, &touch);
        break;
    }
    case SHAPES_POLYGON: {
        shapes_outline(def, corners);
        ploy_polygon polygon = ploy_polygon_make(corners, SHAPES_CORNERS);
        out->contains = ploy_polygon_contains(polygon, lab->to);
        out->overlaps = ploy_polygon_overlaps_circle(polygon, probe);
        nearest = ploy_polygon_closest(polygon, lab->to);
        out->ray = ploy_ray2_hit_polygon(ray, polygon, &hit);
        out->sweep = ploy_sweep_hit_polygon(sweep, polygon, &touch);
        break;
    }
    }
    out->nearest = shapes_flat(nearest);
    out->distance = ploy_vec2_distance(nearest, lab->to);
    out->ray_hit = shapes_hit(hit);
    out->sweep_hit = shapes_hit(touch);
}

static ploy_triangle3 shapes_triangle(const shapes_lab_def *def) {
    ploy_frame2 frame = ploy_frame2_make(ploy_vec2_make(0.0f, 0.0f), def->angle);
    static const ploy_vec2 local[3] = {{1.0f, 0.0f}, {-0.8f, 0.7f}, {-0.8f, -0.7f}};
    ploy_vec2 corners[3];
    ploy_frame2_polygon_to_world(frame, ploy_vec2_make(def->size, def->size), local, 3, corners);
    return ploy_triangle3_make(ploy_vec3_make(corners[0].x, corners[0].y, -1.0f),
                               ploy_vec3_make(corners[1].x, corners[1].y, 1.0f),
                               ploy_vec3_make(corners[2].x, corners[2].y, 1.0f));
}

static void shapes_ask_space(const shapes_lab *lab, shapes_answer *out) {
    const shapes_lab_def *def = &lab->def;
    ploy_vec3 from = ploy_vec3_make(lab->from.x, lab->from.y, def->height);
    ploy_vec3 to = ploy_vec3_make(lab->to.x, lab->to.y, def->height);
    ploy_ray3 ray = ploy_ray3_between(from, to);
    ploy_sweep3 sweep = ploy_sweep3_between(from, to, def->radius);
    ploy_sphere probe = ploy_sphere_make(to, def->radius);
    float s = def->size;
    ploy_vec3 half = ploy_vec3_make(s, 0.5f * s, 0.5f * s), zero = ploy_vec3_make(0, 0, 0);
    switch (def->kind) {
    case SHAPES_ROUND: {
        ploy_sphere ball = ploy_sphere_make(zero, s);
        out->contains = ploy_sphere_contains(ball, to);
        out->overlaps = ploy_sphere_overlaps(ball, probe);
        out->nearest = ploy_sphere_closest(ball, to);
        out->ray = ploy_ray3_hit_sphere(ray, ball, &out->ray_hit);
        out->sweep = ploy_sweep3_hit_sphere(sweep, ball, &out->sweep_hit);
        out->bounds = ploy_box3_of_sphere(ball);
        break;
    }
    case SHAPES_BOX: {
        ploy_box3 box = ploy_box3_make(ploy_vec3_negate(half), half);
        out->contains = ploy_box3_contains(box, to);
        out->overlaps = ploy_sphere_overlaps_box(probe, box);
        out->nearest = ploy_box3_closest(box, to);
        out->ray = ploy_ray3_hit_box(ray, box, &out->ray_hit);
        out->sweep = ploy_sweep3_hit_box(sweep, box, &out->sweep_hit);
        out->bounds = box;
        break;
    }
    case SHAPES_TURNED: {
        ploy_vec3 up = ploy_vec3_make(0.0f, 0.0f, 1.0f);
        ploy_obb3 box = ploy_obb3_make(zero, half, ploy_quat_from_axis_angle(up, def->angle));
        out->contains = ploy_obb3_contains(box, to);
        out->overlaps = ploy_obb3_overlaps_sphere(box, probe);
        out->nearest = ploy_obb3_closest(box, to);
        out->ray = ploy_ray3_hit_obb3(ray, box, &out->ray_hit);
        out->sweep = ploy_sweep3_hit_obb3(sweep, box, &out->sweep_hit);
        out->bounds = ploy_box3_of_obb3(box);
        break;
    }
    case SHAPES_CAPSULE: {
        ploy_segment2 axis = shapes_axis(def);
        ploy_capsule capsule =
            ploy_capsule_make(shapes_flat(axis.from), shapes_flat(axis.to), 0.25f * s);
        out->contains = ploy_capsule_contains(capsule, to);
        out->overlaps = ploy_capsule_overlaps_sphere(capsule, probe);
        out->nearest = ploy_capsule_closest(capsule, to);
        out->ray = ploy_ray3_hit_capsule(ray, capsule, &out->ray_hit);
        out->sweep = ploy_sweep3_hit_capsule(sweep, capsule, &out->sweep_hit);
        out->bounds = ploy_box3_of_capsule(capsule);
        break;
    }
    case SHAPES_POLYGON: {
        ploy_triangle3 triangle = shapes_triangle(def);
        out->contains = false; // a triangle has no inside
        out->overlaps = ploy_triangle3_overlaps_sphere(triangle, probe);
        out->nearest = ploy_triangle3_closest(triangle, to);
        out->ray = ploy_ray3_hit_triangle(ray, triangle, &out->ray_hit);
        out->sweep = ploy_sweep3_hit_triangle(sweep, triangle, &out->sweep_hit);
        out->bounds = ploy_box3_of_triangle(triangle);
        break;
    }
    }
    out->distance = ploy_vec3_distance(out->nearest, to);
}

static void shapes_ask(shapes_lab *lab) {
    memset(&lab->answer, 0, sizeof lab->answer);
    if (lab->def.space) {
        shapes_ask_space(lab, &lab->answer);
    } else {
        shapes_ask_plane(lab, &lab->answer);
    }
}

static ploy_result shapes_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                     void **out) {
    shapes_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    float height = ploy_rng_range_at(key, 0, 0, 0, -2.0f, 2.0f);
    lab->from = ploy_vec2_make(-9.0f, height);
    lab->to = ploy_vec2_make(5.0f, 0.5f * height);
    shapes_ask(lab);
    *out = lab;
    return PLOY_OK;
}

static ploy_result shapes_lab_step(void *state, const ploy_sim_context *context) {
    shapes_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_input_is(input, "click")) lab->to = lab_input_point_within(input, 100.0f, 100.0f);
        if (lab_input_is(input, "start")) {
            lab->from = lab->to;
            lab->to = ploy_vec2_negate(lab->to);
        }
    }
    shapes_ask(lab);
    return PLOY_OK;
}

// ---- drawing and describing ----

static void shapes_draw_shape(const shapes_lab_def *def, ploy_draw *out) {
    ploy_agent_id none = ploy_agent_id_none();
    ploy_vec2 corners[SHAPES_CORNERS], zero = ploy_vec2_make(0.0f, 0.0f);
    int32_t count = 4;
    if (def->kind == SHAPES_ROUND) {
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, zero, def->size, 0.5f);
        return;
    }
    if (def->kind == SHAPES_CAPSULE) {
        ploy_segment2 axis = shapes_axis(def);
        float thick = 0.25f * def->size;
        ploy_vec2 side = ploy_vec2_scale(ploy_segment2_normal(axis), thick);
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, axis.from, thick, 0.5f);
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, axis.to, thick, 0.5f);
        corners[0] = ploy_vec2_sub(axis.from, side);
        corners[1] = ploy_vec2_sub(axis.to, side);
        corners[2] = ploy_vec2_add(axis.to, side);
        corners[3] = ploy_vec2_add(axis.from, side);
    } else if (def->kind == SHAPES_POLYGON && def->space) {
        ploy_triangle3 triangle = shapes_triangle(def);
        corners[0] = ploy_vec2_make(triangle.a.x, triangle.a.y);
        corners[1] = ploy_vec2_make(triangle.b.x, triangle.b.y);
        corners[2] = ploy_vec2_make(triangle.c.x, triangle.c.y);
        count = 3;
    } else if (def->kind == SHAPES_POLYGON) {
        shapes_outline(def, corners);
        count = SHAPES_CORNERS;
    } else {
        ploy_obb2_corners(def->kind == SHAPES_BOX ? ploy_obb2_of_box(shapes_box(def))
                                                  : shapes_turned(def),
                          corners);
    }
    ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, corners, count, 0.5f);
}

static ploy_vec2 shapes_above(ploy_vec3 v) {
    return ploy_vec2_make(v.x, v.y);
}

static void shapes_lab_draw(const void *state, ploy_draw *out) {
    const shapes_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "start of the sweep");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "its end: a disc that is apart");
    ploy_draw_key(out, PLOY_STYLE_BAD, "its end: a disc that overlaps");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "where the sweep stops");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "nearest point of the shape");
    ploy_draw_key(out, PLOY_STYLE_FORCE, "normal where the ray hits");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "ray and tangents");
    ploy_draw_key(out, PLOY_STYLE_WALL, "shape");
    const shapes_answer *answer = &lab->answer;
    ploy_agent_id none = ploy_agent_id_none(), probe = ploy_agent_id_make(1, 1);
    shapes_draw_shape(&lab->def, out);
    ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, none, lab->from, lab->to);
    ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, none, lab->from, lab->def.radius);
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, answer->overlaps ? PLOY_STYLE_BAD : PLOY_STYLE_AGENT_B,
                   probe, lab->to, lab->def.radius, 0.5f);
    ploy_draw_line(out, PLOY_LAYER_SENSES, PLOY_STYLE_TARGET, none, lab->to,
                   shapes_above(answer->nearest));
    ploy_draw_point(out, PLOY_LAYER_SENSES, PLOY_STYLE_TARGET, none, shapes_above(answer->nearest));
    ploy_vec2 tangents[2];
    ploy_circle circle = ploy_circle_make(ploy_vec2_make(0.0f, 0.0f), lab->def.size);
    if (lab->def.kind == SHAPES_ROUND && ploy_circle_tangents(circle, lab->from, tangents) == 2) {
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, none, lab->from, tangents[0]);
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, none, lab->from, tangents[1]);
    }
    if (answer->ray) {
        ploy_vec2 at = shapes_above(answer->ray_hit.point);
        ploy_draw_arrow(out, PLOY_LAYER_FORCES, PLOY_STYLE_FORCE, none, at,
                        ploy_vec2_add(at, shapes_above(answer->ray_hit.normal)));
    }
    if (answer->sweep) {
        ploy_vec2 along = ploy_vec2_normalise(ploy_vec2_sub(lab->to, lab->from));
        ploy_vec2 centre = ploy_vec2_add_scaled(lab->from, along, answer->sweep_hit.distance);
        ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_GOOD, none, centre, lab->def.radius);
        ploy_draw_point(out, PLOY_LAYER_AGENTS, PLOY_STYLE_GOOD, none,
                        shapes_above(answer->sweep_hit.point));
    }
    ploy_draw_text(out, probe, lab->to,
                   answer->contains   ? "inside"
                   : answer->overlaps ? "overlaps"
                                      : "apart");
}

static void shapes_describe_hit(ploy_describe *out, const char *name, bool found,
                                const ploy_hit3 *hit) {
    ploy_describe_begin(out, name);
    ploy_describe_bool(out, "found", PLOY_DERIVED, found);
    if (found) {
        ploy_describe_f32(out, "distance", PLOY_DERIVED, hit->distance);
        ploy_describe_vec3(out, "point", PLOY_DERIVED, hit->point.x, hit->point.y, hit->point.z);
        ploy_describe_vec3(out, "normal", PLOY_DERIVED, hit->normal.x, hit->normal.y,
                           hit->normal.z);
        ploy_describe_bool(out, "inside", PLOY_DERIVED, hit->inside);
    }
    ploy_describe_end(out);
}

static void shapes_lab_describe(const void *state, ploy_describe *out) {
    const shapes_lab *lab = state;
    const shapes_answer *answer = &lab->answer;
    ploy_describe_begin_agent(out, "probe", ploy_agent_id_make(1, 1));
    ploy_describe_vec2(out, "from", PLOY_STATE, lab->from.x, lab->from.y);
    ploy_describe_vec2(out, "to", PLOY_STATE, lab->to.x, lab->to.y);
    ploy_describe_bool(out, "inside", PLOY_DERIVED, answer->contains);
    ploy_describe_bool(out, "overlaps", PLOY_DERIVED, answer->overlaps);
    // The distance is hashed, so that the golden scenes cover the geometry itself.
    ploy_describe_f32(out, "distance", PLOY_STATE, answer->distance);
    ploy_describe_vec3(out, "nearest", PLOY_STATE, answer->nearest.x, answer->nearest.y,
                       answer->nearest.z);
    ploy_describe_end(out);
    shapes_describe_hit(out, "ray", answer->ray, &answer->ray_hit);
    shapes_describe_hit(out, "sweep", answer->sweep, &answer->sweep_hit);
    if (lab->def.space) {
        ploy_vec3 size = ploy_vec3_sub(answer->bounds.max, answer->bounds.min);
        ploy_describe_vec3(out, "bounds", PLOY_DERIVED, size.x, size.y, size.z);
    }
}

static const ploy_command shapes_lab_commands[] = {
    {"click", "move the end of the probe", PLOY_VALUE_VEC2, false, "Pointer"},
    {"start", "start from where the probe is, toward the opposite side", PLOY_VALUE_NONE, false,
     "s"},
};

extern const ploy_sim_type ploy_lab_shapes; // in labs.c
const ploy_sim_type ploy_lab_shapes = {
    .name = "shapes",
    .title = "Shapes",
    .help = "Click to move the probe. The lab shows the nearest point of the shape, the ray's hit "
            "with its normal, and where the moving disc first touches. Press s to start from here. "
            "With the setting space, the same questions are asked of solids in space.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-12.0f, -8.0f, 12.0f, 8.0f},
    .fields = shapes_lab_get_fields,
    .commands = shapes_lab_commands,
    .command_count = sizeof shapes_lab_commands / sizeof shapes_lab_commands[0],
    .create = shapes_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = shapes_lab_step,
    .draw = shapes_lab_draw,
    .describe = shapes_lab_describe,
};
