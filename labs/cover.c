// The cover lab: three soldiers look for cover from three enemies that walk around. Each soldier asks one
// query, in slices, and claims its place; the margin keeps it from changing all the time. Distances
// are straight, along the path, or found by one open-goal search, so that the thin wall in the middle
// matters. The ring shows the ambush sites (a compound quality), and the arrows how a site leads out
// (hit and run). A click makes a noise, a point of interest that expires.
//
// All state is in the one block cover_lab and what it owns, in the region.
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/path/finders.h"
#include "ploy/tactics/assess.h"
#include "ploy/tactics/query.h"

enum { COVER_LAB_CRATES = 12, COVER_LAB_SOLDIERS = 3, COVER_LAB_ENEMIES = 3, COVER_LAB_SIDE = 40 };

typedef struct cover_lab_def {
    uint32_t cookie;
    int32_t distance;
    float margin;
    float weight;
    int32_t units;
} cover_lab_def;

static const char *const cover_lab_distances[] = {"straight", "path", "shortest"};

static const ploy_field cover_lab_fields[] = {
    PLOY_FIELD_ENUM_FIXED(cover_lab_def, distance, 1, cover_lab_distances,
                          "how the distance to a place is measured"),
    {"margin",
     PLOY_FIELD_TYPE_F32,
     false,
     (uint32_t)offsetof(cover_lab_def, margin),
     {0.1, 0, 0},
     0,
     1,
     "",
     "by which another place must be better",
     NULL,
     0,
     NULL},
    {"weight",
     PLOY_FIELD_TYPE_F32,
     false,
     (uint32_t)offsetof(cover_lab_def, weight),
     {1, 0, 0},
     0,
     5,
     "",
     "of a short distance",
     NULL,
     0,
     NULL},
    PLOY_FIELD_I32(cover_lab_def, units, 40, 1, 100000, "", "of work for a soldier in a tick"),
};

static ploy_fields cover_lab_get_fields(void) {
    return PLOY_FIELDS(cover_lab_def, cover_lab_fields);
}

// s since the beginning.
static double cover_lab_now(const ploy_sim_context *context) {
    return (double)context->tick * (double)context->dt;
}

typedef struct cover_lab_soldier {
    ploy_vec3 at;
    ploy_query *query;
    ploy_finder finder;
    ploy_path *path;
    float along; // m
    bool asks;
    ploy_tactical_id held;
    int32_t changes, none;
    ploy_tactical_exits exits; // of the held place
} cover_lab_soldier;

typedef struct cover_lab {
    cover_lab_def def;
    ploy_rng_key key;
    ploy_plain_scene *plain;
    ploy_scene scene;
    ploy_tiles *tiles;
    ploy_tiles_walker walker;
    ploy_network *network;
    ploy_tactical_points *points;
    ploy_query_type *type;
    ploy_definition_text text; // that the type was read from
    cover_lab_soldier soldiers[COVER_LAB_SOLDIERS];
    ploy_tactical_threat enemies[COVER_LAB_ENEMIES];
    int64_t rays;
    int32_t shots, noises, heard;
} cover_lab;

