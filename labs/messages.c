// The lab of messages: a village whose people write letters that take their time, answer them,
// sleep at night because a clock sends a telegram, and hear shouts nearby.
//
// The registry, the dispatcher, the event manager and the alarms lie in the simulation's region, so
// that what is under way rewinds with everything else. Letters are drawn where they are.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/world/alarms.h"
#include "ploy/world/telegram.h"

enum { MESSAGES_PEOPLE_MAX = 48, MESSAGES_LINES = 14 };

static const float messages_reach = 40.0f; // m, as far as anything may be from the middle

typedef enum messages_click {
    MESSAGES_CLICK_WRITE,
    MESSAGES_CLICK_SHOUT,
    MESSAGES_CLICK_BUILD,
    MESSAGES_CLICK_LEAVE
} messages_click;

static const char *const messages_clicks[] = {"write", "shout", "build", "leave"};

typedef struct messages_lab_def {
    uint32_t cookie;
    int32_t people;
    messages_click click;
    float letters;
    float speed;
    float answers;
    float hearing;
    float clock;
} messages_lab_def;

static const ploy_field messages_lab_fields[] = {
    PLOY_FIELD_I32_FIXED(messages_lab_def, people, 12, 1, MESSAGES_PEOPLE_MAX, "",
                         "how many live in the village at first"),
    PLOY_FIELD_ENUM(messages_lab_def, click, MESSAGES_CLICK_WRITE, messages_clicks,
                    "what a click does: the nearest writes to all, shouts there, a house is "
                    "built, the nearest leaves"),
    PLOY_FIELD_F32(messages_lab_def, letters, 0.3, 0, 10, "1/s", "letters that each writes"),
    PLOY_FIELD_F32(messages_lab_def, speed, 4, 0.1, 100, "m/s", "of a letter"),
    PLOY_FIELD_F32(messages_lab_def, answers, 0.5, 0, 1, "", "how likely a letter is answered"),
    PLOY_FIELD_F32(messages_lab_def, hearing, 9, 0, 100, "m", "how far a shout is heard"),
    PLOY_FIELD_F32(messages_lab_def, clock, 3600, 0, 86400, "s/s", "how fast the clock goes"),
};

static ploy_fields messages_lab_get_fields(void) {
    return PLOY_FIELDS(messages_lab_def, messages_lab_fields);
}

typedef struct messages_lab {
    messages_lab_def def; // as of the last step: drawing needs it
    ploy_entities *entities;
    ploy_telegrams *telegrams;
    ploy_events *events;
    ploy_alarms *alarms;
    ploy_names *names;
    ploy_rng_key key;
    uint64_t tick;
    ploy_name person, letter, thanks;
    uint64_t dusk, dawn, shout; // codes of events
    ploy_vec2 shout_at;
    double shout_time; // s; below 0: none did
    int64_t shouts_heard;
    bool night;
    bool reserved[7];
} messages_lab;

// A telegram has arrived. A villager asleep does not read it.
static ploy_result messages_receive(void *user, const ploy_message *message, bool *handled) {
    messages_lab *lab = user;
    *handled = !lab->night;
    if (lab->night || !ploy_name_equal(message->kind, lab->letter)) return PLOY_OK;
    uint32_t who = message->receiver.id.index;
    if (ploy_rng_float_at(lab->key, who, lab->tick, 3) >= lab->def.answers) return PLOY_OK;
    if (!ploy_entities_has(lab->entities, message->sender)) return PLOY_OK;
    // The answer takes as long as the letter did, whatever the speed is by now.
    double way = 0.0;
    memcpy(&way, message->payload, sizeof way);
    ploy_message answer = ploy_message_make(message->receiver, message->sender, lab->thanks);
    ploy_result result = ploy_telegrams_send(lab->telegrams, &answer, way, NULL);
    return result == PLOY_ERR_MEMORY ? result : PLOY_OK;
}

static ploy_result messages_hear_clock(void *user, const ploy_event *event) {
    messages_lab *lab = user;
    lab->night = event->code == lab->dusk;
    return PLOY_OK;
}

// Every villager listens for shouts about their own house.
static ploy_result messages_hear_shout(void *user, const ploy_event *event) {
    messages_lab *lab = user;
    (void)event;
    lab->shouts_heard++;
    return PLOY_OK;
}

