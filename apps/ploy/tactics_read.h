// Files of `ploy tactics`: maps, tables of units and of numbers.
#pragma once

#include "apps/ploy/tactics.h"
#include "ploy/base/array.h"
#include "ploy/path/tiles.h"

enum { TACTICS_NAME = 64, TACTICS_BYTES_MAX = 1 << 28 };

// One row of a table: a name or a side, then x,y,strength.
typedef struct tactics_row {
    char name[TACTICS_NAME];
    int32_t x, y;
    float strength;
    int32_t line; // of the file
} tactics_row;

// Each returns -1, or reports what is wrong and returns the exit status.

// The map, or open tiles of a size "WxH". Exactly one of the two is given.
int tactics_read_tiles(const char *map, const char *size, const ploy_env *env, ploy_tiles **out);
// Rows with positions on the map; a first line that is not a row is a header. *out is an array of
// tactics_row. `columns` names them in messages.
int tactics_read_rows(const char *path, const char *columns, int32_t width, int32_t height,
                      const ploy_env *env, ploy_array *out);
// Refuses a name that two rows have. O(rows log rows).
int tactics_check_names(const char *path, const ploy_array *rows);
// A table of numbers, all rows of the same length. *out is an array of float.
int tactics_read_numbers(const char *path, const ploy_env *env, ploy_array *out, int32_t *width,
                         int32_t *height);
// Rows of . and #. *out is an array of uint8_t, 0 and 1, or digits for other states.
int tactics_read_cells(const char *path, const ploy_env *env, ploy_array *out, int32_t *width,
                       int32_t *height);
// A number option: *out is unchanged if the text is NULL.
int tactics_parse_number(const char *option, const char *text, float least, float *out);
// One of some words; *out is unchanged if the text is NULL.
int tactics_parse_word(const char *option, const char *text, const char *const *words,
                       int32_t count, int32_t *out);
