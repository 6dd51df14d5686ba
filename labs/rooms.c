// The lab of rooms: a building of twelve rooms with doors, a duct and a camera, a guard in each
// room, and a dog. A click makes a noise, drops a smell, or opens and shuts the nearest door; what
// a guard senses lights it up, smells colour the rooms, and the dog follows the scent upward.
//
// The graph and everything else lie in the region, which goes with the simulation.
#include <math.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/base/number.h"
#include "ploy/world/room_senses.h"

enum { ROOMS_WIDE = 4, ROOMS_HIGH = 3, ROOMS_COUNT = ROOMS_WIDE * ROOMS_HIGH };
enum { ROOMS_DOORS_MAX = 2 * ROOMS_COUNT, ROOMS_DOG = ROOMS_COUNT, ROOMS_AGENTS = ROOMS_COUNT + 1 };
enum { ROOMS_SIGHT, ROOMS_SOUND, ROOMS_SMELL, ROOMS_MODALITIES };

static const float rooms_side = 6.0f; // m

typedef enum rooms_click { ROOMS_CLICK_NOISE, ROOMS_CLICK_SMELL, ROOMS_CLICK_DOOR } rooms_click;

static const char *const rooms_clicks[] = {"noise", "smell", "door"};

typedef struct rooms_lab_def {
    uint32_t cookie;
    rooms_click click;
    float loudness;
    float stench;
    float threshold;
    float wind;
    float dog_speed;
} rooms_lab_def;

static const ploy_field rooms_lab_fields[] = {
    PLOY_FIELD_ENUM(rooms_lab_def, click, ROOMS_CLICK_NOISE, rooms_clicks,
                    "what a click does: makes a noise, drops a smell, turns the nearest door"),
    PLOY_FIELD_F32(rooms_lab_def, loudness, 5, 0, 100, "", "strength of a noise"),
    PLOY_FIELD_F32(rooms_lab_def, stench, 20, 0, 100, "", "strength of a smell"),
    PLOY_FIELD_F32(rooms_lab_def, threshold, 0.5, 0, 10, "", "of the guards"),
    PLOY_FIELD_F32(rooms_lab_def, wind, 0, -5, 5, "m/s", "to the right"),
    PLOY_FIELD_F32(rooms_lab_def, dog_speed, 2, 0, 10, "m/s", "of the dog"),
};

static ploy_fields rooms_lab_get_fields(void) {
    return PLOY_FIELDS(rooms_lab_def, rooms_lab_fields);
}

typedef struct rooms_agent {
    ploy_vec2 at;
    float lit;        // s, still
    int32_t modality; // of the last percept
    float intensity;
    ploy_vec2 from; // where it seemed to come from
} rooms_agent;

typedef struct rooms_door {
    int32_t link; // and the one behind it, the other way
    ploy_vec2 at;
    bool open;
} rooms_door;

typedef struct rooms_lab {
    rooms_lab_def def; // as of the last step
    ploy_modalities *modalities;
    ploy_room_graph *graph;
    ploy_room_senses *senses;
    double now;
    int32_t percepts; // since the start
    int32_t door_count;
    rooms_door doors[ROOMS_DOORS_MAX];
    rooms_agent agents[ROOMS_AGENTS];
    ploy_vec2 last_noise;
    double noise_at; // s, below 0: none yet
} rooms_lab;

static ploy_agent_id rooms_agent_id(int32_t i) {
    return ploy_agent_id_make((uint32_t)i, 1);
}

static bool rooms_pose(void *user, ploy_agent_id agent, ploy_pose *out) {
    const rooms_lab *lab = user;
    if (agent.id.index >= ROOMS_AGENTS) return false;
    *out = ploy_pose_make2(lab->agents[agent.id.index].at, 0.0f, 0.3f);
    return true;
}

static ploy_vec2 rooms_corner(int32_t room) {
    return ploy_vec2_make(rooms_side * (float)(room % ROOMS_WIDE),
                          rooms_side * (float)(room / ROOMS_WIDE));
}

// Two links, there and back, and the door that shuts both.
static void rooms_add_door(rooms_lab *lab, ploy_room_link *links, int32_t *count, int32_t a,
                           int32_t b, float x, float y) {
    ploy_vec3 at = ploy_vec3_make(x, y, 0.0f);
    rooms_door door = {*count, ploy_vec2_make(x, y), true};
    links[(*count)++] = ploy_room_link_make(a, b, at, at, lab->modalities);
    links[(*count)++] = ploy_room_link_make(b, a, at, at, lab->modalities);
    lab->doors[lab->door_count++] = door;
}

