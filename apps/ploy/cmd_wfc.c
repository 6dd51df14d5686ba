// ploy wfc: makes pictures and maps that look like a sample, by wave function collapse.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "ploy/base/name.h"
#include "ploy/base/number.h"
#include "ploy/base/os.h"
#include "ploy/data/wfc_file.h"
#ifdef PLOY_HAS_DATA_PNG
#include "ploy/data/png.h"
#endif

#ifdef PLOY_HAS_DATA_PNG

enum { WFC_COLOURS = 4096, WFC_PATH = 1024 };

typedef struct wfc_run {
    ploy_env env;
    ploy_diags *diags;
    const char *path; // of the sample or the set
    ploy_wfc_def def;
    ploy_image *sample;
    int32_t *tiles; // the sample's, numbered
    uint32_t *colours;
    int32_t colour_count;
    ploy_wfc_model *own; // of the sample
    ploy_wfc_set *set;
    const ploy_wfc_model *model;
    ploy_wfc *wfc;
} wfc_run;

static bool wfc_is_set(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".xml") == 0;
}

static int wfc_close(wfc_run *run, int status) {
    ploy_wfc_cancel(run->wfc);
    ploy_wfc_model_destroy(run->own);
    ploy_wfc_set_destroy(run->set);
    if (run->tiles != NULL) {
        size_t count = (size_t)run->sample->columns * (size_t)run->sample->rows;
        ploy_env_free(&run->env, run->tiles, count * sizeof *run->tiles);
    }
    if (run->colours != NULL) {
        ploy_env_free(&run->env, run->colours, WFC_COLOURS * sizeof *run->colours);
    }
    ploy_image_destroy(run->sample);
    ploy_diags_destroy(run->diags);
    return status;
}

// What went wrong with a file, in the words of its reader if there are any.
static int wfc_file_error(wfc_run *run, const char *path, ploy_result result) {
    return ploy_diags_total(run->diags, PLOY_SEVERITY_ERROR) > 0 ? cli_error_diags(run->diags)
                                                                 : cli_error_read(path, result);
}

static int wfc_load_image(wfc_run *run, const char *path, ploy_image **out) {
    ploy_buffer bytes;
    ploy_result result = ploy_os_read_file(path, (size_t)1 << 28, &run->env, &bytes);
    if (result == PLOY_OK) {
        result = ploy_image_load_png(bytes.bytes, bytes.size, path, &run->env, run->diags, out);
    }
    ploy_buffer_fini(&bytes);
    return result == PLOY_OK ? -1 : wfc_file_error(run, path, result);
}

static int wfc_open_sample(wfc_run *run) {
    int status = wfc_load_image(run, run->path, &run->sample);
    if (status >= 0) return status;
    size_t count = (size_t)run->sample->columns * (size_t)run->sample->rows;
    run->tiles = ploy_env_alloc(&run->env, count * sizeof *run->tiles);
    run->colours = ploy_env_alloc(&run->env, WFC_COLOURS * sizeof *run->colours);
    if (run->tiles == NULL || run->colours == NULL) return cli_error_result("wfc", PLOY_ERR_MEMORY);
    run->colour_count = ploy_image_tiles(run->sample, run->tiles, run->colours, WFC_COLOURS);
    if (run->colour_count < 0) return cli_error("the sample has more than 4096 colours", run->path);
    ploy_result result = ploy_wfc_model_from_sample(&run->def, run->tiles, run->sample->columns,
                                                    run->sample->rows, &run->env, &run->own);
    run->model = run->own;
    return result == PLOY_OK ? -1 : cli_error_result(run->path, result);
}

static int wfc_open_set(wfc_run *run, const char *subset) {
    ploy_buffer bytes;
    ploy_result result = ploy_os_read_file(run->path, (size_t)1 << 28, &run->env, &bytes);
    if (result == PLOY_OK) {
        result = ploy_wfc_set_load(bytes.bytes, bytes.size, run->path, subset, &run->env,
                                   run->diags, &run->set);
    }
    ploy_buffer_fini(&bytes);
    if (result != PLOY_OK) return wfc_file_error(run, run->path, result);
    run->model = ploy_wfc_set_model(run->set);
    return -1;
}

// ---- checks, without the solver's own counts

