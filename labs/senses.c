// The lab of senses: two guards and an intruder among walls, bushes and shadows. The intruder walks
// to wherever is clicked, is seen as far as light, cover and clothes allow, is heard when it
// hurries and leaves a scent that drifts with the wind. Guards remember, turn to what they sensed
// last, and the picture says what each knows and why not more.
//
// All state is in the one block senses_lab, the guards' memories and the sense manager, all in the
// region; scene and modalities lie there too and never change.
#include <math.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"
#include "ploy/geom/scene.h"
#include "ploy/world/sense_memory.h"
#include "ploy/world/senses.h"
#include "ploy/world/target.h"

enum { SENSES_GUARDS = 2, SENSES_STOPS = 4, SENSES_ROUTE = 6 };
enum { SENSES_BRICK = 1, SENSES_BUSH = 2, SENSES_HEDGE = 4 }; // layers of the scene
enum { SENSES_SOUND, SENSES_SMELL };                          // modalities

static const char *const senses_clothes[] = {"plain", "green", "brick"};
static const char *const senses_clicks[] = {"walk", "noise"};

// How clothes show before brick, leaves and the open.
static const float senses_factors[] = {1.0f, 1.0f, 1.0f, 0.9f, 0.1f, 1.5f, 0.15f, 1.0f, 1.2f};
static const ploy_camouflage senses_camouflage = {senses_factors, 3, 3};

typedef struct senses_shadow {
    ploy_vec2 centre;
    float radius; // m
} senses_shadow;

static const senses_shadow senses_shadows[] = {{{-12.0f, 6.5f}, 4.0f}, {{9.0f, -6.0f}, 4.5f}};

typedef struct senses_wall {
    float x1, y1, x2, y2, radius;
    uint32_t layers;
} senses_wall;

static const senses_wall senses_walls[] = {
    {-19, -11, 19, -11, 0, SENSES_BRICK}, {19, -11, 19, 11, 0, SENSES_BRICK},
    {19, 11, -19, 11, 0, SENSES_HEDGE},   {-19, 11, -19, -11, 0, SENSES_BRICK},
    {-6, 11, -6, 2, 0.1f, SENSES_BRICK},  {-6, -2, -6, -11, 0.1f, SENSES_BRICK},
    {4, 11, 4, 5, 0.1f, SENSES_BRICK},    {4, 1, 4, -5, 0.1f, SENSES_BRICK},
    {12, 1, 19, 1, 0.1f, SENSES_HEDGE},   {-1, -6, -1, -6, 1.0f, SENSES_BUSH},
    {9, 6, 9, 6, 1.2f, SENSES_BUSH},      {-13, -4, -13, -4, 1.0f, SENSES_BUSH},
};

// Where the guards walk, and where the intruder goes without a click.
static const ploy_vec2 senses_posts[SENSES_GUARDS][SENSES_STOPS] = {
    {{-16, -8}, {-9, -8}, {-9, 0}, {-16, 2}},
    {{0, 8}, {1, -1}, {1, -9}, {10, -1}},
};
static const ploy_vec2 senses_route[SENSES_ROUTE] = {{-15, 8}, {-8, 0}, {-1, 3},
                                                     {2, -8},  {8, -7}, {15, -4}};

typedef struct senses_lab_def {
    uint32_t cookie;
    int32_t click;
    int32_t clothes;
    bool moving;
    float intruder_speed;
    float guard_speed;
    float daylight;
    float fog;
    ploy_vec2 wind;
    ploy_sight_def sight;
} senses_lab_def;

