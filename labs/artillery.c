// The lab of aiming, seen from the side: a gun shoots at the target through air that brakes and
// blows, and a person on the ground sees the shells come and gets out of their way, or catches
// them. Click to move the target.
//
// All state is in the one block artillery_lab. The picture's x is ahead, its y is up.
#include <string.h>

#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/move/aim.h"
#include "ploy/move/incoming.h"

enum { SHELLS = 16, MARKS = 24 };

typedef struct artillery_lab_def {
    uint32_t cookie;
    float period;
    bool lead_runner;
    float fuse;
    ploy_aim_def aim;
    ploy_flight_def flight;
    ploy_incoming_def incoming;
} artillery_lab_def;

static const ploy_field artillery_lab_fields[] = {
    PLOY_FIELD_F32(artillery_lab_def, period, 1.5, 0.1, 60, "s", "time between two shots"),
    PLOY_FIELD_BOOL(artillery_lab_def, lead_runner, false, "shoot at the runner, not the target"),
    PLOY_FIELD_F32(artillery_lab_def, fuse, 6, 0.1, 60, "s", "time until a shell goes off"),
    PLOY_FIELD_DEF(artillery_lab_def, aim, ploy_aim_fields, "how the gun aims"),
    PLOY_FIELD_DEF(artillery_lab_def, flight, ploy_flight_fields, "the air"),
    PLOY_FIELD_DEF(artillery_lab_def, incoming, ploy_incoming_fields, "the runner"),
};

static ploy_fields artillery_lab_get_fields(void) {
    return PLOY_FIELDS(artillery_lab_def, artillery_lab_fields);
}

typedef struct shell {
    ploy_flyer flyer;
    bool flying;
} shell;

typedef struct artillery_lab {
    artillery_lab_def def;
    ploy_vec3 gun, target;
    float wait; // s until the next shot
    ploy_result aim_result;
    ploy_aim aim; // of the last shot that could be aimed
    shell shells[SHELLS];
    ploy_vec2 marks[MARKS]; // where shells came down, a ring
    int32_t mark_count, shots, hits, caught;
    ploy_vec3 runner; // its feet
    ploy_incoming incoming;
} artillery_lab;

static ploy_agent_id gun_id(void) {
    return ploy_agent_id_make(1, 1);
}
static ploy_agent_id runner_id(void) {
    return ploy_agent_id_make(2, 1);
}

static ploy_result artillery_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                        void **out) {
    artillery_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->gun = ploy_vec3_make(-18.0f, 0.0f, 1.0f);
    lab->target = ploy_vec3_make(ploy_rng_range_at(key, 0, 0, 0, 4.0f, 14.0f), 0.0f, 0.0f);
    lab->runner = ploy_vec3_make(lab->target.x + 2.0f, 0.0f, 0.0f);
    lab->wait = 0.5f;
    lab->aim_result = PLOY_ERR_NOT_FOUND;
    *out = lab;
    return PLOY_OK;
}

// ---- step ----

static void mark(artillery_lab *lab, ploy_vec3 at) {
    lab->marks[lab->mark_count++ % MARKS] = ploy_vec2_make(at.x, at.z);
}

static void fire(artillery_lab *lab, ploy_trace *trace) {
    ploy_flight flight = ploy_flight_make(&lab->def.flight);
    ploy_vec3 at = lab->target;
    if (lab->def.lead_runner) {
        at = lab->runner;
        at.z += 0.5f * lab->def.incoming.body_height;
    }
    ploy_aim aim = lab->aim;
    lab->aim_result = ploy_aim_find(&lab->def.aim, &flight, lab->gun, at, &aim);
    ploy_aim_trace(&lab->def.aim, lab->aim_result, &aim, gun_id(), trace);
    if (lab->aim_result != PLOY_OK) return;
    lab->aim = aim;
    for (int32_t i = 0; i < SHELLS; i++) {
        if (lab->shells[i].flying) continue;
        ploy_flyer flyer = {lab->gun, ploy_vec3_scale(aim.direction, lab->def.aim.speed), 0.0f};
        lab->shells[i].flyer = flyer;
        lab->shells[i].flying = true;
        lab->shots++;
        return;
    }
}

