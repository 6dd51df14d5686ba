// A tree of goals in a file, by the names of their types.
//
//     { "status": "active",
//       "goals": [ { "goal": "buy sword", "depth": 1, "status": "active", "replans": 1,
//                    "replanned": 3.5, "params": ["00ff"], "data": [] },
//                  { "goal": "follow path", "depth": 2, "status": "active",
//                    "own": what the type's save wrote } ] }
//
// Goals stand in the order of lines, so that the parent of one is the last before it that lies one
// level higher. Bytes leave out the zeros at their end. Of the flags suspended, repeat and reported
// only those that are set are written.
//
// A goal that cannot be taken up goes with all below it, and the goal that wanted it plans again.
#include "goals_internal.h"

#include <string.h>

static const char *const goals_save_flags[] = {"suspended", "repeat", "reported"};

static void goals_save_bytes(ploy_json_writer *out, const char *key, const void *bytes,
                             size_t size) {
    while (size > 0 && ((const unsigned char *)bytes)[size - 1] == 0) size--;
    ploy_json_write_key(out, key);
    ployi_save_bytes(out, bytes, size);
}

static void goals_save_node(const ploy_goals *goals, int32_t index, ploy_json_writer *out) {
    const ployi_goals_node *node = &goals->nodes[index];
    const uint8_t flags[] = {node->suspended, node->repeat, node->reported};
    ploy_json_write_begin_object(out);
    ployi_save_text(out, "goal", node->type->name);
    ployi_save_u64(out, "depth", (uint64_t)node->depth);
    ployi_save_text(out, "status", ploy_goal_status_text((ploy_goal_status)node->status));
    for (size_t i = 0; i < sizeof flags; i++) {
        if (flags[i] != 0) ployi_save_bool(out, goals_save_flags[i], true);
    }
    if (node->replans > 0) {
        ployi_save_u64(out, "replans", (uint64_t)node->replans);
        ployi_save_f64(out, "replanned", node->replanned);
    }
    if (node->type->save != NULL) {
        ploy_json_write_key(out, "own");
        node->type->save(node->params, node->data, out);
    } else {
        goals_save_bytes(out, "params", node->params, sizeof node->params);
        goals_save_bytes(out, "data", node->data, sizeof node->data);
    }
    const ploy_nested *nested = ployi_goals_nested_of(goals, index);
    if (nested != NULL) {
        ploy_json_write_key(out, "behavior");
        ploy_nested_save(nested, out);
    }
    ploy_json_write_end_object(out);
}

void ployi_goals_save(const void *self, ploy_json_writer *out) {
    const ploy_goals *goals = self;
    ploy_json_write_begin_object(out);
    ployi_save_text(out, "status", ploy_goal_status_text((ploy_goal_status)goals->nodes[0].status));
    ploy_json_write_key(out, "goals");
    ploy_json_write_begin_array(out);
    for (int32_t i = ployi_goals_after(goals, 0); i >= 0; i = ployi_goals_after(goals, i)) {
        goals_save_node(goals, i, out);
    }
    ploy_json_write_end_array(out);
    ploy_json_write_end_object(out);
}

// ---- loading ----

static const ploy_goal_type *goals_load_type(const ploy_goals *goals, const char *name) {
    for (int32_t i = 0; i < goals->known.count; i++) {
        const ploy_goal_type *type = PLOY_ARRAY_ITEMS(&goals->known, const ploy_goal_type *)[i];
        if (strcmp(type->name, name) == 0) return type;
    }
    return NULL;
}

ploy_result ploy_goals_register(ploy_goals *goals, const ploy_goal_type *const *types,
                                int32_t count) {
    if (goals == NULL || count < 0 || (count > 0 && types == NULL)) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < count; i++) {
        if (types[i] == NULL || types[i]->name == NULL) return PLOY_ERR_ARGUMENT;
        const ploy_goal_type *known = goals_load_type(goals, types[i]->name);
        for (int32_t k = 0; k < i && known == NULL; k++) {
            if (strcmp(types[k]->name, types[i]->name) == 0) known = types[k];
        }
        if (known != NULL && known != types[i]) return PLOY_ERR_EXISTS;
    }
    ploy_result result = ploy_array_reserve(&goals->known, goals->known.count + count);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < count; i++) {
        if (goals_load_type(goals, types[i]->name) != NULL) continue;
        (void)ploy_array_push(&goals->known, &types[i]); // there is room
    }
    return PLOY_OK;
}

