// The lab of formations: a group follows a target in a shape, each member on its own path around
// the obstacles (a steering pipeline), the anchor held on a leash by moderation. Shapes and
// assignment are live parameters; members can be taken out.
//
// All state is in the one block formations_lab, and in the formation.
#include <string.h>

#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"
#include "ploy/move/formation.h"
#include "ploy/move/integrate.h"
#include "ploy/move/pipeline.h"

enum { MEMBERS_MAX = 100, OBSTACLES = 5 };

static const float member_radius = 0.35f; // m; obstacles are larger by it than they look

typedef struct formations_lab_def {
    uint32_t cookie;
    int32_t members;
    bool moving;
    float stretch;
    float reassign;
    ploy_formation_shape_def shape;
    ploy_formation_def formation;
    ploy_arrive_def arrive;
} formations_lab_def;

static const ploy_field formations_lab_fields[] = {
    PLOY_FIELD_I32_FIXED(formations_lab_def, members, 9, 1, MEMBERS_MAX, "", "how many"),
    PLOY_FIELD_BOOL(formations_lab_def, moving, true, "the target moves by itself"),
    PLOY_FIELD_F32(formations_lab_def, stretch, 0.5, 0, 20, "m",
                   "how far the anchor pulls ahead of where moderation holds it"),
    PLOY_FIELD_F32(formations_lab_def, reassign, 0, 0, 60, "s",
                   "interval of assigning slots again; 0: when the shape or the group changes"),
    PLOY_FIELD_DEF(formations_lab_def, shape, ploy_formation_shape_fields, "the shape"),
    PLOY_FIELD_DEF(formations_lab_def, formation, ploy_formation_fields, "the group"),
    PLOY_FIELD_DEF(formations_lab_def, arrive, ploy_arrive_fields, "each member"),
};

static ploy_fields formations_lab_get_fields(void) {
    return PLOY_FIELDS(formations_lab_def, formations_lab_fields);
}

typedef struct formations_lab {
    formations_lab_def def;
    ploy_vec2 target;
    float phase;
    float since; // s since the slots were given out
    int32_t reassigned;
    ploy_formation *formation;
    ploy_keep_out obstacles[OBSTACLES];
    ploy_kinematic agents[MEMBERS_MAX];
    ploy_pipeline_report reports[MEMBERS_MAX]; // of the last step, to be shown
    ploy_steering steerings[MEMBERS_MAX];      // likewise
} formations_lab;

static ploy_agent_id agent_id(int32_t i) {
    return ploy_agent_id_make((uint32_t)i + 1, 1);
}

static ploy_kinematics agents_view(formations_lab *lab) {
    return ploy_kinematics_of(lab->agents, lab->def.members);
}

static float cost_of_way(void *user, const ploy_formation_member *member, int32_t slot,
                         ploy_place place) {
    const formations_lab *lab = user;
    (void)slot;
    return ploy_vec2_distance(lab->agents[member->index].position, place.position);
}

static ploy_result assign(formations_lab *lab, ploy_arena *scratch, ploy_trace *trace) {
    lab->since = 0.0f;
    lab->reassigned++;
    return ploy_formation_assign(lab->formation, cost_of_way, lab, scratch, trace, NULL);
}

static ploy_result formations_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                         void **out) {
    static const ploy_keep_out obstacles[OBSTACLES] = {{{-8, 4, 0}, 1.2f, 1.4f},
                                                       {{7, -5, 0}, 1.5f, 1.4f},
                                                       {{3, 5, 0}, 1.0f, 1.4f},
                                                       {{-4, -6, 0}, 1.3f, 1.4f},
                                                       {{13, 3, 0}, 1.2f, 1.4f}};
    formations_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    memcpy(lab->obstacles, obstacles, sizeof lab->obstacles);
    ploy_formation_def def = lab->def.formation;
    def.capacity = MEMBERS_MAX;
    // The pattern reads the shape where the lab keeps it: both live in the region.
    ploy_pattern pattern = ploy_pattern_shape(&lab->def.shape);
    ploy_result result = ploy_formation_create(&def, &pattern, env, &lab->formation);
    for (int32_t i = 0; i < lab->def.members && result == PLOY_OK; i++) {
        ploy_vec2 at = {ploy_rng_range_at(key, (uint32_t)i, 0, 0, -18.0f, -10.0f),
                        ploy_rng_range_at(key, (uint32_t)i, 0, 1, -8.0f, 8.0f)};
        lab->agents[i] = ploy_kinematic_make(at, 0.0f);
        result = ploy_formation_add(lab->formation, agent_id(i), i);
    }
    if (result != PLOY_OK) return result; // the region goes, and all that is in it
    lab->since = INFINITY;
    *out = lab;
    return PLOY_OK;
}

// ---- step ----

