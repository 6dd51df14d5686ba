// Data-driven set-up. A file is gone through twice: the first time everything is checked and
// nothing made, so that all faults are reported; the second time things are made, which can fail
// only if out of memory or by a factory, and is undone then.
#include "ploy/exec/setup.h"

#include "exec/exec_internal.h"

#include <stdio.h>
#include <string.h>

#include "exec_internal.h"
#include "ploy/base/fields_json.h"

struct ploy_setup {
    ploy_env env;
    ploy_names *names;
    ploy_setup_character *characters;
    ploy_engine_id *ids; // of all behaviors
    int32_t capacity, count;
    int32_t id_capacity, id_count;
};

// One loading.
typedef struct setup_reader {
    const ploy_json *doc;
    const ploy_setup_source *source;
    ploy_engine *engine;
    ploy_diags *diags;
    ploy_setup *setup;
    void *params; // room for the largest kind's
    size_t params_size;
    int64_t faults;
    bool make; // the second time
} setup_reader;

static void setup_fault(setup_reader *reader, ploy_json_node node, const char *message,
                        const char *expected, const char *nearest) {
    reader->faults++;
    ploy_json_fault(reader->doc, node, reader->diags, message, expected, nearest);
}

// The text of a node, or NULL with a fault. Zeros inside would cut it short.
static const char *setup_text(setup_reader *reader, ploy_json_node object, const char *key) {
    ploy_json_node node = ploy_json_member(reader->doc, object, key);
    size_t size = 0;
    const char *text = ploy_json_text(reader->doc, node, &size);
    bool fine =
        ploy_json_type_of(reader->doc, node) == PLOY_JSON_TEXT && size > 0 && strlen(text) == size;
    if (fine) return text;
    char message[80];
    snprintf(message, sizeof message, "missing text '%s'", key);
    setup_fault(reader, ploy_json_is_none(node) ? object : node, message, "a name", NULL);
    return NULL;
}

static bool setup_is(setup_reader *reader, ploy_json_node node, ploy_json_type type,
                     const char *what) {
    if (ploy_json_type_of(reader->doc, node) == type) return true;
    char message[80];
    snprintf(message, sizeof message, "%s has the wrong type", what);
    setup_fault(reader, node, message, ploy_json_type_text(type), NULL);
    return false;
}

static void setup_check_keys(setup_reader *reader, ploy_json_node node, const char *const *keys,
                             int32_t count) {
    reader->faults +=
        ploy_json_check_keys(reader->doc, node, keys, count, reader->make ? NULL : reader->diags);
}

// ---- blackboards

// Sets what the file says on a separate board, which in the first round is thrown away.
static void setup_fill_board(setup_reader *reader, ploy_json_node values, ploy_blackboard *board) {
    const ploy_blackboard_layout *layout = ploy_blackboard_layout_of(board);
    for (int32_t i = 0; i < ploy_json_count(reader->doc, values); i++) {
        ploy_json_node node = ploy_json_at(reader->doc, values, i);
        const char *key = ploy_json_key(reader->doc, node, NULL);
        ploy_nearest nearest = ploy_nearest_make(key);
        ploy_slot slot = ploy_blackboard_layout_find(layout, key);
        ploy_value_type type = ploy_blackboard_layout_type(layout, slot);
        if (type == PLOY_VALUE_NONE) {
            for (int32_t k = 0; k < ploy_blackboard_layout_count(layout); k++) {
                ploy_slot other = {(uint32_t)k + 1};
                ploy_nearest_offer(&nearest, ploy_blackboard_layout_name(layout, other));
            }
            setup_fault(reader, node, "unknown key for this layout", NULL, nearest.best);
            continue;
        }
        ploy_value value;
        ploy_result result = ployi_blackboard_read(reader->doc, node, type, &value);
        if (result == PLOY_OK) result = ploy_blackboard_set(board, slot, &value);
        if (result != PLOY_OK) {
            setup_fault(reader, node, "wrong type for this key", ploy_value_type_text(type), NULL);
        }
    }
}

