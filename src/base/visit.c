// Visitors: the modes, groups and lists; the idea is described in the header.
//
// A level is what ploy_visit_begin or ploy_visit_list opened: a group of the description, an object
// or array of the file, or both. Invariant: levels[0] to levels[depth - 1] are the open ones; depth
// may exceed PLOY_VISIT_DEPTH, and such levels open nothing and fail a load.
#include "ploy/base/visit.h"
#include "base/base_internal.h"

#include <string.h>

#include "base/visit_internal.h"

enum {
    VISIT_DESCRIBED = 1,
    VISIT_OBJECT = 2,
    VISIT_ARRAY = 4,
    VISIT_WAS_ARRAY = 8, // the file's level around it is an array
    VISIT_MISSING = 16   // a load did not find it; its list is empty
};

static ploy_visit visit_make(ploy_visit_mode mode, void *context) {
    ploy_visit v;
    v.mode = mode; // the levels are set when they are opened
    v.describe = NULL;
    v.memory = NULL;
    v.memory_user = NULL;
    v.context = context;
    v.json = NULL;
    v.load = NULL;
    v.cover = NULL;
    v.cover_user = NULL;
    v.key = NULL;
    v.depth = 0;
    v.in_array = false;
    return v;
}

// ---- running

void ploy_visit_describe(ploy_visitor fn, const void *object, void *context, ploy_describe *out) {
    if (object == NULL || out == NULL) return;
    ploy_visit v = visit_make(PLOY_VISIT_DESCRIBE, context);
    v.describe = out;
    fn(&v, (void *)object);
}

uint64_t ploy_visit_hash(ploy_visitor fn, const void *object, void *context) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_visit_describe(fn, object, context, &out);
    return ploy_hash_sink_result(&sink);
}

void ploy_visit_save(ploy_visitor fn, const void *object, void *context, ploy_json_writer *out) {
    if (out == NULL) return;
    ploy_json_write_begin_object(out);
    if (object != NULL) {
        ploy_visit v = visit_make(PLOY_VISIT_SAVE, context);
        v.json = out;
        fn(&v, (void *)object);
    }
    ploy_json_write_end_object(out);
}

static ploy_result visit_load(ploy_visitor fn, void *object, void *context, const ploy_json *doc,
                              ploy_json_node node, const ploy_env *env, ploy_diags *diags,
                              bool known) {
    if (object == NULL || doc == NULL || (env == NULL && !known)) return PLOY_ERR_ARGUMENT;
    if (ploy_json_type_of(doc, node) != PLOY_JSON_OBJECT) {
        ploy_json_fault(doc, node, diags, "invalid saved state", "an object", NULL);
        return PLOY_ERR_FORMAT;
    }
    ployi_visit_load load;
    ployi_visit_load_init(&load, doc, node, env, diags, known);
    ploy_visit v = visit_make(PLOY_VISIT_LOAD, context);
    v.load = &load;
    fn(&v, object);
    PLOY_ASSERT(v.depth == 0);
    ployi_visit_load_pop(&v, false);
    return ployi_visit_load_finish(&load);
}

ploy_result ploy_visit_load(ploy_visitor fn, void *object, void *context, const ploy_json *doc,
                            ploy_json_node node, const ploy_env *env, ploy_diags *diags) {
    return visit_load(fn, object, context, doc, node, env, diags, false);
}

ploy_result ploy_visit_load_known(ploy_visitor fn, void *object, void *context,
                                  const ploy_json *doc, ploy_json_node node, const ploy_env *env,
                                  ploy_diags *diags) {
    return visit_load(fn, object, context, doc, node, env, diags, true);
}

void ploy_visit_memory(ploy_visitor fn, const void *object, ploy_memory_fn memory, void *user) {
    if (object == NULL || memory == NULL) return;
    ploy_visit v = visit_make(PLOY_VISIT_MEMORY, NULL);
    v.memory = memory;
    v.memory_user = user;
    fn(&v, (void *)object);
}

void ployi_visit_cover(ploy_visitor fn, void *object, void *context, ploy_visit_cover_fn cover,
                       void *user) {
    if (object == NULL || cover == NULL) return;
    ploy_visit v = visit_make(PLOY_VISIT_COVER, context);
    v.cover = cover;
    v.cover_user = user;
    fn(&v, object);
}

// ---- memory

void ployi_visit_report(ploy_visit *v, const ploy_visit_seen *seen) {
    v->cover(v->cover_user, seen);
}

