// Levels drawn as text; see the header.
#include "ploy/data/tiles_text.h"

#include <string.h>

// The length of the line that begins there, without its end; a carriage return belongs to the end.
static size_t tiles_text_line(const char *bytes, size_t left, size_t *end) {
    const char *at = memchr(bytes, '\n', left);
    size_t length = at != NULL ? (size_t)(at - bytes) : left;
    *end = at != NULL ? length + 1 : length;
    if (length > 0 && bytes[length - 1] == '\r') length--;
    return length;
}

static ploy_result tiles_text_fault(ploy_diags *diags, const char *name, int32_t line,
                                    size_t column, const char *message, const char *expected) {
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name, line, (int32_t)column + 1,
                   message, expected, NULL);
    return PLOY_ERR_FORMAT;
}

// Checks every line and counts them; the length of all is that of the first.
static ploy_result tiles_text_measure(const char *bytes, size_t size, const char *name,
                                      ploy_diags *diags, size_t *width, int32_t *height) {
    ploy_result result = PLOY_OK;
    *width = 0;
    *height = 0;
    for (size_t at = 0; at < size;) {
        size_t end = 0, length = tiles_text_line(bytes + at, size - at, &end);
        int32_t line = *height + 1;
        if (*height == 0) *width = length;
        if (*height == PLOY_TILES_CELLS_MAX) return PLOY_ERR_LIMIT;
        if (length != *width) {
            size_t column = length < *width ? length : *width;
            result = tiles_text_fault(diags, name, line, column,
                                      "line is not as long as the first one", NULL);
        }
        for (size_t i = 0; i < length; i++) {
            if (bytes[at + i] >= 32 && bytes[at + i] < 127) continue;
            result = tiles_text_fault(diags, name, line, i, "invalid character",
                                      "printable ASCII characters");
            break;
        }
        ++*height;
        at += end;
    }
    if (*width == 0) return tiles_text_fault(diags, name, 1, 0, "level has no cells", NULL);
    return result;
}

ploy_result ploy_tiles_from_text(const char *bytes, size_t size, const char *walls,
                                 const char *name, const ploy_env *env, ploy_diags *diags,
                                 ploy_tiles **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if ((bytes == NULL && size > 0) || walls == NULL || name == NULL || env == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    size_t width = 0;
    int32_t height = 0;
    ploy_result result = tiles_text_measure(bytes, size, name, diags, &width, &height);
    if (result != PLOY_OK) return result;
    if (width > (size_t)PLOY_TILES_CELLS_MAX / (size_t)height) return PLOY_ERR_LIMIT;
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = (int32_t)width;
    def.height = height;
    ploy_tiles *tiles = NULL;
    result = ploy_tiles_create(&def, env, &tiles);
    if (result != PLOY_OK) return result;
    size_t cells = width * (size_t)height;
    uint8_t *kinds = ploy_env_alloc(env, cells);
    if (kinds == NULL) {
        ploy_tiles_destroy(tiles);
        return PLOY_ERR_MEMORY;
    }
    size_t at = 0;
    for (int32_t row = 0; row < height; row++) {
        size_t end = 0;
        (void)tiles_text_line(bytes + at, size - at, &end);
        uint8_t *to = kinds + (size_t)(height - 1 - row) * width;
        for (size_t i = 0; i < width; i++) {
            char c = bytes[at + i];
            to[i] = strchr(walls, c) != NULL ? PLOY_TILE_BLOCKED : (uint8_t)c;
        }
        at += end;
    }
    ploy_tiles_set_all(tiles, kinds);
    ploy_env_free(env, kinds, cells);
    *out = tiles;
    return PLOY_OK;
}

bool ploy_tiles_find_kind(const ploy_tiles *tiles, uint8_t kind, ploy_vec2 *out) {
    int32_t cells = ploy_tiles_width(tiles) * ploy_tiles_height(tiles);
    for (int32_t i = 0; i < cells; i++) {
        if (ploy_tiles_get(tiles, i) != kind) continue;
        *out = ploy_tiles_localise(tiles, i);
        return true;
    }
    return false;
}

// The character of a cell; of several marks in it the last.
static char tiles_text_cell(const ploy_tiles *tiles, int32_t cell, const ploy_tiles_mark *marks,
                            int32_t count) {
    for (int32_t i = count - 1; i >= 0; i--) {
        if (ploy_tiles_quantise(tiles, marks[i].at) == cell) return marks[i].mark;
    }
    return ploy_tiles_passable(tiles, cell) ? '.' : '#';
}

ploy_result ploy_tiles_write_text(const ploy_tiles *tiles, const ploy_tiles_mark *marks,
                                  int32_t count, ploy_writer *out) {
    if (ploy_tiles_def_of(tiles).neighbours == PLOY_TILE_HEX) return PLOY_ERR_UNSUPPORTED;
    int32_t width = ploy_tiles_width(tiles);
    for (int32_t row = ploy_tiles_height(tiles) - 1; row >= 0; row--) {
        for (int32_t x = 0; x < width; x++) {
            ploy_write_char(out, tiles_text_cell(tiles, row * width + x, marks, count));
        }
        ploy_write_char(out, '\n');
    }
    return ploy_writer_result(out);
}
