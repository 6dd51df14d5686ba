// Navigation meshes of real levels beside Detour: both sides build the same polygons with Recast
// in the run and are asked the same questions, the pairs of points that lie beside the levels.
#define _POSIX_C_SOURCE 200809L // popen, for the pairs, which are compressed
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

#ifdef PLOY_HAS_PATH_RECAST

#include "ploy/base/os.h"
#include "ploy/data/obj.h"
#include "ploy/path/navmesh_exact.h"
#include "ploy/path/recast.h"

enum { LEVEL_EVERY = 10, LEVEL_PAIRS = 1024 };

// The rows' sizes are numbers of these.
static const struct {
    const char *name;
    int32_t height; // m up and down to look for places; polygons may be off the ground that far
} level_rows[] = {{"nav_test", 4}, {"undulating", 16}};

typedef struct level_data {
    char file[1024];
    ploy_navmesh *mesh;
    ploy_navmesh_query *query;
    ploy_navmesh_exact *exact;
    ploy_path *path;
    ploy_navmesh_reach reach;
    int32_t count;
    ploy_vec3 points[LEVEL_PAIRS];
    ploy_navmesh_place from[LEVEL_PAIRS], to[LEVEL_PAIRS];
    ploy_navmesh_place found[LEVEL_PAIRS];
    double value[LEVEL_PAIRS]; // the length or share
} level_data;

static bool level_build(level_data *data) {
    ploy_env env = ploy_env_default();
    ploy_buffer bytes;
    ploy_obj *obj = NULL;
    if (ploy_os_read_file(data->file, 0, &env, &bytes) != PLOY_OK) return false;
    ploy_result result =
        ploy_obj_load(bytes.bytes, bytes.size, PLOY_AXES_Y_UP_RIGHT, data->file, &env, NULL, &obj);
    ploy_buffer_fini(&bytes);
    if (result != PLOY_OK) return false;
    ploy_obj_view view = ploy_obj_get(obj);
    ploy_recast_level level = {
        view.vertices, view.vertex_count, view.triangles, view.triangle_count, NULL, NULL, NULL, 0};
    ploy_recast_def def = ploy_recast_def_default();
    def.tile = 0;             // one piece, as the peer's
    def.detail_exact = false; // Detour has the cells' heights
    result = ploy_recast_build(&def, &level, &env, NULL, NULL, &data->mesh);
    ploy_obj_destroy(obj);
    return result == PLOY_OK;
}

static bool level_pairs(level_data *data) {
    char command[1200], line[256];
    size_t stem = strlen(data->file) - 4;
    snprintf(command, sizeof command, "gzip -dc '%.*s.pairs.csv.gz'", (int)stem, data->file);
    FILE *in = popen(command, "r");
    if (in == NULL) return false;
    ploy_adapter adapter = ploy_adapter_make(PLOY_AXES_Y_UP_RIGHT, 1.0f);
    for (int32_t i = -1; fgets(line, sizeof line, in) != NULL; i++) {
        float p[6];
        if (i < 0 || i % LEVEL_EVERY != 0 || data->count == LEVEL_PAIRS ||
            sscanf(line, "%f,%f,%f,%f,%f,%f", &p[0], &p[1], &p[2], &p[3], &p[4], &p[5]) != 6) {
            continue;
        }
        ploy_vec3 from = ploy_adapter_point_from_host(adapter, ploy_vec3_make(p[0], p[1], p[2]));
        ploy_vec3 to = ploy_adapter_point_from_host(adapter, ploy_vec3_make(p[3], p[4], p[5]));
        int32_t n = data->count++;
        data->points[n] = from;
        if (ploy_navmesh_find_nearest(data->query, from, -1, &data->reach, &data->from[n]) !=
                PLOY_OK ||
            ploy_navmesh_find_nearest(data->query, to, -1, &data->reach, &data->to[n]) != PLOY_OK) {
            data->count = 0; // both sides must have the same questions
            break;
        }
    }
    pclose(in);
    return data->count > 0;
}

