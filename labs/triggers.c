// The lab of triggers: walkers in a yard with a wall across it. Plates open its door for a while,
// packs heal and grow back, a bell rings now and then and agents that hear it come to look, and a
// click places more of all this.
//
// Walkers tire as they go; who is weak looks for the nearest pack that is there, as a bot would.
// All state lives in the region: the block triggers_lab and the system it points to.
#include <math.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/base/number.h"
#include "ploy/world/trigger.h"

enum { TRIGGERS_WALKERS_MAX = 200 };

static const float triggers_half_width = 14.0f;  // m
static const float triggers_half_height = 8.0f;  // m
static const float triggers_door_half = 1.5f;    // m
static const float triggers_body = 0.3f;         // m
static const float triggers_health_max = 100.0f; // points

typedef enum triggers_place {
    TRIGGERS_PLACE_NOISE,
    TRIGGERS_PLACE_PLATE,
    TRIGGERS_PLACE_PACK,
    TRIGGERS_PLACE_MINE,
    TRIGGERS_PLACE_HINT,
    TRIGGERS_PLACE_NOTHING
} triggers_place;

static const char *const triggers_places[] = {"noise", "plate", "pack", "mine", "hint", "remove"};

typedef struct triggers_lab_def {
    uint32_t cookie;
    int32_t walkers;
    triggers_place place;
    float speed;
    float tests_per_second;
    float respawn;
    float loudness;
    float door_time;
    float tiring;
} triggers_lab_def;

static const ploy_field triggers_lab_fields[] = {
    PLOY_FIELD_I32_FIXED(triggers_lab_def, walkers, 24, 1, TRIGGERS_WALKERS_MAX, "",
                         "how many walk about"),
    PLOY_FIELD_ENUM(triggers_lab_def, place, TRIGGERS_PLACE_NOISE, triggers_places,
                    "what a click places: a noise, a plate that opens the door, a pack, a mine "
                    "that goes off once, a hint at the third visit; or it removes what is there"),
    PLOY_FIELD_F32(triggers_lab_def, speed, 2, 0, 20, "m/s", "of the walkers"),
    PLOY_FIELD_F32(triggers_lab_def, tests_per_second, 8, 1, 60, "1/s",
                   "how often a walker tests triggers; does not change for existing walkers"),
    PLOY_FIELD_F32(triggers_lab_def, respawn, 6, 0.1, 60, "s", "until a new pack is back"),
    PLOY_FIELD_F32(triggers_lab_def, loudness, 6, 0.5, 30, "m", "how far a noise is heard"),
    PLOY_FIELD_F32(triggers_lab_def, door_time, 3, 0, 60, "s", "the door stays open after a plate"),
    PLOY_FIELD_F32(triggers_lab_def, tiring, 4, 0, 100, "1/s", "health lost in a second"),
};

static ploy_fields triggers_lab_get_fields(void) {
    return PLOY_FIELDS(triggers_lab_def, triggers_lab_fields);
}

typedef struct triggers_walker {
    ploy_vec2 at;
    ploy_vec2 goal;
    float health;
    float surprised; // s, still
} triggers_walker;

typedef struct triggers_lab {
    triggers_lab_def def; // as of the last step
    ploy_triggers *triggers;
    ploy_rng_key key;
    uint64_t tick;
    double door_until; // s
    int32_t count;
    int32_t heard, healed, hints; // since the start
    triggers_walker walkers[TRIGGERS_WALKERS_MAX];
} triggers_lab;

static ploy_agent_id triggers_walker_id(int32_t i) {
    return ploy_agent_id_make((uint32_t)i, 1);
}

static bool triggers_lab_pose(void *user, ploy_agent_id agent, ploy_pose *out) {
    const triggers_lab *lab = user;
    if (agent.id.index >= (uint32_t)lab->count) return false;
    *out = ploy_pose_make2(lab->walkers[agent.id.index].at, 0.0f, triggers_body);
    return true;
}

static ploy_vec2 triggers_somewhere(const triggers_lab *lab, int32_t walker, uint64_t tick) {
    float x = ploy_rng_range_at(lab->key, (uint32_t)walker, tick, 0, -triggers_half_width + 1.0f,
                                triggers_half_width - 1.0f);
    float y = ploy_rng_range_at(lab->key, (uint32_t)walker, tick, 1, -triggers_half_height + 1.0f,
                                triggers_half_height - 1.0f);
    return ploy_vec2_make(x, y);
}

