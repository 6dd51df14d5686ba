// The lab `village`: two hundred villagers with four kinds of minds in one engine, a crowd over a tiled
// mesh with doors and carts that come and go, and eyes for the wolves. What a tick may cost is a number
// of units: of thinking, of searching paths, of looking and of cutting the mesh. Every villager can be
// asked why.
//
//     sight       who sees a wolf: some villagers a tick, in turn          units: one a villager
//     minds       engine, ten ticks a turn, under a budget                 units: the engine's
//     paths       searches in slices, one after the other                  units: the search's
//     mesh        tiles that carts changed, some a tick                    units: one a tile
//     doors       open for agents in front of them, and close again
//     crowd       velocities that avoid each other and the walls
//
// All state is in the region. The tiles that a cart changed are cut again under a budget, and paths are
// found on the old mesh meanwhile. Paths that lead by the cart are found again on the new mesh, the old
// ones being followed until then.
#include "labs/village.h"

#include <string.h>

#include "labs/labs.h"
#include "ploy/geom/angle.h"
#include "ploy/geom/rings.h"
#include "ploy/geom/scene.h"
#include "ploy/geom/segment.h"
#include "ploy/move/crowd.h"
#include "ploy/path/navmesh_query.h"
#include "ploy/path/navmesh_tiles.h"
#include "ploy/world/sight_batch.h"

enum {
    VILLAGE_HOUSES = 8,
    VILLAGE_CARTS = 3,
    VILLAGE_CHANGES = 4 * VILLAGE_CARTS,
    VILLAGE_WOLVES = 2,
    VILLAGE_POINTS = 24, // of a path, at most
    VILLAGE_PERIOD = 10  // ticks between two turns of a mind
};

typedef struct village_def {
    uint32_t cookie;
    int32_t count;
    float speed;
    float hunger;
    float fatigue;
    float cart_time;
    int32_t think_units;
    int32_t path_units;
    int32_t look_units;
    int32_t mesh_units;
} village_def;

static const ploy_field village_fields[] = {
    PLOY_FIELD_I32_FIXED(village_def, count, 200, 4, VILLAGE_MOST, "", "villagers"),
    PLOY_FIELD_F32(village_def, speed, 2.5, 0.5, 6, "m/s", "speed of villagers"),
    PLOY_FIELD_F32(village_def, hunger, 0.02, 0, 1, "1/s", "how fast they get hungry"),
    PLOY_FIELD_F32(village_def, fatigue, 0.015, 0, 1, "1/s", "how fast they tire"),
    PLOY_FIELD_F32(village_def, cart_time, 6, 1, 100, "s", "time between two moves of a cart"),
    PLOY_FIELD_I32(village_def, think_units, 400, 10, 100000, "", "budget of the minds, a tick"),
    PLOY_FIELD_I32(village_def, path_units, 1000, 10, 100000, "", "budget of the paths, a tick"),
    PLOY_FIELD_I32(village_def, look_units, 20, 1, 1000, "", "villagers that look, a tick"),
    PLOY_FIELD_I32(village_def, mesh_units, 1, 1, 1000, "", "tiles of the mesh cut, a tick"),
};

static ploy_fields village_get_fields(void) {
    return PLOY_FIELDS(village_def, village_fields);
}

typedef struct villager {
    ploy_agent_id body; // in the crowd
    ploy_engine_id mind;
    ploy_blackboard *board;
    ploy_vec2 path[VILLAGE_POINTS];
    int32_t path_count, path_next;
    int32_t path_goal;   // place it leads to
    uint64_t path_asked; // tick of the request; 0: none waits
    float alarm;         // s left of fear
    float heading;       // rad, where it looks
} villager;

typedef struct village_door {
    ploy_vec2 at;
    float open; // 0 shut to 1
    float wait; // s until it closes
} village_door;

typedef struct village_cart {
    ploy_vec2 at;
    ploy_id obstacle;
    float until; // s until it moves
} village_cart;

typedef struct village_wolf {
    ploy_vec2 at, to;
    float heading;
} village_wolf;

typedef struct village_lab {
    village_def def;
    ploy_env env;
    village_minds *minds;
    ploy_engine *engine;
    ploy_crowd *crowd;
    ploy_navmesh_tiles *tiles;
    ploy_navmesh_query *query;
    uint64_t generation; // of the mesh that the query is of
    ploy_plain_scene *scene;
    ploy_scene walls; // the scene's face, for the eyes
    ploy_sight_world world;
    ploy_sight_batch *sight;
    bool looking; // a round of looking is under way
    ploy_sight_def eyes;
    ploy_path *found;
    villager *all; // def.count
    village_door doors[VILLAGE_HOUSES];
    village_cart carts[VILLAGE_CARTS];
    ploy_vec2 changed[VILLAGE_CHANGES]; // where carts were and are that the mesh does not show yet
    int32_t changes;                    // more than VILLAGE_CHANGES: anywhere
    village_wolf wolves[VILLAGE_WOLVES];
    int32_t seeker; // whose path is searched for; -1: no villager's
    int64_t think_spent, path_spent, look_spent, mesh_spent; // of the last tick
    int64_t paths;                                           // found so far
    int32_t waiting;                                         // for a path
} village_lab;

