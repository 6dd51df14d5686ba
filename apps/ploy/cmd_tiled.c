// ploy tiled check|convert|draw: maps of the Tiled editor.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "ploy/base/os.h"
#include "ploy/data/movingai.h"
#include "ploy/data/tiled_use.h"
#ifdef PLOY_HAS_DATA_COMPRESSION
#include "ploy/data/compression.h"
#endif

enum { TILED_BYTES_MAX = 1 << 28 };

typedef struct tiled_run {
    ploy_env env;
    ploy_diags *diags;
    ploy_tiled *map;
    ploy_tiled_use use;
    const char *words[2];
    const char *encoding, *compression, *svg, *png, *solid, *cost;
    bool json, embed, missing;
    int64_t width;
} tiled_run;

static ploy_result tiled_read_file(void *user, const char *name, ploy_buffer *out) {
    const tiled_run *run = user;
    ploy_buffer bytes;
    ploy_result result = ploy_os_read_file(name, TILED_BYTES_MAX, &run->env, &bytes);
    if (result == PLOY_OK) result = ploy_buffer_append(out, bytes.bytes, bytes.size);
    ploy_buffer_fini(&bytes);
    return result;
}

static const ploy_compression_service *tiled_service(void) {
#ifdef PLOY_HAS_DATA_COMPRESSION
    return ploy_compression();
#else
    return NULL;
#endif
}

static int tiled_open(tiled_run *run) {
    const char *path = run->words[0];
    ploy_buffer bytes;
    ploy_result result = ploy_os_read_file(path, TILED_BYTES_MAX, &run->env, &bytes);
    if (result != PLOY_OK) return cli_error_read(path, result);
    ploy_tiled_source source = {tiled_read_file, run};
    ploy_tiled_options options = {&source, tiled_service(), run->missing};
    result =
        ploy_tiled_load(bytes.bytes, bytes.size, path, &options, &run->env, run->diags, &run->map);
    ploy_buffer_fini(&bytes);
    if (ploy_diags_count(run->diags) > 0) (void)cli_error_diags(run->diags);
    if (result == PLOY_OK) return -1;
    return ploy_diags_count(run->diags) > 0 ? CLI_USAGE : cli_error_result(path, result);
}

// ---- check

static int tiled_check(tiled_run *run) {
    static const char *const kinds[] = {"map", "tileset", "template"};
    ploy_tiled_view view = ploy_tiled_get(run->map);
    int64_t filled = 0, unknown = 0;
    for (int32_t i = 0; i < view.cell_count; i++) {
        if (view.cells[i] == 0) continue;
        filled++;
        unknown += ploy_tiled_find_tileset(run->map, view.cells[i]) < 0;
    }
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = {{"width", view.width},
                   {"height", view.height},
                   {"layers", view.layer_count},
                   {"tilesets", view.tileset_count},
                   {"cells", view.cell_count},
                   {"filled", filled},
                   {"unknown_tiles", unknown},
                   {"objects", view.object_count},
                   {"properties", view.property_count}};
    if (run->json) {
        ploy_writer out = cli_stream_writer(stdout);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &out, 0);
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "kind");
        ploy_json_write_text(&json, kinds[view.kind]);
        ploy_json_write_key(&json, "orientation");
        ploy_json_write_text(&json, ploy_tiled_orientation_text(view.orientation));
        ploy_json_write_key(&json, "infinite");
        ploy_json_write_bool(&json, view.infinite);
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            ploy_json_write_key(&json, numbers[i].name);
            ploy_json_write_i64(&json, numbers[i].value);
        }
        ploy_json_write_end_object(&json);
        (void)ploy_json_writer_finish(&json);
        putchar('\n');
    } else {
        printf("%s, %s%s\n", kinds[view.kind], ploy_tiled_orientation_text(view.orientation),
               view.infinite ? ", infinite" : "");
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            printf("%-14s %lld\n", numbers[i].name, (long long)numbers[i].value);
        }
    }
    return unknown == 0 ? CLI_OK : CLI_NO;
}

// ---- convert