static ploy_result setup_read_board(setup_reader *reader, ploy_json_node node,
                                    ploy_blackboard **out) {
    ploy_json_node layout_node = ploy_json_member(reader->doc, node, "layout");
    ploy_json_node values = ploy_json_member(reader->doc, node, "values");
    *out = NULL;
    if (ploy_json_is_none(layout_node)) {
        if (!ploy_json_is_none(values)) {
            setup_fault(reader, values, "values need a layout", NULL, NULL);
        }
        return PLOY_OK;
    }
    const char *name = setup_text(reader, node, "layout");
    if (name == NULL) return PLOY_OK;
    ploy_nearest nearest = ploy_nearest_make(name);
    const ploy_blackboard_layout *layout = NULL;
    for (int32_t i = 0; i < reader->source->layout_count; i++) {
        const ploy_setup_layout *item = &reader->source->layouts[i];
        ploy_nearest_offer(&nearest, item->name);
        if (strcmp(item->name, name) == 0) layout = item->layout;
    }
    if (layout == NULL) {
        setup_fault(reader, layout_node, "unknown layout", NULL, nearest.best);
        return PLOY_OK;
    }
    ploy_result result = ploy_blackboard_create(layout, &reader->setup->env, out);
    if (result != PLOY_OK) return result;
    bool given = !ploy_json_is_none(values);
    if (given && setup_is(reader, values, PLOY_JSON_OBJECT, "'values'")) {
        setup_fill_board(reader, values, *out);
    }
    return PLOY_OK;
}

// ---- behaviors

static const ploy_setup_kind *setup_find_kind(setup_reader *reader, ploy_json_node node) {
    const char *name = setup_text(reader, node, "kind");
    if (name == NULL) return NULL;
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; i < reader->source->kind_count; i++) {
        const ploy_setup_kind *kind = &reader->source->kinds[i];
        if (strcmp(kind->name, name) == 0) return kind;
        ploy_nearest_offer(&nearest, kind->name);
    }
    setup_fault(reader, ploy_json_member(reader->doc, node, "kind"), "unknown kind of behavior",
                NULL, nearest.best);
    return NULL;
}

static void setup_read_def(setup_reader *reader, ploy_json_node node, ploy_fields fields,
                           void *def) {
    if (ploy_json_is_none(node)) return;
    if (ploy_fields_load_json(fields, def, reader->doc, node, reader->diags) != PLOY_OK) {
        reader->faults++;
    }
}

static ploy_result setup_make_behavior(setup_reader *reader, const ploy_setup_kind *kind,
                                       const void *params, const ploy_setup_character *who,
                                       ploy_engine_entry *entry) {
    ploy_setup *setup = reader->setup;
    ploy_result result = kind->create(kind->user, params, who, &setup->env, &entry->behavior);
    if (result != PLOY_OK) return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
    entry->agent = who->agent;
    entry->blackboard = who->blackboard;
    ploy_engine_id id;
    result = ploy_engine_register(reader->engine, entry, &id);
    if (result != PLOY_OK) {
        ploy_behavior_destroy(entry->behavior);
        return result;
    }
    setup->ids[setup->id_count++] = id;
    return PLOY_OK;
}

static ploy_result setup_read_behavior(setup_reader *reader, ploy_json_node node,
                                       const ploy_setup_character *who) {
    static const char *const keys[] = {"kind", "params", "schedule", "once"};
    if (!setup_is(reader, node, PLOY_JSON_OBJECT, "a behavior")) return PLOY_OK;
    setup_check_keys(reader, node, keys, 4);
    const ploy_setup_kind *kind = setup_find_kind(reader, node);
    ploy_engine_entry entry = ploy_engine_entry_default();
    ploy_json_node schedule = ploy_json_member(reader->doc, node, "schedule");
    setup_read_def(reader, schedule, ploy_schedule_fields(), &entry.schedule);
    if (ployi_schedule_check(&entry.schedule, NULL) != PLOY_OK) {
        setup_fault(reader, schedule, "inconsistent schedule",
                    "min_slice <= max_slice, period <= max_interval", NULL);
    }
    ploy_json_node once = ploy_json_member(reader->doc, node, "once");
    if (!ploy_json_is_none(once) && setup_is(reader, once, PLOY_JSON_BOOL, "'once'")) {
        ploy_json_bool(reader->doc, once, &entry.once);
    }
    if (kind == NULL) return PLOY_OK;
    ploy_json_node params = ploy_json_member(reader->doc, node, "params");
    if (kind->fields != NULL) {
        ploy_fields_default(kind->fields(), reader->params);
        setup_read_def(reader, params, kind->fields(), reader->params);
    } else if (!ploy_json_is_none(params)) {
        setup_fault(reader, params, "unexpected parameters for this kind of behavior", NULL, NULL);
    }
    if (!reader->make) {
        reader->setup->id_capacity++;
        return PLOY_OK;
    }
    return setup_make_behavior(reader, kind, kind->fields != NULL ? reader->params : NULL, who,
                               &entry);
}

