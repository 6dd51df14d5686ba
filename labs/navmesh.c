// The lab of navigation meshes: a hall whose obstacles are drawn with the mouse, the mesh of what
// is left of the floor, and a walker that searches for its path in slices.
//
// The obstacles are the state; the mesh is rebuilt from them after every change, and the walker is
// put back on the floor if one was drawn over it. It walks to clicked places, and then to random
// ones. When it follows, it keeps a corridor: it is pushed around, its goal moves away, and the
// polygons of the corridor are repaired instead of searched for again.
#include <math.h>
#include <string.h>

#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/geom/boolean.h"
#include "ploy/geom/predicates.h"
#include "ploy/path/corridor.h"

enum { NAVMESH_CORNERS = 64, NAVMESH_RINGS = 100, NAVMESH_WALLS = 32 };

static const float navmesh_height = 1.5f; // m, of obstacles in space
static const float navmesh_near = 0.8f;   // m, so near a click means the drawing's first corner

typedef enum navmesh_click {
    NAVMESH_CLICK_GOAL,
    NAVMESH_CLICK_WALKER,
    NAVMESH_CLICK_POLYGON,
    NAVMESH_CLICK_REMOVE
} navmesh_click;

static const char *const navmesh_clicks[] = {"goal", "walker", "polygon", "remove"};
static const char *const navmesh_methods[] = {"edges", "polygons", "crossings"};

typedef struct navmesh_lab_def {
    uint32_t cookie;
    navmesh_click click;
    ploy_navmesh_method method;
    float radius;
    float trim;
    int32_t max_corners;
    int32_t nodes;
    float speed;
    bool walls;
    bool follow;
    float shove;
    float goal_speed;
    bool funnel;
} navmesh_lab_def;

static const ploy_field navmesh_lab_fields[] = {
    PLOY_FIELD_ENUM(navmesh_lab_def, click, NAVMESH_CLICK_GOAL, navmesh_clicks,
                    "what a click does: sends or puts the walker, draws an obstacle's corner (its "
                    "first one closes it), removes the obstacle there"),
    PLOY_FIELD_ENUM(navmesh_lab_def, method, PLOY_NAVMESH_EDGES, navmesh_methods,
                    "what is searched"),
    PLOY_FIELD_F32(navmesh_lab_def, radius, 0.4f, 0, 2, "m", "rim of the floor that is left out"),
    PLOY_FIELD_F32(navmesh_lab_def, trim, 0, 0, 2, "m", "portals are trimmed by this besides"),
    PLOY_FIELD_I32(navmesh_lab_def, max_corners, 8, 3, 64, "", "most of a polygon"),
    PLOY_FIELD_I32(navmesh_lab_def, nodes, 1, 1, 1000, "", "searched in a tick"),
    PLOY_FIELD_F32(navmesh_lab_def, speed, 6, 0, 50, "m/s", "of the walker"),
    PLOY_FIELD_BOOL(navmesh_lab_def, walls, true, "show the walls near the walker"),
    PLOY_FIELD_BOOL(navmesh_lab_def, follow, false, "walk along a corridor that is mended"),
    PLOY_FIELD_F32(navmesh_lab_def, shove, 3, 0, 50, "m/s", "how the follower is pushed about"),
    PLOY_FIELD_F32(navmesh_lab_def, goal_speed, 3, 0, 50, "m/s", "of the follower's goal"),
    PLOY_FIELD_BOOL(navmesh_lab_def, funnel, true,
                    "show what the walker sees through the portals ahead, until the string bends"),
};

static ploy_fields navmesh_lab_get_fields(void) {
    return PLOY_FIELDS(navmesh_lab_def, navmesh_lab_fields);
}

