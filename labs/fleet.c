// The lab of the rudder: craft with a bow thruster that flock by one number, the steer. Number 0
// is the player's; leaders chase it by interception, the others only flock, and all give way to
// islands.
//
// All state is in the one block fleet_lab.
#include <math.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/geom/angle.h"
#include "ploy/geom/circle.h"
#include "ploy/move/bounds.h"
#include "ploy/move/craft.h"
#include "ploy/move/intercept.h"

enum { FLEET_MAX = 60, ISLANDS = 4 };

static const ploy_circle islands[ISLANDS] = {
    {{-10, 5}, 1.6f}, {{7, 6}, 1.2f}, {{10, -5}, 1.8f}, {{-5, -7}, 1.2f}};

typedef struct fleet_lab_def {
    uint32_t cookie;
    int32_t craft_count;
    int32_t leaders;
    bool flocking;
    float island_look;
    float island_weight;
    float chase_weight;
    float player_factor;
    ploy_flock_def flock;
    ploy_craft_def craft;
    ploy_intercept_def intercept;
    ploy_bounds_def bounds;
} fleet_lab_def;

static const ploy_field fleet_lab_fields[] = {
    PLOY_FIELD_I32_FIXED(fleet_lab_def, craft_count, 20, 1, FLEET_MAX, "", "how many"),
    PLOY_FIELD_I32(fleet_lab_def, leaders, 3, 0, FLEET_MAX, "", "of them chase the player"),
    PLOY_FIELD_BOOL(fleet_lab_def, flocking, true, "the three rules count"),
    PLOY_FIELD_F32(fleet_lab_def, island_look, 4, 0, 50, "m", "how far ahead islands are seen"),
    PLOY_FIELD_F32(fleet_lab_def, island_weight, 3, 0, 100, "", "of keeping clear of them"),
    PLOY_FIELD_F32(fleet_lab_def, chase_weight, 1, 0, 100, "", "of the leaders' chase"),
    PLOY_FIELD_F32(fleet_lab_def, player_factor, 0.5, 0, 1, "", "of the player's thruster"),
    PLOY_FIELD_DEF(fleet_lab_def, flock, ploy_flock_fields, "who is seen, and the rules' weights"),
    PLOY_FIELD_DEF(fleet_lab_def, craft, ploy_craft_fields, "the craft"),
    PLOY_FIELD_DEF(fleet_lab_def, intercept, ploy_intercept_fields, "how leaders chase"),
    PLOY_FIELD_DEF(fleet_lab_def, bounds, ploy_bounds_fields, "the edges of the sea"),
};

static ploy_fields fleet_lab_get_fields(void) {
    return PLOY_FIELDS(fleet_lab_def, fleet_lab_fields);
}

typedef struct fleet_lab {
    fleet_lab_def def;
    float rudder; // the player's, -1 to 1
    ploy_kinematic craft[FLEET_MAX];
    float steer[FLEET_MAX]; // of the last step
} fleet_lab;

static ploy_agent_id craft_id(int32_t i) {
    return ploy_agent_id_make((uint32_t)i + 1, 1);
}

static bool is_leader(const fleet_lab *lab, int32_t i) {
    return i > 0 && i <= lab->def.leaders;
}

static ploy_result fleet_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    fleet_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    for (int32_t i = 0; i < lab->def.craft_count; i++) {
        uint32_t id = (uint32_t)i;
        ploy_vec2 at = {ploy_rng_range_at(key, id, 0, 0, -18.0f, 18.0f),
                        ploy_rng_range_at(key, id, 0, 1, -3.0f, 3.0f)};
        lab->craft[i] =
            ploy_kinematic_make(at, ploy_rng_range_at(key, id, 0, 2, -PLOY_PI_F, PLOY_PI_F));
    }
    *out = lab;
    return PLOY_OK;
}

