// A build as a block, as a picture and as a description.
#include <math.h>
#include <string.h>

#include "level_internal.h"
#include "level_line.h"

// ---- the block

// A value as in a level's text: a number if it reads as one.
static ploy_value level_output_value(const char *text) {
    float number = 0.0f;
    return ployi_level_line_is_number(text, &number) ? ploy_value_f32(number)
                                                     : ploy_value_text(text);
}

// Splits the next of key=value lines. @return false at the end.
static bool level_output_next_tag(const char **at, char *line, size_t size, char **value) {
    size_t length = strcspn(*at, "\n");
    if (length == 0 || length >= size) return false;
    memcpy(line, *at, length);
    line[length] = 0;
    *at += length + 1;
    *value = strchr(line, '=');
    if (*value == NULL) return false;
    **value = 0;
    (*value)++;
    return true;
}

// The last override of a tag wins. @return false if there is none.
static bool level_output_override(const ploy_level_build *build, const char *name, const char *key,
                                  char *line, size_t size, ploy_value *out) {
    ploy_level_override one;
    bool found = false;
    int32_t count = build->overrides == NULL ? 0 : ploy_level_overrides_count(build->overrides);
    for (int32_t i = count - 1; i >= 0 && !found && name[0] != 0; i--) {
        (void)ploy_level_overrides_get(build->overrides, i, &one);
        if (one.kind != PLOY_LEVEL_TAG || strcmp(one.name, name) != 0) continue;
        char *value = NULL;
        for (const char *at = one.tags; level_output_next_tag(&at, line, size, &value);) {
            if (strcmp(line, key) != 0) continue;
            *out = level_output_value(value);
            found = true;
            break;
        }
    }
    return found;
}

// Tags that overrides add to an object.
static ploy_result level_output_new_tags(const ploy_level_build *build, int32_t object,
                                         const char *name, ploy_level_builder *builder) {
    ploy_level_override one;
    int32_t count = build->overrides == NULL ? 0 : ploy_level_overrides_count(build->overrides);
    if (ploy_level_find(&build->level, name) != object) return PLOY_OK;
    for (int32_t i = count - 1; i >= 0 && name[0] != 0; i--) {
        (void)ploy_level_overrides_get(build->overrides, i, &one);
        if (one.kind != PLOY_LEVEL_TAG || strcmp(one.name, name) != 0) continue;
        char line[PLOYI_LEVEL_LINE_SIZE], *value = NULL;
        for (const char *at = one.tags; level_output_next_tag(&at, line, sizeof line, &value);) {
            ploy_result result = ploy_level_builder_set(builder, line, level_output_value(value));
            if (result != PLOY_OK && result != PLOY_ERR_EXISTS) return result;
        }
    }
    return PLOY_OK;
}

static ploy_result level_output_object(const ploy_level_build *build, int32_t index,
                                       ploy_level_builder *builder) {
    ploy_level_object object;
    char line[PLOYI_LEVEL_LINE_SIZE];
    (void)ploy_level_at(&build->level, index, &object);
    bool first = ploy_level_find(&build->level, object.name) == index;
    ploy_result result = ploy_level_builder_add(builder, object.name, object.type, object.position);
    for (int32_t i = 0; i < object.slot_count && result == PLOY_OK; i++) {
        const char *key = NULL;
        ploy_value value;
        (void)ploy_level_slot(&build->level, index, i, &key, &value);
        if (first) {
            (void)level_output_override(build, object.name, key, line, sizeof line, &value);
        }
        result = ploy_level_builder_set(builder, key, value);
    }
    return result == PLOY_OK ? level_output_new_tags(build, index, object.name, builder) : result;
}

static ploy_result level_output_point(const ploy_level_point *point, ploy_level_builder *builder) {
    static const char *const keys[] = {"cover", "recon", "shadow"};
    const float values[] = {point->cover, point->recon, point->shadow};
    ploy_result result = ploy_level_builder_add(builder, point->name, "point",
                                                ploy_vec3_from_vec2(point->position, 0.0f));
    for (int32_t i = 0; i < 3 && result == PLOY_OK; i++) {
        if (!isnan(values[i])) {
            result = ploy_level_builder_set(builder, keys[i], ploy_value_f32(values[i]));
        }
    }
    char line[PLOYI_LEVEL_LINE_SIZE], *value = NULL;
    for (const char *at = point->tags;
         result == PLOY_OK && level_output_next_tag(&at, line, sizeof line, &value);) {
        result = ploy_level_builder_set(builder, line, level_output_value(value));
        if (result == PLOY_ERR_EXISTS) result = PLOY_OK; // the first counts
    }
    return result;
}

