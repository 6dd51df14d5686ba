// ploy level build|check|draw|info: levels for games, from a designer's text to one block.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "ploy/base/os.h"
#include "ploy/data/level_build.h"
#include "ploy/data/level_obj.h"

enum { LEVEL_BYTES_MAX = 1 << 28 };
enum { LEVEL_BUILD, LEVEL_CHECK, LEVEL_DRAW, LEVEL_INFO, LEVEL_COMMANDS };

typedef struct level_run {
    ploy_env env;
    ploy_diags *diags;
    const char *path, *out, *overrides_path, *tags, *svg, *png;
    cli_texts sets;
    int64_t width, nodes;
    bool json, mesh;
    ploy_level_def def;
    ploy_buffer source; // the file
    bool is_text;
    ploy_buffer bytes; // the block
    ploy_level level;
    ploy_level_overrides *overrides;
    ploy_level_build *build;
} level_run;

static bool level_ends(const char *path, const char *end) {
    size_t size = strlen(path), length = strlen(end);
    return size >= length && strcmp(path + size - length, end) == 0;
}

static int level_fault(level_run *run, const char *path, ploy_result result) {
    if (ploy_diags_total(run->diags, PLOY_SEVERITY_ERROR) > 0) return cli_error_diags(run->diags);
    return cli_error_result(path, result);
}

// ---- reading

static int level_read_obj(level_run *run) {
    ploy_buffer tags;
    ploy_buffer_init(&tags, 0, &run->env);
    ploy_level_builder *builder = NULL;
    ploy_writer writer = ploy_buffer_writer(&run->bytes);
    if (run->tags != NULL) {
        ploy_result read = ploy_os_read_file(run->tags, LEVEL_BYTES_MAX, &run->env, &tags);
        if (read != PLOY_OK) return cli_error_read(run->tags, read);
    }
    ploy_result result = ploy_level_builder_create(&run->env, &builder);
    if (result == PLOY_OK) {
        result = ploy_level_obj_load(run->source.bytes, run->source.size, run->path, tags.bytes,
                                     tags.size, run->tags, &run->env, run->diags, builder);
    }
    if (result == PLOY_OK) result = ploy_level_builder_save(builder, &writer);
    if (result == PLOY_OK) result = ploy_level_open(run->bytes.bytes, run->bytes.size, &run->level);
    ploy_level_builder_destroy(builder);
    ploy_buffer_fini(&tags);
    return result == PLOY_OK ? -1 : level_fault(run, run->path, result);
}

// The level: text, a block, or OBJ by its name.
static int level_read(level_run *run) {
    ploy_result result = ploy_os_read_file(run->path, LEVEL_BYTES_MAX, &run->env, &run->source);
    if (result != PLOY_OK) return cli_error_read(run->path, result);
    if (level_ends(run->path, ".obj")) return level_read_obj(run);
    bool block = run->source.size >= 8 && memcmp(run->source.bytes, "PLOYLVL\n", 8) == 0;
    if (block) {
        result = ploy_level_open(run->source.bytes, run->source.size, &run->level);
        return result == PLOY_OK ? -1 : cli_error_result(run->path, result);
    }
    run->is_text = true;
    result = ploy_level_from_text(ploy_buffer_text(&run->source), run->source.size, run->path,
                                  &run->env, run->diags, &run->bytes, &run->level);
    return result == PLOY_OK ? -1 : level_fault(run, run->path, result);
}

static int level_read_overrides(level_run *run) {
    ploy_buffer text;
    if (run->overrides_path == NULL) return -1;
    ploy_result result = ploy_os_read_file(run->overrides_path, LEVEL_BYTES_MAX, &run->env, &text);
    if (result != PLOY_OK) return cli_error_read(run->overrides_path, result);
    result = ploy_level_overrides_load(ploy_buffer_text(&text), text.size, run->overrides_path,
                                       &run->env, run->diags, &run->overrides);
    ploy_buffer_fini(&text);
    return result == PLOY_OK ? -1 : level_fault(run, run->overrides_path, result);
}

static ploy_result level_slice(void *self, ploy_budget *budget) {
    ploy_budget one = ploy_budget_units(1); // a stage is long: the bar moves after each
    if (budget == NULL) return ploy_level_build_step(self, NULL);
    (void)ploy_budget_spend(budget, 1);
    return ploy_level_build_step(self, &one);
}

static int level_make(level_run *run) {
    int status = cli_load_fields(ploy_level_fields(), &run->def, NULL, &run->sets, &run->env);
    if (status < 0) status = level_read(run);
    if (status < 0) status = level_read_overrides(run);
    if (status >= 0) return status;
    ploy_result result =
        ploy_level_build_begin(&run->def, &run->level, run->overrides, &run->env, &run->build);
    cli_work work = {level_slice, run->build, NULL, PLOY_LEVEL_BUILD_STAGES};
    if (result == PLOY_OK) result = cli_work_run("stages", &work, true);
    if (result == PLOY_ERR_LIMIT) {
        return cli_error("too many nodes (raise the limit with --set limit=N)", NULL);
    }
    return result == PLOY_OK ? -1 : cli_error_result(run->path, result);
}