typedef struct navmesh_lab {
    navmesh_lab_def def; // as of the last step
    ploy_env env;
    ploy_arena *scratch;
    ploy_rings *hall, *obstacles, *floor_rings;
    ploy_navmesh *mesh;
    ploy_navmesh_query *query;
    ploy_path *path;
    ploy_corridor *corridor;
    ploy_vec2 goal_heading; // of a goal that walks, a unit
    int32_t stale;          // corridors that had to be searched for again
    ploy_navmesh_place walker, goal;
    float along; // m of the path walked
    bool searching;
    int32_t arrivals, partial;
    ploy_segment2
        walls[NAVMESH_WALLS]; // near the walker, found in the step: drawing changes nothing
    int32_t wall_count;
    ploy_vec2 drawing[NAVMESH_CORNERS];
    int32_t drawn;
    ploy_rng rng;
} navmesh_lab;

// ---- the mesh ----

static ploy_result navmesh_lab_seek(navmesh_lab *lab) {
    lab->searching = false;
    lab->along = 0.0f;
    ploy_path_clear(lab->path);
    ploy_corridor_clear(lab->corridor);
    if (lab->walker.polygon < 0 || lab->goal.polygon < 0) return PLOY_OK;
    ploy_navmesh_request request = ploy_navmesh_request_make(lab->walker, lab->goal);
    request.method = lab->def.method;
    request.radius = lab->def.trim;
    ploy_result result = ploy_navmesh_query_begin(lab->query, &request);
    lab->searching = result == PLOY_OK;
    return result;
}

// The nearest place of the floor; none if there is no floor.
static ploy_navmesh_place navmesh_lab_place(navmesh_lab *lab, ploy_vec3 at, int32_t hint) {
    ploy_navmesh_place place = {-1, at, 0.0f};
    ploy_navmesh_find_nearest(lab->query, at, hint, NULL, &place);
    return place;
}

static ploy_result navmesh_lab_make(navmesh_lab *lab) {
    ploy_navmesh_def def = ploy_navmesh_def_default();
    def.radius = lab->def.radius;
    def.max_corners = lab->def.max_corners;
    ploy_navmesh_query_destroy(lab->query);
    ploy_navmesh_destroy(lab->mesh);
    lab->query = NULL;
    lab->mesh = NULL;
    ploy_result result = ploy_rings_boolean(lab->hall, lab->obstacles, PLOY_BOOLEAN_DIFFERENCE,
                                            PLOY_FILL_NON_ZERO, lab->scratch, lab->floor_rings);
    if (result == PLOY_OK) {
        result = ploy_navmesh_create_rings(&def, lab->floor_rings, PLOY_FILL_NON_ZERO, NULL, 0,
                                           &lab->env, NULL, &lab->mesh);
    }
    if (result == PLOY_OK) result = ploy_navmesh_query_create(lab->mesh, &lab->env, &lab->query);
    ploy_arena_reset(lab->scratch);
    if (result != PLOY_OK) return result;
    lab->walker = navmesh_lab_place(lab, lab->walker.point, -1);
    lab->goal = navmesh_lab_place(lab, lab->goal.point, -1);
    return navmesh_lab_seek(lab);
}

// Other obstacles, turned and sized by chance, and another goal.
static ploy_result navmesh_lab_scatter(navmesh_lab *lab) {
    ploy_rings_clear(lab->obstacles);
    lab->drawn = 0;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < 15 && result == PLOY_OK; i++) {
        ploy_vec2 corners[7];
        int32_t count = ploy_rng_int(&lab->rng, 3, 7);
        float x = -15.0f + 7.5f * (float)(i % 5) + ploy_rng_range(&lab->rng, -1.5f, 1.5f);
        float y = -6.5f + 6.5f * (float)(i / 5) + ploy_rng_range(&lab->rng, -1.5f, 1.5f);
        float turn = ploy_rng_range(&lab->rng, 0.0f, PLOY_TWO_PI_F);
        float radius = ploy_rng_range(&lab->rng, 1.0f, 2.8f);
        for (int32_t k = 0; k < count; k++) {
            float sine, cosine;
            ploy_sincosf(turn + PLOY_TWO_PI_F * (float)k / (float)count, &sine, &cosine);
            corners[k] = ploy_vec2_make(x + radius * cosine, y + radius * sine);
        }
        result = ploy_rings_add(lab->obstacles, corners, count);
    }
    return result == PLOY_OK ? navmesh_lab_make(lab) : result;
}