static ploy_result apply_inputs(formations_lab *lab, const ploy_sim_context *context,
                                bool *changed) {
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_COMMAND) continue;
        if (strcmp(input->name, "target") == 0) {
            lab->target = ploy_vec2_make(ploy_clampf(input->value.as.vec[0], -20.0f, 20.0f),
                                         ploy_clampf(input->value.as.vec[1], -12.0f, 12.0f));
        } else if (strcmp(input->name, "fall") == 0 && ploy_formation_count(lab->formation) > 1) {
            ploy_formation_member first = ploy_formation_get(lab->formation, 0);
            ploy_result result = ploy_formation_remove(lab->formation, first.id);
            if (result != PLOY_OK) return result;
            *changed = true;
        } else if (strcmp(input->name, "assign") == 0) {
            *changed = true;
        }
    }
    return PLOY_OK;
}

static void move_target(formations_lab *lab, float dt) {
    if (!lab->def.moving) return;
    float s = 0.0f, c = 0.0f, s2 = 0.0f, c2 = 0.0f;
    lab->phase += 0.12f * dt;
    if (lab->phase >= PLOY_TWO_PI_F) lab->phase -= PLOY_TWO_PI_F;
    ploy_sincosf(lab->phase, &s, &c);
    ploy_sincosf(2.0f * lab->phase, &s2, &c2);
    lab->target = ploy_vec2_make(13.0f * s, 7.0f * s2);
}

static ploy_result move_anchor(formations_lab *lab, float dt) {
    ploy_kinematics view = agents_view(lab);
    ploy_kinematic group;
    float facing = ploy_formation_anchor(lab->formation).orientation;
    ploy_result result = ploy_formation_kinematic(lab->formation, &view, &group);
    if (result == PLOY_OK) result = ploy_formation_moderate(lab->formation, &view);
    if (result != PLOY_OK) return result;
    ploy_kinematic anchor = ploy_formation_anchor(lab->formation);
    // Members look where they go, each around its own obstacle; the shape turns slowly to where
    // the group goes as a whole, or the outer slots would sweep.
    anchor.orientation = facing;
    if (ploy_vec2_length(anchor.velocity) > 0.5f) {
        anchor.orientation = ploy_angle_toward(facing, ploy_angle_of(anchor.velocity), 0.8f * dt);
    }
    // As far ahead of the group as moderation holds it and a stretch more, toward the target, but
    // not past it: there the group shall come to rest.
    ploy_vec2 way = ploy_vec2_sub(lab->target, group.position);
    float ahead = ploy_vec2_distance(anchor.position, group.position) + lab->def.stretch;
    ahead = ploy_minf(ahead, ploy_vec2_length(way));
    anchor.position = ploy_vec2_add(group.position, ploy_vec2_with_length(way, ahead));
    return ploy_formation_set_anchor(lab->formation, anchor);
}

static void move_member(formations_lab *lab, int32_t number, const ploy_sim_context *context) {
    ploy_formation_member member = ploy_formation_get(lab->formation, number);
    ploy_steering_goal goal =
        ploy_steering_goal_at(ploy_formation_place(lab->formation, number).position);
    ploy_plain_actuator actuator = ploy_plain_actuator_default();
    actuator.arrive = lab->def.arrive;
    ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&actuator));
    pipeline.tries = OBSTACLES;
    (void)ploy_pipeline_add_targeter(&pipeline, ploy_goal_targeter(&goal));
    static const char *const names[OBSTACLES] = {"keep out of post 1", "keep out of post 2",
                                                 "keep out of post 3", "keep out of post 4",
                                                 "keep out of post 5"};
    for (int32_t i = 0; i < OBSTACLES; i++) {
        ploy_constraint out = ploy_keep_out_constraint(&lab->obstacles[i]);
        out.name = names[i]; // which one, where reasons are read
        (void)ploy_pipeline_add_constraint(&pipeline, out);
    }
    ploy_steering_context steering = ploy_steering_context_make(
        lab->agents[member.index], member.id, context->dt, context->tick, context->key);
    steering.trace = context->trace;
    ploy_integrate_def law = ploy_integrate_def_default();
    law.max_speed = lab->def.arrive.max_speed;
    ploy_steering push = ploy_pipeline_steer(&pipeline, &steering, &lab->reports[member.index]);
    lab->steerings[member.index] = push;
    lab->agents[member.index] = ploy_integrate(&law, lab->agents[member.index], push, context->dt);
}