static float messages_way(const messages_lab *lab, ploy_agent_id a, ploy_agent_id b) {
    ploy_pose from, to;
    if (!ploy_entities_pose(lab->entities, a, &from)) return 0.0f;
    if (!ploy_entities_pose(lab->entities, b, &to)) return 0.0f;
    return ploy_vec3_length(ploy_vec3_sub(to.frame.position, from.frame.position));
}

static ploy_result messages_write(messages_lab *lab, ploy_agent_id from, ploy_agent_id to) {
    double way = (double)(messages_way(lab, from, to) / lab->def.speed);
    ploy_message message = ploy_message_make(from, to, lab->letter);
    ploy_result result = ploy_message_set_payload(&message, &way, sizeof way);
    if (result == PLOY_OK) result = ploy_telegrams_send(lab->telegrams, &message, way, NULL);
    // A letter that arrives at once may find no villager awake; only memory is a reason to stop.
    return result == PLOY_ERR_MEMORY ? result : PLOY_OK;
}

static ploy_result messages_build(messages_lab *lab, ploy_vec2 at) {
    if (ploy_entities_count(lab->entities) >= MESSAGES_PEOPLE_MAX) return PLOY_OK;
    ploy_entity entity = ploy_entity_make(lab->person);
    entity.pose = ploy_pose_make2(at, 0.0f, 0.8f);
    ploy_agent_id id;
    ploy_result result = ploy_entities_add(lab->entities, &entity, &id);
    if (result != PLOY_OK) return result;
    ploy_listener listener = {id, messages_hear_shout, lab};
    ploy_interest interest = ploy_interest_code(lab->shout);
    interest.radius = lab->def.hearing;
    return ploy_events_register(lab->events, &listener, interest, NULL);
}

static void messages_gone(void *user, ploy_agent_id id, const ploy_entity *was) {
    messages_lab *lab = user;
    (void)was;
    ploy_events_unregister_agent(lab->events, id);
}

