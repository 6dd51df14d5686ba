// The decorators lab: one small behavior tree for each node that limits, repeats, times, guards,
// interrupts or shuffles its children. Every node has a row of colored cells, one cell for each tick.
//
// Each tree is named after the node it shows. The leaves are plain: one waits for some ticks, one
// fails at every n-th visit, one waits for the alarm. The trees are in a library, which makes the
// instances. The two speakers share a tree, a sub-tree and a semaphore.
//
// All state is in the region: the block decorators_lab, the library, the instances, the blackboard
// and the semaphores.
#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/decide/bt_builder.h"
#include "ploy/decide/bt_library.h"
#include "ploy/geom/draw.h"

enum { DECORATORS_NODES_MAX = 8, DECORATORS_TICKS = 40, DECORATORS_KEYS = 2 };

static const float decorators_left = -8.0f; // m, left edge of the cells
static const float decorators_top = 26.0f;  // m, top of the first row
static const float decorators_cell = 0.7f;  // m, width of a cell
static const float decorators_row = 1.2f;   // m, height of a row
static const float decorators_gap = 0.4f;   // m, between two trees

typedef struct decorators_lab_def {
    uint32_t cookie;
    float timeout;
    float cooldown;
} decorators_lab_def;

static const ploy_field decorators_lab_fields[] = {
    PLOY_FIELD_F32(decorators_lab_def, timeout, 0.5, 0, 10, "s", "time limit of the Timeout"),
    PLOY_FIELD_F32(decorators_lab_def, cooldown, 0.5, 0, 10, "s", "pause of the Cooldown"),
};

static ploy_fields decorators_lab_get_fields(void) {
    return PLOY_FIELDS(decorators_lab_def, decorators_lab_fields);
}

static const ploy_blackboard_key decorators_keys[DECORATORS_KEYS] = {
    {"timeout", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "time limit of the Timeout"},
    {"cooldown", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "pause of the Cooldown"},
};

// What a node did in a tick. The first four are numbered as in ploy_status, plus 1.
typedef enum decorators_answer {
    DECORATORS_IDLE, // not visited
    DECORATORS_RUNNING = 1 + PLOY_STATUS_RUNNING,
    DECORATORS_SUCCESS = 1 + PLOY_STATUS_SUCCESS,
    DECORATORS_FAILURE = 1 + PLOY_STATUS_FAILURE,
    DECORATORS_SKIPPED = 1 + PLOY_STATUS_SKIPPED,
    DECORATORS_HALTED = 5, // a leaf: cut off while it ran
    DECORATORS_RESET,      // visited, then reset by its parent
} decorators_answer;

// The rows of the lab, from top to bottom. Both speakers are instances of the same tree.
static const struct {
    const char *name, *tree;
} decorators_shown[] = {
    {"Parallel", "Parallel"},
    {"Limit", "Limit"},
    {"UntilFail", "UntilFail"},
    {"Repeat", "Repeat"},
    {"Retry", "Retry"},
    {"Timeout", "Timeout"},
    {"Cooldown", "Cooldown"},
    {"Interrupter", "Interrupter"},
    {"Gate", "Gate"},
    {"RandomSelector", "RandomSelector"},
    {"speaker A", "SemaphoreGuard"},
    {"speaker B", "SemaphoreGuard"},
};
enum {
    DECORATORS_LIMIT = 1,
    DECORATORS_INTERRUPTER = 7,
    DECORATORS_GATE = 8,
    DECORATORS_TREES = sizeof decorators_shown / sizeof decorators_shown[0]
};

typedef struct decorators_tree {
    const ploy_bt *bt;
    ploy_bt_instance *instance;
    ploy_status status;                   // of the last step
    int32_t halts;                        // leaves that were cut off
    int32_t visits[DECORATORS_NODES_MAX]; // of the leaves that fail
    // A ring of ticks for each node.
    uint8_t cells[DECORATORS_NODES_MAX][DECORATORS_TICKS];
} decorators_tree;

typedef struct decorators_lab {
    ploy_bt_library *library;
    ploy_semaphores *semaphores;
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    bool alarm, open; // commands: interrupt the work, open the gate
    int32_t steps;    // so far
    int32_t current;  // the tree that is stepped: its leaves write its cells
    decorators_tree trees[DECORATORS_TREES];
} decorators_lab;

// ---- leaves ----

