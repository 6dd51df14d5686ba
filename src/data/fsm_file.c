// State machines as text; the format is described in the header.
//
// Names are looked up before anything is built from them, so that a fault has a place in the file;
// what the builder itself refuses in spite of that is out of memory or too much. After the first
// fault building goes on, to find the others, and its result is thrown away.
#include "ploy/data/fsm_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ploy/base/fields_json.h"
#include "ploy/base/json.h"
#include "ploy/base/name.h"

typedef struct fsm_file {
    const ploy_json *doc;
    ploy_diags *diags;
    const ploy_fsm_palette *palette;
    ploy_fsm_type *type;
    ploy_conditions *set;
    int32_t faults;
    ploy_result result; // of what is no fault of the file
} fsm_file;

static void fsm_file_fault(fsm_file *file, ploy_json_node node, const char *message,
                           const char *expected, const char *nearest) {
    file->faults++;
    ploy_json_fault(file->doc, node, file->diags, message, expected, nearest);
}

static void fsm_file_check_keys(fsm_file *file, ploy_json_node node, const char *const *keys,
                                int32_t count) {
    file->faults += ploy_json_check_keys(file->doc, node, keys, count, file->diags);
}

static bool fsm_file_is(fsm_file *file, ploy_json_node node, ploy_json_type type) {
    if (ploy_json_get_type(file->doc, node) == type) return true;
    fsm_file_fault(file, node, "the wrong kind of value", ploy_json_type_text(type), NULL);
    return false;
}

// A text without zeros in it; NULL after a fault.
static const char *fsm_file_text(fsm_file *file, ploy_json_node node) {
    size_t size = 0;
    if (!fsm_file_is(file, node, PLOY_JSON_TEXT)) return NULL;
    const char *text = ploy_json_text(file->doc, node, &size);
    if (size > 0 && strlen(text) == size) return text;
    fsm_file_fault(file, node, "not a name", "a name", NULL);
    return NULL;
}

// The text of a member; NULL if there is none, which is a fault if it is needed.
static const char *fsm_file_member(fsm_file *file, ploy_json_node object, const char *key,
                                   bool needed) {
    ploy_json_node node = ploy_json_member(file->doc, object, key);
    if (!ploy_json_is_none(node)) return fsm_file_text(file, node);
    if (needed) fsm_file_fault(file, object, "a member is missing", key, NULL);
    return NULL;
}

// Which of some words it is; -1 after a fault.
static int32_t fsm_file_choice(fsm_file *file, ploy_json_node node, const char *const *words,
                               int32_t count) {
    const char *text = fsm_file_text(file, node);
    if (text == NULL) return -1;
    ploy_nearest nearest = ploy_nearest_make(text);
    for (int32_t i = 0; i < count; i++) {
        if (strcmp(words[i], text) == 0) return i;
        ploy_nearest_offer(&nearest, words[i]);
    }
    fsm_file_fault(file, node, "no such word here", words[0], nearest.best);
    return -1;
}

// The action that a value names; NULL after a fault.
static const ploy_fsm_action *fsm_file_action(fsm_file *file, ploy_json_node node) {
    const char *text = fsm_file_text(file, node);
    if (text == NULL) return NULL;
    ploy_nearest nearest = ploy_nearest_make(text);
    for (int32_t i = 0; i < file->palette->action_count; i++) {
        const ploy_fsm_action *action = &file->palette->actions[i];
        if (strcmp(action->name, text) == 0) return action;
        ploy_nearest_offer(&nearest, action->name);
    }
    fsm_file_fault(file, node, "no such action", NULL, nearest.best);
    return NULL;
}

// The state that a member names; none if there is no such member, or after a fault.
static ploy_fsm_state fsm_file_state(fsm_file *file, ploy_json_node object, const char *key,
                                     bool needed) {
    const char *text = fsm_file_member(file, object, key, needed);
    if (text == NULL) return ploy_fsm_state_none();
    ploy_fsm_state state = ploy_fsm_type_find(file->type, text);
    if (!ploy_fsm_state_equal(state, ploy_fsm_state_none())) return state;
    ploy_nearest nearest = ploy_nearest_make(text);
    for (int32_t i = 0; i < ploy_fsm_type_count(file->type); i++) {
        ploy_fsm_state other = {(uint32_t)i + 1};
        ploy_nearest_offer(&nearest, ploy_fsm_type_id(file->type, other));
    }
    fsm_file_fault(file, ploy_json_member(file->doc, object, key), "no such state", NULL,
                   nearest.best);
    return ploy_fsm_state_none();
}