static const ploy_field senses_lab_fields[] = {
    PLOY_FIELD_ENUM(senses_lab_def, click, 0, senses_clicks,
                    "what a click does: sends the intruder there, or makes a noise there"),
    PLOY_FIELD_ENUM(senses_lab_def, clothes, 0, senses_clothes, "what the intruder wears"),
    PLOY_FIELD_BOOL(senses_lab_def, moving, true, "the intruder walks its round while left alone"),
    PLOY_FIELD_F32(senses_lab_def, intruder_speed, 3, 0, 8, "m/s",
                   "of the intruder; below 2 its steps are not heard"),
    PLOY_FIELD_F32(senses_lab_def, guard_speed, 1.5, 0, 8, "m/s", "of the guards"),
    PLOY_FIELD_F32(senses_lab_def, daylight, 1, 0, 1, "", "light outside the shadows"),
    PLOY_FIELD_F32(senses_lab_def, fog, 0, 0, 0.5, "1/m", "how thick the fog is"),
    PLOY_FIELD_VEC2(senses_lab_def, wind, 1, 0, -10, 10, "m/s", "where scent drifts"),
    PLOY_FIELD_DEF(senses_lab_def, sight, ploy_sight_fields, "the guards' eyes"),
};

static ploy_fields senses_lab_get_fields(void) {
    return PLOY_FIELDS(senses_lab_def, senses_lab_fields);
}

typedef struct senses_guard {
    ploy_vec2 position;
    float orientation; // rad
    int32_t stop;      // the one it walks to
    ploy_target target;
    ploy_sight sight; // of the last look at the intruder
    int32_t heard;    // percepts so far
    int32_t smelt;
    ploy_sense_memory *memory;
} senses_guard;

typedef struct senses_lab {
    senses_lab_def def; // as of the last step: drawing needs it
    ploy_sight_def eyes;
    senses_guard guards[SENSES_GUARDS];
    ploy_vec2 intruder;
    ploy_vec2 goal;
    float way; // m walked since the last step was heard
    int32_t leg;
    bool sent; // by a click
    double now;
    ploy_plain_scene *scene;
    ploy_scene rays; // the interface over scene
    ploy_modalities *modalities;
    ploy_senses *senses;
    ploy_sense_log *log;
} senses_lab;

static ploy_agent_id senses_guard_id(int32_t i) {
    return ploy_agent_id_make((uint32_t)i + 1, 1);
}

static ploy_agent_id senses_intruder_id(void) {
    return ploy_agent_id_make(SENSES_GUARDS + 1, 1);
}

static bool senses_lab_pose(void *user, ploy_agent_id agent, ploy_pose *out) {
    const senses_lab *lab = user;
    uint32_t index = agent.id.index - 1;
    if (index >= SENSES_GUARDS) return false;
    *out = ploy_pose_make2(lab->guards[index].position, lab->guards[index].orientation, 0.5f);
    return true;
}

// ---- what the guards' eyes need to know

static float senses_lab_light(void *user, ploy_vec3 at) {
    const senses_lab *lab = user;
    for (size_t i = 0; i < sizeof senses_shadows / sizeof senses_shadows[0]; i++) {
        float gap = ploy_vec2_distance(ploy_vec2_from_vec3(at), senses_shadows[i].centre);
        if (gap <= senses_shadows[i].radius) return 0.03f * lab->def.daylight;
    }
    return lab->def.daylight;
}

static ploy_background senses_lab_background(void *user, const ploy_scene_hit *hit) {
    ploy_background behind = {2, -1.0f};
    if (hit == NULL) return behind;
    behind.pattern = (hit->layers & SENSES_BRICK) != 0 ? 0 : 1;
    // Seen from a little before the wall, which itself lies on the edge of what is lit.
    behind.light = senses_lab_light(user, ploy_vec3_add_scaled(hit->point, hit->normal, 0.1f));
    return behind;
}

static ploy_sight_world senses_lab_world(const senses_lab *lab) {
    ploy_sight_world world = ploy_sight_world_make(&lab->rays);
    world.light = senses_lab_light;
    world.background = senses_lab_background;
    world.user = (void *)lab; // the callbacks only read it
    world.camouflage = &senses_camouflage;
    world.daylight = lab->def.daylight;
    world.fog = lab->def.fog;
    return world;
}

