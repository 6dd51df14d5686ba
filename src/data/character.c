// Characters made of the public parts; see the header.
//
// Invariants, from create to destroy:
//   (1) characters has crowd.capacity places; the one at a place in use has the id of the crowd's
//       agent there, a navigator and a memory;
//   (2) a failed call leaves the cast as it was.
#include "ploy/data/character.h"

#include <string.h>

#include "ploy/base/math.h"
#include "ploy/base/number.h"
#include "ploy/geom/angle.h"

// Slower than this a body does not turn toward where it drifts, m/s.
#define CHARACTER_TURN_SPEED 0.1f

static const ploy_field character_fields[] = {
    PLOY_FIELD_F32(ploy_character_def, radius, 0.35f, 0.01f, 1e4f, "m", "of the body"),
    PLOY_FIELD_F32(ploy_character_def, max_speed, 3, 0, 1e4f, "m/s", "largest speed"),
    PLOY_FIELD_F32(ploy_character_def, turn_rate, 6, 0, 1e3f, "rad/s", "toward where it goes"),
    PLOY_FIELD_F32(ploy_character_def, hearing, 0.1f, 0, 1e6f, "",
                   "least intensity that it hears; 0: deaf"),
    PLOY_FIELD_I32(ploy_character_def, think_every, 6, 1, 100000, "ticks", "between two thoughts"),
    PLOY_FIELD_F32(ploy_character_def, step_noise, 0, 0, 1e6f, "", "of its footsteps; 0: silent"),
    PLOY_FIELD_F32(ploy_character_def, quiet_speed, 1.5f, 0, 1e4f, "m/s",
                   "largest speed at which its footsteps are silent"),
    PLOY_FIELD_F32(ploy_character_def, stride, 1.8f, 0.01f, 1e4f, "m", "between two footsteps"),
    PLOY_FIELD_DEF(ploy_character_def, sight, ploy_sight_fields, "its eyes"),
    PLOY_FIELD_DEF(ploy_character_def, memory, ploy_sense_memory_fields, "what it remembers"),
    PLOY_FIELD_DEF(ploy_character_def, navigator, ploy_navigator_fields, "how it follows paths"),
};

static const ploy_field cast_fields[] = {
    PLOY_FIELD_I32(ploy_cast_def, modality, 0, 0, 31, "", "that hearing is about"),
    PLOY_FIELD_DEF(ploy_cast_def, crowd, ploy_crowd_fields, "the bodies"),
};

struct ploy_cast {
    ploy_env env;
    ploy_cast_def def;
    ploy_path_service service;
    ploy_scene scene;
    bool has_scene;
    ploy_engine *engine;
    ploy_senses *senses;
    ploy_crowd *crowd;
    ploy_character *characters; // def.crowd.capacity
};

ploy_fields ploy_character_fields(void) {
    return PLOY_FIELDS(ploy_character_def, character_fields);
}

ploy_character_def ploy_character_def_default(void) {
    ploy_character_def def;
    ploy_fields_default(ploy_character_fields(), &def);
    def.sight = ploy_sight_def_default(); // with the layers, which are not in its table
    return def;
}

ploy_fields ploy_cast_fields(void) {
    return PLOY_FIELDS(ploy_cast_def, cast_fields);
}

ploy_cast_def ploy_cast_def_default(void) {
    ploy_cast_def def;
    ploy_fields_default(ploy_cast_fields(), &def);
    return def;
}