static ploy_result rooms_build(rooms_lab *lab, const ploy_env *env) {
    static const char *const names[ROOMS_COUNT] = {"gate",   "yard",  "store",  "kiln",
                                                   "hall",   "stair", "study",  "guard",
                                                   "cellar", "well",  "armory", "vault"};
    ploy_room nodes[ROOMS_COUNT];
    ploy_room_link links[2 * ROOMS_DOORS_MAX + 2];
    int32_t count = 0;
    for (int32_t i = 0; i < ROOMS_COUNT; i++) {
        ploy_vec2 low = rooms_corner(i);
        ploy_vec2 high = ploy_vec2_add(low, ploy_vec2_make(rooms_side, rooms_side));
        nodes[i] = ploy_room_make(names[i], ploy_zone_box(low, high), lab->modalities);
        // The third and fourth column have no door between them in the middle row.
        if (i % ROOMS_WIDE > 0 && i != 7) {
            rooms_add_door(lab, links, &count, i - 1, i, low.x, low.y + 0.5f * rooms_side);
        }
        if (i >= ROOMS_WIDE && i % ROOMS_WIDE % 2 == 0) {
            rooms_add_door(lab, links, &count, i - ROOMS_WIDE, i, low.x + 0.5f * rooms_side, low.y);
        }
    }
    // A duct from the cellar to the guard room carries smell alone; the camera in the vault shows
    // the vault in the gate house.
    ploy_vec2 cellar = rooms_corner(8), guard = rooms_corner(7), vault = rooms_corner(11);
    ploy_room_link *duct = &links[count++];
    *duct =
        ploy_room_link_make(8, 7, ploy_vec3_make(cellar.x + 5.5f, cellar.y + 5.5f, 0.0f),
                            ploy_vec3_make(guard.x + 1.0f, guard.y + 5.5f, 0.0f), lab->modalities);
    duct->attenuation[ROOMS_SIGHT] = duct->attenuation[ROOMS_SOUND] = 0.0f;
    duct->attenuation[ROOMS_SMELL] = 0.98f;
    ploy_room_link *camera = &links[count++];
    *camera = ploy_room_link_make(11, 0, ploy_vec3_make(vault.x + 5.5f, vault.y + 5.5f, 0.0f),
                                  ploy_vec3_make(1.0f, 1.0f, 0.0f), lab->modalities);
    camera->distance = 0.0f;
    camera->attenuation[ROOMS_SOUND] = camera->attenuation[ROOMS_SMELL] = 0.0f;
    return ploy_room_graph_create(nodes, ROOMS_COUNT, links, count, lab->modalities, env,
                                  &lab->graph);
}

static ploy_result rooms_set_sensor(rooms_lab *lab, int32_t i) {
    ploy_sensor sensor = ploy_sensor_make(rooms_agent_id(i));
    for (int32_t m = 0; m < ROOMS_MODALITIES; m++) {
        (void)ploy_sensor_set(&sensor, m, lab->def.threshold);
    }
    return ploy_room_senses_set_sensor(lab->senses, &sensor);
}

static ploy_result rooms_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    rooms_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->noise_at = -1.0;
    ploy_modality modalities[ROOMS_MODALITIES] = {ploy_modality_of(PLOY_SENSE_SIGHT),
                                                  ploy_modality_of(PLOY_SENSE_SOUND),
                                                  ploy_modality_of(PLOY_SENSE_SMELL)};
    modalities[ROOMS_SOUND].inverse_speed = 0.05f; // 20 m/s, so that the wave can be seen
    modalities[ROOMS_SMELL].attenuation = 0.95f;
    modalities[ROOMS_SMELL].max_range = 100.0f;
    modalities[ROOMS_SMELL].dissipation = 0.05f;
    modalities[ROOMS_SMELL].min_intensity = 0.05f;
    modalities[ROOMS_SMELL].wind = 0.3f;
    ploy_result result =
        ploy_modalities_create(modalities, ROOMS_MODALITIES, env, &lab->modalities);
    if (result == PLOY_OK) result = rooms_build(lab, env);
    ploy_room_senses_def def = ploy_room_senses_def_default();
    def.log = 32;
    ploy_pose_source poses = {rooms_pose, lab};
    if (result == PLOY_OK) {
        result = ploy_room_senses_create(&def, lab->graph, poses, env, &lab->senses);
    }
    for (int32_t i = 0; result == PLOY_OK && i < ROOMS_AGENTS; i++) {
        ploy_vec2 place = ploy_vec2_make(ploy_rng_range_at(key, (uint32_t)i, 0, 0, 1.0f, 5.0f),
                                         ploy_rng_range_at(key, (uint32_t)i, 0, 1, 1.0f, 5.0f));
        lab->agents[i].at = ploy_vec2_add(rooms_corner(i % ROOMS_COUNT), place);
        lab->agents[i].modality = -1;
        result = rooms_set_sensor(lab, i);
    }
    if (result == PLOY_OK) *out = lab;
    return result;
}

