// MovingAI maps and scenarios; the format is in the header.
#include "ploy/data/movingai.h"

#include <math.h>
#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/number.h"

// ---- lines and words ----

// A reader over bytes. `word` is what the last call found.
typedef struct movingai_reader {
    const char *bytes;
    size_t size, at;
    size_t line_start;
    int32_t line; // from 1
    const char *word;
    size_t word_size;
    size_t word_at;
    const char *name;
    ploy_diags *diags;
    int32_t faults;
} movingai_reader;

// After that many faults a file is not worth reading on.
enum { MOVINGAI_FAULTS_MAX = 20 };

static movingai_reader movingai_open(const void *bytes, size_t size, const char *name,
                                     ploy_diags *diags) {
    movingai_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.bytes = bytes;
    reader.size = bytes != NULL ? size : 0;
    reader.line = 1;
    reader.name = name != NULL ? name : "";
    reader.diags = diags;
    return reader;
}

static void movingai_fault(movingai_reader *reader, size_t at, const char *message,
                           const char *expected) {
    reader->faults++;
    size_t column = at - reader->line_start + 1;
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, reader->name, reader->line,
                   column < INT32_MAX ? (int32_t)column : INT32_MAX, message, expected, NULL);
}

static bool movingai_at_end(const movingai_reader *reader) {
    return reader->at >= reader->size;
}

static bool movingai_at_line_end(const movingai_reader *reader) {
    if (movingai_at_end(reader)) return true;
    char c = reader->bytes[reader->at];
    if (c == '\r') {
        return reader->at + 1 >= reader->size || reader->bytes[reader->at + 1] == '\n';
    }
    return c == '\n';
}

static void movingai_next_line(movingai_reader *reader) {
    while (!movingai_at_end(reader) && reader->bytes[reader->at] != '\n') reader->at++;
    if (!movingai_at_end(reader)) reader->at++;
    reader->line_start = reader->at;
    if (reader->line < INT32_MAX) reader->line++;
}

static void movingai_skip_blanks(movingai_reader *reader) {
    while (!movingai_at_end(reader) &&
           (reader->bytes[reader->at] == ' ' || reader->bytes[reader->at] == '\t')) {
        reader->at++;
    }
}

// The next word of the line; false if the line has no more.
static bool movingai_word(movingai_reader *reader) {
    movingai_skip_blanks(reader);
    reader->word_at = reader->at;
    reader->word = reader->bytes + reader->at;
    while (!movingai_at_line_end(reader) && reader->bytes[reader->at] != ' ' &&
           reader->bytes[reader->at] != '\t') {
        reader->at++;
    }
    reader->word_size = reader->at - reader->word_at;
    return reader->word_size > 0;
}

static bool movingai_word_is(const movingai_reader *reader, const char *text) {
    return reader->word_size == strlen(text) && memcmp(reader->word, text, reader->word_size) == 0;
}

// Says so if anything but blanks is left of the line.
static void movingai_line_done(movingai_reader *reader) {
    movingai_skip_blanks(reader);
    if (!movingai_at_line_end(reader)) {
        movingai_fault(reader, reader->at, "unexpected text at the end of the line",
                       "the end of the line");
    }
}

// A whole number of at least 0.
static bool movingai_whole(movingai_reader *reader, const char *what, int32_t *out) {
    int64_t value = 0;
    if (!movingai_word(reader)) {
        movingai_fault(reader, reader->at, "unexpected end of line", what);
        return false;
    }
    if (ploy_parse_i64(reader->word, reader->word_size, NULL, &value) != PLOY_OK || value < 0 ||
        value > INT32_MAX) {
        movingai_fault(reader, reader->word_at, "invalid whole number", what);
        return false;
    }
    *out = (int32_t)value;
    return true;
}

// ---- maps ----

// Kind of a character, -1 if it has none.
static int32_t movingai_kind(char c) {
    switch (c) {
    case '.':
    case 'G': return PLOY_MOVINGAI_GROUND;
    case 'S': return PLOY_MOVINGAI_SWAMP;
    case 'W': return PLOY_MOVINGAI_WATER;
    case 'T': return PLOY_MOVINGAI_TREES;
    case '@':
    case 'O': return PLOY_MOVINGAI_OUTSIDE;
    default: return -1;
    }
}