// Houses 10 by 7 m in two rows, the door to the street between them.
static const ploy_vec2 village_house_at[VILLAGE_HOUSES] = {
    {-28, 8}, {-14, 8}, {4, 8}, {18, 8}, {-28, -15}, {-14, -15}, {4, -15}, {18, -15}};

static const ploy_vec2 village_spots[VILLAGE_PLACES] = {{0, 24}, {0, 0}, {0, 0}, {-34, 0}};
static const char *const village_places[] = {"field", "market", "home", "well", "on the way"};

// The walls of a house: a ring that is open at the door, 2 m wide, as one polygon.
static void village_house(int32_t i, ploy_vec2 out[12]) {
    static const ploy_vec2 up[12] = {{4, 0},       {0, 0},       {0, 7},       {10, 7},
                                     {10, 0},      {6, 0},       {6, 0.4f},    {9.6f, 0.4f},
                                     {9.6f, 6.6f}, {0.4f, 6.6f}, {0.4f, 0.4f}, {4, 0.4f}};
    bool above = village_house_at[i].y > 0.0f; // its door is below
    for (int32_t k = 0; k < 12; k++) {
        ploy_vec2 p = up[above ? k : 11 - k]; // mirrored, so turned round
        float y = above ? p.y : 7.0f - p.y;
        out[k] = ploy_vec2_make(village_house_at[i].x + p.x, village_house_at[i].y + y);
    }
}

static ploy_vec2 village_door_at(int32_t i) {
    bool above = village_house_at[i].y > 0.0f;
    return ploy_vec2_make(village_house_at[i].x + 5.0f,
                          village_house_at[i].y + (above ? 0.2f : 6.8f));
}

// Where a villager goes for a place: its own spot there, so that they do not all go to the same one.
static ploy_vec2 village_spot(int32_t i, int32_t place) {
    float u = (float)(i * 7 % 40) / 40.0f, v = (float)(i * 3 % 11) / 11.0f;
    if (place == VILLAGE_HOME) {
        ploy_vec2 house = village_house_at[i % VILLAGE_HOUSES];
        return ploy_vec2_make(house.x + 1.5f + 7.0f * u, house.y + 1.5f + 4.0f * v);
    }
    if (place == VILLAGE_FIELD) return ploy_vec2_make(-30.0f + 60.0f * u, 18.0f + 5.0f * v);
    if (place == VILLAGE_MARKET) return ploy_vec2_make(-8.0f + 16.0f * u, -6.0f + 12.0f * v);
    ploy_vec2 well = village_spots[VILLAGE_WELL];
    return ploy_vec2_make(well.x - 3.0f + 6.0f * u, well.y - 5.0f + 10.0f * v);
}

static ploy_result village_put_cart(village_lab *lab, village_cart *cart, ploy_vec2 at) {
    ploy_vec2 corners[4] = {{at.x - 1, at.y - 0.6f},
                            {at.x + 1, at.y - 0.6f},
                            {at.x + 1, at.y + 0.6f},
                            {at.x - 1, at.y + 0.6f}};
    cart->at = at;
    return ploy_navmesh_tiles_add(lab->tiles, corners, 4, &cart->obstacle);
}

// Walls of the crowd: the houses and the carts as they are now.
static ploy_result village_put_walls(village_lab *lab) {
    ploy_result result = PLOY_OK;
    ploy_crowd_clear_walls(lab->crowd);
    for (int32_t i = 0; i < VILLAGE_HOUSES && result == PLOY_OK; i++) {
        ploy_vec2 ring[12];
        village_house(i, ring);
        ploy_vec2 turned[12]; // the crowd takes solid polygons counter-clockwise
        for (int32_t k = 0; k < 12; k++) turned[k] = ring[11 - k];
        result = ploy_crowd_add_walls(lab->crowd, turned, 12);
    }
    for (int32_t i = 0; i < VILLAGE_CARTS && result == PLOY_OK; i++) {
        ploy_vec2 at = lab->carts[i].at;
        ploy_vec2 corners[4] = {{at.x - 1, at.y - 0.6f},
                                {at.x + 1, at.y - 0.6f},
                                {at.x + 1, at.y + 0.6f},
                                {at.x - 1, at.y + 0.6f}};
        result = ploy_crowd_add_walls(lab->crowd, corners, 4);
    }
    return result;
}