// ---- printing

typedef struct level_number {
    const char *name;
    double value;
} level_number;

enum { LEVEL_NUMBERS = 21 };

static void level_numbers(const level_run *run, level_number out[LEVEL_NUMBERS]) {
    ploy_level_stats s = ploy_level_build_stats(run->build);
    const level_number numbers[LEVEL_NUMBERS] = {{"objects", s.objects},
                                                 {"walls", s.walls},
                                                 {"doors", s.doors},
                                                 {"items", s.items},
                                                 {"spawns", s.spawns},
                                                 {"triggers", s.triggers},
                                                 {"offers", s.offers},
                                                 {"obstacles", s.obstacles},
                                                 {"nodes", s.nodes},
                                                 {"edges", s.edges},
                                                 {"parts", s.parts},
                                                 {"polygons", s.polygons},
                                                 {"area", (double)s.area},
                                                 {"points", s.points},
                                                 {"spheres", s.spheres},
                                                 {"gaps_closed", s.gaps_closed},
                                                 {"gaps_opened", s.gaps_opened},
                                                 {"overrides", s.overrides},
                                                 {"stale", s.stale},
                                                 {"errors", s.errors},
                                                 {"warnings", s.warnings}};
    memcpy(out, numbers, sizeof numbers);
}

static int32_t level_line_of(const level_run *run, const ploy_level_issue *issue) {
    if (issue->line > 0 || issue->object < 0 || !run->is_text) return issue->line;
    return ploy_level_text_line(ploy_buffer_text(&run->source), run->source.size, issue->object);
}

static void level_print_json(const level_run *run, bool issues) {
    level_number numbers[LEVEL_NUMBERS];
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    level_numbers(run, numbers);
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    for (int32_t i = 0; i < LEVEL_NUMBERS; i++) {
        ploy_json_write_key(&json, numbers[i].name);
        ploy_json_write_f64(&json, numbers[i].value);
    }
    if (issues) {
        ploy_json_write_key(&json, "issues");
        ploy_json_write_begin_array(&json);
        for (int32_t i = 0; i < ploy_level_build_issues(run->build); i++) {
            const ploy_level_issue *issue = ploy_level_build_issue(run->build, i);
            ploy_json_write_begin_object(&json);
            ploy_json_write_key(&json, "severity");
            ploy_json_write_text(&json,
                                 issue->severity == PLOY_SEVERITY_ERROR ? "error" : "warning");
            ploy_json_write_key(&json, "kind");
            ploy_json_write_text(&json, ploy_level_issue_kind_text(issue->kind));
            ploy_json_write_key(&json, "line");
            ploy_json_write_i64(&json, level_line_of(run, issue));
            ploy_json_write_key(&json, "x");
            ploy_json_write_f32(&json, issue->position.x);
            ploy_json_write_key(&json, "y");
            ploy_json_write_f32(&json, issue->position.y);
            ploy_json_write_key(&json, "size");
            ploy_json_write_f32(&json, issue->size);
            ploy_json_write_key(&json, "text");
            ploy_json_write_text(&json, issue->text);
            ploy_json_write_end_object(&json);
        }
        ploy_json_write_end_array(&json);
    }
    ploy_json_write_end_object(&json);
    (void)ploy_json_writer_finish(&json);
    putchar('\n');
}

static void level_print_issues(const level_run *run) {
    for (int32_t i = 0; i < ploy_level_build_issues(run->build); i++) {
        const ploy_level_issue *issue = ploy_level_build_issue(run->build, i);
        const char *file = issue->line > 0 ? run->overrides_path : run->path;
        int32_t line = level_line_of(run, issue);
        printf("%s:", file);
        if (line > 0) printf("%d:", (int)line);
        printf(" %s: %s at %g %g", issue->severity == PLOY_SEVERITY_ERROR ? "error" : "warning",
               issue->text, (double)issue->position.x, (double)issue->position.y);
        if (issue->size > 0.0f) printf(" (%g)", (double)issue->size);
        putchar('\n');
    }
}

// ---- the commands

static int level_build(level_run *run) {
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, &run->env);
    ploy_writer writer = ploy_buffer_writer(&bytes);
    ploy_result result = ploy_level_build_save(run->build, &writer);
    int status = result == PLOY_OK ? -1 : cli_error_result(run->path, result);
    if (status < 0 && !cli_write_file(run->out, &bytes)) status = CLI_USAGE;
    size_t size = bytes.size;
    ploy_buffer_fini(&bytes);
    if (status >= 0) return status;
    ploy_level_stats stats = ploy_level_build_stats(run->build);
    if (run->json) {
        level_print_json(run, true);
    } else {
        level_print_issues(run);
        printf("%s: %d nodes, %d edges, %d polygons, %d points, %d spheres, %zu bytes\n", run->out,
               (int)stats.nodes, (int)stats.edges, (int)stats.polygons, (int)stats.points,
               (int)stats.spheres, size);
    }
    return stats.errors == 0 ? CLI_OK : CLI_NO;
}