// The lines before the cells, in any order; the reader is then at the first row.
static bool movingai_header(movingai_reader *reader, int32_t *width, int32_t *height) {
    bool typed = false;
    *width = *height = -1;
    for (; !movingai_at_end(reader) && reader->faults < MOVINGAI_FAULTS_MAX;
         movingai_next_line(reader)) {
        if (!movingai_word(reader)) continue; // an empty line
        if (movingai_word_is(reader, "map")) {
            movingai_line_done(reader);
            if (!typed) movingai_fault(reader, reader->word_at, "missing type", "type octile");
            if (*width < 0) movingai_fault(reader, reader->word_at, "missing width", NULL);
            if (*height < 0) movingai_fault(reader, reader->word_at, "missing height", NULL);
            movingai_next_line(reader);
            return reader->faults == 0;
        }
        bool is_width = movingai_word_is(reader, "width");
        if (is_width || movingai_word_is(reader, "height")) {
            int32_t *out = is_width ? width : height, value = 0;
            size_t at = reader->word_at;
            if (*out >= 0) movingai_fault(reader, at, "duplicate line", NULL);
            if (movingai_whole(reader, "a whole number of cells", &value)) {
                if (value < 1)
                    movingai_fault(reader, reader->word_at, "invalid size of the map", "1 or more");
                *out = value;
            } else {
                *out = 0; // said already
            }
        } else if (movingai_word_is(reader, "type")) {
            typed = true;
            if (!movingai_word(reader) || !movingai_word_is(reader, "octile")) {
                movingai_fault(reader, reader->word_at, "unknown map type", "octile");
                reader->at = reader->word_at + reader->word_size;
            }
        } else {
            movingai_fault(reader, reader->word_at, "unknown keyword",
                           "type, height, width or map");
            continue;
        }
        movingai_line_done(reader);
    }
    movingai_fault(reader, reader->at, "unexpected end of file before the map", "map");
    return false;
}

// One row into kinds.
static void movingai_row(movingai_reader *reader, int32_t width, uint8_t *kinds) {
    int32_t x = 0;
    for (; x < width && !movingai_at_line_end(reader); x++, reader->at++) {
        int32_t kind = movingai_kind(reader->bytes[reader->at]);
        if (kind < 0) {
            movingai_fault(reader, reader->at, "unknown cell", "one of . G S W T @ O");
            if (reader->faults >= MOVINGAI_FAULTS_MAX) return;
            kind = PLOY_MOVINGAI_OUTSIDE;
        }
        kinds[x] = (uint8_t)kind;
    }
    if (x < width) {
        movingai_fault(reader, reader->at, "row is too short", NULL);
    } else {
        movingai_line_done(reader);
    }
}

ploy_result ploy_movingai_load_map(const void *bytes, size_t size, const char *name,
                                   const ploy_env *env, ploy_diags *diags, ploy_tiles **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    movingai_reader reader = movingai_open(bytes, size, name, diags);
    int32_t width, height;
    if (!movingai_header(&reader, &width, &height)) return PLOY_ERR_FORMAT;
    int64_t count = (int64_t)width * height;
    // The rows have to be there before memory is requested them.
    if ((uint64_t)count > (uint64_t)(reader.size - reader.at)) {
        movingai_fault(&reader, reader.at, "file has fewer cells than its header declares", NULL);
        return PLOY_ERR_FORMAT;
    }
    if (count > PLOY_TILES_CELLS_MAX) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_LIMIT, reader.name, 0, 0,
                       "map has too many cells", NULL, NULL);
        return PLOY_ERR_LIMIT;
    }
    uint8_t *kinds = ploy_env_alloc(env, (size_t)count);
    if (kinds == NULL) return PLOY_ERR_MEMORY;
    for (int32_t y = 0; y < height && reader.faults < MOVINGAI_FAULTS_MAX; y++) {
        if (movingai_at_end(&reader)) {
            movingai_fault(&reader, reader.at, "unexpected end of file before the last row", NULL);
            break;
        }
        movingai_row(&reader, width, kinds + (size_t)y * (size_t)width);
        movingai_next_line(&reader);
    }
    for (; !movingai_at_end(&reader) && reader.faults == 0; movingai_next_line(&reader)) {
        movingai_line_done(&reader); // empty lines may follow
    }
    ploy_result result = reader.faults == 0 ? PLOY_OK : PLOY_ERR_FORMAT;
    ploy_tiles *tiles = NULL;
    if (result == PLOY_OK) {
        ploy_tiles_def def = ploy_tiles_def_default();
        def.width = width;
        def.height = height;
        result = ploy_tiles_create(&def, env, &tiles);
        // A map a million cells long and a few wide: more than tiles take, and our limit.
        if (result == PLOY_ERR_ARGUMENT) result = PLOY_ERR_LIMIT;
    }
    if (result == PLOY_OK) {
        ploy_tiles_set_cost(tiles, PLOY_MOVINGAI_WATER, INFINITY);
        ploy_tiles_set_cost(tiles, PLOY_MOVINGAI_TREES, INFINITY);
        ploy_tiles_set_all(tiles, kinds);
        *out = tiles;
    } else if (result == PLOY_ERR_LIMIT) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, result, reader.name, 0, 0,
                       "map is too wide or too high", NULL, NULL);
    }
    ploy_env_free(env, kinds, (size_t)count);
    return result;
}

