// ploy tactics query: the best place of a level for one of its agents.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/tactics_read.h"
#include "ploy/base/name.h"
#include "ploy/base/number.h"
#include "ploy/base/os.h"
#include "ploy/data/level_use.h"
#include "ploy/path/finders.h"
#include "ploy/tactics/query.h"

enum { TACTICS_QUERY_ENEMIES = 64 };

typedef struct tactics_question {
    ploy_env env;
    const char *level_path, *who, *why;
    bool json;
    ploy_buffer bytes; // of the level's block
    ploy_level level;
    ploy_plain_scene *plain;
    ploy_tactical_points *points;
    ploy_query_type *type;
    ploy_query *query;
    ploy_query_context context;
    ploy_tactical_threat enemies[TACTICS_QUERY_ENEMIES];
    // For rows and generators that need paths or places: made when they are asked for.
    ploy_graph *nodes;
    ploy_graph_representation *walks;
    ploy_places places;
    ploy_finder finder;
} tactics_question;

static int tactics_query_result(const char *path, const ploy_diags *diags, ploy_result result) {
    if (result == PLOY_OK) return -1;
    return ploy_diags_count(diags) > 0 ? cli_error_diags(diags) : cli_error_result(path, result);
}

// Text to a block, walls and points of it.
static ploy_result tactics_query_level(tactics_question *q, const ploy_buffer *text,
                                       ploy_diags *diags) {
    ploy_tactical_points_def points = ploy_tactical_points_def_default();
    points.capacity = 4096;
    ploy_result result = ploy_level_from_text(ploy_buffer_text(text), text->size, q->level_path,
                                              &q->env, diags, &q->bytes, &q->level);
    if (result == PLOY_OK) {
        result = ploy_level_scene_create(&q->level, 1, 1, &q->env, &q->plain, NULL);
    }
    if (result == PLOY_OK) result = ploy_tactical_points_create(&points, &q->env, &q->points);
    if (result == PLOY_OK)
        result = ploy_level_text_points(&q->level, ploy_buffer_text(text), text->size,
                                        q->level_path, diags, q->points);
    return result;
}

static const char *tactics_query_side(const ploy_level *level, int32_t agent) {
    ploy_value side;
    bool text = ploy_level_get(level, agent, "side", &side) && side.type == PLOY_VALUE_TEXT;
    return text ? side.as.text : "";
}

// The agent, and all agents of other sides as its enemies.
static int tactics_query_ask(tactics_question *q) {
    ploy_level_object object;
    int32_t self = ploy_level_find(&q->level, q->who);
    if (self < 0) return cli_error("no object of the level has the name", q->who);
    (void)ploy_level_at(&q->level, self, &object);
    q->context = ploy_query_context_make(object.position);
    q->context.agent = ploy_agent_id_make((uint32_t)self + 1, 1);
    for (int32_t i = ploy_level_next(&q->level, -1, "agent"); i >= 0;
         i = ploy_level_next(&q->level, i, "agent")) {
        bool friend =
            strcmp(tactics_query_side(&q->level, i), tactics_query_side(&q->level, self)) == 0;
        if (friend || q->context.enemy_count == TACTICS_QUERY_ENEMIES) continue;
        (void)ploy_level_at(&q->level, i, &object);
        q->enemies[q->context.enemy_count++].position = object.position;
        q->context.target = object.position;
    }
    q->context.enemies = q->enemies;
    q->context.points = q->points;
    q->context.scene = ploy_plain_scene_interface(q->plain);
    return -1;
}