// Crates on a loose grid, and a thin wall with a door in it.
static ploy_result cover_lab_build(cover_lab *lab, const ploy_env *env) {
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_tiles_def tiles = ploy_tiles_def_default();
    tiles.width = COVER_LAB_SIDE;
    tiles.height = COVER_LAB_SIDE;
    ploy_result result = ploy_plain_scene_create(&def, env, &lab->plain);
    if (result == PLOY_OK) {
        result = ploy_plain_scene_add_segment(lab->plain, ploy_vec2_make(20.05f, 8),
                                              ploy_vec2_make(20.05f, 40), 1, NULL);
    }
    for (int32_t i = 0; i < COVER_LAB_CRATES && result == PLOY_OK; i++) {
        uint32_t n = (uint32_t)i;
        float x = 5 + 10 * (float)(i % 4) + ploy_rng_range_at(lab->key, n, 0, 0, -2, 2);
        float y = 7 + 13 * (float)(i / 4) + ploy_rng_range_at(lab->key, n, 0, 1, -3, 3);
        const ploy_vec2 corners[] = {
            {x - 1, y - 1}, {x + 1, y - 1}, {x + 1, y + 1}, {x - 1, y + 1}};
        result = ploy_plain_scene_add_outline(lab->plain, corners, 4, true, 0.05f, 1, NULL);
    }
    if (result == PLOY_OK) result = ploy_tiles_create(&tiles, env, &lab->tiles);
    if (result != PLOY_OK) return result;
    lab->scene = ploy_plain_scene_interface(lab->plain);
    for (int32_t cell = 0; cell < COVER_LAB_SIDE * COVER_LAB_SIDE && result == PLOY_OK; cell++) {
        ploy_vec3 at = ploy_vec3_from_vec2(ploy_tiles_localise(lab->tiles, cell), 0.0f);
        if (ploy_scene_overlap(&lab->scene, at, 0.5f, 1, NULL, 0) == 0) continue;
        result = ploy_tiles_set(lab->tiles, cell, PLOY_TILE_BLOCKED);
    }
    lab->walker = ploy_tiles_walker_make(lab->tiles, NULL);
    return result;
}

// A waypoint on each side of a crate, joined around it; the network becomes tactical points.
static ploy_result cover_lab_waypoints(cover_lab *lab, const ploy_env *env) {
    static const float sides[4][2] = {{2, 0}, {0, 2}, {-2, 0}, {0, -2}};
    ploy_result result = ploy_network_create(env, &lab->network);
    for (int32_t i = 0; i < COVER_LAB_CRATES && result == PLOY_OK; i++) {
        uint32_t n = (uint32_t)i;
        uint64_t first = (uint64_t)i * 4 + 1;
        float x = 5 + 10 * (float)(i % 4) + ploy_rng_range_at(lab->key, n, 0, 0, -2, 2);
        float y = 7 + 13 * (float)(i / 4) + ploy_rng_range_at(lab->key, n, 0, 1, -3, 3);
        for (int32_t side = 0; side < 4 && result == PLOY_OK; side++) {
            ploy_waypoint waypoint = {first + (uint64_t)side,
                                      {x + sides[side][0], y + sides[side][1], 0},
                                      ploy_quat_identity(),
                                      0.5f};
            result = ploy_network_add(lab->network, &waypoint);
        }
        for (uint64_t side = 0; side < 4 && result == PLOY_OK; side++) {
            result =
                ploy_network_connect_both(lab->network, first + side, first + (side + 1) % 4, 1);
        }
        if (i % 4 > 0 && result == PLOY_OK) {
            result = ploy_network_connect_both(lab->network, first + 2, first - 4, 1);
        }
    }
    return result;
}

static float cover_lab_light(void *user, ploy_vec3 at) {
    const cover_lab *lab = user;
    static const ploy_assess_lamp lamps[] = {{{10, 20, 2}, 14}, {{32, 30, 2}, 12}};
    return ploy_assess_light(&lab->scene, 1, lamps, 2, at);
}

static ploy_result cover_lab_assess(cover_lab *lab, const ploy_env *env) {
    ploy_assess_def def = ploy_assess_def_default();
    ploy_assess_world world = {lab->scene, 1, NULL, cover_lab_light, lab, NULL, 0};
    ploy_assess *assess = NULL;
    def.jitter = 0.5f;
    ploy_result result = ploy_assess_create(&def, env, &assess);
    if (result == PLOY_OK) {
        result = ploy_assess_begin_points(assess, lab->points, &world, lab->key);
    }
    if (result == PLOY_OK) result = ploy_assess_step(assess, NULL, NULL);
    if (result == PLOY_OK) result = ploy_assess_store(assess, lab->points);
    ploy_assess_destroy(assess);
    return result;
}