static ploy_result messages_set_clock(messages_lab *lab) {
    static const char *const names[] = {"dawn", "dusk"};
    static const int32_t hours[] = {6, 20};
    ploy_listener listener = {ploy_agent_id_none(), messages_hear_clock, lab};
    for (int32_t i = 0; i < 2; i++) {
        ploy_event event = ploy_event_make(names[i]);
        double at = ploy_alarms_time(lab->alarms, hours[i], 0, 0.0);
        ploy_result result = ploy_alarms_set_daily(lab->alarms, at, true, &event, NULL);
        if (result == PLOY_OK) {
            result =
                ploy_events_register(lab->events, &listener, ploy_interest_code(event.code), NULL);
        }
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result messages_make_parts(messages_lab *lab, const ploy_env *env) {
    ploy_entities_def entities = ploy_entities_def_default();
    ploy_telegrams_def telegrams = ploy_telegrams_def_default();
    ploy_events_def events = ploy_events_def_default();
    ploy_alarms_def alarms = ploy_alarms_def_default();
    entities.capacity = MESSAGES_PEOPLE_MAX;
    telegrams.capacity = 1024;
    telegrams.limit = 1024;
    telegrams.log = 32;
    events.listeners = MESSAGES_PEOPLE_MAX + 4;
    alarms.start = 8.0 * 3600.0; // in the morning
    ploy_result result = ploy_entities_create(&entities, env, &lab->entities);
    if (result == PLOY_OK) result = ploy_telegrams_create(&telegrams, env, &lab->telegrams);
    if (result == PLOY_OK) result = ploy_telegrams_set_entities(lab->telegrams, lab->entities);
    if (result == PLOY_OK) result = ploy_events_create(&events, env, &lab->events);
    if (result == PLOY_OK) result = ploy_alarms_create(&alarms, lab->events, env, &lab->alarms);
    if (result == PLOY_OK) result = ploy_names_create(env, &lab->names);
    static const char *const texts[] = {"person", "letter", "thanks", "dawn", "dusk", "shout"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && result == PLOY_OK; i++) {
        result = ploy_names_add(lab->names, texts[i], NULL);
    }
    return result;
}

static ploy_result messages_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                       void **out) {
    messages_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->key = key;
    lab->shout_time = -1.0;
    lab->person = ploy_name_of("person");
    lab->letter = ploy_name_of("letter");
    lab->thanks = ploy_name_of("thanks");
    lab->dawn = ploy_event_code("dawn");
    lab->dusk = ploy_event_code("dusk");
    lab->shout = ploy_event_code("shout");
    ploy_result result = messages_make_parts(lab, env);
    if (result != PLOY_OK) return result;
    ploy_telegrams_set_receiver(lab->telegrams, messages_receive, lab);
    ploy_events_set_source(lab->events, ploy_entities_pose_source(lab->entities));
    result = ploy_entities_add_hook(lab->entities, messages_gone, lab);
    if (result == PLOY_OK) result = messages_set_clock(lab);
    for (int32_t i = 0; i < lab->def.people && result == PLOY_OK; i++) {
        float sine, cosine;
        ploy_sincosf(PLOY_TWO_PI_F * (float)i / (float)lab->def.people, &sine, &cosine);
        float radius = ploy_rng_range_at(key, (uint32_t)i, 0, 1, 6.0f, 10.0f);
        result = messages_build(lab, ploy_vec2_make(8.0f + 1.4f * radius * cosine, radius * sine));
    }
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_agent_id messages_nearest(const messages_lab *lab, ploy_vec2 at) {
    ploy_agent_id best = ploy_agent_id_none(), id;
    float best_sq = 0.0f;
    ploy_entity_walk walk = ploy_entities_walk(lab->entities);
    while (ploy_entities_walk_next(lab->entities, &walk, &id)) {
        ploy_pose pose;
        if (!ploy_entities_pose(lab->entities, id, &pose)) continue;
        float gap = ploy_vec2_distance_sq(ploy_vec2_from_vec3(pose.frame.position), at);
        if (!ploy_id_is_none(best.id) && gap >= best_sq) continue;
        best = id;
        best_sq = gap;
    }
    return best;
}

static ploy_result messages_clicked(messages_lab *lab, ploy_vec2 at) {
    at = ploy_vec2_make(ploy_clampf(at.x, -messages_reach, messages_reach),
                        ploy_clampf(at.y, -messages_reach, messages_reach));
    ploy_agent_id nearest = messages_nearest(lab, at);
    if (lab->def.click == MESSAGES_CLICK_BUILD) return messages_build(lab, at);
    if (ploy_id_is_none(nearest.id)) return PLOY_OK;
    if (lab->def.click == MESSAGES_CLICK_LEAVE) return ploy_entities_remove(lab->entities, nearest);
    if (lab->def.click == MESSAGES_CLICK_SHOUT) {
        ploy_event event = ploy_event_make("shout");
        event.sender = nearest;
        event.placed = true;
        event.position = ploy_vec3_from_vec2(at, 0.0f);
        lab->shout_at = at;
        lab->shout_time = ploy_telegrams_now(lab->telegrams);
        return ploy_events_raise(lab->events, &event);
    }
    ploy_entity_walk walk = ploy_entities_walk(lab->entities);
    ploy_agent_id id;
    ploy_result result = PLOY_OK;
    while (result == PLOY_OK && ploy_entities_walk_next(lab->entities, &walk, &id)) {
        if (!ploy_id_equal(id.id, nearest.id)) result = messages_write(lab, nearest, id);
    }
    return result;
}

// A villager who is awake writes now and then to another.
static ploy_result messages_everybody_writes(messages_lab *lab, float dt, ploy_trace *trace) {
    int32_t count = ploy_entities_count(lab->entities);
    if (lab->night || count < 2) return PLOY_OK;
    ploy_agent_id people[MESSAGES_PEOPLE_MAX];
    ploy_entity_walk walk = ploy_entities_walk(lab->entities);
    for (int32_t i = 0; i < count; i++) ploy_entities_walk_next(lab->entities, &walk, &people[i]);
    for (int32_t i = 0; i < count; i++) {
        uint32_t who = people[i].id.index;
        if (ploy_rng_float_at(lab->key, who, lab->tick, 0) >= lab->def.letters * dt) continue;
        int32_t other = ploy_rng_int_at(lab->key, who, lab->tick, 2, 0, count - 2);
        if (other >= i) other++;
        ploy_trace_begin(trace, people[i], "write to", "drawn at random");
        for (int32_t k = 0; k < count && trace != NULL; k++) {
            if (k == i) continue;
            char name[32];
            snprintf(name, sizeof name, "%u:%u", (unsigned)people[k].id.index,
                     (unsigned)people[k].id.generation);
            ploy_trace_option(trace, name, k == other ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                              (double)NAN,
                              k == other ? "the draw fell on it" : "the draw fell on another");
        }
        ploy_trace_option(trace, "nobody", PLOY_OUTCOME_REJECTED, (double)NAN,
                          "by chance it is time for a letter");
        ploy_trace_end(trace);
        ploy_result result = messages_write(lab, people[i], people[other]);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result messages_lab_step(void *state, const ploy_sim_context *context) {
    messages_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->key = context->key;
    lab->tick = context->tick;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_input_is(input, "click")) {
            result = messages_clicked(lab, lab_input_point(input));
        } else if (lab_input_is(input, "noon")) {
            double day = 86400.0 * (double)ploy_alarms_day(lab->alarms);
            result = ploy_alarms_jump(lab->alarms, day + 43200.0, PLOY_ALARMS_SKIP, NULL);
            lab->night = false;
        } else if (lab_input_is(input, "dusk")) {
            ploy_event event = ploy_event_make("dusk"); // fired by hand
            result = ploy_events_fire(lab->events, &event, NULL);
        }
    }
    double now = (double)(context->tick + 1) * (double)context->dt;
    double clock = ploy_alarms_now(lab->alarms) + (double)(lab->def.clock * context->dt);
    if (result == PLOY_OK) result = ploy_alarms_step(lab->alarms, clock, NULL);
    if (result == PLOY_OK) result = ploy_events_step(lab->events, context->tick, now, NULL);
    if (result == PLOY_OK) result = messages_everybody_writes(lab, context->dt, context->trace);
    if (result == PLOY_OK) result = ploy_telegrams_step(lab->telegrams, now, NULL, NULL, NULL);
    return result;
}

// ---- sight

static void messages_draw_letters(const messages_lab *lab, ploy_draw *out) {
    int32_t cursor = 0;
    ploy_telegram_id id;
    double now = ploy_telegrams_now(lab->telegrams);
    while (ploy_telegrams_next(lab->telegrams, &cursor, &id)) {
        const ploy_message *message = ploy_telegrams_get(lab->telegrams, id);
        ploy_pose from, to;
        double sent = now;
        ploy_telegrams_sent_at(lab->telegrams, id, &sent);
        // The sender may have left; then the letter is drawn at its goal.
        if (!ploy_entities_pose(lab->entities, message->receiver, &to)) continue;
        if (!ploy_entities_pose(lab->entities, message->sender, &from)) from = to;
        float done = (float)((now - sent) / (message->due - sent));
        ploy_vec2 a = ploy_vec2_from_vec3(from.frame.position);
        ploy_vec2 b = ploy_vec2_from_vec3(to.frame.position);
        ploy_vec2 at = ploy_vec2_lerp(a, b, ploy_clampf(done, 0.0f, 1.0f));
        bool letter = ploy_name_equal(message->kind, lab->letter);
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, message->sender, at, b);
        ploy_draw_disc(out, PLOY_LAYER_PATHS, letter ? PLOY_STYLE_TARGET : PLOY_STYLE_GOOD,
                       message->sender, at, 0.25f, 1.0f);
    }
}

static void messages_draw_lives(const messages_lab *lab, ploy_draw *out) {
    ploy_telegram_life life;
    for (int32_t i = 0; i < MESSAGES_LINES; i++) {
        if (!ploy_telegrams_life(lab->telegrams, i, &life)) return;
        const char *kind = ploy_names_text(lab->names, life.kind);
        char line[96];
        snprintf(line, sizeof line, "#%d %s %u > %u: %s", (int)life.order,
                 kind != NULL ? kind : "?", (unsigned)life.sender.id.index,
                 (unsigned)life.receiver.id.index, ploy_telegram_fate_text(life.fate));
        ploy_draw_text(out, life.receiver, ploy_vec2_make(-25.5f, 11.5f - 1.4f * (float)i), line);
    }
}

static void messages_lab_draw(const void *state, ploy_draw *out) {
    const messages_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "awake");
    ploy_draw_key(out, PLOY_STYLE_WALL, "asleep");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "letter on its way");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "other telegram on its way");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "shout");
    double now = ploy_telegrams_now(lab->telegrams);
    ploy_entity_walk walk = ploy_entities_walk(lab->entities);
    ploy_agent_id id;
    while (ploy_entities_walk_next(lab->entities, &walk, &id)) {
        ploy_pose pose;
        if (!ploy_entities_pose(lab->entities, id, &pose)) continue;
        ploy_vec2 at = ploy_vec2_from_vec3(pose.frame.position);
        ploy_style style = lab->night ? PLOY_STYLE_WALL : PLOY_STYLE_AGENT_A;
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, style, id, at, pose.radius, 1.0f);
        char name[16];
        snprintf(name, sizeof name, "%u", (unsigned)id.id.index);
        ploy_draw_text(out, id, ploy_vec2_make(at.x, at.y + 1.2f), name);
    }
    messages_draw_letters(lab, out);
    if (lab->shout_time >= 0.0 && now - lab->shout_time < 1.0) {
        ploy_draw_circle(out, PLOY_LAYER_SENSES, PLOY_STYLE_WARNING, ploy_agent_id_none(),
                         lab->shout_at, lab->def.hearing * (float)(now - lab->shout_time));
    }
    messages_draw_lives(lab, out);
    int32_t minutes = (int32_t)(ploy_alarms_time_of_day(lab->alarms) / 60.0);
    char clock[48];
    snprintf(clock, sizeof clock, "day %d, %02d:%02d, %s", (int)ploy_alarms_day(lab->alarms),
             (int)(minutes / 60), (int)(minutes % 60), lab->night ? "asleep" : "awake");
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(-25.5f, -12.0f), clock);
}