static bool wfc_same_piece(const wfc_run *run, const int32_t *tiles, int32_t x, int32_t y,
                           int32_t pattern) {
    const ploy_wfc_def *def = &run->def;
    for (int32_t j = 0; j < def->n; j++) {
        for (int32_t i = 0; i < def->n; i++) {
            int32_t column = (x + i) % def->columns, row = (y + j) % def->rows;
            int32_t tile = tiles[(ptrdiff_t)row * def->columns + column];
            if (tile != ploy_wfc_model_tile(run->model, pattern, i, j)) return false;
        }
    }
    return true;
}

// True if the cell fits: its piece is a pattern of the sample, or its pairs are allowed.
static bool wfc_fits(const wfc_run *run, const int32_t *tiles, int32_t x, int32_t y) {
    const ploy_wfc_def *def = &run->def;
    if (run->own != NULL) {
        if (!def->periodic && (x + def->n > def->columns || y + def->n > def->rows)) return true;
        for (int32_t p = 0; p < ploy_wfc_model_count(run->model); p++) {
            if (wfc_same_piece(run, tiles, x, y, p)) return true;
        }
        return false;
    }
    int32_t tile = tiles[(ptrdiff_t)y * def->columns + x];
    for (int32_t d = 0; d < 2; d++) {
        int32_t column = d == 0 ? x + 1 : x, row = d == 1 ? y + 1 : y;
        if (!def->periodic && (column == def->columns || row == def->rows)) continue;
        int32_t next = tiles[(ptrdiff_t)(row % def->rows) * def->columns + column % def->columns];
        if (!ploy_wfc_model_allows(run->model, tile, next, d)) return false;
    }
    return true;
}

static int64_t wfc_wrong(const wfc_run *run) {
    int64_t wrong = 0;
    const int32_t *tiles = ploy_wfc_tiles(run->wfc);
    for (int32_t i = 0; i < run->def.columns * run->def.rows; i++) {
        wrong += !wfc_fits(run, tiles, i % run->def.columns, i / run->def.columns);
    }
    return wrong;
}

// ---- pictures

// The picture of a form: "folder/tile.png", or "folder/tile form.png" where each has its own.
static int wfc_tile_image(wfc_run *run, ploy_wfc_pattern pattern, ploy_image **out) {
    char path[WFC_PATH];
    int folder = (int)strlen(run->path) - 4;
    const char *name = ploy_wfc_set_tile(run->set, pattern.tile);
    int length =
        ploy_wfc_set_unique(run->set)
            ? snprintf(path, sizeof path, "%.*s/%s %d.png", folder, run->path, name, pattern.turn)
            : snprintf(path, sizeof path, "%.*s/%s.png", folder, run->path, name);
    if (length < 0 || length >= WFC_PATH) return cli_error("the path is too long", run->path);
    return wfc_load_image(run, path, out);
}

// One picture for each pattern of the set; the first one's size is the size of all.
static int wfc_draw_set(wfc_run *run, ploy_image **out) {
    const int32_t *tiles = ploy_wfc_tiles(run->wfc);
    int32_t side = 0;
    for (int32_t p = 0; p < ploy_wfc_model_count(run->model); p++) {
        ploy_wfc_pattern pattern = ploy_wfc_model_at(run->model, p);
        ploy_image *tile = NULL;
        int status = wfc_tile_image(run, pattern, &tile);
        if (status >= 0) return status;
        if (*out == NULL) {
            side = tile->columns;
            ploy_result result = ploy_image_create(side * run->def.columns, side * run->def.rows,
                                                   false, &run->env, out);
            if (result != PLOY_OK) {
                ploy_image_destroy(tile);
                return cli_error_result("the picture", result);
            }
        }
        int32_t turn = ploy_wfc_set_unique(run->set) ? 0 : pattern.turn;
        for (int32_t i = 0; i < run->def.columns * run->def.rows; i++) {
            if (tiles[i] != p) continue;
            ploy_image_put(*out, tile, turn, i % run->def.columns * side,
                           i / run->def.columns * side);
        }
        ploy_image_destroy(tile);
    }
    return -1;
}

static int wfc_draw_sample(const wfc_run *run, ploy_image **out) {
    ploy_result result = ploy_image_create(run->def.columns, run->def.rows, false, &run->env, out);
    if (result != PLOY_OK) return cli_error_result("the picture", result);
    const int32_t *tiles = ploy_wfc_tiles(run->wfc);
    for (int32_t i = 0; i < run->def.columns * run->def.rows; i++) {
        if (tiles[i] >= 0) (*out)->pixels[i] = run->colours[tiles[i]];
    }
    return -1;
}

