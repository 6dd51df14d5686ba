// The lab of behavior trees: a guard's tree with each node's last answer, the way the last step
// took, and what it knows. A click on a condition turns it, on an action turns what it comes to; on
// a branch it does what the parameter `edit` says: moves it one place to the right, makes another
// kind of it, or takes it out. The tree is built anew then, and begins at its root.
//
// All state lives in the region: the block tree_lab, the tree, the instance and the blackboard.
#include <string.h>

#include "labs/labs.h"
#include "ploy/decide/bt_builder.h"

enum { TREE_KEYS = 4, TREE_NODES_MAX = 32, TREE_PARTS = 19, TREE_GAP = 3 };
enum { TREE_EDIT_MOVE, TREE_EDIT_KIND, TREE_EDIT_CUT };

static const float tree_level = 3.2f; // m between a node and its children
static const float tree_half = 0.75f; // m, half a box's height

typedef struct tree_lab_def {
    uint32_t cookie;
    float events;
    float pace;
    int32_t edit;
    bool events_on;
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
    ploy_env env;     // the region's, for trees that are built anew
    tree_lab_def def; // as of the last step: the leaves read it
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    ploy_bt *bt;
    ploy_bt_instance *instance;
    uint64_t tick; // of the last step
    ploy_vec2 places[TREE_NODES_MAX];
    // Edits, by the numbers of tree_parts: where a part stands among its siblings, whether an action
    // comes to failure, which of tree_kinds a branch is, whether it was taken out, and how often the
    // tree was built anew.
    int32_t ranks[TREE_PARTS];
    bool fails[TREE_PARTS];
    uint8_t kinds[TREE_PARTS];
    bool cut[TREE_PARTS];
    uint8_t gap[TREE_GAP];
    int32_t edits;
} tree_lab;

// ---- the tree ----

// The parts of the tree, each behind the one that holds it. Names are theirs alone.
typedef struct tree_part {
    const char *name;
    int32_t parent;    // -1 for the root
    ploy_bt_kind kind; // LEAF for actions, CONDITION for a key of the part's name
    float seconds;     // of an action
    const char *ends;  // the key that its success makes false, or NULL
} tree_part;

static const tree_part tree_parts[TREE_PARTS] = {
    {"guard", -1, PLOY_BT_REACTIVE_FALLBACK, 0, NULL},
    {"survive", 0, PLOY_BT_SEQUENCE, 0, NULL},
    {"hurt", 1, PLOY_BT_CONDITION, 0, NULL},
    {"hide", 1, PLOY_BT_LEAF, 1.0f, NULL},
    {"heal", 1, PLOY_BT_LEAF, 1.5f, "hurt"},
    {"fight", 0, PLOY_BT_REACTIVE_SEQUENCE, 0, NULL},
    {"foe", 5, PLOY_BT_CONDITION, 0, NULL},
    {"attack", 5, PLOY_BT_FALLBACK, 0, NULL},
    {"shoot", 7, PLOY_BT_SEQUENCE, 0, NULL},
    {"ammo", 8, PLOY_BT_CONDITION, 0, NULL},
    {"fire", 8, PLOY_BT_LEAF, 0.8f, "ammo"},
    {"charge", 7, PLOY_BT_LEAF, 1.2f, "foe"},
    {"search", 0, PLOY_BT_SEQUENCE, 0, NULL},
    {"noise", 12, PLOY_BT_CONDITION, 0, NULL},
    {"look", 12, PLOY_BT_LEAF, 2.0f, "noise"},
    {"wait", 0, PLOY_BT_SHUFFLED_FALLBACK, 0, NULL},
    {"walk", 15, PLOY_BT_LEAF, 2.5f, NULL},
    {"rest", 15, PLOY_BT_LEAF, 1.5f, NULL},
    {"", -2, PLOY_BT_LEAF, 0, NULL}, // ends the list
};

// What a branch can be, and the sign beside it.
static const struct {
    ploy_bt_kind kind;
    const char *sign;
} tree_kinds[] = {{PLOY_BT_SEQUENCE, "->"},
                  {PLOY_BT_FALLBACK, "?"},
                  {PLOY_BT_REACTIVE_SEQUENCE, "R ->"},
                  {PLOY_BT_REACTIVE_FALLBACK, "R ?"},
                  {PLOY_BT_SHUFFLED_FALLBACK, "~ ?"}};
enum { TREE_KINDS = sizeof tree_kinds / sizeof tree_kinds[0] };

