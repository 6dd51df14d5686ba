// ploy tactics influence | visibility | flood.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/tactics_read.h"
#include "ploy/base/number.h"
#include "ploy/tactics/flood.h"
#include "ploy/tactics/sight_map.h"

typedef struct tactics_map {
    ploy_env env;
    const char *map, *size, *rows, *csv, *png, *drop, *metric, *radius, *threshold, *from;
    bool json, nearest, straight, overlapping;
    ploy_tiles *tiles;
    ploy_array units;
    ploy_influence *influence;
    char names[PLOY_INFLUENCE_SIDES][TACTICS_NAME]; // of sides, in the order of the file
    int32_t sides;
} tactics_map;

static void tactics_map_close(tactics_map *m) {
    ploy_influence_destroy(m->influence);
    ploy_array_fini(&m->units);
    ploy_tiles_destroy(m->tiles);
}

static const tactics_row *tactics_unit(const tactics_map *m, int32_t i) {
    return PLOY_ARRAY_AT(&m->units, tactics_row, i);
}

// How strength falls, from the options.
static int tactics_type(const tactics_map *m, ploy_influence_type *type) {
    static const char *const drops[] = {"inverse", "root", "square", "linear"};
    static const char *const metrics[] = {"euclid", "manhattan", "chebyshev"};
    int32_t drop = 0, metric = 0;
    *type = ploy_influence_type_default();
    int status = tactics_parse_word("--drop", m->drop, drops, 4, &drop);
    if (status < 0) status = tactics_parse_word("--metric", m->metric, metrics, 3, &metric);
    if (status < 0) status = tactics_parse_number("--radius", m->radius, 0.0f, &type->radius);
    if (status < 0) {
        status = tactics_parse_number("--threshold", m->threshold, 0.0f, &type->threshold);
    }
    type->drop = (ploy_influence_drop)drop; // linear is a ramp without plateau
    type->metric = (ploy_influence_metric)metric;
    if (status < 0 && type->drop == PLOY_INFLUENCE_RAMP) {
        if (!(type->radius > 0.0f && type->radius < INFINITY)) {
            return cli_error("--drop linear needs a --radius above 0", NULL);
        }
        type->range = type->radius;
    }
    return status;
}

// Writes what was printed to the buffer, unless it did not fit.
static int tactics_write_csv(const char *path, const ploy_writer *out, const ploy_buffer *buffer) {
    ploy_result result = ploy_writer_result(out);
    if (result != PLOY_OK) return cli_error_result(path, result);
    return cli_write_file(path, buffer) ? -1 : CLI_USAGE;
}

static void tactics_put(ploy_writer *out, const char *before, float value) {
    ploy_write_text(out, before);
    ploy_write_f32(out, value);
}

// ---- influence

static int32_t tactics_side(tactics_map *m, const char *name) {
    for (int32_t i = 0; i < m->sides; i++) {
        if (strcmp(m->names[i], name) == 0) return i;
    }
    if (m->sides == PLOY_INFLUENCE_SIDES) return -1;
    memcpy(m->names[m->sides], name, strlen(name) + 1);
    return m->sides++;
}

static int tactics_influence_fill(tactics_map *m) {
    ploy_influence_type type;
    int status = tactics_type(m, &type);
    if (status >= 0) return status;
    double most = 1.0;
    for (int32_t i = 0; i < m->units.count; i++) {
        if (tactics_side(m, tactics_unit(m, i)->name) < 0) {
            return cli_error("too many sides; the limit is 32", NULL);
        }
        most += (double)tactics_unit(m, i)->strength;
    }
    ploy_influence_def def = ploy_influence_def_default();
    def.sides = m->sides;
    def.capacity = m->units.count;
    def.most = (float)most;
    ploy_places places = ploy_places_tiles(m->tiles);
    ploy_result result = ploy_influence_create(&def, &places, &m->env, &m->influence);
    if (result == PLOY_OK) result = ploy_influence_add_type(m->influence, &type, NULL);
    for (int32_t i = 0; i < m->units.count && result == PLOY_OK; i++) {
        const tactics_row *row = tactics_unit(m, i);
        result = ploy_influence_add(m->influence, tactics_side(m, row->name), 0,
                                    ploy_tiles_cell(m->tiles, row->x, row->y), row->strength, NULL);
    }
    // Walls have no owner.
    for (int32_t i = 0; i < places.count && result == PLOY_OK; i++) {
        if (!places.open(&places, i)) result = ploy_influence_set_known(m->influence, i, false);
    }
    return result == PLOY_OK ? -1 : cli_error_result("influence", result);
}

