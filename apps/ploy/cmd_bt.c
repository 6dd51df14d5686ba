// ploy bt run | lint | draw | convert: behavior trees from files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "ploy/base/name.h"
#include "ploy/base/number.h"
#include "ploy/base/os.h"
#include "ploy/data/bt_file.h"
#include "ploy/inspect/sinks.h"

enum { BT_TESTS = 6, BT_LEAVES = BT_TESTS + 64, BT_ANSWERS = 256, BT_DIAGS = 200 };

// A leaf that answers as configured.
typedef struct bt_stand_in {
    char name[64];
    ploy_bt_leaf leaf;
    char answers[BT_ANSWERS]; // letters s, f, r, k; over again at the end
    int32_t count;
    int64_t runs; // answers RUNNING so often after each start; -1: see answers
    int64_t at;   // of answers, or of runs
    int64_t ticks;
} bt_stand_in;

// What every subcommand holds.
typedef struct bt_run {
    ploy_env env;
    ploy_diags *diags;
    ploy_bt_file *file;
    const ploy_bt *bt;
    ploy_bt_instance *instance;
    ploy_blackboard *board;
    ploy_semaphores *semaphores;
    const char *words[2];
    const char *tree, *dt, *png, *svg;
    cli_texts leaves, sets, constants;
    ploy_expression_constant constant_table[64];
    char constant_names[64][64];
    int64_t ticks, width;
    bool json, trace;
    bool doubts; // a leaf whose name is almost a node's is taken for a slip
    bt_stand_in *stand_ins;
    int32_t stand_in_count;
    ploy_bt_file_leaf table[BT_LEAVES];
    ploy_blackboard_key keys[64];
    char key_names[64][PLOY_BLACKBOARD_NAME_MAX + 1];
    int32_t key_count;
} bt_run;

// ---- leaves ----

static ploy_result stand_in_start(ploy_bt_call *call) {
    bt_stand_in *leaf = call->user;
    if (leaf->runs >= 0) leaf->at = 0;
    return PLOY_OK;
}

static ploy_result stand_in_step(ploy_bt_call *call, ploy_status *status) {
    bt_stand_in *leaf = call->user;
    leaf->ticks++;
    char answer = 's';
    if (leaf->runs >= 0) {
        if (leaf->at++ < leaf->runs) answer = 'r';
    } else if (leaf->count > 0) {
        answer = leaf->answers[leaf->at++ % leaf->count];
    }
    *status = answer == 's'   ? PLOY_STATUS_SUCCESS
              : answer == 'f' ? PLOY_STATUS_FAILURE
              : answer == 'r' ? PLOY_STATUS_RUNNING
                              : PLOY_STATUS_SKIPPED;
    return PLOY_OK;
}

static bt_stand_in *find_stand_in(bt_run *run, const char *name) {
    for (int32_t i = 0; i < run->stand_in_count; i++) {
        if (strcmp(run->stand_ins[i].name, name) == 0) return &run->stand_ins[i];
    }
    return NULL;
}

static bt_stand_in *add_stand_in(bt_run *run, const char *name) {
    bt_stand_in *leaf = find_stand_in(run, name);
    if (leaf != NULL) return leaf;
    leaf = &run->stand_ins[run->stand_in_count];
    snprintf(leaf->name, sizeof leaf->name, "%s", name);
    leaf->leaf.name = leaf->name;
    leaf->leaf.start = stand_in_start;
    leaf->leaf.step = stand_in_step;
    leaf->runs = -1;
    ploy_bt_file_leaf entry = {&leaf->leaf, leaf, true};
    run->table[run->stand_in_count++] = entry;
    return leaf;
}

// "success", "s,f,r", "running:3".
static bool read_answers(bt_stand_in *leaf, const char *text) {
    static const char *const names[] = {"success", "failure", "running", "skipped"};
    static const char letters[] = "sfrk";
    leaf->count = 0;
    leaf->runs = -1;
    if (strncmp(text, "running:", 8) == 0) {
        return ploy_parse_i64(text + 8, strlen(text + 8), NULL, &leaf->runs) == PLOY_OK &&
               leaf->runs >= 0;
    }
    while (true) {
        size_t size = strcspn(text, ",");
        int32_t found = -1;
        for (int32_t i = 0; i < 4; i++) {
            bool whole = strlen(names[i]) == size && strncmp(names[i], text, size) == 0;
            if (whole || (size == 1 && text[0] == letters[i])) found = i;
        }
        if (found < 0 || leaf->count == BT_ANSWERS) return false;
        leaf->answers[leaf->count++] = letters[found];
        if (text[size] == 0) return true;
        text += size + 1;
    }
}

