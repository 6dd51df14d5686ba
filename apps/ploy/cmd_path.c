// ploy path: paths on MovingAI maps, one drawn or a whole scenario measured.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "ploy/base/jobs.h"
#include "ploy/base/name.h"
#include "ploy/base/number.h"
#include "ploy/base/os.h"
#include "ploy/data/movingai.h"
#include "ploy/path/grid_search.h"

// Lengths are printed with five or six digits.
#define PATH_TOLERANCE 0.006

typedef struct path_options {
    const char *map, *scen, *algo, *from, *to, *png, *svg;
    bool check, json;
    int64_t threads, width;
} path_options;

typedef struct path_answer {
    double us;
    int64_t expanded;
    bool solved, near,
        equal; // a way was found; as long as the file says; legal and as Dijkstra says
} path_answer;

// Everything one run needs.
typedef struct path_run {
    ploy_env env;
    ploy_diags *diags;
    ploy_grid_algorithm algorithm;
    ploy_tiles *tiles;
    ploy_grid_map *map;
    ploy_movingai_scenario *scenario;
    ploy_grid_search *searches[PLOY_JOBS_WORKERS_MAX];
    ploy_grid_search *oracles[PLOY_JOBS_WORKERS_MAX]; // for --check
    int32_t *cells[PLOY_JOBS_WORKERS_MAX];
    int32_t workers, room;
    path_answer *answers;
    double preprocess_ms;
    bool check;
} path_run;

static int list_algorithms(void) {
    for (int32_t i = 0; i < PLOY_GRID_ALGORITHM_COUNT; i++) {
        printf("%s\n", ploy_grid_algorithm_text((ploy_grid_algorithm)i));
    }
    return CLI_OK;
}

static int find_algorithm(const char *name, ploy_grid_algorithm *out) {
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; i < PLOY_GRID_ALGORITHM_COUNT; i++) {
        const char *text = ploy_grid_algorithm_text((ploy_grid_algorithm)i);
        *out = (ploy_grid_algorithm)i;
        if (strcmp(name, text) == 0) return -1;
        ploy_nearest_offer(&nearest, text);
    }
    return cli_error_near("no algorithm is named", name, nearest.best);
}

// Reads a file and hands it to a reader. -1 or the exit status.
static int load_file(path_run *run, const char *path, bool map) {
    ploy_buffer bytes;
    ploy_result result = ploy_os_read_file(path, (size_t)1 << 30, &run->env, &bytes);
    if (result != PLOY_OK) return cli_error_result(path, result);
    if (map) {
        result = ploy_movingai_load_map(bytes.bytes, bytes.size, path, &run->env, run->diags,
                                        &run->tiles);
    } else {
        result = ploy_movingai_load_scenario(bytes.bytes, bytes.size, path, &run->env, run->diags,
                                             &run->scenario);
        if (result == PLOY_OK) {
            result = ploy_movingai_scenario_check(run->scenario, ploy_tiles_width(run->tiles),
                                                  ploy_tiles_height(run->tiles), path, run->diags);
        }
    }
    ploy_buffer_fini(&bytes);
    if (result == PLOY_OK) return -1;
    return ploy_diags_count(run->diags) > 0 ? cli_error_diags(run->diags)
                                            : cli_error_result(path, result);
}

static ploy_result make_search(path_run *run, ploy_grid_algorithm algorithm,
                               ploy_grid_search **out) {
    ploy_grid_search_def def = ploy_grid_search_def_default();
    def.algorithm = algorithm;
    return ploy_grid_search_create(&def, &run->env, out);
}

// The map made ready, and a search for each worker.
static ploy_result prepare_run(path_run *run) {
    ploy_grid_map_def def = ploy_grid_map_def_default();
    def.tables = run->algorithm == PLOY_GRID_FAST;
    uint64_t begun = ploy_os_clock_ns();
    ploy_result result = ploy_grid_map_create(&def, run->tiles, &run->env, &run->map);
    run->preprocess_ms = (double)(ploy_os_clock_ns() - begun) / 1e6;
    run->room = ploy_tiles_width(run->tiles) * ploy_tiles_height(run->tiles);
    for (int32_t i = 0; result == PLOY_OK && i < run->workers; i++) {
        result = make_search(run, run->algorithm, &run->searches[i]);
        if (result == PLOY_OK && run->check) {
            result = make_search(run, PLOY_GRID_DIJKSTRA, &run->oracles[i]);
        }
        run->cells[i] = malloc((size_t)run->room * sizeof *run->cells[i]);
        if (run->cells[i] == NULL) result = PLOY_ERR_MEMORY;
    }
    return result;
}