static ploy_result formations_lab_step(void *state, const ploy_sim_context *context) {
    formations_lab *lab = state;
    const formations_lab_def *now = context->params;
    bool changed = memcmp(&lab->def.shape, &now->shape, sizeof now->shape) != 0;
    memcpy(&lab->def, now, sizeof lab->def);
    ploy_result result = PLOY_OK;
    if (changed) {
        ploy_pattern pattern = ploy_pattern_shape(&lab->def.shape);
        result = ploy_formation_set_pattern(lab->formation, &pattern);
    }
    if (result == PLOY_OK) result = ploy_formation_set_def(lab->formation, &lab->def.formation);
    if (result == PLOY_OK) result = apply_inputs(lab, context, &changed);
    move_target(lab, context->dt);
    if (result == PLOY_OK) result = move_anchor(lab, context->dt);
    bool due =
        lab->since == INFINITY || (lab->def.reassign > 0.0f && lab->since >= lab->def.reassign);
    if (result == PLOY_OK && (changed || due)) {
        result = assign(lab, context->scratch, context->trace);
    }
    if (result == PLOY_OK) result = ploy_formation_step(lab->formation, context->dt);
    if (result != PLOY_OK) return result;
    lab->since += context->dt;
    for (int32_t i = 0; i < ploy_formation_count(lab->formation); i++) {
        move_member(lab, i, context);
    }
    return PLOY_OK;
}

// ---- sight ----

static void formations_lab_draw(const void *state, ploy_draw *out) {
    const formations_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "members");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "first member");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "goal and heading of the formation");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "slots");
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_kinematic agents[MEMBERS_MAX];
    memcpy(agents, lab->agents, sizeof agents);
    ploy_kinematics view = ploy_kinematics_of(agents, lab->def.members);
    for (int32_t i = 0; i < OBSTACLES; i++) {
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody,
                       ploy_vec2_from_vec3(lab->obstacles[i].centre),
                       lab->obstacles[i].radius - member_radius, 0.35f);
    }
    ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_TARGET, nobody, lab->target, 0.25f, 1.0f);
    ploy_formation_draw(lab->formation, &view, out);
    for (int32_t i = 0; i < ploy_formation_count(lab->formation); i++) {
        ploy_formation_member member = ploy_formation_get(lab->formation, i);
        ploy_kinematic_draw(&lab->agents[member.index], member_radius,
                            i == 0 ? PLOY_STYLE_AGENT_B : PLOY_STYLE_AGENT_A, member.id, out);
        ploy_steering_draw(&lab->steerings[member.index], lab->agents[member.index].position, 0.6f,
                           member.id, out);
    }
}

static void formations_lab_describe(const void *state, ploy_describe *out) {
    const formations_lab *lab = state;
    ploy_describe_vec2(out, "target", PLOY_STATE, lab->target.x, lab->target.y);
    ploy_describe_f32(out, "phase", PLOY_STATE, lab->phase);
    ploy_describe_f32(out, "since assigned", PLOY_STATE, lab->since);
    ploy_describe_i64(out, "assigned", PLOY_STATE, lab->reassigned);
    ploy_describe_begin(out, "formation");
    ploy_formation_describe(lab->formation, out);
    ploy_describe_end(out);
    float worst = 0.0f;
    for (int32_t i = 0; i < ploy_formation_count(lab->formation); i++) {
        ploy_formation_member member = ploy_formation_get(lab->formation, i);
        const ploy_kinematic *agent = &lab->agents[member.index];
        ploy_vec2 place = ploy_formation_place(lab->formation, i).position;
        float off = ploy_vec2_distance(agent->position, place);
        worst = ploy_maxf(worst, off);
        char name[24] = "member ";
        ploy_value number = ploy_value_i64(member.index);
        ploy_value_print(&number, name + 7, sizeof name - 7);
        ploy_describe_begin_agent(out, name, member.id);
        ploy_kinematic_describe(agent, PLOY_STATE, out);
        ploy_describe_f32(out, "off its slot", PLOY_DERIVED, off);
        ploy_describe_i64(out, "tries", PLOY_DERIVED, lab->reports[member.index].tries);
        ploy_describe_end(out);
    }
    ploy_describe_f32(out, "farthest off its slot", PLOY_DERIVED, worst);
}

static const ploy_command formations_lab_commands[] = {
    {"target", "put the target there", PLOY_VALUE_VEC2, false, "Pointer"},
    {"fall", "take one member out", PLOY_VALUE_NONE, false, "k"},
    {"assign", "assign the slots again", PLOY_VALUE_NONE, false, "a"},
};

extern const ploy_sim_type ploy_lab_formations; // in labs.c
const ploy_sim_type ploy_lab_formations = {
    .name = "formations",
    .title = "Formations",
    .help = "A group in a shape follows the target around obstacles. Change the shape, take "
            "members out, or click to move the target (switch the setting moving off first).",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-20.0f, -12.0f, 20.0f, 12.0f},
    .fields = formations_lab_get_fields,
    .commands = formations_lab_commands,
    .command_count = sizeof formations_lab_commands / sizeof formations_lab_commands[0],
    .create = formations_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = formations_lab_step,
    .draw = formations_lab_draw,
    .describe = formations_lab_describe,
};