static void rooms_told(void *user, const ploy_percept *percept) {
    rooms_lab *lab = user;
    rooms_agent *agent = &lab->agents[percept->sensor.id.index];
    agent->lit = 1.0f;
    agent->modality = percept->signal.modality;
    agent->intensity = percept->intensity;
    agent->from = ploy_vec2_make(percept->from.x, percept->from.y);
    lab->percepts++;
}

static ploy_result rooms_turn_door(rooms_lab *lab, ploy_vec2 at) {
    rooms_door *best = &lab->doors[0];
    for (int32_t i = 1; i < lab->door_count; i++) {
        float gap = ploy_vec2_distance_sq(lab->doors[i].at, at);
        if (gap < ploy_vec2_distance_sq(best->at, at)) best = &lab->doors[i];
    }
    best->open = !best->open;
    float gain = best->open ? 1.0f : 0.0f;
    ploy_result result = ploy_room_senses_set_link(lab->senses, best->link, gain);
    if (result == PLOY_OK) {
        result = ploy_room_senses_set_link(lab->senses, best->link + 1, gain);
    }
    return result;
}

static ploy_result rooms_signal(rooms_lab *lab, rooms_click what, ploy_vec2 at) {
    bool smell = what == ROOMS_CLICK_SMELL;
    ploy_signal signal = ploy_signal_make(
        smell ? ROOMS_SMELL : ROOMS_SOUND, smell ? lab->def.stench : lab->def.loudness,
        ploy_vec3_make(at.x, at.y, 0.0f), ploy_name_of(smell ? "stench" : "crash"));
    ploy_result result = ploy_room_senses_add_signal(lab->senses, &signal, lab->now);
    if (result == PLOY_ERR_NOT_FOUND) return PLOY_OK; // outside the building no one notices
    if (!smell) lab->last_noise = at, lab->noise_at = lab->now;
    return result;
}

// The dog goes where it smells more, through doors; without a scent it stays.
static void rooms_walk_dog(rooms_lab *lab, float dt, ploy_trace *trace) {
    rooms_agent *dog = &lab->agents[ROOMS_DOG];
    ploy_smell_trail trail;
    ploy_vec3 from = ploy_vec3_make(dog->at.x, dog->at.y, 0.0f);
    bool scent = ploy_room_senses_trail(lab->senses, ROOMS_SMELL, from, &trail);
    ploy_trace_begin(trace, rooms_agent_id(ROOMS_DOG), "way", "up the scent");
    ploy_trace_option(trace, "follow the scent", scent ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      (double)NAN, scent ? "it smells stronger there" : "nothing smells here");
    ploy_trace_option(trace, "stay", scent ? PLOY_OUTCOME_LOST : PLOY_OUTCOME_WON, (double)NAN,
                      scent ? "there is a scent to follow" : "there is no scent to follow");
    if (scent) ploy_trace_vec2(trace, "toward", trail.toward.x, trail.toward.y);
    ploy_trace_end(trace);
    if (!scent) return;
    ploy_vec2 goal = ploy_vec2_make(trail.toward.x, trail.toward.y);
    if (trail.link >= 0) { // a step beyond the door, into the next room
        ploy_vec3 centre = ploy_zone_centre(&ploy_room_graph_node(lab->graph, trail.node)->zone);
        ploy_vec2 next = ploy_vec2_make(centre.x, centre.y);
        if (ploy_vec2_distance(dog->at, goal) < 0.3f) goal = next;
    }
    ploy_vec2 way = ploy_vec2_sub(goal, dog->at);
    float step = ploy_minf(lab->def.dog_speed * dt, ploy_vec2_length(way));
    dog->at = ploy_vec2_add_scaled(dog->at, ploy_vec2_normalise(way), step);
}