// Nodes over the floor, from the spawn points or, in a level without any, from the agent.
static ploy_result tactics_query_nodes(tactics_question *q, const ploy_buffer *text) {
    ploy_level_def def = ploy_level_def_default();
    ploy_level_spawn spawn;
    int32_t cursor = 0;
    ploy_buffer with, bytes;
    ploy_level level = q->level;
    ploy_buffer_init(&with, 0, &q->env);
    ploy_buffer_init(&bytes, 0, &q->env);
    ploy_result result = PLOY_OK;
    if (!ploy_level_next_spawn(&q->level, &cursor, &spawn)) {
        ploy_writer out = ploy_buffer_writer(&with);
        ploy_write_text(&out, ploy_buffer_text(text));
        ploy_write_text(&out, "\nspawn ");
        ploy_write_f32(&out, q->context.self.x);
        ploy_write_text(&out, " ");
        ploy_write_f32(&out, q->context.self.y);
        ploy_write_text(&out, "\n");
        result = ploy_writer_result(&out);
        if (result == PLOY_OK) {
            result = ploy_level_from_text(ploy_buffer_text(&with), with.size, q->level_path,
                                          &q->env, NULL, &bytes, &level);
        }
    }
    if (result == PLOY_OK) {
        result = ploy_level_nodes_create(&def, &level, &q->env, NULL, &q->nodes);
    }
    ploy_buffer_fini(&with);
    ploy_buffer_fini(&bytes);
    return result;
}

// A finder and places for the context.
static ploy_result tactics_query_floor(tactics_question *q, const ploy_buffer *text) {
    ploy_graph_representation_def def = ploy_graph_representation_def_default();
    ploy_result result = tactics_query_nodes(q, text);
    if (result == PLOY_OK) {
        result =
            ploy_graph_representation_create(&def, q->nodes, &q->context.scene, &q->env, &q->walks);
    }
    if (result != PLOY_OK) return result;
    ploy_representation view = ploy_graph_representation_view(q->walks);
    ploy_finder_factory factory = ploy_representation_finder(&view, PLOY_SPACE_ASTAR);
    result = ploy_finder_make(&factory, &q->env, &q->finder);
    if (result != PLOY_OK) return result;
    q->places = ploy_places_graph(q->nodes);
    q->context.finder = q->finder;
    q->context.places = &q->places;
    return PLOY_OK;
}

// The candidate that --why names: a point of the level, or the one nearest to a place. A point that the
// generator did not propose is candidate -1.
static int tactics_query_which(const tactics_question *q, int32_t *candidate) {
    float x = 0.0f, y = 0.0f;
    const char *comma = strchr(q->why, ',');
    ploy_tactical_id id = ploy_tactical_points_find(q->points, q->why);
    *candidate = ploy_query_candidate(q->query, id);
    if (!ploy_id_is_none(id.id)) return -1;
    if (comma == NULL || ploy_parse_f32(q->why, (size_t)(comma - q->why), NULL, &x) != PLOY_OK ||
        ploy_parse_f32(comma + 1, strlen(comma + 1), NULL, &y) != PLOY_OK) {
        ploy_nearest nearest = ploy_nearest_make(q->why);
        ploy_tactical_point point;
        char best[sizeof point.name];
        uint32_t cursor = 0;
        while (ploy_tactical_points_next(q->points, &cursor, &id)) {
            if (!ploy_tactical_points_get(q->points, id, &point)) continue;
            ploy_nearest_offer(&nearest, point.name);
            if (nearest.best != point.name) continue;
            memcpy(best, point.name, sizeof best); // the point is a copy that the next one replaces
            nearest.best = best;
        }
        return cli_error_near("--why expects a point of the level or x,y, and not", q->why,
                              nearest.best);
    }
    *candidate = ploy_query_candidate_near(q->query, ploy_vec3_make(x, y, 0.0f), NULL);
    return -1;
}

static void tactics_query_number(ploy_json_writer *json, const char *key, float value) {
    ploy_json_write_key(json, key);
    if (value == value) {
        ploy_json_write_f32(json, value);
    } else {
        ploy_json_write_null(json); // cannot be measured
    }
}