static uint8_t *decorators_cell_of(decorators_lab *lab, int32_t node) {
    return &lab->trees[lab->current].cells[node][lab->steps % DECORATORS_TICKS];
}

// Takes as many ticks as its user data says, then succeeds.
static ploy_result decorators_wait(ploy_bt_call *call, ploy_status *status) {
    int32_t *done = call->state;
    const int32_t *ticks = call->user;
    *status = ++*done < *ticks ? PLOY_STATUS_RUNNING : PLOY_STATUS_SUCCESS;
    *decorators_cell_of(call->context->game, call->node) = (uint8_t)(1 + *status);
    return PLOY_OK;
}

// Succeeds, but fails at every n-th visit; n is its user data.
static ploy_result decorators_fail(ploy_bt_call *call, ploy_status *status) {
    decorators_lab *lab = call->context->game;
    const int32_t *every = call->user;
    int32_t *visits = &lab->trees[lab->current].visits[call->node];
    *visits = (*visits + 1) % *every;
    *status = *visits == 0 ? PLOY_STATUS_FAILURE : PLOY_STATUS_SUCCESS;
    *decorators_cell_of(lab, call->node) = (uint8_t)(1 + *status);
    return PLOY_OK;
}

// Runs until the alarm is raised.
static ploy_result decorators_listen(ploy_bt_call *call, ploy_status *status) {
    decorators_lab *lab = call->context->game;
    *status = lab->alarm ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    *decorators_cell_of(lab, call->node) = (uint8_t)(1 + *status);
    return PLOY_OK;
}

static void decorators_stop(ploy_bt_call *call, ploy_exit_reason reason) {
    decorators_lab *lab = call->context->game;
    if (reason == PLOY_EXIT_FINISHED) return;
    lab->trees[lab->current].halts++;
    *decorators_cell_of(lab, call->node) = DECORATORS_HALTED;
}

static const ploy_bt_leaf decorators_wait_leaf = {.name = "wait",
                                                  .step = decorators_wait,
                                                  .stop = decorators_stop,
                                                  .state_size = (int32_t)sizeof(int32_t)};
static const ploy_bt_leaf decorators_fail_leaf = {
    .name = "fail", .step = decorators_fail, .stop = decorators_stop};
static const ploy_bt_leaf decorators_listen_leaf = {
    .name = "alarm", .step = decorators_listen, .stop = decorators_stop};