// Splits "name=rest". NULL if there is no such thing or the name is too long.
static const char *split_word(const char *word, char *name, size_t size) {
    const char *sign = strchr(word, '=');
    if (sign == NULL || sign == word || (size_t)(sign - word) >= size) return NULL;
    snprintf(name, size, "%.*s", (int)(sign - word), word);
    return sign + 1;
}

// -1, or the exit status.
static int read_leaves(bt_run *run) {
    run->stand_ins = calloc(BT_LEAVES, sizeof *run->stand_ins);
    if (run->stand_ins == NULL) return cli_error_result("bt", PLOY_ERR_MEMORY);
    for (int32_t i = 0; i < BT_TESTS; i++) {
        char name[] = "TestA";
        name[4] = (char)('A' + i);
        add_stand_in(run, name);
    }
    for (int32_t i = 0; i < run->leaves.count; i++) {
        char name[sizeof run->stand_ins[0].name];
        const char *rest = split_word(run->leaves.items[i], name, sizeof name);
        if (rest == NULL || !read_answers(add_stand_in(run, name), rest)) {
            return cli_error("--leaf expects NAME=success|failure|running:N|s,f,r,..., found",
                             run->leaves.items[i]);
        }
    }
    for (int32_t i = 0; i < run->constants.count; i++) {
        const char *word = run->constants.items[i];
        ploy_expression_constant *constant = &run->constant_table[i];
        const char *text = split_word(word, run->constant_names[i], sizeof run->constant_names[i]);
        constant->name = run->constant_names[i];
        if (text == NULL || ploy_parse_f64(text, strlen(text), NULL, &constant->value) != PLOY_OK) {
            return cli_error("--constant expects NAME=NUMBER, found", word);
        }
    }
    for (int32_t i = 0; i < run->sets.count; i++) {
        ploy_blackboard_key *key = &run->keys[run->key_count];
        char *name = run->key_names[run->key_count];
        const char *text = split_word(run->sets.items[i], name, sizeof run->key_names[0]);
        double number = 0.0;
        if (text == NULL) return cli_error("--set expects KEY=VALUE, found", run->sets.items[i]);
        key->name = name;
        // Only for keys whose type the file leaves open; the value itself is set on the board.
        key->initial = ploy_value_text("");
        if (ploy_parse_f64(text, strlen(text), NULL, &number) == PLOY_OK ||
            strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
            key->initial = ploy_value_f64(0.0);
        }
        bool known = false; // set twice: the last one counts
        for (int32_t k = 0; k < run->key_count; k++) {
            known = known || strcmp(run->key_names[k], name) == 0;
        }
        if (!known) run->key_count++;
    }
    return -1;
}

// ---- files ----

static ploy_result read_include(void *user, const char *path, ploy_buffer *bytes) {
    bt_run *run = user;
    ploy_buffer file;
    ploy_result result = ploy_os_read_file(path, (size_t)1 << 28, &run->env, &file);
    if (result != PLOY_OK) return result;
    result = ploy_buffer_append(bytes, file.bytes, file.size);
    ploy_buffer_fini(&file);
    return result;
}

// What is not in the table is what a picture or a conversion need not know.
static ploy_result find_any(void *user, const char *name, ploy_bt_file_leaf *out) {
    bt_run *run = user;
    if (run->stand_in_count >= BT_LEAVES || strlen(name) >= sizeof run->stand_ins[0].name) {
        return PLOY_ERR_LIMIT;
    }
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; i < PLOY_BT_KIND_COUNT && run->doubts; i++) {
        ploy_nearest_offer(&nearest, ploy_bt_kind_text((ploy_bt_kind)i));
    }
    if (nearest.best != NULL) { // a slip, or a leaf of the game whose name is like that
        fprintf(stderr, "ploy: '%s' resembles '%s'; if it is a leaf, add --leaf %s=success\n", name,
                nearest.best, name);
        return PLOY_ERR_NOT_FOUND;
    }
    add_stand_in(run, name);
    *out = run->table[run->stand_in_count - 1];
    return PLOY_OK;
}