// ---- characters

static ploy_result setup_take_name(setup_reader *reader, ploy_json_node node,
                                   ploy_setup_character *who) {
    who->name = "";
    const char *name = setup_text(reader, node, "name");
    if (name == NULL) return PLOY_OK;
    const char *known = ploy_names_text(reader->setup->names, ploy_name_of(name));
    if (reader->make) {
        who->name = known;
        return PLOY_OK;
    }
    if (known == NULL) return ploy_names_add(reader->setup->names, name, NULL);
    setup_fault(reader, ploy_json_member(reader->doc, node, "name"), "duplicate character name",
                NULL, NULL);
    return PLOY_OK;
}

static ploy_result setup_read_character(setup_reader *reader, ploy_json_node node, int32_t index) {
    static const char *const keys[] = {"name", "layout", "values", "behaviors"};
    if (!setup_is(reader, node, PLOY_JSON_OBJECT, "a character")) return PLOY_OK;
    setup_check_keys(reader, node, keys, 4);
    ploy_setup_character who;
    memset(&who, 0, sizeof who);
    ploy_result result = setup_take_name(reader, node, &who);
    if (result != PLOY_OK) return result;
    who.agent = ploy_agent_id_make(reader->source->first_agent + (uint32_t)index, 1);
    result = setup_read_board(reader, node, &who.blackboard);
    if (result != PLOY_OK) {
        ploy_blackboard_destroy(who.blackboard);
        return result;
    }
    if (reader->make) {
        reader->setup->characters[reader->setup->count++] = who; // its board goes with it
    } else {
        ploy_blackboard_destroy(who.blackboard);
        who.blackboard = NULL;
    }
    ploy_json_node behaviors = ploy_json_member(reader->doc, node, "behaviors");
    if (ploy_json_is_none(behaviors)) return PLOY_OK;
    if (!setup_is(reader, behaviors, PLOY_JSON_ARRAY, "'behaviors'")) return PLOY_OK;
    int32_t count = ploy_json_count(reader->doc, behaviors);
    if (count > PLOY_SETUP_BEHAVIORS_MAX) {
        setup_fault(reader, behaviors, "too many behaviors", NULL, NULL);
        return PLOY_OK;
    }
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        result = setup_read_behavior(reader, ploy_json_at(reader->doc, behaviors, i), &who);
    }
    return result;
}

static ploy_result setup_read(setup_reader *reader) {
    static const char *const keys[] = {"characters"};
    ploy_json_node root = ploy_json_root(reader->doc);
    if (!setup_is(reader, root, PLOY_JSON_OBJECT, "the file")) return PLOY_ERR_FORMAT;
    setup_check_keys(reader, root, keys, 1);
    ploy_json_node characters = ploy_json_member(reader->doc, root, "characters");
    if (ploy_json_is_none(characters)) {
        setup_fault(reader, root, "missing key 'characters'", NULL, NULL);
        return PLOY_ERR_FORMAT;
    }
    if (!setup_is(reader, characters, PLOY_JSON_ARRAY, "'characters'")) return PLOY_ERR_FORMAT;
    int32_t count = ploy_json_count(reader->doc, characters);
    if (count > PLOY_SETUP_CHARACTERS_MAX) {
        setup_fault(reader, characters, "too many characters", NULL, NULL);
        return PLOY_ERR_LIMIT;
    }
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        result = setup_read_character(reader, ploy_json_at(reader->doc, characters, i), i);
    }
    if (!reader->make) reader->setup->capacity = count;
    if (result != PLOY_OK) return result;
    return reader->faults > 0 ? PLOY_ERR_FORMAT : PLOY_OK;
}

