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
#include "ploy/path/finder_kit.h"
#include "ploy/path/grid_blocks.h"

// Lengths are printed with five or six digits.
#define PATH_TOLERANCE 0.006

enum { PATH_FINDERS = 64 };

// What the lengths of a finder's paths are compared with.
typedef enum path_measure {
    PATH_STEPS,    // the shortest by steps
    PATH_LONGER,   // steps too, but they may be longer
    PATH_LINES,    // lines at any angle: nearly the shortest
    PATH_SHORTEST, // the shortest of lines
} path_measure;

typedef struct path_options {
    const char *map, *scen, *algo, *finder, *from, *to, *png, *svg;
    bool check, json, finders;
    int64_t threads, width;
} path_options;

typedef struct path_answer {
    double us;
    int64_t expanded;
    double ratio;  // to the length in the file; of lines at any angle to the shortest of those
    double octile; // to the length in the file
    // A path was found; as long as the best of its kind; legal, and of the optimal ones as Dijkstra
    // says.
    bool solved, near, equal;
} path_answer;

// Everything one run needs.
typedef struct path_run {
    ploy_env env;
    ploy_diags *diags;
    const char *name; // of the finder
    path_measure measure;
    bool by_blocks; // its path is smoothed
    bool by_time;   // costs are seconds or ticks
    ploy_tiles *tiles;
    ploy_tiles_walker walker;
    ploy_representation level;
    ploy_grid_map *map;
    ploy_finder_kit *kit;
    ploy_movingai_scenario *scenario;
    ploy_finder finders[PLOY_JOBS_WORKERS_MAX];
    ploy_path *paths[PLOY_JOBS_WORKERS_MAX];
    ploy_finder lines[PLOY_JOBS_WORKERS_MAX];         // to compare lines with
    ploy_grid_search *oracles[PLOY_JOBS_WORKERS_MAX]; // for --check
    int32_t *cells[PLOY_JOBS_WORKERS_MAX];
    int32_t workers, room;
    path_answer *answers;
    double preprocess_ms;
    bool check;
} path_run;

static bool is_optimal(const path_run *run) {
    return run->measure == PATH_STEPS;
}

static bool is_any_angle(const path_run *run) {
    return run->measure == PATH_LINES || run->measure == PATH_SHORTEST;
}

// Those of a map of tiles. Names only, without a map.
static int32_t list_finders(const path_run *run, ploy_finder_factory *out) {
    int32_t count = ploy_finder_kit_list(run->kit, out, PATH_FINDERS);
    return count < PATH_FINDERS ? count : PATH_FINDERS;
}

// The names that --algo has always had: the grid's, then blocks.
static int list_algorithms(void) {
    path_run none;
    ploy_finder_factory finders[PATH_FINDERS];
    memset(&none, 0, sizeof none);
    int32_t count = list_finders(&none, finders);
    for (int32_t i = 0; i < count && strcmp(finders[i].name, "generic") != 0; i++) {
        printf("%s\n", finders[i].name);
    }
    printf("blocks\n");
    return CLI_OK;
}

static void write_trait(ploy_json_writer *json, const char *key, uint32_t traits, uint32_t trait) {
    ploy_json_write_key(json, key);
    ploy_json_write_bool(json, (traits & trait) != 0);
}

static int print_finders(bool as_json) {
    path_run none;
    ploy_finder_factory finders[PATH_FINDERS];
    memset(&none, 0, sizeof none);
    int32_t count = list_finders(&none, finders);
    for (int32_t i = 0; i < count; i++) {
        const ploy_finder_factory *one = &finders[i];
        if (!as_json) {
            printf("%-11s %-8s %-5s %s\n", one->name,
                   (one->traits & PLOY_FINDER_OPTIMAL) != 0 ? "optimal" : "",
                   (one->traits & PLOY_FINDER_COSTS) != 0 ? "hooks" : "", one->help);
            continue;
        }
        ploy_writer out = cli_stream_writer(stdout);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &out, 0);
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "name");
        ploy_json_write_text(&json, one->name);
        write_trait(&json, "optimal", one->traits, PLOY_FINDER_OPTIMAL);
        write_trait(&json, "costs", one->traits, PLOY_FINDER_COSTS);
        write_trait(&json, "predicate", one->traits, PLOY_FINDER_PREDICATE);
        write_trait(&json, "partial", one->traits, PLOY_FINDER_PARTIAL);
        write_trait(&json, "variety", one->traits, PLOY_FINDER_VARIETY);
        ploy_json_write_key(&json, "help");
        ploy_json_write_text(&json, one->help);
        ploy_json_write_end_object(&json);
        ploy_json_writer_finish(&json);
        putchar('\n');
    }
    return CLI_OK;
}