ploy_result ploy_movingai_save_map(const ploy_tiles *tiles, ploy_writer *writer) {
    static const char letters[] = "@.SWT";
    ploy_tiles_def def = ploy_tiles_def_of(tiles);
    if (def.neighbours == PLOY_TILE_HEX) return PLOY_ERR_UNSUPPORTED;
    ploy_write_text(writer, "type octile\nheight ");
    ploy_write_i64(writer, def.height);
    ploy_write_text(writer, "\nwidth ");
    ploy_write_i64(writer, def.width);
    ploy_write_text(writer, "\nmap\n");
    for (int32_t cell = 0; cell < def.width * def.height; cell++) {
        uint8_t kind = ploy_tiles_get(tiles, cell);
        char letter = kind <= PLOY_MOVINGAI_TREES        ? letters[kind]
                      : ploy_tiles_passable(tiles, cell) ? '.'
                                                         : '@';
        ploy_write_char(writer, letter);
        if (cell % def.width == def.width - 1) ploy_write_char(writer, '\n');
    }
    return ploy_writer_result(writer);
}

// ---- scenarios ----

struct ploy_movingai_scenario {
    ploy_env env;
    ploy_array problems;
    char *names; // of maps, each with its zero; one after the other, equal neighbours shared
    size_t names_size, names_room;
};

void ploy_movingai_scenario_destroy(ploy_movingai_scenario *scenario) {
    if (scenario == NULL) return;
    ploy_env env = scenario->env;
    ploy_array_fini(&scenario->problems);
    ploy_env_free(&env, scenario->names, scenario->names_room);
    ploy_env_free(&env, scenario, sizeof *scenario);
}

// Keeps a name; as a rule it is the one of the line before.
static const char *movingai_keep_name(ploy_movingai_scenario *scenario, const char *last,
                                      const movingai_reader *reader) {
    if (last != NULL && movingai_word_is(reader, last)) return last;
    char *name = scenario->names + scenario->names_size;
    memcpy(name, reader->word, reader->word_size);
    name[reader->word_size] = '\0';
    scenario->names_size += reader->word_size + 1;
    return name;
}

// One line. The words that are numbers, then the length.
static bool movingai_problem(movingai_reader *reader, ploy_movingai_scenario *scenario,
                             const char *last, ploy_movingai_problem *problem) {
    memset(problem, 0, sizeof *problem);
    problem->line = reader->line;
    if (!movingai_whole(reader, "the bucket", &problem->bucket)) return false;
    if (!movingai_word(reader)) {
        movingai_fault(reader, reader->at, "unexpected end of line", "the map's name");
        return false;
    }
    if (memchr(reader->word, '\0', reader->word_size) != NULL) {
        movingai_fault(reader, reader->word_at, "unexpected zero byte in the map's name", NULL);
        return false;
    }
    problem->map = movingai_keep_name(scenario, last, reader);
    if (!movingai_whole(reader, "the map's width", &problem->width) ||
        !movingai_whole(reader, "the map's height", &problem->height) ||
        !movingai_whole(reader, "the start's x", &problem->start_x) ||
        !movingai_whole(reader, "the start's y", &problem->start_y) ||
        !movingai_whole(reader, "the goal's x", &problem->goal_x) ||
        !movingai_whole(reader, "the goal's y", &problem->goal_y)) {
        return false;
    }
    if (!movingai_word(reader)) {
        movingai_fault(reader, reader->at, "unexpected end of line", "the optimal length");
        return false;
    }
    if (ploy_parse_f64(reader->word, reader->word_size, NULL, &problem->length) != PLOY_OK ||
        !(problem->length >= 0.0 && problem->length < (double)INFINITY)) {
        movingai_fault(reader, reader->word_at, "invalid length", "a number, 0 or more");
        return false;
    }
    movingai_line_done(reader);
    return true;
}