// Cuts tiles of the mesh that changed; when all are cut, makes a query over the new mesh. Until then
// paths are found on the old one. @param budget  NULL: all of it now.
static ploy_result village_refresh(village_lab *lab, ploy_budget *budget) {
    ploy_result result = ploy_navmesh_tiles_step(lab->tiles, budget, NULL);
    uint64_t generation = ploy_navmesh_tiles_generation(lab->tiles);
    if (result == PLOY_IN_PROGRESS) return PLOY_OK;
    if (result != PLOY_OK || generation == lab->generation) return result;
    ploy_navmesh_query_destroy(lab->query);
    lab->query = NULL;
    lab->generation = generation;
    lab->seeker = -1;
    return ploy_navmesh_query_create(ploy_navmesh_tiles_mesh(lab->tiles), &lab->env, &lab->query);
}

static ploy_result village_build(village_lab *lab) {
    static const ploy_vec2 ground[4] = {{-40, -26}, {40, -26}, {40, 26}, {-40, 26}};
    ploy_rings *rings = NULL;
    ploy_result result = ploy_rings_create(&lab->env, &rings);
    if (result == PLOY_OK) result = ploy_rings_add(rings, ground, 4);
    ploy_navmesh_tiles_def def = ploy_navmesh_tiles_def_default();
    def.tile = 10.0f;
    def.radius = 0.35f;
    if (result == PLOY_OK) {
        result = ploy_navmesh_tiles_create(&def, rings, PLOY_FILL_NON_ZERO, &lab->env, &lab->tiles);
    }
    ploy_rings_destroy(rings);
    ploy_plain_scene_def scene = ploy_plain_scene_def_default();
    if (result == PLOY_OK) result = ploy_plain_scene_create(&scene, &lab->env, &lab->scene);
    for (int32_t i = 0; i < VILLAGE_HOUSES && result == PLOY_OK; i++) {
        ploy_vec2 ring[12];
        village_house(i, ring);
        lab->doors[i].at = village_door_at(i);
        result = ploy_navmesh_tiles_add(lab->tiles, ring, 12, NULL);
        for (int32_t k = 0; k < 12 && result == PLOY_OK; k++) {
            result = ploy_plain_scene_add_segment(lab->scene, ring[k], ring[(k + 1) % 12], 1, NULL);
        }
    }
    if (result == PLOY_OK) lab->walls = ploy_plain_scene_interface(lab->scene);
    lab->world = ploy_sight_world_make(&lab->walls);
    for (int32_t i = 0; i < VILLAGE_CARTS && result == PLOY_OK; i++) {
        lab->carts[i].until = 2.0f + 2.0f * (float)i;
        result = village_put_cart(lab, &lab->carts[i], ploy_vec2_make(-6.0f + 6.0f * (float)i, 3));
    }
    if (result == PLOY_OK) result = village_put_walls(lab);
    return result == PLOY_OK ? village_refresh(lab, NULL) : result;
}

static ploy_result village_people(village_lab *lab, ploy_rng_key key) {
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < lab->def.count && result == PLOY_OK; i++) {
        villager *it = &lab->all[i];
        uint32_t id = (uint32_t)i;
        ploy_vec2 at = village_spot(i, (int32_t)(ploy_rng_float_at(key, id, 0, 0) * 4.0f));
        ploy_orca_agent body = ploy_orca_agent_make(at, 0.3f, lab->def.speed, 0);
        result = ploy_crowd_add(lab->crowd, &body, &it->body);
        if (result == PLOY_OK) {
            result =
                ploy_blackboard_create(village_minds_layout(lab->minds), &lab->env, &it->board);
        }
        if (result != PLOY_OK) break;
        village_set_number(it->board, VILLAGE_HUNGER, ploy_rng_float_at(key, id, 0, 1));
        village_set_number(it->board, VILLAGE_TIRED, ploy_rng_float_at(key, id, 0, 2));
        it->heading = ploy_rng_range_at(key, id, 0, 3, -3.1f, 3.1f);
        it->path_goal = -1;
        ploy_engine_entry entry = ploy_engine_entry_default();
        village_kind kind = (village_kind)(i % VILLAGE_KINDS);
        result = ploy_maker_make(village_minds_maker(lab->minds, kind), &lab->env, &entry.behavior);
        entry.agent = ploy_agent_id_make(id + 1, 1);
        entry.blackboard = it->board;
        entry.schedule.period = VILLAGE_PERIOD;
        entry.schedule.auto_phase = true;
        entry.schedule.max_interval = 3 * VILLAGE_PERIOD;
        if (result == PLOY_OK) result = ploy_engine_register(lab->engine, &entry, &it->mind);
    }
    for (int32_t i = 0; i < VILLAGE_WOLVES; i++) {
        village_wolf *wolf = &lab->wolves[i];
        wolf->at = wolf->to = ploy_vec2_make(i == 0 ? -36.0f : 36.0f, 22.0f);
    }
    return result;
}