// ---- clicks ----

static ploy_result navmesh_lab_draw_corner(navmesh_lab *lab, ploy_vec2 at) {
    bool closes = lab->drawn >= 3 && ploy_vec2_distance(lab->drawing[0], at) <= navmesh_near;
    if (!closes) {
        if (lab->drawn < NAVMESH_CORNERS) lab->drawing[lab->drawn++] = at;
        return PLOY_OK;
    }
    int32_t count = lab->drawn;
    lab->drawn = 0;
    if (ploy_rings_count(lab->obstacles) >= NAVMESH_RINGS) return PLOY_OK;
    // Obstacles go counter-clockwise, so that those which overlap are one.
    bool turned = ploy_polygon_turn(ploy_polygon_make(lab->drawing, count)) < 0;
    ploy_result result = turned ? ploy_rings_add_reversed(lab->obstacles, lab->drawing, count)
                                : ploy_rings_add(lab->obstacles, lab->drawing, count);
    return result == PLOY_OK ? navmesh_lab_make(lab) : result;
}

static ploy_result navmesh_lab_remove(navmesh_lab *lab, ploy_vec2 at) {
    ploy_rings *kept = NULL;
    ploy_result result = ploy_rings_create(&lab->env, &kept);
    for (int32_t i = 0; i < ploy_rings_count(lab->obstacles) && result == PLOY_OK; i++) {
        ploy_polygon ring = ploy_rings_get(lab->obstacles, i);
        if (!ploy_polygon_contains(ring, at))
            result = ploy_rings_add(kept, ring.points, ring.count);
    }
    if (result == PLOY_OK) result = ploy_rings_copy(lab->obstacles, kept);
    ploy_rings_destroy(kept);
    return result == PLOY_OK ? navmesh_lab_make(lab) : result;
}

static ploy_result navmesh_lab_clicked(navmesh_lab *lab, ploy_vec2 at) {
    at = ploy_vec2_make(ploy_clampf(at.x, -100.0f, 100.0f), ploy_clampf(at.y, -100.0f, 100.0f));
    ploy_vec3 point = ploy_vec3_from_vec2(at, 0.0f);
    switch (lab->def.click) {
    case NAVMESH_CLICK_GOAL: lab->goal = navmesh_lab_place(lab, point, -1); break;
    case NAVMESH_CLICK_WALKER: lab->walker = navmesh_lab_place(lab, point, -1); break;
    case NAVMESH_CLICK_POLYGON: return navmesh_lab_draw_corner(lab, at);
    case NAVMESH_CLICK_REMOVE: return navmesh_lab_remove(lab, at);
    }
    return navmesh_lab_seek(lab);
}

// ---- the simulation ----