static ploy_result cover_lab_points(cover_lab *lab, const ploy_env *env) {
    ploy_tactical_points_def def = ploy_tactical_points_def_default();
    def.capacity = 64;
    ploy_result result = ploy_tactical_points_create(&def, env, &lab->points);
    if (result == PLOY_OK) result = ploy_tactical_points_add_network(lab->points, lab->network);
    if (result == PLOY_OK) result = cover_lab_assess(lab, env);
    if (result != PLOY_OK) return result;
    ploy_tactical_points_set_scene(lab->points, &lab->scene, 1);
    result = ploy_tactical_points_define(lab->points, "ambush",
                                         "cover > 0.3 && shadow > 0.6 && seen(exposed, 6) > 0.5",
                                         "cover", 1, 1, NULL);
    if (result == PLOY_OK) {
        result = ploy_tactical_points_compute(lab->points, PLOY_TACTICAL_AMBUSH);
    }
    return result;
}

static const ploy_definition cover_lab_definitions[] = {
    {"cover", "txt", "the query; lines are from, test, else, pick and margin"},
};

// A new text may not define qualities: they would stay in the points when the text is replaced.
static bool cover_lab_defines(const char *text, size_t size, ploy_diags *diags) {
    static const char word[] = "quality";
    int32_t line = 1, found = 0;
    for (size_t i = 0; i < size; line++) {
        while (i < size && (text[i] == ' ' || text[i] == '\t')) i++;
        if (size - i >= sizeof word - 1 && memcmp(text + i, word, sizeof word - 1) == 0) {
            ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, "cover.txt", line, 1,
                           "unexpected quality", "from, test, else, pick or margin", NULL);
            found++;
        }
        while (i < size && text[i] != '\n') i++;
        if (i < size) i++;
    }
    return found > 0;
}

// Takes over a text that was checked. Queries under way are asked again at the next turn; soldiers keep the
// places that they hold.
static ploy_result cover_lab_take(cover_lab *lab, const void *bytes, size_t size,
                                  const ploy_env *env) {
    ploy_query_type *type = NULL;
    ploy_result result =
        ploy_query_type_load(bytes, size, "cover.txt", NULL, lab->points, NULL, env, NULL, &type);
    if (result == PLOY_OK) result = ploy_definition_text_set(&lab->text, bytes, size, env);
    for (int32_t i = 0; i < COVER_LAB_SOLDIERS && result == PLOY_OK; i++) {
        cover_lab_soldier *soldier = &lab->soldiers[i];
        ploy_query_destroy(soldier->query);
        soldier->query = NULL;
        soldier->asks = false;
        result = ploy_query_create(type, env, &soldier->query);
    }
    if (result != PLOY_OK) return result; // out of memory: the region goes
    ploy_query_type_destroy(lab->type);
    lab->type = type;
    return PLOY_OK;
}

static ploy_result cover_lab_query(cover_lab *lab, const ploy_env *env) {
    char text[512];
    static const char *const rows[] = {
        "test distance self weight %.3f from 0 to 30 curve linear -1 1\n",
        "test path weight %.3f from 0 to 40 curve linear -1 1\n", "# weight %.3f\n"};
    char row[128];
    (void)snprintf(row, sizeof row, rows[lab->def.distance], (double)lab->def.weight);
    (void)snprintf(text, sizeof text,
                   "pick %s\nmargin %.3f\nfrom points within 30\ntest \"!compromised\" in 1..1\n"
                   "test hidden in 0.6..1 weight 2\ntest against cover weight 1\n%s",
                   lab->def.distance == 2 ? "shortest" : "best", (double)lab->def.margin, row);
    ploy_result result = cover_lab_take(lab, text, strlen(text), env);
    ploy_representation view = ploy_tiles_representation(&lab->walker);
    ploy_finder_factory finder = ploy_representation_finder(&view, PLOY_SPACE_ASTAR);
    ploy_path_def path = ploy_path_def_default();
    for (int32_t i = 0; i < COVER_LAB_SOLDIERS && result == PLOY_OK; i++) {
        cover_lab_soldier *soldier = &lab->soldiers[i];
        soldier->at = ploy_vec3_make(14.5f + 4 * (float)i, 3.5f, 0);
        result = ploy_finder_make(&finder, env, &soldier->finder);
        if (result == PLOY_OK) result = ploy_path_create(&path, env, &soldier->path);
    }
    return result;
}