static ploy_sight_observer senses_lab_observer(const senses_lab *lab, int32_t i) {
    const senses_guard *guard = &lab->guards[i];
    ploy_sight_observer observer;
    memset(&observer, 0, sizeof observer);
    observer.agent = senses_guard_id(i);
    observer.pose = ploy_pose_make2(guard->position, guard->orientation, 0.5f);
    observer.def = &lab->eyes;
    // A guard that knows of an intruder it cannot see looks around.
    observer.searching =
        ploy_target_present(&guard->target) && !ploy_target_visible(&guard->target, guard->memory);
    return observer;
}

// ---- create

static void senses_lab_take(senses_lab *lab, const void *params) {
    memcpy(&lab->def, params, sizeof lab->def);
    lab->eyes = lab->def.sight;
    lab->eyes.blocks = SENSES_BRICK | SENSES_HEDGE;
    lab->eyes.covers = SENSES_BUSH;
}

static ploy_result senses_make_scene(senses_lab *lab, const ploy_env *env) {
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_result result = ploy_plain_scene_create(&def, env, &lab->scene);
    for (size_t i = 0; i < sizeof senses_walls / sizeof senses_walls[0]; i++) {
        const senses_wall *wall = &senses_walls[i];
        ploy_obstacle obstacle;
        obstacle.segment.from = ploy_vec2_make(wall->x1, wall->y1);
        obstacle.segment.to = ploy_vec2_make(wall->x2, wall->y2);
        obstacle.radius = wall->radius;
        obstacle.layers = wall->layers;
        if (result == PLOY_OK) result = ploy_plain_scene_add(lab->scene, &obstacle, NULL);
    }
    if (result == PLOY_OK) lab->rays = ploy_plain_scene_interface(lab->scene);
    return result;
}

static ploy_result senses_make_manager(senses_lab *lab, const ploy_env *env) {
    ploy_modality modalities[2] = {ploy_modality_of(PLOY_SENSE_SOUND),
                                   ploy_modality_of(PLOY_SENSE_SMELL)};
    modalities[SENSES_SOUND].attenuation = 0.9f;
    modalities[SENSES_SOUND].max_range = 25.0f;
    modalities[SENSES_SOUND].inverse_speed = 1.0f / 20.0f; // slow enough to be watched
    modalities[SENSES_SMELL].max_range = 4.0f;
    modalities[SENSES_SMELL].linger = 6.0f;
    ploy_result result = ploy_modalities_create(modalities, 2, env, &lab->modalities);
    if (result == PLOY_OK) result = ploy_sense_log_create(64, env, &lab->log);
    ploy_senses_def def = ploy_senses_def_default();
    def.policy = PLOY_SENSES_WAVE;
    def.modalities = lab->modalities;
    def.poses.pose = senses_lab_pose;
    def.poses.user = lab;
    def.log = lab->log;
    if (result == PLOY_OK) result = ploy_senses_create(&def, env, &lab->senses);
    for (int32_t i = 0; i < SENSES_GUARDS && result == PLOY_OK; i++) {
        ploy_sensor sensor = ploy_sensor_make(senses_guard_id(i));
        ploy_sensor_set(&sensor, SENSES_SOUND, 0.3f);
        ploy_sensor_set(&sensor, SENSES_SMELL, 0.25f);
        result = ploy_senses_add_sensor(lab->senses, &sensor);
    }
    return result;
}

static ploy_result senses_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                     void **out) {
    senses_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    senses_lab_take(lab, params);
    ploy_result result = senses_make_scene(lab, env);
    if (result == PLOY_OK) result = senses_make_manager(lab, env);
    ploy_sense_memory_def memory = ploy_sense_memory_def_default();
    memory.span = 8.0f;
    memory.half_life = 3.0f;
    memory.heard_position = true;
    for (int32_t i = 0; i < SENSES_GUARDS && result == PLOY_OK; i++) {
        lab->guards[i].stop = (int32_t)(ploy_rng_u32_at(key, (uint32_t)i, 0, 0) % SENSES_STOPS);
        lab->guards[i].position = senses_posts[i][lab->guards[i].stop];
        result = ploy_sense_memory_create(&memory, senses_guard_id(i), env, &lab->guards[i].memory);
    }
    lab->intruder = lab->goal = senses_route[0];
    if (result == PLOY_OK) *out = lab;
    return result;
}