static int wfc_write(wfc_run *run, const char *path) {
    ploy_image *image = NULL;
    int status = run->set != NULL ? wfc_draw_set(run, &image) : wfc_draw_sample(run, &image);
    if (status < 0) {
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &run->env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        ploy_result result = ploy_image_write_png(image, &writer);
        if (result != PLOY_OK) {
            status = cli_error_result(path, result);
        } else if (!cli_write_file(path, &buffer)) {
            status = CLI_NO;
        }
        ploy_buffer_fini(&buffer);
    }
    ploy_image_destroy(image);
    return status;
}

// ---- the command

static bool wfc_parse_size(const char *text, int32_t *columns, int32_t *rows) {
    int64_t numbers[2] = {0, 0};
    size_t used = 0;
    if (ploy_parse_i64(text, strlen(text), &used, &numbers[0]) != PLOY_OK) return false;
    if (text[used] != 'x') return false;
    text += used + 1;
    if (ploy_parse_i64(text, strlen(text), &used, &numbers[1]) != PLOY_OK || text[used] != '\0') {
        return false;
    }
    if (numbers[0] < 1 || numbers[0] > 4096 || numbers[1] < 1 || numbers[1] > 4096) return false;
    *columns = (int32_t)numbers[0];
    *rows = (int32_t)numbers[1];
    return true;
}

typedef struct wfc_answer {
    bool made;
    int64_t tries, wrong;
    bool checked, json;
} wfc_answer;

static void wfc_print(const wfc_run *run, const wfc_answer *answer) {
    ploy_generate_outcome outcome = ploy_wfc_outcome(run->wfc);
    ploy_wfc_conflict conflict = ploy_wfc_conflict_of(run->wfc);
    if (answer->json) {
        ploy_writer out = cli_stream_writer(stdout);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &out, 0);
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "made");
        ploy_json_write_bool(&json, answer->made);
        const struct {
            const char *name;
            int64_t value;
        } numbers[] = {{"patterns", ploy_wfc_model_count(run->model)},
                       {"columns", run->def.columns},
                       {"rows", run->def.rows},
                       {"tries", answer->tries},
                       {"conflicts", outcome.rejected},
                       {"units", outcome.units}};
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            ploy_json_write_key(&json, numbers[i].name);
            ploy_json_write_i64(&json, numbers[i].value);
        }
        if (answer->checked) {
            ploy_json_write_key(&json, "wrong");
            ploy_json_write_i64(&json, answer->wrong);
        }
        ploy_json_write_end_object(&json);
        (void)ploy_json_writer_finish(&json);
        printf("\n");
        return;
    }
    if (answer->made) {
        printf("%d x %d tiles of %d patterns, try %lld, %lld conflicts\n", run->def.columns,
               run->def.rows, ploy_wfc_model_count(run->model), (long long)answer->tries,
               (long long)outcome.rejected);
    } else {
        printf("no result in %lld tries; the last conflict was at %d,%d\n",
               (long long)answer->tries, conflict.column, conflict.row);
    }
    if (answer->checked) printf("check: %lld cells do not fit\n", (long long)answer->wrong);
}

static ploy_result wfc_slice(void *self, ploy_budget *budget) {
    return ploy_wfc_step(((wfc_run *)self)->wfc, budget);
}

// Cells that are decided.
static uint64_t wfc_decided(const void *self) {
    const wfc_run *run = self;
    uint64_t count = 0;
    for (int32_t row = 0; row < run->def.rows; row++) {
        for (int32_t column = 0; column < run->def.columns; column++) {
            count += ploy_wfc_left_at(run->wfc, column, row) == 1;
        }
    }
    return count;
}

static int wfc_go(wfc_run *run, uint64_t seed, int64_t tries, wfc_answer *answer) {
    uint64_t cells = (uint64_t)run->def.columns * (uint64_t)run->def.rows;
    cli_work work = {wfc_slice, run, wfc_decided, cells};
    ploy_rng_key key = ploy_rng_key_make(seed);
    run->def.max_restarts = 0;
    for (int64_t i = 0; i < tries && !answer->made; i++) {
        ploy_wfc_cancel(run->wfc);
        run->wfc = NULL;
        ploy_result result = ploy_wfc_begin(&run->def, ploy_rng_key_split(key, (uint64_t)i),
                                            run->model, NULL, &run->env, &run->wfc);
        if (result == PLOY_OK) result = cli_work_run("deciding cells", &work, true);
        if (result != PLOY_OK) return cli_error_result("wfc", result);
        answer->tries = i + 1;
        answer->made = !ploy_wfc_outcome(run->wfc).partial;
    }
    if (answer->checked && answer->made) answer->wrong = wfc_wrong(run);
    return -1;
}