static int32_t tactics_owned(const tactics_map *m, int32_t side) {
    int32_t count = 0;
    for (int32_t i = 0; i < ploy_influence_places(m->influence)->count; i++) {
        count += ploy_influence_owner(m->influence, i) == side;
    }
    return count;
}

static void tactics_influence_json(const tactics_map *m) {
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    for (int32_t key = 0; key < 3; key++) {
        static const char *const keys[] = {"owned", "border", "weakest"};
        ploy_json_write_key(&json, keys[key]);
        ploy_json_write_begin_object(&json);
        for (int32_t side = 0; side < m->sides; side++) {
            int32_t weakest = ploy_influence_weakest(m->influence, side);
            int32_t width = ploy_tiles_width(m->tiles);
            ploy_json_write_key(&json, m->names[side]);
            if (key == 0) {
                ploy_json_write_i64(&json, tactics_owned(m, side));
            } else if (key == 1) {
                ploy_json_write_i64(&json, ploy_influence_border(m->influence, side, NULL, 0));
            } else if (weakest == PLOY_PLACE_NONE) {
                ploy_json_write_null(&json);
            } else {
                ploy_json_write_begin_array(&json);
                ploy_json_write_i64(&json, weakest % width);
                ploy_json_write_i64(&json, weakest / width);
                ploy_json_write_f32(&json, ploy_influence_security(m->influence, weakest));
                ploy_json_write_end_array(&json);
            }
        }
        ploy_json_write_end_object(&json);
    }
    ploy_json_write_end_object(&json);
    (void)ploy_json_writer_finish(&json);
    putchar('\n');
}

static void tactics_influence_text(const tactics_map *m) {
    int32_t width = ploy_tiles_width(m->tiles);
    for (int32_t side = 0; side < m->sides; side++) {
        int32_t weakest = ploy_influence_weakest(m->influence, side);
        printf("%s: %d cells, border %d", m->names[side], tactics_owned(m, side),
               ploy_influence_border(m->influence, side, NULL, 0));
        if (weakest != PLOY_PLACE_NONE) {
            printf(", weakest at %d,%d with %.4f", weakest % width, weakest / width,
                   (double)ploy_influence_security(m->influence, weakest));
        }
        putchar('\n');
    }
}

static int tactics_influence_csv(const tactics_map *m) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, TACTICS_BYTES_MAX, &m->env);
    ploy_writer out = ploy_buffer_writer(&buffer);
    ploy_write_text(&out, "x,y,owner,security\n");
    int32_t width = ploy_tiles_width(m->tiles);
    for (int32_t i = 0; i < ploy_influence_places(m->influence)->count; i++) {
        int32_t owner = ploy_influence_owner(m->influence, i);
        float security = ploy_influence_security(m->influence, i);
        if (isnan(security)) continue; // a wall
        ploy_write_i64(&out, i % width);
        ploy_write_char(&out, ',');
        ploy_write_i64(&out, i / width);
        ploy_write_char(&out, ',');
        ploy_write_text(&out, owner >= 0 ? m->names[owner] : "");
        tactics_put(&out, ",", security);
        ploy_write_char(&out, '\n');
    }
    int status = tactics_write_csv(m->csv, &out, &buffer);
    ploy_buffer_fini(&buffer);
    return status;
}

static void tactics_draw(const void *subject, ploy_draw *out) {
    const tactics_map *m = subject;
    ploy_influence_draw(m->influence, out);
    ploy_tiles_draw(m->tiles, out);
}

static int tactics_influence_run(tactics_map *m) {
    if (m->rows == NULL) return cli_error("influence needs --units", NULL);
    int status = tactics_read_tiles(m->map, m->size, &m->env, &m->tiles);
    if (status < 0) {
        status = tactics_read_rows(m->rows, "side,x,y,strength", ploy_tiles_width(m->tiles),
                                   ploy_tiles_height(m->tiles), &m->env, &m->units);
    }
    if (status < 0) status = tactics_influence_fill(m);
    if (status < 0 && m->csv != NULL) status = tactics_influence_csv(m);
    if (status < 0 && m->png != NULL) {
        ploy_box2 box = cli_drawn_box(tactics_draw, m);
        float view[4] = {box.min.x, box.min.y, box.max.x, box.max.y};
        cli_picture picture = {view, 800, tactics_draw, m};
        status = cli_write_png(m->png, &picture, &m->env);
    }
    if (status >= 0) return status;
    if (m->json) {
        tactics_influence_json(m);
    } else {
        tactics_influence_text(m);
    }
    return CLI_OK;
}