// ---- conditions

static ploy_condition fsm_file_condition(fsm_file *file, ploy_json_node node, int32_t depth);

// The blackboard's key, its type set; false after a fault.
static bool fsm_file_key(fsm_file *file, ploy_json_node node, const char *name,
                         ploy_nearest *nearest, ploy_value_type *type) {
    const ploy_blackboard_layout *layout = file->palette->layout;
    int32_t count = layout != NULL ? ploy_blackboard_layout_count(layout) : 0;
    for (int32_t i = 0; i < count; i++) {
        ploy_slot slot = {(uint32_t)i + 1};
        const char *other = ploy_blackboard_layout_name(layout, slot);
        if (strcmp(other, name) == 0) {
            *type = ploy_blackboard_layout_type(layout, slot);
            return true;
        }
        ploy_nearest_offer(nearest, other);
    }
    fsm_file_fault(file, node, "no such test or key", NULL, nearest->best);
    return false;
}

static ploy_condition fsm_file_test(fsm_file *file, ploy_json_node node, const char *name,
                                    ploy_json_node args) {
    float numbers[PLOY_CONDITION_ARGS_MAX] = {0};
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; i < file->palette->test_count; i++) {
        const ploy_fsm_test *test = &file->palette->tests[i];
        ploy_nearest_offer(&nearest, test->name);
        if (strcmp(test->name, name) != 0) continue;
        int32_t count = 0;
        if (!ploy_json_is_none(args)) {
            if (!fsm_file_is(file, args, PLOY_JSON_ARRAY)) return ploy_condition_none();
            count = ploy_json_count(file->doc, args);
        }
        if (count != test->arity) {
            char expected[32];
            snprintf(expected, sizeof expected, "%d numbers", (int)test->arity);
            fsm_file_fault(file, node, "another number of arguments", expected, NULL);
            return ploy_condition_none();
        }
        for (int32_t k = 0; k < count; k++) {
            ploy_json_node item = ploy_json_at(file->doc, args, k);
            if (ploy_json_f32(file->doc, item, &numbers[k]) != PLOY_OK) {
                fsm_file_fault(file, item, "the wrong kind of value", "a number", NULL);
                return ploy_condition_none();
            }
        }
        return ploy_condition_named(file->set, name, numbers, count);
    }
    ploy_value_type type = PLOY_VALUE_NONE;
    if (!fsm_file_key(file, node, name, &nearest, &type)) return ploy_condition_none();
    if (type == PLOY_VALUE_BOOL && ploy_json_is_none(args)) {
        return ploy_condition_bool(file->set, name);
    }
    fsm_file_fault(file, node, "this key is no test", "a bool", NULL);
    return ploy_condition_none();
}

// One end of a range; left alone if it is not given.
static bool fsm_file_bound(fsm_file *file, ploy_json_node node, const char *key, double *out) {
    ploy_json_node bound = ploy_json_member(file->doc, node, key);
    if (ploy_json_is_none(bound) || ploy_json_f64(file->doc, bound, out) == PLOY_OK) return true;
    fsm_file_fault(file, bound, "the wrong kind of value", "a number", NULL);
    return false;
}

// The nearest whole number inward, kept within what an int64_t holds.
static int64_t fsm_file_whole(double bound) {
    if (bound >= 9.2e18) return INT64_MAX;
    if (bound <= -9.2e18) return INT64_MIN;
    return (int64_t)bound;
}

static ploy_condition fsm_file_range(fsm_file *file, ploy_json_node node) {
    double min = -(double)INFINITY, max = (double)INFINITY;
    ploy_json_node key_node = ploy_json_member(file->doc, node, "key");
    const char *key = fsm_file_text(file, key_node);
    bool bounds = fsm_file_bound(file, node, "min", &min);
    bounds = fsm_file_bound(file, node, "max", &max) && bounds;
    if (key == NULL || !bounds) return ploy_condition_none();
    ploy_nearest nearest = ploy_nearest_make(key);
    ploy_value_type type = PLOY_VALUE_NONE;
    if (!fsm_file_key(file, key_node, key, &nearest, &type)) return ploy_condition_none();
    if (min > max) {
        fsm_file_fault(file, node, "nothing lies between min and max", NULL, NULL);
        return ploy_condition_none();
    }
    if (type == PLOY_VALUE_F32 || type == PLOY_VALUE_F64) {
        return ploy_condition_range(file->set, key, min, max);
    }
    if (type == PLOY_VALUE_I64) {
        return ploy_condition_int(file->set, key, fsm_file_whole(ceil(min)),
                                  fsm_file_whole(floor(max)));
    }
    fsm_file_fault(file, key_node, "this key has no range", "a number", NULL);
    return ploy_condition_none();
}