// Reads the document. @param any  nodes that are unknown are leaves.
static ploy_result load_file(bt_run *run, bool any) {
    ploy_bt_file_def def = ploy_bt_file_def_default();
    def.relaxed = true;
    def.leaves = run->table;
    def.leaf_count = run->stand_in_count;
    def.keys = run->keys;
    def.key_count = run->key_count;
    def.constants = run->constant_table;
    def.constant_count = run->constants.count;
    def.read = read_include;
    def.read_user = run;
    def.main = run->tree;
    if (any) {
        def.find = find_any;
        def.find_user = run;
    }
    ploy_buffer bytes;
    const char *path = run->words[0];
    ploy_result result = ploy_os_read_file(path, (size_t)1 << 28, &run->env, &bytes);
    if (result == PLOY_OK) {
        result = ploy_bt_file_load(bytes.bytes, bytes.size, path, &def, &run->env, run->diags,
                                   &run->file);
        ploy_buffer_fini(&bytes);
    }
    if (result == PLOY_OK) {
        run->bt = ploy_bt_file_main(run->file);
        if (run->bt != NULL) return PLOY_OK;
        ploy_diags_add(run->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_NOT_FOUND, path, 0, 0,
                       "file has several trees (choose one with --tree)", NULL, NULL);
        return PLOY_ERR_NOT_FOUND;
    }
    if (ploy_diags_total(run->diags, PLOY_SEVERITY_ERROR) == 0) {
        ploy_diags_add(run->diags, PLOY_SEVERITY_ERROR, result, path, 0, 0,
                       cli_read_reason(path, result), NULL, NULL);
    }
    return result;
}

// The first error, as it is printed.
static void first_error(const bt_run *run, char *text, size_t size) {
    snprintf(text, size, "?");
    for (int32_t i = 0; i < ploy_diags_count(run->diags); i++) {
        const ploy_diag *diag = ploy_diags_get(run->diags, i);
        if (diag->severity != PLOY_SEVERITY_ERROR) continue;
        ploy_diag_print(diag, text, size);
        return;
    }
}

static void print_errors(const bt_run *run) {
    bool unknown = false;
    for (int32_t i = 0; i < ploy_diags_count(run->diags); i++) {
        const ploy_diag *diag = ploy_diags_get(run->diags, i);
        char text[1024];
        if (diag->severity != PLOY_SEVERITY_ERROR) continue;
        ploy_diag_print(diag, text, sizeof text);
        fprintf(stderr, "%s\n", text);
        unknown = unknown || strncmp(diag->message, "unknown node", 12) == 0;
    }
    if (unknown)
        fprintf(stderr, "ploy: leaves of a game can be simulated with --leaf NAME=success\n");
}

// ---- run ----

static const char *status_word(ploy_status status) {
    switch (status) {
    case PLOY_STATUS_RUNNING: return "RUNNING";
    case PLOY_STATUS_SUCCESS: return "SUCCESS";
    case PLOY_STATUS_FAILURE: return "FAILURE";
    case PLOY_STATUS_SKIPPED: return "SKIPPED";
    }
    return "?";
}

// Makes board and instance and puts what --set says onto the board. -1, or the exit status.
static int make_instance(bt_run *run) {
    const ploy_blackboard_layout *layout = ploy_bt_file_layout(run->file, run->bt);
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    ploy_result result = ploy_blackboard_create(layout, &run->env, &run->board);
    if (result == PLOY_OK) result = ploy_semaphores_create(&run->env, &run->semaphores);
    if (result == PLOY_OK) {
        result = ploy_bt_instance_create(&def, run->bt, run->semaphores, &run->env, &run->instance);
    }
    if (result != PLOY_OK) return cli_error_result("bt run", result);
    for (int32_t i = 0; i < run->sets.count; i++) {
        char name[PLOY_BLACKBOARD_NAME_MAX + 1];
        const char *text = split_word(run->sets.items[i], name, sizeof name);
        ploy_slot slot = ploy_blackboard_layout_find(layout, name);
        ploy_value_type type = ploy_blackboard_layout_type(layout, slot);
        ploy_value value, flag;
        result = ploy_value_parse(type, text, &value);
        bool number = type >= PLOY_VALUE_I64 && type <= PLOY_VALUE_F64;
        if (result != PLOY_OK && number &&
            ploy_value_parse(PLOY_VALUE_BOOL, text, &flag) == PLOY_OK) {
            value = ploy_value_i64(flag.as.b ? 1 : 0);
            result = PLOY_OK;
        }
        if (result == PLOY_OK) result = ploy_blackboard_set(run->board, slot, &value);
        if (result != PLOY_OK) {
            fprintf(stderr, "ploy: --set %s has the wrong type, expected %s\n", run->sets.items[i],
                    ploy_value_type_text(type));
            return CLI_USAGE;
        }
    }
    return -1;
}