static void free_run(path_run *run) {
    for (int32_t i = 0; i < run->workers; i++) {
        ploy_grid_search_destroy(run->searches[i]);
        ploy_grid_search_destroy(run->oracles[i]);
        free(run->cells[i]);
    }
    free(run->answers);
    ploy_grid_map_destroy(run->map);
    ploy_movingai_scenario_destroy(run->scenario);
    ploy_tiles_destroy(run->tiles);
    ploy_diags_destroy(run->diags);
}

// Every step is one of the tiles' own.
static bool path_is_legal(const path_run *run, const int32_t *cells, int32_t count, int32_t start,
                          int32_t goal) {
    ploy_tiles_walker walker = ploy_tiles_walker_make(run->tiles, NULL);
    for (int32_t i = 0; i < count; i++) {
        int32_t way = 0;
        while (way < 8 && ploy_tiles_neighbour(run->tiles, start, way) != cells[i]) way++;
        if (way == 8 || !(ploy_tiles_walker_step(&walker, start, way) < (double)INFINITY)) {
            return false;
        }
        start = cells[i];
    }
    return start == goal;
}

static void solve_problems(void *arg, int32_t first, int32_t count, int32_t worker) {
    path_run *run = arg;
    ploy_grid_search *search = run->searches[worker];
    int32_t *cells = run->cells[worker], width = ploy_tiles_width(run->tiles);
    for (int32_t i = first; i < first + count; i++) {
        const ploy_movingai_problem *problem = ploy_movingai_scenario_get(run->scenario, i);
        path_answer *answer = &run->answers[i];
        int32_t start = problem->start_y * width + problem->start_x;
        int32_t goal = problem->goal_y * width + problem->goal_x;
        uint64_t begun = ploy_os_clock_ns();
        ploy_result result = ploy_grid_search_run(search, run->map, start, goal);
        int32_t steps =
            result == PLOY_OK ? ploy_grid_search_path(search, goal, cells, run->room) : -1;
        answer->us = (double)(ploy_os_clock_ns() - begun) / 1e3;
        answer->expanded = ploy_grid_search_get_stats(search).taken;
        ploy_grid_cost cost, want;
        answer->solved = result == PLOY_OK &&
                         ploy_grid_search_get_outcome(search) == PLOY_SEARCH_FOUND &&
                         ploy_grid_search_cost(search, goal, &cost);
        if (!answer->solved) continue;
        answer->near = fabs(cost.length - problem->length) <= PATH_TOLERANCE;
        answer->equal = true;
        if (!run->check) continue;
        answer->equal =
            ploy_grid_search_run(run->oracles[worker], run->map, start, goal) == PLOY_OK &&
            ploy_grid_search_cost(run->oracles[worker], goal, &want) && want.units == cost.units &&
            path_is_legal(run, cells, steps, start, goal);
    }
}

static int compare_us(const void *a, const void *b) {
    double x = ((const path_answer *)a)->us, y = ((const path_answer *)b)->us;
    return (x > y) - (x < y);
}

static void add_bytes(void *user, const ploy_memory_item *item) {
    *(size_t *)user += item->bytes;
}

static void write_number(ploy_json_writer *json, const char *key, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    ploy_json_write_key(json, key);
    ploy_json_write_raw(json, text);
}

static void write_count(ploy_json_writer *json, const char *key, int64_t value) {
    ploy_json_write_key(json, key);
    ploy_json_write_i64(json, value);
}

static int print_scenario(path_run *run, const path_options *options) {
    int32_t count = ploy_movingai_scenario_count(run->scenario);
    int64_t optimal = 0, suboptimal = 0, unsolved = 0;
    double us = 0.0, expanded = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const path_answer *answer = &run->answers[i];
        bool good = answer->solved && answer->near && answer->equal;
        optimal += good;
        suboptimal += answer->solved && !good;
        unsolved += !answer->solved;
        us += answer->us;
        expanded += (double)answer->expanded;
    }
    qsort(run->answers, (size_t)count, sizeof *run->answers, compare_us);
    size_t bytes = 0;
    ploy_grid_map_memory(run->map, add_bytes, &bytes);
    ploy_grid_search_memory(run->searches[0], add_bytes, &bytes);
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &out, options->json ? 0 : 2);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "algo");
    ploy_json_write_text(&json, ploy_grid_algorithm_text(run->algorithm));
    write_count(&json, "problems", count);
    write_count(&json, "optimal", optimal);
    write_count(&json, "suboptimal", suboptimal);
    write_count(&json, "unsolved", unsolved);
    int32_t last = count > 0 ? (int32_t)(((int64_t)count * 99 + 99) / 100) - 1 : 0;
    write_number(&json, "mean_us", count > 0 ? us / count : 0.0);
    write_number(&json, "p99_us", count > 0 ? run->answers[last].us : 0.0);
    write_number(&json, "expanded_mean", count > 0 ? expanded / count : 0.0);
    write_number(&json, "preprocess_ms", run->preprocess_ms);
    write_count(&json, "bytes", (int64_t)bytes);
    ploy_json_write_end_object(&json);
    ploy_json_writer_finish(&json);
    if (options->json) putchar('\n');
    return options->check && optimal != count ? CLI_NO : CLI_OK;
}