ploy_result ploy_cast_create(const ploy_cast_def *def, const ploy_cast_place *place,
                             const ploy_env *env, ploy_cast **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (place == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_cast_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_cast *cast = ploy_env_alloc_zero(env, sizeof *cast);
    if (cast == NULL) return PLOY_ERR_MEMORY;
    cast->env = *env;
    cast->def = *def;
    cast->service = place->service;
    cast->has_scene = place->scene != NULL;
    if (place->scene != NULL) cast->scene = *place->scene;
    cast->engine = place->engine;
    cast->characters =
        ploy_env_alloc_zero(env, (size_t)def->crowd.capacity * sizeof *cast->characters);
    result = cast->characters != NULL ? ploy_crowd_create(&def->crowd, env, &cast->crowd)
                                      : PLOY_ERR_MEMORY;
    if (result == PLOY_OK && place->walls != NULL) {
        result = ploy_crowd_add_rings(cast->crowd, place->walls);
    }
    if (result != PLOY_OK) {
        ploy_cast_destroy(cast);
        return result;
    }
    *out = cast;
    return PLOY_OK;
}

// Frees what a character is made of; its body and mind are elsewhere.
static void character_free(ploy_cast *cast, ploy_character *character) {
    if (character->navigator != NULL && cast->service.cancel != NULL) {
        ploy_navigator_cancel(character->navigator, &cast->service);
    }
    ploy_navigator_destroy(character->navigator);
    ploy_sense_memory_destroy(character->memory);
    ploy_blackboard_destroy(character->board);
    memset(character, 0, sizeof *character);
}

void ploy_cast_destroy(ploy_cast *cast) {
    if (cast == NULL) return;
    ploy_env env = cast->env;
    for (int32_t i = 0; cast->characters != NULL && i < cast->def.crowd.capacity; i++) {
        character_free(cast, &cast->characters[i]);
    }
    ploy_crowd_destroy(cast->crowd);
    ploy_env_free(&env, cast->characters,
                  (size_t)cast->def.crowd.capacity * sizeof *cast->characters);
    ploy_env_free(&env, cast, sizeof *cast);
}

static ploy_result character_hear(ploy_cast *cast, const ploy_character *character) {
    if (cast->senses == NULL || character->def.hearing <= 0.0f) return PLOY_OK;
    ploy_sensor ears = ploy_sensor_make(character->id);
    ploy_result result = ploy_sensor_set(&ears, cast->def.modality, character->def.hearing);
    return result == PLOY_OK ? ploy_senses_add_sensor(cast->senses, &ears) : result;
}

static ploy_result character_think(ploy_cast *cast, const ploy_character *character,
                                   ploy_behavior mind, ploy_engine_id *out) {
    if (mind.type == NULL) return PLOY_OK;
    ploy_engine_entry entry = ploy_engine_entry_default();
    entry.behavior = mind;
    entry.agent = character->id;
    entry.blackboard = character->board;
    entry.schedule.period = character->def.think_every;
    entry.schedule.auto_phase = true;
    return ploy_engine_register(cast->engine, &entry, out);
}

ploy_result ploy_cast_add(ploy_cast *cast, const ploy_character_def *def, ploy_blackboard *board,
                          ploy_behavior mind, ploy_vec2 position, float orientation,
                          ploy_agent_id *out) {
    if (cast == NULL || (mind.type != NULL && cast->engine == NULL)) return PLOY_ERR_ARGUMENT;
    if (!ploy_vec2_is_finite(position) || !ploy_is_finite(orientation)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_character_fields(), def, &cast->env);
    if (result != PLOY_OK) return result;
    ploy_character made;
    memset(&made, 0, sizeof made);
    made.def = *def;
    made.orientation = ploy_angle_wrap(orientation);
    ploy_orca_agent body = ploy_orca_agent_make(position, def->radius, def->max_speed, 0);
    result = ploy_crowd_add(cast->crowd, &body, &made.id);
    if (result != PLOY_OK) return result;
    result = ploy_navigator_create(&def->navigator, &cast->env, &made.navigator);
    if (result == PLOY_OK) {
        result = ploy_sense_memory_create(&def->memory, made.id, &cast->env, &made.memory);
    }
    if (result == PLOY_OK) result = character_hear(cast, &made);
    bool heard = result == PLOY_OK && cast->senses != NULL && def->hearing > 0.0f;
    made.board = board;
    if (result == PLOY_OK) result = character_think(cast, &made, mind, &made.mind); // last: it owns
    if (result != PLOY_OK) {
        if (heard) (void)ploy_senses_remove_sensor(cast->senses, made.id);
        (void)ploy_crowd_remove(cast->crowd, made.id);
        made.board = NULL;
        character_free(cast, &made);
        return result; // keeps (2)
    }
    cast->characters[made.id.id.index] = made; // keeps (1)
    if (out != NULL) *out = made.id;
    return PLOY_OK;
}

ploy_result ploy_cast_add_kind(ploy_cast *cast, const ploy_characters *kinds, int32_t index,
                               ploy_vec2 position, float orientation, ploy_agent_id *out) {
    if (cast == NULL || kinds == NULL) return PLOY_ERR_ARGUMENT;
    ploy_character_def def = ploy_character_def_default();
    const ploy_character_def *from = ploy_characters_settings(kinds, index, "character");
    if (from != NULL) {
        uint32_t blocks = def.sight.blocks; // layers are not in the table, so not in a file
        def = *from;
        def.sight.blocks = blocks;
    }
    ploy_blackboard *board = NULL;
    ploy_behavior mind = {NULL, NULL};
    ploy_result result = ploy_characters_make(kinds, index, &cast->env, &board, &mind);
    if (result != PLOY_OK) return result;
    result = ploy_cast_add(cast, &def, board, mind, position, orientation, out);
    if (result == PLOY_OK) return PLOY_OK;
    if (mind.type != NULL) ploy_behavior_destroy(mind);
    ploy_blackboard_destroy(board);
    return result;
}

ploy_character *ploy_cast_at(const ploy_cast *cast, int32_t place) {
    if (cast == NULL || place < 0 || place >= cast->def.crowd.capacity) return NULL;
    ploy_character *character = &cast->characters[place];
    return ploy_id_is_none(character->id.id) ? NULL : character;
}

ploy_character *ploy_cast_get(const ploy_cast *cast, ploy_agent_id id) {
    if (cast == NULL || ploy_id_is_none(id.id)) return NULL;
    if (id.id.index >= (uint32_t)cast->def.crowd.capacity) return NULL;
    ploy_character *character = &cast->characters[id.id.index];
    return ploy_id_equal(character->id.id, id.id) ? character : NULL;
}

ploy_result ploy_cast_remove(ploy_cast *cast, ploy_agent_id id) {
    ploy_character *character = ploy_cast_get(cast, id);
    if (character == NULL) return PLOY_ERR_NOT_FOUND;
    if (!ploy_id_is_none(character->mind.id)) {
        ploy_result result = ploy_engine_unregister(cast->engine, character->mind);
        if (result != PLOY_OK && result != PLOY_ERR_NOT_FOUND) return result;
    }
    if (cast->senses != NULL) (void)ploy_senses_remove_sensor(cast->senses, id);
    (void)ploy_crowd_remove(cast->crowd, id);
    character_free(cast, character);
    return PLOY_OK;
}

ploy_result ploy_cast_clear(ploy_cast *cast) {
    if (cast == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < cast->def.crowd.capacity; i++) {
        const ploy_character *character = ploy_cast_at(cast, i);
        ploy_result one = character != NULL ? ploy_cast_remove(cast, character->id) : PLOY_OK;
        if (result == PLOY_OK) result = one;
    }
    return result;
}

ploy_crowd *ploy_cast_crowd(const ploy_cast *cast) {
    return cast->crowd;
}

ploy_vec2 ploy_cast_position(const ploy_cast *cast, ploy_agent_id id) {
    ploy_orca_agent body;
    body.position = ploy_vec2_make(0, 0);
    if (ploy_cast_get(cast, id) != NULL) (void)ploy_crowd_get(cast->crowd, id, &body);
    return body.position;
}

ploy_result ploy_cast_move_to(ploy_cast *cast, ploy_agent_id id, ploy_vec2 position) {
    ploy_character *character = ploy_cast_get(cast, id);
    if (character == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_orca_agent body;
    ploy_result result = ploy_crowd_get(cast->crowd, id, &body);
    if (result != PLOY_OK) return result;
    body.position = position;
    body.velocity = body.wanted = ploy_vec2_make(0, 0);
    result = ploy_crowd_set(cast->crowd, id, &body);
    if (result == PLOY_OK) ploy_navigator_cancel(character->navigator, &cast->service);
    return result;
}

static bool cast_pose(void *user, ploy_agent_id agent, ploy_pose *out) {
    const ploy_cast *cast = user;
    const ploy_character *character = ploy_cast_get(cast, agent);
    if (character == NULL) return false;
    *out = ploy_pose_make2(ploy_cast_position(cast, agent), character->orientation,
                           character->def.radius);
    return true;
}

ploy_pose_source ploy_cast_poses(const ploy_cast *cast) {
    union {
        const ploy_cast *cast;
        void *user;
    } it = {cast}; // only read
    ploy_pose_source source = {cast_pose, it.user};
    return source;
}

ploy_result ploy_cast_connect_senses(ploy_cast *cast, ploy_senses *senses) {
    if (cast == NULL || senses == NULL) return PLOY_ERR_ARGUMENT;
    cast->senses = senses;
    for (int32_t i = 0; i < cast->def.crowd.capacity; i++) {
        const ploy_character *character = ploy_cast_at(cast, i);
        ploy_result result = character != NULL ? character_hear(cast, character) : PLOY_OK;
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_sight ploy_cast_look(ploy_cast *cast, ploy_agent_id observer, ploy_agent_id target, double now,
                          ploy_trace *trace) {
    ploy_sight none;
    memset(&none, 0, sizeof none);
    none.reason = PLOY_SIGHT_SELF;
    ploy_character *eyes = ploy_cast_get(cast, observer);
    const ploy_character *other = ploy_cast_get(cast, target);
    if (eyes == NULL || other == NULL) return none;
    ploy_sight_observer from;
    memset(&from, 0, sizeof from);
    from.agent = observer;
    from.def = &eyes->def.sight;
    ploy_sight_target to;
    memset(&to, 0, sizeof to);
    to.agent = target;
    to.clothing = -1;
    ploy_pose_source poses = ploy_cast_poses(cast);
    if (!ploy_pose_source_get(&poses, observer, &from.pose)) return none;
    if (!ploy_pose_source_get(&poses, target, &to.pose)) return none;
    ploy_sight_world world = ploy_sight_world_make(cast->has_scene ? &cast->scene : NULL);
    ploy_sight seen = ploy_sight_test(&from, &to, &world, trace);
    ploy_sense_memory_sight(eyes->memory, target, to.pose.frame.position, &seen, now);
    return seen;
}

ploy_result ploy_cast_go(ploy_cast *cast, ploy_agent_id id, ploy_vec2 to, float speed,
                         uint32_t *trip) {
    ploy_character *character = ploy_cast_get(cast, id);
    if (character == NULL) return PLOY_ERR_NOT_FOUND;
    if (cast->service.request == NULL) return PLOY_ERR_STATE;
    if (!ploy_in_range(speed, 0.0f, 1e4f)) return PLOY_ERR_ARGUMENT;
    ploy_path_request request = ploy_path_request_make(
        id, ploy_vec3_from_vec2(ploy_cast_position(cast, id), 0), ploy_vec3_from_vec2(to, 0));
    ploy_result result = ploy_navigator_begin(character->navigator, &cast->service, &request);
    if (result != PLOY_OK) return result;
    character->speed = speed;
    if (trip != NULL) *trip = ploy_navigator_trip(character->navigator);
    return PLOY_OK;
}

bool ploy_cast_stop(ploy_cast *cast, ploy_agent_id id, uint32_t trip) {
    ploy_character *character = ploy_cast_get(cast, id);
    return character != NULL &&
           ploy_navigator_cancel_trip(character->navigator, &cast->service, trip);
}

ploy_result ploy_cast_turn(ploy_cast *cast, ploy_agent_id id, float rate, uint32_t *turn) {
    ploy_character *character = ploy_cast_get(cast, id);
    if (character == NULL) return PLOY_ERR_NOT_FOUND;
    if (!ploy_is_finite(rate)) return PLOY_ERR_ARGUMENT;
    character->turn = rate;
    character->turns++;
    if (turn != NULL) *turn = character->turns;
    return PLOY_OK;
}

bool ploy_cast_stop_turn(ploy_cast *cast, ploy_agent_id id, uint32_t turn) {
    ploy_character *character = ploy_cast_get(cast, id);
    if (character == NULL || character->turns != turn) return false;
    character->turn = 0;
    return true;
}

// Turns toward where it goes, or round itself while at rest.
static void character_turn(ploy_character *character, ploy_vec2 velocity, float dt) {
    float turn = character->turn * dt;
    if (ploy_vec2_length(velocity) > CHARACTER_TURN_SPEED) {
        float most = character->def.turn_rate * dt;
        float left = ploy_angle_wrap(ploy_atan2f(velocity.y, velocity.x) - character->orientation);
        turn = left < -most ? -most : left > most ? most : left;
    }
    character->orientation = ploy_angle_wrap(character->orientation + turn);
}

ploy_result ploy_cast_step(ploy_cast *cast, float dt, const ploy_jobs *jobs) {
    if (cast == NULL || !ploy_in_range(dt, 0.0f, PLOY_DT_MAX_S)) return PLOY_ERR_ARGUMENT;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < cast->def.crowd.capacity; i++) {
        ploy_character *character = ploy_cast_at(cast, i);
        if (character == NULL) continue;
        ploy_vec2 at = ploy_cast_position(cast, character->id);
        ploy_result one = ploy_navigator_step(character->navigator, &cast->service,
                                              ploy_vec3_from_vec2(at, 0), dt);
        if (one != PLOY_OK && result == PLOY_OK) result = one;
        ploy_vec2 wanted = ploy_navigator_wanted(character->navigator, at, character->speed);
        (void)ploy_crowd_set_wanted(cast->crowd, character->id, wanted);
    }
    ploy_result moved = ploy_crowd_step(cast->crowd, dt, jobs);
    if (moved != PLOY_OK) return moved;
    for (int32_t i = 0; i < cast->def.crowd.capacity; i++) {
        ploy_character *character = ploy_cast_at(cast, i);
        ploy_orca_agent body;
        if (character == NULL || ploy_crowd_get(cast->crowd, character->id, &body) != PLOY_OK) {
            continue;
        }
        character_turn(character, body.velocity, dt);
    }
    return result;
}

// ---- state

static void character_visit(ploy_visit *v, ploy_character *character) {
    PLOY_VISIT_SCRATCH(v, character->id);
    PLOY_VISIT_SCRATCH(v, character->def);
    PLOY_VISIT_SCRATCH(v, character->navigator);
    PLOY_VISIT_SCRATCH(v, character->memory);
    PLOY_VISIT_SCRATCH(v, character->board); // the engine's to visit, as is the mind
    PLOY_VISIT_SCRATCH(v, character->mind);
    ploy_visit_f32_in(v, "orientation", PLOY_STATE, &character->orientation, -4.0f, 4.0f);
    ploy_visit_f32_in(v, "speed", PLOY_STATE, &character->speed, 0.0f, 1e4f);
    ploy_visit_f32(v, "turn", PLOY_STATE, &character->turn);
    ploy_visit_u32(v, "turns", PLOY_STATE, &character->turns);
    ploy_visit_f32_in(v, "walked", PLOY_STATE, &character->walked, 0.0f, 1e9f);
    ploy_visit_begin(v, "path", PLOY_STATE);
    ploy_navigator_visit(v, character->navigator);
    ploy_visit_end(v);
    ploy_visit_begin(v, "memory", PLOY_STATE);
    ploy_sense_memory_visit(v, character->memory);
    ploy_visit_end(v);
}

void ploy_cast_visit(ploy_visit *v, void *object) {
    ploy_cast *cast = object;
    size_t size = (size_t)cast->def.crowd.capacity * sizeof *cast->characters;
    ploy_visit_object(v, "cast", cast, sizeof *cast);
    ploy_visit_object(v, "cast.characters", cast->characters, size);
    PLOY_VISIT_SCRATCH(v, cast->env);
    PLOY_VISIT_SCRATCH(v, cast->def);
    PLOY_VISIT_SCRATCH(v, cast->service);
    PLOY_VISIT_SCRATCH(v, cast->scene);
    PLOY_VISIT_SCRATCH(v, cast->has_scene);
    PLOY_VISIT_SCRATCH(v, cast->engine);
    PLOY_VISIT_SCRATCH(v, cast->senses);
    PLOY_VISIT_SCRATCH(v, cast->crowd);
    PLOY_VISIT_SCRATCH(v, cast->characters);
    int32_t count = 0;
    for (int32_t i = 0; i < cast->def.crowd.capacity; i++) {
        ploy_character *character = &cast->characters[i];
        if (ploy_cast_at(cast, i) == NULL) {
            ploy_visit_scratch(v, character, sizeof *character);
        } else {
            count++;
        }
    }
    ploy_value present = ploy_value_i64(count);
    ploy_visit_same(v, "count", PLOY_STATE, &present);
    for (int32_t i = 0; i < cast->def.crowd.capacity; i++) {
        ploy_character *character = ploy_cast_at(cast, i);
        if (character == NULL) continue;
        char name[32] = "character ";
        ploy_print_i64(i, name + strlen(name));
        ploy_visit_begin_agent(v, name, PLOY_STATE, character->id);
        character_visit(v, character);
        ploy_visit_end(v);
    }
    ploy_visit_begin(v, "crowd", PLOY_STATE);
    ploy_crowd_visit(v, cast->crowd);
    ploy_visit_end(v);
    for (int32_t i = 0; i < cast->def.crowd.capacity; i++) {
        const ploy_character *character = ploy_cast_at(cast, i);
        if (character == NULL) continue;
        ploy_visit_check(v, ploy_id_equal(ploy_crowd_id_at(cast->crowd, i).id, character->id.id),
                         "the bodies are not those of the characters", NULL); // keeps (1)
    }
}

void ploy_cast_describe(const ploy_cast *cast, ploy_describe *out) {
    ploy_visit_describe(ploy_cast_visit, cast, NULL, out);
}

void ploy_cast_memory(const ploy_cast *cast, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_cast_visit, cast, fn, user);
    for (int32_t i = 0; i < cast->def.crowd.capacity; i++) {
        const ploy_character *character = ploy_cast_at(cast, i);
        if (character == NULL || character->board == NULL) continue;
        ploy_visit_memory(ploy_blackboard_visit, character->board, fn, user);
    }
}

void ploy_cast_draw(const ploy_cast *cast, double now, ploy_draw *out) {
    ploy_sight_world world = ploy_sight_world_make(cast->has_scene ? &cast->scene : NULL);
    for (int32_t i = 0; i < cast->def.crowd.capacity; i++) {
        const ploy_character *character = ploy_cast_at(cast, i);
        if (character == NULL) continue;
        ploy_sight_observer eyes;
        memset(&eyes, 0, sizeof eyes);
        eyes.agent = character->id;
        eyes.def = &character->def.sight;
        (void)cast_pose(ploy_cast_poses(cast).user, character->id, &eyes.pose);
        ploy_sight_draw(&eyes, &world, out);
        ploy_path_draw(ploy_navigator_path(character->navigator), character->id, out);
        ploy_sense_memory_draw(character->memory, now, out);
        ploy_draw_agent(out, PLOY_STYLE_AGENT_A, character->id,
                        ploy_cast_position(cast, character->id), character->orientation,
                        character->def.radius);
    }
}

#undef CHARACTER_TURN_SPEED