static ploy_result navmesh_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                      void **out) {
    static const ploy_vec2 hall[] = {{-19, -11}, {19, -11}, {19, 11}, {-19, 11}};
    navmesh_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->rng = ploy_rng_from_key(key, 0);
    lab->walker.point = ploy_vec3_make(-18.0f, -10.0f, 0.0f);
    lab->goal.point = ploy_vec3_make(18.0f, 10.0f, 0.0f);
    lab->goal_heading = ploy_vec2_make(1.0f, 0.0f);
    ploy_path_def path_def = ploy_path_def_default();
    ploy_corridor_def corridor_def = ploy_corridor_def_default();
    // What is left on failure goes with the region.
    ploy_result result = ploy_arena_create(1 << 16, 0, env, &lab->scratch);
    if (result == PLOY_OK) result = ploy_rings_create(env, &lab->hall);
    if (result == PLOY_OK) result = ploy_rings_create(env, &lab->obstacles);
    if (result == PLOY_OK) result = ploy_rings_create(env, &lab->floor_rings);
    if (result == PLOY_OK) result = ploy_path_create(&path_def, env, &lab->path);
    if (result == PLOY_OK) result = ploy_corridor_create(&corridor_def, env, &lab->corridor);
    if (result == PLOY_OK) result = ploy_rings_add(lab->hall, hall, 4);
    if (result == PLOY_OK) result = navmesh_lab_scatter(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// Goes on to another place.
static ploy_result navmesh_lab_arrive(navmesh_lab *lab) {
    lab->arrivals++;
    ploy_result result = ploy_navmesh_find_random(lab->query, &lab->rng, &lab->goal);
    return result == PLOY_OK ? navmesh_lab_seek(lab) : result;
}

// A step along the corridor, a shove, a step of the goal; the row is mended after each.
static ploy_result navmesh_lab_follow(navmesh_lab *lab, float dt) {
    ploy_vec2 at = ploy_vec2_from_vec3(lab->walker.point);
    ploy_vec2 next = ploy_vec2_from_vec3(ploy_corridor_next(lab->corridor, 0.05f));
    float shove = lab->def.shove * dt, left = ploy_path_length(ploy_corridor_path(lab->corridor));
    ploy_vec2 step =
        ploy_vec2_with_length(ploy_vec2_sub(next, at), ploy_minf(lab->def.speed * dt, left));
    ploy_vec2 push = {ploy_rng_range(&lab->rng, -shove, shove),
                      ploy_rng_range(&lab->rng, -shove, shove)};
    ploy_result result =
        ploy_corridor_move(lab->corridor, lab->query, ploy_vec2_add(at, ploy_vec2_add(step, push)));
    if (result != PLOY_OK) return result;
    if (ploy_rng_chance(&lab->rng, 0.02f)) {
        float turn = ploy_rng_range(&lab->rng, 0.0f, PLOY_TWO_PI_F);
        ploy_sincosf(turn, &lab->goal_heading.y, &lab->goal_heading.x);
    }
    ploy_vec2 goal = ploy_vec2_from_vec3(ploy_corridor_get(lab->corridor).goal.point);
    result = ploy_corridor_move_goal(
        lab->corridor, lab->query,
        ploy_vec2_add(goal, ploy_vec2_scale(lab->goal_heading, lab->def.goal_speed * dt)));
    if (result == PLOY_OK) result = ploy_corridor_shorten(lab->corridor, lab->query);
    if (result != PLOY_OK) return result;
    ploy_corridor_state state = ploy_corridor_get(lab->corridor);
    lab->walker = state.agent;
    if (state.stale) {
        lab->stale++;
        return navmesh_lab_seek(lab);
    }
    lab->goal = state.goal;
    return ploy_path_length(ploy_corridor_path(lab->corridor)) < 0.3f ? navmesh_lab_arrive(lab)
                                                                      : PLOY_OK;
}

// Searches a little, or walks a little, or wants to go somewhere else.
static ploy_result navmesh_lab_live(navmesh_lab *lab, float dt) {
    if (lab->walker.polygon < 0) return PLOY_OK;
    if (lab->searching) {
        ploy_budget budget = ploy_budget_units(lab->def.nodes);
        ploy_result result = ploy_navmesh_query_step(lab->query, &budget);
        if (result != PLOY_OK) return result == PLOY_IN_PROGRESS ? PLOY_OK : result;
        lab->searching = false;
        lab->partial += ploy_navmesh_query_answer(lab->query).outcome == PLOY_PATH_PARTIAL;
        result = ploy_navmesh_query_path(lab->query, lab->path);
        if (result != PLOY_OK || !lab->def.follow) return result;
        result = ploy_corridor_set(lab->corridor, lab->query);
        return result == PLOY_ERR_CAPACITY ? PLOY_OK : result; // too long: walk the line
    }
    if (ploy_corridor_get(lab->corridor).polygons > 0) return navmesh_lab_follow(lab, dt);
    float length = ploy_path_length(lab->path);
    lab->along = ploy_minf(lab->along + lab->def.speed * dt, length);
    ploy_vec3 at = ploy_path_at(lab->path, lab->along);
    lab->walker = navmesh_lab_place(lab, at, lab->walker.polygon);
    return lab->along < length ? PLOY_OK : navmesh_lab_arrive(lab);
}

// What the walker does in this tick.
static void navmesh_lab_explain(const navmesh_lab *lab, ploy_trace *trace) {
    bool on = lab->walker.polygon >= 0, search = on && lab->searching;
    bool corridor = ploy_corridor_get(lab->corridor).polygons > 0;
    bool follow = on && !search && corridor, walk = on && !search && !corridor;
    ploy_trace_begin(trace, ploy_agent_id_make(1, 1), "move", "navigation mesh");
    ploy_trace_option(trace, "wait for the search",
                      search ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, (double)NAN,
                      search ? "the budget of a tick was not enough yet" : "the search is done");
    ploy_trace_option(trace, "follow the corridor",
                      follow ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, (double)NAN,
                      follow   ? "the path is a corridor of polygons"
                      : search ? "there is no path yet"
                               : "the path is a line of points");
    ploy_trace_option(trace, "walk the line", walk ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      (double)NAN,
                      walk     ? "the path is a line of points"
                      : search ? "there is no path yet"
                               : "the corridor allows for pushes and a moving goal");
    if (!on) ploy_trace_note(trace, "It is not on the mesh.");
    ploy_trace_f32(trace, "path length", ploy_path_length(lab->path));
    ploy_trace_end(trace);
}

static ploy_result navmesh_lab_step(void *state, const ploy_sim_context *context) {
    navmesh_lab *lab = state;
    navmesh_lab_def before = lab->def;
    memcpy(&lab->def, context->params, sizeof lab->def);
    if (lab->def.click != before.click) lab->drawn = 0;
    ploy_result result = PLOY_OK;
    if (lab->def.radius != before.radius || lab->def.max_corners != before.max_corners) {
        result = navmesh_lab_make(lab);
    } else if (lab->def.method != before.method || lab->def.trim != before.trim ||
               lab->def.follow != before.follow) {
        result = navmesh_lab_seek(lab);
    }
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_COMMAND) continue;
        if (strcmp(input->name, "click") == 0) {
            ploy_vec2 at = {input->value.as.vec[0], input->value.as.vec[1]};
            result = navmesh_lab_clicked(lab, at);
        } else if (strcmp(input->name, "scatter") == 0) {
            result = navmesh_lab_scatter(lab);
        } else if (strcmp(input->name, "clear") == 0) {
            ploy_rings_clear(lab->obstacles);
            result = navmesh_lab_make(lab);
        }
    }
    navmesh_lab_explain(lab, context->trace);
    if (result == PLOY_OK) result = navmesh_lab_live(lab, context->dt);
    lab->wall_count = 0;
    if (result == PLOY_OK && lab->def.walls && lab->walker.polygon >= 0) {
        result = ploy_navmesh_find_walls(lab->query, lab->walker, 3.0f, lab->walls, NAVMESH_WALLS,
                                         &lab->wall_count);
        lab->wall_count = ploy_mini(lab->wall_count, NAVMESH_WALLS);
    }
    return result;
}