static void decorators_add_wait(ploy_bt_builder *builder, const char *name, int32_t ticks) {
    static int32_t lengths[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    ploy_bt_builder_add_leaf(builder, &decorators_wait_leaf, name, &lengths[ticks], NULL, 0);
}

static void decorators_add_fail(ploy_bt_builder *builder, const char *name, int32_t every) {
    static int32_t lengths[] = {0, 1, 2, 3, 4};
    ploy_bt_builder_add_leaf(builder, &decorators_fail_leaf, name, &lengths[every], NULL, 0);
}

// ---- trees ----

// Opens a node with a count and, if seconds_key is not NULL, a time from the blackboard.
static void decorators_open(ploy_bt_builder *builder, ploy_bt_kind kind, int32_t count,
                            const char *seconds_key) {
    ploy_bt_node_def def = ploy_bt_node_make(kind, NULL);
    def.count = count;
    def.seconds_key = seconds_key;
    ploy_bt_builder_open_node(builder, &def);
}

static void decorators_build_parallel(ploy_bt_builder *builder) {
    decorators_open(builder, PLOY_BT_PARALLEL, 2, NULL); // two of three are enough
    decorators_add_wait(builder, "wait 2", 2);
    decorators_add_wait(builder, "wait 4", 4);
    decorators_add_wait(builder, "wait 9", 9);
    ploy_bt_builder_close(builder);
}

static void decorators_build_limit(ploy_bt_builder *builder) {
    decorators_open(builder, PLOY_BT_LIMIT, 3, NULL);
    decorators_add_wait(builder, "wait 2", 2);
    ploy_bt_builder_close(builder);
}

static void decorators_build_until_fail(ploy_bt_builder *builder) {
    ploy_bt_builder_open(builder, PLOY_BT_UNTIL_FAIL, NULL);
    decorators_add_fail(builder, "fail each 4th", 4);
    ploy_bt_builder_close(builder);
}

static void decorators_build_repeat(ploy_bt_builder *builder) {
    decorators_open(builder, PLOY_BT_REPEAT, 3, NULL);
    decorators_add_wait(builder, "wait 2", 2);
    ploy_bt_builder_close(builder);
}

static void decorators_build_retry(ploy_bt_builder *builder) {
    ploy_bt_node_def retry = ploy_bt_node_make(PLOY_BT_RETRY, "Retry");
    retry.count = 2; // both attempts are in one tick
    ploy_bt_builder_open_node(builder, &retry);
    ploy_bt_builder_open(builder, PLOY_BT_INVERTER, NULL);
    decorators_add_fail(builder, "fail each 3rd", 3);
    ploy_bt_builder_close(builder);
    ploy_bt_builder_close(builder);
}

static void decorators_build_timeout(ploy_bt_builder *builder) {
    decorators_open(builder, PLOY_BT_TIMEOUT, 0, "timeout");
    decorators_add_wait(builder, "wait 8", 8);
    ploy_bt_builder_close(builder);
}

static void decorators_build_cooldown(ploy_bt_builder *builder) {
    decorators_open(builder, PLOY_BT_COOLDOWN, 0, "cooldown");
    decorators_add_wait(builder, "wait 2", 2);
    ploy_bt_builder_close(builder);
}

// The alarm beside the work ends it through the Signal. KeepRunningUntilFailure hides the success
// of the Signal, so that only the work decides the Parallel.
static void decorators_build_interrupter(ploy_bt_builder *builder) {
    ploy_bt_node_def signal = ploy_bt_node_make(PLOY_BT_SIGNAL, NULL);
    signal.text = "Interrupter";
    signal.result = PLOY_STATUS_FAILURE;
    decorators_open(builder, PLOY_BT_PARALLEL, 1, NULL);
    ploy_bt_builder_open(builder, PLOY_BT_INTERRUPTER, "Interrupter");
    decorators_add_wait(builder, "wait 12", 12);
    ploy_bt_builder_close(builder);
    ploy_bt_builder_open(builder, PLOY_BT_KEEP_RUNNING_UNTIL_FAILURE, "KeepRunning");
    ploy_bt_builder_open(builder, PLOY_BT_SEQUENCE, NULL);
    ploy_bt_builder_add_leaf(builder, &decorators_listen_leaf, NULL, NULL, NULL, 0);
    ploy_bt_builder_add_node(builder, &signal);
    ploy_bt_builder_close(builder);
    ploy_bt_builder_close(builder);
    ploy_bt_builder_close(builder);
}

static void decorators_build_gate(ploy_bt_builder *builder) {
    ploy_bt_node_def gate = ploy_bt_node_make(PLOY_BT_GATE, "Gate");
    gate.flag = false; // closed at first
    ploy_bt_builder_open_node(builder, &gate);
    decorators_add_wait(builder, "wait 3", 3);
    ploy_bt_builder_close(builder);
}

// One random child in each tick, until one succeeds.
static void decorators_build_random(ploy_bt_builder *builder) {
    ploy_bt_builder_open(builder, PLOY_BT_RANDOM_SELECTOR, NULL);
    decorators_add_fail(builder, "fail each 2nd", 2);
    decorators_add_fail(builder, "fail each", 1);
    ploy_bt_builder_close(builder);
}

// One speaker at a time; the other one waves.
static void decorators_build_speak(ploy_bt_builder *builder) {
    ploy_bt_node_def guard = ploy_bt_node_make(PLOY_BT_SEMAPHORE_GUARD, NULL);
    guard.text = "voice";
    ploy_bt_builder_open_node(builder, &guard);
    decorators_add_wait(builder, "speak", 3);
    ploy_bt_builder_close(builder);
}

// Builds a tree into the library; speak is the sub-tree of the speakers, NULL for other trees.
static ploy_result decorators_add_tree(decorators_lab *lab, const char *name,
                                       void (*build)(ploy_bt_builder *builder),
                                       const ploy_bt *speak, const ploy_env *env) {
    ploy_bt_builder *builder = NULL;
    ploy_bt *bt = NULL;
    ploy_result result = ploy_bt_builder_create(name, lab->layout, env, &builder);
    if (result != PLOY_OK) return result;
    if (speak == NULL) {
        build(builder);
    } else {
        ploy_bt_builder_open(builder, PLOY_BT_FALLBACK, NULL);
        ploy_bt_builder_add_subtree(builder, speak, NULL, NULL, 0, false);
        decorators_add_wait(builder, "wave", 1);
        ploy_bt_builder_close(builder);
    }
    result = ploy_bt_builder_build(builder, NULL, &bt);
    ploy_bt_builder_destroy(builder);
    if (result == PLOY_OK) result = ploy_bt_library_add(lab->library, bt);
    return result;
}

static ploy_result decorators_fill(decorators_lab *lab, const ploy_env *env) {
    static const struct {
        const char *name;
        void (*build)(ploy_bt_builder *builder);
    } trees[] = {
        {"Parallel", decorators_build_parallel},
        {"Limit", decorators_build_limit},
        {"UntilFail", decorators_build_until_fail},
        {"Repeat", decorators_build_repeat},
        {"Retry", decorators_build_retry},
        {"Timeout", decorators_build_timeout},
        {"Cooldown", decorators_build_cooldown},
        {"Interrupter", decorators_build_interrupter},
        {"Gate", decorators_build_gate},
        {"RandomSelector", decorators_build_random},
        {"speak", decorators_build_speak},
    };
    ploy_result result = PLOY_OK;
    for (size_t i = 0; result == PLOY_OK && i < sizeof trees / sizeof trees[0]; i++) {
        result = decorators_add_tree(lab, trees[i].name, trees[i].build, NULL, env);
    }
    if (result != PLOY_OK) return result;
    const ploy_bt *speak = ploy_bt_library_find(lab->library, "speak");
    return decorators_add_tree(lab, "SemaphoreGuard", NULL, speak, env);
}

static ploy_result decorators_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                         void **out) {
    (void)params, (void)key;
    decorators_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = ploy_blackboard_layout_create(decorators_keys, DECORATORS_KEYS,
                                                       "decorators", env, NULL, &lab->layout);
    if (result == PLOY_OK) result = ploy_blackboard_create(lab->layout, env, &lab->board);
    if (result == PLOY_OK) result = ploy_semaphores_create(env, &lab->semaphores);
    if (result == PLOY_OK) result = ploy_bt_library_create(env, &lab->library);
    if (result == PLOY_OK) result = decorators_fill(lab, env);
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    def.watch = true;
    for (int32_t i = 0; result == PLOY_OK && i < DECORATORS_TREES; i++) {
        decorators_tree *tree = &lab->trees[i];
        const char *name = decorators_shown[i].tree;
        tree->bt = ploy_bt_library_find(lab->library, name);
        result =
            ploy_bt_library_make(lab->library, name, &def, lab->semaphores, env, &tree->instance);
    }
    if (result != PLOY_OK) return result;
    *out = lab;
    return PLOY_OK;
}