static void print_run(const bt_run *run, const char *status, int64_t steps, const char *error) {
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "status");
    if (status != NULL) {
        ploy_json_write_text(&json, status);
    } else {
        ploy_json_write_null(&json);
    }
    ploy_json_write_key(&json, "steps");
    ploy_json_write_i64(&json, steps);
    ploy_json_write_key(&json, "ticks");
    ploy_json_write_begin_object(&json);
    for (int32_t i = 0; i < run->stand_in_count; i++) {
        ploy_json_write_key(&json, run->stand_ins[i].name);
        ploy_json_write_i64(&json, run->stand_ins[i].ticks);
    }
    ploy_json_write_end_object(&json);
    ploy_json_write_key(&json, "blackboard");
    ploy_json_write_begin_object(&json);
    const ploy_blackboard_layout *layout =
        run->board != NULL ? ploy_blackboard_layout_of(run->board) : NULL;
    for (int32_t i = 0; layout != NULL && i < ploy_blackboard_layout_count(layout); i++) {
        ploy_slot slot = {(uint32_t)i + 1};
        ploy_value value = ploy_value_none();
        (void)ploy_blackboard_get(run->board, slot, &value);
        ploy_json_write_key(&json, ploy_blackboard_layout_name(layout, slot));
        ploy_json_write_value(&json, &value);
    }
    ploy_json_write_end_object(&json);
    ploy_json_write_key(&json, "load_error");
    if (error != NULL) {
        ploy_json_write_text(&json, error);
    } else {
        ploy_json_write_null(&json);
    }
    ploy_json_write_end_object(&json);
    (void)ploy_json_writer_finish(&json);
    putchar('\n');
}

static void print_board(const bt_run *run) {
    const ploy_blackboard_layout *layout = ploy_blackboard_layout_of(run->board);
    for (int32_t i = 0; i < ploy_blackboard_layout_count(layout); i++) {
        ploy_slot slot = {(uint32_t)i + 1};
        ploy_value value = ploy_value_none();
        char text[256];
        (void)ploy_blackboard_get(run->board, slot, &value);
        ploy_value_print(&value, text, sizeof text);
        printf("  %s = %s\n", ploy_blackboard_layout_name(layout, slot), text);
    }
}

// Steps until it is over. The result of the last step.
static ploy_result step_tree(bt_run *run, float dt, int64_t *steps, ploy_status *status) {
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), run->board, dt);
    // With --json standard output is one object, so the reasons go beside it.
    ploy_writer out = cli_stream_writer(run->json ? stderr : stdout);
    ploy_trace_text_sink sink;
    ploy_agent_id everybody = {0};
    ploy_trace_text_sink_init(&sink, &out, everybody);
    ploy_trace trace = ploy_trace_text_sink_trace(&sink);
    if (run->trace) context.trace = &trace;
    ploy_result result = PLOY_OK;
    *status = PLOY_STATUS_RUNNING;
    cli_progress bar = cli_progress_begin("steps", (uint64_t)run->ticks, !run->trace);
    for (*steps = 0; *steps < run->ticks && *status == PLOY_STATUS_RUNNING; ++*steps) {
        context.tick = (uint64_t)*steps;
        context.now = (double)*steps * (double)dt;
        if (run->trace) fprintf(run->json ? stderr : stdout, "step %lld\n", (long long)*steps);
        result = ploy_bt_instance_step(run->instance, &context, status);
        if (result != PLOY_OK) break;
        cli_progress_step(&bar, (uint64_t)*steps);
    }
    cli_progress_end(&bar);
    if (run->trace) (void)ploy_trace_text_sink_finish(&sink);
    return result;
}

