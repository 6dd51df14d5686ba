// The lab of behavior trees: a guard's tree with each node's last answer, the path that the last step
// took, and what it knows. The tree is an XML text that can be edited while the guard lives by it: its
// mind goes on in the edited tree. A click on a condition turns it, on an action turns what it comes
// to; on a branch it does what the parameter `edit` says, in the text too: moves it one place to the
// right, makes another kind of it, or takes it out.
//
// All state lives in the region: the block tree_lab, the text, the document with its tree, the
// instance and the blackboard.
#include <math.h>
#include <string.h>

#include "labs/lab_board.h"
#include "labs/lab_input.h"
#include "labs/labs.h"
#include "labs/tree_text.h"
#include "ploy/data/bt_file.h"

enum { TREE_KEYS = 4, TREE_NODES_MAX = 64, TREE_LOST_MAX = 4, TREE_GAP = 3 };
enum { TREE_EDIT_MOVE, TREE_EDIT_KIND, TREE_EDIT_CUT };

static const float tree_level = 3.2f; // m between a node and its children
static const float tree_half = 0.75f; // m, half a box's height

typedef struct tree_lab_def {
    uint32_t cookie;
    float events;
    float pace;
    int32_t edit;
    bool events_on;
    bool gap[TREE_GAP];
} tree_lab_def;

static const char *const tree_edits[] = {"move", "kind", "cut"};

static const ploy_field tree_lab_fields[] = {
    PLOY_FIELD_BOOL(tree_lab_def, events_on, true, "things happen by themselves"),
    PLOY_FIELD_F32(tree_lab_def, events, 0.4, 0, 10, "1/s", "how often something happens"),
    PLOY_FIELD_F32(tree_lab_def, pace, 1, 0.1, 10, "", "how fast the guard acts"),
    PLOY_FIELD_ENUM(tree_lab_def, edit, TREE_EDIT_MOVE, tree_edits,
                    "what a click on a branch does"),
};

static ploy_fields tree_lab_get_fields(void) {
    return PLOY_FIELDS(tree_lab_def, tree_lab_fields);
}

static const ploy_blackboard_key tree_keys[TREE_KEYS] = {
    {"hurt", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "needs a bandage"},
    {"foe", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "sees one"},
    {"ammo", PLOY_VALUE_BOOL, {PLOY_VALUE_BOOL, {.b = true}}, "has some left"},
    {"noise", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "has heard something"},
};

typedef struct tree_lab {
    ploy_env env;     // the region's, for trees that are loaded again
    tree_lab_def def; // as of the last step: the leaves read it
    ploy_definition_text text;
    ploy_bt_file *file;
    ploy_blackboard *board;
    ploy_bt_instance *instance;
    ploy_diags *lost; // what the last reload could not match
    uint64_t tick;    // of the last step
    ploy_vec2 places[TREE_NODES_MAX];
    uint64_t fails[TREE_NODES_MAX]; // the stable ids of actions that come to failure; 0: free
} tree_lab;

// ---- the tree ----

static const char tree_xml[] =
    "<root BTCPP_format=\"4\">\n"
    "  <BehaviorTree ID=\"guard\">\n"
    "    <ReactiveFallback name=\"guard\">\n"
    "      <Sequence name=\"survive\">\n"
    "        <ScriptCondition name=\"hurt\" code=\"hurt\"/>\n"
    "        <Act name=\"hide\" seconds=\"1.0\"/>\n"
    "        <Act name=\"heal\" seconds=\"1.5\" _onSuccess=\"hurt = false\"/>\n"
    "      </Sequence>\n"
    "      <ReactiveSequence name=\"fight\">\n"
    "        <ScriptCondition name=\"foe\" code=\"foe\"/>\n"
    "        <Fallback name=\"attack\">\n"
    "          <Sequence name=\"shoot\">\n"
    "            <ScriptCondition name=\"ammo\" code=\"ammo\"/>\n"
    "            <Act name=\"fire\" seconds=\"0.8\" _onSuccess=\"ammo = false\"/>\n"
    "          </Sequence>\n"
    "          <Act name=\"charge\" seconds=\"1.2\" _onSuccess=\"foe = false\"/>\n"
    "        </Fallback>\n"
    "      </ReactiveSequence>\n"
    "      <Sequence name=\"search\">\n"
    "        <ScriptCondition name=\"noise\" code=\"noise\"/>\n"
    "        <Act name=\"look\" seconds=\"2.0\" _onSuccess=\"noise = false\"/>\n"
    "      </Sequence>\n"
    "      <ShuffledFallback name=\"wait\">\n"
    "        <Act name=\"walk\" seconds=\"2.5\"/>\n"
    "        <Act name=\"rest\" seconds=\"1.5\"/>\n"
    "      </ShuffledFallback>\n"
    "    </ReactiveFallback>\n"
    "  </BehaviorTree>\n"
    "</root>\n";