static int level_check(level_run *run) {
    ploy_level_stats stats = ploy_level_build_stats(run->build);
    if (run->json) {
        level_print_json(run, true);
    } else {
        level_print_issues(run);
        printf("%d errors, %d warnings\n", (int)stats.errors, (int)stats.warnings);
    }
    return stats.errors == 0 ? CLI_OK : CLI_NO;
}

static int level_info(level_run *run) {
    level_number numbers[LEVEL_NUMBERS];
    if (run->json) {
        level_print_json(run, false);
        return CLI_OK;
    }
    level_numbers(run, numbers);
    for (int32_t i = 0; i < LEVEL_NUMBERS; i++) {
        printf("%-12s %g\n", numbers[i].name, numbers[i].value);
    }
    return CLI_OK;
}

static void level_picture(const void *subject, ploy_draw *out) {
    const level_run *run = subject;
    const ploy_navmesh *mesh = ploy_level_build_mesh(run->build);
    if (run->mesh && mesh != NULL) ploy_navmesh_draw(mesh, out);
    ploy_level_build_draw(run->build, run->nodes < 0 ? -1 : (int32_t)run->nodes, out);
}

static int level_draw(level_run *run) {
    ploy_box2 box = cli_drawn_box(level_picture, run);
    const float view[4] = {box.min.x, box.min.y, box.max.x, box.max.y};
    cli_picture picture = {view, run->width, level_picture, run};
    int status = run->svg == NULL ? -1 : cli_write_svg(run->svg, &picture, &run->env);
    if (status < 0 && run->png != NULL) status = cli_write_png(run->png, &picture, &run->env);
    if (status >= 0) return status;
    if (run->json) level_print_json(run, true);
    return CLI_OK;
}

int cmd_level(int argc, char **argv) {
    static const cli_command commands[LEVEL_COMMANDS] = {
        {"build", "IN -o OUT [--overrides F] [options]",
         "Builds a level (text, block, or OBJ with --tags) as one block with nodes, mesh,\n"
         "tactical points and spheres. Exit status 1 if a check found an error.",
         1, 1},
        {"check", "IN [--overrides F] [options]",
         "Checks a level and prints the issues. Exit status 1 if a check found an error.", 1, 1},
        {"draw", "IN (--svg F | --png F) [options]", "Draws a level with its nodes and points.", 1,
         1},
        {"info", "IN [options]", "Prints the size and contents of a level.", 1, 1},
    };
    static const cli_group group = {"level", "Builds, checks and draws levels.", commands,
                                    LEVEL_COMMANDS};
    level_run run;
    memset(&run, 0, sizeof run);
    run.width = 900;
    run.env = cli_env();
    run.def = ploy_level_def_default();
    int64_t nodes = -1;
    const cli_option options[] = {
        {"-o", CLI_TEXT, &run.out, "F", "the block to write (build)"},
        {"--overrides", CLI_TEXT, &run.overrides_path, "F", "file with the designer's changes"},
        {"--tags", CLI_TEXT, &run.tags, "F", "JSON file of objects for an OBJ file"},
        {"--set", CLI_MANY, &run.sets, "K=V", "a setting: radius, spacing, diagonal, ..."},
        {"--svg", CLI_TEXT, &run.svg, "F", "write a picture (draw)"},
        {"--png", CLI_TEXT, &run.png, "F", "write a picture (draw)"},
        {"--width", CLI_COUNT, &run.width, "N", "width of the picture in pixels (default 900)"},
        {"--nodes", CLI_COUNT, &nodes, "N", "draw the flood after this many nodes"},
        {"--mesh", CLI_FLAG, &run.mesh, NULL, "draw the navigation mesh too"},
        {"--json", CLI_FLAG, &run.json, NULL, "print one JSON object on one line"},
    };
    int status = CLI_OK;
    const char *word = NULL;
    int32_t command = cli_choose(&group, argc, argv, &status);
    if (command < 0) return status;
    status =
        cli_parse_command(&group, command, options, (int32_t)(sizeof options / sizeof options[0]),
                          argc - 1, argv + 1, &word);
    if (status >= 0) return status;
    run.path = word;
    run.nodes = nodes;
    if (command == LEVEL_BUILD && run.out == NULL) return cli_error("build expects -o OUT", NULL);
    if (command == LEVEL_DRAW && run.svg == NULL && run.png == NULL) {
        return cli_error("draw expects --svg F or --png F", NULL);
    }
    ploy_buffer_init(&run.bytes, 0, &run.env);
    ploy_buffer_init(&run.source, 0, &run.env);
    ploy_result result = ploy_diags_create(20, &run.env, &run.diags);
    status = result == PLOY_OK ? level_make(&run) : cli_error_result("level", result);
    if (status < 0) {
        int (*const verbs[LEVEL_COMMANDS])(level_run *) = {level_build, level_check, level_draw,
                                                           level_info};
        status = verbs[command](&run);
    }
    ploy_level_build_destroy(run.build);
    ploy_level_overrides_destroy(run.overrides);
    ploy_buffer_fini(&run.bytes);
    ploy_buffer_fini(&run.source);
    ploy_diags_destroy(run.diags);
    return status;
}