static int run_run(bt_run *run) {
    double dt = 0.01;
    if (run->dt != NULL && (ploy_parse_f64(run->dt, strlen(run->dt), NULL, &dt) != PLOY_OK ||
                            !(dt >= 0.0 && dt <= 1000.0))) {
        return cli_error("--dt expects seconds from 0 to 1000, found", run->dt);
    }
    int status = read_leaves(run);
    if (status >= 0) return status;
    if (load_file(run, false) != PLOY_OK) {
        char error[1024];
        first_error(run, error, sizeof error);
        if (run->json) print_run(run, NULL, 0, error);
        print_errors(run);
        return CLI_USAGE;
    }
    status = make_instance(run);
    if (status >= 0) return status;
    int64_t steps = 0;
    ploy_status answer = PLOY_STATUS_RUNNING;
    ploy_result result = step_tree(run, (float)dt, &steps, &answer);
    const char *word = result == PLOY_OK ? status_word(answer) : "ERROR";
    if (run->json) {
        print_run(run, word, steps, NULL);
    } else {
        printf("%s after %lld %s\n", word, (long long)steps, steps == 1 ? "step" : "steps");
        for (int32_t i = 0; i < run->stand_in_count; i++) {
            const bt_stand_in *leaf = &run->stand_ins[i];
            if (leaf->ticks > 0) printf("  %s: %lld ticks\n", leaf->name, (long long)leaf->ticks);
        }
        print_board(run);
    }
    if (result != PLOY_OK) return cli_error_result("bt run", result);
    return answer == PLOY_STATUS_FAILURE ? CLI_NO : CLI_OK;
}

// ---- lint, convert ----

static int run_lint(bt_run *run) {
    int status = read_leaves(run);
    if (status >= 0) return status;
    run->doubts = true;
    ploy_result result = load_file(run, true);
    if (run->json) {
        cli_print_findings(run->words[0], run->diags);
        if (result != PLOY_OK) return CLI_USAGE;
        return ploy_diags_count(run->diags) == 0 ? CLI_OK : CLI_NO;
    }
    for (int32_t i = 0; i < ploy_diags_count(run->diags); i++) {
        char text[1024];
        ploy_diag_print(ploy_diags_get(run->diags, i), text, sizeof text);
        printf("%s\n", text);
    }
    if (result != PLOY_OK) return CLI_USAGE;
    if (ploy_diags_count(run->diags) == 0) {
        printf("%s: no findings\n", run->words[0]);
    }
    return ploy_diags_count(run->diags) == 0 ? CLI_OK : CLI_NO;
}

// Loads for callers that need no answers. -1, or the exit status.
static int load_any(bt_run *run) {
    int status = read_leaves(run);
    if (status >= 0) return status;
    if (load_file(run, true) == PLOY_OK) return -1;
    print_errors(run);
    return CLI_USAGE;
}

static int run_convert(bt_run *run) {
    const char *to = run->words[1];
    size_t size = strlen(to);
    bool json = size > 5 && strcmp(to + size - 5, ".json") == 0;
    if (!json && !(size > 4 && strcmp(to + size - 4, ".xml") == 0)) {
        return cli_error("expected an .xml or .json file, found", to);
    }
    int status = load_any(run);
    if (status >= 0) return status;
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &run->env);
    ploy_writer writer = ploy_buffer_writer(&text);
    ploy_result result = json ? ploy_bt_file_save_json(run->file, &writer)
                              : ploy_bt_file_save_xml(run->file, &writer);
    status = result != PLOY_OK           ? cli_error_result(to, result)
             : cli_write_file(to, &text) ? CLI_OK
                                         : CLI_USAGE;
    ploy_buffer_fini(&text);
    return status;
}

// ---- draw ----

// Where each node is: above the middle of its children, and no two over each other.
typedef struct bt_picture {
    const ploy_bt *bt;
    ploy_vec2 *places; // of the middle
    float *widths;     // m, of all that is below a node, and of itself
} bt_picture;

static const float bt_level = 3.2f, bt_half = 0.75f; // m between levels; half a box's height

static float half_width(const char *name) {
    return 0.33f * (float)strlen(name) + 0.2f;
}

static ploy_bt_node_info node_at(const ploy_bt *bt, int32_t node) {
    ploy_bt_node_info info;
    (void)ploy_bt_node_at(bt, node, &info);
    return info;
}