static bool tiled_ends(const char *path, const char *end) {
    size_t size = strlen(path), length = strlen(end);
    return size >= length && strcmp(path + size - length, end) == 0;
}

static int32_t tiled_word(const char *text, const char *const *words, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) return i;
    }
    return -1;
}

static int tiled_form(const tiled_run *run, ploy_tiled_form *form) {
    static const char *const encodings[] = {"csv", "base64", "xml"};
    static const char *const compressions[] = {"none", "zlib", "gzip", "zstd"};
    const char *path = run->words[1];
    memset(form, 0, sizeof *form);
    form->json = tiled_ends(path, "j") || tiled_ends(path, ".json");
    form->embed = run->embed;
    form->service = tiled_service();
    form->recode = run->encoding != NULL || run->compression != NULL;
    if (run->compression != NULL) form->encoding = PLOY_TILED_BASE64;
    if (run->encoding != NULL) {
        int32_t word = tiled_word(run->encoding, encodings, PLOY_TILED_ENCODINGS);
        if (word < 0) return cli_error("--encoding expects csv, base64 or xml; not", run->encoding);
        form->encoding = (ploy_tiled_encoding)word;
    }
    if (run->compression != NULL) {
        int32_t word = tiled_word(run->compression, compressions, PLOY_TILED_COMPRESSIONS);
        if (word < 0) {
            return cli_error("--compression expects none, zlib, gzip or zstd; not",
                             run->compression);
        }
        form->compression = (ploy_tiled_compression)word;
        if (word > 0 && form->encoding != PLOY_TILED_BASE64) {
            return cli_error("--compression needs --encoding base64, and not", run->encoding);
        }
        if (word > 0 && form->service == NULL) {
            return cli_error("--compression needs the component data_compression: install "
                             "zlib1g-dev and libzstd-dev and build again",
                             NULL);
        }
    }
    return -1;
}

static ploy_result tiled_write_map(const tiled_run *run, ploy_writer *writer) {
    ploy_tiles *tiles = NULL;
    ploy_result result = ploy_tiles_from_tiled(run->map, &run->use, &run->env, run->diags, &tiles);
    int32_t count = result == PLOY_OK ? ploy_tiles_width(tiles) * ploy_tiles_height(tiles) : 0;
    for (int32_t cell = 0; cell < count && result == PLOY_OK; cell++) {
        result = ploy_tiles_set(tiles, cell,
                                ploy_tiles_passable(tiles, cell) ? PLOY_MOVINGAI_GROUND
                                                                 : PLOY_MOVINGAI_OUTSIDE);
    }
    if (result == PLOY_OK) result = ploy_movingai_save_map(tiles, writer);
    ploy_tiles_destroy(tiles);
    return result;
}

static ploy_result tiled_write_level(const tiled_run *run, ploy_writer *writer) {
    ploy_level_builder *builder = NULL;
    ploy_result result = ploy_level_builder_create(&run->env, &builder);
    if (result == PLOY_OK) result = ploy_level_builder_add_tiled(builder, run->map, &run->use);
    if (result == PLOY_OK) result = ploy_level_builder_save(builder, writer);
    ploy_level_builder_destroy(builder);
    return result;
}

static int tiled_convert(tiled_run *run) {
    const char *path = run->words[1];
    ploy_tiled_form form;
    int status = tiled_form(run, &form);
    if (status >= 0) return status;
    bool map = tiled_ends(path, ".map"), level = tiled_ends(path, ".level");
    static const char *const ends[] = {".tmx", ".tmj", ".tsx", ".tsj", ".tx", ".tj", ".json"};
    bool known = map || level;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) known |= tiled_ends(path, ends[i]);
    if (!known) return cli_error("expected .tmx, .tmj, .json, .map or .level at the end of", path);
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &run->env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_result result = map     ? tiled_write_map(run, &writer)
                         : level ? tiled_write_level(run, &writer)
                                 : ploy_tiled_save(run->map, &form, &writer);
    status = CLI_OK;
    if (result != PLOY_OK) {
        status = ploy_diags_total(run->diags, PLOY_SEVERITY_ERROR) > 0
                     ? cli_error_diags(run->diags)
                     : cli_error_result(path, result);
    } else if (!cli_write_file(path, &buffer)) {
        status = CLI_USAGE;
    }
    ploy_buffer_fini(&buffer);
    return status;
}

