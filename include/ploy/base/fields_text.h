/// @file ploy/base/fields_text.h
/// A def from a parameter file and back, driven by its field table.
///
///     // what a designer edits while the game runs
///     max_speed     150
///     mode          full;          // a semicolon does no harm
///     spawn         (0, 10)
///     wander.drift_rate 4
///
/// One setting to a line: its name (the path, for a nested def's), then its value as `--set` takes
/// it. Blank lines and text after `//` are ignored. Settings that are missing keep the
/// value that the def has; of two for the same name the later one counts. To reload, load again
/// into the def that is in use: a file with a fault leaves it as it was.
/// JSON, for programs that write files, is in ploy/base/fields_json.h.
/// Technique: the parameter files of Buckland, "Programming Game AI by Example", 3, with types,
/// ranges and messages.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/writer.h"

/// Sets every value that the text names. All faults are reported, each at its line and column:
/// unknown names with the nearest, values that do not read as such, values out of range. If there
/// is one, the def is unchanged.
/// @param text  size bytes; may hold anything.
/// @param name  of the file, for the messages. diags may be NULL.
/// @return PLOY_ERR_FORMAT if anything in it is wrong; PLOY_ERR_ARGUMENT if the def did not start
///         from its default.
PLOY_API ploy_result ploy_fields_load_text(ploy_fields fields, void *def, const void *text,
                                           size_t size, const char *name, ploy_diags *diags);

/// Writes every value, one to a line in the order of the table, with its unit and what it is for as
/// a comment. An enum that holds no choice is left out.
PLOY_API void ploy_fields_save_text(ploy_fields fields, const void *def, ploy_writer *out);