static ploy_result setup_make_room(setup_reader *reader) {
    ploy_setup *setup = reader->setup;
    size_t characters = (size_t)setup->capacity * sizeof *setup->characters;
    size_t ids = (size_t)setup->id_capacity * sizeof *setup->ids;
    setup->characters = ploy_env_alloc_zero(&setup->env, characters);
    setup->ids = ploy_env_alloc_zero(&setup->env, ids);
    bool fine = (setup->characters != NULL || characters == 0) && (setup->ids != NULL || ids == 0);
    return fine ? PLOY_OK : PLOY_ERR_MEMORY;
}

static ploy_result setup_load_doc(setup_reader *reader) {
    const ploy_setup_source *source = reader->source;
    for (int32_t i = 0; i < source->kind_count; i++) {
        const ploy_setup_kind *kind = &source->kinds[i];
        if (kind->name == NULL || kind->create == NULL) return PLOY_ERR_ARGUMENT;
        size_t size = kind->fields != NULL ? kind->fields().size : 1;
        if (size > reader->params_size) reader->params_size = size;
    }
    for (int32_t i = 0; i < source->layout_count; i++) {
        if (source->layouts[i].name == NULL || source->layouts[i].layout == NULL) {
            return PLOY_ERR_ARGUMENT;
        }
    }
    const ploy_env *env = &reader->setup->env;
    reader->params = ploy_env_alloc_zero(env, reader->params_size);
    if (reader->params == NULL && reader->params_size > 0) return PLOY_ERR_MEMORY;
    ploy_result result = setup_read(reader);
    if (result == PLOY_OK) result = setup_make_room(reader);
    if (result == PLOY_OK) {
        reader->make = true;
        result = setup_read(reader);
        if (result != PLOY_OK) ploy_setup_unload(reader->setup, reader->engine);
    }
    ploy_env_free(env, reader->params, reader->params_size);
    return result;
}

ploy_result ploy_setup_load(const void *bytes, size_t size, const char *name,
                            const ploy_setup_source *source, ploy_engine *engine,
                            const ploy_env *env, ploy_diags *diags, ploy_setup **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (source == NULL || engine == NULL || env == NULL || source->kind_count < 0 ||
        source->layout_count < 0) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_json_def def = ploy_json_def_default();
    def.relaxed = true;
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(bytes, size, name, &def, env, diags, &doc);
    if (result != PLOY_OK) return result;
    ploy_setup *setup = ploy_env_alloc_zero(env, sizeof *setup);
    if (setup == NULL) {
        ploy_json_destroy(doc);
        return PLOY_ERR_MEMORY;
    }
    setup->env = *env;
    result = ploy_names_create(env, &setup->names);
    setup_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.doc = doc;
    reader.source = source;
    reader.engine = engine;
    reader.diags = diags;
    reader.setup = setup;
    if (result == PLOY_OK) result = setup_load_doc(&reader);
    ploy_json_destroy(doc);
    if (result != PLOY_OK) {
        ploy_setup_destroy(setup);
        return result;
    }
    *out = setup;
    return PLOY_OK;
}

void ploy_setup_unload(ploy_setup *setup, ploy_engine *engine) {
    if (setup == NULL || engine == NULL) return;
    for (int32_t i = 0; i < setup->id_count; i++) ploy_engine_unregister(engine, setup->ids[i]);
    setup->id_count = 0;
}

void ploy_setup_destroy(ploy_setup *setup) {
    if (setup == NULL) return;
    ploy_env env = setup->env;
    for (int32_t i = 0; i < setup->count; i++) {
        ploy_blackboard_destroy(setup->characters[i].blackboard);
    }
    ploy_env_free(&env, setup->characters, (size_t)setup->capacity * sizeof *setup->characters);
    ploy_env_free(&env, setup->ids, (size_t)setup->id_capacity * sizeof *setup->ids);
    ploy_names_destroy(setup->names);
    ploy_env_free(&env, setup, sizeof *setup);
}

int32_t ploy_setup_count(const ploy_setup *setup) {
    return setup->count;
}

const ploy_setup_character *ploy_setup_at(const ploy_setup *setup, int32_t index) {
    return index >= 0 && index < setup->count ? &setup->characters[index] : NULL;
}

const ploy_setup_character *ploy_setup_find(const ploy_setup *setup, const char *name) {
    for (int32_t i = 0; name != NULL && i < setup->count; i++) {
        if (strcmp(setup->characters[i].name, name) == 0) return &setup->characters[i];
    }
    return NULL;
}
