// The lab of jumping, seen from the side: a runner goes from ledge to ledge by jump links, each
// with its run-up; below it another one runs to and fro over chasms that only hole fillers mark.
// Click a ledge to send the runner there; push it, and see it notice.
//
// All state is in the one block jumping_lab, and in the scene. The picture's x is ahead, its y
// is up.
#include <math.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/move/integrate.h"
#include "ploy/move/jump.h"

enum { LEDGES = 6, CHASMS = 3, GAP_LAYER = 2 };

typedef struct ledge {
    float from, to; // m, along x
    float height;   // m
} ledge;

static const ledge ledges[LEDGES] = {{-19, -13, 0},   {-10.5f, -6.5f, 0}, {-4.2f, 0.5f, 1},
                                     {3.2f, 7, 0.4f}, {9.4f, 12.6f, 1},   {15, 19, 0}};
// The floor below: solid but for these.
static const ledge chasms[CHASMS] = {{-11, -8.5f, -8}, {-1, 2.2f, -8}, {9, 11, -8}};
static const float floor_height = -7.0f, pit = -4.0f, floor_end = 18.0f; // m
static const float body_radius = 0.35f;

typedef struct jumping_lab_def {
    uint32_t cookie;
    bool roaming;
    float look;
    float hop_speed;
    ploy_jump_def jump;
    ploy_integrate_def motion;
} jumping_lab_def;

static const ploy_field jumping_lab_fields[] = {
    PLOY_FIELD_BOOL(jumping_lab_def, roaming, true, "the runner chooses another ledge by itself"),
    PLOY_FIELD_F32(jumping_lab_def, look, 6, 0.5, 50, "m", "how far the one below looks for gaps"),
    PLOY_FIELD_F32(jumping_lab_def, hop_speed, 3, 0, 100, "m/s",
                   "the least with which the one below dares to jump"),
    PLOY_FIELD_DEF(jumping_lab_def, jump, ploy_jump_fields, "what both can do"),
    PLOY_FIELD_DEF(jumping_lab_def, motion, ploy_integrate_fields, "how both move"),
};

static ploy_fields jumping_lab_get_fields(void) {
    return PLOY_FIELDS(jumping_lab_def, jumping_lab_fields);
}

// A person who runs and jumps.
typedef struct jumper {
    ploy_kinematic body; // along x; its y is 0
    ploy_steering steering;
    float height, climb; // m, m/s
    uint32_t flying;
    int32_t jumps, falls;
} jumper;

typedef struct jumping_lab {
    jumping_lab_def def;
    jumper runner, hopper;
    ploy_jump jump;     // of the runner
    int32_t at, target; // ledges
    int32_t stuck;      // times that a link could not be done
    float way;          // of the hopper: 1 right, -1 left
    ploy_plain_scene *gaps;
} jumping_lab;

static ploy_agent_id runner_id(void) {
    return ploy_agent_id_make(1, 1);
}
static ploy_agent_id hopper_id(void) {
    return ploy_agent_id_make(2, 1);
}

// The link from a ledge to its neighbour: off at its end, down a little behind the other's edge.
static ploy_jump_point link_from(int32_t from, int32_t to) {
    const ledge *a = &ledges[from], *b = &ledges[to];
    bool right = to > from;
    ploy_jump_point point = {{right ? a->to - 0.3f : a->from + 0.3f, 0.0f, a->height},
                             {right ? b->from + 0.7f : b->to - 0.7f, 0.0f, b->height},
                             PLOY_JUMP_MATCH,
                             5.0f,
                             {0.0f, 0.0f}};
    return point;
}

static int32_t next_ledge(const jumping_lab *lab) {
    return lab->target > lab->at ? lab->at + 1 : lab->target < lab->at ? lab->at - 1 : lab->at;
}

static void place_runner(jumping_lab *lab, int32_t at) {
    lab->runner.body =
        ploy_kinematic_make(ploy_vec2_make(0.5f * (ledges[at].from + ledges[at].to), 0.0f), 0.0f);
    lab->runner.height = ledges[at].height;
    lab->runner.climb = 0.0f;
    lab->runner.flying = 0;
    lab->at = at;
    memset(&lab->jump, 0, sizeof lab->jump);
}

static ploy_result jumping_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                      void **out) {
    jumping_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    ploy_plain_scene_def scene = ploy_plain_scene_def_default();
    ploy_result result = ploy_plain_scene_create(&scene, env, &lab->gaps);
    for (int32_t i = 0; i < CHASMS && result == PLOY_OK; i++) {
        ploy_obstacle filler = {
            {{chasms[i].from + 0.1f, 0.0f}, {chasms[i].to - 0.1f, 0.0f}}, 0.1f, GAP_LAYER};
        result = ploy_plain_scene_add(lab->gaps, &filler, NULL);
    }
    if (result != PLOY_OK) return result; // the region goes, and all that is in it
    place_runner(lab, ploy_rng_int_at(key, 0, 0, 0, 0, LEDGES - 1));
    lab->target = lab->at < LEDGES / 2 ? LEDGES - 1 : 0;
    lab->hopper.body = ploy_kinematic_make(ploy_vec2_make(-16.0f, 0.0f), 0.0f);
    lab->hopper.height = floor_height;
    lab->way = 1.0f;
    *out = lab;
    return PLOY_OK;
}