// ---- step

static void senses_percept(void *user, const ploy_percept *percept) {
    senses_lab *lab = user;
    senses_guard *guard = &lab->guards[percept->sensor.id.index - 1];
    ploy_sense_memory_percept(guard->memory, percept, lab->modalities);
    if (percept->signal.modality == SENSES_SOUND) guard->heard++;
    if (percept->signal.modality == SENSES_SMELL) guard->smelt++;
}

static ploy_result senses_emit_at(senses_lab *lab, int32_t modality, float strength, ploy_vec2 at,
                                  const char *cause) {
    ploy_signal signal =
        ploy_signal_make(modality, strength, ploy_vec3_from_vec2(at, 0.0f), ploy_name_of(cause));
    signal.source = senses_intruder_id();
    return ploy_senses_add_signal(lab->senses, &signal, lab->now);
}

static ploy_result senses_inputs(senses_lab *lab, const ploy_sim_context *context) {
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_COMMAND) continue;
        ploy_vec2 at = lab_input_point_within(input, 18.5f, 10.5f);
        if (lab->def.click == 0) {
            lab->goal = at;
            lab->sent = true;
        } else {
            ploy_result result = senses_emit_at(lab, SENSES_SOUND, 2.0f, at, "bang");
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

// Straight to the goal: this is about senses. Steps are heard, scent hangs in the air.
static ploy_result senses_move_intruder(senses_lab *lab, const ploy_sim_context *context) {
    bool there = ploy_vec2_equal(lab->intruder, lab->goal), rounds = !lab->sent && lab->def.moving;
    ploy_trace_begin(context->trace, senses_intruder_id(), "goal", "route");
    ploy_trace_option(context->trace, "where it was sent",
                      lab->sent ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, (double)NAN,
                      lab->sent ? "a click sent it there" : "no click sent it anywhere");
    ploy_trace_option(context->trace, "this place of its round",
                      rounds && !there ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, (double)NAN,
                      !rounds ? "it does not walk its round"
                      : there ? "it is there"
                              : "it is not there yet");
    ploy_trace_option(context->trace, "the next place of its round",
                      rounds && there ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, (double)NAN,
                      !rounds ? "it does not walk its round"
                      : there ? "it reached the last one"
                              : "it has not reached the last one");
    ploy_trace_end(context->trace);
    if (rounds) {
        if (ploy_vec2_equal(lab->intruder, lab->goal)) lab->leg = (lab->leg + 1) % SENSES_ROUTE;
        lab->goal = senses_route[lab->leg];
    }
    ploy_vec2 before = lab->intruder;
    lab->intruder =
        ploy_vec2_toward(lab->intruder, lab->goal, lab->def.intruder_speed * context->dt);
    lab->way += ploy_vec2_distance(before, lab->intruder);
    ploy_result result = PLOY_OK;
    if (lab->way >= 1.5f) {
        lab->way = 0.0f;
        float loud = ploy_maxf(0.0f, 0.4f * (lab->def.intruder_speed - 2.0f));
        if (loud > 0.0f) {
            result = senses_emit_at(lab, SENSES_SOUND, loud, lab->intruder, "step");
        }
    }
    if (result == PLOY_OK && context->tick % 60 == 0) {
        result = senses_emit_at(lab, SENSES_SMELL, 1.0f, lab->intruder, "scent");
    }
    return result;
}

// Walks its round; stops and turns to whatever it knows of.
static void senses_move_guard(senses_lab *lab, int32_t i, float dt) {
    senses_guard *guard = &lab->guards[i];
    ploy_vec3 known;
    ploy_vec2 toward;
    if (ploy_target_position(&guard->target, guard->memory, &known) == PLOY_OK) {
        toward = ploy_vec2_from_vec3(known);
    } else {
        ploy_vec2 stop = senses_posts[i][guard->stop];
        if (ploy_vec2_equal(guard->position, stop)) guard->stop = (guard->stop + 1) % SENSES_STOPS;
        guard->position = ploy_vec2_toward(guard->position, stop, lab->def.guard_speed * dt);
        toward = senses_posts[i][guard->stop];
    }
    ploy_vec2 way = ploy_vec2_sub(toward, guard->position);
    if (ploy_vec2_is_zero(way)) return;
    guard->orientation = ploy_angle_toward(guard->orientation, ploy_angle_of(way), PLOY_PI_F * dt);
}

static void senses_look(senses_lab *lab, int32_t i, ploy_trace *trace) {
    senses_guard *guard = &lab->guards[i];
    ploy_sight_world world = senses_lab_world(lab);
    ploy_sight_observer observer = senses_lab_observer(lab, i);
    ploy_sight_target target;
    memset(&target, 0, sizeof target);
    target.agent = senses_intruder_id();
    target.pose = ploy_pose_make2(lab->intruder, 0.0f, 0.4f);
    target.clothing = lab->def.clothes;
    guard->sight = ploy_sight_test(&observer, &target, &world, trace);
    ploy_sense_memory_sight(guard->memory, target.agent, target.pose.frame.position, &guard->sight,
                            lab->now);
    ploy_sense_memory_forget(guard->memory, lab->now);
    ploy_target_step(&guard->target, guard->memory, observer.pose.frame.position, NULL, lab->now,
                     trace);
}

static ploy_result senses_lab_step(void *state, const ploy_sim_context *context) {
    senses_lab *lab = state;
    senses_lab_take(lab, context->params);
    lab->now = (double)context->tick * (double)context->dt;
    ploy_senses_set_wind(lab->senses, ploy_vec3_from_vec2(lab->def.wind, 0.0f));
    ploy_result result = senses_inputs(lab, context);
    if (result == PLOY_OK) result = senses_move_intruder(lab, context);
    if (result == PLOY_OK) {
        result = ploy_senses_step(lab->senses, lab->now, NULL, senses_percept, lab);
    }
    for (int32_t i = 0; i < SENSES_GUARDS; i++) {
        senses_look(lab, i, context->trace);
        senses_move_guard(lab, i, context->dt);
    }
    return result;
}

// ---- sight

static void senses_lab_draw(const void *state, ploy_draw *out) {
    const senses_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_WARNING, "sharp sight, and sounds");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "where it goes, or is remembered");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "field of view");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "guard");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "guard that has a target");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "intruder");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "bush, hedge");
    ploy_draw_key(out, PLOY_STYLE_BAD, "sees the intruder");
    ploy_agent_id nobody = ploy_agent_id_none(), intruder = senses_intruder_id();
    ploy_sight_world world = senses_lab_world(lab);
    for (size_t i = 0; i < sizeof senses_shadows / sizeof senses_shadows[0]; i++) {
        ploy_draw_disc(out, PLOY_LAYER_REGIONS, PLOY_STYLE_WALL, nobody, senses_shadows[i].centre,
                       senses_shadows[i].radius, 0.25f);
        ploy_draw_text(out, nobody, senses_shadows[i].centre, "shadow");
    }
    for (size_t i = 0; i < sizeof senses_walls / sizeof senses_walls[0]; i++) {
        const senses_wall *wall = &senses_walls[i];
        ploy_vec2 from = {wall->x1, wall->y1}, to = {wall->x2, wall->y2};
        if (wall->layers == SENSES_BUSH) {
            ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_GOOD, nobody, from, wall->radius,
                           0.5f);
        } else {
            ploy_style style = wall->layers == SENSES_HEDGE ? PLOY_STYLE_GOOD : PLOY_STYLE_WALL;
            ploy_draw_line(out, PLOY_LAYER_WORLD, style, nobody, from, to);
        }
    }
    ploy_senses_draw(lab->senses, out);
    for (int32_t i = 0; i < SENSES_GUARDS; i++) {
        const senses_guard *guard = &lab->guards[i];
        ploy_sight_observer observer = senses_lab_observer(lab, i);
        ploy_sight_draw(&observer, &world, out);
        ploy_sense_memory_draw(guard->memory, lab->now, out);
        bool seen = guard->sight.reason == PLOY_SIGHT_SEEN;
        if (seen) {
            ploy_draw_line(out, PLOY_LAYER_SENSES, PLOY_STYLE_BAD, observer.agent, guard->position,
                           lab->intruder);
        }
        ploy_draw_agent(
            out, ploy_target_present(&guard->target) ? PLOY_STYLE_AGENT_B : PLOY_STYLE_AGENT_A,
            observer.agent, guard->position, guard->orientation, 0.5f);
        ploy_vec2 above = {guard->position.x, guard->position.y + 0.8f};
        ploy_draw_text(out, observer.agent, above, ploy_sight_reason_text(guard->sight.reason));
    }
    ploy_draw_point(out, PLOY_LAYER_PATHS, PLOY_STYLE_TARGET, intruder, lab->goal);
    ploy_vec2 way = ploy_vec2_sub(lab->goal, lab->intruder);
    ploy_draw_agent(out, PLOY_STYLE_AGENT_C, intruder, lab->intruder, ploy_angle_of(way), 0.4f);
}