static void step_shells(artillery_lab *lab, float dt) {
    ploy_flight flight = ploy_flight_make(&lab->def.flight);
    for (int32_t i = 0; i < SHELLS; i++) {
        shell *it = &lab->shells[i];
        if (!it->flying) continue;
        ploy_vec3 from = it->flyer.position;
        it->flyer = ploy_flight_step(&flight, it->flyer, dt);
        ploy_vec3 at = it->flyer.position;
        ploy_vec3 body = lab->runner;
        body.z += 0.5f * lab->def.incoming.body_height;
        ploy_segment2 way =
            ploy_segment2_make(ploy_vec2_make(from.x, from.z), ploy_vec2_make(at.x, at.z));
        ploy_vec2 middle = {body.x, body.z}, aimed = {lab->target.x, lab->target.z};
        bool catching = lab->incoming.reaction == PLOY_INCOMING_CATCH;
        if (catching && ploy_segment2_distance(way, middle) < lab->def.incoming.body_radius) {
            lab->caught++;
            it->flying = false;
        } else if (ploy_segment2_distance(way, aimed) <= lab->def.aim.margin) {
            lab->hits++;
            mark(lab, lab->target);
            it->flying = false;
        } else if (at.z <= 0.0f || it->flyer.time > lab->def.fuse || fabsf(at.x) > 100.0f) {
            mark(lab, at);
            it->flying = false;
        }
    }
}

// The runner looks at the shell that comes nearest first.
static ploy_result step_runner(artillery_lab *lab, float dt, ploy_trace *trace) {
    ploy_incoming best;
    memset(&best, 0, sizeof best);
    best.go_to = ploy_vec2_from_vec3(lab->runner);
    best.hit_time = INFINITY;
    for (int32_t i = 0; i < SHELLS; i++) {
        if (!lab->shells[i].flying) continue;
        const ploy_flyer *flyer = &lab->shells[i].flyer;
        ploy_projectile seen = {flyer->position, flyer->velocity, lab->def.flight.gravity};
        ploy_incoming incoming;
        ploy_result result = ploy_incoming_find(&lab->def.incoming, &seen,
                                                ploy_maxf(lab->def.fuse - flyer->time, 0.0f),
                                                lab->runner, &incoming);
        if (result != PLOY_OK) return result;
        if (incoming.reaction != PLOY_INCOMING_IGNORE && incoming.hit_time < best.hit_time) {
            best = incoming;
        }
    }
    if (best.hit_time == INFINITY) best.hit_time = 0.0f;
    lab->incoming = best;
    ploy_incoming_trace(&lab->def.incoming, &best, runner_id(), trace);
    // Seen from the side there is only x to run along; a step into the picture is none.
    float reach = lab->def.incoming.speed * dt;
    lab->runner.x += ploy_clampf(best.go_to.x - lab->runner.x, -reach, reach);
    lab->runner.x = ploy_clampf(lab->runner.x, -14.0f, 19.0f);
    return PLOY_OK;
}

static ploy_result artillery_lab_step(void *state, const ploy_sim_context *context) {
    artillery_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_COMMAND) continue;
        if (strcmp(input->name, "target") == 0) {
            lab->target.x = ploy_clampf(input->value.as.vec[0], -15.0f, 19.0f);
            lab->target.z = ploy_clampf(input->value.as.vec[1], 0.0f, 18.0f);
        } else if (strcmp(input->name, "fire") == 0) {
            lab->wait = 0.0f;
        }
    }
    lab->wait -= context->dt;
    if (lab->wait <= 0.0f) {
        lab->wait = lab->def.period;
        fire(lab, context->trace);
    }
    step_shells(lab, context->dt);
    return step_runner(lab, context->dt, context->trace);
}