int tactics_influence(const cli_group *group, int32_t which, int argc, char **argv) {
    tactics_map m;
    memset(&m, 0, sizeof m);
    m.env = cli_env();
    ploy_array_init(&m.units, sizeof(tactics_row), &m.env);
    const cli_option options[] = {
        {"--map", CLI_TEXT, &m.map, "M.map", "map in the format of MovingAI; walls have no owner"},
        {"--size", CLI_TEXT, &m.size, "WxH", "an empty map instead"},
        {"--units", CLI_TEXT, &m.rows, "F.csv", "units: side,x,y,strength"},
        {"--drop", CLI_TEXT, &m.drop, "D", "inverse (default), root, square or linear"},
        {"--metric", CLI_TEXT, &m.metric, "M", "euclid (default), manhattan or chebyshev"},
        {"--radius", CLI_TEXT, &m.radius, "R", "largest distance of influence, cells"},
        {"--threshold", CLI_TEXT, &m.threshold, "T", "influence below it is cut"},
        {"--csv", CLI_TEXT, &m.csv, "OUT", "write x,y,owner,security"},
        {"--png", CLI_TEXT, &m.png, "P", "write a picture"},
        {"--json", CLI_FLAG, &m.json, NULL, "print JSON"},
    };
    int status = cli_parse_command(group, which, options, sizeof options / sizeof options[0], argc,
                                   argv, NULL);
    if (status < 0) status = tactics_influence_run(&m);
    tactics_map_close(&m);
    return status;
}

// ---- visibility

static int tactics_parse_cell(const tactics_map *m, int32_t *out) {
    int64_t x = -1, y = -1;
    size_t used = 0, rest = 0, size = strlen(m->from);
    bool good = ploy_parse_i64(m->from, size, &used, &x) == PLOY_OK && m->from[used] == ',' &&
                ploy_parse_i64(m->from + used + 1, size - used - 1, &rest, &y) == PLOY_OK &&
                used + 1 + rest == size && x >= 0 && y >= 0 && x < ploy_tiles_width(m->tiles) &&
                y < ploy_tiles_height(m->tiles);
    if (!good) return cli_error("--from expects x,y inside the map, and not", m->from);
    *out = ploy_tiles_cell(m->tiles, (int32_t)x, (int32_t)y);
    if (!ploy_tiles_passable(m->tiles, *out)) return cli_error("cell is not open:", m->from);
    return -1;
}

static void tactics_sight_line(ploy_writer *out, int32_t place, int32_t width, int64_t value) {
    ploy_write_i64(out, place % width);
    ploy_write_char(out, ',');
    ploy_write_i64(out, place / width);
    ploy_write_char(out, ',');
    ploy_write_i64(out, value);
    ploy_write_char(out, '\n');
}

// All cells, or what one of them sees.
static int tactics_sight_report(tactics_map *m, ploy_sight_map *sight) {
    ploy_places places = ploy_places_tiles(m->tiles);
    ploy_buffer buffer;
    int32_t from = PLOY_PLACE_NONE, best = PLOY_PLACE_NONE, open = 0;
    int64_t most = -1, sum = 0, seen_count = 0;
    int status = m->from != NULL ? tactics_parse_cell(m, &from) : -1;
    if (status >= 0) return status;
    uint8_t *seen = malloc((size_t)places.count);
    if (seen == NULL) return cli_error_result("visibility", PLOY_ERR_MEMORY);
    ploy_buffer_init(&buffer, TACTICS_BYTES_MAX, &m->env);
    ploy_writer out = ploy_buffer_writer(&buffer);
    ploy_write_text(&out, "x,y,seen\n");
    if (from != PLOY_PLACE_NONE) seen_count = ploy_sight_map_mark(sight, from, seen);
    cli_progress progress =
        cli_progress_begin("cells", (uint64_t)places.count, from == PLOY_PLACE_NONE);
    for (int32_t i = 0; i < places.count; i++) {
        if (!places.open(&places, i)) continue;
        cli_progress_step(&progress, (uint64_t)i);
        int64_t value = from != PLOY_PLACE_NONE ? seen[i] : (int64_t)ploy_sight_map_at(sight, i);
        open++;
        sum += value;
        if (value > most) most = value, best = i;
        if (m->csv != NULL) tactics_sight_line(&out, i, places.width, value);
    }
    cli_progress_end(&progress);
    if (m->csv != NULL) status = tactics_write_csv(m->csv, &out, &buffer);
    ploy_buffer_fini(&buffer);
    free(seen);
    if (status >= 0) return status;
    double mean = open > 0 ? (double)sum / open : 0.0;
    int32_t width = places.width;
    if (from != PLOY_PLACE_NONE) {
        printf(m->json ? "{\"from\":[%d,%d],\"seen\":%lld,\"open\":%d}\n"
                       : "%d,%d sees %lld of %d open cells\n",
               from % width, from / width, (long long)seen_count, open);
    } else if (best == PLOY_PLACE_NONE) {
        printf(m->json ? "{\"open\":0}\n" : "no open cells\n");
    } else {
        printf(m->json ? "{\"open\":%d,\"mean\":%.6g,\"most\":[%d,%d,%lld],\"total\":%lld}\n"
                       : "%d open cells see %.6g others on average, most from %d,%d: %lld (total "
                         "%lld)\n",
               open, mean, best % width, best / width, (long long)most, (long long)sum);
    }
    return CLI_OK;
}