// An agent that stays where it is: whether it attends to what it perceived.
static void rooms_explain(const rooms_lab *lab, int32_t index, ploy_trace *trace) {
    const rooms_agent *agent = &lab->agents[index];
    bool heard = agent->lit > 0.0f;
    ploy_trace_begin(trace, rooms_agent_id(index), "attention", "percepts");
    ploy_trace_option(trace, "attend to it", heard ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      (double)agent->intensity,
                      heard ? "it was perceived less than a second ago"
                            : "no signal above its threshold in the last second");
    ploy_trace_option(trace, "stay calm", heard ? PLOY_OUTCOME_LOST : PLOY_OUTCOME_WON,
                      (double)lab->def.threshold,
                      heard ? "a signal was above its threshold" : "nothing to attend to");
    if (heard) ploy_trace_vec2(trace, "from", agent->from.x, agent->from.y);
    ploy_trace_end(trace);
}

static ploy_result rooms_lab_step(void *user, const ploy_sim_context *context) {
    rooms_lab *lab = user;
    float threshold = lab->def.threshold;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->now = (double)context->tick / 60.0;
    ploy_result result =
        ploy_room_senses_set_wind(lab->senses, ploy_vec3_make(lab->def.wind, 0.0f, 0.0f));
    for (int32_t i = 0; result == PLOY_OK && i < ROOMS_AGENTS; i++) {
        if (lab->def.threshold != threshold) result = rooms_set_sensor(lab, i);
        lab->agents[i].lit = ploy_maxf(lab->agents[i].lit - context->dt, 0.0f);
    }
    // Something goes on without a click, too: a crash and a pot that boils over, now and then.
    if (result == PLOY_OK && context->tick % 600 == 60) {
        ploy_vec2 at = ploy_vec2_add(rooms_corner(5), ploy_vec2_make(3.0f, 3.0f));
        result = rooms_signal(lab, ROOMS_CLICK_NOISE, at);
    }
    if (result == PLOY_OK && context->tick % 1800 == 120) {
        ploy_vec2 at = ploy_vec2_add(rooms_corner(8), ploy_vec2_make(2.0f, 3.0f));
        result = rooms_signal(lab, ROOMS_CLICK_SMELL, at);
    }
    for (int32_t i = 0; result == PLOY_OK && i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_COMMAND) continue;
        ploy_vec2 at = lab_input_point_within(input, 1000.0f, 1000.0f);
        result = lab->def.click == ROOMS_CLICK_DOOR ? rooms_turn_door(lab, at)
                                                    : rooms_signal(lab, lab->def.click, at);
    }
    if (result != PLOY_OK) return result;
    rooms_walk_dog(lab, context->dt, context->trace);
    result = ploy_room_senses_step(lab->senses, lab->now, NULL, rooms_told, lab);
    for (int32_t i = 0; i < ROOMS_AGENTS; i++) {
        if (i != ROOMS_DOG) rooms_explain(lab, i, context->trace);
    }
    return result;
}