static void place_nodes(const bt_picture *picture) {
    for (int32_t i = ploy_bt_node_count(picture->bt); i-- > 0;) { // children before parents
        ploy_bt_node_info info = node_at(picture->bt, i);
        float below = 0.0f, own = 2.0f * half_width(info.name) + 0.6f;
        for (int32_t child = i + 1; child < info.end; child = node_at(picture->bt, child).end) {
            below += picture->widths[child];
        }
        picture->widths[i] = below > own ? below : own;
    }
    picture->places[0] = ploy_vec2_make(picture->widths[0] / 2.0f, 0.0f);
    for (int32_t i = 0; i < ploy_bt_node_count(picture->bt); i++) {
        ploy_bt_node_info info = node_at(picture->bt, i);
        float below = 0.0f;
        for (int32_t child = i + 1; child < info.end; child = node_at(picture->bt, child).end) {
            below += picture->widths[child];
        }
        float left = picture->places[i].x - below / 2.0f;
        for (int32_t child = i + 1; child < info.end; child = node_at(picture->bt, child).end) {
            picture->places[child] = ploy_vec2_make(left + picture->widths[child] / 2.0f,
                                                    picture->places[i].y - bt_level);
            left += picture->widths[child];
        }
    }
}

static void draw_tree(const void *subject, ploy_draw *out) {
    const bt_picture *picture = subject;
    ploy_agent_id none = ploy_agent_id_make(1, 1);
    for (int32_t i = 0; i < ploy_bt_node_count(picture->bt); i++) {
        ploy_bt_node_info info = node_at(picture->bt, i);
        ploy_vec2 at = picture->places[i];
        float half = half_width(info.name);
        ploy_style style = info.children == 0             ? PLOY_STYLE_GOOD
                           : info.kind < PLOY_BT_INVERTER ? PLOY_STYLE_OPEN
                                                          : PLOY_STYLE_WARNING;
        if (info.parent >= 0) {
            ploy_vec2 from = picture->places[info.parent];
            ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, none,
                           ploy_vec2_make(from.x, from.y - bt_half),
                           ploy_vec2_make(at.x, at.y + bt_half));
        }
        ploy_vec2 box[4] = {{at.x - half, at.y - bt_half},
                            {at.x + half, at.y - bt_half},
                            {at.x + half, at.y + bt_half},
                            {at.x - half, at.y + bt_half}};
        ploy_draw_polygon(out, PLOY_LAYER_REGIONS, style, none, box, 4, 0.25f);
        ploy_draw_text(out, none, ploy_vec2_make(at.x - half + 0.15f, at.y - 0.1f), info.name);
    }
}

static void print_tree(const ploy_bt *bt) {
    for (int32_t i = 0; i < ploy_bt_node_count(bt); i++) {
        ploy_bt_node_info info = node_at(bt, i);
        const char *kind = ploy_bt_kind_text(info.kind);
        printf("%*s%s", (int)info.depth * 2, "", info.name);
        if (strcmp(kind, info.name) != 0) printf("  [%s]", kind);
        putchar('\n');
    }
}

// {"file": ..., "nodes": [{"name": ..., "kind": ..., "depth": ...}]}, parents before their children.
static void print_tree_json(const char *path, const ploy_bt *bt) {
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "file");
    ploy_json_write_text(&json, path);
    ploy_json_write_key(&json, "nodes");
    ploy_json_write_begin_array(&json);
    for (int32_t i = 0; i < ploy_bt_node_count(bt); i++) {
        ploy_bt_node_info info = node_at(bt, i);
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "name");
        ploy_json_write_text(&json, info.name);
        ploy_json_write_key(&json, "kind");
        ploy_json_write_text(&json, ploy_bt_kind_text(info.kind));
        ploy_json_write_key(&json, "depth");
        ploy_json_write_i64(&json, info.depth);
        ploy_json_write_end_object(&json);
    }
    ploy_json_write_end_array(&json);
    ploy_json_write_end_object(&json);
    (void)ploy_json_writer_finish(&json);
    putchar('\n');
}

static int run_draw(bt_run *run) {
    int status = load_any(run);
    if (status >= 0) return status;
    if (run->svg == NULL && run->png == NULL) {
        if (run->json) {
            print_tree_json(run->words[0], run->bt);
        } else {
            print_tree(run->bt);
        }
        return CLI_OK;
    }
    int32_t count = ploy_bt_node_count(run->bt), deepest = 0;
    bt_picture picture = {run->bt, calloc((size_t)count, sizeof(ploy_vec2)),
                          calloc((size_t)count, sizeof(float))};
    if (picture.places == NULL || picture.widths == NULL) {
        free(picture.places);
        free(picture.widths);
        return cli_error_result("bt draw", PLOY_ERR_MEMORY);
    }
    place_nodes(&picture);
    for (int32_t i = 0; i < count; i++) {
        ploy_bt_node_info info = node_at(run->bt, i);
        if (info.depth > deepest) deepest = info.depth;
    }
    const float view[4] = {-0.5f, -bt_level * (float)deepest - 1.5f, picture.widths[0] + 0.5f,
                           1.5f};
    // A letter of a picture is as wide as it is, whatever the scale: boxes must be wide enough.
    int64_t width = (int64_t)(20.0f * (view[2] - view[0]));
    if (width < 320) width = 320;
    if (width > 8192) width = 8192;
    cli_picture sheet = {view, run->width > 0 ? run->width : width, draw_tree, &picture};
    if (run->svg != NULL) status = cli_write_svg(run->svg, &sheet, &run->env);
    if (status < 0 && run->png != NULL) status = cli_write_png(run->png, &sheet, &run->env);
    free(picture.places);
    free(picture.widths);
    return status < 0 ? CLI_OK : status;
}