static bool tree_is_branch(int32_t part) {
    return tree_parts[part].kind != PLOY_BT_LEAF && tree_parts[part].kind != PLOY_BT_CONDITION;
}

static int32_t tree_siblings(int32_t parent) {
    int32_t siblings = 0;
    for (int32_t i = 0; i < TREE_PARTS - 1; i++) siblings += tree_parts[i].parent == parent;
    return siblings;
}

static int32_t tree_part_named(const char *name) {
    int32_t part = 0;
    while (part < TREE_PARTS - 1 && strcmp(tree_parts[part].name, name) != 0) part++;
    return part;
}

// An action that takes its time; how long, and whose it is, stands in its ports.
static ploy_result tree_act(ploy_bt_call *call, ploy_status *status) {
    const tree_lab *lab = call->context->world;
    float *done = call->state;
    ploy_value seconds, part;
    ploy_result result = ploy_bt_port_get(call, 0, &seconds);
    if (result == PLOY_OK) result = ploy_bt_port_get(call, 1, &part);
    if (result != PLOY_OK) return result;
    *done += call->context->dt * lab->def.pace;
    *status = *done < seconds.as.f32    ? PLOY_STATUS_RUNNING
              : lab->fails[part.as.i64] ? PLOY_STATUS_FAILURE
                                        : PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

static const ploy_bt_port tree_act_ports[] = {{"seconds", PLOY_VALUE_F32, false},
                                              {"part", PLOY_VALUE_I64, false}};
static const ploy_bt_leaf tree_act_leaf = {.name = "act",
                                           .step = tree_act,
                                           .ports = tree_act_ports,
                                           .port_count = 2,
                                           .state_size = (int32_t)sizeof(float)};

static void tree_add_action(ploy_bt_builder *builder, int32_t number) {
    const tree_part *part = &tree_parts[number];
    ploy_bt_bind binds[2] = {{"seconds", NULL, ploy_value_f32(part->seconds)},
                             {"part", NULL, ploy_value_i64(number)}};
    ploy_bt_add_leaf(builder, &tree_act_leaf, part->name, NULL, binds, 2);
    if (part->ends == NULL) return;
    ploy_bt_effect effect = ploy_bt_effect_make(part->ends, ploy_value_bool(false));
    ploy_bt_then(builder, PLOY_BT_ON_SUCCESS, &effect);
}

static void tree_add_condition(ploy_bt_builder *builder, const char *key) {
    ploy_bt_node_def def = ploy_bt_node_make(PLOY_BT_CONDITION, key);
    def.condition = ploy_bt_condition_make(key, PLOY_BT_EQUAL, ploy_value_bool(true));
    ploy_bt_add_node(builder, &def);
}

// The child of that rank, or -1.
static int32_t tree_child(const tree_lab *lab, int32_t parent, int32_t rank) {
    for (int32_t i = 0; i < TREE_PARTS - 1; i++) {
        if (tree_parts[i].parent == parent && lab->ranks[i] == rank) return i;
    }
    return -1;
}

// As deep as the parts.
static void tree_add(const tree_lab *lab, int32_t number, ploy_bt_builder *builder) {
    const tree_part *part = &tree_parts[number];
    if (part->kind == PLOY_BT_LEAF) {
        tree_add_action(builder, number);
    } else if (part->kind == PLOY_BT_CONDITION) {
        tree_add_condition(builder, part->name);
    } else {
        ploy_bt_open(builder, tree_kinds[lab->kinds[number]].kind, part->name);
        for (int32_t rank = 0; rank < tree_siblings(number); rank++) {
            int32_t child = tree_child(lab, number, rank);
            if (!lab->cut[child]) tree_add(lab, child, builder);
        }
        ploy_bt_close(builder);
    }
}

static ploy_result tree_build(const tree_lab *lab, const ploy_env *env, ploy_bt **out) {
    ploy_bt_builder *builder = NULL;
    ploy_result result = ploy_bt_builder_create("guard", lab->layout, env, &builder);
    if (result != PLOY_OK) return result;
    tree_add(lab, 0, builder);
    result = ploy_bt_build(builder, NULL, out);
    ploy_bt_builder_destroy(builder);
    return result;
}

// Leaves side by side from the left, parents above the middle of their children.
static float tree_place(tree_lab *lab, int32_t node, float *x) {
    ploy_bt_node_info info;
    ploy_bt_get_node(lab->bt, node, &info);
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
        ploy_bt_get_node(lab->bt, child, &at);
        child = at.end;
    }
    float middle = (first + last) / 2.0f;
    lab->places[node] = ploy_vec2_make(middle, -tree_level * (float)info.depth);
    return middle;
}

