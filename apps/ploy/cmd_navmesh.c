// ploy navmesh: builds navigation meshes from levels, and asks them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "ploy/base/math.h"
#include "ploy/base/name.h"
#include "ploy/base/number.h"
#include "ploy/base/os.h"
#include "ploy/data/obj.h"
#include "ploy/path/navmesh_exact.h"
#ifdef PLOY_HAS_PATH_RECAST
#include "ploy/path/recast.h"
#endif

// What all of its words share.
typedef struct navmesh_run {
    ploy_env env;
    ploy_diags *diags;
    ploy_adapter adapter;
    ploy_navmesh *mesh;
    ploy_navmesh_query *query;
    ploy_path *path;
} navmesh_run;

enum { NAVMESH_BUILD, NAVMESH_PATH, NAVMESH_INFO, NAVMESH_DRAW, NAVMESH_COMMANDS };

static const cli_command navmesh_commands[NAVMESH_COMMANDS] = {
    {"build", "IN.obj -o OUT.nav [options]",
     "Builds a navigation mesh from the triangles of a level.", 1, 1},
    {"path", "MESH.nav --from X,Y,Z --to X,Y,Z [options]",
     "Finds a path. Exit status 1 if it does not reach the goal.", 1, 1},
    {"info", "MESH.nav [--json]", "Prints the size and contents of a mesh.", 1, 1},
    {"draw", "MESH.nav (--png F | --svg F) [--from X,Y,Z --to X,Y,Z] [--json] [options]",
     "Draws a mesh from above.", 1, 1},
};

// `name` is the whole command's, such as "navmesh build".
static cli_usage usage_of(int32_t index, const char *name, const cli_option *options,
                          int32_t count) {
    const cli_command *command = &navmesh_commands[index];
    cli_usage usage = {name,  command->line,      command->help,     options,
                       count, command->min_words, command->max_words};
    return usage;
}

static const char *const axes_help = "axes of points and files (default y_up_right)";

static int find_axes(const char *name, ploy_adapter *out) {
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; i < PLOY_AXES_COUNT; i++) {
        const char *text = ploy_axes_text((ploy_axes)i);
        *out = ploy_adapter_make((ploy_axes)i, 1.0f);
        if (strcmp(name, text) == 0) return -1;
        ploy_nearest_offer(&nearest, text);
    }
    return cli_error_near("unknown axes", name, nearest.best);
}

static int open_run(navmesh_run *run, const char *axes) {
    memset(run, 0, sizeof *run);
    run->env = cli_env();
    ploy_result result = ploy_diags_create(20, &run->env, &run->diags);
    return result == PLOY_OK ? find_axes(axes, &run->adapter) : cli_error_result("navmesh", result);
}

static int close_run(navmesh_run *run, int status) {
    ploy_path_destroy(run->path);
    ploy_navmesh_query_destroy(run->query);
    ploy_navmesh_destroy(run->mesh);
    ploy_diags_destroy(run->diags);
    return status;
}

// What went wrong with a file, in the words of its reader if there are any.
static int file_error(navmesh_run *run, const char *path, ploy_result result) {
    return ploy_diags_total(run->diags, PLOY_SEVERITY_ERROR) > 0 ? cli_error_diags(run->diags)
                                                                 : cli_error_read(path, result);
}

static int load_mesh(navmesh_run *run, const char *path) {
    ploy_buffer bytes;
    ploy_result result = ploy_os_read_file(path, (size_t)1 << 30, &run->env, &bytes);
    if (result != PLOY_OK) return cli_error_read(path, result);
    result = ploy_navmesh_load(bytes.bytes, bytes.size, path, &run->env, run->diags, &run->mesh);
    ploy_buffer_fini(&bytes);
    if (result != PLOY_OK) return file_error(run, path, result);
    ploy_path_def def = ploy_path_def_default();
    result = ploy_navmesh_query_create(run->mesh, &run->env, &run->query);
    // One path, and it should be the best: room for all nodes.
    if (result == PLOY_OK) {
        result = ploy_navmesh_query_set_nodes(run->query, PLOY_NAVMESH_NODES_MAX);
    }
    if (result == PLOY_OK) result = ploy_path_create(&def, &run->env, &run->path);
    return result == PLOY_OK ? -1 : cli_error_result(path, result);
}