// ---- step ----

static ploy_step_context decorators_context(decorators_lab *lab, int32_t tree,
                                            const ploy_sim_context *sim) {
    ploy_step_context step = lab_step_context(sim, ploy_agent_id_make((uint32_t)tree + 1, 1));
    step.blackboard = lab->board;
    step.game = lab; // the leaves write the cells of their tree only
    lab->current = tree;
    return step;
}

// Signals the node of that name: a Gate opens or closes, a Limit counts from 0 again.
static void decorators_signal(decorators_lab *lab, int32_t tree, const char *node,
                              ploy_status status) {
    const decorators_tree *at = &lab->trees[tree];
    ploy_bt_instance_signal(at->instance, ploy_bt_find_node(at->bt, node), status);
}

static void decorators_turn_gate(decorators_lab *lab) {
    lab->open = !lab->open;
    decorators_signal(lab, DECORATORS_GATE, "Gate",
                      lab->open ? PLOY_STATUS_SUCCESS : PLOY_STATUS_FAILURE);
}

static float decorators_height(const decorators_lab *lab, int32_t tree) {
    return decorators_row * (float)ploy_bt_node_count(lab->trees[tree].bt) + decorators_gap;
}

// A click on a tree interrupts, opens, counts again, or halts it.
static void decorators_clicked(decorators_lab *lab, ploy_vec2 at, const ploy_sim_context *sim) {
    float y = decorators_top;
    for (int32_t i = 0; i < DECORATORS_TREES; i++) {
        float bottom = y - decorators_height(lab, i);
        if (at.y <= y && at.y > bottom) {
            if (i == DECORATORS_INTERRUPTER) {
                lab->alarm = true;
            } else if (i == DECORATORS_GATE) {
                decorators_turn_gate(lab);
            } else if (i == DECORATORS_LIMIT) {
                decorators_signal(lab, i, "Limit", PLOY_STATUS_SUCCESS);
            } else {
                ploy_step_context step = decorators_context(lab, i, sim);
                ploy_bt_instance_halt(lab->trees[i].instance, &step, PLOY_EXIT_INTERRUPTED);
            }
            return;
        }
        y = bottom;
    }
}

