// Kinds of characters from a file; the format is described in the header.
//
// Invariants of what load hands out:
//   (1) every kind has a unique name, and settings for every section of the source;
//   (2) a kind with a layout has a board of it, which holds its first values.
#include "ploy/data/characters.h"
#include "data/data_internal.h"

#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/fields_json.h"

typedef struct characters_kind {
    const char *name; // of names
    const ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    int32_t mind; // of the source, or -1
    int32_t at;   // where its settings begin in the settings' bytes / 16
} characters_kind;

struct ploy_characters {
    ploy_env env;
    ploy_character_source source;
    ploy_names *names;
    ploy_array kinds;    // characters_kind
    ploy_array settings; // blocks of 16 bytes: the defs of all sections, kind by kind
    int32_t stride;      // blocks of one kind
};

typedef struct characters_block {
    _Alignas(16) unsigned char bytes[16];
} characters_block;

typedef struct characters_reader {
    ploy_characters *them;
    const ploy_json *doc;
    ploy_diags *diags;
    int32_t faults;
} characters_reader;

static void characters_fault(characters_reader *reader, ploy_json_node node, const char *message,
                             const char *expected, const char *nearest) {
    ploy_json_fault(reader->doc, node, reader->diags, message, expected, nearest);
    reader->faults++;
}

// Where a section's def begins among the blocks of a kind.
static int32_t characters_offset(const ploy_character_source *source, int32_t section) {
    int32_t blocks = 0;
    for (int32_t i = 0; i < section; i++) {
        blocks += (int32_t)((source->sections[i].fields().size + 15) / 16);
    }
    return blocks;
}

static void *characters_def(const ploy_characters *them, const characters_kind *kind,
                            int32_t section) {
    return ploy_array_at(&them->settings, kind->at + characters_offset(&them->source, section));
}

// The place of a text among named things; -1 and a fault with the nearest if there is none.
static int32_t characters_among(characters_reader *reader, ploy_json_node node, const char *what,
                                const char *text, const char *(*name_of)(const void *, int32_t),
                                const void *list, int32_t count) {
    ploy_nearest nearest = ploy_nearest_make(text);
    for (int32_t i = 0; i < count; i++) {
        if (strcmp(name_of(list, i), text) == 0) return i;
        ploy_nearest_offer(&nearest, name_of(list, i));
    }
    characters_fault(reader, node, what, NULL, nearest.best);
    return -1;
}

static const char *characters_layout_name(const void *list, int32_t index) {
    return ((const ploy_character_source *)list)->layouts[index].name;
}

static const char *characters_mind_name(const void *list, int32_t index) {
    return ((const ploy_character_source *)list)->minds[index].name;
}

static const char *characters_section_name(const void *list, int32_t index) {
    return ((const ploy_character_source *)list)->sections[index].name;
}

static const char *characters_kind_name(const void *list, int32_t index) {
    return ploy_characters_name(list, index);
}

// A member that must be text if it is there; NULL otherwise.
static const char *characters_text(characters_reader *reader, ploy_json_node node) {
    ploy_json_type type = ploy_json_type_of(reader->doc, node);
    if (type == PLOY_JSON_TEXT) return ploy_json_text(reader->doc, node, NULL);
    if (type != PLOY_JSON_NONE) characters_fault(reader, node, "wrong type", "text", NULL);
    return NULL;
}

// What the kind begins with: all of the one it is like, or the defaults.
static ploy_result characters_begin(characters_reader *reader, ploy_json_node node,
                                    characters_kind *kind) {
    ploy_characters *them = reader->them;
    ploy_json_node like_node = ploy_json_member(reader->doc, node, "like");
    const char *like = characters_text(reader, like_node);
    kind->at = them->settings.count;
    ploy_result result = ploy_array_resize(&them->settings, kind->at + them->stride);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < them->source.section_count; i++) {
        ploy_fields_default(them->source.sections[i].fields(), characters_def(them, kind, i));
    }
    if (like == NULL) return PLOY_OK;
    // Only those that come before it, so that no kind can be like itself.
    int32_t other = characters_among(reader, like_node, "unknown character in 'like'", like,
                                     characters_kind_name, them, them->kinds.count);
    if (other < 0) return PLOY_OK;
    const characters_kind *from = PLOY_ARRAY_AT(&them->kinds, characters_kind, other);
    kind->mind = from->mind;
    kind->layout = from->layout;
    if (them->stride > 0) {
        memcpy(ploy_array_at(&them->settings, kind->at), ploy_array_at(&them->settings, from->at),
               (size_t)them->stride * sizeof(characters_block));
    }
    if (from->board == NULL) return PLOY_OK;
    result = ploy_blackboard_create(kind->layout, &them->env, &kind->board);
    return result == PLOY_OK ? ploy_blackboard_copy(kind->board, from->board) : result;
}