// All or any of a list.
static ploy_condition fsm_file_join(fsm_file *file, ploy_json_node list, bool all, int32_t depth) {
    ploy_condition joined = ploy_condition_none();
    if (!fsm_file_is(file, list, PLOY_JSON_ARRAY)) return joined;
    int32_t count = ploy_json_count(file->doc, list);
    if (count == 0) fsm_file_fault(file, list, "an empty list", "conditions", NULL);
    for (int32_t i = 0; i < count; i++) {
        ploy_condition one = fsm_file_condition(file, ploy_json_at(file->doc, list, i), depth + 1);
        if (i == 0) {
            joined = one;
        } else if (file->faults == 0) {
            joined = all ? ploy_condition_and(file->set, joined, one)
                         : ploy_condition_or(file->set, joined, one);
        }
    }
    return joined;
}

static ploy_condition fsm_file_condition(fsm_file *file, ploy_json_node node, int32_t depth) {
    static const char *const keys[] = {"not", "all", "any", "test", "key", "after"};
    static const char *const more[] = {"not",   "all",  "any", "test", "key",
                                       "after", "args", "min", "max"};
    ploy_condition none = ploy_condition_none();
    ploy_json_node nothing = ploy_json_member(file->doc, node, "");
    if (depth > PLOY_FSM_FILE_DEPTH_MAX) {
        fsm_file_fault(file, node, "conditions nest too deep", NULL, NULL);
        return none;
    }
    if (ploy_json_get_type(file->doc, node) == PLOY_JSON_TEXT) {
        const char *name = fsm_file_text(file, node);
        return name != NULL ? fsm_file_test(file, node, name, nothing) : none;
    }
    if (!fsm_file_is(file, node, PLOY_JSON_OBJECT)) return none;
    fsm_file_check_keys(file, node, more, (int32_t)(sizeof more / sizeof more[0]));
    int32_t found = -1, parts = 0;
    for (int32_t i = 0; i < (int32_t)(sizeof keys / sizeof keys[0]); i++) {
        if (ploy_json_is_none(ploy_json_member(file->doc, node, keys[i]))) continue;
        found = i;
        parts++;
    }
    if (parts != 1) {
        fsm_file_fault(file, node, "not a condition",
                       "one of 'not', 'all', 'any', 'test', 'key', 'after'", NULL);
        return none;
    }
    ploy_json_node value = ploy_json_member(file->doc, node, keys[found]);
    double seconds = 0.0;
    switch (found) {
    case 0: {
        ploy_condition inner = fsm_file_condition(file, value, depth + 1);
        return file->faults == 0 ? ploy_condition_not(file->set, inner) : none;
    }
    case 1:
    case 2: return fsm_file_join(file, value, found == 1, depth);
    case 3: {
        const char *name = fsm_file_text(file, value);
        ploy_json_node args = ploy_json_member(file->doc, node, "args");
        return name != NULL ? fsm_file_test(file, value, name, args) : none;
    }
    case 4: return fsm_file_range(file, node);
    default:
        if (ploy_json_f64(file->doc, value, &seconds) != PLOY_OK || !(seconds >= 0.0)) {
            fsm_file_fault(file, value, "not a time", "seconds", NULL);
            return none;
        }
        return ploy_condition_elapsed(file->set, seconds);
    }
}

// ---- states and rules