// Notes what every node did in this tick. Leaves of the lab have noted it themselves: their status
// may be reset by now.
static void decorators_note(decorators_lab *lab, int32_t index, uint64_t tick) {
    decorators_tree *tree = &lab->trees[index];
    int32_t column = lab->steps % DECORATORS_TICKS;
    for (int32_t i = 0; i < ploy_bt_node_count(tree->bt); i++) {
        uint8_t *cell = &tree->cells[i][column];
        ploy_status status;
        uint32_t seen;
        if (*cell != DECORATORS_IDLE) continue;
        bool known = ploy_bt_instance_node_status(tree->instance, i, &status);
        bool visited =
            ploy_bt_instance_node_seen(tree->instance, i, &seen) && seen == (uint32_t)tick;
        // A running node is not visited in a step that continues at the leaf below it.
        if (known && (visited || status == PLOY_STATUS_RUNNING)) {
            *cell = (uint8_t)(1 + status);
        } else if (visited) {
            *cell = DECORATORS_RESET;
        }
    }
    tree->cells[0][column] = (uint8_t)(1 + tree->status);
}

static ploy_result decorators_lab_step(void *state, const ploy_sim_context *context) {
    decorators_lab *lab = state;
    decorators_lab_def def;
    memcpy(&def, context->params, sizeof def);
    ploy_blackboard_set_f32(lab->board, ploy_blackboard_layout_find(lab->layout, "timeout"),
                            def.timeout);
    ploy_blackboard_set_f32(lab->board, ploy_blackboard_layout_find(lab->layout, "cooldown"),
                            def.cooldown);
    for (int32_t i = 0; i < DECORATORS_TREES; i++) {
        for (int32_t k = 0; k < DECORATORS_NODES_MAX; k++) {
            lab->trees[i].cells[k][lab->steps % DECORATORS_TICKS] = DECORATORS_IDLE;
        }
    }
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_input_is(input, "click")) decorators_clicked(lab, lab_input_point(input), context);
        if (lab_input_is(input, "interrupt")) lab->alarm = true;
        if (lab_input_is(input, "gate")) decorators_turn_gate(lab);
        if (lab_input_is(input, "limit")) {
            decorators_signal(lab, DECORATORS_LIMIT, "Limit", PLOY_STATUS_SUCCESS);
        }
    }
    for (int32_t i = 0; i < DECORATORS_TREES; i++) {
        decorators_tree *tree = &lab->trees[i];
        ploy_step_context step = decorators_context(lab, i, context);
        ploy_result result = ploy_bt_instance_step(tree->instance, &step, &tree->status);
        if (result != PLOY_OK) return result;
        decorators_note(lab, i, context->tick);
    }
    lab->alarm = false;
    lab->steps++;
    return PLOY_OK;
}

// ---- drawing and describing ----

static ploy_style decorators_style(uint8_t answer) {
    switch ((decorators_answer)answer) {
    case DECORATORS_RUNNING: return PLOY_STYLE_WARNING;
    case DECORATORS_SUCCESS: return PLOY_STYLE_GOOD;
    case DECORATORS_FAILURE: return PLOY_STYLE_BAD;
    case DECORATORS_HALTED: return PLOY_STYLE_AGENT_A;
    case DECORATORS_RESET: return PLOY_STYLE_CLOSED;
    case DECORATORS_IDLE:
    case DECORATORS_SKIPPED: break;
    }
    return PLOY_STYLE_GHOST;
}

// One row: the last ticks of a node, the latest at the right. Equal neighbors are one box.
static void decorators_draw_row(const uint8_t *cells, int32_t steps, ploy_agent_id owner, float y,
                                ploy_draw *out) {
    int32_t first = steps > DECORATORS_TICKS ? steps - DECORATORS_TICKS : 0;
    for (int32_t from = first, to; from < steps; from = to) {
        uint8_t answer = cells[from % DECORATORS_TICKS];
        for (to = from + 1; to < steps && cells[to % DECORATORS_TICKS] == answer;) to++;
        if (answer == DECORATORS_IDLE) continue;
        float left = decorators_left + decorators_cell * (float)(from - first);
        float right = decorators_left + decorators_cell * (float)(to - first) - 0.05f;
        float bottom = y - decorators_row + 0.1f;
        ploy_vec2 box[4] = {{left, bottom}, {right, bottom}, {right, y}, {left, y}};
        ploy_draw_polygon(out, PLOY_LAYER_REGIONS, decorators_style(answer), owner, box, 4, 0.6f);
    }
}