// Builds the tree of the present edits and one character's place in it. Nothing has changed if it
// fails.
static ploy_result tree_make(tree_lab *lab, const ploy_env *env) {
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    ploy_bt *bt = NULL;
    ploy_bt_instance *instance = NULL;
    def.watch = true;
    ploy_result result = tree_build(lab, env, &bt);
    if (result == PLOY_OK) result = ploy_bt_instance_create(&def, bt, NULL, env, &instance);
    if (result != PLOY_OK) {
        ploy_bt_destroy(bt);
        return result;
    }
    ploy_bt_instance_destroy(lab->instance);
    ploy_bt_destroy(lab->bt);
    lab->bt = bt;
    lab->instance = instance;
    float x = -17.5f;
    tree_place(lab, 0, &x);
    return PLOY_OK;
}

static ploy_result tree_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                   void **out) {
    (void)key;
    tree_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    for (int32_t i = 0; i < TREE_PARTS - 1; i++) {
        for (int32_t k = 0; k < i; k++)
            lab->ranks[i] += tree_parts[k].parent == tree_parts[i].parent;
        for (uint8_t k = 0; k < TREE_KINDS; k++) {
            if (tree_kinds[k].kind == tree_parts[i].kind) lab->kinds[i] = k;
        }
    }
    ploy_result result =
        ploy_blackboard_layout_create(tree_keys, TREE_KEYS, "guard", env, NULL, &lab->layout);
    if (result == PLOY_OK) result = ploy_blackboard_create(lab->layout, env, &lab->board);
    if (result == PLOY_OK) result = tree_make(lab, env);
    if (result != PLOY_OK) return result;
    *out = lab;
    return PLOY_OK;
}

// ---- step ----

static void tree_turn(tree_lab *lab, ploy_slot slot) {
    bool now = ploy_blackboard_get_bool(lab->board, slot);
    ploy_blackboard_set_bool(lab->board, slot, !now);
}

// Moves a part one place to the right, the last one to the front.
static void tree_shift(tree_lab *lab, int32_t part) {
    int32_t from = lab->ranks[part], to = (from + 1) % tree_siblings(tree_parts[part].parent);
    for (int32_t i = 0; i < TREE_PARTS - 1; i++) {
        if (tree_parts[i].parent != tree_parts[part].parent || i == part) continue;
        if (to > from && lab->ranks[i] == to) {
            lab->ranks[i] = from;
        } else if (to < from) {
            lab->ranks[i]++;
        }
    }
    lab->ranks[part] = to;
}

// Edits a branch as the parameter says, or, for no part, puts everything back that was taken out.
// Nothing has changed if it fails.
static ploy_result tree_edit(tree_lab *lab, int32_t part) {
    tree_lab before = *lab;
    if (part < 0) {
        memset(lab->cut, 0, sizeof lab->cut);
    } else if (lab->def.edit == TREE_EDIT_KIND) {
        lab->kinds[part] = (uint8_t)((lab->kinds[part] + 1) % TREE_KINDS);
    } else if (part > 0 && lab->def.edit == TREE_EDIT_CUT) {
        lab->cut[part] = true;
    } else if (part > 0 && lab->def.edit == TREE_EDIT_MOVE) {
        tree_shift(lab, part);
    } else {
        return PLOY_OK; // the root stays where it is
    }
    ploy_result result = tree_make(lab, &lab->env);
    if (result != PLOY_OK) {
        *lab = before;
        return result;
    }
    lab->edits++;
    return PLOY_OK;
}

static ploy_result tree_clicked(tree_lab *lab, ploy_vec2 at) {
    for (int32_t i = 0; i < ploy_bt_node_count(lab->bt); i++) {
        ploy_bt_node_info info;
        ploy_bt_get_node(lab->bt, i, &info);
        float dx = at.x - lab->places[i].x, dy = at.y - lab->places[i].y;
        if (!(dx >= -1.65f && dx <= 1.65f && dy >= -tree_half && dy <= tree_half)) continue;
        int32_t part = tree_part_named(info.name);
        ploy_slot slot = ploy_blackboard_layout_find(lab->layout, info.name);
        if (!ploy_slot_is_none(slot)) {
            tree_turn(lab, slot);
        } else if (tree_parts[part].kind == PLOY_BT_LEAF) {
            lab->fails[part] = !lab->fails[part];
        } else {
            return tree_edit(lab, part);
        }
        return PLOY_OK;
    }
    return PLOY_OK;
}

