// Tactical maps beside plain loops over the same cells.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "ploy/base/rng.h"
#include "ploy/geom/automaton.h"
#include "ploy/tactics/analysis.h"

enum { TACTICS_FRAMES = 64 };
enum { TACTICS_SIDE = 512, TACTICS_UNITS = 1000, TACTICS_RADIUS = 16, TACTICS_MOVED = 100 };

typedef struct tactics_data {
    ploy_env env;
    ploy_places places;
    int32_t side;
    ploy_influence *influence;
    ploy_influence_unit units[TACTICS_UNITS];
    int32_t cells[TACTICS_UNITS];
    float strengths[TACTICS_UNITS];
    float *plain, *copy;
    ploy_tactics_layer *from, *to;
    ploy_convolve *convolve;
    ploy_convolve_kernel kernel;
    ploy_automaton *automaton;
    ploy_automaton_rule rule;
    uint8_t *life[2];
    int32_t turn;
    ploy_analysis_server *server;
    ploy_analysis_fill fills[6];
} tactics_data;

static void tactics_free(tactics_data *data) {
    ploy_analysis_server_destroy(data->server);
    ploy_influence_destroy(data->influence);
    ploy_tactics_layer_destroy(data->from);
    ploy_tactics_layer_destroy(data->to);
    ploy_convolve_destroy(data->convolve);
    ploy_automaton_destroy(data->automaton);
    free(data->plain);
    free(data->copy);
    free(data->life[0]);
    free(data->life[1]);
}

static bool tactics_make(tactics_data *data, int32_t side) {
    memset(data, 0, sizeof *data);
    data->env = ploy_env_default();
    data->side = side;
    data->places = ploy_places_grid(side, side, ploy_vec2_make(0, 0), 1.0f);
    data->plain = calloc((size_t)data->places.count, sizeof(float));
    data->copy = calloc((size_t)data->places.count, sizeof(float));
    bool made = data->plain != NULL && data->copy != NULL &&
                ploy_tactics_layer_create(&data->places, PLOY_TACTICS_NUMBERS, &data->env,
                                          &data->from) == PLOY_OK &&
                ploy_tactics_layer_create(&data->places, PLOY_TACTICS_NUMBERS, &data->env,
                                          &data->to) == PLOY_OK;
    for (int32_t i = 0; i < data->places.count && made; i++) {
        float value = (float)((uint32_t)i * 2654435761u >> 8) / 16777216.0f; // as the peers do
        (void)ploy_tactics_layer_set(data->from, i, value);
        data->copy[i] = value;
    }
    return made;
}

// ---- influence

static bool tactics_make_influence(tactics_data *data) {
    ploy_influence_def def = ploy_influence_def_default();
    ploy_influence_type type = ploy_influence_type_default();
    type.radius = TACTICS_RADIUS;
    def.sides = 1;
    if (!tactics_make(data, TACTICS_SIDE) ||
        ploy_influence_create(&def, &data->places, &data->env, &data->influence) != PLOY_OK ||
        ploy_influence_add_type(data->influence, &type, NULL) != PLOY_OK) {
        return false;
    }
    ploy_rng rng = ploy_rng_make(2);
    for (int32_t i = 0; i < TACTICS_UNITS; i++) {
        data->cells[i] = ploy_rng_int(&rng, 0, data->places.count - 1);
        data->strengths[i] = ploy_rng_range(&rng, 1.0f, 4.0f);
        if (ploy_influence_add(data->influence, 0, 0, data->cells[i], data->strengths[i],
                               &data->units[i]) != PLOY_OK) {
            return false;
        }
    }
    return true;
}

static void tactics_build(void *self) {
    tactics_data *data = self;
    ploy_influence_clear(data->influence);
    for (int32_t i = 0; i < TACTICS_UNITS; i++) {
        (void)ploy_influence_add(data->influence, 0, 0, data->cells[i], data->strengths[i],
                                 &data->units[i]);
    }
    bench_keep(data->influence);
}