static ploy_result cover_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    cover_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->key = ploy_rng_key_split(key, 1);
    ploy_result result = cover_lab_build(lab, env);
    if (result == PLOY_OK) result = cover_lab_waypoints(lab, env);
    if (result == PLOY_OK) result = cover_lab_points(lab, env);
    if (result == PLOY_OK) result = cover_lab_query(lab, env);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// The enemies walk in circles; now and then one fires at a soldier, which gives its place away.
static void cover_lab_enemies(cover_lab *lab, const ploy_sim_context *context) {
    float now = (float)cover_lab_now(context);
    for (int32_t i = 0; i < COVER_LAB_ENEMIES; i++) {
        float sine, cosine;
        ploy_sincosf(0.15f * now + 2.1f * (float)i, &sine, &cosine);
        lab->enemies[i].position = ploy_vec3_make(20 + 17 * cosine, 21 + 17 * sine, 0);
        lab->enemies[i].weapon = i;
        if ((context->tick + (uint64_t)i * 40) % 240 != 239) continue;
        ploy_vec3 to = lab->soldiers[i % COVER_LAB_SOLDIERS].at;
        lab->shots += ploy_tactical_points_shot(lab->points, lab->enemies[i].position, to, 0.8f,
                                                cover_lab_now(context));
    }
}

static ploy_query_context cover_lab_context(const cover_lab *lab, int32_t index, uint64_t tick,
                                            double now) {
    const cover_lab_soldier *soldier = &lab->soldiers[index];
    ploy_query_context ask = ploy_query_context_make(soldier->at);
    ask.agent = ploy_agent_id_make((uint32_t)index + 1, 1);
    ask.enemies = lab->enemies;
    ask.enemy_count = COVER_LAB_ENEMIES;
    ask.now = now;
    ask.tick = tick;
    ask.key = lab->key;
    ask.points = lab->points;
    ask.scene = lab->scene;
    ask.mask = 1;
    ask.finder = soldier->finder;
    ask.holds = !ploy_id_is_none(soldier->held.id);
    ask.held = soldier->held;
    return ask;
}

static ploy_result cover_lab_ask(cover_lab *lab, int32_t index, const ploy_sim_context *context) {
    ploy_query_context ask = cover_lab_context(lab, index, context->tick, cover_lab_now(context));
    lab->soldiers[index].asks = true;
    return ploy_query_begin(lab->soldiers[index].query, &ask);
}

// The path to the place that was found: that of the open-goal search, or a separate search.
static ploy_result cover_lab_go(cover_lab_soldier *soldier, ploy_vec3 to) {
    soldier->along = 0.0f;
    ploy_result known = ploy_query_path(soldier->query, soldier->path);
    if (known != PLOY_ERR_STATE) return known;
    ploy_path_request request = ploy_path_request_make(ploy_agent_id_none(), soldier->at, to);
    ploy_finder_request whole = ploy_finder_request_make(&request);
    ploy_result result = ploy_finder_run(soldier->finder, &whole, NULL);
    ploy_path_clear(soldier->path);
    if (result == PLOY_OK && ploy_finder_outcome(soldier->finder) == PLOY_PATH_FOUND) {
        result = ploy_finder_path(soldier->finder, soldier->path);
    }
    return result;
}