static void visit_cover_part(ploy_visit *v, ploy_visit_part part, const char *name, ploy_mark mark,
                             const void *address, size_t size) {
    if (v->mode != PLOY_VISIT_COVER) return;
    ploy_visit_seen seen = {part, name, mark, (void *)address, size, PLOY_VALUE_NONE, 0.0, 0.0};
    ployi_visit_report(v, &seen);
}

void ploy_visit_object(ploy_visit *v, const char *name, void *object, size_t size) {
    ploy_visit_block(v, name, object, size);
    ploy_visit_struct(v, name, object, size);
}

void ploy_visit_struct(ploy_visit *v, const char *name, void *object, size_t size) {
    if (object != NULL) visit_cover_part(v, PLOY_VISIT_STRUCT, name, PLOY_STATE, object, size);
}

void ploy_visit_block(ploy_visit *v, const char *name, const void *block, size_t size) {
    if (v->mode != PLOY_VISIT_MEMORY || block == NULL || size == 0) return;
    ploy_memory_item item = {name, size, 1};
    v->memory(v->memory_user, &item);
}

void ploy_visit_scratch(ploy_visit *v, const void *address, size_t size) {
    visit_cover_part(v, PLOY_VISIT_UNUSED, "", PLOY_DERIVED, address, size);
}

// ---- groups

void ploy_visit_key(ploy_visit *v, const char *key) {
    v->key = key;
}

void ployi_visit_write_key(ploy_visit *v, const char *name) {
    if (!v->in_array) ploy_json_write_key(v->json, v->key != NULL ? v->key : name);
    v->key = NULL;
}

// Opens the file's side of a level; false if a load does not find it.
static bool visit_open(ploy_visit *v, const char *name, unsigned char kind, int32_t *found) {
    if (v->mode == PLOY_VISIT_SAVE) {
        ployi_visit_write_key(v, name);
        if (kind == VISIT_ARRAY) {
            ploy_json_write_begin_array(v->json);
        } else {
            ploy_json_write_begin_object(v->json);
        }
    } else {
        ploy_json_node node;
        ploy_json_type type = kind == VISIT_ARRAY ? PLOY_JSON_ARRAY : PLOY_JSON_OBJECT;
        bool there = ployi_visit_find(v, name, PLOY_STATE, &node);
        if (there && ploy_json_type_of(v->load->doc, node) != type) {
            ployi_visit_fault(v, node, "wrong type", kind == VISIT_ARRAY ? "a list" : "an object");
            there = false;
        }
        if (!there) node = ploy_json_none();
        if (found != NULL) *found = ploy_json_count(v->load->doc, node);
        ployi_visit_load_push(v, node);
        v->in_array = kind == VISIT_ARRAY;
        return there;
    }
    v->in_array = kind == VISIT_ARRAY;
    return true;
}

static bool visit_begin(ploy_visit *v, const char *name, ploy_mark mark, unsigned char kind,
                        int32_t *found) {
    unsigned char level = v->in_array ? VISIT_WAS_ARRAY : 0;
    bool there = true;
    PLOY_ASSERT(v->depth < PLOY_VISIT_DEPTH);
    if (v->mode == PLOY_VISIT_DESCRIBE && ployi_visit_shows(mark)) level |= VISIT_DESCRIBED;
    bool in_file = mark == PLOY_STATE || mark == PLOY_SAVED;
    if (in_file && (v->mode == PLOY_VISIT_SAVE || v->mode == PLOY_VISIT_LOAD)) {
        level |= kind;
        there = visit_open(v, name, kind, found);
    }
    v->key = NULL;
    v->levels[v->depth++] = level;
    return there;
}

void ploy_visit_begin(ploy_visit *v, const char *name, ploy_mark mark) {
    visit_begin(v, name, mark, VISIT_OBJECT, NULL);
    if (ployi_visit_shows(mark)) ploy_describe_begin(v->describe, name);
}

void ploy_visit_begin_agent(ploy_visit *v, const char *name, ploy_mark mark, ploy_agent_id agent) {
    visit_begin(v, name, mark, VISIT_OBJECT, NULL);
    if (ployi_visit_shows(mark)) ploy_describe_begin_agent(v->describe, name, agent);
}

void ploy_visit_begin_item(ploy_visit *v, int64_t index, ploy_mark mark) {
    PLOY_ASSERT(v->in_array || mark == PLOY_DERIVED || mark == PLOY_NOTE ||
                (v->mode != PLOY_VISIT_SAVE && v->mode != PLOY_VISIT_LOAD));
    visit_begin(v, "item", mark, VISIT_OBJECT, NULL);
    if (ployi_visit_shows(mark)) ploy_describe_begin_item(v->describe, index);
}