// null for a point that is not a candidate.
static void tactics_query_reasons(const tactics_question *q, int32_t candidate,
                                  ploy_json_writer *json) {
    ploy_query_reason reasons[PLOY_QUERY_ROWS_MAX];
    float score = 0.0f;
    int32_t count = ploy_query_explain(q->query, candidate, reasons, PLOY_QUERY_ROWS_MAX, &score);
    ploy_json_write_key(json, "why");
    if (candidate < 0) {
        ploy_json_write_null(json);
        return;
    }
    ploy_json_write_begin_object(json);
    tactics_query_number(json, "score", score);
    ploy_json_write_key(json, "rows");
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; i < count; i++) {
        ploy_json_write_begin_object(json);
        ploy_json_write_key(json, "row");
        ploy_json_write_text(json, reasons[i].row);
        tactics_query_number(json, "value", reasons[i].value);
        ploy_json_write_key(json, "passed");
        ploy_json_write_bool(json, reasons[i].passed);
        tactics_query_number(json, "adds", reasons[i].share);
        tactics_query_number(json, "of", reasons[i].weight);
        ploy_json_write_end_object(json);
    }
    ploy_json_write_end_array(json);
    ploy_json_write_end_object(json);
}

static void tactics_query_print(const tactics_question *q, const ploy_query_result *found,
                                int32_t candidate) {
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "outcome");
    ploy_json_write_text(&json, ploy_query_outcome_text(found->outcome));
    ploy_json_write_key(&json, "option");
    ploy_json_write_i64(&json, found->option);
    ploy_json_write_key(&json, "options");
    ploy_json_write_i64(&json, ploy_query_type_options(q->type));
    ploy_json_write_key(&json, "candidates");
    ploy_json_write_i64(&json, found->candidates);
    ploy_json_write_key(&json, "rays");
    ploy_json_write_i64(&json, found->rays);
    if (found->outcome == PLOY_QUERY_NONE) {
        ploy_json_write_key(&json, "reason");
        ploy_json_write_text(&json, found->reason);
    }
    ploy_json_write_key(&json, "spots");
    ploy_json_write_begin_array(&json);
    for (int32_t i = 0; i < found->count; i++) {
        ploy_tactical_point point = ploy_tactical_point_make(found->spots[i].position);
        (void)ploy_tactical_points_get(q->points, found->spots[i].id, &point);
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "point");
        ploy_json_write_text(&json, point.name);
        ploy_json_write_key(&json, "x");
        ploy_json_write_f32(&json, found->spots[i].position.x);
        ploy_json_write_key(&json, "y");
        ploy_json_write_f32(&json, found->spots[i].position.y);
        ploy_json_write_key(&json, "score");
        ploy_json_write_f32(&json, found->spots[i].score);
        ploy_json_write_end_object(&json);
    }
    ploy_json_write_end_array(&json);
    if (q->why != NULL) tactics_query_reasons(q, candidate, &json);
    ploy_json_write_end_object(&json);
    (void)ploy_json_writer_finish(&json);
    ploy_write_text(&out, "\n");
}

static void tactics_query_say(const tactics_question *q, const ploy_query_result *found) {
    if (found->outcome == PLOY_QUERY_NONE) {
        printf("none: %s (%d of %d candidates)\n", found->reason, (int)found->rejected,
               (int)found->candidates);
    }
    for (int32_t i = 0; i < found->count; i++) {
        ploy_tactical_point point = ploy_tactical_point_make(found->spots[i].position);
        (void)ploy_tactical_points_get(q->points, found->spots[i].id, &point);
        printf("%s at %g %g, score %.3f\n", point.name[0] != 0 ? point.name : "place",
               (double)point.position.x, (double)point.position.y, (double)found->spots[i].score);
    }
    printf("%d candidates, %lld rays\n", (int)found->candidates, (long long)found->rays);
}