static int run_scenario(path_run *run, const path_options *options) {
    int status = load_file(run, options->scen, false);
    if (status >= 0) return status;
    int32_t count = ploy_movingai_scenario_count(run->scenario);
    ploy_job_pool *pool = NULL;
    ploy_result result = prepare_run(run);
    run->answers = calloc((size_t)count + 1, sizeof *run->answers);
    if (run->answers == NULL) result = PLOY_ERR_MEMORY;
    if (result == PLOY_OK && run->workers > 1) {
        result = ploy_job_pool_create(run->workers, &run->env, &pool);
    }
    if (result == PLOY_OK) {
        // A few at a time, for the bar; warm first, so that the clock sees no allocation.
        const ploy_jobs *jobs = pool != NULL ? ploy_job_pool_jobs(pool) : NULL;
        if (count > 0) {
            for (int32_t i = 0; i < run->workers; i++) solve_problems(run, count - 1, 1, i);
        }
        cli_progress progress = cli_progress_begin("solving", (uint64_t)count, !options->json);
        if (run->workers > 1) {
            ploy_jobs_run(jobs, solve_problems, run, count, 8);
        } else {
            for (int32_t i = 0; i < count; i++) {
                solve_problems(run, i, 1, 0);
                cli_progress_step(&progress, (uint64_t)i);
            }
        }
        cli_progress_end(&progress);
    }
    status = result == PLOY_OK ? print_scenario(run, options) : cli_error_result("path", result);
    ploy_job_pool_destroy(pool);
    return status;
}

// ---- one path ----

// "12,7" inside of the map.
static int parse_cell(const path_run *run, const char *option, const char *text, int32_t *out) {
    const char *comma = text != NULL ? strchr(text, ',') : NULL;
    int64_t x = -1, y = -1;
    if (comma == NULL || ploy_parse_i64(text, (size_t)(comma - text), NULL, &x) != PLOY_OK ||
        ploy_parse_i64(comma + 1, strlen(comma + 1), NULL, &y) != PLOY_OK) {
        fprintf(stderr, "ploy: %s wants a column and a row, such as 12,7\n", option);
        return CLI_USAGE;
    }
    if (x < 0 || y < 0 || x >= ploy_tiles_width(run->tiles) || y >= ploy_tiles_height(run->tiles)) {
        fprintf(stderr, "ploy: %s %s lies outside of the map\n", option, text);
        return CLI_USAGE;
    }
    *out = (int32_t)y * ploy_tiles_width(run->tiles) + (int32_t)x;
    return -1;
}

// Row 0 of a file is its first line, and pictures have y up: everything is drawn upside down.
static void flip_item(void *user, const ploy_draw_item *item) {
    ploy_draw *out = user;
    ploy_vec3 points[PLOY_DRAW_POINTS];
    ploy_draw_item flipped = *item;
    if (item->count > PLOY_DRAW_POINTS) return; // nothing here is that long
    for (int32_t i = 0; i < item->count; i++) {
        points[i] = item->points[i];
        points[i].y = -points[i].y;
    }
    flipped.points = points;
    ploy_draw_item_out(out, &flipped);
}

typedef struct path_scene {
    const path_run *run;
    int32_t start, goal;
} path_scene;

static void draw_path(const void *subject, ploy_draw *out) {
    const path_scene *scene = subject;
    ploy_draw flip = {flip_item, out, out->layers};
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_tiles_draw(scene->run->tiles, &flip);
    ploy_grid_search_draw(scene->run->searches[0], &flip);
    float radius = 0.006f * (float)ploy_tiles_width(scene->run->tiles) + 0.4f;
    ploy_draw_disc(&flip, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, nobody,
                   ploy_tiles_localise(scene->run->tiles, scene->start), radius, 1.0f);
    ploy_draw_disc(&flip, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, nobody,
                   ploy_tiles_localise(scene->run->tiles, scene->goal), radius, 1.0f);
}