static const ploy_definition tree_definitions[] = {
    {"guard", "xml",
     "the guard's tree; leaves are Act with a name and seconds, keys hurt, foe, "
     "ammo and noise"},
    LAB_BOARD_DEFINITION,
};

// What a branch can be made into, and the sign beside it.
static const struct {
    ploy_bt_kind kind;
    const char *tag, *sign;
} tree_kinds[] = {{PLOY_BT_SEQUENCE, "Sequence", "->"},
                  {PLOY_BT_FALLBACK, "Fallback", "?"},
                  {PLOY_BT_REACTIVE_SEQUENCE, "ReactiveSequence", "R ->"},
                  {PLOY_BT_REACTIVE_FALLBACK, "ReactiveFallback", "R ?"},
                  {PLOY_BT_SHUFFLED_FALLBACK, "ShuffledFallback", "~ ?"}};
enum { TREE_KINDS = sizeof tree_kinds / sizeof tree_kinds[0], TREE_TAG_GROWTH = 32 };

// The kind's place in the table, or -1.
static int32_t tree_kind(ploy_bt_kind kind) {
    for (int32_t i = 0; i < TREE_KINDS; i++) {
        if (tree_kinds[i].kind == kind) return i;
    }
    return -1;
}

static const ploy_bt *tree_bt(const tree_lab *lab) {
    return ploy_bt_file_main(lab->file);
}

// The place of a failing action in the list, or -1.
static int32_t tree_failing(const tree_lab *lab, uint64_t id) {
    for (int32_t i = 0; i < TREE_NODES_MAX; i++) {
        if (lab->fails[i] == id) return i;
    }
    return -1;
}

// An action that takes its time; its port says how long.
static ploy_result tree_act(ploy_bt_call *call, ploy_status *status) {
    const tree_lab *lab = call->context->world;
    float *done = call->state;
    ploy_value seconds;
    ploy_bt_node_info info;
    ploy_result result = ploy_bt_port_get(call, 0, &seconds);
    if (result == PLOY_OK) {
        result = ploy_bt_node_at(ploy_bt_instance_bt(call->instance), call->node, &info);
    }
    if (result != PLOY_OK) return result;
    *done += call->context->dt * lab->def.pace;
    *status = *done < seconds.as.f32            ? PLOY_STATUS_RUNNING
              : tree_failing(lab, info.id) >= 0 ? PLOY_STATUS_FAILURE
                                                : PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

static const ploy_bt_port tree_act_ports[] = {{"seconds", PLOY_VALUE_F32, false}};
static const ploy_bt_leaf tree_act_leaf = {.name = "Act",
                                           .step = tree_act,
                                           .ports = tree_act_ports,
                                           .port_count = 1,
                                           .state_size = (int32_t)sizeof(float)};

// Reads a text whose main tree the lab can show.
static ploy_result tree_load(const void *bytes, size_t size, const ploy_env *env, ploy_diags *diags,
                             ploy_bt_file **out) {
    static const ploy_bt_file_leaf leaves[] = {{&tree_act_leaf, NULL, false}};
    ploy_bt_file_def def = ploy_bt_file_def_default();
    def.leaves = leaves;
    def.leaf_count = 1;
    def.keys = tree_keys;
    def.key_count = TREE_KEYS;
    ploy_bt_file *file = NULL;
    ploy_result result = ploy_bt_file_load(bytes, size, "guard.xml", &def, env, diags, &file);
    if (result != PLOY_OK) return result;
    const ploy_bt *bt = ploy_bt_file_main(file);
    const char *fault = NULL;
    if (bt == NULL) fault = "it is not clear which tree is the main one";
    if (bt != NULL && ploy_bt_node_count(bt) > TREE_NODES_MAX) fault = "more nodes than 64";
    if (fault != NULL) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_LIMIT, "guard.xml", 0, 0, fault, NULL,
                       NULL);
        ploy_bt_file_destroy(file);
        return PLOY_ERR_LIMIT;
    }
    *out = file;
    return PLOY_OK;
}

