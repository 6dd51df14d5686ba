/// @file ploy/data/characters.h
/// Data-driven characters: the blackboard values, mind and settings of each kind of character come
/// from a JSON file, so that a designer can add a kind without a compiler.
///
///     { "characters": {
///         "soldier":  { "layout": "soldier", "values": { "health": 80 }, "mind": "guard",
///                       "settings": { "wander": { "drift_rate": 2 } } },
///         "sergeant": { "like": "soldier", "values": { "health": 120 } } } }
///
/// The game provides the layouts, minds (makers of any technique, by name) and sections of settings
/// (field tables, by name). A character that is `like` an earlier one inherits everything that it
/// does not set itself. A file loads completely or not at all: every fault is reported with its
/// line and column and the nearest valid name. Comments and trailing commas are allowed.
///
/// Difference from ploy/exec/setup.h: that header puts the individual characters of a level into an
/// engine; this one describes kinds, of which a game creates any number at any time.
///
/// Cost: linear in the file. Threads: a loaded file may be read by many.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/exec/maker.h"
#include "ploy/exec/setup.h"

/// Maximum number of characters in a file.
#define PLOY_CHARACTERS_MAX 100000

/// A mind that a file may name.
typedef struct ploy_character_mind {
    const char *name;
    ploy_maker maker; ///< its user pointer must outlive the characters
} ploy_character_mind;

/// A section of settings that a file may fill.
typedef struct ploy_character_section {
    const char *name;
    ploy_fields (*fields)(void);
} ploy_character_section;

/// What files may refer to; all zero is fine. The arrays must stay valid while characters are in
/// use.
typedef struct ploy_character_source {
    const ploy_setup_layout *layouts;
    int32_t layout_count;
    const ploy_character_mind *minds;
    int32_t mind_count;
    const ploy_character_section *sections;
    int32_t section_count;
} ploy_character_source;

/// The kinds of a file. Opaque.
typedef struct ploy_characters ploy_characters;

/// Loads a file's bytes.
/// @param name   of the file, for messages.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_LIMIT if anything is wrong with the file; PLOY_ERR_ARGUMENT;
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_characters_load(const void *bytes, size_t size, const char *name,
                                          const ploy_character_source *source, const ploy_env *env,
                                          ploy_diags *diags, ploy_characters **out);
/// Frees the kinds. Boards and minds made from them stay valid. NULL is allowed.
PLOY_API void ploy_characters_destroy(ploy_characters *characters);

PLOY_API int32_t ploy_characters_count(const ploy_characters *characters);
/// Returns a kind's name, in the order of the file; NULL out of range.
PLOY_API const char *ploy_characters_name(const ploy_characters *characters, int32_t index);
/// Returns the index of a name; -1 if there is none.
PLOY_API int32_t ploy_characters_find(const ploy_characters *characters, const char *name);
/// Returns the validated def of a section: its defaults with the file's values applied. NULL if
/// there is no such character or section.
PLOY_API const void *ploy_characters_settings(const ploy_characters *characters, int32_t index,
                                              const char *section);

/// Makes a character: a board with its initial values (NULL if the kind has no layout) and a mind
/// (none if the kind has none), both in the env's memory. The caller destroys them.
/// @return PLOY_ERR_NOT_FOUND out of range, PLOY_ERR_MEMORY, or the maker's error; then nothing is
///         left allocated.
PLOY_API ploy_result ploy_characters_make(const ploy_characters *characters, int32_t index,
                                          const ploy_env *env, ploy_blackboard **board,
                                          ploy_behavior *mind);