static ploy_result village_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                  void **out) {
    village_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->seeker = -1;
    lab->all = ploy_env_alloc_zero(env, (size_t)lab->def.count * sizeof *lab->all);
    if (lab->all == NULL) return PLOY_ERR_MEMORY;
    lab->eyes = ploy_sight_def_default();
    lab->eyes.range = 12.0f;
    lab->eyes.fov = 2.1f;
    ploy_crowd_def crowd = ploy_crowd_def_default();
    crowd.capacity = lab->def.count;
    crowd.avoid.horizon = 1.5f;
    crowd.avoid.wall_horizon = 0.4f;
    ploy_engine_def engine = ploy_engine_def_default();
    engine.capacity = lab->def.count;
    engine.seed = key.bits;
    ploy_sight_batch_def sight = ploy_sight_batch_def_default();
    sight.observers = lab->def.count;
    sight.targets = VILLAGE_WOLVES;
    sight.cell_size = 12.0f;
    ploy_path_def path = ploy_path_def_default();
    ploy_result result = village_minds_create(env, &lab->minds);
    if (result == PLOY_OK) result = ploy_engine_create(&engine, env, &lab->engine);
    if (result == PLOY_OK) result = ploy_crowd_create(&crowd, env, &lab->crowd);
    if (result == PLOY_OK) result = ploy_sight_batch_create(&sight, env, &lab->sight);
    if (result == PLOY_OK) result = ploy_path_create(&path, env, &lab->found);
    if (result == PLOY_OK) result = village_build(lab);
    if (result == PLOY_OK) result = village_people(lab, key);
    *out = lab;
    return result;
}

// ---- step ----

static ploy_vec2 village_at(const village_lab *lab, int32_t i) {
    ploy_kinematics all = ploy_crowd_agents(lab->crowd);
    return ploy_kinematics_get(&all, i).position; // villager i is the crowd's number i
}

// Wolves roam over the fields and the street.
static void village_step_wolves(village_lab *lab, const ploy_sim_context *context) {
    for (int32_t i = 0; i < VILLAGE_WOLVES; i++) {
        village_wolf *wolf = &lab->wolves[i];
        ploy_vec2 to = ploy_vec2_sub(wolf->to, wolf->at);
        if (ploy_vec2_length(to) < 0.5f) {
            uint32_t id = 100000u + (uint32_t)i;
            float x = ploy_rng_range_at(context->key, id, context->tick, 0, -38, 38);
            bool fields = ploy_rng_float_at(context->key, id, context->tick, 1) < 0.7f;
            wolf->to = ploy_vec2_make(x, fields ? 21.0f : 0.0f);
        }
        wolf->at = ploy_vec2_add(wolf->at, ploy_vec2_limit(to, 3.0f * context->dt));
        if (!ploy_vec2_is_zero(to)) wolf->heading = ploy_angle_of(to);
    }
}

static ploy_result village_step_sight(village_lab *lab, const ploy_sim_context *context) {
    ploy_budget budget = ploy_budget_units(lab->def.look_units);
    ploy_result result = PLOY_OK;
    if (lab->looking) result = ploy_sight_batch_step(lab->sight, &budget, context->jobs);
    lab->look_spent = budget.spent;
    if (result != PLOY_OK) return result == PLOY_IN_PROGRESS ? PLOY_OK : result;
    for (int32_t i = 0; i < lab->def.count && lab->looking; i++) {
        int32_t count = 0;
        (void)ploy_sight_batch_get(lab->sight, i, &count);
        if (count > 0) lab->all[i].alarm = 4.0f;
    }
    // Another round, about this moment. It is gone through within the budget of the next ticks.
    ploy_sight_observer observers[VILLAGE_MOST];
    ploy_sight_target targets[VILLAGE_WOLVES];
    memset(observers, 0, sizeof observers); // they are copied, gaps and all, into what is compared
    memset(targets, 0, sizeof targets);
    for (int32_t i = 0; i < lab->def.count; i++) {
        observers[i].agent = ploy_agent_id_make((uint32_t)i + 1, 1);
        observers[i].pose = ploy_pose_make2(village_at(lab, i), lab->all[i].heading, 0.3f);
        observers[i].def = &lab->eyes;
    }
    for (int32_t i = 0; i < VILLAGE_WOLVES; i++) {
        targets[i].agent = ploy_agent_id_make(100000u + (uint32_t)i, 1);
        targets[i].pose = ploy_pose_make2(lab->wolves[i].at, lab->wolves[i].heading, 0.5f);
        targets[i].height = 1.0f;
        targets[i].clothing = -1;
    }
    lab->looking = true;
    return ploy_sight_batch_begin(lab->sight, observers, lab->def.count, targets, VILLAGE_WOLVES,
                                  &lab->world);
}