// Every unit's square, with the distance and the influence of each cell computed there.
static void tactics_build_plain(void *self) {
    tactics_data *data = self;
    memset(data->plain, 0, (size_t)data->places.count * sizeof(float));
    for (int32_t i = 0; i < TACTICS_UNITS; i++) {
        int32_t x = data->cells[i] % TACTICS_SIDE, y = data->cells[i] / TACTICS_SIDE;
        for (int32_t dy = -TACTICS_RADIUS; dy <= TACTICS_RADIUS; dy++) {
            for (int32_t dx = -TACTICS_RADIUS; dx <= TACTICS_RADIUS; dx++) {
                if (x + dx < 0 || y + dy < 0 || x + dx >= TACTICS_SIDE || y + dy >= TACTICS_SIDE) {
                    continue;
                }
                float distance = sqrtf((float)(dx * dx + dy * dy));
                if (distance > (float)TACTICS_RADIUS) continue;
                data->plain[(y + dy) * TACTICS_SIDE + x + dx] +=
                    data->strengths[i] / (1.0f + distance);
            }
        }
    }
    bench_keep(data->plain);
}

static void tactics_move(void *self) {
    tactics_data *data = self;
    data->turn ^= 1;
    for (int32_t i = 0; i < TACTICS_MOVED; i++) {
        int32_t to = data->cells[i] + data->turn;
        if (to < data->places.count) {
            (void)ploy_influence_move(data->influence, data->units[i], to);
        }
    }
    bench_keep(data->influence);
}

void bench_tactics_influence(bench_run *run) {
    tactics_data data;
    if (tactics_make_influence(&data)) {
        bench_side ours = bench_call(bench_size(run) == 0 ? tactics_build : tactics_move, &data, 1);
        bench_measure(run, ours, bench_call(tactics_build_plain, &data, 1), bench_nothing());
    } else {
        bench_fail(run, "out of memory");
    }
    tactics_free(&data);
}

// ---- filters

static void tactics_filter(void *self) {
    tactics_data *data = self;
    ploy_convolve_options options = ploy_convolve_options_default();
    options.border = PLOY_CONVOLVE_CLAMP;
    (void)ploy_convolve_run(data->convolve, &data->kernel, &options, data->from, data->to);
    bench_keep(data->to);
}

// The mean of the filtered cells of the middle column.
static double tactics_mean(const tactics_data *data) {
    double sum = 0.0;
    for (int32_t y = 0; y < data->side; y++) {
        sum += (double)ploy_tactics_layer_at(data->to, y * data->side + data->side / 2);
    }
    return sum / (double)data->side;
}

static void tactics_bytes(void *self) {
    tactics_data *data = self;
    memcpy(data->plain, data->copy, (size_t)data->places.count * sizeof(float));
    bench_keep(data->plain);
}

static void tactics_filter_row(bench_run *run, bool blur) {
    static const float weights[9] = {1, 2, 3, 4, 5, 6, 7, 8, 10};
    tactics_data data;
    bool made = tactics_make(&data, (int32_t)bench_size(run)) &&
                ploy_convolve_create(&data.places, &data.env, &data.convolve) == PLOY_OK &&
                ploy_convolve_kernel_full(weights, 3, 46.0f, &data.kernel) == PLOY_OK;
    if (blur) data.kernel = ploy_convolve_kernel_gaussian(2);
    if (made) {
        double cells = (double)data.places.count, theirs = 0.0;
        char argument[32];
        snprintf(argument, sizeof argument, "%s:%d", blur ? "blur" : "convolve", (int)data.side);
        bench_side peer = bench_program(run, "opencv_filters", argument);
        bench_measure(run, bench_call(tactics_filter, &data, cells), peer,
                      bench_call(tactics_bytes, &data, cells));
        // Both filter the same cells, so that the means agree.
        if (bench_ask(run, peer, "mean", &theirs) && !(fabs(theirs - tactics_mean(&data)) < 1e-4)) {
            bench_fail(run, "the peer's result differs");
        }
    } else {
        bench_fail(run, "out of memory");
    }
    tactics_free(&data);
}

void bench_tactics_blur(bench_run *run) {
    tactics_filter_row(run, true);
}

void bench_tactics_convolve(bench_run *run) {
    tactics_filter_row(run, false);
}

// ---- automaton

static void tactics_life(void *self) {
    tactics_data *data = self;
    (void)ploy_automaton_step(data->automaton, &data->rule, NULL);
    bench_keep(data->automaton);
}

static void tactics_life_plain(void *self) {
    tactics_data *data = self;
    int32_t side = data->side;
    for (int32_t y = 0; y < side; y++) {
        for (int32_t x = 0; x < side; x++) {
            int32_t count = 0;
            for (int32_t dy = -1; dy <= 1; dy++) {
                for (int32_t dx = -1; dx <= 1; dx++) {
                    if (dx == 0 && dy == 0) continue;
                    count += data->life[0][(y + dy + side) % side * side + (x + dx + side) % side];
                }
            }
            uint8_t own = data->life[0][y * side + x];
            data->life[1][y * side + x] = count == 3 || (own && count == 2);
        }
    }
    uint8_t *last = data->life[0];
    data->life[0] = data->life[1];
    data->life[1] = last;
    bench_keep(data->life[0]);
}

