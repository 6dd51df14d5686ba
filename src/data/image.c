// Pictures in memory.
#include "ploy/data/image.h"

ploy_result ploy_image_create(int32_t columns, int32_t rows, bool grey, const ploy_env *env,
                              ploy_image **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (columns < 1 || rows < 1 || columns > PLOY_IMAGE_SIDE_MAX || rows > PLOY_IMAGE_SIDE_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    size_t count = (size_t)columns * (size_t)rows;
    ploy_image *image = ploy_env_alloc_zero(env, sizeof *image);
    if (image == NULL) return PLOY_ERR_MEMORY;
    image->columns = columns;
    image->rows = rows;
    image->env = *env;
    image->pixels = ploy_env_alloc_zero(env, count * sizeof *image->pixels);
    if (grey) image->grey = ploy_env_alloc_zero(env, count * sizeof *image->grey);
    if (image->pixels == NULL || (grey && image->grey == NULL)) {
        ploy_image_destroy(image);
        return PLOY_ERR_MEMORY;
    }
    *out = image;
    return PLOY_OK;
}

void ploy_image_destroy(ploy_image *image) {
    if (image == NULL) return;
    ploy_env env = image->env;
    size_t count = (size_t)image->columns * (size_t)image->rows;
    if (image->pixels != NULL) ploy_env_free(&env, image->pixels, count * sizeof *image->pixels);
    if (image->grey != NULL) ploy_env_free(&env, image->grey, count * sizeof *image->grey);
    ploy_env_free(&env, image, sizeof *image);
}

int32_t ploy_image_tiles(const ploy_image *image, int32_t *tiles, uint32_t *colours,
                         int32_t capacity) {
    int32_t count = 0;
    for (int32_t i = 0; i < image->columns * image->rows; i++) {
        // The colour of the pixel before is the likeliest.
        int32_t number = i > 0 && image->pixels[i] == image->pixels[i - 1] ? tiles[i - 1] : 0;
        while (number < count && colours[number] != image->pixels[i]) number++;
        if (number == count) {
            if (count == capacity) return -1;
            colours[count++] = image->pixels[i];
        }
        tiles[i] = number;
    }
    return count;
}

void ploy_image_put(ploy_image *image, const ploy_image *tile, int32_t turn, int32_t column,
                    int32_t row) {
    int32_t side = tile->columns < tile->rows ? tile->columns : tile->rows;
    for (int32_t y = 0; y < side; y++) {
        for (int32_t x = 0; x < side; x++) {
            if (column + x < 0 || row + y < 0 || column + x >= image->columns ||
                row + y >= image->rows) {
                continue;
            }
            // Back to the tile's own place: the mirror first, because it came last.
            int32_t i = (turn & 4) != 0 ? side - 1 - x : x, j = y;
            for (int32_t k = 0; k < (turn & 3); k++) {
                int32_t old = i;
                i = j;
                j = side - 1 - old;
            }
            image->pixels[(ptrdiff_t)(row + y) * image->columns + column + x] =
                tile->pixels[(ptrdiff_t)j * tile->columns + i];
        }
    }
}