static void fsm_file_read_state(fsm_file *file, ploy_json_node node) {
    static const char *const keys[] = {"id", "do", "final"};
    static const char *const ends[] = {"success", "failure"};
    static const ploy_status statuses[] = {PLOY_STATUS_SUCCESS, PLOY_STATUS_FAILURE};
    if (!fsm_file_is(file, node, PLOY_JSON_OBJECT)) return;
    fsm_file_check_keys(file, node, keys, 3);
    const char *id = fsm_file_member(file, node, "id", true);
    ploy_json_node what = ploy_json_member(file->doc, node, "do");
    ploy_json_node final = ploy_json_member(file->doc, node, "final");
    const ploy_fsm_action *action = ploy_json_is_none(what) ? NULL : fsm_file_action(file, what);
    if (id == NULL) return;
    if (!ploy_fsm_state_equal(ploy_fsm_type_find(file->type, id), ploy_fsm_state_none())) {
        fsm_file_fault(file, ploy_json_member(file->doc, node, "id"), "two states have this id",
                       NULL, NULL);
        return;
    }
    ploy_fsm_state state =
        ploy_fsm_type_state(file->type, id, action != NULL ? &action->hooks : NULL,
                            action != NULL ? action->inside : ploy_maker_none());
    if (ploy_fsm_state_equal(state, ploy_fsm_state_none())) {
        file->result = ploy_fsm_type_finish(file->type, state); // which tells of the first fault
        return;
    }
    if (ploy_json_is_none(final)) return;
    int32_t end = fsm_file_choice(file, final, ends, 2);
    if (end >= 0) (void)ploy_fsm_type_set_final(file->type, state, statuses[end]);
}

static void fsm_file_read_rule(fsm_file *file, ploy_json_node node) {
    static const char *const keys[] = {"id", "from", "to", "when", "on", "priority", "effect"};
    static const char *const effects[] = {"go", "push", "pop", "revert", "stay"};
    static const ploy_fsm_effect values[] = {PLOY_FSM_GO, PLOY_FSM_PUSH, PLOY_FSM_POP,
                                             PLOY_FSM_REVERT, PLOY_FSM_STAY};
    if (!fsm_file_is(file, node, PLOY_JSON_OBJECT)) return;
    fsm_file_check_keys(file, node, keys, (int32_t)(sizeof keys / sizeof keys[0]));
    ploy_json_node effect = ploy_json_member(file->doc, node, "effect");
    ploy_json_node when = ploy_json_member(file->doc, node, "when");
    ploy_json_node priority = ploy_json_member(file->doc, node, "priority");
    int32_t which = ploy_json_is_none(effect) ? 0 : fsm_file_choice(file, effect, effects, 5);
    bool goes = which == 0 || which == 1;
    ploy_json_node to = ploy_json_member(file->doc, node, "to");
    if (which > 1 && !ploy_json_is_none(to)) {
        fsm_file_fault(file, to, "a rule with this effect goes nowhere", NULL, NULL);
    }
    ploy_fsm_rule rule = ploy_fsm_rule_make(
        fsm_file_member(file, node, "id", true), fsm_file_state(file, node, "from", false),
        ploy_json_is_none(when) ? ploy_condition_none() : fsm_file_condition(file, when, 0),
        goes ? fsm_file_state(file, node, "to", true) : ploy_fsm_state_none());
    rule.on = fsm_file_member(file, node, "on", false);
    if (which >= 0) rule.effect = values[which];
    int64_t number = 0;
    if (!ploy_json_is_none(priority)) {
        bool fine = ploy_json_i64(file->doc, priority, &number) == PLOY_OK && number >= -1000000 &&
                    number <= 1000000;
        if (!fine) fsm_file_fault(file, priority, "not a priority", "a whole number", NULL);
        rule.priority = fine ? (int32_t)number : 0;
    }
    file->result = ploy_conditions_result(file->set);
    if (file->faults > 0 || file->result != PLOY_OK) return; // nothing will come of it
    ploy_result result = ploy_fsm_type_add(file->type, &rule);
    if (result == PLOY_ERR_EXISTS) {
        fsm_file_fault(file, ploy_json_member(file->doc, node, "id"), "two rules have this id",
                       NULL, NULL);
    } else if (result != PLOY_OK) {
        file->result = result;
    }
}