static ploy_result village_step_minds(village_lab *lab, const ploy_sim_context *context) {
    for (int32_t i = 0; i < lab->def.count; i++) {
        villager *it = &lab->all[i];
        float hunger = village_number(it->board, VILLAGE_HUNGER) + lab->def.hunger * context->dt;
        float tired = village_number(it->board, VILLAGE_TIRED) + lab->def.fatigue * context->dt;
        it->alarm = it->alarm > context->dt ? it->alarm - context->dt : 0.0f;
        village_set_number(it->board, VILLAGE_HUNGER, hunger < 1.0f ? hunger : 1.0f);
        village_set_number(it->board, VILLAGE_TIRED, tired < 1.0f ? tired : 1.0f);
        village_set_flag(it->board, VILLAGE_HUNGRY, hunger > 0.5f);
        village_set_flag(it->board, VILLAGE_DANGER, it->alarm > 0.0f);
        int64_t goal = village_whole(it->board, VILLAGE_GOAL);
        bool there = goal >= 0 && goal < VILLAGE_PLACES &&
                     ploy_vec2_distance(village_at(lab, i), village_spot(i, (int32_t)goal)) < 1.2f;
        village_set_whole(it->board, VILLAGE_PLACE, there ? goal : VILLAGE_ON_THE_WAY);
    }
    ploy_engine_frame frame = {context->jobs, context->scratch, context->trace, lab, lab};
    ploy_budget budget = ploy_budget_units(lab->def.think_units);
    ploy_result result = ploy_engine_step(lab->engine, context->dt, &budget, &frame);
    lab->think_spent = budget.spent;
    return result == PLOY_OK ? ploy_engine_failure(lab->engine, NULL) : result;
}

// True if the rest of a path comes near a point.
static bool village_leads_by(const villager *it, ploy_vec2 point) {
    for (int32_t k = it->path_next > 0 ? it->path_next : 1; k < it->path_count; k++) {
        if (ploy_segment2_distance(ploy_segment2_make(it->path[k - 1], it->path[k]), point) <
            2.0f) {
            return true;
        }
    }
    return false;
}

static void village_note_change(village_lab *lab, ploy_vec2 at) {
    if (lab->changes < VILLAGE_CHANGES) lab->changed[lab->changes] = at;
    if (lab->changes <= VILLAGE_CHANGES) lab->changes++;
}

static ploy_result village_step_carts(village_lab *lab, const ploy_sim_context *context) {
    bool moved = false;
    for (int32_t i = 0; i < VILLAGE_CARTS; i++) {
        village_cart *cart = &lab->carts[i];
        cart->until -= context->dt;
        if (cart->until > 0.0f) continue;
        uint32_t id = 200000u + (uint32_t)i;
        ploy_vec2 to = {ploy_rng_range_at(context->key, id, context->tick, 0, -30, 30),
                        ploy_rng_range_at(context->key, id, context->tick, 1, -6, 6)};
        cart->until = lab->def.cart_time;
        (void)ploy_navmesh_tiles_remove(lab->tiles, cart->obstacle);
        village_note_change(lab, cart->at);
        ploy_result result = village_put_cart(lab, cart, to);
        if (result != PLOY_OK) return result;
        village_note_change(lab, to);
        moved = true;
    }
    ploy_result result = moved ? village_put_walls(lab) : PLOY_OK;
    uint64_t generation = lab->generation;
    ploy_budget budget = ploy_budget_units(lab->def.mesh_units);
    if (result == PLOY_OK) result = village_refresh(lab, &budget);
    lab->mesh_spent = budget.spent;
    if (result != PLOY_OK || generation == lab->generation) return result;
    // The new mesh is in use: paths that lead by what changed are found again, each in its turn.
    bool anywhere = lab->changes > VILLAGE_CHANGES;
    for (int32_t i = 0; i < lab->def.count; i++) {
        villager *it = &lab->all[i];
        for (int32_t k = 0; k < lab->changes && it->path_asked == 0; k++) {
            if (anywhere || village_leads_by(it, lab->changed[k])) {
                it->path_asked = context->tick + 1;
            }
        }
    }
    lab->changes = 0;
    return PLOY_OK;
}