static ploy_result triggers_put(triggers_lab *lab, triggers_place place, ploy_vec2 at) {
    ploy_trigger_def def = ploy_trigger_def_default();
    ploy_zone zone = ploy_zone_circle(at, 0.5f);
    if (place == TRIGGERS_PLACE_NOISE) {
        int32_t ticks = ploy_trigger_sound_ticks(60.0f, lab->def.tests_per_second);
        def = ploy_trigger_def_sound(ploy_vec3_make(at.x, at.y, 0.0f), lab->def.loudness,
                                     ploy_name_of("noise"), ploy_agent_id_none(), ticks);
    } else if (place == TRIGGERS_PLACE_PACK) {
        def = ploy_trigger_def_giver(zone, ploy_name_of("health"), 40.0f, 1);
        def.respawn_s = lab->def.respawn;
    } else {
        ploy_vec2 corner = ploy_vec2_make(1.0f, 1.0f);
        zone = ploy_zone_box(ploy_vec2_sub(at, corner), ploy_vec2_add(at, corner));
        def = ploy_trigger_def_plate(zone, ploy_name_of(triggers_places[place]));
        if (place == TRIGGERS_PLACE_MINE) def.after = PLOY_TRIGGER_ONCE;
        if (place == TRIGGERS_PLACE_HINT) def.visits = 3, def.visits_each = true;
    }
    def.user = (uint64_t)place;
    return ploy_triggers_add(lab->triggers, &def, NULL);
}

static ploy_result triggers_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                       void **out) {
    static const struct {
        triggers_place place;
        ploy_vec2 at;
    } yard[] = {
        {TRIGGERS_PLACE_PLATE, {-4.0f, -5.0f}}, {TRIGGERS_PLACE_PLATE, {4.0f, 5.0f}},
        {TRIGGERS_PLACE_PACK, {-11.0f, 5.0f}},  {TRIGGERS_PLACE_PACK, {-8.0f, -2.0f}},
        {TRIGGERS_PLACE_PACK, {11.0f, -5.0f}},  {TRIGGERS_PLACE_PACK, {8.0f, 2.0f}},
        {TRIGGERS_PLACE_HINT, {11.0f, 5.0f}},   {TRIGGERS_PLACE_MINE, {-11.0f, -5.0f}},
    };
    triggers_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->key = key;
    lab->count = lab->def.walkers;
    ploy_triggers_def def = ploy_triggers_def_default();
    def.agents = lab->count;
    ploy_result result = ploy_triggers_create(&def, env, &lab->triggers);
    for (int32_t i = 0; result == PLOY_OK && i < lab->count; i++) {
        triggers_walker *walker = &lab->walkers[i];
        walker->at = triggers_somewhere(lab, i, 0);
        walker->goal = triggers_somewhere(lab, i, 1);
        walker->health = ploy_rng_range_at(key, (uint32_t)i, 2, 0, 30.0f, triggers_health_max);
        ploy_trigger_agent_def agent = ploy_trigger_agent_def_default();
        agent.tests_per_second = lab->def.tests_per_second;
        agent.first_test_s = (float)i / ((float)lab->count * lab->def.tests_per_second);
        result = ploy_triggers_add_agent(lab->triggers, triggers_walker_id(i), &agent);
    }
    for (size_t i = 0; result == PLOY_OK && i < sizeof yard / sizeof yard[0]; i++) {
        result = triggers_put(lab, yard[i].place, yard[i].at);
    }
    if (result == PLOY_OK) *out = lab;
    return result;
}

static void triggers_lab_told(void *user, const ploy_trigger_event *event) {
    triggers_lab *lab = user;
    if (event->what != PLOY_TRIGGER_FIRED) return;
    triggers_walker *walker = &lab->walkers[event->agent.id.index];
    ploy_vec2 at = ploy_vec2_make(event->position.x, event->position.y);
    switch ((triggers_place)event->user) {
    case TRIGGERS_PLACE_NOISE:
        walker->goal = at;
        walker->surprised = 1.0f;
        lab->heard++;
        break;
    case TRIGGERS_PLACE_PLATE: lab->door_until = event->now + (double)lab->def.door_time; break;
    case TRIGGERS_PLACE_PACK:
        walker->health = ploy_minf(walker->health + event->amount, triggers_health_max);
        lab->healed++;
        break;
    case TRIGGERS_PLACE_MINE:
        // It can be heard, too: what a callback adds takes part from the next tick on.
        walker->health = 1.0f;
        (void)triggers_put(lab, TRIGGERS_PLACE_NOISE, at);
        break;
    case TRIGGERS_PLACE_HINT: lab->hints++; break;
    case TRIGGERS_PLACE_NOTHING: break;
    }
}