static void rooms_lab_draw(const void *state, ploy_draw *out) {
    const rooms_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "guards");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "dog");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "open door");
    ploy_draw_key(out, PLOY_STYLE_BAD, "shut door");
    ploy_draw_key(out, PLOY_STYLE_PATH, "air duct");
    ploy_draw_key(out, PLOY_STYLE_FORCE, "noise, and who hears it");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "smell, and the dog that follows it");
    ploy_agent_id nobody = ploy_agent_id_none();
    for (int32_t i = 0; i < ROOMS_COUNT; i++) {
        const ploy_room *node = ploy_room_graph_node(lab->graph, i);
        ploy_vec2 low = node->zone.box.min, high = node->zone.box.max;
        ploy_vec2 outline[5] = {low, {high.x, low.y}, high, {low.x, high.y}, low};
        ploy_draw_polyline(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, outline, 5);
        ploy_draw_text(out, nobody, ploy_vec2_make(low.x + 0.3f, high.y - 0.7f), node->name);
    }
    ploy_room_senses_draw(lab->senses, out);
    for (int32_t i = 0; i < lab->door_count; i++) {
        const rooms_door *door = &lab->doors[i];
        const ploy_room_link *link = ploy_room_graph_link(lab->graph, door->link);
        bool upright = link->to - link->from == 1;
        ploy_vec2 half = upright ? ploy_vec2_make(0.0f, 0.7f) : ploy_vec2_make(0.7f, 0.0f);
        ploy_draw_line(out, PLOY_LAYER_PATHS, door->open ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD, nobody,
                       ploy_vec2_sub(door->at, half), ploy_vec2_add(door->at, half));
        ploy_draw_disc(out, PLOY_LAYER_PATHS, door->open ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD, nobody,
                       door->at, 0.25f, 1.0f);
    }
    const ploy_room_link *duct =
        ploy_room_graph_link(lab->graph, ploy_room_graph_link_count(lab->graph) - 2);
    ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, nobody,
                   ploy_vec2_make(duct->start.x, duct->start.y),
                   ploy_vec2_make(duct->end.x, duct->end.y));
    float age = (float)(lab->now - lab->noise_at);
    if (lab->noise_at >= 0.0 && age < 3.0f) {
        ploy_draw_circle(out, PLOY_LAYER_SENSES, PLOY_STYLE_FORCE, nobody, lab->last_noise,
                         20.0f * age);
    }
    for (int32_t i = 0; i < ROOMS_AGENTS; i++) {
        const rooms_agent *agent = &lab->agents[i];
        ploy_style style = i == ROOMS_DOG ? PLOY_STYLE_AGENT_C : PLOY_STYLE_AGENT_A;
        ploy_vec2 way = ploy_vec2_sub(agent->from, agent->at);
        if (agent->lit > 0.0f) {
            ploy_style lit = agent->modality == ROOMS_SMELL ? PLOY_STYLE_WARNING : PLOY_STYLE_FORCE;
            ploy_draw_disc(out, PLOY_LAYER_SENSES, lit, rooms_agent_id(i), agent->at,
                           0.5f + 0.5f * agent->lit, 0.5f);
            ploy_draw_arrow(out, PLOY_LAYER_SENSES, lit, rooms_agent_id(i), agent->at,
                            ploy_vec2_add_scaled(agent->at, ploy_vec2_normalise(way), 1.5f));
        }
        ploy_draw_agent(out, style, rooms_agent_id(i), agent->at, ploy_atan2f(way.y, way.x), 0.35f);
    }
}

static void rooms_lab_describe(const void *state, ploy_describe *out) {
    const rooms_lab *lab = state;
    ploy_describe_i64(out, "percepts", PLOY_STATE, lab->percepts);
    ploy_describe_vec2(out, "last noise", PLOY_STATE, lab->last_noise.x, lab->last_noise.y);
    ploy_describe_f64(out, "noise at", PLOY_STATE, lab->noise_at);
    ploy_describe_begin(out, "rooms");
    for (int32_t i = 0; i < ROOMS_COUNT; i++) {
        ploy_describe_f32(out, ploy_room_graph_node(lab->graph, i)->name, PLOY_DERIVED,
                          ploy_room_senses_smell(lab->senses, ROOMS_SMELL, i));
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "agents");
    for (int32_t i = 0; i < ROOMS_AGENTS; i++) {
        const rooms_agent *agent = &lab->agents[i];
        char name[PLOY_PRINT_I64_SIZE];
        ploy_print_i64(i, name);
        ploy_describe_begin_agent(out, i == ROOMS_DOG ? "dog" : name, rooms_agent_id(i));
        ploy_describe_vec2(out, "at", PLOY_STATE, agent->at.x, agent->at.y);
        ploy_describe_f32(out, "lit", PLOY_STATE, agent->lit);
        ploy_describe_i64(out, "modality", PLOY_STATE, agent->modality);
        ploy_describe_f32(out, "intensity", PLOY_STATE, agent->intensity);
        ploy_describe_vec2(out, "from", PLOY_STATE, agent->from.x, agent->from.y);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "senses");
    ploy_room_senses_describe(lab->senses, out);
    ploy_describe_end(out);
}

static const ploy_command rooms_lab_commands[] = {
    {"click", "make a noise, drop a smell or turn a door, as the parameter says", PLOY_VALUE_VEC2,
     false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_rooms; // in labs.c
const ploy_sim_type ploy_lab_rooms = {
    .name = "rooms",
    .title = "Sound and smell through rooms",
    .help = "Click to make a noise or, as the parameter says, to drop a smell or to open and shut "
            "the nearest door. Guards light up when they sense something; the dog follows smells.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-1.0f, -1.0f, 25.0f, 19.0f},
    .fields = rooms_lab_get_fields,
    .commands = rooms_lab_commands,
    .command_count = sizeof rooms_lab_commands / sizeof rooms_lab_commands[0],
    .create = rooms_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = rooms_lab_step,
    .draw = rooms_lab_draw,
    .describe = rooms_lab_describe,
};