static void village_take_path(village_lab *lab, villager *it) {
    int32_t count = ploy_path_count(lab->found);
    it->path_count = count < VILLAGE_POINTS ? count : VILLAGE_POINTS;
    for (int32_t k = 0; k < it->path_count; k++) it->path[k] = ploy_path_point(lab->found, k);
    it->path_next = it->path_count > 1 ? 1 : 0;
    it->path_asked = 0;
    lab->paths++;
}

// The villager that has waited longest, if no path is under way.
static ploy_result village_next_seeker(village_lab *lab) {
    uint64_t oldest = UINT64_MAX;
    for (int32_t i = 0; i < lab->def.count; i++) {
        if (lab->all[i].path_asked == 0 || lab->all[i].path_asked >= oldest) continue;
        oldest = lab->all[i].path_asked;
        lab->seeker = i;
    }
    if (lab->seeker < 0) return PLOY_OK;
    villager *it = &lab->all[lab->seeker];
    ploy_vec2 at = village_at(lab, lab->seeker), to = village_spot(lab->seeker, it->path_goal);
    ploy_navmesh_place from, goal;
    ploy_result result =
        ploy_navmesh_find_nearest(lab->query, ploy_vec3_from_vec2(at, 0), -1, NULL, &from);
    if (result == PLOY_OK) {
        result = ploy_navmesh_find_nearest(lab->query, ploy_vec3_from_vec2(to, 0), -1, NULL, &goal);
    }
    if (result == PLOY_OK) {
        ploy_navmesh_request request = ploy_navmesh_request_make(from, goal);
        result = ploy_navmesh_query_begin(lab->query, &request);
    }
    return result;
}

static ploy_result village_step_paths(village_lab *lab, const ploy_sim_context *context) {
    lab->waiting = 0;
    for (int32_t i = 0; i < lab->def.count; i++) {
        villager *it = &lab->all[i];
        int32_t goal = (int32_t)village_whole(it->board, VILLAGE_GOAL);
        if (goal != it->path_goal && goal >= 0 && goal < VILLAGE_PLACES) {
            it->path_goal = goal;
            it->path_asked = context->tick + 1;
            if (lab->seeker == i) lab->seeker = -1; // what is under way leads elsewhere
        }
        lab->waiting += it->path_asked != 0;
    }
    ploy_budget budget = ploy_budget_units(lab->def.path_units);
    ploy_result result = PLOY_OK;
    while (result == PLOY_OK && budget.units > 0) {
        if (lab->seeker < 0) {
            result = village_next_seeker(lab);
            if (lab->seeker < 0 || result != PLOY_OK) break;
        }
        result = ploy_navmesh_query_step(lab->query, &budget);
        if (result == PLOY_IN_PROGRESS) break;
        if (result == PLOY_OK) result = ploy_navmesh_query_path(lab->query, lab->found);
        if (result == PLOY_OK) village_take_path(lab, &lab->all[lab->seeker]);
        lab->seeker = -1;
    }
    lab->path_spent = budget.spent;
    return result == PLOY_IN_PROGRESS ? PLOY_OK : result;
}

// Before a shut door a villager waits until it is open. @return whether it may go on.
static bool village_pass_doors(village_lab *lab, ploy_vec2 at, ploy_vec2 wanted) {
    for (int32_t i = 0; i < VILLAGE_HOUSES; i++) {
        village_door *door = &lab->doors[i];
        float distance = ploy_vec2_distance(at, door->at);
        if (distance > 1.8f) continue;
        bool through = ploy_vec2_dot(ploy_vec2_sub(door->at, at), wanted) > 0.0f;
        if (!through && distance > 1.2f) continue;
        door->wait = 1.5f; // a villager is here: it stays open
        if (through && door->open < 1.0f && distance > 0.8f) return false;
    }
    return true;
}

static ploy_result village_step_bodies(village_lab *lab, const ploy_sim_context *context) {
    for (int32_t i = 0; i < VILLAGE_HOUSES; i++) {
        village_door *door = &lab->doors[i];
        float way = door->wait > 0.0f ? 2.0f : -1.0f;
        door->open = ploy_clampf(door->open + way * context->dt, 0.0f, 1.0f);
        door->wait -= context->dt;
    }
    ploy_vec2 wanted[VILLAGE_MOST];
    for (int32_t i = 0; i < lab->def.count; i++) {
        villager *it = &lab->all[i];
        ploy_vec2 at = village_at(lab, i), to = {0.0f, 0.0f};
        while (it->path_next < it->path_count &&
               ploy_vec2_distance(at, it->path[it->path_next]) < 0.5f) {
            it->path_next++;
        }
        if (it->path_next < it->path_count) {
            ploy_vec2 way = ploy_vec2_sub(it->path[it->path_next], at);
            to = ploy_vec2_with_length(way, lab->def.speed);
            it->heading = ploy_angle_of(way);
        }
        if (!village_pass_doors(lab, at, to)) to = ploy_vec2_zero();
        wanted[i] = to;
    }
    ploy_points all = ploy_points_make(wanted, lab->def.count);
    ploy_result result = ploy_crowd_set_wanted_all(lab->crowd, &all);
    return result == PLOY_OK ? ploy_crowd_step(lab->crowd, context->dt, context->jobs) : result;
}