static path_measure measure_of(const ploy_finder_factory *finder) {
    bool optimal = (finder->traits & PLOY_FINDER_OPTIMAL) != 0;
    if (strcmp(finder->name, "anya") == 0) return PATH_SHORTEST;
    if (strcmp(finder->name, "theta") == 0 || strcmp(finder->name, "lazy") == 0) return PATH_LINES;
    if (strcmp(finder->name, "timed") == 0) return PATH_LONGER; // the earliest, in whole ticks
    return optimal ? PATH_STEPS : PATH_LONGER;
}

// -1 or the exit status.
static int choose_finder(path_run *run, const char *name, const char *what) {
    ploy_finder_factory finders[PATH_FINDERS];
    ploy_nearest nearest = ploy_nearest_make(name);
    int32_t count = list_finders(run, finders);
    for (int32_t i = 0; i < count; i++) {
        run->name = finders[i].name;
        run->measure = measure_of(&finders[i]);
        run->by_blocks = strcmp(run->name, "blocks") == 0;
        run->by_time = strcmp(run->name, "timed") == 0 || strcmp(run->name, "cooperative") == 0 ||
                       strcmp(run->name, "conflicts") == 0;
        if (strcmp(name, finders[i].name) == 0) return -1;
        ploy_nearest_offer(&nearest, finders[i].name);
    }
    return cli_error_near(what, name, nearest.best);
}