static ploy_result characters_read_board(characters_reader *reader, ploy_json_node node,
                                         characters_kind *kind) {
    ploy_characters *them = reader->them;
    ploy_json_node layout_node = ploy_json_member(reader->doc, node, "layout");
    ploy_json_node values = ploy_json_member(reader->doc, node, "values");
    const char *text = characters_text(reader, layout_node);
    if (text != NULL) {
        int32_t at =
            characters_among(reader, layout_node, "unknown layout", text, characters_layout_name,
                             &them->source, them->source.layout_count);
        if (at < 0) return PLOY_OK;
        if (them->source.layouts[at].layout != kind->layout) {
            ploy_blackboard_destroy(kind->board);
            kind->board = NULL;
            kind->layout = them->source.layouts[at].layout;
            ploy_result result = ploy_blackboard_create(kind->layout, &them->env, &kind->board);
            if (result != PLOY_OK) return result;
        }
    }
    if (ploy_json_is_none(values)) return PLOY_OK;
    if (kind->board == NULL) {
        characters_fault(reader, values, "values need a layout", NULL, NULL);
        return PLOY_OK;
    }
    // A key that a board has not is no fault of a saved game, but one of a character.
    for (int32_t i = 0; i < ploy_json_count(reader->doc, values); i++) {
        ploy_json_node value = ploy_json_at(reader->doc, values, i);
        const char *key = ploy_json_key(reader->doc, value, NULL);
        if (!ploy_slot_is_none(ploy_blackboard_layout_find(kind->layout, key))) continue;
        ploy_nearest nearest = ploy_nearest_make(key);
        for (int32_t k = 0; k < ploy_blackboard_layout_count(kind->layout); k++) {
            ploy_slot slot = {(uint32_t)k + 1};
            ploy_nearest_offer(&nearest, ploy_blackboard_layout_name(kind->layout, slot));
        }
        characters_fault(reader, value, "unknown key for this layout", NULL, nearest.best);
    }
    ploy_result result = ploy_blackboard_load(kind->board, reader->doc, values, reader->diags);
    if (result != PLOY_OK) reader->faults++;
    return PLOY_OK;
}

static void characters_read_settings(characters_reader *reader, ploy_json_node node,
                                     const characters_kind *kind) {
    ploy_characters *them = reader->them;
    ploy_json_node settings = ploy_json_member(reader->doc, node, "settings");
    if (ploy_json_is_none(settings)) return;
    if (ploy_json_type_of(reader->doc, settings) != PLOY_JSON_OBJECT) {
        characters_fault(reader, settings, "wrong type", "object", NULL);
        return;
    }
    for (int32_t i = 0; i < ploy_json_count(reader->doc, settings); i++) {
        ploy_json_node section = ploy_json_at(reader->doc, settings, i);
        int32_t at =
            characters_among(reader, section, "unknown section of settings",
                             ploy_json_key(reader->doc, section, NULL), characters_section_name,
                             &them->source, them->source.section_count);
        if (at < 0) continue;
        if (ploy_fields_load_json(them->source.sections[at].fields(),
                                  characters_def(them, kind, at), reader->doc, section,
                                  reader->diags) != PLOY_OK) {
            reader->faults++;
        }
    }
}

static ploy_result characters_read_kind(characters_reader *reader, ploy_json_node node) {
    static const char *const keys[] = {"like", "layout", "values", "mind", "settings", "help"};
    ploy_characters *them = reader->them;
    const char *name = ploy_json_key(reader->doc, node, NULL);
    if (ploy_json_type_of(reader->doc, node) != PLOY_JSON_OBJECT || name[0] == '\0') {
        characters_fault(reader, node, "wrong type of character", "an object with a name", NULL);
        return PLOY_OK;
    }
    reader->faults += ploy_json_check_keys(reader->doc, node, keys, 6, reader->diags);
    characters_kind kind;
    memset(&kind, 0, sizeof kind);
    kind.mind = -1;
    ploy_name added;
    ploy_result result = ploy_names_add(them->names, name, &added);
    if (result == PLOY_OK) {
        kind.name = ploy_names_text(them->names, added);
        result = characters_begin(reader, node, &kind);
    }
    if (result == PLOY_OK) result = characters_read_board(reader, node, &kind);
    if (result == PLOY_OK) characters_read_settings(reader, node, &kind);
    ploy_json_node mind_node = ploy_json_member(reader->doc, node, "mind");
    const char *mind = result == PLOY_OK ? characters_text(reader, mind_node) : NULL;
    if (mind != NULL) {
        kind.mind = characters_among(reader, mind_node, "unknown mind", mind, characters_mind_name,
                                     &them->source, them->source.mind_count);
    }
    if (result == PLOY_OK) result = ploy_array_push(&them->kinds, &kind);
    if (result != PLOY_OK) ploy_blackboard_destroy(kind.board);
    return result;
}