static void messages_lab_describe(const void *state, ploy_describe *out) {
    const messages_lab *lab = state;
    ploy_describe_bool(out, "night", PLOY_STATE, lab->night);
    ploy_describe_i64(out, "shouts heard", PLOY_STATE, lab->shouts_heard);
    ploy_describe_f64(out, "last shout", PLOY_STATE, lab->shout_time);
    ploy_describe_vec2(out, "shout at", PLOY_STATE, lab->shout_at.x, lab->shout_at.y);
    ploy_describe_begin(out, "people");
    ploy_entities_describe(lab->entities, lab->names, out);
    ploy_describe_end(out);
    ploy_entity_walk walk = ploy_entities_walk(lab->entities);
    ploy_agent_id id;
    while (ploy_entities_walk_next(lab->entities, &walk, &id)) {
        ploy_describe_begin_agent(out, "letters", id);
        ploy_telegrams_describe_agent(lab->telegrams, id, 8, lab->names, out);
        ploy_describe_end(out);
    }
    ploy_describe_begin(out, "telegrams");
    ploy_telegrams_describe(lab->telegrams, lab->names, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "events");
    ploy_events_describe(lab->events, lab->names, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "alarms");
    ploy_alarms_describe(lab->alarms, lab->names, out);
    ploy_describe_end(out);
}

static const ploy_command messages_lab_commands[] = {
    {"click", "write to all, shout, build or leave, as the parameter says", PLOY_VALUE_VEC2, false,
     "Pointer"},
    {"noon", "set the clock to noon, forward or back", PLOY_VALUE_NONE, false, "n"},
    {"dusk", "announce dusk to all, whatever the clock says", PLOY_VALUE_NONE, false, "d"},
};

extern const ploy_sim_type ploy_lab_messages; // in labs.c
const ploy_sim_type ploy_lab_messages = {
    .name = "messages",
    .title = "Messages",
    .help = "People write letters that take their time and answer those they read; at night they "
            "do not. Click to let the nearest write to all, to shout, to build or to leave. "
            "The list shows what became of each letter.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 60.0f,
    .view = {-26.0f, -13.0f, 26.0f, 13.0f},
    .fields = messages_lab_get_fields,
    .commands = messages_lab_commands,
    .command_count = sizeof messages_lab_commands / sizeof messages_lab_commands[0],
    .create = messages_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = messages_lab_step,
    .draw = messages_lab_draw,
    .describe = messages_lab_describe,
};