static void decorators_lab_draw(const void *state, ploy_draw *out) {
    const decorators_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_WARNING, "running");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "success");
    ploy_draw_key(out, PLOY_STYLE_BAD, "failure");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "halted");
    ploy_draw_key(out, PLOY_STYLE_CLOSED, "reset");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "skipped");
    float top = decorators_top;
    for (int32_t i = 0; i < DECORATORS_TREES; i++) {
        const decorators_tree *tree = &lab->trees[i];
        ploy_agent_id owner = ploy_agent_id_make((uint32_t)i + 1, 1);
        for (int32_t k = 0; k < ploy_bt_node_count(tree->bt); k++) {
            ploy_bt_node_info info;
            ploy_bt_node_at(tree->bt, k, &info);
            float y = top - decorators_row * (float)k;
            ploy_vec2 at = {-21.2f + 0.7f * (float)info.depth, y - 0.9f};
            if (k == 0 && strcmp(info.name, decorators_shown[i].name) != 0) {
                ploy_vec2 left = {-30.0f, at.y};
                ploy_draw_text(out, owner, left, decorators_shown[i].name);
            }
            ploy_draw_text(out, owner, at, info.name);
            decorators_draw_row(tree->cells[k], lab->steps, owner, y, out);
        }
        top -= decorators_height(lab, i);
    }
}

static void decorators_lab_describe(const void *state, ploy_describe *out) {
    const decorators_lab *lab = state;
    ploy_describe_bool(out, "gate open", PLOY_STATE, lab->open);
    for (int32_t i = 0; i < DECORATORS_TREES; i++) {
        const decorators_tree *tree = &lab->trees[i];
        ploy_describe_begin_agent(out, decorators_shown[i].name,
                                  ploy_agent_id_make((uint32_t)i + 1, 1));
        ploy_describe_text(out, "answer", PLOY_STATE, ploy_status_text(tree->status));
        ploy_describe_i64(out, "halts", PLOY_STATE, tree->halts);
        for (int32_t k = 0; k < ploy_bt_node_count(tree->bt); k++) {
            ploy_bt_node_info info;
            ploy_bt_node_at(tree->bt, k, &info);
            if (tree->visits[k] > 0) {
                ploy_describe_i64(out, info.name, PLOY_STATE, tree->visits[k]);
            }
        }
        ploy_describe_begin(out, "tree");
        ploy_bt_instance_describe(tree->instance, out);
        ploy_describe_end(out);
        ploy_describe_end(out);
    }
    ploy_describe_begin(out, "semaphores");
    ploy_semaphores_describe(lab->semaphores, out);
    ploy_describe_end(out);
}

static const ploy_command decorators_lab_commands[] = {
    {"click", "interrupt, open or close, count again, or halt the tree", PLOY_VALUE_VEC2, false,
     "Pointer"},
    {"interrupt", "raise the alarm: the Signal interrupts the work", PLOY_VALUE_NONE, false, "i"},
    {"gate", "open or close the Gate", PLOY_VALUE_NONE, false, "g"},
    {"limit", "let the Limit count from 0 again", PLOY_VALUE_NONE, false, "l"},
};

extern const ploy_sim_type ploy_lab_decorators; // in labs.c
const ploy_sim_type ploy_lab_decorators = {
    .name = "decorators",
    .title = "Decorators",
    .help = "One small behavior tree for each node that limits, repeats, times, guards or "
            "interrupts its children. A row shows what a node answered in the last ticks: yellow "
            "is running, green success, red failure, blue a leaf that was halted. Click the "
            "Interrupter to raise the alarm, the Gate to open or close it, the Limit to let it "
            "count again, any other tree to halt it.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 8.0f,
    .view = {-30.5f, -27.0f, 20.5f, 27.0f},
    .fields = decorators_lab_get_fields,
    .commands = decorators_lab_commands,
    .command_count = sizeof decorators_lab_commands / sizeof decorators_lab_commands[0],
    .create = decorators_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = decorators_lab_step,
    .draw = decorators_lab_draw,
    .describe = decorators_lab_describe,
};