// ---- sight ----

static ploy_vec2 seen_from_the_side(ploy_vec3 at) {
    return ploy_vec2_make(at.x, at.z);
}

static void draw_flight(const artillery_lab *lab, ploy_vec3 direction, float time, bool air,
                        ploy_style style, ploy_draw *out) {
    enum { POINTS = 49 };
    ploy_vec2 points[POINTS];
    ploy_vec3 places[POINTS];
    ploy_flight_def still = ploy_flight_def_default();
    still.gravity = lab->def.flight.gravity;
    ploy_flight flight = ploy_flight_make(air ? &lab->def.flight : &still);
    ploy_flyer flyer = {lab->gun, ploy_vec3_scale(direction, lab->def.aim.speed), 0.0f};
    for (int32_t i = 0; i < POINTS; i++) {
        places[i] = flyer.position;
        points[i] = seen_from_the_side(flyer.position);
        flyer = ploy_flight_step(&flight, flyer, time / (POINTS - 1));
    }
    if (ploy_draw_space(out)) {
        ploy_draw_line3(out, PLOY_LAYER_PATHS, style, gun_id(), places, POINTS);
    } else {
        ploy_draw_polyline(out, PLOY_LAYER_PATHS, style, gun_id(), points, POINTS);
    }
}

// What would hit without air, both arcs, and what was found with it.
static void draw_arcs(const artillery_lab *lab, ploy_draw *out) {
    ploy_shot shots[2];
    int32_t count =
        ploy_firing_find(lab->gun, lab->target, lab->def.aim.speed, lab->def.flight.gravity, shots);
    for (int32_t i = 0; i < count; i++) {
        draw_flight(lab, shots[i].direction, shots[i].time, false, PLOY_STYLE_GHOST, out);
    }
    if (lab->aim_result == PLOY_OK) {
        draw_flight(lab, lab->aim.direction, lab->aim.time, true, PLOY_STYLE_PATH, out);
    }
}

// ---- in space

static void draw_ball(ploy_draw *out, ploy_layer layer, ploy_style style, ploy_agent_id owner,
                      ploy_vec3 at, float radius) {
    ploy_draw_item item = {.shape = PLOY_SHAPE_DISC,
                           .layer = layer,
                           .style = style,
                           .owner = owner.id,
                           .points = &at,
                           .count = 1,
                           .radius = radius,
                           .alpha = 1.0f};
    ploy_draw_item_out(out, &item);
}

// The same scene with its own heights and widths, where the flat picture is the view from the side.
static void draw_in_space(const artillery_lab *lab, ploy_draw *out) {
    static const ploy_vec3 field[4] = {{-20, -6, 0}, {20, -6, 0}, {20, 6, 0}, {-20, 6, 0}};
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_draw_polygon3(out, PLOY_LAYER_WORLD, PLOY_STYLE_FLOOR, nobody, field, 4, 1.0f);
    draw_arcs(lab, out);
    draw_ball(out, PLOY_LAYER_WORLD, PLOY_STYLE_TARGET, nobody, lab->target,
              ploy_maxf(lab->def.aim.margin, 0.2f));
    for (int32_t i = 0; i < ploy_mini(lab->mark_count, MARKS); i++) {
        ploy_vec3 mark = ploy_vec3_make(lab->marks[i].x, 0.0f, lab->marks[i].y);
        draw_ball(out, PLOY_LAYER_REGIONS, PLOY_STYLE_CLOSED, nobody, mark, 0.15f);
    }
    draw_ball(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, gun_id(), lab->gun, 0.6f);
    ploy_vec3 barrel[2] = {lab->gun,
                           ploy_vec3_add(lab->gun, ploy_vec3_scale(lab->aim.direction, 1.5f))};
    if (lab->aim_result == PLOY_OK) {
        ploy_draw_line3(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, gun_id(), barrel, 2);
    }
    for (int32_t i = 0; i < SHELLS; i++) {
        if (!lab->shells[i].flying) continue;
        const ploy_flyer *flyer = &lab->shells[i].flyer;
        ploy_vec3 trail[2] = {
            flyer->position,
            ploy_vec3_add(flyer->position, ploy_vec3_scale(flyer->velocity, 0.1f))};
        draw_ball(out, PLOY_LAYER_AGENTS, PLOY_STYLE_BAD, nobody, flyer->position, 0.2f);
        ploy_draw_line3(out, PLOY_LAYER_FORCES, PLOY_STYLE_VELOCITY, nobody, trail, 2);
    }
    ploy_vec3 body[2] = {lab->runner, lab->runner};
    body[0].z = 0.0f;
    body[1].z = lab->def.incoming.body_height;
    ploy_draw_line3(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_B, runner_id(), body, 2);
    draw_ball(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_B, runner_id(), body[1], 0.25f);
}