// The portal between two polygons of a row: its ends to the left and right of who goes through.
static bool navmesh_lab_portal(const ploy_navmesh *mesh, int32_t from, int32_t to, ploy_vec2 *left,
                               ploy_vec2 *right) {
    ploy_navmesh_polygon p = ploy_navmesh_polygon_at(mesh, from);
    for (int32_t e = p.first; e < p.first + p.count; e++) {
        ploy_navmesh_edge edge = ploy_navmesh_edge_at(mesh, e);
        if (edge.neighbour != to) continue;
        *right = ploy_vec2_from_vec3(edge.from);
        *left = ploy_vec2_from_vec3(edge.to);
        return true;
    }
    return false;
}

// The wedge from the walker through the portals ahead, as far as anything is seen through them: the
// funnel, whose closing makes the string bend.
static void navmesh_lab_draw_funnel(const navmesh_lab *lab, ploy_draw *out) {
    int32_t count = 0, at = 0;
    const int32_t *row = ploy_navmesh_query_corridor(lab->query, &count);
    while (at < count && row[at] != lab->walker.polygon) at++;
    ploy_vec2 apex = ploy_vec2_from_vec3(lab->walker.point), left = apex, right = apex;
    for (bool first = true; at + 1 < count; at++) {
        ploy_vec2 to_left, to_right;
        if (!navmesh_lab_portal(lab->mesh, row[at], row[at + 1], &to_left, &to_right)) break;
        if (ploy_orient2(apex, to_right, to_left) <= 0) continue; // it is on the portal
        if (first || ploy_orient2(apex, right, to_right) >= 0) {
            if (!first && ploy_orient2(apex, left, to_right) >= 0) break;
            right = to_right;
        }
        if (first || ploy_orient2(apex, left, to_left) <= 0) {
            if (!first && ploy_orient2(apex, right, to_left) <= 0) break;
            left = to_left;
        }
        first = false;
    }
    if (ploy_orient2(apex, right, left) <= 0) return;
    ploy_vec2 wedge[3] = {apex, right, left};
    ploy_agent_id walker = ploy_agent_id_make(1, 1);
    ploy_draw_polygon(out, PLOY_LAYER_PATHS, PLOY_STYLE_AGENT_A, walker, wedge, 3, 0.35f);
    for (int32_t i = 1; i < 3; i++) { // its two sides, and the corners that they end in
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_AGENT_A, walker, apex, wedge[i]);
        ploy_draw_disc(out, PLOY_LAYER_PATHS, PLOY_STYLE_AGENT_A, walker, wedge[i], 0.15f, 1.0f);
    }
}