// Away from the nearest island ahead, the harder the nearer: a response curve as those of flocking.
static float give_way(const fleet_lab *lab, ploy_kinematic craft) {
    ploy_vec2 heading = ploy_angle_heading(craft.orientation);
    float steer = 0.0f, nearest = lab->def.island_look;
    for (int32_t i = 0; i < ISLANDS; i++) {
        ploy_vec2 offset = ploy_vec2_sub(islands[i].centre, craft.position);
        float ahead = ploy_vec2_dot(heading, offset), side = ploy_vec2_cross(heading, offset);
        float reach = islands[i].radius + 0.5f * lab->def.craft.length;
        float gap = ploy_vec2_length(offset) - reach;
        if (ahead <= 0.0f || fabsf(side) > reach || gap >= nearest) continue;
        nearest = gap;
        float strength = lab->def.island_look / ploy_maxf(gap + reach, 0.1f);
        steer = side >= 0.0f ? -strength : strength;
    }
    return steer;
}

static void steer_craft(fleet_lab *lab, int32_t i, ploy_kinematics others, ploy_trace *trace) {
    const fleet_lab_def *def = &lab->def;
    ploy_kinematic craft = lab->craft[i];
    float rules[3] = {def->island_weight * give_way(lab, craft), 0.0f, 0.0f};
    if (def->flocking) rules[1] = ploy_craft_flock(&def->flock, craft, &others, i);
    if (is_leader(lab, i)) {
        ploy_interception meeting = ploy_intercept_find(&def->intercept, craft, lab->craft[0]);
        rules[2] = def->chase_weight * ploy_craft_toward(craft, meeting.point, 1.0f);
    }
    float sum = i == 0 ? def->player_factor * lab->rudder : rules[0] + rules[1] + rules[2];
    lab->steer[i] = ploy_clampf(sum, -1.0f, 1.0f);
    if (trace == NULL) return;
    static const char *const names[3] = {"islands", "flock", "chase"};
    int32_t most = 0;
    for (int32_t k = 1; k < 3; k++) {
        if (fabsf(rules[k]) > fabsf(rules[most])) most = k;
    }
    ploy_trace_begin(trace, craft_id(i), "steer", "summed rudder");
    for (int32_t k = 0; k < 3; k++) {
        bool asks = rules[k] != 0.0f;
        ploy_trace_option(trace, names[k],
                          !asks       ? PLOY_OUTCOME_REJECTED
                          : k == most ? PLOY_OUTCOME_WON
                                      : PLOY_OUTCOME_LOST,
                          (double)fabsf(rules[k]),
                          !asks       ? "requests nothing"
                          : k == most ? "pulls the hardest"
                                      : "is added, but weaker");
    }
    ploy_trace_f32(trace, "steer", lab->steer[i]);
    ploy_trace_end(trace);
}

static ploy_result fleet_lab_step(void *state, const ploy_sim_context *context) {
    fleet_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_input_is(input, "left")) lab->rudder = 1.0f;
        if (lab_input_is(input, "right")) lab->rudder = -1.0f;
        if (lab_input_is(input, "ahead")) lab->rudder = 0.0f;
        if (lab_input_is(input, "turn to")) {
            lab->rudder = ploy_craft_toward(lab->craft[0], lab_input_point(input), 0.5f);
        }
    }
    ploy_kinematics view = ploy_kinematics_of(lab->craft, lab->def.craft_count);
    for (int32_t i = 0; i < lab->def.craft_count; i++) steer_craft(lab, i, view, context->trace);
    for (int32_t i = 0; i < lab->def.craft_count; i++) {
        ploy_craft_controls controls = {1.0f, lab->steer[i]};
        lab->craft[i] = ploy_craft_step(&lab->def.craft, lab->craft[i], controls, context->dt);
        lab->craft[i] = ploy_bounds_apply(&lab->def.bounds, lab->craft[i]);
    }
    return PLOY_OK;
}