// Leaves side by side from the left, parents above the middle of their children.
static float tree_place(tree_lab *lab, int32_t node, float *x) {
    ploy_bt_node_info info;
    ploy_bt_node_at(tree_bt(lab), node, &info);
    float first = 0.0f, last = 0.0f;
    if (info.children == 0) {
        first = last = *x;
        *x += 3.5f;
    }
    int32_t child = node + 1;
    for (int32_t i = 0; i < info.children; i++) {
        last = tree_place(lab, child, x);
        if (i == 0) first = last;
        ploy_bt_node_info at;
        ploy_bt_node_at(tree_bt(lab), child, &at);
        child = at.end;
    }
    float middle = (first + last) / 2.0f;
    lab->places[node] = ploy_vec2_make(middle, -tree_level * (float)info.depth);
    return middle;
}

static ploy_step_context tree_context(tree_lab *lab, const ploy_sim_context *sim) {
    ploy_step_context step = lab_step_context(sim, ploy_agent_id_make(1, 1));
    step.blackboard = lab->board;
    step.world = lab;
    return step;
}

// What both boards have goes over.
static void tree_copy_board(const ploy_blackboard *from, ploy_blackboard *to) {
    for (int32_t i = 0; i < TREE_KEYS; i++) {
        ploy_slot old =
            ploy_blackboard_layout_find(ploy_blackboard_layout_of(from), tree_keys[i].name);
        ploy_slot now =
            ploy_blackboard_layout_find(ploy_blackboard_layout_of(to), tree_keys[i].name);
        ploy_blackboard_set_bool(to, now, ploy_blackboard_get_bool(from, old));
    }
}

// Takes over a text that was checked; the mind goes on where it was. sim is NULL at the start.
static ploy_result tree_take(tree_lab *lab, const void *bytes, size_t size,
                             const ploy_sim_context *sim) {
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    ploy_bt_file *file = NULL;
    ploy_bt_instance *instance = NULL;
    ploy_blackboard *board = NULL;
    def.watch = true;
    ploy_result result = tree_load(bytes, size, &lab->env, NULL, &file);
    if (result != PLOY_OK) return result;
    const ploy_bt *bt = ploy_bt_file_main(file);
    result = ploy_blackboard_create(ploy_bt_file_layout(file, bt), &lab->env, &board);
    if (result == PLOY_OK) result = ploy_bt_instance_create(&def, bt, NULL, &lab->env, &instance);
    if (result == PLOY_OK) result = ploy_definition_text_set(&lab->text, bytes, size, &lab->env);
    if (result != PLOY_OK) goto fail;
    if (sim != NULL) {
        ploy_step_context from = tree_context(lab, sim), to = from;
        to.blackboard = board;
        tree_copy_board(lab->board, board);
        ploy_diags_clear(lab->lost);
        result =
            ploy_behavior_hand_over(ploy_bt_instance_behavior(lab->instance), &from,
                                    ploy_bt_instance_behavior(instance), &to, &lab->env, lab->lost);
        if (result != PLOY_OK) goto fail;
        ploy_bt_instance_destroy(lab->instance);
        ploy_blackboard_destroy(lab->board);
        ploy_bt_file_destroy(lab->file);
    }
    lab->file = file;
    lab->board = board;
    lab->instance = instance;
    float x = -17.5f;
    memset(lab->places, 0, sizeof lab->places);
    tree_place(lab, 0, &x);
    return PLOY_OK;
fail:
    ploy_bt_instance_destroy(instance);
    ploy_blackboard_destroy(board);
    ploy_bt_file_destroy(file);
    return result;
}

static ploy_result tree_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                   void **out) {
    (void)key;
    tree_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    ploy_result result = ploy_diags_create(TREE_LOST_MAX, env, &lab->lost);
    if (result == PLOY_OK) result = tree_take(lab, tree_xml, sizeof tree_xml - 1, NULL);
    if (result != PLOY_OK) return result;
    *out = lab;
    return PLOY_OK;
}

// ---- step ----

// The key of that name, if it is one of the lab's own.
static ploy_slot tree_slot(const tree_lab *lab, const char *name) {
    ploy_slot none = {0};
    for (int32_t i = 0; i < TREE_KEYS; i++) {
        if (strcmp(tree_keys[i].name, name) != 0) continue;
        return ploy_blackboard_layout_find(ploy_blackboard_layout_of(lab->board), name);
    }
    return none;
}