// In space an obstacle is a block with sides and a lid.
static void navmesh_lab_draw_block(ploy_polygon ring, ploy_draw *out) {
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_vec3 lid[NAVMESH_CORNERS];
    for (int32_t i = 0; i < ring.count; i++) {
        ploy_vec2 from = ring.points[i], to = ring.points[(i + 1) % ring.count];
        ploy_vec3 side[4] = {ploy_vec3_from_vec2(from, 0.0f), ploy_vec3_from_vec2(to, 0.0f),
                             ploy_vec3_from_vec2(to, navmesh_height),
                             ploy_vec3_from_vec2(from, navmesh_height)};
        ploy_draw_polygon3(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, nobody, side, 4, 1.0f);
        lid[i] = side[3];
    }
    ploy_draw_polygon3(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, nobody, lid, ring.count, 1.0f);
}

static void navmesh_lab_draw(const void *state, ploy_draw *out) {
    const navmesh_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "walker and its funnel");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "polygons of the corridor");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "edges it crosses, or a wall being drawn");
    ploy_draw_key(out, PLOY_STYLE_BAD, "walls near the walker");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "goal");
    ploy_agent_id nobody = ploy_agent_id_none(), walker = ploy_agent_id_make(1, 1);
    for (int32_t i = 0; i < ploy_rings_count(lab->obstacles); i++) {
        ploy_polygon ring = ploy_rings_get(lab->obstacles, i);
        if (ploy_draw_space(out) && ring.count <= NAVMESH_CORNERS) {
            navmesh_lab_draw_block(ring, out);
            continue;
        }
        ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, ring.points, ring.count,
                          0.6f);
    }
    ploy_navmesh_draw(lab->mesh, out);
    if (ploy_corridor_get(lab->corridor).polygons > 0) {
        ploy_corridor_draw(lab->corridor, lab->mesh, out);
    } else {
        ploy_navmesh_query_draw(lab->query, out);
        if (lab->def.funnel && lab->walker.polygon >= 0) navmesh_lab_draw_funnel(lab, out);
        ploy_path_draw(lab->path, walker, out);
    }
    if (lab->walker.polygon >= 0) {
        for (int32_t i = 0; i < lab->wall_count; i++) {
            ploy_draw_line(out, PLOY_LAYER_SENSES, PLOY_STYLE_BAD, nobody, lab->walls[i].from,
                           lab->walls[i].to);
        }
        ploy_vec2 at = ploy_vec2_from_vec3(lab->walker.point);
        ploy_vec2 goal = ploy_vec2_from_vec3(lab->goal.point);
        float body = ploy_maxf(lab->def.radius, lab->def.trim);
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, walker, at,
                       ploy_maxf(body, 0.2f), 1.0f);
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, nobody, goal, 0.25f, 1.0f);
    }
    if (lab->drawn > 0) {
        ploy_draw_polyline(out, PLOY_LAYER_LABELS, PLOY_STYLE_WARNING, nobody, lab->drawing,
                           lab->drawn);
        ploy_draw_circle(out, PLOY_LAYER_LABELS, PLOY_STYLE_WARNING, nobody, lab->drawing[0],
                         navmesh_near);
    }
}