static void senses_lab_describe(const void *state, ploy_describe *out) {
    const senses_lab *lab = state;
    ploy_describe_begin_agent(out, "intruder", senses_intruder_id());
    ploy_describe_vec2(out, "position", PLOY_STATE, lab->intruder.x, lab->intruder.y);
    ploy_describe_vec2(out, "goal", PLOY_STATE, lab->goal.x, lab->goal.y);
    ploy_describe_f32(out, "way", PLOY_STATE, lab->way);
    ploy_describe_i64(out, "leg", PLOY_STATE, lab->leg);
    ploy_describe_bool(out, "sent", PLOY_STATE, lab->sent);
    ploy_describe_end(out);
    for (int32_t i = 0; i < SENSES_GUARDS; i++) {
        const senses_guard *guard = &lab->guards[i];
        ploy_describe_begin_agent(out, i == 0 ? "first guard" : "second guard", senses_guard_id(i));
        ploy_describe_vec2(out, "position", PLOY_STATE, guard->position.x, guard->position.y);
        ploy_describe_f32(out, "orientation", PLOY_STATE, guard->orientation);
        ploy_describe_i64(out, "stop", PLOY_STATE, guard->stop);
        ploy_describe_i64(out, "heard", PLOY_STATE, guard->heard);
        ploy_describe_i64(out, "smelt", PLOY_STATE, guard->smelt);
        ploy_describe_text(out, "sight", PLOY_DERIVED, ploy_sight_reason_text(guard->sight.reason));
        ploy_describe_f32(out, "visibility", PLOY_DERIVED, guard->sight.visibility);
        ploy_describe_f32(
            out, "certainty", PLOY_DERIVED,
            ploy_sense_memory_certainty(guard->memory, senses_intruder_id(), lab->now));
        ploy_target_describe(&guard->target, out);
        ploy_sense_memory_describe(guard->memory, out);
        ploy_describe_end(out);
    }
    ploy_describe_begin(out, "senses");
    ploy_senses_describe(lab->senses, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "log");
    ploy_sense_log_describe(lab->log, 10, out);
    ploy_describe_end(out);
}

static const ploy_command senses_lab_commands[] = {
    {"click", "send the intruder there, or make a noise there", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_senses; // in labs.c
const ploy_sim_type ploy_lab_senses = {
    .name = "senses",
    .title = "Senses",
    .help = "Click to send the intruder somewhere, or, as the parameter says, to make a noise. The "
            "guards say why they see it or not; ghosts are what they remember.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 30.0f,
    .view = {-20.0f, -12.0f, 20.0f, 12.0f},
    .fields = senses_lab_get_fields,
    .commands = senses_lab_commands,
    .command_count = sizeof senses_lab_commands / sizeof senses_lab_commands[0],
    .create = senses_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = senses_lab_step,
    .draw = senses_lab_draw,
    .describe = senses_lab_describe,
};