// True for an object of the level that the block does not take over: removed points, and what an
// earlier build added.
static bool level_output_leaves_out(const ploy_level_build *build, int32_t index) {
    ploy_level_object object;
    (void)ploy_level_at(&build->level, index, &object);
    if (strcmp(object.type, "nodes") == 0 || strcmp(object.type, "mesh") == 0 ||
        strcmp(object.type, "sphere") == 0) {
        return true;
    }
    if (strcmp(object.type, "point") != 0) return false;
    for (int32_t i = 0; i < build->points.count; i++) {
        if (ploy_level_build_point(build, i)->object == index) return false;
    }
    return true;
}

static ploy_result level_output_generated(const ploy_level_build *build,
                                          ploy_level_builder *builder) {
    ploy_result result = PLOY_OK;
    ploy_level_object object;
    if (build->graph != NULL) result = ployi_level_store_nodes(build->graph, &build->env, builder);
    if (result == PLOY_OK && build->mesh != NULL) {
        result = ployi_level_store_mesh(build->mesh, &build->env, builder);
    }
    for (int32_t i = 0; i < build->points.count && result == PLOY_OK; i++) {
        const ploy_level_point *point = ploy_level_build_point(build, i);
        if (point->object < 0) result = level_output_point(point, builder);
    }
    for (int32_t i = 0; i < build->spheres.count && result == PLOY_OK; i++) {
        const ploy_level_sphere *sphere = ploy_level_build_sphere(build, i);
        (void)ploy_level_at(&build->level, sphere->object, &object);
        result = ploy_level_builder_add(builder, object.name, "sphere",
                                        ploy_vec3_from_vec2(sphere->position, 0.0f));
        if (result == PLOY_OK) {
            result = ploy_level_builder_set(builder, "radius", ploy_value_f32(sphere->radius));
        }
    }
    return result;
}

ploy_result ploy_level_build_save(const ploy_level_build *build, ploy_writer *out) {
    ploy_level_builder *builder = NULL;
    ploy_result result = ploy_level_builder_create(&build->env, &builder);
    for (int32_t i = 0; result == PLOY_OK && i < build->level.object_count; i++) {
        if (!level_output_leaves_out(build, i)) result = level_output_object(build, i, builder);
    }
    if (result == PLOY_OK) result = level_output_generated(build, builder);
    if (result == PLOY_OK) result = ploy_level_builder_save(builder, out);
    ploy_level_builder_destroy(builder);
    return result;
}

// ---- the picture

static void level_output_draw_level(const ploy_level_build *build, ploy_draw *out) {
    const ploy_level *level = &build->level;
    ploy_agent_id none = ploy_agent_id_none();
    ploy_segment2 wall;
    ploy_level_door door;
    ploy_level_item item;
    ploy_level_spawn spawn;
    ploy_level_obstacle obstacle;
    ploy_level_object object;
    for (int32_t at = 0; ploy_level_next_obstacle(level, &at, &obstacle);) {
        ploy_vec2 corners[4];
        ploy_obb2_corners(obstacle.box, corners);
        ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, corners, 4, 0.5f);
    }
    for (int32_t at = 0; ploy_level_next_wall(level, &at, &wall);) {
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, wall.from, wall.to);
    }
    for (int32_t at = 0; ploy_level_next_door(level, &at, &door);) {
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WARNING, none, door.segment.from,
                       door.segment.to);
        for (int32_t i = 0; i < door.button_count; i++) {
            ploy_draw_point(out, PLOY_LAYER_WORLD, PLOY_STYLE_WARNING, none, door.buttons[i]);
        }
    }
    for (int32_t i = ploy_level_next(level, -1, "trigger"); i >= 0;
         i = ploy_level_next(level, i, "trigger")) {
        (void)ploy_level_at(level, i, &object);
        ploy_draw_circle(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, none,
                         ploy_vec2_from_vec3(object.position),
                         ploy_level_number(level, i, "radius", 1.0f));
    }
    for (int32_t at = 0; ploy_level_next_item(level, &at, &item);) {
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_GOOD, none, item.position, 0.2f, 1.0f);
        ploy_draw_text(out, none, item.position, item.kind);
    }
    for (int32_t at = 0; ploy_level_next_spawn(level, &at, &spawn);) {
        ploy_draw_agent(out, PLOY_STYLE_AGENT_A, none, spawn.position, spawn.facing,
                        build->def.radius);
    }
}