void ploy_visit_end(ploy_visit *v) {
    PLOY_ASSERT(v->depth > 0);
    unsigned char level = v->levels[--v->depth];
    if ((level & VISIT_DESCRIBED) != 0) ploy_describe_end(v->describe);
    if ((level & (VISIT_OBJECT | VISIT_ARRAY)) == 0) return;
    bool is_array = (level & VISIT_ARRAY) != 0;
    if (v->mode == PLOY_VISIT_LOAD) {
        ployi_visit_load_pop(v, is_array);
    } else if (is_array) {
        ploy_json_write_end_array(v->json);
    } else {
        ploy_json_write_end_object(v->json);
    }
    v->in_array = (level & VISIT_WAS_ARRAY) != 0;
}

// ---- lists

// Opens a list; in a load sets *found to its length, or to -1 if it is missing or too long.
static void visit_list(ploy_visit *v, const char *name, ploy_mark mark, int32_t min, int32_t max,
                       int32_t *found) {
    bool there = visit_begin(v, name, mark, VISIT_ARRAY, found);
    if (ployi_visit_shows(mark)) ploy_describe_begin(v->describe, name);
    if (v->mode != PLOY_VISIT_LOAD || (mark != PLOY_STATE && mark != PLOY_SAVED)) return;
    if (there && (*found < min || *found > max)) {
        ployi_visit_fault(v, v->load->levels[v->load->depth].node,
                          *found < min ? "list is too short" : "list is too long", NULL);
        there = false;
    }
    if (!there) *found = -1;
}

int32_t ploy_visit_list(ploy_visit *v, const char *name, ploy_mark mark, int32_t *count,
                        int32_t max) {
    int32_t found = *count;
    visit_list(v, name, mark, 0, max, &found);
    visit_cover_part(v, PLOY_VISIT_COUNT, name, mark, count, sizeof *count);
    if (v->mode != PLOY_VISIT_LOAD) return *count;
    if (found < 0) return 0;
    if (found != *count) ploy_visit_write(v, count, &found, sizeof found);
    return *count == found ? found : 0; // no memory for the note
}

int32_t ploy_visit_count(ploy_visit *v, const char *name, ploy_mark mark, int32_t now,
                         int32_t max) {
    int32_t found = now;
    visit_list(v, name, mark, 0, max, &found);
    return found;
}

int32_t ploy_visit_fixed(ploy_visit *v, const char *name, ploy_mark mark, int32_t count) {
    int32_t found = count;
    visit_list(v, name, mark, count, count, &found);
    return v->mode != PLOY_VISIT_LOAD || found == count ? count : 0;
}

int32_t ploy_visit_array(ploy_visit *v, const char *name, ploy_mark mark, ploy_array *array,
                         int32_t max) {
    int32_t found = array->count;
    visit_list(v, name, mark, 0, max, &found);
    ploy_visit_buffer(v, name, array);
    if (mark != PLOY_DERIVED) {
        ploy_visit_struct(v, name, array->items, (size_t)array->count * array->item_size);
    }
    if (v->mode != PLOY_VISIT_LOAD) return array->count;
    return found >= 0 && ploy_visit_resize(v, array, found) ? found : 0;
}

bool ploy_visit_resize(ploy_visit *v, ploy_array *array, int32_t count) {
    if (v->mode != PLOY_VISIT_LOAD) return true;
    if (!ploy_visit_result(v, ploy_array_reserve(array, count))) return false;
    int32_t before = array->count;
    if (count == before) return true;
    ploy_visit_write(v, &array->count, &count, sizeof count);
    if (array->count != count) return false; // an earlier fault, or no memory for the note
    if (count > before) {
        // Behind the old end there is nothing to restore.
        char *items = array->items;
        memset(items + (size_t)before * array->item_size, 0,
               (size_t)(count - before) * array->item_size);
    }
    return true;
}

void ploy_visit_buffer(ploy_visit *v, const char *name, const ploy_array *array) {
    ploy_visit_block(v, name, array->items, (size_t)array->capacity * array->item_size);
    ploy_visit_scratch(v, array, sizeof *array);
}

bool ploy_visit_optional(ploy_visit *v, const char *key, bool present) {
    if (v->mode != PLOY_VISIT_LOAD) return present;
    ploy_json_node node = v->load->levels[v->load->depth].node;
    return !ploy_json_is_none(ploy_json_member(v->load->doc, node, key));
}