// A number; NULL leaves the value as it is.
static int parse_number(const char *option, const char *text, float min, float max, float *out) {
    float value = 0.0f;
    if (text == NULL) return -1;
    if (ploy_parse_f32(text, strlen(text), NULL, &value) != PLOY_OK ||
        !ploy_in_range(value, min, max)) {
        fprintf(stderr, "ploy: %s expects a number from %g to %g\n", option, (double)min,
                (double)max);
        return CLI_USAGE;
    }
    *out = value;
    return -1;
}

// "1,2,-3.5" in the file's axes.
static int parse_point(const navmesh_run *run, const char *option, const char *text,
                       ploy_vec3 *out) {
    float number[3] = {0.0f, 0.0f, 0.0f};
    const char *at = text;
    bool good = text != NULL;
    for (int32_t i = 0; i < 3 && good; i++) {
        size_t used = 0;
        good = ploy_parse_f32(at, strlen(at), &used, &number[i]) == PLOY_OK &&
               ploy_in_range(number[i], -1e9f, 1e9f) && at[used] == (i < 2 ? ',' : '\0');
        at += used + (i < 2);
    }
    if (!good) {
        fprintf(stderr, "ploy: %s expects three numbers such as 1,0,-2.5\n", option);
        return CLI_USAGE;
    }
    *out =
        ploy_adapter_point_from_host(run->adapter, ploy_vec3_make(number[0], number[1], number[2]));
    return -1;
}

static void write_i64(ploy_json_writer *json, const char *key, int64_t value) {
    ploy_json_write_key(json, key);
    ploy_json_write_i64(json, value);
}

static void write_f64(ploy_json_writer *json, const char *key, double value) {
    ploy_json_write_key(json, key);
    ploy_json_write_f64(json, value);
}

// What only a build knows.
typedef struct mesh_extra {
    int64_t spans;
    double ms;
} mesh_extra;

static void tell_mesh(const ploy_navmesh *mesh, const mesh_extra *extra, bool as_json) {
    ploy_navmesh_stats stats = ploy_navmesh_stats_of(mesh);
    if (!as_json) {
        printf("%d polygons of %d vertices, %d portals, %d walls, %d links, %d islands, %.1f m^2\n",
               (int)stats.polygons, (int)stats.vertices, (int)stats.portals, (int)stats.walls,
               (int)stats.links, (int)stats.islands, (double)stats.area);
        return;
    }
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    write_i64(&json, "polygons", stats.polygons);
    write_i64(&json, "vertices", stats.vertices);
    write_i64(&json, "edges", stats.edges);
    write_i64(&json, "portals", stats.portals);
    write_i64(&json, "walls", stats.walls);
    write_i64(&json, "links", stats.links);
    write_i64(&json, "islands", stats.islands);
    write_i64(&json, "t_junctions", stats.t_junctions);
    write_i64(&json, "details", stats.details);
    write_f64(&json, "area", (double)stats.area);
    if (extra != NULL) {
        write_i64(&json, "spans", extra->spans);
        write_i64(&json, "skipped", stats.skipped);
        write_f64(&json, "ms", extra->ms);
    }
    ploy_json_write_end_object(&json);
    ploy_json_writer_finish(&json);
    putchar('\n');
}

// ---- build ----

#ifdef PLOY_HAS_PATH_RECAST

typedef struct build_options {
    const char *out, *radius, *height, *climb, *slope, *cell, *cell_height, *detail, *axes;
    bool json;
} build_options;