// ---- step ----

static void apply_inputs(jumping_lab *lab, const ploy_sim_context *context) {
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_input_is(input, "go")) {
            float x = lab_input_point(input).x, best = INFINITY;
            for (int32_t k = 0; k < LEDGES; k++) {
                float off = fabsf(x - 0.5f * (ledges[k].from + ledges[k].to));
                if (off < best) lab->target = k;
                best = ploy_minf(best, off);
            }
        } else if (lab_input_is(input, "push") && lab->runner.flying == 0) {
            lab->runner.body.velocity.x *= -0.5f;
        }
    }
}

// Takes off; from here on gravity alone counts.
static void take_off(jumper *who, ploy_vec3 velocity) {
    who->body.velocity = ploy_vec2_make(velocity.x, 0.0f);
    who->climb = velocity.z;
    who->flying = 1;
    who->jumps++;
    who->steering = ploy_steering_none();
}

static void fly(const jumping_lab *lab, jumper *who, float dt) {
    // Exact for a constant gravity, so that the jump lands where it was computed to.
    who->body.position.x += who->body.velocity.x * dt;
    who->height += who->climb * dt - 0.5f * lab->def.jump.gravity * dt * dt;
    who->climb -= lab->def.jump.gravity * dt;
}

// The ledge under a place, or -1.
static int32_t ledge_under(float x) {
    for (int32_t i = 0; i < LEDGES; i++) {
        if (x >= ledges[i].from && x <= ledges[i].to) return i;
    }
    return -1;
}

static void run_and_jump(jumping_lab *lab, const ploy_sim_context *context) {
    jumper *who = &lab->runner;
    if (who->flying != 0) {
        float before = who->height;
        fly(lab, who, context->dt);
        int32_t under = ledge_under(who->body.position.x);
        if (under >= 0 && who->climb < 0.0f && before >= ledges[under].height &&
            who->height <= ledges[under].height) {
            who->height = ledges[under].height;
            who->flying = 0;
            lab->at = under;
            memset(&lab->jump, 0, sizeof lab->jump);
        } else if (who->height < pit) {
            who->falls++;
            place_runner(lab, lab->at);
        }
        return;
    }
    if (lab->target == lab->at && lab->def.roaming) {
        lab->target = ploy_rng_int_at(context->key, 1, context->tick, 0, 0, LEDGES - 1);
    }
    int32_t next = next_ledge(lab);
    bool over = lab->jump.phase == PLOY_JUMP_IDLE || lab->jump.phase == PLOY_JUMP_MISSED;
    if (next != lab->at && over) {
        ploy_jump_point point = link_from(lab->at, next);
        lab->jump = ploy_jump_begin(&lab->def.jump, &point, who->body.position);
    }
    if (lab->jump.phase == PLOY_JUMP_IMPOSSIBLE) {
        lab->stuck++;
        lab->target = lab->at; // somewhere else, then
        memset(&lab->jump, 0, sizeof lab->jump);
    }
    who->steering = ploy_jump_steer(&lab->def.jump, &lab->jump, who->body);
    ploy_jump_trace(&lab->def.jump, &lab->jump, runner_id(), context->trace);
    if (lab->jump.phase == PLOY_JUMP_NOW) {
        take_off(who, ploy_jump_velocity(&lab->def.jump, &lab->jump, who->body.velocity));
        fly(lab, who, context->dt);
        return;
    }
    ploy_integrate_def motion = lab->def.motion;
    motion.max_speed = ploy_minf(motion.max_speed, lab->def.jump.max_speed);
    who->body = ploy_integrate(&motion, who->body, who->steering, context->dt);
    // No runner leaves a ledge: its edge is a wall except for jumps.
    float x = ploy_clampf(who->body.position.x, ledges[lab->at].from, ledges[lab->at].to);
    if (x != who->body.position.x) who->body.velocity.x = 0.0f;
    who->body.position.x = x;
}

static bool over_chasm(float x) {
    for (int32_t i = 0; i < CHASMS; i++) {
        if (x > chasms[i].from && x < chasms[i].to) return true;
    }
    return false;
}