static void artillery_lab_draw(const void *state, ploy_draw *out) {
    const artillery_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "gun");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "runner");
    ploy_draw_key(out, PLOY_STYLE_BAD, "shot in flight");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "target");
    ploy_draw_key(out, PLOY_STYLE_CLOSED, "hits so far");
    ploy_draw_key(out, PLOY_STYLE_PATH, "aimed flight");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "other flights that hit");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "runner dodges to here");
    if (ploy_draw_space(out)) {
        draw_in_space(lab, out);
        return;
    }
    ploy_agent_id nobody = ploy_agent_id_none();
    static const ploy_vec2 ground[2] = {{-20.0f, 0.0f}, {20.0f, 0.0f}};
    ploy_draw_polyline(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, ground, 2);
    ploy_vec2 gun = seen_from_the_side(lab->gun), target = seen_from_the_side(lab->target);
    draw_arcs(lab, out);
    ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_TARGET, nobody, target,
                     ploy_maxf(lab->def.aim.margin, 0.2f));
    ploy_draw_point(out, PLOY_LAYER_WORLD, PLOY_STYLE_TARGET, nobody, target);
    for (int32_t i = 0; i < ploy_mini(lab->mark_count, MARKS); i++) {
        ploy_draw_point(out, PLOY_LAYER_REGIONS, PLOY_STYLE_CLOSED, nobody, lab->marks[i]);
    }
    ploy_draw_agent(out, PLOY_STYLE_AGENT_A, gun_id(), gun, lab->aim.elevation, 0.6f);
    for (int32_t i = 0; i < SHELLS; i++) {
        if (!lab->shells[i].flying) continue;
        const ploy_flyer *flyer = &lab->shells[i].flyer;
        ploy_vec2 at = seen_from_the_side(flyer->position);
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_BAD, nobody, at, 0.2f, 1.0f);
        ploy_draw_arrow(out, PLOY_LAYER_FORCES, PLOY_STYLE_VELOCITY, nobody, at,
                        ploy_vec2_add_scaled(at, seen_from_the_side(flyer->velocity), 0.1f));
    }
    ploy_vec2 feet = seen_from_the_side(lab->runner);
    float height = lab->def.incoming.body_height;
    ploy_draw_line(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_B, runner_id(), feet,
                   ploy_vec2_make(feet.x, height));
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_B, runner_id(),
                   ploy_vec2_make(feet.x, height), 0.25f, 1.0f);
    ploy_draw_text(out, runner_id(), ploy_vec2_make(feet.x, height + 0.6f),
                   ploy_incoming_reaction_text(lab->incoming.reaction));
    if (lab->incoming.reaction != PLOY_INCOMING_IGNORE) {
        ploy_draw_arrow(out, PLOY_LAYER_PATHS, PLOY_STYLE_WARNING, runner_id(),
                        ploy_vec2_make(feet.x, 0.3f), ploy_vec2_make(lab->incoming.go_to.x, 0.3f));
    }
    if (lab->aim_result != PLOY_OK) {
        ploy_draw_text(out, gun_id(), ploy_vec2_make(gun.x, gun.y + 1.2f), "out of reach");
    }
}