static void fsm_file_each(fsm_file *file, ploy_json_node root, const char *key, int32_t most,
                          bool needed, void (*read)(fsm_file *file, ploy_json_node node)) {
    ploy_json_node list = ploy_json_member(file->doc, root, key);
    if (ploy_json_is_none(list)) {
        if (needed) fsm_file_fault(file, root, "a member is missing", key, NULL);
        return;
    }
    if (!fsm_file_is(file, list, PLOY_JSON_ARRAY)) return;
    int32_t count = ploy_json_count(file->doc, list);
    if (count > most) {
        fsm_file_fault(file, list, "too many of them", NULL, NULL);
        file->result = PLOY_ERR_LIMIT;
        return;
    }
    for (int32_t i = 0; i < count && file->result == PLOY_OK; i++) {
        read(file, ploy_json_at(file->doc, list, i));
    }
}

static ploy_result fsm_file_register(fsm_file *file) {
    for (int32_t i = 0; i < file->palette->test_count; i++) {
        const ploy_fsm_test *test = &file->palette->tests[i];
        ploy_result result =
            ploy_conditions_register(file->set, test->name, test->fn, test->user, test->arity);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result fsm_file_read(fsm_file *file, const ploy_env *env) {
    static const char *const keys[] = {"initial", "states", "rules", "global", "idle", "settings"};
    ploy_json_node root = ploy_json_root(file->doc);
    if (!fsm_file_is(file, root, PLOY_JSON_OBJECT)) return PLOY_ERR_FORMAT;
    fsm_file_check_keys(file, root, keys, (int32_t)(sizeof keys / sizeof keys[0]));
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_json_node settings = ploy_json_member(file->doc, root, "settings");
    if (!ploy_json_is_none(settings) && ploy_fields_load_json(ploy_fsm_fields(), &def, file->doc,
                                                              settings, file->diags) != PLOY_OK) {
        file->faults++;
    }
    ploy_result result = ploy_fsm_type_create(&def, file->palette->layout, env, &file->type);
    if (result != PLOY_OK) return result;
    file->set = ploy_fsm_type_conditions(file->type);
    result = fsm_file_register(file);
    if (result != PLOY_OK) return result;
    fsm_file_each(file, root, "states", PLOY_FSM_FILE_STATES_MAX, true, fsm_file_read_state);
    fsm_file_each(file, root, "rules", PLOY_FSM_FILE_RULES_MAX, false, fsm_file_read_rule);
    ploy_json_node global = ploy_json_member(file->doc, root, "global");
    if (!ploy_json_is_none(global)) {
        const ploy_fsm_action *action = fsm_file_action(file, global);
        if (action != NULL) (void)ploy_fsm_type_set_global(file->type, &action->hooks);
    }
    ploy_fsm_state idle = fsm_file_state(file, root, "idle", false);
    if (!ploy_fsm_state_equal(idle, ploy_fsm_state_none())) {
        (void)ploy_fsm_type_set_idle(file->type, idle);
    }
    ploy_fsm_state initial = fsm_file_state(file, root, "initial", true);
    if (file->result != PLOY_OK) return file->result;
    if (file->faults > 0) return PLOY_ERR_FORMAT;
    return ploy_fsm_type_finish(file->type, initial);
}

static bool fsm_file_palette_fits(const ploy_fsm_palette *palette) {
    if (palette == NULL || palette->action_count < 0 || palette->test_count < 0) return false;
    for (int32_t i = 0; i < palette->action_count; i++) {
        if (palette->actions[i].name == NULL) return false;
    }
    for (int32_t i = 0; i < palette->test_count; i++) {
        const ploy_fsm_test *test = &palette->tests[i];
        if (test->name == NULL || test->fn == NULL || test->arity < 0 ||
            test->arity > PLOY_CONDITION_ARGS_MAX) {
            return false;
        }
    }
    return true;
}

ploy_result ploy_fsm_load(const void *bytes, size_t size, const char *name,
                          const ploy_fsm_palette *palette, const ploy_env *env, ploy_diags *diags,
                          ploy_fsm_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || !fsm_file_palette_fits(palette)) return PLOY_ERR_ARGUMENT;
    ploy_json_def def = ploy_json_def_default();
    def.relaxed = true;
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(bytes, size, name, &def, env, diags, &doc);
    if (result != PLOY_OK) return result;
    fsm_file file;
    memset(&file, 0, sizeof file);
    file.doc = doc;
    file.diags = diags;
    file.palette = palette;
    result = fsm_file_read(&file, env);
    ploy_json_destroy(doc);
    if (result == PLOY_OK) {
        *out = file.type;
    } else {
        ploy_fsm_type_destroy(file.type);
    }
    return result;
}