static void hop_over(jumping_lab *lab, const ploy_sim_context *context) {
    jumper *who = &lab->hopper;
    const ploy_jump_def *def = &lab->def.jump;
    if (who->flying != 0 || over_chasm(who->body.position.x)) {
        float before = who->height;
        fly(lab, who, context->dt);
        // Below the floor there is no path back onto it.
        if (before >= floor_height && who->height <= floor_height &&
            !over_chasm(who->body.position.x)) {
            who->height = floor_height;
            who->flying = 0;
        } else if (who->height < floor_height + 2.0f * pit) {
            who->falls++;
            who->body = ploy_kinematic_make(ploy_vec2_make(-16.0f, 0.0f), 0.0f);
            who->height = floor_height;
            who->climb = 0.0f;
            who->flying = 0;
            lab->way = 1.0f;
        }
        return;
    }
    who->climb = 0.0f;
    if (fabsf(who->body.position.x) > floor_end - 2.0f) {
        lab->way = who->body.position.x > 0.0f ? -1.0f : 1.0f;
    }
    ploy_scene scene = ploy_plain_scene_interface(lab->gaps);
    bool now = false;
    who->steering = ploy_jump_detect(def, &scene, GAP_LAYER, who->body, lab->def.look, body_radius,
                                     lab->def.hop_speed, &now);
    ploy_trace_begin(context->trace, hopper_id(), "steer", "jump detector");
    bool gap = who->steering.requested != 0;
    ploy_trace_option(context->trace, "gap", gap ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      gap ? 1.0 : 0.0, gap ? "a gap is ahead: all it has" : "no gap is in sight");
    ploy_trace_option(context->trace, "walk", gap ? PLOY_OUTCOME_LOST : PLOY_OUTCOME_WON,
                      gap ? 0.0 : 1.0, "to the end of the floor and back");
    ploy_trace_end(context->trace);
    if (now) {
        take_off(who, ploy_vec3_make(who->body.velocity.x, 0.0f, def->take_off_speed));
        fly(lab, who, context->dt);
        return;
    }
    if (!gap) {
        float wanted = 0.5f * lab->way * def->max_speed;
        ploy_vec2 push = {(wanted - who->body.velocity.x) / def->time_to_target, 0.0f};
        who->steering = ploy_steering_make(ploy_vec2_limit(push, def->max_acceleration), 0.0f);
    }
    ploy_integrate_def motion = lab->def.motion;
    motion.max_speed = ploy_minf(motion.max_speed, def->max_speed);
    who->body = ploy_integrate(&motion, who->body, who->steering, context->dt);
    who->body.position.y = who->body.velocity.y = 0.0f;
}

static ploy_result jumping_lab_step(void *state, const ploy_sim_context *context) {
    jumping_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    apply_inputs(lab, context);
    run_and_jump(lab, context);
    hop_over(lab, context);
    return PLOY_OK;
}

// ---- sight ----

static void draw_ground(float from, float to, float height, float depth, ploy_draw *out) {
    ploy_vec2 block[4] = {
        {from, height}, {to, height}, {to, height - depth}, {from, height - depth}};
    ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, ploy_agent_id_none(), block, 4,
                      0.35f);
}

static void draw_jumper(const jumper *who, ploy_style style, ploy_agent_id id, ploy_draw *out) {
    ploy_vec2 at = {who->body.position.x, who->height + body_radius};
    ploy_vec2 velocity = {who->body.velocity.x, who->flying != 0 ? who->climb : 0.0f};
    ploy_draw_agent(out, style, id, at, velocity.x < 0.0f ? PLOY_PI_F : 0.0f, body_radius);
    ploy_draw_arrow(out, PLOY_LAYER_FORCES, PLOY_STYLE_VELOCITY, id, at,
                    ploy_vec2_add_scaled(at, velocity, 0.4f));
    ploy_vec2 above = {at.x, at.y + 0.7f};
    ploy_steering flat = who->steering;
    ploy_steering_draw(&flat, above, 0.15f, id, out);
}

// The flight of a link, as the character would take it.
static void draw_link(const jumping_lab *lab, int32_t from, int32_t to, ploy_draw *out) {
    enum { POINTS = 17 };
    ploy_jump_point point = link_from(from, to);
    ploy_jump_need need;
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_vec2 a = {point.take_off.x, point.take_off.z}, b = {point.landing.x, point.landing.z};
    if (!ploy_jump_find(&lab->def.jump, point.take_off, point.landing, &need)) {
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_BAD, nobody, a, b);
        return;
    }
    ploy_vec2 arc[POINTS];
    for (int32_t i = 0; i < POINTS; i++) {
        float t = need.time * (float)i / (POINTS - 1);
        arc[i].x = a.x + need.velocity.x * t;
        arc[i].y = a.y + lab->def.jump.take_off_speed * t - 0.5f * lab->def.jump.gravity * t * t;
    }
    ploy_draw_polyline(out, PLOY_LAYER_PATHS, PLOY_STYLE_GOOD, nobody, arc, POINTS);
}