// Reads a file and hands it to a reader. -1 or the exit status.
static int load_file(path_run *run, const char *path, bool map) {
    ploy_buffer bytes;
    ploy_result result = ploy_os_read_file(path, (size_t)1 << 30, &run->env, &bytes);
    if (result != PLOY_OK) return cli_error_read(path, result);
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

// What one worker needs.
static ploy_result make_worker(path_run *run, int32_t i) {
    ploy_path_def path = ploy_path_def_default();
    ploy_finder_factory factory;
    ploy_result result = ploy_path_create(&path, &run->env, &run->paths[i]);
    if (result == PLOY_OK) result = ploy_finder_kit_find(run->kit, run->name, &factory);
    if (result == PLOY_OK) result = ploy_finder_make(&factory, &run->env, &run->finders[i]);
    if (result == PLOY_OK && run->measure == PATH_LINES) {
        factory = ploy_grid_anya_finder(run->map);
        result = ploy_finder_make(&factory, &run->env, &run->lines[i]);
    }
    if (result == PLOY_OK && run->check && is_optimal(run)) {
        result = make_search(run, PLOY_GRID_DIJKSTRA, &run->oracles[i]);
    }
    run->cells[i] = malloc((size_t)run->room * sizeof *run->cells[i]);
    return run->cells[i] == NULL ? PLOY_ERR_MEMORY : result;
}

// The map made ready, and a search for each worker.
static ploy_result prepare_run(path_run *run) {
    ploy_grid_map_def def = ploy_grid_map_def_default();
    def.tables = strcmp(run->name, "fast") == 0;
    uint64_t begun = ploy_os_clock_ns();
    ploy_result result = ploy_grid_map_create(&def, run->tiles, &run->env, &run->map);
    ploy_finder_kit_def kit = ploy_finder_kit_def_default();
    ploy_finder_factory factory;
    kit.side = ploy_grid_blocks_def_default().side;
    if (result == PLOY_OK) {
        result = ploy_finder_kit_create(&kit, run->map, run->tiles, &run->env, &run->kit);
    }
    if (result == PLOY_OK) result = ploy_finder_kit_find(run->kit, run->name, &factory);
    run->preprocess_ms = (double)(ploy_os_clock_ns() - begun) / 1e6;
    run->walker = ploy_tiles_walker_make(run->tiles, NULL);
    run->level = ploy_tiles_representation(&run->walker);
    run->room = ploy_tiles_width(run->tiles) * ploy_tiles_height(run->tiles) + 1;
    for (int32_t i = 0; result == PLOY_OK && i < run->workers; i++) result = make_worker(run, i);
    return result;
}

static void free_run(path_run *run) {
    for (int32_t i = 0; i < run->workers; i++) {
        ploy_finder_destroy(run->finders[i]);
        ploy_path_destroy(run->paths[i]);
        ploy_grid_search_destroy(run->oracles[i]);
        ploy_finder_destroy(run->lines[i]);
        free(run->cells[i]);
    }
    free(run->answers);
    ploy_finder_kit_destroy(run->kit);
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

// A question answered, with the cells of the path behind the start (any-angle: those it turns at).
typedef struct path_solution {
    ploy_result result;
    bool found;
    int32_t count; // of cells; of Anya of lines
    int64_t taken, opened;
    double length;
    ploy_grid_cost cost; // of steps
} path_solution;

// What steps cost, each times the cost of the cell that it enters.
static ploy_grid_cost count_steps(const path_run *run, int32_t start, const int32_t *cells,
                                  int32_t count) {
    int32_t width = ploy_tiles_width(run->tiles);
    int64_t straight = 0, diagonal = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t from = i == 0 ? start : cells[i - 1];
        bool both = from % width != cells[i] % width && from / width != cells[i] / width;
        int64_t cost = (int64_t)ploy_tiles_cost(run->tiles, ploy_tiles_get(run->tiles, cells[i]));
        straight += both ? 0 : cost;
        diagonal += both ? cost : 0;
    }
    return ploy_grid_cost_make(straight, diagonal);
}

static double octile_length(const path_run *run, int32_t start, const int32_t *cells,
                            int32_t count) {
    int32_t width = ploy_tiles_width(run->tiles);
    int64_t diagonal = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t from = i == 0 ? start : cells[i - 1];
        diagonal += from % width != cells[i] % width && from / width != cells[i] / width;
    }
    return ploy_grid_cost_make(count - diagonal, diagonal).length;
}

static path_solution no_solution(void) {
    path_solution out = {PLOY_OK, false, -1, 0, 0, 0.0, ploy_grid_cost_make(0, 0)};
    return out;
}

static ploy_finder_request ask_cells(const path_run *run, int32_t start, int32_t goal) {
    ploy_path_request request =
        ploy_path_request_make(ploy_agent_id_none(), run->level.localise(run->level.user, start),
                               run->level.localise(run->level.user, goal));
    return ploy_finder_request_make(&request);
}

static path_solution solve_one(path_run *run, int32_t worker, int32_t start, int32_t goal) {
    path_solution out = no_solution();
    ploy_finder finder = run->finders[worker];
    ploy_finder_request ask = ask_cells(run, start, goal);
    int32_t *cells = run->cells[worker];
    out.result = ploy_finder_run(finder, &ask, NULL);
    if (out.result != PLOY_OK) {
        const char *why = ploy_finder_serves(finder, &ask, NULL);
        if (why != NULL) fprintf(stderr, "ploy: finder '%s': %s\n", run->name, why);
        return out;
    }
    const ploy_finder_state *state = ploy_finder_state_of(finder);
    out.found = state->outcome == PLOY_PATH_FOUND;
    out.taken = state->taken;
    out.opened = state->opened;
    if (!out.found) return out;
    out.length = state->cost;
    if (run->measure == PATH_SHORTEST) { // it turns at corners, which are no cells
        out.result = ploy_finder_path(finder, run->paths[worker]);
        out.count = ploy_path_count(run->paths[worker]) - 1;
        return out;
    }
    out.count = ploy_finder_states(finder, cells, run->room) - 1;
    for (int32_t i = 0; i < out.count; i++) cells[i] = cells[i + 1]; // the start is left out
    if (run->by_blocks) out.count = ploy_grid_smooth(run->map, start, cells, out.count);
    if (run->by_blocks) out.length = octile_length(run, start, cells, out.count);
    if (run->by_time) out.length = count_steps(run, start, cells, out.count).length;
    return out;
}

