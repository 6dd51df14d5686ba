/// @file ploy/base/fields_text.h
/// Loads a def from a parameter file and saves it as one, driven by its field table.
///
///     // what a designer edits while the game runs
///     max_speed     150
///     mode          full;          // a semicolon does no harm
///     spawn         (0, 10)
///     wander.drift_rate 4
///
/// Each line holds one setting: its name (for a nested def, its path), then its value as for
/// `--set`. Blank lines and text after `//` are ignored. Missing settings keep the value in the
/// def. If a name occurs twice, the later setting counts. To reload, load again into the def that
/// is in use: a file with a fault leaves the def unchanged. JSON, for programs that write files, is
/// in ploy/base/fields_json.h. Technique: the parameter files of Buckland, "Programming Game AI by
/// Example", 3, with types, ranges and messages.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/writer.h"

/// Sets every value that the text names. All faults are reported, each with its line and column:
/// unknown names (with the nearest valid name), malformed values, values out of range. If there is
/// any fault, the def is unchanged.
/// @param text  size bytes; may have any content.
/// @param name  of the file, for messages. diags may be NULL.
/// @return PLOY_ERR_FORMAT if there is any fault; PLOY_ERR_ARGUMENT if the def did not start
///         from its default.
PLOY_API ploy_result ploy_fields_load_text(ploy_fields fields, void *def, const void *text,
                                           size_t size, const char *name, ploy_diags *diags);

/// Writes every value, one per line in the order of the table, with its unit and purpose as a
/// comment. An enum without a valid choice is left out.
PLOY_API void ploy_fields_save_text(ploy_fields fields, const void *def, ploy_writer *out);
