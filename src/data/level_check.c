// Checks of a build: what agents cannot reach, nodes in walls, names, triggers and offers.
#include <math.h>
#include <string.h>

#include "level_internal.h"
#include "ploy/base/math.h"
#include "ploy/data/level_offers.h"
#include "ploy/data/staging.h"
#include "ploy/geom/polygon.h"

// ---- parts

typedef struct level_check {
    ploy_level_build *build;
    ploy_scene walls;
    ploy_array part;  // of each node slot, int32_t; -1 for gaps
    ploy_array sizes; // of each part, int32_t
    ploy_array stack; // int32_t
    int32_t largest;
} level_check;

static int32_t *level_check_part(const level_check *check, int32_t node) {
    return PLOY_ARRAY_AT(&check->part, int32_t, node);
}

static ploy_result level_check_fill(level_check *check, int32_t node, int32_t part) {
    const ploy_graph *graph = check->build->graph;
    ploy_graph_edge edge;
    int32_t size = 0;
    *level_check_part(check, node) = part;
    ploy_result result = ploy_array_push(&check->stack, &node);
    while (result == PLOY_OK && ploy_array_pop(&check->stack, &node)) {
        size++;
        for (int32_t pass = 0; pass < 2 && result == PLOY_OK; pass++) {
            int32_t e =
                pass == 0 ? ploy_graph_first_out(graph, node) : ploy_graph_first_in(graph, node);
            while (e >= 0 && result == PLOY_OK) {
                (void)ploy_graph_edge_at(graph, e, &edge);
                int32_t other = pass == 0 ? edge.to : edge.from;
                if (*level_check_part(check, other) < 0) {
                    *level_check_part(check, other) = part;
                    result = ploy_array_push(&check->stack, &other);
                }
                e = pass == 0 ? ploy_graph_next_out(graph, e) : ploy_graph_next_in(graph, e);
            }
        }
    }
    return result == PLOY_OK ? ploy_array_push(&check->sizes, &size) : result;
}

static ploy_result level_check_parts(level_check *check) {
    ploy_level_build *build = check->build;
    ploy_result result = ploy_array_resize(&check->part, ploy_graph_node_slots(build->graph));
    for (int32_t i = 0; result == PLOY_OK && i < check->part.count; i++) {
        *level_check_part(check, i) = -1;
    }
    for (int32_t n = ploy_graph_next_node(build->graph, 0); n >= 0 && result == PLOY_OK;
         n = ploy_graph_next_node(build->graph, n + 1)) {
        if (*level_check_part(check, n) < 0) result = level_check_fill(check, n, build->parts++);
    }
    if (result != PLOY_OK) return result;
    const int32_t *sizes = PLOY_ARRAY_ITEMS(&check->sizes, int32_t);
    for (int32_t i = 1; i < build->parts; i++) {
        if (sizes[i] > sizes[check->largest]) check->largest = i;
    }
    int32_t reported = 0; // parts are numbered by their first node
    for (int32_t n = ploy_graph_next_node(build->graph, 0); n >= 0 && result == PLOY_OK;
         n = ploy_graph_next_node(build->graph, n + 1)) {
        int32_t part = *level_check_part(check, n);
        if (part < reported) continue;
        reported = part + 1;
        if (part == check->largest) continue;
        result = ployi_level_issue(build, PLOY_LEVEL_PART_SPLIT, PLOY_SEVERITY_ERROR, -1,
                                   ploy_vec2_from_vec3(ploy_graph_position(build->graph, n)),
                                   (float)sizes[part],
                                   "nodes are not connected to the largest part", "");
    }
    return result;
}

// True if agents can walk from a node of the largest part to a place, as far as their radius
// allows.
static bool level_check_reaches(const level_check *check, ploy_vec2 at) {
    const ploy_graph *graph = check->build->graph;
    float far = 1.5f * check->build->def.spacing + check->build->def.radius;
    ploy_vec3 place = ploy_vec3_from_vec2(at, 0.0f);
    for (int32_t n = graph == NULL ? -1 : ploy_graph_next_node(graph, 0); n >= 0;
         n = ploy_graph_next_node(graph, n + 1)) {
        ploy_vec3 node = ploy_graph_position(graph, n);
        if (*level_check_part(check, n) == check->largest &&
            ploy_vec3_distance(node, place) <= far &&
            !ploy_scene_ray(&check->walls, node, place, 1, NULL)) {
            return true;
        }
    }
    return false;
}

// ---- objects