static int parse_build(const build_options *o, ploy_recast_def *def) {
    float degrees = def->slope * 57.29577951f;
    int status = parse_number("--radius", o->radius, 0.0f, 1e3f, &def->radius);
    if (status < 0) status = parse_number("--height", o->height, 0.01f, 1e3f, &def->height);
    if (status < 0) status = parse_number("--climb", o->climb, 0.0f, 1e3f, &def->climb);
    if (status < 0) status = parse_number("--slope", o->slope, 0.0f, 90.0f, &degrees);
    if (status < 0) status = parse_number("--cell", o->cell, 1e-3f, 1e3f, &def->cell);
    if (status < 0 && o->cell != NULL) {
        // Cells keep their shape, and what is counted in them its number, unless it is given.
        ploy_recast_def usual = ploy_recast_def_default();
        float scale = def->cell / usual.cell;
        def->cell_height = usual.cell_height * scale;
        def->edge_error = usual.edge_error * scale;
        def->detail_step = usual.detail_step * scale;
        def->region_min = usual.region_min * scale * scale;
        def->region_merge = usual.region_merge * scale * scale;
    }
    if (status < 0) {
        status = parse_number("--cell-height", o->cell_height, 1e-3f, 1e3f, &def->cell_height);
    }
    if (status < 0) {
        status = parse_number("--detail", o->detail, 0.0f, 1e3f, &def->detail_step);
    }
    def->detail_error = def->detail_step / 9.0f; // as of the default
    def->slope = degrees / 57.29577951f;
    return status;
}

static void show_stages(void *user, int32_t done, int32_t total) {
    cli_progress *bar = user;
    bar->total = (uint64_t)total;
    cli_progress_step(bar, (uint64_t)done);
}

static ploy_result build_mesh(navmesh_run *run, const ploy_recast_def *def, const char *path,
                              ploy_recast_stats *stats) {
    ploy_buffer bytes;
    ploy_obj *obj = NULL;
    ploy_result result = ploy_os_read_file(path, (size_t)1 << 30, &run->env, &bytes);
    if (result != PLOY_OK) return result;
    result = ploy_obj_load(bytes.bytes, bytes.size, run->adapter.axes, path, &run->env, run->diags,
                           &obj);
    ploy_buffer_fini(&bytes);
    if (result != PLOY_OK) return result;
    ploy_obj_view view = ploy_obj_get(obj);
    ploy_recast_level level = {
        view.vertices, view.vertex_count, view.triangles, view.triangle_count, NULL, NULL, NULL, 0};
    cli_progress bar = cli_progress_begin("stages", 0, true);
    ploy_recast_def watched = *def;
    watched.progress = show_stages;
    watched.progress_user = &bar;
    result = ploy_recast_build(&watched, &level, &run->env, run->diags, stats, &run->mesh);
    cli_progress_end(&bar);
    ploy_obj_destroy(obj);
    return result;
}

static int save_mesh(navmesh_run *run, const char *path) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &run->env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_result result = ploy_navmesh_save(run->mesh, &writer);
    int status = result != PLOY_OK               ? cli_error_result(path, result)
                 : cli_write_file(path, &buffer) ? -1
                                                 : CLI_USAGE;
    ploy_buffer_fini(&buffer);
    return status;
}

static int run_build(int argc, char **argv) {
    build_options o = {0};
    o.axes = "y_up_right";
    const cli_option options[] = {
        {"-o", CLI_TEXT, &o.out, "OUT.nav", "the file to write"},
        {"--radius", CLI_TEXT, &o.radius, "M", "radius of the agent (default 0.6)"},
        {"--height", CLI_TEXT, &o.height, "M", "height of the agent (default 2)"},
        {"--climb", CLI_TEXT, &o.climb, "M", "highest step the agent can climb (default 0.9)"},
        {"--slope", CLI_TEXT, &o.slope, "DEG", "steepest walkable slope (default 45)"},
        {"--cell", CLI_TEXT, &o.cell, "M", "width of a cell (default 0.3)"},
        {"--cell-height", CLI_TEXT, &o.cell_height, "M",
         "height of a cell (default: two thirds of the width)"},
        {"--detail", CLI_TEXT, &o.detail, "M",
         "distance between height samples (default 1.8; 0: none)"},
        {"--axes", CLI_TEXT, &o.axes, "NAME", axes_help},
        {"--json", CLI_FLAG, &o.json, NULL, "print one JSON object on one line"},
    };
    const cli_usage usage = usage_of(NAVMESH_BUILD, "navmesh build", options,
                                     (int32_t)(sizeof options / sizeof options[0]));
    const char *word = NULL;
    int status = cli_parse(&usage, argc, argv, &word);
    if (status >= 0) return status;
    if (o.out == NULL) {
        cli_print_usage(&usage, true);
        return CLI_USAGE;
    }
    navmesh_run run;
    ploy_recast_def def = ploy_recast_def_default();
    ploy_recast_stats stats = {0, 0, 0, 0, 0, 0, 0, 0};
    status = open_run(&run, o.axes);
    if (status < 0) status = parse_build(&o, &def);
    uint64_t begun = ploy_os_clock_ns();
    if (status < 0) {
        ploy_result result = build_mesh(&run, &def, word, &stats);
        if (result != PLOY_OK) status = file_error(&run, word, result);
    }
    double ms = (double)(ploy_os_clock_ns() - begun) / 1e6;
    if (status < 0) status = save_mesh(&run, o.out);
    if (status >= 0) return close_run(&run, status);
    mesh_extra extra = {stats.spans, ms};
    tell_mesh(run.mesh, &extra, o.json);
    return close_run(&run, CLI_OK);
}

