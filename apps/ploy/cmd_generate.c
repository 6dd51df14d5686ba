// ploy generate list | NAME | --recipe F: content from a seed, as text, picture or file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/generate.h"
#include "ploy/base/name.h"
#include "ploy/base/os.h"
#include "ploy/inspect/sinks.h"

enum { SHEET_MAX = 100, RECIPE_BYTES_MAX = 1 << 20 };

typedef struct generate_options {
    uint64_t seed;
    cli_texts sets;
    const char *params, *recipe, *png, *svg, *tmx, *map, *obj;
    bool json, hash, why, settings;
    int64_t sheet, batch, width;
} generate_options;

// ---- list

static void write_kinds(ploy_json_writer *json, const char *key, uint32_t kinds) {
    ploy_json_write_key(json, key);
    ploy_json_write_begin_array(json);
    for (uint32_t kind = 1; kind < 1u << PLOY_CONTENT_KINDS; kind <<= 1) {
        if ((kinds & kind) == 0) continue;
        ploy_json_write_text(json, ploy_content_kind_text((ploy_content_kind)kind));
    }
    ploy_json_write_end_array(json);
}

static int list_generators(bool as_json) {
    for (int32_t i = 0; ploy_generators_at(i) != NULL; i++) {
        const ploy_generator_type *type = ploy_generators_at(i);
        if (!as_json) {
            char makes[80] = "";
            for (uint32_t kind = 1; kind < 1u << PLOY_CONTENT_KINDS; kind <<= 1) {
                if ((type->makes & kind) == 0) continue;
                size_t used = strlen(makes);
                snprintf(makes + used, sizeof makes - used, "%s%s", used > 0 ? " " : "",
                         ploy_content_kind_text((ploy_content_kind)kind));
            }
            printf("%-14s %-10s %s\n", type->name, makes, type->help);
            continue;
        }
        ploy_writer out = cli_stream_writer(stdout);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &out, 0);
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "name");
        ploy_json_write_text(&json, type->name);
        ploy_json_write_key(&json, "help");
        ploy_json_write_text(&json, type->help);
        ploy_json_write_key(&json, "unit");
        ploy_json_write_text(&json, type->unit);
        write_kinds(&json, "takes", type->takes);
        write_kinds(&json, "uses", type->uses);
        write_kinds(&json, "makes", type->makes);
        ploy_json_write_end_object(&json);
        (void)ploy_json_writer_finish(&json);
        putchar('\n');
    }
    return CLI_OK;
}

// ---- pictures

static void draw_subject(const void *subject, ploy_draw *out) {
    generate_draw(subject, out);
}

// Several subjects in a grid, each in a cell of the same size.
typedef struct generate_sheet {
    generate_subject *items;
    int32_t count, columns;
    ploy_box2 cell; // the largest picture
} generate_sheet;

typedef struct sheet_shift {
    ploy_draw *out;
    ploy_vec2 by;
    ploy_vec3 *points;
    int32_t room;
} sheet_shift;

static void shift_item(void *user, const ploy_draw_item *item) {
    sheet_shift *shift = user;
    if (item->count > shift->room) {
        ploy_vec3 *more = realloc(shift->points, (size_t)item->count * sizeof *more);
        if (more == NULL) return; // a picture without this item
        shift->points = more;
        shift->room = item->count;
    }
    for (int32_t i = 0; i < item->count; i++) {
        shift->points[i] = item->points[i];
        shift->points[i].x += shift->by.x;
        shift->points[i].y += shift->by.y;
    }
    ploy_draw_item moved = *item;
    moved.points = shift->points;
    ploy_draw_item_out(shift->out, &moved);
}

