// One level with everything that characters need in it; see the header.
//
// Invariants, from create to destroy:
//   (1) every part is there; cast refers to service, scene and engine, senses to cast;
//   (2) the engine is destroyed before the cast, whose boards its minds use, and the cast before
//       the planners, whose paths its navigators use.
#include "ploy/data/site.h"

#include "ploy/base/number.h"

static const ploy_field site_fields[] = {
    PLOY_FIELD_F32(ploy_site_def, radius, 0.4f, 0, 1e3f, "m", "of the largest body"),
    PLOY_FIELD_I32(ploy_site_def, think_units, 1000, 1, 1 << 30, "", "of all minds in a step"),
    PLOY_FIELD_I32(ploy_site_def, path_units, 1000, 1, 1 << 30, "", "of all searches in a step"),
    PLOY_FIELD_DEF(ploy_site_def, engine, ploy_engine_fields, "who thinks when"),
    PLOY_FIELD_DEF(ploy_site_def, planners, ploy_planners_fields, "how paths are searched"),
    PLOY_FIELD_DEF(ploy_site_def, telegrams, ploy_telegrams_fields, "messages between agents"),
    PLOY_FIELD_DEF(ploy_site_def, cast, ploy_cast_fields, "the characters"),
};

ploy_fields ploy_site_fields(void) {
    return PLOY_FIELDS(ploy_site_def, site_fields);
}

ploy_site_def ploy_site_def_default(void) {
    ploy_site_def def;
    ploy_fields_default(ploy_site_fields(), &def);
    def.sound = ploy_modality_of(PLOY_SENSE_SOUND); // has a name, so it is not in the table
    return def;
}

#define SITE_TRY(call)                          \
    do {                                        \
        if (result == PLOY_OK) result = (call); \
    } while (0)

// Walls, mesh, scene and paths: what does not change.
static ploy_result site_build_level(ploy_site *site, const ploy_rings *walls,
                                    const ploy_rings *floor) {
    const ploy_env *env = &site->env;
    ploy_result result = ploy_rings_create(env, &site->walls);
    SITE_TRY(ploy_rings_copy(site->walls, walls));
    ploy_navmesh_def mesh = ploy_navmesh_def_default();
    mesh.radius = site->def.radius;
    SITE_TRY(ploy_navmesh_create_rings(&mesh, floor, PLOY_FILL_NON_ZERO, NULL, 0, env, NULL,
                                       &site->mesh));
    ploy_plain_scene_def plain = ploy_plain_scene_def_default();
    SITE_TRY(ploy_plain_scene_create(&plain, env, &site->plain));
    SITE_TRY(ploy_plain_scene_add_rings(site->plain, site->walls, 0, 1, NULL));
    if (result == PLOY_OK) site->scene = ploy_plain_scene_interface(site->plain);
    SITE_TRY(ploy_planners_create(&site->def.planners, env, &site->planners));
    ploy_navmesh_finder_def search = ploy_navmesh_finder_def_default();
    search.mesh = site->mesh;
    ploy_finder_factory finder = ploy_navmesh_finder(&search);
    ploy_name any = {0};
    SITE_TRY(ploy_planners_add_finder(site->planners, any, &finder));
    if (result == PLOY_OK) site->service = ploy_planners_service(site->planners);
    return result;
}

// Engine, telegrams, senses and cast: what lives in the level.
static ploy_result site_build_life(ploy_site *site) {
    const ploy_env *env = &site->env;
    ploy_result result = ploy_engine_create(&site->def.engine, env, &site->engine);
    SITE_TRY(ploy_telegrams_create(&site->def.telegrams, env, &site->telegrams));
    ploy_cast_place place = {site->service, &site->scene, site->walls, site->engine};
    SITE_TRY(ploy_cast_create(&site->def.cast, &place, env, &site->cast));
    SITE_TRY(ploy_modalities_create(&site->def.sound, 1, env, &site->modalities));
    ploy_senses_def senses = ploy_senses_def_default();
    senses.modalities = site->modalities;
    if (senses.capacity < site->def.cast.crowd.capacity) {
        senses.capacity = site->def.cast.crowd.capacity;
    }
    if (result == PLOY_OK) senses.poses = ploy_cast_poses(site->cast);
    SITE_TRY(ploy_senses_create(&senses, env, &site->senses));
    SITE_TRY(ploy_cast_connect_senses(site->cast, site->senses));
    return result;
}