#else

static int run_build(int argc, char **argv) {
    if (argc > 0 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)) {
        printf("usage: ploy navmesh build IN.obj -o OUT.nav\n"
               "\n"
               "This program was built without Recast and cannot build meshes from levels.\n");
        return CLI_OK;
    }
    return cli_error(
        "cannot build meshes from levels: built without Recast (install librecast-dev)", NULL);
}

#endif

// ---- path ----

typedef struct ask_options {
    const char *from, *to, *radius, *axes, *png, *svg;
    bool exact, json;
    int64_t width;
} ask_options;

typedef struct ask_answer {
    ploy_path_outcome outcome;
    ploy_navmesh_place from, to;
    int32_t polygons;
    double length; // m, in space
} ask_answer;

// The floor right below or above, else the nearest: wider and wider.
static ploy_result find_place(navmesh_run *run, ploy_vec3 point, ploy_navmesh_place *out) {
    static const float widths[] = {0.05f, 2.0f, INFINITY}, heights[] = {4.0f, 4.0f, INFINITY};
    ploy_result result = PLOY_ERR_NOT_FOUND;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0] && result != PLOY_OK; i++) {
        ploy_navmesh_reach reach = ploy_navmesh_reach_default();
        reach.radius = widths[i];
        reach.height = heights[i];
        result = ploy_navmesh_find_nearest(run->query, point, -1, &reach, out);
    }
    return result;
}

// A point that lies nowhere near the floor is more often a mistake (axes, units) than intended.
static void tell_distance(const char *option, ploy_vec3 point, const ploy_navmesh_place *place) {
    float distance = ploy_vec3_distance(point, place->point);
    if (distance <= 4.0f) return;
    fprintf(stderr, "ploy: %s is %g m off the floor; using the nearest point on it\n", option,
            (double)distance);
}

// Points of the answer in space. Its ends are as high as was asked, if they are where was asked:
// the polygon there may lie a little over or under the ground.
static ploy_vec3 path_point(const navmesh_run *run, const ask_answer *answer, ploy_vec3 from,
                            ploy_vec3 to, int32_t i) {
    ploy_vec3 point =
        ploy_vec3_from_vec2(ploy_path_point(run->path, i), ploy_path_height(run->path, i));
    if (i == 0 && answer->from.distance < 0.01f) point.z = from.z;
    bool last = i > 0 && i == ploy_path_count(run->path) - 1;
    if (last && answer->outcome == PLOY_PATH_FOUND && answer->to.distance < 0.01f) point.z = to.z;
    return point;
}

static ploy_result exact_slice(void *self, ploy_budget *budget) {
    return ploy_navmesh_exact_step(self, budget);
}