static void jumping_lab_draw(const void *state, ploy_draw *out) {
    const jumping_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "runner over ledges");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "hopper over gaps");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "jump that is possible");
    ploy_draw_key(out, PLOY_STYLE_BAD, "jump that is too far");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "gap");
    ploy_draw_key(out, PLOY_STYLE_PATH, "run-up");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "ledge to reach");
    for (int32_t i = 0; i < LEDGES; i++) {
        draw_ground(ledges[i].from, ledges[i].to, ledges[i].height, 0.6f, out);
        if (i + 1 < LEDGES) draw_link(lab, i, i + 1, out);
    }
    float from = -floor_end - 2.0f;
    for (int32_t i = 0; i < CHASMS; i++) {
        draw_ground(from, chasms[i].from, floor_height, 2.5f, out);
        ploy_vec2 gap[4] = {{chasms[i].from, floor_height},
                            {chasms[i].to, floor_height},
                            {chasms[i].to, floor_height - 0.5f},
                            {chasms[i].from, floor_height - 0.5f}};
        ploy_draw_polygon(out, PLOY_LAYER_REGIONS, PLOY_STYLE_WARNING, ploy_agent_id_none(), gap, 4,
                          0.25f);
        from = chasms[i].to;
    }
    draw_ground(from, floor_end + 2.0f, floor_height, 2.5f, out);
    const ledge *goal = &ledges[lab->target];
    ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_TARGET, ploy_agent_id_none(),
                   ploy_vec2_make(0.5f * (goal->from + goal->to), goal->height - 0.3f), 0.2f, 1.0f);
    if (lab->jump.phase == PLOY_JUMP_RUN_UP || lab->jump.phase == PLOY_JUMP_RUNNING) {
        float z = lab->jump.point.take_off.z + 0.1f;
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, runner_id(),
                       ploy_vec2_make(lab->jump.start.x, z),
                       ploy_vec2_make(lab->jump.point.take_off.x, z));
    }
    draw_jumper(&lab->runner, PLOY_STYLE_AGENT_A, runner_id(), out);
    draw_jumper(&lab->hopper, PLOY_STYLE_AGENT_B, hopper_id(), out);
    const char *says =
        lab->runner.flying != 0 ? "in the air" : ploy_jump_phase_text(lab->jump.phase);
    ploy_draw_text(out, runner_id(),
                   ploy_vec2_make(lab->runner.body.position.x, lab->runner.height + 1.8f), says);
}

static void describe_jumper(const jumper *who, const char *name, ploy_agent_id id,
                            ploy_describe *out) {
    ploy_describe_begin_agent(out, name, id);
    ploy_kinematic_describe(&who->body, PLOY_STATE, out);
    ploy_describe_f32(out, "height", PLOY_STATE, who->height);
    ploy_describe_f32(out, "climb", PLOY_STATE, who->climb);
    ploy_describe_bool(out, "in the air", PLOY_STATE, who->flying != 0);
    ploy_describe_i64(out, "jumps", PLOY_STATE, who->jumps);
    ploy_describe_i64(out, "falls", PLOY_STATE, who->falls);
    ploy_describe_end(out);
}

static void jumping_lab_describe(const void *state, ploy_describe *out) {
    const jumping_lab *lab = state;
    describe_jumper(&lab->runner, "runner", runner_id(), out);
    ploy_describe_i64(out, "ledge", PLOY_STATE, lab->at);
    ploy_describe_i64(out, "target", PLOY_STATE, lab->target);
    ploy_describe_i64(out, "stuck", PLOY_STATE, lab->stuck);
    ploy_describe_begin(out, "jump");
    ploy_jump_describe(&lab->jump, out);
    ploy_describe_end(out);
    describe_jumper(&lab->hopper, "hopper", hopper_id(), out);
    ploy_describe_f32(out, "way", PLOY_STATE, lab->way);
}

static const ploy_command jumping_lab_commands[] = {
    {"go", "send the runner to the ledge there", PLOY_VALUE_VEC2, false, "Pointer"},
    {"push", "push the runner back", PLOY_VALUE_NONE, false, "p"},
};

extern const ploy_sim_type ploy_lab_jumping; // in labs.c
const ploy_sim_type ploy_lab_jumping = {
    .name = "jumping",
    .title = "Jumping",
    .help =
        "A runner jumps from ledge to ledge with a run-up for each link; below, another one only "
        "knows that gaps are ahead. Click a ledge to send the runner there, push it on its "
        "run-up, or change what they can do.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-20.0f, -12.0f, 20.0f, 12.0f},
    .fields = jumping_lab_get_fields,
    .commands = jumping_lab_commands,
    .command_count = sizeof jumping_lab_commands / sizeof jumping_lab_commands[0],
    .create = jumping_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = jumping_lab_step,
    .draw = jumping_lab_draw,
    .describe = jumping_lab_describe,
};