static int64_t floor_div(int64_t a, int64_t b) { // b above 0
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

// May a point go straight from a to b, touching walls but not through them? In halves of a cell.
static bool line_is_clear(const path_run *run, const int64_t a[2], const int64_t b[2]) {
    if (a[1] > b[1]) return line_is_clear(run, b, a);
    int64_t high = b[1] - a[1], left = a[0] < b[0] ? a[0] : b[0], right = a[0] + b[0] - left;
    for (int64_t y = floor_div(a[1], 2); 2 * y < b[1] || (high == 0 && 2 * y == a[1]); y++) {
        // The columns that it passes inside of this row, from floor to ceiling.
        int64_t low = 2 * y > a[1] ? 2 * y : a[1], top = 2 * y + 2 < b[1] ? 2 * y + 2 : b[1];
        int64_t first = floor_div(left, 2), last = -floor_div(-right, 2);
        if (high > 0) {
            int64_t p = a[0] * high + (b[0] - a[0]) * (low - a[1]);
            int64_t q = a[0] * high + (b[0] - a[0]) * (top - a[1]);
            first = floor_div(p < q ? p : q, 2 * high);
            last = -floor_div(-(p < q ? q : p), 2 * high);
        }
        bool upright = first == last; // exactly between two columns
        for (int64_t x = first; x < last || (upright && x == first); x++) {
            int64_t other_x = upright ? x - 1 : x, other_y = high == 0 && a[1] % 2 == 0 ? y - 1 : y;
            int32_t cell = ploy_tiles_cell(run->tiles, (int32_t)x, (int32_t)y);
            int32_t other = ploy_tiles_cell(run->tiles, (int32_t)other_x, (int32_t)other_y);
            bool free = (cell >= 0 && ploy_grid_map_fits(run->map, cell)) ||
                        (other >= 0 && ploy_grid_map_fits(run->map, other));
            if (!free) return false;
        }
    }
    return true;
}

static bool check_anya(const path_run *run, const ploy_path *path, int32_t start, int32_t goal) {
    ploy_vec2 at = ploy_tiles_localise(run->tiles, start);
    for (int32_t i = 1; i < ploy_path_count(path); i++) {
        ploy_vec2 next = ploy_path_point(path, i);
        int64_t from[2] = {(int64_t)(2.0f * at.x), (int64_t)(2.0f * at.y)};
        int64_t to[2] = {(int64_t)(2.0f * next.x), (int64_t)(2.0f * next.y)};
        if (!line_is_clear(run, from, to)) return false;
        at = next;
    }
    return ploy_vec2_equal(at, ploy_tiles_localise(run->tiles, goal));
}

// Legal step by step or, any-angle, line by line; of the optimal ones as cheap as Dijkstra's.
static bool check_one(path_run *run, int32_t worker, const path_solution *solution, int32_t start,
                      int32_t goal) {
    const int32_t *cells = run->cells[worker];
    if (run->measure == PATH_SHORTEST) return check_anya(run, run->paths[worker], start, goal);
    if (is_any_angle(run)) {
        for (int32_t i = 0; i < solution->count; i++) {
            if (!ploy_grid_sight(run->map, i == 0 ? start : cells[i - 1], cells[i])) return false;
        }
        return start == goal || cells[solution->count - 1] == goal;
    }
    if (!path_is_legal(run, cells, solution->count, start, goal)) return false;
    if (!is_optimal(run)) return true;
    ploy_grid_cost want;
    return ploy_grid_search_run(run->oracles[worker], run->map, start, goal) == PLOY_OK &&
           ploy_grid_search_cost(run->oracles[worker], goal, &want) &&
           want.units == count_steps(run, start, cells, solution->count).units;
}

static void solve_problems(void *arg, int32_t first, int32_t count, int32_t worker) {
    path_run *run = arg;
    int32_t width = ploy_tiles_width(run->tiles);
    for (int32_t i = first; i < first + count; i++) {
        const ploy_movingai_problem *problem = ploy_movingai_scenario_get(run->scenario, i);
        path_answer *answer = &run->answers[i];
        int32_t start = problem->start_y * width + problem->start_x;
        int32_t goal = problem->goal_y * width + problem->goal_x;
        uint64_t begun = ploy_os_clock_ns();
        path_solution solution = solve_one(run, worker, start, goal);
        answer->us = (double)(ploy_os_clock_ns() - begun) / 1e3;
        answer->expanded = solution.taken;
        answer->solved = solution.found;
        if (!answer->solved) continue;
        // The file's lengths are those of steps: lines are compared with the shortest of lines.
        double best = problem->length;
        if (run->measure == PATH_SHORTEST) best = solution.length;
        ploy_finder_request ask = ask_cells(run, start, goal);
        if (run->measure == PATH_LINES &&
            ploy_finder_run(run->lines[worker], &ask, NULL) == PLOY_OK) {
            best = ploy_finder_state_of(run->lines[worker])->cost;
        }
        double longer = solution.length - best;
        answer->ratio = best > 0.0 ? solution.length / best : 1.0;
        answer->octile = problem->length > 0.0 ? solution.length / problem->length : 1.0;
        answer->near = longer <= PATH_TOLERANCE && longer >= -PATH_TOLERANCE;
        // A line may be shorter than steps, never longer.
        if (is_any_angle(run) && solution.length > problem->length + PATH_TOLERANCE) {
            answer->near = false;
        }
        answer->equal = !run->check || check_one(run, worker, &solution, start, goal);
    }
}

// A part of them, from a problem on.
typedef struct solve_round {
    path_run *run;
    int32_t from;
} solve_round;

static void solve_part(void *arg, int32_t first, int32_t count, int32_t worker) {
    const solve_round *round = arg;
    solve_problems(round->run, round->from + first, count, worker);
}

// All of them on the workers, in rounds after each of which the bar moves.
static void solve_rounds(path_run *run, int32_t count, const ploy_jobs *jobs,
                         cli_progress *progress) {
    const int32_t most = 64 * run->workers;
    for (int32_t done = 0; done < count;) {
        int32_t left = count - done;
        solve_round round = {run, done};
        int32_t now = left < most ? left : most;
        ploy_jobs_run(jobs, solve_part, &round, now, 8);
        done += now;
        cli_progress_step(progress, (uint64_t)done);
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
    double us = 0.0, expanded = 0.0, ratio = 0.0, octile = 0.0, worst = 0.0;
    bool legal = true;
    for (int32_t i = 0; i < count; i++) {
        const path_answer *answer = &run->answers[i];
        bool good = answer->solved && answer->near && answer->equal;
        optimal += good;
        suboptimal += answer->solved && !good;
        unsolved += !answer->solved;
        us += answer->us;
        ratio += answer->ratio;
        octile += answer->octile;
        if (answer->ratio > worst) worst = answer->ratio;
        legal = legal && answer->solved && answer->equal;
        expanded += (double)answer->expanded;
    }
    qsort(run->answers, (size_t)count, sizeof *run->answers, compare_us);
    size_t bytes = 0;
    ploy_grid_map_memory(run->map, add_bytes, &bytes);
    ploy_finder_kit_memory(run->kit, add_bytes, &bytes);
    ploy_finder_memory(run->finders[0], add_bytes, &bytes);
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &out, options->json ? 0 : 2);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "algo");
    ploy_json_write_text(&json, run->name);
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
    if (!is_optimal(run)) {
        write_number(&json, "mean_ratio", count > 0 ? ratio / count : 1.0);
        write_number(&json, "worst_ratio", worst);
    }
    if (is_any_angle(run)) write_number(&json, "octile_ratio", count > 0 ? octile / count : 1.0);
    ploy_json_write_end_object(&json);
    ploy_json_writer_finish(&json);
    if (options->json) putchar('\n');
    bool all = is_optimal(run) || run->measure == PATH_SHORTEST;
    bool good = all ? optimal == count : legal;
    return options->check && !good ? CLI_NO : CLI_OK;
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
        cli_progress progress = cli_progress_begin("solving", (uint64_t)count, true);
        if (run->workers > 1) {
            solve_rounds(run, count, jobs, &progress);
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
        fprintf(stderr, "ploy: %s expects a column and a row such as 12,7\n", option);
        return CLI_USAGE;
    }
    if (x < 0 || y < 0 || x >= ploy_tiles_width(run->tiles) || y >= ploy_tiles_height(run->tiles)) {
        fprintf(stderr, "ploy: %s %s is outside the map\n", option, text);
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
    const path_run *run = scene->run;
    ploy_finder_draw(run->finders[0], &flip);
    float radius = 0.006f * (float)ploy_tiles_width(scene->run->tiles) + 0.4f;
    ploy_draw_disc(&flip, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, nobody,
                   ploy_tiles_localise(scene->run->tiles, scene->start), radius, 1.0f);
    ploy_draw_disc(&flip, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, nobody,
                   ploy_tiles_localise(scene->run->tiles, scene->goal), radius, 1.0f);
}

static void print_one(const path_run *run, const path_options *options,
                      const path_solution *solution, int32_t start) {
    bool steps = !run->by_blocks && !is_any_angle(run) && solution->found;
    ploy_grid_cost cost = ploy_grid_cost_make(0, 0);
    if (steps) cost = count_steps(run, start, run->cells[0], solution->count);
    if (options->json) {
        ploy_writer out = cli_stream_writer(stdout);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &out, 0);
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "found");
        ploy_json_write_bool(&json, solution->found);
        if (steps) {
            write_count(&json, "straight", cost.straight);
            write_count(&json, "diagonal", cost.diagonal);
        }
        if (solution->found) {
            ploy_json_write_key(&json, "length");
            ploy_json_write_f64(&json, solution->length);
        }
        write_count(&json, "expanded", solution->taken);
        if (steps) {
            write_count(&json, "opened", solution->opened);
        }
        ploy_json_write_end_object(&json);
        ploy_json_writer_finish(&json);
        putchar('\n');
    } else if (steps) {
        printf("length %.5f: %lld straight and %lld diagonal steps; %lld cells expanded\n",
               cost.length, (long long)cost.straight, (long long)cost.diagonal,
               (long long)solution->taken);
    } else if (solution->found) {
        printf("length %.5f: %d %s; %lld expanded\n", solution->length, (int)solution->count,
               is_any_angle(run) ? "straight lines" : "steps", (long long)solution->taken);
    } else {
        printf("no path\n");
    }
}