// The first line that holds anything: "version 1" or "version 1.0".
static void movingai_version(movingai_reader *reader) {
    while (!movingai_at_end(reader) && !movingai_word(reader)) movingai_next_line(reader);
    if (!movingai_word_is(reader, "version")) {
        // A file of blank lines has no word to point at.
        size_t at = reader->word_size > 0 ? reader->word_at : reader->at;
        movingai_fault(reader, at, "invalid scenario", "version 1");
        return;
    }
    double version = 0.0;
    if (!movingai_word(reader) ||
        ploy_parse_f64(reader->word, reader->word_size, NULL, &version) != PLOY_OK ||
        version != 1.0) {
        movingai_fault(reader, reader->word_at, "unknown version", "1");
        return;
    }
    movingai_line_done(reader);
    movingai_next_line(reader);
}

ploy_result ploy_movingai_load_scenario(const void *bytes, size_t size, const char *name,
                                        const ploy_env *env, ploy_diags *diags,
                                        ploy_movingai_scenario **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    movingai_reader reader = movingai_open(bytes, size, name, diags);
    ploy_movingai_scenario *scenario = ploy_env_alloc_zero(env, sizeof *scenario);
    if (scenario == NULL) return PLOY_ERR_MEMORY;
    scenario->env = *env;
    ploy_array_init(&scenario->problems, sizeof(ploy_movingai_problem), env);
    ploy_result result = PLOY_OK;
    movingai_version(&reader);
    // All names together are shorter than the file, and their zeros than the blanks behind them.
    scenario->names_room = reader.size + 1;
    scenario->names = ploy_env_alloc(env, scenario->names_room);
    if (scenario->names == NULL) {
        scenario->names_room = 0;
        result = PLOY_ERR_MEMORY;
    }
    const char *last = NULL;
    for (; result == PLOY_OK && reader.faults < MOVINGAI_FAULTS_MAX && !movingai_at_end(&reader);
         movingai_next_line(&reader)) {
        movingai_skip_blanks(&reader);
        if (movingai_at_line_end(&reader)) continue;
        if (reader.faults > 0 && reader.line == 1) break; // no scenario at all
        ploy_movingai_problem problem;
        if (!movingai_problem(&reader, scenario, last, &problem)) continue;
        last = problem.map;
        result = ploy_array_push(&scenario->problems, &problem);
    }
    if (result == PLOY_OK && reader.faults > 0) result = PLOY_ERR_FORMAT;
    if (result != PLOY_OK) {
        ploy_movingai_scenario_destroy(scenario);
        return result;
    }
    *out = scenario;
    return PLOY_OK;
}

int32_t ploy_movingai_scenario_count(const ploy_movingai_scenario *scenario) {
    return ploy_array_count(&scenario->problems);
}

const ploy_movingai_problem *ploy_movingai_scenario_get(const ploy_movingai_scenario *scenario,
                                                        int32_t index) {
    return ploy_array_at(&scenario->problems, index);
}

ploy_result ploy_movingai_scenario_check(const ploy_movingai_scenario *scenario, int32_t width,
                                         int32_t height, const char *name, ploy_diags *diags) {
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < ploy_movingai_scenario_count(scenario); i++) {
        const ploy_movingai_problem *problem = ploy_movingai_scenario_get(scenario, i);
        const char *fault = NULL;
        if (problem->width != width || problem->height != height) {
            fault = "map size differs from the problem's";
        } else if (problem->start_x >= width || problem->start_y >= height) {
            fault = "start is outside the map";
        } else if (problem->goal_x >= width || problem->goal_y >= height) {
            fault = "goal is outside the map";
        }
        if (fault == NULL) continue;
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name, problem->line, 1, fault,
                       NULL, NULL);
        result = PLOY_ERR_FORMAT;
    }
    return result;
}

void ploy_movingai_save_version(ploy_writer *writer) {
    ploy_write_text(writer, "version 1\n");
}

ploy_result ploy_movingai_save_problem(const ploy_movingai_problem *problem, ploy_writer *writer) {
    if (problem->map == NULL || problem->map[0] == '\0' ||
        strpbrk(problem->map, " \t\r\n") != NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    const int32_t numbers[] = {problem->width,   problem->height, problem->start_x,
                               problem->start_y, problem->goal_x, problem->goal_y};
    ploy_write_i64(writer, problem->bucket);
    ploy_write_char(writer, '\t');
    ploy_write_text(writer, problem->map);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        ploy_write_char(writer, '\t');
        ploy_write_i64(writer, numbers[i]);
    }
    ploy_write_char(writer, '\t');
    ploy_write_f64(writer, problem->length);
    ploy_write_char(writer, '\n');
    return ploy_writer_result(writer);
}