static ploy_result level_check_spawns(level_check *check) {
    ploy_level_build *build = check->build;
    ploy_level_spawn spawn;
    ploy_result result = PLOY_OK;
    int32_t count = 0;
    for (int32_t at = 0; result == PLOY_OK && ploy_level_next_spawn(&build->level, &at, &spawn);) {
        ploy_vec3 place = ploy_vec3_from_vec2(spawn.position, 0.0f);
        count++;
        if (!ploy_scene_sweep(&check->walls, place, place, build->def.radius, 1, NULL)) continue;
        result =
            ployi_level_issue(build, PLOY_LEVEL_SPAWN_BLOCKED, PLOY_SEVERITY_ERROR, spawn.object,
                              spawn.position, 0.0f, "spawn point is too close to a wall", "");
    }
    if (result != PLOY_OK || count > 0) return result;
    return ployi_level_issue(build, PLOY_LEVEL_SPAWN_BLOCKED, PLOY_SEVERITY_ERROR, -1,
                             ploy_vec2_make(0, 0), 0.0f, "level has no spawn point", "");
}

static ploy_result level_check_items(level_check *check) {
    ploy_level_build *build = check->build;
    ploy_level_item item;
    for (int32_t at = 0; ploy_level_next_item(&build->level, &at, &item);) {
        if (level_check_reaches(check, item.position)) continue;
        ploy_result result =
            ployi_level_issue(build, PLOY_LEVEL_ITEM_UNREACHABLE, PLOY_SEVERITY_ERROR, item.object,
                              item.position, 0.0f, "no agent reaches the item", item.kind);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result level_check_doors(level_check *check) {
    ploy_level_build *build = check->build;
    ploy_level_door door;
    ploy_result result = PLOY_OK;
    for (int32_t at = 0; result == PLOY_OK && ploy_level_next_door(&build->level, &at, &door);) {
        for (int32_t i = 0; i < door.button_count && result == PLOY_OK; i++) {
            if (level_check_reaches(check, door.buttons[i])) continue;
            result = ployi_level_issue(build, PLOY_LEVEL_BUTTON_UNREACHABLE, PLOY_SEVERITY_ERROR,
                                       door.object, door.buttons[i], 0.0f,
                                       "no agent reaches a button of the door", door.name);
        }
        bool used = build->graph != NULL && ploy_level_door_edges(&door, build->graph, NULL, 0) > 0;
        if (result == PLOY_OK && !used) {
            result = ployi_level_issue(build, PLOY_LEVEL_DOOR_UNUSED, PLOY_SEVERITY_WARNING,
                                       door.object, door.segment.from, 0.0f,
                                       "no edge leads through the door", door.name);
        }
    }
    return result;
}

static ploy_result level_check_names(level_check *check) {
    const ploy_level *level = &check->build->level;
    ploy_level_object one, other;
    for (int32_t i = 0; i < level->object_count; i++) {
        (void)ploy_level_at(level, i, &one);
        if (one.name[0] == 0 || strcmp(one.type, "offers") == 0) continue;
        int32_t first = ploy_level_find(level, one.name);
        while (first < i) {
            (void)ploy_level_at(level, first, &other);
            if (strcmp(one.type, other.type) == 0 && strcmp(one.name, other.name) == 0) break;
            first++;
        }
        if (first >= i) continue;
        ploy_result result = ployi_level_issue(
            check->build, PLOY_LEVEL_NAME_TWICE, PLOY_SEVERITY_WARNING, i,
            ploy_vec2_from_vec3(one.position), 0.0f, "two objects of one type are named", one.name);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// ---- nodes and floor

static ploy_result level_check_nodes(level_check *check) {
    ploy_level_build *build = check->build;
    const ploy_graph *graph = build->graph;
    float radius = build->def.radius * 0.999f;
    ploy_graph_edge edge;
    ploy_result result = PLOY_OK;
    for (int32_t n = ploy_graph_next_node(graph, 0); n >= 0 && result == PLOY_OK;
         n = ploy_graph_next_node(graph, n + 1)) {
        ploy_vec3 place = ploy_graph_position(graph, n);
        if (ploy_scene_overlap(&check->walls, place, radius, 1, NULL, 0) == 0) continue;
        result = ployi_level_issue(build, PLOY_LEVEL_NODE_AT_WALL, PLOY_SEVERITY_ERROR, -1,
                                   ploy_vec2_from_vec3(place), 0.0f,
                                   "node is nearer to a wall than the radius", "");
    }
    for (int32_t e = 0; e < ploy_graph_edge_slots(graph) && result == PLOY_OK; e++) {
        if (!ploy_graph_edge_at(graph, e, &edge) || edge.from > edge.to) continue;
        ploy_vec3 from = ploy_graph_position(graph, edge.from);
        ploy_vec3 to = ploy_graph_position(graph, edge.to);
        if (!ploy_scene_ray(&check->walls, from, to, 1, NULL)) continue;
        result = ployi_level_issue(
            build, PLOY_LEVEL_EDGE_BLOCKED, PLOY_SEVERITY_ERROR, -1,
            ploy_vec2_lerp(ploy_vec2_from_vec3(from), ploy_vec2_from_vec3(to), 0.5f), 0.0f,
            "edge leads through a wall", "");
    }
    return result;
}

// Closed floor that no spawn point opens; smaller pieces than a body are not worth a report.
static ploy_result level_check_floor(level_check *check) {
    ploy_level_build *build = check->build;
    ploy_rings *used = NULL, *closed = NULL;
    float body = 4.0f * build->def.radius * build->def.radius;
    ploy_result result = ploy_rings_create(&build->env, &used);
    if (result == PLOY_OK) result = ploy_rings_create(&build->env, &closed);
    if (result == PLOY_OK) {
        result = ployi_level_floor(&build->def, &build->level, &build->env, used, closed);
        if (result == PLOY_ERR_NOT_FOUND) result = PLOY_OK; // no walls, no floor
    }
    for (int32_t i = 0; result == PLOY_OK && i < ploy_rings_count(closed); i++) {
        ploy_polygon ring = ploy_rings_get(closed, i);
        float area = ploy_polygon_area(ring);
        if (ploy_rings_is_hole(closed, i) || area <= body) continue;
        result = ployi_level_issue(build, PLOY_LEVEL_FLOOR_UNREACHABLE, PLOY_SEVERITY_WARNING, -1,
                                   ploy_polygon_centroid(ring), area,
                                   "enclosed floor has no spawn point", "");
    }
    ploy_rings_destroy(closed);
    ploy_rings_destroy(used);
    return result;
}

// ---- triggers and offers

// The trigger or offer that a reader's diagnostic names, and its place; -1 if there is none. Offers
// are named by their action and their object: "push table".
static int32_t level_check_named(const ploy_level *level, ploy_level_issue_kind kind,
                                 const char *name, ploy_vec2 *place) {
    ploy_level_object object;
    ploy_level_offer offer;
    *place = ploy_vec2_zero();
    if (kind != PLOY_LEVEL_OFFER_FAULT) {
        int32_t index = ploy_level_find(level, name);
        if (ploy_level_at(level, index, &object)) *place = ploy_vec2_from_vec3(object.position);
        return index;
    }
    for (int32_t at = 0; ploy_level_next_offer(level, &at, &offer);) {
        size_t length = strlen(offer.action);
        if (strncmp(name, offer.action, length) != 0 || name[length] != ' ' ||
            strcmp(name + length + 1, offer.name) != 0) {
            continue;
        }
        *place = offer.position;
        return offer.object;
    }
    return -1;
}

// Turns the diagnostics of a reader into issues.
static ploy_result level_check_diags(ploy_level_build *build, ploy_level_issue_kind kind,
                                     const ploy_diags *diags) {
    ploy_vec2 place;
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        const ploy_diag *diag = ploy_diags_get(diags, i);
        int32_t object = level_check_named(&build->level, kind, diag->name, &place);
        ploy_result result = ployi_level_issue(build, kind, PLOY_SEVERITY_ERROR, object, place,
                                               0.0f, diag->message, diag->name);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result level_check_scripts(ploy_level_build *build) {
    ploy_diags *diags = NULL;
    ploy_result result = ploy_diags_create(64, &build->env, &diags);
    if (result != PLOY_OK) return result;
    result = ploy_staging_check(&build->level, diags);
    if (result == PLOY_OK) result = level_check_diags(build, PLOY_LEVEL_TRIGGER_FAULT, diags);
    ploy_diags_clear(diags);
    if (result == PLOY_OK) {
        ploy_goap_type *domain = NULL;
        ploy_env quiet = build->env;
        quiet.log = NULL;
        result = ploy_level_offers_domain(&build->level, &quiet, diags, &domain);
        ploy_goap_type_destroy(domain);
        if (result != PLOY_ERR_MEMORY) result = PLOY_OK; // the diagnostics have the reasons
        if (result == PLOY_OK) result = level_check_diags(build, PLOY_LEVEL_OFFER_FAULT, diags);
    }
    ploy_diags_destroy(diags);
    return result;
}

ploy_result ployi_level_build_check(ploy_level_build *build) {
    level_check check = {0};
    check.build = build;
    check.walls = ploy_plain_scene_interface(build->scene);
    ploy_array_init(&check.part, sizeof(int32_t), &build->env);
    ploy_array_init(&check.sizes, sizeof(int32_t), &build->env);
    ploy_array_init(&check.stack, sizeof(int32_t), &build->env);
    ploy_result result = level_check_spawns(&check);
    if (result == PLOY_OK && build->graph != NULL) result = level_check_parts(&check);
    if (result == PLOY_OK) result = level_check_items(&check);
    if (result == PLOY_OK) result = level_check_doors(&check);
    if (result == PLOY_OK && build->graph != NULL) result = level_check_nodes(&check);
    if (result == PLOY_OK) result = level_check_floor(&check);
    if (result == PLOY_OK) result = level_check_names(&check);
    if (result == PLOY_OK) result = level_check_scripts(build);
    ploy_array_fini(&check.stack);
    ploy_array_fini(&check.sizes);
    ploy_array_fini(&check.part);
    return result;
}