static bool level_open(level_data *data, int64_t size) {
    ploy_env env = ploy_env_default();
    ploy_navmesh_exact_def exact_def = ploy_navmesh_exact_def_default();
    ploy_path_def path_def = ploy_path_def_default();
    path_def.capacity = 512;
    memset(data, 0, sizeof *data);
    data->reach = ploy_navmesh_reach_default();
    data->reach.radius = 2.0f;
    data->reach.height = (float)level_rows[size].height;
    const char *folder = getenv("PLOY_DATA");
    if (folder == NULL || folder[0] == '\0') folder = PLOY_SOURCE_DIR "/../shared/data";
    snprintf(data->file, sizeof data->file, "%s/navmesh/%s.obj", folder, level_rows[size].name);
    return level_build(data) &&
           ploy_navmesh_query_create(data->mesh, &env, &data->query) == PLOY_OK &&
           ploy_navmesh_exact_create(&exact_def, data->mesh, &env, &data->exact) == PLOY_OK &&
           ploy_path_create(&path_def, &env, &data->path) == PLOY_OK && level_pairs(data);
}

static void level_close(level_data *data) {
    ploy_path_destroy(data->path);
    ploy_navmesh_exact_destroy(data->exact);
    ploy_navmesh_query_destroy(data->query);
    ploy_navmesh_destroy(data->mesh);
}

// ---- our side ----

static void level_path(void *self) {
    level_data *data = self;
    for (int32_t i = 0; i < data->count; i++) {
        ploy_navmesh_request request = ploy_navmesh_request_make(data->from[i], data->to[i]);
        if (ploy_navmesh_find_path(data->query, &request, data->path, NULL) != PLOY_OK) continue;
        data->value[i] = (double)ploy_path_length(data->path);
    }
    bench_keep(data->value);
}

static void level_exact(void *self) {
    level_data *data = self;
    for (int32_t i = 0; i < data->count; i++) {
        if (ploy_navmesh_exact_begin(data->exact, data->from[i], data->to[i]) == PLOY_OK &&
            ploy_navmesh_exact_step(data->exact, NULL) == PLOY_OK &&
            ploy_navmesh_exact_path(data->exact, data->path) == PLOY_OK) {
            data->value[i] = (double)ploy_path_length(data->path);
        }
    }
    bench_keep(data->value);
}

static void level_nearest(void *self) {
    level_data *data = self;
    for (int32_t i = 0; i < data->count; i++) {
        ploy_navmesh_find_nearest(data->query, data->points[i], -1, &data->reach, &data->found[i]);
    }
    bench_keep(data->found);
}

static void level_ray(void *self) {
    level_data *data = self;
    for (int32_t i = 0; i < data->count; i++) {
        ploy_navmesh_hit hit;
        ploy_navmesh_find_ray(data->query, data->from[i], ploy_vec2_from_vec3(data->to[i].point),
                              &hit);
        data->value[i] = hit.hit ? (double)hit.share : 1.0;
    }
    bench_keep(data->value);
}

// ---- both sides ----

static bool level_ask(bench_run *run, bench_side peer, const char *what, int32_t i, double *out) {
    char word[32];
    snprintf(word, sizeof word, "%s:%d", what, (int)i);
    return bench_ask(run, peer, word, out);
}

// Mean length not longer; with `never`, no path longer at all. The worst ratio goes to the note.
static void level_compare_ways(bench_run *run, level_data *data, bench_side peer, bool never) {
    double ours = 0.0, theirs = 0.0, worst = 0.0, length;
    for (int32_t i = 0; i < data->count && level_ask(run, peer, "value", i, &length); i++) {
        ours += data->value[i];
        theirs += length;
        if (length > 0.1) worst = fmax(worst, data->value[i] / length);
    }
    char note[128];
    snprintf(note, sizeof note, "mean %.4f of Detour's, worst %.4f", ours / theirs, worst);
    bench_note(run, note);
    if (!(ours <= theirs * 1.000001)) bench_fail(run, "our paths are longer than Detour's");
    if (never && !(worst <= 1.00001)) bench_fail(run, "a shortest path is longer than Detour's");
}