static void navmesh_lab_describe(const void *state, ploy_describe *out) {
    const navmesh_lab *lab = state;
    ploy_describe_begin(out, "obstacles");
    ploy_rings_describe(lab->obstacles, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "mesh");
    ploy_navmesh_describe(lab->mesh, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "search");
    ploy_navmesh_query_describe(lab->query, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "path");
    ploy_path_describe(lab->path, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "corridor");
    ploy_corridor_describe(lab->corridor, out);
    ploy_describe_vec2(out, "goal_heading", PLOY_STATE, lab->goal_heading.x, lab->goal_heading.y);
    ploy_describe_i64(out, "searched_again", PLOY_STATE, lab->stale);
    ploy_describe_end(out);
    ploy_describe_begin_agent(out, "walker", ploy_agent_id_make(1, 1));
    ploy_describe_vec2(out, "at", PLOY_STATE, lab->walker.point.x, lab->walker.point.y);
    ploy_describe_i64(out, "polygon", PLOY_STATE, lab->walker.polygon);
    ploy_describe_vec2(out, "goal", PLOY_STATE, lab->goal.point.x, lab->goal.point.y);
    ploy_describe_f32(out, "along", PLOY_STATE, lab->along);
    ploy_describe_bool(out, "searching", PLOY_STATE, lab->searching);
    ploy_describe_i64(out, "arrivals", PLOY_STATE, lab->arrivals);
    ploy_describe_i64(out, "partial", PLOY_STATE, lab->partial);
    ploy_describe_end(out);
    ploy_describe_begin(out, "drawing");
    ploy_describe_i64(out, "corners", PLOY_STATE, lab->drawn);
    for (int32_t i = 0; i < lab->drawn; i++) {
        ploy_describe_vec2(out, "corner", PLOY_STATE, lab->drawing[i].x, lab->drawing[i].y);
    }
    ploy_describe_end(out);
}

static const ploy_command navmesh_lab_commands[] = {
    {"click", "send or put the walker, draw or remove an obstacle, as the parameter says",
     PLOY_VALUE_VEC2, false, "Pointer"},
    {"scatter", "other obstacles", PLOY_VALUE_NONE, false, "r"},
    {"clear", "no obstacles", PLOY_VALUE_NONE, false, "c"},
};

extern const ploy_sim_type ploy_lab_navmesh; // in labs.c
const ploy_sim_type ploy_lab_navmesh = {
    .name = "navmesh",
    .title = "Navigation mesh",
    .help = "Click to send the walker somewhere, or, as the parameter says, to put it, to draw an "
            "obstacle corner by corner (its first corner closes it) or to remove one. The search "
            "spreads over the polygons in slices; what it finds is pulled tight between portals: "
            "the wedge is what the walker sees through those ahead, up to the next bend. "
            "A follower is shoved about and its goal walks: its corridor is mended as it goes.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_SPATIAL | PLOY_SIM_ABOVE,
    .dt = 1.0f / 60.0f,
    .view = {-20.0f, -12.0f, 20.0f, 12.0f},
    .fields = navmesh_lab_get_fields,
    .commands = navmesh_lab_commands,
    .command_count = sizeof navmesh_lab_commands / sizeof navmesh_lab_commands[0],
    .create = navmesh_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = navmesh_lab_step,
    .draw = navmesh_lab_draw,
    .describe = navmesh_lab_describe,
};