// Why a walker looks for a pack, or does not.
static void triggers_tell(const triggers_walker *walker, int32_t index, const char *no,
                          ploy_trace *trace) {
    ploy_trace_begin(trace, triggers_walker_id(index), "goal",
                     "weak ones look for the nearest pack");
    ploy_trace_option(trace, "a pack", no == NULL ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      (double)NAN, no == NULL ? "it is weak, and a pack can be reached" : no);
    ploy_trace_option(trace, walker->surprised > 0.0f ? "the noise" : "where it was going",
                      no == NULL ? PLOY_OUTCOME_LOST : PLOY_OUTCOME_WON, (double)NAN,
                      no == NULL                 ? "health comes first"
                      : walker->surprised > 0.0f ? "it has just heard something"
                                                 : "nothing calls for another goal");
    ploy_trace_f32(trace, "health", walker->health);
    ploy_trace_end(trace);
}

// Toward the goal, held by the wall unless it is passed through the open door.
static void triggers_walk(triggers_lab *lab, int32_t index, float dt, bool open,
                          ploy_trace *trace) {
    triggers_walker *walker = &lab->walkers[index];
    walker->health = ploy_maxf(walker->health - lab->def.tiring * dt, 1.0f);
    walker->surprised = ploy_maxf(walker->surprised - dt, 0.0f);
    ploy_trigger_id pack;
    ploy_trigger_state state;
    ploy_vec3 from = ploy_vec3_make(walker->at.x, walker->at.y, 0.0f);
    const char *no = NULL;
    if (walker->health >= 30.0f) {
        no = "it is not weak";
    } else if (walker->surprised > 0.0f) {
        no = "it has just heard something";
    } else if (!ploy_triggers_find(lab->triggers, ploy_name_of("health"), from, &pack) ||
               !ploy_triggers_get(lab->triggers, pack, &state)) {
        no = "no pack is there now";
    } else {
        ploy_vec3 at = ploy_zone_centre(&state.def.zone);
        bool same_side = (at.x < 0.0f) == (walker->at.x < 0.0f);
        if (!same_side && !open) no = "the nearest pack is behind the wall, and the door is shut";
        if (no == NULL) walker->goal = ploy_vec2_make(at.x, at.y);
    }
    if (trace != NULL) triggers_tell(walker, index, no, trace);
    ploy_vec2 way = ploy_vec2_sub(walker->goal, walker->at);
    float speed = lab->def.speed * (0.4f + 0.6f * walker->health / triggers_health_max);
    ploy_vec2 to = walker->goal;
    if (ploy_vec2_length(way) > speed * dt) {
        to = ploy_vec2_add_scaled(walker->at, ploy_vec2_normalise(way), speed * dt);
    } else {
        walker->goal = triggers_somewhere(lab, index, lab->tick + 2);
    }
    bool in_door = fabsf(to.y) < triggers_door_half && open;
    if ((to.x < 0.0f) != (walker->at.x < 0.0f) && !in_door) {
        // Through the door if it is open, else somewhere on this side.
        float side = walker->at.x < 0.0f ? -1.0f : 1.0f;
        ploy_vec2 other = triggers_somewhere(lab, index, lab->tick + 2);
        walker->goal =
            open ? ploy_vec2_make(-side, 0.0f) : ploy_vec2_make(side * fabsf(other.x), other.y);
        to = ploy_vec2_make(walker->at.x, to.y - to.y * (open ? 0.02f : 0.0f));
    }
    walker->at = to;
}

static void triggers_remove_near(triggers_lab *lab, ploy_vec2 at) {
    uint32_t cursor = 0;
    ploy_trigger_id id;
    ploy_trigger_state state;
    while (ploy_triggers_next(lab->triggers, &cursor, &id)) {
        if (!ploy_triggers_get(lab->triggers, id, &state)) continue;
        if (ploy_zone_touches(&state.def.zone, ploy_vec3_make(at.x, at.y, 0.0f), 0.2f)) {
            (void)ploy_triggers_remove(lab->triggers, id);
        }
    }
}

static ploy_result triggers_lab_step(void *user, const ploy_sim_context *context) {
    triggers_lab *lab = user;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->tick = context->tick;
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_COMMAND) continue;
        ploy_vec2 at = lab_input_point_within(input, 100.0f, 100.0f);
        ploy_result result = PLOY_OK;
        if (lab->def.place == TRIGGERS_PLACE_NOTHING) {
            triggers_remove_near(lab, at);
        } else {
            result = triggers_put(lab, lab->def.place, at);
        }
        if (result != PLOY_OK) return result;
    }
    if (context->tick % 420 == 60) {
        float side = context->tick % 840 == 60 ? 1.0f : -1.0f;
        ploy_result result =
            triggers_put(lab, TRIGGERS_PLACE_NOISE, ploy_vec2_make(side * 7.0f, side * -2.0f));
        if (result != PLOY_OK) return result;
    }
    double now = (double)context->tick / 60.0;
    for (int32_t i = 0; i < lab->count; i++) {
        triggers_walk(lab, i, context->dt, now < lab->door_until, context->trace);
    }
    ploy_pose_source poses = {triggers_lab_pose, lab};
    return ploy_triggers_step(lab->triggers, now, &poses, triggers_lab_told, lab);
}