static ploy_result cover_lab_choose(cover_lab *lab, int32_t index, double now) {
    cover_lab_soldier *soldier = &lab->soldiers[index];
    ploy_agent_id agent = ploy_agent_id_make((uint32_t)index + 1, 1);
    ploy_query_result found;
    ploy_query_get(soldier->query, &found);
    lab->rays += found.rays;
    soldier->asks = false;
    if (found.outcome != PLOY_QUERY_FOUND) {
        soldier->none++;
        return PLOY_OK;
    }
    if (ploy_id_is_none(found.spots[0].id.id)) { // a place that is not a point has no claims
        ploy_tactical_id none = {ploy_id_none()};
        (void)ploy_tactical_points_release_all(lab->points, agent);
        soldier->held = none;
        soldier->changes++;
        return cover_lab_go(soldier, found.spots[0].position);
    }
    bool same = ploy_tactical_id_equal(found.spots[0].id, soldier->held);
    if (!same) (void)ploy_tactical_points_release_all(lab->points, agent);
    if (ploy_tactical_points_claim(lab->points, found.spots[0].id, agent, now, now + 2) !=
        PLOY_OK) {
        return PLOY_OK; // another soldier claimed it since the query began
    }
    if (same) return PLOY_OK;
    soldier->held = found.spots[0].id;
    soldier->changes++;
    (void)ploy_tactical_points_exits(lab->points, soldier->held, NULL, NULL, &soldier->exits);
    return cover_lab_go(soldier, found.spots[0].position);
}

static void cover_lab_noise(cover_lab *lab, ploy_vec2 at, double now) {
    ploy_tactical_point noise = ploy_tactical_point_make(ploy_vec3_from_vec2(at, 0.0f));
    ploy_tactical_id id;
    noise.created = now;
    noise.expires = now + 4.0;
    if (ploy_tactical_points_add(lab->points, &noise, &id) != PLOY_OK) return; // enough noise
    (void)ploy_tactical_points_set_value(lab->points, id, PLOY_TACTICAL_INTEREST, 1.0f);
    (void)ploy_tactical_points_compromise(lab->points, id,
                                          now); // no soldier takes cover at a noise
    lab->noises++;
    ploy_rng rng = ploy_rng_from_key(lab->key, (uint64_t)lab->noises);
    ploy_tactical_id other =
        ploy_tactical_points_random(lab->points, PLOY_TACTICAL_INTEREST, id, now, &rng);
    lab->heard += !ploy_id_is_none(other.id); // there is another one to look at
}

static ploy_result cover_lab_step(void *state, const ploy_sim_context *context) {
    cover_lab *lab = state;
    lab->def.units = ((const cover_lab_def *)context->params)->units;
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind == PLOY_INPUT_RELOAD) {
            ploy_result result = cover_lab_take(lab, input->bytes, input->size, context->env);
            if (result != PLOY_OK) return result;
        }
        if (!lab_input_is(&context->inputs[i], "click")) continue;
        cover_lab_noise(lab, lab_input_point(&context->inputs[i]), cover_lab_now(context));
    }
    (void)ploy_tactical_points_expire(lab->points, cover_lab_now(context));
    cover_lab_enemies(lab, context);
    for (int32_t i = 0; i < COVER_LAB_SOLDIERS; i++) {
        cover_lab_soldier *soldier = &lab->soldiers[i];
        ploy_result result = PLOY_OK;
        if (!soldier->asks && (context->tick + (uint64_t)i * 10) % 30 == 0) {
            result = cover_lab_ask(lab, i, context);
        }
        if (result == PLOY_OK && soldier->asks) {
            ploy_budget budget = ploy_budget_units(lab->def.units);
            result = ploy_query_step(soldier->query, &budget);
            if (result == PLOY_OK) {
                ploy_query_trace(soldier->query, context->trace);
                result = cover_lab_choose(lab, i, cover_lab_now(context));
            }
        }
        if (result < 0) return result;
        if (ploy_path_count(soldier->path) < 1) continue;
        soldier->along += 4.0f * context->dt;
        soldier->at = ploy_path_at(soldier->path, soldier->along);
    }
    return PLOY_OK;
}