static ploy_result tree_lab_step(void *state, const ploy_sim_context *context) {
    tree_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->tick = context->tick;
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_COMMAND) continue;
        if (strcmp(input->name, "click") == 0) {
            ploy_vec2 at = ploy_vec2_make(input->value.as.vec[0], input->value.as.vec[1]);
            ploy_result result = tree_clicked(lab, at);
            if (result != PLOY_OK) return result;
        } else if (strcmp(input->name, "whole") == 0) {
            ploy_result result = tree_edit(lab, -1);
            if (result != PLOY_OK) return result;
        } else {
            ploy_slot slot = ploy_blackboard_layout_find(lab->layout, input->name);
            if (!ploy_slot_is_none(slot)) tree_turn(lab, slot);
        }
    }
    for (uint32_t i = 0; lab->def.events_on && i < TREE_KEYS; i++) {
        float chance = lab->def.events * context->dt / (float)TREE_KEYS;
        ploy_slot slot = {i + 1};
        if (ploy_rng_float_at(context->key, i, context->tick, 0) < chance) tree_turn(lab, slot);
    }
    ploy_step_context step;
    memset(&step, 0, sizeof step);
    step.tick = context->tick;
    step.now = (double)context->tick * (double)context->dt;
    step.dt = context->dt;
    step.agent = ploy_agent_id_make(1, 1);
    step.blackboard = lab->board;
    step.trace = context->trace;
    step.key = context->key;
    step.world = lab;
    ploy_status status;
    return ploy_bt_instance_step(lab->instance, &step, &status);
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
    ploy_bt_get_node(lab->bt, node, &info);
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
    int32_t part = tree_part_named(info.name);
    if (tree_is_branch(part)) {
        ploy_draw_text(out, guard, ploy_vec2_make(at.x - half + 0.1f, at.y + tree_half + 0.15f),
                       tree_kinds[lab->kinds[part]].sign);
    }
    if (lab->fails[part]) { // a cross: it will fail
        float size = 0.35f, y = at.y - 1.2f;
        ploy_draw_line(out, PLOY_LAYER_AGENTS, PLOY_STYLE_BAD, guard,
                       ploy_vec2_make(at.x - size, y - size),
                       ploy_vec2_make(at.x + size, y + size));
        ploy_draw_line(out, PLOY_LAYER_AGENTS, PLOY_STYLE_BAD, guard,
                       ploy_vec2_make(at.x - size, y + size),
                       ploy_vec2_make(at.x + size, y - size));
    }
    ploy_slot slot = ploy_blackboard_layout_find(lab->layout, info.name);
    if (ploy_slot_is_none(slot)) return;
    bool holds = ploy_blackboard_get_bool(lab->board, slot);
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, holds ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD, guard,
                   ploy_vec2_make(at.x, at.y - 1.2f), 0.25f, holds ? 1.0f : 0.3f);
}

static void tree_lab_draw(const void *state, ploy_draw *out) {
    const tree_lab *lab = state;
    for (int32_t i = 0; i < ploy_bt_node_count(lab->bt); i++) tree_draw_node(lab, i, out);
}

static void tree_lab_describe(const void *state, ploy_describe *out) {
    const tree_lab *lab = state;
    ploy_describe_begin_agent(out, "guard", ploy_agent_id_make(1, 1));
    ploy_describe_begin(out, "knows");
    ploy_blackboard_describe(lab->board, out);
    ploy_describe_end(out);
    if (lab->edits > 0) ploy_describe_i64(out, "edits", PLOY_STATE, lab->edits);
    for (int32_t i = 0; i < TREE_PARTS - 1; i++) {
        if (lab->fails[i]) ploy_describe_bool(out, tree_parts[i].name, PLOY_STATE, true);
        if (lab->cut[i]) ploy_describe_text(out, tree_parts[i].name, PLOY_STATE, "taken out");
        ploy_bt_kind kind = tree_kinds[lab->kinds[i]].kind;
        if (tree_is_branch(i) && kind != tree_parts[i].kind) {
            ploy_describe_text(out, tree_parts[i].name, PLOY_STATE, ploy_bt_kind_text(kind));
        }
    }
    ploy_describe_begin(out, "tree");
    ploy_bt_instance_describe(lab->instance, out);
    ploy_describe_end(out);
    ploy_describe_end(out);
}

static const ploy_command tree_lab_commands[] = {
    {"click", "turn a condition or an action's answer, edit a branch", PLOY_VALUE_VEC2, false,
     "Pointer"},
    {"whole", "put back what was taken out", PLOY_VALUE_NONE, false, "w"},
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
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
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
};