static bool goals_load_status(const ploy_json *doc, ploy_json_node node, uint8_t *out) {
    const char *text = ploy_json_text(doc, node, NULL);
    for (int32_t i = PLOY_GOAL_INACTIVE; i <= PLOY_GOAL_FAILED; i++) {
        if (strcmp(text, ploy_goal_status_text((ploy_goal_status)i)) != 0) continue;
        *out = (uint8_t)i;
        return true;
    }
    return false;
}

// Bytes that may be fewer than there is room for.
static bool goals_load_bytes(const ploy_json *doc, ploy_json_node object, const char *key,
                             void *bytes, size_t room) {
    ploy_json_node saved = ploy_json_member(doc, object, key);
    size_t digits = 0;
    for (int32_t i = 0; i < ploy_json_count(doc, saved); i++) {
        size_t length = 0;
        (void)ploy_json_text(doc, ploy_json_at(doc, saved, i), &length);
        digits += length;
        if (digits > 2 * room) return false;
    }
    return ployi_load_bytes(doc, saved, bytes, digits / 2);
}

typedef struct goals_load {
    ploy_goals *goals;
    ploy_step_context *context;
    const ploy_json *doc;
    ploy_diags *diags;
    int32_t at[PLOY_GOAL_DEPTH_MAX + 1]; // the last goal of each level; PLOYI_GOALS_NONE: dropped
    int32_t depth;                       // of the goal before
} goals_load;

static void goals_load_lose(const goals_load *load, ploy_json_node item, const char *why) {
    ploy_behavior_lost(load->doc, item, load->diags, "goal",
                       ploy_json_text(load->doc, ploy_json_member(load->doc, item, "goal"), NULL),
                       why);
}

// A goal that lost one of its own plans again. The root only goes on to the next.
static void goals_load_replan(const goals_load *load, int32_t parent) {
    ployi_goals_node *node = &load->goals->nodes[parent];
    if (parent > 0 && node->status == PLOY_GOAL_ACTIVE) {
        ploy_goal goal = {{(uint32_t)parent, node->generation}};
        ploy_goals_clear(load->goals, load->context, goal);
        node->status = PLOY_GOAL_INACTIVE;
        node->suspended = 0;
    }
}

// Continues the behavior of a goal that was active; one that is not any more begins again.
static ploy_result goals_load_nested(const goals_load *load, int32_t index, ploy_json_node item) {
    ployi_goals_node *node = &load->goals->nodes[index];
    ploy_nested *nested = ployi_goals_nested_of(load->goals, index);
    ploy_json_node saved = ploy_json_member(load->doc, item, "behavior");
    if (nested == NULL || node->status != PLOY_GOAL_ACTIVE || node->suspended != 0) return PLOY_OK;
    if (ploy_json_type_of(load->doc, saved) != PLOY_JSON_OBJECT) {
        node->status = PLOY_GOAL_INACTIVE; // it was not entered, or the type had none then
        return PLOY_OK;
    }
    return ploy_nested_load(nested, &load->goals->env, node->type->name, load->context, load->doc,
                            saved, load->diags);
}