static void triggers_lab_draw(const void *state, ploy_draw *out) {
    const triggers_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "walker");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "walker that is hurt");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "walker that is surprised, or a sound");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "items, and the open door");
    ploy_draw_key(out, PLOY_STYLE_BAD, "shut door");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "places with a trigger");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "trigger that sleeps");
    ploy_agent_id nobody = ploy_agent_id_none();
    bool open = (double)lab->tick / 60.0 < lab->door_until;
    ploy_vec2 wall[4] = {{0.0f, -triggers_half_height},
                         {0.0f, -triggers_door_half},
                         {0.0f, triggers_door_half},
                         {0.0f, triggers_half_height}};
    ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, wall[0], wall[1]);
    ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, wall[2], wall[3]);
    ploy_vec2 leaf =
        open ? ploy_vec2_make(2.0f * triggers_door_half, -triggers_door_half) : wall[2];
    ploy_draw_line(out, PLOY_LAYER_WORLD, open ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD, nobody, wall[1],
                   leaf);
    ploy_triggers_draw(lab->triggers, out);
    uint32_t cursor = 0;
    ploy_trigger_id id;
    ploy_trigger_state trigger;
    while (ploy_triggers_next(lab->triggers, &cursor, &id)) {
        if (!ploy_triggers_get(lab->triggers, id, &trigger)) continue;
        ploy_box2 box = ploy_zone_bounds(&trigger.def.zone);
        ploy_vec2 label = ploy_vec2_make(box.min.x, box.max.y + 0.15f);
        ploy_draw_text(out, nobody, label, triggers_places[trigger.def.user]);
    }
    for (int32_t i = 0; i < lab->count; i++) {
        const triggers_walker *walker = &lab->walkers[i];
        ploy_style style = walker->surprised > 0.0f ? PLOY_STYLE_WARNING
                           : walker->health < 30.0f ? PLOY_STYLE_AGENT_B
                                                    : PLOY_STYLE_AGENT_A;
        ploy_vec2 way = ploy_vec2_sub(walker->goal, walker->at);
        ploy_draw_agent(out, style, triggers_walker_id(i), walker->at, ploy_atan2f(way.y, way.x),
                        triggers_body);
    }
}

static void triggers_lab_describe(const void *state, ploy_describe *out) {
    const triggers_lab *lab = state;
    ploy_describe_f64(out, "door until", PLOY_STATE, lab->door_until);
    ploy_describe_i64(out, "heard", PLOY_STATE, lab->heard);
    ploy_describe_i64(out, "healed", PLOY_STATE, lab->healed);
    ploy_describe_i64(out, "hints", PLOY_STATE, lab->hints);
    ploy_describe_begin(out, "walkers");
    for (int32_t i = 0; i < lab->count; i++) {
        const triggers_walker *walker = &lab->walkers[i];
        char name[PLOY_PRINT_I64_SIZE];
        ploy_print_i64(i, name);
        ploy_describe_begin_agent(out, name, triggers_walker_id(i));
        ploy_describe_vec2(out, "at", PLOY_STATE, walker->at.x, walker->at.y);
        ploy_describe_vec2(out, "goal", PLOY_STATE, walker->goal.x, walker->goal.y);
        ploy_describe_f32(out, "health", PLOY_STATE, walker->health);
        ploy_describe_f32(out, "surprised", PLOY_STATE, walker->surprised);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "system");
    ploy_triggers_describe(lab->triggers, out);
    ploy_describe_end(out);
}

static const ploy_command triggers_lab_commands[] = {
    {"click", "place what the parameter says, or remove what is there", PLOY_VALUE_VEC2, false,
     "Pointer"},
};

extern const ploy_sim_type ploy_lab_triggers; // in labs.c
const ploy_sim_type ploy_lab_triggers = {
    .name = "triggers",
    .title = "Triggers",
    .help = "Walkers step on plates that open the door, take packs that grow back, and come to "
            "look at noises. Click to make a noise or, as the parameter says, to place the rest.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-15.0f, -9.0f, 15.0f, 9.0f},
    .fields = triggers_lab_get_fields,
    .commands = triggers_lab_commands,
    .command_count = sizeof triggers_lab_commands / sizeof triggers_lab_commands[0],
    .create = triggers_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = triggers_lab_step,
    .draw = triggers_lab_draw,
    .describe = triggers_lab_describe,
};