static ploy_result ask_exact(navmesh_run *run, ask_answer *answer) {
    ploy_navmesh_exact_def def = ploy_navmesh_exact_def_default();
    ploy_navmesh_exact *exact = NULL;
    def.nodes = 1 << 20;
    ploy_result result = ploy_navmesh_exact_create(&def, run->mesh, &run->env, &exact);
    if (result == PLOY_OK) result = ploy_navmesh_exact_begin(exact, answer->from, answer->to);
    cli_work work = {exact_slice, exact, NULL, 0};
    if (result == PLOY_OK) result = cli_work_run("searching", &work, true);
    if (result == PLOY_OK) {
        answer->outcome = ploy_navmesh_exact_outcome(exact, NULL);
        if (answer->outcome == PLOY_PATH_FOUND) {
            result = ploy_navmesh_exact_path(exact, run->path);
        }
    }
    ploy_navmesh_exact_destroy(exact);
    return result;
}

static int ask_path(navmesh_run *run, const ask_options *o, ploy_vec3 from, ploy_vec3 to,
                    ask_answer *answer) {
    float radius = 0.0f;
    int status = parse_number("--radius", o->radius, 0.0f, 1e6f, &radius);
    if (status >= 0) return status;
    memset(answer, 0, sizeof *answer);
    ploy_result result = find_place(run, from, &answer->from);
    if (result == PLOY_OK) result = find_place(run, to, &answer->to);
    if (result != PLOY_OK) return cli_error_result("navmesh path", result);
    tell_distance("--from", from, &answer->from);
    tell_distance("--to", to, &answer->to);
    if (o->exact) {
        if (radius > 0.0f) return cli_error("--exact cannot be combined with --radius", NULL);
        result = ask_exact(run, answer);
    } else {
        ploy_navmesh_request request = ploy_navmesh_request_make(answer->from, answer->to);
        ploy_navmesh_answer found;
        request.radius = radius;
        result = ploy_navmesh_find_path(run->query, &request, run->path, &found);
        if (result == PLOY_ERR_DENIED) { // no such agent fits where it should start
            answer->outcome = PLOY_PATH_NONE;
            return -1;
        }
        answer->outcome = result == PLOY_OK ? found.outcome : PLOY_PATH_NONE;
        ploy_navmesh_query_corridor(run->query, &answer->polygons);
    }
    if (result != PLOY_OK) return cli_error_result("navmesh path", result);
    for (int32_t i = 1; i < ploy_path_count(run->path); i++) {
        answer->length += (double)ploy_vec3_distance(path_point(run, answer, from, to, i - 1),
                                                     path_point(run, answer, from, to, i));
    }
    return -1;
}

static void print_answer(const navmesh_run *run, const ask_options *o, const ask_answer *answer,
                         ploy_vec3 from, ploy_vec3 to) {
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    if (o->json) {
        ploy_json_writer_init(&json, &out, 0);
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "outcome");
        ploy_json_write_text(&json, ploy_path_outcome_text(answer->outcome));
        ploy_json_write_key(&json, "found");
        ploy_json_write_bool(&json, answer->outcome == PLOY_PATH_FOUND);
        ploy_json_write_key(&json, "partial");
        ploy_json_write_bool(&json, answer->outcome == PLOY_PATH_PARTIAL);
        write_f64(&json, "length", answer->length);
        write_i64(&json, "polygons", answer->polygons);
        ploy_json_write_key(&json, "points");
        ploy_json_write_begin_array(&json);
    } else if (answer->outcome == PLOY_PATH_NONE) {
        printf("no path\n");
    } else {
        printf("%s, %.4f m\n", ploy_path_outcome_text(answer->outcome), answer->length);
    }
    for (int32_t i = 0; i < ploy_path_count(run->path); i++) {
        ploy_vec3 point =
            ploy_adapter_point_to_host(run->adapter, path_point(run, answer, from, to, i));
        if (o->json) {
            ploy_json_write_begin_array(&json);
            ploy_json_write_f32(&json, point.x);
            ploy_json_write_f32(&json, point.y);
            ploy_json_write_f32(&json, point.z);
            ploy_json_write_end_array(&json);
        } else {
            printf("  %.4f,%.4f,%.4f\n", (double)point.x, (double)point.y, (double)point.z);
        }
    }
    if (!o->json) return;
    ploy_json_write_end_array(&json);
    ploy_json_write_end_object(&json);
    ploy_json_writer_finish(&json);
    putchar('\n');
}