static void draw_sheet(const void *self, ploy_draw *out) {
    const generate_sheet *sheet = self;
    float wide = sheet->cell.max.x - sheet->cell.min.x,
          high = sheet->cell.max.y - sheet->cell.min.y;
    sheet_shift shift = {out, {0.0f, 0.0f}, NULL, 0};
    ploy_draw draw = {shift_item, &shift, out->layers};
    for (int32_t i = 0; i < sheet->count; i++) {
        // From the top left, as one reads.
        shift.by.x = (float)(i % sheet->columns) * wide;
        shift.by.y = -(float)(i / sheet->columns) * high;
        generate_draw(&sheet->items[i], &draw);
    }
    free(shift.points);
}

static int write_pictures(const generate_options *options, generate_subject *items, int32_t count,
                          const ploy_env *env) {
    generate_sheet sheet = {items, count, (int32_t)ceil(sqrt((double)count)), ploy_box2_empty()};
    for (int32_t i = 0; i < count; i++) {
        sheet.cell = ploy_box2_merge(sheet.cell, cli_drawn_box(draw_subject, &items[i]));
    }
    int32_t rows = (count + sheet.columns - 1) / sheet.columns;
    float high = sheet.cell.max.y - sheet.cell.min.y, wide = sheet.cell.max.x - sheet.cell.min.x;
    const float view[4] = {sheet.cell.min.x, sheet.cell.min.y - (float)(rows - 1) * high,
                           sheet.cell.min.x + (float)sheet.columns * wide, sheet.cell.max.y};
    cli_picture picture = {view, options->width, draw_sheet, &sheet};
    int status = -1;
    if (options->svg != NULL) status = cli_write_svg(options->svg, &picture, env);
    if (status < 0 && options->png != NULL) status = cli_write_png(options->png, &picture, env);
    return status;
}

// ---- one run

static void print_json(const generate_options *options, const generate_subject *subject) {
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_sink sink;
    ploy_json_sink_init(&sink, &out, false);
    ploy_describe describe = ploy_json_sink_describe(&sink);
    ploy_generate_outcome outcome = generate_outcome(subject);
    char hash[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)generate_hash(subject));
    ploy_describe_text(&describe, "name", PLOY_NOTE, generate_name(subject));
    ploy_describe_u64(&describe, "seed", PLOY_NOTE, options->seed);
    ploy_describe_text(&describe, "hash", PLOY_NOTE, hash);
    ploy_describe_bool(&describe, "partial", PLOY_NOTE, outcome.partial);
    ploy_describe_text(&describe, "limit", PLOY_NOTE, outcome.limit);
    generate_describe(subject, &describe);
    (void)ploy_json_sink_finish(&sink);
    putchar('\n');
}

static int run_error(const generate_subject *subject, ploy_result result) {
    if (result == PLOY_ERR_NOT_FOUND) {
        return cli_error("no generator makes the input alone; use --recipe with a stage before",
                         generate_name(subject));
    }
    return cli_error_result(generate_name(subject), result);
}

static void print_text(const generate_subject *subject) {
    ploy_writer out = cli_stream_writer(stdout);
    ploy_text_sink sink;
    ploy_text_sink_init(&sink, &out, true);
    ploy_describe describe = ploy_text_sink_describe(&sink);
    generate_describe(subject, &describe);
    (void)ploy_text_sink_finish(&sink);
}

static int run_once(const generate_options *options, generate_subject *subject,
                    const ploy_env *env) {
    ploy_writer out = cli_stream_writer(stdout);
    ploy_trace_text_sink sink;
    ploy_trace_text_sink_init(&sink, &out, ploy_agent_id_none());
    ploy_trace trace = ploy_trace_text_sink_trace(&sink);
    ploy_result result =
        generate_run(subject, options->seed, options->why ? &trace : NULL, !options->why, env);
    if (options->why && result == PLOY_OK) result = ploy_trace_text_sink_finish(&sink);
    if (result != PLOY_OK) return run_error(subject, result);
    if (options->hash) {
        printf("%016llx\n", (unsigned long long)generate_hash(subject));
    } else if (options->json) {
        print_json(options, subject);
    } else {
        print_text(subject);
    }
    int status = write_pictures(options, subject, 1, env);
    if (status < 0 && options->tmx != NULL) status = generate_write_tmx(subject, options->tmx, env);
    if (status < 0 && options->map != NULL) status = generate_write_map(subject, options->map, env);
    if (status < 0 && options->obj != NULL) status = generate_write_obj(subject, options->obj, env);
    if (status >= 0) return status;
    ploy_generate_outcome outcome = generate_outcome(subject);
    if (outcome.partial && !options->json && !options->hash) {
        fprintf(stderr, "ploy: %s: partial: the limit %s was reached\n", generate_name(subject),
                outcome.limit);
    }
    return outcome.partial ? CLI_NO : CLI_OK;
}