int tactics_visibility(const cli_group *group, int32_t which, int argc, char **argv) {
    tactics_map m;
    memset(&m, 0, sizeof m);
    m.env = cli_env();
    ploy_array_init(&m.units, sizeof(tactics_row), &m.env);
    ploy_sight_map_def def = ploy_sight_map_def_default();
    ploy_sight_map *sight = NULL;
    const cli_option options[] = {
        {"--map", CLI_TEXT, &m.map, "M.map", "map in the format of MovingAI"},
        {"--size", CLI_TEXT, &m.size, "WxH", "an empty map instead"},
        {"--from", CLI_TEXT, &m.from, "x,y", "only what this cell sees"},
        {"--radius", CLI_TEXT, &m.radius, "R", "how far cells see, in cells"},
        {"--csv", CLI_TEXT, &m.csv, "OUT", "write x,y,seen"},
        {"--json", CLI_FLAG, &m.json, NULL, "print JSON"},
    };
    int status = cli_parse_command(group, which, options, sizeof options / sizeof options[0], argc,
                                   argv, NULL);
    if (status < 0) status = tactics_read_tiles(m.map, m.size, &m.env, &m.tiles);
    if (status < 0) status = tactics_parse_number("--radius", m.radius, 0.0f, &def.radius);
    if (status < 0) {
        ploy_places places = ploy_places_tiles(m.tiles);
        ploy_result result = ploy_sight_map_create(&def, &places, &m.env, &sight);
        status = result == PLOY_OK ? tactics_sight_report(&m, sight)
                                   : cli_error_result("visibility", result);
    }
    ploy_sight_map_destroy(sight);
    tactics_map_close(&m);
    return status;
}

// ---- flood

static int tactics_flood_csv(const tactics_map *m, const ploy_flood *flood) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, TACTICS_BYTES_MAX, &m->env);
    ploy_writer out = ploy_buffer_writer(&buffer);
    int32_t width = ploy_tiles_width(m->tiles);
    ploy_write_text(&out, "x,y,city,strength\n");
    for (int32_t i = 0; i < width * ploy_tiles_height(m->tiles); i++) {
        int32_t owner = ploy_flood_owner(flood, i);
        if (owner < 0) continue;
        ploy_write_i64(&out, i % width);
        ploy_write_char(&out, ',');
        ploy_write_i64(&out, i / width);
        ploy_write_char(&out, ',');
        ploy_write_text(&out, tactics_unit(m, owner)->name);
        tactics_put(&out, ",", ploy_flood_value(flood, i));
        ploy_write_char(&out, '\n');
    }
    int status = tactics_write_csv(m->csv, &out, &buffer);
    ploy_buffer_fini(&buffer);
    return status;
}

static void tactics_flood_print(const tactics_map *m, const ploy_flood *flood) {
    int32_t none = 0, count = ploy_tiles_width(m->tiles) * ploy_tiles_height(m->tiles);
    for (int32_t i = 0; i < count; i++) {
        none += ploy_tiles_passable(m->tiles, i) && ploy_flood_owner(flood, i) < 0;
    }
    if (!m->json) {
        for (int32_t i = 0; i < m->units.count; i++) {
            printf("%s: %d cells\n", tactics_unit(m, i)->name, ploy_flood_count(flood, i));
        }
        printf("without owner: %d cells\n", none);
        return;
    }
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "cells");
    ploy_json_write_begin_object(&json);
    for (int32_t i = 0; i < m->units.count; i++) {
        ploy_json_write_key(&json, tactics_unit(m, i)->name);
        ploy_json_write_i64(&json, ploy_flood_count(flood, i));
    }
    ploy_json_write_end_object(&json);
    ploy_json_write_key(&json, "without_owner");
    ploy_json_write_i64(&json, none);
    ploy_json_write_key(&json, "cut");
    ploy_json_write_i64(&json, ploy_flood_cut(flood));
    ploy_json_write_end_object(&json);
    (void)ploy_json_writer_finish(&json);
    putchar('\n');
}