static int32_t cover_lab_ambushes(const cover_lab *lab, double now) {
    int32_t count = 0;
    uint32_t cursor = 0;
    ploy_tactical_id id;
    while (ploy_tactical_points_next(lab->points, &cursor, &id)) {
        count += ploy_tactical_points_value(lab->points, id, PLOY_TACTICAL_AMBUSH, now) > 0.0f;
    }
    return count;
}

static void cover_lab_draw(const void *state, ploy_draw *out) {
    const cover_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_GOOD, "place with cover, candidate");
    ploy_draw_key(out, PLOY_STYLE_BAD, "rejected candidate");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "chosen or held place");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "links between places");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "soldiers");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "enemies");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "ambush site");
    ploy_plain_scene_draw(lab->plain, out);
    ploy_tactical_points_draw(lab->points, PLOY_TACTICAL_COVER, 0.0, out);
    uint32_t cursor = 0;
    ploy_tactical_id id;
    ploy_tactical_point point;
    while (ploy_tactical_points_next(lab->points, &cursor, &id)) {
        if (!(ploy_tactical_points_value(lab->points, id, PLOY_TACTICAL_AMBUSH, 0.0) > 0.0f))
            continue;
        (void)ploy_tactical_points_get(lab->points, id, &point);
        ploy_draw_circle(out, PLOY_LAYER_REGIONS, PLOY_STYLE_WARNING, ploy_agent_id_none(),
                         ploy_vec2_from_vec3(point.position), 0.8f);
    }
    for (int32_t i = 0; i < COVER_LAB_SOLDIERS; i++) {
        const cover_lab_soldier *soldier = &lab->soldiers[i];
        ploy_agent_id agent = ploy_agent_id_make((uint32_t)i + 1, 1);
        // Candidates and rejections of one query; those of all would cover one another.
        if (i == 0) ploy_query_draw(soldier->query, out);
        ploy_path_draw(soldier->path, agent, out);
        ploy_draw_agent(out, PLOY_STYLE_AGENT_A, agent, ploy_vec2_from_vec3(soldier->at), 0.0f,
                        0.4f);
    }
    for (int32_t i = 0; i < COVER_LAB_ENEMIES; i++) {
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_B, ploy_agent_id_none(),
                       ploy_vec2_from_vec3(lab->enemies[i].position), 0.5f, 1.0f);
    }
    char text[96];
    (void)snprintf(text, sizeof text, "%d ambush sites, %lld rays, %d compromised by shots",
                   (int)cover_lab_ambushes(lab, 0.0), (long long)lab->rays, (int)lab->shots);
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0, 41), text);
}

// What a soldier's place is like: how many exits it has, and its cover from the first enemy.
static void cover_lab_describe_place(const cover_lab *lab, const cover_lab_soldier *soldier,
                                     ploy_describe *out) {
    int32_t sector =
        ploy_tactical_points_sector(lab->points, soldier->at, lab->enemies[0].position);
    ploy_describe_i64(out, "exits", PLOY_DERIVED, soldier->exits.exits);
    ploy_describe_f64(out, ploy_tactical_points_tag_name(lab->points, PLOY_TACTICAL_COVER),
                      PLOY_DERIVED,
                      (double)ploy_tactical_points_state(lab->points, soldier->held,
                                                         PLOY_TACTICAL_COVER, sector, 0, 0, 0.0));
    ploy_describe_i64(out, "tiles_near", PLOY_DERIVED, ploy_query_offsets(3, NULL, 0));
}