static int run_path(int argc, char **argv) {
    ask_options o = {0};
    o.axes = "y_up_right";
    const cli_option options[] = {
        {"--from", CLI_TEXT, &o.from, "X,Y,Z", "start: the floor nearest to this point"},
        {"--to", CLI_TEXT, &o.to, "X,Y,Z", "goal: the floor nearest to this point"},
        {"--radius", CLI_TEXT, &o.radius, "M",
         "radius of the agent beyond the one the mesh was built for"},
        {"--exact", CLI_FLAG, &o.exact, NULL, "find the exact shortest path, seen from above"},
        {"--axes", CLI_TEXT, &o.axes, "NAME", axes_help},
        {"--json", CLI_FLAG, &o.json, NULL, "print one JSON object on one line"},
    };
    const cli_usage usage = usage_of(NAVMESH_PATH, "navmesh path", options,
                                     (int32_t)(sizeof options / sizeof options[0]));
    const char *word = NULL;
    int status = cli_parse(&usage, argc, argv, &word);
    if (status >= 0) return status;
    navmesh_run run;
    ask_answer answer;
    ploy_vec3 from = {0, 0, 0}, to = {0, 0, 0};
    status = open_run(&run, o.axes);
    if (status < 0) status = parse_point(&run, "--from", o.from, &from);
    if (status < 0) status = parse_point(&run, "--to", o.to, &to);
    if (status < 0) status = load_mesh(&run, word);
    if (status < 0) status = ask_path(&run, &o, from, to, &answer);
    if (status >= 0) return close_run(&run, status);
    print_answer(&run, &o, &answer, from, to);
    return close_run(&run, answer.outcome == PLOY_PATH_FOUND ? CLI_OK : CLI_NO);
}

// ---- info ----

static int run_info(int argc, char **argv) {
    bool as_json = false;
    const cli_option options[] = {
        {"--json", CLI_FLAG, &as_json, NULL, "print one JSON object on one line"},
    };
    const cli_usage usage = usage_of(NAVMESH_INFO, "navmesh info", options, 1);
    const char *word = NULL;
    int status = cli_parse(&usage, argc, argv, &word);
    if (status >= 0) return status;
    navmesh_run run;
    status = open_run(&run, "y_up_right");
    if (status < 0) status = load_mesh(&run, word);
    if (status >= 0) return close_run(&run, status);
    tell_mesh(run.mesh, NULL, as_json);
    return close_run(&run, CLI_OK);
}

// ---- draw ----

// ploy looks along x with y to the left; in a picture forward is up.
static ploy_vec3 turn_point(ploy_vec3 point) {
    return ploy_vec3_make(-point.y, point.x, point.z);
}

static void turn_item(void *user, const ploy_draw_item *item) {
    ploy_draw *out = user;
    ploy_vec3 points[PLOY_NAVMESH_POLYGON_MAX];
    ploy_draw_item turned = *item;
    if (item->count > PLOY_NAVMESH_POLYGON_MAX) return; // nothing here is that long
    for (int32_t i = 0; i < item->count; i++) points[i] = turn_point(item->points[i]);
    turned.points = points;
    ploy_draw_item_out(out, &turned);
}

static void draw_mesh(const void *subject, ploy_draw *out) {
    const navmesh_run *run = subject;
    ploy_draw turn = {turn_item, out, out->layers};
    ploy_navmesh_draw(run->mesh, &turn);
    ploy_navmesh_query_draw(run->query, &turn);
    ploy_path_draw(run->path, ploy_agent_id_none(), &turn);
}

