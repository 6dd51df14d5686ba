// Tactical points of a build: the designer's own, and the best places among the nodes.
//
// Every node is assessed for cover, view and shadow, with attacks from other nodes all over the
// level, because only there can an attacker be. Then the nodes compete for cover and, separately, for the view.
#include <math.h>

#include "level_internal.h"
#include "ploy/tactics/assess.h"
#include "ploy/tactics/condense.h"

typedef struct level_points {
    ploy_level_build *build;
    ploy_scene scene;
    ploy_array places, values; // ploy_vec3, float
    ploy_array origins;        // ploy_vec3, of attacks: places spread over the level
    ploy_array lamps;          // ploy_assess_lamp
    ploy_array taken;          // bool: survived one of the condensations
    ploy_assess *assess;
    ploy_condense *condense;
} level_points;

static float level_points_light(void *user, ploy_vec3 at) {
    const level_points *all = user;
    return ploy_assess_light(&all->scene, 1, PLOY_ARRAY_ITEMS(&all->lamps, ploy_assess_lamp),
                             all->lamps.count, at);
}

static bool level_points_can_move(void *user, int32_t a, int32_t b) {
    const level_points *all = user;
    const ploy_vec3 *places = PLOY_ARRAY_ITEMS(&all->places, ploy_vec3);
    return !ploy_scene_sweep(&all->scene, places[a], places[b], all->build->def.radius, 1, NULL);
}