static int tactics_query_run(tactics_question *q, const char *path, const ploy_buffer *text,
                             const ploy_buffer *level, ploy_diags *diags) {
    ploy_result result = ploy_query_type_load(ploy_buffer_text(text), text->size, path, NULL,
                                              q->points, NULL, &q->env, diags, &q->type);
    int status = tactics_query_result(path, diags, result);
    if (status < 0) status = tactics_query_ask(q);
    if (status >= 0) return status;
    ploy_query_result found;
    result = ploy_query_create(q->type, &q->env, &q->query);
    if (result == PLOY_OK) result = ploy_query_begin(q->query, &q->context);
    if (result == PLOY_ERR_ARGUMENT) { // it needs paths or places
        result = tactics_query_floor(q, level);
        if (result == PLOY_ERR_NOT_FOUND || result == PLOY_ERR_LIMIT) {
            fprintf(stderr, "ploy: %s: paths and places need floor and walls around '%s'\n",
                    q->level_path, q->who);
            return CLI_USAGE;
        }
        if (result != PLOY_OK) return cli_error_result(q->level_path, result);
    }
    if (result == PLOY_OK) result = ploy_query_run(q->query, &q->context, &found);
    if (result != PLOY_OK) return cli_error_result("query", result);
    int32_t candidate = -1;
    if (q->why != NULL) status = tactics_query_which(q, &candidate);
    if (status >= 0) return status;
    if (q->json) {
        tactics_query_print(q, &found, candidate);
    } else {
        tactics_query_say(q, &found);
        ploy_writer out = cli_stream_writer(stdout);
        if (q->why != NULL) ploy_query_why(q->query, candidate, &out);
    }
    return found.outcome == PLOY_QUERY_FOUND ? CLI_OK : CLI_NO;
}

int tactics_query(const cli_group *group, int32_t which, int argc, char **argv) {
    tactics_question q;
    memset(&q, 0, sizeof q);
    q.env = cli_env();
    const cli_option options[] = {
        {"--level", CLI_TEXT, &q.level_path, "L", "the level, as text"},
        {"--who", CLI_TEXT, &q.who, "NAME", "the object that asks"},
        {"--why", CLI_TEXT, &q.why, "POINT",
         "print why this point, or the candidate nearest to x,y, was chosen or not"},
        {"--json", CLI_FLAG, &q.json, NULL, "print JSON"},
    };
    const char *words[1] = {NULL};
    int status = cli_parse_command(group, which, options, sizeof options / sizeof options[0], argc,
                                   argv, words);
    if (status >= 0) return status;
    if (q.level_path == NULL || q.who == NULL)
        return cli_error("query needs --level and --who", NULL);
    ploy_buffer level, text;
    ploy_diags *diags = NULL;
    ploy_buffer_init(&level, 0, &q.env);
    ploy_buffer_init(&text, 0, &q.env);
    ploy_buffer_init(&q.bytes, 0, &q.env);
    ploy_result result = ploy_os_read_file(q.level_path, TACTICS_BYTES_MAX, &q.env, &level);
    if (result != PLOY_OK) status = cli_error_read(q.level_path, result);
    if (status < 0) {
        result = ploy_os_read_file(words[0], TACTICS_BYTES_MAX, &q.env, &text);
        if (result != PLOY_OK) status = cli_error_read(words[0], result);
    }
    if (status < 0 && ploy_diags_create(16, &q.env, &diags) != PLOY_OK) {
        status = cli_error_result("query", PLOY_ERR_MEMORY);
    }
    if (status < 0) {
        status = tactics_query_result(q.level_path, diags, tactics_query_level(&q, &level, diags));
    }
    if (status < 0) status = tactics_query_run(&q, words[0], &text, &level, diags);
    ploy_query_destroy(q.query);
    ploy_query_type_destroy(q.type);
    ploy_finder_destroy(q.finder);
    ploy_graph_representation_destroy(q.walks);
    ploy_graph_destroy(q.nodes);
    ploy_tactical_points_destroy(q.points);
    ploy_plain_scene_destroy(q.plain);
    ploy_diags_destroy(diags);
    ploy_buffer_fini(&q.bytes);
    ploy_buffer_fini(&level);
    ploy_buffer_fini(&text);
    return status;
}