static int run_sheet(const generate_options *options, const generate_subject *subject,
                     const ploy_env *env) {
    if (options->png == NULL && options->svg == NULL) {
        return cli_error("--sheet needs --png or --svg", NULL);
    }
    if (options->sheet > SHEET_MAX) return cli_error("--sheet expects at most", "100");
    int32_t count = (int32_t)options->sheet, failed = 0;
    generate_subject *items = calloc((size_t)count, sizeof *items);
    if (items == NULL) return cli_error_result("--sheet", PLOY_ERR_MEMORY);
    int status = -1;
    cli_progress progress = cli_progress_begin("generating", (uint64_t)count, true);
    for (int32_t i = 0; i < count && status < 0; i++) {
        cli_progress_step(&progress, (uint64_t)i);
        items[i] = *subject;
        ploy_result result = generate_run(&items[i], options->seed + (uint64_t)i, NULL, false, env);
        if (result != PLOY_OK) status = run_error(subject, result);
        failed += generate_outcome(&items[i]).partial;
    }
    cli_progress_end(&progress);
    if (status < 0) status = write_pictures(options, items, count, env);
    for (int32_t i = 0; i < count; i++) generate_end(&items[i]);
    free(items);
    return status >= 0 ? status : failed == 0 ? CLI_OK : CLI_NO;
}

static int run_subject(const generate_options *options, generate_subject *subject,
                       const ploy_env *env) {
    if (options->batch > 0) {
        return generate_batch(subject, options->seed, options->batch, options->json, env);
    }
    if (options->sheet > 0) return run_sheet(options, subject, env);
    int status = run_once(options, subject, env);
    generate_end(subject);
    return status;
}

static int run_recipe(const generate_options *options, const ploy_env *env) {
    ploy_buffer bytes;
    ploy_diags *diags = NULL;
    ploy_recipe *recipe = NULL;
    ploy_result result = ploy_os_read_file(options->recipe, RECIPE_BYTES_MAX, env, &bytes);
    if (result != PLOY_OK) return cli_error_read(options->recipe, result);
    result = ploy_diags_create(32, env, &diags);
    if (result == PLOY_OK) {
        result = ploy_recipe_load(bytes.bytes, bytes.size, options->recipe, env, diags, &recipe);
    }
    ploy_buffer_fini(&bytes);
    int status;
    if (result == PLOY_OK) {
        generate_subject subject;
        memset(&subject, 0, sizeof subject);
        subject.recipe = recipe;
        status = run_subject(options, &subject, env);
    } else {
        status = diags != NULL && ploy_diags_count(diags) > 0
                     ? cli_error_diags(diags)
                     : cli_error_result(options->recipe, result);
    }
    ploy_recipe_destroy(recipe);
    ploy_diags_destroy(diags);
    return status;
}