// Fills one goal that was put in its place. @return PLOY_ERR_FORMAT if it means nothing.
static ploy_result goals_load_fill(const goals_load *load, int32_t index, ploy_json_node item) {
    ployi_goals_node *node = &load->goals->nodes[index];
    const ploy_json *doc = load->doc;
    uint8_t *flags[] = {&node->suspended, &node->repeat, &node->reported};
    uint64_t replans = 0;
    if (!goals_load_status(doc, ploy_json_member(doc, item, "status"), &node->status)) {
        return PLOY_ERR_FORMAT;
    }
    for (size_t i = 0; i < 3; i++) {
        *flags[i] = ployi_load_bool(doc, item, goals_save_flags[i]) ? 1 : 0;
    }
    if (node->type->once && node->repeat != 0) return PLOY_ERR_FORMAT;
    ployi_load_u64(doc, item, "replans", &replans);
    node->replans = replans <= INT32_MAX ? (int32_t)replans : 0;
    (void)ployi_load_f64(doc, item, "replanned", &node->replanned);
    if (node->type->load != NULL) {
        ploy_goal_turn turn = ployi_goals_turn(load->goals, index, load->context);
        ploy_result result =
            node->type->load(&turn, node->params, doc, ploy_json_member(doc, item, "own"));
        if (result != PLOY_OK) return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
        return goals_load_nested(load, index, item);
    }
    bool fits = node->type->save == NULL &&
                goals_load_bytes(doc, item, "params", node->params, sizeof node->params) &&
                goals_load_bytes(doc, item, "data", node->data, sizeof node->data);
    return fits ? goals_load_nested(load, index, item) : PLOY_ERR_FORMAT;
}

// Takes up one goal. @return what is wrong with it, or NULL; *result is an error that ends it all.
static const char *goals_load_goal(goals_load *load, ploy_json_node item, int32_t depth,
                                   ploy_result *result) {
    ploy_goals *goals = load->goals;
    const char *name = ploy_json_text(load->doc, ploy_json_member(load->doc, item, "goal"), NULL);
    const ploy_goal_type *type = goals_load_type(goals, name);
    if (type == NULL) return "is of a type that is not known";
    int32_t above = load->at[depth - 1];
    if (above > 0 && !goals->nodes[above].type->composite)
        return "is below a goal without subgoals";
    ploy_goal parent = {{(uint32_t)above, goals->nodes[above].generation}}, goal;
    ploy_result added =
        ploy_goals_add(goals, load->context, parent, PLOY_GOAL_REAR, type, NULL, 0, &goal);
    if (added != PLOY_OK) return "has no room";
    int32_t index = (int32_t)goal.id.index;
    ploy_result filled = goals_load_fill(load, index, item);
    if (filled == PLOY_OK) {
        load->at[depth] = index;
        return NULL;
    }
    // Terminated as it is, with zeros for what it did not get: no hook may count on more.
    (void)ploy_goals_remove(goals, load->context, goal);
    if (filled != PLOY_ERR_FORMAT) *result = filled;
    return "has values that mean nothing";
}

ploy_result ployi_goals_load(void *self, ploy_step_context *context, const ploy_json *doc,
                             ploy_json_node state, ploy_diags *diags) {
    ploy_goals *goals = self;
    if (goals->count > 0) return PLOY_ERR_STATE;
    ployi_goals_own(goals, context);
    goals_load load = {goals, context, doc, diags, {0}, 0};
    ploy_json_node saved = ploy_json_member(doc, state, "goals");
    ploy_result result = PLOY_OK;
    (void)goals_load_status(doc, ploy_json_member(doc, state, "status"), &goals->nodes[0].status);
    for (int32_t i = 0; i < ploy_json_count(doc, saved) && result == PLOY_OK; i++) {
        ploy_json_node item = ploy_json_at(doc, saved, i);
        uint64_t depth = 0;
        ployi_load_u64(doc, item, "depth", &depth);
        bool placed =
            depth >= 1 && depth <= (uint64_t)load.depth + 1 && depth <= PLOY_GOAL_DEPTH_MAX;
        if (!placed) {
            goals_load_lose(&load, item, "is at no level: dropped");
            continue;
        }
        load.depth = (int32_t)depth;
        load.at[depth] = PLOYI_GOALS_NONE;
        if (load.at[depth - 1] == PLOYI_GOALS_NONE) continue; // told with what it lies below
        const char *wrong = goals_load_goal(&load, item, load.depth, &result);
        if (wrong == NULL) continue;
        goals_load_lose(&load, item, wrong);
        // What else the parent wants comes with its new plan.
        int32_t parent = load.at[depth - 1];
        if (parent == 0) continue;
        goals_load_replan(&load, parent);
        load.at[depth - 1] = PLOYI_GOALS_NONE;
    }
    return result;
}