static ploy_result village_step(void *state, const ploy_sim_context *context) {
    village_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    village_step_wolves(lab, context);
    ploy_result result = village_step_sight(lab, context);
    if (result == PLOY_OK) result = village_step_minds(lab, context);
    if (result == PLOY_OK) result = village_step_carts(lab, context);
    if (result == PLOY_OK) result = village_step_paths(lab, context);
    if (result == PLOY_OK) result = village_step_bodies(lab, context);
    return result;
}

// ---- sight ----

static void village_draw(const void *state, ploy_draw *out) {
    static const ploy_style styles[VILLAGE_KINDS] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B,
                                                     PLOY_STYLE_GOOD, PLOY_STYLE_PATH};
    static const char *const kinds[VILLAGE_KINDS] = {"tree", "machine", "planner", "rules"};
    const village_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "villager with a tree");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "villager with a machine");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "villager with a planner, and the field");
    ploy_draw_key(out, PLOY_STYLE_PATH, "villager with rules");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "alarmed villager, and carts");
    ploy_draw_key(out, PLOY_STYLE_BAD, "wolf, and shut doors");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "well");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "paths of a few");
    ploy_draw_key(out, PLOY_STYLE_WALL, "houses");
    const ploy_agent_id nobody = ploy_agent_id_none();
    static const ploy_vec2 field[4] = {{-32, 17}, {32, 17}, {32, 24}, {-32, 24}};
    ploy_draw_polygon(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GOOD, nobody, field, 4, 0.15f);
    ploy_draw_text(out, nobody, ploy_vec2_make(-31.5f, 22.8f), "field");
    ploy_draw_text(out, nobody, ploy_vec2_make(-38.5f, 6.0f), "well");
    ploy_draw_text(out, nobody, ploy_vec2_make(-2.0f, -7.4f), "market");
    ploy_draw_disc(out, PLOY_LAYER_REGIONS, PLOY_STYLE_TARGET, nobody, village_spots[VILLAGE_WELL],
                   1.0f, 0.5f);
    for (int32_t i = 0; i < VILLAGE_HOUSES; i++) {
        ploy_vec2 ring[12];
        village_house(i, ring);
        ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, ring, 12, 0.7f);
        float half = 1.0f - lab->doors[i].open; // what is left of it, from both sides
        ploy_vec2 at = lab->doors[i].at;
        if (half <= 0.0f) continue;
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_BAD, nobody,
                       ploy_vec2_make(at.x - 1.0f, at.y), ploy_vec2_make(at.x - 1.0f + half, at.y));
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_BAD, nobody,
                       ploy_vec2_make(at.x + 1.0f, at.y), ploy_vec2_make(at.x + 1.0f - half, at.y));
    }
    for (int32_t i = 0; i < VILLAGE_CARTS; i++) {
        ploy_vec2 at = lab->carts[i].at;
        ploy_vec2 corners[4] = {{at.x - 1, at.y - 0.6f},
                                {at.x + 1, at.y - 0.6f},
                                {at.x + 1, at.y + 0.6f},
                                {at.x - 1, at.y + 0.6f}};
        ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_WARNING, nobody, corners, 4, 0.8f);
    }
    for (int32_t i = 0; i < lab->def.count; i++) {
        ploy_agent_id agent = ploy_agent_id_make((uint32_t)i + 1, 1);
        const villager *it = &lab->all[i];
        ploy_vec2 at = village_at(lab, i);
        ploy_draw_disc(out, PLOY_LAYER_AGENTS,
                       it->alarm > 0.0f ? PLOY_STYLE_WARNING : styles[i % VILLAGE_KINDS], agent, at,
                       0.35f, 1.0f);
        if (i % 25 != 0) continue; // the paths of a few
        for (int32_t k = it->path_next; k < it->path_count; k++) {
            ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, agent,
                           k == it->path_next ? at : it->path[k - 1], it->path[k]);
        }
    }
    for (int32_t i = 0; i < VILLAGE_WOLVES; i++) {
        ploy_agent_id agent = ploy_agent_id_make(100000u + (uint32_t)i, 1);
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_BAD, agent, lab->wolves[i].at, 0.7f,
                       1.0f);
        ploy_draw_text(out, agent, ploy_vec2_add(lab->wolves[i].at, ploy_vec2_make(0.9f, 0.5f)),
                       "wolf");
    }
    for (int32_t i = 0; i < VILLAGE_KINDS; i++) {
        ploy_vec2 at = {-38.0f + 12.0f * (float)i, -24.5f};
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, styles[i], nobody, at, 0.5f, 1.0f);
        ploy_draw_text(out, nobody, ploy_vec2_make(at.x + 1.0f, at.y - 0.4f), kinds[i]);
    }
}