static int run_draw(int argc, char **argv) {
    ask_options o = {0};
    o.axes = "y_up_right";
    o.width = 1024;
    const cli_option options[] = {
        {"--png", CLI_TEXT, &o.png, "F", "write a PNG file"},
        {"--svg", CLI_TEXT, &o.svg, "F", "write an SVG file ('-' for standard output)"},
        {"--from", CLI_TEXT, &o.from, "X,Y,Z", "draw a path from this point"},
        {"--to", CLI_TEXT, &o.to, "X,Y,Z", "to this point"},
        {"--radius", CLI_TEXT, &o.radius, "M",
         "radius of the agent beyond the one the mesh was built for"},
        {"--width", CLI_COUNT, &o.width, "N", "width of the picture in pixels (default 1024)"},
        {"--axes", CLI_TEXT, &o.axes, "NAME", axes_help},
        {"--json", CLI_FLAG, &o.json, NULL, "print the names of the written files as JSON"},
    };
    const cli_usage usage = usage_of(NAVMESH_DRAW, "navmesh draw", options,
                                     (int32_t)(sizeof options / sizeof options[0]));
    const char *word = NULL;
    int status = cli_parse(&usage, argc, argv, &word);
    if (status >= 0) return status;
    if ((o.png == NULL && o.svg == NULL) || (o.from == NULL) != (o.to == NULL)) {
        cli_print_usage(&usage, true);
        return CLI_USAGE;
    }
    navmesh_run run;
    ask_answer answer;
    ploy_vec3 from = {0, 0, 0}, to = {0, 0, 0};
    status = open_run(&run, o.axes);
    if (status < 0 && o.from != NULL) status = parse_point(&run, "--from", o.from, &from);
    if (status < 0 && o.to != NULL) status = parse_point(&run, "--to", o.to, &to);
    if (status < 0) status = load_mesh(&run, word);
    if (status < 0 && o.from != NULL) status = ask_path(&run, &o, from, to, &answer);
    if (status >= 0) return close_run(&run, status);
    ploy_navmesh_soup *soup = NULL;
    ploy_result copied = ploy_navmesh_soup_create(run.mesh, &run.env, &soup);
    if (copied != PLOY_OK) return close_run(&run, cli_error_result(word, copied));
    float view[4] = {-1.0f, -1.0f, 1.0f, 1.0f};
    for (int32_t i = 0; i < soup->vertex_count; i++) {
        ploy_vec3 point = turn_point(soup->vertices[i]);
        view[0] = i == 0 ? point.x - 1.0f : ploy_minf(view[0], point.x - 1.0f);
        view[1] = i == 0 ? point.y - 1.0f : ploy_minf(view[1], point.y - 1.0f);
        view[2] = i == 0 ? point.x + 1.0f : ploy_maxf(view[2], point.x + 1.0f);
        view[3] = i == 0 ? point.y + 1.0f : ploy_maxf(view[3], point.y + 1.0f);
    }
    ploy_navmesh_soup_destroy(soup);
    cli_picture picture = {view, o.width, draw_mesh, &run};
    if (o.svg != NULL) status = cli_write_svg(o.svg, &picture, &run.env);
    if (status < 0 && o.png != NULL) status = cli_write_png(o.png, &picture, &run.env);
    if (status < 0 && o.json) {
        ploy_writer out = cli_stream_writer(stdout);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &out, 0);
        ploy_json_write_begin_object(&json);
        const char *const files[][2] = {{"mesh", word}, {"svg", o.svg}, {"png", o.png}};
        for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
            if (files[i][1] == NULL) continue;
            ploy_json_write_key(&json, files[i][0]);
            ploy_json_write_text(&json, files[i][1]);
        }
        ploy_json_write_end_object(&json);
        putchar('\n');
    }
    return close_run(&run, status < 0 ? CLI_OK : status);
}

int cmd_navmesh(int argc, char **argv) {
    static int (*const runs[NAVMESH_COMMANDS])(int argc, char **argv) = {run_build, run_path,
                                                                         run_info, run_draw};
    const cli_group group = {
        "navmesh",
        "Builds navigation meshes from levels and finds paths on them. Each command accepts\n"
        "--help.",
        navmesh_commands, NAVMESH_COMMANDS};
    int status = CLI_OK;
    int32_t index = cli_choose(&group, argc, argv, &status);
    return index >= 0 ? runs[index](argc - 1, argv + 1) : status;
}
