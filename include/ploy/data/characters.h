/// @file ploy/data/characters.h
/// Data-driven characters: what a kind of character knows, how it thinks and with which settings,
/// from a JSON file, so that a designer makes a new one without a compiler.
///
///     { "characters": {
///         "soldier":  { "layout": "soldier", "values": { "health": 80 }, "mind": "guard",
///                       "settings": { "wander": { "drift_rate": 2 } } },
///         "sergeant": { "like": "soldier", "values": { "health": 120 } } } }
///
/// The game says which layouts, minds (makers of any technique, by name) and sections of settings
/// (field tables, by name) there are. A character that is `like` an earlier one has all it has, but
/// for what it says itself. A file loads whole or not at all: every fault is reported with its line
/// and column and the nearest valid name. Comments and trailing commas are allowed.
///
/// The difference to ploy/exec/setup.h: that one puts the single characters of a level into an
/// engine; this one describes kinds, of which a game creates any number at any time.
///
/// Cost: linear in the file. Threads: a loaded file may be read by many.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/exec/maker.h"
#include "ploy/exec/setup.h"

/// Most characters in a file.
#define PLOY_CHARACTERS_MAX 100000

/// A mind that a file may name.
typedef struct ploy_character_mind {
    const char *name;
    ploy_maker maker; ///< what its user points to must outlive the characters
} ploy_character_mind;

/// A section of settings that a file may fill.
typedef struct ploy_character_section {
    const char *name;
    ploy_fields (*fields)(void);
} ploy_character_section;

/// What files may refer to; all zero is fine. The arrays must stay while characters are in use.
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
/// NULL is allowed. What was made of them lives on.
PLOY_API void ploy_characters_destroy(ploy_characters *characters);

PLOY_API int32_t ploy_characters_count(const ploy_characters *characters);
/// In the order of the file; NULL out of range.
PLOY_API const char *ploy_characters_name(const ploy_characters *characters, int32_t index);
/// -1 if there is none.
PLOY_API int32_t ploy_characters_find(const ploy_characters *characters, const char *name);
/// The name of its mind; NULL if it has none.
PLOY_API const char *ploy_characters_mind(const ploy_characters *characters, int32_t index);
/// The def of a section, checked, with what the file says over its defaults; NULL if there is no
/// such character or section.
PLOY_API const void *ploy_characters_settings(const ploy_characters *characters, int32_t index,
                                              const char *section);

/// Makes one: a board with its first values (NULL if the kind has no layout) and its mind (none if
/// it has none), both in the env's memory. The caller destroys them.
/// @return PLOY_ERR_NOT_FOUND out of range, PLOY_ERR_MEMORY, what the maker returned; nothing is
///         left then.
PLOY_API ploy_result ploy_characters_make(const ploy_characters *characters, int32_t index,
                                          const ploy_env *env, ploy_blackboard **board,
                                          ploy_behavior *mind);