static int run_one(path_run *run, const path_options *options) {
    path_scene scene = {run, 0, 0};
    int status = parse_cell(run, "--from", options->from, &scene.start);
    if (status < 0) status = parse_cell(run, "--to", options->to, &scene.goal);
    if (status >= 0) return status;
    ploy_result result = prepare_run(run);
    path_solution solution = no_solution();
    solution.result = result;
    if (result == PLOY_OK) solution = solve_one(run, 0, scene.start, scene.goal);
    if (solution.result != PLOY_OK) return cli_error_result("path", solution.result);
    float view[4] = {0.0f, -(float)ploy_tiles_height(run->tiles),
                     (float)ploy_tiles_width(run->tiles), 0.0f};
    cli_picture picture = {view, options->width, draw_path, &scene};
    if (options->svg != NULL) status = cli_write_svg(options->svg, &picture, &run->env);
    if (status < 0 && options->png != NULL) {
        status = cli_write_png(options->png, &picture, &run->env);
    }
    if (status >= 0) return status;
    print_one(run, options, &solution, scene.start);
    return solution.found ? CLI_OK : CLI_NO;
}

int cmd_path(int argc, char **argv) {
    path_options o = {0};
    o.threads = 1;
    o.width = 1024;
    o.algo = "fast";
    const cli_option options[] = {
        {"--map", CLI_TEXT, &o.map, "F", "a MovingAI map"},
        {"--scen", CLI_TEXT, &o.scen, "F", "solve all problems of a scenario"},
        {"--finder", CLI_TEXT, &o.finder, "NAME", "search method (default fast)"},
        {"--finders", CLI_FLAG, &o.finders, NULL, "list the finders and their capabilities"},
        {"--algo", CLI_TEXT, &o.algo, "NAME", "same as --finder; 'list' prints the names"},
        {"--check", CLI_FLAG, &o.check, NULL,
         "check each path against Dijkstra; exit status 1 unless all are optimal (anya: not "
         "longer; theta, lazy and blocks: walkable)"},
        {"--threads", CLI_COUNT, &o.threads, "N", "number of threads (default 1)"},
        {"--from", CLI_TEXT, &o.from, "X,Y", "find one path from this cell"},
        {"--to", CLI_TEXT, &o.to, "X,Y", "to this cell"},
        {"--png", CLI_TEXT, &o.png, "F", "write expanded cells and path to a PNG file"},
        {"--svg", CLI_TEXT, &o.svg, "F", "write an SVG file ('-' for standard output)"},
        {"--width", CLI_COUNT, &o.width, "N", "width of the picture in pixels (default 1024)"},
        {"--json", CLI_FLAG, &o.json, NULL, "print one JSON object on one line"},
    };
    const cli_usage usage = {
        "path",
        "--map F (--scen F | --from X,Y --to X,Y) [options]",
        "Finds paths on a grid map with eight neighbours and no corner cutting.",
        options,
        (int32_t)(sizeof options / sizeof options[0]),
        0,
        0};
    int status = cli_parse(&usage, argc, argv, NULL);
    if (status >= 0) return status;
    if (o.finders) return print_finders(o.json);
    if (strcmp(o.algo, "list") == 0) return list_algorithms();
    if (o.scen != NULL && (o.from != NULL || o.to != NULL)) {
        return cli_error("--scen cannot be combined with --from or --to", NULL);
    }
    if (o.scen != NULL && (o.png != NULL || o.svg != NULL)) {
        return cli_error("--png and --svg need --from and --to", NULL);
    }
    if (o.map == NULL || (o.scen == NULL && (o.from == NULL || o.to == NULL))) {
        return cli_error(o.map == NULL
                             ? "path expects --map F ('ploy path --help' lists the options)"
                         : o.from != NULL ? "--from expects --to X,Y"
                         : o.to != NULL   ? "--to expects --from X,Y"
                                          : "--map expects --from X,Y and --to X,Y, or --scen F",
                         NULL);
    }
    if (o.threads < 1 || o.threads > PLOY_JOBS_WORKERS_MAX) {
        return cli_error("--threads expects 1 to 256", NULL);
    }
    path_run *run = calloc(1, sizeof *run);
    if (run == NULL) return cli_error_result("path", PLOY_ERR_MEMORY);
    run->env = cli_env();
    run->workers = (int32_t)o.threads;
    run->check = o.check;
    ploy_result result = ploy_diags_create(20, &run->env, &run->diags);
    bool finder = o.finder != NULL;
    status = result == PLOY_OK ? choose_finder(run, finder ? o.finder : o.algo,
                                               finder ? "unknown finder" : "unknown algorithm")
                               : cli_error_result("path", result);
    if (status < 0) status = load_file(run, o.map, true);
    if (status < 0) status = o.scen != NULL ? run_scenario(run, &o) : run_one(run, &o);
    free_run(run);
    free(run);
    return status;
}