static void tree_turn(tree_lab *lab, ploy_slot slot) {
    bool now = ploy_blackboard_get_bool(lab->board, slot);
    ploy_blackboard_set_bool(lab->board, slot, !now);
}

// Edits a branch in the text, as the parameter says; the text is then taken over as one that was
// typed. What the branch cannot lose or become, it keeps.
static ploy_result tree_edit(tree_lab *lab, const ploy_bt_node_info *branch, bool is_root,
                             const ploy_sim_context *sim) {
    const ploy_definition_text *text = &lab->text;
    char *edited = ploy_arena_alloc(sim->scratch, text->size + TREE_TAG_GROWTH);
    if (edited == NULL) return PLOY_ERR_MEMORY;
    size_t size = 0;
    if (lab->def.edit == TREE_EDIT_KIND) {
        int32_t kind = tree_kind(branch->kind);
        if (kind < 0) return PLOY_OK;
        const char *tag = tree_kinds[(kind + 1) % TREE_KINDS].tag;
        size = tree_text_rename(text->bytes, text->size, branch->name, tag, edited);
    } else if (!is_root && lab->def.edit == TREE_EDIT_CUT) {
        size = tree_text_cut(text->bytes, text->size, branch->name, edited);
    } else if (!is_root && tree_text_shift(text->bytes, text->size, branch->name, edited)) {
        size = text->size;
    }
    if (size == 0) return PLOY_OK;
    ploy_result result = tree_take(lab, edited, size, sim);
    return result == PLOY_ERR_MEMORY ? result : PLOY_OK; // a parent may need as many as it had
}

// An action's answer is turned.
static void tree_turn_action(tree_lab *lab, uint64_t id) {
    int32_t at = tree_failing(lab, id);
    if (at < 0) {
        at = tree_failing(lab, 0); // there are as many places as nodes, but old ids may hold some
        if (at >= 0) lab->fails[at] = id;
    } else {
        lab->fails[at] = 0;
    }
}

static ploy_result tree_clicked(tree_lab *lab, ploy_vec2 at, const ploy_sim_context *sim) {
    for (int32_t i = 0; i < ploy_bt_node_count(tree_bt(lab)); i++) {
        ploy_bt_node_info info;
        ploy_bt_node_at(tree_bt(lab), i, &info);
        float dx = at.x - lab->places[i].x, dy = at.y - lab->places[i].y;
        if (!(dx >= -1.65f && dx <= 1.65f && dy >= -tree_half && dy <= tree_half)) continue;
        ploy_slot slot = tree_slot(lab, info.name);
        if (!ploy_slot_is_none(slot)) {
            tree_turn(lab, slot);
        } else if (info.kind == PLOY_BT_LEAF) {
            tree_turn_action(lab, info.id);
        } else {
            return tree_edit(lab, &info, i == 0, sim);
        }
        return PLOY_OK;
    }
    return PLOY_OK;
}

// What the guard does, among all leaves: a step that goes on with a running leaf visits no other.
static void tree_tell(const tree_lab *lab, ploy_trace *trace) {
    ploy_trace_begin(trace, ploy_agent_id_make(1, 1), "action", "leaves of the tree");
    for (int32_t i = 0; i < ploy_bt_node_count(tree_bt(lab)); i++) {
        ploy_bt_node_info info;
        ploy_status status;
        if (ploy_bt_node_at(tree_bt(lab), i, &info) != PLOY_OK || info.children > 0) continue;
        if (!ploy_bt_instance_node_status(lab->instance, i, &status)) {
            ploy_trace_option(trace, info.name, PLOY_OUTCOME_SKIPPED, (double)NAN,
                              "idle: not reached, halted or put back");
        } else if (status == PLOY_STATUS_RUNNING) {
            ploy_trace_option(trace, info.name, PLOY_OUTCOME_WON, (double)NAN, "it runs");
        } else {
            bool failed = status == PLOY_STATUS_FAILURE;
            ploy_trace_option(trace, info.name, failed ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_LOST,
                              (double)NAN,
                              failed ? "it failed when it was last visited"
                                     : "it is done since it was last visited");
        }
    }
    ploy_trace_end(trace);
}