// A ray through a corner may pass on one side and not on the other: those few are counted.
static void level_compare_rays(bench_run *run, level_data *data, bench_side peer) {
    int32_t other = 0;
    double share;
    for (int32_t i = 0; i < data->count && level_ask(run, peer, "value", i, &share); i++) {
        double want = share < 1.0 ? share : 1.0;
        double length = (double)ploy_vec3_distance(data->from[i].point, data->to[i].point);
        other += fabs(want - data->value[i]) * length > 0.01;
    }
    char note[128];
    snprintf(note, sizeof note, "%d of %d differ by more than 1 cm", (int)other, (int)data->count);
    bench_note(run, note);
    if (other > data->count / 200) bench_fail(run, "rays end elsewhere than Detour's");
}

static void level_compare_places(bench_run *run, level_data *data, bench_side peer) {
    ploy_adapter adapter = ploy_adapter_make(PLOY_AXES_Y_UP_RIGHT, 1.0f);
    int32_t other = 0;
    double x, y, z;
    for (int32_t i = 0; i < data->count && level_ask(run, peer, "x", i, &x) &&
                        level_ask(run, peer, "y", i, &y) && level_ask(run, peer, "z", i, &z);
         i++) {
        ploy_vec3 theirs =
            ploy_adapter_point_from_host(adapter, ploy_vec3_make((float)x, (float)y, (float)z));
        other += ploy_vec3_distance(theirs, data->found[i].point) > 0.01f;
    }
    char note[128];
    snprintf(note, sizeof note, "%d of %d differ by more than 1 cm", (int)other, (int)data->count);
    bench_note(run, note);
    if (other > 0) bench_fail(run, "places are elsewhere than Detour's");
}

static void level_row(bench_run *run, const char *mode, void (*work)(void *self)) {
    static level_data data;
    if (!level_open(&data, bench_size(run))) {
        bench_fail(run, "missing: the levels, below $PLOY_DATA/navmesh");
        level_close(&data);
        return;
    }
    char argument[1100];
    snprintf(argument, sizeof argument, "%s:%d:%s", mode, (int)level_rows[bench_size(run)].height,
             data.file);
    bench_side peer = bench_program(run, "detour_navmesh", argument);
    bench_measure(run, bench_call(work, &data, data.count), peer, bench_nothing());
    double polygons = 0.0;
    if (bench_ask(run, peer, "polygons", &polygons)) {
        if (polygons != (double)ploy_navmesh_stats_of(data.mesh).polygons) {
            bench_fail(run, "the two have other meshes");
        } else if (work == level_ray) {
            level_compare_rays(run, &data, peer);
        } else if (work == level_nearest) {
            level_compare_places(run, &data, peer);
        } else {
            level_compare_ways(run, &data, peer, work == level_exact);
        }
    }
    level_close(&data);
}

void bench_path_level_path(bench_run *run) {
    level_row(run, "path", level_path);
}

void bench_path_level_exact(bench_run *run) {
    level_row(run, "path", level_exact);
}

void bench_path_level_nearest(bench_run *run) {
    level_row(run, "nearest", level_nearest);
}

void bench_path_level_ray(bench_run *run) {
    level_row(run, "ray", level_ray);
}

#else // no Recast, no level

static void level_missing(bench_run *run) {
    bench_fail(run, "missing: the component path_recast, with librecast-dev");
}

void bench_path_level_path(bench_run *run) {
    level_missing(run);
}

void bench_path_level_exact(bench_run *run) {
    level_missing(run);
}

void bench_path_level_nearest(bench_run *run) {
    level_missing(run);
}

void bench_path_level_ray(bench_run *run) {
    level_missing(run);
}

#endif