static int run_one(path_run *run, const path_options *options) {
    path_scene scene = {run, 0, 0};
    int status = parse_cell(run, "--from", options->from, &scene.start);
    if (status < 0) status = parse_cell(run, "--to", options->to, &scene.goal);
    if (status >= 0) return status;
    ploy_result result = prepare_run(run);
    if (result == PLOY_OK) {
        result = ploy_grid_search_run(run->searches[0], run->map, scene.start, scene.goal);
    }
    if (result != PLOY_OK) return cli_error_result("path", result);
    float view[4] = {0.0f, -(float)ploy_tiles_height(run->tiles),
                     (float)ploy_tiles_width(run->tiles), 0.0f};
    cli_picture picture = {view, options->width, draw_path, &scene};
    if (options->svg != NULL) status = cli_write_svg(options->svg, &picture, &run->env);
    if (status < 0 && options->png != NULL) {
        status = cli_write_png(options->png, &picture, &run->env);
    }
    if (status >= 0) return status;
    ploy_grid_cost cost;
    bool found = ploy_grid_search_get_outcome(run->searches[0]) == PLOY_SEARCH_FOUND &&
                 ploy_grid_search_cost(run->searches[0], scene.goal, &cost);
    ploy_grid_search_stats stats = ploy_grid_search_get_stats(run->searches[0]);
    if (options->json) {
        ploy_writer out = cli_stream_writer(stdout);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &out, 0);
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "found");
        ploy_json_write_bool(&json, found);
        if (found) {
            write_count(&json, "straight", cost.straight);
            write_count(&json, "diagonal", cost.diagonal);
            ploy_json_write_key(&json, "length");
            ploy_json_write_f64(&json, cost.length);
        }
        write_count(&json, "expanded", stats.taken);
        write_count(&json, "opened", stats.opened);
        ploy_json_write_end_object(&json);
        ploy_json_writer_finish(&json);
        putchar('\n');
    } else if (found) {
        printf("length %.5f: %lld straight and %lld diagonal steps; %lld cells taken\n",
               cost.length, (long long)cost.straight, (long long)cost.diagonal,
               (long long)stats.taken);
    } else {
        printf("no way\n");
    }
    return found ? CLI_OK : CLI_NO;
}

int cmd_path(int argc, char **argv) {
    path_options o = {0};
    o.threads = 1;
    o.width = 1024;
    o.algo = "fast";
    const cli_option options[] = {
        {"--map", CLI_TEXT, &o.map, "F", "a MovingAI map"},
        {"--scen", CLI_TEXT, &o.scen, "F", "a scenario: solve all its problems"},
        {"--algo", CLI_TEXT, &o.algo, "NAME", "dijkstra, astar, jps or fast (fast); 'list' lists"},
        {"--check", CLI_FLAG, &o.check, NULL,
         "status 1 unless all are optimal; compares with Dijkstra and walks each path"},
        {"--threads", CLI_COUNT, &o.threads, "N", "solve on so many threads (1)"},
        {"--from", CLI_TEXT, &o.from, "X,Y", "one path instead: from this cell"},
        {"--to", CLI_TEXT, &o.to, "X,Y", "to this one"},
        {"--png", CLI_TEXT, &o.png, "F", "draw fill and path to a PNG file"},
        {"--svg", CLI_TEXT, &o.svg, "F", "or to an SVG file ('-': standard output)"},
        {"--width", CLI_COUNT, &o.width, "N", "pixels a picture is wide (1024)"},
        {"--json", CLI_FLAG, &o.json, NULL, "one JSON object on one line"},
    };
    const cli_usage usage = {"path",
                             "--map F (--scen F | --from X,Y --to X,Y) [options]",
                             "Finds paths on a grid map: eight neighbours, no corner cut.",
                             options,
                             (int32_t)(sizeof options / sizeof options[0]),
                             0,
                             0};
    int status = cli_parse(&usage, argc, argv, NULL);
    if (status >= 0) return status;
    if (strcmp(o.algo, "list") == 0) return list_algorithms();
    if (o.map == NULL || (o.scen == NULL) == (o.from == NULL && o.to == NULL)) {
        cli_print_usage(&usage, true);
        return CLI_USAGE;
    }
    if (o.threads < 1 || o.threads > PLOY_JOBS_WORKERS_MAX) {
        return cli_error("--threads wants 1 to 256", NULL);
    }
    path_run *run = calloc(1, sizeof *run);
    if (run == NULL) return cli_error_result("path", PLOY_ERR_MEMORY);
    run->env = cli_env();
    run->workers = (int32_t)o.threads;
    run->check = o.check;
    ploy_result result = ploy_diags_create(20, &run->env, &run->diags);
    status = result == PLOY_OK ? find_algorithm(o.algo, &run->algorithm)
                               : cli_error_result("path", result);
    if (status < 0) status = load_file(run, o.map, true);
    if (status < 0) status = o.scen != NULL ? run_scenario(run, &o) : run_one(run, &o);
    free_run(run);
    free(run);
    return status;
}