// ---- draw

static void tiled_draw_map(const void *subject, ploy_draw *out) {
    const tiled_run *run = subject;
    ploy_tiled_draw(run->map, &run->use, out);
}

static int tiled_draw(tiled_run *run) {
    if (run->svg == NULL && run->png == NULL) return cli_error("draw needs --svg or --png", NULL);
    ploy_box2 box = cli_drawn_box(tiled_draw_map, run);
    const float view[4] = {box.min.x, box.min.y, box.max.x, box.max.y};
    cli_picture picture = {view, run->width, tiled_draw_map, run};
    int status = -1;
    if (run->svg != NULL) status = cli_write_svg(run->svg, &picture, &run->env);
    if (status < 0 && run->png != NULL) status = cli_write_png(run->png, &picture, &run->env);
    return status < 0 ? CLI_OK : status;
}

// ---- the command

static const cli_command tiled_commands[] = {
    {"check", "F [options]",
     "Reads a map, tileset or template with the files it names and counts what it has. Exit status "
     "1 if a cell has a tile of no tileset.",
     1, 1},
    {"convert", "F TO [options]",
     "Writes it as XML (.tmx, .tsx, .tx), JSON (.tmj, .tsj, .tj, .json), MovingAI map (.map) or "
     "level objects (.level).",
     2, 2},
    {"draw", "F [options]", "Draws a map: cells by tileset, objects as outlines.", 1, 1},
};
static int (*const tiled_runs[])(tiled_run *run) = {tiled_check, tiled_convert, tiled_draw};
static const cli_group tiled_group = {"tiled", "Maps of the Tiled editor: TMX and TMJ.",
                                      tiled_commands,
                                      sizeof tiled_commands / sizeof tiled_commands[0]};

int cmd_tiled(int argc, char **argv) {
    int status = CLI_OK;
    int32_t index = cli_choose(&tiled_group, argc, argv, &status);
    if (index < 0) return status;
    tiled_run run;
    memset(&run, 0, sizeof run);
    run.width = 800;
    const cli_option options[] = {
        {"--json", CLI_FLAG, &run.json, NULL, "print JSON (check)"},
        {"--missing", CLI_FLAG, &run.missing, NULL,
         "go on without tilesets and templates that cannot be read"},
        {"--embed", CLI_FLAG, &run.embed, NULL, "write external tilesets into the map (convert)"},
        {"--encoding", CLI_TEXT, &run.encoding, "E", "csv, base64 or xml (convert)"},
        {"--compression", CLI_TEXT, &run.compression, "C",
         "none, zlib, gzip or zstd, with base64 (convert)"},
        {"--solid", CLI_TEXT, &run.solid, "NAME", "bool property of blocked tiles (default solid)"},
        {"--cost", CLI_TEXT, &run.cost, "NAME", "number property of a tile's cost (default cost)"},
        {"--svg", CLI_TEXT, &run.svg, "F", "write a picture as SVG (draw)"},
        {"--png", CLI_TEXT, &run.png, "F", "write a picture as PNG (draw)"},
        {"--width", CLI_COUNT, &run.width, "N", "width of the picture, pixels (default 800)"},
    };
    status = cli_parse_command(&tiled_group, index, options,
                               (int32_t)(sizeof options / sizeof options[0]), argc - 1, argv + 1,
                               run.words);
    if (status >= 0) return status;
    run.env = cli_env();
    run.use = ploy_tiled_use_default();
    if (run.solid != NULL) run.use.solid = run.solid;
    if (run.cost != NULL) run.use.cost = run.cost;
    ploy_result result = ploy_diags_create(50, &run.env, &run.diags);
    status = result == PLOY_OK ? tiled_open(&run) : cli_error_result("tiled", result);
    if (status < 0) status = tiled_runs[index](&run);
    ploy_tiled_destroy(run.map);
    ploy_diags_destroy(run.diags);
    return status;
}