static ploy_result tree_lab_step(void *state, const ploy_sim_context *context) {
    tree_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->tick = context->tick;
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        ploy_result result = PLOY_OK;
        if (lab_board_is(input)) {
            result = lab_board_take(lab->board, input->bytes, input->size, context->env, NULL);
        } else if (input->kind == PLOY_INPUT_RELOAD) {
            result = tree_take(lab, input->bytes, input->size, context);
        } else if (lab_input_is(input, "click")) {
            result = tree_clicked(lab, lab_input_point(input), context);
        } else if (lab_input_is(input, "whole")) {
            result = tree_take(lab, tree_xml, sizeof tree_xml - 1, context);
        } else if (input->kind == PLOY_INPUT_COMMAND) {
            ploy_slot slot = tree_slot(lab, input->name);
            if (!ploy_slot_is_none(slot)) tree_turn(lab, slot);
        }
        if (result != PLOY_OK) return result;
    }
    for (uint32_t i = 0; lab->def.events_on && i < TREE_KEYS; i++) {
        float chance = lab->def.events * context->dt / (float)TREE_KEYS;
        if (ploy_rng_float_at(context->key, i, context->tick, 0) < chance) {
            tree_turn(lab, tree_slot(lab, tree_keys[i].name));
        }
    }
    ploy_step_context step = tree_context(lab, context);
    ploy_status status;
    ploy_result result = ploy_bt_instance_step(lab->instance, &step, &status);
    if (result == PLOY_OK && context->trace != NULL) tree_tell(lab, context->trace);
    return result;
}

// ---- sight ----

static ploy_style tree_style(const tree_lab *lab, int32_t node) {
    ploy_status status;
    if (!ploy_bt_instance_node_status(lab->instance, node, &status)) return PLOY_STYLE_GHOST;
    switch (status) {
    case PLOY_STATUS_RUNNING: return PLOY_STYLE_WARNING;
    case PLOY_STATUS_SUCCESS: return PLOY_STYLE_GOOD;
    case PLOY_STATUS_FAILURE: return PLOY_STYLE_BAD;
    case PLOY_STATUS_SKIPPED: return PLOY_STYLE_GHOST;
    }
    return PLOY_STYLE_GHOST;
}

static void tree_draw_node(const tree_lab *lab, int32_t node, ploy_draw *out) {
    ploy_agent_id guard = ploy_agent_id_make(1, 1);
    ploy_bt_node_info info;
    ploy_bt_node_at(tree_bt(lab), node, &info);
    ploy_vec2 at = lab->places[node];
    uint32_t seen = 0;
    bool visited =
        ploy_bt_instance_node_seen(lab->instance, node, &seen) && seen == (uint32_t)lab->tick;
    ploy_style style = tree_style(lab, node);
    if (info.parent >= 0) {
        ploy_vec2 from = lab->places[info.parent];
        from.y -= tree_half;
        ploy_draw_line(out, PLOY_LAYER_PATHS, visited ? style : PLOY_STYLE_GHOST, guard, from,
                       ploy_vec2_make(at.x, at.y + tree_half));
    }
    size_t letters = strlen(info.name);
    float half = letters > 5 ? 0.32f * (float)letters : 1.65f;
    ploy_vec2 box[4] = {{at.x - half, at.y - tree_half},
                        {at.x + half, at.y - tree_half},
                        {at.x + half, at.y + tree_half},
                        {at.x - half, at.y + tree_half}};
    ploy_draw_polygon(out, PLOY_LAYER_REGIONS, style, guard, box, 4, visited ? 0.45f : 0.12f);
    ploy_draw_text(out, guard, ploy_vec2_make(at.x - half + 0.1f, at.y - 0.1f), info.name);
    int32_t kind = tree_kind(info.kind);
    if (kind >= 0) {
        ploy_draw_text(out, guard, ploy_vec2_make(at.x - half + 0.1f, at.y + tree_half + 0.15f),
                       tree_kinds[kind].sign);
    }
    if (tree_failing(lab, info.id) >= 0) { // a cross: it will fail
        float size = 0.35f, y = at.y - 1.2f;
        ploy_draw_line(out, PLOY_LAYER_AGENTS, PLOY_STYLE_BAD, guard,
                       ploy_vec2_make(at.x - size, y - size),
                       ploy_vec2_make(at.x + size, y + size));
        ploy_draw_line(out, PLOY_LAYER_AGENTS, PLOY_STYLE_BAD, guard,
                       ploy_vec2_make(at.x - size, y + size),
                       ploy_vec2_make(at.x + size, y - size));
    }
    ploy_slot slot = tree_slot(lab, info.name);
    if (ploy_slot_is_none(slot)) return;
    bool holds = ploy_blackboard_get_bool(lab->board, slot);
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, holds ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD, guard,
                   ploy_vec2_make(at.x, at.y - 1.2f), 0.25f, holds ? 1.0f : 0.3f);
}