static void fleet_lab_draw(const void *state, ploy_draw *out) {
    const fleet_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "boat");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "leader");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "player");
    ploy_draw_key(out, PLOY_STYLE_WALL, "islands");
    ploy_draw_key(out, PLOY_STYLE_FORCE, "rudder");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "neighborhood of the player");
    ploy_bounds_draw(&lab->def.bounds, out);
    for (int32_t i = 0; i < ISLANDS; i++) {
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, ploy_agent_id_none(),
                       islands[i].centre, islands[i].radius, 0.35f);
    }
    ploy_draw_circle(out, PLOY_LAYER_SENSES, PLOY_STYLE_GHOST, craft_id(0), lab->craft[0].position,
                     lab->def.flock.radius);
    for (int32_t i = 0; i < lab->def.craft_count; i++) {
        const ploy_kinematic *craft = &lab->craft[i];
        ploy_vec2 heading = ploy_angle_heading(craft->orientation), side = ploy_vec2_perp(heading);
        float half = 0.5f * lab->def.craft.length;
        ploy_vec2 bow = ploy_vec2_add_scaled(craft->position, heading, half);
        ploy_vec2 stern = ploy_vec2_add_scaled(craft->position, heading, -half);
        ploy_vec2 hull[3] = {bow, ploy_vec2_add_scaled(stern, side, 0.3f * half),
                             ploy_vec2_add_scaled(stern, side, -0.3f * half)};
        ploy_style style = i == 0              ? PLOY_STYLE_AGENT_C
                           : is_leader(lab, i) ? PLOY_STYLE_AGENT_B
                                               : PLOY_STYLE_AGENT_A;
        ploy_draw_polygon(out, PLOY_LAYER_AGENTS, style, craft_id(i), hull, 3, 0.8f);
        ploy_draw_arrow(out, PLOY_LAYER_FORCES, PLOY_STYLE_FORCE, craft_id(i), bow,
                        ploy_vec2_add_scaled(bow, side, lab->steer[i]));
    }
    ploy_draw_text(out, craft_id(0),
                   ploy_vec2_make(lab->craft[0].position.x, lab->craft[0].position.y + 1.0f),
                   "player");
}

static void fleet_lab_describe(const void *state, ploy_describe *out) {
    const fleet_lab *lab = state;
    ploy_describe_f32(out, "rudder", PLOY_STATE, lab->rudder);
    ploy_vec2 course = ploy_vec2_zero();
    for (int32_t i = 0; i < lab->def.craft_count; i++) {
        lab_begin_numbered(out, "craft", i, craft_id(i));
        ploy_kinematic_describe(&lab->craft[i], PLOY_STATE, out);
        ploy_describe_f32(out, "steer", PLOY_STATE, lab->steer[i]);
        ploy_describe_end(out);
        course = ploy_vec2_add(course, ploy_angle_heading(lab->craft[i].orientation));
    }
    ploy_describe_f32(out, "one course", PLOY_DERIVED,
                      ploy_vec2_length(course) / (float)lab->def.craft_count);
}

static const ploy_command fleet_lab_commands[] = {
    {"turn to", "the player's rudder toward there", PLOY_VALUE_VEC2, false, "Pointer"},
    {"left", "the player's rudder hard left", PLOY_VALUE_NONE, false, "ArrowLeft"},
    {"right", "the player's rudder hard right", PLOY_VALUE_NONE, false, "ArrowRight"},
    {"ahead", "the player's rudder amidships", PLOY_VALUE_NONE, false, "ArrowUp"},
};

extern const ploy_sim_type ploy_lab_fleet; // in labs.c
const ploy_sim_type ploy_lab_fleet = {
    .name = "fleet",
    .title = "A fleet that flocks by the rudder",
    .help =
        "Craft with bow thrusters: every rule adds to one number, the steer. Steer the player "
        "with the arrow keys; leaders chase it, the others follow what they see. Narrow the view "
        "and they go in file.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-20.0f, -12.0f, 20.0f, 12.0f},
    .fields = fleet_lab_get_fields,
    .commands = fleet_lab_commands,
    .command_count = sizeof fleet_lab_commands / sizeof fleet_lab_commands[0],
    .create = fleet_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = fleet_lab_step,
    .draw = fleet_lab_draw,
    .describe = fleet_lab_describe,
};