static void artillery_lab_describe(const void *state, ploy_describe *out) {
    const artillery_lab *lab = state;
    ploy_describe_vec3(out, "target", PLOY_STATE, lab->target.x, lab->target.y, lab->target.z);
    ploy_describe_begin_agent(out, "gun", gun_id());
    ploy_describe_f32(out, "wait", PLOY_STATE, lab->wait);
    ploy_describe_text(out, "aim", PLOY_STATE, ploy_result_text(lab->aim_result));
    ploy_describe_f32(out, "elevation", PLOY_STATE, lab->aim.elevation);
    ploy_describe_f32(out, "bearing", PLOY_STATE, lab->aim.bearing);
    ploy_describe_f32(out, "time", PLOY_STATE, lab->aim.time);
    ploy_describe_f32(out, "miss", PLOY_STATE, lab->aim.miss);
    ploy_describe_i64(out, "trials", PLOY_STATE, lab->aim.trials);
    ploy_describe_i64(out, "shots", PLOY_STATE, lab->shots);
    ploy_describe_i64(out, "hits", PLOY_STATE, lab->hits);
    ploy_describe_end(out);
    ploy_describe_begin_agent(out, "runner", runner_id());
    ploy_describe_f32(out, "x", PLOY_STATE, lab->runner.x);
    ploy_describe_text(out, "reaction", PLOY_STATE,
                       ploy_incoming_reaction_text(lab->incoming.reaction));
    ploy_describe_f32(out, "goes to", PLOY_STATE, lab->incoming.go_to.x);
    ploy_describe_i64(out, "caught", PLOY_STATE, lab->caught);
    ploy_describe_end(out);
    ploy_describe_begin(out, "shells");
    for (int32_t i = 0; i < SHELLS; i++) {
        if (!lab->shells[i].flying) continue;
        const ploy_flyer *flyer = &lab->shells[i].flyer;
        ploy_describe_begin_item(out, i);
        ploy_describe_vec3(out, "position", PLOY_STATE, flyer->position.x, flyer->position.y,
                           flyer->position.z);
        ploy_describe_vec3(out, "velocity", PLOY_STATE, flyer->velocity.x, flyer->velocity.y,
                           flyer->velocity.z);
        ploy_describe_f32(out, "time", PLOY_STATE, flyer->time);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "marks");
    ploy_describe_i64(out, "count", PLOY_STATE, lab->mark_count);
    for (int32_t i = 0; i < ploy_mini(lab->mark_count, MARKS); i++) {
        ploy_describe_begin_item(out, i);
        ploy_describe_vec2(out, "at", PLOY_STATE, lab->marks[i].x, lab->marks[i].y);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}

static const ploy_command artillery_lab_commands[] = {
    {"target", "put the target there", PLOY_VALUE_VEC2, false, "Pointer"},
    {"fire", "shoot now", PLOY_VALUE_NONE, false, "f"},
};

extern const ploy_sim_type ploy_lab_artillery; // in labs.c
const ploy_sim_type ploy_lab_artillery = {
    .name = "artillery",
    .title = "Aiming, drag and wind, incoming fire",
    .help = "A gun aims through air by trying shots in its mind; grey are the two arcs that would "
            "hit without air. The runner gets out of the way, or catches. Click to move the "
            "target.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_SPATIAL,
    .dt = 1.0f / 60.0f,
    .view = {-20.0f, -2.0f, 20.0f, 22.0f},
    .fields = artillery_lab_get_fields,
    .commands = artillery_lab_commands,
    .command_count = sizeof artillery_lab_commands / sizeof artillery_lab_commands[0],
    .create = artillery_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = artillery_lab_step,
    .draw = artillery_lab_draw,
    .describe = artillery_lab_describe,
};