static void village_describe(const void *state, ploy_describe *out) {
    const village_lab *lab = state;
    ploy_describe_begin(out, "summary");
    ploy_describe_i64(out, "think_units", PLOY_STATE, lab->think_spent);
    ploy_describe_i64(out, "path_units", PLOY_STATE, lab->path_spent);
    ploy_describe_i64(out, "look_units", PLOY_STATE, lab->look_spent);
    ploy_describe_i64(out, "mesh_units", PLOY_STATE, lab->mesh_spent);
    ploy_describe_i64(out, "mesh_changes", PLOY_STATE, lab->changes);
    ploy_describe_i64(out, "units", PLOY_DERIVED,
                      lab->think_spent + lab->path_spent + lab->look_spent + lab->mesh_spent);
    ploy_describe_i64(out, "paths", PLOY_STATE, lab->paths);
    ploy_describe_i64(out, "waiting", PLOY_STATE, lab->waiting);
    int64_t done[VILLAGE_PLACES + 1] = {0}, afraid = 0;
    for (int32_t i = 0; i < lab->def.count; i++) {
        int64_t place = village_whole(lab->all[i].board, VILLAGE_PLACE);
        done[place >= 0 && place < VILLAGE_PLACES ? place : VILLAGE_PLACES]++;
        afraid += lab->all[i].alarm > 0.0f;
    }
    for (int32_t i = 0; i <= VILLAGE_PLACES; i++) {
        ploy_describe_i64(out, village_places[i], PLOY_DERIVED, done[i]);
    }
    ploy_describe_i64(out, "afraid", PLOY_DERIVED, afraid);
    ploy_describe_end(out);
    for (int32_t i = 0; i < lab->def.count; i++) {
        const villager *it = &lab->all[i];
        ploy_describe_begin_agent(out, "villager", ploy_agent_id_make((uint32_t)i + 1, 1));
        ploy_vec2 at = village_at(lab, i);
        ploy_describe_vec2(out, "at", PLOY_DERIVED, at.x, at.y);
        ploy_describe_f32(out, "alarm", PLOY_STATE, it->alarm);
        ploy_describe_f32(out, "heading", PLOY_STATE, it->heading);
        ploy_describe_i64(out, "path goal", PLOY_STATE, it->path_goal);
        ploy_describe_i64(out, "path next", PLOY_STATE, it->path_next);
        for (int32_t k = 0; k < it->path_count; k++) {
            ploy_describe_vec2(out, "path", PLOY_STATE, it->path[k].x, it->path[k].y);
        }
        ploy_describe_begin(out, "knows");
        ploy_blackboard_describe(it->board, out);
        ploy_describe_end(out);
        ploy_engine_info info;
        if (ploy_engine_get(lab->engine, it->mind, &info) == PLOY_OK) {
            ploy_describe_begin(out, "mind");
            ploy_behavior_describe(info.behavior, out);
            ploy_describe_end(out);
        }
        ploy_describe_end(out);
    }
    for (int32_t i = 0; i < VILLAGE_WOLVES; i++) {
        ploy_describe_vec2(out, "wolf", PLOY_STATE, lab->wolves[i].at.x, lab->wolves[i].at.y);
    }
    for (int32_t i = 0; i < VILLAGE_HOUSES; i++) {
        ploy_describe_f32(out, "door", PLOY_STATE, lab->doors[i].open);
    }
    ploy_describe_begin(out, "crowd");
    ploy_crowd_describe(lab->crowd, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "engine");
    ploy_engine_describe(lab->engine, out);
    ploy_describe_end(out);
}

extern const ploy_sim_type ploy_lab_village; // in labs.c
const ploy_sim_type ploy_lab_village = {
    .name = "village",
    .title = "A village of mixed minds",
    .help =
        "Two hundred villagers, a quarter each with a behavior tree, a state machine, a planner "
        "and rules. They walk as a crowd over a tiled mesh with doors and carts, and run from "
        "wolves that they see. Every villager answers \"why?\".",
    .version = 1,
    .dt = 1.0f / 60.0f,
    .view = {-41.0f, -27.0f, 41.0f, 27.0f},
    .fields = village_get_fields,
    .create = village_create,
    .step = village_step,
    .draw = village_draw,
    .describe = village_describe,
};