static void cover_lab_describe(const void *state, ploy_describe *out) {
    const cover_lab *lab = state;
    int32_t changes = 0, none = 0;
    ploy_describe_begin(out, "soldiers");
    for (int32_t i = 0; i < COVER_LAB_SOLDIERS; i++) {
        const cover_lab_soldier *soldier = &lab->soldiers[i];
        ploy_describe_begin_item(out, i);
        ploy_describe_vec2(out, "position", PLOY_STATE, soldier->at.x, soldier->at.y);
        ploy_describe_f64(out, "along", PLOY_STATE, (double)soldier->along);
        ploy_describe_id(out, "held", PLOY_STATE, soldier->held.id);
        ploy_describe_text(out, "by", PLOY_DERIVED, cover_lab_distances[lab->def.distance]);
        cover_lab_describe_place(lab, soldier, out);
        ploy_query_describe(soldier->query, out);
        ploy_describe_end(out);
        changes += soldier->changes;
        none += soldier->none;
    }
    ploy_describe_end(out);
    ploy_describe_i64(out, "changes", PLOY_STATE, changes);
    ploy_describe_i64(out, "none", PLOY_STATE, none);
    ploy_describe_i64(out, "rays", PLOY_STATE, lab->rays);
    ploy_describe_i64(out, "shots", PLOY_STATE, lab->shots);
    ploy_describe_i64(out, "noises", PLOY_STATE, lab->noises);
    ploy_describe_i64(out, "heard", PLOY_STATE, lab->heard);
    ploy_describe_i64(out, "ambushes", PLOY_DERIVED, cover_lab_ambushes(lab, 0.0));
    ploy_describe_begin(out, "points");
    ploy_tactical_points_describe(lab->points, out);
    ploy_describe_end(out);
    ploy_definition_text_describe(&lab->text, "definition", NULL, out);
}

static ploy_result cover_lab_write(const void *state, int32_t definition, ploy_writer *out) {
    (void)definition;
    return ploy_definition_text_write(&((const cover_lab *)state)->text, out);
}

// Beginning a query shows whether the lab has what the text needs: maps, lists and paths it has not.
static ploy_result cover_lab_check(const void *state, int32_t definition, const void *bytes,
                                   size_t size, const ploy_env *env, ploy_diags *diags) {
    const cover_lab *lab = state;
    (void)definition;
    if (cover_lab_defines(bytes, size, diags)) return PLOY_ERR_FORMAT;
    ploy_query_type *type = NULL;
    ploy_query *query = NULL;
    // Without qualities in the text the points are only read.
    ploy_result result =
        ploy_query_type_load(bytes, size, "cover.txt", NULL, lab->points, NULL, env, diags, &type);
    if (result == PLOY_OK) result = ploy_query_create(type, env, &query);
    if (result == PLOY_OK) {
        ploy_query_context ask = cover_lab_context(lab, 0, 0, 0.0);
        result = ploy_query_begin(query, &ask);
        if (result == PLOY_ERR_ARGUMENT) {
            ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_ARGUMENT, "cover.txt", 1, 1,
                           "a generator needs what the lab has not",
                           "from points, ring, grid or cone", NULL);
        }
    }
    ploy_query_destroy(query);
    ploy_query_type_destroy(type);
    return result;
}

static const ploy_command cover_lab_commands[] = {
    {"click", "make a noise", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_cover; // in labs.c
const ploy_sim_type ploy_lab_cover = {
    .name = "cover",
    .title = "Cover",
    .help =
        "Three soldiers look for cover from three enemies, each with one query. Compare straight "
        "distances with paths: a thin wall is in the middle. Rings are ambush sites.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS | PLOY_SIM_TACTICS,
    .dt = 1.0f / 60.0f,
    .view = {-1.0f, -1.0f, 41.0f, 43.0f},
    .fields = cover_lab_get_fields,
    .commands = cover_lab_commands,
    .command_count = sizeof cover_lab_commands / sizeof cover_lab_commands[0],
    .create = cover_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = cover_lab_step,
    .draw = cover_lab_draw,
    .describe = cover_lab_describe,
    .definitions = cover_lab_definitions,
    .definition_count = sizeof cover_lab_definitions / sizeof cover_lab_definitions[0],
    .write = cover_lab_write,
    .check = cover_lab_check,
};