static int run_named(const generate_options *options, const char *name, const ploy_env *env) {
    const ploy_generator_type *type = ploy_generators_find(name);
    if (type == NULL) {
        ploy_nearest nearest = ploy_nearest_make(name);
        for (int32_t i = 0; ploy_generators_at(i) != NULL; i++) {
            ploy_nearest_offer(&nearest, ploy_generators_at(i)->name);
        }
        return cli_error_unknown("unknown generator", name, nearest.best, "generate list");
    }
    if (options->settings) return cli_print_fields(name, type->fields(), options->json);
    void *def = calloc(1, type->fields().size);
    if (def == NULL) return cli_error_result(name, PLOY_ERR_MEMORY);
    int status = cli_load_fields(type->fields(), def, options->params, &options->sets, env);
    if (status < 0) {
        generate_subject subject;
        memset(&subject, 0, sizeof subject);
        subject.type = type;
        subject.def = def;
        status = run_subject(options, &subject, env);
    }
    free(def);
    return status;
}

int cmd_generate(int argc, char **argv) {
    generate_options o;
    memset(&o, 0, sizeof o);
    o.seed = 1;
    o.width = 800;
    o.sheet = o.batch = -1;
    const cli_option options[] = {
        {"--seed", CLI_U64, &o.seed, "S", "seed of the random numbers (default 1)"},
        {"--set", CLI_MANY, &o.sets, "K=V", "set a setting; may be repeated"},
        {"--params", CLI_TEXT, &o.params, "F", "read settings from a JSON file"},
        {"--parameters", CLI_FLAG, &o.settings, NULL,
         "list the settings and exit; with --json as a file for --params"},
        {"--recipe", CLI_TEXT, &o.recipe, "F", "run the stages of a recipe instead of NAME"},
        {"--png", CLI_TEXT, &o.png, "F", "write a picture as PNG"},
        {"--svg", CLI_TEXT, &o.svg, "F", "write a picture as SVG"},
        {"--width", CLI_COUNT, &o.width, "N", "width of the picture, pixels (default 800)"},
        {"--tmx", CLI_TEXT, &o.tmx, "F", "write a plan, tiles or points as a Tiled map"},
        {"--map", CLI_TEXT, &o.map, "F", "write a plan or tiles as a MovingAI map"},
        {"--obj", CLI_TEXT, &o.obj, "F", "write a plan, heights, a plant or a shape as OBJ"},
        {"--sheet", CLI_COUNT, &o.sheet, "N", "N seeds, from --seed on, in one picture"},
        {"--batch", CLI_COUNT, &o.batch, "N",
         "statistics over N seeds: made, failed by limit, attempts, microseconds"},
        {"--hash", CLI_FLAG, &o.hash, NULL, "print the hash of the result only"},
        {"--why", CLI_FLAG, &o.why, NULL, "print every choice and its reason"},
        {"--json", CLI_FLAG, &o.json, NULL, "print JSON"},
    };
    const cli_usage usage = {
        "generate",
        "list | NAME | --recipe F [options]",
        "Generates content from a seed and prints what was made. Exit status 1 if a limit was "
        "reached.",
        options,
        sizeof options / sizeof options[0],
        0,
        1,
    };
    const char *words[1] = {NULL};
    int status = cli_parse(&usage, argc, argv, words);
    if (status >= 0) return status;
    if (words[0] != NULL && strcmp(words[0], "list") == 0) return list_generators(o.json);
    if (words[0] != NULL && o.recipe != NULL) {
        return cli_error("expected a NAME or --recipe, and not both:", words[0]);
    }
    if (words[0] == NULL && o.recipe == NULL) {
        cli_print_usage(&usage, true);
        return CLI_USAGE;
    }
    if (o.sheet == 0 || o.batch == 0) {
        return cli_error("--sheet and --batch expect a number of seeds from 1, found", "0");
    }
    ploy_env env = cli_env();
    if (o.recipe != NULL) {
        if (o.sets.count > 0 || o.params != NULL || o.settings) {
            return cli_error("--set, --params and --parameters need a NAME; settings of a recipe "
                             "are in",
                             o.recipe);
        }
        return run_recipe(&o, &env);
    }
    return run_named(&o, words[0], &env);
}