static ploy_result characters_read(characters_reader *reader) {
    static const char *const keys[] = {"characters"};
    ploy_json_node root = ploy_json_root(reader->doc);
    ploy_json_node list = ploy_json_member(reader->doc, root, "characters");
    if (ploy_json_type_of(reader->doc, list) != PLOY_JSON_OBJECT) {
        characters_fault(reader, ploy_json_is_none(list) ? root : list,
                         "missing object 'characters'", "object", NULL);
        return PLOY_ERR_FORMAT;
    }
    reader->faults += ploy_json_check_keys(reader->doc, root, keys, 1, reader->diags);
    if (ploy_json_count(reader->doc, list) > PLOY_CHARACTERS_MAX) {
        characters_fault(reader, list, "too many characters", NULL, NULL);
        return PLOY_ERR_LIMIT;
    }
    for (int32_t i = 0; i < ploy_json_count(reader->doc, list); i++) {
        ploy_result result = characters_read_kind(reader, ploy_json_at(reader->doc, list, i));
        if (result != PLOY_OK) return result;
    }
    return reader->faults > 0 ? PLOY_ERR_FORMAT : PLOY_OK;
}

ploy_result ploy_characters_load(const void *bytes, size_t size, const char *name,
                                 const ploy_character_source *source, const ploy_env *env,
                                 ploy_diags *diags, ploy_characters **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (source == NULL || env == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    ploy_json_def def = ploy_json_def_default();
    def.relaxed = true;
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(bytes, size, name, &def, env, diags, &doc);
    if (result != PLOY_OK) return result;
    ploy_characters *them = ploy_env_alloc_zero(env, sizeof *them);
    if (them == NULL) {
        ploy_json_destroy(doc);
        return PLOY_ERR_MEMORY;
    }
    them->env = *env;
    them->source = *source;
    them->stride = characters_offset(source, source->section_count);
    ploy_array_init(&them->kinds, sizeof(characters_kind), env);
    ploy_array_init(&them->settings, sizeof(characters_block), env);
    result = ploy_names_create(env, &them->names);
    characters_reader reader = {them, doc, diags, 0};
    if (result == PLOY_OK) result = characters_read(&reader);
    ploy_json_destroy(doc);
    if (result != PLOY_OK) {
        ploy_characters_destroy(them);
        return result;
    }
    *out = them;
    return PLOY_OK;
}

void ploy_characters_destroy(ploy_characters *characters) {
    if (characters == NULL) return;
    ploy_env env = characters->env;
    for (int32_t i = 0; i < characters->kinds.count; i++) {
        ploy_blackboard_destroy(PLOY_ARRAY_AT(&characters->kinds, characters_kind, i)->board);
    }
    ploy_array_fini(&characters->kinds);
    ploy_array_fini(&characters->settings);
    ploy_names_destroy(characters->names);
    ploy_env_free(&env, characters, sizeof *characters);
}

int32_t ploy_characters_count(const ploy_characters *characters) {
    return characters != NULL ? characters->kinds.count : 0;
}

static const characters_kind *characters_at(const ploy_characters *characters, int32_t index) {
    if (characters == NULL) return NULL;
    return PLOY_ARRAY_AT(&characters->kinds, const characters_kind, index);
}

const char *ploy_characters_name(const ploy_characters *characters, int32_t index) {
    const characters_kind *kind = characters_at(characters, index);
    return kind != NULL ? kind->name : NULL;
}

int32_t ploy_characters_find(const ploy_characters *characters, const char *name) {
    for (int32_t i = 0; i < ploy_characters_count(characters) && name != NULL; i++) {
        if (strcmp(characters_at(characters, i)->name, name) == 0) return i;
    }
    return -1;
}

const char *ployi_characters_mind(const ploy_characters *characters, int32_t index) {
    const characters_kind *kind = characters_at(characters, index);
    if (kind == NULL || kind->mind < 0) return NULL;
    return characters->source.minds[kind->mind].name;
}

const void *ploy_characters_settings(const ploy_characters *characters, int32_t index,
                                     const char *section) {
    const characters_kind *kind = characters_at(characters, index);
    if (kind == NULL || section == NULL) return NULL;
    for (int32_t i = 0; i < characters->source.section_count; i++) {
        if (strcmp(characters->source.sections[i].name, section) != 0) continue;
        return characters_def(characters, kind, i);
    }
    return NULL;
}

ploy_result ploy_characters_make(const ploy_characters *characters, int32_t index,
                                 const ploy_env *env, ploy_blackboard **board,
                                 ploy_behavior *mind) {
    if (characters == NULL || env == NULL || board == NULL || mind == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    *board = NULL;
    mind->type = NULL;
    mind->self = NULL;
    const characters_kind *kind = characters_at(characters, index);
    if (kind == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_blackboard *made = NULL;
    ploy_result result = PLOY_OK;
    if (kind->board != NULL) {
        result = ploy_blackboard_create(kind->layout, env, &made);
        if (result == PLOY_OK) result = ploy_blackboard_copy(made, kind->board);
    }
    if (result == PLOY_OK && kind->mind >= 0) {
        result = ploy_maker_make(characters->source.minds[kind->mind].maker, env, mind);
    }
    if (result != PLOY_OK) {
        ploy_blackboard_destroy(made);
        return result;
    }
    *board = made;
    return PLOY_OK;
}