ploy_result ploy_site_create(const ploy_site_def *def, const ploy_rings *walls,
                             const ploy_rings *floor, const ploy_env *env, ploy_site **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (walls == NULL || floor == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_site_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_site *site = ploy_env_alloc_zero(env, sizeof *site);
    if (site == NULL) return PLOY_ERR_MEMORY;
    site->env = *env;
    site->def = *def;
    site->def.cast.modality = 0; // the only one
    result = site_build_level(site, walls, floor);
    SITE_TRY(site_build_life(site));
    if (result != PLOY_OK) {
        ploy_site_destroy(site);
        return result;
    }
    *out = site;
    return PLOY_OK;
}

ploy_result ploy_site_from_tiles(const ploy_site_def *def, const ploy_tiles *tiles,
                                 const ploy_env *env, ploy_site **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (tiles == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_rings *walls = NULL, *floor = NULL;
    ploy_result result = ploy_rings_create(env, &walls);
    SITE_TRY(ploy_rings_create(env, &floor));
    SITE_TRY(ploy_rings_from_tiles(tiles, env, walls, floor));
    SITE_TRY(ploy_site_create(def, walls, floor, env, out));
    ploy_rings_destroy(floor);
    ploy_rings_destroy(walls);
    return result;
}

void ploy_site_destroy(ploy_site *site) {
    if (site == NULL) return;
    ploy_env env = site->env;
    ploy_engine_destroy(site->engine); // keeps (2)
    ploy_cast_destroy(site->cast);
    ploy_senses_destroy(site->senses);
    ploy_modalities_destroy(site->modalities);
    ploy_telegrams_destroy(site->telegrams);
    ploy_planners_destroy(site->planners);
    ploy_plain_scene_destroy(site->plain);
    ploy_navmesh_destroy(site->mesh);
    ploy_rings_destroy(site->walls);
    ploy_env_free(&env, site, sizeof *site);
}

double ploy_site_now(const ploy_site *site) {
    return ploy_engine_now(site->engine);
}

ploy_result ploy_site_noise(ploy_site *site, ploy_vec2 at, float strength, ploy_name kind) {
    ploy_signal signal = ploy_signal_make(0, strength, ploy_vec3_from_vec2(at, 0), kind);
    return ploy_senses_add_signal(site->senses, &signal, ploy_site_now(site));
}

// A footstep for each stride of those that walk fast enough to be heard.
static ploy_result site_footsteps(ploy_site *site, float dt) {
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < site->def.cast.crowd.capacity; i++) {
        ploy_character *character = ploy_cast_at(site->cast, i);
        ploy_orca_agent body;
        if (character == NULL || character->def.step_noise <= 0.0f) continue;
        if (ploy_crowd_get(ploy_cast_crowd(site->cast), character->id, &body) != PLOY_OK) continue;
        float speed = ploy_vec2_length(body.velocity);
        character->walked += speed * dt;
        if (character->walked < character->def.stride) continue;
        character->walked = 0;
        if (speed <= character->def.quiet_speed) continue;
        SITE_TRY(ploy_site_noise(site, body.position, character->def.step_noise,
                                 ploy_name_of("footstep")));
    }
    return result;
}

ploy_result ploy_site_step(ploy_site *site, float dt, const ploy_engine_frame *frame,
                           ploy_percept_fn hear, void *user) {
    if (!ploy_in_range(dt, 0.0f, PLOY_DT_MAX_S)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_senses_step(site->senses, ploy_site_now(site), NULL, hear, user);
    if (result != PLOY_OK) return result;
    ploy_budget thinking = ploy_budget_units(site->def.think_units);
    ploy_budget searching = ploy_budget_units(site->def.path_units);
    result = ploy_engine_step(site->engine, dt, &thinking, frame);
    SITE_TRY(ploy_telegrams_step(site->telegrams, ploy_site_now(site), NULL, frame, NULL));
    if (result != PLOY_OK) return result;
    result = ploy_path_service_step(&site->service, &searching);
    if (result == PLOY_IN_PROGRESS) result = PLOY_OK; // the next step continues
    SITE_TRY(ploy_cast_step(site->cast, dt, frame != NULL ? frame->jobs : NULL));
    SITE_TRY(site_footsteps(site, dt));
    return result;
}

void ploy_site_visit(ploy_visit *v, void *object) {
    ploy_site *site = object;
    ploy_visit_object(v, "site", site, sizeof *site);
    PLOY_VISIT_SCRATCH(v, site->env); // the parts have the state
    PLOY_VISIT_SCRATCH(v, site->def);
    PLOY_VISIT_SCRATCH(v, site->walls);
    PLOY_VISIT_SCRATCH(v, site->mesh);
    PLOY_VISIT_SCRATCH(v, site->plain);
    PLOY_VISIT_SCRATCH(v, site->scene);
    PLOY_VISIT_SCRATCH(v, site->planners);
    PLOY_VISIT_SCRATCH(v, site->service);
    PLOY_VISIT_SCRATCH(v, site->engine);
    PLOY_VISIT_SCRATCH(v, site->telegrams);
    PLOY_VISIT_SCRATCH(v, site->modalities);
    PLOY_VISIT_SCRATCH(v, site->senses);
    PLOY_VISIT_SCRATCH(v, site->cast);
    ploy_visit_begin(v, "cast", PLOY_STATE);
    ploy_cast_visit(v, site->cast);
    ploy_visit_end(v);
    ploy_visit_begin(v, "paths", PLOY_STATE);
    ploy_planners_visit(v, site->planners);
    ploy_visit_end(v);
    ploy_visit_begin(v, "senses", PLOY_STATE);
    ploy_senses_visit(v, site->senses);
    ploy_visit_end(v);
    ploy_visit_begin(v, "telegrams", PLOY_STATE);
    ploy_telegrams_visit(v, site->telegrams);
    ploy_visit_end(v);
    if (v->describe == NULL) return;
    ploy_describe_begin(v->describe, "engine");
    ploy_engine_describe(site->engine, v->describe);
    ploy_describe_end(v->describe);
}

void ploy_site_describe(const ploy_site *site, ploy_describe *out) {
    ploy_visit_describe(ploy_site_visit, site, NULL, out);
}

void ploy_site_draw(const ploy_site *site, ploy_draw *out) {
    ploy_rings_draw(site->walls, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, out);
    ploy_senses_draw(site->senses, out);
    ploy_cast_draw(site->cast, ploy_site_now(site), out);
}

void ploy_site_memory(const ploy_site *site, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_site_visit, site, fn, user);
    ploy_engine_memory(site->engine, fn, user);
    ploy_modalities_memory(site->modalities, fn, user);
    ploy_plain_scene_memory(site->plain, fn, user);
    ploy_navmesh_memory(site->mesh, fn, user);
    ploy_rings_memory(site->walls, fn, user);
}