static void level_output_draw_nodes(const ploy_graph *graph, int32_t nodes, ploy_draw *out) {
    ploy_agent_id none = ploy_agent_id_none();
    ploy_graph_edge edge;
    for (int32_t e = 0; e < ploy_graph_edge_slots(graph); e++) {
        if (!ploy_graph_edge_at(graph, e, &edge) || edge.from > edge.to || edge.to >= nodes) {
            continue;
        }
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, none,
                       ploy_vec2_from_vec3(ploy_graph_position(graph, edge.from)),
                       ploy_vec2_from_vec3(ploy_graph_position(graph, edge.to)));
    }
    for (int32_t n = ploy_graph_next_node(graph, 0); n >= 0 && n < nodes;
         n = ploy_graph_next_node(graph, n + 1)) {
        bool newest = nodes < ploy_graph_node_slots(graph) && n >= nodes - 40;
        ploy_draw_point(out, PLOY_LAYER_PATHS, newest ? PLOY_STYLE_OPEN : PLOY_STYLE_CLOSED, none,
                        ploy_vec2_from_vec3(ploy_graph_position(graph, n)));
    }
}

void ploy_level_build_draw(const ploy_level_build *build, int32_t nodes, ploy_draw *out) {
    ploy_draw_key(out, PLOY_STYLE_WARNING, "doors and their buttons, or a warning");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "items");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "spawn points");
    ploy_draw_key(out, PLOY_STYLE_OPEN, "newest nodes");
    ploy_draw_key(out, PLOY_STYLE_CLOSED, "nodes");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "spheres around obstacles");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "tactical points");
    ploy_draw_key(out, PLOY_STYLE_BAD, "errors");
    ploy_agent_id none = ploy_agent_id_none();
    if (build->graph != NULL) {
        level_output_draw_nodes(build->graph,
                                nodes < 0 ? ploy_graph_node_slots(build->graph) : nodes, out);
    }
    level_output_draw_level(build, out);
    bool complete =
        nodes < 0 || build->graph == NULL || nodes >= ploy_graph_node_slots(build->graph);
    for (int32_t i = 0; complete && i < build->spheres.count; i++) {
        const ploy_level_sphere *sphere = ploy_level_build_sphere(build, i);
        ploy_draw_circle(out, PLOY_LAYER_REGIONS, PLOY_STYLE_AGENT_B, none, sphere->position,
                         sphere->radius);
    }
    for (int32_t i = 0; complete && i < build->points.count; i++) {
        const ploy_level_point *point = ploy_level_build_point(build, i);
        ploy_draw_disc(out, PLOY_LAYER_REGIONS, PLOY_STYLE_AGENT_C, none, point->position, 0.15f,
                       isnan(point->cover) ? 0.3f : 0.2f + 0.8f * point->cover);
    }
    for (int32_t i = 0; complete && i < build->issues.count; i++) {
        const ploy_level_issue *issue = ploy_level_build_issue(build, i);
        bool error = issue->severity == PLOY_SEVERITY_ERROR;
        ploy_draw_circle(out, PLOY_LAYER_LABELS, error ? PLOY_STYLE_BAD : PLOY_STYLE_WARNING, none,
                         issue->position, 0.5f);
    }
}

// ---- the description

void ploy_level_build_describe(const ploy_level_build *build, ploy_describe *out) {
    ploy_level_stats stats = ploy_level_build_stats(build);
    ploy_describe_i64(out, "nodes", PLOY_STATE, stats.nodes);
    ploy_describe_i64(out, "edges", PLOY_STATE, stats.edges);
    ploy_describe_i64(out, "parts", PLOY_STATE, stats.parts);
    ploy_describe_i64(out, "polygons", PLOY_STATE, stats.polygons);
    ploy_describe_f32(out, "area", PLOY_STATE, stats.area);
    ploy_describe_i64(out, "points", PLOY_STATE, stats.points);
    ploy_describe_i64(out, "spheres", PLOY_STATE, stats.spheres);
    ploy_describe_i64(out, "errors", PLOY_STATE, stats.errors);
    ploy_describe_i64(out, "warnings", PLOY_STATE, stats.warnings);
    ploy_describe_begin(out, "issues");
    for (int32_t i = 0; i < build->issues.count; i++) {
        const ploy_level_issue *issue = ploy_level_build_issue(build, i);
        ploy_describe_begin_item(out, i);
        ploy_describe_text(out, "kind", PLOY_STATE, ploy_level_issue_kind_text(issue->kind));
        ploy_describe_text(out, "text", PLOY_NOTE, issue->text);
        ploy_describe_vec2(out, "position", PLOY_STATE, issue->position.x, issue->position.y);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}