int cmd_wfc(int argc, char **argv) {
    wfc_run run;
    memset(&run, 0, sizeof run);
    run.def = ploy_wfc_def_default();
    wfc_answer answer;
    memset(&answer, 0, sizeof answer);
    int64_t n = -1, symmetry = -1, tries = 20; // -1: not given
    uint64_t seed = 1;
    bool periodic = false, plain_sample = false, ground = false;
    const char *size = "48x48", *png = NULL, *subset = NULL;
    const cli_option options[] = {
        {"--n", CLI_COUNT, &n, "N", "side of a pattern of a sample, tiles (default 3)"},
        {"--symmetry", CLI_COUNT, &symmetry, "K",
         "turned and mirrored forms of a sample's patterns, 1 to 8 (default 8)"},
        {"--size", CLI_TEXT, &size, "WxH", "tiles of the result (default 48x48)"},
        {"--periodic", CLI_FLAG, &periodic, NULL, "the result repeats at its edges"},
        {"--edges", CLI_FLAG, &plain_sample, NULL, "the sample does not repeat at its edges"},
        {"--ground", CLI_FLAG, &ground, NULL, "the sample's lowest row is the result's lowest row"},
        {"--subset", CLI_TEXT, &subset, "NAME", "subset of a set of tiles"},
        {"--seed", CLI_U64, &seed, "S", "seed (default 1)"},
        {"--tries", CLI_COUNT, &tries, "T", "starts before it gives up (default 20)"},
        {"--check", CLI_FLAG, &answer.checked, NULL,
         "check every piece of the result against the sample"},
        {"--png", CLI_TEXT, &png, "F", "write the result as a picture"},
        {"--json", CLI_FLAG, &answer.json, NULL, "print one JSON object"},
    };
    const cli_usage usage = {
        "wfc",
        "SAMPLE.png|SET.xml [options]",
        "Makes a picture of which every piece occurs in the sample, or a map of tiles of "
        "which every pair is allowed. Exit status 1 if there is no result.",
        options,
        (int32_t)(sizeof options / sizeof options[0]),
        1,
        1};
    const char *words[1];
    int status = cli_parse(&usage, argc, argv, words);
    if (status >= 0) return status;
    if (!wfc_parse_size(size, &run.def.columns, &run.def.rows)) {
        return cli_error("--size expects WxH, each from 1 to 4096, not", size);
    }
    bool set = wfc_is_set(words[0]);
    const char *unused = !set ? NULL : n >= 0 ? "--n" : symmetry >= 0 ? "--symmetry" : NULL;
    if (set && plain_sample) unused = "--edges";
    if (set && ground) unused = "--ground";
    if (unused != NULL) return cli_error("a set of tiles does not take", unused);
    if (!set && subset != NULL) return cli_error("a sample does not take", "--subset");
    if (n < 0) n = 3;
    if (symmetry < 0) symmetry = 8;
    if (n < 2 || n > 6) return cli_error("--n expects a number from 2 to 6", NULL);
    if (symmetry < 1 || symmetry > 8)
        return cli_error("--symmetry expects a number from 1 to 8", NULL);
    if (tries < 1) return cli_error("--tries expects a number from 1", NULL);
    run.path = words[0];
    run.def.n = (int32_t)n;
    run.def.symmetry = (int32_t)symmetry;
    run.def.periodic = periodic;
    run.def.sample_periodic = !plain_sample;
    run.def.ground = ground;
    run.env = cli_env();
    ploy_result result = ploy_diags_create(20, &run.env, &run.diags);
    if (result != PLOY_OK) return cli_error_result("wfc", result);
    status = set ? wfc_open_set(&run, subset) : wfc_open_sample(&run);
    if (status < 0) status = wfc_go(&run, seed, tries, &answer);
    if (status < 0 && png != NULL && answer.made) status = wfc_write(&run, png);
    if (status < 0) {
        wfc_print(&run, &answer);
        status = answer.made && answer.wrong == 0 ? CLI_OK : CLI_NO;
    }
    return wfc_close(&run, status);
}

#else

int cmd_wfc(int argc, char **argv) {
    (void)argc;
    (void)argv;
    return cli_error("wfc needs the component data_png: install libpng-dev and build again", NULL);
}

#endif