static void tree_lab_draw(const void *state, ploy_draw *out) {
    const tree_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_WARNING, "running");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "success, or a condition that holds");
    ploy_draw_key(out, PLOY_STYLE_BAD, "failure, or a condition that does not");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "not visited or skipped");
    for (int32_t i = 0; i < ploy_bt_node_count(tree_bt(lab)); i++) tree_draw_node(lab, i, out);
}

static void tree_lab_describe(const void *state, ploy_describe *out) {
    const tree_lab *lab = state;
    ploy_describe_begin_agent(out, "guard", ploy_agent_id_make(1, 1));
    ploy_describe_begin(out, "knows");
    ploy_blackboard_describe(lab->board, out);
    ploy_describe_end(out);
    for (int32_t i = 0; i < ploy_bt_node_count(tree_bt(lab)); i++) {
        ploy_bt_node_info info;
        ploy_bt_node_at(tree_bt(lab), i, &info);
        if (tree_failing(lab, info.id) >= 0) ploy_describe_bool(out, info.name, PLOY_STATE, true);
    }
    ploy_definition_text_describe(&lab->text, "definition", lab->lost, out);
    ploy_describe_begin(out, "tree");
    ploy_bt_instance_describe(lab->instance, out);
    ploy_describe_end(out);
    ploy_describe_end(out);
}

static ploy_result tree_lab_write(const void *state, int32_t definition, ploy_writer *out) {
    const tree_lab *lab = state;
    if (definition == 1) return lab_board_write(lab->board, out);
    return ploy_definition_text_write(&lab->text, out);
}

static ploy_result tree_lab_check(const void *state, int32_t definition, const void *bytes,
                                  size_t size, const ploy_env *env, ploy_diags *diags) {
    const tree_lab *lab = state;
    if (definition == 1) return lab_board_check(lab->board, bytes, size, env, diags);
    ploy_bt_file *file = NULL;
    ploy_result result = tree_load(bytes, size, env, diags, &file);
    if (result == PLOY_OK) ploy_bt_file_destroy(file);
    return result;
}

static const ploy_command tree_lab_commands[] = {
    {"click", "turn a condition or an action's answer, edit a branch", PLOY_VALUE_VEC2, false,
     "Pointer"},
    {"whole", "the tree as it was in the beginning", PLOY_VALUE_NONE, false, "w"},
    {"hurt", "wound or heal the guard", PLOY_VALUE_NONE, false, "h"},
    {"foe", "an enemy comes or goes", PLOY_VALUE_NONE, false, "f"},
    {"ammo", "give or take ammunition", PLOY_VALUE_NONE, false, "a"},
    {"noise", "make a noise, or let it be forgotten", PLOY_VALUE_NONE, false, "n"},
};

extern const ploy_sim_type ploy_lab_tree; // in labs.c
const ploy_sim_type ploy_lab_tree = {
    .name = "tree",
    .title = "Behavior tree",
    .help = "A guard's behavior tree: green nodes succeeded, red ones failed, yellow ones run, and "
            "bright ones were asked in the last step. Click a condition, the ones with a dot "
            "below, to turn it, an action to make it fail, a branch to edit it: to move it to the "
            "right, make a sequence (->) or a fallback (?) of it, reactive (R) or shuffled (~), or "
            "take it out, as the parameter says.",
    .version = 2,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 20.0f,
    .view = {-20.5f, -16.0f, 20.5f, 3.0f},
    .fields = tree_lab_get_fields,
    .commands = tree_lab_commands,
    .command_count = sizeof tree_lab_commands / sizeof tree_lab_commands[0],
    .create = tree_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = tree_lab_step,
    .draw = tree_lab_draw,
    .describe = tree_lab_describe,
    .definitions = tree_definitions,
    .definition_count = sizeof tree_definitions / sizeof tree_definitions[0],
    .write = tree_lab_write,
    .check = tree_lab_check,
};