static ploy_result tactics_flood_slice(void *self, ploy_budget *budget) {
    return ploy_flood_step(self, budget);
}

static int tactics_flood_run(tactics_map *m) {
    ploy_flood_def def = ploy_flood_def_default();
    if (m->rows == NULL) return cli_error("flood needs --cities", NULL);
    int status = tactics_read_tiles(m->map, m->size, &m->env, &m->tiles);
    if (status < 0) {
        status = tactics_read_rows(m->rows, "name,x,y,strength", ploy_tiles_width(m->tiles),
                                   ploy_tiles_height(m->tiles), &m->env, &m->units);
    }
    if (status < 0) status = tactics_check_names(m->rows, &m->units);
    if (status < 0) status = tactics_type(m, &def.type);
    if (status >= 0) return status;
    def.nearest = m->nearest;
    def.contiguous = !m->overlapping;
    def.measure = m->straight ? PLOY_FLOOD_STRAIGHT : PLOY_FLOOD_PATH;
    ploy_places places = ploy_places_tiles(m->tiles);
    ploy_tiles_walker walker = ploy_tiles_walker_make(m->tiles, NULL);
    ploy_space space = ploy_tiles_space(&walker);
    ploy_flood *flood = NULL;
    ploy_flood_source *sources = malloc((size_t)m->units.count * sizeof *sources);
    ploy_result result = sources == NULL ? PLOY_ERR_MEMORY : PLOY_OK;
    if (result == PLOY_OK) result = ploy_flood_create(&def, &places, &space, &m->env, &flood);
    for (int32_t i = 0; i < m->units.count && result == PLOY_OK; i++) {
        const tactics_row *row = tactics_unit(m, i);
        sources[i].place = ploy_tiles_cell(m->tiles, row->x, row->y);
        sources[i].strength = row->strength;
    }
    if (result == PLOY_OK) result = ploy_flood_begin(flood, sources, m->units.count);
    // A unit is a cell that is taken; where territories overlap, each city may take every cell.
    uint64_t most = (uint64_t)places.count * (m->overlapping ? (uint64_t)m->units.count : 1);
    cli_work work = {tactics_flood_slice, flood, NULL, most};
    if (result == PLOY_OK) result = cli_work_run("flooding", &work, true);
    if (result != PLOY_OK) status = cli_error_result("flood", result);
    if (status < 0 && m->csv != NULL) status = tactics_flood_csv(m, flood);
    if (status < 0) {
        tactics_flood_print(m, flood);
        status = CLI_OK;
    }
    ploy_flood_destroy(flood);
    free(sources);
    return status;
}

int tactics_flood(const cli_group *group, int32_t which, int argc, char **argv) {
    tactics_map m;
    memset(&m, 0, sizeof m);
    m.env = cli_env();
    ploy_array_init(&m.units, sizeof(tactics_row), &m.env);
    const cli_option options[] = {
        {"--map", CLI_TEXT, &m.map, "M.map", "map in the format of MovingAI"},
        {"--size", CLI_TEXT, &m.size, "WxH", "an empty map instead"},
        {"--cities", CLI_TEXT, &m.rows, "F.csv", "cities: name,x,y,strength"},
        {"--threshold", CLI_TEXT, &m.threshold, "T", "a territory ends where strength is below"},
        {"--drop", CLI_TEXT, &m.drop, "D", "inverse (default), root, square or linear"},
        {"--radius", CLI_TEXT, &m.radius, "R", "largest distance, cells"},
        {"--nearest", CLI_FLAG, &m.nearest, NULL, "the nearest city owns a cell"},
        {"--straight", CLI_FLAG, &m.straight, NULL, "distances are straight lines, not paths"},
        {"--overlapping", CLI_FLAG, &m.overlapping, NULL,
         "a strong city reaches past a weak one: territories need not be connected"},
        {"--csv", CLI_TEXT, &m.csv, "OUT", "write x,y,city,strength"},
        {"--json", CLI_FLAG, &m.json, NULL, "print JSON"},
    };
    int status = cli_parse_command(group, which, options, sizeof options / sizeof options[0], argc,
                                   argv, NULL);
    if (status < 0) status = tactics_flood_run(&m);
    tactics_map_close(&m);
    return status;
}