void bench_tactics_automaton(bench_run *run) {
    tactics_data data;
    int32_t side = (int32_t)bench_size(run);
    ploy_automaton_def def = ploy_automaton_def_default();
    def.width = def.height = side;
    def.border = PLOY_AUTOMATON_TORUS;
    bool made = tactics_make(&data, side) &&
                ploy_automaton_create(&def, &data.env, &data.automaton) == PLOY_OK &&
                ploy_automaton_rule_text("B3/S23", NULL, &data.rule) == PLOY_OK;
    data.life[0] = calloc((size_t)side, (size_t)side);
    data.life[1] = calloc((size_t)side, (size_t)side);
    if (made && data.life[0] != NULL && data.life[1] != NULL) {
        for (int32_t i = 0; i < side * side; i++) {
            data.life[0][i] = data.copy[i] < 0.3f;
            ploy_automaton_set(data.automaton, i % side, i / side, data.life[0][i]);
        }
        double cells = (double)side * (double)side;
        bench_measure(run, bench_call(tactics_life, &data, cells),
                      bench_call(tactics_life_plain, &data, cells), bench_nothing());
    } else {
        bench_fail(run, "out of memory");
    }
    tactics_free(&data);
}

// ---- the server

static void tactics_fill(void *user, int32_t first, int32_t count, float *out) {
    const tactics_data *data = user;
    memcpy(out, data->copy + first, (size_t)count * sizeof(float));
}

static void tactics_frame(void *self) {
    tactics_data *data = self;
    for (int32_t i = 0; i < TACTICS_FRAMES; i++) (void)ploy_analysis_server_step(data->server);
    bench_keep(data->server);
}

// No frame spends more than its units, and no layer is ever older than the bound.
static void tactics_judge_frames(bench_run *run, ploy_analysis_server *server, int32_t units) {
    int64_t bound = ploy_analysis_server_bound(server), oldest = 0, most = 0;
    for (int64_t frame = 0; frame < 3 * bound; frame++) {
        (void)ploy_analysis_server_step(server);
        int64_t spent = ploy_analysis_server_spent(server);
        most = spent > most ? spent : most;
        for (int32_t i = 0; i < ploy_analysis_server_count(server); i++) {
            ploy_analysis_info info;
            if (!ploy_analysis_server_info(server, i, &info)) continue;
            oldest = info.age > oldest ? info.age : oldest;
        }
    }
    char text[96];
    snprintf(text, sizeof text, "units: at most %ld; age: at most %ld frames of %ld", (long)most,
             (long)oldest, (long)bound);
    bench_note(run, text);
    if (most > units) bench_fail(run, "a frame spent more than its units");
    if (oldest > bound) bench_fail(run, "a layer is older than its bound");
}

// Twelve layers: six are filled, six are combinations, two of them blurred.
void bench_tactics_server(bench_run *run) {
    static const char text[] =
        "g = a + b\nh = c * d\ni = e - f\nj = g * 0.5 + h\nk = h + i\n  blur 1\n"
        "l = g\n  blur 2\n  clamp 0 1\n";
    tactics_data data;
    ploy_analysis_server_def def = ploy_analysis_server_def_default();
    bool made = tactics_make(&data, TACTICS_SIDE) &&
                ploy_analysis_server_create(&def, &data.places, &data.env, &data.server) == PLOY_OK;
    for (int32_t i = 0; i < 6 && made; i++) {
        char name[2] = {(char)('a' + i), 0};
        ploy_analysis_fill fill = {tactics_fill, &data, NULL, 0};
        data.fills[i] = fill;
        made = ploy_analysis_server_add(data.server, name, PLOY_ANALYSIS_SLOW,
                                        ploy_analysis_fill_make(&data.fills[i]), NULL) == PLOY_OK;
    }
    made =
        made &&
        ploy_analysis_server_read(data.server, text, sizeof text - 1, "bench", NULL) == PLOY_OK &&
        ploy_analysis_server_run(data.server) == PLOY_OK;
    if (made) {
        bench_measure(run, bench_call(tactics_frame, &data, TACTICS_FRAMES), bench_nothing(),
                      bench_nothing());
        tactics_judge_frames(run, data.server, def.units);
    } else {
        bench_fail(run, "out of memory");
    }
    tactics_free(&data);
}