// ---- commands ----

static const cli_command bt_commands[] = {
    {"run", "F.xml|F.json [options]",
     "Steps a tree until it no longer returns RUNNING; exit status 1 if it fails. The leaves TestA "
     "to TestF succeed; --leaf defines others.",
     1, 1},
    {"lint", "F.xml|F.json [options]",
     "Reports errors and warnings: branches that cannot run, nodes without effect, unused trees. "
     "Exit status 1 if there are any.",
     1, 1},
    {"draw", "F.xml|F.json [--svg F | --png F] [options]", "Prints a tree as text, or draws it.", 1,
     1},
    {"convert", "F.xml|F.json TO.xml|TO.json [options]",
     "Writes the document and its includes in the other format.", 2, 2},
};
static int (*const bt_runs[])(bt_run *run) = {run_run, run_lint, run_draw, run_convert};
enum { BT_COMMANDS = sizeof bt_commands / sizeof bt_commands[0] };
static const cli_group bt_group = {
    "bt", "Behavior trees in BehaviorTree.CPP 4 files (.xml) or ploy's own (.json).", bt_commands,
    BT_COMMANDS};

static int run_command(int32_t index, int argc, char **argv) {
    bt_run run;
    memset(&run, 0, sizeof run);
    run.ticks = 10000;
    const cli_option options[] = {
        {"--tree", CLI_TEXT, &run.tree, "ID", "tree to use (default: the file's main tree)"},
        {"--leaf", CLI_MANY, &run.leaves, "NAME=A",
         "what a leaf returns: success, failure, running:N (then success), or the sequence s,f,r,k "
         "repeated"},
        {"--set", CLI_MANY, &run.sets, "KEY=VALUE", "set a blackboard value (run)"},
        {"--constant", CLI_MANY, &run.constants, "NAME=N", "define a named number for scripts"},
        {"--ticks", CLI_COUNT, &run.ticks, "N", "maximum number of steps (run; default 10000)"},
        {"--dt", CLI_TEXT, &run.dt, "S", "seconds per step (run; default 0.01)"},
        {"--trace", CLI_FLAG, &run.trace, NULL, "print what each step did (run)"},
        {"--json", CLI_FLAG, &run.json, NULL,
         "print one JSON object on one line (run, lint, draw)"},
        {"--svg", CLI_TEXT, &run.svg, "F", "write an SVG file ('-' for standard output) (draw)"},
        {"--png", CLI_TEXT, &run.png, "F", "write a PNG file (draw)"},
        {"--width", CLI_COUNT, &run.width, "N",
         "width of the picture in pixels (draw; default: as the names need)"},
    };
    int status =
        cli_parse_command(&bt_group, index, options, (int32_t)(sizeof options / sizeof options[0]),
                          argc, argv, run.words);
    if (status >= 0) return status;
    run.env = cli_env();
    ploy_result result = ploy_diags_create(BT_DIAGS, &run.env, &run.diags);
    status = result == PLOY_OK ? bt_runs[index](&run) : cli_error_result("bt", result);
    ploy_bt_instance_destroy(run.instance);
    ploy_semaphores_destroy(run.semaphores);
    ploy_blackboard_destroy(run.board);
    ploy_bt_file_destroy(run.file);
    ploy_diags_destroy(run.diags);
    free(run.stand_ins);
    return status;
}

int cmd_bt(int argc, char **argv) {
    int status = CLI_OK;
    int32_t index = cli_choose(&bt_group, argc, argv, &status);
    return index >= 0 ? run_command(index, argc - 1, argv + 1) : status;
}