// The points of the designer. Those of a block that an earlier build added have no name; they are
// found again.
static ploy_result level_points_own(ploy_level_build *build) {
    ploy_level_object object;
    bool generates = build->graph != NULL && build->def.points;
    bool built = ploy_level_next(&build->level, -1, "nodes") >= 0;
    for (int32_t i = ploy_level_next(&build->level, -1, "point"); i >= 0;
         i = ploy_level_next(&build->level, i, "point")) {
        (void)ploy_level_at(&build->level, i, &object);
        if (generates && built && object.name[0] == 0) continue;
        ploy_level_point point = {i,
                                  ploy_vec2_from_vec3(object.position),
                                  ploy_level_number(&build->level, i, "cover", NAN),
                                  ploy_level_number(&build->level, i, "recon", NAN),
                                  ploy_level_number(&build->level, i, "shadow", NAN),
                                  object.name,
                                  ""};
        ploy_result result = ploy_array_push(&build->points, &point);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result level_points_collect(level_points *all) {
    ploy_level_build *build = all->build;
    ploy_level_object object;
    ploy_result result = PLOY_OK;
    for (int32_t n = ploy_graph_next_node(build->graph, 0); n >= 0 && result == PLOY_OK;
         n = ploy_graph_next_node(build->graph, n + 1)) {
        ploy_vec3 place = ploy_graph_position(build->graph, n);
        result = ploy_array_push(&all->places, &place);
    }
    // One attack from each origin: as many origins as an assessment has rays.
    int32_t rays = ploy_assess_def_default().rays;
    for (int32_t i = 0; i < rays && result == PLOY_OK && all->places.count > 0; i++) {
        int64_t at = (int64_t)i * all->places.count / rays;
        result = ploy_array_push(&all->origins, ploy_array_at(&all->places, (int32_t)at));
    }
    if (result == PLOY_OK) result = ploy_array_resize(&all->values, all->places.count);
    if (result == PLOY_OK) result = ploy_array_resize(&all->taken, all->places.count);
    for (int32_t i = ploy_level_next(&build->level, -1, "light"); i >= 0 && result == PLOY_OK;
         i = ploy_level_next(&build->level, i, "light")) {
        (void)ploy_level_at(&build->level, i, &object);
        ploy_assess_lamp lamp = {object.position,
                                 ploy_level_number(&build->level, i, "reach", 0.0f)};
        result = ploy_array_push(&all->lamps, &lamp);
    }
    return result;
}

static ploy_result level_points_assess(level_points *all) {
    ploy_assess_def def = ploy_assess_def_default();
    ploy_assess_world world = {all->scene,
                               1,
                               NULL,
                               all->lamps.count > 0 ? level_points_light : NULL,
                               all,
                               PLOY_ARRAY_ITEMS(&all->origins, ploy_vec3),
                               all->origins.count};
    def.width = all->build->def.radius;
    ploy_result result = ploy_assess_create(&def, &all->build->env, &all->assess);
    if (result != PLOY_OK) return result;
    result = ploy_assess_begin(all->assess, PLOY_ARRAY_ITEMS(&all->places, ploy_vec3),
                               all->places.count, &world, ploy_rng_key_make(0));
    return result == PLOY_OK ? ploy_assess_step(all->assess, NULL, NULL) : result;
}

// Lets the nodes compete for cover, or for the view.
static ploy_result level_points_compete(level_points *all, bool view) {
    ploy_assessment found;
    float *values = PLOY_ARRAY_ITEMS(&all->values, float), best = 0.0f;
    for (int32_t i = 0; i < all->places.count; i++) {
        (void)ploy_assess_result(all->assess, i, &found);
        values[i] = view ? found.visibility : found.cover;
        // Of two places with equal cover the one with the better view wins, and conversely.
        values[i] += 0.1f * (view ? found.cover : found.visibility);
        if (values[i] > best) best = values[i];
    }
    // Poor places survive far from better ones; a game needs none below half of the best.
    for (int32_t i = 0; i < all->places.count; i++) {
        if (!(values[i] > 0.5f * best)) values[i] = NAN;
    }
    ploy_result result =
        ploy_condense_begin(all->condense, PLOY_ARRAY_ITEMS(&all->places, ploy_vec3), values,
                            all->places.count, level_points_can_move, all);
    if (result == PLOY_OK) result = ploy_condense_step(all->condense, NULL);
    for (int32_t i = 0; result == PLOY_OK && i < all->places.count; i++) {
        if (ploy_condense_result(all->condense, i)) *PLOY_ARRAY_AT(&all->taken, bool, i) = true;
    }
    return result;
}

static ploy_result level_points_keep(level_points *all) {
    ploy_assessment found;
    for (int32_t i = 0; i < all->places.count; i++) {
        if (!*PLOY_ARRAY_AT(&all->taken, bool, i)) continue;
        (void)ploy_assess_result(all->assess, i, &found);
        ploy_vec3 place = *PLOY_ARRAY_AT(&all->places, ploy_vec3, i);
        ploy_level_point point = {
            -1, ploy_vec2_from_vec3(place), found.cover, found.visibility, found.shadow, "", ""};
        ploy_result result = ploy_array_push(&all->build->points, &point);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_result ployi_level_build_points(ploy_level_build *build) {
    ploy_result result = level_points_own(build);
    if (result != PLOY_OK || build->graph == NULL || !build->def.points) return result;
    level_points all = {0};
    ploy_condense_def def = ploy_condense_def_default();
    def.weight = build->def.weight;
    all.build = build;
    all.scene = ploy_plain_scene_interface(build->scene);
    ploy_array_init(&all.places, sizeof(ploy_vec3), &build->env);
    ploy_array_init(&all.values, sizeof(float), &build->env);
    ploy_array_init(&all.origins, sizeof(ploy_vec3), &build->env);
    ploy_array_init(&all.lamps, sizeof(ploy_assess_lamp), &build->env);
    ploy_array_init(&all.taken, sizeof(bool), &build->env);
    result = level_points_collect(&all);
    if (result == PLOY_OK) result = level_points_assess(&all);
    if (result == PLOY_OK) result = ploy_condense_create(&def, &build->env, &all.condense);
    if (result == PLOY_OK) result = level_points_compete(&all, false);
    if (result == PLOY_OK) result = level_points_compete(&all, true);
    if (result == PLOY_OK) result = level_points_keep(&all);
    ploy_condense_destroy(all.condense);
    ploy_assess_destroy(all.assess);
    ploy_array_fini(&all.taken);
    ploy_array_fini(&all.lamps);
    ploy_array_fini(&all.origins);
    ploy_array_fini(&all.values);
    ploy_array_fini(&all.places);
    return result;
}
